/* stim.c - stimulus of a rank's accelerator: somebody who sends packets, a host
 * that uses the same rank, and the bank with the operands.
 *
 * The bank does what the commands say: a word that is read is on the bus tCL
 * and a burst after its command, one that is written tCWL after it.  What a
 * packet must leave in memory, its value and its cause are computed before by
 * plain loops over elements (nda_pe/reference.h).  Commands of both go through
 * the checker of dram/check.c.
 *
 * random    operations, lengths, bounds, a host that is busy or not
 * directed  each operation with lengths about one and two batches
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "blocks/nda_pe.h"
#include "blocks/nda_rank.h"
#include "fma/hard.h"
#include "iface/system.h"
#include "nda_control/host.h"
#include "nda_pe/reference.h"

#include <inttypes.h>
#include <string.h>

enum { UNDER_WAY = 256, PATIENCE = 60000, REFRESH = 4000, OPERANDS = 4 };

struct tune {
    int packet, end, send, own, hold, writes, rows;
};

struct due {
    uint64_t edge, at;
};

struct nda_rank_stim {
    struct stim base;
    struct nda_buffer_local size;
    struct nda_control_local machine;
    size_t in[3], out[3];
    struct tune tune;
    int left;
    uint64_t number, last_event, packets, stopped, bursts, masked;

    struct rank_host host;
    struct dram_command given;
    bool gives;

    bool offers, runs;
    struct pe_operation op;
    struct pe_expected expected;
    uint64_t tag, rank, final;
    struct due read[UNDER_WAY], write[UNDER_WAY];
    unsigned read_first, read_last, write_first, write_last;
    uint64_t memory[PE_WINDOW], after[PE_WINDOW];
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 25, 8, 2, 0};
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.packet = rates[rng_below(r, 4)],
                            .end = rates[rng_below(r, 4)],
                            .send = rates[rng_range(r, 1, 5)],
                            .own = rng_range(r, 0, 3) * 10,
                            .hold = rates[rng_range(r, 3, 5)],
                            .writes = rates[rng_range(r, 2, 5)],
                            .rows = rng_range(r, 1, 4)};
    s->left = rng_range(r, 1000, 6000);
}

static void step_directed(struct stim *base) {
    ((struct nda_rank_stim *)base)->tune =
        (struct tune){.packet = 100, .end = 100, .rows = 1};
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- packets -------------------------------------------------------------- */

static uint32_t number(struct rng *r, int style) {
    if (style == 0)
        return fma_hard_any(r);
    if (style == 1) /* whole numbers, whose sums are exact */
        return fma_hard_bits((double)rng_range(r, -99, 99));
    return fma_hard_pack(r, rng_range(r, 120, 134));
}

static uint64_t window(const struct nda_rank_stim *s) {
    uint64_t all = ones(s->size.SPOT_W);
    return PE_WINDOW < all ? PE_WINDOW : all + 1;
}

/* Operands one behind the other in a window that begins anywhere; an output may
 * be an input, too. */
static void place(struct nda_rank_stim *s) {
    struct rng *r = &s->base.rng;
    struct pe_operation *op = &s->op;
    uint64_t all = ones(s->size.SPOT_W), size = window(s);
    uint64_t at = rng_next(r) & all & ~(size - 1);
    for (int k = 0; k < OPERANDS; k++) {
        at += rng_below(r, 20);
        op->base[k] = at;
        at += op->length;
        op->last[k] = op->length ? at - 1 : at;
    }
    if (rng_percent(r, 25)) {
        int of = (int)rng_below(r, 2);
        op->base[2] = op->base[of];
        op->last[2] = op->last[of];
    }
}

