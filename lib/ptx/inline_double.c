/* inline_double.c - see inline_double.h. */
#include "inline_double.h"

#include "base/embed.h"
#include "base/text.h"
#include "inline.h"
#include "ptx.h"
#include "tables.h"

#include <string.h>

/* In the middle of an instruction. */
struct step {
    struct inline_body *b;
    const struct ptx_instruction *in;
    inline_double_call *call;
    void *ctx;
};

const struct ptx_module *inline_double_module(struct arena *a) {
    struct diag d = {0};
    struct source *s = arena_alloc(a, sizeof *s);
    const struct embedded *e = embedded_stem(embedded_ptx, "double");
    *s = (struct source){e->name, e->text, e->len};
    const struct ptx_module *m = ptx_read(a, s, &d);
    if (d.errors)
        BUG("double.ptx is no PTX");
    return m;
}

bool inline_is_double(const struct ptx_form *f) {
    for (int i = 0; i < f->n_types; i++)
        if (f->types[i] == PTX_F64)
            return true;
    return false;
}

/* --- making --------------------------------------------------------------- */

static struct ptx_operand *fresh(struct step *s, enum ptx_type t) {
    bool wide = ptx_type_bits(t) == 64;
    struct ptx_register like = {.name = "%f64",
                                .type = t,
                                .vector = 1,
                                .kind = t == PTX_PRED ? PTX_PRED_KIND
                                        : wide        ? PTX_PAIR
                                                      : PTX_ROW,
                                .line = s->b->line};
    return inline_named(s->b, inline_register(s->b, like));
}

static struct ptx_operand *number(struct step *s, uint64_t bits) {
    return inline_operand(s->b, (struct ptx_operand){.kind = PTX_OPND_VALUE,
                                                     .value.bits = bits,
                                                     .line = s->b->line,
                                                     .column = s->b->column});
}

/* op.types operands; modifiers: like's, one of them in place of another. */
static void add(struct step *s, const struct ptx_form *like, enum ptx_opcode op,
                const char *word, int n_types, const enum ptx_type *types,
                enum ptx_modifier from, enum ptx_modifier to, int n,
                struct ptx_operand *const *operands) {
    const struct ptx_opcode_row *row = ptx_opcode_row(op);
    struct ptx_form *f = inline_form(s->b, op, row->opc, n_types, types, word);
    if (like) {
        uint16_t *modifiers = arena_array(
            s->b->arena, (size_t)like->n_modifiers + 1, sizeof *modifiers);
        for (int i = 0; i < like->n_modifiers; i++)
            modifiers[i] =
                like->modifiers[i] == from ? (uint16_t)to : like->modifiers[i];
        f->modifiers = modifiers;
        f->n_modifiers = like->n_modifiers;
        f->space = like->space;
        f->vector = like->vector;
        f->opc = like->opc;
    }
    struct ptx_instruction in = {
        .form = f,
        .line = s->in->line,
        .column = s->in->column,
        .guard = s->in->guard,
        .guard_negated = s->in->guard_negated,
        .n_operands = n,
        .n_dst = row->n_dst,
        .operands =
            arena_copy(s->b->arena, operands, (size_t)n, sizeof *operands)};
    inline_add(s->b, in);
}

static void add_plain(struct step *s, enum ptx_opcode op, int n_types,
                      const enum ptx_type *types, int n,
                      struct ptx_operand *const *operands) {
    add(s, NULL, op, "", n_types, types, PTX_MOD_NONE, PTX_MOD_NONE, n,
        operands);
}

static void convert(struct step *s, const char *word, enum ptx_modifier m,
                    enum ptx_type to, enum ptx_type from, struct ptx_operand *d,
                    struct ptx_operand *a) {
    const enum ptx_type types[] = {to, from};
    const uint16_t modifier = (uint16_t)m;
    const struct ptx_form like = {.vector = 1,
                                  .opc = OPC_cvt,
                                  .modifiers = &modifier,
                                  .n_modifiers = m != PTX_MOD_NONE};
    struct ptx_operand *const operands[] = {d, a};
    add(s, &like, PTX_OP_CVT, word, 2, types, PTX_MOD_NONE, PTX_MOD_NONE, 2,
        operands);
}

