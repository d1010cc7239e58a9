/* replay.c - see replay.h. */
#include "replay.h"

#include "base/array.h"
#include "base/bits.h"
#include "codegen/codegen.h"
#include "sim/chained/chained.h"
#include "ref.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A node in a launch: its inputs edge by edge, of which the first is of reset,
 * and a hash of the outputs after each. */
struct part {
    int mode, node;
    uint8_t *in;
    uint64_t *hash;
    int n, cap_in, cap_hash;
};

struct omni_replay {
    size_t in_size, out_size;
    int mode;  /* that is recorded */
    int *last; /* by node: its part */
    ARRAY(struct part) part;
    int at, edge; /* part, and edge of it */
    uint64_t chains[CHAINED_MODES], packets[CHAINED_MODES];
    uint64_t edges;
};

static uint64_t hash_of(const struct omni_replay *p, const void *out) {
    return fnv1a(0, out, p->out_size);
}

/* --- recording ------------------------------------------------------------ */

static void record(void *ctx, int node, bool rst, const void *in,
                   const void *out) {
    struct omni_replay *p = ctx;
    if (rst) {
        p->last[node] = p->part.n;
        *array_push(&p->part) = (struct part){.mode = p->mode, .node = node};
    }
    struct part *to = &p->part.v[p->last[node]];
    to->in = array_room(to->in, to->n, &to->cap_in, p->in_size);
    to->hash = array_room(to->hash, to->n, &to->cap_hash, sizeof *to->hash);
    memcpy(to->in + (size_t)to->n * p->in_size, in, p->in_size);
    to->hash[to->n++] = hash_of(p, out);
}

static bool complain(struct stim *s, const char *what) {
    diag_error(s->diag, (struct place){0}, "'%s': %s", s->options->run, what);
    return false;
}

static bool run_once(struct omni_replay *p, struct stim *s) {
    struct run_options ro = {.size = s->options->size, .reference = ref_find};
    struct code_options code = {.registers = 64};
    struct arena arena = {0};
    struct run_verdict v = {0};
    struct chained c = {.config = s->design->config,
                        .mode = (enum chained_mode)p->mode,
                        .places = -1,
                        .watch = record,
                        .ctx = p};
    struct run *r = run_open(s->options->run, &ro, s->diag);
    const struct isa_image *image =
        r ? code_generate(&arena, run_module(r), NULL, &code, s->diag) : NULL;
    bool ok = image != NULL;
    if (ok && !chained_run(&c, r, image))
        ok = complain(s, text_str(&c.why));
    if (ok) {
        run_verdict(r, &v);
        if (v.result != RUN_RIGHT)
            ok = complain(s, "it leaves a wrong result with golden nodes");
    }
    p->chains[p->mode] = c.result.chains;
    p->packets[p->mode] = c.result.packets;
    text_free(&c.why);
    if (r)
        run_close(r);
    arena_free(&arena);
    return ok;
}

struct omni_replay *omni_replay_open(struct stim *s) {
    struct omni_replay *p = xcalloc(1, sizeof *p);
    const struct config *c = &s->design->config;
    p->in_size = s->design->in_size;
    p->out_size = s->design->out_size;
    p->last =
        xcalloc((size_t)(c->mesh_width * c->mesh_height), sizeof *p->last);
    for (p->mode = 0; p->mode < CHAINED_MODES; p->mode++)
        if (!run_once(p, s)) {
            omni_replay_close(p);
            return NULL;
        }
    stim_reset(s, 1);
    return p;
}

void omni_replay_close(struct omni_replay *p) {
    for (int i = 0; i < p->part.n; i++) {
        free(p->part.v[i].in);
        free(p->part.v[i].hash);
    }
    array_free(&p->part);
    free(p->last);
    free(p);
}

/* --- playing -------------------------------------------------------------- */

bool omni_replay_is_over(const struct omni_replay *p) {
    return p->at == p->part.n;
}

void omni_replay_reset(struct omni_replay *p) {
    p->edge = 1;
}

void omni_replay_drive(const struct omni_replay *p, void *in) {
    if (omni_replay_is_over(p))
        return;
    const struct part *part = &p->part.v[p->at];
    memcpy(in, part->in + (size_t)p->edge * p->in_size, p->in_size);
}

const char *omni_replay_watch(struct omni_replay *p, struct stim *s,
                              const void *after) {
    if (omni_replay_is_over(p))
        return NULL;
    const struct part *part = &p->part.v[p->at];
    int edge = p->edge++;
    p->edges++;
    if (p->edge == part->n) {
        p->edge = 0; /* of the next one, on the edge of reset */
        p->at++;
        stim_reset(s, 1);
    }
    return part->hash[edge] == hash_of(p, after)
               ? NULL
               : stim_complain(s, "node %d has answered otherwise on edge %d",
                               part->node, edge);
}

void omni_replay_report(const struct omni_replay *p, struct text *t) {
    for (int mode = 0; mode < CHAINED_MODES; mode++) {
        static const char *const names[CHAINED_MODES] = {"off", "llc", "omni"};
        text_printf(t, "chains_%s\t%" PRIu64 "\n", names[mode],
                    p->chains[mode]);
        text_printf(t, "packets_%s\t%" PRIu64 "\n", names[mode],
                    p->packets[mode]);
    }
    text_printf(t, "nodes\t%d\n", p->at);
    text_printf(t, "replayed\t%" PRIu64 "\n", p->edges);
}
