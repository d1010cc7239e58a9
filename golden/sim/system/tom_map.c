/* tom_map.c - mappings by arithmetic, and the analyzer driven edge by edge. */
#include "tom_map.h"

#include "analyzer/analyzer.h"
#include "base/arena.h"
#include "blocks/analyzer.h"

#include <stdlib.h>
#include <string.h>

void tom_map_free(struct tom_map *m) {
    array_free(&m->seen);
    *m = (struct tom_map){0};
}

/* ------------------------------------------------------------------ ranges */

static int by_start(const void *a, const void *b) {
    const struct tom_range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

void tom_map_ranges(struct tom_map *m, const struct run *run) {
    struct run_place at;
    m->n = m->left_out = 0;
    for (int i = 0; run && run_buffer_at(run, i, &at); i++) {
        if (!at.bytes)
            continue;
        if (m->n == TOM_MAX_RANGES) {
            m->left_out++;
            continue;
        }
        m->ranges[m->n++] =
            (struct tom_range){.start = at.address, .length = at.bytes};
    }
    qsort(m->ranges, (size_t)m->n, sizeof m->ranges[0], by_start);
}

const struct tom_range *tom_map_range(const struct tom_map *m,
                                      uint64_t address) {
    int lo = 0, hi = m->n; /* ranges below lo start at or below the address */
    while (lo < hi) {
        int at = (lo + hi) / 2;
        if (m->ranges[at].start <= address)
            lo = at + 1;
        else
            hi = at;
    }
    if (lo == 0 ||
        address - m->ranges[lo - 1].start >= m->ranges[lo - 1].length)
        return NULL;
    return &m->ranges[lo - 1];
}

/* ------------------------------------------------------------------ stacks */

uint32_t tom_map_baseline(uint64_t address) {
    uint64_t line = address >> 7;
    line ^= line >> 32;
    line ^= line >> 16;
    line ^= line >> 8;
    line ^= line >> 4;
    line ^= line >> 2;
    return line & (TOM_STACKS - 1);
}

bool tom_map_learned(const struct tom_map *m, uint64_t address) {
    if (!m->bit)
        return false;
    const struct tom_range *r = tom_map_range(m, address);
    return r && r->learned;
}

uint32_t tom_map_stack(const struct tom_map *m, uint64_t address) {
    return tom_map_learned(m, address)
               ? (uint32_t)(address >> m->bit) & (TOM_STACKS - 1)
               : tom_map_baseline(address);
}

uint64_t tom_map_line(const struct tom_map *m, uint64_t address) {
    /* The baseline spreads four lines that follow one another over the four
     * stacks, so the rest of the number is the line's there. */
    uint32_t bit = tom_map_learned(m, address) ? m->bit - TOM_FIRST_BIT : 0;
    uint64_t line = address >> TOM_FIRST_BIT;
    return line >> (bit + 2) << bit | (line & ((UINT64_C(1) << bit) - 1));
}

/* --------------------------------------------------------------- instances */

/* Stack under mapping i. */
static uint32_t stack_by(uint64_t address, int i) {
    return i == TOM_MAPS
               ? tom_map_baseline(address)
               : (uint32_t)(address >> (TOM_FIRST_BIT + i)) & (TOM_STACKS - 1);
}

tom_touched tom_map_touches(const struct cta_warp *w,
                            const struct tom_instance *x) {
    tom_touched t = 0;
    uint32_t last = w->ops[x->end].lines;
    for (uint32_t i = w->ops[x->begin].lines; i < last; i++) {
        uint64_t a = w->lines[i].address;
        for (int k = 0; k <= TOM_MAPS; k++)
            t |= UINT64_C(1) << (TOM_STACKS * (uint32_t)k + stack_by(a, k));
    }
    return t;
}

static void count_home(struct tom_map *m, const struct cta_warp *w,
                       const struct tom_instance *x) {
    const struct cta_line *first = &w->lines[w->ops[x->begin].lines];
    const struct cta_line *end = &w->lines[w->ops[x->end].lines];
    uint32_t home[TOM_MAPS + 1];
    if (first == end)
        return;
    for (int i = 0; i <= TOM_MAPS; i++)
        home[i] = stack_by(first->address, i);
    for (const struct cta_line *l = first; l < end; l++)
        for (int i = 0; i <= TOM_MAPS; i++)
            m->home[i] += stack_by(l->address, i) == home[i];
    m->lines += (uint64_t)(end - first);
}

void tom_map_note(struct tom_map *m, const struct cta_warp *w,
                  const struct tom_instance *x) {
    *array_push(&m->seen) = tom_map_touches(w, x);
    count_home(m, w, x);
}

static int stacks_of(tom_touched t, int i) {
    return __builtin_popcountll(t >> 4 * i & 0xf);
}

uint64_t tom_map_any(const struct tom_map *m, uint64_t n) {
    uint64_t any = 0;
    for (uint64_t k = 0; k < n && k < tom_map_seen(m); k++)
        any += m->seen.v[k] != 0;
    return any;
}

uint64_t tom_map_single(const struct tom_map *m, uint64_t n, int i) {
    uint64_t single = 0;
    for (uint64_t k = 0; k < n && k < tom_map_seen(m); k++)
        single += stacks_of(m->seen.v[k], i) == 1;
    return single;
}

uint32_t tom_map_best(const struct tom_map *m, uint64_t n) {
    uint64_t best_single = 0, best_sum = 0;
    int best = 0;
    for (int i = 0; i < TOM_MAPS; i++) {
        uint64_t single = tom_map_single(m, n, i), sum = 0;
        for (uint64_t k = 0; k < n && k < tom_map_seen(m); k++)
            sum += (uint64_t)stacks_of(m->seen.v[k], i);
        if (i > 0 && (single < best_single ||
                      (single == best_single && sum >= best_sum)))
            continue;
        best = i;
        best_single = single;
        best_sum = sum;
    }
    return (uint32_t)(TOM_FIRST_BIT + best);
}

uint64_t tom_map_share(const struct tom_map *m, double percent) {
    uint64_t all = tom_map_seen(m);
    uint64_t n = (uint64_t)((double)all * percent / 100);
    if (n > all)
        n = all;
    return n ? n : all > 0;
}

/* ---------------------------------------------------------------- learning */

struct teacher {
    struct golden *g;
    struct analyzer_in in;
    const struct analyzer_out *out;
};

static void edge(struct teacher *t) {
    t->out = golden_cycle(t->g, false, &t->in);
}

/* Settings of analyzer.def, in their order, from word 4 up. */
static void set(struct teacher *t, uint32_t setting, uint32_t value) {
    t->in.wb_cyc = t->in.wb_stb = t->in.wb_we = 1;
    t->in.wb_adr = 4 + setting;
    t->in.wb_dat_w = value;
    t->in.wb_sel = 15;
    edge(t);
    t->in.wb_cyc = t->in.wb_stb = 0;
    edge(t);
}

static void event(struct teacher *t, uint32_t op, uint64_t address) {
    t->in.ev_valid = 1;
    t->in.ev_op = op;
    t->in.ev_address = address;
    do
        edge(t);
    while (!t->out->ev_ready);
    t->in.ev_valid = 0;
}

static void open_school(struct teacher *t, const struct tom_map *m,
                        uint64_t n) {
    struct config c;
    config_defaults(&c);
    c.analyzer_first_bit = TOM_FIRST_BIT;
    c.analyzer_last_bit = TOM_FIRST_BIT + TOM_MAPS - 1;
    c.analyzer_learn_bits = 32;
    t->g = golden_create(&analyzer_golden, &c);
    t->out = golden_cycle(t->g, true, NULL);
    do
        edge(t);
    while (!t->out->load_ready);
    for (int i = 0; i < m->n; i++) {
        t->in.load_valid = 1;
        t->in.load_index = (uint64_t)i;
        t->in.load_start = m->ranges[i].start;
        t->in.load_length = m->ranges[i].length;
        edge(t);
    }
    t->in.load_valid = 0;
    set(t, ANALYZER_SET_learn_instances, (uint32_t)n);
    set(t, ANALYZER_SET_enable, 1);
}

static void teach(struct teacher *t, const struct tom_lesson *l) {
    const struct cta_warp *w = l->warp;
    uint32_t last = w->ops[l->instance.end].lines;
    event(t, 0, 0);
    for (uint32_t i = w->ops[l->instance.begin].lines; i < last; i++)
        event(t, 1, w->lines[i].address);
    event(t, 2, 0);
}

void tom_map_learn(struct tom_map *m, const struct tom_lesson *lessons,
                   uint64_t n) {
    struct teacher t = {0};
    open_school(&t, m, n);
    for (uint64_t i = 0; i < n; i++)
        teach(&t, &lessons[i]);
    for (int i = 0; !t.out->irq; i++) {
        if (i > 1000)
            BUG("the analyzer does not come to its end");
        edge(&t);
    }
    m->bit = (uint32_t)t.out->irq_best;
    for (int i = 0; i < 64; i++)
        edge(&t); /* the last searches */
    for (int i = 0; i < m->n; i++) {
        t.in.query_valid = 1;
        t.in.query_index = (uint64_t)i;
        edge(&t);
        m->ranges[i].learned = t.out->query_touched;
    }
    golden_free(t.g);
}
