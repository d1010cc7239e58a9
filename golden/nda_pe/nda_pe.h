/* nda_pe.h - golden model of the processing element (docs/blocks/nda_pe.md). */
#ifndef NDP_GOLDEN_NDA_PE_H
#define NDP_GOLDEN_NDA_PE_H

#include "frame/golden.h"

extern const struct golden_class nda_pe_golden;

#endif
