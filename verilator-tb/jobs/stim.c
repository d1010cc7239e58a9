#include "stim.h"
const struct stim_class jobs_stim = {.size = sizeof(struct stim)};
