/* stim.c - stimulus of offload controller and map analyzer, joined.
 *
 * The environments of both blocks stand around their instances (offload/env.h,
 * analyzer/env.h) and check what each of them sees and shows.  Between them is
 * a core: a warp whose block is not offloaded executes it, which the tap is
 * told access by access, and does not ask again before its end.  Software makes
 * the learner learn, again and again, with other tables and numbers.
 *
 * random    requests as in offload/random.c, accesses and tables made up
 * directed  requests as in offload/directed.c
 * replay    a kernel's candidate blocks as it executes them: all stay on the
 * core until learning ends, then pages that were touched use the mapping that
 * was found, and blocks go to the stacks
 */
#include "stim.h"

#include "analyzer/env.h"
#include "base/bits.h"
#include "blocks/tap.h"
#include "blocks/tom_corner.h"
#include "iface/system.h"
#include "kit/cand.h"
#include "offload/env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Answers under way; instances to learn from; edges in which the learner has
 * seen all. */
enum { MOST = 256, LEARN = 32, PATIENCE = 500 };

enum stage { BEGIN, LEARNING, DRAINING, STOPPING, LOADING, OFFLOADING };

/* A warp that executes a candidate block. */
struct worker {
    bool runs;
    int left; /* accesses still to come; then the end */
    int at;   /* of a kernel's, the next one */
    uint64_t last, stride;
};

struct corner_stim {
    struct off_stim off; /* begins with the base of all */
    struct ana_env ana;
    struct master controller, learner;
    size_t in[3], out[3]; /* where the instances' structs lie */
    struct toggle go;
    int go_high, go_low; /* longest times that the core takes answers */
    int tell, longest;   /* percent of cycles with an event; accesses */

    enum stage stage;
    int left;                              /* edges of it */
    uint64_t answer[MOST], answered, gone; /* in order */
    uint64_t refused;
    struct worker worker[OFF_WARPS];
    int runs; /* workers */
    bool telling;
    uint64_t told;  /* events of workers that the tap has taken */
    uint64_t waits; /* edges since all should have come to rest */
    /* edges in which an answer could have come to the core, and since one of
     * its events is offered */
    uint64_t answer_waits, event_waits;
    uint64_t asked_learned;
};

static struct corner_stim *corner_of(struct stim *base) {
    return (struct corner_stim *)base;
}

static const void *part(const void *ports, size_t at) {
    return (const char *)ports + at;
}

static void *part_of(void *ports, size_t at) {
    return (char *)ports + at;
}

/* --- the core ------------------------------------------------------------- */

static bool is_replay(const struct corner_stim *s) {
    return s->off.base.mode->measures;
}

/* The warp is told that its block stays here. */
static void begin_work(struct corner_stim *s, int warp) {
    struct worker *w = &s->worker[warp];
    struct rng *r = &s->off.base.rng;
    int n = (int)rng_below(r, (uint32_t)s->longest + 1);
    if (is_replay(s))
        off_run_lines(&s->off, warp, &n);
    *w = (struct worker){.runs = true, .left = n};
    w->last = ana_edge_address(&s->ana);
    w->stride = (uint64_t)rng_range(r, 0, 3)
                << rng_range(r, 4, s->ana.size.FIRST_BIT + s->ana.size.MAPS);
    s->runs++;
}

/* The end was taken: the warp may ask again. */
static void end_work(struct corner_stim *s, int warp) {
    s->worker[warp].runs = false;
    s->off.warp[warp].reserved = s->off.base.now;
    s->runs--;
}

static uint64_t next_access(struct corner_stim *s, int warp) {
    struct worker *w = &s->worker[warp];
    struct rng *r = &s->off.base.rng;
    uint64_t mask = ones(s->ana.size.ADDR_W);
    int n;
    if (is_replay(s))
        return off_run_lines(&s->off, warp, &n)[w->at++] & mask;
    w->last = rng_percent(r, 40)   ? w->last + w->stride
              : rng_percent(r, 70) ? ana_edge_address(&s->ana)
                                   : rng_next(r);
    return w->last & mask;
}

/* One of the warps that are at work, in turn from a random one on. */
static int choose_worker(struct corner_stim *s) {
    int all = s->off.size.WARPS,
        n = (int)rng_below(&s->off.base.rng, (uint32_t)all);
    while (!s->worker[n].runs)
        n = (n + 1) % all;
    return n;
}

