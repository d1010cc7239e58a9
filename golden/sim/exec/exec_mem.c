/* exec_mem.c - loads and stores.
 *
 * The addresses of all lanes go straight into the event.  If they all fall into
 * one range (the usual case: the last one this instruction hit is tried first),
 * one check covers the warp and the lanes are gathered in a loop; consecutive
 * words are copied as a block.  Anything else goes lane by lane, and whatever
 * is wrong is found and reported there.
 */
#include "handlers.h"

#include <stdio.h>

/* What memory the lanes of an access share; data is for address base. */
struct view {
    uint64_t base, size;
    uint8_t *data;
    bool sequential; /* all lanes active, each next to the one before */
};

HOT void lane_addresses(struct warp *w, const struct op *op) {
    uint64_t *address = w->x->event->address;
    uint64_t offset = (uint64_t)op->imm;
    if (op->how & ADDRESS_NARROW) {
        const lane_u32 *a = source(w, op->src[0]);
        FOR_ACTIVE(w, address[i] = (u32)(a[i] + (u32)offset));
    } else {
        const lane_u64 *a = source(w, op->src[0]);
        FOR_ACTIVE(w, address[i] = a[i] + offset);
    }
}

/* Whether all lanes access total bytes inside v, aligned. */
HOT static bool fits(const struct warp *w, struct view *v, uint64_t total) {
    const uint64_t *address = w->x->event->address;
    if (total > v->size)
        return false;
    uint64_t last = v->size - total, wrong = 0, low = 0, apart = 0;
    v->sequential = false;
    if (w->mask == ALL_LANES) {
        uint64_t first = address[0];
        for (uint64_t i = 0; i < LANES; i++) {
            uint64_t at = address[i] - v->base;
            wrong |= at | (last - at);
            low |= at;
            apart |= address[i] - first - i * total;
        }
        v->sequential = apart == 0;
    } else {
        EACH_LANE(i, w->mask) {
            uint64_t at = address[i] - v->base;
            wrong |= at | (last - at);
            low |= at;
        }
    }
    return !(wrong >> 63) && (low & (total - 1)) == 0;
}

/* The ranges all lie at multiples of 256, so offsets tell alignment. */
static bool find_view(struct warp *w, const struct op *op, struct view *v,
                      bool write) {
    struct exec *x = w->x;
    uint64_t total = (uint64_t)op->width * op->count;
    uint64_t bias = 0;
    switch (op->space) {
    case PTX_SPACE_SHARED:
        *v = (struct view){0, x->cta.shared_size, x->cta.shared, false};
        return fits(w, v, total);
    case PTX_SPACE_CONST:
        bias = WINDOW_BASE(WINDOW_CONST);
        break;
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_NONE:
        break;
    default:
        return false;
    }
    uint32_t *hint = &x->hints[op->insn->id];
    for (int attempt = 0; attempt < 2; attempt++) {
        const struct region *r = x->regions + *hint;
        if (x->n_regions && !(write && r->constant)) {
            *v = (struct view){r->base - bias, r->size, r->data, false};
            if (fits(w, v, total))
                return true;
        }
        int lane = __builtin_ctz(w->mask);
        r = region_find(x, x->event->address[lane] + bias, total);
        if (!r || *hint == (uint32_t)(r - x->regions))
            return false;
        *hint = (uint32_t)(r - x->regions);
    }
    return false;
}

/* ----------------------------------------------------------- lane by lane */

static uint8_t *inside(uint8_t *data, uint64_t size, uint64_t at,
                       uint64_t width) {
    return at < size && width <= size - at ? data + at : NULL;
}

static uint8_t *param_memory(struct warp *w, int lane, uint64_t at,
                             uint64_t width, bool write) {
    const struct frame *f = current_path(w)->frame;
    const struct func *func = f->func;
    if (at < func->formal_size)
        return write ? NULL
                     : inside(w->x->params, w->x->params_size, at, width);
    uint8_t *area = f->regs + func->param_at + (size_t)lane * func->param_size;
    return inside(area, func->param_size, at - func->formal_size, width);
}

static uint8_t *space_memory(struct warp *w, enum ptx_space space, int lane,
                             uint64_t address, uint64_t width, bool write) {
    struct exec *x = w->x;
    const struct region *r;
    switch (space) {
    case PTX_SPACE_SHARED:
        return inside(x->cta.shared, x->cta.shared_size, address, width);
    case PTX_SPACE_LOCAL:
        return w->local ? inside(w->local + (uint64_t)lane * w->local_size,
                                 w->local_size, address, width)
                        : NULL;
    case PTX_SPACE_PARAM:
        return param_memory(w, lane, address, width, write);
    case PTX_SPACE_CONST:
        address += WINDOW_BASE(WINDOW_CONST);
        break;
    default:
        break;
    }
    r = region_find(x, address, width);
    return r && !(write && r->constant) ? r->data + (address - r->base) : NULL;
}

