/* blocks.c - the blocks that can be checked, each with its stimulus. */
#include "bench.h"

#include "blocks/nbu.h"
#include "nbu.h"
#include "stim.h"
#include "stim_nbu.h"

const struct bench_block *bench_blocks(void) {
    static const struct bench_block blocks[] = {
        {&nbu_iface, &nbu_golden, &stim_nbu},
        {NULL, NULL, NULL},
    };
    return blocks;
}
