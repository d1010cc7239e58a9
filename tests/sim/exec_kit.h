/* exec_kit.h - small PTX programs on the executor, for tests. */
#ifndef NDP_TESTS_EXEC_KIT_H
#define NDP_TESTS_EXEC_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "sim/exec/exec.h"
#include "papers/analysis.h"

#include <stdio.h>
#include <string.h>

struct kit {
    struct arena arena;
    struct diag diag;
    struct source source;
    struct ptx_module *module;
    struct exec *exec;
    uint8_t params[128];
    uint64_t n_params; /* bytes */
    uint64_t events, lanes;
};

#define KIT_HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

/* A module out of text; NULL options are the defaults. */
static inline void kit_open(struct kit *k, const char *text,
                            const struct exec_options *options) {
    *k = (struct kit){0};
    k->source = source_of("test.ptx", text, strlen(text));
    k->module = ptx_read(&k->arena, &k->source, &k->diag);
    if (k->diag.errors) {
        diag_flush(&k->diag, stderr);
        fail_msg("the test's PTX does not read");
    }
    k->exec = exec_create(k->module, options, &k->diag);
    assert_non_null(k->exec);
}

static inline void kit_close(struct kit *k) {
    exec_free(k->exec);
    diag_free(&k->diag);
    arena_free(&k->arena);
}

/* A buffer whose address becomes the next parameter. */
static inline void *kit_buffer(struct kit *k, const char *name,
                               uint64_t bytes) {
    uint64_t address;
    void *data;
    assert_true(exec_buffer(k->exec, name, bytes, 256, &address, &data));
    memcpy(k->params + k->n_params, &address, 8);
    k->n_params += 8;
    return data;
}

static inline void kit_value(struct kit *k, uint64_t value) {
    memcpy(k->params + k->n_params, &value, 8);
    k->n_params += 8;
}

static inline const struct ptx_function *kit_entry(const struct kit *k) {
    for (int i = 0; i < k->module->n_functions; i++)
        if (k->module->functions[i]->is_entry)
            return k->module->functions[i];
    fail_msg("no entry");
    return NULL;
}

/* Run the first entry. */
static inline enum exec_state kit_run(struct kit *k, uint32_t ctas,
                                      uint32_t threads, uint32_t shared) {
    struct exec_launch l = {.kernel = kit_entry(k),
                            .grid = {ctas, 1, 1},
                            .block = {threads, 1, 1},
                            .shared = shared,
                            .params = k->params};
    struct stream_event e;
    enum exec_state state;
    if (!exec_begin(k->exec, &l, &k->diag))
        return EXEC_IDLE;
    while ((state = exec_step(k->exec, &e)) == EXEC_RUNNING) {
        k->events++;
        k->lanes += (uint64_t)__builtin_popcount(e.mask);
        assert_true((e.mask & ~e.active) == 0);
    }
    return state;
}

/* Run and insist that it finishes. */
static inline void kit_finish(struct kit *k, uint32_t ctas, uint32_t threads) {
    enum exec_state state = kit_run(k, ctas, threads, 0);
    if (state != EXEC_FINISHED)
        diag_flush(&k->diag, stderr);
    assert_int_equal(state, EXEC_FINISHED);
}

/* Run, insist on a state other than finished and on words of its message. */
static inline void kit_fails(struct kit *k, uint32_t ctas, uint32_t threads,
                             enum exec_state expected, const char *words) {
    enum exec_state state = kit_run(k, ctas, threads, 0);
    char *text = diag_captured(&k->diag);
    if (state != expected || !strstr(text, words))
        fprintf(stderr, "state %d, message: %s\nexpected: %s\n", (int)state,
                text, words);
    assert_int_equal(state, expected);
    assert_non_null(strstr(text, words));
    free(text);
}

/* Start of a kernel 'k' with one parameter, its buffer in %out, and the
 * thread's own word of it in %mine; %t is the thread. */
#define KIT_ENTRY                                                              \
    ".visible .entry k(.param .u64 p0) {\n"                                    \
    ".reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<64>;\n"                 \
    ".reg .b64 %rd<32>; .reg .f32 %f<16>; .reg .f64 %fd<8>;\n"                 \
    ".reg .b32 %t; .reg .b64 %out, %mine;\n"                                   \
    "ld.param.u64 %out, [p0];\nmov.u32 %t, %tid.x;\n"                          \
    "mul.wide.u32 %mine, %t, 4;\nadd.u64 %mine, %mine, %out;\n"

#endif
