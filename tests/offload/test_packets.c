/* test_packets.c - the offload controller's golden model: packets.
 *
 * Request packets flit by flit, the saved registers of probed blocks, and
 * acknowledgements to the release, from docs/blocks/offload.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

/* Request packets -------------------------------------------------------- */

/* Flit i of the row of a register, as FLIT_W bits at a time. */
static void expect_row_flit(const struct unit *u, uint64_t warp, uint64_t reg,
                            int i) {
    uint64_t row[16];
    int at = i * u->l.FLIT_W, from = 0;

    for (int k = 0; k < 16; k++)
        row[k] = row_word(warp, reg, k);
    for (int k = 0; k < u->l.FLIT_W; k++)
        assert_int_equal(extract(row, &at, 1),
                         extract(u->out->tx_data, &from, 1));
}

static void expect_header(const struct unit *u, uint64_t warp, uint64_t index,
                          uint64_t mask, const struct entry *e) {
    const uint64_t *w = u->out->tx_data;
    int at = 0, n_in = __builtin_popcountll(e->live_in);

    assert_int_equal(extract(w, &at, u->l.WARP_W), warp);
    assert_int_equal(extract(w, &at, u->l.INDEX_W), index);
    assert_int_equal(extract(w, &at, u->l.PC_W), e->begin_pc);
    assert_int_equal(extract(w, &at, u->l.PC_W), e->end_pc);
    assert_int_equal(extract(w, &at, u->l.LANES), mask);
    assert_int_equal(extract(w, &at, u->l.COUNT_W), n_in);
    assert_int_equal(at, u->l.HEAD_W);
    while (at < 1024)
        assert_int_equal(extract(w, &at, 1), 0);
    assert_int_equal(u->out->tx_head, 1);
    assert_int_equal(u->out->tx_last, e->live_in == 0);
}

/* Take a whole packet; the edges between its flits are those of the note. */
static void expect_packet(struct unit *u, uint64_t warp, uint64_t index,
                          uint64_t mask, const struct entry *e, int stack,
                          bool saved) {
    uint64_t left = e->live_in;

    step_until(u, tx_valid);
    expect_header(u, warp, index, mask, e);
    assert_int_equal(u->out->tx_stack, stack);
    step(u);
    while (left) {
        int reg = __builtin_ctzll(left);
        left &= left - 1;
        /* T_PICK, then T_READ and T_WAIT, or T_RESTORE before each flit */
        for (int i = 0; i < u->l.ROW_FLITS; i++) {
            int edges = i == 0 ? (saved ? 2 : 3) : (saved ? 1 : 0);
            for (int k = 0; k < edges; k++) {
                assert_int_equal(u->out->tx_valid, 0);
                assert_int_equal(u->out->tx_stack | u->out->tx_last, 0);
                step(u);
            }
            assert_int_equal(u->out->tx_valid, 1);
            assert_int_equal(u->out->tx_head, 0);
            assert_int_equal(u->out->tx_last, !left && i == u->l.ROW_FLITS - 1);
            assert_int_equal(u->out->tx_stack, stack);
            expect_row_flit(u, warp, (uint64_t)reg, i);
            step(u);
        }
    }
    assert_int_equal(u->out->tx_valid | u->out->tx_data[0], 0);
}

static void packet_edge_by_edge(void **state) {
    struct entry e = {
        .begin_pc = 0xabc, .end_pc = 0xdef, .live_in = 0x8041, .n_in = 3};
    struct unit u;
    long accept;

    (void)state;
    open_small(&u);
    load(&u, 5, &e);
    ask(&u, 7, 5, 0x100);
    accept = u.edge;
    step_until(&u, flush_valid);
    /* decided on accept + 5, jobs' output after + 6, T_IDLE on + 7 */
    assert_int_equal(u.edge - accept, 7);
    assert_int_equal(u.out->flush_warp, 7);
    u.in.flush_ready = 0;
    steps(&u, 4);
    assert_int_equal(u.out->flush_valid, 1);
    u.in.flush_ready = 1;
    step(&u);
    assert_int_equal(u.out->flush_valid | u.out->flush_warp, 0);
    /* T_FETCH, T_OPEN */
    step(&u);
    assert_int_equal(u.out->tx_valid, 0);
    step(&u);
    assert_int_equal(u.out->tx_valid, 1);
    expect_packet(&u, 7, 5, 0xff, &e, 2, false);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_tx_flits), 13);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_regs_sent), 3);
    assert_int_equal(cover(&u, OFFLOAD_COV_flush_blocked), 4);
    unit_close(&u);
}

