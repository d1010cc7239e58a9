/* test_rules.c - the timing rules of DRAM commands and their checker: every
 * rule is kept at its time and broken a cycle earlier, every pair of commands
 * has a rule or a written reason, and what differs from public tables is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dram/check.h"

#include <string.h>

enum { START = 2000 };

/* A channel and what its checker said of it. */
struct watched {
    struct config config;
    struct dram_checker *checker;
    int broken[DRAM_CHECKS], total;
    struct dram_violation last;
    struct dram_command last_command, last_before;
};

static void told(void *ctx, const struct dram_violation *v) {
    struct watched *w = ctx;
    w->broken[v->check]++;
    w->total++;
    w->last = *v;
    w->last_command = *v->command;
    if (v->before)
        w->last_before = *v->before;
}

static void watch(struct watched *w, const char *preset) {
    struct diag d = {0};
    memset(w, 0, sizeof *w);
    assert_true(config_preset(&w->config, preset, &d));
    w->checker = dram_checker_create(&w->config, told, w);
}

static struct dram_command at(int64_t cycle, enum dram_kind kind, int rank,
                              int group, int bank) {
    struct dram_command c = {.cycle = cycle,
                             .kind = kind,
                             .rank = rank,
                             .group = group,
                             .bank = bank,
                             .row = 5,
                             .column = -1};
    if (dram_kind_of_rank(kind))
        c.group = c.bank = 0;
    return c;
}

static void give(struct watched *w, struct dram_command c) {
    dram_checker_take(w->checker, &c);
}

static bool is_column(enum dram_kind k) {
    return dram_is_read(k) || dram_is_write(k);
}

/* --- every rule, a cycle early and in time -------------------------------- */

/* The nearest relation of two banks that a rule looks at and that no narrower
 * rule does. */
static struct dram_command partner(enum dram_scope s, int64_t cycle,
                                   enum dram_kind kind) {
    switch (s) {
    case DRAM_BANK:
        return at(cycle, kind, 0, 0, 0);
    case DRAM_GROUP:
        return at(cycle, kind, 0, 0, 1);
    case DRAM_RANK:
        return at(cycle, kind, 0, 1, 0);
    default:
        return at(cycle, kind, 1, 0, 0);
    }
}

static enum dram_where where_of(enum dram_scope s) {
    static const enum dram_where where[] = {DRAM_SAME_BANK, DRAM_SAME_GROUP,
                                            DRAM_SAME_RANK, DRAM_SIBLING,
                                            DRAM_SIBLING};
    return where[s];
}

/* Play `from` at START and `to` so many cycles later, rows open as they need
 * to be, and return what the checker says of the last. */
static void play(struct watched *w, const struct dram_rule *r,
                 enum dram_kind from, enum dram_kind to, int64_t cycles) {
    struct dram_command a = at(START, from, 0, 0, 0);
    struct dram_command b = partner(r->scope, START + cycles, to);
    bool one = r->scope == DRAM_BANK;
    if (is_column(from) && from != DRAM_ACT)
        give(w, at(0, DRAM_ACT, 0, 0, 0));
    if (is_column(to) && !one)
        give(w, at(100, DRAM_ACT, b.rank, b.group, b.bank));
    give(w, a);
    for (int i = 1; i < r->count; i++)
        give(w, at(START + i * w->config.timing_rrdl, from, 0, i, 2));
    if (from == DRAM_ACT && (to == DRAM_ACT || to == DRAM_REF) &&
        cycles >= w->config.timing_ras)
        give(w, at(START + w->config.timing_ras, DRAM_PRE, 0, 0, 0));
    memset(w->broken, 0, sizeof w->broken);
    w->total = 0;
    give(w, b);
}

/* Whether the rule asks for more than any other between the two. */
static bool is_longest(const struct dram_rule *rules, int n,
                       enum dram_kind from, enum dram_kind to) {
    for (int i = 0; i < DRAM_RULES; i++)
        if (i != n && rules[i].cycles > rules[n].cycles &&
            dram_rule_covers(&rules[i], from, to, where_of(rules[n].scope)))
            return false;
    return true;
}

