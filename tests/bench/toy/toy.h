/* toy.h - C types of the toy block's ports, out of toy.def. */
#ifndef NDP_TOY_H
#define NDP_TOY_H

#include "kit/stim.h"

#define BLOCK toy
#define BLOCK_UPPER TOY
#define BLOCK_DEF "blocks/toy.def"
#include "iface/block_types.h"

extern const struct golden_class toy_golden;
extern const struct stim_class toy_stim;

#endif
