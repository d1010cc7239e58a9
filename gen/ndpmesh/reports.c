/* reports.c - see reports.h. */
#include "reports.h"

#include "base/progress.h"
#include "base/version.h"
#include "emn/hops.h"
#include "picture.h"
#include "shared/mesh.h"

#include <stdlib.h>

enum { MAX_NODES_GIVEN = 4 };

static const struct place nowhere;

bool mesh_answers(const struct config *c, struct diag *d) {
    return mesh_check(c, d) && mesh_check_node(c, d, "emn.core", c->emn_core);
}

/* --- nodes ---------------------------------------------------------------- */

/* "15,16,37": n whole numbers into nodes; -1 if it is none such. */
static int parse_nodes(const char *s, int *nodes) {
    for (int n = 0; n < MAX_NODES_GIVEN;) {
        char *end;
        if (*s < '0' || *s > '9')
            return -1;
        long node = strtol(s, &end, 10);
        nodes[n++] = node > 1 << 20 ? 1 << 20 : (int)node;
        if (*end == '\0')
            return n;
        if (*end != ',')
            return -1;
        s = end + 1;
    }
    return -1;
}

static void not_a_memory(const struct emn_mesh *m, const char *what, int node,
                         struct diag *d) {
    struct text all = {0};
    for (int i = 0; i < m->mems->n; i++)
        text_printf(&all, "%s%d", i ? ", " : "", m->mems->v[i]);
    diag_error(d, nowhere,
               "node %d, %s, has no memory, expected one of "
               "'mesh.memory_nodes': %s",
               node, what, text_str(&all));
    text_free(&all);
}

/* Read CORE,A,B or, where a store is possible, CORE,A,B,C. */
static bool read_chain(const struct config *c, const char *option,
                       const char *arg, bool may_store, struct emn_chain *k,
                       struct diag *d) {
    static const char *const what[] = {"the core", "of load a", "of load b",
                                       "of store c"};
    struct emn_mesh m = emn_mesh_of(c);
    int nodes[MAX_NODES_GIVEN], before = d->errors;
    int n = parse_nodes(arg, nodes);
    if (n != 3 && !(n == 4 && may_store)) {
        diag_error(d, nowhere,
                   "'--%s' expects CORE,A,B%s as node numbers, got '%s'",
                   option, may_store ? " or CORE,A,B,C" : "", arg);
        return false;
    }
    for (int i = 0; i < n; i++)
        if (nodes[i] >= m.width * m.height)
            diag_error(d, nowhere,
                       "node %d, %s, is outside the mesh of %d nodes", nodes[i],
                       what[i], m.width * m.height);
        else if (i > 0 && emn_mem_index(&m, nodes[i]) < 0)
            not_a_memory(&m, what[i], nodes[i], d);
    if (c->emn_core >= 0 && nodes[0] != c->emn_core)
        diag_error(d, nowhere, "'emn.core' is %d, so core %d has no meet nodes",
                   c->emn_core, nodes[0]);
    *k = (struct emn_chain){nodes[0], nodes[1], nodes[2],
                            n == 4 ? nodes[3] : -1};
    return d->errors == before;
}

/* --- the table ------------------------------------------------------------ */

static void core_lines(const struct emn_mesh *m, int core, struct text *out) {
    for (int i = 0; i < m->mems->n; i++)
        for (int j = 0; j < m->mems->n; j++) {
            int a = m->mems->v[i], b = m->mems->v[j];
            int meet = emn_meet(m, core, a, b);
            if (meet < 0)
                text_printf(out, "%d %d %d -\n", core, a, b);
            else
                text_printf(out, "%d %d %d %d\n", core, a, b, meet);
        }
}

void mesh_table(const struct config *c, struct text *out) {
    struct emn_mesh m = emn_mesh_of(c);
    if (c->emn_core >= 0) {
        core_lines(&m, c->emn_core, out);
        return;
    }
    struct progress p;
    int nodes = m.width * m.height;
    progress_begin(&p, "meet nodes", (uint64_t)nodes);
    for (int core = 0; core < nodes; core++) {
        if (emn_mem_index(&m, core) < 0)
            core_lines(&m, core, out);
        progress_step(&p, (uint64_t)core);
    }
    progress_end(&p);
}

