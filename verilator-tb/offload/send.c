/* send.c - register files, L1 flush and request packets.
 *
 * Every flit of a packet is compared with the header that the request calls for
 * and with the registers of its warp: as they are, or, for a warp that has run
 * on to find its first access, as they were when it was sent.
 */
#include "env.h"

#include <string.h>

void off_send_reset(struct off_stim *s) {
    s->reader.busy = false;
    s->sender = -1;
    s->ordered[0] = s->ordered[1] = 0;
    s->tx_valid = false;
}

/* --- register file -------------------------------------------------------- */

static void drive_row(struct off_stim *s, struct offload_in *in) {
    struct off_reader *r = &s->reader;
    in->reg_data_valid = r->busy && r->delay-- == 0;
    if (in->reg_data_valid) {
        const uint32_t *row = off_reg(s, s->regs, r->warp, r->reg);
        for (int lane = 0; lane < s->size.LANES; lane++)
            bits_set_lane(in->reg_data_row, lane, row[lane]);
        r->busy = false;
    } else { /* must not be taken for an answer */
        bits_set_lane(in->reg_data_row, 0, (uint32_t)rng_next(&s->base.rng));
    }
}

void off_send_drive(struct off_stim *s, struct offload_in *in) {
    drive_row(s, in);
    in->flush_ready = off_ready(s, PORT_FLUSH);
    in->reg_read_ready = off_ready(s, PORT_READ);
    in->tx_ready = s->tx_ready = off_ready(s, PORT_TX);
}

/* The register that is to be read next, -1: none; from is set to the warp's
 * list of those. */
static int next_read(struct off_stim *s, int n) {
    struct off_warp *w = &s->warp[n];
    if (n == s->sender)
        return w->probe == PROBE_BACK || s->flit < 0 || s->row_read
                   ? -1
                   : off_lowest(&s->to_send);
    if (s->sender >= 0 || w->state != WARP_ASKED || w->probe != PROBE_NONE ||
        w->mode < 0 || (w->needs && !w->has_value) || !off_may_probe(s, w))
        return -1;
    return off_lowest(&w->save_left);
}

static const char *asked_row(struct off_stim *s, int n, int reg) {
    s->last_move = s->base.now;
    if (s->reader.busy)
        return stim_complain(&s->base,
                             "warp %d register %d is read while a row is "
                             "still to come",
                             n, reg);
    int expected = n < s->size.WARPS ? next_read(s, n) : -1;
    if (reg != expected)
        return stim_complain(&s->base,
                             "warp %d register %d is read, expected %d", n, reg,
                             expected);
    if (n == s->sender)
        s->row_read = true;
    else
        off_drop(&s->warp[n].save_left, reg);
    s->reader = (struct off_reader){true, 0, n, reg};
    s->reader.delay =
        (int)rng_below(&s->base.rng, (uint32_t)s->tune.row_latency + 1);
    return NULL;
}

/* --- packets -------------------------------------------------------------- */

const char *off_in_order(struct off_stim *s, int which, int warp) {
    uint64_t at = s->ordered[which]++;
    s->order[which][at % OFF_ORDER] = (uint8_t)warp;
    if (at >= s->ordered[!which])
        return NULL;
    int other = s->order[!which][at % OFF_ORDER];
    if (other == warp)
        return NULL;
    return stim_complain(&s->base,
                         "warps %d and %d: packets leave in another order "
                         "than answers",
                         warp, other);
}

static const char *flushed(struct off_stim *s, int n) {
    struct off_warp *w = &s->warp[n];
    s->last_move = s->base.now;
    if (n >= s->size.WARPS || w->state == WARP_IDLE || !w->entry ||
        w->packet != PACKET_NONE || w->mode < 1)
        return stim_complain(&s->base, "a flush for warp %d, which does not go",
                             n);
    if (s->sender >= 0)
        return stim_complain(&s->base,
                             "a flush for warp %d inside the packet of warp "
                             "%d",
                             n, s->sender);
    w->packet = PACKET_FLUSHED;
    s->sender = n;
    s->flit = -1;
    s->to_send = w->entry->live_in;
    s->row_read = false;
    return off_in_order(s, 1, n);
}

