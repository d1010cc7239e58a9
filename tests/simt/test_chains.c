/* test_chains.c - the golden model of the SIMT core with chains offered: words
 * at its port, news of their warps and results, on the edges that the note
 * gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit.h"

static void open(struct unit *u, const char *sets) {
    char words[128];
    snprintf(words, sizeof words, "simt.chains=offered %s", sets);
    unit_open(u, "small", words);
}

static void go(struct unit *u, bool moves, bool frees, int pc, bool alone) {
    u->in.go_valid = 1;
    u->in.go_moves = moves;
    u->in.go_frees = frees;
    u->in.go_pc = (uint64_t)pc;
    u->in.go_alone = alone;
    unit_edge(u);
    u->in.go_valid = 0;
}

/* Until a word is shown; the edge that showed it. */
static long offered(struct unit *u, int pc) {
    for (int i = 0; i < 400 && !u->out->offer_valid; i++)
        unit_edge(u);
    assert_int_equal(u->out->offer_valid, 1);
    assert_int_equal(u->out->offer_pc, pc);
    return u->edge - 1;
}

static void take(struct unit *u) {
    u->in.offer_ready = 1;
    unit_edge(u);
    u->in.offer_ready = 0;
}

/* Take the word at pc; the next one comes by itself. */
static void next(struct unit *u, int pc) {
    offered(u, pc);
    u->in.go_warp = u->out->offer_warp;
    take(u);
}

/* Everything that is read is written: lanes by themselves and two rows. */
#define BEGIN "s2r r3, %laneid\nshl r1, r3, 2\nadd r1, r1, 1024\n"

/* --- offers --------------------------------------------------------------- */

static void edges_of(const char *sets) {
    struct unit u;
    open(&u, sets);
    unit_go(&u, "movi r1, 1024\nldg.b32 r2, [r1+4] {chain 1}\nexit\n",
            (uint32_t)u.l.LANES);
    long P = u.l.PASSES, L = u.l.FMA_L;
    long t = u.start + 1 + u.l.LANES + 1 + 2 * (3 + P + L + 1);
    long shown = t + 4 + 2 * P + 1;
    assert_int_equal(offered(&u, 1), shown);
    assert_int_equal(u.out->quiet, 0);
    /* the word behind it is selected two edges later, or goes to D when that
     * is free; it is released and shown as the last of its chain */
    long behind = t + (P > 2 ? P : 2);
    long released = behind + 3 + P + L, looked = shown + 1 + P;
    take(&u);
    assert_int_equal(offered(&u, 2),
                     (released > looked ? released : looked) + 1);
    const struct retired *r = unit_retired(&u, 0, 1, 0);
    assert_non_null(r);
    assert_int_equal(r->edge, t + 4 + L);
    assert_int_equal(r->kind, 0);
    unit_close(&u);
}

/* Looked at pass by pass; the last one is shown when it was released. */
static void test_edges(void **state) {
    (void)state;
    edges_of("");
    edges_of("simt.alus=8");
    edges_of("simt.alus=1");
}

static void shows(const char *word, uint32_t mask, uint32_t a, uint32_t b,
                  bool in_row, bool same_a, bool same_b) {
    struct unit u;
    char text[256];
    uint64_t words[16];
    int n = snprintf(text, sizeof text, "%s%s\nexit\n",
                     BEGIN "setgtu p0, r3, 1\nmovi r5, 7\n"
                           "setgtu p1, r3, 7\n",
                     word);
    assert_in_range(n, 1, sizeof text - 1);
    open(&u, "");
    unit_assemble(text, words);
    unit_go(&u, text, (uint32_t)u.l.LANES);
    offered(&u, 6);
    const struct simt_out *o = u.out;
    assert_int_equal(o->offer_code, words[6]);
    assert_int_equal(o->offer_mask, mask);
    assert_int_equal(o->offer_a, a);
    assert_int_equal(o->offer_b, b);
    assert_int_equal(o->offer_in_row, in_row);
    assert_int_equal(o->offer_same_a, same_a);
    assert_int_equal(o->offer_same_b, same_b);
    unit_close(&u);
}

