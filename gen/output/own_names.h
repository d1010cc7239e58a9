/* own_names.h - every module of a target is named after the target.
 *
 * Templates name what they share by one name, `ndp_queue`, and a system's parts
 * as those are named that stand alone, `ndp_offload_table`.  Emitted so, two
 * targets in one design would define a module twice, perhaps of two versions or
 * of two configurations.  So what comes out is renamed, target T:
 *
 *     ndp_T, ndp_T_<x>    stay
 *     ndp_<part>_<x>      ndp_T_<part>_<x>
 *     ndp_<x>             ndp_T_common_<x>, what blocks share
 *
 * and so are the files, and properties beside them.  Names that do not begin
 * with `ndp_` are a user's own and stay.
 */
#ifndef NDP_GEN_OWN_NAMES_H
#define NDP_GEN_OWN_NAMES_H

#include "base/text.h"
#include "job.h"

/* Rename the Verilog files of f, the modules in them and every mention. */
void own_names(const struct gen_job *job, struct gen_files *f);

/* The name that the target gives to a module or file stem, both without
 * prefix; append to out. */
void own_name(const char *target, const char *stem, struct text *out);

#endif
