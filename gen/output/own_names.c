/* own_names.c - rename modules and files once all of a target are rendered:
 * only then is it known which words are names of modules. */
#include "own_names.h"

#include "base/arena.h"
#include "iface/iface.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether s is name or begins with name and '_'. */
static bool is_of(const char *s, const char *name) {
    size_t n = strlen(name);
    return strncmp(s, name, n) == 0 && (s[n] == '\0' || s[n] == '_');
}

/* Whether some declaration's modules are named like s, which is without ndp_.
 */
static bool is_blocks(const char *s) {
    const struct iface *b;
    for (int i = 0; (b = iface_at(i)); i++)
        if (is_of(s, b->name))
            return true;
    return false;
}

void own_name(const char *target, const char *stem, struct text *out) {
    const char *rest = stem + 4;
    if (strncmp(stem, "ndp_", 4) != 0 || is_of(rest, target))
        text_add(out, stem);
    else
        text_printf(out, "ndp_%s_%s%s", target,
                    is_blocks(rest) ? "" : "common_", rest);
}

struct rename {
    struct text from, to; /* without prefix */
};

struct renames {
    struct rename *all;
    int n;
    const char *prefix;
};

/* The stem of a path, without the prefix, as a span of it. */
static const char *stem_of(const char *path, const char *prefix, int *n) {
    const char *slash = strrchr(path, '/');
    const char *s = slash ? slash + 1 : path;
    if (strncmp(s, prefix, strlen(prefix)) == 0)
        s += strlen(prefix);
    *n = (int)strcspn(s, ".");
    return s;
}

static void collect(const struct gen_job *job, const struct gen_files *f,
                    struct renames *r) {
    r->all = xcalloc((size_t)f->n + 1, sizeof *r->all);
    for (int i = 0; i < f->n; i++) {
        struct rename *one = &r->all[r->n];
        int n;
        const char *stem = stem_of(f->files[i].path, r->prefix, &n);
        text_addn(&one->from, stem, (size_t)n);
        own_name(job->design->iface->name, text_str(&one->from), &one->to);
        if (strcmp(text_str(&one->from), text_str(&one->to)) != 0) {
            r->n++;
        } else {
            text_free(&one->from);
            text_free(&one->to);
        }
    }
}

/* The rename of a word of n characters, NULL: it stays. */
static const struct rename *find(const struct renames *r, const char *word,
                                 size_t n) {
    for (int i = 0; i < r->n; i++)
        if (r->all[i].from.len == n &&
            memcmp(text_str(&r->all[i].from), word, n) == 0)
            return &r->all[i];
    return NULL;
}

static void add_upper(struct text *out, const char *s) {
    for (; *s; s++)
        text_printf(out, "%c", toupper((unsigned char)*s));
}

/* FORMAL_<MODULE>, which asks for the properties of a module. */
static bool add_macro(const struct renames *r, const char *word, size_t n,
                      struct text *out) {
    static const char formal[] = "FORMAL_";
    char stem[128];
    size_t skip = sizeof formal - 1;
    if (n <= skip || n - skip >= sizeof stem || memcmp(word, formal, skip) != 0)
        return false;
    for (size_t i = skip; i < n; i++)
        stem[i - skip] = (char)tolower((unsigned char)word[i]);
    const struct rename *one = find(r, stem, n - skip);
    if (one) {
        text_add(out, formal);
        add_upper(out, text_str(&one->to));
    }
    return one != NULL;
}

static void add_word(const struct renames *r, const char *word, size_t n,
                     struct text *out) {
    size_t skip = strlen(r->prefix);
    if (n <= skip || strncmp(word, r->prefix, skip) != 0)
        skip = 0;
    const struct rename *one = find(r, word + skip, n - skip);
    if (one) {
        text_addn(out, word, skip);
        text_add(out, text_str(&one->to));
    } else if (!add_macro(r, word, n, out)) {
        text_addn(out, word, n);
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* s with its words renamed. */
static struct text renamed(const struct renames *r, const char *s) {
    struct text out = {0};
    while (*s) {
        size_t n = 0;
        while (is_word(s[n]))
            n++;
        if (n)
            add_word(r, s, n, &out);
        else
            text_addn(&out, s, n = 1);
        s += n;
    }
    return out;
}

void own_names(const struct gen_job *job, struct gen_files *f) {
    struct renames r = {.prefix = job->prefix};
    collect(job, f, &r);
    for (int i = 0; i < f->n && r.n; i++) {
        struct gen_file *file = &f->files[i];
        struct text path = renamed(&r, file->path);
        struct text text = renamed(&r, text_str(&file->text));
        size_t n = strlen(text_str(&path)) + 1;
        file->path = xrealloc(file->path, n);
        memcpy(file->path, text_str(&path), n);
        text_free(&path);
        text_free(&file->text);
        file->text = text;
    }
    for (int i = 0; i < r.n; i++) {
        text_free(&r.all[i].from);
        text_free(&r.all[i].to);
    }
    free(r.all);
}
