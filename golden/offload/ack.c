/* ack.c - golden offload controller: acknowledgements.
 *
 * Puts the live-out registers of a finished block back, invalidates the lines
 * that it wrote, and only then lets the warp go on (TOM, section 4.1).  Written
 * from docs/blocks/offload.md; state.h says how an edge is evaluated.
 */
#include "state.h"

#include <string.h>

/* Outputs ---------------------------------------------------------------- */

static void show_write(struct offload *n, bool shown) {
    const struct receiver *r = &n->ack;
    struct offload_out *out = &n->out;
    size_t size = (size_t)n->row_words * sizeof r->row[0];

    if (shown)
        memcpy(out->reg_write_row, r->row, size);
    else if (out->reg_write_valid)
        memset(out->reg_write_row, 0, size);
    out->reg_write_valid = shown;
    out->reg_write_warp = shown ? r->warp : 0;
    out->reg_write_reg = shown ? r->reg : 0;
    out->reg_write_mask = shown ? r->mask : 0;
}

static void show(struct offload *n, enum ack_state state) {
    const struct receiver *r = &n->ack;
    struct offload_out *out = &n->out;

    out->ack_ready = state == R_IDLE || state == R_ROW || state == R_LINE;
    show_write(n, state == R_WRITE);
    out->inval_valid = state == R_INVAL;
    out->inval_line = state == R_INVAL ? r->line : 0;
    out->release_valid = state == R_RELEASE;
    out->release_warp = state == R_RELEASE ? r->warp : 0;
    out->release_pc = state == R_RELEASE ? r->packet.end_pc : 0;
}

/* States ----------------------------------------------------------------- */

static enum ack_state take_header(struct offload *n, const uint64_t *flit) {
    struct receiver *r = &n->ack;
    struct offload_answer_fields f;

    record_unpack(&n->base.design->record[OFFLOAD_REC_answer], flit, &f);
    r->warp = (uint8_t)f.warp;
    r->index = (uint8_t)f.index;
    r->mask = (uint32_t)f.mask;
    r->lines = (uint8_t)f.lines;
    return R_LOOK;
}

static enum ack_state look(struct offload *n) {
    struct receiver *r = &n->ack;

    if (n->send.state == T_FETCH) {
        hit_if(n, true, OFFLOAD_COV_meta_contended);
        return R_LOOK;
    }
    r->packet = n->packet[r->index];
    r->stray = r->warp >= n->l.WARPS || !(n->away >> r->warp & 1);
    r->stack = r->stray ? 0 : n->stack_of[r->warp];
    return R_OPEN;
}

static enum ack_state open(struct offload *n) {
    struct receiver *r = &n->ack;

    r->left = r->packet.live_out;
    hit_if(n, regset_empty(&r->left), OFFLOAD_COV_no_live_out);
    hit_if(n, r->lines == 0, OFFLOAD_COV_no_lines);
    hit_if(n, r->lines >= 2, OFFLOAD_COV_many_lines);
    return R_NEXT;
}

static enum ack_state next(struct offload *n, struct edge *e) {
    struct receiver *r = &n->ack;

    if (!regset_empty(&r->left)) {
        r->reg = regset_take(&r->left);
        r->beat = 0;
        return R_ROW;
    }
    if (r->lines > 0)
        return R_LINE;
    if (!r->stray)
        return R_RELEASE;
    event_if(e, true, OFFLOAD_CNT_stray);
    hit_if(n, true, OFFLOAD_COV_stray_ack);
    return R_IDLE;
}

/* Flits are powers of two: those narrower than a word never straddle two. */
static void fill_row(struct offload *n, const uint64_t *flit) {
    struct receiver *r = &n->ack;
    int at = r->beat * n->l.FLIT_W;

    if (n->l.FLIT_W >= 64) {
        memcpy(r->row + at / 64, flit, (size_t)n->flit_words * sizeof *flit);
        return;
    }
    if (at % 64 == 0)
        r->row[at / 64] = 0;
    bits_or(r->row, at, n->l.FLIT_W, flit[0]);
}

static enum ack_state take_row(struct offload *n, const uint64_t *flit) {
    struct receiver *r = &n->ack;

    fill_row(n, flit);
    if (++r->beat < n->l.ROW_FLITS)
        return R_ROW;
    return r->stray ? R_NEXT : R_WRITE;
}

static enum ack_state take_line(struct offload *n, const uint64_t *flit) {
    n->ack.line = flit[0] & ones(n->l.LINE_W);
    n->ack.lines--;
    return n->ack.stray ? R_NEXT : R_INVAL;
}

static enum ack_state release(struct offload *n, struct edge *e) {
    e->releases = true;
    e->down_stack = n->ack.stack;
    e->home_warp = n->ack.warp;
    event_if(e, true, OFFLOAD_CNT_released);
    return R_IDLE;
}

/* A handshake that the environment may hold up. */
static bool taken(struct offload *n, struct edge *e, uint64_t ready,
                  enum offload_counter counter, enum offload_cover blocked) {
    event_if(e, ready & 1, counter);
    hit_if(n, !(ready & 1), blocked);
    return ready & 1;
}

static enum ack_state next_state(struct offload *n, struct edge *e) {
    const struct offload_in *in = e->in;
    bool flit = in->ack_valid & 1;

    switch (n->ack.state) {
    case R_IDLE:
        return flit ? take_header(n, in->ack_data) : R_IDLE;
    case R_LOOK:
        return look(n);
    case R_OPEN:
        return open(n);
    case R_NEXT:
        return next(n, e);
    case R_ROW:
        return flit ? take_row(n, in->ack_data) : R_ROW;
    case R_WRITE:
        return taken(n, e, in->reg_write_ready, OFFLOAD_CNT_regs_written,
                     OFFLOAD_COV_write_blocked)
                   ? R_NEXT
                   : R_WRITE;
    case R_LINE:
        return flit ? take_line(n, in->ack_data) : R_LINE;
    case R_INVAL:
        return taken(n, e, in->inval_ready, OFFLOAD_CNT_invalidated,
                     OFFLOAD_COV_inval_blocked)
                   ? R_NEXT
                   : R_INVAL;
    case R_RELEASE:
        hit_if(n, !(in->release_ready & 1), OFFLOAD_COV_release_blocked);
        return in->release_ready & 1 ? release(n, e) : R_RELEASE;
    }
    return R_IDLE;
}

void move_ack(struct offload *n, struct edge *e) {
    enum ack_state before = n->ack.state, state;

    e->releases = false;
    event_if(e, e->in->ack_valid & 1 && n->out.ack_ready, OFFLOAD_CNT_rx_flits);
    state = next_state(n, e);
    if (state == before)
        return;
    n->ack.state = state;
    show(n, state);
}
