/* tables.c - the blocks that compute tables for their templates. */
#include "tables.h"

#include "blocks/tables.def"

#include <stddef.h>
#include <string.h>

#define DECLARE(name)                                                          \
    void gen_##name##_tables(lua_State *L, const struct design *d);
NDP_TABLES(DECLARE)

void gen_tables_add(lua_State *L, const struct design *d) {
#define ROW(name) {#name, gen_##name##_tables},
    static const struct {
        const char *block;
        void (*add)(lua_State *L, const struct design *d);
    } all[] = {NDP_TABLES(ROW){NULL, NULL}};
    for (size_t i = 0; all[i].block; i++)
        if (strcmp(all[i].block, d->iface->name) == 0)
            all[i].add(L, d);
}
