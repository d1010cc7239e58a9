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
enum { MAX_WORDS = 1024 / 64, MAX_PLACES = 32 };

static const enum kind kind_of[SOURCES] = {
    WORK_KIND, ROW_KIND, ASK_KIND, ROW_KIND, WORK_KIND, LSU_KIND, LSU_KIND};
static const int die_of[SOURCES] = {BASE, BASE, BASE, DRAM, DRAM, BASE, DRAM};

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

/* A die's choice among its sources. */
struct side {
    enum giver owner; /* whose beat is next, NONE until there is a first one */
    enum giver went;  /* whose packet ended on the last edge, for covers */
    int run;          /* beats of this run, BURST at most */
};

struct cut {
    struct golden base;
    struct cut_local l;
    int words;

    bool open[SOURCES];                      /* a packet is under way */
    struct beat leaves[DIES], arrived[DIES]; /* registers at the wires */
    struct side side[DIES];
    bool mine[DIES]; /* the run is this die's */

    /* the base die */
    bool grant, waits, room; /* on the wires */
    int instr_credits, ask_credits;
    bool down_busy, moved;
    bool stall; /* before the last edge, see the note */
    struct header kept;
    bool wanted, ended; /* by the other die; its run */
    struct returns back;
    struct queue queue; /* of the warps that are down */
    uint64_t warp[MAX_PLACES + 1];

    /* the DRAM die */
    bool up_busy, waited;
    bool wants, ends;       /* on the wires */
    struct returns returns; /* on the wires */

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
    n->side[BASE] = n->side[DRAM] = (struct side){NONE, NONE, 0};
    n->mine[BASE] = true;
    n->mine[DRAM] = false;
    n->grant = n->waits = n->room = n->wants = n->ends = false;
    n->instr_credits = n->l.INSTRS;
    n->ask_credits = n->l.ASKS;
    n->down_busy = n->moved = n->stall = false;
    n->wanted = n->ended = n->up_busy = n->waited = false;
    n->back = n->returns = (struct returns){0};
    queue_reset(&n->queue, n->l.INSTRS);
}

/* --- what both dies do ---------------------------------------------------- */

/* The bit of a source in a set, none of NONE. */
static unsigned bit_of(int k) {
    return k == NONE ? 0 : 1u << k;
}

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

/* May source k send a beat, if it has one? */
static bool may_send(const struct cut *n, enum giver k) {
    const bool room[SOURCES] = {
        [INSTR] = n->instr_credits > 0,
        [ROW] = !n->down_busy,
        [ASK] = n->ask_credits > 0,
        [UP] = !n->up_busy,
        [DONE] = true,
        [LSU_DOWN] = true,
        [LSU_UP] = true,
    };

    return n->open[k] || room[k];
}

/* Sources of a die with a beat that may be sent, a bit each. */
static unsigned eligible_of(const struct cut *n, const struct offer *o,
                            int die) {
    unsigned set = 0;

    for (int k = 0; k < SOURCES; k++)
        if (die_of[k] == die && o[k].valid && may_send(n, (enum giver)k))
            set |= bit_of(k);
    return set;
}

/* What a die does with its sources on an edge. */
struct step {
    enum giver sent; /* whose beat is taken, NONE */
    bool drained;    /* none is, and nobody else is eligible */
    bool long_run;   /* the run has all its beats, and is between packets */
};

static void send(struct cut *n, enum giver k, const struct offer *o,
                 struct beat *out) {
    out->valid = true;
    out->first = !n->open[k];
    out->last = o->last;
    out->kind = kind_of[k];
    memcpy(out->data, o->data, (size_t)n->words * sizeof *out->data);
    if (n->l.TSV_W < 64)
        out->data[0] &= ones(n->l.TSV_W);
    n->open[k] = !o->last;
}

/* The next owner: the first of others after this one, by number. */
static enum giver next_owner(const struct side *s, unsigned others) {
    int k = s->owner == NONE ? SOURCES - 1 : (int)s->owner;

    do
        k = (k + 1) % SOURCES;
    while (!(others & bit_of(k)));
    return (enum giver)k;
}

static struct step step_side(struct cut *n, int die, const struct offer *o,
                             bool mine, struct beat *out) {
    struct side *s = &n->side[die];
    unsigned eligible = eligible_of(n, o, die);
    unsigned others = eligible & ~bit_of(s->owner);
    bool ready = eligible & bit_of(s->owner);
    struct step step = {.sent = NONE};

    memset(out, 0, sizeof *out);
    if (mine && ready) {
        step.sent = s->owner;
        send(n, s->owner, &o[s->owner], out);
        s->run += s->run < n->l.BURST;
    } else if (mine && s->owner != NONE && n->open[s->owner]) {
        hit_if(n, true, die == BASE ? CUT_COV_gap_down : CUT_COV_gap_up);
    }
    step.drained = !out->valid && !others;
    step.long_run = s->run == n->l.BURST && (!out->valid || out->last);
    if (out->first && s->went != NONE)
        hit_if(n, true, s->went == s->owner ? CUT_COV_alone : CUT_COV_followed);
    s->went = out->last ? s->owner : NONE;
    if (others && (!ready || out->last))
        s->owner = next_owner(s, others);
    return step;
}

