/* lsu_remote.h - golden model of LSU-Remote (docs/blocks/lsu_remote.md). */
#ifndef NDP_GOLDEN_LSU_REMOTE_H
#define NDP_GOLDEN_LSU_REMOTE_H

#include "frame/golden.h"

extern const struct golden_class lsu_remote_golden;

#endif
