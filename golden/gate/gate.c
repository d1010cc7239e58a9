/* gate.c - golden model of what stands between the queues of a node, its memory
 * and the network.
 *
 * Written from docs/blocks/gate.md.
 */
#include "gate.h"

#include "base/bits.h"
#include "blocks/gate.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_PLACES = 128,
    MOST_ENTRIES = 64,
    MOST_WANTS = 64,
    MOST_BEATS = 32,
    DATA = 256 / 64, /* of a flit or beat */
    WORD = 8         /* of the flits of a head or beat */
};

/* Kinds of messages. */
enum { LOAD, BRING, STORE, RESULT, BITS, BACK };

/* Who offers words: of requests, then of answers. */
enum { PACK, STORED, KEPT, RETURNED, N_ASK };
enum { MEMORY, GIVE, AWAY, N_REPLY };
enum { MOST_SOURCES = 4 };
/* Whose head waits for the memory. */
enum { FAR, OWN_STORE, OWN_LOAD, N_HEADS };

/* A word that is offered. */
struct word {
    uint64_t bits[WORD];
    int flits;
    bool last;
    uint64_t node;
};

struct sender {
    struct word word;
    int left;  /* flits of it that have not been taken */
    int whose; /* who began the packet */
    int turn;  /* whose packet was begun last; -1: nobody's */
    bool midst;
};

/* A word that comes. */
struct comer {
    uint64_t bits[WORD];
    int flits;
    bool there, first, compute, last;
};

/* A load that waits to be asked for. */
struct load {
    uint64_t node, number, second, type, address, mask;
};

struct beat {
    uint64_t last, data[DATA];
};

struct given {
    uint64_t last, core, entry, kind, bits, data[DATA];
};

struct flit {
    uint64_t last, node, data[DATA];
};

/* What the memory is asked for; own: by the service queue of this node. */
struct due {
    struct gate_head_fields head;
    bool own;
};

struct gate {
    struct golden base;
    struct gate_local l;
    const int *memory;
    struct int_list memories;
    struct sender ask, reply;
    struct comer asked, replied;
    /* requests that came */
    bool head_waits;
    int head_of, head_turn; /* whose it is; whose the one before was */
    struct gate_head_fields head;
    struct queue due, brought;
    struct due due_word[MOST_WANTS + 1];
    int brought_beats; /* of an operand for one of our places */
    struct beat brought_word[3];
    bool memory_headed;
    /* what the queues say */
    struct queue packets, kept, away, stored, given;
    struct flit packet_word[3];
    struct load kept_word[2 * MOST_PLACES], away_word[3];
    struct beat stored_word[MOST_BEATS + 1];
    struct given given_word[3];
    bool given_headed;
    /* the store */
    bool whole, named, stored_headed;
    int beats; /* of it that have come */
    struct gate_head_fields store;
    /* answers that came */
    bool answer_waits, answer_whole;
    struct gate_head_fields answer;
    struct queue returned;
    struct load returned_word[2 * MOST_ENTRIES];
    uint64_t operand[2 * MOST_PLACES][MOST_BEATS][DATA];
    int written; /* beats of the operand that comes */
    bool marks, reads, read;
    uint64_t mark_place, mark_second;
    int read_operand, read_beat;
    uint64_t read_data[DATA];
    uint32_t hops, flit_hops;
    struct gate_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct gate *n = (struct gate *)g;

    n->l = gate_local(c);
    n->memories = c->mesh_memory_nodes;
}

/* --- words ---------------------------------------------------------------- */

static void head_word(const struct gate *n, const struct gate_head_fields *h,
                      struct word *w) {
    memset(w->bits, 0, sizeof w->bits);
    record_pack(&n->base.design->record[GATE_REC_head], h, w->bits);
    w->flits = n->l.FIRST_FLITS;
}

static void data_word(const uint64_t *data, int flits, struct word *w) {
    memset(w->bits, 0, sizeof w->bits);
    memcpy(w->bits, data, DATA * sizeof *data);
    w->flits = flits;
}