/* A generic address: which space it lies in, and where in that. */
static enum ptx_space generic_space(uint64_t *address) {
    uint64_t window = *address >> 24, offset = *address & (WINDOW_SIZE - 1);
    if (window == WINDOW_SHARED || window == WINDOW_LOCAL ||
        window == WINDOW_PARAM) {
        *address = offset;
        return window == WINDOW_SHARED  ? PTX_SPACE_SHARED
               : window == WINDOW_LOCAL ? PTX_SPACE_LOCAL
                                        : PTX_SPACE_PARAM;
    }
    return PTX_SPACE_GLOBAL;
}

const void *exec_memory(struct exec *x, uint64_t address, uint64_t width) {
    enum ptx_space space = generic_space(&address);
    return space_memory(x->print_warp, space, x->print_lane, address, width,
                        false);
}

bool is_shared(const struct op *op, uint64_t address) {
    enum ptx_space space = (enum ptx_space)op->space;
    return (space == PTX_SPACE_NONE ? generic_space(&address) : space) ==
           PTX_SPACE_SHARED;
}

uint8_t *lane_memory(struct warp *w, const struct op *op, int lane,
                     uint64_t address, uint64_t width, bool write) {
    enum ptx_space space = (enum ptx_space)op->space;
    uint64_t at = address;
    char what[40];
    if (space == PTX_SPACE_NONE)
        space = generic_space(&at);
    uint8_t *p = address & (width - 1)
                     ? NULL
                     : space_memory(w, space, lane, at, width, write);
    if (p)
        return p;
    snprintf(what, sizeof what, "%d-byte %s", (int)width,
             op->in->form->opc == OPC_atomic ? "atomic"
             : write                         ? "store"
                                             : "load");
    fault_access(w, op, lane, address, what);
    return NULL;
}

static u64 read_bytes(const uint8_t *p, int width) {
    u64 v = 0;
    memcpy(&v, p, (size_t)width); /* little-endian, as PTX memory is */
    return v;
}

static u64 extend(u64 v, int width, bool sign) {
    if (sign && width == 1)
        return (u64)(s64)(s8)v;
    return sign && width == 2 ? (u64)(s64)(s16)v : v;
}

static void load_lanes(struct warp *w, const struct op *op) {
    const uint64_t *address = w->x->event->address;
    uint64_t total = (uint64_t)op->width * op->count;
    EACH_LANE(i, w->mask) {
        const uint8_t *p = lane_memory(w, op, (int)i, address[i], total, false);
        if (!p)
            return;
        for (int k = 0; k < op->more->n_items; k++) {
            const struct op_item *item = &op->more->items[k];
            u64 v = extend(read_bytes(p + (size_t)k * op->width, op->width),
                           op->width, op->what);
            if (item->sink)
                continue;
            if (item->wide)
                ((lane_u64 *)result(w, item->ref))[i] = v;
            else
                ((lane_u32 *)result(w, item->ref))[i] = (u32)v;
        }
    }
}

static void store_lanes(struct warp *w, const struct op *op) {
    const uint64_t *address = w->x->event->address;
    uint64_t total = (uint64_t)op->width * op->count;
    EACH_LANE(i, w->mask) {
        uint8_t *p = lane_memory(w, op, (int)i, address[i], total, true);
        if (!p)
            return;
        for (int k = 0; k < op->more->n_items; k++) {
            const struct op_item *item = &op->more->items[k];
            const void *s = source(w, item->ref);
            u64 v = item->wide ? ((const lane_u64 *)s)[i]
                               : ((const lane_u32 *)s)[i];
            memcpy(p + (size_t)k * op->width, &v, op->width);
        }
    }
}

/* ------------------------------------------------------------ whole warps */

#define GATHER(name, S, expr)                                                  \
    HOT static void name(const struct warp *w, const struct view *v,           \
                         lane_##S *d) {                                        \
        const uint64_t *a = w->x->event->address;                              \
        const uint8_t *p = v->data;                                            \
        uint64_t base = v->base;                                               \
        FOR_ACTIVE(w, const void *q = p + (a[i] - base); d[i] = (expr));       \
    }
