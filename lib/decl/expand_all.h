/* expand_all.h - like expand.h, with the register port that every block has and
 * a unit (DECL_IS_UNIT) has not. */
#include "default.h"
#define OWNER DECL
#include DECL_DEF
#ifndef DECL_IS_UNIT
#define USES regs
#include "uses.h"
#endif
#undef OWNER
#include "clear.h"
