/* tables.h - what one block computes in C for its templates.
 *
 * A block that needs a table computed provides gen/<block>/<block>.c with
 *
 *     void gen_<block>_tables(lua_State *L, const struct design *d);
 *
 * which sets fields of the table of a template's globals, on top of the stack.
 * scripts/blocks.sh finds the file.  Everything else about a block comes from
 * its declaration, its note and its templates.
 */
#ifndef NDP_GEN_TABLES_H
#define NDP_GEN_TABLES_H

#include "iface/design.h"

#include <lua.h>

/* Those of d's block; nothing if it computes none. */
void gen_tables_add(lua_State *L, const struct design *d);

#endif
