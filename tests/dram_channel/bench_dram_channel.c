/* bench_dram_channel.c - speed of the DRAM channel's golden model.
 *
 * A host that sends a request whenever there is room on one edge of four, reads
 * and writes over all banks and four rows of each, and an accelerator in each
 * rank that never rests, at the paper's sizes.
 *
 *     bench_dram_channel [cycles]
 */
#include "tests/common/bench_speed.h"
#include "blocks/dram_channel.h"
#include "dram_channel/dram_channel.h"

int main(int argc, char **argv) {
    long cycles = speed_cycles(argc, argv);
    struct dram_channel_in in = {0};
    const struct dram_channel_out *out;
    struct config c;
    struct golden *g;
    uint64_t seed = 1;
    double start;

    config_defaults(&c);
    g = golden_create(&dram_channel_golden, &c);
    out = golden_cycle(g, true, NULL);
    in.next0_valid = in.next0_enabled = in.next1_valid = in.next1_enabled = 1;
    in.next0_group = in.next0_bank = in.next1_group = in.next1_bank = 3;
    start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        if (!in.req_valid || out->req_ready) {
            uint64_t r = speed_random(&seed);
            in.req_valid = (r & 3) == 0;
            in.req_write = r >> 2 & r >> 3 & 1;
            in.req_id = (uint64_t)i & 255;
            in.req_rank = r >> 8 & 1;
            in.req_group = r >> 9 & 3;
            in.req_bank = r >> 11 & 3;
            in.req_row = r >> 13 & 3;
            in.req_column = r >> 16 & 127;
        }
        if (out->nda_taken & 1)
            in.next0_column = (in.next0_column + 1) & 127;
        if (out->nda_taken & 2)
            in.next1_column = (in.next1_column + 1) & 127;
        out = golden_cycle(g, false, &in);
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(g);
    golden_free(g);
    return 0;
}
