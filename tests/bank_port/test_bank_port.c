/* test_bank_port.c - the golden model of a core's port on the banks, edge by
 * edge as docs/blocks/bank_port.md has it.
 *
 * Two units; sectors of two words, two of them in a line: of a sector's address
 * bit 0 is the sector within its line, bit 1 the unit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bank_port/bank_port.h"
#include "base/bits.h"
#include "base/diag.h"
#include "blocks/bank_port.h"

#include <string.h>

enum { WORDS = 2, UNIT1 = 2 /* in a sector's address */ };
enum { ADD = 2, EXCH = 10, CAS = 11 };

struct rig {
    struct golden *g;
    struct bank_port_local l;
    struct bank_port_in in;
    const struct bank_port_out *out;
};

static void open_spaced(struct rig *r, int units, int sector, int line,
                        int id_bits, int interval) {
    struct config c;
    memset(r, 0, sizeof *r);
    config_defaults(&c);
    c.bank_port_units = units;
    c.bank_port_sector = sector;
    c.bank_port_line = line;
    c.bank_port_id_bits = id_bits;
    c.bank_port_interval = interval;
    r->l = bank_port_local(&c);
    r->g = golden_create(&bank_port_golden, &c);
    r->out = golden_cycle(r->g, true, NULL);
    r->in.mem_ready = ones(units);
}

/* Without a gap between responses. */
static void open_sizes(struct rig *r, int units, int sector, int line,
                       int id_bits) {
    open_spaced(r, units, sector, line, id_bits, 1);
}

static void open_rig(struct rig *r) {
    open_sizes(r, 2, 4 * WORDS, 16, 2);
}

/* What is offered and answered stands for one edge. */
static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
    r->in.req_valid = r->in.back_valid = r->in.back_fault = 0;
    memset(r->in.back_id, 0, sizeof r->in.back_id);
    memset(r->in.back_data, 0, sizeof r->in.back_data);
}

static void ask(struct rig *r, uint64_t op, uint64_t id, uint64_t sector,
                uint64_t strobe, uint64_t data) {
    r->in.req_valid = 1;
    r->in.req_op = op;
    r->in.req_id = id;
    r->in.req_address = sector;
    r->in.req_strobe = strobe;
    r->in.req_data[0] = data;
}

/* A sector of two words, which is a word of 64 bits. */
static void answer(struct rig *r, int unit, uint64_t id, uint64_t data,
                   bool fault) {
    r->in.back_valid |= bit(unit);
    r->in.back_fault |= (uint64_t)fault << unit;
    bits_or(r->in.back_id, unit * r->l.ID_W, r->l.ID_W, id);
    r->in.back_data[unit] = data;
}

static void no_request(const struct rig *r, int unit) {
    const struct bank_port_out *o = r->out;
    assert_int_equal(o->mem_valid >> unit & 1, 0);
    assert_int_equal(o->mem_store >> unit & 1, 0);
    assert_int_equal(bits_get(o->mem_id, unit * r->l.ID_W, r->l.ID_W), 0);
    assert_int_equal(bits_get(o->mem_address, unit * r->l.OWN_W, r->l.OWN_W),
                     0);
    assert_int_equal(bits_get(o->mem_strobe, unit * WORDS, WORDS), 0);
    assert_true(o->mem_data[unit] == 0);
}

static void is_request(const struct rig *r, int unit, bool store, uint64_t id,
                       uint64_t own, uint64_t words, uint64_t data) {
    const struct bank_port_out *o = r->out;
    assert_int_equal(o->mem_valid >> unit & 1, 1);
    assert_int_equal(o->mem_store >> unit & 1, store);
    assert_int_equal(bits_get(o->mem_id, unit * r->l.ID_W, r->l.ID_W), id);
    assert_int_equal(bits_get(o->mem_address, unit * r->l.OWN_W, r->l.OWN_W),
                     own);
    assert_int_equal(bits_get(o->mem_strobe, unit * WORDS, WORDS), words);
    assert_true(o->mem_data[unit] == data);
}

