/* nda_buffer.c - golden model of the local buffers of a rank's accelerator.
 *
 * Written from docs/blocks/nda_buffer.md.  Writes that are due are kept as the
 * edges on which they are.
 */
#include "nda_buffer.h"

#include "base/bits.h"
#include "blocks/nda_buffer.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum { MAX_AHEAD = 64, MAX_BATCH = 128, MAX_DUE = 256, RD = 3, WR = 5 };
enum { OPERANDS = 4 };

enum state { IDLE, RUN, END };

struct nda_buffer {
    struct golden base;
    struct nda_buffer_local l;
    uint64_t now;
    enum state state;
    struct nda_buffer_in packet;
    bool planned, through;
    uint64_t cause, value;

    int under_way, asked, words;
    struct queue ahead, results;
    uint64_t word[MAX_AHEAD + 1], result[MAX_BATCH + 1];
    uint64_t due[MAX_DUE]; /* edges, a ring */
    unsigned first, last;
    struct nda_buffer_out out;
};

/* --- the packet ----------------------------------------------------------- */

static void show_plan(struct nda_buffer *n, bool valid) {
    struct nda_buffer_out *o = &n->out;

    o->plan_valid = valid;
    o->plan_op = valid ? n->packet.packet_op : 0;
    o->plan_length = valid ? n->packet.packet_length : 0;
    memset(o->plan_base, 0, sizeof o->plan_base);
    if (valid)
        memcpy(o->plan_base, n->packet.packet_base, sizeof o->plan_base);
}

static void show_work(struct nda_buffer *n, bool valid) {
    struct nda_buffer_out *o = &n->out;
    const struct nda_buffer_in *p = &n->packet;
    int spot = n->l.SPOT_W, address = n->l.ADDR_W;

    o->work_valid = valid;
    o->work_op = valid ? p->packet_op : 0;
    o->work_length = valid ? p->packet_length : 0;
    o->work_rows = 0;
    memset(o->work_base, 0, sizeof o->work_base);
    memset(o->work_last, 0, sizeof o->work_last);
    memset(o->work_scalars, 0, sizeof o->work_scalars);
    for (int k = 0; valid && k < OPERANDS; k++) {
        bits_or(o->work_base, k * address, address,
                bits_get(p->packet_base, k * spot, spot));
        bits_or(o->work_last, k * address, address,
                bits_get(p->packet_last, k * spot, spot));
    }
    for (int i = 0; valid && i < 3; i++)
        bits_set_lane(o->work_scalars, i, bits_lane(p->packet_scalars, i));
}

static void show_end(struct nda_buffer *n) {
    struct nda_buffer_out *o = &n->out;
    bool valid = n->state == END;

    o->packet_ready = n->state == IDLE;
    o->mem_ready = n->state == RUN;
    o->done_ready = n->state == RUN && !n->through && !o->work_valid;
    o->ended_valid = valid;
    o->ended_rank = valid ? n->packet.packet_rank : 0;
    o->ended_tag = valid ? n->packet.packet_tag : 0;
    o->ended_final = valid ? n->packet.packet_final : 0;
    o->ended_cause = valid ? n->cause : 0;
    o->ended_value = valid ? n->value : 0;
}

/* --- words ---------------------------------------------------------------- */

static void move_words(struct nda_buffer *n, const struct nda_buffer_in *in,
                       const struct nda_buffer_out *before) {
    bool asks = (in->mem_valid & 1) && before->mem_ready && !in->mem_write;
    bool shown = n->ahead.out_valid, through = n->through;
    bool gives = shown && !through && n->asked > 0;

    hit_if(n, shown && !through && !gives, NDA_BUFFER_COV_waits);
    hit_if(n, !shown && !through && n->asked > 0, NDA_BUFFER_COV_asked);
    hit_if(n, shown && through, NDA_BUFFER_COV_dropped);
    n->out.rsp_valid = gives;
    n->out.rsp_data = gives ? n->word[n->ahead.out] : 0;
    if ((in->data_valid & 1) && n->state == RUN && !through) {
        bool place = queue_can_push(&n->ahead);
        hit_if(n, n->ahead.count + 1 == n->l.AHEAD, NDA_BUFFER_COV_ahead_full);
        hit_if(n, !place, NDA_BUFFER_COV_lost);
        if (place) {
            n->word[queue_push(&n->ahead)] = in->data_data;
            n->words++;
        } else {
            n->out.wrong_lost = 1;
        }
    }
    if (gives || (shown && through)) {
        queue_pop(&n->ahead);
        n->words--;
    }
    n->asked += asks - gives;
    n->under_way += (in->ndc_valid & 1) && in->ndc_kind == RD;
    n->under_way -= (int)(in->data_valid & 1);
}

