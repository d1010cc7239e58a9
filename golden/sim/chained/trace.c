/* trace.c - see state.h: a launch is executed, and each step is noted with its
 * addresses and values, which registers kept beside give. */
#include "state.h"

#include <string.h>

struct shadow {
    uint32_t r[ISA_REGISTERS][MAX_LANES];
    int inside; /* words of a chain that are still to come */
    int first;  /* event of its first one */
};

struct recorder {
    struct trace *t;
    const struct isa_memory *m;
    struct bytes *before;
};

static bool load(void *ctx, uint32_t at, int bytes, uint32_t *value) {
    const struct recorder *r = ctx;
    return r->m->load(r->m->ctx, at, bytes, value);
}

static bool store(void *ctx, uint32_t at, int bytes, uint32_t value) {
    struct recorder *r = ctx;
    return bytes_keep(r->before, at, bytes) &&
           r->m->store(r->m->ctx, at, bytes, value);
}

static int bytes_of(int op) {
    switch (op) {
    case ISA_ldg_u8:
    case ISA_ldg_s8:
    case ISA_stg_b8:
        return 1;
    case ISA_ldg_u16:
    case ISA_ldg_s16:
    case ISA_stg_b16:
        return 2;
    default:
        return 4;
    }
}

static void note_access(struct event *e, const struct isa_step *s,
                        const struct shadow *w) {
    bool loads = isa_has(s->word->op, 'd');
    e->deed = loads ? DID_LOAD : DID_STORE;
    e->bytes = (uint8_t)bytes_of(s->word->op);
    e->sign = s->word->op == ISA_ldg_s8 || s->word->op == ISA_ldg_s16;
    for (int i = 0; i < MAX_LANES; i++)
        e->address[i] = w->r[s->word->a][i] + s->word->value;
    memcpy(e->value, loads ? s->values : w->r[s->word->c], sizeof e->value);
}

static void note_atomic(struct event *e, const struct isa_step *s,
                        const struct shadow *w) {
    e->deed = DID_ATOMIC;
    e->op = s->word->op;
    memcpy(e->address, w->r[s->word->a], sizeof e->address);
    memcpy(e->value, w->r[s->word->c], sizeof e->value);
    memcpy(e->second, w->r[s->word->b], sizeof e->second);
}

static void note_alu(struct event *e, const struct isa_step *s,
                     const struct shadow *w, const struct form_op *o) {
    e->deed = DID_ALU;
    if (o->imm_register >= 0)
        memcpy(e->address, w->r[o->imm_register], sizeof e->address);
    memcpy(e->value, s->values, sizeof e->value);
}

static struct event *new_event(struct warp_trace *w, const struct isa_step *s) {
    struct event *e = array_push(&w->event);
    memset(e, 0, sizeof *e);
    e->mask = s->mask;
    return e;
}

static void note(struct trace *t, const struct isa_step *s, struct shadow *w) {
    struct warp_trace *to =
        &t->warp[s->cta * (uint32_t)t->warps + (uint32_t)s->warp];
    const struct isa_info *info = isa_info(s->word->op);
    bool global = info->class == ISA_CLASS_global;
    if (w->inside) {
        const struct form *f = to->event.v[w->first].form;
        struct event *e = new_event(to, s);
        w->inside--;
        if (global)
            note_access(e, s, w);
        else
            note_alu(e, s, w, &f->op[to->event.n - 1 - w->first]);
    } else if (global && s->mask) {
        struct event *e = new_event(to, s);
        note_access(e, s, w);
        e->begins = form_begins(t->word, s->pc);
        if (t->fits[s->pc]) {
            e->form = &t->form[s->pc];
            w->inside = e->form->n - 1;
            w->first = to->event.n - 1;
        }
    } else if (info->class == ISA_CLASS_atomic &&
               info->timing == ISA_TIMING_global) {
        if (s->mask)
            note_atomic(new_event(to, s), s, w);
    } else if (s->word->op == ISA_bar) {
        new_event(to, s)->deed = DID_BARRIER;
    }
}

static void watch(void *ctx, const struct isa_step *s) {
    struct trace *t = ((struct recorder *)ctx)->t;
    struct shadow *w = &t->shadow[s->warp];
    if (!s->word)
        memset(w, 0, sizeof *w);
    else
        note(t, s, w);
    if (s->kind == 1)
        for (int i = 0; i < t->lanes; i++)
            if (s->mask >> i & 1)
                w->r[s->d][i] = s->values[i];
}

static void read_code(struct trace *t, const struct isa_launch *l) {
    t->word = xcalloc((size_t)l->n_code, sizeof *t->word);
    t->form = xcalloc((size_t)l->n_code, sizeof *t->form);
    t->fits = xcalloc((size_t)l->n_code, sizeof *t->fits);
    for (int i = 0; i < l->n_code; i++)
        (void)isa_decode(l->code[i], l->registers, &t->word[i]);
    for (int i = 0; i < l->n_code; i++)
        t->fits[i] = form_find(t->word, l->n_code, i, &t->form[i]);
}

bool trace_run(struct trace *t, const struct isa_launch *l, int lanes,
               const struct isa_memory *m, struct bytes *before,
               struct isa_run *r) {
    struct recorder recorder = {t, m, before};
    struct isa_launch own = *l;
    struct isa_memory memory = {load, store, &recorder};
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    uint32_t ctas = l->grid[0] * l->grid[1] * l->grid[2];
    memset(t, 0, sizeof *t);
    t->l = l;
    t->lanes = lanes;
    t->warps = (int)((threads + (uint32_t)lanes - 1) / (uint32_t)lanes);
    t->n = (int)ctas * t->warps;
    t->warp = xcalloc((size_t)t->n + 1, sizeof *t->warp);
    t->shadow = xcalloc((size_t)t->warps, sizeof *t->shadow);
    read_code(t, l);
    own.lanes = lanes;
    own.watch = watch;
    own.ctx = &recorder;
    return isa_execute(&own, &memory, r);
}

void trace_close(struct trace *t) {
    for (int i = 0; i < t->n; i++)
        array_free(&t->warp[i].event);
    free(t->warp);
    free(t->shadow);
    free(t->word);
    free(t->form);
    free(t->fits);
}
