/* outdir.c - writing the output folder.
 *
 * All files go to a new folder beside the wanted one, are flushed to the disk,
 * and one rename puts them in place; an old folder is exchanged with the new
 * one (renameat2) and then deleted.  Signals are blocked and asked for between
 * the steps, so that no handler and no global state is needed.
 *
 * Flushing: a journalling file system commits at each fsync, 4 ms a file.  So
 * each file's data is written out by itself and one fsync of the folder commits
 * the names and sizes of all.
 */
#ifdef __linux__
#define _GNU_SOURCE /* renameat2, sync_file_range */
#endif
#include "outdir.h"

#include "base/arena.h"
#include "base/signals.h"
#include "strangers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct outdir {
    const char *shown;  /* the path as the user wrote it */
    struct text target; /* the same without trailing '/' and symbolic links */
    struct text parent; /* its parent folder */
    struct text temp;   /* the folder under construction */
    int lock;           /* its descriptor, locked; -1: none */
    bool exists;        /* target is a folder */
    bool is_empty;
    bool force;
    char *made; /* topmost parent that we created; NULL: none */
    struct diag *d;
};

static bool fail(struct outdir *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct outdir *o, const char *fmt, ...) {
    char message[PATH_MAX + 256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    diag_error(o->d, (struct place){0}, "%s", message);
    return false;
}

/* --- deleting ------------------------------------------------------------ */

/* Delete what the descriptor's folder holds; closes it. */
static bool empty_folder(int fd) {
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return false;
    }
    bool ok = true;
    struct dirent *e;
    while ((e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        int sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (sub >= 0)
            ok = empty_folder(sub) && ok;
        ok = unlinkat(fd, e->d_name, sub >= 0 ? AT_REMOVEDIR : 0) == 0 && ok;
    }
    closedir(dir);
    return ok;
}

static bool delete_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return fd >= 0 && empty_folder(fd) && rmdir(path) == 0;
}

/* --- where it goes ------------------------------------------------------- */

/* Whether the folder holds nothing; false also when it cannot be read. */
static bool folder_is_empty(const char *path) {
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    int n = 0;
    for (struct dirent *e; (e = readdir(dir));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n == 0;
}

/* Whether ndpgen made the folder. */
static bool has_manifest(const char *path) {
    struct text file = {0};
    struct stat st;
    bool ours = false;
    text_printf(&file, "%s/" OUTDIR_MANIFEST, path);
    if (lstat(text_str(&file), &st) == 0 && S_ISREG(st.st_mode)) {
        json_t *root = json_load_file(text_str(&file), 0, NULL);
        const char *schema = json_string_value(json_object_get(root, "schema"));
        ours = schema && strncmp(schema, "ndpgen-manifest-", 16) == 0;
        json_decref(root);
    }
    text_free(&file);
    return ours;
}

/* Whether folder path is the working folder or lies above it. */
static bool holds_working_folder(const char *path) {
    char here[PATH_MAX];
    size_t n = strlen(path);
    if (!getcwd(here, sizeof here))
        return false;
    return strncmp(here, path, n) == 0 && (here[n] == '/' || here[n] == '\0');
}

/* The target is there: it has to be a folder that we may replace. */
static bool check_existing(struct outdir *o) {
    char *real = realpath(text_str(&o->target), NULL);
    struct stat st;
    if (!real || stat(real, &st) != 0) {
        free(real);
        return fail(o, "cannot use '%s': %s", o->shown, strerror(errno));
    }
    text_free(&o->target);
    text_add(&o->target, real);
    free(real);
    if (!S_ISDIR(st.st_mode))
        return fail(o, "'%s' exists and is no folder", o->shown);
    o->exists = true;
    o->is_empty = folder_is_empty(text_str(&o->target));
    if (!o->is_empty && !has_manifest(text_str(&o->target)))
        return fail(o, "'%s' exists and was not made by ndpgen", o->shown);
    if (holds_working_folder(text_str(&o->target)))
        return fail(o,
                    "'%s' is the working folder or holds it and cannot be "
                    "replaced, name another or start from outside",
                    o->shown);
    return o->force || strangers_none(text_str(&o->target), o->shown, o->d);
}

/* Split target into its parent; false for what has none. */
static bool find_parent(struct outdir *o) {
    const char *t = text_str(&o->target), *slash = strrchr(t, '/');
    const char *name = slash ? slash + 1 : t;
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return fail(o, "'%s' does not name a new folder", o->shown);
    if (!slash)
        text_add(&o->parent, ".");
    else if (slash == t)
        text_add(&o->parent, "/");
    else
        text_addn(&o->parent, t, (size_t)(slash - t));
    return true;
}

static bool resolve(struct outdir *o) {
    struct stat st;
    size_t n = strlen(o->shown);
    while (n > 1 && o->shown[n - 1] == '/')
        n--;
    text_addn(&o->target, o->shown, n);
    if (n == 0)
        return fail(o, "the output folder's name is empty");
    if (lstat(text_str(&o->target), &st) == 0) {
        if (!check_existing(o))
            return false;
    } else if (errno != ENOENT) {
        return fail(o, "cannot use '%s': %s", o->shown, strerror(errno));
    }
    return find_parent(o);
}

/* Create the parents that are missing, remembering the topmost. */
static bool make_parents(struct outdir *o) {
    char *path = xmalloc(o->parent.len + 1);
    memcpy(path, text_str(&o->parent), o->parent.len + 1);
    bool ok = true;
    for (char *p = path + 1; ok; p++) {
        char was = *p;
        if (was != '/' && was != '\0')
            continue;
        *p = '\0';
        if (mkdir(path, 0777) == 0) {
            if (!o->made) {
                o->made = xmalloc(strlen(path) + 1);
                memcpy(o->made, path, strlen(path) + 1);
            }
        } else if (errno != EEXIST && errno != EISDIR) {
            ok =
                fail(o, "cannot create folder '%s': %s", path, strerror(errno));
        }
        *p = was;
        if (was == '\0')
            break;
    }
    free(path);
    return ok;
}

/* Undo make_parents: only folders that are still empty go. */
static void remove_parents(struct outdir *o) {
    size_t top = o->made ? strlen(o->made) : 0;
    char *p = o->parent.data;
    for (size_t n = o->parent.len; o->made && n >= top; n--) {
        if (p[n] != '/' && p[n] != '\0')
            continue;
        p[n] = '\0';
        if (rmdir(p) != 0)
            return;
    }
}

/* --- writing ------------------------------------------------------------- */

static bool write_all(int fd, const char *data, size_t len) {
    while (len) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        data += n;
        len -= (size_t)n;
    }
    return true;
}