static void packets_of_each_flit_width(void **state) {
    struct entry e = {.begin_pc = 5, .end_pc = 9, .live_in = 0x8001};
    /* lanes, flit bits, pc bits; a header is 17 + 2 PC + lanes bits */
    static const int size[][3] = {
        {4, 32, 5}, {8, 64, 12}, {8, 256, 32}, {32, 1024, 32}, {32, 128, 32},
    };

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = small();
        struct unit u;
        struct diag d = {0};
        c.offload_lanes = size[i][0];
        c.offload_flit_bits = size[i][1];
        c.offload_pc_bits = size[i][2];
        c.offload_address_bits = 24;
        assert_true(iface_check(&offload_iface, &c, &d));
        unit_open(&u, &c);
        unit_start(&u);
        load(&u, 5, &e);
        present(&u, 3, 5, 0xc, 0, false);
        step(&u);
        u.in.ask_valid = 0;
        expect_packet(&u, 3, 5, 0xc, &e, 0, false);
        unit_close(&u);
    }
}

static void packet_of_only_a_header(void **state) {
    struct entry e = {.begin_pc = 5, .end_pc = 9};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 5, &e);
    ask(&u, 3, 5, 0);
    expect_packet(&u, 3, 5, 0xff, &e, 0, false);
    assert_int_equal(cover(&u, OFFLOAD_COV_no_live_in), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_all_registers), 0);
    unit_close(&u);
}

static void packet_with_every_register(void **state) {
    struct entry e = {.begin_pc = 5, .live_in = 0xffff};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 5, &e);
    ask(&u, 3, 5, 0);
    expect_packet(&u, 3, 5, 0xff, &e, 0, false);
    assert_int_equal(cover(&u, OFFLOAD_COV_all_registers), 1);
    unit_close(&u);
}

/* Registers above 63 are found in the second word of a set. */
static void registers_of_the_largest_file(void **state) {
    struct config c = small();
    struct unit u;
    int at;

    (void)state;
    c.offload_registers = 128;
    unit_open(&u, &c);
    unit_start(&u);
    struct entry e = {.end_pc = 3};
    load(&u, 1, &e); /* then set live-ins 63, 64 and 127 by hand */
    at = u.l.VERDICT_W + 2 * u.l.PC_W + 63;
    append(u.in.load_entry, &at, 2, 3);
    at += 62;
    append(u.in.load_entry, &at, 1, 1);
    u.in.load_valid = 1;
    unit_edge(&u);
    u.in.load_valid = 0;
    ask(&u, 1, 1, 0);
    for (int i = 0; i < 3; i++) {
        static const int regs[] = {63, 64, 127};
        step_until(&u, reg_read_valid);
        assert_int_equal(u.out->reg_read_reg, regs[i]);
        step(&u);
    }
    step_until(&u, tx_last);
    expect_row_flit(&u, 1, 127, 3);
    unit_close(&u);
}

static void flits_wait_for_the_link(void **state) {
    struct entry e = {.begin_pc = 5, .end_pc = 9, .live_in = 0x21};
    struct unit u;
    uint64_t seed = 5;
    int flits = 0;

    (void)state;
    open_small(&u);
    load(&u, 5, &e);
    ask(&u, 3, 5, 0);
    for (int i = 0; flits < 9; i++) {
        assert_true(i < PATIENCE);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        u.in.tx_ready = seed >> 62 == 0;
        if (u.out->tx_valid && flits)
            expect_row_flit(&u, 3, flits > 4 ? 5 : 0, (flits - 1) % 4);
        flits += u.out->tx_valid && u.in.tx_ready;
        step(&u);
    }
    steps(&u, 20);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_tx_flits), 9);
    assert_true(cover(&u, OFFLOAD_COV_tx_blocked) > 0);
    unit_close(&u);
}

static void register_file_may_be_slow(void **state) {
    struct entry e = {.live_in = 0x10};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 5, &e);
    u.in.reg_read_ready = 0;
    ask(&u, 3, 5, 0);
    step_until(&u, reg_read_valid);
    unit_edge(&u);
    unit_edge(&u);
    assert_int_equal(u.out->reg_read_valid, 1);
    assert_int_equal(u.out->reg_read_reg, 4);
    u.in.reg_read_ready = 1;
    unit_edge(&u);
    assert_int_equal(
        u.out->reg_read_valid | u.out->reg_read_reg | u.out->reg_read_warp, 0);
    unit_edge(&u);
    unit_edge(&u);
    assert_int_equal(u.out->tx_valid, 0);
    u.in.reg_data_valid = 1;
    u.in.reg_data_row[0] = 0x1234;
    unit_edge(&u);
    assert_int_equal(u.out->tx_valid, 1);
    assert_int_equal(u.out->tx_data[0], 0x1234);
    unit_close(&u);
}

