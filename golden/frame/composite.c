/* composite.c - see composite.h. */
#include "composite.h"

#include "base/arena.h"
#include "base/diag.h"
#include "iface/system.h"

#include <stdlib.h>
#include <string.h>

/* A trial costs copying and comparing a part's state: so many bytes of it, an
 * edge without new inputs before the first. */
enum { TRIAL_BYTES = 1024 };

/* --- what an edge needs, found once --------------------------------------- */

static int sleep_mode(void) {
    const char *mode = getenv("NDP_SLEEP");

    if (mode && strcmp(mode, "check") == 0)
        return SLEEP_CHECK;
    return mode && strcmp(mode, "off") == 0 ? SLEEP_OFF : SLEEP_ON;
}

static void open_parts(struct composite *s, const struct config *c) {
    const struct design *d = s->base.design;

    s->n = system_n(d);
    s->part = xcalloc((size_t)s->n + 1, sizeof *s->part);
    for (int i = 0; i < s->n; i++) {
        const struct system_part *at = system_instance(d, i);
        struct composite_part *p = &s->part[i];
        p->model = golden_create(golden_find(at->design->iface->name), c);
        p->in = (char *)s->in + at->in_offset;
        p->out = golden_cycle(p->model, true, NULL); /* its place stays */
        p->bytes = at->design->out_size;
        p->shown = (char *)s->out + at->out_offset;
        p->moved = p->hidden = true;
    }
}

/* Where an input lies that the part does not look at while it sleeps. */
static const uint64_t *unseen_of(const struct composite *s, int i) {
    const struct composite_part *p = &s->part[i];
    const char *name = p->model->class->unseen;
    const struct design_port *port =
        name ? design_port(p->model->design, name) : NULL;

    return port ? (const void *)((const char *)p->in + port->offset) : NULL;
}

static void open_runs(struct composite *s) {
    const struct design *d = s->base.design;
    int n;
    const struct system_run *r = system_runs(d, &n);

    s->run = xcalloc((size_t)n + 1, sizeof *s->run);
    for (int k = 0; k < n; k++) {
        struct composite_part *p = &s->part[r[k].from];
        const char *out = p->out;
        size_t at = r[k].out - system_instance(d, r[k].from)->out_offset;
        if (p->runs++ == 0)
            p->run = k;
        s->run[k] =
            (struct composite_run){.to = (void *)((char *)s->in + r[k].in),
                                   .from = (const void *)(out + at),
                                   .words = r[k].words,
                                   .part = r[k].to,
                                   .strict = r[k].strict};
        s->run[k].unseen =
            r[k].words == 1 && s->run[k].to == unseen_of(s, r[k].to);
    }
    r = system_port_runs(d, &s->n_port_runs);
    s->port_run = xcalloc((size_t)s->n_port_runs + 1, sizeof *s->port_run);
    for (int k = 0; k < s->n_port_runs; k++)
        s->port_run[k] =
            (struct composite_run){.to = (void *)((char *)s->in + r[k].in),
                                   .words = r[k].words,
                                   .part = r[k].to};
}

/* All that an edge can change of a model, but for memories: its struct, and
 * what it has besides. */
static size_t state_bytes(const struct golden *g) {
    size_t bytes = g->class->size, more;

    for (int k = 0; g->class->state && g->class->state(g, k, &more); k++)
        bytes += more;
    return bytes;
}

void composite_open(struct golden *g, const struct config *c) {
    struct composite *s = (struct composite *)g;
    size_t largest = 1;

    s->in = xcalloc(1, g->design->in_size);
    s->out = xcalloc(1, g->design->out_size);
    open_parts(s, c);
    open_runs(s);
    system_inputs(g->design, s->in, s->out); /* for what is tied */
    s->bus = -1;
    s->sleep = sleep_mode();
    for (int i = 0; i < s->n; i++) {
        size_t bytes = state_bytes(s->part[i].model);
        largest = bytes > largest ? bytes : largest;
        s->part[i].least = 2;
        while (s->part[i].least < bytes / TRIAL_BYTES)
            s->part[i].least *= 2;
    }
    s->reference = xcalloc(1, largest);
}

