/* names.c - what a template says about itself: which others it needs, which
 * file it becomes, and parts of its text that another template writes: parts,
 * of which each block has its own, and fragments, which several share. */
#include "names.h"

#include "engine/sandbox.h"
#include "tables.h"

#include <lauxlib.h>

#include <string.h>

struct unit *names_unit(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

void names_push(lua_State *L, struct unit *u, lua_CFunction f) {
    lua_pushlightuserdata(L, u);
    lua_pushcclosure(L, f, 1);
}

void names_set_string(lua_State *L, const char *key, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

void names_set_number(lua_State *L, const char *key, int64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, key);
}

void names_set_boolean(lua_State *L, const char *key, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

/* --- use ------------------------------------------------------------------ */

static int declare_use(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *name = luaL_checkstring(L, 1);
    int t = templates_find(u->set, name);
    if (t >= 0 && templates_is_fragment(name))
        return luaL_error(L, "'%s' is a fragment, expected 'fragment'", name);
    if (t < 0) {
        const char *near = suggest(name, templates_name, (void *)u->set);
        if (near)
            return luaL_error(L, "unknown template '%s', did you mean '%s'",
                              name, near);
        return luaL_error(L, "unknown template '%s'", name);
    }
    for (int i = 0; i < u->n_uses; i++)
        if (u->uses[i] == t)
            return 0;
    u->uses[u->n_uses++] = t;
    return 0;
}

/* --- output --------------------------------------------------------------- */

bool names_is_output(const char *s) {
    static const char ok[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                             "WXYZ0123456789_-.";
    const char *file = strchr(s, '/');
    size_t folder = file ? (size_t)(file - s) : 0;
    file = file ? file + 1 : s;
    if (file != s && (folder == 0 || strspn(s, ok) != folder || *s == '.'))
        return false;
    size_t n = strspn(file, ok);
    return n > 0 && file[n] == '\0' && *file != '.' && *file != '-' &&
           strlen(s) < sizeof((struct unit *)NULL)->output;
}

static bool is_verilog(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".v") == 0 || strcmp(dot, ".vh") == 0);
}

/* Verilog becomes Verilog, and anything else a file of its own kind. */
static bool is_same_kind(const char *template, const char *output) {
    const char *from = strrchr(template, '.'), *to = strrchr(output, '.');
    if (is_verilog(template) || is_verilog(output))
        return is_verilog(template) && is_verilog(output);
    return from && to && strcmp(from, to) == 0;
}

static int declare_output(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *name = luaL_checkstring(L, 1);
    if (u->fragment)
        return luaL_error(L, "'output' in a fragment, which is no file");
    if (!names_is_output(name) || !is_same_kind(u->output, name))
        return luaL_error(L,
                          "'%s' is no name for this file in the output "
                          "folder",
                          name);
    if (u->is_named)
        return luaL_error(L, "'output' after 'header', expected it before");
    memcpy(u->output, name, strlen(name) + 1);
    return 0;
}

void names_path(const struct unit *u, struct text *out) {
    const char *slash = strchr(u->output, '/');
    if (slash)
        text_addn(out, u->output, (size_t)(slash + 1 - u->output));
    else if (is_verilog(u->output))
        text_add(out, "rtl/");
    text_printf(out, "%s%s", u->job->prefix, slash ? slash + 1 : u->output);
}

/* --- parts ---------------------------------------------------------------- */

/* part(name): the text of the template <block>/<name>, "" if it has none. */
static int make_part(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *block = u->design->iface->name;
    const char *name = luaL_checkstring(L, 1);
    int t = templates_find_part(u->set, block, name);
    if (t < 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    struct text text = {0};
    struct template_names names = {names_add, u};
    bool ok = template_render(&u->set->files[t].source, &names, &text, u->d);
    size_t n = text.len;
    while (n && text.data[n - 1] == '\n')
        n--;
    lua_pushlstring(L, text_str(&text), n);
    text_free(&text);
    return ok ? 1 : luaL_error(L, "'%s' of '%s' has errors", name, block);
}

/* --- fragments ------------------------------------------------------------ */

static int find_fragment(lua_State *L, const struct unit *u, const char *name) {
    int t = templates_is_fragment(name) ? templates_find(u->set, name) : -1;
    if (t >= 0)
        return t;
    const char *near = suggest(name, templates_fragment_name, (void *)u->set);
    return near ? luaL_error(L, "unknown fragment '%s', did you mean '%s'",
                             name, near)
                : luaL_error(L, "unknown fragment '%s'", name);
}

static void check_given(lua_State *L, int table) {
    luaL_checktype(L, table, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "what is given to a fragment has no name");
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "'%s' given to a fragment is a %s, expected text",
                       lua_tostring(L, -2), luaL_typename(L, -1));
    }
}