/* Create the folders of a file "folder/.../name" below the descriptor. */
static bool make_subfolder(int dir, const char *path) {
    bool ok = true;
    for (const char *s = path; ok && (s = strchr(s, '/')); s++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%.*s", (int)(s - path), path);
        ok = mkdirat(dir, name, 0777) == 0 || errno == EEXIST;
    }
    return ok;
}

/* Bring the bytes to the disk; a disk may turn out to be full only now. */
static bool flush_data(int fd) {
#ifdef SYNC_FILE_RANGE_WRITE
    if (sync_file_range(fd, 0, 0,
                        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                            SYNC_FILE_RANGE_WAIT_AFTER) == 0)
        return true;
    if (errno != ENOSYS && errno != EINVAL && errno != EOPNOTSUPP)
        return false;
#endif
    return fsync(fd) == 0;
}

/* Commit names and sizes.  A file system that cannot flush a folder says
 * EINVAL and has nothing to flush. */
static bool flush_folder(int fd) {
    return fsync(fd) == 0 || errno == EINVAL;
}

static bool write_file(struct outdir *o, int dir, const struct gen_file *f) {
    int fd = -1;
    if (make_subfolder(dir, f->path))
        fd = openat(dir, f->path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    bool ok = fd >= 0 && write_all(fd, text_str(&f->text), f->text.len) &&
              flush_data(fd);
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    return ok || fail(o, "cannot write '%s/%s': %s", o->shown, f->path,
                      strerror(error));
}

static bool write_files(struct outdir *o, const struct gen_files *files) {
    int dir = open(text_str(&o->temp), O_RDONLY | O_DIRECTORY);
    if (dir < 0)
        return fail(o, "cannot open '%s': %s", text_str(&o->temp),
                    strerror(errno));
    bool ok = true;
    for (int i = 0; ok && i < files->n; i++) {
        ok = write_file(o, dir, &files->files[i]);
        if (ok && signals_wait())
            ok = fail(o, "interrupted, '%s' is left as it was", o->shown);
    }
    if (ok && !flush_folder(dir))
        ok = fail(o, "cannot write '%s': %s", o->shown, strerror(errno));
    close(dir);
    return ok;
}

/* Whoever has a folder of ours open and locked still works on it. */
static int open_locked(int at, const char *path) {
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

enum { REMAINS_AGE = 10 }; /* seconds: one that is new may not be locked yet */

/* What killed runs have left beside the target. */
static void clear_remains(const struct outdir *o) {
    static const char start[] = ".ndpgen-";
    DIR *dir = opendir(text_str(&o->parent));
    struct stat st;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, start, strlen(start)) != 0 ||
            strlen(e->d_name) != strlen(start) + strlen("XXXXXX"))
            continue;
        int fd = open_locked(dirfd(dir), e->d_name);
        if (fd < 0)
            continue;
        if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
            time(NULL) - st.st_mtime >= REMAINS_AGE) {
            empty_folder(dup(fd));
            unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
        }
        close(fd);
    }
    if (dir)
        closedir(dir);
}

