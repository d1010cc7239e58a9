/* stim.c - stimulus of the memory-mapped packets: software that writes packets,
 * launches them and takes ends, and a launch behind.
 *
 * Each launch is judged from the words as they were written, and what is taken
 * goes into a list with its edge: a word of a queue shows one edge after the
 * one on which it came, when those before it have left.
 *
 * random    packets good and bad, software and launch quick or slow
 * directed  each operation good, then with one thing wrong after the other
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_window.h"

#include <inttypes.h>
#include <string.h>

enum { WORDS = NDA_WINDOW_N_SETTINGS, OPERATIONS = 9, MOST = 128, BURST = 64 };
enum { WHAT, LENGTH, GRAIN, RANKS, FIRST, LAST = FIRST + 4, SCALAR = LAST + 4 };

struct tune {
    int software, take; /* percent: a command on an idle bus; of these, take */
    int good;           /* percent of packets */
    int op, end;        /* percent of edges: taken, offered */
};

/* A packet that was taken. */
struct packet {
    uint64_t when;
    uint32_t word[WORDS];
};

struct end {
    uint64_t when, rank, tag, final, cause, value;
};

/* Rings; first to last, not wrapped. */
struct nda_window_stim {
    struct stim base;
    struct nda_window_local size;
    struct tune tune;
    int left;
    unsigned phase, script; /* of directed; packets of it */
    uint32_t word[WORDS];   /* the packet that software means */
    bool written;           /* and has written, but not launched */
    struct packet packet[MOST];
    struct end end[MOST];
    unsigned packet_first, packet_last, end_first, end_last;
    uint32_t answer;
    unsigned completed[4];
    bool ending; /* an end is offered */
    struct end offered;
    uint64_t edge, taken, refused, ends;
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 5};
    static const int launch[] = {100, 30, 5, 1, 0};
    struct nda_window_stim *s = (struct nda_window_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.software = rates[rng_below(r, 4)],
                            .take = rates[rng_below(r, 5)],
                            .good = rates[rng_below(r, 4)],
                            .op = launch[rng_below(r, 5)],
                            .end = rates[rng_below(r, 5)]};
    if (s->tune.take == 100 && rng_percent(r, 50))
        s->tune.take = 40;
    s->left = rng_range(r, 100, 1500);
}

