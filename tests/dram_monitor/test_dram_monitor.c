/* test_dram_monitor.c - the golden model of the monitor of a DRAM channel's
 * commands, by commands written out by hand; and that declaration and note have
 * the rules of the table, in its order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/dram_monitor.h"
#include "dram/check.h"
#include "dram_monitor/dram_monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    struct golden *g;
    struct dram_monitor_in in;
    const struct dram_monitor_out *out;
    long edges; /* since reset */
};

static void open_unit(struct unit *u, const char *const *sets) {
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    for (; sets && *sets; sets++)
        assert_true(config_set(&c, *sets, &d));
    diag_free(&d);
    memset(u, 0, sizeof *u);
    u->g = golden_create(&dram_monitor_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->edges++;
    memset(&u->in, 0, sizeof u->in);
}

/* A command on the next edge; near: the accelerator's of the rank. */
static void put(struct unit *u, bool near, enum dram_kind kind, uint64_t rank,
                uint64_t group, uint64_t bank, uint64_t row) {
    if (near) {
        u->in.ndc_valid |= 1u << rank;
        u->in.ndc_kind |= (uint64_t)kind << 3 * rank;
        u->in.ndc_group |= group << 2 * rank;
        u->in.ndc_bank |= bank << 2 * rank;
        u->in.ndc_row[0] |= row << 16 * rank;
        return;
    }
    u->in.cmd_valid = 1;
    u->in.cmd_kind = kind;
    u->in.cmd_rank = rank;
    u->in.cmd_group = group;
    u->in.cmd_bank = bank;
    u->in.cmd_row = row;
}

/* The host's command on that edge, and the rules that it breaks. */
static void at(struct unit *u, long when, enum dram_kind kind, uint64_t rank,
               uint64_t group, uint64_t bank, uint64_t row, uint64_t rules) {
    while (u->edges < when) {
        edge(u);
        assert_int_equal(u->out->broken_valid, 0);
    }
    put(u, false, kind, rank, group, bank, row);
    edge(u);
    assert_int_equal(u->out->broken_rules, rules);
}

#define RULE(name) ((uint64_t)1 << DRAM_RULE_##name)
#define CHECKED(name) ((uint64_t)1 << DRAM_CHECK_##name)

/* --- by hand, DDR4-2400 --------------------------------------------------- */

static void test_right(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, NULL);
    at(&u, 0, DRAM_ACT, 0, 0, 0, 5, 0);
    at(&u, 4, DRAM_ACT, 0, 1, 0, 5, 0);
    at(&u, 5, DRAM_ACT, 1, 1, 0, 7, 0);
    at(&u, 16, DRAM_RD, 0, 0, 0, 5, 0);
    at(&u, 20, DRAM_RD, 0, 1, 0, 5, 0);
    at(&u, 26, DRAM_RDA, 1, 1, 0, 7, 0);
    at(&u, 30, DRAM_RD, 0, 0, 0, 5, RULE(rank_rd) | CHECKED(data));
    at(&u, 43, DRAM_PREA, 0, 0, 0, 0, 0);
    at(&u, 59, DRAM_REF, 0, 3, 3, 9, 0);
    at(&u, 479, DRAM_ACT, 0, 2, 2, 1, 0);
    assert_int_equal(u.out->total_commands, 10);
    assert_int_equal(u.out->total_broken, 1);
    close_unit(&u);
}

static void test_rows(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, NULL);
    at(&u, 0, DRAM_RD, 1, 0, 0, 5, CHECKED(closed));
    at(&u, 100, DRAM_ACT, 1, 0, 0, 5, 0);
    at(&u, 200, DRAM_WR, 1, 0, 0, 6, CHECKED(row));
    at(&u, 300, DRAM_ACT, 1, 0, 0, 6, CHECKED(open));
    at(&u, 400, DRAM_WR, 1, 0, 0, 6, 0);
    at(&u, 500, DRAM_REF, 1, 0, 0, 0, CHECKED(open));
    at(&u, 1000, DRAM_WRA, 1, 0, 0, 6, 0); /* REF has left it open */
    at(&u, 1100, DRAM_WR, 1, 0, 0, 6, CHECKED(closed));
    at(&u, 1200, DRAM_REF, 1, 0, 0, 0, 0);
    close_unit(&u);
}

/* The host's and the accelerator's command on one edge, in one rank. */
static void test_behind_host(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, NULL);
    put(&u, false, DRAM_ACT, 1, 2, 3, 4);
    put(&u, true, DRAM_RD, 1, 2, 3, 4);
    put(&u, true, DRAM_ACT, 0, 2, 3, 4);
    edge(&u);
    assert_int_equal(u.out->broken_rules, RULE(slot) | RULE(rcd));
    assert_int_equal(u.out->broken_commands, 4);
    assert_int_equal(u.out->broken_rule, DRAM_RULE_rcd);
    assert_int_equal(u.out->broken_near, 1);
    assert_int_equal(u.out->broken_kind, DRAM_RD);
    assert_int_equal(u.out->broken_rank, 1);
    assert_int_equal(u.out->broken_group, 2);
    assert_int_equal(u.out->broken_bank, 3);
    assert_int_equal(u.out->total_commands, 3);
    assert_int_equal(u.out->total_broken, 1);
    close_unit(&u);
}

/* An accelerator's reads use no wire of the channel. */
static void test_other_ranks(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, NULL);
    put(&u, false, DRAM_ACT, 0, 0, 0, 1);
    put(&u, true, DRAM_ACT, 1, 0, 0, 1);
    edge(&u);
    at(&u, 16, DRAM_RD, 0, 0, 0, 1, 0);
    put(&u, true, DRAM_RD, 1, 0, 0, 1);
    edge(&u);
    assert_int_equal(u.out->broken_valid, 0);
    at(&u, 21, DRAM_RD, 1, 1, 0, 1,
       RULE(rank_rd) | CHECKED(data) | CHECKED(closed));
    close_unit(&u);
}