static void is_load(const struct rig *r, int unit, uint64_t id, uint64_t own) {
    is_request(r, unit, false, id, own, 0, 0);
}

static void no_response(const struct rig *r) {
    assert_int_equal(r->out->rsp_valid, 0);
    assert_int_equal(r->out->rsp_id, 0);
    assert_int_equal(r->out->rsp_fault, 0);
    assert_true(r->out->rsp_data[0] == 0);
}

static void is_response(const struct rig *r, uint64_t id, uint64_t data,
                        bool fault) {
    assert_int_equal(r->out->rsp_valid, 1);
    assert_int_equal(r->out->rsp_id, id);
    assert_int_equal(r->out->rsp_fault, fault);
    assert_true(r->out->rsp_data[0] == data);
}

/* --- plain ones ----------------------------------------------------------- */

static void test_load(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    ask(&r, 0, 3, 0x123 << 2 | UNIT1 | 1, 0xa5, 77); /* strobes mean nothing */
    edge(&r);                                        /* t */
    no_request(&r, 1);
    edge(&r);
    no_request(&r, 1);
    edge(&r); /* t + 2 */
    is_load(&r, 1, 3, 0x123 << 1 | 1);
    no_request(&r, 0);
    edge(&r);
    no_request(&r, 1);
    answer(&r, 1, 3, 0x1122334455667788, false);
    edge(&r); /* t */
    no_response(&r);
    edge(&r);
    no_response(&r);
    edge(&r); /* t + 2 */
    is_response(&r, 3, 0x1122334455667788, false);
    edge(&r);
    no_response(&r);
    golden_free(r.g);
}

/* Data are passed on whole, strobes are those of whole words. */
static void test_store(void **state) {
    static const struct {
        uint64_t op, strobe, words;
    } stores[] = {{1, 0xff, 3},  {1, 0xf0, 2},  {1, 0x0f, 1},  {1, 0, 0},
                  {12, 0xff, 0}, {13, 0x0f, 0}, {14, 0x12, 0}, {15, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        struct rig r;
        open_rig(&r);
        ask(&r, stores[i].op, 1, 5, stores[i].strobe, 0x8877665544332211);
        edge(&r);
        edge(&r);
        edge(&r);
        is_request(&r, 0, true, 1, 3, stores[i].words, 0x8877665544332211);
        edge(&r);
        answer(&r, 0, 1, 99, false); /* what comes is passed on */
        edge(&r);
        edge(&r);
        edge(&r);
        is_response(&r, 1, 99, false);
        golden_free(r.g);
    }
}

/* By lines in turn, as the window of vault has it: arithmetic of its own. */
static void test_addresses(void **state) {
    static const struct {
        int units, sector, line;
    } forms[] = {{2, 8, 8},      {2, 8, 4096}, {4, 32, 128}, {16, 8, 8},
                 {16, 32, 4096}, {8, 16, 16},  {16, 16, 64}};
    static const uint64_t sectors[] = {
        0, 1, 2, 3, 5, 0x1234567, 0x7654321, 0x5a5a5a5, 0x7ffffff};
    (void)state;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t i = 0; i < sizeof sectors / sizeof *sectors; i++) {
            struct rig r;
            uint64_t row = (uint64_t)(forms[f].line / forms[f].sector);
            uint64_t units = (uint64_t)forms[f].units;
            uint64_t line = sectors[i] / row, own;
            int unit = (int)(line % units);
            own = line / units * row + sectors[i] % row;
            open_sizes(&r, forms[f].units, forms[f].sector, forms[f].line, 6);
            ask(&r, 0, 45, sectors[i], 0, 0);
            edge(&r);
            edge(&r);
            edge(&r);
            assert_int_equal(r.out->mem_valid, bit(unit));
            assert_int_equal(
                bits_get(r.out->mem_address, unit * r.l.OWN_W, r.l.OWN_W), own);
            assert_int_equal(bits_get(r.out->mem_id, unit * 6, 6), 45);
            golden_free(r.g);
        }
}

