/* match.c - the nine patterns of Table 1, matched backwards from the
 * instruction that computes, compares or stores.
 *
 * Each source of that root is a loaded value with no other reader, g of such a
 * value and a constant, a constant, or something else.  What the sources are
 * and where the result goes decides the pattern; a result that can be stored
 * by the chain makes two candidates, with the store and without.
 */
#include "state.h"

#include <string.h>

/* ------------------------------------------------------------ the far ALU */

struct op_row {
    enum ptx_opcode op;
    int sources;
    bool floats, ints, bits;
};

static const struct op_row ops[] = {
    [PTX_CHAIN_NO_OP] = {0},
#define CHAIN_OP(id, text, op, sources, floats, ints, bits)                    \
    [PTX_CHAIN_##id] = {op, sources, floats, ints, bits},
#include "ops.def"
};

static bool type_fits(const struct op_row *row, enum ptx_type t) {
    return (row->floats && t == PTX_F32) ||
           (row->ints && (t == PTX_S32 || t == PTX_U32)) ||
           (row->bits && t == PTX_B32);
}

/* Only what the ALU does anyway: round to nearest, low half of a product. */
static bool plain_modifiers(const struct ptx_form *f) {
    bool real = f->n_types && f->types[0] == PTX_F32;
    bool low = f->op == PTX_OP_MUL || f->op == PTX_OP_MAD;
    for (int i = 0; i < f->n_modifiers; i++)
        if (f->modifiers[i] != (real ? PTX_MOD_RN : PTX_MOD_LO))
            return false;
    if (f->op == PTX_OP_DIV || f->op == PTX_OP_FMA || (low && !real))
        return f->n_modifiers == 1; /* with none it means something else */
    return true;
}

static enum ptx_chain_op find_op(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    if (f->unknown || f->n_types != 1 || in->n_defs != 1 || !plain_modifiers(f))
        return PTX_CHAIN_NO_OP;
    for (int i = 1; i < PTX_CHAIN_N_OPS; i++)
        if (ops[i].op == f->op && type_fits(&ops[i], f->types[0]) &&
            in->n_operands == ops[i].sources + 1)
            return (enum ptx_chain_op)i;
    return PTX_CHAIN_NO_OP;
}

/* fma.rn.f32 and mad.lo of 32 bits. */
static bool is_fused(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    if (f->unknown || f->n_types != 1 || in->n_defs != 1 || !plain_modifiers(f))
        return false;
    return (f->op == PTX_OP_FMA && f->types[0] == PTX_F32) ||
           (f->op == PTX_OP_MAD &&
            (f->types[0] == PTX_S32 || f->types[0] == PTX_U32));
}

/* -------------------------------------------------------- loads and stores */

static bool is_ordered(const struct ptx_form *f) {
    for (int i = 0; i < f->n_modifiers; i++)
        switch (f->modifiers[i]) {
        case PTX_MOD_VOLATILE:
        case PTX_MOD_RELAXED:
        case PTX_MOD_ACQUIRE:
        case PTX_MOD_RELEASE:
        case PTX_MOD_MMIO:
        case PTX_MOD_CV:
        case PTX_MOD_WT:
        case PTX_MOD_UNIFIED:
            return true;
        default:
            break;
        }
    return false;
}

static int width_of(const struct ptx_instruction *in) {
    return ptx_type_bits(in->form->types[0]);
}

enum ptx_chain_reason chain_load_fits(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    if (f->space != PTX_SPACE_GLOBAL)
        return PTX_CHAIN_NOT_GLOBAL;
    if (f->vector > 1 || in->n_defs > 1)
        return PTX_CHAIN_VECTOR;
    if (f->n_types != 1 || width_of(in) > 32)
        return PTX_CHAIN_NOT_32;
    if (f->unknown || is_ordered(f) || in->n_operands != 2 ||
        !chain_address(in))
        return PTX_CHAIN_ORDERED;
    return in->n_defs ? PTX_CHAIN_FREE : PTX_CHAIN_UNUSED;
}

static bool store_fits(const struct ptx_instruction *in, int bits) {
    const struct ptx_form *f = in->form;
    return f->op == PTX_OP_ST && f->space == PTX_SPACE_GLOBAL && !f->unknown &&
           f->vector == 1 && f->n_types == 1 && width_of(in) == bits &&
           !is_ordered(f) && in->n_operands == 2 && chain_address(in);
}

/* The value that a store writes: a plain register, or NULL. */
static const struct ptx_register *stored(const struct ptx_instruction *in) {
    const struct ptx_operand *o = in->operands[1];
    return o->kind == PTX_OPND_REGISTER && !o->suffix ? o->reg : NULL;
}

/* ------------------------------------------------------------- the sources */

enum term_kind { TERM_OTHER, TERM_CONSTANT, TERM_LOAD, TERM_G };

struct term {
    enum term_kind kind;
    int pc;   /* LOAD, G: where it is made */
    int load; /* of G: its load */
    const struct ptx_operand *immediate;
    bool reversed;
};

bool chain_same_guard(const struct chain_finder *x, int pc, int other) {
    const struct ptx_instruction *a = &x->f->instructions[pc];
    const struct ptx_instruction *b = &x->f->instructions[other];
    if (!a->guard || !b->guard)
        return a->guard == b->guard;
    return a->guard == b->guard && a->guard_negated == b->guard_negated &&
           chain_source(x, pc, a->guard->index) ==
               chain_source(x, other, b->guard->index);
}

static int mentions(const struct ptx_instruction *in, int reg) {
    int n = 0;
    for (int i = in->n_dst; i < in->n_operands; i++)
        n += in->operands[i]->reg && in->operands[i]->reg->index == reg;
    return n;
}

/* Where the value of a register operand is made, if pc is its only reader. */
static int private_source(const struct chain_finder *x, int pc,
                          const struct ptx_operand *o) {
    if (o->kind != PTX_OPND_REGISTER || o->negated || o->suffix)
        return -1;
    int def = chain_source(x, pc, o->reg->index);
    if (def < 0 || x->use[def] != pc || !chain_same_guard(x, pc, def) ||
        mentions(&x->f->instructions[pc], o->reg->index) != 1)
        return -1;
    return def;
}

static bool is_constant(struct chain_finder *x, const struct ptx_operand *o) {
    if (o->negated || o->suffix)
        return false;
    return o->kind == PTX_OPND_VALUE ||
           (o->kind == PTX_OPND_REGISTER && chain_constant(x, o->reg->index));
}

static bool is_load(const struct ptx_instruction *in) {
    return in->form->op == PTX_OP_LD || in->form->op == PTX_OP_LDU;
}

/* A 32-bit load into a 32-bit register; a shorter one only if narrow. */
static bool loads_fit(const struct chain_finder *x, int pc, bool narrow) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    return is_load(in) && chain_load_fits(in) == PTX_CHAIN_FREE &&
           (narrow || width_of(in) == 32);
}

