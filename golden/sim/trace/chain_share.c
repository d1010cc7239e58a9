/* chain_share.c - counting over a stream, with the chains of its functions. */
#include "chain_share.h"

#include "stats.h"

#include <stdlib.h>

struct chain_share {
    struct arena arena;
    int n_functions;
    struct ptx_chains *functions; /* n_functions */
    bool *executed;
    struct chain_share_count total, patterns[PTX_CHAIN_PATTERNS + 1];
};

struct chain_share *chain_share_create(const struct ptx_module *m,
                                       bool split_fma) {
    const struct ptx_chain_options o = {.split_fma = split_fma};
    struct chain_share *s = xcalloc(1, sizeof *s);
    size_t n = (size_t)m->n_functions;
    s->n_functions = m->n_functions;
    s->functions = arena_array(&s->arena, n, sizeof *s->functions);
    s->executed = arena_array(&s->arena, n, sizeof *s->executed);
    for (int i = 0; i < m->n_functions; i++)
        if (m->functions[i]->has_body)
            ptx_chains_find(&s->arena, m->source,
                            ptx_analyse(&s->arena, m->functions[i]), &o,
                            &s->functions[i]);
    return s;
}

void chain_share_free(struct chain_share *s) {
    if (!s)
        return;
    arena_free(&s->arena);
    free(s);
}

/* Distinct lines of an access. */
static uint64_t lines_of(const struct stream_event *e) {
    uint64_t lines[STREAM_MAX_LINES];
    uint32_t width = stream_width(e), addresses = stream_addresses(e);
    int n = 0;
    for (uint32_t row = 0; row < addresses; row++)
        for (uint32_t left = e->mask; left; left &= left - 1) {
            uint64_t at = stream_row(e, row)[__builtin_ctz(left)];
            uint64_t last = (at + width - 1) / STATS_LINE;
            for (uint64_t line = at / STATS_LINE; line <= last; line++) {
                int k = 0;
                while (k < n && lines[k] != line)
                    k++;
                if (k == n)
                    lines[n++] = line;
            }
        }
    return (uint64_t)n;
}

static void count(struct chain_share_count *c, bool access, bool dram,
                  uint64_t lines, bool last) {
    c->instructions++;
    c->all_accesses += access;
    c->accesses += dram;
    c->requests += lines;
    c->chains += last;
}

void chain_share_add(struct chain_share *s, const struct stream_event *e) {
    if (e->kind != STREAM_INSTRUCTION)
        return;
    const struct stream_insn *in = e->insn;
    if (in->function >= (uint32_t)s->n_functions ||
        !s->functions[in->function].function ||
        in->pc >= (uint64_t)s->functions[in->function].function->n_instructions)
        BUG("an instruction of another module in the stream");
    const struct ptx_chains *c = &s->functions[in->function];
    s->executed[in->function] = true;
    bool dram = in->access && stream_in_dram(in->space);
    uint64_t lines =
        dram && e->mask && in->width <= STATS_LINE ? lines_of(e) : 0;
    int id = c->chain_of[in->pc];
    count(&s->total, in->access != STREAM_NO_ACCESS, dram, lines, false);
    if (id < 0)
        return;
    const struct ptx_chain *chain = &c->list[id];
    bool last = c->tags[in->pc] == PTX_TAG_LAST;
    count(&s->patterns[0], in->access != STREAM_NO_ACCESS, dram, lines, last);
    count(&s->patterns[chain->pattern], in->access != STREAM_NO_ACCESS, dram,
          lines, last);
    s->total.chains += last;
    s->total.instructions += chain->split && chain->alu == (int)in->pc;
}

const struct chain_share_count *chain_share_total(const struct chain_share *s) {
    return &s->total;
}

const struct chain_share_count *chain_share_pattern(const struct chain_share *s,
                                                    int pattern) {
    return &s->patterns[pattern];
}

int chain_share_static(const struct chain_share *s, int pattern) {
    int n = 0;
    for (int i = 0; i < s->n_functions; i++)
        for (int k = 0; s->executed[i] && k < s->functions[i].n; k++)
            n += !pattern || s->functions[i].list[k].pattern == pattern;
    return n;
}
