/* report.c - see ndpbist.h. */
#include "ndpbist.h"

#include "base/bits.h"

#include <inttypes.h>

enum { MOST_LINES = 20 };

/* The value of a port as hex digits. */
static void add_value(const struct flat *f, const struct design_port *p,
                      const struct flat_row *row, struct text *t) {
    int at = flat_place(f, p);
    for (int lo = (p->width - 1) / 4 * 4; lo >= 0; lo -= 4)
        text_printf(t, "%x",
                    (unsigned)bits_get(row->w, at + lo,
                                       p->width - lo < 4 ? p->width - lo : 4));
}

static bool is_equal(const struct flat *f, const struct design_port *p,
                     const struct flat_row *a, const struct flat_row *b) {
    int at = flat_place(f, p);
    for (int lo = 0; lo < p->width; lo++)
        if (bits_get(a->w, at + lo, 1) != bits_get(b->w, at + lo, 1))
            return false;
    return true;
}

static bool is_output(const struct design_port *p) {
    return flat_has(p) && p->dir == PORT_OUT;
}

/* Lines "edge output expected device". */
static void report_ports(const struct flat *f, const struct examined *e,
                         FILE *out) {
    const struct design *d = f->design;
    int lines = 0;
    fprintf(out, "%10s  %-20s %-16s %s\n", "edge", "output", "expected",
            "device");
    for (int i = 0; i < e->n; i++)
        for (int n = 0; n < d->n_ports; n++) {
            const struct design_port *p = &d->ports[n];
            const struct examined_edge *edge = &e->edges[i];
            if (!is_output(p) || is_equal(f, p, &edge->golden, &edge->device))
                continue;
            if (lines++ >= MOST_LINES)
                continue;
            struct text golden = {0}, device = {0};
            add_value(f, p, &edge->golden, &golden);
            add_value(f, p, &edge->device, &device);
            fprintf(out, "%10" PRIu64 "  %-20s %-16s %s\n",
                    e->from + (uint64_t)i, p->name, text_str(&golden),
                    text_str(&device));
            text_free(&golden);
            text_free(&device);
        }
    if (lines > MOST_LINES)
        fprintf(out, "%10s  and %d more\n", "", lines - MOST_LINES);
}

void report_wrong(const struct flat *f, const struct window *w,
                  const struct origin *o, const struct examined *e,
                  uint64_t passes, FILE *out) {
    if (o->file)
        fprintf(out, "window %d of %s, from its edge %" PRIu64 ": ", o->number,
                o->file, w->from);
    else
        fprintf(out, "free inputs from seed %u: ", (unsigned)w->seed);
    fprintf(out,
            "pass %" PRIu64 " of %" PRIu64
            " has signature %08x, expected %08x\n",
            e->pass + 1, passes, (unsigned)e->signature, (unsigned)e->expected);
    if (!e->again) {
        fputs("played once more, it is right: the difference does not come "
              "again, so look at clock and supply before the block\n",
              out);
        return;
    }
    fprintf(out,
            "the first wrong edge is %" PRIu64 " of %" PRIu64
            "; %d streamed back, %d wrong\n",
            e->first, w->length, e->n, e->wrong);
    report_ports(f, e, out);
}

void report_edges(const struct flat *f, const struct examined *e, FILE *out) {
    const struct design *d = f->design;
    fputs("edge\trst", out);
    for (int n = 0; n < d->n_ports; n++)
        if (flat_has(&d->ports[n]))
            fprintf(out, "\t%s", d->ports[n].name);
    for (int n = 0; n < d->n_ports; n++)
        if (is_output(&d->ports[n]))
            fprintf(out, "\tdevice:%s", d->ports[n].name);
    for (int i = 0; i < e->n; i++) {
        const struct examined_edge *edge = &e->edges[i];
        struct text t = {0};
        text_printf(&t, "\n%" PRIu64 "\t%d", e->from + (uint64_t)i, edge->rst);
        for (int n = 0; n < 2 * d->n_ports; n++) {
            const struct design_port *p = &d->ports[n % d->n_ports];
            bool of_device = n >= d->n_ports;
            if (!flat_has(p) || (of_device && p->dir == PORT_IN))
                continue;
            text_addc(&t, '\t');
            add_value(f, p,
                      of_device            ? &edge->device
                      : p->dir == PORT_OUT ? &edge->golden
                                           : &edge->stim,
                      &t);
        }
        fputs(text_str(&t), out);
        text_free(&t);
    }
    putc('\n', out);
}
