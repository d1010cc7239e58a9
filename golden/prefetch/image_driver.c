/* image_driver.c - parts of images, and the tables made of them. */
#include "image_driver.h"

void image_driver_config(struct config *c) {
    config_defaults(c);
    c->prefetch_address_bits = 48;
    c->prefetch_size_bits = 32;
    c->prefetch_pitch_bits = 16;
    c->prefetch_row_bits = 16;
}

uint32_t image_driver_tiles_down(uint32_t n) {
    uint32_t down = 1;
    for (uint32_t i = 1; i <= n / i; i++)
        if (n % i == 0)
            down = i;
    return down;
}

struct range {
    uint64_t lo, hi;
};

/* Part of a length in steps of a block, as the kernels divide their rows: the
 * first parts are whole, the last may be short or empty. */
static struct range share(uint64_t length, uint64_t block, uint64_t parts,
                          uint64_t part) {
    uint64_t blocks = (length + block - 1) / block;
    uint64_t each = (blocks + parts - 1) / parts * block;
    struct range r = {part * each, (part + 1) * each};
    r.lo = r.lo < length ? r.lo : length;
    r.hi = r.hi < length ? r.hi : length;
    return r;
}

static struct prefetch_walk walk_over(const struct run_image *image,
                                      struct range x, struct range y) {
    uint64_t e = image->element, pitch = image->pitch * e;
    bool repeat = image->walk == RUN_WALK_REPEAT;
    return (struct prefetch_walk){.start = image->address,
                                  .size = pitch * (image->height - 1) +
                                          image->width * e,
                                  .pitch = pitch,
                                  .along_y = image->walk == RUN_WALK_COLUMN,
                                  .block_x = image->block[0] * e,
                                  .block_y = repeat ? 0 : image->block[1],
                                  .x_lo = x.lo * e,
                                  .x_hi = x.hi * e,
                                  .y_lo = y.lo,
                                  .y_hi = y.hi};
}

/* What CTAs lo to before hi cover of a length, from the origin on. */
static struct range covered(uint64_t lo, uint64_t hi, uint64_t block,
                            uint64_t origin, uint64_t length) {
    struct range r = {lo * block, hi * block};
    r.lo -= r.lo < origin ? r.lo : origin;
    r.hi -= r.hi < origin ? r.hi : origin;
    r.lo = r.lo < length ? r.lo : length;
    r.hi = r.hi < length ? r.hi : length;
    return r;
}

struct prefetch_walk image_driver_area_walk(const struct run_image *image,
                                            const struct image_area *area) {
    struct range part[2] = {{0, image->width}, {0, image->height}};
    const bool whole[2] = {image->walk == RUN_WALK_REPEAT,
                           image->walk == RUN_WALK_COLUMN};
    for (int i = 0; i < 2; i++)
        if (!whole[i])
            part[i] = covered(area->lo[i], area->hi[i], image->block[i],
                              image->origin[i], part[i].hi);
    struct prefetch_walk w = walk_over(image, part[0], part[1]);
    w.along_y |= area->by_column && !whole[0];
    w.printed = area->printed;
    return w;
}

struct prefetch_walk image_driver_walk(const struct run_image *image,
                                       const struct image_part *part) {
    uint64_t down = 1, across = 1, n = part->parts, i = part->part;
    if (image->walk == RUN_WALK_ROW)
        down = n;
    else if (image->walk == RUN_WALK_COLUMN)
        across = n;
    else if (image->walk == RUN_WALK_TILE)
        across = n / (down = image_driver_tiles_down((uint32_t)n));
    bool whole = down * across == 1;
    struct range y =
        share(image->height, image->block[1], down, whole ? 0 : i / across);
    struct range x =
        share(image->width, image->block[0], across, whole ? 0 : i % across);
    struct prefetch_walk w = walk_over(image, x, y);
    w.printed = part->printed;
    return w;
}

bool image_driver_table(const struct config *c, const struct run_images *images,
                        const struct image_part *part, const char *path,
                        struct image_table *t, struct diag *d) {
    *t = (struct image_table){.n = (uint32_t)c->prefetch_images};
    if (images->n > c->prefetch_images) {
        diag_error(d, (struct place){0},
                   "%s: %d images, the prefetcher's table holds %d", path,
                   images->n, c->prefetch_images);
        return false;
    }
    struct design *block = design_make(&prefetch_iface, c);
    const char *problem = NULL;
    for (int i = 0; i < images->n && !problem; i++) {
        const struct run_image *image = &images->images[i];
        struct prefetch_walk w = image_driver_walk(image, part);
        problem = prefetch_entry(block, &w, t->entry[i]);
        if (problem)
            diag_error(d, (struct place){0},
                       "%s: image '%s' cannot be held: %s", path, image->buffer,
                       problem);
    }
    design_free(block);
    return !problem;
}
