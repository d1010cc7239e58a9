/* test_subcores.c - the golden model of the pipeline of the base die with more
 * than one subcore, by hand, as "Subcores" of docs/blocks/far_pipe.md has it;
 * test_together.c compares it edge by edge.
 */
#include "unit.h"

enum { MOST = 4 };

static const int splits[] = {2, MOST};

static void open_sub(struct unit *u, int subcores) {
    open_split(u, 8, subcores, PASSES, 0);
    u->in.ask_ready = 1;
}

/* With so many operands, which nobody has to have written. */
static void give(struct unit *u, int warp, int tag, int operands) {
    exec(u, warp, tag, NONE, operands > 0 ? 0 : NONE, operands > 1 ? 1 : NONE,
         operands > 2 ? 2 : NONE, NONE, 0xff);
}

/* One of each of so many subcores, warps 0 on, on one edge behind another, each
 * with an operand less than the one before: all go on at once. */
static void give_together(struct unit *u, int subcores, int tag) {
    for (int s = 0; s < subcores; s++)
        give(u, s, tag, subcores - 1 - s);
}

static void pass(struct unit *u, int edges) {
    while (edges-- > 0)
        edge(u);
}

static void settle(struct unit *u) {
    pass(u, 2 * PATIENCE);
    assert_int_equal(u->out->done_valid, 0);
}

static void expect_done(struct unit *u, int warp, int tag) {
    assert_int_equal(u->out->done_valid, 1);
    assert_int_equal(u->out->done_warp, warp);
    assert_int_equal(u->out->done_tag, tag);
    assert_int_equal(u->out->done_ticket, tag + 3);
}

static void expect_shown(struct unit *u, int cause, int warp, int tag) {
    assert_int_equal(u->out->fault_valid, 1);
    assert_int_equal(u->out->fault_cause, cause);
    assert_int_equal(u->out->fault_warp, warp);
    assert_int_equal(u->out->fault_tag, tag);
    assert_int_equal(u->out->fault_address, 0);
}

/* --- registers, tables ---------------------------------------------------- */

/* Each warp has its registers, with its completions two edges later than of one
 * subcore; all read the code. */
static void test_latency(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 1, "add3 r0, r1, r2, r3");
        put_code(&u, 2, "movi r0, 5");
        for (int w = 0; w < 8; w++) {
            assert_int_equal(put_row(&u, w, 4, (uint32_t)w << 8, 1), 1);
            assert_int_equal(put_row(&u, w, 5, (uint32_t)w << 16, 0), 1);
            assert_int_equal(put_row(&u, w, 6, 1, 0), 1);
        }
        for (int w = 0; w < 8; w++) {
            uint32_t sum[LANES];
            for (int l = 0; l < LANES; l++)
                sum[l] =
                    ((uint32_t)w << 8) + ((uint32_t)w << 16) + 1 + (uint32_t)l;
            exec(&u, w, 1, 7, 4, 5, 6, NONE, 0xff);
            assert_int_equal(until_done(&u, 1), PASSES + 12 + 3);
            assert_int_equal(u.out->done_warp, w);
            edge(&u);
            assert_int_equal(u.out->done_valid | u.out->done_warp, 0);
            exec(&u, w, 2, 8, NONE, NONE, NONE, NONE, 0xff);
            assert_int_equal(until_done(&u, 2), PASSES + 12);
            edge(&u);
            expect_lanes(&u, w, 7, sum);
        }
        close_unit(&u);
    }
}

/* Three warps of each of four: no power of two.  Rows of 'write' and 'init'. */
static void test_rows(void **state) {
    struct unit u;
    (void)state;
    open_split(&u, 12, MOST, PASSES, 0);
    for (int r = 0; r < 3; r++)
        for (int w = 0; w < 12; w++) {
            put_row(&u, w, r, (uint32_t)(w << 8 | r << 4), 1);
            put_bits(&u, w, 12 + r, (uint32_t)(w << 2 | r));
        }
    for (int r = 0; r < 3; r++)
        for (int w = 0; w < 12; w++) {
            uint32_t row[LANES], bits[LANES] = {(uint32_t)(w << 2 | r)};
            for (int l = 0; l < LANES; l++)
                row[l] = (uint32_t)(w << 8 | r << 4 | l);
            expect_lanes(&u, w, r, row);
            expect_lanes(&u, w, 12 + r, bits);
        }
    close_unit(&u);
}

