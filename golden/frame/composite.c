/* composite.c - see composite.h. */
#include "composite.h"

#include "base/arena.h"
#include "iface/system.h"

#include <stdlib.h>
#include <string.h>

void composite_open(struct golden *g, const struct config *c) {
    struct composite *s = (struct composite *)g;
    int n = system_n(g->design);

    s->part = xcalloc((size_t)n + 1, sizeof(struct golden *));
    for (int i = 0; i < n; i++) {
        const struct system_part *at = system_instance(g->design, i);
        s->part[i] = golden_create(golden_find(at->design->iface->name), c);
    }
    s->in = xcalloc(1, g->design->in_size);
    s->out = xcalloc(1, g->design->out_size);
}

void composite_close(struct golden *g) {
    struct composite *s = (struct composite *)g;

    for (int i = 0; i < system_n(g->design); i++)
        golden_free(s->part[i]);
    free(s->part);
    free(s->in);
    free(s->out);
}

/* The register port: the system's own registers answer where nobody else does,
 * with the words of a block without settings and counters. */
static void move_bus(struct composite *s) {
    const struct design *d = s->base.design;
    uint64_t *own_dat_r =
        (uint64_t *)(void *)((char *)s->out + s->base.regs.dat_r);
    uint64_t *own_ack = (uint64_t *)(void *)((char *)s->out + s->base.regs.ack);
    uint64_t dat_r, ack;
    uint32_t before;
    int index;

    regs_cycle(&s->base.regs, system_bus_is_own(d, s->in) && !*own_ack, s->in,
               0, s->out, &index, &before);
    system_bus_answer(d, s->out, &dat_r, &ack);
    *own_dat_r |= dat_r;
    *own_ack |= ack;
}

const void *composite_cycle(struct golden *g, bool rst, const void *in) {
    struct composite *s = (struct composite *)g;
    const struct design *d = g->design;

    if (!rst) {
        memcpy(s->in, in, d->in_size);
        system_inputs(d, s->in, s->out);
    }
    if (rst)
        regs_reset(&g->regs);
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *at = system_instance(d, i);
        const void *out =
            golden_cycle(s->part[i], rst, (char *)s->in + at->in_offset);
        memcpy((char *)s->out + at->out_offset, out, at->design->out_size);
    }
    if (rst)
        memset(s->out, 0, d->iface->out_size);
    else
        move_bus(s);
    return s->out;
}

/* What follows the instance's name, or that of its group, and '_'; NULL if the
 * cover point is none of that instance. */
static const char *cover_of(const struct system_part *at, const char *name) {
    const char *const first[] = {at->name, at->group};

    for (int i = 0; i < 2; i++) {
        size_t len = strlen(first[i]);
        if (strncmp(name, first[i], len) == 0 && name[len] == '_')
            return name + len + 1;
    }
    return NULL;
}

/* A system's cover point "<instance>_<cover>" is that of the instance; with the
 * name of INSTANCES it is that of all of them together. */
const uint64_t *composite_covers(const struct golden *g) {
    const struct composite *s = (const struct composite *)g;
    const struct design *d = g->design;

    memset(g->covers, 0, (size_t)d->iface->n_covers * sizeof *g->covers);
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *at = system_instance(d, i);
        const struct iface *b = at->design->iface;
        for (int c = 0; c < d->iface->n_covers; c++) {
            const char *name = cover_of(at, d->iface->covers[c].name);
            for (int k = 0; name && k < b->n_covers; k++)
                if (strcmp(b->covers[k].name, name) == 0)
                    g->covers[c] += golden_covers(s->part[i])[k];
        }
    }
    return g->covers;
}

struct golden *composite_part(struct golden *g, int instance) {
    return ((struct composite *)g)->part[instance];
}
