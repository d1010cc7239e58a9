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

enum { FIRST_CTA = 13, PACE = 20, FAULTED = 3, STATE = 3 };

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

/* The largest divisor of n that is not above its root. */
static uint32_t root(uint32_t n) {
    uint32_t down = 1;
    for (uint32_t i = 1; i <= n / i; i++)
        if (n % i == 0)
            down = i;
    return down;
}

/* Part of n CTAs, the first parts as large as each other. */
static void share(uint32_t n, uint32_t parts, uint32_t part, uint32_t *lo,
                  uint32_t *hi) {
    uint32_t each = n / parts + (n % parts != 0);
    *lo = part * each < n ? part * each : n;
    *hi = *lo + each < n ? *lo + each : n;
}

/* Areas below each other.  A grid of one row or column is divided along it. */
static uint32_t areas_down(ndpCta cta, const uint32_t *grid, uint32_t n) {
    if (grid[1] == 1)
        return 1;
    if (grid[0] == 1 || cta == NDP_CTA_ROW)
        return n;
    return cta == NDP_CTA_TILE ? root(n) : 1;
}

static ndpArea area_of(const struct ndp_device *d, int core,
                       const uint32_t *grid) {
    uint32_t down = areas_down(d->cta, grid, (uint32_t)d->cores);
    uint32_t across = (uint32_t)d->cores / down, c = (uint32_t)core;
    ndpArea a = {.x_hi = grid[0],
                 .y_hi = grid[1],
                 .by_column = d->cta == NDP_CTA_COLUMN};
    if (d->cta != NDP_CTA_STEP) {
        share(grid[0], across, c % across, &a.x_lo, &a.x_hi);
        share(grid[1], down, c / across, &a.y_lo, &a.y_hi);
    }
    return a;
}

/* A core of a stack runs no CTAs, at its pace. */
static ndpResult set_pace(ndpDevice d, int core) {
    bool stack = core >= d->n_relays - d->stacks;
    const uint32_t none[] = {0, 0}, pace = stack ? d->pace : 0;
    ndpResult r = NDP_SUCCESS;
    if (d->stacks == 0)
        return r;
    if (stack)
        r = ndp_command(d, HOST_COM_index, FIRST_CTA);
    if (stack && r == NDP_SUCCESS)
        r = ndp_commands(d, HOST_COM_set, none, 2);
    if (r == NDP_SUCCESS)
        r = ndp_command(d, HOST_COM_index, PACE);
    return r == NDP_SUCCESS ? ndp_commands(d, HOST_COM_set, &pace, 1) : r;
}

/* Registers 13 and on; a core without areas has the first two. */
static ndpResult set_place(ndpDevice d, int core, const uint32_t *grid) {
    bool steps = d->cta == NDP_CTA_STEP;
    ndpArea a = area_of(d, core, grid);
    bool some = a.x_lo < a.x_hi && a.y_lo < a.y_hi;
    const uint32_t place[] = {steps ? (uint32_t)core : 0,
                              steps ? (uint32_t)d->cores : 1,
                              a.x_lo,
                              a.y_lo,
                              some ? a.x_hi : 0,
                              some ? a.y_hi : 0,
                              (uint32_t)a.by_column};
    ndpResult r = ndp_command(d, HOST_COM_index, FIRST_CTA);
    return r == NDP_SUCCESS
               ? ndp_commands(d, HOST_COM_set, place, d->prefetchers ? 7 : 2)
               : r;
}

/* Which CTAs the core takes, and the parameter words that are other ones on each
 * core. */
static ndpResult tell(ndpDevice d, int core, const uint32_t *grid,
                      const uint32_t *words, uint32_t bytes) {
    ndpResult r = ndp_cores_take(d, core, 1);
    if (r == NDP_SUCCESS)
        r = set_place(d, core, grid);
    if (r == NDP_SUCCESS)
        r = set_pace(d, core);
    if (r == NDP_SUCCESS && bytes)
        r = set_word(d, ISA_WORD_LOCAL,
                     words[ISA_WORD_LOCAL] + (uint32_t)core * bytes);
    if (r == NDP_SUCCESS && words[ISA_WORD_CORE])
        r = set_word(d, ISA_WORD_CORE, words[ISA_WORD_CORE] + (uint32_t)core);
    return r;
}

ndpResult ndp_cores_share(ndpDevice d, const uint32_t *grid,
                          const uint32_t *words, uint32_t bytes) {
    ndpResult r = NDP_SUCCESS;
    if (d->n_relays == 0)
        return r;
    for (int i = 0; i < d->cores && r == NDP_SUCCESS; i++)
        r = tell(d, i, grid, words, bytes);
    for (int i = 0; i < d->stacks && r == NDP_SUCCESS; i++)
        r = tell(d, d->n_relays - d->stacks + i, grid, words, bytes);
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

ndpResult ndpDeviceSetCta(ndpDevice device, ndpCta cta) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if ((int)cta < NDP_CTA_STEP || cta > NDP_CTA_TILE)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "CTAs %d, expected 0 to 3", (int)cta);
    if (cta != NDP_CTA_STEP && !(device->n_relays && device->prefetchers))
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "the device has no cores that take areas of CTAs, as "
                        "'golden:image_mesh' has");
    device->cta = cta;
    return NDP_SUCCESS;
}

ndpResult ndpDeviceGetArea(ndpArea *area, ndpDevice device, int core,
                           unsigned grid_x, unsigned grid_y) {
    const uint32_t grid[] = {grid_x, grid_y};
    if (core < 0 || core >= device->cores)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "core %d, expected 0 to %d that share launches", core,
                        device->cores - 1);
    *area = area_of(device, core, grid);
    return NDP_SUCCESS;
}
