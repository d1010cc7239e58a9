/* test_vault.c - the golden model of the banks with data against the formulas
 * of docs/blocks/vault.md: latency, addresses, order, turns, window, reset.
 *
 * Two units of two banks; rows of eight sectors of two words, eight rows of
 * each bank; lines of 32 bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/lsu_ext.h"
#include "blocks/vault.h"
#include "dram/rules.h"
#include "tests/common/diag_capture.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>

enum { UNITS = 2, BANKS = 2, COLUMNS = 8, WORDS = 2, LINE = 8 /* words */ };

struct rig {
    struct config c;
    struct vault_local l;
    struct golden *g;
    struct vault_in in;
    const struct vault_out *out;
    long now; /* edges since reset */
};

static void start(struct rig *r) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.vault_units = UNITS;
    r->c.vault_banks = BANKS;
    r->c.vault_rows = 8;
    r->c.vault_sector = 4 * WORDS;
    r->c.vault_line = 4 * LINE;
    r->c.vault_address_bits = 12;
    r->c.vault_places = 8;
    r->c.bank_open_rows = 2;
    r->c.bank_row_bits = 4;
    r->c.bank_column_bits = 3;
    r->c.bank_entries = 4;
    r->c.timing_refi = 0;
}

static void begin(struct rig *r) {
    r->l = vault_local(&r->c);
    r->g = golden_create(&vault_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
    r->in.mem_valid = r->in.win_valid = 0;
    r->now++;
}

/* A request that goes in on the next edge; strobe 0: a load. */
static void offer(struct rig *r, int unit, unsigned id, uint64_t sector,
                  unsigned strobe, uint32_t low, uint32_t high) {
    const struct vault_local *l = &r->l;
    struct vault_in *in = &r->in;
    assert_true(r->out->mem_ready >> unit & 1);
    if (!in->mem_valid) {
        memset(in->mem_id, 0, sizeof in->mem_id);
        memset(in->mem_address, 0, sizeof in->mem_address);
        memset(in->mem_strobe, 0, sizeof in->mem_strobe);
        in->mem_store = 0;
    }
    in->mem_valid |= bit(unit);
    in->mem_store |= (uint64_t)(strobe != 0) << unit;
    bits_or(in->mem_id, unit * l->ID_W, l->ID_W, id);
    bits_or(in->mem_address, unit * l->OWN_W, l->OWN_W, sector);
    bits_or(in->mem_strobe, unit * WORDS, WORDS, strobe);
    bits_set_lane(in->mem_data, unit * WORDS, low);
    bits_set_lane(in->mem_data, unit * WORDS + 1, high);
}

static uint64_t sector_at(int row, int bank, int column) {
    return (uint64_t)((row * BANKS + bank) * COLUMNS + column);
}

static unsigned id_of(const struct rig *r, int unit) {
    return (unsigned)bits_get(r->out->rsp_id, unit * r->l.ID_W, r->l.ID_W);
}

/* Edges until the unit responds. */
static long response(struct rig *r, int unit, unsigned id) {
    long first = r->now;
    do {
        edge(r);
        assert_true(r->now < first + 500);
    } while (!(r->out->rsp_valid >> unit & 1));
    assert_int_equal(id_of(r, unit), id);
    return r->now - first;
}

static void expect_data(const struct rig *r, int unit, uint32_t low,
                        uint32_t high) {
    assert_int_equal(bits_lane(r->out->rsp_data, unit * WORDS), low);
    assert_int_equal(bits_lane(r->out->rsp_data, unit * WORDS + 1), high);
}

/* Edges until a bank gives a command, which has to be of a kind. */
static long command(struct rig *r, int bank, enum dram_kind kind) {
    long first = r->now;
    do {
        edge(r);
        assert_true(r->now < first + 500);
    } while (!bits_test(r->out->cmd_valid, bank));
    assert_int_equal(bits_get(r->out->cmd_kind, bank * 3, 3), kind);
    return r->now - first;
}

static void idle(struct rig *r) {
    for (int i = 0; i < 200; i++)
        edge(r);
}

/* --- latency -------------------------------------------------------------- */

/* Of edge t the first that is counted is t itself: after t + 2 is three. */
static void test_latency(void **state) {
    static const int cl[] = {1, 14};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig r;
        start(&r);
        r.c.timing_cl = cl[i];
        r.c.timing_cwl = 1 + 8 * i;
        r.c.timing_bl = 2;
        begin(&r);
        int load = cl[i] + 2 > 4 ? cl[i] + 2 : 4;
        int store = r.c.timing_cwl + 2 > 4 ? r.c.timing_cwl + 2 : 4;
        assert_int_equal(r.l.READ_D, load);
        offer(&r, 0, 5, sector_at(3, 1, 6), 3, 0x11, 0x22);
        assert_int_equal(command(&r, 1, DRAM_ACT), 3);
        assert_int_equal(command(&r, 1, DRAM_WR), r.c.timing_rcd);
        assert_int_equal(response(&r, 0, 5), store);
        expect_data(&r, 0, 0, 0);
        idle(&r);
        offer(&r, 0, 6, sector_at(3, 1, 6), 0, 0, 0);
        assert_int_equal(command(&r, 1, DRAM_RD), 3);
        assert_int_equal(response(&r, 0, 6), load);
        expect_data(&r, 0, 0x11, 0x22);
        edge(&r);
        assert_int_equal(r.out->rsp_valid, 0);
        expect_data(&r, 0, 0, 0);
        golden_free(r.g);
    }
}

