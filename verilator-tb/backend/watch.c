/* watch.c - what the parts of the core tell each other, as the environment of
 * near_bank hears it, and what is shown to the front end. */
#include "env.h"

#include "base/bits.h"
#include "iface/opclass.h"

#include <string.h>

static struct flight *find(struct backend_stim *s, uint64_t warp,
                           enum flight_state state, bool store, uint64_t reg) {
    for (int n = 0; n < FLIGHTS && warp < (uint64_t)s->nb.size.WARPS; n++) {
        struct flight *f = &s->nb.flight[warp][n];
        if (f->state == state && f->side == FAR &&
            f->i.op == (store ? OPC_st_global : OPC_ld_global) &&
            f->i.reg[store ? SRC1 : DST] == reg && task_of(s, f)->handed)
            return f;
    }
    return NULL;
}

/* Instructions of the base die that are under way, by warp and tag. */
static struct flight *named(struct backend_stim *s, uint64_t warp,
                            uint64_t tag) {
    for (int n = 0; n < FLIGHTS && warp < (uint64_t)s->nb.size.WARPS; n++) {
        struct flight *f = &s->nb.flight[warp][n];
        if (f->state == EXECUTING && f->side == FAR && f->i.tag == tag)
            return f;
    }
    return NULL;
}

/* --- near_bank's environment hears --------------------------------------- */

static void hear_done(struct backend_stim *s, const struct edge *e) {
    const struct far_pipe_out *o = e->far_before;
    s->nb.completing = NULL;
    if (!o->done_valid || !e->core.unit_before->far_done_ready)
        return;
    struct flight *f = named(s, o->done_warp, o->done_tag);
    if (!f || f->ticket != o->done_ticket) {
        stim_complain(&s->nb.base,
                      "warp %u tag %u completes far, but does not run",
                      (unsigned)o->done_warp, (unsigned)o->done_tag);
        return;
    }
    s->nb.completing = f;
}

static void hear_fetch(struct backend_stim *s, const struct edge *e) {
    const struct lsu_link_out *o = e->link_before;
    if (!o->pipe_fetch_valid || !e->core.pipes_before->fetch_ready)
        return;
    struct flight *f =
        find(s, o->pipe_fetch_warp, EXECUTING, true, o->pipe_fetch_reg);
    if (!f)
        stim_complain(&s->nb.base, "a row is fetched that no store wants");
    s->nb.fetch = (struct transfer){.offered = true, .flight = f};
    s->nb.fetch.warp = o->pipe_fetch_warp % (uint64_t)s->nb.size.WARPS;
    s->nb.fetch.reg = o->pipe_fetch_reg;
    s->nb.stores++;
}

static void check_loaded(struct backend_stim *s, const struct flight *f,
                         const struct lsu_link_out *o) {
    if (o->pipe_load_mask != f->lanes)
        stim_complain(&s->nb.base, "a load of warp %d writes other lanes",
                      f->i.warp);
    for (int l = 0; l < s->nb.size.LANES && !task_of(s, f)->cause; l++)
        if ((f->lanes >> l & 1) &&
            bits_lane(o->pipe_load_data, l) != f->made.lane[l])
            stim_complain(&s->nb.base,
                          "warp %d tag %u loads %08x in lane %d, but program "
                          "order left %08x there",
                          f->i.warp, (unsigned)f->i.tag,
                          (unsigned)bits_lane(o->pipe_load_data, l), l,
                          (unsigned)f->made.lane[l]);
}

static void hear_load(struct backend_stim *s, const struct edge *e) {
    const struct lsu_link_out *o = e->link_before;
    if (!o->pipe_load_valid || !e->core.pipes_before->load_ready)
        return;
    struct flight *f =
        find(s, o->pipe_load_warp, EXECUTING, false, o->pipe_load_reg);
    if (!f)
        stim_complain(&s->nb.base, "a row is loaded that nobody asked for");
    else
        check_loaded(s, f, o);
    s->nb.load.flight = f ? f : &s->nobody;
}

static void hear_beats(struct backend_stim *s, const struct edge *e) {
    const struct dies_in *in = e->core.unit_in;
    size_t n = (size_t)(s->nb.size.TSV_W + 63) / 64 * sizeof(uint64_t);
    s->nb.down.last = in->lsu_down_last;
    memcpy(s->nb.down.data, in->lsu_down_data, n);
    s->nb.up.last = in->lsu_up_last;
    memcpy(s->nb.up.data, in->lsu_up_data, n);
}

/* --- the front end ------------------------------------------------------- */

static void check_resolve(struct backend_stim *s,
                          const struct far_pipe_out *o) {
    struct flight *f = named(s, o->resolve_warp, o->resolve_tag);
    if (!o->resolve_valid)
        return;
    if (!f || task_of(s, f)->kind != BASE_CONTROL || task_of(s, f)->shown) {
        stim_complain(&s->nb.base, "no such control word is to be resolved");
        return;
    }
    if (f->lanes != o->resolve_lanes)
        stim_complain(&s->nb.base,
                      "warp %d tag %u is resolved with other lanes", f->i.warp,
                      (unsigned)f->i.tag);
    task_of(s, f)->shown = true;
    s->resolved++;
}

