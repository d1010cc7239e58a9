/* forms.c - the instructions that programs are made of.
 *
 * Only such as PTX defines to the last bit: no approximate functions.  Kinds of
 * operands:
 *
 *   R F H Q P   results: b32, f32, b16, b64, predicate
 *   r f h q p   sources
 *   i g j k     sources that may be numbers: 32 bits, f32, 16 bits, 64 bits
 *   n           b32 or a number of 0 to 40: shifts, places, lengths
 *   x y         numbers alone: a permutation, a truth table
 */
#include "private.h"

#include <stdio.h>
#include <string.h>

const struct fuzz_form fuzz_forms[] = {
    /* integers */
    {"[add|sub].[u32|s32] $0, $1, $2;", "Rri"},
    {"[add|sub].[u32|s32] $0, $1, $2;", "Rir"},
    {"[add|sub].sat.s32 $0, $1, $2;", "Rri"},
    {"mul.lo.[u32|s32] $0, $1, $2;", "Rri"},
    {"mul.hi.[u32|s32] $0, $1, $2;", "Rri"},
    {"mad.lo.[u32|s32] $0, $1, $2, $3;", "Rrir"},
    {"mad.hi.[u32|s32] $0, $1, $2, $3;", "Rrir"},
    {"mul24.[lo|hi].[u32|s32] $0, $1, $2;", "Rri"},
    {"mad24.lo.[u32|s32] $0, $1, $2, $3;", "Rrri"},
    {"sad.[u32|s32] $0, $1, $2, $3;", "Rrir"},
    {"or.b32 %ta, $2, 1; [div|rem].[u32|s32] $0, $1, %ta;", "Rri"},
    {"[min|max].[u32|s32] $0, $1, $2;", "Rri"},
    {"abs.s32 $0, $1;", "Rr"},
    {"neg.s32 $0, $1;", "Rr"},
    {"[and|or|xor].b32 $0, $1, $2;", "Rri"},
    {"not.b32 $0, $1;", "Rr"},
    {"cnot.b32 $0, $1;", "Rr"},
    {"shl.b32 $0, $1, $2;", "Rrn"},
    {"shr.[u32|s32] $0, $1, $2;", "Rrn"},
    {"shr.[u32|s32] $0, $1, $2;", "Rin"},
    {"[popc|clz|brev].b32 $0, $1;", "Rr"},
    {"bfind.[u32|s32] $0, $1;", "Rr"},
    {"bfind.shiftamt.[u32|s32] $0, $1;", "Rr"},
    {"bfe.[u32|s32] $0, $1, $2, $3;", "Rrnn"},
    {"bfi.b32 $0, $1, $2, $3, $4;", "Rrrnn"},
    {"shf.[l|r].[clamp|wrap].b32 $0, $1, $2, $3;", "Rrrn"},
    {"prmt.b32 $0, $1, $2, $3;", "Rrrx"},
    {"lop3.b32 $0, $1, $2, $3, $4;", "Rrrry"},
    {"mov.[u32|b32] $0, $1;", "Ri"},
    {"selp.[b32|u32|s32] $0, $1, $2, $3;", "Rirp"},
    {"slct.[u32|s32].s32 $0, $1, $2, $3;", "Rrir"},
    {"slct[|.ftz].u32.f32 $0, $1, $2, $3;", "Rrif"},
    {"set.[eq|ne|lt|le|gt|ge].u32.[u32|s32] $0, $1, $2;", "Rri"},
    {"set.[eq|ne|lt|gt].f32.s32 $0, $1, $2;", "Fri"},
    /* comparisons and predicates */
    {"setp.[eq|ne|lt|le|gt|ge].[u32|s32] $0, $1, $2;", "Pri"},
    {"setp.[lo|ls|hi|hs].u32 $0, $1, $2;", "Pri"},
    {"setp.[eq|ne|lt|le|gt|ge].[and|or|xor].[u32|s32] $0, $1, $2, $3;", "Prip"},
    {"setp.[lt|ge].[and|or|xor].s32 $0, $1, $2, !$3;", "Prip"},
    {"setp.[lt|ge|eq].[u32|s32] $0|$1, $2, $3;", "PPri"},
    {"setp.[lt|ge|ltu].[and|or].f32 $0|$1, $2, $3, $4;", "PPfgp"},
    {"[and|or|xor].pred $0, $1, $2;", "Ppp"},
    {"not.pred $0, $1;", "Pp"},
    {"mov.pred $0, $1;", "Pp"},
    {"setp.[eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan][|.ftz].f32 $0, "
     "$1, $2;",
     "Pfg"},
    {"setp.[lt|ge|neu].[and|or].f32 $0, $1, $2, $3;", "Pfgp"},
    {"set.[eq|lt|geu|num][|.ftz].u32.f32 $0, $1, $2;", "Rfg"},
    {"testp.[finite|infinite|number|notanumber|normal|subnormal].f32 $0, $1;",
     "Pf"},
    /* f32 */
    {"[add|sub|mul][|.rn|.rz|.rm|.rp][|.ftz][|.sat].f32 $0, $1, $2;", "Ffg"},
    {"fma.[rn|rz|rm|rp][|.ftz][|.sat].f32 $0, $1, $2, $3;", "Ffgf"},
    {"fma.[rn|rz|rm|rp][|.ftz].f32 $0, $1, $2, $3;", "Ffff"},
    {"[min|max][|.ftz].f32 $0, $1, $2;", "Ffg"},
    {"[min|max].NaN.f32 $0, $1, $2;", "Ffg"},
    /* of a NaN they leave which one open; a sum has but one */
    {"[abs|neg].f32 %tf, $1; add.rn.f32 $0, %tf, 0f80000000;", "Ff"},
    {"copysign.f32 $0, $1, $2;", "Ffg"},
    {"div.rn[|.ftz].f32 $0, $1, $2;", "Ffg"},
    {"[rcp|sqrt].rn[|.ftz].f32 $0, $1;", "Ff"},
    {"mov.f32 $0, $1;", "Fg"},
    {"selp.f32 $0, $1, $2, $3;", "Fgfp"},
    {"mov.b32 $0, $1;", "Fr"},
    {"mov.b32 $0, $1;", "Rf"},
    /* conversions */
    {"cvt.[rn|rz|rm|rp].f32.[u32|s32] $0, $1;", "Fr"},
    {"cvt.rn.f32.[u16|s16|u8|s8] $0, $1;", "Fr"},
    {"cvt.[rni|rzi|rmi|rpi][|.ftz].[u32|s32].f32 $0, $1;", "Rf"},
    {"cvt.rzi.[u16|s16|u8|s8].f32 $0, $1;", "Rf"},
    {"cvt.[rni|rzi|rmi|rpi][|.ftz][|.sat].f32.f32 $0, $1;", "Ff"},
    {"cvt[|.ftz].sat.f32.f32 $0, $1;", "Ff"},
    {"cvt.[u32|s32].[u8|s8|u16|s16] $0, $1;", "Rr"},
    {"cvt.[u8|s8|u16|s16].[u32|s32] $0, $1;", "Rr"},
    {"cvt.sat.[u8|s8|u16|s16].[u32|s32] $0, $1;", "Rr"},
    {"cvt.sat.u32.s32 $0, $1;", "Rr"},
    {"cvt.sat.s32.u32 $0, $1;", "Rr"},
    {"cvt.rn.f32.[u64|s64] $0, $1;", "Fq"},
    /* 16 bits */
    {"[add|sub|mul.lo].[u16|s16] $0, $1, $2;", "Hhj"},
    {"mul.hi.[u16|s16] $0, $1, $2;", "Hhj"},
    {"mul.wide.[u16|s16] $0, $1, $2;", "Rhj"},
    {"mad.lo.[u16|s16] $0, $1, $2, $3;", "Hhjh"},
    {"mad.wide.[u16|s16] $0, $1, $2, $3;", "Rhjr"},
    {"[min|max].[u16|s16] $0, $1, $2;", "Hhj"},
    {"[and|or|xor].b16 $0, $1, $2;", "Hhj"},
    {"not.b16 $0, $1;", "Hh"},
    {"neg.s16 $0, $1;", "Hh"},
    {"abs.s16 $0, $1;", "Hh"},
    {"shl.b16 $0, $1, $2;", "Hhn"},
    {"shr.[u16|s16] $0, $1, $2;", "Hhn"},
    {"setp.[eq|ne|lt|le|gt|ge].[u16|s16] $0, $1, $2;", "Phj"},
    {"selp.b16 $0, $1, $2, $3;", "Hjhp"},
    {"mov.u16 $0, $1;", "Hj"},
    {"or.b16 %th, $2, 1; [div|rem].[u16|s16] $0, $1, %th;", "Hhj"},
    {"cvt.[u16|s16].[u32|s32|u8|s8] $0, $1;", "Hr"},
    {"cvt.[u32|s32].[u16|s16] $0, $1;", "Rh"},
    {"cvt.rn.f32.[u16|s16] $0, $1;", "Fh"},
    {"cvt.[rni|rzi].[u16|s16].f32 $0, $1;", "Hf"},
    {"mov.b32 $0, {$1, $2};", "Rhh"},
    {"mov.b32 {$0, $1}, $2;", "HHr"},
    /* 64 bits */
    {"[add|sub].[u64|s64] $0, $1, $2;", "Qqk"},
    {"mul.lo.[u64|s64] $0, $1, $2;", "Qqk"},
    {"mad.lo.[u64|s64] $0, $1, $2, $3;", "Qqkq"},
    {"mul.wide.[u32|s32] $0, $1, $2;", "Qri"},
    {"mad.wide.[u32|s32] $0, $1, $2, $3;", "Qriq"},
    {"[and|or|xor].b64 $0, $1, $2;", "Qqk"},
    {"not.b64 $0, $1;", "Qq"},
    {"neg.s64 $0, $1;", "Qq"},
    {"abs.s64 $0, $1;", "Qq"},
    {"[min|max].[u64|s64] $0, $1, $2;", "Qqk"},
    {"shl.b64 $0, $1, $2;", "Qqn"},
    {"shr.[u64|s64] $0, $1, $2;", "Qqn"},
    {"and.b32 %ta, $2, 63; [shl.b64|shr.u64|shr.s64] $0, $1, %ta;", "Qqr"},
    {"[popc|clz].b64 $0, $1;", "Rq"},
    {"brev.b64 $0, $1;", "Qq"},
    {"setp.[eq|ne|lt|le|gt|ge].[u64|s64] $0, $1, $2;", "Pqk"},
    {"selp.b64 $0, $1, $2, $3;", "Qkqp"},
    {"cvt.[u64|s64].[u32|s32] $0, $1;", "Qr"},
    {"cvt.[u32|s32].[u64|s64] $0, $1;", "Rq"},
    {"mov.b64 $0, {$1, $2};", "Qrr"},
    {"mov.b64 {$0, $1}, $2;", "RRq"},
    {"mov.u64 $0, $1;", "Qk"},
    /* where a thread is, and what it is given */
    {"mov.u32 $0, %[tid|ntid|ctaid|nctaid].[x|y|z];", "R"},
    {"mov.u32 $0, %lid;", "R"},
    {"mov.u32 $0, %gid;", "R"},
    {"ld.param.u32 $0, [[p0|p1|p2|p3]];", "R"},
    {"ld.param.[u8|s8|u16|s16] $0, [[p0|p1|p2|p3]+[0|2]];", "R"},
    {"mov.u32 $0, $C;", "R"},
    {"add.u32 $0, $1, $C;", "Rr"},
    {"[ld.const.u32 $0, [ctab+[0|4|8|20|60]]|ld.global.u32 $0, "
     "[gtab+[0|12|32]]];",
     "R"},
};