/* The memory node of an address. */
static uint64_t lies_at(const struct gate *n, uint64_t address) {
    return (uint64_t)
        n->memories.v[address / (uint64_t)n->l.LINE % (uint64_t)n->l.MEMS];
}

static struct gate_head_fields head_of(const struct load *l, uint64_t kind,
                                       uint64_t back) {
    return (struct gate_head_fields){.kind = kind,
                                     .back = back,
                                     .number = l->number,
                                     .second = l->second,
                                     .type = l->type,
                                     .address = l->address,
                                     .mask = l->mask};
}

/* The memory of this node has it, and is asked without the network. */
static bool is_here(const struct gate *n, uint64_t address, uint64_t at) {
    return lies_at(n, address) == at;
}

/* A load in a queue, as a head. */
static bool offer_load(const struct gate *n, const struct queue *q,
                       const struct load *l, uint64_t kind, uint64_t at,
                       struct word *w) {
    if (!q->out_valid)
        return false;
    l += q->out;
    if (kind == LOAD && is_here(n, l->address, at))
        return false;
    struct gate_head_fields h = head_of(l, kind, kind == BACK ? 0 : at);
    head_word(n, &h, w);
    w->last = true;
    w->node = kind == BACK ? l->node : lies_at(n, l->address);
    return true;
}

/* What source i of requests offers, as it stands before the edge. */
static bool offer_ask(const struct gate *n, int i, uint64_t at,
                      struct word *w) {
    switch (i) {
    case PACK:
        if (!n->packets.out_valid)
            return false;
        const struct flit *f = &n->packet_word[n->packets.out];
        data_word(f->data, 1, w);
        w->last = f->last;
        w->node = f->node;
        return true;
    case STORED:
        w->node = lies_at(n, n->store.address);
        if (!n->named || is_here(n, n->store.address, at))
            return false;
        w->last = false;
        if (!n->stored_headed) {
            head_word(n, &n->store, w);
            return true;
        }
        if (!n->stored.out_valid)
            return false;
        const struct beat *b = &n->stored_word[n->stored.out];
        data_word(b->data, n->l.BEAT_FLITS, w);
        w->last = b->last;
        return true;
    case KEPT:
        return offer_load(n, &n->kept, n->kept_word, LOAD, at, w);
    default:
        return offer_load(n, &n->returned, n->returned_word, BRING, at, w);
    }
}

static bool offer_memory(const struct gate *n, struct word *w) {
    if (!n->due.out_valid || !n->brought.out_valid ||
        n->due_word[n->due.out].own)
        return false;
    const struct gate_head_fields *due = &n->due_word[n->due.out].head;
    const struct beat *b = &n->brought_word[n->brought.out];
    w->node = due->back;
    if (n->memory_headed) {
        data_word(b->data, n->l.BEAT_FLITS, w);
        w->last = b->last;
        return true;
    }
    struct gate_head_fields h = {
        .kind = due->kind, .number = due->number, .second = due->second};
    head_word(n, &h, w);
    w->last = due->kind == STORE;
    return true;
}

static bool offer_given(const struct gate *n, struct word *w) {
    const struct given *a = &n->given_word[n->given.out];
    if (!n->given.out_valid || a->kind == GATE_ACK)
        return false;
    w->node = a->core;
    if (n->given_headed) {
        data_word(a->data, n->l.BEAT_FLITS, w);
        w->last = a->last;
        return true;
    }
    bool data = a->kind == GATE_DATA;
    struct gate_head_fields h = {.kind = data ? RESULT : BITS,
                                 .number = a->entry,
                                 .mask = data ? 0 : a->bits};
    head_word(n, &h, w);
    w->last = !data;
    return true;
}

