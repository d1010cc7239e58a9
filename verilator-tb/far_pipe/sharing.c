/* sharing.c - shared memory, where it is here: which accesses may be offered,
 * what they leave in registers, and which faults they have. */
#include "env.h"

bool sharing_prepare(struct far_pipe_stim *s) {
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
        return rng_percent(&s->base.rng, s->tune.wrong);
    return !scratch_reads(&s->scratch, a, NOTHING);
}

void sharing_forget(struct far_pipe_stim *s) {
    for (int n = 0; n < s->flights; n++) {
        const struct instr *i = &s->flight[n];
        if (i->kind == SHARED && i->access.wrong < 0 &&
            scratch_stores(i->word.op))
            scratch_forget(&s->scratch, &i->access);
    }
}

void sharing_end(struct far_pipe_stim *s, const struct instr *i) {
    const struct scratch_access *a = &i->access;
    struct cell *d = cell_of(s, i->warp, i->reg[DST]);
    s->shared_accesses++;
    if (a->wrong >= 0) {
        if (!i->faulted)
            stim_complain(&s->base, "an access to shared memory that goes "
                                    "wrong completes without its fault");
        return;
    }
    scratch_execute(&s->scratch, a, i->has[DST] ? d->lane : NULL, &d->whole,
                    &d->vague);
}

/* It is of the oldest one of its subcore that is not at 'done' already. */
void sharing_check(struct far_pipe_stim *s, const struct far_pipe_out *o,
                   int at_done) {
    if (!o->shared_fault_valid)
        return;
    for (int n = 0; n < s->flights; n++) {
        struct instr *i = &s->flight[n];
        const struct scratch_access *a = &i->access;
        if (i->kind != SHARED || n == at_done ||
            subcore_of(s, i->warp) != subcore_of(s, o->shared_fault_warp))
            continue;
        if (i->faulted || a->wrong < 0 || i->warp != o->shared_fault_warp ||
            i->tag != o->shared_fault_tag ||
            a->odd != (o->shared_fault_odd & 1) ||
            a->at[a->wrong] != o->shared_fault_address)
            break;
        i->faulted = true;
        s->shared_faults++;
        return;
    }
    stim_complain(&s->base, "a fault that no access to shared memory has");
}

/* --- windows -------------------------------------------------------------- */

static bool accesses(const struct far_pipe_stim *s, uint64_t warp) {
    for (int n = 0; n < s->flights; n++)
        if (s->flight[n].kind == SHARED && s->flight[n].warp == warp)
            return true;
    return s->offered && s->offer.kind == SHARED && s->offer.warp == warp;
}

/* A window that nobody may hear of. */
void sharing_drive_noise(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    if (s->size.SHARED == 0)
        return;
    in->window_valid = rng_percent(r, 50);
    in->window_warp = rng_below(r, (uint32_t)s->size.CORE_WARPS);
    in->window_base = 0;
    in->window_rows = 1;
}

void sharing_drive_window(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    s->scratch.next_there = false;
    if (s->size.SHARED == 0)
        return;
    uint64_t w = rng_below(r, (uint32_t)s->size.CORE_WARPS);
    if (accesses(s, w) || !rng_percent(r, s->scratch.window[w].rows ? 1 : 30))
        return;
    scratch_choose(&s->scratch, r, w);
    in->window_valid = 1;
    in->window_warp = w;
    in->window_base = s->scratch.next.base;
    in->window_rows = s->scratch.next.rows;
}
