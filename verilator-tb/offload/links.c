/* links.c - links with their monitors, and the metadata table.
 *
 * A link is used by the flits of this unit and by other traffic, which keeps to
 * a share of the cycles for some windows.  The busy bits are computed anew: the
 * cycles of the last window stand in a ring, with the edges at which its
 * sub-windows began, and are summed when one ends (docs/blocks/offload.md,
 * 'Monitors').  A tumbling window has one sub-window, the whole.
 */
#include "env.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void off_links_open(struct off_stim *s) {
    s->part_from = xcalloc((size_t)s->size.PARTS, sizeof *s->part_from);
    for (int dir = 0; dir < 2; dir++)
        for (int n = 0; n < s->size.STACKS; n++)
            s->monitor[dir][n].history =
                xcalloc((size_t)s->size.WINDOW, sizeof(uint8_t));
}

void off_links_close(struct off_stim *s) {
    free(s->part_from);
    for (int dir = 0; dir < 2; dir++)
        for (int n = 0; n < s->size.STACKS; n++)
            free(s->monitor[dir][n].history);
}

void off_links_reset(struct off_stim *s) {
    for (int dir = 0; dir < 2; dir++)
        for (int n = 0; n < s->size.STACKS; n++) {
            struct off_monitor *m = &s->monitor[dir][n];
            memset(m->history, 0, (size_t)s->size.WINDOW);
            m->total = 0;
            m->busy = false;
        }
    memset(s->busy_edge, 0, sizeof s->busy_edge);
    memset(s->full_edge, 0, sizeof s->full_edge);
    /* a reset edge is none of the window: the next one is its first */
    for (int n = 0; n < s->size.PARTS; n++)
        s->part_from[n] = s->base.now + 1;
    s->part = 0;
    s->load_at = -1;
    s->still = false;
    s->map_edge = 0;
    memset(s->entry, 0, sizeof s->entry);
}

/* --- driving -------------------------------------------------------------- */

static void next_utilisation(struct off_stim *s) {
    static const int shares[] = {0, 10, 50, 75, 85, 90, 97, 100};
    s->link_left =
        rng_range(&s->base.rng, s->size.WINDOW / 4, 3 * s->size.WINDOW);
    s->full = 0;
    for (int n = 0; n < s->size.STACKS; n++) {
        for (int dir = 0; dir < 2; dir++)
            s->monitor[dir][n].percent =
                rng_percent(&s->base.rng, 40)
                    ? 0
                    : shares[rng_below(&s->base.rng, 8)];
        if (rng_percent(&s->base.rng, s->tune.full))
            s->full |= (uint64_t)1 << n;
    }
}

static uint64_t traffic(struct off_stim *s, int dir) {
    uint64_t bits = 0;
    for (int n = 0; n < s->size.STACKS; n++) {
        int percent = s->monitor[dir][n].percent;
        bool flit = percent == 100;
        if (percent > 0 && percent < 100)
            flit = rng_percent(&s->base.rng, percent);
        bits |= (uint64_t)flit << n; /* no branch: nobody could foresee it */
    }
    return bits;
}

void off_links_drive(struct off_stim *s, struct offload_in *in) {
    if (!s->fixed_links && s->link_left-- <= 0)
        next_utilisation(s);
    in->link_tx = traffic(s, 0);
    in->link_rx = traffic(s, 1);
    if (s->tx_valid && s->tx_ready)
        in->link_tx |= bit(s->tx_stack);
    if (s->rx_stack >= 0)
        in->link_rx |= bit(s->rx_stack);
    in->link_full = s->full;
}

/* --- monitors ------------------------------------------------------------- */

static void judge_busy(struct off_monitor *m, int total, bool may_leave,
                       const uint32_t *setting) {
    if ((uint32_t)total >= setting[OFFLOAD_SET_busy_on])
        m->busy = true;
    else if (may_leave && (uint32_t)total < setting[OFFLOAD_SET_busy_off])
        m->busy = false;
}

/* The present sub-window has its length, as software sets it now, with this
 * edge: at once if it has been made shorter than what has passed. */
static bool part_ends(const struct off_stim *s) {
    uint64_t parts = (uint64_t)s->size.PARTS;
    uint64_t window = s->master->setting[OFFLOAD_SET_window];
    if (window > (uint64_t)s->size.WINDOW)
        window = (uint64_t)s->size.WINDOW;
    uint64_t has = s->base.now - s->part_from[s->part] + 1;
    return (has + 1) * parts > window; /* has >= window / parts, rounded down */
}

/* The next one takes the place of the oldest. */
static void next_part(struct off_stim *s) {
    s->part = (s->part + 1) % s->size.PARTS;
    s->part_from[s->part] = s->base.now + 1;
}

static int sum(const struct off_monitor *m, uint64_t from, uint64_t to) {
    int total = 0;
    for (uint64_t at = from; at < to; at++)
        total += m->history[at];
    return total;
}

