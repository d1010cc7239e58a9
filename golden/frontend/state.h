/* state.h - what the files of this model share.
 *
 *   frontend.c  commands, select, issue, drain, faults, the edge
 *   words.c     what a word says, and the check of it
 *   control.c   X: branches and ends of warps; pop
 *   dispatch.c  CTAs, and warps that begin
 */
#ifndef NDP_GOLDEN_FRONTEND_STATE_H
#define NDP_GOLDEN_FRONTEND_STATE_H

#include "base/bits.h"
#include "blocks/frontend.h"
#include "frame/model.h"
#include "isa/isa.h"

enum { MAX_LANES = 32, MAX_WARPS = 64, MAX_CTAS = 32, NOBODY = -1 };

enum command {
    SET,
    CODE,
    PARAM,
    START,
    HALT,
    RESUME,
    CLEAR = 8,
};

enum launch_register {
    ENTRY,
    GRID,
    BLOCK = 4,
    THREADS = 7,
    CTA_WARPS,
    RESIDENT,
    SHARED_BYTES,
    BOUND,
    WATCHDOG,
    FIRST_CTA,
    CTA_STEP,
    REGISTERS
};

enum core_state { CORE_IDLE, CORE_RUNNING, CORE_DONE, CORE_FAULTED };

enum warp_state {
    WARP_IDLE,
    WARP_READY,
    WARP_FLIGHT,
    WARP_AWAIT,
    WARP_DRAIN,
    WARP_BARRIER,
    WARP_POP
};

/* As simt numbers them. */
enum cause {
    FINE,
    ILLEGAL,
    MISALIGNED,
    UNMAPPED,
    STACK_FULL,
    NO_JOIN,
    BAD_BARRIER,
    TRAPPED,
    MEMORY,
    EXPIRED
};

struct warp {
    enum warp_state state;
    uint64_t pc, join, mask, gone;
    int depth, slot, count;
    bool fresh, open, live;
    /* the word of class control that it waits for */
    struct isa_word word;
};

struct entry {
    uint64_t else_pc, join, else_mask, mask;
};

struct fault {
    enum cause cause;
    uint64_t warp, pc, address;
};

enum dispatch_state { LOOKS, BASE, FILLS, INITS };

struct dispatcher {
    enum dispatch_state state;
    bool more; /* CTAs are left */
    uint64_t next[3], skip;
    uint64_t at[3], thread[3], left; /* of the CTA that begins */
    int slot, number, edge;
    uint64_t lanes;
    uint32_t row[MAX_LANES];
};

/* What stands at F, and what it is translated to. */
struct packet {
    bool valid;
    uint64_t warp, tag, op, hint, mask, dst, src[3], guard;
    bool control, global, store; /* ends in await; accesses global memory */
};

struct frontend {
    struct golden base;
    struct frontend_local l;
    uint64_t *code;
    struct entry *stack; /* by warp and depth */
    uint64_t reg[REGISTERS];
    enum core_state state; /* but for faults */
    bool halt;
    struct fault fault;
    uint64_t now, silent;
    struct warp warp[MAX_WARPS];
    int chosen; /* by select, last */
    struct {
        bool valid;
        uint64_t warp, pc, word;
    } f;
    struct packet i;
    struct {
        bool valid;
        uint64_t warp, lanes;
    } x;
    int popping;
    int barrier_slot;
    struct dispatcher d;
    struct frontend_out out;
};

/* Before the edge: what happens on it. */
struct edge {
    bool obeys[CLEAR + 1]; /* commands */
    bool taken;            /* at issue */
    bool f_moves;          /* I has room, for what F holds */
    int selected;          /* warp */
    uint64_t drained;      /* warps */
    uint64_t zero;         /* warps with count zero */
    uint64_t ready, open;  /* warps in state ready; with an open access */
    uint64_t barrier;      /* warps in state barrier */
    uint64_t live;         /* warps */
    uint64_t slots;        /* slots with a live warp */
    uint64_t passed;       /* warps that pass a barrier */
    int pop_next;
    int slot; /* that is taken */
    bool passes_over, done, counts_idle;
    struct fault fault; /* the first one of this edge */
};

static inline bool faulted(const struct frontend *n) {
    return n->fault.cause != FINE;
}

static inline bool running(const struct frontend *n) {
    return n->state == CORE_RUNNING && !faulted(n);
}

static inline uint64_t all_lanes(const struct frontend *n) {
    return ones(n->l.LANES);
}

static inline uint64_t next_pc(const struct frontend *n, uint64_t pc) {
    return (pc + 1) & ones(n->l.TAG_W);
}

/* --- words.c -------------------------------------------------------------- */

enum check { GOES, WAITS, WRONG };

/* The word of F: what the check says, and the packet that it becomes. */
enum check frontend_check(struct frontend *n, struct packet *p,
                          struct isa_word *w);

/* --- control.c ------------------------------------------------------------ */

/* Pop, drain to its end, or ready: where it goes on. */
void frontend_settle(struct warp *w);

/* The fault of a word of class control, t being its active lanes. */
enum cause frontend_wrong_control(const struct frontend *n,
                                  const struct warp *w, uint64_t t);

/* Returns whether an entry is pushed. */
bool frontend_edge_x(struct frontend *n, const struct frontend_in *in,
                     bool wrong);
void frontend_edge_pop(struct frontend *n, const struct edge *e, bool pushed);

/* --- dispatch.c ----------------------------------------------------------- */

void frontend_choose_cta(struct frontend *n, struct edge *e);
void frontend_edge_dispatch(struct frontend *n, const struct frontend_in *in,
                            const struct edge *e);

#endif
