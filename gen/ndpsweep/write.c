/* write.c - the folder of a sweep: manifest, columns, plots, a job each. */
#include "sweep.h"

#include "base/array.h"
#include "base/outfile.h"
#include "config/choice.h"
#include "iface/derive.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { READABLE = 80 }; /* characters of a folder's name before its hash */

struct writer {
    struct arena *a;
    struct diag *d;
    const char *folder, *command;
    const char **keys; /* of all sweeps, each once; no "preset" */
    int n_keys;
    struct text manifest;
    ARRAY(const char *) names;
};

/* --- one configuration ---------------------------------------------------- */

/* NULL if none of the pairs gives it. */
static const char *value_of(const struct sweep_pair *pairs, int n,
                            const char *key) {
    for (int i = 0; i < n; i++)
        if (strcmp(pairs[i].key, key) == 0)
            return pairs[i].value;
    return NULL;
}

/* Every configuration has one. */
static const char *preset_of(const struct sweep_pair *pairs, int n) {
    const char *preset = value_of(pairs, n, "preset");
    if (!preset)
        BUG("a configuration without preset");
    return preset;
}

static void resolve(const struct iface *target, const struct sweep_pair *pairs,
                    int n, struct config *c, struct diag *d) {
    config_preset(c, preset_of(pairs, n), d);
    for (int i = 0; i < n; i++) {
        struct text t = {0};
        text_printf(&t, "%s=%s", pairs[i].key, pairs[i].value);
        if (config_find(pairs[i].key))
            config_set(c, t.data, d);
        text_free(&t);
    }
    iface_derive(target, c);
}

/* The options of a measure, those that vary in their place. */
static void add_measure(const struct sweep_measure *m,
                        const struct sweep_pair *pairs, int n,
                        struct text *out) {
    size_t len = strlen(m->kind->name);
    text_printf(out, "measure %s\n", m->kind->name);
    for (int i = 0; m->kind->options[i].name; i++) {
        struct text key = {0};
        text_printf(&key, "%s.%s", m->kind->name, m->kind->options[i].name);
        const char *v = value_of(pairs, n, key.data);
        v = v ? v : m->values[i];
        if (v && *v)
            text_printf(out, "%s %s\n", key.data, v);
        text_free(&key);
    }
    for (int i = 0; i < n; i++)
        if (strncmp(pairs[i].key, m->kind->name, len) == 0 &&
            pairs[i].key[len] == '.' &&
            !measure_option(m->kind, pairs[i].key + len + 1))
            text_printf(out, "option %s %s\n", pairs[i].key + len + 1,
                        pairs[i].value);
}

/* What has to be done, in words that scripts/sweep.sh knows. */
static void add_job(const struct sweep *s, const struct sweep_pair *pairs,
                    int n, const struct config *c, struct text *out) {
    uint64_t hash = iface_hash(s->target, c);
    uint64_t seed = (hash ^ hash >> 32) & 0x7fffffff;
    text_printf(out, "sweep %s\ntarget %s\n", s->name, s->target->name);
    text_printf(out, "preset %s\n", preset_of(pairs, n));
    for (int i = 0; i < n; i++)
        if (config_find(pairs[i].key))
            text_printf(out, "set %s=%s\n", pairs[i].key, pairs[i].value);
    text_printf(out, "hash %016" PRIx64 "\nseed %" PRIu64 "\n", hash,
                seed ? seed : 1);
    for (int i = 0; i < s->n_measures; i++)
        add_measure(&s->measures[i], pairs, n, out);
}

/* Its values in the columns of all sweeps, if it knows them. */
static void add_params(const struct writer *w, const struct sweep *s,
                       const struct sweep_pair *pairs, int n,
                       const struct config *c, struct text *out) {
    for (int i = 0; i < w->n_keys; i++) {
        const struct param *p = config_find(w->keys[i]);
        const char *v = value_of(pairs, n, w->keys[i]);
        struct text t = {0};
        if (p && iface_uses(s->target, p))
            config_value(c, p, &t);
        else if (!p && v)
            text_add(&t, v);
        if (t.len)
            text_printf(out, "param %s %s\n", w->keys[i], t.data);
        text_free(&t);
    }
}

