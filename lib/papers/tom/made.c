/* made.c - values made of several registers in front of a block, which
 * conditions are on (place.c puts them there):
 *
 *     sub.s32     %v, %plus, %minus;
 *     mad.lo.s32  %v, %step, times, %plus;
 *     both: the product is added to the difference
 *
 * The value is one of the instruction in front of the block, so its physical
 * register still holds it when the block is asked for, however short it lives.
 */
#include "parts.h"

static bool is_word(const struct ptx_operand *o) {
    return o->kind == PTX_OPND_REGISTER && !o->suffix && !o->negated &&
           o->reg->kind == PTX_ROW && ptx_type_bits(o->reg->type) == 32;
}

static bool is_word_form(const struct ptx_instruction *in, enum ptx_opcode op,
                         int operands) {
    enum ptx_type type = in->form->n_types ? in->form->types[0] : PTX_TYPE_NONE;
    if (in->form->op != op || in->guard || in->n_defs != 1 ||
        in->n_operands != operands || (type != PTX_S32 && type != PTX_U32))
        return false;
    return is_word(in->operands[0]) && is_word(in->operands[1]);
}

/* dst = plus - minus, without .sat, .cc */
static bool is_difference(const struct ptx_instruction *in) {
    return is_word_form(in, PTX_OP_SUB, 3) && in->form->n_modifiers == 0 &&
           is_word(in->operands[2]);
}

/* dst = step * times + plus */
static bool is_product(const struct ptx_instruction *in) {
    const struct ptx_operand *times;
    if (!is_word_form(in, PTX_OP_MAD, 4) || in->form->n_modifiers != 1 ||
        !ptx_has(in->form, PTX_MOD_LO))
        return false;
    times = in->operands[2];
    return times->kind == PTX_OPND_VALUE &&
           times->value.kind == PTX_VALUE_INT && is_word(in->operands[3]);
}

static int reg_of(const struct ptx_instruction *in, int operand) {
    return in->operands[operand]->reg->index;
}

/* Whether the only way to pc is through the instruction before it. */
static bool follows(const struct ptx_analysis *a, int pc) {
    const struct ptx_block *b = &a->cfg.blocks[a->cfg.block_of[pc]];
    return pc > b->begin ||
           (b->n_pred == 1 && a->cfg.blocks[b->pred[0]].end == pc);
}

bool ptx_made_before(const struct ptx_analysis *a, int pc, int *reg,
                     struct ptx_sum *sum) {
    const struct ptx_instruction *last, *first;
    if (pc < 1)
        return false;
    last = first = &a->function->instructions[pc - 1];
    *sum = (struct ptx_sum){.minus = -1, .step = -1};
    if (is_product(last)) {
        sum->plus = reg_of(last, 3);
        sum->step = reg_of(last, 1);
        sum->times = (int32_t)(uint32_t)last->operands[2]->value.bits;
        if (sum->step == reg_of(last, 0))
            return false;
        if (pc > 1 && follows(a, pc - 1) && is_difference(last - 1) &&
            reg_of(last - 1, 0) == sum->plus &&
            reg_of(last - 1, 0) != sum->step)
            first = last - 1;
    } else if (!is_difference(last)) {
        return false;
    }
    if (is_difference(first)) {
        sum->plus = reg_of(first, 1);
        sum->minus = reg_of(first, 2);
    }
    *reg = reg_of(last, 0);
    /* what the sum is of must still stand */
    return *reg != sum->plus && *reg != sum->minus &&
           reg_of(first, 0) != sum->plus && reg_of(first, 0) != sum->minus;
}

/* Whether nobody reads what the instruction at pc leaves. */
static bool unread(const struct ptx_analysis *a, int pc) {
    const struct ptx_instruction *in = &a->function->instructions[pc];
    return !ptx_live_at(&a->live, in->defs[0], 2 * pc + 2);
}

/* Whether the sum is what some loop's count depends on. */
static bool counts(const struct ptx_analysis *a, const struct ptx_sum *sum) {
    for (int l = 0; l < a->loops.n_loops; l++) {
        const struct ptx_trip *trip = &a->loops.loops[l].trip;
        int least =
            trip->tests_first ? 1 : 2; /* that a test says anything of */
        if (ptx_trip_several(a->function, trip) &&
            ptx_trip_of_sum(trip, sum, least) > 0)
            return true;
    }
    return false;
}

void ptx_made_find(const struct ptx_analysis *a, const char **refused) {
    static const char why[] = "computes the condition of a candidate";
    int reg;
    struct ptx_sum sum;
    for (int pc = 1; pc < a->function->n_instructions; pc++) {
        if (!ptx_made_before(a, pc, &reg, &sum) || !unread(a, pc - 1) ||
            !counts(a, &sum))
            continue;
        refused[pc - 1] = why;
        if (sum.step >= 0 && sum.minus >= 0)
            refused[pc - 2] = why;
    }
}
