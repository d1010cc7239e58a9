/* test_bus.c - the near-bank unit's golden model: bus and register port.
 *
 * Directed scenarios for the TSV bus, the row moves that cross it, the credits
 * and the registers, with numbers worked out by hand from docs/blocks/nbu.md.
 */
#include "unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PATIENCE = 3000, NEAR_POLICY = 2 };

enum kind { INSTR, DOWN, REQUEST, UP, DONE, LSU_DOWN, LSU_UP };

static struct config small(void) {
    struct config c;

    config_defaults(&c);
    c.nbu_warps = 8;
    c.nbu_registers = 16;
    c.nbu_lanes = 8;
    c.nbu_tsv_width = 16;
    c.nbu_near_queue = 2;
    c.nbu_move_queue = 1;
    return c;
}

static void open_ready(struct unit *u, const struct config *c) {
    unit_open(u, c);
    unit_start(u);
    rows_ready(u);
}

static void step_until(struct unit *u, long edge) {
    while (u->edge < edge)
        step(u);
}

/* Step until a beat of this kind is on the bus register. */
static void wait_beat(struct unit *u, enum kind kind) {
    for (int i = 0; !u->out->tsv_valid || u->out->tsv_kind != kind; i++) {
        assert_true(i < PATIENCE);
        step(u);
    }
}

/* Execute {policy near, full write of reg} for warp: it becomes near only. */
static void make_near(struct unit *u, int warp, enum nbu_kind kind, int reg) {
    struct instruction i = {.op = OPC_int, .dst = operand(u, kind, reg)};

    set_policy(u, NEAR_POLICY);
    u->in.near_exec_ready = 1;
    issue(u, warp, 0, &i);
    while (!u->out->near_exec_valid)
        step(u);
    u->in.near_done_valid = 1;
    u->in.near_done_warp = (uint64_t)warp;
    u->in.near_done_ticket = u->out->near_exec_ticket;
    step(u);
    u->in.near_done_valid = u->in.near_exec_ready = 0;
    while (!u->out->commit_valid)
        step(u);
    set_policy(u, 0);
}

/* Rows ------------------------------------------------------------------- */

/* The whole life of one row move and its instruction at the paper's sizes. */
static void row_holds_the_bus_for_18_cycles(void **state) {
    struct config c;
    struct unit u;
    long accept;

    (void)state;
    config_defaults(&c);
    open_ready(&u, &c);
    struct instruction i = {
        .op = OPC_int, .hint = 2, .src0 = operand(&u, NBU_ROW, 5)};
    issue(&u, 3, 1, &i);
    accept = u.edge;
    /* act 4, queue 5, F_NEXT 6, F_READ 7 */
    step_until(&u, accept + 6);
    assert_false(u.out->far_read_valid);
    step(&u);
    assert_true(u.out->far_read_valid);
    assert_int_equal(u.out->far_read_warp, 3);
    assert_int_equal(u.out->far_read_reg, 5);
    /* taken 8, data 9, grant 10: no beat yet; beats 11 to 27 */
    step_until(&u, accept + 9);
    u.in.lsu_up_valid = u.in.lsu_up_last = 1; /* waits for the bus */
    step(&u);
    assert_false(u.out->tsv_valid);
    for (int beat = 0; beat < 17; beat++) {
        step(&u);
        assert_true(u.out->tsv_valid);
        assert_int_equal(u.out->tsv_kind, DOWN);
        assert_int_equal(u.out->tsv_last, beat == 16);
        assert_false(u.out->lsu_up_ready);
    }
    assert_int_equal(u.edge, accept + 27);
    assert_false(u.out->near_write_valid);
    step(&u); /* 28: the other source's grant, 18 cycles after ours */
    assert_false(u.out->tsv_valid);
    assert_true(u.out->lsu_up_ready);
    assert_true(u.out->near_write_valid);
    u.in.lsu_up_valid = 0;
    assert_int_equal(u.out->near_write_warp, 3);
    assert_int_equal(u.out->near_write_reg, 5);
    assert_int_equal(u.out->near_write_pred, 0);
    for (int w = 0; w < 16; w++)
        assert_true(u.out->near_write_row[w] == row_word(FAR_SIDE, 3, 5, w));
    /* taken 29, update 30, pick 31 .. act 34, send queue 35, grant 36, beats
     * 37 and 38, arrival 39, queue 40 */
    step_until(&u, accept + 39);
    assert_false(u.out->near_exec_valid);
    step(&u);
    assert_true(u.out->near_exec_valid);
    /* the landing register still shows the row */
    assert_false(u.out->near_write_valid);
    assert_true(u.out->near_write_row[7] == row_word(FAR_SIDE, 3, 5, 7));
    assert_int_equal(u.out->near_write_reg, 5);
    unit_close(&u);
}

