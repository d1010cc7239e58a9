/* live.c - liveness by backward data flow, 64 registers at a time.
 *
 * A batch of registers is one word a block.  Only blocks where one of them is
 * live or touched are visited, found by walking backwards from the uses; with
 * neighbouring registers, which are mostly used close together, the cost is
 * that of the answer.  (Full bit vectors would be gigabytes for large
 * functions.)  A sweep over the visited blocks then turns bits into spans.
 */
#include "live.h"

#include "base/array.h"
#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { READ = 1, WRITE = 2, KILL = 4, EXTEND = 8, BATCH = 64 };

/* An instruction that touches a register. */
struct touch {
    int pc;
    int how; /* READ, WRITE, ... */
};

/* All touches of one register of the batch in one block. */
struct visit {
    int block, bit;
    int first, n; /* in touches */
};

struct emitted {
    int bit;
    struct ptx_span span;
};

struct finder {
    const struct ptx_function *f;
    const struct ptx_cfg *cfg;
    int *touch_at; /* touches of register r, by pc */
    int *n_touches;
    struct touch *touches;
    /* of the batch, by block; valid if the stamp is the batch's number */
    uint64_t *in, *out, *kill;
    int *stamps, stamp;
    int *blocks, n_blocks; /* visited */
    int *rank, *by_rank;   /* blocks in postorder, unreachable ones last */
    uint64_t *pending;     /* bit i: the block of rank i has news */
    int n_pending, first_word, n_words;
    ARRAY(struct visit) visits;
    ARRAY(struct emitted) emitted;
};

/* ---------------------------------------------------------------- touches */

static void count_touches(struct finder *s) {
    const struct ptx_function *f = s->f;
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        for (int i = 0; i < in->n_defs; i++)
            s->touch_at[in->defs[i] + 1]++;
        for (int i = 0; i < in->n_uses; i++)
            s->touch_at[in->uses[i] + 1]++;
    }
    for (int r = 0; r < f->n_registers; r++)
        s->touch_at[r + 1] += s->touch_at[r];
}

static void add_touch(struct finder *s, int reg, int pc, int how) {
    struct touch *first = s->touches + s->touch_at[reg];
    int *n = &s->n_touches[reg];
    if (*n > 0 && first[*n - 1].pc == pc)
        first[*n - 1].how |= how;
    else
        first[(*n)++] = (struct touch){pc, how};
}

/* The touches of every register, each pc once. */
static void list_touches(struct finder *s) {
    const struct ptx_function *f = s->f;
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        int extend = in->n_defs > 1 ? EXTEND : 0;
        for (int i = 0; i < in->n_uses; i++)
            add_touch(s, in->uses[i], pc, READ | extend);
        for (int i = 0; i < in->n_defs; i++)
            add_touch(s, in->defs[i], pc, in->guard ? WRITE : WRITE | KILL);
    }
}

/* -------------------------------------------------------------- data flow */

static void visit_block(struct finder *s, int b) {
    if (s->stamps[b] == s->stamp)
        return;
    s->stamps[b] = s->stamp;
    s->in[b] = s->out[b] = s->kill[b] = 0;
    s->blocks[s->n_blocks++] = b;
}

static void make_live_in(struct finder *s, int b, uint64_t bits) {
    if (!(bits & ~s->in[b]))
        return;
    s->in[b] |= bits;
    int rank = s->rank[b];
    s->n_pending += !bits_test(s->pending, rank);
    bits_set(s->pending, rank);
    if (rank / 64 < s->first_word)
        s->first_word = rank / 64;
}

/* Enter the touches of one register; read before written makes it live where
 * the block begins. */
static void seed_register(struct finder *s, int reg, int bit) {
    const struct touch *t = s->touches + s->touch_at[reg];
    int n = s->n_touches[reg];
    for (int i = 0, next; i < n; i = next) {
        int b = s->cfg->block_of[t[i].pc];
        bool read = false, killed = false;
        for (next = i; next < n && t[next].pc < s->cfg->blocks[b].end; next++) {
            read |= !killed && (t[next].how & READ);
            killed |= (t[next].how & KILL) != 0;
        }
        visit_block(s, b);
        *array_push(&s->visits) =
            (struct visit){b, bit, s->touch_at[reg] + i, next - i};
        s->kill[b] |= (uint64_t)killed << bit;
        make_live_in(s, b, (uint64_t)read << bit);
    }
}

static void pass_on(struct finder *s, int b) {
    const struct ptx_block *block = &s->cfg->blocks[b];
    for (int i = 0; i < block->n_pred; i++) {
        int p = block->pred[i];
        visit_block(s, p);
        s->out[p] |= s->in[b];
        make_live_in(s, p, s->in[b] & ~s->kill[p]);
    }
}

