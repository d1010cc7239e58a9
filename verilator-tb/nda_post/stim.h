/* stim.h - a launch that sends packets, and ranks that take and end them. */
#ifndef NDP_STIM_NDA_POST_H
#define NDP_STIM_NDA_POST_H

#include "kit/stim.h"

extern const struct stim_class nda_post_stim;

#endif