static struct term term_of(struct chain_finder *x, int pc,
                           const struct ptx_operand *o, bool narrow, bool g);

/* g(b, i) or g(i, b) at pc. */
static bool is_g(struct chain_finder *x, int pc, struct term *t) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    enum ptx_chain_op op = find_op(in);
    if (!op || ops[op].sources != 2)
        return false;
    struct term p = term_of(x, pc, in->operands[1], false, false);
    struct term q = term_of(x, pc, in->operands[2], false, false);
    bool forward = p.kind == TERM_LOAD && q.kind == TERM_CONSTANT;
    if (!forward && !(p.kind == TERM_CONSTANT && q.kind == TERM_LOAD))
        return false;
    *t = (struct term){TERM_G, pc, forward ? p.pc : q.pc,
                       in->operands[forward ? 2 : 1], !forward};
    return true;
}

/* What an operand of pc is; g: whether it may be g of something. */
static struct term term_of(struct chain_finder *x, int pc,
                           const struct ptx_operand *o, bool narrow, bool g) {
    struct term t = {TERM_OTHER, -1, -1, NULL, false};
    int def = private_source(x, pc, o);
    if (def >= 0 && loads_fit(x, def, narrow)) {
        t.kind = TERM_LOAD;
        t.pc = t.load = def;
    } else if (is_constant(x, o)) {
        t.kind = TERM_CONSTANT;
        t.immediate = o;
    } else if (def >= 0 && g) {
        is_g(x, def, &t);
    }
    return t;
}

