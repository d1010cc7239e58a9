/* pws.c - the table of strides: last address and distance. */
#include "pws.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t pc, last;
    int64_t stride;
    uint32_t warp;       /* plus 1; 0: empty */
    uint32_t confidence; /* times that the stride has come again */
};

struct pws {
    struct pws_stats stats;
    uint32_t entries;
    struct entry *table;
};

struct pws *pws_create(uint32_t entries) {
    if (!entries || (entries & (entries - 1)))
        return NULL;
    struct pws *p = xcalloc(1, sizeof *p);
    p->entries = entries;
    p->table = xcalloc(entries, sizeof *p->table);
    return p;
}

void pws_free(struct pws *p) {
    if (p)
        free(p->table);
    free(p);
}

void pws_reset(struct pws *p) {
    memset(p->table, 0, p->entries * sizeof *p->table);
}

const struct pws_stats *pws_statistics(const struct pws *p) {
    return &p->stats;
}

static struct entry *entry_of(struct pws *p, uint32_t warp, uint64_t pc) {
    uint64_t h = (pc * 64 + warp) * 0x9e3779b97f4a7c15u;
    return &p->table[h >> 32 & (p->entries - 1)];
}

int64_t pws_load(struct pws *p, uint32_t warp, uint64_t pc, uint64_t address) {
    struct entry *e = entry_of(p, warp, pc);
    p->stats.loads++;
    if (e->warp != warp + 1 || e->pc != pc) {
        p->stats.replaced += e->warp != 0;
        *e = (struct entry){.pc = pc, .last = address, .warp = warp + 1};
        return 0;
    }
    int64_t stride = (int64_t)(address - e->last);
    bool again = stride == e->stride;
    e->last = address;
    e->stride = stride;
    if (!again || stride == 0)
        return 0;
    p->stats.predicted++;
    return stride;
}
