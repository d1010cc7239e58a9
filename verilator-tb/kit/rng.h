/* rng.h - random numbers that are the same on every machine: xoshiro256**
 * (Blackman and Vigna), seeded by splitmix64. */
#ifndef NDP_RNG_H
#define NDP_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t s[4];
};

/* A bijection that spreads every bit of x over the result. */
static inline uint64_t rng_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline void rng_seed(struct rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        r->s[i] = rng_mix(seed += 0x9e3779b97f4a7c15u);
}

static inline uint64_t rng_rotl(uint64_t x, int k) {
    return x << k | x >> (64 - k);
}

static inline uint64_t rng_next(struct rng *r) {
    uint64_t *s = r->s, result = rng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotl(s[3], 45);
    return result;
}

/* Below n, which must not be 0. */
static inline uint32_t rng_below(struct rng *r, uint32_t n) {
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/* From low to high, both included. */
static inline int rng_range(struct rng *r, int low, int high) {
    return low + (int)rng_below(r, (uint32_t)(high - low + 1));
}

/* True in percent of the cases. */
static inline bool rng_percent(struct rng *r, int percent) {
    return (int)rng_below(r, 100) < percent;
}

#endif
