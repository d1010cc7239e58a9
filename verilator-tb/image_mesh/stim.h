/* stim.h - the surroundings of streaming multiprocessors on a mesh: software on its
 * register port. */
#ifndef NDP_STIM_IMAGE_MESH_H
#define NDP_STIM_IMAGE_MESH_H

#include "kit/stim.h"

extern const struct stim_class image_mesh_stim;

#endif
