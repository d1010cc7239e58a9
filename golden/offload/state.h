/* state.h - state of the golden offload controller; private.
 *
 * TOM, sections 3.3, 4.1 and 4.2, as docs/blocks/offload.md settles it.  The
 * names are the note's.
 *
 * How one edge is evaluated: all right-hand sides of the note are values before
 * the edge.  So units move in an order in which each still finds the others'
 * old state: acknowledgements (they look at the packet engine), decision,
 * weigh, lookup, packet engine, probe engine, then memories, monitors and
 * queues. What a later unit must know about an earlier one, and what two units
 * change together, goes through struct edge.
 */
#ifndef NDP_GOLDEN_OFFLOAD_STATE_H
#define NDP_GOLDEN_OFFLOAD_STATE_H

#include "base/bits.h"
#include "blocks/offload.h"
#include "frame/model.h"
#include "frame/queue.h"

enum {
    MAX_WARPS = 64,
    MAX_STACKS = 16,
    MAX_ENTRIES = 256,
    MAX_ROW_WORDS = 16,
    MAX_SAVED = 64 * 32, /* rows, flits of 32 bits */
    MAX_PARTS = 64,
    MAX_LINKS = 2 * MAX_STACKS,
    MAX_DEPTH = 16,
    STREAK = 8 /* accepts in a row that a cover point asks for */
};

/* Set of registers, bit r of the whole. */
struct regset {
    uint64_t w[2];
};

static inline bool regset_empty(const struct regset *s) {
    return !(s->w[0] | s->w[1]);
}

/* Remove the lowest member of a set that has one. */
static inline uint8_t regset_take(struct regset *s) {
    int i = s->w[0] == 0;
    int reg = 64 * i + __builtin_ctzll(s->w[i]);

    s->w[i] &= s->w[i] - 1;
    return (uint8_t)reg;
}

/* The two halves of a metadata entry. */
struct verdict {
    bool valid, tag_tx, tag_rx, mem_first, cond, cond_signed;
    uint8_t cond_reg, compare, n_in;
    uint32_t threshold;
};

struct packet {
    uint32_t begin_pc, end_pc;
    uint8_t n_in;
    struct regset live_in, live_out;
};

struct begin {
    bool valid;
    uint32_t pc;
};

struct request {
    uint64_t address;
    uint32_t mask;
    uint32_t key; /* until M: the key; from M on: the index */
    uint8_t warp;
    bool learned;
    uint8_t mode; /* from waiting on */
    bool needs_value;
    struct verdict entry; /* from M on */
};

enum { MODE_OFF = 0, MODE_CONTROLLED = 1, MODE_UNCONTROLLED = 2 };

struct stage {
    bool valid;
    struct request r;
};

/* Register D. */
struct weighed {
    bool valid;
    struct request r;
    bool held; /* the condition */
    bool back, none;
    uint8_t stack;
};

struct operand {
    uint8_t warp, reg, lane;
};

struct answer {
    uint8_t warp, reason, stack;
};

enum reason {
    OFFLOADED,
    IS_OFF,
    NO_ENTRY,
    CONDITION,
    TX_BUSY,
    RX_BUSY,
    STACK_FULL,
    NO_SAVE,
    NO_ADDRESS,
    NO_ANSWER /* the probe engine took the request */
};

struct job {
    uint32_t mask;
    uint8_t warp, index, stack;
    bool saved;
};

enum probe_state { P_IDLE, P_SAVE, P_ASK, P_FIRST, P_BACK, P_DECIDE, P_HOLD };

struct probe {
    enum probe_state state;
    struct request r; /* with the address of the access from P_BACK on */
    bool none;
};

enum send_state {
    T_IDLE,
    T_FLUSH,
    T_FETCH,
    T_OPEN,
    T_HEAD,
    T_PICK,
    T_READ,
    T_WAIT,
    T_STORE,
    T_RESTORE,
    T_SEND,
    T_END
};

