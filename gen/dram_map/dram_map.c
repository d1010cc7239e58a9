/* dram_map.c - what the address map computes for its templates: the address
 * bits behind each bit of a place, and the inverse. */
#include "names/tables.h"

#include "dram/map.h"

static void set_masks(lua_State *L, const char *name, const uint64_t *masks,
                      int n) {
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushinteger(L, (lua_Integer)masks[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

/* map: {there, back, at, width}; the last two by the name of a part. */
void gen_dram_map_tables(lua_State *L, const struct design *d) {
    struct dram_map m;
    dram_map_make(&d->config, &m);
    lua_createtable(L, 0, 4);
    set_masks(L, "there", m.there, m.n);
    set_masks(L, "back", m.back, m.n);
    lua_createtable(L, 0, DRAM_PARTS);
    for (int p = 0; p < DRAM_PARTS; p++) {
        lua_pushinteger(L, m.at[p]);
        lua_setfield(L, -2, dram_part_name(p));
    }
    lua_setfield(L, -2, "at");
    lua_createtable(L, 0, DRAM_PARTS);
    for (int p = 0; p < DRAM_PARTS; p++) {
        lua_pushinteger(L, m.width[p]);
        lua_setfield(L, -2, dram_part_name(p));
    }
    lua_setfield(L, -2, "width");
    lua_setfield(L, -2, "map");
}
