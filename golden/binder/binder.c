/* binder.c - golden model of what stands between a core that offers the words
 * of its chains and a node's offload queue.
 *
 * Written from docs/blocks/binder.md.
 */
#include "binder.h"

#include "base/bits.h"
#include "frame/model.h"
#include "word.h"

#include <string.h>

enum { MOST_WAVES = 64, MOST_ENTRIES = 64, FAULTED = 3 };
enum { FIRST = 1, INSIDE = 2, LAST = 3 }; /* places in a chain */

/* What is kept of a chain that waits, by wavefront. */
struct kept {
    uint64_t first, mask, load[2], result;
    int words, loads;
};

/* What stands at put. */
struct pass {
    bool valid;
    uint64_t last, warp, pc, pred, d, mask, data[4];
};

struct binder {
    struct golden base;
    struct binder_local l;
    /* building */
    enum { IDLE, LOOK, GIVE, ASK, DROP } phase;
    bool open;
    bool given_up, silent; /* silent: the core is not told */
    struct word word;
    struct chain chain;
    struct {
        bool shown;
        uint64_t tag, kind, hit, address, mem, code, type, reversed, fused;
        uint64_t has_imm, imm, wave, mask;
    } op;
    /* what waits */
    struct kept kept[MOST_WAVES];
    uint64_t wave[MOST_ENTRIES];
    bool busy[MOST_ENTRIES]; /* for the cover point: the end was not told */
    int waiting;
    /* results */
    enum { R_IDLE, R_ENTRY, R_CHAIN, R_PASSING } results;
    uint64_t r_entry, r_wave;
    /* ends */
    enum { E_IDLE, E_LOOK, E_BITS, E_SETTLE, E_LEAVE } ends;
    struct {
        uint64_t wave, entry, how, mask, bits;
    } end;
    int bits_done; /* passes of bits that have been shown */
    struct pass put;
    struct {
        bool valid;
        uint64_t moves, frees, warp, pc, alone;
    } go;
    struct binder_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct binder *)g)->l = binder_local(c);
}

/* --- outputs -------------------------------------------------------------- */

static void show_op(struct binder *n) {
    struct binder_out *o = &n->out;
    if (!n->op.shown)
        return;
    o->op_valid = 1;
    o->op_tag = n->op.tag;
    o->op_kind = n->op.kind;
    o->op_wave = n->op.wave;
    o->op_mask = n->op.mask;
    o->op_hit = n->op.hit;
    o->op_address = n->op.address;
    o->op_mem = n->op.mem;
    o->op_code = n->op.code;
    o->op_type = n->op.type;
    o->op_reversed = n->op.reversed;
    o->op_fused = n->op.fused;
    o->op_has_imm = n->op.has_imm;
    o->op_imm = n->op.imm;
}

static void show(struct binder *n) {
    struct binder_out *o = &n->out;
    memset(o, 0, sizeof *o);
    o->offer_ready = n->phase == IDLE || n->phase == DROP;
    o->load_ready = 1;
    o->done_ready = n->ends == E_IDLE;
    o->result_ready = n->results == R_PASSING && !n->put.valid;
    show_op(n);
    if (n->go.valid) {
        o->go_valid = 1;
        o->go_moves = n->go.moves;
        o->go_frees = n->go.frees;
        o->go_warp = n->go.warp;
        o->go_pc = n->go.pc;
        o->go_alone = n->go.alone;
    }
    if (n->put.valid) {
        o->put_valid = 1;
        o->put_last = n->put.last;
        o->put_warp = n->put.warp;
        o->put_pc = n->put.pc;
        o->put_pred = n->put.pred;
        o->put_d = n->put.d;
        o->put_mask = n->put.mask;
        memcpy(o->put_data, n->put.data, sizeof n->put.data);
    }
    o->chain_busy =
        n->phase != IDLE || n->open || n->waiting > 0 || n->go.valid;
}

static void reset(struct golden *g) {
    struct binder *n = (struct binder *)g;
    n->phase = IDLE;
    n->open = n->op.shown = n->put.valid = n->go.valid = false;
    n->waiting = 0;
    n->results = R_IDLE;
    n->ends = E_IDLE;
    memset(n->busy, 0, sizeof n->busy);
    show(n);
}

