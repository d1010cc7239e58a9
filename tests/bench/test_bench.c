/* test_bench.c - lock-step can fail, and says where.
 *
 * The toy block's model stands in for its RTL and is made to lie: one bit, one
 * cycle, an X, another configuration.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame/model.h"
#include "tests/common/bench_run.h"
#include "tests/bench/toy/toy.h"

static const struct bench_block blocks[] = {
    {&toy_iface, &toy_golden, &toy_stim},
    {NULL, NULL, NULL},
};

static struct printed run(spoil_fn *spoil, const char *words) {
    return run_bench(blocks, &toy_golden, spoil, words);
}

static void test_equal(void **state) {
    (void)state;
    expect_run(run(NULL, "--target toy --cycles 3000"), 0,
               "cycles 3000, outputs 11, mismatches 0, covers 2/2, seed 1, "
               "digest ");
}

static void test_same_seed_same_digest(void **state) {
    (void)state;
    struct printed a = run(NULL, "--target toy --cycles 999 --seed 5 --json");
    struct printed b = run(NULL, "--target toy --cycles 999 --seed 5 --json");
    struct printed c = run(NULL, "--target toy --cycles 999 --seed 6 --json");
    assert_string_equal(a.text, b.text);
    assert_string_not_equal(a.text, c.text);
    free(a.text);
    free(b.text);
    free(c.text);
}

static void flip_bit(uint64_t edge, void *out, void *unknown) {
    (void)unknown;
    if (edge == 777)
        ((struct toy_out *)out)->out_odd ^= (uint64_t)1 << 32;
}

static void test_flipped_bit(void **state) {
    (void)state;
    expect_run(run(flip_bit, "--target toy"), 1,
               "mismatch at cycle 777\n  out_odd\n");
    expect_run(run(flip_bit, "--target toy"), 1, "    bits     32\n");
    expect_run(run(flip_bit, "--target toy"), 1, "mismatches 1,");
    expect_run(run(flip_bit, "--target toy --cycles 777"), 0, "mismatches 0,");
    expect_run(run(flip_bit, "--target toy --cycles 778"), 1, "mismatches 1,");
}

static void flip_wide(uint64_t edge, void *out, void *unknown) {
    (void)unknown;
    if (edge == 100)
        ((struct toy_out *)out)->out_wide[2] ^= 0x2700;
}

static void test_wide_port_names_its_bits(void **state) {
    (void)state;
    expect_run(run(flip_wide, "--target toy"), 1,
               "    bits     141, 138..136\n");
}

static void unknown_bits(uint64_t edge, void *out, void *unknown) {
    (void)out;
    memset(unknown, 0, sizeof(struct toy_out));
    if (edge == 60)
        ((struct toy_out *)unknown)->out_byte = 0x30;
}

static void test_unknown_bits(void **state) {
    (void)state;
    expect_run(run(unknown_bits, "--target toy"), 1,
               "mismatch at cycle 60\n  out_byte\n");
    expect_run(run(unknown_bits, "--target toy"), 1, "    x bits   5..4\n");
    expect_run(run(unknown_bits, "--target toy --json"), 1,
               "\"unknown\": true");
}

/* The state of an edge is shown one edge later. */
static void late(uint64_t edge, void *out, void *unknown) {
    static struct toy_out kept;
    struct toy_out now = *(struct toy_out *)out;
    (void)unknown;
    if (edge > 200)
        *(struct toy_out *)out = kept;
    kept = now;
}

static void test_one_cycle_late(void **state) {
    (void)state;
    expect_run(run(late, "--target toy"), 1, "mismatch at cycle 201\n");
}

static void flip_early(uint64_t edge, void *out, void *unknown) {
    (void)unknown;
    if (edge == 2)
        ((struct toy_out *)out)->out_bit ^= 1;
}

/* Held back until it is known that both are of one configuration. */
static void test_difference_during_identity(void **state) {
    (void)state;
    expect_run(run(flip_early, "--target toy"), 1,
               "mismatch at cycle 2\n  out_bit\n");
    expect_run(run(flip_early, "--target toy --cycles 4"), 1,
               "mismatch at cycle 2\n");
}

/* A stand-in of another configuration has another hash. */
static void open_other(struct golden *g, const struct config *c) {
    struct config other = *c;
    other.regs_counter_bits--;
    design_free(g->design);
    g->design = design_make(&toy_iface, &other);
    g->regs.design = g->design;
}

