/* expand.h - run through the lines of a declaration with the line kinds that
 * are defined just before, then forget these.  Wanted: DECL, its name, and
 * DECL_DEF, its file. */
#include "default.h"
#define OWNER DECL
#include DECL_DEF
#undef OWNER
#include "clear.h"
