/* near.c - machines with near-bank units (docs/blocks/mpu_core.md,
 * mpu_mesh.md): where their instructions run, and what the units have counted.
 */
#include "runtime.h"

#include "base/array.h"
#include "blocks/dies.h"
#include "blocks/relay.h"

#include <stdlib.h>
#include <string.h>

ndpResult ndp_find_units(ndpDevice d, int n, uint32_t first, uint32_t stride) {
    for (int i = 0; i < n; i++) {
        struct ndp_access a = {NDP_READ, first + (uint32_t)i * stride, 0};
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        if (a.data != iface_id(&dies_iface))
            return ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                            "the device has no near-bank unit of core %d "
                            "behind its host port",
                            i);
        *array_push(&d->units) = a.address;
    }
    return NDP_SUCCESS;
}

/* The unit's region is one of those behind the host port's, of the same size, a
 * power of two.  Only a machine of one core has one there: on another the search
 * would leave the addresses that its register port has. */
ndpResult ndp_find_unit(ndpDevice d) {
    struct ndp_access a = {NDP_READ, 0, 0};
    const struct iface *m;
    ndpResult r = ndp_machine(d, &m);
    if (r != NDP_SUCCESS || !iface_has(m, &dies_iface) ||
        iface_has(m, &relay_iface))
        return r;
    for (uint32_t k = 5; k <= 10 && r == NDP_SUCCESS; k++) {
        a.address = d->base + (1u << k);
        r = ndp_accesses(d, &a, 1);
        if (a.data == iface_id(&dies_iface))
            break;
    }
    return r == NDP_SUCCESS ? ndp_find_units(d, 1, a.address, 0) : r;
}

/* An access goes near as one message only if its row of lanes is at the unit of
 * its warp, and at its core, so the elements of all buffers must begin at the
 * same unit of the same core.  The machine does not tell its units, lines and
 * chunks: a row at each of the most units that there can be, of each core, is a
 * multiple of every round that is not longer. */
uint32_t ndp_unit_round(const struct ndp_device *d) {
    enum { MOST_UNITS = 16 };
    return d->units.n ? MOST_UNITS * 4 * (uint32_t)d->shape.lanes *
                            (uint32_t)d->units.n
                      : 1;
}

static ndpResult no_unit(ndpDevice d, ndpResult r) {
    return ndp_fail(d, r,
                    "the device has no near-bank unit, as "
                    "'golden:mpu_core' has");
}

ndpResult ndpDeviceSetPolicy(ndpDevice device, ndpPolicy policy) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (device->units.n == 0)
        return no_unit(device, NDP_ERROR_INVALID_VALUE);
    if ((int)policy < NDP_POLICY_ANNOTATED || policy > NDP_POLICY_FAR)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "policy %d, expected 0 to 3", (int)policy);
    for (int i = 0; i < device->units.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {NDP_WRITE,
                               device->units.v[i] + REG_FIRST + DIES_SET_policy,
                               (uint32_t)policy};
        r = ndp_accesses(device, &a, 1);
    }
    return r;
}

const char *ndpDeviceUnitCounterName(int n) {
    return n < 0 || n >= dies_iface.n_counters ? NULL
                                               : dies_iface.counters[n].name;
}

ndpResult ndpDeviceGetUnitCounter(uint64_t *value, ndpDevice device,
                                  const char *name) {
    int n = 0;
    while (n < dies_iface.n_counters &&
           strcmp(dies_iface.counters[n].name, name) != 0)
        n++;
    if (device->units.n == 0)
        return no_unit(device, NDP_ERROR_NOT_FOUND);
    if (n == dies_iface.n_counters)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND,
                        "unknown counter '%s' of a near-bank unit", name);
    ndpResult r = NDP_SUCCESS;
    *value = 0;
    for (int i = 0; i < device->units.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {
            NDP_READ,
            device->units.v[i] +
                (uint32_t)(iface_first_counter(&dies_iface) + n),
            0};
        r = ndp_accesses(device, &a, 1);
        *value += a.data;
    }
    return r;
}

ndpResult ndp_units_clear(ndpDevice d) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < d->units.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {NDP_WRITE, d->units.v[i] + REG_CONTROL, 1};
        r = ndp_accesses(d, &a, 1);
    }
    return r;
}
