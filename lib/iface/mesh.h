/* mesh.h - what the parameters of a mesh must satisfy together; the blocks that
 * have a mesh and what is asked of one share it. */
#ifndef NDP_MESH_H
#define NDP_MESH_H

#include "config/config.h"

/* Every memory node, and 'emn.core' if there is one, is a node of the mesh.
 * False after errors in d. */
bool mesh_check(const struct config *c, struct diag *d);

#endif
