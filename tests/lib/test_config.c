/* test_config.c - the parameter table, presets, YAML files, --set, the echo and
 * the hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/choice.h"
#include "config/config.h"
#include "tests/common/diag_capture.h"
#include "shared/mesh.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Apply a file to the defaults; what it prints, the caller frees. */
static char *apply(struct config *c, const char *text, size_t len, bool *ok) {
    struct source s = source_of("c.yml", text, len);
    struct diag d = {0};
    config_defaults(c);
    *ok = config_yaml(c, &s, &d);
    char *got = diag_captured(&d);
    diag_free(&d);
    return got;
}

/* A good file. */
static struct config yaml(const char *text) {
    struct config c;
    bool ok;
    char *got = apply(&c, text, strlen(text), &ok);
    assert_string_equal(got, "");
    assert_true(ok);
    free(got);
    return c;
}

/* A bad file: its messages contain expected, and nothing is changed. */
static void bad_yaml_n(const char *text, size_t len, const char *expected) {
    struct config c, defaults;
    bool ok;
    char *got = apply(&c, text, len, &ok);
    config_defaults(&defaults);
    if (!strstr(got, expected))
        fail_msg("expected '%s' in\n%s", expected, got);
    assert_false(ok);
    assert_memory_equal(&c, &defaults, sizeof c);
    free(got);
}

static void bad_yaml(const char *text, const char *expected) {
    bad_yaml_n(text, strlen(text), expected);
}

static void set(struct config *c, const char *assignment) {
    struct diag d = {0};
    if (!config_set(c, assignment, &d))
        fail_msg("'%s' was refused", assignment);
    assert_int_equal(d.errors, 0);
    diag_free(&d);
}

static void bad_set(const char *assignment, const char *expected) {
    struct config c, defaults;
    struct diag d = {0};
    config_defaults(&c);
    config_defaults(&defaults);
    assert_false(config_set(&c, assignment, &d));
    char *got = diag_captured(&d);
    assert_string_equal(got, expected);
    assert_memory_equal(&c, &defaults, sizeof c);
    free(got);
    diag_free(&d);
}

/* Every parameter is chosen. */
static bool all(const void *ctx, const struct param *p) {
    (void)ctx;
    (void)p;
    return true;
}

/* Those of one section are. */
static bool of_section(const void *ctx, const struct param *p) {
    const char *section = ctx;
    return strncmp(p->key, section, strlen(section)) == 0 &&
           p->key[strlen(section)] == '.';
}

static void test_table_is_consistent(void **state) {
    (void)state;
    const struct param *p;
    int n = 0;
    for (; (p = config_param(n)); n++) {
        assert_true(strchr(p->key, '.') && strlen(p->key) < 64);
        for (const char *k = p->key; *k; k++)
            assert_true(islower(*k) || isdigit(*k) || *k == '_' || *k == '.');
        assert_true(*p->doc && !strpbrk(p->doc, "\n"));
        assert_ptr_equal(config_find(p->key), p); /* no key twice */
        if (p->type == PARAM_INT || p->type == PARAM_POW2)
            assert_true(*p->unit && p->min <= p->max);
        for (int i = 0; p->type == PARAM_SET && p->element(i); i++)
            assert_true(i < 32);
        assert_true(p->type != PARAM_LIST || p->min <= p->max);
    }
    assert_true(n > 0);
    assert_null(config_param(-1));
    assert_null(config_find("nbu"));
}

/* Sections stand together, or the echo would open one twice. */
static void test_sections_are_contiguous(void **state) {
    (void)state;
    struct config c;
    struct text echo = {0};
    config_defaults(&c);
    config_echo(&c, all, NULL, &echo);
    yaml(text_str(&echo)); /* a section twice is an error */
    text_free(&echo);
}

static void test_defaults_are_legal(void **state) {
    (void)state;
    struct config c;
    const struct param *p;
    config_defaults(&c);
    for (int i = 0; (p = config_param(i)); i++) {
        struct text t = {0};
        text_printf(&t, "%s=", p->key);
        config_value(&c, p, &t);
        set(&c, text_str(&t));
        text_free(&t);
    }
    assert_int_equal(c.nbu_warps, 48);
    assert_int_equal(c.nbu_lanes, 32);
    assert_int_equal(c.nbu_tsv_width, 1024 / 16); /* MPU, Table II */
    assert_int_equal(c.nbu_far_set, OPCLASS_FAR_DEFAULT);
    assert_int_equal(c.mesh_memory_nodes.n, 8); /* opportunistic, Figure 1 */
}

