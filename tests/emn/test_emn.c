/* test_emn.c - the golden model of the earliest-meet-node block.
 *
 * The function is compared with a second formulation of docs/blocks/emn.md that
 * knows no walk: a node lies on a path if its coordinates do.  The block around
 * it is tested edge by edge.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/emn.h"
#include "emn/emn.h"

#include <stdlib.h>
#include <string.h>

struct unit {
    struct golden *g;
    struct emn_local l;
    struct emn_in in;
    const struct emn_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void reset_edge(struct unit *u) {
    u->out = golden_cycle(u->g, true, &u->in);
}

static void open_unit(struct unit *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->l = emn_local(c);
    u->g = golden_create(&emn_golden, c);
    reset_edge(u);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void ask(struct unit *u, int id, int core, int mem0, int mem1) {
    u->in.req_valid = 1;
    u->in.req_id = (uint64_t)id;
    u->in.req_core = (uint64_t)core;
    u->in.req_mem0 = (uint64_t)mem0;
    u->in.req_mem1 = (uint64_t)mem1;
}

/* Ask on one edge and go on to the one after which the answer shows. */
static void look_up(struct unit *u, int id, int core, int mem0, int mem1) {
    ask(u, id, core, mem0, mem1);
    edge(u);
    u->in.req_valid = 0;
    for (int i = 1; i < u->l.STAGES; i++)
        edge(u);
    assert_int_equal(u->out->ans_valid, 1);
    assert_int_equal(u->out->ans_id, id);
}

static uint32_t wishbone(struct unit *u, bool write, int adr, uint32_t data) {
    uint32_t result;

    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_we = write;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = 15;
    edge(u);
    assert_int_equal(u->out->wb_ack, 1);
    result = (uint32_t)u->out->wb_dat_r;
    u->in.wb_cyc = u->in.wb_stb = 0;
    edge(u);
    return result;
}

static uint32_t counter(struct unit *u, enum emn_counter c) {
    return wishbone(u, false, REG_FIRST + EMN_N_SETTINGS + (int)c, 0);
}

static uint64_t covered(const struct unit *u, enum emn_cover c) {
    return golden_covers(u->g)[c];
}

static struct config preset(const char *name) {
    struct config c;
    struct diag d = {0};

    assert_true(config_preset(&c, name, &d));
    return c;
}

/* The function ----------------------------------------------------------- */

static bool between(int v, int a, int b) {
    return a < b ? a <= v && v <= b : b <= v && v <= a;
}

static bool lies_on(int w, int node, int core, int to, bool y_first) {
    int x = node % w, y = node / w, cx = core % w, cy = core / w;
    int tx = to % w, ty = to / w;

    if (y_first)
        return (x == cx && between(y, cy, ty)) ||
               (y == ty && between(x, cx, tx));
    return (y == cy && between(x, cx, tx)) || (x == tx && between(y, cy, ty));
}

static int apart(int w, int a, int b) {
    return abs(a % w - b % w) + abs(a / w - b / w);
}

/* Smallest summed distance, then first pair, then nearest to the core. */
static struct emn_meet by_coordinates(int w, int nodes, int c, int a, int b) {
    struct emn_meet best = {.found = a == b, .node = a};
    long least = 0;

    if (a == b)
        return best;
    for (int node = 0; node < nodes; node++)
        for (int pair = 0; pair < 4; pair++) {
            long rank = (apart(w, node, a) + apart(w, node, b)) * 1000L +
                        pair * 100 + apart(w, node, c);
            if (node == c || !lies_on(w, node, c, a, pair & 2) ||
                !lies_on(w, node, c, b, pair & 1) ||
                (best.found && rank >= least))
                continue;
            least = rank;
            best = (struct emn_meet){.found = true, .node = node, .pair = pair};
        }
    return best;
}

static void compare(int w, int nodes, int core, int a, int b) {
    struct emn_meet m = emn_find(w, core, a, b);
    struct emn_meet o = by_coordinates(w, nodes, core, a, b);
    struct emn_meet r = emn_find(w, core, b, a);

    if (m.found != o.found ||
        (m.found && (m.node != o.node || m.pair != o.pair)))
        fail_msg("width %d core %d a %d b %d: %d at %d on %d, not %d at %d on "
                 "%d",
                 w, core, a, b, m.found, m.node, m.pair, o.found, o.node,
                 o.pair);
    /* the own core only if both loads have its memory */
    assert_false(m.found && m.node == core && (a != core || b != core));
    assert_int_equal(m.found, r.found);
    if (m.found)
        assert_int_equal(apart(w, m.node, a) + apart(w, m.node, b),
                         apart(w, r.node, a) + apart(w, r.node, b));
}

