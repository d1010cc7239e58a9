/* instance.h - what every golden instance begins with.
 *
 * A block's own struct has this as its first member, so that golden.c can
 * answer for any of them.  Private to golden/.
 */
#ifndef NDP_GOLDEN_INSTANCE_H
#define NDP_GOLDEN_INSTANCE_H

#include "golden.h"

struct golden {
    uint64_t hash; /* of the configuration it was made with */
};

#endif
