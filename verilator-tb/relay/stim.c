/* stim.c - stimulus of a relay: a host that gives commands, a core that answers
 * and counts, the cores behind it, and software that takes the core out and in.
 *
 * What must be at each output follows from the inputs of the edge, worked out
 * here by ranks of states.
 *
 * random    phases with other rates of commands and changes
 * directed  every pair of states, with the core in and out
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/relay.h"

#include <inttypes.h>
#include <string.h>

enum { RUNNING = 1, FAULTED = 3 };

struct relay_stim {
    struct stim base;
    struct relay_local size;
    int commands, core, takes; /* percent of edges; takes: of 1000 */
    int left;
    uint32_t value; /* of the last answer */
    uint64_t given, answers;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    struct relay_stim *s = (struct relay_stim *)base;
    s->commands = base->now / 300 % 2 ? 100 : 20;
    s->core = 0;
    s->takes = 30;
}

static void step_random(struct stim *base) {
    static const int rates[] = {0, 5, 40, 100};
    struct relay_stim *s = (struct relay_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->commands = rates[rng_below(r, 4)];
    s->core = rates[rng_below(r, 4)];
    s->takes = rng_percent(r, 50) ? 2 : 50;
    s->left = rng_range(r, 20, 300);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct relay_stim *)base)->size = relay_local(c);
    base->reset_every = 3000;
    base->wishbone = 300;
}

static void reset(struct stim *base) {
    ((struct relay_stim *)base)->value = 0;
}

static void drive_ctl(struct relay_stim *s, struct relay_in *in) {
    struct rng *r = &s->base.rng;
    in->ctl_valid = s->base.rst_left == 0 && rng_percent(r, s->commands);
    in->ctl_op = in->ctl_valid ? rng_below(r, 9) : 0;
    in->ctl_index = in->ctl_valid ? rng_next(r) & 0xffff : 0;
    in->ctl_data = in->ctl_valid ? rng_next(r) : 0;
}

/* What the core and those behind are doing, both of them anything; in directed
 * the states go through all pairs. */
static void drive_state(struct relay_stim *s, struct relay_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t x = rng_next(r), y = rng_next(r), pc = ones(s->size.PC_W);
    uint64_t warps = (uint64_t)s->size.WARPS;
    if (!s->base.mode->resets) {
        in->core_state = s->base.now / 7 & 3;
        in->rest_state = s->base.now / 28 & 3;
    } else if (rng_percent(r, s->core)) {
        in->core_state = x & 3;
        in->rest_state = x >> 2 & 3;
    }
    in->core_halted = x >> 4 & 1;
    in->core_quiet = x >> 5 & 1;
    in->rest_halted = x >> 6 & 1;
    in->rest_quiet = x >> 7 & 1;
    in->core_debug_valid = (x >> 8 & 7) == 0;
    in->rest_debug_valid = (x >> 11 & 7) == 0;
    in->core_fault_cause = x >> 14 & 15;
    in->rest_fault_cause = x >> 18 & 15;
    in->core_fault_warp = (x >> 22) % warps;
    in->rest_fault_warp = (x >> 30) % warps;
    in->core_fault_pc = x >> 40 & pc;
    in->rest_fault_pc = y & pc;
    in->core_fault_address = (uint32_t)(y >> 4);
    in->rest_fault_address = (uint32_t)(y >> 16);
    in->core_debug_value = (uint32_t)(y >> 24);
    in->rest_debug_value = (uint32_t)(y >> 32);
}

static void drive_counts(struct relay_stim *s, struct relay_in *in) {
    uint64_t x = rng_next(&s->base.rng);
    in->count_issued = x & 1;
    in->count_idle = x >> 1 & 1;
    in->count_blocked = x >> 2 & 1;
    in->count_diverged = x >> 3 & 1;
    in->count_request = x >> 4 & 1;
    in->count_conflict = x >> 5 & 1;
    in->count_returned = x >> 6 & 1;
    in->count_cta = x >> 7 & 1;
    in->count_barrier = x >> 8 & 1;
}

static void drive(struct stim *base, void *ports) {
    struct relay_stim *s = (struct relay_stim *)base;
    struct relay_in *in = ports;
    uint32_t *status = base->master.status;
    drive_ctl(s, in);
    drive_state(s, in);
    drive_counts(s, in);
    status[RELAY_STA_core] =
        (uint32_t)(in->core_state | in->core_halted << 2 | in->core_quiet << 3);
    status[RELAY_STA_fault] =
        (uint32_t)(in->core_fault_cause | in->core_fault_warp << 4);
    status[RELAY_STA_fault_pc] = (uint32_t)in->core_fault_pc;
    status[RELAY_STA_fault_address] = (uint32_t)in->core_fault_address;
    if (master_idle(&base->master) &&
        rng_below(&base->rng, 1000) < (uint32_t)s->takes)
        master_set(&base->master, RELAY_SET_takes, rng_below(&base->rng, 2));
    if (rng_below(&base->rng, 2000) == 0)
        master_clear(&base->master);
}

