/* nbu.c - golden model of the near-bank unit: one instance, one edge.
 *
 * MPU, section IV-B1, as docs/blocks/nbu.md settles it.  The units are in
 * engine.c (offload engine, track table), moves.c (register moves) and
 * bus.c (TSV bus, unless another model brings its own); here stand reset, the
 * order of evaluation, the queues at the ports, the registers and the cover
 * points that are plain conditions.
 */
#include "base/bits.h"
#include "nbu.h"

#include "state.h"

#include <string.h>

/* The instance ----------------------------------------------------------- */

/* All state but what the configuration fixes. */
void nbu_reset(struct golden *g) {
    struct nbu *n = (struct nbu *)g;

    n->init_done = false;
    n->init_entry = 0;
    n->busy = n->held = n->ask = n->look = n->waiting = 0;
    memset(n->left, 0, sizeof n->left);
    n->last_pick = (uint8_t)(n->l.WARPS - 1);
    n->stage1 = -1;
    n->stage2.valid = n->stage3.valid = n->nd_valid = false;
    queue_reset(&n->far_queue, n->l.WARPS);
    queue_reset(&n->near_send, n->l.WARPS);
    queue_reset(&n->far_moves, n->l.WARPS);
    queue_reset(&n->near_moves, n->l.MOVE_QUEUE);
    queue_reset(&n->near_queue, n->l.NEAR_QUEUE);
    queue_reset(&n->near_done, n->l.NEAR_QUEUE);
    queue_reset(&n->far_done, FAR_DONE_QUEUE);
    n->far_mover.state = F_IDLE;
    n->near_mover.state = N_IDLE;
    n->bus = (struct bus){
        .owner = NOBODY,
        .last_owner = N_SOURCES - 1,
        .near_credit = n->l.NEAR_QUEUE,
        .move_credit = n->l.MOVE_QUEUE,
    };
    n->beat.valid = false;
    memset(n->landing, 0, sizeof n->landing);
    n->out.far_done_ready = n->out.near_done_ready = 1;
}

void nbu_open(struct nbu *n, const struct config *c,
              const struct nbu_between *between) {
    n->between = between;
    n->l = nbu_local(c);
    if (n->l.WARPS > MAX_WARPS || n->l.REGS > MAX_REGS ||
        n->l.NEAR_QUEUE > MAX_NEAR_QUEUE || n->l.MOVE_QUEUE > MAX_MOVE_QUEUE)
        BUG("near-bank unit larger than the model holds");
    n->far_set = c->nbu_far_set;
    n->near_set = c->nbu_near_set;
    n->warps = ones(n->l.WARPS);
    n->lane_mask = (uint32_t)ones(n->l.LANES);
    n->tag_mask = (uint32_t)ones(n->l.TAG_W);
    n->operand_mask = (uint32_t)ones(n->l.OPERAND_W);
    n->ticket_mask = (uint32_t)ones(n->l.TICKET_W);
    n->row_words = n->l.ROW_W / 64;
    n->beat_words = ceil_div(n->l.TSV_W, 64);
}

static void open(struct golden *g, const struct config *c) {
    nbu_open((struct nbu *)g, c, &nbu_bus);
}

bool nbu_track_valid(const struct golden *g, int warp, int reg, bool *far,
                     bool *near) {
    const struct nbu *n = (const struct nbu *)g;
    unsigned track;

    if (warp < 0 || warp >= n->l.WARPS || reg < 0 || reg >= n->l.REGS)
        return false;
    track = n->track[warp * n->l.REGS + reg];
    *far = track & TRACK_FAR;
    *near = track & TRACK_NEAR;
    return true;
}

/* Queues at the ports ---------------------------------------------------- */

/* The packet at the output of a queue, or zeros. */
#define SHOW_PACKET(side, queue, packet_warp)                                  \
    do {                                                                       \
        static const struct slot nothing;                                      \
        bool valid = n->queue.out_valid;                                       \
        int warp = valid ? n->packet_warp[n->queue.out] : 0;                   \
        const struct slot *s = valid ? &n->slot[warp] : &nothing;              \
        n->out.side##_valid = valid;                                           \
        n->out.side##_warp = (uint64_t)warp;                                   \
        n->out.side##_tag = s->tag;                                            \
        n->out.side##_op = s->op;                                              \
        n->out.side##_mask = s->mask;                                          \
        n->out.side##_dst = s->operand[DST].wires;                             \
        n->out.side##_src0 = s->operand[SRC0].wires;                           \
        n->out.side##_src1 = s->operand[SRC1].wires;                           \
        n->out.side##_src2 = s->operand[SRC2].wires;                           \
        n->out.side##_guard = s->operand[GUARD].wires;                         \
        n->out.side##_ticket = s->ticket;                                      \
    } while (0)

