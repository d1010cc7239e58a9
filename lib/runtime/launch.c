/* launch.c - a kernel on the core: what it needs, start, wait, fault. */
#include "runtime.h"

#include "blocks/host.h"
#include "codegen/pointers.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of simt: ops of its commands, launch registers, states (docs/blocks/simt.md).
 */
enum { OP_START = 3, OP_HALT, OP_RESUME, OP_CLEAR = 8 };
enum { RUNNING = 1, DONE, FAULTED, STATE = 3, QUIET = 8, ANSWERED = 16 };
enum { WHAT_PC = 64 << 16, WHAT_STATE = 66 << 16, WATCHDOG = 9 };
enum { DEFAULT_MS = 600000 };
enum { REGISTERS = 13 };

static const char *const causes[16] = {
    "none",
    "illegal word",
    "misaligned address",
    "unmapped address",
    "stack overflow",
    "lanes part at a branch that names no join",
    "barrier that some lanes do not reach",
    "trap",
    "memory refused an access",
    "nothing retired for too long (watchdog)",
};

struct plan {
    uint32_t threads, warps, resident, shared;
};

/* --- does it fit ---------------------------------------------------------- */

static ndpResult check_sizes(ndpDevice d, const uint32_t *grid,
                             const uint32_t *block, struct plan *p) {
    uint32_t most = (uint32_t)(d->shape.warps * d->shape.lanes);
    if (most > 1024)
        most = 1024;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (grid[i] == 0 || block[i] == 0)
            return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                            "grid %u x %u x %u of blocks %u x %u x %u has no "
                            "threads",
                            grid[0], grid[1], grid[2], block[0], block[1],
                            block[2]);
        threads *= block[i] < 4096 ? block[i] : 4096;
    }
    if (grid[1] > 65535 || grid[2] > 65535)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "a grid of %u x %u x %u, expected 65535 at most in y "
                        "and z",
                        grid[0], grid[1], grid[2]);
    if (threads > most)
        return ndp_fail(d, NDP_ERROR_LAUNCH_OUT_OF_RESOURCES,
                        "a block of %u x %u x %u threads is more than the "
                        "%u that the device has",
                        block[0], block[1], block[2], (unsigned)most);
    p->threads = (uint32_t)threads;
    p->warps =
        (p->threads + (uint32_t)d->shape.lanes - 1) / (uint32_t)d->shape.lanes;
    return NDP_SUCCESS;
}

/* As many CTAs at a time as warps, slots and shared memory have room for. */
static ndpResult plan_launch(ndpDevice d, const struct isa_kernel *k,
                             uint32_t shared, struct plan *p) {
    uint32_t unit = 4 * (uint32_t)d->shape.alus;
    uint32_t all = 4 * (uint32_t)d->shape.shared_words;
    uint64_t bytes = (uint64_t)(uint32_t)k->shared + shared;
    if (bytes > all)
        return ndp_fail(d, NDP_ERROR_LAUNCH_OUT_OF_RESOURCES,
                        "kernel '%s' wants %llu bytes of shared memory, the "
                        "device has %u",
                        k->name, (unsigned long long)bytes, (unsigned)all);
    if (k->param_words > d->shape.param_words)
        return ndp_fail(d, NDP_ERROR_LAUNCH_OUT_OF_RESOURCES,
                        "kernel '%s' has %d words of parameters, the device "
                        "holds %d",
                        k->name, k->param_words, d->shape.param_words);
    p->shared = ((uint32_t)bytes + unit - 1) / unit * unit;
    p->resident = (uint32_t)d->shape.warps / p->warps;
    if (p->resident > (uint32_t)d->shape.ctas)
        p->resident = (uint32_t)d->shape.ctas;
    if (p->shared && p->resident > all / p->shared)
        p->resident = all / p->shared;
    return NDP_SUCCESS;
}

/* CUDA's warps have 32 lanes, and code that passes values between them counts
 * on that. */
