/* decide.c - golden offload controller: decision and probe engine.
 *
 * The three questions of TOM, section 4.2, in the order of rules that
 * docs/blocks/offload.md gives them, and the search for the first access of
 * blocks that do not begin with one.
 */
#include "state.h"

/* Decision --------------------------------------------------------------- */

/* Rule 4. */
static enum reason save_first(const struct offload *n) {
    return n->probe.state == P_IDLE && n->d.r.entry.n_in <= n->l.SAVE_ROWS
               ? NO_ANSWER
               : NO_SAVE;
}

/* Rules 6 to 8. */
static enum reason refused_by_load(const struct offload *n,
                                   const struct offload_in *in) {
    const struct verdict *v = &n->d.r.entry;
    int s = n->d.stack;

    if (!v->tag_tx && n->out.link_tx_busy >> s & 1)
        return TX_BUSY;
    if (!v->tag_rx && n->out.link_rx_busy >> s & 1)
        return RX_BUSY;
    if (n->pending[s] >= n->base.regs.setting[OFFLOAD_SET_limit] ||
        in->link_full >> s & 1)
        return STACK_FULL;
    return OFFLOADED;
}

static enum reason decide(const struct offload *n,
                          const struct offload_in *in) {
    const struct weighed *d = &n->d;

    if (d->r.mode != MODE_CONTROLLED && d->r.mode != MODE_UNCONTROLLED)
        return IS_OFF;
    if (!d->r.entry.valid)
        return NO_ENTRY;
    if (d->r.needs_value && !d->held)
        return CONDITION;
    if (!d->r.entry.mem_first && !d->back)
        return save_first(n);
    if (d->back && d->none)
        return NO_ADDRESS;
    if (d->r.mode == MODE_CONTROLLED)
        return refused_by_load(n, in);
    return OFFLOADED;
}

static void cover_offload(struct offload *n) {
    const struct weighed *d = &n->d;
    bool tx_busy = n->out.link_tx_busy >> d->stack & 1;
    bool rx_busy = n->out.link_rx_busy >> d->stack & 1;
    bool controlled = d->r.mode == MODE_CONTROLLED;

    hit_if(n, true, OFFLOAD_COV_offload);
    hit_if(n, controlled && tx_busy, OFFLOAD_COV_tx_busy_saver);
    hit_if(n, controlled && rx_busy, OFFLOAD_COV_rx_busy_saver);
    hit_if(n, !controlled && (tx_busy || rx_busy),
           OFFLOAD_COV_uncontrolled_busy);
    hit_if(n,
           !controlled &&
               n->pending[d->stack] >= n->base.regs.setting[OFFLOAD_SET_limit],
           OFFLOAD_COV_uncontrolled_full);
    hit_if(n, d->r.learned, OFFLOAD_COV_learned);
    hit_if(n, !d->r.learned, OFFLOAD_COV_baseline);
    hit_if(n, d->back, OFFLOAD_COV_probe_offload);
}

static void cover_refusal(struct offload *n, enum reason reason) {
    const struct weighed *d = &n->d;
    bool full = n->pending[d->stack] >= n->base.regs.setting[OFFLOAD_SET_limit];
    bool large = d->r.entry.n_in > n->l.SAVE_ROWS;

    hit_if(n, reason == IS_OFF, OFFLOAD_COV_off);
    hit_if(n, reason == NO_ENTRY, OFFLOAD_COV_no_entry);
    hit_if(n, reason == CONDITION, OFFLOAD_COV_cond_false);
    hit_if(n, reason == TX_BUSY, OFFLOAD_COV_tx_busy);
    hit_if(n, reason == RX_BUSY, OFFLOAD_COV_rx_busy);
    hit_if(n, reason == STACK_FULL && full, OFFLOAD_COV_stack_full);
    hit_if(n, reason == STACK_FULL && !full, OFFLOAD_COV_link_full);
    hit_if(n, reason == NO_SAVE && large, OFFLOAD_COV_save_large);
    hit_if(n, reason == NO_SAVE && !large, OFFLOAD_COV_save_busy);
    hit_if(n, reason == NO_ADDRESS, OFFLOAD_COV_probe_none);
    hit_if(n, d->back && reason >= TX_BUSY && reason <= STACK_FULL,
           OFFLOAD_COV_probe_refused);
}

