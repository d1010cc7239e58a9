/* stim.h - the surroundings of a mesh. */
#ifndef NDP_STIM_MESH_H
#define NDP_STIM_MESH_H

#include "kit/stim.h"

extern const struct stim_class mesh_stim;

#endif
