/* stim.c - stimulus of a network interface: a node and a router.
 *
 * Every flit has a number that all its bits depend on, and the class or virtual
 * channel it came in.  What the node sends must go to the router in order, in
 * the virtual channel that the note gives it; what the router sends must come
 * to the node in the order of its virtual channel, packet by packet, by class.
 * After each phase what has been begun is finished; first one class must come
 * to rest while the other one is still held up on both sides, then the other
 * one too.
 *
 * random    phases with other rates, lengths and patience
 * directed  saturation, single flits, one class or both held up
 */
#include "stim.h"

#include "blocks/nic.h"
#include "kit/packets.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { CLASSES = 2, MOST_VCS = 8, LONGEST = 6 };

enum { UP_LATENCY = 2, DOWN_LATENCY = 3 };

/* What the surroundings are like for a while. */
struct tune {
    int send, come;         /* percent of the edges with a flit */
    int drain;              /* percent of the edges with a credit up */
    int longest;            /* flits of a packet */
    int high, low[CLASSES]; /* longest times that the node takes, and not;
                               -1: takes nothing and gets no credits */
};

enum stage { RUNNING, ONE_DRAINS, ALL_DRAIN };

struct begun {
    int left, x, y, order;
};

struct nic_stim {
    struct stim base;
    struct nic_local size;
    struct tune tune;
    enum stage stage;
    int left; /* edges of this phase, then below zero: of the stage */
    uint64_t numbers;
    /* up */
    struct begun sending[CLASSES];
    bool offered[CLASSES]; /* a flit stands there */
    struct sent offer[CLASSES];
    struct sent_list up[CLASSES];
    int packets[CLASSES]; /* begun, for the lane */
    int held[MOST_VCS];   /* by the router */
    /* down */
    struct begun coming[MOST_VCS];
    int credits[MOST_VCS];
    struct sent_list down[MOST_VCS];
    int open[CLASSES]; /* channel of the packet that the node is given, -1 */
    struct toggle ready[CLASSES];
    uint64_t sent, taken;
};

/* The ports of a class. */
struct send_ports {
    uint64_t *valid, *last, *order, *x, *y, *data;
};

static struct send_ports send_ports(struct nic_in *in, int class) {
    if (class == 0)
        return (struct send_ports){&in->send_req_valid, &in->send_req_last,
                                   &in->send_req_order, &in->send_req_x,
                                   &in->send_req_y,     in->send_req_data};
    return (struct send_ports){&in->send_ans_valid, &in->send_ans_last,
                               &in->send_ans_order, &in->send_ans_x,
                               &in->send_ans_y,     in->send_ans_data};
}

static int class_of(const struct nic_stim *s, int vc) {
    return vc / s->size.KINDS;
}

/* --- phases --------------------------------------------------------------- */

/* While the first classes come to rest, this one is held up. */
static bool is_held(const struct nic_stim *s, int class) {
    return s->stage != ALL_DRAIN && s->tune.low[class] < 0;
}

static bool draining(const struct nic_stim *s) {
    return s->stage != RUNNING;
}

static bool class_quiet(const struct nic_stim *s, int class) {
    if (s->sending[class].left || s->offered[class] ||
        sent_oldest(&s->up[class]))
        return false;
    for (int v = class * s->size.KINDS; v < (class + 1) * s->size.KINDS; v++)
        if (s->coming[v].left || sent_oldest(&s->down[v]) || s->held[v] ||
            s->credits[v] != s->size.DEPTH)
            return false;
    return true;
}

/* What shall come to rest in this stage has done so. */
static bool is_quiet(const struct nic_stim *s) {
    for (int c = 0; c < CLASSES; c++)
        if (!is_held(s, c) && !class_quiet(s, c))
            return false;
    return true;
}

/* Edges in which that must happen: the flits in all buffers, those that finish
 * packets, each with its way through the registers. */
static int longest_drain(const struct nic_stim *s) {
    return 4 * s->size.VCS * (s->size.DEPTH + LONGEST) + 100;
}

