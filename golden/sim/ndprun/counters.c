/* counters.c - see counters.h. */
#include "counters.h"

typedef const char *name_fn(int n);
typedef ndpResult get_fn(uint64_t *value, ndpDevice device, const char *name);

static bool group_json(ndpDevice device, name_fn *name_of, get_fn *get,
                       json_t **all) {
    uint64_t value;
    const char *name;
    *all = NULL;
    if (get(&value, device, name_of(0)) == NDP_ERROR_NOT_FOUND)
        return true;
    *all = json_object();
    for (int n = 0; (name = name_of(n)); n++) {
        ndpResult r = get(&value, device, name);
        if (r == NDP_ERROR_NOT_FOUND) /* of a part that is not there */
            continue;
        if (r != NDP_SUCCESS)
            return false;
        json_object_set_new(*all, name, json_integer((json_int_t)value));
    }
    return true;
}

bool counters_json(ndpDevice device, json_t **all) {
    return group_json(device, ndpDeviceCounterName, ndpDeviceGetCounter, all);
}

bool counters_chains_json(ndpDevice device, json_t **all) {
    return group_json(device, ndpDeviceChainCounterName,
                      ndpDeviceGetChainCounter, all);
}

bool counters_unit_json(ndpDevice device, json_t **all) {
    return group_json(device, ndpDeviceUnitCounterName, ndpDeviceGetUnitCounter,
                      all);
}

bool counters_offload_json(ndpDevice device, json_t **all) {
    return group_json(device, ndpDeviceOffloadCounterName,
                      ndpDeviceGetOffloadCounter, all);
}

bool counters_prefetch_json(ndpDevice device, json_t **all) {
    return group_json(device, ndpDevicePrefetchCounterName,
                      ndpDeviceGetPrefetchCounter, all);
}

/* Counters stop at all ones.  The machine does not tell how many that are, but
 * its cycles come there first: when they stand at all ones, so does each
 * counter of their value. */
bool counters_is_full(json_t *counters, json_int_t value) {
    json_int_t cycles = json_integer_value(json_object_get(counters, "cycles"));
    return value == cycles && value >= 255 && (value & (value + 1)) == 0;
}

json_t *counters_full_json(json_t *counters) {
    json_t *list = json_array(), *value;
    const char *name;
    json_object_foreach(
        counters, name,
        value) if (counters_is_full(counters, json_integer_value(value)))
        json_array_append_new(list, json_string(name));
    return list;
}
