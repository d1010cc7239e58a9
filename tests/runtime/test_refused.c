/* test_refused.c - what a machine cannot run, and what it stops: each a clear
 * error, after which the device computes as before.
 *
 * The device is that of NDP_TEST_DEVICE, or golden:small: a machine of preset
 * small.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "isa/isa.h"
#include "ptx/ptx.h"
#include "runtime/ndp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

/* Lines are counted from 1; the first three are HEAD's. */
static const char ptx[] = HEAD
    ".visible .entry fill(.param .u64 p, .param .u32 v)\n{\n" /* 4, 5 */
    ".reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nadd.u32 %r3, %r2, %r1;\n"
    "st.global.u32 [%rd3], %r3;\nret;\n}\n"                 /* 14 to 16 */
    ".visible .entry load(.param .u64 p)\n{\n"              /* 17, 18 */
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"                 /* 19, 20 */
    "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\n" /* 21, 22 */
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"                 /* 23 to 25 */
    ".visible .entry meet()\n{\n"                           /* 26, 27 */
    ".reg .pred %p<2>;\n.reg .b32 %r<3>;\n"
    "mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\n"
    "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra OVER;\n"  /* 32, 33 */
    "bar.sync 0;\nOVER:\nmembar.gl; ret;\n}\n"    /* 34 to 37 */
    ".visible .entry stop()\n{\ntrap;\nret;\n}\n" /* 38 to 42: trap is 40 */
    ".visible .entry spin()\n{\nL: bra L;\n}\n"   /* 43 to 46 */
    ".visible .entry swap(.param .u64 p)\n{\n"    /* 47, 48 */
    ".reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
    "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n" /* 53 */
    "st.global.u32 [%rd1], %r2;\nret;\n}\n"
    ".visible .entry deep(.param .u64 p)\n{\n" /* 57, 58 */
    ".reg .b64 %rd<2>;\n.reg .b32 %r<9>;\n.reg .pred %p<9>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n"
    "setp.lt.u32 %p1, %r1, 1;\n@%p1 bra A;\nadd.u32 %r2, %r2, 1;\n" /* 66 */
    "setp.lt.u32 %p2, %r1, 2;\n@%p2 bra B;\nadd.u32 %r2, %r2, %r1;\n"
    "setp.lt.u32 %p3, %r1, 3;\n@%p3 bra C;\nst.global.u32 [%rd1], %r1;\n"
    "C:\nmul.lo.u32 %r2, %r2, 3;\nst.global.u32 [%rd1+4], %r2;\n"
    "B:\nadd.u32 %r2, %r2, 5;\nst.global.u32 [%rd1+8], %r2;\n"
    "A:\nst.global.u32 [%rd1+12], %r2;\nret;\n}\n"
    ".visible .entry local(.param .u64 p)\n{\n"
    ".local .align 4 .b8 own[2048];\n.reg .b64 %rd<5>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 4;\nmov.u64 %rd3, own;\n"
    "add.s64 %rd4, %rd3, %rd2;\nst.local.u32 [%rd4], %r1;\n"
    "ld.local.u32 %r2, [%rd4+4];\nst.global.u32 [%rd1], %r2;\nret;\n}\n"
    ".visible .entry many(.param .u32 a, .param .u32 b, .param .u32 c,\n"
    ".param .u32 d, .param .u32 e, .param .u32 f, .param .u32 g,\n"
    ".param .u32 h, .param .u32 i, .param .u32 j, .param .u32 k,\n"
    ".param .u32 l, .param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nld.param.u64 %rd1, [p];\n"
    "ld.param.u32 %r1, [l];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

struct room {
    ndpDevice device;
    ndpModule module;
};

static struct isa_image *generate(struct arena *a, const char *text) {
    struct diag d = {0};
    struct source source = {"test.ptx", text, strlen(text)};
    struct code_options o = {.registers = 16};
    const struct ptx_module *m = ptx_read(a, &source, &d);
    struct isa_image *image = m ? code_generate(a, m, NULL, &o, &d) : NULL;
    diag_flush(&d, stderr);
    assert_non_null(image);
    diag_free(&d);
    return image;
}

