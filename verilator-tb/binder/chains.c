/* chains.c - see chains.h.
 *
 * A line of forms[] has a letter for each word: L load, f operation of two
 * loads or of a load and a result, i with an immediate, F multiply-add, d
 * difference as a multiply-add, h comparison, k with an immediate, S store, B
 * store at the address of the second load.
 */
#include "chains.h"

#include "base/bits.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

static const struct form {
    const char *ops;
    int pattern; /* 0: none, though each word fits; -1: the last one does not */
} forms[] = {
    {"LLfS", 1},  {"LLf", 2},    {"LS", 3},    {"LLfB", 4},  {"LLh", 5},
    {"Lk", 6},    {"LiS", 7},    {"LLif", 8},  {"LLF", 8},   {"LLifS", 9},
    {"LLFS", 9},  {"LLdS", 1},   {"LLd", 2},   {"LL", 0},    {"Li", 0},
    {"LLi", 0},   {"LLiS", 0},   {"LLL", -1},  {"Lf", -1},   {"Lh", -1},
    {"LF", -1},   {"LLk", -1},   {"LLS", -1},  {"LSS", -1},  {"LSL", -1},
    {"LiL", -1},  {"LLfL", -1},  {"LLff", -1}, {"LLfi", -1}, {"LLFf", -1},
    {"LLiF", -1}, {"LLih", -1},  {"LLfh", -1}, {"LLdf", -1}, {"LLhf", -1},
    {"LLhS", -1}, {"LkS", -1},   {"LkL", -1},  {"Lii", -1},  {"LLiff", -1},
    {"LSi", -1},  {"LLfSf", -1},
};
enum { N_FIT = 17, N_FORMS = sizeof forms / sizeof *forms };

/* What a far ALU has; turned: the other way round there. */
static const struct far {
    uint8_t isa, code, type;
    bool turned;
} alus[] =
    {
        {ISA_add, BINDER_ADD, BINDER_U32, false},
        {ISA_sub, BINDER_SUB, BINDER_U32, false},
        {ISA_rsub, BINDER_SUB, BINDER_U32, true},
        {ISA_and, BINDER_AND, BINDER_U32, false},
        {ISA_or, BINDER_OR, BINDER_U32, false},
        {ISA_xor, BINDER_XOR, BINDER_U32, false},
        {ISA_shl, BINDER_SHL, BINDER_U32, false},
        {ISA_shr, BINDER_SHR, BINDER_U32, false},
        {ISA_sar, BINDER_SHR, BINDER_S32, false},
        {ISA_mins, BINDER_MIN, BINDER_S32, false},
        {ISA_maxs, BINDER_MAX, BINDER_S32, false},
        {ISA_minu, BINDER_MIN, BINDER_U32, false},
        {ISA_maxu, BINDER_MAX, BINDER_U32, false},
        {ISA_mul, BINDER_MUL, BINDER_U32, false},
        {ISA_fadd, BINDER_ADD, BINDER_F32, false},
        {ISA_fmul, BINDER_MUL, BINDER_F32, false},
        {ISA_fmin, BINDER_MIN, BINDER_F32, false},
        {ISA_fmax, BINDER_MAX, BINDER_F32, false},
},
  compares[] = {
      {ISA_seteq, BINDER_EQ, BINDER_U32, false},
      {ISA_setne, BINDER_NE, BINDER_U32, false},
      {ISA_setlts, BINDER_LT, BINDER_S32, false},
      {ISA_setles, BINDER_LE, BINDER_S32, false},
      {ISA_setgts, BINDER_GT, BINDER_S32, false},
      {ISA_setges, BINDER_GE, BINDER_S32, false},
      {ISA_setltu, BINDER_LT, BINDER_U32, false},
      {ISA_setleu, BINDER_LE, BINDER_U32, false},
      {ISA_setgtu, BINDER_GT, BINDER_U32, false},
      {ISA_setgeu, BINDER_GE, BINDER_U32, false},
      {ISA_fseteq, BINDER_EQ, BINDER_F32, false},
      {ISA_fsetne, BINDER_NE, BINDER_F32, false},
      {ISA_fsetlt, BINDER_LT, BINDER_F32, false},
      {ISA_fsetle, BINDER_LE, BINDER_F32, false},
      {ISA_fsetgt, BINDER_GT, BINDER_F32, false},
      {ISA_fsetge, BINDER_GE, BINDER_F32, false},
      {ISA_fsetnan, BINDER_NAN, BINDER_F32, false},
      {ISA_fsetequ, BINDER_EQU, BINDER_F32, false},
      {ISA_fsetneu, BINDER_NEU, BINDER_F32, false},
      {ISA_fsetltu, BINDER_LTU, BINDER_F32, false},
      {ISA_fsetleu, BINDER_LEU, BINDER_F32, false},
      {ISA_fsetgtu, BINDER_GTU, BINDER_F32, false},
      {ISA_fsetgeu, BINDER_GEU, BINDER_F32, false},
};
enum {
    N_ALUS = sizeof alus / sizeof *alus,
    N_COMPARES = sizeof compares / sizeof *compares
};