/* Flits of all sub-windows that are kept, which are PARTS with the present one;
 * none has more than WINDOW / PARTS cycles. */
static int sum_parts(const struct off_stim *s, const struct off_monitor *m) {
    uint64_t oldest = s->part_from[(s->part + 1) % s->size.PARTS];
    uint64_t window = (uint64_t)s->size.WINDOW, from = oldest % window;
    uint64_t to =
        from + (s->base.now + 1 - oldest); /* the ring is passed once */
    return sum(m, from, to < window ? to : window) +
           (to > window ? sum(m, 0, to - window) : 0);
}

static void sliding(const struct off_stim *s, struct off_monitor *m,
                    uint64_t at, bool used, bool last) {
    judge_busy(m, m->total, true, s->master->setting);
    m->history[at] = used;
    if (last)
        m->total = sum_parts(s, m);
}

static void tumbling(const struct off_stim *s, struct off_monitor *m, bool used,
                     bool last) {
    m->total += used;
    judge_busy(m, m->total, last, s->master->setting);
    if (last)
        m->total = 0;
}

/* at: this edge in the history; last: the present sub-window ends. */
static const char *watch_monitor(struct off_stim *s, int dir, uint64_t at,
                                 uint64_t used, uint64_t shown, bool last) {
    for (int n = 0; n < s->size.STACKS; n++) {
        struct off_monitor *m = &s->monitor[dir][n];
        if (s->size.SLIDING)
            sliding(s, m, at, used >> n & 1, last);
        else
            tumbling(s, m, used >> n & 1, last);
        if ((shown >> n & 1) != m->busy)
            return stim_complain(&s->base,
                                 "stack %d: its %s link shows busy %d, "
                                 "expected %d",
                                 n, dir ? "RX" : "TX", (int)(shown >> n & 1),
                                 m->busy);
    }
    return NULL;
}

/* When each link was busy and free last, each stack full and not. */
static void note_edges(struct off_stim *s, const struct offload_in *in,
                       const struct offload_out *before) {
    const uint64_t busy[2] = {before->link_tx_busy, before->link_rx_busy};
    for (int n = 0; n < s->size.STACKS; n++) {
        for (int dir = 0; dir < 2; dir++)
            if (busy[dir] >> n & 1)
                s->busy_edge[dir][n] = s->base.now;
            else
                s->free_edge[dir][n] = s->base.now;
        if (in->link_full >> n & 1)
            s->full_edge[n] = s->base.now;
        else
            s->room_edge[n] = s->base.now;
    }
}

const char *off_links_watch(struct off_stim *s, const struct offload_in *in,
                            const struct offload_out *before,
                            const struct offload_out *after) {
    note_edges(s, in, before);
    bool last = part_ends(s);
    uint64_t at = s->base.now % (uint64_t)s->size.WINDOW;
    const char *wrong =
        watch_monitor(s, 0, at, in->link_tx, after->link_tx_busy, last);
    if (!wrong)
        wrong = watch_monitor(s, 1, at, in->link_rx, after->link_rx_busy, last);
    if (last)
        next_part(s);
    return wrong;
}

/* --- metadata ------------------------------------------------------------- */

static void pack(const struct off_stim *s, const struct off_entry *e,
                 uint64_t *bits) {
    struct offload_entry_fields f = {
        .valid = e->valid,
        .tag_tx = e->tag_tx,
        .tag_rx = e->tag_rx,
        .mem_first = e->mem_first,
        .cond = e->cond,
        .cond_reg = (uint64_t)e->cond_reg,
        .cond_compare = (uint64_t)e->compare,
        .cond_signed = e->is_signed,
        .threshold = e->threshold,
        .n_in = (uint64_t)off_count(&e->live_in),
        .begin_pc = e->begin_pc,
        .end_pc = e->end_pc,
    };
    memcpy(f.live_in, e->live_in.word, sizeof f.live_in);
    memcpy(f.live_out, e->live_out.word, sizeof f.live_out);
    record_pack(&s->design->record[OFFLOAD_REC_entry], &f, bits);
}

bool off_load(struct off_stim *s, int index, const struct off_entry *e) {
    if (s->load_at >= 0)
        return false;
    s->load_at = index;
    s->next_entry = *e;
    return true;
}

void off_load_drive(struct off_stim *s, struct offload_in *in) {
    in->load_valid = s->load_at >= 0;
    if (s->load_at < 0)
        return;
    in->load_index = (uint64_t)s->load_at;
    pack(s, &s->next_entry, in->load_entry);
}

void off_load_watch(struct off_stim *s, const struct offload_in *in,
                    const struct offload_out *before) {
    if (!in->load_valid || !before->load_ready)
        return;
    s->entry[s->load_at] = s->next_entry;
    s->load_at = -1;
}
