/* lower_mem.c - loads and stores.
 *
 * Global, constant and local addresses are addresses of one memory; shared
 * memory has its own.  A generic address may be of either (lower_space.c).
 */
#include "lower.h"

#include "base/bits.h"

enum { SHARED_LOAD = ISA_lds_b32 - ISA_ldg_b32 };

/* The operation that loads a number of type t, or stores one. */
static int load_op(enum ptx_type t, bool shared) {
    int op = ISA_ldg_b32;
    if (ptx_type_bits(t) == 8)
        op = ptx_type_kind(t) == 's' ? ISA_ldg_s8 : ISA_ldg_u8;
    else if (ptx_type_bits(t) == 16)
        op = ptx_type_kind(t) == 's' ? ISA_ldg_s16 : ISA_ldg_u16;
    return shared ? op + SHARED_LOAD : op;
}

static int store_op(enum ptx_type t, bool shared) {
    int op = ptx_type_bits(t) == 8    ? ISA_stg_b8
             : ptx_type_bits(t) == 16 ? ISA_stg_b16
                                      : ISA_stg_b32;
    return shared ? op + SHARED_LOAD : op;
}

/* An address: a value and a number to add. */
struct address {
    mc_value base;
    uint32_t offset;
};

static struct address variable_address(struct lower *l,
                                       const struct ptx_variable *v,
                                       int64_t offset) {
    struct address a = {MC_TRUE, lower_place(l, v) + (uint32_t)offset};
    if (v->space == PTX_SPACE_SHARED)
        a.base = lower_number(l, 0);
    else if (v->space == PTX_SPACE_LOCAL)
        a.base = lower_frame(l);
    else if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST)
        a.base = lower_param(l, ISA_WORD_DATA);
    else
        lower_refuse(l, "the address of a parameter");
    return a;
}

/* A machine's address is the low 32 bits of PTX's, so a number beyond them
 * would name another place. */
static bool fits(int64_t number) {
    return number >= INT32_MIN && number <= UINT32_MAX;
}

static struct address address_of(struct lower *l, const struct ptx_operand *o) {
    struct address a = {MC_TRUE, (uint32_t)o->offset};
    if (o->kind != PTX_OPND_ADDRESS || o->n_items != 1) {
        lower_refuse(l, "this address");
        return a;
    }
    const struct ptx_operand *base = o->items[0];
    if (!fits(o->offset) || !fits(base->offset) ||
        (base->kind == PTX_OPND_VALUE && !fits((int64_t)base->value.bits)))
        lower_refuse(l, "an address of more than 32 bits");
    if (base->kind == PTX_OPND_VARIABLE)
        return variable_address(l, base->variable, o->offset + base->offset);
    if (base->kind == PTX_OPND_VALUE) {
        a.base = lower_number(l, 0);
        a.offset += (uint32_t)base->value.bits;
        return a;
    }
    a.base = lower_operand(l, base, PTX_B32).lo;
    a.offset += (uint32_t)base->offset;
    return a;
}

/* An offset that does not fit is added first. */
static void fit(struct lower *l, struct address *a, uint32_t last) {
    uint32_t end = a->offset + last;
    if ((uint32_t)bits_signed(a->offset, 24) == a->offset &&
        (uint32_t)bits_signed(end, 24) == end)
        return;
    a->base = lower_opn(l, ISA_add, a->base, a->offset);
    a->offset = 0;
}

/* A memory instruction with the guard of the present one. */
static struct mc_insn *access(struct lower *l, int op, struct address a,
                              uint32_t offset) {
    struct mc_insn *i = lower_emit(l, op);
    i->a = a.base;
    i->imm = true;
    i->value = a.offset + offset;
    i->guard = l->guard;
    i->unless = l->unless;
    i->whole = true;
    return i;
}

/* A word into *d, made here, or where another load of it has made it. */
static void load_word(struct lower *l, int op, struct address a,
                      uint32_t offset, mc_value *d) {
    bool again = *d != MC_NONE;
    if (!again)
        *d = mc_new(l->m, MC_REGISTER);
    struct mc_insn *i = access(l, op, a, offset);
    i->d = *d;
    i->whole = !again;
}

/* --- the space of an access ----------------------------------------------- */

/* Of a variable that is named, its own; else what the instruction says. */
static enum ptx_space space_of(const struct lower *l,
                               const struct ptx_operand *o) {
    enum ptx_space s = l->in->form->space;
    if (s == PTX_SPACE_NONE && o->kind == PTX_OPND_ADDRESS && o->n_items == 1 &&
        o->items[0]->kind == PTX_OPND_VARIABLE)
        s = o->items[0]->variable->space;
    return s;
}

