/* near_pipe.c - golden model of the near-bank pipelines.
 *
 * Written from docs/blocks/near_pipe.md.  A pass is computed when it leaves the
 * collector, by the arithmetic of the instruction set, and written when its
 * time has come.  Shared memory is in shared.c.
 */
#include "near_pipe.h"

#include "base/bits.h"
#include "blocks/near_pipe.h"
#include "frame/model.h"
#include "isa/alu.h"
#include "shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LANES = 32,
    MAX_UNITS = 16,
    MAX_UNDER_WAY = 8, /* instructions of the lanes: LANES_DEPTH, or fewer */
    DEPTH = 7          /* edges to the write */
};

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS, NO_OPERAND = OPERANDS };

struct row {
    uint32_t lane[MAX_LANES];
};

struct instr {
    uint64_t warp, tag, ticket, mask;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS];
    struct isa_word word; /* from the collector on */
    bool to_reg, to_pred; /* there is a destination, too */
    bool to_shared;       /* it accesses shared memory */
};

/* A pass on its way. */
struct result {
    bool valid, last;
    int first;       /* lane */
    uint64_t active; /* of the pass */
    uint64_t keep;   /* bits of the others */
    uint32_t lane[MAX_LANES];
};

/* An instruction with those operands that have been read. */
struct gathered {
    bool valid;
    struct instr instr;
    struct row operand[OPERANDS];
};

/* Instructions from their first pass to 'done', the oldest first. */
struct lanes {
    struct instr instr[MAX_UNDER_WAY];
    int many, ended;           /* the first ones have ended */
    struct result pipe[DEPTH]; /* [0] left on the last edge */
    uint64_t bits;             /* of a predicate */
};

struct unit {
    struct row *file; /* rows by warp / units and register */
    struct gathered collector, dispatch;
    bool left[OPERANDS]; /* of the collector, to be read */
    int pass;            /* that leaves dispatch next */
    struct lanes lanes;
};

/* A request for a row. */
struct request {
    bool valid;
    uint64_t warp, reg;
};

struct near_pipe {
    struct golden base;
    struct near_pipe_local l;
    uint64_t *code;
    struct unit unit[MAX_UNITS];
    bool entry_valid;
    struct instr entry;
    uint64_t entry_word;
    struct request read, fetch;
    bool load_turn, fetch_turn;
    int chosen; /* unit that told last */
    struct nsm shared;
    int access_unit; /* that the last access was of */
    bool words_turn; /* of its words, before another row */
    struct near_pipe_out out;
};

static const struct nsm_points points = {
    .load = NEAR_PIPE_COV_shared_load,
    .store = NEAR_PIPE_COV_shared_store,
    .atomic = NEAR_PIPE_COV_shared_atomic,
    .kept = NEAR_PIPE_COV_shared_kept,
    .part = NEAR_PIPE_COV_shared_part,
    .conflict = NEAR_PIPE_COV_shared_conflict,
    .same = NEAR_PIPE_COV_shared_same,
    .empty = NEAR_PIPE_COV_shared_empty,
    .still = NEAR_PIPE_COV_shared_still,
    .odd = NEAR_PIPE_COV_fault_odd,
    .off = NEAR_PIPE_COV_fault_off,
};

static void open(struct golden *g, const struct config *c) {
    struct near_pipe *n = (struct near_pipe *)g;

    n->l = near_pipe_local(c);
    n->code = xcalloc((size_t)n->l.CODE, sizeof *n->code);
    for (int u = 0; u < n->l.UNITS; u++)
        n->unit[u].file =
            xcalloc((size_t)bit(n->l.PLACE_W), sizeof *n->unit[u].file);
    nsm_open(&n->shared, (struct nsm_size){n->l.LANES, n->l.ALUS, n->l.SHARED},
             bit(n->l.WARP_W), &points, g->covers);
}

static void close(struct golden *g) {
    struct near_pipe *n = (struct near_pipe *)g;

    free(n->code);
    nsm_close(&n->shared);
    for (int u = 0; u < n->l.UNITS; u++)
        free(n->unit[u].file);
}

