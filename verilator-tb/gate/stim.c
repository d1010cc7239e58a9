/* stim.c - stimulus of a gate: the queues of its node, its memory, its core,
 * and the network with everybody behind it.
 *
 * All packets are laid and read bit by bit (messages.h).  Whatever is said to
 * the gate is put into the list of what must come of it: requests and answers
 * by who said them, ComputePackets, loads and stores for the memory, answers,
 * results, marks, operands; each must be the next one of its list, and the
 * same. A load of a place or of a core's entry is followed on its way through
 * the network and back.  After each phase all that was begun must come to its
 * end.
 *
 * random          phases with other shares of everything
 * directed        the following, one after the other
 * far_queue_full  loads go back to their cores, and come from elsewhere
 * all_kinds       everything goes at once
 * slow_memory     the memory takes and brings little
 * slow_network    the network takes and brings little
 * slow_core       core and queues take little
 * alone           one thing after the other
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/gate.h"
#include "kit/toggle.h"
#include "messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 128, MOST_ENTRIES = 64, DATA = MESSAGE_DATA };
enum { PATIENCE = 1000, LONGEST = 200000 };

/* What the surroundings are like for a while; shares in percent. */
struct tune {
    const char *name;
    int pack, load, chain;   /* edges on which the queues begin something */
    int asked, replied;      /* edges on which the network does */
    int away, back;          /* loads, answers */
    int flits, bring, fetch; /* edges with a flit, a beat, a fetch */
    int high, low; /* longest times that something is taken, and not */
    int core_low, memory_low;
};

static const struct tune named[] = {
    {"far_queue_full", 5, 60, 5, 5, 60, 80, 80, 100, 100, 50, 3, 0, 0, 0},
    {"all_kinds", 60, 60, 60, 60, 60, 30, 30, 100, 100, 50, 3, 0, 0, 0},
    {"slow_memory", 10, 30, 30, 80, 30, 20, 20, 100, 6, 50, 3, 0, 0, 12},
    {"slow_network", 40, 60, 40, 40, 40, 30, 30, 20, 90, 50, 2, 9, 0, 0},
    {"slow_core", 10, 20, 20, 60, 90, 20, 20, 100, 100, 3, 3, 0, 12, 0},
    {"alone", 1, 1, 1, 1, 1, 30, 30, 100, 100, 90, 1, 0, 0, 0},
};
enum { N_NAMED = sizeof named / sizeof *named };

/* Who says what becomes a packet; by their lists. */
enum ask_source { PACK, STORED, KEPT, RETURNED, N_ASK };
enum reply_source { MEMORY, GIVEN, AWAY, N_REPLY };
/* Who wants something of the memory: packets, stores and loads of this node. */
enum want_source { FAR, OWN_STORE, OWN_LOAD, N_WANT };

/* A load on its way. */
enum way { NOWHERE, GIVEN_TO_GATE, ASKED_FOR, ANSWERED, MARKED, FETCHED };

struct told {
    uint64_t entry, kind, second, bits;
    uint64_t beats; /* results that come before it, since reset */
};

struct wanted {
    uint64_t store, last, address, type, mask, data[DATA];
};

struct lane {
    uint64_t last, entry, loaded, second, data[DATA];
    bool own; /* of a load of this node; entry: its place */
};

/* First in, first out, of anything. */
#define LINE(type)                                                             \
    struct {                                                                   \
        type v[512];                                                           \
        unsigned head, tail;                                                   \
    }
#define LINE_PUT(l) ((l)->v[(l)->tail++ % 512])
#define LINE_OLDEST(l) ((l)->v[(l)->head % 512])
#define LINE_EMPTY(l) ((l)->head == (l)->tail)
#define LINE_CLEAR(l) ((l)->head = (l)->tail = 0)

struct gate_stim {
    struct stim base;
    struct gate_local size;
    struct int_list memories;
    struct tune tune;
    int left; /* edges of this phase; below zero: all must come to its end */
    int at;   /* the node */
    /* what must come of what was said */
    struct messages ask[N_ASK], reply[N_REPLY], come;
    struct messages due[N_WANT]; /* what the memory will be asked for, with its
                                    answer */
    LINE(struct told) told;
    LINE(struct wanted) wanted[N_WANT];
    int wanting; /* whose store is in midst; -1: nobody's */
    LINE(struct lane) results;
    LINE(struct lane) brings; /* beats */
    LINE(struct lane) data;
    LINE(int) marks;
    LINE(int) own_marks;
    uint64_t results_told, results_taken;
    enum way place[MOST_PLACES][2], entry[MOST_ENTRIES][2];
    struct message operand[MOST_PLACES][2];
    /* what is offered, and what is at the ports but the registers' */
    struct gate_in in;
    struct message packing, asking, replying;
    struct message chain; /* of the service queue, its kind by its answer */
    bool chained, storing, acking;
    int stored, given;     /* beats of it that were taken */
    int fetching;          /* 2 * place + second of the fetch that is offered */
    struct message got[2]; /* coming out of ask and reply */
    int got_x[2], got_y[2];
    struct toggle ask_ready, reply_ready, come_ready, want_ready, ans_ready,
        result_ready;
    uint32_t hops, flit_hops;
    uint64_t moved;
    uint64_t packets, flits;
};