/* -------------------------------------------------------------- candidates */

static void keep(struct chain_finder *x, const struct ptx_chain *c) {
    struct chain_candidate *k = array_push(&x->candidates);
    *k = (struct chain_candidate){*c, 0};
    for (int i = 0; i < c->n; i++)
        k->last = c->pcs[i] > k->last ? c->pcs[i] : k->last;
}

static struct ptx_chain begin(int alu, enum ptx_chain_op f,
                              enum ptx_type type) {
    return (struct ptx_chain){.alu = alu, .store = -1, .f = f, .type = type};
}

static void add_pc(struct ptx_chain *c, int pc) {
    c->pcs[c->n++] = pc;
}

static void add_load(struct ptx_chain *c, int pc) {
    add_pc(c, pc);
    c->n_loads = c->n;
}

/* The store that alone reads the result of pc and fits; -1. */
static int result_store(const struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    int st = x->use[pc];
    if (st < 0 || !store_fits(&x->f->instructions[st], 32) ||
        stored(&x->f->instructions[st]) != x->f->registers[in->defs[0]] ||
        !chain_same_guard(x, pc, st) ||
        chain_address(&x->f->instructions[st])->items[0]->reg ==
            x->f->registers[in->defs[0]])
        return -1;
    return st;
}

/* The candidate with its store, if there is one, as pattern to_memory, or, if
 * all loads are of one address with it, as in_place; without, as kept.  0: not
 * a pattern. */
static bool finish(struct chain_finder *x, struct ptx_chain *c, int to_memory,
                   int in_place, int kept) {
    int st = c->split ? -1 : result_store(x, c->alu);
    if (st >= 0 && to_memory) {
        struct ptx_chain s = *c;
        s.pattern = to_memory;
        for (int i = 0; i < s.n_loads && in_place; i++)
            if (chain_same_address(x, s.pcs[i], st))
                s.pattern = in_place;
        s.store = st;
        add_pc(&s, st);
        keep(x, &s);
    }
    c->pattern = kept;
    if (kept)
        keep(x, c);
    return (st >= 0 && to_memory) || kept;
}

static bool two_loads(struct chain_finder *x, struct ptx_chain *c, int a,
                      int b) {
    add_load(c, a);
    add_load(c, b);
    add_pc(c, c->alu);
    return finish(x, c, 1, 4, 2);
}

/* f of a load and of g of another. */
static bool load_and_g(struct chain_finder *x, struct ptx_chain *c,
                       const struct term *a, const struct term *g) {
    add_load(c, g->load);
    add_load(c, a->pc);
    add_pc(c, g->pc);
    add_pc(c, c->alu);
    c->g = find_op(&x->f->instructions[g->pc]);
    c->immediate = g->immediate;
    c->g_reversed = g->reversed;
    return finish(x, c, 9, 0, 8);
}

/* A store in reach that does not fit is the reason rather than none. */
static enum ptx_chain_reason why_kept(const struct chain_finder *x, int pc) {
    int st = x->use[pc];
    return st >= 0 && x->f->instructions[st].form->op == PTX_OP_ST
               ? PTX_CHAIN_STORE
               : PTX_CHAIN_KEPT;
}

static enum ptx_chain_reason match_unary(struct chain_finder *x, int pc,
                                         enum ptx_chain_op op) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    struct term t = term_of(x, pc, in->operands[1], false, false);
    if (t.kind != TERM_LOAD)
        return PTX_CHAIN_OPERAND;
    struct ptx_chain c = begin(pc, op, in->form->types[0]);
    add_load(&c, t.pc);
    add_pc(&c, pc);
    return finish(x, &c, 4, 0, 0) ? PTX_CHAIN_FREE : why_kept(x, pc);
}

