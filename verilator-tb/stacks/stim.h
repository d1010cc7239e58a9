/* stim.h - the surroundings of a machine with memory stacks: software on its
 * register port. */
#ifndef NDP_STIM_STACKS_H
#define NDP_STIM_STACKS_H

#include "kit/stim.h"

extern const struct stim_class stacks_stim;

#endif