/* Sweeps over the blocks with news in postorder, so that a block comes after
 * its successors: few sweeps are needed however long the chains are. */
static void walk_back(struct finder *s) {
    while (s->n_pending > 0) {
        int w = s->first_word;
        s->first_word = INT32_MAX;
        for (; s->n_pending > 0 && w < s->n_words; w++)
            while (s->pending[w]) {
                int i = 64 * w + __builtin_ctzll(s->pending[w]);
                bits_clear(s->pending, i);
                s->n_pending--;
                pass_on(s, s->by_rank[i]);
            }
    }
}

/* ------------------------------------------------------------------ spans */

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_block(const void *a, const void *b) {
    const struct visit *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->bit > y->bit) - (x->bit < y->bit);
}

/* Put the blocks in order: by scanning if they lie close together. */
static void sort_blocks(struct finder *s) {
    int low = INT32_MAX, high = -1, n = 0;
    for (int i = 0; i < s->n_blocks; i++) {
        low = s->blocks[i] < low ? s->blocks[i] : low;
        high = s->blocks[i] > high ? s->blocks[i] : high;
    }
    if (s->n_blocks && (high - low) / 16 > s->n_blocks) {
        qsort(s->blocks, (size_t)s->n_blocks, sizeof *s->blocks, by_number);
        return;
    }
    for (int b = low; b <= high; b++)
        if (s->stamps[b] == s->stamp)
            s->blocks[n++] = b;
}

static void emit(struct finder *s, int bit, int start, int end) {
    if (end <= start)
        return;
    *array_push(&s->emitted) = (struct emitted){bit, {start, end}};
}

/* Walk through the touches of one register in a block, from value to value.
 * *start is where the value at hand began; whether one is live at the end. */
static bool walk_touches(struct finder *s, const struct visit *v, int *start) {
    bool live = s->in[v->block] >> v->bit & 1;
    int end = *start; /* of what is known to be read */
    for (int i = 0; i < v->n; i++) {
        const struct touch *t = &s->touches[v->first + i];
        if ((t->how & READ) && live)
            end = 2 * t->pc + (t->how & EXTEND ? 2 : 1);
        if (!(t->how & WRITE))
            continue;
        if (live && !(t->how & KILL)) { /* the old value may remain */
            end = 2 * t->pc + 2;
            continue;
        }
        if (live)
            emit(s, v->bit, *start, end);
        live = true;
        *start = 2 * t->pc + 1;
        end = *start + 1;
    }
    if (s->out[v->block] >> v->bit & 1)
        return true;
    if (live)
        emit(s, v->bit, *start, end);
    return false;
}

/* Registers in open are live at the end of the block before; start says since
 * when. */
static void sweep(struct finder *s) {
    uint64_t open = 0;
    int start[BATCH] = {0}, before = -1;
    const struct visit *v = s->visits.v, *last = v + s->visits.n;
    for (int i = 0; i < s->n_blocks; i++) {
        int b = s->blocks[i];
        const struct ptx_block *block = &s->cfg->blocks[b];
        uint64_t stay = before == b - 1 ? open & s->in[b] : 0;
        for (uint64_t gone = open & ~stay; gone; gone &= gone - 1)
            emit(s, __builtin_ctzll(gone), start[__builtin_ctzll(gone)],
                 2 * s->cfg->blocks[before].end);
        for (uint64_t new = s->in[b] & ~stay; new; new &= new - 1)
            start[__builtin_ctzll(new)] = 2 * block->begin;
        open = s->in[b];
        for (; v < last && v->block == b; v++) {
            bits_clear(&open, v->bit);
            if (walk_touches(s, v, &start[v->bit]))
                bits_set(&open, v->bit);
        }
        before = b;
    }
    for (; open; open &= open - 1)
        emit(s, __builtin_ctzll(open), start[__builtin_ctzll(open)],
             2 * s->cfg->blocks[before].end);
}

/* ---------------------------------------------------------------- results */

struct result {
    ARRAY(struct ptx_span) spans;
};

static void add_span(struct result *out, int first, struct ptx_span span) {
    struct ptx_span *last =
        out->spans.n > first ? &out->spans.v[out->spans.n - 1] : NULL;
    if (last && last->end >= span.start) {
        last->end = span.end > last->end ? span.end : last->end;
        return;
    }
    *array_push(&out->spans) = span;
}

