/* wave.h - a golden machine's ports over time, to a file for a viewer of
 * waveforms. */
#ifndef NDPRUN_WAVE_H
#define NDPRUN_WAVE_H

#include "runtime/port.h"

#include <stdio.h>

/* Cycles of interest: the first one and how many. */
struct wave_window {
    uint64_t from, cycles;
};

struct wave;

/* Columns to f from now on, of the port of an open golden device. */
struct wave *wave_open(struct ndp_port *port, FILE *f, struct wave_window w);
/* Before the device is closed. */
void wave_close(struct wave *w);

#endif
