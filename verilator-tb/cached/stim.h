/* stim.h - the surroundings of a plain core behind its cache: software on its
 * register port. */
#ifndef NDP_STIM_CACHED_H
#define NDP_STIM_CACHED_H

#include "kit/stim.h"

extern const struct stim_class cached_stim;

#endif
