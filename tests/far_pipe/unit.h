/* unit.h - a golden model of the pipeline of the base die for tests by hand:
 * words, instructions, rows.
 *
 * Eight warps of one subcore, eight lanes in four passes of two, where a test
 * says nothing else; registers 0 to 11 are rows here, 12 to 15 predicates.
 */
#ifndef NDP_TEST_FAR_PIPE_UNIT_H
#define NDP_TEST_FAR_PIPE_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/far_pipe.h"
#include "far_pipe/far_pipe.h"
#include "isa/isa.h"

#include <string.h>

enum { LANES = 8, PASSES = 4, REG_W = 4, NONE = -1, PATIENCE = 60 };

struct unit {
    struct golden *g;
    struct far_pipe_in in;
    const struct far_pipe_out *out;
};

static inline void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* Of so many subcores, each with warps / subcores of the warps. */
static inline void open_split(struct unit *u, int warps, int subcores,
                              int passes, int shared_words) {
    struct config c;
    config_defaults(&c);
    c.far_pipe_warps = warps;
    c.far_pipe_subcores = subcores;
    c.far_pipe_registers = 16;
    c.far_pipe_lanes = LANES;
    c.far_pipe_alus = LANES / passes;
    c.far_pipe_tag_bits = 4;
    c.far_pipe_params = 8;
    c.far_pipe_shared_words = shared_words;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&far_pipe_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.done_ready = u->in.access_ready = 1;
}

static inline void open_formed(struct unit *u, int passes) {
    open_split(u, 8, 1, passes, 0);
}

static inline void close_unit(struct unit *u) {
    golden_free(u->g);
}

static inline void put_code(struct unit *u, int tag, const char *text) {
    struct isa_word w;
    struct isa_error e;
    uint64_t word;
    assert_true(isa_parse(text, strlen(text), NULL, NULL, &w, &e));
    assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
    u->in.code_valid = 1;
    u->in.code_tag = (uint64_t)tag;
    u->in.code_word = word;
    edge(u);
    u->in.code_valid = 0;
}

static inline uint64_t operand(int reg) {
    return reg == NONE ? 0 : bit(REG_W + 2) | (uint64_t)reg;
}

/* An instruction, taken on one edge. */
static inline void exec(struct unit *u, int warp, int tag, int dst, int a,
                        int b, int c, int guard, unsigned mask) {
    assert_int_equal(u->out->exec_ready, 1);
    u->in.exec_valid = 1;
    u->in.exec_warp = (uint64_t)warp;
    u->in.exec_tag = (uint64_t)tag;
    u->in.exec_ticket = (uint64_t)tag + 3;
    u->in.exec_mask = mask;
    u->in.exec_dst = operand(dst);
    u->in.exec_src0 = operand(a);
    u->in.exec_src1 = operand(b);
    u->in.exec_src2 = operand(c);
    u->in.exec_guard = operand(guard);
    edge(u);
    u->in.exec_valid = 0;
}

/* Edges until its completion is there. */
static inline int until_done(struct unit *u, int tag) {
    int n = 0;
    while (!u->out->done_valid && n < PATIENCE) {
        edge(u);
        n++;
    }
    assert_int_equal(u->out->done_valid, 1);
    assert_int_equal(u->out->done_tag, tag);
    assert_int_equal(u->out->done_ticket, tag + 3);
    return n;
}

/* Present the instruction, with those operands, on every edge from now on. */
static inline void offer(struct unit *u, int tag, int a, int b, int c,
                         int guard) {
    u->in.exec_valid = 1;
    u->in.exec_warp = 2;
    u->in.exec_tag = (uint64_t)tag;
    u->in.exec_ticket = (uint64_t)tag + 3;
    u->in.exec_dst = operand(9);
    u->in.exec_src0 = operand(a);
    u->in.exec_src1 = operand(b);
    u->in.exec_src2 = operand(c);
    u->in.exec_guard = operand(guard);
    u->in.exec_mask = 0xff;
}

/* Edges until the completion of that tag is there; others may be before it. */
static inline int until_told(struct unit *u, int tag) {
    int n = 0;
    for (; !u->out->done_valid || u->out->done_tag != (uint64_t)tag; n++) {
        assert_true(n < 4 * PATIENCE);
        edge(u);
    }
    return n;
}

