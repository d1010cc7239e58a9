/* regalloc.c - greedy colouring of the interference graph, class by class.
 *
 * Registers are coloured in the order in which their first span starts, each
 * with the lowest colour on which it overlaps nothing.  The graph itself is
 * never built: a colour keeps the spans that lie ahead of it, and colours in
 * the middle of a span wait in a heap until it ends.
 */
#include "regalloc.h"

#include "base/array.h"
#include "base/bits.h"

#include <stdlib.h>

/* What keeps the cost down: idle colours tried before a new one is made, and
 * spans ahead of a colour beyond which no more are put between them. */
enum { MAX_MISSES = 256, MAX_AHEAD = 256 };

struct colour {
    ARRAY(struct ptx_span) spans; /* ahead, ascending, disjoint */
    int head;                     /* first that has not ended */
};

struct wait {
    int end;
    int colour;
};

struct allocator {
    const struct ptx_live *live;
    ARRAY(struct colour) colours;
    ARRAY(uint64_t) idle; /* bit c: colour c is in no span, as far as known */
    ARRAY(struct wait) heap; /* the others, by end of their span */
    ARRAY(struct ptx_span) merged;
};

int ptx_kind_size(enum ptx_kind kind) {
    return kind == PTX_QUAD ? 4 : kind == PTX_PAIR ? 2 : 1;
}

/* ------------------------------------------------------- heap of busy ones */

static void heap_push(struct allocator *s, struct wait w) {
    array_push(&s->heap);
    int i = s->heap.n - 1;
    for (; i > 0 && s->heap.v[(i - 1) / 2].end > w.end; i = (i - 1) / 2)
        s->heap.v[i] = s->heap.v[(i - 1) / 2];
    s->heap.v[i] = w;
}

static struct wait heap_pop(struct allocator *s) {
    struct wait *heap = s->heap.v, top = heap[0], last = heap[--s->heap.n];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child + 1 < s->heap.n && heap[child + 1].end < heap[child].end)
            child++;
        if (child >= s->heap.n || heap[child].end >= last.end)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

/* ----------------------------------------------------------------- colours */

static void set_idle(struct allocator *s, int colour) {
    bits_set(s->idle.v, colour);
}

static void set_busy(struct allocator *s, int colour, int end) {
    bits_clear(s->idle.v, colour);
    heap_push(s, (struct wait){end, colour});
}

static int new_colour(struct allocator *s) {
    if (s->colours.n == 64 * s->idle.n)
        *array_push(&s->idle) = 0;
    *array_push(&s->colours) = (struct colour){0};
    return s->colours.n - 1;
}

/* Forget what has ended; true if a span covers the position. */
static bool covered(struct colour *c, int position) {
    while (c->head < c->spans.n && c->spans.v[c->head].end <= position)
        c->head++;
    return c->head < c->spans.n && c->spans.v[c->head].start <= position;
}

static bool overlaps(const struct colour *c, const struct ptx_span *v, int n) {
    int i = c->head, k = 0;
    while (i < c->spans.n && k < n) {
        if (c->spans.v[i].end <= v[k].start)
            i++;
        else if (v[k].end <= c->spans.v[i].start)
            k++;
        else
            return true;
    }
    return false;
}

/* Add v's spans to those ahead of the colour. */
static void occupy(struct allocator *s, struct colour *c,
                   const struct ptx_span *v, int n) {
    int i = c->head, k = 0;
    s->merged.n = 0;
    while (i < c->spans.n || k < n)
        *array_push(&s->merged) =
            k >= n || (i < c->spans.n && c->spans.v[i].start < v[k].start)
                ? c->spans.v[i++]
                : v[k++];
    c->spans.n = c->head = 0;
    for (int m = 0; m < s->merged.n; m++)
        *array_push(&c->spans) = s->merged.v[m];
}

/* Lowest idle colour that fits v, or a new one. */
static int choose(struct allocator *s, const struct ptx_span *v, int n) {
    int misses = 0;
    for (int w = 0; w < s->idle.n; w++)
        for (uint64_t bits = s->idle.v[w]; bits; bits &= bits - 1) {
            int c = 64 * w + __builtin_ctzll(bits);
            struct colour *colour = &s->colours.v[c];
            if (covered(colour, v[0].start))
                set_busy(s, c, colour->spans.v[colour->head].end);
            else if (colour->spans.n - colour->head <= MAX_AHEAD &&
                     !overlaps(colour, v, n))
                return c;
            else if (++misses > MAX_MISSES)
                return new_colour(s);
        }
    return new_colour(s);
}

static int colour_register(struct allocator *s, int reg) {
    const struct ptx_span *v = s->live->spans + s->live->at[reg];
    int n = s->live->at[reg + 1] - s->live->at[reg];
    while (s->heap.n > 0 && s->heap.v[0].end <= v[0].start)
        set_idle(s, heap_pop(s).colour);
    int c = choose(s, v, n);
    occupy(s, &s->colours.v[c], v, n);
    set_busy(s, c, v[0].end);
    return c;
}

/* ----------------------------------------------------------------- classes */

struct member {
    int start, reg;
};

static int by_start(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->reg > y->reg) - (x->reg < y->reg);
}

/* Colour the registers of one class; gives the number of colours. */
static int colour_class(const struct ptx_live *live, struct member *members,
                        int n, int *colours) {
    struct allocator s = {.live = live};
    qsort(members, (size_t)n, sizeof *members, by_start);
    for (int i = 0; i < n; i++)
        colours[members[i].reg] = colour_register(&s, members[i].reg);
    n = s.colours.n;
    for (int c = 0; c < n; c++)
        array_free(&s.colours.v[c].spans);
    array_free(&s.colours);
    array_free(&s.idle);
    array_free(&s.heap);
    array_free(&s.merged);
    return n;
}

/* Registers of one kind and location get indices from base on; gives how many
 * indices they take. */
static int allocate_class(const struct ptx_function *f,
                          const struct ptx_live *live,
                          const struct ptx_locations *l, enum ptx_kind kind,
                          int location, int base, struct member *members,
                          int *physical) {
    int n = 0, size = ptx_kind_size(kind);
    for (int r = 0; r < f->n_registers; r++)
        if (f->registers[r]->kind == kind && l->registers[r] == location &&
            live->at[r] < live->at[r + 1])
            members[n++] = (struct member){live->spans[live->at[r]].start, r};
    if (n == 0)
        return 0;
    int colours = colour_class(live, members, n, physical);
    for (int i = 0; i < n; i++)
        physical[members[i].reg] = base + size * physical[members[i].reg];
    return size * colours;
}

void ptx_allocate(struct arena *a, const struct ptx_function *f,
                  const struct ptx_live *live, const struct ptx_locations *l,
                  struct ptx_allocation *out) {
    /* wide kinds first: what follows a multiple of their size is aligned */
    static const enum ptx_kind kinds[] = {PTX_QUAD, PTX_PAIR, PTX_ROW,
                                          PTX_PRED_KIND};
    static const int locations[] = {PTX_LOC_F, PTX_LOC_N, PTX_LOC_B, PTX_LOC_U};
    struct member *members =
        xcalloc((size_t)f->n_registers + 1, sizeof *members);
    *out = (struct ptx_allocation){0};
    out->physical =
        arena_array(a, (size_t)f->n_registers, sizeof *out->physical);
    for (int r = 0; r < f->n_registers; r++)
        out->physical[r] = -1;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++) {
            int n = allocate_class(f, live, l, kinds[k], locations[i],
                                   out->total, members, out->physical);
            out->counts[locations[i]] += n;
            out->total += n;
        }
    free(members);
}
