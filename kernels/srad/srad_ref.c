/* srad_ref.c - speckle-reducing anisotropic diffusion. */
#include <math.h>

#include "ref.h"

enum { NORTH, SOUTH, WEST, EAST, SIDES };

struct field {
    int64_t width, height;
    float *image;
    float *difference[SIDES];
    float *coefficient;
};

/* Index of the neighbour of pixel i, or i itself at the border. */
static int64_t neighbour(const struct field *f, int64_t i, int side) {
    const int64_t x = i % f->width;
    const int64_t y = i / f->width;

    switch (side) {
    case NORTH:
        return y > 0 ? i - f->width : i;
    case SOUTH:
        return y < f->height - 1 ? i + f->width : i;
    case WEST:
        return x > 0 ? i - 1 : i;
    default:
        return x < f->width - 1 ? i + 1 : i;
    }
}

/* Squared coefficient of variation of the whole image. */
static double speckle_scale(const struct field *f) {
    const int64_t n = f->width * f->height;
    double sum = 0;
    double square = 0;

    for (int64_t i = 0; i < n; i++) {
        sum += f->image[i];
        square += (double)f->image[i] * f->image[i];
    }
    return square * (double)n / (sum * sum) - 1;
}

static void gradient(struct field *f, double q0) {
    for (int64_t i = 0; i < f->width * f->height; i++) {
        const double centre = f->image[i];
        double square = 0;
        double sum = 0;

        for (int s = 0; s < SIDES; s++) {
            const double d = f->image[neighbour(f, i, s)] - centre;

            f->difference[s][i] = (float)d;
            square += d * d;
            sum += d;
        }

        const double l = sum / centre;
        const double den = 1 + 0.25 * l;
        const double q =
            (0.5 * square / (centre * centre) - l * l / 16) / (den * den);
        const double c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));

        f->coefficient[i] = (float)fmin(fmax(c, 0), 1);
    }
}

static void update(struct field *f, double lambda) {
    for (int64_t i = 0; i < f->width * f->height; i++) {
        const float *c = f->coefficient;
        const double divergence =
            (double)c[i] * f->difference[NORTH][i] +
            (double)c[neighbour(f, i, SOUTH)] * f->difference[SOUTH][i] +
            (double)c[i] * f->difference[WEST][i] +
            (double)c[neighbour(f, i, EAST)] * f->difference[EAST][i];

        f->image[i] = (float)(f->image[i] + 0.25 * lambda * divergence);
    }
}

void ref_srad(struct ref_run *r) {
    struct field f = {
        .width = ref_int(r, "width"),
        .height = ref_int(r, "height"),
        .image = ref_f32(r, "image"),
        .difference = {ref_f32(r, "north"), ref_f32(r, "south"),
                       ref_f32(r, "west"), ref_f32(r, "east")},
        .coefficient = ref_f32(r, "coefficient"),
    };
    const int64_t n = f.width * f.height;
    const int64_t steps = ref_int(r, "steps");

    for (int64_t i = 0; i < n; i++)
        f.image[i] = (float)exp(f.image[i] / 255.0);
    for (int64_t t = 0; t < steps; t++) {
        gradient(&f, speckle_scale(&f));
        update(&f, ref_float(r, "lambda"));
    }
    for (int64_t i = 0; i < n; i++)
        f.image[i] = (float)(log(f.image[i]) * 255);
}
