/* stim.h - the surroundings of the memory map analyzer, for the bench.
 */
#ifndef NDP_STIM_ANALYZER_H
#define NDP_STIM_ANALYZER_H

#include "kit/stim.h"

extern const struct stim_class analyzer_stim;

#endif
