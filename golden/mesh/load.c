/* load.c - see load.h. */
#include "load.h"

#include "base/array.h"
#include "blocks/mesh.h"
#include "net.h"
#include "shared/noc.h"

#include <math.h>
#include <stdlib.h>

struct packet {
    uint64_t made;
    int to, from, left;        /* left: flits that have not gone */
    bool measured, answer, yx; /* yx: the order of dimensions */
    struct packet *next; /* behind it in its source, or of the free ones */
};

/* Packets that wait at a node, of a class; the oldest is being sent. */
struct outbox {
    struct packet *head, *tail;
    struct flit flit;
};

struct traffic {
    const struct load_setup *s;
    const struct config *c;
    struct net *net;
    int width, height, nodes;
    int cores; /* nodes without a memory, for LOAD_MEMORY */
    bool *memory;
    double rate; /* packets that a source makes in a cycle */
    struct outbox (*source)[NOC_CLASSES];
    uint64_t cycle, random, due; /* due: measured packets under way */
    uint64_t made, taken;        /* flits, while measured */
    uint64_t hops;
    ARRAY(uint64_t) latency;
    struct arena arena; /* of packets */
    struct packet *free;
};

/* xorshift64*: the same on every machine. */
static uint64_t draw(struct traffic *t) {
    t->random ^= t->random >> 12;
    t->random ^= t->random << 25;
    t->random ^= t->random >> 27;
    return t->random * 2685821657736338717u;
}

static int below(struct traffic *t, int n) {
    return (int)((draw(t) >> 33) % (uint64_t)n);
}

static bool happens(struct traffic *t, double probability) {
    return (double)(draw(t) >> 11) * 0x1p-53 < probability;
}

const char *load_refused(const struct config *c, enum load_pattern pattern) {
    if (pattern == LOAD_TRANSPOSE && c->mesh_width != c->mesh_height)
        return "a mesh with as many columns as rows";
    if (pattern == LOAD_MEMORY &&
        c->mesh_memory_nodes.n >= c->mesh_width * c->mesh_height)
        return "a node that is no memory node";
    return NULL;
}

/* ----------------------------------------------------------------- packets */

static bool measuring(const struct traffic *t) {
    return t->cycle >= t->s->warm && t->cycle < t->s->warm + t->s->cycles;
}

static void make(struct traffic *t, const struct packet *like, int class) {
    struct packet *p = t->free;
    struct outbox *q = &t->source[like->from][class];

    if (p)
        t->free = p->next;
    else
        p = arena_array(&t->arena, 1, sizeof *p);
    *p = *like;
    p->yx = draw(t) >> 63;
    if (q->head)
        q->tail->next = p;
    else
        q->head = p;
    q->tail = p;
    t->made += measuring(t) ? (uint64_t)p->left : 0;
    t->hops += p->measured
                   ? (uint64_t)(abs(p->from % t->width - p->to % t->width) +
                                abs(p->from / t->width - p->to / t->width))
                   : 0;
}

static int destination(struct traffic *t, int from) {
    int x = from % t->width, y = from / t->width;

    switch (t->s->pattern) {
    case LOAD_TRANSPOSE:
        return x * t->width + y;
    case LOAD_COMPLEMENT:
        return t->nodes - 1 - from;
    case LOAD_NEIGHBOUR:
        return y * t->width + (x + 1) % t->width;
    case LOAD_MEMORY:
        return (int)
            t->c->mesh_memory_nodes.v[below(t, t->c->mesh_memory_nodes.n)];
    default:
        from += 1 + below(t, t->nodes - 1);
        return from < t->nodes ? from : from - t->nodes;
    }
}

static void generate(struct traffic *t, int node) {
    bool requests = t->s->pattern == LOAD_MEMORY;

    if ((requests && t->memory[node]) || !happens(t, t->rate))
        return;
    struct packet p = {.made = t->cycle,
                       .from = node,
                       .to = destination(t, node),
                       .left = requests ? 1 : t->s->flits,
                       .measured = measuring(t)};
    t->due += p.measured;
    make(t, &p, requests ? NOC_REQUEST : below(t, NOC_CLASSES));
}

