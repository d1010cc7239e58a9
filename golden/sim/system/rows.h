/* rows.h - the row buffers of a stack's memory: how many rows are activated.
 *
 * TOM, section 5.1: 16 vaults of 16 banks, rows of 4 KB, FR-FCFS.  Consecutive
 * lines of a stack go over its vaults, then through a row, then over the
 * banks.
 *
 * Accesses come in the order in which they are sent; there is no time in here.
 * A vault holds `queue` of them, and only when it is full, or when all is over,
 * serves one: the oldest to an open row, or if there is none the oldest of all,
 * whose bank then opens another row.  A queue that is always full lets FR-FCFS
 * reorder as much as it ever can, so this is the least number; in_order is that
 * of a queue of one, the most.
 */
#ifndef NDP_SYSTEM_ROWS_H
#define NDP_SYSTEM_ROWS_H

#include <stdint.h>

struct rows_config {
    uint32_t vaults, banks; /* banks of a vault */
    uint32_t lines;         /* of a row */
    uint32_t queue;         /* accesses that a vault holds */
};

struct rows_stats {
    uint64_t accesses;
    uint64_t activations, in_order;
};

struct rows; /* one stack's; freed by rows_free */

/* All numbers of the configuration are at least 1. */
struct rows *rows_create(const struct rows_config *config);
void rows_free(struct rows *r);

/* The stack's line of that number, counted on the stack, is accessed. */
void rows_access(struct rows *r, uint64_t line);

/* Serves what still waits, and tells. */
const struct rows_stats *rows_statistics(struct rows *r);

#endif
