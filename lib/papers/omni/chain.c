/* chain.c - offload chains of a function: block by block, the candidates that
 * the patterns give, longest first, each kept if its instructions can be made
 * contiguous (sections 4.1 and 4.2).
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

const char *ptx_chain_op_text(enum ptx_chain_op op) {
    static const char *const texts[] = {
        [PTX_CHAIN_NO_OP] = "",
#define CHAIN_OP(id, text, op, sources, floats, ints, bits)                    \
    [PTX_CHAIN_##id] = text,
#include "ops.def"
    };
    return texts[op];
}

const char *ptx_chain_reason_text(enum ptx_chain_reason reason) {
    static const char *const texts[] = {
        [PTX_CHAIN_FREE] = "",
#define CHAIN_REASON(id, text) [PTX_CHAIN_##id] = text,
#include "reasons.def"
    };
    return texts[reason];
}

const char *ptx_chain_tag_bits(int tag) {
    static const char *const bits[] = {"", "01", "10", "11"};
    return bits[tag & 3];
}

const char *ptx_chain_answer(int pattern) {
    static const char *const answers[] = {"",     "ack",    "data",   "ack",
                                          "ack",  "bitmap", "bitmap", "ack",
                                          "data", "ack"};
    return answers[pattern];
}

int ptx_chain_answer_flits(int pattern) {
    return pattern == 2 || pattern == 8 ? 5 : 1;
}

/* ------------------------------------------------------------------ finding */

static void setup(struct chain_finder *x) {
    size_t pcs = (size_t)x->f->n_instructions;
    size_t regs = (size_t)x->f->n_registers + 1;
    x->constant = arena_array(x->arena, regs, 1);
    x->last_def = arena_array(x->arena, regs, sizeof(int));
    x->touched = arena_array(x->arena, regs, sizeof(int));
    x->written = arena_array(x->arena, regs, sizeof(int));
    x->read = arena_array(x->arena, regs, sizeof(int));
    x->use = arena_array(x->arena, pcs, sizeof(int));
    x->source_at = arena_array(x->arena, pcs, sizeof(int));
    x->place = arena_array(x->arena, pcs, sizeof(int));
    x->order = arena_array(x->arena, pcs, sizeof(int));
    x->chain_of = arena_array(x->arena, pcs, sizeof(int));
    x->memory = arena_array(x->arena, pcs, sizeof(int));
    x->scratch = arena_array(x->arena, pcs, sizeof(int));
    x->side = arena_array(x->arena, pcs, 1);
    x->failed = arena_array(x->arena, pcs, 1);
    for (size_t i = 0; i < regs; i++)
        x->last_def[i] = -1;
    for (int pc = 0; pc < x->f->n_instructions; pc++) {
        x->place[pc] = x->order[pc] = pc;
        x->chain_of[pc] = -1;
    }
}

static int by_length(const void *a, const void *b) {
    const struct chain_candidate *p = a, *q = b;
    if (p->chain.n != q->chain.n)
        return q->chain.n - p->chain.n;
    return (p->last > q->last) - (p->last < q->last);
}

static bool is_free(const struct chain_finder *x, const struct ptx_chain *c) {
    for (int i = 0; i < c->n; i++)
        if (x->chain_of[c->pcs[i]] >= 0)
            return false;
    return true;
}

static void accept(struct chain_finder *x, const struct ptx_chain *c) {
    for (int i = 0; i < c->n; i++)
        x->chain_of[c->pcs[i]] = x->accepted.n;
    *array_push(&x->accepted) = *c;
}

static bool is_asked(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    return (f->op == PTX_OP_LD || f->op == PTX_OP_LDU) && in->n_operands >= 2 &&
           (f->space == PTX_SPACE_GLOBAL || f->space == PTX_SPACE_NONE);
}

static void do_block(struct chain_finder *x, int b, struct ptx_chains *out) {
    const struct ptx_block *block = &x->a->cfg.blocks[b];
    chain_values(x, b);
    x->candidates.n = 0;
    for (int pc = block->begin; pc < block->end; pc++)
        chain_match(x, pc);
    array_sort(&x->candidates, by_length);
    for (int i = 0; i < x->candidates.n; i++) {
        const struct ptx_chain *c = &x->candidates.v[i].chain;
        if (!is_free(x, c))
            continue;
        enum ptx_chain_reason why = chain_place(x, c);
        if (!why)
            accept(x, c);
        for (int k = 0; k < c->n_loads && why; k++)
            x->failed[c->pcs[k]] = (uint8_t)why;
    }
    for (int pc = block->begin; pc < block->end; pc++)
        if (is_asked(&x->f->instructions[pc]) && x->chain_of[pc] < 0)
            out->refused[out->n_refused++] =
                (struct ptx_chain_refusal){pc, chain_refuse(x, pc)};
}

/* ------------------------------------------------------------------ results */

static int count_asked(const struct ptx_function *f) {
    int n = 0;
    for (int pc = 0; pc < f->n_instructions; pc++)
        n += is_asked(&f->instructions[pc]);
    return n;
}

/* Chains in the order of the rewritten text, with tags. */
static void list_chains(const struct chain_finder *x, struct ptx_chains *out) {
    out->list = arena_array(x->arena, (size_t)x->accepted.n, sizeof *out->list);
    for (int place = 0; place < x->f->n_instructions;) {
        int id = x->chain_of[x->order[place]];
        if (id < 0) {
            out->chain_of[x->order[place++]] = -1;
            continue;
        }
        const struct ptx_chain *c = &x->accepted.v[id];
        for (int i = 0; i < c->n; i++) {
            out->chain_of[c->pcs[i]] = out->n;
            out->tags[c->pcs[i]] = i == 0          ? PTX_TAG_FIRST
                                   : i == c->n - 1 ? PTX_TAG_LAST
                                                   : PTX_TAG_INSIDE;
        }
        out->list[out->n++] = *c;
        place += c->n;
    }
}

void ptx_chains_find(struct arena *arena, const struct source *source,
                     const struct ptx_analysis *a,
                     const struct ptx_chain_options *o,
                     struct ptx_chains *out) {
    const struct ptx_function *f = a->function;
    size_t pcs = (size_t)f->n_instructions;
    struct chain_finder x = {.arena = arena, .a = a, .f = f};
    *out = (struct ptx_chains){.function = f};
    if (o)
        x.options = *o;
    setup(&x);
    if (source) {
        x.walls = arena_array(arena, pcs, sizeof *x.walls);
        out->slices = ptx_slices(arena, source, f, x.walls);
    }
    out->refused =
        arena_array(arena, (size_t)count_asked(f), sizeof *out->refused);
    out->tags = arena_array(arena, pcs, 1);
    out->chain_of = arena_array(arena, pcs, sizeof(int));
    for (int b = 0; b < a->cfg.n_blocks; b++)
        do_block(&x, b, out);
    out->order = x.order;
    list_chains(&x, out);
    array_free(&x.sources);
    array_free(&x.candidates);
    array_free(&x.accepted);
}
