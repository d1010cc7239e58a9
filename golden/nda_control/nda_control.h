/* nda_control.h - golden model of the accelerator's state machine
 * (docs/blocks/nda_control.md). */
#ifndef NDP_GOLDEN_NDA_CONTROL_H
#define NDP_GOLDEN_NDA_CONTROL_H

#include "frame/golden.h"

extern const struct golden_class nda_control_golden;

#endif
