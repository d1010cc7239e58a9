/* stim.h - the surroundings of a machine of several cores with caches: software on its
 * register port. */
#ifndef NDP_STIM_CACHED_MESH_H
#define NDP_STIM_CACHED_MESH_H

#include "kit/stim.h"

extern const struct stim_class cached_mesh_stim;

#endif
