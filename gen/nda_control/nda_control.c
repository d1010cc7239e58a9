/* nda_control.c - what the machine computes for its templates: the timing
 * rules, as the channel has them. */
#include "names/tables.h"

void gen_dram_channel_tables(lua_State *L, const struct design *d);
void gen_nda_control_tables(lua_State *L, const struct design *d);

void gen_nda_control_tables(lua_State *L, const struct design *d) {
    gen_dram_channel_tables(L, d);
}
