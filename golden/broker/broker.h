/* broker.h - golden model of broker; see ../frame/golden.h. */
#ifndef NDP_GOLDEN_BROKER_H
#define NDP_GOLDEN_BROKER_H

#include "frame/golden.h"

extern const struct golden_class broker_golden;

#endif
