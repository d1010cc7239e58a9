/* mesh.h - what the parameters of a mesh must satisfy together. */
#ifndef NDP_MESH_H
#define NDP_MESH_H

#include "config/config.h"

/* Every memory node is a node of the mesh.  False after errors in d. */
bool mesh_check(const struct config *c, struct diag *d);

/* So is the node that parameter key gives; one below zero is none. */
bool mesh_check_node(const struct config *c, struct diag *d, const char *key,
                     int node);

/* Whether a node is one of mesh.memory_nodes. */
bool mesh_is_memory(const struct config *c, int node);

/* The last node of the mesh is not: somebody else stands there. */
bool mesh_check_last(const struct config *c, struct diag *d, const char *who);

#endif
