/* bench_prefetch.c - speed of the prefetcher's golden model.
 *
 * At the paper's sizes: one image of floats, walked over along its rows on
 * seven edges of eight, with a cache that takes everything and answers a
 * prefetch at once.
 *
 *     bench_prefetch [cycles]
 */
#include "tests/common/bench_speed.h"
#include "prefetch/prefetch.h"

int main(int argc, char **argv) {
    const struct prefetch_walk walk = {.start = 0x10000,
                                       .size = 512 * 2048,
                                       .pitch = 2048,
                                       .block_x = 64,
                                       .block_y = 4,
                                       .x_hi = 2048,
                                       .y_hi = 512};
    long cycles = speed_cycles(argc, argv);
    struct prefetch_in in = {.load_valid = 1, .mem_ready = 1};
    const struct prefetch_out *out;
    struct config c;
    struct golden *g;
    uint64_t place = 0;
    double start;

    config_defaults(&c);
    g = golden_create(&prefetch_golden, &c);
    if (prefetch_entry(golden_design(g), &walk, in.load_entry))
        return 2;
    golden_cycle(g, true, NULL);
    golden_cycle(g, false, &in);
    in.load_valid = 0;
    start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        in.demand_valid = (i & 7) != 0;
        in.demand_id = (uint64_t)i & 255;
        in.demand_address = walk.start + place;
        out = golden_cycle(g, false, &in);
        place = (place + 64 * in.demand_valid) % walk.size;
        in.fill_valid = out->mem_valid && out->mem_prefetch;
        in.fill_line = out->mem_address >> 7;
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(g);
    golden_free(g);
    return 0;
}