/* Every width that the bus can have delivers the same row, both ways. */
static void rows_and_predicates_at_every_width(void **state) {
    (void)state;
    for (int width = 16; width <= 1024; width *= 2) {
        struct config c = small();
        struct unit u;
        uint64_t lanes = 0xffffffff;
        c.nbu_lanes = 32;
        c.nbu_tsv_width = width;
        open_ready(&u, &c);
        make_near(&u, 1, NBU_ROW, 2);
        make_near(&u, 1, NBU_PRED, 3);
        set_policy(&u, 3);
        struct instruction i = {.op = OPC_int,
                                .src0 = operand(&u, NBU_ROW, 2),
                                .guard = operand(&u, NBU_PRED, 3)};
        issue(&u, 1, 0, &i);
        while (!u.out->far_write_valid)
            step(&u);
        assert_int_equal(u.out->far_write_reg, 2);
        assert_int_equal(u.out->far_write_pred, 0);
        for (int w = 0; w < 16; w++)
            assert_true(u.out->far_write_row[w] ==
                        row_word(NEAR_SIDE, 1, 2, w));
        step(&u);
        while (!u.out->far_write_valid)
            step(&u);
        assert_int_equal(u.out->far_write_reg, 3);
        assert_int_equal(u.out->far_write_pred, 1);
        assert_true(u.out->far_write_row[0] ==
                    (row_word(NEAR_SIDE, 1, 3, 0) & lanes));
        for (int w = 1; w < 16; w++)
            assert_true(u.out->far_write_row[w] == 0);
        for (int k = 0; k < 30; k++)
            step(&u);
        /* header and row, header and predicate */
        int beats = 1 + 1024 / width + 1 + (width >= 32 ? 1 : 32 / width);
        assert_int_equal(read_counter(&u, NBU_CNT_beats_up), beats);
        unit_close(&u);
    }
}

static void narrow_row_appears_beat_by_beat(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    struct instruction i = {
        .op = OPC_int, .hint = 2, .src0 = operand(&u, NBU_ROW, 5)};
    issue(&u, 3, 1, &i);
    wait_beat(&u, DOWN); /* the header */
    assert_int_equal(u.out->near_write_reg, 0);
    step(&u); /* the header lands, beat 0 is on the bus */
    assert_int_equal(u.out->near_write_warp, 3);
    assert_int_equal(u.out->near_write_reg, 5);
    for (int beat = 0; beat < 16; beat++) {
        assert_false(u.out->near_write_valid);
        assert_int_equal(u.out->tsv_last, beat == 15);
        step(&u);
        for (int w = 0; w < 4; w++) {
            int filled = 16 * (beat + 1) - 64 * w;
            uint64_t mask = filled <= 0 ? 0 : ones(filled);
            assert_true(u.out->near_write_row[w] ==
                        (row_word(FAR_SIDE, 3, 5, w) & mask));
        }
    }
    assert_true(u.out->near_write_valid);
    unit_close(&u);
}

/* Two rows down with the near register file busy: the second one waits in the
 * far mover until the first has its update. */
static void landing_register_is_not_overrun(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    struct instruction i = {.op = OPC_int,
                            .hint = 2,
                            .src0 = operand(&u, NBU_ROW, 5),
                            .src1 = operand(&u, NBU_ROW, 6)};
    u.in.near_write_ready = 0;
    issue(&u, 3, 1, &i);
    while (!u.out->near_write_valid)
        step(&u);
    for (int k = 0; k < 60; k++) {
        step(&u);
        assert_false(u.out->tsv_valid);
        assert_int_equal(u.out->near_write_reg, 5);
    }
    u.in.near_write_ready = 1;
    step(&u); /* taken */
    step(&u); /* update */
    step(&u); /* grant */
    assert_false(u.out->tsv_valid);
    step(&u); /* header */
    assert_true(u.out->tsv_valid);
    unit_close(&u);
}