static void new_packet(struct nda_rank_stim *s) {
    struct rng *r = &s->base.rng;
    struct pe_operation *op = &s->op;
    bool directed = s->base.mode == &directed_mode;
    uint64_t n = s->number++, batch = (uint64_t)s->size.BATCH;
    uint64_t lengths[] = {1, batch, batch + 1, 2 * batch + 3, 2};
    uint64_t most = window(s) / 4 - 32;
    int style = rng_range(r, 0, 3);

    memset(op, 0, sizeof *op);
    op->op = directed ? (int)(n % 8) : rng_range(r, 0, 7);
    op->length = directed             ? lengths[n / 8 % 5]
                 : rng_percent(r, 5)  ? 0
                 : rng_percent(r, 50) ? 1 + rng_below(r, (uint32_t)batch)
                                      : 1 + rng_below(r, 3 * (uint32_t)batch);
    op->length = op->length < most ? op->length : most;
    for (int k = 0; k < OPERANDS; k++)
        op->words[k] = op->length;
    place(s);
    if (!directed && op->length && rng_percent(r, 20)) {
        int k = rng_range(r, 0, 3);
        op->last[k] = op->base[k] + rng_below(r, (uint32_t)op->length);
    }
    for (int k = 0; k < OPERANDS; k++)
        for (uint64_t i = 0; i < op->length; i++) {
            uint64_t low = number(r, style), high = number(r, style);
            s->memory[(op->base[k] + i) % PE_WINDOW] = high << 32 | low;
        }
    for (int i = 0; i < 3; i++)
        op->scalar[i] = number(r, style);
    pe_reference(op, s->size.BATCH, s->memory, &s->expected);
    memcpy(s->after, s->memory, sizeof s->after);
    for (size_t i = 0; i < s->expected.n; i++) {
        const struct pe_access *a = &s->expected.list[i];
        if (a->write)
            s->after[a->address % PE_WINDOW] = a->data;
    }
    s->tag = rng_next(r) & 255;
    s->rank = rng_next(r) & ones(s->size.RANK_W);
    s->final = rng_below(r, 2);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    s->size = nda_buffer_local(c);
    s->machine = nda_control_local(c);
    for (int i = 0; i < 3; i++) {
        const struct system_part *at = system_instance(base->design, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
    }
    rank_host_open(&s->host, &base->design->config, s->machine.GROUPS,
                   s->machine.BANKS);
    base->reset_every = 40000;
}

static void close(struct stim *base) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    rank_host_close(&s->host);
    pe_expected_free(&s->expected);
}

static void reset(struct stim *base) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    rank_host_restart(&s->host);
    s->offers = s->runs = s->gives = false;
    s->read_first = s->read_last = s->write_first = s->write_last = 0;
    s->last_event = base->now;
}

static void show(struct nda_rank_stim *s, struct nda_buffer_in *in) {
    int w = s->size.SPOT_W;
    memset(in, 0, sizeof *in);
    in->packet_valid = s->offers;
    in->packet_rank = s->rank;
    in->packet_op = (uint64_t)s->op.op & 7;
    in->packet_length = s->op.length;
    in->packet_tag = s->tag;
    in->packet_final = s->final;
    for (int k = 0; k < OPERANDS; k++) {
        bits_or(in->packet_base, k * w, w, s->op.base[k] & ones(w));
        bits_or(in->packet_last, k * w, w, s->op.last[k] & ones(w));
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(in->packet_scalars, i, s->op.scalar[i]);
}

static void drive(struct stim *base, void *ports) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    struct nda_buffer_in *in = (void *)((char *)ports + s->in[NDA_RANK_buffer]);
    struct nda_control_in *control =
        (void *)((char *)ports + s->in[NDA_RANK_control]);
    struct rng *r = &base->rng;
    const struct due *d = &s->read[s->read_first % UNDER_WAY];
    int own_row = (int)(s->op.base[0] >> s->size.COL_W & ones(s->size.ROW_W));

    if (s->tune.send > 0 && rng_below(r, REFRESH) == 0)
        s->host.refreshes = true;
    if (!s->offers && !s->runs && rng_percent(r, s->tune.packet)) {
        s->offers = true;
        new_packet(s);
    }
    show(s, in);
    in->data_valid = s->read_first != s->read_last && d->edge <= base->now;
    in->data_data = in->data_valid ? s->memory[d->at % PE_WINDOW] : rng_next(r);
    in->ended_ready = rng_percent(r, s->tune.end);
    s->gives = (s->host.refreshes || rng_percent(r, s->tune.send)) &&
               rank_host_command(&s->host, r,
                                 &(struct rank_tune){s->tune.own, s->tune.rows},
                                 base->now + 1, own_row, &s->given);
    control->cmd_valid = s->gives;
    control->cmd_kind = s->gives ? s->given.kind : 0;
    control->cmd_group = s->gives ? (uint64_t)s->given.group : 0;
    control->cmd_bank = s->gives ? (uint64_t)s->given.bank : 0;
    control->cmd_row =
        s->gives && s->given.row > 0 ? (uint64_t)s->given.row : 0;
    control->held_all = s->host.refreshes || rng_percent(r, s->tune.hold);
    control->held_writes = rng_percent(r, s->tune.writes);
}

/* --- what must come out --------------------------------------------------- */