static void test_tables(void **state) {
    static const uint32_t param[LANES] = {77, 77, 77, 77, 77, 77, 77, 77};
    struct unit u;
    (void)state;
    open_split(&u, 12, MOST, PASSES, 0);
    put_code(&u, 1, "ldp r1, 5");
    put_code(&u, 2, "s2r r1, %ctaid.y");
    put_code(&u, 3, "s2r r1, %clock");
    u.in.param_valid = 1;
    u.in.param_index = 5;
    u.in.param_word = 77;
    edge(&u);
    u.in.param_valid = 0;
    for (int w = 0; w < 12; w++) {
        u.in.value_valid = 1;
        u.in.value_warp = (uint64_t)w;
        u.in.value_index = ISA_SPECIAL_ctaid_y;
        u.in.value_word = 100 + (uint64_t)w;
        edge(&u);
    }
    u.in.value_valid = 0;
    u.in.launch_now = 900;
    for (int w = 0; w < 12; w++)
        for (int tag = 1; tag < 4; tag++) {
            uint32_t row[LANES];
            for (int l = 0; l < LANES; l++)
                row[l] = tag == 3 ? 900 : 100 + (uint32_t)w;
            exec(&u, w, tag, 1, NONE, NONE, NONE, NONE, 0xff);
            assert_int_equal(until_done(&u, tag), 2 * PASSES + 7);
            edge(&u);
            expect_lanes(&u, w, 1, tag == 1 ? param : row);
        }
    close_unit(&u);
}

/* Two rows are written at once where they are of two subcores, and of one
 * behind each other; 'read' waits for any. */
static void test_rows_meet(void **state) {
    struct unit u;
    (void)state;
    open_sub(&u, 2);
    bring(&u, true, true);
    u.in.init_warp = 1;
    edge(&u);
    assert_int_equal(u.out->write_ready & u.out->init_ready, 1);
    edge(&u);
    bring(&u, true, true);
    u.in.write_reg = 5;
    u.in.init_warp = 2;
    edge(&u);
    assert_int_equal(u.out->write_ready + u.out->init_ready, 1);
    close_unit(&u);
    open_sub(&u, 2);
    u.in.read_valid = 1;
    u.in.read_warp = 3;
    edge(&u);
    assert_int_equal(u.out->read_ready, 0);
    u.in.read_valid = 0;
    edge(&u);
    assert_int_equal(u.out->read_ready & u.out->data_valid, 1);
    close_unit(&u);
}

/* --- queues --------------------------------------------------------------- */

/* Completions in so many edges, of instructions that come without end to the
 * first 'warps' warps in turn; each warp's in their order. */
static int ends_in(struct unit *u, int warps, int step, int edges) {
    int given[8] = {0}, told[8] = {0}, ends = 0, next = 0;
    for (int n = 0; n < PATIENCE + edges; n++) {
        int w = next % warps * step;
        offer(u, given[w] % 16, given[w] % 2 ? 4 : NONE, NONE, NONE, NONE);
        u->in.exec_warp = (uint64_t)w;
        if (u->out->exec_ready) {
            given[w]++;
            next++;
        }
        edge(u);
        if (!u->out->done_valid)
            continue;
        expect_done(u, (int)u->out->done_warp, told[u->out->done_warp]++ % 16);
        ends += n >= PATIENCE;
    }
    u->in.exec_valid = 0;
    settle(u);
    return ends;
}

static void test_throughput(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        int subs = splits[n];
        open_sub(&u, subs);
        for (int tag = 0; tag < 16; tag++)
            put_code(&u, tag, "movi r0, 5");
        assert_int_equal(ends_in(&u, 1, 1, 80), 80 / PASSES);
        assert_int_equal(ends_in(&u, 2, subs, 80), 80 / PASSES);
        assert_int_equal(ends_in(&u, subs, 1, 80), subs * 80 / PASSES);
        assert_int_equal(ends_in(&u, 8, 1, 80), subs * 80 / PASSES);
        close_unit(&u);
    }
}

