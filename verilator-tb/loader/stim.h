#include "kit/stim.h"
extern const struct stim_class loader_stim;
