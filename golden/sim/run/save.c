/* save.c - buffers of a run as files. */
#include "state.h"

#include "base/outfile.h"

#include <string.h>

bool run_save_take(struct run_saves *s, const char *spec, struct diag *d) {
    const char *equals = strchr(spec, '=');
    struct place at = {.source = diag_source(d, "command line", NULL, 0)};
    if (!equals || equals == spec || !equals[1]) {
        diag_error(d, at,
                   "'--write %s', expected the name of a buffer and a file, "
                   "such as 'y=y.bin'",
                   spec);
        return false;
    }
    if (s->n == RUN_MAX_SAVES) {
        diag_error(d, at, "more than %d times '--write'", RUN_MAX_SAVES);
        return false;
    }
    s->list[s->n++] =
        (struct run_save){spec, (size_t)(equals - spec), equals + 1};
    return true;
}

static const char *buffer_name(void *ctx, int i) {
    const struct run *r = ctx;
    return i < r->n_buffers ? r->buffers[i].name : NULL;
}

static const struct run_buffer *buffer_of(struct run *r,
                                          const struct run_save *s) {
    for (int i = 0; i < r->n_buffers; i++)
        if (strlen(r->buffers[i].name) == s->len &&
            memcmp(r->buffers[i].name, s->spec, s->len) == 0)
            return &r->buffers[i];
    const char *name = arena_strndup(&r->arena, s->spec, s->len);
    const char *near = suggest(name, buffer_name, r);
    diag_error(r->d, (struct place){r->source, 0, 0, 0},
               "no buffer '%s' to write%s%s%s", name,
               near ? ", did you mean '" : "", near ? near : "",
               near ? "'" : "");
    return NULL;
}

bool run_save_check(struct run *r, const struct run_saves *s) {
    bool ok = true;
    for (int i = 0; i < s->n; i++)
        ok = buffer_of(r, &s->list[i]) && ok;
    return ok;
}

bool run_save(struct run *r, const struct run_saves *s) {
    bool ok = true;
    for (int i = 0; i < s->n; i++) {
        const struct run_buffer *b = buffer_of(r, &s->list[i]);
        struct outfile f;
        if (!b || !outfile_open(&f, s->list[i].path, r->d)) {
            ok = false;
            continue;
        }
        if (b->count)
            fwrite(b->data, (size_t)element_size(b->type), (size_t)b->count,
                   f.out);
        ok = outfile_close(&f, true) && ok;
    }
    return ok;
}
