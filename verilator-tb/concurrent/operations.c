/* operations.c - see operations.h. */
#include "operations.h"

#include "base/bits.h"
#include "blocks/nda_pe.h"
#include "fma/hard.h"
#include "nda_window/packet.h"

#include <inttypes.h>
#include <string.h>

enum { OPERANDS = 4, X = 0, Z = 2, UNKNOWN = NDA_PE_GEMV + 1 };
enum { GAP = 20 }; /* words between two operands at most */

void operations_open(struct operations *o, struct stim *base,
                     const struct config *c) {
    o->base = base;
    o->size = nda_launch_local(c);
    o->batch = c->nda_pe_batch;
    o->slots = c->nda_window_slots;
}

void operations_reset(struct operations *o) {
    o->offers = o->written = o->notice = o->blocks = false;
    o->waiting_first = o->waiting_last = 0;
    for (int r = 0; r < o->size.RANKS; r++) {
        struct launched_rank *k = &o->rank[r];
        k->first = k->last = k->told_first = k->told_last = 0;
        k->open = 0;
    }
    o->last_event = o->base->now;
}

/* --- operations ----------------------------------------------------------- */

static uint32_t number(struct rng *r, int style) {
    if (style == 0)
        return fma_hard_any(r);
    if (style == 1) /* whole numbers, whose sums are exact */
        return fma_hard_bits((double)rng_range(r, -99, 99));
    return fma_hard_pack(r, rng_range(r, 120, 134));
}

static void put_operand(struct operations *o, int k, uint64_t base,
                        uint64_t last) {
    int w = o->size.SPOT_W;
    bits_or(o->next.op.op_base, k * w, w, base);
    bits_or(o->next.op.op_last, k * w, w, last);
}

/* Operands one behind the other in a window that begins anywhere; an output may
 * be an input, too; a bound may be too low; and a part of x may begin behind
 * all addresses. */
static void place(struct operations *o) {
    struct rng *r = &o->base->rng;
    const struct nda_launch_in *op = &o->next.op;
    uint64_t all = ones(o->size.SPOT_W), length = op->op_length;
    uint64_t base[OPERANDS], last[OPERANDS];
    bool gemv = op->op_op == NDA_PE_GEMV;
    uint64_t most =
        OPERANDS * GAP + (OPERANDS - 1 + (gemv ? op->op_rows : 1)) * length;
    uint64_t at = most < all ? rng_next(r) % (all - most) : 0, first = at;
    int low = !o->directed && rng_percent(r, 20) ? rng_range(r, 0, 3) : -1;

    for (int k = 0; k < OPERANDS; k++) {
        uint64_t words = gemv && k == Z ? length * op->op_rows : length;
        at += rng_below(r, GAP);
        base[k] = at;
        at += words;
        last[k] = words ? at - 1 : at;
        if (low == k && length)
            last[k] = base[k] + rng_below(r, (uint32_t)length);
    }
    /* some of them in the same place of the other bank */
    uint64_t other =
        (first ^ at) >> (o->size.SPOT_W - 1) || o->size.OWN_BANKS < 2
            ? 0
            : bit(o->size.SPOT_W - 1);
    for (int k = 0; k < OPERANDS && other; k++)
        if (rng_percent(r, 50)) {
            base[k] ^= other;
            last[k] ^= other;
        }
    if (!gemv && rng_percent(r, 25)) {
        int of = (int)rng_below(r, 2);
        base[Z] = base[of];
        last[Z] = last[of];
    }
    if (!o->directed && op->op_grain && op->op_grain < length &&
        rng_percent(r, 50)) {
        base[X] = all + 1 - op->op_grain;
        last[X] = all;
    }
    for (int k = 0; k < OPERANDS; k++)
        put_operand(o, k, base[k], last[k]);
}

static void new_operation(struct operations *o) {
    struct rng *r = &o->base->rng;
    struct nda_launch_in *op = &o->next.op;
    uint64_t n = o->number++, batch = (uint64_t)o->batch;
    uint64_t lengths[] = {1, batch, batch + 1, 2 * batch + 3, 2};
    uint64_t ranks = ones(o->size.RANKS), all = ones(o->size.SPOT_W);
    uint64_t longest =
        (PE_WINDOW < all ? PE_WINDOW : all) / (OPERANDS + 3) - GAP;
    int style = rng_range(r, 0, 3);

    memset(op, 0, sizeof *op);
    op->op_op = o->directed         ? n % UNKNOWN
                : rng_percent(r, 3) ? UNKNOWN + rng_below(r, 7)
                                    : rng_below(r, UNKNOWN);
    op->op_length = o->directed         ? lengths[n / UNKNOWN % 5]
                    : rng_percent(r, 3) ? 0
                    : n % 64 == 63      ? rng_below(r, (uint32_t)longest)
                    : rng_percent(r, 50)
                        ? 1 + rng_below(r, (uint32_t)batch)
                        : 1 + rng_below(r, 3 * (uint32_t)batch);
    op->op_grain = n % 2 || rng_percent(r, 30)
                       ? 0
                       : batch / 2 + rng_below(r, (uint32_t)batch);
    if (n % 16 == 15) /* more than the operation has */
        op->op_grain = op->op_length + (rng_next(r) & all) / 2;
    op->op_rows =
        op->op_op == NDA_PE_GEMV ? 1 + rng_below(r, 3) : rng_next(r) & 255;
    op->op_ranks = rng_percent(r, 60) ? ranks : rng_next(r) & ranks;
    op->op_blocking = rng_percent(r, 40);
    op->op_tag = o->tag++ & 255;
    for (int i = 0; i < 3; i++)
        bits_set_lane(op->op_scalars, i, number(r, style));
    place(o);
    o->next.apart =
        rng_percent(r, 2) ? 1u << rng_below(r, (uint32_t)o->size.RANKS) : 0;
    o->next.fresh = rng_percent(r, 75);
    o->offers = true;
}

