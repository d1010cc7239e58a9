/* emn.h - golden model of the earliest-meet-node block (docs/blocks/emn.md).
 *
 * Driven through golden.h; the function behind it is here for tests, which
 * state properties of it over whole meshes.
 */
#ifndef NDP_GOLDEN_EMN_H
#define NDP_GOLDEN_EMN_H

#include "frame/golden.h"

extern const struct golden_class emn_golden;

/* Where the loads of a chain meet, and on which pair of paths. */
struct emn_meet {
    bool found;
    int node; /* if found */
    int pair; /* if found, and a and b differ: 0 (xy, xy), 1 (xy, yx),
                 2 (yx, xy), 3 (yx, yx) */
};

/* Algorithm 1 for the core and two memory nodes, all three of them nodes of a
 * mesh with that many columns, at most 32 by 32. */
struct emn_meet emn_find(int width, int core, int a, int b);

#endif
