/* names.c - values that templates see, and what they declare about themselves.
 *
 * All values come from the configuration table and the block's interface;
 * tables that have a fixed set of keys are read-only views, so that a misspelt
 * name is an error with a suggestion and never nil.
 */
#include "names.h"

#include "blocks/blocks.h"
#include "sandbox.h"
#include "base/version.h"

#include <lauxlib.h>

#include <inttypes.h>
#include <string.h>

struct unit *names_unit(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

void names_push(lua_State *L, struct unit *u, lua_CFunction f) {
    lua_pushlightuserdata(L, u);
    lua_pushcclosure(L, f, 1);
}

static void set_string(lua_State *L, const char *key, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

static void set_number(lua_State *L, const char *key, int64_t value) {
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, key);
}

/* --- sizes and parameters ------------------------------------------------ */

static void add_sizes(lua_State *L, const struct gen_job *job) {
    const struct iface *b = job->block;
    lua_createtable(L, 0, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        set_number(L, b->locals[i].name, job->sizes.local[i]);
    sandbox_readonly(L, "derived size");
    lua_setfield(L, -2, "L");
    lua_createtable(L, 0, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        set_string(L, b->locals[i].name, b->locals[i].doc);
    sandbox_readonly(L, "derived size");
    lua_setfield(L, -2, "L_doc");
}

static void push_value_text(lua_State *L, const struct gen_job *job,
                            const struct param *p) {
    struct text value = {0};
    config_value(&job->config, p, &value);
    lua_pushstring(L, text_str(&value));
    text_free(&value);
}

/* Push a parameter as a number, a LIST as an array of them. */
static void push_value(lua_State *L, const struct config *c,
                       const struct param *p) {
    if (p->type != PARAM_LIST) {
        lua_pushinteger(L, (lua_Integer)gen_param_number(c, p));
        return;
    }
    const struct int_list *list = config_list(c, p);
    lua_createtable(L, list->n, 0);
    for (int i = 0; i < list->n; i++) {
        lua_pushinteger(L, list->v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void add_params(lua_State *L, const struct gen_job *job) {
    const struct param *p;
    lua_createtable(L, 0, 0);
    for (int i = 0; (p = config_param(i)); i++) {
        push_value(L, &job->config, p);
        lua_setfield(L, -2, p->key);
    }
    sandbox_readonly(L, "parameter");
    lua_setfield(L, -2, "P");
    lua_createtable(L, 0, 0);
    for (int i = 0; (p = config_param(i)); i++) {
        push_value_text(L, job, p);
        lua_setfield(L, -2, p->key);
    }
    sandbox_readonly(L, "parameter");
    lua_setfield(L, -2, "Pname");
}

/* --- the interface ------------------------------------------------------- */

static void push_ports(lua_State *L, const struct gen_job *job) {
    const struct iface *b = job->block;
    const char *group = "";
    int n = 0;
    lua_createtable(L, b->n_ports, 0);
    for (int i = 0; i < b->n_ports; i++) {
        const struct iface_port *p = &b->ports[i];
        if (p->dir == PORT_GROUP) {
            group = p->name;
            continue;
        }
        lua_createtable(L, 0, 6);
        set_string(L, "name", p->name);
        set_string(L, "doc", p->doc);
        set_string(L, "dir", p->dir == PORT_IN ? "in" : "out");
        set_string(L, "group", group);
        set_string(L, "width_text", p->width_text);
        set_number(L, "width", job->sizes.port_width[i]);
        lua_rawseti(L, -2, ++n);
    }
}

/* Push an array of tables with name and doc, to be filled further. */
static void push_named(lua_State *L, const struct iface_named *named, int n) {
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 0, 6);
        set_string(L, "name", named[i].name);
        set_string(L, "doc", named[i].doc);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Set a number in element i (from 0) of the array on top. */
static void set_in(lua_State *L, int i, const char *key, int64_t value) {
    lua_rawgeti(L, -1, i + 1);
    set_number(L, key, value);
    lua_pop(L, 1);
}

static void set_registers(lua_State *L, const struct gen_job *job) {
    const struct iface *b = job->block;
    push_named(L, b->settings, b->n_settings);
    for (int i = 0; i < b->n_settings; i++) {
        set_in(L, i, "width", job->sizes.setting_width[i]);
        set_in(L, i, "reset", job->sizes.setting_reset[i]);
        set_in(L, i, "address", REG_FIRST + i);
    }
    lua_setfield(L, -2, "settings");
    push_named(L, b->counters, b->n_counters);
    for (int i = 0; i < b->n_counters; i++)
        set_in(L, i, "address", gen_first_counter(b) + i);
    lua_setfield(L, -2, "counters");
}

static void add_iface(lua_State *L, const struct gen_job *job) {
    const struct iface *b = job->block;
    lua_createtable(L, 0, 9);
    set_string(L, "name", b->name);
    set_string(L, "title", b->title);
    set_string(L, "paper", b->paper);
    push_ports(L, job);
    lua_setfield(L, -2, "ports");
    set_registers(L, job);
    push_named(L, b->locals, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        set_in(L, i, "value", job->sizes.local[i]);
    lua_setfield(L, -2, "locals");
    push_named(L, b->memories, b->n_memories);
    for (int i = 0; i < b->n_memories; i++) {
        set_in(L, i, "words", job->sizes.memory_words[i]);
        set_in(L, i, "width", job->sizes.memory_bits[i]);
    }
    lua_setfield(L, -2, "memories");
    push_named(L, b->covers, b->n_covers);
    lua_setfield(L, -2, "covers");
    sandbox_readonly(L, "part of the interface");
    lua_setfield(L, -2, "iface");
}

static void add_regs(lua_State *L, const struct gen_job *job) {
    const struct iface *b = job->block;
    lua_createtable(L, 0, 9);
    set_number(L, "id", iface_id(b));
    set_number(L, "n", iface_n_registers(b));
    set_number(L, "address_bits", iface_address_bits(b));
    set_number(L, "at_id", REG_ID);
    set_number(L, "at_hash_lo", REG_HASH_LO);
    set_number(L, "at_hash_hi", REG_HASH_HI);
    set_number(L, "at_control", REG_CONTROL);
    set_number(L, "first_setting", REG_FIRST);
    set_number(L, "first_counter", gen_first_counter(b));
    sandbox_readonly(L, "register fact");
    lua_setfield(L, -2, "regs");
}

/* --- what a template says about itself ----------------------------------- */

static int declare_use(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *name = luaL_checkstring(L, 1);
    int t = templates_find(u->set, name);
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

static int declare_output(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *name = luaL_checkstring(L, 1);
    const char *dot = strrchr(name, '.');
    if (!names_is_output(name))
        return luaL_error(L, "'%s' is no file name for the output folder",
                          name);
    if (!dot || (strcmp(dot, ".v") != 0 && strcmp(dot, ".vh") != 0))
        return luaL_error(L, "'%s' does not end in .v or .vh", name);
    if (u->is_named)
        return luaL_error(L, "'output' after 'header', expected it before");
    memcpy(u->output, name, strlen(name) + 1);
    return 0;
}

void names_path(const struct unit *u, struct text *out) {
    const char *slash = strchr(u->output, '/');
    if (slash)
        text_addn(out, u->output, (size_t)(slash + 1 - u->output));
    else
        text_add(out, "rtl/");
    text_printf(out, "%s%s", u->job->prefix, slash ? slash + 1 : u->output);
}

static void add_scalars(lua_State *L, const struct gen_job *job) {
    set_string(L, "block", job->block->name);
    set_string(L, "prefix", job->prefix);
    set_string(L, "version", NDP_VERSION);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->hash);
    set_string(L, "hash", hash);
    set_string(L, "hash_lo", hash + 8);
    hash[8] = '\0';
    set_string(L, "hash_hi", hash);
}

void names_add(lua_State *L, void *ctx) {
    struct unit *u = ctx;
    const struct gen_job *job = u->job;
    add_scalars(L, job);
    add_sizes(L, job);
    add_params(L, job);
    add_iface(L, job);
    add_regs(L, job);
    names_push(L, u, declare_use);
    lua_setfield(L, -2, "use");
    names_push(L, u, declare_output);
    lua_setfield(L, -2, "output");
    names_add_text(L, u);
    const struct gen_block *own = gen_block_find(job->block->name);
    if (own && own->names)
        own->names(job, L);
}
