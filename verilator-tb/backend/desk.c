/* desk.c - far_pipe's environment, asked for one word at a time. */
#include "desk.h"

#include "base/arena.h"
#include "far_pipe/env.h"

#include <stdlib.h>

struct far_pipe_stim *base_open(const struct config *c) {
    struct far_pipe_stim *f = xcalloc(1, sizeof *f);
    f->size = far_pipe_local(c);
    f->cell =
        xcalloc((size_t)(f->size.CORE_WARPS * f->size.REGS), sizeof *f->cell);
    f->param = xcalloc((size_t)f->size.PARAMS, sizeof *f->param);
    f->has_param = xcalloc((size_t)f->size.PARAMS, sizeof *f->has_param);
    return f;
}

void base_close(struct far_pipe_stim *f) {
    free(f->cell);
    free(f->param);
    free(f->has_param);
    free(f);
}

enum base_kind base_kind(int op) {
    switch (desk_kind(op)) {
    case WORDS:
        return BASE_WORDS;
    case CONTROL:
        return BASE_CONTROL;
    case ACCESS:
        return BASE_ACCESS;
    default:
        return BASE_FAULT;
    }
}

bool base_part(int op) {
    return desk_part(op);
}

int base_bytes(int op) {
    return desk_bytes(op);
}

void base_param(struct far_pipe_stim *f, uint64_t index, uint32_t word) {
    f->param[index] = word;
    f->has_param[index] = true;
}

void base_value(struct far_pipe_stim *f, uint64_t warp, uint64_t index,
                uint32_t word) {
    f->value[warp][index] = word;
    f->has_value[warp][index] = true;
}

void base_now(struct far_pipe_stim *f, uint64_t now) {
    f->now = now;
}

bool base_known(const struct far_pipe_stim *f, const struct isa_word *w,
                uint64_t warp) {
    if (w->op == ISA_ldp)
        return w->value < (uint32_t)f->size.PARAMS && f->has_param[w->value];
    return w->op != ISA_s2r || w->value == ISA_SPECIAL_laneid ||
           w->value == ISA_SPECIAL_clock || f->has_value[warp][w->value];
}

void base_words(struct far_pipe_stim *f, const struct isa_word *w,
                uint64_t warp, uint64_t active, const uint32_t *const row[3],
                uint32_t *result) {
    struct instr i = {.warp = warp, .word = *w, .active = active};
    for (int o = SRC0; o <= SRC2; o++) {
        i.has[o] = row[o] != NULL;
        i.reg[o] = (uint64_t)o;
        for (int l = 0; row[o] && l < f->size.LANES; l++)
            cell_of(f, warp, i.reg[o])->lane[l] = row[o][l];
    }
    for (int l = 0; l < f->size.LANES; l++)
        result[l] = active >> l & 1 ? desk_word(f, &i, l) : 0;
}
