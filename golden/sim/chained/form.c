/* form.c - see form.h.
 *
 * ndpcc leaves the words of a chain side by side, tagged as first, inside and
 * last: loads, g, f or h, store.  What it makes of PTX in several words (16
 * bits, division) fits no pattern here and stays with the core.
 */
#include "form.h"

#include "blocks/oqueue.h"

#include <string.h>

/* Where a source of an operation comes from. */
enum origin { FIRST_LOAD, SECOND_LOAD, RESULT, IMMEDIATE };

struct far_op {
    uint8_t isa, kind, code, type;
    bool swapped;
};

static const struct far_op far_ops[] = {
    {ISA_add, OQUEUE_ALU, OQUEUE_ADD, OQUEUE_U32, false},
    {ISA_sub, OQUEUE_ALU, OQUEUE_SUB, OQUEUE_U32, false},
    {ISA_rsub, OQUEUE_ALU, OQUEUE_SUB, OQUEUE_U32, true},
    {ISA_mul, OQUEUE_ALU, OQUEUE_MUL, OQUEUE_U32, false},
    {ISA_mad, OQUEUE_ALU, OQUEUE_ADD, OQUEUE_U32, false},
    {ISA_and, OQUEUE_ALU, OQUEUE_AND, OQUEUE_U32, false},
    {ISA_or, OQUEUE_ALU, OQUEUE_OR, OQUEUE_U32, false},
    {ISA_xor, OQUEUE_ALU, OQUEUE_XOR, OQUEUE_U32, false},
    {ISA_shl, OQUEUE_ALU, OQUEUE_SHL, OQUEUE_U32, false},
    {ISA_shr, OQUEUE_ALU, OQUEUE_SHR, OQUEUE_U32, false},
    {ISA_sar, OQUEUE_ALU, OQUEUE_SHR, OQUEUE_S32, false},
    {ISA_mins, OQUEUE_ALU, OQUEUE_MIN, OQUEUE_S32, false},
    {ISA_maxs, OQUEUE_ALU, OQUEUE_MAX, OQUEUE_S32, false},
    {ISA_minu, OQUEUE_ALU, OQUEUE_MIN, OQUEUE_U32, false},
    {ISA_maxu, OQUEUE_ALU, OQUEUE_MAX, OQUEUE_U32, false},
    {ISA_fadd, OQUEUE_ALU, OQUEUE_ADD, OQUEUE_F32, false},
    {ISA_fmul, OQUEUE_ALU, OQUEUE_MUL, OQUEUE_F32, false},
    {ISA_ffma, OQUEUE_ALU, OQUEUE_ADD, OQUEUE_F32, false},
    {ISA_fmin, OQUEUE_ALU, OQUEUE_MIN, OQUEUE_F32, false},
    {ISA_fmax, OQUEUE_ALU, OQUEUE_MAX, OQUEUE_F32, false},
    {ISA_seteq, OQUEUE_COMPARE, OQUEUE_EQ, OQUEUE_U32, false},
    {ISA_setne, OQUEUE_COMPARE, OQUEUE_NE, OQUEUE_U32, false},
    {ISA_setlts, OQUEUE_COMPARE, OQUEUE_LT, OQUEUE_S32, false},
    {ISA_setles, OQUEUE_COMPARE, OQUEUE_LE, OQUEUE_S32, false},
    {ISA_setgts, OQUEUE_COMPARE, OQUEUE_GT, OQUEUE_S32, false},
    {ISA_setges, OQUEUE_COMPARE, OQUEUE_GE, OQUEUE_S32, false},
    {ISA_setltu, OQUEUE_COMPARE, OQUEUE_LT, OQUEUE_U32, false},
    {ISA_setleu, OQUEUE_COMPARE, OQUEUE_LE, OQUEUE_U32, false},
    {ISA_setgtu, OQUEUE_COMPARE, OQUEUE_GT, OQUEUE_U32, false},
    {ISA_setgeu, OQUEUE_COMPARE, OQUEUE_GE, OQUEUE_U32, false},
    {ISA_fseteq, OQUEUE_COMPARE, OQUEUE_EQ, OQUEUE_F32, false},
    {ISA_fsetne, OQUEUE_COMPARE, OQUEUE_NE, OQUEUE_F32, false},
    {ISA_fsetlt, OQUEUE_COMPARE, OQUEUE_LT, OQUEUE_F32, false},
    {ISA_fsetle, OQUEUE_COMPARE, OQUEUE_LE, OQUEUE_F32, false},
    {ISA_fsetgt, OQUEUE_COMPARE, OQUEUE_GT, OQUEUE_F32, false},
    {ISA_fsetge, OQUEUE_COMPARE, OQUEUE_GE, OQUEUE_F32, false},
    {ISA_fsetnan, OQUEUE_COMPARE, OQUEUE_NAN, OQUEUE_F32, false},
    {ISA_fsetequ, OQUEUE_COMPARE, OQUEUE_EQU, OQUEUE_F32, false},
    {ISA_fsetneu, OQUEUE_COMPARE, OQUEUE_NEU, OQUEUE_F32, false},
    {ISA_fsetltu, OQUEUE_COMPARE, OQUEUE_LTU, OQUEUE_F32, false},
    {ISA_fsetleu, OQUEUE_COMPARE, OQUEUE_LEU, OQUEUE_F32, false},
    {ISA_fsetgtu, OQUEUE_COMPARE, OQUEUE_GTU, OQUEUE_F32, false},
    {ISA_fsetgeu, OQUEUE_COMPARE, OQUEUE_GEU, OQUEUE_F32, false},
};

