/* emn.c - tables of the earliest-meet-node block's interface, out of
 * emn.def. */
#include "emn.h"

#include "iface/mesh.h"

#define BLOCK emn
#define BLOCK_DEF "blocks/emn.def"
#define BLOCK_TITLE "earliest meet node"
#define BLOCK_PAPER "Opportunistic Computing, sections 3.2 and 4.3"
#define BLOCK_PRESET "mesh"
#include "iface/block_table.h"
