/* test_cluster.c - libndp on a golden machine of two cores: who takes which
 * CTA, local memory of each core, faults and counters of the second one, and
 * sizes that do not go together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/relay.h"
#include "frame/model.h"
#include "runtime/ndp.h"
#include "runtime/runtime.h"
#include "sim/retire/retire.h"
#include "tests/common/diag_capture.h"
#include "tests/common/kernel_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"
#define NUMBER                                                                 \
    ".reg .b64 %rd<8>;\n.reg .b32 %r<12>;\n.reg .pred %p<2>;\n"                \
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"  \
    "mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r1, %r3, %r2;\n"                  \
    "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"

static const char ptx[] = HEAD
    /* each thread its number, and all of them a sum behind the last */
    ".visible .entry fill(.param .u64 p, .param .u64 sum)\n{\n" NUMBER
    "ld.param.u64 %rd4, [sum];\nst.global.u32 [%rd3], %r4;\n"
    "red.global.add.u32 [%rd4], %r4;\nret;\n}\n"
    /* through local memory, at the same place of every core */
    ".visible .entry keep(.param .u64 p)\n{\n.local .align 4 .b8 "
    "room[16];\n" NUMBER
    "mov.u64 %rd4, room;\nand.b32 %r5, %r2, 3;\nmul.wide.u32 %rd5, %r5, 4;\n"
    "add.s64 %rd6, %rd4, %rd5;\nst.local.u32 [%rd6], %r4;\nbar.sync 0;\n"
    "ld.local.u32 %r6, [%rd6];\nst.global.u32 [%rd3], %r6;\nret;\n}\n"
    /* CTA 3 alone is at fault: it reads beside a word, or never ends */
    ".visible .entry odd(.param .u64 p)\n{\n" NUMBER
    "setp.ne.u32 %p1, %r1, 3;\n@%p1 bra OUT;\nld.global.u32 %r5, [%rd1+2];\n"
    "st.global.u32 [%rd3], %r5;\nOUT: ret;\n}\n"
    ".visible .entry stuck(.param .u64 p)\n{\n" NUMBER
    "setp.ne.u32 %p1, %r1, 3;\n@%p1 bra OUT;\nL: bra L;\nOUT: ret;\n}\n";

enum { CORES = 2, MOST = 40 };

struct room {
    ndpDevice device;
    ndpModule module;
    ndpDevicePtr at, sum;
    char *image;
    size_t bytes;
};

static void good(const struct room *w, ndpResult got) {
    if (got != NDP_SUCCESS)
        fail_msg("%s", ndpGetErrorString(w->device));
}

static void expect(const struct room *w, ndpResult got, ndpResult want,
                   const char *says) {
    const char *text = ndpGetErrorString(w->device);
    if (got != want || !strstr(text, says))
        fail_msg("expected %s with '%s', got %s with '%s'",
                 ndpGetErrorName(want), says, ndpGetErrorName(got), text);
}

static int setup(void **state) {
    static struct room w;
    memset(&w, 0, sizeof w);
    w.image = kernel_image(ptx, 16, &w.bytes);
    assert_int_equal(ndpInit(0), NDP_SUCCESS);
    assert_int_equal(ndpDeviceOpen(&w.device, "golden:cluster_tiny"),
                     NDP_SUCCESS);
    good(&w, ndpModuleLoadData(&w.module, w.device, w.image, w.bytes));
    good(&w, ndpMemAlloc(&w.at, w.device, 4 * MOST));
    good(&w, ndpMemAlloc(&w.sum, w.device, 4));
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    struct room *w = *state;
    ndpDeviceClose(w->device);
    free(w->image);
    return 0;
}

/* Of CTAs of four threads.  Memory is as nothing has written it before. */
static ndpResult launch_for(struct room *w, const char *name, unsigned ctas,
                            unsigned milliseconds) {
    ndpFunction f = NULL;
    uint32_t none[MOST], zero = 0;
    memset(none, 0xff, sizeof none);
    good(w, ndpMemcpyHtoD(w->device, w->at, none, sizeof none));
    good(w, ndpMemcpyHtoD(w->device, w->sum, &zero, sizeof zero));
    good(w, ndpModuleGetFunction(&f, w->module, name));
    ndpArgument arguments[] = {NDP_ARG(w->at), NDP_ARG(w->sum)};
    int n = strcmp(name, "fill") == 0 ? 2 : 1;
    good(w, ndpLaunchKernel(f, ctas, 1, 1, 4, 1, 1, 0, arguments, n));
    return ndpCtxSynchronize(w->device, milliseconds);
}

