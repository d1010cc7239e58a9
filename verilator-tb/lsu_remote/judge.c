/* judge.c - what LSU-Remote shows, held against what it must.
 *
 * Each edge is looked at with what was known before it; only then what was
 * taken, and the slot that was answered, change it.
 */
#include "env.h"

#include <inttypes.h>
#include <string.h>

enum { QUIET = 2 /* edges at most without a reason */ };

static bool is_full(const struct lsu_remote_stim *s) {
    for (int i = 0; i < s->size.LANES; i++)
        if (s->slot[i].who == NOBODY)
            return false;
    return true;
}

static bool same_data(const struct lsu_remote_stim *s, const uint64_t *wide,
                      const uint32_t *word) {
    for (int i = 0; i < s->size.WORDS; i++)
        if (bits_lane(wide, i) != word[i])
            return false;
    return true;
}

/* --- who may go ----------------------------------------------------------- */

/* No store of another core may go down. */
static bool is_held(const struct lsu_remote_stim *s,
                    const struct lsu_remote_in *in) {
    return in->hold_stores || (s->own.has && s->own.held);
}

static bool own_could(const struct lsu_remote_stim *s, bool full) {
    return s->own.has && (s->own.d.near || !full);
}

static bool other_could(const struct lsu_remote_stim *s,
                        const struct lsu_remote_in *in, bool full) {
    const struct request *r = &s->other.r;
    if (!s->other.has || s->other.phase != FRESH)
        return false;
    if (r->op != OP_LOAD && is_held(s, in))
        return false;
    return !full || !lsur_is_direct(s, r);
}

/* Whether a change has loaded, or is about to, and has not stored. */
static bool is_between(const struct lsu_remote_stim *s) {
    return s->other.has &&
           (s->other.phase == LOADING || s->other.phase == LOADED);
}

/* Something of both could go from the edge before on, or on this one. */
static void count_overtaken(struct lsu_remote_stim *s,
                            const struct lsu_remote_in *in, enum who who,
                            bool full) {
    uint64_t now = s->base.now;
    if (who == OWN) {
        s->overtaken_own = 0;
        s->overtaken_other += other_could(s, in, full);
    } else {
        s->overtaken_other = 0;
        if (who == OTHER)
            s->overtaken_own += own_could(s, full);
        else if (!s->was_full) /* a change was chosen on the edge before */
            s->overtaken_own += s->own.has && s->own.since + 2 <= now;
    }
    if (s->overtaken_own > 1 || s->overtaken_other > 1)
        stim_complain(&s->base, "%s is overtaken twice",
                      s->overtaken_own > 1 ? "the own core's request"
                                           : "another core's request");
}

/* --- down ----------------------------------------------------------------- */

static const char *const name_of[] = {"", "the own core's request",
                                      "another core's request",
                                      "a change's request"};

static void check_fields(struct lsu_remote_stim *s,
                         const struct lsu_remote_out *o, const struct down *d,
                         enum who who) {
    const char *name = name_of[who];
    bool rest = o->down_near == d->near && o->down_unit == d->unit &&
                o->down_warp == d->warp && o->down_reg == d->reg;
    if (o->down_id != d->id)
        stim_complain(&s->base,
                      "%s goes down with id %" PRIu64 ", expected %" PRIu64,
                      name, o->down_id, d->id);
    if (o->down_store != d->store)
        stim_complain(&s->base, "%s %s, expected that it %s", name,
                      o->down_store ? "stores" : "loads",
                      d->store ? "stores" : "loads");
    if (o->down_address != d->address || !rest)
        stim_complain(&s->base, "%s goes to another place", name);
    if (o->down_strobe != d->strobe)
        stim_complain(&s->base,
                      "%s stores words %" PRIx64 ", expected %" PRIx64, name,
                      o->down_strobe, d->strobe);
    if (!same_data(s, o->down_data, d->data))
        stim_complain(&s->base, "%s stores other bytes than it must", name);
}

