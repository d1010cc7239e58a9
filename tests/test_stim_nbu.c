/* test_stim_nbu.c - the environment of the near-bank unit notices what model
 * and RTL agree on.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs; each lie must be caught by the check that is there for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench_run.h"
#include "instance.h"
#include "nbu.h"
#include "stim_nbu.h"

#include "blocks/nbu.h"

/* A model whose outputs a test changes. */
struct liar {
    struct golden base;
    struct golden *honest;
    struct nbu_in in;
    struct nbu_out out, last; /* as shown after this edge and the one before */
    uint64_t edge;
    int told; /* lies so far */
};

typedef void lie_fn(struct liar *l, struct nbu_out *o);
static lie_fn *lie; /* of the test that runs */

static struct golden *create(const struct config *c) {
    struct liar *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->base.hash = config_hash(c);
    l->honest = nbu_golden.create(c);
    return &l->base;
}

static void destroy(struct golden *g) {
    nbu_golden.destroy(((struct liar *)g)->honest);
    free(g);
}

static const void *cycle(struct golden *g, bool rst, const void *in) {
    struct liar *l = (struct liar *)g;
    const struct nbu_out *truth = nbu_golden.cycle(l->honest, rst, in);
    l->last = l->out;
    l->out = *truth;
    if (in)
        l->in = *(const struct nbu_in *)in;
    if (!rst && l->edge++ > 2000)
        lie(l, &l->out);
    return &l->out;
}

static const uint64_t *covers(const struct golden *g) {
    return nbu_golden.covers(((const struct liar *)g)->honest);
}

static const struct golden_class liar = {.iface = &nbu_iface,
                                         .create = create,
                                         .destroy = destroy,
                                         .cycle = cycle,
                                         .covers = covers};

static const struct bench_block blocks[] = {
    {&nbu_iface, &liar, &stim_nbu},
    {NULL, NULL, NULL},
};

static const char small[] = "--target nbu --preset small --cycles 200000";

static void expect_caught(lie_fn *told, const char *words, const char *says) {
    lie = told;
    expect_run(run_bench(blocks, &liar, NULL, words), 1, says);
}

static void nothing(struct liar *l, struct nbu_out *o) {
    (void)l;
    (void)o;
}

static void test_honest(void **state) {
    char all[32];
    int n = nbu_iface.n_covers;
    (void)state;
    snprintf(all, sizeof all, "covers %d/%d", n, n);
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL, small), 0, all);
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target nbu --preset small --cycles 60000 "
                         "--stim directed"),
               0, all);
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target nbu --cycles 20000 --stim replay --kernel "
                         "kernels/axpy/axpy.ptx"),
               0, "moves_down\t");
}

static void wrong_row(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_write_row[1] ^= (uint64_t)1 << 40;
}

static void wrong_predicate(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (o->far_write_pred)
        o->far_write_row[0] ^= 1;
}

static void test_wrong_data(void **state) {
    (void)state;
    expect_caught(wrong_row, small, "the row moved down is not what");
    expect_caught(wrong_predicate, small, "the predicate moved up is not what");
}

/* The unit believes that a row was written, the register file never saw it. */
static void lost_write(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_write_valid = 0;
}

static void test_stale_operand(void **state) {
    (void)state;
    expect_caught(lost_write, small, " near: expected ");
}

/* Asked for another warp's row. */
static void wrong_read(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (o->far_read_valid)
        o->far_read_warp ^= 1;
}

static void test_wrong_row_read(void **state) {
    (void)state;
    expect_caught(wrong_read, small, " moved down is not what");
}

static void lost_commit(struct liar *l, struct nbu_out *o) {
    if (o->commit_valid && l->told++ == 20)
        o->commit_valid = o->commit_near = o->commit_warp = o->commit_tag = 0;
}

static void repeated_commit(struct liar *l, struct nbu_out *o) {
    if (!o->commit_valid && l->last.commit_valid) {
        o->commit_valid = 1;
        o->commit_warp = l->last.commit_warp;
        o->commit_tag = l->last.commit_tag;
        o->commit_near = l->last.commit_near;
    }
}

static void side_of_commit(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->commit_near ^= o->commit_valid;
}

static void test_commits(void **state) {
    (void)state;
    expect_caught(lost_commit,
                  "--target nbu --preset small --cycles 60000 --stim directed",
                  " waits for its commit since ");
    expect_caught(repeated_commit, small, "but no such instruction completed");
    expect_caught(side_of_commit, small, "but no such instruction completed");
}

