/* emn.c - golden model of the earliest-meet-node block.
 *
 * Opportunistic computing, sections 3.2 and 4.3, Algorithm 1, as
 * docs/blocks/emn.md settles it: both paths of each pair are walked node by
 * node, and every node of one is looked for on the other.  That is slow and
 * plain on purpose; an answer is kept once it is known, so that a long run
 * walks each combination of core and memories only once.
 */
#include "emn.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/emn.h"
#include "frame/model.h"

#include <stdlib.h>
#include <string.h>

/* Algorithm 1 ------------------------------------------------------------ */

enum { MAX_PATH = 63, N_PAIRS = 4 }; /* 32 by 32: 31 + 31 steps */

struct path {
    int n;
    int node[MAX_PATH];
};

/* One step from a coordinate towards another. */
static int towards(int from, int to) {
    return from < to ? from + 1 : from - 1;
}

/* The nodes from the core to a node, both included. */
static struct path walk(int width, int from, int to, bool y_first) {
    int x = from % width, y = from / width;
    int to_x = to % width, to_y = to / width;
    struct path p = {.n = 1, .node = {from}};

    while (x != to_x || y != to_y) {
        if (y == to_y || (!y_first && x != to_x))
            x = towards(x, to_x);
        else
            y = towards(y, to_y);
        p.node[p.n++] = y * width + x;
    }
    return p;
}

static bool on_path(const struct path *p, int node) {
    for (int i = 0; i < p->n; i++)
        if (p->node[i] == node)
            return true;
    return false;
}

static int distance(int width, int a, int b) {
    return abs(a % width - b % width) + abs(a / width - b / width);
}

struct emn_meet emn_find(int width, int core, int a, int b) {
    struct emn_meet best = {.found = false};
    int least = 0;

    if (a == b)
        return (struct emn_meet){.found = true, .node = a};
    for (int pair = 0; pair < N_PAIRS; pair++) {
        struct path to_a = walk(width, core, a, pair & 2);
        struct path to_b = walk(width, core, b, pair & 1);
        for (int i = 0; i < to_a.n; i++) {
            int node = to_a.node[i];
            int sum = distance(width, node, a) + distance(width, node, b);
            if (node == core || !on_path(&to_b, node) ||
                (best.found && sum >= least))
                continue;
            best = (struct emn_meet){.found = true, .node = node, .pair = pair};
            least = sum;
        }
    }
    return best;
}

/* The instance ----------------------------------------------------------- */

enum { MAX_STAGES = 3 };

/* A known answer; all zero: not yet walked. */
struct known {
    uint16_t node;
    bool walked, found;
    uint8_t pair;
};

struct answer {
    bool valid, found, same;
    uint16_t id, node;
};

struct emn {
    struct golden base;
    struct emn_local l;
    struct int_list mems;
    uint64_t is_memory[1024 / 64]; /* set of nodes */
    uint64_t id_mask, node_mask, mem_mask;
    struct answer stage[MAX_STAGES]; /* the last one is what shows */
    uint8_t history;                 /* of req_valid; bit 0 the edge before */
    struct emn_out out;
    struct known *known; /* by core and two memory indices */
};

static void reset(struct golden *g) {
    struct emn *m = (struct emn *)g;

    memset(m->stage, 0, sizeof m->stage);
    m->history = 0;
}

static void open(struct golden *g, const struct config *c) {
    struct emn *m = (struct emn *)g;

    m->l = emn_local(c);
    m->mems = c->mesh_memory_nodes;
    if (m->l.STAGES > MAX_STAGES || m->l.NODES > 1024)
        BUG("meet node block larger than the model holds");
    for (int i = 0; i < m->l.MEMS; i++)
        bits_set(m->is_memory, m->mems.v[i]);
    m->id_mask = ones(m->l.ID_W);
    m->node_mask = ones(m->l.NODE_W);
    m->mem_mask = ones(m->l.MEM_W);
    m->known =
        xcalloc((size_t)m->l.NODES * (size_t)m->l.MEMS * (size_t)m->l.MEMS,
                sizeof *m->known);
}

static void close(struct golden *g) {
    free(((struct emn *)g)->known);
}

/* Lookups ---------------------------------------------------------------- */

static const struct known *look_up(struct emn *m, int core, int mem0,
                                   int mem1) {
    struct known *k = &m->known[(core * m->l.MEMS + mem0) * m->l.MEMS + mem1];
    struct emn_meet meet;

    if (!k->walked) {
        meet = emn_find(m->l.WIDTH, core, m->mems.v[mem0], m->mems.v[mem1]);
        k->walked = true;
        k->found = meet.found;
        k->node = (uint16_t)meet.node;
        k->pair = (uint8_t)meet.pair;
    }
    return k;
}

static void cover_lookup(struct emn *m, const struct known *k, int core,
                         bool same) {
    hit_if(m, same, EMN_COV_same_memory);
    hit_if(m, !same && k->found, EMN_COV_meets_xy_xy + k->pair);
    hit_if(m, !k->found, EMN_COV_no_meet);
    hit_if(m, bits_test(m->is_memory, core), EMN_COV_from_memory);
}

static struct answer answer(struct emn *m, const struct emn_in *in) {
    int core = (int)(in->req_core & m->node_mask);
    int mem0 = (int)(in->req_mem0 & m->mem_mask);
    int mem1 = (int)(in->req_mem1 & m->mem_mask);
    struct answer r = {.valid = true,
                       .id = (uint16_t)(in->req_id & m->id_mask)};
    const struct known *k;

    if (core >= m->l.NODES || mem0 >= m->l.MEMS || mem1 >= m->l.MEMS ||
        (m->l.ONE_CORE && core != m->l.CORE))
        return r;
    k = look_up(m, core, mem0, mem1);
    cover_lookup(m, k, core, mem0 == mem1);
    r.found = k->found;
    r.node = k->found ? k->node : 0;
    r.same = k->found && mem0 == mem1;
    return r;
}

/* One edge --------------------------------------------------------------- */

/* The counters see the answer as it stands before the edge. */
static uint64_t events(const struct answer *a) {
    if (!a->valid)
        return 0;
    return bit(EMN_CNT_lookups) | bit(a->found ? EMN_CNT_met : EMN_CNT_none) |
           (uint64_t)a->same << EMN_CNT_same;
}

static void show(struct emn_out *out, const struct answer *a) {
    out->ans_valid = a->valid;
    out->ans_id = a->id;
    out->ans_found = a->found;
    out->ans_node = a->node;
}

static void edge(struct golden *g, const void *in) {
    struct emn *m = (struct emn *)g;
    struct answer *last = &m->stage[m->l.STAGES - 1];
    bool asked = ((const struct emn_in *)in)->req_valid & 1;

    g->events = events(last);
    for (struct answer *s = last; s > m->stage; s--)
        *s = s[-1];
    m->stage[0] = asked ? answer(m, in) : (struct answer){.valid = false};
    hit_if(m, asked && m->history & 1, EMN_COV_back_to_back);
    hit_if(m, asked && (m->history & 3) == 2, EMN_COV_gap);
    m->history = (uint8_t)(m->history << 1 | asked);
    show(&m->out, last);
}

const struct golden_class emn_golden = {
    .iface = &emn_iface,
    MODEL_STRUCT(struct emn),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};
