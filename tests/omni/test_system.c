/* test_system.c - the queues of a node as a system: where its parts are, that a
 * chain goes through all of them on the edges that the notes say, and that
 * parts of two nodes are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "structs.h"
#include "tests/common/diag_capture.h"

#include <string.h>

static void test_structs(void **state) {
    struct config c;
    config_defaults(&c);
    struct design *d = design_make(&omni_iface, &c);
    static const size_t in[] = {
        offsetof(struct node_in, offload), offsetof(struct node_in, meet),
        offsetof(struct node_in, service), offsetof(struct node_in, gate)};
    static const size_t out[] = {
        offsetof(struct node_out, offload), offsetof(struct node_out, meet),
        offsetof(struct node_out, service), offsetof(struct node_out, gate)};
    (void)state;
    assert_int_equal(d->in_size, sizeof(struct node_in));
    assert_int_equal(d->out_size, sizeof(struct node_out));
    assert_int_equal(system_n(d), OMNI_N_INSTANCES);
    for (int i = 0; i < OMNI_N_INSTANCES; i++) {
        assert_int_equal(system_instance(d, i)->in_offset, in[i]);
        assert_int_equal(system_instance(d, i)->out_offset, out[i]);
        assert_int_equal(system_instance(d, i)->region, i + 1);
    }
    design_free(d);
}

struct node {
    struct golden *g;
    struct node_in in;
    const struct node_out *out;
    int edges;
};

static void edge(struct node *n) {
    n->out = golden_cycle(n->g, false, &n->in);
    n->edges++;
}

static void op(struct node *n, uint64_t tag, uint64_t kind, uint64_t address,
               uint64_t mem) {
    struct oqueue_in *in = &n->in.offload;
    in->op_valid = 1;
    in->op_tag = tag;
    in->op_kind = kind;
    in->op_address = address;
    in->op_mem = mem;
    in->op_mask = ones(32);
    in->op_code = kind == OQUEUE_ALU ? OQUEUE_ADD : 0;
    in->op_type = OQUEUE_U32;
    assert_int_equal(n->out->offload.op_ready, 1);
    edge(n);
    in->op_valid = 0;
}

/* c = a + b of the paper's second scenario: core 15 is node 17, its meet node
 * 41, three rows below. */
static void test_chain(void **state) {
    struct config c;
    struct node n = {0};
    (void)state;
    config_defaults(&c);
    n.g = golden_create(golden_find("omni"), &c);
    n.in.offload.at_core = n.in.gate.at_node = 17;
    n.in.gate.ask_ready = n.in.gate.reply_ready = n.in.offload.done_ready = 1;
    n.out = golden_cycle(n.g, true, &n.in);
    op(&n, 1, OQUEUE_LOAD, 5 * 128, 5);
    op(&n, 2, OQUEUE_LOAD, 6 * 128, 6);
    op(&n, 2, OQUEUE_ALU, 0, 0);
    op(&n, 3, OQUEUE_STORE, 7 * 128, 0);
    n.edges = 0;
    while (!n.out->gate.ask_valid && n.edges < 20)
        edge(&n);
    assert_int_equal(n.edges, 7);
    assert_int_equal(n.out->gate.ask_last, 1);
    assert_int_equal(n.out->gate.ask_x, 41 % 8);
    assert_int_equal(n.out->gate.ask_y, 41 / 8);
    assert_int_equal(n.out->gate.ask_data[0] & 3, 1);
    edge(&n);
    assert_int_equal(n.out->gate.ask_valid, 0);
    /* an acknowledgement of entry 0, by the memory node of c */
    n.in.gate.replied_valid = n.in.gate.replied_last = 1;
    n.in.gate.replied_data[0] = 2 << 1;
    edge(&n);
    n.in.gate.replied_valid = 0;
    n.edges = 0;
    while (!n.out->offload.done_valid && n.edges < 20)
        edge(&n);
    assert_int_equal(n.edges, 3);
    assert_int_equal(n.out->offload.done_entry, 0);
    assert_int_equal(n.out->offload.done_how, OQUEUE_ACK);
    golden_free(n.g);
}

static void refused(struct config *c, const char *says) {
    struct diag d = {0};
    assert_false(iface_check(&omni_iface, c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, says));
    free(got);
    diag_free(&d);
}

static void test_parts_of_two_nodes(void **state) {
    struct config c;
    (void)state;
    config_defaults(&c);
    c.gate_places = 95;
    refused(&c, "'squeue.places' is computed from 'gate.places'");
    config_defaults(&c);
    c.squeue_alus = 4;
    refused(&c, "'squeue.alus' is computed from 'gate.alus'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_parts_of_two_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
