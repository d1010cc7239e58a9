/* stim.c - stimulus of the service queue of a node: who sends ComputePackets,
 * the memory that loads and stores, the core whose ALU it is, who gets answers.
 *
 * Packets are laid by hand (kit/compute.h), results come from the arithmetic of
 * the instruction set (far.h).  Of each chain it is known which place it gets
 * or that it goes away, in which order operands are wanted, and each beat of
 * its store and answer.
 *
 * random          phases with other shares of everything
 * directed        the following, one after the other
 * full_far_queue  loads take long: no place is free
 * short_memory    the setting allows few places, or none
 * busy_core       the core mostly has the ALU
 * diverged_lanes  each chain has some lanes only
 * slow_sender     places come and go, few of them are taken
 * patterns        everything goes at once, some chains cannot be computed
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/squeue.h"
#include "far.h"
#include "kit/compute.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PLACES = 128, PATIENCE = 20000, DATA = COMPUTE_DATA };

/* What the surroundings are like for a while; shares in percent. */
struct tune {
    const char *name;
    int give;           /* edges with a flit, if one may come */
    int unable, masked; /* chains */
    int marks, strays;  /* edges with a mark, if one may come */
    int data;           /* edges with a beat */
    int busy;           /* longest time that the core has the ALU */
    int places;         /* setting; -1: all */
    int high, low;      /* longest times that something is taken, and not */
};

static const struct tune named[] = {
    {"full_far_queue", 100, 3, 30, 1, 1, 80, 0, -1, 2, 0},
    {"short_memory", 100, 3, 30, 60, 1, 80, 0, 1, 4, 2},
    {"busy_core", 90, 3, 30, 60, 0, 80, 12, -1, 4, 1},
    {"diverged_lanes", 90, 0, 95, 60, 0, 80, 2, -1, 3, 3},
    {"slow_sender", 9, 3, 30, 90, 0, 100, 0, -1, 1, 0},
    {"patterns", 100, 10, 30, 90, 2, 100, 0, -1, 1, 0},
};
enum { N_NAMED = sizeof named / sizeof *named };

/* A chain that has a place. */
struct held {
    bool taken, two, ready;
    bool sent[2], there[2]; /* loads that were taken; marked */
    struct compute c;
    uint32_t operand[2][FAR_LANES];
};

/* First in, first out. */
struct line {
    int v[2 * MOST_PLACES], n;
};

struct squeue_stim {
    struct stim base;
    struct squeue_local size;
    struct compute_size layout;
    struct tune tune;
    int left;
    /* the packet that comes; the chain whose loads are shown */
    struct compute_flits coming;
    struct compute came, shown;
    bool admits, kept;
    int loads, at; /* of it that have been shown; its place */
    struct held place[MOST_PLACES];
    int taken;
    struct line ready;  /* places that are ready, not fetched */
    struct line wanted; /* 2 * place + second: operands without data */
    struct line slots;  /* places that have been fetched */
    int beat;           /* of the operand that comes */
    /* what is given: of the oldest slot */
    bool stored; /* its store is over */
    int given;   /* beats of it that have been taken */
    struct toggle load_ready, fetch_ready, store_ready, ans_ready, busy;
    int still; /* edges on which nothing moved */
    uint64_t chains, away, answers;
};

static void put(struct line *l, int v) {
    l->v[l->n++] = v;
}

static void drop(struct line *l) {
    memmove(l->v, l->v + 1, (size_t)--l->n * sizeof *l->v);
}

static void count(struct squeue_stim *s, int counter) {
    s->base.master.count[counter]++;
}

/* --- phases --------------------------------------------------------------- */

static void use(struct squeue_stim *s, const struct tune *t, int edges) {
    uint32_t places =
        t->places < 0 ? (uint32_t)s->size.PLACES : (uint32_t)t->places;
    s->tune = *t;
    s->left = edges;
    if (s->base.master.setting[SQUEUE_SET_places] != places)
        master_set(&s->base.master, SQUEUE_SET_places, places);
}

/* Where few places may be used: none, one, two in turn. */
static void use_named(struct squeue_stim *s, const struct tune *named_one,
                      uint64_t turn, int edges) {
    struct tune t = *named_one;
    if (t.places >= 0)
        t.places = (int)(turn % 3);
    use(s, &t, edges);
}

static void step_directed(struct stim *base) {
    enum { EDGES = 500 };
    struct squeue_stim *s = (struct squeue_stim *)base;
    uint64_t turn = base->now / EDGES;
    if (s->left-- <= 0)
        use_named(s, &named[turn % N_NAMED], turn / N_NAMED, EDGES - 1);
}

