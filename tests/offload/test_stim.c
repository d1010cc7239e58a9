/* test_stim.c - the environment of the offload controller notices what
 * model and RTL agree on.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs; each lie must be caught by the check that is there for it.  A
 * replayed run must ask for what the executor executes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "offload/offload.h"
#include "kit/rng.h"
#include "kit/cand.h"
#include "offload/stim.h"

#include "blocks/offload.h"

#define LIAR_BLOCK offload
#define LIAR_EXTRA                                                             \
    bool lies;       /* since the last edge */                                 \
    uint64_t window; /* that a deaf one was told */                            \
    struct {                                                                   \
        uint64_t address;                                                      \
        bool known; /* neither learned nor probed */                           \
    } ask[64];
#include "tests/common/stim_liar.h"

/* A sum over all requests that the first of the two models has taken: slots
 * take turns, so their order is not the executor's. */
static uint64_t asked;
static const struct liar *recorder;

static uint64_t request(uint64_t key, uint64_t mask, uint64_t address) {
    return rng_mix(key + 1) + 3 * rng_mix(mask) + 5 * rng_mix(address);
}

static void note_request(struct liar *l, bool rst, struct offload_in *in) {
    (void)rst;
    if (in->ask_valid && l->out.ask_ready) {
        recorder = recorder ? recorder : l;
        if (l == recorder)
            asked +=
                rng_mix(request(in->ask_key, in->ask_mask, in->ask_address));
        l->ask[in->ask_warp].address = in->ask_address;
        l->ask[in->ask_warp].known = !in->ask_learned;
    }
    if (l->out.probe_valid)
        l->ask[l->out.probe_warp].known = false;
}

/* By the baseline mapping of preset small, four stacks. */
static uint64_t stack_of(const struct liar *l, uint64_t warp) {
    uint64_t stack = 0;
    for (int bit = 7; bit < 32; bit += 2)
        stack ^= l->ask[warp].address >> bit & 3;
    return stack;
}

static const char small[] = "--target offload --preset small --cycles 200000";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target offload --preset small --cycles 400000");
    expect_all_covers("--target offload --preset tom --cycles 400000");
    expect_all_covers("--target offload --preset small --cycles 20000 "
                      "--stim directed");
    expect_all_covers("--target offload --preset tom --cycles 20000 "
                      "--stim directed");
}

/* Other forms of the block keep the same promises. */
static void test_forms(void **state) {
    static const char *const sets[] = {
        "offload.lookup=pc", "offload.monitor=tumbling", "offload.stacks=16",
        "offload.warps=13", "offload.flit_bits=256"};
    (void)state;
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[256];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches 0");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target offload --preset small --cycles 30000");
}

/* --- answers -------------------------------------------------------------- */

/* Once an answer is altered it stays so until it is taken. */
static bool new_answer(struct liar *l, const struct offload_out *o) {
    bool waits = l->last.ans_valid && !l->in.ans_ready;
    l->lies = waits ? l->lies : false;
    return o->ans_valid && !waits;
}

static void set_reason(struct liar *l, struct offload_out *o, uint64_t from,
                       uint64_t to) {
    if (new_answer(l, o) && o->ans_reason == from)
        l->lies = true;
    if (!l->lies)
        return;
    o->ans_reason = to;
    o->ans_offload = to == 0;
}

static void hold_reason(struct liar *l, struct offload_out *o) {
    set_reason(l, o, 3, 8);
}

static void wrong_busy_reason(struct liar *l, struct offload_out *o) {
    set_reason(l, o, 6, 4);
}

static void never_saves(struct liar *l, struct offload_out *o) {
    set_reason(l, o, 6, 7);
}

static void full_for_busy(struct liar *l, struct offload_out *o) {
    set_reason(l, o, 4, 6);
}

/* To the stack that the request names, so that only the reason is wrong. */
static void offload_instead(struct liar *l, struct offload_out *o,
                            uint64_t reason) {
    if (l->lies || l->ask[o->ans_warp].known)
        set_reason(l, o, reason, 0);
    if (l->lies)
        o->ans_stack = stack_of(l, o->ans_warp);
}

static void offload_busy(struct liar *l, struct offload_out *o) {
    offload_instead(l, o, 5);
}

static void beyond_limit(struct liar *l, struct offload_out *o) {
    offload_instead(l, o, 6);
}

static void stuck(struct liar *l, struct offload_out *o) {
    (void)l;
    o->ask_ready = 0;
}

static void wrong_stack(struct liar *l, struct offload_out *o) {
    if (new_answer(l, o) && o->ans_offload)
        l->lies = true;
    if (l->lies)
        o->ans_stack ^= 1;
}

static void wrong_warp(struct liar *l, struct offload_out *o) {
    if (new_answer(l, o))
        l->lies = true;
    if (l->lies)
        o->ans_warp ^= 4;
}

