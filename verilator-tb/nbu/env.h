/* env.h - what the files of the near-bank unit's stimulus share.
 *
 * The environment plays front end, both execution pipelines, both register
 * files, the load-store units and a Wishbone master, with real data.  An oracle
 * in program order knows what every operand of an instruction must hold; it is
 * compared with the register file that the instruction reads when the unit
 * delivers it.  So a register that was not moved, was moved wrongly or was read
 * before its write shows as wrong data, whatever model and RTL agree on.
 */
#ifndef NDP_STIM_NBU_ENV_H
#define NDP_STIM_NBU_ENV_H

#include "base/bits.h"
#include "blocks/nbu.h"
#include "kit/stim.h"
#include "kit/toggle.h"

#include <stdbool.h>
#include <stdint.h>

enum side { FAR, NEAR };
enum policy { POLICY_ANNOTATED, POLICY_DEFAULT, POLICY_NEAR, POLICY_FAR };
enum slot { DST, SRC0, SRC1, SRC2, GUARD, N_SLOTS };

enum {
    MAX_WARPS = 64,
    MAX_REGS = 256,
    ROW_WORDS = 1024 / 64,
    IN_FLIGHT = 8 /* instructions of one warp between accept and commit */
};

struct operand {
    bool valid;
    uint8_t kind; /* enum nbu_kind, or 3, which counts as row */
    uint16_t reg;
};

struct instr {
    int warp;
    uint32_t tag, mask;
    uint8_t op, hint;
    struct operand operand[N_SLOTS];
};

/* The 64-bit words of an operand's one or two rows. */
struct value {
    uint64_t word[2][ROW_WORDS];
};

enum flight_state { FREE, ACCEPTED, EXECUTING, OFFERED, DONE };

/* An instruction between accept and commit. */
struct flight {
    enum flight_state state;
    struct instr instr;
    enum side side;  /* where it executes */
    uint32_t ticket; /* as delivered */
    uint64_t since;  /* edge of the accept */
    uint64_t due;    /* edge from which it may complete */
    int policy;      /* at the accept, -1 when it has changed since */
    uint32_t lanes;  /* that it writes */
    struct value result;
    uint64_t lookups; /* that it can have had, at most */
    bool held;        /* one that found a hazard is counted */
    bool cleared;     /* the counters were, while it waited */
};

struct warp {
    struct flight flight[IN_FLIGHT];
    struct flight *waiting;         /* accepted, not yet delivered; or NULL */
    struct value expected[N_SLOTS]; /* of its operands */
    int executing;
};

enum ready_port {
    FAR_EXEC,
    NEAR_EXEC,
    FAR_READ,
    NEAR_READ,
    FAR_WRITE,
    NEAR_WRITE,
    FAR_DONE, /* completions that are let through: a valid */
    NEAR_DONE,
    N_READY
};

/* How the surroundings behave; percentages unless said otherwise. */
struct tune {
    const char *name;
    int issue;         /* cycles in which an instruction is offered */
    int blind;         /* of these: to a warp that may not be ready */
    int high[N_READY]; /* longest time that a port is ready */
    int low[N_READY];  /* and not ready; 0: always ready */
    int row_latency;   /* longest answer of a register file, cycles */
    int exec_latency[2];
    int lsu[2];     /* cycles in which an idle side starts a message */
    int lsu_length; /* longest message, beats */
    int lsu_gap;    /* beats followed by a pause */
    int wishbone;   /* cycles in 1000 in which an access starts */
    int warps;      /* that take part; 0: all */
    int hot;        /* registers of a kind that are used; 0: all */
    int dst, src, guard;
    int pair, pred; /* of operands */
    int partial;    /* masks that are not full */
    int repeat;     /* sources equal to another operand */
    int hint[3];    /* none, far, near; the rest: code 3 */
    int far_class;  /* classes out of the far set */
};

/* A register file port that reads: one request outstanding. */
struct reader {
    bool busy;
    int delay;
    int warp, reg;
};

/* A side of the load-store traffic. */
struct lsu {
    bool valid, last;
    int left;  /* beats of the message still to come */
    int pause; /* cycles before the next beat */
    uint64_t beat[ROW_WORDS];
    /* sent and not yet seen on the other side */
    uint64_t sent[8][ROW_WORDS];
    bool sent_last[8];
    unsigned head, tail;
    uint64_t beats;
};

/* Instructions that the pipeline of a side executes. */
struct pipeline {
    struct flight *list[MAX_WARPS * IN_FLIGHT];
    int count;
    uint64_t earliest; /* no entry is due before */
    struct flight *offered;
};

struct nbu_stim;

/* Where instructions come from: random, a script, a kernel, its execution. */
struct nbu_mode {
    struct stim_mode base;
    /* The next instruction to offer, of a warp in s->room; its tag is chosen by
     * the caller.  False: none now. */
    bool (*next)(struct nbu_stim *s, struct instr *i);
};

/* What tells what the counters must hold, see counters.c; by side: the one that
 * a row comes to, but for loaded. */
