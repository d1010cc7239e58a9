/* ndp.h - libndp: run kernels on a machine that ndpgen made.
 *
 *     ndpInit(0);
 *     ndpDeviceOpen(&device, "golden:tiny");
 *     ndpModuleLoadData(&module, device, image, bytes);
 *     ndpModuleGetFunction(&kernel, module, "axpy");
 *     ndpMemAlloc(&x, device, 4 * n);
 *     ndpMemcpyHtoD(device, x, host_x, 4 * n);
 *     ndpArgument arguments[] = {NDP_ARG(n), NDP_ARG(x)};
 *     ndpLaunchKernel(kernel, n / 256, 1, 1, 256, 1, 1, 0, arguments, 2);
 *     ndpCtxSynchronize(device, 10000);
 *     ndpMemcpyDtoH(device, host_x, x, 4 * n);
 *     ndpDeviceClose(device);
 *
 * Names and order are those of the CUDA driver API where it has the function.
 * What it keeps in a current context is an argument here: nothing is global,
 * and devices may be used by different threads, each by one at a time.
 *
 * Devices, by URL:
 *   golden:PRESET   the golden machine in this process; PRESET may be a
 *                   configuration file (its name ends in .yml)
 *   untimed:PRESET  the same without any notion of time, as a reference of what
 *                   its instructions do
 *   verilator:DIR   the RTL in DIR (ndpgen --target system -o DIR), in a child
 *   icarus:DIR      process that "sh scripts/machine.sh" has built there
 *   exec            no machine: the functional executor, which runs all PTX
 *                   (modules are PTX text; no cycles, no trace)
 *   serial:TTY      a machine on a board, behind a serial line
 *   serial:TTY@BAUD (docs/runtime.md); default 1000000
 *
 * Every function returns NDP_SUCCESS or what is wrong; ndpGetErrorString gives
 * the text with all that is known.  After any error but NDP_ERROR_DEVICE_LOST
 * the device can be used as before.  Nothing waits for ever.
 */
#ifndef NDP_H
#define NDP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NDP_VERSION 1

/* Numbers as in CUDA where it has the error. */
typedef enum {
    NDP_SUCCESS = 0,
    NDP_ERROR_INVALID_VALUE = 1,
    NDP_ERROR_OUT_OF_MEMORY = 2,
    NDP_ERROR_NO_DEVICE = 100,      /* no such URL, or it does not start */
    NDP_ERROR_INVALID_DEVICE = 101, /* it answers, but is no such machine */
    NDP_ERROR_INVALID_IMAGE = 200,
    NDP_ERROR_NO_BINARY_FOR_GPU = 209, /* code for a larger machine */
    NDP_ERROR_FILE_NOT_FOUND = 301,
    NDP_ERROR_NOT_FOUND = 500, /* no kernel, variable, counter */
    NDP_ERROR_NOT_READY = 600,
    NDP_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    NDP_ERROR_LAUNCH_TIMEOUT = 702,
    NDP_ERROR_LAUNCH_FAILED = 719, /* the kernel faulted: ndpDeviceGetFault */
    NDP_ERROR_DEVICE_LOST = 999    /* it no longer answers */
} ndpResult;

typedef struct ndp_device *ndpDevice;
typedef struct ndp_module *ndpModule;
typedef struct ndp_function *ndpFunction;
typedef uint32_t ndpDevicePtr; /* byte address on the device */

typedef struct {
    const void *data;
    size_t bytes;
} ndpArgument;

#define NDP_ARG(value)                                                         \
    { &(value), sizeof(value) }

typedef enum {
    NDP_ATTRIBUTE_LANES, /* threads of a warp */
    NDP_ATTRIBUTE_WARPS,
    NDP_ATTRIBUTE_CTAS,
    NDP_ATTRIBUTE_REGISTERS,
    NDP_ATTRIBUTE_SHARED_BYTES,
    NDP_ATTRIBUTE_CODE_WORDS,
    NDP_ATTRIBUTE_PARAM_WORDS,
    NDP_ATTRIBUTE_MAX_THREADS, /* of a CTA */
    NDP_ATTRIBUTE_STACK,       /* entries of a warp's reconvergence stack */
    NDP_ATTRIBUTE_PTX_ONLY,    /* 1: the executor, which takes no images */
    NDP_ATTRIBUTE_STACKS,      /* memory stacks that run blocks of a kernel */
    NDP_ATTRIBUTES
} ndpAttribute;

