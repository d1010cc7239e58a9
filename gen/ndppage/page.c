/* page.c - JSON to Lua, and the names of a page's template. */
#include "page.h"

#include "base/arena.h"
#include "engine/sandbox.h"
#include "engine/template.h"

#include <jansson.h>
#include <lauxlib.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct page {
    const struct source *template;
    const char *const *data; /* "NAME=FILE" */
    json_t **json;           /* what is in the files; NULL: not read */
    int n;
};

/* --- reading ------------------------------------------------------------- */

/* A file as a source of d; NULL after an error. */
static const struct source *read_source(const char *path, struct diag *d) {
    size_t len = 0;
    char *text = text_read_file(path, &len);
    const struct source *s = diag_source(d, path, text, len);
    if (!text)
        diag_error(d, (struct place){s, 0, 0, 0}, "cannot read: %s",
                   strerror(errno));
    free(text);
    return s->text ? s : NULL;
}

/* jansson tells where the word ends that it stumbled over, and quotes it. */
static struct place json_place(const struct source *s, const json_error_t *e) {
    const char *near = strstr(e->text, " near '");
    size_t at = e->position < 0 ? 0 : (size_t)e->position;
    size_t width = near ? strlen(near + strlen(" near '")) - 1 : 0;
    if (at > s->len)
        at = s->len;
    if (width > at)
        width = 0;
    return place_at(s, at - width, (int)width);
}

/* The value in a file; NULL after an error. */
static json_t *read_json(const char *path, struct diag *d) {
    json_error_t e;
    const struct source *s = read_source(path, d);
    if (!s)
        return NULL;
    json_t *j = json_loadb(s->text, s->len, JSON_REJECT_DUPLICATES, &e);
    if (!j)
        diag_error(d, json_place(s, &e), "broken JSON: %s", e.text);
    return j;
}

/* The value of data i, which is a file of its own; NULL after an error. */
static json_t *read_data(const struct page *p, int i, struct diag *d) {
    const char *data = p->data[i], *eq = strchr(data, '=');
    if (!eq || eq == data || !eq[1]) {
        diag_error(d, (struct place){0},
                   "'%s' is no data, expected NAME=FILE, as in "
                   "off=build/off.json",
                   data);
        return NULL;
    }
    for (int k = 0; k < i; k++)
        if (strncmp(p->data[k], data, (size_t)(eq + 1 - data)) == 0) {
            diag_error(d, (struct place){0}, "data '%.*s' is given twice",
                       (int)(eq - data), data);
            return NULL;
        }
    return read_json(eq + 1, d);
}

/* --- JSON to Lua --------------------------------------------------------- */

static void push_json(lua_State *L, json_t *j);

static void push_object(lua_State *L, json_t *j) {
    const char *key;
    json_t *value;
    lua_createtable(L, 0, (int)json_object_size(j));
    json_object_foreach(j, key, value) {
        push_json(L, value);
        lua_setfield(L, -2, key);
    }
    sandbox_readonly(L, "key");
}

static void push_array(lua_State *L, json_t *j) {
    size_t n = json_array_size(j);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_json(L, json_array_get(j, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_json(lua_State *L, json_t *j) {
    luaL_checkstack(L, 8, "JSON is nested too deep");
    if (json_is_object(j))
        push_object(L, j);
    else if (json_is_array(j))
        push_array(L, j);
    else if (json_is_string(j))
        lua_pushlstring(L, json_string_value(j), json_string_length(j));
    else if (json_is_integer(j))
        lua_pushinteger(L, json_integer_value(j));
    else if (json_is_real(j))
        lua_pushnumber(L, json_real_value(j));
    else /* a key whose value is nil would not be there */
        lua_pushboolean(L, json_is_true(j));
}

/* --- names --------------------------------------------------------------- */

static int make_readonly(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const char *what = luaL_checkstring(L, 2);
    lua_pushvalue(L, 1);
    sandbox_readonly(L, what);
    return 1;
}

/* Push the path of a file that a template names. */
static const char *push_path(lua_State *L, const struct page *p,
                             const char *name) {
    const char *template = p->template->name, *slash = strrchr(template, '/');
    size_t folder = slash ? (size_t)(slash + 1 - template) : 0;
    lua_pushlstring(L, template, folder);
    lua_pushstring(L, name);
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

/* Push the function that a file of Lua is, with the globals at index. */
static void load_file(lua_State *L, const char *path, int globals) {
    size_t len;
    char *text = text_read_file(path, &len);
    if (!text)
        luaL_error(L, "cannot read '%s': %s", path, strerror(errno));
    const char *chunk = lua_pushfstring(L, "@%s", path);
    int status = luaL_loadbufferx(L, text, len, chunk, "t");
    free(text);
    if (status != LUA_OK)
        lua_error(L);
    lua_pushvalue(L, globals);
    lua_setupvalue(L, -2, 1);
}

enum { INCLUDE_PAGE = 1, INCLUDE_GLOBALS, INCLUDE_SEEN };

static int include(lua_State *L) {
    const struct page *p = lua_touserdata(L, lua_upvalueindex(INCLUDE_PAGE));
    const char *path = push_path(L, p, luaL_checkstring(L, 1));
    if (lua_getfield(L, lua_upvalueindex(INCLUDE_SEEN), path) != LUA_TNIL)
        return 0;
    lua_pushboolean(L, true);
    lua_setfield(L, lua_upvalueindex(INCLUDE_SEEN), path);
    load_file(L, path, lua_upvalueindex(INCLUDE_GLOBALS));
    lua_call(L, 0, 0);
    return 0;
}

static void add_names(lua_State *L, void *ctx) {
    struct page *p = ctx;
    lua_createtable(L, 0, p->n);
    for (int i = 0; i < p->n; i++) {
        lua_pushlstring(L, p->data[i], strcspn(p->data[i], "="));
        push_json(L, p->json[i]);
        lua_settable(L, -3);
    }
    sandbox_readonly(L, "data");
    lua_setfield(L, -2, "data");
    lua_pushcfunction(L, make_readonly);
    lua_setfield(L, -2, "readonly");
    lua_pushlightuserdata(L, p);
    lua_pushvalue(L, -2);
    lua_createtable(L, 0, 0);
    lua_pushcclosure(L, include, 3);
    lua_setfield(L, -2, "include");
}

bool page_render(const char *path, const char *const *data, int n,
                 struct text *out, struct diag *d) {
    struct page p = {read_source(path, d), data, NULL, n};
    struct template_names names = {add_names, &p};
    bool ok = p.template != NULL;
    p.json = xcalloc((size_t)n + 1, sizeof(json_t *));
    for (int i = 0; i < n; i++)
        ok = (p.json[i] = read_data(&p, i, d)) && ok;
    ok = ok && template_render(p.template, &names, out, d);
    for (int i = 0; i < n; i++)
        json_decref(p.json[i]);
    free(p.json);
    return ok;
}
