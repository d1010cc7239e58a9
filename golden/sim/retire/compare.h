/* compare.h - where two traces of the same launches part: the first instruction
 * that did not do what it did in the other.
 *
 * Compared are, launch by launch, the instructions of each warp of each CTA in
 * their order: word, lanes, destination, values.  Not compared are cycles and
 * the order between warps, so that machines of other timing can be the
 * reference; they need the same lanes a warp.  Of the first differences of all
 * warps that which retired first is it: what it led to comes later.
 */
#ifndef NDP_SIM_RETIRE_COMPARE_H
#define NDP_SIM_RETIRE_COMPARE_H

#include "retire.h"

enum retire_difference_kind {
    RETIRE_EQUAL,
    RETIRE_VALUE,       /* another result */
    RETIRE_LANES,       /* other lanes executed it */
    RETIRE_DESTINATION, /* another register, or a result where none should be */
    RETIRE_PATH,        /* the warp went elsewhere */
    RETIRE_MISSING,     /* the reference goes on where the warp ends */
    RETIRE_EXTRA,       /* the warp goes on where the reference ends */
    RETIRE_END,         /* all is equal, but not how the launch ended */
    RETIRE_LAUNCHES     /* another launch, or one more or less */
};

struct retire_difference {
    enum retire_difference_kind kind;
    int launch;
    int cta, warp;   /* warp of the CTA */
    uint64_t cycle;  /* when it retired, with its result */
    bool has_before; /* an instruction of the warp before it */
    struct retire_insn before, here, there;
    uint32_t lanes; /* that differ */
    /* Registers and predicates of the warp before it, as both have them; bit n
     * of known: register n was written in this launch. */
    uint64_t known;
    uint8_t known_predicates;
    uint32_t registers[ISA_REGISTERS][RETIRE_MAX_LANES];
    uint32_t predicates[8];
    uint64_t equal; /* instructions that were, over all launches so far */
    int warps_differ, warps; /* of the launch */
    bool same_cycles;        /* RETIRE_EQUAL: every pass on its cycle, too */
};

/* any_order: the old values that atomics give are passed over, as other timing
 * gives them another order; what is made of them is not.  False after an error
 * in d: the traces cannot be compared. */
bool retire_compare(const struct retire_trace *t,
                    const struct retire_trace *reference, bool any_order,
                    struct retire_difference *x, struct diag *d);

#endif
