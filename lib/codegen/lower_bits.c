/* lower_bits.c - bit fields, permutations, funnel shifts, counting. */
#include "lower.h"

static enum ptx_type type_of(const struct lower *l) {
    const struct ptx_form *f = l->in->form;
    return f->n_types ? f->types[0] : PTX_B32;
}

static void result(struct lower *l, mc_value v) {
    lower_result(l, l->in->operands[0], PTX_U32, (struct wide){v, MC_NONE});
}

static mc_value word(struct lower *l, int operand) {
    return lower_source(l, operand, PTX_B32).lo;
}

/* Position and length are taken from the low 8 bits. */
static mc_value byte(struct lower *l, int operand) {
    const struct ptx_operand *o = l->in->operands[operand];
    if (o->kind == PTX_OPND_VALUE)
        return lower_number(l, (uint32_t)o->value.bits & 255);
    return lower_opn(l, ISA_and, word(l, operand), 255);
}

/* len ones; 32 and more: all */
static mc_value mask(struct lower *l, mc_value len) {
    mc_value top = lower_op2(l, ISA_shl, lower_number(l, 1), len);
    return lower_opn(l, ISA_sub, top, 1);
}

static bool lower_extract(struct lower *l) {
    mc_value a = word(l, 1), at = byte(l, 2), len = byte(l, 3);
    if (ptx_type_kind(type_of(l)) != 's') {
        mc_value d = lower_op2(l, ISA_shr, a, at);
        result(l, lower_op2(l, ISA_and, d, mask(l, len)));
        return true;
    }
    /* the field's last bit to the top, and back; nothing of no length */
    mc_value last = lower_op2(l, ISA_add, at, lower_opn(l, ISA_sub, len, 1));
    last = lower_opn(l, ISA_mins, last, 31);
    mc_value up = lower_opn(l, ISA_rsub, last, 31);
    mc_value d = lower_op2(l, ISA_sar, lower_op2(l, ISA_shl, a, up),
                           lower_op2(l, ISA_add, up, at));
    mc_value none = lower_opn(l, ISA_seteq, len, 0);
    result(l, lower_sel(l, lower_number(l, 0), d, none, false));
    return true;
}

static bool lower_insert(struct lower *l) {
    mc_value a = word(l, 1), b = word(l, 2), at = byte(l, 3);
    mc_value field = lower_op2(l, ISA_shl, mask(l, byte(l, 4)), at);
    mc_value in = lower_op2(l, ISA_and, lower_op2(l, ISA_shl, a, at), field);
    result(l, lower_op2(l, ISA_or, lower_op2(l, ISA_andn, b, field), in));
    return true;
}

/* A word out of two, b above a, from bit c on. */
static bool lower_funnel(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    mc_value a = word(l, 1), b = word(l, 2), n = word(l, 3);
    if (ptx_has(f, PTX_MOD_WRAP))
        n = lower_opn(l, ISA_and, n, 31);
    else
        n = lower_opn(l, ISA_minu, n, 32);
    mc_value rest = lower_opn(l, ISA_rsub, n, 32);
    bool left = ptx_has(f, PTX_MOD_L);
    mc_value low = lower_op2(l, ISA_shr, a, left ? rest : n);
    mc_value high = lower_op2(l, ISA_shl, b, left ? n : rest);
    result(l, lower_op2(l, ISA_or, low, high));
    return true;
}

/* Byte i of the result, chosen by four bits. */
static mc_value permuted(struct lower *l, mc_value a, mc_value b,
                         uint32_t choice, int i) {
    mc_value from = choice & 4 ? b : a;
    int at = (int)(choice & 3) * 8;
    mc_value v = lower_opn(l, ISA_shl, from, (uint32_t)(24 - at));
    if (choice & 8) /* its sign, eight times */
        v = lower_opn(l, ISA_sar, v, 31);
    v = lower_opn(l, ISA_shr, v, 24);
    return lower_opn(l, ISA_shl, v, (uint32_t)(8 * i));
}

