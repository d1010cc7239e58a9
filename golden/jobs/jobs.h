/* jobs.h - golden model of jobs; see ../frame/golden.h. */
#ifndef NDP_GOLDEN_JOBS_H
#define NDP_GOLDEN_JOBS_H

#include "frame/golden.h"

extern const struct golden_class jobs_golden;

#endif
