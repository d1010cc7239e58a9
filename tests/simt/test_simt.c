/* test_simt.c - the golden model of the SIMT core, edge by edge where the note
 * gives edges, and by what programs leave in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit.h"

/* --- latencies ------------------------------------------------------------ */

/* One warp, passes P: init and then an instruction every t+3+P+L+1. */
static void latency_of(const char *sets) {
    struct unit u;
    unit_open(&u, "small", sets);
    unit_go(&u, "movi r1, 5\nadd r2, r1, 7\nexit\n", (uint32_t)u.l.LANES);
    assert_int_equal(unit_run(&u, 1000), DONE);
    long P = u.l.PASSES, L = u.l.FMA_L;
    /* start at s; CTA at s+1; N threads; select is the edge after */
    long t = u.start + 1 + u.l.LANES + 1;
    for (int k = 0; k < P; k++) { /* W holds pass k after t+4+k+L */
        assert_int_equal(u.retired.v[k].edge, t + 4 + k + L);
        assert_int_equal(u.retired.v[k].pass, k);
        assert_int_equal(u.retired.v[k].kind, 1);
        assert_int_equal(u.retired.v[k].value[0], k * u.l.ALUS);
    }
    for (int i = 0; i < 3; i++) {
        t += 3 + P + L + 1;
        const struct retired *r = unit_retired(&u, 0, i, i == 0 ? (int)P : 0);
        assert_non_null(r);
        assert_int_equal(r->edge, t + 4 + L);
    }
    const struct retired *add = unit_retired(&u, 0, 1, (int)P - 1);
    assert_int_equal(add->value[u.l.ALUS - 1], 12);
    assert_int_equal(u.issued, 3);
    unit_close(&u);
}

static void test_latency(void **state) {
    (void)state;
    latency_of("");
    latency_of("simt.alus=8");
    latency_of("simt.alus=1");
    latency_of("simt.lanes=32 simt.alus=4");
}

/* Form iterative: each pass of an instruction waits in X(1) for so many edges.
 */
static void hold_of(const char *sets, const char *word, int edges) {
    struct unit u;
    char text[128];
    unit_open(&u, "small", sets);
    int n = snprintf(text, sizeof text, "movi r1, 3\n%s\nexit\n", word);
    assert_in_range(n, 1, sizeof text - 1);
    unit_go(&u, text, (uint32_t)u.l.LANES);
    assert_int_equal(unit_run(&u, 4000), DONE);
    assert_int_equal(u.l.FMA_L, 1);
    long P = u.l.PASSES;
    long t = u.start + 1 + u.l.LANES + 1; /* init, movi, then the word */
    t += 2 * (3 + P + 1 + 1);
    for (int k = 0; k < P; k++) {
        const struct retired *r = unit_retired(&u, 0, 1, k);
        assert_non_null(r);
        long held =
            k + 2 < P ? k + 2 : P; /* X(2) waits for the next one, too */
        assert_int_equal(r->edge, t + 4 + k + 1 + held * edges);
    }
    const struct retired *last = unit_retired(&u, 0, 2, 0);
    assert_non_null(last);
    assert_int_equal(last->edge, t + 3 + P + 1 + P * edges + 1 + 4 + 1);
    unit_close(&u);
}

static void test_hold(void **state) {
    (void)state;
    hold_of("simt.form=iterative", "add r2, r1, 1", 0);
    hold_of("simt.form=iterative", "fmul r2, r1, r1", 47);
    hold_of("simt.form=iterative fma.step_bits=2", "fadd r2, r1, r1", 39);
    hold_of("simt.form=iterative", "mulhs r2, r1, r1", 33);
    hold_of("simt.form=iterative", "clz r2, r1", 33);
    hold_of("simt.form=iterative simt.alus=8", "cvtfs r2, r1", 68);
    hold_of("simt.form=iterative", "shl r2, r1, 0", 1);
    hold_of("simt.form=iterative", "shl r2, r1, r1", 4);
    hold_of("simt.form=iterative", "sar r2, r1, 100", 33);
}

