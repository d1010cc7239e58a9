/* ask.c - warps: requests, condition registers, the way to the
 * first access, answers.
 */
#include "env.h"

#include <string.h>

void off_ask_reset(struct off_stim *s) {
    memset(s->warp, 0, sizeof s->warp);
    memset(s->probed, 0, sizeof s->probed);
    s->offering = false;
    s->n_operands = s->n_values = 0;
    s->prober = -1;
    s->asked = 0;
    s->streak = 0;
    s->clean = true;
}

bool off_can_ask(const struct off_stim *s, int warp) {
    const struct off_warp *w = &s->warp[warp];
    return w->state == WARP_IDLE && w->reserved <= s->base.now;
}

/* Something holds requests up: their latency says nothing. */
static void held_up(struct off_stim *s) {
    if (!s->clean) /* then no warp is either */
        return;
    s->clean = false;
    for (int n = 0; n < s->size.WARPS; n++)
        s->warp[n].clean = false;
}

/* --- driving -------------------------------------------------------------- */

static int lowest_lane(uint32_t mask) {
    return mask ? __builtin_ctz(mask) : 0;
}

static void drive_request(struct off_stim *s, struct offload_in *in) {
    struct off_ask *a = &s->offer;
    if (!s->offering && !s->still && (!s->admits || s->admits(s)) &&
        rng_percent(&s->base.rng, s->tune.ask) && off_mode_of(s)->next(s, a)) {
        s->offering = true;
        if (s->adjust)
            s->adjust(s, a);
        in->ask_warp = (uint64_t)a->warp;
        in->ask_key = a->key;
        in->ask_mask = a->mask;
        in->ask_address = a->address;
        in->ask_learned = a->learned;
    }
    in->ask_valid = s->offering;
}

/* Data while nothing was asked for must not be taken for an answer. */
static void drive_value(struct off_stim *s, struct offload_in *in) {
    const struct off_value *v = &s->values[s->value_head % OFF_WARPS];
    in->value_valid = s->n_values > 0 && v->due <= s->base.now + 1;
    if (in->value_valid)
        in->value_data = v->data;
    else if (s->n_values > 0)
        in->value_data = ~v->data;
}

static void drive_first(struct off_stim *s, struct offload_in *in) {
    bool runs = s->prober >= 0 && s->warp[s->prober].probe == PROBE_RUNNING;
    if (!runs || s->prober_due > s->base.now + 1) {
        in->first_valid = 0;
        return;
    }
    const struct off_ask *a = &s->warp[s->prober].ask;
    in->first_valid = 1;
    in->first_none = a->none;
    in->first_address = a->first;
    in->first_learned = a->first_learned;
}

void off_ask_drive(struct off_stim *s, struct offload_in *in) {
    drive_request(s, in);
    drive_value(s, in);
    drive_first(s, in);
    in->ans_ready = off_ready(s, PORT_ANS);
    in->oper_ready = off_ready(s, PORT_OPER);
    in->probe_ready = off_ready(s, PORT_PROBE);
}

/* --- requests ------------------------------------------------------------- */

static void accepted(struct off_stim *s) {
    const struct off_ask *a = &s->offer;
    struct off_warp *w = &s->warp[a->warp];
    const uint32_t limit = s->master->setting[OFFLOAD_SET_limit];
    *w = (struct off_warp){.state = WARP_ASKED, .ask = *a, .mode = -1};
    w->entry = off_lookup(s, a->key, &w->index);
    w->since = w->window = s->base.now;
    w->stack = -1;
    w->limit_low = w->limit_high = limit;
    memcpy(w->released, s->released, sizeof w->released);
    if (w->entry)
        w->save_left = w->entry->live_in;
    if (w->entry && a->has_value)
        off_reg(s, s->regs, a->warp, w->entry->cond_reg)[lowest_lane(a->mask)] =
            a->value;
    w->clean = s->clean;
    s->entered[s->base.now % OFF_ENTERED] = a->warp;
    s->offering = false;
    s->asked++;
    s->asks++;
    s->master->count[OFFLOAD_CNT_asked]++;
}

static void watch_request(struct off_stim *s, const struct offload_in *in,
                          const struct offload_out *before) {
    s->master->count[OFFLOAD_CNT_ask_blocked] +=
        in->ask_valid && !before->ask_ready;
    if (!in->ask_valid || !before->ask_ready) {
        s->streak = 0;
        return;
    }
    s->last_move = s->base.now;
    if (++s->streak > s->streak_most)
        s->streak_most = s->streak;
    accepted(s);
}