static bool offer_reply(const struct gate *n, int i, uint64_t at,
                        struct word *w) {
    switch (i) {
    case MEMORY:
        return offer_memory(n, w);
    case GIVE:
        return offer_given(n, w);
    default:
        return offer_load(n, &n->away, n->away_word, BACK, at, w);
    }
}

/* --- sending -------------------------------------------------------------- */

static void show_sender(const struct gate *n, const struct sender *s,
                        uint64_t *valid, uint64_t *last, uint64_t *x,
                        uint64_t *y, uint64_t *data) {
    uint64_t width = (uint64_t)n->l.WIDTH;
    int done = s->word.flits - s->left;

    *valid = s->left > 0;
    *last = s->left == 1 && s->word.last;
    *x = *valid ? s->word.node % width : 0;
    *y = *valid ? s->word.node / width : 0;
    memset(data, 0, DATA * sizeof *data);
    if (!*valid)
        return;
    for (int at = 0; at < n->l.FLIT_W; at += 64) {
        int bits = n->l.FLIT_W - at < 64 ? n->l.FLIT_W - at : 64;
        data[at / 64] = bits_get(s->word.bits, done * n->l.FLIT_W + at, bits);
    }
}

typedef bool offer_fn(const struct gate *n, int i, uint64_t at, struct word *w);

/* The source whose word the sender takes on this edge, -1: none. */
static int send(struct gate *n, struct sender *s, offer_fn *offer, int sources,
                uint64_t at, bool taken, int contest, int waits) {
    struct word word[MOST_SOURCES];
    bool any[MOST_SOURCES];
    int offers = 0, whose = -1;

    for (int i = 0; i < sources; i++) {
        any[i] = offer(n, i, at, &word[i]);
        offers += any[i];
    }
    s->left -= taken;
    if (s->left > 0)
        return -1;
    hit_if(n, !s->midst && offers > 1, contest);
    hit_if(n, s->midst && !any[s->whose], waits);
    if (s->midst) {
        whose = any[s->whose] ? s->whose : -1;
    } else {
        for (int i = 1; i <= sources && whose < 0; i++)
            if (any[(s->turn + i) % sources])
                whose = (s->turn + i) % sources;
        if (whose >= 0)
            s->turn = whose;
    }
    if (whose < 0)
        return -1;
    s->word = word[whose];
    s->left = s->word.flits;
    s->whose = whose;
    s->midst = !s->word.last;
    return whose;
}

/* A source's word was taken: what leaves with it. */
static void asked_for(struct gate *n, int whose) {
    switch (whose) {
    case PACK:
        queue_pop(&n->packets);
        break;
    case STORED:
        if (n->stored_headed)
            queue_pop(&n->stored);
        n->stored_headed = !n->ask.word.last;
        if (n->ask.word.last)
            n->whole = n->named = false;
        break;
    case KEPT:
        queue_pop(&n->kept);
        break;
    case RETURNED:
        queue_pop(&n->returned);
        break;
    default:
        break;
    }
}

static void replied_with(struct gate *n, int whose) {
    switch (whose) {
    case MEMORY:
        if (n->memory_headed || n->reply.word.last)
            queue_pop(&n->brought);
        if (n->reply.word.last)
            queue_pop(&n->due);
        n->memory_headed = !n->reply.word.last;
        break;
    case GIVE:
        if (n->given_headed || n->reply.word.last)
            queue_pop(&n->given);
        n->given_headed = !n->reply.word.last;
        break;
    case AWAY:
        queue_pop(&n->away);
        break;
    default:
        break;
    }
}

/* --- words that come ------------------------------------------------------ */

static void take_flit(const struct gate *n, struct comer *c, uint64_t last,
                      const uint64_t *data) {
    if (c->flits == 0) {
        memset(c->bits, 0, sizeof c->bits);
        if (c->first)
            c->compute = data[0] & 1;
    }
    for (int at = 0; at < n->l.FLIT_W; at += 64) {
        int bits = n->l.FLIT_W - at < 64 ? n->l.FLIT_W - at : 64;
        bits_or(c->bits, c->flits * n->l.FLIT_W + at, bits,
                data[at / 64] & ones(bits));
    }
    int need = c->compute ? 1 : c->first ? n->l.FIRST_FLITS : n->l.BEAT_FLITS;
    c->last = last & 1;
    c->there = ++c->flits == need;
}

