/* mesh.c - the memory nodes against the size of the mesh. */
#include "mesh.h"

#include <string.h>

static bool is_node(int n, int nodes) {
    return n >= 0 && n < nodes;
}

/* "34, 37 and 62": the memory nodes that the mesh does not have; how many. */
static int add_strangers(const struct int_list *mems, int nodes,
                         struct text *out) {
    int left = 0, n = 0;
    for (int i = 0; i < mems->n; i++)
        left += !is_node(mems->v[i], nodes);
    for (int i = 0; i < mems->n; i++)
        if (!is_node(mems->v[i], nodes)) {
            left--;
            text_printf(out, "%s%d",
                        n == 0 ? ""
                        : left ? ", "
                               : " and ",
                        mems->v[i]);
            n++;
        }
    return n;
}

static bool is_default(const struct config *c, const struct config *d) {
    return memcmp(&c->mesh_memory_nodes, &d->mesh_memory_nodes,
                  sizeof c->mesh_memory_nodes) == 0;
}

bool mesh_check(const struct config *c, struct diag *d) {
    int nodes = c->mesh_width * c->mesh_height, before = d->errors;
    struct text strangers = {0}, hint = {0};
    struct config usual;
    config_defaults(&usual);
    if (is_default(c, &usual))
        text_printf(&hint, "; give a list, this is the default, for %d x %d",
                    usual.mesh_width, usual.mesh_height);
    if (add_strangers(&c->mesh_memory_nodes, nodes, &strangers))
        config_error(d,
                     "'mesh.memory_nodes' lists %s, expected nodes 0 to %d of "
                     "the mesh of %d x %d ('mesh.width', 'mesh.height')%s",
                     text_str(&strangers), nodes - 1, c->mesh_width,
                     c->mesh_height, text_str(&hint));
    text_free(&strangers);
    text_free(&hint);
    return d->errors == before;
}

bool mesh_check_node(const struct config *c, struct diag *d, const char *key,
                     int node) {
    int nodes = c->mesh_width * c->mesh_height;
    if (node < nodes)
        return true;
    config_error(d,
                 "'%s' is %d, expected a node 0 to %d of the mesh of %d x %d "
                 "('mesh.width', 'mesh.height')",
                 key, node, nodes - 1, c->mesh_width, c->mesh_height);
    return false;
}

bool mesh_is_memory(const struct config *c, int node) {
    for (int i = 0; i < c->mesh_memory_nodes.n; i++)
        if (c->mesh_memory_nodes.v[i] == node)
            return true;
    return false;
}

bool mesh_check_last(const struct config *c, struct diag *d, const char *who) {
    int last = c->mesh_width * c->mesh_height - 1;
    if (!mesh_is_memory(c, last))
        return true;
    config_error(
        d,
        "'mesh.memory_nodes' lists %d, the last node of the mesh, where "
        "%s stands",
        last, who);
    return false;
}
