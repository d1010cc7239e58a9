/* state.h - registers of the near-bank unit's golden model.
 *
 * Private to golden/nbu and golden/dies.  Names follow docs/blocks/nbu.md; the
 * note says what each of them means, here stands how it is held.
 *
 * How an edge is evaluated.  Everything on the right-hand side of the note is a
 * value before the edge, so nbu_cycle works in two passes:
 *
 *   1. Choose.  Functions of the state before the edge and of the inputs fill
 *      struct edge: which handshakes take place, which update is served, which
 *      warp is picked, what the bus does, which counters count.  Nothing in the
 *      state changes, so their order among themselves does not matter.
 *   2. Move.  Each unit takes over its next state from struct edge and from
 *      registers of its own.  Where a unit reads a register of another one
 *      directly, the reader runs first: the pipeline from its last stage
 *      backwards, arrivals before the bus that refills the bus register, the
 *      bus before the movers that feed it.  The one exception is wanted: the
 *      update writes the track table before the lookup reads it, which is the
 *      forwarding that the note asks for.  Queues collect pushes and pops and
 *      take their edge last.
 *
 * What is not copied.  Between accept and delivery a warp has one instruction,
 * and its slot does not change; so the queues and the bus carry the warp's
 * number where the hardware carries the packet.
 *
 * What is between the dies.  The unit's own bus (bus.c), or what another model
 * puts in its place (golden/dies): struct nbu_between.  It chooses what moves
 * and lets it arrive; all else is the same.
 */
#ifndef NDP_GOLDEN_NBU_STATE_H
#define NDP_GOLDEN_NBU_STATE_H

#include "base/bits.h"
#include "blocks/nbu.h"
#include "frame/model.h"
#include "frame/queue.h"

enum {
    MAX_WARPS = 64,
    MAX_REGS = 256,
    MAX_NEAR_QUEUE = 16,
    MAX_MOVE_QUEUE = 16,
    FAR_DONE_QUEUE = 2,
    ROW_WORDS = 1024 / 64 /* of the widest row */
};

/* Operands, in the order in which their moves are made. */
enum operand_place { SRC0, SRC1, SRC2, GUARD, DST, N_OPERANDS };

/* Sets of operands are masks with bit 1 << place. */
enum { SOURCES = 1 << SRC0 | 1 << SRC1 | 1 << SRC2, INPUTS = 15, ALL = 31 };

/* Entry of the track table. */
enum { TRACK_FAR = 1, TRACK_NEAR = 2, TRACK_RETIRED = 4 };

enum direction { DOWN, UP, N_DIRECTIONS };

enum policy { ANNOTATED, DEFAULT, NEAR, FAR };

struct operand {
    uint16_t wires; /* {valid, kind, reg} as it came */
    uint8_t kind;
    uint8_t reg;
};

struct slot {
    uint32_t mask;
    uint16_t tag;
    uint16_t ticket; /* from act on */
    uint8_t op;
    uint8_t hint;
    uint8_t valid; /* set of operands */
    bool partial;  /* dst keeps lanes of its old value */
    struct operand operand[N_OPERANDS];
};

/* Register between stages 2 and 3: what the tables held, as operand sets. */
struct lookup {
    bool valid;
    uint8_t warp;
    uint8_t far, near, retired, issued;
};

/* The rule of "where it runs" that applied. */
enum rule {
    RULE_NEAR_SET,
    RULE_POLICY_FAR,
    RULE_FAR_SET,
    RULE_POLICY_NEAR,
    RULE_HINT_FAR,
    RULE_HINT_NEAR,
    RULE_ALL_NEAR,
    RULE_NOT_ALL_NEAR,
    RULE_NO_SOURCES
};

/* Register after stage 3: what the unit will act on. */
struct decision {
    bool valid;
    uint8_t warp;
    uint8_t policy;
    uint8_t rule;
    bool near;         /* runs near */
    uint8_t need_near; /* operands that must be near; the others far */
    uint8_t pending;
    uint8_t missing; /* before equal registers are dropped */
    uint8_t moves;   /* after */
    uint8_t retired;
};

