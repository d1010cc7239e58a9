/* state.h - registers of the SIMT core's golden model.
 *
 * Private to golden/simt/.  Names follow docs/blocks/simt.md; the note says
 * what each of them means, here stands how it is held.
 *
 * How an edge is evaluated.  Everything on the right-hand side of the note is a
 * value before the edge:
 *
 *   1. Choose.  Functions of the state before the edge and of the inputs fill
 *      struct edge: what is selected, whether the word in F goes on, which CTA
 *      is taken, who leaves pop, barrier and membar, whether a response writes
 *      a row.  Nothing in the state changes.
 *   2. Move.  Each part takes over its next state.  The pipe runs from its end
 *      backwards, so that a reader of a register file comes before its writer.
 *      What several parts change of a warp (acc, out, pend) are counts and bits
 *      of their own, so the order among them does not matter.
 *
 * Values are computed when a pass goes D -> O, all at once, and travel in the
 * ring; what leaves X(1) and X(L+1) looks back into the ring by age.  Lanes of
 * a pass are bits 0 to A-1 there, lanes of a warp bits 0 to N-1.
 */
#ifndef NDP_GOLDEN_SIMT_STATE_H
#define NDP_GOLDEN_SIMT_STATE_H

#include "base/bits.h"
#include "blocks/simt.h"
#include "frame/model.h"
#include "isa/isa.h"

#include <string.h>

enum {
    MAX_WARPS = 64,
    MAX_LANES = 32,
    MAX_CTAS = 32,
    MAX_STACK = 64,
    MAX_REQUESTS = 64,
    MAX_TICKETS = 32,
    SECTOR_WORDS = 256 / 64,
    VALUE_WORDS = 1024 / 64,
    MAX_BUFFERS = 2,
    RING = 16 /* O to W, at least FMA_L + 4 */
};

enum ctl_op {
    CTL_SET,
    CTL_CODE,
    CTL_PARAM,
    CTL_START,
    CTL_HALT,
    CTL_RESUME,
    CTL_STEP,
    CTL_READ,
    CTL_CLEAR
};

enum launch_register {
    REG_ENTRY,
    REG_GRID,          /* and the two after it */
    REG_BLOCK = 4,     /* and the two after it */
    REG_THREADS = 7,   /* of a CTA */
    REG_CTA_WARPS = 8, /* of a CTA */
    REG_RESIDENT = 9,  /* CTAs that may be */
    REG_SHARED = 10,   /* bytes of a CTA */
    REG_UNMAPPED = 11, /* first such address */
    REG_WATCHDOG = 12,
    REG_FIRST_CTA = 13, /* with dispatch by step */
    REG_CTA_STEP = 14,
    REG_AREA = 15,     /* with dispatch by area: its first CTA, x and y */
    REG_AREA_END = 17, /* behind its last one, x and y */
    REG_BY_COLUMN = 19,
    REG_PACE = 20, /* edges from a select to the next, with blocks moved */
    N_LAUNCH = 21
};

enum run_state { CORE_IDLE, CORE_RUNNING, CORE_DONE, CORE_FAULTED };

enum warp_state {
    WARP_IDLE,
    WARP_READY,
    WARP_FLIGHT,
    WARP_WAIT,
    WARP_BARRIER,
    WARP_MEMBAR,
    WARP_POP,
    WARP_CHAIN, /* a word of it is offered, or its chain or block elsewhere */
    N_WARP_STATES
};

enum cause {
    FAULT_NONE,
    FAULT_ILLEGAL,
    FAULT_MISALIGNED,
    FAULT_UNMAPPED,
    FAULT_STACK,
    FAULT_NO_JOIN,
    FAULT_BARRIER,
    FAULT_TRAP,
    FAULT_MEMORY,
    FAULT_WATCHDOG,
    N_CAUSES
};

/* Who can be at fault, in the order in which the first one counts. */
enum fault_source { BY_RESPONSE, BY_ENGINE, BY_CONTROL, BY_CHECK, N_FAULTERS };

struct fault {
    uint8_t cause, warp;
    uint32_t pc, address;
};

