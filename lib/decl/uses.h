/* uses.h - the lines of the shared group of parameters that USES names, as part
 * of the declaration that includes this.  Parameters are gathered once, from
 * the group itself (DECL_GATHERS).  No blanks may come into the path. */
#ifndef DECL_GATHERS
#undef OWNER
#define OWNER USES
/* clang-format off */
#include DECL_TEXT(shared/USES.def)
/* clang-format on */
#undef OWNER
#define OWNER DECL
#endif
#undef USES
