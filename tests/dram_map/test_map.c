/* test_map.c - the map of addresses into DRAM: bijections, their inverse, the
 * partition, and what is said of masks that make no map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dram/map.h"
#include "tests/common/diag_capture.h"

#include <stdlib.h>
#include <string.h>

/* A configuration of the given lines of YAML. */
static struct config config_of(const char *text) {
    struct config c;
    struct diag d = {0};
    struct source src = {"c.yml", text, strlen(text)};
    config_defaults(&c);
    if (!config_yaml(&c, &src, &d))
        fail_msg("%s", diag_captured(&d));
    diag_free(&d);
    return c;
}

static const char tiny[] = "dram: {channels: 2, ranks: 2, groups: 2, banks: 2, "
                           "row_bits: 4, column_bits: 2}\n";

/* Every address of a small map: each place once, and back. */
static void check_all(const char *map, int reserved) {
    struct text t = {0};
    text_printf(&t, "%s%s", tiny, map);
    struct config c = config_of(text_str(&t));
    struct diag d = {0};
    struct dram_map m;
    c.dram_map_reserved = reserved;
    assert_true(dram_map_check(&c, &d));
    dram_map_make(&c, &m);
    assert_int_equal(dram_map_address_bits(&m), 16);
    unsigned char *seen = calloc(1 << 10, 1);
    for (uint64_t a = 0; a < 1 << 16; a++) {
        struct dram_place p = dram_map_place(&m, a);
        int word = 0,
            slot = p.part[DRAM_GROUP_BITS] * 2 + p.part[DRAM_BANK_BITS];
        for (int i = 0; i < DRAM_PARTS; i++) {
            assert_in_range(p.part[i], 0, (1 << m.width[i]) - 1);
            word |= p.part[i] << m.at[i];
        }
        if (a % 64 == 0)
            assert_false(seen[word]++);
        assert_int_equal(p.offset, a % 64);
        assert_int_equal(dram_map_address(&m, &p), a);
        bool shared = reserved && (int)(a >> 14) >= 4 - reserved;
        assert_int_equal(p.shared, shared);
        if (reserved)
            assert_int_equal(slot >= 4 - reserved, shared);
    }
    free(seen);
    text_free(&t);
}

static void test_bijections(void **state) {
    (void)state;
    static const char masks[] = "dram_map:\n"
                                "  channel: [[6, 9, 13]]\n"
                                "  rank: [[10, 12]]\n"
                                "  group: [[9, 7, 12]]\n"
                                "  bank: [[11, 13]]\n"
                                "  row: [[12], [13], [14], [15]]\n"
                                "  column: [[7], 0x100]\n";
    for (int reserved = 0; reserved < 4; reserved++) {
        check_all(masks, reserved);
        check_all("dram_map: {order: rorababgcoch}", reserved);
        check_all("dram_map: {order: rochrababgco}", reserved);
    }
    check_all("dram_map: {order: chrorababgco}", 0);
}

/* What the DRAMA paper measured, by single bits. */
static void test_skylake(void **state) {
    (void)state;
    struct config c;
    struct dram_map m;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(dram_map_check(&c, &d));
    dram_map_make(&c, &m);
    assert_int_equal(dram_map_address_bits(&m), 35); /* 32 GiB */
    struct dram_place p = dram_map_place(&m, UINT64_C(1) << 19);
    assert_int_equal(p.part[DRAM_CHANNEL_BITS], 1);
    assert_int_equal(p.part[DRAM_GROUP_BITS], 2);
    assert_int_equal(p.part[DRAM_ROW], 1);
    p = dram_map_place(&m, UINT64_C(1) << 8);
    assert_int_equal(p.part[DRAM_CHANNEL_BITS], 1);
    p = dram_map_place(&m, 0x4080); /* 7 ^ 14 */
    assert_int_equal(p.part[DRAM_GROUP_BITS], 0);
    p = dram_map_place(&m, UINT64_C(1) << 22);
    assert_int_equal(p.part[DRAM_BANK_BITS], 2);
    p = dram_map_place(&m, UINT64_C(0x7ffffffff));
    assert_true(p.shared);
}