static ndpResult check_lanes(ndpDevice d, const struct ndp_function *f) {
    const struct isa_image *image = f->image;
    const struct isa_kernel *k = f->kernel;
    for (int i = k->entry; d->shape.lanes != 32 && i < k->entry + k->n_words;
         i++) {
        struct isa_word w;
        if (isa_decode(image->words[i], d->shape.registers, &w) != ISA_LEGAL ||
            isa_info(w.op)->class != ISA_CLASS_cross)
            continue;
        struct text t = {0};
        if (image->lines && image->lines[i])
            text_printf(&t, ", PTX line %d", image->lines[i]);
        ndp_fail(d, NDP_ERROR_NO_BINARY_FOR_GPU,
                 "kernel '%s' passes values between the lanes of a warp (word "
                 "%d%s) and counts on 32, the device has %d",
                 k->name, i, text_str(&t), d->shape.lanes);
        text_free(&t);
        return NDP_ERROR_NO_BINARY_FOR_GPU;
    }
    return NDP_SUCCESS;
}

/* --- arguments ------------------------------------------------------------ */

/* A word above an address that says that it is one of the host's. */
static ndpResult check_addresses(ndpDevice d, const struct ndp_function *f,
                                 const uint32_t *words) {
    const struct isa_kernel *k = f->kernel;
    for (int i = 0; i < f->n_addresses; i++) {
        const uint32_t *w = words + k->params[f->addresses[i].param].word +
                            f->addresses[i].offset / 4;
        uint32_t low = w[0], high = w[1];
        if (high == 0 || high == UINT32_MAX)
            continue;
        d->fault = (ndpFault){
            .cause = 3, .what = causes[3], .address = low, .kernel = k->name};
        return ndp_fail(d, NDP_ERROR_LAUNCH_FAILED,
                        "kernel '%s': %s 0x%x%08x in its parameters, as memory "
                        "of the host has",
                        k->name, causes[3], (unsigned)high, (unsigned)low);
    }
    return NDP_SUCCESS;
}

static ndpResult make_params(ndpDevice d, const struct isa_kernel *k,
                             const ndpArgument *arguments, unsigned n,
                             uint32_t *words) {
    if (n != (unsigned)k->n_params)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "kernel '%s' has %d parameters, got %u arguments",
                        k->name, k->n_params, n);
    for (unsigned i = 0; i < n; i++) {
        const struct isa_param *p = &k->params[i];
        bool pointer = p->bytes == 8 && arguments[i].bytes == 4;
        if (!arguments[i].data ||
            (arguments[i].bytes != (size_t)p->bytes && !pointer))
            return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                            "parameter '%s' of kernel '%s' has %d bytes, got "
                            "%zu",
                            p->name, k->name, p->bytes, arguments[i].bytes);
        memcpy(words + p->word, arguments[i].data, arguments[i].bytes);
    }
    return NDP_SUCCESS;
}

/* --- start ---------------------------------------------------------------- */

/* The code memory holds one image's code at a time, from word 0 on. */
static ndpResult load_code(ndpDevice d, const struct isa_image *image) {
    ndpResult r = ndp_command(d, HOST_COM_index, 0);
    struct ndp_access list[512];
    uint32_t high = 0,
             commands = d->base + (uint32_t)iface_first_command(&host_iface);
    bool known = false;
    d->in_code = NULL;
    for (int i = 0; r == NDP_SUCCESS && i < image->n_words;) {
        int n = 0;
        for (; i < image->n_words && n < 510; i++) {
            uint32_t upper = (uint32_t)(image->words[i] >> 32);
            if (!known || upper != high)
                list[n++] = (struct ndp_access){
                    NDP_WRITE, commands + HOST_COM_high, upper};
            list[n++] = (struct ndp_access){NDP_WRITE, commands + HOST_COM_code,
                                            (uint32_t)image->words[i]};
            high = upper;
            known = true;
        }
        r = ndp_accesses(d, list, n);
    }
    if (r == NDP_SUCCESS)
        r = ndp_stacks_load(d, image);
    if (r == NDP_SUCCESS)
        d->in_code = image;
    return r;
}