/* Ways in which a word may fit nothing. */
enum misfit {
    NOTHING,
    OTHER_OP,
    OTHER_ROUND,
    NOT_IN_ROW,
    OTHER_LINE,
    TOO_HIGH,
    NOT_SAME,
    OTHER_MASK,
    NO_LANE,
    OTHER_TAG,
    OWN_BASE,   /* an address from a value of the chain */
    OWN_AGAIN,  /* a load into the register of the other one */
    NOT_STORED, /* a store of a value that is none of the chain's */
    OUTSIDE,    /* an operation of two values that are none */
    TWICE,      /* of one value twice */
    WRONG_SUM,  /* a multiply-add whose parts are in the wrong places */
    MISFITS
};

/* While it is made. */
struct maker {
    struct chain *c;
    const struct binder_local *l;
    struct rng *r;
    uint8_t reg[16]; /* different ones */
    int used;
    uint8_t load[2], result;
    int ops;
    uint64_t base;     /* of the load before */
    enum misfit wrong; /* of the word that is made */
};

static uint8_t fresh(struct maker *m) {
    return m->reg[m->used++ % 16];
}

static void shuffle(struct maker *m) {
    uint8_t all[ISA_REGISTERS];
    for (int i = 0; i < ISA_REGISTERS; i++)
        all[i] = (uint8_t)i;
    for (int i = 0; i < 16; i++) {
        int k = rng_range(m->r, i, ISA_REGISTERS - 1);
        m->reg[i] = all[k];
        all[k] = all[i];
    }
}

static int highest(uint64_t mask) {
    return mask ? 63 - __builtin_clzll(mask) : 0;
}

static bool is_f32(int op) {
    return isa_has(op, 'f');
}

/* --- memory --------------------------------------------------------------- */

/* Lane 0's address; the lanes stay in its line unless wrong. */
static uint64_t new_base(struct maker *m) {
    uint64_t line = (uint64_t)m->l->LINE,
             high = 4u * (unsigned)highest(m->c->mask);
    uint64_t bits = m->l->ADDR_W < 32 ? (uint64_t)m->l->ADDR_W : 32;
    uint64_t at = rng_next(m->r) & ones((int)bits) & ~(line - 1);
    uint64_t room = (line - high) / 4;
    if (at < 4096 || at > ones((int)bits) - 8192)
        at = 4096;
    if (m->wrong == OTHER_LINE)
        return at + line - 4;
    if (m->wrong == TOO_HIGH)
        at |= (uint64_t)1 << m->l->ADDR_W;
    return at + 4 * rng_below(m->r, (uint32_t)room);
}

