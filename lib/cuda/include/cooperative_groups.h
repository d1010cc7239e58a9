/* cooperative_groups.h - blocks, tiles of a warp and coalesced lanes as groups.
 * Groups of several blocks (grid.sync) are not here. */
#ifndef NDP_CUDA_COOPERATIVE_GROUPS_H
#define NDP_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(__CUDA__)

namespace cooperative_groups {

__device__ inline unsigned ndp_thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

struct thread_block {
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    __device__ static unsigned num_threads() { return size(); }
    __device__ static unsigned thread_rank() { return ndp_thread(); }
    __device__ static dim3 group_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static dim3 group_dim() { return blockDim; }
};
__device__ inline thread_block this_thread_block() {
    return thread_block();
}

/* The lanes of a mask; rank: of this lane among them. */
struct coalesced_group {
    unsigned mask;
    __device__ unsigned size() const { return __popc(mask); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const {
        return __popc(mask & ((1u << (ndp_thread() & 31)) - 1));
    }
    __device__ void sync() const { __syncwarp(mask); }
    __device__ int any(int p) const { return __any_sync(mask, p); }
    __device__ int all(int p) const { return __all_sync(mask, p); }
    template <class T> __device__ T shfl(T v, unsigned rank) const {
        return __shfl_sync(mask, v, (int)__fns(mask, 0, (int)rank + 1));
    }
};
__device__ inline coalesced_group coalesced_threads() {
    return coalesced_group{__activemask()};
}

template <unsigned N, class Parent = void> struct thread_block_tile {
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    __device__ static unsigned lane() { return ndp_thread() & 31; }
    __device__ static unsigned mask() {
        return N == 32 ? 0xffffffffu
                       : ((1u << N % 32) - 1) << (lane() & ~(N - 1));
    }
    __device__ static unsigned size() { return N; }
    __device__ static unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return lane() & (N - 1); }
    __device__ static unsigned meta_group_rank() { return ndp_thread() / N; }
    __device__ static unsigned meta_group_size() {
        return (thread_block::size() + N - 1) / N;
    }
    __device__ static void sync() { __syncwarp(mask()); }
    template <class T> __device__ static T shfl(T v, int from) {
        return __shfl_sync(mask(), v, from, N);
    }
    template <class T> __device__ static T shfl_down(T v, unsigned by) {
        return __shfl_down_sync(mask(), v, by, N);
    }
    template <class T> __device__ static T shfl_up(T v, unsigned by) {
        return __shfl_up_sync(mask(), v, by, N);
    }
    template <class T> __device__ static T shfl_xor(T v, unsigned by) {
        return __shfl_xor_sync(mask(), v, by, N);
    }
    __device__ static int any(int p) {
        return (__ballot_sync(mask(), p) & mask()) != 0;
    }
    __device__ static int all(int p) {
        return (__ballot_sync(mask(), p) & mask()) == mask();
    }
    __device__ static unsigned ballot(int p) {
        return (__ballot_sync(mask(), p) & mask()) >> (lane() & ~(N - 1));
    }
};
template <unsigned N, class Group>
__device__ inline thread_block_tile<N, Group> tiled_partition(const Group &) {
    return thread_block_tile<N, Group>();
}

template <class Group> __device__ inline void sync(const Group &g) {
    g.sync();
}

template <class T> struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned N, class P, class T, class F>
__device__ inline T reduce(const thread_block_tile<N, P> &g, T v, F f) {
    for (unsigned by = N / 2; by > 0; by /= 2)
        v = f(v, g.shfl_xor(v, by));
    return v;
}

} // namespace cooperative_groups

#endif
#endif
