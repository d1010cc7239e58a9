/* lsu_link.c - golden model of the load-store traffic between the dies.
 *
 * Written from docs/blocks/lsu_link.md.  A packet is a string of bits, header
 * and data, with the number of its next beat; each die is stepped by itself,
 * from the state and the inputs before the edge.
 */
#include "lsu_link.h"

#include "base/bits.h"
#include "blocks/lsu_link.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum {
    MAX_LANES = 32,
    MAX_PLACES = 64,
    ROW_WORDS = 1024 / 64,
    SECTOR_WORDS = 256 / 64,
    PACKET_WORDS = 2048 / 64, /* a header and a row of a beat each */
    NOBODY = -1
};

enum kind { TRANSACTION, MESSAGE, FETCH, WRITE, STRIDED };
enum { KINDS_UP = STRIDED };
enum giver { FROM_DOWN, FROM_FETCH, FROM_WRITE, FROM_STRIDED, SOURCES };

/* A packet that is sent, or that comes: at is the beat that is next. */
struct packet {
    uint64_t bits[PACKET_WORDS];
    int at, beats;
    bool come;      /* of one that comes: it is whole, for this cycle */
    enum kind kind; /* of one that goes up */
};

/* What a die sends: a packet, and the one that follows it. */
struct sender {
    struct packet now, next;
};

/* A packet in its place on the DRAM die. */
struct waiting {
    uint64_t header;
    uint64_t sector[SECTOR_WORDS];
};

/* A row that is asked for or written, and for whom. */
struct job {
    bool busy, own; /* own: the base die's */
    uint64_t warp, reg, mask;
};

struct lsu_link {
    struct golden base;
    struct lsu_link_local l;
    /* the base die */
    struct sender down;
    struct packet far;
    int down_turn;
    int under;
    bool sent;
    bool held; /* an answer of another core */
    uint64_t held_id, held_fault, held_data[SECTOR_WORDS];
    /* the DRAM die */
    struct sender up;
    struct packet near;
    int up_turn;
    struct queue queue;
    struct waiting place[MAX_PLACES + 1];
    uint64_t came[ROW_WORDS]; /* row to write */
    bool is_store[MAX_LANES];
    bool wanted; /* the extension has asked for a row */
    uint64_t wanted_warp, wanted_reg;
    struct job fetch; /* busy: at pipe_fetch */
    bool waits;       /* it was taken, and its row has not come */
    uint64_t row[ROW_WORDS];
    bool row_up, row_goes; /* it is to go up, and does */
    struct job load;       /* busy: at pipe_load */
    uint64_t load_row[ROW_WORDS];
    bool written;
    struct lsu_link_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct lsu_link *)g)->l = lsu_link_local(c);
}

static void reset(struct golden *g) {
    struct lsu_link *n = (struct lsu_link *)g;

    memset(&n->down, 0, sizeof n->down);
    memset(&n->far, 0, sizeof n->far);
    memset(&n->up, 0, sizeof n->up);
    memset(&n->near, 0, sizeof n->near);
    n->down_turn = n->up_turn = 0;
    n->under = 0;
    n->sent = n->held = n->wanted = n->waits = false;
    n->row_up = n->row_goes = n->written = false;
    queue_reset(&n->queue, n->l.PLACES);
    n->fetch = n->load = (struct job){.own = true};
    n->out.down_ready = n->out.other_ready = 1;
    n->out.ext_answer_ready = n->out.ext_fetch_ready = 1;
}

/* --- packets -------------------------------------------------------------- */

static void copy(uint64_t *to, const uint64_t *from, int width) {
    for (int at = 0; at < width; at += 64)
        to[at / 64] = bits_get(from, at, width - at < 64 ? width - at : 64);
}

static void join(uint64_t *to, int at, const uint64_t *from, int width) {
    for (int i = 0; i < width; i += 64)
        bits_or(to, at + i, width - i < 64 ? width - i : 64, from[i / 64]);
}

