/* test_parts.c - rules of parts beside DDR4's: each a cycle early and in time,
 * which banks a refresh of single banks is of, and when all have had theirs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dram/check.h"
#include "shared/timing.h"

#include <string.h>

enum { START = 5000 };

static const char *const names[] = {"ddr5_3200", "ddr5_3200_fgr", "lpddr4_3200",
                                    "lpddr5_6400", "hbm2_2000"};
enum { PARTS = sizeof names / sizeof *names };

struct watched {
    struct config config;
    const struct dram_device *part;
    struct dram_checker *checker;
    int broken[DRAM_CHECKS];
};

static void told(void *ctx, const struct dram_violation *v) {
    struct watched *w = ctx;
    w->broken[v->check]++;
}

static void watch(struct watched *w, const char *name) {
    struct diag d = {0};
    memset(w, 0, sizeof *w);
    w->part = dram_part_find(name);
    assert_non_null(w->part);
    const char *times = w->part->times;
    config_defaults(&w->config);
    assert_true(config_yaml(&w->config,
                            diag_source(&d, name, times, strlen(times)), &d));
    assert_true(timing_check(&w->config, &d));
    diag_free(&d);
    w->checker = dram_checker_create_part(&w->config, w->part, told, w);
}

static void give(struct watched *w, int64_t cycle, enum dram_kind kind,
                 int group, int bank) {
    bool of_rank = dram_kind_of_rank(kind);
    struct dram_command c = {.cycle = cycle,
                             .kind = kind,
                             .group = of_rank ? 0 : group,
                             .bank = of_rank ? 0 : bank,
                             .row = -1,
                             .column = -1};
    dram_checker_take(w->checker, &c);
}

/* How often a check is broken by `to` so many cycles behind `from`. */
static int broken(const char *name, int check, enum dram_kind from,
                  enum dram_kind to, int group, int bank, int64_t cycles) {
    struct watched w;
    watch(&w, name);
    give(&w, START, from, 0, 0);
    w.broken[check] = 0;
    give(&w, START + cycles, to, group, bank);
    dram_checker_free(w.checker);
    return w.broken[check];
}

static void test_each_rule(void **state) {
    (void)state;
    int seen = 0;
    for (int p = 0; p < PARTS; p++) {
        struct watched w;
        struct dram_rule rules[DRAM_PART_RULES];
        watch(&w, names[p]);
        dram_part_rules(w.part, &w.config, rules);
        for (int n = 0; n < DRAM_PART_RULES; n++)
            for (int from = 0; from < DRAM_ALL_KINDS; from++)
                for (int to = 0; to < DRAM_ALL_KINDS; to++) {
                    const struct dram_rule *r = &rules[n];
                    if (!(r->from >> from & 1) || !(r->to >> to & 1) ||
                        ((from == DRAM_REFB || to == DRAM_REFB) &&
                         !w.part->rfc_bank))
                        continue;
                    int bank = r->scope == DRAM_BANK ? 0 : 1;
                    if (broken(names[p], DRAM_CHECK_PART + n, from, to, 0, bank,
                               r->cycles) ||
                        !broken(names[p], DRAM_CHECK_PART + n, from, to, 0,
                                bank, r->cycles - 1))
                        fail_msg("%s: %s, %s to %s, is not kept at %d",
                                 names[p], r->name, dram_kind_name(from),
                                 dram_kind_name(to), r->cycles);
                    seen++;
                }
        dram_checker_free(w.checker);
    }
    assert_true(seen > 200);
}

/* Each number as the source has it (docs/ndpcheck.md), in nanoseconds. */
static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double tck, rfc, refi, rfc_bank, bank_bank, bank_act;
    } ns[] = {{"ddr5_3200", 0.625, 295, 3900, 0, 0, 0},
              {"ddr5_3200_fgr", 0.625, 160, 1950, 130, 130, 30},
              {"lpddr4_3200", 0.625, 280, 3904, 140, 140, 10},
              {"lpddr5_6400", 1.25, 210, 3906, 120, 90, 8},
              {"hbm2_2000", 1, 220, 3900, 96, 8, 8}};
    for (int p = 0; p < PARTS; p++) {
        struct watched w;
        watch(&w, ns[p].name);
        const int cycles[] = {w.config.timing_rfc, w.config.timing_refi,
                              w.part->rfc_bank, w.part->bank_bank,
                              w.part->bank_act};
        const double times[] = {ns[p].rfc, ns[p].refi, ns[p].rfc_bank,
                                ns[p].bank_bank, ns[p].bank_act};
        for (int i = 0; i < 5; i++)
            if (cycles[i] < times[i] / ns[p].tck - 0.5 ||
                cycles[i] >= times[i] / ns[p].tck + 1)
                fail_msg("%s: %d cycles, expected %g ns", ns[p].name, cycles[i],
                         times[i]);
        dram_checker_free(w.checker);
    }
}

