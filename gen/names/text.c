/* text.c - functions of the template contract that return text:
 * file header, port list, derived sizes, ranges and literals.
 *
 * Port list and sizes are indented by four blanks, as the body of a module is;
 * the other texts start in column 1 and the engine indents them like the `${}`
 * they stand in.
 */
#include "names.h"

#include "engine/sandbox.h"
#include "engine/wrap.h"

#include <lauxlib.h>

#include <inttypes.h>
#include <string.h>

/* Return t as a Lua string, without a last newline, and free it. A string that
 * does not fit the memory limit leaks t on the way out of the program. */
static int return_text(lua_State *L, struct text *t) {
    size_t n = t->len;
    while (n && t->data[n - 1] == '\n')
        n--;
    lua_pushlstring(L, text_str(t), n);
    text_free(t);
    return 1;
}

/* --- header and comments ------------------------------------------------- */

/* A long bracket is plain text to Lua: what looks like a substitution in it
 * would reach the Verilog. */
static void check_plain(lua_State *L, const char *s) {
    if (strstr(s, "${"))
        luaL_error(L, "'${' within a text is not replaced, expected "
                      "\"... \" .. value .. \" ...\"");
}

/* What begins a line of comment in the file that the template becomes. */
static const char *comment_prefix(const struct unit *u) {
    static const struct {
        const char *ending, *prefix;
    } all[] = {{".h", " * "},   {".yml", "# "}, {".core", "# "}, {".tcl", "# "},
               {".pcf", "# "},  {".lpf", "# "}, {".xdc", "# "},  {".csv", "# "},
               {".dot", "// "}, {".sby", "# "}, {".md", ""},     {NULL, "// "}};
    const char *dot = strrchr(u->output, '.');
    int i = 0;
    while (all[i].ending && strcmp(all[i].ending, dot) != 0)
        i++;
    return all[i].prefix;
}

/* Name of the file, without folder; of a module without ending. */
static void add_file_name(const struct unit *u, struct text *out) {
    const char *slash = strchr(u->output, '/');
    const char *file = slash ? slash + 1 : u->output;
    const char *dot = strrchr(file, '.');
    int stem = strcmp(dot, ".v") == 0 ? (int)(dot - file) : (int)strlen(file);
    text_printf(out, "%s%.*s", u->job->prefix, stem, file);
}

/* Version, hash, command and licence, as lines of comment. */
static void add_origin(const struct unit *u, const char *prefix,
                       struct text *out) {
    struct text line = {0};
    gen_made_by(u->job, &line);
    wrap_words(out, prefix, 2, text_str(&line));
    text_free(&line);
    wrap_words(out, prefix, 4, u->job->command);
    text_printf(out, "%sSPDX-License-Identifier: MIT\n", prefix);
}

/* banner(about): title, version, hash, command and licence of a file that is
 * not a module, as lines of comment. */
static int make_banner(lua_State *L) {
    struct unit *u = names_unit(L);
    const char *about = luaL_checkstring(L, 1);
    const char *prefix = comment_prefix(u);
    struct text out = {0}, line = {0};
    gen_root_name(u->job, &line);
    text_printf(&line, " - %s: %s", u->design->iface->title, about);
    wrap_words(&out, prefix, 2, text_str(&line));
    text_free(&line);
    add_origin(u, prefix, &out);
    u->is_named = true;
    return return_text(L, &out);
}

/* header{title=..., text=...} */
static int make_header(lua_State *L) {
    struct unit *u = names_unit(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, lua_getfield(L, 1, "title") == LUA_TSTRING, 1,
                  "'title' is not a text");
    int type = lua_getfield(L, 1, "text");
    luaL_argcheck(L, type == LUA_TSTRING || type == LUA_TNIL, 1,
                  "'text' is not a text");
    if (type == LUA_TSTRING)
        check_plain(L, lua_tostring(L, -1));
    struct text out = {0}, line = {0};
    add_file_name(u, &line);
    text_printf(&line, " - %s", lua_tostring(L, -2));
    wrap_words(&out, "// ", 2, text_str(&line));
    if (type == LUA_TSTRING) {
        text_add(&out, "//\n");
        wrap_text(&out, "// ", lua_tostring(L, -1));
    }
    text_add(&out, "//\n");
    add_origin(u, "// ", &out);
    text_free(&line);
    u->is_named = true;
    return return_text(L, &out);
}

