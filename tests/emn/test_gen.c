/* test_gen.c - what the generator knows of the mesh: meet nodes, the table
 * in the RTL, hops, reports and the drawing.
 *
 * The oracle here shares nothing with gen/emn/mesh.c: it never walks a
 * path, but asks of every node of the mesh whether it lies on one, and searches
 * all of them for the best (docs/blocks/emn.md, "The function").
 */
#include "output/emit.h"

#include "blocks/emn.h"
#include "emn/hops.h"
#include "ndpmesh/reports.h"
#include "tests/common/diag_capture.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- the oracle ---------------------------------------------------------- */

static bool within(int p, int from, int to) {
    return (from <= p && p <= to) || (to <= p && p <= from);
}

/* Whether p is on the path from c to t, first along x or first along y. */
static bool on_path(int width, int c, int t, bool y_first, int p) {
    int cx = c % width, cy = c / width, tx = t % width, ty = t / width;
    int px = p % width, py = p / width;
    int corner_x = y_first ? cx : tx, corner_y = y_first ? ty : cy;
    bool first = within(px, cx, corner_x) && within(py, cy, corner_y);
    bool second = within(px, corner_x, tx) && within(py, corner_y, ty);
    return first || second;
}

static int apart(int width, int p, int q) {
    return abs(p % width - q % width) + abs(p / width - q / width);
}

/* A walk meets the nodes in the order of their distance from the core, and no
 * two of a path are equally far. */
static int oracle(int width, int height, int c, int a, int b) {
    int best = -1, best_sum = 0;
    if (a == b)
        return a;
    for (int pair = 0; pair < 4; pair++)
        for (int far = 1; far < width + height; far++)
            for (int p = 0; p < width * height; p++) {
                int sum = apart(width, p, a) + apart(width, p, b);
                if (apart(width, p, c) == far &&
                    on_path(width, c, a, pair >= 2, p) &&
                    on_path(width, c, b, pair % 2, p) &&
                    (best < 0 || sum < best_sum)) {
                    best = p;
                    best_sum = sum;
                }
            }
    return best;
}

/* --- helpers ------------------------------------------------------------- */

static uint32_t random_below(uint64_t *state, uint32_t n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % n;
}

static struct config make_config(const char *const *sets) {
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    for (; *sets; sets++)
        assert_true(config_set(&c, *sets, &d));
    assert_true(mesh_answers(&c, &d));
    diag_free(&d);
    return c;
}

#define CONFIG(...) make_config((const char *const[]){__VA_ARGS__, NULL})

/* The answer of a report; the caller frees. */
typedef bool report_fn(const struct config *c, const char *arg,
                       struct text *out, struct diag *d);

static bool say_hops(const struct config *c, const char *arg, struct text *out,
                     struct diag *d) {
    return mesh_hops(c, arg, false, out, d);
}

static struct text ask(const struct config *c, report_fn *report,
                       const char *arg) {
    struct text out = {0};
    struct diag d = {0};
    assert_true(report(c, arg, &out, &d));
    assert_int_equal(d.errors, 0);
    diag_free(&d);
    return out;
}

static void refuses(const struct config *c, report_fn *report, const char *arg,
                    const char *expected) {
    struct text out = {0};
    struct diag d = {0};
    assert_false(report(c, arg, &out, &d));
    char *got = diag_captured(&d);
    assert_string_equal(got, expected);
    free(got);
    text_free(&out);
    diag_free(&d);
}

static int count(const char *s, const char *word) {
    int n = 0;
    for (; (s = strstr(s, word)); s += strlen(word))
        n++;
    return n;
}

static void emit_target(const struct iface *b, const struct config *c,
                        struct gen_files *f) {
    struct template_set s;
    struct diag d = {0};
    assert_true(iface_check(b, c, &d));
    struct design *design = design_make(b, c);
    const struct gen_job job = {
        .design = design, .prefix = "", .command = "ndpgen --target emn"};
    bool ok = templates_load(&s, NULL, &d) && emit_all(&job, &s, f, &d);
    diag_flush(&d, stderr);
    assert_true(ok);
    diag_free(&d);
    templates_free(&s);
    design_free(design);
}

static void emit(const struct config *c, struct gen_files *f) {
    emit_target(&emn_iface, c, f);
}

