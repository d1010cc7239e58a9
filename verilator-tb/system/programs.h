/* programs.h - what software runs on the machine.
 *
 * Parameters: word 4 addresses of n words that are read, 5 of n that are
 * written, 6 of four words that all threads change, 7 n.  Threads count in x
 * alone.  A program does not depend on the number of lanes or on the order of
 * warps.
 */
#ifndef NDP_STIM_SYSTEM_PROGRAMS_H
#define NDP_STIM_SYSTEM_PROGRAMS_H

#include "isa/image.h"

#include <stdbool.h>

struct program {
    const char *text; /* a line each, as isa_parse reads it, and labels */
    int cause;        /* of the fault that it must end with; 0: none */
    unsigned watchdog;
    bool chains; /* words of it are tagged */
    /* That may leave their core; the text marks them. */
    const struct isa_block *blocks;
    int n_blocks;
};

/* An entry without text ends the list. */
extern const struct program system_programs[];

/* For machines with memory stacks. */
extern const struct program stacks_programs[];

/* For a core without chains, with eight registers fewer. */
extern const struct program bare_programs[];

#endif