/* Of one subcore: four in the queue, eight in the subcore (test_in_order of
 * test_far_pipe.c), one at 'done'.  Nobody else's are taken then, either.  When
 * that at 'done' is taken, the lanes have three after the edge, the last pass
 * of the one in dispatch leaves PASSES edges later, the entry is empty after
 * that, and the queue has three an edge later. */
static void test_full(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        int took = 0, edges = 0;
        open_sub(&u, splits[n]);
        for (int tag = 0; tag < 16; tag++)
            put_code(&u, tag, "movi r0, 5");
        u.in.done_ready = 0;
        for (int e = 0; e < 2 * PATIENCE; e++) {
            offer(&u, took, NONE, NONE, NONE, NONE);
            u.in.exec_warp = (uint64_t)splits[n];
            took += (int)u.out->exec_ready;
            edge(&u);
        }
        assert_int_equal(took, 13);
        u.in.exec_warp = 1;
        u.in.exec_tag = 13;
        u.in.exec_ticket = 16;
        for (int e = 0; e < PATIENCE; e++) {
            edge(&u);
            assert_int_equal(u.out->exec_ready, 0);
        }
        expect_done(&u, splits[n], 0);
        u.in.done_ready = 1;
        for (; !u.out->exec_ready; edges++) {
            assert_true(edges < PATIENCE);
            if (edges < 5)
                expect_done(&u, splits[n], edges);
            edge(&u);
        }
        assert_int_equal(edges, PASSES + 2);
        edge(&u); /* it is taken */
        u.in.exec_valid = 0;
        unsigned seen = 0;
        for (int e = 0; e < 2 * PATIENCE; e++) {
            if (u.out->done_valid)
                seen |= 1u << u.out->done_tag;
            edge(&u);
        }
        assert_int_equal(seen >> 6, 0xff);
        close_unit(&u);
    }
}

/* Of an instruction in the queue each register that it has, as a row of 'write'
 * or 'init': it waits, and the instruction gets the old one. */
static void expect_unread(int operand_place, bool init) {
    static const int reg[] = {1, 2, 3, 12, 7};
    static const uint32_t sum[LANES] = {6, 6, 6, 6, 6, 6, 6, 6};
    struct unit u;
    int took;
    open_sub(&u, 2);
    put_code(&u, 1, "movi r0, 5");
    put_code(&u, 2, "@p0 add3 r0, r1, r2, r3");
    for (int r = 1; r < 4; r++)
        put_row(&u, 4, r, (uint32_t)r, 0);
    put_bits(&u, 4, 12, 0xff);
    u.in.done_ready = 0;
    for (took = 0; took < 10; took++) {
        exec(&u, 4, 1, 9, NONE, NONE, NONE, NONE, 0xff);
        pass(&u, 2 * PASSES);
    }
    exec(&u, 4, 2, 7, 1, 2, 3, 12, 0xff);
    /* others are written as they are on their own */
    assert_int_equal(put_row(&u, 4, 4, 50, 0), 1);
    assert_int_equal(put_row(&u, 2, reg[operand_place], 51, 0), 1);
    assert_int_equal(put_row(&u, 5, reg[operand_place], 52, 0), 1);
    u.in.write_valid = !init;
    u.in.init_valid = init;
    u.in.write_warp = u.in.init_warp = 4;
    u.in.write_reg = u.in.init_reg = (uint64_t)reg[operand_place];
    u.in.init_mask = 0xff;
    memset(u.in.write_row, 0, sizeof u.in.write_row);
    memset(u.in.init_row, 0, sizeof u.in.init_row);
    for (int e = 0; e < PATIENCE; e++) {
        edge(&u);
        assert_int_equal(u.out->write_ready | u.out->init_ready, 0);
    }
    u.in.done_ready = 1;
    for (int e = 0; !u.out->write_ready && !u.out->init_ready; e++) {
        assert_true(e < 2 * PATIENCE);
        edge(&u);
    }
    edge(&u);
    u.in.write_valid = u.in.init_valid = 0;
    settle(&u);
    if (operand_place < 4)
        expect_lanes(&u, 4, 7, sum);
    if (operand_place < 4) {
        static const uint32_t zero[LANES] = {0};
        expect_lanes(&u, 4, reg[operand_place], zero);
    }
    close_unit(&u);
}

