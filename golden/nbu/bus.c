/* bus.c - golden near-bank unit: the TSV bus and what arrives over it.
 *
 * One half-duplex bus for everything that crosses the dies (MPU, section
 * IV-B1), arbitrated round robin by packet.  Written from docs/blocks/nbu.md;
 * state.h says how an edge is evaluated.
 */
#include "state.h"

#include <string.h>

/* Arbitration ------------------------------------------------------------ */

static unsigned eligible_sources(const struct nbu *n, const struct nbu_in *in) {
    const struct bus *b = &n->bus;
    unsigned set = 0;

    if (n->near_send.out_valid && b->near_credit > 0)
        set |= 1u << BUS_INSTR;
    if (n->far_mover.state == F_SEND && !b->busy[DOWN])
        set |= 1u << BUS_DOWN;
    if (n->far_mover.state == F_ASK && b->move_credit > 0)
        set |= 1u << BUS_REQUEST;
    if (n->near_mover.state == N_SEND && !b->busy[UP])
        set |= 1u << BUS_UP;
    if (n->near_done.out_valid)
        set |= 1u << BUS_DONE;
    set |= (unsigned)(in->lsu_down_valid & 1) << BUS_LSU_DOWN;
    set |= (unsigned)(in->lsu_up_valid & 1) << BUS_LSU_UP;
    return set;
}

static void choose_lsu_beat(const struct bus *b, struct edge *e, bool valid,
                            bool last) {
    e->beat = valid;
    e->last = valid && last;
    e->release = !valid || last || b->beat == b->n_beats - 1;
}

/* The counter that a beat counts. */
uint64_t nbu_beat_event(enum bus_source kind) {
    static const uint8_t counter[N_SOURCES] = {
        [BUS_INSTR] = NBU_CNT_beats_instr,
        [BUS_DOWN] = NBU_CNT_beats_down,
        [BUS_REQUEST] = NBU_CNT_beats_request,
        [BUS_UP] = NBU_CNT_beats_up,
        [BUS_DONE] = NBU_CNT_beats_done,
        [BUS_LSU_DOWN] = NBU_CNT_beats_lsu,
        [BUS_LSU_UP] = NBU_CNT_beats_lsu,
    };

    return bit(counter[kind]);
}

static void choose_bus(struct nbu *n, struct edge *e) {
    const struct bus *b = &n->bus;

    e->near_told = e->near_sent;
    if (n->beat.valid)
        e->events |= nbu_beat_event(n->beat.kind);

    e->eligible = eligible_sources(n, e->in);
    e->grant = e->leaves = NOBODY;
    e->beat = e->last = e->release = false;
    switch (b->owner) {
    case NOBODY:
        if (e->eligible)
            e->grant = (enum bus_source)first_after(e->eligible, b->last_owner);
        break;
    case BUS_LSU_DOWN:
        choose_lsu_beat(b, e, e->in->lsu_down_valid & 1,
                        e->in->lsu_down_last & 1);
        break;
    case BUS_LSU_UP:
        choose_lsu_beat(b, e, e->in->lsu_up_valid & 1, e->in->lsu_up_last & 1);
        break;
    default:
        e->beat = true;
        e->last = e->release = b->beat == b->n_beats - 1;
        if (e->last)
            e->leaves = b->owner;
        break;
    }
    event_if(e, b->owner != NOBODY && e->eligible & ~(1u << b->owner),
             NBU_CNT_bus_stall);
}

static int members(unsigned set) {
    int n = 0;

    for (; set; set &= set - 1)
        n++;
    return n;
}

static void cover_bus(struct nbu *n, const struct edge *e) {
    hit_if(n, members(e->eligible) >= 5, NBU_COV_bus_all);
    hit_if(n,
           n->near_send.out_valid && n->bus.near_credit == 0 &&
               n->bus.owner != BUS_INSTR,
           NBU_COV_near_credit_out);
    hit_if(n,
           n->far_mover.state == F_ASK && n->bus.move_credit == 0 &&
               n->bus.owner != BUS_REQUEST,
           NBU_COV_move_credit_out);
}

/* Beats ------------------------------------------------------------------ */

/* Beats of a row are TSV_W bits each; narrower than a word they never straddle
 * two, as both are powers of two. */
