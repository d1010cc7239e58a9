/* parse_sum.c - plain operands 'register + constant': mov.b64 %a, %b+8.
 *
 * An address keeps its offset; elsewhere the sum is what an add in front of the
 * instruction leaves in a register of its own, so that nobody behind the
 * reader has to know of such operands.
 */
#include "reader.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const struct ptx_form *add_form(struct reader *r,
                                       const struct ptx_register *reg) {
    char kind = ptx_type_kind(reg->type);
    if (reg->vector > 1 || !strchr("bus", kind))
        return NULL;
    switch (ptx_type_bits(reg->type)) {
    case 16:
        return reader_form(r, "add.u16", 7);
    case 32:
        return reader_form(r, "add.u32", 7);
    case 64:
        return reader_form(r, "add.u64", 7);
    default:
        return NULL;
    }
}

static struct ptx_operand *operand(struct reader *r, struct ptx_operand like) {
    struct ptx_operand *o = arena_alloc(r->arena, sizeof *o);
    *o = like;
    return o;
}

/* The sum that o asks for, in front of the instruction; o becomes its name. */
static bool add_sum(struct reader *r, const struct ptx_instruction *in,
                    struct ptx_operand *o) {
    const struct ptx_form *form = add_form(r, o->reg);
    struct place at = {r->module->source, o->line, o->column, 1};
    if (!form || o->negated || o->suffix || o->second) {
        diag_error(r->diag, at,
                   "'%.*s' + a constant, expected a whole integer register of "
                   "16, 32 or 64 bits there",
                   SHOWN(o->name, strlen(o->name)));
        return false;
    }
    struct text name = {0};
    text_printf(&name, "%s%+" PRId64, o->reg->name, o->offset);
    struct ptx_register *sum = reader_like(r, o->reg, text_str(&name));
    text_free(&name);
    struct ptx_operand at_place = {.line = o->line, .column = o->column};
    struct ptx_operand to = at_place, from = at_place, by = at_place;
    to.kind = from.kind = PTX_OPND_REGISTER;
    to.reg = sum;
    to.name = sum->name;
    from.reg = o->reg;
    from.name = o->name;
    by.kind = PTX_OPND_VALUE;
    by.value = (struct ptx_value){.bits = (uint64_t)o->offset};
    struct ptx_operand *operands[] = {operand(r, to), operand(r, from),
                                      operand(r, by)};
    struct ptx_instruction add = {.form = form,
                                  .line = in->line,
                                  .column = in->column,
                                  .added = true,
                                  .n_operands = 3,
                                  .n_dst = 1};
    add.operands = arena_copy(r->arena, operands, 3, sizeof *operands);
    reader_defs_uses(r, &add);
    *array_push(&r->instructions) = add;
    *o = to;
    return true;
}

static bool add_sums(struct reader *r, const struct ptx_instruction *in,
                     struct ptx_operand *o) {
    if (o->kind == PTX_OPND_REGISTER && o->offset)
        return add_sum(r, in, o);
    for (int i = o->kind == PTX_OPND_ADDRESS; i < o->n_items; i++)
        if (!add_sums(r, in, o->items[i]))
            return false;
    return true;
}

static bool is_sum(const struct ptx_operand *o) {
    bool any = o->kind == PTX_OPND_REGISTER && o->offset;
    for (int i = o->kind == PTX_OPND_ADDRESS; i < o->n_items && !any; i++)
        any = is_sum(o->items[i]);
    return any;
}

bool reader_add_sums(struct reader *r, struct ptx_instruction *in) {
    for (int i = 0; i < in->n_operands; i++) {
        struct ptx_operand *o = in->operands[i];
        if (i >= in->n_dst) {
            if (!add_sums(r, in, o))
                return false;
        } else if (is_sum(o)) {
            diag_error(r->diag,
                       (struct place){r->module->source, o->line, o->column, 1},
                       "a destination + a constant, expected a register");
            return false;
        }
    }
    return true;
}
