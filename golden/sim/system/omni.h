/* omni.h - opportunistic computing on a mesh: `ndpsim --preset omni`.
 *
 * 56 cores and 8 memory nodes on the golden mesh; each core offloads chains to
 * where their operands meet, where a service queue computes them.
 * Opportunistic computing, sections 3 to 6.
 */
#ifndef NDP_SYSTEM_OMNI_H
#define NDP_SYSTEM_OMNI_H

#include "system.h"

extern const struct system_preset omni_preset;

#endif
