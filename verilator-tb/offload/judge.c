/* judge.c - which answers are justified (docs/blocks/offload.md,
 * 'Decide').
 *
 * Entry, condition, mode and address say for certain whether a request may be
 * refused for one of them.  Busy links, full stacks and the one place for saved
 * registers are known edge by edge; the decision fell somewhere between the
 * request and its answer, so a reason must have been true there, and what would
 * have been a reason must not have been true all the time.
 */
#include "env.h"

const struct off_entry *off_lookup(const struct off_stim *s, uint32_t key,
                                   int *index) {
    *index = 0;
    if (!s->size.BY_PC) {
        *index = (int)key;
        return s->entry[key].valid ? &s->entry[key] : NULL;
    }
    for (int n = 0; n < s->size.ENTRIES; n++)
        if (s->entry[n].valid && s->entry[n].begin_pc == key) {
            *index = n;
            return &s->entry[n];
        }
    return NULL;
}

bool off_compare(const struct off_entry *e, uint32_t value) {
    int64_t a = e->is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    int64_t b =
        e->is_signed ? (int64_t)(int32_t)e->threshold : (int64_t)e->threshold;
    switch (e->compare) {
    case 0:
        return a == b;
    case 1:
        return a != b;
    case 2:
        return a < b;
    case 3:
        return a <= b;
    case 4:
        return a > b;
    case 5:
        return a >= b;
    default:
        return false;
    }
}

bool off_may_probe(const struct off_stim *s, const struct off_warp *w) {
    const struct off_entry *e = w->entry;
    if (!e || e->mem_first || w->mode == MODE_OFF)
        return false;
    return (!w->needs || w->held) &&
           off_count(&e->live_in) <= s->size.SAVE_ROWS;
}

int off_stack(const struct off_stim *s, uint64_t address, bool learned) {
    unsigned stacks = (unsigned)s->size.STACKS;
    if (learned)
        return (int)((address >> s->master->setting[OFFLOAD_SET_map_bit]) %
                     stacks);
    unsigned stack = 0;
    for (uint64_t line = address / 128; line; line /= stacks)
        stack ^= (unsigned)(line % stacks);
    return (int)stack;
}

static bool learned_of(const struct off_warp *w) {
    return w->probe == PROBE_BACK ? w->ask.first_learned : w->ask.learned;
}

/* map_bit has not changed since the request could be weighed. */
static bool stack_known(const struct off_stim *s, const struct off_warp *w) {
    return !learned_of(w) || s->map_edge < w->window || s->map_edge == 0;
}

const char *off_check_stack(struct off_stim *s, struct off_warp *w, int stack) {
    uint64_t address = w->probe == PROBE_BACK ? w->ask.first : w->ask.address;
    int expected = off_stack(s, address, learned_of(w));
    if (w->stack >= 0)
        expected = w->stack;
    else if (!stack_known(s, w))
        expected = stack;
    w->stack = stack;
    if (stack == expected)
        return NULL;
    return stim_complain(&s->base, "warp %d goes to stack %d, expected %d",
                         w->ask.warp, stack, expected);
}

/* Somebody else could have held the place for saved registers. */
static bool save_taken(const struct off_stim *s, int warp) {
    const struct off_warp *mine = &s->warp[warp];
    for (int n = 0; n < s->size.WARPS; n++) {
        const struct off_warp *w = &s->warp[n];
        if (n == warp)
            continue;
        bool now = (w->state == WARP_ASKED && off_may_probe(s, w)) ||
                   (w->state == WARP_AWAY && w->probe == PROBE_BACK &&
                    w->packet != PACKET_SENT);
        if (now || s->probed[n] >= mine->since)
            return true;
    }
    return false;
}

/* Offloads that may have been pending at the stack. */
static uint64_t could_pend(const struct off_stim *s, const struct off_warp *w,
                           int stack) {
    return (uint64_t)s->pending[stack] + s->released[stack] -
           w->released[stack];
}