/* ACT of a bank while it refreshes, and of one that does not. */
static void test_which_banks(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int group, bank;
        bool refreshes;
    } cases[] = {{"ddr5_3200_fgr", 0, 0, true},  {"ddr5_3200_fgr", 7, 0, true},
                 {"ddr5_3200_fgr", 0, 1, false}, {"lpddr4_3200", 0, 0, true},
                 {"lpddr4_3200", 0, 1, false},   {"lpddr5_6400", 0, 0, true},
                 {"lpddr5_6400", 2, 0, true},    {"lpddr5_6400", 1, 0, false},
                 {"lpddr5_6400", 2, 1, false},   {"hbm2_2000", 0, 0, true},
                 {"hbm2_2000", 1, 0, false}};
    int check = DRAM_CHECK_PART + DRAM_PART_RULE_rfc_bank;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (broken(cases[i].name, check, DRAM_REFB, DRAM_ACT, cases[i].group,
                   cases[i].bank, 80) != cases[i].refreshes)
            fail_msg("%s: group %d bank %d", cases[i].name, cases[i].group,
                     cases[i].bank);
}

static void test_open_row(void **state) {
    (void)state;
    struct watched w;
    watch(&w, "ddr5_3200_fgr");
    give(&w, START, DRAM_ACT, 5, 2);
    give(&w, START + 200, DRAM_REFB, 0, 1);
    assert_int_equal(w.broken[DRAM_CHECK_open], 0);
    give(&w, START + 500, DRAM_REFB, 0, 2);
    assert_int_equal(w.broken[DRAM_CHECK_open], 1);
    dram_checker_free(w.checker);
}

/* Banks in turn, n of them an interval, for so many intervals; one of them is
 * left out from some interval on. */
static struct watched in_turn(const char *name, int n, int intervals,
                              int left_out, int from) {
    struct watched w;
    watch(&w, name);
    int refi = w.config.timing_refi;
    give(&w, 0, DRAM_PREA, 0, 0);
    for (int i = 0; i < intervals; i++)
        for (int b = 0; b < n; b++)
            if (b != left_out || i < from)
                give(&w, START + (int64_t)i * refi + b * refi / n, DRAM_REFB,
                     b / w.config.dram_banks, b % w.config.dram_banks);
    dram_checker_end(w.checker);
    dram_checker_free(w.checker);
    return w;
}

static void test_all_banks_in_time(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int n;
    } cases[] = {{"ddr5_3200_fgr", 4},
                 {"lpddr4_3200", 8},
                 {"lpddr5_6400", 8},
                 {"hbm2_2000", 16}};
    for (int i = 0; i < 4; i++) {
        struct watched w = in_turn(cases[i].name, cases[i].n, 40, -1, 0);
        for (int c = 0; c < DRAM_CHECKS; c++)
            if (w.broken[c])
                fail_msg("%s: '%s'", cases[i].name, dram_check_name(c));
        w = in_turn(cases[i].name, cases[i].n, 40, 2, 20);
        if (!w.broken[DRAM_CHECK_refresh] && !w.broken[DRAM_CHECK_postponed])
            fail_msg("%s: a bank is forgotten", cases[i].name);
    }
}

/* A refresh of all banks each so many intervals: whether the checker takes the
 * first three. */
static bool takes(const char *name, int intervals) {
    struct watched w;
    watch(&w, name);
    for (int i = 0; i < 2; i++)
        give(&w, START + (int64_t)i * intervals * w.config.timing_refi,
             DRAM_REF, 0, 0);
    dram_checker_free(w.checker);
    return !w.broken[DRAM_CHECK_refresh];
}

static void test_postponed(void **state) {
    (void)state;
    assert_true(takes("ddr5_3200", 5));
    assert_false(takes("ddr5_3200", 6));
    assert_true(takes("ddr5_3200_fgr", 9));
    assert_false(takes("ddr5_3200_fgr", 10));
    assert_true(takes("hbm2_2000", 9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_which_banks),
        cmocka_unit_test(test_open_row),
        cmocka_unit_test(test_all_banks_in_time),
        cmocka_unit_test(test_postponed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