/* Two edges after its accept (three if it is looked up by pc) a request takes
 * the mode as it stands. */
static void watch_mode(struct off_stim *s) {
    uint64_t age = s->size.BY_PC ? 3 : 2;
    /* at most one of each edge */
    int n = s->entered[(s->base.now - age) % OFF_ENTERED];
    struct off_warp *w = &s->warp[n];
    if (w->state != WARP_ASKED || w->mode >= 0 || w->since + age != s->base.now)
        return;
    w->mode = (int)s->master->setting[OFFLOAD_SET_mode] % 3;
    w->needs = w->entry && w->entry->cond && w->mode != MODE_OFF;
    if (!w->needs)
        return;
    s->operands[(s->operand_head + s->n_operands++) % OFF_WARPS] = n;
    w->held = off_compare(
        w->entry,
        off_reg(s, s->regs, n, w->entry->cond_reg)[lowest_lane(w->ask.mask)]);
}

/* --- condition registers -------------------------------------------------- */

static const char *watch_operand(struct off_stim *s,
                                 const struct offload_in *in,
                                 const struct offload_out *before) {
    if (!before->oper_valid)
        return NULL;
    if (!in->oper_ready) {
        held_up(s);
        return NULL;
    }
    s->last_move = s->base.now;
    if (s->n_operands == 0)
        return stim_complain(&s->base,
                             "a condition register is asked for that nobody "
                             "needs");
    int n = s->operands[s->operand_head++ % OFF_WARPS];
    const struct off_warp *w = &s->warp[n];
    int reg = w->entry->cond_reg, lane = lowest_lane(w->ask.mask);
    s->n_operands--;
    if ((int)before->oper_warp != n || (int)before->oper_reg != reg ||
        (int)before->oper_lane != lane)
        return stim_complain(&s->base,
                             "condition of warp %d: expected register %d lane "
                             "%d, got warp %d register %d lane %d",
                             n, reg, lane, (int)before->oper_warp,
                             (int)before->oper_reg, (int)before->oper_lane);
    int late =
        (int)rng_below(&s->base.rng, (uint32_t)s->tune.value_latency + 1);
    const struct off_value *last =
        &s->values[(s->value_head + s->n_values + OFF_WARPS - 1) % OFF_WARPS];
    uint64_t due = s->base.now + 1 + (uint64_t)late;
    if (s->n_values > 0 && due <= last->due)
        due = last->due + 1;
    if (due > s->base.now + 1)
        held_up(s);
    s->values[(s->value_head + s->n_values++) % OFF_WARPS] =
        (struct off_value){off_reg(s, s->regs, n, reg)[lane], due, n};
    return NULL;
}

static void watch_value(struct off_stim *s, const struct offload_in *in) {
    if (!in->value_valid)
        return;
    s->last_move = s->base.now;
    s->warp[s->values[s->value_head++ % OFF_WARPS].warp].has_value = true;
    s->n_values--;
}

/* --- probes --------------------------------------------------------------- */

static bool in_doubt(const struct off_stim *s, const struct off_warp *w) {
    return w->state != WARP_ASKED || w->mode < 0 || w->probe != PROBE_NONE ||
           !off_may_probe(s, w) || (w->needs && !w->has_value);
}

/* The warp runs on: its live-ins change. */
static const char *probed(struct off_stim *s, int n) {
    struct off_warp *w = &s->warp[n];
    size_t row = (size_t)s->size.LANES * sizeof *s->regs;
    s->last_move = s->base.now;
    if (n >= s->size.WARPS || in_doubt(s, w))
        return stim_complain(&s->base,
                             "warp %d is sent to look for an access without "
                             "need",
                             n);
    if (s->prober >= 0 && s->warp[s->prober].probe == PROBE_RUNNING)
        return stim_complain(&s->base,
                             "warp %d is sent to look for an access while "
                             "warp %d is",
                             n, s->prober);
    if (s->prober >= 0) /* its saved registers are gone: it cannot go */
        s->warp[s->prober].lost = true;
    if (off_lowest(&w->save_left) >= 0)
        return stim_complain(&s->base,
                             "warp %d runs on, but its register %d is not "
                             "saved",
                             n, off_lowest(&w->save_left));
    memcpy(off_reg(s, s->kept, n, 0), off_reg(s, s->regs, n, 0),
           row * (size_t)s->size.REGS);
    for (int r = 0; r < s->size.REGS; r++)
        if (off_has(&w->entry->live_in, r))
            for (int lane = 0; lane < s->size.LANES; lane++)
                off_reg(s, s->regs, n, r)[lane] ^= 0x5a5a0000u + (uint32_t)lane;
    w->probe = PROBE_RUNNING;
    s->prober = n;
    s->prober_due = s->base.now + 1 + (uint64_t)w->ask.run;
    s->probes++;
    s->master->count[OFFLOAD_CNT_probes]++;
    return NULL;
}

