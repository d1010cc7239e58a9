/* exec_special.c - approximate functions.
 *
 * PTX states a maximal error for each (ex2 2^-22 relative, sin and cos 2^-21
 * absolute in [-pi, pi], rsqrt 2^-22.4 relative, ...).  Here they are taken in
 * double and rounded once, which is well inside; special values are PTX's.
 */
#include "exec_float.h"

#include <math.h>

static f64 evaluate(int what, f64 x) {
    switch (what) {
    case PTX_OP_EX2:
        return exp2(x);
    case PTX_OP_LG2:
        return log2(x);
    case PTX_OP_SIN:
        return sin(x);
    case PTX_OP_COS:
        return cos(x);
    case PTX_OP_TANH:
        return tanh(x);
    case PTX_OP_RSQRT:
        return 1 / sqrt(x);
    case PTX_OP_SQRT:
        return sqrt(x);
    default:
        return 1 / x;
    }
}

static void special_f32(struct warp *w, const struct op *op) {
    const lane_f32 *a = source(w, op->src[0]);
    lane_f32 *d = result(w, op->dst);
    bool ftz = op->how & FLOAT_FTZ;
    EACH_LANE(i, w->mask) {
        f32 x = ftz ? flush32(a[i]) : a[i];
        f32 r = canon32((f32)evaluate(op->what, x));
        d[i] = ftz ? flush32(r) : r;
    }
}

/* Of an f64 the approximate forms read and write only the upper word. */
static void special_f64(struct warp *w, const struct op *op) {
    const lane_f64 *a = source(w, op->src[0]);
    lane_f64 *d = result(w, op->dst);
    const u64 upper = ~(u64)UINT32_MAX;
    bool ftz = op->how & FLOAT_FTZ;
    EACH_LANE(i, w->mask) {
        u64 b = f64_bits(a[i]);
        if (ftz) {
            b &= upper;
            if ((b & 0x7ff0000000000000u) == 0)
                b &= (u64)1 << 63;
        }
        u64 r = f64_bits(canon64(evaluate(op->what, f64_of(b))));
        if (ftz) {
            r &= upper;
            if ((r & 0x7ff0000000000000u) == 0)
                r &= (u64)1 << 63;
        }
        d[i] = f64_of(r);
    }
}

exec_fn *select_special(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types == 1 ? f->types[0] : PTX_TYPE_NONE;
    op->what = (uint8_t)f->op;
    op->how = ptx_has(f, PTX_MOD_FTZ) ? FLOAT_FTZ : 0;
    switch (f->op) {
    case PTX_OP_EX2:
    case PTX_OP_LG2:
    case PTX_OP_SIN:
    case PTX_OP_COS:
    case PTX_OP_TANH:
        return t == PTX_F32 ? special_f32 : NULL;
    case PTX_OP_RSQRT:
    case PTX_OP_SQRT:
    case PTX_OP_RCP:
        return t == PTX_F32 ? special_f32 : t == PTX_F64 ? special_f64 : NULL;
    default:
        return NULL;
    }
}
