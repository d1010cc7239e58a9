/* words.c - programs of machine words, and what a front end makes of one. */
#include "env.h"

#include "base/array.h"
#include "base/bits.h"
#include "iface/opclass.h"
#include "isa/alu.h"

bool words_computed(int op) {
    return alu_is_value(op) || alu_is_test(op);
}

/* Registers that a word can name. */
static uint32_t rows_of(const struct near_bank_stim *s) {
    uint32_t n = (uint32_t)s->size.REGS - PREDICATES;
    return n < ISA_REGISTERS ? n : ISA_REGISTERS;
}

static uint8_t some_row(struct near_bank_stim *s) {
    uint32_t n = rows_of(s), hot = (uint32_t)s->tune.hot;
    return (uint8_t)rng_below(&s->base.rng, hot && hot < n ? hot : n);
}

/* With p7 at times, and inverted. */
static uint8_t some_pred(struct near_bank_stim *s) {
    struct rng *r = &s->base.rng;
    uint32_t n = s->tune.hot && s->tune.hot < 7 ? (uint32_t)s->tune.hot : 7;
    uint8_t p = (uint8_t)(rng_percent(r, 10) ? ISA_TRUE : rng_below(r, n));
    return (uint8_t)(p | (rng_percent(r, 40) ? ISA_INVERT : 0));
}

static uint32_t some_value(struct near_bank_stim *s) {
    static const uint32_t odd[] = {0,          1,          0x80000000,
                                   0xffffffff, 0x7f800000, 0x3f800000,
                                   0xbf800000, 0x7f800001, 31};
    struct rng *r = &s->base.rng;
    if (rng_percent(r, 30))
        return odd[rng_below(r, sizeof odd / sizeof *odd)];
    if (rng_percent(r, 30)) /* f32 about one */
        return 0x3f000000 + (uint32_t)rng_next(r) % 0x01000000;
    return (uint32_t)rng_next(r);
}

static int some_access(struct near_bank_stim *s) {
    struct rng *r = &s->base.rng;
    int op = ISA_sts_b32;
    bool any = rng_percent(r, 60);
    while (any &&
           (!isa_info(op)->text || !shared_is(s, op) || op == ISA_sts_b32))
        op = 1 + (int)rng_below(r, ISA_OPS - 1);
    return op;
}

static int some_op(struct near_bank_stim *s) {
    static const int others[] = {ISA_s2r,     ISA_ldp,     ISA_ldg_b32,
                                 ISA_ldg_b32, ISA_stg_b32, ISA_stg_b32,
                                 ISA_atg_add, ISA_membar,  ISA_lds_b32,
                                 ISA_sts_b32, ISA_ats_add};
    struct rng *r = &s->base.rng;
    int op = s->tune.op;
    if (s->shares && rng_percent(r, s->tune.shared))
        return some_access(s);
    if (rng_percent(r, s->tune.others))
        return others[rng_below(r, sizeof others / sizeof *others)];
    while (op == 0 || !isa_info(op)->text || !words_computed(op))
        op = 1 + (int)rng_below(r, ISA_OPS - 1);
    return op;
}

static void some_number(struct near_bank_stim *s, struct isa_word *w) {
    struct rng *r = &s->base.rng;
    bool f32 = isa_has(w->op, 'f');
    if (!f32 && !isa_has(w->op, 'i'))
        return;
    w->imm = rng_percent(r, 30);
    if (!w->imm)
        w->b = some_row(s);
    else if (f32)
        w->value = some_value(s) & ~(uint32_t)0xff;
    else
        w->value = (uint32_t)bits_signed(rng_below(r, 1 << 24), 24);
}

