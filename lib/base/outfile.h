/* outfile.h - writing one file: whole, or not at all.
 *
 *     struct outfile f;
 *     if (outfile_open(&f, path, &diag)) {
 *         fprintf(f.out, ...);
 *         ok = outfile_close(&f, ok);
 *     }
 *
 * Bytes go to a new file beside the wanted one, which takes its name at the
 * end; a symbolic link is followed and stays.  What is no regular file (a
 * device, a pipe) is written straight through, and so is "-", standard output,
 * under whatever name it is given.
 *
 * Between open and close of a regular file SIGINT, SIGTERM and SIGHUP wait:
 * one that arrives makes close fail and takes effect when it returns.  Write
 * one at a time, and not for long.
 */
#ifndef NDP_OUTFILE_H
#define NDP_OUTFILE_H

#include "diag.h"
#include "signals.h"
#include "text.h"

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *out; /* print here */
    /* The rest is private. */
    const char *path;
    struct text target, temp; /* temp empty: written straight through */
    bool made;                /* target was not there before */
    bool placeholder;         /* and is there now, empty */
    struct diag *d;
    struct held_signals signals;
};

/* False after an error in d, and then there is nothing to close.  path must
 * live until the file is closed. */
bool outfile_open(struct outfile *f, const char *path, struct diag *d);

/* Put it in place, or with keep false drop it.  False if it is not in place,
 * after an error in d unless keep was false; then a regular file is as it was
 * before and nothing is left beside it. */
bool outfile_close(struct outfile *f, bool keep);

/* Give a standard stream that was closed before the program began a place where
 * reading or writing fails: without it the first file that is opened would get
 * its number.  options_parse does it, before anything is opened. */
void outfile_reserve_standard(void);

/* Whether all that was printed to standard output is with the system, to be
 * asked before a program ends; false after an error in d, which is told once.
 */
bool outfile_flush_stdout(struct diag *d);

/* Delete a regular file that could not be written whole; what else path may
 * name (a device, a link) stays. */
void outfile_remove(const char *path);

/* Whether path is standard output: "-", or the same file or pipe. */
bool outfile_is_stdout(const char *path);

/* Whether two paths name one regular file, which may not be there yet. */
bool outfile_same(const char *a, const char *b);

#endif
