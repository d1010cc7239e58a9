/* cfd.cu - flux step of a finite-volume solver of the Euler equations on an
 * unstructured grid.
 *
 * Each cell sums the fluxes through its four faces: an artificial viscosity
 * term and the mean of both sides' flux contributions.  neighbour[f][cell] is
 * a cell, WALL (pressure only) or FAR (free stream).  The conserved variables
 * are density, momentum x, y, z and energy, one plane of `cells` words each;
 * face normals are three planes a face.
 *
 * Named by: TOM, Table 2, CFD (after Rodinia).
 * Launch: one-dimensional, block 192, one thread a cell.
 */

#define FACES 4
#define WALL -1
#define FAR -2
#define GAMMA 1.4f
#define SMOOTHING 0.2f

/* State and flux contribution of one side of a face. */
struct side {
    float density, energy, speed, sound, pressure;
    float3 momentum;
    float3 flux_x, flux_y, flux_z; /* of the three momenta */
    float3 flux_energy;
};

/* The free stream: density, momentum x y z, energy, then the contributions
 * flux_x, flux_y, flux_z and flux_energy, three words each. */
extern "C" {
__constant__ float far_field[17];
}

static __device__ __forceinline__ float3 axis(const float *p) {
    return make_float3(p[0], p[1], p[2]);
}

static __device__ __forceinline__ float dot3(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ side load_side(int cell, int cells,
                                                 const float *__restrict__ v) {
    side s;

    s.density = v[cell];
    s.momentum =
        make_float3(v[cells + cell], v[2 * cells + cell], v[3 * cells + cell]);
    s.energy = v[4 * cells + cell];

    const float3 u =
        make_float3(s.momentum.x / s.density, s.momentum.y / s.density,
                    s.momentum.z / s.density);
    const float speed2 = dot3(u, u);

    s.speed = sqrtf(speed2);
    s.pressure = (GAMMA - 1.0f) * (s.energy - 0.5f * s.density * speed2);
    s.sound = sqrtf(GAMMA * s.pressure / s.density);

    s.flux_x = make_float3(u.x * s.momentum.x + s.pressure, u.x * s.momentum.y,
                           u.x * s.momentum.z);
    s.flux_y = make_float3(s.flux_x.y, u.y * s.momentum.y + s.pressure,
                           u.y * s.momentum.z);
    s.flux_z =
        make_float3(s.flux_x.z, s.flux_y.z, u.z * s.momentum.z + s.pressure);

    const float h = s.energy + s.pressure;

    s.flux_energy = make_float3(u.x * h, u.y * h, u.z * h);
    return s;
}

extern "C" __global__ void cfd(int cells, const int *__restrict__ neighbour,
                               const float *__restrict__ normal,
                               const float *__restrict__ variable,
                               float *__restrict__ flux) {
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;

    if (cell >= cells)
        return;

    const side own = load_side(cell, cells, variable);
    float density = 0.0f;
    float energy = 0.0f;
    float3 momentum = make_float3(0.0f, 0.0f, 0.0f);

    for (int f = 0; f < FACES; f++) {
        const int other = neighbour[f * cells + cell];
        const float3 n = make_float3(normal[(3 * f) * cells + cell],
                                     normal[(3 * f + 1) * cells + cell],
                                     normal[(3 * f + 2) * cells + cell]);

        if (other >= 0) {
            const side nb = load_side(other, cells, variable);
            const float k = -sqrtf(dot3(n, n)) * SMOOTHING * 0.5f *
                            (own.speed + nb.speed + own.sound + nb.sound);
            const float3 half = make_float3(0.5f * n.x, 0.5f * n.y, 0.5f * n.z);

            density += k * (own.density - nb.density) +
                       dot3(half, own.momentum) + dot3(half, nb.momentum);
            energy += k * (own.energy - nb.energy) +
                      dot3(half, own.flux_energy) + dot3(half, nb.flux_energy);
            momentum.x += k * (own.momentum.x - nb.momentum.x) +
                          dot3(half, own.flux_x) + dot3(half, nb.flux_x);
            momentum.y += k * (own.momentum.y - nb.momentum.y) +
                          dot3(half, own.flux_y) + dot3(half, nb.flux_y);
            momentum.z += k * (own.momentum.z - nb.momentum.z) +
                          dot3(half, own.flux_z) + dot3(half, nb.flux_z);
        } else if (other == WALL) {
            momentum.x += n.x * own.pressure;
            momentum.y += n.y * own.pressure;
            momentum.z += n.z * own.pressure;
        } else if (other == FAR) {
            const float3 half = make_float3(0.5f * n.x, 0.5f * n.y, 0.5f * n.z);

            density +=
                dot3(half, own.momentum) + dot3(half, axis(far_field + 1));
            energy +=
                dot3(half, own.flux_energy) + dot3(half, axis(far_field + 14));
            momentum.x +=
                dot3(half, own.flux_x) + dot3(half, axis(far_field + 5));
            momentum.y +=
                dot3(half, own.flux_y) + dot3(half, axis(far_field + 8));
            momentum.z +=
                dot3(half, own.flux_z) + dot3(half, axis(far_field + 11));
        }
    }

    flux[cell] = density;
    flux[cells + cell] = momentum.x;
    flux[2 * cells + cell] = momentum.y;
    flux[3 * cells + cell] = momentum.z;
    flux[4 * cells + cell] = energy;
}
