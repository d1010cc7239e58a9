/* loader.c - golden model of tables; see ../frame/golden.h. */
#ifndef NDP_GOLDEN_LOADER_H
#define NDP_GOLDEN_LOADER_H

#include "frame/golden.h"

extern const struct golden_class loader_golden;

#endif