/* Credits ---------------------------------------------------------------- */

static void instructions_wait_for_room_on_the_dram_die(void **state) {
    struct config c = small();
    struct unit u;
    struct instruction i = {.op = OPC_int, .hint = 2};

    (void)state;
    open_ready(&u, &c);
    for (int w = 0; w < 4; w++)
        issue(&u, w, w, &i);
    for (int k = 0; k < 100; k++)
        step(&u);
    /* NEAR_QUEUE of them have crossed and no more */
    assert_int_equal(read_counter(&u, NBU_CNT_beats_instr),
                     2 * u.l.INSTR_BEATS);
    assert_true(cover(&u, NBU_COV_near_credit_out) > 50);
    for (int w = 0; w < 4; w++) {
        while (!u.out->near_exec_valid)
            step(&u);
        assert_int_equal(u.out->near_exec_warp, w);
        u.in.near_exec_ready = 1;
        step(&u);
        u.in.near_exec_ready = 0;
    }
    assert_int_equal(read_counter(&u, NBU_CNT_beats_instr),
                     4 * u.l.INSTR_BEATS);
    unit_close(&u);
}

static void requests_wait_for_room_on_the_dram_die(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    for (int reg = 0; reg < 3; reg++)
        make_near(&u, 0, NBU_ROW, reg);
    struct instruction i = {.op = OPC_int,
                            .hint = 1,
                            .src0 = operand(&u, NBU_ROW, 0),
                            .src1 = operand(&u, NBU_ROW, 1),
                            .src2 = operand(&u, NBU_ROW, 2)};
    u.in.near_read_ready = 0;
    issue(&u, 0, 0, &i);
    for (int k = 0; k < 100; k++)
        step(&u);
    /* one in the near mover, whose credit is back, and one in its queue */
    assert_int_equal(read_counter(&u, NBU_CNT_beats_request), 2);
    assert_true(cover(&u, NBU_COV_move_credit_out) > 50);
    assert_int_equal(u.out->near_read_reg, 0);
    u.in.near_read_ready = 1;
    for (int k = 0; k < 200; k++)
        step(&u);
    assert_int_equal(read_counter(&u, NBU_CNT_moved_up), 3);
    assert_true(u.out->far_exec_valid);
    unit_close(&u);
}

/* Load-store traffic ----------------------------------------------------- */

static void bursts_alternate(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.nbu_lsu_burst = 4;
    open_ready(&u, &c);
    u.in.lsu_down_valid = u.in.lsu_up_valid = 1;
    for (int round = 0; round < 4; round++) {
        /* after reset the first after 6 is 5, then they take turns */
        enum kind kind = round % 2 ? LSU_UP : LSU_DOWN;
        step(&u); /* grant */
        assert_false(u.out->tsv_valid);
        for (int beat = 0; beat < 4; beat++) {
            uint64_t word = (uint64_t)(round * 4 + beat) * 0x10001;
            assert_int_equal(u.out->lsu_down_ready, kind == LSU_DOWN);
            assert_int_equal(u.out->lsu_up_ready, kind == LSU_UP);
            u.in.lsu_down_data[0] = word + 1;
            u.in.lsu_up_data[0] = word + 2;
            step(&u);
            assert_int_equal(u.out->tsv_kind, kind);
            assert_int_equal(u.out->tsv_last, 0); /* no message ends */
            assert_int_equal(u.out->lsu_near_valid, kind == LSU_DOWN);
            assert_int_equal(u.out->lsu_far_valid, kind == LSU_UP);
            assert_int_equal(u.out->lsu_near_data[0],
                             kind == LSU_DOWN ? (word + 1) & 0xffff : 0);
            assert_int_equal(u.out->lsu_far_data[0],
                             kind == LSU_UP ? (word + 2) & 0xffff : 0);
        }
    }
    assert_int_equal(cover(&u, NBU_COV_lsu_burst_cut), 4);
    assert_int_equal(cover(&u, NBU_COV_lsu_gap), 0);
    unit_close(&u);
}

