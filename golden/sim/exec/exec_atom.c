/* exec_atom.c - atom and red: lane by lane, in the order of the lanes. */
#include "exec_float.h"
#include "half.h"

/* How an operand's bits are to be read: op->how, beside ADDRESS_NARROW. */
enum operand_kind {
    AS_UNSIGNED,
    AS_SIGNED,
    AS_F32,
    AS_F32_FTZ,
    AS_F64,
    AS_F16,
    AS_BF16,
    AS_F16X2,
    AS_BF16X2
};
enum { KIND_SHIFT = 4 };

static u64 add_half(u64 x, u64 y, enum short_format format, int n) {
    u64 r = 0;
    for (int k = 0; k < n; k++) {
        f64 sum = fma_odd(1, short_value((u32)(x >> 16 * k) & 0xffff, format),
                          short_value((u32)(y >> 16 * k) & 0xffff, format));
        r |= (u64)short_round(sum, format, ROUND_RN, false) << 16 * k;
    }
    return r;
}

static u64 add(int kind, u64 x, u64 y) {
    switch (kind) {
    case AS_F32:
        return f32_bits(canon32(f32_of((u32)x) + f32_of((u32)y)));
    case AS_F32_FTZ:
        return f32_bits(flush32(
            canon32(flush32(f32_of((u32)x)) + flush32(f32_of((u32)y)))));
    case AS_F64:
        return f64_bits(canon64(f64_of(x) + f64_of(y)));
    case AS_F16:
    case AS_F16X2:
        return add_half(x, y, FORMAT_F16, kind == AS_F16 ? 1 : 2);
    case AS_BF16:
    case AS_BF16X2:
        return add_half(x, y, FORMAT_BF16, kind == AS_BF16 ? 1 : 2);
    default:
        return x + y;
    }
}

static bool less(int kind, int width, u64 x, u64 y) {
    if (kind == AS_SIGNED)
        return width == 8 ? (s64)x < (s64)y : (s32)x < (s32)y;
    return x < y;
}

static u64 combine(const struct op *op, int kind, u64 x, u64 y, u64 z) {
    switch (op->what) {
    case PTX_MOD_ADD:
        return add(kind, x, y);
    case PTX_MOD_MIN:
        return less(kind, op->width, y, x) ? y : x;
    case PTX_MOD_MAX:
        return less(kind, op->width, x, y) ? y : x;
    case PTX_MOD_AND:
        return x & y;
    case PTX_MOD_OR:
        return x | y;
    case PTX_MOD_XOR:
        return x ^ y;
    case PTX_MOD_INC:
        return x >= y ? 0 : x + 1;
    case PTX_MOD_DEC:
        return x == 0 || x > y ? y : x - 1;
    case PTX_MOD_CAS:
        return x == y ? z : x;
    default: /* EXCH */
        return y;
    }
}

static u64 operand(const struct warp *w, slot_ref r, int width, uint32_t lane) {
    if (!r)
        return 0;
    if (width == 8)
        return ((const lane_u64 *)source(w, r))[lane];
    u32 v = ((const lane_u32 *)source(w, r))[lane];
    return width == 2 ? v & 0xffff : v;
}

/* Additions of f32 to global memory take subnormals as zeros; those to shared
 * memory do not. */
static int kind_at(const struct op *op, uint64_t address) {
    int kind = op->how >> KIND_SHIFT;
    return kind == AS_F32 && !is_shared(op, address) ? AS_F32_FTZ : kind;
}

static void atom(struct warp *w, const struct op *op) {
    const uint64_t *address = w->x->event->address;
    lane_addresses(w, op);
    EACH_LANE(i, w->mask) {
        uint8_t *p = lane_memory(w, op, (int)i, address[i], op->width, true);
        u64 old = 0;
        if (!p)
            return;
        memcpy(&old, p, op->width);
        u64 now = combine(op, kind_at(op, address[i]), old,
                          operand(w, op->src[1], op->width, i),
                          operand(w, op->src[2], op->width, i));
        memcpy(p, &now, op->width);
        if (memcmp(p, &old, op->width) != 0)
            progress(w);
        if (!op->dst)
            continue;
        if (op->width == 8)
            ((lane_u64 *)result(w, op->dst))[i] = old;
        else
            ((lane_u32 *)result(w, op->dst))[i] = (u32)old;
    }
}

static int kind_of(enum ptx_type t) {
    switch (t) {
    case PTX_F32:
        return AS_F32;
    case PTX_F64:
        return AS_F64;
    case PTX_F16:
        return AS_F16;
    case PTX_BF16:
        return AS_BF16;
    case PTX_F16X2:
        return AS_F16X2;
    case PTX_BF16X2:
        return AS_BF16X2;
    default:
        return ptx_type_kind(t) == 's' ? AS_SIGNED : AS_UNSIGNED;
    }
}

/* The types that an operation has. */
static bool known(enum ptx_modifier m, int kind, int width) {
    switch (m) {
    case PTX_MOD_ADD:
        return kind > AS_SIGNED || width >= 4;
    case PTX_MOD_MIN:
    case PTX_MOD_MAX:
    case PTX_MOD_AND:
    case PTX_MOD_OR:
    case PTX_MOD_XOR:
        return kind <= AS_SIGNED && width >= 4;
    case PTX_MOD_INC:
    case PTX_MOD_DEC:
        return kind == AS_UNSIGNED && width == 4;
    case PTX_MOD_EXCH:
    case PTX_MOD_CAS:
        return kind <= AS_SIGNED && width >= 2;
    default:
        return false;
    }
}

exec_fn *select_atom(const struct ptx_form *f, struct op *op) {
    enum ptx_modifier m = ptx_modifier_of(f, PTX_GROUP_OPERATION);
    int kind = kind_of(f->types[0]);
    op->what = (uint8_t)m;
    op->how = (uint8_t)((op->how & ADDRESS_NARROW) | kind << KIND_SHIFT);
    return known(m, kind, op->width) ? atom : NULL;
}
