/* access.c - shared memory: which accesses may be offered, and what they leave
 * in registers. */
#include "env.h"

bool access_prepare(struct near_pipe_stim *s) {
    struct instr *i = &s->offer;
    struct scratch_access *a = &i->access;
    a->warp = i->warp;
    a->op = i->word.op;
    a->active = 0;
    for (int l = 0; l < s->size.LANES; l++) {
        a->at[l] = value_of(s, i, SRC0, l);
        if (isa_has(a->op, 'm'))
            a->at[l] += i->word.value;
        a->compare[l] = value_of(s, i, SRC1, l);
        a->data[l] = value_of(s, i, SRC2, l);
        if ((i->mask >> l & 1) &&
            (!i->has[GUARD] || holds(s, i, GUARD, l) != i->word.unless))
            a->active |= bit(l);
    }
    scratch_look(&s->scratch, a);
    if (a->wrong >= 0)
        return rng_percent(&s->base.rng, 20);
    return !scratch_reads(&s->scratch, a, NOTHING);
}

void access_forget(struct near_pipe_stim *s) {
    for (int u = 0; u < s->size.UNITS; u++)
        for (int n = 0; n < s->flights[u]; n++) {
            const struct instr *i = &s->flight[u][n];
            if (i->shared && i->access.wrong < 0 && scratch_stores(i->word.op))
                scratch_forget(&s->scratch, &i->access);
        }
}

void access_end(struct near_pipe_stim *s, const struct instr *i) {
    const struct scratch_access *a = &i->access;
    struct cell *d = cell_of(s, i->warp, i->reg[DST]);
    s->accesses++;
    if (a->wrong >= 0) {
        if (!i->faulted)
            stim_complain(&s->base, "an access to shared memory that goes "
                                    "wrong completes without its fault");
        return;
    }
    scratch_execute(&s->scratch, a, i->has[DST] ? d->lane : NULL, &d->whole,
                    &d->vague);
}

static bool accesses(const struct near_pipe_stim *s, uint64_t warp) {
    uint64_t u = warp % (uint64_t)s->size.UNITS;
    for (int n = 0; n < s->flights[u]; n++)
        if (s->flight[u][n].shared && s->flight[u][n].warp == warp)
            return true;
    return s->offered && s->offer.shared && s->offer.warp == warp;
}

/* A window that nobody may hear of. */
void access_drive_noise(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    if (s->size.SHARED == 0)
        return;
    in->window_valid = rng_percent(r, 50);
    in->window_warp = rng_below(r, (uint32_t)s->size.WARPS);
    in->window_base = 0;
    in->window_rows = 1;
}

void access_drive_window(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t w = rng_below(r, (uint32_t)s->size.WARPS);
    s->scratch.next_there = false;
    if (s->size.SHARED == 0 || accesses(s, w) ||
        !rng_percent(r, s->scratch.window[w].rows ? 1 : 30))
        return;
    scratch_choose(&s->scratch, r, w);
    in->window_valid = 1;
    in->window_warp = w;
    in->window_base = s->scratch.next.base;
    in->window_rows = s->scratch.next.rows;
}