/* A packet's last flit has come. */
static void arrive(struct traffic *t, struct packet *p) {
    if (t->s->pattern == LOAD_MEMORY && !p->answer) {
        struct packet answer = {.made = p->made,
                                .from = p->to,
                                .to = p->from,
                                .left = t->s->flits,
                                .measured = p->measured,
                                .answer = true};
        make(t, &answer, NOC_ANSWER);
    } else if (p->measured) {
        *array_push(&t->latency) = t->cycle - p->made;
        t->due--;
    }
    p->next = t->free;
    t->free = p;
}

static void take(struct traffic *t, int node) {
    for (int class = 0; class < NOC_CLASSES; class ++) {
        const struct flit *f = net_taken(t->net, node, class);
        if (!f)
            continue;
        t->taken += measuring(t);
        if (f->last)
            arrive(t, (struct packet *)(uintptr_t)f->data[0]);
        net_take(t->net, node, class);
    }
}

static void send(struct traffic *t, int node) {
    for (int class = 0; class < NOC_CLASSES; class ++) {
        struct outbox *q = &t->source[node][class];
        struct packet *p = q->head;
        if (!p || !net_can_send(t->net, node, class))
            continue;
        q->flit = (struct flit){.data = {(uint64_t)(uintptr_t)p},
                                .x = (uint16_t)(p->to % t->width),
                                .y = (uint16_t)(p->to / t->width),
                                .vc = p->yx ? NOC_YX : NOC_XY,
                                .last = p->left == 1};
        net_send(t->net, node, class, &q->flit);
        if (--p->left == 0)
            q->head = p->next;
    }
}

static void step(struct traffic *t) {
    for (int i = 0; i < t->nodes; i++) {
        take(t, i);
        generate(t, i);
        send(t, i);
    }
    net_edge(t->net);
    t->cycle++;
}

/* --------------------------------------------------------------------- run */

static void open(struct traffic *t, const struct config *c,
                 const struct load_setup *s) {
    struct mesh_local l = mesh_local(c);

    t->s = s;
    t->c = c;
    t->width = l.WIDTH;
    t->height = l.HEIGHT;
    t->nodes = l.NODES;
    t->cores = l.NODES - c->mesh_memory_nodes.n;
    t->net = net_create(c);
    t->memory = xcalloc((size_t)t->nodes, sizeof *t->memory);
    for (int i = 0; i < c->mesh_memory_nodes.n; i++)
        t->memory[c->mesh_memory_nodes.v[i]] = true;
    t->source = xcalloc((size_t)t->nodes, sizeof *t->source);
    t->random = s->seed * 0x9e3779b97f4a7c15u | 1;
    t->rate = s->pattern == LOAD_MEMORY
                  ? s->load * t->nodes / t->cores / (1 + s->flits)
                  : s->load / s->flits;
}

static void close(struct traffic *t) {
    net_free(t->net);
    free(t->memory);
    free(t->source);
    array_free(&t->latency);
    arena_free(&t->arena);
}

static int by_size(const void *a, const void *b) {
    const uint64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static struct load_result sum_up(struct traffic *t, uint64_t measured) {
    double node_cycles = (double)t->s->cycles * t->nodes;
    struct load_result r = {.offered = (double)t->made / node_cycles,
                            .accepted = (double)t->taken / node_cycles,
                            .packets = measured,
                            .saturated = t->due > 0};
    int n = t->latency.n;
    double all = 0;

    if (!n)
        return r;
    array_sort(&t->latency, by_size);
    for (int i = 0; i < n; i++)
        all += (double)t->latency.v[i];
    r.latency = all / n;
    r.median = t->latency.v[n / 2];
    r.p99 = t->latency.v[(int)floor(0.99 * (n - 1))];
    r.most = t->latency.v[n - 1];
    r.hops = (double)t->hops / (double)measured /
             (t->s->pattern == LOAD_MEMORY ? 2 : 1);
    return r;
}

struct load_result load_run(const struct config *c,
                            const struct load_setup *s) {
    struct traffic t = {0};
    uint64_t end = s->warm + s->cycles;

    open(&t, c, s);
    while (t.cycle < end)
        step(&t);
    uint64_t measured = t.due + (uint64_t)t.latency.n;
    while (t.due && t.cycle < end + s->cycles)
        step(&t);
    struct load_result r = sum_up(&t, measured);
    close(&t);
    return r;
}
