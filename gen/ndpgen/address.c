/* address.c - one address through the map of dram/map.h, forth or back. */
#include "address.h"

#include "base/bits.h"
#include "base/options.h"
#include "base/version.h"
#include "dram/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The order that --location takes; the byte of the burst may follow. */
static const enum dram_part order[DRAM_PARTS] = {
    DRAM_CHANNEL_BITS, DRAM_RANK_BITS, DRAM_GROUP_BITS,
    DRAM_BANK_BITS,    DRAM_ROW,       DRAM_COLUMN};

static bool read_place(const struct dram_map *m, const char *value,
                       struct dram_place *p, struct diag *d) {
    struct text copy = {0};
    uint64_t n[DRAM_PARTS + 1] = {0};
    int count = 0, before = d->errors;
    text_add(&copy, value);
    char *rest = copy.data;
    for (char *comma; rest && count <= DRAM_PARTS; rest = comma, count++) {
        int bits =
            count < DRAM_PARTS ? m->width[order[count]] : DRAM_OFFSET_BITS;
        comma = strchr(rest, ',');
        if (comma)
            *comma++ = '\0';
        options_number("location", rest, 0, ones(bits), &n[count], d);
    }
    if (d->errors == before && (rest || count < DRAM_PARTS))
        diag_error(d, (struct place){0},
                   "'--location' expects CHANNEL,RANK,GROUP,BANK,ROW,COLUMN or "
                   "the same with the byte of the burst, got '%s'",
                   value);
    text_free(&copy);
    *p = (struct dram_place){.offset = (int)n[DRAM_PARTS]};
    for (int i = 0; i < DRAM_PARTS; i++)
        p->part[order[i]] = (int)n[i];
    return d->errors == before;
}

static void print_text(uint64_t address, const struct dram_place *p,
                       FILE *out) {
    fprintf(out, "address 0x%" PRIx64 ":", address);
    for (int i = 0; i < DRAM_PARTS; i++)
        fprintf(out, " %s %d", dram_part_name(order[i]), p->part[order[i]]);
    fprintf(out, " byte %d%s\n", p->offset, p->shared ? ", shared" : "");
}

static void print_json(uint64_t address, const struct dram_place *p,
                       FILE *out) {
    fprintf(out,
            "{\"schema\": \"ndpgen-address-1\", \"version\": \"" NDP_VERSION
            "\", \"address\": %" PRIu64,
            address);
    for (int i = 0; i < DRAM_PARTS; i++)
        fprintf(out, ", \"%s\": %d", dram_part_name(order[i]),
                p->part[order[i]]);
    fprintf(out, ", \"byte\": %d, \"shared\": %s}\n", p->offset,
            p->shared ? "true" : "false");
}

bool address_print(const struct config *c, const char *value, bool back,
                   bool json, FILE *out, struct diag *d) {
    struct dram_map m;
    struct dram_place p;
    uint64_t address;
    if (!dram_map_check(c, d))
        return false;
    dram_map_make(c, &m);
    if (back) {
        if (!read_place(&m, value, &p, d))
            return false;
        address = dram_map_address(&m, &p);
    } else if (!options_number("address", value, 0,
                               ones(dram_map_address_bits(&m)), &address, d)) {
        return false;
    }
    p = dram_map_place(&m, address);
    (json ? print_json : print_text)(address, &p, out);
    return true;
}
