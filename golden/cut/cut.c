/* cut.c - golden model of the registered cut between the dies.
 *
 * Written from docs/blocks/cut.md.  Each die is a function of its state and of
 * the registers of the other die that stand on the wires, all before the edge.
 */
#include "cut.h"

#include "base/bits.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum giver { INSTR, ROW, ASK, UP, DONE, LSU_DOWN, LSU_UP, SOURCES, NONE };
enum kind { WORK_KIND, ROW_KIND, ASK_KIND, LSU_KIND };
enum { BASE, DRAM, DIES };
enum { MAX_WORDS = 1024 / 64, MAX_PLACES = 32, COMES_AFTER = 3 };

static const enum kind kind_of[SOURCES] = {
    WORK_KIND, ROW_KIND, ASK_KIND, ROW_KIND, WORK_KIND, LSU_KIND, LSU_KIND};
static const int die_of[SOURCES] = {BASE, BASE, BASE, DRAM, DRAM, BASE, DRAM};

/* Which source a grant or a request wire is of; codes begin with 1. */
static const enum giver up_source[] = {UP, DONE, LSU_UP};

struct beat {
    bool valid, first, last;
    enum kind kind;
    uint64_t data[MAX_WORDS];
};

/* A beat that a source shows before the edge. */
struct offer {
    bool valid, last;
    const uint64_t *data;
};

struct header {
    uint64_t warp, reg, epoch;
    bool final;
};

struct returns {
    bool instr, ask, row;
};

struct cut {
    struct golden base;
    struct cut_local l;
    int words;

    bool open[SOURCES];                      /* a packet is under way */
    struct beat leaves[DIES], arrived[DIES]; /* registers at the wires */

    /* the base die */
    enum giver owner, last_owner;
    int wait, run; /* edges since a grant up; beats of the turn */
    int grant;     /* on the wires */
    int instr_credits, ask_credits;
    bool down_busy, moved, up_busy;
    bool stall; /* before the last edge, see the note */
    struct header kept;
    bool seen[3];
    struct returns back;
    struct queue queue; /* of the warps that are down */
    uint64_t warp[MAX_PLACES + 1];

    /* the DRAM die */
    enum giver turn;
    int turn_run;
    bool request[3];        /* on the wires */
    struct returns returns; /* on the wires */

    enum giver turned; /* whose turn ended on the last edge, for covers */
    struct cut_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct cut *n = (struct cut *)g;

    n->l = cut_local(c);
    n->words = ceil_div(n->l.TSV_W, 64);
}

static void reset(struct golden *g) {
    struct cut *n = (struct cut *)g;

    memset(n->open, 0, sizeof n->open);
    memset(n->leaves, 0, sizeof n->leaves);
    memset(n->arrived, 0, sizeof n->arrived);
    n->owner = n->turn = n->turned = NONE;
    n->last_owner = SOURCES - 1;
    n->grant = 0;
    n->instr_credits = n->l.INSTRS;
    n->ask_credits = n->l.ASKS;
    n->down_busy = n->moved = n->up_busy = n->stall = false;
    memset(n->seen, 0, sizeof n->seen);
    memset(n->request, 0, sizeof n->request);
    n->back = n->returns = (struct returns){0};
    queue_reset(&n->queue, n->l.INSTRS);
}

/* --- what both dies do ---------------------------------------------------- */

static void look(const struct cut_in *in, struct offer offer[SOURCES]) {
    offer[INSTR] =
        (struct offer){in->instr_valid & 1, in->instr_last & 1, in->instr_data};
    offer[ROW] =
        (struct offer){in->row_valid & 1, in->row_last & 1, in->row_data};
    offer[ASK] = (struct offer){in->ask_valid & 1, true, in->ask_data};
    offer[UP] = (struct offer){in->up_valid & 1, in->up_last & 1, in->up_data};
    offer[DONE] =
        (struct offer){in->done_valid & 1, in->done_last & 1, in->done_data};
    offer[LSU_DOWN] = (struct offer){in->lsu_down_valid & 1,
                                     in->lsu_down_last & 1, in->lsu_down_data};
    offer[LSU_UP] = (struct offer){in->lsu_up_valid & 1, in->lsu_up_last & 1,
                                   in->lsu_up_data};
}

/* An edge of source k's turn, the run-th beat of it before the edge: what goes
 * out, and whether the turn ends. */