static void cut_out(uint64_t *to, const uint64_t *from, int at, int width) {
    for (int i = 0; i < width; i += 64)
        to[i / 64] = bits_get(from, at + i, width - i < 64 ? width - i : 64);
}

static bool is_idle(const struct packet *p) {
    return p->at == p->beats;
}

/* A packet to send: a header of so many beats, and data, NULL: none. */
static void pack(const struct lsu_link *n, struct packet *p, int heads,
                 uint64_t header, const uint64_t *data, int width) {
    memset(p, 0, sizeof *p);
    p->bits[0] = header;
    p->beats = heads;
    if (!data)
        return;
    join(p->bits, heads * n->l.TSV_W, data, width);
    p->beats += ceil_div(width, n->l.TSV_W);
}

/* The next beat is taken: whether it was the last of its packet. */
static bool send_beat(struct sender *s, bool ready) {
    if (is_idle(&s->now) || !ready)
        return false;
    s->now.at++;
    return is_idle(&s->now);
}

/* The packet that follows is sent as soon as nothing is. */
static void follow(struct sender *s) {
    if (!is_idle(&s->now) || is_idle(&s->next))
        return;
    s->now = s->next;
    s->next.at = s->next.beats = 0;
}

static void show_beat(const struct lsu_link *n, const struct packet *p,
                      uint64_t *valid, uint64_t *last, uint64_t *data) {
    int width = n->l.TSV_W;

    *valid = !is_idle(p);
    *last = p->at + 1 == p->beats;
    memset(data, 0, (size_t)ceil_div(width, 64) * sizeof *data);
    if (*valid)
        cut_out(data, p->bits, p->at * width, width);
}

static void receive(const struct lsu_link *n, struct packet *p, bool valid,
                    bool last, const uint64_t *data) {
    uint64_t beat[ROW_WORDS];
    int width = n->l.TSV_W;

    if (p->come)
        memset(p, 0, sizeof *p);
    if (!valid || (p->at + 1) * width > PACKET_WORDS * 64)
        return; /* the latter: the contract is broken */
    copy(beat, data, width);
    join(p->bits, p->at * width, beat, width);
    p->at++;
    p->come = last;
}

/* The source whose packet is taken on this edge, NOBODY; the turn moves. */
static int take_turn(int *turn, int sources, bool free, const bool *offers) {
    int taken = free && offers[*turn] ? *turn : NOBODY;

    if (offers[*turn] && taken == NOBODY)
        return NOBODY;
    for (int i = 1; i <= sources; i++)
        if (offers[(*turn + i) % sources]) {
            *turn = (*turn + i) % sources;
            break;
        }
    return taken;
}

static bool all(const bool *offers, int sources) {
    for (int i = 0; i < sources; i++)
        if (!offers[i])
            return false;
    return true;
}

static bool any(const bool *offers, int sources) {
    for (int i = 0; i < sources; i++)
        if (offers[i])
            return true;
    return false;
}

/* --- headers -------------------------------------------------------------- */

static const struct design_record *record(const struct lsu_link *n, int which) {
    return &n->base.design->record[which];
}

/* Of a header down; those up have the lower two of its bits. */
static enum kind kind_of(uint64_t header) {
    return (enum kind)(header & ones(3));
}

static enum kind kind_up(uint64_t header) {
    return (enum kind)(header & ones(2));
}

static struct lsu_link_request_fields request_of(const struct lsu_link *n,
                                                 uint64_t header) {
    struct lsu_link_request_fields f;
    record_unpack(record(n, LSU_LINK_REC_request), &header, &f);
    return f;
}

static struct lsu_link_strided_fields strided_of(const struct lsu_link *n,
                                                 uint64_t header) {
    struct lsu_link_strided_fields f;
    record_unpack(record(n, LSU_LINK_REC_strided), &header, &f);
    return f;
}

