/* chain.c - the chain that an offload queue builds; see chain.h. */
#include "oqueue/chain.h"

void chain_begin(struct chain *c, int entry, const struct oqueue_in *in) {
    *c = (struct chain){.entry = entry,
                        .wave = in->op_wave,
                        .mask = in->op_mask,
                        .address = {in->op_address, 0},
                        .mem = {in->op_mem, in->op_mem},
                        .type = in->op_type,
                        .loads = 1};
}

static void add_load(struct chain *c, const struct oqueue_in *in) {
    c->misfit |= c->alus || c->stores;
    c->loads = 2;
    c->address[1] = in->op_address;
    c->mem[1] = in->op_mem;
}

static void add_alu(struct chain *c, const struct oqueue_in *in) {
    bool fused = in->op_fused & 1, imm = in->op_has_imm & 1;

    c->misfit |= c->alus == 2 || (c->alus && fused) || c->compares || c->stores;
    c->g = fused ? OQUEUE_MUL : c->f;
    c->g_reversed = !fused && c->f_reversed;
    c->g_imm = fused ? imm : c->f_imm;
    c->f = fused ? OQUEUE_ADD : in->op_code;
    c->f_reversed = in->op_reversed & 1;
    c->f_imm = !fused && imm;
    c->fused |= fused;
    c->alus = fused ? 2 : c->alus < 2 ? c->alus + 1 : 2;
    if (imm)
        c->imm = in->op_imm;
}

static void add_compare(struct chain *c, const struct oqueue_in *in) {
    c->misfit |= c->alus || c->compares || c->stores;
    c->f = in->op_code;
    c->f_reversed = in->op_reversed & 1;
    c->f_imm = in->op_has_imm & 1;
    c->compares = true;
    if (c->f_imm)
        c->imm = in->op_imm;
}

void chain_add(struct chain *c, const struct oqueue_in *in) {
    switch (in->op_kind) {
    case OQUEUE_LOAD:
        add_load(c, in);
        break;
    case OQUEUE_ALU:
        add_alu(c, in);
        break;
    case OQUEUE_COMPARE:
        add_compare(c, in);
        break;
    default:
        c->misfit |= c->stores;
        c->stores = true;
        c->store = in->op_address;
        c->away = in->op_mem != c->mem[0];
        return;
    }
    c->type = in->op_type;
}

/* f or h alone. */
static int of_one(const struct chain *c) {
    bool unary = c->f == OQUEUE_NEG || c->f == OQUEUE_ABS || c->f == OQUEUE_NOT;

    if (c->compares && c->loads == 2)
        return c->f_imm || c->stores ? 0 : 5;
    if (c->compares)
        return c->f_imm && !c->stores ? 6 : 0;
    if (c->loads == 1 && c->stores && unary)
        return c->f_imm ? 0 : 4;
    if (c->loads == 1)
        return c->stores && c->f_imm && !unary ? 7 : 0;
    if (c->f_imm || unary)
        return 0;
    if (!c->stores)
        return 2;
    return c->store == c->address[1] ? 4 : 1;
}

int chain_pattern(const struct chain *c) {
    bool unary = c->f == OQUEUE_NEG || c->f == OQUEUE_ABS || c->f == OQUEUE_NOT;

    if (c->misfit)
        return 0;
    if (c->alus == 1 || c->compares)
        return of_one(c);
    if (c->alus == 0)
        return c->loads == 1 && c->stores ? 3 : 0;
    if (c->loads == 1 || !c->g_imm || c->f_imm || unary)
        return 0;
    return c->stores ? 9 : 8;
}