static void test_presets(void **state) {
    (void)state;
    struct config c, defaults;
    struct diag d = {0};
    config_defaults(&defaults);
    for (int i = 0; config_preset_name(i); i++) {
        assert_true(config_preset(&c, config_preset_name(i), &d));
        assert_non_null(config_preset_text(i));
    }
    assert_null(config_preset_text(-1));
    assert_true(config_preset(&c, "small", &d));
    assert_int_equal(c.nbu_warps, 8);
    assert_int_equal(c.nbu_registers, 16);
    assert_int_equal(c.nbu_lanes, 8);
    assert_int_equal(c.nbu_tsv_width, 16);
    assert_int_equal(c.regs_counter_bits, 16);
    assert_int_equal(c.nbu_far_set, defaults.nbu_far_set);
    assert_true(config_preset(&c, "chopim", &d)); /* it starts afresh */
    assert_memory_equal(&c, &defaults, sizeof c);
    assert_false(config_preset(&c, "smal", &d));
    assert_false(config_preset(&c, "blurb", &d));
    assert_memory_equal(&c, &defaults, sizeof c);
    char *got = diag_captured(&d);
    assert_string_equal(
        got, "error: unknown preset 'smal', did you mean 'small'\n"
             "error: unknown preset 'blurb', expected one of "
             "'backend', 'backend_small', 'banked', 'banked_small', "
             "'broker_small', 'cached', 'cached_mesh', 'cached_mesh_small', "
             "'cached_mesh_tiny', 'cached_small', "
             "'chained', 'chained_bound', 'chained_paper', "
             "'chained_small', 'chopim', 'cluster', "
             "'cluster_small', 'cluster_tiny', "
             "'concurrent', 'concurrent_small', "
             "'ddr4_2400', 'ddr4_3200', 'image', "
             "'image_mesh', 'image_mesh_small', "
             "'image_mesh_tiny', 'image_small', 'image_tiny', "
             "'jobs_small', 'mesh', "
             "'mesh_checkerboard', 'mesh_corners', "
             "'mesh_top_bottom', 'mpu', 'mpu_base', "
             "'mpu_base_small', 'mpu_base_tiny', 'mpu_core', "
             "'mpu_core_small', 'mpu_core_tiny', 'mpu_mesh', "
             "'mpu_mesh_small', 'mpu_mesh_tiny', 'near_bank', "
             "'near_bank_small', 'omni', 'plain', 'small', "
             "'stacks', 'stacks_small', 'stacks_tiny', "
             "'tiny', 'tom'\n");
    free(got);
    diag_free(&d);
}

static bool equals(const struct int_list *list, const int *v, int n) {
    if (list->n != n)
        return false;
    for (int i = 0; i < 64; i++)
        if (list->v[i] != (i < n ? v[i] : 0))
            return false;
    return true;
}

#define LIST_IS(list, ...)                                                     \
    equals(&(list), (const int[]){__VA_ARGS__},                                \
           (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))

/* The placements have eight memory nodes each, inside the mesh, all different
 * from one another. */
static void test_placements(void **state) {
    (void)state;
    static const char *const names[] = {"mesh", "mesh_top_bottom",
                                        "mesh_corners", "mesh_checkerboard"};
    struct config c[4], defaults;
    struct diag d = {0};
    config_defaults(&defaults);
    for (int i = 0; i < 4; i++) {
        assert_true(config_preset(&c[i], names[i], &d));
        assert_int_equal(c[i].mesh_memory_nodes.n, 8);
        assert_true(mesh_check(&c[i], &d));
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(&c[i].mesh_memory_nodes,
                                    &c[k].mesh_memory_nodes,
                                    sizeof(struct int_list));
    }
    assert_memory_equal(&c[0], &defaults, sizeof defaults);
    assert_true(LIST_IS(c[2].mesh_memory_nodes, 0, 1, 6, 7, 56, 57, 62, 63));
    assert_true(config_preset(&c[0], "small", &d));
    assert_true(LIST_IS(c[0].mesh_memory_nodes, 1, 7, 8, 14));
    diag_free(&d);
}

/* What mesh_check says of a file and --set over a preset (NULL: none); source
 * lives as long as the diag. */
