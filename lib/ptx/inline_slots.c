/* inline_slots.c - the .param variables through which expanded calls pass
 * values.
 *
 * Where all that names a variable are loads and stores of fixed parts that do
 * not overlap, each part is a register and an access a move.  Otherwise the
 * variable is one in local memory.
 */
#include "inline_make.h"

#include "tables.h"

#include <string.h>

struct slot {
    const struct ptx_variable *variable;
    int64_t offset;
    int bytes;
    struct ptx_register *reg;
};

struct slots {
    struct inline_body *b;
    ARRAY(struct slot) list;
    ARRAY(const struct ptx_variable *) areas; /* those in memory */
    ARRAY(struct ptx_variable *) locals;      /* what they became */
};

static bool is_among(const struct slots *s, const struct ptx_variable *v) {
    for (int i = 0; i < s->areas.n; i++)
        if (s->areas.v[i] == v)
            return true;
    return false;
}

/* A .param variable, and not of the kernel's own parameters. */
static bool is_passed(const struct slots *s, const struct ptx_variable *v) {
    for (int i = 0; v && v->space == PTX_SPACE_PARAM && i < s->b->variables.n;
         i++)
        if (s->b->variables.v[i] == v)
            return true;
    return false;
}

/* The operand of a load or store of a part of a variable; NULL: it is not. */
static const struct ptx_operand *part_of(const struct slots *s,
                                         const struct ptx_instruction *in) {
    bool load = in->form->op == PTX_OP_LD;
    if ((!load && in->form->op != PTX_OP_ST) ||
        in->form->space != PTX_SPACE_PARAM || in->n_operands != 2 ||
        in->form->n_types != 1)
        return NULL;
    const struct ptx_operand *o = in->operands[load];
    return o->kind == PTX_OPND_ADDRESS && o->n_items == 1 &&
                   o->items[0]->kind == PTX_OPND_VARIABLE &&
                   is_passed(s, o->items[0]->variable)
               ? o
               : NULL;
}

static int64_t offset_of(const struct ptx_operand *o) {
    return o->offset + o->items[0]->offset;
}

static void name_areas(struct slots *s, const struct ptx_operand *o) {
    if (o->variable && is_passed(s, o->variable) && !is_among(s, o->variable))
        *array_push(&s->areas) = o->variable;
    for (int i = 0; i < o->n_items; i++)
        name_areas(s, o->items[i]);
}

/* The slot of these bytes; NULL: they lie across another. */
static struct slot *slot_of(struct slots *s, const struct ptx_variable *v,
                            int64_t offset, int bytes) {
    for (int i = 0; i < s->list.n; i++) {
        struct slot *one = &s->list.v[i];
        if (one->variable != v || offset >= one->offset + one->bytes ||
            one->offset >= offset + bytes)
            continue;
        return one->offset == offset && one->bytes == bytes ? one : NULL;
    }
    struct slot *new = array_push(&s->list);
    *new = (struct slot){v, offset, bytes, NULL};
    return new;
}

/* What the instructions do to the variables that they name. */
static void look(struct slots *s, const struct ptx_instruction *in) {
    const struct ptx_operand *o = part_of(s, in);
    for (int i = 0; !o && i < in->n_operands; i++)
        name_areas(s, in->operands[i]);
    int bytes = o ? ptx_type_bits(in->form->types[0]) / 8 : 0;
    for (int i = 0; o && i < in->form->vector; i++)
        if (bytes > 8 || !slot_of(s, o->items[0]->variable,
                                  offset_of(o) + (int64_t)i * bytes, bytes))
            name_areas(s, o);
}

static struct ptx_register *register_of(struct slots *s, struct slot *slot) {
    if (!slot->reg) {
        struct ptx_register like = {.name = slot->variable->name,
                                    .type = slot->bytes == 8   ? PTX_U64
                                            : slot->bytes == 4 ? PTX_U32
                                                               : PTX_U16,
                                    .vector = 1,
                                    .kind =
                                        slot->bytes == 8 ? PTX_PAIR : PTX_ROW,
                                    .line = slot->variable->line};
        slot->reg = inline_register(s->b, like);
    }
    return slot->reg;
}

/* Bits of a register, or of what a number is taken for. */
static int bits_of(const struct ptx_operand *o, int otherwise) {
    return o->kind == PTX_OPND_REGISTER ? ptx_type_bits(o->reg->type)
                                        : otherwise;
}

static enum ptx_type integer(int bits, bool is_signed) {
    switch (bits) {
    case 8:
        return is_signed ? PTX_S8 : PTX_U8;
    case 16:
        return is_signed ? PTX_S16 : PTX_U16;
    case 32:
        return is_signed ? PTX_S32 : PTX_U32;
    default:
        return is_signed ? PTX_S64 : PTX_U64;
    }
}

