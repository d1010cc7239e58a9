/* iface.c - the list of blocks and what all of them have in common. */
#include "iface.h"

#include "blocks/analyzer.h"
#include "blocks/emn.h"
#include "blocks/nbu.h"
#include "blocks/offload.h"
#include "blocks/prefetch.h"

#include <string.h>

static const struct iface *const blocks[] = {
    &nbu_iface, &emn_iface, &offload_iface, &analyzer_iface, &prefetch_iface};

enum { N_BLOCKS = sizeof blocks / sizeof blocks[0] };

const struct iface *iface_at(int n) {
    return n >= 0 && n < N_BLOCKS ? blocks[n] : NULL;
}

const struct iface *iface_find(const char *name) {
    for (int i = 0; i < N_BLOCKS; i++)
        if (strcmp(blocks[i]->name, name) == 0)
            return blocks[i];
    return NULL;
}

uint32_t iface_id(const struct iface *b) {
    uint32_t n = 0;
    while (n < N_BLOCKS && blocks[n] != b)
        n++;
    return (uint32_t)'N' << 24 | (uint32_t)'D' << 16 | (uint32_t)'P' << 8 | n;
}

int iface_n_registers(const struct iface *b) {
    return REG_FIRST + b->n_settings + b->n_counters;
}

int iface_address_bits(const struct iface *b) {
    return clog2(iface_n_registers(b));
}
