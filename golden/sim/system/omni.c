/* omni.c - the composition `omni`: its options, and a run: launches one after
 * another, cycle by cycle.
 *
 * A kernel starts when the one before has left all cores and nothing of it is
 * under way, with empty caches.
 */
#include "omni.h"

#include "omni_state.h"

#include "image_order.h"
#include "settings.h"
#include "shared/mesh.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- options */

static const struct option_spec specs[] = {
    {"mode", 0, "off|llc|omni",
     "Who computes chains: off, nobody but the cores; llc, memory nodes; omni, "
     "every node. Default: omni."},
    {"fma", 0, "exact|split",
     "f32 multiply-adds of which a chain could have the product: exact leaves "
     "them to the core, split breaks them in two, as the paper does, and "
     "rounds once more. Default: exact."},
    {"warps", 0, "N", "Warps resident on a core. Default: 48."},
    {"l1", 0, "BYTES", "L1 of a core. Default: 16384."},
    {"ways", 0, "N", "Ways of the L1. Default: 4."},
    {"mshrs", 0, "N", "Lines on their way to an L1. Default: 64."},
    {"l2", 0, "BYTES", "L2 of a memory node, of 16 ways. Default: 524288."},
    {"entries", 0, "N", "Of an offload queue. Default: 48."},
    {"places", 0, "N", "Of a service queue. Default: 96."},
    {"window", 0, "N",
     "Packets of chains that a core may have in flight at first; the limit "
     "then follows what service queues return. 0: no limit but --entries. "
     "Default: 24."},
    {"bandwidth", 0, "GB/S", "Of all memory nodes together. Default: 500."},
    {"clock", 0, "MHZ", "Of cores and mesh. Default: 1400."},
    {"scheduler", 0, "POLICY",
     "Of a core's warps: lrr, loose round robin; gto, greedy then oldest. "
     "Default: lrr."},
    {"mesh", 0, "WxH:NODES",
     "Columns, rows and the memory nodes (node = y * W + x), such as "
     "4x4:5,10; all other nodes are cores. Default: "
     "8x8:3,13,18,31,36,46,48,60."},
    {"loop", 0, "PATH",
     "A node's messages to itself: bypass, not through the mesh; router, "
     "through its network interface and router. Default: bypass."},
    {"channels", 0, "N",
     "Virtual channels of the mesh for requests, and as many for answers: 1, "
     "as on golden machines, to 4. Default: 2."},
    {NULL, 0, NULL, NULL}};

static const struct setting_number numbers[] = {
#define NUMBER(name, field, least, most)                                       \
    { name, offsetof(struct omni_settings, field), least, most }
    NUMBER("warps", warps, 1, CORE_MAX_SLOTS),
    NUMBER("l1", l1, CACHE_LINE, 1 << 26),
    NUMBER("ways", ways, 1, 1024),
    NUMBER("mshrs", mshrs, 1, 1024),
    NUMBER("l2", l2, 16 * CACHE_LINE, 1 << 30),
    NUMBER("entries", entries, 1, 4096),
    NUMBER("places", places, 0, 4096),
    NUMBER("window", window, 0, 4096),
    NUMBER("bandwidth", bandwidth, 1, 100000),
    NUMBER("clock", clock, 1, 100000),
    NUMBER("channels", channels, 1, 4),
    {NULL, 0, 0, 0},
#undef NUMBER
};

static const struct setting_choice choices[] = {
    {"mode", "off|llc|omni", offsetof(struct omni_settings, mode)},
    {"fma", "exact|split", offsetof(struct omni_settings, split)},
    {"loop", "bypass|router", offsetof(struct omni_settings, loop)},
    {"scheduler", "lrr|gto", offsetof(struct omni_settings, scheduler)},
    {NULL, NULL, 0},
};

static void *create(void) {
    struct omni_settings *s = xmalloc(sizeof *s);
    struct config c;
    config_defaults(&c);
    *s = (struct omni_settings){.mode = OMNI_ALL,
                                .warps = 48,
                                .l1 = 16384,
                                .ways = 4,
                                .mshrs = 64,
                                .l2 = 1 << 19,
                                .entries = 48,
                                .places = 96,
                                .window = 24,
                                .bandwidth = 500,
                                .clock = 1400,
                                .channels = (uint32_t)c.noc_lanes,
                                .width = (uint32_t)c.mesh_width,
                                .height = (uint32_t)c.mesh_height,
                                .memory_nodes = c.mesh_memory_nodes};
    return s;
}

