/* kept.c - see kept.h. */
#include "kept.h"

#include "base/outfile.h"

#include <errno.h>
#include <string.h>

bool kept_can_write(const char *path, struct diag *d) {
    struct outfile f;
    if (outfile_is_stdout(path))
        return true;
    if (!outfile_open(&f, path, d))
        return false;
    outfile_close(&f, false);
    return true;
}

static void fail(const char *path, struct place at, struct diag *d) {
    diag_error(d, at, "cannot keep what goes to '%s': %s", path,
               strerror(errno));
}

FILE *kept_open(const char *path, struct place at, struct diag *d) {
    if (!kept_can_write(path, d))
        return NULL;
    FILE *f = tmpfile();
    if (!f)
        fail(path, at, d);
    return f;
}

bool kept_put(FILE *f, const char *path, struct place at, struct diag *d) {
    struct outfile to;
    char buffer[1 << 16];
    size_t n;
    if (fflush(f) != 0 || ferror(f)) {
        fail(path ? path : "a file", at, d);
        return false;
    }
    if (!path)
        return true;
    if (!outfile_open(&to, path, d))
        return false;
    rewind(f);
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        fwrite(buffer, 1, n, to.out);
    return outfile_close(&to, true);
}