/* One buffer, and a request for each lane. */
static void test_lanes_alone(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "simt.buffers=1 simt.coalesce=lanes");
    unit_go(&u, "movi r1, 1024\nldg.b32 r2, [r1]\nadd r2, r2, 1\nexit\n",
            (uint32_t)u.l.LANES);
    assert_int_equal(unit_run(&u, 4000), DONE);
    assert_int_equal(unit_covered(&u, SIMT_COV_coalesced), 0);
    assert_int_equal(unit_covered(&u, SIMT_COV_scattered), 1);
    unit_close(&u);
}

/* A result is there for the next instruction of the warp. */
static void test_barrel(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "simt.alus=8");
    unit_go(&u, "movi r1, 1\nadd r1, r1, r1\nadd r1, r1, r1\nexit\n", 32);
    assert_int_equal(unit_run(&u, 2000), DONE);
    for (int w = 0; w < 4; w++) {
        const struct retired *r = unit_retired(&u, w, 2, 0);
        assert_non_null(r);
        assert_int_equal(r->value[7], 4);
        /* each begins so much later: its threads, select, init */
        assert_int_equal(r->edge, unit_retired(&u, 0, 2, 0)->edge +
                                      w * (8 + 1 + 3 + 1 + u.l.FMA_L));
    }
    assert_int_equal(u.issued, 16);
    unit_close(&u);
}

/* --- paths ---------------------------------------------------------------- */

#define WORDS "and r9, r0, 1023\nshl r9, r9, 2\nadd r9, r9, 1024\n"

static void run_words(struct unit *u, const char *sets, const char *text,
                      uint32_t threads) {
    unit_open(u, "small", sets);
    unit_go(u, text, threads);
    assert_int_equal(unit_run(u, 20000), DONE);
    assert_int_equal(u->out->quiet, 1);
}

static void test_if_else(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "",
              WORDS "s2r r3, %laneid\nsetltu p0, r3, 3\nmovi r1, 0\n"
                    "@p0 bra low, end\nadd r1, r1, 100\nbra end\n"
                    "low:\nadd r1, r1, 7\nend:\nadd r1, r1, r3\n"
                    "stg.b32 [r9], r1\nexit\n",
              8);
    for (uint32_t t = 0; t < 8; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t), (t < 3 ? 7 : 100) + t);
    assert_int_equal(u.diverged, 1);
    assert_int_equal(unit_covered(&u, SIMT_COV_if_else), 1);
    unit_close(&u);
}

/* Taken first, then the others, then all: by what retires. */
static void test_order_of_paths(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "simt.alus=8",
              "s2r r3, %laneid\nsetltu p0, r3, 3\n@p0 bra low, end\n"
              "movi r1, 1\nbra end\nlow:\nmovi r1, 2\nend:\nmovi r1, 3\nexit\n",
              8);
    static const int pcs[] = {0, 0, 1, 2, 5, 3, 4, 6, 7};
    static const uint32_t masks[] = {0xff, 0xff, 0xff, 7,   7,
                                     0xf8, 0xf8, 0xff, 0xff};
    assert_int_equal(u.retired.n, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(u.retired.v[i].pc, pcs[i]);
        assert_int_equal(u.retired.v[i].mask, masks[i]);
    }
    /* the path ends with a release on e (its W shows on e), the pop reads its
     * entry on e + 1 and is done on e + 2, select on e + 3: W 5 + L later */
    long path = u.retired.v[4].edge, other = u.retired.v[5].edge;
    assert_int_equal(other - path, 3 + 4 + u.l.FMA_L);
    unit_close(&u);
}

/* Lanes go round one, two, three times; one leaves by a break. */
static void test_loop(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "",
              WORDS "s2r r3, %laneid\nand r2, r3, 3\nmovi r1, 0\nloop:\n"
                    "add r1, r1, 1\nseteq p1, r3, 7\n@p1 bra out, out\n"
                    "sub r2, r2, 1\nsetgts p0, r2, 0\n@p0 bra loop, out\n"
                    "out:\nstg.b32 [r9], r1\nexit\n",
              8);
    for (uint32_t t = 0; t < 8; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t),
                         t == 7 || (t & 3) < 2 ? 1 : t & 3);
    assert_true(unit_covered(&u, SIMT_COV_same_join) > 0);
    unit_close(&u);
}

