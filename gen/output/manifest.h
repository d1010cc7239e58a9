/* manifest.h - configuration values as JSON, for the manifest and the lists. */
#ifndef NDP_GEN_MANIFEST_H
#define NDP_GEN_MANIFEST_H

#include "config/config.h"

#include <jansson.h>

/* A parameter's value: a number, a word, or an array of either. */
json_t *manifest_value(const struct config *c, const struct param *p);

#endif
