/* template.c - running a template's chunk and placing its errors.
 *
 * Lua tells the line of an error but no column.  The column is that of the
 * substitution at work, or of the word that the message quotes when it stands
 * on that line, or of the line's first character of Lua.
 */
#include "template.h"

#include "sandbox.h"
#include "scan.h"

#include <lauxlib.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK "template"

struct render {
    const struct source *src;
    const struct template_names *names;
    struct scan scan;
    struct text out;
    bool is_running; /* else the chunk did not even load */
    int at;          /* substitution at work, from 1; 0 none yet */
    int line;        /* of the error; 0 not known */
    int caller;      /* line that called the function with the error, or 0 */
};

/* --- what the chunk calls ------------------------------------------------ */

static struct render *self(lua_State *L) {
    return lua_touserdata(L, lua_upvalueindex(1));
}

static int put_text(lua_State *L) {
    struct render *r = self(L);
    const struct scan_piece *p = &r->scan.pieces[lua_tointeger(L, 1) - 1];
    text_addn(&r->out, p->text, p->len);
    return 0;
}

static int set_at(lua_State *L) {
    self(L)->at = (int)lua_tointeger(L, 1);
    return 0;
}

/* Length of the blanks that the output's last line consists of, or 0. */
static size_t indentation(const struct text *out) {
    size_t n = 0;
    while (n < out->len && (out->data[out->len - 1 - n] == ' ' ||
                            out->data[out->len - 1 - n] == '\t'))
        n++;
    bool blank = n == out->len || out->data[out->len - 1 - n] == '\n';
    return blank ? n : 0;
}

static void add_indented(struct text *out, const char *s, size_t len) {
    size_t indent = indentation(out), start = out->len - indent;
    const char *end = s + len, *nl;
    while ((nl = memchr(s, '\n', (size_t)(end - s)))) {
        text_addn(out, s, (size_t)(nl + 1 - s));
        s = nl + 1;
        for (size_t i = 0; i < indent; i++)
            text_addc(out, out->data[start + i]);
    }
    text_addn(out, s, (size_t)(end - s));
}

static void check_value(lua_State *L, const struct render *r) {
    const struct scan_subst *s = &r->scan.substs[r->at - 1];
    int len = s->len > 40 ? 40 : (int)s->len;
    int type = lua_type(L, 1);
    if (type == LUA_TNIL)
        luaL_error(L, "'%s' is nil", lua_pushlstring(L, s->expr, (size_t)len));
    if (type == LUA_TTABLE || type == LUA_TFUNCTION)
        luaL_error(L, "'%s' is a %s, expected a number or text",
                   lua_pushlstring(L, s->expr, (size_t)len),
                   lua_typename(L, type));
    if (type == LUA_TNUMBER && !lua_isinteger(L, 1)) {
        int is_whole;
        lua_Integer whole = lua_tointegerx(L, 1, &is_whole);
        if (!is_whole)
            luaL_error(L, "'%s' is %s, expected a whole number",
                       lua_pushlstring(L, s->expr, (size_t)len),
                       luaL_tolstring(L, 1, NULL));
        lua_pushinteger(L, whole); /* 2.0 of a division prints as 2 */
        lua_replace(L, 1);
    }
}

static int put_value(lua_State *L) {
    struct render *r = self(L);
    check_value(L, r);
    size_t len;
    const char *s = luaL_tolstring(L, 1, &len);
    add_indented(&r->out, s, len);
    return 0;
}

/* emit(text): a line of output, from a line of Lua. */
static int emit_line(lua_State *L) {
    size_t len;
    const char *s = luaL_checklstring(L, 1, &len);
    text_addn(&self(L)->out, s, len);
    text_addc(&self(L)->out, '\n');
    return 0;
}

static void push_method(lua_State *L, struct render *r, lua_CFunction f) {
    lua_pushlightuserdata(L, r);
    lua_pushcclosure(L, f, 1);
}

/* --- errors -------------------------------------------------------------- */

/* Message handler: note the lines while the stack still stands. */
static int note_lines(lua_State *L) {
    struct render *r = self(L);
    lua_Debug ar;
    for (int level = 1; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (strcmp(ar.short_src, CHUNK) != 0 || ar.currentline < 1)
            continue;
        if (!r->line) {
            r->line = ar.currentline;
        } else if (!r->caller && ar.currentline != r->line) {
            r->caller = ar.currentline;
        }
    }
    return 1;
}

/* Skip Lua's own "template:12: " and, when there is no stack to tell (a syntax
 * error), learn the line from it. */
static const char *strip_place(const char *message, struct render *r) {
    static const char mark[] = CHUNK ":";
    if (strncmp(message, mark, sizeof mark - 1) != 0)
        return message;
    char *end;
    long line = strtol(message + sizeof mark - 1, &end, 10);
    if (strncmp(end, ": ", 2) != 0)
        return message;
    if (!r->line)
        r->line = (int)line;
    return end + 2;
}

