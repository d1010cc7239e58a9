/* fuzz.h - random kernels that end, for machines that must agree about them.
 *
 *     struct fuzz_program *p = fuzz_make(&arena, seed, &limits);
 *     if (!fuzz_check(&bench, p, &failure)) {
 *         fuzz_shrink(p, same, &context);
 *         fuzz_text(p, ...), fuzz_description(p, ...);
 *     }
 *
 * A program is a tree of statements: instructions of PTX with their operands,
 * conditions and loops.  Any part of it can be left out and it still is a
 * program that ends and whose result does not hang on the order in which
 * threads run: every register has a first value, loops have counters of their
 * own, threads write to places of their own or by atomics whose order does not
 * matter, and barriers stand where all threads come by.
 */
#ifndef NDP_FUZZ_H
#define NDP_FUZZ_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "isa/isa.h"
#include "runtime/ndp.h"

#include <stdbool.h>
#include <stdint.h>

/* --- programs ------------------------------------------------------------- */

enum { FUZZ_OPERANDS = 6 };

/* kind: a letter of fuzz/forms.c; a register of the letter's pool, or a number
 * written as the letter wants. */
struct fuzz_operand {
    char kind;
    bool is_number;
    int index;
    uint64_t number;
};

enum fuzz_shape {
    FUZZ_LEAF, /* text */
    FUZZ_IF,   /* body where the guard holds, else the other */
    FUZZ_LOOP, /* body, so many times */
    FUZZ_ALL   /* body, then the other: what is left of an if or a loop */
};

struct fuzz_statement;
struct fuzz_list {
    struct fuzz_statement **v;
    int n;
};

/* The text of a leaf has places to be filled in:
 *   $0 .. $5  operands          $G  the guard
 *   $C  counter of the loop around, 0 outside
 *   $B, $K    labels behind and at the end of that loop; no loop: no statement
 *   $M  the largest power of two that is no more than a CTA's threads, less 1
 *   $W, $H, $Y  where in FUZZ_OWN the rows of words, half words, bytes begin
 *   $T  threads of the launch, less 1
 *   %ta %tb %tc (b32), %th (b16), %tq %tw (b64), %tf (f32), %tp (pred) are free
 */
struct fuzz_statement {
    enum fuzz_shape shape;
    bool off;         /* left out */
    const char *text; /* of a leaf; of an if: it writes %tp, the condition */
    int width;        /* the CTA's threads must be a multiple; else left out */
    struct fuzz_operand operands[FUZZ_OPERANDS];
    int n_operands;
    int guard; /* predicate; -1: none */
    bool unless;
    bool at_head;     /* of a loop: the condition stands before the body */
    uint32_t trips;   /* of a loop: so many times, */
    uint32_t trip_by; /* and operand 0 & this more; 0: none */
    struct fuzz_list body, other;
};

/* What a machine has; of several, the least of each. */
struct fuzz_limits {
    int registers, code_words, shared_bytes, stack, lanes, max_threads;
    size_t memory;
    int size;           /* statements, about; 0: 30 */
    int threads;        /* of a launch, at most; 0: 256 */
    int same_lanes;     /* all have 32: votes and shuffles of whole warps */
    int percent_branch; /* of statements that are conditions or loops */
    int portable;       /* leave out what CUDA's assembler gets wrong */
};

enum fuzz_buffer { FUZZ_IN, FUZZ_OWN, FUZZ_ACC, FUZZ_BUFFERS };
enum { FUZZ_PARAMS = 4 };

struct fuzz_program {
    uint64_t seed;
    uint32_t grid[3], block[3];
    uint32_t slot; /* bytes of a thread in FUZZ_OWN */
    uint32_t params[FUZZ_PARAMS];
    uint8_t *data[FUZZ_BUFFERS];  /* first contents */
    uint32_t bytes[FUZZ_BUFFERS]; /* of FUZZ_OWN: for the launch at first */
    struct fuzz_list list;
};

extern const char *const fuzz_buffer_names[FUZZ_BUFFERS];

/* The program of a seed that keeps to the limits but for those that only the
 * assembler knows (code, stack); everything is the arena's. */
struct fuzz_program *fuzz_make(struct arena *a, uint64_t seed,
                               const struct fuzz_limits *l);

uint32_t fuzz_threads(const struct fuzz_program *p);
/* Bytes of a buffer that this launch has. */
uint32_t fuzz_bytes(const struct fuzz_program *p, enum fuzz_buffer b);
/* Statements that are not left out. */
int fuzz_statements(const struct fuzz_program *p);
/* A launch whose memory it is: fits into what the limits say. */
bool fuzz_fits(const struct fuzz_program *p, const struct fuzz_limits *l);

