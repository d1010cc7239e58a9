/* ports.c - register files and load-store traffic.
 *
 * Rows that the unit moves are compared with the register file they come from;
 * load-store beats must arrive in order and unaltered.
 */
#include "env.h"

#include <string.h>

void ports_reset(struct nbu_stim *s) {
    for (int side = FAR; side <= NEAR; side++) {
        s->reader[side].busy = false;
        s->lsu[side].valid = false;
        s->lsu[side].left = 0;
        s->lsu[side].head = s->lsu[side].tail = 0;
    }
}

/* --- register files ------------------------------------------------------- */

/* Data while nothing was asked for must not be taken for an answer. */
static void junk(struct nbu_stim *s, uint64_t *row) {
    uint64_t r = rng_next(&s->base.rng) & s->row_mask;
    row[0] = r;
    row[s->row_words - 1] = r;
}

static bool answer(struct nbu_stim *s, enum side side, uint64_t *row,
                   uint64_t was) {
    struct reader *r = &s->reader[side];
    if (r->busy && r->delay-- == 0) {
        memcpy(row, row_at(s, s->rows[side], r->warp, r->reg),
               (size_t)s->row_words * sizeof *row);
        r->busy = false;
        return true;
    }
    if (was)
        junk(s, row);
    return false;
}

static const char *asked(struct nbu_stim *s, enum side side, uint64_t warp,
                         uint64_t reg) {
    struct reader *r = &s->reader[side];
    s->last_move = s->base.now;
    if (warp >= (uint64_t)s->size.WARPS)
        return stim_complain(&s->base,
                             "row of warp %u asked for, which does not exist",
                             (unsigned)warp);
    if (r->busy)
        return stim_complain(&s->base,
                             "warp %u register %u asked for while a row is "
                             "still to come",
                             (unsigned)warp, (unsigned)reg);
    *r = (struct reader){.busy = true, .warp = (int)warp, .reg = (int)reg};
    r->delay = (int)rng_below(&s->base.rng, (uint32_t)s->tune.row_latency + 1);
    return NULL;
}

/* A moved row arrives: it must be what the other side holds. */
static const char *arrived(struct nbu_stim *s, enum side side, uint64_t warp,
                           uint64_t reg, bool pred, const uint64_t *row) {
    s->last_move = s->base.now;
    if (warp >= (uint64_t)s->size.WARPS)
        return stim_complain(&s->base, "row for warp %u, which does not exist",
                             (unsigned)warp);
    const uint64_t *from = row_at(s, s->rows[!side], (int)warp, (int)reg);
    uint64_t *to = row_at(s, s->rows[side], (int)warp, (int)reg);
    size_t size = (size_t)s->row_words * sizeof *row;
    bool same = pred ? row[0] == (from[0] & s->lane_mask)
                     : memcmp(row, from, size) == 0;
    for (int n = 1; pred && n < s->row_words; n++)
        same = same && row[n] == 0;
    if (!same)
        return stim_complain(&s->base,
                             "warp %u register %u: the %s moved %s is not what "
                             "the other side holds",
                             (unsigned)warp, (unsigned)reg,
                             pred ? "predicate" : "row",
                             side == NEAR ? "down" : "up");
    s->rows_moved[side]++;
    s->moves[side] += s->kind[reg] != NBU_PAIR || reg % 2 == 1;
    if (pred)
        to[0] = (to[0] & ~(uint64_t)s->lane_mask) | row[0];
    else
        memcpy(to, row, size);
    return NULL;
}

static const char *watch_rows(struct nbu_stim *s, const struct nbu_in *in,
                              const struct nbu_out *before) {
    const char *wrong = NULL;
    if (before->far_read_valid && in->far_read_ready)
        wrong = asked(s, FAR, before->far_read_warp, before->far_read_reg);
    if (!wrong && before->near_read_valid && in->near_read_ready)
        wrong = asked(s, NEAR, before->near_read_warp, before->near_read_reg);
    if (!wrong && before->far_write_valid && in->far_write_ready)
        wrong = arrived(s, FAR, before->far_write_warp, before->far_write_reg,
                        before->far_write_pred, before->far_write_row);
    if (!wrong && before->near_write_valid && in->near_write_ready)
        wrong =
            arrived(s, NEAR, before->near_write_warp, before->near_write_reg,
                    before->near_write_pred, before->near_write_row);
    return wrong;
}

/* --- load-store traffic --------------------------------------------------- */

static void next_beat(struct nbu_stim *s, struct lsu *l) {
    for (int n = 0; n < s->beat_words; n++)
        l->beat[n] = rng_next(&s->base.rng) & s->beat_mask;
    l->last = --l->left == 0;
    l->valid = true;
}

