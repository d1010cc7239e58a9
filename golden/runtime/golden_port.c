/* golden_port.c - see golden_port.h. */
#include "golden_port.h"

#include "base/arena.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "frame/golden.h"
#include "iface/machine.h"
#include "iface/system.h"

#include <stdlib.h>
#include <string.h>

/* Their register ports are a system's. */
extern const struct iface banked_iface, cluster_iface, chained_iface,
    mpu_core_iface, mpu_mesh_iface;

struct golden_port {
    struct ndp_port base;
    struct golden *machine;
    struct design *design;
    void *in;
    const struct system_out *out; /* its register port */
    size_t core;                  /* where the core's outputs begin */
    const struct ndp_watcher *watcher;
    uint64_t edges; /* since watch */
    const struct golden_port_looker *looker;
    bool rests; /* it has said that nothing is under way */
};

static void tell(struct golden_port *p) {
    const struct simt_out *o =
        (const void *)((const char *)(const void *)p->out + p->core);
    uint32_t values[32];
    if (!o->ret_valid)
        return;
    for (int i = 0; i < 32; i++)
        values[i] = (uint32_t)(o->ret_value[i / 2] >> 32 * (i % 2));
    struct ndp_retired r = {.edge = p->edges,
                            .warp = (uint32_t)o->ret_warp,
                            .pc = (uint32_t)o->ret_pc,
                            .pass = (uint32_t)o->ret_pass,
                            .kind = (int)o->ret_kind,
                            .mask = (uint32_t)o->ret_mask,
                            .d = (uint32_t)o->ret_d,
                            .values = values};
    p->watcher->retired(p->watcher->ctx, &r);
}

static void edge(struct golden_port *p) {
    p->out = golden_cycle(p->machine, false, p->in);
    p->edges++;
    if (p->watcher)
        tell(p);
    if (p->looker)
        p->rests = !p->looker->look(p->looker->ctx, p->out);
}

/* An access takes an edge, and one more on which its acknowledge goes away. */
static bool take(struct golden_port *p, struct ndp_access *a) {
    struct system_in *in = p->in;
    if (a->kind == NDP_IDLE) {
        uint32_t least = (uint32_t)system_n(p->design);
        for (uint32_t n = 0; n < a->data && (!p->rests || n < least); n++)
            edge(p);
        return true;
    }
    in->wb_cyc = in->wb_stb = 1;
    in->wb_we = a->kind == NDP_WRITE;
    in->wb_adr = a->address;
    in->wb_dat_w = a->data;
    in->wb_sel = 15;
    edge(p);
    in->wb_cyc = in->wb_stb = 0;
    if (a->kind == NDP_READ)
        a->data = (uint32_t)p->out->wb_dat_r;
    bool acked = p->out->wb_ack;
    edge(p);
    return acked;
}

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    for (int i = 0; i < n; i++)
        if (!take((struct golden_port *)port, &list[i])) {
            text_printf(why, "no acknowledge at word %u",
                        (unsigned)list[i].address);
            return false;
        }
    return true;
}

static bool watch(struct ndp_port *port, const struct ndp_watcher *w,
                  struct text *why) {
    struct golden_port *p = (struct golden_port *)port;
    (void)why;
    p->watcher = w;
    p->edges = 0;
    return true;
}

static void close(struct ndp_port *port) {
    struct golden_port *p = (struct golden_port *)port;
    golden_free(p->machine);
    design_free(p->design);
    free(p->in);
    free(p);
}

static const struct ndp_port_class golden_class = {run, watch, close};
/* What several cores retire, or one on two dies, has no form in a trace. */
static const struct ndp_port_class cluster_class = {run, NULL, close};

static bool is_file(const char *what) {
    size_t n = strlen(what);
    return n > 4 && strcmp(what + n - 4, ".yml") == 0;
}

/* A preset with the sizes of a paper of which there is no machine leaves the
 * plain machine as it is, and is not that machine's name. */
