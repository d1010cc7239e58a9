/* mesh.c - Algorithm 1 of opportunistic computing, as it is written: both
 * dimension-ordered paths to either memory node are walked, and of the nodes
 * that a pair of them shares the one nearest to both memories is kept.
 *
 * A whole table of a 32 x 32 mesh takes a tenth of a second this way; the
 * closed form is left to the hardware (rtl-templates/emn/ndp_emn_logic.v),
 * which is proved against this table.
 */
#include "mesh.h"

#include <stdlib.h>

struct emn_mesh emn_mesh_of(const struct config *c) {
    return (struct emn_mesh){c->mesh_width, c->mesh_height,
                             &c->mesh_memory_nodes};
}

int emn_distance(const struct emn_mesh *m, int a, int b) {
    return abs(a % m->width - b % m->width) + abs(a / m->width - b / m->width);
}

/* Walk from the path's end, step nodes at a time, n times. */
static void extend(struct emn_path *p, int step, int n) {
    for (; n > 0; n--, p->n++)
        p->node[p->n] = p->node[p->n - 1] + step;
}

struct emn_path emn_path(const struct emn_mesh *m, int core, int to,
                         enum emn_order order) {
    struct emn_path p = {.n = 1, .node = {core}};
    int dx = to % m->width - core % m->width;
    int dy = to / m->width - core / m->width;
    if (order == EMN_XY)
        extend(&p, dx < 0 ? -1 : 1, abs(dx));
    extend(&p, dy < 0 ? -m->width : m->width, abs(dy));
    if (order == EMN_YX)
        extend(&p, dx < 0 ? -1 : 1, abs(dx));
    return p;
}

static bool has(const struct emn_path *p, int node) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i] == node)
            return true;
    return false;
}

int emn_meet(const struct emn_mesh *m, int core, int a, int b) {
    static const enum emn_order orders[] = {EMN_XY, EMN_YX};
    int best = -1, least = 0;
    if (a == b)
        return a;
    for (int pair = 0; pair < 4; pair++) {
        struct emn_path to_a = emn_path(m, core, a, orders[pair / 2]);
        struct emn_path to_b = emn_path(m, core, b, orders[pair % 2]);
        for (int i = 1; i < to_a.n; i++) {
            int node = to_a.node[i];
            int sum = emn_distance(m, node, a) + emn_distance(m, node, b);
            if ((best < 0 || sum < least) && has(&to_b, node)) {
                best = node;
                least = sum;
            }
        }
    }
    return best;
}

int emn_mem_index(const struct emn_mesh *m, int node) {
    for (int i = 0; i < m->mems->n; i++)
        if (m->mems->v[i] == node)
            return i;
    return -1;
}

int emn_core_number(const struct emn_mesh *m, int node) {
    if (emn_mem_index(m, node) >= 0)
        return -1;
    int number = node;
    for (int i = 0; i < m->mems->n; i++)
        number -= m->mems->v[i] < node;
    return number;
}
