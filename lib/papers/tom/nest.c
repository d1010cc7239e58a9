/* nest.c - what the trip counts of loops multiply.
 *
 * Inner loops come after the loops around them in ptx_loops, so one sweep
 * backwards has each loop's own accesses and those of its inner loops ready
 * when it is that loop's turn.
 */
#include "parts.h"

#include <stdlib.h>

struct ptx_traffic ptx_traffic_times(struct ptx_traffic t, int64_t by) {
    return (struct ptx_traffic){ptx_mul_clamped(t.loads, by),
                                ptx_mul_clamped(t.stores, by)};
}

void ptx_traffic_add(struct ptx_traffic *to, struct ptx_traffic t) {
    to->loads = ptx_add_clamped(to->loads, t.loads);
    to->stores = ptx_add_clamped(to->stores, t.stores);
}

struct ptx_polynomial ptx_poly_add(struct ptx_polynomial a,
                                   struct ptx_polynomial b, int sign) {
    for (int i = 0; i < PTX_DEGREES; i++)
        a.c[i] = ptx_add_clamped(a.c[i], sign * b.c[i]);
    return a;
}

int ptx_poly_compare(const struct ptx_polynomial *a,
                     const struct ptx_polynomial *b) {
    for (int i = PTX_DEGREES - 1; i >= 0; i--)
        if (a->c[i] != b->c[i])
            return a->c[i] < b->c[i] ? -1 : 1;
    return 0;
}

static struct ptx_polynomial scaled(struct ptx_polynomial p, int64_t by) {
    for (int i = 0; i < PTX_DEGREES; i++)
        p.c[i] = ptx_mul_clamped(p.c[i], by);
    return p;
}

struct ptx_polynomial ptx_nest_times(const struct ptx_loop *l,
                                     struct ptx_polynomial p) {
    struct ptx_polynomial out = {{0}};
    if (l->trip.kind == PTX_TRIP_STATIC)
        return scaled(p, l->trip.count);
    for (int i = 0; i < PTX_DEGREES; i++) {
        int to = i + 1 < PTX_DEGREES ? i + 1 : i;
        out.c[to] = ptx_add_clamped(out.c[to], p.c[i]);
    }
    return out;
}

/* Not by taking p from p times the count: those may both be at their limit. */
struct ptx_polynomial ptx_nest_more(const struct ptx_loop *l,
                                    struct ptx_polynomial p) {
    if (l->trip.kind == PTX_TRIP_STATIC)
        return scaled(p, l->trip.count - 1);
    return ptx_poly_add(ptx_nest_times(l, p), p, -1);
}

struct ptx_polynomial ptx_nest_out(const struct ptx_loops *loops, int l,
                                   struct ptx_polynomial p) {
    for (; l >= 0; l = loops->loops[l].parent)
        p = ptx_nest_times(&loops->loops[l], p);
    return p;
}

static void widen(struct ptx_nest_loop *l, int lo, int hi) {
    l->lo = lo < l->lo ? lo : l->lo;
    l->hi = hi > l->hi ? hi : l->hi;
}

/* Where the loops stand in the text. */
static void find_ranges(const struct ptx_analysis *a, struct ptx_nest *nest) {
    for (int i = 0; i < a->loops.n_loops; i++)
        nest->loops[i].lo = a->function->n_instructions;
    for (int b = 0; b < a->cfg.n_blocks; b++) {
        int l = a->loops.innermost[b];
        if (l >= 0)
            widen(&nest->loops[l], a->cfg.blocks[b].begin,
                  a->cfg.blocks[b].end);
    }
    for (int i = a->loops.n_loops - 1; i >= 0; i--) {
        const struct ptx_nest_loop *l = &nest->loops[i];
        int parent = a->loops.loops[i].parent;
        if (parent >= 0)
            widen(&nest->loops[parent], l->lo, l->hi);
    }
}

static void add_traffic(struct ptx_nest_loop *to, struct ptx_traffic t,
                        struct ptx_polynomial p) {
    ptx_traffic_add(&to->once, t);
    to->poly = ptx_poly_add(to->poly, p, 1);
}

/* Accesses of each block to its innermost loop. */
static void add_blocks(const struct ptx_analysis *a,
                       const struct ptx_weights *w, struct ptx_nest *nest) {
    for (int pc = 0; pc < a->function->n_instructions; pc++) {
        const struct ptx_instruction *in = &a->function->instructions[pc];
        int loop = a->loops.innermost[a->cfg.block_of[pc]];
        struct ptx_traffic t = {ptx_load_words(in), ptx_store_words(in)};
        struct ptx_polynomial p = {{t.loads * (w->load_tx + w->load_rx) +
                                    t.stores * (w->store_tx + w->store_rx)}};
        if (loop >= 0)
            add_traffic(&nest->loops[loop], t, p);
    }
}

/* A loop's accesses to the one around it, innermost first. */
static void add_inner(const struct ptx_analysis *a, struct ptx_nest *nest) {
    for (int i = a->loops.n_loops - 1; i >= 0; i--) {
        const struct ptx_loop *l = &a->loops.loops[i];
        const struct ptx_nest_loop *from = &nest->loops[i];
        int64_t n = l->trip.kind == PTX_TRIP_STATIC ? l->trip.count : 1;
        struct ptx_traffic t = ptx_traffic_times(from->once, n);
        if (l->parent < 0)
            continue;
        nest->loops[l->parent].inner++;
        add_traffic(&nest->loops[l->parent], t, ptx_nest_times(l, from->poly));
    }
}

/* Lists of the loops that end at each pc. */
static void list_ends(struct arena *arena, const struct ptx_analysis *a,
                      struct ptx_nest *nest) {
    int n = a->function->n_instructions, m = a->loops.n_loops;
    nest->end_at = arena_array(arena, (size_t)n + 2, sizeof *nest->end_at);
    nest->ends = arena_array(arena, (size_t)m + 1, sizeof *nest->ends);
    for (int i = 0; i < m; i++)
        nest->end_at[nest->loops[i].hi + 1]++;
    for (int pc = 0; pc <= n; pc++)
        nest->end_at[pc + 1] += nest->end_at[pc];
    int *next = xcalloc((size_t)n + 1, sizeof *next);
    for (int i = m - 1; i >= 0; i--) {
        int hi = nest->loops[i].hi;
        nest->ends[nest->end_at[hi] + next[hi]++] = i;
    }
    free(next);
}

void ptx_nest_find(struct arena *arena, const struct ptx_analysis *a,
                   const struct ptx_weights *w, struct ptx_nest *nest) {
    size_t n = (size_t)a->loops.n_loops + 1;
    nest->loops = arena_array(arena, n, sizeof *nest->loops);
    for (int i = 0; i < a->loops.n_loops; i++) {
        struct ptx_nest_loop *l = &nest->loops[i];
        const struct ptx_trip *trip = &a->loops.loops[i].trip;
        l->reg = ptx_trip_register(a->function, trip, &l->why);
        l->several = ptx_trip_several(a->function, trip);
    }
    find_ranges(a, nest);
    add_blocks(a, w, nest);
    add_inner(a, nest);
    list_ends(arena, a, nest);
}
