/* unit.h - a golden memory map analyzer on the test bench.
 *
 * A test sets u.in, takes an edge and looks at u.out; what tests do again and
 * again has a function.  Needs cmocka's headers before it.
 */
#ifndef NDP_TEST_ANALYZER_UNIT_H
#define NDP_TEST_ANALYZER_UNIT_H

#include "analyzer/analyzer.h"
#include "blocks/analyzer.h"

#include <stdlib.h>
#include <string.h>

enum { BEGIN, ACCESS, END, NOTHING, PATIENCE = 2000 };

struct unit {
    struct analyzer_local l;
    struct golden *g;
    struct analyzer_in in;
    const struct analyzer_out *out;
    long edge; /* edges since reset */
};

static inline void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->edge++;
}

static inline void edges(struct unit *u, int n) {
    while (n-- > 0)
        edge(u);
}

static inline void reset_edge(struct unit *u) {
    u->out = golden_cycle(u->g, true, &u->in);
    u->edge = 0;
}

/* 8 warps, 4 stacks, bits 7 to 10, 7 ranges, learning ends after 64. */
static inline struct config small(void) {
    struct config c;
    struct diag d = {0};

    if (!config_preset(&c, "small", &d))
        abort();
    c.analyzer_address_bits = 32; /* so that there are high addresses */
    return c;
}

static inline void open_raw(struct unit *u, const struct config *c) {
    struct diag d = {0};

    assert_true(iface_check(&analyzer_iface, c, &d));
    memset(u, 0, sizeof *u);
    u->l = analyzer_local(c);
    u->g = golden_create(&analyzer_golden, c);
    reset_edge(u);
}

static inline void close_unit(struct unit *u) {
    golden_free(u->g);
}

static inline uint32_t wishbone(struct unit *u, bool write, int adr,
                                uint32_t data) {
    uint32_t result;

    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_we = write;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = 15;
    edge(u);
    result = (uint32_t)u->out->wb_dat_r;
    u->in.wb_cyc = u->in.wb_stb = 0;
    edge(u);
    return result;
}

static inline uint32_t counter(struct unit *u, enum analyzer_counter c) {
    return wishbone(u, false, REG_FIRST + ANALYZER_N_SETTINGS + (int)c, 0);
}

static inline void enable(struct unit *u, bool on) {
    wishbone(u, true, REG_FIRST + ANALYZER_SET_enable, on);
}

static inline void learn(struct unit *u, uint32_t instances) {
    wishbone(u, true, REG_FIRST + ANALYZER_SET_learn_instances, instances);
}

static inline uint64_t cover(const struct unit *u, enum analyzer_cover c) {
    return golden_covers(u->g)[c];
}

static inline void start(struct unit *u) {
    while (!u->out->ev_ready)
        edge(u);
}

static inline void load(struct unit *u, int place, uint64_t first,
                        uint64_t length) {
    u->in.load_valid = 1;
    u->in.load_index = (uint64_t)place;
    u->in.load_start = first;
    u->in.load_length = length;
    edge(u);
    u->in.load_valid = 0;
}

static inline void open_small(struct unit *u) {
    struct config c = small();

    open_raw(u, &c);
    start(u);
    enable(u, true);
}

/* One edge with an event. */
static inline void event(struct unit *u, int op, int warp, uint64_t address) {
    assert_int_equal(u->out->ev_ready, 1);
    u->in.ev_valid = 1;
    u->in.ev_op = (uint64_t)op;
    u->in.ev_warp = (uint64_t)warp;
    u->in.ev_address = address;
    edge(u);
    u->in.ev_valid = 0;
}

static inline void query(struct unit *u, int index) {
    u->in.query_valid = 1;
    u->in.query_index = (uint64_t)index;
    edge(u);
    u->in.query_valid = 0;
    assert_int_equal(u->out->query_done, 1);
}

static inline void expect(struct unit *u, int map, uint64_t score,
                          uint64_t sum) {
    query(u, map);
    if (u->out->query_score != score || u->out->query_sum != sum)
        fail_msg("mapping %d: score %d sum %d, not %d, %d", map,
                 (int)u->out->query_score, (int)u->out->query_sum, (int)score,
                 (int)sum);
}

static inline bool touched(struct unit *u, int place) {
    query(u, place);
    return u->out->query_touched;
}

/* A repeatable source (xorshift64*); the state starts at anything but 0. */
static inline uint64_t random_bits(uint64_t *seed) {
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 2685821657736338717u;
}

#endif
