/* frontend.c - golden model of the front end of a core with a near-bank unit.
 *
 * Written from docs/blocks/frontend.md.  An edge first looks at what stands
 * before it (choose), then moves one part after the other.
 */
#include "frontend.h"

#include "base/bits.h"
#include "blocks/frontend.h"
#include "frame/model.h"
#include "iface/opclass.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LANES = 32, MAX_WARPS = 64, MAX_CTAS = 32, NOBODY = -1 };

enum command {
    SET,
    CODE,
    PARAM,
    START,
    HALT,
    RESUME,
    CLEAR = 8,
};

enum launch_register {
    ENTRY,
    GRID,
    BLOCK = 4,
    THREADS = 7,
    CTA_WARPS,
    RESIDENT,
    SHARED_BYTES,
    BOUND,
    WATCHDOG,
    FIRST_CTA,
    CTA_STEP,
    REGISTERS
};

enum core_state { CORE_IDLE, CORE_RUNNING, CORE_DONE, CORE_FAULTED };

enum warp_state {
    WARP_IDLE,
    WARP_READY,
    WARP_FLIGHT,
    WARP_AWAIT,
    WARP_DRAIN,
    WARP_BARRIER,
    WARP_POP
};

/* As simt numbers them. */
enum cause {
    FINE,
    ILLEGAL,
    MISALIGNED,
    UNMAPPED,
    STACK_FULL,
    NO_JOIN,
    BAD_BARRIER,
    TRAPPED,
    MEMORY,
    EXPIRED
};

struct warp {
    enum warp_state state;
    uint64_t pc, join, mask, gone;
    int depth, slot, count;
    bool fresh, open, live;
    /* the word of class control that it waits for */
    struct isa_word word;
};

struct entry {
    uint64_t else_pc, join, else_mask, mask;
};

struct fault {
    enum cause cause;
    uint64_t warp, pc, address;
};

enum dispatch_state { LOOKS, BASE, FILLS, INITS };

struct dispatcher {
    enum dispatch_state state;
    bool more; /* CTAs are left */
    uint64_t next[3], skip;
    uint64_t at[3], thread[3], left; /* of the CTA that begins */
    int slot, number, edge;
    uint64_t lanes;
    uint32_t row[MAX_LANES];
};

/* What stands at F, and what it is translated to. */
struct packet {
    bool valid;
    uint64_t warp, tag, op, hint, mask, dst, src[3], guard;
    bool control, global, store; /* ends in await; accesses global memory */
};

struct frontend {
    struct golden base;
    struct frontend_local l;
    uint64_t *code;
    struct entry *stack; /* by warp and depth */
    uint64_t reg[REGISTERS];
    enum core_state state; /* but for faults */
    bool halt;
    struct fault fault;
    uint64_t now, silent;
    struct warp warp[MAX_WARPS];
    int chosen; /* by select, last */
    struct {
        bool valid;
        uint64_t warp, pc, word;
    } f;
    struct packet i;
    struct {
        bool valid;
        uint64_t warp, lanes;
    } x;
    int popping;
    int barrier_slot;
    struct dispatcher d;
    struct frontend_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct frontend *n = (struct frontend *)g;

    n->l = frontend_local(c);
    n->code = calloc((size_t)n->l.CODE, sizeof *n->code);
    n->stack = calloc((size_t)(n->l.WARPS * n->l.STACK), sizeof *n->stack);
}

static void close(struct golden *g) {
    struct frontend *n = (struct frontend *)g;

    free(n->code);
    free(n->stack);
}

/* All but memories and launch registers. */
static void clear(struct frontend *n) {
    n->state = CORE_IDLE;
    n->halt = false;
    n->fault = (struct fault){0};
    n->now = n->silent = 0;
    memset(n->warp, 0, sizeof n->warp);
    n->chosen = n->l.WARPS - 1;
    n->f.valid = n->x.valid = false;
    memset(&n->i, 0, sizeof n->i);
    n->popping = NOBODY;
    n->barrier_slot = 0;
    memset(&n->d, 0, sizeof n->d);
    memset(&n->out, 0, sizeof n->out);
    n->out.launch_bound = n->reg[BOUND];
    n->out.quiet = 1;
}

static void reset(struct golden *g) {
    struct frontend *n = (struct frontend *)g;

    memset(n->reg, 0, sizeof n->reg);
    clear(n);
}

static bool faulted(const struct frontend *n) {
    return n->fault.cause != FINE;
}

static bool running(const struct frontend *n) {
    return n->state == CORE_RUNNING && !faulted(n);
}

