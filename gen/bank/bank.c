/* bank.c - what the bank computes for its templates: the timing rules, as the
 * channel has them. */
#include "names/tables.h"

void gen_dram_channel_tables(lua_State *L, const struct design *d);
void gen_bank_tables(lua_State *L, const struct design *d);

void gen_bank_tables(lua_State *L, const struct design *d) {
    gen_dram_channel_tables(L, d);
}
