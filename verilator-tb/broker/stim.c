#include "stim.h"
const struct stim_class broker_stim = {.size = sizeof(struct stim)};
