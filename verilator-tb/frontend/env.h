/* env.h - what the files of the front end's surroundings share.
 *
 *   stim.c     the edge: host, back end, who looks at what
 *   program.c  launches that are made up, and those that have each operation
 *   oracle.c   the launch without time: each thread by its own pc, each warp's
 *              paths, CTAs, and what may be issued when
 *
 * Nobody here has registers.  Whether a guard holds for a thread is a number of
 * thread, place and how often it has been there, so that each thread has one
 * way through the program, whatever the order in which warps go.
 */
#ifndef NDP_STIM_FRONTEND_ENV_H
#define NDP_STIM_FRONTEND_ENV_H

#include "stim.h"

#include "base/array.h"
#include "base/bits.h"
#include "blocks/frontend.h"
#include "isa/isa.h"
#include "kit/toggle.h"

enum {
    LANES = 32,
    WARPS = 64,
    PATHS = 2 * 64 + 2,
    SPECIALS = 16,
    FLIGHTS = WARPS * 63,
    AGAIN = 5 /* times that a thread goes back at one place */
};

enum { SET, CODE, PARAM, START, HALT, RESUME, CLEAR = 8 };
enum { IDLE, RUNNING, DONE, FAULTED };

enum {
    AT_ENTRY,
    AT_GRID,
    AT_BLOCK = 4,
    AT_THREADS = 7,
    AT_WARPS,
    AT_RESIDENT,
    AT_SHARED,
    AT_END,
    AT_WATCHDOG,
    AT_FIRST_CTA,
    AT_CTA_STEP,
    N_REGS
};

enum cause {
    C_NONE,
    C_ILLEGAL,
    C_MISALIGNED,
    C_UNMAPPED,
    C_STACK,
    C_NO_JOIN,
    C_BARRIER,
    C_TRAP,
    C_MEMORY,
    C_WATCHDOG
};

/* How a guard is decided: each thread by itself, all of a warp alike, all but
 * one lane; p4 to p6 otherwise by thread. */
enum { P_THREAD = 0, P_WARP = 4, P_PEEL = 5, P_LOOP = 6 };

/* What the surroundings are like for a launch. */
struct tune {
    int high, low;   /* longest times that init is taken, and not */
    int deliver;     /* most edges until a warp may issue again */
    int fickle;      /* percent of edges on which a warp's bit falls so */
    int late;        /* most edges until a word has ended */
    int resolve;     /* the same of one of class control */
    int commit;      /* percent of edges on which one commits, if it can */
    int halt, noise; /* of 10000 edges */
    int far, near;   /* edge from which on a fault of that die comes, 0: none */
    bool silent;     /* nothing commits from some edge on */
};

struct launch {
    ARRAY(uint64_t) code; /* from place 0 on */
    uint32_t reg[N_REGS];
    uint64_t seed;
    struct tune tune;
};

/* --- oracle --------------------------------------------------------------- */

struct path {
    int pc, join; /* join -1: none */
    int depth;
    uint32_t mask;
};

struct shadow_warp {
    bool begun, ended;
    int cta, number;
    bool fresh;   /* its first word is still to come */
    bool awaits;  /* a word of class control was taken and not resolved */
    bool fenced;  /* nothing more before all has committed */
    bool arrived; /* at a barrier */
    bool faulty;  /* it did what it must not, and issues no more */
    int n;
    struct path path[PATHS];
    uint32_t live;
    int pc[LANES];        /* of each thread by itself */
    int count;            /* taken, not committed */
    int stores, accesses; /* to global memory, of these */
    /* what was told of it since its CTA came */
    bool has_value[SPECIALS], has_window;
    uint32_t value[SPECIALS];
    uint32_t base, rows;
};

/* A word that was taken and has not committed. */
struct flight {
    int warp, pc;
    struct isa_word w;
    bool first; /* of its warp, the nop */
    bool control, resolved, global, store, shared;
    uint32_t mask;
    int age, due;
};

struct oracle {
    ARRAY(struct isa_word) code;
    ARRAY(uint8_t) wrong; /* by place: cause, or 0 */
    int ctas;             /* that this core takes */
    int begun;            /* warps, in order */
    uint8_t *visits;      /* by warp, lane and place */
    struct shadow_warp warp[WARPS];
    uint64_t released; /* barriers */
};

/* --- host ----------------------------------------------------------------- */

struct command {
    uint8_t op;
    uint16_t index;
    uint64_t data;
};

struct frontend_stim {
    struct stim base;
    struct frontend_local l;
    struct launch launch;
    struct oracle oracle;
    struct frontend_out seen; /* outputs before the next edge */
    /* host */
    ARRAY(struct command) commands;
    int sent, gap, script;
    bool loading, halt, stood, brief;
    int stand, halt_for;
    uint32_t reg[N_REGS]; /* as they must stand */
    uint64_t now, edges, silent;
    uint64_t ctas, passed; /* pulses of this launch */
    int hang;
    /* back end */
    struct toggle init;
    uint64_t ready;
    int rest[WARPS];
    struct flight *flight;
    int flights;
    uint64_t *far_code, *near_code;
    /* what must come of the last resolve, on the next edge */
    int x_cause, x_warp, x_pc;
    bool x_diverged;
    uint64_t launches, faults, words;
};

/* --- program.c ------------------------------------------------------------ */

void frontend_launch(struct frontend_stim *s, bool directed);

/* --- oracle.c ------------------------------------------------------------- */

void frontend_open(struct frontend_stim *s);
void frontend_close(struct frontend_stim *s);
void frontend_start(struct frontend_stim *s);
/* What warps are told before they begin. */
void frontend_told(struct frontend_stim *s, const struct frontend_out *after);
void frontend_begins(struct frontend_stim *s, const struct frontend_out *o);
/* A word shows at issue; it is taken. */
void frontend_shows(struct frontend_stim *s, const struct frontend_out *o);
void frontend_taken(struct frontend_stim *s, const struct frontend_out *o);
/* Active lanes of a word of class control, and what comes of it. */
uint32_t frontend_lanes(struct frontend_stim *s, const struct flight *f);
void frontend_resolves(struct frontend_stim *s, const struct flight *f,
                       uint32_t lanes);
void frontend_commits(struct frontend_stim *s, const struct flight *f);
void frontend_barriers(struct frontend_stim *s);
/* A warp is at a word that the check must tell, and it is this one. */
bool frontend_is_wrong(const struct frontend_stim *s, int warp, int pc);
bool frontend_quiet(const struct frontend_stim *s);
void frontend_done(struct frontend_stim *s);

#endif
