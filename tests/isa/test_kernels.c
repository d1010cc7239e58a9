/* test_kernels.c - every kernel of kernels/, assembled and run on the untimed
 * machine: it must end with the bytes that the executor leaves.
 *
 * Where a module computes an approximate function, whose last bits PTX leaves
 * open, the description's own check must hold instead.  Both are also asked of
 * machines with 32 and 16 registers, which spill, and of code whose addresses
 * were not narrowed.  Kernels that fetch from textures must be refused.  Prints
 * a table: words and registers of a description's largest kernel, values
 * spilled, warp instructions of PTX and of the machine.
 */
#include "sim/run/device.h"

#include "ref.h"
#include "tests/common/diag_capture.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct variant {
    const char *name;
    struct code_options options;
};

static const struct variant variants[] = {
    {"64 registers", {.registers = 64}},
    {"32 registers", {.registers = 32}},
    {"16 registers", {.registers = 16}},
    {"wide", {.registers = 64, .wide = true}},
};

static struct run *open_run(const char *path, struct diag *d) {
    struct run_options o = {.size = "small", .reference = ref_find};
    struct run *r = run_open(path, &o, d);
    if (!r) {
        diag_flush(d, stdout);
        fail_msg("%s", path);
    }
    return r;
}

static bool is_approximate(const struct ptx_module *m) {
    for (int i = 0; i < m->n_functions; i++)
        for (int pc = 0; pc < m->functions[i]->n_instructions; pc++)
            if (ptx_has(m->functions[i]->instructions[pc].form, PTX_MOD_APPROX))
                return true;
    return false;
}

/* The executor's way. */
static uint64_t execute(struct run *r, struct run_verdict *v) {
    struct stream_event e;
    uint64_t n = 0;
    while (stream_next(run_stream(r), &e) == STREAM_EVENT)
        n += e.kind != STREAM_LAUNCH;
    run_verdict(r, v);
    return n;
}

static void show(const char *name, const struct isa_image *image, uint64_t ptx,
                 uint64_t isa) {
    int words = 0, registers = 0, spilled = 0;
    for (int i = 0; i < image->n_kernels; i++) {
        const struct isa_kernel *k = &image->kernels[i];
        words = k->n_words > words ? k->n_words : words;
        registers = k->registers > registers ? k->registers : registers;
        spilled += k->spilled;
    }
    print_message("%-24s %5d words %3d registers %4d spilled %8llu %8llu\n",
                  name, words, registers, spilled, (unsigned long long)ptx,
                  (unsigned long long)isa);
}

static void check(const char *path, const struct variant *v,
                  const struct run_verdict *want, uint64_t ptx) {
    struct diag d = {0};
    struct arena arena = {0};
    struct run *r = open_run(path, &d);
    struct isa_image *image =
        code_generate(&arena, run_module(r), NULL, &v->options, &d);
    if (!image) {
        diag_flush(&d, stdout);
        fail_msg("%s was refused", path);
    }
    struct run_device device = {.code = image,
                                .registers = v->options.registers};
    struct run_verdict got;
    if (!run_on_device(r, &device))
        fail_msg("%s, %s: %s at %d", path, v->name,
                 isa_end_text(device.last.end), device.last.pc);
    run_verdict(r, &got);
    if (got.result != want->result)
        fail_msg("%s, %s: verdict %d, expected %d", path, v->name, got.result,
                 want->result);
    for (int i = 0; i < got.n_buffers; i++)
        if (!is_approximate(run_module(r)) &&
            got.buffers[i].checksum != want->buffers[i].checksum)
            fail_msg("%s, %s: '%s' differs", path, v->name,
                     got.buffers[i].name);
    if (!v->options.wide)
        show(run_name(r), image, ptx, device.warp_instructions);
    run_close(r);
    arena_free(&arena);
    diag_free(&d);
}

static bool has_textures(const struct ptx_module *m) {
    for (int i = 0; i < m->n_functions; i++)
        for (int pc = 0; pc < m->functions[i]->n_instructions; pc++)
            if (m->functions[i]->instructions[pc].form->opc == OPC_texture)
                return true;
    return false;
}

static void check_refused(const char *path, const struct run *r) {
    struct diag d = {0};
    struct arena arena = {0};
    if (code_generate(&arena, run_module(r), NULL, &variants[0].options, &d))
        fail_msg("%s was assembled", path);
    char *text = diag_captured(&d);
    assert_non_null(strstr(text, "the machines have no texture unit"));
    free(text);
    arena_free(&arena);
    diag_free(&d);
}

static void every_kernel(void **state) {
    (void)state;
    glob_t found;
    int refused = 0;
    assert_int_equal(glob("kernels/*/*.yml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 40);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct diag d = {0};
        struct run_verdict want;
        struct run *r = open_run(found.gl_pathv[i], &d);
        uint64_t ptx = execute(r, &want);
        assert_int_equal(want.result, RUN_RIGHT);
        bool textured = has_textures(run_module(r));
        refused += textured;
        if (textured)
            check_refused(found.gl_pathv[i], r);
        for (size_t k = 0; !textured && k < sizeof variants / sizeof *variants;
             k++)
            check(found.gl_pathv[i], &variants[k], &want, ptx);
        run_close(r);
        diag_free(&d);
    }
    assert_int_equal(refused, 4);
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
