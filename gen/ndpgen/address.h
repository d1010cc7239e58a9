/* address.h - where an address lies in DRAM, and back, for --address and
 * --location. */
#ifndef NDP_GEN_ADDRESS_H
#define NDP_GEN_ADDRESS_H

#include "config/config.h"

#include <stdbool.h>
#include <stdio.h>

/* What option --address or, if back, --location was given, as a line for people
 * or a JSON object.  False after an error in d: no such address or place, or
 * masks that make no map. */
bool address_print(const struct config *c, const char *value, bool back,
                   bool json, FILE *out, struct diag *d);

#endif