static void test_exit_in_path(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "",
              WORDS "s2r r3, %laneid\nsetltu p0, r3, 3\nmovi r1, 5\n"
                    "@p0 bra on, on\nexit\non:\nstg.b32 [r9], r1\nexit\n",
              8);
    for (uint32_t t = 0; t < 8; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t), t < 3 ? 5 : 0);
    unit_close(&u);
}

/* --- barriers ------------------------------------------------------------- */

static void test_barrier(void **state) {
    struct unit u;
    (void)state;
    /* each thread reads what one of another warp has stored */
    run_words(&u, "",
              "and r1, r0, 1023\nshl r2, r1, 2\nsts.b32 [r2], r1\nbar\n"
              "xor r3, r2, 32\nlds.b32 r4, [r3]\nadd r5, r2, 1024\n"
              "stg.b32 [r5], r4\nexit\n",
              16);
    for (uint32_t t = 0; t < 16; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t), t ^ 8);
    assert_int_equal(u.barriers, 1);
    unit_close(&u);
}

/* --- memory --------------------------------------------------------------- */

static long requests_of(const char *text) {
    struct unit u;
    run_words(&u, "", text, 8);
    long n = u.requests;
    unit_close(&u);
    return n;
}

/* Sectors have 16 bytes. */
static void test_coalescing(void **state) {
    (void)state;
    assert_int_equal(requests_of(WORDS "ldg.b32 r1, [r9]\nexit\n"), 2);
    assert_int_equal(requests_of(WORDS "ldg.b32 r1, [r9+4]\nexit\n"), 3);
    assert_int_equal(requests_of("movi r9, 1024\nldg.b32 r1, [r9]\nexit\n"), 1);
    assert_int_equal(requests_of("s2r r3, %laneid\nshl r9, r3, 4\n"
                                 "stg.b32 [r9+1024], r3\nexit\n"),
                     8);
    assert_int_equal(requests_of("movi r9, 1024\natg.add r1, [r9], r0\nexit\n"),
                     8);
    assert_int_equal(requests_of(WORDS "@!p7 ldg.b32 r1, [r9]\nexit\n"), 0);
}

static long conflicts_of(const char *text) {
    struct unit u;
    run_words(&u, "simt.alus=4", text, 8);
    long n = u.conflicts;
    unit_close(&u);
    return n;
}

/* Four banks, two passes. */
static void test_conflicts(void **state) {
    (void)state;
#define LANE(shift) "s2r r3, %laneid\nshl r2, r3, " #shift "\nmovi r1, 0\n"
    assert_int_equal(conflicts_of(LANE(2) "sts.b32 [r2], r1\nexit\n"), 0);
    assert_int_equal(conflicts_of(LANE(3) "sts.b32 [r2], r1\nexit\n"), 2);
    assert_int_equal(conflicts_of(LANE(2) "and r2, r2, 16\n"
                                          "sts.b32 [r2], r1\nexit\n"),
                     6);
    assert_int_equal(conflicts_of(LANE(2) "and r2, r2, 16\n"
                                          "lds.b32 r4, [r2]\nexit\n"),
                     0);
    assert_int_equal(conflicts_of(LANE(2) "ats.add r4, [r2], r1\nexit\n"), 6);
}

static void test_sizes(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "");
    static const uint8_t bytes[] = {0x81, 0x7f, 0xfe, 0x80};
    memcpy(u.memory + 2048, bytes, 4);
    unit_go(&u,
            WORDS "movi r8, 2048\nldg.s8 r1, [r8]\nldg.u8 r2, [r8+3]\n"
                  "ldg.s16 r3, [r8+2]\nldg.u16 r4, [r8+2]\n"
                  "ldg.s8 r5, [r8+1]\nadd3 r1, r1, r2, r3\n"
                  "add3 r1, r1, r4, r5\nstg.b32 [r8+8], r1\n"
                  "stg.b8 [r8+16], r4\nstg.b16 [r8+18], r4\nexit\n",
            1);
    assert_int_equal(unit_run(&u, 5000), DONE);
    uint32_t sum = 0xffffff81u + 0x80 + 0xffff80feu + 0x80fe + 0x7f;
    assert_int_equal(unit_word(&u, 2056), sum);
    assert_int_equal(unit_word(&u, 2064), 0x80fe00feu);
    unit_close(&u);
}