static ndpResult take_local(ndpDevice d, const struct isa_kernel *k,
                            uint32_t *words) {
    uint64_t slots = (uint64_t)(d->shape.warps * d->shape.lanes * d->cores);
    uint64_t bytes = slots * (uint64_t)k->local;
    if (bytes == 0)
        return NDP_SUCCESS;
    ndpResult r = ndp_take(d, bytes, "local memory of all threads", &d->local);
    words[ISA_WORD_LOCAL] = d->local;
    words[ISA_WORD_LOCAL_BYTES] = (uint32_t)k->local;
    return r;
}

/* A launch begins in the middle between two refreshes, the first of which has
 * come since memory was used last.  So what the host did before, and how long
 * that took, makes no difference to it. */
static ndpResult align(ndpDevice d) {
    enum { PAUSE = 1000 };
    uint64_t period = d->port->refresh, half = period / 2;
    ndpResult r = NDP_SUCCESS;
    if (period == 0)
        return r;
    uint64_t past = (d->port->edges + period - 1) / period * period;
    while (r == NDP_SUCCESS && d->port->edges < past + half) {
        uint64_t left = past + half - d->port->edges;
        bool last = left <= PAUSE + 2;
        struct ndp_access list[] = {
            {NDP_IDLE, 0, last ? (uint32_t)left : PAUSE},
            {NDP_READ, REG_ID, 0}}; /* a sign of life */
        r = ndp_accesses(d, list, last ? 1 : 2);
    }
    return r;
}

/* A core that was done or faulted goes back to idle.  Registers 1 and on: the grid. */
static ndpResult prepare(ndpDevice d, const uint32_t *launch,
                         const uint32_t *words, int n_words) {
    ndpResult r = align(d);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_op, OP_CLEAR);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, 0);
    if (r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_set, launch, REGISTERS);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, 0);
    if (r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_param, words, n_words);
    if (r == NDP_SUCCESS)
        r = ndp_cores_share(d, launch + 1, words,
                            words[ISA_WORD_LOCAL_BYTES] *
                                (uint32_t)(d->shape.warps * d->shape.lanes));
    return r;
}

static ndpResult start(ndpDevice d, ndpFunction f, const uint32_t *grid,
                       const uint32_t *block, const struct plan *p) {
    ndpResult r = ndp_trace_launch(d, f, grid, block, p->warps, p->resident);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_op, OP_START);
    if (r != NDP_SUCCESS)
        ndp_trace_over(d, r);
    return r;
}

/* What a launch needs besides the kernel. */
struct launch {
    uint32_t grid[3], block[3];
    struct plan plan;
    uint32_t *words; /* of parameters */
};

static void drop(ndpDevice d, struct launch *l) {
    free(l->words);
    l->words = NULL;
    if (d->local)
        ndp_give(d, d->local);
    d->local = 0;
}

/* Whether the kernel reads this word of its parameters. */
static bool reads_param(const struct isa_image *image,
                        const struct isa_kernel *k, int word) {
    struct isa_word w;
    for (int i = k->entry; i < k->entry + k->n_words; i++)
        if (isa_decode(image->words[i], ISA_REGISTERS, &w) == ISA_LEGAL &&
            w.op == ISA_ldp && w.value == (uint32_t)word)
            return true;
    return false;
}

/* All that can refuse a launch, without an access to the machine.  After an
 * error there is nothing to drop. */
static ndpResult plan_all(ndpFunction function, uint32_t shared,
                          const ndpArgument *arguments, unsigned n_arguments,
                          struct launch *l) {
    ndpDevice d = function->module->device;
    const struct isa_kernel *k = function->kernel;
    ndpResult r = check_sizes(d, l->grid, l->block, &l->plan);
    if (r == NDP_SUCCESS)
        r = plan_launch(d, k, shared, &l->plan);
    if (r == NDP_SUCCESS)
        r = check_lanes(d, function);
    if (r != NDP_SUCCESS)
        return r;
    l->words = calloc((size_t)k->param_words + ISA_WORDS_HIDDEN, 4);
    if (!l->words)
        return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    l->words[ISA_WORD_DATA] = function->module->data;
    r = make_params(d, k, arguments, n_arguments, l->words);
    if (r == NDP_SUCCESS)
        r = check_addresses(d, function, l->words);
    if (r == NDP_SUCCESS)
        r = take_local(d, k, l->words);
    if (r != NDP_SUCCESS)
        drop(d, l);
    else if (reads_param(function->image, k, ISA_WORD_CORE))
        l->words[ISA_WORD_CORE] = (uint32_t)d->cores << 16;
    return r;
}

