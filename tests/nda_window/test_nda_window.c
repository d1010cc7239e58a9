/* test_nda_window.c - the golden model of the memory-mapped packets, as
 * docs/blocks/nda_window.md has it: a packet word by word, each refusal by
 * hand, the queues edge by edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/nda_window.h"
#include "nda_window/nda_window.h"
#include "nda_window/packet.h"
#include "tests/common/diag_capture.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 64, ROW = 128 * COLUMN, BANKS = 2 * 65536 * ROW };

struct unit {
    struct golden *g;
    struct nda_window_in in;
    const struct nda_window_out *out;
};

static int setup(void **state) {
    static struct unit u;
    struct config c;
    config_defaults(&c);
    memset(&u, 0, sizeof u);
    u.g = golden_create(&nda_window_golden, &c);
    u.out = golden_cycle(u.g, true, NULL);
    *state = &u;
    return 0;
}

static int teardown(void **state) {
    golden_free(((struct unit *)*state)->g);
    return 0;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* The edge of the access, and the one that ends it. */
static void write_at(struct unit *u, int adr, uint32_t data) {
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 1;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = 15;
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 0;
    edge(u);
}

static void set(struct unit *u, int setting, uint32_t value) {
    write_at(u, REG_FIRST + setting, value);
}

static void command(struct unit *u, int n) {
    write_at(u, iface_first_command(&nda_window_iface) + n, 0xffffffff);
}

static uint32_t status(struct unit *u, int n) {
    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_adr = (uint64_t)(iface_first_status(&nda_window_iface) + n);
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = 0;
    uint32_t value = (uint32_t)u->out->wb_dat_r;
    edge(u);
    return value;
}

static uint32_t launch(struct unit *u) {
    command(u, NDA_WINDOW_COM_launch);
    return status(u, NDA_WINDOW_STA_answer);
}

/* AXPBY of two rows in both ranks: operands in rows 10, 20, 30, 40. */
static void good(struct unit *u) {
    set(u, NDA_WINDOW_SET_what, 0x00a510);
    set(u, NDA_WINDOW_SET_length, 2 * ROW);
    set(u, NDA_WINDOW_SET_grain, ROW);
    set(u, NDA_WINDOW_SET_ranks, 0x3333);
    for (int k = 0; k < 4; k++) {
        uint32_t first = (uint32_t)(10 * (k + 1)) * ROW;
        set(u, NDA_WINDOW_SET_x + k, first);
        set(u, NDA_WINDOW_SET_x_last + k, first + 2 * ROW - COLUMN);
    }
    set(u, NDA_WINDOW_SET_a, 0x3f800000);
    set(u, NDA_WINDOW_SET_b, 0xbf800000);
    set(u, NDA_WINDOW_SET_c, 0x12345678);
}

/* --- a packet ------------------------------------------------------------- */

static void test_packet(void **state) {
    struct unit *u = *state;
    good(u);
    assert_int_equal(u->out->op_valid, 0);
    assert_int_equal(launch(u), NDA_WINDOW_NONE);
    assert_int_equal(u->out->op_valid, 1);
    assert_int_equal(u->out->op_op, 0);
    assert_int_equal(u->out->op_blocking, 1);
    assert_int_equal(u->out->op_tag, 0xa5);
    assert_int_equal(u->out->op_ranks, 3);
    assert_int_equal(u->out->op_length, 256);
    assert_int_equal(u->out->op_grain, 128);
    for (int k = 0; k < 4; k++) {
        uint64_t first = (uint64_t)(10 * (k + 1)) << 7;
        assert_true(bits_get(u->out->op_base, k * 24, 24) == first);
        assert_true(bits_get(u->out->op_last, k * 24, 24) == first + 255);
    }
    assert_int_equal(bits_lane(u->out->op_scalars, 0), 0x3f800000);
    assert_int_equal(bits_lane(u->out->op_scalars, 1), 0xbf800000);
    assert_int_equal(bits_lane(u->out->op_scalars, 2), 0x12345678);
    u->in.op_ready = 1;
    edge(u);
    assert_int_equal(u->out->op_valid | u->out->op_tag | u->out->op_length, 0);
}

/* The rows of a matrix are one packet, and y is not looked at. */
static void test_gemv(void **state) {
    struct unit *u = *state;
    good(u);
    set(u, NDA_WINDOW_SET_what, 0xff0008);
    set(u, NDA_WINDOW_SET_y, 1);
    set(u, NDA_WINDOW_SET_ranks, 0x1102);
    assert_int_equal(launch(u), NDA_WINDOW_APART);
    set(u, NDA_WINDOW_SET_ranks, 0x1212);
    assert_int_equal(launch(u), NDA_WINDOW_NONE);
    assert_int_equal(u->out->op_rows, 255);
    assert_int_equal(u->out->op_ranks, 2);
    assert_int_equal(u->out->op_blocking, 0);
}

