/* raytrace_ref.c - ray tracing of reflecting spheres, in double. */
#include <math.h>
#include <stdbool.h>

#include "ref.h"

struct vec {
    double x, y, z;
};

struct scene {
    int64_t spheres;
    const float *sphere; /* x, y, z, radius */
    const float *paint;  /* red, green, blue, reflected share */
};

static const struct vec light = {0.48, 0.64, -0.6};
static const struct vec sky = {0.5, 0.7, 1.0};

static struct vec along(struct vec o, double t, struct vec d) {
    return (struct vec){o.x + t * d.x, o.y + t * d.y, o.z + t * d.z};
}

static double dot3(struct vec a, struct vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Distance along the ray to the near side of sphere i, infinite if missed. */
static double meet(const struct scene *s, int64_t i, struct vec o,
                   struct vec d) {
    const float *p = s->sphere + 4 * i;
    const struct vec c = {p[0] - o.x, p[1] - o.y, p[2] - o.z};
    const double middle = dot3(c, d);
    const double q = middle * middle - dot3(c, c) + (double)p[3] * p[3];
    const double t = q < 0 ? -1 : middle - sqrt(q);

    return t > 0 ? t : INFINITY;
}

static int64_t nearest(const struct scene *s, struct vec o, struct vec d,
                       double *distance) {
    int64_t hit = -1;

    *distance = INFINITY;
    for (int64_t i = 0; i < s->spheres; i++) {
        const double t = meet(s, i, o, d);

        if (t < *distance) {
            *distance = t;
            hit = i;
        }
    }
    return hit;
}

/* One leg of the ray; false when it left the scene. */
static bool bounce(const struct scene *s, struct vec *o, struct vec *d,
                   struct vec *colour, double *weight) {
    double t, shadow;
    const int64_t hit = nearest(s, *o, *d, &t);

    if (hit < 0) {
        *colour = along(*colour, *weight * (0.5 + 0.5 * d->y), sky);
        return false;
    }

    const float *p = s->sphere + 4 * hit;
    const float *c = s->paint + 4 * hit;
    const struct vec at = along(*o, t, *d);
    const struct vec normal = {(at.x - p[0]) / p[3], (at.y - p[1]) / p[3],
                               (at.z - p[2]) / p[3]};
    double shine = dot3(normal, light);

    *o = along(at, 1e-3, normal);
    if (shine < 0 || nearest(s, *o, light, &shadow) >= 0)
        shine = 0;
    *colour = along(*colour, *weight * (1 - c[3]) * (0.1 + shine),
                    (struct vec){c[0], c[1], c[2]});
    *weight *= c[3];
    *d = along(*d, -2 * dot3(*d, normal), normal);
    return true;
}

void ref_raytrace(struct ref_run *r) {
    const struct scene s = {ref_int(r, "spheres"), ref_f32(r, "sphere"),
                            ref_f32(r, "paint")};
    const int64_t width = ref_int(r, "width");
    const int64_t height = ref_int(r, "height");
    const int64_t bounces = ref_int(r, "bounces");
    float *image = ref_f32(r, "image");

    for (int64_t i = 0; i < width * height; i++) {
        const double w = (double)width, h = (double)height;
        struct vec o = {0, 0, -4};
        struct vec d = {((double)(i % width) + 0.5 - 0.5 * w) / h,
                        (0.5 * h - (double)(i / width) - 0.5) / h, 1};
        struct vec colour = {0, 0, 0};
        double weight = 1;

        d = along((struct vec){0, 0, 0}, 1 / sqrt(dot3(d, d)), d);
        for (int64_t b = 0; b <= bounces; b++)
            if (!bounce(&s, &o, &d, &colour, &weight))
                break;
        image[4 * i] = (float)colour.x;
        image[4 * i + 1] = (float)colour.y;
        image[4 * i + 2] = (float)colour.z;
        image[4 * i + 3] = (float)(1 - weight);
    }
}
