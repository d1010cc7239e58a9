/* nbu.h - C types of the near-bank unit's ports, out of nbu.def. */
#ifndef NDP_BLOCKS_NBU_H
#define NDP_BLOCKS_NBU_H

#include "iface.h"

#define BLOCK nbu
#define BLOCK_DEF "blocks/nbu.def"
#include "blocks/block_types.h"

enum nbu_setting {
#define SETTING(name, width, reset, doc) NBU_SET_##name,
#include "blocks/expand.h"
    NBU_N_SETTINGS
};

enum nbu_counter {
#define COUNTER(name, doc) NBU_CNT_##name,
#include "blocks/expand.h"
    NBU_N_COUNTERS
};

enum nbu_cover {
#define COVER(name, doc) NBU_COV_##name,
#include "blocks/expand.h"
    NBU_N_COVERS
};

#undef BLOCK
#undef BLOCK_DEF

/* Evaluate the derived sizes for a configuration. */
struct nbu_local nbu_local(const struct config *c);

extern const struct iface nbu_iface;

/* Operand and ticket fields (docs/blocks/nbu.md), for a register width of
 * reg_w bits. */
enum nbu_kind { NBU_ROW, NBU_PAIR, NBU_PRED };

#endif