void operations_offer(struct operations *o, const struct nda_launch_in *op) {
    o->next = (struct host_operation){.op = *op};
    o->offers = true;
}

/* --- software ------------------------------------------------------------- */

static void write_packet(struct operations *o) {
    struct master *m = &o->window;
    uint32_t word[PACKET_WORDS];

    packet_words(&o->next.op, o->size.SPOT_W, word);
    word[NDA_WINDOW_SET_ranks] ^= o->next.apart; /* x in others */
    for (int i = 0; i < PACKET_WORDS; i++)
        if (m->setting[i] != (word[i] & m->mask[i]))
            master_set(m, i, word[i]);
    o->written = true;
}

void operations_drive(struct operations *o, int op, int done) {
    struct master *m = &o->window;
    struct rng *r = &o->base->rng;
    unsigned waiting = o->waiting_last - o->waiting_first;

    if (!o->offers && rng_percent(r, op))
        new_operation(o);
    if (!master_idle(m))
        return;
    if (o->notice && rng_percent(r, done))
        master_command(m, NDA_WINDOW_COM_take, 0);
    else if (o->offers && !o->written)
        write_packet(o);
    else if (o->offers && waiting < (unsigned)o->slots)
        master_command(m, NDA_WINDOW_COM_launch, 0);
}

/* NRM2 and SCAL have no operand but x, which may lie anywhere. */
static bool must_be_refused(const struct host_operation *h) {
    const struct nda_launch_in *op = &h->op;
    bool alone = op->op_op == NDA_PE_NRM2 || op->op_op == NDA_PE_SCAL;
    return op->op_op >= UNKNOWN || op->op_length == 0 ||
           (alone ? (op->op_ranks ^ h->apart) == 0
                  : op->op_ranks == 0 || h->apart);
}

void operations_software(struct operations *o, bool notice) {
    o->notice = notice;
    if (o->window.commanded != NDA_WINDOW_COM_launch)
        return;
    o->offers = o->written = false;
    if (must_be_refused(&o->next)) {
        o->refused++;
        return;
    }
    struct host_operation *h = &o->waiting[o->waiting_last++ % OPERATIONS_WAIT];
    *h = o->next;
    h->op.op_ranks ^= h->apart;
}

/* --- packets -------------------------------------------------------------- */

static struct launched packet_of(const struct operations *o,
                                 const struct host_operation *h, uint64_t row,
                                 uint64_t at, uint64_t size) {
    const struct nda_launch_in *op = &h->op;
    int w = o->size.SPOT_W;
    bool gemv = op->op_op == NDA_PE_GEMV;
    struct launched p = {
        .op = {.op = gemv ? NDA_PE_DOT : (int)op->op_op, .length = size},
        .tag = op->op_tag,
        .fresh = h->fresh};

    for (int k = 0; k < (gemv ? 2 : OPERANDS); k++) {
        int from = gemv && k == 1 ? Z : k;
        uint64_t first = bits_get(op->op_base, from * w, w) + at +
                         (gemv && from == Z ? row * op->op_length : 0);
        bool beyond = first > ones(w);
        p.op.base[k] = beyond ? ones(w) : first;
        p.op.last[k] = beyond ? 0 : bits_get(op->op_last, from * w, w);
    }
    for (int i = 0; i < 3; i++)
        p.op.scalar[i] = bits_lane(op->op_scalars, i);
    return p;
}

static void list_packets(struct operations *o, const struct host_operation *h) {
    const struct nda_launch_in *op = &h->op;
    uint64_t rows = op->op_op == NDA_PE_GEMV ? op->op_rows : 1;
    uint64_t grain = op->op_grain ? op->op_grain : op->op_length;

    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t at = 0; at < op->op_length; at += grain) {
            uint64_t left = op->op_length - at;
            struct launched p =
                packet_of(o, h, row, at, left < grain ? left : grain);
            p.final = row + 1 == rows && left <= grain;
            for (int r = 0; r < o->size.RANKS; r++) {
                struct launched_rank *k = &o->rank[r];
                if (!(op->op_ranks >> r & 1))
                    continue;
                k->list[k->last++ % OPERATIONS_MOST] = p;
                k->open++;
            }
        }
}

