/* list.h - what --list-targets and its like print. */
#ifndef NDP_GEN_LIST_H
#define NDP_GEN_LIST_H

#include "config/config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A table for people, or one JSON object with a "schema" for programs. */
void list_print_targets(bool json, FILE *out);
void list_print_presets(bool json, FILE *out);
void list_print_params(const struct config *c, bool json, FILE *out);

/* The value of one parameter: a number, a name, or a list of either. */
json_t *list_value(const struct config *c, const struct param *p);

#endif
