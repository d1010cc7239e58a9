/* cta.h - a stream cut into CTAs, each with a list of instructions a warp.
 *
 * The executor and the traces give one CTA after another, its warps in turn.  A
 * composition runs many CTAs at once and interleaves their warps in its own
 * order; so a CTA is read whole, kept in a compact form while it runs, and
 * freed.  Memory is that of the CTAs in flight: about 8 bytes a warp
 * instruction and 8 for each line that it accesses.
 *
 *     struct cta_reader *r = cta_reader_create(stream);
 *     while ((c = cta_read(r)))       NULL: end of the stream
 *         ... c->launch, c->warps[w].ops[i] ..., cta_free(c);
 *
 * Accesses to global, generic and local space, and to textures, are coalesced
 * into lines here.
 */
#ifndef NDP_SYSTEM_CTA_H
#define NDP_SYSTEM_CTA_H

#include "sim/trace/stream.h"

/* A line that an access touches: the lowest byte address asked for in it, and
 * its touched 32-byte sectors. */
struct cta_line {
    uint64_t address : 56;
    uint64_t sectors : 8; /* bit i: bytes 32 i to 32 i + 31 of the line */
};

struct cta_op {
    uint32_t insn;        /* see cta_insn */
    uint32_t lines : 31;  /* first of its lines in the warp's */
    uint32_t partial : 1; /* some lane of the warp does not execute it */
};

struct cta_warp {
    struct cta_op *ops; /* n, and one more that ends the last one's lines */
    struct cta_line *lines;
    uint32_t n, n_lines;
    uint32_t cap, cap_lines; /* private */
};

struct cta {
    struct stream_launch launch; /* a copy; launch.id tells launches apart */
    uint32_t id;                 /* linear index in the grid */
    uint32_t n_warps;
    struct cta_warp *warps;
};

struct cta_reader;

/* The stream stays its owner's. */
struct cta_reader *cta_reader_create(struct stream *s);
void cta_reader_free(struct cta_reader *r);

/* The next CTA; the caller frees it.  NULL: the stream has ended. */
struct cta *cta_read(struct cta_reader *r);
void cta_free(struct cta *c);

/* STREAM_END, or STREAM_ERROR, once cta_read has returned NULL. */
enum stream_result cta_reader_end(const struct cta_reader *r);

/* The instruction of an op. */
const struct stream_insn *cta_insn(const struct cta_reader *r, uint32_t insn);

/* Whether an op's lines go to DRAM (global, generic and local space, and
 * textures). */
static inline bool cta_in_dram(const struct stream_insn *i) {
    return i->access && stream_in_dram(i->space);
}

static inline uint32_t cta_op_lines(const struct cta_op *op) {
    return op[1].lines - op->lines;
}

#endif