/* "near '__text'" speaks of a name that the author never wrote. */
static char *readable(const char *message) {
    struct text t = {0};
    const char *near = strstr(message, "near '__");
    if (near) {
        text_addn(&t, message, (size_t)(near - message));
        text_add(&t, strncmp(near + 6, "__text", 6) == 0
                         ? "before a line of text"
                         : "before '${'");
    } else {
        text_add(&t, message);
    }
    return t.data ? t.data : xstrdup("");
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Where line number n of the source begins, and its length. */
static const char *source_line(const struct source *src, int n, size_t *len) {
    const char *p = src->text, *end = src->text + src->len, *nl;
    while (--n > 0 && (nl = memchr(p, '\n', (size_t)(end - p))))
        p = nl + 1;
    nl = memchr(p, '\n', (size_t)(end - p));
    *len = (size_t)((nl ? nl : end) - p);
    return p;
}

/* Column of word in the line, from column `from` on; 0 if it is not there. */
static int find_word(const char *line, size_t len, size_t from,
                     const char *word, size_t n) {
    for (size_t i = from; n && i + n <= len; i++) {
        if (memcmp(line + i, word, n) != 0)
            continue;
        bool left = i == 0 || !is_word(line[i - 1]) || !is_word(word[0]);
        bool right =
            i + n == len || !is_word(line[i + n]) || !is_word(word[n - 1]);
        if (left && right)
            return (int)i + 1;
    }
    return 0;
}

/* Line n: its substitution at work, else its first character of Lua. */
static struct place line_place(const struct render *r, int n) {
    const struct scan_subst *s = r->at ? &r->scan.substs[r->at - 1] : NULL;
    if (s && s->place.line == n)
        return s->place;
    size_t len, i = 0;
    const char *line = source_line(r->src, n, &len);
    while (i < len && (line[i] == ' ' || line[i] == '\t'))
        i++;
    if (len - i > 3 && memcmp(line + i, "//%", 3) == 0)
        i += 3;
    while (i < len && (line[i] == ' ' || line[i] == '\t'))
        i++;
    return (struct place){r->src, n, (int)i + 1, 1};
}

static struct place error_place(const struct render *r, const char *message) {
    if (!r->line && r->at) /* out of memory: the stack is gone */
        return r->scan.substs[r->at - 1].place;
    if (!r->line)
        return (struct place){r->src, 0, 0, 0};
    struct place at = line_place(r, r->line);
    size_t len, from = (size_t)at.column - 1;
    const char *line = source_line(r->src, r->line, &len);
    if (len - from > 2 && memcmp(line + from, "${", 2) == 0)
        from += 2;
    for (const char *q = strchr(message, '\''); q; q = strchr(q, '\'')) {
        size_t n = strcspn(++q, "'");
        int column = find_word(line, len, from, q, n);
        if (column && q[n]) {
            at.column = column;
            at.width = (int)n;
            break;
        }
        q += n + (q[n] != '\0');
    }
    return at;
}

/* After a syntax error: take the first substitution of the line that does not
 * parse by itself for the one at work. */
static void find_bad_subst(lua_State *L, struct render *r) {
    for (int i = 0; i < r->scan.n_substs; i++) {
        const struct scan_subst *s = &r->scan.substs[i];
        struct text chunk = {0};
        if (s->place.line != r->line)
            continue;
        text_add(&chunk, "return (");
        text_addn(&chunk, s->expr, s->len);
        text_add(&chunk, ")");
        int status = luaL_loadbufferx(L, text_str(&chunk), chunk.len, "", "t");
        lua_pop(L, 1);
        text_free(&chunk);
        if (status != LUA_OK) {
            r->at = i + 1;
            return;
        }
    }
}

static void report(lua_State *L, struct render *r, struct diag *d) {
    const char *raw = lua_tostring(L, -1);
    raw = raw ? strip_place(raw, r) : "error without a message";
    if (!r->is_running)
        find_bad_subst(L, r);
    char *message = readable(raw);
    diag_error(d, error_place(r, message), "%s", message);
    if (r->caller)
        diag_report(d, DIAG_NOTE, line_place(r, r->caller), "called from here");
    free(message);
}

/* --- running ------------------------------------------------------------- */

/* Lua function (render): everything that may raise errors but the chunk. */
static int prepare(lua_State *L) {
    struct render *r = lua_touserdata(L, 1);
    lua_settop(L, 0);
    sandbox_libraries(L);
    push_method(L, r, emit_line);
    lua_setfield(L, -2, "emit");
    if (r->names)
        r->names->add(L, r->names->ctx);
    if (luaL_loadbufferx(L, text_str(&r->scan.lua), r->scan.lua.len, "=" CHUNK,
                         "t") != LUA_OK)
        return lua_error(L);
    lua_insert(L, 1);
    lua_setupvalue(L, 1, 1); /* the table becomes the chunk's globals */
    push_method(L, r, put_text);
    push_method(L, r, set_at);
    push_method(L, r, put_value);
    return 4;
}

static bool run(lua_State *L, struct render *r) {
    push_method(L, r, note_lines);
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, r);
    r->is_running = lua_pcall(L, 1, 4, 1) == LUA_OK;
    return r->is_running && lua_pcall(L, 3, 0, 1) == LUA_OK;
}

/* Append text without blanks at line ends, blank lines around it, or more than
 * one in a row (loops tend to leave them). */
static void add_tidy(struct text *out, const struct text *text) {
    const char *p = text_str(text), *end = p + text->len;
    size_t blank = 0, start = out->len;
    while (p < end) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *stop = nl ? nl : end, *last = stop;
        while (last > p && strchr(" \t\r", last[-1]))
            last--;
        blank++;
        if (last > p) {
            if (blank > 1 && out->len > start)
                text_addc(out, '\n');
            text_addn(out, p, (size_t)(last - p));
            text_addc(out, '\n');
            blank = 0;
        }
        p = nl ? nl + 1 : end;
    }
}

bool template_render(const struct source *src,
                     const struct template_names *names, struct text *out,
                     struct diag *d) {
    struct render r = {.src = src, .names = names};
    struct sandbox box = {0};
    bool ok = scan_template(src, &r.scan, d);
    if (ok) {
        lua_State *L = sandbox_open(&box);
        ok = run(L, &r);
        if (!ok)
            report(L, &r, d);
        lua_close(L);
    }
    if (ok)
        add_tidy(out, &r.out);
    text_free(&r.out);
    scan_free(&r.scan);
    return ok;
}