static const char *text_of(const struct gen_files *f, const char *path) {
    const struct gen_file *file = gen_files_find(f, path);
    if (!file)
        fail_msg("no file '%s'", path);
    return text_str(&file->text);
}

/* --- meet nodes ---------------------------------------------------------- */

/* Every core and pair of nodes of every mesh up to 5 x 5. */
static void test_small_meshes_exhaustively(void **state) {
    (void)state;
    for (int w = 1; w <= 5; w++)
        for (int h = 1; h <= 5; h++) {
            struct emn_mesh m = {w, h, NULL};
            for (int c = 0; c < w * h; c++)
                for (int a = 0; a < w * h; a++)
                    for (int b = 0; b < w * h; b++)
                        if (emn_meet(&m, c, a, b) != oracle(w, h, c, a, b))
                            fail_msg("%d x %d: core %d, %d and %d", w, h, c, a,
                                     b);
        }
}

/* Meshes of all sizes, also those that fill the longest path. */
static void test_large_meshes_at_random(void **state) {
    (void)state;
    uint64_t seed = 3;
    int none = 0, found = 0;
    for (int i = 0; i < 3000; i++) {
        int w = i % 50 ? 2 + (int)random_below(&seed, 31) : 32;
        int h = i % 50 ? 2 + (int)random_below(&seed, 31) : 32;
        uint32_t n = (uint32_t)(w * h);
        int c = (int)random_below(&seed, n), a = (int)random_below(&seed, n);
        int b = (int)random_below(&seed, n);
        struct emn_mesh m = {w, h, NULL};
        int meet = emn_meet(&m, c, a, b);
        if (meet != oracle(w, h, c, a, b))
            fail_msg("%d x %d: core %d, %d and %d", w, h, c, a, b);
        none += meet < 0;
        found += meet >= 0;
    }
    assert_true(none > 100 && found > 1000);
    struct emn_mesh m = {32, 32, NULL};
    assert_int_equal(emn_path(&m, 0, 1023, EMN_XY).n, EMN_MAX_PATH);
    assert_int_equal(emn_meet(&m, 0, 1023, 1022), 1022);
}

/* Rules that words of the note name one by one. */
static void test_rules(void **state) {
    (void)state;
    struct emn_mesh m = {4, 4, NULL};
    assert_int_equal(emn_meet(&m, 5, 5, 5), 5);   /* its own memory, twice */
    assert_int_equal(emn_meet(&m, 5, 5, 6), -1);  /* not the core's node */
    assert_int_equal(emn_meet(&m, 0, 3, 12), -1); /* they part at the core */
    assert_int_equal(emn_meet(&m, 0, 1, 3), 1);   /* one on the way */
    assert_int_equal(emn_meet(&m, 0, 5, 10), 1);  /* a tie: xy comes first */
    assert_int_equal(emn_meet(&m, 15, 10, 5), 14);
    assert_int_equal(emn_meet(&m, 0, 9, 14), 8); /* farther along y */
    assert_int_equal(emn_meet(&m, 0, 6, 11), 2); /* farther along x */
    assert_int_equal(emn_meet(&m, 0, 11, 6), 2);
    struct emn_path p = emn_path(&m, 13, 2, EMN_YX);
    const int expected[] = {13, 9, 5, 1, 2};
    assert_int_equal(p.n, 5);
    assert_memory_equal(p.node, expected, sizeof expected);
}

/* --- figures of the paper ------------------------------------------------ */

static void expect_hops(struct emn_chain k, int plain, int weighted,
                        int with_plain, int with_weighted) {
    struct config c = CONFIG("mesh.width=8");
    struct emn_mesh m = emn_mesh_of(&c);
    int meet = emn_meet(&m, k.core, k.a, k.b);
    struct emn_hops without = emn_hops_without(&m, &k);
    struct emn_hops with = emn_hops_offloaded(&m, &k, meet);
    assert_int_equal(without.plain, plain);
    assert_int_equal(without.weighted, weighted);
    assert_int_equal(with.plain, with_plain);
    assert_int_equal(with.weighted, with_weighted);
}