static void test_fields(void **state) {
    (void)state;
    shows("ldg.b32 r2, [r1+8] {chain 1}", 0xff, 1032, 8, true, false, true);
    shows("@p0 ldg.b32 r2, [r1] {chain 1}", 0xfc, 1032, 0, true, false, true);
    shows("@p1 ldg.b32 r2, [r1] {chain 1}", 0, 0, 0, true, true, true);
    shows("ldg.b32 r2, [r1+2] {chain 1}", 0xff, 1026, 2, false, false, true);
    shows("ldg.b32 r2, [r1-800] {chain 1}", 0xff, 224, (uint32_t)-800, false,
          false, true);
    shows("ldg.b32 r2, [r5+1017] {chain 1}", 0xff, 1024, 1017, false, true,
          true);
    shows("add r2, r5, r3 {chain 1}", 0xff, 7, 0, false, true, false);
    shows("atg.add r2, [r1], r5 {chain 1}", 0xff, 1024, 0, true, false, false);
    shows("pand p2, p0, !p1 {chain 1}", 0xff, 0, 1, false, false, true);
    shows("s2r r2, %laneid {chain 1}", 0xff, 0, 0, false, false, false);
    shows("movi r2, 123456789 {chain 1}", 0xff, 0, 123456789, false, false,
          true);
}

/* A word waits for its warp's requests. */
static void test_order(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    u.delay = 200;
    unit_go(&u, BEGIN "stg.b32 [r1], r3\nldg.b32 r2, [r1] {chain 1}\nexit\n",
            8);
    while (!u.out->mem_valid)
        unit_edge(&u);
    long asked = u.edge;
    assert_true(offered(&u, 4) >= asked + 200);
    unit_close(&u);
}

/* --- news ----------------------------------------------------------------- */

/* The next word, whatever it is, and on behind the chain. */
static void test_next_word(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u,
            BEGIN "movi r2, 5\nmovi r4, 6\nldg.b32 r2, [r1] {chain 1}\n"
                  "trap {chain 2}\nadd r4, r2, r4 {chain 3}\nstg.b32 [r1], r2\n"
                  "stg.b32 [r1+64], r4\nexit\n",
            8);
    next(&u, 5);
    next(&u, 6); /* a trap that is offered does nothing */
    offered(&u, 7);
    take(&u);
    for (int i = 0; i < 100; i++)
        unit_edge(&u);
    assert_int_equal(u.out->state, RUNNING);
    go(&u, false, true, 0, false);
    go(&u, true, false, 8, false);
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_word(&u, 1024), 5);
    assert_int_equal(unit_word(&u, 1024 + 64), 6);
    assert_int_equal(unit_covered(&u, SIMT_COV_next_word), 2);
    assert_int_equal(unit_covered(&u, SIMT_COV_chain_over), 1);
    unit_close(&u);
}

/* A warp that goes back to the first word carries the chain out, and the chain
 * behind it is offered again. */
static void test_alone(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u,
            BEGIN "add r2, r3, 1 {chain 1}\nadd r2, r2, 1 {chain 2}\n"
                  "add r2, r2, 1 {chain 3}\nadd r4, r2, 0 {chain 1}\n"
                  "stg.b32 [r1], r2\nexit\n",
            8);
    next(&u, 3);
    next(&u, 4);
    next(&u, 5);
    go(&u, true, true, 3, true);
    offered(&u, 6);
    assert_int_equal(u.out->offer_a, 3);
    next(&u, 6);
    next(&u, 7);
    go(&u, true, true, 7, false);
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_word(&u, 1024 + 8), 5);
    unit_close(&u);
}

/* One chain is built at a time; who frees it lets the others go on. */
static void test_builder(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u, BEGIN "add r2, r3, 1 {chain 1}\nexit\n", 16);
    offered(&u, 3);
    int first = (int)u.out->offer_warp;
    next(&u, 3);
    next(&u, 4);
    for (int i = 0; i < 200; i++) {
        unit_edge(&u);
        assert_int_equal(u.out->offer_valid, 0);
    }
    assert_true(u.blocked >= 1);
    long edge = u.edge;
    go(&u, false, true, 0, false);
    /* ready after the edge of news, selected on the one behind it */
    assert_int_equal(offered(&u, 3), edge + 1 + 4 + 2 * u.l.PASSES + 1);
    assert_int_not_equal(u.out->offer_warp, first);
    unit_close(&u);
}

