/* test_kernels.c - kernels whose chains, by the tags that ndpcc leaves in their
 * words, are computed by golden queues on a golden mesh (omni/chained.h): with
 * offloading off, LLC-Compute and Omni-Compute each ends with the bytes that it
 * leaves without any of that.  Prints what became of the chains.
 */
#include "sim/chained/chained.h"
#include "sim/chained/form.h"
#include "sim/run/device.h"

#include "papers/analysis.h"
#include "papers/omni/chain.h"
#include "ptx/ptx.h"
#include "ref.h"
#include "tests/common/diag_capture.h"
#include "tests/common/temp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

static const char *const modes[CHAINED_MODES] = {"off", "llc", "omni"};

struct room {
    struct diag diag;
    struct run *run;
    struct arena arena;
    struct run_device device;
    struct run_verdict verdict;
};

static void open_room(struct room *w, const char *path, const char *ptx) {
    struct run_options o = {.size = "small", .ptx = ptx, .reference = ref_find};
    struct code_options code = {.registers = 64};
    memset(w, 0, sizeof *w);
    w->run = run_open(path, &o, &w->diag);
    const struct isa_image *image =
        w->run ? code_generate(&w->arena, run_module(w->run), NULL, &code,
                               &w->diag)
               : NULL;
    if (!image) {
        diag_flush(&w->diag, stdout);
        fail_msg("%s", path);
    }
    w->device = (struct run_device){.code = image, .registers = 64};
}

static void close_room(struct room *w) {
    run_close(w->run);
    arena_free(&w->arena);
    diag_free(&w->diag);
}

/* The kernel's PTX with its chains contiguous, as a file. */
static void rewrite(const char *path, char name[TEMP_MAX]) {
    struct room w;
    struct text text = {0};
    open_room(&w, path, NULL);
    struct source source = {.name = run_ptx(w.run)};
    char *read = text_read_file(source.name, &source.len);
    source.text = read;
    assert_non_null(read);
    const struct ptx_module *m = ptx_read(&w.arena, &source, &w.diag);
    size_t n = (size_t)m->n_functions;
    struct ptx_chains *found = arena_array(&w.arena, n, sizeof *found);
    const struct ptx_chains **list = arena_array(&w.arena, n, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        ptx_chains_find(&w.arena, &source,
                        ptx_analyse(&w.arena, m->functions[i]), NULL,
                        &found[i]);
        list[i] = &found[i];
    }
    ptx_chains_rewrite(m, list, &text);
    temp_pattern(name);
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_true(f && fwrite(text.data, 1, text.len, f) == text.len);
    fclose(f);
    free(read);
    text_free(&text);
    close_room(&w);
}

/* Right, and with the bytes of the untimed machine. */
static void run_chained(const char *path, const char *ptx, struct chained *c) {
    struct room plain, w;
    open_room(&plain, path, ptx);
    open_room(&w, path, ptx);
    memset(&c->result, 0, sizeof c->result);
    if (!run_on_device(plain.run, &plain.device))
        fail_msg("%s: %s", path, isa_end_text(plain.device.last.end));
    if (!chained_run(c, w.run, w.device.code))
        fail_msg("%s, %s: %s", path, modes[c->mode], text_str(&c->why));
    run_verdict(plain.run, &plain.verdict);
    run_verdict(w.run, &w.verdict);
    assert_int_equal(plain.verdict.result, RUN_RIGHT);
    assert_int_equal(w.verdict.result, RUN_RIGHT);
    assert_int_equal(w.verdict.n_buffers, plain.verdict.n_buffers);
    for (int i = 0; i < w.verdict.n_buffers; i++)
        assert_true(w.verdict.buffers[i].checksum ==
                    plain.verdict.buffers[i].checksum);
    const struct chained_result *r = &c->result;
    print_message("%-15s %-4s %5llu %5llu %5llu %5llu %5llu %5llu %5llu %6llu "
                  "%6llu %6llu\n",
                  run_name(w.run), modes[c->mode],
                  (unsigned long long)r->chains, (unsigned long long)r->unfit,
                  (unsigned long long)r->normal, (unsigned long long)r->single,
                  (unsigned long long)r->packets, (unsigned long long)r->locals,
                  (unsigned long long)r->most, (unsigned long long)r->hops,
                  (unsigned long long)r->flit_hops,
                  (unsigned long long)r->edges);
    close_room(&plain);
    close_room(&w);
    /* each chain has one fate, each packet one end */
    assert_true(r->unfit + r->normal + r->single + r->packets == r->chains);
    assert_true(r->acks + r->data + r->bitmaps + r->locals == r->packets);
}

static void preset(struct chained *c, const char *name) {
    struct diag d = {0};
    memset(c, 0, sizeof *c);
    c->places = -1;
    assert_true(config_preset(&c->config, name, &d));
    diag_free(&d);
}