/* A row at 'write', or at 'init', or at both, on every edge; of a warp that
 * stands where that of 'offer' does, if there are two subcores. */
static inline void bring(struct unit *u, bool write, bool init) {
    u->in.write_valid = write;
    u->in.write_warp = 4;
    u->in.write_reg = 3;
    u->in.init_valid = init;
    u->in.init_warp = 4;
    u->in.init_reg = 4;
    u->in.init_mask = 0xff;
}

/* Rows of both that are written in so many edges. */
static inline int rows_in(struct unit *u, int edges) {
    int rows = 0;
    for (int n = 0; n < edges; n++) {
        edge(u);
        rows += (int)(u->out->write_ready + u->out->init_ready);
    }
    return rows;
}

/* Who brings rows without end beside lanes that are never without a pass. */
struct crowd {
    int first; /* edge on which a row waits, that is written on the next */
    int who;   /* 1 'write', 2 'init', 3 both */
    int told;  /* edge with the completion of tag 1, taken on edge 0 */
};

/* That it is told then, and that rows have every second edge once nobody else
 * waits; then all of it ends. */
static inline void expect_told(struct unit *u, const struct crowd *c) {
    offer(u, 2, NONE, NONE, NONE, NONE);
    for (int e = 1; e < c->first; e++)
        edge(u);
    bring(u, c->who & 1, c->who & 2);
    assert_int_equal(until_told(u, 1), c->told - c->first + 1);
    assert_int_equal(rows_in(u, 40), 20);
    u->in.exec_valid = 0;
    bring(u, false, false);
    for (int e = 0; e < PATIENCE; e++)
        edge(u);
}

/* Lane i gets first + i * step. */
static inline int put_row(struct unit *u, int warp, int reg, uint32_t first,
                          uint32_t step) {
    int n = 0;
    u->in.write_valid = 1;
    u->in.write_warp = (uint64_t)warp;
    u->in.write_reg = (uint64_t)reg;
    for (int i = 0; i < LANES; i++)
        bits_set_lane(u->in.write_row, i, first + (uint32_t)i * step);
    while (!u->out->write_ready && n < PATIENCE) {
        edge(u);
        n++;
    }
    assert_int_equal(u->out->write_ready, 1);
    edge(u);
    u->in.write_valid = 0;
    return n;
}

static inline void put_bits(struct unit *u, int warp, int reg, uint32_t bits) {
    u->in.init_valid = 1;
    u->in.init_warp = (uint64_t)warp;
    u->in.init_reg = (uint64_t)reg;
    u->in.init_mask = ones(LANES);
    memset(u->in.init_row, 0, sizeof u->in.init_row);
    bits_set_lane(u->in.init_row, 0, bits);
    while (!u->out->init_ready)
        edge(u);
    edge(u);
    u->in.init_valid = 0;
}

static inline void expect_lanes(struct unit *u, int warp, int reg,
                                const uint32_t lane[LANES]) {
    assert_int_equal(u->out->read_ready, 1);
    u->in.read_valid = 1;
    u->in.read_warp = (uint64_t)warp;
    u->in.read_reg = (uint64_t)reg;
    edge(u);
    u->in.read_valid = 0;
    assert_int_equal(u->out->data_valid, 0);
    edge(u);
    assert_int_equal(u->out->data_valid, 1);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(bits_lane(u->out->data_row, i), lane[i]);
    edge(u);
    assert_int_equal(u->out->data_valid, 0);
    assert_int_equal(bits_lane(u->out->data_row, 0), 0);
}

/* An access of the warp has ended. */
static inline void end(struct unit *u, int warp, bool fault) {
    u->in.ended_valid = 1;
    u->in.ended_near = 0;
    u->in.ended_warp = (uint64_t)warp;
    u->in.ended_fault = fault;
    edge(u);
    u->in.ended_valid = 0;
}

/* Edges until an access is there. */
static inline int until_access(struct unit *u) {
    int n = 0;
    for (; !u->out->access_valid && n < PATIENCE; n++)
        edge(u);
    assert_int_equal(u->out->access_valid, 1);
    return n;
}

#endif