/* "WxH:NODE,..." by the readers of mesh.width, mesh.height and
 * mesh.memory_nodes, and their check. */
static bool take_mesh(struct omni_settings *s, const char *value,
                      struct diag *d) {
    size_t w = strspn(value, "0123456789"), at = w + 1, h = 0;
    struct config c;
    char text[512];
    int errors = d->errors;

    if (value[w] == 'x')
        h = strspn(value + at, "0123456789");
    if (!w || !h || value[at + h] != ':' || strlen(value) > 400) {
        diag_error(d, (struct place){0},
                   "'--mesh' is '%s', expected columns, rows and memory nodes "
                   "as in 4x4:5,10",
                   value);
        return false;
    }
    config_defaults(&c);
    snprintf(text, sizeof text, "mesh.width=%.*s", (int)w, value);
    config_set(&c, text, d);
    snprintf(text, sizeof text, "mesh.height=%.*s", (int)h, value + at);
    config_set(&c, text, d);
    snprintf(text, sizeof text, "mesh.memory_nodes=[%s]", value + at + h + 1);
    config_set(&c, text, d);
    if (d->errors != errors || !mesh_check(&c, d))
        return false;
    s->width = (uint32_t)c.mesh_width;
    s->height = (uint32_t)c.mesh_height;
    s->memory_nodes = c.mesh_memory_nodes;
    return true;
}

static bool take(void *settings, const char *name, const char *value,
                 struct diag *d) {
    if (strcmp(name, "mesh") == 0)
        return take_mesh(settings, value, d);
    return setting_take(settings, numbers, choices, name, value, d);
}

static bool check(const void *settings, struct diag *d) {
    const struct omni_settings *s = settings;
    setting_check_cache("l1", s->l1, s->ways, d);
    if (s->l2 % (16 * CACHE_LINE) != 0)
        diag_error(d, (struct place){0},
                   "'--l2' is %u bytes, expected a multiple of 16 ways of %d "
                   "bytes",
                   s->l2, CACHE_LINE);
    return d->errors == 0;
}

/* ----------------------------------------------------------------- machine */

int omni_home(const struct omni_machine *m, uint64_t address) {
    const struct int_list *at = &m->config.mesh_memory_nodes;
    return (int)at->v[address / CACHE_LINE % (uint64_t)m->memories];
}

static void build_nodes(struct omni_machine *m) {
    const struct int_list *at = &m->config.mesh_memory_nodes;
    const struct omni_settings *s = m->settings;

    m->node = xcalloc((size_t)m->nodes, sizeof *m->node);
    m->core = xcalloc((size_t)m->nodes, sizeof(struct omni_node *));
    for (int i = 0; i < m->memories; i++)
        m->node[at->v[i]].memory = omni_memory_create(m, (int)at->v[i]);
    for (int i = 0; i < m->nodes; i++) {
        struct omni_node *n = &m->node[i];
        if (!n->memory) {
            n->core = omni_core_create(m, i);
            m->core[m->cores++] = n;
        }
        if (s->mode != OMNI_OFF && (n->memory || s->mode == OMNI_ALL))
            n->service = omni_service_create(m, i);
    }
}

static void build(struct omni_machine *m, const struct omni_settings *s,
                  const struct system_job *job) {
    const struct ptx_module *module = job->run ? run_module(job->run) : NULL;

    m->settings = s;
    m->job = job;
    config_defaults(&m->config);
    m->config.mesh_width = (int)s->width;
    m->config.mesh_height = (int)s->height;
    m->config.mesh_memory_nodes = s->memory_nodes;
    m->config.noc_lanes = (int)s->channels;
    m->width = m->config.mesh_width;
    m->nodes = m->width * m->config.mesh_height;
    m->memories = m->config.mesh_memory_nodes.n;
    m->reader = cta_reader_create(job->stream);
    m->plan = omni_plan_create(module, s->split);
    m->net = net_create(&m->config);
    m->result = xcalloc(1, sizeof *m->result);
    m->result->settings = *s;
    build_nodes(m);
}

static void tear_down(struct omni_machine *m) {
    for (int i = 0; i < m->nodes; i++) {
        struct omni_node *n = &m->node[i];
        omni_core_free(n->core);
        omni_memory_free(n->memory);
        omni_service_free(n->service);
        free(n->here.v);
        for (int class = 0; class < NOC_CLASSES; class ++)
            free(n->out[class].v);
    }
    net_free(m->net);
    omni_plan_free(m->plan);
    cta_reader_free(m->reader);
    arena_free(&m->arena);
    free(m->core);
    free(m->node);
}

