/* stim.c - stimulus of the memory's end of requests of all nodes: a core of the
 * own node, a mesh that brings packets and takes others, a memory that answers
 * in any order.
 *
 * Places, turns and what is at mem after each edge follow from the note;
 * packets are laid by hand (kit/shared.h).  What the memory answers is made up,
 * and must come back to who asked, in the order in which the memory answered.
 *
 * random    phases with other rates and patience of everybody
 * directed  streams of both kinds, no answers until places are used up
 */
#include "stim.h"

#include "blocks/home.h"
#include "kit/shared.h"
#include "kit/toggle.h"

#include <inttypes.h>

enum { RING = 256, MOST = 2 * 64 + 8 };

/* What the surroundings are like for a while. */
struct tune {
    int own, far;   /* percent of the edges with a request */
    int answer;     /* percent of the edges on which the memory answers */
    int high, low;  /* longest times that something is taken, and not */
    int back, send; /* percent of the phase's edges with patience at all */
};

/* An answer that is due, in the order of the memory's. */
struct due {
    struct shared as; /* node: who asked */
    bool data;
};

struct home_stim {
    struct stim base;
    struct home_local size;
    struct shared_size layout;
    struct tune tune;
    int left;
    struct toggle mem_ready, back_ready, send_ready;
    bool offered;
    struct shared own[RING]; /* requests of the own node */
    uint64_t asked, gone;
    bool shown;                   /* the oldest one can be seen */
    struct shared coming_as, far; /* of other nodes: the next one, one there */
    struct shared_flits coming;
    int offered_flit;     /* of coming */
    bool there, far_turn; /* as the note says */
    int own_used, far_used;
    bool at_mem; /* a request, and which */
    struct shared mem;
    bool mem_far;
    struct under_way {
        struct shared as;
        bool far;
    } under_way[MOST]; /* at the memory */
    int n;
    struct due back[RING], send[RING];
    uint64_t back_due, back_gone, send_due, send_gone;
    uint64_t back_seen, send_seen; /* due on the edge before */
    struct shared_flits going;
    bool going_laid;
    uint64_t requests, answers;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 100, 1, 0, 1, 1}, /* own alone, */
        {0, 100, 100, 1, 0, 1, 1}, /* others alone, */
        {100, 100, 100, 1, 0, 1, 1},
        {100, 100, 100, 1, 0, 0, 1}, /* the core takes nothing, */
        {100, 100, 100, 1, 0, 1, 0}, /* the mesh does not */
        {100, 100, 30, 2, 5, 1, 1},
    };
    struct home_stim *s = (struct home_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 500 % (sizeof script / sizeof *script)];
    s->left = 499;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 15, 0};
    struct home_stim *s = (struct home_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.own = rates[rng_below(r, 5)];
    s->tune.far = rates[rng_below(r, 5)];
    s->tune.answer = rates[rng_below(r, 4)];
    s->tune.high = rng_range(r, 1, 8);
    s->tune.low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 8);
    s->tune.back = !rng_percent(r, 20);
    s->tune.send = !rng_percent(r, 20);
    s->left = rng_range(r, 20, 300);
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct home_stim *s = (struct home_stim *)base;
    s->size = home_local(c);
    s->layout = SHARED_SIZE(s->size);
    base->reset_every = 2500;
}

static void reset(struct stim *base) {
    struct home_stim *s = (struct home_stim *)base;
    s->offered = s->shown = s->there = s->far_turn = s->at_mem = false;
    s->gone = s->asked;
    s->own_used = s->far_used = s->n = 0;
    s->back_gone = s->back_seen = s->back_due;
    s->send_gone = s->send_seen = s->send_due;
    s->going_laid = false;
    memset(&s->coming, 0, sizeof s->coming);
}

static void drive_own(struct home_stim *s, struct home_in *in) {
    struct rng *r = &s->base.rng;
    struct shared *q = &s->own[s->asked % RING];
    if (!s->offered && s->base.rst_left == 0 && rng_percent(r, s->tune.own)) {
        shared_any(r, &s->layout, q);
        q->address = rng_next(r) & ones(s->size.LADDR_W);
        s->offered = true;
    }
    struct shared a = {0};
    if (s->offered)
        a = *q;
    in->own_valid = s->offered;
    in->own_op = a.op;
    in->own_id = a.id;
    in->own_address = a.address;
    in->own_strobe = a.strobe;
    in->own_compare = a.compare;
    shared_to_port(&a, s->size.SECTOR, in->own_data);
}