/* comment(text): text as lines of comment. */
static int make_comment(lua_State *L) {
    const char *s = luaL_checkstring(L, 1);
    check_plain(L, s);
    struct text out = {0};
    wrap_text(&out, comment_prefix(names_unit(L)), s);
    return return_text(L, &out);
}

/* words(text, hang): one run of words as lines of comment, all but the first
 * indented by hang. */
static int make_words(lua_State *L) {
    const char *s = luaL_checkstring(L, 1);
    lua_Integer hang = luaL_checkinteger(L, 2);
    luaL_argcheck(L, hang >= 0 && hang <= 40, 2, "more than 40 columns");
    struct text out = {0};
    wrap_words(&out, comment_prefix(names_unit(L)), (int)hang, s);
    return return_text(L, &out);
}

/* --- ports --------------------------------------------------------------- */

/* Whether the array `reg` of the argument of ports{} lists name. */
static bool is_reg(lua_State *L, const char *name) {
    if (!lua_istable(L, 2))
        return false;
    bool found = false;
    for (lua_Integer i = 1; !found && lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
        const char *s = lua_tostring(L, -1);
        found = s && strcmp(s, name) == 0;
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
    return found;
}

static bool is_output(const struct design *d, const char *name) {
    const struct design_port *p = design_port(d, name);
    return p && p->dir == PORT_OUT;
}

/* Leave ports{reg={...}}'s list, or nil, at index 2, all names checked. */
static void check_reg_list(lua_State *L, const struct design *d) {
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_pushnil(L);
        return;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_getfield(L, 1, "reg") == LUA_TNIL)
        return;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_createtable(L, 0, d->n_ports);
    for (int i = 0; i < d->n_ports; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, 3, d->ports[i].name);
    }
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
        const char *name = luaL_checkstring(L, -1);
        if (!is_output(d, name))
            sandbox_unknown(L, 3, "output", name);
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
}

static int range_text(char *s, size_t size, int64_t width) {
    return width == 1 ? snprintf(s, size, "%s", "")
                      : snprintf(s, size, "[%" PRId64 ":0]", width - 1);
}

/* Columns of the port list: the widest range and the longest name. */
struct columns {
    int range, name;
};

/* Whether a port stands in the list of the top module. */
static bool is_listed(const struct design_port *p) {
    return p->dir != PORT_GROUP && !p->internal;
}

static struct columns port_columns(const struct design *d) {
    struct columns c = {0, 3};
    char range[32];
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (!is_listed(p))
            continue;
        int r = range_text(range, sizeof range, p->width);
        int n = (int)strlen(p->name);
        c.range = r > c.range ? r : c.range;
        c.name = n > c.name ? n : c.name;
    }
    return c;
}

/* Bytes of s on a line that has room for so many: to the last end of a clause,
 * or of a word, behind which there is more. */
static int part_of(const char *s, int room) {
    int whole = (int)strlen(s), word = 0, clause = 0;
    if (whole <= room)
        return whole;
    for (int i = 1; i <= room; i++) {
        if (s[i] != ' ')
            continue;
        word = i;
        clause = strchr(",;", s[i - 1]) ? i : clause;
    }
    if (clause > room / 2)
        return clause;
    return word > 0 ? word : whole;
}

/* A port with its doc, which goes on below itself where the line is too long.
 */