/* A request an edge, in the order in which they came, and a response an edge.
 */
static void test_throughput(void **state) {
    struct rig r;
    (void)state;
    open_sizes(&r, 2, 4 * WORDS, 16, 4);
    for (unsigned t = 0; t < 40; t++) {
        assert_int_equal(r.out->req_ready, 1);
        ask(&r, 0, t % 16, t, 0, 0);
        edge(&r);
        if (t < 2)
            continue;
        unsigned was = t - 2; /* that is there now, and answered at once */
        is_load(&r, (int)(was >> 1 & 1), was % 16, was >> 2 << 1 | (was & 1));
        answer(&r, (int)(was >> 1 & 1), was % 16, was, false);
        if (t < 5)
            no_response(&r);
        else
            is_response(&r, (t - 5) % 16, t - 5, false);
    }
    golden_free(r.g);
}

/* Two in the queue, one at its output, one in the register: then none. */
static void test_full(void **state) {
    struct rig r;
    int taken = 0;
    (void)state;
    open_sizes(&r, 2, 4 * WORDS, 16, 4);
    r.in.mem_ready = 0;
    for (unsigned t = 0; t < 10; t++) {
        bool ready = r.out->req_ready;
        ask(&r, 0, (unsigned)taken, 0, 0, 0);
        edge(&r);
        taken += ready;
    }
    assert_int_equal(taken, 4);
    assert_int_equal(r.out->req_ready, 0);
    is_load(&r, 0, 0, 0);
    r.in.mem_ready = 2; /* the other unit's */
    edge(&r);
    is_load(&r, 0, 0, 0);
    r.in.mem_ready = 1;
    for (unsigned t = 1; t < 4; t++) {
        edge(&r);
        is_load(&r, 0, t, 0);
        assert_int_equal(r.out->req_ready, 1);
    }
    edge(&r);
    no_request(&r, 0);
    golden_free(r.g);
}

/* --- changes -------------------------------------------------------------- */

/* Of unit 0, with id 1: what it writes, and what its response has; it asks on
 * the first of the edges and ends with its response. */
static void change(struct rig *r, uint64_t op, uint64_t strobe, uint64_t data,
                   uint64_t read, uint64_t words, uint64_t written,
                   uint64_t response) {
    ask(r, op, 1, 5, strobe, data);
    edge(r);
    edge(r);
    edge(r);
    is_load(r, 0, 1, 3);
    edge(r);
    no_request(r, 0);
    edge(r);
    answer(r, 0, 1, read, false);
    edge(r); /* t: it has come */
    no_request(r, 0);
    edge(r); /* t + 1 */
    is_request(r, 0, true, 1, 3, words, written);
    edge(r);
    no_request(r, 0);
    no_response(r);
    answer(r, 0, 1, 0x1111111111111111, false);
    edge(r);
    no_response(r);
    edge(r);
    no_response(r);
    edge(r);
    is_response(r, 1, response, false);
}

static void test_bytes(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    change(&r, 1, 0x01, 0x8877665544332211, 0xffeeddccbbaa9900, 1,
           0xffeeddccbbaa9911, 0);
    change(&r, 1, 0x6f, 0x8877665544332211, 0xffeeddccbbaa9900, 3,
           0xff7766cc44332211, 0);
    change(&r, 1, 0x80, 0x8877665544332211, 0xffeeddccbbaa9900, 2,
           0x88eeddccbbaa9900, 0);
    golden_free(r.g);
}

