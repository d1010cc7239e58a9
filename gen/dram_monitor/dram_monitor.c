/* dram_monitor.c - what the monitor computes for its templates: every timing
 * rule of the table with its number. */
#include "names/tables.h"

#include "dram/check.h"

#include <ctype.h>

/* A kind as templates write it: "rda". */
static void push_kind(lua_State *L, int kind) {
    char name[8] = {0};
    const char *text = dram_kind_name((enum dram_kind)kind);
    for (size_t i = 0; text[i] && i + 1 < sizeof name; i++)
        name[i] = (char)tolower((unsigned char)text[i]);
    lua_pushstring(L, name);
}

static void set_kinds(lua_State *L, const char *name, unsigned kinds) {
    int n = 0;
    lua_createtable(L, DRAM_KINDS, 0);
    for (int k = 0; k < DRAM_KINDS; k++)
        if (kinds >> k & 1) {
            push_kind(L, k);
            lua_rawseti(L, -2, ++n);
        }
    lua_setfield(L, -2, name);
}

/* The name of each check of check.h is a field that holds its number. */
static void set_check_numbers(lua_State *L) {
    lua_createtable(L, 0, DRAM_CHECKS_MONITORED);
    for (int i = 0; i < DRAM_CHECKS_MONITORED; i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, dram_check_name(i));
    }
    lua_setfield(L, -2, "check_no");
}

/* kinds: all commands, in order of their codes; rules: array of {name, number,
 * scope, from, to, count, cycles}, in the table's order; check_no. */
void gen_dram_monitor_tables(lua_State *L, const struct design *d) {
    struct dram_rule rules[DRAM_RULES];
    dram_rules(&d->config, rules);
    set_kinds(L, "kinds", (1u << DRAM_KINDS) - 1);
    set_check_numbers(L);
    lua_createtable(L, DRAM_RULES, 0);
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &rules[i];
        lua_createtable(L, 0, 7);
        lua_pushstring(L, r->name);
        lua_setfield(L, -2, "name");
        lua_pushinteger(L, i);
        lua_setfield(L, -2, "number");
        lua_pushstring(L, dram_scope_name(r->scope));
        lua_setfield(L, -2, "scope");
        set_kinds(L, "from", r->from);
        set_kinds(L, "to", r->to);
        lua_pushinteger(L, r->count);
        lua_setfield(L, -2, "count");
        lua_pushinteger(L, r->cycles);
        lua_setfield(L, -2, "cycles");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "rules");
}
