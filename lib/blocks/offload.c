/* offload.c - tables of the offload controller's interface, out of offload.def.
 */
#include "offload.h"

#define BLOCK offload
#define BLOCK_DEF "blocks/offload.def"
#define BLOCK_TITLE                                                            \
    "offload controller, metadata table and channel busy monitors"
#define BLOCK_PAPER "TOM, sections 4.1 and 4.2"
#define BLOCK_PRESET "tom"
#include "iface/block_table.h"
