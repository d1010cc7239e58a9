/* traffic.c - see traffic.h.
 *
 * A port as golden_port.c has one, whose machine is looked at after each edge.
 * A router's output shows a flit for the one edge on which it is on the link.
 */
#include "traffic.h"

#include "base/arena.h"
#include "blocks/host.h"
#include "blocks/router.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "runtime/golden_port.h"

#include <stdlib.h>
#include <string.h>

enum { RUNNING = 1 }; /* simt's port state, docs/blocks/simt.md */

struct part { /* one of these */
    const struct router_out *router;
    const struct simt_out *core;
    const struct host_out *host;
};

struct traffic_port {
    struct ndp_port base;
    struct design *design;
    struct golden *machine;
    struct system_in *in;
    const struct system_out *out; /* of the register port; it stays there */
    struct part *parts;
    int n_parts, relays;
    bool busy, host_busy; /* a core; the host's window */
    struct traffic counted;
};

static void count(struct traffic *t, uint64_t valid, uint64_t last) {
    t->flit_hops += valid;
    t->hops += valid & last;
}

static void look(struct traffic_port *p) {
    p->busy = p->host_busy = false;
    for (int i = 0; i < p->n_parts; i++) {
        const struct simt_out *core = p->parts[i].core;
        const struct host_out *host = p->parts[i].host;
        p->busy |= core && (core->state == RUNNING || !core->quiet);
        p->host_busy |= host && host->win_valid;
    }
    p->counted.edges += p->busy;
    for (int i = 0; i < p->n_parts && p->busy; i++) {
        const struct router_out *r = p->parts[i].router;
        if (!r)
            continue;
        count(&p->counted, r->n_out_valid, r->n_out_last);
        count(&p->counted, r->e_out_valid, r->e_out_last);
        count(&p->counted, r->s_out_valid, r->s_out_last);
        count(&p->counted, r->w_out_valid, r->w_out_last);
    }
}

static void edge(struct traffic_port *p) {
    golden_cycle(p->machine, false, p->in);
    look(p);
}

/* A pause is there for what the host has asked for: it may end when that is
 * over, and then software need not be as patient as the slowest access wants it
 * to be.  A command is on its way for less edges than there are parts. */
static void pause_for(struct traffic_port *p, uint32_t edges) {
    for (uint32_t n = 0; n < edges; n++) {
        if (n > (uint32_t)p->relays + 8 && !p->busy && !p->host_busy)
            break;
        edge(p);
    }
}

/* An access takes an edge, and one more on which its acknowledge goes away. */
static bool take(struct traffic_port *p, struct ndp_access *a) {
    if (a->kind == NDP_IDLE) {
        pause_for(p, a->data);
        return true;
    }
    *p->in = (struct system_in){.wb_cyc = 1,
                                .wb_stb = 1,
                                .wb_we = a->kind == NDP_WRITE,
                                .wb_adr = a->address,
                                .wb_dat_w = a->data,
                                .wb_sel = 15};
    edge(p);
    p->in->wb_cyc = p->in->wb_stb = 0;
    if (a->kind == NDP_READ)
        a->data = (uint32_t)p->out->wb_dat_r;
    bool acked = p->out->wb_ack;
    edge(p);
    return acked;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    for (int i = 0; i < n; i++)
        if (!take((struct traffic_port *)port, &list[i])) {
            text_printf(why, "no acknowledge at word %u",
                        (unsigned)list[i].address);
            return false;
        }
    return true;
}

static void close(struct ndp_port *port) {
    struct traffic_port *p = (struct traffic_port *)port;
    golden_free(p->machine);
    design_free(p->design);
    free(p->parts);
    free(p->in);
    free(p);
}

static const struct ndp_port_class traffic_class = {run, NULL, close};

struct ndp_port *traffic_open(const char *what, struct text *why) {
    struct config c;
    if (!golden_port_config(what, &c, why))
        return NULL;
    const struct iface *machine = golden_port_iface(&c);
    struct traffic_port *p = xcalloc(1, sizeof *p);
    p->base.class = &traffic_class;
    p->design = design_make(machine, &c);
    p->machine = golden_create(golden_find(machine->name), &c);
    p->in = xcalloc(1, p->design->in_size);
    const char *out = golden_cycle(p->machine, true, p->in);
    p->out = (const void *)out;
    p->n_parts = system_n(p->design);
    p->parts = xcalloc((size_t)p->n_parts, sizeof *p->parts);
    bool mesh = false;
    for (int i = 0; i < p->n_parts; i++) {
        const struct system_part *at = system_instance(p->design, i);
        const void *outputs = out + at->out_offset;
        const char *block = at->design->iface->name;
        if (strcmp(block, "router") == 0)
            p->parts[i].router = outputs;
        else if (strcmp(block, "simt") == 0)
            p->parts[i].core = outputs;
        else if (strcmp(block, "host") == 0)
            p->parts[i].host = outputs;
        p->relays += strcmp(block, "relay") == 0;
        mesh |= p->parts[i].router != NULL;
    }
    if (mesh)
        return &p->base;
    text_printf(why, "'golden:%s' has no mesh whose traffic can be counted",
                what);
    close(&p->base);
    return NULL;
}

void traffic_clear(struct ndp_port *p) {
    ((struct traffic_port *)p)->counted = (struct traffic){0};
}

struct traffic traffic_read(const struct ndp_port *p) {
    return ((const struct traffic_port *)p)->counted;
}
