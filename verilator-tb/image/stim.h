/* stim.h - the surroundings of a streaming multiprocessor with a prefetcher: software on its
 * register port. */
#ifndef NDP_STIM_IMAGE_H
#define NDP_STIM_IMAGE_H

#include "kit/stim.h"

extern const struct stim_class image_stim;

#endif
