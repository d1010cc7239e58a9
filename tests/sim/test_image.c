/* test_image.c - the composition `image`: CTAs read and coalesced, CTAs to SMs,
 * the SM's timing to the cycle, and the books of whole kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "hand.h"
#include "ref.h"
#include "tests/common/scratch.h"
#include "sim/system/image.h"
#include "sim/system/image_state.h"
#include "sim/trace/stats.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- CTAs */

static void ctas_are_cut(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 2, 1, 64);
    hand_insn(h, 0, 1, MOV, 0, 0);
    hand_insn(h, 0, 0, LD, 0x1000, 4);
    hand_insn(h, 0, 1, LD, 0x1000, 4);
    hand_insn(h, 1, 0, BAR, 0, 0);
    hand_launch(h, 2, 1, 33);
    hand_insn(h, 1, 1, ST, 0x2000, 4); /* the same index, another launch */
    struct cta_reader *r = cta_reader_create(&h->stream);
    struct cta *a = cta_read(r), *b = cta_read(r), *c = cta_read(r);
    assert_null(cta_read(r));
    assert_int_equal(cta_reader_end(r), STREAM_END);
    assert_int_equal(a->n_warps, 2);
    assert_int_equal(a->warps[0].n, 1);
    assert_int_equal(a->warps[1].n, 2);
    assert_ptr_equal(cta_insn(r, a->warps[1].ops[0].insn), &hand_insns[MOV]);
    assert_ptr_equal(cta_insn(r, a->warps[1].ops[1].insn), &hand_insns[LD]);
    assert_int_equal(b->id, 1);
    assert_int_equal(b->launch.id, 0);
    assert_int_equal(c->id, 1);
    assert_int_equal(c->launch.id, 1);
    assert_int_equal(c->n_warps, 2);
    assert_int_equal(c->warps[0].n, 0);
    cta_free(a);
    cta_free(b);
    cta_free(c);
    cta_reader_free(r);
    hand_free(h);
}

static void accesses_coalesce(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 32);
    hand_insn(h, 0, 0, LD, 0x1000, 4);            /* one whole line */
    hand_insn(h, 0, 0, LD, 0x1040, 4);            /* two halves */
    hand_insn(h, 0, 0, LD, 0x1010, 0);            /* one word */
    hand_insn(h, 0, 0, LD, 0x1000, 128);          /* a line a lane */
    hand_insn(h, 0, 0, LD, 0x10fc, (uint64_t)-4); /* downwards */
    hand_insn(h, 0, 0, LD, 0x107e, 0)->mask = 1;  /* across a boundary */
    hand_insn(h, 0, 0, LD, 0x1000, 4)->mask = 0;  /* nobody */
    hand_insn(h, 0, 0, MOV, 0x1000, 4);           /* no access */
    struct cta_reader *r = cta_reader_create(&h->stream);
    struct cta *c = cta_read(r);
    static const struct {
        uint32_t lines;
        uint64_t address;
        uint32_t sectors;
    } wanted[] = {{1, 0x1000, 15}, {2, 0x1040, 12}, {1, 0x1010, 1},
                  {32, 0x1000, 1}, {1, 0x1080, 15}, {2, 0x107e, 8},
                  {0, 0, 0},       {0, 0, 0}};
    const struct cta_warp *w = &c->warps[0];
    assert_int_equal(w->n, 8);
    for (uint32_t i = 0; i < w->n; i++) {
        assert_int_equal(cta_op_lines(&w->ops[i]), wanted[i].lines);
        if (!wanted[i].lines)
            continue;
        assert_int_equal(w->lines[w->ops[i].lines].address, wanted[i].address);
        assert_int_equal(w->lines[w->ops[i].lines].sectors, wanted[i].sectors);
    }
    assert_int_equal(w->lines[w->ops[1].lines + 1].address, 0x1080);
    assert_int_equal(w->lines[w->ops[1].lines + 1].sectors, 3);
    assert_int_equal(w->lines[w->ops[5].lines + 1].sectors, 1);
    cta_free(c);
    cta_reader_free(r);
    hand_free(h);
}

/* --------------------------------------------------------------- CTAs to SMs
 */

/* Which CTAs SM sm gets from a grid of gx x gy, as a string of their numbers.
 */
static void order_of(enum cta_order order, uint32_t gx, uint32_t gy,
                     uint32_t sms, uint32_t sm, char *text) {
    struct hand *h = hand_begin();
    hand_launch(h, gx, gy, 32);
    for (uint32_t i = 0; i < gx * gy; i++)
        hand_insn(h, i, 0, MOV, 0, 0);
    struct cta_reader *r = cta_reader_create(&h->stream);
    struct cta_supply *s = cta_supply_create(r, order, sms);
    *text = '\0';
    assert_non_null(cta_supply_launch(s));
    while (cta_supply_peek(s, sm)) {
        struct cta *c = cta_supply_take(s, sm);
        sprintf(text + strlen(text), "%u ", c->id);
        cta_free(c);
    }
    assert_int_equal(cta_supply_more(s), sms > 1 && order != ORDER_RR);
    cta_supply_free(s);
    cta_reader_free(r);
    hand_free(h);
}