static void drive_far(struct home_stim *s, struct home_in *in) {
    struct rng *r = &s->base.rng;
    /* gaps between the flits of a packet, too */
    bool stands = in->take_req_valid && s->coming.at == s->offered_flit;
    if (s->base.rst_left > 0) {
        in->take_req_valid = 0;
        return;
    }
    if (s->coming.at == s->coming.n) {
        struct shared *a = &s->coming_as;
        shared_any(r, &s->layout, a);
        a->address = rng_next(r) & ones(s->size.LADDR_W);
        a->node = rng_below(r, (uint32_t)s->size.NODES);
        shared_lay_ask(&s->layout, a, &s->coming);
    }
    in->take_req_valid = stands || rng_percent(r, s->tune.far);
    s->offered_flit = s->coming.at;
    in->take_req_last = in->take_req_valid && s->coming.at + 1 == s->coming.n;
    memset(in->take_req_data, 0, sizeof in->take_req_data);
    if (in->take_req_valid)
        shared_flit(&s->layout, &s->coming, in->take_req_data);
}

/* The id of a request at the memory, by the note: id, node, far, data. */
static uint64_t tag_of(const struct home_stim *s, const struct shared *a,
                       bool far) {
    uint64_t node = far ? a->node : 0, data = a->op != 1;
    return a->id | node << s->size.ID_W |
           (uint64_t)far << (s->size.ID_W + s->size.NODE_W) |
           data << (s->size.ID_W + s->size.NODE_W + 1);
}

/* Any of the requests is answered. */
static void drive_rsp(struct home_stim *s, struct home_in *in) {
    struct rng *r = &s->base.rng;
    struct due d = {0};
    in->rsp_valid = in->rsp_id = in->rsp_fault = 0;
    if (s->n > 0 && s->base.rst_left == 0 && rng_percent(r, s->tune.answer)) {
        int at = (int)rng_below(r, (uint32_t)s->n);
        struct under_way *u = &s->under_way[at];
        d.data = u->as.op != 1;
        shared_any_reply(r, &s->layout, !d.data, &d.as);
        d.as.id = u->as.id;
        d.as.node = u->as.node;
        in->rsp_valid = 1;
        in->rsp_id = tag_of(s, &u->as, u->far);
        in->rsp_fault = d.as.fault;
        if (u->far)
            s->send[s->send_due++ % RING] = d;
        else
            s->back[s->back_due++ % RING] = d;
        *u = s->under_way[--s->n];
    }
    shared_to_port(&d.as, s->size.SECTOR, in->rsp_data);
}

static void drive(struct stim *base, void *ports) {
    struct home_stim *s = (struct home_stim *)base;
    struct home_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = s->tune.low;
    drive_own(s, in);
    drive_far(s, in);
    s->back_seen = s->back_due; /* what comes on this edge is not there after */
    s->send_seen = s->send_due;
    drive_rsp(s, in);
    in->mem_ready = toggle_step(&s->mem_ready, r, high, low);
    in->back_ready = toggle_step(&s->back_ready, r, high, low) && s->tune.back;
    in->send_ans_ready =
        toggle_step(&s->send_ready, r, high, low) && s->tune.send;
}

/* --- what must come out --------------------------------------------------- */

static const char *check_mem(struct home_stim *s, const struct home_out *out) {
    const struct shared *a = &s->mem;
    if (out->mem_valid != s->at_mem)
        return stim_complain(&s->base, "a request is %sat mem",
                             s->at_mem ? "not " : "");
    if (!s->at_mem)
        return NULL;
    if (out->mem_id != tag_of(s, a, s->mem_far))
        return stim_complain(&s->base,
                             "a request is at mem with id %" PRIx64
                             ", expected %" PRIx64,
                             out->mem_id, tag_of(s, a, s->mem_far));
    if (out->mem_op != a->op || out->mem_address != a->address ||
        out->mem_strobe != a->strobe || out->mem_compare != a->compare ||
        !shared_at_port(a, s->size.SECTOR, out->mem_data))
        return stim_complain(&s->base,
                             "%s request is altered on its way to mem",
                             s->mem_far ? "another node's" : "an own");
    return NULL;
}