static enum ptx_chain_reason match_binary(struct chain_finder *x, int pc,
                                          enum ptx_chain_op op) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    struct term p = term_of(x, pc, in->operands[1], false, true);
    struct term q = term_of(x, pc, in->operands[2], false, true);
    struct ptx_chain c = begin(pc, op, in->form->types[0]);
    bool ok = false;
    c.f_reversed = q.kind == TERM_LOAD && p.kind != TERM_LOAD;
    if (p.kind == TERM_LOAD && q.kind == TERM_LOAD) {
        ok = two_loads(x, &c, p.pc, q.pc);
    } else if (p.kind == TERM_LOAD && q.kind == TERM_G) {
        ok = load_and_g(x, &c, &p, &q);
    } else if (p.kind == TERM_G && q.kind == TERM_LOAD) {
        ok = load_and_g(x, &c, &q, &p);
    } else if ((p.kind == TERM_LOAD && q.kind == TERM_CONSTANT) ||
               (p.kind == TERM_CONSTANT && q.kind == TERM_LOAD)) {
        const struct term *a = p.kind == TERM_LOAD ? &p : &q;
        c.immediate = (p.kind == TERM_LOAD ? &q : &p)->immediate;
        add_load(&c, a->pc);
        add_pc(&c, pc);
        ok = finish(x, &c, 7, 0, 0);
        if (!ok)
            return why_kept(x, pc);
    }
    return ok ? PTX_CHAIN_FREE : PTX_CHAIN_OPERAND;
}

/* Product of two of (load, load), (load, g), the sum left to the core. */
static enum ptx_chain_reason match_split(struct chain_finder *x, int pc,
                                         const struct term *p,
                                         const struct term *q) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    struct ptx_chain c = begin(pc, PTX_CHAIN_MUL, in->form->types[0]);
    bool loads = p->kind == TERM_LOAD && q->kind == TERM_LOAD;
    bool with_g = (p->kind == TERM_LOAD && q->kind == TERM_G) ||
                  (p->kind == TERM_G && q->kind == TERM_LOAD);
    if (!loads && !with_g)
        return PTX_CHAIN_OPERAND;
    if (in->form->op == PTX_OP_FMA && !x->options.split_fma)
        return PTX_CHAIN_FUSED;
    c.split = true;
    c.f_reversed = p->kind == TERM_G;
    if (loads)
        two_loads(x, &c, p->pc, q->pc);
    else
        load_and_g(x, &c, p->kind == TERM_G ? q : p, p->kind == TERM_G ? p : q);
    return PTX_CHAIN_FREE;
}

/* b * i + a, or a product to be split off. */
static enum ptx_chain_reason match_fused(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    struct term p = term_of(x, pc, in->operands[1], false, true);
    struct term q = term_of(x, pc, in->operands[2], false, true);
    struct term a = term_of(x, pc, in->operands[3], false, false);
    bool forward = p.kind == TERM_LOAD && q.kind == TERM_CONSTANT;
    if (a.kind != TERM_LOAD ||
        (!forward && !(p.kind == TERM_CONSTANT && q.kind == TERM_LOAD)))
        return match_split(x, pc, &p, &q);
    struct ptx_chain c = begin(pc, PTX_CHAIN_ADD, in->form->types[0]);
    c.g = PTX_CHAIN_MUL;
    c.fused = true;
    c.f_reversed = true;
    c.g_reversed = !forward;
    c.immediate = (forward ? &q : &p)->immediate;
    add_load(&c, forward ? p.pc : q.pc);
    add_load(&c, a.pc);
    add_pc(&c, pc);
    finish(x, &c, 9, 0, 8);
    return PTX_CHAIN_FREE;
}

/* ------------------------------------------------------------- comparisons */

/* A shorter load is widened as its own type says; the comparison is of 16 or
 * 32 bits and must see the same order then. */
