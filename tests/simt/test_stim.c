/* test_stim.c - the environment of the SIMT core notices what model and RTL
 * agree on.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs; each lie must be caught by the check that is there for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simt/simt.h"
#include "simt/stim.h"

#include "blocks/simt.h"

#define LIAR_BLOCK simt
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target simt --preset small --cycles 200000";

/* Somebody computes chains; with two tickets no response comes while the engine
 * has another access. */
#define OFFERED                                                                \
    "--target simt --preset small --set simt.chains=offered "                  \
    "--set simt.tickets=4 "
static const char chains[] = OFFERED "--cycles 100000";

/* Warps leave and come. */
#define MOVED                                                                  \
    "--target simt --preset small --set simt.chains=moved "                    \
    "--set simt.tickets=4 --set simt.warps=8 "
static const char moved[] = MOVED "--cycles 100000";

enum { RUNNING = 1, DONE, FAULTED };

/* Points that a core can have that passes chains over, that offers them, and
 * whose blocks move. */
#define COVERS_PASSED "covers 37/56"
#define COVERS_OFFERED "covers 48/56"
#define COVERS_MOVED "covers 52/56"

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    (void)state;
    expect_green(OFFERED "--cycles 400000 --seed 5", COVERS_OFFERED);
    expect_green(OFFERED "--cycles 40000 --stim directed", COVERS_OFFERED);
    expect_green("--target simt --preset mpu --set simt.chains=offered "
                 "--cycles 120000 --stim directed",
                 COVERS_OFFERED);
    expect_green(MOVED "--cycles 800000 --seed 3", COVERS_MOVED);
    expect_green(MOVED "--cycles 40000 --stim directed", COVERS_MOVED);
    expect_green("--target simt --preset small --cycles 400000", COVERS_PASSED);
    expect_green("--target simt --preset small --cycles 20000 --stim directed",
                 COVERS_PASSED);
    expect_green("--target simt --preset mpu --cycles 60000 --stim directed",
                 COVERS_PASSED);
}

/* Every operation that computes meets numbers of each sign and size, in the
 * smallest core, too, whose programs are short. */
static void test_operands(void **state) {
    static const char all[] = "\"with operands\": \"696 of 696\"";
    (void)state;
    expect_green("--target simt --preset tiny --cycles 800000 --stim directed "
                 "--json",
                 all);
    expect_green("--target simt --preset small --cycles 400000 "
                 "--stim directed --json",
                 all);
}

/* Other forms of the core keep the same promises. */
static void test_forms(void **state) {
    static const char *const sets[] = {
        "--set simt.alus=8",
        "--set simt.alus=1",
        "--set simt.lanes=4 --set simt.alus=4",
        "--set simt.lanes=32 --set simt.alus=8 --set simt.registers=64",
        "--set simt.sector=4",
        "--set simt.sector=32",
        "--set simt.code_words=64",
        "--set simt.stack=64 --set simt.code_words=1024",
        "--set simt.ctas=1 --set simt.warps=2",
        "--set simt.warps=16 --set simt.ctas=8 --set simt.tickets=8",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char words[160];
        snprintf(words, sizeof words, "%s %s", small, sets[i]);
        expect_green(words, "mismatches 0");
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char words[200];
        snprintf(words, sizeof words, "%s --set simt.chains=offered %s", small,
                 sets[i]);
        expect_green(words, "mismatches 0");
        snprintf(words, sizeof words, "%s --set simt.chains=moved %s", small,
                 sets[i]);
        expect_green(words, "mismatches 0");
    }
    expect_green(MOVED "--cycles 200000 --set simt.dispatch=step",
                 "mismatches 0");
    expect_green("--target simt --preset mpu --cycles 50000", "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target simt --preset small --cycles 20000");
}

/* --- what retires --------------------------------------------------------- */

static bool once(struct liar *l, bool happens) {
    return happens && l->told++ == 0;
}

static void wrong_value(struct liar *l, struct simt_out *o) {
    bool alu = o->ret_kind == 1 && o->ret_mask & 1 && o->ret_pc > 20 &&
               !o->count_returned;
    if (once(l, alu))
        o->ret_value[0] ^= 1;
}