static void step_named(struct stim *base) {
    enum { EDGES = 400 };
    struct squeue_stim *s = (struct squeue_stim *)base;
    if (s->left-- > 0)
        return;
    for (int i = 0; i < N_NAMED; i++)
        if (strcmp(named[i].name, base->mode->name) == 0)
            use_named(s, &named[i], base->now / EDGES, EDGES - 1);
}

static void step_random(struct stim *base) {
    static const int shares[] = {0, 5, 15, 50, 95, 100};
    struct squeue_stim *s = (struct squeue_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    struct tune t = {.give = shares[rng_range(r, 1, 5)],
                     .unable = shares[rng_range(r, 0, 2)],
                     .masked = shares[rng_below(r, 6)],
                     .marks = shares[rng_range(r, 1, 5)],
                     .strays = rng_percent(r, 50) ? 3 : 0,
                     .data = shares[rng_range(r, 2, 5)],
                     .busy = rng_percent(r, 60) ? 0 : rng_range(r, 1, 12),
                     .places = rng_percent(r, 70) ? -1 : rng_range(r, 0, 3),
                     .high = rng_range(r, 1, 6),
                     .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 8)};
    use(s, &t, rng_range(r, 50, 600));
    if (rng_percent(r, 5))
        master_clear(&base->master);
}

/* --- an edge: inputs ------------------------------------------------------ */

static void open(struct stim *base, const struct config *c) {
    struct squeue_stim *s = (struct squeue_stim *)base;
    s->size = squeue_local(c);
    s->layout = (struct compute_size)COMPUTE_SIZE(s->size);
    base->reset_every = 3000;
    base->wishbone = 100;
}

static void reset(struct stim *base) {
    struct squeue_stim *s = (struct squeue_stim *)base;
    memset(&s->coming, 0, sizeof s->coming);
    memset(s->place, 0, sizeof s->place);
    s->admits = s->stored = false;
    s->ready.n = s->wanted.n = s->slots.n = 0;
    s->taken = s->beat = s->given = s->still = 0;
}

static void drive_come(struct squeue_stim *s, struct squeue_in *in) {
    struct rng *r = &s->base.rng;
    bool stands = in->come_valid && s->coming.at < s->coming.n;
    if (s->coming.at == s->coming.n && s->base.rst_left == 0) {
        far_chain(&s->layout, r, s->tune.unable, s->tune.masked, &s->came);
        compute_lay(&s->layout, &s->came, &s->coming);
        stands = false;
    }
    in->come_valid = s->base.rst_left == 0 && s->coming.n &&
                     (stands || rng_percent(r, s->tune.give));
    in->come_last = in->come_valid && s->coming.at + 1 == s->coming.n;
    memset(in->come_data, 0, sizeof in->come_data);
    if (in->come_valid)
        compute_flit(&s->layout, &s->coming, in->come_data);
}

/* A load that was taken, or one that nobody waits for. */
static void drive_mark(struct squeue_stim *s, struct squeue_in *in) {
    struct rng *r = &s->base.rng;
    in->mark_valid = in->mark_place = in->mark_second = 0;
    if (s->base.rst_left)
        return;
    int place = (int)rng_below(r, 1u << s->size.PLACE_W);
    bool second = rng_below(r, 2), stray = rng_percent(r, s->tune.strays);
    if (!stray)
        for (int i = 0; i < s->size.PLACES; i++) {
            const struct held *h = &s->place[(place + i) % s->size.PLACES];
            if (h->sent[0] != h->there[0] || h->sent[1] != h->there[1]) {
                place = (place + i) % s->size.PLACES;
                second = h->sent[second] != h->there[second] ? second : !second;
                break;
            }
        }
    const struct held *h = &s->place[place];
    bool waits = h->taken && (!second || h->two) && !h->there[second];
    if (stray == waits || (waits && !h->sent[second]) ||
        !(stray || rng_percent(r, s->tune.marks)))
        return;
    in->mark_valid = 1;
    in->mark_place = (uint64_t)place;
    in->mark_second = second;
}

