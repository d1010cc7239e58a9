/* rows.c - open rows by bank, once in order and once as FR-FCFS. */
#include "rows.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct access {
    uint32_t bank; /* of all banks */
    uint64_t row;
};

struct rows {
    struct rows_config config;
    uint64_t *open, *last; /* by bank: the open row + 1, and that in order */
    struct access *queues; /* of all vaults, oldest first */
    uint32_t *n;           /* by vault */
    struct rows_stats stats;
};

struct rows *rows_create(const struct rows_config *config) {
    struct rows *r = xcalloc(1, sizeof *r);
    size_t banks = (size_t)config->vaults * config->banks;
    r->config = *config;
    r->open = xcalloc(banks, sizeof *r->open);
    r->last = xcalloc(banks, sizeof *r->last);
    r->queues =
        xcalloc((size_t)config->vaults * config->queue, sizeof *r->queues);
    r->n = xcalloc(config->vaults, sizeof *r->n);
    return r;
}

void rows_free(struct rows *r) {
    if (!r)
        return;
    free(r->open);
    free(r->last);
    free(r->queues);
    free(r->n);
    free(r);
}

/* True: the row was not open. */
static uint64_t opens(uint64_t *open, const struct access *a) {
    uint64_t other = open[a->bank] != a->row + 1;
    open[a->bank] = a->row + 1;
    return other;
}

static void serve(struct rows *r, uint32_t vault) {
    struct access *q = &r->queues[(size_t)vault * r->config.queue];
    uint32_t i = 0;
    while (i < r->n[vault] && r->open[q[i].bank] != q[i].row + 1)
        i++;
    if (i == r->n[vault])
        i = 0;
    r->stats.activations += opens(r->open, &q[i]);
    r->n[vault]--;
    memmove(&q[i], &q[i + 1], (r->n[vault] - i) * sizeof *q);
}

void rows_access(struct rows *r, uint64_t line) {
    const struct rows_config *c = &r->config;
    uint32_t vault = (uint32_t)(line % c->vaults);
    uint64_t row = line / c->vaults / c->lines;
    struct access a = {.bank = vault * c->banks + (uint32_t)(row % c->banks),
                       .row = row / c->banks};
    r->stats.accesses++;
    r->stats.in_order += opens(r->last, &a);
    r->queues[(size_t)vault * c->queue + r->n[vault]++] = a;
    if (r->n[vault] == c->queue)
        serve(r, vault);
}

const struct rows_stats *rows_statistics(struct rows *r) {
    for (uint32_t v = 0; v < r->config.vaults; v++)
        while (r->n[v])
            serve(r, v);
    return &r->stats;
}
