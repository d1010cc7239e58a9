/* test_stim.c - the environment of the prefetcher notices what model
 * and RTL agree on, and reaches every cover point.
 *
 * What it holds prefetches against follows a thread over its walk
 * (verilator-tb/prefetch/walk.c); that is tested here by going over whole
 * walks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/prefetch.h"
#include "prefetch/prefetch.h"
#include "prefetch/stim.h"
#include "prefetch/walk.h"

#define LIAR_BLOCK prefetch
#include "tests/common/stim_liar.h"

static const char small[] = "--target prefetch --preset small --cycles 100000";

static void test_honest(void **state) {
    (void)state;
    expect_green(small, "covers 31/31");
    expect_green("--target prefetch --preset small --stim directed "
                 "--cycles 20000",
                 "covers 31/31");
    expect_green("--target prefetch --cycles 50000 --set prefetch.divider=pow2",
                 "mismatches 0");
    expect_green("--target prefetch --cycles 50000 "
                 "--set prefetch.divider=iterative",
                 "mismatches 0");
    expect_green("--target prefetch --stim replay --run "
                 "kernels/conv2d/conv2d.yml",
                 "tables_loaded\t");
}

static void wrong_prefetch(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (out->mem_prefetch)
        out->mem_address ^= 16;
}

static void wrong_demand(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (out->mem_valid && !out->mem_prefetch)
        out->mem_address ^= 16;
}

static void wrong_id(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (out->mem_valid && !out->mem_prefetch)
        out->mem_id ^= 1;
}

static void invented(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (!out->mem_valid) {
        out->mem_valid = 1;
        out->mem_address = 64;
    }
}

static void not_zero(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (!out->mem_valid)
        out->mem_address = 1;
}

static void miscounts(struct liar *l, struct prefetch_out *out) {
    (void)l;
    if (out->wb_ack && l->in.wb_adr == REG_FIRST + PREFETCH_N_SETTINGS)
        out->wb_dat_r ^= 1;
}

static void test_lies(void **state) {
    (void)state;
    lie_after = 0; /* before a channel is in use */
    expect_caught(wrong_prefetch, small, "where no thread goes next");
    expect_caught(wrong_demand, small, "reached the cache as");
    expect_caught(wrong_id, small, "reached the cache as");
    expect_caught(invented, "--target prefetch --preset small --seed 3",
                  "that nobody made");
    expect_caught(not_zero, small, "'mem_address'");
    expect_counters_caught(small);
    expect_caught(miscounts, small, "register 'demands'");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target prefetch --stim replay --run "
                   "kernels/axpy/axpy.yml",
                   "no section 'prefetch'");
    expect_refused("--target prefetch --preset small --stim replay --run "
                   "kernels/conv2d/conv2d.yml",
                   "does not fit the information table");
}

/* Each thread's places in the order of the blocks; the step from one to the
 * next is what walk_next has to say. */
static void go_over(const struct walk *w) {
    int64_t wide = w->bw * w->element;
    int64_t across = (w->x_hi - w->x_lo + wide - 1) / wide;
    int64_t down = (w->y_hi - w->y_lo + w->bh - 1) / w->bh;
    for (int64_t t = 0; t < w->bw * w->bh; t++) {
        uint64_t before = 0, next;
        bool any = false;
        for (int64_t n = 0; n < across * down; n++) {
            int64_t bx = w->along_y ? n / down : n % across;
            int64_t by = w->along_y ? n % down : n / across;
            int64_t x = w->x_lo + bx * wide + t % w->bw * w->element;
            int64_t y = w->y_lo + by * w->bh + t / w->bw;
            if (x >= w->x_hi || y >= w->y_hi)
                continue;
            uint64_t here = w->start + (uint64_t)(y * w->pitch + x);
            if (any) {
                assert_true(walk_next(w, before, &next));
                assert_int_equal(next, here);
            }
            any = true;
            before = here;
        }
        assert_true(!any || !walk_next(w, before, &next));
    }
}

static void test_walks(void **state) {
    struct config c;
    struct rng rng;
    (void)state;
    config_defaults(&c);
    c.prefetch_size_bits = 14;
    c.prefetch_pitch_bits = 10;
    c.prefetch_row_bits = 8;
    struct prefetch_local size = prefetch_local(&c);
    rng_seed(&rng, 7);
    for (int i = 0; i < 400; i++) {
        struct walk w;
        walk_draw(&w, &size, i % 2, &rng);
        w.printed = false;
        go_over(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
