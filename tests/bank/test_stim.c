/* test_stim.c - the environment of the bank with several open rows notices what
 * model and RTL agree on, and reaches every cover point; its own checker sees
 * each time of Table II broken by one cycle, and each wrong state of a row
 * buffer, and nothing in what is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bank/bank.h"
#include "bank/checker.h"
#include "bank/stim.h"
#include "blocks/bank.h"

#include <string.h>

#define LIAR_BLOCK bank
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target bank --preset small --cycles 60000";
static const char mpu[] = "--target bank --preset mpu --cycles 60000";

/* --- its own checker ------------------------------------------------------ */

enum { ACT = 0, PRE = 1, PREA = 2, RD = 3, WR = 5, REF = 7, END = -1 };

struct step {
    int64_t edge;
    int kind, buffer;
    int64_t row;
};

/* The last step breaks what is said; NULL: nothing. */
static void expect_steps(const struct step *s, const char *says) {
    struct bank_checker k;
    struct config c;
    struct diag d = {0};
    const char *got = NULL;
    config_defaults(&c);
    assert_true(config_preset(&c, "mpu", &d));
    diag_free(&d);
    bank_checker_reset(&k, &c);
    for (; s->kind != END; s++) {
        if (got)
            fail_msg("'%s' before the last step", got);
        got = bank_checker_take(&k, s->edge, s->kind, s->buffer, s->row);
    }
    if (!says != !got || (says && !strstr(got, says)))
        fail_msg("expected '%s', got '%s'", says ? says : "nothing",
                 got ? got : "nothing");
}

#define RUN(says, ...)                                                         \
    expect_steps((struct step[]){__VA_ARGS__, {0, END, 0, 0}}, says)

static void test_right(void **state) {
    (void)state;
    RUN(NULL, {0, ACT, 0, 8}, {8, ACT, 1, 9}, {14, RD, 0, 8}, {22, RD, 1, 9},
        {24, RD, 0, 8}, {33, PRE, 0, 0}, {47, ACT, 0, 12}, {61, WR, 0, 12},
        {63, WR, 1, 9}, {100, PREA, 0, 0}, {3900, REF, 0, 0}, {4250, ACT, 3, 7},
        {4264, RD, 3, 7});
}

static void test_times(void **state) {
    (void)state;
    RUN("tRCD: 13", {0, ACT, 0, 8}, {13, RD, 0, 8});
    RUN("tRCD: 13", {0, ACT, 0, 8}, {13, WR, 0, 8});
    RUN("tCCD: 1", {0, ACT, 0, 8}, {14, RD, 0, 8}, {15, RD, 0, 8});
    RUN("tCCD: 1", {0, ACT, 0, 8}, {0, ACT, 1, 9}, {14, RD, 0, 8},
        {15, RD, 1, 9});
    RUN("tCCD: 1", {0, ACT, 0, 8}, {14, WR, 0, 8}, {15, WR, 0, 8});
    RUN("tRTP: 3", {0, ACT, 0, 8}, {40, RD, 0, 8}, {43, PRE, 0, 0});
    RUN("tRTP: 3", {0, ACT, 0, 8}, {40, RD, 0, 8}, {43, PREA, 0, 0});
    RUN("tRAS: 32", {0, ACT, 0, 8}, {32, PRE, 0, 0});
    RUN("tRAS: 32", {0, ACT, 0, 8}, {32, PREA, 0, 0});
    RUN("tRP: 13", {0, ACT, 0, 8}, {33, PRE, 0, 0}, {46, ACT, 0, 12});
    RUN("tRP to a refresh: 13", {3000, ACT, 0, 8}, {4000, PREA, 0, 0},
        {4013, REF, 0, 0});
    RUN("tRFC: 349", {3900, REF, 0, 0}, {4249, ACT, 0, 8});
    RUN("tREFI: 3899", {3899, REF, 0, 0});
    RUN("tREFI: 7799", {3900, REF, 0, 0}, {7799, REF, 0, 0});
}

static void test_states(void **state) {
    (void)state;
    RUN("not open", {0, RD, 0, 8});
    RUN("not open", {0, ACT, 0, 8}, {14, RD, 0, 12});
    RUN("not open", {0, ACT, 0, 8}, {33, PRE, 0, 0}, {50, WR, 0, 8});
    RUN("over an open one", {0, ACT, 0, 8}, {100, ACT, 0, 12});
    RUN("in another's row buffer", {0, ACT, 1, 8});
    RUN("a refresh with a row open", {0, ACT, 2, 10}, {3900, REF, 0, 0});
    RUN("no command of a bank", {0, 4, 0, 0});
}

static void test_overdue(void **state) {
    (void)state;
    struct bank_checker k;
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(config_preset(&c, "mpu", &d));
    diag_free(&d);
    bank_checker_reset(&k, &c);
    assert_null(bank_checker_edge(&k, 3900));
    assert_non_null(bank_checker_edge(&k, 4200));
    assert_null(bank_checker_take(&k, 3950, REF, 0, 0));
    assert_null(bank_checker_edge(&k, 4200));
    assert_non_null(bank_checker_edge(&k, 8100));
    c.timing_refi = 0;
    bank_checker_reset(&k, &c);
    assert_null(bank_checker_edge(&k, 100000));
}

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "bank.open_rows=1", "bank.open_rows=4",   "bank.entries=2",
        "bank.entries=32",  "timing.refi=600",    "bank.row_bits=2",
        "bank.id_bits=1",   "bank.column_bits=1", "bank.patience=255",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers(mpu);
    expect_all_covers("--target bank --preset small --cycles 20000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches 0");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- lies ----------------------------------------------------------------- */

