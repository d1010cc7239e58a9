#include "kit/stim.h"
extern const struct stim_class link_stim;
