/* toy.h - C types of the toy block, as scripts/blocks.sh would write them. */
#ifndef NDP_TOY_H
#define NDP_TOY_H

#include "kit/stim.h"

#define DECL_UPPER TOY
#define DECL toy
#define DECL_DEF "blocks/toy.def"
#include "iface/types.h"

extern const struct golden_class toy_golden;
extern const struct stim_class toy_stim;

#endif
