/* moves.c - golden near-bank unit: the register move engines.
 *
 * The far and near move engines of MPU, section IV-B1: they fetch rows from
 * the register file of their side and hand them to the TSV bus.  Written from
 * docs/blocks/nbu.md; state.h says how an edge is evaluated.
 */
#include "state.h"

#include <string.h>

/* Take a row from a register file; of a predicate, one bit a lane. */
static void capture_row(const struct nbu *n, uint64_t *data,
                        const uint64_t *row, int kind) {
    if (kind == NBU_PRED) {
        memset(data, 0, ROW_WORDS * sizeof *data);
        data[0] = row[0] & n->lane_mask;
    } else {
        memcpy(data, row, (size_t)n->row_words * sizeof *data);
    }
}

/* Far mover -------------------------------------------------------------- */

static const struct operand *moved_operand(const struct far_mover *m) {
    return &m->work.operand[m->current];
}

/* What tells the other side which row this is. */
struct header nbu_far_mover_header(const struct nbu *n) {
    const struct far_mover *m = &n->far_mover;
    const struct operand *o = moved_operand(m);

    return (struct header){
        .warp = m->work.warp,
        .reg = (uint8_t)((o->reg + m->row) & (n->l.REGS - 1)),
        .kind = o->kind,
        .final = o->kind != NBU_PAIR || m->row == 1,
        .epoch = m->work.epoch >> m->current & 1,
    };
}

static void next_operand(struct far_mover *m) {
    if (!m->work.needed) {
        m->state = F_IDLE;
        return;
    }
    m->current = (uint8_t)__builtin_ctz(m->work.needed);
    m->row = 0;
    m->state = m->work.up >> m->current & 1 ? F_ASK : F_READ;
}

/* A packet has left: on to the second row of a pair or the next operand. */
static void packet_left(struct nbu *n, enum far_state second_row) {
    struct far_mover *m = &n->far_mover;
    int kind = moved_operand(m)->kind;

    if (kind == NBU_PAIR && m->row == 0) {
        m->row = 1;
        m->state = second_row;
        return;
    }
    hit_if(n, kind == NBU_PAIR, NBU_COV_move_pair);
    hit_if(n, kind == NBU_PRED && second_row == F_READ, NBU_COV_move_pred_down);
    hit_if(n, kind == NBU_PRED && second_row == F_ASK, NBU_COV_move_pred_up);
    m->work.needed &= (uint8_t) ~(1 << m->current);
    m->state = F_NEXT;
}

static void show_far_read(struct nbu *n) {
    bool valid = n->far_mover.state == F_READ;

    n->out.far_read_valid = valid;
    n->out.far_read_warp = 0;
    n->out.far_read_reg = 0;
    if (valid) {
        struct header h = nbu_far_mover_header(n);
        n->out.far_read_warp = h.warp;
        n->out.far_read_reg = h.reg;
    }
}

void nbu_move_far_mover(struct nbu *n, const struct edge *e) {
    struct far_mover *m = &n->far_mover;
    enum far_state before = m->state;

    switch (m->state) {
    case F_IDLE:
        if (n->far_moves.out_valid) {
            m->work = n->far_moves_list[n->far_moves.out];
            queue_pop(&n->far_moves);
            m->state = F_NEXT;
        }
        break;
    case F_NEXT:
        next_operand(m);
        break;
    case F_READ:
        if (e->in->far_read_ready & 1)
            m->state = F_WAIT;
        break;
    case F_WAIT:
        if (e->in->far_data_valid & 1) {
            capture_row(n, m->data, e->in->far_data_row,
                        moved_operand(m)->kind);
            m->state = F_SEND;
        }
        break;
    case F_SEND:
        if (e->leaves == BUS_DOWN)
            packet_left(n, F_READ);
        break;
    case F_ASK:
        if (e->leaves == BUS_REQUEST)
            packet_left(n, F_ASK);
        break;
    }
    if (m->state != before)
        show_far_read(n);
}

/* Near mover ------------------------------------------------------------- */

static void show_near_read(struct nbu *n) {
    bool valid = n->near_mover.state == N_READ;

    n->out.near_read_valid = valid;
    n->out.near_read_warp = valid ? n->near_mover.work.warp : 0;
    n->out.near_read_reg = valid ? n->near_mover.work.reg : 0;
}

void nbu_move_near_mover(struct nbu *n, const struct edge *e) {
    struct near_mover *m = &n->near_mover;
    enum near_state before = m->state;

    switch (m->state) {
    case N_IDLE:
        if (n->near_moves.out_valid) {
            m->work = n->near_moves_header[n->near_moves.out];
            queue_pop(&n->near_moves);
            n->bus.move_credit++;
            m->state = N_READ;
        }
        break;
    case N_READ:
        if (e->in->near_read_ready & 1)
            m->state = N_WAIT;
        break;
    case N_WAIT:
        if (e->in->near_data_valid & 1) {
            capture_row(n, m->data, e->in->near_data_row, m->work.kind);
            m->state = N_SEND;
        }
        break;
    case N_SEND:
        if (e->leaves == BUS_UP)
            m->state = N_IDLE;
        break;
    }
    if (m->state != before)
        show_near_read(n);
}
