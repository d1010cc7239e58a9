/* accelerator.c - see accelerator.h. */
#include "accelerator.h"

#include "base/bits.h"
#include "fma/hard.h"

#include <inttypes.h>
#include <string.h>

enum { OPERANDS = 4, GAP = 20 /* words between two of them */ };
enum { LONGER = 1024 }; /* words of an operation now and then */

void accelerator_open(struct accelerator *k, struct stim *base,
                      const struct config *c, int own) {
    k->base = base;
    k->size = nda_buffer_local(c);
    k->machine = nda_control_local(c);
    k->own = own;
}

void accelerator_close(struct accelerator *k) {
    pe_expected_free(&k->expected);
}

void accelerator_reset(struct accelerator *k) {
    k->offers = k->runs = false;
    memset(k->line, 0, sizeof k->line);
    k->read_first = k->read_last = k->write_first = k->write_last = 0;
    k->last_event = k->base->now;
}

/* --- packets -------------------------------------------------------------- */

static uint32_t number(struct rng *r, int style) {
    if (style == 0)
        return fma_hard_any(r);
    if (style == 1) /* whole numbers, whose sums are exact */
        return fma_hard_bits((double)rng_range(r, -99, 99));
    return fma_hard_pack(r, rng_range(r, 120, 134));
}

static uint64_t window(const struct accelerator *k) {
    uint64_t all = ones(k->size.SPOT_W);
    return PE_WINDOW < all ? PE_WINDOW : all + 1;
}

/* Operands that lie in [first, end) of one bank: some of them go to the same
 * place in the other one. */
static void spread(struct accelerator *k, uint64_t first, uint64_t end) {
    struct pe_operation *op = &k->op;
    uint64_t other = bit(k->size.SPOT_W - 1);
    if (k->machine.OWN_BANKS < 2 || (first ^ end) & other)
        return;
    for (int n = 0; n < OPERANDS; n++)
        if (rng_percent(&k->base->rng, 50)) {
            op->base[n] ^= other;
            op->last[n] ^= other;
        }
}

/* Operands one behind the other in a window that begins anywhere; an output may
 * be an input, too. */
static void place(struct accelerator *k) {
    struct rng *r = &k->base->rng;
    struct pe_operation *op = &k->op;
    uint64_t all = ones(k->size.SPOT_W), most = OPERANDS * (op->length + GAP);
    uint64_t at = most < all ? rng_next(r) % (all - most) : 0, first = at;
    for (int n = 0; n < OPERANDS; n++) {
        at += rng_below(r, GAP);
        op->base[n] = at;
        at += op->length;
        op->last[n] = op->length ? at - 1 : at;
    }
    spread(k, first, at);
    if (rng_percent(r, 25)) {
        int of = (int)rng_below(r, 2);
        op->base[2] = op->base[of];
        op->last[2] = op->last[of];
    }
}

static void new_packet(struct accelerator *k) {
    struct rng *r = &k->base->rng;
    struct pe_operation *op = &k->op;
    uint64_t turn = k->number++, batch = (uint64_t)k->size.BATCH;
    uint64_t lengths[] = {1, batch, batch + 1, 2 * batch + 3, 2};
    uint64_t most = window(k) / 4 - 32;
    int style = rng_range(r, 0, 3);

    memset(op, 0, sizeof *op);
    op->op = k->directed ? (int)(turn % 8) : rng_range(r, 0, 7);
    op->length = k->directed          ? lengths[turn / 8 % 5]
                 : rng_percent(r, 5)  ? 0
                 : turn % 16 == 15    ? rng_below(r, LONGER)
                 : rng_percent(r, 5)  ? batch * (1 + rng_below(r, 2))
                 : rng_percent(r, 50) ? 1 + rng_below(r, (uint32_t)batch)
                                      : 1 + rng_below(r, 3 * (uint32_t)batch);
    op->length = op->length < most ? op->length : most;
    for (int n = 0; n < OPERANDS; n++)
        op->words[n] = op->length;
    place(k);
    if (!k->directed && op->length && rng_percent(r, 20)) {
        int n = rng_range(r, 0, 3);
        op->last[n] = op->base[n] + rng_below(r, (uint32_t)op->length);
    }
    for (int n = 0; n < OPERANDS; n++)
        for (uint64_t i = 0; i < op->length; i++) {
            uint64_t low = number(r, style), high = number(r, style);
            k->memory[(op->base[n] + i) % PE_WINDOW] = high << 32 | low;
        }
    for (int i = 0; i < 3; i++)
        op->scalar[i] = number(r, style);
    pe_reference(op, k->size.BATCH, k->memory, &k->expected);
    memcpy(k->after, k->memory, sizeof k->after);
    for (size_t i = 0; i < k->expected.n; i++) {
        const struct pe_access *a = &k->expected.list[i];
        if (a->write)
            k->after[a->address % PE_WINDOW] = a->data;
    }
    k->tag = rng_next(r) & 255;
    k->rank =
        k->own < 0 ? rng_next(r) & ones(k->size.RANK_W) : (uint64_t)k->own;
    k->final = rng_below(r, 2);
}