/* What an instruction is for the pipe. */
enum kind { DO_CONTROL, DO_VALUE, DO_TEST, DO_SPECIAL, DO_PARAM, DO_ACCESS };

enum space { GLOBAL, SHARED, CROSS };
enum deed { LOAD, STORE, ATOMIC, SHUFFLE, VOTE };

/* An access, apart from its lanes. */
struct type {
    uint8_t space, deed;
    uint8_t bytes;
    bool is_signed;
    uint8_t op;     /* of the instruction */
    uint8_t mem_op; /* of its requests */
};

/* A code word, taken apart when it is written. */
struct instr {
    struct isa_word w;
    struct type type; /* DO_ACCESS */
    uint8_t kind;
    bool illegal;
    bool result;   /* an access with a destination: needs a ticket */
    uint64_t regs; /* sources and destination: bits of pend */
    uint8_t hold;  /* edges for which a pass in X(1) stops the pipe */
    bool shifts;   /* ... and its greatest distance more */
};

/* --- pipe ----------------------------------------------------------------- */

enum item { NOTHING, AN_INSTR, A_RETURN, AN_INIT, A_READ, A_LOOK };

/* What F and D hold. */
struct flight {
    uint8_t item;
    uint8_t warp;
    uint8_t ticket;    /* A_RETURN; AN_INSTR with a result */
    uint8_t buffer;    /* AN_INSTR that is an access */
    uint8_t lane, reg; /* A_READ, A_LOOK */
    bool pred;         /* A_LOOK at a predicate */
    bool offer;        /* AN_INSTR that is offered, whatever it does */
    uint32_t pc;
    struct instr i;
};

/* O to W hold passes. */
struct pass {
    bool valid, last;
    uint8_t n;       /* its number */
    uint8_t kind, d; /* of its retirement */
    uint32_t active; /* of its A lanes */
    uint8_t hold;    /* edges for which it will stop the pipe in X(1) */
    struct flight f;
    uint32_t value[MAX_LANES]; /* inactive lanes: 0 */
    uint32_t b[MAX_LANES],
        c[MAX_LANES]; /* of an access; value is its address */
};

/* --- warps ---------------------------------------------------------------- */

struct entry {
    uint32_t else_mask, mask;
    uint32_t else_pc, join;
};

struct warp {
    uint8_t state;
    uint8_t slot;
    uint8_t depth;
    uint8_t acc;
    uint8_t out;
    uint32_t pc, mask, gone, join;
    uint64_t pend;
};

struct slot {
    uint8_t live;
    uint32_t at[3]; /* its CTA */
};

enum dispatcher_state { HANDS_FREE, THREADS, OFFERS, IN_FLIGHT };

struct dispatcher {
    uint8_t state;
    uint8_t slot, warp; /* warp: of the CTA */
    uint8_t lane;       /* next one */
    uint32_t left;      /* threads of the CTA still to come */
    uint32_t thread[3]; /* the next one */
    uint32_t packed[MAX_LANES];
    uint32_t lanes;   /* with a thread */
    uint32_t next[3]; /* next CTA */
    bool more;        /* it is there */
    uint8_t skip;     /* CTAs to be passed over before it */
};

/* --- load-store engine ---------------------------------------------------- */

struct buffer {
    bool used, full;
    bool offer;
    uint8_t warp, ticket;
    struct type type;
    uint32_t pc;
    uint32_t active;
    uint32_t a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];
    int requests; /* for a cover point */
};

struct ticket {
    bool used, issued;
    bool pred; /* the port's: its result is a predicate */
    uint8_t warp, d;
    uint8_t out; /* its requests without a response */
    struct type type;
    uint32_t pc, active;
    uint8_t offset[MAX_LANES]; /* within the sector */
};

struct request {
    uint8_t warp;
    bool has_ticket;
    uint8_t ticket;
    uint32_t pc, lanes, sector;
    uint64_t number; /* for a cover point */
};

struct engine {
    bool busy;
    uint8_t older; /* buffer it works on, or will */
    uint32_t todo;
    uint8_t pass;    /* of shfl and vote; passes of an offer looked at */
    uint32_t picked; /* lanes of a shared load whose words are on the way */
    uint32_t word[MAX_LANES];
    bool second; /* of an atomic's two edges */
};

