/* stim.c - stimulus of the tap: a controller that answers, a core that takes
 * its answers and tells what candidate blocks do, an analyzer that takes
 * events.
 *
 * What went in is kept in three lists: answers, events of the core, and begins.
 * What comes out must be the next of its list, and must not wait longer than
 * the note allows.
 *
 * random    phases with other rates and other patience
 * directed  each side alone, both at once, either port of the way out held
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/tap.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

/* QUEUE: words that the queue before an output holds at most; PATIENCE: edges
 * in which something must move that nobody holds up. */
enum { MOST = 64, QUEUE = 3, PATIENCE = 8 };
enum { OP_BEGIN, OP_ACCESS, OP_END };

struct tune {
    int answers, offload; /* percent: an answer is offered, and offloads */
    int events;           /* percent: an event of the core is offered */
    int go_high, go_low;  /* longest times that the core takes answers */
    int ev_high, ev_low;  /* and the analyzer events */
};

/* Things that are under way, in order. */
struct list {
    uint64_t key[MOST][2];
    uint64_t head, tail;
};

struct tap_stim {
    struct stim base;
    struct tap_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct toggle go, ev;
    bool answering, telling; /* offered, and not yet taken */
    struct list answers, events, begins;
    int lead; /* answers with a begin that are out, without the begins */
    /* edges in which an answer, and an event of the core, has not moved,
     * though nobody holds anything up */
    int answer_still, event_still;
    uint64_t n_answers, n_events, n_begins;
};

static void put(struct list *l, uint64_t a, uint64_t b) {
    uint64_t *key = l->key[l->tail++ % MOST];
    key[0] = a;
    key[1] = b;
}

/* The next one, if it is this. */
static bool take(struct list *l, uint64_t a, uint64_t b) {
    const uint64_t *key = l->key[l->head % MOST];
    bool is = l->head != l->tail && key[0] == a && key[1] == b;
    l->head += is;
    return is;
}

static uint64_t answer_key(uint64_t warp, uint64_t offload, uint64_t reason,
                           uint64_t stack) {
    return warp | offload << 8 | reason << 16 | stack << 24;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 0, 1, 0, 1, 0},     /* begins alone */
        {0, 0, 100, 1, 0, 1, 0},     /* events alone */
        {100, 0, 100, 1, 0, 1, 0},   /* both: they take turns */
        {100, 100, 100, 1, 0, 1, 0}, /* answers that begin nothing */
        {100, 50, 100, 0, 9, 1, 0},  /* the core takes none */
        {100, 50, 100, 1, 0, 0, 9},  /* nor does the analyzer */
        {5, 30, 5, 1, 0, 1, 0},      /* one by one */
    };
    struct tap_stim *s = (struct tap_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 40 % (sizeof script / sizeof *script)];
    s->go.left = s->ev.left = 0;
    s->left = 39;
}

static void step_random(struct stim *base) {
    static const int rates[] = {0, 5, 40, 100, 100};
    struct tap_stim *s = (struct tap_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.answers = rates[rng_below(r, 5)],
                            .offload = rates[rng_below(r, 5)],
                            .events = rates[rng_below(r, 5)],
                            .go_high = rng_range(r, 1, 8),
                            .ev_high = rng_range(r, 1, 8)};
    s->tune.go_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    s->tune.ev_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    s->left = rng_range(r, 20, 300);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct tap_stim *)base)->size = tap_local(c);
    base->reset_every = 2000;
}

static void reset(struct stim *base) {
    struct tap_stim *s = (struct tap_stim *)base;
    s->answers.head = s->answers.tail;
    s->events.head = s->events.tail;
    s->begins.head = s->begins.tail;
    s->answering = s->telling = false;
    s->lead = s->answer_still = s->event_still = 0;
}

static void offer_answer(struct tap_stim *s, struct tap_in *in) {
    struct rng *r = &s->base.rng;
    s->answering = rng_percent(r, s->tune.answers);
    in->ans_warp = rng_below(r, (uint32_t)s->size.WARPS);
    in->ans_offload = rng_percent(r, s->tune.offload);
    in->ans_reason = rng_below(r, 16);
    in->ans_stack = rng_below(r, (uint32_t)s->size.STACKS);
}

static void offer_event(struct tap_stim *s, struct tap_in *in) {
    struct rng *r = &s->base.rng;
    s->telling = rng_percent(r, s->tune.events);
    in->core_op = rng_percent(r, 70) ? OP_ACCESS : OP_END;
    in->core_warp = rng_below(r, (uint32_t)s->size.WARPS);
    in->core_address = rng_next(r) & ones(s->size.ADDR_W);
}

