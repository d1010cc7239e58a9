/* device.c - a machine from outside: found behind its port, its sizes, its
 * counters, and what was wrong.
 */
#include "runtime.h"

#include "blocks/host.h"
#include "blocks/system.h"
#include "iface/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WATCHDOG = 1000000, FIRST_GAP = 8 };

ndpResult ndpInit(unsigned flags) {
    return flags ? NDP_ERROR_INVALID_VALUE : NDP_SUCCESS;
}

ndpResult ndpDriverGetVersion(int *version) {
    if (!version)
        return NDP_ERROR_INVALID_VALUE;
    *version = NDP_VERSION;
    return NDP_SUCCESS;
}

const char *ndpGetErrorName(ndpResult result) {
    switch (result) {
#define NAME(r)                                                                \
    case r:                                                                    \
        return #r;
        NAME(NDP_SUCCESS)
        NAME(NDP_ERROR_INVALID_VALUE)
        NAME(NDP_ERROR_OUT_OF_MEMORY)
        NAME(NDP_ERROR_NO_DEVICE)
        NAME(NDP_ERROR_INVALID_DEVICE)
        NAME(NDP_ERROR_INVALID_IMAGE)
        NAME(NDP_ERROR_NO_BINARY_FOR_GPU)
        NAME(NDP_ERROR_FILE_NOT_FOUND)
        NAME(NDP_ERROR_NOT_FOUND)
        NAME(NDP_ERROR_NOT_READY)
        NAME(NDP_ERROR_LAUNCH_OUT_OF_RESOURCES)
        NAME(NDP_ERROR_LAUNCH_TIMEOUT)
        NAME(NDP_ERROR_LAUNCH_FAILED)
        NAME(NDP_ERROR_DEVICE_LOST)
#undef NAME
    }
    return "?";
}

const char *ndpGetErrorString(ndpDevice device) {
    if (!device)
        return "out of memory";
    return device->error.len ? text_str(&device->error) : "no error";
}

ndpResult ndp_fail(ndpDevice d, ndpResult r, const char *fmt, ...) {
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    text_free(&d->error);
    d->error = (struct text){0};
    text_add(&d->error, line);
    return r;
}

int ndpDeviceLineFailed(ndpDevice device) {
    return device && device->lost && device->port && device->port->line_failed;
}

/* --- which machine it is -------------------------------------------------- */

ndpResult ndp_machine(ndpDevice d, const struct iface **m) {
    struct ndp_access a = {NDP_READ, REG_ID, 0};
    ndpResult r = ndp_accesses(d, &a, 1);
    const struct iface *b;
    *m = &system_iface;
    for (int i = 0; (b = iface_at(i)); i++)
        if (iface_is_machine(b) && iface_id(b) == a.data)
            *m = b;
    return r;
}

/* The host port stands at a multiple of a power of two. */
static ndpResult find_host(ndpDevice d) {
    for (uint32_t k = 5; k <= 10; k++)
        for (uint32_t n = 1; n < 16; n++) {
            struct ndp_access a = {NDP_READ, n << k, 0};
            ndpResult r = ndp_accesses(d, &a, 1);
            if (r != NDP_SUCCESS)
                return r;
            if (a.data == iface_id(&host_iface)) {
                d->base = a.address;
                r = ndp_find_unit(d);
                if (r == NDP_SUCCESS)
                    r = ndp_find_cache(d);
                return r == NDP_SUCCESS ? ndp_find_relays(d) : r;
            }
        }
    return ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                    "the device has no host port: is it a machine of "
                    "'ndpgen --target system'?");
}

ndpResult ndp_hash(ndpDevice d, uint64_t *hash) {
    struct ndp_access list[] = {{NDP_READ, REG_HASH_LO, 0},
                                {NDP_READ, REG_HASH_HI, 0}};
    ndpResult r = ndp_accesses(d, list, 2);
    *hash = list[0].data | (uint64_t)list[1].data << 32;
    return r;
}

static ndpResult read_shape(ndpDevice d) {
    struct {
        int status;
        int *to;
    } const sizes[] = {
        {HOST_STA_warps, &d->shape.warps},
        {HOST_STA_lanes, &d->shape.lanes},
        {HOST_STA_alus, &d->shape.alus},
        {HOST_STA_registers, &d->shape.registers},
        {HOST_STA_stack, &d->shape.stack},
        {HOST_STA_code_words, &d->shape.code_words},
        {HOST_STA_param_words, &d->shape.param_words},
        {HOST_STA_shared_words, &d->shape.shared_words},
        {HOST_STA_ctas, &d->shape.ctas},
    };
    uint32_t value;
    ndpResult r = ndp_status(d, HOST_STA_memory_words, &d->shape.memory_words);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (r == NDP_SUCCESS)
            r = ndp_status(d, sizes[i].status, &value);
        if (r != NDP_SUCCESS)
            return r;
        *sizes[i].to = (int)value;
        if (value == 0)
            r = ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                         "the device says that it has no %s",
                         host_iface.statuses[sizes[i].status].doc);
    }
    return r;
}

ndpResult ndp_attach(ndpDevice d, struct ndp_port *port) {
    d->port = port;
    d->watchdog = DEFAULT_WATCHDOG;
    d->fetch_gap = FIRST_GAP;
    ndpResult r = find_host(d);
    return r == NDP_SUCCESS ? read_shape(d) : r;
}

ndpResult ndp_attach_engine(ndpDevice d, struct ndp_engine *engine) {
    d->engine = engine;
    engine->device = d;
    if (!d->port)
        d->shape = (struct ndp_shape){.warps = 32,
                                      .lanes = 32,
                                      .alus = 32,
                                      .registers = 64,
                                      .stack = 1,
                                      .code_words = 1,
                                      .param_words = 1024,
                                      .shared_words = 24576,
                                      .ctas = 32,
                                      .memory_words = 0x34000000};
    d->cores = d->cores ? d->cores : 1;
    return NDP_SUCCESS;
}

