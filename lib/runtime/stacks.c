/* stacks.c - machines with memory stacks that run blocks of a kernel
 * (docs/blocks/stacks.md): which blocks there are, when they leave their core, which
 * stack has an address, and what the controllers have counted.
 */
#include "runtime.h"

#include "base/array.h"
#include "blocks/loader.h"
#include "blocks/offload.h"
#include "iface/design.h"
#include "isa/isa.h"
#include "papers/tom/entry.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_WORDS = 512 / 64 };

ndpResult ndp_find_stacks(ndpDevice d, int n, uint32_t first, uint32_t stride) {
    struct ndp_access a = {NDP_READ, first, 0};
    ndpResult r = ndp_accesses(d, &a, 1);
    while (r == NDP_SUCCESS && a.data == iface_id(&offload_iface)) {
        *array_push(&d->controllers) = a.address;
        a.address += stride;
        r = ndp_accesses(d, &a, 1);
    }
    if (r == NDP_SUCCESS && a.data != iface_id(&loader_iface))
        return ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                        "the device has no %s behind its controllers",
                        loader_iface.title);
    d->loader = a.address;
    d->stacks = n - d->controllers.n;
    d->cores = d->controllers.n;
    d->pace = 1;
    return r;
}

static ndpResult no_stacks(ndpDevice d, ndpResult r) {
    return ndp_fail(d, r,
                    "the device has no memory stacks with cores, as "
                    "'golden:stacks' has");
}

/* --- blocks --------------------------------------------------------------- */

static bool stores(const struct isa_image *image, const struct isa_block *b) {
    for (int pc = b->begin; pc < b->end; pc++) {
        struct isa_word w;
        if (isa_decode(image->words[pc], ISA_REGISTERS, &w) == ISA_LEGAL &&
            isa_info(w.op)->class == ISA_CLASS_global && !isa_has(w.op, 'd'))
            return true;
    }
    return false;
}

static ndpResult load_entry(ndpDevice d, const uint64_t *entry, int bits,
                            bool stores) {
    uint32_t first = d->loader + (uint32_t)iface_first_command(&loader_iface);
    struct ndp_access list[2 * ENTRY_WORDS + 1];
    int n = 0;
    for (int at = 0; at < bits; at += 32)
        list[n++] = (struct ndp_access){NDP_WRITE, first + LOADER_COM_word,
                                        (uint32_t)(entry[at / 64] >> at % 64)};
    list[n++] = (struct ndp_access){NDP_WRITE, first + LOADER_COM_load, stores};
    return ndp_accesses(d, list, n);
}

/* The controller that a machine of this shape has. */
static struct design *controller_of(const struct ndp_device *d) {
    struct config c;
    int pc_bits = 0;
    config_defaults(&c);
    while (1 << pc_bits < d->shape.code_words)
        pc_bits++;
    c.offload_registers = 2 * d->shape.registers;
    c.offload_pc_bits = pc_bits;
    c.offload_lookup = 1;
    return design_make(&offload_iface, &c);
}

/* Entries beyond the image's are empty: no block begins there. */
ndpResult ndp_stacks_load(ndpDevice d, const struct isa_image *image) {
    struct ndp_access index = {
        NDP_WRITE,
        d->loader + (uint32_t)iface_first_command(&loader_iface) +
            LOADER_COM_index,
        0};
    if (d->stacks == 0)
        return NDP_SUCCESS;
    struct ndp_access entries = {
        NDP_READ,
        d->loader + (uint32_t)iface_first_status(&loader_iface) +
            LOADER_STA_entries,
        0};
    struct design *c = controller_of(d);
    struct offload_local size = offload_local(&c->config);
    ndpResult r = ndp_accesses(d, &entries, 1);
    if (r == NDP_SUCCESS)
        r = ndp_accesses(d, &index, 1);
    for (int i = 0; i < (int)entries.data && r == NDP_SUCCESS; i++) {
        struct offload_entry_fields fields = {0};
        uint64_t entry[ENTRY_WORDS] = {0};
        const char *problem = NULL;
        bool there = i < image->n_blocks;
        if (there)
            problem = ptx_entry_of_block(&image->blocks[i], d->shape.registers,
                                         &size, &fields);
        record_pack(&c->record[OFFLOAD_REC_entry], &fields, entry);
        r = problem ? ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                               "block %d has too many %s", i, problem)
                    : load_entry(d, entry, c->record[OFFLOAD_REC_entry].bits,
                                 there && stores(image, &image->blocks[i]));
    }
    design_free(c);
    return r;
}