static bool draining(const struct gate_stim *s) {
    return s->left < 0;
}

/* --- phases --------------------------------------------------------------- */

static bool is_quiet(const struct gate_stim *s) {
    for (int i = 0; i < N_ASK; i++)
        if (messages_count(&s->ask[i]))
            return false;
    for (int i = 0; i < N_REPLY; i++)
        if (messages_count(&s->reply[i]))
            return false;
    for (int i = 0; i < s->size.PLACES; i++)
        if (s->place[i][0] || s->place[i][1])
            return false;
    for (int i = 0; i < s->size.ENTRIES; i++)
        if (s->entry[i][0] || s->entry[i][1])
            return false;
    for (int i = 0; i < N_WANT; i++)
        if (!LINE_EMPTY(&s->wanted[i]))
            return false;
    return !messages_count(&s->come) && LINE_EMPTY(&s->told) &&
           LINE_EMPTY(&s->results) && LINE_EMPTY(&s->brings) &&
           LINE_EMPTY(&s->data) && LINE_EMPTY(&s->marks) &&
           LINE_EMPTY(&s->own_marks) && !s->chained && !s->packing.n &&
           !s->asking.n && !s->replying.n;
}

static void use(struct gate_stim *s, const struct tune *t, int edges) {
    s->tune = *t;
    s->left = edges;
}

static bool phase_over(struct gate_stim *s) {
    return s->tune.high == 0 || (--s->left < 0 && is_quiet(s));
}

static void step_directed(struct stim *base) {
    struct gate_stim *s = (struct gate_stim *)base;
    static const int edges = 300;
    if (phase_over(s))
        use(s, &named[base->now / 700 % N_NAMED], edges);
}

static void step_named(struct stim *base) {
    struct gate_stim *s = (struct gate_stim *)base;
    if (!phase_over(s))
        return;
    for (int i = 0; i < N_NAMED; i++)
        if (strcmp(named[i].name, base->mode->name) == 0)
            use(s, &named[i], 400);
}

static void step_random(struct stim *base) {
    static const int shares[] = {0, 2, 10, 40, 90, 100};
    struct gate_stim *s = (struct gate_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    struct tune t = {.pack = shares[rng_below(r, 6)],
                     .load = shares[rng_below(r, 6)],
                     .chain = shares[rng_below(r, 6)],
                     .asked = shares[rng_below(r, 6)],
                     .replied = shares[rng_below(r, 6)],
                     .away = shares[rng_below(r, 6)],
                     .back = shares[rng_below(r, 6)],
                     .flits = shares[rng_range(r, 2, 5)],
                     .bring = shares[rng_range(r, 1, 5)],
                     .fetch = shares[rng_range(r, 1, 5)],
                     .high = rng_range(r, 1, 6)};
    t.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 8);
    t.core_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    t.memory_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    use(s, &t, rng_range(r, 50, 600));
    if (rng_percent(r, 5))
        master_clear(&base->master);
}

/* --- what is said --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct gate_stim *s = (struct gate_stim *)base;
    s->size = gate_local(c);
    s->memories = c->mesh_memory_nodes;
    s->at = (int)rng_below(&base->rng, (uint32_t)s->size.NODES);
    if (rng_percent(&base->rng, 80)) /* at a memory */
        s->at = s->memories.v[rng_below(&base->rng, (uint32_t)s->memories.n)];
    s->in.at_node = (uint64_t)s->at;
    base->reset_every = 4000;
    base->wishbone = 100;
}

static void close(struct stim *base) {
    struct gate_stim *s = (struct gate_stim *)base;
    for (int i = 0; i < N_ASK; i++)
        free(s->ask[i].v);
    for (int i = 0; i < N_REPLY; i++)
        free(s->reply[i].v);
    free(s->come.v);
    for (int i = 0; i < N_WANT; i++)
        free(s->due[i].v);
}

static void reset(struct stim *base) {
    struct gate_stim *s = (struct gate_stim *)base;
    for (int i = 0; i < N_ASK; i++)
        messages_clear(&s->ask[i]);
    for (int i = 0; i < N_REPLY; i++)
        messages_clear(&s->reply[i]);
    messages_clear(&s->come);
    for (int i = 0; i < N_WANT; i++) {
        messages_clear(&s->due[i]);
        LINE_CLEAR(&s->wanted[i]);
    }
    s->wanting = -1;
    LINE_CLEAR(&s->told);
    LINE_CLEAR(&s->results);
    LINE_CLEAR(&s->brings);
    LINE_CLEAR(&s->data);
    LINE_CLEAR(&s->marks);
    LINE_CLEAR(&s->own_marks);
    memset(s->place, 0, sizeof s->place);
    memset(s->entry, 0, sizeof s->entry);
    s->results_told = s->results_taken = 0;
    s->packing.n = s->asking.n = s->replying.n = 0;
    s->got[0].n = s->got[1].n = 0;
    s->chained = s->storing = s->acking = false;
    s->fetching = -1;
    s->left = 0;
    s->tune.high = 0;
    s->hops = s->flit_hops = 0;
    base->master.status[GATE_STA_hops] = 0;
    base->master.status[GATE_STA_flit_hops] = 0;
    s->moved = base->now;
}

