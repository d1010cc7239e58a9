/* oqueue.c - golden model of the offload queue of a core.
 *
 * Written from docs/blocks/oqueue.md.
 */
#include "oqueue.h"

#include "base/bits.h"
#include "frame/model.h"
#include "oqueue/chain.h"
#include "packet/flits.h"

#include <string.h>

enum { MOST_ENTRIES = 64, OFF = 0, LLC = 1, OMNI = 2, LLC_ALL = 3 };

enum phase { IDLE, BUILDING, CHECK, ASK, PACK, LOADS };

struct entry {
    bool busy, waits, two;
    bool present[2]; /* loads that came back */
    uint64_t wave, mask;
};

/* An answer in the stage. */
struct answer {
    bool valid, waited;
    uint64_t entry, kind, second, bits;
};

struct oqueue {
    struct golden base;
    struct oqueue_local l;
    struct flits_size size;
    enum phase phase;
    struct chain chain;
    int pattern;
    uint64_t node; /* where it meets */
    bool goes[2];  /* loads that are still to go singly */
    struct entry entry[MOST_ENTRIES];
    struct answer answer;
    struct flits going;
    int sent; /* of its flits */
    uint64_t goes_to;
    bool freed; /* the builder has freed an entry on this edge */
    struct oqueue_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct oqueue *n = (struct oqueue *)g;

    n->l = oqueue_local(c);
    n->size = (struct flits_size){.flit = n->l.FLIT_W,
                                  .head = n->l.HEAD_FLITS,
                                  .mask = n->l.MASK_FLITS,
                                  .bits = n->l.PACKET_W,
                                  .lanes = n->l.MASK_W};
}

static void reset(struct golden *g) {
    struct oqueue *n = (struct oqueue *)g;

    n->phase = IDLE;
    memset(n->entry, 0, sizeof n->entry);
    n->answer.valid = false;
    n->going = (struct flits){0};
    n->sent = 0;
    n->out.op_ready = n->out.ans_ready = 1;
}

static void count(struct oqueue *n, bool happens, int counter) {
    event_if(&n->base, happens, counter);
}

/* --- the builder ---------------------------------------------------------- */

static void say(struct oqueue *n, enum oqueue_said what, uint64_t wave) {
    n->out.said_valid = 1;
    n->out.said_wave = wave;
    n->out.said_what = what;
    n->out.said_entry = what == OQUEUE_WAITS ? (uint64_t)n->chain.entry : 0;
}

static void leave(struct oqueue *n, int loads) {
    n->entry[n->chain.entry].busy = false;
    n->freed = true;
    n->goes[0] = true;
    n->goes[1] = loads == 2;
    n->phase = LOADS;
}

static void begin(struct oqueue *n, const struct oqueue_in *in) {
    int entry = 0, left = 0;
    bool on = n->base.regs.setting[OQUEUE_SET_mode] != OFF;
    bool hit = in->op_hit & 1;

    for (int i = n->l.ENTRIES - 1; i >= 0; i--) {
        if (n->entry[i].busy)
            continue;
        entry = i;
        left++;
    }
    hit_if(n, !on, OQUEUE_COV_off);
    hit_if(n, on && hit, OQUEUE_COV_hit_first);
    hit_if(n, on && !hit && !left, OQUEUE_COV_no_free_entry);
    hit_if(n, on && !hit && left == 1, OQUEUE_COV_last_free_entry);
    count(n, on && hit, OQUEUE_CNT_hits);
    count(n, on && !hit && !left, OQUEUE_CNT_full);
    if (!on || hit || !left) {
        say(n, OQUEUE_NORMAL, in->op_wave);
        return;
    }
    count(n, true, OQUEUE_CNT_begun);
    n->entry[entry] = (struct entry){.busy = true};
    chain_begin(&n->chain, entry, in);
    n->phase = BUILDING;
    say(n, OQUEUE_TAKEN, in->op_wave);
}

static void go_on(struct oqueue *n, const struct oqueue_in *in) {
    enum { LAST = 3 };

    bool load = in->op_kind == OQUEUE_LOAD, hit = load && in->op_hit & 1;
    bool third = load && !hit && n->chain.loads == 2;

    if (hit || third) {
        leave(n, n->chain.loads);
        say(n, OQUEUE_NORMAL, n->chain.wave);
        count(n, hit, OQUEUE_CNT_hits);
        count(n, third, OQUEUE_CNT_misfits);
        hit_if(n, hit, OQUEUE_COV_hit_second);
        hit_if(n, third, OQUEUE_COV_third_load);
        return;
    }
    chain_add(&n->chain, in);
    if (in->op_tag == LAST)
        n->phase = CHECK;
    else
        say(n, OQUEUE_TAKEN, n->chain.wave);
}