const int fuzz_n_forms = (int)(sizeof fuzz_forms / sizeof *fuzz_forms);

/* Alternatives stand in brackets with a bar in them; others are addresses. */
static const char *closing(const char *open, bool *has_bar) {
    int depth = 0;
    *has_bar = false;
    for (const char *s = open; *s; s++) {
        depth += *s == '[';
        depth -= *s == ']';
        *has_bar |= *s == '|' && depth == 1;
        if (depth == 0)
            return s;
    }
    BUG("brackets of a form: %s", open);
}

static void choose(struct fuzz_random *r, const char *text, size_t len,
                   struct text *out);

/* The n-th alternative of [from, end), or their count with n -1. */
static int alternative(const char *from, const char *end, int n,
                       const char **start, const char **stop) {
    int depth = 0, k = 0;
    *start = from;
    for (const char *s = from; s <= end; s++) {
        if (s < end) {
            depth += *s == '[';
            depth -= *s == ']';
        }
        if (s < end && (*s != '|' || depth))
            continue;
        *stop = s;
        if (k++ == n)
            return k;
        *start = s + 1;
    }
    return k;
}

static void choose(struct fuzz_random *r, const char *text, size_t len,
                   struct text *out) {
    const char *stop = text + len, *a = text, *b = text;
    for (const char *s = text; s < stop; s++) {
        bool has_bar;
        if (*s != '[') {
            text_addc(out, *s);
            continue;
        }
        const char *end = closing(s, &has_bar);
        if (has_bar) {
            int n = alternative(s + 1, end, -1, &a, &b);
            alternative(s + 1, end, fuzz_below(r, n), &a, &b);
            choose(r, a, (size_t)(b - a), out);
        } else {
            text_addc(out, '[');
            choose(r, s + 1, (size_t)(end - s - 1), out);
            text_addc(out, ']');
        }
        s = end;
    }
}

