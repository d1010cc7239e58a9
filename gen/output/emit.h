/* emit.h - the files of the output folder, one function each.
 *
 * All take the job and add to the files in memory; they cannot fail once the
 * configuration is resolved.  Order matters where one lists the others.
 */
#ifndef NDP_GEN_EMIT_H
#define NDP_GEN_EMIT_H

#include "job.h"
#include "engine/templates.h"

#include <stdbool.h>

/* Everything.  False after an error in d (a template's). */
bool emit_all(const struct gen_job *job, const struct template_set *templates,
              struct gen_files *f, struct diag *d);

/* ndp_<block>.f, the RTL in compile order. */
void emit_file_list(const struct gen_job *job, struct gen_files *f);
/* ndp_<block>.core for FuseSoC, CAPI version 2. */
void emit_core(const struct gen_job *job, struct gen_files *f);
/* tb/ndp_<block>_tb.v, the block with a variable at each port. */
void emit_testbench(const struct gen_job *job, struct gen_files *f);
/* ndp_<block>.h for software. */
void emit_c_header(const struct gen_job *job, struct gen_files *f);
/* ndp_<block>.md. */
void emit_datasheet(const struct gen_job *job, struct gen_files *f);
/* config.yml, which gives the same configuration back with --config. */
void emit_config(const struct gen_job *job, struct gen_files *f);
/* manifest.json, which lists all files that are there so far. */
void emit_manifest(const struct gen_job *job, struct gen_files *f);

#endif