static void test_other_configuration_is_refused(void **state) {
    (void)state;
    struct golden_class other = toy_golden;
    other.open = open_other;
    expect_run(run_bench(blocks, &other, NULL, "--target toy"), 2,
               "error: this RTL is not 'toy' in this configuration: expected "
               "id ");
}

static void silent_port(uint64_t edge, void *out, void *unknown) {
    (void)edge;
    (void)unknown;
    ((struct toy_out *)out)->wb_ack = ((struct toy_out *)out)->wb_dat_r = 0;
}

static void test_silent_register_port(void **state) {
    (void)state;
    expect_run(run(silent_port, "--target toy"), 1, "  wb_ack\n");
}

static void test_replay_command_and_waveform(void **state) {
    (void)state;
    struct printed p = run(flip_bit, "--target toy --sim rtl --replay doit "
                                     "--wave w.vcd --seed 9 --cycles 900");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.text, "replay:   doit SEED=9 CYCLES=900\n"));
    assert_non_null(strstr(p.text, "waveform: w.vcd\n"));
    assert_non_null(strstr(p.text, " bit byte="));
    free(p.text);
}

static void test_missing_cover(void **state) {
    (void)state;
    expect_run(run(NULL, "--target toy --cycles 10"), 0,
               "not covered: carry spare_written\n");
    expect_run(run(NULL, "--target toy --cycles 10 --require-cover"), 1,
               "covers 0/2");
}

static void test_json(void **state) {
    (void)state;
    expect_run(run(NULL, "--target toy --cycles 500 --json"), 0,
               "\"result\": \"equal\"");
    expect_run(run(flip_bit, "--target toy --json"), 1, "\"cycle\": 777");
    expect_run(run(flip_bit, "--target toy --json"), 1,
               "\"signal\": \"out_odd\"");
}

static void test_bad_command_lines(void **state) {
    (void)state;
    expect_run(run(NULL, ""), 2, "no target, expected '--target BLOCK'");
    expect_run(run(NULL, "--target tyo"), 2, "unknown target 'tyo'");
    expect_run(run(NULL, "--target toy --preset smal"), 2, "'smal'");
    expect_run(run(NULL, "--target toy --seed x"), 2, "'x'");
    expect_run(run(NULL, "--target toy --cycles 0"), 2,
               "'--cycles 0' runs to the end of");
    expect_run(run(NULL, "--target toy --stim replay"), 2,
               "'replay' needs a kernel, expected '--kernel FILE'");
    expect_run(run(NULL, "--target toy --stim dance"), 2,
               "unknown stimulus 'dance'");
    expect_run(run(NULL, "--target toy --config /does/not/exist"), 2,
               "cannot read '/does/not/exist'");
    expect_run(run(NULL, "--target toy --set nbu.tsv_width=7"), 2,
               "nbu.tsv_width");
    expect_run(run(NULL, "--target toy --events /does/not/exist"), 2,
               "cannot write '/does/not/exist'");
}

static void test_random_seed_is_told(void **state) {
    (void)state;
    struct printed p = run(NULL, "--target toy --cycles 50 --seed random");
    char *seed = strstr(p.text, "seed "), words[80];
    assert_int_equal(p.status, 0);
    assert_non_null(seed);
    char *digest = strstr(seed, "digest ");
    assert_non_null(digest);
    snprintf(words, sizeof words, "--target toy --cycles 50 --seed %llu",
             strtoull(seed + 5, NULL, 10));
    digest[7 + 16] = 0;
    expect_run(run(NULL, words), 0, digest);
    free(p.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_same_seed_same_digest),
        cmocka_unit_test(test_flipped_bit),
        cmocka_unit_test(test_wide_port_names_its_bits),
        cmocka_unit_test(test_unknown_bits),
        cmocka_unit_test(test_one_cycle_late),
        cmocka_unit_test(test_difference_during_identity),
        cmocka_unit_test(test_other_configuration_is_refused),
        cmocka_unit_test(test_silent_register_port),
        cmocka_unit_test(test_replay_command_and_waveform),
        cmocka_unit_test(test_missing_cover),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_bad_command_lines),
        cmocka_unit_test(test_random_seed_is_told),
    };
    return cmocka_run_group_tests_name("test_bench", tests, NULL, NULL);
}