static void check_mesh(const char *preset, const char *file, const char *set,
                       const char *expected) {
    struct source s = source_of("c.yml", file, strlen(file));
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    if (preset)
        assert_true(config_preset(&c, preset, &d));
    assert_true(config_yaml(&c, &s, &d));
    if (*set)
        assert_true(config_set(&c, set, &d));
    bool fits =
        mesh_check(&c, &d) && mesh_check_node(&c, &d, "emn.core", c.emn_core);
    assert_int_equal(fits, !*expected);
    char *got = diag_captured(&d);
    assert_int_equal(strncmp(got, expected, strlen(expected)), 0);
    assert_true(*expected || !*got);
    free(got);
    diag_free(&d);
}

/* The place of the message is the key that was given last. */
static void test_memory_nodes_fit(void **state) {
    (void)state;
    static const char list[] = "mesh:\n  memory_nodes: [0, 7, 23]\n";
    check_mesh(NULL, list, "", "");
    check_mesh(NULL, list, "mesh.height=3", "");
    check_mesh("small", "", "", "");
    check_mesh("small", list, "",
               "c.yml:2:3: error: 'mesh.memory_nodes' lists 23, expected nodes "
               "0 to 15 of the mesh of 4 x 4 ('mesh.width', 'mesh.height')\n");
    check_mesh(NULL, list, "mesh.height=2",
               "--set mesh.height=2: error: 'mesh.memory_nodes' lists 23, "
               "expected nodes 0 to 15 of the mesh of 8 x 2 ");
    check_mesh("small", "", "mesh.memory_nodes=3,44,16,9,1023",
               "--set mesh.memory_nodes=3,44,16,9,1023: error: "
               "'mesh.memory_nodes' lists 44, 16 and 1023, expected nodes");
    check_mesh(NULL, "mesh: {width: 4}", "nbu.warps=4",
               "c.yml:1:8: error: 'mesh.memory_nodes' lists 36, 46, 48 and 60, "
               "expected nodes 0 to 31 of the mesh of 4 x 8 ('mesh.width', "
               "'mesh.height'); give a list, this is the default, for 8 x 8\n");
    check_mesh(NULL, "emn.core: 63", "", "");
    check_mesh(NULL, "emn.core: 64", "",
               "c.yml:1:1: error: 'emn.core' is 64, expected a node 0 to 63");
}

/* A preset starts afresh: what was given before it is not to blame. */
static void test_places_of_what_was_given(void **state) {
    (void)state;
    struct config c;
    struct diag d = {0};
    config_defaults(&c);
    config_error(&d, "'nbu.lanes' is odd");
    assert_true(config_set(&c, "nbu.lanes=4", &d));
    config_error(&d, "'nbu.lanes' is odd");
    config_error(&d, "nbu.lanes, not quoted");
    assert_false(config_set(&c, "nbu.lanes=5", &d)); /* refused: not given */
    config_error(&d, "'nbu.lanes' is odd");
    assert_true(config_preset(&c, "tom", &d));
    config_error(&d, "'nbu.lanes' is odd");
    assert_true(config_preset(&c, "small", &d));
    config_error(&d, "'nbu.lanes' is odd");
    char *got = diag_captured(&d);
    assert_non_null(strstr(got,
                           "error: 'nbu.lanes' is odd\n"
                           "--set nbu.lanes=4: error: 'nbu.lanes' is odd\n"
                           "error: nbu.lanes, not quoted\n"
                           "--set nbu.lanes=5: error: 'nbu.lanes' is 5, "));
    assert_non_null(strstr(got, "\n--set nbu.lanes=4: error: 'nbu.lanes' is "
                                "odd\nerror: 'nbu.lanes' is odd\npreset "
                                "'small':"));
    free(got);
    diag_free(&d);
}

static void test_preset_titles(void **state) {
    (void)state;
    for (int i = 0; config_preset_name(i); i++) {
        struct text title = {0};
        config_preset_title(i, &title);
        assert_true(title.len > 10 && title.len < 65);
        text_free(&title);
    }
}

/* [0, 1, ..., n-1], as a file or for --set. */
static void add_numbers(struct text *out, const char *before, int n) {
    text_printf(out, "%s[", before);
    for (int i = 0; i < n; i++)
        text_printf(out, "%s%d", i ? ", " : "", i);
    text_add(out, "]");
}