static void jobs_leave_in_order(void **state) {
    struct entry e[2] = {{.begin_pc = 1, .live_in = 3},
                         {.begin_pc = 2, .live_in = 4}};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &e[0]);
    load(&u, 1, &e[1]);
    u.in.tx_ready = 0;
    for (int w = 0; w < 6; w++)
        ask(&u, w, w & 1, (uint64_t)(w & 3) << 7);
    steps(&u, 30);
    u.in.tx_ready = 1;
    for (int w = 0; w < 6; w++)
        expect_packet(&u, (uint64_t)w, w & 1, 0xff, &e[w & 1], w & 3, false);
    unit_close(&u);
}

/* A probed block sends what its registers were when it was asked for. */
static void saved_registers_are_sent(void **state) {
    struct entry e = {
        .late = true, .begin_pc = 7, .end_pc = 8, .live_in = 0x4013};
    struct entry other = {.live_in = 0x100};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct config c = small();
        struct unit u;
        c.offload_lanes = k ? 4 : 8;
        c.offload_flit_bits = k ? 32 : 64;
        c.offload_pc_bits = k ? 4 : 12;
        c.offload_address_bits = 24;
        unit_open(&u, &c);
        unit_start(&u);
        load(&u, 5, &e);
        load(&u, 6, &other);
        ask(&u, 3, 5, 0);
        step_until(&u, first_ready);
        /* a job of another warp goes meanwhile and leaves them alone */
        ask(&u, 4, 6, 0);
        present(&u, 4, 6, 0xff, 0, false);
        u.in.ask_valid = 0;
        step_until(&u, tx_last);
        step(&u);
        u.in.first_valid = 1;
        u.in.first_address = 0x80;
        step(&u);
        u.in.first_valid = 0;
        u.in.reg_read_ready = 0; /* nobody reads the register file now */
        step_until(&u, flush_valid);
        expect_packet(&u, 3, 5, k ? 0xf : 0xff, &e, 1, true);
        unit_close(&u);
    }
}

/* Saving goes before jobs that wait. */
static void saving_goes_first(void **state) {
    struct entry e = {.late = true, .live_in = 2}, job = {.live_in = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &e);
    load(&u, 1, &job);
    u.in.tx_ready = 0;
    ask(&u, 1, 1, 0);
    ask(&u, 2, 1, 0);
    ask(&u, 3, 0, 0);
    steps(&u, 30);
    u.in.tx_ready = 1;
    step_until(&u, tx_last);
    step_until(&u, reg_read_valid);
    assert_int_equal(u.out->reg_read_warp, 3);
    step_until(&u, probe_valid);
    step_until(&u, tx_head);
    assert_int_equal(u.out->tx_data[0] & 7, 2);
    unit_close(&u);
}

/* Acknowledgements ------------------------------------------------------- */

static void expect_idle(const struct unit *u) {
    assert_int_equal(u->out->reg_write_valid | u->out->reg_write_warp |
                         u->out->reg_write_reg | u->out->reg_write_mask |
                         u->out->inval_valid | u->out->inval_line |
                         u->out->release_valid | u->out->release_warp |
                         u->out->release_pc,
                     0);
    for (int i = 0; i < 16; i++)
        assert_true(u->out->reg_write_row[i] == 0);
}

/* Offload a warp and let its packet leave. */
static void send_away(struct unit *u, int warp, int index, uint64_t address) {
    assert_int_equal(ask_answer(u, warp, index, address), 0);
    step_until(u, tx_last);
    step(u);
}

/* R_ROW, then R_WRITE with the register file ready on the third edge. */
static void row_comes_and_waits(struct unit *u, uint64_t reg) {
    long start = u->edge;

    assert_int_equal(u->out->ack_ready, 1);
    ack_row(u, 9, reg);
    assert_int_equal(u->edge - start, 4); /* R_ROW x 4 */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u->out->ack_ready, 0);
        assert_int_equal(u->out->reg_write_valid, 1);
        assert_int_equal(u->out->reg_write_warp, 7);
        assert_int_equal(u->out->reg_write_reg, reg);
        assert_int_equal(u->out->reg_write_mask, 0x5a);
        for (int w = 0; w < 4; w++)
            assert_true(u->out->reg_write_row[w] == row_word(9, reg, w));
        u->in.reg_write_ready = i == 2;
        step(u);
    }
    u->in.reg_write_ready = 0;
    expect_idle(u);
    step(u); /* R_NEXT */
}