static void reset(struct golden *g) {
    struct near_pipe *n = (struct near_pipe *)g;

    for (int u = 0; u < n->l.UNITS; u++) {
        struct row *file = n->unit[u].file;
        memset(&n->unit[u], 0, sizeof n->unit[u]);
        n->unit[u].file = file;
    }
    n->entry_valid = n->read.valid = n->fetch.valid = false;
    n->load_turn = n->fetch_turn = n->words_turn = false;
    n->chosen = n->l.SHARED > 0 ? n->l.UNITS : n->l.UNITS - 1;
    n->access_unit = n->l.UNITS - 1;
    nsm_reset(&n->shared);
    n->out.exec_ready = n->out.read_ready = n->out.fetch_ready = 1;
}

/* --- where things are ----------------------------------------------------- */

static struct unit *unit_of(struct near_pipe *n, uint64_t warp) {
    return &n->unit[warp % (uint64_t)n->l.UNITS];
}

static struct row *row_of(struct near_pipe *n, uint64_t warp, uint64_t reg) {
    uint64_t at = warp / (uint64_t)n->l.UNITS * (uint64_t)n->l.REGS + reg;

    return &unit_of(n, warp)->file[at];
}

static uint64_t row_bits(const struct row *r) {
    return r->lane[0];
}

/* --- what an instruction computes ----------------------------------------- */

static void read_word(struct near_pipe *n) {
    struct instr *i = &n->entry;

    if (isa_decode(n->entry_word, ISA_REGISTERS, &i->word) != ISA_LEGAL)
        memset(&i->word, 0, sizeof i->word); /* the contract is broken */
    i->to_reg = alu_is_value(i->word.op);
    i->to_pred = alu_is_test(i->word.op);
    i->to_shared = n->l.SHARED > 0 && nsm_is(i->word.op);
}

static bool is_logic(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_pred;
}

/* A predicate as a source: true where there is none. */
static bool holds(const struct unit *u, enum operand o, int lane, bool invert) {
    const struct gathered *d = &u->dispatch;
    bool is = !d->instr.has[o] || row_bits(&d->operand[o]) >> lane & 1;
    return is != invert;
}

static uint32_t value_of(const struct unit *u, enum operand o, int lane) {
    const struct gathered *d = &u->dispatch;
    return d->instr.has[o] ? d->operand[o].lane[lane] : 0;
}

static bool has_number(const struct isa_word *w) {
    return w->imm || isa_has(w->op, 'w');
}

static uint32_t compute(const struct unit *u, int lane) {
    const struct isa_word *w = &u->dispatch.instr.word;
    uint32_t a = value_of(u, SRC0, lane), b = value_of(u, SRC1, lane);

    if (is_logic(w)) {
        a = holds(u, SRC0, lane, w->a & ISA_INVERT);
        b = holds(u, SRC1, lane, w->b & ISA_INVERT);
    }
    if (has_number(w))
        b = w->value;
    if (u->dispatch.instr.to_pred)
        return alu_test(w, a, b);
    return alu_value(w, a, b, value_of(u, SRC2, lane),
                     holds(u, SRC2, lane, w->c & ISA_INVERT));
}

/* Mask and guard. */
static bool is_active(const struct unit *u, int lane) {
    const struct instr *i = &u->dispatch.instr;

    return (i->mask >> lane & 1) &&
           (!i->has[GUARD] || holds(u, GUARD, lane, i->word.unless));
}

static void compute_pass(struct near_pipe *n, struct unit *u,
                         struct result *r) {
    const struct instr *i = &u->dispatch.instr;
    bool computed = i->to_reg || i->to_pred;

    *r = (struct result){.valid = true,
                         .last = u->pass == n->l.PASSES - 1,
                         .first = u->pass * n->l.ALUS};
    for (int k = 0; k < n->l.ALUS; k++) {
        int lane = r->first + k;
        bool on = computed ? is_active(u, lane) : i->mask >> lane & 1;
        if (computed && on)
            r->lane[k] = compute(u, lane);
        r->active |= (uint64_t)on << k;
        if (i->has[DST] && i->to_pred)
            r->keep |= (row_bits(&u->dispatch.operand[DST]) >> lane & 1) << k;
    }
}

