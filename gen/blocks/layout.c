/* layout.c - positions of an entry's fields, as Lua, C and Markdown. */
#include "layout.h"

#include <assert.h>
#include <ctype.h>

void layout_add(struct layout *l, const char *name, int width,
                const char *doc) {
    assert(l->n < LAYOUT_MAX_FIELDS);
    l->field[l->n++] = (struct layout_field){name, l->bits, width, doc};
    l->bits += width;
}

void layout_names(const struct layout *l, lua_State *L) {
    lua_newtable(L);
    for (int i = 0; i < l->n; i++) {
        const struct layout_field *f = &l->field[i];
        lua_newtable(L);
        lua_pushinteger(L, f->lsb);
        lua_setfield(L, -2, "lsb");
        lua_pushinteger(L, f->lsb + f->width - 1);
        lua_setfield(L, -2, "msb");
        lua_pushinteger(L, f->width);
        lua_setfield(L, -2, "width");
        lua_setfield(L, -2, f->name);
    }
    lua_setfield(L, -2, "field");
}

static void add_upper(struct text *out, const char *s) {
    for (; *s; s++)
        text_addc(out, (char)toupper((unsigned char)*s));
}

void layout_header(const struct layout *l, const char *macro,
                   struct text *out) {
    for (int i = 0; i < l->n; i++) {
        const struct layout_field *f = &l->field[i];
        text_printf(out, "#define %sENTRY_", macro);
        add_upper(out, f->name);
        text_printf(out, "_LSB %d /* %s */\n", f->lsb, f->doc);
        text_printf(out, "#define %sENTRY_", macro);
        add_upper(out, f->name);
        text_printf(out, "_W %d\n", f->width);
    }
    text_printf(out, "#define %sENTRY_WORDS %d\n", macro, (l->bits + 31) / 32);
}

void layout_table(const struct layout *l, struct text *out) {
    text_add(out, "| field | bits | position | what |\n"
                  "| --- | ---: | --- | --- |\n");
    for (int i = 0; i < l->n; i++) {
        const struct layout_field *f = &l->field[i];
        text_printf(out, "| `%s` | %d | ", f->name, f->width);
        if (f->width > 1)
            text_printf(out, "%d:", f->lsb + f->width - 1);
        text_printf(out, "%d | %s |\n", f->lsb, f->doc);
    }
}
