/* device.h - a run description on the untimed machine of golden/isa, or another
 * that takes its launches, in place of the executor: the same buffers, launches
 * and checks.
 *
 * Buffers lie at other addresses than the executor gives them, in 32 bits.
 */
#ifndef NDP_RUN_DEVICE_H
#define NDP_RUN_DEVICE_H

#include "codegen/codegen.h"
#include "isa/run.h"
#include "run.h"

struct run_device {
    const struct isa_image *code; /* of run_module(r) */
    int registers;                /* of the machine */
    uint64_t limit;               /* warp instructions a launch; 0: none */
    /* The machine: as isa_execute, which NULL stands for. */
    bool (*execute)(void *ctx, const struct isa_launch *l,
                    const struct isa_memory *m, struct isa_run *r);
    void *ctx;
    struct isa_run last; /* the last launch, or the one that failed */
    uint64_t warp_instructions, thread_instructions; /* of all */
};

/* Execute all launches of r, which must be fresh from run_open; then
 * run_verdict tells.  False: a launch came to no good end (last). */
bool run_on_device(struct run *r, struct run_device *device);

#endif
