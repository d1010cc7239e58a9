/* lines.c - golden model of operands of chains as sectors of a memory.
 *
 * Written from docs/blocks/lines.md.
 */
#include "lines.h"

#include "base/bits.h"
#include "blocks/lines.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "remote/share.h"

enum { DEPTH = 2, MOST_WANTS = 64, MOST_PLACES = 64, WORDS = 256 / 64 };

/* A load, or a beat of a store. */
struct want {
    uint64_t store, address, type, mask, data[WORDS];
};

/* A load or store that is under way. */
struct due {
    bool store;
    int bytes; /* of a lane */
    int place; /* of lane 0 in its sector */
    uint64_t mask;
};

/* Where a walk along an operand stands: a beat and a sector. */
struct walk {
    bool midst;
    int beat, place;
};

/* What a step of it ends. */
struct ends {
    bool beat, sector, operand;
};

struct lines {
    struct golden base;
    struct lines_local l;
    /* wants */
    struct queue wants, due, asked, brought, homes;
    struct want want[DEPTH + 1];
    struct due kept[MOST_WANTS + 1];
    bool word[MOST_PLACES + 1]; /* of asked */
    uint64_t sector[MOST_PLACES + 1][WORDS];
    struct {
        struct share_ask ask; /* data, strobe, ..; its id apart */
        uint64_t id;
    } home[DEPTH + 1];
    bool lines_turn;
    int used;
    struct walk asking;
    uint64_t at; /* the sector at this node */
    uint64_t strobe, data[WORDS];
    struct walk bringing;
    uint64_t lanes[WORDS];
    struct lines_out out;
};

static int bytes_of(uint64_t type) {
    if (type == LINES_S8 || type == LINES_U8)
        return 1;
    return type == LINES_S16 || type == LINES_U16 ? 2 : 4;
}

static void open(struct golden *g, const struct config *c) {
    ((struct lines *)g)->l = lines_local(c);
}

static void show_ready(struct lines *n) {
    n->out.want_ready = queue_can_push(&n->wants);
    n->out.home_ready = queue_can_push(&n->homes);
}

static void reset(struct golden *g) {
    struct lines *n = (struct lines *)g;

    queue_reset(&n->wants, DEPTH);
    queue_reset(&n->homes, DEPTH);
    queue_reset(&n->due, n->l.WANTS);
    queue_reset(&n->asked, n->l.PLACES);
    queue_reset(&n->brought, n->l.PLACES);
    n->lines_turn = false;
    n->used = 0;
    n->asking = n->bringing = (struct walk){0};
    memset(n->lanes, 0, sizeof n->lanes);
    show_ready(n);
}

/* --- along an operand ----------------------------------------------------- */

static struct ends ends_of(const struct lines *n, const struct walk *w,
                           int bytes) {
    int end = w->place + n->l.ALUS * bytes;
    struct ends e = {.beat = end <= n->l.SECTOR};

    e.operand = e.beat && w->beat == n->l.BEATS - 1;
    e.sector = end >= n->l.SECTOR || e.operand;
    return e;
}

static void walk_on(const struct lines *n, struct walk *w, int bytes,
                    struct ends e) {
    w->midst = !e.operand;
    if (e.beat)
        w->place += n->l.ALUS * bytes;
    if (e.sector)
        w->place -= n->l.SECTOR;
    w->beat += e.beat;
    if (e.operand)
        w->beat = w->place = 0;
}

/* Byte b of the walk's beat takes part and stands in its sector: at *place. */
static bool has_byte(const struct lines *n, const struct walk *w, int bytes,
                     uint64_t mask, int b, int *place) {
    int lane = w->beat * n->l.ALUS + b / bytes;

    *place = w->place + b;
    return *place >= 0 && *place < n->l.SECTOR && mask >> lane & 1;
}

/* --- asking --------------------------------------------------------------- */

static uint64_t sector_of(const struct lines *n, uint64_t address) {
    uint64_t sector = (address & ones(32)) / (uint64_t)n->l.SECTOR;
    uint64_t row = (uint64_t)(n->l.CHUNK / n->l.SECTOR);

    return sector / row / (uint64_t)n->l.HOMES * row + sector % row;
}

/* A step of asking, as it would be. */
struct step {
    const struct want *want; /* NULL: none is shown */
    int bytes;
    struct walk walk;
    uint64_t at, strobe, data[WORDS];
    struct ends ends;
    bool asks, able;
};

static struct step asking_step(struct lines *n) {
    struct step s = {0};