static void make_access(struct maker *m, char letter, struct isa_word *i,
                        struct chain_word *w) {
    bool load = letter == 'L';
    uint64_t base = letter == 'B' ? m->base : new_base(m);
    i->op = load ? ISA_ldg_b32 : ISA_stg_b32;
    i->a = m->wrong != OWN_BASE ? fresh(m) : m->ops ? m->result : m->load[0];
    i->imm = true;
    i->value = (uint32_t)rng_range(m->r, -40, 40) * 4;
    if (load)
        i->d = m->wrong == OWN_AGAIN ? m->load[0] : fresh(m);
    else
        i->c = m->wrong == NOT_STORED ? fresh(m)
               : m->ops               ? m->result
                                      : m->load[0];
    w->a = (base + 4u * (unsigned)(w->mask ? __builtin_ctzll(w->mask) : 0)) &
           ones(32);
    w->b = i->value;
    w->in_row = m->wrong != NOT_IN_ROW;
    w->op = (struct chain_op){.kind = load ? BINDER_LOAD : BINDER_STORE,
                              .type = BINDER_U32,
                              .address = base,
                              .mem = base / (uint64_t)m->l->LINE %
                                     (uint64_t)m->l->MEMS};
    m->base = base;
    if (load && m->c->loads < 2) {
        m->load[m->c->loads] = i->d;
        m->c->load[m->c->loads++] = i->d;
    }
}

/* --- operations ----------------------------------------------------------- */

static uint32_t new_number(struct maker *m, int op) {
    uint32_t v = (uint32_t)rng_next(m->r);
    return is_f32(op) ? v & ~UINT32_C(255)
                      : (uint32_t)bits_signed(v & 0xffffff, 24);
}

/* The immediate as the second operand, in the word or a register; or, if it can
 * be turned round, as the first one. */
static void add_immediate(struct maker *m, struct isa_word *i,
                          struct chain_word *w, uint8_t other, bool *first) {
    bool number = m->wrong != NOT_SAME && rng_percent(m->r, 40);
    uint8_t reg = number ? 0 : fresh(m);
    *first = !number && rng_percent(m->r, 50);
    i->imm = number;
    i->a = *first ? reg : other;
    if (number)
        i->value = new_number(m, i->op);
    else
        i->b = *first ? other : reg;
    if (number)
        w->b = i->value;
    w->op.has_imm = 1;
    w->op.imm = *first ? w->a : w->b;
    if (*first)
        w->same_a = m->wrong != NOT_SAME;
    else
        w->same_b = m->wrong != NOT_SAME;
}

static uint8_t new_result(struct maker *m, bool between) {
    uint8_t one[] = {fresh(m), m->load[0], m->load[between ? 0 : 1]};
    return one[m->c->loads == 2 ? rng_below(m->r, 3) : rng_below(m->r, 2)];
}

static void make_sum(struct maker *m, bool difference, struct isa_word *i,
                     struct chain_word *w) {
    uint8_t x = m->load[0], y = m->load[1];
    bool first = false, f32 = difference || rng_percent(m->r, 50);
    i->op = f32 ? ISA_ffma : ISA_mad;
    w->op = (struct chain_op){.kind = BINDER_ALU,
                              .code = BINDER_ADD,
                              .type = f32 ? BINDER_F32 : BINDER_U32,
                              .fused = !difference};
    if (m->wrong == WRONG_SUM && rng_percent(m->r, 50)) {
        i->a = rng_percent(m->r, 50) ? x : fresh(m);
        i->b = i->a == x ? x : fresh(m);
        i->c = y;
    } else if (difference) {
        i->imm = true;
        i->a = y;
        i->c = x;
        i->value = m->wrong == WRONG_SUM ? 0xbf800100u : 0xbf800000u;
        w->b = i->value;
        w->op.code = BINDER_SUB;
    } else {
        bool turned = m->wrong == WRONG_SUM;
        add_immediate(m, i, w, turned ? y : x, &first);
        i->c = turned ? x : y;
        if (i->imm && turned && i->value == 0xbf800000u)
            i->value = w->b = 0;
    }
    i->d = new_result(m, false);
}

