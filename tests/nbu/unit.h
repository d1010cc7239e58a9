/* unit.h - a golden near-bank unit on the test bench, with its inputs.
 *
 * Shared by the tests of the near-bank unit.  A test sets u.in, takes an edge
 * and looks at u.out; edges are counted from the first one without reset, so
 * that a test can speak of the note's edge numbers.  step() also plays register
 * files that answer one edge after the request, with rows that name their
 * place.
 */
#ifndef NDP_TEST_NBU_UNIT_H
#define NDP_TEST_NBU_UNIT_H

#include "base/bits.h"
#include "blocks/nbu.h"
#include "nbu/nbu.h"

#include <stdlib.h>
#include <string.h>

enum side { FAR_SIDE, NEAR_SIDE };

struct unit {
    struct config config;
    struct nbu_local l;
    struct golden *g;
    struct nbu_in in;
    const struct nbu_out *out;
    long edge; /* edges since reset */
};

static inline void unit_edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->edge++;
}

static inline void unit_reset(struct unit *u) {
    u->out = golden_cycle(u->g, true, NULL);
    u->edge = 0;
}

static inline void unit_open(struct unit *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->config = *c;
    u->l = nbu_local(c);
    u->g = golden_create(&nbu_golden, c);
    unit_reset(u);
}

/* Until the track table is initialised. */
static inline void unit_start(struct unit *u) {
    for (int i = 0; i < u->l.WARPS * u->l.REGS; i++)
        unit_edge(u);
}

static inline void unit_close(struct unit *u) {
    golden_free(u->g);
}

/* Register files --------------------------------------------------------- */

/* Word i of the row that a register file holds: names its place. */
static inline uint64_t row_word(enum side side, uint64_t warp, uint64_t reg,
                                int i) {
    return (side + 1u) * 0x9e3779b97f4a7c15u ^ warp << 40 ^ reg << 20 ^
           (uint64_t)i * 0x0101010100010001u;
}

static inline void step(struct unit *u) {
    struct nbu_in *in = &u->in;
    bool far = u->out->far_read_valid && in->far_read_ready;
    bool near = u->out->near_read_valid && in->near_read_ready;
    uint64_t far_warp = u->out->far_read_warp, far_reg = u->out->far_read_reg;
    uint64_t near_warp = u->out->near_read_warp;
    uint64_t near_reg = u->out->near_read_reg;

    unit_edge(u);
    in->far_data_valid = far;
    in->near_data_valid = near;
    for (int i = 0; i < u->l.ROW_W / 64; i++) {
        in->far_data_row[i] = row_word(FAR_SIDE, far_warp, far_reg, i);
        in->near_data_row[i] = row_word(NEAR_SIDE, near_warp, near_reg, i);
    }
}

static inline void rows_ready(struct unit *u) {
    u->in.far_read_ready = u->in.near_read_ready = 1;
    u->in.far_write_ready = u->in.near_write_ready = 1;
}

/* Instructions ----------------------------------------------------------- */

struct instruction {
    int op, hint;
    uint64_t mask; /* 0: all lanes */
    uint64_t dst, src0, src1, src2, guard;
};

/* A valid operand; an invalid one is 0. */
static inline uint64_t operand(const struct unit *u, enum nbu_kind kind,
                               int reg) {
    return (uint64_t)(4 | kind) << u->l.REG_W | (uint64_t)reg;
}

static inline uint64_t all_lanes(const struct unit *u) {
    return ones(u->l.LANES);
}

static inline void present(struct unit *u, int warp, int tag,
                           const struct instruction *i) {
    u->in.issue_valid = 1;
    u->in.issue_warp = (uint64_t)warp;
    u->in.issue_tag = (uint64_t)tag;
    u->in.issue_op = (uint64_t)i->op;
    u->in.issue_hint = (uint64_t)i->hint;
    u->in.issue_mask = i->mask ? i->mask : all_lanes(u);
    u->in.issue_dst = i->dst;
    u->in.issue_src0 = i->src0;
    u->in.issue_src1 = i->src1;
    u->in.issue_src2 = i->src2;
    u->in.issue_guard = i->guard;
}

/* The edge of the accept is the one that this takes. */
static inline void issue(struct unit *u, int warp, int tag,
                         const struct instruction *i) {
    present(u, warp, tag, i);
    step(u);
    u->in.issue_valid = 0;
}

/* Register port ---------------------------------------------------------- */

static inline uint32_t wishbone(struct unit *u, bool write, int adr,
                                uint32_t data, int sel) {
    uint32_t result;

    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_we = write;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = (uint64_t)sel;
    step(u);
    result = (uint32_t)u->out->wb_dat_r;
    u->in.wb_cyc = u->in.wb_stb = 0;
    step(u); /* ack falls */
    return result;
}

static inline uint32_t read_counter(struct unit *u, enum nbu_counter c) {
    return wishbone(u, false, REG_FIRST + NBU_N_SETTINGS + (int)c, 0, 0);
}

static inline void set_policy(struct unit *u, int policy) {
    wishbone(u, true, REG_FIRST + NBU_SET_policy, (uint32_t)policy, 15);
}

static inline uint64_t cover(const struct unit *u, enum nbu_cover c) {
    return golden_covers(u->g)[c];
}

/* Random numbers --------------------------------------------------------- */

/* A repeatable source (xorshift64*); the state starts at anything but 0. */
static inline uint64_t random_bits(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static inline int random_below(uint64_t *state, int n) {
    return (int)((random_bits(state) >> 33) % (uint64_t)n);
}

static inline bool one_in(uint64_t *state, int n) {
    return random_below(state, n) == 0;
}

#endif