static void orders(void **state) {
    (void)state;
    char text[256];
    order_of(ORDER_RR, 3, 2, 2, 1, text);
    assert_string_equal(text, "0 1 2 3 4 5 ");
    order_of(ORDER_ROW, 3, 4, 2, 0, text);
    assert_string_equal(text, "0 1 2 3 4 5 ");
    order_of(ORDER_ROW, 3, 4, 2, 1, text);
    assert_string_equal(text, "6 7 8 9 10 11 ");
    order_of(ORDER_ROW, 3, 5, 2, 1, text); /* 3 rows, then 2 */
    assert_string_equal(text, "9 10 11 12 13 14 ");
    order_of(ORDER_COLUMN, 4, 3, 2, 0, text);
    assert_string_equal(text, "0 4 8 1 5 9 ");
    order_of(ORDER_COLUMN, 4, 3, 2, 1, text);
    assert_string_equal(text, "2 6 10 3 7 11 ");
    order_of(ORDER_TILE, 4, 4, 4, 0, text);
    assert_string_equal(text, "0 1 4 5 ");
    order_of(ORDER_TILE, 4, 4, 4, 3, text);
    assert_string_equal(text, "10 11 14 15 ");
}

/* -------------------------------------------------------------- one SM's time
 */

static struct image_settings *settings(void) {
    struct image_settings *s = image_preset.create();
    s->sms = 1;
    s->latency = 100;
    return s;
}

/* Runs and frees the stream; the caller frees the result. */
static struct image_result *simulate(struct hand *h, struct image_settings *s) {
    struct diag d = {0};
    struct system_job job = {
        .stream = &h->stream, .run = NULL, .path = "hand", .diag = &d};
    struct image_result *r = image_preset.run(s, &job);
    assert_non_null(r);
    assert_int_equal(d.errors, 0);
    free(s);
    hand_free(h);
    diag_free(&d);
    return r;
}

static uint64_t cycles_of(struct hand *h, struct image_settings *s) {
    struct image_result *r = simulate(h, s);
    uint64_t n = r->cycles;
    free(r);
    return n;
}

/* MOV in a warp: from the second on, each a cycle after the other; the warp is
 * seen to have ended one cycle after its last. */
static void one_instruction_a_cycle(void **state) {
    (void)state;
    struct hand *a = hand_begin(), *b = hand_begin();
    hand_launch(a, 1, 1, 64);
    hand_launch(b, 1, 1, 64);
    hand_insn(a, 0, 0, MOV, 0, 0);
    for (uint32_t w = 0; w < 2; w++)
        hand_insn(b, 0, w, MOV, 0, 0);
    assert_int_equal(cycles_of(b, settings()), cycles_of(a, settings()) + 1);
}

/* Loose round robin: the second warp's load does not wait for all that the
 * first could issue. */
static void warps_take_turns(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 64);
    for (int i = 0; i < 50; i++)
        hand_insn(h, 0, 0, NOP, 0, 0);
    hand_insn(h, 0, 1, LD, 0x1000, 4);
    hand_insn(h, 0, 1, ADD, 0, 0);
    assert_in_range(cycles_of(h, settings()), 100, 110);
}

/* A load, and an addition that needs it: one line at 256 bytes a cycle. */
static void loads_are_waited_for(void **state) {
    (void)state;
    for (int dependent = 0; dependent < 2; dependent++) {
        struct hand *h = hand_begin();
        hand_launch(h, 1, 1, 32);
        hand_insn(h, 0, 0, LD, 0x1000, 4);
        hand_insn(h, 0, 0, dependent ? ADD : MOV, 0, 0);
        struct image_result *r = simulate(h, settings());
        /* issued and sent in cycle 0, through the pipe by 1, back at 101 */
        uint64_t back = 1 + 100;
        if (dependent) /* issues, then the end is seen, then the last cycle */
            assert_int_equal(r->cycles, back + CORE_LATENCY_FILL + 2);
        else
            assert_int_equal(r->cycles, back + 1);
        assert_int_equal(r->cache.load_misses, 1);
        assert_int_equal(r->core.instructions, 2);
        free(r);
    }
}

/* Two instructions that write one register: arithmetic, words of shared memory,
 * loads of a line that is there. */
static void latencies_are_options(void **state) {
    (void)state;
    static const struct {
        const char *option;
        int which;
    } cases[] = {{"alu", MOV}, {"shared", LDS}, {"hit", LD}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t cycles[2];
        for (int k = 0; k < 2; k++) {
            struct diag d = {0};
            struct hand *h = hand_begin();
            hand_launch(h, 1, 1, 32);
            hand_insn(h, 0, 0, LD, 0x1000, 4);
            hand_insn(h, 0, 0, ADD, 0, 0);
            hand_insn(h, 0, 0, cases[i].which, 0x1000, 4);
            hand_insn(h, 0, 0, cases[i].which, 0x1000, 4);
            struct image_settings *s = settings();
            assert_true(
                image_preset.take(s, cases[i].option, k ? "27" : "7", &d));
            cycles[k] = cycles_of(h, s);
        }
        assert_int_equal(cycles[1] - cycles[0], 20);
    }
}