/* Section 3.1 and 3.2: three partitions (Figure 3), and one 8 hops away. */
static void test_scenarios_of_the_paper(void **state) {
    (void)state;
    struct emn_mesh m = {8, 8, NULL};
    int core = 1 * 8 + 7, a = 2 * 8 + 0, b = 4 * 8 + 5, c = 4 * 8 + 2;
    assert_int_equal(emn_meet(&m, core, a, b), 2 * 8 + 5);
    expect_hops((struct emn_chain){core, a, b, c}, 42, 126, 30, 78);
    assert_int_equal(emn_distance(&m, core, a), 8);
    expect_hops((struct emn_chain){core, a, a, a}, 48, 144, 16, 16);
}

/* The paper's own numbers, over the default placement: core 15 is node 17, its
 * memory nodes are counted apart.  Section 4: core 15 has none for 0 and 6. */
static void test_numbers_of_the_paper(void **state) {
    (void)state;
    struct config c = CONFIG("mesh.width=8");
    struct emn_mesh m = emn_mesh_of(&c);
    const int *llc = m.mems->v, core = 17;
    assert_int_equal(emn_meet(&m, core, llc[5], llc[6]), 41);
    expect_hops((struct emn_chain){core, llc[5], llc[6], llc[7]}, 42, 126, 30,
                78);
    assert_int_equal(emn_meet(&m, core, llc[5], llc[5]), llc[5]);
    expect_hops((struct emn_chain){core, llc[5], llc[5], llc[5]}, 48, 144, 16,
                16);
    assert_int_equal(emn_meet(&m, core, llc[0], llc[6]), -1);
    assert_int_equal(emn_core_number(&m, core), 15);
    assert_int_equal(emn_core_number(&m, 41), 36);
    assert_int_equal(emn_core_number(&m, llc[5]), -1);
}

/* Packet by packet: without a store the result itself travels; without a meet
 * node nothing changes. */
static void test_other_chains(void **state) {
    (void)state;
    int core = 15, a = 16, b = 37;
    /* 16 + 10 hops; 3 to the meet node and back, 2 * (5 + 2) from there */
    expect_hops((struct emn_chain){core, a, b, -1}, 26, 6 * 13, 20,
                3 + 6 * 7 + 5 * 3);
    struct config c = CONFIG("mesh.width=8");
    struct emn_mesh m = emn_mesh_of(&c);
    assert_int_equal(emn_meet(&m, 0, 3, 48), -1);
    expect_hops((struct emn_chain){0, 3, 48, 48}, 30, 90, 30, 90);
}

/* --- the table in the RTL ------------------------------------------------ */

/* Read the case items of ndp_emn_table.v back: node of each index, -1 none. */
static void read_case(const char *s, int *node, int n) {
    int items = 0;
    for (int i = 0; i < n; i++)
        node[i] = -1;
    int pending[4096], k = 0;
    const char *zero;
    s = strstr(s, "case (index)");
    assert_non_null(s);
    const char *end = strstr(s, "default:");
    for (; (s = strchr(s, '\'')) && s < end; s++) {
        int value = (int)strtol(s + 2, NULL, s[1] == 'h' ? 16 : 10);
        if (s[1] == 'h') {
            assert_true(k < 4096 && value < n);
            pending[k++] = value;
            items++;
            /* a full table lists what has no meet node, too */
            zero = strstr(s, "word <=");
            if (zero && zero < strchr(s + 1, '\'') &&
                strncmp(zero, "word <= {(NODE_W", 16) == 0)
                k = 0;
        } else if (s[1] == 'd') {
            for (; k > 0; k--) {
                assert_int_equal(node[pending[k - 1]], -1); /* listed once */
                node[pending[k - 1]] = value;
            }
        }
    }
    assert_int_equal(k, 0);
    assert_true(2 * items >= n); /* or Yosys takes it for gates, no memory */
}

