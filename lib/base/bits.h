/* bits.h - masks, fields, sets and lanes in 64-bit words; a hash.
 *
 * A wide value is an array of words, bit 0 of the first the lowest, as wide
 * ports of blocks are.  Nothing here knows its length: the caller keeps within
 * it.  All inline, for models that take 10^7 and more steps a second.
 */
#ifndef NDP_BITS_H
#define NDP_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- one word ------------------------------------------------------------- */

/* Bit n alone, n 0 to 63. */
static inline uint64_t bit(int n) {
    return (uint64_t)1 << n;
}

/* The low n bits: none for 0, all from 64 on. */
static inline uint64_t ones(int n) {
    return n >= 64 ? UINT64_MAX : bit(n) - 1;
}

/* The low width bits of v, 1 to 64, as a number in two's complement. */
static inline int64_t bits_signed(uint64_t v, int width) {
    uint64_t top = bit(width - 1);
    return (int64_t)(((v & ones(width)) ^ top) - top);
}

/* --- fields of a wide value, width 0 to 64 -------------------------------- */

/* From bit at on; a field without bits is 0 and touches no word. */
static inline uint64_t bits_get(const uint64_t *w, int at, int width) {
    int from = at % 64;
    if (width == 0)
        return 0;
    uint64_t v = w[at / 64] >> from;
    if (from + width > 64)
        v |= w[at / 64 + 1] << (64 - from);
    return v & ones(width);
}

/* The low width bits of v join what is set there already. */
static inline void bits_or(uint64_t *w, int at, int width, uint64_t v) {
    int from = at % 64;
    if (width == 0)
        return;
    v &= ones(width);
    w[at / 64] |= v << from;
    if (from + width > 64)
        w[at / 64 + 1] |= v >> (64 - from);
}

/* The same, and *at moves behind the field: fields without gaps. */
static inline uint64_t bits_take(const uint64_t *w, int *at, int width) {
    uint64_t v = bits_get(w, *at, width);
    *at += width;
    return v;
}

static inline void bits_put(uint64_t *w, int *at, int width, uint64_t v) {
    bits_or(w, *at, width, v);
    *at += width;
}

/* --- sets, bit n for member n --------------------------------------------- */

static inline bool bits_test(const uint64_t *w, int n) {
    return w[n / 64] >> n % 64 & 1;
}

static inline void bits_set(uint64_t *w, int n) {
    w[n / 64] |= bit(n % 64);
}

static inline void bits_clear(uint64_t *w, int n) {
    w[n / 64] &= ~bit(n % 64);
}

/* --- 32-bit lanes of a wide value ----------------------------------------- */

static inline uint32_t bits_lane(const uint64_t *w, int lane) {
    return (uint32_t)(w[lane / 2] >> lane % 2 * 32);
}

static inline void bits_set_lane(uint64_t *w, int lane, uint32_t v) {
    int from = lane % 2 * 32;
    w[lane / 2] = (w[lane / 2] & ~(ones(32) << from)) | (uint64_t)v << from;
}

/* --- FNV-1a, 64 bits ------------------------------------------------------ */

#define FNV1A_START UINT64_C(0xcbf29ce484222325)

/* The hash of what hash is of, followed by size bytes; FNV1A_START is that of
 * nothing. */
static inline uint64_t fnv1a(uint64_t hash, const void *data, size_t size) {
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
