/* exec_bits.c - counting, reversing, extracting and permuting bits; dot
 * products of packed bytes.
 */
#include "exec_int.h"

static inline u32 count64(u64 x) {
    return (u32)__builtin_popcountll(x);
}
static inline u32 zeros32(u32 x) {
    return x ? (u32)__builtin_clz(x) : 32;
}
static inline u32 zeros64(u64 x) {
    return x ? (u32)__builtin_clzll(x) : 64;
}

/* Position of the highest bit that differs from the sign, from the right or
 * (shiftamt) from the left; all ones: none. */
static inline u32 find32(u32 x) {
    return x ? 31 - zeros32(x) : ~0u;
}
static inline u32 find64(u64 x) {
    return x ? 63 - zeros64(x) : ~0u;
}
static inline u32 left32(u32 x) {
    return x ? zeros32(x) : ~0u;
}
static inline u32 left64(u64 x) {
    return x ? zeros64(x) : ~0u;
}

static inline u32 reverse32(u32 x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

static inline u64 reverse64(u64 x) {
    return (u64)reverse32((u32)x) << 32 | reverse32((u32)(x >> 32));
}

COUNTER(popc, u32, u32, u32, count64(x))
COUNTER(popc, u64, u64, u64, count64(x))
COUNTER(clz, u32, u32, u32, zeros32(x))
COUNTER(clz, u64, u64, u64, zeros64(x))
COUNTER(bfind, u32, u32, u32, find32(x))
COUNTER(bfind, u64, u64, u64, find64(x))
COUNTER(bfind, s32, u32, u32, find32((u32)(x < 0 ? ~x : x)))
COUNTER(bfind, s64, u64, u64, find64((u64)(x < 0 ? ~x : x)))
COUNTER(bleft, u32, u32, u32, left32(x))
COUNTER(bleft, u64, u64, u64, left64(x))
COUNTER(bleft, s32, u32, u32, left32((u32)(x < 0 ? ~x : x)))
COUNTER(bleft, s64, u64, u64, left64((u64)(x < 0 ? ~x : x)))
HANDLER1(brev, u32, u32, u32, reverse32(x))
HANDLER1(brev, u64, u64, u64, reverse64(x))

/* --------------------------------------------------------------- fields */

/* Field of len bits from pos, both taken modulo 256; past the end come zeros,
 * or for a signed type copies of the field's, or the value's, top bit. */
static u64 extract(u64 x, u32 pos, u32 len, u32 msb, bool sign) {
    pos &= 255;
    len &= 255;
    u32 top = pos + len - 1 > msb ? msb : pos + len - 1;
    u64 fill = sign && len ? x >> top & 1 : 0;
    u64 field = pos > msb ? 0 : x >> pos;
    u32 have = pos > msb ? 0 : msb - pos + 1;
    if (len < have)
        have = len;
    u64 low = have >= 64 ? ~(u64)0 : ((u64)1 << have) - 1;
    return (field & low) | (fill ? ~low : 0);
}

static void bfe32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = (u32)extract(a[i], b[i], c[i], 31, op->what);
}

static void bfe64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]);
    const lane_u32 *b = source(w, op->src[1]), *c = source(w, op->src[2]);
    lane_u64 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = extract(a[i], b[i], c[i], 63, op->what);
}

static u64 insert(u64 a, u64 b, u32 pos, u32 len, u32 msb) {
    pos &= 255;
    len &= 255;
    if (pos > msb || len == 0)
        return b;
    u64 mask = (len >= 64 ? ~(u64)0 : ((u64)1 << len) - 1) << pos;
    return (b & ~mask) | (a << pos & mask);
}

static void bfi32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]), *e = source(w, op->src[3]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = (u32)insert(a[i], b[i], c[i], e[i], 31);
}

static void bfi64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]), *e = source(w, op->src[3]);
    lane_u64 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = insert(a[i], b[i], c[i], e[i], 63);
}