/* Who goes to the memory on this edge, and what is there after it. */
static const char *watch_mem(struct home_stim *s, const struct home_in *in,
                             const struct home_out *after) {
    bool own = s->shown && s->own_used < s->size.PLACES;
    bool far = s->there && s->far_used < s->size.PLACES;
    if (s->at_mem && in->mem_ready) {
        s->under_way[s->n++] =
            (struct under_way){.as = s->mem, .far = s->mem_far};
        s->requests++;
        s->at_mem = false;
    }
    if (!s->at_mem && (own || far)) {
        s->mem_far = far && (!own || s->far_turn);
        s->mem = s->mem_far ? s->far : s->own[s->gone % RING];
        s->at_mem = true;
        s->far_turn = !s->mem_far;
        if (s->mem_far) {
            s->far_used++;
            s->there = false;
        } else {
            s->own_used++;
            s->gone++;
        }
    }
    return check_mem(s, after);
}

static const char *watch_back(struct home_stim *s, const struct home_in *in,
                              const struct home_out *before,
                              const struct home_out *after) {
    if (before->back_valid && in->back_ready) {
        s->back_gone++;
        s->own_used--;
        s->answers++;
    }
    bool due = s->back_gone != s->back_seen;
    const struct due *d = &s->back[s->back_gone % RING];
    if (after->back_valid != due)
        return stim_complain(&s->base, "an answer is %sat back",
                             due ? "not " : "");
    if (due &&
        (after->back_id != d->as.id || after->back_fault != d->as.fault ||
         !shared_at_port(&d->as, s->size.SECTOR, after->back_data)))
        return stim_complain(&s->base,
                             "the answer to id %" PRIu64
                             " of the own node is altered, or another one",
                             d->as.id);
    return NULL;
}

static const char *check_flit(struct home_stim *s, const struct home_out *out,
                              const struct due *d) {
    uint64_t flit[SHARED_WORDS], width = (uint64_t)s->size.WIDTH;
    if (!s->going_laid)
        shared_lay_reply(&s->layout, &d->as, d->data, &s->going);
    s->going_laid = true;
    if (out->send_ans_y * width + out->send_ans_x != d->as.node ||
        out->send_ans_x >= width)
        return stim_complain(&s->base,
                             "an answer for node %" PRIu64
                             " goes to column %" PRIu64 " of row %" PRIu64,
                             d->as.node, out->send_ans_x, out->send_ans_y);
    if (out->send_ans_last != (s->going.at + 1 == s->going.n))
        return stim_complain(
            &s->base, "flit %d of %d of an answer is %sthe last", s->going.at,
            s->going.n, out->send_ans_last ? "" : "not ");
    shared_flit(&s->layout, &s->going, flit);
    if (memcmp(flit, out->send_ans_data, sizeof flit) != 0)
        return stim_complain(&s->base,
                             "flit %d of an answer is %016" PRIx64
                             " in its lowest bits, expected %016" PRIx64,
                             s->going.at, out->send_ans_data[0], flit[0]);
    return NULL;
}

static const char *watch_send(struct home_stim *s, const struct home_in *in,
                              const struct home_out *before,
                              const struct home_out *after) {
    if (before->send_ans_valid && in->send_ans_ready &&
        ++s->going.at == s->going.n) {
        s->send_gone++;
        s->far_used--;
        s->going_laid = false;
        s->answers++;
    }
    bool due = s->send_gone != s->send_seen;
    if (after->send_ans_valid != due)
        return stim_complain(&s->base, "an answer is %sat send_ans",
                             due ? "not " : "");
    return due ? check_flit(s, after, &s->send[s->send_gone % RING]) : NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct home_stim *s = (struct home_stim *)base;
    const struct home_in *in = in_ports;
    const struct home_out *before = before_ports, *after = after_ports;
    bool was_there = s->there;
    const char *wrong = watch_mem(s, in, after);
    const char *back = watch_back(s, in, before, after);
    const char *send = watch_send(s, in, before, after);
    s->shown = s->gone != s->asked;
    if (in->own_valid && before->own_ready) {
        s->asked++;
        s->offered = false;
    }
    if (in->take_req_valid && before->take_req_ready) {
        if (was_there)
            return stim_complain(base, "a flit is taken too early");
        s->there = ++s->coming.at == s->coming.n;
        s->far = s->coming_as;
    } else if (in->take_req_valid && !was_there) {
        return stim_complain(base, "a flit of a request is refused");
    }
    return wrong ? wrong : back ? back : send;
}

static void report(struct stim *base, struct text *t) {
    const struct home_stim *s = (const struct home_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "answers\t%" PRIu64 "\n", s->answers);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class home_stim = {
    .size = sizeof(struct home_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
