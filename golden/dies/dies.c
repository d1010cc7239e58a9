/* dies.c - golden model of the near-bank unit over the cut between the dies.
 *
 * Written from docs/blocks/dies.md.  All that is no bus is the model of nbu,
 * and the boundary is the model of cut; here stands what each says to the
 * other.  Packets become beats only as far as somebody reads them: an
 * instruction is its warp, as in all of nbu's model.
 */
#include "dies.h"

#include "blocks/dies.h"
#include "cut/cut.h"
#include "nbu/nbu.h"
#include "nbu/state.h"

#include <string.h>

/* One declaration gives the ports, registers and cover points of both. */
_Static_assert(sizeof(struct dies_in) == sizeof(struct nbu_in) &&
                   sizeof(struct dies_out) == sizeof(struct nbu_out) &&
                   (int)DIES_N_SETTINGS == (int)NBU_N_SETTINGS &&
                   (int)DIES_N_COUNTERS == (int)NBU_N_COUNTERS &&
                   (int)DIES_N_RECORDS == (int)NBU_N_RECORDS &&
                   (int)DIES_N_COVERS == (int)NBU_N_COVERS,
               "dies.def is no longer nbu.def over another boundary");

enum { MAX_PACK = 4 };

/* Completions, the oldest first. */
struct list {
    struct done done[MAX_PACK];
    int n;
};

struct dies {
    struct nbu nbu;
    struct golden *cut;
    struct cut_in in;          /* of the cut, on this edge */
    const struct cut_out *out; /* after the last edge */
    int at[N_SOURCES];         /* beats of its packet that a source has given */
    int rows[N_DIRECTIONS];    /* of a row that have arrived */
    uint64_t done;             /* beats of a completion that have */
    int pack;                  /* completions of a packet at most */
    struct list packet;        /* completions that go up in the next packet */
    struct list came;          /* ... that came up and are to be served */
};

/* What travels: a header, {kind, final, epoch, register, warp}; a completion,
 * {ticket, tag, warp}, its highest part first. */

/* Take the lowest bits of a word. */
static unsigned take(uint64_t *word, int width) {
    unsigned field = (unsigned)(*word & ones(width));

    *word >>= width;
    return field;
}

static uint64_t header_word(const struct nbu *n, const struct header *h) {
    uint64_t word = (uint64_t)h->kind << 1 | h->final;

    word = word << 1 | h->epoch;
    word = word << n->l.REG_W | h->reg;
    return word << n->l.WARP_W | h->warp;
}

static struct header header_of(const struct nbu *n, uint64_t word) {
    struct header h;

    h.warp = (uint8_t)take(&word, n->l.WARP_W);
    h.reg = (uint8_t)take(&word, n->l.REG_W);
    h.epoch = take(&word, 1);
    h.final = take(&word, 1);
    h.kind = (uint8_t)take(&word, 2);
    return h;
}

static uint64_t done_word(const struct nbu *n, const struct done *done) {
    uint64_t word = (uint64_t)done->ticket << n->l.TAG_W | done->tag;

    return word << n->l.WARP_W | done->warp;
}

static struct done done_of(const struct nbu *n, uint64_t word) {
    struct done done;

    done.warp = (uint8_t)take(&word, n->l.WARP_W);
    done.tag = (uint16_t)take(&word, n->l.TAG_W);
    done.ticket = (uint16_t)take(&word, n->l.TICKET_W);
    return done;
}

static void list_add(struct list *l, struct done done) {
    if (l->n == MAX_PACK)
        BUG("a list of %d completions overflows", MAX_PACK);
    l->done[l->n++] = done;
}

/* Several completions share a packet of one beat. */
static bool packs(const struct dies *m) {
    return m->pack > 1;
}

/* What the sources show the cut ------------------------------------------- */

static void show_instr(const struct dies *m, struct cut_in *c) {
    const struct nbu *n = &m->nbu;

    c->instr_valid = n->near_send.out_valid;
    c->instr_last = m->at[BUS_INSTR] == n->l.INSTR_BEATS - 1;
    if (c->instr_valid)
        c->instr_data[0] =
            c->instr_last ? n->near_send_warp[n->near_send.out] : 0;
}

static void show_row(const struct nbu *n, int index, const struct header *h,
                     const uint64_t *row, uint64_t *last, uint64_t *data) {
    *last = index == nbu_move_beats(n, h->kind) - 1;
    if (index > 0) {
        nbu_take_beat(n, data, row, index - 1);
        return;
    }
    memset(data, 0, (size_t)n->beat_words * sizeof *data);
    data[0] = header_word(n, h);
}