/* Why a launch failed. */
typedef struct {
    int cause;            /* as simt's fault_cause; 0: none, or a time-out */
    const char *what;     /* "misaligned address"; "no end" (of a time-out) */
    unsigned warp;        /* on the machine */
    unsigned pc;          /* code word */
    ndpDevicePtr address; /* of memory faults */
    int line;             /* of the PTX, 0: not known */
    const char *kernel;   /* name, while its module is loaded */
} ndpFault;

/* flags: 0. */
ndpResult ndpInit(unsigned flags);
ndpResult ndpDriverGetVersion(int *version);

/* Name of a result ("NDP_ERROR_NOT_FOUND"); "?" if it is none. */
const char *ndpGetErrorName(ndpResult result);
/* What was wrong last, with all that is known; "no error".  It stays until the
 * next error.  device NULL: "out of memory". */
const char *ndpGetErrorString(ndpDevice device);

/* *device is there after an error, too, for its text, and must be closed; it is
 * NULL if memory ran out. */
ndpResult ndpDeviceOpen(ndpDevice *device, const char *url);
void ndpDeviceClose(
    ndpDevice device); /* with all its modules; NULL is allowed */
ndpResult ndpDeviceGetAttribute(int *value, ndpAttribute a, ndpDevice device);
/* "ndp_system 463e3eb7c02bd182": its configuration, cut to len bytes. */
ndpResult ndpDeviceGetName(char *name, int len, ndpDevice device);
ndpResult ndpDeviceTotalMem(size_t *bytes, ndpDevice device);

/* Kernels that a machine refuses run on the executor, from the next module on;
 * before that and after it the whole memory moves.  Such modules are PTX. */
ndpResult ndpDeviceSetFallback(ndpDevice device);

/* What threads print on the executor through vprintf that the module does not
 * define: text for standard output, of n bytes.  NULL: nowhere. */
typedef void (*ndpPrint)(void *ctx, const char *text, size_t n);
ndpResult ndpDeviceSetPrint(ndpDevice device, ndpPrint print, void *ctx);

/* image: what ndpcc --assemble writes, or PTX text, which is assembled kernel
 * by kernel when one is asked for, so that a kernel which the machine cannot
 * have is no hindrance to others.  It may be freed after the call. */
ndpResult ndpModuleLoadData(ndpModule *module, ndpDevice device,
                            const void *image, size_t bytes);
/* The same from a file. */
ndpResult ndpModuleLoad(ndpModule *module, ndpDevice device, const char *path);
ndpResult ndpModuleUnload(ndpModule module);
/* The function is the module's. */
ndpResult ndpModuleGetFunction(ndpFunction *function, ndpModule module,
                               const char *name);
/* Of a function: */
typedef enum {
    NDP_FUNC_REGISTERS,
    NDP_FUNC_SHARED_BYTES, /* that it declares */
    NDP_FUNC_LOCAL_BYTES,  /* a thread */
    NDP_FUNC_MAX_THREADS,  /* of a CTA */
    NDP_FUNC_PARAMS,       /* how many */
    NDP_FUNC_WORDS,        /* of code; 0 on the executor */
    NDP_FUNC_ON_FALLBACK   /* 1: the machine has refused it */
} ndpFuncAttribute;
ndpResult ndpFuncGetAttribute(int *value, ndpFuncAttribute a,
                              ndpFunction function);
/* Bytes of a parameter. */
ndpResult ndpFuncGetParamSize(size_t *bytes, ndpFunction function, int n);
/* Whether the kernel takes the 8 bytes from offset of a parameter for an
 * address, as far as its PTX shows; 0 of a module that came assembled. */
int ndpFuncParamIsAddress(ndpFunction function, int n, size_t offset);
/* Name of the n-th variable; NULL past the last. */
const char *ndpModuleGlobalName(ndpModule module, int n);
/* Where a variable lies; bytes may be NULL. */
ndpResult ndpModuleGetGlobal(ndpDevicePtr *at, size_t *bytes, ndpModule module,
                             const char *name);

/* Aligned to 256 bytes, with near-bank units to 64 bytes a lane of a warp, if
 * that is more; what is there is anything. */
ndpResult ndpMemAlloc(ndpDevicePtr *at, ndpDevice device, size_t bytes);
ndpResult ndpMemFree(ndpDevice device, ndpDevicePtr at); /* 0 is allowed */
/* Copies wait for a launch that runs, as ndpCtxSynchronize without a limit of
 * its own would, and return its error. */
ndpResult ndpMemcpyHtoD(ndpDevice device, ndpDevicePtr to, const void *from,
                        size_t bytes);
ndpResult ndpMemcpyDtoH(ndpDevice device, void *to, ndpDevicePtr from,
                        size_t bytes);
ndpResult ndpMemsetD8(ndpDevice device, ndpDevicePtr to, uint8_t value,
                      size_t bytes);

