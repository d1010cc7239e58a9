/* stim.c - stimulus of the launch unit: a host that launches operations, and
 * ranks that take packets and end them.
 *
 * When an operation is taken, all of its packets are listed by plain loops over
 * rows, parts and ranks.  What goes out must be the head of that list; what has
 * been sent and not ended must be `busy`; what ends must be told as it was.
 *
 * random    operations, sizes, ranks that are quick or slow, a host that waits
 * directed  each operation with grains about its length, blocking and not
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/nda_launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, MOST = 4096, PATIENCE = 1500, OPERANDS = 4, NONE = -1 };

struct tune {
    int op, packet, end, done; /* percent of the edges */
};

struct packet {
    int rank, op;
    uint64_t length, tag, final;
    uint64_t base[OPERANDS], last[OPERANDS];
    uint32_t scalar[3];
};

struct end {
    uint64_t rank, tag, final, cause, value;
};

struct nda_launch_stim {
    struct stim base;
    struct nda_launch_local size;
    struct tune tune;
    int left;
    uint64_t number, last_event, operations, packets;

    bool offers;
    struct nda_launch_in op;
    struct packet *list; /* to come, of the operation that was taken last */
    int n_list, next;
    bool blocks; /* that operation */

    struct packet got[RANKS]
                     [16]; /* taken by the rank, not ended; oldest first */
    int n_got[RANKS];
    bool ending; /* an end is offered */
    struct end end;
    struct end told[3]; /* that the host has to be told; oldest first */
    int n_told;
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 8};
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.op = rates[rng_below(r, 5)],
                            .packet = rates[rng_below(r, 5)],
                            .end = rates[rng_below(r, 5)],
                            .done = rates[rng_below(r, 5)]};
    s->left = rng_range(r, 50, 600);
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {{100, 100, 100, 100},
                                         {100, 100, 10, 100},
                                         {100, 20, 100, 100},
                                         {100, 100, 100, 15}};
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->number / 7 % 4];
    s->left = 60;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- operations ----------------------------------------------------------- */

static void new_operation(struct nda_launch_stim *s) {
    struct rng *r = &s->base.rng;
    struct nda_launch_in *op = &s->op;
    bool directed = s->base.mode == &directed_mode;
    uint64_t n = s->number++, all = ones(s->size.SPOT_W);
    uint64_t grains[] = {0, 1, 2, 3, 4, 5};
    int w = s->size.SPOT_W;

    memset(op, 0, sizeof *op);
    op->op_op = directed ? n % 11
                : rng_percent(r, 30)
                    ? 8
                    : rng_below(r, rng_percent(r, 10) ? 16 : 9);
    op->op_ranks = rng_percent(r, 50) ? ones(s->size.RANKS)
                                      : rng_next(r) & ones(s->size.RANKS);
    op->op_length = rng_percent(r, 5)    ? 0
                    : rng_percent(r, 50) ? rng_below(r, 6)
                                         : rng_below(r, 40);
    op->op_grain = rng_percent(r, 30)   ? 0
                   : rng_percent(r, 40) ? op->op_length
                   : rng_percent(r, 5)  ? rng_next(r) & all
                                        : 1 + rng_below(r, 12);
    if (rng_percent(r, 5)) { /* one packet a rank and row, however long */
        op->op_length = rng_next(r) & all;
        op->op_grain = 0;
    }
    op->op_rows = op->op_op != 8      ? rng_next(r) & 255
                  : rng_percent(r, 5) ? 0
                                      : 1 + rng_below(r, 6);
    op->op_blocking = rng_percent(r, 40);
    if (directed) {
        op->op_length = n / 11 % 5;
        op->op_grain = grains[n / 55 % 6];
        op->op_rows = 1 + n / 11 % 3;
        op->op_blocking = n & 1;
    }
    op->op_tag = rng_next(r) & 255;
    for (int k = 0; k < OPERANDS; k++) {
        uint64_t at =
            rng_percent(r, 15) ? all - rng_below(r, 30) : rng_next(r) & all;
        bits_or(op->op_base, k * w, w, at);
        bits_or(op->op_last, k * w, w, rng_next(r) & all);
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(op->op_scalars, i, (uint32_t)rng_next(r));
}

static void packet_of(const struct nda_launch_stim *s, uint64_t row,
                      uint64_t at, uint64_t size, int rank, struct packet *p) {
    const struct nda_launch_in *op = &s->op;
    int w = s->size.SPOT_W;
    bool gemv = op->op_op == 8;

    *p = (struct packet){.rank = rank,
                         .op = gemv ? 5 : (int)op->op_op,
                         .length = size,
                         .tag = op->op_tag};
    for (int k = 0; k < (gemv ? 2 : OPERANDS); k++) {
        int from = gemv && k == 1 ? 2 : k;
        uint64_t first = bits_get(op->op_base, from * w, w) + at +
                         (from == 2 && gemv ? row * op->op_length : 0);
        bool beyond = first >> w != 0;
        p->base[k] = beyond ? ones(w) : first;
        p->last[k] = beyond ? 0 : bits_get(op->op_last, from * w, w);
    }
    for (int i = 0; i < 3; i++)
        p->scalar[i] = bits_lane(op->op_scalars, i);
}

/* All packets of the operation that is taken, behind one that stands. */
static void list_packets(struct nda_launch_stim *s,
                         const struct packet *shown) {
    const struct nda_launch_in *op = &s->op;
    uint64_t rows = op->op_op == 8 ? op->op_rows : 1;
    uint64_t grain = op->op_grain ? op->op_grain : op->op_length;

    s->n_list = s->next = 0;
    if (shown) /* the last packet of the one before stands still */
        s->list[s->n_list++] = *shown;
    if (op->op_op > 8 || op->op_length == 0)
        return;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t at = 0; at < op->op_length; at += grain) {
            uint64_t left = op->op_length - at;
            bool end = row + 1 == rows && left <= grain;
            for (int r = 0; r < s->size.RANKS; r++) {
                struct packet *p = &s->list[s->n_list];
                if (!(op->op_ranks >> r & 1))
                    continue;
                packet_of(s, row, at, left < grain ? left : grain, r, p);
                p->final = end;
                s->n_list++;
            }
        }
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    s->size = nda_launch_local(c);
    s->list = xcalloc(MOST, sizeof *s->list);
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    free(((struct nda_launch_stim *)base)->list);
}

