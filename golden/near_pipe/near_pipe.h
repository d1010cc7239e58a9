/* near_pipe.h - golden model of the near-bank pipelines
 * (docs/blocks/near_pipe.md). */
#ifndef NDP_GOLDEN_NEAR_PIPE_H
#define NDP_GOLDEN_NEAR_PIPE_H

#include "frame/golden.h"

extern const struct golden_class near_pipe_golden;

#endif