static bool begins(struct gate_stim *s, int share) {
    return s->base.rst_left == 0 && !draining(s) &&
           rng_percent(&s->base.rng, share);
}

static uint64_t any(struct gate_stim *s, int n) {
    return rng_below(&s->base.rng, (uint32_t)n);
}

/* Type, address and mask of some operand. */
static void any_operand(struct gate_stim *s, struct message *m) {
    struct rng *r = &s->base.rng;
    m->type = any(s, 8);
    m->address = rng_next(r) & ones(s->size.ADDR_W);
    m->mask = rng_next(r) & ones(s->size.MASK_W);
    if (rng_percent(r, 30))
        m->mask = ones(s->size.MASK_W);
}

static int lies_at(const struct gate_stim *s, uint64_t address) {
    uint64_t line = address / (uint64_t)s->size.LINE;
    return s->memories.v[line % (uint64_t)s->memories.n];
}

static void drive_message(struct gate_stim *s, struct message *m,
                          uint64_t *valid, uint64_t *last, uint64_t *data) {
    bool stands = *valid && m->at == m->shown;
    m->shown = m->at;
    *valid =
        m->n > 0 && s->base.rst_left == 0 &&
        (stands || draining(s) || rng_percent(&s->base.rng, s->tune.flits));
    *last = *valid && m->at + 1 == m->n;
    memset(data, 0, DATA * sizeof *data);
    if (*valid)
        memcpy(data, m->flit[m->at], sizeof m->flit[0]);
}

static void drive_pack(struct gate_stim *s, struct gate_in *in) {
    struct message *m = &s->packing;
    if (m->n == 0 && begins(s, s->tune.pack)) {
        message_compute(&s->size, &s->base.rng, m);
        m->node = (int)any(s, s->size.NODES);
        messages_put(&s->ask[PACK], m);
    }
    drive_message(s, m, &in->pack_valid, &in->pack_last, in->pack_data);
    in->pack_node = in->pack_valid ? (uint64_t)m->node : 0;
}

/* A load that is none yet, from a random one on; -1: all are under way. */
static int free_load(struct gate_stim *s, enum way (*way)[2], int n) {
    int from = (int)any(s, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
        int k = (from + i) % (2 * n);
        if (way[k / 2][k % 2] == NOWHERE)
            return k;
    }
    return -1;
}

static int some_load(struct gate_stim *s, enum way (*way)[2], int n,
                     enum way that) {
    int from = (int)any(s, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
        int k = (from + i) % (2 * n);
        if (way[k / 2][k % 2] == that)
            return k;
    }
    return -1;
}

static void drive_load(struct gate_stim *s, struct gate_in *in) {
    struct message m = {0};
    if (in->load_valid || !begins(s, s->tune.load))
        return;
    bool away = rng_percent(&s->base.rng, s->tune.away);
    int k = free_load(s, s->place, s->size.PLACES);
    if (!away && k < 0)
        return;
    any_operand(s, &m);
    in->load_valid = 1;
    in->load_away = away;
    in->load_core = away ? any(s, s->size.NODES) : 0;
    in->load_entry = away ? any(s, s->size.ENTRIES) : 0;
    in->load_place = away ? 0 : (uint64_t)k / 2;
    in->load_second = away ? any(s, 2) : (uint64_t)k % 2;
    in->load_address = m.address;
    in->load_type = m.type;
    in->load_mask = m.mask;
}

/* The service queue ends its chains one by one: a store and its
 * acknowledgement, data, or bits. */
static void drive_chain(struct gate_stim *s, struct gate_in *in) {
    struct message *m = &s->chain;
    const struct gate_local *l = &s->size;
    if (!s->chained && begins(s, s->tune.chain)) {
        static const enum message_kind kinds[] = {MESSAGE_STORE, MESSAGE_RESULT,
                                                  MESSAGE_BITS};
        *m = (struct message){.kind = kinds[any(s, 3)]};
        any_operand(s, m);
        message_fill(l, &s->base.rng, m);
        m->back = any(s, l->NODES);
        m->number = any(s, l->ENTRIES);
        s->chained = true;
        s->storing = m->kind == MESSAGE_STORE;
        s->stored = s->given = 0;
    }
    bool store = s->chained && s->storing, give = s->chained && !s->storing;
    bool data = give && m->kind == MESSAGE_RESULT;
    in->store_valid = store;
    in->store_last = store && s->stored + 1 == l->BEATS;
    in->store_address = store ? m->address : 0;
    in->store_type = store ? m->type : 0;
    in->store_mask = store ? m->mask >> s->stored * l->ALUS & ones(l->ALUS) : 0;
    memset(in->store_data, 0, sizeof in->store_data);
    if (store)
        memcpy(in->store_data, m->data[s->stored], sizeof m->data[0]);
    in->give_valid = give;
    in->give_last = give && (!data || s->given + 1 == l->BEATS);
    in->give_core = give ? m->back : 0;
    in->give_entry = give ? m->number : 0;
    in->give_kind = !give                     ? 0
                    : data                    ? GATE_DATA
                    : m->kind == MESSAGE_BITS ? GATE_BITMAP
                                              : GATE_ACK;
    in->give_bits = give && m->kind == MESSAGE_BITS ? m->mask : 0;
    memset(in->give_data, 0, sizeof in->give_data);
    if (data)
        memcpy(in->give_data, m->data[s->given], sizeof m->data[0]);
}

