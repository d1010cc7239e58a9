#include "stim.h"
const struct stim_class link_stim = {.size = sizeof(struct stim)};
