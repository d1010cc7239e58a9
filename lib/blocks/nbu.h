/* nbu.h - C types of the near-bank unit's ports, out of nbu.def. */
#ifndef NDP_BLOCKS_NBU_H
#define NDP_BLOCKS_NBU_H

#include "iface/iface.h"

#define BLOCK nbu
#define BLOCK_UPPER NBU
#define BLOCK_DEF "blocks/nbu.def"
#include "iface/block_types.h"

/* Operand and ticket fields (docs/blocks/nbu.md), for a register width of
 * reg_w bits. */
enum nbu_kind { NBU_ROW, NBU_PAIR, NBU_PRED };

#endif