/* A core whose warps are all at a stack retires nothing meanwhile. */
static uint32_t patience(const struct ndp_device *d) {
    enum { LONGER = 100 };
    bool fits = d->watchdog <= UINT32_MAX / LONGER;
    return d->stacks && fits ? LONGER * d->watchdog : d->watchdog;
}

static ndpResult begin(ndpFunction function, struct launch *l) {
    ndpDevice d = function->module->device;
    const struct isa_kernel *k = function->kernel;
    const struct plan *p = &l->plan;
    const uint32_t registers[REGISTERS] = {
        (uint32_t)k->entry, l->grid[0],  l->grid[1],  l->grid[2],
        l->block[0],        l->block[1], l->block[2], p->threads,
        p->warps,           p->resident, p->shared,   4 * d->shape.memory_words,
        patience(d)};
    ndpResult r = ndp_cores_take(d, 0, d->n_relays);
    if (r == NDP_SUCCESS && d->in_code != function->image)
        r = load_code(d, function->image);
    if (r == NDP_SUCCESS)
        r = prepare(d, registers, l->words, k->param_words);
    if (r == NDP_SUCCESS)
        r = start(d, function, l->grid, l->block, p);
    return r;
}

ndpResult ndpLaunchKernel(ndpFunction function, unsigned grid_x,
                          unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared,
                          const ndpArgument *arguments, unsigned n_arguments) {
    if (!function)
        return NDP_ERROR_INVALID_VALUE;
    ndpDevice d = function->module->device;
    struct launch l = {.grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z}};
    ndpResult r = ndp_wait(d, 0);
    if (r == NDP_SUCCESS && ndp_on_engine(function)) {
        r = ndp_engine_launch(function, l.grid, l.block, shared, arguments,
                              n_arguments);
        d->running = r == NDP_SUCCESS ? function : NULL;
        return r;
    }
    if (r == NDP_SUCCESS)
        r = plan_all(function, shared, arguments, n_arguments, &l);
    if (r != NDP_SUCCESS)
        return r;
    r = begin(function, &l);
    if (r != NDP_SUCCESS) {
        drop(d, &l);
        return r;
    }
    free(l.words);
    d->ctas += (uint64_t)grid_x * grid_y * grid_z;
    d->running = function;
    return r;
}

ndpResult ndpLaunchCheck(ndpFunction function, unsigned grid_x, unsigned grid_y,
                         unsigned grid_z, unsigned block_x, unsigned block_y,
                         unsigned block_z, unsigned shared,
                         const ndpArgument *arguments, unsigned n_arguments) {
    if (!function)
        return NDP_ERROR_INVALID_VALUE;
    ndpDevice d = function->module->device;
    struct launch l = {.grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z}};
    ndpResult r = ndp_wait(d, 0);
    if (r == NDP_SUCCESS && !ndp_on_engine(function))
        r = plan_all(function, shared, arguments, n_arguments, &l);
    if (r == NDP_SUCCESS)
        drop(d, &l);
    return r;
}

/* --- wait ----------------------------------------------------------------- */

/* What the debugger is told of a warp.  False: no answer, or an error in *r. */
static bool ask_warp(ndpDevice d, uint32_t what, uint32_t *value,
                     ndpResult *r) {
    struct ndp_access pause = {NDP_IDLE, 0, 8};
    uint32_t core = 0;
    *r = ndp_command(d, HOST_COM_read, what);
    if (*r == NDP_SUCCESS)
        *r = ndp_accesses(d, &pause, 1);
    if (*r == NDP_SUCCESS)
        *r = ndp_status(d, HOST_STA_core, &core);
    if (*r == NDP_SUCCESS)
        *r = ndp_status(d, HOST_STA_value, value);
    return *r == NDP_SUCCESS && core & ANSWERED;
}

