/* emit.c - coloured instructions to words.
 *
 * A guarded branch names as its join the instruction where all paths from it
 * meet: the immediate post-dominator.  Where paths meet only by ending, lanes
 * that return early must be gone before a barrier that the others come to: the
 * path with the barrier begins at the join.  Without one the last exit of the
 * kernel serves: lanes that come there first wait for the others, which end
 * elsewhere.
 */
#include "passes.h"

#include "flow/dom.h"

#include <inttypes.h>
#include <stdlib.h>

struct emitter {
    const struct mc_code *m;
    const int *colour;
    int *pc;   /* of each instruction; of one that is left out, the next */
    int *at;   /* instruction of each label */
    int *join; /* pc, by instruction; of guarded branches */
    bool *left_out;
    int end; /* pc of the last exit */
};

static bool is_empty_copy(const struct emitter *e, const struct mc_insn *i) {
    mc_value from = mc_copied(i);
    if (mc_is_start(e->m, i))
        return e->colour[i->d] == 0;
    return from != MC_NONE && e->colour[from] == e->colour[i->d];
}

/* A branch to what comes next anyway. */
static bool is_empty_branch(const struct emitter *e, int k) {
    const struct mc_insn *i = &e->m->list.v[k];
    if (i->op != ISA_bra)
        return false;
    for (int j = k + 1; j < e->m->list.n; j++) {
        if (e->m->list.v[j].op != MC_LABEL && e->m->list.v[j].op != MC_HOLD)
            return false;
        if (j == e->at[i->target])
            return true;
    }
    return false;
}

static void place(struct emitter *e, int base) {
    int pc = base;
    for (int k = 0; k < e->m->list.n; k++)
        if (e->m->list.v[k].op == MC_LABEL)
            e->at[e->m->list.v[k].value] = k;
    for (int k = 0; k < e->m->list.n; k++) {
        const struct mc_insn *i = &e->m->list.v[k];
        e->left_out[k] = i->op == MC_LABEL || i->op == MC_HOLD ||
                         is_empty_copy(e, i) || is_empty_branch(e, k);
        e->pc[k] = pc;
        pc += !e->left_out[k];
    }
    e->end = e->pc[e->m->list.n - 1];
}

/* Whether a block does nothing but end. */
static bool only_ends(const struct emitter *e, const struct ptx_block *b) {
    const struct mc_insn *last = &e->m->list.v[b->end - 1];
    for (int k = b->begin; k < b->end - 1; k++)
        if (!e->left_out[k])
            return false;
    return last->op == ISA_exit && last->guard == MC_NONE;
}

static bool leads_to(const struct ptx_block *block, const bool *reach) {
    for (int s = 0; s < block->n_succ; s++)
        if (reach[block->succ[s]])
            return true;
    return false;
}

/* By block: whether a barrier is in it or can be reached from it. */
static bool *find_barriers(const struct emitter *e, struct arena *a,
                           const struct ptx_cfg *cfg) {
    bool *reach = arena_array(a, (size_t)cfg->n_blocks, sizeof *reach);
    for (int b = 0; b < cfg->n_blocks; b++) {
        reach[b] = false;
        for (int k = cfg->blocks[b].begin; k < cfg->blocks[b].end; k++)
            reach[b] |= e->m->list.v[k].op == ISA_bar;
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = cfg->n_reachable - 1; i >= 0; i--) {
            const struct ptx_block *block = &cfg->blocks[cfg->rpo[i]];
            bool *at = &reach[cfg->rpo[i]];
            if (!*at && leads_to(block, reach))
                *at = more = true;
        }
    }
    return reach;
}

static void find_joins(struct emitter *e, struct arena *a) {
    struct ptx_cfg cfg;
    struct ptx_dom post;
    mc_graph(e->m, a, &cfg);
    ptx_post_dominators(a, &cfg, &post);
    const bool *barrier = find_barriers(e, a, &cfg);
    for (int k = 0; k < e->m->list.n; k++) {
        const struct mc_insn *i = &e->m->list.v[k];
        int meet = post.idom[cfg.block_of[k]];
        e->join[k] = meet < 0 ? e->end : e->pc[cfg.blocks[meet].begin];
        if (i->op != ISA_bra || i->guard == MC_NONE ||
            (meet >= 0 && !only_ends(e, &cfg.blocks[meet])))
            continue;
        bool on = barrier[cfg.block_of[k + 1]];
        bool there = barrier[cfg.block_of[e->at[i->target]]];
        if (on != there)
            e->join[k] = on ? e->pc[k + 1] : e->pc[e->at[i->target]];
    }
}