/* R_LINE, then R_INVAL with the cache ready on the second edge. */
static void line_comes_and_waits(struct unit *u) {
    assert_int_equal(u->out->ack_ready, 1);
    ack_line(u, 0xfff000000 | 0x1abcdef);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(u->out->inval_valid, 1);
        assert_int_equal(u->out->inval_line, 0x1abcdef); /* 25 bits */
        u->in.inval_ready = i == 1;
        step(u);
    }
    u->in.inval_ready = 0;
    expect_idle(u);
    step(u); /* R_NEXT */
}

/* R_RELEASE with the warp ready on the third edge: away until then. */
static void release_waits(struct unit *u) {
    int stack;

    for (int i = 0; i < 3; i++) {
        assert_int_equal(u->out->release_valid, 1);
        assert_int_equal(u->out->release_warp, 7);
        assert_int_equal(u->out->release_pc, 0x5a5);
        assert_int_equal(offload_pending(u->g, 1), 1);
        assert_true(offload_away(u->g, 7, &stack));
        u->in.release_ready = i == 2;
        step(u);
    }
    expect_idle(u);
    assert_int_equal(u->out->ack_ready, 1);
    assert_int_equal(offload_pending(u->g, 1), 0);
    assert_false(offload_away(u->g, 7, &stack));
}

static void acknowledgement_edge_by_edge(void **state) {
    struct entry e = {.end_pc = 0x5a5, .live_out = 0x4004};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 6, &e);
    send_away(&u, 7, 6, 0x80);
    u.in.reg_write_ready = u.in.inval_ready = u.in.release_ready = 0;
    ack_head(&u, 7, 6, 0x5a, 2);  /* R_IDLE */
    for (int i = 0; i < 3; i++) { /* R_LOOK, R_OPEN, R_NEXT */
        assert_int_equal(u.out->ack_ready, 0);
        step(&u);
    }
    row_comes_and_waits(&u, 2);
    row_comes_and_waits(&u, 14);
    line_comes_and_waits(&u);
    line_comes_and_waits(&u);
    release_waits(&u);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_rx_flits), 11);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_regs_written), 2);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_invalidated), 2);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_released), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_write_blocked), 4);
    assert_int_equal(cover(&u, OFFLOAD_COV_inval_blocked), 2);
    assert_int_equal(cover(&u, OFFLOAD_COV_release_blocked), 2);
    assert_int_equal(cover(&u, OFFLOAD_COV_many_lines), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_no_live_out), 0);
    unit_close(&u);
}

static void acknowledgement_of_only_a_header(void **state) {
    struct entry e = {.end_pc = 0x5a5};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 6, &e);
    send_away(&u, 7, 6, 0x80);
    ack_head(&u, 7, 6, 0, 0);
    steps(&u, 3); /* R_LOOK, R_OPEN, R_NEXT */
    assert_int_equal(u.out->release_valid, 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_no_live_out), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_no_lines), 1);
    unit_close(&u);
}

static void acknowledgements_of_each_flit_width(void **state) {
    struct entry e = {.live_out = 0x8001};
    static const int size[][3] = {{4, 32, 5}, {8, 256, 32}, {32, 1024, 32}};

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = small();
        struct unit u;
        c.offload_lanes = size[i][0];
        c.offload_flit_bits = size[i][1];
        c.offload_pc_bits = size[i][2];
        unit_open(&u, &c);
        unit_start(&u);
        load(&u, 2, &e);
        send_away(&u, 1, 2, 0);
        u.in.reg_write_ready = 0;
        ack_head(&u, 1, 2, 0xf, 0);
        for (int k = 0; k < 2; k++) {
            ack_row(&u, 5, (uint64_t)k);
            step_until(&u, reg_write_valid);
            for (int w = 0; w < u.l.ROW_W / 64; w++)
                assert_true(u.out->reg_write_row[w] ==
                            row_word(5, (uint64_t)k, w));
            u.in.reg_write_ready = 1;
            step(&u);
            u.in.reg_write_ready = 0;
        }
        step_until(&u, release_valid);
        unit_close(&u);
    }
}

