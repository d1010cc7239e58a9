/* gpu.h - a run description on a GPU, in place of the executor: the same
 * buffers, launches and checks; and how two runs of one description differ.
 *
 *     run_on_gpu(b, gpu, &options);
 *     while (run_difference(a, b, n++, &difference))
 *         ...
 */
#ifndef NDP_RUN_GPU_H
#define NDP_RUN_GPU_H

#include "base/text.h"
#include "run.h"
#include "sim/gpu/driver.h"

struct run_gpu_options {
    /* Leave it to the driver's compiler to make one fma of a mul and an add
     * that name no rounding, as PTX allows; else these round, each, as the
     * executor does. */
    bool contract;
    int optimise;      /* level of the driver's compiler, 0 to 4; -1: its own */
    uint64_t launches; /* that came to their end; written */
    bool lost;         /* the GPU answers no more; written */
};

/* Execute all launches of r, which must be fresh from run_open; then
 * run_verdict tells.  False after an error in the run's diag: PTX that the
 * driver refuses, a fault. */
bool run_on_gpu(struct run *r, struct gpu *g, struct run_gpu_options *o);

/* Adds to out: PTX with the rounding of every add, sub and mul of
 * floating-point numbers spelled out. */
void gpu_spell_rounding(const char *ptx, size_t len, struct text *out);

/* A buffer that two runs of one description have. */
struct run_difference {
    const char *buffer;
    enum element_type type;
    uint64_t count, differ; /* elements */
    uint64_t first;         /* of those that differ */
    uint64_t bits[2];       /* ... in a and in b */
    /* Largest distance in units of the last place; of integers in ones.
     * UINT64_MAX: something is a NaN in one of the two alone. */
    uint64_t farthest;
    uint64_t checksum[2]; /* FNV-1a, as of run_verdict */
};

/* The n-th buffer; false past the last. */
bool run_difference(const struct run *a, const struct run *b, int n,
                    struct run_difference *out);

#endif
