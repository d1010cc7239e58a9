/* desk.h - what the desk of the base die makes of a word, by the environment
 * of far_pipe: the exchange of lanes, special values, parameters. */
#ifndef NDP_STIM_BACKEND_DESK_H
#define NDP_STIM_BACKEND_DESK_H

#include "config/config.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum base_kind {
    BASE_COMPUTED,
    BASE_WORDS,
    BASE_CONTROL,
    BASE_FAULT,
    BASE_ACCESS
};

struct far_pipe_stim;

struct far_pipe_stim *base_open(const struct config *c);
void base_close(struct far_pipe_stim *f);

/* Who carries an operation out on the base die, and what is seen of it. */
enum base_kind base_kind(int op);

/* Of BASE_ACCESS: to a part of a word, or an atomic; bytes of a lane. */
bool base_part(int op);
int base_bytes(int op);

void base_param(struct far_pipe_stim *f, uint64_t index, uint32_t word);
void base_value(struct far_pipe_stim *f, uint64_t warp, uint64_t index,
                uint32_t word);
void base_now(struct far_pipe_stim *f, uint64_t now);
/* A parameter or special value that the word reads has been written. */
bool base_known(const struct far_pipe_stim *f, const struct isa_word *w,
                uint64_t warp);

/* A word of kind BASE_WORDS: what its active lanes get.  Sources a, b and c
 * are rows, NULL: none. */
void base_words(struct far_pipe_stim *f, const struct isa_word *w,
                uint64_t warp, uint64_t active, const uint32_t *const row[3],
                uint32_t *result);

#endif