static void tell(struct corner_stim *s, struct tap_in *in) {
    int warp = choose_worker(s);
    struct worker *w = &s->worker[warp];
    s->telling = true;
    in->core_warp = (uint64_t)warp;
    in->core_op = w->left > 0 ? OP_ACCESS : OP_END;
    in->core_address = w->left > 0 ? next_access(s, warp) : 0;
}

static void drive_core(struct corner_stim *s, struct tap_in *in) {
    struct rng *r = &s->off.base.rng;
    if (!s->telling && s->runs > 0 && rng_percent(r, s->tell))
        tell(s, in);
    in->core_valid = s->telling;
    in->go_ready = toggle_step(&s->go, r, s->go_high, s->go_low);
}

/* --- watching the core ---------------------------------------------------- */

static uint64_t answer_key(uint64_t warp, uint64_t offload, uint64_t reason,
                           uint64_t stack) {
    return warp | offload << 8 | reason << 16 | stack << 24;
}

static void note_answer(struct corner_stim *s,
                        const struct offload_out *before) {
    s->answer[s->answered++ % MOST] =
        answer_key(before->ans_warp, before->ans_offload, before->ans_reason,
                   before->ans_stack);
    if (before->ans_offload)
        return;
    s->refused++;
    s->off.warp[before->ans_warp].reserved = UINT64_MAX; /* until its end */
}

static const char *watch_go(struct corner_stim *s,
                            const struct tap_out *before) {
    uint64_t key = answer_key(before->go_warp, before->go_offload,
                              before->go_reason, before->go_stack);
    if (s->gone == s->answered || s->answer[s->gone % MOST] != key)
        return stim_complain(&s->off.base,
                             "the answer to warp %u is not the controller's",
                             (unsigned)before->go_warp);
    s->gone++;
    if (!before->go_offload)
        begin_work(s, (int)before->go_warp);
    return NULL;
}

static void watch_told(struct corner_stim *s, const struct tap_in *in) {
    int warp = (int)in->core_warp;
    s->telling = false;
    s->told++;
    if (in->core_op == OP_END)
        end_work(s, warp);
    else
        s->worker[warp].left--;
}

/* The learner sees nothing that was not, and everything after a while. */
static const char *watch_sum(struct corner_stim *s) {
    const uint64_t *seen = s->ana.events;
    uint64_t told = seen[OP_ACCESS] + seen[OP_END];
    bool all = seen[OP_BEGIN] == s->refused && told == s->told;
    s->waits = s->runs == 0 && s->off.asked == 0 && !all ? s->waits + 1 : 0;
    if (seen[OP_BEGIN] <= s->refused && told <= s->told && s->waits < PATIENCE)
        return NULL;
    return stim_complain(&s->off.base,
                         "the learner has seen %" PRIu64 " begins and %" PRIu64
                         " other events, of %" PRIu64 " and %" PRIu64,
                         seen[OP_BEGIN], told, s->refused, s->told);
}

/* What is on its way through the tap comes out of it. */
static const char *watch_waits(struct corner_stim *s, bool ready, bool go) {
    if (go || s->gone == s->answered)
        s->answer_waits = 0;
    else
        s->answer_waits += ready;
    s->event_waits = s->telling ? s->event_waits + 1 : 0;
    if (s->answer_waits > PATIENCE)
        return stim_complain(&s->off.base,
                             "an answer does not come to the core");
    if (s->event_waits > PATIENCE)
        return stim_complain(&s->off.base, "an event of the core is not taken");
    return NULL;
}

static const char *watch_core(struct corner_stim *s, const void *in,
                              const void *before) {
    const struct offload_in *ci = part(in, s->in[TOM_CORNER_controller]);
    const struct offload_out *cb = part(before, s->out[TOM_CORNER_controller]);
    const struct tap_in *ti = part(in, s->in[TOM_CORNER_tap]);
    const struct tap_out *tb = part(before, s->out[TOM_CORNER_tap]);
    bool go = tb->go_valid && ti->go_ready;
    const char *wrong = go ? watch_go(s, tb) : NULL;
    if (ti->core_valid && tb->core_ready)
        watch_told(s, ti);
    if (cb->ans_valid && ci->ans_ready)
        note_answer(s, cb);
    const char *waits = watch_waits(s, ti->go_ready, go);
    const char *sum = watch_sum(s);
    return wrong ? wrong : waits ? waits : sum;
}

