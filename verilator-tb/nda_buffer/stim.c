/* stim.c - stimulus of the local buffers of a rank's accelerator: state
 * machine, processing element and memory at once.
 *
 * A packet is so many reads, and then as many writes as it has results.  The
 * machine gives both by its own schedule; the element asks for the words and
 * puts the results, early or late, or stops at a bound and puts fewer.  Words
 * must come out in their order and only if asked for, each write must have its
 * result on the bus on its edge, or be masked if there is none.
 *
 * random    phases in which machine, memory and element are quick or slow
 * directed  each of them slow in turn
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_buffer.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 512, RD = 3, WR = 5, ACT = 0, PATIENCE = 3000, LIMIT = 200 };

struct tune {
    int packet, plan, work; /* percent of the edges */
    int machine, memory, ask, put, done, ended;
};

struct nda_buffer_stim {
    struct stim base;
    struct nda_buffer_local size;
    struct tune tune;
    int left;
    uint64_t number, last_event, packets, words_sent, stores;

    bool offers, runs, planned, worked; /* taken by machine, by element */
    struct nda_buffer_in packet;
    /* the packet that is under way */
    uint64_t reads, writes, results; /* how many; results <= writes */
    uint64_t given, landed, asked, answered, put, wrote, stored;
    bool bound, machine_done, told, done_offered;
    uint64_t value, cause;
    bool mem_offered, mem_write;
    uint64_t mem_data;
    uint64_t word[MOST], result[MOST], due[MOST]; /* by their numbers */
    bool late;
    bool broken;            /* it has lost a word, or was late */
    uint64_t fired;         /* writes that were on the bus */
    uint64_t came_at[MOST]; /* edge of a result */
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 10};
    struct nda_buffer_stim *s = (struct nda_buffer_stim *)base;
    struct rng *r = &base->rng;
    int *t = (int *)&s->tune;
    if (s->left-- > 0)
        return;
    for (size_t i = 0; i < sizeof s->tune / sizeof *t; i++)
        t[i] = rates[rng_below(r, 5)];
    s->left = rng_range(r, 100, 1000);
}

static void step_directed(struct stim *base) {
    struct nda_buffer_stim *s = (struct nda_buffer_stim *)base;
    int *t = (int *)&s->tune;
    size_t n = sizeof s->tune / sizeof *t;
    if (s->left-- > 0)
        return;
    for (size_t i = 0; i < n; i++)
        t[i] = 100;
    t[s->number % (n + 1) % n] = 12;
    s->left = 150;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- packets -------------------------------------------------------------- */

static void new_packet(struct nda_buffer_stim *s) {
    struct rng *r = &s->base.rng;
    struct nda_buffer_in *p = &s->packet;
    int spot = s->size.SPOT_W;

    s->number++;
    memset(p, 0, sizeof *p);
    p->packet_rank = rng_next(r) & ones(s->size.RANK_W);
    p->packet_op = rng_below(r, 8);
    p->packet_length = rng_next(r) & ones(spot);
    p->packet_tag = rng_next(r) & 255;
    p->packet_final = rng_below(r, 2);
    for (int k = 0; k < 4; k++) {
        bits_or(p->packet_base, k * spot, spot, rng_next(r) & ones(spot));
        bits_or(p->packet_last, k * spot, spot, rng_next(r) & ones(spot));
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(p->packet_scalars, i, (uint32_t)rng_next(r));
}

/* What it does: the unit does not look at operation and length.  An element
 * that stops at a bound puts a word more than a batch at most, and loses it:
 * the machine has words to read that nobody asks for, writes only after them,
 * and so makes no room for a second one. */
static void begin(struct nda_buffer_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t most = (uint64_t)s->size.BATCH;
    uint64_t bounded;

    s->runs = true;
    s->offers = s->planned = s->worked = s->machine_done = s->told = false;
    s->done_offered = s->mem_offered = false;
    s->given = s->landed = s->asked = s->answered = 0;
    s->put = s->wrote = s->fired = s->stored = 0;
    s->reads = rng_percent(r, 5) ? 0 : rng_range(r, 1, LIMIT);
    s->writes = rng_percent(r, 30)   ? 0
                : rng_percent(r, 20) ? most + rng_below(r, 3)
                                     : rng_below(r, (uint32_t)most + 1);
    s->bound = rng_percent(r, 25);
    s->cause = s->bound             ? NDA_BUFFER_BOUND
               : rng_percent(r, 90) ? 0
                                    : rng_range(r, 2, 3);
    bounded = s->writes <= most ? s->writes : most + 1;
    s->results = s->bound ? rng_below(r, (uint32_t)bounded + 1) : s->writes;
    s->value = rng_next(r) & UINT32_MAX;
    for (uint64_t i = 0; i < MOST; i++) {
        s->word[i] = rng_next(r);
        s->result[i] = rng_next(r);
    }
}

/* Of a packet that stops the element asks for fewer words. */
static uint64_t wanted(const struct nda_buffer_stim *s) {
    return s->bound ? s->reads / 2 : s->reads;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct nda_buffer_stim *)base)->size = nda_buffer_local(c);
    base->reset_every = 5000;
}

