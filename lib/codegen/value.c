/* value.c - what lowered instructions are made with (lower.h). */
#include "lower.h"

#include "base/bits.h"

#include <string.h>

struct mc_insn *lower_emit(struct lower *l, int op) {
    struct mc_insn *i = array_push(&l->m->list);
    *i = (struct mc_insn){.op = (uint8_t)op,
                          .guard = MC_NONE,
                          .d = MC_NONE,
                          .a = MC_NONE,
                          .b = MC_NONE,
                          .c = MC_NONE,
                          .target = -1,
                          .line = l->m->line};
    return i;
}

mc_value lower_op(struct lower *l, int op, mc_value a, mc_value b, mc_value c) {
    mc_value d = mc_new(l->m, isa_has(op, 'D') ? MC_PREDICATE : MC_REGISTER);
    struct mc_insn *i = lower_emit(l, op);
    i->d = d;
    i->a = a;
    i->b = b;
    i->c = c;
    return d;
}

mc_value lower_number(struct lower *l, uint32_t value) {
    mc_value d = lower_op(l, ISA_movi, MC_NONE, MC_NONE, MC_NONE);
    l->m->list.v[l->m->list.n - 1].value = value;
    return d;
}

mc_value lower_f32(struct lower *l, float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return lower_number(l, bits);
}

mc_value lower_sel(struct lower *l, mc_value a, mc_value b, mc_value p,
                   bool inverted) {
    mc_value d = lower_op(l, ISA_sel, a, b, p);
    l->m->list.v[l->m->list.n - 1].not_c = inverted;
    return d;
}

static mc_value with_number(struct lower *l, int op, uint32_t value) {
    mc_value d = lower_op(l, op, MC_NONE, MC_NONE, MC_NONE);
    struct mc_insn *i = &l->m->list.v[l->m->list.n - 1];
    i->imm = true;
    i->value = value;
    return d;
}

mc_value lower_special(struct lower *l, int index) {
    return with_number(l, ISA_s2r, (uint32_t)index);
}

mc_value lower_param(struct lower *l, int word) {
    return with_number(l, ISA_ldp, (uint32_t)word);
}

mc_value lower_pred(struct lower *l, int op, mc_value a, bool not_a, mc_value b,
                    bool not_b) {
    mc_value d = lower_op(l, op, a, b, MC_NONE);
    struct mc_insn *i = &l->m->list.v[l->m->list.n - 1];
    i->not_a = not_a;
    i->not_b = not_b;
    return d;
}

void lower_move(struct lower *l, mc_value d, mc_value s, mc_value p,
                bool unless) {
    bool pred = l->m->values.v[d].kind == MC_PREDICATE;
    if (d == s)
        return;
    struct mc_insn *i = lower_emit(l, pred ? ISA_pand : ISA_mov);
    i->d = d;
    i->a = pred ? s : MC_NONE;
    i->b = pred ? MC_TRUE : s;
    i->guard = p;
    i->unless = unless;
}

void lower_into(struct lower *l, mc_value d, int op, mc_value a, mc_value b,
                mc_value p) {
    struct mc_insn *i = lower_emit(l, op);
    i->d = d;
    i->a = a;
    i->b = b;
    i->guard = p;
}

void lower_label(struct lower *l, int label) {
    lower_emit(l, MC_LABEL)->value = (uint32_t)label;
}

void lower_branch(struct lower *l, int label, mc_value p, bool unless) {
    struct mc_insn *i = lower_emit(l, ISA_bra);
    i->target = label;
    i->guard = p;
    i->unless = unless;
}

/* --- operands ------------------------------------------------------------- */

static bool is_wide_type(enum ptx_type t) {
    return ptx_type_bits(t) == 64;
}

bool lower_wants_high(const struct lower *l, const struct ptx_operand *o) {
    return o->kind == PTX_OPND_REGISTER && is_wide_type(o->reg->type) &&
           l->high[o->reg->index];
}

static struct wide *register_of(struct lower *l, const struct ptx_register *r) {
    struct wide *w = &l->regs[r->index];
    if (r->vector > 1 || r->kind == PTX_QUAD) {
        lower_refuse(l, "a register of several elements");
        w->lo = MC_TRUE;
    }
    if (w->lo == MC_NONE)
        w->lo = mc_new(l->m, r->type == PTX_PRED ? MC_PREDICATE : MC_REGISTER);
    if (w->hi == MC_NONE && is_wide_type(r->type) && l->high[r->index])
        w->hi = mc_new(l->m, MC_REGISTER);
    return w;
}

static double as_double(const struct ptx_value *v) {
    float f;
    double x;
    uint32_t low = (uint32_t)v->bits;
    if (v->kind == PTX_VALUE_INT)
        return (double)(int64_t)v->bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&x, &v->bits, sizeof x);
    return v->kind == PTX_VALUE_F32 ? (double)f : x;
}

