/* decode_operand.c - operands to slots.
 *
 * Registers have fixed places in the frame.  Immediates and addresses go to the
 * pool of constants; special registers and the addresses of local variables to
 * hidden slots that are filled when a frame is made.
 */
#include "decode.h"

struct op_more *decode_more(struct decoder *d) {
    if (!d->more)
        d->more = arena_alloc(&d->x->arena, sizeof *d->more);
    return d->more;
}

static slot_ref new_slot(struct func *f, uint32_t size) {
    uint32_t at = (f->frame_size + 63) & ~63u;
    f->frame_size = at + size;
    return at;
}

slot_ref decode_scratch(struct decoder *d) {
    if (d->scratch_used == DECODE_SCRATCH) {
        d->bad = true;
        return d->scratch[0];
    }
    if (d->scratch_used == d->n_scratch)
        d->scratch[d->n_scratch++] = new_slot(d->func, LANES * 8);
    return d->scratch[d->scratch_used++];
}

static void add_fixup(struct decoder *d, bool before, enum fixup_kind kind,
                      slot_ref from, slot_ref to) {
    struct fixup *list = before ? d->before : d->after;
    int *n = before ? &d->n_before : &d->n_after;
    if (*n == DECODE_FIXUPS) {
        d->bad = true;
        return;
    }
    list[(*n)++] = (struct fixup){.kind = kind, .from = from, .to = to};
}

static bool is_float(enum ptx_type t) {
    return ptx_type_kind(t) == 'f';
}

/* Bits of an immediate in an instruction of that type. */
static uint64_t immediate(const struct ptx_value *v, enum ptx_type type) {
    int bits = ptx_type_bits(type);
    if (v->kind == PTX_VALUE_INT) {
        if (type == PTX_F32)
            return f32_bits((f32)(s64)v->bits);
        return type == PTX_F64 ? f64_bits((f64)(s64)v->bits) : v->bits;
    }
    f64 x =
        v->kind == PTX_VALUE_F64 ? f64_of(v->bits) : (f64)f32_of((u32)v->bits);
    if (is_float(type) ? bits == 64 : bits == 64 && v->kind == PTX_VALUE_F64)
        return v->kind == PTX_VALUE_F64 ? v->bits : f64_bits(x);
    return v->kind == PTX_VALUE_F32 ? v->bits : f32_bits((f32)x);
}

static slot_ref hidden_slot(struct decoder *d, const struct hidden *want) {
    for (int i = 0; i < d->hidden.n; i++) {
        const struct hidden *h = &d->hidden.v[i];
        if (h->kind == want->kind && h->special == want->special &&
            h->component == want->component && h->value == want->value &&
            h->wide == want->wide)
            return h->slot;
    }
    struct hidden *h = array_push(&d->hidden);
    *h = *want;
    h->slot = new_slot(d->func, LANES * (want->wide ? 8 : 4));
    return h->slot;
}

static slot_ref special_slot(struct decoder *d, const struct ptx_operand *o,
                             bool wide) {
    struct hidden h = {
        .kind = HIDDEN_SPECIAL, .special = o->special, .wide = wide};
    struct fixup clock = {.kind = FIX_CLOCK, .wide = wide};
    switch (o->special) {
    case PTX_SREG_CLOCK_HI:
    case PTX_SREG_GLOBALTIMER_HI:
        clock.high = true;
        /* fall through */
    case PTX_SREG_CLOCK:
    case PTX_SREG_CLOCK64:
    case PTX_SREG_GLOBALTIMER:
    case PTX_SREG_GLOBALTIMER_LO:
        if (d->n_before < DECODE_FIXUPS) {
            clock.to = decode_scratch(d);
            d->before[d->n_before++] = clock;
            return clock.to;
        }
        d->bad = true;
        return 0;
    case PTX_SREG_RESERVED_SMEM_BEGIN:
    case PTX_SREG_RESERVED_SMEM_END:
    case PTX_SREG_RESERVED_SMEM_CAP:
    case PTX_SREG_RESERVED_SMEM_OFFSET:
    case PTX_SREG_CURRENT_GRAPH_EXEC:
        d->bad = true;
        return 0;
    default:
        break;
    }
    if (o->suffix)
        h.component = o->suffix[0] == 'y' ? 1 : o->suffix[0] == 'z' ? 2 : 0;
    return hidden_slot(d, &h);
}

static slot_ref variable_slot(struct decoder *d, const struct ptx_operand *o,
                              bool wide) {
    const struct ptx_variable *v = o->variable;
    uint64_t at = 0;
    bool found = false;
    switch (v->space) {
    case PTX_SPACE_SHARED:
        for (int i = 0; i < d->p->n_shared; i++)
            if (d->p->shared[i].var == v) {
                at = d->p->shared[i].offset;
                found = true;
            }
        break;
    case PTX_SPACE_LOCAL:
        for (int i = 0; i < d->func->n_places; i++)
            if (d->func->places[i].var == v) {
                struct hidden h = {.kind = HIDDEN_LOCAL,
                                   .value = d->func->places[i].offset +
                                            (uint64_t)o->offset,
                                   .wide = wide};
                return hidden_slot(d, &h);
            }
        at = decode_module_local(d, v, &found);
        break;
    case PTX_SPACE_PARAM:
        at = decode_param_place(d, v, &found);
        break;
    default:
        found = v->name && variable_address(d->x, v, &at);
        break;
    }
    d->bad |= !found;
    return pool_word(d->x, at + (uint64_t)o->offset, wide);
}