static struct lsu_link_row_fields row_of(const struct lsu_link *n,
                                         uint64_t header) {
    struct lsu_link_row_fields f;
    record_unpack(record(n, LSU_LINK_REC_row), &header, &f);
    return f;
}

static struct lsu_link_back_fields back_of(const struct lsu_link *n,
                                           uint64_t header) {
    struct lsu_link_back_fields f;
    record_unpack(record(n, LSU_LINK_REC_back), &header, &f);
    return f;
}

static uint64_t pack_request(const struct lsu_link *n,
                             const struct lsu_link_request_fields *f) {
    uint64_t packed = 0;
    record_pack(record(n, LSU_LINK_REC_request), f, &packed);
    return packed;
}

static uint64_t pack_back(const struct lsu_link *n,
                          const struct lsu_link_back_fields *f) {
    uint64_t packed = 0;
    record_pack(record(n, LSU_LINK_REC_back), f, &packed);
    return packed;
}

/* --- base die ------------------------------------------------------------- */

static void send_request(struct lsu_link *n, const struct lsu_link_in *in) {
    struct lsu_link_request_fields f = {
        .kind = in->down_near & 1 ? MESSAGE : TRANSACTION,
        .warp = in->down_warp,
        .reg = in->down_reg,
        .store = in->down_store & 1,
        .unit = in->down_unit,
        .id = in->down_id,
        .address = in->down_address,
        .strobe = in->down_strobe,
    };
    bool has_data = f.kind == TRANSACTION && f.store;
    uint64_t sector[SECTOR_WORDS] = {0};

    copy(sector, in->down_data, n->l.DATA_W);
    pack(n, &n->down.next, n->l.HEAD_BEATS, pack_request(n, &f),
         has_data ? sector : NULL, n->l.DATA_W);
    hit_if(n, f.kind == MESSAGE, LSU_LINK_COV_message);
    hit_if(n, has_data, LSU_LINK_COV_store);
    hit_if(n, f.kind == TRANSACTION && !f.store, LSU_LINK_COV_load);
}

static void send_fetch(struct lsu_link *n, const struct lsu_link_in *in) {
    struct lsu_link_request_fields f = {
        .kind = FETCH, .warp = in->fetch_warp, .reg = in->fetch_reg};

    pack(n, &n->down.next, n->l.HEAD_BEATS, pack_request(n, &f), NULL, 0);
    hit_if(n, true, LSU_LINK_COV_fetch);
}

static void send_strided(struct lsu_link *n, const struct lsu_link_in *in) {
    struct lsu_link_strided_fields f = {.kind = STRIDED,
                                        .warp = in->strided_warp,
                                        .reg = in->strided_reg,
                                        .step = in->strided_step,
                                        .address = in->strided_address};
    uint64_t packed = 0, mask = in->strided_mask & ones(n->l.LANES);

    record_pack(record(n, LSU_LINK_REC_strided), &f, &packed);
    pack(n, &n->down.next, n->l.HEAD_BEATS, packed, &mask, n->l.LANES);
    hit_if(n, true, LSU_LINK_COV_strided);
}

static void send_row(struct lsu_link *n, const struct lsu_link_in *in) {
    struct lsu_link_row_fields f = {.kind = WRITE,
                                    .warp = in->write_warp,
                                    .reg = in->write_reg,
                                    .mask = in->write_mask};
    uint64_t packed = 0;

    record_pack(record(n, LSU_LINK_REC_row), &f, &packed);
    pack(n, &n->down.next, n->l.HEAD_BEATS, packed, in->write_data, n->l.ROW_W);
    hit_if(n, true, LSU_LINK_COV_write);
}