static void changed_answer(struct liar *l, struct offload_out *o) {
    if (l->last.ans_valid && !l->in.ans_ready)
        o->ans_stack ^= 1;
}

static void stray_field(struct liar *l, struct offload_out *o) {
    (void)l;
    if (!o->ans_valid)
        o->ans_reason = 1;
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(hold_reason, small, ": expected reason 3, got 8");
    expect_caught(wrong_busy_reason, small, " link that ");
    expect_caught(never_saves, small, ": expected reason -1, got 7");
    expect_caught(full_for_busy, small, "which has room");
    expect_caught(offload_busy, small, "is offloaded onto a busy RX link");
    expect_caught(beyond_limit, small, " is offloaded");
    expect_caught(wrong_stack, small, " goes to stack ");
    expect_caught(wrong_warp, small, "an answer for warp ");
    expect_caught(changed_answer, small,
                  "'ans_stack' changed before it was taken");
    expect_caught(stuck, small, " requests unanswered, requests are ready 0");
    expect_caught(stray_field, small, "'ans_reason' is not zero while");
}

/* An answer that never comes, and one that comes twice. */
static void lost_answer(struct liar *l, struct offload_out *o) {
    if (o->ans_valid && !o->ans_offload && !l->last.ans_valid && l->told++ > 20)
        o->ans_valid = o->ans_warp = o->ans_reason = o->ans_offload =
            o->ans_stack = 0;
}

static void repeated_answer(struct liar *l, struct offload_out *o) {
    if (o->ans_valid || !l->last.ans_valid || !l->in.ans_ready)
        return;
    o->ans_valid = 1;
    o->ans_warp = l->last.ans_warp;
    o->ans_reason = l->last.ans_reason;
    o->ans_offload = l->last.ans_offload;
    o->ans_stack = l->last.ans_stack;
}

static void test_lost_and_repeated(void **state) {
    (void)state;
    expect_caught(lost_answer, small, " waits for its answer");
    expect_caught(repeated_answer, small, ", which has not asked");
}

/* --- operands and probes -------------------------------------------------- */

static void wrong_lane(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->oper_valid)
        o->oper_lane ^= 1;
}

static void wrong_condition(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->oper_valid)
        o->oper_reg ^= 1;
}

static void wrong_probe(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->probe_valid)
        o->probe_warp ^= 1;
}

static void wrong_save(struct liar *l, struct offload_out *o) {
    l->told |= !o->reg_read_valid; /* not in the middle of a request */
    if (o->reg_read_valid && l->told)
        o->reg_read_reg ^= 1;
}

static void test_operands_and_probes(void **state) {
    (void)state;
    expect_caught(wrong_lane, small, "condition of warp ");
    expect_caught(wrong_condition, small, "condition of warp ");
    expect_caught(wrong_probe, small, " without need");
    expect_caught(wrong_save, small, " is read, expected ");
}

/* --- packets -------------------------------------------------------------- */

static void wrong_header(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->tx_valid && o->tx_head)
        o->tx_data[0] ^= (uint64_t)1 << 20;
}

static void wrong_row(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->tx_valid && !o->tx_head)
        o->tx_data[0] ^= (uint64_t)1 << 40;
}

static void wrong_last(struct liar *l, struct offload_out *o) {
    (void)l;
    o->tx_last ^= o->tx_valid;
}

static void lost_flit(struct liar *l, struct offload_out *o) {
    if (!o->tx_valid || o->tx_head || l->last.tx_valid)
        return;
    memset(o->tx_data, 0, sizeof o->tx_data);
    o->tx_valid = o->tx_stack = o->tx_last = 0;
}

static void wrong_destination(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->tx_valid)
        o->tx_stack ^= 1;
}

static void no_flush(struct liar *l, struct offload_out *o) {
    (void)l;
    o->flush_valid = o->flush_warp = 0;
}

static void wrong_flush(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->flush_valid)
        o->flush_warp ^= 4;
}

static void test_packets(void **state) {
    (void)state;
    expect_caught(wrong_header, small, "its header is not what it asked for");
    expect_caught(wrong_row, small, ": lane ");
    expect_caught(wrong_last, small, ": expected last ");
    expect_caught(lost_flit, small, "packet of warp ");
    expect_caught(wrong_destination, small, " goes to stack ");
    expect_caught(no_flush, small, "a flit without a packet");
    expect_caught(wrong_flush, small, "in another order than answers");
}

/* --- acknowledgements ----------------------------------------------------- */

static void wrong_write(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->reg_write_valid)
        o->reg_write_row[2] ^= 2;
}

static void wrong_mask(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->reg_write_valid)
        o->reg_write_mask ^= 2;
}

static void wrong_register(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->reg_write_valid)
        o->reg_write_reg ^= 1;
}