static uint8_t reg(const struct emitter *e, mc_value v) {
    return v == MC_NONE ? 0 : (uint8_t)e->colour[v];
}

static struct isa_word word_of(const struct emitter *e, int k) {
    const struct mc_insn *i = &e->m->list.v[k];
    struct isa_word w = {
        .op = i->op,
        .guard = i->guard == MC_NONE ? ISA_TRUE : reg(e, i->guard),
        .unless = i->guard != MC_NONE && i->unless,
        .place = i->place,
        .mark = i->mark,
        .round = i->round,
        .ftz = i->ftz,
        .sat = i->sat,
        .imm = i->imm,
        .value = i->imm || i->op == ISA_movi ? i->value : 0,
    };
    bool pred = isa_info(i->op)->class == ISA_CLASS_pred;
    w.d = mc_def(i) == MC_NONE ? 0 : reg(e, i->d);
    w.a = reg(e, i->a) | (pred && i->not_a ? ISA_INVERT : 0);
    w.b = i->imm ? 0 : reg(e, i->b) | (pred && i->not_b ? ISA_INVERT : 0);
    w.c = reg(e, i->c) | (isa_has(i->op, 'C') && i->not_c ? ISA_INVERT : 0);
    if (mc_is_start(e->m, i))
        w.b = 0;
    if (i->op == ISA_bra) {
        w.target = (uint16_t)e->pc[e->at[i->target]];
        w.join = i->guard == MC_NONE ? ISA_NO_JOIN : (uint16_t)e->join[k];
    }
    return w;
}

/* The word at k is one of a chain whose words stand side by side, two at least:
 * which one.  What was found in one piece may have come apart on the way. */
static enum isa_chain chain_place(const struct emitter *e, int k) {
    const struct mc_insn *v = e->m->list.v;
    int n = e->m->list.n, chain = v[k].chain, before = 0, behind = 0,
        pieces = 0;
    bool inside = false;
    if (!chain)
        return ISA_CHAIN_NONE;
    for (int i = 0; i < n; i++) {
        bool is = v[i].chain == chain && v[i].op != MC_LABEL;
        if (e->left_out[i] && v[i].op != MC_LABEL)
            continue;
        pieces += is && !inside;
        inside = is;
        before += is && i < k;
        behind += is && i > k;
    }
    if (pieces > 1 || !(before || behind))
        return ISA_CHAIN_NONE;
    return !before  ? ISA_CHAIN_FIRST
           : behind ? ISA_CHAIN_INSIDE
                    : ISA_CHAIN_LAST;
}

void mc_emit(const struct mc_code *m, const int *colour, int base,
             struct mc_words *out, int *labels) {
    struct arena a = {0};
    size_t n = (size_t)m->list.n;
    struct emitter e = {.m = m, .colour = colour};
    e.pc = arena_array(&a, n, sizeof *e.pc);
    e.at = arena_array(&a, (size_t)m->n_labels, sizeof *e.at);
    e.join = arena_array(&a, n, sizeof *e.join);
    e.left_out = arena_array(&a, n, sizeof *e.left_out);
    place(&e, base);
    find_joins(&e, &a);
    for (int k = 0; k < m->n_labels && labels; k++)
        labels[k] = e.pc[e.at[k]];
    bool mark = false; /* of a copy that is left out */
    for (int k = 0; k < m->list.n; k++) {
        mark |= m->list.v[k].mark;
        if (e.left_out[k])
            continue;
        struct isa_word w = word_of(&e, k);
        w.mark = mark;
        w.chain = (uint8_t)chain_place(&e, k);
        mark = false;
        uint64_t word;
        enum isa_fault f = isa_encode(&w, &word);
        if (f)
            BUG("line %d, '%s': %s", m->list.v[k].line, isa_info(w.op)->text,
                isa_fault_text(f));
        *array_push(&out->words) = word;
        *array_push(&out->lines) = m->list.v[k].line;
    }
    arena_free(&a);
}
