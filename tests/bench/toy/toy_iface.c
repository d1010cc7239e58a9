/* toy_iface.c - tables of the toy block's interface, out of toy.def. */
#include "toy.h"

#define BLOCK toy
#define BLOCK_DEF "blocks/toy.def"
#define BLOCK_TITLE "toy"
#define BLOCK_PAPER "none"
#define BLOCK_PRESET "small"
#include "iface/block_table.h"
