/* stim.c - stimulus of a core's way to the memories of all nodes: a core, the
 * memory of its own node, a mesh.
 *
 * Requests must leave one after the other, each on its own way, on the edge
 * that the note allows; packets are held against flits that kit/shared.h lays
 * by hand.  With stacks the map changes now and then while no request is under
 * way.  Answers of both ways are made up, and must be at rsp in the turn
 * that the note says.
 *
 * random    phases with other rates, patience and shares of the own node
 * directed  loads, stores and cas in all their ways, streams, all held up
 */
#include "stim.h"

#include "blocks/remote.h"
#include "kit/shared.h"
#include "kit/toggle.h"

#include <inttypes.h>

enum { RING = 8 };

/* What the surroundings are like for a while. */
struct tune {
    int ask, own;   /* percent of the edges, of the requests */
    int back, come; /* percent of the edges with an answer */
    int high, low;  /* longest times that a request is taken, and not */
};

struct remote_stim {
    struct stim base;
    struct remote_local size;
    struct config config;
    struct shared_size layout;
    struct tune tune;
    int left;
    struct toggle own_ready, send_ready;
    uint64_t here; /* the own node */
    struct shared_map map;
    bool offered;
    struct shared offer; /* address: of the whole memory */
    struct request {
        struct shared as; /* address: of its node */
        uint64_t goes_to;
    } request[RING];
    uint64_t asked, gone; /* requests, by number */
    struct shared_flits going;
    bool was; /* a request was at its way before the edge */
    bool back_offered;
    struct shared back;            /* an answer of the own memory */
    struct shared coming_as, came; /* of other nodes: the next one, one there */
    struct shared_flits coming;
    int offered_flit;     /* of coming */
    bool there, far_turn; /* as the note says */
    uint64_t answers;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 100, 0, 0, 1, 0}, /* a stream for the own memory, */
        {100, 0, 0, 0, 1, 0},   /* one for others, */
        {100, 50, 100, 100, 1, 0}, {100, 50, 50, 50, 2, 6}, /* held up */
        {10, 50, 10, 10, 1, 0},                             /* one by one */
    };
    struct remote_stim *s = (struct remote_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 200 % (sizeof script / sizeof *script)];
    s->left = 199;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 15, 0};
    struct remote_stim *s = (struct remote_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.ask = rates[rng_below(r, 5)];
    s->tune.own = rates[rng_below(r, 5)];
    s->tune.back = rates[rng_below(r, 5)];
    s->tune.come = rates[rng_below(r, 5)];
    s->tune.high = rng_range(r, 1, 8);
    s->tune.low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->left = rng_range(r, 20, 250);
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct remote_stim *s = (struct remote_stim *)base;
    s->size = remote_local(c);
    s->config = *c;
    s->layout = SHARED_SIZE(s->size);
    base->reset_every = 1500;
}

static void reset(struct stim *base) {
    struct remote_stim *s = (struct remote_stim *)base;
    s->offered = s->back_offered = s->there = s->far_turn = s->was = false;
    s->gone = s->asked;
    memset(&s->going, 0, sizeof s->going);
    memset(&s->coming, 0, sizeof s->coming);
}

/* The sector of that number at a home, in the whole memory. */
static uint64_t whole_address(const struct remote_stim *s, uint64_t home,
                              uint64_t sector) {
    uint64_t bytes = (uint64_t)s->size.SECTOR;

    return shared_whole(s->size.MAPPED ? &s->map : NULL, s->size.CHUNK,
                        s->size.HOMES, home, sector * bytes) /
           bytes;
}

static void offer(struct remote_stim *s) {
    struct rng *r = &s->base.rng;
    struct request *q = &s->request[s->asked % RING];
    uint64_t home = rng_below(r, (uint32_t)s->size.HOMES);

    shared_any(r, &s->layout, &q->as);
    if (rng_percent(r, s->tune.own))
        for (int i = 0; i < s->size.HOMES; i++)
            if (shared_stands(&s->config, (uint64_t)i) == s->here)
                home = (uint64_t)i;
    q->goes_to = shared_stands(&s->config, home);
    q->as.address = rng_next(r) & ones(s->size.LADDR_W);
    q->as.node = s->here;
    s->offer = q->as;
    s->offer.address = whole_address(s, home, q->as.address);
    s->offered = true;
}

