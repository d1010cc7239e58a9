/* stim.c - stimulus of a prefetcher's place beside a cache: a core and a cache
 * to watch, a prefetcher, the cache's prefetch port, and software that loads
 * entries.
 *
 * random    phases with other rates and patience
 * directed  streams of loads and prefetches, with each side slow in turn
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/splice.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { LOAD = 0, RUNNING = 1, MOST = 128, MOST_WORDS = 32 };

/* What the surroundings are like for a while. */
struct tune {
    int requests, refused; /* percent of edges; of requests */
    int out, prefetches;   /* percent of edges; of the prefetcher's requests */
    int demand_low, pre_low; /* longest times that they are not ready */
    int software, running;   /* percent of edges */
};

struct splice_stim {
    struct stim base;
    struct splice_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct toggle demand, pre;
    bool offers; /* a request of the prefetcher stands */
    uint64_t line[MOST], head, tail;
    uint32_t word[MOST_WORDS];
    uint64_t index;
    bool shows; /* what demand must show */
    uint64_t shown;
    uint64_t loads, prefetches, entries;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 0, 100, 100, 0, 0, 0, 0},   {100, 0, 100, 50, 3, 0, 60, 0},
        {60, 30, 100, 100, 0, 12, 60, 0}, {60, 0, 50, 100, 20, 3, 60, 100},
        {20, 0, 20, 50, 1, 1, 90, 50},
    };
    struct splice_stim *s = (struct splice_stim *)base;
    s->tune = script[base->now / 100 % (sizeof script / sizeof *script)];
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 80, 40, 5, 0};
    struct splice_stim *s = (struct splice_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.requests = rates[rng_below(r, 5)],
                            .refused = rng_range(r, 0, 60),
                            .out = rates[rng_below(r, 5)],
                            .prefetches = rates[rng_below(r, 4)],
                            .demand_low = rng_range(r, 0, 6),
                            .pre_low = rng_range(r, 0, 12),
                            .software = rates[rng_below(r, 5)],
                            .running = rates[rng_below(r, 5)]};
    s->left = rng_range(r, 20, 300);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct splice_stim *)base)->size = splice_local(c);
    base->reset_every = 2000;
    base->wishbone = 100;
}

static void reset(struct stim *base) {
    struct splice_stim *s = (struct splice_stim *)base;
    memset(s->word, 0, sizeof s->word);
    s->head = s->tail;
    s->index = s->shown = 0;
    s->offers = s->shows = false;
}

static void drive_core(struct splice_stim *s, struct splice_in *in) {
    struct rng *r = &s->base.rng;
    in->seen_valid = rng_percent(r, s->tune.requests);
    in->seen_taken = !rng_percent(r, s->tune.refused);
    in->seen_op = rng_percent(r, 60) ? LOAD : rng_below(r, 12);
    in->seen_address = rng_next(r) & ones(s->size.SADDR_W);
    in->core_state =
        rng_percent(r, s->tune.running) ? RUNNING : rng_below(r, 3) + 1;
    if (in->core_state == RUNNING && s->tune.running == 0)
        in->core_state = 0;
}

static void drive_prefetcher(struct splice_stim *s, struct splice_in *in) {
    struct rng *r = &s->base.rng;
    in->demand_ready = toggle_step(&s->demand, r, 8, s->tune.demand_low);
    if (s->offers)
        return;
    s->offers = s->base.rst_left == 0 && rng_percent(r, s->tune.out);
    in->out_valid = s->offers;
    in->out_prefetch = s->offers && rng_percent(r, s->tune.prefetches);
    in->out_id = s->offers ? rng_next(r) & ones(s->size.ID_W) : 0;
    in->out_address = s->offers ? rng_next(r) & ones(32) : 0;
}

static void drive_software(struct splice_stim *s) {
    struct master *m = &s->base.master;
    struct rng *r = &s->base.rng;
    if (rng_below(r, 2000) == 0)
        master_clear(m);
    if (!master_idle(m) || !rng_percent(r, s->tune.software))
        return;
    int dice = (int)rng_below(r, 10);
    if (dice < 6)
        master_command(m, SPLICE_COM_word, (uint32_t)rng_next(r));
    else
        master_command(m, dice < 9 ? SPLICE_COM_load : SPLICE_COM_index,
                       rng_below(r, 8));
}