/* Moves that one instruction waits for: a word of the far mover's queue. */
struct move_list {
    uint8_t warp;
    uint8_t needed; /* set of operands still to be moved */
    uint8_t up;     /* set: those that move near to far */
    uint8_t epoch;  /* set: retired epochs */
    struct operand operand[N_OPERANDS];
};

/* First beat of a moved row, and the whole of a row request. */
struct header {
    uint8_t warp;
    uint8_t reg; /* of this row */
    uint8_t kind;
    bool final;
    bool epoch;
};

struct done {
    uint8_t warp;
    uint16_t tag;
    uint16_t ticket;
};

enum far_state { F_IDLE, F_NEXT, F_READ, F_WAIT, F_SEND, F_ASK };

struct far_mover {
    enum far_state state;
    struct move_list work;
    uint8_t current; /* operand being moved */
    uint8_t row;     /* of a pair */
    uint64_t data[ROW_WORDS];
};

enum near_state { N_IDLE, N_READ, N_WAIT, N_SEND };

struct near_mover {
    enum near_state state;
    struct header work;
    uint64_t data[ROW_WORDS];
};

/* Sources of the TSV bus. */
enum bus_source {
    BUS_INSTR,
    BUS_DOWN,
    BUS_REQUEST,
    BUS_UP,
    BUS_DONE,
    BUS_LSU_DOWN,
    BUS_LSU_UP,
    N_SOURCES,
    NOBODY = N_SOURCES
};

struct bus {
    enum bus_source owner;
    uint8_t last_owner;
    int beat;    /* beats moved in this grant */
    int n_beats; /* of the owner's packet; the burst limit of the LSU */
    bool busy[N_DIRECTIONS]; /* down_busy, up_busy */
    int near_credit, move_credit;
    bool mid_message[N_DIRECTIONS]; /* of the LSU; for a cover point only */
};

/* The bus register: the beat that arrives on the next edge. */
struct beat {
    bool valid, last;
    enum bus_source kind;
    int index;            /* of the beat in its packet */
    uint8_t warp;         /* BUS_INSTR */
    struct header header; /* BUS_DOWN, BUS_REQUEST, BUS_UP */
    struct done done;     /* BUS_DONE */
    uint64_t data[ROW_WORDS];
};

/* A landing register.  Its valid, warp, register and row are the outputs
 * near_write_* (DOWN) and far_write_* (UP) and live in the out struct. */
struct landing {
    struct header header;
    bool finished; /* the move waits for its update */
};

/* In order of priority. */
enum update_source {
    UPDATE_INIT,
    UPDATE_NEAR_DONE,
    UPDATE_UP,
    UPDATE_DOWN,
    UPDATE_FAR_DONE,
    UPDATE_NONE
};

struct update {
    enum update_source source;
    bool writes; /* the track table, at entry */
    uint8_t warp;
    uint8_t reg;
    uint8_t track;
    uint16_t tag; /* of a completion */
    int entry;
};

/* What happens on this edge: chosen first, from the state before it. */
struct edge {
    const struct nbu_in *in;
    int accept, pick;        /* warp, or -1 */
    int far_sent, near_sent; /* warp delivered, or -1 */
    int near_told;           /* whose near delivery the base die sees, or -1 */
    bool landed[N_DIRECTIONS]; /* a register file takes the row */
    struct update update;
    unsigned eligible;      /* set of bus sources */
    enum bus_source grant;  /* new owner */
    bool beat, last;        /* the owner puts a beat on the bus; its last one */
    bool release;           /* the owner gives up the bus */
    enum bus_source leaves; /* source whose packet leaves */
    uint64_t events;        /* counters that count */
};

struct nbu;