/* --- chains --------------------------------------------------------------- */

enum { NOBODY = -1 };

/* Tags of words. */
enum { CHAIN_NONE, CHAIN_FIRST, CHAIN_INSIDE, CHAIN_LAST };

/* A pass of a chain's result, on its way to the row of the port's ticket. */
struct put {
    bool there, last;
    uint8_t pass; /* of the row, that it enters */
    uint64_t data[VALUE_WORDS];
};

/* --- an edge -------------------------------------------------------------- */

enum check {
    CHECK_NONE,
    CHECK_PASSES,
    CHECK_WAITS,
    CHECK_SETTLES,
    CHECK_FAULT
};

/* What happens on this edge: chosen first, from the state before it. */
struct edge {
    const struct simt_in *in;
    bool d_open, f_open; /* D, F can take something */
    struct flight selected;
    bool by_ready; /* selected is a ready warp */
    bool paced;    /* a ready warp waits for the pace */
    uint8_t check;
    bool offers;      /* what is checked is an offer */
    int take;         /* slot that gets a CTA, or -1 */
    bool passes_over; /* a CTA */
    bool done;
    uint64_t passes_barrier, passes_membar; /* warps */
    int pop_pick;                           /* warp, or -1 */
    bool row_taken;                         /* a response writes a row */
    bool puts;                              /* a chain's result does */
    int over;                               /* warp that is over, or -1 */
    bool pushed;
    bool freed; /* a ticket or an access buffer becomes free */
    struct fault fault[N_FAULTERS];
};

struct core {
    uint8_t state;
    bool halted; /* halt is in force */
    int step;    /* warp, or -1 */
    bool read;
    uint8_t read_warp, read_lane, read_reg;
    uint32_t clock, watchdog;
    uint8_t last_selected;
    uint8_t barrier_slot;
    int popping; /* warp whose entry has been read, or -1 */

    struct flight f, d;
    uint8_t d_pass;
    uint64_t moves;   /* edges on which the pipe moved: where the ring begins */
    int hold;         /* edges on which it still stands */
    int in_ring;      /* passes in O to W */
    uint32_t control; /* lanes of the passes before, of control */
    struct pass ring[RING];

    uint64_t in[N_WARP_STATES];  /* sets of warps */
    uint64_t owes, waits_memory; /* warps that owe; with acc or out */
    struct warp warp[MAX_WARPS];
    struct slot slot[MAX_CTAS];
    struct dispatcher dispatcher;

    uint8_t next_buffer;
    struct buffer buffer[MAX_BUFFERS];
    uint64_t tickets;  /* in use */
    uint64_t complete; /* ... whose result is there and not selected yet */
    struct ticket ticket[MAX_TICKETS];
    uint64_t ids; /* in use */
    struct request request[MAX_REQUESTS];
    uint64_t asked; /* requests so far */
    struct engine engine;

    int builder;    /* warp, or NOBODY */
    uint64_t alone; /* warps that carry their chain out by themselves */
    struct put put;

    /* With blocks moved. */
    uint64_t taken; /* warps that came from another core */
    uint64_t asks;  /* warps at a mark that wait for their own requests */
    uint32_t end[MAX_WARPS];
    uint32_t pace; /* edges until a warp may be selected */
    struct {
        bool there, pred;
        uint8_t warp, reg;
    } look;
};

struct simt {
    struct golden base;
    struct simt_local l;
    uint32_t lanes; /* all of a warp */
    uint64_t warps;
    uint32_t launch[N_LAUNCH];
    struct core s;
    struct simt_out out;
    unsigned causes;  /* that have happened, for a cover point */
    bool was_faulted; /* before the last clear, the same */

    struct instr *code;
    uint64_t *words; /* the code as it was written */
    uint32_t *params;
    uint32_t *shared;
    uint32_t (*registers)[MAX_LANES]; /* of warp * REGS + register */
    uint32_t (*predicates)[8];        /* of a warp */
    struct entry (*stack)[MAX_STACK];
    uint32_t rows[MAX_TICKETS][MAX_LANES];
};