static bool is(const struct bank_out *o, uint64_t kind) {
    return o->cmd_valid && o->cmd_kind == kind;
}

static void hide(struct bank_out *o) {
    uint64_t ready = o->req_ready;
    memset(o, 0, sizeof *o);
    o->req_ready = ready;
}

static void no_close(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, PRE))
        hide(o);
}

static void no_refresh(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, REF))
        hide(o);
}

static void no_burst(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, RD))
        hide(o);
}

static void silent(struct liar *l, struct bank_out *o) {
    (void)l;
    hide(o);
}

static void twice(struct liar *l, struct bank_out *o) {
    if (is(&l->last, RD) && !o->cmd_valid && !l->told++) {
        uint64_t ready = o->req_ready;
        *o = l->last;
        o->req_ready = ready;
    }
}

static void other_row(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, RD))
        o->cmd_row ^= 4;
}

static void other_column(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, RD) || is(o, WR))
        o->cmd_column ^= 1;
}

static void other_id(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, RD) || is(o, WR))
        o->cmd_id ^= 4;
}

static void other_buffer(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, ACT))
        o->cmd_buffer ^= 1;
}

static void written(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, RD) && !l->told++)
        o->cmd_kind = WR;
}

static void row_to_close(struct liar *l, struct bank_out *o) {
    (void)l;
    if (is(o, PRE))
        o->cmd_row = 1;
}

static void not_zero(struct liar *l, struct bank_out *o) {
    (void)l;
    if (!o->cmd_valid)
        o->cmd_id = 1;
}

static void full(struct liar *l, struct bank_out *o) {
    (void)l;
    o->req_ready = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(no_close, small, "a row over an open one");
    expect_caught(no_refresh, mpu, "a refresh is overdue");
    expect_caught(no_burst, small, "ready does not say");
    expect_caught(silent, small, "ready does not say");
    expect_caught(twice, mpu, "tCCD: 1 cycles");
    expect_caught(other_row, small, "a burst of a row that is not open");
    expect_caught(other_column, small, "no request");
    expect_caught(other_id, small, "no request");
    expect_caught(other_buffer, small, "  a row ");
    expect_caught(written, small, "is no such command");
    expect_caught(row_to_close, small, "or a row to close");
    expect_caught(not_zero, small, "'cmd_id' is not zero");
    expect_caught(full, small, "ready does not say");
    lie_after = 6600; /* few requests, and room for them all */
    expect_caught(silent,
                  "--target bank --preset mpu --stim directed "
                  "--set bank.entries=32",
                  "requests wait and nothing happens");
}

static void lose(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->req_valid = 0;
}

/* Another row than asked for. */
static void mishear(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->req_row ^= 1;
}

static void test_hears(void **state) {
    (void)state;
    hears = lose;
    expect_caught(NULL, small, "ready does not say");
    hears = mishear;
    expect_caught(NULL, small, "no request");
}

/* --- replay --------------------------------------------------------------- */

static const char replay[] =
    "--target bank --preset mpu --stim replay --cycles 0 "
    "--run kernels/axpy/axpy.yml --size small";

/* A thousand elements, 128 bytes in each bank in turn: two chunks of x and y in
 * this one, read, and those of y written, by 32 warps. */
static void test_replay(void **state) {
    char words[256];
    (void)state;
    expect_green(replay, "end\twhole");
    expect_green(replay, "reads\t16");
    expect_green(replay, "writes\t8");
    expect_green(replay, "rows_opened\t2");
    /* whole rows together: this bank has a part of x, or of y, or nothing */
    snprintf(words, sizeof words, "%s --seed 16", replay);
    expect_green(words, "together\t2048");
    expect_green("--target bank --preset mpu --stim replay --cycles 5000 "
                 "--run kernels/axpy/axpy.yml --size small",
                 "end\tcycles");
}

static void test_replay_lies(void **state) {
    (void)state;
    lie_after = 0;
    expect_caught(no_burst, replay, "nothing happens");
    expect_caught(other_row, replay, "a burst of a row that is not open");
    expect_caught(other_id, replay, "no request");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target bank --stim replay", "'replay' needs a kernel");
    expect_refused("--target bank --stim replay --run kernels/axpy/none.yml",
                   "kernels/axpy/none.yml");
    expect_refused("--target bank --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target bank --set bank.open_rows=3", "bank.open_rows");
    expect_refused("--target bank --set timing.rc=1", "timing.rc");
}

static int begin(void **state) {
    (void)state;
    lie_after = 500;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_overdue),
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_lies, begin),
        cmocka_unit_test_setup(test_hears, begin),
        cmocka_unit_test_setup(test_replay, begin),
        cmocka_unit_test_setup(test_replay_lies, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
