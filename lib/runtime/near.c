/* near.c - a machine with a near-bank unit (docs/blocks/mpu_core.md): where its
 * instructions run, and what the unit has counted.
 */
#include "runtime.h"

#include "blocks/dies.h"
#include "blocks/mpu_core.h"

#include <string.h>

/* The unit's region is one of those behind the host port's, of the same size, a
 * power of two.  Only this machine has one: on another the search would leave
 * the addresses that its register port has. */
ndpResult ndp_find_unit(ndpDevice d) {
    struct ndp_access a = {NDP_READ, REG_ID, 0};
    ndpResult r = ndp_accesses(d, &a, 1);
    d->unit = 0;
    if (r != NDP_SUCCESS || a.data != iface_id(&mpu_core_iface))
        return r;
    for (uint32_t k = 5; k <= 10 && d->unit == 0; k++) {
        a.address = d->base + (1u << k);
        r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        if (a.data == iface_id(&dies_iface))
            d->unit = a.address;
    }
    return d->unit ? NDP_SUCCESS
                   : ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                              "the device has no near-bank unit behind its "
                              "host port");
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
    if (!device->unit)
        return no_unit(device, NDP_ERROR_INVALID_VALUE);
    if ((int)policy < NDP_POLICY_ANNOTATED || policy > NDP_POLICY_FAR)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "policy %d, expected 0 to 3", (int)policy);
    struct ndp_access a = {NDP_WRITE,
                           device->unit + REG_FIRST + DIES_SET_policy,
                           (uint32_t)policy};
    return ndp_accesses(device, &a, 1);
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
    if (!device->unit)
        return no_unit(device, NDP_ERROR_NOT_FOUND);
    if (n == dies_iface.n_counters)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND,
                        "unknown counter '%s' of a near-bank unit", name);
    struct ndp_access a = {
        NDP_READ,
        device->unit + (uint32_t)(iface_first_counter(&dies_iface) + n), 0};
    ndpResult r = ndp_accesses(device, &a, 1);
    *value = a.data;
    return r;
}

ndpResult ndp_unit_clear(ndpDevice d) {
    struct ndp_access a = {NDP_WRITE, d->unit + REG_CONTROL, 1};
    return d->unit ? ndp_accesses(d, &a, 1) : NDP_SUCCESS;
}