/* The last part of a path without its ending. */
static void add_base(const char *path, struct text *out) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    text_addn(out, base, strcspn(base, "."));
}

/* emn-width4-height8-1a2b3c4d: what varies, and a digest of the whole job. */
static const char *name_of(struct writer *w, const struct sweep *s,
                           const struct sweep_pair *varied, int n,
                           const char *job) {
    uint64_t digest = 0xcbf29ce484222325;
    struct text t = {0};
    for (; *job; job++)
        digest = (digest ^ (unsigned char)*job) * 0x100000001b3;
    text_add(&t, s->name);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(varied[i].key, '.');
        bool path = strchr(varied[i].value, '/') != NULL;
        text_printf(&t, "-%s",
                    strcmp(varied[i].key, "preset") == 0 ? ""
                    : dot                                ? dot + 1
                                                         : varied[i].key);
        if (path)
            add_base(varied[i].value, &t);
        else
            text_add(&t, varied[i].value);
    }
    for (size_t i = 0; i < t.len; i++)
        if (strchr("[],:@%=/+", t.data[i]))
            t.data[i] = '_';
    if (t.len > READABLE)
        t.len = READABLE;
    text_printf(&t, "-%08" PRIx32, (uint32_t)(digest ^ digest >> 32));
    const char *name = arena_strdup(w->a, t.data);
    text_free(&t);
    return name;
}

/* --- files ---------------------------------------------------------------- */

/* A text as FOLDER/NAME; one that has it is left alone. */
static bool put(struct writer *w, const char *name, const struct text *text) {
    struct text path = {0};
    struct outfile f;
    size_t len;
    text_printf(&path, "%s/%s", w->folder, name);
    const char *kept = arena_strdup(w->a, path.data);
    text_free(&path);
    char *there = text_read_file(kept, &len);
    bool same =
        there && len == text->len && memcmp(there, text_str(text), len) == 0;
    free(there);
    if (same)
        return true;
    if (!outfile_open(&f, kept, w->d))
        return false;
    fwrite(text_str(text), 1, text->len, f.out);
    return outfile_close(&f, true);
}

static bool make_folder(struct writer *w, const char *name) {
    struct text path = {0};
    text_printf(&path, "%s%s%s", w->folder, *name ? "/" : "", name);
    bool ok = mkdir(path.data, 0777) == 0 || errno == EEXIST;
    if (!ok)
        diag_error(w->d, (struct place){0}, "cannot make '%s': %s", path.data,
                   strerror(errno));
    text_free(&path);
    return ok;
}

static bool put_job(struct writer *w, const char *name,
                    const struct text *job) {
    struct text file = {0}, path = {0};
    text_printf(&path, "%s/%s", w->folder, name);
    text_add(&w->manifest, w->command);
    choice_add_word(&w->manifest, path.data);
    text_addc(&w->manifest, '\n');
    *array_push(&w->names) = name;
    text_printf(&file, "%s/job", name);
    bool ok = make_folder(w, name) && put(w, file.data, job);
    text_free(&path);
    text_free(&file);
    return ok;
}

static bool put_configuration(struct writer *w, const struct sweep *s,
                              const struct sweep_pair *pairs, int n) {
    struct config c;
    struct diag d = {0}; /* each value has been accepted on its own */
    struct text job = {0};
    int fixed = s->fixed.n;
    resolve(s->target, pairs, n, &c, &d);
    diag_free(&d);
    add_job(s, pairs, n, &c, &job);
    const char *name = name_of(w, s, pairs + fixed, n - fixed, text_str(&job));
    add_params(w, s, pairs, n, &c, &job);
    bool ok = put_job(w, name, &job);
    text_free(&job);
    return ok;
}

