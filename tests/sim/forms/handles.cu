/* Handles of textures in memory: each block takes another one. */
extern "C" __global__ void handles(const cudaTextureObject_t *textures,
                                   float *out) {
    float2 v = tex1D<float2>(textures[blockIdx.x], threadIdx.x + 0.25f);

    out[blockIdx.x * blockDim.x + threadIdx.x] = v.x + v.y;
}
