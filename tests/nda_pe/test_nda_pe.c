/* test_nda_pe.c - the processing element's golden model against Table I in
 * plain C floats, the sizes that the paper gives, and its own formulas of
 * speed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/nda_pe.h"
#include "nda_pe/nda_pe.h"

#include <math.h>
#include <string.h>

enum { WORDS = 8192, FLOATS = 2 * WORDS, X = 0, Y = 2048, Z = 4096, W = 6144 };

struct rig {
    struct config c;
    struct nda_pe_local l;
    struct golden *g;
    struct nda_pe_in in;
    const struct nda_pe_out *out;
    long now;      /* edges since reset */
    int gap;       /* edges between words that memory gives */
    long free;     /* edge on which it takes the next access */
    bool reads;    /* a word is given on the next edge */
    uint64_t word; /* this */
    long stores;
    float memory[FLOATS];
};

static void start(struct rig *r, int gap) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->l = nda_pe_local(&r->c);
    r->g = golden_create(&nda_pe_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
    r->gap = gap;
    for (int i = 0; i < FLOATS; i++)
        r->memory[i] = (float)(i * 7919 % 1013 - 500) / 8.0f + 0.1f;
}

static void edge(struct rig *r) {
    bool takes = r->out->mem_valid && r->now >= r->free;
    size_t at = 2 * (r->out->mem_address % WORDS);
    r->in.mem_ready = r->now >= r->free;
    r->in.rsp_valid = r->reads;
    r->in.rsp_data = r->reads ? r->word : 0;
    r->reads = takes && !r->out->mem_write;
    if (r->reads)
        memcpy(&r->word, &r->memory[at], 8);
    if (takes && r->out->mem_write) {
        memcpy(&r->memory[at], &r->out->mem_data, 8);
        r->stores++;
    }
    if (takes)
        r->free = r->now + r->gap;
    r->out = golden_cycle(r->g, false, &r->in);
    r->now++;
}

static void operand(struct rig *r, int k, int base, int words) {
    int width = r->l.ADDR_W;
    bits_or(r->in.launch_base, k * width, width, (uint64_t)base);
    bits_or(r->in.launch_last, k * width, width, (uint64_t)(base + words - 1));
}

static void scalars(struct rig *r, float a, float b, float c) {
    float s[3] = {a, b, c};
    uint32_t bits[3];
    memcpy(bits, s, sizeof bits);
    for (int i = 0; i < 3; i++)
        bits_set_lane(r->in.launch_scalars, i, bits[i]);
}

/* Edges from the one that takes the launch to the one that shows its end. */
static long run(struct rig *r, int op, int length, int rows) {
    r->in.launch_valid = 1;
    r->in.launch_op = (uint64_t)op;
    r->in.launch_length = (uint64_t)length;
    r->in.launch_rows = (uint64_t)rows;
    assert_true(r->out->launch_ready);
    edge(r);
    long begin = r->now;
    r->in.launch_valid = 0;
    while (!r->out->done_valid) {
        assert_true(r->now < begin + 2000000);
        edge(r);
    }
    return r->now - begin;
}

/* A vector operation on x, y, z to the operand of that number. */
static long vector(struct rig *r, int op, int words) {
    static const int base[4] = {X, Y, Z, W};
    for (int k = 0; k < 4; k++)
        operand(r, k, base[k], words);
    scalars(r, 1.7f, -0.3f, 12.5f);
    long edges = run(r, op, words, 0);
    assert_int_equal(r->out->done_cause, NDA_PE_NONE);
    return edges;
}

