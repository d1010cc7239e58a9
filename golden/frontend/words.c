/* words.c - golden front end: what a word says, and the check of it. */
#include "state.h"

#include "iface/opclass.h"

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

/* A word of global memory that is stored, whose data are near. */
static bool is_store(int op) {
    return op == ISA_stg_b32;
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
    if (of_shared(op) && n->l.NEAR_SHARED)
        return isa_has(op, 'd') ? OPC_ld_shared : OPC_st_shared;
    if (of_shared(op) || isa_info(op)->class == ISA_CLASS_atomic)
        return OPC_atomic;
    if (is_store(op))
        return OPC_st_global;
    return op == ISA_ldg_b32 ? OPC_ld_global : OPC_atomic; /* parts of words */
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
    bool store = is_store(op);
    bool number = w->imm || isa_has(op, 'w');

    p->op = class_of(n, op);
    p->hint = of_shared(op) && n->l.NEAR_SHARED ? (uint64_t)ISA_NEAR : w->place;
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

enum check frontend_check(struct frontend *n, struct packet *p,
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
