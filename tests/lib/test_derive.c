/* test_derive.c - derived keys: that declarations and presets are consistent,
 * that each names all it is computed from, and what a user may say of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/choice.h"
#include "iface/derive.h"
#include "tests/common/diag_capture.h"
#include "tests/common/temp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *temp_file(const char *text) {
    static char path[TEMP_MAX];
    temp_pattern(path);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void value(const struct config *c, const struct param *p,
                  struct text *out) {
    out->len = 0;
    config_value(c, p, out);
}

static bool same_value(const struct config *a, const struct config *b,
                       const struct param *p) {
    struct text x = {0}, y = {0};
    value(a, p, &x);
    value(b, p, &y);
    bool same = strcmp(text_str(&x), text_str(&y)) == 0;
    text_free(&x);
    text_free(&y);
    return same;
}

static void test_declarations(void **state) {
    const struct iface *b;
    int n = 0;
    (void)state;
    for (int i = 0; (b = iface_at(i)); i++)
        for (int k = 0; k < b->n_derived; k++) {
            const struct param *p = config_find(b->derived[k].key);
            if (!p || !iface_uses(b, p))
                fail_msg("'%s' computes '%s', which it has not", b->name,
                         b->derived[k].key);
            assert_true(iface_derives(b, p));
            for (int j = 0; j < k; j++)
                assert_string_not_equal(b->derived[j].key, b->derived[k].key);
            n++;
        }
    assert_true(n > 100);
}

/* A preset that names a target has its derived keys computed, and suits it. */
static void test_presets(void **state) {
    const char *name;
    int n = 0;
    (void)state;
    for (int i = 0; (name = config_preset_name(i)); i++) {
        struct config c, again;
        struct diag d = {0};
        const struct param *p;
        assert_true(config_preset(&c, name, &d));
        if (c.target) {
            assert_true(iface_check(c.target, &c, &d));
            again = c;
            iface_derive(c.target, &again);
            for (int k = 0; (p = config_param(k)); k++)
                assert_true(same_value(&c, &again, p));
            n++;
        }
        diag_free(&d);
    }
    assert_true(n > 20);
}

/* --- sources -------------------------------------------------------------- */

static void sources_are(const char *target, const char *key,
                        const char *expected) {
    struct text t = {0};
    iface_sources(iface_find(target), config_find(key), &t);
    assert_string_equal(text_str(&t), expected);
    text_free(&t);
}

static void test_sources(void **state) {
    (void)state;
    sources_are("system", "host.warps", "'simt.warps'");
    sources_are("system", "simt.dispatch", "");
    sources_are("system", "simt.warps", "");
    sources_are("mpu_core", "far_pipe.tag_bits", "'host.code_words'");
    sources_are("backend", "far_pipe.tag_bits", "'nbu.tag_bits'");
    sources_are("mpu_mesh", "vault.address_bits",
                "'share.nodes', 'vault.units' and 'vault.sector'");
    sources_are("cluster", "memory.id_bits",
                "'simt.requests', 'mesh.width' and 'mesh.height'");
    sources_are("chained", "share.nodes", "'mesh.memory_nodes'");
    sources_are("nbu", "nbu.warps", "");
}

struct search {
    const struct param *p;
    bool found;
};

static void look(void *ctx, const struct param *source) {
    struct search *s = ctx;
    s->found = s->found || s->p == source;
}

/* Whatever changes a derived key is one of its sources. */
static void test_sources_are_complete(void **state) {
    const struct iface *b;
    const struct param *p, *q;
    int followed = 0;
    (void)state;
    for (int i = 0; (b = iface_at(i)); i++)
        for (int k = 0; b->n_derived && (p = config_param(k)); k++) {
            if (!iface_uses(b, p) || iface_derives(b, p) ||
                (p->type != PARAM_INT && p->type != PARAM_POW2))
                continue;
            struct config base, c;
            config_defaults(&base);
            iface_derive(b, &base);
            c = base;
            int other = p->type == PARAM_POW2 ? 2 * p->min : p->min + 1;
            memcpy((char *)&c + p->offset, &other, sizeof other);
            iface_derive(b, &c);
            for (int j = 0; (q = config_param(j)); j++) {
                struct search s = {.p = p};
                if (q == p || same_value(&base, &c, q))
                    continue;
                iface_each_source(b, q, look, &s);
                if (!s.found)
                    fail_msg("'%s' changes '%s' of '%s', and is no source",
                             p->key, q->key, b->name);
                followed++;
            }
        }
    assert_true(followed > 100);
}

/* --- what a user says ----------------------------------------------------- */

static struct config_choice choice_of(const char *preset, const char *set) {
    struct config_choice c = {.preset = preset, .target = "system"};
    if (set)
        c.sets[c.n_sets++] = set;
    return c;
}

/* What it prints; the caller frees. */
static char *resolved(const struct config_choice *choice, struct config *c) {
    struct diag d = {0};
    choice_resolve(choice, c, &d);
    char *got = diag_captured(&d);
    diag_free(&d);
    return got;
}

