/* dut_golden.c - a second golden instance in the place of the RTL.
 *
 * Needs no simulator: it brings up a stimulus, checks the end-to-end properties
 * of the model alone, and measures what the bench itself costs.
 */
#include "bench.h"

#include "kit/stim.h"

#include <string.h>

static const struct bench_block *find(const char *name) {
    const struct bench_block *b = bench_blocks();
    while (b->iface && strcmp(b->iface->name, name) != 0)
        b++;
    return b;
}

int main(int argc, char **argv) {
    int status;
    struct bench *b = bench_open(bench_blocks(), argc, argv, &status);
    if (!b)
        return status;
    const struct iface *i = bench_iface(b);
    const struct golden_class *k = find(i->name)->golden;
    struct golden *dut = golden_create(k, bench_config(b));
    bool rst;
    do {
        const void *in = bench_inputs(b, &rst);
        memcpy(bench_outputs(b), k->cycle(dut, rst, in), i->out_size);
    } while (bench_step(b));
    golden_free(k, dut);
    return bench_close(b);
}
