/* emn.c - what the earliest-meet-node block computes for its templates: the
 * contents of its table, and what its placement is worth.
 *
 * Meet nodes are those of docs/blocks/emn.md ("The function").
 */
#include "names/tables.h"

#include "blocks/emn.h"
#include "hops.h"

#include <lauxlib.h>

/* In form logic the table is only for the proof of a small mesh. Means over
 * more chains than that are left out. */
enum { MAX_PROOF_INDEX_W = 12, MAX_TALLY = 1 << 20 };

/* meet_nodes: the meet node of every table index, -1 for none; there unless
 * the table would be large and is not needed. */
static void add_meet_nodes(lua_State *L, const struct config *c) {
    struct emn_local l = emn_local(c);
    struct emn_mesh m = emn_mesh_of(c);
    int slots = 1 << l.MEM_W, cores = l.ONE_CORE ? 1 : 1 << l.NODE_W;
    if (!l.TABLE && l.INDEX_W > MAX_PROOF_INDEX_W)
        return;
    lua_createtable(L, cores * slots * slots, 0);
    for (int k = 0; k < cores; k++)
        for (int i = 0; i < slots; i++)
            for (int j = 0; j < slots; j++) {
                int core = l.ONE_CORE ? l.CORE : k, meet = -1;
                if (core < l.NODES && i < l.MEMS && j < l.MEMS)
                    meet = emn_meet(&m, core, m.mems->v[i], m.mems->v[j]);
                lua_pushinteger(L, meet);
                lua_rawseti(L, -2, (k * slots + i) * slots + j + 1);
            }
    lua_setfield(L, -2, "meet_nodes");
}

/* --- data sheet ----------------------------------------------------------- */

/* Lookups of all cores without memory, and hops of their chains c = f(a, b)
 * over all memory nodes a, b and c. */
struct tally {
    int64_t lookups, met, same;
    int64_t chains;
    struct {
        int64_t plain, weighted;
    } without, with;
};

static void tally_chains(const struct emn_mesh *m, struct emn_chain k, int meet,
                         struct tally *t) {
    for (int i = 0; i < m->mems->n; i++) {
        k.c = m->mems->v[i];
        struct emn_hops without = emn_hops_without(m, &k);
        struct emn_hops with = emn_hops_offloaded(m, &k, meet);
        t->without.plain += without.plain;
        t->without.weighted += without.weighted;
        t->with.plain += with.plain;
        t->with.weighted += with.weighted;
        t->chains++;
    }
}

static void tally_core(const struct emn_mesh *m, int core, struct tally *t) {
    for (int i = 0; i < m->mems->n; i++)
        for (int j = 0; j < m->mems->n; j++) {
            struct emn_chain k = {core, m->mems->v[i], m->mems->v[j], -1};
            int meet = emn_meet(m, core, k.a, k.b);
            t->lookups++;
            t->met += meet >= 0;
            t->same += i == j;
            tally_chains(m, k, meet, t);
        }
}

/* tally(): sums over all lookups and chains of a placement, nil if there are
 * none or too many. */
static int push_tally(lua_State *L) {
    const struct config *c = lua_touserdata(L, lua_upvalueindex(1));
    struct emn_mesh m = emn_mesh_of(c);
    struct tally t = {0};
    int64_t mems = m.mems->n;
    if (m.width * m.height * mems * mems * mems > MAX_TALLY)
        return 0;
    for (int core = 0; core < m.width * m.height; core++)
        if (emn_mem_index(&m, core) < 0)
            tally_core(&m, core, &t);
    if (t.lookups == 0)
        return 0;
    const struct {
        const char *name;
        int64_t value;
    } sums[] = {{"lookups", t.lookups},
                {"met", t.met},
                {"same", t.same},
                {"chains", t.chains},
                {"plain_without", t.without.plain},
                {"weighted_without", t.without.weighted},
                {"plain_with", t.with.plain},
                {"weighted_with", t.with.weighted}};
    lua_createtable(L, 0, 8);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        lua_pushinteger(L, (lua_Integer)sums[i].value);
        lua_setfield(L, -2, sums[i].name);
    }
    return 1;
}

void gen_emn_tables(lua_State *L, const struct design *d) {
    add_meet_nodes(L, &d->config);
    lua_pushlightuserdata(L, (void *)&d->config);
    lua_pushcclosure(L, push_tally, 1);
    lua_setfield(L, -2, "tally");
}
