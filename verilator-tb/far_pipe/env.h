/* env.h - what the files of this stimulus share: far registers as they have to
 * be, instructions and rows under way, and shared memory, where it is here. */
#ifndef NDP_STIM_FAR_PIPE_ENV_H
#define NDP_STIM_FAR_PIPE_ENV_H

#include "base/bits.h"
#include "blocks/far_pipe.h"
#include "isa/isa.h"
#include "kit/stim.h"
#include "kit/toggle.h"
#include "near_pipe/scratch.h"

enum {
    LANES = 32,
    WARPS = 64,
    TRIES = 6,               /* for a register that may be used */
    FLIGHT = WARPS + 8 * 16, /* an access of each warp, and who is in the pipe
                              * of each subcore */
    CHECKS = 64,
    SPECIALS = 16,
};

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS };

/* Who carries a word out, and what is seen of it: a result of the lanes; a
 * result of the desk, 'resolve', 'fault', 'access' or 'ask'; shared memory. */
enum kind { COMPUTED, WORDS, CONTROL, FAULT, ACCESS, SHARED };

/* A far register as it has to be. */
struct cell {
    bool whole;   /* all lanes are known to the pipe, */
    bool vague;   /* but not to the environment: a clock that went on, or what
                   * a reset left of a result */
    bool pending; /* an instruction that has not completed writes it */
    bool stood;   /* ... and it was whole before */
    uint32_t lane[LANES];
};

struct instr {
    uint64_t warp, tag, op, mask, ticket;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS], kinds[OPERANDS];
    struct isa_word word;
    enum kind kind;
    uint64_t active;                     /* lanes */
    uint64_t cause;                      /* of a FAULT, with its address */
    uint32_t address;                    /* ... */
    uint32_t at[LANES];                  /* of an ACCESS */
    uint32_t put[LANES], compare[LANES]; /* ... at 'ask' */
    bool loose;                          /* of the clock, which goes on */
    bool part;                           /* an ACCESS at 'ask' */
    bool shown; /* at 'resolve', 'fault', 'access' or 'ask' */
    /* an ACCESS: was taken, ends after so many edges, has ended, with a fault,
     * which has been told */
    bool taken, over, bad, faulted;
    int due;
    int waits; /* edges on which nothing waits for the environment */
    struct scratch_access access; /* of SHARED, faulted as above */
};

/* A row that is asked for, or comes. */
struct row {
    bool offered; /* and not taken yet */
    bool due;     /* it has been asked for */
    uint64_t warp, reg, mask;
    uint32_t lane[LANES];
    int waits; /* edges */
};

struct tune {
    int instrs, codes, reads, writes, inits; /* percent of edges */
    int shared;    /* percent of words that access shared memory */
    int desk;      /* percent of the others that the lanes do not compute */
    int few;       /* warps that are used, 0: all */
    int op;        /* 0: any */
    int high, low; /* longest times that completions are taken, and not */
    int slow;      /* the same of accesses that are not */
    int late;      /* most edges to an access's end */
    bool pairs;    /* ends that come wait for a second one, mostly */
    /* percent of accesses that may go wrong, of ends with a fault, of words of
     * the desk that nobody carries out */
    int wrong, bad, faults;
};

struct far_pipe_stim {
    struct stim base;
    struct far_pipe_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed operations */
    struct toggle done, access, ask;
    uint64_t *code;    /* words by tag; 0: not written */
    struct cell *cell; /* by warp and register */
    struct scratch scratch;
    uint32_t *param, value[WARPS][SPECIALS];
    bool *has_param, has_value[WARPS][SPECIALS];
    uint64_t now, bound;
    struct instr offer;
    bool offered;
    struct instr flight[FLIGHT]; /* taken, the oldest first */
    int flights;
    int instr_waits, quiet;
    struct row read, write, init;
    uint64_t check[CHECKS]; /* cells to ask for soon */
    int checks;
    uint64_t instrs, rows, compared, accesses, faults, resolved;
    uint64_t shared_accesses, shared_faults;
};

static inline struct cell *cell_of(struct far_pipe_stim *s, uint64_t warp,
                                   uint64_t reg) {
    return &s->cell[warp * (uint64_t)s->size.REGS + reg];
}

static inline int subcore_of(const struct far_pipe_stim *s, uint64_t warp) {
    return (int)(warp % (uint64_t)s->size.SUBCORES);
}

/* Several subcores have one 'done', 'resolve', 'fault', 'access' and 'ask'. */
static inline bool shares_ports(const struct far_pipe_stim *s) {
    return s->size.SUBCORES > 1;
}

static inline bool holds(struct far_pipe_stim *s, const struct instr *i,
                         enum operand o, int lane) {
    return !i->has[o] || cell_of(s, i->warp, i->reg[o])->lane[0] >> lane & 1;
}

static inline uint32_t value_of(struct far_pipe_stim *s, const struct instr *i,
                                enum operand o, int lane) {
    return i->has[o] ? cell_of(s, i->warp, i->reg[o])->lane[lane] : 0;
}

/* desk.c: what the lanes do not compute. */
enum kind desk_kind(int op);
/* Of kind ACCESS: to a part of a word, or an atomic. */
bool desk_part(int op);
/* Bytes that a lane accesses. */
int desk_bytes(int op);
/* An access that has left the desk. */
bool desk_left(const struct instr *i);
/* Look at s->offer with its operands as they stand.  False: it may not be
 * offered, as it would read what nobody has written. */
bool desk_prepare(struct far_pipe_stim *s);
/* The result of a word of kind WORDS. */
uint32_t desk_word(struct far_pipe_stim *s, const struct instr *i, int lane);
/* A row of addresses. */
void desk_addresses(struct far_pipe_stim *s, struct row *r);
void desk_drive(struct far_pipe_stim *s, struct far_pipe_in *in);
/* What was given on this edge, and what is shown after it.  at_done: place of
 * the instruction at 'done' among those under way, -1: none. */
void desk_took(struct far_pipe_stim *s, const struct far_pipe_in *in,
               const struct far_pipe_out *before);
void desk_check(struct far_pipe_stim *s, const struct far_pipe_in *in,
                const struct far_pipe_out *before,
                const struct far_pipe_out *after, int at_done);
/* Whether something waits for the environment. */
bool desk_waits(const struct far_pipe_stim *s, const struct far_pipe_in *in,
                const struct far_pipe_out *before);

/* sharing.c: shared memory.  Look at s->offer with its operands as they stand.
 * False: it may not be offered, as it would read what nobody has written. */
bool sharing_prepare(struct far_pipe_stim *s);
/* It has completed: what it leaves in memory and in its destination. */
void sharing_end(struct far_pipe_stim *s, const struct instr *i);
/* A reset: nobody knows how far those under way came. */
void sharing_forget(struct far_pipe_stim *s);
void sharing_drive_window(struct far_pipe_stim *s, struct far_pipe_in *in);
void sharing_drive_noise(struct far_pipe_stim *s, struct far_pipe_in *in);
/* What is shown after an edge; at_done as above. */
void sharing_check(struct far_pipe_stim *s, const struct far_pipe_out *o,
                   int at_done);

#endif
