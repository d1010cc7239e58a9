/* offload.c - golden model of the offload controller: one instance, one edge.
 *
 * TOM, sections 3.3, 4.1 and 4.2, as docs/blocks/offload.md settles it.  The
 * units are in ask.c (metadata, lookup, weigh), decide.c
 * (decision, probe), send.c (packets), ack.c (acknowledgements)
 * and links.c (monitors); here stand reset, the order of evaluation,
 * the queues at the ports and the registers.
 */
#include "offload.h"

#include "state.h"

#include <string.h>

/* The instance ----------------------------------------------------------- */

/* All state but what the configuration fixes and the memories. */
static void reset(struct golden *g) {
    struct offload *n = (struct offload *)g;

    n->init_done = false;
    n->init_entry = n->in_flight = n->streak = 0;
    n->a.valid = n->c.valid = n->m.valid = n->d.valid = false;
    n->probe.state = P_IDLE;
    n->send.state = T_IDLE;
    n->ack.state = R_IDLE;
    memset(n->pending, 0, sizeof n->pending);
    n->away = 0;
    queue_reset(&n->waiting, n->l.DEPTH);
    queue_reset(&n->operands, n->l.DEPTH);
    queue_reset(&n->values, n->l.DEPTH);
    queue_reset(&n->answers, n->l.DEPTH);
    queue_reset(&n->jobs, n->l.WARPS);
    reset_links(n);
    n->out.ack_ready = 1;
}

static void check_sizes(const struct offload_local *l) {
    if (l->WARPS > MAX_WARPS || l->STACKS > MAX_STACKS ||
        l->ENTRIES > MAX_ENTRIES || l->REGS > 128 || l->DEPTH > MAX_DEPTH ||
        l->ROW_W > 64 * MAX_ROW_WORDS || l->PARTS > MAX_PARTS ||
        l->SAVE_ROWS * l->ROW_FLITS * ceil_div(l->FLIT_W, 64) > MAX_SAVED)
        BUG("offload controller larger than the model holds");
}

static void open(struct golden *g, const struct config *c) {
    struct offload *n = (struct offload *)g;

    n->l = offload_local(c);
    check_sizes(&n->l);
    n->address_mask = ones(n->l.ADDR_W);
    n->key_mask = (uint32_t)ones(n->l.KEY_W);
    n->lane_mask = (uint32_t)ones(n->l.LANES);
    n->warp_mask = (uint32_t)ones(n->l.WARP_W);
    n->index_mask = (uint32_t)ones(n->l.INDEX_W);
    n->stack_mask = (uint32_t)ones(n->l.STACK_W);
    n->row_words = n->l.ROW_W / 64;
    n->flit_words = ceil_div(n->l.FLIT_W, 64);
}

int offload_pending(const struct golden *g, int stack) {
    const struct offload *n = (const struct offload *)g;

    return stack >= 0 && stack < n->l.STACKS ? n->pending[stack] : -1;
}

bool offload_away(const struct golden *g, int warp, int *stack) {
    const struct offload *n = (const struct offload *)g;

    if (warp < 0 || warp >= n->l.WARPS)
        return false;
    *stack = n->stack_of[warp];
    return n->away >> warp & 1;
}

/* Queues at the ports ---------------------------------------------------- */

static void show_answer(struct offload *n) {
    static const struct answer nothing;
    bool valid = n->answers.out_valid;
    const struct answer *a =
        valid ? &n->answers_word[n->answers.out] : &nothing;

    n->out.ans_valid = valid;
    n->out.ans_warp = a->warp;
    n->out.ans_offload = valid && a->reason == OFFLOADED;
    n->out.ans_reason = a->reason;
    n->out.ans_stack = a->stack;
}

static void show_operand(struct offload *n) {
    static const struct operand nothing;
    bool valid = n->operands.out_valid;
    const struct operand *o =
        valid ? &n->operands_word[n->operands.out] : &nothing;

    n->out.oper_valid = valid;
    n->out.oper_warp = o->warp;
    n->out.oper_reg = o->reg;
    n->out.oper_lane = o->lane;
}

static void choose_answers(struct offload *n, struct edge *e) {
    e->answers = n->out.ans_valid && e->in->ans_ready & 1;
    hit_if(n, n->out.ans_valid && !e->answers, OFFLOAD_COV_ans_blocked);
    if (e->answers)
        queue_pop(&n->answers);
    if (n->out.oper_valid && e->in->oper_ready & 1)
        queue_pop(&n->operands);
}

static void move_queues(struct offload *n) {
    queue_edge(&n->waiting);
    queue_edge(&n->values);
    queue_edge(&n->jobs);
    if (queue_edge(&n->answers))
        show_answer(n);
    if (queue_edge(&n->operands))
        show_operand(n);
    n->out.load_ready = n->init_done;
    n->out.ask_ready = n->init_done && n->in_flight < n->l.DEPTH;
}

/* Registers -------------------------------------------------------------- */

static void written(struct golden *g, int setting, uint32_t before) {
    struct offload *n = (struct offload *)g;
    uint32_t value = g->regs.setting[setting];

    change_links(n);
    hit_if(n, setting == OFFLOAD_SET_mode && value != before,
           OFFLOAD_COV_mode_changed);
    hit_if(n, setting == OFFLOAD_SET_window && value < before,
           OFFLOAD_COV_window_short);
}

/* One edge --------------------------------------------------------------- */

static void edge(struct golden *g, const void *in) {
    struct offload *n = (struct offload *)g;
    struct edge e;

    e.in = in;
    e.events = 0;
    /* Readers before what they read, see state.h. */
    choose_answers(n, &e);
    move_ack(n, &e);
    move_decide(n, &e);
    move_weigh(n);
    move_lookup(n, &e);
    move_send(n, &e);
    move_probe(n, &e);
    move_counts(n, &e);
    move_links(n, &e);
    move_tables(n, &e);
    move_queues(n);
    g->events = e.events;
}

const struct golden_class offload_golden = {
    .iface = &offload_iface,
    MODEL_STRUCT(struct offload),
    .open = open,
    .reset = reset,
    .edge = edge,
    .written = written,
};
