/* stim.c - stimulus of the way of packets to their ranks: a launch that sends
 * packets, ranks that take them and tell ends, and the launch that hears these.
 *
 * Every packet and every end has a number that all its bits depend on.  A
 * packet must come out at its rank in its turn, an end in the turn of its rank;
 * both on the edges that the note says.
 *
 * random    phases with other rates, ranks that are quick or slow
 * directed  ranks that take nothing for a while, one after the other; ends of
 *           all ranks at once
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_post.h"

#include <inttypes.h>
#include <string.h>

enum { RANKS = 4, MOST = 64 };

struct tune {
    int packet, ended;           /* percent of the edges */
    int take[RANKS], end[RANKS]; /* of each rank */
};

/* Ports of a rank, as they follow each other in the structs. */
struct rank_in {
    uint64_t packet_ready;
    uint64_t ended_valid, ended_rank, ended_tag, ended_final, ended_cause,
        ended_value;
};

struct rank_out {
    uint64_t packet_valid, packet_rank, packet_op, packet_length, packet_tag,
        packet_final, packet_base[2], packet_last[2], packet_scalars[2];
    uint64_t ended_ready;
};

struct end {
    bool there;
    uint64_t rank, tag, final, cause, value;
};

struct nda_post_stim {
    struct stim base;
    struct nda_post_local size;
    struct tune tune;
    int left;
    uint64_t phase;
    uint64_t packets, ends; /* by their numbers */

    bool offers;
    uint64_t number; /* that is offered */
    uint64_t at[RANKS][MOST];
    unsigned first[RANKS], last[RANKS]; /* taken for the rank, not given */
    struct end end[RANKS];              /* that the rank offers */
    int passed[RANKS];                  /* ends of others since then */
    struct end stands;                  /* taken, and to be told */
    int idle; /* edges on which nothing stood and an end waited */
};

static struct rank_in *rank_in(struct nda_post_in *in, int r) {
    return (struct rank_in *)&in->packet0_ready + r;
}

static const struct rank_out *rank_out(const struct nda_post_out *out, int r) {
    return (const struct rank_out *)&out->packet0_valid + r;
}

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 3};
    struct nda_post_stim *s = (struct nda_post_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.packet = rates[rng_below(r, 5)];
    s->tune.ended = rates[rng_below(r, 5)];
    for (int i = 0; i < s->size.RANKS; i++) {
        s->tune.take[i] = rates[rng_below(r, 5)];
        s->tune.end[i] = rates[rng_below(r, 5)];
    }
    s->left = rng_range(r, 20, 400);
}

static void step_directed(struct stim *base) {
    struct nda_post_stim *s = (struct nda_post_stim *)base;
    if (s->left-- > 0)
        return;
    uint64_t phase = s->phase++, ranks = (uint64_t)s->size.RANKS;
    s->tune = (struct tune){.packet = 100, .ended = phase % 3 ? 100 : 10};
    for (int i = 0; i < s->size.RANKS; i++) {
        bool slow = phase % (ranks + 1) == (uint64_t)i;
        s->tune.take[i] = slow ? 0 : 100;
        s->tune.end[i] = phase % 2 ? 100 : 5;
    }
    s->left = 40;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- packets and ends by number ------------------------------------------- */

static uint64_t part(uint64_t number, int field, int width) {
    return rng_mix(number * 16 + (uint64_t)field) & ones(width);
}

static uint64_t rank_of(const struct nda_post_stim *s, uint64_t number) {
    return part(number, 0, s->size.RANK_W);
}

static void wide(uint64_t number, int field, int width, uint64_t *to) {
    to[0] = part(number, field, width < 64 ? width : 64);
    to[1] = width > 64 ? part(number, field + 1, width - 64) : 0;
}

static void show_packet(const struct nda_post_stim *s, struct nda_post_in *in) {
    uint64_t n = s->number;
    int w = s->size.SPOT_W;
    in->packet_valid = s->offers;
    in->packet_rank = rank_of(s, n);
    in->packet_op = part(n, 1, 3);
    in->packet_length = part(n, 2, w);
    in->packet_tag = part(n, 3, 8);
    in->packet_final = part(n, 4, 1);
    wide(n, 5, 4 * w, in->packet_base);
    wide(n, 7, 4 * w, in->packet_last);
    wide(n, 9, 96, in->packet_scalars);
}

/* The rank that an end says is not looked at, and need not be its own. */
static void new_end(struct nda_post_stim *s, int rank) {
    uint64_t n = s->ends++;
    s->end[rank] = (struct end){.there = true,
                                .rank = part(n, 11, s->size.RANK_W),
                                .tag = part(n, 12, 8),
                                .final = part(n, 13, 1),
                                .cause = part(n, 14, 2),
                                .value = part(n, 15, 32)};
    s->passed[rank] = 0;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct nda_post_stim *)base)->size = nda_post_local(c);
    base->reset_every = 2000;
}

static void reset(struct stim *base) {
    struct nda_post_stim *s = (struct nda_post_stim *)base;
    s->offers = false;
    memset(s->first, 0, sizeof s->first);
    memset(s->last, 0, sizeof s->last);
    memset(s->end, 0, sizeof s->end);
    s->stands.there = false;
    s->idle = 0;
}