static void offload(struct offload *n, struct edge *e) {
    const struct weighed *d = &n->d;

    cover_offload(n);
    e->offloads = true;
    e->up_stack = d->stack;
    e->away_warp = d->r.warp;
    n->jobs_word[queue_push(&n->jobs)] = (struct job){
        .warp = d->r.warp,
        .index = (uint8_t)d->r.key,
        .mask = d->r.mask,
        .stack = d->stack,
        .saved = d->back,
    };
}

void move_decide(struct offload *n, struct edge *e) {
    static const uint8_t counter[] = {
        [OFFLOADED] = OFFLOAD_CNT_offloaded,
        [IS_OFF] = OFFLOAD_CNT_refused_off,
        [NO_ENTRY] = OFFLOAD_CNT_refused_entry,
        [CONDITION] = OFFLOAD_CNT_refused_cond,
        [TX_BUSY] = OFFLOAD_CNT_refused_tx,
        [RX_BUSY] = OFFLOAD_CNT_refused_rx,
        [STACK_FULL] = OFFLOAD_CNT_refused_full,
        [NO_SAVE] = OFFLOAD_CNT_refused_save,
        [NO_ADDRESS] = OFFLOAD_CNT_refused_address,
    };
    enum reason reason;

    e->offloads = e->takes = false;
    if (!n->d.valid)
        return;
    reason = decide(n, e->in);
    e->takes = reason == NO_ANSWER;
    if (e->takes) {
        n->probe.r = n->d.r; /* weigh fills D anew on this edge */
        return;
    }
    if (reason == OFFLOADED)
        offload(n, e);
    else
        cover_refusal(n, reason);
    event_if(e, true, counter[reason]);
    n->answers_word[queue_push(&n->answers)] = (struct answer){
        .warp = n->d.r.warp,
        .reason = (uint8_t)reason,
        .stack = e->offloads ? n->d.stack : 0,
    };
}

/* Requests away ---------------------------------------------------------- */

void move_counts(struct offload *n, const struct edge *e) {
    hit_if(n, e->offloads && e->releases && e->up_stack == e->down_stack,
           OFFLOAD_COV_pend_both);
    if (e->releases) {
        n->pending[e->down_stack]--;
        n->away &= ~bit(e->home_warp);
    }
    if (e->offloads) {
        n->pending[e->up_stack]++;
        n->away |= bit(e->away_warp);
        n->stack_of[e->away_warp] = e->up_stack;
    }
    n->in_flight += e->accepts - e->answers;
}

/* Probe engine ----------------------------------------------------------- */

static void keep_first(struct offload *n, const struct offload_in *in) {
    n->probe.r.address = in->first_address & n->address_mask;
    n->probe.r.learned = in->first_learned & 1;
    n->probe.none = in->first_none & 1;
}

static enum probe_state next_state(struct offload *n, struct edge *e) {
    enum probe_state state = n->probe.state;

    switch (state) {
    case P_IDLE:
        return e->takes ? P_SAVE : P_IDLE;
    case P_SAVE:
        return e->send_ends && e->saved_all ? P_ASK : P_SAVE;
    case P_ASK:
        if (!(e->in->probe_ready & 1))
            return P_ASK;
        event_if(e, true, OFFLOAD_CNT_probes);
        return P_FIRST;
    case P_FIRST:
        if (!(e->in->first_valid & 1))
            return P_FIRST;
        keep_first(n, e->in);
        return P_BACK;
    case P_BACK:
        return P_DECIDE;
    case P_DECIDE:
        return e->offloads ? P_HOLD : P_IDLE;
    case P_HOLD:
        return e->send_ends && e->sent_saved ? P_IDLE : P_HOLD;
    }
    return state;
}

void move_probe(struct offload *n, struct edge *e) {
    enum probe_state state = next_state(n, e);

    if (state == n->probe.state)
        return;
    n->probe.state = state;
    n->out.probe_valid = state == P_ASK;
    n->out.probe_warp = state == P_ASK ? n->probe.r.warp : 0;
    n->out.first_ready = state == P_FIRST;
}