static uint64_t all_lanes(const struct frontend *n) {
    return ones(n->l.LANES);
}

static uint64_t next_pc(const struct frontend *n, uint64_t pc) {
    return (pc + 1) & ones(n->l.TAG_W);
}

/* --- what a word says ----------------------------------------------------- */

static uint64_t row_operand(const struct frontend *n, int reg) {
    return bit(n->l.OPERAND_W - 1) | (uint64_t)reg;
}

static uint64_t pred_operand(const struct frontend *n, int p) {
    if ((p & 7) == ISA_TRUE)
        return 0;
    return bit(n->l.OPERAND_W - 1) | UINT64_C(2) << n->l.REG_W |
           (uint64_t)(n->l.REGS - 8 + (p & 7));
}

static bool of_shared(int op) {
    return isa_info(op)->timing == ISA_TIMING_shared;
}

static bool of_global(int op) {
    return isa_info(op)->timing == ISA_TIMING_global;
}

static uint64_t class_of(const struct frontend *n, int op) {
    switch (isa_info(op)->class) {
    case ISA_CLASS_control:
        return op == ISA_bar      ? OPC_barrier
               : op == ISA_membar ? OPC_fence
                                  : OPC_branch;
    case ISA_CLASS_special:
        return OPC_ld_const;
    case ISA_CLASS_pred:
    case ISA_CLASS_compare:
        return OPC_setp;
    case ISA_CLASS_int:
    case ISA_CLASS_mul:
        return op == ISA_mov || op == ISA_movi ? OPC_mov : OPC_int;
    case ISA_CLASS_f32:
        return isa_info(op)->timing == ISA_TIMING_convert ? OPC_cvt : OPC_fp;
    case ISA_CLASS_cross:
        return op == ISA_vote ? OPC_vote : OPC_shfl;
    default: /* memory */
        break;
    }
    if (of_shared(op) && n->l.SHARED)
        return isa_has(op, 'd') ? OPC_ld_shared : OPC_st_shared;
    if (of_shared(op) || isa_info(op)->class == ISA_CLASS_atomic)
        return OPC_atomic;
    return isa_has(op, 'd') ? OPC_ld_global : OPC_st_global;
}

static bool has_reg(const struct frontend *n, int reg) {
    return reg < n->l.REGS - 8;
}

/* Of a legal word: a register that is a predicate's. */
static bool names_predicate(const struct frontend *n,
                            const struct isa_word *w) {
    int op = w->op;
    bool a = isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n');
    bool b =
        isa_has(op, 'b') || ((isa_has(op, 'i') || isa_has(op, 'f')) && !w->imm);
    return (a && !has_reg(n, w->a)) || (b && !has_reg(n, w->b)) ||
           (isa_has(op, 'c') && !has_reg(n, w->c)) ||
           (isa_has(op, 'd') && !has_reg(n, w->d));
}

static bool beyond(const struct frontend *n, const struct isa_word *w) {
    uint64_t words = (uint64_t)n->l.CODE;
    if (w->op == ISA_ldp)
        return w->value >= (uint32_t)n->l.PARAMS;
    return w->op == ISA_bra &&
           (w->target >= words || (w->join != ISA_NO_JOIN && w->join >= words));
}

static void translate(const struct frontend *n, const struct isa_word *w,
                      struct packet *p) {
    int op = w->op;
    bool store = isa_info(op)->class == ISA_CLASS_global && !isa_has(op, 'd');
    bool number = w->imm || isa_has(op, 'w');

    p->op = class_of(n, op);
    p->hint = of_shared(op) && n->l.SHARED ? (uint64_t)ISA_NEAR : w->place;
    if (w->guard == ISA_TRUE && w->unless)
        p->mask = 0;
    p->guard = pred_operand(n, w->guard);
    if (isa_has(op, 'd'))
        p->dst = row_operand(n, w->d);
    if (isa_has(op, 'D'))
        p->dst = pred_operand(n, w->d);
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        p->src[0] = row_operand(n, w->a);
    if (isa_has(op, 'A'))
        p->src[0] = pred_operand(n, w->a);
    if (!number && (isa_has(op, 'b') || isa_has(op, 'i') || isa_has(op, 'f')))
        p->src[1] = row_operand(n, w->b);
    if (isa_has(op, 'B'))
        p->src[1] = pred_operand(n, w->b);
    if (isa_has(op, 'c'))
        p->src[store ? 1 : 2] = row_operand(n, w->c);
    if (isa_has(op, 'C'))
        p->src[2] = pred_operand(n, w->c);
    p->control = isa_info(op)->class == ISA_CLASS_control;
    p->global = of_global(op);
    p->store = store;
}