static bool send(struct cut *n, enum giver k, const struct offer *o, int run,
                 struct beat *out) {
    memset(out, 0, sizeof *out);
    if (!o->valid) {
        hit_if(n, n->open[k],
               die_of[k] == BASE ? CUT_COV_gap_down : CUT_COV_gap_up);
        return true;
    }
    out->valid = true;
    out->first = !n->open[k];
    out->last = o->last;
    out->kind = kind_of[k];
    memcpy(out->data, o->data, (size_t)n->words * sizeof *out->data);
    if (n->l.TSV_W < 64)
        out->data[0] &= ones(n->l.TSV_W);
    n->open[k] = !o->last;
    bool cut = kind_of[k] == LSU_KIND && run + 1 == n->l.BURST;
    hit_if(n, cut && !o->last && k == LSU_DOWN, CUT_COV_burst_down);
    hit_if(n, cut && !o->last && k == LSU_UP, CUT_COV_burst_up);
    return o->last || cut;
}

/* --- base die ------------------------------------------------------------- */

/* Who may have the bus, a bit each. */
static unsigned eligible_sources(const struct cut *n, const struct offer *o) {
    bool credit = n->instr_credits > 0, room = n->ask_credits > 0;
    bool eligible[SOURCES] = {
        [INSTR] = o[INSTR].valid && (credit || n->open[INSTR]),
        [ROW] = o[ROW].valid && (!n->down_busy || n->open[ROW]),
        [ASK] = o[ASK].valid && room,
        [UP] = n->seen[0] && !n->up_busy,
        [DONE] = n->seen[1],
        [LSU_DOWN] = o[LSU_DOWN].valid,
        [LSU_UP] = n->seen[2],
    };
    unsigned set = 0;

    for (int k = 0; k < SOURCES; k++)
        set |= (unsigned)eligible[k] << k;
    return set;
}

static void arbitrate(struct cut *n, const struct offer *o, unsigned eligible) {
    enum giver owner = NONE;

    for (int i = 1; i <= SOURCES && owner == NONE; i++) {
        enum giver k = (enum giver)((n->last_owner + i) % SOURCES);
        if (eligible >> k & 1)
            owner = k;
    }
    hit_if(n, o[INSTR].valid && !(eligible >> INSTR & 1), CUT_COV_instr_held);
    hit_if(n, o[ROW].valid && !(eligible >> ROW & 1), CUT_COV_row_held);
    hit_if(n, o[ASK].valid && !(eligible >> ASK & 1), CUT_COV_ask_held);
    hit_if(n, n->seen[0] && !(eligible >> UP & 1), CUT_COV_up_held);
    hit_if(n, eligible == ones(SOURCES), CUT_COV_all_wait);
    if (owner == NONE)
        return;
    hit_if(n,
           die_of[owner] == DRAM && n->turned != NONE &&
               die_of[n->turned] == BASE,
           CUT_COV_turned_up);
    hit_if(n,
           die_of[owner] == BASE && n->turned != NONE &&
               die_of[n->turned] == DRAM,
           CUT_COV_turned_down);
    n->owner = n->last_owner = owner;
    n->wait = n->run = 0;
    for (int i = 0; i < 3; i++)
        if (up_source[i] == owner)
            n->grant = i + 1;
}

/* The header in the first beat of a row. */
static struct header header_of(const struct cut *n, const uint64_t *data) {
    const struct cut_local *l = &n->l;
    struct header h = {
        .warp = bits_get(data, 0, l->WARP_W),
        .reg = bits_get(data, l->WARP_W, l->REG_W),
        .epoch = bits_get(data, l->WARP_W + l->REG_W, 1),
        .final = bits_get(data, l->WARP_W + l->REG_W + 1, 1),
    };
    bool pair = bits_get(data, l->WARP_W + l->REG_W + 2, 2) == 1;

    if (pair)
        h.reg &= ~(uint64_t)1;
    return h;
}

static void base_die(struct cut *n, const struct cut_in *in,
                     const struct offer *o, const struct beat *comes) {
    struct beat out = {0}, came = n->arrived[BASE];
    struct returns back = n->back;
    enum giver owner = n->owner;
    unsigned eligible = eligible_sources(n, o);
    bool takes = false;

    n->grant = 0;
    n->stall = owner != NONE && eligible & ~(1u << owner);
    if (owner == NONE) {
        arbitrate(n, o, eligible);
        n->turned = NONE;
    } else if (die_of[owner] == BASE) {
        if (send(n, owner, &o[owner], n->run++, &out)) {
            n->turned = owner;
            n->owner = NONE;
        }
    } else if (n->wait < COMES_AFTER) {
        n->wait++;
    } else if (!came.valid || came.last) {
        n->turned = owner;
        n->owner = NONE;
    }

    /* credits */
    if (out.valid && owner == INSTR && out.first) {
        n->instr_credits--;
        takes = true;
    }
    if (out.valid && owner == ASK) {
        n->ask_credits--;
        hit_if(n, back.ask, CUT_COV_credit_meets);
    }
    hit_if(n, takes && back.instr, CUT_COV_credit_meets);
    n->instr_credits += back.instr;
    n->ask_credits += back.ask;
    hit_if(n, back.instr && back.ask && back.row, CUT_COV_returns_meet);

    /* rows */
    bool landed = back.row && n->down_busy && !n->moved;
    hit_if(n, n->moved && !(in->moved_ready & 1), CUT_COV_moved_held);
    if (n->moved && in->moved_ready & 1)
        n->moved = n->down_busy = false;
    if (landed) {
        hit_if(n, !n->kept.final, CUT_COV_not_final);
        if (n->kept.final)
            n->moved = true;
        else
            n->down_busy = false;
    }
    if (out.valid && owner == ROW && out.first) {
        n->down_busy = true;
        n->kept = header_of(n, out.data);
    }
    if (came.valid && came.last && came.kind == ROW_KIND)
        n->up_busy = true;
    else if (in->taken_row & 1)
        n->up_busy = false;

    /* warps */
    if (out.valid && owner == INSTR && out.last)
        n->warp[queue_push(&n->queue)] = bits_get(out.data, 0, n->l.WARP_W);
    if (back.instr)
        queue_pop(&n->queue);
    queue_edge(&n->queue);

    n->leaves[BASE] = out;
    n->arrived[BASE] = *comes;
}

