/* test_window.c - recordings cut into windows, and windows on a golden model.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/emn.h"
#include "tests/common/scratch.h"
#include "frame/golden.h"
#include "sim/bist/signature.h"
#include "sim/bist/window.h"

#include <string.h>

struct block {
    struct design *design;
    struct flat flat;
    struct scratch room;
    struct diag diag;
};

static void open_block(struct block *b) {
    struct config c;
    struct diag d = {0};
    assert_true(config_preset(&c, "small", &d));
    *b = (struct block){.design = design_make(&emn_iface, &c)};
    flat_init(&b->flat, b->design);
    scratch_open(&b->room);
}

static void close_block(struct block *b) {
    scratch_close(&b->room);
    diag_free(&b->diag);
    design_free(b->design);
}

/* --- rows ----------------------------------------------------------------- */

static void test_rows(void **state) {
    struct block b;
    struct emn_in in = {0};
    struct emn_out out = {.ans_valid = 1, .ans_id = 5, .wb_ack = 1};
    struct flat_row row = {{0}};
    (void)state;
    open_block(&b);
    assert_int_equal(b.flat.in_bits, 55);
    assert_int_equal(b.flat.out_bits, 43);
    row.w[0] = UINT64_C(0x7fffffffffffff);
    flat_to_in(&b.flat, &row, &in);
    assert_int_equal(in.req_valid, 1);
    assert_int_equal(in.req_id, 15);
    assert_int_equal(in.wb_dat_w, 0xffffffff);
    assert_int_equal(in.wb_sel, 15);
    row.w[0] = UINT64_C(1) << 51; /* lowest of wb_sel, the last */
    flat_to_in(&b.flat, &row, &in);
    assert_int_equal(in.wb_sel, 1);
    assert_int_equal(in.wb_dat_w, 0);
    flat_from_out(&b.flat, &out, &row);
    assert_int_equal(row.w[0], UINT64_C(0x4000000000b));
    close_block(&b);
}

/* --- recordings ----------------------------------------------------------- */

static const char *const names[] = {"req_valid 1", "req_id 4",   "req_core 4",
                                    "req_mem0 2",  "req_mem1 2", "wb_cyc 1",
                                    "wb_stb 1",    "wb_we 1",    "wb_adr 3",
                                    "wb_dat_w 32", "wb_sel 4"};

/* A VCD with rst as text has it, a letter an edge, and req_id counting. */
static const char *record(struct block *b, const char *rst, int without) {
    struct text t = {0};
    text_add(&t, "$timescale 1ns $end\n$scope module bench $end\n"
                 "$var wire 1 ! clk $end\n$var reg 1 \" rst $end\n");
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        int n = (int)strcspn(names[i], " ");
        if (i != without)
            text_printf(&t, "$var wire %s v%d %.*s $end\n", names[i] + n + 1, i,
                        n, names[i]);
    }
    text_add(&t, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\n"
                 "b1010 v3\nbx v9\n$end\n");
    text_printf(&t, "%c\"\nb00 v1\n", rst[0]);
    for (int i = 1; rst[i - 1]; i++) /* as the clock rises the next come */
        text_printf(&t, "#%d\n0!\n#%d\n1!\n%c\"\nb%d%d v1\n", 10 * i,
                    10 * i + 5, rst[i] ? rst[i] : '0', i >> 1 & 1, i & 1);
    const char *path = scratch_text(&b->room, "r.vcd", text_str(&t));
    text_free(&t);
    return path;
}

static void test_recording(void **state) {
    struct block b;
    struct recording r;
    (void)state;
    open_block(&b);
    assert_true(recording_read(&r, record(&b, "1100", -1), &b.flat, &b.diag));
    assert_int_equal(r.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bits_get(r.edges[i].w, 55, 1), i < 2);
        assert_int_equal(bits_get(r.edges[i].w, 1, 4), i);
        assert_int_equal(bits_get(r.edges[i].w, 9, 2), 2); /* 1010, 2 bits */
    }
    recording_free(&r);
    close_block(&b);
}

