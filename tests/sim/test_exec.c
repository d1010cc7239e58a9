/* test_exec.c - control flow, calls, synchronisation, memory and faults of the
 * executor, on small PTX programs.
 */
#include "exec_kit.h"

/* Runs body on n threads of one CTA and returns the words they leave. */
static uint32_t words[1024];

static const uint32_t *run_words(const char *functions, const char *body,
                                 uint32_t n) {
    static char text[16384];
    struct kit k;
    snprintf(text, sizeof text, "%s%s%s%s}\n", KIT_HEAD, functions, KIT_ENTRY,
             body);
    kit_open(&k, text, NULL);
    uint32_t *out = kit_buffer(&k, "out", 4096);
    kit_finish(&k, 1, n);
    memcpy(words, out, sizeof words);
    kit_close(&k);
    return words;
}

/* Runs body and expects a state and words of a message. */
static void expect_stop(const char *body, uint32_t n, enum exec_state state,
                        const char *message, uint64_t patience) {
    static char text[8192];
    struct exec_options options = {.patience = patience};
    struct kit k;
    snprintf(text, sizeof text, "%s%s%s}\n", KIT_HEAD, KIT_ENTRY, body);
    kit_open(&k, text, &options);
    kit_buffer(&k, "out", 4096);
    kit_fails(&k, 1, n, state, message);
    kit_close(&k);
}

/* -------------------------------------------------------------- divergence */

static void if_else(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0;\n"
        "@%p1 bra EVEN;\nmov.u32 %r2, 7; bra.uni JOIN;\n"
        "EVEN: mov.u32 %r2, 4;\n"
        "JOIN: add.u32 %r2, %r2, %t; st.global.u32 [%mine], %r2; ret;\n",
        64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(w[i], i + (i % 2 ? 7 : 4));
}

/* Lanes meet at the post-dominator: there the whole warp is active. */
static void reconvergence(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "setp.lt.u32 %p1, %t, 8; setp.lt.u32 %p2, %t, 16;\n"
                  "activemask.b32 %r9;\n"
                  "@%p1 bra A;\n@%p2 bra B;\n"
                  "activemask.b32 %r1; bra C;\n"
                  "B: activemask.b32 %r1; bra C;\n"
                  "A: activemask.b32 %r1; bra D;\n"
                  "C: activemask.b32 %r2; shl.b32 %r2, %r2, 0;\n"
                  "D: activemask.b32 %r3; xor.b32 %r3, %r3, %r9;\n"
                  "xor.b32 %r1, %r1, %r3; st.global.u32 [%mine], %r1; ret;\n",
                  32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], i < 8 ? 0xff : i < 16 ? 0xff00 : 0xffff0000);
}

/* Each lane leaves the loop in another round, some by break. */
static void loop_with_break(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                  "LOOP: setp.ge.u32 %p1, %r1, %t; @%p1 bra DONE;\n"
                  "add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1;\n"
                  "setp.eq.u32 %p2, %r1, 20; @%p2 bra BREAK; bra LOOP;\n"
                  "BREAK: add.u32 %r2, %r2, 1000;\n"
                  "DONE: activemask.b32 %r3; popc.b32 %r3, %r3;\n"
                  "mad.lo.u32 %r2, %r3, 10000, %r2;\n"
                  "st.global.u32 [%mine], %r2; ret;\n",
                  32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t n = i < 20 ? i : 20, sum = n * (n - 1) / 2;
        assert_int_equal(w[i], 320000 + sum + (i >= 20 ? 1000 : 0));
    }
}

static void nested_loops(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "mov.u32 %r1, 0; mov.u32 %r3, 0;\n"
                  "OUTER: setp.gt.u32 %p1, %r1, %t; @%p1 bra END;\n"
                  "mov.u32 %r2, 0;\n"
                  "INNER: setp.ge.u32 %p2, %r2, %r1; @%p2 bra NEXT;\n"
                  "add.u32 %r3, %r3, 1; add.u32 %r2, %r2, 1; bra INNER;\n"
                  "NEXT: add.u32 %r1, %r1, 1; bra OUTER;\n"
                  "END: st.global.u32 [%mine], %r3; ret;\n",
                  40);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(w[i], i * (i + 1) / 2);
}

static void early_exit(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "setp.lt.u32 %p1, %t, 5; @%p1 exit;\n"
                  "setp.gt.u32 %p2, %t, 60; @%p2 ret;\n"
                  "activemask.b32 %r1; st.global.u32 [%mine], %r1; ret;\n",
                  64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(w[i], i < 5    ? 0
                               : i > 60 ? 0
                               : i < 32 ? 0xffffffe0
                                        : 0x1fffffff);
}

static void indexed_branch(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "rem.u32 %r1, %t, 3;\n"
        "T: .branchtargets L0, L1, L2;\n"
        "setp.eq.u32 %p1, %t, 31; @!%p1 brx.idx %r1, T;\n"
        "mov.u32 %r2, 99; bra END;\n"
        "L0: mov.u32 %r2, 10; bra END;\n"
        "L1: mov.u32 %r2, 11; bra END;\n"
        "L2: mov.u32 %r2, 12;\n"
        "END: activemask.b32 %r3; popc.b32 %r3, %r3;\n"
        "mad.lo.u32 %r2, %r3, 100, %r2; st.global.u32 [%mine], %r2; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], 3200 + (i == 31 ? 99 : 10 + i % 3));
}