/* --- DRAM die ------------------------------------------------------------- */

static void dram_die(struct cut *n, const struct offer *o, int grant,
                     const struct beat *comes) {
    struct beat out = {0};

    if (n->turn == NONE) {
        n->turn_run = 0;
        if (grant > 0)
            n->turn = up_source[grant - 1];
    } else if (send(n, n->turn, &o[n->turn], n->turn_run++, &out)) {
        n->turn = NONE;
    }
    n->leaves[DRAM] = out;
    n->arrived[DRAM] = *comes;
}

/* --- outputs -------------------------------------------------------------- */

static void show(struct cut *n) {
    struct cut_out *p = &n->out;
    const struct beat *far = &n->arrived[BASE], *near = &n->arrived[DRAM];
    const struct beat *on = &n->leaves[n->leaves[DRAM].valid ? DRAM : BASE];
    size_t size = (size_t)n->words * sizeof(uint64_t);

    p->instr_ready = n->owner == INSTR;
    p->row_ready = n->owner == ROW;
    p->ask_ready = n->owner == ASK;
    p->lsu_down_ready = n->owner == LSU_DOWN;
    p->up_ready = n->turn == UP;
    p->done_ready = n->turn == DONE;
    p->lsu_up_ready = n->turn == LSU_UP;
    p->far_valid = far->valid;
    p->far_kind = far->kind;
    p->far_first = far->first;
    p->far_last = far->last;
    memcpy(p->far_data, far->data, size);
    p->near_valid = near->valid;
    p->near_kind = near->kind;
    p->near_first = near->first;
    p->near_last = near->last;
    memcpy(p->near_data, near->data, size);
    p->bus_stall = n->stall;
    p->delivered_valid = n->back.instr;
    p->delivered_warp = n->back.instr ? n->warp[n->queue.out] : 0;
    p->moved_valid = n->moved;
    p->moved_warp = n->moved ? n->kept.warp : 0;
    p->moved_reg = n->moved ? n->kept.reg : 0;
    p->moved_epoch = n->moved && n->kept.epoch;
    p->tsv_valid = on->valid;
    p->tsv_up = n->leaves[DRAM].valid;
    p->tsv_kind = on->kind;
    p->tsv_last = on->last;
}

static void edge(struct golden *g, const void *ports) {
    struct cut *n = (struct cut *)g;
    const struct cut_in *in = ports;
    struct beat from_base = n->leaves[BASE], from_dram = n->leaves[DRAM];
    struct returns on_wires = n->returns;
    struct offer offer[SOURCES];
    bool asks[3];
    int grant = n->grant;

    if (from_base.valid && from_dram.valid)
        BUG("both dies drive the wires, expected one at a time");
    memcpy(asks, n->request, sizeof asks);
    look(in, offer);
    base_die(n, in, offer, &from_dram);
    dram_die(n, offer, grant, &from_base);
    memcpy(n->seen, asks, sizeof asks);
    n->back = on_wires;
    for (int i = 0; i < 3; i++)
        n->request[i] = offer[up_source[i]].valid;
    n->returns = (struct returns){in->back_instr & 1, in->back_ask & 1,
                                  in->back_row & 1};
    show(n);
}

unsigned cut_eligible(const struct golden *g, const struct cut_in *in) {
    struct offer offer[SOURCES];

    look(in, offer);
    return eligible_sources((const struct cut *)g, offer);
}

const struct golden_class cut_golden = {
    .iface = &cut_iface,
    MODEL_STRUCT(struct cut),
    .open = open,
    .reset = reset,
    .edge = edge,
};