static float value(const struct rig *r) {
    float f;
    uint32_t bits = (uint32_t)r->out->done_value;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void expect_bits(float got, float expected, int op, int i) {
    if (memcmp(&got, &expected, sizeof got))
        fail_msg("operation %d, element %d: %a, expected %a", op, i,
                 (double)got, (double)expected);
}

/* Table I, element by element. */
static void test_vectors(void **state) {
    (void)state;
    static const int to[9] = {Z, W, Y, Y, Z, -1, -1, X, -1};
    static float before[FLOATS];
    for (int op = 0; op < 9; op++) {
        struct rig r;
        int n = 2 * 300; /* floats: two batches and a part */
        if (to[op] < 0)
            continue;
        start(&r, 1);
        memcpy(before, r.memory, sizeof before);
        vector(&r, op, n / 2);
        for (int i = 0; i < n; i++) {
            volatile float ax = 1.7f * before[2 * X + i];
            float x = before[2 * X + i], y = before[2 * Y + i];
            volatile float xy = x * y;
            float by = fmaf(-0.3f, y, ax);
            float expected[9] = {by,
                                 fmaf(12.5f, before[2 * Z + i], by),
                                 fmaf(1.7f, y, x),
                                 x,
                                 xy,
                                 0,
                                 0,
                                 ax,
                                 0};
            expect_bits(r.memory[2 * to[op] + i], expected[op], op, i);
        }
        assert_int_equal(r.stores, n / 2);
        golden_free(r.g);
    }
}

/* The even elements one after the other, the odd ones, and then both. */
static void test_sums(void **state) {
    (void)state;
    for (int op = NDA_PE_DOT; op <= NDA_PE_NRM2; op++) {
        struct rig r;
        int other = op == NDA_PE_DOT ? Y : X;
        float t[2] = {0, 0};
        start(&r, 1);
        vector(&r, op, 300);
        for (int i = 0; i < 600; i++)
            t[i & 1] =
                fmaf(r.memory[2 * other + i], r.memory[2 * X + i], t[i & 1]);
        expect_bits(value(&r), t[0] + t[1], op, 0);
        assert_int_equal(r.stores, 0);
        golden_free(r.g);
    }
}

/* Seven rows of 150 words: a batch of columns and a part of one. */
static void test_gemv(void **state) {
    (void)state;
    enum { ROWS = 7, LENGTH = 150, A = 2048, YY = 6000 };
    struct rig r;
    float y[ROWS] = {0};
    start(&r, 1);
    operand(&r, 0, X, LENGTH);
    operand(&r, 1, YY, (ROWS + 1) / 2);
    operand(&r, 2, A, ROWS * LENGTH);
    run(&r, NDA_PE_GEMV, LENGTH, ROWS);
    assert_int_equal(r.out->done_cause, NDA_PE_NONE);
    for (int at = 0; at < 2 * LENGTH; at += 256)
        for (int row = 0; row < ROWS; row++) {
            float t[2] = {y[row], 0};
            for (int i = at; i < 2 * LENGTH && i < at + 256; i++)
                t[i & 1] = fmaf(r.memory[2 * (A + row * LENGTH) + i],
                                r.memory[2 * X + i], t[i & 1]);
            y[row] = t[0] + t[1];
        }
    for (int row = 0; row < ROWS; row++)
        expect_bits(r.memory[2 * YY + row], y[row], NDA_PE_GEMV, row);
    expect_bits(r.memory[2 * YY + ROWS], 0, NDA_PE_GEMV, ROWS);
    assert_int_equal(r.stores, (ROWS + 1) / 2);
    golden_free(r.g);
}

/* One word too many: what may be written is written, nothing else. */
static void test_bound(void **state) {
    (void)state;
    struct rig r;
    start(&r, 1);
    float beyond = r.memory[2 * (Y + 199)];
    operand(&r, 0, X, 200);
    operand(&r, 1, Y, 199);
    run(&r, NDA_PE_COPY, 200, 0);
    assert_int_equal(r.out->done_cause, NDA_PE_BOUND);
    assert_int_equal(r.out->done_operand, 1);
    assert_int_equal(r.out->done_write, 1);
    assert_int_equal(r.out->done_address, Y + 199);
    assert_int_equal(r.stores, 199);
    expect_bits(r.memory[2 * (Y + 199)], beyond, NDA_PE_COPY, 398);
    golden_free(r.g);
}

/* Edges of a long operation, for each word of its vectors. */
static double speed(int op, int gap, int vectors) {
    struct rig r;
    start(&r, gap);
    double edges = (double)vector(&r, op, 2048) / (2048.0 * vectors);
    print_message("%s: %.2f edges a word, memory gives one in %d\n",
                  op == NDA_PE_DOT    ? "DOT"
                  : op == NDA_PE_NRM2 ? "NRM2"
                  : op == NDA_PE_COPY ? "COPY"
                                      : "AXPY",
                  edges, gap);
    golden_free(r.g);
    return edges;
}

/* Sums take six edges a word, all else one; between steps of a batch of 128
 * some twelve.  At the pace of one bank (tCCD_L, six) all keep up but for that.
 */
static void test_speed(void **state) {
    (void)state;
    assert_true(speed(NDA_PE_COPY, 1, 2) < 1.0 + 12.0 / 128);
    assert_true(speed(NDA_PE_AXPY, 1, 3) < 1.0 + 14.0 / 128);
    assert_true(speed(NDA_PE_NRM2, 1, 1) < 6.0 + 14.0 / 128);
    assert_true(speed(NDA_PE_COPY, 6, 2) < 6.0 + 12.0 / 128);
    assert_true(speed(NDA_PE_AXPY, 6, 3) < 6.0 + 14.0 / 128);
    assert_true(speed(NDA_PE_DOT, 6, 2) < 6.0 + 14.0 / 128);
    assert_true(speed(NDA_PE_NRM2, 6, 1) < 6.0 + 14.0 / 128);
}

/* A memory that reads by its own schedule, as the state machine of a rank does:
 * a word each tCCD_L of six edges, told tCL + tBL later, whether it is asked
 * for in time or not.  DOT of a batch and one word: the step behind that of one
 * word has to be asked for while the last batch is still worked on. */
static void test_pace(void **state) {
    (void)state;
    enum { BATCH = 32, N = BATCH + 1, AFTER = 20, CCD = 6, READS = 2 * N };
    struct rig r;
    uint64_t due[READS];
    float t[2] = {0, 0};
    start(&r, 1);
    golden_free(r.g);
    r.c.nda_pe_batch = BATCH;
    r.g = golden_create(&nda_pe_golden, &r.c);
    r.out = golden_cycle(r.g, true, NULL);
    operand(&r, 0, X, N);
    operand(&r, 1, Y, N);
    r.in.launch_valid = 1;
    r.in.launch_op = NDA_PE_DOT;
    r.in.launch_length = N;
    for (long now = 0; now <= READS * CCD + AFTER + 100; now++) {
        long read = now / CCD - 1, lands = (now - AFTER) / CCD - 1;
        bool reads = now % CCD == 0 && read >= 0 && read < READS;
        r.in.mem_ready = reads;
        r.in.rsp_valid =
            (now - AFTER) % CCD == 0 && lands >= 0 && lands < READS;
        r.in.rsp_data = r.in.rsp_valid ? due[lands] : 0;
        if (reads && !r.out->mem_valid)
            fail_msg("read %ld of %d is not asked for in time", read, READS);
        if (reads)
            memcpy(&due[read], &r.memory[2 * r.out->mem_address], 8);
        r.out = golden_cycle(r.g, false, &r.in);
        r.in.launch_valid = 0;
    }
    assert_true(r.out->done_valid);
    for (int i = 0; i < 2 * N; i++)
        t[i & 1] = fmaf(r.memory[2 * Y + i], r.memory[2 * X + i], t[i & 1]);
    expect_bits(value(&r), t[0] + t[1], NDA_PE_DOT, 0);
    golden_free(r.g);
}

/* The microcode fits the paper's store, buffer and scratchpad are its 1 KB. */
static void test_sizes(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    struct nda_pe_local l = nda_pe_local(&c);
    assert_true(l.STEPS * l.STEP_W <= 40 * 8);
    assert_int_equal(l.BATCH * 8, 1024);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_gemv),    cmocka_unit_test(test_bound),
        cmocka_unit_test(test_speed),   cmocka_unit_test(test_pace),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