/* Falling off the end of a kernel is a return. */
static void no_ret(void **state) {
    (void)state;
    const uint32_t *w = run_words("", "st.global.u32 [%mine], 5;\n", 3);
    assert_int_equal(w[0], 5);
    assert_int_equal(w[2], 5);
    assert_int_equal(w[3], 0);
}

/* ------------------------------------------------------------------ calls */

static const char square[] =
    ".func (.param .b32 r) square(.param .b32 x) {\n"
    ".reg .b32 %a<4>;\n"
    "ld.param.u32 %a1, [x]; mul.lo.u32 %a2, %a1, %a1;\n"
    "st.param.u32 [r], %a2; ret;\n}\n";

static void call(void **state) {
    (void)state;
    const uint32_t *w =
        run_words(square,
                  "{ .param .b32 in; .param .b32 back;\n"
                  "st.param.b32 [in], %t; call.uni (back), square, (in);\n"
                  "ld.param.b32 %r1, [back]; }\n"
                  "st.global.u32 [%mine], %r1; ret;\n",
                  33);
    for (uint32_t i = 0; i < 33; i++)
        assert_int_equal(w[i], i * i);
}

/* Only some lanes call; the others wait for them. */
static void divergent_call(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        square,
        "{ .param .b32 in; .param .b32 back; mov.u32 %r1, 1;\n"
        "and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 1;\n"
        "st.param.b32 [in], %t; @%p1 call (back), square, (in);\n"
        "@%p1 ld.param.b32 %r1, [back]; }\n"
        "activemask.b32 %r3; popc.b32 %r3, %r3;\n"
        "mad.lo.u32 %r1, %r3, 10000, %r1; st.global.u32 [%mine], %r1; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], 320000 + (i % 2 ? i * i : 1));
}

/* Recursion to another depth in each lane, returns under divergence. */
static void recursion(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".func (.param .b32 r) sum(.param .b32 n) {\n"
        ".reg .b32 %a<4>; .reg .pred %q; .param .b32 in; .param .b32 back;\n"
        "ld.param.u32 %a1, [n]; setp.ne.u32 %q, %a1, 0; @%q bra MORE;\n"
        "st.param.u32 [r], %a1; ret;\n"
        "MORE: sub.u32 %a2, %a1, 1; st.param.b32 [in], %a2;\n"
        "call (back), sum, (in); ld.param.u32 %a3, [back];\n"
        "add.u32 %a3, %a3, %a1; st.param.u32 [r], %a3; ret;\n}\n",
        "{ .param .b32 in; .param .b32 back;\n"
        "st.param.b32 [in], %t; call (back), sum, (in);\n"
        "ld.param.b32 %r1, [back]; }\n"
        "st.global.u32 [%mine], %r1; ret;\n",
        40);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(w[i], i * (i + 1) / 2);
}

/* Register parameters, as nvopencc passes them. */
static void register_call(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".func (.reg .u32 %out1) twice(.reg .u32 %in1) {\n"
        "add.u32 %out1, %in1, %in1; ret;\n}\n",
        "call (%r1), twice, (%t); st.global.u32 [%mine], %r1; ret;\n", 32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], 2 * i);
}

static void indirect_call(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".func (.param .b32 r) one(.param .b32 x) {\n.reg .b32 %a;\n"
        "ld.param.u32 %a, [x]; add.u32 %a, %a, 1; st.param.u32 [r], %a;\n"
        "ret; }\n"
        ".func (.param .b32 r) two(.param .b32 x) {\n.reg .b32 %a;\n"
        "ld.param.u32 %a, [x]; add.u32 %a, %a, 200; st.param.u32 [r], %a;\n"
        "ret; }\n"
        ".global .u64 table[2] = {one, two};\n",
        "{ .param .b32 in; .param .b32 back;\n"
        "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "and.b32 %r1, %t, 1; mul.wide.u32 %rd1, %r1, 8;\n"
        "mov.u64 %rd2, table; add.u64 %rd1, %rd1, %rd2;\n"
        "ld.global.u64 %rd3, [%rd1]; st.param.b32 [in], %t;\n"
        "call (back), %rd3, (in), P; ld.param.b32 %r2, [back]; }\n"
        "st.global.u32 [%mine], %r2; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], i + (i % 2 ? 200 : 1));
}

/* exit inside a function ends the thread, not the call. */
static void exit_in_function(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".func leave(.param .b32 x) {\n.reg .b32 %a; .reg .pred %q;\n"
        "ld.param.u32 %a, [x]; setp.gt.u32 %q, %a, 9; @%q exit; ret; }\n",
        "{ .param .b32 in; st.param.b32 [in], %t; call leave, (in); }\n"
        "st.global.u32 [%mine], 3; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], i > 9 ? 0 : 3);
}

static void endless_recursion(void **state) {
    (void)state;
    static const char text[] =
        KIT_HEAD ".func f() { call f; ret; }\n"
                 ".visible .entry k() { call f; ret; }\n";
    struct kit k;
    kit_open(&k, text, NULL);
    kit_fails(&k, 1, 1, EXEC_FAULT, "nested deeper than 1000");
    kit_close(&k);
}

/* --------------------------------------------------------- synchronisation */

