/* toy_iface.c - tables of the toy block's interface, out of toy.def. */
#include "toy.h"

#define DECL toy
#define DECL_DEF "blocks/toy.def"
#include "iface/table.h"
