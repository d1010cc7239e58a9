/* test_ramulator.c - the timing rules beside those of Ramulator, pair by pair,
 * and the commands of the channel under Ramulator's.
 *
 * The tables of DDR4 of its three generations (src/DDR4.cpp of 1, of 2.0, and
 * ddr4.py of 2.1) stand here as figures: which commands, how their banks are
 * related, how many cycles.  A pair for which they ask another number than ours
 * has a written reason, and no other pair has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dram_channel.h"
#include "dram/check.h"
#include "dram_channel/dram_channel.h"
#include "tests/common/bench_speed.h"

#include <string.h>

enum { VERSION_1, VERSION_20, VERSION_21, VERSIONS };

static const char *const version_names[VERSIONS] = {"1", "2.0", "2.1"};

/* Sets: of versions, and of commands. */
enum {
    V1 = 1 << VERSION_1,
    V20 = 1 << VERSION_20,
    V21 = 1 << VERSION_21,
    V2 = V20 | V21,
    EACH = V1 | V2,

    ACT = 1 << DRAM_ACT,
    PRE = 1 << DRAM_PRE,
    PREA = 1 << DRAM_PREA,
    RD = 1 << DRAM_RD,
    RDA = 1 << DRAM_RDA,
    WR = 1 << DRAM_WR,
    WRA = 1 << DRAM_WRA,
    REF = 1 << DRAM_REF,
    READS = RD | RDA,
    WRITES = WR | WRA,

    /* where a rule of a level holds */
    BANK = DRAM_SAME_BANK,
    GROUP = BANK | DRAM_SAME_GROUP,
    RANK = GROUP | DRAM_SAME_RANK,
    SIBLING = DRAM_SIBLING,
    CHANNEL = RANK | SIBLING
};

struct their_rule {
    unsigned versions, from, to, where;
    int window, cycles;
};

enum { MOST_RULES = 64 };

