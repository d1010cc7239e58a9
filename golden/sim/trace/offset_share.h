/* offset_share.h - how many of a candidate's accesses lie at a fixed offset
 * from another; TOM, section 3.2.1 and Figure 5.
 *
 * Two access instructions of a candidate block are at a fixed offset if, for a
 * thread within one instance of the block, the distance from the later access
 * to the last one of the other is the same number of bytes every time in the
 * whole run.  An instruction that repeats may be its own partner (a loop with a
 * fixed stride).  Both are then fixed; the share is that of their executions.
 * Global, generic and local space count, like the traffic of the composition.
 *
 * Of a warp's lanes the lowest and the highest are looked at that took part in
 * both.
 */
#ifndef NDP_TRACE_OFFSET_SHARE_H
#define NDP_TRACE_OFFSET_SHARE_H

#include "papers/tom/candidate.h"
#include "papers/analysis.h"
#include "stream.h"

struct offset_share; /* freed by offset_share_free */

/* Counts over the candidates of all functions of the module, which must be
 * there for offset_share_add, and not for what was counted. */
struct offset_share *offset_share_create(const struct ptx_module *m,
                                         const struct ptx_candidate_options *o);
void offset_share_free(struct offset_share *s);

void offset_share_add(struct offset_share *s, const struct stream_event *e);

struct offset_share_count {
    const char *kernel;
    int begin_pc, end_pc;
    uint64_t instances;
    uint64_t accesses, fixed; /* warp executions of access instructions */
};

/* The i-th candidate; false past the last. */
bool offset_share_candidate(const struct offset_share *s, int i,
                            struct offset_share_count *out);

/* The classes of Figure 5. */
enum offset_class {
    OFFSET_ALL,
    OFFSET_75, /* 75 % and more */
    OFFSET_50,
    OFFSET_25,
    OFFSET_0, /* some */
    OFFSET_NONE,
    OFFSET_CLASSES
};
enum offset_class offset_class_of(const struct offset_share_count *c);
const char *offset_class_name(enum offset_class c);

#endif
