/* playback.c - a window on a golden model; see window.h. */
#include "window.h"

#include "base/arena.h"
#include "base/bits.h"
#include "frame/golden.h"
#include "signature.h"

#include <stdlib.h>

enum { MOST_SIGNATURES = 1 << 16 };

void playback_open(struct playback *r, const struct flat *f,
                   const struct window *w) {
    *r = (struct playback){.flat = f, .window = w, .x = w->seed};
    r->block =
        golden_create(golden_find(f->design->iface->name), &f->design->config);
    r->in = xcalloc(1, f->design->in_size);
    golden_cycle(r->block, true, r->in); /* as it rests on the board */
}

void playback_edge(struct playback *r) {
    const struct window *w = r->window;
    int in_bits = r->flat->in_bits;
    r->stim = w->words[r->at];
    r->rst = bits_get(r->stim.w, in_bits, 1);
    r->stim.w[in_bits / 64] &= ~bit(in_bits % 64);
    random_mix(r->x, &w->mask, in_bits, &r->stim);
    r->x = random_next(r->x);
    r->at = r->at == w->n - 1 ? w->again : r->at + 1;
    flat_to_in(r->flat, &r->stim, r->in);
    flat_from_out(r->flat, golden_cycle(r->block, r->rst, r->in), &r->outputs);
}

void playback_close(struct playback *r) {
    golden_free(r->block);
    free(r->in);
}

void expectation_make(struct expectation *e, const struct flat *f,
                      const struct window *w) {
    struct playback r;
    uint32_t s = SIGNATURE_BEGIN;
    e->every = (w->length + MOST_SIGNATURES - 1) / MOST_SIGNATURES;
    e->after = xcalloc(MOST_SIGNATURES, sizeof *e->after);
    e->n = 0;
    playback_open(&r, f, w);
    for (uint64_t i = 1; i <= w->length; i++) {
        playback_edge(&r);
        s = signature_add(s, &r.outputs, f->out_bits);
        if (i % e->every == 0)
            e->after[e->n++] = s;
    }
    e->signature = s;
    playback_close(&r);
}

void expectation_free(struct expectation *e) {
    free(e->after);
    e->after = NULL;
}