    if (!n->wants.out_valid)
        return s;
    const struct want *w = s.want = &n->want[n->wants.out];
    s.bytes = bytes_of(w->type);
    s.walk = n->asking;
    s.at = n->at;
    if (!s.walk.midst) {
        s.walk.place = (int)(w->address % (uint64_t)n->l.SECTOR);
        s.at = sector_of(n, w->address);
    } else {
        s.strobe = n->strobe;
        memcpy(s.data, n->data, sizeof s.data);
    }
    for (int b = 0; b < n->l.ALUS * s.bytes; b++) {
        int place, lane = b / s.bytes, byte = b % s.bytes;
        if (!has_byte(n, &s.walk, s.bytes, w->mask, b, &place))
            continue;
        s.strobe |= bit(place);
        if (w->store)
            bits_or(s.data, 8 * place, 8,
                    bits_get(w->data, 32 * lane + 8 * byte, 8));
    }
    s.ends = ends_of(n, &s.walk, s.bytes);
    s.asks = s.ends.sector && s.strobe;
    bool room = (s.walk.midst || queue_can_push(&n->due)) &&
                (!s.ends.sector || queue_can_push(&n->asked));
    s.able = room && (!s.asks || n->used < n->l.PLACES);
    hit_if(n, !s.walk.midst && !queue_can_push(&n->due), LINES_COV_due_full);
    hit_if(n, room && s.asks && !s.able, LINES_COV_full);
    return s;
}

static void cover_step(struct lines *n, const struct step *s) {
    const struct want *w = s->want;
    bool all = w->mask == ones(n->l.MASK_W);

    hit_if(n, s->ends.sector && !s->asks, LINES_COV_skipped);
    hit_if(n, s->ends.sector && !s->ends.beat, LINES_COV_split);
    hit_if(n, s->ends.beat && !s->ends.sector, LINES_COV_joined);
    if (!s->ends.operand)
        return;
    hit_if(n, !w->store, LINES_COV_load);
    hit_if(n, w->store, LINES_COV_store);
    hit_if(n, s->bytes < 4, LINES_COV_narrow);
    hit_if(n, !all && w->mask, LINES_COV_diverged);
    hit_if(n, !w->mask, LINES_COV_none);
}

/* The step is made. */
static void ask_on(struct lines *n, const struct step *s) {
    const struct want *w = s->want;

    cover_step(n, s);
    if (!s->walk.midst)
        n->kept[queue_push(&n->due)] = (struct due){.store = w->store,
                                                    .bytes = s->bytes,
                                                    .place = s->walk.place,
                                                    .mask = w->mask};
    if (s->ends.sector)
        n->word[queue_push(&n->asked)] = s->asks;
    n->strobe = s->ends.sector ? 0 : s->strobe;
    memset(n->data, 0, sizeof n->data);
    if (!s->ends.sector)
        memcpy(n->data, s->data, sizeof n->data);
    n->at = (s->at + s->ends.sector) & ones(n->l.LADDR_W);
    if (s->ends.operand || (w->store && s->ends.beat))
        queue_pop(&n->wants);
    n->asking = s->walk;
    walk_on(n, &n->asking, s->bytes, s->ends);
}

/* --- requests ------------------------------------------------------------- */

static void show_home(struct lines *n) {
    const struct share_ask *a = &n->home[n->homes.out].ask;

    n->out.req_op = a->op;
    n->out.req_id = n->home[n->homes.out].id;
    n->out.req_address = a->address;
    n->out.req_strobe = a->strobe;
    n->out.req_compare = a->compare;
    memcpy(n->out.req_data, a->data, sizeof n->out.req_data);
}

static void show_sector(struct lines *n, const struct step *s) {
    bool store = s->want->store, beyond = s->want->address >> 32;

    n->out.req_op = store;
    n->out.req_id = bit(n->l.TAG_W);
    n->out.req_address =
        s->at | (beyond ? ones(n->l.HOME_W) << n->l.LADDR_W : 0);
    n->out.req_strobe = store ? s->strobe : 0;
    n->out.req_compare = 0;
    memset(n->out.req_data, 0, sizeof n->out.req_data);
    if (store)
        memcpy(n->out.req_data, s->data, sizeof n->out.req_data);
}

static void show_nothing(struct lines *n) {
    n->out.req_op = n->out.req_id = n->out.req_address = 0;
    n->out.req_strobe = n->out.req_compare = 0;
    memset(n->out.req_data, 0, sizeof n->out.req_data);
}

/* Requests and asking of an edge; does a sector take a place? */
static bool request(struct lines *n, const struct lines_in *in) {
    struct step s = asking_step(n);
    bool home = n->homes.out_valid, line = s.able && s.asks;
    bool open = !n->out.req_valid || in->req_ready & 1, took = false;

    hit_if(n, n->out.req_valid && !open, LINES_COV_held);
    hit_if(n, open && home && line, LINES_COV_both);
    hit_if(n, open && home && s.asks && !s.able && n->used == n->l.PLACES,
           LINES_COV_passed);
    if (open && line && (n->lines_turn || !home)) {
        show_sector(n, &s);
        n->out.req_valid = 1;
        n->lines_turn = false;
        took = true;
    } else if (open && home) {
        show_home(n);
        n->out.req_valid = 1;
        n->lines_turn = true;
        queue_pop(&n->homes);
    } else if (open) {
        show_nothing(n);
        n->out.req_valid = 0;
    }
    if (took || (s.able && !s.asks))
        ask_on(n, &s);
    return took;
}

/* --- answers -------------------------------------------------------------- */

