/* image_state.h - settings and result of the composition `image`; private to
 * image*.c and its tests.
 */
#ifndef NDP_SYSTEM_IMAGE_STATE_H
#define NDP_SYSTEM_IMAGE_STATE_H

#include "image_order.h"
#include "image_sm.h"
#include "system.h"

struct image_settings {
    uint32_t prefetch; /* enum prefetch_kind */
    uint32_t printed;  /* stride as the paper prints it */
    uint32_t order;    /* enum cta_order */
    uint32_t linear;   /* sets of the L1 by the lower bits alone */
    uint32_t sms, warps;
    uint32_t l1, ways, mshrs, targets, reserve;
    uint32_t queue, entries;
    uint32_t l2; /* enum image_l2 */
    uint32_t l2_bytes, l2_ways;
    uint32_t l2_latency, l2_bandwidth;
    struct core_latencies core;
    uint32_t latency;   /* of memory, in cycles */
    uint32_t bandwidth; /* GB/s */
    uint32_t clock;     /* MHz */
    /* on the command line, of what only one prefetcher has */
    bool gave_stride, gave_queue, gave_entries;
    const char *gave_l2; /* an option of the L2, and of its lines; or NULL */
    const char *gave_l2_lines;
};

struct image_result {
    struct image_settings settings;
    uint64_t cycles, launches;
    struct cache_stats cache; /* summed over the SMs, as below */
    struct prefetch_unit_stats prefetch;
    struct core_stats core;
    struct pipe_stats memory; /* by enum image_traffic */
    /* between SMs and L2, and what that held; of a real L2 alone */
    struct pipe_stats l2_traffic;
    struct cache_stats l2;
};

/* image_report.c */
void image_page(const void *result, FILE *out);
void image_heading(FILE *out);
void image_row(const void *result, FILE *out);
void image_json(const void *result, json_t *into);

#endif
