/* emit.h - everything that stands in the output folder. */
#ifndef NDP_GEN_EMIT_H
#define NDP_GEN_EMIT_H

#include "job.h"
#include "templates.h"

#include <stdbool.h>

/* RTL and what templates of room `outputs` make beside it, config.yml, and the
 * manifest, which lists them all.  False after an error in d (a template's). */
bool emit_all(const struct gen_job *job, const struct template_set *templates,
              struct gen_files *f, struct diag *d);

/* manifest.json. */
void emit_manifest(const struct gen_job *job, struct gen_files *f);

#endif
