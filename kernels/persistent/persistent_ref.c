/* persistent_ref.c - alignment of many pairs of sequences, each cell from its rule. */
#include "ref.h"

enum { SIDE = 32 };

static int32_t at(const int32_t *score, int row, int col, int32_t penalty) {
    if (row < 0 || col < 0)
        return -penalty * (row + col + 2);
    return score[row * SIDE + col];
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

void ref_persistent(struct ref_run *r) {
    const int64_t pairs = ref_int(r, "pairs");
    const int32_t penalty = (int32_t)ref_int(r, "penalty");

    for (int64_t p = 0; p < pairs; p++) {
        const int32_t *similarity = ref_i32(r, "similarity") + p * SIDE * SIDE;
        int32_t *score = ref_i32(r, "score") + p * SIDE * SIDE;

        for (int row = 0; row < SIDE; row++)
            for (int col = 0; col < SIDE; col++) {
                const int32_t gap = larger(at(score, row - 1, col, penalty),
                                           at(score, row, col - 1, penalty)) -
                                    penalty;
                const int32_t both = at(score, row - 1, col - 1, penalty) +
                                     similarity[row * SIDE + col];

                score[row * SIDE + col] = larger(both, gap);
            }
    }
}
