/* wave.h - a golden machine over time, to a file for a viewer: its ports as
 * waveforms, or its transfers as Chrome trace events (transfers.h). */
#ifndef NDPRUN_WAVE_H
#define NDPRUN_WAVE_H

#include "runtime/port.h"

#include <stdio.h>

/* Cycles of interest: the first one and how many. */
struct wave_window {
    uint64_t from, cycles;
};

struct wave;

enum wave_form { WAVE_PORTS, WAVE_TRANSFERS };

/* Columns to f from now on, of the port of an open golden device. */
struct wave *wave_open(struct ndp_port *port, FILE *f, enum wave_form form,
                       struct wave_window w);
/* Before the device is closed. */
void wave_close(struct wave *w);

#endif