static void cover_pass(struct near_pipe *n, const struct unit *u,
                       const struct result *r) {
    const struct instr *i = &u->dispatch.instr;
    bool computed = i->to_reg || i->to_pred;
    uint64_t mask = i->mask >> r->first & ones(n->l.ALUS);

    hit_if(n, computed && is_logic(&i->word), NEAR_PIPE_COV_logic);
    hit_if(n, computed && i->word.op == ISA_sel, NEAR_PIPE_COV_select);
    hit_if(n, computed && has_number(&i->word), NEAR_PIPE_COV_number);
    hit_if(n, computed && r->active != mask, NEAR_PIPE_COV_guarded);
    hit_if(n, computed && i->has[GUARD] && i->word.unless,
           NEAR_PIPE_COV_guard_not);
    hit_if(n, i->mask == 0, NEAR_PIPE_COV_nobody);
    hit_if(n, computed && !i->has[DST], NEAR_PIPE_COV_lost);
    hit_if(n, !computed, NEAR_PIPE_COV_other);
    hit_if(n, i->to_pred && i->has[DST] && r->keep & ~r->active,
           NEAR_PIPE_COV_old_bits);
}

/* --- lanes ---------------------------------------------------------------- */

/* A pass of the oldest one that has not ended. */
static void write_result(struct near_pipe *n, struct lanes *s,
                         const struct result *r) {
    const struct instr *i = &s->instr[s->ended];
    struct row *row = row_of(n, i->warp, i->reg[DST]);

    for (int k = 0; k < n->l.ALUS; k++) {
        bool on = r->active >> k & 1;
        uint64_t b = on ? r->lane[k] & 1 : r->keep >> k & 1;
        if (i->to_reg && i->has[DST] && on)
            row->lane[r->first + k] = r->lane[k];
        s->bits |= b << (r->first + k);
    }
    if (!r->last)
        return;
    if (i->to_pred && i->has[DST]) {
        memset(row, 0, sizeof *row);
        row->lane[0] = (uint32_t)s->bits;
    }
    hit_if(n, i->to_reg && i->has[DST], NEAR_PIPE_COV_value);
    hit_if(n, i->to_pred && i->has[DST], NEAR_PIPE_COV_truth);
    s->bits = 0;
    s->ended++;
}

/* A pass leaves for them, or none: *out is not valid then. */
static void edge_lanes(struct near_pipe *n, struct unit *u,
                       const struct result *out) {
    struct lanes *s = &u->lanes;

    if (out->valid && u->pass == 0)
        s->instr[s->many++] = u->dispatch.instr;
    hit_if(n, s->many == 2, NEAR_PIPE_COV_lanes_two);
    hit_if(n, s->many == n->l.LANES_DEPTH, NEAR_PIPE_COV_lanes_full);
    if (!s->many) /* nothing is in the pipe */
        return;
    if (s->pipe[DEPTH - 1].valid)
        write_result(n, s, &s->pipe[DEPTH - 1]);
    hit_if(n, s->ended > 1, NEAR_PIPE_COV_lanes_ended);
    memmove(s->pipe + 1, s->pipe, (DEPTH - 1) * sizeof s->pipe[0]);
    s->pipe[0] = *out;
}

/* The oldest one goes to 'done'. */
static void lanes_told(struct lanes *s) {
    s->many--;
    s->ended--;
    memmove(s->instr, s->instr + 1, (size_t)s->many * sizeof s->instr[0]);
}

/* --- collector and dispatch ----------------------------------------------- */

static void take(struct near_pipe *n, struct unit *u) {
    struct instr *i = &u->collector.instr;

    read_word(n);
    *i = n->entry;
    u->collector.valid = true;
    for (int o = 0; o < OPERANDS; o++)
        u->left[o] = (i->to_reg || i->to_pred || i->to_shared) && i->has[o] &&
                     (o != DST || i->to_pred);
}

static enum operand next_operand(const struct unit *u) {
    int o = 0;

    while (o < OPERANDS && !(u->collector.valid && u->left[o]))
        o++;
    return (enum operand)o;
}

static void read_operand(struct near_pipe *n, struct unit *u, enum operand o) {
    const struct instr *i = &u->collector.instr;

    u->collector.operand[o] = *row_of(n, i->warp, i->reg[o]);
    u->left[o] = false;
}

