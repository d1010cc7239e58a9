/* oracle.c - what the analyzer must know and show.
 *
 * No pipeline is modelled but its length: a begin or an access counts two edges
 * after it was taken, an end is scored one edge later, a range is found
 * RANGE_EDGES later, by looking at one range after the other.
 */
#include "env.h"

#include <string.h>

enum { BITMAP_EDGES = 2 };

static void forget(struct ana_env *s) {
    memset(s->score, 0, sizeof s->score);
    memset(s->sum, 0, sizeof s->sum);
    s->instances = 0;
    s->done = s->has_ended = false;
    s->irq_edge = 0;
    s->n_flights = 0;
}

void ana_oracle_reset(struct ana_env *s) {
    forget(s);
    memset(s->warp, 0, sizeof s->warp);
    for (int n = 0; n < ANA_PLACES; n++)
        s->range[n] = (struct ana_range){ones(s->size.ADDR_W), 0, false};
    s->n_ranges = 0;
    s->n_searches = 0;
}

int ana_stack(const struct ana_env *s, int map, uint64_t address) {
    return (int)((address >> (s->size.FIRST_BIT + map)) %
                 (unsigned)s->size.STACKS);
}

int ana_find(const struct ana_env *s, uint64_t address) {
    for (int n = 0; n < s->size.SLOTS - 1; n++)
        if (address >= s->range[n].start &&
            address - s->range[n].start < s->range[n].length)
            return n;
    return -1;
}

/* --- queries -------------------------------------------------------------- */

static const char *expect(struct ana_env *s, const char *what, int query,
                          uint64_t wanted, uint64_t got) {
    if (wanted == got)
        return NULL;
    return stim_complain(s->stim, "query %d: expected %s %llu, got %llu", query,
                         what, (unsigned long long)wanted,
                         (unsigned long long)got);
}

static const char *watch_query(struct ana_env *s, const struct analyzer_in *in,
                               const struct analyzer_out *after) {
    int q = (int)in->query_index;
    bool asked = in->query_valid;
    bool map = asked && q < s->size.MAPS;
    bool touched = asked && q < s->size.SLOTS && s->range[q].touched;
    const char *wrong = expect(s, "done", q, asked, after->query_done);
    if (!wrong)
        wrong =
            expect(s, "score", q, map ? s->score[q] : 0, after->query_score);
    if (!wrong)
        wrong = expect(s, "sum", q, map ? s->sum[q] : 0, after->query_sum);
    if (!wrong)
        wrong = expect(s, "touched", q, touched, after->query_touched);
    s->checked += asked;
    return wrong;
}

/* --- instances and scores ------------------------------------------------- */

/* Highest score, then smallest sum, then lowest bit. */
static int best_map(const struct ana_env *s) {
    int best = 0;
    for (int m = 1; m < s->size.MAPS; m++)
        if (s->score[m] > s->score[best] ||
            (s->score[m] == s->score[best] && s->sum[m] < s->sum[best]))
            best = m;
    return best;
}

static void finish(struct ana_env *s) {
    s->done = true;
    s->best = s->size.FIRST_BIT + best_map(s);
    s->irq_edge = s->stim->now + (uint64_t)s->size.MAPS;
    s->irq_best = s->best;
    s->learned++;
    memcpy(s->final_score, s->score, sizeof s->score);
    memcpy(s->final_sum, s->sum, sizeof s->sum);
    s->final_instances = s->instances;
}

static void score(struct ana_env *s) {
    s->has_ended = false;
    if (s->done)
        return;
    for (int m = 0; m < s->size.MAPS; m++) {
        int n = __builtin_popcount(s->ended.stacks[m]);
        s->score[m] += n == 1;
        s->sum[m] += (uint64_t)n;
    }
    s->instances++;
    s->master->count[ANALYZER_CNT_instances]++;
    if (s->instances >= s->master->setting[ANALYZER_SET_learn_instances])
        finish(s);
}

static void take_effect(struct ana_env *s, const struct ana_event *e) {
    struct ana_touched *t = &s->warp[e->warp];
    if (e->op == OP_BEGIN)
        memset(t, 0, sizeof *t);
    for (int m = 0; e->op == OP_ACCESS && m < s->size.MAPS; m++)
        t->stacks[m] |= (uint16_t)(1u << ana_stack(s, m, e->address));
    if (e->op == OP_END) {
        s->ended = *t;
        s->has_ended = true;
    }
}