static void test_lists(void **state) {
    (void)state;
    struct config c = yaml("mesh: {memory_nodes: [5, 0x3, 1023]}");
    assert_true(LIST_IS(c.mesh_memory_nodes, 5, 3, 1023)); /* in this order */
    c = yaml("mesh:\n  memory_nodes:\n  - 7\n  - 2\n");
    assert_true(LIST_IS(c.mesh_memory_nodes, 7, 2));
    set(&c, "mesh.memory_nodes=[1,2]");
    assert_true(LIST_IS(c.mesh_memory_nodes, 1, 2));
    set(&c, "mesh.memory_nodes= 9 , 4,0");
    assert_true(LIST_IS(c.mesh_memory_nodes, 9, 4, 0));
    set(&c, "mesh.memory_nodes=63");
    assert_true(LIST_IS(c.mesh_memory_nodes, 63));
    struct text most = {0};
    add_numbers(&most, "mesh.memory_nodes: ", 64);
    c = yaml(text_str(&most));
    assert_int_equal(c.mesh_memory_nodes.n, 64);
    assert_int_equal(c.mesh_memory_nodes.v[63], 63);
    most.len = 0;
    add_numbers(&most, "mesh.memory_nodes: ", 65);
    bad_yaml(text_str(&most), "'mesh.memory_nodes' lists more than 64 numbers");
    text_free(&most);
}

/* Each message points to the element that is wrong. */
static void test_bad_lists(void **state) {
    (void)state;
    bad_yaml("mesh:\n  memory_nodes: [1, 1024]\n",
             "c.yml:2:21: error: 'mesh.memory_nodes' lists 1024, expected 0 to "
             "1023\n      memory_nodes: [1, 1024]\n"
             "                        ^~~~\n");
    bad_yaml("mesh.memory_nodes: [0, -1]", "1:24: error: 'mesh.memory_nodes' "
                                           "lists -1, expected 0 to 1023");
    bad_yaml("mesh.memory_nodes: [4, 5, 0x4]",
             "1:27: error: 'mesh.memory_nodes' lists 0x4 twice");
    bad_yaml(
        "mesh.memory_nodes: [4, many]",
        "1:24: error: 'mesh.memory_nodes' lists whole numbers, got 'many'");
    bad_yaml("mesh.memory_nodes: [4, '5']", "1:24: error: 'mesh.memory_nodes' "
                                            "lists whole numbers, got '5' in "
                                            "quotes");
    bad_yaml("mesh.memory_nodes: [4, 010]", "got '010', which might be octal");
    bad_yaml("mesh.memory_nodes: [4, 5.0]", "whole numbers, got '5.0'");
    bad_yaml("mesh.memory_nodes: [[4]]", "whole numbers, got a list");
    bad_yaml("mesh.memory_nodes: [{a: 4}]", "whole numbers, got a mapping");
    bad_yaml("mesh.memory_nodes:\n- 4\n-\n- 5", "whole numbers, got nothing");
    bad_yaml("mesh.memory_nodes: []", "1:20: error: 'mesh.memory_nodes' lists "
                                      "nothing, expected at least one number");
    bad_yaml("mesh.memory_nodes: 4", "'mesh.memory_nodes' expects a list of "
                                     "whole numbers such as [1, 2], got '4'");
    bad_yaml("mesh.memory_nodes:", "expects a list of whole numbers");
    bad_yaml("mesh.memory_nodes: {a: 4}", "[1, 2], got a mapping");
    const char *both = "mesh.memory_nodes: [x, 4, 4]";
    bad_yaml(both, "1:21: error");
    bad_yaml(both, "1:27: error");
}

static void test_yaml_forms(void **state) {
    (void)state;
    struct config c =
        yaml("# a comment\n---\nnbu:\n  warps: 0x10\n  policy: 'near'\n"
             "  far_set: [branch, \"atomic\"]\nregs.counter_bits: 8\n...\n");
    assert_int_equal(c.nbu_warps, 16);
    assert_int_equal(c.nbu_policy, 2);
    assert_int_equal(c.nbu_far_set, 1u << OPC_branch | 1u << OPC_atomic);
    assert_int_equal(c.regs_counter_bits, 8);
    c = yaml("nbu: {warps: 8, far_set: []}\r\nnbu.lanes: 4\r\n");
    assert_int_equal(c.nbu_warps, 8);
    assert_int_equal(c.nbu_far_set, 0);
    assert_int_equal(c.nbu_lanes, 4);
    struct config defaults = yaml("");
    const char *const same[] = {"# nothing", "---\n",   "{}",
                                "nbu:\n",    "nbu: {}", "\xef\xbb\xbfnbu:\n"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        c = yaml(same[i]);
        assert_memory_equal(&c, &defaults, sizeof c);
    }
}