/* CTAs to cores with room, one a core and cycle, from the one after the last
 * that got one. */
static void dispatch(struct omni_machine *m, struct cta_supply *supply) {
    uint32_t first = m->turn;
    for (uint32_t k = 0; k < m->cores && cta_supply_more(supply); k++) {
        uint32_t i = (first + k) % m->cores;
        const struct cta *c = cta_supply_peek(supply, i);
        if (!c || !omni_core_fits(m->core[i]->core, c))
            continue;
        omni_core_start(m->core[i]->core, cta_supply_take(supply, i));
        m->turn = (i + 1) % m->cores;
    }
}

static void step(struct omni_machine *m) {
    omni_deliver(m);
    for (int i = 0; i < m->nodes; i++) {
        struct omni_node *n = &m->node[i];
        bool busy = n->core && omni_core_step(n->core);
        if (n->memory)
            omni_memory_step(n->memory);
        if (n->service)
            omni_service_step(n->service, busy);
    }
    omni_leave(m);
    m->cycle++;
}

static bool busy(const struct omni_machine *m,
                 const struct cta_supply *supply) {
    if (m->under_way || cta_supply_more(supply))
        return true;
    for (uint32_t i = 0; i < m->cores; i++)
        if (!omni_core_idle(m->core[i]->core))
            return true;
    return false;
}

/* The user wants it to end. */
static bool stops(const struct omni_machine *m) {
    return m->cycle % OMNI_ASK_EVERY == 0 && m->job->go_on &&
           !m->job->go_on(m->job, m->cycle, 0);
}

/* False after an error, or if it is to end. */
static bool run_launch(struct omni_machine *m, struct cta_supply *supply,
                       const struct cta *c) {
    if (c->n_warps > m->settings->warps) {
        diag_error(m->job->diag, (struct place){0},
                   "%s: kernel '%s' has %u warps a CTA, a core holds %u (see "
                   "--warps)",
                   m->job->path, c->launch.kernel, c->n_warps,
                   m->settings->warps);
        return false;
    }
    for (int i = 0; i < m->nodes; i++) {
        if (m->node[i].core)
            omni_core_kernel(m->node[i].core);
        else
            omni_memory_kernel(m->node[i].memory);
    }
    m->turn = 0;
    m->result->launches++;
    while (busy(m, supply)) {
        if (stops(m))
            return false;
        dispatch(m, supply);
        step(m);
    }
    return true;
}

/* ------------------------------------------------------------------ result */

static void collect(struct omni_machine *m) {
    struct omni_result *r = m->result;

    r->cycles = m->cycle;
    for (int i = 0; i < m->nodes; i++) {
        if (m->node[i].core)
            omni_core_collect(m->node[i].core);
        else
            omni_memory_collect(m->node[i].memory);
        for (int side = NOC_NORTH; side < NOC_SIDES; side++)
            r->links += net_load(m->net, i, (enum noc_side)side);
    }
}

static void *run(const void *settings, const struct system_job *job) {
    struct omni_machine m = {0};
    const struct omni_settings *s = settings;
    const struct cta *c;

    if (!job->run && s->mode != OMNI_OFF) {
        diag_error(job->diag, (struct place){0},
                   "%s: chains are found in PTX, which a trace does not have; "
                   "use a run description, or --mode off",
                   job->path);
        return NULL;
    }
    build(&m, s, job);
    struct cta_supply *supply = cta_supply_create(m.reader, ORDER_RR, m.cores);
    while ((c = cta_supply_launch(supply)) && run_launch(&m, supply, c))
        ;
    cta_supply_free(supply);
    bool ok = job->diag->errors == 0;
    if (ok)
        collect(&m);
    tear_down(&m);
    if (ok)
        return m.result;
    free(m.result);
    return NULL;
}

const struct system_preset omni_preset = {
    .name = "omni",
    .doc = "opportunistic computing: 56 cores and 8 memory nodes on a mesh, "
           "chains computed where their operands meet",
    .specs = specs,
    .create = create,
    .take = take,
    .check = check,
    .run = run,
    .destroy_result = free,
    .page = omni_page,
    .heading = omni_heading,
    .row = omni_row,
    .json = omni_json,
};
