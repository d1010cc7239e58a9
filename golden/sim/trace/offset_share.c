/* offset_share.c - distances between a block's accesses, pair by pair.
 *
 * Each candidate has a square table, one cell for each ordered pair of access
 * instructions: the distance seen first, how often, and whether it ever was
 * another.  Each warp of the present CTA keeps the last addresses of each
 * access of the instance that it is in.
 */
#include "offset_share.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WARPS = 64 };

struct pair {
    uint64_t distance;
    uint64_t seen;
    bool broken;
};

struct block {
    const char *kernel;
    const struct ptx_candidate *c;
    int n;              /* access instructions */
    int *number;        /* of each pc from begin_pc on; -1: no access */
    struct pair *pairs; /* [later][other] */
    uint64_t *executions;
    uint64_t instances;
};

struct function {
    const struct ptx_function *f; /* NULL: no body */
    struct ptx_candidates candidates;
    int first; /* block of its first candidate */
};

struct last {
    uint32_t mask; /* 0: not in this instance yet */
    uint64_t address[STREAM_LANES];
};

struct warp {
    int block; /* that it is in; -1: none */
    struct last *last;
    int cap;
};

struct offset_share {
    struct arena arena;
    int n_functions, n_blocks;
    struct function *functions;
    struct block *blocks;
    uint32_t launch, cta;
    struct warp warps[MAX_WARPS];
};

/* ---------------------------------------------------------------- building */

static bool is_access(const struct ptx_instruction *in) {
    return ptx_load_words(in) || ptx_store_words(in);
}

static void make_block(struct offset_share *s, struct block *b,
                       const struct ptx_function *f,
                       const struct ptx_candidate *c) {
    size_t pcs = (size_t)(c->end_pc - c->begin_pc);
    *b = (struct block){.kernel = arena_strdup(&s->arena, f->name), .c = c};
    b->number = arena_array(&s->arena, pcs, sizeof *b->number);
    for (size_t i = 0; i < pcs; i++)
        b->number[i] =
            is_access(&f->instructions[c->begin_pc + (int)i]) ? b->n++ : -1;
    size_t n = (size_t)b->n;
    b->pairs = arena_array(&s->arena, n * n + 1, sizeof *b->pairs);
    b->executions = arena_array(&s->arena, n + 1, sizeof *b->executions);
}

struct offset_share *
offset_share_create(const struct ptx_module *m,
                    const struct ptx_candidate_options *o) {
    struct offset_share *s = xcalloc(1, sizeof *s);
    s->n_functions = m->n_functions;
    s->functions = arena_array(&s->arena, (size_t)m->n_functions + 1,
                               sizeof *s->functions);
    for (int i = 0; i < m->n_functions; i++) {
        struct function *f = &s->functions[i];
        f->first = s->n_blocks;
        if (!m->functions[i]->has_body)
            continue;
        f->f = m->functions[i];
        ptx_candidates_find(&s->arena, ptx_analyse(&s->arena, f->f), o,
                            &f->candidates);
        s->n_blocks += f->candidates.n;
    }
    s->blocks =
        arena_array(&s->arena, (size_t)s->n_blocks + 1, sizeof *s->blocks);
    for (int i = 0; i < m->n_functions; i++)
        for (int k = 0; k < s->functions[i].candidates.n; k++)
            make_block(s, &s->blocks[s->functions[i].first + k],
                       s->functions[i].f, &s->functions[i].candidates.list[k]);
    for (int i = 0; i < MAX_WARPS; i++)
        s->warps[i].block = -1;
    return s;
}

void offset_share_free(struct offset_share *s) {
    if (!s)
        return;
    for (int i = 0; i < MAX_WARPS; i++)
        free(s->warps[i].last);
    arena_free(&s->arena);
    free(s);
}

/* ---------------------------------------------------------------- counting */

static bool is_inside(const struct offset_share *s, int block,
                      const struct stream_insn *in) {
    const struct ptx_candidate *c = s->blocks[block].c;
    const struct function *f = &s->functions[in->function];
    return block >= f->first && block < f->first + f->candidates.n &&
           in->pc >= (uint64_t)c->begin_pc && in->pc < (uint64_t)c->end_pc;
}