static void show_moves(const struct dies *m, struct cut_in *c) {
    const struct nbu *n = &m->nbu;

    c->row_valid = n->far_mover.state == F_SEND;
    c->ask_valid = n->far_mover.state == F_ASK;
    c->up_valid = n->near_mover.state == N_SEND;
    if (c->row_valid || c->ask_valid) {
        struct header h = nbu_far_mover_header(n);
        if (c->row_valid)
            show_row(n, m->at[BUS_DOWN], &h, n->far_mover.data, &c->row_last,
                     c->row_data);
        else
            c->ask_data[0] = header_word(n, &h);
    }
    if (c->up_valid)
        show_row(n, m->at[BUS_UP], &n->near_mover.work, n->near_mover.data,
                 &c->up_last, c->up_data);
}

/* Each with a bit below it that says that it is there. */
static void show_packet(const struct dies *m, struct cut_in *c) {
    int width = m->nbu.l.DONE_W + 1;

    c->done_valid = m->packet.n > 0;
    c->done_last = true;
    memset(c->done_data, 0, sizeof c->done_data);
    for (int i = 0; i < m->packet.n; i++)
        bits_or(c->done_data, i * width, width,
                done_word(&m->nbu, &m->packet.done[i]) << 1 | 1);
}

static void show_done(const struct dies *m, struct cut_in *c) {
    const struct nbu *n = &m->nbu;
    int later = n->l.DONE_BEATS - 1 - m->at[BUS_DONE];

    c->done_valid = n->near_done.out_valid;
    c->done_last = later == 0;
    if (!c->done_valid)
        return;
    c->done_data[0] = done_word(n, &n->near_done_word[n->near_done.out]) >>
                          (later * n->l.TSV_W) &
                      ones(n->l.TSV_W < 64 ? n->l.TSV_W : 64);
}

static void show_lsu(const struct nbu *n, const struct nbu_in *in,
                     struct cut_in *c) {
    size_t size = (size_t)n->beat_words * sizeof(uint64_t);

    c->lsu_down_valid = in->lsu_down_valid & 1;
    c->lsu_down_last = in->lsu_down_last & 1;
    memcpy(c->lsu_down_data, in->lsu_down_data, size);
    c->lsu_up_valid = in->lsu_up_valid & 1;
    c->lsu_up_last = in->lsu_up_last & 1;
    memcpy(c->lsu_up_data, in->lsu_up_data, size);
}

/* Places that become free, and what the base die tells. */
static void show_returns(const struct nbu *n, const struct edge *e,
                         struct cut_in *c) {
    c->back_instr = e->near_sent >= 0;
    c->back_ask = n->near_mover.state == N_IDLE && n->near_moves.out_valid;
    c->back_row = e->landed[DOWN];
    c->moved_ready = e->update.source == UPDATE_DOWN;
    c->taken_row = e->update.source == UPDATE_UP ||
                   (e->landed[UP] && !n->landing[UP].header.final);
}

/* What moves --------------------------------------------------------------- */

/* The source whose beat the cut takes on this edge, and whether it is the last
 * of its packet. */
static enum bus_source taken(const struct dies *m, bool *last) {
    const struct cut_in *c = &m->in;
    const struct cut_out *o = m->out;
    const struct {
        bool moves, last;
    } of[N_SOURCES] = {
        [BUS_INSTR] = {c->instr_valid && o->instr_ready, c->instr_last},
        [BUS_DOWN] = {c->row_valid && o->row_ready, c->row_last},
        [BUS_REQUEST] = {c->ask_valid && o->ask_ready, true},
        [BUS_UP] = {c->up_valid && o->up_ready, c->up_last},
        [BUS_DONE] = {c->done_valid && o->done_ready, c->done_last},
        [BUS_LSU_DOWN] = {c->lsu_down_valid && o->lsu_down_ready,
                          c->lsu_down_last},
        [BUS_LSU_UP] = {c->lsu_up_valid && o->lsu_up_ready, c->lsu_up_last},
    };

    for (int k = 0; k < N_SOURCES; k++)
        if (of[k].moves) {
            *last = of[k].last;
            return (enum bus_source)k;
        }
    *last = false;
    return NOBODY;
}