static void reset(struct stim *base) {
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    s->offers = s->ending = s->blocks = false;
    s->n_list = s->next = s->n_told = 0;
    memset(s->n_got, 0, sizeof s->n_got);
    s->last_event = base->now;
}

/* A rank ends its oldest packet. */
static void new_end(struct nda_launch_stim *s) {
    struct rng *r = &s->base.rng;
    int at = (int)rng_below(r, (uint32_t)s->size.RANKS);
    for (int i = 0; i < s->size.RANKS && !s->ending; i++) {
        int rank = (at + i) % s->size.RANKS;
        if (s->n_got[rank] == 0)
            continue;
        s->ending = true;
        s->end = (struct end){.rank = (uint64_t)rank,
                              .tag = s->got[rank][0].tag,
                              .final = s->got[rank][0].final,
                              .cause = rng_below(r, 4),
                              .value = rng_next(r) & UINT32_MAX};
    }
}

static void drive(struct stim *base, void *ports) {
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    struct nda_launch_in *in = ports;
    struct rng *r = &base->rng;

    if (!s->offers && rng_percent(r, s->tune.op)) {
        s->offers = true;
        new_operation(s);
    }
    if (!s->ending && rng_percent(r, s->tune.end))
        new_end(s);
    *in = s->op;
    in->op_valid = s->offers;
    in->packet_ready = rng_percent(r, s->tune.packet);
    in->ended_valid = s->ending;
    in->ended_rank =
        s->ending ? s->end.rank : rng_below(r, (uint32_t)s->size.RANKS);
    in->ended_tag = s->end.tag;
    in->ended_final = s->end.final;
    in->ended_cause = s->end.cause;
    in->ended_value = s->end.value;
    in->done_ready = rng_percent(r, s->tune.done);
}

/* --- what must come out --------------------------------------------------- */

static const char *check_packet(struct nda_launch_stim *s,
                                const struct nda_launch_out *out) {
    const struct packet *p = &s->list[s->next];
    int w = s->size.SPOT_W;

    if (s->next == s->n_list)
        return stim_complain(&s->base, "a packet of no operation");
    if ((int)out->packet_rank != p->rank || (int)out->packet_op != p->op ||
        out->packet_length != p->length || out->packet_tag != p->tag ||
        out->packet_final != p->final)
        return stim_complain(
            &s->base,
            "packet %d has rank %d, operation %d, %" PRIu64
            " bursts; expected rank %d, operation %d, %" PRIu64 " bursts",
            s->next, (int)out->packet_rank, (int)out->packet_op,
            (uint64_t)out->packet_length, p->rank, p->op, p->length);
    for (int k = 0; k < OPERANDS; k++) {
        uint64_t base = bits_get(out->packet_base, k * w, w);
        uint64_t last = bits_get(out->packet_last, k * w, w);
        if (base != p->base[k] || last != p->last[k])
            return stim_complain(
                &s->base,
                "packet %d has operand %d at %" PRIx64 " to %" PRIx64
                ", expected %" PRIx64 " to %" PRIx64,
                s->next, k, base, last, p->base[k], p->last[k]);
    }
    for (int i = 0; i < 3; i++)
        if (bits_lane(out->packet_scalars, i) != p->scalar[i])
            return stim_complain(&s->base, "packet %d has another scalar %d",
                                 s->next, i);
    return NULL;
}