uint64_t words_random(struct near_bank_stim *s) {
    struct rng *r = &s->base.rng;
    int op = some_op(s);
    struct isa_word w = {.op = (uint8_t)op, .guard = ISA_TRUE};
    uint64_t word = 0;
    if (!isa_has(op, 'U') && rng_percent(r, s->tune.guards)) {
        uint8_t p = some_pred(s);
        w.guard = p & ISA_TRUE;
        w.unless = w.guard != ISA_TRUE && (p & ISA_INVERT);
    }
    if (isa_has(op, 'd'))
        w.d = some_row(s);
    if (isa_has(op, 'D'))
        w.d = some_pred(s) & ISA_TRUE;
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        w.a = some_row(s);
    if (isa_has(op, 'A'))
        w.a = some_pred(s);
    if (isa_has(op, 'b'))
        w.b = some_row(s);
    if (isa_has(op, 'B'))
        w.b = some_pred(s);
    if (isa_has(op, 'c'))
        w.c = some_row(s);
    if (isa_has(op, 'C'))
        w.c = some_pred(s);
    some_number(s, &w);
    if (isa_has(op, 'm') || isa_has(op, 's') || isa_has(op, 'p')) {
        w.imm = true;
        w.value = rng_below(r, 4);
    }
    if (isa_has(op, 'm'))
        w.value = (uint32_t)(4 * rng_range(r, -1, 2));
    if (isa_has(op, 'w'))
        w.value = some_value(s);
    if (s->shares && isa_has(op, 'w') && rng_percent(r, 40))
        w.value = 4 * rng_below(r, (uint32_t)s->span / 4);
    if (isa_has(op, 'R'))
        w.round = (uint8_t)rng_below(r, 4);
    if (!w.imm) {
        w.ftz = isa_has(op, 'Z') && rng_percent(r, 40);
        w.sat = isa_has(op, 'S') && rng_percent(r, 30);
    }
    int hint = (int)rng_below(r, 100) - s->tune.hint[0];
    w.place = hint < 0                 ? ISA_FAR
              : hint < s->tune.hint[1] ? ISA_NEAR
                                       : ISA_ANYWHERE;
    /* of offload chains and candidates, which mean nothing here */
    w.chain = (uint8_t)rng_below(r, 16);
    w.mark = rng_percent(r, 50);
    if (isa_encode(&w, &word) != ISA_LEGAL)
        BUG("a word of operation 0x%02x is not legal", op);
    return word;
}

/* --- as the near-bank unit has it ----------------------------------------- */

static uint64_t class_of(const struct near_bank_stim *s,
                         const struct isa_word *w) {
    if (shared_is(s, w->op))
        return isa_has(w->op, 'd') ? OPC_ld_shared : OPC_st_shared;
    switch (isa_info(w->op)->class) {
    case ISA_CLASS_special:
        return OPC_ld_const;
    case ISA_CLASS_pred:
    case ISA_CLASS_compare:
        return OPC_setp;
    case ISA_CLASS_int:
        return w->op == ISA_mov || w->op == ISA_movi ? OPC_mov : OPC_int;
    case ISA_CLASS_mul:
        return OPC_int;
    case ISA_CLASS_f32:
        return isa_info(w->op)->timing == ISA_TIMING_convert ? OPC_cvt : OPC_fp;
    case ISA_CLASS_global:
        return w->op == ISA_ldg_b32   ? OPC_ld_global
               : w->op == ISA_stg_b32 ? OPC_st_global
                                      : OPC_atomic; /* parts of words */
    case ISA_CLASS_atomic:
        return OPC_atomic;
    default:
        return OPC_fence;
    }
}

static void name(struct near_bank_stim *s, struct instr *i, enum operand o,
                 bool pred, int number) {
    uint64_t preds = (uint64_t)s->size.REGS - PREDICATES;
    number &= pred ? ISA_TRUE : ISA_REGISTERS - 1;
    i->has[o] = !pred || number != ISA_TRUE;
    if (!i->has[o])
        return;
    i->reg[o] = pred ? preds + (uint64_t)number : (uint64_t)number;
    i->kind[o] = pred ? 2 : 0;
}

struct instr words_instr(struct near_bank_stim *s, int warp, uint64_t tag) {
    struct instr i = {.warp = warp, .tag = tag};
    struct isa_word *w = &i.word;
    if (isa_decode(s->code[tag], ISA_REGISTERS, w) != ISA_LEGAL)
        BUG("a word is not legal");
    int op = w->op;
    i.op = class_of(s, w);
    i.hint = w->place;
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        name(s, &i, SRC0, false, w->a);
    if (isa_has(op, 'A'))
        name(s, &i, SRC0, true, w->a);
    if (isa_has(op, 'b') || (isa_has(op, 'i') && !w->imm) ||
        (isa_has(op, 'f') && !w->imm))
        name(s, &i, SRC1, false, w->b);
    if (isa_has(op, 'B'))
        name(s, &i, SRC1, true, w->b);
    /* the data of a store is its second source */
    if (isa_has(op, 'c'))
        name(s, &i, i.op == OPC_st_global ? SRC1 : SRC2, false, w->c);
    if (isa_has(op, 'C'))
        name(s, &i, SRC2, true, w->c);
    if (w->guard != ISA_TRUE)
        name(s, &i, GUARD, true, w->guard);
    if (isa_has(op, 'd'))
        name(s, &i, DST, false, w->d);
    if (isa_has(op, 'D'))
        name(s, &i, DST, true, w->d);
    return i;
}