/* Another map, now and then while nothing is under way. */
static void drive_map(struct remote_stim *s, struct remote_in *in) {
    struct rng *r = &s->base.rng;

    if (!s->size.MAPPED)
        return;
    if (s->base.now == 0 ||
        (!s->offered && s->gone == s->asked && rng_percent(r, 3)))
        shared_any_map(r, s->size.CHUNK, s->size.HOMES, &s->map);
    in->map_learned = s->map.learned;
    in->map_bit = (uint64_t)s->map.bit;
}

static void drive_mem(struct remote_stim *s, struct remote_in *in) {
    if (!s->offered && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.ask))
        offer(s);
    in->mem_valid = s->offered;
    struct shared a = {0};
    if (s->offered)
        a = s->offer;
    in->mem_op = a.op;
    in->mem_id = a.id;
    in->mem_address = a.address;
    in->mem_strobe = a.strobe;
    in->mem_compare = a.compare;
    shared_to_port(&a, s->size.SECTOR, in->mem_data);
}

static void drive_back(struct remote_stim *s, struct remote_in *in) {
    struct rng *r = &s->base.rng;
    if (!s->back_offered && s->base.rst_left == 0 &&
        rng_percent(r, s->tune.back)) {
        shared_any_reply(r, &s->layout, rng_percent(r, 30), &s->back);
        s->back_offered = true;
    }
    struct shared a = {0};
    if (s->back_offered)
        a = s->back;
    in->back_valid = s->back_offered;
    in->back_id = a.id;
    in->back_fault = a.fault;
    shared_to_port(&a, s->size.SECTOR, in->back_data);
}

static void drive_come(struct remote_stim *s, struct remote_in *in) {
    struct rng *r = &s->base.rng;
    /* gaps between the flits of a packet, too */
    bool stands = in->take_ans_valid && s->coming.at == s->offered_flit;
    if (s->base.rst_left > 0) {
        in->take_ans_valid = 0;
        return;
    }
    if (s->coming.at == s->coming.n) {
        bool bare = rng_percent(r, 30);
        shared_any_reply(r, &s->layout, bare, &s->coming_as);
        shared_lay_reply(&s->layout, &s->coming_as, !bare, &s->coming);
    }
    in->take_ans_valid = stands || rng_percent(r, s->tune.come);
    s->offered_flit = s->coming.at;
    in->take_ans_last = in->take_ans_valid && s->coming.at + 1 == s->coming.n;
    memset(in->take_ans_data, 0, sizeof in->take_ans_data);
    if (in->take_ans_valid)
        shared_flit(&s->layout, &s->coming, in->take_ans_data);
}