static void prints(const struct config_choice *choice, const char *expected) {
    struct config c;
    char *got = resolved(choice, &c);
    assert_string_equal(got, expected);
    free(got);
}

static void test_sizes_follow(void **state) {
    struct config_choice choice = choice_of("plain", "simt.warps=16");
    struct config c;
    (void)state;
    char *got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_int_equal(c.simt_warps, 16);
    assert_int_equal(c.host_warps, 16);
    free(got);
    choice.tell = true;
    prints(&choice, "note: these follow in target 'system': host.warps=16\n");
    choice.sets[0] = "simt.stack=8";
    prints(&choice, "");
    /* of another target, nothing follows */
    choice.target = "simt";
    choice.sets[0] = "simt.warps=16";
    got = resolved(&choice, &c);
    assert_int_equal(c.host_warps, 64);
    free(got);
}

static void test_key_without_section(void **state) {
    struct config_choice choice = choice_of("plain", "warps = 16");
    struct config c;
    (void)state;
    char *got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_int_equal(c.simt_warps, 16);
    assert_int_equal(c.host_warps, 16);
    free(got);
    choice.sets[0] = "latency=7"; /* it gives nobody's */
    got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_int_equal(c.memory_latency, 7);
    free(got);
    choice.sets[0] = "warp=16";
    prints(&choice, "--set warp=16: error: unknown key 'warp', see "
                    "--list-params\n");
    choice.target = "mpu_core";
    choice.preset = "mpu_core_small";
    choice.sets[0] = "shared_words=64";
    prints(&choice,
           "error: 'shared_words' is ambiguous in target 'mpu_core', expected "
           "one of 'far_pipe.shared_words', 'near_pipe.shared_words'\n");
}

static void test_derived_key_refused(void **state) {
    struct config_choice choice = choice_of("plain", "host.warps=16");
    (void)state;
    prints(&choice,
           "--set host.warps=16: error: 'host.warps' is computed from "
           "'simt.warps' in target 'system' and must be 64, got 16; set "
           "'simt.warps' instead\n");
    choice.sets[choice.n_sets++] = "simt.warps=16"; /* now it is 16 */
    prints(&choice, "");
    choice = choice_of("plain", "host.warps=64");
    prints(&choice, "");
    choice = choice_of("plain", "simt.chains=shown");
    prints(&choice, "--set simt.chains=shown: error: 'simt.chains' must be "
                    "passed in target 'system', got shown\n");
}

/* A file's keys are held against the file's own, not against --set. */
static void test_file(void **state) {
    struct config_choice choice = {.target = "system"};
    struct config c;
    (void)state;
    char *path = temp_file("simt: {warps: 8}\nhost:\n  warps: 8\n");
    choice.file = path;
    choice.sets[choice.n_sets++] = "simt.warps=16";
    char *got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_int_equal(c.host_warps, 16);
    free(got);
    unlink(path);
    path = temp_file("simt: {warps: 8}\nhost:\n  warps: 4\n");
    choice.file = path;
    choice.n_sets = 0;
    got = resolved(&choice, &c);
    assert_non_null(strstr(got, ":3:3: error: 'host.warps' is computed from "
                                "'simt.warps' in target 'system' and must be "
                                "8, got 4; set 'simt.warps' instead\n"));
    free(got);
    unlink(path);
    /* a preset's are not the user's */
    path = temp_file("preset: small\nsimt.warps: 8\n");
    choice.file = path;
    got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_int_equal(c.host_warps, 8);
    free(got);
    unlink(path);
    path = temp_file("target: cached\nsimt.warps: 8\n");
    choice = (struct config_choice){.file = path};
    got = resolved(&choice, &c);
    assert_string_equal(got, "");
    assert_ptr_equal(c.target, iface_find("cached"));
    assert_int_equal(c.host_warps, 8);
    free(got);
    unlink(path);
    path = temp_file("target: kitchen\n");
    choice.file = path;
    got = resolved(&choice, &c);
    assert_non_null(strstr(got, ":1:9: error: unknown target 'kitchen', see "
                                "--list-targets\n"));
    free(got);
    unlink(path);
}

/* One that does not fit its range is told at what it is computed from. */
static void test_out_of_range(void **state) {
    struct config_choice choice = {.target = "mpu_core",
                                   .preset = "mpu_core_small",
                                   .n_sets = 1,
                                   .sets = {"vault.sector=8"}};
    struct config c;
    struct diag d = {0};
    (void)state;
    choice_resolve(&choice, &c, &d);
    assert_int_equal(d.errors, 0);
    c.lsu_ext_rows = 1 << 20; /* none could set that */
    iface_derive(c.target, &c);
    assert_false(iface_check(c.target, &c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got,
                           "error: 'vault.id_bits' would be 27 by "
                           "'nbu.lanes', 'vault.sector', 'lsu_ext.rows' "
                           "and 'lsu_ext.gathers', expected 1 to 16 bits\n"));
    free(got);
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_sources_are_complete),
        cmocka_unit_test(test_sizes_follow),
        cmocka_unit_test(test_key_without_section),
        cmocka_unit_test(test_derived_key_refused),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
