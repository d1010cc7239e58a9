/* stim.h - the surroundings of a processing element. */
#ifndef NDP_STIM_NDA_PE_H
#define NDP_STIM_NDA_PE_H

#include "kit/stim.h"

extern const struct stim_class nda_pe_stim;

#endif
