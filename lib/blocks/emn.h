/* emn.h - C types of the earliest-meet-node block's ports, out of emn.def. */
#ifndef NDP_BLOCKS_EMN_H
#define NDP_BLOCKS_EMN_H

#include "iface/iface.h"

#define BLOCK emn
#define BLOCK_UPPER EMN
#define BLOCK_DEF "blocks/emn.def"
#include "iface/block_types.h"

#endif