/* What the open rows allow at all: no column command from a closed row. */
static bool is_reachable(const struct dram_rule *r, enum dram_kind from,
                         enum dram_kind to) {
    bool closed = from == DRAM_REF || from == DRAM_PREA;
    bool one_rank = r->scope == DRAM_RANK;
    if (closed && one_rank && is_column(to))
        return false;
    if (one_rank && to == DRAM_REF && r->cycles <= 1)
        return false; /* what lies between two commands is another rule */
    return !(one_rank && from == DRAM_REF && to == DRAM_PRE);
}

static void check_pair(const char *preset, int n, enum dram_kind from,
                       enum dram_kind to) {
    struct dram_rule rules[DRAM_RULES];
    struct watched early, due;
    watch(&early, preset);
    watch(&due, preset);
    dram_rules(&early.config, rules);
    const struct dram_rule *r = &rules[n];
    play(&early, r, from, to, r->cycles - 1);
    play(&due, r, from, to, r->cycles);
    if (early.broken[n] != 1)
        fail_msg("%s: '%s' is not broken by %s to %s after %d cycles", preset,
                 r->name, dram_kind_name(from), dram_kind_name(to),
                 r->cycles - 1);
    if (due.broken[n] != 0)
        fail_msg("%s: '%s' is broken by %s to %s after %d cycles", preset,
                 r->name, dram_kind_name(from), dram_kind_name(to), r->cycles);
    if (is_longest(rules, n, from, to) && is_reachable(r, from, to) &&
        due.total)
        fail_msg("%s: '%s': %s to %s after %d cycles breaks '%s'", preset,
                 r->name, dram_kind_name(from), dram_kind_name(to), r->cycles,
                 dram_check_name(due.last.check));
    dram_checker_free(early.checker);
    dram_checker_free(due.checker);
}

static void check_rules(const char *preset) {
    struct config c;
    struct diag d = {0};
    struct dram_rule rules[DRAM_RULES];
    int pairs = 0;
    assert_true(config_preset(&c, preset, &d));
    dram_rules(&c, rules);
    for (int n = 0; n < DRAM_RULES; n++) {
        if (rules[n].cycles < 1) /* holds nothing apart in this part */
            continue;
        for (int from = 0; from < DRAM_KINDS; from++)
            for (int to = 0; to < DRAM_KINDS; to++)
                if (rules[n].from >> from & 1 && rules[n].to >> to & 1) {
                    check_pair(preset, n, from, to);
                    pairs++;
                }
    }
    assert_in_range(pairs, 180, 400);
}

static void test_early_is_caught(void **state) {
    (void)state;
    check_rules("ddr4_2400");
    check_rules("ddr4_3200");
}

/* --- what is said of a violation ------------------------------------------ */

static void test_both_commands_are_named(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr4_2400");
    struct dram_command open = at(10, DRAM_ACT, 1, 2, 3);
    struct dram_command read = at(25, DRAM_RD, 1, 2, 3);
    open.line = 7;
    read.line = 8;
    give(&w, open);
    give(&w, read);
    assert_int_equal(w.total, 1);
    assert_int_equal(w.last.check, DRAM_RULE_rcd);
    assert_int_equal(w.last.cycles, 15);
    assert_int_equal(w.last.expected, 16);
    assert_int_equal(w.last_command.line, 8);
    assert_int_equal(w.last_before.line, 7);
    const struct dram_tally *t = dram_checker_tally(w.checker, DRAM_RULE_rcd);
    assert_int_equal(t->checked, 1);
    assert_int_equal(t->broken, 1);
    assert_int_equal(t->least, -1);
    assert_int_equal(t->slack[0], 1);
    give(&w, at(25 + 6 + 3, DRAM_RD, 1, 2, 3)); /* three cycles to spare */
    t = dram_checker_tally(w.checker, DRAM_RULE_ccdl_rd);
    assert_int_equal(t->least, 3);
    assert_int_equal(t->slack[3], 1); /* 2-3 */
    assert_int_equal(dram_checker_data_cycles(w.checker), 8);
    dram_checker_free(w.checker);
}

/* The accelerator keeps the rules of its rank and uses no wire of the channel.
 */