/* Each with each, the last axis fastest. */
static bool put_all(struct writer *w, const struct sweep *s) {
    ARRAY(struct sweep_pair) pairs = {0};
    bool ok = true;
    long count = sweep_count(s);
    for (long i = 0; i < count && ok; i++) {
        long below = count, rest = i;
        pairs.n = 0;
        for (int k = 0; k < s->fixed.n; k++)
            *array_push(&pairs) = s->fixed.pairs[k];
        for (int k = 0; k < s->n_axes; k++) {
            below /= s->axes[k].n;
            const struct sweep_choice *c = &s->axes[k].choices[rest / below];
            rest %= below;
            for (int p = 0; p < c->n; p++)
                *array_push(&pairs) = c->pairs[p];
        }
        ok = put_configuration(w, s, pairs.v, pairs.n);
    }
    array_free(&pairs);
    return ok;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two cases may say the same in other words. */
static bool all_differ(struct writer *w) {
    array_sort(&w->names, by_name);
    for (int i = 1; i < w->names.n; i++)
        if (strcmp(w->names.v[i - 1], w->names.v[i]) == 0) {
            diag_error(w->d, (struct place){0},
                       "two configurations are the same: %s", w->names.v[i]);
            return false;
        }
    return true;
}

/* --- columns and plots ---------------------------------------------------- */

static void collect_keys(struct writer *w, const struct sweep_file *f) {
    ARRAY(const char *) all = {0};
    for (int i = 0; i < f->n; i++) {
        const char **keys;
        int n = sweep_keys(w->a, &f->sweeps[i], &keys);
        for (int k = 0; k < n; k++) {
            bool known = strcmp(keys[k], "preset") == 0;
            for (int j = 0; j < all.n; j++)
                known = known || strcmp(all.v[j], keys[k]) == 0;
            if (!known)
                *array_push(&all) = keys[k];
        }
    }
    w->keys = array_keep(&all, w->a);
    w->n_keys = all.n;
    array_free(&all);
}

/* Append those lines of more that out does not have. */
static void add_new_lines(struct text *out, char *more) {
    for (char *c = strtok(more, "\n"); c; c = strtok(NULL, "\n")) {
        struct text line = {0};
        text_printf(&line, "\n%s\n", c);
        if (!strstr(text_str(out), line.data))
            text_printf(out, "%s\n", c);
        text_free(&line);
    }
}

static bool put_columns(struct writer *w, const struct sweep_file *f) {
    struct text t = {0};
    text_add(&t, "configuration\nsweep\ntarget\npreset\nhash\nseed\n");
    for (int i = 0; i < w->n_keys; i++)
        text_printf(&t, "%s\n", w->keys[i]);
    text_add(&t, "status\nreason\n");
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < f->sweeps[i].n_measures; k++) {
            struct text more = {0};
            measure_columns(f->sweeps[i].measures[k].kind,
                            f->sweeps[i].measures[k].values, &more);
            add_new_lines(&t, more.data);
            text_free(&more);
        }
    text_add(&t, "tools\ncommand\n");
    bool ok = put(w, "columns", &t);
    text_free(&t);
    return ok;
}

static bool put_plots(struct writer *w, const struct sweep_file *f) {
    struct text t = {0};
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < f->sweeps[i].n_plots; k++) {
            const struct sweep_plot *p = &f->sweeps[i].plots[k];
            text_printf(&t, "%s\t%s\t%s\t%s\t%s%s%s%s%s%s\n", f->sweeps[i].name,
                        p->x, p->y, p->by ? p->by : "-", p->log_x ? "x" : "",
                        p->log_y ? "y" : "", p->front ? "f" : "",
                        p->log_x || p->log_y || p->front ? "" : "-",
                        *p->where ? "\t" : "", p->where);
        }
    bool ok = put(w, "plots", &t);
    text_free(&t);
    return ok;
}

bool sweep_write(struct arena *a, const struct sweep_file *f,
                 const char *folder, const char *command, struct diag *d) {
    struct writer w = {.a = a, .d = d, .folder = folder, .command = command};
    bool ok = make_folder(&w, "");
    collect_keys(&w, f);
    for (int i = 0; i < f->n && ok; i++)
        ok = put_all(&w, &f->sweeps[i]);
    ok = ok && all_differ(&w) && put_columns(&w, f) && put_plots(&w, f) &&
         put(&w, "manifest", &w.manifest);
    text_free(&w.manifest);
    array_free(&w.names);
    return ok;
}
