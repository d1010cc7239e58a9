/* pointers.c - see pointers.h.
 *
 * Machines use the low word of an address alone, so an address of the host's
 * memory would pass for one of the device's.  Found backwards from the operands
 * that are addresses, over moves, conversions between spaces, selections and
 * sums; a factor of an offset is none.
 */
#include "pointers.h"

#include "lower.h"
#include "ptx/inline.h"

#include <string.h>

static bool mark(bool *pointer, const struct ptx_operand *o) {
    if (o->kind != PTX_OPND_REGISTER || ptx_type_bits(o->reg->type) != 64 ||
        pointer[o->reg->index])
        return false;
    return pointer[o->reg->index] = true;
}

static bool visit(bool *pointer, const struct ptx_instruction *in) {
    bool changed = false;
    for (int i = 0; i < in->n_operands; i++)
        if (in->operands[i]->kind == PTX_OPND_ADDRESS &&
            in->operands[i]->n_items == 1)
            changed |= mark(pointer, in->operands[i]->items[0]);
    enum ptx_opcode op = in->form->op;
    if ((op != PTX_OP_MOV && op != PTX_OP_CVTA && op != PTX_OP_SELP &&
         op != PTX_OP_ADD) ||
        in->operands[0]->kind != PTX_OPND_REGISTER ||
        !pointer[in->operands[0]->reg->index])
        return changed;
    for (int i = 1; i < in->n_operands; i++)
        changed |= mark(pointer, in->operands[i]);
    return changed;
}

static bool *find_pointers(struct arena *a, const struct ptx_function *f) {
    bool *pointer = arena_array(a, (size_t)f->n_registers + 1, sizeof *pointer);
    for (bool changed = true; changed;) {
        changed = false;
        for (int pc = f->n_instructions - 1; pc >= 0; pc--)
            changed |= visit(pointer, &f->instructions[pc]);
    }
    return pointer;
}

static int index_of(const struct ptx_function *f,
                    const struct ptx_variable *v) {
    for (int i = 0; i < f->n_params; i++)
        if (strcmp(v->name, f->params[i].name) == 0)
            return i;
    return -1;
}

struct param_address *
pointers_of_params(struct arena *a, const struct ptx_function *kernel, int *n) {
    const struct ptx_function *f = ptx_inline(a, kernel);
    const bool *pointer = find_pointers(a, f);
    ARRAY(struct param_address) found = {0};
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        const struct ptx_variable *v;
        int64_t offset;
        int param;
        if (in->form->op != PTX_OP_LD || in->form->space != PTX_SPACE_PARAM ||
            in->operands[1]->kind != PTX_OPND_ADDRESS ||
            !lower_param_spot(f, in->operands[1]->items[0], &v, &offset) ||
            (param = index_of(f, v)) < 0)
            continue;
        const struct ptx_operand *to = in->operands[0];
        offset += in->operands[1]->offset;
        for (int i = 0; i < in->form->vector; i++) {
            const struct ptx_operand *d =
                to->kind == PTX_OPND_VECTOR ? to->items[i] : to;
            if (d->kind == PTX_OPND_REGISTER && pointer[d->reg->index])
                *array_push(&found) =
                    (struct param_address){param, offset + 8 * i};
        }
    }
    *n = found.n;
    struct param_address *list = array_keep(&found, a);
    array_free(&found);
    return list;
}
