/* report.c - find a block's report and put its text where it belongs. */
#include "report.h"

#include "blocks/blocks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool write_text(const struct text *t, FILE *out) {
    bool ok = fwrite(text_str(t), 1, t->len, out) == t->len;
    return fflush(out) == 0 && ok;
}

static bool write_file(const struct text *t, const char *path, struct diag *d) {
    FILE *f = fopen(path, "w");
    bool ok = f && write_text(t, f);
    int why = errno;
    if (f && fclose(f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (!ok) {
        diag_error(d, (struct place){0}, "cannot write '%s': %s", path,
                   strerror(why));
        if (f)
            remove(path);
    }
    return ok;
}

bool report_run(const struct gen_job *job, const char *option, const char *arg,
                const char *path, struct diag *d) {
    const struct gen_report *r = gen_report_find(job->block->name, option);
    struct text out = {0};
    if (!r) {
        diag_error(d, (struct place){0}, "target '%s' has no option '--%s'",
                   job->block->name, option);
        return false;
    }
    bool ok = r->run(job, arg, &out, d);
    if (ok && path) {
        ok = write_file(&out, path, d);
    } else if (ok && !write_text(&out, stdout)) {
        diag_error(d, (struct place){0}, "cannot write standard output: %s",
                   strerror(errno));
        ok = false;
    }
    text_free(&out);
    return ok;
}