static void check_table(const struct config *c, const char *path) {
    const struct int_list *mems = &c->mesh_memory_nodes;
    struct gen_files f = {0};
    emit(c, &f);
    int nodes = c->mesh_width * c->mesh_height;
    int node_w = clog2(nodes), mem_w = mems->n > 1 ? clog2(mems->n) : 1;
    int slots = 1 << mem_w, cores = c->emn_core < 0 ? 1 << node_w : 1;
    int n = cores * slots * slots;
    int *node = malloc((size_t)n * sizeof *node);
    assert_non_null(node);
    read_case(text_of(&f, path), node, n);
    for (int i = 0; i < n; i++) {
        int core = c->emn_core < 0 ? i >> 2 * mem_w : c->emn_core;
        int a = i >> mem_w & (slots - 1), b = i & (slots - 1);
        int expected = -1;
        if (core < nodes && a < mems->n && b < mems->n)
            expected = oracle(c->mesh_width, c->mesh_height, core, mems->v[a],
                              mems->v[b]);
        if (node[i] != expected)
            fail_msg("index %d: node %d, expected %d", i, node[i], expected);
    }
    free(node);
    gen_files_free(&f);
}

static void test_table_in_the_rtl(void **state) {
    (void)state;
    static const char table[] = "rtl/ndp_emn_table.v";
    struct config c = CONFIG("mesh.width=8");
    check_table(&c, table);
    c = CONFIG("mesh.width=2", "mesh.height=2", "mesh.memory_nodes=3");
    check_table(&c, table);
    c = CONFIG("mesh.width=5", "mesh.height=3", "mesh.memory_nodes=14,0,7");
    check_table(&c, table);
    /* sparse: most indices name nothing */
    c = CONFIG("mesh.width=3", "mesh.height=3", "mesh.memory_nodes=0,1,2,3,8");
    check_table(&c, table);
    c = CONFIG("mesh.height=7", "mesh.memory_nodes=9,50,3,20,11",
               "emn.core=20");
    check_table(&c, table);
    /* beside the comparators it is there for the proof */
    c = CONFIG("mesh.width=4", "mesh.height=4", "mesh.memory_nodes=1,2,8",
               "emn.form=logic");
    check_table(&c, "formal/ndp_emn_table.vh");
}

/* Append n distinct nodes below all, at random. */
static void add_nodes(struct text *out, int n, int all, uint64_t *seed) {
    bool taken[64] = {false};
    for (int i = 0; i < n; i++) {
        uint32_t node;
        do
            node = random_below(seed, (uint32_t)all);
        while (taken[node]);
        taken[node] = true;
        text_printf(out, "%s%d", i ? "," : "", (int)node);
    }
}

static void test_random_placements(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int run = 0; run < 12; run++) {
        struct text width = {0}, height = {0}, nodes = {0};
        int w = 2 + (int)random_below(&seed, 7);
        int h = 2 + (int)random_below(&seed, 7);
        int n = 1 + (int)random_below(&seed, w * h < 9 ? 4 : 9);
        text_printf(&width, "mesh.width=%d", w);
        text_printf(&height, "mesh.height=%d", h);
        text_add(&nodes, "mesh.memory_nodes=");
        add_nodes(&nodes, n, w * h, &seed);
        struct config c =
            CONFIG(text_str(&width), text_str(&height), text_str(&nodes));
        check_table(&c, "rtl/ndp_emn_table.v");
        text_free(&width);
        text_free(&height);
        text_free(&nodes);
    }
}

/* The largest table, of 2^16 entries, comes out; a large one of logic not. */
static void test_large_meshes_are_emitted(void **state) {
    (void)state;
    struct gen_files f = {0};
    struct config c = CONFIG("mesh.width=32", "mesh.height=32",
                             "mesh.memory_nodes=0,1,2,3,4,5,14,1023");
    struct design *d = design_make(&emn_iface, &c);
    assert_int_equal(d->memory[0].words, 1 << 16);
    design_free(d);
    emit(&c, &f);
    assert_non_null(strstr(text_of(&f, "rtl/ndp_emn_table.v"), "16'hffff"));
    gen_files_free(&f);
    c = CONFIG("mesh.width=32", "mesh.height=32", "emn.form=logic");
    emit(&c, &f);
    assert_non_null(gen_files_find(&f, "rtl/ndp_emn_logic.v"));
    assert_null(gen_files_find(&f, "formal/ndp_emn_table.vh"));
    assert_null(gen_files_find(&f, "rtl/ndp_emn_table.v"));
    gen_files_free(&f);
}

/* A LIST is an array in templates, numbers in the header, a list in the sheet
 * and the manifest; blocks that do not look at it do not show it. */