static void wrong_predicate(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_kind == 2 && o->ret_mask & 1))
        o->ret_value[0] ^= 1;
}

static void wrong_lane(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_valid && !o->ret_kind))
        o->ret_mask ^= 1;
}

static void wrong_pc(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_valid && !o->ret_kind && !o->ret_pass))
        o->ret_pc ^= 1;
}

static void wrong_warp(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_valid && o->ret_pc > 30))
        o->ret_warp ^= 1;
}

static void wrong_pass(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_valid && o->ret_pc > 30 && o->ret_pass == 1))
        o->ret_pass = 2;
}

static void wrong_register(struct liar *l, struct simt_out *o) {
    if (once(l, o->ret_kind == 1 && o->ret_pc > 30 && !o->ret_pass))
        o->ret_d ^= 1;
}

/* Each pass of one instruction is lost. */
static void lost_word(struct liar *l, struct simt_out *o) {
    if (o->ret_valid && o->ret_pc == 20 && o->ret_warp == 0) {
        o->ret_valid = o->ret_kind = o->ret_pc = o->ret_pass = o->ret_mask = 0;
        o->ret_d = 0;
        memset(o->ret_value, 0, sizeof o->ret_value);
    }
    (void)l;
}

static void test_retirement(void **state) {
    (void)state;
    expect_caught(wrong_value, small, "gets");
    expect_caught(wrong_predicate, small, "gets");
    expect_caught(wrong_lane, small, "other lanes");
    expect_caught(wrong_pc, small, "retires, expected");
    expect_caught(wrong_warp, small, "warp");
    expect_caught(wrong_pass, small, "out of turn");
    expect_caught(wrong_register, small, "kind or destination");
    expect_caught(lost_word, small, "retires, expected");
}

/* --- memory --------------------------------------------------------------- */

/* The model goes on as if memory had taken what it was asked. */
static void deafen(struct liar *l, bool rst, struct simt_in *in) {
    (void)rst;
    if (l->edge > lie_after && l->out.mem_valid && l->out.mem_op == 1 &&
        l->out.state == RUNNING)
        in->mem_ready = 1;
}

/* A loaded word is another one. */
static void corrupt(struct liar *l, bool rst, struct simt_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->rsp_valid)
        for (int i = 0; i < 4; i++)
            in->rsp_data[i] = ~in->rsp_data[i];
}

static void wrong_store(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_op == 1)
        for (int i = 0; i < 8; i++)
            if (o->mem_strobe >> i & 1)
                o->mem_data[0] ^= (uint64_t)1 << 8 * i;
}

static void wrong_place(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_op == 1)
        o->mem_address ^= 1;
}

static void wrong_atomic(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_op == 2)
        o->mem_op = 9;
}

static void loose_data(struct liar *l, struct simt_out *o) {
    if (o->mem_valid && o->mem_op == 1 && !(o->mem_strobe & 1))
        o->mem_data[0] |= 1;
    (void)l;
}

static void odd_strobe(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_op > 1)
        o->mem_strobe >>= 1;
}

static void used_id(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_id == 1)
        o->mem_id = 0;
}

static void compares(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->mem_valid && o->mem_op == 2)
        o->mem_compare = 5;
}

static void test_memory(void **state) {
    (void)state;
    expect_caught(wrong_store, small, "property broken");
    expect_caught(wrong_place, small, "property broken");
    expect_caught(wrong_atomic, small, "property broken");
    expect_caught(loose_data, small, "data without a strobe");
    expect_caught(odd_strobe, small, "not for one word");
    expect_caught(used_id, small, "memory: ");
    expect_caught(compares, small, "no cas");
    hears = corrupt;
    expect_caught(NULL, small, "gets");
    hears = deafen;
    expect_caught(NULL, small, "property broken");
    hears = NULL;
}

/* --- status --------------------------------------------------------------- */

static void early_end(struct liar *l, struct simt_out *o) {
    if (o->state == RUNNING && o->ret_pc > 30 && l->told++ > 40)
        o->state = DONE;
}

static void no_end(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->state == DONE)
        o->state = RUNNING;
}