void nbu_take_beat(const struct nbu *n, uint64_t *data, const uint64_t *row,
                   int index) {
    int at = index * n->l.TSV_W;

    if (n->l.TSV_W >= 64)
        memcpy(data, row + at / 64, (size_t)n->beat_words * sizeof *data);
    else
        data[0] = bits_get(row, at, n->l.TSV_W);
}

static void fill_beat(const struct nbu *n, uint64_t *row, const uint64_t *data,
                      int index) {
    int at = index * n->l.TSV_W;

    if (n->l.TSV_W >= 64)
        memcpy(row + at / 64, data, (size_t)n->beat_words * sizeof *data);
    else
        bits_or(row, at, n->l.TSV_W, data[0]);
}

int nbu_move_beats(const struct nbu *n, int kind) {
    return 1 + (kind == NBU_PRED ? n->l.PRED_BEATS : n->l.ROW_BEATS);
}

/* The grant edge: the wires turn round. */
static void grant(struct nbu *n, enum bus_source source) {
    struct bus *b = &n->bus;

    b->owner = source;
    b->last_owner = (uint8_t)source;
    b->beat = 0;
    switch (source) {
    case BUS_INSTR:
        b->n_beats = n->l.INSTR_BEATS;
        b->near_credit--;
        break;
    case BUS_DOWN:
        b->n_beats = nbu_move_beats(n, nbu_far_mover_header(n).kind);
        b->busy[DOWN] = true;
        break;
    case BUS_REQUEST:
        b->n_beats = 1;
        b->move_credit--;
        break;
    case BUS_UP:
        b->n_beats = nbu_move_beats(n, n->near_mover.work.kind);
        b->busy[UP] = true;
        break;
    case BUS_DONE:
        b->n_beats = n->l.DONE_BEATS;
        break;
    default:
        b->n_beats = n->l.LSU_BURST;
        break;
    }
}

/* The owner's next beat goes into the bus register. */
static void put_beat(struct nbu *n, const struct edge *e) {
    struct beat *r = &n->beat;

    r->kind = n->bus.owner;
    r->last = e->last;
    r->index = n->bus.beat;
    switch (r->kind) {
    case BUS_INSTR:
        r->warp = n->near_send_warp[n->near_send.out];
        break;
    case BUS_DOWN:
        r->header = nbu_far_mover_header(n);
        if (r->index > 0)
            nbu_take_beat(n, r->data, n->far_mover.data, r->index - 1);
        break;
    case BUS_REQUEST:
        r->header = nbu_far_mover_header(n);
        break;
    case BUS_UP:
        r->header = n->near_mover.work;
        if (r->index > 0)
            nbu_take_beat(n, r->data, n->near_mover.data, r->index - 1);
        break;
    case BUS_DONE:
        r->done = n->near_done_word[n->near_done.out];
        break;
    case BUS_LSU_DOWN:
        nbu_take_beat(n, r->data, e->in->lsu_down_data, 0);
        break;
    case BUS_LSU_UP:
        nbu_take_beat(n, r->data, e->in->lsu_up_data, 0);
        break;
    case NOBODY:
        break;
    }
}

static void show_lsu(const struct nbu *n, uint64_t *valid, uint64_t *last,
                     uint64_t *data, enum bus_source kind) {
    size_t size = (size_t)n->beat_words * sizeof *data;
    bool shown = n->beat.valid && n->beat.kind == kind;

    if (shown)
        memcpy(data, n->beat.data, size);
    else if (*valid)
        memset(data, 0, size);
    *valid = shown;
    *last = shown && n->beat.last;
}

static void show_bus(struct nbu *n) {
    const struct beat *r = &n->beat;
    struct nbu_out *out = &n->out;

    out->tsv_valid = r->valid;
    out->tsv_kind = r->valid ? r->kind : 0;
    out->tsv_last = r->valid && r->last;
    out->lsu_down_ready = n->bus.owner == BUS_LSU_DOWN;
    out->lsu_up_ready = n->bus.owner == BUS_LSU_UP;
    show_lsu(n, &out->lsu_near_valid, &out->lsu_near_last, out->lsu_near_data,
             BUS_LSU_DOWN);
    show_lsu(n, &out->lsu_far_valid, &out->lsu_far_last, out->lsu_far_data,
             BUS_LSU_UP);
}

