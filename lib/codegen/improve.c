/* improve.c - what lowering leaves too much.
 *
 * Where the one instruction that writes a value dominates a reader, the reader
 * can as well read what it was made of: numbers, copies and sums move into the
 * instructions that read them.  Rounds over the list until nothing changes.
 */
#include "passes.h"

#include "flow/dom.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct mc_code *m;
    int *defs, *uses; /* by value: how many */
    int *at;          /* where it is written, if once */
    bool changed;
    struct arena arena; /* of the graph, for a round */
    struct ptx_cfg cfg;
    struct ptx_dom dom;
};

static struct mc_insn *insn(const struct state *s, int k) {
    return &s->m->list.v[k];
}

static void count(struct state *s) {
    memset(s->defs, 0, (size_t)s->m->values.n * sizeof *s->defs);
    memset(s->uses, 0, (size_t)s->m->values.n * sizeof *s->uses);
    for (int k = 0; k < s->m->list.n; k++) {
        mc_value uses[MC_MAX_USES];
        int n = mc_uses(insn(s, k), uses);
        for (int i = 0; i < n; i++)
            s->uses[uses[i]]++;
        mc_value d = mc_def(insn(s, k));
        if (d != MC_NONE) {
            s->defs[d]++;
            s->at[d] = k;
        }
    }
}

static void find_dominators(struct state *s) {
    arena_free(&s->arena);
    mc_graph(s->m, &s->arena, &s->cfg);
    ptx_dominators(&s->arena, &s->cfg, &s->dom);
}

static bool dominates(const struct state *s, int k, int reader) {
    int from = s->cfg.block_of[k], to = s->cfg.block_of[reader];
    return from == to ? k < reader : ptx_dominates(&s->dom, from, to);
}

/* The one instruction that writes v and always does, or NULL. */
static const struct mc_insn *only_maker(const struct state *s, mc_value v) {
    if (v < 0 || s->defs[v] != 1 || s->m->values.v[v].is_tid)
        return NULL;
    const struct mc_insn *i = insn(s, s->at[v]);
    return i->guard == MC_NONE ? i : NULL;
}

/* The same, if whatever reader reads is what it wrote last. */
static const struct mc_insn *maker(const struct state *s, mc_value v,
                                   int reader) {
    const struct mc_insn *i = only_maker(s, v);
    return i && dominates(s, s->at[v], reader) ? i : NULL;
}

/* Whether v at k is what it still is wherever k dominates. */
static bool is_fixed(const struct state *s, mc_value v, int k) {
    return v == MC_TRUE || s->m->values.v[v].is_tid || maker(s, v, k);
}

/* Of a number it does not matter where it is read. */
static bool number_of(const struct state *s, mc_value v, uint32_t *n) {
    const struct mc_insn *i = only_maker(s, v);
    if (!i || i->op != ISA_movi)
        return false;
    *n = i->value;
    return true;
}

/* --- copies --------------------------------------------------------------- */

/* Read what v is a copy of instead; *inverted: a predicate and its inverse. */
static bool forward(struct state *s, int k, mc_value *v, bool *inverted) {
    const struct mc_insn *i = maker(s, *v, k);
    mc_value from = MC_NONE;
    if (!i)
        return false;
    if (i->op == ISA_mov)
        from = i->b;
    else if (i->op == ISA_pand && i->b == MC_TRUE && !i->not_b && inverted)
        from = i->a;
    if (from == MC_NONE || !is_fixed(s, from, s->at[*v]))
        return false;
    if (i->op == ISA_pand)
        *inverted ^= i->not_a;
    *v = from;
    return true;
}

static bool is_pred_op(const struct mc_insn *i) {
    return isa_info(i->op)->class == ISA_CLASS_pred;
}

static void forward_all(struct state *s, int k) {
    struct mc_insn *i = insn(s, k);
    bool pred = is_pred_op(i);
    if (i->a != MC_NONE && (isa_info(i->op)->form[0] || i->op == MC_HOLD))
        s->changed |= forward(s, k, &i->a, pred ? &i->not_a : NULL);
    if (i->b != MC_NONE && !i->imm)
        s->changed |= forward(s, k, &i->b, pred ? &i->not_b : NULL);
    if (i->c != MC_NONE)
        s->changed |=
            forward(s, k, &i->c, isa_has(i->op, 'C') ? &i->not_c : NULL);
    if (i->guard != MC_NONE)
        s->changed |= forward(s, k, &i->guard, &i->unless);
    if (i->guard == MC_TRUE && !i->unless)
        i->guard = MC_NONE;
}

/* --- numbers -------------------------------------------------------------- */