/* --- states --------------------------------------------------------------- */

static bool at_join(const struct warp *w) {
    return w->depth > 0 && w->pc == w->join;
}

static void settle(struct warp *w) {
    if (w->depth > 0 && (w->mask == 0 || at_join(w)))
        w->state = WARP_POP;
    else if (w->mask == 0)
        w->state = WARP_DRAIN; /* to end */
    else
        w->state = WARP_READY;
}

static bool slot_lives(const struct frontend *n, int slot) {
    for (int w = 0; w < n->l.WARPS; w++)
        if (n->warp[w].live && n->warp[w].slot == slot)
            return true;
    return false;
}

static bool any_lives(const struct frontend *n) {
    for (int w = 0; w < n->l.WARPS; w++)
        if (n->warp[w].live)
            return true;
    return false;
}

/* --- what stands before the edge ------------------------------------------ */

struct edge {
    bool obeys[CLEAR + 1]; /* commands */
    bool taken;            /* at issue */
    bool f_moves;          /* I has room, for what F holds */
    int selected;          /* warp */
    uint64_t drained;      /* warps */
    uint64_t zero;         /* warps with count zero */
    uint64_t passed;       /* warps that pass a barrier */
    int pop_next;
    int slot; /* that is taken */
    bool passes_over, done, counts_idle;
    struct fault fault; /* the first one of this edge */
};

static bool quiet(const struct frontend *n) {
    for (int w = 0; w < n->l.WARPS; w++)
        if (n->warp[w].count)
            return false;
    return !n->i.valid && n->d.state != INITS;
}

static void choose_command(const struct frontend *n,
                           const struct frontend_in *in, struct edge *e) {
    uint64_t op = in->ctl_op & 15, index = in->ctl_index & 0xffff;
    bool still = !running(n) && quiet(n);

    if (!(in->ctl_valid & 1) || op > CLEAR)
        return;
    switch (op) {
    case SET:
        e->obeys[SET] = still && index < REGISTERS;
        break;
    case CODE:
        e->obeys[CODE] = still && index < (uint64_t)n->l.CODE - 1;
        break;
    case PARAM:
        e->obeys[PARAM] = still && index < (uint64_t)n->l.PARAMS;
        break;
    case START:
        e->obeys[START] = n->state != CORE_RUNNING && !faulted(n);
        break;
    case CLEAR:
        e->obeys[CLEAR] = quiet(n);
        break;
    default:
        e->obeys[op] = op == HALT || op == RESUME;
        break;
    }
}

static void choose_select(struct frontend *n, const struct frontend_in *in,
                          struct edge *e) {
    e->selected = NOBODY;
    if (!running(n) || n->halt || (n->f.valid && !e->f_moves))
        return;
    for (int k = 1; k <= n->l.WARPS; k++) {
        int w = (n->chosen + k) % n->l.WARPS;
        const struct warp *p = &n->warp[w];
        if (p->state != WARP_READY)
            continue;
        bool room = in->issue_ready >> w & 1;
        hit_if(n, !room, FRONTEND_COV_not_ready);
        hit_if(n, p->count == n->l.LIMIT, FRONTEND_COV_limit);
        if (room && p->count < n->l.LIMIT && e->selected == NOBODY)
            e->selected = w;
    }
    e->counts_idle = e->selected == NOBODY;
}

static void choose_barrier(struct frontend *n, struct edge *e) {
    bool all = true, waits = false;
    uint64_t there = 0, live = 0;

    for (int w = 0; w < n->l.WARPS; w++) {
        const struct warp *p = &n->warp[w];
        if (!p->live || p->slot != n->barrier_slot)
            continue;
        live++;
        waits |= p->count != 0;
        all &= p->state == WARP_BARRIER;
        there |= bit(w);
    }
    hit_if(n, there && all && waits, FRONTEND_COV_barrier_wait);
    hit_if(n, there && all && !waits && live < n->reg[CTA_WARPS],
           FRONTEND_COV_barrier_exit);
    e->passed = all && !waits ? there : 0;
}

static void choose_cta(struct frontend *n, struct edge *e) {
    const struct dispatcher *d = &n->d;
    bool ending = false;

    e->slot = NOBODY;
    if (!running(n) || !d->more || d->state != LOOKS)
        return;
    if (d->skip) {
        e->passes_over = true;
        return;
    }
    for (int s = 0; s < n->l.CTAS && (uint64_t)s < n->reg[RESIDENT]; s++)
        if (!slot_lives(n, s)) {
            e->slot = s;
            return;
        }
    for (int w = 0; w < n->l.WARPS; w++)
        ending |= n->warp[w].state == WARP_DRAIN && n->warp[w].mask == 0;
    hit_if(n, ending, FRONTEND_COV_cta_waits);
}