/* A pass could leave for the lanes, if nobody waited. */
static bool may_leave(const struct near_pipe *n, const struct unit *u) {
    bool room = u->pass > 0 || u->lanes.many < n->l.LANES_DEPTH;

    return u->dispatch.valid && !u->dispatch.instr.to_shared && room;
}

/* What an edge does with the instructions of a unit. */
struct moving {
    bool goes;  /* a pass leaves for the lanes */
    bool gives; /* an access does, for shared memory */
    bool last;  /* it is the last one */
    bool on;    /* from the collector to dispatch */
};

/* From the state before the edge.  waits: somebody waits to write into the file;
 * every second edge is left to them. */
static struct moving what_moves(const struct near_pipe *n, const struct unit *u,
                                bool waits, bool gives) {
    struct moving m = {.gives = gives};

    m.goes = may_leave(n, u) && !(waits && u->lanes.pipe[0].valid);
    m.last = gives || (m.goes && u->pass == n->l.PASSES - 1);
    m.on = u->collector.valid && next_operand(u) == NO_OPERAND &&
           (!u->dispatch.valid || m.last);
    return m;
}

/* --- shared memory -------------------------------------------------------- */

/* The unit whose access is begun on this edge, -1: none. */
static int next_access(struct near_pipe *n, bool room) {
    int units = n->l.UNITS, first = -1, many = 0;

    for (int k = 1; k <= units; k++) {
        int at = (n->access_unit + k) % units;
        const struct gathered *d = &n->unit[at].dispatch;
        if (!d->valid || !d->instr.to_shared)
            continue;
        first = first < 0 ? at : first;
        many++;
    }
    hit_if(n, many > 1, NEAR_PIPE_COV_shared_meet);
    hit_if(n, many > 0 && !room, NEAR_PIPE_COV_shared_held);
    return room ? first : -1;
}

static void begin_access(struct near_pipe *n, int unit) {
    const struct unit *u = &n->unit[unit];
    const struct instr *i = &u->dispatch.instr;
    struct nsm_access a = {.warp = i->warp,
                           .tag = i->tag,
                           .ticket = i->ticket,
                           .op = i->word.op,
                           .number = i->word.value,
                           .unit = unit};

    n->access_unit = unit;
    if (i->has[DST])
        a.row = row_of(n, i->warp, i->reg[DST])->lane;
    for (int l = 0; l < n->l.LANES; l++) {
        a.at[l] = value_of(u, SRC0, l);
        a.compare[l] = value_of(u, SRC1, l);
        a.data[l] = value_of(u, SRC2, l);
        a.active |= (uint64_t)is_active(u, l) << l;
    }
    nsm_begin(&n->shared, &a);
}

/* Returns the unit whose access begins, -1: none.  taken: by unit, its file is
 * written by somebody else; told: the completion is. */
static int edge_shared(struct near_pipe *n, const bool *taken, bool told) {
    struct near_pipe_out *o = &n->out;
    bool busy = n->shared.busy;
    struct nsm_fault f = nsm_edge(&n->shared, taken, told);
    int begins = next_access(n, nsm_free(&n->shared));

    if (begins >= 0)
        begin_access(n, begins);
    hit_if(n, busy && begins >= 0, NEAR_PIPE_COV_shared_next);
    o->fault_valid = f.valid;
    o->fault_warp = f.warp;
    o->fault_tag = f.tag;
    o->fault_odd = f.odd;
    o->fault_address = f.address;
    return begins;
}

/* --- rows of others ------------------------------------------------------- */

/* Whether the row may be written on the next edge; covers say why not. */
static bool may_write(struct near_pipe *n, uint64_t warp, uint64_t reg,
                      bool valid, int behind, int unread) {
    const struct unit *u = unit_of(n, warp);
    bool waits = false, soon = u->lanes.pipe[DEPTH - 2].valid;
    bool turn = n->words_turn && u == &n->unit[n->shared.end.unit] &&
                u->lanes.pipe[DEPTH - 1].valid;

    for (int o = 0; o < OPERANDS; o++) {
        waits |= n->entry_valid && n->entry.warp == warp && n->entry.has[o] &&
                 n->entry.reg[o] == reg;
        waits |= u->collector.valid && u->collector.instr.warp == warp &&
                 u->left[o] && u->collector.instr.reg[o] == reg;
    }
    hit_if(n, valid && soon, behind);
    hit_if(n, valid && waits, unread);
    hit_if(n, valid && !soon && !waits && turn, NEAR_PIPE_COV_words_turn);
    return valid && !soon && !waits && !turn;
}