static void reset(struct stim *base) {
    struct nda_buffer_stim *s = (struct nda_buffer_stim *)base;
    s->offers = s->runs = s->broken = s->late = false;
    s->last_event = base->now;
}

/* The machine: all reads, then the writes; it hardly ever overruns the words
 * ahead, and hardly ever writes before there is a result. */
static void machine(struct nda_buffer_stim *s, struct nda_buffer_in *in) {
    struct rng *r = &s->base.rng;
    bool hasty = s->number % 64 == 0 && s->base.mode == &random_mode;
    uint64_t room = (uint64_t)s->size.AHEAD + 1;

    if (!s->planned || s->machine_done || !rng_percent(r, s->tune.machine))
        return;
    if (s->given < s->reads) {
        if (!hasty && !s->told && s->given - s->answered >= room)
            return;
        in->ndc_valid = 1;
        in->ndc_kind = RD;
    } else if (s->wrote < s->writes) {
        if (!hasty && !s->told && s->wrote >= s->put)
            return;
        in->ndc_valid = 1;
        in->ndc_kind = WR;
    } else {
        in->state_done = 1;
    }
    in->ndc_row = rng_next(r) & ones(s->size.ROW_W);
    in->ndc_bank = in->ndc_row & ones(s->size.BANK_W);
    in->ndc_column = rng_next(r) & ones(s->size.COL_W);
}

/* The element: asks and puts, and then ends. */
static void element(struct nda_buffer_stim *s) {
    struct rng *r = &s->base.rng;

    if (!s->worked || s->told || s->mem_offered || s->done_offered)
        return;
    if (s->asked < wanted(s)) {
        if (s->asked - s->answered < 60 && rng_percent(r, s->tune.ask)) {
            s->mem_offered = true;
            s->mem_write = false;
            s->mem_data = rng_next(r);
        }
    } else if (s->put < s->results) {
        if ((s->put - s->stored <= (uint64_t)s->size.BATCH ||
             (s->number % 64 == 32 && s->base.mode == &random_mode)) &&
            s->answered == s->asked && rng_percent(r, s->tune.put)) {
            s->mem_offered = s->mem_write = true;
            s->mem_data = s->result[s->put];
        }
    } else if (s->answered == s->asked) {
        s->done_offered = rng_percent(r, s->tune.done);
    }
}

static void drive(struct stim *base, void *ports) {
    struct nda_buffer_stim *s = (struct nda_buffer_stim *)base;
    struct nda_buffer_in *in = ports;
    struct rng *r = &base->rng;

    if (s->broken) {
        *in = (struct nda_buffer_in){0};
        return;
    }
    if (!s->offers && !s->runs && rng_percent(r, s->tune.packet)) {
        s->offers = true;
        new_packet(s);
    }
    *in = s->packet;
    in->packet_valid = s->offers;
    in->plan_ready = rng_percent(r, s->tune.plan);
    in->work_ready = rng_percent(r, s->tune.work);
    if (s->runs) {
        machine(s, in);
        element(s);
        in->data_valid = s->landed < s->given && rng_percent(r, s->tune.memory);
    }
    in->data_data = in->data_valid ? s->word[s->landed % MOST] : rng_next(r);
    in->mem_valid = s->runs && s->mem_offered;
    in->mem_write = s->mem_write;
    in->mem_address = rng_next(r) & ones(s->size.ADDR_W);
    in->mem_data = s->mem_data;
    if (!in->mem_valid) {
        in->mem_write = in->mem_address = in->mem_data = 0;
    } else {
        in->mem_address = s->mem_data & ones(s->size.ADDR_W);
    }
    in->done_valid = s->runs && s->done_offered;
    in->done_cause = in->done_valid ? s->cause : 0;
    /* of no use here */
    in->done_operand = rng_next(r) & 3;
    in->done_write = rng_below(r, 2);
    in->done_address = rng_next(r) & ones(s->size.ADDR_W + 1);
    in->done_value = in->done_valid ? s->value : 0;
    in->ended_ready = rng_percent(r, s->tune.ended);
}