static void edge_answers(struct lsu_link *n, const struct lsu_link_in *in,
                         bool own) {
    bool hold = in->other_valid & n->out.other_ready & 1;

    hit_if(n, n->held && own, LSU_LINK_COV_other_waits);
    hit_if(n, n->held && hold, LSU_LINK_COV_other_behind);
    if (!own)
        n->held = false;
    if (!hold)
        return;
    n->held = true;
    n->held_id = in->other_id & ones(n->l.LANE_W);
    n->held_fault = in->other_fault & 1;
    copy(n->held_data, in->other_data, n->l.DATA_W);
}

static void edge_base(struct lsu_link *n, const struct lsu_link_in *in) {
    bool room = is_idle(&n->down.next), free = room && n->under < n->l.PLACES;
    bool come = n->far.come;
    enum kind kind = kind_up(n->far.bits[0]);
    bool offers[SOURCES] = {
        [FROM_DOWN] = in->down_valid & 1,
        [FROM_FETCH] = in->fetch_valid & 1,
        [FROM_WRITE] = in->write_valid & 1 && !n->sent,
        [FROM_STRIDED] = in->strided_valid & 1,
    };
    bool has_turn = offers[n->down_turn];
    int taken = take_turn(&n->down_turn, SOURCES, free, offers);

    hit_if(n, all(offers, SOURCES), LSU_LINK_COV_sources_meet);
    hit_if(n, free && any(offers, SOURCES) && !has_turn,
           LSU_LINK_COV_turn_moves);
    hit_if(n, room && !free && any(offers, SOURCES), LSU_LINK_COV_no_place);
    hit_if(n, taken != NOBODY && come, LSU_LINK_COV_meets);
    if (come) {
        struct lsu_link_back_fields f = back_of(n, n->far.bits[0]);
        hit_if(n, kind == TRANSACTION && f.fault, LSU_LINK_COV_fault);
        hit_if(n, kind == TRANSACTION && f.store, LSU_LINK_COV_answer_store);
        hit_if(n, kind == MESSAGE && f.fault, LSU_LINK_COV_row_fault);
        n->under--;
        if (kind == WRITE)
            n->sent = false;
    }
    edge_answers(n, in, come && kind == TRANSACTION);

    hit_if(n,
           !is_idle(&n->down.now) && n->down.now.at > 0 &&
               !(in->lsu_down_ready & 1),
           LSU_LINK_COV_pause_down);
    hit_if(n, send_beat(&n->down, in->lsu_down_ready & 1) && !room,
           LSU_LINK_COV_behind_down);
    n->under += taken != NOBODY;
    if (taken == FROM_DOWN)
        send_request(n, in);
    if (taken == FROM_FETCH)
        send_fetch(n, in);
    if (taken == FROM_WRITE) {
        send_row(n, in);
        n->sent = true;
    }
    if (taken == FROM_STRIDED)
        send_strided(n, in);
    follow(&n->down);
    receive(n, &n->far, in->lsu_far_valid & 1, in->lsu_far_last & 1,
            in->lsu_far_data);
}

static void show_base(struct lsu_link *n) {
    struct lsu_link_out *o = &n->out;
    struct lsu_link_back_fields f = back_of(n, n->far.bits[0]);
    bool free = is_idle(&n->down.next) && n->under < n->l.PLACES;
    bool come = n->far.come, own = come && f.kind == TRANSACTION;
    bool end = come && f.kind == MESSAGE;
    int data = n->l.BACK_BEATS * n->l.TSV_W;

    show_beat(n, &n->down.now, &o->lsu_down_valid, &o->lsu_down_last,
              o->lsu_down_data);
    o->down_ready = free && n->down_turn == FROM_DOWN;
    o->fetch_ready = free && n->down_turn == FROM_FETCH;
    o->strided_ready = free && n->down_turn == FROM_STRIDED;
    o->write_ready = come && f.kind == WRITE;
    o->other_ready = !n->held || !own;

    memset(o->answer_data, 0, sizeof o->answer_data);
    o->answer_valid = own || n->held;
    o->answer_id = own ? f.id : n->held ? n->held_id : 0;
    o->answer_fault = own ? f.fault : n->held ? n->held_fault : 0;
    if (own && !f.store)
        cut_out(o->answer_data, n->far.bits, data, n->l.DATA_W);
    else if (!own && n->held)
        memcpy(o->answer_data, n->held_data, sizeof o->answer_data);

    o->done_valid = end;
    o->done_warp = end ? f.warp : 0;
    o->done_reg = end ? f.reg : 0;
    o->done_store = end ? f.store : 0;
    o->done_fault = end ? f.fault : 0;

    memset(o->fetched_data, 0, sizeof o->fetched_data);
    o->fetched_valid = come && f.kind == FETCH;
    if (o->fetched_valid)
        cut_out(o->fetched_data, n->far.bits, data, n->l.ROW_W);
}