/* Between the own core's load and its store nothing else of the sector may
 * change. */
static void check_holder(struct lsu_remote_stim *s) {
    struct holder *h = &s->holder;
    const struct sector *m = &s->memory[h->sector];
    if (!s->own.holds)
        return;
    if (s->own.d.store && memcmp(h->was, m->is, (size_t)s->size.SECTOR) != 0)
        stim_complain(&s->base, "the own core's store undoes what came "
                                "between its load and it");
    h->down = !s->own.d.store;
    memcpy(h->was, m->is, sizeof h->was);
}

static void own_shown(struct lsu_remote_stim *s, struct down *d,
                      bool *message) {
    if (is_between(s))
        stim_complain(&s->base, "the own core's request goes down between "
                                "load and store of a change");
    *d = s->own.d;
    *message = d->near;
    check_holder(s);
    s->own.has = false;
    s->owns++;
}

/* The request that another core's needs next; false: none. */
static enum who other_shown(struct lsu_remote_stim *s, struct down *d,
                            uint64_t *id) {
    struct other *q = &s->other;
    *id = q->r.id;
    if (!q->has || q->phase == LOADING || q->phase == STORING)
        return NOBODY;
    bool direct = lsur_is_direct(s, &q->r), first = q->phase == FRESH;
    bool stores = direct ? q->r.op == OP_STORE : !first;
    if (s->holder.down && (stores || !direct))
        stim_complain(&s->base, "another core changes what the own core "
                                "holds");
    *d = lsur_down_of(s, stores);
    if (direct) {
        q->has = false;
        s->directs++;
        return OTHER;
    }
    q->phase = first ? LOADING : STORING;
    s->changes += !first;
    return CHANGE;
}

/* A request is at down since this edge; full: no slot was free before it. */
static void check_down(struct lsu_remote_stim *s,
                       const struct lsu_remote_in *in,
                       const struct lsu_remote_out *o, bool own, bool full) {
    struct down d;
    uint64_t id = s->own.d.id;
    bool message = false, was_fresh = s->other.phase == FRESH;
    enum who who = OWN;
    if (own) {
        count_overtaken(s, in, OWN, full);
        own_shown(s, &d, &message);
    } else {
        who = other_shown(s, &d, &id);
        if (who == NOBODY) {
            stim_complain(&s->base, "a request goes down that nobody has");
            s->shown_for = NOBODY;
            return;
        }
        if (was_fresh)
            count_overtaken(s, in, who, full);
    }
    d.id = 0;
    while (!message && !full && s->slot[d.id].who != NOBODY)
        d.id++;
    if (!message && full)
        stim_complain(&s->base, "a transaction goes down, but all ids are "
                                "under way");
    check_fields(s, o, &d, who);
    s->shown = d;
    s->shown_for = who;
    if (!message && !full)
        s->slot[d.id] = (struct slot){.who = who, .id = id};
}

static void watch_down(struct lsu_remote_stim *s,
                       const struct lsu_remote_in *in,
                       const struct lsu_remote_out *before,
                       const struct lsu_remote_out *after, bool full) {
    bool went = before->down_valid && in->down_ready;
    bool comes = after->down_valid && (went || !before->down_valid);
    bool own = after->tx_ready && !before->tx_ready;
    bool could =
        !before->down_valid &&
        (is_between(s) ? s->other.phase == LOADED
                       : own_could(s, full) || other_could(s, in, full));
    if (full && s->other.has && !lsur_is_direct(s, &s->other.r))
        could = false; /* it may have been chosen, and waits for a slot */
    if (went && !s->shown.near && s->shown_for != NOBODY)
        lsur_carry_out(s, &s->shown);
    if (own && !comes)
        stim_complain(&s->base, "the own core's request is lost");
    s->quiet = could && !comes ? s->quiet + 1 : 0;
    if (s->quiet > QUIET)
        stim_complain(&s->base, "it stands still");
    if (comes)
        check_down(s, in, after, own, full);
}

