/* sandbox.h - a Lua state in which the same chunk always gives the same bytes.
 *
 * No files, clock, random numbers, environment, loading of code, error
 * catching, metatables, or `next`.  `pairs` goes in order of keys, `table.sort`
 * is stable, and what would show a memory address is an error.  Memory and the
 * number of instructions are limited.
 */
#ifndef NDP_GEN_SANDBOX_H
#define NDP_GEN_SANDBOX_H

#include <lua.h>

#include <stddef.h>

enum { SANDBOX_INSTRUCTIONS = 20000000 };

struct sandbox {
    size_t used, limit; /* bytes; limit 0: 64 MiB */
};

/* A state that allocates from box, which has to outlive it.  Nothing is
 * opened yet: sandbox_libraries may raise Lua errors and belongs into a
 * protected call. */
lua_State *sandbox_open(struct sandbox *box);

/* Push the table of globals. Reading a name that it lacks is an error that
 * names the nearest one. */
void sandbox_libraries(lua_State *L);

/* Replace the table on top by a read-only view.  A missing key is the error
 * "unknown <what> 'key', did you mean 'near'". */
void sandbox_readonly(lua_State *L, const char *what);

/* Raise "unknown <what> 'word', ...", suggesting from the string keys of the
 * table at index. */
int sandbox_unknown(lua_State *L, int index, const char *what,
                    const char *word);

#endif