/* --- addresses ------------------------------------------------------------ */

static void test_addresses(void **state) {
    (void)state;
    for (int row = 0; row < 8; row += 3)
        for (int bank = 0; bank < BANKS; bank++) {
            struct rig r;
            start(&r);
            begin(&r);
            offer(&r, 1, 0, sector_at(row, bank, 5), 0, 0, 0);
            int at = BANKS + bank; /* those of unit 0 come first */
            command(&r, at, DRAM_ACT);
            assert_int_equal(bits_get(r.out->cmd_row, at * 4, 4), row);
            assert_int_equal(bits_get(r.out->cmd_buffer, at, 1), row % 2);
            command(&r, at, DRAM_RD);
            assert_int_equal(bits_get(r.out->cmd_column, at * 3, 3), 5);
            golden_free(r.g);
        }
}

/* Sectors that follow each other open each row once, of all banks. */
static void test_stream(void **state) {
    struct rig r;
    int opened = 0, responses = 0, sent = 0;
    (void)state;
    start(&r);
    begin(&r);
    while (responses < 4 * COLUMNS) {
        if (sent < 4 * COLUMNS && r.out->mem_ready & 1) {
            offer(&r, 0, (unsigned)sent % 16, (uint64_t)sent, 0, 0, 0);
            sent++;
        }
        edge(&r);
        for (int b = 0; b < BANKS; b++)
            opened += bits_test(r.out->cmd_valid, b) &&
                      bits_get(r.out->cmd_kind, b * 3, 3) == DRAM_ACT;
        responses += r.out->rsp_valid & 1;
        assert_true(r.now < 2000);
    }
    assert_int_equal(opened, 4);
    golden_free(r.g);
}

/* --- order and data ------------------------------------------------------- */

/* A sector's requests are carried out in their order; of others of its bank
 * the one whose row is open first. */
static void test_order(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    begin(&r);
    offer(&r, 0, 1, sector_at(0, 0, 0), 3, 1, 2);
    response(&r, 0, 1);
    offer(&r, 0, 2, sector_at(2, 0, 0), 3, 7, 8); /* the row cannot be closed */
    edge(&r);
    offer(&r, 0, 3, sector_at(0, 0, 0), 2, 0, 5);
    edge(&r);
    offer(&r, 0, 4, sector_at(0, 0, 0), 0, 0, 0);
    response(&r, 0, 3);
    response(&r, 0, 4);
    expect_data(&r, 0, 1, 5); /* word 0 without a strobe */
    response(&r, 0, 2);
    golden_free(r.g);
}

static void test_beyond(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    begin(&r);
    offer(&r, 1, 9, sector_at(0, 0, 1), 3, 3, 4);
    response(&r, 1, 9);
    offer(&r, 1, 8, sector_at(8, 0, 1), 3, 5, 6);
    assert_int_equal(response(&r, 1, 8), 3);
    assert_int_equal(r.out->rsp_fault, 2);
    offer(&r, 1, 7, sector_at(0, 0, 1), 0, 0, 0);
    response(&r, 1, 7);
    assert_int_equal(r.out->rsp_fault, 0);
    expect_data(&r, 1, 3, 4);
    golden_free(r.g);
}