/* --- building ------------------------------------------------------------- */

static uint64_t pc_of(const struct binder *n, uint64_t pc) {
    return pc & ones(n->l.PC_W);
}

/* The chain that is built is no longer that: the core carries it out by itself,
 * from pc on, or it waits. */
static void free_builder(struct binder *n, bool alone, uint64_t pc) {
    n->go.valid = true;
    n->go.warp = n->chain.warp;
    n->go.moves = n->go.alone = alone;
    n->go.frees = true;
    n->go.pc = alone ? pc_of(n, pc) : 0;
}

static void take_offer(struct binder *n, const struct binder_in *in) {
    n->word = (struct word){.pc = in->offer_pc,
                            .code = in->offer_code,
                            .mask = in->offer_mask,
                            .a = in->offer_a,
                            .b = in->offer_b,
                            .in_row = in->offer_in_row,
                            .same_a = in->offer_same_a,
                            .same_b = in->offer_same_b};
    if (!n->open)
        n->chain = (struct chain){.warp = in->offer_warp,
                                  .first = in->offer_pc,
                                  .mask = in->offer_mask};
    n->phase = LOOK;
    hit_if(n, in->core_state == FAULTED, BINDER_COV_fault_offer);
}

static void give_up(struct binder *n, bool silent) {
    memset(&n->op, 0, sizeof n->op);
    n->op.shown = true;
    n->op.tag = LAST;
    n->op.kind = BINDER_LOAD;
    n->op.hit = 1;
    n->op.wave = n->chain.warp;
    n->op.mask = n->chain.mask;
    n->given_up = true;
    n->silent = silent;
    n->phase = GIVE;
}

static void give_word(struct binder *n) {
    const struct word *w = &n->word;
    bool access = w->op.kind == BINDER_LOAD || w->op.kind == BINDER_STORE;
    memset(&n->op, 0, sizeof n->op);
    n->op.shown = true;
    n->op.tag = w->code >> 27 & 15;
    n->op.kind = w->op.kind;
    n->op.wave = n->chain.warp;
    n->op.mask = n->chain.mask;
    n->op.address = w->op.address;
    if (access)
        n->op.mem = w->op.address / (uint64_t)n->l.LINE % (uint64_t)n->l.MEMS;
    n->op.code = w->op.code;
    n->op.type = w->op.type;
    n->op.reversed = w->op.reversed;
    n->op.fused = w->op.fused;
    n->op.has_imm = w->op.has_imm;
    n->op.imm = w->op.imm;
    n->given_up = n->silent = false;
    n->phase = GIVE;
}

static void cover_word(struct binder *n, bool fits) {
    const struct word *w = &n->word;
    bool number = w->code >> 24 & 1;
    hit_if(n, fits && w->op.reversed, BINDER_COV_reversed);
    hit_if(n, fits && w->op.fused, BINDER_COV_fused);
    hit_if(n, fits && w->difference, BINDER_COV_difference);
    hit_if(n, fits && w->op.has_imm && number, BINDER_COV_immediate_word);
    hit_if(n, fits && w->op.has_imm && !number, BINDER_COV_immediate_register);
    hit_if(n, w->differs, BINDER_COV_differs);
    hit_if(n, w->crosses, BINDER_COV_other_line);
    hit_if(n, !w->mask, BINDER_COV_no_lane);
    hit_if(n, w->mask != n->chain.mask, BINDER_COV_other_mask);
}

/* Other words of its chain follow this one. */
static bool continues(uint64_t code) {
    uint64_t tag = code >> 27 & 15;
    return tag == FIRST || tag == INSIDE;
}

/* The core carries the chain out by itself, once this word, the newest one
 * offered, is its last. */
static void refuse(struct binder *n, uint64_t code) {
    n->phase = DROP;
    if (continues(code))
        return;
    free_builder(n, true, n->chain.first);
    n->phase = IDLE;
}