static const char *commands(struct nda_rank_stim *s,
                            const struct nda_control_out *out) {
    struct dram_command c = {.cycle = (int64_t)s->base.now,
                             .kind = (enum dram_kind)out->ndc_kind,
                             .nda = true,
                             .group = s->machine.GROUPS - 1,
                             .bank = s->machine.BANKS - 1,
                             .row = (int)out->ndc_row,
                             .column = (int)out->ndc_column};
    const char *wrong = NULL;
    if (s->gives) {
        wrong = rank_host_take(&s->host, &s->given);
        if (s->given.kind == DRAM_REF)
            s->host.refreshes = false;
    }
    if (!wrong && out->ndc_valid && s->gives)
        wrong = "a command on an edge that is the host's";
    if (!wrong && out->ndc_valid)
        wrong = rank_host_take(&s->host, &c);
    if (!wrong &&
        (out->state_differs || out->seen_valid != out->ndc_valid ||
         out->seen_kind != out->ndc_kind || out->seen_row != out->ndc_row ||
         out->seen_column != out->ndc_column))
        wrong = "the ends are not the same";
    return wrong;
}

/* The bank: what its commands read and write. */
static const char *bank(struct nda_rank_stim *s,
                        const struct nda_buffer_out *out) {
    uint64_t now = s->base.now;
    uint64_t at = out->bank_row << s->size.COL_W | out->bank_column;
    const struct due *d = &s->write[s->write_first % UNDER_WAY];
    bool due = s->write_first != s->write_last && d->edge == now;

    if (out->store_valid != due)
        return stim_complain(&s->base, "a word to be written is %son the bus",
                             due ? "not " : "");
    if (due) {
        if (!out->store_mask)
            s->memory[d->at % PE_WINDOW] = out->store_data;
        s->masked += out->store_mask;
        s->write_first++;
    }
    if (!out->bank_valid)
        return NULL;
    if (out->bank_kind == DRAM_RD)
        s->read[s->read_last++ % UNDER_WAY] =
            (struct due){now + (uint64_t)(s->machine.CL + s->machine.BL), at};
    if (out->bank_kind == DRAM_WR)
        s->write[s->write_last++ % UNDER_WAY] =
            (struct due){now + (uint64_t)s->machine.CWL, at};
    s->bursts += out->bank_kind == DRAM_RD || out->bank_kind == DRAM_WR;
    s->last_event = now;
    return NULL;
}

static const char *check_end(struct nda_rank_stim *s,
                             const struct nda_buffer_out *out) {
    const struct pe_expected *e = &s->expected;
    s->packets++;
    s->stopped += e->cause != 0;
    if (!s->runs)
        return stim_complain(&s->base, "an end of no packet");
    if (out->ended_rank != s->rank || out->ended_tag != s->tag ||
        out->ended_final != s->final)
        return stim_complain(&s->base, "the end is of another packet");
    if ((int)out->ended_cause != e->cause || out->ended_value != e->value)
        return stim_complain(&s->base,
                             "cause %d with value %08x, expected %d with %08x",
                             (int)out->ended_cause, (unsigned)out->ended_value,
                             e->cause, (unsigned)e->value);
    for (uint64_t i = 0; i < PE_WINDOW; i++)
        if (s->memory[i] != s->after[i])
            return stim_complain(&s->base,
                                 "word %" PRIx64 " is %016" PRIx64
                                 " after the packet, expected %016" PRIx64,
                                 i, s->memory[i], s->after[i]);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_rank_stim *s = (struct nda_rank_stim *)base;
    size_t at = s->out[NDA_RANK_buffer];
    const struct nda_buffer_in *in =
        (const void *)((const char *)in_ports + s->in[NDA_RANK_buffer]);
    const struct nda_buffer_out *before =
        (const void *)((const char *)before_ports + at);
    const struct nda_buffer_out *after =
        (const void *)((const char *)after_ports + at);
    const struct nda_control_out *control =
        (const void *)((const char *)after_ports + s->out[NDA_RANK_control]);
    const char *wrong = NULL;

    s->read_first += in->data_valid & 1;
    if (in->packet_valid && before->packet_ready) {
        s->offers = false;
        s->runs = true;
        s->last_event = base->now;
    }
    wrong = commands(s, control);
    if (!wrong)
        wrong = bank(s, after);
    if (!wrong && before->ended_valid && in->ended_ready) {
        wrong = check_end(s, before);
        s->runs = false;
    }
    if (!wrong && after->wrong_lost)
        wrong = "a word had no place";
    if (!wrong && after->wrong_late)
        wrong = "a result was not there when it was written";
    if (!wrong && s->runs && base->now - s->last_event > PATIENCE)
        wrong = stim_complain(base, "nothing goes on");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_rank_stim *s = (const struct nda_rank_stim *)base;
    text_printf(t, "packets\t%" PRIu64 "\n", s->packets);
    text_printf(t, "stopped\t%" PRIu64 "\n", s->stopped);
    text_printf(t, "bursts\t%" PRIu64 "\n", s->bursts);
    text_printf(t, "masked\t%" PRIu64 "\n", s->masked);
}

const struct stim_class nda_rank_stim = {
    .size = sizeof(struct nda_rank_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
