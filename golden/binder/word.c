/* word.c - see word.h.  Written from docs/blocks/binder.md, "The chain that is
 * built". */
#include "word.h"

#include "base/bits.h"
#include "isa/isa.h"

enum from { OUTSIDE, FIRST_LOAD, SECOND_LOAD, RESULT };

static const struct far {
    uint8_t op, kind, code, type;
} fars[] = {
    {ISA_add, BINDER_ALU, BINDER_ADD, BINDER_U32},
    {ISA_sub, BINDER_ALU, BINDER_SUB, BINDER_U32},
    {ISA_rsub, BINDER_ALU, BINDER_SUB, BINDER_U32},
    {ISA_mul, BINDER_ALU, BINDER_MUL, BINDER_U32},
    {ISA_mad, BINDER_ALU, BINDER_ADD, BINDER_U32},
    {ISA_and, BINDER_ALU, BINDER_AND, BINDER_U32},
    {ISA_or, BINDER_ALU, BINDER_OR, BINDER_U32},
    {ISA_xor, BINDER_ALU, BINDER_XOR, BINDER_U32},
    {ISA_shl, BINDER_ALU, BINDER_SHL, BINDER_U32},
    {ISA_shr, BINDER_ALU, BINDER_SHR, BINDER_U32},
    {ISA_minu, BINDER_ALU, BINDER_MIN, BINDER_U32},
    {ISA_maxu, BINDER_ALU, BINDER_MAX, BINDER_U32},
    {ISA_sar, BINDER_ALU, BINDER_SHR, BINDER_S32},
    {ISA_mins, BINDER_ALU, BINDER_MIN, BINDER_S32},
    {ISA_maxs, BINDER_ALU, BINDER_MAX, BINDER_S32},
    {ISA_fadd, BINDER_ALU, BINDER_ADD, BINDER_F32},
    {ISA_fmul, BINDER_ALU, BINDER_MUL, BINDER_F32},
    {ISA_ffma, BINDER_ALU, BINDER_ADD, BINDER_F32},
    {ISA_fmin, BINDER_ALU, BINDER_MIN, BINDER_F32},
    {ISA_fmax, BINDER_ALU, BINDER_MAX, BINDER_F32},
    {ISA_seteq, BINDER_COMPARE, BINDER_EQ, BINDER_U32},
    {ISA_setne, BINDER_COMPARE, BINDER_NE, BINDER_U32},
    {ISA_setltu, BINDER_COMPARE, BINDER_LT, BINDER_U32},
    {ISA_setleu, BINDER_COMPARE, BINDER_LE, BINDER_U32},
    {ISA_setgtu, BINDER_COMPARE, BINDER_GT, BINDER_U32},
    {ISA_setgeu, BINDER_COMPARE, BINDER_GE, BINDER_U32},
    {ISA_setlts, BINDER_COMPARE, BINDER_LT, BINDER_S32},
    {ISA_setles, BINDER_COMPARE, BINDER_LE, BINDER_S32},
    {ISA_setgts, BINDER_COMPARE, BINDER_GT, BINDER_S32},
    {ISA_setges, BINDER_COMPARE, BINDER_GE, BINDER_S32},
    {ISA_fseteq, BINDER_COMPARE, BINDER_EQ, BINDER_F32},
    {ISA_fsetne, BINDER_COMPARE, BINDER_NE, BINDER_F32},
    {ISA_fsetlt, BINDER_COMPARE, BINDER_LT, BINDER_F32},
    {ISA_fsetle, BINDER_COMPARE, BINDER_LE, BINDER_F32},
    {ISA_fsetgt, BINDER_COMPARE, BINDER_GT, BINDER_F32},
    {ISA_fsetge, BINDER_COMPARE, BINDER_GE, BINDER_F32},
    {ISA_fsetnan, BINDER_COMPARE, BINDER_NAN, BINDER_F32},
    {ISA_fsetequ, BINDER_COMPARE, BINDER_EQU, BINDER_F32},
    {ISA_fsetneu, BINDER_COMPARE, BINDER_NEU, BINDER_F32},
    {ISA_fsetltu, BINDER_COMPARE, BINDER_LTU, BINDER_F32},
    {ISA_fsetleu, BINDER_COMPARE, BINDER_LEU, BINDER_F32},
    {ISA_fsetgtu, BINDER_COMPARE, BINDER_GTU, BINDER_F32},
    {ISA_fsetgeu, BINDER_COMPARE, BINDER_GEU, BINDER_F32},
};

static enum from from_of(const struct chain *c, uint64_t reg) {
    if (c->ops > 0 && reg == c->result)
        return RESULT;
    if (c->loads == 2 && reg == c->load[1])
        return SECOND_LOAD;
    if (c->loads > 0 && reg == c->load[0])
        return FIRST_LOAD;
    return OUTSIDE;
}