/* What the memory must be asked for, and its answer to back. */
static void want(struct gate_stim *s, int whose, const struct message *m) {
    bool store = m->kind == MESSAGE_STORE;
    for (int i = 0; i < (m->beats ? m->beats : 1); i++) {
        struct wanted *w = &LINE_PUT(&s->wanted[whose]);
        *w = (struct wanted){.store = store,
                             .last = i + 1 >= m->beats,
                             .address = m->address,
                             .type = m->type,
                             .mask = m->mask};
        if (m->beats)
            memcpy(w->data, m->data[i], sizeof w->data);
    }
    struct message answer = {.kind = m->kind,
                             .number = m->number,
                             .second = m->second,
                             .node = (int)m->back};
    if (!store)
        message_fill(&s->size, &s->base.rng, &answer);
    message_lay(&s->size, &answer);
    messages_put(&s->due[whose], &answer);
}

/* A request from elsewhere, and what must come of it. */
static void ask_gate(struct gate_stim *s) {
    struct message *m = &s->asking;
    enum message_kind kind = (enum message_kind)any(s, 4);
    if (kind == 3) {
        message_compute(&s->size, &s->base.rng, m);
        messages_put(&s->come, m);
        return;
    }
    *m = (struct message){.kind = kind};
    any_operand(s, m);
    m->back = any(s, s->size.NODES);
    m->number = any(s, kind == MESSAGE_LOAD ? s->size.PLACES : s->size.ENTRIES);
    m->second = kind == MESSAGE_STORE ? 0 : any(s, 2);
    if (kind == MESSAGE_STORE)
        message_fill(&s->size, &s->base.rng, m);
    message_lay(&s->size, m);
    want(s, FAR, m);
}

/* An answer from elsewhere: to a load that is on its way, or anything. */
static bool reply_gate(struct gate_stim *s) {
    struct rng *r = &s->base.rng;
    struct message *m = &s->replying;
    int kind = (int)any(s, 6);
    int place = some_load(s, s->place, s->size.PLACES, ASKED_FOR);
    int entry = some_load(s, s->entry, s->size.ENTRIES, ASKED_FOR);
    if (draining(s) || kind < 2)
        kind = place >= 0 && (entry < 0 || rng_percent(r, 50)) ? MESSAGE_LOAD
               : entry >= 0                                    ? MESSAGE_BRING
                                                               : -1;
    else if (rng_percent(r, s->tune.back))
        kind = MESSAGE_BACK;
    if (kind < 0)
        return false;
    *m = (struct message){.kind = (enum message_kind)kind};
    m->number = any(s, s->size.ENTRIES);
    switch (m->kind) {
    case MESSAGE_LOAD:
        m->number = (uint64_t)place / 2;
        m->second = (uint64_t)place % 2;
        message_fill(&s->size, r, m);
        s->operand[place / 2][place % 2] = *m;
        s->place[place / 2][place % 2] = ANSWERED;
        LINE_PUT(&s->marks) = place;
        break;
    case MESSAGE_BACK:
        entry = free_load(s, s->entry, s->size.ENTRIES);
        if (entry < 0)
            return false;
        s->entry[entry / 2][entry % 2] = GIVEN_TO_GATE;
        any_operand(s, m);
        m->number = (uint64_t)entry / 2;
        m->second = (uint64_t)entry % 2;
        break;
    case MESSAGE_BRING:
        m->number = (uint64_t)entry / 2;
        m->second = (uint64_t)entry % 2;
        s->entry[entry / 2][entry % 2] = ANSWERED;
        message_fill(&s->size, r, m);
        break;
    case MESSAGE_RESULT:
        message_fill(&s->size, r, m);
        break;
    case MESSAGE_BITS:
        m->mask = rng_next(r) & ones(s->size.MASK_W);
        break;
    default:
        break;
    }
    message_lay(&s->size, m);
    if (m->kind == MESSAGE_BRING || m->kind == MESSAGE_RESULT)
        for (int i = 0; i < m->beats; i++) {
            struct lane *b = &LINE_PUT(&s->results);
            *b = (struct lane){.last = i + 1 == m->beats,
                               .entry = m->number,
                               .loaded = m->kind == MESSAGE_BRING,
                               .second = m->second};
            memcpy(b->data, m->data[i], sizeof b->data);
            s->results_told++;
        }
    return true;
}