static void step_directed(struct stim *base) {
    static const struct {
        int edges;
        struct tune tune;
    } script[] = {
        /* software take good op end */
        {2000, {100, 10, 0, 100, 10}},
        {2000, {100, 10, 0, 0, 30}},
        {5000, {100, 90, 0, 100, 100}},
        {1500, {100, 90, 0, 100, 1}},
    };
    struct nda_window_stim *s = (struct nda_window_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->phase % 4].tune;
    s->left = script[s->phase++ % 4].edges;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- packets -------------------------------------------------------------- */

static uint32_t random_word(struct nda_window_stim *s) {
    return (uint32_t)(rng_next(&s->base.rng) >> 20);
}

static uint32_t place(struct nda_window_stim *s) {
    return random_word(s) & (uint32_t)ones(s->size.PLACE_W) & ~(BURST - 1u);
}

static void good_packet(struct nda_window_stim *s, uint32_t op) {
    struct rng *r = &s->base.rng;
    uint32_t all = (uint32_t)ones(s->size.RANKS);
    uint32_t ranks = 1 + rng_below(r, all);

    s->word[WHAT] = (random_word(s) & 0xfffff0) | op;
    if (op == OPERATIONS - 1 && s->word[WHAT] >> 16 == 0)
        s->word[WHAT] |= 0x010000;
    s->word[LENGTH] = place(s) | BURST;
    s->word[GRAIN] = rng_percent(r, 30) ? 0 : place(s);
    s->word[RANKS] = ranks * 0x1111;
    for (int k = 0; k < 4; k++) {
        s->word[FIRST + k] = place(s);
        s->word[LAST + k] = place(s);
    }
    for (int i = 0; i < 3; i++)
        s->word[SCALAR + i] = (uint32_t)rng_next(r);
}

/* One thing of a good packet becomes wrong, which the operation may have or
 * not. */
static void spoil(struct nda_window_stim *s, unsigned what) {
    struct rng *r = &s->base.rng;
    uint32_t rest = (uint32_t)~ones(s->size.PLACE_W);
    uint32_t far = rest & random_word(s);
    uint32_t odd = 1u << rng_below(r, 6);
    int k = (int)(what / 10 % 8);

    switch (what % 10) {
    case 9:
        s->word[WHAT] = (s->word[WHAT] & 0xfffff0) |
                        (OPERATIONS + rng_below(r, 16 - OPERATIONS));
        break;
    case 1:
        s->word[LENGTH] = 0;
        break;
    case 2:
        s->word[WHAT] &= 0xffff;
        break;
    case 3:
        s->word[FIRST + k] |= odd;
        break;
    case 4:
        s->word[LENGTH + k % 2] |= odd;
        break;
    case 5:
        s->word[FIRST + k] |= far ? far : rest;
        break;
    case 6:
        s->word[LENGTH + k % 2] |= far ? far : rest;
        break;
    case 7:
        s->word[RANKS] &= ~(15u << 4 * (k % 4));
        break;
    case 8:
        s->word[RANKS] ^= 1u << rng_below(r, 16);
        break;
    default: /* 0: nothing is wrong */
        break;
    }
}

static void new_packet(struct nda_window_stim *s) {
    struct rng *r = &s->base.rng;
    if (s->base.mode == &directed_mode) {
        unsigned n = s->script++;
        good_packet(s, n % OPERATIONS);
        spoil(s, n / OPERATIONS);
        return;
    }
    if (rng_percent(r, 40)) { /* a word differs */
        s->word[rng_below(r, WORDS)] = random_word(s);
        if (rng_percent(r, 50))
            return;
    }
    good_packet(s,
                rng_percent(r, 20) ? OPERATIONS - 1 : rng_below(r, OPERATIONS));
    if (!rng_percent(r, s->tune.good))
        spoil(s, rng_below(r, 80));
}

/* Those that are there before this edge. */
static bool packet_shows(const struct nda_window_stim *s) {
    return s->packet_first != s->packet_last &&
           s->packet[s->packet_first % MOST].when + 1 < s->edge;
}

static bool end_shows(const struct nda_window_stim *s) {
    return s->end_first != s->end_last &&
           s->end[s->end_first % MOST].when + 1 < s->edge;
}

/* What software must be answered, from the words as they stand. */
static uint32_t judge(const struct nda_window_stim *s, const uint32_t *word) {
    static const unsigned has[OPERATIONS] = {7, 15, 3, 3, 7, 3, 1, 1, 5};
    uint32_t op = word[WHAT] & 15, merged = word[LENGTH] | word[GRAIN];
    bool same =
        (word[RANKS] & 15) != 0 && (word[RANKS] & 15) <= ones(s->size.RANKS);
    unsigned waits = s->packet_last - s->packet_first - packet_shows(s);

    if (op >= OPERATIONS)
        return NDA_WINDOW_OPERATION;
    if (word[LENGTH] == 0 || (op == 8 && (word[WHAT] & 0xff0000) == 0))
        return NDA_WINDOW_EMPTY;
    for (int k = 0; k < 4; k++)
        if (has[op] >> k & 1) {
            merged |= word[FIRST + k] | word[LAST + k];
            same &= (word[RANKS] >> 4 * k & 15) == (word[RANKS] & 15);
        }
    if (merged & (BURST - 1))
        return NDA_WINDOW_ALIGN;
    if (merged & ~ones(s->size.PLACE_W))
        return NDA_WINDOW_RANGE;
    if (!same)
        return NDA_WINDOW_APART;
    return waits < (unsigned)s->size.SLOTS ? NDA_WINDOW_NONE : NDA_WINDOW_FULL;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct nda_window_stim *)base)->size = nda_window_local(c);
    base->reset_every = 20000;
    base->wishbone = 100;
}