static void function_equals_the_coordinates(void **state) {
    static const int size[][2] = {{2, 2}, {4, 4}, {5, 3}, {2, 7}, {8, 8}};

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        int w = size[i][0], nodes = w * size[i][1];
        for (int c = 0; c < nodes; c++)
            for (int a = 0; a < nodes; a++)
                for (int b = nodes > 40 ? a % 5 : 0;
                     b<nodes; b += nodes> 40 ? 5 : 1)
                    compare(w, nodes, c, a, b);
    }
}

static void function_on_random_meshes(void **state) {
    uint64_t seed = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        int w = 2 + (int)(seed % 31), h = 2 + (int)(seed / 31 % 31);
        int nodes = w * h;
        compare(w, nodes, (int)((seed >> 20) % (uint64_t)nodes),
                (int)((seed >> 32) % (uint64_t)nodes),
                (int)((seed >> 44) % (uint64_t)nodes));
    }
}

static int at(int x, int y) {
    return y * 8 + x;
}

/* Core (7,1), memories a (0,2), b (5,4), c (2,4) in a mesh of 8 by 8. */
static void figure_of_the_paper(void **state) {
    struct emn_meet m = emn_find(8, at(7, 1), at(0, 2), at(5, 4));

    (void)state;
    assert_true(m.found);
    assert_int_equal(m.node, at(5, 2));
    /* a by yx: down to row 2, then along it; b by xy: along row 1 to column 5,
     * then down through (5,2) */
    assert_int_equal(m.pair, 2);
    /* (a, c): a by yx runs along row 2 and passes c's column */
    m = emn_find(8, at(7, 1), at(0, 2), at(2, 4));
    assert_int_equal(m.node, at(2, 2));
}

static void hand_worked_cases(void **state) {
    struct emn_meet m;

    (void)state;
    /* the same memory, also the core's own */
    m = emn_find(8, at(3, 3), at(6, 2), at(6, 2));
    assert_true(m.found && m.node == at(6, 2));
    m = emn_find(8, at(3, 3), at(3, 3), at(3, 3));
    assert_true(m.found && m.node == at(3, 3));
    /* one of two loads is at the core: the paths share only the core */
    assert_false(emn_find(8, at(3, 3), at(3, 3), at(6, 2)).found);
    assert_false(emn_find(8, at(3, 3), at(6, 2), at(3, 3)).found);
    /* opposite directions */
    assert_false(emn_find(8, at(3, 3), at(0, 3), at(6, 3)).found);
    assert_false(emn_find(8, at(3, 3), at(0, 0), at(6, 6)).found);
    /* a lies on the way to b: met at a, or anywhere between: a is first, as the
     * sums are equal all the way from a to b and a's path ends at a */
    m = emn_find(8, at(0, 3), at(3, 3), at(6, 3));
    assert_true(m.found && m.node == at(3, 3) && m.pair == 0);
    m = emn_find(8, at(0, 3), at(6, 3), at(3, 3));
    assert_true(m.found && m.node == at(3, 3) && m.pair == 0);
    /* one to the right, one below: the paths part at once */
    assert_false(emn_find(8, at(0, 0), at(2, 0), at(0, 2)).found);
    /* a (2,1), b (1,2) from (0,0).  (xy, xy): common (1,0), sum 2 + 2 = 4;
     * (xy, yx): none; (yx, xy): (1,1), sum 1 + 1 = 2; (yx, yx): (0,1), 4 */
    m = emn_find(8, at(0, 0), at(2, 1), at(1, 2));
    assert_true(m.found && m.node == at(1, 1) && m.pair == 2);
    /* a (2,2), b (1,1): (xy, xy): (1,0), sum 3 + 1 = 4; (xy, yx): none;
     * (yx, xy): none, a leaves the column only in row 2; (yx, yx): (0,1), 4:
     * the first of equal ones */
    m = emn_find(8, at(0, 0), at(2, 2), at(1, 1));
    assert_true(m.found && m.node == at(1, 0) && m.pair == 0);
}

/* The block -------------------------------------------------------------- */