/* The builder's words go before those of other warps, which are ready. */
static void test_priority(void **state) {
    struct unit u;
    (void)state;
    open(&u, "simt.alus=2");
    unit_go(&u,
            BEGIN "s2r r5, %warpid\nsetgtu p0, r5, 0\n@p0 bra others, end\n"
                  "add r2, r3, 1 {chain 1}\nadd r2, r2, 1 {chain 3}\n"
                  "end:\nexit\nothers:\n"
                  "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nexit\n",
            32);
    next(&u, 6);
    next(&u, 7);
    int w = (int)u.in.go_warp;
    const struct retired *first = unit_retired(&u, w, 6, 0);
    const struct retired *second = unit_retired(&u, w, 7, 0);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(second->edge - first->edge, u.l.PASSES);
    unit_close(&u);
}

/* Behind a chain a warp may be at its join. */
static void test_join(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u,
            BEGIN "setgtu p0, r3, 3\n@p0 bra out, out\n"
                  "add r2, r3, 1 {chain 1}\nadd r2, r3, 1 {chain 3}\n"
                  "out:\nstg.b32 [r1], r3\nexit\n",
            8);
    offered(&u, 5);
    assert_int_equal(u.out->offer_mask, 0x0f);
    next(&u, 5);
    next(&u, 6);
    go(&u, true, true, 7, false);
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_word(&u, 1024 + 28), 7);
    assert_int_equal(unit_covered(&u, SIMT_COV_chain_pops), 1);
    unit_close(&u);
}

/* --- results -------------------------------------------------------------- */

static void put_pass(struct unit *u, int pass, uint32_t value) {
    u->in.put_valid = 1;
    u->in.put_last = pass == u->l.PASSES - 1;
    for (int i = 0; i < u->l.ALUS; i++)
        bits_set_lane(u->in.put_data, i,
                      value + (uint32_t)(pass * u->l.ALUS + i));
    unit_edge(u);
    u->in.put_valid = 0;
}

/* Each pass stands in the register for an edge; the result comes back as that
 * of a load would. */
static void result_of(bool pred) {
    struct unit u;
    open(&u, "");
    unit_go(&u,
            pred ? BEGIN "setgtu p0, r3, 100\nseteq p0, r3, 1 {chain 1}\n"
                         "@p0 stg.b32 [r1], r1\nexit\n"
                 : BEGIN "movi r2, 1\nadd r2, r3, 1 {chain 1}\n"
                         "stg.b32 [r1], r2\nexit\n",
            8);
    offered(&u, 4);
    take(&u);
    u.in.put_pc = 4;
    u.in.put_pred = pred;
    u.in.put_d = pred ? 0 : 2;
    u.in.put_mask = 0x3c;
    for (int k = 0; k < u.l.PASSES; k++) {
        assert_int_equal(u.out->put_ready, 1);
        put_pass(&u, k, 50);
        assert_int_equal(u.out->put_ready, 0);
        u.in.put_mask = u.in.put_d = 0; /* the first pass's count */
        unit_edge(&u);
        assert_int_equal(u.out->put_ready, k + 1 < u.l.PASSES);
    }
    long entered = u.edge - 1, P = u.l.PASSES, L = u.l.FMA_L;
    if (!pred)
        go(&u, true, true, 5, false);
    while (!u.out->put_ready)
        unit_edge(&u);
    /* selected behind the last row; released with its last pass */
    assert_int_equal(u.edge - 1, entered + 1 + 3 + P + L);
    for (int k = 0; k < P; k++) {
        const struct retired *r = unit_retired(&u, 0, 4, (int)P + k);
        assert_non_null(r);
        assert_int_equal(r->edge, entered + 1 + 4 + k + L);
        assert_int_equal(r->kind, pred ? 2 : 1);
        assert_int_equal(r->d, pred ? 0 : 2);
        for (int i = 0; i < u.l.ALUS; i++) {
            uint32_t lane = (uint32_t)(k * u.l.ALUS + i);
            uint32_t want = 50 + lane;
            bool active = 0x3c >> lane & 1;
            assert_int_equal(r->mask >> i & 1, active);
            assert_int_equal(r->value[i], !active ? 0 : pred ? want & 1 : want);
        }
    }
    if (pred)
        go(&u, true, true, 5, false);
    memset(u.memory, 0, sizeof u.memory);
    assert_int_equal(unit_run(&u, 1000), DONE);
    for (uint32_t lane = 0; lane < 8; lane++) {
        bool active = 0x3c >> lane & 1, odd = active && lane & 1;
        uint32_t at = 1024 + 4 * lane;
        uint32_t want = pred ? (odd ? at : 0) : active ? 50 + lane : 1;
        assert_int_equal(unit_word(&u, at), want);
    }
    unit_close(&u);
}

