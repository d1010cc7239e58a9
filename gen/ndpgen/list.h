/* list.h - what --list-targets and its like print. */
#ifndef NDP_GEN_LIST_H
#define NDP_GEN_LIST_H

#include "iface/iface.h"

#include <stdbool.h>
#include <stdio.h>

/* A table for people, or one JSON object with a "schema" for programs. */
void list_print_targets(bool json, FILE *out);
void list_print_presets(bool json, FILE *out);
/* Those that a target uses; NULL: all. */
void list_print_params(const struct config *c, const struct iface *target,
                       bool json, FILE *out);

#endif