static void tell(struct edge *e, enum cause cause, uint64_t warp, uint64_t pc,
                 uint64_t address) {
    if (e->fault.cause == FINE)
        e->fault = (struct fault){cause, warp, pc, address};
}

/* --- X -------------------------------------------------------------------- */

/* The fault of a word of class control, t being its active lanes. */
static enum cause wrong_control(const struct frontend *n, const struct warp *w,
                                uint64_t t) {
    const struct isa_word *i = &w->word;
    bool splits = t != 0 && (w->mask & ~t) != 0;
    bool around = w->depth > 0 && i->join == w->join;
    bool short_way = i->target == i->join || next_pc(n, w->pc) == i->join;

    if (i->op == ISA_bra && splits) {
        if (i->join == ISA_NO_JOIN)
            return NO_JOIN;
        if (!(around && short_way) && w->depth == n->l.STACK)
            return STACK_FULL;
    }
    if (i->op == ISA_bar &&
        ((w->mask | w->gone) != all_lanes(n) || (w->mask & ~t) != 0))
        return BAD_BARRIER;
    if (i->op == ISA_trap && t != 0)
        return TRAPPED;
    return FINE;
}

/* Returns whether an entry is pushed. */
static bool diverge(struct frontend *n, struct warp *w, uint64_t t) {
    const struct isa_word *i = &w->word;
    uint64_t next = next_pc(n, w->pc), stay = w->mask & ~t;
    bool to_join = i->target == i->join, by_join = next == i->join;
    bool plain = w->depth > 0 && i->join == w->join && (to_join || by_join);
    bool both = !to_join && !by_join;
    struct entry entry = {.else_pc = both ? next : 0,
                          .join = w->join,
                          .else_mask = both ? stay : 0,
                          .mask = w->mask};

    w->mask = to_join ? stay : t;
    w->pc = to_join ? next : i->target;
    n->out.count_diverged = 1;
    hit_if(n, to_join, FRONTEND_COV_if_only);
    hit_if(n, plain, FRONTEND_COV_same_join);
    if (plain)
        return false;
    w->join = i->join;
    n->stack[(w - n->warp) * n->l.STACK + w->depth++] = entry;
    hit_if(n, w->depth == 2, FRONTEND_COV_nested);
    hit_if(n, w->depth == n->l.STACK, FRONTEND_COV_deep);
    return true;
}

/* Returns whether an entry is pushed. */
static bool edge_x(struct frontend *n, const struct frontend_in *in,
                   bool wrong) {
    struct warp *w = &n->warp[n->x.warp];
    uint64_t t = n->x.lanes;
    bool pushes = false, was = n->x.valid;

    n->out.count_diverged = 0;
    if (n->x.valid && w->fresh) {
        w->fresh = false;
        w->state = WARP_READY;
    } else if (n->x.valid && !wrong) {
        int op = w->word.op;
        uint64_t stay = w->mask & ~t;
        if (op == ISA_bra && t != 0 && stay != 0)
            pushes = diverge(n, w, t);
        else if (op == ISA_bra && t != 0)
            w->pc = w->word.target;
        else
            w->pc = next_pc(n, w->pc);
        if (op == ISA_exit) {
            w->gone |= t;
            hit_if(n, t != 0 && stay != 0, FRONTEND_COV_exit_some);
            w->mask = stay;
        }
        settle(w);
        if (op == ISA_bar)
            w->state = WARP_BARRIER;
        else if (op == ISA_membar)
            w->state = WARP_DRAIN;
        hit_if(n, op == ISA_membar, FRONTEND_COV_membar_wait);
    }
    n->x.valid = in->resolve_valid & 1;
    if (n->x.valid) {
        n->x.warp = in->resolve_warp & ones(n->l.WARP_W);
        n->x.lanes = in->resolve_lanes & all_lanes(n);
    }
    hit_if(n, was && n->x.valid, FRONTEND_COV_resolved_behind);
    return pushes;
}

/* --- pop ------------------------------------------------------------------ */

static void pop(struct frontend *n, int which) {
    struct warp *w = &n->warp[which];
    struct entry *top = &n->stack[which * n->l.STACK + w->depth - 1];
    uint64_t others = top->else_mask & ~w->gone;

    if (others) {
        w->mask = others;
        w->pc = top->else_pc;
        top->else_mask = 0;
        hit_if(n, true, FRONTEND_COV_if_else);
    } else {
        w->mask = top->mask & ~w->gone;
        w->pc = w->join;
        w->join = top->join;
        w->depth--;
    }
    settle(w);
    hit_if(n, w->state == WARP_POP, FRONTEND_COV_pop_again);
}