static void drive_network(struct gate_stim *s, struct gate_in *in) {
    /* lists are bounded: the memory cannot be asked for more */
    if (s->asking.n == 0) {
        in->asked_valid = 0;
        if (messages_count(&s->due[FAR]) < 8 && begins(s, s->tune.asked))
            ask_gate(s);
    }
    if (s->replying.n == 0) {
        in->replied_valid = 0;
        if ((draining(s) && s->base.rst_left == 0) ||
            begins(s, s->tune.replied))
            if (!reply_gate(s))
                s->replying.n = 0;
    }
    drive_message(s, &s->asking, &in->asked_valid, &in->asked_last,
                  in->asked_data);
    drive_message(s, &s->replying, &in->replied_valid, &in->replied_last,
                  in->replied_data);
}

static void drive_bring(struct gate_stim *s, struct gate_in *in) {
    if (in->bring_valid)
        return;
    if (s->base.rst_left || LINE_EMPTY(&s->brings) ||
        !(draining(s) || rng_percent(&s->base.rng, s->tune.bring)))
        return;
    const struct lane *b = &LINE_OLDEST(&s->brings);
    in->bring_valid = 1;
    in->bring_last = b->last;
    memcpy(in->bring_data, b->data, sizeof in->bring_data);
}

static void drive_fetch(struct gate_stim *s, struct gate_in *in) {
    struct rng *r = &s->base.rng;
    if (s->base.rst_left || in->fetch_valid ||
        !(draining(s) || rng_percent(r, s->tune.fetch)))
        return;
    int k = some_load(s, s->place, s->size.PLACES, MARKED);
    if (k < 0)
        return;
    s->fetching = k;
    in->fetch_valid = 1;
    in->fetch_place = (uint64_t)k / 2;
    in->fetch_second = (uint64_t)k % 2;
    in->fetch_address = rng_next(r) & ones(s->size.ADDR_W);
    in->fetch_type = any(s, 8);
}

/* All ports but those of the registers. */
static void show(const struct gate_stim *s, struct gate_in *to) {
    struct gate_in bus = *to;
    *to = s->in;
    to->wb_cyc = bus.wb_cyc;
    to->wb_stb = bus.wb_stb;
    to->wb_we = bus.wb_we;
    to->wb_adr = bus.wb_adr;
    to->wb_dat_w = bus.wb_dat_w;
    to->wb_sel = bus.wb_sel;
}

static void drive(struct stim *base, void *ports) {
    struct gate_stim *s = (struct gate_stim *)base;
    struct gate_in *in = &s->in;
    struct rng *r = &base->rng;
    int high = s->tune.high;
    if (base->rst_left) { /* nothing is offered */
        *in = (struct gate_in){.at_node = (uint64_t)s->at};
        show(s, ports);
        return;
    }
    drive_pack(s, in);
    drive_load(s, in);
    drive_chain(s, in);
    drive_network(s, in);
    drive_bring(s, in);
    drive_fetch(s, in);
    bool d = draining(s);
    in->ask_ready = toggle_step(&s->ask_ready, r, high, s->tune.low) || d;
    in->reply_ready = toggle_step(&s->reply_ready, r, high, s->tune.low) || d;
    in->come_ready =
        toggle_step(&s->come_ready, r, high, s->tune.core_low) || d;
    in->ans_ready = toggle_step(&s->ans_ready, r, high, s->tune.core_low) || d;
    in->result_ready =
        toggle_step(&s->result_ready, r, high, s->tune.core_low) || d;
    in->want_ready =
        toggle_step(&s->want_ready, r, high, s->tune.memory_low) || d;
    show(s, ports);
}

/* --- what was taken ------------------------------------------------------- */

static void count(struct gate_stim *s, int counter) {
    s->base.master.count[counter]++;
}

/* A flit of a packet that is offered was taken; true with the last one. */
static bool pass_flit(struct message *m) {
    if (++m->at < m->n)
        return false;
    m->n = 0;
    return true;
}

static void take_load(struct gate_stim *s, const struct gate_in *in) {
    struct message m = {.kind = in->load_away ? MESSAGE_BACK : MESSAGE_LOAD,
                        .back = in->load_away ? 0 : (uint64_t)s->at,
                        .number =
                            in->load_away ? in->load_entry : in->load_place,
                        .second = in->load_second,
                        .type = in->load_type,
                        .address = in->load_address,
                        .mask = in->load_mask};
    m.node = in->load_away ? (int)in->load_core : lies_at(s, m.address);
    message_lay(&s->size, &m);
    if (in->load_away) {
        messages_put(&s->reply[AWAY], &m);
        count(s, GATE_CNT_backs);
    } else {
        s->place[in->load_place][in->load_second] = GIVEN_TO_GATE;
        if (m.node == s->at)
            want(s, OWN_LOAD, &m);
        else
            messages_put(&s->ask[KEPT], &m);
    }
}

