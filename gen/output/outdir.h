/* outdir.h - the output folder, which appears whole or not at all. */
#ifndef NDP_GEN_OUTDIR_H
#define NDP_GEN_OUTDIR_H

#include "base/diag.h"
#include "job.h"

#include <stdbool.h>

#define OUTDIR_MANIFEST "manifest.json"
#define OUTDIR_SCHEMA "ndpgen-manifest-1" /* in the manifest's "schema" */

/* Make folder path with these files.  A folder that is there is replaced if it
 * is empty or holds a manifest of ndpgen and no file that ndpgen did not write
 * or that was changed since; with force, such files go, too.  False after an
 * error in d, and then everything is as before.  SIGINT, SIGTERM and SIGHUP
 * that arrive meanwhile take effect on return, after the clean-up, which is a
 * failure too. */
bool outdir_write(const char *path, const struct gen_files *files, bool force,
                  struct diag *d);

#endif