static void test_atomics(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "",
              WORDS "movi r8, 2048\nmovi r7, 0\nsts.b32 [r7], r7\n"
                    "s2r r3, %laneid\nadd r3, r3, 1\n"
                    "atg.add r1, [r8], r3\nats.maxu r2, [r7], r3\n"
                    "ats.cas r4, [r7], r3, r7\nadd3 r1, r1, r2, r4\n"
                    "stg.b32 [r9], r1\nexit\n",
              8);
    assert_int_equal(unit_word(&u, 2048), 36);
    /* lane by lane: sums of those before; maxima; 8 until cas finds it */
    for (uint32_t t = 0; t < 8; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t), t * (t + 1) / 2 + t + 8);
    unit_close(&u);
}

/* Neighbours, and nothing of lanes that are not there. */
static void test_exchange(void **state) {
    struct unit u;
    (void)state;
    run_words(&u, "",
              WORDS "movi r7, 7\ns2r r3, %laneid\nadd r1, r3, 10\n"
                    "shfl.down r2, r1, 1, r7\nshfl.idx r4, r1, 6, r7\n"
                    "setne p0, r3, 2\nvote r5, !p0\nshl r2, r2, 8\n"
                    "shl r4, r4, 16\nadd3 r2, r2, r4, r5\n"
                    "stg.b32 [r9], r2\nexit\n",
              6);
    for (uint32_t t = 0; t < 6; t++)
        assert_int_equal(unit_word(&u, 1024 + 4 * t),
                         (t == 5 ? 0 : t + 11) << 8 | 4);
    unit_close(&u);
}

/* --- faults --------------------------------------------------------------- */

static void fault_of(const char *text, int cause, int pc, uint32_t address) {
    struct unit u;
    unit_open(&u, "small", "");
    unit_go(&u, text, 8);
    assert_int_equal(unit_run(&u, 5000), FAULTED);
    assert_int_equal(u.out->fault_cause, cause);
    assert_int_equal(u.out->fault_warp, 0);
    assert_int_equal(u.out->fault_pc, pc);
    assert_int_equal(u.out->fault_address, address);
    /* clear makes a new core of it, which keeps the code */
    for (int i = 0; i < 50; i++)
        unit_edge(&u);
    unit_command(&u, CLEAR, 0, 0);
    assert_int_equal(u.out->state, IDLE);
    assert_int_equal(u.out->fault_cause, 0);
    unit_start(&u);
    assert_int_equal(unit_run(&u, 5000), FAULTED);
    assert_int_equal(u.out->fault_pc, pc);
    unit_close(&u);
}

static void test_faults(void **state) {
    (void)state;
#define PART "s2r r3, %laneid\nsetltu p0, r3, 3\n"
    fault_of("nop\nbra 300\n", 1, 1, 0);
    fault_of("nop\nmov r1, r40\n", 1, 1, 0);
    fault_of("ldp r1, 16\nexit\n", 1, 0, 0);
    fault_of(PART "movi r1, 1026\n@p0 ldg.b32 r2, [r1]\nexit\n", 2, 3, 1026);
    fault_of("movi r1, 1\nlds.u16 r2, [r1+2]\nexit\n", 2, 1, 3);
    fault_of("movi r1, 252\nstg.b32 [r1], r1\nexit\n", 3, 1, 252);
    fault_of("movi r1, 65536\nldg.u8 r2, [r1]\nexit\n", 3, 1, 65536);
    fault_of("movi r1, 64\nats.add r2, [r1], r1\nexit\n", 3, 1, 64);
    fault_of("s2r r3, %laneid\nsetne p0, r3, 0\n@p0 bra a, z\nnop\na:\n"
             "setne p0, r3, 1\n@p0 bra b, y\nnop\nb:\nsetne p0, r3, 2\n"
             "@p0 bra c, x\nnop\nc:\nnop\nx:\nnop\ny:\nnop\nz:\nexit\n",
             4, 8, 0);
    fault_of(PART "@p0 bra out\nout:\nexit\n", 5, 2, 0);
    fault_of(PART "@p0 bra out, out\nbar\nout:\nexit\n", 6, 3, 0);
    fault_of(PART "@p0 trap\nexit\n", 7, 2, 0);
}