/* What is between the dies; each is called once an edge, in this order. */
struct nbu_between {
    void (*choose)(struct nbu *n, struct edge *e);
    void (*cover)(struct nbu *n, const struct edge *e);
    void (*arrive)(struct nbu *n, const struct edge *e);
    void (*move)(struct nbu *n, const struct edge *e);
};

struct nbu {
    struct golden base;
    const struct nbu_between *between;
    struct nbu_local l;
    uint32_t far_set, near_set;
    uint32_t lane_mask, tag_mask, operand_mask, ticket_mask;
    uint64_t warps; /* set of all warps */
    int row_words, beat_words;

    bool init_done;
    int init_entry;
    uint64_t busy, held, ask, look; /* sets of warps */
    uint64_t waiting;               /* left > 0 */
    uint8_t left[MAX_WARPS];
    uint8_t last_pick;
    struct slot slot[MAX_WARPS];

    int stage1; /* warp, or -1 */
    struct lookup stage2;
    struct decision stage3;
    bool nd_valid;
    struct done nd;

    struct queue far_queue, near_send, far_moves, far_done;
    struct queue near_moves, near_queue, near_done;
    uint8_t far_queue_warp[MAX_WARPS + 1], near_send_warp[MAX_WARPS + 1];
    uint8_t near_queue_warp[MAX_NEAR_QUEUE + 1];
    struct move_list far_moves_list[MAX_WARPS + 1];
    struct header near_moves_header[MAX_MOVE_QUEUE + 1];
    struct done far_done_word[FAR_DONE_QUEUE + 1];
    struct done near_done_word[MAX_NEAR_QUEUE + 1];

    struct far_mover far_mover;
    struct near_mover near_mover;
    struct bus bus;
    struct beat beat;
    struct landing landing[N_DIRECTIONS];

    struct nbu_out out;
    uint8_t track[MAX_WARPS * MAX_REGS];
    uint8_t issued[MAX_WARPS * MAX_REGS];
};

/* First after x: the lowest member above x, else the lowest of all. */
static inline int first_after(uint64_t members, int x) {
    uint64_t above = members & ~(bit(x) | (bit(x) - 1));
    return __builtin_ctzll(above ? above : members);
}

/* engine.c: slots, lookup pipeline, updates */
void nbu_choose_accept(const struct nbu *n, struct edge *e);
void nbu_choose_pick(const struct nbu *n, struct edge *e);
void nbu_choose_update(const struct nbu *n, struct edge *e);
void nbu_move_update(struct nbu *n, const struct edge *e);
void nbu_move_act(struct nbu *n, struct edge *e);
void nbu_move_decide(struct nbu *n);
void nbu_move_lookup(struct nbu *n, const struct edge *e);
void nbu_move_slots(struct nbu *n, const struct edge *e);

/* moves.c: far mover, near mover */
struct header nbu_far_mover_header(const struct nbu *n);
void nbu_move_far_mover(struct nbu *n, const struct edge *e);
void nbu_move_near_mover(struct nbu *n, const struct edge *e);

/* bus.c: TSV bus and what arrives over it */
extern const struct nbu_between nbu_bus;
void nbu_choose_landings(const struct nbu *n, struct edge *e);

/* Its parts, for whoever has another bus: bits of beat index of a row, out of
 * it and into it; beats of a move; a beat that has come; counter of a beat. */
void nbu_take_beat(const struct nbu *n, uint64_t *data, const uint64_t *row,
                   int index);
int nbu_move_beats(const struct nbu *n, int kind);
void nbu_arrive(struct nbu *n, const struct beat *r);
uint64_t nbu_beat_event(enum bus_source kind);

/* nbu.c: the instance, for models that begin with a struct nbu */
void nbu_open(struct nbu *n, const struct config *c,
              const struct nbu_between *between);
void nbu_reset(struct golden *g);
void nbu_edge(struct golden *g, const void *in);
void nbu_written(struct golden *g, int setting, uint32_t before);

#endif