/* The kernel begins; a launch that still runs is waited for first, and its
 * error returned.  One argument for each parameter, each of that parameter's
 * size; a device pointer (4 bytes) may stand for a parameter of 8.  shared:
 * bytes beside those that the kernel declares. */
ndpResult ndpLaunchKernel(ndpFunction function, unsigned grid_x,
                          unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared,
                          const ndpArgument *arguments, unsigned n_arguments);

/* What ndpLaunchKernel would say of a launch that the device cannot have,
 * without an access to the device: before buffers are copied to it.  It waits
 * for a launch that runs, too.  On the executor NDP_SUCCESS. */
ndpResult ndpLaunchCheck(ndpFunction function, unsigned grid_x, unsigned grid_y,
                         unsigned grid_z, unsigned block_x, unsigned block_y,
                         unsigned block_z, unsigned shared,
                         const ndpArgument *arguments, unsigned n_arguments);

/* Wait for the launch that runs, so many milliseconds at most (0: ten minutes).
 * A launch that does not end is stopped: NDP_ERROR_LAUNCH_TIMEOUT.  A machine's
 * clock stands still while nobody waits, but for a board's. */
ndpResult ndpCtxSynchronize(ndpDevice device, unsigned milliseconds);

/* So many edges of a machine's clock pass, for a simulator that steps it beside
 * others; *running: whether the launch goes on.  When it has ended, its result
 * is returned, as of ndpCtxSynchronize.  The executor ends a launch in one
 * step. */
ndpResult ndpDeviceStep(ndpDevice device, unsigned edges, int *running);

/* Cores of the machine, and how many of them launches are shared by, the first
 * ones (default: all).  Core c of n takes CTAs c, c + n, ... */
ndpResult ndpDeviceGetCores(int *cores, ndpDevice device);
ndpResult ndpDeviceSetCores(ndpDevice device, int cores);

/* Of a machine of several SMs with prefetchers (docs/blocks/image_mesh.md), which CTAs
 * each of those that share launches takes: by step (default), or those of an area, a
 * band of rows, a band of columns or a tile of the grid.  A trace needs the first. */
typedef enum { NDP_CTA_STEP, NDP_CTA_ROW, NDP_CTA_COLUMN, NDP_CTA_TILE } ndpCta;
ndpResult ndpDeviceSetCta(ndpDevice device, ndpCta cta);

/* An area of a grid of CTAs, upper bounds outside it. */
typedef struct {
    unsigned x_lo, x_hi, y_lo, y_hi;
    int by_column; /* 1: its CTAs are taken column by column */
} ndpArea;

/* The area of a core; by step the whole grid.  It may be empty. */
ndpResult ndpDeviceGetArea(ndpArea *area, ndpDevice device, int core,
                           unsigned grid_x, unsigned grid_y);

/* Of a machine whose network computes offload chains (docs/blocks/chained.md):
 * none leaves its core; those whose loads have one memory node; all that meet
 * somewhere (default); those whose loads and store have one memory node. */
typedef enum {
    NDP_CHAINS_OFF,
    NDP_CHAINS_LLC,
    NDP_CHAINS_OMNI,
    NDP_CHAINS_LLC_ALL
} ndpChains;
ndpResult ndpDeviceSetChains(ndpDevice device, ndpChains chains);

/* What its offload queues and gates have counted, all together, since the last
 * ndpDeviceClearCounters: "packets", "locals", "hops", ...; NULL past the last.
 */
const char *ndpDeviceChainCounterName(int n);
ndpResult ndpDeviceGetChainCounter(uint64_t *value, ndpDevice device,
                                   const char *name);

/* Of a machine with a near-bank unit (docs/blocks/mpu_core.md), which dies run
 * its instructions: what the compiler has marked (default), where their
 * operands are, near what can, nothing near. */
typedef enum {
    NDP_POLICY_ANNOTATED,
    NDP_POLICY_DEFAULT,
    NDP_POLICY_NEAR,
    NDP_POLICY_FAR
} ndpPolicy;
ndpResult ndpDeviceSetPolicy(ndpDevice device, ndpPolicy policy);

/* What the unit has counted since the last ndpDeviceClearCounters: "went_near",
 * "moved_down", "beats_lsu", ...; NULL past the last. */
const char *ndpDeviceUnitCounterName(int n);
ndpResult ndpDeviceGetUnitCounter(uint64_t *value, ndpDevice device,
                                  const char *name);

/* Of a machine with a pattern-aware prefetcher (docs/blocks/image.md): nothing is
 * prefetched; what the walks over images say (default); what strides of warps say. */
