/* analyzer.h - C types of the memory map analyzer's ports, out of analyzer.def.
 */
#ifndef NDP_BLOCKS_ANALYZER_H
#define NDP_BLOCKS_ANALYZER_H

#include "iface/iface.h"

#define BLOCK analyzer
#define BLOCK_UPPER ANALYZER
#define BLOCK_DEF "blocks/analyzer.def"
#include "iface/block_types.h"

#endif