static void test_unread(void **state) {
    (void)state;
    for (int o = 0; o < 5; o++) {
        expect_unread(o, false);
        expect_unread(o, true);
    }
}

/* --- what is shown, in turn ----------------------------------------------- */

/* Warps 0 to N - 1 are of subcores of that number; the first of a round. */
static int of_round(int first, int n, int subcores) {
    return (first + n) % subcores;
}

/* What a word of control resolves is shown two edges later than of one subcore,
 * of one that was not chosen before; and completes an edge after that. */
static void expect_resolves(struct unit *u, int subcores, int first) {
    give_together(u, subcores, 1);
    for (int n = 1; n < PASSES + 7; n++) {
        edge(u);
        assert_int_equal(u->out->resolve_valid | u->out->resolve_lanes, 0);
    }
    for (int n = 0; n <= subcores; n++) {
        edge(u);
        if (n < subcores) {
            assert_int_equal(u->out->resolve_valid, 1);
            assert_int_equal(u->out->resolve_warp,
                             of_round(first, n, subcores));
            assert_int_equal(u->out->resolve_tag, 1);
            assert_int_equal(u->out->resolve_lanes, 0xff);
        }
        if (n > 0)
            expect_done(u, of_round(first, n - 1, subcores), 1);
    }
    assert_int_equal(u->out->resolve_valid | u->out->resolve_warp |
                         u->out->resolve_tag | u->out->resolve_lanes,
                     0);
    settle(u);
}

static void test_resolves(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 1, "exit");
        expect_resolves(&u, splits[n], 0);
        expect_resolves(&u, splits[n], 0);
        give(&u, 0, 1, 0);
        for (int e = 1; e < PASSES + 7; e++) {
            edge(&u);
            assert_int_equal(u.out->resolve_valid, 0);
        }
        edge(&u);
        assert_int_equal(u.out->resolve_valid, 1);
        assert_int_equal(until_done(&u, 1), 1);
        settle(&u);
        expect_resolves(&u, splits[n], 1);
        close_unit(&u);
    }
}

/* Where completions' turn is another than that of what is resolved: none is
 * told before its word is resolved, as the front end wants it. */
static void test_resolved_first(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 1, "exit");
        put_code(&u, 2, "movi r0, 5");
        give(&u, splits[n] / 2 - 1, 2, 0);
        until_done(&u, 2);
        edge(&u);
        expect_resolves(&u, splits[n], 0);
        close_unit(&u);
    }
}

/* Completions that meet, also while the one before is refused. */
static void expect_completions(struct unit *u, int subcores, int first,
                               int refused) {
    give_together(u, subcores, 2);
    pass(u, PASSES + 11);
    assert_int_equal(u->out->done_valid, 0);
    edge(u);
    for (int n = 0; n < subcores; n++) {
        u->in.done_ready = 0;
        for (int e = 0; e < refused; e++) {
            expect_done(u, of_round(first, n, subcores), 2);
            edge(u);
        }
        expect_done(u, of_round(first, n, subcores), 2);
        u->in.done_ready = 1;
        edge(u);
    }
    assert_int_equal(u->out->done_valid | u->out->done_tag, 0);
}

static void test_completions(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 2, "movi r0, 5");
        expect_completions(&u, splits[n], 0, 0);
        expect_completions(&u, splits[n], 0, 3);
        give(&u, 0, 2, 0);
        until_done(&u, 2);
        edge(&u);
        expect_completions(&u, splits[n], 1, 2);
        close_unit(&u);
    }
}

/* Words that nobody carries out: none completes before its fault is shown. */
static void expect_illegal(struct unit *u, int subcores, int first) {
    give_together(u, subcores, 3);
    for (int n = 1; n < PASSES + 7; n++) {
        edge(u);
        assert_int_equal(u->out->fault_valid | u->out->done_valid, 0);
    }
    for (int n = 0; n <= subcores; n++) {
        edge(u);
        if (n < subcores)
            expect_shown(u, 1, of_round(first, n, subcores), 3);
        if (n > 0)
            expect_done(u, of_round(first, n - 1, subcores), 3);
        else
            assert_int_equal(u->out->done_valid, 0);
    }
    assert_int_equal(u->out->fault_valid | u->out->fault_cause |
                         u->out->fault_warp | u->out->fault_tag,
                     0);
    edge(u);
    assert_int_equal(u->out->done_valid, 0);
}

