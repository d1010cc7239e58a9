/* values.c - what instructions do with registers, in program order and on the
 * base die. */
#include "env.h"

#include "base/bits.h"
#include "iface/opclass.h"
#include "isa/alu.h"

#include <string.h>

struct row *values_at(struct near_bank_stim *s, struct row *rows, int warp,
                      uint64_t reg) {
    return &rows[(uint64_t)warp * (uint64_t)s->size.REGS + reg];
}

bool values_is_pred(const struct near_bank_stim *s, uint64_t reg) {
    return reg >= (uint64_t)s->size.REGS - PREDICATES;
}

bool values_same(const struct near_bank_stim *s, uint64_t reg,
                 const struct row *a, const struct row *b) {
    size_t n = values_is_pred(s, reg) ? 1 : (size_t)s->size.LANES;
    return memcmp(a->lane, b->lane, n * sizeof a->lane[0]) == 0;
}

/* Memory accesses have theirs where they lie wherever they run
 * (docs/blocks/nbu.md, "Where its operands must be"). */
bool values_is_near(const struct instr *i, enum operand o, enum side side) {
    bool memory = i->op == OPC_ld_global || i->op == OPC_st_global;
    if (!memory || o == GUARD)
        return side == NEAR;
    return o != SRC0;
}

/* --- one lane ------------------------------------------------------------- */

static bool holds(const struct instr *i, const struct row *v, enum operand o,
                  int lane) {
    return !i->has[o] || v[o].lane[0] >> lane & 1;
}

static uint32_t value_of(const struct instr *i, const struct row *v,
                         enum operand o, int lane) {
    return i->has[o] ? v[o].lane[lane] : 0;
}

static uint32_t compute(const struct instr *i, const struct row *v, int lane) {
    const struct isa_word *w = &i->word;
    uint32_t a = value_of(i, v, SRC0, lane), b = value_of(i, v, SRC1, lane);
    bool p = holds(i, v, SRC2, lane) != ((w->c & ISA_INVERT) != 0);
    if (isa_has(w->op, 'A')) {
        a = holds(i, v, SRC0, lane) != ((w->a & ISA_INVERT) != 0);
        b = holds(i, v, SRC1, lane) != ((w->b & ISA_INVERT) != 0);
    }
    if (w->imm || w->op == ISA_movi)
        b = w->value;
    return alu_is_test(w->op)
               ? alu_test(w, a, b)
               : alu_value(w, a, b, value_of(i, v, SRC2, lane), p);
}

/* Lanes that are written: those of the mask for which the guard holds. */
uint64_t values_active(const struct near_bank_stim *s, const struct instr *i,
                       const struct row *v) {
    uint64_t lanes = i->mask;
    for (int l = 0; i->has[GUARD] && l < s->size.LANES; l++)
        if (holds(i, v, GUARD, l) == i->word.unless)
            lanes &= ~bit(l);
    return lanes;
}

/* The destination's row after an instruction with operands v. */
static void execute(const struct near_bank_stim *s, const struct flight *f,
                    const struct row *v, struct row *d) {
    const struct instr *i = &f->i;
    bool computed = words_computed(i->word.op);
    uint64_t lanes = values_active(s, i, v);
    for (int l = 0; l < s->size.LANES; l++) {
        if (!(lanes >> l & 1))
            continue;
        uint32_t x = computed ? compute(i, v, l) : f->made.lane[l];
        if (i->kind[DST] == 2)
            d->lane[0] = (d->lane[0] & ~(UINT32_C(1) << l)) | x << l;
        else
            d->lane[l] = x;
    }
}

/* --- all lanes ------------------------------------------------------------ */

void values_accept(struct near_bank_stim *s, struct flight *f) {
    const struct instr *i = &f->i;
    for (int l = 0; l < s->size.LANES; l++)
        f->made.lane[l] = (uint32_t)rng_next(&s->base.rng);
    if (s->shares && rng_percent(&s->base.rng, 60))
        shared_addresses(s, &f->made);
    for (int o = 0; o < OPERANDS; o++)
        if (i->has[o])
            f->expected[o] = *values_at(s, s->truth, i->warp, i->reg[o]);
    f->lanes = values_active(s, i, f->expected);
    if (shared_is(s, i->word.op))
        shared_execute(s, f);
    if (i->has[DST])
        execute(s, f, f->expected,
                values_at(s, s->truth, i->warp, i->reg[DST]));
}

void values_far(struct near_bank_stim *s, struct flight *f) {
    const struct instr *i = &f->i;
    struct row v[OPERANDS];
    memset(v, 0, sizeof v);
    for (int o = 0; o < OPERANDS; o++)
        if (i->has[o] && !values_is_near(i, o, FAR))
            v[o] = *values_at(s, s->far, i->warp, i->reg[o]);
    f->result = v[DST];
    if (i->has[DST])
        execute(s, f, v, &f->result);
}

void values_write(struct near_bank_stim *s, const struct flight *f) {
    const struct instr *i = &f->i;
    if (i->has[DST] && !values_is_near(i, DST, FAR))
        *values_at(s, s->far, i->warp, i->reg[DST]) = f->result;
}
