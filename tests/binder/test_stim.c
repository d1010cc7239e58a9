/* test_stim.c - the environment of the binder notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "binder/binder.h"
#include "binder/stim.h"
#include "blocks/binder.h"

#define LIAR_BLOCK binder
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target binder --preset small --cycles 30000";
static const char longer[] = "--target binder --preset small --cycles 200000";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "omni.lanes=32", "omni.entries=2", "omni.address_bits=16",
        "binder.alus=8 --set omni.lanes=32", "mesh.memory_nodes=3"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target binder --preset omni --cycles 100000");
    expect_all_covers("--target binder --preset small --cycles 20000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[160];
        snprintf(words, sizeof words, "%s --set %s", longer, sets[n]);
        expect_all_covers(words);
    }
    expect_green("--target binder --preset small --cycles 30000 "
                 "--set binder.line=4",
                 "covers 30/31");
}

/* Each run by name does what it is called. */
static void test_named(void **state) {
    static const struct {
        const char *name, *point;
    } t[] = {{"patterns", "bitmap"},      {"patterns", "fused"},
             {"misfits", "misfit_first"}, {"misfits", "misfit_inside"},
             {"faults", "fault_open"},    {"full_queue", "normal"},
             {"loads_back", "two_loads"}, {"slow_core", "put_held"}};
    (void)state;
    for (size_t n = 0; n < sizeof t / sizeof t[0]; n++) {
        char words[160];
        snprintf(words, sizeof words,
                 "--target binder --preset small --cycles 5000 --stim %s",
                 t[n].name);
        expect_covers(words, t[n].point);
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- lies ----------------------------------------------------------------- */

static bool new_op(const struct liar *l, const struct binder_out *o) {
    return o->op_valid && !l->last.op_valid;
}

/* From a new instruction on, as long as it stands. */
static bool op_lies(struct liar *l, const struct binder_out *o) {
    l->told = o->op_valid && (l->told || new_op(l, o));
    return l->told;
}

static void op_reversed(struct liar *l, struct binder_out *o) {
    o->op_reversed ^= op_lies(l, o) && o->op_kind == BINDER_ALU;
}

static void op_code(struct liar *l, struct binder_out *o) {
    o->op_code ^= op_lies(l, o) && o->op_kind == BINDER_COMPARE;
}

static void op_imm(struct liar *l, struct binder_out *o) {
    o->op_imm ^= op_lies(l, o) && o->op_has_imm;
}

static void op_address(struct liar *l, struct binder_out *o) {
    if (op_lies(l, o) && o->op_kind == BINDER_STORE)
        o->op_address ^= 4;
}

static void op_mem(struct liar *l, struct binder_out *o) {
    o->op_mem ^= op_lies(l, o) && o->op_kind == BINDER_LOAD && !o->op_hit;
}

static void op_mask(struct liar *l, struct binder_out *o) {
    o->op_mask ^= op_lies(l, o);
}

static void op_no_hit(struct liar *l, struct binder_out *o) {
    (void)l;
    o->op_hit = 0;
}

static void no_op(struct liar *l, struct binder_out *o) {
    if (!op_lies(l, o))
        return;
    o->op_valid = o->op_tag = o->op_kind = o->op_wave = o->op_mask = 0;
    o->op_hit = o->op_address = o->op_mem = o->op_code = o->op_type = 0;
    o->op_reversed = o->op_fused = o->op_has_imm = o->op_imm = 0;
}

static void test_ops(void **state) {
    (void)state;
    expect_caught(op_reversed, small, "is given with reversed");
    expect_caught(op_code, small, "is given with code");
    expect_caught(op_imm, small, "is given with imm");
    expect_caught(op_address, small, "is given with address");
    expect_caught(op_mem, small, "is given with mem");
    expect_caught(op_mask, small, "is given with mask");
    expect_caught(op_no_hit, small, "is given with hit");
    expect_caught(no_op, small, "an instruction is not given");
}

static bool is_end(const struct binder_out *o) {
    return o->go_valid && o->go_moves && !o->go_frees && !o->go_alone;
}

static void no_go(struct liar *l, struct binder_out *o) {
    (void)l;
    if (!o->go_frees)
        return;
    o->go_valid = o->go_moves = o->go_frees = o->go_warp = 0;
    o->go_pc = o->go_alone = 0;
}

static void go_pc(struct liar *l, struct binder_out *o) {
    (void)l;
    o->go_pc ^= is_end(o);
}

static void go_with(struct liar *l, struct binder_out *o) {
    (void)l;
    o->go_alone &= !o->go_frees;
}

static void go_anyway(struct liar *l, struct binder_out *o) {
    (void)l;
    if (o->go_valid)
        return;
    o->go_valid = o->go_moves = 1;
}

static void not_busy(struct liar *l, struct binder_out *o) {
    (void)l;
    o->chain_busy = 0;
}

static void test_go(void **state) {
    (void)state;
    expect_caught(no_go, small, "is not told how it goes on");
    expect_caught(go_pc, small, "expected warp");
    expect_caught(go_with, small, "is told moves");
    expect_caught(go_anyway, small, "goes on before its time");
    expect_caught(not_busy, small, "chain_busy is 0");
}

/* A pass is wrong as long as it stands. */
static bool put_lies(struct liar *l, const struct binder_out *o) {
    bool stood = l->last.put_valid && !l->in.put_ready;
    l->told = o->put_valid && (l->told || !stood);
    return l->told;
}

static void put_value(struct liar *l, struct binder_out *o) {
    o->put_data[0] ^= put_lies(l, o) && !o->put_pred;
}

static void put_bit(struct liar *l, struct binder_out *o) {
    o->put_data[0] ^= put_lies(l, o) && o->put_pred;
}

static void put_register(struct liar *l, struct binder_out *o) {
    o->put_d ^= put_lies(l, o);
}

static void put_as_bits(struct liar *l, struct binder_out *o) {
    o->put_pred |= put_lies(l, o) && o->put_last && !o->put_pred;
}

static void put_mask(struct liar *l, struct binder_out *o) {
    o->put_mask ^= put_lies(l, o);
}

static void test_put(void **state) {
    (void)state;
    expect_caught(put_value, small, "a pass has other values");
    expect_caught(put_bit, small, "a pass has other values");
    expect_caught(put_register, small, "a pass is for register");
    expect_caught(put_mask, small, "a pass is for register");
    expect_caught(put_as_bits, small, "bits and a result are mixed");
}

/* A model that is deaf to what comes. */
static void no_answers(struct liar *l, bool rst, struct binder_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->said_valid = 0;
}

static void no_waiting(struct liar *l, bool rst, struct binder_in *in) {
    (void)rst;
    (void)l;
    in->put_ready |= !l->out.put_valid;
}

static void no_fault(struct liar *l, bool rst, struct binder_in *in) {
    (void)rst;
    (void)l;
    in->core_state = 1;
}

static void test_deaf(void **state) {
    (void)state;
    hears = no_answers;
    expect_caught(NULL, small, "nothing goes on");
    hears = no_waiting;
    expect_caught(NULL, small, "goes on before its time");
    hears = no_fault;
    expect_caught(NULL, small, "an instruction is not given");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target binder --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target binder --set binder.alus=8 --set omni.lanes=4",
                   "'binder.alus' must be at most 'omni.lanes'");
    expect_refused("--target binder --set mesh.memory_nodes=1,2,3",
                   "must be 1, 2, 4, ... nodes");
}

static int begin(void **state) {
    (void)state;
    lie_after = 1000;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_named, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_ops, begin),
        cmocka_unit_test_setup(test_go, begin),
        cmocka_unit_test_setup(test_put, begin),
        cmocka_unit_test_setup(test_deaf, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
