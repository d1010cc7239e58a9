#include "kit/stim.h"
extern const struct stim_class broker_stim;