static const char *check_packet(struct nda_buffer_stim *s,
                                const struct nda_buffer_out *out, bool plan) {
    const struct nda_buffer_in *p = &s->packet;
    int spot = s->size.SPOT_W, address = s->size.ADDR_W;
    bool right = plan ? out->plan_op == p->packet_op &&
                            out->plan_length == p->packet_length
                      : out->work_op == p->packet_op && !out->work_rows &&
                            out->work_length == p->packet_length;

    for (int k = 0; k < 4; k++) {
        uint64_t base = bits_get(p->packet_base, k * spot, spot);
        uint64_t last = bits_get(p->packet_last, k * spot, spot);
        right &=
            plan ? bits_get(out->plan_base, k * spot, spot) == base
                 : bits_get(out->work_base, k * address, address) == base &&
                       bits_get(out->work_last, k * address, address) == last;
    }
    for (int i = 0; i < 3 && !plan; i++)
        right &=
            bits_lane(out->work_scalars, i) == bits_lane(p->packet_scalars, i);
    return right ? NULL
                 : stim_complain(&s->base, "the %s gets another packet",
                                 plan ? "machine" : "element");
}

static const char *check_word(struct nda_buffer_stim *s,
                              const struct nda_buffer_out *out) {
    if (!s->runs || s->answered == s->asked)
        return stim_complain(&s->base, "a word that nobody asked for");
    if (out->rsp_data != s->word[s->answered % MOST])
        return stim_complain(
            &s->base,
            "word %" PRIu64 " is %016" PRIx64 ", expected %016" PRIx64,
            s->answered, (uint64_t)out->rsp_data, s->word[s->answered % MOST]);
    s->answered++;
    s->words_sent++;
    return NULL;
}

/* A result that came three edges ago or more must be there; one that came just
 * now may. */
static const char *check_store(struct nda_buffer_stim *s,
                               const struct nda_buffer_out *out) {
    bool must =
        s->stored < s->put && s->came_at[s->stored % MOST] + 2 <= s->base.now;

    s->stores++;
    s->fired++;
    if (out->store_mask && must)
        return stim_complain(&s->base, "result %" PRIu64 " is not written",
                             s->stored);
    if (out->store_mask) {
        s->late |= !(s->told && s->bound);
        return NULL;
    }
    if (s->stored >= s->put)
        return stim_complain(&s->base, "a write of what was not computed");
    if (out->store_data != s->result[s->stored % MOST])
        return stim_complain(&s->base,
                             "result %" PRIu64 " is written as %016" PRIx64
                             ", expected %016" PRIx64,
                             s->stored, (uint64_t)out->store_data,
                             s->result[s->stored % MOST]);
    s->stored++;
    return NULL;
}

static bool all_through(const struct nda_buffer_stim *s) {
    return s->runs && s->machine_done && s->told && s->landed == s->given &&
           s->fired == s->wrote && s->stored == s->put;
}

static const char *check_end(struct nda_buffer_stim *s,
                             const struct nda_buffer_out *out) {
    const struct nda_buffer_in *p = &s->packet;
    if (!all_through(s))
        return stim_complain(&s->base, "a packet ends before its time");
    if (out->ended_rank != p->packet_rank || out->ended_tag != p->packet_tag ||
        out->ended_final != p->packet_final || out->ended_cause != s->cause ||
        out->ended_value != s->value)
        return stim_complain(&s->base, "the end is of another packet");
    return NULL;
}