/* --- results -------------------------------------------------------------- */

static bool is_due(const struct nda_buffer *n) {
    return n->first != n->last && n->due[n->first % MAX_DUE] == n->now;
}

static void move_results(struct nda_buffer *n, const struct nda_buffer_in *in,
                         const struct nda_buffer_out *before) {
    bool writes = (in->mem_valid & 1) && before->mem_ready && in->mem_write;
    bool due = is_due(n), some = n->results.out_valid;
    bool stopped = n->through && n->cause == NDA_BUFFER_BOUND;

    n->out.store_valid = due;
    n->out.store_mask = due && !some;
    n->out.store_data = due && some ? n->result[n->results.out] : 0;
    hit_if(n, due && !some, NDA_BUFFER_COV_masked);
    if (writes) {
        bool place = queue_can_push(&n->results);
        hit_if(n, n->results.count + 1 == n->l.BATCH,
               NDA_BUFFER_COV_results_full);
        hit_if(n, !place, NDA_BUFFER_COV_lost);
        if (place)
            n->result[queue_push(&n->results)] = in->mem_data;
        else
            n->out.wrong_lost = 1;
    }
    if (due && some)
        queue_pop(&n->results);
    if (due && !some && !stopped) {
        n->out.wrong_late = 1;
        hit_if(n, true, NDA_BUFFER_COV_late);
    }
    n->first += due;
    if ((in->ndc_valid & 1) && in->ndc_kind == WR)
        n->due[n->last++ % MAX_DUE] = n->now + (uint64_t)n->l.CWL;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    ((struct nda_buffer *)g)->l = nda_buffer_local(c);
}

static void reset(struct golden *g) {
    struct nda_buffer *n = (struct nda_buffer *)g;

    n->state = IDLE;
    n->under_way = n->asked = n->words = 0;
    n->first = n->last = 0;
    queue_reset(&n->ahead, n->l.AHEAD);
    queue_reset(&n->results, n->l.BATCH);
    memset(&n->out, 0, sizeof n->out);
    show_end(n);
}

static void edge(struct golden *g, const void *ports) {
    struct nda_buffer *n = (struct nda_buffer *)g;
    const struct nda_buffer_in *in = ports;
    struct nda_buffer_out before = n->out;
    bool done = (in->done_valid & 1) && before.done_ready;
    bool empty = n->under_way == 0 && n->words == 0 && n->first == n->last;
    enum state next = n->state;

    if (n->state == IDLE && (in->packet_valid & 1))
        next = RUN;
    if (n->state == RUN && n->planned && n->through && empty)
        next = END;
    if (n->state == END && (in->ended_ready & 1))
        next = IDLE;
    hit_if(n, n->state == END && !(in->ended_ready & 1),
           NDA_BUFFER_COV_end_waits);
    move_words(n, in, &before);
    move_results(n, in, &before);
    n->out.bank_valid = in->ndc_valid & 1;
    n->out.bank_kind = n->out.bank_valid ? in->ndc_kind : 0;
    n->out.bank_bank = n->out.bank_valid ? in->ndc_bank : 0;
    n->out.bank_row = n->out.bank_valid ? in->ndc_row : 0;
    n->out.bank_column = n->out.bank_valid ? in->ndc_column : 0;
    if (n->state == IDLE && next == RUN) {
        n->packet = *in;
        n->planned = n->through = false;
        show_plan(n, true);
        show_work(n, true);
    } else {
        bool plan = before.plan_valid && !(in->plan_ready & 1);
        bool work = before.work_valid && !(in->work_ready & 1);
        hit_if(n, before.plan_valid && !before.work_valid,
               NDA_BUFFER_COV_plan_waits);
        hit_if(n, before.work_valid && !before.plan_valid,
               NDA_BUFFER_COV_work_waits);
        show_plan(n, plan);
        show_work(n, work);
    }
    if (n->state == RUN && (in->state_done & 1) && !before.plan_valid) {
        hit_if(n, !n->through, NDA_BUFFER_COV_machine_first);
        n->planned = true;
    }
    if (done) {
        hit_if(n, !n->planned, NDA_BUFFER_COV_element_first);
        n->through = true;
        n->cause = in->done_cause;
        n->value = in->done_value;
    }
    n->state = next;
    queue_edge(&n->ahead);
    queue_edge(&n->results);
    show_end(n);
    n->now++;
}

const struct golden_class nda_buffer_golden = {
    .iface = &nda_buffer_iface,
    MODEL_STRUCT(struct nda_buffer),
    .open = open,
    .reset = reset,
    .edge = edge,
};
