/* send.c - golden offload controller: the packet engine.
 *
 * Makes request packets out of the metadata and the live-in registers, and
 * saves these registers for a probe (TOM, sections 4.1 and 4.2).  Written from
 * docs/blocks/offload.md; state.h says how an edge is evaluated.
 */
#include "state.h"

#include <string.h>

/* Flits ------------------------------------------------------------------ */

static void copy_flit(const struct offload *n, uint64_t *flit,
                      const uint64_t *row, int beat) {
    if (n->l.FLIT_W < 64)
        flit[0] = bits_get(row, beat * n->l.FLIT_W, n->l.FLIT_W);
    else
        memcpy(flit, row + (size_t)beat * (size_t)n->flit_words,
               (size_t)n->flit_words * sizeof *flit);
}

static bool last_flit(const struct offload *n) {
    return n->send.beat == n->l.ROW_FLITS - 1;
}

static void show_header(struct offload *n) {
    const struct sender *t = &n->send;
    const struct packet *p = &t->packet;
    const struct offload_request_fields f = {
        .warp = t->job.warp,
        .index = t->job.index,
        .begin_pc = p->begin_pc,
        .end_pc = p->end_pc,
        .mask = t->job.mask,
        .n_in = p->n_in,
    };

    record_pack(&n->base.design->record[OFFLOAD_REC_request], &f,
                n->out.tx_data);
    n->out.tx_head = 1;
    n->out.tx_last = regset_empty(&t->left);
}

static void show_flit(struct offload *n) {
    const struct sender *t = &n->send;

    copy_flit(n, n->out.tx_data, t->row, t->job.saved ? 0 : t->beat);
    n->out.tx_last = regset_empty(&t->left) && last_flit(n);
}

/* Outputs are functions of the state; they change when it does. */
static void show(struct offload *n, enum send_state state) {
    const struct sender *t = &n->send;
    struct offload_out *out = &n->out;
    bool flit = state == T_HEAD || state == T_SEND;

    out->flush_valid = state == T_FLUSH;
    out->flush_warp = state == T_FLUSH ? t->job.warp : 0;
    out->reg_read_valid = state == T_READ;
    out->reg_read_warp = state == T_READ ? t->job.warp : 0;
    out->reg_read_reg = state == T_READ ? t->reg : 0;
    if (flit || out->tx_valid)
        memset(out->tx_data, 0, (size_t)n->flit_words * sizeof *out->tx_data);
    out->tx_valid = flit;
    out->tx_stack = flit ? t->job.stack : 0;
    out->tx_head = out->tx_last = 0;
    if (state == T_HEAD)
        show_header(n);
    else if (state == T_SEND)
        show_flit(n);
}

/* States ----------------------------------------------------------------- */

static enum send_state start(struct offload *n) {
    struct sender *t = &n->send;

    if (n->probe.state == P_SAVE) {
        t->saving = true;
        t->job = (struct job){.warp = n->probe.r.warp,
                              .index = (uint8_t)n->probe.r.key};
        return T_FETCH;
    }
    if (!n->jobs.out_valid)
        return T_IDLE;
    t->saving = false;
    t->job = n->jobs_word[n->jobs.out];
    queue_pop(&n->jobs);
    return T_FLUSH;
}

static enum send_state open(struct sender *t) {
    t->left = t->packet.live_in;
    t->k = 0;
    return t->saving ? T_PICK : T_HEAD;
}

static enum send_state after_header(struct offload *n) {
    struct sender *t = &n->send;
    uint64_t members = ones(n->l.REGS);
    bool none = regset_empty(&t->left);

    hit_if(n, none, OFFLOAD_COV_no_live_in);
    hit_if(n,
           t->left.w[0] == members &&
               (n->l.REGS <= 64 || t->left.w[1] == members),
           OFFLOAD_COV_all_registers);
    return none ? T_END : T_PICK;
}

static enum send_state pick(struct sender *t) {
    if (regset_empty(&t->left))
        return T_END;
    t->reg = regset_take(&t->left);
    t->beat = 0;
    return t->job.saved ? T_RESTORE : T_READ;
}

static enum send_state take_row(struct offload *n, const uint64_t *row) {
    memcpy(n->send.row, row, (size_t)n->row_words * sizeof *row);
    return n->send.saving ? T_STORE : T_SEND;
}

/* Where a flit lies in the saved memory, in its words of 64 bits; NULL past its
 * end, which a driver reaches that loads more live-ins than it counts. */
static uint64_t *saved_flit(struct offload *n) {
    int k = n->send.k++;

    return k < n->l.SAVE_ROWS * n->l.ROW_FLITS
               ? &n->saved[(size_t)k * (size_t)n->flit_words]
               : NULL;
}

static enum send_state after_row(const struct sender *t) {
    return regset_empty(&t->left) ? T_END : T_PICK;
}

static enum send_state store(struct offload *n) {
    struct sender *t = &n->send;
    uint64_t *flit = saved_flit(n);
    bool last = last_flit(n);

    if (flit)
        copy_flit(n, flit, t->row, t->beat);
    t->beat++;
    return last ? after_row(t) : T_STORE;
}

static enum send_state restore(struct offload *n) {
    const uint64_t *flit = saved_flit(n);
    size_t size = (size_t)n->flit_words * sizeof *flit;

    if (flit)
        memcpy(n->send.row, flit, size);
    else
        memset(n->send.row, 0, size);
    return T_SEND;
}

static enum send_state after_flit(struct offload *n, struct edge *e) {
    struct sender *t = &n->send;
    bool last = last_flit(n);

    t->beat++;
    if (!last)
        return t->job.saved ? T_RESTORE : T_SEND;
    event_if(e, true, OFFLOAD_CNT_regs_sent);
    return after_row(t);
}

static enum send_state end(const struct sender *t, struct edge *e) {
    e->send_ends = true;
    e->saved_all = t->saving;
    e->sent_saved = t->job.saved;
    return T_IDLE;
}

static enum send_state next_state(struct offload *n, struct edge *e) {
    struct sender *t = &n->send;
    const struct offload_in *in = e->in;

    switch (t->state) {
    case T_IDLE:
        return start(n);
    case T_FLUSH:
        hit_if(n, !(in->flush_ready & 1), OFFLOAD_COV_flush_blocked);
        return in->flush_ready & 1 ? T_FETCH : T_FLUSH;
    case T_FETCH:
        t->packet = n->packet[t->job.index];
        return T_OPEN;
    case T_OPEN:
        return open(t);
    case T_HEAD:
        return in->tx_ready & 1 ? after_header(n) : T_HEAD;
    case T_PICK:
        return pick(t);
    case T_READ:
        return in->reg_read_ready & 1 ? T_WAIT : T_READ;
    case T_WAIT:
        return in->reg_data_valid & 1 ? take_row(n, in->reg_data_row) : T_WAIT;
    case T_STORE:
        return store(n);
    case T_RESTORE:
        return restore(n);
    case T_SEND:
        return in->tx_ready & 1 ? after_flit(n, e) : T_SEND;
    case T_END:
        return end(t, e);
    }
    return T_IDLE;
}

void move_send(struct offload *n, struct edge *e) {
    bool sends = n->out.tx_valid && e->in->tx_ready & 1;
    enum send_state before = n->send.state, state;

    e->send_ends = false;
    event_if(e, sends, OFFLOAD_CNT_tx_flits);
    hit_if(n, n->out.tx_valid && !sends, OFFLOAD_COV_tx_blocked);
    state = next_state(n, e);
    n->send.state = state;
    if (state != before || (state == T_SEND && sends))
        show(n, state);
}
