/* flat.c - see flat.h. */
#include "flat.h"

#include "base/bits.h"

#include <string.h>

bool flat_has(const struct design_port *p) {
    return p->dir != PORT_GROUP && !p->internal;
}

void flat_init(struct flat *f, const struct design *d) {
    *f = (struct flat){.design = d};
    for (int i = 0; i < d->n_ports; i++)
        if (flat_has(&d->ports[i]))
            *(d->ports[i].dir == PORT_IN ? &f->in_bits : &f->out_bits) +=
                d->ports[i].width;
}

int flat_place(const struct flat *f, const struct design_port *p) {
    int at = 0;
    for (const struct design_port *q = f->design->ports; q < p; q++)
        if (flat_has(q) && q->dir == p->dir)
            at += q->width;
    return at;
}

void flat_to_in(const struct flat *f, const struct flat_row *row, void *in) {
    int at = 0;
    for (int i = 0; i < f->design->n_ports; i++) {
        const struct design_port *p = &f->design->ports[i];
        if (!flat_has(p) || p->dir != PORT_IN)
            continue;
        uint64_t *value = (uint64_t *)(void *)((char *)in + p->offset);
        for (int lo = 0; lo < p->width; lo += 64)
            value[lo / 64] = bits_get(row->w, at + lo,
                                      p->width - lo < 64 ? p->width - lo : 64);
        at += p->width;
    }
}

void flat_from_out(const struct flat *f, const void *out,
                   struct flat_row *row) {
    int at = 0;
    memset(row, 0, sizeof *row);
    for (int i = 0; i < f->design->n_ports; i++) {
        const struct design_port *p = &f->design->ports[i];
        if (!flat_has(p) || p->dir != PORT_OUT)
            continue;
        const uint64_t *value =
            (const uint64_t *)(const void *)((const char *)out + p->offset);
        for (int lo = 0; lo < p->width; lo += 64)
            bits_or(row->w, at + lo, p->width - lo < 64 ? p->width - lo : 64,
                    value[lo / 64]);
        at += p->width;
    }
}
