/* launch.c - a kernel on the core: what it needs, start, wait, fault. */
#include "runtime.h"

#include "blocks/host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of simt: ops of its commands, launch registers, states (docs/blocks/simt.md).
 */
enum { OP_START = 3, OP_HALT, OP_RESUME, OP_CLEAR = 8 };
enum { RUNNING = 1, DONE, FAULTED, STATE = 3, QUIET = 8 };
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

/* --- arguments ------------------------------------------------------------ */

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

/* The code memory holds one module's code at a time, from word 0 on. */
static ndpResult load_code(ndpDevice d, const struct ndp_module *m) {
    const struct isa_image *image = m->image;
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
        d->in_code = m;
    return r;
}

static ndpResult take_local(ndpDevice d, const struct isa_kernel *k,
                            uint32_t *words) {
    uint64_t slots = (uint64_t)(d->shape.warps * d->shape.lanes);
    uint64_t bytes = slots * (uint64_t)k->local;
    if (bytes == 0)
        return NDP_SUCCESS;
    if (bytes > UINT32_MAX / 2)
        bytes = UINT32_MAX / 2; /* refused as too much */
    ndpResult r = ndp_take(d, (uint32_t)bytes, "local memory", &d->local);
    words[ISA_WORD_LOCAL] = d->local;
    words[ISA_WORD_LOCAL_BYTES] = (uint32_t)k->local;
    return r;
}

/* A core that was done or faulted goes back to idle. */
static ndpResult start(ndpDevice d, const uint32_t *launch,
                       const uint32_t *words, int n_words) {
    ndpResult r = ndp_command(d, HOST_COM_op, OP_CLEAR);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, 0);
    if (r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_set, launch, REGISTERS);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, 0);
    if (r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_param, words, n_words);
    return r == NDP_SUCCESS ? ndp_command(d, HOST_COM_op, OP_START) : r;
}

ndpResult ndpLaunchKernel(ndpFunction function, unsigned grid_x,
                          unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared,
                          const ndpArgument *arguments, unsigned n_arguments) {
    ndpDevice d = function->module->device;
    const struct isa_kernel *k = function->kernel;
    const uint32_t grid[3] = {grid_x, grid_y, grid_z};
    const uint32_t block[3] = {block_x, block_y, block_z};
    struct plan p = {0};
    ndpResult r = ndp_wait(d, 0);
    if (r == NDP_SUCCESS)
        r = check_sizes(d, grid, block, &p);
    if (r == NDP_SUCCESS)
        r = plan_launch(d, k, shared, &p);
    if (r != NDP_SUCCESS)
        return r;
    uint32_t *words = calloc((size_t)k->param_words + ISA_WORDS_HIDDEN, 4);
    if (!words)
        return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    words[ISA_WORD_DATA] = function->module->data;
    r = make_params(d, k, arguments, n_arguments, words);
    if (r == NDP_SUCCESS)
        r = take_local(d, k, words);
    if (r == NDP_SUCCESS && d->in_code != function->module)
        r = load_code(d, function->module);
    const uint32_t launch[REGISTERS] = {(uint32_t)k->entry,
                                        grid[0],
                                        grid[1],
                                        grid[2],
                                        block[0],
                                        block[1],
                                        block[2],
                                        p.threads,
                                        p.warps,
                                        p.resident,
                                        p.shared,
                                        4 * d->shape.memory_words,
                                        d->watchdog};
    if (r == NDP_SUCCESS)
        r = start(d, launch, words, k->param_words);
    free(words);
    if (r == NDP_SUCCESS) {
        d->running = function;
    } else if (d->local) {
        ndp_give(d, d->local);
        d->local = 0;
    }
    return r;
}

/* --- wait ----------------------------------------------------------------- */

static ndpResult note_fault(ndpDevice d, const struct ndp_function *f) {
    uint32_t fault, pc, address;
    const struct isa_image *image = f->module->image;
    ndpResult r = ndp_status(d, HOST_STA_fault, &fault);
    if (r == NDP_SUCCESS)
        r = ndp_status(d, HOST_STA_fault_pc, &pc);
    if (r == NDP_SUCCESS)
        r = ndp_status(d, HOST_STA_fault_address, &address);
    if (r != NDP_SUCCESS)
        return r;
    const char *what = causes[fault & 15];
    d->fault = (ndpFault){
        .cause = (int)(fault & 15),
        .what = what ? what : "unknown cause",
        .warp = fault >> 4,
        .pc = pc,
        .address = address,
        .kernel = f->kernel->name,
    };
    bool stuck = d->fault.cause == 9;
    if (!stuck && image->lines && pc < (uint32_t)image->n_words)
        d->fault.line = image->lines[pc];
    struct text t = {0};
    text_printf(&t, "kernel '%s': %s", f->kernel->name, d->fault.what);
    if (address)
        text_printf(&t, " 0x%x", (unsigned)address);
    if (!stuck)
        text_printf(&t, ", warp %u, word %u", d->fault.warp, (unsigned)pc);
    if (d->fault.line)
        text_printf(&t, ", PTX line %d", d->fault.line);
    r = ndp_fail(d, NDP_ERROR_LAUNCH_FAILED, "%s", text_str(&t));
    text_free(&t);
    return r;
}

/* Let requests under way come to their end, so that clear is taken. */
static ndpResult stop(ndpDevice d) {
    ndpResult r = ndp_command(d, HOST_COM_op, OP_HALT);
    for (int tries = 0; r == NDP_SUCCESS && tries < 100; tries++) {
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

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void over(ndpDevice d) {
    d->running = NULL;
    if (d->local)
        ndp_give(d, d->local);
    d->local = 0;
}

ndpResult ndp_wait(ndpDevice d, unsigned milliseconds) {
    const struct ndp_function *f = d->running;
    int64_t end = now_ms() + (milliseconds ? milliseconds : 60000);
    uint32_t pause = 32, core;
    ndpResult r;
    if (!d->port || d->lost)
        return ndp_fail(d, NDP_ERROR_DEVICE_LOST, "the device is lost");
    if (!f)
        return NDP_SUCCESS;
    for (;;) {
        if ((r = ndp_status(d, HOST_STA_core, &core)) != NDP_SUCCESS)
            break;
        if ((core & STATE) == DONE)
            break;
        if ((core & STATE) == FAULTED) {
            r = note_fault(d, f);
            ndpResult stopped = stop(d);
            r = stopped == NDP_SUCCESS ? r : stopped;
            break;
        }
        if (now_ms() >= end) {
            r = stop(d);
            if (r == NDP_SUCCESS)
                r = ndp_fail(d, NDP_ERROR_LAUNCH_TIMEOUT,
                             "kernel '%s' did not end in time and was stopped",
                             f->kernel->name);
            break;
        }
        struct ndp_access a = {NDP_IDLE, 0, pause};
        if ((r = ndp_accesses(d, &a, 1)) != NDP_SUCCESS)
            break;
        if (pause < 2048)
            pause *= 2;
    }
    over(d);
    return r;
}

ndpResult ndpCtxSynchronize(ndpDevice device, unsigned milliseconds) {
    return ndp_wait(device, milliseconds);
}
