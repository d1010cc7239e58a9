/* cores.c - machines of several cores: the relays that stand before them
 * (docs/blocks/relay.md), and what each core is told of a launch.
 */
#include "runtime.h"

#include "blocks/cache.h"
#include "blocks/dies.h"
#include "blocks/gate.h"
#include "blocks/host.h"
#include "blocks/jobs.h"
#include "blocks/relay.h"

#include <stdlib.h>

enum { FIRST_CTA = 13, FAULTED = 3, STATE = 3 };

static uint32_t relay_register(const struct ndp_device *d, int core, int at) {
    return d->relays[core] + (uint32_t)at;
}

/* How many relays there are in the regions behind the host port's, if those are
 * of that size. */
static ndpResult count_relays(ndpDevice d, uint32_t stride, int *n) {
    struct ndp_access a = {NDP_READ, d->base, 0};
    for (*n = 0; *n < NDP_MOST_CORES; ++*n) {
        a.address += stride;
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS || a.data != iface_id(&relay_iface))
            return r;
    }
    return NDP_SUCCESS;
}

/* What stands behind n relays of machine m, in regions from first on. */
static ndpResult find_behind(ndpDevice d, const struct iface *m, int n,
                             uint32_t first, uint32_t stride) {
    if (iface_has(m, &dies_iface))
        return ndp_find_units(d, n, first, stride);
    if (iface_has(m, &cache_iface)) {
        ndpResult r = ndp_find_caches(d, m, n, first, stride);
        return r == NDP_SUCCESS && iface_has(m, &jobs_iface)
                   ? ndp_find_stacks(d, n, first + (uint32_t)n * stride, stride)
                   : r;
    }
    return d->chained ? ndp_find_chains(d, first, stride) : NDP_SUCCESS;
}

/* Relays stand in regions as large as the host port's, a power of two, in the
 * order of their cores.  On a machine without the search would leave the addresses
 * that its register port has. */
ndpResult ndp_find_relays(ndpDevice d) {
    uint32_t stride = 32;
    const struct iface *m;
    ndpResult r = ndp_machine(d, &m);
    int n = 0;
    d->cores = 1;
    if (r != NDP_SUCCESS || !iface_has(m, &relay_iface))
        return r;
    d->chained = iface_has(m, &gate_iface);
    for (int k = 5; k <= 10 && n == 0 && r == NDP_SUCCESS; k++) {
        stride = 1u << k;
        r = count_relays(d, stride, &n);
    }
    if (r != NDP_SUCCESS || n == 0)
        return r;
    d->relays = calloc((size_t)n, sizeof *d->relays);
    if (!d->relays)
        return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    for (int i = 0; i < n; i++)
        d->relays[i] = d->base + (uint32_t)(i + 1) * stride;
    d->n_relays = d->cores = n;
    return find_behind(d, m, n, d->base + (uint32_t)(n + 1) * stride, stride);
}

/* A command is one edge longer on its way to each core. */
static ndpResult let_pass(ndpDevice d) {
    struct ndp_access a = {NDP_IDLE, 0, (uint32_t)d->n_relays + 2};
    return ndp_accesses(d, &a, 1);
}

static ndpResult take(ndpDevice d, int first, int n, bool stacks) {
    ndpResult r = d->n_relays ? let_pass(d) : NDP_SUCCESS;
    for (int i = 0; i < d->n_relays && r == NDP_SUCCESS; i++) {
        bool takes = (i >= first && i < first + n) ||
                     (stacks && i >= d->n_relays - d->stacks);
        struct ndp_access a = {
            NDP_WRITE, relay_register(d, i, REG_FIRST + RELAY_SET_takes),
            takes};
        r = ndp_accesses(d, &a, 1);
    }
    return r;
}

ndpResult ndp_cores_take(ndpDevice d, int first, int n) {
    return take(d, first, n, false);
}

ndpResult ndp_cores_share_takes(ndpDevice d) {
    return take(d, 0, d->cores, true);
}

static ndpResult set_word(ndpDevice d, int word, uint32_t value) {
    ndpResult r = ndp_command(d, HOST_COM_index, (uint32_t)word);
    return r == NDP_SUCCESS ? ndp_command(d, HOST_COM_param, value) : r;
}

/* Registers 13 and 14: core c of n takes CTAs c, c + n, ...; and the parameter
 * words that are other ones on each core. */
static ndpResult tell(ndpDevice d, int core, const uint32_t *words,
                      uint32_t bytes) {
    bool stack = core >= d->n_relays - d->stacks; /* runs no CTAs */
    const uint32_t step[] = {stack ? 0 : (uint32_t)core,
                             stack ? 0 : (uint32_t)d->cores,
                             stack ? d->pace : 0};
    ndpResult r = ndp_cores_take(d, core, 1);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, FIRST_CTA);
    if (r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_set, step, d->stacks ? 3 : 2);
    if (r == NDP_SUCCESS && bytes)
        r = set_word(d, ISA_WORD_LOCAL,
                     words[ISA_WORD_LOCAL] + (uint32_t)core * bytes);
    if (r == NDP_SUCCESS && words[ISA_WORD_CORE])
        r = set_word(d, ISA_WORD_CORE, words[ISA_WORD_CORE] + (uint32_t)core);
    return r;
}

ndpResult ndp_cores_share(ndpDevice d, const uint32_t *words, uint32_t bytes) {
    ndpResult r = NDP_SUCCESS;
    if (d->n_relays == 0)
        return r;
    for (int i = 0; i < d->cores && r == NDP_SUCCESS; i++)
        r = tell(d, i, words, bytes);
    for (int i = 0; i < d->stacks && r == NDP_SUCCESS; i++)
        r = tell(d, d->n_relays - d->stacks + i, words, bytes);
    if (r == NDP_SUCCESS)
        r = ndp_cores_share_takes(d);
    return r;
}

ndpResult ndp_cores_fault(ndpDevice d, int *core) {
    *core = 0;
    for (int i = 0; i < d->n_relays; i++) {
        struct ndp_access a = {
            NDP_READ,
            relay_register(d, i,
                           iface_first_status(&relay_iface) + RELAY_STA_core),
            0};
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        if ((a.data & STATE) == FAULTED) {
            *core = i;
            break;
        }
    }
    return NDP_SUCCESS;
}

ndpResult ndp_cores_count(ndpDevice d, int counter, uint64_t *value) {
    *value = 0;
    for (int i = 0; i < d->n_relays; i++) {
        struct ndp_access a = {
            NDP_READ,
            relay_register(d, i, iface_first_counter(&relay_iface) + counter),
            0};
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        *value += a.data;
    }
    return NDP_SUCCESS;
}

ndpResult ndp_cores_clear(ndpDevice d) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < d->n_relays && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {NDP_WRITE, relay_register(d, i, REG_CONTROL), 1};
        r = ndp_accesses(d, &a, 1);
    }
    return r;
}

ndpResult ndpDeviceGetCores(int *cores, ndpDevice device) {
    *cores = device->n_relays ? device->n_relays - device->stacks : 1;
    return NDP_SUCCESS;
}

ndpResult ndpDeviceSetCores(ndpDevice device, int cores) {
    int most = device->n_relays ? device->n_relays - device->stacks : 1;
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (cores < 1 || cores > most)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "%d cores, expected 1 to %d of the device", cores,
                        most);
    device->cores = cores;
    return NDP_SUCCESS;
}