/* The function is not run where the guard does not hold. */
static void call(struct step *s, const char *name,
                 struct ptx_operand *const *arguments,
                 struct ptx_operand *result) {
    struct ptx_operand *behind =
        inline_skip(s->b, s->in->guard, s->in->guard_negated, name);
    s->call(s->ctx, name, arguments, result);
    if (behind)
        inline_label(s->b, behind);
}

/* --- instructions --------------------------------------------------------- */

const struct ptx_form *inline_double_bits(struct inline_body *b,
                                          const struct ptx_form *from) {
    bool moves = from->op == PTX_OP_LD || from->op == PTX_OP_ST ||
                 from->op == PTX_OP_MOV || from->op == PTX_OP_SELP;
    if (!moves || !inline_is_double(from))
        return from;
    struct ptx_form *f = arena_copy(b->arena, from, 1, sizeof *f);
    for (int i = 0; i < f->n_types; i++)
        if (f->types[i] == PTX_F64)
            f->types[i] = PTX_B64;
    return f;
}

static void with_bits(struct step *s, enum ptx_opcode op, uint64_t bits) {
    const enum ptx_type type = PTX_B64;
    struct ptx_operand *const operands[] = {
        s->in->operands[0], s->in->operands[1], number(s, bits)};
    add_plain(s, op, 1, &type, 3, operands);
}

/* Function of an operation that is rounded to nearest even, or not at all. */
static const char *arithmetic(const struct ptx_form *f) {
    switch (f->op) {
    case PTX_OP_ADD:
        return "ndp_double_add";
    case PTX_OP_SUB:
        return "ndp_double_sub";
    case PTX_OP_MUL:
        return "ndp_double_mul";
    case PTX_OP_FMA:
    case PTX_OP_MAD:
        return "ndp_double_fma";
    case PTX_OP_DIV:
        return "ndp_double_div";
    case PTX_OP_RCP:
        return "ndp_double_rcp";
    case PTX_OP_SQRT:
        return "ndp_double_sqrt";
    case PTX_OP_MIN:
        return "ndp_double_min";
    case PTX_OP_MAX:
        return "ndp_double_max";
    default:
        return NULL;
    }
}

static bool is_nearest(const struct ptx_form *f) {
    enum ptx_modifier m = ptx_modifier_of(f, PTX_GROUP_ROUND);
    return (m == PTX_MOD_NONE || m == PTX_MOD_RN) && !ptx_has(f, PTX_MOD_SAT) &&
           !ptx_has(f, PTX_MOD_APPROX);
}

/* By bits: less, equal, greater, not comparable. */
static unsigned holds(enum ptx_modifier m) {
    switch (m) {
    case PTX_MOD_EQ:
        return 2;
    case PTX_MOD_NE:
        return 5;
    case PTX_MOD_LT:
        return 1;
    case PTX_MOD_LE:
        return 3;
    case PTX_MOD_GT:
        return 4;
    case PTX_MOD_GE:
        return 6;
    case PTX_MOD_EQU:
        return 10;
    case PTX_MOD_NEU:
        return 13;
    case PTX_MOD_LTU:
        return 9;
    case PTX_MOD_LEU:
        return 11;
    case PTX_MOD_GTU:
        return 12;
    case PTX_MOD_GEU:
        return 14;
    case PTX_MOD_NUM:
        return 7;
    case PTX_MOD_NAN:
        return 8;
    default:
        return 0;
    }
}

/* A comparison of what the function found with 0 takes the place of this one,
 * with its combination and its results. */
