/* link.h - golden model of link; see ../frame/golden.h. */
#ifndef NDP_GOLDEN_LINK_H
#define NDP_GOLDEN_LINK_H

#include "frame/golden.h"

extern const struct golden_class link_golden;

#endif
