/* cand.c - see cand.h. */
#include "cand.h"
#include "stream.h"

#include "base/array.h"
#include "papers/analysis.h"

#include <stdlib.h>
#include <string.h>

enum { NO_BLOCK = -1, LINE_BYTES = 128 };

/* A warp of the CTA that executes. */
struct cand_warp {
    int block;
    struct cand_instance now;
    uint32_t idle;
};

struct cand {
    const char *path;
    struct run_options options;
    bool by_names;
    struct cand_sink sink;
    struct diag *report_to; /* of the bench */
    struct diag own;        /* of the present run, which points into it */
    struct run *run;
    struct arena arena;

    ARRAY(struct cand_block) blocks;
    int **block_at; /* by function and pc */
    struct cand_warp warp[CAND_WARPS];
    uint32_t launch, cta;
    int cta_warps;
    uint64_t instructions;
};

static bool fail(struct cand *r) {
    stim_run_failed(r->report_to, &r->own, r->path);
    return false;
}

/* --- candidates ----------------------------------------------------------- */

static void add_block(struct cand *r, const struct ptx_analysis *a,
                      const struct ptx_candidate *c, int *at) {
    struct cand_block *b = array_push(&r->blocks);
    *b = (struct cand_block){.c = c, .function = a->function, .header = -1};
    if (c->loop >= 0) {
        const struct ptx_loop *l = &a->loops.loops[c->loop];
        b->header = a->cfg.blocks[l->header].begin;
        b->tests_first = l->trip.tests_first;
    }
    for (int pc = c->begin_pc; pc < c->end_pc; pc++)
        at[pc] = r->blocks.n - 1;
}

static void find_blocks(struct cand *r) {
    const struct ptx_module *m = run_module(r->run);
    struct ptx_candidate_options o = ptx_candidate_defaults();
    o.count = r->by_names ? PTX_COUNT_NAMES : PTX_COUNT_WORDS;
    r->block_at =
        arena_array(&r->arena, (size_t)m->n_functions + 1, sizeof *r->block_at);
    for (int n = 0; n < m->n_functions; n++) {
        const struct ptx_function *f = m->functions[n];
        size_t size = (size_t)f->n_instructions + 1;
        struct ptx_candidates found;
        r->block_at[n] = arena_array(&r->arena, size, sizeof(int));
        for (size_t pc = 0; pc < size; pc++)
            r->block_at[n][pc] = NO_BLOCK;
        if (!f->has_body || !f->is_entry)
            continue;
        const struct ptx_analysis *a = ptx_analyse(&r->arena, f);
        ptx_candidates_find(&r->arena, a, &o, &found);
        for (int c = 0; c < found.n; c++)
            add_block(r, a, &found.list[c], r->block_at[n]);
    }
}

/* --- opening -------------------------------------------------------------- */

static void close_run(struct cand *r) {
    run_close(r->run);
    r->run = NULL;
    array_free(&r->blocks);
    arena_free(&r->arena);
    r->arena = (struct arena){0};
    diag_free(&r->own);
    r->own = (struct diag){0};
}

static void no_instances(struct cand *r) {
    for (int w = 0; w < CAND_WARPS; w++)
        r->warp[w] = (struct cand_warp){.block = NO_BLOCK};
}

bool cand_again(struct cand *r) {
    close_run(r);
    no_instances(r);
    r->run = run_open(r->path, &r->options, &r->own);
    if (!r->run)
        return fail(r);
    find_blocks(r);
    return true;
}

static bool has_blocks(struct cand *r) {
    if (r->blocks.n > 0)
        return true;
    diag_error(r->report_to, (struct place){0},
               "'%s' has no candidates with live registers counted by %s, "
               "expected %s",
               cand_name(r), r->by_names ? "names" : "words",
               r->by_names ? "another run" : "'--count names' or another run");
    return false;
}

bool cand_gave(struct cand *r, uint64_t n, const char *what) {
    if (n > 0)
        return true;
    diag_error(r->report_to, (struct place){0},
               "'%s' at size '%s' made no %s in its %d candidates, expected a "
               "size at which it does ('--size')",
               cand_name(r), cand_size(r), what, r->blocks.n);
    return false;
}

struct cand *cand_open(const struct stim_options *o,
                       const struct cand_sink *sink, uint32_t turn,
                       struct diag *d) {
    struct cand *r = xcalloc(1, sizeof *r);
    r->path = o->run;
    r->options.size = o->size;
    r->by_names = o->by_names;
    r->options.reference = stim_run_reference;
    r->options.exec.turn = turn;
    r->sink = *sink;
    r->report_to = d;
    if (cand_again(r) && has_blocks(r))
        return r;
    cand_close(r);
    return NULL;
}