static void drive_data(struct squeue_stim *s, struct squeue_in *in) {
    struct rng *r = &s->base.rng;
    in->data_valid = 0;
    memset(in->data_data, 0, sizeof in->data_data);
    if (s->base.rst_left || !s->wanted.n || !rng_percent(r, s->tune.data))
        return;
    struct held *h = &s->place[s->wanted.v[0] / 2];
    in->data_valid = 1;
    for (int i = 0; i < s->size.ALUS; i++) {
        uint32_t word = far_element(&h->c, r);
        h->operand[s->wanted.v[0] % 2][s->beat * s->size.ALUS + i] = word;
        bits_set_lane(in->data_data, i, word);
    }
}

static void drive(struct stim *base, void *ports) {
    struct squeue_stim *s = (struct squeue_stim *)base;
    struct squeue_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = s->tune.low;
    drive_come(s, in);
    drive_mark(s, in);
    drive_data(s, in);
    in->core_busy = !toggle_step(&s->busy, r, 2, s->tune.busy);
    in->load_ready = toggle_step(&s->load_ready, r, high, low);
    in->fetch_ready = toggle_step(&s->fetch_ready, r, high, low);
    in->store_ready = toggle_step(&s->store_ready, r, high, low);
    in->ans_ready = toggle_step(&s->ans_ready, r, high, low);
}

/* --- an edge: what must come of it ---------------------------------------- */

/* The first load of a chain: does it stay, and where. */
static void decide(struct squeue_stim *s) {
    uint64_t limit = s->base.master.setting[SQUEUE_SET_places];
    bool able = far_able(&s->shown);
    bool room = (uint64_t)s->taken < limit && s->taken < s->size.PLACES;
    count(s, SQUEUE_CNT_packets);
    if (!able)
        count(s, SQUEUE_CNT_unable);
    else if (!room)
        count(s, SQUEUE_CNT_full);
    s->chains++;
    s->kept = able && room;
    s->away += !s->kept;
    s->at = 0;
    while (s->kept && s->place[s->at].taken)
        s->at++;
    if (!s->kept)
        return;
    s->place[s->at] =
        (struct held){.taken = true, .two = far_two(&s->shown), .c = s->shown};
    s->taken++;
}

static const char *check_load(struct squeue_stim *s, const struct squeue_in *in,
                              const struct squeue_out *before,
                              const struct squeue_out *after) {
    const uint64_t *f = s->shown.field;
    bool second = s->loads == 1;
    if (before->load_valid && in->load_ready && !before->load_away)
        s->place[before->load_place].sent[before->load_second] = true;
    if (before->load_valid && !in->load_ready)
        return NULL;
    if (after->load_valid != s->admits)
        return stim_complain(&s->base, "a load is %sshown",
                             s->admits ? "not " : "");
    if (!s->admits)
        return NULL;
    if (!second)
        decide(s);
    s->loads++;
    s->admits = s->loads < 1 + far_two(&s->shown);
    if (after->load_away == s->kept)
        return stim_complain(&s->base, "a chain %s",
                             s->kept ? "goes away" : "is kept");
    if (after->load_second == second && after->load_place == (uint64_t)s->at &&
        after->load_address == far_address(&s->shown, second) &&
        after->load_core == (s->kept ? 0 : f[COMPUTE_CORE]) &&
        after->load_entry == (s->kept ? 0 : f[COMPUTE_ENTRY]) &&
        after->load_type == f[COMPUTE_TYPE] &&
        after->load_mask == f[COMPUTE_MASK])
        return NULL;
    return stim_complain(&s->base,
                         "the load of %" PRIx64 " for place %" PRIu64
                         " was to be of %" PRIx64 " for place %d",
                         after->load_address, after->load_place,
                         far_address(&s->shown, second), s->at);
}

static void take_flit(struct squeue_stim *s, const struct squeue_in *in,
                      const struct squeue_out *before) {
    if (!in->come_valid || !before->come_ready)
        return;
    s->coming.at++;
    if (!in->come_last)
        return;
    s->shown = s->came;
    s->admits = true;
    s->loads = 0;
}

static void take_mark(struct squeue_stim *s, const struct squeue_in *in) {
    struct held *h = &s->place[in->mark_place];
    if (!in->mark_valid)
        return;
    if (!h->taken || !h->sent[in->mark_second] || h->there[in->mark_second]) {
        count(s, SQUEUE_CNT_strays);
        return;
    }
    h->there[in->mark_second] = true;
    if (h->there[0] && (h->there[1] || !h->two))
        put(&s->ready, (int)in->mark_place);
}

