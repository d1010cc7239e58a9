/* locate.c - Algorithm 1 of MPU with a worklist instead of sweeps.
 *
 * When a register moves up, only the instructions that write it are looked at
 * again.  A register moves at most twice, so the whole is linear in the number
 * of operands.
 */
#include "locate.h"

#include <stdlib.h>

char ptx_location_letter(int location) {
    return "UFNB"[location & 3];
}

enum opclass ptx_locate_class(const struct ptx_instruction *in) {
    if (in->form->opc == OPC_atomic && in->form->space == PTX_SPACE_SHARED)
        return in->n_defs ? OPC_ld_shared : OPC_st_shared;
    return in->form->opc;
}

/* Operands where the executing unit wants them, whatever it produces. */
static bool placed_by_hardware(enum opclass c) {
    switch (c) {
    case OPC_branch:
    case OPC_call:
    case OPC_barrier:
    case OPC_fence:
    case OPC_ld_global:
    case OPC_st_global:
    case OPC_ld_shared:
    case OPC_st_shared:
    case OPC_atomic:
    case OPC_texture:
    case OPC_remote:
        return true;
    default:
        return false;
    }
}

bool ptx_locate_propagates(const struct ptx_instruction *in) {
    return !placed_by_hardware(in->form->opc);
}

struct seeder {
    void (*seed)(void *ctx, int reg, int location);
    void *ctx;
};

static void seed_operand(const struct seeder *s, const struct ptx_operand *o,
                         int address, int value) {
    bool is_address = o->kind == PTX_OPND_ADDRESS;
    if (o->reg)
        s->seed(s->ctx, o->reg->index, value);
    if (o->second)
        s->seed(s->ctx, o->second->index, value);
    for (int i = 0; i < o->n_items; i++)
        seed_operand(s, o->items[i], address, is_address ? address : value);
}

void ptx_locate_seeds(const struct ptx_instruction *in,
                      void (*seed)(void *ctx, int reg, int location),
                      void *ctx) {
    const struct seeder s = {seed, ctx};
    enum opclass c = ptx_locate_class(in);
    int address = PTX_LOC_F, value = PTX_LOC_F;
    if (in->guard)
        seed(ctx, in->guard->index, PTX_LOC_F);
    if (!placed_by_hardware(c))
        return;
    if (c == OPC_ld_global || c == OPC_st_global)
        value = PTX_LOC_N;
    if (c == OPC_ld_shared || c == OPC_st_shared)
        address = value = PTX_LOC_N;
    struct ptx_copy copy = ptx_copy_of(in);
    if (c == OPC_ld_global && in->form->op == PTX_OP_CP_ASYNC && !copy.to)
        value = PTX_LOC_F;
    for (int i = 0; i < in->n_operands; i++) {
        bool far = i == copy.global || i == copy.barrier;
        if (copy.to)
            address = value = far ? PTX_LOC_F : PTX_LOC_N;
        seed_operand(&s, in->operands[i], address, value);
    }
}

struct solver {
    const struct ptx_function *f;
    const struct ptx_defs *defs;
    uint8_t *at;
    int *work;
    int n_work;
    char *queued;
};

static void raise(void *ctx, int reg, int location) {
    struct solver *s = ctx;
    int joined = s->at[reg] | location;
    if (joined == s->at[reg])
        return;
    s->at[reg] = (uint8_t)joined;
    if (!s->queued[reg]) {
        s->queued[reg] = 1;
        s->work[s->n_work++] = reg;
    }
}

static void propagate(struct solver *s) {
    while (s->n_work > 0) {
        int reg = s->work[--s->n_work];
        s->queued[reg] = 0;
        for (int i = s->defs->at[reg]; i < s->defs->at[reg + 1]; i++) {
            const struct ptx_instruction *in =
                &s->f->instructions[s->defs->pcs[i]];
            if (!ptx_locate_propagates(in))
                continue;
            for (int u = 0; u < in->n_sources; u++)
                raise(s, in->uses[u], s->at[reg]);
        }
    }
}

static int locate_instruction(const struct ptx_instruction *in,
                              const uint8_t *at) {
    int location = PTX_LOC_U;
    if (in->form->opc == OPC_texture) /* only the logic die has a unit */
        return PTX_LOC_F;
    for (int i = 0; i < in->n_defs; i++)
        location |= at[in->defs[i]];
    if (in->n_defs > 0)
        return location;
    enum opclass c = ptx_locate_class(in);
    if (c == OPC_ld_shared || c == OPC_st_shared ||
        ptx_copy_of(in).to == PTX_COPY_TO_SHARED)
        return PTX_LOC_N;
    return opclass_far_default() >> c & 1 ? PTX_LOC_F : PTX_LOC_U;
}

void ptx_locate(struct arena *a, const struct ptx_function *f,
                const struct ptx_defs *defs, struct ptx_locations *l) {
    size_t n = (size_t)f->n_registers;
    struct solver s = {.f = f, .defs = defs};
    s.at = arena_array(a, n, sizeof *s.at);
    s.work = xcalloc(n + 1, sizeof *s.work);
    s.queued = xcalloc(n + 1, 1);
    for (int pc = 0; pc < f->n_instructions; pc++)
        ptx_locate_seeds(&f->instructions[pc], raise, &s);
    propagate(&s);
    *l = (struct ptx_locations){.registers = s.at};
    for (size_t r = 0; r < n; r++)
        l->counts[s.at[r]]++;
    l->instructions = arena_array(a, (size_t)f->n_instructions, 1);
    for (int pc = 0; pc < f->n_instructions; pc++)
        l->instructions[pc] =
            (uint8_t)locate_instruction(&f->instructions[pc], s.at);
    free(s.work);
    free(s.queued);
}
