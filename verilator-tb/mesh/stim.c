/* stim.c - stimulus of a mesh: a node at each network interface, which sends
 * requests and answers those that it gets.
 *
 * Every flit has a number that all its bits depend on, its source and its
 * virtual channel.  It must come to the node where its packet goes, and there
 * to the channel of its class, in the order of its source and virtual channel,
 * packet by packet.  To make the mesh lock up if it can, a node takes requests
 * only while it has room for their answers, and has room for few.  After each
 * phase what has been begun is finished, and all must arrive: the edges of that
 * are bounded by the flits under way.
 *
 * random    phases with other rates, lengths and patterns
 * directed  saturation by pattern, single packets, answers taken slowly
 * pairs     the messages of the paper's two scenarios (pairs.h), whose hops are
 *           counted on the wires between the routers
 */
#include "stim.h"

#include "blocks/mesh.h"
#include "blocks/nic.h"
#include "blocks/router.h"
#include "iface/system.h"
#include "kit/packets.h"
#include "kit/toggle.h"
#include "pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 2, LONGEST = 5, MOST_DUE = 2, PATIENCE = 5000 };

enum pattern { UNIFORM, TRANSPOSE, OPPOSITE, HOT, NEAR, PATTERNS };

struct tune {
    int send;    /* percent of the edges on which a node begins a request */
    int longest; /* flits of a packet */
    enum pattern pattern;
    int high, low; /* longest times that answers are taken, and not */
};

/* A packet that a node is sending. */
struct begun {
    int left, order, to;
};

struct node {
    size_t in, out; /* of its network interface's ports */
    struct begun begun[CLASSES];
    bool offered[CLASSES];
    struct sent offer[CLASSES];
    int packets[CLASSES];     /* begun */
    int due[MOST_DUE], n_due; /* nodes that get an answer */
    int open[CLASSES];        /* list of the packet being taken, -1 */
    struct toggle ready;
};

struct mesh_stim {
    struct stim base;
    struct mesh_local size;
    struct tune tune;
    bool fresh; /* nothing has begun since reset */
    int left;   /* edges of this phase; below zero: all shall arrive */
    int hot;    /* the node of pattern HOT */
    uint64_t numbers, moved; /* moved: the edge of the last flit that did */
    struct node *node;
    struct sent_list *sent; /* by source, destination and virtual channel */
    uint64_t under_way, flits, packets, latency;
    size_t router_out[PAIRS_NODES]; /* outputs of the routers; of pairs alone */
    struct pairs pairs;
};

static int channels(const struct mesh_stim *s) {
    return s->size.VCS;
}

static int list_of(const struct mesh_stim *s, int from, int to, int vc) {
    return (from * s->size.NODES + to) * channels(s) + vc;
}

/* --- phases --------------------------------------------------------------- */

static bool draining(const struct mesh_stim *s) {
    return s->left < 0;
}

static bool is_quiet(const struct mesh_stim *s) {
    if (s->under_way)
        return false;
    for (int n = 0; n < s->size.NODES; n++) {
        const struct node *at = &s->node[n];
        if (at->n_due || at->begun[0].left || at->begun[1].left ||
            at->offered[0] || at->offered[1])
            return false;
    }
    return true;
}

static bool phase_over(struct mesh_stim *s) {
    bool first = s->fresh;
    s->fresh = false;
    return first || (--s->left < 0 && is_quiet(s));
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, LONGEST, UNIFORM, 1, 0}, {100, LONGEST, TRANSPOSE, 1, 0},
        {100, 1, UNIFORM, 1, 0},       {1, LONGEST, UNIFORM, 1, 0},
        {100, LONGEST, HOT, 1, 0},     {100, 3, OPPOSITE, 1, 8},
    };
    struct mesh_stim *s = (struct mesh_stim *)base;
    if (!phase_over(s))
        return;
    s->tune = script[base->now / 600 % (sizeof script / sizeof *script)];
    s->hot = (int)(base->now % (uint64_t)s->size.NODES);
    s->left = 300;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 50, 10, 2};
    struct mesh_stim *s = (struct mesh_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    s->tune.send = rates[rng_below(r, 5)];
    s->tune.longest = rng_range(r, 1, LONGEST);
    s->tune.pattern = (enum pattern)rng_below(r, PATTERNS);
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 60) ? 0 : rng_range(r, 1, 12);
    s->hot = (int)rng_below(r, (uint32_t)s->size.NODES);
    s->left = rng_range(r, 50, 600);
}

