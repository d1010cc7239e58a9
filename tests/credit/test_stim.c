/* test_stim.c - the environment of the end of a link with credits notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/credit.h"
#include "credit/credit.h"
#include "credit/stim.h"

#define LIAR_BLOCK credit
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA                                                             \
    uint64_t word[64][16]; /* that came, by their numbers */                   \
    uint64_t came, left;                                                       \
    bool swaps;
#include "tests/common/stim_liar.h"

static const char small[] = "--target credit --preset small --cycles 30000";
static const char wide[] = "--target credit --preset mesh --cycles 30000";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "credit.depth=3",    "credit.depth=5",  "credit.depth=64",
        "credit.width=1",    "credit.width=64", "credit.width=65",
        "credit.width=1024",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target credit --preset small --cycles 2000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_all_covers(words);
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- words ---------------------------------------------------------------- */

static bool is_late(const struct liar *l) {
    return l->edge > lie_after;
}

/* The word that comes does not arrive. */
static void lose(struct liar *l, bool rst, struct credit_in *in) {
    (void)rst;
    if (is_late(l))
        in->push_valid = 0;
}

/* A word that leaves stays, and leaves again. */
static void keep(struct liar *l, bool rst, struct credit_in *in) {
    (void)rst;
    if (is_late(l))
        in->pop_ready = 0;
}

static void still_credits(struct liar *l, struct credit_out *o) {
    o->credit_valid = l->last.pop_valid && l->in.pop_ready;
}

/* From the first word on that does not stand there already. */
static bool begins(struct liar *l) {
    l->told |= !l->last.pop_valid || l->in.pop_ready;
    return l->told;
}

static void wrong_low(struct liar *l, struct credit_out *o) {
    if (begins(l))
        o->pop_data[0] ^= o->pop_valid;
}

static void wrong_top(struct liar *l, struct credit_out *o) {
    if (begins(l))
        o->pop_data[1] ^= o->pop_valid << 63;
}

/* What came and what left, by number. */
static void count_words(struct liar *l, bool rst, struct credit_in *in) {
    if (rst) {
        l->left = l->came;
        return;
    }
    l->left += l->out.pop_valid && in->pop_ready;
    if (in->push_valid)
        memcpy(l->word[l->came++ % 64], in->push_data, sizeof l->word[0]);
}

/* Each second word before the one that it came after, if both are there. */
static void swap(struct liar *l, struct credit_out *o) {
    bool waits = l->last.pop_valid && !l->in.pop_ready;
    uint64_t other = l->left ^ 1;
    if (!waits)
        l->swaps = other < l->came;
    if (o->pop_valid && l->swaps)
        memcpy(o->pop_data, l->word[other % 64], sizeof o->pop_data);
}

static void no_word(struct liar *l, struct credit_out *o) {
    if (!begins(l))
        return;
    o->pop_valid = 0;
    memset(o->pop_data, 0, sizeof o->pop_data);
}

static void invented(struct liar *l, struct credit_out *o) {
    (void)l;
    o->pop_valid = 1;
}

static void not_zero(struct liar *l, struct credit_out *o) {
    (void)l;
    if (!o->pop_valid)
        o->pop_data[0] = 1;
}

static void test_words(void **state) {
    (void)state;
    expect_caught(wrong_low, small, " comes out as ");
    expect_caught(wrong_top, wide, " comes out as ");
    expect_caught(no_word, small, "a word is not at the output");
    expect_caught(invented, small, "a word is at the output");
    expect_caught(not_zero, small,
                  "'pop_data' is not zero while there is nothing");
    hears = lose;
    expect_caught(NULL, small, "a word is not at the output");
    hears = keep;
    expect_caught(still_credits, small, " comes out as ");
    hears = count_words;
    expect_caught(swap, small, " comes out as ");
}

static void changed(struct liar *l, struct credit_out *o) {
    if (l->last.pop_valid && !l->in.pop_ready)
        o->pop_data[0] ^= 1;
}

static void taken_back(struct liar *l, struct credit_out *o) {
    if (l->last.pop_valid && !l->in.pop_ready)
        memset(o, 0, sizeof *o);
}

static void test_kept(void **state) {
    (void)state;
    expect_caught(taken_back, small,
                  "'pop_valid' was taken back before it was taken");
    expect_caught(changed, small, "'pop_data' changed before it was taken");
}

/* --- credits -------------------------------------------------------------- */

static void too_many(struct liar *l, struct credit_out *o) {
    (void)l;
    o->credit_valid = 1;
}

static void too_few(struct liar *l, struct credit_out *o) {
    (void)l;
    o->credit_valid = 0;
}

/* The right number, but each an edge late. */
static void late(struct liar *l, struct credit_out *o) {
    o->credit_valid = l->told;
    l->told = l->last.pop_valid && l->in.pop_ready;
}

static void test_credits(void **state) {
    (void)state;
    expect_caught(too_many, small, "a credit is given back");
    expect_caught(too_few, small, "a credit is not given back");
    expect_caught(late, small, "a credit is not given back");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target credit --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target credit --stim replay --run kernels/xmy/xmy.yml",
                   "'credit' has no stimulus 'replay'");
    expect_refused("--target credit --set credit.depth=2", "credit.depth");
}

static int begin(void **state) {
    (void)state;
    lie_after = 2000;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_words, begin),
        cmocka_unit_test_setup(test_kept, begin),
        cmocka_unit_test_setup(test_credits, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
