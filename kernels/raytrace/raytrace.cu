/* raytrace.cu - ray tracing of reflecting spheres under one light.
 *
 * Each pixel sends a ray.  At the nearest sphere it collects the diffuse
 * light (none in shadow) and goes on along the reflection, up to `bounces`
 * times; a ray that misses everything collects the sky.
 *
 * sphere[i] is centre x, y, z and radius; paint[i] is red, green, blue and
 * the reflected share.
 *
 * Named by: TOM, Table 2, RAY (after GPGPU-Sim's ray tracing benchmark).
 * Launch: two-dimensional, block 16x8, one thread a pixel.
 */

#define NOTHING 1e30f
#define AMBIENT 0.1f
#define STEP_OFF 1e-3f

static __device__ __forceinline__ float3 along(float3 o, float t, float3 d) {
    return make_float3(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z);
}

static __device__ __forceinline__ float dot3(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ float3 unit(float3 v) {
    const float scale = rsqrtf(dot3(v, v));

    return make_float3(v.x * scale, v.y * scale, v.z * scale);
}

/* Distance along the ray to the sphere's near side, NOTHING if it misses. */
static __device__ __forceinline__ float meet(float4 s, float3 o, float3 d) {
    const float3 c = make_float3(s.x - o.x, s.y - o.y, s.z - o.z);
    const float middle = dot3(c, d);
    const float q = middle * middle - dot3(c, c) + s.w * s.w;

    if (q < 0.0f)
        return NOTHING;

    const float t = middle - sqrtf(q);

    return t > 0.0f ? t : NOTHING;
}

extern "C" __global__ void raytrace(int width, int height, int spheres,
                                    int bounces,
                                    const float4 *__restrict__ sphere,
                                    const float4 *__restrict__ paint,
                                    float4 *__restrict__ image) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;

    if (px >= width || py >= height)
        return;

    const float3 light = make_float3(0.48f, 0.64f, -0.6f);
    float3 origin = make_float3(0.0f, 0.0f, -4.0f);
    float3 ray = unit(make_float3((px + 0.5f - 0.5f * width) / height,
                                  (0.5f * height - py - 0.5f) / height, 1.0f));
    float3 colour = make_float3(0.0f, 0.0f, 0.0f);
    float weight = 1.0f;

    for (int bounce = 0; bounce <= bounces; bounce++) {
        float nearest = NOTHING;
        int hit = -1;

        for (int i = 0; i < spheres; i++) {
            const float t = meet(sphere[i], origin, ray);

            if (t < nearest) {
                nearest = t;
                hit = i;
            }
        }
        if (hit < 0) {
            const float sky = weight * (0.5f + 0.5f * ray.y);

            colour = along(colour, sky, make_float3(0.5f, 0.7f, 1.0f));
            break;
        }

        const float4 s = sphere[hit];
        const float4 p = paint[hit];
        const float3 at = along(origin, nearest, ray);
        const float3 normal = make_float3(
            (at.x - s.x) / s.w, (at.y - s.y) / s.w, (at.z - s.z) / s.w);
        float shine = dot3(normal, light);

        origin = along(at, STEP_OFF, normal);
        for (int i = 0; i < spheres && shine > 0.0f; i++)
            if (meet(sphere[i], origin, light) < NOTHING)
                shine = 0.0f;

        const float share =
            weight * (1.0f - p.w) * (AMBIENT + fmaxf(shine, 0.0f));

        colour = along(colour, share, make_float3(p.x, p.y, p.z));
        weight *= p.w;
        ray = along(ray, -2.0f * dot3(ray, normal), normal);
    }
    image[py * width + px] =
        make_float4(colour.x, colour.y, colour.z, 1.0f - weight);
}
