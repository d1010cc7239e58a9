/* dct8x8_ref.c - discrete cosine transform of each 8x8 block. */
#include <math.h>

#include "ref.h"

enum { SIDE = 8 };

static double basis(int64_t u, int64_t x) {
    const double pi = 3.14159265358979323846;

    return u == 0 ? sqrt(1.0 / SIDE)
                  : 0.5 * cos((double)((2 * x + 1) * u) * pi / 16);
}

void ref_dct8x8(struct ref_run *r) {
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const float *in = ref_f32(r, "in");
    float *out = ref_f32(r, "out");
    double table[SIDE][SIDE];

    for (int64_t u = 0; u < SIDE; u++)
        for (int64_t x = 0; x < SIDE; x++)
            table[u][x] = basis(u, x);

    for (int64_t at = 0; at < width * height; at++) {
        const int64_t u = at / width % SIDE;
        const int64_t v = at % width % SIDE;
        const float *block = in + at - u * width - v;
        double sum = 0;

        for (int64_t y = 0; y < SIDE; y++)
            for (int64_t x = 0; x < SIDE; x++)
                sum += table[u][y] * table[v][x] * block[y * width + x];
        out[at] = (float)sum;
    }
}