/* --- watching ------------------------------------------------------------- */

static void count(struct relay_stim *s, const struct relay_in *in) {
    uint64_t *n = s->base.master.count;
    n[RELAY_CNT_cycles] += in->core_state == RUNNING;
    n[RELAY_CNT_issued] += in->count_issued;
    n[RELAY_CNT_idle] += in->count_idle;
    n[RELAY_CNT_blocked] += in->count_blocked;
    n[RELAY_CNT_diverged] += in->count_diverged;
    n[RELAY_CNT_request] += in->count_request;
    n[RELAY_CNT_conflict] += in->count_conflict;
    n[RELAY_CNT_returned] += in->count_returned;
    n[RELAY_CNT_cta] += in->count_cta;
    n[RELAY_CNT_barrier] += in->count_barrier;
}

static const char *check_command(struct relay_stim *s,
                                 const struct relay_in *in,
                                 const struct relay_out *o, bool takes) {
    bool core = in->ctl_valid && takes;
    s->given += core;
    if (o->next_valid != in->ctl_valid || o->next_op != in->ctl_op ||
        o->next_index != in->ctl_index || o->next_data != in->ctl_data)
        return stim_complain(&s->base, "a command does not go on as it came");
    if (o->core_ctl_valid != core)
        return stim_complain(&s->base, core ? "the core does not get a command"
                                            : "the core gets a command that "
                                              "is not for it");
    if (core &&
        (o->core_ctl_op != in->ctl_op || o->core_ctl_index != in->ctl_index ||
         o->core_ctl_data != in->ctl_data))
        return stim_complain(&s->base, "the core gets another command");
    return NULL;
}

/* The higher rank is what all are: done, idle, running, faulted. */
static int rank(uint64_t state) {
    static const int ranks[] = {1, 2, 0, 3};
    return ranks[state];
}

static const char *check_state(struct relay_stim *s, const struct relay_in *in,
                               const struct relay_out *o, bool takes) {
    int own = takes ? rank(in->core_state) : 0, rest = rank(in->rest_state);
    if (rank(o->all_state) != (own > rest ? own : rest))
        return stim_complain(&s->base,
                             "all are in state %u, of core %u (%s) and %u",
                             (unsigned)o->all_state, (unsigned)in->core_state,
                             takes ? "in" : "out", (unsigned)in->rest_state);
    if (o->all_halted != (in->rest_halted && (!takes || in->core_halted)) ||
        o->all_quiet != (in->rest_quiet && (!takes || in->core_quiet)))
        return stim_complain(&s->base, "all are halted or quiet wrongly");
    uint64_t cause = 0, warp = 0, pc = 0, address = 0;
    if (own == 3) {
        cause = in->core_fault_cause;
        warp = in->core_fault_warp;
        pc = in->core_fault_pc;
        address = in->core_fault_address;
    } else if (rest == 3) {
        cause = in->rest_fault_cause;
        warp = in->rest_fault_warp;
        pc = in->rest_fault_pc;
        address = in->rest_fault_address;
    }
    if (o->all_fault_cause != cause || o->all_fault_warp != warp ||
        o->all_fault_pc != pc || o->all_fault_address != address)
        return stim_complain(&s->base, "the fault is another one");
    return NULL;
}

static const char *check_answer(struct relay_stim *s, const struct relay_in *in,
                                const struct relay_out *o, bool takes) {
    bool own = takes && in->core_debug_valid, due = own || in->rest_debug_valid;
    if (own)
        s->value = (uint32_t)in->core_debug_value;
    else if (due)
        s->value = (uint32_t)in->rest_debug_value;
    s->answers += due;
    if (o->all_debug_valid != due || o->all_debug_value != s->value)
        return stim_complain(&s->base, "an answer is not there, or another");
    return NULL;
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct relay_stim *s = (struct relay_stim *)base;
    bool takes = base->master.setting[RELAY_SET_takes] & 1;
    (void)before;
    count(s, in);
    const char *wrong = check_command(s, in, after, takes);
    const char *state = check_state(s, in, after, takes);
    const char *answer = check_answer(s, in, after, takes);
    return wrong ? wrong : state ? state : answer;
}

static void report(struct stim *base, struct text *t) {
    const struct relay_stim *s = (const struct relay_stim *)base;
    text_printf(t, "commands\t%" PRIu64 "\n", s->given);
    text_printf(t, "answers\t%" PRIu64 "\n", s->answers);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class relay_stim = {
    .size = sizeof(struct relay_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