static void edge_pop(struct frontend *n, const struct edge *e, bool pushed) {
    if (n->popping == NOBODY) {
        n->popping = e->pop_next;
        return;
    }
    hit_if(n, pushed, FRONTEND_COV_pop_held);
    if (pushed)
        return;
    pop(n, n->popping);
    n->popping = NOBODY;
}

/* --- issue ---------------------------------------------------------------- */

static void edge_taken(struct frontend *n, const struct edge *e) {
    struct warp *w = &n->warp[n->i.warp];

    hit_if(n, n->i.valid && !e->taken, FRONTEND_COV_issue_held);
    if (!e->taken)
        return;
    w->count++;
    w->open |= n->i.global;
    if (n->i.control) {
        w->state = WARP_AWAIT;
        return;
    }
    w->pc = next_pc(n, w->pc);
    if (n->i.store)
        w->state = WARP_DRAIN;
    else
        settle(w);
    hit_if(n, n->i.store, FRONTEND_COV_store_waits);
}

static void show_packet(struct frontend *n, const struct packet *p) {
    struct frontend_out *o = &n->out;

    o->issue_valid = p->valid;
    o->issue_warp = p->warp;
    o->issue_tag = p->tag;
    o->issue_op = p->op;
    o->issue_hint = p->hint;
    o->issue_mask = p->mask;
    o->issue_dst = p->dst;
    o->issue_src0 = p->src[0];
    o->issue_src1 = p->src[1];
    o->issue_src2 = p->src[2];
    o->issue_guard = p->guard;
}

/* The word of F: what the check says, and the packet that it becomes. */
enum check { GOES, WAITS, WRONG };

static enum check check(struct frontend *n, struct packet *p,
                        struct isa_word *w) {
    const struct warp *at = &n->warp[n->f.warp];

    *p = (struct packet){
        .valid = true, .warp = n->f.warp, .tag = n->f.pc, .mask = at->mask};
    if (at->fresh) {
        p->tag = (uint64_t)n->l.CODE - 1;
        p->mask = all_lanes(n);
        p->op = OPC_branch;
        p->dst = row_operand(n, 0);
        p->control = true;
        return GOES;
    }
    if (isa_decode(n->f.word, ISA_REGISTERS, w) != ISA_LEGAL || beyond(n, w)) {
        hit_if(n, !faulted(n), FRONTEND_COV_fault_illegal);
        return WRONG;
    }
    if (names_predicate(n, w)) {
        hit_if(n, !faulted(n), FRONTEND_COV_fault_register);
        return WRONG;
    }
    if (of_global(w->op) && at->open)
        return WAITS;
    translate(n, w, p);
    hit_if(n, w->guard == ISA_TRUE && w->unless, FRONTEND_COV_never);
    hit_if(n, p->tag == (uint64_t)n->l.CODE - 1, FRONTEND_COV_last_word);
    return GOES;
}

static void edge_front(struct frontend *n, const struct edge *e, enum check c,
                       const struct packet *p, const struct isa_word *w) {
    struct frontend_out *o = &n->out;
    bool moves = n->f.valid && e->f_moves;

    o->count_issued = moves && c == GOES;
    o->count_blocked = moves && c == WAITS;
    if (e->taken)
        memset(&n->i, 0, sizeof n->i);
    if (moves && c == GOES) {
        n->i = *p;
        if (!n->warp[p->warp].fresh)
            n->warp[p->warp].word = *w;
    }
    if (moves && c == WAITS) {
        n->warp[n->f.warp].state = WARP_DRAIN;
        hit_if(n, true, FRONTEND_COV_open_waits);
    }
    show_packet(n, &n->i);
    if (moves || faulted(n))
        n->f.valid = false;
    o->count_idle = e->counts_idle;
    if (e->selected == NOBODY)
        return;
    n->chosen = e->selected;
    n->warp[e->selected].state = WARP_FLIGHT;
    n->f.valid = true;
    n->f.warp = (uint64_t)e->selected;
    n->f.pc = n->warp[e->selected].pc;
    n->f.word = n->code[n->f.pc];
}

/* --- drain, barrier, commit ----------------------------------------------- */

