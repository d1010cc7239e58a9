/* nda_buffer.h - golden model of the local buffers of a rank's accelerator
 * (docs/blocks/nda_buffer.md). */
#ifndef NDP_GOLDEN_NDA_BUFFER_H
#define NDP_GOLDEN_NDA_BUFFER_H

#include "frame/golden.h"

extern const struct golden_class nda_buffer_golden;

#endif