/* Reverse an array through shared memory: needs the barrier. */
static void barrier(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".shared .align 4 .b8 buffer[1024];\n",
        "mov.u32 %r1, buffer; shl.b32 %r2, %t, 2; add.u32 %r3, %r1, %r2;\n"
        "st.shared.u32 [%r3], %t; bar.sync 0;\n"
        "sub.u32 %r4, 255, %t; shl.b32 %r4, %r4, 2; add.u32 %r4, %r1, %r4;\n"
        "ld.shared.u32 %r5, [%r4]; st.global.u32 [%mine], %r5; ret;\n",
        256);
    for (uint32_t i = 0; i < 256; i++)
        assert_int_equal(w[i], 255 - i);
}

/* Threads that have left do not count. */
static void barrier_after_exit(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "setp.lt.u32 %p1, %t, 40; @%p1 exit;\n"
                  "bar.sync 0; st.global.u32 [%mine], 1; ret;\n",
                  96);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(w[i], i >= 40);
}

/* Both sides of a branch have a barrier of their own. */
static void divergent_barrier(void **state) {
    (void)state;
    const uint32_t *w =
        run_words("",
                  "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A;\n"
                  "barrier.sync 0; mov.u32 %r2, 1; bra B;\n"
                  "A: barrier.sync 0; mov.u32 %r2, 2;\n"
                  "B: st.global.u32 [%mine], %r2; ret;\n",
                  64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(w[i], i % 2 ? 1 : 2);
}

/* Producers arrive, consumers wait: bar.arrive with a count. */
static void producer_consumer(void **state) {
    (void)state;
    const uint32_t *w =
        run_words(".shared .u32 box;\n",
                  "setp.lt.u32 %p1, %t, 32; @%p1 bra CONSUME;\n"
                  "st.shared.u32 [box], 77; bar.arrive 1, 64; bra END;\n"
                  "CONSUME: bar.sync 1, 64; ld.shared.u32 %r1, [box];\n"
                  "st.global.u32 [%mine], %r1;\nEND: ret;\n",
                  64);
    assert_int_equal(w[0], 77);
    assert_int_equal(w[31], 77);
    assert_int_equal(w[32], 0);
}

static void barrier_reduction(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "setp.lt.u32 %p1, %t, 50;\n"
        "barrier.red.popc.u32 %r1, 0, %p1;\n"
        "bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, !%p1;\n"
        "selp.u32 %r2, 1000, 0, %p2; selp.u32 %r3, 2000, 0, %p3;\n"
        "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;\n"
        "st.global.u32 [%mine], %r1; ret;\n",
        96);
    assert_int_equal(w[0], 2050);
    assert_int_equal(w[95], 2050);
}

/* A warp waits for a flag in shared memory that a later warp sets. */
static void spin_between_warps(void **state) {
    (void)state;
    const uint32_t *w =
        run_words(".shared .u32 flag;\n",
                  "setp.ge.u32 %p1, %t, 32; @%p1 bra SET;\n"
                  "WAIT: ld.volatile.shared.u32 %r1, [flag];\n"
                  "setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT;\n"
                  "st.global.u32 [%mine], %r1; ret;\n"
                  "SET: st.volatile.shared.u32 [flag], 9; ret;\n",
                  64);
    assert_int_equal(w[5], 9);
}

/* A lock inside one warp: its holder waits at the join for those that spin. */
static void lock_within_warp(void **state) {
    (void)state;
    const uint32_t *w =
        run_words(".global .u32 lock; .global .u32 count;\n",
                  "mov.u64 %rd1, lock; mov.u64 %rd2, count;\n"
                  "SPIN: atom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
                  "setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
                  "ld.volatile.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1;\n"
                  "st.volatile.global.u32 [%rd2], %r2;\n"
                  "atom.global.exch.b32 %r1, [%rd1], 0;\n"
                  "st.global.u32 [%mine], %r2; ret;\n",
                  8);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 8; i++)
        seen |= 1u << w[i];
    assert_int_equal(seen, 0x1fe);
}

static void warp_sync_divergent(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "setp.lt.u32 %p1, %t, 16; @%p1 bra A;\n"
        "bar.warp.sync -1; mov.u32 %r2, 1; bra B;\n"
        "A: bar.warp.sync -1; mov.u32 %r2, 2;\n"
        "B: vote.sync.ballot.b32 %r3, %p1, -1; add.u32 %r2, %r2, %r3;\n"
        "st.global.u32 [%mine], %r2; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], 0xffff + (i < 16 ? 2 : 1));
}

static void votes(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "setp.lt.u32 %p1, %t, 3;\n"
        "mov.u32 %r20, -1; vote.sync.all.pred %p2, %p1, %r20; "
        "vote.sync.any.pred %p3, %p1, -1;\n"
        "vote.sync.uni.pred %p4, %p1, -1; vote.sync.any.pred %p5, !%p1, -1;\n"
        "vote.sync.ballot.b32 %r1, !%p1, -1;\n"
        "shr.u32 %r2, %t, 2; match.any.sync.b32 %r3, %r2, -1;\n"
        "match.all.sync.b32 %r4|%p6, %r1, -1;\n"
        "redux.sync.add.u32 %r5, %t, -1; redux.sync.max.s32 %r6, %t, -1;\n"
        "selp.u32 %r7, 1, 0, %p2; selp.u32 %r8, 2, 0, %p3;\n"
        "selp.u32 %r9, 4, 0, %p4; selp.u32 %r10, 8, 0, %p5;\n"
        "selp.u32 %r11, 16, 0, %p6; add.u32 %r7, %r7, %r8;\n"
        "add.u32 %r7, %r7, %r9; add.u32 %r7, %r7, %r10;\n"
        "add.u32 %r7, %r7, %r11;\n"
        "mul.wide.u32 %rd1, %t, 16; add.u64 %rd1, %rd1, %out;\n"
        "add.u64 %rd1, %rd1, 1024;\n"
        "st.global.v4.u32 [%rd1], {%r1, %r3, %r5, %r7};\n"
        "st.global.u32 [%mine], %r6; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(w[i], 31);
        assert_int_equal(w[256 + 4 * i], 0xfffffff8);
        assert_int_equal(w[256 + 4 * i + 1], 0xfu << i / 4 * 4);
        assert_int_equal(w[256 + 4 * i + 2], 496);
        assert_int_equal(w[256 + 4 * i + 3], 2 + 8 + 16);
    }
}

