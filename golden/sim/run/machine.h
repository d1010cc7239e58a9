/* machine.h - a run description on a device of libndp, in place of the
 * executor: the same buffers, launches and checks.
 */
#ifndef NDP_RUN_MACHINE_H
#define NDP_RUN_MACHINE_H

#include "run.h"
#include "runtime/ndp.h"

struct run_machine {
    ndpDevice device;
    ndpModule module;  /* of run_load */
    int cores;         /* that share a launch; 0: all of the device */
    unsigned timeout;  /* of a launch, in milliseconds; 0: a minute */
    bool areas;        /* cores take areas of CTAs, not by step */
    bool printed;      /* strides of a prefetcher as the paper prints them */
    uint64_t launches; /* that came to their end */
    ndpResult result;  /* of the call that failed */
};

/* Assemble the PTX of r for the device's registers and load it.  False after
 * errors in the run's diag; else the module is the caller's, to be unloaded. */
bool run_load(struct run *r, struct run_machine *machine);

/* Execute all launches of r, which must be fresh from run_open; then
 * run_verdict tells.  False after an error in the run's diag. */
bool run_on_machine(struct run *r, struct run_machine *machine);

#endif
