/* blocks.c - offload candidates among the instructions of a kernel (blocks.h).
 *
 * The controller of a core needs the stack of a block's first access before the
 * block is sent away.  The paper executes the block up to there and comes back;
 * here the compiler copies what computes the address, with values of its own:
 *
 *         mad r9, r4, 4, r2
 *         or r9, r9, 0 {mark}     the warp asks; r9 is the address
 *     L13:                        the block
 *         mov r5, 0
 *     L14:
 *         mad r6, r4, 4, r2
 *         ldg.b32 r7, [r6]
 */
#include "blocks.h"

#include "passes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COPIED = 64 };

void blocks_find(struct arena *a, struct lower *l,
                 const struct ptx_candidate_options *options) {
    struct ptx_candidates found;
    l->hints = hints_find(a, l->f, options, &found);
    l->n_blocks = found.n;
    l->blocks = arena_array(a, (size_t)found.n + 1, sizeof *l->blocks);
    for (int i = 0; i < found.n; i++) {
        const struct ptx_candidate *c = &found.list[i];
        l->blocks[i] =
            (struct code_block){.candidate = c,
                                .row = PTX_WARP_SIZE * found.scale,
                                .line = l->f->instructions[c->begin_pc].line};
    }
}

/* --- while lowering ------------------------------------------------------- */

static int label_of(struct lower *l, int pc) {
    if (l->labels[pc] < 0)
        l->labels[pc] = mc_label(l->m);
    return l->labels[pc];
}

void blocks_label(struct lower *l) {
    for (int i = 0; i < l->n_blocks; i++) {
        struct code_block *b = &l->blocks[i];
        b->begin = label_of(l, b->candidate->begin_pc);
        b->end = label_of(l, b->candidate->end_pc);
    }
}

void blocks_hold(struct lower *l, int pc) {
    for (int i = 0; i < l->n_blocks; i++) {
        const struct ptx_candidate *c = l->blocks[i].candidate;
        if (c->begin_pc != pc || c->condition.reg < 0)
            continue;
        struct wide *w = &l->regs[c->condition.reg];
        if (w->lo == MC_NONE)
            w->lo = mc_new(l->m, MC_REGISTER);
        struct mc_insn *hold = lower_emit(l, MC_HOLD);
        hold->a = w->lo;
        hold->value = (uint32_t)i;
    }
}

/* --- the first access ----------------------------------------------------- */

/* Where a block stands among the instructions, and what computes the address of
 * its first access. */
struct slice {
    struct mc_code *m;
    int begin, end;  /* places of its labels */
    int first;       /* place of that access; -1: none on the way */
    int *way, n_way; /* places of what is executed up to there */
    bool *need;      /* by value */
    mc_value *fresh; /* by value: its copy, or MC_NONE */
    int n_values;    /* before there were copies */
    ARRAY(struct mc_insn) copies;
};

static int place_of_label(const struct mc_code *m, int label) {
    for (int k = 0; k < m->list.n; k++)
        if (m->list.v[k].op == MC_LABEL && (int)m->list.v[k].value == label)
            return k;
    return -1;
}

static bool is_access(const struct mc_insn *i) {
    return isa_info(i->op)->class == ISA_CLASS_global;
}

static bool is_word(const struct mc_insn *i) {
    return i->op != MC_LABEL && i->op != MC_HOLD && i->op != ISA_nop;
}

/* Whether a branch on the way is taken: always, or over another that skips what
 * stands behind. */
static bool is_taken(const struct slice *s, int k) {
    const struct mc_insn *v = s->m->list.v;
    return v[k].op == ISA_bra &&
           (v[k].guard == MC_NONE ||
            (v[k + 1].op == ISA_bra && v[k + 1].guard == MC_NONE));
}

/* From the begin, as lanes go that take no other guarded branch. */
static void find_way(struct slice *s) {
    const struct mc_insn *v = s->m->list.v;
    int steps = 0;
    s->first = -1;
    for (int k = s->begin + 1; k < s->end && steps++ < s->m->list.n; k++) {
        if (is_access(&v[k])) {
            s->first = k;
            return;
        }
        if (is_taken(s, k))
            k = place_of_label(s->m, v[k].target);
        else if (is_word(&v[k]) && v[k].op != ISA_bra)
            s->way[s->n_way++] = k;
        if (k < s->begin)
            return;
    }
}

/* Of the way, what the value needs; NULL, or why it cannot be copied. */
static const char *find_needed(struct slice *s, mc_value address) {
    int n = 0, copied = 0;
    s->need[address] = true;
    for (int j = s->n_way - 1; j >= 0; j--) {
        const struct mc_insn *i = &s->m->list.v[s->way[j]];
        mc_value d = mc_def(i), uses[MC_MAX_USES];
        if (d == MC_NONE || !s->need[d]) {
            s->way[j] = -1;
            continue;
        }
        if (!mc_is_pure(i))
            return "its first address is not computed by arithmetic alone";
        if (++copied > MOST_COPIED)
            return "its first address takes too many words";
        if (i->guard == MC_NONE)
            s->need[d] = false;
        n = mc_uses(i, uses);
        for (int u = 0; u < n; u++)
            s->need[uses[u]] = uses[u] != MC_TRUE;
    }
    return NULL;
}

