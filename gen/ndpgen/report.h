/* report.h - answers about a configured block that need no output folder. */
#ifndef NDP_GEN_REPORT_H
#define NDP_GEN_REPORT_H

#include "output/job.h"

/* Run the report that belongs to an option of the command line ("hops", ...)
 * and write it to path, NULL for standard output. False after an error in d,
 * and then no file is there that was not before. */
bool report_run(const struct gen_job *job, const char *option, const char *arg,
                const char *path, struct diag *d);

#endif