/* Ones in bits a .. a + b - 1; wrap takes both modulo 32, clamp cuts off. */
static u32 bit_mask(u32 a, u32 b, bool wrap) {
    if (wrap) {
        a &= 31;
        b &= 31;
    }
    if (a > 31 || b == 0)
        return 0;
    return (b > 31 ? ~0u : (1u << b) - 1) << a;
}

static void bmsk(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = bit_mask(a[i], b[i], op->how);
}

/* Extend the low n bits of x by zeros or the sign. */
static void szext(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) {
        u32 n = op->how ? b[i] & 31 : b[i];
        d[i] = n > 31   ? a[i]
               : n == 0 ? 0
                        : (u32)extract(a[i], 0, n, 31, op->what);
    }
}

/* Position of the offset-th set bit of mask from base on; downwards if offset
 * is negative. */
static u32 nth_set(u32 mask, u32 base, s32 offset) {
    if (base > 31)
        return ~0u;
    if (offset == 0)
        return mask >> base & 1 ? base : ~0u;
    int step = offset > 0 ? 1 : -1;
    u32 left = offset > 0 ? (u32)offset : 0 - (u32)offset;
    for (int pos = (int)base; pos >= 0 && pos < 32; pos += step)
        if ((mask >> pos & 1) && --left == 0)
            return (u32)pos;
    return ~0u;
}

static void fns(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = nth_set(a[i], b[i], (s32)c[i]);
}

/* ----------------------------------------------------------- permutation */

/* Nibble n of the selector picks byte of b:a, bit 3 replicates its sign. */
static u32 permute(u32 a, u32 b, u32 sel, int n) {
    u64 all = (u64)b << 32 | a;
    u32 s = sel >> 4 * n & 15, byte = (u32)(all >> 8 * (s & 7)) & 255;
    if (s & 8)
        byte = byte & 128 ? 255 : 0;
    return byte << 8 * n;
}

/* Selector that a mode of prmt stands for, by the two low bits of c. */
static u32 mode_selector(int mode, u32 c) {
    static const u16 f4e[] = {0x3210, 0x4321, 0x5432, 0x6543};
    static const u16 b4e[] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const u16 rc8[] = {0x0000, 0x1111, 0x2222, 0x3333};
    static const u16 ecl[] = {0x3210, 0x3211, 0x3222, 0x3333};
    static const u16 ecr[] = {0x0000, 0x1110, 0x2210, 0x3210};
    static const u16 rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
    c &= 3;
    switch (mode) {
    case 1:
        return f4e[c];
    case 2:
        return b4e[c];
    case 3:
        return rc8[c];
    case 4:
        return ecl[c];
    case 5:
        return ecr[c];
    default:
        return rc16[c];
    }
}

static void prmt(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) {
        u32 s = op->what ? mode_selector(op->what, c[i]) : c[i], r = 0;
        for (int n = 0; n < 4; n++)
            r |= permute(a[i], b[i], s, n);
        d[i] = r;
    }
}

static exec_fn *select_prmt(const struct ptx_form *f, struct op *op) {
    static const enum ptx_modifier modes[] = {PTX_MOD_F4E, PTX_MOD_B4E,
                                              PTX_MOD_RC8, PTX_MOD_ECL,
                                              PTX_MOD_ECR, PTX_MOD_RC16};
    for (int i = 0; i < 6; i++)
        if (ptx_has(f, modes[i]))
            op->what = (uint8_t)(i + 1);
    return prmt;
}

/* Bit of the result is bit (a b c) of the table. */
static void lop3(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    u32 t[8];
    for (int k = 0; k < 8; k++)
        t[k] = op->imm >> k & 1 ? ~0u : 0;
    FOR_ACTIVE(w, u32 x = a[i]; u32 y = b[i]; u32 z = c[i];
               d[i] = (~x & ((~y & ((~z & t[0]) | (z & t[1]))) |
                             (y & ((~z & t[2]) | (z & t[3]))))) |
                      (x & ((~y & ((~z & t[4]) | (z & t[5]))) |
                            (y & ((~z & t[6]) | (z & t[7]))))));
}

