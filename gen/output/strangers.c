/* strangers.c - files in an output folder that ndpgen did not write, or that
 * somebody has changed since.
 *
 * The manifest lists path and hash of every file but itself.
 */
#include "strangers.h"

#include "base/arena.h"
#include "emit.h"
#include "outdir.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_NAMED = 8 };

struct search {
    const char *path, *shown;
    json_t *hashes; /* of each file of the manifest, by its path */
    int found;
    struct diag *d;
};

static void tell(struct search *s, const char *name, const char *what) {
    if (++s->found <= MAX_NAMED)
        diag_error(s->d, (struct place){0}, "'%s/%s' %s", s->shown, name, what);
}

/* Whether the file's bytes have the hash that the manifest gives them. */
static bool is_as_written(const char *path, const char *hash) {
    size_t len;
    char *text = text_read_file(path, &len);
    char now[17];

    if (!text)
        return false;
    snprintf(now, sizeof now, "%016" PRIx64, gen_fnv1a(text, len));
    free(text);
    return strcmp(now, hash) == 0;
}

static void look_at(struct search *s, const char *name, const char *path) {
    const char *hash = json_string_value(json_object_get(s->hashes, name));

    if (strcmp(name, OUTDIR_MANIFEST) == 0)
        return;
    if (!hash)
        tell(s, name, "was not made by ndpgen");
    else if (!is_as_written(path, hash))
        tell(s, name, "was changed since ndpgen made it");
}

/* Look at all of a folder below the output folder; name: "" or "rtl/". */
static void look_into(struct search *s, const char *name) {
    struct text folder = {0};
    struct dirent **entries;
    text_printf(&folder, "%s/%s", s->path, name);
    int n = scandir(text_str(&folder), &entries, NULL, alphasort);
    text_free(&folder);
    for (int i = 0; i < n; i++) {
        const char *entry = entries[i]->d_name;
        struct text below = {0}, path = {0};
        struct stat st;

        text_printf(&below, "%s%s", name, entry);
        text_printf(&path, "%s/%s", s->path, text_str(&below));
        bool is_folder =
            lstat(text_str(&path), &st) == 0 && S_ISDIR(st.st_mode);
        if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0) {
            if (is_folder) {
                text_add(&below, "/");
                look_into(s, text_str(&below));
            } else {
                look_at(s, text_str(&below), text_str(&path));
            }
        }
        text_free(&below);
        text_free(&path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static json_t *read_hashes(const char *path) {
    struct text name = {0};
    text_printf(&name, "%s/" OUTDIR_MANIFEST, path);
    json_t *root = json_load_file(text_str(&name), 0, NULL);
    json_t *hashes = json_object(), *file;
    size_t i;
    json_array_foreach(json_object_get(root, "files"), i, file) {
        const char *key = json_string_value(json_object_get(file, "path"));
        if (key)
            json_object_set(hashes, key, json_object_get(file, "hash"));
    }
    if (!root) {
        json_decref(hashes);
        hashes = NULL;
    }
    json_decref(root);
    text_free(&name);
    return hashes;
}

bool strangers_none(const char *path, const char *shown, struct diag *d) {
    struct search s = {.path = path, .shown = shown, .d = d};

    s.hashes = read_hashes(path);
    if (!s.hashes)
        return true;
    look_into(&s, "");
    json_decref(s.hashes);
    if (s.found > MAX_NAMED)
        diag_error(d, (struct place){0}, "and %d more", s.found - MAX_NAMED);
    if (s.found)
        diag_error(d, (struct place){0},
                   "'%s' is left as it was, move these files elsewhere or "
                   "replace all of it with --force",
                   shown);
    return s.found == 0;
}
