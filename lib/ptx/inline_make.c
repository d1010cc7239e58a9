/* inline_make.c - see inline_make.h. */
#include "inline_make.h"

#include "base/text.h"
#include "tables.h"

#include <string.h>

struct ptx_operand *inline_operand(struct inline_body *b,
                                   struct ptx_operand o) {
    return arena_copy(b->arena, &o, 1, sizeof o);
}

struct ptx_operand *inline_named(struct inline_body *b,
                                 const struct ptx_register *r) {
    return inline_operand(b, (struct ptx_operand){.kind = PTX_OPND_REGISTER,
                                                  .reg = r,
                                                  .name = r->name,
                                                  .line = b->line,
                                                  .column = b->column});
}

struct ptx_register *inline_register(struct inline_body *b,
                                     struct ptx_register like) {
    struct ptx_register *r = arena_copy(b->arena, &like, 1, sizeof like);
    r->index = b->registers.n;
    *array_push(&b->registers) = r;
    return r;
}

struct ptx_operand *inline_variable(struct inline_body *b,
                                    const struct ptx_variable *v) {
    struct ptx_variable *copy = arena_copy(b->arena, v, 1, sizeof *v);
    *array_push(&b->variables) = copy;
    return inline_operand(b, (struct ptx_operand){.kind = PTX_OPND_VARIABLE,
                                                  .variable = copy,
                                                  .name = copy->name,
                                                  .line = b->line,
                                                  .column = b->column});
}

/* --- instructions --------------------------------------------------------- */

struct listed {
    int *v;
    int n;
};

static void list_one(struct listed *l, const struct ptx_register *r) {
    for (int i = 0; r && i < l->n; i++)
        if (l->v[i] == r->index)
            return;
    if (r)
        l->v[l->n++] = r->index;
}

static void list_operand(struct listed *l, const struct ptx_operand *o) {
    list_one(l, o->reg);
    list_one(l, o->second);
    for (int i = 0; i < o->n_items; i++)
        list_operand(l, o->items[i]);
}

static size_t count(const struct ptx_operand *o) {
    size_t n = 2;
    for (int i = 0; i < o->n_items; i++)
        n += count(o->items[i]);
    return n;
}

void inline_add(struct inline_body *b, struct ptx_instruction in) {
    size_t most = 1;
    for (int i = 0; i < in.n_operands; i++)
        most += count(in.operands[i]);
    struct listed defs = {arena_array(b->arena, most, sizeof(int)), 0};
    struct listed uses = {arena_array(b->arena, most, sizeof(int)), 0};
    for (int i = 0; i < in.n_dst; i++)
        list_operand(&defs, in.operands[i]);
    for (int i = in.n_dst; i < in.n_operands; i++)
        list_operand(&uses, in.operands[i]);
    in.defs = defs.v;
    in.n_defs = defs.n;
    in.n_sources = uses.n;
    list_one(&uses, in.guard);
    in.uses = uses.v;
    in.n_uses = uses.n;
    *array_push(&b->instructions) = in;
}

struct ptx_form *inline_form(struct inline_body *b, enum ptx_opcode op,
                             enum opclass opc, int n_types,
                             const enum ptx_type *types, const char *word) {
    const struct ptx_opcode_row *row = ptx_opcode_row(op);
    struct ptx_form *f = arena_alloc(b->arena, sizeof *f);
    struct text t = {0};
    text_printf(&t, "%s%s", row->text, word);
    for (int i = 0; i < n_types; i++)
        text_printf(&t, ".%s", ptx_type_text(types[i]));
    f->text = arena_strdup(b->arena, text_str(&t));
    text_free(&t);
    f->op = op;
    f->opc = opc;
    f->n_dst = row->n_dst;
    f->min = row->min;
    f->max = row->max;
    f->vector = 1;
    f->n_types = n_types;
    memcpy(f->types, types, (size_t)n_types * sizeof *types);
    return f;
}

static struct ptx_operand **pair(struct inline_body *b,
                                 const struct ptx_operand *to,
                                 const struct ptx_operand *from) {
    struct ptx_operand *both[] = {inline_operand(b, *to),
                                  inline_operand(b, *from)};
    return arena_copy(b->arena, both, 2, sizeof *both);
}

