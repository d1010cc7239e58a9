/* ack.c - memory stacks: acknowledgements, and what the unit makes
 * of them.
 *
 * A warp whose packet has left gets its acknowledgement after its time of work:
 * header, live-out rows, lines.  All of it must be seen again, in order, at the
 * register file, the L1 cache and the release; the fields that the unit does
 * not look at hold noise.  Strays name warps that are not away, which keep
 * still for so long.
 */
#include "env.h"

#include <string.h>

void off_ack_reset(struct off_stim *s) {
    s->sending = s->working = -1;
    s->ack_valid = false;
    s->wanted_stray = 0;
    s->sent = 0;
    memset(s->pending, 0, sizeof s->pending);
    memset(s->released, 0, sizeof s->released);
}

/* --- making --------------------------------------------------------------- */

static void fill(struct off_stim *s, struct off_ack *a) {
    for (int r = 0; r < s->size.REGS; r++)
        for (int lane = 0; off_has(&a->to_send, r) && lane < s->size.LANES;
             lane++)
            a->row[r][lane] = (uint32_t)rng_next(&s->base.rng);
    for (int n = 0; n < a->lines; n++)
        a->address[n] = rng_next(&s->base.rng) & ones(s->size.LINE_W);
}

static struct off_ack *new_ack(struct off_stim *s) {
    s->sending = s->working == 0;
    struct off_ack *a = &s->ack[s->sending];
    a->headed = a->stray = false;
    a->beat = a->sent_lines = a->line = 0;
    return a;
}

static void make_ack(struct off_stim *s, int n) {
    struct off_warp *w = &s->warp[n];
    struct off_ack *a = new_ack(s);
    a->warp = n;
    a->index = w->index;
    a->mask = w->ask.all_lanes
                  ? w->ask.mask
                  : (uint32_t)rng_next(&s->base.rng) & off_lane_mask(s);
    a->lines = w->ask.lines;
    a->to_send = a->to_write = w->entry->live_out;
    w->acked = true;
    s->sent &= ~((uint64_t)1 << n);
    fill(s, a);
}

/* A warp that is not away and does not ask, or a number that no warp has. */
static int stray_warp(struct off_stim *s) {
    int all = 1 << s->size.WARP_W;
    int n = (int)rng_below(&s->base.rng, (uint32_t)all);
    if (n >= s->size.WARPS)
        return n;
    for (int tries = 0; tries < s->size.WARPS; tries++) {
        bool free = off_can_ask(s, n) && !(s->offering && s->offer.warp == n);
        if (free)
            return n;
        n = n + 1 < s->size.WARPS ? n + 1 : 0;
    }
    return -1;
}

static void make_stray(struct off_stim *s) {
    int n = stray_warp(s);
    if (n < 0)
        return;
    struct off_ack *a = new_ack(s);
    a->warp = n;
    a->index = (int)rng_below(&s->base.rng, (uint32_t)s->size.ENTRIES);
    a->mask = (uint32_t)rng_next(&s->base.rng) & off_lane_mask(s);
    a->lines = (int)rng_below(&s->base.rng, 4);
    a->stray = true;
    a->to_send = s->entry[a->index].live_out;
    a->to_write = (struct off_set){{0}};
    if (n < s->size.WARPS)
        s->warp[n].reserved = UINT64_MAX;
    fill(s, a);
}

static bool is_due(const struct off_stim *s, int n) {
    const struct off_warp *w = &s->warp[n];
    return w->state != WARP_IDLE && w->packet == PACKET_SENT && !w->acked &&
           w->due <= s->base.now;
}

/* The first of a set of warps that is due, -1 if none is. */
static int first_due(const struct off_stim *s, uint64_t set) {
    for (; set; set &= set - 1)
        if (is_due(s, __builtin_ctzll(set)))
            return __builtin_ctzll(set);
    return -1;
}

/* Acknowledgements that are due take turns at random. */
static int due_warp(struct off_stim *s) {
    int n = (int)rng_below(&s->base.rng, (uint32_t)s->size.WARPS);
    uint64_t below = ((uint64_t)1 << n) - 1;
    int due = first_due(s, s->sent & ~below);
    return due >= 0 ? due : first_due(s, s->sent & below);
}