/* The block that begins at an instruction, or -1. */
static int begun(const struct offset_share *s, const struct stream_insn *in) {
    const struct function *f = &s->functions[in->function];
    for (int i = 0; i < f->candidates.n; i++)
        if ((uint64_t)f->candidates.list[i].begin_pc == in->pc)
            return f->first + i;
    return -1;
}

static void enter(struct offset_share *s, struct warp *w, int block) {
    int n = s->blocks[block].n;
    w->block = block;
    s->blocks[block].instances++;
    w->last = array_room(w->last, n, &w->cap, sizeof *w->last);
    for (int i = 0; i < n; i++)
        w->last[i].mask = 0;
}

static void compare(struct pair *p, uint64_t distance) {
    if (p->seen++ == 0)
        p->distance = distance;
    else if (p->distance != distance)
        p->broken = true;
}

static void note(struct block *b, struct warp *w, int k,
                 const struct stream_event *e) {
    b->executions[k]++;
    for (int i = 0; i < b->n; i++) {
        uint32_t both = e->mask & w->last[i].mask;
        struct pair *p = &b->pairs[k * b->n + i];
        if (!both || p->broken)
            continue;
        int low = __builtin_ctz(both), high = 31 - __builtin_clz(both);
        compare(p, e->address[low] - w->last[i].address[low]);
        compare(p, e->address[high] - w->last[i].address[high]);
    }
    w->last[k].mask = e->mask;
    memcpy(w->last[k].address, e->address, sizeof e->address);
}

void offset_share_add(struct offset_share *s, const struct stream_event *e) {
    if (e->kind != STREAM_INSTRUCTION || e->warp >= MAX_WARPS ||
        e->insn->function >= (uint32_t)s->n_functions)
        return;
    if (e->launch->id != s->launch || e->cta != s->cta) {
        s->launch = e->launch->id;
        s->cta = e->cta;
        for (int i = 0; i < MAX_WARPS; i++)
            s->warps[i].block = -1;
    }
    struct warp *w = &s->warps[e->warp];
    if (w->block < 0 || !is_inside(s, w->block, e->insn)) {
        w->block = -1;
        int block = begun(s, e->insn);
        if (block < 0)
            return;
        enter(s, w, block);
    }
    struct block *b = &s->blocks[w->block];
    int k = b->number[e->insn->pc - (uint64_t)b->c->begin_pc];
    if (k >= 0 && e->mask)
        note(b, w, k, e);
}

/* ----------------------------------------------------------------- results */

/* Twice two lanes, so that it has been the same at least once. */
static bool is_fixed(const struct pair *p) {
    return p->seen > 2 && !p->broken;
}

bool offset_share_candidate(const struct offset_share *s, int i,
                            struct offset_share_count *out) {
    if (i < 0 || i >= s->n_blocks)
        return false;
    const struct block *b = &s->blocks[i];
    *out = (struct offset_share_count){.kernel = b->kernel,
                                       .begin_pc = b->c->begin_pc,
                                       .end_pc = b->c->end_pc,
                                       .instances = b->instances};
    for (int k = 0; k < b->n; k++) {
        bool fixed = false;
        for (int j = 0; j < b->n && !fixed; j++)
            fixed = is_fixed(&b->pairs[k * b->n + j]) ||
                    is_fixed(&b->pairs[j * b->n + k]);
        out->accesses += b->executions[k];
        out->fixed += fixed ? b->executions[k] : 0;
    }
    return true;
}

enum offset_class offset_class_of(const struct offset_share_count *c) {
    if (c->fixed == 0)
        return OFFSET_NONE;
    if (c->fixed == c->accesses)
        return OFFSET_ALL;
    uint64_t quarter = 4 * c->fixed / c->accesses;
    return quarter == 3   ? OFFSET_75
           : quarter == 2 ? OFFSET_50
           : quarter == 1 ? OFFSET_25
                          : OFFSET_0;
}

const char *offset_class_name(enum offset_class c) {
    static const char *const names[OFFSET_CLASSES] = {
        "all", "75-99 %", "50-75 %", "25-50 %", "0-25 %", "none"};
    return names[c];
}
