/* squeue.h - golden model of the service queue of a node
 * (docs/blocks/squeue.md). */
#ifndef NDP_GOLDEN_SQUEUE_H
#define NDP_GOLDEN_SQUEUE_H

#include "frame/golden.h"

extern const struct golden_class squeue_golden;

#endif