/* Halt, and find out where a warp stands that is not idle, when none is at
 * fault.  Edges pass before that, so that the pipe gets empty. */
static ndpResult find_warp(ndpDevice d, ndpFault *fault, bool *found) {
    struct ndp_access pause = {NDP_IDLE, 0, 1000};
    uint32_t state, pc;
    ndpResult r = ndp_command(d, HOST_COM_op, OP_HALT);
    if (r == NDP_SUCCESS)
        r = ndp_accesses(d, &pause, 1);
    for (uint32_t warp = 0; r == NDP_SUCCESS && warp < (uint32_t)d->shape.warps;
         warp++) {
        if (!ask_warp(d, WHAT_STATE | warp, &state, &r) || (state & 15) == 0 ||
            !ask_warp(d, WHAT_PC | warp, &pc, &r))
            continue;
        fault->warp = warp;
        fault->pc = pc;
        *found = true;
        break;
    }
    return r;
}

/* ", warp 3, word 17, PTX line 20" */
static void say_where(ndpFault *fault, const struct ndp_function *f,
                      struct text *t) {
    const struct isa_image *image = f->image;
    if (image->lines && fault->pc < (uint32_t)image->n_words)
        fault->line = image->lines[fault->pc];
    text_printf(t, ", warp %u, word %u", fault->warp, fault->pc);
    if (fault->line)
        text_printf(t, ", PTX line %d", fault->line);
}

/* At fault is a block that had left. */
static bool in_a_stack(const struct ndp_device *d) {
    return d->stacks && d->fault_core >= d->n_relays - d->stacks;
}

static ndpResult note_fault(ndpDevice d, const struct ndp_function *f) {
    uint32_t fault, pc, address;
    int core;
    ndpResult r = ndp_status(d, HOST_STA_fault, &fault);
    if (r == NDP_SUCCESS)
        r = ndp_status(d, HOST_STA_fault_pc, &pc);
    if (r == NDP_SUCCESS)
        r = ndp_status(d, HOST_STA_fault_address, &address);
    if (r == NDP_SUCCESS)
        r = ndp_cores_fault(d, &core);
    if (r != NDP_SUCCESS)
        return r;
    const char *what = causes[fault & 15];
    d->fault_core = core;
    d->fault = (ndpFault){
        .cause = (int)(fault & 15),
        .what = what ? what : "unknown cause",
        .warp = fault >> 4,
        .pc = pc,
        .address = address,
        .kernel = f->kernel->name,
    };
    bool found = d->fault.cause != WATCHDOG;
    if (!found)
        r = ndp_cores_take(d, core, 1);
    if (!found && r == NDP_SUCCESS)
        r = find_warp(d, &d->fault, &found);
    if (r == NDP_SUCCESS)
        r = ndp_cores_share_takes(d);
    if (r != NDP_SUCCESS)
        return r;
    struct text t = {0};
    text_printf(&t, "kernel '%s': %s", f->kernel->name, d->fault.what);
    if (address)
        text_printf(&t, " 0x%x", (unsigned)address);
    if (d->n_relays)
        text_printf(&t, ", core %d", core);
    if (in_a_stack(d))
        text_add(&t, " in a stack, where the device stands still");
    if (found)
        say_where(&d->fault, f, &t);
    r = ndp_fail(d, NDP_ERROR_LAUNCH_FAILED, "%s", text_str(&t));
    text_free(&t);
    return r;
}

/* Let requests under way come to their end, so that clear is taken. */
static ndpResult stop(ndpDevice d) {
    /* blocks that are at a stack come to their end */
    ndpResult r = d->stacks ? ndp_cores_take(d, 0, d->cores) : NDP_SUCCESS;
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_op, OP_HALT);
    int most = d->stacks ? 10000 : 100;
    for (int tries = 0; r == NDP_SUCCESS && tries < most; tries++) {
        struct ndp_access pause = {NDP_IDLE, 0, 1000};
        uint32_t core;
        if ((r = ndp_status(d, HOST_STA_core, &core)) != NDP_SUCCESS)
            return r;
        if (core & QUIET) {
            r = ndp_command(d, HOST_COM_op, OP_CLEAR);
            if (r == NDP_SUCCESS)
                r = ndp_status(d, HOST_STA_core, &core);
            if (r != NDP_SUCCESS || (core & STATE) == 0)
                return r;
        }
        r = ndp_accesses(d, &pause, 1);
    }
    if (r == NDP_SUCCESS) {
        d->lost = true;
        r = ndp_fail(d, NDP_ERROR_DEVICE_LOST,
                     "the device is lost: the core does not stop");
    }
    return r;
}