static void drive(struct stim *base, void *ports) {
    struct tap_stim *s = (struct tap_stim *)base;
    struct tap_in *in = ports;
    if (!s->answering)
        offer_answer(s, in);
    if (!s->telling)
        offer_event(s, in);
    in->ans_valid = s->answering;
    in->core_valid = s->telling;
    in->go_ready =
        toggle_step(&s->go, &base->rng, s->tune.go_high, s->tune.go_low);
    in->ev_ready =
        toggle_step(&s->ev, &base->rng, s->tune.ev_high, s->tune.ev_low);
}

/* --- watching ------------------------------------------------------------- */

static const char *watch_answer(struct tap_stim *s,
                                const struct tap_out *before) {
    uint64_t key = answer_key(before->go_warp, before->go_offload,
                              before->go_reason, before->go_stack);
    if (!take(&s->answers, key, 0))
        return stim_complain(&s->base,
                             "the answer to warp %u is not the next one",
                             (unsigned)before->go_warp);
    s->lead += !before->go_offload;
    return NULL;
}

static const char *watch_event(struct tap_stim *s,
                               const struct tap_out *before) {
    bool begin = before->ev_op == OP_BEGIN;
    bool right = begin ? take(&s->begins, before->ev_warp, before->ev_address)
                       : take(&s->events, before->ev_op << 8 | before->ev_warp,
                              before->ev_address);
    s->lead -= begin;
    if (!right)
        return stim_complain(&s->base, "%s of warp %u is not the next one",
                             begin ? "a begin" : "an event",
                             (unsigned)before->ev_warp);
    return NULL;
}

static void note_inputs(struct tap_stim *s, const struct tap_in *in,
                        const struct tap_out *before) {
    if (in->ans_valid && before->ans_ready) {
        put(&s->answers,
            answer_key(in->ans_warp, in->ans_offload, in->ans_reason,
                       in->ans_stack),
            0);
        if (!in->ans_offload)
            put(&s->begins, in->ans_warp, 0);
        s->n_answers++;
        s->n_begins += !in->ans_offload;
        s->answering = false;
    }
    if (in->core_valid && before->core_ready) {
        put(&s->events, in->core_op << 8 | in->core_warp, in->core_address);
        s->n_events++;
        s->telling = false;
    }
}

static bool holds(const struct list *l) {
    return l->head != l->tail;
}

/* Neither waits while the other goes twice, so both move all the time. */
static const char *watch_progress(struct tap_stim *s, const struct tap_in *in,
                                  bool answer, bool event) {
    bool free = in->go_ready && in->ev_ready;
    bool answers = s->answering || holds(&s->answers) || holds(&s->begins);
    bool events = s->telling || holds(&s->events);
    s->answer_still = answers && free && !answer ? s->answer_still + 1 : 0;
    s->event_still = events && free && !event ? s->event_still + 1 : 0;
    if (s->answer_still > PATIENCE)
        return stim_complain(&s->base, "an answer waits that nobody holds up");
    if (s->event_still > PATIENCE)
        return stim_complain(&s->base, "an event waits that nobody holds up");
    if (s->lead > QUEUE || s->lead < -QUEUE)
        return stim_complain(&s->base,
                             "begins and their answers do not go together");
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after) {
    struct tap_stim *s = (struct tap_stim *)base;
    const struct tap_in *in = in_ports;
    const struct tap_out *before = before_ports;
    bool go = before->go_valid && in->go_ready;
    bool ev = before->ev_valid && in->ev_ready;
    bool begin = ev && before->ev_op == OP_BEGIN;
    const char *answer = go ? watch_answer(s, before) : NULL;
    const char *event = ev ? watch_event(s, before) : NULL;
    (void)after;
    note_inputs(s, in, before);
    const char *stuck = watch_progress(s, in, go || begin, ev && !begin);
    return answer ? answer : event ? event : stuck;
}

static void report(struct stim *base, struct text *t) {
    const struct tap_stim *s = (const struct tap_stim *)base;
    text_printf(t, "answers\t%" PRIu64 "\n", s->n_answers);
    text_printf(t, "begins\t%" PRIu64 "\n", s->n_begins);
    text_printf(t, "events\t%" PRIu64 "\n", s->n_events);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class tap_stim = {
    .size = sizeof(struct tap_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
