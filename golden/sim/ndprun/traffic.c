/* traffic.c - see traffic.h.
 *
 * The port of a golden machine that is looked at after each edge.  A router's
 * output shows a flit for the one edge on which it is on the link.
 */
#include "traffic.h"

#include "base/arena.h"
#include "blocks/broker.h"
#include "blocks/host.h"
#include "blocks/link.h"
#include "blocks/memory.h"
#include "blocks/nic.h"
#include "blocks/router.h"
#include "blocks/simt.h"
#include "iface/system.h"
#include "runtime/golden_port.h"

#include <stdlib.h>
#include <string.h>

enum { RUNNING = 1 }; /* simt's port state, docs/blocks/simt.md */
enum kind { ROUTER, CORE, HOST, NIC, MEMORY, LINK, KINDS };

static const char *const blocks[KINDS] = {"router", "simt",   "host",
                                          "nic",    "memory", "link"};

struct part { /* of those that are looked at */
    enum kind kind;
    int n;     /* its number among those of its kind */
    size_t at; /* its outputs, in those of the machine */
    /* of a link, a bit for each virtual channel: a packet has begun, of a block */
    uint64_t begun, block;
};

struct traffic_port {
    struct ndp_port base;
    struct ndp_port *machine;
    struct golden_port_looker looker;
    struct part *parts;
    int n_parts;
    struct traffic counted;
    struct traffic_links links;
    bool has_memory[TRAFFIC_MOST_NODES];
    struct broker_local broker; /* of a machine with links */
};

static void count(struct traffic *t, uint64_t *link, uint64_t valid,
                  uint64_t last) {
    t->flit_hops += valid;
    t->hops += valid & last;
    *link += valid;
}

static void look_at_links(struct traffic *t, uint64_t link[TRAFFIC_SIDES],
                          const struct router_out *r) {
    count(t, &link[0], r->n_out_valid, r->n_out_last);
    count(t, &link[1], r->e_out_valid, r->e_out_last);
    count(t, &link[2], r->s_out_valid, r->s_out_last);
    count(t, &link[3], r->w_out_valid, r->w_out_last);
}

/* What nodes with a memory send and receive, and what memories answer. */
static void look_at_memories(struct traffic_port *p, const struct part *part,
                             const void *outputs) {
    struct traffic *t = &p->counted;
    const struct router_out *router = outputs;
    const struct nic_out *nic = outputs;
    const struct memory_out *memory = outputs;
    if (part->kind == MEMORY)
        t->memory_answers += memory->rsp_valid;
    else if (part->kind == NIC && p->has_memory[part->n])
        t->memory_sends += nic->up_valid;
    else if (part->kind == ROUTER && p->has_memory[part->n])
        t->memory_receives += router->l_out_valid;
}

/* Links to the stacks come first, then those from them (lib/shared/stacks.c). */
static void look_at_link(struct traffic_port *p, struct part *part,
                         const struct link_out *l) {
    int way = part->n / (int)p->counted.memories;
    uint64_t vc = (uint64_t)1 << l->to_vc;
    uint64_t mark = l->to_data[0] & (((uint64_t)1 << p->broker.MARK_W) - 1);
    if (!l->to_valid)
        return;
    way = way < TRAFFIC_BETWEEN ? way : TRAFFIC_BETWEEN;
    if (!(part->begun & vc) && mark == (uint64_t)p->broker.MOVE_MARK)
        part->block |= vc;
    p->counted.link_flits[way]++;
    p->counted.link_blocks[way] += (part->block & vc) != 0;
    part->begun = l->to_last ? part->begun & ~vc : part->begun | vc;
    if (l->to_last)
        part->block &= ~vc;
}

static void look_at_part(struct traffic_port *p, struct part *part,
                         const void *outputs) {
    if (part->kind == LINK)
        look_at_link(p, part, outputs);
    if (part->kind == ROUTER)
        look_at_links(&p->counted, p->links.flits[part->n], outputs);
    look_at_memories(p, part, outputs);
}

