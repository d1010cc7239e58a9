/* packets.h - instructions as the near-bank unit's front end issues them.
 *
 * The unit takes one destination, three sources and a guard at a time
 * (docs/blocks/nbu.md).  What does not fit is split:
 *   - several destinations: one packet each, with the same sources;
 *   - a memory access: src0 is the address (not valid if no register gives it),
 *     src1 and src2 are data; more data, more packets with the same address;
 *   - more than three sources otherwise: packets of three sources, of which
 *     the last ones have the destinations;
 *   - a 128-bit register: two pairs.
 */
#ifndef NDP_PTX_STREAM_H
#define NDP_PTX_STREAM_H

#include "locate.h"
#include "regalloc.h"

struct nbu_operand {
    bool valid;
    uint8_t kind; /* 0 row, 1 pair, 2 predicate, as in blocks/nbu.h */
    uint16_t reg; /* physical, a pair's is even */
};

struct nbu_packet {
    int pc;
    uint8_t op;   /* enum opclass */
    uint8_t hint; /* 0 none, 1 far, 2 near */
    struct nbu_operand dst, src[3], guard;
};

struct ptx_analysis;

/* All packets of f in the order of its instructions, as a malloc'ed array that
 * the caller frees.  False, with an error in d, if f needs more physical
 * registers than the unit can name. */
bool ptx_stream(const struct ptx_function *f, const struct ptx_analysis *a,
                int registers, struct nbu_packet **out, int *n, struct diag *d);

#endif
