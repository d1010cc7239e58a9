/* runtime.h - inside of libndp. */
#ifndef NDP_RUNTIME_H
#define NDP_RUNTIME_H

#include "ndp.h"
#include "port.h"

#include "base/arena.h"
#include "isa/image.h"
#include "ptx/ir.h"

#include <stdbool.h>

/* Taken memory, in order of addresses. */
struct ndp_block {
    uint32_t at, bytes;
    uint32_t asked; /* of these; the others are nobody's */
    uint8_t *data;  /* contents at an engine; NULL: none, or local memory */
    struct ndp_block *next;
};

/* What executes PTX in this process, with no register port: a device of its
 * own, or the fallback of a machine, which knows the same addresses.  All
 * functions that return an ndpResult note the error at the device. */
struct ndp_engine;
struct iface;

struct ndp_engine_class {
    /* bytes at an address; owner: the module whose variables lie there, or
     * NULL.  Zeroed contents, valid until give; NULL: no memory for them. */
    void *(*take)(struct ndp_engine *e, uint32_t at, uint32_t bytes,
                  const struct ndp_module *owner);
    void (*give)(struct ndp_engine *e, uint32_t at);
    /* Parsed, and with a place for its variables. */
    ndpResult (*load)(struct ndp_engine *e, struct ndp_module *m);
    void (*unload)(struct ndp_engine *e, const struct ndp_module *m);
    ndpResult (*begin)(struct ndp_engine *e, const struct ndp_function *f,
                       const uint32_t *grid, const uint32_t *block,
                       uint32_t shared, const ndpArgument *arguments,
                       unsigned n);
    ndpResult (*wait)(struct ndp_engine *e, unsigned milliseconds);
    uint64_t (*executed)(const struct ndp_engine *e); /* warp instructions */
    void (*close)(struct ndp_engine *e);
};

struct ndp_engine {
    const struct ndp_engine_class *class;
    ndpDevice device;
};

struct ndp_shape {
    int warps, lanes, alus, registers, stack;
    int code_words, param_words, shared_words, ctas;
    uint32_t memory_words;
};

/* Where what retires is written. */
struct ndp_trace {
    FILE *out; /* NULL: nowhere */
    int core;  /* of a machine of several */
    bool in_launch;
    int number, kernels; /* of this trace; kernels written into it */
    uint64_t retired;
    struct ndp_watcher watcher;
    const struct ndp_function *function; /* of the launch */
    struct ndp_order *order;             /* trace_order.c; NULL: none so far */
};

/* Of a machine of several cores: a relay before each. */
enum { NDP_MOST_CORES = 256 };

enum { NDP_CHAIN_SUMS = 2 }; /* hops and flit-hops of a gate */

/* Of a machine with caches, in order of their regions; those behind NDP_CACHE of one
 * with prefetchers. */
enum { NDP_CACHE, NDP_SPLICE, NDP_PREFETCH, NDP_STRIDE, NDP_PREFETCH_PARTS };

struct ndp_addresses {
    uint32_t *v;
    int n, cap;
};