/* Read to its end, and changes nothing. */
static void stray_acknowledgement(void **state) {
    struct entry e = {.end_pc = 4, .live_out = 3};
    struct config c = small();
    struct unit u;
    long start;

    (void)state;
    c.offload_warps = 5;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 6, &e);
    send_away(&u, 1, 6, 0);
    for (int warp = 2; warp < 8; warp += 4) { /* 6 does not exist */
        ack_head(&u, warp, 6, 0xff, 2);
        start = u.edge;
        ack_row(&u, 0, 0);
        ack_row(&u, 0, 1);
        ack_line(&u, 1);
        ack_line(&u, 2);
        /* LOOK OPEN, NEXT ROWx4, NEXT ROWx4, NEXT LINE, NEXT LINE */
        assert_int_equal(u.edge - start, 16);
        expect_idle(&u);
        assert_int_equal(u.out->ack_ready, 0);
        step(&u); /* R_NEXT */
        assert_int_equal(u.out->ack_ready, 1);
    }
    assert_int_equal(offload_pending(u.g, 0), 1);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_stray), 2);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_released), 0);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_regs_written), 0);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_rx_flits), 22);
    assert_int_equal(cover(&u, OFFLOAD_COV_stray_ack), 2);
    /* the warp that is away still comes home */
    ack_head(&u, 1, 6, 0xff, 0);
    ack_row(&u, 1, 0);
    ack_row(&u, 1, 1);
    step_until(&u, release_valid);
    unit_close(&u);
}

/* Both engines want the packet memory: the acknowledgement waits an edge. */
static void metadata_is_read_by_one_at_a_time(void **state) {
    struct entry e = {.end_pc = 0x10, .live_in = 1};
    struct entry f = {.begin_pc = 5, .end_pc = 0x20};
    struct unit u;
    uint64_t flit[16] = {0 | 2 << 3}; /* warp 0, index 2 */

    (void)state;
    for (int shift = 0; shift < 2; shift++) {
        open_small(&u);
        load(&u, 2, &f);
        load(&u, 1, &e);
        send_away(&u, 0, 2, 0);
        ask(&u, 4, 1, 0); /* T_FETCH on accept + 9 */
        steps(&u, 7 + shift);
        ack_flit(&u, flit); /* header on accept + 8 (+ 9): R_LOOK on + 9 */
        steps(&u, 3);
        assert_int_equal(u.out->release_valid, shift);
        step(&u);
        assert_int_equal(cover(&u, OFFLOAD_COV_meta_contended), 1 - shift);
        if (!shift) {
            assert_int_equal(u.out->release_valid, 1);
            assert_int_equal(u.out->release_pc, 0x20);
        }
        unit_close(&u);
    }
}

/* The header's fields stay those of the job while the other engine reads. */
static void engines_keep_their_own_entry(void **state) {
    struct entry e = {.begin_pc = 0x11, .end_pc = 0x10, .live_in = 1};
    struct entry f = {.begin_pc = 5, .end_pc = 0x20};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    load(&u, 2, &f);
    send_away(&u, 0, 2, 0);
    u.in.tx_ready = u.in.release_ready = 0;
    ask(&u, 4, 1, 0);
    ack_head(&u, 0, 2, 0xff, 0);
    steps(&u, 20);
    assert_int_equal(u.out->release_pc, 0x20);
    assert_int_equal(u.out->tx_valid, 1);
    expect_header(&u, 4, 1, 0xff, &e);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packet_edge_by_edge),
        cmocka_unit_test(packets_of_each_flit_width),
        cmocka_unit_test(packet_of_only_a_header),
        cmocka_unit_test(packet_with_every_register),
        cmocka_unit_test(registers_of_the_largest_file),
        cmocka_unit_test(flits_wait_for_the_link),
        cmocka_unit_test(register_file_may_be_slow),
        cmocka_unit_test(jobs_leave_in_order),
        cmocka_unit_test(saved_registers_are_sent),
        cmocka_unit_test(saving_goes_first),
        cmocka_unit_test(acknowledgement_edge_by_edge),
        cmocka_unit_test(acknowledgement_of_only_a_header),
        cmocka_unit_test(acknowledgements_of_each_flit_width),
        cmocka_unit_test(stray_acknowledgement),
        cmocka_unit_test(metadata_is_read_by_one_at_a_time),
        cmocka_unit_test(engines_keep_their_own_entry),
    };

    return cmocka_run_group_tests_name("test_offload_packets", tests, NULL,
                                       NULL);
}
