/* retire.h - what a machine retired, read back from the text that libndp writes
 * (docs/runtime.md).
 *
 * A launch is a list of passes in order of cycles.  The port tells warp, word,
 * pass, lanes and result; what a pass is (an instruction, the result of a load
 * that comes later, the start of a warp) and which CTA it belongs to follows
 * from the order, and is found when a trace is read.
 */
#ifndef NDP_SIM_RETIRE_H
#define NDP_SIM_RETIRE_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum { RETIRE_MAX_WARPS = 64, RETIRE_MAX_LANES = 32 };

struct retire_kernel {
    const char *name;
    int entry, n_words; /* words [entry, entry + n_words) */
    uint64_t *words;    /* from entry on */
    int *lines;         /* of the PTX; 0: not known */
    struct isa_word *code;
    bool *is_legal; /* whether code says what the word means */
};

enum retire_what {
    RETIRE_START,       /* a warp begins: r0 gets the threads' places */
    RETIRE_INSTRUCTION, /* of a load without its result */
    RETIRE_RESULT       /* of a load or the like */
};

enum retire_kind { RETIRE_NONE, RETIRE_REGISTER, RETIRE_PREDICATE };

struct retire_pass {
    uint64_t cycle; /* edges since the core was started */
    uint32_t mask;  /* active lanes, of those that compute at a time */
    uint32_t value; /* position of the first value */
    int32_t cta;    /* in the order in which they started; -1: none did */
    int32_t result; /* of a load: position of the pass with it; -1: none */
    uint16_t pc;
    uint8_t warp, pass, d;
    uint8_t kind, what;
    bool same; /* one value for all active lanes */
};

enum retire_end { RETIRE_DONE, RETIRE_FAULT, RETIRE_STOPPED };

struct retire_launch {
    const struct retire_kernel *kernel;
    uint32_t grid[3], block[3];
    int warps;    /* of a CTA; CTA slot s has the warps s * warps and on */
    int resident; /* CTA slots */
    int first_cta, cta_step; /* a core of several has every cta_step-th */
    int n;
    struct retire_pass *passes;
    enum retire_end end;
    int fault, fault_warp, fault_pc; /* of RETIRE_FAULT */
};

struct retire_trace {
    const char *name; /* of the file */
    int warps, lanes, alus;
    int n_launches;
    struct retire_launch *launches;
    uint32_t *values;
    uint64_t retired;
};

/* Everything is the arena's.  NULL after an error in d, at the place in s that
 * is wrong: a trace that is cut off is. */
struct retire_trace *retire_read(struct arena *a, const struct source *s,
                                 struct diag *d);

/* Of the l-th active lane of p, counted from the lowest; of a predicate the
 * bit. */
uint32_t retire_value(const struct retire_trace *t, const struct retire_pass *p,
                      int lane);

/* The word at pc, NULL if it is not the kernel's or no legal one; its line. */
const struct isa_word *retire_word(const struct retire_kernel *k, int pc);
int retire_line(const struct retire_kernel *k, int pc);

/* For retire_read: fill in cta, what and result. */
void retire_follow(const struct retire_trace *t, struct retire_launch *l);

/* --- instructions --------------------------------------------------------- */

/* All passes of an instruction together, and of a load the result. */
struct retire_insn {
    enum retire_what what; /* RETIRE_START or RETIRE_INSTRUCTION */
    int first;             /* its first pass */
    int next;              /* position behind its last pass */
    int warp, cta, pc;
    uint64_t cycle;  /* of the first pass */
    uint64_t answer; /* of the last pass with a value; without: cycle */
    uint32_t mask;   /* of the warp's lanes */
    int kind, d;     /* RETIRE_NONE also for a load whose result never came */
    uint32_t values[RETIRE_MAX_LANES]; /* by lane; 0 where mask is 0 */
};

/* The instruction whose first pass is at or behind position at; false at the
 * end.  Results of loads are passed over: they belong to theirs. */
bool retire_next(const struct retire_trace *t, const struct retire_launch *l,
                 int at, struct retire_insn *i);

#endif