static void in_all_modes(const char *path, struct chained *c,
                         struct chained_result result[CHAINED_MODES]) {
    char ptx[TEMP_MAX];
    rewrite(path, ptx);
    for (int mode = 0; mode < CHAINED_MODES; mode++) {
        c->mode = (enum chained_mode)mode;
        run_chained(path, ptx, c);
        result[mode] = c->result;
    }
    remove(ptx);
    /* the same chains, which leave as the mode lets them */
    /* a division is many words, with branches: no chain is left */
    assert_true((result[CHAINED_OFF].chains > 0) == !strstr(path, "norm"));
    assert_true(result[CHAINED_OFF].packets == 0);
    assert_true(result[CHAINED_OFF].hops == 0);
    for (int mode = CHAINED_LLC; mode < CHAINED_MODES; mode++) {
        assert_true(result[mode].chains == result[CHAINED_OFF].chains);
        assert_true(result[mode].unfit == result[CHAINED_OFF].unfit);
    }
    assert_true(result[CHAINED_LLC].packets <= result[CHAINED_OMNI].packets);
}

/* At the paper's sizes: acknowledgements, data and bitmaps, chains of which
 * some lanes, or none, stand in order, and atomics beside them. */
static void test_kernels(void **state) {
    static const char *const kernels[] = {
        "kernels/compare/compare.yml",
        "kernels/copy/copy_aligned.yml",
        "kernels/copy/copy_strided.yml",
        "kernels/density/density.yml",
        "kernels/vecadd/vecadd_aligned.yml",
        "kernels/norm/norm.yml",
        "kernels/axpy/axpy.yml",
        "kernels/blur/blur.yml",
        "kernels/fdtd/fdtd.yml",
        "kernels/jacobi2d/jacobi2d.yml",
        "kernels/reduce/reduce_global.yml",
        "kernels/triad/triad.yml",
    };
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    uint64_t data = 0, bitmaps = 0, acks = 0;
    (void)state;
    preset(&c, "omni");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        in_all_modes(kernels[i], &c, r);
        acks += r[CHAINED_OMNI].acks;
        data += r[CHAINED_OMNI].data;
        bitmaps += r[CHAINED_OMNI].bitmaps;
    }
    assert_true(acks > 0 && data > 0 && bitmaps > 0);
}

/* a and b lie at other memory nodes: none has both, but there is a node on the
 * way where they meet. */
static void test_llc_and_omni(void **state) {
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    (void)state;
    preset(&c, "omni");
    in_all_modes("kernels/vecadd/vecadd_strided.yml", &c, r);
    assert_true(r[CHAINED_LLC].single == r[CHAINED_LLC].chains);
    assert_true(r[CHAINED_OMNI].packets == r[CHAINED_OMNI].chains);
}

/* No place for a chain, or one: loads come back, and the core computes. */
static void test_full_far_queue(void **state) {
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    (void)state;
    preset(&c, "omni");
    c.places = 0;
    in_all_modes("kernels/vecadd/vecadd_strided.yml", &c, r);
    assert_true(r[CHAINED_OMNI].locals == r[CHAINED_OMNI].packets);
    in_all_modes("kernels/reduce/reduce_global.yml", &c, r);
    assert_true(r[CHAINED_OMNI].locals == r[CHAINED_OMNI].packets);
    c.places = 1;
    in_all_modes("kernels/reduce/reduce_global.yml", &c, r);
    assert_true(r[CHAINED_OMNI].locals > 0);
    assert_true(r[CHAINED_OMNI].locals < r[CHAINED_OMNI].packets);
}

/* An L1 that has some of the lines. */
static void test_hit_in_mid_chain(void **state) {
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    (void)state;
    preset(&c, "omni");
    c.hits = 30;
    in_all_modes("kernels/reduce/reduce_global.yml", &c, r);
    assert_true(r[CHAINED_OMNI].normal > 0);
    assert_true(r[CHAINED_OMNI].packets > 0);
    in_all_modes("kernels/vecadd/vecadd_aligned.yml", &c, r);
    assert_true(r[CHAINED_OMNI].normal > 0);
    assert_true(r[CHAINED_OMNI].packets > 0);
}

static void test_no_free_entry(void **state) {
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    (void)state;
    preset(&c, "omni");
    c.config.omni_entries = 2;
    in_all_modes("kernels/triad/triad.yml", &c, r);
    assert_true(r[CHAINED_OMNI].normal > 0);
    assert_true(r[CHAINED_OMNI].packets > 0);
}