static void made_up_fault(struct liar *l, struct simt_out *o) {
    if (o->state == RUNNING && l->told++ > 400) {
        o->state = FAULTED;
        o->fault_cause = 7;
        o->fault_pc = 3;
    }
}

static void hidden_fault(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->state == FAULTED) {
        o->state = RUNNING;
        o->fault_cause = o->fault_pc = o->fault_warp = o->fault_address = 0;
    }
}

static void other_cause(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->fault_cause)
        o->fault_cause = o->fault_cause % 8 + 1;
}

static void other_pc(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->fault_cause)
        o->fault_pc++;
}

static void other_address(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->fault_address)
        o->fault_address++;
}

static void not_quiet(struct liar *l, struct simt_out *o) {
    (void)l;
    o->quiet = 0;
}

static void always_quiet(struct liar *l, struct simt_out *o) {
    (void)l;
    o->quiet = 1;
}

static void test_status(void **state) {
    (void)state;
    expect_caught(early_end, small, "done");
    expect_caught(no_end, small, "nothing retires");
    expect_caught(made_up_fault, small, "fault 7, expected");
    expect_caught(hidden_fault, small, "property broken");
    expect_caught(other_cause, small, "fault");
    expect_caught(other_pc, small, "fault");
    expect_caught(other_address, small, "fault");
    expect_caught(not_quiet, small, "not quiet");
    expect_caught(always_quiet, small, "quiet, with requests");
}

/* --- the host's commands -------------------------------------------------- */

static void filter(struct simt_in *in, uint64_t op) {
    if (in->ctl_valid && in->ctl_op == op)
        in->ctl_valid = 0;
}

static void no_halt(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    filter(in, 4);
}

static void no_read(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    filter(in, 7);
}

static void no_clear(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    filter(in, 8);
}

static void no_start(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    filter(in, 3);
}

/* A resume that nobody gave. */
static void resumes(struct liar *l, bool rst, struct simt_in *in) {
    (void)rst;
    if (l->out.halted && !in->ctl_valid) {
        in->ctl_valid = 1;
        in->ctl_op = 5;
    }
}

static void no_watchdog(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 0 && in->ctl_index == 12)
        in->ctl_data = 0;
}

static void early_watchdog(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 0 && in->ctl_index == 12)
        in->ctl_data = 30;
}

static void no_param(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 2)
        in->ctl_data ^= 1;
}

static void wrong_answer(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->debug_valid)
        o->debug_value ^= 1;
}

static void changed_answer(struct liar *l, struct simt_out *o) {
    (void)l;
    if (!o->debug_valid)
        o->debug_value ^= l->edge & 1;
}

static void uncalled_answer(struct liar *l, struct simt_out *o) {
    o->debug_valid |= l->edge % 1000 == 0;
}

static void always_halted(struct liar *l, struct simt_out *o) {
    (void)l;
    o->halted = 1;
}

static void catches(void (*deaf)(struct liar *, bool, struct simt_in *),
                    const char *says) {
    hears = deaf;
    expect_caught(NULL, small, says);
    hears = NULL;
}

static void test_host(void **state) {
    (void)state;
    catches(no_halt, "does not halt");
    catches(no_read, "not answered");
    catches(no_clear, "clear leaves something");
    catches(no_start, "start, and state is 0");
    catches(resumes, "halted, and");
    catches(no_watchdog, "watchdog does not expire");
    catches(early_watchdog, "watchdog is early");
    catches(no_param, "gets");
    expect_caught(wrong_answer, small, "read of");
    expect_caught(changed_answer, small, "'debug_value' changes");
    expect_caught(uncalled_answer, small, "an answer to nothing");
    expect_caught(always_halted, small, "halted, and it must run");
}

/* --- chains --------------------------------------------------------------- */

static size_t shown; /* offset of the field of an offer that lies */

static void wrong_field(struct liar *l, struct simt_out *o) {
    uint64_t x;
    if (!o->offer_valid)
        return;
    (void)l;
    memcpy(&x, (char *)o + shown, sizeof x);
    x ^= 1;
    memcpy((char *)o + shown, &x, sizeof x);
}

/* Offers that nobody made. */
static void made_up_offer(struct liar *l, struct simt_out *o) {
    if (o->state == RUNNING && l->edge % 500 == 0)
        o->offer_valid = 1;
}

