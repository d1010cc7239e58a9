/* test_runtime.c - libndp on the smallest golden machine: what it refuses, and
 * that the device can be used afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/config.h"
#include "blocks/host.h"
#include "ref.h"
#include "runtime/golden_port.h"
#include "runtime/runtime.h"
#include "sim/retire/retire.h"
#include "sim/run/machine.h"
#include "tests/common/kernel_image.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".global .u32 total = 5;\n"
    ".visible .entry fill(.param .u64 p, .param .u32 v)\n{\n"
    ".reg .b64 %rd<4>;\n.reg .b32 %r<5>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r3, [total];\n"
    "add.u32 %r4, %r3, %r1;\nst.global.u32 [%rd3], %r4;\nret;\n}\n"
    ".visible .entry odd(.param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1+2];\n" /* line 24 */
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry stuck()\n{\nL: bra L;\n}\n"
    ".visible .entry big()\n{\n.shared .align 4 .b8 s[4096];\n"
    ".reg .b32 %r<2>;\nmov.u32 %r1, 1;\nst.shared.u32 [s], %r1;\nret;\n}\n"
    ".visible .entry timed(.param .u64 p)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %clock;\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n";

struct room {
    ndpDevice device;
    ndpModule module;
    char *image;
    size_t bytes;
};