static bool compare(struct step *s) {
    const struct ptx_form *f = s->in->form;
    enum ptx_modifier m = ptx_modifier_of(f, PTX_GROUP_COMPARE);
    const enum ptx_type bits = PTX_B32, word = PTX_U32;
    struct ptx_operand *operands[4];
    if (!holds(m) || f->n_types != 1)
        return false;
    struct ptx_operand *how = fresh(s, PTX_B32), *some = fresh(s, PTX_B32);
    call(s, "ndp_double_compare", s->in->operands + 1, how);
    struct ptx_operand *const among[] = {some, how, number(s, holds(m))};
    add_plain(s, PTX_OP_AND, 1, &bits, 3, among);
    memcpy(operands, s->in->operands,
           (size_t)s->in->n_operands * sizeof *operands);
    operands[1] = some;
    operands[2] = number(s, 0);
    add(s, f, PTX_OP_SETP, ".ne", 1, &word, m, PTX_MOD_NE, s->in->n_operands,
        operands);
    return true;
}

static const char *whole(enum ptx_modifier m) {
    return m == PTX_MOD_RNI   ? "ndp_double_rni"
           : m == PTX_MOD_RZI ? "ndp_double_rzi"
           : m == PTX_MOD_RMI ? "ndp_double_rmi"
           : m == PTX_MOD_RPI ? "ndp_double_rpi"
                              : NULL;
}

static bool from_integer(struct step *s, enum ptx_type from) {
    bool is_signed = ptx_type_kind(from) == 's';
    struct ptx_operand *a = s->in->operands[1];
    if (ptx_type_bits(from) < 64) {
        enum ptx_type wide = is_signed ? PTX_S64 : PTX_U64;
        struct ptx_operand *to = fresh(s, wide);
        convert(s, "", PTX_MOD_NONE, wide, from, to, a);
        a = to;
    } else if (!is_nearest(s->in->form)) {
        return false;
    }
    call(s, is_signed ? "ndp_double_from_s64" : "ndp_double_from_u64", &a,
         s->in->operands[0]);
    return true;
}

static bool to_integer(struct step *s, enum ptx_type to) {
    enum ptx_modifier m = ptx_modifier_of(s->in->form, PTX_GROUP_ROUND);
    bool is_signed = ptx_type_kind(to) == 's';
    int bits = ptx_type_bits(to);
    struct ptx_operand *a = s->in->operands[1], *d = s->in->operands[0];
    if (!whole(m))
        return false;
    if (m != PTX_MOD_RZI) {
        struct ptx_operand *rounded = fresh(s, PTX_F64);
        call(s, whole(m), &a, rounded);
        a = rounded;
    }
    if (bits == 64) {
        call(s, is_signed ? "ndp_double_to_s64" : "ndp_double_to_u64", &a, d);
        return true;
    }
    enum ptx_type word = is_signed ? PTX_S32 : PTX_U32;
    struct ptx_operand *v = bits < 32 ? fresh(s, word) : d;
    call(s, is_signed ? "ndp_double_to_s32" : "ndp_double_to_u32", &a, v);
    if (bits < 32)
        convert(s, ".sat", PTX_MOD_SAT, to, word, d, v);
    return true;
}

static bool conversion(struct step *s) {
    const struct ptx_form *f = s->in->form;
    enum ptx_modifier m = ptx_modifier_of(f, PTX_GROUP_ROUND);
    struct ptx_operand *const *o = s->in->operands;
    if (f->n_types != 2 || ptx_has(f, PTX_MOD_SAT) || ptx_has(f, PTX_MOD_FTZ))
        return false;
    enum ptx_type to = f->types[0], from = f->types[1];
    if (to == PTX_F64 && from == PTX_F64) {
        if (!whole(m))
            return false;
        call(s, whole(m), o + 1, o[0]);
        return true;
    }
    if (to == PTX_F64 && from == PTX_F32) {
        call(s, "ndp_double_from_f32", o + 1, o[0]);
        return true;
    }
    if (to == PTX_F32) {
        if (m != PTX_MOD_RN)
            return false;
        call(s, "ndp_double_to_f32", o + 1, o[0]);
        return true;
    }
    if (to == PTX_F64)
        return strchr("us", ptx_type_kind(from)) && from_integer(s, from);
    return strchr("us", ptx_type_kind(to)) && to_integer(s, to);
}