static void test_preset_key_comes_first_wherever_it_stands(void **state) {
    (void)state;
    struct config c = yaml("nbu:\n  warps: 4\npreset: small\n");
    assert_int_equal(c.nbu_warps, 4);
    assert_int_equal(c.nbu_lanes, 8);
    bad_yaml("preset: smal\n", "c.yml:1:9: error: unknown preset 'smal', "
                               "did you mean 'small'\n");
    bad_yaml("preset: [small]", "'preset' expects a name, got a list");
    bad_yaml("preset:\n", "'preset' expects a name, got nothing");
    bad_yaml("preset: mpu\npreset: small", "2:1: error: duplicate key");
    bad_yaml("nbu: {preset: small}", "unknown key 'nbu.preset'");
}

static void test_unknown_keys(void **state) {
    (void)state;
    bad_yaml("nbu:\n  wraps: 8\n",
             "c.yml:2:3: error: unknown key 'nbu.wraps', did you mean "
             "'nbu.warps'\n      wraps: 8\n      ^~~~~\n");
    bad_yaml("lsu_burst: 8\n", "1:1: error: unknown key 'lsu_burst', did you "
                               "mean 'nbu.lsu_burst'\n");
    bad_yaml("warps: 8\n", /* of more than one section */
             "1:1: error: unknown key 'warps', see --list-params\n");
    bad_yaml("nub:\n  warps: 8\n",
             "1:1: error: unknown section 'nub', did you mean 'nbu'\n");
    bad_yaml("kitchen: {ways: 4}",
             "unknown section 'kitchen', see --list-params");
    bad_yaml("kitchen: 4", "unknown key 'kitchen', see --list-params");
    bad_yaml("nbu: 4", "1:6: error: 'nbu' is a section, expected parameters");
    bad_yaml("nbu: [4]", "'nbu' is a section");
    bad_yaml("? [a]\n: 4\n", "1:3: error: expected a parameter's name, got a");
    bad_yaml("\"nbu.warps\\0x\": 4\n", "unknown key 'nbu.warps?x'");
    bad_yaml("\xc3\xa4: 4\n\xc3\xb6\xc3\xb6: {}\n", "c.yml:2:1: error");
}

static void test_wrong_types(void **state) {
    (void)state;
    bad_yaml("nbu:\n  warps: many\n",
             "c.yml:2:10: error: 'nbu.warps' expects a whole number, got "
             "'many'\n      warps: many\n             ^~~~\n");
    bad_yaml("nbu.warps: \"48\"", "a whole number, got '48' in quotes");
    bad_yaml("nbu.warps:", "a whole number, got nothing");
    bad_yaml("nbu.warps: 4.0", "a whole number, got '4.0'");
    bad_yaml("nbu.warps: 1_0", "a whole number, got '1_0'");
    bad_yaml("nbu.warps: 010", "got '010', which might be octal");
    bad_yaml("nbu.warps: 0x", "a whole number, got '0x'");
    bad_yaml("nbu.warps: +8", "a whole number, got '+8'");
    bad_yaml("nbu.warps: [8]", "a whole number, got a list");
    bad_yaml("nbu.warps: {a: {b: [c]}}", "a whole number, got a mapping");
    bad_yaml("nbu.policy: [near]", "'nbu.policy' expects one name, got a list");
    bad_yaml("nbu.policy:", "'nbu.policy' expects one name, got nothing");
    bad_yaml("nbu.far_set: branch", "'nbu.far_set' expects a list of names "
                                    "such as [a, b], got 'branch'");
    bad_yaml("nbu.far_set: [[fp]]", "'nbu.far_set' lists names, got a list");
}

static void test_ranges(void **state) {
    (void)state;
    bad_yaml("nbu: {warps: 900}",
             "1:14: error: 'nbu.warps' is 900, expected 2 to 64 warps\n");
    bad_yaml("nbu.warps: -1", "'nbu.warps' is -1, expected 2 to 64 warps");
    bad_yaml("nbu.warps: 99999999999999999999",
             "'nbu.warps' is 99999999999999999999, expected 2 to 64 warps");
    bad_yaml("nbu.lanes: 12", "'nbu.lanes' is 12, expected a power of two from "
                              "4 to 32 lanes");
    bad_yaml("nbu.lanes: 64", "'nbu.lanes' is 64, expected a power of two");
    assert_int_equal(yaml("nbu.warps: 2").nbu_warps, 2);
    assert_int_equal(yaml("nbu.warps: 64").nbu_warps, 64);
}

