/* rows.c - rows of registers: the base die's file, the load-store unit that
 * writes and fetches near ones; and its messages. */
#include "core.h"

#include "base/bits.h"
#include "iface/opclass.h"

#include <string.h>

void rows_reset(struct near_bank_stim *s) {
    s->read = s->fetch = s->load = (struct transfer){0};
    s->down = s->up = (struct beats){0};
    s->store = NULL;
}

static void show(const struct near_bank_stim *s, const struct row *r,
                 uint64_t *data) {
    for (int l = 0; l < s->size.LANES; l++)
        bits_set_lane(data, l, r->lane[l]);
}

/* A row of a predicate is one bit a lane in the lowest bits, zero above. */
static struct row taken(const struct near_bank_stim *s, const uint64_t *data) {
    struct row r = {{0}};
    for (int l = 0; l < s->size.LANES; l++)
        r.lane[l] = bits_lane(data, l);
    return r;
}

/* --- the base die's file -------------------------------------------------- */

static void drive_file(struct near_bank_stim *s, struct dies_in *in) {
    struct rng *r = &s->base.rng;
    bool ready = toggle_step(&s->rows, r, s->tune.high, s->tune.low);
    in->far_read_ready = ready && !s->read.due;
    in->far_write_ready = ready;
    in->far_data_valid = s->read.due && --s->read.waits <= 0;
    if (!in->far_data_valid)
        return;
    s->read.due = false;
    show(s, values_at(s, s->far, (int)s->read.warp, s->read.reg),
         in->far_data_row);
}

/* What goes up or comes down is what the instruction waits for. */
static void check_move(struct near_bank_stim *s, uint64_t warp, uint64_t reg,
                       const struct row *got, const char *way) {
    struct flight *f = core_waiting(s, warp);
    int o = 0;
    while (f && o < OPERANDS && !(f->i.has[o] && f->i.reg[o] == reg))
        o++;
    if (!f || o == OPERANDS) {
        stim_complain(&s->base, "a row moves %s that nobody waits for", way);
        return;
    }
    struct row r = *got;
    bool pred = values_is_pred(s, reg);
    memset(r.lane, 0, pred ? sizeof r.lane[0] : 0);
    bool zero =
        !pred || memcmp(r.lane, (struct row){{0}}.lane, sizeof r.lane) == 0;
    if (!zero || !values_same(s, reg, got, &f->expected[o]))
        stim_complain(&s->base,
                      "warp %u register %u moves %s, but is not what program "
                      "order left in it",
                      (unsigned)warp, (unsigned)reg, way);
}

static void watch_file(struct near_bank_stim *s, const struct core_edge *e) {
    const struct dies_out *b = e->unit_before;
    if (b->far_read_valid && e->unit_in->far_read_ready) {
        s->read.due = true;
        s->read.warp = b->far_read_warp;
        s->read.reg = b->far_read_reg;
        s->read.waits = (int)rng_below(&s->base.rng, 4);
        if (s->read.warp >= (uint64_t)s->size.WARPS)
            s->read.warp = 0;
    }
    if (b->far_write_valid && e->unit_in->far_write_ready) {
        struct row r = taken(s, b->far_write_row);
        check_move(s, b->far_write_warp, b->far_write_reg, &r, "up");
        if (b->far_write_warp < (uint64_t)s->size.WARPS)
            *values_at(s, s->far, (int)b->far_write_warp, b->far_write_reg) = r;
        s->moves[FAR]++;
    }
    if (b->near_write_valid && e->pipes_before->write_ready) {
        struct row r = taken(s, b->near_write_row);
        check_move(s, b->near_write_warp, b->near_write_reg, &r, "down");
        if (b->near_write_warp < (uint64_t)s->size.WARPS)
            *core_near(s, b->near_write_warp, b->near_write_reg) = true;
        s->moves[NEAR]++;
    }
}

/* --- the load-store unit -------------------------------------------------- */

/* A store has its data before it is taken: what comes after it in its warp may
 * write them. */
static bool fetch_for_store(struct near_bank_stim *s) {
    const struct dies_out *o = &s->shown;
    if (!o->far_exec_valid || o->far_exec_op != OPC_st_global)
        return false;
    struct flight *f = core_waiting(s, o->far_exec_warp);
    if (!f || f == s->store)
        return false;
    s->fetch = (struct transfer){.offered = true,
                                 .flight = f,
                                 .warp = (uint64_t)f->i.warp,
                                 .reg = f->i.reg[SRC1]};
    return true;
}

static void audit(struct near_bank_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t warp = rng_below(r, (uint32_t)s->size.WARPS);
    uint64_t reg = rng_below(r, (uint32_t)s->size.REGS);
    if (!core_rests(s, (int)warp) || !*core_near(s, warp, reg))
        return;
    s->fetch = (struct transfer){.offered = true, .warp = warp, .reg = reg};
}

static void drive_fetch(struct near_bank_stim *s, struct near_pipe_in *in) {
    if (!s->fetch.offered && !s->fetch.due && !fetch_for_store(s) &&
        rng_percent(&s->base.rng, s->tune.audits))
        audit(s);
    in->fetch_valid = s->fetch.offered;
    in->fetch_warp = s->fetch.warp;
    in->fetch_reg = s->fetch.reg;
}

