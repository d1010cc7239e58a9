/* env.h - what the files of this stimulus share: a front end with programs of
 * machine words, the pipeline and the registers of the base die, and a
 * load-store unit.
 *
 * The environment executes each instruction in program order when it is
 * accepted, by the arithmetic of the instruction set (s->truth), and keeps what
 * its operands held.  The base die's registers (s->far) change only as the
 * hardware has it.  Those of the DRAM die are in the system: what was computed
 * there shows in rows that go up, in those that stores fetch, and in those that
 * are looked at (audit) while a warp rests.
 *
 * Shared memory, here on the DRAM die, gives each warp a window of its own, so
 * that program order alone says what is in it.
 */
#ifndef NDP_STIM_NEAR_BANK_ENV_H
#define NDP_STIM_NEAR_BANK_ENV_H

#include "blocks/dies.h"
#include "blocks/near_bank.h"
#include "blocks/near_pipe.h"
#include "isa/isa.h"
#include "kit/stim.h"
#include "kit/toggle.h"

enum { LANES = 32, WARPS = 64, FLIGHTS = 3, SENT = 8, WORDS = 16 };
enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS };
enum side { FAR, NEAR };
/* Registers of a word's predicates: the highest, in order; p7 is none. */
enum { PREDICATES = 8 };

struct row {
    uint32_t lane[LANES]; /* of a predicate one bit a lane, in lane[0] */
};

struct instr {
    int warp;
    uint64_t tag, op, hint, mask;
    struct isa_word word;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS], kind[OPERANDS];
};

enum flight_state { FREE, ACCEPTED, EXECUTING, DONE };

/* An instruction between accept and commit. */
struct flight {
    enum flight_state state;
    struct instr i;
    struct row expected[OPERANDS]; /* what they hold */
    struct row made;   /* what comes from elsewhere: of memory, specials */
    uint64_t lanes;    /* that it writes */
    struct row result; /* computed of the far registers */
    enum side side;
    uint64_t ticket, since, due;
    bool loaded; /* its row is in the near registers */
    int policy;  /* at the accept, -1 when it has changed since */
};

/* A row that is asked for, or comes. */
struct transfer {
    bool offered, due;     /* valid shows; the answer has not come */
    struct flight *flight; /* NULL: an audit */
    uint64_t warp, reg;
    int waits;
};

/* A side of the load-store traffic. */
struct beats {
    bool valid, last;
    uint64_t data[WORDS];
    struct {
        bool last;
        uint64_t data[WORDS];
    } sent[SENT];
    unsigned head, tail;
};

/* Percent of edges, unless said otherwise. */
struct tune {
    int issue, codes, audits, beats;
    int few;     /* warps that take part, 0: all */
    int hot;     /* registers that words name, 0: all */
    int op;      /* that words have, 0: any */
    int shared;  /* percent of words that access shared memory */
    int others;  /* percent of words that are not computed */
    int guards;  /* percent of words with one */
    int partial; /* percent of masks that are not full */
    int hint[2]; /* percent far, near; the others none */
    int latency; /* longest, edges */
    int high,
        low;    /* longest times that the base die takes something, and not */
    int policy; /* -1: stays */
};

struct near_bank_stim {
    struct stim base;
    struct master unit;
    size_t in[NEAR_BANK_N_INSTANCES], out[NEAR_BANK_N_INSTANCES];
    struct dies_local size;
    uint64_t far_set, near_set;
    int patience; /* edges that anything may take */
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed operations */

    uint64_t *code;          /* by tag; 0: not written */
    struct row *truth, *far; /* by warp and register */
    bool *near;              /* the near copy is valid */
    struct flight flight[WARPS][FLIGHTS];
    struct instr offer;
    bool offering;
    uint64_t ready; /* issue_ready as it stands */
    struct dies_out shown;
    struct flight *store; /* whose row has been fetched, while it is shown */

    struct toggle takes, rows;
    struct flight *completing; /* offered at far_done */
    struct transfer read, fetch, load;
    struct beats down, up;
    uint64_t oldest; /* flight looked at last */

    /* shared memory: a window of its own for each warp */
    bool shares;     /* there is one */
    uint64_t height; /* rows of a warp's window */
    uint64_t span;   /* bytes of it */
    uint8_t *bytes;  /* by warp and address */
    bool *known;     /* they have been written */
    int windows;     /* warps that have theirs */

    uint64_t commits[2], moves[2], audits, stores, loads, accesses;
};

/* words.c: programs. */
uint64_t words_random(struct near_bank_stim *s);
/* The instruction of the word at a tag. */
struct instr words_instr(struct near_bank_stim *s, int warp, uint64_t tag);
bool words_computed(int op);

/* shared.c: shared memory of so many words in so many banks; 0: none.  s->size
 * is there. */
void shared_open(struct near_bank_stim *s, int words, int banks);
void shared_close(struct near_bank_stim *s);
void shared_reset(struct near_bank_stim *s);
/* Words of this operation are carried out in it. */
bool shared_is(const struct near_bank_stim *s, int op);
/* The instruction, a word of it, may be offered now. */
bool shared_may_offer(struct near_bank_stim *s, const struct instr *i);
/* Execute it: f->made is what is loaded. */
void shared_execute(struct near_bank_stim *s, struct flight *f);
/* Addresses for the lanes of a row. */
void shared_addresses(struct near_bank_stim *s, struct row *r);
/* A window is to be written on this edge: whose, and which. */
bool shared_window(struct near_bank_stim *s, uint64_t *warp, uint64_t *base,
                   uint64_t *rows);

/* values.c: what instructions do with registers. */
struct row *values_at(struct near_bank_stim *s, struct row *rows, int warp,
                      uint64_t reg);
/* Remember the operands, and execute in program order. */
void values_accept(struct near_bank_stim *s, struct flight *f);
/* Compute of the far registers. */
void values_far(struct near_bank_stim *s, struct flight *f);
/* Write f->result into the far registers. */
void values_write(struct near_bank_stim *s, const struct flight *f);
bool values_same(const struct near_bank_stim *s, uint64_t reg,
                 const struct row *a, const struct row *b);
bool values_is_pred(const struct near_bank_stim *s, uint64_t reg);

/* Lanes of the mask for which the guard holds, of operands v. */
uint64_t values_active(const struct near_bank_stim *s, const struct instr *i,
                       const struct row *v);

/* Whether an operand has to be near when the instruction runs on that side. */
bool values_is_near(const struct instr *i, enum operand o, enum side side);

#endif
