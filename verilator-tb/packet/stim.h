/* stim.h - the surroundings of the packer and unpacker of ComputePackets. */
#ifndef NDP_STIM_PACKET_H
#define NDP_STIM_PACKET_H

#include "kit/stim.h"

extern const struct stim_class packet_stim;

#endif