static void test_list_in_the_files(void **state) {
    (void)state;
    struct gen_files f = {0};
    struct config c = CONFIG("mesh.memory_nodes=9,2,40");
    emit(&c, &f);
    assert_non_null(
        strstr(text_of(&f, "rtl/ndp_emn.v"), "\n//     9, 2, 40\n"));
    const char *header = text_of(&f, "ndp_emn.h");
    assert_non_null(strstr(header, "#define NDP_EMN_CFG_MESH_MEMORY_NODES_N 3\n"
                                   "#define NDP_EMN_CFG_MESH_MEMORY_NODES_0 9\n"
                                   "#define NDP_EMN_CFG_MESH_MEMORY_NODES_1 2\n"
                                   "#define NDP_EMN_CFG_MESH_MEMORY_NODES_2 "
                                   "40\n"));
    assert_null(strstr(header, "NODES_3"));
    assert_non_null(strstr(text_of(&f, "ndp_emn.md"),
                           "| `mesh.memory_nodes` | [9, 2, 40] | "));
    json_t *root = json_loads(text_of(&f, "manifest.json"), 0, NULL);
    json_t *list = json_object_get(json_object_get(root, "parameters"),
                                   "mesh.memory_nodes");
    assert_int_equal(json_array_size(list), 3);
    assert_int_equal(json_integer_value(json_array_get(list, 2)), 40);
    json_decref(root);
    gen_files_free(&f);
    emit_target(iface_find("nbu"), &c, &f);
    assert_null(strstr(text_of(&f, "ndp_nbu.h"), "MESH"));
    assert_non_null(strstr(text_of(&f, "ndp_nbu.h"), "CFG_REGS_COUNTER_BITS"));
    gen_files_free(&f);
}

/* --- data sheet ---------------------------------------------------------- */

/* The sheet counts the lookups without a meet node as the oracle does. */
static void check_sheet(const struct config *c, const char *row) {
    const struct int_list *mems = &c->mesh_memory_nodes;
    struct gen_files f = {0};
    struct text line = {0};
    int none = 0, all = 0;
    for (int core = 0; core < 64; core++) {
        bool memory = false;
        for (int i = 0; i < mems->n; i++)
            memory = memory || mems->v[i] == core;
        for (int i = 0; i < mems->n * mems->n && !memory; i++, all++)
            none += oracle(8, 8, core, mems->v[i / mems->n],
                           mems->v[i % mems->n]) < 0;
    }
    emit(c, &f);
    const char *sheet = text_of(&f, "ndp_emn.md");
    assert_non_null(strstr(sheet, "## Placement\n"));
    assert_non_null(strstr(sheet, row));
    text_printf(&line, "\n| all | %d | 100 %% |\n", all);
    assert_non_null(strstr(sheet, text_str(&line)));
    line.len = 0;
    text_printf(&line, "\n| none | %d | ", none);
    assert_non_null(strstr(sheet, text_str(&line)));
    text_free(&line);
    gen_files_free(&f);
}

static void test_placement_in_the_datasheet(void **state) {
    (void)state;
    struct gen_files f = {0};
    struct config c = CONFIG("mesh.width=8");
    check_sheet(&c, "\n      .  .  .  0  .  .  .  .\n");
    c = CONFIG("mesh.memory_nodes=0,9,63,56");
    check_sheet(&c, "\n      .  1  .  .  .  .  .  .\n");
    /* every node a memory: no core is left to speak of */
    c = CONFIG("mesh.width=2", "mesh.height=2", "mesh.memory_nodes=0,1,2,3");
    emit(&c, &f);
    assert_non_null(strstr(text_of(&f, "ndp_emn.md"), "## Placement\n"));
    assert_null(strstr(text_of(&f, "ndp_emn.md"), "| offloaded |"));
    gen_files_free(&f);
}

/* --- reports ------------------------------------------------------------- */

static struct text table(const struct config *c) {
    struct text out = {0};
    mesh_table(c, &out);
    return out;
}