static void test_results(void **state) {
    (void)state;
    result_of(false);
    result_of(true);
}

/* The port's ticket is no access's, and of no use to others. */
static void test_ticket(void **state) {
    struct unit u;
    (void)state;
    open(&u, "simt.tickets=2");
    u.silent = true;
    unit_go(&u, BEGIN "ldg.b32 r2, [r1]\nldg.b32 r4, [r1+64]\nexit\n", 8);
    for (int i = 0; i < 200; i++)
        unit_edge(&u);
    assert_true(unit_covered(&u, SIMT_COV_no_ticket) > 0);
    assert_int_equal(u.out->put_ready, 1);
    unit_close(&u);
}

/* --- faults, quiet -------------------------------------------------------- */

/* A faulted core takes results and forgets them, and news. */
static void test_fault(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_program(&u, BEGIN "seteq p0, r3, 99\nadd r2, r3, 1 {chain 1}\nexit\n");
    const uint32_t one[3] = {1, 1, 1}, block[3] = {8, 1, 1};
    unit_geometry(&u, one, block, 1, 64);
    unit_command(&u, SET, 12, 100);
    unit_start(&u);
    next(&u, 4);
    next(&u, 5);
    assert_int_equal(u.out->quiet, 0);
    u.in.chain_busy = 1;
    while (u.out->state == RUNNING)
        unit_edge(&u);
    assert_int_equal(u.out->state, FAULTED);
    u.in.put_d = 2;
    for (int k = 0; k < 9; k++) {
        assert_int_equal(u.out->put_ready, 1);
        put_pass(&u, k % u.l.PASSES, 0);
    }
    go(&u, true, true, 5, false);
    assert_int_equal(u.out->quiet, 0);
    unit_command(&u, CLEAR, 0, 0);
    assert_int_equal(u.out->state, FAULTED);
    u.in.chain_busy = 0;
    unit_edge(&u);
    assert_int_equal(u.out->quiet, 1);
    unit_command(&u, CLEAR, 0, 0);
    assert_int_equal(u.out->state, IDLE);
    unit_close(&u);
}

/* From the edge behind the one that takes an offer it is chain_busy that keeps
 * the core from being quiet. */
static void test_quiet(void **state) {
    struct unit u;
    (void)state;
    open(&u, "");
    unit_go(&u, BEGIN "add r2, r3, 1 {chain 1}\nexit\n", 8);
    next(&u, 3);
    offered(&u, 4);
    assert_int_equal(u.out->quiet, 0);
    take(&u);
    assert_int_equal(u.out->offer_valid, 0);
    assert_int_equal(u.out->quiet, 0);
    u.in.chain_busy = 1;
    unit_edge(&u);
    assert_int_equal(u.out->quiet, 0);
    u.in.chain_busy = 0;
    unit_edge(&u);
    assert_int_equal(u.out->quiet, 1);
    unit_close(&u);
}

/* --- passed --------------------------------------------------------------- */

static void test_passed(void **state) {
    struct unit u;
    (void)state;
    unit_open(&u, "small", "simt.chains=passed");
    u.in.go_valid = u.in.go_moves = u.in.go_frees = u.in.chain_busy = 1;
    unit_go(&u,
            BEGIN "add r2, r3, 1 {chain 1}\nstg.b32 [r1], r2 {chain 3}\nexit\n",
            8);
    assert_int_equal(unit_run(&u, 1000), DONE);
    assert_int_equal(unit_word(&u, 1024 + 28), 8);
    assert_int_equal(u.out->put_ready, 0);
    assert_int_equal(u.out->quiet, 1);
    assert_int_equal(unit_covered(&u, SIMT_COV_offered), 0);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),    cmocka_unit_test(test_fields),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_next_word),
        cmocka_unit_test(test_alone),    cmocka_unit_test(test_builder),
        cmocka_unit_test(test_priority), cmocka_unit_test(test_join),
        cmocka_unit_test(test_results),  cmocka_unit_test(test_ticket),
        cmocka_unit_test(test_fault),    cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