static void edge_drains(struct frontend *n, const struct edge *e) {
    for (int w = 0; w < n->l.WARPS; w++) {
        struct warp *p = &n->warp[w];
        bool ends = p->mask == 0 && p->depth == 0;
        if (e->zero >> w & 1)
            p->open = false;
        if (e->passed >> w & 1)
            settle(p);
        if (!(e->drained >> w & 1))
            continue;
        if (ends) {
            p->state = WARP_IDLE;
            p->live = false;
        } else {
            settle(p);
        }
    }
    n->out.count_barrier = e->passed != 0;
    n->barrier_slot = (n->barrier_slot + 1) % n->l.CTAS;
}

static void edge_commit(struct frontend *n, const struct frontend_in *in,
                        const struct edge *e) {
    uint64_t w = in->commit_warp & ones(n->l.WARP_W);

    if (!(in->commit_valid & 1))
        return;
    n->warp[w].count--;
    hit_if(n, e->taken && n->i.warp == w, FRONTEND_COV_taken_committed);
}

/* --- dispatch ------------------------------------------------------------- */

static bool step(uint64_t *at, const uint64_t *size) {
    for (int i = 0; i < 3; i++) {
        if (++at[i] < size[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static uint64_t rows_of(const struct frontend *n) {
    return n->reg[SHARED_BYTES] / (uint64_t)(4 * n->l.ALUS);
}

static int warp_of(const struct frontend *n) {
    return n->d.slot * (int)n->reg[CTA_WARPS] + n->d.number;
}

static uint32_t value_of(const struct frontend *n, int index) {
    const struct dispatcher *d = &n->d;

    switch (index) {
    case ISA_SPECIAL_warpid:
        return (uint32_t)d->number;
    case ISA_SPECIAL_slot:
        return (uint32_t)(warp_of(n) * n->l.LANES);
    case ISA_SPECIAL_shared:
        return (uint32_t)n->reg[SHARED_BYTES];
    default:
        break;
    }
    if (index < ISA_SPECIAL_ntid_x)
        return (uint32_t)d->at[index - ISA_SPECIAL_ctaid_x];
    if (index < ISA_SPECIAL_nctaid_x)
        return (uint32_t)n->reg[BLOCK + index - ISA_SPECIAL_ntid_x];
    return (uint32_t)n->reg[GRID + index - ISA_SPECIAL_nctaid_x];
}

static void begin_fill(struct dispatcher *d) {
    d->state = FILLS;
    d->edge = 0;
    d->lanes = 0;
    memset(d->row, 0, sizeof d->row);
}

static void fill(struct frontend *n) {
    struct dispatcher *d = &n->d;
    struct frontend_out *o = &n->out;
    int k = d->edge++;

    if (k < n->l.LANES && d->left) {
        d->row[k] =
            (uint32_t)((d->thread[0] & 1023) | (d->thread[1] & 1023) << 10 |
                       (d->thread[2] & 1023) << 20);
        d->lanes |= bit(k);
        d->left--;
        (void)step(d->thread, n->reg + BLOCK);
    }
    if (k < n->l.VALUES) {
        int index = k == n->l.VALUES - 1 ? ISA_SPECIAL_shared : k + 1;
        o->value_valid = 1;
        o->value_warp = (uint64_t)warp_of(n);
        o->value_index = (uint64_t)index;
        o->value_word = value_of(n, index);
    }
    if (k == 0) {
        o->window_valid = 1;
        o->window_warp = (uint64_t)warp_of(n);
        o->window_base = (uint64_t)d->slot * rows_of(n) & ones(n->l.BANK_W);
        o->window_rows = rows_of(n) & ones(n->l.BANK_W + 1);
    }
    if (d->edge == n->l.FILL) {
        d->state = INITS;
        hit_if(n, d->lanes != all_lanes(n), FRONTEND_COV_partial);
    }
}

static void begin_warp(struct frontend *n) {
    struct dispatcher *d = &n->d;
    struct warp *w = &n->warp[warp_of(n)];

    w->state = WARP_READY;
    w->fresh = true;
    w->pc = n->reg[ENTRY];
    w->mask = d->lanes;
    w->gone = all_lanes(n) & ~d->lanes;
    w->depth = 0;
    w->join = 0;
    if ((uint64_t)++d->number < n->reg[CTA_WARPS])
        begin_fill(d);
    else
        d->state = LOOKS;
}

static void take_cta(struct frontend *n, int slot) {
    struct dispatcher *d = &n->d;

    memcpy(d->at, d->next, sizeof d->at);
    d->more = step(d->next, n->reg + GRID);
    d->skip = n->reg[CTA_STEP] ? n->reg[CTA_STEP] - 1 : 0;
    d->state = BASE;
    d->slot = slot;
    d->number = 0;
    d->left = n->reg[THREADS];
    memset(d->thread, 0, sizeof d->thread);
    n->out.count_cta = 1;
}

static void edge_dispatch(struct frontend *n, const struct frontend_in *in,
                          const struct edge *e) {
    struct dispatcher *d = &n->d;
    struct frontend_out *o = &n->out;

    o->value_valid = o->value_warp = o->value_index = o->value_word = 0;
    o->window_valid = o->window_warp = o->window_base = o->window_rows = 0;
    o->count_cta = 0;
    if (d->state == INITS) {
        hit_if(n, !(in->init_ready & 1), FRONTEND_COV_init_held);
        if (in->init_ready & 1)
            begin_warp(n);
    } else if (d->state == BASE) {
        for (int k = 0; (uint64_t)k < n->reg[CTA_WARPS]; k++) {
            struct warp *w = &n->warp[(warp_of(n) + k) % MAX_WARPS];
            w->live = true;
            w->slot = d->slot;
        }
        begin_fill(d);
    } else if (d->state == FILLS && !faulted(n)) {
        fill(n);
    } else if (e->slot != NOBODY) {
        take_cta(n, e->slot);
    } else if (e->passes_over) {
        d->more = step(d->next, n->reg + GRID);
        d->skip--;
        hit_if(n, true, FRONTEND_COV_passed_over);
    }
    o->init_valid = d->state == INITS;
    o->init_warp = o->init_valid ? (uint64_t)warp_of(n) : 0;
    o->init_mask = o->init_valid ? d->lanes : 0;
    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(o->init_row, i, o->init_valid ? d->row[i] : 0);
}

/* --- commands, faults ----------------------------------------------------- */

static uint64_t kept(const struct frontend *n, int reg, uint64_t data) {
    const struct frontend_local *l = &n->l;
    const int bits[REGISTERS] = {
        l->TAG_W,  32,         16, 16, 11, 11, 11, l->THREADS_W,
        l->BORN_W, l->SLOTS_W, 32, 32, 32, 8,  8};

    return data & ones(bits[reg]);
}

static void edge_commands(struct frontend *n, const struct frontend_in *in,
                          const struct edge *e) {
    struct frontend_out *o = &n->out;
    uint64_t index = in->ctl_index & 0xffff, last = (uint64_t)n->l.CODE - 1;
    uint64_t tag = 0, word = 0;

    if (e->obeys[SET])
        n->reg[index] = kept(n, (int)index, in->ctl_data);
    if (e->obeys[HALT])
        n->halt = true;
    if (e->obeys[RESUME]) {
        hit_if(n, n->halt && running(n), FRONTEND_COV_halt_resume);
        n->halt = false;
    }
    o->param_valid = e->obeys[PARAM];
    o->param_index = e->obeys[PARAM] ? index : 0;
    o->param_word = e->obeys[PARAM] ? (uint32_t)in->ctl_data : 0;
    if (e->obeys[CODE]) {
        tag = index;
        word = in->ctl_data;
    } else if (e->obeys[START]) {
        struct isa_word nop = {.op = ISA_nop, .guard = ISA_TRUE};
        tag = last;
        (void)isa_encode(&nop, &word);
        n->state = CORE_RUNNING;
        n->silent = 0;
        n->d.more = n->reg[GRID] && n->reg[GRID + 1] && n->reg[GRID + 2];
        n->d.skip = n->reg[FIRST_CTA];
        memset(n->d.next, 0, sizeof n->d.next);
    }
    o->far_code_valid = o->near_code_valid = e->obeys[CODE] || e->obeys[START];
    o->far_code_tag = o->near_code_tag = tag;
    o->far_code_word = o->near_code_word = word;
    if (o->far_code_valid)
        n->code[tag] = word;
}

static void choose_faults(struct frontend *n, const struct frontend_in *in,
                          enum check c, struct edge *e, enum cause control) {
    bool counts = running(n) && !n->halt;
    bool far = in->far_fault_valid & 1, near = in->near_fault_valid & 1;
    bool wrong = n->f.valid && e->f_moves && c == WRONG;

    if (far)
        tell(e, (enum cause)(in->far_fault_cause & 15),
             in->far_fault_warp & ones(n->l.WARP_W),
             in->far_fault_tag & ones(n->l.TAG_W),
             (uint32_t)in->far_fault_address);
    if (near)
        tell(e, in->near_fault_odd & 1 ? MISALIGNED : UNMAPPED,
             in->near_fault_warp & ones(n->l.WARP_W),
             in->near_fault_tag & ones(n->l.TAG_W),
             (uint32_t)in->near_fault_address);
    if (control != FINE)
        tell(e, control, n->x.warp, n->warp[n->x.warp].pc, 0);
    if (wrong)
        tell(e, ILLEGAL, n->f.warp, n->f.pc, 0);
    bool late = counts && !(in->commit_valid & 1) && n->reg[WATCHDOG] &&
                n->silent + 1 == n->reg[WATCHDOG];
    if (late)
        tell(e, EXPIRED, 0, 0, 0);
    if (counts)
        n->silent = in->commit_valid & 1 ? 0 : n->silent + 1;
    if (faulted(n))
        return;
    hit_if(n, far + near + (control != FINE) + wrong > 1,
           FRONTEND_COV_two_faults);
    hit_if(n, e->fault.cause && n->i.valid && !e->taken,
           FRONTEND_COV_fault_held);
    hit_if(n, e->fault.cause == STACK_FULL, FRONTEND_COV_fault_stack);
    hit_if(n, e->fault.cause == NO_JOIN, FRONTEND_COV_fault_join);
    hit_if(n, e->fault.cause == BAD_BARRIER, FRONTEND_COV_fault_barrier);
    hit_if(n, e->fault.cause == TRAPPED, FRONTEND_COV_fault_trap);
    hit_if(n, e->fault.cause == EXPIRED, FRONTEND_COV_watchdog);
    hit_if(n, far, FRONTEND_COV_fault_far);
    hit_if(n, !far && near, FRONTEND_COV_fault_near);
}

static void show_status(struct frontend *n) {
    struct frontend_out *o = &n->out;

    o->state = faulted(n) ? CORE_FAULTED : n->state;
    o->halted = n->halt && !n->f.valid && !n->i.valid;
    o->quiet = quiet(n);
    o->fault_cause = n->fault.cause;
    o->fault_warp = n->fault.warp;
    o->fault_pc = n->fault.pc;
    o->fault_address = n->fault.address;
    o->launch_now = (uint32_t)n->now;
    o->launch_bound = n->reg[BOUND];
}

/* --- an edge -------------------------------------------------------------- */

static void choose_warps(struct frontend *n, struct edge *e) {
    e->pop_next = NOBODY;
    for (int w = n->l.WARPS - 1; w >= 0; w--) {
        const struct warp *p = &n->warp[w];
        if (p->count == 0)
            e->zero |= bit(w);
        if (p->state == WARP_DRAIN && p->count == 0)
            e->drained |= bit(w);
        if (p->state == WARP_POP)
            e->pop_next = w;
        hit_if(n, p->state == WARP_DRAIN && p->mask == 0 && p->count > 0,
               FRONTEND_COV_exit_waits);
    }
}

static void edge(struct golden *g, const void *ports) {
    struct frontend *n = (struct frontend *)g;
    const struct frontend_in *in = ports;
    struct edge e = {0};
    struct packet p = {0};
    struct isa_word word = {0};
    enum check c = GOES;
    enum cause control = FINE;
    bool was_running = running(n), was_faulted = faulted(n);

    choose_command(n, in, &e);
    if (e.obeys[CLEAR]) {
        hit_if(n, was_faulted, FRONTEND_COV_clear);
        clear(n);
        return;
    }
    e.taken = n->i.valid && in->issue_ready >> n->i.warp & 1;
    e.f_moves = (!n->i.valid || e.taken) && !was_faulted;
    if (n->f.valid)
        c = check(n, &p, &word);
    if (n->x.valid && !n->warp[n->x.warp].fresh)
        control = wrong_control(n, &n->warp[n->x.warp], n->x.lanes);
    choose_select(n, in, &e);
    choose_warps(n, &e);
    choose_barrier(n, &e);
    choose_cta(n, &e);
    choose_faults(n, in, c, &e, control);
    e.done = was_running && !n->d.more && n->d.state == LOOKS && !any_lives(n);

    edge_drains(n, &e);
    edge_commit(n, in, &e);
    edge_taken(n, &e);
    bool pushed = edge_x(n, in, control != FINE);
    edge_pop(n, &e, pushed);
    edge_dispatch(n, in, &e);
    edge_front(n, &e, c, &p, &word);
    if (was_running)
        n->now++;
    if (e.obeys[START])
        n->now = 0;
    edge_commands(n, in, &e);
    if (e.done)
        n->state = CORE_DONE;
    if (!was_faulted)
        n->fault = e.fault;
    show_status(n);
}

const struct golden_class frontend_golden = {
    .iface = &frontend_iface,
    MODEL_STRUCT(struct frontend),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};