static void use_word(struct comer *c) {
    c->first = c->last;
    c->there = false;
    c->flits = 0;
}

static struct gate_head_fields read_head(const struct gate *n,
                                         const struct comer *c) {
    struct gate_head_fields h = {0};
    record_unpack(&n->base.design->record[GATE_REC_head], c->bits, &h);
    return h;
}

/* The lanes of a beat. */
static void read_beat(const struct gate *n, const struct comer *c,
                      uint64_t *data) {
    memset(data, 0, DATA * sizeof *data);
    for (int i = 0; i < n->l.ALUS; i++)
        bits_set_lane(data, i, (uint32_t)bits_get(c->bits, 32 * i, 32));
}

static void show_requests(struct gate *n) {
    struct gate_out *o = &n->out;
    const struct comer *c = &n->asked;
    bool beat = n->head_of == FAR ? c->there && !c->compute && !c->first
                                  : n->stored.out_valid;
    bool store = n->head.kind == STORE;
    bool last =
        n->head_of == FAR ? c->last : n->stored_word[n->stored.out].last;

    o->asked_ready = !c->there;
    o->come_valid = c->there && c->compute;
    o->come_last = o->come_valid && c->last;
    memset(o->come_data, 0, sizeof o->come_data);
    if (o->come_valid)
        for (int at = 0; at < n->l.FLIT_W; at += 64)
            o->come_data[at / 64] = c->bits[at / 64];
    o->want_valid =
        n->head_waits && queue_can_push(&n->due) && (!store || beat);
    o->want_store = o->want_valid && store;
    o->want_last = o->want_valid && (!store || last);
    o->want_address = o->want_valid ? n->head.address : 0;
    o->want_type = o->want_valid ? n->head.type : 0;
    o->want_mask = o->want_valid ? n->head.mask : 0;
    memset(o->want_data, 0, sizeof o->want_data);
    if (o->want_store && n->head_of == FAR)
        read_beat(n, c, o->want_data);
    else if (o->want_store)
        memcpy(o->want_data, n->stored_word[n->stored.out].data,
               sizeof o->want_data);
}

/* The next head that waits for the memory, of those that can; -1: none. */
static int next_head(const struct gate *n, uint64_t at, bool far, bool named) {
    const struct load *l = &n->kept_word[n->kept.out];
    bool can[N_HEADS] = {
        [FAR] = far,
        [OWN_STORE] = named && is_here(n, n->store.address, at) &&
                      n->head_of != OWN_STORE,
        [OWN_LOAD] = n->kept.out_valid && is_here(n, l->address, at)};
    for (int i = 1; i <= N_HEADS; i++)
        if (can[(n->head_turn + i) % N_HEADS])
            return (n->head_turn + i) % N_HEADS;
    return -1;
}

