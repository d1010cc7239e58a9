/* gradient.h - the step of SVRG that accelerators and host do together: what
 * it is of (kernels/svrg), and what must come out of each chip, by plain loops
 * in the order of the operations.
 *
 * A vector's elements go over all parts, 8 bytes each: a part is a chip of a
 * rank.  So a chip has `words` words of each vector, padded with zeros.
 *
 *   margins   GEMV: a row of x times w; each chip tells its part of each row
 *   scales    the host: -label / (samples * (1 + exp(label * margin)))
 *   gradient  AXPBY a row of x: g = lambda w + scale x, g = scale x + g, ...
 */
#ifndef NDP_CONCURRENT_GRADIENT_H
#define NDP_CONCURRENT_GRADIENT_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum { GRADIENT_LANES = 2 }; /* f32 of a chip's 8 bytes */

struct gradient {
    int samples, features;
    float lambda;
    float *x, *label, *w;
    float *result; /* of the kernel's reference, in double precision */
    int parts;     /* over which a vector goes */
    int words;     /* of a vector, in each */
};

/* The kernel's data, from its run description (size: NULL is its own choice)
 * for so many parts.  False after an error in d; gradient_free in any case. */
bool gradient_read(struct gradient *g, const char *path, const char *size,
                   int parts, struct diag *d);
void gradient_free(struct gradient *g);

const float *gradient_row(const struct gradient *g, int sample);

/* A part's word of a vector of that many features. */
uint64_t gradient_word(const struct gradient *g, const float *vector, int part,
                       int word);

/* Where a vector begins in each part, in words: w, the gradient, the rows. */
uint64_t gradient_at_w(void);
uint64_t gradient_at_result(const struct gradient *g);
uint64_t gradient_at_row(const struct gradient *g, int sample);

/* The host's part: the scale, of the sum of all parts' margins. */
float gradient_scale(const struct gradient *g, int sample, double margin);

/* What must come out: a part's value of a margin, and its word of the result,
 * with the scales of all samples. */
uint32_t gradient_expect_margin(const struct gradient *g, int part, int sample);
uint64_t gradient_expect_word(const struct gradient *g, int part, int word,
                              const float *scale);

uint32_t gradient_bits(float f);
float gradient_float(uint64_t bits);

#endif
