/* signature.c - see signature.h. */
#include "signature.h"

static uint32_t left(uint32_t v, int n) { /* n 1 to 31 */
    return v << n | v >> (32 - n);
}

static uint32_t slice(const struct flat_row *row, int s) {
    return (uint32_t)(row->w[s / 2] >> 32 * (s % 2));
}

uint32_t signature_fold(const struct flat_row *outputs, int bits) {
    uint32_t plain = 0, turned = 0;
    for (int s = 0; 32 * s < bits; s++) {
        plain ^= slice(outputs, s);
        turned ^= left(slice(outputs, s), s + 2);
    }
    return plain ^ left(plain, 1) ^ turned;
}

uint32_t signature_add(uint32_t signature, const struct flat_row *outputs,
                       int bits) {
    return signature << 1 ^ (signature >> 31 ? UINT32_C(0x04c11db7) : 0) ^
           signature_fold(outputs, bits);
}

uint32_t random_next(uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

void random_mix(uint32_t x, const struct flat_row *mask, int bits,
                struct flat_row *stimulus) {
    uint32_t pair = x ^ left(x, 31);
    for (int s = 0; 32 * s < bits; s++) {
        uint32_t v = (pair ^ left(x, 30 - s)) & slice(mask, s);
        stimulus->w[s / 2] ^= (uint64_t)v << 32 * (s % 2);
    }
}