static void test_accelerator(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr4_2400");
    give(&w, at(0, DRAM_ACT, 0, 0, 0));
    give(&w, at(10, DRAM_ACT, 1, 0, 0));
    struct dram_command c = at(100, DRAM_RD, 0, 0, 0);
    c.nda = true;
    give(&w, c);
    give(&w, at(100, DRAM_RD, 1, 0, 0)); /* other rank, the same cycle */
    assert_int_equal(w.total, 0);
    give(&w, at(103, DRAM_RD, 0, 0, 0)); /* same rank, too soon */
    assert_int_equal(w.broken[DRAM_RULE_ccds_rd], 1);
    assert_int_equal(w.broken[DRAM_RULE_ccdl_rd], 1);
    c.cycle = 103; /* the cycle of a host command to that rank */
    give(&w, c);
    assert_int_equal(w.broken[DRAM_RULE_slot], 1);
    assert_int_equal(w.broken[DRAM_RULE_bus], 0);
    dram_checker_free(w.checker);
}

/* --- rows, bus and refreshes ---------------------------------------------- */

static void test_rows(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr4_2400");
    give(&w, at(0, DRAM_RD, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_closed], 1);
    give(&w, at(100, DRAM_ACT, 0, 0, 0));
    give(&w, at(200, DRAM_ACT, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_open], 1);
    struct dram_command c = at(300, DRAM_WR, 0, 0, 0);
    give(&w, c);
    c.cycle = 400;
    c.row = -1; /* not told */
    give(&w, c);
    assert_int_equal(w.total, 2);
    c.cycle = 500;
    c.row = 6;
    give(&w, c);
    assert_int_equal(w.broken[DRAM_CHECK_row], 1);
    give(&w, at(600, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_open], 2);
    give(&w, at(1100, DRAM_WRA, 0, 0, 0)); /* closes its row */
    give(&w, at(1200, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 4);
    give(&w, at(1700, DRAM_RD, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_closed], 2);
    give(&w, at(1800, DRAM_ACT, 0, 0, 1));
    give(&w, at(1900, DRAM_PREA, 0, 0, 0));
    give(&w, at(2000, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 5);
    dram_checker_free(w.checker);
}

/* What two bursts need of the bus, without a look at the table: the commands
 * of two ranks, and the fewest cycles between them. */
static void test_data_bus(void **state) {
    (void)state;
    static const struct {
        enum dram_kind first, then;
        int cycles;
    } pairs[] = {{DRAM_RD, DRAM_WR, 10},
                 {DRAM_WR, DRAM_WR, 6},
                 {DRAM_WR, DRAM_RD, 2},
                 {DRAM_RDA, DRAM_RD, 6}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int early = 0; early < 2; early++) {
            struct watched w;
            watch(&w, "ddr4_2400");
            give(&w, at(0, DRAM_ACT, 0, 0, 0));
            give(&w, at(1, DRAM_ACT, 1, 0, 0));
            give(&w, at(100, pairs[i].first, 0, 0, 0));
            give(&w, at(100 + pairs[i].cycles - early, pairs[i].then, 1, 0, 0));
            assert_int_equal(w.broken[DRAM_CHECK_data], early);
            dram_checker_free(w.checker);
        }
}

/* A part whose reads take long: many writes fit on the bus between a read and
 * its data, and the next one must still see them. */
static void watch_slow_reads(struct watched *w) {
    watch(w, "ddr4_2400");
    dram_checker_free(w->checker);
    w->config.timing_cl = 120;
    w->config.timing_cwl = 10;
    w->checker = dram_checker_create(&w->config, told, w);
}

static void test_burst_behind_many(void **state) {
    (void)state;
    enum { WRITES = 20, APART = 4 }; /* cycles of a burst */
    for (int early = 0; early < 2; early++) {
        struct watched w;
        watch_slow_reads(&w);
        give(&w, at(0, DRAM_ACT, 0, 0, 0));
        give(&w, at(1, DRAM_ACT, 1, 0, 0));
        give(&w, at(100, DRAM_RD, 0, 0, 0)); /* its data: 220 to 224 */
        for (int i = 0; i < WRITES; i++)
            give(&w, at(101 + i * APART, DRAM_WR, 1, 0, 0));
        assert_int_equal(w.broken[DRAM_CHECK_data], 0);
        give(&w, at(216 - early, DRAM_WR, 1, 0, 0)); /* tRTRS behind them */
        assert_int_equal(w.broken[DRAM_CHECK_data], early);
        if (early) {
            assert_int_equal(w.last.check, DRAM_CHECK_data);
            assert_int_equal(w.last_before.kind, DRAM_RD);
            assert_int_equal(w.last.cycles, 1);
        }
        dram_checker_free(w.checker);
    }
}

/* What a burst is nearest to, by looking at all that there ever were. */
static int64_t slack_of_all(const struct config *c,
                            const struct dram_command *all, int n) {
    const struct dram_command *now = &all[n];
    int64_t least = INT64_MAX;
    for (int i = 0; i < n; i++) {
        const struct dram_command *pair[2] = {&all[i], now};
        int64_t begin[2];
        for (int j = 0; j < 2; j++)
            begin[j] =
                pair[j]->cycle +
                (pair[j]->kind == DRAM_RD ? c->timing_cl : c->timing_cwl);
        int first = begin[0] > begin[1];
        int64_t idle = begin[!first] - begin[first] - c->timing_bl;
        bool turns = pair[first]->kind == DRAM_RD && /* of one rank */
                     pair[!first]->kind == DRAM_WR;
        int asked = pair[0]->rank != pair[1]->rank ? c->timing_rtrs
                    : turns                        ? c->timing_turn
                                                   : 0;
        if (idle - asked < least)
            least = idle - asked;
    }
    return least;
}

/* Whatever the bus sees, also several commands a cycle, and latencies this way
 * or that: none of all bursts is forgotten. */
static void test_no_burst_is_forgotten(void **state) {
    (void)state;
    enum { COMMANDS = 600, RUNS = 4 };
    static const struct {
        int cl, cwl, step;
    } runs[RUNS] = {{120, 10, 6}, {10, 120, 6}, {16, 16, 9}, {22, 16, 2}};
    static struct dram_command all[COMMANDS];
    for (int run = 0; run < RUNS; run++) {
        struct watched w;
        uint32_t random = 12345;
        int64_t cycle = 1000;
        int broken = 0;
        watch(&w, "ddr4_2400");
        dram_checker_free(w.checker);
        w.config.timing_cl = runs[run].cl;
        w.config.timing_cwl = runs[run].cwl;
        w.checker = dram_checker_create(&w.config, told, &w);
        for (int i = 0; i < COMMANDS; i++) {
            random = random * 1664525 + 1013904223;
            /* mostly writes, or mostly reads, for a while */
            bool write = (random >> 24 & 7) != 0;
            write ^= i / 50 % 2;
            cycle += random >> 16 & (uint32_t)runs[run].step;
            all[i] =
                at(cycle, write ? DRAM_WR : DRAM_RD, random >> 30 & 1, 0, 0);
            give(&w, all[i]);
            broken += i && slack_of_all(&w.config, all, i) < 0;
            assert_int_equal(w.broken[DRAM_CHECK_data], broken);
        }
        assert_in_range(broken, COMMANDS / 10, COMMANDS);
        dram_checker_free(w.checker);
    }
}

static void test_refreshes(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr4_2400");
    int64_t most = 9 * (int64_t)w.config.timing_refi;
    give(&w, at(5, DRAM_REF, 0, 0, 0));
    give(&w, at(5 + most, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 0);
    give(&w, at(6 + 2 * most, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_refresh], 1);
    assert_true(dram_checker_end(w.checker)); /* rank 1 was never used */
    give(&w, at(7 + 3 * most, DRAM_ACT, 1, 0, 0));
    assert_false(dram_checker_end(w.checker));
    assert_int_equal(w.broken[DRAM_CHECK_refresh], 3);
    dram_checker_free(w.checker);
    watch(&w, "ddr4_2400"); /* who refreshes nothing is not asked for it */
    give(&w, at(0, DRAM_ACT, 0, 0, 0));
    give(&w, at(3 * most, DRAM_PRE, 0, 0, 0));
    assert_true(dram_checker_end(w.checker));
    dram_checker_free(w.checker);
}

/* Each nearly as late as it may be: too few of them.  On average, with eight
 * ahead and eight postponed between, they are in time. */
static void test_average_of_refreshes(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr4_2400");
    int64_t interval = w.config.timing_refi, most = 9 * interval;
    give(&w, at(0, DRAM_REF, 0, 0, 0));
    give(&w, at(most, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 0);
    give(&w, at(11 * interval, DRAM_REF, 0, 0, 0)); /* eight are owed again */
    assert_int_equal(w.total, 0);
    give(&w, at(12 * interval + 1, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_postponed], 1);
    give(&w, at(13 * interval + 1, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 1);
    assert_true(dram_checker_end(w.checker));
    dram_checker_free(w.checker);
    watch(&w, "ddr4_2400");
    int64_t t = 0;
    for (int i = 0; i < 40; i++) /* no more than eight count */
        give(&w, at(t += interval / 8, DRAM_REF, 0, 0, 0));
    give(&w, at(t += most, DRAM_REF, 0, 0, 0));
    give(&w, at(t += most, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.total, 0);
    give(&w, at(t += 2 * interval, DRAM_REF, 0, 0, 0));
    assert_int_equal(w.broken[DRAM_CHECK_postponed], 1);
    dram_checker_free(w.checker);
}

/* --- the audit of all pairs ----------------------------------------------- */

static bool has_rule(const struct dram_rule *rules, enum dram_kind from,
                     enum dram_kind to, enum dram_where where) {
    for (int i = 0; i < DRAM_RULES; i++)
        if (i != DRAM_RULE_slot && i != DRAM_RULE_bus &&
            dram_rule_covers(&rules[i], from, to, where))
            return true;
    return false;
}

static int notes_of(enum dram_kind from, enum dram_kind to,
                    enum dram_where where) {
    const struct dram_note *note;
    int n = 0;
    for (int i = 0; (note = dram_note(i))->reason; i++)
        n += note->from >> from & note->to >> to & 1 && note->where & where;
    return n;
}

static void test_every_pair_is_settled(void **state) {
    (void)state;
    static const char *const where[] = {"bank", "group", "rank", "other rank"};
    struct config c;
    struct dram_rule rules[DRAM_RULES];
    int open = 0;
    config_defaults(&c);
    dram_rules(&c, rules);
    for (int from = 0; from < DRAM_KINDS; from++)
        for (int to = 0; to < DRAM_KINDS; to++)
            for (int w = 0; w < 4; w++) {
                bool rule = has_rule(rules, from, to, 1u << w);
                int notes = notes_of(from, to, 1u << w);
                if (rule + notes == 1)
                    continue;
                print_error("%s to %s, %s: %s rule, %d reasons\n",
                            dram_kind_name(from), dram_kind_name(to), where[w],
                            rule ? "a" : "no", notes);
                open++;
            }
    assert_int_equal(open, 0);
}

/* --- the public tables ---------------------------------------------------- */

/* What other tools ask for, transcribed from DDR4.cpp of Ramulator 2, timing.cc
 * of DRAMsim3 and CheckerDDR4.cpp of DRAMSys, with the numbers of ddr4_2400;
 * NONE: no rule.  Preambles are one cycle, tCS is tRTRS.  Where they differ
 * from ours, why ours stand. */
enum { NONE = -1, TOOLS = 3, PREAMBLE = 1 };

struct transcribed {
    int rule;
    int cycles[TOOLS];
    const char *why[TOOLS];
};

#define NO_PREA "has no precharge of all banks"
#define AS_LONG "left out: with these numbers the turn to reading is as long"

static int transcribe(const struct config *c, struct transcribed *t) {
#define T(x) c->timing_##x
#define ALIKE(name, cycles)                                                    \
    {                                                                          \
        DRAM_RULE_##name, {cycles, cycles, cycles}, {                          \
            NULL, NULL, NULL                                                   \
        }                                                                      \
    }
#define OF_ALL_BANKS(name, cycles)                                             \
    {                                                                          \
        DRAM_RULE_##name, {cycles, NONE, cycles}, {                            \
            NULL, NO_PREA, NULL                                                \
        }                                                                      \
    }
    const struct transcribed all[] = {
        ALIKE(rcd, T(rcd)),
        ALIKE(ras, T(ras)),
        ALIKE(rc, T(rc)),
        ALIKE(rp, T(rp)),
        ALIKE(rtp, T(rtp)),
        ALIKE(wr, T(cwl) + T(bl) + T(wr)),
        {DRAM_RULE_wr_rda,
         {NONE, NONE, T(cwl) + T(bl) + T(wr) - T(rtp)},
         {AS_LONG, AS_LONG, NULL}},
        {DRAM_RULE_rda_act,
         {T(rtp) + T(rp), T(bl) + T(rtp) + T(rp), T(rtp) + T(rp)},
         {NULL, "adds the burst, which tRTP contains", NULL}},
        ALIKE(wra_act, T(cwl) + T(bl) + T(wr) + T(rp)),
        ALIKE(ccdl_rd, T(ccdl)),
        ALIKE(ccdl_wr, T(ccdl)),
        ALIKE(wtrl, T(cwl) + T(bl) + T(wtrl)),
        ALIKE(rrdl, T(rrdl)),
        ALIKE(ccds_rd, T(ccds)),
        ALIKE(ccds_wr, T(ccds)),
        {DRAM_RULE_rtw,
         {T(cl) + T(bl) + 2 - T(cwl),
          T(cl) + T(bl) - T(cwl) + PREAMBLE + T(rtrs),
          T(cl) + T(bl) + 1 - T(cwl) + PREAMBLE},
         {NULL, "tRTRS is between ranks: a cycle more than the standard asks",
          NULL}},
        ALIKE(wtrs, T(cwl) + T(bl) + T(wtrs)),
        ALIKE(rrds, T(rrds)),
        ALIKE(faw, T(faw)),
        OF_ALL_BANKS(rp_all, T(rp)),
        OF_ALL_BANKS(ras_all, T(ras)),
        OF_ALL_BANKS(rtp_all, T(rtp)),
        OF_ALL_BANKS(wr_all, T(cwl) + T(bl) + T(wr)),
        {DRAM_RULE_rc_ref,
         {T(rc), NONE, T(rc)},
         {NULL, "left to the precharge in between", NULL}},
        ALIKE(rp_ref, T(rp)),
        ALIKE(rda_ref, T(rtp) + T(rp)),
        ALIKE(wra_ref, T(cwl) + T(bl) + T(wr) + T(rp)),
        ALIKE(rfc, T(rfc)),
        {DRAM_RULE_slot,
         {NONE, NONE, NONE},
         {"no accelerator", "no accelerator", "no accelerator"}},
        ALIKE(rank_rd, T(bl) + T(rtrs)),
        {DRAM_RULE_rank_wr,
         {T(bl), T(bl) + PREAMBLE, T(bl) + T(rtrs)},
         {"one burst of the channel after the other, without the gap between "
          "ranks",
          "a preamble in place of tRTRS", NULL}},
        {DRAM_RULE_rank_rtw,
         {T(bl) + T(rtrs), T(cl) + T(bl) + T(rtrs) - T(cwl),
          T(cl) + T(bl) + T(rtrs) - T(cwl) + PREAMBLE},
         {"leaves out that read data come later than write data: two ranks "
          "drive the bus at once",
          NULL, "a preamble besides tRTRS, which contains it"}},
        {DRAM_RULE_rank_wtr,
         {T(cl) + T(bl) + T(rtrs) - T(cwl), T(cwl) + T(bl) + T(rtrs) - T(cl),
          T(cwl) + T(bl) + T(rtrs) - T(cl) + PREAMBLE},
         {"read and write latency are the wrong way round", NULL,
          "a preamble besides tRTRS, which contains it"}},
        ALIKE(bus, 1),
    };
#undef T
    memcpy(t, all, sizeof all);
    return sizeof all / sizeof *all;
}

static void test_public_tables(void **state) {
    (void)state;
    static const char *const tools[] = {"Ramulator", "DRAMsim3", "DRAMSys"};
    struct config c;
    struct dram_rule rules[DRAM_RULES];
    struct transcribed all[DRAM_RULES];
    int wrong = 0, differ = 0;
    config_defaults(&c);
    dram_rules(&c, rules);
    assert_int_equal(transcribe(&c, all), DRAM_RULES);
    for (int i = 0; i < DRAM_RULES; i++)
        for (int tool = 0; tool < TOOLS; tool++) {
            const struct dram_rule *r = &rules[all[i].rule];
            bool same = all[i].cycles[tool] == r->cycles;
            assert_int_equal(all[i].rule, i);
            differ += !same;
            if (same == !all[i].why[tool])
                continue;
            print_error("%s asks for %d cycles of '%s', ours is %d: %s\n",
                        tools[tool], all[i].cycles[tool], r->name, r->cycles,
                        same ? "a reason too many" : "no reason written");
            wrong++;
        }
    assert_int_equal(wrong, 0);
    assert_int_equal(differ, 18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early_is_caught),
        cmocka_unit_test(test_both_commands_are_named),
        cmocka_unit_test(test_accelerator),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_data_bus),
        cmocka_unit_test(test_burst_behind_many),
        cmocka_unit_test(test_no_burst_is_forgotten),
        cmocka_unit_test(test_refreshes),
        cmocka_unit_test(test_average_of_refreshes),
        cmocka_unit_test(test_every_pair_is_settled),
        cmocka_unit_test(test_public_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
