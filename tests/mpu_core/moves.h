/* moves.h - what instructions of a core cross the wires for, without any time.
 *
 * The rules of docs/blocks/nbu.md, by program order alone: where an instruction
 * runs, which registers have to be moved for it, how many beats that is.  As
 * each warp's instructions wait for those whose registers they need, the unit
 * comes to the same beats in whatever time; and the rules can be asked what the
 * same program would have moved under another policy, or with shared memory on
 * the base die.
 */
#ifndef NDP_TEST_MPU_CORE_MOVES_H
#define NDP_TEST_MPU_CORE_MOVES_H

#include "base/bits.h"
#include "blocks/frontend.h"
#include "blocks/nbu.h"

enum side { FAR, NEAR, SIDES };
enum { ROW = 0, PREDICATE = 2 }; /* kinds of operands */
enum { MOST_WARPS = 64, MOST_REGISTERS = 256 };

struct operand {
    bool valid;
    int kind, reg;
};

enum { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS };

/* What the front end has sent. */
struct sent {
    int warp, op, hint;
    bool whole; /* all lanes are in its mask */
    struct operand o[OPERANDS];
};

static inline struct operand operand_of(const struct nbu_local *l,
                                        uint64_t bits) {
    return (struct operand){.valid = bits >> (l->REG_W + 2) & 1,
                            .kind = (int)(bits >> l->REG_W & 3),
                            .reg = (int)(bits & ones(l->REG_W))};
}

/* Beats by kind, as the unit counts them. */
struct moves {
    uint64_t went[SIDES], instr, down, request, up, done;
};

/* A world: where instructions run, and what that has come to. */
struct world {
    int policy;      /* as nbu.policy: annotated, default, near, far */
    bool shared_far; /* shared memory is on the base die */
    uint32_t far_set, near_set;
    uint8_t at[MOST_WARPS][MOST_REGISTERS]; /* a bit a side that has it */
    struct moves moved;
};

enum { BY_ANNOTATION, BY_DEFAULT, ALL_NEAR, ALL_FAR, POLICIES };

static inline void world_open(struct world *w, int policy, bool shared_far,
                              const struct config *c) {
    *w = (struct world){.policy = policy,
                        .shared_far = shared_far,
                        .far_set = c->nbu_far_set,
                        .near_set = c->nbu_near_set};
    if (shared_far) {
        w->far_set |= w->near_set;
        w->near_set = 0;
    }
    memset(w->at, 1 << FAR, sizeof w->at);
}

static inline bool is_shared(int op) {
    return op == OPC_ld_shared || op == OPC_st_shared;
}

static inline bool is_global(int op) {
    return op == OPC_ld_global || op == OPC_st_global;
}

static inline bool is_at(const struct world *w, const struct sent *s, int k,
                         enum side side) {
    return w->at[s->warp][s->o[k].reg] >> side & 1;
}

/* All of its sources stand near, and it has some. */
static inline bool sources_near(const struct world *w, const struct sent *s) {
    int n = 0;
    for (int k = SRC0; k <= GUARD; k++) {
        if (s->o[k].valid && !is_at(w, s, k, NEAR))
            return false;
        n += s->o[k].valid;
    }
    return n > 0;
}

static inline enum side world_side(const struct world *w,
                                   const struct sent *s) {
    if (w->near_set >> s->op & 1)
        return NEAR;
    if (w->policy == ALL_FAR || w->far_set >> s->op & 1)
        return FAR;
    if (w->policy == ALL_NEAR)
        return NEAR;
    if (w->policy == BY_ANNOTATION && (s->hint == 1 || s->hint == 2))
        return s->hint == 1 ? FAR : NEAR;
    return sources_near(w, s) ? NEAR : FAR;
}

/* Where operand k has to be for an instruction that runs there. */
static inline enum side wanted(const struct world *w, const struct sent *s,
                               int k, enum side runs) {
    if (is_global(s->op) && k != GUARD)
        return k == SRC0 ? FAR : NEAR;
    if (is_shared(s->op) && k != GUARD)
        return w->shared_far ? FAR : NEAR;
    return runs;
}

static inline void move(struct world *w, const struct sent *s, int k,
                        enum side to, const struct nbu_local *l) {
    uint64_t beats = 1 + (uint64_t)(s->o[k].kind == PREDICATE ? l->PRED_BEATS
                                                              : l->ROW_BEATS);
    w->moved.request += to == FAR;
    *(to == FAR ? &w->moved.up : &w->moved.down) += beats;
    w->at[s->warp][s->o[k].reg] = 1 << FAR | 1 << NEAR;
}

/* An instruction that the unit has accepted; a warp's in their order. */
static inline void world_sent(struct world *w, const struct sent *s,
                              const struct nbu_local *l) {
    enum side runs = world_side(w, s);
    for (int k = 0; k < OPERANDS; k++) {
        enum side side = wanted(w, s, k, runs);
        bool read = k != DST || !s->whole || s->o[GUARD].valid;
        if (s->o[k].valid && read && !is_at(w, s, k, side))
            move(w, s, k, side, l);
    }
    w->moved.went[runs]++;
    w->moved.instr += runs == NEAR ? (uint64_t)l->INSTR_BEATS : 0;
    w->moved.done += runs == NEAR ? (uint64_t)l->DONE_BEATS : 0;
    if (s->o[DST].valid)
        w->at[s->warp][s->o[DST].reg] = (uint8_t)(1 << wanted(w, s, DST, runs));
}

#endif