static int mirrored(int op) {
    switch (op) {
    case ISA_add:
    case ISA_add3:
    case ISA_and:
    case ISA_or:
    case ISA_xor:
    case ISA_mul:
    case ISA_mulhu:
    case ISA_mulhs:
    case ISA_mad:
    case ISA_carry:
    case ISA_mins:
    case ISA_maxs:
    case ISA_minu:
    case ISA_maxu:
    case ISA_seteq:
    case ISA_setne:
    case ISA_fadd:
    case ISA_fmul:
    case ISA_ffma:
    case ISA_fmin:
    case ISA_fmax:
    case ISA_fseteq:
    case ISA_fsetne:
    case ISA_fsetnan:
    case ISA_fsetequ:
    case ISA_fsetneu:
        return op;
    case ISA_sub:
        return ISA_rsub;
    case ISA_rsub:
        return ISA_sub;
    case ISA_setlts:
        return ISA_setgts;
    case ISA_setles:
        return ISA_setges;
    case ISA_setgts:
        return ISA_setlts;
    case ISA_setges:
        return ISA_setles;
    case ISA_setltu:
        return ISA_setgtu;
    case ISA_setleu:
        return ISA_setgeu;
    case ISA_setgtu:
        return ISA_setltu;
    case ISA_setgeu:
        return ISA_setleu;
    case ISA_fsetlt:
        return ISA_fsetgt;
    case ISA_fsetle:
        return ISA_fsetge;
    case ISA_fsetgt:
        return ISA_fsetlt;
    case ISA_fsetge:
        return ISA_fsetle;
    case ISA_fsetltu:
        return ISA_fsetgtu;
    case ISA_fsetleu:
        return ISA_fsetgeu;
    case ISA_fsetgtu:
        return ISA_fsetltu;
    case ISA_fsetgeu:
        return ISA_fsetleu;
    default:
        return ISA_ILLEGAL;
    }
}

/* A number as a becomes b, where there is room for it. */
static void swap_sources(struct state *s, struct mc_insn *i) {
    uint32_t n;
    bool has_c_pred = isa_has(i->op, 'C');
    if (i->imm || i->a == MC_NONE || i->b == MC_NONE || is_pred_op(i))
        return;
    if (!number_of(s, i->a, &n) || number_of(s, i->b, &n))
        return;
    mc_value a = i->a;
    if (mirrored(i->op))
        i->op = (uint8_t)mirrored(i->op);
    else if (has_c_pred && i->op == ISA_sel)
        i->not_c = !i->not_c;
    else
        return;
    i->a = i->b;
    i->b = a;
    s->changed = true;
}

static bool integer_value(int op, uint32_t a, uint32_t b, uint32_t *d) {
    switch (op) {
    case ISA_add:
        *d = a + b;
        return true;
    case ISA_sub:
        *d = a - b;
        return true;
    case ISA_rsub:
        *d = b - a;
        return true;
    case ISA_mul:
        *d = a * b;
        return true;
    case ISA_and:
        *d = a & b;
        return true;
    case ISA_or:
        *d = a | b;
        return true;
    case ISA_xor:
        *d = a ^ b;
        return true;
    case ISA_andn:
        *d = a & ~b;
        return true;
    case ISA_shl:
        *d = b > 31 ? 0 : a << b;
        return true;
    case ISA_shr:
        *d = b > 31 ? 0 : a >> b;
        return true;
    case ISA_minu:
        *d = a < b ? a : b;
        return true;
    case ISA_maxu:
        *d = a > b ? a : b;
        return true;
    default:
        return false;
    }
}

static void become_number(struct state *s, struct mc_insn *i, uint32_t n) {
    i->op = ISA_movi;
    i->a = i->b = i->c = MC_NONE;
    i->imm = false;
    i->value = n;
    s->changed = true;
}

static void become_copy(struct state *s, struct mc_insn *i, mc_value from) {
    bool is_itself = from == i->d; /* under a guard */
    i->op = is_itself ? ISA_nop : ISA_mov;
    i->a = i->c = MC_NONE;
    i->b = is_itself ? MC_NONE : from;
    if (is_itself)
        i->guard = i->d = MC_NONE;
    i->imm = false;
    i->value = 0;
    s->changed = true;
}

/* A number as b goes into the instruction. */
static void take_number(struct state *s, struct mc_insn *i) {
    uint32_t n, a;
    if (i->imm || i->b == MC_NONE || !number_of(s, i->b, &n))
        return;
    if (i->op == ISA_mov) {
        become_number(s, i, n);
        return;
    }
    if (number_of(s, i->a, &a) && integer_value(i->op, a, n, &a)) {
        become_number(s, i, a);
        return;
    }
    if (!mc_fits(i->op, n) || i->ftz || i->sat)
        return;
    i->b = MC_NONE;
    i->imm = true;
    i->value = n;
    s->changed = true;
}