static void look(struct binder *n) {
    bool fits = word_fits(&n->l, &n->chain, n->open, &n->word);
    cover_word(n, fits);
    if (fits) {
        word_record(&n->chain, &n->word);
        give_word(n);
        return;
    }
    hit_if(n, n->open, BINDER_COV_misfit_inside);
    hit_if(n, !n->open, BINDER_COV_misfit_first);
    if (n->open) {
        give_up(n, false);
    } else {
        refuse(n, n->word.code);
    }
}

static void keep(struct binder *n, uint64_t entry) {
    const struct chain *c = &n->chain;
    hit_if(n, n->busy[entry], BINDER_COV_entry_again);
    n->kept[c->warp] = (struct kept){.first = c->first,
                                     .mask = c->mask,
                                     .load = {c->load[0], c->load[1]},
                                     .result = c->result,
                                     .words = c->words,
                                     .loads = c->loads};
    n->wave[entry] = c->warp;
    n->busy[entry] = true;
    n->waiting++;
}

static void hear(struct binder *n, uint64_t what, uint64_t entry) {
    n->phase = IDLE;
    n->open = !n->given_up && what == BINDER_TAKEN;
    if (n->given_up) {
        if (!n->silent)
            refuse(n, n->word.code);
        return;
    }
    hit_if(n, what == BINDER_TAKEN, BINDER_COV_taken);
    hit_if(n, what == BINDER_NORMAL, BINDER_COV_normal);
    hit_if(n, what == BINDER_SINGLE, BINDER_COV_single);
    hit_if(n, what == BINDER_WAITS, BINDER_COV_waits);
    if (what == BINDER_WAITS) {
        free_builder(n, false, 0);
        keep(n, entry);
    } else if (what != BINDER_TAKEN) {
        refuse(n, n->word.code);
    }
}

static void cover_drop(struct binder *n, const struct binder_in *in) {
    hit_if(n, in->offer_valid, BINDER_COV_passed_over);
    hit_if(n, !in->offer_valid && in->core_state == FAULTED,
           BINDER_COV_fault_dropped);
}

static void build(struct binder *n, const struct binder_in *in) {
    switch (n->phase) {
    case IDLE:
        if (in->offer_valid) {
            take_offer(n, in);
        } else if (n->open && in->core_state == FAULTED) {
            give_up(n, true);
            hit_if(n, true, BINDER_COV_fault_open);
        }
        break;
    case LOOK:
        look(n);
        break;
    case GIVE:
        hit_if(n, !in->op_ready, BINDER_COV_op_held);
        if (in->op_ready) {
            n->op.shown = false;
            n->phase = ASK;
        }
        break;
    case DROP:
        if (in->offer_valid)
            refuse(n, in->offer_code);
        else if (in->core_state == FAULTED)
            n->phase = IDLE;
        cover_drop(n, in);
        break;
    case ASK:
        if (in->said_valid)
            hear(n, in->said_what, in->said_entry);
        break;
    }
}

/* --- ends and results ----------------------------------------------------- */

/* As all of it was before the edge. */
struct before {
    bool put, held, passing, news;
};

static void show_bits(struct binder *n) {
    const struct kept *k = &n->kept[n->end.wave];
    int at = n->bits_done++ * n->l.ALUS;
    n->put = (struct pass){.valid = true,
                           .last = n->bits_done == n->l.PASSES,
                           .warp = n->end.wave,
                           .pc = pc_of(n, k->first + (uint64_t)k->words - 1),
                           .pred = 1,
                           .d = k->result,
                           .mask = n->end.mask};
    for (int i = 0; i < n->l.ALUS; i++)
        bits_set_lane(n->put.data, i, (uint32_t)(n->end.bits >> (at + i) & 1));
    if (n->put.last)
        n->ends = E_SETTLE;
}