static int their_rules(const struct config *c,
                       struct their_rule rules[MOST_RULES]) {
#define T(x) c->timing_##x
    const int written = T(cwl) + T(bl) + T(wr);
    const struct their_rule all[] = {
        {EACH, READS, READS, CHANNEL, 1, T(bl)},
        {EACH, WRITES, WRITES, CHANNEL, 1, T(bl)},
        {EACH, READS, READS, RANK, 1, T(ccds)},
        {EACH, WRITES, WRITES, RANK, 1, T(ccds)},
        {V1, READS, WRITES, RANK, 1, T(cl) + T(ccds) + 2 - T(cwl)},
        {V2, READS, WRITES, RANK, 1, T(cl) + T(bl) + 2 - T(cwl)},
        {EACH, WRITES, READS, RANK, 1, T(cwl) + T(bl) + T(wtrs)},
        {EACH, READS, READS | WRITES, SIBLING, 1, T(bl) + T(rtrs)},
        {V1, READS, WRITES, SIBLING, 1, T(cl) + T(bl) + T(rtrs) - T(cwl)},
        {V1 | V21, WRITES, READS, SIBLING, 1, T(cwl) + T(bl) + T(rtrs) - T(cl)},
        {V20, WRITES, READS, SIBLING, 1, T(cl) + T(bl) + T(rtrs) - T(cwl)},
        {EACH, RD, PREA, RANK, 1, T(rtp)},
        {EACH, WR, PREA, RANK, 1, written},
        {EACH, ACT, ACT, RANK, 1, T(rrds)},
        {EACH, ACT, ACT, RANK, 4, T(faw)},
        {EACH, ACT, PREA, RANK, 1, T(ras)},
        {EACH, PREA, ACT, RANK, 1, T(rp)},
        {V2, ACT, REF, RANK, 1, T(rc)},
        {EACH, PRE | PREA, REF, RANK, 1, T(rp)},
        {V2, RDA, REF, RANK, 1, T(rtp) + T(rp)},
        {V2, WRA, REF, RANK, 1, written + T(rp)},
        {EACH, REF, ACT, RANK, 1, T(rfc)},
        {V1, REF, REF, RANK, 1, T(rfc)},
        {V21, REF, PREA, RANK, 1, T(rfc)},
        {EACH, READS, READS, GROUP, 1, T(ccdl)},
        {EACH, WRITES, WRITES, GROUP, 1, T(ccdl)},
        {EACH, WRITES, READS, GROUP, 1, T(cwl) + T(bl) + T(wtrl)},
        {EACH, ACT, ACT, GROUP, 1, T(rrdl)},
        {EACH, ACT, ACT, BANK, 1, T(rc)},
        {EACH, ACT, READS | WRITES, BANK, 1, T(rcd)},
        {EACH, ACT, PRE, BANK, 1, T(ras)},
        {EACH, PRE, ACT, BANK, 1, T(rp)},
        {EACH, RD, PRE, BANK, 1, T(rtp)},
        {EACH, WR, PRE, BANK, 1, written},
        {EACH, RDA, ACT, BANK, 1, T(rtp) + T(rp)},
        {EACH, WRA, ACT, BANK, 1, written + T(rp)},
    };
#undef T
    _Static_assert(sizeof all / sizeof *all <= MOST_RULES, "their rules");
    memcpy(rules, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* --- pair by pair --------------------------------------------------------- */

/* What differs, and why ours stand; longer: theirs ask for more. */
static const struct reason {
    unsigned versions, from, to, where;
    bool longer;
    const char *why;
} reasons[] = {
    {V2, READS, WRITES, SIBLING, false,
     "leaves out that read data come later than write data: two ranks drive "
     "the bus at once"},
    {EACH, WRITES, WRITES, SIBLING, false,
     "one burst of the channel after the other, without the gap between "
     "ranks"},
    {V20, WRITES, READS, SIBLING, true,
     "read and write latency are the wrong way round"},
    {V1, ACT | RDA | WRA, REF, RANK, false,
     "a refresh waits for a precharge alone: a row that is closing itself, or "
     "has just been opened and closed, is refreshed too early"},
    {V2, REF, REF, RANK, false,
     "left out: their controller counts tREFI, which is longer"},
    {V1 | V20, REF, PREA, RANK, false, "closes nothing: all rows are closed"},
    {EACH, REF, PRE, RANK, false, "closes nothing: all rows are closed"},
    {EACH, REF, READS | WRITES, RANK, false,
     "the row is closed: an ACT lies between, which waits for the refresh"},
};

enum { REASONS = sizeof reasons / sizeof *reasons };

/* The longest rule of a pair; one command a cycle in any case. */
static int theirs_ask(const struct their_rule *rules, int n, int version,
                      int from, int to, unsigned where) {
    int most = 1;
    for (int i = 0; i < n; i++)
        if (rules[i].versions >> version & 1 && rules[i].window == 1 &&
            rules[i].from >> from & rules[i].to >> to & 1 &&
            rules[i].where & where && rules[i].cycles > most)
            most = rules[i].cycles;
    return most;
}

static int ours_ask(const struct dram_rule *rules, int from, int to,
                    enum dram_where where) {
    int most = 1;
    for (int i = 0; i < DRAM_RULES; i++)
        if (rules[i].count == 1 && rules[i].cycles > most &&
            dram_rule_covers(&rules[i], from, to, where))
            most = rules[i].cycles;
    return most;
}

/* A command to a rank is of no bank or group. */
static bool is_pair(int from, int to, unsigned where) {
    bool banks = !dram_kind_of_rank(from) && !dram_kind_of_rank(to);
    return banks || where & (DRAM_SAME_RANK | DRAM_SIBLING);
}

static int reason_of(int version, int from, int to, unsigned where,
                     bool longer) {
    int found = -1;
    for (int i = 0; i < REASONS; i++)
        if (reasons[i].versions >> version & 1 &&
            reasons[i].from >> from & reasons[i].to >> to & 1 &&
            reasons[i].where & where && reasons[i].longer == longer) {
            assert_int_equal(found, -1);
            found = i;
        }
    return found;
}

static void check_pairs(const char *preset) {
    static const char *const names[] = {"bank", "group", "rank", "other rank"};
    struct config c;
    struct diag d = {0};
    struct dram_rule ours[DRAM_RULES];
    struct their_rule theirs[MOST_RULES];
    int wrong = 0, pairs = 0;
    assert_true(config_preset(&c, preset, &d));
    dram_rules(&c, ours);
    int n = their_rules(&c, theirs);
    for (int v = 0; v < VERSIONS; v++)
        for (int from = 0; from < DRAM_KINDS; from++)
            for (int to = 0; to < DRAM_KINDS; to++)
                for (int w = 0; w < 4; w++) {
                    if (!is_pair(from, to, 1u << w))
                        continue;
                    int a = ours_ask(ours, from, to, 1u << w);
                    int b = theirs_ask(theirs, n, v, from, to, 1u << w);
                    bool less = reason_of(v, from, to, 1u << w, false) >= 0;
                    bool more = reason_of(v, from, to, 1u << w, true) >= 0;
                    pairs++;
                    if (less == (b < a) && more == (b > a))
                        continue;
                    print_error("%s, Ramulator %s, %s to %s, %s: theirs %d, "
                                "ours %d: %s\n",
                                preset, version_names[v], dram_kind_name(from),
                                dram_kind_name(to), names[w], b, a,
                                less || more ? "a reason too many"
                                             : "no reason written");
                    wrong++;
                }
    assert_int_equal(wrong, 0);
    assert_int_equal(pairs, VERSIONS * (6 * 6 * 4 + (8 * 8 - 6 * 6) * 2));
    for (int i = 0; i < n; i++) /* the only one with a count */
        assert_true(theirs[i].window == 1 ||
                    (theirs[i].window == ours[DRAM_RULE_faw].count &&
                     theirs[i].cycles == ours[DRAM_RULE_faw].cycles));
}

static void test_pair_by_pair(void **state) {
    (void)state;
    check_pairs("ddr4_2400");
    check_pairs("ddr4_3200");
}

/* --- our commands under their rules --------------------------------------- */

enum { KEPT = 1024 };

struct judge {
    struct their_rule rules[MOST_RULES];
    int n_rules, version, longest;
    struct dram_command kept[KEPT]; /* of the last commands, in a ring */
    uint64_t n;
    uint64_t refused[REASONS], unexplained;
};

static unsigned related(const struct dram_command *a,
                        const struct dram_command *b) {
    if (a->rank != b->rank)
        return DRAM_SIBLING;
    if (dram_kind_of_rank(a->kind) || dram_kind_of_rank(b->kind) ||
        a->group != b->group)
        return DRAM_SAME_RANK;
    return a->bank != b->bank ? DRAM_SAME_GROUP : DRAM_SAME_BANK;
}

/* All commands in reach are looked at, and nothing is known of states. */
static void judge(struct judge *j, const struct dram_command *c) {
    int rows = 0;
    for (uint64_t i = 1; i <= j->n && i <= KEPT; i++) {
        const struct dram_command *b = &j->kept[(j->n - i) % KEPT];
        int apart = (int)(c->cycle - b->cycle);
        unsigned where = related(b, c);
        rows += b->kind == DRAM_ACT && b->rank == c->rank;
        for (int r = 0; r < j->n_rules; r++) {
            const struct their_rule *t = &j->rules[r];
            if (!(t->versions >> j->version & 1) || apart >= t->cycles ||
                !(t->from >> b->kind & t->to >> c->kind & 1) ||
                !(t->where & where) || (t->window > 1 && rows < t->window))
                continue;
            int why = reason_of(j->version, b->kind, c->kind, where, true);
            if (why < 0)
                j->unexplained++;
            else
                j->refused[why]++;
        }
        if (apart > j->longest)
            break;
    }
    j->kept[j->n++ % KEPT] = *c;
}

/* A host that keeps both ranks busy, refreshes among its commands; early: the
 * reads of even columns are said to be a cycle earlier. */
static void play(struct judge *j, bool early, long cycles) {
    struct config c;
    struct dram_channel_in in = {0};
    uint64_t seed = 1;
    config_defaults(&c);
    j->n_rules = their_rules(&c, j->rules);
    j->longest = c.timing_rfc;
    struct golden *g = golden_create(&dram_channel_golden, &c);
    const struct dram_channel_out *out = golden_cycle(g, true, NULL);
    for (long i = 0; i < cycles; i++) {
        if (!in.req_valid || out->req_ready) {
            uint64_t r = speed_random(&seed);
            in.req_valid = (r & 3) == 0;
            in.req_write = r >> 2 & r >> 3 & 1;
            in.req_rank = r >> 8 & 1;
            in.req_group = r >> 9 & 3;
            in.req_bank = r >> 11 & 3;
            in.req_row = r >> 13 & 3;
            in.req_column = r >> 16 & 127;
        }
        out = golden_cycle(g, false, &in);
        if (!out->cmd_valid)
            continue;
        bool moved =
            early && out->cmd_kind == DRAM_RD && !(out->cmd_column & 1);
        judge(j, &(struct dram_command){.cycle = i - moved,
                                        .kind = (enum dram_kind)out->cmd_kind,
                                        .rank = (int)out->cmd_rank,
                                        .group = (int)out->cmd_group,
                                        .bank = (int)out->cmd_bank});
    }
    golden_free(g);
}

/* 1 and 2.1 would have let each command go; 2.0 all but the reads behind
 * another rank's writes, for which it has the latencies the wrong way round. */
static void test_our_commands_under_their_rules(void **state) {
    (void)state;
    for (int v = 0; v < VERSIONS; v++) {
        struct judge j = {.version = v}, early = {.version = v};
        play(&j, false, 60000);
        play(&early, true, 20000);
        assert_true(j.n > 25000);
        assert_int_equal(j.unexplained, 0);
        for (int i = 0; i < REASONS; i++)
            assert_int_equal(j.refused[i] > 0,
                             v == VERSION_20 && reasons[i].longer);
        assert_true(early.unexplained > early.n / 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair_by_pair),
        cmocka_unit_test(test_our_commands_under_their_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
