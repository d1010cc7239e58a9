#include "kit/stim.h"
extern const struct stim_class jobs_stim;
