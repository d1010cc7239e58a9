/* vault.h - golden model of the banks with data of a core's near-bank units
 * (docs/blocks/vault.md). */
#ifndef NDP_GOLDEN_VAULT_H
#define NDP_GOLDEN_VAULT_H

#include "frame/golden.h"

extern const struct golden_class vault_golden;

#endif