static void atomics_are_waited_for(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 32);
    hand_insn(h, 0, 0, ATOM, 0x1000, 4);
    hand_insn(h, 0, 0, ADD, 0, 0);
    struct image_result *r = simulate(h, settings());
    assert_int_equal(r->cycles, 1 + 100 + CORE_LATENCY_FILL + 2);
    assert_int_equal(r->memory.amount[IMAGE_ATOMIC], 256);
    assert_int_equal(r->cache.atomics, 1);
    free(r);
}

/* A line a cycle: 32 lines of one load take 31 cycles longer than one, were it
 * not for the MSHRs; with 8 of them memory's latency comes four times. */
static void misses_wait_for_mshrs(void **state) {
    (void)state;
    uint64_t cycles[3];
    for (int i = 0; i < 3; i++) {
        struct hand *h = hand_begin();
        struct image_settings *s = settings();
        hand_launch(h, 1, 1, 32);
        hand_insn(h, 0, 0, LD, 0x1000, i == 0 ? 4 : 128);
        s->mshrs = i == 2 ? 8 : 32;
        s->reserve = 0;
        cycles[i] = cycles_of(h, s);
    }
    assert_int_equal(cycles[1], cycles[0] + 31);
    assert_in_range(cycles[2], 4 * 100, 4 * 100 + 50);
}

/* Warp 0 waits for memory before the barrier, warp 1 has its load after it: so
 * the two latencies come one after the other, and at once without a barrier. */
static void barriers_hold(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        struct hand *h = hand_begin();
        int middle = i ? BAR : MOV;
        hand_launch(h, 1, 1, 64);
        hand_insn(h, 0, 0, LD, 0x1000, 4);
        hand_insn(h, 0, 0, ADD, 0, 0);
        hand_insn(h, 0, 0, middle, 0, 0);
        hand_insn(h, 0, 1, middle, 0, 0);
        hand_insn(h, 0, 1, LD, 0x8000, 4);
        hand_insn(h, 0, 1, ADD, 0, 0);
        cycles[i] = cycles_of(h, settings());
    }
    assert_in_range(cycles[0], 100, 115);
    assert_in_range(cycles[1], 205, 225);
}

/* A warp that has ended does not hold the others. */
static void barriers_let_go(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 96);
    hand_insn(h, 0, 0, BAR, 0, 0);
    hand_insn(h, 0, 0, MOV, 0, 0);
    hand_insn(h, 0, 1, LD, 0x1000, 4);
    hand_insn(h, 0, 1, ADD, 0, 0);
    struct image_result *r = simulate(h, settings());
    assert_int_equal(r->core.instructions, 4);
    assert_int_equal(r->core.groups, 1);
    assert_in_range(r->cycles, 100, 120);
    free(r);
}

/* Stores cost the sectors they touch and hold nobody. */
static void stores_are_bytes(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 32);
    hand_insn(h, 0, 0, ST, 0x1000, 4);
    hand_insn(h, 0, 0, ST, 0x2040, 4);
    hand_insn(h, 0, 0, ST, 0x3000, 0);
    struct image_result *r = simulate(h, settings());
    assert_int_equal(r->memory.amount[IMAGE_STORE], 128 + 128 + 32);
    assert_int_equal(pipe_amount(&r->memory), 128 + 128 + 32);
    assert_int_equal(r->cache.stores, 4); /* the second has two lines */
    assert_in_range(r->cycles, 3, 10);
    free(r);
}

/* Loads of two lines each: per-warp strides go by the instruction, and fetch
 * both lines of the third and fourth ahead. */
static void strides_go_by_instruction(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    struct image_settings *s = settings();
    hand_launch(h, 1, 1, 32);
    for (uint64_t i = 0; i < 4; i++)
        hand_insn(h, 0, 0, LD, 0x1040 + 0x1000 * i, 4);
    s->prefetch = PREFETCH_PWS;
    struct image_result *r = simulate(h, s);
    assert_int_equal(r->prefetch.requests, 4);
    assert_int_equal(r->cache.issued, 4);
    assert_int_equal(r->cache.used, 2); /* the third's */
    free(r);
}

/* Two loads by turns, each with a stride of its own. */
static void strides_are_of_one_load(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    struct image_settings *s = settings();
    hand_launch(h, 1, 1, 32);
    for (uint64_t i = 0; i < 4; i++) {
        hand_insn(h, 0, 0, LD, 0x1000 * i, 4);
        hand_insn(h, 0, 0, LD7, 0x80000 + 0x300 * i, 4);
    }
    s->prefetch = PREFETCH_PWS;
    struct image_result *r = simulate(h, s);
    assert_int_equal(r->prefetch.requests, 4); /* at each one's third, fourth */
    free(r);
}