static void wrong_line(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->inval_valid)
        o->inval_line ^= 1;
}

static void lost_line(struct liar *l, struct offload_out *o) {
    (void)l;
    o->inval_valid = o->inval_line = 0;
}

static void wrong_pc(struct liar *l, struct offload_out *o) {
    (void)l;
    if (o->release_valid)
        o->release_pc ^= 1;
}

static void lost_release(struct liar *l, struct offload_out *o) {
    (void)l;
    o->release_valid = o->release_warp = o->release_pc = 0;
}

static void repeated_release(struct liar *l, struct offload_out *o) {
    if (o->release_valid || !l->last.release_valid || !l->in.release_ready)
        return;
    o->release_valid = 1;
    o->release_warp = l->last.release_warp;
    o->release_pc = l->last.release_pc;
}

static void test_acknowledgements(void **state) {
    (void)state;
    expect_caught(wrong_write, small, ", the acknowledgement has ");
    expect_caught(wrong_mask, small, " is written under mask ");
    expect_caught(wrong_register, small, " is written, expected ");
    expect_caught(wrong_line, small, " is invalidated, expected ");
    expect_caught(lost_line, small, " worked off");
    expect_caught(wrong_pc, small, " is released at ");
    expect_caught(lost_release, small, "is not released");
    expect_caught(repeated_release, small, " is released, which is not away");
}

/* --- monitors and registers ----------------------------------------------- */

static void wrong_busy(struct liar *l, struct offload_out *o) {
    (void)l;
    o->link_rx_busy ^= 2;
}

/* A model that never changes its window, though the register says so. */
enum { WINDOW_AT = REG_FIRST + OFFLOAD_SET_window, WINDOW_OF_SMALL = 64 };

static void deafen(struct liar *l, bool rst, struct offload_in *in) {
    l->window = rst ? WINDOW_OF_SMALL : l->window;
    if (!in->wb_cyc || !in->wb_stb || !in->wb_we || in->wb_adr != WINDOW_AT)
        return;
    uint64_t low = in->wb_sel & 1 ? 127 : 0;
    l->window = (l->window & ~low) | (in->wb_dat_w & low);
    in->wb_dat_w = WINDOW_OF_SMALL;
}

static void tell_window(struct liar *l, struct offload_out *o) {
    if (o->wb_ack && !l->in.wb_we && l->in.wb_adr == WINDOW_AT)
        o->wb_dat_r = l->window;
}

static void test_deaf(void **state) {
    static const char directed[] =
        "--target offload --preset small --cycles 20000 --stim directed";
    (void)state;
    hears = deafen;
    lie_after = 0;
    expect_caught(tell_window, small, " link shows busy ");
    expect_caught(tell_window, directed, " link shows busy ");
}

static void wrong_count(struct liar *l, struct offload_out *o) {
    (void)l;
    o->wb_dat_r += o->wb_ack;
}

static void silent_port(struct liar *l, struct offload_out *o) {
    (void)l;
    o->wb_ack = o->wb_dat_r = 0;
}

static void test_monitors_and_registers(void **state) {
    (void)state;
    expect_caught(wrong_busy, small, "stack 1: its RX link shows busy ");
    expect_caught(wrong_count, small, "register '");
    expect_caught(silent_port, small, "no acknowledge for register ");
    expect_counters_caught(small);
}

/* --- time ----------------------------------------------------------------- */

/* Answers come five edges late. */
enum { LATE = 5 };
static struct offload_out late[2][LATE];

static void slow_answers(struct liar *l, struct offload_out *o) {
    static const struct liar *first;
    first = first ? first : l;
    struct offload_out *q = late[l != first];
    struct offload_out now = *o, was = q[LATE - 1];
    memmove(q + 1, q, (LATE - 1) * sizeof *q);
    q[0] = now;
    o->ans_valid = was.ans_valid;
    o->ans_warp = was.ans_warp;
    o->ans_offload = was.ans_offload;
    o->ans_reason = was.ans_reason;
    o->ans_stack = was.ans_stack;
}

static void test_latency(void **state) {
    (void)state;
    memset(late, 0, sizeof late);
    expect_caught(slow_answers,
                  "--target offload --preset small --cycles 60000 "
                  "--stim directed",
                  " edges, though nothing held it up");
}

/* --- replay --------------------------------------------------------------- */

struct expected {
    struct cand *run;
    unsigned instances;
    uint64_t asked;
};

static void count_end(void *ctx, const struct cand_instance *i) {
    struct expected *e = ctx;
    bool first = cand_blocks(e->run)[i->block].c->starts_with_memory;
    e->instances++;
    e->asked += rng_mix(request((uint64_t)i->block, i->mask,
                                first && i->has_address ? i->address : 0));
}