/* --- DRAM die ------------------------------------------------------------- */

static const struct waiting *head(const struct lsu_link *n) {
    return n->queue.out_valid ? &n->place[n->queue.out] : NULL;
}

static bool head_is(const struct lsu_link *n, enum kind kind) {
    return head(n) && kind_of(head(n)->header) == kind;
}

static void edge_places(struct lsu_link *n) {
    struct waiting *p;
    int data = n->l.HEAD_BEATS * n->l.TSV_W;

    if (!n->near.come || !queue_can_push(&n->queue))
        return; /* the latter: the contract is broken */
    p = &n->place[queue_push(&n->queue)];
    p->header = bits_get(n->near.bits, 0, n->l.HEADER_W);
    memset(p->sector, 0, sizeof p->sector);
    if (kind_of(p->header) == WRITE)
        cut_out(n->came, n->near.bits, data, n->l.ROW_W);
    else
        cut_out(p->sector, n->near.bits, data, n->l.DATA_W);
}

static void edge_requests(struct lsu_link *n, const struct lsu_link_in *in) {
    struct lsu_link_out *o = &n->out;

    hit_if(n, o->ext_down_valid && !(in->ext_down_ready & 1),
           LSU_LINK_COV_down_held);
    if (!o->ext_down_valid || !(in->ext_down_ready & 1))
        return;
    if (!o->ext_down_near)
        n->is_store[o->ext_down_id] = o->ext_down_store;
    queue_pop(&n->queue);
}

/* Who of both goes first: the other one than last time. */
static bool own_goes(bool own, bool extension, bool own_was) {
    return own && (!extension || !own_was);
}

/* row_up: a row was to go up before this edge. */
static void edge_fetch(struct lsu_link *n, const struct lsu_link_in *in,
                       bool row_up) {
    bool own = head_is(n, FETCH);
    bool free = !n->fetch.busy && !n->waits && !row_up;

    hit_if(n, own && n->wanted, LSU_LINK_COV_fetch_meets);
    hit_if(n, n->wanted && row_up, LSU_LINK_COV_fetch_waits);
    if (n->fetch.busy && in->pipe_fetch_ready & 1) {
        n->fetch.busy = false;
        n->waits = true;
    } else if (n->waits && in->pipe_fetched_valid & 1) {
        n->waits = false;
        copy(n->row, in->pipe_fetched_data, n->l.ROW_W);
        n->row_up = n->fetch.own;
        n->out.ext_fetched_valid = !n->fetch.own;
    } else if (free && (own || n->wanted)) {
        n->fetch.busy = true;
        n->fetch.own = own_goes(own, n->wanted, n->fetch.own);
        if (n->fetch.own) {
            struct lsu_link_request_fields f = request_of(n, head(n)->header);
            n->fetch.warp = f.warp;
            n->fetch.reg = f.reg;
            queue_pop(&n->queue);
        } else {
            n->fetch.warp = n->wanted_warp;
            n->fetch.reg = n->wanted_reg;
            n->wanted = false;
        }
    }
    if (n->out.ext_fetch_ready && in->ext_fetch_valid & 1) {
        n->wanted = true;
        n->wanted_warp = in->ext_fetch_warp & ones(n->l.WARP_W);
        n->wanted_reg = in->ext_fetch_reg & ones(n->l.REG_W);
    }
}