struct ndp_device {
    struct ndp_port *port; /* NULL: not open, or an engine alone */
    struct ndp_engine *engine;
    uint64_t engine_start; /* executed when counters were cleared */
    ndpPrint print;        /* what the engine's kernels print; NULL: nowhere */
    void *print_ctx;
    bool lost;
    bool by_window; /* all words of memory, also where there is another way */
    struct text error;
    uint32_t base; /* of the host port's registers */
    struct ndp_shape shape;
    uint32_t *relays; /* addresses of their registers, by core */
    int n_relays;     /* 0: a machine of one core, without */
    int cores;        /* that launches are shared by */
    bool chained;
    struct ndp_addresses units;         /* near-bank units' regions, by core */
    struct ndp_addresses queues, gates; /* none: chains stay with the cores */
    uint64_t sums[NDP_CHAIN_SUMS];      /* when counters were cleared */
    int caches;                         /* 0: none */
    int prefetchers;                    /* SMs that have one; 0: none */
    uint32_t parts[NDP_PREFETCH_PARTS]; /* regions of the first SM's */
    uint32_t part_step;                 /* to those of the next */
    ndpPrefetch prefetch;
    int stacks; /* with cores, behind the others; 0: none */
    struct ndp_addresses controllers; /* of main cores, by core */
    uint32_t loader, pace;            /* its region; of the stacks' cores */
    ndpCta cta;
    struct ndp_block *taken;
    struct ndp_module *modules;
    const struct isa_image *in_code; /* the code that the machine holds */
    const struct ndp_function *running;
    uint32_t local; /* memory of the launch that runs; 0: none */
    uint32_t watchdog;
    ndpWaits waits;
    void *waits_ctx;
    uint64_t ctas;                 /* of all launches */
    uint32_t write_gap, fetch_gap; /* edges that the window needs */
    ndpFault fault;
    int fault_core; /* of a machine of several */
    struct ndp_trace trace;
};

struct ndp_function {
    struct ndp_module *module;
    const char *name;
    const struct isa_image *image; /* NULL: not assembled */
    const struct isa_kernel *kernel;
    const struct ptx_function *ptx;        /* NULL: of a module without PTX */
    const struct param_address *addresses; /* in its parameters */
    int n_addresses;
    const char *refused; /* why the machine cannot have it; NULL: not known */
    ndpResult refusal;
    int traced_in, traced_as; /* number of a trace, and its number there */
};

struct ndp_module {
    struct ndp_module *next;
    ndpDevice device;
    struct arena arena;
    const struct isa_image *image; /* of PTX: its data alone */
    const struct ptx_module *ptx;  /* NULL: it came assembled */
    struct ndp_function *functions;
    int n_functions;
    uint32_t data; /* where its data lie; 0: it has none */
};