/* A register's slot, its component selected, of the width that is wanted. */
static slot_ref register_slot(struct decoder *d, const struct ptx_operand *o,
                              bool wide, bool *is_wide_slot) {
    const struct ptx_register *r = o->reg;
    slot_ref at = d->func->reg_slot[r->index];
    bool w = is_wide(r->type);
    if (o->suffix && r->vector > 1) {
        const char *names = "xyzw", *colours = "rgba";
        const char *c = strchr(names, o->suffix[0]);
        int k = c ? (int)(c - names) : 0;
        c = strchr(colours, o->suffix[0]);
        k = c ? (int)(c - colours) : k;
        at += (uint32_t)(k < r->vector ? k : 0) * LANES * (w ? 8u : 4u);
    }
    (void)wide;
    *is_wide_slot = w;
    return at;
}

slot_ref decode_source(struct decoder *d, const struct ptx_operand *o,
                       enum ptx_type type, bool wide) {
    bool w;
    slot_ref at, to;
    d->bad |= o->negated;
    switch (o->kind) {
    case PTX_OPND_VALUE:
        return pool_word(d->x, immediate(&o->value, type), wide);
    case PTX_OPND_SPECIAL:
        return special_slot(d, o, wide);
    case PTX_OPND_VARIABLE:
        return variable_slot(d, o, wide);
    case PTX_OPND_FUNCTION:
        return pool_word(d->x,
                         WINDOW_BASE(WINDOW_FUNCTION) +
                             16 * (uint64_t)function_index(d->x, o->function),
                         wide);
    case PTX_OPND_REGISTER:
        break;
    default:
        d->bad = true;
        return 0;
    }
    d->bad |= o->reg->type == PTX_PRED || o->reg->kind == PTX_QUAD;
    at = register_slot(d, o, wide, &w);
    if (w == wide)
        return at;
    to = decode_scratch(d);
    add_fixup(d, true, w ? FIX_NARROW : FIX_WIDEN, at, to);
    return to;
}

slot_ref decode_predicate(struct decoder *d, const struct ptx_operand *o,
                          int index) {
    if (o->kind == PTX_OPND_VALUE)
        return pool_word(d->x, o->value.bits ? ALL_LANES : 0, false);
    if (o->kind != PTX_OPND_REGISTER || o->reg->type != PTX_PRED) {
        d->bad = true;
        return 0;
    }
    if (o->negated)
        d->op->neg |= (uint8_t)(1u << index);
    return d->func->reg_slot[o->reg->index];
}

slot_ref decode_result(struct decoder *d, const struct ptx_operand *o,
                       enum ptx_type type, bool wide) {
    bool w;
    if (o->kind == PTX_OPND_SINK)
        return decode_scratch(d);
    if (o->kind != PTX_OPND_REGISTER ||
        (type != PTX_PRED && o->reg->type == PTX_PRED)) {
        d->bad = true;
        return 0;
    }
    if (type == PTX_PRED) {
        d->bad |= o->reg->type != PTX_PRED;
        return d->func->reg_slot[o->reg->index];
    }
    d->bad |= o->reg->kind == PTX_QUAD && o->reg->vector == 1;
    slot_ref at = register_slot(d, o, wide, &w);
    if (w == wide)
        return at;
    slot_ref from = decode_scratch(d);
    add_fixup(d, false,
              !w                           ? FIX_NARROW
              : ptx_type_kind(type) == 's' ? FIX_WIDEN_S32
                                           : FIX_WIDEN,
              from, at);
    return from;
}

/* One element; quads come as two. */
static void add_item(struct decoder *d, struct op_more *m,
                     const struct ptx_operand *o, enum ptx_type type,
                     bool result) {
    struct op_item *item = &m->items[m->n_items];
    bool wide = is_wide(type);
    item->wide = wide;
    item->size = (uint32_t)(ptx_type_bits(type) + 7) / 8;
    item->sink = o->kind == PTX_OPND_SINK;
    if (item->sink)
        d->bad |= !result;
    else if (result)
        item->ref = decode_result(d, o, type, wide);
    else
        item->ref = decode_source(d, o, type, wide);
    m->n_items++;
}

static bool add_vector_register(struct decoder *d, struct op_more *m,
                                const struct ptx_operand *o, bool wide) {
    const struct ptx_register *r = o->reg;
    for (int i = 0; i < r->vector; i++) {
        struct op_item *item = &m->items[m->n_items++];
        item->wide = wide;
        item->size = (uint32_t)(ptx_type_bits(r->type) + 7) / 8;
        item->ref = d->func->reg_slot[r->index] +
                    (uint32_t)i * LANES * (wide ? 8u : 4u);
    }
    return true;
}

bool decode_items(struct decoder *d, const struct ptx_operand *o,
                  enum ptx_type type, bool result) {
    struct op_more *m = decode_more(d);
    if (!m->items)
        m->items = arena_array(&d->x->arena, OP_MAX_ITEMS, sizeof *m->items);
    if (o->kind == PTX_OPND_REGISTER && o->reg->vector > 1 && !o->suffix &&
        o->reg->vector <= OP_MAX_ITEMS)
        return add_vector_register(d, m, o, is_wide(o->reg->type));
    if (o->kind != PTX_OPND_VECTOR) {
        add_item(d, m, o, type, result);
        return true;
    }
    if (o->n_items > OP_MAX_ITEMS)
        return false;
    for (int i = 0; i < o->n_items; i++)
        add_item(d, m, o->items[i], type, result);
    return true;
}
