/* test_omni.c - the composition `omni`: one chain's packets by hand, the order
 * of the rewritten text, full queues, and the books of whole kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emn/emn.h"
#include "ref.h"
#include "sim/system/omni.h"
#include "sim/system/omni_state.h"
#include "sim/trace/chain_share.h"
#include "tests/common/diag_capture.h"
#include "tests/common/scratch.h"

#include <stdlib.h>
#include <string.h>

/* c[i] = a[i] + b[i], one warp; a, b and c stand so many lines apart. */
static const char add_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n, .param .u32 m) {\n"
    ".reg .b64 %rd<8>; .reg .b32 %r<5>; .reg .f32 %f<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n"
    "ld.param.u32 %r3, [m];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.nc.f32 %f1, [%rd3];\nmul.wide.u32 %rd4, %r1, 128;\n"
    "add.s64 %rd5, %rd3, %rd4;\nld.global.nc.f32 %f2, [%rd5];\n"
    "mul.wide.u32 %rd6, %r3, 128;\nadd.s64 %rd7, %rd3, %rd6;\n"
    "add.f32 %f3, %f1, %f2;\nst.global.f32 [%rd7], %f3;\nret;\n}\n";
static const char add_yml[] =
    "ptx: add.ptx\nsizes:\n  small: {n: 2, m: 11, t: 32}\n"
    "  same: {n: 8, m: 16, t: 32}\n  part: {n: 8, m: 16, t: 20}\n"
    "grid: [1]\nblock: [t]\nbuffers:\n"
    "  p: {type: f32, count: 1024, align: 4096, fill: i, check: {expect: "
    "'i < 32 * m ? i : i < 32 * m + t ? 2 * i + 32 * (n - 2 * m) : i'}}\n"
    "arguments: [p, n, m]\n";

struct job {
    struct scratch files;
    struct diag d;
    struct run *run;
    struct omni_settings *s;
    struct omni_result *r;
};

static void job_open(struct job *j, const char *path, const char *size) {
    struct run_options o = {.size = size, .reference = ref_find};
    *j = (struct job){.s = omni_preset.create()};
    scratch_open(&j->files);
    if (!path) {
        scratch_text(&j->files, "add.ptx", add_ptx);
        path = scratch_text(&j->files, "k.yml", add_yml);
    }
    j->run = run_open(path, &o, &j->d);
    if (!j->run) {
        print_error("%s\n", diag_captured(&j->d));
        fail();
    }
}

static const struct omni_result *job_run(struct job *j) {
    struct run_verdict v;
    struct system_job job = {.stream = run_stream(j->run),
                             .run = j->run,
                             .path = "k",
                             .diag = &j->d};
    assert_true(omni_preset.check(j->s, &j->d));
    j->r = omni_preset.run(j->s, &job);
    assert_non_null(j->r);
    run_verdict(j->run, &v);
    assert_int_equal(v.result, RUN_RIGHT);
    return j->r;
}

static void job_close(struct job *j) {
    omni_preset.destroy_result(j->r);
    free(j->s);
    run_close(j->run);
    scratch_close(&j->files);
    diag_free(&j->d);
}

/* -------------------------------------------------------------- one chain */

static int apart(int a, int b) {
    return abs(a % 8 - b % 8) + abs(a / 8 - b / 8);
}

/* The first CTA runs on node 0; the buffer begins at a multiple of the eight
 * memory nodes' lines, so that its line n is at memory node n % 8. */
static const int home[] = {3, 13, 18, 31, 36, 46, 48, 60};

/* Without offloading: twice a request and five flits of data, then five flits
 * and an acknowledgement (section 3.1). */
static void off_by_hand(void **state) {
    (void)state;
    struct job j;
    job_open(&j, NULL, "small");
    j.s->mode = OMNI_OFF;
    const struct omni_result *r = job_run(&j);
    int a = apart(0, home[0]), b = apart(0, home[2]), c = apart(0, home[3]);
    assert_int_equal(r->links, 6 * (a + b + c));
    assert_int_equal(omni_sum(r->hops), 2 * (a + b + c));
    assert_int_equal(r->chains, 1);
    assert_int_equal(r->packets, 0);
    job_close(&j);
}

static void omni_by_hand(void **state) {
    (void)state;
    struct job j;
    job_open(&j, NULL, "small");
    const struct omni_result *r = job_run(&j);
    struct emn_meet meet = emn_find(8, 0, home[0], home[2]);
    int a = apart(meet.node, home[0]), b = apart(meet.node, home[2]);
    int c = apart(meet.node, home[3]), core = apart(0, meet.node);
    int ack = apart(home[3], 0); /* from the store's memory to the core */
    assert_true(meet.found);
    assert_int_equal(r->links, 6 * (a + b) + 5 * c + ack + core);
    assert_int_equal(omni_sum(r->hops), 2 * (a + b) + c + ack + core);
    assert_int_equal(r->why[OMNI_WENT], 1);
    assert_int_equal(r->sent[OMNI_COMPUTE], 1);
    assert_int_equal(r->sent[OMNI_STORED], 1);
    assert_int_equal(r->sent[OMNI_ANSWER], 0);
    job_close(&j);
}

/* A mesh of two by two, core and memory one hop apart: the memory node's loads
 * from itself enter the mesh with --loop router alone, and cross no link. */
static void another_mesh(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (uint32_t loop = OMNI_BYPASS; loop <= OMNI_ROUTER; loop++) {
        struct job j;
        job_open(&j, NULL, "same");
        assert_true(omni_preset.take(j.s, "mesh", "2x2:1", &j.d));
        j.s->loop = loop;
        const struct omni_result *r = job_run(&j);
        cycles[loop] = r->cycles;
        assert_int_equal(r->at_memory, 1);
        assert_int_equal(r->links, 2);
        assert_int_equal(r->flits[OMNI_LOAD], loop == OMNI_ROUTER ? 2 : 0);
        job_close(&j);
    }
    assert_true(cycles[OMNI_ROUTER] > cycles[OMNI_BYPASS]);
}

/* Operands in different places: memory nodes do not compute it. */
static void llc_refuses(void **state) {
    (void)state;
    struct job j;
    job_open(&j, NULL, "small");
    j.s->mode = OMNI_LLC;
    const struct omni_result *r = job_run(&j);
    assert_int_equal(r->why[OMNI_UNMET], 1);
    assert_int_equal(r->packets, 0);
    job_close(&j);
}

/* All at one memory node: only the request and the acknowledgement travel; of
 * twenty lanes a mask, too. */
static void llc_by_hand(void **state) {
    (void)state;
    for (int part = 0; part < 2; part++) {
        struct job j;
        job_open(&j, NULL, part ? "part" : "same");
        j.s->mode = OMNI_LLC;
        const struct omni_result *r = job_run(&j);
        assert_int_equal(r->why[OMNI_WENT], 1);
        assert_int_equal(r->at_memory, 1);
        assert_int_equal(r->links, (2 + part) * apart(0, home[0]));
        job_close(&j);
    }
}

/* The service queue has no place: it sends the loads on, their data goes to
 * the core, which adds and stores. */
static void returned_by_hand(void **state) {
    (void)state;
    struct job j;
    job_open(&j, NULL, "same");
    j.s->places = 0;
    const struct omni_result *r = job_run(&j);
    assert_int_equal(r->returned, 1);
    assert_int_equal(r->links, (1 + 5 + 5 + 5 + 1) * apart(0, home[0]));
    assert_int_equal(r->sent[OMNI_ANSWER], 0);
    assert_int_equal(r->sent[OMNI_STORED], 1);
    job_close(&j);
}

/* ------------------------------------------------------------------ kernels */

static uint64_t chains_of(const char *path, bool split) {
    struct diag d = {0};
    struct run_options o = {.reference = ref_find};
    struct run *run = run_open(path, &o, &d);
    struct chain_share *s = chain_share_create(run_module(run), split);
    struct stream *stream = run_stream(run);
    struct stream_event e;
    while (stream_next(stream, &e) == STREAM_EVENT)
        chain_share_add(s, &e);
    uint64_t n = chain_share_pattern(s, 0)->chains;
    chain_share_free(s);
    run_close(run);
    diag_free(&d);
    return n;
}

static void check_books(const struct omni_result *r) {
    uint64_t whys = 0;
    for (int i = 0; i < OMNI_WHYS; i++)
        whys += r->why[i];
    assert_int_equal(whys, r->settings.mode == OMNI_OFF ? 0 : r->chains);
    /* what the messages should cost, and what went over the links */
    assert_int_equal(omni_sum(r->weighted), r->links);
    assert_int_equal(r->sent[OMNI_LINE], r->sent[OMNI_LOAD]);
    assert_int_equal(r->sent[OMNI_STORED], r->sent[OMNI_STORE]);
    assert_int_equal(r->sent[OMNI_RESULT], r->sent[OMNI_ATOMIC]);
    assert_int_equal(r->sent[OMNI_COMPUTE], r->packets);
    assert_true(r->sent[OMNI_ANSWER] + r->returned <= r->packets);
    assert_int_equal(r->l1.load_misses, r->loads);
}

/* A kernel in all modes: the same chains as are counted in its stream; with
 * nothing sent back the cores do what the chains do not. */
static void kernels(void **state) {
    (void)state;
    static const char *const files[] = {
        "kernels/axpy/axpy.yml",     "kernels/bfs/bfs.yml",
        "kernels/kmeans/kmeans.yml", "kernels/reduce/reduce_global.yml",
        "kernels/srad/srad.yml",     "kernels/compare/compare.yml"};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        uint64_t chains = chains_of(files[f], false), all = 0;
        for (uint32_t mode = OMNI_OFF; mode <= OMNI_ALL; mode++) {
            struct job j;
            job_open(&j, files[f], NULL);
            j.s->mode = mode;
            const struct omni_result *r = job_run(&j);
            check_books(r);
            assert_true(r->chains > 0 && r->chains <= chains);
            if (mode == OMNI_OFF)
                all = r->instructions;
            assert_true(r->returned || r->instructions + r->far == all);
            job_close(&j);
        }
    }
}

