/* golden.c - the list of golden models, and what they have in common: creation,
 * reset, register block, cover points.
 *
 * blocks/all.h names the declarations; each has a class of its name, and a
 * system gets the composite one.
 */
#include "golden.h"

#include "base/arena.h"
#include "blocks/all.h"
#include "composite.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(name) extern const struct golden_class name##_golden;
NDP_LEAVES(DECLARE)

#define SYSTEM(name) extern const struct iface name##_iface;
NDP_SYSTEMS(SYSTEM)
#undef SYSTEM

#define LEAF(name) &name##_golden,
static const struct golden_class *const leaves[] = {NDP_LEAVES(LEAF) NULL};

#define SYSTEM(name) COMPOSITE_CLASS(name##_iface),
static const struct golden_class systems[] = {NDP_SYSTEMS(SYSTEM){.size = 0}};
#undef SYSTEM

enum {
    N_LEAVES = sizeof leaves / sizeof leaves[0] - 1,
    N_SYSTEMS = sizeof systems / sizeof systems[0] - 1
};

const struct golden_class *golden_at(int n) {
    if (n < 0 || n >= N_LEAVES + N_SYSTEMS)
        return NULL;
    return n < N_LEAVES ? leaves[n] : &systems[n - N_LEAVES];
}

const struct golden_class *golden_find(const char *name) {
    const struct golden_class *k;
    for (int n = 0; (k = golden_at(n)); n++)
        if (strcmp(k->iface->name, name) == 0)
            return k;
    return NULL;
}

const struct iface *golden_iface(const struct golden_class *k) {
    return k->iface;
}

/* --- an instance ---------------------------------------------------------- */

static void *out_of(struct golden *g) {
    return (char *)g + g->class->out;
}

static int find_cover(const struct iface *b, const char *name) {
    for (int i = 0; i < b->n_covers; i++)
        if (strcmp(b->covers[i].name, name) == 0)
            return i;
    return -1;
}

static void reset(struct golden *g) {
    regs_reset(&g->regs);
    memset(out_of(g), 0, g->class->iface->out_size);
    g->class->reset(g);
}

struct golden *golden_create(const struct golden_class *k,
                             const struct config *c) {
    struct golden *g = xcalloc(1, k->size);

    g->class = k;
    g->design = design_make(k->iface, c);
    g->covers = xcalloc((size_t)k->iface->n_covers + 1, sizeof *g->covers);
    g->cleared = find_cover(k->iface, "counters_cleared");
    if (iface_has_registers(k->iface))
        regs_open(&g->regs, g->design);
    k->open(g, c);
    if (!k->cycle)
        reset(g);
    return g;
}

void golden_free(struct golden *g) {
    if (!g)
        return;
    if (g->class->close)
        g->class->close(g);
    design_free(g->design);
    free(g->covers);
    free(g);
}

static void move_registers(struct golden *g, const void *in) {
    int index;
    uint32_t before;
    enum regs_effect effect =
        regs_cycle(&g->regs, true, in, g->events, out_of(g), &index, &before);

    if (effect == REGS_CLEARED && g->cleared >= 0)
        g->covers[g->cleared]++;
    if (effect == REGS_WROTE_SETTING && g->class->written)
        g->class->written(g, index, before);
}

const void *golden_cycle(struct golden *g, bool rst, const void *in) {
    if (g->class->cycle)
        return g->class->cycle(g, rst, in);
    if (rst) {
        reset(g);
        return out_of(g);
    }
    g->events = 0;
    if (g->regs.design)
        regs_look(&g->regs, in);
    g->class->edge(g, in);
    if (g->regs.design)
        move_registers(g, in);
    return out_of(g);
}

const void *golden_step(struct golden *g, bool rst, const void *in) {
    return g->class->step ? g->class->step(g, rst, in)
                          : golden_cycle(g, rst, in);
}

uint64_t golden_rest(const struct golden *g, const void *in) {
    if (!g->class->rest || (g->regs.design && !regs_rest(&g->regs, in)))
        return 0;
    return g->class->rest(g, in);
}

void golden_slept(struct golden *g, uint64_t edges) {
    if (g->regs.design)
        regs_count(&g->regs, g->events, edges);
    if (g->class->slept)
        g->class->slept(g, edges);
}

const uint64_t *golden_covers(const struct golden *g) {
    return g->class->covers ? g->class->covers(g) : g->covers;
}

const struct design *golden_design(const struct golden *g) {
    return g->design;
}

uint32_t golden_counter(const struct golden *g, int counter) {
    return g->regs.counter[counter];
}
