/* code.h - a kernel as the packets that the near-bank unit is issued.
 */
#ifndef NDP_STIM_NBU_CODE_H
#define NDP_STIM_NBU_CODE_H

#include "env.h"

#include "papers/analysis.h"

enum { KIND_UNUSED = 0xff };

/* Freed by code_free; all zero is an empty one. */
struct code {
    char *kernel;
    struct nbu_packet *packets;
    int n;      /* packets */
    int *first; /* packet of instruction pc; one more entry ends the last */
    int n_instructions;
};

/* False after an error in d: more registers than the unit can name. */
bool code_make(struct code *c, const struct ptx_function *f, int registers,
               struct diag *d);
void code_free(struct code *c);

/* Set the kind of each register that the kernel uses, both of a pair; the
 * others stay.  False if one of them had another kind than KIND_UNUSED. */
bool code_kinds(const struct code *c, uint8_t kind[MAX_REGS]);

/* A packet as an instruction of a warp. */
struct instr code_instr(const struct nbu_packet *p, int warp, uint32_t mask);

/* The next of the warps in mask, which is not 0, after the last one served. */
int next_in_turn(uint64_t mask, int last);

/* Surroundings so quick that the numbers of a report are the unit's own. */
extern const struct tune light;

#endif
