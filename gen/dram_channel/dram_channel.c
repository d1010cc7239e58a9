/* dram_channel.c - what the channel computes for its templates: the timing
 * rules that its commands can meet, with their numbers. */
#include "names/tables.h"

#include "dram/rules.h"

static const unsigned used = 1u << DRAM_ACT | 1u << DRAM_PRE | 1u << DRAM_PREA |
                             1u << DRAM_RD | 1u << DRAM_WR | 1u << DRAM_REF;

static const char *const short_names[DRAM_KINDS] = {
    [DRAM_ACT] = "act", [DRAM_PRE] = "pre", [DRAM_PREA] = "prea",
    [DRAM_RD] = "rd",   [DRAM_RDA] = "rda", [DRAM_WR] = "wr",
    [DRAM_WRA] = "wra", [DRAM_REF] = "ref"};

static void set_kinds(lua_State *L, const char *name, unsigned kinds) {
    int n = 0;
    lua_createtable(L, 4, 0);
    for (int k = 0; k < DRAM_KINDS; k++)
        if (kinds >> k & 1) {
            lua_pushstring(L, short_names[k]);
            lua_rawseti(L, -2, ++n);
        }
    lua_setfield(L, -2, name);
}

/* Rows that are closed leave nothing to hold back: between REF, PRE or PREA and
 * a column command or a precharge there is an ACT. */
static unsigned reachable(const struct dram_rule *r) {
    unsigned closing = 1u << DRAM_REF;
    unsigned to = r->to & used;
    if ((r->from & used) == closing)
        to &= 1u << DRAM_ACT | 1u << DRAM_REF;
    return to;
}

/* A global: array of {name, scope, from, to, count, cycles}, those of 2 cycles
 * or more between commands in use; without the pairs that closed rows rule out,
 * or with them. */
static void set_rules(lua_State *L, const struct design *d, const char *name,
                      bool every) {
    struct dram_rule rules[DRAM_RULES];
    int n = 0;
    dram_rules(&d->config, rules);
    lua_createtable(L, DRAM_RULES, 0);
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &rules[i];
        unsigned to = every ? r->to & used : reachable(r);
        if (r->cycles < 2 || !(r->from & used) || !to)
            continue;
        lua_createtable(L, 0, 6);
        lua_pushstring(L, r->name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, dram_scope_name(r->scope));
        lua_setfield(L, -2, "scope");
        set_kinds(L, "from", r->from & used);
        set_kinds(L, "to", to);
        lua_pushinteger(L, r->count);
        lua_setfield(L, -2, "count");
        lua_pushinteger(L, r->cycles);
        lua_setfield(L, -2, "cycles");
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, name);
}

/* rules: what timers are made of; every_rule: what must hold. */
void gen_dram_channel_tables(lua_State *L, const struct design *d) {
    set_rules(L, d, "rules", false);
    set_rules(L, d, "every_rule", true);
}