static const char *check_fetch(struct squeue_stim *s,
                               const struct squeue_in *in,
                               const struct squeue_out *before,
                               const struct squeue_out *after) {
    bool taken = before->fetch_valid && in->fetch_ready;
    if (taken)
        put(&s->wanted,
            2 * (int)before->fetch_place + (int)before->fetch_second);
    if (!after->fetch_valid || (before->fetch_valid && !taken))
        return NULL;
    if (after->fetch_second) {
        if (!taken || before->fetch_second)
            return stim_complain(&s->base, "a second operand is wanted first");
    } else if (!s->ready.n || s->ready.v[0] != (int)after->fetch_place) {
        return stim_complain(&s->base,
                             "operands of place %" PRIu64
                             " are wanted before it is their turn",
                             after->fetch_place);
    } else {
        put(&s->slots, s->ready.v[0]);
        drop(&s->ready);
        if (s->slots.n > s->size.SLOTS)
            return stim_complain(&s->base, "more operands are wanted than "
                                           "there is room for");
    }
    const struct held *h = &s->place[after->fetch_place];
    if (after->fetch_address == far_address(&h->c, after->fetch_second) &&
        after->fetch_type == h->c.field[COMPUTE_TYPE] &&
        (!after->fetch_second || h->two))
        return NULL;
    return stim_complain(&s->base, "an operand is wanted from %" PRIx64,
                         after->fetch_address);
}

static void take_data(struct squeue_stim *s, const struct squeue_in *in) {
    if (!in->data_valid || ++s->beat < s->size.BEATS)
        return;
    s->beat = 0;
    drop(&s->wanted);
}

/* Whether all operands of a chain have come. */
static bool is_whole(const struct squeue_stim *s, int place) {
    for (int i = 0; i < s->wanted.n; i++)
        if (s->wanted.v[i] / 2 == place)
            return false;
    return s->place[place].there[0];
}

/* A beat of results: the lanes of h from the given one on that take part. */
static void expect_lanes(const struct squeue_stim *s, const struct held *h,
                         uint64_t *data, uint64_t *mask) {
    int first = s->given * s->size.ALUS;
    memset(data, 0, DATA * sizeof *data);
    *mask = h->c.field[COMPUTE_MASK] >> first & ones(s->size.ALUS);
    for (int i = 0; i < s->size.ALUS; i++)
        if (*mask >> i & 1)
            bits_set_lane(data, i,
                          far_result(&h->c, h->operand[0][first + i],
                                     h->operand[1][first + i]));
}

static uint64_t expect_bits(const struct squeue_stim *s, const struct held *h) {
    uint64_t bits = 0;
    for (int i = 0; i < s->size.MASK_W; i++)
        bits |= (uint64_t)far_result(&h->c, h->operand[0][i], h->operand[1][i])
                << i;
    return bits & h->c.field[COMPUTE_MASK];
}

static bool same_data(const struct squeue_stim *s, const uint64_t *a,
                      const uint64_t *b) {
    return memcmp(a, b, (size_t)ceil_div(s->size.DATA_W, 64) * sizeof *a) == 0;
}

static const char *check_store(struct squeue_stim *s,
                               const struct squeue_out *after,
                               const struct held *h) {
    uint64_t data[DATA], mask;
    if (!after->store_valid)
        return NULL;
    if (!h || s->stored || !far_stores(&h->c))
        return stim_complain(&s->base, "a store for no chain");
    expect_lanes(s, h, data, &mask);
    if (after->store_address == h->c.field[COMPUTE_C] &&
        after->store_type == h->c.field[COMPUTE_TYPE] &&
        after->store_mask == mask &&
        after->store_last == (s->given + 1 == s->size.BEATS) &&
        same_data(s, after->store_data, data))
        return NULL;
    return stim_complain(
        &s->base,
        "beat %d of a store of pattern %" PRIu64 ", f %" PRIu64
        ", type %" PRIu64 " is %016" PRIx64 ", expected %016" PRIx64,
        s->given, h->c.field[COMPUTE_PATTERN], h->c.field[COMPUTE_F],
        h->c.field[COMPUTE_TYPE], after->store_data[0], data[0]);
}

