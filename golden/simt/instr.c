/* instr.c - words of the code, taken apart once, and what a pass computes of
 * them: operands, guard, results.  Arithmetic is that of golden/isa/alu.c. */
#include "state.h"

#include "isa/alu.h"

/* --- words ---------------------------------------------------------------- */

static struct type type_of(const struct isa_word *w) {
    const struct isa_info *info = isa_info(w->op);
    struct type t = {.op = w->op, .bytes = 4, .space = CROSS};
    if (info->class == ISA_CLASS_cross) {
        t.deed = w->op == ISA_vote ? VOTE : SHUFFLE;
        return t;
    }
    t.space = info->timing == ISA_TIMING_shared ? SHARED : GLOBAL;
    if (info->class == ISA_CLASS_atomic) {
        t.deed = ATOMIC;
        t.mem_op = (uint8_t)(w->op % 16 + 2);
        return t;
    }
    t.deed = isa_has(w->op, 'd') ? LOAD : STORE;
    t.mem_op = t.deed == STORE;
    switch (w->op) {
    case ISA_ldg_s8:
    case ISA_lds_s8:
        t.is_signed = true;
        /* fall through */
    case ISA_ldg_u8:
    case ISA_lds_u8:
    case ISA_stg_b8:
    case ISA_sts_b8:
        t.bytes = 1;
        break;
    case ISA_ldg_s16:
    case ISA_lds_s16:
        t.is_signed = true;
        /* fall through */
    case ISA_ldg_u16:
    case ISA_lds_u16:
    case ISA_stg_b16:
    case ISA_sts_b16:
        t.bytes = 2;
        break;
    default:
        break;
    }
    return t;
}

static enum kind kind_of(int op) {
    switch (isa_info(op)->class) {
    case ISA_CLASS_control:
        return DO_CONTROL;
    case ISA_CLASS_special:
        return op == ISA_ldp ? DO_PARAM : DO_SPECIAL;
    case ISA_CLASS_pred:
    case ISA_CLASS_compare:
        return DO_TEST;
    case ISA_CLASS_global:
    case ISA_CLASS_shared:
    case ISA_CLASS_atomic:
    case ISA_CLASS_cross:
        return DO_ACCESS;
    default:
        return DO_VALUE;
    }
}

/* Registers that the word names. */
static uint64_t registers_of(const struct isa_word *w) {
    int op = w->op;
    uint64_t set = 0;
    if (isa_has(op, 'd'))
        set |= bit(w->d);
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        set |= bit(w->a);
    if (isa_has(op, 'b') || ((isa_has(op, 'i') || isa_has(op, 'f')) && !w->imm))
        set |= bit(w->b);
    if (isa_has(op, 'c'))
        set |= bit(w->c);
    return set;
}

/* Target and join lie within the code. */
static bool places_there(const struct simt *n, const struct isa_word *w) {
    return w->target < n->l.CODE &&
           (w->join == ISA_NO_JOIN || w->join < n->l.CODE);
}

/* Form iterative: who stops the pipe, and for how long. */
static void hold_of(const struct simt *n, struct instr *i) {
    switch (i->w.op) {
    case ISA_shl:
    case ISA_shr:
    case ISA_sar:
        i->hold = 1;
        i->shifts = true;
        return;
    case ISA_popc:
    case ISA_clz:
        i->hold = (uint8_t)n->l.HOLD_MUL;
        return;
    default:
        break;
    }
    switch (isa_info(i->w.op)->timing) {
    case ISA_TIMING_fma:
        i->hold = (uint8_t)n->l.HOLD_FMA;
        break;
    case ISA_TIMING_mul:
        i->hold = (uint8_t)n->l.HOLD_MUL;
        break;
    case ISA_TIMING_convert:
        i->hold = (uint8_t)n->l.HOLD_CONVERT;
        break;
    default:
        break;
    }
}

void simt_instr(const struct simt *n, uint64_t word, struct instr *i) {
    *i = (struct instr){0};
    i->illegal = isa_decode(word, n->l.REGS, &i->w) != ISA_LEGAL ||
                 (i->w.op == ISA_bra && !places_there(n, &i->w)) ||
                 (i->w.op == ISA_ldp && i->w.value >= (uint32_t)n->l.PARAMS);
    if (i->illegal)
        return;
    i->kind = (uint8_t)kind_of(i->w.op);
    i->regs = registers_of(&i->w);
    if (n->l.ITERATIVE)
        hold_of(n, i);
    if (i->kind == DO_ACCESS) {
        i->type = type_of(&i->w);
        i->result = isa_has(i->w.op, 'd');
    }
}

/* --- operands ------------------------------------------------------------- */

/* Lanes of a warp in which a predicate holds; its field has the inverter. */
static uint32_t predicate(const struct simt *n, int warp, int field) {
    uint32_t p =
        (field & 7) == ISA_TRUE ? n->lanes : n->predicates[warp][field & 7];
    return field & ISA_INVERT ? ~p & n->lanes : p;
}