void cand_close(struct cand *r) {
    if (!r)
        return;
    close_run(r);
    free(r);
}

/* --- instances ------------------------------------------------------------ */

static void end_instance(struct cand *r, struct cand_warp *w) {
    if (w->block == NO_BLOCK)
        return;
    const struct cand_block *b = &r->blocks.v[w->block];
    w->now.rounds -= b->tests_first && w->now.rounds > 0;
    w->block = NO_BLOCK;
    w->idle = 0;
    if (r->sink.end)
        r->sink.end(r->sink.ctx, &w->now);
}

static void end_all(struct cand *r) {
    for (int n = 0; n < CAND_WARPS; n++)
        end_instance(r, &r->warp[n]);
    no_instances(r);
}

static void begin_instance(struct cand *r, struct cand_warp *w, int block,
                           const struct stream_event *e) {
    w->block = block;
    w->now = (struct cand_instance){.launch = e->launch->id,
                                    .cta = e->cta,
                                    .warp = e->warp,
                                    .block = block,
                                    .mask = e->active,
                                    .idle = w->idle};
    if (r->sink.begin)
        r->sink.begin(r->sink.ctx, &w->now);
}

static bool is_global(const struct stream_event *e) {
    const struct stream_insn *i = e->insn;
    return i->access != STREAM_NO_ACCESS && e->mask &&
           (i->space == PTX_SPACE_GLOBAL || i->space == PTX_SPACE_NONE);
}

/* Lines in the order of the lanes that touch them first. */
static void access_lines(struct cand *r, struct cand_warp *w,
                         const struct stream_event *e) {
    uint64_t seen[STREAM_LANES];
    int n = 0;
    if (!w->now.has_address) {
        w->now.has_address = true;
        w->now.address = e->address[__builtin_ctz(e->mask)];
        w->now.before_access = w->now.instructions;
    }
    for (uint32_t left = e->mask; left; left &= left - 1) {
        uint64_t address = e->address[__builtin_ctz(left)];
        int k = 0;
        while (k < n && seen[k] != address / LINE_BYTES)
            k++;
        if (k < n)
            continue;
        seen[n++] = address / LINE_BYTES;
        if (r->sink.access)
            r->sink.access(r->sink.ctx, &w->now, address);
    }
    w->now.lines += (uint32_t)n;
    if (e->insn->access != STREAM_LOAD)
        w->now.lines_written += (uint32_t)n;
}

static void instruction(struct cand *r, const struct stream_event *e) {
    if (e->cta != r->cta)
        end_all(r);
    r->cta = e->cta;
    r->instructions++;
    struct cand_warp *w = &r->warp[e->warp % CAND_WARPS];
    int pc = (int)e->insn->pc;
    int block = r->block_at[e->insn->function][pc];
    bool enters = block != NO_BLOCK && pc == r->blocks.v[block].c->begin_pc &&
                  !(e->active & w->now.mask && block == w->block);
    if (w->block != NO_BLOCK && (block != w->block || enters))
        end_instance(r, w);
    if (enters)
        begin_instance(r, w, block, e);
    if (w->block == NO_BLOCK) {
        w->idle++;
        return;
    }
    w->now.rounds += pc == r->blocks.v[block].header;
    if (is_global(e))
        access_lines(r, w, e);
    w->now.instructions++;
}

static void launch(struct cand *r, const struct stream_launch *l) {
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    end_all(r);
    r->launch = l->id;
    r->cta = 0;
    r->cta_warps = (int)((threads + STREAM_LANES - 1) / STREAM_LANES);
}

enum stream_result cand_pull(struct cand *r) {
    struct stream_event e;
    enum stream_result got = stream_next(run_stream(r->run), &e);
    if (got == STREAM_ERROR) {
        fail(r);
        return got;
    }
    if (got == STREAM_END)
        end_all(r);
    else if (e.kind == STREAM_LAUNCH)
        launch(r, e.launch);
    else
        instruction(r, &e);
    return got;
}

/* --- looking -------------------------------------------------------------- */

int cand_n_blocks(const struct cand *r) {
    return r->blocks.n;
}

const struct cand_block *cand_blocks(const struct cand *r) {
    return r->blocks.v;
}

const struct ptx_module *cand_module(const struct cand *r) {
    return run_module(r->run);
}

const char *cand_name(const struct cand *r) {
    return r->run ? run_name(r->run) : r->path;
}

const char *cand_size(const struct cand *r) {
    return run_size(r->run);
}

int cand_cta_warps(const struct cand *r) {
    return r->cta_warps;
}

const struct run *cand_run(const struct cand *r) {
    return r->run;
}

uint64_t cand_instructions(const struct cand *r) {
    return r->instructions;
}