/* Each half of the warp by itself; then peers that match.any found. */
static void votes_of_groups(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "and.b32 %r1, %t, 16; shl.b32 %r20, 0xffff, %r1;\n"
        "setp.lt.u32 %p1, %t, 20; vote.sync.ballot.b32 %r2, %p1, %r20;\n"
        "vote.sync.all.pred %p2, %p1, %r20; selp.u32 %r3, 1, 0, %p2;\n"
        "vote.sync.any.pred %p2, !%p1, %r20; selp.u32 %r4, 2, 0, %p2;\n"
        "vote.sync.uni.pred %p2, %p1, %r20; selp.u32 %r5, 4, 0, %p2;\n"
        "and.b32 %r6, %t, 3; match.any.sync.b32 %r7, %r6, %r20;\n"
        "match.all.sync.b32 %r8|%p2, %r1, %r20; selp.u32 %r9, 8, 0, %p2;\n"
        "redux.sync.add.u32 %r10, %t, %r20;\n"
        "match.any.sync.b32 %r11, %r6, -1;\n"
        "vote.sync.ballot.b32 %r11, %p1, %r11;\n" /* result is the mask's */
        "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; add.u32 %r3, %r3, %r9;\n"
        "mul.wide.u32 %rd1, %t, 16; add.u64 %rd1, %rd1, %out;\n"
        "st.global.v4.u32 [%rd1+1024], {%r2, %r3, %r7, %r8};\n"
        "st.global.v4.u32 [%rd1+2048], {%r10, %r11, %r11, %r11}; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t *one = w + 256 + 4 * i, *two = w + 512 + 4 * i;
        uint32_t half = i < 16 ? 0xffff : 0xffff0000;
        assert_int_equal(one[0], 0xfffff & half);
        assert_int_equal(one[1], i < 16 ? 1 + 4 + 8 : 2 + 8);
        assert_int_equal(one[2], 0x11111111u << i % 4 & half);
        assert_int_equal(one[3], half);
        assert_int_equal(two[0], i < 16 ? 120 : 376);
        assert_int_equal(two[1], 0x11111111u << i % 4 & 0xfffff);
    }
}

/* Lanes that do not vote go on with those that do. */
static void votes_under_a_guard(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1; setp.lt.u32 %p2, %t, 4;\n"
        "mov.u32 %r2, 7; @%p1 vote.sync.ballot.b32 %r2, %p2, 0xaaaaaaaa;\n"
        "activemask.b32 %r3; mul.wide.u32 %rd1, %t, 4;\n"
        "add.u64 %rd1, %rd1, %out; st.global.u32 [%rd1+1024], %r3;\n"
        "st.global.u32 [%mine], %r2; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(w[i], i % 2 ? 0xa : 7);
        assert_int_equal(w[256 + i], 0xffffffff);
    }
}

/* Of each arm some lanes are complete at once, and eight wait for the others'
 * eight. */
static void groups_meet_from_two_paths(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "setp.lt.u32 %p1, %t, 16; and.b32 %r1, %t, 24; mov.u32 %r2, 0xff;\n"
        "shl.b32 %r2, %r2, %r1; add.u32 %r3, %t, 24; and.b32 %r3, %r3, 31;\n"
        "setp.lt.u32 %p2, %r3, 16; selp.b32 %r2, 0x00ffff00, %r2, %p2;\n"
        "@%p1 bra A;\n"
        "atom.global.add.u32 %r6, [%out+2048], 1;\n"
        "bar.warp.sync %r2; ld.global.u32 %r5, [%out+2048]; bra B;\n"
        "A: atom.global.add.u32 %r6, [%out+2048], 1;\n"
        "bar.warp.sync %r2; ld.global.u32 %r5, [%out+2048];\n"
        "B: vote.sync.ballot.b32 %r4, %p1, %r2; mul.wide.u32 %rd1, %t, 4;\n"
        "add.u64 %rd1, %rd1, %out; st.global.u32 [%rd1+1024], %r5;\n"
        "st.global.u32 [%mine], %r4; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(w[i], i < 8 ? 0xff : i < 24 ? 0xff00 : 0);
        if (i >= 8 && i < 24) /* behind all that the others did before */
            assert_int_equal(w[256 + i], 32);
    }
}

/* A group whose lanes cannot come says whom it waits for. */
static void a_group_that_waits_for_ever(void **state) {
    (void)state;
    expect_stop("setp.lt.u32 %p1, %t, 4; mov.u32 %r1, 0xf;\n"
                "selp.b32 %r1, %r1, 0xfffffff0, %p1; setp.lt.u32 %p1, %t, 8;\n"
                "@!%p1 bar.sync 0; @%p1 vote.sync.ballot.b32 %r2, %p1, %r1;\n"
                "bar.sync 0; ret;\n",
                32, EXEC_STUCK, "waits for lanes 0xffffff00", 1 << 22);
}