/* The same by four bits of a value. */
static mc_value permuted_by(struct lower *l, mc_value a, mc_value b,
                            mc_value selector, int i) {
    mc_value choice = lower_opn(l, ISA_shr, selector, (uint32_t)(4 * i));
    mc_value upper =
        lower_opn(l, ISA_setne, lower_opn(l, ISA_and, choice, 4), 0);
    mc_value from = lower_sel(l, b, a, upper, false);
    mc_value at = lower_opn(l, ISA_and, choice, 3);
    mc_value up = lower_opn(l, ISA_shl, lower_opn(l, ISA_rsub, at, 3), 3);
    mc_value v = lower_op2(l, ISA_shl, from, up); /* to the top */
    mc_value sign =
        lower_opn(l, ISA_setne, lower_opn(l, ISA_and, choice, 8), 0);
    v = lower_sel(l, lower_opn(l, ISA_sar, v, 31), v, sign, false);
    v = lower_opn(l, ISA_shr, v, 24);
    return lower_opn(l, ISA_shl, v, (uint32_t)(8 * i));
}

/* What a mode of prmt stands for, by the two low bits of its last operand. */
static mc_value mode_selector(struct lower *l, const struct ptx_form *f) {
    static const struct {
        enum ptx_modifier mode;
        uint32_t low, high; /* selectors of 0 and 1, 2 and 3; 16 bits each */
    } modes[] = {{PTX_MOD_F4E, 0x43213210, 0x65435432},
                 {PTX_MOD_B4E, 0x67015670, 0x01237012},
                 {PTX_MOD_RC8, 0x11110000, 0x33332222},
                 {PTX_MOD_ECL, 0x32113210, 0x33333222},
                 {PTX_MOD_ECR, 0x11100000, 0x32102210},
                 {PTX_MOD_RC16, 0x32321010, 0x32321010}};
    mc_value by = word(l, 3), d = MC_NONE;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!ptx_has(f, modes[i].mode))
            continue;
        mc_value p = lower_opn(l, ISA_setne, lower_opn(l, ISA_and, by, 2), 0);
        d = lower_sel(l, lower_number(l, modes[i].high),
                      lower_number(l, modes[i].low), p, false);
    }
    if (d == MC_NONE) {
        lower_refuse(l, "not in this mode");
        return by;
    }
    mc_value up = lower_opn(l, ISA_shl, lower_opn(l, ISA_and, by, 1), 4);
    return lower_op2(l, ISA_shr, d, up);
}

static bool lower_permute(struct lower *l) {
    const struct ptx_operand *o = l->in->operands[3];
    mc_value a = word(l, 1), b = word(l, 2), d = MC_NONE;
    mc_value selector = MC_NONE;
    if (l->in->form->n_modifiers)
        selector = mode_selector(l, l->in->form);
    else if (o->kind != PTX_OPND_VALUE)
        selector = word(l, 3);
    for (int i = 0; i < 4; i++) {
        mc_value v =
            selector != MC_NONE
                ? permuted_by(l, a, b, selector, i)
                : permuted(l, a, b, (uint32_t)(o->value.bits >> 4 * i) & 15, i);
        d = d == MC_NONE ? v : lower_op2(l, ISA_or, d, v);
    }
    result(l, d);
    return true;
}

/* Any function of three bits, as its truth table: split by a, then b. */
static bool lower_table(struct lower *l) {
    const struct ptx_operand *o = l->in->operands[4];
    if (o->kind != PTX_OPND_VALUE || l->in->n_operands != 5)
        return false;
    uint32_t table = (uint32_t)o->value.bits;
    mc_value in[3] = {word(l, 1), word(l, 2), word(l, 3)};
    mc_value ones = lower_number(l, UINT32_MAX), d = lower_number(l, 0);
    mc_value inverted[3];
    for (int i = 0; i < 3; i++)
        inverted[i] = lower_op2(l, ISA_xor, in[i], ones);
    for (int row = 0; row < 8; row++) {
        if (!(table >> row & 1))
            continue;
        mc_value t = row & 4 ? in[0] : inverted[0];
        t = lower_op2(l, ISA_and, t, row & 2 ? in[1] : inverted[1]);
        t = lower_op2(l, ISA_and, t, row & 1 ? in[2] : inverted[2]);
        d = lower_op2(l, ISA_or, d, t);
    }
    result(l, d);
    return true;
}

