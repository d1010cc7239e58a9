/* reports.h - what can be asked of a mesh: its meet nodes, the hops of a chain,
 * a picture of one lookup. */
#ifndef NDP_GEN_NDPMESH_REPORTS_H
#define NDP_GEN_NDPMESH_REPORTS_H

#include "base/text.h"
#include "config/config.h"

#include <stdbool.h>

/* Whether the mesh can be asked at all: its memory nodes lie in it, and
 * 'emn.core' does.  It need not fit the hardware. */
bool mesh_answers(const struct config *c, struct diag *d);

/* Append a line "core a b node" for each core that is no memory node, or for
 * 'emn.core' alone, and each pair of memory nodes; "-" for no node. */
void mesh_table(const struct config *c, struct text *out);

/* arg: "CORE,A,B" or, of hops, "CORE,A,B,C".  False after an error in d.  JSON
 * has the hops from the core to the meet node as "to_meet"; no node is null. */
bool mesh_hops(const struct config *c, const char *arg, bool json,
               struct text *out, struct diag *d);
bool mesh_picture(const struct config *c, const char *arg, struct text *out,
                  struct diag *d);

#endif