/* The first of what must be told is told. */
static const char *check_told(struct nda_launch_stim *s,
                              const struct nda_launch_out *out) {
    const struct end *e = &s->told[0];
    if (s->n_told == 0)
        return stim_complain(&s->base, "an end of nothing is told");
    if (out->done_rank != e->rank || out->done_tag != e->tag ||
        out->done_final != e->final || out->done_cause != e->cause ||
        out->done_value != e->value)
        return stim_complain(&s->base,
                             "an end of rank %d with value %08x is told, "
                             "expected rank %d with %08x",
                             (int)out->done_rank, (unsigned)out->done_value,
                             (int)e->rank, (unsigned)e->value);
    s->told[0] = s->told[1];
    s->told[1] = s->told[2];
    s->n_told--;
    return NULL;
}

static void operation_taken(struct nda_launch_stim *s) {
    bool stands = s->next < s->n_list;
    struct packet shown = s->list[s->next];

    s->offers = false;
    s->operations++;
    list_packets(s, stands ? &shown : NULL);
    s->blocks = s->op.op_blocking && s->n_list > stands;
    if (s->n_list == stands)
        s->told[s->n_told++] =
            (struct end){.tag = s->op.op_tag,
                         .final = 1,
                         .cause = s->op.op_op > 8 ? NDA_LAUNCH_OPERATION : 0};
}

static void end_taken(struct nda_launch_stim *s) {
    int rank = (int)s->end.rank;
    s->ending = false;
    memmove(s->got[rank], s->got[rank] + 1,
            (size_t)--s->n_got[rank] * sizeof s->got[rank][0]);
    s->told[s->n_told++] = s->end;
}

static uint64_t busy(const struct nda_launch_stim *s,
                     const struct nda_launch_out *out) {
    uint64_t mask = out->packet_valid ? bit((int)out->packet_rank) : 0;
    for (int r = 0; r < s->size.RANKS; r++)
        mask |= (uint64_t)(s->n_got[r] > 0) << r;
    return mask;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_launch_stim *s = (struct nda_launch_stim *)base;
    const struct nda_launch_in *in = in_ports;
    const struct nda_launch_out *before = before_ports, *after = after_ports;
    bool op = in->op_valid && before->op_ready;
    bool packet = before->packet_valid && in->packet_ready;
    bool end = in->ended_valid && before->ended_ready;
    bool told = before->done_valid && in->done_ready;
    const char *wrong = NULL;

    if (op && (s->next + (int)before->packet_valid < s->n_list ||
               (s->blocks && busy(s, before) != 0)))
        wrong = stim_complain(base, "an operation is taken before its time");
    if (!wrong && packet)
        wrong = check_packet(s, before);
    if (!wrong && packet) {
        const struct packet *p = &s->list[s->next++];
        s->packets++;
        s->got[p->rank][s->n_got[p->rank]++] = *p;
    }
    if (!wrong && told)
        wrong = check_told(s, before);
    if (end)
        end_taken(s);
    if (op)
        operation_taken(s);
    if (op || packet || end || told)
        s->last_event = base->now;
    if (!wrong && after->busy != busy(s, after))
        wrong = stim_complain(base, "ranks %x are busy, expected %x",
                              (unsigned)after->busy, (unsigned)busy(s, after));
    for (int r = 0; r < s->size.RANKS && !wrong; r++)
        if (s->n_got[r] +
                (after->packet_valid && (int)after->packet_rank == r) >
            s->size.UNFINISHED)
            wrong = stim_complain(base, "rank %d has too many packets", r);
    if (!wrong && s->n_told > 2)
        wrong = stim_complain(base, "an end is taken before one is told");
    if (!wrong && base->now - s->last_event > PATIENCE)
        wrong = stim_complain(base, "nothing goes on");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_launch_stim *s = (const struct nda_launch_stim *)base;
    text_printf(t, "operations\t%" PRIu64 "\n", s->operations);
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
}

const struct stim_class nda_launch_stim = {
    .size = sizeof(struct nda_launch_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
