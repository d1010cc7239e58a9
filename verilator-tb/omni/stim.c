/* stim.c - stimulus of the queues of a node: the core with its chains, the
 * memory, and a network that brings every packet back to the node itself.
 *
 * So the node is the core that offloads, the meet node that computes, and the
 * memory node that has the operands, all at once: a chain goes all the way.
 * Packets of a class are held, delayed and overtake each other, as those of
 * different nodes do.  The chains are those of work.h: no two that are under
 * way have an operand in common, so what memory holds, or the core gets, at the
 * end of each is known when it begins.  Lookups are compared with Algorithm 1.
 *
 * random            phases with other shares of everything
 * directed          the following, one after the other
 * full_far_queue    the service queue may use few places, or none
 * diverged_lanes    each chain has some lanes only
 * hit_in_mid_chain  loads hit in the L1, the second ones mostly
 * no_free_entry     nothing is computed for long: all entries wait
 * llc_compute       only memory nodes compute, many loads have one memory
 * busy_core         the core mostly has the ALU
 * off               no chain is taken
 * replay            a node of a mesh on which a kernel runs, see replay.h
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/emn.h"
#include "blocks/gate.h"
#include "blocks/omni.h"
#include "blocks/oqueue.h"
#include "blocks/squeue.h"
#include "emn/emn.h"
#include "iface/system.h"
#include "kit/toggle.h"
#include "replay.h"
#include "squeue/far.h"
#include "work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 64, DATA = 256 / 64, PATIENCE = 30000 };
enum { REQUESTS, ANSWERS, CLASSES, HELD = 8, MOST_FLITS_HELD = 96 };

/* What the surroundings are like for a while; shares in percent. */
struct tune {
    const char *name;
    struct work_tune work;
    int give;         /* edges with an op, if it may come */
    int deliver;      /* edges on which a packet, or a flit, goes on */
    int bring;        /* edges with a beat of the memory */
    int high, low;    /* longest times that something is taken, and not */
    int busy;         /* longest time that the core has the ALU */
    int mode, places; /* settings; places -1: all */
};

/* hit_first, hit, unable, masked, same */
static const struct tune named[] = {
    {"full_far_queue", {2, 2, 10, 30, 50}, 100, 90, 90, 3, 0, 0, 2, 1},
    {"diverged_lanes", {2, 2, 2, 95, 50}, 90, 90, 90, 3, 1, 1, 2, -1},
    {"hit_in_mid_chain", {20, 60, 2, 30, 50}, 90, 90, 90, 3, 1, 0, 2, -1},
    {"no_free_entry", {2, 2, 0, 30, 60}, 100, 100, 100, 1, 0, 900, 2, -1},
    {"llc_compute", {2, 2, 2, 30, 70}, 90, 90, 60, 3, 0, 0, 1, -1},
    {"busy_core", {2, 2, 2, 30, 50}, 90, 90, 5, 3, 0, 12, 2, -1},
    {"off", {10, 10, 2, 30, 50}, 90, 90, 90, 3, 0, 0, 0, -1},
};
enum { N_NAMED = sizeof named / sizeof *named };

struct packet {
    bool whole, goes; /* all of it is held; it is being brought back */
    int n, at;
    uint64_t flit[MOST_FLITS_HELD][DATA];
};

struct network {
    struct packet held[HELD];
    int coming, going; /* packets; -1: none */
    bool shown;        /* a flit stands there */
    struct toggle ready;
};

struct brought {
    uint64_t last, data[DATA];
};

/* A chain that has an entry and waits. */
struct job {
    bool waits;
    uint64_t wave;
    struct work work;
    uint32_t got[2][WORK_LANES]; /* the result, or the loads that came back */
    int beats[2];
};

