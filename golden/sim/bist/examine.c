/* examine.c - see examine.h. */
#include "examine.h"

#include "base/arena.h"
#include "signature.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE = 4096, BEFORE = 16, BEHIND = 48 };

/* Edges of a window that are right, and so many that are not; the board is
 * asked for what lies between. */
struct halving {
    struct board *board;
    uint64_t good, bad;
};

/* Narrow it down with the signatures after begin + every, begin + 2 * every,
 * ... edges. */
static bool halve(struct halving *h, uint64_t begin, uint64_t every,
                  const uint32_t *after) {
    struct board_end end;
    for (;;) {
        uint64_t lo = (h->good - begin) / every + 1; /* which to try */
        uint64_t hi = (h->bad - begin + every - 1) / every;
        if (lo >= hi)
            return true;
        uint64_t mid = lo + (hi - lo) / 2;
        uint64_t edges = begin + mid * every;
        if (!board_run(h->board, edges, 1, after[mid - 1], &end, NULL))
            return false;
        *(end.differs ? &h->bad : &h->good) = edges;
    }
}

/* Each edge between two signatures of an expectation that are further apart. */
static bool halve_edges(struct halving *h, const struct flat *f,
                        const struct window *w) {
    uint64_t begin = h->good, n = h->bad - h->good;
    uint32_t *after = xcalloc((size_t)n, sizeof *after);
    uint32_t s = SIGNATURE_BEGIN;
    struct playback r;
    playback_open(&r, f, w);
    for (uint64_t i = 0; i < begin + n; i++) {
        playback_edge(&r);
        s = signature_add(s, &r.outputs, f->out_bits);
        if (i >= begin)
            after[i - begin] = s;
    }
    playback_close(&r);
    bool ok = halve(h, begin, 1, after);
    free(after);
    return ok;
}

/* Play it again and again, an edge further each time. */
static bool stream(struct board *b, const struct window *w,
                   struct examined *e) {
    struct board_end end;
    struct playback r;
    bool ok = true;
    e->edges = xcalloc((size_t)e->n, sizeof *e->edges);
    playback_open(&r, &b->flat, w);
    for (uint64_t i = 0; i < e->from; i++)
        playback_edge(&r);
    for (int i = 0; i < e->n && ok; i++) {
        struct examined_edge *edge = &e->edges[i];
        playback_edge(&r);
        edge->rst = r.rst;
        edge->stim = r.stim;
        edge->golden = r.outputs;
        ok = board_run(b, e->from + (uint64_t)i + 1, 1, 0, &end, &edge->device);
        if (ok && memcmp(&edge->golden, &edge->device, sizeof edge->golden))
            e->wrong++;
    }
    playback_close(&r);
    return ok;
}

/* What is wrong with it: the first wrong edge, and those around. */
static bool look(struct board *b, const struct window *w,
                 const struct expectation *x, struct examined *e) {
    struct halving h = {b, 0, w->length};
    if (!halve(&h, 0, x->every, x->after) ||
        (h.bad - h.good > 1 && !halve_edges(&h, &b->flat, w)))
        return false;
    e->first = h.good;
    e->from = 0;
    uint64_t to = w->length;
    if (w->length > WHOLE) {
        e->from = e->first > BEFORE ? e->first - BEFORE : 0;
        to = e->first + BEHIND < to ? e->first + BEHIND : to;
    }
    e->n = (int)(to - e->from);
    return stream(b, w, e);
}

static bool compare(struct board *b, const struct window *w, uint64_t passes,
                    const struct expectation *x, struct examined *e) {
    struct board_end end;
    board_take(b, w);
    if (!board_run(b, w->length, passes, x->signature, &end, NULL))
        return false;
    e->right = !end.differs;
    if (e->right)
        return true;
    e->pass = passes - (end.left ? end.left : UINT64_C(1) << 32);
    e->expected = x->signature;
    e->signature = end.signature;
    if (!board_run(b, w->length, 1, x->signature, &end, NULL))
        return false;
    e->again = end.differs;
    return !e->again || look(b, w, x, e);
}

bool examine(struct board *b, const struct window *w, uint64_t passes,
             struct examined *e) {
    struct expectation x;
    *e = (struct examined){0};
    expectation_make(&x, &b->flat, w);
    bool ok = compare(b, w, passes, &x, e);
    expectation_free(&x);
    if (!ok)
        examined_free(e);
    return ok;
}

void examined_free(struct examined *e) {
    free(e->edges);
    e->edges = NULL;
}
