/* stim.h - what stands around the banks with data in lock-step: see stim.c. */
#ifndef NDP_STIM_VAULT_H
#define NDP_STIM_VAULT_H

#include "kit/stim.h"

extern const struct stim_class vault_stim;

#endif