/* Each instance that the executor gives is asked for once, with its lanes and
 * its address. */
static void expect_replay(const char *path, bool by_names, unsigned at_least) {
    struct stim_options o = {.run = path, .by_names = by_names};
    struct diag d = {0};
    struct expected e = {0};
    const struct cand_sink sink = {.ctx = &e, .end = count_end};
    char says[64], words[160];
    e.run = cand_open(&o, &sink, 0, &d);
    assert_non_null(e.run);
    while (cand_pull(e.run) == STREAM_EVENT)
        ;
    cand_close(e.run);
    diag_free(&d);
    assert_true(e.instances > at_least);
    snprintf(says, sizeof says, "instances\t%u\n", e.instances);
    snprintf(words, sizeof words,
             "--target offload --preset tom --stim replay --count %s --run %s",
             by_names ? "names" : "words", path);
    asked = 0;
    recorder = NULL;
    expect_green(words, says);
    assert_true(asked == e.asked);
}

static void test_replay(void **state) {
    (void)state;
    expect_replay("kernels/bfs/bfs.yml", false, 100);
    expect_replay("kernels/fwt/fwt.yml", false, 100);
    expect_replay("kernels/kmeans/kmeans.yml", false, 20);
    expect_replay("kernels/backprop/backprop.yml", true, 30);
    expect_green("--target offload --preset tom --stim replay --cycles "
                 "60000 --run kernels/bfs/bfs.yml",
                 "end\tcycles");
}

/* Number of a report's line, which must be there. */
static unsigned reported(const struct printed *p, const char *key) {
    const char *at = strstr(p->text, key);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(key), NULL, 10);
}

/* Warps whose block does not begin with an access wait for each other, but not
 * always: most go, some are refused for want of room. */
static void test_patience(void **state) {
    (void)state;
    lie = NULL;
    struct printed p =
        run_liar(lie, "--target offload --preset tom --stim replay "
                      "--run kernels/fwt/fwt.yml");
    unsigned asked_in_all = reported(&p, "asked\t");
    assert_true(reported(&p, "offloaded\t") > asked_in_all / 2);
    assert_true(reported(&p, "no_save\t") > 0);
    assert_int_equal(reported(&p, "probes\t"), reported(&p, "released\t"));
    free(p.text);
}

/* A run that gives the unit nothing to do has checked nothing. */
static void test_empty_replay(void **state) {
    (void)state;
    expect_refused(
        "--target offload --stim replay --run "
        "kernels/scalarprod/scalarprod.yml",
        "'scalarprod' has no candidates with live registers counted by "
        "words, expected '--count names'");
    expect_refused("--target offload --stim replay --count names --run "
                   "kernels/hist/hist.yml",
                   "counted by names, expected another run");
    expect_refused("--target offload --stim replay --count names --run "
                   "kernels/scalarprod/scalarprod.yml",
                   "'scalarprod' at size 'small' made no requests");
    expect_refused("--target offload --stim replay --count names "
                   "--cycles 1000 --run "
                   "kernels/scalarprod/scalarprod.yml",
                   "'scalarprod' at size 'small' made no requests");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target offload --count names",
                   "'--count' goes with '--run FILE'");
    expect_refused("--target offload --stim replay --count bytes --run "
                   "kernels/bfs/bfs.yml",
                   "expects one of words|names");
    expect_refused("--target offload --stim replay --run none.yml", "none.yml");
    expect_refused("--target offload --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected '--run FILE'");
    expect_refused("--target offload --stim replay --run "
                   "kernels/libor/libor.yml --set offload.registers=4",
                   "('offload.registers')");
    expect_refused("--target offload --stim replay --run "
                   "kernels/libor/libor.yml --set offload.candidates=4",
                   "('offload.candidates')");
    expect_refused("--target offload --stim replay --run "
                   "kernels/bfs/bfs.yml --set offload.warps=4",
                   "('offload.warps')");
    expect_refused("--target offload --stim dance",
                   "unknown stimulus 'dance', expected 'random', 'directed' or "
                   "'replay'");
}

/* Each test begins with what is told after a while, and requests written down.
 */
static int begin(void **state) {
    (void)state;
    lie_after = 2000;
    hears = note_request;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_forms, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_lost_and_repeated, begin),
        cmocka_unit_test_setup(test_operands_and_probes, begin),
        cmocka_unit_test_setup(test_packets, begin),
        cmocka_unit_test_setup(test_acknowledgements, begin),
        cmocka_unit_test_setup(test_monitors_and_registers, begin),
        cmocka_unit_test_setup(test_deaf, begin),
        cmocka_unit_test_setup(test_latency, begin),
        cmocka_unit_test_setup(test_replay, begin),
        cmocka_unit_test_setup(test_patience, begin),
        cmocka_unit_test_setup(test_empty_replay, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
