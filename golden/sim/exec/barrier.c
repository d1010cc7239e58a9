/* barrier.c - barriers of a CTA, and instructions on which lanes of a warp wait
 * for each other.
 *
 * A CTA barrier counts threads that have arrived.  Without a count it opens for
 * all threads that have not left the kernel; with one, whole warps count as 32.
 */
#include "handlers.h"

/* What bar.red gives each waiting thread. */
static void deliver(struct warp *w, const struct path *p,
                    const struct barrier *b) {
    const struct op *op = p->wait;
    if (!op->dst)
        return;
    uint8_t *regs = p->frame->regs;
    if (op->what == PTX_MOD_POPC) {
        lane_u32 *d = (lane_u32 *)(void *)(regs + op->dst);
        EACH_LANE(i, p->mask) d[i] = b->ones;
        return;
    }
    bool value = op->what == PTX_MOD_AND ? b->ones == b->threads : b->ones > 0;
    lane_u32 *d = (lane_u32 *)(void *)(regs + op->dst);
    *d = value ? *d | p->mask : *d & ~p->mask;
    (void)w;
}

static void open_barrier(struct exec *x, int id) {
    for (uint32_t k = 0; k < x->n_warps; k++) {
        struct warp *w = &x->warps[k];
        for (int i = 0; i < w->n_paths; i++) {
            struct path *p = &w->paths[i];
            if (p->state != PATH_BARRIER || p->barrier != id)
                continue;
            deliver(w, p, &x->cta.barriers[id]);
            p->state = PATH_READY;
            if (w->current < 0)
                path_switch(w, i);
        }
    }
    x->cta.barriers[id] = (struct barrier){0};
    x->progress_at = x->warp_count;
}

/* Open the barriers at which enough threads have arrived. */
void barrier_check(struct exec *x) {
    for (int id = 0; id < BARRIERS; id++) {
        const struct barrier *b = &x->cta.barriers[id];
        if (b->threads == 0)
            continue;
        if (b->expected ? b->rounded >= b->expected
                        : b->threads >= x->cta.live_threads)
            open_barrier(x, id);
    }
}

static uint32_t first_value(const struct warp *w, slot_ref r) {
    const lane_u32 *v = source(w, r);
    return v[__builtin_ctz(w->mask)];
}

static void arrive(struct warp *w, const struct op *op, struct barrier *b,
                   uint32_t count) {
    uint32_t n = (uint32_t)__builtin_popcount(w->mask);
    b->threads += n;
    b->rounded += w->mask == w->live ? LANES : n;
    if (count)
        b->expected = count;
    if (op->dst)
        b->ones += (uint32_t)__builtin_popcount(predicate(w, op, 2) & w->mask);
}

/* Lanes that the guard holds back go their own way. */
static void part(struct warp *w) {
    struct path *p = current_path(w);
    uint32_t rest = p->mask & ~w->mask;
    int pc = p->pc;
    if (rest)
        path_fork(w, rest, pc + 1);
}

/* src[0] barrier, src[1] count or 0, src[2] predicate of bar.red. */
void exec_barrier(struct warp *w, const struct op *op) {
    struct exec *x = w->x;
    if (!w->mask) {
        current_path(w)->pc++;
        return;
    }
    part(w);
    uint32_t id = first_value(w, op->src[0]);
    uint32_t count = op->src[1] ? first_value(w, op->src[1]) : 0;
    if (id >= BARRIERS) {
        fault(w, op, -1, "barrier %u, expected 0 to %d", id, BARRIERS - 1);
        return;
    }
    if (count % LANES || (op->how && !count)) {
        fault(w, op, -1, "barrier %u for %u threads, expected a multiple of 32",
              id, count);
        return;
    }
    arrive(w, op, &x->cta.barriers[id], count);
    struct path *p = current_path(w);
    p->pc++;
    if (!op->how) { /* not .arrive */
        p->state = PATH_BARRIER;
        p->barrier = (int)id;
        p->wait = op;
    }
    barrier_check(x);
    if (current_path(w)->state != PATH_READY)
        path_pick(w);
}

/* Whether a path that waits may go on together with lanes of the current one
 * that name the same member lanes at op. */
static bool matches(const struct path *q, const struct path *p,
                    const struct op *op, uint32_t member) {
    if (q->state != PATH_SYNC || q->want != member)
        return false;
    if (op->fn == exec_warp_barrier)
        return q->wait->fn == exec_warp_barrier;
    return q->pc == p->pc && q->frame == p->frame;
}

/* Lanes that wait elsewhere for the same members. */
static uint32_t lanes_waiting(struct warp *w, const struct op *op,
                              uint32_t member) {
    uint32_t mask = 0;
    for (int i = 0; i < w->n_paths; i++)
        if (matches(&w->paths[i], current_path(w), op, member))
            mask |= w->paths[i].mask;
    return mask;
}

static void release_waiting(struct warp *w, const struct op *op,
                            uint32_t member) {
    for (int i = 0; i < w->n_paths; i++)
        if (matches(&w->paths[i], current_path(w), op, member)) {
            w->paths[i].state = PATH_READY;
            w->paths[i].pc++;
        }
    progress(w);
}

/* Lanes of the current path wait at op until the others have come. */
static void hold(struct warp *w, const struct op *op, uint32_t lanes,
                 uint32_t member) {
    const struct path *p = current_path(w);
    int i = lanes == p->mask ? w->current : path_fork(w, lanes, p->pc);
    w->paths[i].state = PATH_SYNC;
    w->paths[i].want = member;
    w->paths[i].wait = op;
}

/* Before an instruction whose lanes each name their member lanes in src[3].
 * Lanes that name the same members are a group.  The groups of which all
 * members are here go on, and w->mask is all their lanes; the other groups
 * wait.  False if none goes on.  The pcs of those that do move past op. */
bool sync_lanes(struct warp *w, const struct op *op) {
    if (!w->mask) {
        current_path(w)->pc++;
        return false;
    }
    const lane_u32 *members = source(w, op->src[3]);
    uint32_t go = 0, left = w->mask;
    while (left) {
        uint32_t member = members[__builtin_ctz(left)], group = 0;
        EACH_LANE(i, left) group |= (uint32_t)(members[i] == member) << i;
        left &= ~group;
        uint32_t missing = member & w->live & ~group;
        uint32_t others = missing ? lanes_waiting(w, op, member) : 0;
        if (missing & ~others) {
            hold(w, op, group, member);
            continue;
        }
        if (others)
            release_waiting(w, op, member);
        go |= group | others;
    }
    w->mask = go;
    if (current_path(w)->state == PATH_SYNC) {
        path_pick(w);
        return false;
    }
    current_path(w)->pc++;
    return go != 0;
}

void exec_warp_barrier(struct warp *w, const struct op *op) {
    (void)w;
    (void)op;
}