static void shuffles(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "shfl.sync.down.b32 %r1|%p1, %t, 3, 31, -1;\n"
        "shfl.sync.up.b32 %r2|%p2, %t, 3, 0, -1;\n"
        "shfl.sync.bfly.b32 %r3, %t, 1, 31, -1;\n"
        "shfl.sync.idx.b32 %r4, %t, 5, 0x181f, -1;\n" /* segments of 8 */
        "selp.u32 %r5, 256, 0, %p1; selp.u32 %r6, 512, 0, %p2;\n"
        "add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r1;\n"
        "mul.wide.u32 %rd1, %t, 16; add.u64 %rd1, %rd1, %out;\n"
        "st.global.v4.u32 [%rd1], {%r5, %r2, %r3, %r4}; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t down = i + 3 < 32 ? i + 3 : i, up = i >= 3 ? i - 3 : i;
        assert_int_equal(w[4 * i],
                         down + (i + 3 < 32 ? 256 : 0) + (i >= 3 ? 512 : 0));
        assert_int_equal(w[4 * i + 1], up);
        assert_int_equal(w[4 * i + 2], i ^ 1);
        assert_int_equal(w[4 * i + 3], i / 8 * 8 + 5);
    }
}

/* --------------------------------------------------------------- memory */

static void atomics(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "atom.global.add.u32 %r1, [%out], 2;\n"
        "atom.global.max.s32 %r2, [%out+4], %t;\n"
        "red.global.or.b32 [%out+8], %t;\n"
        "atom.global.inc.u32 %r3, [%out+12], 9;\n"
        "red.global.add.f32 [%out+16], 0f3F800000;\n"
        "atom.global.dec.u32 %r3, [%out+20], 5;\n"
        "red.global.min.s32 [%out+24], -4;\n"
        "cvt.rn.f64.u32 %fd1, %t; red.global.add.f64 [%out+32], %fd1;\n"
        "cvt.u64.u32 %rd1, %t; atom.global.add.u64 %rd2, [%out+40], %rd1;\n"
        "ret;\n",
        64);
    float f;
    double d;
    uint64_t u;
    memcpy(&f, &w[4], 4);
    memcpy(&d, &w[8], 8);
    memcpy(&u, &w[10], 8);
    assert_int_equal(w[0], 128);
    assert_int_equal(w[1], 63);
    assert_int_equal(w[2], 63);
    assert_int_equal(w[3], 64 % 10);
    assert_true(f == 64);
    assert_int_equal(w[5], 2);
    assert_int_equal((int32_t)w[6], -4);
    assert_true(d == 2016);
    assert_int_equal(u, 2016);
}

/* Of PTX, for which zero is a normal number. */
static void classes(void **state) {
    (void)state;
    static const uint32_t values[] = {0,          0x80000000, 1,
                                      0x807fffff, 0x00800000, 0xff7fffff,
                                      0x7f800000, 0xff800001};
    static const struct {
        const char *name;
        uint8_t wanted; /* a bit for each value, the first the lowest */
    } list[] = {{"finite", 0x3f},     {"infinite", 0x40}, {"number", 0x7f},
                {"notanumber", 0x80}, {"normal", 0x33},   {"subnormal", 0x0c}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char body[2048] = "mov.u32 %r2, 0;\n", line[160];
        for (unsigned i = 0; i < 8; i++) {
            snprintf(line, sizeof line,
                     "mov.b32 %%f1, 0x%08x; testp.%s.f32 %%p1, %%f1;\n"
                     "@%%p1 or.b32 %%r2, %%r2, %u;\n",
                     values[i], list[k].name, 1u << i);
            strcat(body, line);
        }
        strcat(body, "st.global.u32 [%out], %r2; ret;\n");
        const uint32_t *w = run_words("", body, 1);
        if (w[0] != list[k].wanted)
            fail_msg("testp.%s: 0x%02x, expected 0x%02x", list[k].name, w[0],
                     list[k].wanted);
    }
}

/* Additions of f32 to global memory, by whatever address, take subnormals as
 * zeros of their sign; those to shared memory do not. */
static void atomics_of_subnormals(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".shared .align 4 .b8 room[8];\n",
        "mov.u32 %r1, 0x00000003; mov.b32 %f1, %r1;\n"
        "mov.u32 %r1, 0x80000005; mov.b32 %f2, %r1;\n"
        "st.global.f32 [%out], %f1; red.global.add.f32 [%out], %f1;\n"
        "st.global.f32 [%out+4], %f2; atom.add.f32 %f3, [%out+4], %f2;\n"
        "st.global.f32 [%out+8], %f3;\n"
        "st.shared.f32 [room], %f1; atom.shared.add.f32 %f3, [room], %f1;\n"
        "ld.shared.u32 %r1, [room]; st.global.u32 [%out+12], %r1;\n"
        "mov.u64 %rd1, room; cvta.shared.u64 %rd1, %rd1;\n"
        "st.f32 [%rd1+4], %f2; atom.add.f32 %f3, [%rd1+4], %f1;\n"
        "ld.f32 %f3, [%rd1+4]; st.global.f32 [%out+16], %f3;\n"
        /* a normal number less another one */
        "mov.u32 %r1, 0x00800001; st.global.u32 [%out+20], %r1;\n"
        "mov.u32 %r1, 0x80800000; mov.b32 %f4, %r1;\n"
        "red.global.add.f32 [%out+20], %f4;\n"
        "ret;\n",
        1);
    assert_int_equal(w[0], 0);
    assert_int_equal(w[1], 0x80000000);
    assert_int_equal(w[2], 0x80000005); /* what was there */
    assert_int_equal(w[3], 6);
    assert_int_equal(w[4], 0x80000002);
    assert_int_equal(w[5], 0);
}