/* Note what is wrong, and return it. */
ndpResult ndp_fail(ndpDevice d, ndpResult r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Look for the host port behind port and learn the machine's sizes. */
ndpResult ndp_attach(ndpDevice d, struct ndp_port *port);
/* Hash of the machine's configuration. */
ndpResult ndp_hash(ndpDevice d, uint64_t *hash);

/* access.c: NDP_ERROR_DEVICE_LOST if the port fails. */
ndpResult ndp_accesses(ndpDevice d, struct ndp_access *list, int n);
ndpResult ndp_status(ndpDevice d, int status, uint32_t *value);
ndpResult ndp_command(ndpDevice d, int command, uint32_t data);
ndpResult ndp_commands(ndpDevice d, int command, const uint32_t *data, int n);
ndpResult ndp_write_words(ndpDevice d, uint32_t at, const uint32_t *words,
                          size_t n);
ndpResult ndp_read_words(ndpDevice d, uint32_t at, uint32_t *words, size_t n);

/* device.c: the machine's declaration, by the id that it shows; one of a library
 * that is newer counts as the plain machine. */
ndpResult ndp_machine(ndpDevice d, const struct iface **m);

/* cores.c: machines of several cores.  All of them do nothing without relays.
 */
ndpResult ndp_find_relays(ndpDevice d);
/* Commands go to cores from first to first + n - 1 from now on. */
ndpResult ndp_cores_take(ndpDevice d, int first, int n);
/* To all that share launches, and to the stacks' cores. */
ndpResult ndp_cores_share_takes(ndpDevice d);
/* Launch registers and local memory of each core, before the start; then those
 * that share the launch take commands. */
/* words: of parameters; bytes: of local memory, a core. */
ndpResult ndp_cores_share(ndpDevice d, const uint32_t *grid,
                          const uint32_t *words, uint32_t bytes);
/* The core at fault, 0 if none is. */
ndpResult ndp_cores_fault(ndpDevice d, int *core);
/* What all relays have counted. */
ndpResult ndp_cores_count(ndpDevice d, int counter, uint64_t *value);
ndpResult ndp_cores_clear(ndpDevice d);

/* chains.c: regions from first on, each so far behind the one before. */
ndpResult ndp_find_chains(ndpDevice d, uint32_t first, uint32_t stride);
ndpResult ndp_chains_clear(ndpDevice d);

/* near.c: the unit of a machine of one core, if it has one; those of n cores,
 * in regions from first on, each so far behind the one before. */
ndpResult ndp_find_unit(ndpDevice d);
ndpResult ndp_find_units(ndpDevice d, int n, uint32_t first, uint32_t stride);
ndpResult ndp_units_clear(ndpDevice d);
/* Bytes that a round over the near-bank units divides, 1 without such units. */
uint32_t ndp_unit_round(const struct ndp_device *d);

/* images.c: the cache of a machine of one core and the prefetcher around it, if
 * there are any; those of n cores of machine m, in regions from first on, each so far
 * behind the one before. */
ndpResult ndp_find_cache(ndpDevice d);
ndpResult ndp_find_caches(ndpDevice d, const struct iface *m, int n,
                          uint32_t first, uint32_t stride);
ndpResult ndp_caches_clear(ndpDevice d);

/* stacks.c: controllers and loader of a machine of n cores, in regions from first on,
 * each so far behind the one before; the blocks of an image. */
ndpResult ndp_find_stacks(ndpDevice d, int n, uint32_t first, uint32_t stride);
ndpResult ndp_stacks_load(ndpDevice d, const struct isa_image *image);
ndpResult ndp_stacks_clear(ndpDevice d);

/* memory.c */
ndpResult ndp_take(ndpDevice d, uint64_t bytes, const char *what, uint32_t *at);
bool ndp_give(ndpDevice d, uint32_t at);
/* The same, with contents at the engine if there is one. */
ndpResult ndp_take_for(ndpDevice d, uint32_t bytes, const char *what,
                       const struct ndp_module *owner, uint32_t *at);

/* A device without machine, or with both; engine: the device's to close. */
ndpResult ndp_attach_engine(ndpDevice d, struct ndp_engine *engine);

/* module_ptx.c: a module of PTX text, and words of one of its kernels for the
 * machine.  NDP_ERROR_NO_BINARY_FOR_GPU: it cannot have it. */
bool ndp_is_ptx(const void *image, size_t bytes);
ndpResult ndp_read_ptx(struct ndp_module *m, const char *text, size_t bytes);
ndpResult ndp_assemble(struct ndp_function *f);
ndpResult ndp_fits(ndpDevice d, const struct isa_image *image);

/* engine.c: whether f runs on the engine, and what goes around a launch there:
 * memory of a machine to it, and back. */
bool ndp_on_engine(const struct ndp_function *f);
ndpResult ndp_engine_launch(const struct ndp_function *f, const uint32_t *grid,
                            const uint32_t *block, uint32_t shared,
                            const ndpArgument *arguments, unsigned n);
ndpResult ndp_engine_wait(ndpDevice d, unsigned milliseconds);

/* launch.c */
ndpResult ndp_wait(ndpDevice d, unsigned milliseconds);

/* The watcher's calls of a core whose instructions end in any order; a launch,
 * and the trace's end. */
void ndp_order_started(void *device, uint64_t edge, uint32_t warp,
                       uint32_t mask, const uint32_t *lanes);
void ndp_order_entered(void *device, uint32_t warp, uint32_t pc, uint32_t mask);
void ndp_order_done(void *device, uint64_t edge, uint32_t warp, uint32_t pc,
                    bool near);
void ndp_order_begin(ndpDevice d);
void ndp_order_end(ndpDevice d);

/* trace.c: before the command that starts, and when it is over with r; nothing
 * unless there is a trace. */
ndpResult ndp_trace_launch(ndpDevice d, struct ndp_function *f,
                           const uint32_t *grid, const uint32_t *block,
                           unsigned warps, unsigned resident);
void ndp_trace_over(ndpDevice d, ndpResult r);

#endif
