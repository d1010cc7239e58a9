/* stim.c - stimulus of the registered cut between the dies: on each die the
 * sources of packets, and what takes them: queues of instructions and requests,
 * the registers in which rows land.
 *
 * Every beat has a number that all its bits depend on.  What a source gives on
 * one edge must stand on the wires after it, and on the other die after the
 * next.  The environment has its own count of places, and knows how long a
 * source may wait at most.
 *
 * random    phases with other sources, lengths, gaps and patience
 * directed  one source after the other, returns held back and given together,
 *           everything at once
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/cut.h"

#include <inttypes.h>
#include <string.h>

enum giver { INSTR, ROW, ASK, UP, DONE, LSU_DOWN, LSU_UP, SOURCES };
enum {
    WORDS = 1024 / 64,
    LONGEST = 24, /* packet */
    PLACES = 32,
    SLACK = 8, /* edges that two turns of the wires may take */
};

static const char *const name_of[SOURCES] = {"instr", "row",      "ask",   "up",
                                             "done",  "lsu_down", "lsu_up"};
static const bool goes_up[SOURCES] = {
    [UP] = true, [DONE] = true, [LSU_UP] = true};
static const unsigned kind_of[SOURCES] = {
    [ROW] = 1, [ASK] = 2, [UP] = 1, [LSU_DOWN] = 3, [LSU_UP] = 3};

/* Least number of cycles without a beat when the other die begins: down after
 * up, up after down. */
static const int between[2] = {1, 1};

/* What the surroundings are like for a while. */
struct tune {
    int rate[SOURCES]; /* percent of the cycles in which a packet begins */
    int gap;           /* percent of the beats that do not come at once */
    int longest;       /* packet */
    int returns;       /* percent of the cycles in which a place gets free */
    int updates;       /* percent of the cycles with moved_ready */
    bool together;     /* all kinds of places in one cycle */
};

struct supply {
    bool shows, last; /* a beat, the last of its packet */
    int left;         /* beats of this packet, with that one */
    bool inside;      /* some of the packet have gone */
    uint64_t number;  /* of the beat */
    int waited;       /* edges on which it might have gone */
};

struct beat {
    bool valid, first, last;
    enum giver source;
    uint64_t number;
};

struct cut_stim {
    struct stim base;
    struct cut_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct supply supply[SOURCES];
    struct beat wires, come; /* after the last edge; come: one edge older */
    int idle;                /* cycles without a beat on the wires */
    bool drove, drove_up;    /* the last beat, and whose */

    uint64_t warp[PLACES + 2]; /* of instructions that are down, in order */
    int down;                  /* how many, with those on their way */
    int held, held_new;        /* on the DRAM die; since the last edge */
    int asks, asks_held, asks_new;
    int credits, ask_credits;
    bool row_down, row_at, row_new; /* under way; landed; on the last edge */
    struct {
        uint64_t warp, reg, epoch;
        bool final;
    } header;
    bool row_up, row_up_at, row_up_new;
    /* returns: given on the last edge, on the one before */
    bool back[3], older[3];
    bool moved;
    uint64_t beats[SOURCES];
    unsigned shown[4]; /* sources with a beat, on this edge and those before */
};