static void drive(struct stim *base, void *ports) {
    struct splice_stim *s = (struct splice_stim *)base;
    struct splice_in *in = ports;
    uint32_t *status = base->master.status;
    drive_core(s, in);
    drive_prefetcher(s, in);
    drive_software(s);
    in->pre_ready = toggle_step(&s->pre, &base->rng, 8, s->tune.pre_low);
    if (base->now % 1000 == 0) {
        in->shape_divider = rng_below(&base->rng, 3);
        in->shape_size_bits = rng_below(&base->rng, 33);
        in->shape_pitch_bits = rng_below(&base->rng, 17);
        in->shape_row_bits = rng_below(&base->rng, 17);
    }
    status[SPLICE_STA_images] = (uint32_t)s->size.IMAGES;
    status[SPLICE_STA_divider] = (uint32_t)in->shape_divider;
    status[SPLICE_STA_size_bits] = (uint32_t)in->shape_size_bits;
    status[SPLICE_STA_pitch_bits] = (uint32_t)in->shape_pitch_bits;
    status[SPLICE_STA_row_bits] = (uint32_t)in->shape_row_bits;
}

/* --- watching ------------------------------------------------------------- */

static const char *watch_demand(struct splice_stim *s,
                                const struct splice_in *in,
                                const struct splice_out *o) {
    uint64_t *n = s->base.master.count;
    bool load = in->seen_valid && in->seen_taken && in->seen_op == LOAD;
    bool waits = s->shows && !in->demand_ready;
    n[SPLICE_CNT_loads] += load;
    n[SPLICE_CNT_lost] += load && waits;
    s->loads += load;
    if (!waits) {
        s->shows = load;
        s->shown = load ? in->seen_address * (uint64_t)s->size.LINE : 0;
    }
    if (o->demand_valid != s->shows || o->demand_address != s->shown)
        return stim_complain(
            &s->base,
            "the prefetcher is shown %s%#" PRIx64 ", expected %s%#" PRIx64,
            o->demand_valid ? "" : "nothing, ", o->demand_address,
            s->shows ? "" : "nothing, ", s->shown);
    return NULL;
}

static const char *watch_lines(struct splice_stim *s,
                               const struct splice_in *in,
                               const struct splice_out *before) {
    bool taken = in->out_valid && before->out_ready;
    bool left = before->pre_valid && in->pre_ready;
    bool has = s->head != s->tail;
    if (taken)
        s->offers = false;
    if (left && (!has || s->line[s->head % MOST] != before->pre_line))
        return stim_complain(&s->base,
                             "line %#" PRIx64 " is prefetched out of turn",
                             before->pre_line);
    s->head += left;
    if (taken && in->out_prefetch) {
        s->base.master.count[SPLICE_CNT_prefetches]++;
        s->line[s->tail++ % MOST] = in->out_address / (uint64_t)s->size.LINE;
        s->prefetches++;
    }
    return NULL;
}

static const char *watch_load(struct splice_stim *s, const struct splice_in *in,
                              const struct splice_out *o) {
    const struct master *m = &s->base.master;
    bool asked = m->commanded == SPLICE_COM_load;
    bool loads = asked && in->core_state != RUNNING;
    uint64_t want[16] = {0};
    int last = s->size.WORDS - 1;
    if (m->commanded == SPLICE_COM_index)
        s->index = m->value & 7;
    if (m->commanded == SPLICE_COM_word) {
        memmove(s->word, s->word + 1, (size_t)last * sizeof *s->word);
        s->word[last] = m->value;
    }
    s->base.master.count[SPLICE_CNT_loaded] += loads;
    s->base.master.count[SPLICE_CNT_refused] += asked && !loads;
    s->entries += loads;
    for (int i = 0; loads && i < s->size.ENTRY_W; i++)
        want[i / 64] |= (uint64_t)(s->word[i / 32] >> i % 32 & 1) << i % 64;
    bool right =
        o->load_valid == loads &&
        o->load_index == (loads ? s->index & ones(s->size.IMAGE_W) : 0) &&
        memcmp(want, o->load_entry, sizeof o->load_entry) == 0;
    s->index = (s->index + loads) & 7;
    return right ? NULL
                 : stim_complain(&s->base, "an entry is %s",
                                 loads ? "not loaded, or another"
                                       : "loaded unasked");
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct splice_stim *s = (struct splice_stim *)base;
    const char *wrong = watch_demand(s, in_ports, after_ports);
    if (!wrong)
        wrong = watch_lines(s, in_ports, before_ports);
    if (!wrong)
        wrong = watch_load(s, in_ports, after_ports);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct splice_stim *s = (const struct splice_stim *)base;
    text_printf(t,
                "loads\t%" PRIu64 "\nprefetches\t%" PRIu64 "\nentries\t%" PRIu64
                "\n",
                s->loads, s->prefetches, s->entries);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class splice_stim = {
    .size = sizeof(struct splice_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