static struct done completion(const struct nbu *n, uint64_t warp, uint64_t tag,
                              uint64_t ticket) {
    return (struct done){
        .warp = (uint8_t)(warp & (bit(n->l.WARP_W) - 1)),
        .tag = (uint16_t)(tag & n->tag_mask),
        .ticket = (uint16_t)(ticket & n->ticket_mask),
    };
}

static void take_completions(struct nbu *n, const struct nbu_in *in) {
    if (in->far_done_valid & 1 && n->out.far_done_ready)
        n->far_done_word[queue_push(&n->far_done)] = completion(
            n, in->far_done_warp, in->far_done_tag, in->far_done_ticket);
    if (in->near_done_valid & 1 && n->out.near_done_ready)
        n->near_done_word[queue_push(&n->near_done)] = completion(
            n, in->near_done_warp, in->near_done_tag, in->near_done_ticket);
}

static void move_queues(struct nbu *n, const struct edge *e) {
    take_completions(n, e->in);
    if (e->far_sent >= 0)
        queue_pop(&n->far_queue);
    if (e->near_sent >= 0)
        queue_pop(&n->near_queue);
    if (queue_edge(&n->far_queue))
        SHOW_PACKET(far_exec, far_queue, far_queue_warp);
    if (queue_edge(&n->near_queue))
        SHOW_PACKET(near_exec, near_queue, near_queue_warp);
    queue_edge(&n->near_send);
    queue_edge(&n->far_moves);
    queue_edge(&n->near_moves);
    queue_edge(&n->near_done);
    queue_edge(&n->far_done);
    n->out.far_done_ready = queue_can_push(&n->far_done);
    n->out.near_done_ready = queue_can_push(&n->near_done);
    n->out.issue_ready = n->init_done ? ~n->busy & n->warps : 0;
}

/* Registers -------------------------------------------------------------- */

void nbu_written(struct golden *g, int setting, uint32_t before) {
    struct nbu *n = (struct nbu *)g;

    hit_if(n, g->regs.setting[setting] != before, NBU_COV_policy_changed);
}

/* One edge --------------------------------------------------------------- */

/* Cover points that are conditions of the state before the edge. */
static void cover_conditions(struct nbu *n, const struct edge *e) {
    const struct nbu_out *out = &n->out;
    const struct update *u = &e->update;
    uint64_t looks = n->look | (e->pick >= 0 ? bit(e->pick) : 0);
    int waiting = n->nd_valid + n->landing[UP].finished +
                  n->landing[DOWN].finished + n->far_done.out_valid;

    hit_if(n, n->busy == n->warps, NBU_COV_all_warps_busy);
    hit_if(n, waiting > 1, NBU_COV_update_contended);
    hit_if(n, e->in->far_done_valid & 1 && !n->out.far_done_ready,
           NBU_COV_far_done_full);
    hit_if(n, e->in->near_done_valid & 1 && !n->out.near_done_ready,
           NBU_COV_near_done_full);
    if (u->writes && u->source != UPDATE_INIT)
        hit_if(n, looks >> u->warp & 1, NBU_COV_wake_in_lookup);
    hit_if(n, out->far_exec_valid && e->far_sent < 0, NBU_COV_far_exec_blocked);
    hit_if(n, out->near_exec_valid && e->near_sent < 0,
           NBU_COV_near_exec_blocked);
    hit_if(n, out->far_write_valid && !e->landed[UP],
           NBU_COV_far_write_blocked);
    hit_if(n, out->near_write_valid && !e->landed[DOWN],
           NBU_COV_near_write_blocked);
    n->between->cover(n, e);
}

void nbu_edge(struct golden *g, const void *in) {
    struct nbu *n = (struct nbu *)g;
    struct edge e;

    /* Choose: the state before the edge decides what happens on it. */
    e.in = in;
    e.events = 0;
    nbu_choose_accept(n, &e);
    nbu_choose_landings(n, &e);
    nbu_choose_pick(n, &e);
    nbu_choose_update(n, &e);
    n->between->choose(n, &e);
    cover_conditions(n, &e);
    /* Move: readers before what they read, see state.h. */
    nbu_move_update(n, &e);
    nbu_move_act(n, &e);
    nbu_move_decide(n);
    nbu_move_lookup(n, &e);
    nbu_move_slots(n, &e);
    n->between->arrive(n, &e);
    n->between->move(n, &e);
    nbu_move_far_mover(n, &e);
    nbu_move_near_mover(n, &e);
    move_queues(n, &e);
    g->events = e.events;
}

const struct golden_class nbu_golden = {
    .iface = &nbu_iface,
    MODEL_STRUCT(struct nbu),
    .open = open,
    .reset = nbu_reset,
    .edge = nbu_edge,
    .written = nbu_written,
    .still = true,
};
