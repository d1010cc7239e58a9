/* stats.c - counting over a stream. */
#include "stats.h"

#include <stdlib.h>

/* 32 lines of footprint. */
struct stats_page {
    uint64_t page; /* plus 1; 0: empty */
    uint32_t touched;
};

enum { PAGE_LINES = 32 };

static struct stats_page *find_page(const struct stats *s, uint64_t page) {
    uint64_t h = (page * 0x9e3779b97f4a7c15u) >> 32;
    uint32_t i = (uint32_t)h & (s->cap_pages - 1);
    while (s->pages[i].page && s->pages[i].page != page)
        i = (i + 1) & (s->cap_pages - 1);
    return &s->pages[i];
}

static void grow_pages(struct stats *s) {
    struct stats_page *old = s->pages;
    uint32_t n = s->cap_pages;
    s->cap_pages = n ? 2 * n : 256;
    s->pages = xcalloc(s->cap_pages, sizeof *s->pages);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].page)
            *find_page(s, old[i].page) = old[i];
    free(old);
    s->last = NULL;
}

static void touch(struct stats *s, uint64_t line) {
    uint64_t page = line / PAGE_LINES + 1;
    uint32_t bit = 1u << line % PAGE_LINES;
    if (!s->last || s->last->page != page) {
        if (2 * (s->n_pages + 1) > s->cap_pages)
            grow_pages(s);
        s->last = find_page(s, page);
        s->n_pages += s->last->page == 0;
        s->last->page = page;
    }
    s->footprint_lines += !(s->last->touched & bit);
    s->last->touched |= bit;
}

/* Distinct lines of an access into lines; how many. */
static int lines_of(const struct stream_event *e, uint64_t *lines) {
    int n = 0;
    uint32_t width = stream_width(e), addresses = stream_addresses(e);
    for (uint32_t row = 0; row < addresses; row++)
        for (uint32_t left = e->mask; left; left &= left - 1) {
            uint64_t at = stream_row(e, row)[__builtin_ctz(left)];
            uint64_t last = (at + width - 1) / STATS_LINE;
            for (uint64_t line = at / STATS_LINE; line <= last; line++) {
                int k = n;
                while (k > 0 && lines[k - 1] != line)
                    k--;
                if (k == 0)
                    lines[n++] = line;
            }
        }
    return n;
}

static void add_access(struct stats *s, const struct stream_event *e) {
    const struct stream_insn *insn = e->insn;
    struct stats_space *space = &s->spaces[insn->space];
    uint64_t lines[STREAM_MAX_LINES];
    uint32_t lanes = stream_lanes(e->mask), width = stream_width(e);
    uint64_t asked = (uint64_t)lanes * stream_addresses(e) * width;
    space->loads += insn->access == STREAM_LOAD;
    space->stores += insn->access == STREAM_STORE;
    space->atomics += insn->access == STREAM_ATOMIC;
    space->lanes += lanes;
    space->bytes += asked;
    if (insn->space == PTX_SPACE_PARAM || insn->space == PTX_SPACE_SHARED ||
        width > STATS_LINE)
        return;
    uint64_t n = (uint64_t)lines_of(e, lines);
    space->lines += n;
    space->useful += asked < n * STATS_LINE ? asked : n * STATS_LINE;
    if (insn->space != PTX_SPACE_GLOBAL && insn->space != PTX_SPACE_NONE &&
        insn->space != PTX_SPACE_TEX)
        return;
    for (uint64_t i = 0; i < n; i++)
        touch(s, lines[i]);
}

void stats_add(struct stats *s, const struct stream_event *e) {
    if (e->kind == STREAM_LAUNCH) {
        s->launches++;
        return;
    }
    uint32_t lanes = stream_lanes(e->mask);
    s->warp_instructions++;
    s->thread_instructions += lanes;
    s->active_lanes += stream_lanes(e->active);
    s->idle += e->mask == 0;
    s->class_warps[e->insn->opc]++;
    s->class_threads[e->insn->opc] += lanes;
    if (e->insn->opc == OPC_branch) {
        s->branches++;
        s->divergent_branches += e->mask != 0 && e->mask != e->active;
    }
    if (e->insn->access && e->mask)
        add_access(s, e);
}

void stats_free(struct stats *s) {
    free(s->pages);
    *s = (struct stats){0};
}

double stats_mean_active(const struct stats *s) {
    return s->warp_instructions
               ? (double)s->active_lanes / (double)s->warp_instructions
               : 0;
}

static uint64_t dram_accesses(const struct stats *s) {
    uint64_t n = 0;
    for (int i = 0; i < STATS_SPACES; i++) {
        const struct stats_space *p = &s->spaces[i];
        if (stream_in_dram((enum ptx_space)i))
            n += p->loads + p->stores + p->atomics;
    }
    return n;
}

double stats_lines_per_access(const struct stats *s) {
    uint64_t n = dram_accesses(s), lines = 0;
    for (int i = 0; i < STATS_SPACES; i++)
        if (stream_in_dram((enum ptx_space)i))
            lines += s->spaces[i].lines;
    return n ? (double)lines / (double)n : 0;
}

double stats_line_use(const struct stats *s) {
    uint64_t useful = 0, lines = 0;
    for (int i = 0; i < STATS_SPACES; i++)
        if (stream_in_dram((enum ptx_space)i)) {
            useful += s->spaces[i].useful;
            lines += s->spaces[i].lines;
        }
    return lines ? (double)useful / (double)(lines * STATS_LINE) : 0;
}