const char *fuzz_choose(struct arena *a, struct fuzz_random *r,
                        const char *text) {
    struct text out = {0};
    choose(r, text, strlen(text), &out);
    const char *kept = arena_strdup(a, text_str(&out));
    text_free(&out);
    return kept;
}

/* --- operands ------------------------------------------------------------- */

char fuzz_pool(char kind) {
    switch (kind) {
    case 'R':
    case 'r':
    case 'i':
    case 'n':
        return 'r';
    case 'F':
    case 'f':
    case 'g':
        return 'f';
    case 'H':
    case 'h':
    case 'j':
        return 'h';
    case 'Q':
    case 'q':
    case 'k':
        return 'q';
    case 'P':
    case 'p':
        return 'p';
    default:
        return 0;
    }
}

bool fuzz_is_result(char kind) {
    return kind >= 'A' && kind <= 'Z';
}

const char fuzz_pools[] = "rfhqp";

bool fuzz_takes_number(char kind) {
    return !fuzz_is_result(kind) && kind != 'p';
}

int *fuzz_pool_size(struct fuzz_random *r, char pool) {
    return &r->pool[strchr(fuzz_pools, pool) - fuzz_pools];
}

static uint32_t number32(struct fuzz_random *r) {
    static const uint32_t edges[] = {
        0,          1,        2,          3,          31,
        32,         0x7f,     0x80,       0xff,       0x7fff,
        0x8000,     0xffff,   0x7fffffff, 0x80000000, 0xffffffff,
        0xfffffffe, 0x7fffff, 0x800000,   0x55555555, 0xff800000};
    if (fuzz_chance(r, 50))
        return edges[fuzz_below(r, sizeof edges / sizeof *edges)];
    return (uint32_t)(fuzz_next(r) >> (32 + fuzz_below(r, 32)));
}