static void add_port(struct text *out, struct columns c, const char *kind,
                     int width, const char *name, bool last, const char *doc) {
    enum { LINE = 110, LEAST = 40 };
    char range[32];
    range_text(range, sizeof range, width);
    int at = (int)strlen("    ") + (int)strlen(kind) + 1 + c.range +
             (c.range > 0) + c.name + 2;
    int room = LINE - at - (int)strlen("// ");
    room = room < LEAST ? LEAST : room;
    int part = part_of(doc, room);
    text_printf(out, "    %s %-*s%s%s%s%*s // %.*s\n", kind, c.range, range,
                c.range ? " " : "", name, last ? "" : ",",
                c.name - (int)strlen(name) + last, "", part, doc);
    for (doc += part; *doc; doc += part) {
        doc++; /* a blank */
        part = part_of(doc, room);
        text_printf(out, "%*s// %.*s\n", at, "", part, doc);
    }
}

/* Position of the last port of the list, -1: there is none. */
static int last_port(const struct design *d) {
    int last = -1;
    for (int i = 0; i < d->n_ports; i++)
        if (is_listed(&d->ports[i]))
            last = i;
    return last;
}

/* ports{reg={...}}: the ANSI port list; outputs named in reg are registers. */
static int make_ports(lua_State *L) {
    const struct design *d = names_unit(L)->design;
    check_reg_list(L, d);
    struct columns c = port_columns(d);
    struct text out = {0};
    int last = last_port(d);
    add_port(&out, c, "input  wire", 1, "clk", false, "clock");
    add_port(&out, c, "input  wire", 1, "rst", last < 0,
             "synchronous reset, active high");
    for (int i = 0; i < d->n_ports; i++) {
        const struct design_port *p = &d->ports[i];
        if (p->dir == PORT_GROUP && *p->doc)
            text_printf(&out, "\n    // %s: %s\n", p->name, p->doc);
        if (!is_listed(p))
            continue;
        const char *kind = p->dir == PORT_IN    ? "input  wire"
                           : is_reg(L, p->name) ? "output reg "
                                                : "output wire";
        add_port(&out, c, kind, p->width, p->name, i == last, p->doc);
    }
    return return_text(L, &out);
}

/* --- derived sizes ------------------------------------------------------- */

static int find_local(const struct iface *b, const char *name) {
    for (int i = 0; i < b->n_locals; i++)
        if (strcmp(b->locals[i].name, name) == 0)
            return i;
    return -1;
}

/* Digits of a whole number that is not negative. */
static int digits_of(int value) {
    return snprintf(NULL, 0, "%d", value);
}

/* The derived size that argument arg names, or an error with a suggestion. */
static int check_local(lua_State *L, const struct iface *b, int arg) {
    const char *name = luaL_checkstring(L, arg);
    int k = find_local(b, name);
    if (k >= 0)
        return k;
    lua_createtable(L, 0, b->n_locals);
    for (int i = 0; i < b->n_locals; i++) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, b->locals[i].name);
    }
    return sandbox_unknown(L, -1, "derived size", name);
}

/* localparams(name, ...): all of them without arguments. */
static int make_localparams(lua_State *L) {
    const struct design *d = names_unit(L)->design;
    const struct iface *b = d->iface;
    if (lua_gettop(L) == 0) {
        luaL_checkstack(L, b->n_locals, NULL);
        for (int i = 0; i < b->n_locals; i++)
            lua_pushstring(L, b->locals[i].name);
    }
    int n = lua_gettop(L), longest = 0, digits = 0;
    for (int i = 1; i <= n; i++) {
        int value = d->local[check_local(L, b, i)];
        int len = (int)strlen(lua_tostring(L, i));
        longest = len > longest ? len : longest;
        digits = digits_of(value) > digits ? digits_of(value) : digits;
    }
    struct text out = {0};
    for (int i = 1; i <= n; i++) {
        int k = find_local(b, lua_tostring(L, i)), value = d->local[k];
        text_printf(&out, "    localparam %-*s = %d;%*s // %s\n", longest,
                    b->locals[k].name, value, digits - digits_of(value), "",
                    b->locals[k].doc);
    }
    return return_text(L, &out);
}

/* --- counters ------------------------------------------------------------ */