/* Lane 0's address, if all lanes are in its line. */
static bool in_line(const struct binder_local *l, struct word *w) {
    uint32_t low = (uint32_t)__builtin_ctzll(w->mask);
    uint32_t high = 63 - (uint32_t)__builtin_clzll(w->mask);
    uint32_t a = (uint32_t)w->a, base = a - 4 * low, line = (uint32_t)l->LINE;
    bool same =
        base / line == a / line && base / line == (base + 4 * high) / line;
    if (!w->in_row)
        return false;
    w->crosses = !same;
    w->op.address = base;
    w->op.type = BINDER_U32;
    return same && base <= ones(l->ADDR_W);
}

/* The outside operand becomes the immediate. */
static bool take_immediate(struct word *w, bool is_a) {
    w->differs = is_a ? !w->same_a : !w->same_b;
    w->op.has_imm = 1;
    w->op.imm = is_a ? w->a : w->b;
    return !w->differs;
}

/* x, y: the pair that there may be, in this order or the other. */
static bool is_pair(enum from a, enum from b, enum from x, enum from y,
                    struct word *w, bool turned) {
    if (!(a == x && b == y) && !(a == y && b == x))
        return false;
    w->op.reversed = (a == y) != turned;
    return true;
}

static bool two_fit(const struct chain *c, enum from a, enum from b,
                    struct word *w, bool turned) {
    bool compares = w->op.kind == BINDER_COMPARE;
    if (c->ops)
        return c->loads == 2 && !compares && c->partial &&
               is_pair(a, b, SECOND_LOAD, RESULT, w, turned);
    if (c->loads == 2 && is_pair(a, b, FIRST_LOAD, SECOND_LOAD, w, turned))
        return true;
    if (c->loads == 2 && compares)
        return false;
    return is_pair(a, b, FIRST_LOAD, OUTSIDE, w, turned) &&
           take_immediate(w, a == OUTSIDE);
}

static bool sum_fits(const struct chain *c, const struct isa_word *i,
                     enum from a, enum from b, struct word *w) {
    enum from third = from_of(c, i->c), factor = a == OUTSIDE ? b : a;
    if (c->loads != 2 || c->ops || (a == OUTSIDE) == (b == OUTSIDE))
        return false;
    if (factor == FIRST_LOAD && third == SECOND_LOAD) {
        w->op.fused = 1;
        return take_immediate(w, a == OUTSIDE);
    }
    w->difference = i->op == ISA_ffma && i->imm && i->value == 0xbf800000u &&
                    factor == SECOND_LOAD && third == FIRST_LOAD;
    w->op.code = BINDER_SUB;
    return w->difference;
}

static bool operation_fits(const struct chain *c, const struct isa_word *i,
                           struct word *w) {
    enum from a = from_of(c, i->a), b = i->imm ? OUTSIDE : from_of(c, i->b);
    const struct far *f = fars, *end = f + sizeof fars / sizeof *fars;
    while (f < end && f->op != i->op)
        f++;
    if (f == end || i->round || i->ftz || i->sat)
        return false;
    w->op.kind = f->kind;
    w->op.code = f->code;
    w->op.type = f->type;
    if (i->op == ISA_mad || i->op == ISA_ffma)
        return sum_fits(c, i, a, b, w);
    return two_fit(c, a, b, w, i->op == ISA_rsub);
}

static bool kind_fits(const struct binder_local *l, const struct chain *c,
                      const struct isa_word *i, struct word *w) {
    if (i->op == ISA_ldg_b32) {
        w->op.kind = BINDER_LOAD;
        return !c->ops && c->loads < 2 && from_of(c, i->a) == OUTSIDE &&
               from_of(c, i->d) == OUTSIDE && in_line(l, w);
    }
    if (i->op == ISA_stg_b32) {
        enum from stored = from_of(c, i->c);
        w->op.kind = BINDER_STORE;
        return from_of(c, i->a) == OUTSIDE &&
               (c->ops ? stored == RESULT
                       : c->loads == 1 && stored == FIRST_LOAD) &&
               in_line(l, w);
    }
    return operation_fits(c, i, w);
}

bool word_fits(const struct binder_local *l, const struct chain *c, bool open,
               struct word *w) {
    struct isa_word i;
    if (isa_decode(w->code, ISA_REGISTERS, &i) != ISA_LEGAL)
        return false;
    w->d = i.d;
    if (open ? i.chain != 2 && i.chain != 3 : i.chain != 1)
        return false;
    if (!w->mask || w->mask != c->mask || c->ended)
        return false;
    return kind_fits(l, c, &i, w);
}

void word_record(struct chain *c, const struct word *w) {
    c->words++;
    switch (w->op.kind) {
    case BINDER_LOAD:
        c->load[c->loads++] = w->d;
        break;
    case BINDER_STORE:
        c->ended = true;
        break;
    default:
        c->ended = w->op.kind == BINDER_COMPARE;
        c->partial = !c->ops && w->op.has_imm && !w->op.fused;
        c->ops++;
        c->result = w->d;
    }
}
