/* counters.h - a device's counters as JSON objects, by name. */
#ifndef NDPRUN_COUNTERS_H
#define NDPRUN_COUNTERS_H

#include "runtime/runtime.h"

#include <jansson.h>
#include <stdbool.h>

/* Those of each machine, of a network that computes chains, of a near-bank unit
 * and of a prefetcher: *all is NULL where a machine has none.  False: some are
 * missing, with the device's error. */
bool counters_json(ndpDevice device, json_t **all);
bool counters_chains_json(ndpDevice device, json_t **all);
bool counters_unit_json(ndpDevice device, json_t **all);
bool counters_prefetch_json(ndpDevice device, json_t **all);
bool counters_offload_json(ndpDevice device, json_t **all);

/* Whether a counter of this value stands at its end; names of those that do. */
bool counters_is_full(json_t *counters, json_int_t value);
json_t *counters_full_json(json_t *counters);

#endif