static uint32_t number_f32(struct fuzz_random *r) {
    static const uint32_t edges[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
        0x7f800000, 0xff800000, 0x7fffffff, 0x00000001, 0x807fffff, 0x00800000,
        0x7f7fffff, 0x4b000000, 0x4f000000, 0xcf000000, 0x3fffffff, 0x33800000};
    switch (fuzz_below(r, 4)) {
    case 0:
        return (uint32_t)fuzz_next(r);
    case 1: /* near one */
        return 0x3d800000 + (uint32_t)(fuzz_next(r) & 0x83ffffff);
    default:
        return edges[fuzz_below(r, sizeof edges / sizeof *edges)];
    }
}

struct fuzz_operand fuzz_random_operand(struct fuzz_random *r, char kind) {
    struct fuzz_operand o = {.kind = kind};
    char pool = fuzz_pool(kind);
    int percent = !pool                                    ? 100
                  : strchr("igjkn", kind)                  ? 40
                  : fuzz_takes_number(kind) && pool == 'r' ? 3
                                                           : 0;
    o.is_number = fuzz_chance(r, percent);
    if (!o.is_number)
        o.index = fuzz_below(r, *fuzz_pool_size(r, pool));
    else if (kind == 'x')
        o.number = fuzz_next(r) & 0xffff;
    else if (kind == 'y')
        o.number = fuzz_next(r) & 0xff;
    else if (kind == 'n')
        o.number = (uint64_t)fuzz_below(r, 41);
    else if (pool == 'f')
        o.number = number_f32(r);
    else if (pool == 'h')
        o.number = number32(r) & 0xffff;
    else if (pool == 'q' && fuzz_chance(r, 30))
        o.number = fuzz_next(r) >> fuzz_below(r, 64);
    else
        o.number = number32(r);
    return o;
}

void fuzz_operand_text(const struct fuzz_operand *o, struct text *out) {
    char pool = fuzz_pool(o->kind);
    if (!o->is_number)
        text_printf(out, "%%%c%d", pool, o->index);
    else if (pool == 'f')
        text_printf(out, "0f%08X", (unsigned)o->number);
    else if (pool == 'h')
        text_printf(out, "%d", (int)(int16_t)o->number);
    else if (pool == 'q')
        text_printf(out, "0x%llx", (unsigned long long)o->number);
    else
        text_printf(out, "%d", (int)(int32_t)o->number);
}