/* A number of the text as an operand of type t. */
static struct wide number(struct lower *l, const struct ptx_value *v,
                          enum ptx_type t) {
    struct wide w = {MC_NONE, MC_NONE};
    if (v->kind == PTX_VALUE_F32 && ptx_type_bits(t) == 32)
        w.lo = lower_number(l, (uint32_t)v->bits);
    else if (t == PTX_F32 || (v->kind != PTX_VALUE_INT && !is_wide_type(t)))
        w.lo = lower_f32(l, (float)as_double(v));
    else
        w.lo = lower_number(l, (uint32_t)v->bits);
    if (is_wide_type(t))
        w.hi = lower_number(l, (uint32_t)(v->bits >> 32));
    return w;
}

/* Lanes below, at and above the own, as PTX's %lanemask_*. */
static mc_value lane_mask(struct lower *l, enum ptx_special s) {
    mc_value lane = lower_special(l, ISA_SPECIAL_laneid);
    bool not_below = s == PTX_SREG_LANEMASK_GE || s == PTX_SREG_LANEMASK_LT;
    mc_value own = lower_op2(l, ISA_shl,
                             lower_number(l, s == PTX_SREG_LANEMASK_EQ ? 1
                                             : not_below ? UINT32_MAX
                                                         : UINT32_MAX - 1),
                             lane);
    bool inverted = s == PTX_SREG_LANEMASK_LT || s == PTX_SREG_LANEMASK_LE;
    return inverted ? lower_opn(l, ISA_xor, own, UINT32_MAX) : own;
}

/* Warps of a CTA: threads / 32, rounded up. */
static mc_value warps(struct lower *l) {
    mc_value n = lower_op2(l, ISA_mul, lower_special(l, ISA_SPECIAL_ntid_x),
                           lower_special(l, ISA_SPECIAL_ntid_y));
    n = lower_op2(l, ISA_mul, n, lower_special(l, ISA_SPECIAL_ntid_z));
    return lower_opn(l, ISA_shr, lower_opn(l, ISA_add, n, 31), 5);
}

static mc_value special(struct lower *l, const struct ptx_operand *o) {
    char axis = o->suffix ? o->suffix[0] : 'x';
    int k = axis == 'y' ? 1 : axis == 'z' ? 2 : 0;
    switch (o->special) {
    case PTX_SREG_TID:
        return l->thread[k];
    case PTX_SREG_NTID:
        return lower_special(l, ISA_SPECIAL_ntid_x + k);
    case PTX_SREG_CTAID:
        return lower_special(l, ISA_SPECIAL_ctaid_x + k);
    case PTX_SREG_NCTAID:
        return lower_special(l, ISA_SPECIAL_nctaid_x + k);
    case PTX_SREG_LANEID:
        return lower_special(l, ISA_SPECIAL_laneid);
    case PTX_SREG_WARPID:
        return lower_special(l, ISA_SPECIAL_warpid);
    case PTX_SREG_NWARPID:
        return warps(l);
    case PTX_SREG_SMID:
        return lower_opn(l, ISA_and, lower_param(l, ISA_WORD_CORE), 0xffff);
    case PTX_SREG_NSMID:
        return lower_opn(l, ISA_shr, lower_param(l, ISA_WORD_CORE), 16);
    case PTX_SREG_CLOCK:
    case PTX_SREG_CLOCK64:
    case PTX_SREG_GLOBALTIMER:
    case PTX_SREG_GLOBALTIMER_LO:
        return lower_special(l, ISA_SPECIAL_clock);
    case PTX_SREG_CLOCK_HI:
    case PTX_SREG_GLOBALTIMER_HI:
        return lower_number(l, 0);
    case PTX_SREG_TOTAL_SMEM_SIZE:
        return lower_special(l, ISA_SPECIAL_shared);
    case PTX_SREG_LANEMASK_EQ:
    case PTX_SREG_LANEMASK_LE:
    case PTX_SREG_LANEMASK_LT:
    case PTX_SREG_LANEMASK_GE:
    case PTX_SREG_LANEMASK_GT:
        return lane_mask(l, o->special);
    default:
        lower_refuse(l, "a special register that the machines lack");
        return MC_TRUE;
    }
}

/* The address of a variable, as the space's own. */
static mc_value variable(struct lower *l, const struct ptx_operand *o) {
    const struct ptx_variable *v = o->variable;
    uint32_t at = lower_place(l, v) + (uint32_t)o->offset;
    switch (v->space) {
    case PTX_SPACE_SHARED:
        return lower_number(l, at);
    case PTX_SPACE_LOCAL:
        return lower_opn(l, ISA_add, lower_frame(l), at);
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST:
        return lower_opn(l, ISA_add, lower_param(l, ISA_WORD_DATA), at);
    default:
        lower_refuse(l, "the address of a parameter");
        return MC_TRUE;
    }
}

