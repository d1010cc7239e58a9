/* entry.c - packing of metadata entries, field by field in the order
 * of docs/blocks/offload.md.
 */
#include "entry.h"

#include "iface/iface.h"

#include <string.h>

static int size_named(const struct iface *b, const struct iface_sizes *s,
                      const char *name) {
    for (int i = 0; i < b->n_locals; i++)
        if (strcmp(b->locals[i].name, name) == 0)
            return s->local[i];
    BUG("block '%s' has no size '%s'", b->name, name);
}

void ptx_entry_sizes(const struct config *c, struct ptx_entry_sizes *out) {
    const struct iface *b = iface_find("offload");
    struct iface_sizes s;
    b->sizes(c, &s);
    out->candidates = size_named(b, &s, "CANDIDATES");
    out->entries = size_named(b, &s, "ENTRIES");
    out->registers = size_named(b, &s, "REGS");
    out->reg_bits = size_named(b, &s, "REG_W");
    out->count_bits = size_named(b, &s, "COUNT_W");
    out->pc_bits = size_named(b, &s, "PC_W");
    out->entry_bits = size_named(b, &s, "ENTRY_W");
}

struct packer {
    uint32_t *words;
    int at; /* next bit */
};

static void put(struct packer *p, int bits, uint32_t value) {
    for (int i = 0; i < bits; i++, p->at++)
        if (value >> i & 1)
            p->words[p->at / 32] |= (uint32_t)1 << p->at % 32;
}

/* One bit for each physical register of the list. */
static void put_registers(struct packer *p, const struct ptx_function *f,
                          const struct ptx_allocation *a, const int *list,
                          int n, int registers) {
    int base = p->at;
    for (int i = 0; i < n; i++) {
        int first = a->physical[list[i]];
        int size = ptx_kind_size(f->registers[list[i]]->kind);
        for (int k = 0; k < size; k++) {
            p->at = base + first + k;
            put(p, 1, 1);
        }
    }
    p->at = base + registers;
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
static uint32_t compare_code(enum ptx_compare c) {
    return c == PTX_COMPARE_LE ? 3 : 5;
}

int ptx_entry_inputs(const struct ptx_candidate *c,
                     const struct ptx_function *f) {
    int n = 0;
    for (int i = 0; i < c->n_in; i++)
        n += ptx_kind_size(f->registers[c->in[i]]->kind);
    return n;
}

const char *ptx_entry_pack(const struct ptx_candidate *c,
                           const struct ptx_function *f,
                           const struct ptx_allocation *a,
                           const struct ptx_entry_sizes *sizes,
                           uint32_t *words) {
    struct packer p = {words, 0};
    const struct ptx_condition *cond = &c->condition;
    bool has = cond->reg >= 0;
    memset(words, 0, (size_t)(sizes->entry_bits + 31) / 32 * sizeof *words);
    if (!fits(f, a, c->in, c->n_in, sizes->registers) ||
        !fits(f, a, c->out, c->n_out, sizes->registers))
        return "registers";
    if (sizes->pc_bits < 31 && c->end_pc >> sizes->pc_bits)
        return "bits of a program counter";
    put(&p, 1, 1);
    put(&p, 1, (c->tag & PTX_TAG_TX) != 0);
    put(&p, 1, (c->tag & PTX_TAG_RX) != 0);
    put(&p, 1, c->starts_with_memory);
    put(&p, 1, has);
    put(&p, sizes->reg_bits, has ? (uint32_t)a->physical[cond->reg] : 0);
    put(&p, 3, has ? compare_code(cond->compare) : 0);
    put(&p, 1, has && cond->is_signed);
    put(&p, 32, has ? cond->threshold : 0);
    put(&p, sizes->count_bits, (uint32_t)ptx_entry_inputs(c, f));
    put(&p, sizes->pc_bits, (uint32_t)c->begin_pc);
    put(&p, sizes->pc_bits, (uint32_t)c->end_pc);
    put_registers(&p, f, a, c->in, c->n_in, sizes->registers);
    put_registers(&p, f, a, c->out, c->n_out, sizes->registers);
    if (p.at != sizes->entry_bits)
        BUG("metadata entry of %d bits, expected %d", p.at, sizes->entry_bits);
    return NULL;
}