/* What went in on the edge. */
static void count_inputs(struct nda_buffer_stim *s,
                         const struct nda_buffer_in *in,
                         const struct nda_buffer_out *before) {
    if (in->ndc_valid && in->ndc_kind == RD)
        s->given++;
    if (in->ndc_valid && in->ndc_kind == WR)
        s->due[s->wrote++ % MOST] = s->base.now + (uint64_t)s->size.CWL;
    s->machine_done |= in->state_done & 1;
    s->landed += in->data_valid & 1;
    if (in->mem_valid && before->mem_ready) {
        s->mem_offered = false;
        if (in->mem_write)
            s->came_at[s->put++ % MOST] = s->base.now;
        else
            s->asked++;
    }
    if (in->done_valid && before->done_ready) {
        s->done_offered = false;
        s->told = true;
    }
}

static const char *check_handshakes(struct nda_buffer_stim *s,
                                    const struct nda_buffer_in *in,
                                    const struct nda_buffer_out *before) {
    const char *wrong = NULL;
    if (before->plan_valid && in->plan_ready) {
        wrong = s->runs && !s->planned
                    ? check_packet(s, before, true)
                    : stim_complain(&s->base, "a packet comes twice");
        s->planned = true;
    }
    if (!wrong && before->work_valid && in->work_ready) {
        wrong = s->runs && !s->worked
                    ? check_packet(s, before, false)
                    : stim_complain(&s->base, "a packet comes twice");
        s->worked = true;
    }
    if (!wrong && before->ended_valid && in->ended_ready) {
        wrong = check_end(s, before);
        s->runs = false;
        s->packets++;
    }
    return wrong;
}

/* The words and results that the unit holds when it says that one had no place,
 * or that one was not there: it must have had reason. */
static const char *check_wrong(struct nda_buffer_stim *s,
                               const struct nda_buffer_out *out) {
    uint64_t words = s->landed - s->answered, results = s->put - s->stored;
    if (out->wrong_lost && words <= (uint64_t)s->size.AHEAD &&
        results <= (uint64_t)s->size.BATCH)
        return stim_complain(&s->base, "a word is lost that has a place");
    if (!out->wrong_lost && !s->told && words > (uint64_t)s->size.AHEAD + 2)
        return stim_complain(&s->base, "a lost word is not told");
    if (out->wrong_late != s->late)
        return stim_complain(&s->base, "a late result is %stold",
                             s->late ? "not " : "");
    s->broken = out->wrong_lost || out->wrong_late;
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_buffer_stim *s = (struct nda_buffer_stim *)base;
    const struct nda_buffer_in *in = in_ports;
    const struct nda_buffer_out *before = before_ports, *after = after_ports;
    bool due, moves;
    const char *wrong;

    if (s->broken) /* until the next reset nothing more is asked of it */
        return NULL;
    wrong = check_handshakes(s, in, before);
    if (in->packet_valid && before->packet_ready)
        begin(s);
    if (s->runs)
        count_inputs(s, in, before);
    due =
        s->runs && s->fired < s->wrote && s->due[s->fired % MOST] == base->now;
    if (!wrong && after->store_valid != due)
        wrong =
            stim_complain(base, "a write is %son the bus", due ? "not " : "");
    if (!wrong && after->store_valid)
        wrong = check_store(s, after);
    if (!wrong && after->rsp_valid)
        wrong = check_word(s, after);
    if (!wrong && (after->bank_valid != (in->ndc_valid & 1) ||
                   (in->ndc_valid && (after->bank_kind != in->ndc_kind ||
                                      after->bank_row != in->ndc_row ||
                                      after->bank_column != in->ndc_column))))
        wrong = stim_complain(base, "the bank gets another command");
    if (!wrong && after->ended_valid && !all_through(s))
        wrong = stim_complain(base, "a packet ends before its time");
    if (!wrong)
        wrong = check_wrong(s, after);
    moves = in->data_valid || in->ndc_valid || after->rsp_valid || !s->runs ||
            (in->mem_valid && before->mem_ready);
    if (moves)
        s->last_event = base->now;
    if (!wrong && base->now - s->last_event > PATIENCE)
        wrong = stim_complain(base, "nothing goes on");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_buffer_stim *s = (const struct nda_buffer_stim *)base;
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "words\t%" PRIu64 "\n", s->words_sent);
    text_printf(t, "writes\t%" PRIu64 "\n", s->stores);
}

const struct stim_class nda_buffer_stim = {
    .size = sizeof(struct nda_buffer_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
