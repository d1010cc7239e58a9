/* expand_all.h - like expand.h, with the register port that every block has. */
#include "blocks/def_default.h"
#include BLOCK_DEF
#include "blocks/wishbone.def"
#include "blocks/def_clear.h"
