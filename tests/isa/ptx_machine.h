/* ptx_machine.h - a line of PTX over arrays of words, on the untimed machine.
 *
 * The line reads %ra, %rb, %rc (or %fa, %fb, %fc: the same words) and writes
 * %rd (or %fd).
 */
#ifndef NDP_TESTS_PTX_MACHINE_H
#define NDP_TESTS_PTX_MACHINE_H

#include "codegen/codegen.h"
#include "isa/run.h"
#include "ptx/ptx.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ptx_machine {
    struct arena arena;
    struct diag diag;
    struct source source;
    char text[4096];
    struct isa_image *code; /* NULL: refused, see diag */
    int registers;
};

static inline void ptx_machine_open(struct ptx_machine *m, const char *line,
                                    int registers) {
    memset(m, 0, sizeof *m);
    snprintf(m->text, sizeof m->text,
             ".version 7.7\n.target sm_52\n.address_size 64\n"
             ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 "
             "pc, .param .u64 pd)\n{\n"
             ".reg .pred %%p<8>; .reg .b16 %%rs<8>; .reg .b32 %%r<20>;\n"
             ".reg .b32 %%ra, %%rb, %%rc, %%rd; .reg .f32 %%fa, %%fb, %%fc, "
             "%%fd, %%f<8>;\n.reg .b64 %%l<20>;\n"
             "ld.param.u64 %%l0, [pa]; ld.param.u64 %%l1, [pb];\n"
             "ld.param.u64 %%l2, [pc]; ld.param.u64 %%l3, [pd];\n"
             "mov.u32 %%r0, %%ctaid.x; mov.u32 %%r1, %%ntid.x; mov.u32 %%r2, "
             "%%tid.x;\nmad.lo.s32 %%r3, %%r0, %%r1, %%r2;\n"
             "mul.wide.s32 %%l4, %%r3, 4;\n"
             "add.s64 %%l0, %%l0, %%l4; add.s64 %%l1, %%l1, %%l4;\n"
             "add.s64 %%l2, %%l2, %%l4; add.s64 %%l3, %%l3, %%l4;\n"
             "ld.global.u32 %%ra, [%%l0]; ld.global.u32 %%rb, [%%l1];\n"
             "ld.global.u32 %%rc, [%%l2]; mov.b32 %%fa, %%ra;\n"
             "mov.b32 %%fb, %%rb; mov.b32 %%fc, %%rc;\n"
             "mov.u32 %%rd, 0; mov.b32 %%fd, %%rd;\n%s\n"
             "%sst.global.u32 [%%l3], %%rd;\nret;\n}\n",
             line, strstr(line, "%fd") ? "mov.b32 %rd, %fd;\n" : "");
    m->source = (struct source){"line.ptx", m->text, strlen(m->text)};
    m->registers = registers;
    const struct ptx_module *module = ptx_read(&m->arena, &m->source, &m->diag);
    struct code_options options = {.registers = registers};
    if (!m->diag.errors)
        m->code = code_generate(&m->arena, module, NULL, &options, &m->diag);
}

static inline void ptx_machine_close(struct ptx_machine *m) {
    arena_free(&m->arena);
    diag_free(&m->diag);
}

struct ptx_words {
    uint8_t *data;
    uint32_t size;
};

static inline bool ptx_words_load(void *ctx, uint32_t at, int bytes,
                                  uint32_t *value) {
    const struct ptx_words *w = ctx;
    *value = 0;
    if (at < 256 || at - 256 > w->size - (uint32_t)bytes)
        return false;
    memcpy(value, w->data + at - 256, (size_t)bytes);
    return true;
}

static inline bool ptx_words_store(void *ctx, uint32_t at, int bytes,
                                   uint32_t value) {
    const struct ptx_words *w = ctx;
    if (at < 256 || at - 256 > w->size - (uint32_t)bytes)
        return false;
    memcpy(w->data + at - 256, &value, (size_t)bytes);
    return true;
}

/* d[i] of a[i], b[i], c[i] for n words, n a multiple of 256.  False: it did not
 * come to its end. */
static inline bool ptx_machine_run(const struct ptx_machine *m, int n,
                                   const uint32_t *a, const uint32_t *b,
                                   const uint32_t *c, uint32_t *d) {
    uint32_t bytes = (uint32_t)n * 4;
    uint32_t local = 256 * (uint32_t)m->code->kernels[0].local;
    struct ptx_words w = {malloc(4 * bytes + local), 4 * bytes + local};
    memcpy(w.data, a, bytes);
    memcpy(w.data + bytes, b, bytes);
    memcpy(w.data + 2 * bytes, c, bytes);
    uint32_t params[ISA_WORDS_HIDDEN + 8] = {
        0, 256 + 4 * bytes, (uint32_t)m->code->kernels[0].local};
    for (uint32_t i = 0; i < 4; i++)
        params[ISA_WORDS_HIDDEN + 2 * i] = 256 + i * bytes;
    struct isa_memory memory = {ptx_words_load, ptx_words_store, &w};
    struct isa_launch l = {.code = m->code->words,
                           .n_code = m->code->n_words,
                           .registers = m->registers,
                           .grid = {(uint32_t)n / 256, 1, 1},
                           .block = {256, 1, 1},
                           .shared = (uint32_t)m->code->kernels[0].shared,
                           .params = params,
                           .n_params = ISA_WORDS_HIDDEN + 8};
    struct isa_run r;
    bool ok = isa_execute(&l, &memory, &r);
    if (!ok)
        printf("%s at %d\n", isa_end_text(r.end), r.pc);
    memcpy(d, w.data + 3 * bytes, bytes);
    free(w.data);
    return ok;
}

#endif
