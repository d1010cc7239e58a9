/* toy_blocks.c - takes the place of blocks.c, so that the simulator adapters
 * can be linked for the toy block. */
#include "bench/bench.h"
#include "toy.h"

const struct bench_block *bench_blocks(void) {
    static const struct bench_block blocks[] = {
        {&toy_iface, &toy_golden, &toy_stim},
        {NULL, NULL, NULL},
    };
    return blocks;
}
