/* image_driver.h - what the driver does at a kernel's launch: from the images
 * of a run description to each SM's information table.
 *
 * IP-NDP sections 3.2 and 3.3: an image is cut into as many parts as there are
 * SMs, in bands of rows, bands of columns or tiles, and each SM's prefetcher is
 * loaded with the bounds of its own part.
 */
#ifndef NDP_PREFETCH_IMAGE_DRIVER_H
#define NDP_PREFETCH_IMAGE_DRIVER_H

#include "prefetch.h"
#include "sim/run/run.h"

#include <stdbool.h>
#include <stdint.h>

enum { IMAGE_TABLE_MAX = 8 };

/* The entries of one SM. */
struct image_table {
    uint32_t n;
    uint64_t entry[IMAGE_TABLE_MAX][PREFETCH_ENTRY_WORDS];
};

/* The configuration of the prefetchers: the paper's sizes but for addresses,
 * which are as long as the executor's, and images as large as can be. */
void image_driver_config(struct config *c);

/* Which part of an image an SM has, and how it walks over it. */
struct image_part {
    uint64_t parts, part; /* number of parts; this one, from 0 */
    bool printed;         /* strides as the paper prints them */
};

/* The walk over a part of an image. */
struct prefetch_walk image_driver_walk(const struct run_image *image,
                                       const struct image_part *part);

/* CTAs from lo to before hi in x and y, rows of them or columns first. */
struct image_area {
    uint64_t lo[2], hi[2];
    bool by_column;
    bool printed; /* strides as the paper prints them */
};

/* The walk over what the CTAs of an area cover of an image.  Images walked by rows
 * or tiles follow the CTAs; others as their kernel does, by columns from top to
 * bottom, repeatedly from left to right. */
struct prefetch_walk image_driver_area_walk(const struct run_image *image,
                                            const struct image_area *area);

/* The whole table.  False after an error in d that begins with path. */
bool image_driver_table(const struct config *c, const struct run_images *images,
                        const struct image_part *part, const char *path,
                        struct image_table *t, struct diag *d);

/* Tiles of n above each other: the largest divisor of n that is not above its
 * root, so that tiles are as square as they can be. */
uint32_t image_driver_tiles_down(uint32_t n);

#endif