static void word_of(const struct cut_stim *s, enum giver k, uint64_t number,
                    uint64_t *w) {
    memset(w, 0, WORDS * sizeof *w);
    for (int at = 0; at < s->size.TSV_W; at += 64) {
        int width = s->size.TSV_W - at < 64 ? s->size.TSV_W - at : 64;
        w[at / 64] =
            rng_mix((number * SOURCES + k) * WORDS + (uint64_t)at / 64 + 1) &
            ones(width);
    }
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {{100}, 0, 3, 0, 0, false},                 /* instructions, */
        {{0}, 0, 3, 100, 100, false},               /* that go, */
        {{100}, 0, 3, 100, 100, false},             /* and all the time */
        {{0, 100}, 0, 5, 20, 20, false},            /* rows */
        {{0, 0, 100}, 0, 1, 0, 0, false},           /* requests, */
        {{0, 0, 100}, 0, 1, 100, 0, false},         /* and all the time */
        {{0, 0, 0, 100}, 0, 5, 10, 0, false},       /* rows up */
        {{0, 0, 0, 0, 100}, 0, 1, 100, 0, false},   /* completions */
        {{0, 0, 0, 0, 0, 100}, 0, 24, 0, 0, false}, /* load-store */
        {{0, 0, 0, 0, 0, 0, 100}, 0, 24, 0, 0, false},
        {{100, 100, 100, 100, 100, 100, 100}, 30, 8, 60, 60, false},
        {{100, 100, 100, 100, 100, 100, 100}, 0, 2, 100, 100, false},
        {{100, 100, 100, 0, 0, 0, 0}, 0, 3, 50, 50, true},
        {{40, 40, 40, 40, 40, 40, 40}, 0, 4, 50, 50, true},
    };
    struct cut_stim *s = (struct cut_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 100 % (sizeof script / sizeof *script)];
    s->left = 99;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 3, 0};
    static const int chances[] = {100, 100, 50, 10, 2};
    struct cut_stim *s = (struct cut_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    bool all = rng_percent(r, 25);
    for (int k = 0; k < SOURCES; k++)
        s->tune.rate[k] = all ? 100 : rates[rng_below(r, 6)];
    s->tune.gap = rng_percent(r, 60) ? 0 : rng_range(r, 1, 60);
    s->tune.longest =
        rng_percent(r, 50) ? rng_range(r, 1, 4) : rng_range(r, 1, LONGEST);
    s->tune.returns = chances[rng_below(r, 5)];
    s->tune.updates = chances[rng_below(r, 5)];
    s->tune.together = rng_percent(r, 20);
    s->left = rng_range(r, 50, 400);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct cut_stim *)base)->size = cut_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct cut_stim *s = (struct cut_stim *)base;
    for (int k = 0; k < SOURCES; k++)
        s->supply[k] = (struct supply){.number = s->supply[k].number};
    s->wires = s->come = (struct beat){0};
    s->idle = 0;
    s->drove = false;
    s->down = s->held = s->held_new = 0;
    s->asks = s->asks_held = s->asks_new = 0;
    s->credits = s->size.INSTRS;
    s->ask_credits = s->size.ASKS;
    s->row_down = s->row_at = s->row_new = false;
    s->row_up = s->row_up_at = s->row_up_new = false;
    memset(s->back, 0, sizeof s->back);
    memset(s->older, 0, sizeof s->older);
    s->moved = false;
}

static void put(struct cut_in *in, enum giver k, bool valid, bool last,
                const uint64_t *w, size_t size) {
    switch (k) {
    case INSTR:
        in->instr_valid = valid, in->instr_last = last;
        memcpy(in->instr_data, w, size);
        break;
    case ROW:
        in->row_valid = valid, in->row_last = last;
        memcpy(in->row_data, w, size);
        break;
    case ASK:
        in->ask_valid = valid;
        memcpy(in->ask_data, w, size);
        break;
    case UP:
        in->up_valid = valid, in->up_last = last;
        memcpy(in->up_data, w, size);
        break;
    case DONE:
        in->done_valid = valid, in->done_last = last;
        memcpy(in->done_data, w, size);
        break;
    case LSU_DOWN:
        in->lsu_down_valid = valid, in->lsu_down_last = last;
        memcpy(in->lsu_down_data, w, size);
        break;
    default:
        in->lsu_up_valid = valid, in->lsu_up_last = last;
        memcpy(in->lsu_up_data, w, size);
        break;
    }
}

static bool ready_of(const struct cut_out *out, enum giver k) {
    const uint64_t ready[SOURCES] = {
        out->instr_ready, out->row_ready,      out->ask_ready,   out->up_ready,
        out->done_ready,  out->lsu_down_ready, out->lsu_up_ready};
    return ready[k] & 1;
}

