/* test_stim.c - the environment of the banks with data notices what model and
 * RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/vault.h"
#include "vault/stim.h"
#include "vault/vault.h"

#define LIAR_BLOCK vault
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target vault --preset small --cycles 60000";
static const char wide[] = "--target vault --preset mpu --cycles 60000";

enum { ID_W = 5, OWN_W = 25, WORDS = 2 }; /* of preset small */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "vault.units=2",        "vault.units=16",   "vault.banks=8",
        "vault.rows=2",         "vault.sector=32",  "vault.line=128",
        "vault.id_bits=2",      "bank.open_rows=1", "bank.open_rows=4",
        "timing.cl=1",          "timing.cwl=30",    "timing.refi=600",
        "vault.address_bits=7",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target vault --preset small --cycles 20000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- responses ------------------------------------------------------------ */

static void other_data(struct liar *l, struct vault_out *o) {
    (void)l;
    o->rsp_data[0] ^= o->rsp_valid & 1;
}

static void other_id(struct liar *l, struct vault_out *o) {
    (void)l;
    o->rsp_id[0] ^= (o->rsp_valid & 1) * 15;
}

static void no_fault(struct liar *l, struct vault_out *o) {
    (void)l;
    o->rsp_fault = 0;
}

static void a_fault(struct liar *l, struct vault_out *o) {
    (void)l;
    o->rsp_fault |= o->rsp_valid & 1;
}

static void lost(struct liar *l, struct vault_out *o) {
    (void)l;
    if (!(o->rsp_valid & 1))
        return;
    o->rsp_valid &= ~bit(0);
    o->rsp_fault &= ~bit(0);
    o->rsp_id[0] &= ~ones(ID_W);
    o->rsp_data[0] = 0;
}

static void twice(struct liar *l, struct vault_out *o) {
    if (!(l->last.rsp_valid & 1) || o->rsp_valid & 1)
        return;
    o->rsp_valid |= 1;
    o->rsp_id[0] |= l->last.rsp_id[0] & ones(ID_W);
}

static void not_zero(struct liar *l, struct vault_out *o) {
    (void)l;
    if (!(o->rsp_valid & 1))
        o->rsp_data[0] = 1;
}

static void test_responses(void **state) {
    (void)state;
    expect_caught(other_data, small, "unit 0: word 0 of request");
    expect_caught(other_id, small, "unit 0: ");
    expect_caught(no_fault, small, "has no fault");
    expect_caught(a_fault, small, "has a fault");
    expect_caught(lost, small, "could be answered, and nothing is");
    expect_caught(twice, small, "a response to nobody");
    expect_caught(not_zero, small, "shows something without a response");
}

/* --- commands ------------------------------------------------------------- */

static void other_row(struct liar *l, struct vault_out *o) {
    (void)l;
    o->cmd_row[0] ^= (o->cmd_valid[0] & 1) && (o->cmd_kind[0] & 7) == 3 ? 2 : 0;
}

static void other_column(struct liar *l, struct vault_out *o) {
    (void)l;
    o->cmd_column[0] ^= (o->cmd_valid[0] & 1) && (o->cmd_kind[0] & 7) == 3;
}

/* Reads are told as writes. */
static void other_kind(struct liar *l, struct vault_out *o) {
    (void)l;
    if (o->cmd_valid[0] & 1 && (o->cmd_kind[0] & 7) == 3)
        o->cmd_kind[0] ^= 6;
}

static void no_activate(struct liar *l, struct vault_out *o) {
    (void)l;
    if (o->cmd_valid[0] & 1 && (o->cmd_kind[0] & 7) == 0) {
        o->cmd_valid[0] &= ~bit(0);
        o->cmd_row[0] &= ~ones(4);
        o->cmd_buffer[0] &= ~bit(0);
    }
}

static void no_commands(struct liar *l, struct vault_out *o) {
    (void)l;
    memset(o->cmd_valid, 0, sizeof o->cmd_valid);
    memset(o->cmd_kind, 0, sizeof o->cmd_kind);
    memset(o->cmd_buffer, 0, sizeof o->cmd_buffer);
    memset(o->cmd_row, 0, sizeof o->cmd_row);
    memset(o->cmd_column, 0, sizeof o->cmd_column);
}

static void quiet_field(struct liar *l, struct vault_out *o) {
    (void)l;
    if (!(o->cmd_valid[0] & 1))
        o->cmd_column[0] |= 1;
}

static void test_commands(void **state) {
    (void)state;
    expect_caught(other_row, small, "a row that is not open");
    expect_caught(other_column, small, "a burst that nobody asks for");
    expect_caught(other_kind, small, "unit 0, bank 0: ");
    expect_caught(no_activate, small, "a row that is not open");
    expect_caught(no_commands, small, "unit ");
    expect_caught(quiet_field, small, "shows something without a command");
}

/* --- handshakes and the window -------------------------------------------- */

static void never_ready(struct liar *l, struct vault_out *o) {
    (void)l;
    o->mem_ready = 0;
}

static void deaf(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_valid = 0;
}

static void other_word(struct liar *l, struct vault_out *o) {
    (void)l;
    o->read_data ^= o->read_valid;
}

static void no_word(struct liar *l, struct vault_out *o) {
    (void)l;
    o->read_valid = o->read_data = 0;
}

static void invented_word(struct liar *l, struct vault_out *o) {
    (void)l;
    o->read_valid = 1;
}

static void holds_for_ever(struct liar *l, struct vault_out *o) {
    (void)l;
    o->win_ready = 0;
}

static void holds_nothing(struct liar *l, struct vault_out *o) {
    if (l->in.win_valid && l->last.win_ready)
        o->win_ready = 1;
}

static void test_window(void **state) {
    (void)state;
    expect_caught(never_ready, small, "a burst that nobody asks for");
    hears = deaf; /* what it says it does */
    expect_caught(never_ready, small, "refuses requests and has none");
    hears = NULL;
    expect_caught(other_word, small, "the window reads");
    expect_caught(no_word, small, "the window's word is not there");
    expect_caught(invented_word, small, "a word that nobody reads");
    expect_caught(holds_for_ever, small,
                  "the window refuses words and has none");
    expect_caught(holds_nothing, small, "the window does not hold a word");
}

/* --- what the model hears ------------------------------------------------- */

static void other_strobe(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_strobe[0] ^= 1;
}

static void other_sector(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_address[0] ^= 1;
}

static void other_store(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_data[0] ^= 1;
}

static void within(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_address[0] &= ~(ones(OWN_W) ^ ones(7));
}

static void other_unit(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->win_address ^= 8;
}

static void keeps_old_word(struct liar *l, bool rst, struct vault_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->win_data = 0;
}

static void test_hears(void **state) {
    static const struct {
        void (*what)(struct liar *l, bool rst, struct vault_in *in);
        const char *says;
    } lies[] = {
        {other_strobe, ", expected"},
        {other_sector, "a burst that nobody asks for"},
        {other_store, ", expected"},
        {within, "could be answered, and nothing is"},
        {other_unit, ", expected"},
        {keeps_old_word, ", expected"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n++) {
        hears = lies[n].what;
        expect_caught(NULL, small, lies[n].says);
    }
    hears = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),    cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_responses), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_window),    cmocka_unit_test(test_hears),
    };
    return cmocka_run_group_tests_name("test_stim", tests, NULL, NULL);
}