static void answer_after_each_number_of_stages(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    for (int stages = 1; stages <= 3; stages++) {
        c.emn_stages = stages;
        open_unit(&u, &c);
        /* memory 5 is a (6,5), memory 6 is b (0,6) */
        ask(&u, 0x2a, at(1, 2), 5, 6);
        for (int i = 1; i < stages; i++) {
            edge(&u);
            u.in.req_valid = 0;
            assert_int_equal(u.out->ans_valid, 0);
            assert_int_equal(u.out->ans_id, 0);
        }
        edge(&u);
        u.in.req_valid = 0;
        assert_int_equal(u.out->ans_valid, 1);
        assert_int_equal(u.out->ans_id, 0x2a);
        assert_int_equal(u.out->ans_found, 1);
        assert_int_equal(u.out->ans_node, at(1, 5));
        edge(&u);
        assert_int_equal(u.out->ans_valid | u.out->ans_id | u.out->ans_found |
                             u.out->ans_node,
                         0);
        close_unit(&u);
    }
}

/* Any request on any edge, for every mesh of the presets and both forms: the
 * answers are those of the function, in order. */
static void streams_of_lookups(const struct config *c, uint64_t seed) {
    struct {
        bool valid;
        int id;
        struct emn_meet meet;
    } wanted[4] = {{0}};
    struct unit u;

    open_unit(&u, c);
    for (int i = 0; i < 3000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int core = (int)(seed >> 33) & ((1 << u.l.NODE_W) - 1);
        int mem0 = (int)(seed >> 43) & ((1 << u.l.MEM_W) - 1);
        int mem1 = (int)(seed >> 53) & ((1 << u.l.MEM_W) - 1);
        ask(&u, i & ((1 << u.l.ID_W) - 1), core, mem0, mem1);
        u.in.req_valid = seed >> 62 != 0;
        memmove(wanted + 1, wanted, 3 * sizeof wanted[0]);
        memset(wanted, 0, sizeof wanted[0]);
        wanted[0].valid = u.in.req_valid;
        wanted[0].id = (int)u.in.req_id;
        if (core < u.l.NODES && mem0 < u.l.MEMS && mem1 < u.l.MEMS &&
            (c->emn_core < 0 || core == c->emn_core))
            wanted[0].meet = by_coordinates(u.l.WIDTH, u.l.NODES, core,
                                            c->mesh_memory_nodes.v[mem0],
                                            c->mesh_memory_nodes.v[mem1]);
        edge(&u);
        int s = u.l.STAGES - 1;
        bool found = wanted[s].valid && wanted[s].meet.found;
        assert_int_equal(u.out->ans_valid, wanted[s].valid);
        assert_int_equal(u.out->ans_id, wanted[s].valid ? wanted[s].id : 0);
        assert_int_equal(u.out->ans_found, found);
        assert_int_equal(u.out->ans_node, found ? wanted[s].meet.node : 0);
    }
    close_unit(&u);
}

static void streams_equal_the_function(void **state) {
    static const char *const names[] = {"mesh", "mesh_checkerboard",
                                        "mesh_corners", "mesh_top_bottom",
                                        "small"};
    struct config c;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        c = preset(names[i]);
        for (int k = 0; k < 6; k++) {
            c.emn_form = k & 1;
            c.emn_stages = 1 + k % 3;
            c.emn_core = k < 4 ? -1 : 9;
            streams_of_lookups(&c, i * 6 + (uint64_t)k + 1);
        }
    }
}

static void numbers_outside_the_mesh(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    c.mesh_width = c.mesh_height = 3;
    c.mesh_memory_nodes = (struct int_list){.n = 3, .v = {0, 5, 7}};
    open_unit(&u, &c);
    look_up(&u, 1, 8, 2, 2);
    assert_true(u.out->ans_found && u.out->ans_node == 7);
    look_up(&u, 2, 9, 2, 2); /* no such node */
    assert_false(u.out->ans_found);
    assert_int_equal(u.out->ans_node, 0);
    look_up(&u, 3, 8, 3, 3); /* no such memory */
    assert_false(u.out->ans_found);
    look_up(&u, 4, 8, 0, 3);
    assert_false(u.out->ans_found);
    look_up(&u, 5, 8, 3, 0);
    assert_false(u.out->ans_found);
    assert_int_equal(counter(&u, EMN_CNT_same), 1);
    assert_int_equal(counter(&u, EMN_CNT_none), 4);
    assert_int_equal(covered(&u, EMN_COV_no_meet), 0); /* no paths at all */
    close_unit(&u);
}

static void one_core_only(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    c.emn_core = at(1, 2);
    for (int form = 0; form < 2; form++) {
        c.emn_form = form;
        open_unit(&u, &c);
        look_up(&u, 1, at(1, 2), 5, 6);
        assert_true(u.out->ans_found);
        look_up(&u, 2, at(7, 2), 2, 5);
        assert_false(u.out->ans_found);
        look_up(&u, 3, at(7, 2), 2, 2);
        assert_false(u.out->ans_found);
        close_unit(&u);
    }
}