static void last_beat_and_gap_free_the_bus(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    u.in.lsu_up_valid = 1;
    step(&u); /* grant */
    u.in.lsu_up_last = 1;
    step(&u); /* the only beat */
    assert_int_equal(u.out->lsu_far_last, 1);
    assert_int_equal(u.out->tsv_last, 1);
    assert_false(u.out->lsu_up_ready);
    u.in.lsu_up_last = 0;
    step(&u); /* grant */
    assert_false(u.out->lsu_far_valid);
    assert_int_equal(u.out->lsu_far_last, 0);
    step(&u); /* first beat of two */
    assert_true(u.out->lsu_up_ready);
    u.in.lsu_up_valid = 0;
    step(&u); /* gap */
    assert_false(u.out->lsu_up_ready);
    assert_false(u.out->tsv_valid);
    assert_int_equal(cover(&u, NBU_COV_lsu_gap), 1);
    u.in.lsu_up_valid = u.in.lsu_up_last = 1;
    step(&u);
    step(&u);
    assert_true(u.out->lsu_far_valid && u.out->lsu_far_last);
    u.in.lsu_up_valid = 0;
    step(&u); /* a beat counts on the edge that takes it off the bus */
    assert_int_equal(read_counter(&u, NBU_CNT_beats_lsu), 3);
    unit_close(&u);
}

/* An instruction and load-store traffic both ways, all ready on one edge: the
 * first after the last owner goes first. */
static void round_robin_order(void **state) {
    static const enum kind order[] = {LSU_UP, INSTR, LSU_DOWN, LSU_UP};
    struct config c = small();
    struct instruction i = {.op = OPC_int, .hint = 2};
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    u.in.lsu_down_valid = u.in.lsu_down_last = 1;
    step(&u);
    step(&u); /* last owner 5 */
    u.in.lsu_down_valid = 0;
    issue(&u, 0, 0, &i);
    step_until(&u, u.edge + 5); /* at the send queue's output */
    u.in.lsu_down_valid = u.in.lsu_up_valid = u.in.lsu_up_last = 1;
    for (int k = 0; k < 4; k++) {
        step(&u); /* grant */
        assert_false(u.out->tsv_valid);
        do {
            step(&u);
            assert_true(u.out->tsv_valid);
            assert_int_equal(u.out->tsv_kind, order[k]);
        } while (!u.out->tsv_last);
    }
    unit_close(&u);
}

/* Registers -------------------------------------------------------------- */

static void wishbone_takes_two_edges(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    u.in.wb_cyc = u.in.wb_stb = 1;
    for (int k = 0; k < 3; k++) { /* the master never lets go */
        step(&u);
        assert_true(u.out->wb_ack);
        assert_int_equal(u.out->wb_dat_r, iface_id(&nbu_iface));
        step(&u);
        assert_false(u.out->wb_ack);
        assert_int_equal(u.out->wb_dat_r, 0);
    }
    u.in.wb_cyc = 0;
    step(&u);
    assert_false(u.out->wb_ack);
    unit_close(&u);
}

static void identity_and_unused_addresses(void **state) {
    struct config c = small();
    uint64_t hash = iface_hash(&nbu_iface, &c);
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    assert_int_equal(wishbone(&u, false, 0, 0, 0), 0x4e445000);
    assert_int_equal(wishbone(&u, false, 1, 0, 0), (uint32_t)hash);
    assert_int_equal(wishbone(&u, false, 2, 0, 0), (uint32_t)(hash >> 32));
    assert_true(golden_design(u.g)->hash == hash);
    assert_int_equal(wishbone(&u, false, 3, 0, 0), 0);
    for (int adr = iface_n_registers(&nbu_iface); adr < 32; adr++) {
        assert_int_equal(wishbone(&u, true, adr, 0xffffffff, 15), 0);
        assert_int_equal(wishbone(&u, false, adr, 0, 0), 0);
    }
    wishbone(&u, true, 0, 0, 15);
    assert_int_equal(wishbone(&u, false, 0, 0, 0), 0x4e445000);
    /* the address has 5 bits: 32 is 0 again */
    assert_int_equal(wishbone(&u, false, 32, 0, 0), 0x4e445000);
    unit_close(&u);
}