static const char *judge_offload(struct off_stim *s, struct off_warp *w,
                                 int stack) {
    const char *wrong = off_check_stack(s, w, stack);
    if (wrong)
        return wrong;
    if (w->lost)
        return stim_complain(&s->base,
                             "warp %d goes, but another warp has taken the "
                             "place of its saved registers",
                             w->ask.warp);
    if (w->mode == MODE_UNCONTROLLED)
        return NULL;
    const bool saves[2] = {w->entry->tag_tx, w->entry->tag_rx};
    for (int dir = 0; dir < 2; dir++)
        if (!saves[dir] && s->free_edge[dir][stack] < w->window)
            return stim_complain(&s->base,
                                 "warp %d is offloaded onto a busy %s link",
                                 w->ask.warp, dir ? "RX" : "TX");
    if ((uint64_t)s->pending[stack] >= w->limit_high)
        return stim_complain(
            &s->base,
            "warp %d is offloaded beyond the limit of stack %d: %d pending",
            w->ask.warp, stack, s->pending[stack]);
    if (s->room_edge[stack] < w->window)
        return stim_complain(&s->base,
                             "warp %d is offloaded to stack %d, which is "
                             "full",
                             w->ask.warp, stack);
    return NULL;
}

static const char *judge_refusal(struct off_stim *s, struct off_warp *w,
                                 int reason) {
    uint64_t address = w->probe == PROBE_BACK ? w->ask.first : w->ask.address;
    int stack = off_stack(s, address, learned_of(w));
    if (!stack_known(s, w))
        return NULL;
    int dir = reason == REASON_RX;
    const bool saves[2] = {w->entry->tag_tx, w->entry->tag_rx};
    if (reason == REASON_FULL) {
        if (s->full_edge[stack] >= w->window ||
            could_pend(s, w, stack) >= w->limit_low)
            return NULL;
        return stim_complain(&s->base,
                             "warp %d is refused for stack %d, which has "
                             "room",
                             w->ask.warp, stack);
    }
    if (saves[dir])
        return stim_complain(&s->base,
                             "warp %d is refused for the link that it saves",
                             w->ask.warp);
    if (s->busy_edge[dir][stack] < w->window)
        return stim_complain(&s->base,
                             "warp %d is refused for a %s link that is not "
                             "busy",
                             w->ask.warp, dir ? "RX" : "TX");
    return NULL;
}

/* The reason that is certain, -1: links and stacks decide. */
static int certain(const struct off_warp *w) {
    if (w->mode == MODE_OFF)
        return REASON_OFF;
    if (!w->entry)
        return REASON_ENTRY;
    if (w->needs && !w->held)
        return REASON_COND;
    if (!w->entry->mem_first && w->probe == PROBE_NONE)
        return REASON_SAVE;
    if (w->probe == PROBE_BACK && w->ask.none)
        return REASON_ADDRESS;
    return w->mode == MODE_UNCONTROLLED ? REASON_OFFLOAD : -1;
}

const char *off_judge(struct off_stim *s, int warp, int reason, int stack) {
    struct off_warp *w = &s->warp[warp];
    if (w->mode < 0 || (w->needs && !w->has_value))
        return stim_complain(&s->base, "warp %d is answered before %s", warp,
                             w->mode < 0 ? "its request was looked up"
                                         : "its condition was read");
    if (w->probe == PROBE_RUNNING)
        return stim_complain(&s->base,
                             "warp %d is answered while it looks for its "
                             "first access",
                             warp);
    int expected = certain(w);
    bool possible = expected < 0
                        ? reason == REASON_OFFLOAD ||
                              (reason >= REASON_TX && reason <= REASON_FULL)
                        : reason == expected;
    if (!possible)
        return stim_complain(&s->base, "warp %d: expected reason %d, got %d",
                             warp, expected, reason);
    if (reason == REASON_SAVE && off_may_probe(s, w) && !save_taken(s, warp))
        return stim_complain(&s->base,
                             "warp %d is refused for want of room to save "
                             "its registers, which there is",
                             warp);
    if (reason != REASON_OFFLOAD && w->packet != PACKET_NONE)
        return stim_complain(
            &s->base, "warp %d is refused, but its packet has left", warp);
    if (reason != REASON_OFFLOAD && stack != 0)
        return stim_complain(&s->base, "warp %d is refused with stack %d", warp,
                             stack);
    if (reason == REASON_OFFLOAD)
        return judge_offload(s, w, stack);
    return expected < 0 ? judge_refusal(s, w, reason) : NULL;
}
