/* tap.c - golden model of the tap between offload controller, core and map
 * analyzer (TOM, sections 3.2 and 4.3).
 *
 * Written from docs/blocks/tap.md.
 */
#include "tap.h"

#include "blocks/tap.h"
#include "frame/model.h"
#include "frame/queue.h"

enum { DEPTH = 2, PLACES = DEPTH + 1, OP_BEGIN = 0 };

struct answer {
    uint64_t warp, offload, reason, stack;
};

struct event {
    uint64_t op, warp, address;
};

struct tap {
    struct golden base;
    struct tap_local l;
    struct queue answers, decisions, core_events, events;
    struct answer answer[PLACES], decision[PLACES];
    struct event core_event[PLACES], event[PLACES];
    bool last_a; /* a begin took the last place at ev */
    struct tap_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct tap *)g)->l = tap_local(c);
}

static void show(struct tap *n) {
    const struct answer *a = &n->decision[n->decisions.out];
    const struct event *e = &n->event[n->events.out];

    n->out = (struct tap_out){.ans_ready = queue_can_push(&n->answers),
                              .core_ready = queue_can_push(&n->core_events)};
    if (n->decisions.out_valid) {
        n->out.go_valid = 1;
        n->out.go_warp = a->warp;
        n->out.go_offload = a->offload;
        n->out.go_reason = a->reason;
        n->out.go_stack = a->stack;
    }
    if (n->events.out_valid) {
        n->out.ev_valid = 1;
        n->out.ev_op = e->op;
        n->out.ev_warp = e->warp;
        n->out.ev_address = e->address;
    }
}

static void reset(struct golden *g) {
    struct tap *n = (struct tap *)g;

    queue_reset(&n->answers, DEPTH);
    queue_reset(&n->decisions, DEPTH);
    queue_reset(&n->core_events, DEPTH);
    queue_reset(&n->events, DEPTH);
    n->last_a = false;
    show(n);
}

/* What comes in on this edge, by the readies as they stood before it. */
static void accept(struct tap *n, const struct tap_in *in) {
    if (in->ans_valid & n->out.ans_ready & 1)
        n->answer[queue_push(&n->answers)] = (struct answer){
            in->ans_warp, in->ans_offload & 1, in->ans_reason, in->ans_stack};
    if (in->core_valid & n->out.core_ready & 1)
        n->core_event[queue_push(&n->core_events)] =
            (struct event){in->core_op, in->core_warp, in->core_address};
    hit_if(n, in->ans_valid & ~n->out.ans_ready & 1, TAP_COV_answer_held);
    hit_if(n, in->core_valid & ~n->out.core_ready & 1, TAP_COV_core_held);
}

/* From what came to what goes. */
static void move(struct tap *n) {
    const struct answer *a = &n->answer[n->answers.out];
    bool a_valid = n->answers.out_valid, c_valid = n->core_events.out_valid;
    bool go_room = queue_can_push(&n->decisions);
    bool ev_room = queue_can_push(&n->events);
    bool begin = a_valid && !a->offload;
    bool yields = c_valid && n->last_a;
    bool take_a = a_valid && go_room && (!begin || (ev_room && !yields));
    bool take_c = c_valid && ev_room && !(take_a && begin);

    hit_if(n, begin && c_valid && go_room && ev_room, TAP_COV_both);
    hit_if(n, begin && yields && go_room && ev_room, TAP_COV_turn);
    hit_if(n, take_a && begin, TAP_COV_begins);
    hit_if(n, take_a && !begin, TAP_COV_passes);
    hit_if(n, take_a && take_c, TAP_COV_at_once);
    hit_if(n, (begin || c_valid) && !ev_room, TAP_COV_ev_full);
    hit_if(n, a_valid && !go_room, TAP_COV_go_full);
    if (take_a) {
        n->decision[queue_push(&n->decisions)] = *a;
        queue_pop(&n->answers);
    }
    if (take_a && begin) {
        n->event[queue_push(&n->events)] =
            (struct event){.op = OP_BEGIN, .warp = a->warp};
        n->last_a = true;
    }
    if (take_c) {
        n->event[queue_push(&n->events)] = n->core_event[n->core_events.out];
        queue_pop(&n->core_events);
        n->last_a = false;
    }
}

static void edge(struct golden *g, const void *ports) {
    struct tap *n = (struct tap *)g;
    const struct tap_in *in = ports;

    move(n);
    accept(n, in);
    if (n->decisions.out_valid && in->go_ready & 1)
        queue_pop(&n->decisions);
    if (n->events.out_valid && in->ev_ready & 1)
        queue_pop(&n->events);
    queue_edge(&n->answers);
    queue_edge(&n->decisions);
    queue_edge(&n->core_events);
    queue_edge(&n->events);
    show(n);
}

const struct golden_class tap_golden = {
    .iface = &tap_iface,
    MODEL_STRUCT(struct tap),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};