static void choose(struct off_stim *s) {
    if (s->still)
        return;
    if (s->wanted_stray > 0 ||
        (int)rng_below(&s->base.rng, 1000) < s->tune.stray) {
        s->wanted_stray -= s->wanted_stray > 0;
        make_stray(s);
        return;
    }
    int n = due_warp(s);
    if (n >= 0)
        make_ack(s, n);
}

/* --- flits ---------------------------------------------------------------- */

static void noise(struct off_stim *s) {
    for (int n = 0; n < s->size.FLIT_W / 32; n++)
        bits_set_lane(s->ack_flit, n, (uint32_t)rng_next(&s->base.rng));
}

/* The record in the low bits of the flit, noise above. */
static void make_header(struct off_stim *s, const struct off_ack *a) {
    const struct design_record *r = &s->design->record[OFFLOAD_REC_answer];
    const struct offload_answer_fields f = {.warp = (uint64_t)a->warp,
                                            .index = (uint64_t)a->index,
                                            .mask = a->mask,
                                            .lines = (uint64_t)a->lines};
    uint64_t head[1024 / 64];
    record_pack(r, &f, head);
    noise(s);
    for (int n = 0; n < r->bits; n += 64) {
        uint64_t own = ones(r->bits - n < 64 ? r->bits - n : 64);
        s->ack_flit[n / 64] = (s->ack_flit[n / 64] & ~own) | head[n / 64];
    }
}

static void make_flit(struct off_stim *s) {
    struct off_ack *a = &s->ack[s->sending];
    int reg = off_lowest(&a->to_send), lanes = s->size.FLIT_W / 32;
    if (!a->headed) {
        make_header(s, a);
    } else if (reg >= 0) {
        for (int n = 0; n < lanes; n++)
            bits_set_lane(s->ack_flit, n, a->row[reg][a->beat * lanes + n]);
    } else {
        noise(s);
        s->ack_flit[0] &= ~ones(s->size.LINE_W);
        s->ack_flit[0] |= a->address[a->sent_lines];
    }
}

/* The flit was taken: go on behind it. */
static void advance(struct off_stim *s, struct off_ack *a) {
    if (!a->headed) {
        a->headed = true;
    } else if (off_lowest(&a->to_send) < 0) {
        a->sent_lines++;
    } else if (++a->beat == s->size.ROW_FLITS) {
        a->beat = 0;
        off_drop(&a->to_send, off_lowest(&a->to_send));
    }
}

static bool all_sent(const struct off_ack *a) {
    return a->headed && off_lowest(&a->to_send) < 0 &&
           a->sent_lines == a->lines;
}

void off_ack_drive(struct off_stim *s, struct offload_in *in) {
    bool let = off_ready(s, PORT_ACK);
    if (s->sending < 0 && s->ready)
        choose(s);
    s->rx_stack = -1;
    if (s->sending >= 0 && let && !s->ack_valid) {
        const struct off_ack *a = &s->ack[s->sending];
        s->ack_valid = true;
        s->rx_stack = a->stray ? -1 : s->warp[a->warp].stack;
        make_flit(s);
        memcpy(in->ack_data, s->ack_flit, sizeof in->ack_data);
    }
    in->ack_valid = s->ack_valid;
    in->reg_write_ready = off_ready(s, PORT_WRITE);
    in->inval_ready = off_ready(s, PORT_INVAL);
    in->release_ready = off_ready(s, PORT_RELEASE);
}

/* --- watching ------------------------------------------------------------- */

/* The last flit of a stray: nothing more will be seen of it. */
static void end_stray(struct off_stim *s, const struct off_ack *a) {
    if (a->warp < s->size.WARPS)
        s->warp[a->warp].reserved = s->base.now + 6;
    s->working = -1;
    s->quiet = s->base.now + 6;
    s->strays++;
    s->master->count[OFFLOAD_CNT_stray]++;
}

static const char *taken(struct off_stim *s) {
    struct off_ack *a = &s->ack[s->sending];
    s->last_move = s->base.now;
    s->ack_valid = false;
    s->flits[1]++;
    s->master->count[OFFLOAD_CNT_rx_flits]++;
    if (!a->headed) {
        if (s->working >= 0)
            return stim_complain(&s->base,
                                 "the next acknowledgement is taken, but "
                                 "warp %d is not released",
                                 s->ack[s->working].warp);
        s->working = s->sending;
    }
    advance(s, a);
    if (!all_sent(a))
        return NULL;
    s->sending = -1;
    if (a->stray)
        end_stray(s, a);
    return NULL;
}