/* count_ports(width): the connections of all counters to the signals of the
 * same names, the names filled up to width. */
static int make_count_ports(lua_State *L) {
    const struct iface *b = names_unit(L)->design->iface;
    lua_Integer width = luaL_checkinteger(L, 1);
    luaL_argcheck(L, width >= 0 && width <= 1000, 1, "more than 1000 columns");
    struct text out = {0};
    for (int i = 0; i < b->n_counters; i++) {
        const char *name = b->counters[i].name;
        int blanks = (int)width - (int)strlen("count_") - (int)strlen(name);
        text_printf(&out, "        .count_%s%*s (count_%s)%s\n", name,
                    blanks > 0 ? blanks : 0, "", name,
                    i < b->n_counters - 1 ? "," : "");
    }
    return return_text(L, &out);
}

/* --- small helpers ------------------------------------------------------- */

/* range(w): "[w-1:0]"; "" for one bit. w is a number or Verilog text. */
static int make_range(lua_State *L) {
    if (lua_type(L, 1) == LUA_TSTRING) {
        lua_pushfstring(L, "[%s-1:0]", lua_tostring(L, 1));
        return 1;
    }
    lua_Integer w = luaL_checkinteger(L, 1);
    luaL_argcheck(L, w >= 1, 1, "a width is at least 1");
    char range[32];
    range_text(range, sizeof range, w);
    lua_pushstring(L, range);
    return 1;
}

/* pad(s, n): s with blanks behind it up to n columns, in front if n < 0. */
static int make_pad(lua_State *L) {
    const char *s = luaL_tolstring(L, 1, NULL);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= -1000 && n <= 1000, 2, "more than 1000 columns");
    int blanks = (int)(n < 0 ? -n : n) - text_columns(s);
    blanks = blanks > 0 ? blanks : 0;
    struct text out = {0};
    text_printf(&out, "%*s%s%*s", n < 0 ? blanks : 0, "", s, n < 0 ? 0 : blanks,
                "");
    lua_pushlstring(L, text_str(&out), out.len);
    text_free(&out);
    return 1;
}

/* hex(w, v): "8'h0f". */
static int make_hex(lua_State *L) {
    lua_Integer w = luaL_checkinteger(L, 1), v = luaL_checkinteger(L, 2);
    luaL_argcheck(L, w >= 1 && w <= 64, 1, "a width is from 1 to 64");
    luaL_argcheck(L, w == 64 || (v >= 0 && v >> w == 0), 2,
                  "the value does not fit the width");
    char s[40];
    snprintf(s, sizeof s, "%d'h%0*" PRIx64, (int)w, (int)((w + 3) / 4),
             (uint64_t)v);
    lua_pushstring(L, s);
    return 1;
}

static int make_clog2(lua_State *L) {
    lua_pushinteger(L, clog2((int64_t)luaL_checkinteger(L, 1)));
    return 1;
}

static int make_ceil_div(lua_State *L) {
    lua_Integer a = luaL_checkinteger(L, 1), b = luaL_checkinteger(L, 2);
    luaL_argcheck(L, a >= 0, 1, "negative");
    luaL_argcheck(L, b > 0, 2, "the divisor is not positive");
    lua_pushinteger(L, a / b + (a % b != 0));
    return 1;
}

void names_add_text(lua_State *L, struct unit *u) {
    static const luaL_Reg functions[] = {{"header", make_header},
                                         {"banner", make_banner},
                                         {"comment", make_comment},
                                         {"words", make_words},
                                         {"ports", make_ports},
                                         {"localparams", make_localparams},
                                         {"count_ports", make_count_ports},
                                         {"range", make_range},
                                         {"pad", make_pad},
                                         {"hex", make_hex},
                                         {"clog2", make_clog2},
                                         {"ceil_div", make_ceil_div},
                                         {NULL, NULL}};
    for (const luaL_Reg *f = functions; f->name; f++) {
        names_push(L, u, f->func);
        lua_setfield(L, -2, f->name);
    }
}
