/* entry.c - what the driver of the prefetcher computes: from a walk to
 * an entry of the information table (docs/blocks/prefetch.md).
 */
#include "entry.h"

#include "base/bits.h"
#include "blocks/prefetch.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* The two numbers of the division by a row pitch. */
struct divisor {
    uint64_t m;
    int s;
};

static struct divisor divisor_of(const struct prefetch_local *l,
                                 uint64_t pitch) {
    struct divisor d = {1, clog2((int64_t)pitch)};
    if (l->RECIPROCAL) {
        wide k = (wide)1 << (l->SIZE_W + d.s);
        d.m = (uint64_t)((k + pitch - 1) / pitch);
    }
    return d;
}

static bool fits(uint64_t value, int width) {
    return (value & ~ones(width)) == 0;
}

static bool fits_signed(int64_t value, int width) {
    int64_t top = (int64_t)1 << (width - 1);
    return value >= -top && value < top;
}

static uint64_t blocks(uint64_t length, uint64_t block) {
    return (length + block - 1) / block;
}

static uint64_t turn(uint64_t hi, uint64_t block) {
    return hi > block ? hi - block : 0;
}

struct strides {
    int64_t base, modified;
    uint64_t last; /* not encoded yet */
};

static struct strides strides_of(const struct prefetch_walk *w) {
    int64_t step_x = (int64_t)w->block_x;
    int64_t step_y = (int64_t)(w->block_y * w->pitch);
    int64_t along = w->along_y ? step_y : step_x;
    int64_t across = w->along_y ? step_x : step_y;
    uint64_t lo = w->along_y ? w->y_lo : w->x_lo;
    uint64_t hi = w->along_y ? w->y_hi : w->x_hi;
    uint64_t block = w->along_y ? w->block_y : w->block_x;
    uint64_t before = hi > lo && block ? blocks(hi - lo, block) - 1 : 0;
    if (w->printed)
        return (struct strides){along, along + across, 0};
    return (struct strides){along, across - (int64_t)before * along,
                            lo + before * block};
}

static const char *check(const struct prefetch_local *l, const struct config *c,
                         const struct prefetch_walk *w,
                         const struct strides *s) {
    if (!w->pitch || !w->block_x || (w->along_y && !w->block_y))
        return "a pitch or block of 0";
    if (!fits(w->start, l->ADDR_W))
        return "its address (prefetch.address_bits)";
    if (!fits(w->size, l->SIZE_W))
        return "its size (prefetch.size_bits)";
    if (w->pitch > bit(l->PITCH_W))
        return "its row pitch (prefetch.pitch_bits)";
    if (!fits((w->size - (w->size != 0)) / w->pitch, l->ROW_W) ||
        !fits(w->y_hi, l->ROW_W))
        return "its rows (prefetch.row_bits)";
    if (w->x_hi > w->pitch || w->x_lo > w->x_hi || w->y_lo > w->y_hi)
        return "a part that lies outside";
    if (!fits_signed(s->base, l->STRIDE_W) ||
        !fits_signed(s->modified, l->STRIDE_W))
        return "its strides (prefetch.size_bits)";
    if (c->prefetch_divider == 2 && (w->pitch & (w->pitch - 1)))
        return "a row pitch that is no power of two (prefetch.divider)";
    return NULL;
}

const char *prefetch_entry(const struct design *d,
                           const struct prefetch_walk *w,
                           uint64_t entry[PREFETCH_ENTRY_WORDS]) {
    struct prefetch_local l = prefetch_local(&d->config);
    struct strides s = strides_of(w);
    const char *problem = check(&l, &d->config, w, &s);
    memset(entry, 0, PREFETCH_ENTRY_WORDS * sizeof *entry);
    if (problem)
        return problem;
    struct divisor by = divisor_of(&l, w->pitch);
    const struct prefetch_entry_fields f = {
        .valid = 1,
        .axis = w->along_y,
        .start = w->start,
        .size = w->size,
        .base = (uint64_t)s.base,
        .modified = (uint64_t)s.modified,
        .y_lo = w->y_lo,
        .y_hi = w->y_hi,
        .y_turn = turn(w->y_hi, w->block_y),
        .x_lo = w->x_lo * by.m,
        .x_hi = w->x_hi * by.m,
        .x_turn = turn(w->x_hi, w->block_x) * by.m,
        .last = w->along_y ? s.last : s.last * by.m,
        .mult = by.m,
        .pitch = w->pitch,
        .shift = (uint64_t)by.s,
    };
    record_pack(&d->record[PREFETCH_REC_entry], &f, entry);
    return NULL;
}