/* --- software ------------------------------------------------------------- */

/* All that was asked is answered, and the learner has seen it. */
static bool is_quiet(const struct corner_stim *s) {
    const uint64_t *seen = s->ana.events;
    return s->runs == 0 && s->off.asked == 0 && !s->off.offering &&
           s->gone == s->answered && s->refused == seen[OP_BEGIN] &&
           s->told == seen[OP_ACCESS] + seen[OP_END];
}

static void learn(struct corner_stim *s, uint32_t instances) {
    master_set(&s->learner, ANALYZER_SET_learn_instances, instances);
    master_set(&s->learner, ANALYZER_SET_enable, 1);
    s->stage = LEARNING;
}

static void load_random(struct corner_stim *s) {
    struct rng *r = &s->off.base.rng;
    int n = rng_percent(r, 30) ? s->ana.size.RANGES
                               : (int)rng_below(r, (uint32_t)s->ana.size.SLOTS);
    if (s->ana.n_ranges > 0 && rng_percent(r, 40))
        return;
    ana_random_table(&s->ana, n);
    if (n > 0 || s->ana.n_ranges > 0)
        ana_load(&s->ana, n);
}

/* Learn for a while; let all come to rest and learn something else. */
static void random_software(struct corner_stim *s) {
    struct rng *r = &s->off.base.rng;
    switch (s->stage) {
    case BEGIN:
    case DRAINING: /* it may stop before all is quiet */
        if (!is_quiet(s) && s->left-- > 0)
            return;
        master_set(&s->learner, ANALYZER_SET_enable, 0);
        s->stage = STOPPING;
        break;
    case STOPPING:
        if (!is_quiet(s) || !ana_settled(&s->ana))
            return;
        load_random(s);
        s->stage = LOADING;
        break;
    case LOADING:
        if (ana_loading(&s->ana))
            return;
        learn(s, rng_percent(r, 70) ? rng_below(r, 12) : rng_below(r, 200));
        s->left = rng_range(r, 100, 2000);
        s->tell = rng_range(r, 10, 100);
        s->longest = rng_range(r, 0, 8);
        s->go_high = rng_range(r, 1, 8);
        s->go_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
        break;
    default:
        if (s->left-- > 0)
            return;
        s->stage = DRAINING;
        s->left = rng_range(r, 0, 40);
    }
}

/* --- software of a kernel's run ------------------------------------------- */