static void policy_register(void **state) {
    enum { POLICY = REG_FIRST + NBU_SET_policy };
    struct config c = small();
    struct unit u;

    (void)state;
    c.nbu_policy = 2;
    open_ready(&u, &c);
    assert_int_equal(wishbone(&u, false, POLICY, 0, 0), 2);
    /* a write reads as 0 */
    assert_int_equal(wishbone(&u, true, POLICY, 0xffffffff, 15), 0);
    assert_int_equal(wishbone(&u, false, POLICY, 0, 15), 3);
    wishbone(&u, true, POLICY, 1, 14); /* byte 0 not selected */
    assert_int_equal(wishbone(&u, false, POLICY, 0, 0), 3);
    wishbone(&u, true, POLICY, 1, 1);
    assert_int_equal(wishbone(&u, false, POLICY, 0, 0), 1);
    assert_int_equal(cover(&u, NBU_COV_policy_changed), 2);
    unit_reset(&u);
    unit_start(&u);
    assert_int_equal(wishbone(&u, false, POLICY, 0, 0), 2);
    unit_close(&u);
}

static void counters_saturate_and_clear(void **state) {
    struct config c = small();
    struct instruction i = {.op = OPC_int, .hint = 1};
    struct unit u;

    (void)state;
    c.regs_counter_bits = 8;
    open_ready(&u, &c);
    u.in.far_exec_ready = 1;
    for (int k = 0; k < 300; k++) {
        while (!(u.out->issue_ready & 1))
            step(&u);
        issue(&u, 0, 0, &i);
        if (k == 99)
            assert_int_equal(read_counter(&u, NBU_CNT_accepted), 100);
    }
    assert_int_equal(read_counter(&u, NBU_CNT_accepted), 255);
    assert_int_equal(read_counter(&u, NBU_CNT_went_far), 255);
    wishbone(&u, true, REG_CONTROL, 1, 14); /* byte 0 not selected */
    wishbone(&u, true, REG_CONTROL, 2, 15); /* bit 0 not set */
    assert_int_equal(read_counter(&u, NBU_CNT_accepted), 255);
    /* clear wins over the accept of the same edge */
    assert_true(u.out->issue_ready & 1);
    present(&u, 0, 0, &i);
    u.in.wb_cyc = u.in.wb_stb = u.in.wb_we = u.in.wb_sel = 1;
    u.in.wb_adr = REG_CONTROL;
    u.in.wb_dat_w = 1;
    step(&u);
    u.in.issue_valid = u.in.wb_cyc = u.in.wb_stb = 0;
    step(&u);
    assert_int_equal(read_counter(&u, NBU_CNT_accepted), 0);
    for (int k = 0; k < 10; k++)
        step(&u);
    assert_int_equal(read_counter(&u, NBU_CNT_went_far), 1);
    assert_int_equal(cover(&u, NBU_COV_counters_cleared), 1);
    unit_close(&u);
}

/* The bus has an owner from after the grant to its last beat; a stall is each
 * of these edges with somebody else waiting. */
static void bus_stall_counts_waiting_sources(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.nbu_lsu_burst = 4;
    open_ready(&u, &c);
    u.in.lsu_down_valid = 1;
    for (int k = 0; k < 10; k++)
        step(&u); /* two grants of four beats, nobody else */
    assert_int_equal(read_counter(&u, NBU_CNT_bus_stall), 0);
    u.in.lsu_down_valid = 0;
    step_until(&u, u.edge + 4);
    wishbone(&u, true, REG_CONTROL, 1, 15);
    u.in.lsu_down_valid = u.in.lsu_up_valid = 1;
    for (int k = 0; k < 10; k++)
        step(&u);
    u.in.lsu_down_valid = u.in.lsu_up_valid = 0;
    step_until(&u, u.edge + 2);
    assert_int_equal(read_counter(&u, NBU_CNT_bus_stall), 8);
    assert_int_equal(read_counter(&u, NBU_CNT_beats_lsu), 8);
    unit_close(&u);
}

/* Reset, broken environments --------------------------------------------- */