/* Few entries, few places: chains stay or come back, and all ends. */
static void full_queues(void **state) {
    (void)state;
    struct job j;
    job_open(&j, "kernels/kmeans/kmeans.yml", NULL);
    j.s->entries = 2;
    j.s->places = 1;
    const struct omni_result *r = job_run(&j);
    check_books(r);
    assert_true(r->why[OMNI_FULL] > 0);
    assert_true(r->returned > 0);
    assert_int_equal(r->places_peak, 1);
    job_close(&j);
}

/* Service queues that return everything: the window begins as wide as the
 * offload queue, so it refuses chains once it has narrowed; one packet is always
 * allowed. */
static void window(void **state) {
    (void)state;
    uint64_t returned[2];
    for (uint32_t w = 0; w < 2; w++) {
        struct job j;
        job_open(&j, "kernels/kmeans/kmeans.yml", NULL);
        j.s->places = 0;
        j.s->entries = 4;
        j.s->window = 4 * w;
        const struct omni_result *r = job_run(&j);
        check_books(r);
        returned[w] = r->returned;
        assert_true(r->returned > 0 && r->returned == r->packets);
        assert_int_equal(r->why[OMNI_WINDOW] > 0, w == 1);
        job_close(&j);
    }
    assert_true(returned[1] < returned[0]);
}

