/* stim.h - the surroundings of a core's port on the banks of near-bank units.
 */
#ifndef NDP_STIM_BANK_PORT_H
#define NDP_STIM_BANK_PORT_H

#include "kit/stim.h"

extern const struct stim_class bank_port_stim;

#endif
