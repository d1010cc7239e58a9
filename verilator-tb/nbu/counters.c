/* counters.c - what the counters must hold (docs/blocks/nbu.md, 'Registers').
 *
 * Most can be told from outside, edge by edge: beats stand on the bus, an
 * update of the track table is served on the first edge that the commit port
 * leaves to it, and whether the bus has an owner shows in its beats.  Lookups
 * do not show: how many found a hazard lies between those that must have, as
 * the write that they waited for came too late for them, and all that accepts
 * and updates can have asked for.  An instruction has been sent somewhere
 * between its accept and its delivery.
 *
 * Over the cut (s->cut, docs/blocks/dies.md) the base die learns later of what
 * happens on the other one, and who has the bus shows in beats alone.
 */
#include "env.h"

#include <string.h>

void counters_reset(struct nbu_stim *s) {
    memset(&s->tally, 0, sizeof s->tally);
}

/* --- instructions --------------------------------------------------------- */

void counters_accept(struct nbu_stim *s, struct flight *f) {
    f->lookups = 1;
    f->cleared = f->held = false;
    s->tally.waiting++;
    s->tally.lookups += f->lookups;
    s->base.master.count[NBU_CNT_accepted]++;
}

/* Its last lookup sent it, so that one found no hazard. */
void counters_deliver(struct nbu_stim *s, const struct flight *f) {
    struct master *m = &s->base.master;
    int sent = f->side == NEAR ? NBU_CNT_went_near : NBU_CNT_went_far;
    s->tally.waiting--;
    s->tally.lookups--;
    if (f->cleared)
        s->tally.unsure[f->side]++;
    else
        m->count[sent]++;
}

/* An update of the track table wakes the warp. */
static void wake(struct nbu_stim *s, int warp) {
    struct flight *f = s->warp[warp].waiting;
    if (!f)
        return;
    f->lookups++;
    s->tally.lookups++;
}

static bool uses(const struct instr *i, int reg) {
    for (int slot = DST; slot < N_SLOTS; slot++)
        if (i->operand[slot].valid && i->operand[slot].reg == reg)
            return true;
    return false;
}

/* A lookup comes at most so long after the accept: every other warp first, then
 * three stages. */
static bool has_looked(const struct nbu_stim *s, const struct flight *f) {
    return s->base.now - f->since > (uint64_t)s->size.WARPS + 4;
}

void counters_commit(struct nbu_stim *s, const struct flight *f) {
    const struct operand *dst = &f->instr.operand[DST];
    struct flight *next = s->warp[f->instr.warp].waiting;
    s->base.master.count[NBU_CNT_committed]++;
    if (!dst->valid)
        return;
    if (next && !next->held && !next->cleared && has_looked(s, next) &&
        uses(&next->instr, dst->reg)) {
        next->held = true;
        s->base.master.count[NBU_CNT_held]++;
    }
    wake(s, f->instr.warp);
}

/* --- moves ---------------------------------------------------------------- */

/* Edges after which the base die learns of a row that landed near. */
enum { CUT_TELLS = 2 };

static void told(struct nbu_stim *s, enum side side, bool final) {
    s->tally.finished[side] = final;
    if (!final)
        s->tally.busy[side] = false;
}

/* A row is taken by the register file of a side. */
static void landed(struct nbu_stim *s, enum side side, uint64_t warp,
                   uint64_t reg) {
    bool final = s->kind[reg] != NBU_PAIR || reg % 2 == 1;
    if (warp >= (uint64_t)s->size.WARPS)
        return;
    s->tally.mover[side] = (int)warp;
    if (!s->cut || side == FAR) {
        told(s, side, final);
        return;
    }
    s->tally.landed = CUT_TELLS;
    s->tally.final = final;
}

static void served(struct nbu_stim *s, enum side side) {
    struct tally *t = &s->tally;
    s->base.master
        .count[side == NEAR ? NBU_CNT_moved_down : NBU_CNT_moved_up]++;
    t->finished[side] = t->busy[side] = false;
    wake(s, t->mover[side]);
}

/* One update an edge: near completions, then moves up, moves down, and far
 * completions last. */
static const char *watch_updates(struct nbu_stim *s, const struct nbu_in *in,
                                 const struct nbu_out *before,
                                 const struct nbu_out *after) {
    struct tally *t = &s->tally;
    bool near = after->commit_valid && after->commit_near;
    const char *wrong = NULL;
    if (!near && (t->finished[FAR] || t->finished[NEAR])) {
        served(s, t->finished[FAR] ? FAR : NEAR);
        if (after->commit_valid)
            wrong = "a far completion is served before a finished move";
    }
    if (t->landed > 0 && --t->landed == 0)
        told(s, NEAR, t->final);
    if (before->far_write_valid && in->far_write_ready)
        landed(s, FAR, before->far_write_warp, before->far_write_reg);
    if (before->near_write_valid && in->near_write_ready)
        landed(s, NEAR, before->near_write_warp, before->near_write_reg);
    return wrong;
}

/* --- bus ------------------------------------------------------------------ */

enum { INSTR, DOWN, REQUEST, UP, DONE_UP, LSU_DOWN, LSU_UP, N_SOURCES };

static int owner(const struct nbu_out *before, const struct nbu_out *after) {
    if (after->tsv_valid)
        return (int)after->tsv_kind;
    return before->lsu_down_ready ? LSU_DOWN
           : before->lsu_up_ready ? LSU_UP
                                  : -1;
}

