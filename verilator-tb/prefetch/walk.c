/* walk.c - a walk over part of an image: table entry, next step, drawing
 * one at random. */
#include "walk.h"

#include <string.h>

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t blocks(int64_t lo, int64_t hi, int64_t step) {
    return (hi - lo + step - 1) / step;
}

/* --------------------------------------------------------------- the entry */

/* What the divider multiplies by or divides by, and the scale of bounds. */
struct divisor {
    uint64_t m; /* 1 but under 'reciprocal' */
    int shift;
};

static struct divisor divisor_of(const struct walk *w,
                                 const struct prefetch_local *size) {
    struct divisor d = {1, clog2(w->pitch)};
    uint64_t pitch = (uint64_t)w->pitch;
    if (size->RECIPROCAL)
        d.m = (((uint64_t)1 << (size->SIZE_W + d.shift)) + pitch - 1) / pitch;
    return d;
}

static struct prefetch_entry_fields
entry_fields(const struct walk *w, const struct prefetch_local *size) {
    struct divisor d = divisor_of(w, size);
    int64_t wide = w->bw * w->element, high = w->bh * w->pitch;
    int64_t n = w->along_y ? blocks(w->y_lo, w->y_hi, w->bh)
                           : blocks(w->x_lo, w->x_hi, wide);
    int64_t base = w->along_y ? high : wide;
    int64_t modified = (w->along_y ? wide : high) - (n - 1) * base;
    int64_t last =
        w->along_y ? w->y_lo + (n - 1) * w->bh : w->x_lo + (n - 1) * wide;
    if (w->printed) {
        modified = wide + high;
        last = 0;
    }
    return (struct prefetch_entry_fields){
        .valid = 1,
        .axis = w->along_y,
        .start = w->start,
        .size = (uint64_t)(w->pitch * w->rows),
        .base = (uint64_t)base,
        .modified = (uint64_t)modified,
        .y_lo = (uint64_t)w->y_lo,
        .y_hi = (uint64_t)w->y_hi,
        .y_turn = (uint64_t)max64(0, w->y_hi - w->bh),
        .x_lo = (uint64_t)w->x_lo * d.m,
        .x_hi = (uint64_t)w->x_hi * d.m,
        .x_turn = (uint64_t)max64(0, w->x_hi - wide) * d.m,
        .last = (uint64_t)last * (w->along_y ? 1 : d.m),
        .mult = d.m,
        .pitch = (uint64_t)w->pitch,
        .shift = (uint64_t)d.shift,
    };
}

void walk_entry(const struct walk *w, const struct prefetch_local *size,
                const struct design_record *record, uint64_t *entry) {
    struct prefetch_entry_fields f = {0};
    if (w->valid)
        f = entry_fields(w, size);
    record_pack(record, &f, entry);
}

/* ---------------------------------------------------------------- the walk */

bool walk_holds(const struct walk *w, uint64_t address) {
    return w->valid && address >= w->start &&
           address - w->start < (uint64_t)(w->pitch * w->rows);
}

/* One step along an axis: inside it goes on by step; at the end it returns to
 * its place in the first block. */
static bool advance(int64_t *at, int64_t lo, int64_t hi, int64_t step) {
    if (*at + step < hi) {
        *at += step;
        return true;
    }
    *at = lo + (*at - lo) % step;
    return false;
}

bool walk_next(const struct walk *w, uint64_t address, uint64_t *next) {
    if (!walk_holds(w, address))
        return false;
    int64_t p = (int64_t)(address - w->start), wide = w->bw * w->element;
    int64_t x = p % w->pitch, y = p / w->pitch;
    if (x < w->x_lo || x >= w->x_hi || y < w->y_lo || y >= w->y_hi)
        return false;
    bool on = w->along_y ? advance(&y, w->y_lo, w->y_hi, w->bh)
                         : advance(&x, w->x_lo, w->x_hi, wide);
    if (!on) {
        int64_t *other = w->along_y ? &x : &y;
        *other += w->along_y ? wide : w->bh;
        if (*other >= (w->along_y ? w->x_hi : w->y_hi))
            return false;
    }
    *next = w->start + (uint64_t)(y * w->pitch + x);
    if (!on && w->printed)
        *next = address + (uint64_t)(wide + w->bh * w->pitch);
    return true;
}

/* ----------------------------------------------------------------- drawing */

static int64_t draw(struct rng *r, int64_t low, int64_t high) {
    return low >= high
               ? low
               : low + (int64_t)(rng_next(r) % (uint64_t)(high - low + 1));
}

/* Part of 0..n as [lo, hi), often the whole. */
static void draw_part(struct rng *r, int64_t n, int64_t *lo, int64_t *hi) {
    *lo = rng_percent(r, 50) ? 0 : draw(r, 0, n - 1);
    *hi = rng_percent(r, 50) ? n : draw(r, *lo + 1, n);
}

static int64_t draw_pitch(const struct prefetch_local *size, bool pow2,
                          int64_t element, struct rng *r) {
    int64_t most =
        min64((int64_t)1 << size->PITCH_W, ((int64_t)1 << size->SIZE_W) - 1);
    if (pow2)
        return (int64_t)1 << draw(r, clog2(element), size->PITCH_W - 1);
    if (rng_percent(r, 60))
        most = min64(most, 64 * element);
    return element * draw(r, 1, most / element);
}

void walk_draw(struct walk *w, const struct prefetch_local *size, bool pow2,
               struct rng *r) {
    int64_t bytes = ((int64_t)1 << size->SIZE_W) - 1;
    w->valid = true;
    w->along_y = rng_percent(r, 50);
    w->printed = rng_percent(r, 15);
    w->element = (int64_t)1 << draw(r, 0, 4);
    w->pitch = draw_pitch(size, pow2, w->element, r);
    int64_t rows = min64(bytes / w->pitch, ((int64_t)1 << size->ROW_W) - 1);
    w->rows = draw(r, 1, rng_percent(r, 60) ? min64(rows, 40) : rows);
    int64_t width = w->pitch / w->element, lo, hi;
    draw_part(r, width, &lo, &hi);
    w->x_lo = lo * w->element;
    w->x_hi = hi * w->element;
    draw_part(r, w->rows, &w->y_lo, &w->y_hi);
    /* the printed stride, wide + high, has to fit as well */
    w->bw = draw(r, 1, rng_percent(r, 80) ? min64(width, 16) : width);
    w->bh = draw(r, 1, rng_percent(r, 80) ? min64(w->rows, 8) : w->rows);
    while (w->bw > 1 && w->bw * w->element + w->bh * w->pitch > bytes)
        w->bw--;
    while (w->bh > 1 && w->bw * w->element + w->bh * w->pitch > bytes)
        w->bh--;
    int64_t space = ((int64_t)1 << size->ADDR_W) - w->pitch * w->rows;
    w->start = (uint64_t)draw(r, 0, space - 1);
    if (rng_percent(r, 20)) /* up against the end of the address space */
        w->start = (uint64_t)(space - draw(r, 1, min64(space, 256)));
}
