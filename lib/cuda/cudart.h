/* cudart.h - inside of libndpcudart: the CUDA runtime (include/) over libndp.
 *
 * One device, opened when a call first needs it, by the URL in NDP_DEVICE.
 * Every call goes through cu_enter and cu_leave, which let one thread in at a
 * time.  A launch has ended when cudaLaunchKernel returns; what went wrong in
 * it is the error of later calls, as in CUDA, until cudaDeviceReset.
 */
#ifndef NDP_CUDART_H
#define NDP_CUDART_H

#include "include/cuda_runtime_api.h"

#include "base/array.h"
#include "runtime/ndp.h"

#include <stdbool.h>

/* Host code's fat binary: PTX, once on the device a module. */
struct cu_module {
    const char *ptx; /* NULL: not found in it */
    size_t bytes;
    char *owned;     /* ptx, if it was unpacked or has become longer */
    const char *why; /* there is no ptx */
    ndpModule module;
    bool is_loaded;
    cudaError_t error;  /* of loading */
    ndpDevicePtr print; /* buffer of printf; 0: it has none */
    struct cu_module **handle;
};

/* What a program's exit report counts of a kernel, by where it ran. */
struct cu_counts {
    uint64_t launches, cycles, instructions;
};

enum { CU_DEVICE, CU_FALLBACK, CU_PLACES };

struct cu_kernel {
    const void *host;
    const char *name;
    struct cu_module *module;
    ndpFunction function; /* NULL: not asked for yet */
    cudaError_t error;    /* of asking for it */
    struct cu_counts counts[CU_PLACES];
};

struct cu_variable {
    const void *host;
    const char *name;
    size_t bytes;
    struct cu_module *module;
};

/* Memory that was given out.  host: pages at the same address in this process,
 * of managed memory; NULL: none. */
struct cu_block {
    ndpDevicePtr at, taken; /* taken: as ndpMemAlloc gave it */
    size_t bytes;
    uint8_t *host;
};

struct cu_state {
    ndpDevice device; /* NULL: not open */
    const char *url;
    cudaError_t open_error, sticky;
    unsigned timeout; /* milliseconds of a launch */
    double megahertz; /* of the machine's clock, for event times */
    bool has_cycles;
    uint64_t cycles; /* of all launches */
    ARRAY(struct cu_module *) modules;
    ARRAY(struct cu_kernel) kernels;
    ARRAY(struct cu_variable) variables;
    ARRAY(struct cu_block) blocks;
};

extern struct cu_state cu;

/* state.c: cu_enter opens the device; cu_begin does not, for calls that need
 * none.  cu_leave notes the error and returns it. */
cudaError_t cu_enter(void);
cudaError_t cu_begin(void);
cudaError_t cu_leave(cudaError_t e);
#define CU_CALL(call)                                                          \
    do {                                                                       \
        cudaError_t cu_result = cu_enter();                                    \
        return cu_leave(cu_result == cudaSuccess ? (call) : cu_result);        \
    } while (0)

/* libndp's error as CUDA's, with libndp's text on standard error. */
cudaError_t cu_error(ndpResult r);
/* The same without text, for errors that programs provoke on purpose. */
cudaError_t cu_quiet(ndpResult r);
/* Say what is not there, once for each name. */
cudaError_t cu_unsupported(const char *name);
void cu_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* register.c */
cudaError_t cu_load(struct cu_module *m);
cudaError_t cu_find_kernel(const void *host, struct cu_kernel **kernel);
cudaError_t cu_find_variable(const void *host, ndpDevicePtr *at, size_t *bytes);

/* memory.c: the block that address p lies in, or NULL; managed memory to the
 * device before a launch, and back. */
const struct cu_block *cu_block_of(const void *p);
cudaError_t cu_push_managed(void);
cudaError_t cu_pull_managed(void);
void cu_free_blocks(void);

/* print.c */
bool cu_print(struct cu_module *m); /* whether an assertion has failed */

/* record.c: around a launch, if NDP_RECORD is set. */
void cu_record_before(const struct cu_kernel *k, dim3 grid, dim3 block,
                      size_t shared, const ndpArgument *arguments, int n);
void cu_record_after(bool ok);

/* report.c */
void cu_report(void);

#endif
