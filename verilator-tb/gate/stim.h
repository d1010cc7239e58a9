/* stim.h - what stands around a gate: queues, memory, core and network. */
#ifndef NDP_STIM_GATE_H
#define NDP_STIM_GATE_H

#include "kit/stim.h"

extern const struct stim_class gate_stim;

#endif
