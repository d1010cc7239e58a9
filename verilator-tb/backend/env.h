/* env.h - what the files of this stimulus share: the front end of a core, the
 * host of its memory, and the other cores.
 *
 * Of the environment of near_bank this has programs of machine words, and the
 * oracle that executes each instruction in program order when it is accepted
 * (near_bank/env.h).  There it plays base die and load-store unit; here these
 * are in the system, and what they do is told to it as if it had done so: a
 * completion of the base die, a row that is fetched or loaded, a beat.  So it
 * compares all that it compares there.  What it does not know, the words of the
 * base die's desk and global memory, is added here.
 *
 * Memory belongs to warps, by groups of a line in each unit: a warp stores into
 * its own, and loads from these and from some that nobody stores into.  So
 * program order of each warp says what is in it.  One owner more is the host,
 * who uses its window while warps run.
 */
#ifndef NDP_STIM_BACKEND_ENV_H
#define NDP_STIM_BACKEND_ENV_H

#include "desk.h"

#include "blocks/backend.h"
#include "blocks/far_pipe.h"
#include "blocks/lsu_ext.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/lsu_link.h"
#include "blocks/lsu_rmw.h"
#include "blocks/vault.h"
#include "near_bank/core.h"

enum {
    HOT = 4,     /* groups of each owner that a phase uses */
    OWNERS = 72, /* at most */
    AWAY = 40,   /* answers of other cores under way */
    READS = 8,   /* of the window, under way */
    DIRTY = 512, /* words that were stored */
    SPECIALS_N = 16,
};

/* What a phase does: the host prepares memory and registers, warps run and come
 * to rest, the host looks at memory. */
enum stage { PREPARE, RUN, REST, LOOK };

/* Of an instruction under way, beside what near_bank's environment has. */
struct task {
    enum base_kind kind;
    uint64_t cause;   /* of its fault, 0: none */
    uint32_t address; /* of 2 and 3 */
    uint32_t at[LANES];
    bool shown;   /* a control word was resolved */
    bool faulted; /* its fault was told */
    bool handed;  /* an access was handed over */
};

struct memory {
    struct lsu_hybrid_local size;
    uint64_t own, top, reach; /* words of a core, of all, that are used */
    uint64_t core;            /* where this one stands */
    uint64_t shared, host;    /* owners that are no warps */
    uint64_t owners;
    uint32_t *truth; /* by word of all cores, as program order has it */
    uint32_t *there; /* as those of other cores are */
    bool *known;     /* truth is */
    bool *written;   /* something stands there */
    uint64_t hot[OWNERS][HOT];
    uint64_t dirty[DIRTY];
    unsigned dirt; /* so many of these were ever stored */
};

struct window {
    bool offered, write, ready;
    uint64_t word;   /* of all cores */
    uint64_t beyond; /* or one at this core that is none, 0: not so */
    uint32_t data;
    uint64_t last;       /* word that was written last */
    uint64_t due[READS]; /* words, and what each has to be */
    uint32_t value[READS];
    unsigned head, tail;
    int waits;
};

struct other {
    bool busy;
    uint64_t id, fault, due;
    uint64_t data[4];
};

struct tune_more {
    int desk, accesses, illegal; /* percent of words */
    int parts;                   /* of accesses */
    int wild, near;              /* percent of rows of addresses */
    int renew, host;             /* percent of edges */
    int slow;                    /* edges that another core may take */
    int high, low;               /* longest times that one is taken, and not */
    int looks;                   /* words that the host reads at the end */
    int length;
};

struct backend_stim {
    struct near_bank_stim nb; /* begins with the base of all */
    size_t in[BACKEND_N_INSTANCES], out[BACKEND_N_INSTANCES];
    bool shared_far; /* shared memory is on the base die */
    struct far_pipe_stim *desk;
    struct tune_more more;
    enum stage stage;
    int left;
    int warps; /* that take part */

    struct task task[WARPS][FLIGHTS];
    bool *vague;      /* by warp and register: what went wrong left something */
    int begun[WARPS]; /* registers that it has */
    int begins[WARPS]; /* register that waits for its nop, -1: none */
    struct {
        bool offered;
        int warp, reg;
        uint64_t mask;
        struct row row, shown; /* as it shall be; what is sent */
        int waits;
    } init;
    struct row fresh[WARPS]; /* that was written so */
    uint64_t clock, bound;
    int params, values; /* written so far */

