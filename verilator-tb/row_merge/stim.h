/* stim.h - the surroundings of rows of two: who gives them, and a register file. */
#ifndef NDP_STIM_ROW_MERGE_H
#define NDP_STIM_ROW_MERGE_H

#include "kit/stim.h"

extern const struct stim_class row_merge_stim;

#endif