static void drive_lsu(struct nbu_stim *s, enum side side) {
    struct lsu *l = &s->lsu[side];
    if (l->valid)
        return;
    if (l->left > 0) {
        if (l->pause-- <= 0)
            next_beat(s, l);
    } else if (s->tune.lsu[side] &&
               rng_percent(&s->base.rng, s->tune.lsu[side])) {
        l->left = rng_range(&s->base.rng, 1, s->tune.lsu_length);
        next_beat(s, l);
    }
}

static void sent(struct nbu_stim *s, enum side side) {
    struct lsu *l = &s->lsu[side];
    unsigned n = l->tail++ % 8;
    memcpy(l->sent[n], l->beat, (size_t)s->beat_words * sizeof l->beat[0]);
    l->sent_last[n] = l->last;
    l->valid = false;
    l->pause = rng_percent(&s->base.rng, s->tune.lsu_gap)
                   ? rng_range(&s->base.rng, 1, 12)
                   : 0;
}

static const char *received(struct nbu_stim *s, enum side from,
                            const uint64_t *beat, bool last) {
    struct lsu *l = &s->lsu[from];
    const char *where = from == FAR ? "load-store beat down"
                                    : "load-store beat "
                                      "up";
    unsigned n = l->head % 8;
    if (l->head == l->tail)
        return stim_complain(&s->base, "%s: one arrives that was not sent",
                             where);
    l->head++;
    l->beats++;
    if (memcmp(l->sent[n], beat, (size_t)s->beat_words * sizeof *beat) != 0)
        return stim_complain(&s->base,
                             "%s: expected %016llx, got %016llx in its lowest "
                             "bits, or a difference above",
                             where, (unsigned long long)l->sent[n][0],
                             (unsigned long long)beat[0]);
    if (l->sent_last[n] != last)
        return stim_complain(&s->base, "%s: expected last %d, got %d", where,
                             l->sent_last[n], last);
    return NULL;
}

static const char *watch_lsu(struct nbu_stim *s, const struct nbu_in *in,
                             const struct nbu_out *before,
                             const struct nbu_out *after) {
    const char *wrong = NULL;
    if (in->lsu_down_valid && before->lsu_down_ready)
        sent(s, FAR);
    if (in->lsu_up_valid && before->lsu_up_ready)
        sent(s, NEAR);
    if (after->lsu_near_valid)
        wrong = received(s, FAR, after->lsu_near_data, after->lsu_near_last);
    if (!wrong && after->lsu_far_valid)
        wrong = received(s, NEAR, after->lsu_far_data, after->lsu_far_last);
    for (int side = FAR; !wrong && side <= NEAR; side++)
        if (s->lsu[side].tail - s->lsu[side].head > 2)
            wrong = stim_complain(&s->base, "a load-store beat %s is lost",
                                  side == FAR ? "down" : "up");
    return wrong;
}

/* --- the whole ------------------------------------------------------------ */

void ports_drive(struct nbu_stim *s, struct nbu_in *in) {
    in->far_exec_ready = port_ready(s, FAR_EXEC);
    in->near_exec_ready = port_ready(s, NEAR_EXEC);
    in->far_read_ready = port_ready(s, FAR_READ);
    in->near_read_ready = port_ready(s, NEAR_READ);
    in->far_write_ready = port_ready(s, FAR_WRITE);
    in->near_write_ready = port_ready(s, NEAR_WRITE);
    in->far_data_valid = answer(s, FAR, in->far_data_row, in->far_data_valid);
    in->near_data_valid =
        answer(s, NEAR, in->near_data_row, in->near_data_valid);
    size_t beat = (size_t)s->beat_words * sizeof(uint64_t);
    drive_lsu(s, FAR);
    in->lsu_down_valid = s->lsu[FAR].valid;
    in->lsu_down_last = s->lsu[FAR].last;
    memcpy(in->lsu_down_data, s->lsu[FAR].beat, beat);
    drive_lsu(s, NEAR);
    in->lsu_up_valid = s->lsu[NEAR].valid;
    in->lsu_up_last = s->lsu[NEAR].last;
    memcpy(in->lsu_up_data, s->lsu[NEAR].beat, beat);
}

const char *ports_watch(struct nbu_stim *s, const struct nbu_in *in,
                        const struct nbu_out *before,
                        const struct nbu_out *after) {
    const char *wrong = watch_rows(s, in, before);
    if (!wrong)
        wrong = watch_lsu(s, in, before, after);
    if (after->tsv_valid)
        s->beats[after->tsv_kind % 7]++;
    return wrong;
}
