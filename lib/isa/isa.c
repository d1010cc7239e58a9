/* isa.c - words of the instruction set, together and apart.
 *
 * Which fields an operation has follows from the letters of its form in
 * ops.def; nothing here names an operation.
 */
#include "isa.h"

#include "base/bits.h"
#include "base/diag.h"

#include <string.h>

static const struct isa_info infos[ISA_OPS] = {
#define OP(code, id, text, form, class, timing, doc)                           \
    [code] = {text, form, doc, ISA_CLASS_##class, ISA_TIMING_##timing},
#include "ops.def"
};

static const struct {
    const char *name, *doc;
} classes[ISA_CLASSES] =
    {
#define CLASS(name, doc) {#name, doc},
#include "classes.def"
},
  timings[ISA_TIMINGS] =
      {
#define TIMING(name, doc) {#name, doc},
#include "timings.def"
},
  specials[ISA_SPECIALS] = {
#define SPECIAL(index, id, text, doc) [index] = {text, doc},
#include "specials.def"
};

static const char *const fault_texts[ISA_FAULTS] = {
    [ISA_LEGAL] = "legal",
    [ISA_NO_OP] = "no such operation",
    [ISA_NOT_ZERO] = "a bit is set that the operation does not use",
    [ISA_GUARDED] = "a guard where none may be",
    [ISA_NO_REGISTER] = "a register that the machine does not have",
    [ISA_NO_SPECIAL] = "no such special register",
    [ISA_NO_PARAM] = "no such parameter word",
    [ISA_NO_IMMEDIATE] = "a number that does not fit",
};

const struct isa_info *isa_info(int op) {
    static const struct isa_info none = {.form = ""};
    return op >= 0 && op < ISA_OPS && infos[op].text ? &infos[op] : &none;
}

/* Some letters, and often asked: strchr would take longer. */
bool isa_has(int op, char letter) {
    const char *form = isa_info(op)->form;
    while (*form && *form != letter)
        form++;
    return *form != '\0';
}

bool isa_is_late(int op) {
    enum isa_class c = isa_info(op)->class;
    return isa_has(op, 'd') &&
           (c == ISA_CLASS_global || c == ISA_CLASS_shared ||
            c == ISA_CLASS_atomic || c == ISA_CLASS_cross);
}

const char *isa_class_name(enum isa_class c) {
    return classes[c].name;
}

const char *isa_class_doc(enum isa_class c) {
    return classes[c].doc;
}

const char *isa_timing_name(enum isa_timing t) {
    return timings[t].name;
}

const char *isa_timing_doc(enum isa_timing t) {
    return timings[t].doc;
}

const char *isa_special_text(int index) {
    return index >= 0 && index < ISA_SPECIALS ? specials[index].name : NULL;
}

const char *isa_special_doc(int index) {
    return index >= 0 && index < ISA_SPECIALS ? specials[index].doc : NULL;
}

const char *isa_fault_text(enum isa_fault f) {
    return fault_texts[f];
}

/* --- what a form uses ----------------------------------------------------- */

static uint8_t pred_bit(int field) {
    return (uint8_t)(1u << (field & 7) & ~(1u << ISA_TRUE));
}

struct isa_touch isa_touches(const struct isa_word *w) {
    struct isa_touch t = {.pred_reads = pred_bit(w->guard)};
    for (const char *f = isa_info(w->op)->form; *f; f++) {
        if (strchr("amn", *f))
            t.reads |= bit(w->a);
        else if (*f == 'b' || (strchr("if", *f) && !w->imm))
            t.reads |= bit(w->b);
        else if (*f == 'c')
            t.reads |= bit(w->c);
        else if (*f == 'd')
            t.writes |= bit(w->d);
        else if (*f == 'D')
            t.pred_writes |= pred_bit(w->d);
        else if (strchr("ABC", *f))
            t.pred_reads |= pred_bit(*f == 'A'   ? w->a
                                     : *f == 'B' ? w->b
                                                 : w->c);
    }
    return t;
}

/* A number always stands in value, or may. */
static bool always_imm(const char *form) {
    return strpbrk(form, "msp") != NULL;
}

static bool may_imm(const char *form) {
    return strpbrk(form, "ifmsp") != NULL;
}

static uint64_t letter_bits(char letter, bool imm) {
    switch (letter) {
    case 'd':
        return ones(6) << 12;
    case 'D':
        return ones(3) << 12;
    case 'a':
    case 'n':
        return ones(6) << 18;
    case 'A':
        return ones(4) << 18;
    case 'b':
        return ones(6) << 40;
    case 'B':
        return ones(4) << 40;
    case 'i':
    case 'f':
        return imm ? ones(24) << 40 : ones(6) << 40;
    case 'c':
        return ones(6) << 32;
    case 'C':
        return ones(4) << 32;
    case 'm':
        return ones(24) << 40 | ones(6) << 18;
    case 's':
    case 'p':
        return ones(24) << 40;
    case 'w':
    case 't':
        return ones(32) << 32;
    case 'R':
        return ones(2) << 38;
    case 'Z':
        return imm ? 0 : bit(46);
    case 'S':
        return imm ? 0 : bit(47);
    case 'U':
        return 0;
    default:
        BUG("form letter '%c'", letter);
    }
}

uint64_t isa_bits(int op, bool imm) {
    uint64_t mask = ones(12) | ones(7) << 25;
    const char *form = isa_info(op)->form;
    if (imm && may_imm(form))
        mask |= bit(24);
    for (; *form; form++)
        mask |= letter_bits(*form, imm);
    return mask;
}

/* --- apart ---------------------------------------------------------------- */

static bool registers_there(const struct isa_word *w, int n) {
    return !(
        (isa_has(w->op, 'd') && w->d >= n) ||
        ((isa_has(w->op, 'a') || isa_has(w->op, 'm') || isa_has(w->op, 'n')) &&
         w->a >= n) ||
        ((isa_has(w->op, 'b') || (may_imm(isa_info(w->op)->form))) &&
         w->b >= n) ||
        (isa_has(w->op, 'c') && w->c >= n));
}

/* What neither the mask nor the width of a field says. */
static enum isa_fault check(const struct isa_word *w, int registers) {
    if (isa_has(w->op, 'U') && (w->guard != ISA_TRUE || w->unless))
        return ISA_GUARDED;
    if (!registers_there(w, registers))
        return ISA_NO_REGISTER;
    if (isa_has(w->op, 's') && w->value >= ISA_SPECIALS)
        return ISA_NO_SPECIAL;
    if (isa_has(w->op, 'p') && w->value >= ISA_PARAMS)
        return ISA_NO_PARAM;
    return ISA_LEGAL;
}

static void take_second(uint64_t word, struct isa_word *w) {
    const char *form = isa_info(w->op)->form;
    uint32_t number = (uint32_t)(word >> 40);
    if (strchr(form, 'w'))
        w->value = (uint32_t)(word >> 32);
    else if (w->imm && strchr(form, 'f'))
        w->value = number << 8;
    else if (w->imm)
        w->value = (uint32_t)bits_signed(number, 24);
    if (w->imm || strchr(form, 'w') || strchr(form, 't'))
        return;
    w->b = word >> 40 & ones(6);
    w->ftz = word >> 46 & 1;
    w->sat = word >> 47 & 1;
}

enum isa_fault isa_decode(uint64_t word, int registers, struct isa_word *w) {
    *w = (struct isa_word){
        .op = word & ones(8),
        .guard = word >> 8 & ones(3),
        .unless = word >> 11 & 1,
        .d = word >> 12 & ones(6),
        .a = word >> 18 & ones(6),
        .imm = word >> 24 & 1,
        .place = word >> 25 & ones(2),
        .chain = word >> 27 & ones(4),
        .mark = word >> 31 & 1,
    };
    const struct isa_info *info = isa_info(w->op);
    if (!info->text)
        return ISA_NO_OP;
    if (word & ~isa_bits(w->op, w->imm) || (always_imm(info->form) && !w->imm))
        return ISA_NOT_ZERO;
    if (isa_has(w->op, 't')) {
        w->target = word >> 32 & ones(16);
        w->join = word >> 48 & ones(16);
    } else if (!isa_has(w->op, 'w')) {
        w->c = word >> 32 & ones(6);
        w->round = word >> 38 & ones(2);
    }
    take_second(word, w);
    return check(w, registers);
}

/* --- together ------------------------------------------------------------- */

/* The number of an immediate as it stands in 24 bits. */
static enum isa_fault put_number(const struct isa_word *w, uint64_t *bits) {
    if (isa_has(w->op, 'f')) {
        *bits |= (uint64_t)(w->value >> 8) << 40;
        return w->value & ones(8) ? ISA_NO_IMMEDIATE : ISA_LEGAL;
    }
    *bits |= (w->value & ones(24)) << 40;
    if ((uint32_t)bits_signed(w->value, 24) != w->value)
        return ISA_NO_IMMEDIATE;
    return ISA_LEGAL;
}

/* Every field must keep within its width, and those of which there is none
 * here must be zero: then taking the word apart gives w again. */
static bool same(const struct isa_word *a, const struct isa_word *b) {
    return a->op == b->op && a->guard == b->guard && a->unless == b->unless &&
           a->d == b->d && a->a == b->a && a->b == b->b && a->c == b->c &&
           a->imm == b->imm && a->value == b->value && a->target == b->target &&
           a->join == b->join && a->place == b->place && a->chain == b->chain &&
           a->mark == b->mark && a->round == b->round && a->ftz == b->ftz &&
           a->sat == b->sat;
}

enum isa_fault isa_encode(const struct isa_word *w, uint64_t *word) {
    const struct isa_info *info = isa_info(w->op);
    if (!info->text)
        return ISA_NO_OP;
    uint64_t bits = w->op | (uint64_t)(w->guard & 7) << 8 |
                    (uint64_t)w->unless << 11 | (uint64_t)(w->d & 63) << 12 |
                    (uint64_t)(w->a & 63) << 18 | (uint64_t)w->imm << 24 |
                    (uint64_t)(w->place & 3) << 25 |
                    (uint64_t)(w->chain & 15) << 27 | (uint64_t)w->mark << 31;
    if (isa_has(w->op, 'w')) {
        bits |= (uint64_t)w->value << 32;
    } else if (isa_has(w->op, 't')) {
        bits |= (uint64_t)w->target << 32 | (uint64_t)w->join << 48;
    } else {
        bits |= (uint64_t)(w->c & 63) << 32 | (uint64_t)(w->round & 3) << 38;
        enum isa_fault f = ISA_LEGAL;
        if (w->imm)
            f = put_number(w, &bits);
        else
            bits |= (uint64_t)(w->b & 63) << 40 | (uint64_t)w->ftz << 46 |
                    (uint64_t)w->sat << 47;
        if (f)
            return f;
    }
    struct isa_word again;
    enum isa_fault f = isa_decode(bits, ISA_REGISTERS, &again);
    if (f)
        return f;
    if (!same(w, &again))
        return ISA_NOT_ZERO;
    *word = bits;
    return ISA_LEGAL;
}
