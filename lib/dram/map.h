/* map.h - from a physical address to a place in DRAM and back.
 *
 * Every bit of channel, rank, bank group, bank, row and column is the XOR of
 * some address bits (Chopim, section II); the masks are those of a
 * configuration, group 'dram_map', and must make a bijection.  With banks
 * reserved, the part of the address space whose top bits name a reserved bank
 * lies in just these banks: where masks and top bits disagree, bank and row's
 * top bits are swapped (section III-C, and its converse for the shared part).
 */
#ifndef NDP_DRAM_MAP_H
#define NDP_DRAM_MAP_H

#include "shared/dram.h"

/* The parts of a place, lowest in its word first. */
enum dram_part {
    DRAM_COLUMN,
    DRAM_ROW,
    DRAM_BANK_BITS,
    DRAM_GROUP_BITS,
    DRAM_RANK_BITS,
    DRAM_CHANNEL_BITS,
    DRAM_PARTS
};

enum { DRAM_OFFSET_BITS = 6, DRAM_MOST_BITS = 64 };

struct dram_place {
    int part[DRAM_PARTS];
    int offset;  /* byte of the burst */
    bool shared; /* in a reserved bank; of an answer only */
};

struct dram_map {
    int n; /* bits above the offset, of an address and of a place's word */
    int at[DRAM_PARTS], width[DRAM_PARTS]; /* of the parts in that word */
    uint64_t
        there[DRAM_MOST_BITS];     /* by bit of the word: bits of the address */
    uint64_t back[DRAM_MOST_BITS]; /* by bit of the address above the offset:
                                      bits of the word */
    int slots, reserved; /* banks of a rank, and those for shared data */
};

/* c must have passed the check. */
void dram_map_make(const struct config *c, struct dram_map *m);

struct dram_place dram_map_place(const struct dram_map *m, uint64_t address);
uint64_t dram_map_address(const struct dram_map *m, const struct dram_place *p);

/* Bits of a byte address. */
static inline int dram_map_address_bits(const struct dram_map *m) {
    return m->n + DRAM_OFFSET_BITS;
}

const char *dram_part_name(enum dram_part p); /* "column" */

#endif
