/* strangers.h - what in an output folder is the user's own. */
#ifndef NDP_GEN_STRANGERS_H
#define NDP_GEN_STRANGERS_H

#include "base/diag.h"

#include <stdbool.h>

/* Whether a folder with a manifest holds nothing but what the manifest lists,
 * as it was written.  What is not: an error for each in d, up to eight, named
 * below shown, the folder as the user wrote it.  A folder without a manifest
 * that can be read has no strangers. */
bool strangers_none(const char *path, const char *shown, struct diag *d);

#endif
