/* mpu_pipe.c - pipelines and register files on both dies: packets from their
 * delivery to their completion.
 *
 * A pipeline takes a packet a cycle; the result is there after the latency of
 * its class, which are those of the compositions' cores (system/core.h), or
 * when its accesses to global memory are done.
 */
#include "mpu_state.h"

#include "sim/system/core.h"

static uint64_t latency(int op) {
    switch (op) {
    case OPC_sfu:
        return CORE_LATENCY_SFU;
    case OPC_ld_shared:
    case OPC_st_shared:
    case OPC_ld_const:
    case OPC_st_param:
        return CORE_LATENCY_SHARED;
    default:
        return CORE_LATENCY_ALU;
    }
}

/* --- accesses ------------------------------------------------------------- */

static void access_row(struct mpu *m, struct mpu_flight *f,
                       const struct mpu_place *p, bool store, int reg,
                       int row) {
    struct mpu_access a = {.flight = f,
                           .store = store,
                           .warp = f->warp,
                           .reg = reg,
                           .mask = p->mask,
                           .since = m->cycle};
    for (int i = 0; i < MPU_LANES; i++)
        a.word[i] = (p->byte[i] + 4u * (uint32_t)row) / 4;
    f->left++;
    mpu_memory_access(m->memory, &a);
}

/* The rows of an operand, the first of them row number `row` of the access. */
static int access_operand(struct mpu *m, struct mpu_flight *f,
                          const struct mpu_place *p, bool store,
                          const struct nbu_operand *o, int row) {
    int n = !o->valid ? 0 : o->kind == NBU_PAIR ? 2 : 1;
    for (int r = 0; r < n; r++)
        access_row(m, f, p, store, o->reg + r, row + r);
    return n;
}

/* An atomic is a load and a store of its word; a constant is stored as if some
 * register had it. */
static void begin(struct mpu *m, struct mpu_flight *f,
                  const struct nbu_packet *k, const struct mpu_place *p,
                  int row) {
    if (p->load && p->store) {
        if (row == 0) {
            access_row(m, f, p, false, k->dst.valid ? k->dst.reg : 0, 0);
            access_row(m, f, p, true, k->src[1].valid ? k->src[1].reg : 0, 0);
        }
    } else if (p->load) {
        access_operand(m, f, p, false, &k->dst, row);
    } else {
        row += access_operand(m, f, p, true, &k->src[1], row);
        row += access_operand(m, f, p, true, &k->src[2], row);
        if (row == 0)
            access_row(m, f, p, true, 0, 0);
    }
}

void mpu_access_done(struct mpu *m, const struct mpu_access *a) {
    a->flight->left--;
    m->result->loads += !a->store;
    m->result->latency += a->store ? 0 : m->cycle - a->since;
}

/* --- packets -------------------------------------------------------------- */

static uint64_t rows_of(const struct nbu_operand *o) {
    return !o->valid || o->kind == NBU_PRED ? 0 : o->kind == NBU_PAIR ? 2 : 1;
}

static void count(struct mpu *m, enum mpu_side side,
                  const struct nbu_packet *p) {
    uint64_t sources =
        rows_of(&p->src[0]) + rows_of(&p->src[1]) + rows_of(&p->src[2]);
    uint64_t *e = m->result->events;
    m->result->packets[side]++;
    e[MPU_REGISTERS] += sources + rows_of(&p->dst);
    e[MPU_COLLECTOR] += sources;
    e[MPU_SHARED] += p->op == OPC_ld_shared || p->op == OPC_st_shared;
}

static void deliver(struct mpu *m, enum mpu_side side, uint64_t warp,
                    uint64_t ticket) {
    struct mpu_slot *s = &m->slot[warp];
    const struct nbu_packet *p = s->issued.packet;
    struct mpu_flight *f = &s->flight[s->issued.tag];
    *f = (struct mpu_flight){.used = true,
                             .warp = (int)warp,
                             .tag = (uint64_t)s->issued.tag,
                             .ticket = ticket,
                             .due = m->cycle + latency(p->op)};
    s->issued.packet = NULL;
    count(m, side, p);
    if (s->issued.place >= 0)
        begin(m, f, p, &s->places.v[s->issued.place], s->issued.row);
    *array_push(&m->pipe[side]) = f;
}

/* The oldest that may complete, at most one at a time on a side's port. */
static struct mpu_flight *complete(struct mpu *m, enum mpu_side side,
                                   bool taken) {
    struct mpu_flight **o = &m->offered[side];
    if (*o && taken) {
        (*o)->used = false;
        *o = NULL;
    }
    for (int i = 0; !*o && i < m->pipe[side].n; i++) {
        struct mpu_flight *f = m->pipe[side].v[i];
        if (f->left || f->due > m->cycle)
            continue;
        *o = f;
        for (m->pipe[side].n--; i < m->pipe[side].n; i++)
            m->pipe[side].v[i] = m->pipe[side].v[i + 1];
    }
    return *o;
}

/* --- a cycle -------------------------------------------------------------- */

/* Rows that moved are read on one die and written on the other. */
static void moved(struct mpu *m, enum mpu_side to, bool valid, bool pred) {
    m->result->moves[to] += valid;
    m->result->events[MPU_REGISTERS] += valid && !pred ? 2 : 0;
}

void mpu_pipelines(struct mpu *m) {
    const struct nbu_out *o = m->out;
    struct nbu_in *in = &m->in;
    struct mpu_flight *f;
    bool far_taken = in->far_done_valid && m->done_ready[MPU_FAR];
    bool near_taken = in->near_done_valid && m->done_ready[MPU_NEAR];

    in->far_exec_ready = in->near_exec_ready = 1;
    in->far_read_ready = in->near_read_ready = 1;
    in->far_write_ready = in->near_write_ready = 1;
    if (o->far_exec_valid)
        deliver(m, MPU_FAR, o->far_exec_warp, o->far_exec_ticket);
    if (o->near_exec_valid)
        deliver(m, MPU_NEAR, o->near_exec_warp, o->near_exec_ticket);

    f = complete(m, MPU_FAR, far_taken);
    in->far_done_valid = f != NULL;
    in->far_done_warp = f ? (uint64_t)f->warp : 0;
    in->far_done_tag = f ? f->tag : 0;
    in->far_done_ticket = f ? f->ticket : 0;
    f = complete(m, MPU_NEAR, near_taken);
    in->near_done_valid = f != NULL;
    in->near_done_warp = f ? (uint64_t)f->warp : 0;
    in->near_done_tag = f ? f->tag : 0;
    in->near_done_ticket = f ? f->ticket : 0;
    m->done_ready[MPU_FAR] = o->far_done_ready;
    m->done_ready[MPU_NEAR] = o->near_done_ready;

    in->far_data_valid = m->reading[MPU_FAR];
    in->near_data_valid = m->reading[MPU_NEAR];
    m->reading[MPU_FAR] = o->far_read_valid;
    m->reading[MPU_NEAR] = o->near_read_valid;
    moved(m, MPU_FAR, o->far_write_valid, o->far_write_pred);
    moved(m, MPU_NEAR, o->near_write_valid, o->near_write_pred);
    if (o->tsv_valid)
        m->result->beats[o->tsv_kind % MPU_KINDS]++;
}