static bool is_pairs(const struct mesh_stim *s) {
    return s->base.mode->measures;
}

/* The next scenario, when all of one has arrived and was counted. */
static void step_pairs(struct stim *base) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    s->tune.high = 1;
    s->left = 0;
    if (s->fresh || pairs_counted(&s->pairs))
        pairs_begin(&s->pairs);
    s->fresh = false;
}

static enum stim_state state_pairs(const struct stim *base) {
    const struct mesh_stim *s = (const struct mesh_stim *)base;
    return pairs_over(&s->pairs) ? STIM_OVER : STIM_GOING;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    const struct design *d = base->design;
    s->size = mesh_local(c);
    size_t n = (size_t)s->size.NODES;
    s->node = xcalloc(n, sizeof *s->node);
    s->sent = xcalloc(n * n * (size_t)channels(s), sizeof *s->sent);
    int first = system_index(d, "nic", 0);
    for (int i = 0; i < s->size.NODES; i++) {
        s->node[i].in = system_instance(d, first + i)->in_offset;
        s->node[i].out = system_instance(d, first + i)->out_offset;
    }
    base->reset_every = 5000;
    base->wishbone = 60;
}

static int lists(const struct mesh_stim *s) {
    return s->size.NODES * s->size.NODES * channels(s);
}

static bool open_pairs(struct stim *base) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    if (!pairs_open(&s->pairs, s->size.WIDTH, s->size.HEIGHT, base->diag))
        return false;
    int first = system_index(base->design, "router", 0);
    for (int i = 0; i < s->size.NODES && i < PAIRS_NODES; i++)
        s->router_out[i] = system_instance(base->design, first + i)->out_offset;
    return true;
}

static void close(struct stim *base) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    for (int i = 0; i < lists(s); i++)
        sent_free(&s->sent[i]);
    free(s->sent);
    free(s->node);
}

static void reset(struct stim *base) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    for (int i = 0; i < s->size.NODES; i++) {
        struct node *at = &s->node[i];
        at->n_due = 0;
        for (int c = 0; c < CLASSES; c++) {
            at->begun[c].left = at->packets[c] = 0;
            at->offered[c] = false;
            at->open[c] = -1;
        }
    }
    for (int i = 0; i < lists(s); i++)
        sent_clear(&s->sent[i]);
    s->under_way = 0;
    s->left = 0;
    s->fresh = true;
    s->moved = base->now;
}

static int choose_goal(struct mesh_stim *s, int from) {
    struct rng *r = &s->base.rng;
    int w = s->size.WIDTH, h = s->size.HEIGHT, x = from % w, y = from / w;
    switch (s->tune.pattern) {
    case TRANSPOSE:
        return x * h / w * w + y * w / h;
    case OPPOSITE:
        return s->size.NODES - 1 - from;
    case HOT:
        return rng_percent(r, 70) ? s->hot
                                  : (int)rng_below(r, (uint32_t)s->size.NODES);
    case NEAR:
        return (from + rng_range(r, 0, 1)) % s->size.NODES;
    default:
        return (int)rng_below(r, (uint32_t)s->size.NODES);
    }
}

/* Whether the node begins a packet of the class, and where it goes. */
static bool begin(struct mesh_stim *s, struct node *at, int from, int class) {
    struct begun *b = &at->begun[class];
    if (is_pairs(s)) {
        if (!pairs_next(&s->pairs, from, class, &b->to, &b->left))
            return false;
    } else if (class == 0) {
        if (draining(s) || !rng_percent(&s->base.rng, s->tune.send))
            return false;
        b->to = choose_goal(s, from);
    } else {
        if (at->n_due == 0)
            return false;
        b->to = at->due[0];
        at->n_due--;
        memmove(at->due, at->due + 1, sizeof *at->due * (size_t)at->n_due);
    }
    if (!is_pairs(s))
        b->left = rng_range(&s->base.rng, 1, s->tune.longest);
    b->order = rng_range(&s->base.rng, 0, 1);
    return true;
}

static unsigned source_of(const struct mesh_stim *s, int from, int vc) {
    return (unsigned)(from << s->size.VC_W | vc);
}