static void test_memory_fault(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "");
    u.rejects = true;
    unit_go(&u, "movi r1, 1036\nldg.b32 r2, [r1]\nexit\n", 8);
    assert_int_equal(unit_run(&u, 5000), FAULTED);
    assert_int_equal(u.out->fault_cause, 8);
    assert_int_equal(u.out->fault_pc, 1);
    assert_int_equal(u.out->fault_address, 1024);
    unit_close(&u);
}

/* So many edges after the last retirement, that is, two after W showed it. */
static void test_watchdog(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "");
    unit_go(&u, "exit\n", 8); /* for the geometry */
    assert_int_equal(unit_run(&u, 1000), DONE);
    unit_program(&u, "movi r1, 1024\nldg.b32 r2, [r1]\nadd r2, r2, 1\nexit\n");
    unit_command(&u, SET, 12, 50);
    u.silent = true;
    unit_start(&u);
    assert_int_equal(unit_run(&u, 5000), FAULTED);
    assert_int_equal(u.out->fault_cause, 9);
    long last = u.retired.v[u.retired.n - 1].edge;
    assert_int_equal(u.edge - 1, last + 1 + 50);
    unit_close(&u);
}

/* --- debug ---------------------------------------------------------------- */

static void halt(struct unit *u) {
    unit_command(u, HALT, 0, 0);
    for (int i = 0; i < 100 && !u->out->halted; i++)
        unit_edge(u);
    assert_int_equal(u->out->halted, 1);
}

static uint32_t read_value(struct unit *u, uint32_t warp, uint32_t lane,
                           uint32_t what) {
    unit_command(u, READ, 0, warp | lane << 8 | what << 16);
    for (int i = 0; i < 50 && !u->out->debug_valid; i++)
        unit_edge(u);
    assert_int_equal(u->out->debug_valid, 1);
    uint32_t value = (uint32_t)u->out->debug_value;
    while (!u->out->halted) /* its other passes */
        unit_edge(u);
    assert_int_equal(u->out->debug_value, value);
    return value;
}

static void test_debug(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "");
    unit_go(&u, "movi r1, 0\nloop:\nadd r1, r1, 3\nbra loop\n", 8);
    for (int i = 0; i < 100; i++)
        unit_edge(&u);
    halt(&u);
    for (int i = 0; i < 10; i++) {
        uint32_t pc = read_value(&u, 0, 0, 64);
        uint32_t r1 = read_value(&u, 0, 5, 1);
        long issued = u.issued;
        unit_command(&u, STEP, 0, 0);
        for (int k = 0; k < 30; k++)
            unit_edge(&u);
        assert_int_equal(u.issued, issued + 1);
        assert_int_equal(u.out->halted, 1);
        assert_int_equal(read_value(&u, 0, 0, 64), pc == 1 ? 2 : 1);
        assert_int_equal(read_value(&u, 0, 5, 1), r1 + (pc == 1 ? 3 : 0));
    }
    assert_int_equal(read_value(&u, 0, 0, 65), 0xff);
    assert_int_equal(read_value(&u, 0, 0, 66), 1); /* ready, nothing pushed */
    assert_int_equal(read_value(&u, 3, 0, 66), 0);
    long issued = u.issued;
    unit_command(&u, RESUME, 0, 0);
    for (int k = 0; k < 100; k++)
        unit_edge(&u);
    assert_true(u.issued > issued + 4);
    unit_close(&u);
}

/* --- dispatch ------------------------------------------------------------- */