/* What is said of a map. */
static void refused(const char *text, const char *expected) {
    struct config c = config_of(text);
    struct diag d = {0};
    assert_false(dram_map_check(&c, &d));
    char *got = diag_captured(&d);
    if (!strstr(got, expected))
        fail_msg("'%s' does not say '%s'", got, expected);
    free(got);
    diag_free(&d);
}

static void test_bad_masks(void **state) {
    (void)state;
    refused("dram_map: {bank: [[17, 21], [7, 14]]}",
            "'dram_map.group' mask 0 (7^14) is 'dram_map.bank' mask 1 (7^14): "
            "no bijection, two addresses would share a place");
    refused("dram_map: {rank: [[17, 20]], bank: [[17, 21], [18, 22]]}",
            "'dram_map.rank' mask 0 (17^20) is 'dram_map.row' mask 1 (20) ^ "
            "'dram_map.row' mask 2 (21) ^ 'dram_map.bank' mask 0 (17^21): no");
    refused("dram_map: {rank: []}",
            "'dram_map.rank' has 0 masks, expected 1 for 'dram.ranks'");
    refused("dram: {ranks: 4}", "'dram_map.rank' has 1 masks, expected 2 for");
    refused("dram_map: {rank: [[5, 16]]}",
            "'dram_map.rank' mask 0 has address bit 5, expected bits 6 to 34");
    refused("dram_map: {rank: [[16, 40]]}", "address bit 40, expected");
    refused(
        "dram_map: {rank: [[16, 34]]}",
        "'dram_map.rank' mask 0 (16^34): expected none of the top 4 address");
    refused("dram_map: {order: chrorababgco}",
            "'dram_map.row' mask 15 (33): expected address bit 34 alone, as");
    refused("dram_map: {reserved: 16}",
            "'dram_map.reserved' is 16, expected fewer than the 16 banks");
    refused("dram: {row_bits: 20, column_bits: 12, channels: 8, ranks: 8, "
            "groups: 8, banks: 16}\ndram_map: {order: rorababgcoch}",
            "an address of 51 bits, expected 48");
}

/* How masks are written, and what is no mask. */
static void test_written_masks(void **state) {
    (void)state;
    static const struct {
        const char *set, *says;
    } bad[] = {
        {"dram_map.rank=16", "expects a list of lists of bits such as"},
        {"dram_map.rank=[16]",
         "lists masks, got '16', expected a list of bits"},
        {"dram_map.rank=[[16, 16]]", "has bit 16 twice in one mask"},
        {"dram_map.rank=[[64]]", "has bit 64, expected 0 to 63"},
        {"dram_map.rank=[[]]", "lists bits, got ''"},
        {"dram_map.rank=[0x0]", "has a mask without bits"},
        {"dram_map.rank=[[1], [x]]", "lists bits, got 'x'"},
        {"dram_map.rank=[[1, [2]]", "lists bits, got '[2'"},
        {"dram_map.rank=[[1]", "expects a list of lists"},
    };
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    assert_true(config_set(&c, "dram_map.group=[ [7, 14] , 0x88000 ]", &d));
    assert_int_equal(c.dram_map_group.n, 2);
    assert_true(c.dram_map_group.v[0] == 0x4080);
    assert_true(c.dram_map_group.v[1] == 0x88000);
    assert_true(config_set(&c, "dram_map.rank=[]", &d));
    assert_int_equal(c.dram_map_rank.n, 0);
    struct text echo = {0};
    config_value(&c, config_find("dram_map.group"), &echo);
    assert_string_equal(text_str(&echo), "[[7, 14], [15, 19]]");
    text_free(&echo);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct diag e = {0};
        assert_false(config_set(&c, bad[i].set, &e));
        char *got = diag_captured(&e);
        if (!strstr(got, bad[i].says))
            fail_msg("%s: '%s' does not say '%s'", bad[i].set, got,
                     bad[i].says);
        free(got);
        diag_free(&e);
    }
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bijections),
        cmocka_unit_test(test_skylake),
        cmocka_unit_test(test_bad_masks),
        cmocka_unit_test(test_written_masks),
    };
    return cmocka_run_group_tests_name("test_map", tests, NULL, NULL);
}