/* Whether p accepts value; also that it is stored then. */
static bool accepts(const struct param *p, int value) {
    struct config c;
    struct diag d = {0};
    struct text assignment = {0}, shown = {0};
    config_defaults(&c);
    text_printf(&assignment, "%s=%d", p->key, value);
    bool ok = config_set(&c, text_str(&assignment), &d);
    text_printf(&shown, "%s=", p->key);
    config_value(&c, p, &shown);
    assert_int_equal(ok, strcmp(text_str(&assignment), text_str(&shown)) == 0);
    text_free(&assignment);
    text_free(&shown);
    diag_free(&d);
    return ok;
}

static void test_ends_of_every_range(void **state) {
    (void)state;
    const struct param *p;
    for (int i = 0; (p = config_param(i)); i++) {
        if (p->type != PARAM_INT && p->type != PARAM_POW2)
            continue;
        bool pow2 = p->type == PARAM_POW2;
        assert_true(accepts(p, p->min));
        assert_true(accepts(p, p->max));
        assert_false(accepts(p, pow2 ? p->min / 2 : p->min - 1));
        assert_false(accepts(p, pow2 ? p->max * 2 : p->max + 1));
        if (pow2 && p->min > 2)
            assert_false(accepts(p, p->min + 1));
    }
}

static void test_names(void **state) {
    (void)state;
    bad_yaml("nbu.policy: ner",
             "'nbu.policy' has no value 'ner', did you mean 'near'");
    bad_yaml("nbu.policy: 1", "'nbu.policy' has no value '1', expected one of "
                              "annotated, default, near, far");
    bad_yaml("nbu.policy: NEAR", "did you mean 'near'");
    bad_yaml("nbu.far_set: [fp, brnch]",
             "1:19: error: 'nbu.far_set' has no value 'brnch', did you mean "
             "'branch'");
    bad_yaml("nbu.far_set: [fp, fp]", "'nbu.far_set' lists 'fp' twice");
}

static void test_duplicates(void **state) {
    (void)state;
    bad_yaml("nbu:\n  warps: 8\n  lanes: 4\n  warps: 9\n",
             "4:3: error: duplicate key 'nbu.warps', first given in line 2\n");
    bad_yaml("nbu.warps: 8\nnbu:\n  warps: 8\n",
             "3:3: error: duplicate key 'nbu.warps', first given in line 1\n");
    bad_yaml("nbu: {warps: 8}\nnbu: {lanes: 4}\n",
             "2:1: error: duplicate key 'nbu', first given in line 1\n");
}

static void test_what_is_not_yaml(void **state) {
    (void)state;
    bad_yaml("nbu:\n\twarps: 8\n", "c.yml:2:1: error: no valid YAML: found "
                                   "character that cannot start any token (a "
                                   "tab cannot indent YAML)\n");
    bad_yaml("nbu: {warps: 8\n", "c.yml:2:1: error: no valid YAML: ");
    bad_yaml("nbu: ]", "c.yml:1:6: error: no valid YAML: ");
    bad_yaml("a: b: c", "c.yml:1:5: error: no valid YAML: mapping values");
    bad_yaml("nbu: \xff", "c.yml:1:6: error: no valid YAML: ");
    bad_yaml_n("nbu:\n \0", 7, "c.yml:2:2: error: no valid YAML: control");
    bad_yaml("- nbu", "expected parameters such as 'nbu: {warps: 8}', got a l");
    bad_yaml("48", "1:1: error: expected parameters such as");
    char deep[5001];
    memset(deep, '[', 5000);
    deep[5000] = '\0';
    bad_yaml(deep, "c.yml:1:");
}

static void test_what_yaml_has_too_much(void **state) {
    (void)state;
    bad_yaml("nbu: &a {warps: 8}", "1:6: error: anchor '&a' is not accepted");
    bad_yaml("nbu.warps: &n 8\nnbu.registers: *n\n",
             "2:16: error: alias '*n' is not accepted, expected the value");
    bad_yaml("nbu.warps: !!int 8", "is not accepted, expected the value");
    bad_yaml("nbu.warps: 8\n---\nnbu.warps: 9\n",
             "2:1: error: a second document begins here, expected one\n");
}