/* A new folder beside the target, with the mode that mkdir would give it. */
static bool make_temp(struct outdir *o) {
    clear_remains(o);
    text_printf(&o->temp, "%s/.ndpgen-XXXXXX", text_str(&o->parent));
    if (!mkdtemp(o->temp.data)) {
        int error = errno;
        text_free(&o->temp);
        return fail(o, "cannot create a folder in '%s': %s",
                    text_str(&o->parent), strerror(error));
    }
    o->lock = open_locked(AT_FDCWD, o->temp.data);
    mode_t mask = umask(0);
    umask(mask);
    if (chmod(o->temp.data, 0777 & ~mask) != 0)
        return fail(o, "cannot set the mode of '%s': %s", o->temp.data,
                    strerror(errno));
    return true;
}

/* --- putting it in place ------------------------------------------------- */

/* Exchange two folders: at once where the system can, else in two steps that
 * are undone when the second fails.  Afterwards temp holds the old one. */
static int exchange(const char *temp, const char *target) {
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, temp, AT_FDCWD, target, RENAME_EXCHANGE) == 0)
        return 0;
    if (errno != ENOSYS && errno != EINVAL)
        return -1;
#endif
    struct text aside = {0};
    text_printf(&aside, "%s-old", temp);
    int status = rename(target, text_str(&aside));
    if (status == 0 && rename(temp, target) != 0) {
        int error = errno;
        (void)rename(text_str(&aside), target); /* the first error counts */
        errno = error;
        status = -1;
    } else if (status == 0) {
        status = rename(text_str(&aside), temp);
    }
    text_free(&aside);
    return status;
}

static bool put_in_place(struct outdir *o) {
    const char *temp = text_str(&o->temp), *target = text_str(&o->target);
    bool replace = o->exists && !o->is_empty;
    int old = replace ? open_locked(AT_FDCWD, target) : -1;
    if ((replace ? exchange(temp, target) : rename(temp, target)) != 0) {
        int error = errno;
        if (old >= 0)
            close(old);
        return fail(o, "cannot put '%s' in place: %s", o->shown,
                    strerror(error));
    }
    int fd = open(text_str(&o->parent), O_RDONLY | O_DIRECTORY);
    if (fd >= 0) {
        (void)flush_folder(fd); /* it is in place, whatever this says */
        close(fd);
    }
    if (replace && !delete_folder(temp))
        diag_warning(o->d, (struct place){0},
                     "the old folder could not be deleted and is now '%s'",
                     temp);
    if (old >= 0)
        close(old);
    text_free(&o->temp);
    return true;
}

static bool build(struct outdir *o, const struct gen_files *files) {
    return resolve(o) && make_parents(o) && make_temp(o) &&
           write_files(o, files) && put_in_place(o);
}

bool outdir_write(const char *path, const struct gen_files *files, bool force,
                  struct diag *d) {
    struct outdir o = {.shown = path, .lock = -1, .force = force, .d = d};
    struct held_signals held;
    signals_hold(&held);
    bool ok = build(&o, files);
    if (o.temp.data && !delete_folder(o.temp.data))
        diag_warning(d, (struct place){0}, "'%s' could not be deleted",
                     o.temp.data);
    if (!ok)
        remove_parents(&o);
    if (o.lock >= 0)
        close(o.lock);
    text_free(&o.target);
    text_free(&o.parent);
    text_free(&o.temp);
    free(o.made);
    signals_release(&held);
    return ok;
}