static bool widened_right(const struct ptx_instruction *load,
                          enum ptx_modifier compare, enum ptx_type type) {
    char kind = ptx_type_kind(load->form->types[0]);
    bool is_signed = ptx_type_kind(type) == 's';
    if (width_of(load) == 32)
        return ptx_type_bits(type) == 32;
    if (kind == 'f' || ptx_type_kind(type) == 'f')
        return false;
    if (compare == PTX_MOD_EQ || compare == PTX_MOD_NE)
        return true;
    return width_of(load) == 8 && kind != 's' ? true
                                              : is_signed == (kind == 's');
}

static bool comparison_fits(const struct chain_finder *x,
                            const struct ptx_instruction *in,
                            const struct ptx_chain *c) {
    const struct ptx_instruction *a = &x->f->instructions[c->pcs[0]];
    for (int i = 0; i < c->n_loads; i++) {
        const struct ptx_instruction *b = &x->f->instructions[c->pcs[i]];
        if (b->form->types[0] != a->form->types[0] && width_of(a) < 32)
            return false;
        if (width_of(a) != width_of(b) ||
            !widened_right(b, c->compare, in->form->types[0]))
            return false;
    }
    return true;
}

static enum ptx_chain_reason match_compare(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    const struct ptx_form *f = in->form;
    enum ptx_modifier h = ptx_modifier_of(f, PTX_GROUP_COMPARE);
    int bits = f->n_types == 1 ? ptx_type_bits(f->types[0]) : 0;
    if (f->unknown || f->n_modifiers != 1 || !h || in->n_operands != 3 ||
        in->n_defs != 1 || (bits != 32 && bits != 16) ||
        (bits == 16 && ptx_type_kind(f->types[0]) == 'f'))
        return PTX_CHAIN_OPERATION;
    struct term p = term_of(x, pc, in->operands[1], true, false);
    struct term q = term_of(x, pc, in->operands[2], true, false);
    struct ptx_chain c = begin(pc, PTX_CHAIN_NO_OP, f->types[0]);
    c.compare = h;
    c.f_reversed = p.kind != TERM_LOAD;
    if (p.kind == TERM_LOAD)
        add_load(&c, p.pc);
    if (q.kind == TERM_LOAD)
        add_load(&c, q.pc);
    if (!c.n_loads || p.kind == TERM_OTHER || q.kind == TERM_OTHER)
        return PTX_CHAIN_OPERAND;
    if (!comparison_fits(x, in, &c))
        return PTX_CHAIN_NOT_32;
    c.immediate = c.n_loads == 2        ? NULL
                  : p.kind == TERM_LOAD ? q.immediate
                                        : p.immediate;
    c.pattern = c.n_loads == 2 ? 5 : 6;
    add_pc(&c, pc);
    keep(x, &c);
    return PTX_CHAIN_FREE;
}

/* ------------------------------------------------------------------ copies */

static enum ptx_chain_reason match_copy(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    if (in->n_operands < 2 || !stored(in))
        return PTX_CHAIN_STORE;
    int load = private_source(x, pc, in->operands[1]);
    if (load < 0 || !loads_fit(x, load, true))
        return PTX_CHAIN_OPERAND;
    if (!store_fits(in, width_of(&x->f->instructions[load])) ||
        chain_address(in)->items[0]->reg == stored(in))
        return PTX_CHAIN_STORE;
    struct ptx_chain c =
        begin(-1, PTX_CHAIN_NO_OP, x->f->instructions[load].form->types[0]);
    c.pattern = 3;
    c.store = pc;
    add_load(&c, load);
    add_pc(&c, pc);
    keep(x, &c);
    return PTX_CHAIN_FREE;
}

enum ptx_chain_reason chain_match(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    if (in->unsupported)
        return PTX_CHAIN_OPERATION;
    if (in->form->op == PTX_OP_ST)
        return match_copy(x, pc);
    if (in->form->op == PTX_OP_SETP)
        return match_compare(x, pc);
    if (is_fused(in))
        return match_fused(x, pc);
    enum ptx_chain_op op = find_op(in);
    if (!op)
        return PTX_CHAIN_OPERATION;
    return ops[op].sources == 1 ? match_unary(x, pc, op)
                                : match_binary(x, pc, op);
}