static void check(struct oqueue *n, const struct oqueue_in *in) {
    n->pattern = chain_pattern(&n->chain);
    if (!n->pattern) {
        leave(n, n->chain.loads);
        say(n, OQUEUE_SINGLE, n->chain.wave);
        count(n, true, OQUEUE_CNT_misfits);
        hit_if(n, true, OQUEUE_COV_misfit);
        return;
    }
    n->out.meet_valid = 1;
    n->out.meet_core = in->at_core;
    n->out.meet_mem0 = n->chain.mem[0];
    n->out.meet_mem1 = n->chain.mem[1];
    n->phase = ASK;
}

/* The mode lets the chain leave, if its loads meet. */
static bool allowed(const struct oqueue *n) {
    uint32_t mode = n->base.regs.setting[OQUEUE_SET_mode];
    bool same = n->chain.mem[0] == n->chain.mem[1];
    return mode == OMNI || (mode == LLC && same) ||
           (mode == LLC_ALL && same && !n->chain.away);
}

static void ask(struct oqueue *n, const struct oqueue_in *in) {
    uint32_t mode = n->base.regs.setting[OQUEUE_SET_mode];
    bool found = in->met_found & 1, able = found && allowed(n);

    if (!(in->met_valid & 1))
        return;
    hit_if(n, !found, OQUEUE_COV_not_found);
    hit_if(n, found && mode == LLC && !able, OQUEUE_COV_not_able);
    hit_if(n, found && mode == LLC_ALL && !able && n->chain.away,
           OQUEUE_COV_stored_away);
    if (able) {
        n->node = in->met_node;
        n->phase = PACK;
        return;
    }
    leave(n, n->chain.loads);
    say(n, OQUEUE_SINGLE, n->chain.wave);
    count(n, true, OQUEUE_CNT_unmet);
}

static void cover_packet(struct oqueue *n) {
    static const int covers[] = {0,
                                 OQUEUE_COV_pattern_1,
                                 OQUEUE_COV_pattern_2,
                                 OQUEUE_COV_pattern_3,
                                 OQUEUE_COV_pattern_4,
                                 OQUEUE_COV_pattern_5,
                                 OQUEUE_COV_pattern_6,
                                 OQUEUE_COV_pattern_7,
                                 OQUEUE_COV_pattern_8,
                                 OQUEUE_COV_pattern_9};
    const struct chain *c = &n->chain;
    bool one = n->pattern == 4 && c->loads == 1;
    bool masked = c->mask != ones(n->l.MASK_W);

    hit_if(n, true, one ? OQUEUE_COV_pattern_4_one : covers[n->pattern]);
    hit_if(n, c->fused, OQUEUE_COV_fused);
    hit_if(n, masked, OQUEUE_COV_diverged);
    count(n, masked, OQUEUE_CNT_masked);
    count(n, true, OQUEUE_CNT_packets);
}

static void pack(struct oqueue *n, const struct oqueue_in *in) {
    const struct chain *c = &n->chain;
    uint64_t words[FLITS_DATA] = {0};
    struct entry *e = &n->entry[c->entry];

    hit_if(n, n->out.send_valid, OQUEUE_COV_packer_busy);
    if (n->out.send_valid)
        return;
    struct flits_chain f = {.pattern = (uint64_t)n->pattern,
                            .f = c->f,
                            .g = c->g,
                            .type = c->type,
                            .f_reversed = c->f_reversed,
                            .g_reversed = c->g_reversed,
                            .fused = c->fused,
                            .imm = c->imm,
                            .a = c->address[0],
                            .b = c->address[1],
                            .c = c->store};
    flits_strip(&f);
    struct oqueue_packet_fields r = {.compute = 1,
                                     .masked = c->mask != ones(n->l.MASK_W),
                                     .pattern = f.pattern,
                                     .f = f.f,
                                     .g = f.g,
                                     .type = f.type,
                                     .f_reversed = f.f_reversed,
                                     .g_reversed = f.g_reversed,
                                     .fused = f.fused,
                                     .core = in->at_core,
                                     .wave = c->wave,
                                     .entry = (uint64_t)c->entry,
                                     .node = n->node,
                                     .imm = f.imm,
                                     .a = f.a,
                                     .b = f.b,
                                     .c = f.c};
    record_pack(&n->base.design->record[OQUEUE_REC_packet], &r, words);
    flits_join(&n->size, words, c->mask, &n->going);
    n->sent = 0;
    n->goes_to = n->node;
    *e = (struct entry){.busy = true,
                        .waits = true,
                        .two = c->loads == 2,
                        .wave = c->wave,
                        .mask = c->mask};
    cover_packet(n);
    say(n, OQUEUE_WAITS, c->wave);
    n->phase = IDLE;
}

static void loads(struct oqueue *n, bool room) {
    int which = n->goes[0] ? 0 : 1;

    if (!room)
        return;
    n->out.load_valid = n->goes[which];
    n->out.load_wave = n->goes[which] ? n->chain.wave : 0;
    n->out.load_second = n->goes[which] ? (uint64_t)which : 0;
    n->out.load_address = n->goes[which] ? n->chain.address[which] : 0;
    n->out.load_mem = n->goes[which] ? n->chain.mem[which] : 0;
    n->out.load_mask = n->goes[which] ? n->chain.mask : 0;
    if (n->goes[which])
        n->goes[which] = false;
    else
        n->phase = IDLE;
}