static ndpResult load(struct room *w, const struct isa_image *image,
                      ndpModule *m) {
    char *bytes = NULL;
    size_t n = 0;
    const char *why = NULL;
    FILE *f = open_memstream(&bytes, &n);
    assert_true(isa_image_write(image, f, &why));
    fclose(f);
    ndpResult r = ndpModuleLoadData(m, w->device, bytes, n);
    free(bytes);
    return r;
}

static void expect(const struct room *w, ndpResult got, ndpResult want,
                   const char *says) {
    const char *text = ndpGetErrorString(w->device);
    if (got != want || !strstr(text, says))
        fail_msg("expected %s with '%s', got %s with '%s'",
                 ndpGetErrorName(want), says, ndpGetErrorName(got), text);
}

static void good(const struct room *w, ndpResult got) {
    if (got != NDP_SUCCESS)
        fail_msg("%s", ndpGetErrorString(w->device));
}

static int setup(void **state) {
    static struct room w;
    const char *url = getenv("NDP_TEST_DEVICE");
    struct arena a = {0};
    w = (struct room){0};
    ndpResult r = ndpDeviceOpen(&w.device, url ? url : "golden:small");
    if (r == NDP_SUCCESS)
        r = load(&w, generate(&a, ptx), &w.module);
    arena_free(&a);
    if (r != NDP_SUCCESS)
        fprintf(stderr, "%s\n", ndpGetErrorString(w.device));
    *state = &w;
    return r != NDP_SUCCESS;
}

static int teardown(void **state) {
    struct room *w = *state;
    ndpDeviceClose(w->device);
    return 0;
}

static ndpFunction kernel(const struct room *w, const char *name) {
    ndpFunction f = NULL;
    good(w, ndpModuleGetFunction(&f, w->module, name));
    return f;
}

/* Nine threads, which are two warps. */
static ndpResult start(const struct room *w, const char *name,
                       const ndpArgument *arguments, unsigned n) {
    return ndpLaunchKernel(kernel(w, name), 1, 1, 1, 9, 1, 1, 0, arguments, n);
}

static void use(const struct room *w) {
    uint32_t value = 7, got[9] = {0};
    ndpDevicePtr at;
    good(w, ndpMemAlloc(&at, w->device, sizeof got));
    good(w, ndpMemsetD8(w->device, at, 0xff, sizeof got));
    ndpArgument arguments[] = {NDP_ARG(at), NDP_ARG(value)};
    good(w, start(w, "fill", arguments, 2));
    good(w, ndpCtxSynchronize(w->device, 0));
    good(w, ndpMemcpyDtoH(w->device, got, at, sizeof got));
    for (uint32_t i = 0; i < 9; i++)
        assert_int_equal(got[i], 7 + i);
    good(w, ndpMemFree(w->device, at));
}

/* --- faults --------------------------------------------------------------- */

/* The launch is stopped with this cause at this line, and says so; so does the
 * call that waits, whichever it is. */
static void stopped(const struct room *w, const char *name,
                    const ndpArgument *arguments, unsigned n, int cause,
                    int line, const char *says) {
    ndpFault fault;
    uint32_t word;
    good(w, start(w, name, arguments, n));
    expect(w, ndpMemcpyDtoH(w->device, &word, 256, 4), NDP_ERROR_LAUNCH_FAILED,
           says);
    good(w, ndpDeviceGetFault(&fault, w->device));
    assert_int_equal(fault.cause, cause);
    assert_int_equal(fault.line, line);
    assert_string_equal(fault.kernel, name);
    good(w, ndpCtxSynchronize(w->device, 0)); /* it is told once */
    use(w);
}