static bool is_machine(const char *preset, const struct config *c,
                       struct diag *d) {
    struct config plain;
    config_defaults(&plain);
    if (strcmp(preset, system_iface.preset) == 0 ||
        golden_port_iface(c) != &system_iface ||
        iface_hash(&system_iface, c) != iface_hash(&system_iface, &plain))
        return true;
    config_error(d,
                 "preset '%s' sets nothing of a machine, expected one that "
                 "does, such as '%s'",
                 preset, system_iface.preset);
    return false;
}

/* The end of a part: a comma that is in no list. */
static char *part_end(char *s) {
    int depth = 0;
    for (; *s && (*s != ',' || depth > 0); s++)
        depth += (*s == '[') - (*s == ']');
    return s;
}

/* PRESET or FILE.yml, and behind it ",KEY=VALUE" for each parameter that is to
 * be another. */
static bool read_config(struct config *c, const char *what, struct diag *d) {
    char *words = xstrdup(what), *end = part_end(words);
    struct config_choice choice = {0};
    bool preset, ok = true;
    while (ok && *end) {
        *end++ = '\0';
        ok = choice_take(&choice, "set", end, d);
        end = part_end(end);
    }
    preset = !is_file(words);
    if (preset) { /* as 'ndpgen --target system --preset' means it */
        choice.preset = words;
        machine_of_preset("system", &choice, d);
    } else {
        choice.file = words;
    }
    if (ok)
        choice_resolve(&choice, c, d);
    ok = ok && d->errors == 0 && (!preset || is_machine(words, c, d));
    free(words);
    return ok;
}

/* The first error in one line, with its place. */
static void explain(const struct diag *d, struct text *why) {
    const struct diag_message *m = d->count ? &d->messages[0] : NULL;
    if (m && m->place.line && m->place.source)
        text_printf(why, "%s:%d:%d: ", m->place.source->name, m->place.line,
                    m->place.column);
    text_add(why, m ? m->text : "bad configuration");
}

bool golden_port_shares(const struct config *c) {
    return c->simt_dispatch != 0;
}

/* Of the machine's declaration: each of its rules holds. */
static bool meets(const struct iface *machine, const struct config *c) {
    struct diag d = {0};
    bool ok = iface_check(machine, c, &d);
    diag_free(&d);
    return ok;
}

const struct iface *golden_port_iface(const struct config *c) {
    if (golden_port_shares(c))
        return c->simt_chains ? &chained_iface : &cluster_iface;
    const struct iface *const others[] = {&mpu_core_iface, &mpu_mesh_iface,
                                          &banked_iface};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (meets(others[i], c))
            return others[i];
    return &system_iface;
}

bool golden_port_config(const char *what, struct config *c, struct text *why) {
    struct diag d = {0};
    config_defaults(c);
    bool ok =
        read_config(c, what, &d) && iface_check(golden_port_iface(c), c, &d);
    if (!ok)
        explain(&d, why);
    diag_free(&d);
    return ok;
}

struct ndp_port *golden_port_make(const struct config *c) {
    struct golden_port *p = xcalloc(1, sizeof *p);
    const struct iface *machine = golden_port_iface(c);
    p->base.class = machine == &system_iface || machine == &banked_iface
                        ? &golden_class
                        : &cluster_class;
    p->design = design_make(machine, c);
    p->in = xcalloc(1, p->design->in_size);
    p->machine = golden_create(golden_find(machine->name), c);
    p->out = golden_cycle(p->machine, true, p->in);
    for (int i = 0; i < system_n(p->design); i++)
        if (strcmp(system_instance(p->design, i)->name, "core") == 0)
            p->core = system_instance(p->design, i)->out_offset;
    return &p->base;
}

void golden_port_look(struct ndp_port *port,
                      const struct golden_port_looker *l) {
    ((struct golden_port *)port)->looker = l;
}

const struct design *golden_port_design(const struct ndp_port *port) {
    return ((const struct golden_port *)port)->design;
}

struct ndp_port *golden_port_open(const char *what, struct text *why) {
    struct config c;
    return golden_port_config(what, &c, why) ? golden_port_make(&c) : NULL;
}

bool golden_port_hash(const char *what, uint64_t *hash, struct text *why) {
    struct config c;
    if (!golden_port_config(what, &c, why))
        return false;
    *hash = iface_hash(golden_port_iface(&c), &c);
    return true;
}