static ndpResult launch(struct room *w, const char *name, unsigned ctas) {
    return launch_for(w, name, ctas, 0);
}

/* So many CTAs have written, and nobody else. */
static void expect_numbers(struct room *w, unsigned ctas) {
    uint32_t got[MOST];
    good(w, ndpMemcpyDtoH(w->device, got, w->at, sizeof got));
    for (unsigned i = 0; i < MOST; i++)
        assert_int_equal(got[i], i < 4 * ctas ? i : UINT32_MAX);
}

static uint32_t relay_counter(struct room *w, int core, int counter) {
    struct ndp_access a = {
        NDP_READ,
        w->device->relays[core] +
            (uint32_t)(iface_first_counter(&relay_iface) + counter),
        0};
    good(w, ndp_accesses(w->device, &a, 1));
    return a.data;
}

/* Core c of n takes CTAs c, c + n, ..., in launches of any number of them. */
static void test_shares(void **state) {
    struct room *w = *state;
    for (int n = CORES; n > 0; n--) {
        good(w, ndpDeviceSetCores(w->device, n));
        for (unsigned ctas = 1; ctas <= 10; ctas += 3) {
            uint32_t sum;
            uint64_t all;
            good(w, ndpDeviceClearCounters(w->device));
            good(w, launch(w, "fill", ctas));
            expect_numbers(w, ctas);
            good(w, ndpMemcpyDtoH(w->device, &sum, w->sum, sizeof sum));
            assert_int_equal(sum, 2 * ctas * (4 * ctas - 1));
            for (int c = 0; c < CORES; c++) {
                uint32_t want =
                    c < n ? (ctas + (uint32_t)(n - 1 - c)) / (uint32_t)n : 0;
                assert_int_equal(relay_counter(w, c, RELAY_CNT_cta), want);
            }
            good(w, ndpDeviceGetCounter(&all, w->device, "cta"));
            assert_int_equal(all, ctas);
        }
    }
}

static void test_cores(void **state) {
    struct room *w = *state;
    char name[64];
    int n;
    size_t all;
    good(w, ndpDeviceGetCores(&n, w->device));
    assert_int_equal(n, CORES);
    expect(w, ndpDeviceSetCores(w->device, 0), NDP_ERROR_INVALID_VALUE,
           "0 cores, expected 1 to 2");
    expect(w, ndpDeviceSetCores(w->device, 3), NDP_ERROR_INVALID_VALUE,
           "3 cores, expected 1 to 2");
    good(w, ndpDeviceGetName(name, sizeof name, w->device));
    assert_memory_equal(name, "ndp_cluster ", 12);
    good(w, ndpDeviceTotalMem(&all, w->device));
    assert_int_equal(all, 4096); /* of both memories */
    good(w, launch(w, "fill", 5));
    expect_numbers(w, 5);
}

/* A machine of one core has one, and no more. */
static void test_one_core(void **state) {
    struct room w = {0};
    int n;
    (void)state;
    assert_int_equal(ndpDeviceOpen(&w.device, "golden:tiny"), NDP_SUCCESS);
    good(&w, ndpDeviceGetCores(&n, w.device));
    assert_int_equal(n, 1);
    good(&w, ndpDeviceSetCores(w.device, 1));
    expect(&w, ndpDeviceSetCores(w.device, 2), NDP_ERROR_INVALID_VALUE,
           "2 cores, expected 1 to 1");
    ndpDeviceClose(w.device);
}

/* Two threads of two cores in the same place each have a word of their own. */
static void test_local(void **state) {
    struct room *w = *state;
    for (unsigned ctas = 1; ctas <= 10; ctas++) {
        good(w, launch(w, "keep", ctas));
        expect_numbers(w, ctas);
    }
}

/* Of the second core, CTA 3 being its second; and then all is well again. */
static void test_faults(void **state) {
    struct room *w = *state;
    ndpFault fault;
    expect(w, launch(w, "odd", 8), NDP_ERROR_LAUNCH_FAILED,
           "kernel 'odd': misaligned address");
    expect(w, NDP_SUCCESS, NDP_SUCCESS, ", core 1, warp ");
    good(w, ndpDeviceGetFault(&fault, w->device));
    assert_int_equal(fault.address, w->at + 2);
    good(w, launch(w, "fill", 8));
    expect_numbers(w, 8);

    expect(w, launch_for(w, "stuck", 8, 50), NDP_ERROR_LAUNCH_TIMEOUT, "");
    good(w, launch(w, "keep", 8));
    expect_numbers(w, 8);

    /* which nobody can keep */
    good(w, ndpDeviceSetWatchdog(w->device, 1));
    expect(w, launch(w, "keep", 8), NDP_ERROR_LAUNCH_FAILED, "watchdog");
    expect(w, NDP_SUCCESS, NDP_SUCCESS, ", core ");
    good(w, ndpDeviceSetWatchdog(w->device, 1000000));
    good(w, launch(w, "keep", 8));
    expect_numbers(w, 8);

    good(w, ndpDeviceSetCores(w->device, 1));
    expect(w, launch(w, "odd", 8), NDP_ERROR_LAUNCH_FAILED, ", core 0, warp ");
    good(w, launch(w, "fill", 8));
    expect_numbers(w, 8);
}

