/* far.c - chains that a service queue gets; see far.h. */
#include "far.h"

#include "blocks/squeue.h"
#include "isa/alu.h"

#define SIGN UINT32_C(0x80000000)

/* --- chains --------------------------------------------------------------- */

static bool unary(uint64_t op) {
    return op == SQUEUE_NEG || op == SQUEUE_ABS || op == SQUEUE_NOT;
}

static uint64_t pattern(const struct compute *c) {
    return c->field[COMPUTE_PATTERN];
}

static bool uses(const struct compute *c, int field) {
    return compute_uses(field, (int)pattern(c));
}

bool far_compares(const struct compute *c) {
    return pattern(c) == 5 || pattern(c) == 6;
}

bool far_gives(const struct compute *c) {
    return pattern(c) == 2 || pattern(c) == 8;
}

bool far_stores(const struct compute *c) {
    return uses(c, COMPUTE_C);
}

bool far_two(const struct compute *c) {
    return uses(c, COMPUTE_B) ||
           (pattern(c) == 4 && !unary(c->field[COMPUTE_F]));
}

uint64_t far_address(const struct compute *c, bool second) {
    return !second              ? c->field[COMPUTE_A]
           : uses(c, COMPUTE_B) ? c->field[COMPUTE_B]
                                : c->field[COMPUTE_C];
}

static bool op_exists(uint64_t op) {
    return op != SQUEUE_NO_OP && op != SQUEUE_DIV && op != 15;
}

bool far_able(const struct compute *c) {
    const uint64_t *f = c->field;
    if (pattern(c) < 1 || pattern(c) > 9 || f[COMPUTE_TYPE] == 7)
        return false;
    if (far_compares(c))
        return f[COMPUTE_F] < 14;
    if (f[COMPUTE_FUSED])
        return true;
    return (!uses(c, COMPUTE_F) || op_exists(f[COMPUTE_F])) &&
           (!uses(c, COMPUTE_G) || op_exists(f[COMPUTE_G]));
}

static uint64_t any_op(struct rng *r, bool with_unary) {
    uint64_t op;
    do
        op = (uint64_t)rng_range(r, SQUEUE_ADD,
                                 with_unary ? SQUEUE_NOT : SQUEUE_SHR);
    while (op == SQUEUE_DIV);
    return op;
}

/* What cannot be computed. */
static void spoil(struct rng *r, struct compute *c) {
    static const uint64_t no_op[] = {SQUEUE_NO_OP, SQUEUE_DIV, SQUEUE_DIV, 15};
    uint64_t bad = no_op[rng_below(r, 4)];
    c->field[COMPUTE_FUSED] = 0;
    if (far_compares(c))
        c->field[COMPUTE_F] = 14 + rng_below(r, 2);
    else if (rng_percent(r, 10))
        c->field[COMPUTE_TYPE] = 7;
    else if (uses(c, COMPUTE_G) && rng_percent(r, 50))
        c->field[COMPUTE_G] = bad;
    else
        c->field[COMPUTE_F] = bad;
    if (rng_percent(r, 5))
        c->field[COMPUTE_PATTERN] = (uint64_t)rng_range(r, 10, 15);
}

void far_chain(const struct compute_size *s, struct rng *r, int unable,
               int masked, struct compute *c) {
    uint64_t *f = c->field;
    for (int i = 0; i < COMPUTE_FIELDS; i++)
        f[i] = rng_next(r);
    f[COMPUTE_PATTERN] = (uint64_t)rng_range(r, 1, 9);
    f[COMPUTE_TYPE] = rng_percent(r, 40) ? 0 : rng_below(r, 7);
    f[COMPUTE_F] =
        far_compares(c) ? rng_below(r, 14) : any_op(r, pattern(c) == 4);
    f[COMPUTE_G] = any_op(r, false);
    f[COMPUTE_FUSED] = rng_percent(r, 40);
    if (rng_percent(r, 50))
        f[COMPUTE_IMM] = rng_below(r, 40);
    if (!rng_percent(r, masked))
        f[COMPUTE_MASK] = UINT64_MAX;
    if (rng_percent(r, unable))
        spoil(r, c);
    compute_strip(s, c);
}

/* --- elements ------------------------------------------------------------- */

uint32_t far_element(const struct compute *c, struct rng *r) {
    static const uint32_t floats[] = {
        0,          SIGN,       0x7f800000, 0xff800000, 0x7fc00001,
        0xffc00000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
        0x3f800000, 0xbf800000, 0x7f7fffff, 0x33800000, 0x40490fdb};
    static const uint32_t words[] = {0,      1,          SIGN,  0x7fffffff,
                                     0xffff, 0xffffffff, 0x80,  0x8000,
                                     31,     32,         0x7fff};
    if (c->field[COMPUTE_TYPE] != SQUEUE_F32)
        return rng_percent(r, 40) ? words[rng_below(r, 11)]
                                  : (uint32_t)rng_next(r);
    if (rng_percent(r, 40))
        return floats[rng_below(r, 15)];
    /* exponents that meet each other */
    uint32_t any = (uint32_t)rng_next(r);
    return rng_percent(r, 70)
               ? (any & 0x807fffff) | (uint32_t)rng_range(r, 118, 136) << 23
               : any;
}