/* Another order of warps: the same instructions, at other times. */
static void greedy(void **state) {
    (void)state;
    uint64_t cycles[2], instructions[2];
    for (uint32_t gto = 0; gto < 2; gto++) {
        struct job j;
        job_open(&j, "kernels/srad/srad.yml", NULL);
        j.s->mode = OMNI_OFF;
        j.s->scheduler = gto;
        const struct omni_result *r = job_run(&j);
        check_books(r);
        cycles[gto] = r->cycles;
        instructions[gto] = r->instructions;
        job_close(&j);
    }
    assert_int_equal(instructions[0], instructions[1]);
    assert_true(cycles[0] != cycles[1]);
}

/* Fewer virtual channels: the same messages, and packets wait behind others. */
static void one_channel(void **state) {
    (void)state;
    uint64_t cycles[2], hops[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct job j;
        job_open(&j, "kernels/srad/srad.yml", NULL);
        j.s->mode = OMNI_OFF;
        j.s->channels = 2 - i;
        const struct omni_result *r = job_run(&j);
        check_books(r);
        cycles[i] = r->cycles;
        hops[i] = omni_sum(r->hops);
        job_close(&j);
    }
    assert_int_equal(hops[0], hops[1]);
    assert_true(cycles[1] > cycles[0]);
}