static void hear_requests(struct gate *n, const struct gate_in *in, uint64_t at,
                          bool named) {
    struct comer *c = &n->asked;
    const struct gate_out *o = &n->out;
    bool head = c->there && !c->compute && c->first;
    bool wanted = o->want_valid && in->want_ready & 1;
    bool takes = o->asked_ready && in->asked_valid & 1;
    bool waited = n->head_waits;
    bool over = wanted && o->want_last;

    hit_if(n, o->come_valid && !(in->come_ready & 1), GATE_COV_come_held);
    hit_if(n, o->want_valid && !(in->want_ready & 1), GATE_COV_want_held);
    hit_if(n, n->head_waits && !queue_can_push(&n->due), GATE_COV_memory_full);
    hit_if(n, head && n->head_waits, GATE_COV_head_waits);
    if (o->come_valid && in->come_ready & 1)
        use_word(c);
    if (wanted && o->want_store && n->head_of == FAR)
        use_word(c);
    else if (wanted && o->want_store)
        queue_pop(&n->stored);
    int next = waited && !over ? -1 : next_head(n, at, head, named);
    if (over) {
        n->due_word[queue_push(&n->due)] =
            (struct due){.head = n->head, .own = n->head_of == OWN_LOAD};
        n->head_waits = false;
        hit_if(n, n->head_of == OWN_STORE, GATE_COV_own_store);
        if (n->head_of == OWN_STORE)
            n->whole = n->named = false;
        n->head_of = FAR;
    }
    if (next >= 0) {
        n->head_waits = true;
        n->head_of = n->head_turn = next;
        if (next == FAR) {
            n->head = read_head(n, c);
            use_word(c);
        } else if (next == OWN_STORE) {
            n->head = n->store;
        } else {
            n->head = head_of(&n->kept_word[n->kept.out], LOAD, at);
            queue_pop(&n->kept);
        }
    }
    if (takes)
        take_flit(n, c, in->asked_last, in->asked_data);
}

/* --- answers -------------------------------------------------------------- */

static bool has_data(uint64_t kind) {
    return kind == RESULT || kind == BRING;
}

/* A beat of the answer whose head waits is there. */
static bool beat_there(const struct gate *n) {
    return n->replied.there && !n->replied.first && n->answer_waits &&
           !n->answer_whole;
}

static void show_answers(struct gate *n) {
    static const uint64_t kinds[8] = {[BRING] = GATE_LOADED,
                                      [STORE] = GATE_ACK,
                                      [RESULT] = GATE_DATA,
                                      [BITS] = GATE_BITMAP};
    struct gate_out *o = &n->out;
    const struct gate_head_fields *a = &n->answer;
    uint64_t entry = a->number & ones(n->l.ENTRY_W);
    bool loaded = a->kind == BRING;

    o->replied_ready = !n->replied.there;
    o->result_valid = beat_there(n) && has_data(a->kind);
    o->result_last = o->result_valid && n->replied.last;
    o->result_entry = o->result_valid ? entry : 0;
    o->result_loaded = o->result_valid && loaded;
    o->result_second = o->result_valid && loaded && a->second;
    memset(o->result_data, 0, sizeof o->result_data);
    if (o->result_valid)
        read_beat(n, &n->replied, o->result_data);
    o->ans_valid = n->answer_waits &&
                   (n->answer_whole || a->kind == STORE || a->kind == BITS);
    o->ans_entry = o->ans_valid ? entry : 0;
    o->ans_kind = o->ans_valid ? kinds[a->kind & 7] : 0;
    o->ans_second = o->ans_valid && loaded && a->second;
    o->ans_bits = o->ans_valid && a->kind == BITS ? a->mask : 0;
    o->mark_valid = n->marks;
    o->mark_place = n->marks ? n->mark_place : 0;
    o->mark_second = n->marks && n->mark_second;
    o->fetch_ready = !n->reads;
    o->data_valid = n->read;
    memset(o->data_data, 0, sizeof o->data_data);
    if (n->read)
        memcpy(o->data_data, n->read_data, sizeof n->read_data);
}

/* A beat that the memory here has brought for one of our places. */
static void keep_brought(struct gate *n) {
    const struct gate_head_fields *due = &n->due_word[n->due.out].head;
    const struct beat *b = &n->brought_word[n->brought.out];
    uint64_t operand = 2 * due->number + due->second;

    hit_if(n, b->last, GATE_COV_own_load);

    memcpy(n->operand[operand][n->brought_beats], b->data, sizeof b->data);
    n->brought_beats = (n->brought_beats + 1) % n->l.BEATS;
    queue_pop(&n->brought);
    if (!b->last)
        return;
    event_if(&n->base, true, GATE_CNT_operands);
    n->marks = true;
    n->mark_place = due->number;
    n->mark_second = due->second;
    queue_pop(&n->due);
}