static void answer(struct lines *n, const struct lines_in *in) {
    struct share_size size = {.sector = n->l.SECTOR};
    bool valid = in->rsp_valid & 1, fault = in->rsp_fault & 1;
    bool line = valid && in->rsp_id >> n->l.TAG_W & 1;

    n->out.count_fault = line && fault;
    hit_if(n, line && fault, LINES_COV_fault);
    if (line) {
        uint64_t *to = n->sector[queue_push(&n->brought)];
        share_copy(&size, to, in->rsp_data);
        if (fault)
            memset(to, 0, sizeof n->sector[0]);
    }
    valid &= !line;
    n->out.back_valid = valid;
    n->out.back_id = valid ? in->rsp_id & ones(n->l.TAG_W) : 0;
    n->out.back_fault = valid && fault;
    memset(n->out.back_data, 0, sizeof n->out.back_data);
    if (valid)
        share_copy(&size, n->out.back_data, in->rsp_data);
}

/* --- bringing ------------------------------------------------------------- */

static void gather(struct lines *n, const struct due *d, const struct walk *w) {
    for (int b = 0; b < n->l.ALUS * d->bytes; b++) {
        int place, lane = b / d->bytes, byte = b % d->bytes;
        if (has_byte(n, w, d->bytes, d->mask, b, &place))
            bits_or(n->lanes, 32 * lane + 8 * byte, 8,
                    bits_get(n->sector[n->brought.out], 8 * place, 8));
    }
}

static void show_bring(struct lines *n, bool store, bool last) {
    n->out.bring_valid = 1;
    n->out.bring_last = last;
    memset(n->out.bring_data, 0, sizeof n->out.bring_data);
    if (!store)
        memcpy(n->out.bring_data, n->lanes, sizeof n->out.bring_data);
    memset(n->lanes, 0, sizeof n->lanes);
}

/* Does a place become free? */
static bool bring(struct lines *n, const struct lines_in *in) {
    bool open = !n->out.bring_valid || in->bring_ready & 1;

    hit_if(n, !open, LINES_COV_bring_held);
    if (open) {
        n->out.bring_valid = n->out.bring_last = 0;
        memset(n->out.bring_data, 0, sizeof n->out.bring_data);
    }
    if (!n->due.out_valid || !n->asked.out_valid)
        return false;
    const struct due *d = &n->kept[n->due.out];
    bool word = n->word[n->asked.out];
    struct walk w = n->bringing;
    if (!w.midst)
        w.place = d->place;
    struct ends e = ends_of(n, &w, d->bytes);
    bool brings = d->store ? e.operand : e.beat;
    if ((word && !n->brought.out_valid) || (brings && !open))
        return false;
    if (word && !d->store)
        gather(n, d, &w);
    if (brings)
        show_bring(n, d->store, e.operand);
    if (e.sector) {
        queue_pop(&n->asked);
        if (word)
            queue_pop(&n->brought);
    }
    if (e.operand)
        queue_pop(&n->due);
    n->bringing = w;
    walk_on(n, &n->bringing, d->bytes, e);
    return word && e.sector;
}

/* --- an edge -------------------------------------------------------------- */

static void enter_want(struct lines *n, const struct lines_in *in) {
    struct want *w = &n->want[queue_push(&n->wants)];

    *w = (struct want){.store = in->want_store & 1,
                       .address = in->want_address & ones(n->l.ADDR_W),
                       .type = in->want_type & 7,
                       .mask = in->want_mask & ones(n->l.MASK_W)};
    for (int i = 0; i < n->l.ALUS; i++)
        bits_set_lane(w->data, i, bits_lane(in->want_data, i));
}

static void enter_home(struct lines *n, const struct lines_in *in) {
    struct share_size size = {.sector = n->l.SECTOR};
    int at = queue_push(&n->homes);
    struct share_ask *a = &n->home[at].ask;

    n->home[at].id = in->home_id & ones(n->l.TAG_W);
    *a = (struct share_ask){.op = in->home_op & 15,
                            .address = in->home_address & ones(n->l.SADDR_W),
                            .strobe = in->home_strobe & ones(n->l.SECTOR),
                            .compare = in->home_compare & ones(32)};
    share_copy(&size, a->data, in->home_data);
}

static void edge(struct golden *g, const void *ports) {
    struct lines *n = (struct lines *)g;
    const struct lines_in *in = ports;
    bool want = in->want_valid & n->out.want_ready;
    bool home = in->home_valid & n->out.home_ready;

    hit_if(n, in->want_valid && !want, LINES_COV_want_held);
    hit_if(n, in->home_valid && !home, LINES_COV_home_held);
    bool took = request(n, in), gave = bring(n, in);
    n->used += took - gave;
    answer(n, in);
    if (want)
        enter_want(n, in);
    if (home)
        enter_home(n, in);
    queue_edge(&n->wants);
    queue_edge(&n->homes);
    queue_edge(&n->due);
    queue_edge(&n->asked);
    queue_edge(&n->brought);
    show_ready(n);
}

const struct golden_class lines_golden = {
    .iface = &lines_iface,
    MODEL_STRUCT(struct lines),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
