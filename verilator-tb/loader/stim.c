#include "stim.h"
const struct stim_class loader_stim = {.size = sizeof(struct stim)};