static void edge_load(struct lsu_link *n, const struct lsu_link_in *in) {
    bool own = head_is(n, WRITE);
    bool extension = in->ext_load_valid & 1 && !n->out.ext_load_ready;

    n->out.ext_load_ready = 0;
    hit_if(n, own && extension && !n->load.busy, LSU_LINK_COV_load_meets);
    hit_if(n, n->load.busy && !(in->pipe_load_ready & 1),
           LSU_LINK_COV_load_held);
    if (n->load.busy) {
        if (!(in->pipe_load_ready & 1))
            return;
        n->load.busy = false;
        if (!n->load.own) {
            n->out.ext_load_ready = 1;
            return;
        }
        n->written = true;
        queue_pop(&n->queue);
        return;
    }
    if (!own && !extension)
        return;
    n->load.busy = true;
    n->load.own = own_goes(own, extension, n->load.own);
    if (n->load.own) {
        struct lsu_link_row_fields f = row_of(n, head(n)->header);
        n->load.warp = f.warp;
        n->load.reg = f.reg;
        n->load.mask = f.mask;
        memcpy(n->load_row, n->came, sizeof n->load_row);
    } else {
        n->load.warp = in->ext_load_warp & ones(n->l.WARP_W);
        n->load.reg = in->ext_load_reg & ones(n->l.REG_W);
        n->load.mask = in->ext_load_mask & ones(n->l.LANES);
        copy(n->load_row, in->ext_load_data, n->l.ROW_W);
    }
}

static void send_up(struct lsu_link *n, const struct lsu_link_in *in,
                    enum kind kind) {
    struct lsu_link_back_fields f = {.kind = kind};
    uint64_t sector[SECTOR_WORDS] = {0};
    const uint64_t *data = NULL;
    int width = 0;

    switch (kind) {
    case TRANSACTION:
        f.id = in->ext_answer_id & ones(n->l.LANE_W);
        f.fault = in->ext_answer_fault & 1;
        f.store = n->is_store[f.id];
        copy(sector, in->ext_answer_data, n->l.DATA_W);
        width = n->l.DATA_W;
        data = f.store ? NULL : sector;
        break;
    case MESSAGE:
        f.warp = in->ext_done_warp;
        f.reg = in->ext_done_reg;
        f.store = in->ext_done_store & 1;
        f.fault = in->ext_done_fault & 1;
        break;
    case FETCH:
        width = n->l.ROW_W;
        data = n->row;
        n->row_goes = true;
        break;
    case WRITE:
        n->written = false;
        break;
    case STRIDED: /* its end is that of a message */
        break;
    }
    pack(n, &n->up.next, n->l.BACK_BEATS, pack_back(n, &f), data, width);
    n->up.next.kind = kind;
}

static void edge_up(struct lsu_link *n, const struct lsu_link_in *in) {
    const struct packet *now = &n->up.now;
    bool room = is_idle(&n->up.next);
    bool offers[KINDS_UP] = {
        [TRANSACTION] = in->ext_answer_valid & 1,
        [MESSAGE] = in->ext_done_valid & 1,
        [FETCH] = n->row_up && !n->row_goes,
        [WRITE] = n->written,
    };
    int taken = take_turn(&n->up_turn, KINDS_UP, room, offers);

    hit_if(n, all(offers, KINDS_UP), LSU_LINK_COV_up_meet);
    hit_if(n, !is_idle(now) && now->at > 0 && !(in->lsu_up_ready & 1),
           LSU_LINK_COV_pause_up);
    if (send_beat(&n->up, in->lsu_up_ready & 1)) {
        hit_if(n, !room, LSU_LINK_COV_behind_up);
        if (now->kind == FETCH)
            n->row_goes = n->row_up = false;
    }
    if (taken != NOBODY)
        send_up(n, in, (enum kind)taken);
    follow(&n->up);
}

