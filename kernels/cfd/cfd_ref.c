/* cfd_ref.c - flux through the four faces of every cell.
 *
 * Written over vectors of the five conserved variables: variable k of a side
 * contributes the vector flux[k] along x, y and z.
 */
#include <math.h>

#include "ref.h"

enum { DENSITY, MX, MY, MZ, ENERGY, VARIABLES };
enum { FACES = 4, WALL = -1 };

struct side {
    double variable[VARIABLES];
    double flux[VARIABLES][3];
    double speed, sound, pressure;
};

static double dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static struct side side_of(const double *variable) {
    struct side s = {0};
    double u[3];

    for (int k = 0; k < VARIABLES; k++)
        s.variable[k] = variable[k];
    for (int d = 0; d < 3; d++)
        u[d] = variable[MX + d] / variable[DENSITY];
    s.speed = sqrt(dot3(u, u));
    s.pressure =
        0.4 * (variable[ENERGY] - 0.5 * variable[DENSITY] * s.speed * s.speed);
    s.sound = sqrt(1.4 * s.pressure / variable[DENSITY]);
    for (int d = 0; d < 3; d++) {
        s.flux[DENSITY][d] = variable[MX + d];
        s.flux[ENERGY][d] = u[d] * (variable[ENERGY] + s.pressure);
        for (int e = 0; e < 3; e++)
            s.flux[MX + d][e] =
                u[d] * variable[MX + e] + (d == e ? s.pressure : 0);
    }
    return s;
}

static struct side load_side(int64_t cell, int64_t cells, const float *planes) {
    double variable[VARIABLES];

    for (int k = 0; k < VARIABLES; k++)
        variable[k] = planes[k * cells + cell];
    return side_of(variable);
}

/* Adds the flux through a face of normal n towards side nb; viscous only
 * between two cells. */
static void add_face(const struct side *own, const struct side *nb,
                     const double *n, int viscous, double *sum) {
    const double k = viscous
                         ? -sqrt(dot3(n, n)) * 0.1 *
                               (own->speed + nb->speed + own->sound + nb->sound)
                         : 0;

    for (int v = 0; v < VARIABLES; v++)
        sum[v] += k * (own->variable[v] - nb->variable[v]) +
                  0.5 * (dot3(n, own->flux[v]) + dot3(n, nb->flux[v]));
}

void ref_cfd(struct ref_run *r) {
    const int64_t cells = ref_int(r, "cells");
    const int32_t *neighbour = ref_i32(r, "neighbour");
    const float *normal = ref_f32(r, "normal");
    const float *variable = ref_f32(r, "variable");
    const float *far_field = ref_f32(r, "far_field");
    float *flux = ref_f32(r, "flux");
    double stream[VARIABLES];

    for (int k = 0; k < VARIABLES; k++)
        stream[k] = far_field[k];

    const struct side far_side = side_of(stream);

    for (int64_t c = 0; c < cells; c++) {
        const struct side own = load_side(c, cells, variable);
        double sum[VARIABLES] = {0};

        for (int64_t f = 0; f < FACES; f++) {
            const int32_t other = neighbour[f * cells + c];
            double n[3];

            for (int d = 0; d < 3; d++)
                n[d] = normal[(3 * f + d) * cells + c];
            if (other >= 0) {
                const struct side nb = load_side(other, cells, variable);

                add_face(&own, &nb, n, 1, sum);
            } else if (other == WALL) {
                for (int d = 0; d < 3; d++)
                    sum[MX + d] += n[d] * own.pressure;
            } else {
                add_face(&own, &far_side, n, 0, sum);
            }
        }
        for (int k = 0; k < VARIABLES; k++)
            flux[k * cells + c] = (float)sum[k];
    }
}