/* The old word in its place, zero around it; the other word as it was read. */
static void test_atomics(void **state) {
    static const struct {
        uint64_t op;
        uint32_t old, data, compare, made;
    } a[] = {
        {ADD, 0xffffffff, 2, 0, 1},
        {3, 0xffffffff, 2, 0, 0xffffffff}, /* -1 is less */
        {3, 5, 2, 0, 2},
        {4, 0xffffffff, 2, 0, 2},
        {4, 5, 2, 0, 5},
        {5, 0xffffffff, 2, 0, 2},
        {6, 0xffffffff, 2, 0, 0xffffffff},
        {7, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
        {8, 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0},
        {9, 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0},
        {EXCH, 7, 9, 0, 9},
        {CAS, 7, 9, 7, 9},
        {CAS, 7, 9, 8, 7},
    };
    struct rig r;
    (void)state;
    open_rig(&r);
    for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
        uint64_t other = 0x12345678, old = a[i].old, made = a[i].made;
        r.in.req_compare = a[i].compare;
        change(&r, a[i].op, 0x0f, a[i].data, other << 32 | old, 1,
               other << 32 | made, old);
        change(&r, a[i].op, 0xf0, (uint64_t)a[i].data << 32, old << 32 | other,
               2, made << 32 | other, old << 32);
    }
    golden_free(r.g);
}

/* Who comes behind it waits until its store is at the unit, and not longer;
 * another unit's request is behind that one. */
static void test_held(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    ask(&r, ADD, 0, 0, 0x0f, 5);
    edge(&r);
    ask(&r, 0, 1, 1, 0, 0);
    edge(&r);
    ask(&r, 0, 2, UNIT1, 0, 0);
    edge(&r);
    is_load(&r, 0, 0, 0);
    for (int i = 0; i < 8; i++) {
        edge(&r);
        no_request(&r, 0);
        no_request(&r, 1);
    }
    answer(&r, 0, 0, 10, false);
    edge(&r);
    no_request(&r, 0);
    r.in.mem_ready = 2; /* empty, so it can take */
    edge(&r);
    is_request(&r, 0, true, 0, 0, 1, 15);
    edge(&r);
    is_request(&r, 0, true, 0, 0, 1, 15);
    r.in.mem_ready = 3;
    edge(&r);
    is_load(&r, 0, 1, 1);
    edge(&r);
    no_request(&r, 0);
    is_load(&r, 1, 2, 0);
    golden_free(r.g);
}

/* Plain ones go beside a change, on the edge of its store, too; a change waits
 * until the one before has been answered. */
static void test_beside(void **state) {
    struct rig r;
    (void)state;
    open_sizes(&r, 2, 4 * WORDS, 16, 4);
    ask(&r, EXCH, 0, 0, 0x0f, 5);
    edge(&r);
    ask(&r, 1, 1, UNIT1, 0xff, 6);
    edge(&r);
    ask(&r, 0, 2, UNIT1 | 1, 0, 0);
    edge(&r);
    is_load(&r, 0, 0, 0);
    edge(&r);
    is_request(&r, 1, true, 1, 0, 3, 6);
    answer(&r, 0, 0, 10, false);
    r.in.mem_ready = 1;
    edge(&r);
    is_request(&r, 1, true, 1, 0, 3, 6);
    ask(&r, 1, 3, UNIT1, 0x1, 7); /* a change, and one behind it */
    r.in.mem_ready = 2;
    edge(&r);
    is_request(&r, 0, true, 0, 0, 1, 5); /* both on one edge */
    is_load(&r, 1, 2, 1);
    ask(&r, 0, 4, 1, 0, 0);
    r.in.mem_ready = 3;
    for (int i = 0; i < 5; i++) {
        edge(&r);
        no_request(&r, 0);
        no_request(&r, 1);
    }
    answer(&r, 0, 0, 0, false);
    edge(&r); /* none after the edge */
    no_request(&r, 1);
    edge(&r);
    is_load(&r, 1, 3, 0);
    edge(&r);
    is_load(&r, 0, 4, 1);
    golden_free(r.g);
}

