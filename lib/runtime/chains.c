/* chains.c - machines whose network computes chains (docs/blocks/chained.md):
 * when chains leave a core, and what queues and gates have counted.
 */
#include "runtime.h"

#include "base/array.h"
#include "blocks/chained.h"
#include "blocks/emn.h"
#include "blocks/gate.h"
#include "blocks/oqueue.h"
#include "blocks/squeue.h"

#include <string.h>

/* What stands behind the relays, one behind the other. */
static const struct iface *const kinds[] = {&oqueue_iface, &emn_iface,
                                            &squeue_iface, &gate_iface};
enum { QUEUE, MEET, SERVICE, GATE, KINDS };

ndpResult ndp_find_chains(ndpDevice d, uint32_t first, uint32_t stride) {
    struct ndp_access a = {NDP_READ, first, 0};
    for (int kind = QUEUE; kind < KINDS; a.address += stride) {
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        while (kind < KINDS && a.data != iface_id(kinds[kind]))
            kind++;
        if (kind == QUEUE)
            *array_push(&d->queues) = a.address;
        else if (kind == GATE)
            *array_push(&d->gates) = a.address;
    }
    return NDP_SUCCESS;
}

ndpResult ndpDeviceSetChains(ndpDevice device, ndpChains chains) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (device->queues.n == 0)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "the device computes no chains in a network, as "
                        "'golden:chained' does");
    if ((int)chains < NDP_CHAINS_OFF || chains > NDP_CHAINS_LLC_ALL)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "chains %d, expected 0 to 3", (int)chains);
    for (int i = 0; i < device->queues.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {
            NDP_WRITE, device->queues.v[i] + REG_FIRST + OQUEUE_SET_mode,
            (uint32_t)chains};
        r = ndp_accesses(device, &a, 1);
    }
    return r;
}

/* --- counters ------------------------------------------------------------- */

/* The n-th: of an offload queue, of a gate, then a gate's sums. */
static const struct iface_named *counter_at(int n, bool *of_gate, int *at) {
    int queue = oqueue_iface.n_counters, gate = gate_iface.n_counters;
    *of_gate = n >= queue;
    if (n < queue) {
        *at = iface_first_counter(&oqueue_iface) + n;
        return &oqueue_iface.counters[n];
    }
    n -= queue;
    if (n < gate) {
        *at = iface_first_counter(&gate_iface) + n;
        return &gate_iface.counters[n];
    }
    n -= gate;
    *at = iface_first_status(&gate_iface) + n;
    return n < gate_iface.n_statuses ? &gate_iface.statuses[n] : NULL;
}

const char *ndpDeviceChainCounterName(int n) {
    bool of_gate;
    int at;
    const struct iface_named *c = n < 0 ? NULL : counter_at(n, &of_gate, &at);
    return c ? c->name : NULL;
}

static ndpResult sum(ndpDevice d, bool of_gate, int at, uint64_t *value) {
    const struct ndp_addresses *list = of_gate ? &d->gates : &d->queues;
    *value = 0;
    for (int i = 0; i < list->n; i++) {
        struct ndp_access a = {NDP_READ, list->v[i] + (uint32_t)at, 0};
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        *value += a.data;
    }
    return NDP_SUCCESS;
}

/* Sums go on for ever: what they were when counters were cleared. */
static ndpResult read_sums(ndpDevice d, uint64_t *sums) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < gate_iface.n_statuses && r == NDP_SUCCESS; i++)
        r = sum(d, true, iface_first_status(&gate_iface) + i, &sums[i]);
    return r;
}

ndpResult ndpDeviceGetChainCounter(uint64_t *value, ndpDevice device,
                                   const char *name) {
    const struct iface_named *c;
    bool of_gate;
    int at, n = 0;
    for (; (c = counter_at(n, &of_gate, &at)); n++)
        if (strcmp(c->name, name) == 0)
            break;
    if (!c || device->queues.n == 0)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND,
                        c ? "the device computes no chains in a network"
                          : "unknown counter '%s' of chains",
                        name);
    ndpResult r = sum(device, of_gate, at, value);
    int status = at - iface_first_status(&gate_iface);
    if (of_gate && status >= 0)
        *value = (uint32_t)(*value - device->sums[status]);
    return r;
}

ndpResult ndp_chains_clear(ndpDevice d) {
    ndpResult r = d->gates.n ? read_sums(d, d->sums) : NDP_SUCCESS;
    const struct ndp_addresses *const lists[] = {&d->queues, &d->gates};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < lists[k]->n && r == NDP_SUCCESS; i++) {
            struct ndp_access a = {NDP_WRITE, lists[k]->v[i] + REG_CONTROL, 1};
            r = ndp_accesses(d, &a, 1);
        }
    return r;
}