/* The pass that came into O so many moves of the pipe ago. */
static inline struct pass *simt_pass(struct simt *n, int age) {
    return &n->s.ring[(n->s.moves - (uint64_t)age) % RING];
}

static inline void simt_move_warp(struct simt *n, int w, enum warp_state to) {
    struct core *s = &n->s;
    s->in[s->warp[w].state] &= ~bit(w);
    s->in[to] |= bit(w);
    s->warp[w].state = (uint8_t)to;
}

/* After a change of pend, acc or out. */
static inline void simt_owes(struct simt *n, int w) {
    const struct warp *p = &n->s.warp[w];
    uint64_t waits = (uint64_t)(p->acc || p->out) << w;
    n->s.waits_memory = (n->s.waits_memory & ~bit(w)) | waits;
    n->s.owes = (n->s.owes & ~bit(w)) | waits | (uint64_t)(p->pend != 0) << w;
}

static inline uint64_t simt_slot_warps(const struct simt *n, int slot) {
    int each = (int)n->launch[REG_CTA_WARPS];
    return ones(each) << slot * each & n->warps;
}

static inline bool simt_running(const struct simt *n) {
    return n->s.state == CORE_RUNNING;
}

/* instr.c: words taken apart, and what a pass computes */
void simt_instr(const struct simt *n, uint64_t word, struct instr *i);
void simt_compute(struct simt *n, const struct flight *f, int pass,
                  struct pass *p);

/* front.c: select, check, passes into the pipe */
void simt_choose_front(const struct simt *n, struct edge *e);
void simt_move_front(struct simt *n, struct edge *e);

/* pipe.c: what leaves X(1) and X(L+1), W */
void simt_move_pipe(struct simt *n, struct edge *e);

/* warps.c: pop, barrier, membar, dispatch */
void simt_choose_warps(const struct simt *n, struct edge *e);
void simt_move_pop(struct simt *n, const struct edge *e);
void simt_move_barriers(struct simt *n, const struct edge *e);
void simt_start_dispatch(struct simt *n);
void simt_move_dispatch(struct simt *n, const struct edge *e);
/* After a release or a pop: pop, idle, or as said. */
void simt_settle(struct simt *n, int w, enum warp_state otherwise);
/* An init has been released. */
void simt_start_warp(struct simt *n, int w);

/* engine.c: load-store engine, answers of memory */
void simt_choose_engine(const struct simt *n, struct edge *e);
void simt_move_response(struct simt *n, struct edge *e);
void simt_move_engine(struct simt *n, struct edge *e);
/* An access is over. */
void simt_end_access(struct simt *n, struct edge *e, struct buffer *b);

/* chains.c, with chains offered: words that are offered, news of their warps,
 * results */
bool simt_is_offer(const struct simt *n, const struct flight *f);
/* Words of its chain follow an offered word. */
static inline bool simt_continues(const struct simt *n, const struct instr *i) {
    return n->l.BUILDS &&
           (i->w.chain == CHAIN_FIRST || i->w.chain == CHAIN_INSIDE);
}
/* moves.c, with blocks moved: warps that come from other cores, and registers of
 * those that stand */
void simt_choose_moves(const struct simt *n, struct edge *e);
void simt_move_moves(struct simt *n, const struct edge *e);
/* A warp that came is at its end. */
static inline bool simt_at_end(const struct simt *n, int w) {
    const struct warp *p = &n->s.warp[w];
    return n->s.taken >> w & 1 && !p->depth && p->pc == n->s.end[w];
}

/* A ticket is the port's. */
static inline bool simt_is_port(const struct simt *n, int ticket) {
    return n->l.OFFERS && ticket == n->l.TICKETS - 1;
}
void simt_choose_put(const struct simt *n, struct edge *e);
/* Before the engine: an offer that is taken goes. */
void simt_move_offer(struct simt *n, const struct edge *e);
/* The engine's edge on an offer. */
void simt_offer(struct simt *n, struct edge *e, struct buffer *b);
void simt_move_go(struct simt *n, struct edge *e);
void simt_move_put(struct simt *n, const struct edge *e);
void simt_show_chains(struct simt *n, bool was_shown, bool busy);

#endif