static void check_fault(struct backend_stim *s, const struct far_pipe_out *o) {
    struct flight *f = named(s, o->fault_warp, o->fault_tag);
    if (!o->fault_valid)
        return;
    struct task *t = f ? task_of(s, f) : NULL;
    if (!t || t->faulted || t->cause != o->fault_cause ||
        t->address != o->fault_address) {
        stim_complain(&s->nb.base, "warp %u tag %u has no such fault",
                      (unsigned)o->fault_warp, (unsigned)o->fault_tag);
        return;
    }
    t->faulted = true;
    s->faults++;
}

/* The oldest access of a warp that has not been handed over; NULL: none. */
static struct flight *to_hand(struct backend_stim *s, uint64_t warp) {
    struct flight *f = NULL;
    for (int n = 0; n < FLIGHTS && warp < (uint64_t)s->nb.size.WARPS; n++) {
        struct flight *g = &s->nb.flight[warp][n];
        struct task *t = task_of(s, g);
        if (g->state == EXECUTING && g->side == FAR && t->kind == BASE_ACCESS &&
            (t->cause == 0 || t->cause == 8) && !t->handed &&
            (!f || g->since < f->since))
            f = g;
    }
    if (!f)
        stim_complain(&s->nb.base, "an access that no instruction makes");
    else
        task_of(s, f)->handed = true;
    return f;
}

static void complain_of(struct backend_stim *s, const struct flight *f) {
    stim_complain(&s->nb.base,
                  "warp %d tag %u accesses memory, but not as it should",
                  f->i.warp, (unsigned)f->i.tag);
}

/* What goes to the load-store unit is an instruction's, once. */
static void check_access(struct backend_stim *s, const struct edge *e) {
    const struct far_pipe_out *o = e->far_before;
    if (!o->access_valid || !e->rmw_before->access_ready)
        return;
    struct flight *f = to_hand(s, o->access_warp);
    s->access = f;
    if (!f)
        return;
    struct task *t = task_of(s, f);
    bool store = f->i.op == OPC_st_global, same = o->access_mask == f->lanes;
    same = same && o->access_store == store &&
           o->access_reg == f->i.reg[store ? SRC1 : DST];
    for (int l = 0; l < s->nb.size.LANES; l++)
        same =
            same && (!(f->lanes >> l & 1) ||
                     bits_get(o->access_address, 30 * l, 30) == t->at[l] >> 2);
    if (!same)
        complain_of(s, f);
}

/* ... or to the read-modify-write unit; what comes of it is seen in registers
 * and memory. */
static void check_ask(struct backend_stim *s, const struct edge *e) {
    const struct far_pipe_out *o = e->far_before;
    if (!o->ask_valid || !e->rmw_before->ask_ready)
        return;
    struct flight *f = to_hand(s, o->ask_warp);
    s->ask = f;
    s->asked = 0;
    if (!f)
        return;
    struct task *t = task_of(s, f);
    bool same = base_part(f->i.word.op) && o->ask_mask == f->lanes;
    for (int l = 0; l < s->nb.size.LANES; l++)
        same = same && (!(f->lanes >> l & 1) ||
                        bits_lane(o->ask_address, l) == t->at[l]);
    if (!same)
        complain_of(s, f);
    s->parts++;
}

/* An instruction has committed with all that it had to show. */
static void check_ended(struct backend_stim *s, const struct flight *f) {
    const struct task *t = task_of(s, f);
    bool handed = t->kind == BASE_ACCESS && (t->cause == 0 || t->cause == 8);
    if ((t->kind == BASE_CONTROL && !t->shown) || (t->cause && !t->faulted) ||
        handed != t->handed)
        stim_complain(
            &s->nb.base,
            "warp %d tag %u has committed without what it had to show",
            f->i.warp, (unsigned)f->i.tag);
}

static void check_commits(struct backend_stim *s, const bool *done) {
    for (int n = 0; n < flights_of(s); n++)
        if (done[n] && flight_no(s, n)->state == FREE)
            check_ended(s, flight_no(s, n));
}

/* --- an edge -------------------------------------------------------------- */

void watch_edge(struct backend_stim *s, struct edge *e) {
    struct dies_in unit_in;
    bool done[WARPS * FLIGHTS];
    bool accepts =
        e->core.unit_in->issue_valid &&
        (e->core.unit_before->issue_ready >> e->core.unit_in->issue_warp & 1);
    for (int n = 0; n < flights_of(s); n++)
        done[n] = flight_no(s, n)->state != FREE;
    check_access(s, e);
    check_ask(s, e);
    hear_done(s, e);
    hear_fetch(s, e);
    hear_load(s, e);
    hear_beats(s, e);
    if (!s->nb.completing && e->core.unit_in->far_done_valid) {
        unit_in = *e->core.unit_in;
        unit_in.far_done_valid = 0;
        e->core.unit_in = &unit_in;
    }
    check_resolve(s, e->far_after);
    check_fault(s, e->far_after);
    if (e->far_after->shared_fault_valid)
        stim_complain(&s->nb.base, "an access to shared memory faults");
    rows_watch(&s->nb, &e->core);
    core_watch(&s->nb, &e->core);
    if (accepts)
        program_accepted(s, core_waiting(&s->nb, e->core.unit_in->issue_warp));
    check_commits(s, done);
    program_took(s, e);
    memory_watch(s, e);
    s->near_accesses +=
        e->hybrid_after->done_valid && e->hybrid_after->done_near;
    s->splits += e->hybrid_after->done_valid && !e->hybrid_after->done_near;
}