/* What packet.h writes of an operation comes out as that operation. */
static void test_words(void **state) {
    struct unit *u = *state;
    struct nda_launch_in op = {.op_op = 1,
                               .op_ranks = 2,
                               .op_length = 77,
                               .op_grain = 5,
                               .op_rows = 9,
                               .op_blocking = 1,
                               .op_tag = 0xc3};
    uint32_t word[PACKET_WORDS];
    for (int k = 0; k < 4; k++) {
        bits_or(op.op_base, k * 24, 24, 0x7fff00u + (unsigned)k);
        bits_or(op.op_last, k * 24, 24, 0x2aaaa0u + (unsigned)k);
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(op.op_scalars, i, 0x81234567u << i);
    packet_words(&op, 24, word);
    for (int i = 0; i < PACKET_WORDS; i++)
        set(u, i, word[i]);
    assert_int_equal(launch(u), NDA_WINDOW_NONE);
    assert_int_equal(u->out->op_op, 1);
    assert_int_equal(u->out->op_ranks, 2);
    assert_int_equal(u->out->op_length, 77);
    assert_int_equal(u->out->op_grain, 5);
    assert_int_equal(u->out->op_rows, 9);
    assert_int_equal(u->out->op_blocking, 1);
    assert_int_equal(u->out->op_tag, 0xc3);
    assert_memory_equal(u->out->op_base, op.op_base, sizeof op.op_base);
    assert_memory_equal(u->out->op_last, op.op_last, sizeof op.op_last);
    assert_memory_equal(u->out->op_scalars, op.op_scalars,
                        sizeof op.op_scalars);
}

/* --- refusals ------------------------------------------------------------- */

static void test_refused(void **state) {
    static const struct {
        int setting;
        uint32_t value, answer;
    } bad[] = {
        {NDA_WINDOW_SET_what, 9, NDA_WINDOW_OPERATION},
        {NDA_WINDOW_SET_what, 15, NDA_WINDOW_OPERATION},
        {NDA_WINDOW_SET_what, 8, NDA_WINDOW_EMPTY},
        {NDA_WINDOW_SET_length, 0, NDA_WINDOW_EMPTY},
        {NDA_WINDOW_SET_length, ROW + 32, NDA_WINDOW_ALIGN},
        {NDA_WINDOW_SET_grain, 1, NDA_WINDOW_ALIGN},
        {NDA_WINDOW_SET_x, 8, NDA_WINDOW_ALIGN},
        {NDA_WINDOW_SET_z_last, 63, NDA_WINDOW_ALIGN},
        {NDA_WINDOW_SET_length, BANKS, NDA_WINDOW_RANGE},
        {NDA_WINDOW_SET_grain, BANKS, NDA_WINDOW_RANGE},
        {NDA_WINDOW_SET_y, BANKS, NDA_WINDOW_RANGE},
        {NDA_WINDOW_SET_x_last, 0x80000000, NDA_WINDOW_RANGE},
        {NDA_WINDOW_SET_ranks, 0x0000, NDA_WINDOW_APART},
        {NDA_WINDOW_SET_ranks, 0x0123, NDA_WINDOW_APART},
        {NDA_WINDOW_SET_ranks, 0x0133, NDA_WINDOW_APART},
        {NDA_WINDOW_SET_ranks, 0x4444, NDA_WINDOW_APART}, /* of two ranks */
        {NDA_WINDOW_SET_w, 8, NDA_WINDOW_NONE},           /* it has no w */
        {NDA_WINDOW_SET_ranks, 0x0333, NDA_WINDOW_NONE},
        {NDA_WINDOW_SET_x, BANKS - COLUMN, NDA_WINDOW_NONE},
    };
    struct unit *u = *state;
    u->in.op_ready = 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        good(u);
        set(u, bad[i].setting, bad[i].value);
        uint32_t answer = launch(u);
        if (answer != bad[i].answer)
            fail_msg("packet %d: answer %u, expected %u", (int)i, answer,
                     bad[i].answer);
    }
    assert_int_equal(golden_counter(u->g, NDA_WINDOW_CNT_refused), 16);
    assert_int_equal(golden_counter(u->g, NDA_WINDOW_CNT_launched), 3);
}