/* A chain with a line that the L1 has, or awaits, stays: where all do no line
 * is asked for twice. */
static void hits_stay(void **state) {
    (void)state;
    struct job j;
    job_open(&j, "kernels/srad/srad.yml", NULL);
    const struct omni_result *r = job_run(&j);
    assert_true(r->why[OMNI_HIT] > r->why[OMNI_WENT]);
    assert_true(r->why[OMNI_HIT] > r->chains / 2);
    job_close(&j);
}

/* The same options, the same report. */
static void repeats(void **state) {
    (void)state;
    uint64_t cycles = 0;
    for (int i = 0; i < 2; i++) {
        struct job j;
        job_open(&j, "kernels/bfs/bfs.yml", NULL);
        const struct omni_result *r = job_run(&j);
        assert_true(i == 0 || r->cycles == cycles);
        cycles = r->cycles;
        job_close(&j);
    }
}

/* --------------------------------------------------------------------- bad */

static void refuses(void **state) {
    (void)state;
    struct job j;
    job_open(&j, NULL, "small");
    j.s->l1 = 1000;
    j.s->l2 = 1000;
    assert_false(omni_preset.check(j.s, &j.d));
    const char *said = diag_captured(&j.d);
    assert_non_null(strstr(said, "'--l1' is 1000 bytes"));
    assert_non_null(strstr(said, "'--l2' is 1000 bytes"));
    assert_false(omni_preset.take(j.s, "mode", "all", &j.d));
    assert_non_null(strstr(diag_captured(&j.d), "off|llc|omni"));
    job_close(&j);
    static const char *const bad[][2] = {
        {"4x4", "expected columns, rows and memory nodes"},
        {"x4:1", "expected columns, rows and memory nodes"},
        {"99x4:1", "mesh.width"},
        {"4x4:1,16", "mesh.memory_nodes"},
        {"4x4:1,b", "mesh.memory_nodes"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        job_open(&j, NULL, "small");
        assert_false(omni_preset.take(j.s, "mesh", bad[i][0], &j.d));
        assert_non_null(strstr(diag_captured(&j.d), bad[i][1]));
        job_close(&j);
    }
    job_open(&j, NULL, "small");
    struct system_job trace = {
        .stream = run_stream(j.run), .path = "k", .diag = &j.d};
    assert_null(omni_preset.run(j.s, &trace));
    assert_non_null(strstr(diag_captured(&j.d), "which a trace does not have"));
    job_close(&j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_by_hand),      cmocka_unit_test(omni_by_hand),
        cmocka_unit_test(llc_refuses),      cmocka_unit_test(llc_by_hand),
        cmocka_unit_test(returned_by_hand), cmocka_unit_test(another_mesh),
        cmocka_unit_test(kernels),          cmocka_unit_test(full_queues),
        cmocka_unit_test(window),           cmocka_unit_test(greedy),
        cmocka_unit_test(one_channel),      cmocka_unit_test(hits_stay),
        cmocka_unit_test(repeats),          cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