static void build(struct oqueue *n, const struct oqueue_in *in) {
    bool op = in->op_valid & n->out.op_ready & 1;
    bool held = n->out.load_valid && !(in->load_ready & 1);

    n->out.said_valid = n->out.said_wave = n->out.said_what = 0;
    n->out.said_entry = 0;
    n->out.meet_valid = n->out.meet_core = 0;
    n->out.meet_mem0 = n->out.meet_mem1 = 0;
    hit_if(n, held, OQUEUE_COV_load_held);
    switch (n->phase) {
    case IDLE:
        if (op)
            begin(n, in);
        break;
    case BUILDING:
        if (op)
            go_on(n, in);
        break;
    case CHECK:
        check(n, in);
        break;
    case ASK:
        ask(n, in);
        break;
    case PACK:
        pack(n, in);
        break;
    case LOADS:
        loads(n, !held);
        break;
    }
    n->out.op_ready = n->phase == IDLE || n->phase == BUILDING;
}

/* --- answers -------------------------------------------------------------- */

static void cover_end(struct oqueue *n, const struct answer *a, bool two) {
    static const int covers[] = {OQUEUE_COV_ack, OQUEUE_COV_data,
                                 OQUEUE_COV_bitmap};
    if (a->kind != OQUEUE_LOADED)
        hit_if(n, true, covers[a->kind]);
    else
        hit_if(n, true,
               two ? OQUEUE_COV_two_loads_back : OQUEUE_COV_one_load_back);
    hit_if(n, n->freed, OQUEUE_COV_freed_both);
    count(n, true, OQUEUE_CNT_ends);
    count(n, a->kind == OQUEUE_LOADED, OQUEUE_CNT_locals);
}

/* The answer in the stage, if there is place at done. */
static void settle(struct oqueue *n, bool room) {
    struct answer *a = &n->answer;
    struct entry *e = &n->entry[a->entry];

    if (!a->waited) {
        a->valid = false;
        count(n, true, OQUEUE_CNT_strays);
        hit_if(n, true, OQUEUE_COV_stray);
        return;
    }
    if (a->kind == OQUEUE_LOADED && e->two && !e->present[!a->second]) {
        e->present[a->second] = true;
        a->valid = false;
        return;
    }
    hit_if(n, !room, OQUEUE_COV_done_held);
    if (!room)
        return;
    n->out.done_valid = 1;
    n->out.done_wave = e->wave;
    n->out.done_entry = a->entry;
    n->out.done_how = a->kind;
    n->out.done_mask = e->mask;
    n->out.done_bits = a->kind == OQUEUE_BITMAP ? a->bits & e->mask : 0;
    a->valid = false;
    cover_end(n, a, e->two);
    *e = (struct entry){0};
}

static void answers(struct oqueue *n, const struct oqueue_in *in, bool waited) {
    bool comes = in->ans_valid & n->out.ans_ready & 1;
    bool room = !n->out.done_valid || in->done_ready & 1;

    if (room) {
        n->out.done_valid = n->out.done_wave = n->out.done_entry = 0;
        n->out.done_how = n->out.done_mask = n->out.done_bits = 0;
    }
    if (n->answer.valid)
        settle(n, room);
    else if (comes)
        n->answer = (struct answer){.valid = true,
                                    .waited = waited,
                                    .entry = in->ans_entry,
                                    .kind = in->ans_kind,
                                    .second = in->ans_second & 1,
                                    .bits = in->ans_bits};
    n->out.ans_ready = !n->answer.valid;
}

static void show_send(struct oqueue *n) {
    bool goes = n->sent < n->going.n;

    n->out.send_valid = goes;
    n->out.send_last = n->sent + 1 == n->going.n;
    n->out.send_node = goes ? n->goes_to : 0;
    memset(n->out.send_data, 0, sizeof n->out.send_data);
    if (goes)
        flits_get(&n->size, &n->going, n->sent, n->out.send_data);
}

/* Whether an answer's entry waits is asked of the state before the edge, and an
 * entry that an answer frees is the builder's on the next one. */
static void edge(struct golden *g, const void *ports) {
    struct oqueue *n = (struct oqueue *)g;
    const struct oqueue_in *in = ports;
    bool sent = n->out.send_valid && in->send_ready & 1;
    bool waited =
        in->ans_entry < (uint64_t)n->l.ENTRIES && n->entry[in->ans_entry].waits;

    n->freed = false;
    build(n, in);
    answers(n, in, waited);
    n->sent += sent;
    show_send(n);
}

const struct golden_class oqueue_golden = {
    .iface = &oqueue_iface,
    MODEL_STRUCT(struct oqueue),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