/* Sources that wait for the bus, as far as that can be told. */
static unsigned eligible(const struct nbu_stim *s, const struct nbu_in *in) {
    const struct tally *t = &s->tally;
    return (unsigned)(t->loaded[FAR] && !t->busy[NEAR]) << DOWN |
           (unsigned)(t->loaded[NEAR] && !t->busy[FAR]) << UP |
           (unsigned)t->shown << DONE_UP | (unsigned)in->lsu_down_valid << 5 |
           (unsigned)in->lsu_up_valid << 6;
}

static void watch_stalls(struct nbu_stim *s, const struct nbu_in *in,
                         const struct nbu_out *before,
                         const struct nbu_out *after) {
    int has = owner(before, after);
    if (has < 0)
        return;
    if (eligible(s, in) & ~(1u << has))
        s->base.master.count[NBU_CNT_bus_stall]++;
    else if (s->tally.waiting > 0) /* packets and requests that do not show */
        s->tally.stalls++;
}

/* The base die counts an edge later.  A beat that is taken is the owner's; what
 * else waits can be told of load-store traffic down alone. */
static void watch_stalls_of_cut(struct nbu_stim *s, const struct nbu_in *in,
                                const struct nbu_out *after) {
    struct tally *t = &s->tally;
    if (t->stalled)
        s->base.master.count[NBU_CNT_bus_stall]++;
    t->stalled =
        after->tsv_valid && after->tsv_kind != LSU_DOWN && in->lsu_down_valid;
    if (!t->stalled)
        t->stalls++;
}

/* Completions on the DRAM die, between their port and the bus. */
static void watch_done_queue(struct nbu_stim *s, const struct nbu_in *in,
                             const struct nbu_out *before, bool pop) {
    struct tally *t = &s->tally;
    bool load = t->stored > 0 && (!t->shown || pop);
    t->shown = load || (t->shown && !pop);
    t->stored += (in->near_done_valid && before->near_done_ready) - load;
}

static int counter_of(uint64_t kind) {
    return NBU_CNT_beats_instr + (int)(kind < LSU_DOWN ? kind : LSU_DOWN);
}

static bool goes_up(uint64_t kind) {
    return kind == UP || kind == DONE_UP || kind == LSU_UP;
}

/* A beat counts when it stands on the bus; over the cut, one that goes up when
 * it has come. */
static void count_beats(struct nbu_stim *s, const struct nbu_out *before) {
    struct tally *t = &s->tally;
    uint64_t *count = s->base.master.count;
    bool late = s->cut && before->tsv_valid && goes_up(before->tsv_kind);
    if (t->rose)
        count[t->rose]++;
    t->rose = late ? counter_of(before->tsv_kind) : 0;
    if (before->tsv_valid && !late)
        count[counter_of(before->tsv_kind)]++;
}

static void watch_bus(struct nbu_stim *s, const struct nbu_in *in,
                      const struct nbu_out *before,
                      const struct nbu_out *after) {
    struct tally *t = &s->tally;
    bool last = after->tsv_valid && after->tsv_last;
    if (s->cut)
        watch_stalls_of_cut(s, in, after);
    else
        watch_stalls(s, in, before, after);
    watch_done_queue(s, in, before, last && after->tsv_kind == DONE_UP);
    if (after->tsv_valid && after->tsv_kind == DOWN)
        t->busy[NEAR] = true;
    if (after->tsv_valid && after->tsv_kind == UP)
        t->busy[FAR] = true;
    t->loaded[FAR] = in->far_data_valid ||
                     (t->loaded[FAR] && !(last && after->tsv_kind == DOWN));
    t->loaded[NEAR] = in->near_data_valid ||
                      (t->loaded[NEAR] && !(last && after->tsv_kind == UP));
    count_beats(s, before);
}

/* --- the whole ------------------------------------------------------------ */

/* Lookups and sends of instructions that wait may be from before or after, and,
 * over the cut, what may have waited on this edge counts on the next one. */
static void clear(struct nbu_stim *s) {
    struct tally *t = &s->tally;
    t->unsure[FAR] = t->unsure[NEAR] = 0;
    t->stalls = s->cut && !t->stalled;
    t->lookups = 0;
    for (int w = 0; w < s->size.WARPS; w++) {
        struct flight *f = s->warp[w].waiting;
        if (!f)
            continue;
        f->cleared = true;
        f->lookups = 2; /* one under way, one asked for */
        t->lookups += 2;
    }
}

const char *counters_watch(struct nbu_stim *s, const struct nbu_in *in,
                           const struct nbu_out *before,
                           const struct nbu_out *after) {
    struct master *m = &s->base.master;
    const struct tally *t = &s->tally;
    watch_bus(s, in, before, after); /* by what was under way before the edge */
    const char *wrong = watch_updates(s, in, before, after);
    if (m->clearing)
        clear(s);
    m->late[NBU_CNT_went_far] = t->unsure[FAR] + t->waiting;
    m->late[NBU_CNT_went_near] = t->unsure[NEAR] + t->waiting;
    m->late[NBU_CNT_held] =
        t->lookups - (m->clearing ? 0 : m->count[NBU_CNT_held]);
    m->late[NBU_CNT_bus_stall] = t->stalls;
    return wrong;
}