struct tally {
    uint64_t waiting;   /* instructions that are not yet delivered */
    uint64_t lookups;   /* since the counters were cleared, at most, but for
                         * those that sent an instruction that was delivered */
    uint64_t unsure[2]; /* sent to a side before or after that */
    uint64_t stalls;    /* of the bus, that may have been one */
    bool finished[2];   /* a move, but for its update, */
    int mover[2];       /* of this warp */
    bool busy[2];       /* a row is under way */
    bool loaded[2];     /* the mover of this side has a row to send */
    int stored;         /* completions on the DRAM die: in memory, */
    bool shown;         /* and at the queue's output */
    /* Over the cut alone: */
    bool stalled; /* the bus on the last edge, for certain */
    int rose;     /* counter of the beat up on the wires before it, 0: none, */
    int landed;   /* edges until the base die learns of a row that landed near,
                   * 0: of none, */
    bool final;   /* the last of its move */
};

struct nbu_stim {
    struct stim base;
    bool cut; /* the dies meet over the cut (docs/blocks/dies.md) */
    struct nbu_local size;
    uint32_t far_set, near_set;
    uint32_t lane_mask;
    int row_words, beat_words;
    uint64_t row_mask, beat_mask; /* of the highest word */
    int flights;                  /* of IN_FLIGHT that the tag width allows */
    struct tune tune;

    uint64_t row_stride;
    uint64_t *rows[2]; /* register files */
    uint64_t *truth;   /* contents in program order */
    uint8_t kind[MAX_REGS];
    uint16_t by_kind[3][MAX_REGS]; /* registers to choose from */
    int n_kind[3];

    struct warp *warp;
    uint64_t ready; /* issue_ready as it stands */
    uint64_t room;  /* warps that could hold one more */
    bool offering;
    bool unlawful; /* the offer names a warp that does not exist */
    struct instr offer;
    struct toggle toggle[N_READY];
    struct pipeline pipe[2];
    struct reader reader[2];
    struct lsu lsu[2]; /* by the side that sends */
    struct tally tally;
    uint64_t nonce;

    uint64_t last_move; /* edge of the last transfer of any kind */
    uint64_t patience;
    int oldest; /* flight looked at last by the age check */

    uint64_t accepts, commits, went[2], moves[2], rows_moved[2], beats[7];
    uint64_t far_shared; /* shared-memory accesses that executed far */
    uint64_t checked;
};

/* exec: instructions from offer to commit. */
void exec_reset(struct nbu_stim *s);
void exec_drive(struct nbu_stim *s, struct nbu_in *in);
const char *exec_watch(struct nbu_stim *s, const struct nbu_in *in,
                       const struct nbu_out *before,
                       const struct nbu_out *after);
bool exec_idle(const struct nbu_stim *s);
/* Nothing has moved for some cycles: NULL when nothing is under way. */
const char *exec_stuck(struct nbu_stim *s, uint64_t cycles);

/* oracle: what operands hold. */
void oracle_open(struct nbu_stim *s);
void oracle_reset(struct nbu_stim *s);
void oracle_accept(struct nbu_stim *s, struct warp *w, struct flight *f);
/* NULL, or what is wrong with the operands in the register files. */
const char *oracle_deliver(struct nbu_stim *s, const struct warp *w,
                           const struct flight *f);
void oracle_complete(struct nbu_stim *s, const struct flight *f);
uint64_t *row_at(const struct nbu_stim *s, uint64_t *rows, int warp, int reg);
enum side required_side(const struct nbu_stim *s, const struct flight *f,
                        enum slot slot);

/* A ready signal as it stands in this cycle; call it once a cycle. */
static inline bool port_ready(struct nbu_stim *s, enum ready_port port) {
    return toggle_step(&s->toggle[port], &s->base.rng, s->tune.high[port],
                       s->tune.low[port]);
}

/* ports: register files, load-store traffic. */
void ports_reset(struct nbu_stim *s);
void ports_drive(struct nbu_stim *s, struct nbu_in *in);
const char *ports_watch(struct nbu_stim *s, const struct nbu_in *in,
                        const struct nbu_out *before,
                        const struct nbu_out *after);

/* counters: what the counters must hold. */
void counters_reset(struct nbu_stim *s);
void counters_accept(struct nbu_stim *s, struct flight *f);
void counters_deliver(struct nbu_stim *s, const struct flight *f);
void counters_commit(struct nbu_stim *s, const struct flight *f);
const char *counters_watch(struct nbu_stim *s, const struct nbu_in *in,
                           const struct nbu_out *before,
                           const struct nbu_out *after);

/* Random instructions within s->tune, for every mode that wants some. */
bool random_instr(struct nbu_stim *s, struct instr *i);
/* A warp of the mask, at random; the mask must not be 0. */
int random_warp(struct nbu_stim *s, uint64_t mask);

/* The surroundings, for whoever makes his own of them. */
void nbu_env_open(struct stim *base, const struct config *c);
void nbu_env_close(struct stim *base);
void nbu_env_reset(struct stim *base);
void nbu_env_drive(struct stim *base, void *in);
const char *nbu_env_watch(struct stim *base, const void *in, const void *before,
                          const void *after);
void nbu_env_report(struct stim *base, struct text *t);
extern const struct stim_mode *const nbu_modes[];

extern const struct nbu_mode nbu_random;
extern const struct nbu_mode nbu_directed;
extern const struct nbu_mode nbu_kernel;
extern const struct nbu_mode nbu_run;

static inline uint64_t all_warps(const struct nbu_stim *s) {
    return ones(s->size.WARPS);
}

static inline bool is_pair(const struct operand *o) {
    return o->valid && o->kind == NBU_PAIR;
}

#endif