/* written: a row of the unit of its words is, on this edge.  It leaves the next
 * edge on which the lanes write no pass to words that wait. */
static void edge_turn(struct near_pipe *n, bool written) {
    const struct unit *u = &n->unit[n->shared.end.unit];

    if (written)
        n->words_turn = n->shared.puts != 0;
    else if (!u->lanes.pipe[DEPTH - 1].valid)
        n->words_turn = false;
}

static void write_row(struct near_pipe *n, uint64_t warp, uint64_t reg,
                      uint64_t mask, const uint64_t *data) {
    struct row *row = row_of(n, warp, reg);

    for (int i = 0; i < n->l.LANES; i++)
        if (mask >> i & 1)
            row->lane[i] = bits_lane(data, i);
}

static void show_row(struct near_pipe *n, const struct request *r,
                     uint64_t *data) {
    const struct row *row = row_of(n, r->warp, r->reg);

    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(data, i, row->lane[i]);
}

/* --- an edge, part by part ------------------------------------------------ */

/* What is read on this edge is what stood before it, so this comes first.
 * Returns the unit of which no operand can be read, NULL: none. */
static struct unit *edge_reads(struct near_pipe *n,
                               const struct near_pipe_in *in) {
    struct near_pipe_out *o = &n->out;
    struct unit *taken = NULL;
    bool rests = o->data_valid || o->fetched_valid;
    bool both = n->read.valid && n->fetch.valid;
    bool fetches = !rests && n->fetch.valid && (!both || n->fetch_turn);
    bool reads = !rests && n->read.valid && !fetches;

    if (o->data_valid)
        memset(o->data_row, 0, sizeof o->data_row);
    if (o->fetched_valid)
        memset(o->fetched_data, 0, sizeof o->fetched_data);
    o->data_valid = o->fetched_valid = 0;
    hit_if(n, both, NEAR_PIPE_COV_both_reads);
    if (reads || fetches)
        n->fetch_turn = reads;
    if (reads) {
        taken = unit_of(n, n->read.warp);
        show_row(n, &n->read, o->data_row);
        o->data_valid = 1;
        n->read.valid = false;
        hit_if(n, next_operand(taken) != NO_OPERAND, NEAR_PIPE_COV_read_first);
    } else if (fetches) {
        taken = unit_of(n, n->fetch.warp);
        show_row(n, &n->fetch, o->fetched_data);
        o->fetched_valid = 1;
        n->fetch.valid = false;
        hit_if(n, next_operand(taken) != NO_OPERAND, NEAR_PIPE_COV_fetch_first);
    }
    if (o->read_ready && in->read_valid & 1)
        n->read = (struct request){true, in->read_warp & ones(n->l.WARP_W),
                                   in->read_reg & ones(n->l.REG_W)};
    if (o->fetch_ready && in->fetch_valid & 1)
        n->fetch = (struct request){true, in->fetch_warp & ones(n->l.WARP_W),
                                    in->fetch_reg & ones(n->l.REG_W)};
    o->read_ready = !n->read.valid;
    o->fetch_ready = !n->fetch.valid;
    return taken;
}

static void cover_unit(struct near_pipe *n, const struct unit *u,
                       const struct moving *m, bool waits, bool reads) {
    bool first = u->dispatch.valid && u->pass == 0;
    bool whole = u->collector.valid && next_operand(u) == NO_OPERAND;
    bool full = u->lanes.many == n->l.LANES_DEPTH;

    hit_if(n, first && !u->dispatch.instr.to_shared && full,
           NEAR_PIPE_COV_lanes_held);
    hit_if(n, may_leave(n, u) && waits && u->lanes.pipe[0].valid,
           NEAR_PIPE_COV_left_row);
    hit_if(n, whole && !m->on, NEAR_PIPE_COV_dispatch_held);
    hit_if(n, m->on && u->dispatch.valid, NEAR_PIPE_COV_dispatch_next);
    hit_if(n, reads && (m->goes || m->gives), NEAR_PIPE_COV_read_ahead);
}