static void show(struct accelerator *k, struct nda_buffer_in *in) {
    int w = k->size.SPOT_W;
    memset(in, 0, sizeof *in);
    in->packet_valid = k->offers;
    in->packet_rank = k->rank;
    in->packet_op = (uint64_t)k->op.op & 7;
    in->packet_length = k->op.length;
    in->packet_tag = k->tag;
    in->packet_final = k->final;
    for (int n = 0; n < OPERANDS; n++) {
        bits_or(in->packet_base, n * w, w, k->op.base[n] & ones(w));
        bits_or(in->packet_last, n * w, w, k->op.last[n] & ones(w));
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(in->packet_scalars, i, k->op.scalar[i]);
}

void accelerator_drive(struct accelerator *k, struct nda_buffer_in *in,
                       int packet, int end) {
    struct rng *r = &k->base->rng;
    const struct burst_due *d = &k->read[k->read_first % ACCELERATOR_BURSTS];

    if (!k->offers && !k->runs && rng_percent(r, packet)) {
        k->offers = true;
        new_packet(k);
    }
    show(k, in);
    in->data_valid = k->read_first != k->read_last && d->edge <= k->base->now;
    in->data_data = in->data_valid ? k->memory[d->at % PE_WINDOW] : rng_next(r);
    in->ended_ready = rng_percent(r, end);
}

/* --- what must come out --------------------------------------------------- */

/* The bank: what its commands read and write. */
static const char *bank(struct accelerator *k,
                        const struct nda_buffer_out *out) {
    uint64_t now = k->base->now;
    uint64_t which =
        out->bank_bank - (uint64_t)(k->machine.BANKS - k->machine.OWN_BANKS);
    uint64_t at = (which << k->size.ROW_W | out->bank_row) << k->size.COL_W |
                  out->bank_column;
    const struct burst_due *d = &k->write[k->write_first % ACCELERATOR_BURSTS];
    bool due = k->write_first != k->write_last && d->edge == now;

    if (out->store_valid != due)
        return stim_complain(k->base, "a word to be written is %son the bus",
                             due ? "not " : "");
    if (due) {
        if (!out->store_mask)
            k->memory[d->at % PE_WINDOW] = out->store_data;
        k->masked += out->store_mask;
        k->write_first++;
    }
    if (!out->bank_valid)
        return NULL;
    if (out->bank_kind == DRAM_RD)
        k->read[k->read_last++ % ACCELERATOR_BURSTS] = (struct burst_due){
            now + (uint64_t)(k->machine.CL + k->machine.BL), at};
    if (out->bank_kind == DRAM_WR)
        k->write[k->write_last++ % ACCELERATOR_BURSTS] =
            (struct burst_due){now + (uint64_t)k->machine.CWL, at};
    k->bursts += out->bank_kind == DRAM_RD || out->bank_kind == DRAM_WR;
    k->last_event = now;
    return NULL;
}

static const char *check_end(struct accelerator *k,
                             const struct nda_buffer_out *out) {
    const struct pe_expected *e = &k->expected;
    k->packets++;
    k->stopped += e->cause != 0;
    if (!k->runs)
        return stim_complain(k->base, "an end of no packet");
    if (out->ended_rank != k->rank || out->ended_tag != k->tag ||
        out->ended_final != k->final)
        return stim_complain(k->base, "the end is of another packet");
    if ((int)out->ended_cause != e->cause || out->ended_value != e->value)
        return stim_complain(k->base,
                             "cause %d with value %08x, expected %d with %08x",
                             (int)out->ended_cause, (unsigned)out->ended_value,
                             e->cause, (unsigned)e->value);
    for (uint64_t i = 0; i < PE_WINDOW; i++)
        if (k->memory[i] != k->after[i])
            return stim_complain(k->base,
                                 "word %" PRIx64 " of rank %d is %016" PRIx64
                                 " after the packet, expected %016" PRIx64,
                                 i, (int)k->rank, k->memory[i], k->after[i]);
    return NULL;
}

const char *accelerator_watch(struct accelerator *k,
                              const struct nda_buffer_in *in,
                              const struct nda_buffer_out *before,
                              const struct nda_buffer_out *after) {
    const char *wrong = bank(k, after);

    k->read_first += in->data_valid & 1;
    if (in->packet_valid && before->packet_ready) {
        k->offers = false;
        k->runs = true;
        k->last_event = k->base->now;
    }
    if (!wrong && before->ended_valid && in->ended_ready) {
        wrong = check_end(k, before);
        k->runs = false;
    }
    if (!wrong && after->wrong_lost)
        wrong = "a word had no place";
    if (!wrong && after->wrong_late)
        wrong = "a result was not there when it was written";
    return wrong;
}

bool accelerator_ends_agree(struct accelerator *k,
                            const struct nda_control_out *out) {
    uint64_t now = k->base->now, before = now - (uint64_t)k->machine.DELAY;
    const struct nda_control_out *was = &k->line[before % ACCELERATOR_LINE];
    k->line[now % ACCELERATOR_LINE] = *out;
    return !out->state_differs && was->seen_valid == out->ndc_valid &&
           was->seen_kind == out->ndc_kind && was->seen_bank == out->ndc_bank &&
           was->seen_row == out->ndc_row && was->seen_column == out->ndc_column;
}

struct dram_command accelerator_decided(const struct accelerator *k,
                                        const struct nda_control_out *out) {
    return (struct dram_command){.cycle = (int64_t)k->base->now,
                                 .kind = (enum dram_kind)out->seen_kind,
                                 .nda = true,
                                 .rank = k->own < 0 ? 0 : k->own,
                                 .group = k->machine.GROUPS - 1,
                                 .bank = (int)out->seen_bank,
                                 .row = (int)out->seen_row,
                                 .column = (int)out->seen_column};
}
