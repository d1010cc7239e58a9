/* candidate.c - the choice of candidates: of all regions that pay the one that
 * saves most, then of those that do not overlap it the next, and so on.
 *
 * For each pc the best region that begins there is kept in a heap.  When one
 * that overlaps a chosen one comes up, its pc is scanned again up to there.
 */
#include "parts.h"

#include "base/array.h"

#include <stdlib.h>

/* The best region that begins at a pc. */
struct best {
    int begin, end;
    struct ptx_polynomial saving;
};

struct heap {
    struct best *items;
    int n;
};

/* More saved; else the longer one, else the earlier one. */
static bool better(const struct best *a, const struct best *b) {
    int order = ptx_poly_compare(&a->saving, &b->saving);
    int la = a->end - a->begin, lb = b->end - b->begin;
    return order ? order > 0 : la != lb ? la > lb : a->begin < b->begin;
}

static void push(struct heap *h, const struct best *item) {
    int i = h->n++;
    for (; i > 0 && better(item, &h->items[(i - 1) / 2]); i = (i - 1) / 2)
        h->items[i] = h->items[(i - 1) / 2];
    h->items[i] = *item;
}

static struct best pop(struct heap *h) {
    struct best top = h->items[0], last = h->items[--h->n];
    int i = 0;
    for (int child = 1; child < h->n; child = 2 * i + 1) {
        if (child + 1 < h->n && better(&h->items[child + 1], &h->items[child]))
            child++;
        if (!better(&h->items[child], &last))
            break;
        h->items[i] = h->items[child];
        i = child;
    }
    h->items[i] = last;
    return top;
}

static void note_nearest(const struct ptx_scan *s,
                         struct ptx_nearest *nearest) {
    int64_t change = ptx_scan_change(s);
    if (nearest->end == 0 ||
        ptx_comes_nearer(change, s->end, nearest->change, nearest->end))
        *nearest = (struct ptx_nearest){s->end, change};
}

/* The best region that begins at pc and touches no candidate; on the way, if
 * nearest is there, what comes nearest to paying in the block. */
static bool scan(struct ptx_scan *s, int pc, struct best *best,
                 struct ptx_nearest *nearest) {
    const struct ptx_cfg *cfg = &s->a->cfg;
    int block_end = cfg->blocks[cfg->block_of[pc]].end;
    bool found = false;
    ptx_scan_begin(s, pc);
    while (ptx_scan_advance(s)) {
        struct best now = {.begin = pc, .end = s->end};
        if (!ptx_scan_is_region(s) ||
            (s->traffic.loads == 0 && s->traffic.stores == 0))
            continue;
        if (nearest && s->end <= block_end)
            note_nearest(s, nearest);
        if (!ptx_scan_pays(s))
            continue;
        now.saving = ptx_scan_saving(s);
        if (!found || better(&now, best)) {
            *best = now;
            found = true;
        }
    }
    return found;
}

static bool overlaps(const struct ptx_scan *s, const struct best *b) {
    for (int pc = b->begin; pc < b->end; pc++)
        if (s->taken[pc])
            return true;
    return false;
}

static int by_begin(const void *a, const void *b) {
    const struct ptx_candidate *x = a, *y = b;
    return (x->begin_pc > y->begin_pc) - (x->begin_pc < y->begin_pc);
}

/* Make the region a candidate; the rules say that nothing else may hold it. */
static void choose(struct ptx_scan *s, struct arena *arena,
                   const struct best *b, struct ptx_candidate *out) {
    ptx_scan_begin(s, b->begin);
    while (s->end < b->end)
        if (!ptx_scan_advance(s))
            BUG("region of pc %d to %d is none", b->begin, b->end);
    *out = ptx_scan_candidate(s, arena);
    for (int pc = b->begin; pc < b->end; pc++)
        s->taken[pc] = 1;
}

static void select_all(struct ptx_scan *s, struct arena *arena,
                       struct ptx_nearest *nearest,
                       struct ptx_candidates *out) {
    int n = s->a->function->n_instructions;
    struct heap h = {xcalloc((size_t)n + 1, sizeof *h.items), 0};
    ARRAY(struct ptx_candidate) list = {0};
    struct best b;
    for (int pc = 0; pc < n; pc++)
        if (scan(s, pc, &b, &nearest[pc]))
            push(&h, &b);
    while (h.n > 0) {
        b = pop(&h);
        if (!overlaps(s, &b))
            choose(s, arena, &b, array_push(&list));
        else if (scan(s, b.begin, &b, NULL))
            push(&h, &b);
    }
    free(h.items);
    array_sort(&list, by_begin);
    out->n = list.n;
    out->list = array_keep(&list, arena);
    array_free(&list);
}

void ptx_candidates_find(struct arena *arena, const struct ptx_analysis *a,
                         const struct ptx_candidate_options *options,
                         struct ptx_candidates *out) {
    struct ptx_scan s;
    struct ptx_nearest *nearest =
        xcalloc((size_t)a->function->n_instructions + 1, sizeof *nearest);
    ptx_scan_init(&s, arena, a, options);
    *out = (struct ptx_candidates){.scale = s.w.scale};
    select_all(&s, arena, nearest, out);
    ptx_misses_find(&s, arena, nearest, out);
    ptx_scan_free(&s);
    free(nearest);
}
