/* program.c - what a kernel consists of: the functions it can reach, the
 * places of its shared variables, and the pool of constants.
 */
#include "machine.h"

#include <stdlib.h>

int function_index(const struct exec *x, const struct ptx_function *f) {
    for (int i = 0; i < x->module->n_functions; i++)
        if (x->module->functions[i] == f)
            return i;
    BUG("function '%s' is not in the module", f->name);
}

/* --------------------------------------------------------- reachability */

struct walk {
    struct exec *x;
    struct program *p;
    bool *reached;
    int *list;
    int n;
    ARRAY(struct var_place) shared;
    bool indirect; /* some call goes through a register */
};

static void reach(struct walk *k, const struct ptx_function *f) {
    int i = function_index(k->x, f);
    if (!f->has_body || k->reached[i])
        return;
    k->reached[i] = true;
    k->list[k->n++] = i;
}

static void place_shared(struct walk *k, const struct ptx_variable *v) {
    struct program *p = k->p;
    uint64_t size = (uint64_t)ptx_variable_size(v);
    uint64_t align = v->align > 0 ? (uint64_t)v->align : 16;
    for (int i = 0; i < k->shared.n; i++)
        if (k->shared.v[i].var == v)
            return;
    /* Without a size, it is the dynamic part: placed behind all others. */
    struct var_place *place = array_push(&k->shared);
    *place = (struct var_place){v, UINT64_MAX};
    if (size == 0)
        return;
    if ((align & (align - 1)) || align > 4096)
        align = 16;
    p->static_shared = (p->static_shared + align - 1) & ~(align - 1);
    place->offset = p->static_shared;
    p->static_shared += size;
}

static void visit_operand(struct walk *k, const struct ptx_operand *o) {
    if (o->kind == PTX_OPND_FUNCTION)
        reach(k, o->function);
    if (o->kind == PTX_OPND_VARIABLE && o->variable->space == PTX_SPACE_SHARED)
        place_shared(k, o->variable);
    for (int i = 0; i < o->n_items; i++)
        visit_operand(k, o->items[i]);
}

static void visit_function(struct walk *k, const struct ptx_function *f) {
    for (int i = 0; i < f->n_instructions; i++) {
        const struct ptx_instruction *in = &f->instructions[i];
        if (in->form->op == PTX_OP_CALL) {
            const struct ptx_operand *o =
                in->operands[in->n_dst < in->n_operands ? in->n_dst : 0];
            k->indirect |= o->kind != PTX_OPND_FUNCTION;
        }
        for (int j = 0; j < in->n_operands; j++)
            visit_operand(k, in->operands[j]);
    }
}

static void visit_all(struct walk *k) {
    const struct ptx_module *m = k->x->module;
    for (int done = 0; done < k->n; done++) {
        visit_function(k, m->functions[k->list[done]]);
        for (int i = 0; k->indirect && i < m->n_functions; i++)
            if (!m->functions[i]->is_entry)
                reach(k, m->functions[i]);
    }
}

static void place_dynamic(struct walk *k) {
    struct program *p = k->p;
    p->n_shared = k->shared.n;
    p->shared = array_keep(&k->shared, &k->x->arena);
    array_free(&k->shared);
    p->static_shared = (p->static_shared + 15) & ~(uint64_t)15;
    for (int i = 0; i < p->n_shared; i++)
        if (p->shared[i].offset == UINT64_MAX)
            p->shared[i].offset = p->static_shared;
}

static struct program *build(struct exec *x, int entry) {
    const struct ptx_module *m = x->module;
    struct program *p = arena_alloc(&x->arena, sizeof *p);
    struct walk k = {.x = x, .p = p};
    k.reached = xcalloc((size_t)m->n_functions, sizeof *k.reached);
    k.list = xcalloc((size_t)m->n_functions, sizeof *k.list);
    p->funcs = arena_array(&x->arena, (size_t)m->n_functions, sizeof *p->funcs);
    reach(&k, m->functions[entry]);
    visit_all(&k);
    place_dynamic(&k);
    for (int i = 0; i < k.n; i++) {
        struct func *f = &p->funcs[k.list[i]];
        f->f = m->functions[k.list[i]];
        f->index = k.list[i];
    }
    for (int i = 0; i < k.n; i++)
        decode_function(x, p, &p->funcs[k.list[i]]);
    p->entry = &p->funcs[entry];
    free(k.reached);
    free(k.list);
    return p;
}

struct program *program_of(struct exec *x, const struct ptx_function *entry) {
    int i = function_index(x, entry);
    if (!x->programs[i])
        x->programs[i] = build(x, i);
    if (x->next_insn > x->cap_hints) {
        x->hints = xrealloc(x->hints, x->next_insn * sizeof *x->hints);
        x->cap_hints = x->next_insn;
        memset(x->hints, 0, x->cap_hints * sizeof *x->hints);
    }
    return x->programs[i];
}

/* ----------------------------------------------------------- constants */

static uint32_t pool_slot(const struct exec *x, uint64_t bits, bool wide) {
    uint64_t h = (bits ^ (uint64_t)wide << 63) * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 32) & (x->pool_slots - 1);
    for (; x->pool_index[i]; i = (i + 1) & (x->pool_slots - 1)) {
        /* An entry is its value for each lane, and a word: wide or not. */
        const uint8_t *at = x->pool + x->pool_index[i] - 1;
        const lane_u32 *narrow = (const lane_u32 *)(const void *)at;
        const lane_u64 *value = (const lane_u64 *)(const void *)at;
        if (wide == (narrow[-1] == 1) && (wide ? *value : *narrow) == bits)
            return i;
    }
    return i;
}

static void grow_index(struct exec *x) {
    uint32_t n = x->pool_slots, *old = x->pool_index;
    if (2 * (x->pool_used + 1) <= n)
        return;
    x->pool_slots = n ? 2 * n : 64;
    x->pool_index = xcalloc(x->pool_slots, sizeof *x->pool_index);
    for (uint32_t i = 0; i < n; i++) {
        if (!old[i])
            continue;
        const uint8_t *at = x->pool + old[i] - 1;
        const lane_u32 *narrow = (const lane_u32 *)(const void *)at;
        bool wide = narrow[-1] == 1;
        uint64_t bits = wide ? *(const lane_u64 *)(const void *)at : *narrow;
        x->pool_index[pool_slot(x, bits, wide)] = old[i];
    }
    free(old);
}

/* The constant for all lanes. */
slot_ref pool_word(struct exec *x, uint64_t bits, bool wide) {
    if (!wide)
        bits &= UINT32_MAX;
    grow_index(x);
    uint32_t i = pool_slot(x, bits, wide);
    if (x->pool_index[i])
        return (x->pool_index[i] - 1) | 1;
    uint32_t at = x->pool_size + 8, size = 8 + LANES * (wide ? 8 : 4);
    x->pool = array_room(x->pool, (int)(x->pool_size + size), &x->pool_cap, 1);
    lane_u32 *narrow = (lane_u32 *)(void *)(x->pool + at);
    lane_u64 *value = (lane_u64 *)(void *)(x->pool + at);
    narrow[-1] = wide;
    for (int k = 0; k < LANES; k++) {
        if (wide)
            value[k] = bits;
        else
            narrow[k] = (uint32_t)bits;
    }
    x->pool_size += size;
    x->pool_index[i] = at + 1;
    x->pool_used++;
    return at | 1;
}
