/* entry.c - a candidate as a metadata entry, see entry.h. */
#include "entry.h"

#include "isa/image.h"

/* One bit for each physical register of the list. */
static void add_registers(uint64_t *set, const struct ptx_function *f,
                          const struct ptx_allocation *a, const int *list,
                          int n) {
    for (int i = 0; i < n; i++) {
        int first = a->physical[list[i]];
        int size = ptx_kind_size(f->registers[list[i]]->kind);
        for (int r = first; r < first + size; r++)
            set[r / 64] |= (uint64_t)1 << r % 64;
    }
}

static bool fits(const struct ptx_function *f, const struct ptx_allocation *a,
                 const int *list, int n, int registers) {
    for (int i = 0; i < n; i++)
        if (a->physical[list[i]] + ptx_kind_size(f->registers[list[i]]->kind) >
            registers)
            return false;
    return true;
}

/* The code of the comparison: 3 is <=, 5 is >=. */
static uint64_t compare_code(enum ptx_compare c) {
    return c == PTX_COMPARE_LE ? 3 : 5;
}

int ptx_entry_inputs(const struct ptx_candidate *c,
                     const struct ptx_function *f) {
    int n = 0;
    for (int i = 0; i < c->n_in; i++)
        n += ptx_kind_size(f->registers[c->in[i]]->kind);
    return n;
}

const char *ptx_entry_fill(const struct ptx_candidate *c,
                           const struct ptx_function *f,
                           const struct ptx_allocation *a,
                           const struct offload_local *size,
                           struct offload_entry_fields *out) {
    const struct ptx_condition *cond = &c->condition;
    bool has = cond->reg >= 0;
    if (!fits(f, a, c->in, c->n_in, size->REGS) ||
        !fits(f, a, c->out, c->n_out, size->REGS))
        return "registers";
    if (size->PC_W < 31 && c->end_pc >> size->PC_W)
        return "bits of a program counter";
    *out = (struct offload_entry_fields){
        .valid = 1,
        .tag_tx = (c->tag & PTX_TAG_TX) != 0,
        .tag_rx = (c->tag & PTX_TAG_RX) != 0,
        .mem_first = c->starts_with_memory,
        .cond = has,
        .cond_reg = has ? (uint64_t)a->physical[cond->reg] : 0,
        .cond_compare = has ? compare_code(cond->compare) : 0,
        .cond_signed = has && cond->is_signed,
        .threshold = has ? cond->threshold : 0,
        .n_in = (uint64_t)ptx_entry_inputs(c, f),
        .begin_pc = (uint64_t)c->begin_pc,
        .end_pc = (uint64_t)c->end_pc,
    };
    add_registers(out->live_in, f, a, c->in, c->n_in);
    add_registers(out->live_out, f, a, c->out, c->n_out);
    return NULL;
}

static void add_block_set(uint64_t *set, int registers, uint64_t r, uint8_t p) {
    for (int i = 0; i < registers; i++)
        set[i / 64] |= (r >> i & 1) << i % 64;
    for (int i = registers; i < registers + 7; i++)
        set[i / 64] |= (uint64_t)(p >> (i - registers) & 1) << i % 64;
}

const char *ptx_entry_of_block(const struct isa_block *b, int registers,
                               const struct offload_local *size,
                               struct offload_entry_fields *out) {
    bool has = b->cond_reg >= 0;
    uint8_t predicates = b->pred_in | b->pred_out;
    if (registers + (predicates ? 32 - __builtin_clz(predicates) : 0) >
        size->REGS)
        return "registers";
    if (size->PC_W < 31 && b->end >> size->PC_W)
        return "bits of a program counter";
    *out = (struct offload_entry_fields){
        .valid = 1,
        .tag_tx = b->tx,
        .tag_rx = b->rx,
        .mem_first = 1, /* the question brings the address */
        .cond = has,
        .cond_reg = has ? (uint64_t)b->cond_reg : 0,
        .cond_compare = has ? (uint64_t)b->compare : 0,
        .cond_signed = has && b->is_signed,
        .threshold = has ? b->threshold : 0,
        .n_in = (uint64_t)(__builtin_popcountll(b->in) +
                           __builtin_popcount(b->pred_in)),
        .begin_pc = (uint64_t)b->begin,
        .end_pc = (uint64_t)b->end,
    };
    add_block_set(out->live_in, registers, b->in, b->pred_in);
    add_block_set(out->live_out, registers, b->out, b->pred_out);
    return NULL;
}
