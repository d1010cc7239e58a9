/* bench_emn.c - speed of the earliest-meet-node block's golden model.
 *
 * Random lookups at the paper's sizes on three edges of four.
 *
 *     bench_emn [cycles]
 */
#include "tests/common/bench_speed.h"
#include "blocks/emn.h"
#include "emn/emn.h"

int main(int argc, char **argv) {
    long cycles = speed_cycles(argc, argv);
    struct emn_in in = {0};
    struct config c;
    struct golden *g;
    uint64_t seed = 1;
    double start;

    config_defaults(&c);
    g = golden_create(&emn_golden, &c);
    golden_cycle(g, true, NULL);
    start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        uint64_t r = speed_random(&seed);
        in.req_valid = (r & 3) != 0;
        in.req_id = (uint64_t)i & 63;
        in.req_core = r >> 8 & 63;
        in.req_mem0 = r >> 16 & 7;
        in.req_mem1 = r >> 24 & 7;
        golden_cycle(g, false, &in);
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(g);
    golden_free(g);
    return 0;
}
