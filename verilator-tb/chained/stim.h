/* stim.h - the surroundings of a machine of several cores: software on its
 * register port. */
#ifndef NDP_STIM_CHAINED_H
#define NDP_STIM_CHAINED_H

#include "kit/stim.h"

extern const struct stim_class chained_stim;

#endif