static void widths_and_vectors(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".global .align 16 .b8 data[16] = {1, 2, 255, 128, 5, 6, 7, 8, 9, 10,"
        " 11, 12, 13, 14, 15, 16};\n",
        "mov.u64 %rd1, data;\n"
        "ld.global.s8 %r1, [%rd1+2]; ld.global.u8 %r2, [%rd1+2];\n"
        "ld.global.s16 %r3, [%rd1+2]; ld.global.s8 %rd2, [%rd1+3];\n"
        "ld.global.v2.u16 {%h1, %h2}, [%rd1+4];\n"
        "ld.global.v4.u8 {%h3, %h4, _, %h5}, [%rd1+8];\n"
        "ld.global.v2.u64 {%rd3, %rd4}, [%rd1];\n"
        "cvt.u32.u16 %r4, %h2; cvt.u32.u16 %r5, %h5;\n"
        "shr.s64 %rd2, %rd2, 1; cvt.u32.u64 %r6, %rd2;\n"
        "shr.u64 %rd4, %rd4, 56; cvt.u32.u64 %r7, %rd4;\n"
        "st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};\n"
        "st.global.v2.b32 [%out+16], {%r5, %r6};\n"
        "st.global.u32 [%out+24], %r7; st.global.u8 [%out+28], %r1; ret;\n",
        1);
    assert_int_equal((int32_t)w[0], -1);
    assert_int_equal(w[1], 255);
    assert_int_equal(w[2], 0xffff80ff);
    assert_int_equal(w[3], 0x0807);
    assert_int_equal(w[4], 12);
    assert_int_equal((int32_t)w[5], -64);
    assert_int_equal(w[6], 16);
    assert_int_equal(w[7], 0xff);
}

/* One generic load reaches every space. */
static void generic_addresses(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        ".shared .u32 s; .const .u32 c = 31; .global .u32 g = 17;\n",
        ".local .u32 l;\n"
        "st.shared.u32 [s], 5; st.local.u32 [l], %t;\n"
        "mov.u32 %r1, s; cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1;\n"
        "mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2;\n"
        "mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3;\n"
        "mov.u64 %rd4, g;\n"
        "isspacep.shared %p1, %rd1; isspacep.global %p2, %rd4;\n"
        "isspacep.local %p3, %rd3;\n"
        "ld.u32 %r1, [%rd1]; ld.u32 %r2, [%rd2]; ld.u32 %r3, [%rd3];\n"
        "ld.u32 %r4, [%rd4]; add.u32 %r1, %r1, %r2; add.u32 %r3, %r3, %r4;\n"
        "add.u32 %r1, %r1, %r3; and.pred %p1, %p1, %p2;\n"
        "xor.pred %p1, %p1, %p3; selp.u32 %r5, 1000, 0, %p1;\n"
        "add.u32 %r1, %r1, %r5; st.u32 [%mine], %r1; ret;\n",
        32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(w[i], 1053 + i);
}

/* Local memory is each thread's own; dynamic shared memory follows static. */
static void local_and_dynamic(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n" KIT_ENTRY
        ".shared .align 4 .b8 fixed[20]; .local .align 8 .b8 frame[16];\n"
        "mov.u64 %rd1, frame; st.local.u32 [%rd1+8], %t;\n"
        "mov.u32 %r1, fixed; mov.u32 %r2, dynamic;\n"
        "st.shared.u32 [dynamic+60], 3; ld.local.u32 %r3, [%rd1+8];\n"
        "ld.shared.u32 %r4, [%r2+60];\n"
        "mad.lo.u32 %r3, %r4, 100, %r3; sub.u32 %r2, %r2, %r1;\n"
        "mad.lo.u32 %r3, %r2, 1000, %r3; st.global.u32 [%mine], %r3; ret; }";
    struct kit k;
    kit_open(&k, text, NULL);
    uint32_t *out = kit_buffer(&k, "out", 4096);
    assert_int_equal(kit_run(&k, 1, 40, 64), EXEC_FINISHED);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(out[i], 32000 + 300 + i);
    assert_int_equal(exec_launched(k.exec)->shared, 96);
    kit_close(&k);
}

/* .local variables of the module are the same in each function. */
static void local_of_module(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD
        ".local .align 4 .b8 pad[20]; .local .align 8 .b8 ours[16];\n"
        ".func twice() {\n.local .b32 r; .reg .b32 %r<3>;\n"
        "ld.local.u32 %r1, [ours+8]; st.local.u32 [r], 0;\n"
        "add.u32 %r1, %r1, %r1; st.local.u32 [ours+12], %r1; "
        "ret;\n}\n" KIT_ENTRY
        ".local .b32 own; st.local.u32 [own], 7; st.local.u32 [ours+8], %t;\n"
        "call.uni twice; ld.local.u32 %r1, [ours+12]; ld.local.u32 %r2, "
        "[own];\n"
        "mad.lo.u32 %r1, %r1, 10, %r2; st.global.u32 [%mine], %r1; ret; }";
    struct kit k;
    kit_open(&k, text, NULL);
    uint32_t *out = kit_buffer(&k, "out", 4096);
    assert_int_equal(kit_run(&k, 1, 40, 0), EXEC_FINISHED);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(out[i], 20 * i + 7);
    kit_close(&k);
}