static int by_start(const void *a, const void *b) {
    const struct ana_range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* The run's buffers; those that the table cannot hold are left out. */
static void load_buffers(struct corner_stim *s) {
    struct run_place at;
    int n = 0;
    for (int b = 0; run_buffer_at(cand_run(off_run_cand(&s->off)), b, &at) &&
                    n < s->ana.size.RANGES;
         b++)
        if (at.bytes > 0)
            s->ana.fresh[n++] = (struct ana_range){
                at.address & ones(s->ana.size.ADDR_W), at.bytes, false};
    qsort(s->ana.fresh, (size_t)n, sizeof s->ana.fresh[0], by_start);
    if (n > 0)
        ana_load(&s->ana, n);
}

/* The interrupt: the mapping that was found is used from now on. */
static void use_mapping(struct corner_stim *s) {
    master_set(&s->controller, OFFLOAD_SET_map_bit, (uint32_t)s->ana.best);
    master_set(&s->controller, OFFLOAD_SET_mode, MODE_CONTROLLED);
    master_set(&s->learner, ANALYZER_SET_enable, 0);
    s->stage = OFFLOADING;
}

static void replay_software(struct corner_stim *s) {
    bool irq = s->ana.irq_edge && s->off.base.now >= s->ana.irq_edge;
    switch (s->stage) {
    case BEGIN:
        if (!ana_settled(&s->ana))
            return;
        master_set(&s->controller, OFFLOAD_SET_mode, MODE_OFF);
        load_buffers(s);
        s->stage = LOADING;
        break;
    case LOADING:
        if (!ana_loading(&s->ana))
            learn(s, LEARN);
        break;
    case LEARNING:
        if (irq)
            use_mapping(s);
        break;
    default:
        break;
    }
}

/* --- requests ------------------------------------------------------------- */

static bool admits(const struct off_stim *off) {
    const struct corner_stim *s = (const struct corner_stim *)off;
    if (is_replay(s))
        return s->stage == LEARNING || s->stage == OFFLOADING;
    return s->stage == BEGIN || s->stage == LEARNING;
}

/* A page is learned if its range was touched while learning. */
static bool is_learned(const struct corner_stim *s, uint64_t address) {
    int range = ana_find(&s->ana, address & ones(s->ana.size.ADDR_W));
    return s->stage == OFFLOADING && range >= 0 && s->ana.range[range].touched;
}

static void adjust(struct off_stim *off, struct off_ask *a) {
    struct corner_stim *s = (struct corner_stim *)off;
    if (!is_replay(s))
        return;
    a->learned = is_learned(s, a->address);
    a->first_learned = is_learned(s, a->first);
    s->asked_learned += a->learned || a->first_learned;
}

/* --- the whole ------------------------------------------------------------ */

static void open(struct stim *base, const struct config *c) {
    struct corner_stim *s = corner_of(base);
    struct design *d = base->design;
    struct master *const masters[] = {[TOM_CORNER_controller] = &s->controller,
                                      [TOM_CORNER_learner] = &s->learner};
    (void)c;
    for (int i = 0; i < TOM_CORNER_N_INSTANCES; i++) {
        const struct system_part *at = system_instance(d, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
        if (at->region > 0)
            master_add(&base->master, masters[i], at->design,
                       (uint32_t)at->region << system_offset_bits(d));
    }
    s->off.wants_lines = true;
    s->off.admits = admits;
    s->off.adjust = adjust;
    off_open(&s->off, system_instance(d, TOM_CORNER_controller)->design,
             &s->controller);
    ana_open(&s->ana, base, system_instance(d, TOM_CORNER_learner)->design,
             &s->learner);
    s->tell = 100;
    s->longest = 4;
    s->go_high = 1;
}

static void close(struct stim *base) {
    off_close(&corner_of(base)->off);
}

static void reset(struct stim *base) {
    struct corner_stim *s = corner_of(base);
    off_reset(&s->off);
    ana_reset(&s->ana);
    memset(s->worker, 0, sizeof s->worker);
    s->runs = 0;
    s->telling = false;
    s->answered = s->gone = s->waits = 0;
    s->answer_waits = s->event_waits = 0;
    s->refused = s->ana.events[OP_BEGIN];
    s->told = s->ana.events[OP_ACCESS] + s->ana.events[OP_END];
    s->stage = BEGIN;
    s->left = 0;
}

static void drive(struct stim *base, void *in) {
    struct corner_stim *s = corner_of(base);
    bool ready = s->off.ready && s->ana.ready && base->rst_left == 0;
    if (ready && is_replay(s))
        replay_software(s);
    else if (ready)
        random_software(s);
    off_drive(&s->off, part_of(in, s->in[TOM_CORNER_controller]));
    ana_drive(&s->ana, part_of(in, s->in[TOM_CORNER_learner]),
              is_replay(s) ? 0 : 5);
    drive_core(s, part_of(in, s->in[TOM_CORNER_tap]));
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct corner_stim *s = corner_of(base);
    const char *core = watch_core(s, in, before);
    const size_t ci = s->in[TOM_CORNER_controller],
                 co = s->out[TOM_CORNER_controller],
                 li = s->in[TOM_CORNER_learner],
                 lo = s->out[TOM_CORNER_learner];
    const char *off =
        off_watch(&s->off, part(in, ci), part(before, co), part(after, co));
    const char *ana =
        ana_watch(&s->ana, part(in, li), part(before, lo), part(after, lo));
    return core ? core : off ? off : ana;
}

static void report(struct stim *base, struct text *t) {
    struct corner_stim *s = corner_of(base);
    off_report(&s->off, t);
    ana_report(&s->ana, t);
    text_printf(t, "asked_learned\t%" PRIu64 "\n", s->asked_learned);
    text_printf(t, "best_bit\t%d\n", s->ana.irq_best);
}

/* The modes are the controller's. */
static const struct stim_mode *const modes[] = {
    &off_random.base, &off_directed.base, &off_run.base, NULL};

const struct stim_class tom_corner_stim = {
    .size = sizeof(struct corner_stim),
    .modes = modes,
    .first_reset = 2, /* the windows of the monitors count from there */
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