static void make_pair(struct maker *m, char letter, struct isa_word *i,
                      struct chain_word *w) {
    bool tests = letter == 'h' || letter == 'k';
    bool imm = letter == 'i' || letter == 'k';
    const struct far *f = tests ? &compares[rng_below(m->r, N_COMPARES)]
                                : &alus[rng_below(m->r, N_ALUS)];
    uint8_t x = m->load[0], y = m->c->loads == 2 ? m->load[1] : x;
    bool first = false; /* the second of the pair is operand a */
    if (m->ops) {
        x = m->c->loads == 2 ? m->load[1] : m->result;
        y = m->result;
    }
    i->op = f->isa;
    w->op = (struct chain_op){.kind = tests ? BINDER_COMPARE : BINDER_ALU,
                              .code = f->code,
                              .type = f->type};
    if (imm) {
        add_immediate(m, i, w, m->ops ? m->result : x, &first);
    } else {
        first = rng_percent(m->r, 50);
        i->a = first ? y : x;
        i->b = first ? x : y;
    }
    if (m->wrong == OUTSIDE) {
        i->a = fresh(m);
        if (!i->imm)
            i->b = fresh(m);
    } else if (m->wrong == TWICE) {
        i->imm = false;
        i->value = 0;
        i->b = i->a = x;
    }
    w->op.reversed = first != f->turned;
    i->d = tests ? (uint8_t)rng_below(m->r, 8) : new_result(m, imm);
}

/* --- words ---------------------------------------------------------------- */

/* An instruction that no chain has; i is made anew. */
static void make_other(struct maker *m, struct isa_word *i) {
    static const uint8_t ops[] = {
        ISA_add3, ISA_andn,  ISA_carry,   ISA_mulhu,   ISA_mov,
        ISA_popc, ISA_cvtfs, ISA_ldg_u8,  ISA_lds_b32, ISA_stg_b16,
        ISA_sel,  ISA_vote,  ISA_atg_add, ISA_exit};
    struct isa_word o = {.guard = i->guard,
                         .unless = i->unless,
                         .chain = i->chain,
                         .op = ops[rng_below(m->r, sizeof ops)]};
    if (isa_has(o.op, 'd'))
        o.d = fresh(m);
    if (isa_has(o.op, 'a') || isa_has(o.op, 'm') || isa_has(o.op, 'n'))
        o.a = m->c->loads ? m->load[0] : fresh(m);
    if (isa_has(o.op, 'b') || isa_has(o.op, 'i'))
        o.b = m->c->loads == 2 ? m->load[1] : fresh(m);
    if (isa_has(o.op, 'c'))
        o.c = fresh(m);
    o.imm = isa_has(o.op, 'm');
    *i = o;
}

static void spoil(struct maker *m, struct isa_word *i, struct chain_word *w) {
    switch (m->wrong) {
    case OTHER_OP:
        make_other(m, i);
        break;
    case OTHER_ROUND:
        if (isa_has(i->op, 'R') && rng_percent(m->r, 50))
            i->round = (uint8_t)rng_range(m->r, 1, 3);
        else if (isa_has(i->op, 'S') && rng_percent(m->r, 50))
            i->sat = true;
        else
            i->ftz = true;
        break;
    case OTHER_TAG: {
        int tag =
            rng_below(m->r, 4) ? rng_range(m->r, 4, 15) : rng_range(m->r, 0, 1);
        i->chain = (uint8_t)tag;
        break;
    }
    case OTHER_MASK:
        w->mask ^= (uint64_t)1 << rng_below(m->r, (uint32_t)m->l->MASK_W);
        break;
    case NO_LANE:
        w->mask = w->a = w->b = 0;
        w->in_row = w->same_a = w->same_b = 1;
        break;
    default:
        break;
    }
}

/* Whether the letter's word can be wrong in this way, at this place. */
static bool may(const struct maker *m, char letter, int at, enum misfit wrong) {
    bool access = strchr("LSB", letter), sum = strchr("Fd", letter);
    switch (wrong) {
    case NOT_IN_ROW:
        return access;
    case OTHER_LINE:
        return access && highest(m->c->mask) > 0 && letter != 'B';
    case TOO_HIGH:
        return access && m->l->ADDR_W < 32 && letter != 'B';
    case NOT_SAME:
        return strchr("ikF", letter);
    case OTHER_MASK:
    case OTHER_TAG:
        return at > 0;
    case NO_LANE:
    case OTHER_OP:
        return true;
    case OTHER_ROUND:
        return !access;
    case OWN_BASE:
        return access && at > 0;
    case OWN_AGAIN:
        return letter == 'L' && at == 1;
    case NOT_STORED:
        return access && letter != 'L';
    case OUTSIDE:
    case TWICE:
        return !access && !sum;
    case WRONG_SUM:
        return sum;
    default:
        return false;
    }
}