/* The source of a beat: its kind, and the die that it comes from. */
static enum bus_source source_of(uint64_t kind, bool up) {
    static const enum bus_source of[2][4] = {
        {BUS_INSTR, BUS_DOWN, BUS_REQUEST, BUS_LSU_DOWN},
        {BUS_DONE, BUS_UP, NOBODY, BUS_LSU_UP}};

    return of[up][kind];
}

/* Beats count where the base die has them in a register: those down while they
 * are on the wires, those up when they have come. */
static void choose_events(const struct dies *m, struct edge *e) {
    const struct cut_out *o = m->out;

    if (o->tsv_valid && !o->tsv_up)
        e->events |= nbu_beat_event(source_of(o->tsv_kind, false));
    if (o->far_valid)
        e->events |= nbu_beat_event(source_of(o->far_kind, true));
    event_if(e, o->bus_stall, NBU_CNT_bus_stall);
}

static void choose(struct nbu *n, struct edge *e) {
    struct dies *m = (struct dies *)n;
    enum bus_source k;

    show_instr(m, &m->in);
    show_moves(m, &m->in);
    if (packs(m))
        show_packet(m, &m->in);
    else
        show_done(m, &m->in);
    show_lsu(n, e->in, &m->in);
    show_returns(n, e, &m->in);
    e->near_told = m->out->delivered_valid ? (int)m->out->delivered_warp : -1;
    e->eligible = cut_eligible(m->cut, &m->in);
    e->grant = NOBODY;
    k = taken(m, &e->last);
    e->beat = k != NOBODY;
    e->leaves = e->last ? k : NOBODY;
    e->release = false;
    choose_events(m, e);
}

/* Arrivals ----------------------------------------------------------------- */

static struct beat beat_of(struct dies *m, uint64_t kind, bool up, bool last,
                           const uint64_t *data) {
    const struct nbu *n = &m->nbu;
    struct beat r = {.valid = true, .last = last, .kind = source_of(kind, up)};

    if (r.kind == BUS_DOWN || r.kind == BUS_UP) {
        r.index = m->rows[up]++;
        if (last)
            m->rows[up] = 0;
    }
    r.warp = (uint8_t)(data[0] & ones(n->l.WARP_W));
    r.header = header_of(n, data[0]);
    if (r.kind == BUS_DONE) {
        m->done = (n->l.TSV_W < 64 ? m->done << n->l.TSV_W : 0) | data[0];
        r.done = done_of(n, m->done);
    }
    memcpy(r.data, data, (size_t)n->beat_words * sizeof *data);
    return r;
}

/* The oldest completion of the packets that have come is to be served. */
static void arrive_packet(struct dies *m) {
    struct nbu *n = &m->nbu;
    const struct cut_out *o = m->out;
    int width = n->l.DONE_W + 1;
    struct beat r = {.valid = true, .last = true, .kind = BUS_DONE};

    if (o->far_valid && o->far_kind == CUT_WORK)
        for (int i = 0; i < m->pack; i++) {
            uint64_t word = bits_get(o->far_data, i * width, width);
            if (word & 1)
                list_add(&m->came, done_of(n, word >> 1));
        }
    if (m->came.n == 0)
        return;
    r.done = m->came.done[0];
    m->came.n--;
    memmove(m->came.done, m->came.done + 1,
            (size_t)m->came.n * sizeof *m->came.done);
    nbu_arrive(n, &r);
}

static void arrive(struct nbu *n, const struct edge *e) {
    struct dies *m = (struct dies *)n;
    const struct cut_out *o = m->out;
    struct beat r;

    if (e->landed[DOWN])
        n->out.near_write_valid = 0;
    if (e->landed[UP]) {
        n->out.far_write_valid = 0;
        n->landing[UP].finished = n->landing[UP].header.final;
    }
    if (o->near_valid) {
        r = beat_of(m, o->near_kind, false, o->near_last, o->near_data);
        nbu_arrive(n, &r);
    }
    if (o->far_valid && !(packs(m) && o->far_kind == CUT_WORK)) {
        r = beat_of(m, o->far_kind, true, o->far_last, o->far_data);
        nbu_arrive(n, &r);
    }
    if (packs(m))
        arrive_packet(m);
}

/* The boundary ------------------------------------------------------------- */

