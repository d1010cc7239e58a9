/* bist.h - golden model of stimulus and signature of a block under test
 * (docs/blocks/bist.md).
 *
 * Driven through golden.h; the arithmetic behind it is here for tests and for
 * hosts, which have to know what signature is right. */
#ifndef NDP_GOLDEN_BIST_H
#define NDP_GOLDEN_BIST_H

#include "frame/golden.h"

#include <stdint.h>

extern const struct golden_class bist_golden;

/* The random sequence: what follows x; 0 follows 0. */
uint32_t bist_next(uint32_t x);

/* The 32 inputs 32 * slice and up, if all of them are free, at x. */
uint32_t bist_free(uint32_t x, int slice);

/* What outputs of that many slices, the lowest first, add to a signature.
 * Bits behind the last output are zero. */
uint32_t bist_fold(const uint32_t *slices, int n);

/* The signature after an edge whose outputs were folded to that; a pass begins
 * with all ones. */
uint32_t bist_sign(uint32_t signature, uint32_t fold);

#endif