static void leave(struct binder *n) {
    const struct kept *k = &n->kept[n->end.wave];
    bool loaded = n->end.how == BINDER_LOADED;
    int past = loaded ? k->loads : k->words;
    n->go.valid = true;
    n->go.moves = 1;
    n->go.frees = false;
    n->go.warp = n->end.wave;
    n->go.alone = loaded;
    n->go.pc = pc_of(n, k->first + (uint64_t)past);
    n->waiting--;
    n->ends = E_IDLE;
    hit_if(n, n->end.how == BINDER_ACK, BINDER_COV_ack);
    hit_if(n, n->end.how == BINDER_DATA, BINDER_COV_data);
    hit_if(n, n->end.how == BINDER_BITMAP, BINDER_COV_bitmap);
    hit_if(n, loaded && k->loads == 1, BINDER_COV_one_load);
    hit_if(n, loaded && k->loads == 2, BINDER_COV_two_loads);
}

static void end(struct binder *n, const struct binder_in *in,
                const struct before *b) {
    bool own = b->put && n->out.put_warp == n->end.wave;
    switch (n->ends) {
    case E_IDLE:
        if (!in->done_valid)
            break;
        n->end.wave = in->done_wave;
        n->end.entry = in->done_entry;
        n->end.how = in->done_how;
        n->end.mask = in->done_mask;
        n->end.bits = in->done_bits;
        n->bits_done = 0;
        n->busy[in->done_entry] &= n->wave[in->done_entry] != in->done_wave;
        n->ends = E_LOOK;
        break;
    case E_LOOK:
        hit_if(n, n->end.how == BINDER_BITMAP && b->passing,
               BINDER_COV_bits_wait);
        if (n->end.how != BINDER_BITMAP)
            n->ends = E_LEAVE;
        else if (!b->passing)
            n->ends = E_BITS;
        break;
    case E_BITS:
        if (!b->put || in->put_ready)
            show_bits(n);
        break;
    case E_SETTLE:
        if (!b->put && in->put_ready)
            n->ends = E_LEAVE;
        break;
    case E_LEAVE:
        hit_if(n, own, BINDER_COV_end_waits);
        hit_if(n, !own && b->news, BINDER_COV_go_contest);
        if (!own && !b->news)
            leave(n);
        break;
    }
}

static void show_result(struct binder *n, const struct binder_in *in) {
    const struct kept *k = &n->kept[n->r_wave];
    int back = in->result_second ? 1 : 0;
    uint64_t pc =
        k->first + (uint64_t)(in->result_loaded ? back : k->words - 1);
    n->put = (struct pass){.valid = true,
                           .last = in->result_last,
                           .warp = n->r_wave,
                           .pc = pc_of(n, pc),
                           .d = in->result_loaded ? k->load[back] : k->result,
                           .mask = k->mask};
    memcpy(n->put.data, in->result_data, sizeof n->put.data);
}

static void bring(struct binder *n, const struct binder_in *in,
                  const struct before *b) {
    switch (n->results) {
    case R_IDLE:
        if (in->result_valid) {
            n->r_entry = in->result_entry;
            n->results = R_ENTRY;
        }
        break;
    case R_ENTRY:
        n->r_wave = n->wave[n->r_entry];
        n->results = R_CHAIN;
        break;
    case R_CHAIN:
        hit_if(n, b->held, BINDER_COV_result_waits);
        if (!b->held)
            n->results = R_PASSING;
        break;
    case R_PASSING:
        if (b->put || !in->result_valid)
            break;
        show_result(n, in);
        if (in->result_last)
            n->results = R_IDLE;
        break;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct binder *n = (struct binder *)g;
    const struct binder_in *in = ports;
    struct before b = {.put = n->put.valid,
                       .passing = n->results == R_PASSING,
                       .held =
                           n->ends == E_BITS || n->ends == E_SETTLE ||
                           (n->ends == E_LOOK && n->end.how == BINDER_BITMAP)};
    n->go.valid = false;
    hit_if(n, b.put && !in->put_ready, BINDER_COV_put_held);
    if (b.put && in->put_ready)
        n->put.valid = false;
    build(n, in);
    b.news = n->go.valid;
    end(n, in, &b);
    bring(n, in, &b);
    show(n);
}

const struct golden_class binder_golden = {
    .iface = &binder_iface,
    MODEL_STRUCT(struct binder),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
