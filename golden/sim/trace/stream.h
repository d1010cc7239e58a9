/* stream.h - the dynamic stream of a kernel: one interface, whatever the
 * source.
 *
 * A consumer (a statistic, a trace writer, a bench that drives a block) pulls
 * events one by one.  They come from the executor while it runs, from a trace
 * file, or from a text trace of a real GPU; the consumer cannot tell.
 *
 *     struct stream_event e;
 *     while (stream_next(s, &e) == STREAM_EVENT)
 *         if (e.kind == STREAM_INSTRUCTION)
 *             use(e.insn, e.mask, e.address);
 *
 * Units: cta and warp are linear indices, x fastest; masks have one bit a lane;
 * widths are bytes a lane; addresses of shared and local space are offsets into
 * it, those of other spaces are as the program computed them.
 */
#ifndef NDP_STREAM_H
#define NDP_STREAM_H

#include "base/diag.h"
#include "iface/opclass.h"
#include "ptx/ir.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    STREAM_LANES = 32,
    STREAM_MAX_REGS = 24,
    STREAM_MORE = 3, /* of the four texels of a linear filter */
    /* Of an address; GPUs have 49.  Readers of traces refuse more, so that sums
     * of an address and a width or a stride do not come round. */
    STREAM_ADDRESS_BITS = 53,
    /* Most lines that an access touches, if each address straddles two. */
    STREAM_MAX_LINES = 2 * (1 + STREAM_MORE) * STREAM_LANES
};

/* What a memory instruction does; a prefetch is none of these. */
enum stream_access {
    STREAM_NO_ACCESS,
    STREAM_LOAD,
    STREAM_STORE,
    STREAM_ATOMIC
};

/* What is the same each time an instruction executes.  Belongs to the stream
 * and keeps its address until the stream is closed. */
struct stream_insn {
    uint32_t id;        /* dense, from 0 */
    uint32_t function;  /* of the PTX module; in a text trace the launch */
    uint64_t pc;        /* index in the PTX function, or address of the SASS */
    uint32_t line;      /* in the source; 0: not known */
    const char *opcode; /* "ld.global.f32" */
    enum opclass opc;
    enum ptx_space space; /* of an access; NONE: generic */
    enum stream_access access;
    uint8_t width; /* bytes a lane; 0: no access */
    /* Register numbers: destinations first, then sources with the guard. */
    uint8_t n_dst, n_src;
    uint32_t regs[STREAM_MAX_REGS];
};

static inline bool stream_is_address(uint64_t address) {
    return address >> STREAM_ADDRESS_BITS == 0;
}

struct stream_launch {
    uint32_t id; /* from 0 */
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes a CTA, static and dynamic */
    uint32_t registers;
};

enum stream_kind {
    STREAM_LAUNCH, /* launch starts; the other fields mean nothing */
    STREAM_INSTRUCTION
};

struct stream_event {
    enum stream_kind kind;
    const struct stream_launch *launch;
    const struct stream_insn *insn;
    uint32_t cta, warp;
    uint32_t active; /* lanes on this path */
    uint32_t mask;   /* of these, lanes whose guard lets them execute */
    /* Address of each lane in mask, if insn->access; else undefined.  One lane
     * accesses stream_width bytes from it. */
    uint64_t address[STREAM_LANES];
    /* Of an access of space TEX alone: bytes of a texel (0: insn->width), and
     * the texels that a lane takes beside that at address. */
    uint8_t texel, n_more;
    uint64_t more[STREAM_MORE][STREAM_LANES];
};

enum stream_result {
    STREAM_EVENT,
    STREAM_END,
    STREAM_ERROR /* reported in the diag that the stream was opened with */
};

struct stream;

struct stream_ops {
    enum stream_result (*next)(struct stream *s, struct stream_event *e);
    void (*close)(struct stream *s);
};

/* First member of each kind of stream. */
struct stream {
    const struct stream_ops *ops;
};

static inline enum stream_result stream_next(struct stream *s,
                                             struct stream_event *e) {
    return s->ops->next(s, e);
}

static inline void stream_close(struct stream *s) {
    if (s)
        s->ops->close(s);
}

/* Bytes that a lane accesses from an address, and how many addresses it has:
 * the first, then one in each row of more. */
static inline uint32_t stream_width(const struct stream_event *e) {
    bool texels = e->insn->space == PTX_SPACE_TEX && e->texel;
    return texels ? e->texel : e->insn->width;
}

static inline uint32_t stream_addresses(const struct stream_event *e) {
    return e->insn->space == PTX_SPACE_TEX ? 1u + e->n_more : 1;
}

/* The k-th address of each lane. */
static inline const uint64_t *stream_row(const struct stream_event *e,
                                         uint32_t k) {
    return k ? e->more[k - 1] : e->address;
}

/* Whether memory of that space lies in DRAM. */
static inline bool stream_in_dram(enum ptx_space space) {
    return space == PTX_SPACE_NONE || space == PTX_SPACE_GLOBAL ||
           space == PTX_SPACE_LOCAL || space == PTX_SPACE_TEX;
}

/* How many lanes a mask has; most have all. */
static inline uint32_t stream_lanes(uint32_t mask) {
    return mask == UINT32_MAX ? STREAM_LANES
                              : (uint32_t)__builtin_popcount(mask);
}

/* CTA index as coordinates. */
static inline void stream_cta(const struct stream_launch *l, uint32_t cta,
                              uint32_t at[3]) {
    uint32_t x = l->grid[0] ? l->grid[0] : 1, y = l->grid[1] ? l->grid[1] : 1;
    at[0] = cta % x;
    at[1] = cta / x % y;
    at[2] = cta / x / y;
}

#endif