/* --- answers -------------------------------------------------------------- */

/* What has to be shown. */
struct shows {
    bool valid, fault;
    uint64_t id;
    uint32_t data[WORDS];
};

static void check_rsp(struct lsu_remote_stim *s, const struct lsu_remote_out *o,
                      const struct shows *w) {
    if (o->rsp_valid != w->valid)
        stim_complain(&s->base, w->valid ? "another core's answer is lost"
                                         : "an answer for another core that "
                                           "it does not get");
    if (o->rsp_id != w->id)
        stim_complain(&s->base,
                      "another core's answer has id %" PRIx64
                      ", expected %" PRIx64,
                      o->rsp_id, w->id);
    if (o->rsp_fault != w->fault || !same_data(s, o->rsp_data, w->data))
        stim_complain(&s->base, "another core's answer is another one");
}

/* The answer to a change's load or store; true if it is told. */
static bool change_answered(struct lsu_remote_stim *s, const struct slot *t,
                            struct shows *w) {
    struct other *q = &s->other;
    if (q->phase == LOADING && !t->fault) {
        q->phase = LOADED;
        return false;
    }
    *w = (struct shows){.valid = true, .fault = t->fault, .id = q->r.id};
    for (int i = 0; i < s->size.WORDS; i++)
        if (!t->fault && q->r.op > OP_STORE && q->r.strobe >> 4 * i & 1)
            w->data[i] = q->old;
    q->has = false;
    return true;
}

/* The own core hears of one of its ids. */
static void own_hears(struct lsu_remote_stim *s, const struct slot *t) {
    struct holder *h = &s->holder;
    s->ids &= ~bit((int)t->id);
    if (t->id != h->id)
        return;
    if (h->step == HOLD_WAIT) {
        h->step = HOLD_THINK;
        h->fault = t->fault;
        memcpy(h->loaded, t->data, sizeof h->loaded);
    } else if (h->step == HOLD_KEPT) {
        h->step = FREE;
    }
}

/* An answer of the own banks; the own core's goes into back. */
static void watch_answer(struct lsu_remote_stim *s,
                         const struct lsu_remote_out *o, struct shows *back) {
    struct shows rsp = {0};
    struct slot none = {0}, *t = s->given < 0 ? &none : &s->slot[s->given];
    if (t->who == OTHER) {
        rsp = (struct shows){.valid = true, .fault = t->fault, .id = t->id};
        memcpy(rsp.data, t->data, sizeof rsp.data);
    } else if (t->who == CHANGE) {
        change_answered(s, t, &rsp);
    } else if (t->who == OWN) {
        *back = (struct shows){.valid = true, .fault = t->fault, .id = t->id};
        memcpy(back->data, t->data, sizeof back->data);
        own_hears(s, t);
    }
    check_rsp(s, o, &rsp);
    *t = none;
}

static void watch_back(struct lsu_remote_stim *s,
                       const struct lsu_remote_in *in,
                       const struct lsu_remote_out *o, struct shows *own) {
    const struct reply *first = &s->came[0];
    bool due = !own->valid && s->cames > 0 && first->since + 2 <= s->base.now;
    struct shows w = *own;
    if (due) {
        w = (struct shows){
            .valid = true, .fault = first->fault, .id = first->id};
        memcpy(w.data, first->data, sizeof w.data);
        s->ids &= ~bit((int)first->id);
        s->cames--;
        memmove(s->came, s->came + 1, (size_t)s->cames * sizeof s->came[0]);
        s->owed--;
    }
    if (o->back_valid != w.valid)
        stim_complain(&s->base, w.valid ? "the own core's answer is lost"
                                        : "an answer for the own core that it "
                                          "does not get");
    if (o->back_id != w.id)
        stim_complain(&s->base,
                      "the own core's answer has id %" PRIx64
                      ", expected %" PRIx64,
                      o->back_id, w.id);
    if (o->back_fault != w.fault || !same_data(s, o->back_data, w.data))
        stim_complain(&s->base, "the own core's answer is another one");
    if (!in->got_valid)
        return;
    struct reply *r = &s->came[s->cames++];
    *r = (struct reply){
        .id = in->got_id, .fault = in->got_fault, .since = s->base.now};
    for (int i = 0; i < s->size.WORDS; i++)
        r->data[i] = bits_lane(in->got_data, i);
    s->sents &= ~bit((int)in->got_id);
}

