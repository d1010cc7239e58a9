/* operands.h - where operands of an accelerator's operation lie in DRAM, and
 * whether they lie in step.
 *
 * Memory is given out by *system rows* (Chopim, section III-A): aligned blocks
 * as large as one row of every bank of every channel.  As each bit of a place
 * is an XOR of address bits, the byte at offset o of a system row lies at the
 * place of o, XORed with what the address bits above make of the row.  What
 * they make of channel and rank is its *colour*: of two system rows of one
 * colour, equal offsets lie in one rank, whatever the masks are.  Banks and
 * columns may differ; the partition moves neither channel nor rank.
 *
 * The accelerator of a rank goes through its *part* of a system row in the
 * order that places would have were the row the first one: columns first, then
 * rows, banks, bank groups.  Burst k of a part has the same offset in each
 * system row, so operands of one colour are walked in step.
 */
#ifndef NDP_DRAM_OPERANDS_H
#define NDP_DRAM_OPERANDS_H

#include "map.h"

enum { DRAM_MOST_COLOURS = 64 };

struct dram_layout {
    struct dram_map map;
    int row_bits;   /* of an offset in a system row, bytes */
    uint64_t rows;  /* system rows of the memory */
    uint64_t first; /* of those that operands may have: the shared ones, or all
                       if no bank is reserved */
    int colours;
    int colour[DRAM_MOST_COLOURS]; /* {channel, rank} that each makes */
    int parts; /* of a system row: the ranks that have some of it */
    int part[DRAM_MOST_COLOURS]; /* {channel, rank} of each, under colour 0 */
    int bursts;                  /* of a part */
    uint32_t *order; /* of part p, burst k: [p * bursts + k] is its number in
                        the system row by address */
};

/* c must have passed dram_map_check.  dram_layout_free afterwards. */
void dram_layout_make(const struct config *c, struct dram_layout *l);
void dram_layout_free(struct dram_layout *l);

int dram_layout_colour(const struct dram_layout *l, uint64_t row);

/* Number of the system row's part that lies in a rank; -1: none does. */
int dram_layout_part(const struct dram_layout *l, uint64_t row, int channel,
                     int rank);

/* Address of burst k of a part of a system row. */
uint64_t dram_layout_burst(const struct dram_layout *l, uint64_t row, int part,
                           int k);

static inline uint64_t dram_layout_row_bytes(const struct dram_layout *l) {
    return (uint64_t)1 << l->row_bits;
}

/* --- operands ------------------------------------------------------------- */

struct dram_operand {
    const char *name;
    uint64_t bytes;
    uint64_t offset; /* of its first byte in the first system row */
    uint64_t *rows;  /* system rows in its order */
    int n_rows;
};

void dram_operand_free(struct dram_operand *o);

/* What lies from an address on, without a gap.  False after an error in d: not
 * in the memory, no whole bursts, or nothing.  d and name must outlive o. */
bool dram_operand_at(const struct dram_layout *l, const char *name,
                     uint64_t address, uint64_t bytes, struct dram_operand *o,
                     struct diag *d);

/* Whether one operation may have these operands: all are in shared banks, as
 * long as each other, lie in step and do not overlap, unless two are one.
 * False after errors in d, one for each operand that does not fit the first,
 * with the first byte that tells and where it lies. */
bool dram_operands_aligned(const struct dram_layout *l,
                           const struct dram_operand *o, int n, struct diag *d);

/* --- the allocator -------------------------------------------------------- */

struct dram_heap; /* which system rows are free */

struct dram_heap *dram_heap_create(const struct dram_layout *l);
void dram_heap_free(struct dram_heap *h); /* NULL is allowed */

/* The top-most free system rows of a colour; colour -1: of the one with most
 * free ones, the lowest of equals.  slot: nearly all of them in this reserved
 * bank, 0 the top one; -1: in any.  False after an error in d: no such colour,
 * or too few. */
bool dram_heap_take(struct dram_heap *h, const char *name, uint64_t bytes,
                    int colour, int slot, struct dram_operand *o,
                    struct diag *d);

/* What dram_heap_take gave; frees the operand. */
void dram_heap_give(struct dram_heap *h, struct dram_operand *o);

#endif