static void random_inputs(struct unit *u, uint64_t *seed) {
    uint64_t *word = (uint64_t *)&u->in;

    for (size_t i = 0; i < sizeof u->in / sizeof *word; i++)
        word[i] = random_bits(seed);
    /* else software would clear and change all the time */
    if (!one_in(seed, 50))
        u->in.wb_cyc = 0;
}

static void reset_forgets_everything(void **state) {
    struct config c = small();
    struct unit used, fresh;
    uint64_t seed = 5;

    (void)state;
    unit_open(&used, &c);
    unit_open(&fresh, &c);
    for (int k = 0; k < 3000; k++) {
        random_inputs(&used, &seed);
        unit_edge(&used);
    }
    unit_reset(&used);
    assert_memory_equal(used.out, fresh.out, sizeof *used.out);
    for (int k = 0; k < 3000; k++) {
        random_inputs(&used, &seed);
        fresh.in = used.in;
        unit_edge(&used);
        unit_edge(&fresh);
        assert_memory_equal(used.out, fresh.out, sizeof *used.out);
    }
    unit_close(&used);
    unit_close(&fresh);
}

static bool fits(const uint64_t *words, int n_words, int width) {
    for (int i = 0; i < n_words; i++) {
        int bits = width - 64 * i;
        if (words[i] & ~(bits <= 0 ? 0 : ones(bits)))
            return false;
    }
    return true;
}

static void assert_outputs_fit(const struct unit *u) {
    const struct design *d = golden_design(u->g);

    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        const char *at = (const char *)u->out + p->offset;
        if (p->dir == PORT_OUT &&
            !fits((const uint64_t *)(const void *)at, p->words, p->width))
            fail_msg("output '%s' has bits past its width", p->name);
    }
}

/* Completions of nothing, odd pairs, warps that do not exist, unstable fields:
 * the model must stand it, and no output may leave its width. */
static void broken_environment_does_no_harm(void **state) {
    static const int sizes[][7] = {
        /* warps, registers, lanes, width, tag, near queue, move queue */
        {2, 4, 4, 8, 1, 1, 1},       {5, 8, 8, 16, 3, 2, 3},
        {48, 64, 32, 64, 8, 4, 4},   {64, 256, 32, 1024, 16, 16, 16},
        {63, 32, 16, 512, 5, 16, 1}, {33, 16, 4, 128, 2, 3, 16},
    };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct config c;
        struct unit u;
        uint64_t seed = k + 1;
        config_defaults(&c);
        c.nbu_warps = sizes[k][0];
        c.nbu_registers = sizes[k][1];
        c.nbu_lanes = sizes[k][2];
        c.nbu_tsv_width = sizes[k][3];
        c.nbu_tag_bits = sizes[k][4];
        c.nbu_near_queue = sizes[k][5];
        c.nbu_move_queue = sizes[k][6];
        unit_open(&u, &c);
        for (int i = 0; i < 20000; i++) {
            random_inputs(&u, &seed);
            unit_edge(&u);
            if (i % 16 == 0)
                assert_outputs_fit(&u);
        }
        unit_close(&u);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_holds_the_bus_for_18_cycles),
        cmocka_unit_test(rows_and_predicates_at_every_width),
        cmocka_unit_test(narrow_row_appears_beat_by_beat),
        cmocka_unit_test(landing_register_is_not_overrun),
        cmocka_unit_test(instructions_wait_for_room_on_the_dram_die),
        cmocka_unit_test(requests_wait_for_room_on_the_dram_die),
        cmocka_unit_test(bursts_alternate),
        cmocka_unit_test(last_beat_and_gap_free_the_bus),
        cmocka_unit_test(round_robin_order),
        cmocka_unit_test(wishbone_takes_two_edges),
        cmocka_unit_test(identity_and_unused_addresses),
        cmocka_unit_test(policy_register),
        cmocka_unit_test(counters_saturate_and_clear),
        cmocka_unit_test(bus_stall_counts_waiting_sources),
        cmocka_unit_test(reset_forgets_everything),
        cmocka_unit_test(broken_environment_does_no_harm),
    };

    return cmocka_run_group_tests_name("test_nbu_bus", tests, NULL, NULL);
}