/* A word is offered again and again. */
static void same_offer(struct liar *l, struct simt_out *o) {
    if (o->offer_valid || !l->last.offer_valid)
        return;
    o->offer_valid = 1;
    o->offer_warp = l->last.offer_warp;
    o->offer_pc = l->last.offer_pc;
    o->offer_code = l->last.offer_code;
    o->offer_mask = l->last.offer_mask;
    o->quiet = 0;
}

static void never_ready(struct liar *l, struct simt_out *o) {
    (void)l;
    o->put_ready = 0;
}

static void always_ready(struct liar *l, struct simt_out *o) {
    (void)l;
    o->put_ready = 1;
}

static void deaf_to_news(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    if (in->go_moves)
        in->go_valid = 0;
}

/* A warp whose chain is over goes on with another word. */
static void goes_elsewhere(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->go_pc ^= 1;
}

static void never_alone(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->go_alone = 0;
}

static void other_results(struct liar *l, bool rst, struct simt_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        for (int i = 0; i < 2; i++)
            in->put_data[i] = ~in->put_data[i];
}

static void other_register(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->put_d ^= 1;
}

static void other_lanes(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->put_mask ^= 1;
}

static void not_busy(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->chain_busy = 0;
}

static void hears_wrongly(void (*how)(struct liar *, bool, struct simt_in *),
                          const char *says) {
    hears = how;
    expect_caught(NULL, chains, says);
    hears = NULL;
}

static void test_chains(void **state) {
    static const struct {
        size_t at;
        const char *says;
    } fields[] = {
        {offsetof(struct simt_out, offer_warp), "was not offered"},
        {offsetof(struct simt_out, offer_pc), "offers another word"},
        {offsetof(struct simt_out, offer_code), "offers another word"},
        {offsetof(struct simt_out, offer_mask), "for other lanes"},
        {offsetof(struct simt_out, offer_a), "another first operand"},
        {offsetof(struct simt_out, offer_in_row), "another first operand"},
        {offsetof(struct simt_out, offer_same_a), "another first operand"},
        {offsetof(struct simt_out, offer_b), "another second operand"},
        {offsetof(struct simt_out, offer_same_b), "another second operand"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        shown = fields[i].at;
        expect_caught(wrong_field, chains, fields[i].says);
    }
    expect_caught(made_up_offer, small, "passed, and offered");
    expect_caught(same_offer, chains, "offers another word");
    expect_caught(always_ready, small, "passed, and offered");
    expect_caught(never_ready, chains, "cannot bring its result");
    hears_wrongly(deaf_to_news, "nothing retires any more");
    hears_wrongly(goes_elsewhere, "retires, expected");
    hears_wrongly(never_alone, "before a load that it needs");
    hears_wrongly(other_results, "gets");
    hears_wrongly(other_register, "a result that nobody waits for");
    hears_wrongly(other_lanes, "other lanes than expected");
    hears_wrongly(not_busy, "quiet, with requests");
}

/* --- blocks --------------------------------------------------------------- */

/* What a warp that leaves, or comes, is to have. */
static void lost_put(struct liar *l, bool rst, struct simt_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->put_valid = 0;
}

static void other_look(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->look_reg ^= 1;
}

static void other_warp(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->look_warp ^= 1;
}

static void wrong_seen(struct liar *l, struct simt_out *o) {
    (void)l;
    if (o->seen_valid)
        o->seen_data[0] ^= 1;
}

static void never_seen(struct liar *l, struct simt_out *o) {
    (void)l;
    o->seen_valid = o->seen_last = 0;
    memset(o->seen_data, 0, sizeof o->seen_data);
}

static void early_over(struct liar *l, struct simt_out *o) {
    if (!l->in.spawn_valid || o->over_valid)
        return;
    o->over_valid = 1;
    o->over_warp = l->in.spawn_warp;
}

static void never_over(struct liar *l, struct simt_out *o) {
    (void)l;
    o->over_valid = o->over_warp = 0;
}

/* Over one word before or behind its end. */
static void other_end(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->spawn_end ^= 1;
}

static void other_mask(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    in->spawn_mask ^= 1;
}

/* A warp that stays is at its mark as if it had not been told. */
static void asks_again(struct liar *l, bool rst, struct simt_in *in) {
    static uint64_t mark[64];
    (void)rst;
    if (l->out.offer_valid)
        mark[l->out.offer_warp] = l->out.offer_pc;
    if (!in->go_moves || !in->go_alone)
        return;
    in->go_alone = 0;
    in->go_pc = mark[in->go_warp];
}

static void no_pace(struct liar *l, bool rst, struct simt_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 0 && in->ctl_index == 15)
        in->ctl_data = 0;
}