/* A beat of the answer that ends a chain. */
static void take_give(struct gate_stim *s, const struct gate_in *in) {
    struct message m = s->chain;
    s->given++;
    if (!in->give_last)
        return;
    s->chained = false;
    m.node = (int)m.back;
    m.second = 0;
    if (m.kind == MESSAGE_STORE) {
        m.node = lies_at(s, m.address);
    } else {
        m.back = m.type = m.address = 0;
        if (m.kind == MESSAGE_BITS)
            m.beats = 0;
        else
            m.mask = 0;
    }
    message_lay(&s->size, &m);
    if (m.kind == MESSAGE_STORE && m.node == s->at)
        want(s, OWN_STORE, &m);
    else
        messages_put(
            m.kind == MESSAGE_STORE ? &s->ask[STORED] : &s->reply[GIVEN], &m);
}

/* The last flit of an answer from elsewhere. */
static void take_replied(struct gate_stim *s, const struct message *m) {
    static const uint64_t kinds[] = {[MESSAGE_BRING] = GATE_LOADED,
                                     [MESSAGE_STORE] = GATE_ACK,
                                     [MESSAGE_RESULT] = GATE_DATA,
                                     [MESSAGE_BITS] = GATE_BITMAP};
    struct message again = *m;
    switch (m->kind) {
    case MESSAGE_LOAD:
        return;
    case MESSAGE_BACK:
        again.kind = MESSAGE_BRING;
        again.back = (uint64_t)s->at;
        again.node = lies_at(s, m->address);
        message_lay(&s->size, &again);
        messages_put(&s->ask[RETURNED], &again);
        return;
    default:
        LINE_PUT(&s->told) = (struct told){.entry = m->number,
                                           .kind = kinds[m->kind],
                                           .second = m->second,
                                           .bits = m->mask,
                                           .beats = s->results_told};
    }
}

static void take_inputs(struct gate_stim *s, const struct gate_out *before) {
    struct gate_in *in = &s->in; /* as on this edge */
    struct message whole;
    if (in->pack_valid && before->pack_ready)
        pass_flit(&s->packing);
    if (in->load_valid && before->load_ready) {
        take_load(s, in);
        in->load_valid = in->load_away = in->load_core = in->load_entry = 0;
        in->load_place = in->load_second = in->load_address = 0;
        in->load_type = in->load_mask = 0;
    }
    if (in->store_valid && before->store_ready)
        s->storing = ++s->stored < s->size.BEATS;
    if (in->give_valid && before->give_ready)
        take_give(s, in);
    if (in->asked_valid && before->asked_ready)
        pass_flit(&s->asking);
    whole = s->replying;
    if (in->replied_valid && before->replied_ready && pass_flit(&s->replying))
        take_replied(s, &whole);
    if (in->bring_valid && before->bring_ready) {
        const struct lane *b = &LINE_OLDEST(&s->brings);
        if (b->own && b->last)
            LINE_PUT(&s->own_marks) = (int)(2 * b->entry + b->second);
        s->brings.head++;
        in->bring_valid = in->bring_last = 0;
        memset(in->bring_data, 0, sizeof in->bring_data);
    }
    if (in->fetch_valid && before->fetch_ready) {
        const struct message *m =
            &s->operand[in->fetch_place][in->fetch_second];
        for (int i = 0; i < m->beats; i++) {
            struct lane *b = &LINE_PUT(&s->data);
            *b = (struct lane){.last = i + 1 == m->beats,
                               .entry = in->fetch_place,
                               .second = in->fetch_second};
            memcpy(b->data, m->data[i], sizeof b->data);
        }
        s->place[in->fetch_place][in->fetch_second] = FETCHED;
        in->fetch_valid = in->fetch_place = in->fetch_second = 0;
        in->fetch_address = in->fetch_type = 0;
    }
}

/* --- what must come ------------------------------------------------------- */

/* Which list a packet that came out must be the next one of. */
static struct messages *list_of(struct gate_stim *s, int class,
                                const struct message *m) {
    static const int asks[8] = {KEPT, RETURNED, STORED, -1, -1, -1, -1, -1};
    static const int replies[8] = {MEMORY, MEMORY, MEMORY, GIVEN,
                                   GIVEN,  AWAY,   -1,     -1};
    int kind = (int)(m->flit[0][0] >> 1 & 7);
    if (m->flit[0][0] & 1)
        return class == 0 ? &s->ask[PACK] : NULL;
    int list = class == 0 ? asks[kind] : replies[kind];
    return list < 0 ? NULL : class == 0 ? &s->ask[list] : &s->reply[list];
}

