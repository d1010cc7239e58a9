/* test_stim.c - the environment of the mesh notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/mesh.h"
#include "blocks/nic.h"
#include "blocks/router.h"
#include "mesh/stim.h"

/* Of a mesh of two by two: its own ports, then those of its parts. */
struct mesh4_in {
    struct mesh_in own;
    struct router_in router[4];
    struct nic_in nic[4];
};

struct mesh4_out {
    struct mesh_out own;
    struct router_out router[4];
    struct nic_out nic[4];
};

#define LIAR_BLOCK mesh
#define LIAR_IN struct mesh4_in
#define LIAR_OUT struct mesh4_out
#define LIAR_GOLDEN (*golden_find("mesh"))
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

#define FOUR "--set mesh.width=2 --set mesh.height=2 --set mesh.memory_nodes=1 "
static const char four[] = "--target mesh --preset small --cycles 10000 " FOUR;

static void test_honest(void **state) {
    (void)state;
    expect_green(four, "mismatches 0");
    expect_green(
        "--target mesh --preset small --cycles 10000 "
        "--set noc.lanes=2 --set noc.routes=both --set noc.depth=2 " FOUR,
        "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target mesh --preset small --cycles 4000 " FOUR);
}

static void take_nothing(struct nic_out *out) {
    out->take_ans_valid = out->take_ans_last = 0;
    memset(out->take_ans_data, 0, sizeof out->take_ans_data);
}

static void altered(struct liar *l, struct mesh4_out *out) {
    (void)l;
    if (out->nic[1].take_ans_valid)
        out->nic[1].take_ans_data[0] ^= 1u << 9;
}

/* One flit is not seen. */
static void lost(struct liar *l, struct mesh4_out *out) {
    if (l->last.nic[2].take_ans_valid && !l->in.nic[2].take_ans_ready)
        return;
    if (out->nic[2].take_ans_valid && l->told++ == 0)
        take_nothing(&out->nic[2]);
}

/* What is for node 0 comes to node 3. */
static void elsewhere(struct liar *l, struct mesh4_out *out) {
    (void)l;
    out->nic[3].take_ans_valid = out->nic[0].take_ans_valid;
    out->nic[3].take_ans_last = out->nic[0].take_ans_last;
    memcpy(out->nic[3].take_ans_data, out->nic[0].take_ans_data,
           sizeof out->nic[3].take_ans_data);
}

/* A request is shown as an answer. */
static void other_class(struct liar *l, struct mesh4_out *out) {
    (void)l;
    if (!out->nic[1].take_req_valid)
        return;
    out->nic[1].take_ans_valid = 1;
    out->nic[1].take_ans_last = out->nic[1].take_req_last;
    memcpy(out->nic[1].take_ans_data, out->nic[1].take_req_data,
           sizeof out->nic[1].take_ans_data);
}

/* Nothing is shown at any node, and nobody hears that it was taken. */
static void nothing(struct liar *l, struct mesh4_out *out) {
    (void)l;
    for (int i = 0; i < 4; i++) {
        struct nic_out *n = &out->nic[i];
        take_nothing(n);
        n->take_req_valid = n->take_req_last = 0;
        memset(n->take_req_data, 0, sizeof n->take_req_data);
    }
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(altered, four, "node 1 takes a flit");
    expect_caught(lost, four, "out of order");
    expect_caught(elsewhere, four, "node 3 takes a flit");
    expect_caught(other_class, four, "node 1 takes a flit");
    expect_caught(nothing, four, "nothing moves");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