/* Each thread says who it is, at a place that follows from it. */
static void test_dispatch(void **state) {
    struct unit u;
    (void)state;
    const uint32_t grid[3] = {2, 3, 2}, block[3] = {3, 2, 2};
    unit_open(&u, "small", "");
    unit_program(&u, "s2r r1, %ctaid.z\ns2r r2, %nctaid.y\ns2r r3, %ctaid.y\n"
                     "mad r1, r1, r2, r3\ns2r r2, %nctaid.x\ns2r r3, %ctaid.x\n"
                     "mad r1, r1, r2, r3\nmul r1, r1, 12\ns2r r4, %warpid\n"
                     "s2r r5, %laneid\nshl r4, r4, 3\nadd3 r1, r1, r4, r5\n"
                     "shl r1, r1, 2\nstg.b32 [r1+1024], r0\nexit\n");
    unit_geometry(&u, grid, block, 2, 0);
    unit_start(&u);
    assert_int_equal(unit_run(&u, 20000), DONE);
    for (uint32_t c = 0; c < 12; c++)
        for (uint32_t t = 0; t < 12; t++)
            assert_int_equal(unit_word(&u, 1024 + 4 * (12 * c + t)),
                             t % 3 | t / 3 % 2 << 10 | t / 6 << 20);
    assert_int_equal(unit_covered(&u, SIMT_COV_partial), 12);
    unit_close(&u);
}

/* CTAs of a rectangle, by rows and by columns, all and every other one: each says
 * at a place of its own when it began. */
static void test_area(void **state) {
    static const struct {
        uint32_t first, step, by_column, ctas[7];
    } cases[] = {
        {0, 1, 0, {5, 6, 9, 10, 13, 14}},
        {0, 1, 1, {5, 9, 13, 6, 10, 14}},
        {1, 2, 0, {6, 10, 14}},
        {1, 2, 1, {9, 6, 14}},
    };
    const uint32_t grid[3] = {4, 4, 1}, block[3] = {8, 1, 1};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct unit u;
        const uint32_t area[] = {cases[i].first,    cases[i].step, 1, 1, 3, 4,
                                 cases[i].by_column};
        unit_open(&u, "small", "simt.dispatch=area");
        unit_program(&u, "s2r r1, %ctaid.y\ns2r r2, %nctaid.x\n"
                         "s2r r3, %ctaid.x\nmad r1, r1, r2, r3\n"
                         "shl r1, r1, 2\ns2r r2, %clock\n"
                         "stg.b32 [r1+1024], r2\nexit\n");
        unit_geometry(&u, grid, block, 1, 0);
        for (int k = 0; k < 7; k++)
            unit_command(&u, SET, 13 + k, area[k]);
        unit_start(&u);
        assert_int_equal(unit_run(&u, 20000), DONE);
        int ran = 0;
        uint32_t before = 0;
        for (uint32_t c = 0; c < 16; c++)
            ran += unit_word(&u, 1024 + 4 * c) != 0;
        for (int k = 0; cases[i].ctas[k]; k++, ran--) {
            uint32_t at = unit_word(&u, 1024 + 4 * cases[i].ctas[k]);
            assert_true(at > before);
            before = at;
        }
        assert_int_equal(ran, 0);
        unit_close(&u);
    }
}

/* A launch without CTAs is over at once; so is a core that is never started. */
static void test_no_cta(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "");
    unit_start(&u);
    assert_int_equal(u.out->state, RUNNING);
    unit_edge(&u);
    assert_int_equal(u.out->state, DONE);
    unit_close(&u);
}

/* --- speed ---------------------------------------------------------------- */

/* Eight full warps of arithmetic: an instruction on nearly every edge. */
static void test_throughput(void **state) {
    struct unit u;
    (void)state;
    const uint32_t grid[3] = {1, 1, 1}, block[3] = {512, 1, 1};
    unit_open(&u, "mpu", "simt.warps=16");
    unit_program(&u, "movi r2, 200\ncvtfs r3, r0\nloop:\n"
                     "ffma r3, r3, r3, r3\nfadd r4, r3, r3\n"
                     "ffma r5, r4, r3, r4\nsub r2, r2, 1\n"
                     "setgts p0, r2, 0\n@p0 bra loop\nexit\n");
    unit_geometry(&u, grid, block, 1, 0);
    unit_start(&u);
    long from = u.edge;
    assert_int_equal(unit_run(&u, 100000), DONE);
    assert_true((double)u.issued / (double)(u.edge - from) > 0.9);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_lanes_alone),
        cmocka_unit_test(test_barrel),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_order_of_paths),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_exit_in_path),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_coalescing),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory_fault),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_debug),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_area),
        cmocka_unit_test(test_no_cta),
        cmocka_unit_test(test_throughput),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
