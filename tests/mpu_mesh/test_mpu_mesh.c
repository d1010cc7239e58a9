/* test_mpu_mesh.c - libndp on golden cores of MPU on a mesh: all near-bank
 * units are told the policy and counted, and atomics of both cores on words of
 * both are all carried out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dies.h"
#include "runtime/ndp.h"
#include "runtime/runtime.h"
#include "tests/common/kernel_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each thread stores its number in a byte of its own, and adds it to two words,
 * one of each core, again and again, as all others do. */
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u64 q)\n{\n"
    ".reg .b64 %rd<8>;\n.reg .b32 %r<8>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd4, [q];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r4, %r1, %r3, %r2;\nmov.u32 %r5, 0;\n"
    "cvt.u64.u32 %rd2, %r4;\nadd.s64 %rd3, %rd4, %rd2;\n"
    "st.global.u8 [%rd3], %r4;\n"
    "L:\nred.global.add.u32 [%rd1], %r4;\n"
    "red.global.add.u32 [%rd1+64], %r4;\n"
    "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 8;\n@%p1 bra L;\nret;\n}\n";

enum { CORES = 2, THREADS = 8, CTAS = 5, ALL = THREADS * CTAS };
enum { TIMES = 8, WORDS = 32, SECOND = 16 /* in the next chunk */ };

struct room {
    ndpDevice device;
    ndpModule module;
    ndpDevicePtr words, bytes;
    char *image;
    size_t n;
};

static void good(const struct room *w, ndpResult got) {
    if (got != NDP_SUCCESS)
        fail_msg("%s", ndpGetErrorString(w->device));
}

static int setup(void **state) {
    static struct room w;
    memset(&w, 0, sizeof w);
    w.image = kernel_image(ptx, 24, &w.n);
    assert_int_equal(ndpInit(0), NDP_SUCCESS);
    assert_int_equal(ndpDeviceOpen(&w.device, "golden:mpu_mesh_tiny"),
                     NDP_SUCCESS);
    good(&w, ndpModuleLoadData(&w.module, w.device, w.image, w.n));
    good(&w, ndpMemAlloc(&w.words, w.device, 4 * WORDS));
    good(&w, ndpMemAlloc(&w.bytes, w.device, ALL));
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    struct room *w = *state;
    ndpDeviceClose(w->device);
    free(w->image);
    return 0;
}

static uint32_t unit_register(const struct room *w, int core, int at) {
    struct ndp_access a = {NDP_READ, w->device->units.v[core] + (uint32_t)at,
                           0};
    good(w, ndp_accesses(w->device, &a, 1));
    return a.data;
}

static void test_policy(void **state) {
    const struct room *w = *state;
    int cores;
    good(w, ndpDeviceGetCores(&cores, w->device));
    assert_int_equal(cores, CORES);
    assert_int_equal(w->device->units.n, CORES);
    for (int p = NDP_POLICY_FAR; p >= NDP_POLICY_ANNOTATED; p--) {
        good(w, ndpDeviceSetPolicy(w->device, (ndpPolicy)p));
        for (int c = 0; c < CORES; c++)
            assert_int_equal(unit_register(w, c, REG_FIRST + DIES_SET_policy),
                             p);
    }
}

static void launch(struct room *w, int cores) {
    ndpFunction f = NULL;
    uint32_t zero[WORDS] = {0};
    ndpArgument arguments[] = {NDP_ARG(w->words), NDP_ARG(w->bytes)};
    good(w, ndpDeviceSetCores(w->device, cores));
    good(w, ndpDeviceClearCounters(w->device));
    good(w, ndpMemcpyHtoD(w->device, w->words, zero, sizeof zero));
    good(w, ndpMemcpyHtoD(w->device, w->bytes, zero, ALL));
    good(w, ndpModuleGetFunction(&f, w->module, "add"));
    good(w, ndpLaunchKernel(f, CTAS, 1, 1, THREADS, 1, 1, 0, arguments, 2));
    good(w, ndpCtxSynchronize(w->device, 0));
}

static void test_atomics(void **state) {
    struct room *w = *state;
    for (int p = NDP_POLICY_ANNOTATED; p <= NDP_POLICY_FAR; p++)
        for (int cores = 1; cores <= CORES; cores++) {
            uint32_t got[WORDS];
            uint8_t byte[ALL];
            good(w, ndpDeviceSetPolicy(w->device, (ndpPolicy)p));
            launch(w, cores);
            good(w, ndpMemcpyDtoH(w->device, got, w->words, sizeof got));
            good(w, ndpMemcpyDtoH(w->device, byte, w->bytes, ALL));
            for (int i = 0; i < WORDS; i++)
                assert_int_equal(got[i],
                                 i % SECOND ? 0 : TIMES * ALL * (ALL - 1) / 2);
            for (int i = 0; i < ALL; i++)
                assert_int_equal(byte[i], i);
        }
}

/* What all units counted is what each of them did. */
static void test_counters(void **state) {
    struct room *w = *state;
    int at = 0;
    uint64_t all;
    launch(w, CORES);
    while (strcmp(ndpDeviceUnitCounterName(at), "accepted") != 0)
        at++;
    uint32_t sum = 0;
    for (int c = 0; c < CORES; c++) {
        uint32_t n = unit_register(w, c, iface_first_counter(&dies_iface) + at);
        assert_true(n > 0);
        sum += n;
    }
    good(w, ndpDeviceGetUnitCounter(&all, w->device, "accepted"));
    assert_int_equal(all, sum);
    good(w, ndpDeviceClearCounters(w->device));
    good(w, ndpDeviceGetUnitCounter(&all, w->device, "accepted"));
    assert_int_equal(all, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