static struct mc_insn make(int op, int line) {
    return (struct mc_insn){.op = (uint8_t)op,
                            .guard = MC_NONE,
                            .d = MC_NONE,
                            .a = MC_NONE,
                            .b = MC_NONE,
                            .c = MC_NONE,
                            .target = -1,
                            .line = line};
}

static void push(struct slice *s, struct mc_insn i) {
    *array_push(&s->copies) = i;
}

/* The copy of d: under a guard it holds d's value before. */
static mc_value fresh_of(struct slice *s, const struct mc_insn *i, mc_value d) {
    bool pred = s->m->values.v[d].kind == MC_PREDICATE;
    mc_value had = s->fresh[d];
    if (i->guard != MC_NONE && had != MC_NONE)
        return had;
    s->fresh[d] = mc_new(s->m, s->m->values.v[d].kind);
    if (i->guard != MC_NONE) {
        struct mc_insn old = make(pred ? ISA_pand : ISA_mov, i->line);
        old.d = s->fresh[d];
        old.a = pred ? d : MC_NONE;
        old.b = pred ? MC_TRUE : d;
        push(s, old);
    }
    return s->fresh[d];
}

static void copy_way(struct slice *s) {
    for (int j = 0; j < s->n_way; j++) {
        if (s->way[j] < 0)
            continue;
        struct mc_insn i = s->m->list.v[s->way[j]];
        mc_value *fields[MC_MAX_USES], d = i.d;
        int n = mc_use_fields(&i, fields);
        for (int u = 0; u < n; u++)
            if (s->fresh[*fields[u]] != MC_NONE)
                *fields[u] = s->fresh[*fields[u]];
        i.chain = 0;
        i.mark = i.whole = false;
        i.d = fresh_of(s, &i, d);
        push(s, i);
    }
}

/* at + number; what was copied last may be such a sum. */
static mc_value push_sum(struct slice *s, mc_value at, uint32_t number,
                         int line) {
    struct mc_insn *last = s->copies.n ? &s->copies.v[s->copies.n - 1] : NULL;
    bool joined = last && last->op == ISA_add && last->imm && last->d == at &&
                  last->guard == MC_NONE &&
                  mc_fits(ISA_add, last->value + number);
    if (joined && last->value + number == 0) {
        s->copies.n--;
        return last->a;
    }
    if (joined) {
        last->value += number;
        return at;
    }
    struct mc_insn sum = make(ISA_add, line);
    sum.d = mc_new(s->m, MC_REGISTER);
    sum.a = at;
    sum.imm = true;
    sum.value = number;
    push(s, sum);
    return sum.d;
}

/* The marked instruction, which names the address and does nothing. */
static void push_asking(struct slice *s, const struct mc_insn *access) {
    mc_value at = access->a;
    if (s->fresh[at] != MC_NONE)
        at = s->fresh[at];
    if (access->value)
        at = push_sum(s, at, access->value, access->line);
    struct mc_insn ask = make(ISA_or, access->line);
    ask.d = ask.a = at;
    ask.imm = ask.mark = true;
    push(s, ask);
}

/* --- into the list -------------------------------------------------------- */

static bool comes_back(const struct slice *s, uint32_t label) {
    for (int k = s->begin; k < s->end; k++)
        if (s->m->list.v[k].op == ISA_bra &&
            s->m->list.v[k].target == (int)label)
            return true;
    return false;
}

/* Copies in front of the block's label, behind a label of their own, to which
 * branches from outside go. */
static int insert(struct slice *s, int label) {
    struct mc_code *m = s->m;
    int n = s->copies.n + 1, front = mc_label(m);
    for (int k = 0; k < m->list.n; k++) {
        struct mc_insn *i = &m->list.v[k];
        if (i->op == ISA_bra && i->target == label &&
            (k < s->begin || k >= s->end))
            i->target = front;
    }
    for (int k = 0; k < n; k++)
        array_push(&m->list);
    memmove(m->list.v + s->begin + n, m->list.v + s->begin,
            (size_t)(m->list.n - n - s->begin) * sizeof *m->list.v);
    struct mc_insn *at = &m->list.v[s->begin];
    *at = make(MC_LABEL, at->line);
    at->value = (uint32_t)front;
    memcpy(at + 1, s->copies.v, (size_t)s->copies.n * sizeof *at);
    return front;
}

/* The block's own, which stands behind its label. */
static bool take_hold(struct slice *s, int block, struct mc_insn *hold) {
    struct mc_insn *v = s->m->list.v;
    for (int k = s->begin + 1; k < s->end && !is_word(&v[k]); k++)
        if (v[k].op == MC_HOLD && (int)v[k].value == block) {
            *hold = v[k];
            v[k] = make(ISA_nop, v[k].line);
            return true;
        }
    return false;
}

/* The place of its first instruction, if that is an access that lanes come to
 * once; else -1. */