/* What it stands for, beside its operation. */
static void put_word(struct maker *m, char letter, int at, int n,
                     enum misfit wrong) {
    struct chain_word *w = &m->c->word[at];
    struct isa_word i = {.guard = (uint8_t)rng_below(m->r, 8),
                         .unless = rng_below(m->r, 2),
                         .place = (uint8_t)rng_below(m->r, 4),
                         .mark = rng_below(m->r, 2),
                         .chain = (uint8_t)(at == 0       ? 1
                                            : at + 1 == n ? 3
                                                          : 2)};
    *w = (struct chain_word){.mask = m->c->mask,
                             .a = rng_next(m->r) & ones(32),
                             .b = rng_next(m->r) & ones(32),
                             .in_row = rng_below(m->r, 2),
                             .same_a = rng_below(m->r, 2),
                             .same_b = rng_below(m->r, 2)};
    i.unless &= i.guard != ISA_TRUE;
    m->wrong = wrong;
    if (strchr("LSB", letter))
        make_access(m, letter, &i, w);
    else if (strchr("Fd", letter))
        make_sum(m, letter == 'd', &i, w);
    else
        make_pair(m, letter, &i, w);
    bool floats = isa_has(i.op, 'Z');
    if (wrong == OTHER_ROUND && (i.imm || !floats)) {
        m->wrong = OTHER_OP; /* it cannot round */
        wrong = OTHER_OP;
    }
    w->op.tag = i.chain;
    spoil(m, &i, w);
    if (i.imm && !strchr("LSB", letter))
        w->same_b = 1;
    if (isa_encode(&i, &w->code) != ISA_LEGAL)
        abort();
    w->fits = wrong == NOTHING;
    if (!strchr("LSB", letter) && wrong == NOTHING) {
        m->result = i.d;
        m->ops++;
        m->c->result = i.d;
    }
}

static uint64_t new_mask(struct maker *m) {
    int lanes = m->l->LINE / 4 < m->l->MASK_W ? m->l->LINE / 4 : m->l->MASK_W;
    uint64_t all = ones(lanes), some = rng_next(m->r) & all;
    return rng_percent(m->r, 50) || !some ? all : some;
}

void chain_make(struct chain *c, const struct binder_local *l, struct rng *r,
                int misfits) {
    struct maker m = {.c = c, .l = l, .r = r};
    bool misfit = rng_percent(r, misfits),
         whole = !misfit || rng_percent(r, 60);
    int n = whole ? (int)rng_below(r, N_FIT) : rng_range(r, N_FIT, N_FORMS - 1);
    const struct form *f = &forms[n];
    memset(c, 0, sizeof *c);
    shuffle(&m);
    c->n = (int)strlen(f->ops);
    c->mask = new_mask(&m);
    c->pattern = f->pattern > 0 ? f->pattern : 0;
    int at_wrong = misfit && whole ? (int)rng_below(r, (uint32_t)c->n) : -1;
    for (int at = 0; at < c->n; at++) {
        bool ends = f->pattern < 0 && at + 1 == c->n;
        enum misfit wrong = NOTHING;
        while (at == at_wrong && wrong == NOTHING) {
            enum misfit one = (enum misfit)rng_range(r, 1, MISFITS - 1);
            if (may(&m, f->ops[at], at, one))
                wrong = one;
        }
        put_word(&m, f->ops[at], at, c->n, wrong);
        if (wrong != NOTHING || ends) {
            c->word[at].fits = false;
            c->n = at + 1;
        }
    }
}
