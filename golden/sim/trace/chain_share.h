/* chain_share.h - how much of what a kernel executes lies in offload chains
 * (opportunistic computing, Table 3: dynamic instructions, memory requests).
 *
 *     struct chain_share *s = chain_share_create(module, false);
 *     while (stream_next(stream, &e) == STREAM_EVENT)
 *         chain_share_add(s, &e);
 *     use(chain_share_total(s), chain_share_pattern(s, 1));
 *     chain_share_free(s);
 *
 * The stream must be that of the module's functions (exec.h).  Instructions
 * count once a warp.  A memory request is one 128-byte line that a load, store
 * or atomic of a warp touches in global, generic or local space.
 */
#ifndef NDP_TRACE_CHAIN_SHARE_H
#define NDP_TRACE_CHAIN_SHARE_H

#include "papers/omni/chain.h"
#include "stream.h"

struct chain_share;

struct chain_share_count {
    uint64_t instructions; /* of warps */
    uint64_t accesses;     /* loads, stores, atomics to DRAM, of warps */
    uint64_t requests;     /* lines of these */
    uint64_t all_accesses; /* accesses to any space: shared, param, const too */
    uint64_t chains;       /* that came to their end */
};

/* split_fma: see ptx_chain_options; the sums that the core keeps count as
 * instructions then.  The caller frees. */
struct chain_share *chain_share_create(const struct ptx_module *m,
                                       bool split_fma);
void chain_share_free(struct chain_share *s);

void chain_share_add(struct chain_share *s, const struct stream_event *e);

/* Everything executed; what is in chains of a pattern (1 .. 9), 0: of any. */
const struct chain_share_count *chain_share_total(const struct chain_share *s);
const struct chain_share_count *chain_share_pattern(const struct chain_share *s,
                                                    int pattern);

/* Chains in the text of the kernels that were executed, by pattern, 0: all. */
int chain_share_static(const struct chain_share *s, int pattern);

#endif