static void special_registers(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD KIT_ENTRY
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %nctaid.x;"
        "mad.lo.u32 %r4, %r1, %r2, %t; mul.wide.u32 %rd1, %r4, 4;\n"
        "add.u64 %rd1, %rd1, %out; mov.u32 %r5, %laneid; mov.u32 %r6, %warpid;"
        "mov.u32 %r7, %lanemask_lt; popc.b32 %r7, %r7; mov.u32 %r8, %clock;\n"
        "mov.u64 %rd2, %clock64; mov.u32 %r9, %clock; sub.u32 %r9, %r9, %r8;\n"
        "mad.lo.u32 %r5, %r6, 100, %r5; mad.lo.u32 %r5, %r7, 1000, %r5;\n"
        "mad.lo.u32 %r5, %r3, 100000, %r5; mad.lo.u32 %r5, %r9, 1000000, %r5;"
        "st.global.u32 [%rd1], %r5; ret; }";
    struct kit k;
    kit_open(&k, text, NULL);
    uint32_t *out = kit_buffer(&k, "out", 4096);
    kit_finish(&k, 3, 48);
    for (uint32_t i = 0; i < 144; i++) {
        uint32_t t = i % 48, lane = t % 32;
        assert_int_equal(out[i], 2300000 + 1000 * lane + 100 * (t / 32) + lane);
    }
    kit_close(&k);
}

/* ------------------------------------------------------------------ faults */

static void fault_outside(void **state) {
    (void)state;
    expect_stop("setp.eq.u32 %p1, %t, 5; @%p1 add.u64 %mine, %mine, 8192;\n"
                "st.global.u32 [%mine], %t; ret;\n",
                40, EXEC_FAULT,
                "test.ptx:13:1: error: kernel 'k', block (0,0,0), thread "
                "(5,0,0), address 0x100002014: 4-byte store outside any "
                "buffer, nearest is 'out', 4116 bytes past its 4096 bytes "
                "from 0x100000000",
                0);
}

static void faults(void **state) {
    (void)state;
    expect_stop("ld.global.u32 %r1, [%out+4094]; ret;\n", 1, EXEC_FAULT,
                "4-byte load is not aligned, expected a multiple of 4", 0);
    expect_stop("ld.global.v2.u32 {%r1, %r2}, [%out+4]; ret;\n", 1, EXEC_FAULT,
                "8-byte load is not aligned", 0);
    expect_stop("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1]; ret;\n", 1,
                EXEC_FAULT, "before its 4096 bytes", 0);
    expect_stop("st.shared.u32 [64], %t; ret;\n", 1, EXEC_FAULT,
                "outside the 0 bytes of shared memory", 0);
    expect_stop("atom.global.add.u32 %r1, [%out+4096], 1; ret;\n", 1,
                EXEC_FAULT, "4-byte atomic outside any buffer", 0);
    expect_stop("trap;\n", 1, EXEC_FAULT, "'trap' reached", 0);
    expect_stop("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2},"
                " {%fd3}, {%fd4}, {%fd5, %fd6}; ret;\n",
                1, EXEC_FAULT, "'mma.sync.aligned.m8n8k4", 0);
    expect_stop("frobnicate.u32 %r1, %r2; ret;\n", 1, EXEC_FAULT,
                "instruction 'frobnicate.u32' is not supported", 0);
    expect_stop("bar.sync 16; ret;\n", 1, EXEC_FAULT,
                "barrier 16, expected 0 to 15", 0);
}

/* The CUDA runtime's functions, which a file only declares. */
static void runtime_functions(void **state) {
    (void)state;
    static const char declared[] =
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
        ".extern .func __assertfail(.param .b64 a);\n"
        ".extern .func (.param .b64 r) malloc(.param .b64 a);\n";
    const uint32_t *w =
        run_words(declared,
                  "{ .param .b64 a; .param .b64 b; .param .b32 back;\n"
                  "st.param.b64 [a], %out; st.param.b64 [b], 0;\n"
                  "call (back), vprintf, (a, b); ld.param.b32 %r1, [back]; }\n"
                  "add.u32 %r1, %r1, 3; st.global.u32 [%mine], %r1; ret;\n",
                  4);
    assert_int_equal(w[3], 3);
    static const char *const calls[][2] = {
        {"call __assertfail, (a);", "assertion failed"},
        {"call (back), malloc, (a);",
         "call of 'malloc', which the file does not define"}};
    for (int i = 0; i < 2; i++) {
        static char text[4096];
        struct kit k;
        snprintf(text, sizeof text,
                 "%s%s%s{ .param .b64 a; .param .b64 back;\n%s }\nret; }\n",
                 KIT_HEAD, declared, KIT_ENTRY, calls[i][0]);
        kit_open(&k, text, NULL);
        kit_buffer(&k, "out", 4096);
        kit_fails(&k, 1, 1, EXEC_FAULT, calls[i][1]);
        kit_close(&k);
    }
}