static void drive(struct stim *base, void *ports) {
    struct nda_post_stim *s = (struct nda_post_stim *)base;
    struct nda_post_in *in = ports;
    struct rng *r = &base->rng;

    if (!s->offers) {
        s->number = s->packets;
        if (rng_percent(r, s->tune.packet)) {
            s->offers = true;
            s->packets++;
        }
    }
    show_packet(s, in);
    for (int i = 0; i < s->size.RANKS; i++) {
        struct rank_in *p = rank_in(in, i);
        const struct end *e = &s->end[i];
        if (!e->there && rng_percent(r, s->tune.end[i]))
            new_end(s, i);
        *p = (struct rank_in){rng_percent(r, s->tune.take[i]),
                              e->there,
                              e->rank,
                              e->tag,
                              e->final,
                              e->cause,
                              e->value};
    }
    in->ended_ready = rng_percent(r, s->tune.ended);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_packet(struct nda_post_stim *s, int rank,
                                const struct rank_out *o) {
    struct nda_post_in p = {0};
    uint64_t offered = s->number;

    s->number = s->at[rank][s->first[rank] % MOST];
    show_packet(s, &p);
    s->number = offered;
    if (o->packet_rank != p.packet_rank || o->packet_op != p.packet_op ||
        o->packet_length != p.packet_length || o->packet_tag != p.packet_tag ||
        o->packet_final != p.packet_final)
        return stim_complain(&s->base,
                             "rank %d has a packet with tag %02x, expected "
                             "rank %d, tag %02x",
                             rank, (unsigned)o->packet_tag, (int)p.packet_rank,
                             (unsigned)p.packet_tag);
    if (memcmp(o->packet_base, p.packet_base, sizeof p.packet_base) != 0 ||
        memcmp(o->packet_last, p.packet_last, sizeof p.packet_last) != 0)
        return stim_complain(&s->base,
                             "the packet of rank %d has other operands", rank);
    if (memcmp(o->packet_scalars, p.packet_scalars, sizeof p.packet_scalars) !=
        0)
        return stim_complain(&s->base,
                             "the packet of rank %d has other scalars", rank);
    return NULL;
}

static const char *watch_packets(struct nda_post_stim *s,
                                 const struct nda_post_in *in,
                                 const struct nda_post_out *before,
                                 const struct nda_post_out *after) {
    int to = (int)in->packet_rank;
    bool taken = in->packet_valid && before->packet_ready;
    bool room = !rank_out(before, to)->packet_valid;
    bool meant = in->packet_valid && !before->packet_ready && room;
    const char *wrong = NULL;

    if (taken && !room)
        return stim_complain(
            &s->base, "a packet is taken while one stands at rank %d", to);
    if (taken) {
        s->at[to][s->last[to]++ % MOST] = s->number;
        s->offers = false;
    }
    for (int r = 0; r < s->size.RANKS && !wrong; r++) {
        const struct rank_out *o = rank_out(before, r);
        if (o->packet_valid &&
            rank_in((struct nda_post_in *)in, r)->packet_ready)
            s->first[r]++;
        o = rank_out(after, r);
        bool stands = s->first[r] != s->last[r];
        if (o->packet_valid != stands)
            wrong = stim_complain(&s->base, "a packet is %sat rank %d",
                                  stands ? "not " : "", r);
        else if (stands)
            wrong = check_packet(s, r, o);
    }
    if (!wrong && after->packet_ready != meant)
        wrong = stim_complain(&s->base, "the packet for rank %d is %staken", to,
                              meant ? "not " : "");
    return wrong;
}

static const char *watch_ends(struct nda_post_stim *s,
                              const struct nda_post_in *in,
                              const struct nda_post_out *before,
                              const struct nda_post_out *after) {
    const struct end *e = &s->stands;
    int from = -1, waiting = 0;

    if (before->ended_valid && in->ended_ready)
        s->stands.there = false;
    for (int r = 0; r < s->size.RANKS; r++) {
        bool takes = s->end[r].there && rank_out(before, r)->ended_ready;
        waiting += s->end[r].there;
        if (takes && (from >= 0 || before->ended_valid))
            return stim_complain(&s->base, "an end of rank %d is taken, too",
                                 r);
        if (takes)
            from = r;
    }
    for (int r = 0; r < s->size.RANKS && from >= 0; r++)
        if (r != from && s->end[r].there && ++s->passed[r] >= s->size.RANKS)
            return stim_complain(&s->base, "the end of rank %d is passed", r);
    if (from >= 0) {
        s->stands = s->end[from];
        s->end[from].there = false;
    }
    s->idle = from < 0 && waiting && !before->ended_valid ? s->idle + 1 : 0;
    if (s->idle >= s->size.RANKS)
        return stim_complain(&s->base, "an end waits, and none stands");
    if (after->ended_valid != e->there)
        return stim_complain(&s->base, "an end %s",
                             e->there ? "is lost" : "comes from nobody");
    if (e->there &&
        (after->ended_rank != e->rank || after->ended_tag != e->tag ||
         after->ended_final != e->final || after->ended_cause != e->cause ||
         after->ended_value != e->value))
        return stim_complain(&s->base,
                             "an end with tag %02x stands, expected %02x",
                             (unsigned)after->ended_tag, (unsigned)e->tag);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_post_stim *s = (struct nda_post_stim *)base;
    const char *wrong = watch_packets(s, in_ports, before_ports, after_ports);
    return wrong ? wrong : watch_ends(s, in_ports, before_ports, after_ports);
}

static void report(struct stim *base, struct text *t) {
    const struct nda_post_stim *s = (const struct nda_post_stim *)base;
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "ends\t%" PRIu64 "\n", s->ends);
}

const struct stim_class nda_post_stim = {
    .size = sizeof(struct nda_post_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