static void test_all_errors_of_a_file_are_told(void **state) {
    (void)state;
    const char *text = "nbu:\n  warps: 1\n  lanes: 5\n  policy: x\nfoo: {}\n";
    bad_yaml(text, "c.yml:2:10: error");
    bad_yaml(text, "c.yml:3:10: error");
    bad_yaml(text, "c.yml:4:11: error");
    bad_yaml(text, "c.yml:5:1: error");
    struct text many = {0};
    for (int i = 0; i < 10000; i++)
        text_printf(&many, "k%d: 1\n", i);
    bad_yaml(text_str(&many), "c.yml:20:1: error"); /* stops at the limit */
    text_free(&many);
}

static void test_set(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    set(&c, "nbu.warps=9");
    set(&c, " nbu.lanes = 0x8 ");
    set(&c, "nbu.policy=far");
    set(&c, "nbu.far_set=int, fp");
    assert_int_equal(c.nbu_warps, 9);
    assert_int_equal(c.nbu_lanes, 8);
    assert_int_equal(c.nbu_policy, 3);
    assert_int_equal(c.nbu_far_set, 1u << OPC_int | 1u << OPC_fp);
    set(&c, "nbu.far_set=[branch]");
    assert_int_equal(c.nbu_far_set, 1u << OPC_branch);
    set(&c, "nbu.far_set=[ ]");
    assert_int_equal(c.nbu_far_set, 0);
}

static void test_bad_set(void **state) {
    (void)state;
    bad_set("nbu.warps=900", "--set nbu.warps=900: error: 'nbu.warps' is 900, "
                             "expected 2 to 64 warps\n");
    bad_set("nbu.wraps=9", "--set nbu.wraps=9: error: unknown key "
                           "'nbu.wraps', did you mean 'nbu.warps'\n");
    bad_set("nbu.warps", "--set nbu.warps: error: 'nbu.warps' is no "
                         "assignment, expected key=value\n");
    bad_set("nbu.warps=", "--set nbu.warps=: error: 'nbu.warps' expects a "
                          "whole number, got nothing\n");
    bad_set("nbu.policy=", "--set nbu.policy=: error: 'nbu.policy' expects one "
                           "name, got nothing\n");
    bad_set("nbu.far_set=", "--set nbu.far_set=: error: 'nbu.far_set' expects "
                            "a list of names such as [a, b], got nothing\n");
    bad_set("nbu.far_set=int,", "--set nbu.far_set=int,: error: 'nbu.far_set' "
                                "expects a list of names such as [a, b], got "
                                "nothing\n");
    bad_set("mesh.memory_nodes=", "--set mesh.memory_nodes=: error: "
                                  "'mesh.memory_nodes' expects a list of whole "
                                  "numbers such as [1, 2], got nothing\n");
    bad_set("mesh.memory_nodes=[]", "--set mesh.memory_nodes=[]: error: "
                                    "'mesh.memory_nodes' lists nothing, "
                                    "expected at least one number\n");
    bad_set("mesh.memory_nodes=1,,2",
            "--set mesh.memory_nodes=1,,2: error: 'mesh.memory_nodes' expects "
            "a list of whole numbers such as [1, 2], got nothing\n");
    bad_set("mesh.memory_nodes=1,x,1",
            "--set mesh.memory_nodes=1,x,1: error: 'mesh.memory_nodes' lists "
            "whole numbers, got 'x'\n"
            "--set mesh.memory_nodes=1,x,1: error: 'mesh.memory_nodes' lists "
            "1 twice\n");
    bad_set("", "--set : error: '' is no assignment, expected key=value\n");
}

/* Every parameter away from its default and back through the echo. */
static void test_echo_reads_back(void **state) {
    (void)state;
    struct config c;
    struct text echo = {0}, again = {0};
    struct diag d = {0};
    assert_true(config_preset(&c, "small", &d));
    set(&c, "nbu.policy=far");
    set(&c, "nbu.far_set=[]");
    set(&c, "mesh.memory_nodes=9,2,12");
    config_echo(&c, all, NULL, &echo);
    struct config back = yaml(text_str(&echo));
    assert_memory_equal(&back, &c, sizeof c);
    config_echo(&back, all, NULL, &again);
    assert_string_equal(text_str(&echo), text_str(&again));
    assert_int_equal(config_hash(&back, all, NULL), config_hash(&c, all, NULL));
    assert_non_null(strstr(text_str(&echo), "nbu:\n  warps: 8  # "));
    assert_non_null(strstr(text_str(&echo), "memory_nodes: [9, 2, 12]  # "));
    text_free(&echo);
    text_free(&again);
    diag_free(&d);
}

