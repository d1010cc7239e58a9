/* expand_all.h - like expand.h, with the register port that every block has. */
#include "def_default.h"
#include BLOCK_DEF
#include "wishbone.def"
#include "def_clear.h"