typedef enum {
    NDP_PREFETCH_PATTERN,
    NDP_PREFETCH_NONE,
    NDP_PREFETCH_STRIDE
} ndpPrefetch;
ndpResult ndpDeviceSetPrefetch(ndpDevice device, ndpPrefetch prefetch);

/* Of a machine with memory stacks that have cores: whether blocks of a kernel leave
 * their core.  All leave the same bytes in memory. */
typedef enum {
    NDP_OFFLOAD_OFF,
    NDP_OFFLOAD_CONTROLLED,
    NDP_OFFLOAD_UNCONTROLLED
} ndpOffload;
ndpResult ndpDeviceSetOffload(ndpDevice device, ndpOffload offload);
/* Which stack has an address: the baseline (-1), or that of the address bits from one
 * on.  Before any memory is taken. */
ndpResult ndpDeviceSetMap(ndpDevice device, int bit);
/* A core of a stack issues an instruction each so many edges at most. */
ndpResult ndpDeviceSetPace(ndpDevice device, unsigned edges);
const char *ndpDeviceOffloadCounterName(int n);
ndpResult ndpDeviceGetOffloadCounter(uint64_t *value, ndpDevice device,
                                     const char *name);

/* A walk of blocks over a part of an image: lengths along x in bytes, along y in
 * rows.  Along x, blocks of 0 rows stay in their rows and begin again at x_lo. */
typedef struct {
    ndpDevicePtr start;
    uint32_t size, pitch; /* of the image; from one row to the next */
    int along_y;          /* 1: down the columns first */
    int printed;          /* 1: modified stride as the paper prints it */
    uint32_t block_x, block_y;
    uint32_t x_lo, x_hi, y_lo, y_hi; /* the part, upper bounds outside it */
} ndpWalk;

/* Images that its prefetcher's table holds; 0 of a machine without one, and while
 * it does not follow walks. */
ndpResult ndpDeviceGetImages(int *images, ndpDevice device);
/* The images of the launches that follow, instead of all those before.  Not while a
 * launch runs: NDP_ERROR_NOT_READY. */
ndpResult ndpDeviceSetWalks(ndpDevice device, const ndpWalk *walks, int n);
/* The same of one SM of several; ndpDeviceSetWalks is for all of them. */
ndpResult ndpDeviceSetWalksOf(ndpDevice device, int sm, const ndpWalk *walks,
                              int n);

/* What prefetchers and caches of all SMs have counted since the last
 * ndpDeviceClearCounters: "cache.misses", "prefetch.issued", ...; NULL past the last. */
const char *ndpDevicePrefetchCounterName(int n);
ndpResult ndpDeviceGetPrefetchCounter(uint64_t *value, ndpDevice device,
                                      const char *name);

/* Copies to and from memory go through the machine's window word by word, as on
 * a board, also where the memory can be reached directly (default: off): of
 * golden machines.  What a launch does is the same. */
ndpResult ndpDeviceSetWindow(ndpDevice device, int on);

/* waits is called now and then while the library waits for a launch, with the
 * CTAs of all launches so far; it may read counters, and nothing else.  NULL:
 * nobody. */
typedef void (*ndpWaits)(void *ctx, ndpDevice device, uint64_t ctas);
ndpResult ndpDeviceSetWaits(ndpDevice device, ndpWaits waits, void *ctx);

/* Edges without a retirement after which a launch is stopped (default a
 * million; 0: never). */
ndpResult ndpDeviceSetWatchdog(ndpDevice device, uint32_t edges);

/* 1 if the device is lost, and by the serial line to it: its machine may be in
 * order.  Closed and opened again it is reset, and all can be done anew.  0
 * after any other error, and without one. */
int ndpDeviceLineFailed(ndpDevice device);

/* Of the last launch that failed. */
ndpResult ndpDeviceGetFault(ndpFault *fault, ndpDevice device);

/* Counters of the core since the last ndpDeviceClearCounters: "cycles",
 * "issued", "request", ...; name of the n-th: NULL past the last. */
const char *ndpDeviceCounterName(int n);
ndpResult ndpDeviceGetCounter(uint64_t *value, ndpDevice device,
                              const char *name);
ndpResult ndpDeviceClearCounters(ndpDevice device);

/* From now on write all that retires to out, as text for ndptrace
 * (docs/runtime.md): the same bytes whatever the device.  NULL ends that; out
 * stays the caller's, who asks ferror.  Waits for a launch that runs and
 * returns its error.  A trace must end before its device is closed, and before
 * out is. */
ndpResult ndpDeviceSetTrace(ndpDevice device, FILE *out);
/* The same of one core of a machine of several; the other is of the first. */
ndpResult ndpDeviceSetTraceOf(ndpDevice device, int core, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
