/* golden_port.c - see golden_port.h. */
#include "golden_port.h"

#include "base/arena.h"
#include "blocks/dies.h"
#include "blocks/frontend.h"
#include "blocks/loader.h"
#include "blocks/lsu_rmw.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "blocks/vault.h"
#include "frame/composite.h"
#include "iface/derive.h"
#include "iface/machine.h"
#include "iface/system.h"
#include "remote/share.h"

#include <stdlib.h>
#include <string.h>

struct golden_port {
    struct ndp_port base;
    struct golden *machine;
    struct design *design;
    void *in;
    const struct system_out *out; /* its register port, as each machine's */
    int core;                     /* instance of the first one */
    int watched;                  /* the instance that the watcher wants */
    int front, unit, rmw;         /* of a core on two dies, */
    int files[2];                 /* register files, far and near, -1: none */
    const struct ndp_watcher *watcher;
    uint64_t edges; /* since watch */
    const struct golden_port_looker *looker;
    bool rests; /* it has said that nothing is under way */
    int memory; /* instance of the first memory */
    int homes;  /* memories that share addresses */
    int loader; /* instance that says which of them, -1: none */
    struct config config;
};

/* A machine's memory: of one core, or that of the nodes of a mesh. */
enum { MOST_TURNS = 16 };

static void lanes_of(const uint64_t *row, uint32_t *lanes) {
    for (int i = 0; i < 32; i++)
        lanes[i] = (uint32_t)(row[i / 2] >> 32 * (i % 2));
}

