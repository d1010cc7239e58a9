/* work.h - chains of a core, the memory that they work on, and what must come
 * of them, by the arithmetic of the instruction set (squeue/far.h).
 */
#ifndef NDP_STIM_OMNI_WORK_H
#define NDP_STIM_OMNI_WORK_H

#include "kit/compute.h"
#include "kit/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { WORK_OPS = 6, WORK_LANES = 32, WORK_SLOTS = 256 };

struct work_op {
    uint64_t kind, code, type, reversed, fused, has_imm, imm, address, mem, hit;
};

/* A chain, with the operands that it reads and writes. */
struct work {
    const char *form;
    struct work_op op[WORK_OPS];
    int n; /* ops */
    int loads;
    struct compute c; /* as its packet says it; core and node do not matter */
    uint64_t mask;
    int slot[3]; /* of a, b and c, -1: none; b and c may be one */
    uint32_t result[WORK_LANES];
    uint64_t bits; /* of a comparison */
};

/* What chains are like; shares in percent. */
struct work_tune {
    int hit_first, hit, unable, masked, same;
};

/* The memory: operands, each of which one chain has at a time. */
struct work_memory {
    int lanes, stride, line, memories, address_bits;
    uint32_t word[WORK_SLOTS][WORK_LANES];
    bool taken[WORK_SLOTS];
    int slots;      /* there are, spread over all addresses: */
    uint64_t pitch; /* from one to the next, odd in strides */
};

void work_open(struct work_memory *m, int lanes, int line, int memories,
               int address_bits);

/* A chain on operands that are free, which it takes, with anything in them;
 * false: too few are. */
bool work_make(struct work_memory *m, const struct compute_size *s,
               struct rng *r, const struct work_tune *t, struct work *w);

/* It is over: its operands are free again. */
void work_drop(struct work_memory *m, const struct work *w);

/* The operand at an address that some chain has; -1: nobody has it. */
int work_slot(const struct work_memory *m, uint64_t address);

bool work_stores(const struct work *w);
bool work_gives(const struct work *w);
bool work_compares(const struct work *w);

#endif
