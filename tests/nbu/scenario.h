/* scenario.h - what directed tests of the near-bank unit do again and
 * again.
 *
 * Delivers, completes and executes single instructions, and prepares a warp
 * whose registers are valid on known sides.  Needs cmocka's headers before it.
 */
#ifndef NDP_TEST_NBU_SCENARIO_H
#define NDP_TEST_NBU_SCENARIO_H

#include "unit.h"

#include <stdio.h>

enum { PATIENCE = 2000, ANNOTATED = 0, DEFAULT, NEAR, FAR };

/* Registers of the scenarios, and the side on which prepare() makes each of
 * them valid. */
enum { FAR_A, FAR_B, NEAR_A, NEAR_B, FAR_PRED, NEAR_PRED, FAR_PAIR, FREE = 8 };

struct delivery {
    enum side side;
    uint64_t warp, tag, ticket;
    char moves[80]; /* "D1 U2 ": rows in the order of their writes */
};

static inline void log_moves(const struct unit *u, struct delivery *d) {
    size_t len = strlen(d->moves);

    if (u->out->near_write_valid && u->in.near_write_ready)
        len += (size_t)snprintf(d->moves + len, sizeof d->moves - len, "D%d ",
                                (int)u->out->near_write_reg);
    if (u->out->far_write_valid && u->in.far_write_ready)
        snprintf(d->moves + len, sizeof d->moves - len, "U%d ",
                 (int)u->out->far_write_reg);
}

/* Step until an instruction is presented to a pipeline, and take it. */
static inline struct delivery deliver(struct unit *u) {
    struct delivery d = {0};

    for (int i = 0; !u->out->far_exec_valid && !u->out->near_exec_valid; i++) {
        assert_true(i < PATIENCE);
        log_moves(u, &d);
        step(u);
    }
    d.side = u->out->near_exec_valid ? NEAR_SIDE : FAR_SIDE;
    d.warp = d.side ? u->out->near_exec_warp : u->out->far_exec_warp;
    d.tag = d.side ? u->out->near_exec_tag : u->out->far_exec_tag;
    d.ticket = d.side ? u->out->near_exec_ticket : u->out->far_exec_ticket;
    u->in.near_exec_ready = d.side == NEAR_SIDE;
    u->in.far_exec_ready = d.side == FAR_SIDE;
    step(u);
    u->in.near_exec_ready = u->in.far_exec_ready = 0;
    return d;
}

/* One edge on which the pipeline of d completes it. */
static inline void complete(struct unit *u, const struct delivery *d) {
    if (d->side == NEAR_SIDE) {
        u->in.near_done_warp = d->warp;
        u->in.near_done_tag = d->tag;
        u->in.near_done_ticket = d->ticket;
        u->in.near_done_valid = 1;
    } else {
        u->in.far_done_warp = d->warp;
        u->in.far_done_tag = d->tag;
        u->in.far_done_ticket = d->ticket;
        u->in.far_done_valid = 1;
    }
    step(u);
    u->in.near_done_valid = u->in.far_done_valid = 0;
}

static inline void wait_commit(struct unit *u) {
    for (int i = 0; !u->out->commit_valid; i++) {
        assert_true(i < PATIENCE);
        step(u);
    }
}

static inline struct delivery execute(struct unit *u, int warp,
                                      const struct instruction *i) {
    struct delivery d;

    issue(u, warp, 1, i);
    d = deliver(u);
    complete(u, &d);
    wait_commit(u);
    return d;
}

static inline void make_near(struct unit *u, int warp, enum nbu_kind kind,
                             int reg) {
    struct instruction i = {.op = OPC_int, .dst = operand(u, kind, reg)};

    set_policy(u, NEAR);
    execute(u, warp, &i);
}

static inline void assert_valid(const struct unit *u, int warp, int reg,
                                bool far, bool near) {
    bool f, n;

    assert_true(nbu_track_valid(u->g, warp, reg, &f, &n));
    assert_int_equal(f, far);
    assert_int_equal(n, near);
}

static inline struct config small(void) {
    struct config c;

    config_defaults(&c);
    c.nbu_warps = 4;
    c.nbu_registers = 16;
    c.nbu_lanes = 4;
    c.nbu_tsv_width = 32;
    return c;
}

static inline void open_ready(struct unit *u, const struct config *c) {
    unit_open(u, c);
    unit_start(u);
    rows_ready(u);
}

/* A small unit with the registers of warp 0 valid where their names say. */
static inline void prepare(struct unit *u) {
    struct config c = small();

    open_ready(u, &c);
    make_near(u, 0, NBU_ROW, NEAR_A);
    make_near(u, 0, NBU_ROW, NEAR_B);
    make_near(u, 0, NBU_PRED, NEAR_PRED);
    set_policy(u, ANNOTATED);
}

#endif