/* The next flit of a class, if the node has one. */
static bool next_flit(struct mesh_stim *s, int from, int class) {
    struct node *at = &s->node[from];
    struct begun *b = &at->begun[class];
    struct sent f = {.number = s->numbers, .first = b->left == 0};
    if (f.first && !begin(s, at, from, class))
        return false;
    s->numbers++;
    f.last = --b->left == 0;
    f.x = b->to % s->size.WIDTH;
    f.y = b->to / s->size.WIDTH;
    int order = s->size.BOTH ? b->order : 0;
    f.vc = class * s->size.KINDS + order * s->size.LANES +
           at->packets[class] % s->size.LANES;
    at->packets[class] += f.last;
    at->offer[class] = f;
    return at->offered[class] = true;
}

static void drive_node(struct mesh_stim *s, int n, struct nic_in *in) {
    struct node *at = &s->node[n];
    const int bits = s->size.VC_W + s->size.NODE_W;
    if (!at->offered[0]) {
        const struct sent *f = &at->offer[0];
        in->send_req_valid = next_flit(s, n, 0);
        if (in->send_req_valid) {
            in->send_req_last = f->last;
            in->send_req_order = (uint64_t)at->begun[0].order;
            in->send_req_x = (uint64_t)f->x;
            in->send_req_y = (uint64_t)f->y;
            sent_data(f->number, source_of(s, n, f->vc), bits, s->size.FLIT_W,
                      in->send_req_data);
        }
    }
    if (!at->offered[1]) {
        const struct sent *f = &at->offer[1];
        in->send_ans_valid = next_flit(s, n, 1);
        if (in->send_ans_valid) {
            in->send_ans_last = f->last;
            in->send_ans_order = (uint64_t)at->begun[1].order;
            in->send_ans_x = (uint64_t)f->x;
            in->send_ans_y = (uint64_t)f->y;
            sent_data(f->number, source_of(s, n, f->vc), bits, s->size.FLIT_W,
                      in->send_ans_data);
        }
    }
    bool ready =
        toggle_step(&at->ready, &s->base.rng, s->tune.high, s->tune.low);
    in->take_req_ready = at->n_due < MOST_DUE;
    in->take_ans_ready = draining(s) || ready;
}

static struct nic_in *nic_in(const struct mesh_stim *s, int n, void *in) {
    return (struct nic_in *)(void *)((char *)in + s->node[n].in);
}

static const struct nic_out *nic_out(const struct mesh_stim *s, int n,
                                     const void *out) {
    return (const struct nic_out *)(const void *)((const char *)out +
                                                  s->node[n].out);
}

static void drive(struct stim *base, void *in) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    for (int n = 0; n < s->size.NODES; n++) {
        struct nic_in *to = nic_in(s, n, in);
        if (base->rst_left > 0) {
            to->send_req_valid = to->send_ans_valid = 0;
            to->take_req_ready = to->take_ans_ready = 0;
        } else {
            drive_node(s, n, to);
        }
    }
}

/* --- watching ------------------------------------------------------------- */

/* Hops of a packet, from its node's router to the goal's. */
static int hops(const struct mesh_stim *s, int from, int to) {
    int w = s->size.WIDTH;
    return abs(from % w - to % w) + abs(from / w - to / w);
}

static const char *judge(struct mesh_stim *s, int n, int class, int list,
                         int from, uint64_t last, const uint64_t *got) {
    uint64_t data[FLIT_DATA] = {0};
    const struct sent *f = sent_oldest(&s->sent[list]);
    if (!f)
        return "that nobody sent there";
    sent_data(f->number, source_of(s, from, f->vc),
              s->size.VC_W + s->size.NODE_W, s->size.FLIT_W, data);
    if (memcmp(data, got, sizeof data) != 0 || last != f->last)
        return "with other data, or out of order";
    if (f->vc / s->size.KINDS != class)
        return "with the other class";
    if (s->node[n].open[class] < 0 ? !f->first : s->node[n].open[class] != list)
        return "among those of another packet";
    /* the way up, 4 edges a router, the way down, and the taking */
    if (s->base.now - f->when < (uint64_t)(2 + 4 * (hops(s, from, n) + 1) + 5))
        return "too early";
    return NULL;
}