/* Funnel shift of b:a. */
static u32 funnel(u32 a, u32 b, u32 n, bool left, bool wrap) {
    n = wrap ? n & 31 : n > 32 ? 32 : n;
    u64 both = (u64)b << 32 | a;
    return left ? (u32)(both << n >> 32) : (u32)(both >> n);
}

static void shf(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    bool left = op->what, wrap = op->how;
    EACH_LANE(i, w->mask) d[i] = funnel(a[i], b[i], c[i], left, wrap);
}

/* ---------------------------------------------------------- dot products */

static s32 part(u32 v, int n, int bits, bool sign) {
    u32 x = v >> n * bits & ((1u << bits) - 1);
    u32 top = 1u << (bits - 1);
    return sign ? (s32)((x ^ top) - top) : (s32)x;
}

/* what: bit 0 a is signed, bit 1 b is signed; how: 0 dp4a, 1 dp2a.lo, 2 .hi */
static void dot(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    int n = op->how ? 2 : 4, bits = op->how ? 16 : 8, at = op->how == 2 ? 2 : 0;
    EACH_LANE(i, w->mask) {
        u32 sum = c[i];
        for (int k = 0; k < n; k++)
            sum += (u32)part(a[i], k, bits, op->what & 1) *
                   (u32)part(b[i], k + at, 8, op->what & 2);
        d[i] = sum;
    }
}

static exec_fn *select_dot(const struct ptx_form *f, struct op *op) {
    if (f->n_types != 2)
        return NULL;
    op->what =
        (uint8_t)((f->types[0] == PTX_S32) | (f->types[1] == PTX_S32) << 1);
    if (f->op == PTX_OP_DP2A)
        op->how = ptx_has(f, PTX_MOD_HI) ? 2 : 1;
    return dot;
}

static exec_fn *select_find(const struct ptx_form *f, int c) {
    static exec_fn *const right[] = {bfind_u32, bfind_s32, bfind_u64,
                                     bfind_s64};
    static exec_fn *const left[] = {bleft_u32, bleft_s32, bleft_u64, bleft_s64};
    return ptx_has(f, PTX_MOD_SHIFTAMT) ? left[c - 2] : right[c - 2];
}

static exec_fn *select_misc(const struct ptx_form *f, struct op *op, bool wide,
                            bool sign) {
    switch (f->op) {
    case PTX_OP_BMSK:
        op->how = ptx_has(f, PTX_MOD_WRAP);
        return bmsk;
    case PTX_OP_SZEXT:
        op->how = ptx_has(f, PTX_MOD_WRAP);
        op->what = sign;
        return szext;
    case PTX_OP_FNS:
        return fns;
    case PTX_OP_PRMT:
        return select_prmt(f, op);
    case PTX_OP_LOP3:
        return wide ? NULL : lop3;
    case PTX_OP_SHF:
        op->what = ptx_has(f, PTX_MOD_L);
        op->how = ptx_has(f, PTX_MOD_WRAP);
        return shf;
    case PTX_OP_DP4A:
    case PTX_OP_DP2A:
        return select_dot(f, op);
    default:
        return NULL;
    }
}

exec_fn *select_bits(const struct ptx_form *f, struct op *op) {
    int c = f->n_types ? int_column(f->types[0]) : -1;
    if (c < 2)
        return NULL;
    bool wide = c > 3, sign = c & 1;
    switch (f->op) {
    case PTX_OP_POPC:
        return wide ? popc_u64 : popc_u32;
    case PTX_OP_CLZ:
        return wide ? clz_u64 : clz_u32;
    case PTX_OP_BFIND:
        return select_find(f, c);
    case PTX_OP_BREV:
        return wide ? brev_u64 : brev_u32;
    case PTX_OP_BFE:
        op->what = sign;
        return wide ? bfe64 : bfe32;
    case PTX_OP_BFI:
        return wide ? bfi64 : bfi32;
    default:
        return select_misc(f, op, wide, sign);
    }
}