static void test_illegal(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 3, "lds.b32 r0, [r1+0]");
        expect_illegal(&u, splits[n], 0);
        expect_illegal(&u, splits[n], 0);
        give(&u, 0, 3, 0);
        until_done(&u, 3);
        edge(&u);
        expect_illegal(&u, splits[n], 1);
        close_unit(&u);
    }
}

/* --- accesses ------------------------------------------------------------- */

/* An access of the warp, with addresses of its own, that is taken. */
static void begin_access(struct unit *u, int warp, int tag) {
    put_row(u, warp, 2, 0x1000 * ((uint32_t)warp + 1), 4);
    exec(u, warp, tag, 5, 2, NONE, NONE, NONE, 0xff);
    until_access(u);
    assert_int_equal(u->out->access_warp, warp);
    assert_int_equal(bits_get(u->out->access_address, 0, 30),
                     0x400 * (warp + 1));
    edge(u);
    assert_int_equal(u->out->access_valid, 0);
}

static void end_two(struct unit *u, int warp, int other, bool fault) {
    u->in.carried_valid = 1;
    u->in.carried_warp = (uint64_t)other;
    u->in.carried_fault = fault;
    end(u, warp, fault);
    u->in.carried_valid = 0;
}

/* Each end is of its own warp, whose completion is there three edges after. */
static void test_ends(void **state) {
    static const int order[] = {5, 1, 9, 0, 8, 4, 11, 10, 2, 6, 3, 7};
    struct unit u;
    (void)state;
    open_split(&u, 12, MOST, PASSES, 0);
    put_code(&u, 4, "ldg.b32 r0, [r1+0]");
    for (int w = 0; w < 12; w++)
        begin_access(&u, w, 4);
    for (int n = 0; n < 12; n++) {
        if (n % 2) {
            end(&u, order[n], false);
        } else {
            u.in.carried_valid = 1;
            u.in.carried_warp = (uint64_t)order[n];
            u.in.carried_fault = 0;
            edge(&u);
            u.in.carried_valid = 0;
        }
        assert_int_equal(u.out->carried_ready, 1);
        assert_int_equal(until_done(&u, 4), 3);
        assert_int_equal(u.out->done_warp, order[n]);
        for (int e = 0; e < 10; e++) {
            edge(&u);
            assert_int_equal(u.out->done_valid | u.out->fault_valid, 0);
        }
    }
    close_unit(&u);
}

/* Faults of memory of two subcores on one edge: three edges after the end the
 * first is shown, and its completion behind it. */
static void expect_late(struct unit *u, int first) {
    int second = !first;
    begin_access(u, 0, 4);
    begin_access(u, 1, 4);
    end_two(u, 1, 0, true);
    pass(u, 2);
    assert_int_equal(u->out->fault_valid | u->out->done_valid, 0);
    edge(u);
    expect_shown(u, 8, first, 4);
    assert_int_equal(u->out->done_valid, 0);
    edge(u);
    expect_shown(u, 8, second, 4);
    expect_done(u, first, 4);
    edge(u);
    assert_int_equal(u->out->fault_valid, 0);
    expect_done(u, second, 4);
    edge(u);
    assert_int_equal(u->out->fault_valid | u->out->done_valid, 0);
}

static void test_late(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct unit u;
        open_sub(&u, splits[n]);
        put_code(&u, 3, "lds.b32 r0, [r1+0]");
        put_code(&u, 4, "ldg.b32 r0, [r1+0]");
        expect_late(&u, 0);
        give(&u, 0, 3, 0);
        until_done(&u, 3);
        edge(&u);
        expect_late(&u, 1);
        close_unit(&u);
    }
}

/* While 'done' is refused there come three faults of each of three subcores, on
 * three edges, one subcore's an edge later than that before: the round shows
 * the first ones, the second ones, and those of the desk. */