static void show(struct dies *m) {
    struct nbu *n = &m->nbu;
    struct nbu_out *out = &n->out;
    const struct cut_out *o = m->out;
    size_t size = (size_t)n->beat_words * sizeof(uint64_t);
    bool near = o->near_valid && o->near_kind == CUT_LSU;
    bool far = o->far_valid && o->far_kind == CUT_LSU;

    out->lsu_down_ready = o->lsu_down_ready;
    out->lsu_up_ready = o->lsu_up_ready;
    out->tsv_valid = o->tsv_valid;
    out->tsv_last = o->tsv_last;
    out->tsv_kind =
        o->tsv_valid ? (uint64_t)source_of(o->tsv_kind, o->tsv_up) : 0;
    out->lsu_near_valid = near;
    out->lsu_near_last = near && o->near_last;
    out->lsu_far_valid = far;
    out->lsu_far_last = far && o->far_last;
    memset(out->lsu_near_data, 0, size);
    memset(out->lsu_far_data, 0, size);
    if (near)
        memcpy(out->lsu_near_data, o->near_data, size);
    if (far)
        memcpy(out->lsu_far_data, o->far_data, size);
}

/* What the base die knows of the row that is down: that its move is done. */
static void show_moved(struct dies *m) {
    struct landing *l = &m->nbu.landing[DOWN];
    const struct cut_out *o = m->out;

    l->finished = o->moved_valid;
    if (!o->moved_valid)
        return;
    l->header.warp = (uint8_t)o->moved_warp;
    l->header.reg = (uint8_t)o->moved_reg;
    l->header.epoch = o->moved_epoch;
}

/* A completion joins the packet, or, if that leaves, begins the next one. */
static void move_packet(struct dies *m, bool leaves) {
    struct nbu *n = &m->nbu;

    if (leaves)
        m->packet.n = 0;
    if (!n->near_done.out_valid || m->packet.n == m->pack)
        return;
    list_add(&m->packet, n->near_done_word[n->near_done.out]);
    queue_pop(&n->near_done);
}

static void move(struct nbu *n, const struct edge *e) {
    struct dies *m = (struct dies *)n;
    bool last;
    enum bus_source k = taken(m, &last);

    if (k != NOBODY)
        m->at[k] = last ? 0 : m->at[k] + 1;
    if (e->leaves == BUS_INSTR)
        queue_pop(&n->near_send);
    if (packs(m))
        move_packet(m, e->leaves == BUS_DONE);
    else if (e->leaves == BUS_DONE)
        queue_pop(&n->near_done);
    m->out = golden_cycle(m->cut, false, &m->in);
    show_moved(m);
    show(m);
}

/* Cover points ------------------------------------------------------------- */

static void cover(struct nbu *n, const struct edge *e) {
    const struct dies *m = (const struct dies *)n;
    const uint64_t *of_cut = golden_covers(m->cut);

    hit_if(n, __builtin_popcount(e->eligible) >= 5, NBU_COV_bus_all);
    hit_if(n, m->in.instr_valid && !(e->eligible >> BUS_INSTR & 1),
           NBU_COV_near_credit_out);
    hit_if(n, m->in.ask_valid && !(e->eligible >> BUS_REQUEST & 1),
           NBU_COV_move_credit_out);
    /* what only the cut sees, as often as it has */
    n->base.covers[NBU_COV_lsu_burst_cut] =
        of_cut[CUT_COV_burst_down] + of_cut[CUT_COV_burst_up];
    n->base.covers[NBU_COV_lsu_gap] =
        of_cut[CUT_COV_gap_down] + of_cut[CUT_COV_gap_up];
}

static const struct nbu_between over_the_cut = {choose, cover, arrive, move};

/* The instance ------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    struct dies *m = (struct dies *)g;

    nbu_open(&m->nbu, c, &over_the_cut);
    m->cut = golden_create(golden_find("cut"), c);
    m->pack = dies_local(c).DONE_PACK;
}

static void close(struct golden *g) {
    golden_free(((struct dies *)g)->cut);
}

static void reset(struct golden *g) {
    struct dies *m = (struct dies *)g;

    nbu_reset(g);
    memset(m->at, 0, sizeof m->at);
    memset(m->rows, 0, sizeof m->rows);
    m->packet.n = m->came.n = 0;
    m->out = golden_cycle(m->cut, true, NULL);
}

static void *state(const struct golden *g, int n, size_t *size) {
    struct golden *cut = ((const struct dies *)g)->cut;

    *size = n == 0 ? cut->class->size : 0;
    return n == 0 ? cut : NULL;
}

const struct golden_class dies_golden = {
    .iface = &dies_iface,
    .size = sizeof(struct dies),
    .out = offsetof(struct dies, nbu.out),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = nbu_edge,
    .written = nbu_written,
    .still = true,
    .state = state,
};
