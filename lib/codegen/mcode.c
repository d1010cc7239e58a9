/* mcode.c - what an instruction reads and writes (mcode.h). */
#include "mcode.h"

#include "base/bits.h"
#include "base/diag.h"

#include <inttypes.h>
#include <string.h>

int mc_use_fields(struct mc_insn *i, mc_value *fields[MC_MAX_USES]) {
    int n = 0;
    for (const char *f = isa_info(i->op)->form; *f; f++) {
        if (strchr("aAmn", *f))
            fields[n++] = &i->a;
        else if (strchr("bB", *f) || (strchr("if", *f) && !i->imm))
            fields[n++] = &i->b;
        else if (strchr("cC", *f))
            fields[n++] = &i->c;
    }
    if (i->op == MC_HOLD)
        fields[n++] = &i->a;
    if (i->guard != MC_NONE)
        fields[n++] = &i->guard;
    return n;
}

int mc_uses(const struct mc_insn *i, mc_value uses[MC_MAX_USES]) {
    struct mc_insn copy = *i;
    mc_value *fields[MC_MAX_USES];
    int n = mc_use_fields(&copy, fields);
    for (int k = 0; k < n; k++)
        uses[k] = *fields[k];
    return n;
}

mc_value mc_def(const struct mc_insn *i) {
    return isa_has(i->op, 'd') || isa_has(i->op, 'D') ? i->d : MC_NONE;
}

bool mc_kills(const struct mc_insn *i) {
    return i->guard == MC_NONE || i->whole;
}

bool mc_is_pure(const struct mc_insn *i) {
    enum isa_class c = isa_info(i->op)->class;
    return mc_def(i) != MC_NONE &&
           (c == ISA_CLASS_special || c == ISA_CLASS_pred ||
            c == ISA_CLASS_int || c == ISA_CLASS_mul ||
            c == ISA_CLASS_compare || c == ISA_CLASS_f32);
}

mc_value mc_copied(const struct mc_insn *i) {
    if (i->guard != MC_NONE)
        return MC_NONE;
    if (i->op == ISA_mov)
        return i->b;
    if (i->op == ISA_pand && !i->not_a && !i->not_b && i->b == MC_TRUE)
        return i->a;
    return MC_NONE;
}

bool mc_only_asks(const struct mc_insn *i) {
    return i->mark && i->op == ISA_or && i->imm && !i->value && i->d == i->a;
}

bool mc_is_start(const struct mc_code *m, const struct mc_insn *i) {
    return i->op == ISA_mov && i->b == i->d && m->values.v[i->d].is_tid;
}

mc_value mc_new(struct mc_code *m, enum mc_kind kind) {
    *array_push(&m->values) = (struct mc_info){.kind = kind};
    return m->values.n - 1;
}

int mc_label(struct mc_code *m) {
    return m->n_labels++;
}

bool mc_fits(int op, uint32_t value) {
    if (isa_has(op, 'f'))
        return (value & ones(8)) == 0;
    return isa_has(op, 'i') && (uint32_t)bits_signed(value, 24) == value;
}

static bool is_kind(const struct mc_code *m, mc_value v, bool predicate) {
    return v >= 0 && v < m->values.n &&
           (m->values.v[v].kind == MC_PREDICATE) == predicate;
}

static bool is_sound(const struct mc_code *m, const struct mc_insn *i) {
    bool ok = i->guard == MC_NONE || is_kind(m, i->guard, true);
    for (const char *f = isa_info(i->op)->form; *f; f++) {
        if (strchr("dD", *f))
            ok = ok && is_kind(m, i->d, *f == 'D');
        else if (strchr("aAmn", *f))
            ok = ok && is_kind(m, i->a, *f == 'A');
        else if (strchr("bB", *f) || (strchr("if", *f) && !i->imm))
            ok = ok && is_kind(m, i->b, *f == 'B');
        else if (strchr("cC", *f))
            ok = ok && is_kind(m, i->c, *f == 'C');
        else if (*f == 't')
            ok = ok && i->target >= 0 && i->target < m->n_labels;
    }
    return ok;
}

void mc_check(const struct mc_code *m) {
    for (int k = 0; k < m->list.n; k++)
        if (!is_sound(m, &m->list.v[k]))
            BUG("line %d: '%s' has an operand that is none", m->list.v[k].line,
                isa_info(m->list.v[k].op)->text);
}

void mc_print(const struct mc_code *m, struct text *out) {
    for (int k = 0; k < m->list.n; k++) {
        const struct mc_insn *i = &m->list.v[k];
        if (i->op == MC_LABEL) {
            text_printf(out, "L%" PRIu32 ":\n", i->value);
            continue;
        }
        text_printf(out, "%4d  ", i->line);
        if (i->guard != MC_NONE)
            text_printf(out, "@%sv%d ", i->unless ? "!" : "", i->guard);
        text_add(out, i->op == MC_HOLD ? "hold" : isa_info(i->op)->text);
        if (mc_def(i) != MC_NONE)
            text_printf(out, " v%d <-", i->d);
        mc_value uses[MC_MAX_USES];
        int n = mc_uses(i, uses);
        for (int u = 0; u < n; u++)
            text_printf(out, " v%d", uses[u]);
        if (i->imm || i->op == ISA_movi)
            text_printf(out, " %" PRIx32, i->value);
        if (i->op == ISA_bra)
            text_printf(out, " L%d", i->target);
        text_addc(out, '\n');
    }
}