static void supply(struct cut_stim *s, struct cut_in *in, enum giver k) {
    struct supply *p = &s->supply[k];
    struct rng *r = &s->base.rng;
    uint64_t w[WORDS];
    bool noise = rng_percent(r, 20);

    if (!p->shows && s->base.rst_left == 0) {
        if (p->left == 0 && rng_percent(r, s->tune.rate[k])) {
            p->left = k == ASK ? 1 : rng_range(r, 1, s->tune.longest);
            p->inside = false;
        }
        p->shows = p->left > 0 && !rng_percent(r, s->tune.gap);
        p->last = p->left == 1;
        p->waited = 0;
    }
    word_of(s, k, p->shows || noise ? p->number : 0, w);
    if (!p->shows && !noise)
        memset(w, 0, sizeof w);
    put(in, k, p->shows, p->shows ? p->last : noise, w, WORDS * sizeof *w);
}

static void drive(struct stim *base, void *ports) {
    struct cut_stim *s = (struct cut_stim *)base;
    struct cut_in *in = ports;
    struct rng *r = &base->rng;
    int chance = base->rst_left == 0 ? s->tune.returns : 0;

    for (int k = 0; k < SOURCES; k++)
        supply(s, in, (enum giver)k);
    bool instr = s->held > 0, ask = s->asks_held > 0, row = s->row_at;
    if (s->tune.together) {
        bool all = instr && ask && row && rng_percent(r, chance);
        in->back_instr = in->back_ask = in->back_row = all;
    } else {
        in->back_instr = instr && rng_percent(r, chance);
        in->back_ask = ask && rng_percent(r, chance);
        in->back_row = row && rng_percent(r, chance);
    }
    in->taken_row = s->row_up_at && rng_percent(r, chance);
    in->moved_ready = rng_percent(r, s->tune.updates);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_beat(struct cut_stim *s, const char *where, bool valid,
                              unsigned kind, bool first, bool last,
                              const uint64_t *data, const struct beat *b) {
    uint64_t w[WORDS];
    if (valid != b->valid)
        return stim_complain(&s->base, "%s has %s beat, expected %s", where,
                             valid ? "a" : "no",
                             b->valid ? name_of[b->source] : "none");
    if (!valid)
        return NULL;
    if (kind != kind_of[b->source] || first != b->first || last != b->last)
        return stim_complain(
            &s->base,
            "%s has kind %u, first %d, last %d, expected %u, %d, %d of %s",
            where, kind, first, last, kind_of[b->source], b->first, b->last,
            name_of[b->source]);
    word_of(s, b->source, b->number, w);
    if (memcmp(w, data, sizeof w) != 0)
        return stim_complain(
            &s->base,
            "%s has %016" PRIx64 " in the lowest bits, expected %016" PRIx64
            " of %s, beat %" PRIu64,
            where, data[0], w[0], name_of[b->source], b->number);
    return NULL;
}

/* Might a source have got the bus on this edge, were it free? */
static bool eligible(const struct cut_stim *s, enum giver k) {
    const struct supply *p = &s->supply[k];
    if (!p->shows)
        return false;
    switch (k) {
    case INSTR:
        return p->inside || s->credits > 0;
    case ROW:
        return p->inside || !s->row_down;
    case ASK:
        return s->ask_credits > 0;
    case UP:
        return p->inside || !s->row_up;
    default:
        return true;
    }
}

static int longest_wait(const struct cut_stim *s) {
    /* before each packet of the three or four of a die a run of the other one,
     * with a packet longer than it has to be */
    return 5 * (s->size.BURST + 2 * LONGEST + SLACK);
}

/* The beat that a source gives on this edge. */
static const char *take(struct cut_stim *s, enum giver k, struct beat *b) {
    struct supply *p = &s->supply[k];
    uint64_t w[WORDS];
    const char *wrong = NULL;

    if (b->valid)
        return stim_complain(&s->base, "'%s' and '%s' are ready together",
                             name_of[b->source], name_of[k]);
    if (!eligible(s, k))
        wrong = stim_complain(
            &s->base, "a beat of '%s' is taken, expected no room for it",
            name_of[k]);
    *b = (struct beat){true, !p->inside, p->last, k, p->number};
    word_of(s, k, p->number, w);
    if (k == INSTR && b->first)
        s->credits--;
    if (k == INSTR && b->last && s->down < PLACES + 2)
        s->warp[s->down++] = bits_get(w, 0, s->size.WARP_W);
    if (k == ASK)
        s->ask_credits--;
    if (k == ROW && b->first) {
        int at = 0;
        s->row_down = true;
        s->header.warp = bits_take(w, &at, s->size.WARP_W);
        s->header.reg = bits_take(w, &at, s->size.REG_W);
        s->header.epoch = bits_take(w, &at, 1);
        s->header.final = bits_take(w, &at, 1);
        if (bits_take(w, &at, 2) == 1) /* a pair goes by its even register */
            s->header.reg -= s->header.reg & 1;
    }
    if (k == UP && b->last)
        s->row_up = true;
    s->beats[k]++;
    p->inside = !p->last;
    p->left--;
    p->number++;
    p->shows = false;
    return wrong;
}

/* What arrives becomes what can be given back two edges later. */
static void arrive(struct cut_stim *s, const struct cut_in *in) {
    s->held += s->held_new - (int)in->back_instr;
    s->asks_held += s->asks_new - (int)in->back_ask;
    s->row_at = (s->row_at && !in->back_row) || s->row_new;
    s->row_up_at = (s->row_up_at && !in->taken_row) || s->row_up_new;
    const struct beat *b = &s->come;
    bool last = b->valid && b->last;
    s->held_new = last && b->source == INSTR;
    s->asks_new = last && b->source == ASK;
    s->row_new = last && b->source == ROW;
    s->row_up_new = last && b->source == UP;
}

/* Credits and updates: a return is one on the third edge. */
static const char *give_back(struct cut_stim *s, const struct cut_in *in,
                             const struct cut_out *before,
                             const struct cut_out *after) {
    const char *wrong = NULL;
    const bool given[3] = {in->back_instr & 1, in->back_ask & 1,
                           in->back_row & 1};

    if (s->moved && in->moved_ready) {
        s->moved = s->row_down = false;
        if (before->moved_warp != s->header.warp ||
            before->moved_reg != s->header.reg ||
            before->moved_epoch != s->header.epoch)
            wrong = stim_complain(
                &s->base,
                "warp %u, register %u, epoch %u moved, expected %u, %u, %u",
                (unsigned)before->moved_warp, (unsigned)before->moved_reg,
                (unsigned)before->moved_epoch, (unsigned)s->header.warp,
                (unsigned)s->header.reg, (unsigned)s->header.epoch);
    }
    if (s->older[0]) { /* it was delivered before this edge */
        s->credits++;
        s->down--;
        memmove(s->warp, s->warp + 1, sizeof s->warp - sizeof *s->warp);
    }
    s->ask_credits += s->older[1];
    if (s->older[2]) {
        s->moved = s->header.final;
        s->row_down = s->moved;
    }
    memcpy(s->older, s->back, sizeof s->older);
    memcpy(s->back, given, sizeof s->back);
    if (in->taken_row)
        s->row_up = false;

    if (!wrong && (after->delivered_valid & 1) != s->older[0])
        wrong = stim_complain(&s->base, "an instruction is %sdelivered",
                              s->older[0] ? "not " : "");
    if (!wrong && s->older[0] && after->delivered_warp != s->warp[0])
        wrong = stim_complain(&s->base, "warp %u is delivered, expected %u",
                              (unsigned)after->delivered_warp,
                              (unsigned)s->warp[0]);
    if (!wrong && (after->moved_valid & 1) != s->moved)
        wrong =
            stim_complain(&s->base, "a move is %sdone", s->moved ? "not " : "");
    return wrong;
}

/* The bus is one source's where its beat is taken, and what waits on the base
 * die is known there at once; on the DRAM die, two edges later. */
static const char *check_stall(struct cut_stim *s, const struct cut_in *in,
                               const struct cut_out *after,
                               const struct beat *beat) {
    unsigned others = 0;

    memmove(s->shown + 1, s->shown, sizeof s->shown - sizeof *s->shown);
    s->shown[0] = 0;
    for (int k = 0; k < SOURCES; k++)
        s->shown[0] |= (unsigned)s->supply[k].shows << k;
    for (int n = 0; n < 4 && beat->valid; n++)
        others |= s->shown[n] & ~(1u << beat->source);
    if (beat->valid && beat->source != LSU_DOWN && in->lsu_down_valid &&
        !after->bus_stall)
        return "a load-store beat waits for the bus, and no stall shows";
    if (beat->valid && !others && after->bus_stall)
        return "a stall shows, and nobody else wants the bus";
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct cut_stim *s = (struct cut_stim *)base;
    const struct cut_in *in = in_ports;
    const struct cut_out *before = before_ports, *after = after_ports;
    struct beat beat = {0};
    const char *wrong = NULL, *stall;

    for (int i = 0; i < SOURCES; i++) {
        enum giver k = (enum giver)i;
        struct supply *p = &s->supply[k];
        if (p->shows && ready_of(before, k)) {
            const char *w = take(s, k, &beat);
            wrong = wrong ? wrong : w;
        } else if (eligible(s, k) && ++p->waited > longest_wait(s)) {
            wrong = stim_complain(
                base, "'%s' waits for more than %d edges, expected a turn",
                name_of[k], longest_wait(s));
        }
    }
    stall = check_stall(s, in, after, &beat);
    s->come = s->wires;
    s->wires = beat;
    const struct beat none = {0};
    bool up = s->come.valid && goes_up[s->come.source];
    const struct beat *far = up ? &s->come : &none;
    const struct beat *near = up ? &none : &s->come;
    const char *more[4] = {
        check_beat(s, "the base die", after->far_valid,
                   (unsigned)after->far_kind, after->far_first, after->far_last,
                   after->far_data, far),
        check_beat(s, "the DRAM die", after->near_valid,
                   (unsigned)after->near_kind, after->near_first,
                   after->near_last, after->near_data, near),
        NULL, NULL};

    if ((after->tsv_valid & 1) != beat.valid ||
        (beat.valid && (after->tsv_kind != kind_of[beat.source] ||
                        after->tsv_last != beat.last ||
                        after->tsv_up != goes_up[beat.source])))
        more[2] = stim_complain(base, "the wires carry something else than %s",
                                beat.valid ? name_of[beat.source] : "nothing");
    if (beat.valid) {
        if (s->drove && s->drove_up != goes_up[beat.source] &&
            s->idle < between[goes_up[beat.source]])
            more[2] = stim_complain(
                base, "the wires turn round in %d cycles, expected %d", s->idle,
                between[goes_up[beat.source]]);
        s->drove = true;
        s->drove_up = goes_up[beat.source];
        s->idle = 0;
    } else {
        s->idle++;
    }
    arrive(s, in);
    more[3] = give_back(s, in, before, after);
    for (int i = 0; i < 4 && !wrong; i++)
        wrong = more[i];
    return wrong ? wrong : stall;
}

static void report(struct stim *base, struct text *t) {
    const struct cut_stim *s = (const struct cut_stim *)base;
    for (int k = 0; k < SOURCES; k++)
        text_printf(t, "%s\t%" PRIu64 "\n", name_of[k], s->beats[k]);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class cut_stim = {
    .size = sizeof(struct cut_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
