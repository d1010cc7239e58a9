/* exec_move.c - mov, with packing and unpacking; address conversion. */
#include "handlers.h"

HOT static void mov32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]);
    lane_u32 *d = result(w, op->dst);
    FOR_ACTIVE(w, d[i] = a[i]);
}

static void mov16(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]);
    lane_u32 *d = result(w, op->dst);
    FOR_ACTIVE(w, d[i] = a[i] & 0xffff);
}

HOT static void mov64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]);
    lane_u64 *d = result(w, op->dst);
    FOR_ACTIVE(w, d[i] = a[i]);
}

static void mov_pred(struct warp *w, const struct op *op) {
    set_predicate(w, op->dst, predicate(w, op, 0));
}

static u64 read_item(const struct warp *w, const struct op_item *item,
                     uint32_t lane) {
    const void *at = source(w, item->ref);
    u64 v = item->wide ? ((const lane_u64 *)at)[lane]
                       : ((const lane_u32 *)at)[lane];
    return item->size >= 8 ? v : v & (((u64)1 << 8 * item->size) - 1);
}

/* Elements into one register of op->count bytes, low element first. */
void exec_pack(struct warp *w, const struct op *op) {
    const struct op_item *items = op->more->items;
    lane_u32 *n = result(w, op->dst);
    lane_u64 *l = result(w, op->dst);
    int half = op->more->n_items / (op->count == 16 ? 2 : 1);
    for (int row = 0; row * half < op->more->n_items; row++)
        EACH_LANE(i, w->mask) {
            u64 v = 0;
            for (int k = half - 1; k >= 0; k--) {
                const struct op_item *item = &items[row * half + k];
                u64 part = read_item(w, item, i);
                v = item->size >= 8 ? part : v << 8 * item->size | part;
            }
            if (op->count > 4)
                l[row * LANES + (int)i] = v;
            else
                n[i] = (u32)v;
        }
}

void exec_unpack(struct warp *w, const struct op *op) {
    const lane_u32 *n = source(w, op->src[0]);
    const lane_u64 *l = source(w, op->src[0]);
    EACH_LANE(i, w->mask) {
        u64 v[2] = {op->count > 4 ? l[i] : n[i],
                    op->count == 16 ? l[LANES + i] : 0};
        for (int k = 0, at = 0; k < op->more->n_items; k++) {
            const struct op_item *item = &op->more->items[k];
            u64 part = v[at / 8] >> 8 * (at % 8);
            at += (int)item->size;
            if (item->sink)
                continue;
            if (item->wide)
                ((lane_u64 *)result(w, item->ref))[i] = part;
            else
                ((lane_u32 *)result(w, item->ref))[i] =
                    item->size >= 4 ? (u32)part
                                    : (u32)part & ((1u << 8 * item->size) - 1);
        }
    }
}

/* ------------------------------------------------------------- addresses */

static uint64_t window_of(enum ptx_space s) {
    switch (s) {
    case PTX_SPACE_SHARED:
        return WINDOW_BASE(WINDOW_SHARED);
    case PTX_SPACE_LOCAL:
        return WINDOW_BASE(WINDOW_LOCAL);
    case PTX_SPACE_CONST:
        return WINDOW_BASE(WINDOW_CONST);
    case PTX_SPACE_PARAM:
        return WINDOW_BASE(WINDOW_PARAM);
    default:
        return 0;
    }
}

/* To generic, or with op->how from generic, by the distance of the window. */
static void cvta(struct warp *w, const struct op *op) {
    uint64_t by = op->how ? 0 - (uint64_t)op->imm : (uint64_t)op->imm;
    const lane_u64 *a = source(w, op->src[0]);
    const lane_u32 *an = source(w, op->src[0]);
    lane_u64 *d = result(w, op->dst);
    lane_u32 *dn = result(w, op->dst);
    if (op->width == 8)
        FOR_ACTIVE(w, d[i] = a[i] + by);
    else
        FOR_ACTIVE(w, dn[i] = an[i] + (u32)by);
}

static void isspacep(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]);
    const lane_u32 *an = source(w, op->src[0]);
    u32 r = 0;
    EACH_LANE(i, w->mask) {
        u64 address = op->width == 8 ? a[i] : an[i];
        bool in = op->imm
                      ? address - (u64)op->imm < WINDOW_SIZE
                      : address - WINDOWS_BEGIN >= WINDOWS_END - WINDOWS_BEGIN;
        r |= (u32)in << i;
    }
    set_predicate(w, op->dst, r);
}

exec_fn *select_move(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    int bits = ptx_type_bits(t);
    op->width = (uint8_t)(bits / 8);
    switch (f->op) {
    case PTX_OP_MOV:
        return t == PTX_PRED ? mov_pred
               : bits == 64  ? mov64
               : bits == 32  ? mov32
               : bits == 16  ? mov16
                             : NULL;
    case PTX_OP_CVTA:
        op->imm = (int64_t)window_of(f->space);
        op->how = ptx_has(f, PTX_MOD_TO);
        if (bits == 64 && !op->imm && f->space)
            return mov64;
        return f->space && bits >= 32 ? cvta : NULL;
    case PTX_OP_ISSPACEP:
        op->imm = (int64_t)window_of(f->space);
        /* the type of the address is not written: its register tells */
        op->width = 8;
        return f->space ? isspacep : NULL;
    default:
        return NULL;
    }
}
