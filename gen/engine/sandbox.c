/* sandbox.c - Lua's base, string, table and math libraries without what would
 * make the output depend on the machine or the run.
 *
 * Lua seeds its hashes with addresses and the time, so the order of `next` and
 * the choice of pivots in `table.sort` vary; both are replaced by a merge sort
 * over keys or values.
 */
#include "sandbox.h"

#include "base/diag.h"

#include <lauxlib.h>
#include <lualib.h>

#include <stdlib.h>
#include <string.h>

static const size_t DEFAULT_MEMORY = (size_t)64 << 20;

static void *allocate(void *ud, void *p, size_t old, size_t size) {
    struct sandbox *box = ud;
    if (!p)
        old = 0; /* then it says what kind of object is wanted */
    if (size == 0) {
        box->used -= old;
        free(p);
        return NULL;
    }
    if (size > old && size - old > box->limit - box->used)
        return NULL;
    void *q = realloc(p, size);
    if (q)
        box->used = box->used - old + size;
    return q;
}

/* --- sorting ------------------------------------------------------------- */

enum { SORT_TABLE = 1, SORT_LESS, SORT_FROM, SORT_TO };

/* Whether FROM[j] stands before FROM[i]. */
static bool is_before(lua_State *L, lua_Integer j, lua_Integer i) {
    bool less;
    if (lua_isnil(L, SORT_LESS)) {
        lua_geti(L, SORT_FROM, j);
        lua_geti(L, SORT_FROM, i);
        less = lua_compare(L, -2, -1, LUA_OPLT);
        lua_pop(L, 2);
        return less;
    }
    lua_pushvalue(L, SORT_LESS);
    lua_geti(L, SORT_FROM, j);
    lua_geti(L, SORT_FROM, i);
    lua_call(L, 2, 1);
    less = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return less;
}

/* Merge the runs [lo, mid) and [mid, hi) of FROM into TO. */
static void merge(lua_State *L, lua_Integer lo, lua_Integer mid,
                  lua_Integer hi) {
    lua_Integer i = lo, j = mid;
    for (lua_Integer k = lo; k < hi; k++) {
        bool right = j < hi && (i >= mid || is_before(L, j, i));
        lua_geti(L, SORT_FROM, right ? j++ : i++);
        lua_seti(L, SORT_TO, k);
    }
}

/* table.sort(t, less): stable, runs doubling from 1. */
static int sort(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2))
        luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_Integer n = luaL_len(L, SORT_TABLE);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, SORT_TABLE, i);
        lua_seti(L, SORT_FROM, i);
    }
    for (lua_Integer run = 1; run < n; run *= 2) {
        for (lua_Integer lo = 1; lo <= n; lo += 2 * run) {
            lua_Integer mid = lo + run > n + 1 ? n + 1 : lo + run;
            lua_Integer hi = mid + run > n + 1 ? n + 1 : mid + run;
            merge(L, lo, mid, hi);
        }
        lua_insert(L, SORT_FROM); /* swaps FROM and TO */
    }
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, SORT_FROM, i);
        lua_seti(L, SORT_TABLE, i);
    }
    return 0;
}

/* Numbers before strings, each in their own order. */
static int key_before(lua_State *L) {
    int a = lua_type(L, 1), b = lua_type(L, 2);
    bool less = a == b ? lua_compare(L, 1, 2, LUA_OPLT) : a == LUA_TNUMBER;
    lua_pushboolean(L, less);
    return 1;
}

/* Push an array of the keys of the table at index, sorted. */
static void push_keys(lua_State *L, int index) {
    index = lua_absindex(L, index);
    lua_createtable(L, 0, 0);
    lua_Integer n = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        int type = lua_type(L, -1);
        if (type != LUA_TNUMBER && type != LUA_TSTRING)
            luaL_error(L, "'pairs' has no order for a key of type '%s'",
                       lua_typename(L, type));
        lua_pushvalue(L, -1);
        lua_seti(L, -3, ++n);
    }
    lua_pushcfunction(L, sort);
    lua_pushvalue(L, -2);
    lua_pushcfunction(L, key_before);
    lua_call(L, 2, 0);
}

/* --- pairs, tostring, format --------------------------------------------- */

/* Replace a read-only view at index by what it shows. */
static void look_behind(lua_State *L, int index) {
    if (luaL_getmetafield(L, index, "shown") != LUA_TNIL)
        lua_replace(L, index);
}

enum { PAIRS_TABLE = 1, PAIRS_KEYS, PAIRS_AT };

static int pairs_next(lua_State *L) {
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(PAIRS_AT));
    for (;;) {
        lua_geti(L, lua_upvalueindex(PAIRS_KEYS), ++i);
        if (lua_isnil(L, -1))
            return 1;
        lua_pushvalue(L, -1);
        lua_rawget(L, lua_upvalueindex(PAIRS_TABLE));
        if (!lua_isnil(L, -1))
            break; /* else the key was removed on the way */
        lua_pop(L, 2);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(PAIRS_AT));
    return 2;
}

static int sorted_pairs(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    look_behind(L, 1);
    push_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_next, 3);
    return 1;
}

/* The text of a table or function is its address. */
static void check_has_text(lua_State *L, int arg) {
    int type = lua_type(L, arg);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER &&
        type != LUA_TSTRING)
        luaL_error(L, "a %s has no text, expected a string or a number",
                   lua_typename(L, type));
}