/* A beat of an operand for one of our places. */
static void keep_beat(struct gate *n) {
    uint64_t place = n->answer.number & ones(n->l.PLACE_W);
    uint64_t operand = 2 * place + n->answer.second;
    bool last = n->replied.last;

    if (operand < (uint64_t)(2 * n->l.PLACES))
        read_beat(n, &n->replied, n->operand[operand][n->written]);
    n->written = (n->written + 1) % n->l.BEATS;
    use_word(&n->replied);
    if (!last)
        return;
    event_if(&n->base, true, GATE_CNT_operands);
    hit_if(n, true, GATE_COV_operand);
    n->marks = true;
    n->mark_place = place;
    n->mark_second = n->answer.second;
    n->answer_waits = false;
}

static void send_back(struct gate *n) {
    const struct gate_head_fields *a = &n->answer;

    hit_if(n, true, GATE_COV_back);
    hit_if(n, n->returned.count || n->returned.out_valid,
           GATE_COV_back_to_back);
    n->returned_word[queue_push(&n->returned)] =
        (struct load){.number = a->number & ones(n->l.ENTRY_W),
                      .second = a->second,
                      .type = a->type,
                      .address = a->address,
                      .mask = a->mask};
    n->answer_waits = false;
}

static void hear_answers(struct gate *n, const struct gate_in *in) {
    struct comer *c = &n->replied;
    const struct gate_out *o = &n->out;
    bool head = c->there && c->first && !n->answer_waits;
    bool takes = o->replied_ready && in->replied_valid & 1;
    bool told = o->ans_valid && in->ans_ready & 1;
    bool given = o->result_valid && in->result_ready & 1;
    uint64_t kind = n->answer.kind;

    hit_if(n, o->result_valid && !given, GATE_COV_result_held);
    hit_if(n, o->ans_valid && !told, GATE_COV_ans_held);
    hit_if(n, told && kind == BRING, GATE_COV_loaded);
    hit_if(n, told && kind == STORE, GATE_COV_stored);
    hit_if(n, told && kind == RESULT, GATE_COV_result);
    hit_if(n, told && kind == BITS, GATE_COV_bits);
    n->marks = false;
    bool here =
        n->due.out_valid && n->brought.out_valid && n->due_word[n->due.out].own;
    bool keeps = beat_there(n) && kind == LOAD;
    hit_if(n, here && keeps, GATE_COV_own_waits);
    if (here && !keeps)
        keep_brought(n);
    if (keeps)
        keep_beat(n);
    else if (n->answer_waits && kind == BACK && queue_can_push(&n->returned))
        send_back(n);
    if (given) {
        n->answer_whole = c->last;
        use_word(c);
    }
    if (told)
        n->answer_waits = n->answer_whole = false;
    if (head) {
        n->answer = read_head(n, c);
        n->answer_waits = true;
        use_word(c);
    }
    if (takes)
        take_flit(n, c, in->replied_last, in->replied_data);
}

/* One beat an edge of the operand that was wanted. */
static void fetch(struct gate *n, const struct gate_in *in) {
    bool fetched = n->out.fetch_ready && in->fetch_valid & 1;

    n->read = n->reads;
    if (n->reads) {
        if (n->read_operand < 2 * n->l.PLACES)
            memcpy(n->read_data, n->operand[n->read_operand][n->read_beat],
                   sizeof n->read_data);
        n->reads = ++n->read_beat < n->l.BEATS;
    }
    if (fetched) {
        n->reads = true;
        n->read_operand = (int)(2 * (in->fetch_place & ones(n->l.PLACE_W)) +
                                (in->fetch_second & 1));
        n->read_beat = 0;
    }
}

/* --- what the queues and the memory say ----------------------------------- */