/* Warps of eight lanes, flits of four bytes, a mesh of four by four. */
static void test_small(void **state) {
    struct chained c;
    struct chained_result r[CHAINED_MODES];
    (void)state;
    preset(&c, "small");
    c.config.omni_waves = 64; /* CTAs of 256 threads */
    in_all_modes("kernels/copy/copy_strided.yml", &c, r);
    in_all_modes("kernels/reduce/reduce_global.yml", &c, r);
    assert_true(r[CHAINED_OMNI].packets > 0);
    /* each pattern, of which all fit; those of two loads go by Omni alone */
    in_all_modes("tests/omni/kernels/patterns.yml", &c, r);
    assert_true(r[CHAINED_OMNI].chains == 9 * 24);
    assert_true(r[CHAINED_OMNI].unfit == 0);
    assert_true(r[CHAINED_LLC].single == 5 * 24);
    assert_true(r[CHAINED_LLC].packets == 4 * 24);
    assert_true(r[CHAINED_OMNI].packets > r[CHAINED_LLC].packets);
    assert_true(r[CHAINED_OMNI].acks > 0 && r[CHAINED_OMNI].data > 0 &&
                r[CHAINED_OMNI].bitmaps > 0);
}

/* --- words ---------------------------------------------------------------- */

static bool fits(const char *const *lines, int n, struct form *f) {
    struct isa_word word[8];
    struct isa_error e;
    assert_true(n <= 8);
    for (int i = 0; i < n; i++)
        if (!isa_parse(lines[i], strlen(lines[i]), NULL, NULL, &word[i], &e))
            fail_msg("%s: %s", lines[i], e.what);
    return form_find(word, n, 0, f);
}

#define FITS(...)                                                              \
    fits((const char *const[]){__VA_ARGS__},                                   \
         (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),   \
         &f)

#define LOAD_A "ldg.b32 r1, [r2] {chain 1}"
#define LOAD_B "ldg.b32 r3, [r4] {chain 2}"
#define STORE "stg.b32 [r6], r5 {chain 3}"

static void test_forms(void **state) {
    struct form f;
    (void)state;
    assert_true(
        FITS(LOAD_A, LOAD_B, "fadd r5, r3, r1 {chain 2}", STORE, "nop"));
    assert_int_equal(f.n, 4);
    assert_true(f.op[2].reversed && !f.op[2].has_imm && f.stores);
    assert_true(FITS(LOAD_A, "stg.b32 [r6], r1 {chain 3}"));
    assert_true(FITS(LOAD_A, LOAD_B, "sub r5, r1, r3 {chain 3}"));
    assert_true(FITS(LOAD_A, "rsub r5, r1, 7 {chain 2}", STORE));
    assert_true(f.op[1].reversed && f.op[1].has_imm && f.op[1].imm == 7);
    assert_true(FITS(LOAD_A, "setlts p0, r1, r9 {chain 3}"));
    assert_int_equal(f.op[1].imm_register, 9);
    assert_true(FITS(LOAD_A, LOAD_B, "fmul r1, r1, r9 {chain 2}",
                     "fadd r5, r1, r3 {chain 2}", STORE));
    assert_true(f.op[3].reversed);
    assert_true(FITS(LOAD_A, LOAD_B, "ffma r5, r1, r9, r3 {chain 2}", STORE));
    assert_true(f.op[2].fused);
    /* a - b, of which there is no other word */
    assert_true(FITS(LOAD_A, LOAD_B, "ffma r5, r3, 0fBF800000, r1 {chain 3}"));
    assert_true(!f.op[2].fused && !f.op[2].has_imm);
    /* of which none is a pattern */
    assert_false(FITS("ldg.b32 r1, [r2]", "stg.b32 [r6], r1"));
    assert_false(
        FITS("ldg.u8 r1, [r2] {chain 1}", "stg.b8 [r6], r1 {chain 3}"));
    assert_false(FITS(LOAD_A, "add r5, r1, 7 {chain 3}"));
    assert_false(FITS(LOAD_A, LOAD_B, "stg.b32 [r6], r1 {chain 3}"));
    assert_false(FITS(LOAD_A, LOAD_B, "add r5, r1, 7 {chain 2}", STORE));
    assert_false(FITS(LOAD_A, LOAD_B, "fadd.rz r5, r1, r3 {chain 2}", STORE));
    assert_false(FITS(LOAD_A, LOAD_B, "ffma r5, r1, r3, r9 {chain 2}", STORE));
    assert_false(FITS(LOAD_A, LOAD_B, "ffma r5, r3, r9, r1 {chain 2}", STORE));
    assert_false(FITS(LOAD_A, "ldg.b32 r3, [r1] {chain 2}",
                      "add r5, r1, r3 {chain 2}", STORE));
    assert_false(FITS(LOAD_A, "@p0 add r5, r1, 7 {chain 2}", STORE));
    assert_false(
        FITS(LOAD_A, "add r5, r1, 7 {chain 2}", "stg.b32 [r5], r5 {chain 3}"));
    assert_false(FITS(LOAD_A, "popc r5, r1 {chain 2}", STORE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_llc_and_omni),
        cmocka_unit_test(test_full_far_queue),
        cmocka_unit_test(test_hit_in_mid_chain),
        cmocka_unit_test(test_no_free_entry),
        cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