static bool phase_over(struct nic_stim *s) {
    s->left--;
    if (s->stage == RUNNING ? s->left > 0 : !is_quiet(s))
        return false;
    s->left = s->stage == ALL_DRAIN ? 0 : -1;
    s->stage = s->stage == ALL_DRAIN ? RUNNING : s->stage + 1;
    return s->stage == RUNNING;
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 100, LONGEST, 1, {0, 0}}, /* saturation */
        {100, 100, 100, 1, 1, {0, 0}},       /* by single flits */
        {5, 5, 100, 1, 1, {0, 0}},           /* one by one */
        {100, 100, 100, 4, 1, {-1, 0}},      /* requests held up */
        {100, 100, 100, 4, 1, {0, -1}},      /* answers */
        {100, 100, 30, 4, 3, {9, 9}},        /* both, now and then */
    };
    struct nic_stim *s = (struct nic_stim *)base;
    if (!phase_over(s))
        return;
    s->tune = script[base->now / 500 % (sizeof script / sizeof *script)];
    s->left = 300;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 80, 40, 5};
    struct nic_stim *s = (struct nic_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    s->tune.send = rates[rng_below(r, 5)];
    s->tune.come = rates[rng_below(r, 5)];
    s->tune.drain = rates[rng_below(r, 5)];
    s->tune.longest = rng_range(r, 1, LONGEST);
    s->tune.high = rng_range(r, 1, 6);
    for (int c = 0; c < CLASSES; c++)
        s->tune.low[c] = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    if (rng_percent(r, 30))
        s->tune.low[rng_below(r, CLASSES)] = -1;
    s->left = rng_range(r, 50, 500);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct nic_stim *)base)->size = nic_local(c);
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    struct nic_stim *s = (struct nic_stim *)base;
    for (int c = 0; c < CLASSES; c++)
        sent_free(&s->up[c]);
    for (int v = 0; v < MOST_VCS; v++)
        sent_free(&s->down[v]);
}

static void reset(struct stim *base) {
    struct nic_stim *s = (struct nic_stim *)base;
    for (int c = 0; c < CLASSES; c++) {
        s->sending[c].left = s->packets[c] = 0;
        s->offered[c] = false;
        s->open[c] = -1;
        sent_clear(&s->up[c]);
    }
    for (int v = 0; v < MOST_VCS; v++) {
        s->held[v] = s->coming[v].left = 0;
        s->credits[v] = s->size.DEPTH;
        sent_clear(&s->down[v]);
    }
    s->left = 0;
    s->stage = RUNNING;
}

/* The next flit of a packet, or the first of another one. */
static struct sent next_flit(struct nic_stim *s, struct begun *b) {
    struct rng *r = &s->base.rng;
    struct sent f = {.number = s->numbers++, .first = b->left == 0};
    if (f.first) {
        b->left = rng_range(r, 1, s->tune.longest);
        b->x = rng_range(r, 0, s->size.WIDTH - 1);
        b->y = rng_range(r, 0, s->size.HEIGHT - 1);
        b->order = rng_range(r, 0, 1);
    }
    f.last = --b->left == 0;
    f.x = b->x;
    f.y = b->y;
    return f;
}

static void drive_send(struct nic_stim *s, int class, struct nic_in *in) {
    struct send_ports to = send_ports(in, class);
    struct begun *b = &s->sending[class];
    if (!s->offered[class]) {
        bool wants =
            draining(s) ? b->left > 0 : rng_percent(&s->base.rng, s->tune.send);
        *to.valid = wants;
        if (!wants)
            return;
        struct sent f = next_flit(s, b);
        int order = s->size.BOTH ? b->order : 0;
        f.vc = class * s->size.KINDS + order * s->size.LANES +
               s->packets[class] % s->size.LANES;
        s->packets[class] += f.last;
        s->offer[class] = f;
        s->offered[class] = true;
        *to.last = f.last;
        *to.order = (uint64_t)b->order;
        *to.x = (uint64_t)f.x;
        *to.y = (uint64_t)f.y;
        sent_data(f.number, (unsigned)class, s->size.VC_W, s->size.FLIT_W,
                  to.data);
    }
}

static void drive_credit(struct nic_stim *s, struct nic_in *in) {
    int first = (int)rng_below(&s->base.rng, (uint32_t)s->size.VCS);
    in->up_credit_valid = 0;
    if (!rng_percent(&s->base.rng, draining(s) ? 100 : s->tune.drain))
        return;
    for (int n = 0; n < s->size.VCS; n++) {
        int v = (first + n) % s->size.VCS;
        if (s->held[v] == 0 || is_held(s, class_of(s, v)))
            continue;
        s->held[v]--;
        in->up_credit_valid = 1;
        in->up_credit_vc = (uint64_t)v;
        return;
    }
}

static void drive_down(struct nic_stim *s, struct nic_in *in) {
    int first = (int)rng_below(&s->base.rng, (uint32_t)s->size.VCS);
    in->down_valid = 0;
    if (!rng_percent(&s->base.rng, draining(s) ? 100 : s->tune.come))
        return;
    for (int n = 0; n < s->size.VCS; n++) {
        int v = (first + n) % s->size.VCS;
        if (s->credits[v] == 0 || (draining(s) && s->coming[v].left == 0))
            continue;
        struct sent f = next_flit(s, &s->coming[v]);
        f.vc = v;
        f.when = s->base.now;
        s->credits[v]--;
        in->down_valid = 1;
        in->down_vc = (uint64_t)v;
        in->down_last = f.last;
        in->down_x = (uint64_t)f.x;
        in->down_y = (uint64_t)f.y;
        sent_data(f.number, (unsigned)v, s->size.VC_W, s->size.FLIT_W,
                  in->down_data);
        sent_put(&s->down[v], f);
        return;
    }
}

