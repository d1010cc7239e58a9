/* check.c - the verdict: what the launches left against what is expected.
 */
#include "state.h"

#include "base/bits.h"
#include "ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The reference works on the copy of the first contents. */
bool run_reference(struct run *r) {
    struct ref_buffer *buffers =
        xcalloc((size_t)r->n_buffers + 1, sizeof *buffers);
    struct ref_scalar *scalars =
        xcalloc((size_t)r->n_fixed + 1, sizeof *scalars);
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        buffers[i] = (struct ref_buffer){b->name, (enum ref_type)b->type,
                                         (size_t)b->count, b->initial};
        if (b->check.wanted && !b->wanted)
            b->wanted = b->initial;
    }
    for (int i = 0; i < r->n_fixed; i++)
        scalars[i] =
            (struct ref_scalar){r->names.v[i], expr_double(r->scalars.v[i])};
    struct ref_run run = {.scalars = scalars,
                          .scalar_count = (size_t)r->n_fixed,
                          .buffers = buffers,
                          .buffer_count = (size_t)r->n_buffers};
    char why[REF_WHY];
    bool ok = ref_call(r->options.reference(r->reference), &run, why);
    if (!ok)
        diag_error(r->d, yaml_get(r->tree, "reference")->at,
                   "reference '%s' lacks what it works with: %s", r->reference,
                   why);
    free(buffers);
    free(scalars);
    return ok;
}

/* Error over tolerance: at most 1 is right. */
static double deviation(const struct run_check *c, struct expr_value got,
                        struct expr_value wanted) {
    if (!got.is_float && c->absolute == 0 && c->relative == 0)
        return got.i == wanted.i ? 0 : INFINITY;
    double g = expr_double(got), w = expr_double(wanted);
    if (isnan(w) || isnan(g))
        return isnan(w) && isnan(g) ? 0 : INFINITY;
    if (g == w)
        return 0;
    double error = fabs(g - w);
    double tolerance = c->absolute + c->relative * fabs(w);
    return tolerance > 0 && isfinite(error) ? error / tolerance : INFINITY;
}

static void compare(const struct run_buffer *b, struct run_buffer_result *o) {
    const struct run_check *c = &b->check;
    o->checked = true;
    o->allowed = c->outliers;
    uint64_t rest = b->count - c->first;
    o->compared = c->has_count && c->count < rest ? c->count : rest;
    for (uint64_t i = c->first; i < c->first + o->compared; i++) {
        struct expr_value got = element_load(b->type, b->data, i);
        struct expr_value wanted = element_load(b->type, b->wanted, i);
        double d = deviation(c, got, wanted);
        if (d > o->worst)
            o->worst = d;
        if (d <= 1)
            continue;
        if (o->wrong++ == 0) {
            o->first_wrong = i;
            o->got = got;
            o->wanted = wanted;
        }
    }
}

static uint64_t checksum(const struct run_buffer *b) {
    return fnv1a(FNV1A_START, b->data, b->count * element_size(b->type));
}

static const char *reason_of(const struct run *r) {
    switch (r->state) {
    case EXEC_FINISHED:
        return "finished";
    case EXEC_FAULT:
        return "fault";
    case EXEC_LIMIT:
        return "limit";
    case EXEC_STUCK:
        return "no progress";
    default:
        return "interrupted";
    }
}

void run_verdict(struct run *r, struct run_verdict *v) {
    bool finished = r->ended && r->state == EXEC_FINISHED;
    int checked = 0, wrong = 0;
    *v =
        (struct run_verdict){.reason = reason_of(r), .n_buffers = r->n_buffers};
    r->results =
        arena_array(&r->arena, (size_t)r->n_buffers + 1, sizeof *r->results);
    v->buffers = r->results;
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        struct run_buffer_result *o = &r->results[i];
        o->name = b->name;
        o->type = b->type;
        o->address = b->address;
        o->count = b->count;
        o->checksum = checksum(b);
        if (!finished || !b->check.wanted)
            continue;
        compare(b, o);
        checked++;
        wrong += o->wrong > o->allowed;
    }
    v->result = !finished ? RUN_STOPPED
                : wrong   ? RUN_WRONG
                : checked ? RUN_RIGHT
                          : RUN_UNCHECKED;
}