void inline_branch(struct inline_body *b, struct ptx_operand *o,
                   const struct ptx_register *guard, bool negated) {
    struct ptx_instruction in = {
        .form = inline_form(b, PTX_OP_BRA, OPC_branch, 0, NULL, ""),
        .line = b->line,
        .column = b->column,
        .guard = guard,
        .guard_negated = negated,
        .n_operands = 1,
        .operands = arena_copy(b->arena, &o, 1, sizeof(struct ptx_operand *))};
    inline_add(b, in);
}

struct ptx_operand *inline_target(struct inline_body *b, const char *name) {
    return inline_operand(b, (struct ptx_operand){.kind = PTX_OPND_LABEL,
                                                  .name = name,
                                                  .line = b->line,
                                                  .column = b->column});
}

struct ptx_operand *inline_skip(struct inline_body *b,
                                const struct ptx_register *guard, bool negated,
                                const char *name) {
    if (!guard)
        return NULL;
    struct ptx_operand *behind = inline_target(b, name);
    inline_branch(b, behind, guard, !negated);
    return behind;
}

void inline_label_at(struct inline_body *b, const struct ptx_label *l, int pc) {
    *array_push(&b->places) = (struct ptx_label){l->name, pc, l->line};
}

void inline_label(struct inline_body *b, struct ptx_operand *o) {
    o->pc = b->instructions.n;
    *array_push(&b->labels) = o;
    inline_label_at(b, &(struct ptx_label){o->name, 0, b->line}, o->pc);
}

/* --- transfers ------------------------------------------------------------ */

const struct ptx_form *inline_local_form(struct inline_body *b,
                                         const struct ptx_form *f) {
    struct ptx_form *local = arena_copy(b->arena, f, 1, sizeof *f);
    bool load = f->op == PTX_OP_LD;
    struct text t = {0};
    text_printf(&t, "%s.local", load ? "ld" : "st");
    if (f->vector > 1)
        text_printf(&t, ".v%d", f->vector);
    for (int i = 0; i < f->n_types; i++)
        text_printf(&t, ".%s", ptx_type_text(f->types[i]));
    local->text = arena_strdup(b->arena, text_str(&t));
    text_free(&t);
    local->space = PTX_SPACE_LOCAL;
    local->opc = load ? OPC_ld_global : OPC_st_global;
    return local;
}

static struct ptx_operand *address(struct inline_body *b,
                                   const struct ptx_operand *variable) {
    struct ptx_operand *base = inline_operand(b, *variable);
    struct ptx_operand o = {
        .kind = PTX_OPND_ADDRESS,
        .n_items = 1,
        .items = arena_copy(b->arena, &base, 1, sizeof(struct ptx_operand *)),
        .line = b->line,
        .column = b->column};
    return inline_operand(b, o);
}

void inline_transfer(struct inline_body *b, const struct ptx_operand *to,
                     const struct ptx_operand *from, enum ptx_type t) {
    bool store = to->kind == PTX_OPND_VARIABLE;
    bool load = from->kind == PTX_OPND_VARIABLE;
    enum ptx_opcode op = store ? PTX_OP_ST : load ? PTX_OP_LD : PTX_OP_MOV;
    struct ptx_form *f = inline_form(b, op,
                                     store  ? OPC_st_param
                                     : load ? OPC_ld_const
                                            : OPC_mov,
                                     1, &t, store || load ? ".param" : "");
    f->space = store || load ? PTX_SPACE_PARAM : PTX_SPACE_NONE;
    struct ptx_instruction in = {.form = f,
                                 .line = b->line,
                                 .column = b->column,
                                 .n_operands = 2,
                                 .n_dst = !store,
                                 .operands =
                                     pair(b, store ? address(b, to) : to,
                                          load ? address(b, from) : from)};
    inline_add(b, in);
}

void inline_finish(struct inline_body *b, struct ptx_function *flat) {
    inline_slots(b);
    flat->registers = array_keep(&b->registers, b->arena);
    flat->n_registers = b->registers.n;
    flat->instructions = array_keep(&b->instructions, b->arena);
    flat->n_instructions = b->instructions.n;
    flat->labels = array_keep(&b->places, b->arena);
    flat->n_labels = b->places.n;
    flat->variables = array_keep(&b->variables, b->arena);
    flat->n_variables = b->variables.n;
    array_free(&b->registers);
    array_free(&b->instructions);
    array_free(&b->places);
    array_free(&b->variables);
    array_free(&b->labels);
}