static void hear_load(struct gate *n, const struct gate_in *in) {
    bool away = in->load_away & 1;
    struct load l = {.node = in->load_core & ones(n->l.NODE_W),
                     .number = away ? in->load_entry & ones(n->l.ENTRY_W)
                                    : in->load_place & ones(n->l.PLACE_W),
                     .second = in->load_second & 1,
                     .type = in->load_type & 7,
                     .address = in->load_address & ones(n->l.ADDR_W),
                     .mask = in->load_mask & ones(n->l.MASK_W)};

    if (!(n->out.load_ready && in->load_valid & 1))
        return;
    event_if(&n->base, away, GATE_CNT_backs);
    if (away)
        n->away_word[queue_push(&n->away)] = l;
    else
        n->kept_word[queue_push(&n->kept)] = l;
}

static void hear_store(struct gate *n, const struct gate_in *in) {
    bool takes = n->out.store_ready && in->store_valid & 1;

    hit_if(n, in->store_valid & 1 && !takes, GATE_COV_store_held);
    if (!takes)
        return;
    if (n->beats == 0)
        n->store = (struct gate_head_fields){.kind = STORE,
                                             .type = in->store_type & 7,
                                             .address = in->store_address &
                                                        ones(n->l.ADDR_W)};
    n->store.mask |= (in->store_mask & ones(n->l.ALUS)) << n->beats * n->l.ALUS;
    n->beats++;
    struct beat *b = &n->stored_word[queue_push(&n->stored)];
    b->last = in->store_last & 1;
    memcpy(b->data, in->store_data, sizeof b->data);
    if (!b->last)
        return;
    n->whole = true;
    n->beats = 0;
}

/* An acknowledgement says whose the store is. */
static void name_store(struct gate *n, bool whole, bool named) {
    const struct given *a = &n->given_word[n->given.out];
    bool acks = n->given.out_valid && a->kind == GATE_ACK;

    hit_if(n, whole && !named && !acks, GATE_COV_store_waits);
    if (!acks || !whole || named)
        return;
    queue_pop(&n->given);
    n->named = true;
    n->store.back = a->core;
    n->store.number = a->entry;
}

static void hear_queues(struct gate *n, const struct gate_in *in) {
    hear_load(n, in);
    hear_store(n, in);
    if (n->out.pack_ready && in->pack_valid & 1) {
        struct flit *f = &n->packet_word[queue_push(&n->packets)];
        f->last = in->pack_last & 1;
        f->node = in->pack_node & ones(n->l.NODE_W);
        memcpy(f->data, in->pack_data, sizeof f->data);
    }
    if (n->out.give_ready && in->give_valid & 1) {
        struct given *a = &n->given_word[queue_push(&n->given)];
        *a = (struct given){.last = in->give_last & 1,
                            .core = in->give_core & ones(n->l.NODE_W),
                            .entry = in->give_entry & ones(n->l.ENTRY_W),
                            .kind = in->give_kind & 3,
                            .bits = in->give_bits & ones(n->l.MASK_W)};
        memcpy(a->data, in->give_data, sizeof a->data);
    }
    if (n->out.bring_ready && in->bring_valid & 1) {
        struct beat *b = &n->brought_word[queue_push(&n->brought)];
        b->last = in->bring_last & 1;
        memcpy(b->data, in->bring_data, sizeof b->data);
    }
}

/* --- the whole ------------------------------------------------------------ */

static void show(struct gate *n) {
    struct gate_out *o = &n->out;

    show_requests(n);
    show_answers(n);
    o->pack_ready = queue_can_push(&n->packets);
    o->load_ready = queue_can_push(&n->kept) && queue_can_push(&n->away);
    o->store_ready = !n->whole;
    o->give_ready = queue_can_push(&n->given);
    o->bring_ready = queue_can_push(&n->brought);
    o->ask_order = o->reply_order = 0;
    show_sender(n, &n->ask, &o->ask_valid, &o->ask_last, &o->ask_x, &o->ask_y,
                o->ask_data);
    show_sender(n, &n->reply, &o->reply_valid, &o->reply_last, &o->reply_x,
                &o->reply_y, o->reply_data);
}