static const char *judge_packet(struct gate_stim *s, int class,
                                const struct message *m) {
    const char *what = class == 0 ? "request" : "answer";
    struct messages *list = list_of(s, class, m);
    const struct message *want = list ? messages_oldest(list) : NULL;
    if (!want)
        return stim_complain(&s->base, "a packet of %ss that nobody sent",
                             what);
    if (want->n != m->n ||
        memcmp(want->flit, m->flit, (size_t)m->n * sizeof m->flit[0]) != 0)
        return stim_complain(
            &s->base,
            "the %s %016" PRIx64 "... of %d flits is not the next one, "
            "%016" PRIx64 "... of %d",
            what, m->flit[0][0], m->n, want->flit[0][0], want->n);
    int w = s->size.WIDTH;
    if (s->got_x[class] != want->node % w || s->got_y[class] != want->node / w)
        return stim_complain(&s->base, "the %s for node %d goes to (%d,%d)",
                             what, want->node, s->got_x[class],
                             s->got_y[class]);
    if (want->kind == MESSAGE_LOAD && class == 0)
        s->place[want->number][want->second] = ASKED_FOR;
    if (want->kind == MESSAGE_BRING && class == 0)
        s->entry[want->number][want->second] = ASKED_FOR;
    messages_drop(list);
    s->packets++;
    return NULL;
}

static const char *watch_out(struct gate_stim *s, int class, uint64_t last,
                             uint64_t x, uint64_t y, const uint64_t *data) {
    struct message *m = &s->got[class];
    int w = s->size.WIDTH;
    uint32_t hops =
        (uint32_t)(abs((int)x - s->at % w) + abs((int)y - s->at / w));
    s->flits++;
    s->flit_hops += hops;
    if (m->n == 0) {
        s->got_x[class] = (int)x;
        s->got_y[class] = (int)y;
    }
    if (m->n == MESSAGE_FLITS || (int)x != s->got_x[class] ||
        (int)y != s->got_y[class])
        return stim_complain(&s->base, "a packet of %d flits does not end",
                             m->n);
    memcpy(m->flit[m->n++], data, sizeof m->flit[0]);
    if (!last)
        return NULL;
    s->hops += hops;
    count(s, class == 0 ? GATE_CNT_asks : GATE_CNT_replies);
    const char *wrong = judge_packet(s, class, m);
    m->n = 0;
    return wrong;
}

static const char *watch_come(struct gate_stim *s,
                              const struct gate_out *before) {
    struct message *m = messages_oldest(&s->come);
    if (!m ||
        memcmp(m->flit[m->at], before->come_data, sizeof m->flit[0]) != 0 ||
        before->come_last != (m->at + 1 == m->n))
        return stim_complain(&s->base,
                             "the service queue gets the flit "
                             "%016" PRIx64 " that is not the next",
                             before->come_data[0]);
    if (pass_flit(m))
        messages_drop(&s->come);
    return NULL;
}

static bool is_wanted(const struct gate_out *o, const struct wanted *w) {
    return o->want_store == w->store && o->want_last == w->last &&
           o->want_address == w->address && o->want_type == w->type &&
           o->want_mask == w->mask &&
           memcmp(o->want_data, w->data, sizeof w->data) == 0;
}

/* The memory has all of it: what it brings. */
static void bring(struct gate_stim *s, int whose) {
    const struct message *m = messages_oldest(&s->due[whose]);
    bool own = whose == OWN_LOAD;
    for (int i = 0; i < (m->beats ? m->beats : 1); i++) {
        struct lane *b = &LINE_PUT(&s->brings);
        *b = (struct lane){.last = i + 1 >= m->beats,
                           .entry = m->number,
                           .second = m->second,
                           .own = own};
        if (m->beats)
            memcpy(b->data, m->data[i], sizeof b->data);
    }
    if (own) {
        s->operand[m->number][m->second] = *m;
        s->place[m->number][m->second] = ANSWERED;
    } else {
        messages_put(&s->reply[MEMORY], m);
    }
    messages_drop(&s->due[whose]);
}

static const char *watch_want(struct gate_stim *s,
                              const struct gate_out *before) {
    int whose = -1;
    for (int i = 0; i < N_WANT && whose < 0; i++)
        if (!LINE_EMPTY(&s->wanted[i]) &&
            is_wanted(before, &LINE_OLDEST(&s->wanted[i])) &&
            (s->wanting < 0 || s->wanting == i))
            whose = i;
    if (whose < 0)
        return stim_complain(&s->base,
                             "the memory is asked for %" PRIx64
                             ", which is not what came next",
                             before->want_address);
    s->wanted[whose].head++;
    s->wanting = before->want_last ? -1 : whose;
    if (before->want_last)
        bring(s, whose);
    return NULL;
}

static const char *watch_result(struct gate_stim *s,
                                const struct gate_out *before) {
    const struct lane *b = &LINE_OLDEST(&s->results);
    if (LINE_EMPTY(&s->results) || before->result_last != b->last ||
        before->result_entry != b->entry ||
        before->result_loaded != b->loaded ||
        before->result_second != b->second ||
        memcmp(before->result_data, b->data, sizeof b->data) != 0)
        return stim_complain(&s->base,
                             "the core gets data of entry %" PRIu64
                             " that are not the next",
                             before->result_entry);
    s->results.head++;
    s->results_taken++;
    return NULL;
}

