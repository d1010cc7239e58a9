/* exec_warp.c - lanes of a warp exchange values: vote, match, redux, shfl,
 * activemask.
 *
 * With .sync each lane names its member lanes, which have been brought together
 * before (barrier.c); groups of a warp may name different ones.  Without it the
 * active lanes take part.
 */
#include "exec_float.h"

/* Lanes with which a lane exchanges values. */
static u32 members(const struct warp *w, const struct op *op, u32 lane) {
    if (!(op->flags & OP_SYNC))
        return w->mask;
    return ((const lane_u32 *)source(w, op->src[3]))[lane] & w->mask;
}

/* ------------------------------------------------------------------ vote */

static void vote(struct warp *w, const struct op *op) {
    u32 p = predicate(w, op, 0), value = 0;
    EACH_LANE(i, w->mask) {
        u32 in = members(w, op, i), yes = p & in;
        bool v = op->what == PTX_MOD_ALL   ? yes == in
                 : op->what == PTX_MOD_ANY ? yes != 0
                                           : yes == in || yes == 0;
        value |= (u32)v << i;
    }
    set_predicate(w, op->dst, value);
}

/* The result may be the register of the members. */
static void ballot(struct warp *w, const struct op *op) {
    u32 p = predicate(w, op, 0);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = p & members(w, op, i);
}

static void active(struct warp *w, const struct op *op) {
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) d[i] = w->mask;
}

/* ----------------------------------------------------------------- match */

static u64 value_of(const struct warp *w, const struct op *op, uint32_t lane) {
    const void *a = source(w, op->src[0]);
    return op->width == 8 ? ((const lane_u64 *)a)[lane]
                          : ((const lane_u32 *)a)[lane];
}

static void match(struct warp *w, const struct op *op) {
    lane_u32 *d = result(w, op->dst);
    u32 value[LANES], all = 0;
    EACH_LANE(i, w->mask) {
        u32 in = members(w, op, i), same = 0;
        EACH_LANE(k, in)
        same |= (u32)(value_of(w, op, k) == value_of(w, op, i)) << k;
        all |= (u32)(same == in) << i;
        value[i] = op->what != PTX_MOD_ALL || same == in ? same : 0;
    }
    EACH_LANE(i, w->mask) d[i] = value[i];
    if (op->more && op->more->dst2)
        set_predicate(w, op->more->dst2, all);
}

/* ----------------------------------------------------------------- redux */

static u32 reduce(const struct op *op, u32 x, u32 y) {
    switch (op->what) {
    case PTX_MOD_ADD:
        return x + y;
    case PTX_MOD_AND:
        return x & y;
    case PTX_MOD_OR:
        return x | y;
    case PTX_MOD_XOR:
        return x ^ y;
    case PTX_MOD_MIN:
        return op->how ? ((s32)x < (s32)y ? x : y) : x < y ? x : y;
    default: /* MAX */
        return op->how ? ((s32)x > (s32)y ? x : y) : x > y ? x : y;
    }
}

static void redux(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]);
    lane_u32 *d = result(w, op->dst);
    u32 value[LANES];
    EACH_LANE(i, w->mask) {
        u32 in = members(w, op, i);
        value[i] = in ? a[__builtin_ctz(in)] : a[i];
        EACH_LANE(k, in & (in - 1)) value[i] = reduce(op, value[i], a[k]);
    }
    EACH_LANE(i, w->mask) d[i] = value[i];
}

/* ------------------------------------------------------------------ shfl */

/* Lane that lane i reads; false: out of its segment, i keeps its own.  c holds
 * the clamp in bits 0-4 and the segment mask in bits 8-12. */
static bool shuffle_source(int mode, u32 i, u32 b, u32 c, u32 *from) {
    u32 segment = c >> 8 & 31, clamp = c & 31;
    u32 max = (i & segment) | (clamp & ~segment), min = i & segment;
    b &= 31;
    switch (mode) {
    case PTX_MOD_UP:
        *from = i - b;
        return (s32)*from >= (s32)max;
    case PTX_MOD_DOWN:
        *from = i + b;
        return *from <= max;
    case PTX_MOD_BFLY:
        *from = i ^ b;
        return *from <= max;
    default: /* IDX */
        *from = min | (b & ~segment);
        return *from <= max;
    }
}

static void shfl(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    const lane_u32 *c = source(w, op->src[2]);
    lane_u32 *d = result(w, op->dst);
    u32 copy[LANES], valid = 0;
    memcpy(copy, a, sizeof copy);
    EACH_LANE(i, w->mask) {
        u32 from;
        bool ok = shuffle_source(op->what, i, b[i], c[i], &from);
        d[i] = copy[ok ? from & 31 : i];
        valid |= (u32)ok << i;
    }
    if (op->more && op->more->dst2)
        set_predicate(w, op->more->dst2, valid);
}

exec_fn *select_warp(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    op->what = (uint8_t)ptx_modifier_of(f, PTX_GROUP_OPERATION);
    op->how = ptx_type_kind(t) == 's';
    op->width = (uint8_t)(ptx_type_bits(t) / 8);
    switch (f->op) {
    case PTX_OP_VOTE:
        return op->what == PTX_MOD_BALLOT ? ballot : vote;
    case PTX_OP_MATCH:
        return match;
    case PTX_OP_REDUX:
        return t == PTX_F32 ? NULL : redux;
    case PTX_OP_SHFL:
        return t == PTX_B32 ? shfl : NULL;
    case PTX_OP_ACTIVEMASK:
        return active;
    default:
        return NULL;
    }
}