static const char *check_header(struct off_stim *s, const struct off_warp *w,
                                const struct offload_out *out) {
    uint64_t expected[1024 / 64] = {0};
    const struct off_entry *e = w->entry;
    const struct offload_request_fields f = {
        .warp = (uint64_t)w->ask.warp,
        .index = (uint64_t)w->index,
        .begin_pc = e->begin_pc,
        .end_pc = e->end_pc,
        .mask = w->ask.mask,
        .n_in = (uint64_t)off_count(&e->live_in)};
    record_pack(&s->design->record[OFFLOAD_REC_request], &f, expected);
    if (memcmp(expected, out->tx_data, sizeof expected) != 0)
        return stim_complain(&s->base,
                             "packet of warp %d: its header is not what it "
                             "asked for",
                             w->ask.warp);
    return NULL;
}

static const char *check_row(struct off_stim *s, const struct off_warp *w,
                             const struct offload_out *out) {
    int n = w->ask.warp, reg = off_lowest(&s->to_send);
    int lanes = s->size.FLIT_W / 32;
    uint32_t *from = w->probe == PROBE_BACK ? s->kept : s->regs;
    const uint32_t *row =
        off_reg(s, from, n, reg) + (size_t)s->flit * (size_t)lanes;
    if (w->probe != PROBE_BACK && !s->row_read)
        return stim_complain(
            &s->base, "packet of warp %d: register %d was not read", n, reg);
    for (int lane = 0; lane < lanes; lane++)
        if (bits_lane(out->tx_data, lane) != row[lane])
            return stim_complain(&s->base,
                                 "packet of warp %d register %d flit %d: lane "
                                 "%d is %08x, expected %08x",
                                 n, reg, s->flit, s->flit * lanes + lane,
                                 (unsigned)bits_lane(out->tx_data, lane),
                                 (unsigned)row[lane]);
    s->rows_checked++;
    return NULL;
}

/* The whole packet has left: the stack goes to work. */
static void sent(struct off_stim *s, struct off_warp *w) {
    w->packet = PACKET_SENT;
    s->sent |= (uint64_t)1 << (w - s->warp);
    w->due = s->base.now + 1 + (uint64_t)w->ask.work;
    s->probed[w->ask.warp] = w->probe == PROBE_BACK ? s->base.now + 2 : 0;
    if (s->prober == w->ask.warp)
        s->prober = -1;
    s->sender = -1;
}

static void next_flit(struct off_stim *s) {
    if (++s->flit < s->size.ROW_FLITS)
        return;
    s->flit = 0;
    s->row_read = false;
    off_drop(&s->to_send, off_lowest(&s->to_send));
    s->master->count[OFFLOAD_CNT_regs_sent]++;
}

static const char *flit(struct off_stim *s, const struct offload_out *out) {
    s->last_move = s->base.now;
    s->flits[0]++;
    s->master->count[OFFLOAD_CNT_tx_flits]++;
    if (s->sender < 0)
        return stim_complain(&s->base, "a flit without a packet");
    struct off_warp *w = &s->warp[s->sender];
    bool head = s->flit < 0;
    const char *wrong;
    if (out->tx_head != head)
        return stim_complain(&s->base, "packet of warp %d: expected head %d",
                             s->sender, head);
    if (!head && off_lowest(&s->to_send) < 0)
        return stim_complain(
            &s->base, "packet of warp %d goes on behind its end", s->sender);
    wrong = off_check_stack(s, w, (int)out->tx_stack);
    if (!wrong)
        wrong = head ? check_header(s, w, out) : check_row(s, w, out);
    w->packet = PACKET_SENDING;
    if (head)
        s->flit = 0;
    else
        next_flit(s);
    bool last = off_lowest(&s->to_send) < 0;
    if (!wrong && out->tx_last != last)
        wrong = stim_complain(&s->base, "packet of warp %d: expected last %d",
                              s->sender, last);
    if (last)
        sent(s, w);
    return wrong;
}

const char *off_send_watch(struct off_stim *s, const struct offload_in *in,
                           const struct offload_out *before) {
    const char *wrong = NULL;
    if (before->flush_valid && in->flush_ready)
        wrong = flushed(s, (int)before->flush_warp);
    if (!wrong && before->reg_read_valid && in->reg_read_ready)
        wrong =
            asked_row(s, (int)before->reg_read_warp, (int)before->reg_read_reg);
    if (!wrong && before->tx_valid && in->tx_ready)
        wrong = flit(s, before);
    return wrong;
}
