/* kept.h - what a run writes while it goes on: into a file without a name, and
 * behind its end to that of the user, which is whole, or as it was. */
#ifndef NDPRUN_KEPT_H
#define NDPRUN_KEPT_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether path can be written, asked early so that no run is in vain; a file
 * that is there stays. */
bool kept_can_write(const char *path, struct diag *d);

/* For what path will have; NULL after an error in d. */
FILE *kept_open(const char *path, struct place at, struct diag *d);

/* All of it to path, or nowhere if path is NULL.  False after an error in d;
 * the caller closes f. */
bool kept_put(FILE *f, const char *path, struct place at, struct diag *d);

#endif
