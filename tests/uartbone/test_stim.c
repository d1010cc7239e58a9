/* test_stim.c - the surroundings of the serial line to the register bus notice
 * what model and RTL agree on, and reach every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/uartbone.h"
#include "uartbone/stim.h"
#include "uartbone/uartbone.h"

#define LIAR_BLOCK uartbone
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA                                                             \
    bool sends; /* a byte of an answer is under way, */                        \
    int at;     /* for so many edges */                                        \
    int lasts;  /* edges of an access, of a reset */
#include "tests/common/stim_liar.h"

enum { CLOCKS = 4 };

static const char small[] = "--target uartbone --preset small --cycles 60000";
static const char directed[] = "--target uartbone --preset small "
                               "--cycles 30000 --stim directed";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "uartbone.clocks=5 --set uartbone.queue=4",
        "uartbone.clocks=7 --set uartbone.queue=16",
        "uartbone.clocks=8 --set uartbone.adr_bits=1",
        "uartbone.adr_bits=29 --set uartbone.timeout_log2=8",
    };
    (void)state;
    expect_all_covers("--target uartbone --preset small --cycles 400000");
    expect_all_covers("--target uartbone --preset small --cycles 30000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[256];
        snprintf(words, sizeof words, "%s --set %s", directed, sets[n]);
        expect_green(words, "mismatches 0");
        snprintf(words, sizeof words,
                 "--target uartbone --preset small --cycles 1000000 --set %s",
                 sets[n]);
        expect_all_covers(words);
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- accesses ------------------------------------------------------------- */

static bool is_late(const struct liar *l) {
    return l->edge > lie_after;
}

static void no_access(struct uartbone_out *o) {
    o->bus_cyc = o->bus_stb = o->bus_we = o->bus_sel = 0;
    o->bus_adr = o->bus_dat_w = 0;
}

static void same_access(struct liar *l, struct uartbone_out *o) {
    o->bus_cyc = l->last.bus_cyc;
    o->bus_stb = l->last.bus_stb;
    o->bus_we = l->last.bus_we;
    o->bus_sel = l->last.bus_sel;
    o->bus_adr = l->last.bus_adr;
    o->bus_dat_w = l->last.bus_dat_w;
}

/* From the first access on that begins late enough. */
static bool lies(struct liar *l, const struct uartbone_out *o) {
    l->told |= o->bus_cyc && !l->last.bus_cyc;
    return l->told && o->bus_cyc;
}

static void wrong_address(struct liar *l, struct uartbone_out *o) {
    o->bus_adr ^= lies(l, o);
}

static void wrong_data(struct liar *l, struct uartbone_out *o) {
    if (lies(l, o) && o->bus_we)
        o->bus_dat_w ^= (uint64_t)1 << 31;
}

static void wrong_way(struct liar *l, struct uartbone_out *o) {
    o->bus_we ^= lies(l, o);
}

static void read_with_data(struct liar *l, struct uartbone_out *o) {
    if (lies(l, o) && !o->bus_we)
        o->bus_dat_w = 1;
}

static void changed(struct liar *l, struct uartbone_out *o) {
    if (o->bus_cyc && l->last.bus_cyc)
        o->bus_adr ^= 1;
}

static void no_strobe(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->bus_stb = 0;
}

static void half_a_word(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->bus_sel &= 3;
}

static void loud(struct liar *l, struct uartbone_out *o) {
    (void)l;
    if (!o->bus_cyc)
        o->bus_adr = 1;
}

static void stays(struct liar *l, struct uartbone_out *o) {
    if (l->last.bus_cyc && l->in.bus_ack && l->told++ == 0)
        same_access(l, o);
}

/* Where no access is under way. */
static void invented(struct liar *l, struct uartbone_out *o) {
    if (o->bus_cyc)
        return;
    o->bus_cyc = o->bus_stb = 1;
    o->bus_sel = 15;
    (void)l;
}

static void test_accesses(void **state) {
    static const char wrong[] = " is not what comes next";
    static const char half[] = "the bus shows half an access";
    (void)state;
    expect_caught(wrong_address, small, wrong);
    expect_caught(wrong_data, small, wrong);
    expect_caught(wrong_way, small, wrong);
    expect_caught(read_with_data, small, wrong);
    expect_caught(changed, small, "an access changes under way");
    expect_caught(no_strobe, small, half);
    expect_caught(half_a_word, small, half);
    expect_caught(loud, small, half);
    expect_caught(stays, small, "an access stays after its acknowledge");
    /* the line rests for a bit first; then there is a command on its way */
    lie_after = 2;
    expect_caught(invented, small, "an access that no command asked for");
    lie_after = 30;
    expect_caught(invented, small, "an access before its command has come");
}

/* --- accesses that end ---------------------------------------------------- */

static void cut(struct liar *l, struct uartbone_out *o) {
    if (l->last.bus_cyc && !l->in.bus_ack)
        no_access(o);
}

/* Slaves of directed runs answer soon, if they do. */
static void cut_soon(struct liar *l, struct uartbone_out *o) {
    l->lasts = o->bus_cyc ? l->lasts + 1 : 0;
    if (l->lasts > 100)
        no_access(o);
}

static void keep(struct liar *l, struct uartbone_out *o) {
    if (l->last.bus_cyc && !l->in.bus_ack)
        same_access(l, o);
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(cut, small, "an access is cut off");
    expect_caught(cut_soon, directed, "an access is given up too early");
    expect_caught(keep, directed, "an access is not given up");
    expect_caught(keep,
                  "--target uartbone --preset small --cycles 60000 --stim "
                  "directed --set uartbone.timeout_log2=20",
                  "an access outlives an error of the line");
}

/* --- answers -------------------------------------------------------------- */

/* Follow the bytes; only those that begin late enough are lied about. */
static int edge_of_byte(struct liar *l, const struct uartbone_out *o) {
    if (l->sends && ++l->at == 10 * CLOCKS)
        l->sends = false;
    if (!l->sends && !o->uart_tx && l->last.uart_tx) {
        l->sends = true;
        l->at = 0;
    }
    return l->sends ? l->at : -1;
}

static void wrong_bit(struct liar *l, struct uartbone_out *o) {
    int at = edge_of_byte(l, o);
    o->uart_tx ^= at >= 8 * CLOCKS && at < 9 * CLOCKS;
}

static void wrong_stop(struct liar *l, struct uartbone_out *o) {
    if (edge_of_byte(l, o) >= 9 * CLOCKS)
        o->uart_tx = 0;
}

static void unsteady(struct liar *l, struct uartbone_out *o) {
    o->uart_tx ^= edge_of_byte(l, o) == 3 * CLOCKS + 2;
}

static void too_short(struct liar *l, struct uartbone_out *o) {
    o->uart_tx |= edge_of_byte(l, o) == CLOCKS - 1;
}

static void invented_byte(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->uart_tx = 0;
}

/* While an access stands, which must come first. */
static void overtaking_byte(struct liar *l, struct uartbone_out *o) {
    if (edge_of_byte(l, o) < 0 && o->bus_cyc)
        o->uart_tx = 0;
}

static void hear_other_word(struct liar *l, bool rst, struct uartbone_in *in) {
    (void)rst;
    if (is_late(l))
        in->bus_dat_r ^= 0x100;
}

/* A bit of what comes in is another one. */
static void hear_other_bit(struct liar *l, bool rst, struct uartbone_in *in) {
    (void)rst;
    if (is_late(l) && l->edge <= lie_after + CLOCKS)
        in->uart_rx ^= 1;
}

static void deaf(struct liar *l, bool rst, struct uartbone_in *in) {
    (void)rst;
    if (is_late(l))
        in->uart_rx = 1;
}

static void test_answers(void **state) {
    static const char wrong[] = "a byte comes as ";
    static const char steady[] = "a bit does not stand for 'clocks' edges";
    (void)state;
    expect_caught(wrong_bit, small, wrong);
    expect_caught(wrong_stop, small, "a byte has a stop bit of zero");
    expect_caught(unsteady, small, steady);
    expect_caught(too_short, small, steady);
    expect_caught(overtaking_byte, small, "a byte comes out of turn");
    hears = hear_other_word;
    expect_caught(NULL, small, wrong);
    hears = deaf;
    expect_caught(NULL, small, "nothing happens, though a command has come");
    hears = NULL;
    lie_after = 2;
    expect_caught(invented_byte, small, "a byte that no command asked for");
    lie_after = 30;
    expect_caught(invented_byte, small, "a byte before its command has come");
}

/* Wherever a bit falls over in a command, something comes of it that must not;
 * not so while all wait for a time-out or a last answer that will be lost. */
static void test_hears(void **state) {
    enum { PLACES = 100 };
    int noticed = 0;
    (void)state;
    hears = hear_other_bit;
    for (int n = 0; n < PLACES; n++) {
        lie_after = 500 + 37 * (uint64_t)n;
        struct printed p = run_liar(NULL, directed);
        noticed += p.status == 1;
        free(p.text);
    }
    assert_true(noticed >= PLACES * 8 / 10);
}

/* --- resets --------------------------------------------------------------- */

static void short_reset(struct liar *l, struct uartbone_out *o) {
    l->lasts = o->device_rst ? l->lasts + 1 : 0;
    if (l->lasts == 8)
        o->device_rst = 0;
}

static void long_reset(struct liar *l, struct uartbone_out *o) {
    l->lasts = o->device_rst ? l->lasts + 1 : l->lasts == 8 ? 9 : 0;
    if (l->lasts == 9)
        o->device_rst = 1;
}

static void invented_reset(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->device_rst = 1;
}

static void overtaking_reset(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->device_rst |= o->bus_cyc;
}

static void no_reset(struct liar *l, struct uartbone_out *o) {
    (void)l;
    o->device_rst = 0;
}

static void test_resets(void **state) {
    (void)state;
    expect_caught(short_reset, directed, "a reset takes 7 edges");
    expect_caught(long_reset, directed, "a reset takes 9 edges");
    expect_caught(overtaking_reset, small, "a reset comes out of turn");
    expect_caught(no_reset, directed, "property broken at cycle");
    lie_after = 2;
    expect_caught(invented_reset, small, "a reset that no command asked for");
    lie_after = 30;
    expect_caught(invented_reset, small, "a reset before its command has come");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target uartbone --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target uartbone --stim replay --run kernels/bfs/bfs.yml",
                   "'uartbone' has no stimulus 'replay'");
    expect_refused("--target uartbone --set uartbone.clocks=3",
                   "uartbone.clocks");
}

static int begin(void **state) {
    (void)state;
    lie_after = 2000;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_accesses, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_hears, begin),
        cmocka_unit_test_setup(test_resets, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