static void altered_tag(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->far_exec_tag ^= o->far_exec_valid;
}

static void altered_mask(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_exec_mask ^= o->near_exec_valid;
}

static void altered_ticket(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->near_exec_ticket ^= o->near_exec_valid;
}

static void repeated_delivery(struct liar *l, struct nbu_out *o) {
    if (o->far_exec_valid || !l->last.far_exec_valid)
        return;
    o->far_exec_valid = 1;
    o->far_exec_warp = l->last.far_exec_warp;
    o->far_exec_tag = l->last.far_exec_tag;
}

static void test_deliveries(void **state) {
    (void)state;
    expect_caught(altered_tag, small, "other fields than accepted");
    expect_caught(altered_mask, small, "other fields than accepted");
    expect_caught(altered_ticket, small, "does not fit its destination");
    expect_caught(repeated_delivery, small, "but no instruction of it waits");
}

/* What was decided near shows at the far port. */
static void wrong_side(struct liar *l, struct nbu_out *o) {
    (void)l;
    if (!o->near_exec_valid || o->far_exec_valid)
        return;
    o->far_exec_valid = 1;
    o->far_exec_warp = o->near_exec_warp;
    o->far_exec_tag = o->near_exec_tag;
    o->far_exec_op = o->near_exec_op;
    o->far_exec_mask = o->near_exec_mask;
    o->far_exec_dst = o->near_exec_dst;
    o->far_exec_src0 = o->near_exec_src0;
    o->far_exec_src1 = o->near_exec_src1;
    o->far_exec_src2 = o->near_exec_src2;
    o->far_exec_guard = o->near_exec_guard;
    o->far_exec_ticket = o->near_exec_ticket;
    o->near_exec_valid = 0;
}

static void test_wrong_side(void **state) {
    (void)state;
    expect_caught(wrong_side,
                  "--target nbu --preset small --cycles 200000 --stim replay "
                  "--kernel kernels/axpy/axpy.ptx --set nbu.registers=64",
                  "delivered far against the policy");
}

static void lost_beat(struct liar *l, struct nbu_out *o) {
    if (o->lsu_near_valid && l->told++ == 9)
        o->lsu_near_valid = 0;
}

static void altered_beat(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->lsu_far_data[0] ^= o->lsu_far_valid << 15;
}

static void altered_last(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->lsu_far_last ^= o->lsu_far_valid;
}

static void test_load_store_traffic(void **state) {
    (void)state;
    expect_caught(lost_beat, small, "load-store beat down");
    expect_caught(altered_beat, small, "load-store beat up: expected ");
    expect_caught(altered_last, small, "load-store beat up: expected last ");
}

static void wrong_count(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->wb_dat_r += o->wb_ack;
}

static void silent_port(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->wb_ack = o->wb_dat_r = 0;
}

static void test_register_port(void **state) {
    (void)state;
    expect_caught(wrong_count, small, "register '");
    expect_caught(silent_port, small, "no acknowledge for register ");
}

/* Nothing is ever ready: said long before the run is over, and by name. */
static void never_ready(struct liar *l, struct nbu_out *o) {
    (void)l;
    o->far_exec_valid = o->near_exec_valid = 0;
}

static void test_stall(void **state) {
    (void)state;
    expect_caught(never_ready, small, " waits for its delivery since ");
}

static void test_bad_input(void **state) {
    (void)state;
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target nbu --stim replay --kernel none.ptx"),
               2, "cannot read 'none.ptx'");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target nbu --stim replay --kernel README.md"),
               2, "README.md:");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target nbu --preset small --stim replay --kernel "
                         "kernels/conv/conv.ptx"),
               2, "register");
    expect_run(run_bench(blocks, &liar, NULL, "--target nbu --stim dance"), 2,
               "unknown stimulus 'dance', expected 'random', 'directed' or "
               "'replay'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_wrong_data),
        cmocka_unit_test(test_stale_operand),
        cmocka_unit_test(test_wrong_row_read),
        cmocka_unit_test(test_commits),
        cmocka_unit_test(test_deliveries),
        cmocka_unit_test(test_wrong_side),
        cmocka_unit_test(test_load_store_traffic),
        cmocka_unit_test(test_register_port),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("test_stim_nbu", tests, NULL, NULL);
}