/* given: what the fragment at work was given, read-only; the table of globals
 * is on top.  The texts lie in the state of whoever asked for it, which waits
 * meanwhile. */
static void add_given(lua_State *L, const struct fragment *f) {
    lua_newtable(L);
    if (f->given) {
        lua_State *from = f->given;
        for (lua_pushnil(from); lua_next(from, f->table); lua_pop(from, 1)) {
            lua_pushstring(L, lua_tostring(from, -1));
            lua_setfield(L, -2, lua_tostring(from, -2));
        }
    }
    sandbox_readonly(L, "name given to this fragment");
    lua_setfield(L, -2, "given");
}

/* fragment(name, given): the text of a template that is a part of others, with
 * the names that this one sees, and given. */
static int make_fragment(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *name = luaL_checkstring(L, 1);
    struct fragment f = {find_fragment(L, u, name), NULL, 2, u->fragment};
    if (!lua_isnoneornil(L, 2)) {
        check_given(L, 2);
        f.given = L;
    }
    for (const struct fragment *o = f.outer; o; o = o->outer)
        if (o->template == f.template)
            return luaL_error(L, "'%s' is a fragment of itself", name);
    luaL_checkstack(L, 8, NULL);
    struct text text = {0};
    struct template_names names = {names_add, u};
    u->fragment = &f;
    bool ok =
        template_render(&u->set->files[f.template].source, &names, &text, u->d);
    u->fragment = f.outer;
    size_t n = text.len;
    while (n && text.data[n - 1] == '\n')
        n--;
    lua_pushlstring(L, text_str(&text), n);
    text_free(&text);
    return ok ? 1 : luaL_error(L, "fragment '%s' has errors", name);
}

/* --- what templates share ------------------------------------------------- */

/* Run <room>/names.lua, whose globals become names; the table of globals is on
 * top.  Raises its errors. */
static void run_shared(lua_State *L, const struct unit *u, const char *room) {
    int t = templates_find_part(u->set, room, "names.lua");
    if (t < 0)
        return;
    const struct source *src = &u->set->files[t].source;
    lua_pushfstring(L, "=%s", src->name);
    if (luaL_loadbufferx(L, src->text, src->len, lua_tostring(L, -1), "t") !=
        LUA_OK)
        lua_error(L);
    lua_pushvalue(L, -3);
    lua_setupvalue(L, -2, 1); /* its globals are the templates' */
    lua_call(L, 0, 0);
    lua_pop(L, 1);
}

void names_add(lua_State *L, void *ctx) {
    struct unit *u = ctx;
    names_add_values(L, u);
    names_add_iface(L, u);
    names_add_system(L, u);
    names_add_isa(L);
    names_push(L, u, declare_use);
    lua_setfield(L, -2, "use");
    names_push(L, u, declare_output);
    lua_setfield(L, -2, "output");
    names_push(L, u, make_part);
    lua_setfield(L, -2, "part");
    names_push(L, u, make_fragment);
    lua_setfield(L, -2, "fragment");
    if (u->fragment)
        add_given(L, u->fragment);
    names_add_text(L, u);
    gen_tables_add(L, u->design);
    run_shared(L, u, "common");
    run_shared(L, u, u->design->iface->name);
}