/* Node n takes a flit. */
static const char *watch_take(struct mesh_stim *s, int n, int class,
                              uint64_t last, const uint64_t *data) {
    struct node *at = &s->node[n];
    uint64_t source = sent_source(data, s->size.VC_W + s->size.NODE_W);
    int vc = (int)(source & ones(s->size.VC_W)),
        from = (int)(source >> s->size.VC_W);
    const char *wrong = "from a node or channel that is none";
    int list = -1;
    if (vc < channels(s) && from < s->size.NODES) {
        list = list_of(s, from, n, vc);
        wrong = judge(s, n, class, list, from, last, data);
    }
    if (wrong)
        return stim_complain(&s->base,
                             "node %d takes a flit %s (from %d, "
                             "virtual channel %d)",
                             n, wrong, from, vc);
    const struct sent *f = sent_oldest(&s->sent[list]);
    s->latency += s->base.now - f->when;
    s->packets += f->last;
    s->flits++;
    s->under_way--;
    s->moved = s->base.now;
    at->open[class] = f->last ? -1 : list;
    if (f->last && is_pairs(s))
        pairs_arrived(&s->pairs, from, n, class);
    else if (f->last && class == 0)
        at->due[at->n_due++] = from;
    sent_drop(&s->sent[list]);
    return NULL;
}

static void note_sent(struct mesh_stim *s, int n, int class, bool ready) {
    struct node *at = &s->node[n];
    struct sent *f = &at->offer[class];
    if (!at->offered[class] || !ready)
        return;
    at->offered[class] = false;
    f->when = s->base.now;
    s->under_way++;
    s->moved = s->base.now;
    sent_put(&s->sent[list_of(s, n, f->y * s->size.WIDTH + f->x, f->vc)], *f);
}

static const char *watch_node(struct mesh_stim *s, int n,
                              const struct nic_in *in,
                              const struct nic_out *before) {
    const char *wrong = NULL;
    if (before->take_req_valid && in->take_req_ready)
        wrong =
            watch_take(s, n, 0, before->take_req_last, before->take_req_data);
    if (!wrong && before->take_ans_valid && in->take_ans_ready)
        wrong =
            watch_take(s, n, 1, before->take_ans_last, before->take_ans_data);
    note_sent(s, n, 0, before->send_req_ready);
    note_sent(s, n, 1, before->send_ans_ready);
    return wrong;
}

/* Flits that stand on a wire between two routers go a hop on this edge. */
static const char *watch_pairs(struct mesh_stim *s, const void *before) {
    for (int n = 0; n < s->size.NODES; n++) {
        const struct router_out *r =
            (const void *)((const char *)before + s->router_out[n]);
        pairs_hop(&s->pairs, r->n_out_valid, r->n_out_last);
        pairs_hop(&s->pairs, r->e_out_valid, r->e_out_last);
        pairs_hop(&s->pairs, r->s_out_valid, r->s_out_last);
        pairs_hop(&s->pairs, r->w_out_valid, r->w_out_last);
    }
    if (!is_quiet(s) || !pairs_all_arrived(&s->pairs))
        return NULL;
    const char *wrong = pairs_count(&s->pairs);
    return wrong ? stim_complain(&s->base, "%s", wrong) : NULL;
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct mesh_stim *s = (struct mesh_stim *)base;
    const char *wrong = NULL;
    (void)after;
    for (int n = 0; n < s->size.NODES && !wrong; n++)
        wrong = watch_node(
            s, n, (const struct nic_in *)nic_in(s, n, (void *)(uintptr_t)in),
            nic_out(s, n, before));
    if (!wrong && is_pairs(s))
        wrong = watch_pairs(s, before);
    if (wrong)
        return wrong;
    if (is_quiet(s))
        s->moved = base->now;
    if (base->now - s->moved > 300)
        return stim_complain(base,
                             "nothing moves, %" PRIu64 " flits are under way",
                             s->under_way);
    if (s->left < -PATIENCE - 100 * s->size.NODES)
        return stim_complain(base, "%" PRIu64 " flits do not arrive",
                             s->under_way);
    return NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct mesh_stim *s = (const struct mesh_stim *)base;
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "flits\t%" PRIu64 "\n", s->flits);
    text_printf(t, "latency\t%" PRIu64 "\n",
                s->flits ? s->latency / s->flits : 0);
    pairs_report(&s->pairs, t);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode pairs_mode = {.name = "pairs",
                                            .measures = true,
                                            .open = open_pairs,
                                            .step = step_pairs,
                                            .state = state_pairs};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                &pairs_mode, NULL};

const struct stim_class mesh_stim = {
    .size = sizeof(struct mesh_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