/* --- hops ----------------------------------------------------------------- */

/* A node, and the number by which the paper knows it. */
static void add_node(const struct emn_mesh *m, const char *what, int node,
                     struct text *out) {
    int core = emn_core_number(m, node);
    text_printf(out, "%-10s node %d at (%d, %d), %s %d\n", what, node,
                node % m->width, node / m->width, core < 0 ? "memory" : "core",
                core < 0 ? emn_mem_index(m, node) : core);
}

static int saved_percent(int without, int with) {
    return without ? (200 * (without - with) + without) / (2 * without) : 0;
}

static void print_hops(const struct emn_mesh *m, const struct emn_chain *k,
                       struct text *out) {
    int meet = emn_meet(m, k->core, k->a, k->b);
    struct emn_hops without = emn_hops_without(m, k);
    struct emn_hops with = emn_hops_offloaded(m, k, meet);
    text_printf(out, "chain      %s f(a, b)\n",
                k->c < 0 ? "register =" : "c =");
    add_node(m, "core", k->core, out);
    add_node(m, "load a", k->a, out);
    add_node(m, "load b", k->b, out);
    if (k->c >= 0)
        add_node(m, "store c", k->c, out);
    if (meet >= 0)
        add_node(m, "meet node", meet, out);
    else
        text_add(out, "meet node  none, the loads go out singly\n");
    text_printf(out, "\n                    hops  weighted\n");
    text_printf(out, "without offloading  %4d  %8d\n", without.plain,
                without.weighted);
    text_printf(out, "with offloading     %4d  %8d\n", with.plain,
                with.weighted);
    text_printf(out, "saved             %4d %%  %6d %%\n",
                saved_percent(without.plain, with.plain),
                saved_percent(without.weighted, with.weighted));
}

/* A node that there may not be. */
static void add_json_node(const char *key, int node, struct text *out) {
    if (node < 0)
        text_printf(out, "  \"%s\": null,\n", key);
    else
        text_printf(out, "  \"%s\": %d,\n", key, node);
}

static void add_json_hops(const char *key, struct emn_hops h, const char *end,
                          struct text *out) {
    text_printf(out, "  \"%s\": {\"hops\": %d, \"weighted\": %d}%s\n", key,
                h.plain, h.weighted, end);
}

static void json_hops(const struct emn_mesh *m, const struct emn_chain *k,
                      struct text *out) {
    int meet = emn_meet(m, k->core, k->a, k->b);
    struct emn_hops without = emn_hops_without(m, k);
    struct emn_hops with = emn_hops_offloaded(m, k, meet);
    struct emn_hops saved = {
        .plain = saved_percent(without.plain, with.plain),
        .weighted = saved_percent(without.weighted, with.weighted)};
    text_printf(out,
                "{\n  \"schema\": \"ndpmesh-1\",\n  \"version\": \"%s\",\n",
                NDP_VERSION);
    add_json_node("core", k->core, out);
    add_json_node("a", k->a, out);
    add_json_node("b", k->b, out);
    add_json_node("c", k->c, out);
    add_json_node("meet", meet, out);
    add_json_node("to_meet", meet < 0 ? -1 : emn_distance(m, k->core, meet),
                  out);
    add_json_hops("without", without, ",", out);
    add_json_hops("offloaded", with, ",", out);
    add_json_hops("saved_percent", saved, "", out);
    text_add(out, "}\n");
}

bool mesh_hops(const struct config *c, const char *arg, bool json,
               struct text *out, struct diag *d) {
    struct emn_mesh m = emn_mesh_of(c);
    struct emn_chain k;
    if (!read_chain(c, "hops", arg, true, &k, d))
        return false;
    if (json)
        json_hops(&m, &k, out);
    else
        print_hops(&m, &k, out);
    return true;
}

bool mesh_picture(const struct config *c, const char *arg, struct text *out,
                  struct diag *d) {
    struct emn_mesh m = emn_mesh_of(c);
    struct emn_chain k;
    if (!read_chain(c, "picture", arg, false, &k, d))
        return false;
    emn_picture(&m, &k, out);
    return true;
}
