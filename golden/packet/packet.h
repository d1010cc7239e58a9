/* packet.h - golden model of the packer and unpacker of ComputePackets
 * (docs/blocks/packet.md). */
#ifndef NDP_GOLDEN_PACKET_H
#define NDP_GOLDEN_PACKET_H

#include "frame/golden.h"

extern const struct golden_class packet_golden;

#endif