/* CTAs of 4 warps on SMs of 8: two at a time, the third when one has left; a
 * kernel begins with an empty cache. */
static void ctas_wait_for_room(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    for (int l = 0; l < 2; l++) {
        hand_launch(h, 3, 1, 128);
        for (uint32_t c = 0; c < 3; c++)
            for (uint32_t w = 0; w < 4; w++) {
                hand_insn(h, c, w, LD, 0x1000 * (c + 1), 4);
                hand_insn(h, c, w, ADD, 0, 0);
            }
    }
    struct image_result *r = simulate(h, settings());
    assert_int_equal(r->launches, 2);
    assert_int_equal(r->core.groups, 6);
    assert_int_equal(r->cache.load_misses, 6); /* a line a CTA and launch */
    assert_int_equal(r->cache.load_merged, 18);
    assert_in_range(r->cycles, 400, 480);
    free(r);
}

static void too_large(void **state) {
    (void)state;
    struct hand *h = hand_begin();
    hand_launch(h, 1, 1, 512);
    hand_insn(h, 0, 0, MOV, 0, 0);
    struct diag d = {0};
    struct system_job job = {
        .stream = &h->stream, .run = NULL, .path = "hand", .diag = &d};
    struct image_settings *s = settings();
    assert_null(image_preset.run(s, &job));
    char *text = diag_captured(&d);
    assert_non_null(
        strstr(text, "kernel 'k' has 16 warps a CTA, an SM holds 8"));
    free(text);
    free(s);
    hand_free(h);
    diag_free(&d);
}

static void options_are_checked(void **state) {
    (void)state;
    struct diag d = {0};
    struct image_settings *s = image_preset.create();
    assert_true(image_preset.take(s, "prefetch", "pws", &d));
    assert_int_equal(s->prefetch, PREFETCH_PWS);
    assert_true(image_preset.take(s, "l1", "0x1000", &d));
    assert_int_equal(s->l1, 4096);
    assert_false(image_preset.take(s, "prefetch", "psw", &d));
    assert_false(image_preset.take(s, "sms", "0", &d));
    d.errors = 0;
    assert_true(image_preset.check(s, &d));
    s->ways = 5;
    s->reserve = 32;
    s->entries = 3;
    assert_false(image_preset.check(s, &d));
    assert_int_equal(d.errors, 3);
    free(s);
    diag_free(&d);
}

/* What only one prefetcher has is refused beside another, in any order. */
static void options_belong_together(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *prefetch;
    } cases[] = {{"stride", "printed", "pattern"},
                 {"stride", "exact", "pattern"},
                 {"queue", "4", "pws"},
                 {"entries", "64", "pws"}};
    static const char *const kinds[] = {"none", "pws", "pattern"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 3; k++) {
            struct diag d = {0};
            struct image_settings *s = image_preset.create();
            assert_true(
                image_preset.take(s, cases[i].name, cases[i].value, &d));
            assert_true(image_preset.take(s, "prefetch", kinds[k], &d));
            assert_int_equal(image_preset.check(s, &d),
                             strcmp(kinds[k], cases[i].prefetch) == 0);
            free(s);
            diag_free(&d);
        }
}

/* What only an L2 has is refused without it, and its lines without a real one.
 */
static void options_of_the_l2(void **state) {
    (void)state;
    static const struct {
        const char *name, *value;
        bool lines;
    } cases[] = {{"l2-bytes", "65536", true},
                 {"l2-ways", "4", true},
                 {"l2-latency", "9", false},
                 {"l2-bandwidth", "100", false}};
    static const char *const forms[] = {"none", "perfect", "real"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 3; k++) {
            struct diag d = {0};
            struct image_settings *s = image_preset.create();
            assert_true(
                image_preset.take(s, cases[i].name, cases[i].value, &d));
            assert_true(image_preset.take(s, "l2", forms[k], &d));
            assert_int_equal(image_preset.check(s, &d),
                             k > (cases[i].lines ? 1 : 0));
            free(s);
            diag_free(&d);
        }
}

/* The defaults go with every prefetcher. */
static void defaults_go_with_all(void **state) {
    (void)state;
    struct diag d = {0};
    struct image_settings *s = image_preset.create();
    for (uint32_t k = PREFETCH_NONE; k <= PREFETCH_PATTERN; k++) {
        s->prefetch = k;
        assert_true(image_preset.check(s, &d));
    }
    free(s);
    diag_free(&d);
}

/* --------------------------------------------------------------- an L2 -----
 */

/* As settings, with an L2 that answers after 40 cycles. */
static struct image_settings *with_l2(enum image_l2 form) {
    struct image_settings *s = settings();
    s->l2 = form;
    s->l2_latency = 40;
    return s;
}