static void cover_lsu(struct nbu *n, const struct edge *e) {
    enum direction d = n->bus.owner == BUS_LSU_DOWN ? DOWN : UP;

    hit_if(n, !e->beat && n->bus.mid_message[d], NBU_COV_lsu_gap);
    hit_if(n, e->beat && e->release && !e->last, NBU_COV_lsu_burst_cut);
    if (e->beat)
        n->bus.mid_message[d] = !e->last;
}

static void move_bus(struct nbu *n, const struct edge *e) {
    struct bus *b = &n->bus;

    if (b->owner == BUS_LSU_DOWN || b->owner == BUS_LSU_UP)
        cover_lsu(n, e);
    n->beat.valid = e->beat;
    if (e->beat) {
        put_beat(n, e);
        b->beat++;
    }
    if (e->leaves == BUS_INSTR)
        queue_pop(&n->near_send);
    if (e->leaves == BUS_DONE)
        queue_pop(&n->near_done);
    if (e->release)
        b->owner = NOBODY;
    if (e->grant != NOBODY)
        grant(n, e->grant);
    if (e->near_sent >= 0)
        b->near_credit++;
    show_bus(n);
}

/* Arrivals --------------------------------------------------------------- */

void nbu_choose_landings(const struct nbu *n, struct edge *e) {
    e->landed[DOWN] = n->out.near_write_valid && e->in->near_write_ready & 1;
    e->landed[UP] = n->out.far_write_valid && e->in->far_write_ready & 1;
}

/* The register file has taken a row. */
static void row_taken(struct nbu *n, enum direction d) {
    if (n->landing[d].header.final)
        n->landing[d].finished = true;
    else
        n->bus.busy[d] = false;
}

/* The landing register of a direction as it shows at the ports. */
struct landing_ports {
    uint64_t *valid, *pred, *warp, *reg, *row;
};

static struct landing_ports landing_ports(struct nbu_out *out,
                                          enum direction d) {
    if (d == DOWN)
        return (struct landing_ports){
            &out->near_write_valid, &out->near_write_pred,
            &out->near_write_warp,  &out->near_write_reg,
            out->near_write_row,
        };
    return (struct landing_ports){
        &out->far_write_valid, &out->far_write_pred, &out->far_write_warp,
        &out->far_write_reg,   out->far_write_row,
    };
}

static void row_arrival(struct nbu *n, const struct beat *r, enum direction d) {
    struct landing_ports port = landing_ports(&n->out, d);

    if (r->index > 0) {
        fill_beat(n, port.row, r->data, r->index - 1);
        *port.valid = r->last;
        return;
    }
    n->landing[d].header = r->header;
    *port.warp = r->header.warp;
    *port.reg = r->header.reg;
    *port.pred = r->header.kind == NBU_PRED;
    memset(port.row, 0, (size_t)n->row_words * sizeof *port.row);
}

void nbu_arrive(struct nbu *n, const struct beat *r) {
    switch (r->kind) {
    case BUS_INSTR:
        if (r->last)
            n->near_queue_warp[queue_push(&n->near_queue)] = r->warp;
        break;
    case BUS_DOWN:
        row_arrival(n, r, DOWN);
        break;
    case BUS_REQUEST:
        n->near_moves_header[queue_push(&n->near_moves)] = r->header;
        break;
    case BUS_UP:
        row_arrival(n, r, UP);
        break;
    case BUS_DONE:
        if (r->last) {
            n->nd_valid = true;
            n->nd = r->done;
        }
        break;
    default: /* load-store beats are shown, not kept */
        break;
    }
}

static void move_arrivals(struct nbu *n, const struct edge *e) {
    if (e->landed[DOWN]) {
        n->out.near_write_valid = 0;
        row_taken(n, DOWN);
    }
    if (e->landed[UP]) {
        n->out.far_write_valid = 0;
        row_taken(n, UP);
    }
    if (n->beat.valid)
        nbu_arrive(n, &n->beat);
}

const struct nbu_between nbu_bus = {choose_bus, cover_bus, move_arrivals,
                                    move_bus};