static void test_print_table(void **state) {
    (void)state;
    struct config c = CONFIG("mesh.width=8");
    const struct int_list *mems = &c.mesh_memory_nodes;
    struct text t = table(&c);
    const char *s = text_str(&t);
    int lines = 0, used = 0, core, a, b, before = -1;
    char word[16];
    for (; sscanf(s, "%d %d %d %15s%n", &core, &a, &b, word, &used) == 4;
         s += used + 1, lines++) {
        int expected = oracle(8, 8, core, a, b);
        assert_int_equal(a, mems->v[lines / 8 % 8]);
        assert_int_equal(b, mems->v[lines % 8]);
        assert_true(core >= before);
        before = core;
        if (expected < 0)
            assert_string_equal(word, "-");
        else
            assert_int_equal(atoi(word), expected);
        assert_int_equal(s[used], '\n');
        for (int i = 0; i < mems->n; i++)
            assert_int_not_equal(core, mems->v[i]);
    }
    assert_int_equal(*s, '\0');
    assert_int_equal(lines, 56 * 64); /* cores by pairs of memory nodes */
    assert_non_null(strstr(text_str(&t), "\n17 46 48 41\n"));
    text_free(&t);
    c = CONFIG("mesh.width=8", "emn.core=3"); /* a memory node, but asked for */
    t = table(&c);
    assert_int_equal(count(text_str(&t), "\n"), 64);
    assert_int_equal(strncmp(text_str(&t), "3 3 3 3\n3 3 13 -\n", 17), 0);
    text_free(&t);
}

static void test_hops_report(void **state) {
    (void)state;
    struct config c = CONFIG("mesh.width=8");
    struct text t = ask(&c, say_hops, "17,46,48,60");
    assert_string_equal(text_str(&t),
                        "chain      c = f(a, b)\n"
                        "core       node 17 at (1, 2), core 15\n"
                        "load a     node 46 at (6, 5), memory 5\n"
                        "load b     node 48 at (0, 6), memory 6\n"
                        "store c    node 60 at (4, 7), memory 7\n"
                        "meet node  node 41 at (1, 5), core 36\n\n"
                        "                    hops  weighted\n"
                        "without offloading    42       126\n"
                        "with offloading       30        78\n"
                        "saved               29 %      38 %\n");
    text_free(&t);
    t = ask(&c, say_hops, "0,3,48");
    assert_non_null(strstr(text_str(&t), "chain      register = f(a, b)\n"));
    assert_non_null(strstr(text_str(&t), "meet node  none, the loads go out"));
    assert_non_null(
        strstr(text_str(&t), "saved                0 %       0 %\n"));
    text_free(&t);
    t = ask(&c, say_hops, "3,3,3,3"); /* no hops at all */
    assert_non_null(
        strstr(text_str(&t), "with offloading        0         0\n"));
    text_free(&t);
}

static void test_bad_nodes(void **state) {
    (void)state;
    struct config c = CONFIG("mesh.width=8", "mesh.memory_nodes=1,6");
    static const char *const words[] = {
        "",        "15",    "15,1",   "15,1,",  "a,1,6",
        "15,1,6,", "15,,6", "-1,1,6", "15 1 6", "15,1,6,1,1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct text expected = {0};
        text_printf(&expected,
                    "error: '--hops' expects CORE,A,B or CORE,A,B,C as node "
                    "numbers, got '%s'\n",
                    words[i]);
        refuses(&c, say_hops, words[i], text_str(&expected));
        text_free(&expected);
    }
    refuses(&c, mesh_picture, "15,1,6,1",
            "error: '--picture' expects CORE,A,B as node numbers, got "
            "'15,1,6,1'\n");
    refuses(
        &c, say_hops, "64,1,99999999999999999999",
        "error: node 64, the core, is outside the mesh of 64 nodes\n"
        "error: node 1048576, of load b, is outside the mesh of 64 nodes\n");
    refuses(&c, say_hops, "15,2,6,3",
            "error: node 2, of load a, has no memory, expected one of "
            "'mesh.memory_nodes': 1, 6\n"
            "error: node 3, of store c, has no memory, expected one of "
            "'mesh.memory_nodes': 1, 6\n");
    c = CONFIG("mesh.width=8", "emn.core=3");
    refuses(&c, mesh_picture, "4,3,13",
            "error: 'emn.core' is 3, so core 4 has no meet nodes\n");
}