struct wide lower_operand(struct lower *l, const struct ptx_operand *o,
                          enum ptx_type t) {
    struct wide w = {MC_TRUE, MC_NONE};
    switch (o->kind) {
    case PTX_OPND_REGISTER:
        if (o->suffix || o->second || o->negated || o->reg->type == PTX_PRED) {
            lower_refuse(l, "this operand");
            return w;
        }
        w = *register_of(l, o->reg);
        break;
    case PTX_OPND_VALUE:
        return number(l, &o->value, t);
    case PTX_OPND_SPECIAL:
        w.lo = special(l, o);
        break;
    case PTX_OPND_VARIABLE:
        w.lo = variable(l, o);
        break;
    default:
        lower_refuse(l, "this operand");
        return w;
    }
    bool wide_reg = o->kind == PTX_OPND_REGISTER && is_wide_type(o->reg->type);
    if (is_wide_type(t) && !wide_reg)
        w.hi = lower_number(l, 0);
    if (!is_wide_type(t))
        w.hi = MC_NONE;
    return w;
}

struct wide lower_source(struct lower *l, int operand, enum ptx_type t) {
    return lower_operand(l, l->in->operands[operand], t);
}

mc_value lower_pred_source(struct lower *l, const struct ptx_operand *o,
                           bool *inverted) {
    *inverted = o->negated;
    if (o->kind == PTX_OPND_VALUE) {
        *inverted = o->value.bits == 0;
        return MC_TRUE;
    }
    if (o->kind != PTX_OPND_REGISTER || o->reg->type != PTX_PRED) {
        lower_refuse(l, "this operand");
        return MC_TRUE;
    }
    return register_of(l, o->reg)->lo;
}

/* The move that ends an instruction; it carries the guard. */
static void write(struct lower *l, mc_value d, mc_value s) {
    lower_move(l, d, s, l->guard, l->unless);
}

void lower_result(struct lower *l, const struct ptx_operand *o, enum ptx_type t,
                  struct wide v) {
    if (o->kind == PTX_OPND_SINK)
        return;
    if (o->kind != PTX_OPND_REGISTER || o->suffix || o->reg->type == PTX_PRED) {
        lower_refuse(l, "this destination");
        return;
    }
    struct wide *w = register_of(l, o->reg);
    if (l->refused)
        return;
    if (w->hi != MC_NONE) {
        if (v.hi == MC_NONE && ptx_type_kind(t) == 's' && !is_wide_type(t))
            v.hi = lower_opn(l, ISA_sar, v.lo, 31);
        else if (v.hi == MC_NONE)
            v.hi = lower_number(l, 0);
        /* both are read before one is written */
        write(l, w->hi, v.hi);
    }
    write(l, w->lo, v.lo);
}

void lower_pred_result(struct lower *l, const struct ptx_register *r,
                       mc_value p, bool inverted) {
    if (r->type != PTX_PRED) {
        lower_refuse(l, "this destination");
        return;
    }
    write(l, register_of(l, r)->lo, p);
    l->m->list.v[l->m->list.n - 1].not_a = inverted;
}

mc_value lower_extend(struct lower *l, mc_value v, enum ptx_type t) {
    int bits = ptx_type_bits(t);
    if (bits >= 32 || bits == 1)
        return v;
    if (ptx_type_kind(t) != 's')
        return lower_opn(l, ISA_and, v, (uint32_t)ones(bits));
    v = lower_opn(l, ISA_shl, v, (uint32_t)(32 - bits));
    return lower_opn(l, ISA_sar, v, (uint32_t)(32 - bits));
}

/* A parameter is known by its name: the reader copies the list of them. */
static bool is_same_variable(const struct ptx_variable *a,
                             const struct ptx_variable *b) {
    return a == b || (a->space == PTX_SPACE_PARAM && a->space == b->space &&
                      a->name && b->name && strcmp(a->name, b->name) == 0);
}

uint32_t lower_place(struct lower *l, const struct ptx_variable *v) {
    for (int i = 0; i < l->places.n; i++)
        if (is_same_variable(l->places.v[i].variable, v))
            return l->places.v[i].at;
    lower_refuse(l, "a variable that the module does not define");
    return 0;
}

mc_value lower_frame(struct lower *l) {
    if (l->m->frame == MC_NONE) {
        l->m->frame = mc_new(l->m, MC_REGISTER);
        l->m->values.v[l->m->frame].keep = true;
    }
    return l->m->frame;
}