static void test_window(void **state) {
    struct unit u;
    (void)state;
    for (int apart = 25; apart <= 26; apart++) {
        open_unit(&u, NULL);
        for (uint64_t i = 0; i < 4; i++)
            at(&u, (long)i * 4, DRAM_ACT, 0, i, 0, 1, 0);
        at(&u, apart, DRAM_ACT, 0, 0, 1, 1, apart < 26 ? RULE(faw) : 0);
        close_unit(&u);
    }
}

static void test_first(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, NULL);
    at(&u, 7, DRAM_PRE, 0, 1, 1, 0, 0);
    assert_int_equal(u.out->first_valid, 0);
    at(&u, 9, DRAM_ACT, 0, 1, 1, 0, RULE(rp));
    at(&u, 12, DRAM_REF, 0, 1, 1, 0,
       RULE(rc_ref) | RULE(rp_ref) | CHECKED(open));
    assert_int_equal(u.out->broken_group, 0);
    assert_int_equal(u.out->first_valid, 1);
    assert_int_equal(u.out->first_rule, DRAM_RULE_rp);
    assert_int_equal(u.out->first_kind, DRAM_ACT);
    assert_int_equal(u.out->first_group, 1);
    assert_int_equal(u.out->first_bank, 1);
    assert_int_equal(u.out->first_edge, 9);
    assert_int_equal(u.out->total_broken, 2);
    u.out = golden_cycle(u.g, true, NULL);
    u.edges = 0;
    assert_int_equal(u.out->first_valid, 0);
    assert_int_equal(u.out->total_commands, 0);
    at(&u, 0, DRAM_ACT, 0, 1, 1, 0, 0);
    close_unit(&u);
}

static void test_refresh(void **state) {
    static const char *const sets[] = {"timing.refi=500", NULL};
    struct unit u;
    (void)state;
    open_unit(&u, sets);
    at(&u, 10, DRAM_PRE, 0, 0, 0, 0, 0);
    at(&u, 4510, DRAM_REF, 1, 0, 0, 0, 0);
    assert_int_equal(u.out->late_ranks, 1);
    at(&u, 4511, DRAM_REF, 0, 0, 0, 0, CHECKED(refresh));
    assert_int_equal(u.out->late_ranks, 0);
    at(&u, 9011, DRAM_REF, 1, 0, 0, 0, CHECKED(refresh));
    close_unit(&u);
}

static void test_maximum(void **state) {
    static const char *const sets[] = {"dram_monitor.count_bits=8",
                                       "dram_monitor.time_bits=8", NULL};
    struct unit u;
    (void)state;
    open_unit(&u, sets);
    for (int i = 0; i < 300; i++) {
        put(&u, false, DRAM_PRE, 0, 0, 0, 0);
        edge(&u);
    }
    assert_int_equal(u.out->total_commands, 255);
    assert_int_equal(u.out->total_broken, 0);
    at(&u, 300, DRAM_RD, 0, 0, 0, 0, CHECKED(closed));
    assert_int_equal(u.out->first_edge, 255);
    close_unit(&u);
}

/* --- the table ------------------------------------------------------------ */

/* Cover points of all rules but the last of the table, in its order. */
static void test_covers(void **state) {
    const struct iface *b = &dram_monitor_iface;
    int n = 0;
    (void)state;
    for (int i = 0; i <= DRAM_CHECK_data; i++) {
        char broken[40], kept[40];
        if (i == DRAM_RULE_bus)
            continue;
        snprintf(broken, sizeof broken, "broken_%s", dram_check_name(i));
        snprintf(kept, sizeof kept, "kept_%s", dram_check_name(i));
        assert_string_equal(b->covers[n++].name, broken);
        assert_string_equal(b->covers[n++].name, kept);
    }
}

/* The note has the number of each. */
static void test_note(void **state) {
    FILE *f = fopen("docs/blocks/dram_monitor.md", "r");
    static char note[40000];
    (void)state;
    assert_non_null(f);
    note[fread(note, 1, sizeof note - 1, f)] = '\0';
    fclose(f);
    for (int i = 0; i < DRAM_CHECKS_MONITORED; i++) {
        char entry[60];
        snprintf(entry, sizeof entry, "| %d | `%s` |", i, dram_check_name(i));
        if (!strstr(note, entry))
            fail_msg("the note lacks '%s'", entry);
    }
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "dram_monitor.count_bits=7", "dram_monitor.count_bits=49",
        "dram_monitor.time_bits=7", "dram_monitor.time_bits=65"};
    static const char *const many[] = {"dram.ranks=8", "dram.groups=8",
                                       "dram.banks=4"};
    struct config c;
    struct diag d = {0};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
    }
    diag_free(&d);
    d = (struct diag){0};
    config_defaults(&c);
    assert_true(iface_check(&dram_monitor_iface, &c, &d));
    for (size_t n = 0; n < sizeof many / sizeof many[0]; n++)
        assert_true(config_set(&c, many[n], &d));
    assert_false(iface_check(&dram_monitor_iface, &c, &d));
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),       cmocka_unit_test(test_rows),
        cmocka_unit_test(test_behind_host), cmocka_unit_test(test_other_ranks),
        cmocka_unit_test(test_window),      cmocka_unit_test(test_first),
        cmocka_unit_test(test_refresh),     cmocka_unit_test(test_maximum),
        cmocka_unit_test(test_covers),      cmocka_unit_test(test_note),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
