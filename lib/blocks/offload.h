/* offload.h - C types of the offload controller's ports, out of offload.def. */
#ifndef NDP_BLOCKS_OFFLOAD_H
#define NDP_BLOCKS_OFFLOAD_H

#include "iface/iface.h"

#define BLOCK offload
#define BLOCK_UPPER OFFLOAD
#define BLOCK_DEF "blocks/offload.def"
#include "iface/block_types.h"

#endif