static void fenced_at_will(struct liar *l, struct simt_out *o) {
    o->fenced |= l->edge % 500 == 0;
}

static void not_fenced(struct liar *l, struct simt_out *o) {
    (void)l;
    o->fenced = 0;
}

static void test_blocks(void **state) {
    static const struct {
        void (*how)(struct liar *, bool, struct simt_in *);
        const char *says;
    } heard[] = {
        {lost_put, "before a load that it needs"},
        {other_look, "look at"},
        {other_warp, "look at"},
        {other_end, "not at its end"},
        {other_mask, "other lanes"},
        {asks_again, "was not offered"},
        {no_pace, "edges between two words"},
    };
    static const struct {
        lie_fn *how;
        const char *says;
    } told[] = {
        {wrong_seen, "look at"},
        {never_seen, "is not seen"},
        {early_over, "is over, and"},
        {never_over, "is not over"},
        {fenced_at_will, "no warp is at a membar"},
        {not_fenced, "'fenced' is low"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        hears = heard[i].how;
        expect_caught(NULL, moved, heard[i].says);
    }
    hears = NULL;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        expect_caught(told[i].how, moved, told[i].says);
}

/* --- membars -------------------------------------------------------------- */

static void never_fenced(struct liar *l, struct simt_out *o) {
    (void)l;
    o->fenced = 0;
}

static void fenced_twice(struct liar *l, struct simt_out *o) {
    o->fenced |= l->last.fenced;
}

static void test_membars(void **state) {
    static const char shows[] = "--target simt --preset small --cycles 200000 "
                                "--set simt.chains=shown";
    (void)state;
    expect_caught(never_fenced, shows, "'fenced' is low");
    expect_caught(fenced_twice, shows, "no warp is at a membar");
}

/* --- counters ------------------------------------------------------------- */

static size_t pulse; /* offset of the counter that lies */

static void no_pulse(struct liar *l, struct simt_out *o) {
    (void)l;
    memset((char *)o + pulse, 0, sizeof(uint64_t));
}

static void too_many(struct liar *l, struct simt_out *o) {
    uint64_t one = 1;
    if (o->state == RUNNING && l->edge % 50 == 0)
        memcpy((char *)o + pulse, &one, sizeof one);
}

static void test_counters(void **state) {
    static const struct {
        size_t at;
        const char *says;
    } pulses[] = {
        {offsetof(struct simt_out, count_issued), "'count_issued'"},
        {offsetof(struct simt_out, count_idle), "idle"},
        {offsetof(struct simt_out, count_blocked), "words selected"},
        {offsetof(struct simt_out, count_diverged), "'count_diverged'"},
        {offsetof(struct simt_out, count_request), "'count_request'"},
        {offsetof(struct simt_out, count_conflict), "'count_conflict'"},
        {offsetof(struct simt_out, count_returned), "'count_returned'"},
        {offsetof(struct simt_out, count_cta), "'count_cta'"},
        {offsetof(struct simt_out, count_barrier), "'count_barrier'"},
    };
    (void)state;
    /* with a pass an instruction the edges add up exactly */
    static const char exact[] = "--target simt --preset small --cycles 200000 "
                                "--set simt.alus=8";
    for (size_t i = 0; i < sizeof pulses / sizeof *pulses; i++) {
        pulse = pulses[i].at;
        expect_caught(no_pulse, exact, pulses[i].says);
        expect_caught(too_many, exact, "property broken");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),     cmocka_unit_test(test_operands),
        cmocka_unit_test(test_forms),      cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_retirement), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_status),     cmocka_unit_test(test_host),
        cmocka_unit_test(test_chains),     cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_membars),    cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