/* As PTX, with kernel "fuzz".  As a run description, which checks against
 * wanted (NULL: no check). */
void fuzz_text(const struct fuzz_program *p, struct text *out);
void fuzz_description(const struct fuzz_program *p, const char *ptx,
                      uint8_t *const wanted[FUZZ_BUFFERS], struct text *out);

/* --- checking ------------------------------------------------------------- */

enum fuzz_what {
    FUZZ_RIGHT,
    FUZZ_TOO_LARGE, /* more code or a deeper stack than there is: no failure */
    FUZZ_REFUSED,   /* by the reader or the assembler */
    FUZZ_STOPPED,   /* a fault, or no end */
    FUZZ_DIFFERS,   /* bytes of a buffer */
    FUZZ_LOST       /* the device no longer answers */
};

struct fuzz_failure {
    enum fuzz_what what;
    int where; /* FUZZ_ON_EXECUTOR ..., or FUZZ_ON_DEVICE + n */
    int cause; /* of a fault */
    enum fuzz_buffer buffer;
    uint32_t byte; /* first that differs */
    char text[400];
};

enum {
    FUZZ_ON_EXECUTOR, /* also: its own result hangs on the order of warps */
    FUZZ_ON_ASSEMBLER,
    FUZZ_ON_UNTIMED, /* golden/isa */
    FUZZ_ON_WIDE,    /* the same, assembled without narrowing */
    FUZZ_ON_BLOCKS, /* the same, blocks of code elsewhere (golden/isa/away.h) */
    FUZZ_ON_DEVICE
};

enum { FUZZ_MASKS = 4 }; /* full, partial, one lane, none */

struct fuzz_coverage {
    uint64_t executed[ISA_OPS][FUZZ_MASKS]; /* warp instructions, untimed */
    uint64_t programs, too_large, warp_instructions, device_launches;
    uint64_t blocks; /* that ran elsewhere */
};

enum { FUZZ_DEVICES = 8 };

/* What programs are run on. */
struct fuzz_bench {
    const char *urls[FUZZ_DEVICES];
    ndpDevice devices[FUZZ_DEVICES];
    struct fuzz_limits limits[FUZZ_DEVICES];
    int n_devices;
    struct fuzz_limits all;         /* least of each */
    struct fuzz_coverage *coverage; /* NULL: not wanted */
    int only; /* run on this FUZZ_ON_ alone (and the executor); -1: on all */
    unsigned timeout;  /* of a launch, in milliseconds; 0: a minute */
    uint32_t watchdog; /* cycles without a retirement; 0: 200000 */
    /* For tests: may change the words before they run.  NULL: none. */
    void (*tamper)(uint64_t *words, int n);
    uint8_t *wanted[FUZZ_BUFFERS]; /* what the executor left, after a check */
};

/* Open a device more.  False after an error in d. */
bool fuzz_open(struct fuzz_bench *b, const char *url, struct diag *d);
void fuzz_close(struct fuzz_bench *b);

/* True if it is right, or too large. */
bool fuzz_check(struct fuzz_bench *b, const struct fuzz_program *p,
                struct fuzz_failure *f);

/* Whether two failures are of one kind. */
bool fuzz_alike(const struct fuzz_failure *a, const struct fuzz_failure *b);
const char *fuzz_where(const struct fuzz_bench *b, int where);

/* A program of the seed that fits: smaller ones are tried until one does.
 * NULL: none. */
struct fuzz_program *fuzz_make_fitting(struct arena *a, struct fuzz_bench *b,
                                       uint64_t seed);

/* --- shrinking ------------------------------------------------------------ */

/* Whether the failure is still there. */
typedef bool fuzz_fails(void *ctx, const struct fuzz_program *p);

struct fuzz_shrunk {
    int tries, kept;
};

/* Leave out and simplify while it fails, which it does at first; at most tries
 * attempts (0: 5000). */
struct fuzz_shrunk fuzz_shrink(struct fuzz_program *p, fuzz_fails *fails,
                               void *ctx, int tries);

/* --- coverage ------------------------------------------------------------- */

extern const char *const fuzz_mask_names[FUZZ_MASKS];

/* A table of all operations by class, and those never executed. */
void fuzz_coverage_print(const struct fuzz_coverage *c, struct text *out);

#endif