static void reset(struct stim *base) {
    struct nda_window_stim *s = (struct nda_window_stim *)base;
    s->packet_first = s->packet_last = s->end_first = s->end_last = 0;
    s->answer = NDA_WINDOW_NONE;
    memset(s->completed, 0, sizeof s->completed);
    s->written = s->ending = false;
}

static void software(struct nda_window_stim *s) {
    struct master *m = &s->base.master;
    struct rng *r = &s->base.rng;
    uint32_t ignored = (uint32_t)rng_next(r);

    if (rng_percent(r, s->tune.take)) {
        master_command(m, NDA_WINDOW_COM_take, ignored);
        return;
    }
    if (s->written) {
        master_command(m, NDA_WINDOW_COM_launch, ignored);
        s->written = rng_percent(r, 20); /* once more, as it stands */
        return;
    }
    new_packet(s);
    for (int i = 0; i < WORDS; i++)
        if (m->setting[i] != (s->word[i] & m->mask[i]))
            master_set(m, i, s->word[i]);
    s->written = true;
}

static void new_end(struct nda_window_stim *s) {
    struct rng *r = &s->base.rng;
    s->ending = true;
    s->offered = (struct end){.rank = rng_below(r, (uint32_t)s->size.RANKS),
                              .tag = rng_below(r, 256),
                              .final = rng_percent(r, 75),
                              .cause = rng_below(r, 4),
                              .value = rng_next(r) & UINT32_MAX};
}

static void set_statuses(struct nda_window_stim *s, uint64_t busy) {
    uint32_t *status = s->base.master.status;
    const struct end *e = &s->end[s->end_first % MOST];
    unsigned waits = s->packet_last - s->packet_first;
    bool shows = packet_shows(s), end = end_shows(s);
    bool room = waits - shows < (unsigned)s->size.SLOTS;

    status[NDA_WINDOW_STA_state] =
        (uint32_t)busy + 16u * room + 32u * end + 64u * shows;
    status[NDA_WINDOW_STA_answer] = s->answer;
    status[NDA_WINDOW_STA_end] =
        end ? (uint32_t)(1 + 2 * e->final + 4 * e->cause + 16 * e->rank +
                         256 * e->tag)
            : 0;
    status[NDA_WINDOW_STA_value] = end ? (uint32_t)e->value : 0;
    status[NDA_WINDOW_STA_completed] =
        (s->completed[0] & 255) | (s->completed[1] & 255) << 8 |
        (s->completed[2] & 255) << 16 | (s->completed[3] & 255) << 24;
}