/* A plain one for the unit of a change that writes goes behind its store. */
static void test_behind(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    ask(&r, 1, 0, 0, 0x01, 5);
    edge(&r);
    edge(&r);
    edge(&r);
    ask(&r, 0, 1, 0, 0, 0);
    edge(&r);
    answer(&r, 0, 0, 0xaa00, false);
    edge(&r);
    edge(&r);
    is_request(&r, 0, true, 0, 0, 1, 0xaa05);
    edge(&r);
    is_load(&r, 0, 1, 0);
    golden_free(r.g);
}

/* --- faults --------------------------------------------------------------- */

/* No store after a fault, and none of what came; the next change goes on. */
static void test_faults(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    ask(&r, 0, 2, 0, 0, 0);
    edge(&r);
    ask(&r, ADD, 3, 0, 0x0f, 1);
    edge(&r);
    ask(&r, ADD, 1, UNIT1, 0x0f, 1);
    edge(&r);
    is_load(&r, 0, 2, 0);
    edge(&r);
    is_load(&r, 0, 3, 0);
    answer(&r, 0, 2, 0xabc, true);
    edge(&r);
    no_request(&r, 1);
    answer(&r, 0, 3, 0xdef, true);
    edge(&r);
    no_request(&r, 0);
    no_request(&r, 1);
    edge(&r);
    no_request(&r, 0);
    is_load(&r, 1, 1, 0);
    is_response(&r, 2, 0xabc, true);
    edge(&r);
    is_response(&r, 3, 0, true);
    no_request(&r, 0);
    golden_free(r.g);
}

/* --- answers -------------------------------------------------------------- */

/* Of all units at once: in turn, the first after the one chosen last. */
static void test_turns(void **state) {
    struct rig r;
    (void)state;
    open_sizes(&r, 4, 8, 8, 3);
    for (int i = 0; i < 4; i++)
        answer(&r, i, (uint64_t)i, 0x10 + (uint64_t)i, false);
    edge(&r);
    for (int i = 0; i < 4; i++)
        answer(&r, i, 4 + (uint64_t)i, 0x14 + (uint64_t)i, false);
    edge(&r);
    for (unsigned i = 0; i < 8; i++) {
        edge(&r);
        is_response(&r, i, 0x10 + i, false);
    }
    edge(&r);
    no_response(&r);
    answer(&r, 1, 0, 1, false); /* unit 3 was the last */
    edge(&r);
    edge(&r);
    edge(&r);
    is_response(&r, 0, 1, false);
    answer(&r, 0, 1, 2, false);
    answer(&r, 2, 2, 3, false);
    edge(&r);
    edge(&r);
    edge(&r);
    is_response(&r, 2, 3, false);
    edge(&r);
    is_response(&r, 1, 2, false);
    golden_free(r.g);
}

/* All ids answered by one unit while others have the turns: there is room. */
static void test_room(void **state) {
    struct rig r;
    unsigned got = 0, next = 0;
    (void)state;
    open_sizes(&r, 2, 8, 8, 6);
    for (unsigned i = 0; i < 32; i++) {
        answer(&r, 0, i, i, false);
        answer(&r, 1, 32 + i, i, false);
        edge(&r);
        got += r.out->rsp_valid;
    }
    for (; next < 40; next++) {
        edge(&r);
        got += r.out->rsp_valid;
    }
    assert_int_equal(got, 64);
    no_response(&r);
    for (unsigned i = 0; i < 64; i++) {
        answer(&r, 1, i, i, false);
        edge(&r);
        if (i >= 2)
            is_response(&r, i - 2, i - 2, false);
    }
    golden_free(r.g);
}

/* --- reset ---------------------------------------------------------------- */

static void all_quiet(struct rig *r) {
    for (int i = 0; i < 6; i++) {
        no_request(r, 0);
        no_request(r, 1);
        no_response(r);
        assert_int_equal(r->out->req_ready, 1);
        edge(r);
    }
}

/* Takes what waits, what is at a unit, the change, answers and turns; what
 * comes on its edge is not there. */