#define MINUS_ONE UINT32_C(0xbf800000)

struct reader {
    const struct isa_word *word;
    int n, at;
    uint8_t load[2], result; /* registers */
    int results;
    struct form *f;
};

static const struct far_op *find_op(const struct isa_word *w) {
    if (w->round || w->ftz || w->sat)
        return NULL;
    for (size_t i = 0; i < sizeof far_ops / sizeof *far_ops; i++)
        if (far_ops[i].isa == w->op)
            return &far_ops[i];
    return NULL;
}

static enum origin origin_of(const struct reader *r, uint8_t reg) {
    if (r->results && reg == r->result)
        return RESULT;
    for (int i = r->f->loads - 1; i >= 0; i--)
        if (reg == r->load[i])
            return i ? SECOND_LOAD : FIRST_LOAD;
    return IMMEDIATE;
}

static void set_imm(struct form_op *o, const struct isa_word *w, uint8_t reg,
                    bool number) {
    o->has_imm = true;
    o->imm_register = number ? -1 : reg;
    o->imm = number ? w->value : 0;
}

/* x and y are what the operation takes, in the order of the pattern. */
static bool in_order(struct form_op *o, enum origin a, enum origin b,
                     enum origin x, enum origin y, bool swapped) {
    if (a == x && b == y)
        o->reversed = swapped;
    else if (a == y && b == x)
        o->reversed = !swapped;
    else
        return false;
    return true;
}

/* a * b + c. */
static bool take_fused(struct reader *r, const struct isa_word *w,
                       struct form_op *o) {
    enum origin a = origin_of(r, w->a), c = origin_of(r, w->c);
    enum origin b = w->imm ? IMMEDIATE : origin_of(r, w->b);
    bool reg_first = a == IMMEDIATE;
    if (r->results || r->f->loads != 2 || (a == IMMEDIATE) == (b == IMMEDIATE))
        return false;
    enum origin factor = reg_first ? b : a;
    if (factor == FIRST_LOAD && c == SECOND_LOAD) {
        o->fused = true;
        set_imm(o, w, reg_first ? w->a : w->b, !reg_first && w->imm);
        return true;
    }
    /* a difference, of which there is no other word */
    if (w->op != ISA_ffma || factor != SECOND_LOAD || c != FIRST_LOAD ||
        !w->imm || w->value != MINUS_ONE)
        return false;
    o->code = OQUEUE_SUB;
    return true;
}

