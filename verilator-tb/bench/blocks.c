/* blocks.c - the targets that can be checked, each with its stimulus: the
 * declarations of blocks/all.h. */
#include "bench.h"

#include "blocks/all.h"
#include "kit/stim.h"

#define DECLARE(name)                                                          \
    extern const struct iface name##_iface;                                    \
    extern const struct stim_class name##_stim;
NDP_ALL(DECLARE)

const struct bench_block *bench_blocks(void) {
#define TARGET(name) {&name##_iface, NULL, &name##_stim},
    static const struct bench_block blocks[] = {
        NDP_ALL(TARGET){NULL, NULL, NULL}};
    return blocks;
}
