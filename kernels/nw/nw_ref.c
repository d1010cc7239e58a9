/* nw_ref.c - Needleman-Wunsch, the whole matrix row by row. */
#include "ref.h"

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

void ref_nw(struct ref_run *r) {
    const int64_t cols = ref_int(r, "cols");
    const int32_t penalty = (int32_t)ref_int(r, "penalty");
    const int32_t *similarity = ref_i32(r, "similarity");
    int32_t *score = ref_i32(r, "score");

    for (int64_t i = 1; i < cols; i++)
        for (int64_t j = 1; j < cols; j++) {
            const int64_t at = i * cols + j;
            const int32_t gap = larger(score[at - 1], score[at - cols]);

            score[at] =
                larger(score[at - cols - 1] + similarity[at], gap - penalty);
        }
}