/* What a number makes simpler. */
static void simplify(struct state *s, struct mc_insn *i) {
    uint32_t n = i->value, a;
    if (!i->imm || isa_has(i->op, 'f') || isa_has(i->op, 'm'))
        return;
    bool none = n == 0;
    if (i->a != MC_NONE && i->c == MC_NONE && number_of(s, i->a, &a) &&
        integer_value(i->op, a, n, &a)) {
        become_number(s, i, a);
    } else if (i->op == ISA_mul && n && !(n & (n - 1))) {
        i->op = ISA_shl;
        i->value = (uint32_t)__builtin_ctz(n);
        s->changed = true;
    } else if (none &&
               (i->op == ISA_add || i->op == ISA_sub || i->op == ISA_or ||
                i->op == ISA_xor || i->op == ISA_shl || i->op == ISA_shr ||
                i->op == ISA_sar)) {
        become_copy(s, i, i->a);
    } else if (none && (i->op == ISA_and || i->op == ISA_mul)) {
        become_number(s, i, 0);
    } else if (n == UINT32_MAX && i->op == ISA_and) {
        become_copy(s, i, i->a);
    }
}

/* The bits of v that may be set, from how it was made. */
static uint32_t possible(const struct state *s, mc_value v) {
    const struct mc_insn *i =
        v >= 0 && s->defs[v] == 1 ? insn(s, s->at[v]) : NULL;
    if (!i || s->m->values.v[v].is_tid)
        return UINT32_MAX;
    switch (i->op) {
    case ISA_ldg_u8:
    case ISA_lds_u8:
        return 0xff;
    case ISA_ldg_u16:
    case ISA_lds_u16:
        return 0xffff;
    case ISA_and:
        return i->imm && i->guard == MC_NONE ? i->value : UINT32_MAX;
    case ISA_shr:
        return i->imm && i->value < 32 && i->guard == MC_NONE
                   ? UINT32_MAX >> i->value
                   : UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

static void drop_mask(struct state *s, struct mc_insn *i) {
    if (i->op == ISA_and && i->imm && only_maker(s, i->a) &&
        !(possible(s, i->a) & ~i->value))
        become_copy(s, i, i->a);
}

/* --- sums ----------------------------------------------------------------- */

/* [a + x] of a = b + y is [b + (x + y)]. */
static void take_offset(struct state *s, int k) {
    struct mc_insn *i = insn(s, k);
    if (!isa_has(i->op, 'm'))
        return;
    const struct mc_insn *sum = maker(s, i->a, k);
    if (!sum || sum->op != ISA_add || !sum->imm ||
        !is_fixed(s, sum->a, s->at[i->a]))
        return;
    uint32_t offset = i->value + sum->value;
    if ((uint32_t)bits_signed(offset, 24) != offset)
        return;
    i->a = sum->a;
    i->value = offset;
    s->changed = true;
}

/* x * y + z in one, where the product has no other reader. */
static bool fuse(struct state *s, int k, mc_value product, mc_value other) {
    struct mc_insn *i = insn(s, k);
    const struct mc_insn *p = maker(s, product, k);
    if (!p || s->uses[product] != 1 || product == other)
        return false;
    bool shift = p->op == ISA_shl && p->imm && p->value < 23;
    if (!shift && p->op != ISA_mul)
        return false;
    if (!is_fixed(s, p->a, s->at[product]) ||
        (!p->imm && !is_fixed(s, p->b, s->at[product])))
        return false;
    i->op = ISA_mad;
    i->a = p->a;
    i->b = p->b;
    i->c = other;
    i->imm = p->imm;
    i->value = shift ? (uint32_t)1 << p->value : p->value;
    s->changed = true;
    return true;
}

static void make_mad(struct state *s, int k) {
    struct mc_insn *i = insn(s, k);
    if (i->op != ISA_add || i->imm || i->guard != MC_NONE)
        return;
    mc_value a = i->a, b = i->b;
    if (!fuse(s, k, a, b))
        fuse(s, k, b, a);
}

/* t = ...; @p d = t, t read nowhere else: @p d = ... */
static void guard_maker(struct state *s, int k) {
    struct mc_insn *i = insn(s, k);
    if (k == 0 || i->op != ISA_mov || i->guard == MC_NONE)
        return;
    struct mc_insn *p = insn(s, k - 1);
    if (!mc_is_pure(p) || mc_def(p) != i->b || p->guard != MC_NONE ||
        s->uses[i->b] != 1 || s->defs[i->b] != 1)
        return;
    p->guard = i->guard;
    p->unless = i->unless;
    p->d = i->d;
    i->op = ISA_nop;
    i->guard = i->d = i->b = MC_NONE;
    s->changed = true;
}

/* --- the same again ------------------------------------------------------- */

enum { WINDOW = 256 };

static bool is_repeatable(const struct state *s, int at) {
    const struct mc_insn *i = insn(s, at);
    mc_value uses[MC_MAX_USES];
    int n = mc_uses(i, uses);
    if (!mc_is_pure(i) || i->guard != MC_NONE || s->defs[i->d] != 1 ||
        i->op == ISA_mov || s->m->values.v[i->d].is_tid ||
        (i->op == ISA_s2r && i->value == ISA_SPECIAL_clock))
        return false;
    for (int k = 0; k < n; k++)
        if (!is_fixed(s, uses[k], at))
            return false;
    return true;
}

static bool is_same(const struct mc_insn *x, const struct mc_insn *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           x->imm == y->imm && x->value == y->value && x->round == y->round &&
           x->ftz == y->ftz && x->sat == y->sat && x->not_a == y->not_a &&
           x->not_b == y->not_b && x->not_c == y->not_c;
}

/* Within a block: what was computed before is copied. */
static void reuse(struct state *s) {
    int seen[WINDOW], n = 0;
    for (int k = 0; k < s->m->list.n; k++) {
        struct mc_insn *i = insn(s, k);
        if (i->op == MC_LABEL || i->op == ISA_bra) {
            n = 0;
            continue;
        }
        if (!is_repeatable(s, k))
            continue;
        int found = -1;
        for (int j = 0; j < n && found < 0; j++)
            if (is_same(insn(s, seen[j]), i))
                found = seen[j];
        mc_value from = found < 0 ? MC_NONE : insn(s, found)->d;
        if (found < 0) {
            if (n < WINDOW)
                seen[n++] = k;
        } else if (s->m->values.v[i->d].kind == MC_REGISTER) {
            become_copy(s, i, from);
        } else {
            *i = (struct mc_insn){.op = ISA_pand,
                                  .guard = MC_NONE,
                                  .d = i->d,
                                  .a = from,
                                  .b = MC_TRUE,
                                  .c = MC_NONE,
                                  .target = -1,
                                  .line = i->line};
            s->changed = true;
        }
    }
}

/* --- what nobody reads ---------------------------------------------------- */

static bool is_load(int op) {
    enum isa_class c = isa_info(op)->class;
    return (c == ISA_CLASS_global || c == ISA_CLASS_shared) && isa_has(op, 'd');
}

static void drop_dead(struct state *s) {
    bool *keep = xcalloc((size_t)s->m->list.n, sizeof *keep);
    for (bool again = true; again;) {
        again = false;
        count(s);
        for (int k = 0; k < s->m->list.n; k++) {
            const struct mc_insn *i = insn(s, k);
            mc_value d = mc_def(i);
            keep[k] = i->op != ISA_nop && !(d != MC_NONE && s->uses[d] == 0 &&
                                            (mc_is_pure(i) || is_load(i->op)) &&
                                            !s->m->values.v[d].is_tid);
            again |= !keep[k];
        }
        mc_compact(s->m, keep);
        s->changed |= again;
    }
    free(keep);
}

static void round_of(struct state *s) {
    count(s);
    find_dominators(s);
    for (int k = 0; k < s->m->list.n; k++) {
        struct mc_insn *i = insn(s, k);
        if (i->op == MC_LABEL)
            continue;
        if (!mc_is_start(s->m, i))
            forward_all(s, k);
        swap_sources(s, i);
        take_number(s, i);
        simplify(s, i);
        drop_mask(s, i);
        take_offset(s, k);
    }
    count(s);
    reuse(s);
    count(s);
    for (int k = 0; k < s->m->list.n; k++)
        guard_maker(s, k);
    drop_dead(s);
}

void mc_improve(struct mc_code *m) {
    size_t n = (size_t)m->values.n;
    struct state s = {.m = m, .changed = true};
    s.defs = xcalloc(n, sizeof *s.defs);
    s.uses = xcalloc(n, sizeof *s.uses);
    s.at = xcalloc(n, sizeof *s.at);
    for (int i = 0; i < 12 && s.changed; i++) {
        s.changed = false;
        round_of(&s);
    }
    count(&s);
    find_dominators(&s);
    for (int k = 0; k < m->list.n; k++)
        make_mad(&s, k);
    drop_dead(&s);
    arena_free(&s.arena);
    free(s.defs);
    free(s.uses);
    free(s.at);
}
