/* mesh.h - paths in the mesh and the earliest meet node, for the generator.
 *
 * Opportunistic computing, section 3.2 and Algorithm 1 in 4.3; what the paper
 * leaves open is settled in docs/blocks/emn.md.  The golden model has its own
 * implementation: that both agree is the proof of either.
 *
 * Nodes are numbers y * width + x.
 */
#ifndef NDP_GEN_EMN_MESH_H
#define NDP_GEN_EMN_MESH_H

#include "config/config.h"

#include <stdbool.h>

enum { EMN_MAX_SIDE = 32, EMN_MAX_PATH = 2 * EMN_MAX_SIDE - 1 };

struct emn_mesh {
    int width, height;           /* 1 to EMN_MAX_SIDE */
    const struct int_list *mems; /* the memory nodes, inside the mesh */
};

enum emn_order { EMN_XY, EMN_YX }; /* along which axis a path goes first */

struct emn_path {
    int n;                  /* nodes, both ends included: 1 or more */
    int node[EMN_MAX_PATH]; /* from the core on */
};

/* The mesh of a configuration; keeps a pointer to its list. */
struct emn_mesh emn_mesh_of(const struct config *c);

int emn_distance(const struct emn_mesh *m, int a, int b); /* hops */
struct emn_path emn_path(const struct emn_mesh *m, int core, int to,
                         enum emn_order order);

/* The meet node of loads from nodes a and b by core, -1 if there is none. */
int emn_meet(const struct emn_mesh *m, int core, int a, int b);

/* Position of a node in the list of memory nodes, -1 if it is none. */
int emn_mem_index(const struct emn_mesh *m, int node);

/* The number that the paper would give to a node: how many nodes before it have
 * no memory, -1 for a memory node itself. */
int emn_core_number(const struct emn_mesh *m, int node);

#endif