static void test_addresses(void **state) {
    struct room *w = *state;
    ndpDevicePtr at, odd, null = 0, far = 0x100000;
    good(w, ndpMemAlloc(&at, w->device, 64));
    odd = at + 2;
    ndpArgument misaligned[] = {NDP_ARG(odd)}, nowhere[] = {NDP_ARG(null)},
                beyond[] = {NDP_ARG(far)};
    stopped(w, "load", misaligned, 1, 2, 22, "misaligned address");
    stopped(w, "load", nowhere, 1, 3, 22, "unmapped address");
    stopped(w, "load", beyond, 1, 3, 22, "unmapped address 0x100000");
    good(w, ndpMemFree(w->device, at));
}

static void test_flow(void **state) {
    struct room *w = *state;
    ndpDevicePtr at;
    good(w, ndpMemAlloc(&at, w->device, 64));
    ndpArgument arguments[] = {NDP_ARG(at)};
    stopped(w, "deep", arguments, 1, 4, 72, "stack overflow");
    stopped(w, "meet", NULL, 0, 6, 34, "barrier that some lanes do not reach");
    stopped(w, "stop", NULL, 0, 7, 40, "trap");
    good(w, ndpMemFree(w->device, at));
}

static void test_no_end(void **state) {
    struct room *w = *state;
    ndpFault fault;
    good(w, start(w, "spin", NULL, 0));
    expect(w, ndpCtxSynchronize(w->device, 50), NDP_ERROR_LAUNCH_TIMEOUT,
           "kernel 'spin' did not end in time and was stopped");
    expect(w, NDP_SUCCESS, NDP_SUCCESS, "PTX line 45");
    good(w, ndpDeviceGetFault(&fault, w->device));
    assert_int_equal(fault.line, 45);
    use(w);
    good(w, ndpDeviceSetWatchdog(w->device, 10));
    good(w, start(w, "spin", NULL, 0));
    expect(w, ndpCtxSynchronize(w->device, 0), NDP_ERROR_LAUNCH_FAILED,
           "nothing retired for too long (watchdog), warp 0, word");
    good(w, ndpDeviceGetFault(&fault, w->device));
    assert_int_equal(fault.cause, 9);
    assert_int_equal(fault.line, 45);
    good(w, ndpDeviceSetWatchdog(w->device, 100000));
    use(w);
}

/* A word that is no instruction, wherever it is found out. */
static void test_illegal(void **state) {
    struct room *w = *state;
    struct arena a = {0};
    struct isa_image *image = generate(&a, ptx);
    ndpModule m = NULL;
    ndpFunction f;
    int entry = isa_image_kernel(image, "stop")->entry;
    image->words[entry] = ~(uint64_t)0;
    ndpResult r = load(w, image, &m);
    if (r == NDP_SUCCESS) {
        good(w, ndpModuleGetFunction(&f, m, "stop"));
        good(w, ndpLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, 0));
        expect(w, ndpCtxSynchronize(w->device, 0), NDP_ERROR_LAUNCH_FAILED,
               "illegal word, warp 0");
        good(w, ndpModuleUnload(m));
    } else {
        expect(w, r, NDP_ERROR_INVALID_IMAGE, "word");
    }
    arena_free(&a);
    use(w);
}

/* --- too much ------------------------------------------------------------- */