/* --- settings ------------------------------------------------------------- */

static ndpResult set_all(ndpDevice d, int setting, uint32_t value) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < d->controllers.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {
            NDP_WRITE, d->controllers.v[i] + REG_FIRST + (uint32_t)setting,
            value};
        r = ndp_accesses(d, &a, 1);
    }
    return r;
}

ndpResult ndpDeviceSetOffload(ndpDevice device, ndpOffload offload) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (device->stacks == 0)
        return no_stacks(device, NDP_ERROR_INVALID_VALUE);
    if ((int)offload < NDP_OFFLOAD_OFF || offload > NDP_OFFLOAD_UNCONTROLLED)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "offload %d, expected 0 to 2", (int)offload);
    return set_all(device, OFFLOAD_SET_mode, (uint32_t)offload);
}

ndpResult ndpDeviceSetPace(ndpDevice device, unsigned edges) {
    if (device->stacks == 0)
        return no_stacks(device, NDP_ERROR_INVALID_VALUE);
    device->pace = edges;
    return NDP_SUCCESS;
}

/* Memory goes to other places with the map, so nobody may have any. */
ndpResult ndpDeviceSetMap(ndpDevice device, int bit) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (device->stacks == 0)
        return no_stacks(device, NDP_ERROR_INVALID_VALUE);
    if (device->taken)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "the map is set before any memory is taken");
    int most = 7;
    while ((uint64_t)device->stacks << (most + 1) <=
           (uint64_t)4 * device->shape.memory_words)
        most++;
    if (bit > most || (bit >= 0 && bit < 7))
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "map by bits from %d on, expected 7 to %d of the "
                        "device",
                        bit, most);
    struct ndp_access list[] = {
        {NDP_WRITE, device->loader + REG_FIRST + LOADER_SET_learned, bit >= 0},
        {NDP_WRITE, device->loader + REG_FIRST + LOADER_SET_map_bit,
         bit < 0 ? 7 : (uint32_t)bit}};
    r = ndp_accesses(device, list, 2);
    return r == NDP_SUCCESS && bit >= 0
               ? set_all(device, OFFLOAD_SET_map_bit, (uint32_t)bit)
               : r;
}

/* --- counters ------------------------------------------------------------- */

const char *ndpDeviceOffloadCounterName(int n) {
    return n < 0 || n >= offload_iface.n_counters
               ? NULL
               : offload_iface.counters[n].name;
}

ndpResult ndpDeviceGetOffloadCounter(uint64_t *value, ndpDevice device,
                                     const char *name) {
    int n = 0;
    while (n < offload_iface.n_counters &&
           strcmp(offload_iface.counters[n].name, name) != 0)
        n++;
    if (device->stacks == 0)
        return no_stacks(device, NDP_ERROR_NOT_FOUND);
    if (n == offload_iface.n_counters)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND,
                        "unknown counter '%s' of an offload controller", name);
    ndpResult r = NDP_SUCCESS;
    *value = 0;
    for (int i = 0; i < device->controllers.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {
            NDP_READ,
            device->controllers.v[i] +
                (uint32_t)(iface_first_counter(&offload_iface) + n),
            0};
        r = ndp_accesses(device, &a, 1);
        *value += a.data;
    }
    return r;
}

ndpResult ndp_stacks_clear(ndpDevice d) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < d->controllers.n && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {NDP_WRITE, d->controllers.v[i] + REG_CONTROL, 1};
        r = ndp_accesses(d, &a, 1);
    }
    return r;
}