static void reset(struct golden *g) {
    struct gate *n = (struct gate *)g;

    n->ask = n->reply = (struct sender){.turn = -1};
    n->asked = n->replied = (struct comer){.first = true};
    n->head_of = n->head_turn = FAR;
    n->brought_beats = 0;
    n->head_waits = n->memory_headed = n->given_headed = false;
    n->whole = n->named = n->stored_headed = false;
    n->answer_waits = n->answer_whole = false;
    n->marks = n->reads = n->read = false;
    n->beats = n->written = 0;
    n->hops = n->flit_hops = 0;
    queue_reset(&n->packets, 2);
    queue_reset(&n->kept, 2 * n->l.PLACES - 1);
    queue_reset(&n->away, 2);
    queue_reset(&n->stored, n->l.BEATS);
    queue_reset(&n->given, 2);
    queue_reset(&n->due, n->l.WANTS);
    queue_reset(&n->brought, 2);
    queue_reset(&n->returned, 2 * n->l.ENTRIES - 1);
    show(n);
}

static uint32_t distance(const struct gate *n, uint64_t at, uint64_t x,
                         uint64_t y) {
    uint64_t width = (uint64_t)n->l.WIDTH;

    return (uint32_t)(abs((int)x - (int)(at % width)) +
                      abs((int)y - (int)(at / width)));
}

static void count_hops(struct gate *n, uint64_t at, bool taken, uint64_t last,
                       uint64_t x, uint64_t y) {
    uint32_t hops = distance(n, at, x, y);

    if (!taken)
        return;
    n->flit_hops += hops;
    if (last)
        n->hops += hops;
    hit_if(n, last && hops == 0, GATE_COV_no_hops);
}

static void edge(struct golden *g, const void *ports) {
    struct gate *n = (struct gate *)g;
    const struct gate_in *in = ports;
    const struct gate_out *o = &n->out;
    uint64_t at = in->at_node & ones(n->l.NODE_W);
    bool ask = o->ask_valid && in->ask_ready & 1;
    bool reply = o->reply_valid && in->reply_ready & 1;
    bool whole = n->whole, named = n->named;

    n->base.regs.status[GATE_STA_hops] = n->hops;
    n->base.regs.status[GATE_STA_flit_hops] = n->flit_hops;
    event_if(&n->base, ask && o->ask_last, GATE_CNT_asks);
    event_if(&n->base, reply && o->reply_last, GATE_CNT_replies);
    hit_if(n, ask && reply, GATE_COV_both_leave);
    hit_if(n, o->ask_valid && !ask, GATE_COV_ask_held);
    hit_if(n, o->reply_valid && !reply, GATE_COV_reply_held);
    count_hops(n, at, ask, o->ask_last, o->ask_x, o->ask_y);
    count_hops(n, at, reply, o->reply_last, o->reply_x, o->reply_y);
    asked_for(n, send(n, &n->ask, offer_ask, N_ASK, at, ask,
                      GATE_COV_ask_contest, GATE_COV_ask_waits));
    replied_with(n, send(n, &n->reply, offer_reply, N_REPLY, at, reply,
                         GATE_COV_reply_contest, GATE_COV_reply_waits));
    name_store(n, whole, named);
    hear_queues(n, in);
    hear_requests(n, in, at, named);
    hear_answers(n, in);
    fetch(n, in);
    queue_edge(&n->packets);
    queue_edge(&n->kept);
    queue_edge(&n->away);
    queue_edge(&n->stored);
    queue_edge(&n->given);
    queue_edge(&n->due);
    queue_edge(&n->brought);
    queue_edge(&n->returned);
    show(n);
}

const struct golden_class gate_golden = {
    .iface = &gate_iface,
    MODEL_STRUCT(struct gate),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