ndpResult ndpDeviceSetPrint(ndpDevice device, ndpPrint print, void *ctx) {
    device->print = print;
    device->print_ctx = ctx;
    return NDP_SUCCESS;
}

void ndpDeviceClose(ndpDevice device) {
    if (!device)
        return;
    while (device->modules)
        ndpModuleUnload(device->modules);
    for (struct ndp_block *b = device->taken, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    if (device->engine)
        device->engine->class->close(device->engine);
    if (device->port)
        device->port->class->close(device->port);
    text_free(&device->error);
    free(device->relays);
    free(device->units.v);
    free(device->queues.v);
    free(device->gates.v);
    free(device);
}

ndpResult ndpDeviceGetAttribute(int *value, ndpAttribute a, ndpDevice device) {
    const struct ndp_shape *s = &device->shape;
    const int values[NDP_ATTRIBUTES] = {
        [NDP_ATTRIBUTE_LANES] = s->lanes,
        [NDP_ATTRIBUTE_WARPS] = s->warps,
        [NDP_ATTRIBUTE_CTAS] = s->ctas,
        [NDP_ATTRIBUTE_REGISTERS] = s->registers,
        [NDP_ATTRIBUTE_SHARED_BYTES] = 4 * s->shared_words,
        [NDP_ATTRIBUTE_CODE_WORDS] = s->code_words,
        [NDP_ATTRIBUTE_PARAM_WORDS] = s->param_words,
        [NDP_ATTRIBUTE_MAX_THREADS] =
            s->warps * s->lanes < 1024 ? s->warps * s->lanes : 1024,
        [NDP_ATTRIBUTE_STACK] = s->stack,
        [NDP_ATTRIBUTE_PTX_ONLY] = !device->port,
        [NDP_ATTRIBUTE_STACKS] = device->stacks,
    };
    if ((int)a < 0 || a >= NDP_ATTRIBUTES || !value)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "there is no attribute %d", (int)a);
    *value = values[a];
    return NDP_SUCCESS;
}

ndpResult ndpDeviceGetName(char *name, int len, ndpDevice device) {
    uint64_t hash;
    if (!device->port) {
        if (len > 0)
            snprintf(name, (size_t)len, "ndp_exec");
        return NDP_SUCCESS;
    }
    ndpResult r = ndp_hash(device, &hash);
    if (r == NDP_SUCCESS && len > 0)
        snprintf(name, (size_t)len, "ndp_%s %016" PRIx64,
                 device->chained    ? "chained"
                 : device->n_relays ? "cluster"
                                    : "system",
                 hash);
    return r;
}

ndpResult ndpDeviceTotalMem(size_t *bytes, ndpDevice device) {
    *bytes = (size_t)4 * device->shape.memory_words;
    return NDP_SUCCESS;
}

ndpResult ndpDeviceSetWatchdog(ndpDevice device, uint32_t edges) {
    device->watchdog = edges;
    return NDP_SUCCESS;
}

ndpResult ndpDeviceGetFault(ndpFault *fault, ndpDevice device) {
    *fault = device->fault;
    return NDP_SUCCESS;
}

/* --- counters ------------------------------------------------------------- */

const char *ndpDeviceCounterName(int n) {
    return n >= 0 && n < host_iface.n_counters ? host_iface.counters[n].name
                                               : NULL;
}

static const char *counter_name(void *ctx, int n) {
    (void)ctx;
    return ndpDeviceCounterName(n);
}

ndpResult ndpDeviceGetCounter(uint64_t *value, ndpDevice device,
                              const char *name) {
    if (strcmp(name, "executed") == 0 && device->engine) {
        *value = device->engine->class->executed(device->engine) -
                 device->engine_start;
        return NDP_SUCCESS;
    }
    for (int n = 0; ndpDeviceCounterName(n); n++) {
        if (strcmp(ndpDeviceCounterName(n), name) != 0)
            continue;
        if (!device->port) {
            *value = n == HOST_CNT_issued
                         ? device->engine->class->executed(device->engine) -
                               device->engine_start
                         : 0;
            return NDP_SUCCESS;
        }
        struct ndp_access a = {
            NDP_READ,
            device->base + (uint32_t)(iface_first_counter(&host_iface) + n), 0};
        ndpResult r = ndp_accesses(device, &a, 1);
        *value = a.data;
        if (r == NDP_SUCCESS && device->n_relays && n != HOST_CNT_cycles)
            r = ndp_cores_count(device, n, value);
        return r;
    }
    const char *near = suggest(name, counter_name, NULL);
    return ndp_fail(device, NDP_ERROR_NOT_FOUND, "unknown counter '%s'%s%s%s",
                    name, near ? ", did you mean '" : "", near ? near : "",
                    near ? "'" : "");
}

ndpResult ndpDeviceClearCounters(ndpDevice device) {
    struct ndp_access a = {NDP_WRITE, device->base + REG_CONTROL, 1};
    if (device->engine)
        device->engine_start = device->engine->class->executed(device->engine);
    if (!device->port)
        return NDP_SUCCESS;
    ndpResult r = ndp_accesses(device, &a, 1);
    device->ctas = 0;
    if (r == NDP_SUCCESS)
        r = ndp_cores_clear(device);
    if (r == NDP_SUCCESS)
        r = ndp_units_clear(device);
    if (r == NDP_SUCCESS)
        r = ndp_caches_clear(device);
    if (r == NDP_SUCCESS)
        r = ndp_stacks_clear(device);
    return r == NDP_SUCCESS ? ndp_chains_clear(device) : r;
}