static int setup(void **state) {
    static struct room w;
    memset(&w, 0, sizeof w);
    w.image = kernel_image(ptx, 16, &w.bytes);
    assert_int_equal(ndpInit(0), NDP_SUCCESS);
    assert_int_equal(ndpDeviceOpen(&w.device, "golden:tiny"), NDP_SUCCESS);
    assert_int_equal(ndpModuleLoadData(&w.module, w.device, w.image, w.bytes),
                     NDP_SUCCESS);
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    struct room *w = *state;
    ndpDeviceClose(w->device);
    free(w->image);
    return 0;
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

static ndpFunction kernel(const struct room *w, const char *name) {
    ndpFunction f = NULL;
    good(w, ndpModuleGetFunction(&f, w->module, name));
    return f;
}

/* The device computes what it should, whatever was before. */
static void use(struct room *w) {
    uint32_t value = 37, got[6] = {0};
    ndpDevicePtr at;
    good(w, ndpMemAlloc(&at, w->device, sizeof got));
    ndpArgument arguments[] = {NDP_ARG(at), NDP_ARG(value)};
    good(w,
         ndpLaunchKernel(kernel(w, "fill"), 1, 1, 1, 6, 1, 1, 0, arguments, 2));
    good(w, ndpCtxSynchronize(w->device, 0));
    good(w, ndpMemcpyDtoH(w->device, got, at, sizeof got));
    for (int i = 0; i < 6; i++)
        assert_int_equal(got[i], 42);
    good(w, ndpMemFree(w->device, at));
}

static void test_use(void **state) {
    struct room *w = *state;
    size_t all;
    int lanes;
    use(w);
    use(w);
    good(w, ndpDeviceTotalMem(&all, w->device));
    assert_int_equal(all, 4096);
    good(w, ndpDeviceGetAttribute(&lanes, NDP_ATTRIBUTE_LANES, w->device));
    assert_int_equal(lanes, 4);
}

static void test_urls(void **state) {
    static const struct {
        const char *url, *says;
    } bad[] = {
        {"goldn:tiny", "did you mean 'golden:...'"},
        {"golden:tinny", "did you mean 'tiny'"},
        {"golden:tom", "preset 'tom' sets nothing of a machine"},
        {"golden:near_bank", "such as 'plain'"},
        {"untimed:mpu_core", "'mpu_core' has none"},
        {"golden:/nowhere.yml", "cannot read '/nowhere.yml'"},
        {"verilator:/nowhere", "sh scripts/machine.sh verilator /nowhere"},
        {"", "expected golden:PRESET"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct room w = {0};
        expect(&w, NDP_SUCCESS, NDP_SUCCESS, "out of memory");
        ndpResult r = ndpDeviceOpen(&w.device, bad[i].url);
        expect(&w, r, NDP_ERROR_NO_DEVICE, bad[i].says);
        ndpDeviceClose(w.device);
    }
}

static void test_images(void **state) {
    struct room *w = *state;
    ndpModule m;
    for (size_t n = 0; n < w->bytes; n += n < 200 ? 1 : 37)
        if (ndpModuleLoadData(&m, w->device, w->image, n) !=
            NDP_ERROR_INVALID_IMAGE)
            fail_msg("an image cut to %zu of %zu bytes is taken", n, w->bytes);
    expect(w, ndpModuleLoadData(&m, w->device, "hello", 5),
           NDP_ERROR_INVALID_IMAGE, "is no image");
    use(w);
}

/* Twenty values at once, which need more registers than the machine has. */
static void test_configuration(void **state) {
    struct room *w = *state, large = {0};
    struct text t = {0};
    ndpModule m;
    text_add(&t, ".version 7.0\n.target sm_75\n.address_size 64\n"
                 ".visible .entry sum(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n"
                 ".reg .b32 %r<21>;\nld.param.u64 %rd1, [p];\n");
    for (int i = 0; i < 20; i++)
        text_printf(&t, "ld.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
    for (int i = 0; i < 19; i++)
        text_printf(&t, "mad.lo.u32 %%r%d, %%r%d, %%r%d, 7;\n", i + 1, i,
                    i + 1);
    text_add(&t, "st.global.u32 [%rd1], %r19;\nret;\n}\n");
    large.image = kernel_image(text_str(&t), 64, &large.bytes);
    expect(w, ndpModuleLoadData(&m, w->device, large.image, large.bytes),
           NDP_ERROR_NO_BINARY_FOR_GPU, "assemble it with --registers 16");
    free(large.image);
    text_free(&t);
    use(w);
}

static void test_names(void **state) {
    struct room *w = *state;
    ndpFunction f;
    ndpDevicePtr at;
    size_t bytes;
    uint64_t value;
    expect(w, ndpModuleGetFunction(&f, w->module, "fil"), NDP_ERROR_NOT_FOUND,
           "did you mean 'fill'");
    expect(w, ndpModuleGetGlobal(&at, &bytes, w->module, "totl"),
           NDP_ERROR_NOT_FOUND, "did you mean 'total'");
    expect(w, ndpDeviceGetCounter(&value, w->device, "cycels"),
           NDP_ERROR_NOT_FOUND, "did you mean 'cycles'");
    good(w, ndpModuleGetGlobal(&at, &bytes, w->module, "total"));
    assert_int_equal(bytes, 4);
    use(w);
    good(w, ndpDeviceGetCounter(&value, w->device, "cta"));
    assert_int_equal(value, 1);
    good(w, ndpDeviceClearCounters(w->device));
    good(w, ndpDeviceGetCounter(&value, w->device, "cta"));
    assert_int_equal(value, 0);
}

static void test_memory(void **state) {
    struct room *w = *state;
    ndpDevicePtr a, b, c;
    uint8_t out[32], in[32];
    expect(w, ndpMemAlloc(&a, w->device, 100000), NDP_ERROR_OUT_OF_MEMORY,
           "no room for memory of 100000 bytes");
    expect(w, ndpMemAlloc(&a, w->device, 0), NDP_ERROR_INVALID_VALUE, "1 byte");
    good(w, ndpMemAlloc(&a, w->device, 1200));
    good(w, ndpMemAlloc(&b, w->device, 1200));
    expect(w, ndpMemAlloc(&c, w->device, 3000), NDP_ERROR_OUT_OF_MEMORY,
           "no room");
    good(w, ndpMemFree(w->device, a));
    good(w, ndpMemAlloc(&c, w->device, 1100));
    assert_int_equal(a, c);
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(i * 7 + 1);
    for (unsigned from = 0; from < 5; from++)
        for (unsigned n = 0; n < 9; n++) {
            memset(in, 0xee, sizeof in);
            good(w, ndpMemcpyHtoD(w->device, b, in, sizeof in));
            good(w, ndpMemcpyHtoD(w->device, b + from, out, n));
            good(w, ndpMemcpyDtoH(w->device, in, b, sizeof in));
            for (unsigned i = 0; i < 32; i++)
                assert_int_equal(
                    in[i], i >= from && i < from + n ? out[i - from] : 0xee);
        }
    expect(w, ndpMemcpyHtoD(w->device, b + 3000, out, 32 * 1024),
           NDP_ERROR_INVALID_VALUE, "do not lie in memory");
    expect(w, ndpMemFree(w->device, b + 4), NDP_ERROR_INVALID_VALUE,
           "was not given");
    good(w, ndpMemFree(w->device, b));
    use(w);
}

/* On each preset of the machine with near-bank units every buffer begins at
 * the first of a round over them, and the first one behind null pointers. */
static void test_memory_of_units(void **state) {
    const char *name;
    int machines = 0;
    (void)state;
    for (int n = 0; (name = config_preset_name(n)); n++) {
        struct room w = {0};
        struct config c;
        struct diag d = {0};
        char url[64];
        ndpDevicePtr at[4];
        static const size_t bytes[4] = {1, 300, 1030, 4};
        if (strncmp(name, "mpu_core", 8) != 0)
            continue;
        machines++;
        assert_true(config_preset(&c, name, &d));
        snprintf(url, sizeof url, "golden:%s", name);
        assert_int_equal(ndpDeviceOpen(&w.device, url), NDP_SUCCESS);
        uint32_t round = (uint32_t)(c.vault_line * c.vault_units);
        uint32_t most =
            (uint32_t)(config_find("vault.units")->max * 4 * c.nbu_lanes);
        for (int i = 0; i < 4; i++) {
            good(&w, ndpMemAlloc(&at[i], w.device, bytes[i]));
            assert_true(at[i] >= 256);
            assert_int_equal(at[i] % round, 0);
            assert_int_equal(at[i] % most, 0);
        }
        for (int i = 1; i < 4; i++) /* no more is lost than that takes */
            assert_true(at[i] - at[i - 1] < bytes[i - 1] + most);
        ndpDeviceClose(w.device);
    }
    assert_true(machines >= 3);
}

/* A golden machine whose window never has done what it was asked for. */
struct silent {
    struct ndp_port base, *golden;
    uint32_t window; /* where its state is read */
};

static bool run_silent(struct ndp_port *p, struct ndp_access *list, int n,
                       struct text *why) {
    struct silent *s = (struct silent *)p;
    bool ok = s->golden->class->run(s->golden, list, n, why);
    for (int i = 0; i < n; i++)
        if (list[i].kind == NDP_READ && list[i].address == s->window)
            list[i].data |= 1;
    return ok;
}

static void close_silent(struct ndp_port *p) {
    struct silent *s = (struct silent *)p;
    s->golden->class->close(s->golden);
}

static void test_silent_memory(void **state) {
    static const struct ndp_port_class class = {.run = run_silent,
                                                .close = close_silent};
    (void)state;
    for (int reads = 0; reads < 2; reads++) {
        struct silent s = {{.class = &class}, NULL, 0};
        struct room w = {.device = calloc(1, sizeof *w.device)};
        struct text why = {0};
        uint32_t words[4] = {1, 2, 3, 4};
        s.golden = golden_port_open("tiny", &why);
        assert_non_null(s.golden);
        good(&w, ndp_attach(w.device, &s.base));
        good(&w, ndp_write_words(w.device, 256, words, 4));
        s.window = w.device->base + (uint32_t)(iface_first_status(&host_iface) +
                                               HOST_STA_window);
        expect(&w,
               reads ? ndp_read_words(w.device, 256, words, 4)
                     : ndp_write_words(w.device, 256, words, 4),
               NDP_ERROR_DEVICE_LOST, "its memory does not answer");
        ndpDeviceClose(w.device);
    }
}

static void test_launches(void **state) {
    struct room *w = *state;
    ndpFunction fill = kernel(w, "fill");
    uint32_t value = 1, at = 256;
    uint16_t half = 1;
    ndpArgument right[] = {NDP_ARG(at), NDP_ARG(value)};
    ndpArgument small[] = {NDP_ARG(at), NDP_ARG(half)};
    typedef ndpResult call(ndpFunction, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, const ndpArgument *,
                           unsigned);
    call *const calls[] = {ndpLaunchKernel, ndpLaunchCheck};
    uint64_t edges = w->device->port->edges;
    for (int i = 0; i < 2; i++) {
        expect(w, calls[i](fill, 1, 1, 1, 4, 1, 1, 0, right, 1),
               NDP_ERROR_INVALID_VALUE, "has 2 parameters, got 1");
        expect(w, calls[i](fill, 1, 1, 1, 4, 1, 1, 0, small, 2),
               NDP_ERROR_INVALID_VALUE, "has 4 bytes, got 2");
        expect(w, calls[i](fill, 1, 1, 1, 9, 1, 1, 0, right, 2),
               NDP_ERROR_LAUNCH_OUT_OF_RESOURCES, "more than the 8");
        expect(w, calls[i](fill, 1, 0, 1, 4, 1, 1, 0, right, 2),
               NDP_ERROR_INVALID_VALUE, "has no threads");
        expect(w, calls[i](fill, 1, 1, 1, 4, 1, 1, 1000, right, 2),
               NDP_ERROR_LAUNCH_OUT_OF_RESOURCES, "1000 bytes of shared");
        expect(w, calls[i](kernel(w, "big"), 1, 1, 1, 4, 1, 1, 0, NULL, 0),
               NDP_ERROR_LAUNCH_OUT_OF_RESOURCES, "4096 bytes of shared");
        assert_int_equal(w->device->port->edges, edges);
    }
    good(w, ndpLaunchCheck(fill, 1, 1, 1, 4, 1, 1, 0, right, 2));
    assert_int_equal(w->device->port->edges, edges);
    use(w);
}

/* A run description whose launch is refused: no buffer has gone there. */
static void test_refused_before_copies(void **state) {
    struct room *w = *state;
    char path[] = "/tmp/test_runtime.XXXXXX", here[PATH_MAX];
    struct diag d = {0};
    struct run_options options = {.size = "small", .reference = ref_find};
    struct run_machine m = {.device = w->device};
    FILE *f = fdopen(mkstemp(path), "w");
    assert_non_null(f);
    fprintf(f, "base: %s/tests/runtime/add.yml\nblock: [9]\n",
            getcwd(here, sizeof here));
    fclose(f);
    good(w, ndpDeviceSetWindow(w->device, 1));
    struct run *r = run_open(path, &options, &d);
    assert_non_null(r);
    assert_true(run_load(r, &m));
    uint64_t edges = w->device->port->edges;
    assert_false(run_on_machine(r, &m));
    assert_int_equal(m.result, NDP_ERROR_LAUNCH_OUT_OF_RESOURCES);
    assert_int_equal(w->device->port->edges, edges);
    ndpModuleUnload(m.module);
    run_close(r);
    remove(path);
    diag_free(&d);
    use(w);
}

static void test_fault(void **state) {
    struct room *w = *state;
    ndpDevicePtr at;
    ndpFault fault;
    good(w, ndpMemAlloc(&at, w->device, 64));
    ndpArgument arguments[] = {NDP_ARG(at)};
    good(w,
         ndpLaunchKernel(kernel(w, "odd"), 1, 1, 1, 4, 1, 1, 0, arguments, 1));
    expect(w, ndpCtxSynchronize(w->device, 0), NDP_ERROR_LAUNCH_FAILED,
           "kernel 'odd': misaligned address");
    good(w, ndpDeviceGetFault(&fault, w->device));
    assert_int_equal(fault.cause, 2);
    assert_int_equal(fault.address, at + 2);
    assert_int_equal(fault.line, 24);
    assert_string_equal(fault.kernel, "odd");
    use(w);
}

static void test_no_end(void **state) {
    struct room *w = *state;
    good(w, ndpLaunchKernel(kernel(w, "stuck"), 1, 1, 1, 4, 1, 1, 0, NULL, 0));
    expect(w, ndpCtxSynchronize(w->device, 50), NDP_ERROR_LAUNCH_TIMEOUT,
           "did not end in time");
    use(w);
    good(w, ndpDeviceSetWatchdog(w->device, 1));
    good(w, ndpLaunchKernel(kernel(w, "stuck"), 1, 1, 1, 4, 1, 1, 0, NULL, 0));
    expect(w, ndpCtxSynchronize(w->device, 0), NDP_ERROR_LAUNCH_FAILED,
           "watchdog");
    good(w, ndpDeviceSetWatchdog(w->device, 0));
    use(w);
}

/* --- traces --------------------------------------------------------------- */

struct recorded {
    FILE *file;
    char *text;
    size_t bytes;
    struct arena arena;
    struct diag d;
    struct retire_trace *t;
};

static void record(struct room *w, struct recorded *r) {
    memset(r, 0, sizeof *r);
    r->file = open_memstream(&r->text, &r->bytes);
    good(w, ndpDeviceSetTrace(w->device, r->file));
}

static void read_back(struct room *w, struct recorded *r) {
    good(w, ndpDeviceSetTrace(w->device, NULL));
    fclose(r->file);
    r->t = retire_read(&r->arena,
                       diag_source(&r->d, "trace", r->text, r->bytes), &r->d);
    diag_flush(&r->d, stderr);
    assert_non_null(r->t);
}

static void forget(struct recorded *r) {
    diag_free(&r->d);
    arena_free(&r->arena);
    free(r->text);
}

/* Every launch is there, each kernel's words once, and what it computed. */
static void test_trace(void **state) {
    struct room *w = *state;
    struct recorded r;
    uint64_t issued, was;
    good(w, ndpDeviceGetCounter(&was, w->device, "issued"));
    record(w, &r);
    use(w);
    use(w);
    read_back(w, &r);
    good(w, ndpDeviceGetCounter(&issued, w->device, "issued"));
    assert_int_equal(r.t->n_launches, 2);
    const struct retire_launch *l = &r.t->launches[0];
    assert_ptr_equal(l->kernel, r.t->launches[1].kernel);
    assert_string_equal(l->kernel->name, "fill");
    assert_int_equal(l->end, RETIRE_DONE);
    assert_int_equal(l->warps, 2);
    assert_int_equal(l->n, r.t->launches[1].n);
    /* every instruction that was issued, and each warp's start */
    struct retire_insn i;
    uint64_t n = 0;
    bool is_42 = false;
    for (int at = 0; retire_next(r.t, l, at, &i); at = i.next) {
        n += i.what == RETIRE_INSTRUCTION;
        is_42 = is_42 || (i.kind == RETIRE_REGISTER && i.values[0] == 42);
    }
    assert_int_equal(2 * n, issued - was);
    assert_true(is_42);
    forget(&r);
    use(w); /* no longer watched */
}

/* Cycles are those of %clock: a pass takes it as it was before the edge to O,
 * and then come O, X(1) to X(7) and W. */
static void test_cycles(void **state) {
    static const char *const machines[] = {"golden:tiny", "golden:plain"};
    /* from reading the clock to retirement: tiny has a shorter pipe */
    static const unsigned edges[] = {4, 9};
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        struct room w = {0};
        struct recorded r;
        struct retire_insn i;
        ndpDevicePtr at;
        int seen = 0;
        w.image = kernel_image(ptx, 16, &w.bytes);
        assert_int_equal(ndpDeviceOpen(&w.device, machines[m]), 0);
        good(&w, ndpModuleLoadData(&w.module, w.device, w.image, w.bytes));
        good(&w, ndpMemAlloc(&at, w.device, 64));
        ndpArgument a[] = {NDP_ARG(at)};
        record(&w, &r);
        for (int n = 0; n < 2; n++) {
            good(&w, ndpLaunchKernel(kernel(&w, "timed"), 1, 1, 1, 1, 1, 1, 0,
                                     a, 1));
            good(&w, ndpCtxSynchronize(w.device, 0));
        }
        read_back(&w, &r);
        for (int n = 0; n < 2; n++)
            for (int p = 0; retire_next(r.t, &r.t->launches[n], p, &i);
                 p = i.next) {
                const struct isa_word *word =
                    retire_word(r.t->launches[n].kernel, i.pc);
                if (i.what == RETIRE_INSTRUCTION && word->op == ISA_s2r &&
                    word->value == ISA_SPECIAL_clock) {
                    assert_int_equal(i.cycle, i.values[0] + edges[m]);
                    seen++;
                }
            }
        assert_int_equal(seen, 2);
        forget(&r);
        ndpDeviceClose(w.device);
        free(w.image);
    }
}

static void test_trace_of_faults(void **state) {
    struct room *w = *state;
    struct recorded r;
    ndpDevicePtr at;
    good(w, ndpMemAlloc(&at, w->device, 64));
    ndpArgument arguments[] = {NDP_ARG(at)};
    record(w, &r);
    good(w,
         ndpLaunchKernel(kernel(w, "odd"), 1, 1, 1, 4, 1, 1, 0, arguments, 1));
    expect(w, ndpCtxSynchronize(w->device, 0), NDP_ERROR_LAUNCH_FAILED, "");
    good(w, ndpLaunchKernel(kernel(w, "stuck"), 1, 1, 1, 4, 1, 1, 0, NULL, 0));
    expect(w, ndpCtxSynchronize(w->device, 50), NDP_ERROR_LAUNCH_TIMEOUT, "");
    use(w);
    read_back(w, &r);
    assert_int_equal(r.t->n_launches, 3);
    assert_int_equal(r.t->launches[0].end, RETIRE_FAULT);
    assert_int_equal(r.t->launches[0].fault, 2);
    assert_int_equal(
        retire_line(r.t->launches[0].kernel, r.t->launches[0].fault_pc), 24);
    assert_int_equal(r.t->launches[1].end, RETIRE_STOPPED);
    assert_int_equal(r.t->launches[2].end, RETIRE_DONE);
    forget(&r);
}

/* The untimed machine takes the same and refuses the same. */
static void test_untimed(void **state) {
    struct room w = {0};
    struct recorded r;
    ndpDevicePtr at;
    ndpFault fault;
    uint64_t issued;
    (void)state;
    w.image = kernel_image(ptx, 16, &w.bytes);
    assert_int_equal(ndpDeviceOpen(&w.device, "untimed:tiny"), 0);
    good(&w, ndpModuleLoadData(&w.module, w.device, w.image, w.bytes));
    use(&w);
    good(&w, ndpMemAlloc(&at, w.device, 64));
    ndpArgument arguments[] = {NDP_ARG(at)};
    record(&w, &r);
    good(&w,
         ndpLaunchKernel(kernel(&w, "odd"), 1, 1, 1, 4, 1, 1, 0, arguments, 1));
    expect(&w, ndpCtxSynchronize(w.device, 0), NDP_ERROR_LAUNCH_FAILED,
           "kernel 'odd': misaligned address");
    good(&w, ndpDeviceGetFault(&fault, w.device));
    assert_int_equal(fault.address, at + 2);
    assert_int_equal(fault.line, 24);
    good(&w, ndpDeviceSetWatchdog(w.device, 100));
    good(&w,
         ndpLaunchKernel(kernel(&w, "stuck"), 1, 1, 1, 4, 1, 1, 0, NULL, 0));
    expect(&w, ndpCtxSynchronize(w.device, 0), NDP_ERROR_LAUNCH_FAILED,
           "watchdog");
    uint32_t nowhere = 8192;
    ndpArgument beyond[] = {NDP_ARG(nowhere)};
    good(&w,
         ndpLaunchKernel(kernel(&w, "timed"), 1, 1, 1, 4, 1, 1, 0, beyond, 1));
    expect(&w, ndpCtxSynchronize(w.device, 0), NDP_ERROR_LAUNCH_FAILED,
           "unmapped address 0x2000");
    good(&w, ndpDeviceClearCounters(w.device));
    use(&w);
    read_back(&w, &r);
    good(&w, ndpDeviceGetCounter(&issued, w.device, "issued"));
    assert_int_equal(r.t->n_launches, 4);
    assert_int_equal(r.t->launches[0].end, RETIRE_FAULT);
    assert_int_equal(r.t->launches[3].end, RETIRE_DONE);
    assert_int_equal(r.t->launches[1].n, 4 * (12800 + 1));
    assert_true(issued > 10);
    forget(&r);
    ndpDeviceClose(w.device);
    free(w.image);
}

struct seen {
    int n;
    struct ndp_retired last;
    uint32_t values[3];
};

static void see(void *ctx, const struct ndp_retired *r) {
    struct seen *s = ctx;
    s->n++;
    s->last = *r;
    memcpy(s->values, r->values, sizeof s->values);
}

/* A child that answers each read with this line before the value. */
static bool ask_child(const char *line, struct seen *s, struct text *why) {
    struct text script = {0};
    text_printf(&script,
                "while read -r op rest; do case $op in r) echo '%s'; echo 2a;; "
                "esac; done",
                line);
    char *const argv[] = {"/bin/sh", "-c", script.data, NULL};
    struct ndp_port *p = ndp_pipe_open(argv, why);
    struct ndp_watcher watcher = {.retired = see, .ctx = s};
    struct ndp_access a[] = {{.kind = NDP_READ, .address = 1},
                             {.kind = NDP_READ, .address = 2}};
    assert_non_null(p);
    *s = (struct seen){0};
    assert_true(p->class->watch(p, &watcher, why));
    bool ok = p->class->run(p, a, 2, why);
    if (ok)
        assert_int_equal(a[1].data, 0x2a);
    p->class->close(p);
    text_free(&script);
    return ok;
}

static void test_lines(void **state) {
    static const char *const bad[] = {
        "t",
        "t 1 2",
        "t 1 2 3 4 5 6 7",
        "tx 1 2 3 4 5 6 7 00000000",
        "t 1 2 3 4 5 6 q 00000000",
        "hello",
    };
    struct seen s;
    struct text why = {0};
    (void)state;
    assert_true(
        ask_child("t 1f 2 3 1 1 5 7 0000000a000000090000000x", &s, &why));
    assert_int_equal(s.n, 2);
    assert_int_equal(s.last.edge, 31);
    assert_int_equal(s.last.warp, 2);
    assert_int_equal(s.last.pc, 3);
    assert_int_equal(s.last.pass, 1);
    assert_int_equal(s.last.mask, 5);
    assert_int_equal(s.last.d, 7);
    assert_int_equal(s.values[0], 0); /* x counts as 0 */
    assert_int_equal(s.values[1], 9);
    assert_int_equal(s.values[2], 10);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        why.len = 0;
        if (ask_child(bad[i], &s, &why) || !strstr(text_str(&why), bad[i]))
            fail_msg("'%s' gives '%s'", bad[i], text_str(&why));
    }
    text_free(&why);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_use),
        cmocka_unit_test(test_urls),
        TEST(test_images),
        TEST(test_configuration),
        TEST(test_names),
        TEST(test_memory),
        cmocka_unit_test(test_memory_of_units),
        cmocka_unit_test(test_silent_memory),
        TEST(test_launches),
        TEST(test_refused_before_copies),
        TEST(test_fault),
        TEST(test_no_end),
        TEST(test_trace),
        cmocka_unit_test(test_cycles),
        TEST(test_trace_of_faults),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_untimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