static void edge_dram(struct lsu_link *n, const struct lsu_link_in *in) {
    bool row_up = n->row_up;
    bool whole = n->queue.count + n->queue.out_valid == n->l.PLACES;

    hit_if(n, whole, LSU_LINK_COV_queued);
    n->out.ext_fetched_valid = 0;
    /* what is there to go up before what comes for it */
    edge_up(n, in);
    edge_places(n);
    edge_requests(n, in);
    edge_fetch(n, in, row_up);
    edge_load(n, in);
    queue_edge(&n->queue);
    receive(n, &n->near, in->lsu_near_valid & 1, in->lsu_near_last & 1,
            in->lsu_near_data);
}

static void show_requests(struct lsu_link *n) {
    struct lsu_link_out *o = &n->out;
    struct lsu_link_request_fields f = {0};
    struct lsu_link_strided_fields s = {0};
    bool near = head_is(n, MESSAGE), far = head_is(n, TRANSACTION);
    bool strided = head_is(n, STRIDED);

    if (near || far)
        f = request_of(n, head(n)->header);
    if (strided) {
        s = strided_of(n, head(n)->header);
        f.warp = s.warp;
        f.reg = s.reg;
        f.address = s.address;
    }
    o->ext_down_valid = near || far || strided;
    o->ext_down_near = near || strided;
    o->ext_down_strided = strided;
    o->ext_down_mask = strided ? head(n)->sector[0] & ones(n->l.LANES) : 0;
    o->ext_down_step = s.step;
    o->ext_down_store = f.store;
    o->ext_down_unit = f.unit;
    o->ext_down_warp = f.warp;
    o->ext_down_reg = f.reg;
    o->ext_down_id = f.id;
    o->ext_down_address = f.address;
    o->ext_down_strobe = f.strobe;
    memset(o->ext_down_data, 0, sizeof o->ext_down_data);
    if (far && f.store)
        memcpy(o->ext_down_data, head(n)->sector, sizeof o->ext_down_data);
}

static void show_dram(struct lsu_link *n) {
    struct lsu_link_out *o = &n->out;
    bool room = is_idle(&n->up.next), fetches = n->fetch.busy;
    bool loads = n->load.busy;

    show_requests(n);
    show_beat(n, &n->up.now, &o->lsu_up_valid, &o->lsu_up_last, o->lsu_up_data);
    o->ext_answer_ready = room && n->up_turn == TRANSACTION;
    o->ext_done_ready = room && n->up_turn == MESSAGE;

    o->ext_fetch_ready = !n->wanted;
    memset(o->ext_fetched_data, 0, sizeof o->ext_fetched_data);
    if (o->ext_fetched_valid)
        memcpy(o->ext_fetched_data, n->row, sizeof n->row);
    o->pipe_fetch_valid = fetches;
    o->pipe_fetch_warp = fetches ? n->fetch.warp : 0;
    o->pipe_fetch_reg = fetches ? n->fetch.reg : 0;

    o->pipe_load_valid = loads;
    o->pipe_load_warp = loads ? n->load.warp : 0;
    o->pipe_load_reg = loads ? n->load.reg : 0;
    o->pipe_load_mask = loads ? n->load.mask : 0;
    memset(o->pipe_load_data, 0, sizeof o->pipe_load_data);
    if (loads)
        memcpy(o->pipe_load_data, n->load_row, sizeof n->load_row);
}

static void edge(struct golden *g, const void *ports) {
    struct lsu_link *n = (struct lsu_link *)g;
    const struct lsu_link_in *in = ports;

    edge_base(n, in);
    edge_dram(n, in);
    show_base(n);
    show_dram(n);
}

const struct golden_class lsu_link_golden = {
    .iface = &lsu_link_iface,
    MODEL_STRUCT(struct lsu_link),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