static void test_no_signal(void **state) {
    (void)state;
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        struct block b;
        struct recording r;
        char name[32];
        open_block(&b);
        assert_false(recording_read(&r, record(&b, "1", i), &b.flat, &b.diag));
        snprintf(name, sizeof name, "'%.*s'", (int)strcspn(names[i], " "),
                 names[i]);
        assert_non_null(strstr(b.diag.messages[0].text, name));
        recording_free(&r);
        close_block(&b);
    }
}

/* Where windows of at most most edges begin and end. */
static void expect_windows(const char *rst, int most, const char *expected) {
    struct block b;
    struct recording r;
    struct window w;
    struct text t = {0};
    int at = 0;
    open_block(&b);
    assert_true(recording_read(&r, record(&b, rst, -1), &b.flat, &b.diag));
    while (recording_window(&r, &b.flat, most, &at, &w)) {
        assert_int_equal(w.length, w.n);
        assert_ptr_equal(w.words, &r.edges[w.from]);
        text_printf(&t, "%d+%d ", (int)w.from, w.n);
    }
    assert_string_equal(text_str(&t), expected);
    text_free(&t);
    recording_free(&r);
    close_block(&b);
}

static void test_windows(void **state) {
    (void)state;
    expect_windows("110000", 16, "0+6 ");
    expect_windows("110000", 4, "0+4 ");
    expect_windows("001100", 4, "2+4 ");
    expect_windows("0000", 4, "");
    expect_windows("1000010000", 4, "0+4 5+4 ");
    /* the second begins in the first and goes on behind it */
    expect_windows("1001000000", 6, "0+6 3+6 ");
    expect_windows("1010100000", 6, "0+6 4+6 ");
    /* a reset in the last window is no begin of another */
    expect_windows("100100", 6, "0+6 ");
}

/* --- the golden model ----------------------------------------------------- */

/* Loops from the last word to another, with free bits: outputs as of a model
 * that is driven by hand. */
static void test_replay(void **state) {
    struct block b;
    struct flat_row words[3] = {{{0}}, {{0}}, {{0}}};
    struct window w = {
        .words = words, .n = 3, .again = 1, .length = 40, .seed = 77};
    struct playback r;
    struct expectation e;
    uint32_t x = 77, s = SIGNATURE_BEGIN;
    (void)state;
    open_block(&b);
    words[0].w[0] = bit(55);
    words[2].w[0] = 1;
    w.mask.w[0] = 0x1ffe; /* all of req but valid */
    struct golden *g = golden_create(golden_find("emn"), &b.design->config);
    golden_cycle(g, true, NULL);
    playback_open(&r, &b.flat, &w);
    expectation_make(&e, &b.flat, &w);
    for (int i = 0; i < 40; i++) {
        struct flat_row stim = {{i == 0 || i % 2 ? 0 : 1}}, outputs;
        struct emn_in in = {0};
        random_mix(x, &w.mask, 55, &stim);
        x = random_next(x);
        flat_to_in(&b.flat, &stim, &in);
        flat_from_out(&b.flat, golden_cycle(g, i == 0, &in), &outputs);
        playback_edge(&r);
        assert_int_equal(r.rst, i == 0);
        assert_memory_equal(&r.stim, &stim, sizeof stim);
        assert_memory_equal(&r.outputs, &outputs, sizeof outputs);
        s = signature_add(s, &outputs, 43);
        assert_int_equal(e.after[i], s);
    }
    assert_int_equal(e.every, 1);
    assert_int_equal(e.n, 40);
    assert_int_equal(e.signature, s);
    playback_close(&r);
    expectation_free(&e);
    golden_free(g);
    close_block(&b);
}

/* Of a long pass not every signature is kept. */
static void test_long(void **state) {
    struct block b;
    struct flat_row words[2] = {{{0}}, {{1}}};
    struct window w = {.words = words, .n = 2, .again = 1, .length = 200000};
    struct expectation e, part;
    (void)state;
    open_block(&b);
    words[0].w[0] = bit(55);
    expectation_make(&e, &b.flat, &w);
    assert_int_equal(e.every, 4);
    assert_int_equal(e.n, 50000);
    w.length = 4 * 12345;
    expectation_make(&part, &b.flat, &w);
    assert_int_equal(e.after[12344], part.signature);
    expectation_free(&part);
    expectation_free(&e);
    close_block(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_recording),
        cmocka_unit_test(test_no_signal), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_replay),    cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
