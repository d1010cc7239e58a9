/* machine.h - which machine '--target system' means, by its preset. */
#ifndef NDP_IFACE_MACHINE_H
#define NDP_IFACE_MACHINE_H

#include "config/choice.h"
#include "iface.h"

/* Whether b is a system with a host port, which runs kernels. */
bool iface_is_machine(const struct iface *b);

/* The target for the one that was asked (NULL: none).  'system' with a preset
 * of another machine is that machine: with one of its own ('cluster',
 * 'chained_small'); with one of a paper of which there is a machine ('omni'),
 * at its sizes; or with that and one of the machine's forms behind it
 * ('omni-small', 'omni_small'), and then choice has the machine's preset, and d
 * a note of both.  Else as asked. */
const char *machine_of_preset(const char *asked, struct config_choice *choice,
                              struct diag *d);

#endif