/* What is never reached does no harm. */
static void unsupported_not_reached(void **state) {
    (void)state;
    const uint32_t *w = run_words(
        "",
        "setp.eq.u32 %p1, %t, 99; @%p1 bra ODD;\n"
        "st.global.u32 [%mine], 1; ret;\nODD: frobnicate.u32 %r1; ret;\n",
        4);
    assert_int_equal(w[3], 1);
}

static void store_to_constant(void **state) {
    (void)state;
    static const char text[] =
        KIT_HEAD ".const .u32 c = 3;\n.visible .entry k() { .reg .b64 %a;\n"
                 "mov.u64 %a, c; cvta.const.u64 %a, %a; st.u32 [%a], 4; "
                 "ret; }";
    struct kit k;
    kit_open(&k, text, NULL);
    kit_fails(&k, 1, 1, EXEC_FAULT, "4-byte store");
    kit_close(&k);
}

/* ------------------------------------------------------------- no progress */

static void deadlock(void **state) {
    (void)state;
    expect_stop("setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 2; ret;\n"
                "A: bar.sync 3; ret;\n",
                64, EXEC_STUCK, "kernel 'k', block (0,0,0): no progress", 0);
    expect_stop("setp.lt.u32 %p1, %t, 32; @%p1 bra A; bar.sync 2; ret;\n"
                "A: bar.sync 3; ret;\n",
                64, EXEC_STUCK,
                "warp 1, lanes 0xffffffff, waits at barrier 2: 32 of 64 "
                "threads have arrived",
                0);
}

static void endless_spin(void **state) {
    (void)state;
    expect_stop("WAIT: ld.volatile.global.u32 %r1, [%out];\n"
                "setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT; ret;\n",
                32, EXEC_STUCK, "warp 0, lanes 0xffffffff, runs at pc", 5000);
}

static void limit(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD ".visible .entry k() { L: bra L; }";
    struct exec_options options = {.limit = 1000};
    struct kit k;
    kit_open(&k, text, &options);
    kit_fails(&k, 1, 32, EXEC_LIMIT, "limit of 1000 warp instructions");
    assert_int_equal(k.events, 1000);
    kit_close(&k);
}

static void bad_launch(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD ".visible .entry k() { ret; }";
    struct kit k;
    kit_open(&k, text, NULL);
    assert_int_equal(kit_run(&k, 1, 1025, 0), EXEC_IDLE);
    assert_int_equal(kit_run(&k, 0, 32, 0), EXEC_IDLE);
    assert_int_equal(kit_run(&k, 1, 32, 1u << 30), EXEC_IDLE);
    assert_int_equal(k.diag.errors, 3);
    assert_int_equal(kit_run(&k, 2, 32, 0), EXEC_FINISHED);
    kit_close(&k);
}

/* The same program counts the same, whatever the turns. */
static void counts(void **state) {
    (void)state;
    static const char text[] = KIT_HEAD KIT_ENTRY
        "setp.lt.u32 %p1, %t, 10; @%p1 st.global.u32 [%mine], %t; ret; }";
    for (uint32_t turn = 1; turn < 5; turn++) {
        struct exec_options options = {.turn = turn};
        struct kit k;
        kit_open(&k, text, &options);
        kit_buffer(&k, "out", 4096);
        kit_finish(&k, 2, 50);
        assert_int_equal(k.events, 2 * 2 * 7);
        assert_int_equal(k.lanes, 2 * (6 * 50 + 10));
        assert_int_equal(exec_thread_instructions(k.exec), k.lanes);
        kit_close(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_else),
        cmocka_unit_test(reconvergence),
        cmocka_unit_test(loop_with_break),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(early_exit),
        cmocka_unit_test(indexed_branch),
        cmocka_unit_test(no_ret),
        cmocka_unit_test(call),
        cmocka_unit_test(divergent_call),
        cmocka_unit_test(recursion),
        cmocka_unit_test(register_call),
        cmocka_unit_test(indirect_call),
        cmocka_unit_test(exit_in_function),
        cmocka_unit_test(endless_recursion),
        cmocka_unit_test(barrier),
        cmocka_unit_test(barrier_after_exit),
        cmocka_unit_test(divergent_barrier),
        cmocka_unit_test(producer_consumer),
        cmocka_unit_test(barrier_reduction),
        cmocka_unit_test(spin_between_warps),
        cmocka_unit_test(lock_within_warp),
        cmocka_unit_test(warp_sync_divergent),
        cmocka_unit_test(votes),
        cmocka_unit_test(votes_of_groups),
        cmocka_unit_test(votes_under_a_guard),
        cmocka_unit_test(groups_meet_from_two_paths),
        cmocka_unit_test(a_group_that_waits_for_ever),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(atomics),
        cmocka_unit_test(atomics_of_subnormals),
        cmocka_unit_test(classes),
        cmocka_unit_test(widths_and_vectors),
        cmocka_unit_test(generic_addresses),
        cmocka_unit_test(local_and_dynamic),
        cmocka_unit_test(local_of_module),
        cmocka_unit_test(special_registers),
        cmocka_unit_test(fault_outside),
        cmocka_unit_test(faults),
        cmocka_unit_test(runtime_functions),
        cmocka_unit_test(unsupported_not_reached),
        cmocka_unit_test(store_to_constant),
        cmocka_unit_test(deadlock),
        cmocka_unit_test(endless_spin),
        cmocka_unit_test(limit),
        cmocka_unit_test(bad_launch),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests_name("exec", tests, NULL, NULL);
}