/* --- turns ---------------------------------------------------------------- */

/* Two banks whose data come on one edge respond one behind the other, and with
 * a word of the host the third is that. */
static void test_turns(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    begin(&r);
    for (int bank = 0; bank < BANKS; bank++) {
        offer(&r, 0, 0, sector_at(0, bank, 0), 3, (uint32_t)bank, 0);
        response(&r, 0, 0);
    }
    idle(&r);
    offer(&r, 0, 1, sector_at(0, 0, 0), 0, 0, 0);
    edge(&r);
    offer(&r, 0, 2, sector_at(0, 1, 0), 0, 0, 0);
    long first = response(&r, 0, 1);
    assert_int_equal(response(&r, 0, 2), 1);
    assert_int_equal(first, 3 + r.l.READ_D - 1);
    idle(&r);
    /* the word is taken when both are due, and bank 0 comes first */
    offer(&r, 0, 3, sector_at(0, 0, 0), 0, 0, 0);
    edge(&r);
    offer(&r, 0, 4, sector_at(0, 1, 0), 0, 0, 0);
    for (int i = 0; i < r.l.READ_D; i++)
        edge(&r);
    r.in.win_valid = 1;
    r.in.win_write = 0;
    r.in.win_address = 0;
    edge(&r); /* bank 0 is chosen, the word is held */
    assert_int_equal(r.out->win_ready, 0);
    assert_int_equal(response(&r, 0, 3), 1);
    assert_int_equal(response(&r, 0, 4), 1);
    assert_int_equal(r.out->read_valid, 0);
    edge(&r);
    assert_int_equal(r.out->read_valid, 1);
    golden_free(r.g);
}

/* As many requests as there are places, and one in the entry. */
static void test_places(void **state) {
    struct rig r;
    int taken = 0;
    (void)state;
    start(&r);
    r.c.timing_rcd = 100;
    r.c.timing_ras = r.c.timing_rc = 150;
    begin(&r);
    for (int i = 0; i < 50; i++) {
        if (r.out->mem_ready & 1) {
            offer(&r, 0, (unsigned)i % 16, sector_at(0, i % 2, i / 2 % 8), 0, 0,
                  0);
            taken++;
        }
        edge(&r);
    }
    assert_int_equal(taken, 9);
    assert_int_equal(r.out->mem_ready, 2);
    golden_free(r.g);
}

/* A full bank holds up the entry, and so one request for it and what is behind
 * that. */
static void test_full_bank(void **state) {
    struct rig r;
    int taken = 0;
    (void)state;
    start(&r);
    r.c.timing_rcd = 100;
    r.c.timing_ras = r.c.timing_rc = 150;
    begin(&r);
    for (int i = 0; i < 50; i++) {
        if (r.out->mem_ready & 1)
            offer(&r, 0, (unsigned)taken++, sector_at(0, 0, i % 8), 0, 0, 0);
        edge(&r);
    }
    assert_int_equal(taken, 5);
    golden_free(r.g);
}

/* --- window --------------------------------------------------------------- */

static void word(struct rig *r, bool write, uint64_t address, uint32_t data) {
    assert_int_equal(r->out->win_ready, 1);
    r->in.win_valid = 1;
    r->in.win_write = write;
    r->in.win_address = address;
    r->in.win_data = data;
    edge(r);
    assert_int_equal(r->out->win_ready, 0);
    edge(r);
    assert_int_equal(r->out->win_ready, 1);
    assert_int_equal(r->out->read_valid, 0);
    edge(r);
    assert_int_equal(r->out->read_valid, !write);
}

/* Lines of eight words in turn over the units. */
static void test_window(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    begin(&r);
    for (uint32_t w = 0; w < 64; w++)
        word(&r, true, w, 100 + w);
    for (uint32_t w = 0; w < 64; w++) {
        word(&r, false, w, 0);
        assert_int_equal(r.out->read_data, 100 + w);
    }
    for (int unit = 0; unit < UNITS; unit++)
        for (uint64_t own = 0; own < 16; own++) { /* sectors, four a line */
            uint32_t first =
                (uint32_t)((own / 4 * UNITS + (uint64_t)unit) * LINE +
                           own % 4 * WORDS);
            offer(&r, unit, 1, own, 0, 0, 0);
            response(&r, unit, 1);
            expect_data(&r, unit, 100 + first, 101 + first);
        }
    golden_free(r.g);
}

