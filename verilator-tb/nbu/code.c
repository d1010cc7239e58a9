/* code.c - a kernel as the packets that the near-bank unit is issued.
 *
 * ptx_stream gives the packets in program order; here they are found by the
 * index of their instruction, so that a dynamic stream can be put together.
 */
#include "code.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

const struct tune light = {.name = "replay",
                           .issue = 100,
                           .high = {32, 32, 32, 32, 32, 32},
                           .low = {1, 1, 1, 1, 1, 1},
                           .row_latency = 1,
                           .exec_latency = {6, 6},
                           .lsu_length = 1,
                           .wishbone = 1};

static void index_packets(struct code *c) {
    int at = 0;
    c->first = xcalloc((size_t)c->n_instructions + 1, sizeof *c->first);
    for (int pc = 0; pc <= c->n_instructions; pc++) {
        while (at < c->n && c->packets[at].pc < pc)
            at++;
        c->first[pc] = at;
    }
}

bool code_make(struct code *c, const struct ptx_function *f, int registers,
               struct diag *d) {
    struct arena arena = {0};
    *c = (struct code){.n_instructions = f->n_instructions};
    bool ok =
        ptx_stream(f, ptx_analyse(&arena, f), registers, &c->packets, &c->n, d);
    arena_free(&arena);
    if (!ok)
        return false;
    c->kernel = xstrdup(f->name);
    index_packets(c);
    return true;
}

void code_free(struct code *c) {
    free(c->packets);
    free(c->first);
    free(c->kernel);
    *c = (struct code){0};
}

static bool note(const struct nbu_operand *o, uint8_t *kind) {
    bool same = true;
    for (int r = 0; o->valid && r < (o->kind == NBU_PAIR ? 2 : 1); r++) {
        uint8_t *k = &kind[o->reg + r];
        same = same && (*k == KIND_UNUSED || *k == o->kind);
        *k = o->kind;
    }
    return same;
}

bool code_kinds(const struct code *c, uint8_t kind[MAX_REGS]) {
    bool same = true;
    for (int n = 0; n < c->n; n++) {
        const struct nbu_packet *p = &c->packets[n];
        same &= note(&p->dst, kind);
        same &= note(&p->guard, kind);
        for (int k = 0; k < 3; k++)
            same &= note(&p->src[k], kind);
    }
    return same;
}

static struct operand operand_of(const struct nbu_operand *o) {
    return (struct operand){
        .valid = o->valid, .kind = o->kind, .reg = o->valid ? o->reg : 0};
}

struct instr code_instr(const struct nbu_packet *p, int warp, uint32_t mask) {
    struct instr i = {.warp = warp, .op = p->op, .hint = p->hint, .mask = mask};
    i.operand[DST] = operand_of(&p->dst);
    for (int n = 0; n < 3; n++)
        i.operand[SRC0 + n] = operand_of(&p->src[n]);
    i.operand[GUARD] = operand_of(&p->guard);
    return i;
}

int next_in_turn(uint64_t mask, int last) {
    uint64_t above = last >= 63 ? 0 : mask >> (last + 1);
    return above ? last + 1 + __builtin_ctzll(above) : __builtin_ctzll(mask);
}