static void test_sizes(void **state) {
    struct room *w = *state;
    ndpDevicePtr at, all, last;
    uint32_t v = 0;
    good(w, ndpMemAlloc(&at, w->device, 64));
    ndpArgument p[] = {NDP_ARG(at)}, pv[] = {NDP_ARG(at), NDP_ARG(v)}, many[13];
    for (int i = 0; i < 12; i++)
        many[i] = (ndpArgument)NDP_ARG(v);
    many[12] = (ndpArgument)NDP_ARG(at);
    expect(w, start(w, "many", many, 13), NDP_ERROR_LAUNCH_OUT_OF_RESOURCES,
           "kernel 'many' has 18 words of parameters, the device holds 16");
    expect(w, ndpLaunchKernel(kernel(w, "fill"), 1, 1, 1, 33, 1, 1, 0, pv, 2),
           NDP_ERROR_LAUNCH_OUT_OF_RESOURCES,
           "a block of 33 x 1 x 1 threads is more than the 32");
    expect(w, start(w, "local", p, 1), NDP_ERROR_OUT_OF_MEMORY,
           "no room for local memory of all threads of 65536 bytes: ");
    expect(w, start(w, "swap", p, 1), NDP_ERROR_NO_BINARY_FOR_GPU,
           "PTX line 53) and counts on 32, the device has 8");
    expect(w, ndpMemAlloc(&all, w->device, 1 << 20), NDP_ERROR_OUT_OF_MEMORY,
           "no room for memory of 1048576 bytes: 3584 of the 4096 bytes of the "
           "device's memory are free, 3584 at most in one piece");
    good(w, ndpMemAlloc(&all, w->device, 512));
    good(w, ndpMemAlloc(&last, w->device, 1024));
    good(w, ndpMemFree(w->device, all));
    expect(w, ndpMemAlloc(&all, w->device, 2200), NDP_ERROR_OUT_OF_MEMORY,
           "2560 of the 4096 bytes of the device's memory are free, 2048 at "
           "most in one piece");
    good(w, ndpMemFree(w->device, last));
    expect(w, start(w, "fill", p, 1), NDP_ERROR_INVALID_VALUE,
           "has 2 parameters, got 1");
    good(w, ndpMemFree(w->device, at));
    use(w);
}

static void test_images(void **state) {
    struct room *w = *state;
    struct arena a = {0};
    struct text t = {0};
    ndpModule m;
    text_add(&t, HEAD ".visible .entry long(.param .u64 p)\n{\n"
                      ".reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
                      "ld.param.u64 %rd1, [p];\n");
    for (int i = 0; i < 150; i++)
        text_printf(&t,
                    "ld.global.u32 %%r1, [%%rd1+%d];\n"
                    "st.global.u32 [%%rd1+%d], %%r1;\n",
                    4 * i, 4 * i + 8);
    text_add(&t, "ret;\n}\n");
    expect(w, load(w, generate(&a, text_str(&t)), &m),
           NDP_ERROR_NO_BINARY_FOR_GPU, "the device holds 256");
    text_free(&t);
    const char *data = HEAD ".global .align 4 .b8 table[5000];\n"
                            ".visible .entry f()\n{\nret;\n}\n";
    expect(w, load(w, generate(&a, data), &m), NDP_ERROR_OUT_OF_MEMORY,
           "no room for data of a module of 5000 bytes");
    expect(w, ndpModuleLoad(&m, w->device, "/nowhere.ndpx"),
           NDP_ERROR_FILE_NOT_FOUND, "cannot read '/nowhere.ndpx'");
    expect(w, ndpModuleLoadData(&m, w->device, "ELF?", 4),
           NDP_ERROR_INVALID_IMAGE, "is no image");
    arena_free(&a);
    use(w);
}

/* Copies stay within what was asked for, and bytes beside them as they were. */
static void test_copies(void **state) {
    struct room *w = *state;
    ndpDevicePtr at;
    uint8_t out[7] = {1, 2, 3, 4, 5, 6, 7}, in[7] = {0};
    char name[40];
    good(w, ndpMemAlloc(&at, w->device, sizeof out));
    good(w, ndpMemcpyHtoD(w->device, at, out, sizeof out));
    good(w, ndpMemcpyDtoH(w->device, in, at, sizeof in));
    assert_memory_equal(in, out, sizeof in);
    expect(w, ndpMemcpyHtoD(w->device, at, out, 8), NDP_ERROR_INVALID_VALUE,
           "8 bytes at");
    expect(w, ndpMemcpyDtoH(w->device, NULL, at, 4), NDP_ERROR_INVALID_VALUE,
           "has no host memory");
    good(w, ndpMemcpyHtoD(w->device, at, NULL, 0));
    good(w, ndpMemFree(w->device, at));
    good(w, ndpDeviceGetName(name, sizeof name, w->device));
    assert_int_equal(strlen(name), 27);
    assert_memory_equal(name, "ndp_system ", 11);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_addresses), TEST(test_flow),  TEST(test_no_end),
        TEST(test_illegal),   TEST(test_sizes), TEST(test_images),
        TEST(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
