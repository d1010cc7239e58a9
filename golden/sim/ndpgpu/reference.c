/* reference.c - what a GPU left, kept as the JSON of an earlier report: the
 * executor is held against it where there is no GPU.
 */
#include "ndpgpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static json_t *hex(uint64_t v) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, v);
    return json_string(text);
}

static json_t *finding_json(const struct finding *f) {
    json_t *one = json_pack("{s:s, s:s, s:I, s:o, s:o, s:I}", "name", f->buffer,
                            "type", f->type, "count", (json_int_t)f->count,
                            "gpu", hex(f->gpu), "executor", hex(f->executor),
                            "differ", (json_int_t)f->differ);
    if (f->differ) {
        json_object_set_new(one, "first", json_integer((json_int_t)f->first));
        json_object_set_new(one, "farthest",
                            f->farthest == UINT64_MAX
                                ? json_null()
                                : json_integer((json_int_t)f->farthest));
    }
    return one;
}

json_t *outcome_json(const struct outcome *o) {
    json_t *buffers = json_array();
    for (int i = 0; i < o->n; i++)
        json_array_append_new(buffers, finding_json(&o->found[i]));
    return json_pack("{s:s, s:s, s:o, s:s, s:I, s:o}", "name", o->name, "size",
                     o->size, "ptx", hex(o->ptx), "verdict",
                     outcome_words[o->verdict], "launches",
                     (json_int_t)o->launches, "buffers", buffers);
}

/* ----------------------------------------------------------------- reading */

static uint64_t number(const json_t *of, const char *key) {
    return strtoull(json_string_value(json_object_get(of, key)), NULL, 16);
}

static bool has_strings(const json_t *of, const char *const *keys) {
    for (; *keys; keys++)
        if (!json_is_string(json_object_get(of, *keys)))
            return false;
    return true;
}

/* Every key that is looked at is there, so that the rest need not ask. */
static bool is_report(const json_t *all) {
    static const char *const head[] = {"device", "driver", NULL};
    static const char *const result[] = {"name", "size", "ptx", "verdict",
                                         NULL};
    static const char *const buffer[] = {"name", "type", "gpu", "executor",
                                         NULL};
    const json_t *results = json_object_get(all, "results"), *r, *b;
    size_t i, k;
    if (!has_strings(all, head) || !json_is_array(results))
        return false;
    json_array_foreach(results, i, r) {
        if (!has_strings(r, result) ||
            !json_is_array(json_object_get(r, "buffers")))
            return false;
        json_array_foreach(json_object_get(r, "buffers"), k, b) {
            if (!has_strings(b, buffer))
                return false;
        }
    }
    return true;
}

bool reference_read(struct reference *ref, const char *path, struct diag *d) {
    json_error_t e;
    ref->all = json_load_file(path, 0, &e);
    ref->at = (struct place){.source = diag_source(d, path, NULL, 0)};
    if (!ref->all) {
        ref->at.line = e.line > 0 ? e.line : 0;
        ref->at.column = e.column > 0 ? e.column : 0;
        diag_error(d, ref->at, "%s", e.text);
        return false;
    }
    if (!is_report(ref->all)) {
        diag_error(d, ref->at,
                   "no report of a GPU, expected what 'ndpgpu --json' prints");
        return false;
    }
    ref->device = json_string_value(json_object_get(ref->all, "device"));
    ref->driver = json_string_value(json_object_get(ref->all, "driver"));
    return true;
}

void reference_free(struct reference *ref) {
    json_decref(ref->all);
}

static const json_t *find(const struct reference *ref, const char *name,
                          const char *size) {
    const json_t *r;
    size_t i;
    json_array_foreach(json_object_get(ref->all, "results"), i, r) {
        const char *n = json_string_value(json_object_get(r, "name"));
        const char *s = json_string_value(json_object_get(r, "size"));
        if (strcmp(n, name) == 0 && strcmp(s, size) == 0)
            return r;
    }
    return NULL;
}

static enum outcome_verdict verdict_of(const json_t *r) {
    const char *word = json_string_value(json_object_get(r, "verdict"));
    for (int k = 0; k < OUTCOMES; k++)
        if (strcmp(word, outcome_words[k]) == 0)
            return (enum outcome_verdict)k;
    return OUTCOME_STOPPED;
}

static void take_finding(const json_t *b, struct finding *f) {
    const json_t *far = json_object_get(b, "farthest");
    *f = (struct finding){
        .buffer = xstrdup(json_string_value(json_object_get(b, "name"))),
        .type = json_string_value(json_object_get(b, "type")),
        .count = (uint64_t)json_integer_value(json_object_get(b, "count")),
        .gpu = number(b, "gpu"),
        .executor = number(b, "executor"),
        .differ = (uint64_t)json_integer_value(json_object_get(b, "differ")),
        .first = (uint64_t)json_integer_value(json_object_get(b, "first")),
        .farthest =
            json_is_null(far) ? UINT64_MAX : (uint64_t)json_integer_value(far)};
}

void reference_hold(const struct reference *ref, const struct run *r,
                    const struct run_verdict *v, struct outcome *o,
                    struct diag *d) {
    const json_t *was = find(ref, run_name(r), run_size(r)), *b;
    size_t i;
    if (!was) {
        o->verdict = OUTCOME_NOT_HELD;
        return;
    }
    const json_t *buffers = json_object_get(was, "buffers");
    o->launches =
        (uint64_t)json_integer_value(json_object_get(was, "launches"));
    o->verdict = verdict_of(was);
    if (number(was, "ptx") != run_ptx_hash(r)) {
        diag_error(d, ref->at, "'%s' has other PTX than the GPU ran",
                   run_name(r));
        o->verdict = OUTCOME_STALE;
    }
    o->found = xcalloc(json_array_size(buffers) + 1, sizeof *o->found);
    json_array_foreach(buffers, i, b) {
        struct finding *f = &o->found[o->n++];
        int k = 0;
        take_finding(b, f);
        while (k < v->n_buffers && strcmp(v->buffers[k].name, f->buffer) != 0)
            k++;
        if (k < v->n_buffers && v->buffers[k].checksum == f->executor)
            continue;
        diag_error(d, ref->at,
                   "'%s' leaves other bytes in '%s' than when it was held "
                   "against the GPU%s",
                   run_name(r), f->buffer,
                   k < v->n_buffers && v->buffers[k].checksum == f->gpu
                       ? ": those of the GPU"
                       : "");
        o->verdict = OUTCOME_STALE;
    }
}
