/* packets.c - lowering of instructions to packets of the near-bank unit. */
#include "base/array.h"
#include "papers/analysis.h"

struct operands {
    ARRAY(struct nbu_operand) list;
};

struct lowering {
    const struct ptx_function *f;
    const struct ptx_analysis *a;
    ARRAY(struct nbu_packet) packets;
    struct operands dst, src; /* of the instruction at hand */
};

static bool is_memory(enum opclass c) {
    return c == OPC_ld_global || c == OPC_st_global || c == OPC_ld_shared ||
           c == OPC_st_shared || c == OPC_ld_const || c == OPC_atomic;
}

/* A register's operand; half 1 is the upper pair of 128 bits. */
static struct nbu_operand operand(const struct lowering *s, int reg, int half) {
    static const uint8_t kinds[] = {
        [PTX_ROW] = 0, [PTX_PAIR] = 1, [PTX_PRED_KIND] = 2, [PTX_QUAD] = 1};
    int physical = s->a->allocation.physical[reg];
    return (struct nbu_operand){physical >= 0,
                                kinds[s->f->registers[reg]->kind],
                                (uint16_t)(physical + 2 * half)};
}

static void add_register(const struct lowering *s, struct operands *out,
                         int reg) {
    *array_push(&out->list) = operand(s, reg, 0);
    if (s->f->registers[reg]->kind == PTX_QUAD)
        *array_push(&out->list) = operand(s, reg, 1);
}

/* Register of the first address operand, -1 if it has none; of a copy the one
 * in global memory, which the unit wants far. */
static int address_register(const struct ptx_instruction *in) {
    struct ptx_copy copy = ptx_copy_of(in);
    for (int i = 0; i < in->n_operands; i++) {
        const struct ptx_operand *o = in->operands[i];
        if (o->kind == PTX_OPND_ADDRESS && (!copy.to || i == copy.global))
            return o->n_items && o->items[0]->reg ? o->items[0]->reg->index
                                                  : -1;
    }
    return -1;
}

static const struct nbu_operand none;

/* One packet with sources from..from+width behind the fixed ones. */
static void emit_part(struct lowering *s, const struct nbu_packet *base,
                      int fixed, int from, const struct nbu_operand *dst) {
    struct nbu_packet p = *base;
    for (int i = fixed; i < 3; i++)
        p.src[i] = from + i - fixed < s->src.list.n
                       ? s->src.list.v[from + i - fixed]
                       : none;
    p.dst = *dst;
    *array_push(&s->packets) = p;
}

static void lower(struct lowering *s, int pc) {
    static const uint8_t hints[] = {
        [PTX_LOC_U] = 0, [PTX_LOC_F] = 1, [PTX_LOC_N] = 2, [PTX_LOC_B] = 0};
    const struct ptx_instruction *in = &s->f->instructions[pc];
    enum opclass op = ptx_locate_class(in);
    struct nbu_packet base = {.pc = pc,
                              .op = (uint8_t)op,
                              .hint = hints[s->a->locations.instructions[pc]]};
    int fixed = is_memory(op), from = 0;
    int address = fixed ? address_register(in) : -1;
    s->dst.list.n = s->src.list.n = 0;
    for (int i = 0; i < in->n_defs; i++)
        add_register(s, &s->dst, in->defs[i]);
    for (int i = 0; i < in->n_sources; i++)
        if (in->uses[i] != address)
            add_register(s, &s->src, in->uses[i]);
    if (address >= 0)
        base.src[0] = operand(s, address, 0);
    if (in->guard)
        base.guard = operand(s, in->guard->index, 0);
    for (; s->src.list.n - from > 3 - fixed; from += 3 - fixed)
        emit_part(s, &base, fixed, from, &none);
    emit_part(s, &base, fixed, from, s->dst.list.n ? &s->dst.list.v[0] : &none);
    for (int i = 1; i < s->dst.list.n; i++)
        emit_part(s, &base, fixed, from, &s->dst.list.v[i]);
}

bool ptx_stream(const struct ptx_function *f, const struct ptx_analysis *a,
                int registers, struct nbu_packet **out, int *n,
                struct diag *d) {
    struct lowering s = {.f = f, .a = a};
    *out = NULL;
    *n = 0;
    if (a->allocation.total > registers) {
        diag_error(d, (struct place){NULL, 0, 0, 0},
                   "kernel '%s' needs %d physical registers, expected at most "
                   "%d ('nbu.registers')",
                   f->name, a->allocation.total, registers);
        return false;
    }
    for (int pc = 0; pc < f->n_instructions; pc++)
        lower(&s, pc);
    array_free(&s.dst.list);
    array_free(&s.src.list);
    *out = s.packets.v;
    *n = s.packets.n;
    return true;
}