/* What is being worked off, if the warp named is the one. */
static struct off_ack *at_work(struct off_stim *s, int warp) {
    struct off_ack *a = s->working < 0 ? NULL : &s->ack[s->working];
    return a && !a->stray && a->warp == warp ? a : NULL;
}

static const char *written(struct off_stim *s, const struct offload_out *out) {
    int n = (int)out->reg_write_warp, reg = (int)out->reg_write_reg;
    struct off_ack *a = at_work(s, n);
    s->last_move = s->base.now;
    s->master->count[OFFLOAD_CNT_regs_written]++;
    if (!a || reg != off_lowest(&a->to_write))
        return stim_complain(&s->base,
                             "warp %d register %d is written, expected %d", n,
                             reg, a ? off_lowest(&a->to_write) : -1);
    if (out->reg_write_mask != a->mask)
        return stim_complain(&s->base,
                             "warp %d register %d is written under mask "
                             "%08x, expected %08x",
                             n, reg, (unsigned)out->reg_write_mask,
                             (unsigned)a->mask);
    uint32_t *row = off_reg(s, s->regs, n, reg);
    for (int lane = 0; lane < s->size.LANES; lane++) {
        if (bits_lane(out->reg_write_row, lane) != a->row[reg][lane])
            return stim_complain(&s->base,
                                 "warp %d register %d lane %d: written %08x, "
                                 "the acknowledgement has %08x",
                                 n, reg, lane,
                                 (unsigned)bits_lane(out->reg_write_row, lane),
                                 (unsigned)a->row[reg][lane]);
        if (a->mask >> lane & 1)
            row[lane] = a->row[reg][lane];
    }
    off_drop(&a->to_write, reg);
    s->rows_checked++;
    return NULL;
}

static const char *invalidated(struct off_stim *s, uint64_t line) {
    struct off_ack *a = s->working < 0 ? NULL : &s->ack[s->working];
    s->last_move = s->base.now;
    s->master->count[OFFLOAD_CNT_invalidated]++;
    if (!a || a->stray || off_lowest(&a->to_write) >= 0 ||
        a->line >= a->sent_lines)
        return stim_complain(&s->base,
                             "line %llx is invalidated, which nobody wrote",
                             (unsigned long long)line);
    if (line != a->address[a->line])
        return stim_complain(
            &s->base, "line %llx is invalidated, expected %llx",
            (unsigned long long)line, (unsigned long long)a->address[a->line]);
    a->line++;
    return NULL;
}

static const char *released(struct off_stim *s, int n, uint32_t pc) {
    struct off_ack *a = at_work(s, n);
    struct off_warp *w = &s->warp[n];
    s->last_move = s->base.now;
    if (!a || w->state == WARP_IDLE || w->early)
        return stim_complain(&s->base, "warp %d is released, which is not away",
                             n);
    if (!all_sent(a) || off_lowest(&a->to_write) >= 0 || a->line != a->lines)
        return stim_complain(&s->base,
                             "warp %d is released before all of its "
                             "acknowledgement was worked off",
                             n);
    if (pc != w->entry->end_pc)
        return stim_complain(&s->base, "warp %d is released at %u, expected %u",
                             n, (unsigned)pc, (unsigned)w->entry->end_pc);
    s->released[w->stack]++;
    s->releases++;
    s->master->count[OFFLOAD_CNT_released]++;
    s->working = -1;
    s->quiet = s->base.now + 6;
    w->early = w->state == WARP_ASKED;
    if (w->early)
        return NULL;
    s->pending[w->stack]--;
    w->state = WARP_IDLE;
    if (off_mode_of(s)->done)
        off_mode_of(s)->done(s, n, true);
    return NULL;
}

const char *off_ack_watch(struct off_stim *s, const struct offload_in *in,
                          const struct offload_out *before) {
    const char *wrong = NULL;
    if (before->reg_write_valid && in->reg_write_ready)
        wrong = written(s, before);
    if (!wrong && before->inval_valid && in->inval_ready)
        wrong = invalidated(s, before->inval_line);
    if (!wrong && before->release_valid && in->release_ready)
        wrong = released(s, (int)before->release_warp,
                         (uint32_t)before->release_pc);
    if (!wrong && in->ack_valid && before->ack_ready)
        wrong = taken(s);
    return wrong;
}
