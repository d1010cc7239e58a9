/* dut_golden.c - a second golden instance in the place of the RTL.
 *
 * Needs no simulator: it brings up a stimulus, checks the end-to-end properties
 * of the model alone, and measures what the bench itself costs.
 */
#include "bench.h"

#include "kit/stim.h"

#include <string.h>

int main(int argc, char **argv) {
    int status;
    struct bench *b = bench_open(bench_blocks(), argc, argv, &status);
    if (!b)
        return status;
    const struct design *d = bench_design(b);
    struct golden *dut = golden_create(bench_target(b)->golden, &d->config);
    bool rst;
    do {
        const void *in = bench_inputs(b, &rst);
        memcpy(bench_outputs(b), golden_cycle(dut, rst, in), d->out_size);
    } while (bench_step(b));
    golden_free(dut);
    return bench_close(b);
}