/* A dependent load in each of two launches: the second finds the L1 empty. */
static struct hand *loads_twice(int between) {
    struct hand *h = hand_begin();
    for (int l = 0; l < 2; l++) {
        hand_launch(h, 1, 1, 32);
        hand_insn(h, 0, 0, LD, 0x1000, 4);
        hand_insn(h, 0, 0, ADD, 0, 0);
        if (l == 0 && between != MOV)
            hand_insn(h, 0, 0, between, 0x1000, 4);
    }
    return h;
}

/* What a dependent load takes (see loads_are_waited_for): through the port and
 * to the L2 in 1 + 40 cycles, from there through memory in 1 + 100. */
static void the_l2_answers(void **state) {
    (void)state;
    uint64_t rest = CORE_LATENCY_FILL + 2;
    uint64_t near = 1 + 40 + rest, far = 1 + 40 + 1 + 100 + rest;
    struct image_result *r = simulate(loads_twice(MOV), with_l2(IMAGE_L2_REAL));
    assert_int_equal(r->cycles, far + near);
    assert_int_equal(r->l2.loads, 2);
    assert_int_equal(r->l2.load_misses, 1);
    assert_int_equal(r->l2_traffic.amount[IMAGE_DEMAND], 2 * CACHE_LINE);
    assert_int_equal(r->memory.amount[IMAGE_DEMAND], CACHE_LINE);
    free(r);
    r = simulate(loads_twice(MOV), with_l2(IMAGE_L2_PERFECT));
    assert_int_equal(r->cycles, 2 * near);
    assert_int_equal(r->l2_traffic.amount[IMAGE_DEMAND], 2 * CACHE_LINE);
    assert_int_equal(pipe_amount(&r->memory), 0);
    free(r);
}

/* A store leaves the line where it is, an atomic throws it out; both go on to
 * memory. */
static void the_l2_is_written_through(void **state) {
    (void)state;
    for (int atomic = 0; atomic < 2; atomic++) {
        struct image_result *r =
            simulate(loads_twice(atomic ? ATOM : ST), with_l2(IMAGE_L2_REAL));
        assert_int_equal(r->l2.load_misses, 1 + atomic);
        assert_int_equal(r->memory.amount[IMAGE_STORE], atomic ? 0 : 128);
        assert_int_equal(r->memory.amount[IMAGE_ATOMIC], atomic ? 256 : 0);
        assert_int_equal(r->l2_traffic.amount[IMAGE_STORE], atomic ? 0 : 128);
        free(r);
    }
}

/* One line wanted by four SMs: memory brings it once, to all of them. */
static void sms_share_the_l2(void **state) {
    (void)state;
    struct image_settings *s = with_l2(IMAGE_L2_REAL);
    struct hand *h = hand_begin();
    s->sms = 4;
    hand_launch(h, 4, 1, 32);
    for (uint32_t i = 0; i < 4; i++) {
        hand_insn(h, i, 0, LD, 0x1000, 4);
        hand_insn(h, i, 0, ADD, 0, 0);
    }
    struct image_result *r = simulate(h, s);
    assert_int_equal(r->cache.load_misses, 4);
    assert_int_equal(r->l2.load_misses, 1);
    assert_int_equal(r->l2.load_merged, 3);
    assert_int_equal(r->memory.amount[IMAGE_DEMAND], CACHE_LINE);
    assert_in_range(r->cycles, 1 + 40 + 1 + 100, 1 + 40 + 1 + 100 + 15);
    free(r);
}

/* The port moves its bytes a cycle: 32 lines at 32 GB/s and 1 GHz take four
 * cycles each. */
static void the_port_has_a_bandwidth(void **state) {
    (void)state;
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        struct image_settings *s = with_l2(IMAGE_L2_PERFECT);
        struct hand *h = hand_begin();
        hand_launch(h, 1, 1, 32);
        hand_insn(h, 0, 0, LD, 0x1000, i ? 128 : 4);
        hand_insn(h, 0, 0, ADD, 0, 0);
        s->l2_bandwidth = 32;
        cycles[i] = cycles_of(h, s);
    }
    assert_int_equal(cycles[1], cycles[0] + 4 * 31);
}

/* ----------------------------------------------------------- whole kernels */

static const char *const kernels[] = {
    "kernels/conv2d/conv2d.yml",
    "kernels/conv2d/conv2d_pattern.yml",
    "kernels/jacobi2d/jacobi2d_pattern_sync.yml",
    "kernels/convsep/convsep.yml",
    "kernels/downsample/downsample_pattern_sync.yml",
    "kernels/concat/concat_pattern.yml",
    "kernels/hist/hist.yml", /* atomics; no image of its description */
};

/* A stream that counts what passes. */
struct counted {
    struct stream stream, *in;
    struct stats stats;
};

static enum stream_result counted_next(struct stream *s,
                                       struct stream_event *e) {
    struct counted *c = (struct counted *)(void *)s;
    enum stream_result r = stream_next(c->in, e);
    if (r == STREAM_EVENT)
        stats_add(&c->stats, e);
    return r;
}

static const struct stream_ops counted_ops = {counted_next, NULL};