void composite_close(struct golden *g) {
    struct composite *s = (struct composite *)g;

    for (int i = 0; i < s->n; i++)
        golden_free(s->part[i].model);
    free(s->part);
    free(s->run);
    free(s->port_run);
    free(s->in);
    free(s->out);
    free(s->reference);
}

/* --- inputs --------------------------------------------------------------- */

static bool differs(const uint64_t *a, const uint64_t *b, int words) {
    return words == 1 ? *a != *b : memcmp(a, b, (size_t)words * sizeof *a) != 0;
}

static void copy(struct composite *s, const struct composite_run *r,
                 const uint64_t *from) {
    if (r->words == 1)
        *r->to = *from;
    else
        memcpy(r->to, from, (size_t)r->words * sizeof *from);
    s->part[r->part].stirred |= !r->unseen;
}

/* Of a strict run's fields nothing is to be seen while its valid is low. */
static void follow(struct composite *s, const struct composite_run *r) {
    if (r->strict ? (*r->from | *r->to) != 0
                  : differs(r->to, r->from, r->words))
        copy(s, r, r->from);
}

/* The bus goes to one part at most; the others need know of its cycle alone,
 * and that part when it is over. */
static void drive_bus(struct composite *s) {
    const struct design *d = s->base.design;
    int before = s->bus;

    s->bus = system_bus_cyc(d, s->in) ? system_bus_part(d, s->in) : -1;
    if (before >= 0 && before != s->bus) {
        system_drive_bus(d, before, s->in, s->out);
        s->part[before].stirred = true;
    }
    if (s->bus >= 0) {
        system_drive_bus(d, s->bus, s->in, s->out);
        s->part[s->bus].stirred = true;
    }
}

static void complete_inputs(struct composite *s, const void *in) {
    const struct design *d = s->base.design;

    for (int i = 0; i < s->n; i++) {
        const struct composite_part *p = &s->part[i];
        if (!p->moved)
            continue;
        for (int k = p->run; k < p->run + p->runs; k++)
            follow(s, &s->run[k]);
    }
    for (int k = 0; k < s->n_port_runs; k++) {
        const struct composite_run *r = &s->port_run[k];
        const void *from =
            (const char *)in + ((const char *)r->to - (const char *)s->in);
        if (differs(r->to, from, r->words))
            copy(s, r, from);
    }
    memcpy(s->in, in, d->iface->in_size);
    drive_bus(s);
}

/* --- an edge -------------------------------------------------------------- */

/* The register port: the system's own registers answer where nobody else does,
 * with the words of a block without settings and counters.  Nobody answers
 * where nothing is asked. */
static void move_bus(struct composite *s) {
    const struct design *d = s->base.design;
    uint64_t *dat_r = (uint64_t *)(void *)((char *)s->out + s->base.regs.dat_r);
    uint64_t *ack = (uint64_t *)(void *)((char *)s->out + s->base.regs.ack);
    bool is_own = s->bus < 0 && system_bus_cyc(d, s->in) && !*ack;
    uint32_t before;
    int index;

    *dat_r = *ack = 0;
    s->base.regs.acked &= is_own;
    if (is_own)
        regs_cycle(&s->base.regs, true, s->in, 0, s->out, &index, &before);
    else if (s->bus >= 0)
        system_bus_answer(d, s->bus, s->part[s->bus].out, dat_r, ack);
}

static uint64_t cover_sum(const struct golden *g) {
    uint64_t sum = 0;

    for (int i = 0; i < g->class->iface->n_covers; i++)
        sum += g->covers[i];
    return sum;
}

