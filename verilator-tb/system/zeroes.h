/* zeroes.h - a launch that writes every register of every warp.
 *
 * A register of a warp on two dies moves whole, also those of its lanes that
 * nobody has written yet: what they hold is anything in RTL, and stands on
 * wires then.  So this launch comes first, and behind a fault, as a load that
 * is not carried out leaves its register as it was.  Where the policy makes it
 * write the DRAM die's registers alone it comes behind a reset, too, after
 * which those of the base die count.
 */
#ifndef NDP_STIM_SYSTEM_ZEROES_H
#define NDP_STIM_SYSTEM_ZEROES_H

#include "runtime/runtime.h"
#include "simt/env.h"

struct zeroes {
    struct launch launch;   /* its code */
    uint32_t threads, ctas; /* of a CTA; all of them are resident together */
};

/* For a core of these sizes; close frees it. */
void zeroes_open(struct zeroes *z, const struct simt_local *size);
void zeroes_close(struct zeroes *z);

/* Over the register port; false if it does not end well. */
bool zeroes_run(const struct zeroes *z, const struct simt_local *size,
                ndpDevice device);

#endif