static bool take_two(struct reader *r, const struct isa_word *w,
                     const struct far_op *far, struct form_op *o) {
    enum origin a = origin_of(r, w->a);
    enum origin b = w->imm ? IMMEDIATE : origin_of(r, w->b);
    bool two = r->f->loads == 2;
    if (r->results)
        return two && far->kind == OQUEUE_ALU &&
               in_order(o, a, b, SECOND_LOAD, RESULT, far->swapped);
    if (two && in_order(o, a, b, FIRST_LOAD, SECOND_LOAD, far->swapped))
        return true;
    if (!in_order(o, a, b, FIRST_LOAD, IMMEDIATE, far->swapped) ||
        (two && far->kind != OQUEUE_ALU))
        return false;
    set_imm(o, w, a == IMMEDIATE ? w->a : w->b, a != IMMEDIATE && w->imm);
    return true;
}

static bool take_alu(struct reader *r) {
    const struct isa_word *w = &r->word[r->at];
    const struct far_op *far = find_op(w);
    struct form_op *o = &r->f->op[r->at];
    if (!far)
        return false;
    *o = (struct form_op){.kind = far->kind,
                          .code = far->code,
                          .type = far->type,
                          .imm_register = -1};
    bool fused = w->op == ISA_ffma || w->op == ISA_mad;
    if (!(fused ? take_fused(r, w, o) : take_two(r, w, far, o)))
        return false;
    r->result = w->d;
    r->results++;
    r->at++;
    return true;
}

static bool take_loads(struct reader *r) {
    while (r->at < r->n && r->word[r->at].op == ISA_ldg_b32) {
        const struct isa_word *w = &r->word[r->at];
        if (r->f->loads == 2 || origin_of(r, w->a) != IMMEDIATE ||
            origin_of(r, w->d) != IMMEDIATE)
            return false;
        r->f->op[r->at++] = (struct form_op){
            .kind = OQUEUE_LOAD, .type = OQUEUE_U32, .imm_register = -1};
        r->load[r->f->loads++] = w->d;
    }
    return r->f->loads > 0;
}

static bool take_store(struct reader *r) {
    const struct isa_word *w = &r->word[r->at];
    enum origin stored = origin_of(r, w->c);
    if (w->op != ISA_stg_b32 || origin_of(r, w->a) != IMMEDIATE ||
        stored != (r->results ? RESULT : FIRST_LOAD) ||
        (!r->results && r->f->loads != 1))
        return false;
    r->f->op[r->at++] = (struct form_op){
        .kind = OQUEUE_STORE, .type = OQUEUE_U32, .imm_register = -1};
    r->f->stores = true;
    return true;
}

/* What stands there is a pattern as a whole. */
static bool is_whole(const struct reader *r) {
    const struct form *f = r->f;
    const struct form_op *last = &f->op[f->n - 1 - f->stores];
    bool compares = last->kind == OQUEUE_COMPARE;
    bool wants_second =
        f->loads == 2 && last->has_imm && !last->fused && !compares;
    if (r->at != r->n || wants_second)
        return false;
    return compares ? !f->stores : f->stores || f->loads == 2;
}

bool form_begins(const struct isa_word *code, int pc) {
    const struct isa_word *w = &code[pc];
    return w->chain == ISA_CHAIN_FIRST &&
           isa_info(w->op)->class == ISA_CLASS_global && isa_has(w->op, 'd');
}

bool form_find(const struct isa_word *code, int n_code, int pc,
               struct form *f) {
    struct reader r = {.word = code + pc, .f = f};
    memset(f, 0, sizeof *f);
    if (!form_begins(code, pc))
        return false;
    do {
        const struct isa_word *w = &code[pc + r.n++];
        if (r.n > FORM_MOST || pc + r.n > n_code ||
            w->guard != code[pc].guard || w->unless != code[pc].unless ||
            (r.n > 1 && w->chain != ISA_CHAIN_INSIDE &&
             w->chain != ISA_CHAIN_LAST))
            return false;
    } while (code[pc + r.n - 1].chain != ISA_CHAIN_LAST);
    f->n = r.n;
    if (!take_loads(&r))
        return false;
    while (r.at < r.n && r.word[r.at].op != ISA_stg_b32)
        if (!take_alu(&r))
            return false;
    return (r.at == r.n || take_store(&r)) && is_whole(&r);
}
