/* bfs.cu - breadth-first search, one level a round, one thread a node.
 *
 * bfs_expand  each node of the frontier gives its unvisited neighbours their
 *             cost and marks them
 * bfs_update  the marked nodes become the next frontier; `over` tells the
 *             host that there is one
 *
 * The graph is in compressed sparse rows: the neighbours of node v are
 * edge[first[v]] .. edge[first[v + 1] - 1].  Several threads may store to one
 * node in the same round, but they store the same values.
 *
 * Named by: TOM, Table 2, BFS (after Rodinia); opportunistic computing,
 *           Table 3, BFS.
 * Launch: one-dimensional, block 256, one thread a node; the two kernels
 * alternate until `over` stays 0.
 */

extern "C" __global__ void bfs_expand(int nodes, const int *__restrict__ first,
                                      const int *__restrict__ edge,
                                      unsigned char *__restrict__ frontier,
                                      unsigned char *__restrict__ marked,
                                      const unsigned char *__restrict__ visited,
                                      int *cost) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= nodes || !frontier[v])
        return;
    frontier[v] = 0;
    for (int e = first[v]; e < first[v + 1]; e++) {
        const int to = edge[e];

        if (!visited[to]) {
            cost[to] = cost[v] + 1;
            marked[to] = 1;
        }
    }
}

extern "C" __global__ void bfs_update(int nodes,
                                      unsigned char *__restrict__ frontier,
                                      unsigned char *__restrict__ marked,
                                      unsigned char *__restrict__ visited,
                                      int *__restrict__ over) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= nodes || !marked[v])
        return;
    frontier[v] = 1;
    visited[v] = 1;
    marked[v] = 0;
    *over = 1;
}