/* atom.add, red.add: what stands there is changed by cas until it was still the
 * same.  The first guess may be out of a cache; cas returns what is true. */
static bool atomic_add(struct step *s) {
    const struct ptx_form *f = s->in->form;
    bool has_result = f->op == PTX_OP_ATOM;
    struct ptx_operand *const *o = s->in->operands + has_result;
    const struct ptx_form plain = {
        .space = f->space, .vector = 1, .opc = OPC_ld_global};
    const enum ptx_type bits = PTX_B64, whole_number = PTX_S64;
    const uint16_t ne = PTX_MOD_NE;
    const struct ptx_form differs = {
        .vector = 1, .opc = OPC_int, .modifiers = &ne, .n_modifiers = 1};
    if (!ptx_has(f, PTX_MOD_ADD) || f->vector > 1)
        return false;
    struct ptx_operand *behind =
        inline_skip(s->b, s->in->guard, s->in->guard_negated, "f64");
    struct ptx_instruction in = *s->in;
    struct step t = *s;
    in.guard = NULL;
    t.in = &in;
    struct ptx_operand *old = fresh(s, PTX_B64), *sum = fresh(s, PTX_B64);
    struct ptx_operand *found = fresh(s, PTX_B64), *p = fresh(s, PTX_PRED);
    struct ptx_operand *again = inline_target(s->b, "f64");
    struct ptx_operand *const load[] = {old, o[0]};
    struct ptx_operand *const terms[] = {old, o[1]};
    struct ptx_operand *const swap[] = {found, o[0], old, sum};
    struct ptx_operand *const compared[] = {p, found, old};
    struct ptx_operand *const next[] = {old, found};
    struct ptx_operand *const result[] = {s->in->operands[0], found};
    add(&t, &plain, PTX_OP_LD, "", 1, &bits, PTX_MOD_NONE, PTX_MOD_NONE, 2,
        load);
    inline_label(s->b, again);
    call(&t, "ndp_double_add", terms, sum);
    add(&t, f, PTX_OP_ATOM, ".cas", 1, &bits, PTX_MOD_ADD, PTX_MOD_CAS, 4,
        swap);
    add(&t, &differs, PTX_OP_SETP, ".ne", 1, &whole_number, PTX_MOD_NONE,
        PTX_MOD_NONE, 3, compared);
    add_plain(&t, PTX_OP_MOV, 1, &bits, 2, next);
    inline_branch(s->b, again, p->reg, false);
    if (has_result && result[0]->kind == PTX_OPND_REGISTER)
        add_plain(&t, PTX_OP_MOV, 1, &bits, 2, result);
    if (behind)
        inline_label(s->b, behind);
    return true;
}

bool inline_double(struct inline_body *b, const struct ptx_instruction *in,
                   inline_double_call *how, void *ctx) {
    struct step s = {b, in, how, ctx};
    const struct ptx_form *f = in->form;
    if (in->unsupported || b->instructions.n > PTX_INLINE_LIMIT)
        return false;
    switch (f->op) {
    case PTX_OP_NEG:
        with_bits(&s, PTX_OP_XOR, (uint64_t)1 << 63);
        return true;
    case PTX_OP_ABS:
        with_bits(&s, PTX_OP_AND, UINT64_MAX >> 1);
        return true;
    case PTX_OP_SETP:
        return compare(&s);
    case PTX_OP_CVT:
        return conversion(&s);
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return atomic_add(&s);
    default:
        if (!arithmetic(f) || !is_nearest(f))
            return false;
        call(&s, arithmetic(f), in->operands + 1, in->operands[0]);
        return true;
    }
}