    struct memory m;
    struct window win;
    struct other other[AWAY];
    struct other *answering;
    struct toggle away, away_part;
    struct flight *access; /* that hybrid took last */
    struct flight *ask;    /* that rmw has */
    uint64_t asked;        /* lanes of it for which other cores were asked */
    struct flight nobody;
    uint64_t prepare; /* words looked at */
    int look;

    uint64_t near_accesses, splits, parts, aways, parts_away, faults, resolved,
        looked, renewed;
};

/* An edge: as core_edge, and the other six. */
struct edge {
    struct core_edge core;
    const struct far_pipe_in *far_in;
    const struct far_pipe_out *far_before, *far_after;
    const struct lsu_rmw_in *rmw_in;
    const struct lsu_rmw_out *rmw_before;
    const struct lsu_hybrid_in *hybrid_in;
    const struct lsu_hybrid_out *hybrid_before, *hybrid_after;
    const struct lsu_link_in *link_in;
    const struct lsu_link_out *link_before, *link_after;
    const struct vault_in *banks_in;
    const struct vault_out *banks_before, *banks_after;
};

/* All that may be under way, by number. */
static inline int flights_of(const struct backend_stim *s) {
    return s->nb.size.WARPS * FLIGHTS;
}

static inline struct flight *flight_no(struct backend_stim *s, int n) {
    return &s->nb.flight[n / FLIGHTS][n % FLIGHTS];
}

static inline struct task *task_of(struct backend_stim *s,
                                   const struct flight *f) {
    size_t n =
        (size_t)((const char *)f - (const char *)s->nb.flight) / sizeof *f;
    return &s->task[n / FLIGHTS][n % FLIGHTS];
}

static inline bool *vague_at(struct backend_stim *s, int warp, uint64_t reg) {
    return &s->vague[(uint64_t)warp * (uint64_t)s->nb.size.REGS + reg];
}

/* program.c: words, what may be issued, and what the base die makes of it. */
void program_drive(struct backend_stim *s, struct dies_in *unit,
                   struct far_pipe_in *far, struct lsu_rmw_in *rmw,
                   struct near_pipe_in *pipes);
/* The instruction was accepted: near_bank's oracle has executed it, but for
 * what it does not know. */
void program_accepted(struct backend_stim *s, struct flight *f);
void program_reset(struct backend_stim *s);
/* A register of the warp is being written, or waits for its nop. */
bool program_begins(const struct backend_stim *s);
void program_took(struct backend_stim *s, const struct edge *e);

/* memory.c: whose it is, what is in it, the host's window, other cores. */
void memory_open(struct backend_stim *s, const struct config *c);
void memory_close(struct backend_stim *s);
void memory_reset(struct backend_stim *s);
void memory_choose(struct backend_stim *s);
/* Whether the warp may make this access now; *beyond: a lane of it is. */
bool memory_may(const struct backend_stim *s, int warp, int op, uint64_t lanes,
                const uint32_t *at, bool *beyond);
/* The operation, of BASE_ACCESS, writes. */
bool memory_changes(int op);
/* The byte is in somebody's memory. */
bool memory_has(const struct backend_stim *s, uint32_t at);
uint32_t memory_load(const struct backend_stim *s, uint32_t at);
void memory_store(struct backend_stim *s, uint32_t at, uint32_t word);
void memory_addresses(struct backend_stim *s, int warp, struct row *r);
void memory_drive(struct backend_stim *s, struct lsu_hybrid_in *hybrid,
                  struct lsu_rmw_in *rmw, struct lsu_link_in *link,
                  struct vault_in *banks);
void memory_watch(struct backend_stim *s, const struct edge *e);
/* All that the phase needs is written; nobody is at the window, nor away. */
bool memory_prepared(const struct backend_stim *s);
bool memory_rests(const struct backend_stim *s);
/* All answers are what program order left, of other cores' at once. */
void memory_look(struct backend_stim *s);

/* watch.c: what the parts tell each other, as near_bank's environment hears. */
void watch_edge(struct backend_stim *s, struct edge *e);

#endif