static const uint32_t *reg(const struct simt *n, int warp, int r) {
    return n->registers[warp * n->l.REGS + r];
}

static uint32_t special(const struct simt *n, int warp, int index, int lane) {
    const struct slot *slot = &n->s.slot[n->s.warp[warp].slot];
    switch (index) {
    case ISA_SPECIAL_laneid:
        return (uint32_t)lane;
    case ISA_SPECIAL_warpid:
        return (uint32_t)warp - n->s.warp[warp].slot * n->launch[REG_CTA_WARPS];
    case ISA_SPECIAL_ctaid_x:
    case ISA_SPECIAL_ctaid_y:
    case ISA_SPECIAL_ctaid_z:
        return slot->at[index - ISA_SPECIAL_ctaid_x];
    case ISA_SPECIAL_ntid_x:
    case ISA_SPECIAL_ntid_y:
    case ISA_SPECIAL_ntid_z:
        return n->launch[REG_BLOCK + index - ISA_SPECIAL_ntid_x] &
               (uint32_t)ones(11);
    case ISA_SPECIAL_nctaid_x:
    case ISA_SPECIAL_nctaid_y:
    case ISA_SPECIAL_nctaid_z:
        return n->launch[REG_GRID + index - ISA_SPECIAL_nctaid_x];
    case ISA_SPECIAL_slot:
        return (uint32_t)(warp * n->l.LANES + lane);
    case ISA_SPECIAL_clock:
        return n->s.clock;
    default:
        return n->launch[REG_SHARED];
    }
}

/* --- a pass --------------------------------------------------------------- */

#define each_lane(lane, set)                                                   \
    for (uint32_t rest_ = (set), lane;                                         \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true);               \
         rest_ &= rest_ - 1)

/* Form iterative; b: distances of the lanes, NULL: the word has it. */
static void hold_pass(const struct flight *f, const uint32_t *b,
                      struct pass *p) {
    uint32_t most = 0;
    each_lane(lane, f->i.shifts ? p->active : 0) {
        uint32_t distance = b ? b[lane] : f->i.w.value;
        if (distance > 32)
            distance = 32;
        if (distance > most)
            most = distance;
    }
    p->hold = (uint8_t)(f->i.hold + most);
}

static void compute_value(const struct simt *n, const struct flight *f,
                          int first, struct pass *p) {
    const struct isa_word *w = &f->i.w;
    const uint32_t *a = reg(n, f->warp, w->a) + first;
    const uint32_t *b = reg(n, f->warp, w->b) + first;
    const uint32_t *c = reg(n, f->warp, w->c & (n->l.REGS - 1)) + first;
    uint32_t holds = 0;
    if (w->op == ISA_sel)
        holds = predicate(n, f->warp, w->c) >> first;
    hold_pass(f, w->imm ? NULL : b, p);
    alu_values(w, n->l.ALUS, p->active, a,
               w->imm || w->op == ISA_movi ? NULL : b, c, holds, p->value);
}

static void compute_test(const struct simt *n, const struct flight *f,
                         int first, struct pass *p) {
    const struct isa_word *w = &f->i.w;
    if (isa_info(w->op)->class == ISA_CLASS_pred) {
        uint32_t a = predicate(n, f->warp, w->a) >> first;
        uint32_t b = predicate(n, f->warp, w->b) >> first;
        each_lane(lane, p->active) p->value[lane] =
            alu_test(w, a >> lane & 1, b >> lane & 1);
        return;
    }
    const uint32_t *a = reg(n, f->warp, w->a) + first;
    const uint32_t *b = reg(n, f->warp, w->b) + first;
    each_lane(lane, p->active) p->value[lane] =
        alu_test(w, a[lane], w->imm ? w->value : b[lane]);
}

/* What the access buffer takes. */
static void compute_access(const struct simt *n, const struct flight *f,
                           int first, struct pass *p) {
    const struct isa_word *w = &f->i.w;
    const uint32_t *a = reg(n, f->warp, w->a) + first;
    const uint32_t *b = reg(n, f->warp, w->b) + first;
    const uint32_t *c = reg(n, f->warp, w->c & (n->l.REGS - 1)) + first;
    bool offset = f->i.type.deed == LOAD || f->i.type.deed == STORE;
    uint32_t holds = 0;
    if (f->i.type.deed == VOTE)
        holds = predicate(n, f->warp, w->c) >> first;
    for (int lane = 0; lane < n->l.ALUS; lane++) {
        p->value[lane] = a[lane] + (offset ? w->value : 0);
        p->b[lane] = w->imm ? w->value : b[lane];
        p->c[lane] = f->i.type.deed == VOTE ? holds >> lane & 1 : c[lane];
    }
}