static void tell(struct golden_port *p) {
    const struct simt_out *o = composite_part_out(p->machine, p->watched);
    uint32_t values[32];
    if (!o->ret_valid)
        return;
    lanes_of(o->ret_value, values);
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

/* Before an edge: what enters the core with it. */
static void tell_entered(struct golden_port *p) {
    const struct ndp_watcher *w = p->watcher;
    const struct frontend_out *f = composite_part_out(p->machine, p->front);
    const struct dies_out *u = composite_part_out(p->machine, p->unit);
    const struct lsu_rmw_out *m = composite_part_out(p->machine, p->rmw);
    uint32_t lanes[32];
    if (f->init_valid && m->init_ready) {
        lanes_of(f->init_row, lanes);
        w->started(w->ctx, p->edges + 1, (uint32_t)f->init_warp,
                   (uint32_t)f->init_mask, lanes);
    }
    if (f->issue_valid && u->issue_ready >> f->issue_warp & 1)
        w->entered(w->ctx, (uint32_t)f->issue_warp, (uint32_t)f->issue_tag,
                   (uint32_t)f->issue_mask);
}

static void tell_done(struct golden_port *p) {
    const struct dies_out *u = composite_part_out(p->machine, p->unit);
    if (u->commit_valid)
        p->watcher->done(p->watcher->ctx, p->edges, (uint32_t)u->commit_warp,
                         (uint32_t)u->commit_tag, u->commit_near);
}

static void row(struct ndp_port *port, bool near, uint32_t warp, uint32_t reg,
                uint32_t *lanes) {
    struct golden_port *p = (struct golden_port *)port;
    int file = p->files[near] < 0 ? p->files[0] : p->files[near];
    struct golden *g = composite_part(p->machine, file);
    g->class->row(g, warp, reg, lanes);
}

static void edge(struct golden_port *p) {
    bool on_dies = p->base.class->row != NULL;
    if (p->watcher && on_dies)
        tell_entered(p);
    p->out = (p->looker ? golden_cycle : golden_step)(p->machine, false, p->in);
    p->edges++;
    p->base.edges++;
    if (p->watcher)
        (on_dies ? tell_done : tell)(p);
    if (p->looker)
        p->rests = !p->looker->look(p->looker->ctx, p->in, p->out);
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

/* The k-th instance of that name, -1: there are not so many. */
static int instance(const struct design *d, const char *group, int k) {
    for (int i = 0; i < system_n(d); i++)
        if (strcmp(system_instance(d, i)->group, group) == 0 && k-- == 0)
            return i;
    return -1;
}

static bool watch(struct ndp_port *port, const struct ndp_watcher *w,
                  struct text *why) {
    struct golden_port *p = (struct golden_port *)port;
    (void)why;
    p->watcher = w;
    p->watched = p->core + (w ? w->core : 0);
    if (p->base.class->row && w) {
        p->front = instance(p->design, "front", w->core);
        p->unit = instance(p->design, "unit", w->core);
        p->rmw = instance(p->design, "rmw", w->core);
        p->files[0] = instance(p->design, "far", w->core);
        p->files[1] = instance(p->design, "pipes", w->core);
    }
    p->edges = 0;
    return true;
}

/* Which memory has an address now. */
static struct share_map map(const struct golden_port *p) {
    if (p->loader < 0)
        return (struct share_map){0};
    const struct loader_out *o = composite_part_out(p->machine, p->loader);
    return (struct share_map){o->map_learned, (int)o->map_bit};
}

/* Words lie at the homes in turn, a chunk each.  What takes turns of its own,
 * a unit or a home, remembers who came last, so the last word that each would
 * have carried out is left to the window. */
static void copy(struct ndp_port *port, bool write, uint32_t at,
                 uint32_t *words, size_t n, bool *left) {
    struct golden_port *p = (struct golden_port *)port;
    size_t *last =
        xcalloc((size_t)p->homes * MOST_TURNS, sizeof *last); /* and 1 */
    for (size_t i = 0; i < n; i++) {
        uint64_t word = at / 4 + i, home = 0;
        if (p->homes > 1) {
            struct share_where w = share_where(&p->config, map(p), 4 * word);
            home = w.home;
            word = w.there / 4;
        }
        struct golden *g = composite_part(p->machine, p->memory + (int)home);
        int who = g->class->reach(g, write, word, &words[i]);
        if (who >= 0)
            last[home * MOST_TURNS + (uint64_t)who] = i + 1;
        else
            left[i] = true;
    }
    for (size_t k = 0; k < (size_t)p->homes * MOST_TURNS; k++)
        if (last[k])
            left[last[k] - 1] = true;
    free(last);
}

static void close(struct ndp_port *port) {
    struct golden_port *p = (struct golden_port *)port;
    golden_free(p->machine);
    design_free(p->design);
    free(p->in);
    free(p);
}

static const struct ndp_port_class golden_class = {run, watch, close, copy,
                                                   NULL};
static const struct ndp_port_class dies_class = {run, watch, close, copy, row};

static bool is_file(const char *what) {
    size_t n = strlen(what);
    return n > 4 && strcmp(what + n - 4, ".yml") == 0;
}

/* A preset with the sizes of a paper of which there is no machine leaves the
 * plain machine as it is, and is not that machine's name. */
static bool sets_a_machine(const char *preset, const struct config *c,
                           struct diag *d) {
    struct config plain;
    config_defaults(&plain);
    iface_derive(&system_iface, &plain);
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

/* The machine that a file is of; NULL after an error in d. */
static const char *machine_of_file(const char *file, struct diag *d) {
    struct config_choice choice = {.file = file};
    struct config c;
    choice_resolve(&choice, &c, d);
    return d->errors ? NULL : golden_port_iface(&c)->name;
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
        choice.target = machine_of_preset("system", &choice, d);
    } else {
        choice.file = words;
        choice.target = machine_of_file(words, d);
    }
    if (ok && d->errors == 0)
        choice_resolve(&choice, c, d);
    ok = ok && d->errors == 0 && (!preset || sets_a_machine(words, c, d));
    free(words);
    return ok;
}

/* The first error in one line, with its place. */
static void explain(const struct diag *d, struct text *why) {
    const struct diag_message *m = NULL;
    for (int i = 0; i < d->count && !m; i++)
        if (d->messages[i].severity == DIAG_ERROR)
            m = &d->messages[i];
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

static int parts_of(const struct iface *machine) {
    int n = 0;
    while (machine->parts[n].name)
        n++;
    return n;
}

/* An echoed configuration does not name its machine: it is the one of most parts
 * whose rules it keeps. */
const struct iface *golden_port_iface(const struct config *c) {
    const struct iface *m, *found = &system_iface;
    if (c->target && iface_is_machine(c->target))
        return c->target;
    for (int i = 0; (m = iface_at(i)); i++)
        if (iface_is_machine(m) && parts_of(m) > parts_of(found) && meets(m, c))
            found = m;
    return found;
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

uint32_t golden_port_refresh(const struct config *c) {
    return iface_has(golden_port_iface(c), &vault_iface)
               ? (uint32_t)c->timing_refi
               : 0;
}

/* Instances of that name, the first of which is *first. */
static int instances(const struct design *d, const char *group, int *first) {
    int n = 0;
    for (int i = system_n(d) - 1; i >= 0; i--)
        if (strcmp(system_instance(d, i)->group, group) == 0) {
            *first = i;
            n++;
        }
    return n;
}

struct ndp_port *golden_port_make(const struct config *c) {
    struct golden_port *p = xcalloc(1, sizeof *p);
    const struct iface *machine = golden_port_iface(c);
    p->base.refresh = golden_port_refresh(c);
    p->config = *c;
    p->base.class =
        iface_has(machine, &dies_iface) ? &dies_class : &golden_class;
    p->base.any_core = true;
    p->design = design_make(machine, c);
    p->in = xcalloc(1, p->design->in_size);
    p->machine = golden_create(golden_find(machine->name), c);
    p->out = golden_cycle(p->machine, true, p->in);
    p->loader = -1;
    instances(p->design, "core", &p->core);
    instances(p->design, "loader", &p->loader);
    p->homes = instances(p->design, "banks", &p->memory);
    if (p->homes == 0)
        p->homes = instances(p->design, "memory", &p->memory);
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