/* What the SMs ask for, and of it what memory sees behind an L2. */
static void check_traffic(const struct image_result *r) {
    const struct cache_stats *c = &r->cache, *l2 = &r->l2;
    enum image_l2 form = (enum image_l2)r->settings.l2;
    const struct pipe_stats *m = &r->memory;
    const struct pipe_stats *sms = form ? &r->l2_traffic : m;
    assert_int_equal(sms->amount[IMAGE_DEMAND], CACHE_LINE * c->load_misses);
    assert_int_equal(sms->amount[IMAGE_PREFETCH], CACHE_LINE * c->issued);
    assert_int_equal(sms->packets,
                     c->load_misses + c->issued + c->stores + c->atomics);
    if (form == IMAGE_L2_NONE)
        return;
    assert_int_equal(m->amount[IMAGE_STORE], sms->amount[IMAGE_STORE]);
    assert_int_equal(m->amount[IMAGE_ATOMIC], sms->amount[IMAGE_ATOMIC]);
    assert_int_equal(m->amount[IMAGE_DEMAND] + m->amount[IMAGE_PREFETCH],
                     CACHE_LINE * l2->load_misses);
    if (form == IMAGE_L2_PERFECT)
        return;
    assert_int_equal(l2->loads, c->load_misses + c->issued);
    assert_int_equal(l2->stores, c->stores);
    assert_int_equal(l2->atomics, c->atomics);
    assert_int_equal(l2->fills, l2->load_misses);
    assert_int_equal(l2->blocked, 0);
}

/* What goes in comes out, under every prefetcher, order and L2. */
static void check_books(const struct image_result *r, const struct stats *st) {
    const struct stats_space *g = &st->spaces[PTX_SPACE_GLOBAL];
    const struct cache_stats *c = &r->cache;
    assert_int_equal(r->launches, st->launches);
    assert_int_equal(r->core.instructions, st->warp_instructions);
    assert_int_equal(c->loads + c->stores + c->atomics, g->lines);
    assert_int_equal(c->loads, c->load_hits + c->load_misses + c->load_merged);
    assert_int_equal(c->issued, c->used + c->unused);
    assert_int_equal(c->fills, c->load_misses + c->issued);
    check_traffic(r);
    const struct prefetch_unit_stats *p = &r->prefetch;
    bool pattern = r->settings.prefetch == PREFETCH_PATTERN;
    assert_int_equal(p->requests, p->duplicate + p->full + c->present +
                                      c->in_flight + c->issued +
                                      (pattern ? c->refused : 0));
    assert_int_equal(p->demands, c->loads);
    if (pattern)
        assert_int_equal(p->over, p->requests - p->duplicate - p->full);
    /* every line has to come once at least */
    assert_true(c->fills + c->stores + c->atomics >= st->footprint_lines);
    assert_true(r->cycles * r->settings.sms >= st->warp_instructions);
}

static void books_of(const char *path, uint32_t prefetch, uint32_t order,
                     uint32_t l2) {
    struct diag d = {0};
    struct run_options o = {.reference = ref_find};
    struct run *run = run_open(path, &o, &d);
    assert_non_null(run);
    struct counted c = {.stream = {&counted_ops}, .in = run_stream(run)};
    struct system_job job = {
        .stream = &c.stream, .run = run, .path = path, .diag = &d};
    struct image_settings *s = image_preset.create();
    if (prefetch == PREFETCH_PATTERN && !run_images(run))
        prefetch = PREFETCH_NONE;
    s->sms = 4;
    s->prefetch = prefetch;
    s->order = order;
    s->l2 = l2;
    s->l2_bytes = 1 << 14; /* lines are thrown out */
    struct image_result *r = image_preset.run(s, &job);
    assert_non_null(r);
    check_books(r, &c.stats);
    free(r);
    free(s);
    stats_free(&c.stats);
    run_close(run);
    diag_free(&d);
}

static void books(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        for (uint32_t prefetch = 0; prefetch <= PREFETCH_PATTERN; prefetch++)
            for (uint32_t order = 0; order <= ORDER_TILE; order++)
                books_of(kernels[i], prefetch, order, order % 3);
}

/* Frees the settings; the caller frees the result. */
static struct image_result *run_kernel(const char *path,
                                       struct image_settings *s) {
    struct diag d = {0};
    struct run_options o = {.reference = ref_find};
    struct run *run = run_open(path, &o, &d);
    assert_non_null(run);
    struct system_job job = {
        .stream = run_stream(run), .run = run, .path = path, .diag = &d};
    struct image_result *r = image_preset.run(s, &job);
    assert_non_null(r);
    run_close(run);
    diag_free(&d);
    free(s);
    return r;
}

/* Time and traffic to the last cycle and byte.  Whoever changes them changes
 * the pages of figures. */