/* The spans of the batch, register by register. */
static void collect(const struct finder *s, int base, int n, int *at,
                    struct result *out) {
    int next[BATCH + 1] = {0};
    int *order = xcalloc((size_t)s->emitted.n + 1, sizeof *order);
    for (int i = 0; i < s->emitted.n; i++)
        next[s->emitted.v[i].bit + 1]++;
    for (int b = 0; b < BATCH; b++)
        next[b + 1] += next[b];
    for (int i = 0; i < s->emitted.n; i++)
        order[next[s->emitted.v[i].bit]++] = i; /* next[b]: end of bit b */
    for (int bit = 0, i = 0; bit < n; bit++) {
        int first = out->spans.n;
        for (; i < next[bit]; i++)
            add_span(out, first, s->emitted.v[order[i]].span);
        at[base + bit + 1] = out->spans.n;
    }
    free(order);
}

static void find_batch(struct finder *s, int base, int n, int *at,
                       struct result *out) {
    s->stamp++;
    s->n_blocks = s->visits.n = s->emitted.n = 0;
    for (int bit = 0; bit < n; bit++)
        seed_register(s, base + bit, bit);
    walk_back(s);
    sort_blocks(s);
    array_sort(&s->visits, by_block);
    sweep(s);
    collect(s, base, n, at, out);
}

static void rank_blocks(struct finder *s) {
    const struct ptx_cfg *cfg = s->cfg;
    int last = cfg->n_reachable;
    s->rank = xcalloc((size_t)cfg->n_blocks, sizeof *s->rank);
    s->by_rank = xcalloc((size_t)cfg->n_blocks, sizeof *s->by_rank);
    for (int b = 0; b < cfg->n_blocks; b++) {
        s->rank[b] = cfg->rpo_index[b] >= 0
                         ? cfg->n_reachable - 1 - cfg->rpo_index[b]
                         : last++;
        s->by_rank[s->rank[b]] = b;
    }
}

static void begin(struct finder *s, size_t registers, size_t blocks) {
    s->touch_at = xcalloc(registers + 1, sizeof *s->touch_at);
    s->n_touches = xcalloc(registers, sizeof *s->n_touches);
    count_touches(s);
    s->touches = xcalloc((size_t)s->touch_at[registers], sizeof *s->touches);
    list_touches(s);
    s->in = xcalloc(blocks, sizeof *s->in);
    s->out = xcalloc(blocks, sizeof *s->out);
    s->kill = xcalloc(blocks, sizeof *s->kill);
    s->stamps = xcalloc(blocks, sizeof *s->stamps);
    s->blocks = xcalloc(blocks, sizeof *s->blocks);
    s->n_words = (int)(blocks / 64) + 1;
    s->pending = xcalloc((size_t)s->n_words, sizeof *s->pending);
    s->first_word = INT32_MAX;
    rank_blocks(s);
}

static void end(struct finder *s) {
    free(s->touch_at);
    free(s->n_touches);
    free(s->touches);
    free(s->in);
    free(s->out);
    free(s->kill);
    free(s->stamps);
    free(s->blocks);
    free(s->pending);
    free(s->rank);
    free(s->by_rank);
    array_free(&s->visits);
    array_free(&s->emitted);
}

void ptx_live_find(struct arena *a, const struct ptx_function *f,
                   const struct ptx_cfg *cfg, struct ptx_live *live) {
    struct finder s = {.f = f, .cfg = cfg};
    struct result out = {0};
    int n = f->n_registers;
    begin(&s, (size_t)n, (size_t)cfg->n_blocks);
    live->at = arena_array(a, (size_t)n + 1, sizeof *live->at);
    for (int base = 0; base < n; base += BATCH)
        find_batch(&s, base, n - base < BATCH ? n - base : BATCH, live->at,
                   &out);
    live->spans = array_keep(&out.spans, a);
    array_free(&out.spans);
    end(&s);
}

bool ptx_live_at(const struct ptx_live *live, int reg, int position) {
    int low = live->at[reg], high = live->at[reg + 1];
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (live->spans[mid].end <= position)
            low = mid + 1;
        else
            high = mid;
    }
    return low < live->at[reg + 1] && live->spans[low].start <= position;
}

bool ptx_live_in(const struct ptx_live *live, const struct ptx_cfg *cfg,
                 int reg, int b) {
    return ptx_live_at(live, reg, 2 * cfg->blocks[b].begin);
}

bool ptx_live_out(const struct ptx_live *live, const struct ptx_cfg *cfg,
                  int reg, int b) {
    for (int i = 0; i < cfg->blocks[b].n_succ; i++)
        if (ptx_live_in(live, cfg, reg, cfg->blocks[b].succ[i]))
            return true;
    return false;
}