/* After an edge.  Whether something is under way: of a core, or of the host's
 * window. */
static bool look(void *ctx, const void *inputs, const void *outputs) {
    (void)inputs;
    struct traffic_port *p = ctx;
    bool busy = false, host_busy = false;
    for (int i = 0; i < p->n_parts; i++) {
        const void *part = (const char *)outputs + p->parts[i].at;
        const struct simt_out *core = part;
        const struct host_out *host = part;
        if (p->parts[i].kind == CORE)
            busy |= core->state == RUNNING || !core->quiet;
        else if (p->parts[i].kind == HOST)
            host_busy |= host->win_valid;
    }
    p->counted.edges += busy;
    for (int i = 0; i < p->n_parts && busy; i++)
        look_at_part(p, &p->parts[i], (const char *)outputs + p->parts[i].at);
    return busy || host_busy;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct ndp_port *machine = ((struct traffic_port *)port)->machine;
    bool ok = machine->class->run(machine, list, n, why);
    port->edges = machine->edges;
    return ok;
}

static void copy(struct ndp_port *port, bool write, uint32_t at,
                 uint32_t *words, size_t n, bool *left) {
    struct ndp_port *machine = ((struct traffic_port *)port)->machine;
    machine->class->copy(machine, write, at, words, n, left);
}

static void close(struct ndp_port *port) {
    struct traffic_port *p = (struct traffic_port *)port;
    p->machine->class->close(p->machine);
    free(p->parts);
    free(p);
}

static const struct ndp_port_class traffic_class = {
    .run = run, .close = close, .copy = copy};

/* Parts that are looked at.  False: no router is among them. */
static bool find_parts(struct traffic_port *p) {
    const struct design *d = golden_port_design(p->machine);
    int n[KINDS] = {0};
    p->parts = xcalloc((size_t)system_n(d), sizeof *p->parts);
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *part = system_instance(d, i);
        for (enum kind k = 0; k < KINDS; k++)
            if (strcmp(part->design->iface->name, blocks[k]) == 0) {
                p->parts[p->n_parts++] =
                    (struct part){k, n[k]++, part->out_offset, 0, 0};
            }
    }
    p->links.n = n[ROUTER];
    p->counted.has_links = n[LINK] > 0;
    return p->links.n > 0 && p->links.n <= TRAFFIC_MOST_NODES;
}

static void find_memories(struct traffic_port *p, const struct config *c) {
    p->counted.memories = (uint64_t)c->share_nodes;
    for (int i = 0; i < c->share_nodes; i++)
        p->has_memory[c->share_place ? c->mesh_memory_nodes.v[i] : i] = true;
}

struct ndp_port *traffic_open(const char *what, struct text *why) {
    struct config c;
    struct ndp_port *machine =
        golden_port_config(what, &c, why) ? golden_port_open(what, why) : NULL;
    if (!machine)
        return NULL;
    struct traffic_port *p = xcalloc(1, sizeof *p);
    p->base.class = &traffic_class;
    p->base.refresh = machine->refresh;
    p->machine = machine;
    p->links.width = c.mesh_width;
    p->broker = broker_local(&c);
    find_memories(p, &c);
    p->looker = (struct golden_port_looker){look, p};
    if (find_parts(p)) {
        golden_port_look(machine, &p->looker);
        return &p->base;
    }
    text_printf(why, "'golden:%s' has no mesh whose traffic can be counted",
                what);
    close(&p->base);
    return NULL;
}

void traffic_clear(struct ndp_port *p) {
    struct traffic_port *t = (struct traffic_port *)p;
    t->counted = (struct traffic){.memories = t->counted.memories,
                                  .has_links = t->counted.has_links};
    memset(t->links.flits, 0, sizeof t->links.flits);
}

struct traffic traffic_read(const struct ndp_port *p) {
    return ((const struct traffic_port *)p)->counted;
}

const struct traffic_links *traffic_links(struct ndp_port *p) {
    struct traffic_port *t = (struct traffic_port *)p;
    t->links.edges = t->counted.edges;
    return &t->links;
}
