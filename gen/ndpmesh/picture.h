/* picture.h - one lookup as a drawing: the mesh, both paths to each of the
 * two memory nodes, the nodes that a pair of them shares, and the meet node. */
#ifndef NDP_GEN_EMN_PICTURE_H
#define NDP_GEN_EMN_PICTURE_H

#include "emn/hops.h"
#include "base/text.h"

/* Append a whole SVG file; k->c does not matter. */
void emn_picture(const struct emn_mesh *m, const struct emn_chain *k,
                 struct text *out);

#endif
