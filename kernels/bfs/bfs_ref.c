/* bfs_ref.c - distance of every node from node 0, level by level. */
#include <stdbool.h>

#include "ref.h"

/* Gives the unreached neighbours of level `level` their cost. */
static bool expand(int64_t nodes, int32_t level, const int32_t *first,
                   const int32_t *edge, int32_t *cost) {
    bool found = false;

    for (int64_t v = 0; v < nodes; v++) {
        if (cost[v] != level)
            continue;
        for (int32_t e = first[v]; e < first[v + 1]; e++)
            if (cost[edge[e]] < 0) {
                cost[edge[e]] = level + 1;
                found = true;
            }
    }
    return found;
}

void ref_bfs(struct ref_run *r) {
    const int64_t nodes = ref_int(r, "nodes");
    const int32_t *first = ref_i32(r, "first");
    const int32_t *edge = ref_i32(r, "edge");
    int32_t *cost = ref_i32(r, "cost");
    uint8_t *visited = ref_u8(r, "visited");
    int32_t level = 0;

    while (expand(nodes, level, first, edge, cost))
        level++;
    for (int64_t v = 0; v < nodes; v++)
        visited[v] = cost[v] >= 0;
}