static int begins_with_access(const struct slice *s) {
    const struct mc_insn *v = s->m->list.v;
    int k = s->begin;
    for (; k < s->end && !is_word(&v[k]); k++)
        if (v[k].op == MC_LABEL && comes_back(s, v[k].value))
            return -1;
    return k < s->end && is_access(&v[k]) ? k : -1;
}

static void drop_nops(struct mc_code *m) {
    int n = 0;
    for (int k = 0; k < m->list.n; k++)
        if (m->list.v[k].op != ISA_nop)
            m->list.v[n++] = m->list.v[k];
    m->list.n = n;
}

static void place_block(struct lower *l, int n) {
    struct code_block *b = &l->blocks[n];
    struct mc_insn hold;
    struct slice s = {.m = l->m,
                      .begin = place_of_label(l->m, b->begin),
                      .end = place_of_label(l->m, b->end),
                      .n_values = l->m->values.n};
    if (s.begin < 0 || s.end <= s.begin) {
        b->why = "nothing is left of it";
        return;
    }
    int direct = begins_with_access(&s);
    if (direct >= 0) {
        l->m->list.v[direct].mark = true;
        return;
    }
    size_t values = (size_t)s.n_values;
    s.way = xcalloc((size_t)l->m->list.n, sizeof *s.way);
    s.need = xcalloc(values, sizeof *s.need);
    s.fresh = xcalloc(values, sizeof *s.fresh);
    for (int v = 0; v < s.n_values; v++)
        s.fresh[v] = MC_NONE;
    find_way(&s);
    b->why = s.first < 0 ? "no access on the way to its first one"
                         : find_needed(&s, l->m->list.v[s.first].a);
    if (!b->why) {
        copy_way(&s);
        struct mc_insn access = l->m->list.v[s.first];
        push_asking(&s, &access);
        if (take_hold(&s, n, &hold)) {
            struct mc_insn ask = s.copies.v[s.copies.n - 1];
            s.copies.v[s.copies.n - 1] = hold;
            push(&s, ask);
        }
        int front = insert(&s, b->begin);
        for (int i = 0; i < l->n_blocks; i++)
            if (l->blocks[i].end == b->begin)
                l->blocks[i].end = front;
    }
    array_free(&s.copies);
    free(s.way);
    free(s.need);
    free(s.fresh);
}

void blocks_place(struct lower *l) {
    for (int i = 0; i < l->n_blocks; i++)
        place_block(l, i);
    if (l->n_blocks)
        drop_nops(l->m);
}

/* --- words ---------------------------------------------------------------- */

static void set_condition(const struct lower *l, int n, const int *colour,
                          struct isa_block *b) {
    const struct ptx_condition *c = &l->blocks[n].candidate->condition;
    b->cond_reg = -1;
    for (int k = 0; k < l->m->list.n && c->reg >= 0; k++) {
        const struct mc_insn *i = &l->m->list.v[k];
        if (i->op == MC_HOLD && (int)i->value == n)
            b->cond_reg = colour[i->a];
    }
    if (b->cond_reg < 0)
        return;
    b->compare = c->compare == PTX_COMPARE_GE ? ISA_COMPARE_GE : ISA_COMPARE_LE;
    b->is_signed = c->is_signed;
    b->threshold = c->threshold;
}

static int rows(uint64_t registers, uint8_t predicates) {
    return __builtin_popcountll(registers) + __builtin_popcount(predicates);
}

/* Which channels it saves with the registers of the machine in place of those of
 * the PTX; NULL, or why it does not pay. */
static const char *set_tag(struct code_block *b) {
    const struct ptx_candidate *c = b->candidate;
    struct isa_block *w = &b->block;
    int64_t tx = c->bw_tx + (rows(w->in, w->pred_in) - c->words_in) * b->row;
    int64_t rx = c->bw_rx + (rows(w->out, w->pred_out) - c->words_out) * b->row;
    w->tx = tx < 0;
    w->rx = rx < 0;
    return tx + rx < 0 ? NULL : "it does not pay with the machine's registers";
}

void blocks_finish(struct lower *l, const uint64_t *words,
                   const struct isa_kernel *k, const int *labels,
                   const int *colour) {
    struct isa_word *code = xcalloc((size_t)k->n_words + 1, sizeof *code);
    for (int i = 0; i < k->n_words; i++)
        if (isa_decode(words[i], ISA_REGISTERS, &code[i]))
            BUG("word %d of '%s' is illegal", i, k->name);
    for (int i = 0; i < l->n_blocks; i++) {
        struct code_block *b = &l->blocks[i];
        int begin = labels[b->begin], end = labels[b->end];
        if (b->why)
            continue;
        b->block = (struct isa_block){.begin = begin, .end = end};
        int at = begin - k->entry;
        b->block.ask = at > 0 && code[at - 1].mark ? begin - 1 : begin;
        set_condition(l, i, colour, &b->block);
        b->why = begin >= end ? "nothing is left of it"
                 : !code[b->block.ask - k->entry].mark
                     ? "its first access is not where it begins"
                     : blocks_check(code, k->n_words, k->entry, &b->block);
        if (!b->why)
            b->why = set_tag(b);
    }
    free(code);
}