static void drive(struct stim *base, void *ports) {
    struct nda_window_stim *s = (struct nda_window_stim *)base;
    struct nda_window_in *in = ports;
    struct rng *r = &base->rng;

    s->edge = base->now + 1;
    if (master_idle(&base->master) && rng_percent(r, s->tune.software))
        software(s);
    if (!s->ending && rng_percent(r, s->tune.end))
        new_end(s);
    in->op_ready = rng_percent(r, s->tune.op);
    in->done_valid = s->ending;
    in->done_rank = s->ending ? s->offered.rank : 0;
    in->done_tag = s->ending ? s->offered.tag : 0;
    in->done_final = s->ending && s->offered.final;
    in->done_cause = s->ending ? s->offered.cause : 0;
    in->done_value = s->ending ? s->offered.value : 0;
    if (rng_percent(r, 20))
        in->busy = rng_next(r) & ones(s->size.RANKS);
    set_statuses(s, in->busy);
    if (rng_below(r, 3000) == 0)
        master_clear(&base->master);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_op(struct nda_window_stim *s,
                            const struct nda_window_out *out) {
    const struct packet *p = &s->packet[s->packet_first % MOST];
    uint32_t what = p->word[WHAT];
    int w = s->size.SPOT_W;

    if (out->op_op != (what & 15) || out->op_tag != (what >> 8 & 255) ||
        out->op_blocking != (what >> 4 & 1) || out->op_rows != what >> 16 ||
        out->op_ranks != (p->word[RANKS] & 15) ||
        out->op_length != p->word[LENGTH] / BURST ||
        out->op_grain != p->word[GRAIN] / BURST)
        return stim_complain(&s->base,
                             "operation %u with tag %02x goes out, expected "
                             "%u with %02x as it was launched",
                             (unsigned)out->op_op, (unsigned)out->op_tag,
                             what & 15, what >> 8 & 255);
    for (int k = 0; k < 4; k++)
        if (bits_get(out->op_base, k * w, w) !=
                (p->word[FIRST + k] / BURST & ones(w)) ||
            bits_get(out->op_last, k * w, w) !=
                (p->word[LAST + k] / BURST & ones(w)))
            return stim_complain(&s->base,
                                 "an operation goes out with another operand "
                                 "%c",
                                 "xyzw"[k]);
    for (int i = 0; i < 3; i++)
        if (bits_lane(out->op_scalars, i) != p->word[SCALAR + i])
            return stim_complain(&s->base,
                                 "an operation goes out with another scalar "
                                 "%c",
                                 "abc"[i]);
    return NULL;
}

static void note_launch(struct nda_window_stim *s) {
    const uint32_t *word = s->base.master.setting;
    uint64_t *count = s->base.master.count;

    s->answer = judge(s, word);
    if (s->answer != NDA_WINDOW_NONE) {
        count[NDA_WINDOW_CNT_refused]++;
        s->refused++;
        return;
    }
    struct packet *p = &s->packet[s->packet_last++ % MOST];
    memcpy(p->word, word, sizeof p->word);
    p->when = s->edge;
    count[NDA_WINDOW_CNT_launched]++;
    s->taken++;
}

static void note_end(struct nda_window_stim *s) {
    s->ending = false;
    s->offered.when = s->edge;
    s->end[s->end_last++ % MOST] = s->offered;
    s->completed[s->offered.rank] += (unsigned)s->offered.final;
    s->base.master.count[NDA_WINDOW_CNT_told]++;
    s->ends++;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_window_stim *s = (struct nda_window_stim *)base;
    const struct nda_window_in *in = in_ports;
    const struct nda_window_out *before = before_ports, *after = after_ports;
    int command = base->master.commanded;
    bool pops = before->op_valid && in->op_ready;
    bool ends = in->done_valid && before->done_ready, took;
    const char *wrong = NULL;

    if (before->op_valid != packet_shows(s))
        wrong = stim_complain(base, before->op_valid
                                        ? "an operation that nobody launched"
                                        : "an operation does not go out");
    if (!wrong && before->op_valid)
        wrong = check_op(s, before);
    took = command == NDA_WINDOW_COM_take && end_shows(s);
    if (command == NDA_WINDOW_COM_launch)
        note_launch(s);
    if (ends)
        note_end(s);
    s->packet_first += pops;
    s->end_first += took;
    s->edge++; /* from here on: as it is behind the edge */
    if (!wrong && after->notice != end_shows(s))
        wrong = stim_complain(base, "notice is %d while %s end waits",
                              (int)after->notice, after->notice ? "no" : "an");
    unsigned waits = s->end_last - s->end_first - end_shows(s);
    if (!wrong && after->done_ready != (waits < (unsigned)s->size.ENDS))
        wrong = stim_complain(base, "%u ends wait in the queue, ready is %d",
                              waits, (int)after->done_ready);
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_window_stim *s = (const struct nda_window_stim *)base;
    text_printf(t, "packets taken\t%" PRIu64 "\n", s->taken);
    text_printf(t, "packets refused\t%" PRIu64 "\n", s->refused);
    text_printf(t, "ends\t%" PRIu64 "\n", s->ends);
}

const struct stim_class nda_window_stim = {
    .size = sizeof(struct nda_window_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
