/* nda_window.h - golden model of the memory-mapped packets of a host. */
#ifndef NDP_NDA_WINDOW_H
#define NDP_NDA_WINDOW_H

#include "frame/golden.h"

extern const struct golden_class nda_window_golden;

#endif
