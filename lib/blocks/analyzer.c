/* analyzer.c - tables of the memory map analyzer's interface, out of
 * analyzer.def. */
#include "analyzer.h"

#define BLOCK analyzer
#define BLOCK_DEF "blocks/analyzer.def"
#define BLOCK_TITLE "memory map analyzer and allocation table"
#define BLOCK_PAPER "TOM, sections 3.2 and 4.3"
#define BLOCK_PRESET "tom"
#include "iface/block_table.h"