/* What a core retires: the CTAs that it took, and nothing of the others. */
static void test_traces(void **state) {
    struct room *w = *state;
    int cores;
    good(w, ndpDeviceGetCores(&cores, w->device));
    for (int core = 0; core < cores; core++) {
        char *text = NULL, line[64];
        size_t n = 0;
        struct arena arena = {0};
        struct diag d = {0};
        FILE *f = open_memstream(&text, &n);
        assert_non_null(f);
        good(w, ndpDeviceSetTraceOf(w->device, core, f));
        good(w, launch(w, "fill", 5));
        good(w, ndpDeviceSetTrace(w->device, NULL));
        fclose(f);
        snprintf(line, sizeof line, " ctas %d,%d\n", core, cores);
        assert_non_null(strstr(text, line));
        struct source s = {"trace", text, n};
        struct retire_trace *t = retire_read(&arena, &s, &d);
        assert_non_null(t);
        assert_int_equal(t->n_launches, 1);
        const struct retire_launch *l = &t->launches[0];
        assert_true(l->n > 0 && l->end == RETIRE_DONE);
        int last = -1;
        for (int i = 0; i < l->n; i++) {
            assert_int_equal(l->passes[i].cta % cores, core);
            last = l->passes[i].cta > last ? l->passes[i].cta : last;
        }
        assert_true(last < 5 && last + cores >= 5);
        arena_free(&arena);
        diag_free(&d);
        free(text);
        expect_numbers(w, 5);
    }
    expect(w, ndpDeviceSetTraceOf(w->device, cores, stdout),
           NDP_ERROR_INVALID_VALUE, "expected 0 to");
}

/* The untimed machine has one core, which leaves the same. */
static void test_untimed(void **state) {
    struct room *w = *state, u = *w;
    assert_int_equal(ndpDeviceOpen(&u.device, "untimed:cluster_tiny"),
                     NDP_SUCCESS);
    good(&u, ndpModuleLoadData(&u.module, u.device, u.image, u.bytes));
    good(&u, ndpMemAlloc(&u.at, u.device, 4 * MOST));
    good(&u, ndpMemAlloc(&u.sum, u.device, 4));
    good(&u, launch(&u, "keep", 10));
    expect_numbers(&u, 10);
    ndpDeviceClose(u.device);
}

/* Sizes that do not go together, with the rule. */
static void test_refused(void **state) {
    static const struct {
        const char *set, *says;
    } cases[] = {
        {"share.nodes=4",
         "the host needs a node of its own: 'mesh.width' times "
         "'mesh.height' must be above 'share.nodes'"},
        {"noc.lanes=2", "'noc.lanes' must be 1 in target 'cluster', got 2"},
        {"simt.dispatch=all", "'simt.dispatch' must be step"},
        {"relay.warps=3", "'relay.warps' is computed from 'simt.warps'"},
        {"simt.warps=3", "must be 3, got 2; set 'simt.warps' instead"},
        {"memory.sector=8", "'memory.sector' is computed from 'simt.sector'"},
        {"memory.id_bits=4",
         "'memory.id_bits' is computed from 'simt.requests', 'mesh.width' and "
         "'mesh.height'"},
    };
    const struct iface *cluster = golden_find("cluster")->iface;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config c;
        struct diag d = {0};
        assert_true(config_preset(&c, "cluster_tiny", &d));
        assert_true(iface_check(cluster, &c, &d));
        assert_true(config_set(&c, cases[i].set, &d));
        if (iface_check(cluster, &c, &d))
            fail_msg("'%s' is taken", cases[i].set);
        char *got = diag_captured(&d);
        if (!strstr(got, cases[i].says))
            fail_msg("'%s' gives:\n%s", cases[i].set, got);
        free(got);
        diag_free(&d);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_shares),
        TEST(test_cores),
        cmocka_unit_test(test_one_core),
        TEST(test_local),
        TEST(test_faults),
        TEST(test_traces),
        TEST(test_untimed),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