static int open_packets(const struct operations *o) {
    int n = 0;
    for (int r = 0; r < o->size.RANKS; r++)
        n += o->rank[r].open;
    return n;
}

static const char *operation_taken(struct operations *o) {
    const struct host_operation *h =
        &o->waiting[o->waiting_first % OPERATIONS_WAIT];

    if (o->waiting_first == o->waiting_last)
        return stim_complain(o->base, "an operation that nobody launched");
    if (o->blocks && open_packets(o) > 0)
        return stim_complain(o->base, "an operation is taken before its time");
    o->waiting_first++;
    o->taken++;
    o->blocks = h->op.op_blocking;
    list_packets(o, h);
    return NULL;
}

/* New numbers in its operands, or those that are there. */
static void fill(struct accelerator *k, bool fresh) {
    struct rng *r = &k->base->rng;
    const struct pe_operation *op = &k->op;
    int style = rng_range(r, 0, 3);

    for (int n = 0; n < OPERANDS && fresh; n++)
        for (uint64_t i = 0; i < op->length; i++) {
            uint64_t low = number(r, style), high = number(r, style);
            k->memory[(op->base[n] + i) % PE_WINDOW] = high << 32 | low;
        }
}

const char *operations_packet(struct operations *o, int rank,
                              struct accelerator *k) {
    struct launched_rank *at = &o->rank[rank];
    const struct launched *p = &at->list[at->first % OPERATIONS_MOST];

    if (at->first == at->last)
        return stim_complain(o->base, "rank %d gets a packet of no operation",
                             rank);
    at->first++;
    k->op = p->op;
    k->tag = p->tag;
    k->final = p->final;
    k->rank = (uint64_t)rank;
    fill(k, p->fresh);
    pe_reference(&k->op, o->batch, k->memory, &k->expected);
    memcpy(k->after, k->memory, sizeof k->after);
    for (size_t i = 0; i < k->expected.n; i++) {
        const struct pe_access *a = &k->expected.list[i];
        if (a->write)
            k->after[a->address % PE_WINDOW] = a->data;
    }
    o->last_event = o->base->now;
    return NULL;
}

/* --- ends ----------------------------------------------------------------- */

void operations_ended(struct operations *o, int rank,
                      const struct accelerator *k) {
    struct launched_rank *at = &o->rank[rank];
    at->open--;
    at->told[at->told_last++ % OPERATIONS_MOST] =
        (struct told_end){.tag = k->tag,
                          .final = k->final,
                          .cause = (uint64_t)k->expected.cause,
                          .value = k->expected.value};
    o->last_event = o->base->now;
}

static bool same_end(const struct told_end *e,
                     const struct nda_launch_out *out) {
    return out->done_tag == e->tag && out->done_final == e->final &&
           out->done_cause == e->cause && out->done_value == e->value;
}

/* The host is told an end: the rank's oldest. */
static const char *check_told(struct operations *o,
                              const struct nda_launch_out *out) {
    struct launched_rank *at = &o->rank[out->done_rank];
    const struct told_end *e = &at->told[at->told_first % OPERATIONS_MOST];

    o->ends++;
    if (at->told_first != at->told_last && same_end(e, out)) {
        at->told_first++;
        return NULL;
    }
    return stim_complain(
        o->base,
        "the host is told an end of rank %d with tag %02x and value %08x that "
        "it has not to be told",
        (int)out->done_rank, (unsigned)out->done_tag,
        (unsigned)out->done_value);
}

bool operations_idle(const struct operations *o) {
    bool idle = !o->offers && o->waiting_first == o->waiting_last;
    for (int r = 0; r < o->size.RANKS; r++)
        idle &= o->rank[r].open == 0 &&
                o->rank[r].told_first == o->rank[r].told_last;
    return idle;
}

const char *operations_watch(struct operations *o,
                             const struct nda_launch_in *in,
                             const struct nda_launch_out *before,
                             const struct nda_launch_out *after) {
    bool taken = in->op_valid && before->op_ready;
    bool told = before->done_valid && in->done_ready;
    const char *wrong = NULL;

    if (told)
        wrong = check_told(o, before);
    if (!wrong && taken)
        wrong = operation_taken(o);
    if (taken || told || operations_idle(o))
        o->last_event = o->base->now;
    if (!wrong && after->op_ready && !after->busy && open_packets(o) > 0)
        wrong = stim_complain(o->base,
                              "no rank is busy, but %d packets are not ended",
                              open_packets(o));
    return wrong;
}