/* Where the threads of an access go: to one memory, or those with a generic
 * address of shared memory there and the others to global memory. */
struct way {
    bool shared;
    struct address a;
    mc_value guard;
    bool unless;
};

enum { MAX_WAYS = 2, MAX_VECTOR = 8 };

static int ways_of(struct lower *l, const struct ptx_operand *o, uint32_t bytes,
                   struct way ways[MAX_WAYS]) {
    enum ptx_space s = space_of(l, o);
    struct address a = address_of(l, o);
    ways[0] = (struct way){s == PTX_SPACE_SHARED, a, l->guard, l->unless};
    fit(l, &ways[0].a, bytes);
    if (s != PTX_SPACE_NONE || !l->has_shared_generic)
        return 1;
    mc_value p = lower_is_global(l, a.base);
    a.base = lower_to_shared(l, a.base);
    ways[1] = (struct way){true, a, p, true};
    fit(l, &ways[1].a, bytes);
    ways[0].guard = p;
    ways[0].unless = false;
    for (int i = 0; i < 2 && l->guard != MC_NONE; i++) {
        ways[i].guard = lower_pred(l, ISA_pand, l->guard, l->unless, p, i == 1);
        ways[i].unless = false;
    }
    return 2;
}

/* --- loads and stores ----------------------------------------------------- */

static void load(struct lower *l, const struct way *way, enum ptx_type t,
                 uint32_t offset, bool high, struct wide *d) {
    int op = load_op(t, way->shared);
    load_word(l, op, way->a, offset, &d->lo);
    if (ptx_type_bits(t) == 64 && high)
        load_word(l, op, way->a, offset + 4, &d->hi);
}

static bool lower_load(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_operand *to = in->operands[0];
    enum ptx_type t = in->form->n_types ? in->form->types[0] : PTX_B32;
    uint32_t bytes = (uint32_t)ptx_type_bits(t) / 8;
    int n = in->form->vector;
    if (space_of(l, in->operands[1]) == PTX_SPACE_PARAM)
        return lower_load_param(l);
    if (n > MAX_VECTOR ||
        (n > 1 && (to->kind != PTX_OPND_VECTOR || to->n_items != n)))
        return false;
    struct way ways[MAX_WAYS];
    struct wide d[MAX_VECTOR];
    struct way own = {.guard = l->guard, .unless = l->unless};
    int n_ways = ways_of(l, in->operands[1], bytes * (uint32_t)n, ways);
    for (int i = 0; i < n; i++)
        d[i] = (struct wide){MC_NONE, MC_NONE};
    for (int k = 0; k < n_ways; k++) {
        l->guard = ways[k].guard;
        l->unless = ways[k].unless;
        for (int i = 0; i < n; i++)
            load(l, &ways[k], t, bytes * (uint32_t)i,
                 lower_wants_high(l, n > 1 ? to->items[i] : to), &d[i]);
    }
    l->guard = own.guard;
    l->unless = own.unless;
    for (int i = 0; i < n; i++)
        lower_result(l, n > 1 ? to->items[i] : to, t, d[i]);
    return true;
}

static bool lower_store(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_operand *from = in->operands[1];
    enum ptx_type t = in->form->n_types ? in->form->types[0] : PTX_B32;
    uint32_t bytes = (uint32_t)ptx_type_bits(t) / 8;
    int n = in->form->vector;
    if (space_of(l, in->operands[0]) == PTX_SPACE_PARAM || n > MAX_VECTOR ||
        (n > 1 && (from->kind != PTX_OPND_VECTOR || from->n_items != n)))
        return false;
    struct way ways[MAX_WAYS];
    struct way own = {.guard = l->guard, .unless = l->unless};
    int n_ways = ways_of(l, in->operands[0], bytes * (uint32_t)n, ways);
    for (int i = 0; i < n; i++) {
        struct wide v = lower_operand(l, n > 1 ? from->items[i] : from, t);
        uint32_t offset = bytes * (uint32_t)i;
        for (int k = 0; k < n_ways; k++) {
            int op = store_op(t, ways[k].shared);
            l->guard = ways[k].guard;
            l->unless = ways[k].unless;
            access(l, op, ways[k].a, offset)->c = v.lo;
            if (bytes == 8)
                access(l, op, ways[k].a, offset + 4)->c = v.hi;
        }
        l->guard = own.guard;
        l->unless = own.unless;
    }
    return true;
}

bool lower_memory(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        return l->in->n_operands == 2 && lower_load(l);
    case PTX_OP_ST:
        return l->in->n_operands == 2 && lower_store(l);
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
        return true; /* a hint */
    default:
        return false;
    }
}