static void test_reset(void **state) {
    struct rig r;
    (void)state;
    for (int after = 0; after < 24; after++) {
        int edges = after % 12; /* half of them with banks that take nothing */
        open_sizes(&r, 2, 4 * WORDS, 16, 4);
        r.in.mem_ready = after < 12 ? 3 : 0;
        for (int i = 0; i < edges; i++) {
            if (r.out->req_ready)
                ask(&r, i % 2 ? 0 : ADD, (unsigned)i, (unsigned)i % 2 * UNIT1,
                    0x0f, 1);
            if (after < 12 && i == 4)
                answer(&r, 0, 0, 5, false);
            if (after < 12 && i == 5)
                answer(&r, 1, 1, 5, false);
            edge(&r);
        }
        ask(&r, 0, 0, 0, 0, 0);
        answer(&r, 0, 1, 7, false);
        r.in.mem_ready = 3;
        r.out = golden_cycle(r.g, true, &r.in);
        r.in.req_valid = r.in.back_valid = 0;
        all_quiet(&r);
        change(&r, ADD, 0x0f, 1, 41, 1, 42, 41);
        answer(&r, 0, 2, 1, false);
        answer(&r, 1, 3, 2, false);
        edge(&r);
        edge(&r);
        edge(&r);
        is_response(&r, 3, 2, false); /* unit 0 was the last */
        golden_free(r.g);
    }
}

/* Responses of both units, INTERVAL edges from each to the next; a reset ends a
 * gap. */
static void test_gap(void **state) {
    static const int intervals[] = {1, 2, 5, 64};
    (void)state;
    for (size_t n = 0; n < sizeof intervals / sizeof intervals[0]; n++) {
        struct rig r;
        open_spaced(&r, 2, 4 * WORDS, 16, 2, intervals[n]);
        for (unsigned id = 0; id < 4; id += 2) {
            answer(&r, 0, id, id, false);
            answer(&r, 1, id + 1, id + 1, false);
            edge(&r);
        }
        edge(&r);
        for (unsigned id = 0; id < 4; id++) {
            is_response(&r, id, id, false);
            for (int e = 0; e < intervals[n]; e++) {
                edge(&r);
                if (e < intervals[n] - 1)
                    no_response(&r);
            }
        }
        no_response(&r);
        for (int e = 0; e < 64; e++)
            edge(&r);
        answer(&r, 0, 0, 7, false);
        for (int e = 0; e < 3; e++)
            edge(&r);
        is_response(&r, 0, 7, false);
        r.out = golden_cycle(r.g, true, &r.in);
        answer(&r, 0, 1, 8, false);
        for (int e = 0; e < 3; e++)
            edge(&r);
        is_response(&r, 1, 8, false);
        golden_free(r.g);
    }
}

/* Unit 0 comes first again. */
static void test_reset_turns(void **state) {
    struct rig r;
    (void)state;
    open_rig(&r);
    answer(&r, 0, 0, 1, false);
    edge(&r);
    edge(&r);
    edge(&r);
    is_response(&r, 0, 1, false);
    r.out = golden_cycle(r.g, true, &r.in);
    no_response(&r);
    answer(&r, 0, 2, 1, false);
    answer(&r, 1, 3, 2, false);
    edge(&r);
    edge(&r);
    edge(&r);
    is_response(&r, 2, 1, false);
    golden_free(r.g);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "bank_port.units=1",    "bank_port.units=32",   "bank_port.units=3",
        "bank_port.sector=4",   "bank_port.sector=64",  "bank_port.line=4",
        "bank_port.id_bits=0",  "bank_port.id_bits=7",  "bank_port.line=8192",
        "bank_port.interval=0", "bank_port.interval=65"};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),        cmocka_unit_test(test_store),
        cmocka_unit_test(test_addresses),   cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_full),        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_atomics),     cmocka_unit_test(test_held),
        cmocka_unit_test(test_beside),      cmocka_unit_test(test_behind),
        cmocka_unit_test(test_faults),      cmocka_unit_test(test_turns),
        cmocka_unit_test(test_room),        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_reset_turns), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