static const char *watch_ans(struct gate_stim *s,
                             const struct gate_out *before) {
    const struct told *t = &LINE_OLDEST(&s->told);
    if (LINE_EMPTY(&s->told) || before->ans_entry != t->entry ||
        before->ans_kind != t->kind || before->ans_second != t->second ||
        before->ans_bits != t->bits || s->results_taken < t->beats)
        return stim_complain(&s->base,
                             "the offload queue is told %" PRIu64
                             " of entry %" PRIu64 ", which did not come next",
                             before->ans_kind, before->ans_entry);
    if (t->kind == GATE_LOADED)
        s->entry[t->entry][t->second] = NOWHERE;
    s->told.head++;
    return NULL;
}

static const char *watch_mark(struct gate_stim *s,
                              const struct gate_out *before) {
    int got = 2 * (int)before->mark_place + (int)before->mark_second;
    bool own = !LINE_EMPTY(&s->own_marks) && got == LINE_OLDEST(&s->own_marks);
    bool come = !LINE_EMPTY(&s->marks) && got == LINE_OLDEST(&s->marks) &&
                !(s->replying.n && s->replying.kind == MESSAGE_LOAD &&
                  s->marks.head + 1 == s->marks.tail);
    if (!own && !come)
        return stim_complain(
            &s->base, "a mark of place %" PRIu64 " whose operand is not there",
            before->mark_place);
    s->place[got / 2][got % 2] = MARKED;
    if (own)
        s->own_marks.head++;
    else
        s->marks.head++;
    return NULL;
}

static const char *watch_data(struct gate_stim *s,
                              const struct gate_out *before) {
    const struct lane *b = &LINE_OLDEST(&s->data);
    if (LINE_EMPTY(&s->data) ||
        memcmp(before->data_data, b->data, sizeof b->data) != 0)
        return stim_complain(
            &s->base, "the beat %016" PRIx64 " is not that of the operand",
            before->data_data[0]);
    if (b->last)
        s->place[b->entry][b->second] = NOWHERE;
    s->data.head++;
    return NULL;
}

/* Nothing stands still that nobody holds up. */
static const char *watch_progress(struct gate_stim *s) {
    if (is_quiet(s))
        s->moved = s->base.now;
    if (s->base.now - s->moved > PATIENCE)
        return stim_complain(&s->base, "nothing moves any more");
    if (s->left < -LONGEST)
        return stim_complain(&s->base, "what was begun does not end");
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct gate_stim *s = (struct gate_stim *)base;
    const struct gate_in *in = in_ports;
    const struct gate_out *o = before_ports;
    const char *wrong = NULL;
    bool ask = o->ask_valid && in->ask_ready;
    bool reply = o->reply_valid && in->reply_ready;
    bool come = o->come_valid && in->come_ready;
    bool want = o->want_valid && in->want_ready;
    bool result = o->result_valid && in->result_ready;
    bool ans = o->ans_valid && in->ans_ready;
    const struct gate_out *after = after_ports;
    if (after->mark_valid) /* its last beat was used on this edge */
        count(s, GATE_CNT_operands);
    if (ask)
        wrong = watch_out(s, 0, o->ask_last, o->ask_x, o->ask_y, o->ask_data);
    if (reply && !wrong)
        wrong = watch_out(s, 1, o->reply_last, o->reply_x, o->reply_y,
                          o->reply_data);
    if (!wrong && (o->ask_order || o->reply_order))
        wrong = stim_complain(base, "a packet goes x before y");
    if (come && !wrong)
        wrong = watch_come(s, o);
    if (want && !wrong)
        wrong = watch_want(s, o);
    if (result && !wrong)
        wrong = watch_result(s, o);
    if (ans && !wrong)
        wrong = watch_ans(s, o);
    if (o->mark_valid && !wrong)
        wrong = watch_mark(s, o);
    if (o->data_valid && !wrong)
        wrong = watch_data(s, o);
    if (ask || reply || come || want || result || ans || o->data_valid)
        s->moved = base->now;
    take_inputs(s, o);
    base->master.status[GATE_STA_hops] = s->hops;
    base->master.status[GATE_STA_flit_hops] = s->flit_hops;
    return wrong ? wrong : watch_progress(s);
}

static void report(struct stim *base, struct text *t) {
    const struct gate_stim *s = (const struct gate_stim *)base;
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "flits\t%" PRIu64 "\n", s->flits);
}

#define NAMED(n)                                                               \
    static const struct stim_mode n##_mode = {.name = #n, .step = step_named};
NAMED(far_queue_full)
NAMED(all_kinds)
NAMED(slow_memory)
NAMED(slow_network)
NAMED(slow_core)
NAMED(alone)
#undef NAMED

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {
    &random_mode,    &directed_mode,    &far_queue_full_mode,
    &all_kinds_mode, &slow_memory_mode, &slow_network_mode,
    &slow_core_mode, &alone_mode,       NULL};

const struct stim_class gate_stim = {
    .size = sizeof(struct gate_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