static void drive_load(struct near_bank_stim *s, struct near_pipe_in *in) {
    struct transfer *t = &s->load;
    for (int n = 0; !t->offered && n < s->size.WARPS * FLIGHTS; n++) {
        struct flight *f = &s->flight[n / FLIGHTS][n % FLIGHTS];
        if (f->state != EXECUTING || f->side != FAR || f->loaded ||
            f->due > s->base.now)
            continue;
        *t = (struct transfer){.offered = true,
                               .flight = f,
                               .warp = (uint64_t)f->i.warp,
                               .reg = f->i.reg[DST]};
        in->load_mask = f->lanes;
        show(s, &f->made, in->load_data);
    }
    in->load_valid = t->offered;
    in->load_warp = t->warp;
    in->load_reg = t->reg;
}

static void watch_fetched(struct near_bank_stim *s,
                          const struct near_pipe_out *o) {
    struct transfer *t = &s->fetch;
    if (!o->fetched_valid) {
        if (t->due && ++t->waits > s->patience)
            stim_complain(&s->base, "a row that is fetched does not come");
        return;
    }
    if (!t->due) {
        stim_complain(&s->base, "a row is fetched that nobody asked for");
        return;
    }
    struct row got = taken(s, o->fetched_data);
    const struct row *want = t->flight
                                 ? &t->flight->expected[SRC1]
                                 : values_at(s, s->truth, (int)t->warp, t->reg);
    if (!values_same(s, t->reg, &got, want))
        stim_complain(&s->base,
                      "near register %u of warp %u is fetched for %s, but is "
                      "not what program order left in it",
                      (unsigned)t->reg, (unsigned)t->warp,
                      t->flight ? "a store" : "a look");
    t->due = false;
    s->store = t->flight ? t->flight : s->store;
    s->audits += !t->flight;
}

static void watch_lsu(struct near_bank_stim *s, const struct core_edge *e) {
    if (e->pipes_in->fetch_valid && e->pipes_before->fetch_ready) {
        s->fetch.offered = false;
        s->fetch.due = true;
    }
    watch_fetched(s, e->pipes_after);
    if (!e->pipes_in->load_valid || !e->pipes_before->load_ready)
        return;
    s->load.offered = false;
    s->load.flight->loaded = true;
    s->loads++;
}

/* --- messages ------------------------------------------------------------- */

static void next_beat(struct near_bank_stim *s, struct beats *b) {
    struct rng *r = &s->base.rng;
    if (b->valid || !rng_percent(r, s->tune.beats))
        return;
    for (int n = 0; n < s->size.TSV_W; n += 64)
        b->data[n / 64] =
            rng_next(r) & ones(s->size.TSV_W - n > 64 ? 64 : s->size.TSV_W - n);
    b->valid = true;
    b->last = rng_percent(r, 40);
}

static size_t beat_size(const struct near_bank_stim *s) {
    return (size_t)(s->size.TSV_W + 63) / 64 * sizeof(uint64_t);
}

static void drive_beats(struct near_bank_stim *s, struct dies_in *in) {
    next_beat(s, &s->down);
    next_beat(s, &s->up);
    in->lsu_down_valid = s->down.valid;
    in->lsu_down_last = s->down.last;
    memcpy(in->lsu_down_data, s->down.data, beat_size(s));
    in->lsu_up_valid = s->up.valid;
    in->lsu_up_last = s->up.last;
    memcpy(in->lsu_up_data, s->up.data, beat_size(s));
}

static void watch_beat(struct near_bank_stim *s, struct beats *b, bool sent,
                       bool comes, bool last, const uint64_t *data,
                       const char *way) {
    if (sent) {
        unsigned n = b->tail++ % SENT;
        memcpy(b->sent[n].data, b->data, sizeof b->data);
        b->sent[n].last = b->last;
        b->valid = false;
    }
    if (comes) {
        unsigned n = b->head % SENT;
        if (b->head == b->tail || b->sent[n].last != last ||
            memcmp(b->sent[n].data, data, beat_size(s)) != 0)
            stim_complain(&s->base, "a beat of a message %s is another", way);
        b->head++;
    }
    if (b->tail - b->head > SENT / 2)
        stim_complain(&s->base, "a beat of a message %s does not come", way);
}

/* --- the whole ------------------------------------------------------------ */

void rows_drive(struct near_bank_stim *s, struct dies_in *unit,
                struct near_pipe_in *pipes) {
    drive_file(s, unit);
    drive_fetch(s, pipes);
    drive_load(s, pipes);
    drive_beats(s, unit);
}

void rows_watch(struct near_bank_stim *s, const struct core_edge *e) {
    const struct dies_in *in = e->unit_in;
    const struct dies_out *b = e->unit_before, *a = e->unit_after;
    watch_file(s, e);
    watch_lsu(s, e);
    watch_beat(s, &s->down, in->lsu_down_valid && b->lsu_down_ready,
               a->lsu_near_valid, a->lsu_near_last, a->lsu_near_data, "down");
    watch_beat(s, &s->up, in->lsu_up_valid && b->lsu_up_ready, a->lsu_far_valid,
               a->lsu_far_last, a->lsu_far_data, "up");
}
