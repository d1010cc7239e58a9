/* report.c - find a block's report and put its text where it belongs. */
#include "report.h"

#include "blocks/blocks.h"
#include "base/outfile.h"

#include <stdio.h>

bool report_run(const struct gen_job *job, const char *option, const char *arg,
                const char *path, struct diag *d) {
    const struct gen_report *r = gen_report_find(job->block->name, option);
    struct text out = {0};
    if (!r) {
        diag_error(d, (struct place){0}, "target '%s' has no option '--%s'",
                   job->block->name, option);
        return false;
    }
    struct outfile file;
    bool ok = r->check(&job->config, d) && r->run(job, arg, &out, d) &&
              outfile_open(&file, path ? path : "-", d);
    if (ok) {
        fwrite(text_str(&out), 1, out.len, file.out);
        ok = outfile_close(&file, true);
    }
    text_free(&out);
    return ok;
}