/* --- results -------------------------------------------------------------- */

static bool has_signs(uint64_t type) {
    return type == SQUEUE_S32 || type == SQUEUE_S16 || type == SQUEUE_S8;
}

static uint32_t widened(uint64_t type, uint32_t word) {
    int bits = type == SQUEUE_S16 || type == SQUEUE_U16 ? 16
               : type == SQUEUE_S8 || type == SQUEUE_U8 ? 8
                                                        : 32;
    uint32_t low = word & (uint32_t)ones(bits);
    return has_signs(type) && low >> (bits - 1) ? low | ~(uint32_t)ones(bits)
                                                : low;
}

static uint32_t isa_value(int op, uint32_t a, uint32_t b, uint32_t c) {
    struct isa_word w = {.op = (uint8_t)op, .round = ISA_RN};
    return alu_value(&w, a, b, c, false);
}

/* The operation of the instruction set: of floats, signed, unsigned. */
static int isa_op(uint64_t op, uint64_t type) {
    static const uint8_t ops[][3] = {
        [SQUEUE_ADD] = {ISA_fadd, ISA_add, ISA_add},
        [SQUEUE_SUB] = {ISA_fadd, ISA_sub, ISA_sub},
        [SQUEUE_MUL] = {ISA_fmul, ISA_mul, ISA_mul},
        [SQUEUE_MIN] = {ISA_fmin, ISA_mins, ISA_minu},
        [SQUEUE_MAX] = {ISA_fmax, ISA_maxs, ISA_maxu},
        [SQUEUE_AND] = {ISA_and, ISA_and, ISA_and},
        [SQUEUE_OR] = {ISA_or, ISA_or, ISA_or},
        [SQUEUE_XOR] = {ISA_xor, ISA_xor, ISA_xor},
        [SQUEUE_SHL] = {ISA_shl, ISA_shl, ISA_shl},
        [SQUEUE_SHR] = {ISA_shr, ISA_sar, ISA_shr},
    };
    return ops[op][type == SQUEUE_F32 ? 0 : has_signs(type) ? 1 : 2];
}

static uint32_t value(uint64_t op, uint64_t type, uint32_t x, uint32_t y) {
    bool f32 = type == SQUEUE_F32;
    switch (op) {
    case SQUEUE_NEG:
        return f32 ? isa_value(ISA_xor, x, SIGN, 0)
                   : isa_value(ISA_rsub, x, 0, 0);
    case SQUEUE_ABS:
        if (f32)
            return isa_value(ISA_and, x, ~SIGN, 0);
        return has_signs(type) && x >> 31 ? isa_value(ISA_rsub, x, 0, 0) : x;
    case SQUEUE_NOT:
        return isa_value(ISA_xor, x, UINT32_MAX, 0);
    default:
        return isa_value(isa_op(op, type), x,
                         f32 && op == SQUEUE_SUB ? y ^ SIGN : y, 0);
    }
}

static bool truth(uint64_t h, uint64_t type, uint32_t x, uint32_t y) {
    static const uint8_t of_floats[] = {
        ISA_fseteq,  ISA_fsetne,  ISA_fsetlt,  ISA_fsetle,  ISA_fsetgt,
        ISA_fsetge,  ISA_fsetequ, ISA_fsetneu, ISA_fsetltu, ISA_fsetleu,
        ISA_fsetgtu, ISA_fsetgeu, ISA_fsetnan, ISA_fsetnan};
    static const uint8_t of_ints[][6] = {
        {ISA_seteq, ISA_setne, ISA_setltu, ISA_setleu, ISA_setgtu, ISA_setgeu},
        {ISA_seteq, ISA_setne, ISA_setlts, ISA_setles, ISA_setgts, ISA_setges}};
    struct isa_word w = {.round = ISA_RN};
    if (type != SQUEUE_F32 && h >= SQUEUE_NUM)
        return h == SQUEUE_NUM;
    w.op = type == SQUEUE_F32 ? of_floats[h] : of_ints[has_signs(type)][h % 6];
    return alu_test(&w, x, y) != (h == SQUEUE_NUM);
}

uint32_t far_result(const struct compute *c, uint32_t first, uint32_t second) {
    const uint64_t *f = c->field;
    uint64_t type = f[COMPUTE_TYPE];
    uint32_t imm = (uint32_t)f[COMPUTE_IMM];
    uint32_t x = widened(type, first), y = widened(type, second), z;
    if (pattern(c) == 3)
        return x;
    if (f[COMPUTE_FUSED])
        return isa_value(type == SQUEUE_F32 ? ISA_ffma : ISA_mad, x, imm, y);
    if (pattern(c) == 6 || pattern(c) == 7)
        y = imm;
    if (pattern(c) >= 8) {
        z = f[COMPUTE_G_REVERSED] ? value(f[COMPUTE_G], type, imm, x)
                                  : value(f[COMPUTE_G], type, x, imm);
        x = y;
        y = z;
    }
    if (f[COMPUTE_F_REVERSED] && far_two(c) | (pattern(c) >= 6)) {
        z = x;
        x = y;
        y = z;
    }
    return far_compares(c) ? truth(f[COMPUTE_F], type, x, y)
                           : value(f[COMPUTE_F], type, x, y);
}
