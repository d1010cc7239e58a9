/* stim.c - stimulus of a plain core before banks; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class banked_stim = MACHINE_STIM_FROM_RESET(1);
