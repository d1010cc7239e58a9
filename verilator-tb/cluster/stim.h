/* stim.h - the surroundings of a machine of several cores: software on its
 * register port. */
#ifndef NDP_STIM_CLUSTER_H
#define NDP_STIM_CLUSTER_H

#include "kit/stim.h"

extern const struct stim_class cluster_stim;

#endif