/* The hash is FNV-1a of the key=value lines and of nothing else. */
static void test_hash(void **state) {
    (void)state;
    struct config c;
    struct text lines = {0};
    const struct param *p;
    config_defaults(&c);
    for (int i = 0; (p = config_param(i)); i++) {
        text_printf(&lines, "%s=", p->key);
        config_value(&c, p, &lines);
        text_add(&lines, "\n");
    }
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < lines.len; i++)
        hash = (hash ^ (unsigned char)lines.data[i]) * 1099511628211u;
    assert_true(config_hash(&c, all, NULL) == hash);
    text_free(&lines);
    set(&c, "nbu.tag_bits=7");
    assert_true(config_hash(&c, all, NULL) != hash);
    set(&c, "nbu.tag_bits=8");
    assert_true(config_hash(&c, all, NULL) == hash);
    set(&c, "mesh.memory_nodes=13,3,18,31,36,46,48,60"); /* order counts */
    assert_true(config_hash(&c, all, NULL) != hash);
}

/* Of chosen parameters only those count, and only those are written. */
static void test_choice(void **state) {
    (void)state;
    struct config c, other;
    struct text one = {0}, two = {0};
    config_defaults(&c);
    other = c;
    set(&other, "nbu.tag_bits=7");
    assert_true(config_hash(&c, of_section, "emn") ==
                config_hash(&other, of_section, "emn"));
    assert_true(config_hash(&c, of_section, "nbu") !=
                config_hash(&other, of_section, "nbu"));
    config_echo(&c, of_section, "emn", &one);
    config_echo(&other, of_section, "emn", &two);
    assert_string_equal(text_str(&one), text_str(&two));
    assert_null(strstr(text_str(&one), "nbu"));
    assert_non_null(strstr(text_str(&one), "emn:\n"));
    text_free(&one);
    text_free(&two);
}

/* 'small' of a system that has its own, and of nobody else. */
static void test_own_form_of_a_preset(void **state) {
    static const struct {
        const char *target, *asked, *got;
    } cases[] = {
        {"cluster", "small", "cluster_small"},
        {"cluster", "tiny", "cluster_tiny"},
        {"mpu_core", "tiny", "mpu_core_tiny"},
        {"mpu_mesh", "small", "mpu_mesh_small"},
        {"image", "tiny", "image_tiny"},
        {"image_mesh", "tiny", "image_mesh_tiny"},
        {"cached_mesh", "small", "cached_mesh_small"},
        {"cluster", "cluster_small", "cluster_small"},
        {"cluster", "cluster", "cluster"},
        {"clust", "small", "small"},
        {"system", "small", "small"},
        {"", "small", "small"},
        {NULL, "small", "small"},
        {"cluster", "smal", "smal"},
        {"cluster", "", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config_choice c = {.preset = cases[i].asked};
        choice_of_target(&c, cases[i].target);
        assert_string_equal(c.preset, cases[i].got);
    }
    struct config_choice none = {0};
    choice_of_target(&none, "cluster");
    assert_null(none.preset);
    assert_string_equal(none.base, "cluster");
    struct config_choice plain = {0};
    choice_of_target(&plain, "system");
    assert_null(plain.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_consistent),
        cmocka_unit_test(test_sections_are_contiguous),
        cmocka_unit_test(test_defaults_are_legal),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_placements),
        cmocka_unit_test(test_memory_nodes_fit),
        cmocka_unit_test(test_places_of_what_was_given),
        cmocka_unit_test(test_preset_titles),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_yaml_forms),
        cmocka_unit_test(test_preset_key_comes_first_wherever_it_stands),
        cmocka_unit_test(test_unknown_keys),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_ends_of_every_range),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_what_is_not_yaml),
        cmocka_unit_test(test_what_yaml_has_too_much),
        cmocka_unit_test(test_all_errors_of_a_file_are_told),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_bad_set),
        cmocka_unit_test(test_echo_reads_back),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_own_form_of_a_preset),
    };
    return cmocka_run_group_tests_name("test_config", tests, NULL, NULL);
}
