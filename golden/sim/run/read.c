/* read.c - opening a run: description, base, PTX, memory, contents. */
#include "state.h"

#include "base/bits.h"
#include "base/text.h"
#include "papers/tom/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BASES = 8, MAX_FILE = 1 << 26 };

static const struct source *read_source(struct run *r, const char *path,
                                        struct place at) {
    size_t len;
    char *text = text_read_file(path, &len);
    if (!text) {
        diag_error(r->d, at, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    if (len > MAX_FILE) {
        diag_error(r->d, at, "'%s' has %zu bytes, expected at most %d", path,
                   len, MAX_FILE);
        free(text);
        return NULL;
    }
    const struct source *s = diag_source(r->d, path, text, len);
    free(text);
    return s;
}

/* A path that stands in the file of node n, relative to that file. */
const char *run_relative(struct run *r, const struct yaml_node *n) {
    const char *file = n->at.source->name, *slash = strrchr(file, '/');
    struct text t = {0};
    if (slash && n->text[0] != '/')
        text_addn(&t, file, (size_t)(slash - file) + 1);
    text_add(&t, n->text);
    const char *path = arena_strdup(&r->arena, text_str(&t));
    text_free(&t);
    return path;
}

static struct yaml_node *read_one(struct run *r, const char *path,
                                  struct place at) {
    const struct source *s = read_source(r, path, at);
    if (!s)
        return NULL;
    if (!r->source)
        r->source = s;
    int errors = r->d->errors;
    struct yaml_node *n = yaml_read(&r->arena, s, YAML_KEYED, r->d);
    if (!n || r->d->errors != errors)
        return NULL;
    if (n->kind == YAML_MAP)
        return n;
    if (n->at.line == 0)
        diag_error(r->d, n->at, "the file is empty");
    else
        diag_error(r->d, n->at, "expected keys such as 'kernel', found %s",
                   yaml_kind_name(n));
    return NULL;
}

/* A base's launch settings are all replaced by those written here; its sizes,
 * values, buffers, textures and images are merged. */
static struct yaml_node *merge(struct run *r, struct yaml_node *base,
                               struct yaml_node *over) {
    static const char *const merged[] = {"sizes", "values", "buffers",
                                         "textures", "prefetch"};
    struct yaml_node *n = yaml_merge(&r->arena, base, over, 0);
    for (size_t i = 0; i < sizeof merged / sizeof *merged; i++) {
        struct yaml_node *a = yaml_get(base, merged[i]);
        struct yaml_node *b = yaml_get(over, merged[i]);
        for (int k = 0; a && b && k < n->n; k++)
            if (strcmp(n->keys[k]->text, merged[i]) == 0 &&
                a->kind == YAML_MAP && b->kind == YAML_MAP)
                n->items[k] = yaml_merge(&r->arena, a, b, 1);
    }
    return n;
}

struct yaml_node *run_tree(struct run *r, const char *path) {
    struct yaml_node *tree = read_one(r, path, (struct place){0});
    struct yaml_node *base = yaml_get(tree, "base");
    for (int depth = 0; base; depth++) {
        if (base->kind != YAML_WORD || depth == MAX_BASES) {
            diag_error(r->d, base->at,
                       "'base' must be the name of a description, at most %d "
                       "on top of each other",
                       MAX_BASES);
            return NULL;
        }
        struct yaml_node *under = read_one(r, run_relative(r, base), base->at);
        if (!under)
            return NULL;
        base = yaml_get(under, "base");
        tree = merge(r, under, tree);
    }
    return tree;
}

/* "axpy" of "kernels/axpy/axpy.yml". */
static const char *base_name(struct run *r, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? arena_strndup(&r->arena, name, (size_t)(dot - name)) : name;
}

/* The module anew, from its text with what makes conditions. */
static bool place_conditions(struct run *r) {
    int errors = r->d->errors;
    r->module = ptx_place_module(&r->arena, r->module, r->options.place, r->d);
    r->ptx_source = r->module->source;
    return r->d->errors == errors;
}

static bool read_ptx(struct run *r) {
    const struct yaml_node *n = yaml_get(r->tree, "ptx");
    struct place at = n ? n->at : (struct place){r->source, 0, 0, 0};
    if (n && n->kind != YAML_WORD) {
        diag_error(r->d, n->at, "'ptx' must be a file name, found %s",
                   yaml_kind_name(n));
        return false;
    }
    if (r->options.ptx) {
        r->ptx_path = r->options.ptx;
        at = (struct place){0};
    } else if (n) {
        r->ptx_path = run_relative(r, n);
    } else {
        struct text t = {0};
        const char *dot = strrchr(r->path, '.');
        text_addn(&t, r->path, dot ? (size_t)(dot - r->path) : strlen(r->path));
        text_add(&t, ".ptx");
        r->ptx_path = arena_strdup(&r->arena, text_str(&t));
        text_free(&t);
    }
    r->ptx_source = read_source(r, r->ptx_path, at);
    if (!r->ptx_source)
        return false;
    int errors = r->d->errors;
    r->module = ptx_read(&r->arena, r->ptx_source, r->d);
    return r->d->errors == errors && (!r->options.place || place_conditions(r));
}

static bool read_reference(struct run *r) {
    const struct yaml_node *n = yaml_get(r->tree, "reference");
    if (!n)
        return true;
    r->reference = n->text;
    if (n->kind == YAML_WORD && r->options.reference &&
        r->options.reference(n->text))
        return true;
    diag_error(r->d, n->at,
               "no CPU reference '%s', expected one that the program was "
               "built with",
               n->text ? n->text : "?");
    return false;
}

static const char *const top_keys[] = {
    "base",     "ptx",       "kernel",   "reference", "sizes",
    "values",   "grid",      "block",    "shared",    "buffers",
    "textures", "arguments", "launches", "prefetch",  NULL};

static bool open_run(struct run *r) {
    static const struct stream_ops ops = {run_next, NULL};
    r->stream.ops = &ops;
    r->tree = run_tree(r, r->path);
    if (!r->tree || !run_check_keys(r, r->tree, top_keys, "a run description"))
        return false;
    if (!read_ptx(r) || !read_reference(r) || !run_parse_sizes(r))
        return false;
    r->exec = exec_create(r->module, &r->options.exec, r->d);
    return r->exec && run_name_textures(r) && run_parse_buffers(r) &&
           run_parse_textures(r) && run_parse_steps(r) && run_fill_buffers(r) &&
           run_bind_textures(r) && run_parse_images(r);
}

struct run *run_open(const char *path, const struct run_options *options,
                     struct diag *d) {
    struct run *r = xcalloc(1, sizeof *r);
    r->d = d;
    if (options)
        r->options = *options;
    r->path = arena_strdup(&r->arena, path);
    r->name = base_name(r, r->path);
    if (open_run(r))
        return r;
    run_close(r);
    return NULL;
}

void run_close(struct run *r) {
    if (!r)
        return;
    for (int i = 0; i < r->n_buffers; i++) {
        free(r->buffers[i].wanted != r->buffers[i].initial
                 ? r->buffers[i].wanted
                 : NULL);
        free(r->buffers[i].initial);
    }
    exec_free(r->exec);
    free(r->params);
    array_free(&r->addresses);
    array_free(&r->names);
    array_free(&r->scalars);
    arena_free(&r->arena);
    free(r);
}

const char *run_name(const struct run *r) {
    return r->name;
}
const char *run_size(const struct run *r) {
    return r->size;
}
const char *run_ptx(const struct run *r) {
    return r->ptx_path;
}
const struct ptx_module *run_module(const struct run *r) {
    return r->module;
}
const struct exec *run_exec(const struct run *r) {
    return r->exec;
}
enum exec_state run_state(const struct run *r) {
    return r->state;
}
struct stream *run_stream(struct run *r) {
    return &r->stream;
}

uint64_t run_ptx_hash(const struct run *r) {
    return fnv1a(FNV1A_START, r->ptx_source->text, r->ptx_source->len);
}

void run_progress(const struct run *r, uint64_t *done, uint64_t *total) {
    *done = r->ctas_done + (r->launched ? exec_ctas_done(r->exec) : 0);
    *total = r->ctas_begun;
}