static void test_window_beyond(void **state) {
    uint64_t words = UNITS * 8 * BANKS * COLUMNS * WORDS;
    struct rig r;
    (void)state;
    start(&r);
    begin(&r);
    word(&r, true, 0, 1);
    word(&r, true, words - 1, 2);
    word(&r, true, words, 3);
    word(&r, true, bit(29), 4);
    word(&r, false, words, 0);
    assert_int_equal(r.out->read_data, 0);
    word(&r, false, words - 1, 0);
    assert_int_equal(r.out->read_data, 2);
    word(&r, false, 0, 0);
    assert_int_equal(r.out->read_data, 1);
    golden_free(r.g);
}

/* --- reset ---------------------------------------------------------------- */

/* What is stored stays; what was chosen on the edge before is not. */
static void test_reset(void **state) {
    (void)state;
    for (int early = 0; early < 2; early++) {
        struct rig r;
        start(&r);
        begin(&r);
        word(&r, true, 3, 33);
        offer(&r, 0, 1, 1, 2, 0, 44);
        command(&r, 0, DRAM_ACT);
        command(&r, 0, DRAM_WR);
        for (int i = 0; i < r.l.WRITE_D - early; i++)
            edge(&r);
        assert_int_equal(r.out->rsp_valid, !early);
        r.out = golden_cycle(r.g, true, &r.in);
        assert_int_equal(r.out->rsp_valid, 0);
        assert_int_equal(r.out->mem_ready, 3);
        word(&r, false, 3, 0);
        assert_int_equal(r.out->read_data, early ? 33 : 44);
        for (int i = 0; i < 300; i++) {
            edge(&r);
            assert_int_equal(r.out->rsp_valid, 0);
        }
        golden_free(r.g);
    }
}

/* --- configuration -------------------------------------------------------- */

/* Sizes of the presets are those of who stands before it. */
static void test_presets(void **state) {
    static const char *const presets[] = {"mpu", "small"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_true(config_preset(&c, presets[i], &d));
        struct vault_local v = vault_local(&c);
        struct lsu_ext_local x = lsu_ext_local(&c);
        assert_int_equal(v.OWN_W, x.OWN_W);
        assert_int_equal(v.ID_W, x.TAG_W);
        assert_int_equal(v.UNITS, x.UNITS);
        assert_int_equal(v.WORDS, x.WORDS);
        assert_int_equal(v.LINE, x.LINE);
        assert_true(v.PLACES >= x.ROWS * x.SPAN + x.ANSWERS);
        diag_free(&d);
    }
}

static void test_bounds(void **state) {
    static const struct {
        const char *words[4], *says;
    } bad[] = {
        {{"vault.rows=16384"}, "'vault.rows' must be at most the rows"},
        {{"vault.address_bits=8"}, "'vault.address_bits' must be enough"},
        {{"vault.address_bits=27"}, "at most the 30 bits"},
        {{"bank.id_bits=4"}, "'vault.places' must be at most"},
        {{"vault.line=16"}, "'vault.line' must be a sector"},
        {{"vault.rows=8192", "vault.banks=8", "bank.column_bits=9",
          "vault.address_bits=25"},
         "at most 16777216 sectors"},
        {{"vault.rows=2", "bank.column_bits=1", "vault.line=4096"},
         "at most a unit's memory"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        for (int i = 0; i < 4 && bad[n].words[i]; i++)
            assert_true(config_set(&c, bad[n].words[i], &d));
        assert_false(iface_check(&vault_iface, &c, &d));
        char *text = diag_captured(&d);
        if (!strstr(text, bad[n].says))
            fail_msg("'%s' is not in '%s'", bad[n].says, text);
        free(text);
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency), cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_stream),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_beyond),  cmocka_unit_test(test_turns),
        cmocka_unit_test(test_places),  cmocka_unit_test(test_full_bank),
        cmocka_unit_test(test_window),  cmocka_unit_test(test_window_beyond),
        cmocka_unit_test(test_reset),   cmocka_unit_test(test_presets),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests_name("test_vault", tests, NULL, NULL);
}