/* A step, and whether it did nothing but what slept makes good. */
static bool step_in_vain(struct composite *s, int i) {
    struct golden *g = s->part[i].model;
    struct golden *was = (struct golden *)(void *)s->reference;
    uint64_t covers = cover_sum(g);
    size_t at = g->class->size, size;
    void *more;

    memcpy(was, g, at);
    for (int k = 0; g->class->state && (more = g->class->state(g, k, &size));
         k++, at += size)
        memcpy(s->reference + at, more, size);
    golden_cycle(g, false, s->part[i].in);
    was->events = g->events;
    golden_slept(was, 1);
    at = g->class->size;
    bool same = memcmp(was, g, at) == 0 && covers == cover_sum(g);
    for (int k = 0;
         same && g->class->state && (more = g->class->state(g, k, &size));
         k++, at += size)
        same = memcmp(s->reference + at, more, size) == 0;
    return same;
}

/* Edges that the part can sleep from now on. */
static uint64_t rest_of(const struct composite_part *p) {
    const struct golden *g = p->model;

    if (!g->class->still)
        return golden_rest(g, p->in);
    return !g->class->rest ? UINT64_MAX : g->class->rest(g, p->in);
}

/* A trial is due: the further ones are the farther between. */
static bool tries(const struct composite_part *p) {
    return p->model->class->still && p->calm >= p->least &&
           (p->calm & (p->calm - 1)) == 0;
}

static void step_part(struct composite *s, int i, bool rst) {
    struct composite_part *p = &s->part[i];
    bool rests = !rst && !p->stirred && s->now <= p->wake;
    bool vain = false;

    p->moved = !rests || s->sleep != SLEEP_ON;
    if (!p->moved)
        return;
    p->calm = p->stirred || rst ? 0 : p->calm + 1;
    if (!rst && s->now - p->last > 1)
        golden_slept(p->model, s->now - p->last - 1);
    if (tries(p) || (rests && s->sleep == SLEEP_CHECK))
        vain = step_in_vain(s, i);
    else
        golden_cycle(p->model, rst, p->in);
    if (rests && s->sleep == SLEEP_CHECK && !vain)
        BUG("'%s' of '%s' rests and changes on edge %llu",
            system_instance(s->base.design, i)->name,
            s->base.design->iface->name, (unsigned long long)s->now);
    if (!rests) {
        bool may = !rst && (vain || !p->model->class->still);
        uint64_t rest = may ? rest_of(p) : 0;
        p->wake = rest > UINT64_MAX - s->now ? UINT64_MAX : s->now + rest;
    }
    p->last = s->now;
    p->stirred = false;
    p->hidden = true;
}

const void *composite_step(struct golden *g, bool rst, const void *in) {
    struct composite *s = (struct composite *)g;

    s->now++;
    if (rst)
        regs_reset(&g->regs);
    else
        complete_inputs(s, in);
    for (int i = 0; i < s->n; i++)
        step_part(s, i, rst);
    if (rst)
        memset(s->out, 0, g->design->iface->out_size);
    else
        move_bus(s);
    return s->out;
}

const void *composite_cycle(struct golden *g, bool rst, const void *in) {
    struct composite *s = (struct composite *)g;

    composite_step(g, rst, in);
    for (int i = 0; i < s->n; i++) {
        struct composite_part *p = &s->part[i];
        if (p->hidden)
            memcpy(p->shown, p->out, p->bytes);
        p->hidden = false;
    }
    return s->out;
}

const void *composite_part_out(const struct golden *g, int instance) {
    return ((const struct composite *)g)->part[instance].out;
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
                    g->covers[c] += golden_covers(s->part[i].model)[k];
        }
    }
    return g->covers;
}

struct golden *composite_part(struct golden *g, int instance) {
    struct composite *s = (struct composite *)g;
    struct composite_part *p = &s->part[instance];

    /* up to date, and awake: whoever asks may change it */
    if (s->now > p->last)
        golden_slept(p->model, s->now - p->last);
    p->last = s->now;
    p->stirred = true;
    return p->model;
}
