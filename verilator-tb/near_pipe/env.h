/* env.h - what the files of this stimulus share: near registers as they have to
 * be, instructions and rows under way, and shared memory. */
#ifndef NDP_STIM_NEAR_PIPE_ENV_H
#define NDP_STIM_NEAR_PIPE_ENV_H

#include "base/bits.h"
#include "blocks/near_pipe.h"
#include "isa/isa.h"
#include "kit/stim.h"
#include "kit/toggle.h"
#include "scratch.h"

enum {
    LANES = 32,
    WARPS = 64,
    UNITS = 16,
    TRIES = 6,  /* for a register that may be used */
    FLIGHT = 9, /* instructions of a unit at most: entry, collector, dispatch,
                 * four in the lanes, shared memory, done */
    CHECKS = 64,
};

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS };

/* A near register as it has to be. */
struct cell {
    bool whole; /* all lanes are known to the pipe, */
    bool vague; /* but not to the environment: what a reset left of a result */
    bool pending; /* an instruction that has not completed writes it */
    bool stood;   /* ... and it was whole before */
    uint32_t lane[LANES];
};

struct instr {
    uint64_t warp, tag, op, mask, ticket;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS], kind[OPERANDS];
    struct isa_word word;
    bool shared; /* an access to shared memory, */
    struct scratch_access access;
    bool faulted; /* whose fault has been told */
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
    int instrs, codes, reads, writes, fetches, loads; /* percent of edges */
    int shared;    /* percent of words that access shared memory */
    int few;       /* warps that are used, 0: all */
    int op;        /* 0: any */
    int others;    /* percent of words that are not computed */
    int high, low; /* longest times that completions are taken, and not */
};

struct near_pipe_stim {
    struct stim base;
    struct near_pipe_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed operations */
    struct toggle done;
    uint64_t *code;    /* words by tag; 0: not written */
    struct cell *cell; /* by warp and register */
    struct scratch scratch;
    struct instr offer;
    bool offered;
    struct instr flight[UNITS][FLIGHT]; /* taken, the oldest first */
    int flights[UNITS];
    int instr_waits, quiet;
    struct row read, fetch, write, load;
    uint64_t check[CHECKS]; /* cells to ask for soon */
    int checks;
    uint64_t instrs, rows, compared, accesses, faults;
};

static inline struct cell *cell_of(struct near_pipe_stim *s, uint64_t warp,
                                   uint64_t reg) {
    return &s->cell[warp * (uint64_t)s->size.REGS + reg];
}

static inline bool holds(struct near_pipe_stim *s, const struct instr *i,
                         enum operand o, int lane) {
    return !i->has[o] || cell_of(s, i->warp, i->reg[o])->lane[0] >> lane & 1;
}

static inline uint32_t value_of(struct near_pipe_stim *s, const struct instr *i,
                                enum operand o, int lane) {
    return i->has[o] ? cell_of(s, i->warp, i->reg[o])->lane[lane] : 0;
}

/* access.c: shared memory. */
/* Look at s->offer with its operands as they stand.  False: it may not be
 * offered, as it would read what nobody has written. */
bool access_prepare(struct near_pipe_stim *s);
/* It has completed: what it leaves in memory and in its destination. */
void access_end(struct near_pipe_stim *s, const struct instr *i);
/* A reset: nobody knows how far those under way came. */
void access_forget(struct near_pipe_stim *s);
void access_drive_window(struct near_pipe_stim *s, struct near_pipe_in *in);
void access_drive_noise(struct near_pipe_stim *s, struct near_pipe_in *in);

#endif