/* --- to other cores ------------------------------------------------------- */

static void watch_send(struct lsu_remote_stim *s,
                       const struct lsu_remote_in *in,
                       const struct lsu_remote_out *before,
                       const struct lsu_remote_out *after) {
    const struct far *f = &s->sent;
    bool taken = (in->away_valid && before->away_ready) ||
                 (in->part_valid && before->part_ready);
    bool went = before->send_valid && in->send_ready;
    if (went)
        s->sents |= bit((int)f->id);
    if (taken) {
        s->sent = s->away;
        s->wants_away = false;
        s->owed++;
        s->fars++;
    }
    if (after->send_valid != (taken || (before->send_valid && !went)))
        stim_complain(&s->base, taken ? "a request for another core is lost"
                                      : "a request for another core that "
                                        "nobody has");
    if (taken &&
        (after->send_op != (uint64_t)f->op || after->send_id != f->id ||
         after->send_address != lsur_whole(s, f->core, f->at) ||
         after->send_strobe != f->strobe || after->send_compare != f->compare ||
         !same_data(s, after->send_data, f->data)))
        stim_complain(&s->base,
                      "a request for another core is sent as another");
}

static void check_ready(struct lsu_remote_stim *s,
                        const struct lsu_remote_out *o) {
    bool far = !o->send_valid && s->owed < s->size.PLACES;
    if (o->away_ready != far || o->part_ready != far)
        stim_complain(&s->base, far ? "a request for another core is refused, "
                                      "with room for its answer"
                                    : "a request for another core is taken "
                                      "without room");
    if (o->tx_ready != !s->own.has)
        stim_complain(&s->base, s->own.has ? "the own core is asked for more "
                                             "than is kept of it"
                                           : "the own core is refused without "
                                             "a reason");
    if (o->req_ready != !s->other.has)
        stim_complain(&s->base, s->other.has
                                    ? "another core is asked for more than is "
                                      "kept of it"
                                    : "another core is refused without a "
                                      "reason");
}

/* --- an edge -------------------------------------------------------------- */

static void take_own(struct lsu_remote_stim *s,
                     const struct lsu_remote_in *in) {
    struct holder *h = &s->holder;
    s->own = (struct own){.has = true,
                          .d = s->offer,
                          .held = in->hold_stores,
                          .holds = s->offer_holds,
                          .since = s->base.now};
    s->offered = false;
    if (h->step == HOLD_LOAD)
        h->step = HOLD_WAIT;
    else if (h->step == HOLD_STORE)
        h->step = HOLD_KEPT;
}

static void take_other(struct lsu_remote_stim *s) {
    s->other = (struct other){.has = true, .r = s->asks, .phase = FRESH};
    s->asked = false;
}

const char *lsur_watch(struct stim *base, const void *in_ports,
                       const void *before_ports, const void *after_ports) {
    struct lsu_remote_stim *s = (struct lsu_remote_stim *)base;
    const struct lsu_remote_in *in = in_ports;
    const struct lsu_remote_out *before = before_ports, *after = after_ports;
    bool full = is_full(s);
    struct shows back = {0};
    watch_down(s, in, before, after, full);
    watch_answer(s, after, &back);
    watch_back(s, in, after, &back);
    watch_send(s, in, before, after);
    if (in->tx_valid && before->tx_ready)
        take_own(s, in);
    if (in->req_valid && before->req_ready)
        take_other(s);
    check_ready(s, after);
    s->was_full = full;
    return base->message[0] ? base->message : NULL;
}
