/* run.h - programs of the instruction set, executed without any notion of time:
 * what the assembler is proved with.
 *
 * Warps of 32 lanes or fewer, CTAs one after another, the warps of a CTA in
 * turn.  A branch that lanes do not agree about pushes: those that go run until
 * they reach the join, then the others, then all go on from there.  Lanes that
 * exit are gone.
 */
#ifndef NDP_GOLDEN_ISA_RUN_H
#define NDP_GOLDEN_ISA_RUN_H

#include "away.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

/* Global memory of 32-bit byte addresses, little-endian; the machine asks for
 * 1, 2 or 4 bytes, aligned.  False: nothing is mapped there. */
struct isa_memory {
    bool (*load)(void *ctx, uint32_t address, int bytes, uint32_t *value);
    bool (*store)(void *ctx, uint32_t address, int bytes, uint32_t value);
    void *ctx;
};

/* What a warp has done: its start, when r0 got the places of its threads, or
 * one instruction. */
struct isa_step {
    uint32_t cta;                /* in the order in which they run */
    int warp;                    /* of the CTA */
    int pc;                      /* of a start the launch's entry */
    const struct isa_word *word; /* NULL: a start */
    uint32_t mask;               /* lanes that executed it */
    /* Its result, by lane, those of lanes in mask; of a predicate 0 or 1.  kind
     * 0 none, 1 register d, 2 predicate d. */
    int kind, d;
    const uint32_t *values;
};

struct isa_launch {
    const uint64_t *code; /* n_code words; addresses count them */
    int n_code;
    int entry;
    int registers; /* of the machine, 16, 32 or 64 */
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes a CTA */
    const uint32_t *params;
    int n_params;
    int lanes;             /* of a warp, a power of two; 0: 32 */
    uint64_t limit;        /* warp instructions; 0: none */
    int slots;             /* CTA n is on slot n % slots (%slot); 0: 1 */
    struct isa_away *away; /* blocks that run elsewhere; NULL: none */
    void (*watch)(void *ctx, const struct isa_step *s); /* NULL: nobody */
    void *ctx;
};

/* Lanes of a warp that execute: all it can have, some, one, none. */
enum isa_mask { ISA_MASK_FULL, ISA_MASK_SOME, ISA_MASK_ONE, ISA_MASK_NONE };
enum { ISA_MASKS = 4 };

enum isa_end {
    ISA_END_DONE,
    ISA_END_LIMIT,
    ISA_END_ILLEGAL, /* word; see isa_run.fault */
    ISA_END_PC,      /* pc beyond the code */
    ISA_END_TRAP,
    ISA_END_MISALIGNED, /* address */
    ISA_END_UNMAPPED,   /* global, or beyond shared memory */
    ISA_END_PARAM,      /* no such parameter word */
    ISA_END_NO_JOIN,    /* lanes part at a branch that names no join */
    ISA_END_BARRIER,    /* only some lanes of the warp are there */
    ISA_ENDS
};

const char *isa_end_text(enum isa_end e);

/* How it went; of an end before time, where. */
struct isa_run {
    enum isa_end end;
    enum isa_fault fault;
    int pc;
    uint32_t cta[3], thread; /* thread: number in its CTA */
    uint32_t address;
    uint64_t warp_instructions, thread_instructions;
    int deepest; /* entries of a warp's stack, as docs/blocks/simt.md counts */
    uint64_t executed[ISA_OPS][ISA_MASKS]; /* warp instructions by op */
};

/* True if it came to its end. */
bool isa_execute(const struct isa_launch *l, const struct isa_memory *m,
                 struct isa_run *r);

#endif
