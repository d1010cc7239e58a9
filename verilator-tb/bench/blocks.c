/* blocks.c - the blocks that can be checked, each with its stimulus. */
#include "bench.h"

#include "analyzer/analyzer.h"
#include "blocks/analyzer.h"
#include "blocks/emn.h"
#include "blocks/nbu.h"
#include "blocks/offload.h"
#include "blocks/prefetch.h"
#include "emn/emn.h"
#include "nbu/nbu.h"
#include "offload/offload.h"
#include "prefetch/prefetch.h"
#include "kit/stim.h"
#include "analyzer/stim.h"
#include "emn/stim.h"
#include "nbu/stim.h"
#include "offload/stim.h"
#include "prefetch/stim.h"

const struct bench_block *bench_blocks(void) {
    static const struct bench_block blocks[] = {
        {&nbu_iface, &nbu_golden, &stim_nbu},
        {&emn_iface, &emn_golden, &stim_emn},
        {&prefetch_iface, &prefetch_golden, &stim_prefetch},
        {&offload_iface, &offload_golden, &stim_offload},
        {&analyzer_iface, &analyzer_golden, &stim_analyzer},
        {NULL, NULL, NULL},
    };
    return blocks;
}
