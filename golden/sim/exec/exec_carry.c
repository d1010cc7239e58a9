/* exec_carry.c - additions and subtractions that read or write the carry of a
 * thread: add.cc, addc, sub.cc, subc, mad.cc, madc.
 *
 * The carries of the lanes are one word of the frame.  Of a subtraction the
 * carry flag holds the borrow.
 */
#include "exec_int.h"

enum { CARRY_IN = 1, CARRY_OUT = 2, CARRY_SUB = 4, CARRY_HIGH = 8 };

static void keep_carry(struct warp *w, const struct op *op, uint32_t out) {
    if (op->how & CARRY_OUT)
        set_predicate(w, FRAME_CARRY, out);
}

static uint32_t carry_in(struct warp *w, const struct op *op) {
    return op->how & CARRY_IN ? *(lane_u32 *)result(w, FRAME_CARRY) : 0;
}

static void sum32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    uint32_t in = carry_in(w, op), out = 0;
    EACH_LANE(i, w->mask) {
        u64 c = in >> i & 1, x = a[i], y = b[i];
        u64 r = op->how & CARRY_SUB ? x - y - c : x + y + c;
        d[i] = (u32)r;
        out |= (u32)(r >> 32 & 1) << i;
    }
    keep_carry(w, op, out);
}

/* x + y + c or x - y - c in 64 bits; what is carried into *out. */
static u64 sum64(u64 x, u64 y, u64 c, bool sub, u32 *out) {
    u64 r = sub ? x - y : x + y;
    u32 first = sub ? x < y : r < x;
    u64 s = sub ? r - c : r + c;
    *out = first | (sub ? r < c : s < r);
    return s;
}

static void sum64_lanes(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u64 *d = result(w, op->dst);
    uint32_t in = carry_in(w, op), out = 0;
    EACH_LANE(i, w->mask) {
        u32 c;
        d[i] = sum64(a[i], b[i], in >> i & 1, op->how & CARRY_SUB, &c);
        out |= c << i;
    }
    keep_carry(w, op, out);
}

static void product32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    uint32_t in = carry_in(w, op), out = 0;
    bool high = op->how & CARRY_HIGH, sign = op->what;
    EACH_LANE(i, w->mask) {
        u64 p = sign ? (u64)((s64)(s32)a[i] * (s32)b[i]) : (u64)a[i] * b[i];
        u64 r = (u64)(u32)(high ? p >> 32 : p) + c[i] + (in >> i & 1);
        d[i] = (u32)r;
        out |= (u32)(r >> 32 & 1) << i;
    }
    keep_carry(w, op, out);
}

static u64 high64(u64 x, u64 y, bool sign) {
    u64 xl = (u32)x, xh = x >> 32, yl = (u32)y, yh = y >> 32;
    u64 mid = xh * yl + (xl * yl >> 32), low = xl * yh + (u32)mid;
    u64 high = xh * yh + (mid >> 32) + (low >> 32);
    if (sign)
        high -= ((s64)x < 0 ? y : 0) + ((s64)y < 0 ? x : 0);
    return high;
}

static void product64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u64 *c = source(w, op->src[2]);
    lane_u64 *d = result(w, op->dst);
    uint32_t in = carry_in(w, op), out = 0;
    EACH_LANE(i, w->mask) {
        u64 p =
            op->how & CARRY_HIGH ? high64(a[i], b[i], op->what) : a[i] * b[i];
        u32 carry;
        d[i] = sum64(p, c[i], in >> i & 1, false, &carry);
        out |= carry << i;
    }
    keep_carry(w, op, out);
}

exec_fn *select_carry(const struct ptx_form *f, struct op *op) {
    int c = f->n_types ? int_column(f->types[0]) : -1;
    bool in =
        f->op == PTX_OP_ADDC || f->op == PTX_OP_SUBC || f->op == PTX_OP_MADC;
    bool out = ptx_has(f, PTX_MOD_CC);
    if (c < 2 || (!in && !out))
        return NULL;
    op->how = (uint8_t)((in ? CARRY_IN : 0) | (out ? CARRY_OUT : 0));
    switch (f->op) {
    case PTX_OP_SUB:
    case PTX_OP_SUBC:
        op->how |= CARRY_SUB;
        /* fall through */
    case PTX_OP_ADD:
    case PTX_OP_ADDC:
        return c < 4 ? sum32 : sum64_lanes;
    case PTX_OP_MAD:
    case PTX_OP_MADC:
        op->how |= ptx_has(f, PTX_MOD_HI) ? CARRY_HIGH : 0;
        op->what = c & 1;
        return c < 4 ? product32 : product64;
    default:
        return NULL;
    }
}