/* to = from, of a slot's bytes: a move, or a conversion where one of them has
 * other bits. */
static void move(struct slots *s, const struct ptx_instruction *like,
                 const struct ptx_operand *to, const struct ptx_operand *from,
                 int bytes) {
    int bits = 8 * bytes;
    bool is_signed = ptx_type_kind(like->form->types[0]) == 's';
    int into = bits_of(to, bits), of = bits_of(from, bits);
    enum ptx_type types[2] = {integer(into, is_signed),
                              integer(bits, is_signed)};
    bool same = into == bits && of == bits;
    struct ptx_instruction in = *like;
    if (same)
        types[0] = bits == 64 ? PTX_B64 : bits == 32 ? PTX_B32 : PTX_B16;
    struct ptx_operand *both[] = {inline_operand(s->b, *to),
                                  inline_operand(s->b, *from)};
    in.form = inline_form(s->b, same ? PTX_OP_MOV : PTX_OP_CVT,
                          same ? OPC_mov : OPC_cvt, same ? 1 : 2, types, "");
    in.n_operands = 2;
    in.n_dst = 1;
    in.operands = arena_copy(s->b->arena, both, 2, sizeof *both);
    inline_add(s->b, in);
}

static void moves(struct slots *s, const struct ptx_instruction *in,
                  const struct ptx_operand *o) {
    bool load = in->form->op == PTX_OP_LD;
    const struct ptx_operand *value = in->operands[!load];
    int bytes = ptx_type_bits(in->form->types[0]) / 8;
    s->b->line = in->line;
    s->b->column = in->column;
    for (int i = 0; i < in->form->vector; i++) {
        const struct ptx_operand *one =
            value->kind == PTX_OPND_VECTOR ? value->items[i] : value;
        struct slot *slot = slot_of(s, o->items[0]->variable,
                                    offset_of(o) + (int64_t)i * bytes, bytes);
        const struct ptx_operand *part =
            inline_named(s->b, register_of(s, slot));
        if (one->kind != PTX_OPND_SINK)
            move(s, in, load ? one : part, load ? part : one, bytes);
    }
}

static struct ptx_variable *local_of(struct slots *s,
                                     const struct ptx_variable *v) {
    while (s->locals.n < s->areas.n) {
        struct ptx_variable *copy =
            arena_copy(s->b->arena, s->areas.v[s->locals.n], 1, sizeof *v);
        copy->space = PTX_SPACE_LOCAL;
        *array_push(&s->locals) = copy;
    }
    for (int i = 0; i < s->areas.n; i++)
        if (s->areas.v[i] == v)
            return s->locals.v[i];
    return NULL;
}

static void rename_areas(struct slots *s, struct ptx_operand *o) {
    struct ptx_variable *local = o->variable ? local_of(s, o->variable) : NULL;
    if (local)
        o->variable = local;
    for (int i = 0; i < o->n_items; i++)
        rename_areas(s, o->items[i]);
}

static void settle(struct slots *s, struct ptx_instruction in) {
    const struct ptx_operand *o = part_of(s, &in);
    if (o && !is_among(s, o->items[0]->variable)) {
        moves(s, &in, o);
        return;
    }
    if (o)
        in.form = inline_local_form(s->b, in.form);
    for (int i = 0; i < in.n_operands; i++)
        rename_areas(s, in.operands[i]);
    inline_add(s->b, in);
}

static void drop_params(struct slots *s) {
    struct inline_body *b = s->b;
    int n = 0;
    for (int i = 0; i < b->variables.n; i++)
        if (b->variables.v[i]->space != PTX_SPACE_PARAM)
            b->variables.v[n++] = b->variables.v[i];
    b->variables.n = n;
    for (int i = 0; i < s->locals.n; i++)
        *array_push(&b->variables) = s->locals.v[i];
}

void inline_slots(struct inline_body *b) {
    struct slots s = {.b = b};
    struct ptx_instruction *old = array_keep(&b->instructions, b->arena);
    int n = b->instructions.n;
    int *at = arena_array(b->arena, (size_t)n + 1, sizeof *at);
    for (int pc = 0; pc < n; pc++)
        look(&s, &old[pc]);
    b->instructions.n = 0;
    for (int pc = 0; pc < n; pc++) {
        at[pc] = b->instructions.n;
        settle(&s, old[pc]);
    }
    at[n] = b->instructions.n;
    for (int i = 0; i < b->labels.n; i++)
        b->labels.v[i]->pc = at[b->labels.v[i]->pc];
    for (int i = 0; i < b->places.n; i++)
        b->places.v[i].pc = at[b->places.v[i].pc];
    drop_params(&s);
    array_free(&s.list);
    array_free(&s.areas);
    array_free(&s.locals);
}
