/* test_examine.c - golden boards with planted faults: found on their edge, and
 * nothing is found on boards without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/emn.h"
#include "sim/bist/examine.h"
#include "sim/bist/rig.h"

#include <string.h>

/* A port that fails as a line does, from an access on, so many times. */
struct bad_port {
    struct ndp_port base;
    struct ndp_port *real;
    int failures, every, at;
};

struct rigged {
    struct design *design;
    struct flat flat;
    struct board board;
    struct board_way way;
    struct bad_port port;
    int opened;
    struct flat_row words[2];
    struct window free; /* lookups of anything */
};

static bool run_badly(struct ndp_port *port, struct ndp_access *list, int n,
                      struct text *why) {
    struct bad_port *p = (struct bad_port *)port;
    p->base.line_failed = p->failures > 0 && ++p->at % p->every == 0;
    if (!p->base.line_failed)
        return p->real->class->run(p->real, list, n, why);
    p->failures--;
    p->real->class->run(p->real, list, n / 2, why);
    text_add(why, "noise");
    return false;
}

static const struct ndp_port_class bad_class = {.run = run_badly};

static struct ndp_port *reach(void *ctx, struct text *why) {
    struct rigged *r = ctx;
    (void)why;
    return r->opened++ < 10 ? &r->port.base : NULL;
}

static void open_rig(struct rigged *r, const char *fault) {
    struct config c;
    struct diag d = {0};
    struct text why = {0};
    assert_true(config_preset(&c, "small", &d));
    c.bist_window = 64;
    *r = (struct rigged){.design = design_make(&emn_iface, &c)};
    flat_init(&r->flat, r->design);
    r->way = (struct board_way){reach, r};
    r->port.base.class = &bad_class;
    r->port.every = 1;
    r->port.real = rig_open(&r->flat, fault, &why);
    assert_non_null(r->port.real);
    assert_true(board_open(&r->board, &r->way, &r->flat));
    assert_int_equal(r->board.words, 64);
    bits_or(r->words[0].w, r->flat.in_bits, 1, 1);
    r->free = (struct window){
        .words = r->words, .n = 2, .again = 1, .seed = 9, .length = 300};
    bits_or(r->free.mask.w, 0, 13, 0x1fff);
}

static void close_rig(struct rigged *r) {
    r->port.real->class->close(r->port.real);
    board_close(&r->board);
    design_free(r->design);
}

static void test_right(void **state) {
    struct rigged r;
    struct examined e;
    (void)state;
    open_rig(&r, "");
    for (uint32_t seed = 1; seed < 20; seed++) {
        r.free.seed = seed;
        r.free.length = seed * 10;
        assert_true(examine(&r.board, &r.free, 3, &e));
        assert_true(e.right);
    }
    close_rig(&r);
}

/* A fault on each edge of a window is found there: the first edge has reset, so
 * the fault's edge 0 is the window's 1. */
static void test_every_edge(void **state) {
    (void)state;
    for (int n = 0; n < 39; n++) {
        struct rigged r;
        struct examined e;
        char fault[32];
        snprintf(fault, sizeof fault, "wb_dat_r[%d]@%d", n % 32, n);
        open_rig(&r, fault);
        r.free.length = 40;
        assert_true(examine(&r.board, &r.free, 2, &e));
        assert_false(e.right);
        assert_true(e.again);
        assert_int_equal(e.pass, 0);
        assert_int_equal(e.first, n + 1);
        assert_int_equal(e.n, 40);
        assert_int_equal(e.wrong, 1);
        for (int i = 0; i < 40; i++) {
            uint64_t differs = e.edges[i].golden.w[0] ^ e.edges[i].device.w[0];
            assert_int_equal(differs, i == n + 1 ? bit(10 + n % 32) : 0);
        }
        examined_free(&e);
        close_rig(&r);
    }
}

/* Of a pass too long to stream back those around the first wrong edge. */
static void test_long(void **state) {
    struct rigged r;
    struct examined e;
    (void)state;
    open_rig(&r, "ans_id[3]@123456");
    r.free.length = 140000; /* three edges between two signatures */
    assert_true(examine(&r.board, &r.free, 1, &e));
    assert_true(e.again);
    assert_int_equal(e.first, 123457);
    assert_int_equal(e.from, 123457 - 16);
    assert_int_equal(e.n, 64);
    assert_int_equal(e.wrong, 1);
    examined_free(&e);
    close_rig(&r);
}

/* A fault that comes once, in the fourth pass, is said to be gone. */
static void test_once(void **state) {
    struct rigged r;
    struct examined e;
    (void)state;
    open_rig(&r, "ans_valid[0]#1000");
    assert_true(examine(&r.board, &r.free, 10, &e)); /* 299 without reset */
    assert_false(e.right);
    assert_int_equal(e.pass, 3);
    assert_false(e.again);
    examined_free(&e);
    close_rig(&r);
}

/* A line that fails now and then changes no verdict, and one that always fails
 * has none. */
static void test_line(void **state) {
    struct rigged r;
    struct examined e;
    (void)state;
    open_rig(&r, "ans_found[0]@20");
    r.free.length = 40;
    r.port.every = 7;
    r.port.failures = 8;
    assert_true(examine(&r.board, &r.free, 2, &e));
    assert_int_equal(r.port.failures, 0);
    assert_int_equal(r.opened, 9);
    assert_int_equal(e.first, 21);
    assert_int_equal(e.wrong, 1);
    examined_free(&e);
    r.port.every = 1;
    r.port.failures = 100;
    assert_false(examine(&r.board, &r.free, 2, &e));
    assert_non_null(strstr(text_str(&r.board.why), "noise"));
    close_rig(&r);
}

static void test_wrong_width(void **state) {
    struct rigged r;
    struct board other;
    struct flat flat;
    (void)state;
    open_rig(&r, "");
    flat = r.flat;
    flat.in_bits++;
    assert_false(board_open(&other, &r.way, &flat));
    assert_non_null(strstr(text_str(&other.why), "55 bits of inputs and 43"));
    board_close(&other);
    close_rig(&r);
}

static void test_bad_fault(void **state) {
    static const char *const bad[] = {
        "ans_id[4]@1", "req_id[0]@1", "ans_id[-1]@1", "nothing[0]@1",
        "ans_id[0]",   "ans_id[0]!3", "ans_id[0]@1x"};
    struct rigged r;
    (void)state;
    open_rig(&r, "");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct text why = {0};
        assert_null(rig_open(&r.flat, bad[i], &why));
        assert_int_not_equal(why.len, 0);
        text_free(&why);
    }
    close_rig(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),     cmocka_unit_test(test_every_edge),
        cmocka_unit_test(test_long),      cmocka_unit_test(test_once),
        cmocka_unit_test(test_line),      cmocka_unit_test(test_wrong_width),
        cmocka_unit_test(test_bad_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
