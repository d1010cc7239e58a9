// bfs.cu - breadth-first search of a graph in rows (CSR), a level a launch; the
// host looks at a flag in managed memory.
#include "check.h"

#include <queue>
#include <vector>

__global__ void level(const int *row, const int *edge, int *distance, int now,
                      int n, int *changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || distance[v] != now)
        return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (atomicCAS(&distance[edge[e]], -1, now + 1) == -1)
            *changed = 1;
}

static std::vector<int> reference(const std::vector<int> &row,
                                  const std::vector<int> &edge) {
    std::vector<int> d(row.size() - 1, -1);
    std::queue<int> q;
    d[0] = 0;
    for (q.push(0); !q.empty(); q.pop())
        for (int e = row[q.front()]; e < row[q.front() + 1]; e++)
            if (d[edge[e]] == -1) {
                d[edge[e]] = d[q.front()] + 1;
                q.push(edge[e]);
            }
    return d;
}

int main() {
    const int n = 300, degree = 3;
    std::vector<int> row(n + 1), edge, start(n, -1), got(n);
    unsigned seed = 1;
    for (int v = 0; v < n; v++) {
        row[v] = (int)edge.size();
        for (int k = 0; k < degree; k++) {
            seed = seed * 1664525u + 1013904223u;
            edge.push_back((int)((seed >> 8) % n));
        }
    }
    row[n] = (int)edge.size();
    start[0] = 0;
    int *d_row, *d_edge, *d_distance, *changed;
    CHECK(cudaMalloc(&d_row, row.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_edge, edge.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_distance, n * sizeof(int)));
    CHECK(cudaMallocManaged(&changed, sizeof(int)));
    CHECK(cudaMemcpy(d_row, row.data(), row.size() * sizeof(int),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edge, edge.data(), edge.size() * sizeof(int),
                     cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_distance, start.data(), n * sizeof(int),
                     cudaMemcpyHostToDevice));
    *changed = 1;
    for (int now = 0; *changed; now++) {
        *changed = 0;
        level<<<(n + 127) / 128, 128>>>(d_row, d_edge, d_distance, now, n,
                                        changed);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(got.data(), d_distance, n * sizeof(int),
                     cudaMemcpyDeviceToHost));
    std::vector<int> want = reference(row, edge);
    int wrong = 0;
    for (int v = 0; v < n; v++)
        wrong += got[v] != want[v];
    CHECK(cudaFree(changed));
    return verdict("bfs", wrong, n);
}