static bool drive_ready(struct nic_stim *s, int class) {
    bool ready = toggle_step(&s->ready[class], &s->base.rng, s->tune.high,
                             s->tune.low[class] < 0 ? 0 : s->tune.low[class]);
    return !is_held(s, class) && (draining(s) || ready);
}

static void drive(struct stim *base, void *ports) {
    struct nic_stim *s = (struct nic_stim *)base;
    struct nic_in *in = ports;
    if (base->rst_left > 0) {
        memset(in, 0, sizeof *in);
        return;
    }
    drive_send(s, 0, in);
    drive_send(s, 1, in);
    drive_credit(s, in);
    drive_down(s, in);
    in->take_req_ready = drive_ready(s, 0);
    in->take_ans_ready = drive_ready(s, 1);
}

/* --- watching ------------------------------------------------------------- */

static bool same_data(const struct nic_stim *s, const struct sent *f,
                      int source, const uint64_t *got) {
    uint64_t data[FLIT_DATA] = {0};
    sent_data(f->number, (unsigned)source, s->size.VC_W, s->size.FLIT_W, data);
    return memcmp(data, got, sizeof data) == 0;
}

static const char *watch_up(struct nic_stim *s, const struct nic_out *out) {
    int v = (int)out->up_vc, c = class_of(s, v);
    const struct sent *f = v < s->size.VCS ? sent_oldest(&s->up[c]) : NULL;
    const char *wrong = NULL;
    if (!f)
        return stim_complain(&s->base, "a flit for the router that the node "
                                       "did not send");
    if (!same_data(s, f, c, out->up_data))
        wrong = "has other data, or is out of order";
    else if (f->vc != v)
        wrong = "is in the wrong virtual channel";
    else if ((int)out->up_x != f->x || (int)out->up_y != f->y ||
             out->up_last != f->last)
        wrong = "has another head";
    else if (s->held[v] == s->size.DEPTH)
        wrong = "has no credit";
    else if (s->base.now - f->when < UP_LATENCY)
        wrong = "comes too early";
    if (wrong)
        return stim_complain(&s->base, "a flit for the router %s", wrong);
    s->held[v]++;
    s->sent++;
    sent_drop(&s->up[c]);
    return NULL;
}

/* The node takes a flit of the class. */
static const char *watch_take(struct nic_stim *s, int class, uint64_t last,
                              const uint64_t *data) {
    int v = (int)sent_source(data, s->size.VC_W);
    const struct sent *f = v < s->size.VCS ? sent_oldest(&s->down[v]) : NULL;
    const char *wrong = NULL;
    if (!f)
        return stim_complain(&s->base, "a flit for the node that nobody sent");
    if (!same_data(s, f, v, data) || last != f->last)
        wrong = "has other data, or is out of order";
    else if (class_of(s, v) != class)
        wrong = "comes with the other class";
    else if (s->open[class] < 0 ? !f->first : s->open[class] != v)
        wrong = "stands among those of another packet";
    else if (s->base.now - f->when <= DOWN_LATENCY)
        wrong = "comes too early";
    if (wrong)
        return stim_complain(&s->base, "a flit for the node %s", wrong);
    s->open[class] = f->last ? -1 : v;
    s->taken++;
    sent_drop(&s->down[v]);
    return NULL;
}

static void note_sent(struct nic_stim *s, int class, bool ready) {
    if (!s->offered[class] || !ready)
        return;
    s->offered[class] = false;
    s->offer[class].when = s->base.now;
    sent_put(&s->up[class], s->offer[class]);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nic_stim *s = (struct nic_stim *)base;
    const struct nic_in *in = in_ports;
    const struct nic_out *before = before_ports, *after = after_ports;
    const char *wrong = NULL;
    if (before->take_req_valid && in->take_req_ready)
        wrong = watch_take(s, 0, before->take_req_last, before->take_req_data);
    if (!wrong && before->take_ans_valid && in->take_ans_ready)
        wrong = watch_take(s, 1, before->take_ans_last, before->take_ans_data);
    if (!wrong && after->up_valid)
        wrong = watch_up(s, after);
    note_sent(s, 0, before->send_req_ready);
    note_sent(s, 1, before->send_ans_ready);
    if (after->down_credit_valid &&
        s->credits[after->down_credit_vc & 7]++ >= s->size.DEPTH && !wrong)
        wrong = stim_complain(base, "a credit too many for the router");
    if (!wrong && draining(s) && s->left < -longest_drain(s))
        wrong = stim_complain(base, "flits or credits do not come out");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nic_stim *s = (const struct nic_stim *)base;
    text_printf(t, "sent\t%" PRIu64 "\n", s->sent);
    text_printf(t, "taken\t%" PRIu64 "\n", s->taken);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class nic_stim = {
    .size = sizeof(struct nic_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