/* With chains offered: what the arithmetic would get. */
static void compute_offer(const struct simt *n, const struct flight *f,
                          int first, struct pass *p) {
    const struct isa_word *w = &f->i.w;
    enum isa_class class = isa_info(w->op)->class;
    bool preds = class == ISA_CLASS_pred;
    bool number = w->imm || isa_has(w->op, 'w');
    bool offset = isa_has(w->op, 'm');
    int b_reg = (int)(n->words[f->pc] >> 40) & (n->l.REGS - 1);
    const uint32_t *a = reg(n, f->warp, w->a & (n->l.REGS - 1)) + first;
    const uint32_t *b = reg(n, f->warp, b_reg) + first;
    uint32_t p_a = preds ? predicate(n, f->warp, w->a) >> first : 0;
    uint32_t p_b = preds ? predicate(n, f->warp, w->b) >> first : 0;
    for (int lane = 0; lane < n->l.ALUS; lane++) {
        p->value[lane] =
            preds ? p_a >> lane & 1 : a[lane] + (offset ? w->value : 0);
        p->b[lane] = preds ? p_b >> lane & 1
                     : f->i.kind == DO_SPECIAL
                         ? special(n, f->warp, (int)w->value, first + lane)
                     : f->i.kind == DO_PARAM ? n->params[w->value]
                     : number                ? w->value
                                             : b[lane];
        p->c[lane] = 0;
    }
}

static void compute_instr(const struct simt *n, const struct flight *f,
                          int first, struct pass *p) {
    const struct isa_word *w = &f->i.w;
    uint32_t guard =
        predicate(n, f->warp, w->guard | (w->unless ? ISA_INVERT : 0));
    if (f->offer && n->l.MOVES)
        guard = n->lanes; /* the block's lanes are those of the warp */
    p->active =
        (n->s.warp[f->warp].mask & guard) >> first & (uint32_t)ones(n->l.ALUS);
    if (f->offer) {
        compute_offer(n, f, first, p);
        return;
    }
    switch (f->i.kind) {
    case DO_VALUE:
        compute_value(n, f, first, p);
        break;
    case DO_TEST:
        compute_test(n, f, first, p);
        p->kind = 2;
        p->d = w->d;
        return;
    case DO_SPECIAL:
        each_lane(lane, p->active) p->value[lane] =
            special(n, f->warp, (int)w->value, first + (int)lane);
        break;
    case DO_PARAM:
        each_lane(lane, p->active) p->value[lane] = n->params[w->value];
        break;
    case DO_ACCESS:
        compute_access(n, f, first, p);
        return;
    default:
        return;
    }
    p->kind = 1;
    p->d = w->d;
}

/* Lanes that the warp has not may have anything. */
static void look(const struct simt *n, const struct flight *f, int first,
                 struct pass *p) {
    uint32_t lanes = n->s.warp[f->warp].mask >> first;
    uint32_t holds = f->pred ? predicate(n, f->warp, f->reg) >> first : 0;
    const uint32_t *values = reg(n, f->warp, f->reg) + first;

    each_lane(lane, lanes & (uint32_t)ones(n->l.ALUS)) p->value[lane] =
        f->pred ? holds >> lane & 1 : values[lane];
}

void simt_compute(struct simt *n, const struct flight *f, int pass,
                  struct pass *p) {
    int first = pass * n->l.ALUS;
    bool pred = false;
    p->valid = true;
    p->last = pass == n->l.PASSES - 1;
    p->n = (uint8_t)pass;
    p->kind = p->d = p->hold = 0;
    p->active = 0;
    p->f = *f;
    memset(p->value, 0, (size_t)n->l.ALUS * sizeof *p->value);
    switch (f->item) {
    case AN_INSTR:
        compute_instr(n, f, first, p);
        return;
    case A_RETURN:
        p->active = n->s.ticket[f->ticket].active >> first;
        p->d = n->s.ticket[f->ticket].d;
        memcpy(p->value, n->rows[f->ticket] + first,
               (size_t)n->l.ALUS * sizeof *p->value);
        pred = n->s.ticket[f->ticket].pred;
        break;
    case AN_INIT:
        p->active = n->s.dispatcher.lanes >> first;
        memcpy(p->value, n->s.dispatcher.packed + first,
               (size_t)n->l.ALUS * sizeof *p->value);
        break;
    case A_LOOK:
        look(n, f, first, p);
        return;
    default: /* A_READ */
        memcpy(p->value, reg(n, f->warp, f->reg) + first,
               (size_t)n->l.ALUS * sizeof *p->value);
        return;
    }
    p->kind = pred ? 2 : 1;
    p->active &= (uint32_t)ones(n->l.ALUS);
    for (int lane = 0; lane < n->l.ALUS; lane++)
        if (!(p->active >> lane & 1))
            p->value[lane] = 0;
        else if (pred)
            p->value[lane] &= 1;
}
