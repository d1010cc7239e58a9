/* credit.h - golden model of the end of a link with credits
 * (docs/blocks/credit.md). */
#ifndef NDP_GOLDEN_CREDIT_H
#define NDP_GOLDEN_CREDIT_H

#include "frame/golden.h"

extern const struct golden_class credit_golden;

#endif