static void test_kept(void **state) {
    static const int places[][2] = {{0, 4}, {1, 4}, {2, 4}, {4, 5}, {5, 5},
                                    {6, 5}, {0, 3}, {1, 3}, {2, 3}};
    struct unit u;
    unsigned told = 0;
    int ends = 0;
    (void)state;
    open_sub(&u, MOST);
    put_code(&u, 2, "movi r0, 5");
    put_code(&u, 3, "lds.b32 r0, [r1+0]");
    put_code(&u, 4, "ldg.b32 r0, [r1+0]");
    put_code(&u, 5, "ldg.b32 r0, [r1+0]");
    u.in.done_ready = 0;
    give(&u, 3, 2, 0);
    for (int w = 0; w < 7; w++)
        if (w != 3)
            begin_access(&u, w, w < 3 ? 4 : 5);
    for (int s = 0; s < 3; s++)
        give(&u, s, 3, 0);
    /* it would be shown in the subcore PASSES + 6 edges after it was taken,
     * when the first one of an access is: two edges after its end */
    pass(&u, PASSES + 4 - 3);
    for (int s = 0; s < 3; s++)
        end_two(&u, s, s + 4, true);
    for (int n = 0; n < 9; n++) {
        edge(&u);
        expect_shown(&u, n < 6 ? 8 : 1, places[n][0], places[n][1]);
        expect_done(&u, 3, 2);
    }
    for (int n = 0; n < PATIENCE; n++) {
        edge(&u);
        assert_int_equal(u.out->fault_valid, 0);
        expect_done(&u, 3, 2);
    }
    u.in.done_ready = 1;
    for (int n = 0; n < PATIENCE; n++) {
        edge(&u);
        assert_int_equal(u.out->fault_valid, 0);
        if (!u.out->done_valid)
            continue;
        ends++;
        for (int k = 0; k < 9; k++)
            if (u.out->done_warp == (uint64_t)places[k][0] &&
                u.out->done_tag == (uint64_t)places[k][1])
                told |= 1u << k;
    }
    assert_int_equal(ends, 9);
    assert_int_equal(told, 0x1ff);
    close_unit(&u);
}

/* An access of the subcore that is chosen is there an edge later than of one
 * subcore, of another two. */
static void test_choice(void **state) {
    static const int turn[] = {1, 2, 3, 0};
    struct unit u;
    (void)state;
    open_sub(&u, MOST);
    put_code(&u, 4, "ldg.b32 r0, [r1+0]");
    for (int w = 0; w < 8; w++)
        put_row(&u, w, 2, 0x1000, 4);
    u.in.access_ready = 0;
    exec(&u, 1, 4, 5, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 8);
    exec(&u, 3, 4, 5, 2, NONE, NONE, NONE, 0xff);
    exec(&u, 0, 4, 5, 2, NONE, NONE, NONE, 0xff);
    exec(&u, 2, 4, 5, 2, NONE, NONE, NONE, 0xff);
    for (int n = 0; n < PATIENCE; n++) {
        assert_int_equal(u.out->access_valid, 1);
        assert_int_equal(u.out->access_warp, 1);
        edge(&u);
    }
    u.in.access_ready = 1;
    for (int n = 0; n < MOST; n++) {
        assert_int_equal(u.out->access_valid, 1);
        assert_int_equal(u.out->access_warp, turn[n]);
        assert_int_equal(u.out->access_reg, 5);
        edge(&u);
    }
    assert_int_equal(u.out->access_valid | u.out->access_warp, 0);
    for (int w = 0; w < MOST; w++)
        end(&u, w, false);
    settle(&u);
    exec(&u, 4, 4, 5, 2, NONE, NONE, NONE, 0xff); /* 0 is chosen still */
    assert_int_equal(until_access(&u), PASSES + 7);
    assert_int_equal(u.out->access_warp, 4);
    edge(&u);
    exec(&u, 7, 4, 5, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 8);
    assert_int_equal(u.out->access_warp, 7);
    close_unit(&u);
}

static int until_ask(struct unit *u) {
    int n = 0;
    for (; !u->out->ask_valid && n < PATIENCE; n++)
        edge(u);
    assert_int_equal(u->out->ask_valid, 1);
    return n;
}