static const char *check_answer(struct squeue_stim *s,
                                const struct squeue_out *after,
                                const struct held *h) {
    uint64_t data[DATA] = {0}, mask, bits = 0;
    if (!after->ans_valid)
        return NULL;
    if (!h || (far_stores(&h->c) && !s->stored))
        return stim_complain(&s->base, "an answer to no chain");
    bool gives = far_gives(&h->c);
    if (gives)
        expect_lanes(s, h, data, &mask);
    if (far_compares(&h->c))
        bits = expect_bits(s, h);
    if (after->ans_core != h->c.field[COMPUTE_CORE] ||
        after->ans_entry != h->c.field[COMPUTE_ENTRY] ||
        after->ans_kind != (gives                 ? SQUEUE_DATA
                            : far_compares(&h->c) ? SQUEUE_BITMAP
                                                  : SQUEUE_ACK) ||
        after->ans_last != (!gives || s->given + 1 == s->size.BEATS))
        return stim_complain(&s->base,
                             "an answer to core %" PRIu64 ", entry %" PRIu64
                             ", expected to core %" PRIu64 ", entry %" PRIu64,
                             after->ans_core, after->ans_entry,
                             h->c.field[COMPUTE_CORE],
                             h->c.field[COMPUTE_ENTRY]);
    if (after->ans_bits == bits && same_data(s, after->ans_data, data))
        return NULL;
    return stim_complain(&s->base,
                         "the answer of pattern %" PRIu64 ", f %" PRIu64
                         ", type %" PRIu64 " has the bits %" PRIx64
                         " and data %016" PRIx64 ", expected %" PRIx64
                         " and %016" PRIx64,
                         h->c.field[COMPUTE_PATTERN], h->c.field[COMPUTE_F],
                         h->c.field[COMPUTE_TYPE], after->ans_bits,
                         after->ans_data[0], bits, data[0]);
}

/* Beats that are taken. */
static void take_given(struct squeue_stim *s, const struct squeue_in *in,
                       const struct squeue_out *before) {
    bool store = before->store_valid && in->store_ready;
    bool answer = before->ans_valid && in->ans_ready;
    if (!store && !answer)
        return;
    s->given++;
    if (store ? !before->store_last : !before->ans_last)
        return;
    s->given = 0;
    s->stored = store;
    if (!answer)
        return;
    s->place[s->slots.v[0]].taken = false;
    memset(s->place[s->slots.v[0]].sent, 0, 2 * sizeof(bool));
    memset(s->place[s->slots.v[0]].there, 0, 2 * sizeof(bool));
    drop(&s->slots);
    s->taken--;
    s->answers++;
    count(s, SQUEUE_CNT_answers);
}

static const char *check_progress(struct squeue_stim *s,
                                  const struct squeue_in *in,
                                  const struct squeue_out *before) {
    bool moves = in->mark_valid || in->data_valid ||
                 (before->load_valid && in->load_ready) ||
                 (before->fetch_valid && in->fetch_ready) ||
                 (before->store_valid && in->store_ready) ||
                 (before->ans_valid && in->ans_ready) || !s->taken;
    s->still = moves ? 0 : s->still + 1;
    return s->still < PATIENCE
               ? NULL
               : stim_complain(&s->base, "%d places wait for ever", s->taken);
}

/* Loads are decided upon before a place becomes free on the same edge, a mark
 * is looked at before one is taken. */
static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct squeue_stim *s = (struct squeue_stim *)base;
    const struct squeue_in *in = in_ports;
    const struct squeue_out *before = before_ports, *after = after_ports;
    take_mark(s, in);
    const char *wrong = check_load(s, in, before, after);
    take_flit(s, in, before);
    take_data(s, in);
    take_given(s, in, before);
    if (!wrong)
        wrong = check_fetch(s, in, before, after);
    int place = s->slots.n ? s->slots.v[0] : -1;
    const struct held *h =
        place >= 0 && is_whole(s, place) ? &s->place[place] : NULL;
    if (!wrong)
        wrong = check_store(s, after, h);
    if (!wrong)
        wrong = check_answer(s, after, h);
    if (!wrong)
        wrong = check_progress(s, in, before);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct squeue_stim *s = (const struct squeue_stim *)base;
    text_printf(t, "chains\t%" PRIu64 "\n", s->chains);
    text_printf(t, "away\t%" PRIu64 "\n", s->away);
    text_printf(t, "answers\t%" PRIu64 "\n", s->answers);
}

#define NAMED(n)                                                               \
    static const struct stim_mode n##_mode = {.name = #n, .step = step_named};
NAMED(full_far_queue)
NAMED(short_memory)
NAMED(busy_core)
NAMED(diverged_lanes)
NAMED(slow_sender)
NAMED(patterns)
#undef NAMED

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {
    &random_mode,       &directed_mode,  &full_far_queue_mode,
    &short_memory_mode, &busy_core_mode, &diverged_lanes_mode,
    &slow_sender_mode,  &patterns_mode,  NULL};

const struct stim_class squeue_stim = {
    .size = sizeof(struct squeue_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