static void drive(struct stim *base, void *ports) {
    struct remote_stim *s = (struct remote_stim *)base;
    struct remote_in *in = ports;
    struct rng *r = &base->rng;
    if (base->now == 0 || base->rst_left > 0) { /* also one without memory */
        uint64_t home = rng_below(r, (uint32_t)s->size.HOMES);
        uint64_t node = rng_below(r, (uint32_t)s->size.NODES);
        s->here = rng_percent(r, 80) ? shared_stands(&s->config, home) : node;
        in->at_node = s->here;
    }
    drive_map(s, in);
    drive_mem(s, in);
    drive_back(s, in);
    drive_come(s, in);
    in->own_ready = toggle_step(&s->own_ready, r, s->tune.high, s->tune.low);
    in->send_req_ready =
        toggle_step(&s->send_ready, r, s->tune.high, s->tune.low);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_own(struct remote_stim *s,
                             const struct remote_out *out,
                             const struct request *q) {
    if (out->send_req_valid)
        return stim_complain(&s->base, "a request for the own memory is sent "
                                       "to another node");
    if (!out->own_valid)
        return stim_complain(&s->base, "a request for the own memory is not "
                                       "there");
    if (out->own_op != q->as.op || out->own_id != q->as.id ||
        out->own_strobe != q->as.strobe || out->own_compare != q->as.compare ||
        !shared_at_port(&q->as, s->size.SECTOR, out->own_data))
        return stim_complain(&s->base,
                             "request %" PRIu64 " is altered on its way to the "
                             "own memory",
                             s->gone);
    if (out->own_address != q->as.address)
        return stim_complain(&s->base,
                             "sector %" PRIx64 " is asked of the own memory, "
                             "expected %" PRIx64,
                             out->own_address, q->as.address);
    return NULL;
}

static const char *check_far(struct remote_stim *s,
                             const struct remote_out *out,
                             const struct request *q) {
    uint64_t flit[SHARED_WORDS];
    uint64_t width = (uint64_t)s->size.WIDTH;
    if (out->own_valid)
        return stim_complain(&s->base, "a request for another node is at the "
                                       "own memory");
    if (!out->send_req_valid)
        return stim_complain(&s->base,
                             "a request for another node is not sent");
    if (out->send_req_y * width + out->send_req_x != q->goes_to ||
        out->send_req_x >= width)
        return stim_complain(&s->base,
                             "a packet for node %" PRIu64 " goes to column "
                             "%" PRIu64 " of row %" PRIu64,
                             q->goes_to, out->send_req_x, out->send_req_y);
    if (out->send_req_last != (s->going.at + 1 == s->going.n))
        return stim_complain(&s->base,
                             "flit %d of %d of a request is %sthe "
                             "last",
                             s->going.at, s->going.n,
                             out->send_req_last ? "" : "not ");
    shared_flit(&s->layout, &s->going, flit);
    if (memcmp(flit, out->send_req_data, sizeof flit) != 0)
        return stim_complain(
            &s->base,
            "flit %d of a request with op %" PRIu64 " is %016" PRIx64
            " in its lowest bits, expected %016" PRIx64,
            s->going.at, q->as.op, out->send_req_data[0], flit[0]);
    return NULL;
}

/* One request is at its way, if there is any whose edge has come. */
static const char *check_ways(struct remote_stim *s,
                              const struct remote_out *out, bool shows) {
    const struct request *q = &s->request[s->gone % RING];
    if (!shows)
        return out->own_valid || out->send_req_valid
                   ? stim_complain(&s->base, "a request that nobody made")
                   : NULL;
    if (!s->was)
        shared_lay_ask(&s->layout, &q->as, &s->going);
    s->was = true;
    return q->goes_to == s->here ? check_own(s, out, q) : check_far(s, out, q);
}

static const char *watch_requests(struct remote_stim *s,
                                  const struct remote_in *in,
                                  const struct remote_out *before,
                                  const struct remote_out *after) {
    if (before->own_valid && in->own_ready) {
        s->gone++;
        s->was = false;
    }
    if (before->send_req_valid && in->send_req_ready &&
        ++s->going.at == s->going.n) {
        s->gone++;
        s->was = false;
    }
    bool shows = s->gone != s->asked;
    if (in->mem_valid && before->mem_ready) {
        s->asked++;
        s->offered = false;
    }
    return check_ways(s, after, shows);
}

static const char *check_rsp(struct remote_stim *s,
                             const struct remote_out *out,
                             const struct shared *due) {
    if (out->rsp_valid != (due != NULL))
        return stim_complain(&s->base, "an answer is %sat rsp",
                             due ? "not " : "");
    if (!due)
        return NULL;
    s->answers++;
    if (out->rsp_id != due->id || out->rsp_fault != due->fault ||
        !shared_at_port(due, s->size.SECTOR, out->rsp_data))
        return stim_complain(&s->base,
                             "an answer with id %" PRIu64 " and fault %" PRIu64
                             " is altered, or another one",
                             due->id, due->fault);
    return NULL;
}

static const char *watch_answers(struct remote_stim *s,
                                 const struct remote_in *in,
                                 const struct remote_out *before,
                                 const struct remote_out *after) {
    const struct shared *due = NULL;
    bool there = s->there;
    if (s->back_offered && !(there && s->far_turn)) {
        due = &s->back;
        s->far_turn = true;
        s->back_offered = false;
    } else if (there) {
        due = &s->came;
        s->far_turn = s->there = false;
    }
    const char *wrong = check_rsp(s, after, due);
    if (in->take_ans_valid && before->take_ans_ready) {
        if (there)
            return stim_complain(&s->base, "a flit is taken too early");
        s->there = ++s->coming.at == s->coming.n;
        s->came = s->coming_as;
    } else if (!wrong && in->take_ans_valid && !there) {
        wrong = stim_complain(&s->base, "a flit of an answer is refused");
    }
    return wrong;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct remote_stim *s = (struct remote_stim *)base;
    const char *wrong = watch_requests(s, in_ports, before_ports, after_ports);
    const char *also = watch_answers(s, in_ports, before_ports, after_ports);
    return wrong ? wrong : also;
}

static void report(struct stim *base, struct text *t) {
    const struct remote_stim *s = (const struct remote_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->gone);
    text_printf(t, "answers\t%" PRIu64 "\n", s->answers);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class remote_stim = {
    .size = sizeof(struct remote_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
