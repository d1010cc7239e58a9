/* values.h - what stands at the ports of a machine on each cycle, as a VCD:
 * GTKWave, Surfer and other viewers of waveforms read it. */
#ifndef NDP_FRAME_VALUES_H
#define NDP_FRAME_VALUES_H

#include "iface/iface.h"

#include <stdio.h>

/* Ports on a cycle: inputs as its edge takes them, outputs as they stand before
 * it. */
struct values {
    bool rst;
    const void *in, *out;
};

/* The head of the file: names as in RTL. */
void values_open(FILE *f, const struct design *d);

/* A cycle's column: values that are others than last; last NULL: all. */
void values_column(FILE *f, const struct design *d, uint64_t cycle,
                   const struct values *now, const struct values *last);

#endif