struct sender {
    enum send_state state;
    bool saving;
    struct job job;
    struct packet packet;
    struct regset left;
    uint8_t reg;
    int k;                       /* flit of the saved memory */
    int beat;                    /* flit of the row */
    uint64_t row[MAX_ROW_WORDS]; /* the row, or the flit just restored */
};

enum ack_state {
    R_IDLE,
    R_LOOK,
    R_OPEN,
    R_NEXT,
    R_ROW,
    R_WRITE,
    R_LINE,
    R_INVAL,
    R_RELEASE
};

struct receiver {
    enum ack_state state;
    uint8_t warp, index, lines, stack, reg;
    uint32_t mask;
    bool stray;
    struct packet packet;
    struct regset left;
    int beat;
    uint64_t row[MAX_ROW_WORDS];
    uint64_t line;
};

/* Links 0 .. STACKS-1 towards the stacks, STACKS .. 2 STACKS-1 from them. */
struct monitors {
    uint32_t length;           /* not above WINDOW/PARTS; 0 is as 1 */
    uint32_t position;         /* of all monitors alike */
    uint32_t oldest;           /* place of the ring that is replaced next */
    uint32_t count[MAX_LINKS]; /* tumbling: count; sliding: current */
    uint32_t total[MAX_LINKS];
    uint32_t ring[MAX_PARTS][MAX_LINKS];
    uint32_t busy; /* set of links */
    bool fresh;    /* sliding: totals or settings may have changed */
};

/* What happens on this edge. */
struct edge {
    const struct offload_in *in;
    uint64_t events; /* counters that count */
    bool accepts, answers;
    bool takes;    /* the probe engine takes the decided request */
    bool offloads; /* pending + 1 at up_stack */
    uint8_t up_stack, away_warp;
    bool releases; /* pending - 1 at down_stack */
    uint8_t down_stack, home_warp;
    bool send_ends; /* the packet engine is in T_END, with: */
    bool saved_all, sent_saved;
};

struct offload {
    struct golden base;
    struct offload_local l;
    uint64_t address_mask;
    uint32_t key_mask, lane_mask, warp_mask, index_mask, stack_mask, pc_mask;
    int flit_words, row_words;

    bool init_done;
    int init_entry;
    int in_flight;
    struct stage a, c, m;
    bool matched; /* of C: some entry has the begin pc; its number in c.r.key */
    struct weighed d;
    struct probe probe;
    struct sender send;
    struct receiver ack;
    uint8_t pending[MAX_STACKS];
    uint64_t away; /* set of warps */
    uint8_t stack_of[MAX_WARPS];
    struct monitors links;

    struct queue waiting, operands, values, answers, jobs;
    struct request waiting_word[MAX_DEPTH + 1];
    struct operand operands_word[MAX_DEPTH + 1];
    uint32_t values_word[MAX_DEPTH + 1];
    struct answer answers_word[MAX_DEPTH + 1];
    struct job jobs_word[MAX_WARPS + 1];

    struct offload_out out;
    int streak; /* accepts in a row; for a cover point only */

    struct verdict verdict[MAX_ENTRIES];
    struct packet packet[MAX_ENTRIES];
    struct begin begin[MAX_ENTRIES];
    uint64_t saved[MAX_SAVED];
};

/* ask.c: metadata table, lookup, weigh */
void move_lookup(struct offload *n, struct edge *e);
void move_weigh(struct offload *n);
void move_tables(struct offload *n, const struct edge *e);

/* decide.c: decision, pending counts, probe engine */
void move_decide(struct offload *n, struct edge *e);
void move_probe(struct offload *n, struct edge *e);
void move_counts(struct offload *n, const struct edge *e);

/* send.c: packet engine */
void move_send(struct offload *n, struct edge *e);

/* ack.c: acknowledgements */
void move_ack(struct offload *n, struct edge *e);

/* links.c: channel busy monitors */
void reset_links(struct offload *n);
void change_links(struct offload *n); /* a setting was written */
void move_links(struct offload *n, const struct edge *e);

#endif
