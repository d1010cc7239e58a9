/* far_pipe.h - golden model of the pipeline of the base die
 * (docs/blocks/far_pipe.md). */
#ifndef NDP_GOLDEN_FAR_PIPE_H
#define NDP_GOLDEN_FAR_PIPE_H

#include "frame/golden.h"

extern const struct golden_class far_pipe_golden;

#endif
