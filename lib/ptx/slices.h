/* slices.h - where each instruction stands in the text that it was read from,
 * for whoever writes that text anew (papers/omni/text.c, papers/tom/place.c).
 */
#ifndef NDP_PTX_SLICES_H
#define NDP_PTX_SLICES_H

#include "base/arena.h"
#include "ir.h"

/* From its guard to its ';'. */
struct ptx_slice {
    const char *s;
    size_t len;
};

/* By pc.  walls, if not NULL: whether a brace, a declaration or a label within
 * a block stands between the instruction and the one before it.  One that was
 * added while reading has an empty slice. */
struct ptx_slice *ptx_slices(struct arena *arena, const struct source *source,
                             const struct ptx_function *f, bool *walls);

#endif
