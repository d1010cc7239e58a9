/* subcore.h - a subcore of the pipeline of the base die
 * (docs/blocks/far_pipe.md): all of it where there is one, and of several the
 * warps that are its own.
 *
 * Warps are numbered as in the subcore, 0 to l.WARPS - 1; ports are those of
 * the block.
 */
#ifndef NDP_GOLDEN_FAR_PIPE_SUBCORE_H
#define NDP_GOLDEN_FAR_PIPE_SUBCORE_H

#include "blocks/far_pipe.h"
#include "near_pipe/shared.h"

#include <stdint.h>

struct subcore;

/* covers: of the block, where its cover points count; kept.  Never NULL. */
struct subcore *subcore_open(const struct far_pipe_local *l, uint64_t *covers);
void subcore_close(struct subcore *n); /* NULL is fine */

void subcore_reset(struct subcore *n);

/* What shared memory, which all subcores share, does with one of them on an
 * edge. */
struct subcore_shared {
    bool takes; /* the access in dispatch */
    bool puts;  /* it had words for its file before the edge */
};
void subcore_edge(struct subcore *n, const struct far_pipe_in *in,
                  struct subcore_shared shared);

/* Whether dispatch has an access to shared memory, and the access, whose row stands
 * in n. */
bool subcore_wants_shared(const struct subcore *n);
struct nsm_access subcore_access(struct subcore *n);

/* Whether lanes, control unit or an incoming row write the register file on this
 * edge, before which shared memory waits. */
bool subcore_writes(const struct subcore *n);

/* An edge on which nothing is for it would change nothing of it. */
bool subcore_rests(const struct subcore *n);

/* Of its state. */
size_t subcore_size(void);

/* A row of its file, as golden_class's row gives it. */
const uint32_t *subcore_row(const struct subcore *n, uint64_t warp,
                            uint64_t reg);

/* What it shows after the last edge or reset; stands in n. */
const struct far_pipe_out *subcore_out(const struct subcore *n);

#endif