static void counters_follow_the_answer(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    c.emn_stages = 2;
    open_unit(&u, &c);
    /* read lookups on every other edge around a single lookup */
    u.in.wb_cyc = 1;
    u.in.wb_adr = REG_FIRST + EMN_CNT_lookups;
    ask(&u, 1, at(1, 2), 5, 6);
    edge(&u);
    u.in.req_valid = 0;
    edge(&u);
    assert_int_equal(u.out->ans_valid, 1);
    u.in.wb_stb = 1;
    edge(&u); /* the edge that counts still reads the value before it */
    assert_int_equal(u.out->wb_dat_r, 0);
    u.in.wb_stb = u.in.wb_cyc = 0;
    edge(&u);
    assert_int_equal(counter(&u, EMN_CNT_lookups), 1);
    look_up(&u, 2, at(3, 3), 2, 2);
    look_up(&u, 3, at(2, 2), 2, 5); /* own memory and another: none */
    edge(&u);
    assert_int_equal(counter(&u, EMN_CNT_lookups), 3);
    assert_int_equal(counter(&u, EMN_CNT_met), 2);
    assert_int_equal(counter(&u, EMN_CNT_same), 1);
    assert_int_equal(counter(&u, EMN_CNT_none), 1);
    wishbone(&u, true, REG_CONTROL, 1);
    for (int i = 0; i < EMN_N_COUNTERS; i++)
        assert_int_equal(counter(&u, (enum emn_counter)i), 0);
    assert_int_equal(covered(&u, EMN_COV_counters_cleared), 1);
    assert_int_equal(covered(&u, EMN_COV_same_memory), 1);
    assert_int_equal(covered(&u, EMN_COV_meets_yx_yx), 1);
    assert_int_equal(covered(&u, EMN_COV_no_meet), 1);
    assert_int_equal(covered(&u, EMN_COV_from_memory), 1);
    close_unit(&u);
}

static void reset_empties_every_stage(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    c.emn_stages = 3;
    open_unit(&u, &c);
    ask(&u, 1, at(1, 2), 5, 6);
    for (int i = 0; i < 3; i++)
        edge(&u);
    assert_int_equal(u.out->ans_valid, 1);
    reset_edge(&u); /* the request of this edge is not taken */
    assert_int_equal(u.out->ans_valid | u.out->ans_id | u.out->ans_node, 0);
    u.in.req_valid = 0;
    for (int i = 0; i < 4; i++) {
        edge(&u);
        assert_int_equal(u.out->ans_valid, 0);
    }
    assert_int_equal(counter(&u, EMN_CNT_lookups), 0);
    close_unit(&u);
}

static void rhythm_is_covered(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    open_unit(&u, &c);
    for (int i = 0; i < 7; i++) {
        ask(&u, i, 1, 1, 2);
        u.in.req_valid = 0x33 >> i & 1; /* 1 1 0 0 1 1 0: no gap of one */
        edge(&u);
    }
    assert_int_equal(covered(&u, EMN_COV_back_to_back), 2);
    assert_int_equal(covered(&u, EMN_COV_gap), 0);
    u.in.req_valid = 1;
    edge(&u);
    assert_int_equal(covered(&u, EMN_COV_gap), 1);
    close_unit(&u);
}

static void inputs_are_masked_to_their_widths(void **state) {
    struct config c = preset("mesh");
    struct unit u;

    (void)state;
    open_unit(&u, &c);
    ask(&u, 0xfc5, 0xf00 | at(1, 2), 0xf5, 0xf6);
    u.in.req_valid = 3;
    edge(&u);
    assert_int_equal(u.out->ans_id, 5);
    assert_int_equal(u.out->ans_node, at(1, 5));
    u.in.req_valid = 2; /* bit 0 is low */
    edge(&u);
    assert_int_equal(u.out->ans_valid, 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(function_equals_the_coordinates),
        cmocka_unit_test(function_on_random_meshes),
        cmocka_unit_test(figure_of_the_paper),
        cmocka_unit_test(hand_worked_cases),
        cmocka_unit_test(answer_after_each_number_of_stages),
        cmocka_unit_test(streams_equal_the_function),
        cmocka_unit_test(numbers_outside_the_mesh),
        cmocka_unit_test(one_core_only),
        cmocka_unit_test(counters_follow_the_answer),
        cmocka_unit_test(reset_empties_every_stage),
        cmocka_unit_test(rhythm_is_covered),
        cmocka_unit_test(inputs_are_masked_to_their_widths),
    };

    return cmocka_run_group_tests_name("test_emn", tests, NULL, NULL);
}