struct omni_stim {
    struct stim base;
    struct gate_local size;
    struct compute_size layout;
    struct int_list memories;
    size_t in[OMNI_N_INSTANCES], out[OMNI_N_INSTANCES];
    struct master master[OMNI_N_INSTANCES];
    struct tune tune;
    int left; /* edges of this phase; below zero: all must come to its end */
    int turn; /* phases of the directed modes */
    uint64_t at;
    struct work_memory memory;
    /* the chain whose ops are given */
    bool chained, offered, open;
    struct work work;
    int next; /* op */
    uint64_t wave;
    int singles, gone; /* of its loads that go singly */
    int entries;       /* that are taken */
    bool asked, stands;
    uint64_t asked_mem[2];
    struct job job[MOST_ENTRIES];
    struct network net[CLASSES];
    struct brought bring[512];
    unsigned bring_head, bring_tail;
    bool bringing;
    uint64_t store_at; /* of the store whose beats come */
    int store_beats;
    struct toggle want_ready, load_ready, done_ready, result_ready, idle;
    uint64_t ended_at; /* the edge on which a chain ended last */
    uint64_t chains, packets, ends, locals;
};

static struct omni_stim *omni_of(struct stim *base) {
    return (struct omni_stim *)base;
}

#define PART(s, ports, way, name, type)                                        \
    ((const struct type *)(const void *)((const char *)(ports) +               \
                                         (s)->way[OMNI_##name]))
#define PART_IN(s, ports, name, type)                                          \
    ((struct type *)(void *)((char *)(ports) + (s)->in[OMNI_##name]))

static bool draining(const struct omni_stim *s) {
    return s->left < 0;
}

static void count(struct omni_stim *s, int part, int counter) {
    s->master[part].count[counter]++;
}

/* --- phases --------------------------------------------------------------- */

static bool is_quiet(const struct omni_stim *s) {
    for (int c = 0; c < CLASSES; c++)
        for (int i = 0; i < HELD; i++)
            if (s->net[c].held[i].n)
                return false;
    return s->entries == 0 && !s->chained && s->singles == s->gone &&
           s->bring_head == s->bring_tail;
}

static void use(struct omni_stim *s, const struct tune *t, int edges) {
    struct master *offload = &s->master[OMNI_offload];
    struct master *service = &s->master[OMNI_service];
    uint32_t places =
        t->places < 0 ? (uint32_t)s->size.PLACES : (uint32_t)t->places;
    s->tune = *t;
    s->left = edges;
    if (offload->setting[OQUEUE_SET_mode] != (uint32_t)t->mode)
        master_set(offload, OQUEUE_SET_mode, (uint32_t)t->mode);
    if (service->setting[SQUEUE_SET_places] != places)
        master_set(service, SQUEUE_SET_places, places);
}

static bool phase_over(struct omni_stim *s) {
    return s->tune.high == 0 || (--s->left < 0 && is_quiet(s));
}

/* Where few places may be used: none, one, two in turn.  It takes long until
 * all entries are taken. */
static void use_named(struct omni_stim *s, const struct tune *named_one,
                      int turn) {
    struct tune t = *named_one;
    if (t.places >= 0)
        t.places = turn % 3;
    use(s, &t, t.busy > 100 ? 300 + 25 * s->size.ENTRIES : 400);
}

static void step_directed(struct stim *base) {
    struct omni_stim *s = omni_of(base);
    if (!phase_over(s))
        return;
    use_named(s, &named[s->turn % N_NAMED], s->turn / N_NAMED);
    s->turn++;
}

static void step_named(struct stim *base) {
    struct omni_stim *s = omni_of(base);
    if (!phase_over(s))
        return;
    for (int i = 0; i < N_NAMED; i++)
        if (strcmp(named[i].name, base->mode->name) == 0)
            use_named(s, &named[i], s->turn++);
}

static void step_random(struct stim *base) {
    static const int shares[] = {0, 3, 15, 50, 95, 100};
    struct omni_stim *s = omni_of(base);
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    struct tune t = {.work = {.hit_first = shares[rng_below(r, 4)],
                              .hit = shares[rng_below(r, 4)],
                              .unable = shares[rng_below(r, 3)],
                              .masked = shares[rng_below(r, 6)],
                              .same = shares[rng_below(r, 6)]},
                     .give = shares[rng_range(r, 2, 5)],
                     .deliver = shares[rng_range(r, 1, 5)],
                     .bring = shares[rng_range(r, 1, 5)],
                     .high = rng_range(r, 1, 6),
                     .mode = rng_percent(r, 70) ? 2 : rng_range(r, 0, 3),
                     .places = rng_percent(r, 60) ? -1 : rng_range(r, 0, 3)};
    t.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 8);
    t.busy = rng_percent(r, 60) ? 0 : rng_range(r, 1, 12);
    use(s, &t, rng_range(r, 100, 600 + 25 * s->size.ENTRIES));
    if (rng_percent(r, 5))
        master_clear(&s->master[rng_below(r, OMNI_N_INSTANCES)]);
}

/* --- the core ------------------------------------------------------------- */

/* A core some of whose pairs of memories have no meet node, if there is one. */
static int choose_core(struct omni_stim *s) {
    int n = s->size.NODES, from = (int)rng_below(&s->base.rng, (uint32_t)n);
    for (int i = 0; i < n; i++) {
        int core = (from + i) % n, none = 0;
        for (int a = 0; a < s->memories.n; a++)
            for (int b = 0; b < s->memories.n; b++)
                none += !emn_find(s->size.WIDTH, core, s->memories.v[a],
                                  s->memories.v[b])
                             .found;
        if (none > 0)
            return core;
    }
    return from;
}

static void open(struct stim *base, const struct config *c) {
    struct omni_stim *s = omni_of(base);
    struct design *d = base->design;
    s->size = gate_local(c);
    s->layout = (struct compute_size)COMPUTE_SIZE(s->size);
    s->memories = c->mesh_memory_nodes;
    for (int i = 0; i < OMNI_N_INSTANCES; i++) {
        const struct system_part *at = system_instance(d, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
        master_add(&base->master, &s->master[i], at->design,
                   (uint32_t)at->region << system_offset_bits(d));
    }
    work_open(&s->memory, s->size.MASK_W, s->size.LINE, s->memories.n,
              s->size.ADDR_W);
    s->at = (uint64_t)choose_core(s);
    base->reset_every = 5000;
    base->wishbone = 100;
}

static void reset(struct stim *base) {
    struct omni_stim *s = omni_of(base);
    s->chained = s->offered = s->open = s->bringing = false;
    s->asked = s->stands = false;
    s->singles = s->gone = s->entries = s->store_beats = 0;
    s->bring_head = s->bring_tail = 0;
    memset(s->job, 0, sizeof s->job);
    memset(s->memory.taken, 0, sizeof s->memory.taken);
    for (int c = 0; c < CLASSES; c++) {
        memset(s->net[c].held, 0, sizeof s->net[c].held);
        s->net[c].coming = s->net[c].going = -1;
        s->net[c].shown = false;
    }
    s->left = 0;
    s->tune.high = 0;
    s->ended_at = base->now;
    s->master[OMNI_gate].status[GATE_STA_hops] = 0;
    s->master[OMNI_gate].status[GATE_STA_flit_hops] = 0;
}

static void drive_op(struct omni_stim *s, struct oqueue_in *in) {
    struct rng *r = &s->base.rng;
    bool may = s->base.rst_left == 0 && !s->offered && !s->open &&
               (s->chained || (!draining(s) && s->singles == s->gone));
    if (may && rng_percent(r, draining(s) ? 100 : s->tune.give)) {
        if (!s->chained) {
            s->chained =
                work_make(&s->memory, &s->layout, r, &s->tune.work, &s->work);
            s->wave = rng_below(r, (uint32_t)s->size.WAVES);
            s->next = 0;
            s->chains += s->chained;
        }
        s->offered = s->chained;
    }
    const struct work_op none = {0};
    const struct work_op *o = s->offered ? &s->work.op[s->next] : &none;
    bool last = s->next + 1 == s->work.n;
    in->at_core = s->at;
    in->op_valid = s->offered;
    in->op_tag = !s->offered ? 0 : s->next == 0 ? 1 : last ? 3 : 2;
    in->op_wave = s->offered ? s->wave : 0;
    in->op_mask = s->offered ? s->work.mask : 0;
    in->op_kind = o->kind;
    in->op_hit = o->hit;
    in->op_address = o->address;
    in->op_mem = o->mem;
    in->op_code = o->code;
    in->op_type = o->type;
    in->op_reversed = o->reversed;
    in->op_fused = o->fused;
    in->op_has_imm = o->has_imm;
    in->op_imm = o->imm;
}

/* --- the network ---------------------------------------------------------- */

/* Where a packet that begins can be held; -1: nowhere. */
static int free_place(const struct network *n) {
    for (int i = 0; i < HELD; i++)
        if (n->held[i].n == 0)
            return i;
    return -1;
}

static void drive_net(struct omni_stim *s, struct network *n, uint64_t *ready,
                      uint64_t *valid, uint64_t *last, uint64_t *data) {
    struct rng *r = &s->base.rng;
    bool rst = s->base.rst_left > 0;
    bool level = toggle_step(&n->ready, r, s->tune.high, s->tune.low);
    int share = draining(s) ? 90 : s->tune.deliver;
    *ready = !rst && level && (n->coming >= 0 || free_place(n) >= 0);
    if (n->going < 0 && !rst && rng_percent(r, share)) {
        int from = (int)rng_below(r, HELD);
        for (int i = 0; i < HELD && n->going < 0; i++)
            if (n->held[(from + i) % HELD].whole)
                n->going = (from + i) % HELD;
    }
    n->shown = !rst && n->going >= 0 && (n->shown || rng_percent(r, share));
    *valid = n->shown;
    *last = 0;
    memset(data, 0, DATA * sizeof *data);
    if (!n->shown)
        return;
    struct packet *p = &n->held[n->going];
    *last = p->at + 1 == p->n;
    memcpy(data, p->flit[p->at], sizeof p->flit[0]);
}

static const char *take_flit(struct omni_stim *s, struct network *n,
                             uint64_t last, const uint64_t *data) {
    if (n->coming < 0)
        n->coming = free_place(n);
    struct packet *p = &n->held[n->coming];
    if (p->n == MOST_FLITS_HELD)
        return stim_complain(&s->base, "a packet of %d flits does not end",
                             p->n);
    memcpy(p->flit[p->n++], data, sizeof p->flit[0]);
    p->whole = last;
    if (last)
        n->coming = -1;
    return NULL;
}

static void give_flit(struct network *n) {
    struct packet *p = &n->held[n->going];
    n->shown = false;
    if (++p->at < p->n)
        return;
    memset(p, 0, sizeof *p);
    n->going = -1;
}

/* --- inputs --------------------------------------------------------------- */

static void drive_bring(struct omni_stim *s, struct gate_in *in) {
    const struct brought *b = &s->bring[s->bring_head % 512];
    int share = draining(s) ? 100 : s->tune.bring;
    if (!s->bringing)
        s->bringing =
            s->bring_head != s->bring_tail && rng_percent(&s->base.rng, share);
    if (s->base.rst_left)
        s->bringing = false;
    in->bring_valid = s->bringing;
    in->bring_last = s->bringing && b->last;
    memset(in->bring_data, 0, sizeof in->bring_data);
    if (s->bringing)
        memcpy(in->bring_data, b->data, sizeof b->data);
}

static void drive(struct stim *base, void *ports) {
    struct omni_stim *s = omni_of(base);
    struct rng *r = &base->rng;
    struct oqueue_in *offload = PART_IN(s, ports, offload, oqueue_in);
    struct squeue_in *service = PART_IN(s, ports, service, squeue_in);
    struct gate_in *gate = PART_IN(s, ports, gate, gate_in);
    int high = s->tune.high, low = s->tune.low;
    if (base->script) {
        omni_replay_drive(base->script, ports);
        return;
    }
    gate->at_node = s->at;
    drive_op(s, offload);
    drive_net(s, &s->net[REQUESTS], &gate->ask_ready, &gate->asked_valid,
              &gate->asked_last, gate->asked_data);
    drive_net(s, &s->net[ANSWERS], &gate->reply_ready, &gate->replied_valid,
              &gate->replied_last, gate->replied_data);
    drive_bring(s, gate);
    service->core_busy =
        !toggle_step(&s->idle, r, 2, s->tune.busy) && !draining(s);
    offload->load_ready = toggle_step(&s->load_ready, r, high, low);
    offload->done_ready = toggle_step(&s->done_ready, r, high, low);
    gate->result_ready = toggle_step(&s->result_ready, r, high, low);
    gate->want_ready = toggle_step(&s->want_ready, r, high, low) &&
                       s->bring_tail - s->bring_head < 256;
}

/* --- what the core is told ------------------------------------------------ */

static void end_chain(struct omni_stim *s) {
    s->chained = false;
    work_drop(&s->memory, &s->work);
}

/* The loads before op number n go singly; the chain has given up its entry. */
static void let_go(struct omni_stim *s, int n) {
    s->singles = s->gone = 0;
    for (int i = 0; i < n; i++)
        s->singles += s->work.op[i].kind == OQUEUE_LOAD;
    s->entries--;
}

/* What must be said at once of the op that is taken; -1: later. */
static int expect_said(struct omni_stim *s) {
    const struct work_op *o = &s->work.op[s->next];
    if (s->next == 0) {
        s->asked = s->stands = false;
        if (s->master[OMNI_offload].setting[OQUEUE_SET_mode] == 0)
            return OQUEUE_NORMAL;
        if (o->hit) {
            count(s, OMNI_offload, OQUEUE_CNT_hits);
            return OQUEUE_NORMAL;
        }
        if (s->entries == s->size.ENTRIES) {
            count(s, OMNI_offload, OQUEUE_CNT_full);
            return OQUEUE_NORMAL;
        }
        count(s, OMNI_offload, OQUEUE_CNT_begun);
        s->entries++;
        return OQUEUE_TAKEN;
    }
    if (o->kind == OQUEUE_LOAD && o->hit) { /* of a begun chain, in any mode */
        count(s, OMNI_offload, OQUEUE_CNT_hits);
        let_go(s, s->next);
        return OQUEUE_NORMAL;
    }
    return s->next + 1 == s->work.n ? -1 : OQUEUE_TAKEN;
}

static const char *decide(struct omni_stim *s, const struct oqueue_out *after) {
    uint64_t what = after->said_what;
    s->open = false;
    if (!s->asked || what != (s->stands ? OQUEUE_WAITS : OQUEUE_SINGLE))
        return stim_complain(&s->base,
                             "the chain '%s' gets the answer %" PRIu64,
                             s->work.form, what);
    if (!s->stands) {
        count(s, OMNI_offload, OQUEUE_CNT_unmet);
        let_go(s, s->work.n);
        end_chain(s);
        return NULL;
    }
    struct job *j = &s->job[after->said_entry];
    if (j->waits)
        return stim_complain(&s->base, "entry %" PRIu64 " is taken twice",
                             after->said_entry);
    *j = (struct job){.waits = true, .wave = s->wave, .work = s->work};
    s->chained = false;
    s->packets++;
    count(s, OMNI_offload, OQUEUE_CNT_packets);
    if (s->work.mask != ones(s->size.MASK_W))
        count(s, OMNI_offload, OQUEUE_CNT_masked);
    return NULL;
}

static const char *watch_said(struct omni_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before,
                              const struct oqueue_out *after) {
    if (!(in->op_valid && before->op_ready)) {
        if (!after->said_valid)
            return NULL;
        return s->open ? decide(s, after)
                       : stim_complain(&s->base, "an answer to no instruction");
    }
    int what = expect_said(s);
    s->offered = false;
    s->open = what < 0;
    s->next++;
    if (what == OQUEUE_NORMAL)
        end_chain(s);
    if (what < 0 ? after->said_valid
                 : !after->said_valid || after->said_what != (uint64_t)what)
        return stim_complain(&s->base,
                             "instruction %d of '%s' gets the answer %" PRIu64
                             ", not %d",
                             s->next, s->work.form, after->said_what, what);
    return NULL;
}

/* --- lookups -------------------------------------------------------------- */

/* All that is stored lies at the memory of the first load. */
static bool stores_there(const struct omni_stim *s) {
    for (int i = 0; i < s->work.n; i++)
        if (s->work.op[i].kind == OQUEUE_STORE &&
            s->work.op[i].mem != s->work.op[0].mem)
            return false;
    return true;
}

static const char *watch_meet(struct omni_stim *s,
                              const struct oqueue_out *offload,
                              const struct emn_out *meet) {
    uint32_t mode = s->master[OMNI_offload].setting[OQUEUE_SET_mode];
    if (meet->ans_valid) {
        uint64_t *mem = s->asked_mem;
        struct emn_meet m =
            emn_find(s->size.WIDTH, (int)s->at, s->memories.v[mem[0]],
                     s->memories.v[mem[1]]);
        bool same = mem[0] == mem[1];
        count(s, OMNI_meet, EMN_CNT_lookups);
        count(s, OMNI_meet, m.found ? EMN_CNT_met : EMN_CNT_none);
        if (m.found && same)
            count(s, OMNI_meet, EMN_CNT_same);
        s->asked = true;
        s->stands = m.found && (mode == 2 || (mode == 1 && same) ||
                                (mode == 3 && same && stores_there(s)));
        if (meet->ans_found != m.found ||
            (m.found && meet->ans_node != (uint64_t)m.node))
            return stim_complain(&s->base,
                                 "the meet node of %" PRIu64 " and %" PRIu64
                                 " is %" PRIu64,
                                 mem[0], mem[1], meet->ans_node);
    }
    if (offload->meet_valid) {
        s->asked_mem[0] = offload->meet_mem0;
        s->asked_mem[1] = offload->meet_mem1;
    }
    return NULL;
}

/* --- loads that go singly ------------------------------------------------- */

static const char *watch_load(struct omni_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before) {
    if (!before->load_valid || !in->load_ready)
        return NULL;
    if (s->gone == s->singles || before->load_second != (uint64_t)s->gone)
        return stim_complain(&s->base,
                             "the load of %" PRIx64 " was not to go singly",
                             before->load_address);
    s->gone++;
    return NULL;
}

/* --- the memory ----------------------------------------------------------- */

static struct brought *put_brought(struct omni_stim *s, bool last) {
    struct brought *b = &s->bring[s->bring_tail++ % 512];
    *b = (struct brought){.last = last};
    return b;
}

static const char *watch_want(struct omni_stim *s, const struct gate_in *in,
                              const struct gate_out *before) {
    if (!before->want_valid || !in->want_ready)
        return NULL;
    int slot = work_slot(&s->memory, before->want_address);
    if (slot < 0)
        return stim_complain(
            &s->base, "the memory is asked for %" PRIx64 ", which no chain has",
            before->want_address);
    uint32_t *word = s->memory.word[slot];
    if (!before->want_store) {
        for (int i = 0; i < s->size.BEATS; i++) {
            struct brought *b = put_brought(s, i + 1 == s->size.BEATS);
            for (int k = 0; k < s->size.ALUS; k++)
                bits_set_lane(b->data, k, word[i * s->size.ALUS + k]);
        }
        return NULL;
    }
    for (int k = 0; k < s->size.ALUS; k++) {
        int lane = s->store_beats * s->size.ALUS + k;
        if (before->want_mask >> lane & 1)
            word[lane] = bits_lane(before->want_data, k);
    }
    s->store_beats++;
    if (!before->want_last)
        return NULL;
    if (s->store_beats != s->size.BEATS)
        return stim_complain(&s->base, "a store of %d beats", s->store_beats);
    s->store_beats = 0;
    put_brought(s, true);
    return NULL;
}

/* --- ends ----------------------------------------------------------------- */

static const char *watch_result(struct omni_stim *s, const struct gate_in *in,
                                const struct gate_out *before) {
    if (!before->result_valid || !in->result_ready)
        return NULL;
    struct job *j = &s->job[before->result_entry];
    int which = (int)before->result_second;
    if (!j->waits || j->beats[which] == s->size.BEATS)
        return stim_complain(&s->base,
                             "data for entry %" PRIu64 ", which wants none",
                             before->result_entry);
    for (int k = 0; k < s->size.ALUS; k++)
        j->got[which][j->beats[which] * s->size.ALUS + k] =
            bits_lane(before->result_data, k);
    j->beats[which]++;
    return NULL;
}

/* Whether lanes that take part are as they should be. */
static bool same_lanes(const struct omni_stim *s, const struct work *w,
                       const uint32_t *got, const uint32_t *want) {
    for (int i = 0; i < s->size.MASK_W; i++)
        if (w->mask >> i & 1 && got[i] != want[i])
            return false;
    return true;
}

/* The chain of an entry has ended in that way: is what it did right. */
static bool is_right(const struct omni_stim *s, const struct job *j,
                     uint64_t how, uint64_t bits) {
    const struct work *w = &j->work;
    switch (how) {
    case OQUEUE_ACK:
        return work_stores(w) &&
               same_lanes(s, w, s->memory.word[w->slot[2]], w->result);
    case OQUEUE_DATA:
        return work_gives(w) && j->beats[0] == s->size.BEATS &&
               same_lanes(s, w, j->got[0], w->result);
    case OQUEUE_BITMAP:
        return work_compares(w) && bits == w->bits;
    default:
        for (int k = 0; k < 2; k++) {
            bool two = far_two(&w->c);
            if ((k == 0 || two) &&
                (j->beats[k] != s->size.BEATS ||
                 !same_lanes(s, w, j->got[k], s->memory.word[w->slot[k]])))
                return false;
        }
        return true;
    }
}

static const char *watch_done(struct omni_stim *s, const struct oqueue_in *in,
                              const struct oqueue_out *before,
                              const struct oqueue_out *after) {
    if (!after->done_valid || (before->done_valid && !in->done_ready))
        return NULL;
    struct job *j = &s->job[after->done_entry];
    count(s, OMNI_offload, OQUEUE_CNT_ends);
    if (after->done_how == OQUEUE_LOADED)
        count(s, OMNI_offload, OQUEUE_CNT_locals);
    s->locals += after->done_how == OQUEUE_LOADED;
    s->ends++;
    s->entries--;
    s->ended_at = s->base.now;
    bool right = j->waits && after->done_wave == j->wave &&
                 after->done_mask == j->work.mask &&
                 is_right(s, j, after->done_how, after->done_bits);
    j->waits = false;
    work_drop(&s->memory, &j->work);
    if (right)
        return NULL;
    return stim_complain(&s->base,
                         "the chain '%s' of entry %" PRIu64 " ends by %" PRIu64
                         " with another result",
                         j->work.form ? j->work.form : "", after->done_entry,
                         after->done_how);
}

/* --- what is counted ------------------------------------------------------ */

/* The chain under way with a load at that address. */
static const struct work *work_at(const struct omni_stim *s, uint64_t address) {
    int slot = work_slot(&s->memory, address);
    for (int i = 0; i < s->size.ENTRIES; i++)
        if (s->job[i].waits && slot >= 0 && s->job[i].work.slot[0] == slot)
            return &s->job[i].work;
    return NULL;
}

static void count_service(struct omni_stim *s, const struct squeue_out *before,
                          const struct squeue_out *after,
                          const struct gate_out *gate) {
    bool fresh = after->load_valid && !after->load_second &&
                 (!before->load_valid || gate->load_ready);
    if (fresh) {
        const struct work *w = work_at(s, after->load_address);
        count(s, OMNI_service, SQUEUE_CNT_packets);
        if (after->load_away && w)
            count(s, OMNI_service,
                  far_able(&w->c) ? SQUEUE_CNT_full : SQUEUE_CNT_unable);
    }
    if (before->ans_valid && gate->give_ready && before->ans_last)
        count(s, OMNI_service, SQUEUE_CNT_answers);
}

static uint32_t distance(const struct omni_stim *s, uint64_t x, uint64_t y) {
    int w = s->size.WIDTH, at = (int)s->at;
    return (uint32_t)(abs((int)x - at % w) + abs((int)y - at / w));
}

static void count_gate(struct omni_stim *s, const struct gate_in *in,
                       const struct gate_out *before,
                       const struct gate_out *after,
                       const struct squeue_out *service) {
    uint32_t *status = s->master[OMNI_gate].status;
    if (before->ask_valid && in->ask_ready) {
        uint32_t hops = distance(s, before->ask_x, before->ask_y);
        status[GATE_STA_flit_hops] += hops;
        status[GATE_STA_hops] += before->ask_last ? hops : 0;
        s->master[OMNI_gate].count[GATE_CNT_asks] += before->ask_last;
    }
    if (before->reply_valid && in->reply_ready) {
        uint32_t hops = distance(s, before->reply_x, before->reply_y);
        status[GATE_STA_flit_hops] += hops;
        status[GATE_STA_hops] += before->reply_last ? hops : 0;
        s->master[OMNI_gate].count[GATE_CNT_replies] += before->reply_last;
    }
    s->master[OMNI_gate].count[GATE_CNT_operands] += after->mark_valid;
    if (service->load_valid && before->load_ready && service->load_away)
        count(s, OMNI_gate, GATE_CNT_backs);
}

/* --- an edge -------------------------------------------------------------- */

static const char *watch_net(struct omni_stim *s, const struct gate_in *in,
                             const struct gate_out *before) {
    const char *wrong = NULL;
    if (in->asked_valid && before->asked_ready)
        give_flit(&s->net[REQUESTS]);
    if (in->replied_valid && before->replied_ready)
        give_flit(&s->net[ANSWERS]);
    if (before->ask_valid && in->ask_ready)
        wrong =
            take_flit(s, &s->net[REQUESTS], before->ask_last, before->ask_data);
    if (before->reply_valid && in->reply_ready && !wrong)
        wrong = take_flit(s, &s->net[ANSWERS], before->reply_last,
                          before->reply_data);
    if (in->bring_valid && before->bring_ready) {
        s->bring_head++;
        s->bringing = false;
    }
    return wrong;
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct omni_stim *s = omni_of(base);
    const struct oqueue_in *oi = PART(s, in, in, offload, oqueue_in);
    const struct oqueue_out *ob = PART(s, before, out, offload, oqueue_out);
    const struct oqueue_out *oa = PART(s, after, out, offload, oqueue_out);
    const struct emn_out *mb = PART(s, before, out, meet, emn_out);
    const struct squeue_out *sb = PART(s, before, out, service, squeue_out);
    const struct squeue_out *sa = PART(s, after, out, service, squeue_out);
    const struct gate_in *gi = PART(s, in, in, gate, gate_in);
    const struct gate_out *gb = PART(s, before, out, gate, gate_out);
    const struct gate_out *ga = PART(s, after, out, gate, gate_out);
    const char *wrong = watch_net(s, gi, gb);
    if (base->script)
        return omni_replay_watch(base->script, base, after);
    count_service(s, sb, sa, gb);
    count_gate(s, gi, gb, ga, sb);
    if (!wrong)
        wrong = watch_meet(s, ob, mb);
    if (!wrong)
        wrong = watch_load(s, oi, ob);
    if (!wrong)
        wrong = watch_want(s, gi, gb);
    if (!wrong)
        wrong = watch_result(s, gi, gb);
    if (!wrong)
        wrong = watch_said(s, oi, ob, oa);
    if (!wrong) /* an entry that ends is taken until the next edge */
        wrong = watch_done(s, oi, ob, oa);
    if (!s->entries)
        s->ended_at = base->now;
    if (!wrong && base->now - s->ended_at > PATIENCE)
        wrong = stim_complain(base, "%d chains do not end", s->entries);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct omni_stim *s = omni_of(base);
    if (base->script)
        return;
    text_printf(t, "chains\t%" PRIu64 "\n", s->chains);
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "ends\t%" PRIu64 "\n", s->ends);
    text_printf(t, "locals\t%" PRIu64 "\n", s->locals);
}

#define NAMED(n)                                                               \
    static const struct stim_mode n##_mode = {.name = #n, .step = step_named};
NAMED(full_far_queue)
NAMED(diverged_lanes)
NAMED(hit_in_mid_chain)
NAMED(no_free_entry)
NAMED(llc_compute)
NAMED(busy_core)
NAMED(off)
#undef NAMED

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static bool open_replay(struct stim *base) {
    if (!base->options->run) {
        diag_error(base->diag, (struct place){0},
                   "a node replays a run description, expected RUN=FILE.yml");
        return false;
    }
    return (base->script = omni_replay_open(base)) != NULL;
}

static void close_replay(struct stim *base) {
    omni_replay_close(base->script);
}

static void reset_replay(struct stim *base) {
    omni_replay_reset(base->script);
}

static enum stim_state state_replay(const struct stim *base) {
    return omni_replay_is_over(base->script) ? STIM_OVER : STIM_GOING;
}

static void report_replay(struct stim *base, struct text *t) {
    omni_replay_report(base->script, t);
}

static const struct stim_mode replay_mode = {.name = "replay",
                                             .measures = true,
                                             .is_master = true,
                                             .open = open_replay,
                                             .close = close_replay,
                                             .reset = reset_replay,
                                             .state = state_replay,
                                             .report = report_replay};
static const struct stim_mode *const modes[] = {&random_mode,
                                                &directed_mode,
                                                &full_far_queue_mode,
                                                &diverged_lanes_mode,
                                                &hit_in_mid_chain_mode,
                                                &no_free_entry_mode,
                                                &llc_compute_mode,
                                                &busy_core_mode,
                                                &off_mode,
                                                &replay_mode,
                                                NULL};

const struct stim_class omni_stim = {
    .size = sizeof(struct omni_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