static void watch_flights(struct ana_env *s) {
    if (!ana_enabled(s)) {
        forget(s);
        return;
    }
    if (s->has_ended)
        score(s);
    if (s->n_flights == 0 || s->flight[0].at + BITMAP_EDGES != s->stim->now)
        return;
    take_effect(s, &s->flight[0].event);
    s->n_flights--;
    memmove(s->flight, s->flight + 1,
            (size_t)s->n_flights * sizeof s->flight[0]);
}

static const char *watch_irq(struct ana_env *s,
                             const struct analyzer_out *after) {
    bool irq = s->irq_edge && s->stim->now >= s->irq_edge;
    if (after->irq != irq)
        return stim_complain(s->stim,
                             "the interrupt is %d after %llu instances, "
                             "expected %d",
                             (int)after->irq, (unsigned long long)s->instances,
                             irq);
    if (after->irq_best != (uint64_t)(irq ? s->best : 0))
        return stim_complain(s->stim,
                             "the best mapping is reported at bit %d, "
                             "expected %d",
                             (int)after->irq_best, irq ? s->best : 0);
    return NULL;
}

/* --- allocation table ----------------------------------------------------- */

static const char *watch_searches(struct ana_env *s,
                                  const struct analyzer_out *after) {
    const struct ana_flight *f = &s->search[s->search_head % ANA_PIPE];
    bool due = s->n_searches > 0 &&
               f->at + (uint64_t)s->size.RANGE_EDGES == s->stim->now;
    int range = due ? ana_find(s, f->event.address) : 0;
    bool outside = due && range < 0;
    if (due) {
        s->search_head++;
        s->n_searches--;
        s->inside += !outside;
        s->outside += outside;
        s->master
            ->count[outside ? ANALYZER_CNT_outside : ANALYZER_CNT_inside]++;
    }
    if (due && !outside)
        s->range[range].touched = true;
    if (after->outside_valid != outside)
        return stim_complain(s->stim,
                             "%llx is %sreported as outside of all ranges",
                             (unsigned long long)(due ? f->event.address
                                                      : after->outside_address),
                             outside ? "not " : "");
    if (outside && after->outside_address != f->event.address)
        return stim_complain(s->stim,
                             "%llx is reported as outside, expected %llx",
                             (unsigned long long)after->outside_address,
                             (unsigned long long)f->event.address);
    return NULL;
}

/* --- events --------------------------------------------------------------- */

static void watch_event(struct ana_env *s, const struct analyzer_in *in,
                        const struct analyzer_out *before, bool learning) {
    static const int counters[2] = {ANALYZER_CNT_begins, ANALYZER_CNT_accesses};
    s->master->count[ANALYZER_CNT_ev_blocked] +=
        in->ev_valid && !before->ev_ready;
    if (!in->ev_valid || !before->ev_ready)
        return;
    const struct ana_event e = {(enum ana_op)in->ev_op, (int)in->ev_warp,
                                in->ev_address};
    s->events[e.op]++;
    s->settled = s->stim->now + (uint64_t)s->size.RANGE_EDGES + 1;
    if (!learning) {
        s->master->count[ANALYZER_CNT_ignored]++;
        return;
    }
    struct ana_flight f = {e, s->stim->now};
    s->flight[s->n_flights++] = f;
    if (f.event.op <= OP_ACCESS)
        s->master->count[counters[f.event.op]]++;
    if (f.event.op == OP_ACCESS)
        s->search[(s->search_head + s->n_searches++) % ANA_PIPE] = f;
}

const char *ana_oracle_watch(struct ana_env *s, const struct analyzer_in *in,
                             const struct analyzer_out *before,
                             const struct analyzer_out *after) {
    bool learning = ana_enabled(s) && !s->done;
    const char *wrong = watch_query(s, in, after);
    watch_flights(s);
    if (!wrong)
        wrong = watch_searches(s, after);
    if (!wrong)
        wrong = watch_irq(s, after);
    watch_event(s, in, before, learning);
    return wrong;
}