static void figures_stay(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t prefetch;
        uint64_t cycles, bytes;
    } cases[] = {
        {"kernels/hist/hist.yml", PREFETCH_NONE, 1783, 16256},
        {"kernels/hist/hist.yml", PREFETCH_PWS, 1609, 19328},
        {"kernels/conv2d/conv2d.yml", PREFETCH_NONE, 3303, 60896},
        {"kernels/conv2d/conv2d.yml", PREFETCH_PATTERN, 3551, 79072},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image_settings *s = image_preset.create();
        s->prefetch = cases[i].prefetch;
        struct image_result *r = run_kernel(cases[i].path, s);
        assert_int_equal(r->cycles, cases[i].cycles);
        assert_int_equal(pipe_amount(&r->memory), cases[i].bytes);
        free(r);
    }
}

/* ------------------------------------------------------------ the driver */

/* Bands, columns and tiles of an image of 100 x 50 floats in blocks of 32 x 8:
 * 4 blocks across, 7 down. */
static void parts_of_images(void **state) {
    (void)state;
    struct run_image image = {.address = 0x4000,
                              .element = 4,
                              .width = 100,
                              .height = 50,
                              .pitch = 110,
                              .block = {32, 8}};
    static const struct {
        enum run_walk walk;
        uint64_t parts, part, x_lo, x_hi, y_lo, y_hi;
    } cases[] = {{RUN_WALK_ROW, 1, 0, 0, 400, 0, 50},
                 {RUN_WALK_ROW, 3, 1, 0, 400, 24, 48},
                 {RUN_WALK_ROW, 3, 2, 0, 400, 48, 50},
                 {RUN_WALK_ROW, 16, 9, 0, 400, 50, 50}, /* nothing left */
                 {RUN_WALK_COLUMN, 2, 1, 256, 400, 0, 50},
                 {RUN_WALK_TILE, 4, 1, 256, 400, 0, 32},
                 {RUN_WALK_TILE, 4, 2, 0, 256, 32, 50},
                 {RUN_WALK_TILE, 8, 5, 128, 256, 32, 50},
                 {RUN_WALK_REPEAT, 4, 2, 0, 400, 0, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image_part part = {cases[i].parts, cases[i].part, false};
        image.walk = cases[i].walk;
        struct prefetch_walk w = image_driver_walk(&image, &part);
        assert_int_equal(w.x_lo, cases[i].x_lo);
        assert_int_equal(w.x_hi, cases[i].x_hi);
        assert_int_equal(w.y_lo, cases[i].y_lo);
        assert_int_equal(w.y_hi, cases[i].y_hi);
        assert_int_equal(w.start, 0x4000);
        assert_int_equal(w.size, 49 * 440 + 400);
        assert_int_equal(w.pitch, 440);
        assert_int_equal(w.block_x, 128);
        assert_int_equal(w.block_y, image.walk == RUN_WALK_REPEAT ? 0 : 8);
        assert_int_equal(w.along_y, image.walk == RUN_WALK_COLUMN);
    }
    assert_int_equal(image_driver_tiles_down(16), 4);
    assert_int_equal(image_driver_tiles_down(8), 2);
    assert_int_equal(image_driver_tiles_down(7), 1);
}

/* What areas of CTAs cover of the same image, which lies at 64, 8 of what the grid
 * covers: 6 blocks across, 8 down. */
static void areas_of_images(void **state) {
    (void)state;
    struct run_image image = {.element = 4,
                              .width = 100,
                              .height = 50,
                              .pitch = 110,
                              .block = {32, 8},
                              .origin = {64, 8}};
    static const struct {
        enum run_walk walk;
        struct image_area area;
        uint64_t x_lo, x_hi, y_lo, y_hi;
        bool along_y;
    } cases[] = {
        {RUN_WALK_ROW, {{0, 0}, {6, 8}, false, false}, 0, 400, 0, 50, false},
        {RUN_WALK_ROW, {{0, 3}, {6, 4}, false, false}, 0, 400, 16, 24, false},
        {RUN_WALK_ROW, {{3, 0}, {4, 8}, true, false}, 128, 256, 0, 50, true},
        {RUN_WALK_ROW, {{0, 0}, {2, 8}, true, false}, 0, 0, 0, 50, true},
        {RUN_WALK_TILE,
         {{4, 4}, {6, 8}, false, false},
         256,
         400,
         24,
         50,
         false},
        {RUN_WALK_COLUMN, {{2, 3}, {3, 4}, false, false}, 0, 128, 0, 50, true},
        {RUN_WALK_REPEAT, {{2, 3}, {3, 4}, true, false}, 0, 400, 16, 24, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        image.walk = cases[i].walk;
        struct prefetch_walk w = image_driver_area_walk(&image, &cases[i].area);
        assert_int_equal(w.x_lo, cases[i].x_lo);
        assert_int_equal(w.x_hi, cases[i].x_hi);
        assert_int_equal(w.y_lo, cases[i].y_lo);
        assert_int_equal(w.y_hi, cases[i].y_hi);
        assert_int_equal(w.along_y, cases[i].along_y);
        assert_int_equal(w.size, 49 * 440 + 400);
        assert_int_equal(w.block_y, image.walk == RUN_WALK_REPEAT ? 0 : 8);
    }
}

/* What a description may not say of its images, and what is said to it. */
static void images_are_checked(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"images: {inn: {width: width}}", "no buffer 'inn'"},
        {"images: {in: {width: width, height: height + 1}}",
         "image 'in' of 75 x 44 elements does not fit into its 3225 elements "
         "in rows of 75"},
        {"images: {in: {width: width, pitch: 70}}", "does not fit"},
        {"images: {in: {width: 9, walk: rov}}", "did you mean 'row'"},
        {"images: {in: {hight: 3}}", "did you mean 'height'"},
        {"images: {out: {height: 3}}", "image 'out' needs a 'width'"},
        {"images: {in: {width: 9, block: 0}}",
         "0, expected an integer from 1 to"},
        {"images: {in: {width: 9, origin: {x: 3}}}",
         "'origin' of an image must be its x and y"},
        {"images: {in: {width: 9, origin: [-1]}}",
         "-1, expected an integer from 0 to"},
        {"images: [in]", "'images' must be a map"},
        {"parts: 0", "0, expected an integer from 1 to"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scratch files;
        struct diag d = {0};
        struct run_options o = {.reference = ref_find};
        char text[2000], folder[800];
        scratch_open(&files);
        assert_non_null(getcwd(folder, sizeof folder));
        snprintf(text, sizeof text,
                 "base: %s/kernels/conv2d/conv2d.yml\n"
                 "ptx: %s/kernels/conv2d/conv2d.ptx\nprefetch: {%s}\n",
                 folder, folder, cases[i][0]);
        assert_null(run_open(scratch_text(&files, "my.yml", text), &o, &d));
        char *said = diag_captured(&d);
        if (!strstr(said, cases[i][1]))
            fail_msg("'%s' gives '%s'", cases[i][0], said);
        free(said);
        diag_free(&d);
        scratch_close(&files);
    }
}

/* With room for all that a kernel reads. */
static struct image_result *run_pattern(const char *path, bool printed) {
    struct image_settings *s = image_preset.create();
    s->prefetch = PREFETCH_PATTERN;
    s->printed = printed;
    s->l1 = 1 << 16;
    return run_kernel(path, s);
}

/* Kernels that read no margin: every load of an SM lies in its own part, so the
 * table has the very bounds that the kernel computes.  With room for all of it
 * each prefetch is used, but for those of a walk along cut-off blocks. */
static void tables_fit_the_kernels(void **state) {
    (void)state;
    static const char *const paths[] = {
        "kernels/downsample/downsample_pattern_sync.yml",
        "kernels/concat/concat_pattern_sync.yml",
        "kernels/dct8x8/dct8x8_pattern_sync.yml"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct image_result *r = run_pattern(paths[i], false);
        assert_int_equal(r->prefetch.outside, 0);
        assert_int_equal(r->prefetch.known, r->prefetch.demands);
        assert_true(r->prefetch.ended > 0);
        assert_int_equal(r->cache.unused, 0);
        assert_true(r->cache.used > 20);
        free(r);
    }
}

/* The paper's formula leaves the walk by a row at each boundary. */
static void printed_stride_misses(void **state) {
    (void)state;
    const char *path = "kernels/conv2d/conv2d_pattern_sync.yml";
    struct image_result *exact = run_pattern(path, false);
    struct image_result *printed = run_pattern(path, true);
    assert_true(cache_accuracy(&exact->cache) >
                cache_accuracy(&printed->cache));
    free(exact);
    free(printed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_are_cut),
        cmocka_unit_test(accesses_coalesce),
        cmocka_unit_test(orders),
        cmocka_unit_test(one_instruction_a_cycle),
        cmocka_unit_test(warps_take_turns),
        cmocka_unit_test(loads_are_waited_for),
        cmocka_unit_test(latencies_are_options),
        cmocka_unit_test(atomics_are_waited_for),
        cmocka_unit_test(misses_wait_for_mshrs),
        cmocka_unit_test(barriers_hold),
        cmocka_unit_test(barriers_let_go),
        cmocka_unit_test(stores_are_bytes),
        cmocka_unit_test(strides_go_by_instruction),
        cmocka_unit_test(strides_are_of_one_load),
        cmocka_unit_test(ctas_wait_for_room),
        cmocka_unit_test(too_large),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(options_belong_together),
        cmocka_unit_test(options_of_the_l2),
        cmocka_unit_test(defaults_go_with_all),
        cmocka_unit_test(the_l2_answers),
        cmocka_unit_test(the_l2_is_written_through),
        cmocka_unit_test(sms_share_the_l2),
        cmocka_unit_test(the_port_has_a_bandwidth),
        cmocka_unit_test(books),
        cmocka_unit_test(figures_stay),
        cmocka_unit_test(parts_of_images),
        cmocka_unit_test(areas_of_images),
        cmocka_unit_test(images_are_checked),
        cmocka_unit_test(tables_fit_the_kernels),
        cmocka_unit_test(printed_stride_misses),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