static const char *watch_probe(struct off_stim *s, const struct offload_in *in,
                               const struct offload_out *before) {
    if (in->first_valid && before->first_ready) {
        struct off_warp *w = &s->warp[s->prober];
        s->last_move = s->base.now;
        w->probe = PROBE_BACK;
        w->window = s->base.now;
        held_up(s); /* it goes before the others */
    }
    if (before->probe_valid && in->probe_ready)
        return probed(s, (int)before->probe_warp);
    return NULL;
}

/* --- answers -------------------------------------------------------------- */

static const char *answered(struct off_stim *s,
                            const struct offload_out *before) {
    static const int counters[N_REASONS] = {
        OFFLOAD_CNT_offloaded,      OFFLOAD_CNT_refused_off,
        OFFLOAD_CNT_refused_entry,  OFFLOAD_CNT_refused_cond,
        OFFLOAD_CNT_refused_tx,     OFFLOAD_CNT_refused_rx,
        OFFLOAD_CNT_refused_full,   OFFLOAD_CNT_refused_save,
        OFFLOAD_CNT_refused_address};
    int n = (int)before->ans_warp, reason = (int)before->ans_reason;
    struct off_warp *w = &s->warp[n];
    s->last_move = s->base.now;
    if (n >= s->size.WARPS || w->state != WARP_ASKED)
        return stim_complain(&s->base,
                             "an answer for warp %d, which has not asked", n);
    if (reason >= N_REASONS ||
        before->ans_offload != (reason == REASON_OFFLOAD))
        return stim_complain(&s->base, "an answer of reason %d with offload %d",
                             reason, (int)before->ans_offload);
    const char *wrong = off_judge(s, n, reason, (int)before->ans_stack);
    if (wrong)
        return wrong;
    s->asked--;
    s->reasons[reason]++;
    s->master->count[counters[reason]]++;
    if (off_may_probe(s, w))
        s->probed[n] = s->base.now;
    bool away = reason == REASON_OFFLOAD;
    w->state = away && !w->early ? WARP_AWAY : WARP_IDLE;
    s->pending[away ? w->stack : 0] += w->state == WARP_AWAY;
    if (s->prober == n && !away)
        s->prober = -1;
    if (w->state == WARP_IDLE && off_mode_of(s)->done)
        off_mode_of(s)->done(s, n, away);
    return away ? off_in_order(s, 0, n) : NULL;
}

/* The specification allows ten edges when nothing holds an answer up. */
static const char *watch_latency(struct off_stim *s,
                                 const struct offload_out *after) {
    int n = (int)after->ans_warp;
    if (!after->ans_valid || n >= s->size.WARPS || s->warp[n].shown)
        return NULL;
    struct off_warp *w = &s->warp[n];
    w->shown = true;
    if (!w->clean || w->probe != PROBE_NONE)
        return NULL;
    uint64_t took = s->base.now - w->since;
    s->latency_checked++;
    if (took > s->latency_most)
        s->latency_most = took;
    if (took > 10)
        return stim_complain(&s->base,
                             "the answer of warp %d took %llu edges, though "
                             "nothing held it up",
                             n, (unsigned long long)took);
    return NULL;
}

/* A warp on its way to its first access is in nobody's. */
static int only_running(const struct off_stim *s) {
    return s->prober >= 0 && s->warp[s->prober].probe == PROBE_RUNNING;
}

const char *off_ask_watch(struct off_stim *s, const struct offload_in *in,
                          const struct offload_out *before,
                          const struct offload_out *after) {
    const char *wrong = watch_operand(s, in, before);
    watch_value(s, in);
    if (!wrong)
        wrong = watch_probe(s, in, before);
    if (!wrong && before->ans_valid && in->ans_ready)
        wrong = answered(s, before);
    if (before->ans_valid && !in->ans_ready)
        held_up(s);
    watch_mode(s);
    watch_request(s, in, before);
    s->clean = s->clean || s->asked == only_running(s);
    return wrong ? wrong : watch_latency(s, after);
}