/* What is shown at 'ask' is of a choice of its own. */
static void test_ask(void **state) {
    struct unit u;
    (void)state;
    open_sub(&u, 2);
    put_code(&u, 4, "ldg.b32 r0, [r1+0]");
    put_code(&u, 6, "atg.add r0, [r1], r2");
    for (int w = 0; w < 8; w++) {
        put_row(&u, w, 2, 0x1000, 4);
        put_row(&u, w, 3, 10 * (uint32_t)w, 1);
    }
    u.in.ask_ready = u.in.access_ready = 0;
    exec(&u, 4, 6, 5, 2, NONE, 3, NONE, 0xff); /* of 0, which is chosen */
    assert_int_equal(until_ask(&u), PASSES + 7);
    assert_int_equal(u.out->ask_warp, 4);
    exec(&u, 3, 4, 5, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 8);
    assert_int_equal(u.out->access_warp, 3);
    exec(&u, 5, 6, 5, 2, NONE, 3, NONE, 0xff); /* of 1, whose desk it has */
    for (int n = 0; n < PATIENCE; n++) {
        assert_int_equal(u.out->ask_valid & u.out->access_valid, 1);
        assert_int_equal(u.out->ask_warp, 4);
        assert_int_equal(u.out->access_warp, 3);
        for (int l = 0; l < LANES; l++) {
            assert_int_equal(bits_lane(u.out->ask_address, l), 0x1000 + 4 * l);
            assert_int_equal(bits_lane(u.out->ask_data, l), 40 + l);
        }
        edge(&u);
    }
    u.in.ask_ready = 1;
    edge(&u);
    assert_int_equal(u.out->ask_valid, 1);
    assert_int_equal(u.out->ask_warp, 5);
    assert_int_equal(bits_lane(u.out->ask_data, 1), 51);
    edge(&u);
    assert_int_equal(u.out->ask_valid | u.out->ask_warp, 0);
    assert_int_equal(u.out->access_warp, 3);
    end_two(&u, 5, 4, false);
    assert_int_equal(until_done(&u, 6), 3);
    assert_int_equal(u.out->done_warp, 4);
    edge(&u);
    expect_done(&u, 5, 6);
    close_unit(&u);
}

/* --- reset ---------------------------------------------------------------- */

/* All that is under way is gone, choices begin anew, and registers stay. */
static void test_reset(void **state) {
    static const uint32_t was[LANES] = {3, 4, 5, 6, 7, 8, 9, 10};
    struct unit u;
    (void)state;
    open_sub(&u, 2);
    put_code(&u, 1, "exit");
    put_code(&u, 2, "movi r0, 5");
    put_code(&u, 3, "lds.b32 r0, [r1+0]");
    put_code(&u, 4, "ldg.b32 r0, [r1+0]");
    put_row(&u, 1, 2, 0x1000, 4);
    put_row(&u, 0, 2, 0x1000, 4);
    put_row(&u, 5, 6, 3, 1);
    u.in.access_ready = u.in.done_ready = 0;
    for (int kind = 1; kind < 4; kind++) {
        give_together(&u, 2, kind); /* of the desk: kept on the last edge */
        exec(&u, 1, 4, 5, 2, NONE, NONE, NONE, 0xff);
        for (int n = 0; n < 4; n++) {
            give(&u, n, 2, 0);
            give(&u, n, 2, 0);
        }
        for (int n = 0; n < PATIENCE && !u.out->resolve_valid &&
                        !u.out->fault_valid && !u.out->done_valid;
             n++)
            edge(&u);
        u.out = golden_cycle(u.g, true, &u.in);
        for (int n = 0; n < PATIENCE; n++) {
            assert_int_equal(u.out->done_valid | u.out->done_tag |
                                 u.out->resolve_valid | u.out->resolve_tag |
                                 u.out->fault_valid | u.out->fault_tag |
                                 u.out->access_valid | u.out->ask_valid,
                             0);
            assert_int_equal(u.out->exec_ready & u.out->read_ready &
                                 u.out->carried_ready,
                             1);
            edge(&u);
        }
    }
    u.in.access_ready = u.in.done_ready = 1;
    exec(&u, 0, 4, 5, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 7);
    expect_lanes(&u, 5, 6, was);
    expect_resolves(&u, 2, 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_rows_meet),
        cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_resolves),
        cmocka_unit_test(test_resolved_first),
        cmocka_unit_test(test_completions),
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_ask),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