/* SLOTS packets wait beside the one that stands; they go in their order. */
static void test_full(void **state) {
    struct unit *u = *state;
    good(u);
    for (uint32_t tag = 0; tag < 5; tag++) {
        assert_int_equal(status(u, NDA_WINDOW_STA_state) & 16, 16);
        set(u, NDA_WINDOW_SET_what, tag << 8);
        assert_int_equal(launch(u), NDA_WINDOW_NONE);
    }
    u->in.busy = 2;
    assert_int_equal(status(u, NDA_WINDOW_STA_state), 64 + 2);
    assert_int_equal(launch(u), NDA_WINDOW_FULL);
    u->in.op_ready = 1;
    for (uint32_t tag = 0; tag < 5; tag++) {
        assert_int_equal(u->out->op_valid, 1);
        assert_int_equal(u->out->op_tag, tag);
        edge(u);
    }
    assert_int_equal(u->out->op_valid, 0);
    assert_int_equal(launch(u), NDA_WINDOW_NONE);
}

/* --- ends ----------------------------------------------------------------- */

static void end(struct unit *u, uint64_t rank, bool final, uint64_t value) {
    u->in.done_valid = 1;
    u->in.done_rank = rank;
    u->in.done_tag = 0x77;
    u->in.done_final = final;
    u->in.done_cause = 1;
    u->in.done_value = value;
    edge(u);
    u->in.done_valid = 0;
}

static void test_ends(void **state) {
    struct unit *u = *state;
    command(u, NDA_WINDOW_COM_take); /* nothing is there */
    assert_int_equal(status(u, NDA_WINDOW_STA_end), 0);
    end(u, 1, false, 0xdeadbeef);
    assert_int_equal(u->out->notice, 0);
    end(u, 1, true, 2);
    assert_int_equal(u->out->notice, 1);
    end(u, 0, true, 3);
    assert_int_equal(status(u, NDA_WINDOW_STA_completed), 0x0101);
    assert_int_equal(status(u, NDA_WINDOW_STA_end), 0x7715);
    assert_int_equal(status(u, NDA_WINDOW_STA_value), 0xdeadbeef);
    command(u, NDA_WINDOW_COM_take);
    assert_int_equal(status(u, NDA_WINDOW_STA_end), 0x7717);
    command(u, NDA_WINDOW_COM_take);
    assert_int_equal(status(u, NDA_WINDOW_STA_end), 0x7707);
    assert_int_equal(status(u, NDA_WINDOW_STA_value), 3);
    command(u, NDA_WINDOW_COM_take);
    assert_int_equal(u->out->notice, 0);
    assert_int_equal(status(u, NDA_WINDOW_STA_end), 0);
    assert_int_equal(golden_counter(u->g, NDA_WINDOW_CNT_told), 3);
}

/* ENDS wait beside the one that is shown; then the launch has to. */
static void test_ends_full(void **state) {
    struct unit *u = *state;
    for (uint64_t i = 0; i < 17; i++) {
        assert_int_equal(u->out->done_ready, 1);
        end(u, 0, true, i);
    }
    assert_int_equal(u->out->done_ready, 0);
    end(u, 0, true, 99); /* not taken */
    assert_int_equal(status(u, NDA_WINDOW_STA_completed), 17);
    for (uint32_t i = 0; i < 17; i++) {
        assert_int_equal(status(u, NDA_WINDOW_STA_value), i);
        command(u, NDA_WINDOW_COM_take);
    }
    assert_int_equal(u->out->notice, 0);
    for (int i = 17; i < 256; i++) {
        end(u, 0, true, 0);
        command(u, NDA_WINDOW_COM_take);
    }
    assert_int_equal(status(u, NDA_WINDOW_STA_completed), 0);
}

static void test_reset(void **state) {
    struct unit *u = *state;
    good(u);
    launch(u);
    set(u, NDA_WINDOW_SET_what, 15);
    launch(u);
    end(u, 0, true, 5);
    end(u, 0, true, 6);
    u->out = golden_cycle(u->g, true, &u->in);
    assert_int_equal(u->out->op_valid | u->out->notice, 0);
    assert_int_equal(u->out->done_ready, 1);
    for (int n = 1; n < NDA_WINDOW_N_STATUSES; n++)
        assert_int_equal(status(u, n), 0);
    assert_int_equal(status(u, NDA_WINDOW_STA_state), 16);
}

/* --- configuration -------------------------------------------------------- */

static void refused(const char *a, const char *b, const char *says) {
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(config_set(&c, a, &d));
    assert_true(config_set(&c, b, &d));
    assert_false(iface_check(&nda_window_iface, &c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, says));
    free(got);
    diag_free(&d);
}

static void test_bounds(void **state) {
    (void)state;
    refused("dram.ranks=8", "nda_window.ends=1", "'dram.ranks' must be 2 or 4");
    refused("dram.row_bits=20", "dram.column_bits=7", "26 or less together");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_packet, setup, teardown),
        cmocka_unit_test_setup_teardown(test_gemv, setup, teardown),
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ends_full, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reset, setup, teardown),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
