/* pws.h - per-warp stride prefetching by program counter, the rival.
 *
 * IP-NDP section 5.1 compares its prefetcher with PWS: a history table that
 * keeps, for each warp and each load instruction, the last address and the
 * distance from the one before it.  Once the same distance has come twice
 * running, the next address is predicted by adding it.
 *
 * The table is direct-mapped; an entry remembers whose it is, and a load that
 * finds another's entry takes it over and begins to learn.
 */
#ifndef NDP_SYSTEM_PWS_H
#define NDP_SYSTEM_PWS_H

#include <stdint.h>

struct pws_stats {
    uint64_t loads;     /* warp instructions seen */
    uint64_t predicted; /* of these, with a stride to go by */
    uint64_t replaced;  /* entries taken over from another load */
};

struct pws; /* one table; freed by pws_free */

/* entries: a power of two; NULL if it is not. */
struct pws *pws_create(uint32_t entries);
void pws_free(struct pws *p);

/* A warp executes the load at pc (any number that tells loads apart), with
 * address its lowest.  Returns the stride in bytes to prefetch at, 0: none. */
int64_t pws_load(struct pws *p, uint32_t warp, uint64_t pc, uint64_t address);

/* Forget everything: another kernel. */
void pws_reset(struct pws *p);

const struct pws_stats *pws_statistics(const struct pws *p);

#endif
