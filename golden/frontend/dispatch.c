/* dispatch.c - golden front end: CTAs, and the warps that begin. */
#include "state.h"

#include <string.h>

void frontend_choose_cta(struct frontend *n, struct edge *e) {
    const struct dispatcher *d = &n->d;
    bool ending = false;

    e->slot = NOBODY;
    if (!running(n) || !d->more || d->state != LOOKS)
        return;
    if (d->skip) {
        e->passes_over = true;
        return;
    }
    for (int s = 0; s < n->l.CTAS && (uint64_t)s < n->reg[RESIDENT]; s++)
        if (!(e->slots >> s & 1)) {
            e->slot = s;
            return;
        }
    for (int w = 0; w < n->l.WARPS; w++)
        ending |= n->warp[w].state == WARP_DRAIN && n->warp[w].mask == 0;
    hit_if(n, ending, FRONTEND_COV_cta_waits);
}

static bool step(uint64_t *at, const uint64_t *size) {
    for (int i = 0; i < 3; i++) {
        if (++at[i] < size[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static uint64_t rows_of(const struct frontend *n) {
    return n->reg[SHARED_BYTES] / (uint64_t)(4 * n->l.ALUS);
}

static int warp_of(const struct frontend *n) {
    return n->d.slot * (int)n->reg[CTA_WARPS] + n->d.number;
}

static uint32_t value_of(const struct frontend *n, int index) {
    const struct dispatcher *d = &n->d;

    switch (index) {
    case ISA_SPECIAL_warpid:
        return (uint32_t)d->number;
    case ISA_SPECIAL_slot:
        return (uint32_t)(warp_of(n) * n->l.LANES);
    case ISA_SPECIAL_shared:
        return (uint32_t)n->reg[SHARED_BYTES];
    default:
        break;
    }
    if (index < ISA_SPECIAL_ntid_x)
        return (uint32_t)d->at[index - ISA_SPECIAL_ctaid_x];
    if (index < ISA_SPECIAL_nctaid_x)
        return (uint32_t)n->reg[BLOCK + index - ISA_SPECIAL_ntid_x];
    return (uint32_t)n->reg[GRID + index - ISA_SPECIAL_nctaid_x];
}

static void begin_fill(struct dispatcher *d) {
    d->state = FILLS;
    d->edge = 0;
    d->lanes = 0;
    memset(d->row, 0, sizeof d->row);
}

static void fill(struct frontend *n) {
    struct dispatcher *d = &n->d;
    struct frontend_out *o = &n->out;
    int k = d->edge++;

    if (k < n->l.LANES && d->left) {
        d->row[k] =
            (uint32_t)((d->thread[0] & 1023) | (d->thread[1] & 1023) << 10 |
                       (d->thread[2] & 1023) << 20);
        d->lanes |= bit(k);
        d->left--;
        (void)step(d->thread, n->reg + BLOCK);
    }
    if (k < n->l.VALUES) {
        int index = k == n->l.VALUES - 1 ? ISA_SPECIAL_shared : k + 1;
        o->value_valid = 1;
        o->value_warp = (uint64_t)warp_of(n);
        o->value_index = (uint64_t)index;
        o->value_word = value_of(n, index);
    }
    if (k == 0) {
        o->window_valid = 1;
        o->window_warp = (uint64_t)warp_of(n);
        o->window_base = (uint64_t)d->slot * rows_of(n) & ones(n->l.BANK_W);
        o->window_rows = rows_of(n) & ones(n->l.BANK_W + 1);
    }
    if (d->edge == n->l.FILL) {
        d->state = INITS;
        hit_if(n, d->lanes != all_lanes(n), FRONTEND_COV_partial);
    }
}

static void begin_warp(struct frontend *n) {
    struct dispatcher *d = &n->d;
    struct warp *w = &n->warp[warp_of(n)];

    w->state = WARP_READY;
    w->fresh = true;
    w->pc = n->reg[ENTRY];
    w->mask = d->lanes;
    w->gone = all_lanes(n) & ~d->lanes;
    w->depth = 0;
    w->join = 0;
    if ((uint64_t)++d->number < n->reg[CTA_WARPS])
        begin_fill(d);
    else
        d->state = LOOKS;
}

static void take_cta(struct frontend *n, int slot) {
    struct dispatcher *d = &n->d;

    memcpy(d->at, d->next, sizeof d->at);
    d->more = step(d->next, n->reg + GRID);
    d->skip = n->reg[CTA_STEP] ? n->reg[CTA_STEP] - 1 : 0;
    d->state = BASE;
    d->slot = slot;
    d->number = 0;
    d->left = n->reg[THREADS];
    memset(d->thread, 0, sizeof d->thread);
    n->out.count_cta = 1;
}

void frontend_edge_dispatch(struct frontend *n, const struct frontend_in *in,
                            const struct edge *e) {
    struct dispatcher *d = &n->d;
    struct frontend_out *o = &n->out;

    o->value_valid = o->value_warp = o->value_index = o->value_word = 0;
    o->window_valid = o->window_warp = o->window_base = o->window_rows = 0;
    o->count_cta = 0;
    if (d->state == INITS) {
        hit_if(n, !(in->init_ready & 1), FRONTEND_COV_init_held);
        if (in->init_ready & 1)
            begin_warp(n);
    } else if (d->state == BASE) {
        for (int k = 0; (uint64_t)k < n->reg[CTA_WARPS]; k++) {
            struct warp *w = &n->warp[(warp_of(n) + k) % MAX_WARPS];
            w->live = true;
            w->slot = d->slot;
        }
        begin_fill(d);
    } else if (d->state == FILLS && !faulted(n)) {
        fill(n);
    } else if (e->slot != NOBODY) {
        take_cta(n, e->slot);
    } else if (e->passes_over) {
        d->more = step(d->next, n->reg + GRID);
        d->skip--;
        hit_if(n, true, FRONTEND_COV_passed_over);
    }
    o->init_valid = d->state == INITS;
    o->init_warp = o->init_valid ? (uint64_t)warp_of(n) : 0;
    o->init_mask = o->init_valid ? d->lanes : 0;
    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(o->init_row, i, o->init_valid ? d->row[i] : 0);
}
