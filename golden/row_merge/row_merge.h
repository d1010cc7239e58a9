/* row_merge.h - golden model of rows of two for one register file
 * (docs/blocks/row_merge.md). */
#ifndef NDP_GOLDEN_ROW_MERGE_H
#define NDP_GOLDEN_ROW_MERGE_H

#include "frame/golden.h"

extern const struct golden_class row_merge_golden;

#endif