typedef uint16_t __attribute__((may_alias)) lane_u16;
typedef int16_t __attribute__((may_alias)) lane_s16;
typedef int8_t __attribute__((may_alias)) lane_s8;
GATHER(gather_u8, u32, *(const uint8_t *)q)
GATHER(gather_s8, u32, (u32)(s32) * (const lane_s8 *)q)
GATHER(gather_u16, u32, *(const lane_u16 *)q)
GATHER(gather_s16, u32, (u32)(s32) * (const lane_s16 *)q)
GATHER(gather_u32, u32, *(const lane_u32 *)q)
GATHER(gather_u64, u64, *(const lane_u64 *)q)

static void gather(const struct warp *w, const struct op *op,
                   const struct view *v, void *d) {
    switch (op->width) {
    case 1:
        if (op->what)
            gather_s8(w, v, d);
        else
            gather_u8(w, v, d);
        break;
    case 2:
        if (op->what)
            gather_s16(w, v, d);
        else
            gather_u16(w, v, d);
        break;
    case 4:
        gather_u32(w, v, d);
        break;
    default:
        gather_u64(w, v, d);
        break;
    }
}

static void load(struct warp *w, const struct op *op) {
    struct view v;
    lane_addresses(w, op);
    if (!find_view(w, op, &v, false)) {
        load_lanes(w, op);
        return;
    }
    if (op->count == 1 && op->width >= 4 && v.sequential) {
        memcpy(result(w, op->dst), v.data + (w->x->event->address[0] - v.base),
               (size_t)op->width * LANES);
        return;
    }
    for (int k = 0; k < op->count; k++) {
        const struct op_item *item = &op->more->items[k];
        if (!item->sink)
            gather(w, op, &v, result(w, item->ref));
        v.data += op->width;
    }
}

#define SCATTER(name, S, T)                                                    \
    static void name(const struct warp *w, const struct view *v,               \
                     const lane_##S *s) {                                      \
        const uint64_t *a = w->x->event->address;                              \
        EACH_LANE(i, w->mask) {                                                \
            void *q = v->data + (a[i] - v->base);                              \
            *(T *)q = (T)s[i];                                                 \
        }                                                                      \
    }
SCATTER(scatter8, u32, uint8_t)
SCATTER(scatter16, u32, lane_u16)
SCATTER(scatter32, u32, lane_u32)
SCATTER(scatter64, u64, lane_u64)

static void store(struct warp *w, const struct op *op) {
    struct view v;
    lane_addresses(w, op);
    progress(w);
    if (!find_view(w, op, &v, true)) {
        store_lanes(w, op);
        return;
    }
    if (op->count == 1 && op->width >= 4 && v.sequential) {
        memcpy(v.data + (w->x->event->address[0] - v.base),
               source(w, op->src[1]), (size_t)op->width * LANES);
        return;
    }
    for (int k = 0; k < op->count; k++) {
        const void *s = source(w, op->more->items[k].ref);
        if (op->width == 1)
            scatter8(w, &v, s);
        else if (op->width == 2)
            scatter16(w, &v, s);
        else if (op->width == 4)
            scatter32(w, &v, s);
        else
            scatter64(w, &v, s);
        v.data += op->width;
    }
}

/* A parameter of the kernel is the same for all lanes. */
static void load_param(struct warp *w, const struct op *op) {
    const struct func *func = current_path(w)->frame->func;
    uint64_t at = *(const lane_u64 *)source(w, op->src[0]) + (uint64_t)op->imm;
    uint64_t total = (uint64_t)op->width * op->count;
    lane_addresses(w, op);
    if (!(op->src[0] & 1) || at + total > func->formal_size ||
        at % total != 0) {
        load_lanes(w, op);
        return;
    }
    for (int k = 0; k < op->count; k++) {
        const struct op_item *item = &op->more->items[k];
        u64 v = extend(
            read_bytes(w->x->params + at + (uint64_t)k * op->width, op->width),
            op->width, op->what);
        lane_u32 *n = result(w, item->ref);
        lane_u64 *l = result(w, item->ref);
        if (item->sink)
            continue;
        if (item->wide)
            FOR_ACTIVE(w, l[i] = v);
        else
            FOR_ACTIVE(w, n[i] = (u32)v);
    }
}

exec_fn *select_load(struct op *op, bool wide, bool sign) {
    op->what = sign;
    /* Elements and slots agree in width: fixups see to that. */
    return wide == (op->width == 8) ? load : NULL;
}

exec_fn *select_param_load(struct op *op, bool wide, bool sign) {
    op->what = sign;
    return wide == (op->width == 8) ? load_param : NULL;
}

exec_fn *select_store(const struct op *op, bool wide) {
    return wide == (op->width == 8) ? store : NULL;
}