/* A launch that takes too long.  Edges pass until the pipe is empty and the
 * core tells where it is. */
static ndpResult stop_late(ndpDevice d, const struct ndp_function *f) {
    struct text t = {0};
    d->fault = (ndpFault){.what = "no end", .kernel = f->kernel->name};
    bool found = false;
    ndpResult r = find_warp(d, &d->fault, &found);
    if (r == NDP_SUCCESS)
        r = stop(d);
    if (found)
        say_where(&d->fault, f, &t);
    if (r == NDP_SUCCESS)
        r = ndp_fail(d, NDP_ERROR_LAUNCH_TIMEOUT,
                     "kernel '%s' did not end in time and was stopped%s",
                     f->kernel->name, text_str(&t));
    text_free(&t);
    return r;
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void over(ndpDevice d, ndpResult r) {
    ndp_trace_over(d, r);
    d->running = NULL;
    if (d->local)
        ndp_give(d, d->local);
    d->local = 0;
}

ndpResult ndp_wait(ndpDevice d, unsigned milliseconds) {
    const struct ndp_function *f = d->running;
    int64_t end = now_ms() + (milliseconds ? milliseconds : DEFAULT_MS);
    uint32_t pause = 32, core;
    ndpResult r;
    if ((!d->port && !d->engine) || d->lost)
        return ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost");
    if (!f)
        return NDP_SUCCESS;
    if (ndp_on_engine(f)) {
        r = ndp_engine_wait(d, milliseconds ? milliseconds : DEFAULT_MS);
        d->running = NULL;
        return r;
    }
    for (;;) {
        if ((r = ndp_status(d, HOST_STA_core, &core)) != NDP_SUCCESS)
            break;
        if ((core & STATE) == DONE)
            break;
        if ((core & STATE) == FAULTED) {
            r = note_fault(d, f);
            d->lost = in_a_stack(d); /* the block's warp never comes back */
            ndpResult stopped = d->lost ? NDP_SUCCESS : stop(d);
            r = stopped == NDP_SUCCESS ? r : stopped;
            break;
        }
        if (now_ms() >= end) {
            r = stop_late(d, f);
            break;
        }
        struct ndp_access a = {NDP_IDLE, 0, pause};
        if ((r = ndp_accesses(d, &a, 1)) != NDP_SUCCESS)
            break;
        if (d->waits)
            d->waits(d->waits_ctx, d, d->ctas);
        if (pause < 2048)
            pause *= 2;
    }
    over(d, r);
    return r;
}

ndpResult ndpDeviceSetWaits(ndpDevice device, ndpWaits waits, void *ctx) {
    device->waits = waits;
    device->waits_ctx = ctx;
    return NDP_SUCCESS;
}

ndpResult ndpCtxSynchronize(ndpDevice device, unsigned milliseconds) {
    return ndp_wait(device, milliseconds);
}

ndpResult ndpDeviceStep(ndpDevice device, unsigned edges, int *running) {
    struct ndp_access pass = {NDP_IDLE, 0, edges};
    uint32_t core = 0;
    *running = 0;
    if (!device->port || !device->running || ndp_on_engine(device->running))
        return device->port && !device->running && !device->lost
                   ? ndp_accesses(device, &pass, 1)
                   : ndp_wait(device, 0);
    ndpResult r = ndp_accesses(device, &pass, 1);
    if (r == NDP_SUCCESS)
        r = ndp_status(device, HOST_STA_core, &core);
    if (r != NDP_SUCCESS)
        return r;
    *running = (core & STATE) == RUNNING;
    return *running ? NDP_SUCCESS : ndp_wait(device, 0);
}