/* Collector, dispatch and lanes. */
static void edge_unit(struct near_pipe *n, struct unit *u,
                      const struct moving *m, bool port_taken, bool waits) {
    enum operand o = next_operand(u);
    bool reads = o != NO_OPERAND && !port_taken;
    struct result out = {0};

    if (!u->collector.valid && !u->dispatch.valid && !u->lanes.many)
        return; /* nothing is in it */
    cover_unit(n, u, m, waits, reads);
    if (m->goes) {
        compute_pass(n, u, &out);
        cover_pass(n, u, &out);
    }
    /* before results are written: what is read stood before the edge */
    if (reads)
        read_operand(n, u, o);
    edge_lanes(n, u, &out);
    if (m->goes || m->gives)
        u->pass = m->last ? 0 : u->pass + 1;
    if (m->last)
        u->dispatch.valid = false;
    if (m->on) {
        u->dispatch = u->collector;
        u->collector.valid = false;
    }
}

/* Who tells a completion on this edge, -1: nobody. */
static int next_teller(struct near_pipe *n, const bool *ended,
                       const struct near_pipe_in *in) {
    int tellers = n->l.UNITS + (n->l.SHARED > 0), many = 0;
    bool refused = n->out.done_valid && !(in->done_ready & 1);

    for (int k = 0; k < tellers; k++)
        many += ended[k];
    hit_if(n, many > 1, NEAR_PIPE_COV_done_meet);
    hit_if(n, refused, NEAR_PIPE_COV_done_held);
    for (int k = 1; k <= tellers && !refused; k++)
        if (ended[(n->chosen + k) % tellers])
            return (n->chosen + k) % tellers;
    return -1;
}

static void show_done(struct near_pipe *n, uint64_t warp, uint64_t tag,
                      uint64_t ticket) {
    n->out.done_valid = 1;
    n->out.done_warp = warp;
    n->out.done_tag = tag;
    n->out.done_ticket = ticket;
}

/* end: of shared memory, before the edge. */
static void edge_done(struct near_pipe *n, int teller,
                      const struct nsm_access *end,
                      const struct near_pipe_in *in) {
    struct near_pipe_out *o = &n->out;

    if (o->done_valid && !(in->done_ready & 1))
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
    if (teller < 0)
        return;
    n->chosen = teller;
    if (teller == n->l.UNITS) {
        show_done(n, end->warp, end->tag, end->ticket);
    } else {
        const struct instr *i = &n->unit[teller].lanes.instr[0];
        show_done(n, i->warp, i->tag, i->ticket);
        lanes_told(&n->unit[teller].lanes);
    }
}

static void edge_entry(struct near_pipe *n, const struct near_pipe_in *in,
                       bool goes) {
    const uint64_t operand[OPERANDS] = {in->exec_src0, in->exec_src1,
                                        in->exec_src2, in->exec_guard,
                                        in->exec_dst};
    struct instr *e = &n->entry;

    if (goes) {
        take(n, unit_of(n, e->warp));
        n->entry_valid = false;
    }
    if (!n->out.exec_ready || !(in->exec_valid & 1))
        return;
    memset(e, 0, sizeof *e);
    e->warp = in->exec_warp & ones(n->l.WARP_W);
    e->tag = in->exec_tag & ones(n->l.TAG_W);
    e->ticket = in->exec_ticket & ones(n->l.TICKET_W);
    e->mask = in->exec_mask & ones(n->l.LANES);
    for (int o = 0; o < OPERANDS; o++) {
        e->has[o] = operand[o] >> (n->l.OPERAND_W - 1) & 1;
        e->reg[o] = operand[o] & ones(n->l.REG_W);
    }
    n->entry_word = n->code[e->tag];
    n->entry_valid = true;
}