static bool lower_count(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    int how = op == PTX_OP_POPC  ? ISA_popc
              : op == PTX_OP_CLZ ? ISA_clz
                                 : ISA_brev;
    if (ptx_type_bits(type_of(l)) == 32) {
        result(l, lower_op(l, how, word(l, 1), MC_NONE, MC_NONE));
        return true;
    }
    struct wide a = lower_source(l, 1, PTX_B64);
    mc_value low = lower_op(l, how, a.lo, MC_NONE, MC_NONE);
    mc_value high = lower_op(l, how, a.hi, MC_NONE, MC_NONE);
    if (op == PTX_OP_BREV) {
        lower_result(l, l->in->operands[0], PTX_B64, (struct wide){high, low});
        return true;
    }
    mc_value d = lower_op2(l, ISA_add, low, high);
    if (op == PTX_OP_CLZ) {
        mc_value p = lower_opn(l, ISA_seteq, a.hi, 0);
        d = lower_sel(l, d, high, p, false);
    }
    result(l, d);
    return true;
}

/* The place of the top bit that differs from the sign. */
static bool lower_find(struct lower *l) {
    enum ptx_type t = type_of(l);
    bool pair = ptx_type_bits(t) == 64;
    struct wide a = lower_source(l, 1, t);
    mc_value top = pair ? a.hi : a.lo;
    if (ptx_type_kind(t) == 's') {
        mc_value sign = lower_opn(l, ISA_sar, top, 31);
        top = lower_op2(l, ISA_xor, top, sign);
        a.lo = pair ? lower_op2(l, ISA_xor, a.lo, sign) : a.lo;
    }
    mc_value zeros = lower_op(l, ISA_clz, top, MC_NONE, MC_NONE);
    if (pair) {
        mc_value low = lower_op(l, ISA_clz, a.lo, MC_NONE, MC_NONE);
        mc_value p = lower_opn(l, ISA_seteq, zeros, 32);
        zeros = lower_sel(l, lower_opn(l, ISA_add, low, 32), zeros, p, false);
    }
    uint32_t bits = pair ? 64 : 32;
    mc_value d = zeros;
    if (!ptx_has(l->in->form, PTX_MOD_SHIFTAMT))
        d = lower_opn(l, ISA_rsub, zeros, bits - 1);
    mc_value none = lower_opn(l, ISA_seteq, zeros, bits);
    result(l, lower_sel(l, lower_number(l, UINT32_MAX), d, none, false));
    return true;
}

/* Number n of width bits in a word, with its sign or without. */
static mc_value part(struct lower *l, mc_value v, int n, int width, bool s) {
    mc_value top = lower_opn(l, ISA_shl, v, (uint32_t)(32 - width * (n + 1)));
    return lower_opn(l, s ? ISA_sar : ISA_shr, top, (uint32_t)(32 - width));
}

/* dp4a: four products of bytes; dp2a: two of half words and bytes. */
static bool lower_dot(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    bool four = f->op == PTX_OP_DP4A;
    if (f->n_types != 2)
        return false;
    bool sa = ptx_type_kind(f->types[0]) == 's';
    bool sb = ptx_type_kind(f->types[1]) == 's';
    mc_value a = word(l, 1), b = word(l, 2), d = word(l, 3);
    int first = !four && ptx_has(f, PTX_MOD_HI) ? 2 : 0;
    for (int i = 0; i < (four ? 4 : 2); i++)
        d = lower_op(l, ISA_mad, part(l, a, i, four ? 8 : 16, sa),
                     part(l, b, first + i, 8, sb), d);
    result(l, d);
    return true;
}

bool lower_bits(struct lower *l) {
    bool word_type = ptx_type_bits(type_of(l)) == 32;
    switch (l->in->form->op) {
    case PTX_OP_BFE:
        return word_type && lower_extract(l);
    case PTX_OP_BFI:
        return word_type && lower_insert(l);
    case PTX_OP_SHF:
        return word_type && lower_funnel(l);
    case PTX_OP_PRMT:
        return word_type && lower_permute(l);
    case PTX_OP_LOP3:
        return lower_table(l);
    case PTX_OP_DP4A:
    case PTX_OP_DP2A:
        return lower_dot(l);
    case PTX_OP_POPC:
    case PTX_OP_CLZ:
    case PTX_OP_BREV:
        return lower_count(l);
    case PTX_OP_BFIND:
        return lower_find(l);
    default:
        return false;
    }
}