static int safe_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    check_has_text(L, 1);
    luaL_tolstring(L, 1, NULL);
    return 1;
}

static int safe_format(lua_State *L) {
    const char *f = luaL_checkstring(L, 1);
    while ((f = strchr(f, '%'))) {
        f++;
        f += strspn(f, "-+ #0123456789.");
        if (*f == 'p')
            luaL_error(L, "'%%p' shows a memory address");
        f += *f != '\0';
    }
    int n = lua_gettop(L);
    for (int i = 2; i <= n; i++)
        check_has_text(L, i);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    return lua_gettop(L);
}

/* --- unknown names ------------------------------------------------------- */

static const char *next_key(void *ctx, int i) {
    return ((const char **)ctx)[i];
}

int sandbox_unknown(lua_State *L, int index, const char *what,
                    const char *word) {
    push_keys(L, index);
    lua_Integer n = luaL_len(L, -1);
    const char **keys = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *keys, 0);
    int count = 0;
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, -2, i); /* stays in the table: the pointer holds */
        if (lua_type(L, -1) == LUA_TSTRING)
            keys[count++] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    keys[count] = NULL;
    const char *near = suggest(word, next_key, keys);
    if (near)
        return luaL_error(L, "unknown %s '%s', did you mean '%s'", what, word,
                          near);
    return luaL_error(L, "unknown %s '%s'", what, word);
}

enum { VIEW_TABLE = 1, VIEW_WHAT };

static int view_index(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(VIEW_TABLE));
    if (!lua_isnil(L, -1))
        return 1;
    const char *what = lua_tostring(L, lua_upvalueindex(VIEW_WHAT));
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "a %s is named by a string", what);
    return sandbox_unknown(L, lua_upvalueindex(VIEW_TABLE), what,
                           lua_tostring(L, 2));
}

static int view_newindex(lua_State *L) {
    return luaL_error(L, "%s values cannot be changed",
                      lua_tostring(L, lua_upvalueindex(VIEW_WHAT)));
}

void sandbox_readonly(lua_State *L, const char *what) {
    lua_createtable(L, 0, 0); /* table view */
    lua_createtable(L, 0, 3); /* table view meta */
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "shown");
    lua_pushvalue(L, -3);
    lua_pushstring(L, what);
    lua_pushcclosure(L, view_index, 2);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -3);
    lua_pushstring(L, what);
    lua_pushcclosure(L, view_newindex, 2);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

/* --- the globals --------------------------------------------------------- */

static const char *const base_names[] = {
    "assert", "error",    "ipairs",   "rawequal", "rawget", "rawlen",
    "select", "tonumber", "tostring", "type",     NULL};

/* Names that a library loses. */
static const char *const no_string[] = {"dump", "pack", "packsize", "unpack",
                                        NULL};
static const char *const no_math[] = {"random", "randomseed", NULL};
static const char *const no_table[] = {NULL};

static const struct {
    const char *name;
    lua_CFunction open;
    const char *const *without;
} libraries[] = {{"string", luaopen_string, no_string},
                 {"table", luaopen_table, no_table},
                 {"math", luaopen_math, no_math}};

/* Open the libraries and put what is allowed into the table on top. */
static void add_libraries(lua_State *L) {
    luaL_requiref(L, "_G", luaopen_base, 0);
    for (int i = 0; base_names[i]; i++) {
        lua_getfield(L, -1, base_names[i]);
        lua_setfield(L, -3, base_names[i]);
    }
    lua_pop(L, 1);
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].open, 0);
        for (int k = 0; libraries[i].without[k]; k++) {
            lua_pushnil(L);
            lua_setfield(L, -2, libraries[i].without[k]);
        }
        lua_setfield(L, -2, libraries[i].name);
    }
}

static void replace_functions(lua_State *L) {
    lua_pushcfunction(L, sorted_pairs);
    lua_setfield(L, -2, "pairs");
    lua_pushcfunction(L, safe_tostring);
    lua_setfield(L, -2, "tostring");
    lua_getfield(L, -1, "table");
    lua_pushcfunction(L, sort);
    lua_setfield(L, -2, "sort");
    lua_pop(L, 1);
    lua_getfield(L, -1, "string");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, safe_format, 1);
    lua_setfield(L, -2, "format");
    lua_pop(L, 1);
}

static int unknown_global(lua_State *L) {
    lua_settop(L, 2);
    return sandbox_unknown(L, 1, "name", luaL_checkstring(L, 2));
}

void sandbox_libraries(lua_State *L) {
    lua_createtable(L, 0, 64);
    add_libraries(L);
    replace_functions(L);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

static void too_long(lua_State *L, lua_Debug *ar) {
    (void)ar;
    luaL_error(L, "more than %d instructions, an endless loop",
               (int)SANDBOX_INSTRUCTIONS);
}

lua_State *sandbox_open(struct sandbox *box) {
    if (box->limit == 0)
        box->limit = DEFAULT_MEMORY;
    lua_State *L = lua_newstate(allocate, box);
    if (!L)
        out_of_memory();
    lua_sethook(L, too_long, LUA_MASKCOUNT, SANDBOX_INSTRUCTIONS);
    return L;
}