/* --- base die ------------------------------------------------------------- */

static void cover_base(struct cut *n, const struct offer *o, bool idle) {
    static const struct {
        enum giver source;
        int point;
    } held[] = {{INSTR, CUT_COV_instr_held},
                {ROW, CUT_COV_row_held},
                {ASK, CUT_COV_ask_held}};

    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        hit_if(n,
               idle && o[held[i].source].valid && !may_send(n, held[i].source),
               held[i].point);
    hit_if(n,
           (eligible_of(n, o, BASE) | eligible_of(n, o, DRAM)) == ones(SOURCES),
           CUT_COV_all_wait);
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
    struct beat out;
    struct returns back = n->back;
    bool mine = n->mine[BASE] || n->ended, takes = false;
    unsigned eligible = eligible_of(n, o, BASE);

    cover_base(n, o, mine && !eligible);
    struct step step = step_side(n, BASE, o, mine, &out);
    enum giver owner = step.sent;
    bool leave = mine && n->wanted && (step.drained || step.long_run);

    hit_if(n, leave && !step.drained && o[LSU_DOWN].valid, CUT_COV_burst_down);
    n->stall = (mine && n->wanted) || eligible & ~bit_of(owner);
    n->grant = leave;
    n->waits = eligible != 0;
    n->room = in->taken_row & 1;
    n->mine[BASE] = mine && !leave;
    if (!n->mine[BASE])
        n->side[BASE].run = 0;

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

/* The wires of the base die, as they stand before the edge. */
struct orders {
    bool grant, waits, room;
};

static void dram_die(struct cut *n, const struct offer *o,
                     const struct beat *comes, const struct orders *wires) {
    struct beat out;
    bool mine = n->mine[DRAM], eligible = eligible_of(n, o, DRAM);
    bool held = o[UP].valid && !may_send(n, UP);
    struct step step = step_side(n, DRAM, o, mine, &out);
    bool leave = mine && (step.drained || (step.long_run && n->waited));

    hit_if(n, held && !eligible, CUT_COV_up_held);
    hit_if(n, leave && !step.drained && o[LSU_UP].valid, CUT_COV_burst_up);
    n->wants = eligible && !mine;
    n->ends = leave;
    n->mine[DRAM] = (mine && !leave) || wires->grant;
    if (!n->mine[DRAM])
        n->side[DRAM].run = 0;
    if (out.first && step.sent == UP)
        n->up_busy = true;
    else if (wires->room)
        n->up_busy = false;
    n->waited = wires->waits;
    n->leaves[DRAM] = out;
    n->arrived[DRAM] = *comes;
}

/* --- outputs -------------------------------------------------------------- */

static void show(struct cut *n) {
    struct cut_out *p = &n->out;
    const struct beat *far = &n->arrived[BASE], *near = &n->arrived[DRAM];
    const struct beat *on = &n->leaves[n->leaves[DRAM].valid ? DRAM : BASE];
    size_t size = (size_t)n->words * sizeof(uint64_t);

    enum giver down = n->mine[BASE] || n->ended ? n->side[BASE].owner : NONE;
    enum giver up = n->mine[DRAM] ? n->side[DRAM].owner : NONE;

    p->instr_ready = down == INSTR && may_send(n, INSTR);
    p->row_ready = down == ROW && may_send(n, ROW);
    p->ask_ready = down == ASK && may_send(n, ASK);
    p->lsu_down_ready = down == LSU_DOWN;
    p->up_ready = up == UP && may_send(n, UP);
    p->done_ready = up == DONE;
    p->lsu_up_ready = up == LSU_UP;
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
    struct orders orders = {n->grant, n->waits, n->room};
    bool wants = n->wants, ends = n->ends;

    if (from_base.valid && from_dram.valid)
        BUG("both dies drive the wires, expected one at a time");
    look(in, offer);
    base_die(n, in, offer, &from_dram);
    dram_die(n, offer, &from_base, &orders);
    n->wanted = wants;
    n->ended = ends;
    n->back = on_wires;
    n->returns = (struct returns){in->back_instr & 1, in->back_ask & 1,
                                  in->back_row & 1};
    show(n);
}

unsigned cut_eligible(const struct golden *g, const struct cut_in *in) {
    const struct cut *n = (const struct cut *)g;
    struct offer offer[SOURCES];

    look(in, offer);
    return eligible_of(n, offer, BASE) | eligible_of(n, offer, DRAM);
}

const struct golden_class cut_golden = {
    .iface = &cut_iface,
    MODEL_STRUCT(struct cut),
    .open = open,
    .reset = reset,
    .edge = edge,
};
