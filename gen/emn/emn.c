/* emn.c - what the earliest-meet-node block adds: the contents of its table,
 * and in the data sheet the placement with what it is worth.
 *
 * Meet nodes are those of docs/blocks/emn.md ("The function").
 */
#include "blocks/blocks.h"

#include "blocks/emn.h"
#include "ndpmesh/hops.h"

#include <inttypes.h>

/* In form logic the table is only for the proof of a small mesh. Means over
 * more chains than that are left out. */
enum { MAX_PROOF_INDEX_W = 12, MAX_TALLY = 1 << 20 };

/* meet_nodes: the meet node of every table index, -1 for none; there unless
 * the table would be large and is not needed. */
static void names(const struct gen_job *job, lua_State *L) {
    struct emn_local l = emn_local(&job->config);
    struct emn_mesh m = emn_mesh_of(&job->config);
    int slots = 1 << l.MEM_W, cores = l.ONE_CORE ? 1 : 1 << l.NODE_W;
    if (!l.TABLE && l.INDEX_W > MAX_PROOF_INDEX_W)
        return;
    lua_createtable(L, cores * slots * slots, 0);
    for (int c = 0; c < cores; c++)
        for (int i = 0; i < slots; i++)
            for (int j = 0; j < slots; j++) {
                int core = l.ONE_CORE ? l.CORE : c, meet = -1;
                if (core < l.NODES && i < l.MEMS && j < l.MEMS)
                    meet = emn_meet(&m, core, m.mems->v[i], m.mems->v[j]);
                lua_pushinteger(L, meet);
                lua_rawseti(L, -2, (c * slots + i) * slots + j + 1);
            }
    lua_setfield(L, -2, "meet_nodes");
}

/* --- data sheet ---------------------------------------------------------- */

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

static void add_share(struct text *out, const char *what, int64_t n,
                      int64_t all) {
    text_printf(out, "| %s | %" PRId64 " | %" PRId64 " %% |\n", what, n,
                (200 * n + all) / (2 * all));
}

/* A mean with one decimal, of positive numbers. */
static void add_mean(struct text *out, int64_t sum, int64_t n) {
    int64_t tenths = (20 * sum + n) / (2 * n);
    text_printf(out, " %" PRId64 ".%d |", tenths / 10, (int)(tenths % 10));
}

static void add_tally(const struct tally *t, struct text *out) {
    text_add(out, "| lookups by cores without memory | number | share |\n"
                  "| --- | ---: | ---: |\n");
    add_share(out, "all", t->lookups, t->lookups);
    add_share(out, "both loads at one memory", t->same, t->lookups);
    add_share(out, "two memories with a meet node", t->met - t->same,
              t->lookups);
    add_share(out, "none", t->lookups - t->met, t->lookups);
    text_add(out, "\nHops of a chain `c = f(a, b)`, the mean over all cores "
                  "without memory and all memory nodes of a, b and c. A "
                  "packet's hops are its Manhattan distance; weighted, data "
                  "count five, requests and acknowledgements one. Without: two "
                  "requests and data back, data of c and its acknowledgement. "
                  "Offloaded: the compute request to the meet node, the same "
                  "six packets from there, and an acknowledgement back; where "
                  "there is no meet node, as without.\n\n"
                  "| | hops | weighted |\n| --- | ---: | ---: |\n");
    text_add(out, "| without offloading |");
    add_mean(out, t->without.plain, t->chains);
    add_mean(out, t->without.weighted, t->chains);
    text_add(out, "\n| offloaded |");
    add_mean(out, t->with.plain, t->chains);
    add_mean(out, t->with.weighted, t->chains);
    text_add(out, "\n\n");
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct emn_mesh m = emn_mesh_of(&job->config);
    struct tally t = {0};
    int64_t mems = m.mems->n;
    text_add(out, "## Placement\n\nMemory nodes by their index, other nodes as "
                  "dots; x to the right, y down.\n\n");
    for (int node = 0; node < m.width * m.height; node++) {
        int mem = emn_mem_index(&m, node);
        text_add(out, node % m.width ? "" : "    ");
        if (mem >= 0)
            text_printf(out, "%3d", mem);
        else
            text_add(out, "  .");
        text_add(out, (node + 1) % m.width ? "" : "\n");
    }
    text_addc(out, '\n');
    if (m.width * m.height * mems * mems * mems > MAX_TALLY)
        return;
    for (int core = 0; core < m.width * m.height; core++)
        if (emn_mem_index(&m, core) < 0)
            tally_core(&m, core, &t);
    if (t.lookups > 0)
        add_tally(&t, out);
}

const struct gen_block gen_emn = {"emn", names, NULL, datasheet};
