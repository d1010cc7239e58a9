/* expand.h - run through the block's own lines with the line kinds that are
 * defined just before, then forget these. */
#include "def_default.h"
#include BLOCK_DEF
#include "def_clear.h"