static void edge(struct golden *g, const void *ports) {
    struct near_pipe *n = (struct near_pipe *)g;
    const struct near_pipe_in *in = ports;
    struct near_pipe_out *o = &n->out;
    bool put_write = o->write_ready, put_load = o->load_ready, free_turn;
    bool ended[MAX_UNITS + 1], file_taken[MAX_UNITS], waits[MAX_UNITS];
    struct moving moves[MAX_UNITS] = {0};
    bool all = true;
    uint64_t ww = in->write_warp & ones(n->l.WARP_W);
    uint64_t wr = in->write_reg & ones(n->l.REG_W);
    uint64_t lw = in->load_warp & ones(n->l.WARP_W);
    uint64_t lr = in->load_reg & ones(n->l.REG_W);
    const struct unit *to_write = unit_of(n, ww), *to_load = unit_of(n, lw);

    free_turn = !put_write && !put_load;
    bool may_w =
        may_write(n, ww, wr, free_turn && in->write_valid & 1,
                  NEAR_PIPE_COV_write_behind, NEAR_PIPE_COV_write_unread);
    bool may_l =
        may_write(n, lw, lr, free_turn && in->load_valid & 1,
                  NEAR_PIPE_COV_load_behind, NEAR_PIPE_COV_load_unread);
    hit_if(n, may_w && may_l, NEAR_PIPE_COV_both_writes);

    for (int u = 0; u < n->l.UNITS; u++) {
        const struct unit *k = &n->unit[u];
        bool writes = to_write == k && in->write_valid & 1 && !put_write;
        bool loads = to_load == k && in->load_valid & 1 && !put_load;
        waits[u] =
            writes || loads || (n->shared.puts && n->shared.end.unit == u);
        ended[u] = k->lanes.ended > 0;
        all &= k->lanes.many > k->lanes.ended;
        file_taken[u] = k->lanes.pipe[DEPTH - 1].valid ||
                        (put_write && to_write == k) ||
                        (put_load && to_load == k);
    }
    ended[n->l.UNITS] = n->shared.ended;
    hit_if(n, all, NEAR_PIPE_COV_all_units);
    const struct unit *of_words = &n->unit[n->shared.end.unit];
    bool taken_up = (put_write && to_write == of_words) ||
                    (put_load && to_load == of_words);
    int teller = next_teller(n, ended, in);
    struct nsm_access end = n->shared.end;
    edge_turn(n, taken_up);

    struct unit *taken = edge_reads(n, in);
    int begins = edge_shared(n, file_taken, teller == n->l.UNITS);
    for (int u = 0; u < n->l.UNITS; u++)
        moves[u] = what_moves(n, &n->unit[u], waits[u], begins == u);
    uint64_t next = n->entry.warp % (uint64_t)n->l.UNITS;
    bool goes =
        n->entry_valid && (!n->unit[next].collector.valid || moves[next].on);
    hit_if(n, n->entry_valid && !goes, NEAR_PIPE_COV_collector_held);
    for (int u = 0; u < n->l.UNITS; u++)
        edge_unit(n, &n->unit[u], &moves[u], taken == &n->unit[u], waits[u]);
    if (put_write)
        write_row(n, ww, wr, ones(n->l.LANES), in->write_row);
    if (put_load)
        write_row(n, lw, lr, in->load_mask, in->load_data);
    edge_done(n, teller, &end, in);
    edge_entry(n, in, goes);
    if (in->code_valid & 1)
        n->code[in->code_tag & ones(n->l.TAG_W)] = in->code_word;
    if (in->window_valid & 1)
        nsm_window(
            &n->shared, in->window_warp & ones(n->l.WARP_W),
            (struct nsm_window){in->window_base & ones(n->l.BANK_W),
                                in->window_rows & ones(n->l.BANK_W + 1)});

    bool load = may_l && (!may_w || n->load_turn);
    o->write_ready = may_w && !load;
    o->load_ready = load;
    if (may_w || may_l)
        n->load_turn = !load;
    o->exec_ready =
        !n->entry_valid || !unit_of(n, n->entry.warp)->collector.valid;
}

static void row(const struct golden *g, uint64_t warp, uint64_t reg,
                uint32_t *lanes) {
    struct near_pipe *n = (struct near_pipe *)g;

    memcpy(lanes, row_of(n, warp, reg)->lane,
           (size_t)n->l.LANES * sizeof *lanes);
}

const struct golden_class near_pipe_golden = {
    .iface = &near_pipe_iface,
    MODEL_STRUCT(struct near_pipe),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .still = true,
    .row = row,
};