/* A mesh whose table no hardware would hold can be asked about all the same;
 * one that has not got its memory nodes cannot. */
static void test_reports_of_large_meshes(void **state) {
    (void)state;
    struct diag d = {0};
    struct config c = CONFIG("mesh.width=20", "mesh.height=20",
                             "mesh.memory_nodes=0,1,2,3,4,5,6,7,8,9,10,11,399");
    assert_false(iface_check(&emn_iface, &c, &d));
    struct text t = ask(&c, say_hops, "100,0,5");
    assert_non_null(
        strstr(text_str(&t), "\nmeet node  node 0 at (0, 0), memory 0\n"));
    text_free(&t);
    t = table(&c);
    assert_int_equal(count(text_str(&t), "\n"), (400 - 13) * 13 * 13);
    text_free(&t);
    t = ask(&c, mesh_picture, "100,0,399");
    text_free(&t);
    assert_true(config_set(&c, "mesh.height=19", &d));
    assert_false(mesh_answers(&c, &d));
    diag_free(&d);
}

/* --- the drawing --------------------------------------------------------- */

static void test_picture(void **state) {
    (void)state;
    struct config c = CONFIG("mesh.width=8");
    struct text t = ask(&c, mesh_picture, "17,46,48");
    const char *s = text_str(&t);
    assert_int_equal(strncmp(s, "<svg xmlns=", 11), 0);
    assert_string_equal(s + t.len - 7, "</svg>\n");
    assert_int_equal(count(s, "<g"), count(s, "</g>"));
    assert_int_equal(count(s, "<text"), count(s, "</text>"));
    /* 16 links, two paths to each memory, four lines of the legend */
    assert_int_equal(count(s, "<path"), 16 + 4 + 4);
    assert_int_equal(count(s, "dasharray"), 2 + 2);
    /* a ring for each shared node but the meet node, and in the legend */
    int rings = 0;
    for (int p = 0; p < 64; p++) {
        bool a = on_path(8, 17, 46, 0, p) || on_path(8, 17, 46, 1, p);
        bool b = on_path(8, 17, 48, 0, p) || on_path(8, 17, 48, 1, p);
        rings += a && b && p != 17 && p != 41;
    }
    assert_true(rings > 0);
    assert_int_equal(
        count(s, "fill=\"white\" stroke=\"#009e73\" stroke-width=\"3\""),
        rings + 1);
    assert_non_null(strstr(s, "earliest meet node 41 at (1, 5)</text>"));
    text_free(&t);
    /* a straight way is one path; no meet node, no number */
    t = ask(&c, mesh_picture, "0,3,48");
    assert_int_equal(count(text_str(&t), "<path"), 16 + 2 + 4);
    assert_non_null(strstr(text_str(&t), ">no meet node</text>"));
    text_free(&t);
}

static void test_pictures_of_all_sizes(void **state) {
    (void)state;
    struct config c =
        CONFIG("mesh.width=2", "mesh.height=2", "mesh.memory_nodes=3");
    struct text t = ask(&c, mesh_picture, "0,3,3");
    assert_int_equal(count(text_str(&t), "<circle"), 3 + 3);
    text_free(&t);
    c = CONFIG("mesh.width=32", "mesh.height=32");
    t = ask(&c, mesh_picture, "1023,3,60");
    assert_int_equal(count(text_str(&t), "<circle"), 1024 - 8 + 3);
    text_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_meshes_exhaustively),
        cmocka_unit_test(test_large_meshes_at_random),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_scenarios_of_the_paper),
        cmocka_unit_test(test_numbers_of_the_paper),
        cmocka_unit_test(test_other_chains),
        cmocka_unit_test(test_table_in_the_rtl),
        cmocka_unit_test(test_random_placements),
        cmocka_unit_test(test_large_meshes_are_emitted),
        cmocka_unit_test(test_list_in_the_files),
        cmocka_unit_test(test_placement_in_the_datasheet),
        cmocka_unit_test(test_print_table),
        cmocka_unit_test(test_hops_report),
        cmocka_unit_test(test_bad_nodes),
        cmocka_unit_test(test_reports_of_large_meshes),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_pictures_of_all_sizes),
    };
    return cmocka_run_group_tests_name("test_emn_gen", tests, NULL, NULL);
}
