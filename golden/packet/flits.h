/* flits.h - ComputePackets as flits, for the models of offload queue, service
 * queue and packer (docs/blocks/packet.md).
 *
 * One packet on its way in either direction; flits are numbered from 0.
 */
#ifndef NDP_GOLDEN_FLITS_H
#define NDP_GOLDEN_FLITS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FLITS_MOST = 17,      /* of 16 bits: 228 bits and a mask of 32 */
    FLITS_WORDS = 16,     /* 64-bit words of all of them, and more */
    FLITS_DATA = 256 / 64 /* of one */
};

/* What a packet says, whoever's record it is made from. */
struct flits_chain {
    uint64_t pattern, f, g, type, f_reversed, g_reversed, fused;
    uint64_t core, wave, entry, node, imm, a, b, c;
    uint64_t mask; /* lanes that take part */
};

/* Sizes of a configuration. */
struct flits_size {
    int flit, head, mask; /* bits of a flit, flits of a packet, of a mask */
    int bits, lanes;      /* of a packet */
};

struct flits {
    uint64_t word[FLITS_WORDS]; /* bit 0 of flit 0 lowest */
    int n;                      /* flits */
};

/* What a pattern of Table 1 has beside its first load. */
struct flits_use {
    bool known, b, c, imm, f, g;
};
struct flits_use flits_use(uint64_t pattern);

/* Set what the pattern does not use to zero. */
void flits_strip(struct flits_chain *c);

/* Join the packed record, as record_pack gives it, and the mask. */
void flits_join(const struct flits_size *s, const uint64_t *packet,
                uint64_t mask, struct flits *f);

/* The packed record and the mask of flits that have come. */
void flits_part(const struct flits_size *s, const struct flits *f,
                uint64_t *packet, uint64_t *mask);

/* The n-th flit; words of data beyond its width become zero. */
void flits_get(const struct flits_size *s, const struct flits *f, int n,
               uint64_t *data);
void flits_set(const struct flits_size *s, struct flits *f, int n,
               const uint64_t *data);

#endif
