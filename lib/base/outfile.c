/* outfile.c - a new file beside the wanted one, and a rename at the end. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "outfile.h"

#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *shown(const char *path) {
    return strcmp(path, "-") == 0 ? "standard output" : *path ? path : "''";
}

static bool fail(const struct outfile *f, int why) {
    const struct source *s = diag_source(f->d, shown(f->path), NULL, 0);
    diag_error(f->d, (struct place){s, 0, 0, 0}, "cannot write: %s",
               why == EINTR ? "interrupted" : strerror(why));
    return false;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether path leads to the file or pipe that descriptor fd is; a terminal
 * does not count, it can be opened as often as one likes. */
static bool leads_to(const char *path, int fd) {
    struct stat st, other;
    return stat(path, &st) == 0 && !S_ISCHR(st.st_mode) &&
           fstat(fd, &other) == 0 && same_file(&st, &other);
}

bool outfile_is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || leads_to(path, STDOUT_FILENO);
}

/* The name of a file that may not be there, with the links of its folder
 * resolved; the caller frees.  NULL: no such folder. */
static char *resolved(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    struct text folder = {0}, full = {0};
    text_addn(&folder, path, (size_t)(name - path));
    char *real = realpath(slash ? text_str(&folder) : ".", NULL);
    if (real)
        text_printf(&full, "%s/%s", real, name);
    free(real);
    text_free(&folder);
    return full.data;
}

bool outfile_same(const char *a, const char *b) {
    struct stat sa, sb;
    bool has_a = stat(a, &sa) == 0, has_b = stat(b, &sb) == 0;
    if (has_a || has_b)
        return has_a && has_b && S_ISREG(sa.st_mode) && same_file(&sa, &sb);
    char *ra = resolved(a), *rb = resolved(b);
    bool same = ra && rb && strcmp(ra, rb) == 0;
    free(ra);
    free(rb);
    return same;
}

/* --- opening ------------------------------------------------------------- */

/* Where the bytes end up, behind all links; 0 or an errno.  A link to nothing
 * gets its file now: only the system knows where that is. */
static int find_target(struct outfile *f, struct stat *st) {
    struct stat link;
    bool exists = stat(f->path, st) == 0;
    f->made = !exists;
    if (!exists && lstat(f->path, &link) == 0) {
        int fd = open(f->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return errno;
        close(fd);
        f->placeholder = true;
        exists = stat(f->path, st) == 0;
    }
    if (!exists) {
        text_add(&f->target, f->path);
        return 0;
    }
    char *real = realpath(f->path, NULL);
    if (real)
        text_add(&f->target, real);
    free(real);
    return 0;
}

/* What a new file gets. */
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A new file in the target's folder, with the mode that the target has or would
 * get; 0 or an errno. */
static int open_beside(struct outfile *f, const struct stat *st) {
    const char *target = text_str(&f->target);
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash + 1 - target) : 0;
    if (!f->made && access(target, W_OK) != 0)
        return errno;
    text_addn(&f->temp, target, folder);
    text_add(&f->temp, ".ndp-XXXXXX");
    int fd = mkstemp(f->temp.data);
    if (fd < 0) {
        int why = errno;
        text_free(&f->temp);
        return why;
    }
    /* a file of another owner stays his if the system lets us */
    if (!f->made && fchown(fd, st->st_uid, st->st_gid) != 0)
        errno = 0;
    if (fchmod(fd, f->made ? usual_mode() : st->st_mode & 0777) == 0)
        f->out = fdopen(fd, "w");
    int why = f->out ? 0 : errno;
    if (!f->out)
        close(fd);
    return why;
}

/* Delete what did not get its place. */
static void forget(struct outfile *f) {
    if (f->temp.len)
        unlink(text_str(&f->temp));
    if (f->placeholder)
        unlink(text_str(&f->target));
    text_free(&f->temp);
    text_free(&f->target);
}

/* A regular file, or one that is not there. */
static bool open_regular(struct outfile *f, const struct stat *st) {
    signals_hold(&f->signals);
    int why = open_beside(f, st);
    if (!why)
        return true;
    fail(f, why);
    forget(f);
    signals_release(&f->signals);
    return false;
}

/* A name that the system makes up for an open file: no folder to put one
 * beside. */
static bool is_descriptor(const char *path) {
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

bool outfile_open(struct outfile *f, const char *path, struct diag *d) {
    struct stat st = {0};
    *f = (struct outfile){.path = path, .d = d};
    f->out = outfile_is_stdout(path)         ? stdout
             : leads_to(path, STDERR_FILENO) ? stderr
                                             : NULL;
    if (f->out)
        return true;
    int why = is_descriptor(path) ? 0 : find_target(f, &st);
    if (why)
        return fail(f, why);
    if (f->target.len && (f->made || S_ISREG(st.st_mode)))
        return open_regular(f, &st);
    f->out = fopen(path, "w");
    why = errno;
    text_free(&f->target);
    return f->out || fail(f, why);
}

/* --- closing ------------------------------------------------------------- */

/* All bytes are with the system, and for a file on the disk; 0 or an errno. */
static int finish(struct outfile *f) {
    /* of a write that failed on the way, if nobody has called anything since */
    int before = errno, why = 0;
    if (fflush(f->out) != 0)
        why = errno;
    else if (ferror(f->out))
        why = before ? before : EIO;
    if (!why && f->temp.len && fsync(fileno(f->out)) != 0 && errno != EINVAL)
        why = errno;
    bool ours = f->out != stdout && f->out != stderr;
    if (ours && fclose(f->out) != 0 && !why)
        why = errno;
    f->out = NULL;
    return why;
}

static bool close_regular(struct outfile *f, bool keep) {
    int why = finish(f);
    bool ok = keep && !why;
    if (ok && signals_wait()) {
        ok = fail(f, EINTR);
    } else if (ok && rename(text_str(&f->temp), text_str(&f->target)) != 0) {
        ok = fail(f, errno);
    } else if (keep && why) {
        fail(f, why);
    }
    if (ok) {
        text_free(&f->temp); /* it has its name */
        f->placeholder = false;
    }
    forget(f);
    signals_release(&f->signals);
    return ok;
}

bool outfile_close(struct outfile *f, bool keep) {
    if (f->temp.len)
        return close_regular(f, keep);
    int why = finish(f);
    return keep && (!why || fail(f, why));
}

void outfile_reserve_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) /* the lowest is next */
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool outfile_flush_stdout(struct diag *d) {
    errno = 0;
    bool ok = fflush(stdout) == 0 && !ferror(stdout);
    if (!ok) /* of a write before this one the reason is gone */
        diag_error(d, (struct place){0}, "cannot write standard output: %s",
                   strerror(errno ? errno : EIO));
    clearerr(stdout);
    return ok;
}

void outfile_remove(const char *path) {
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}
