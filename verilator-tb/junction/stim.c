/* stim.c - stimulus of a network interface for two users: the users, and the
 * interface, each class and direction by itself.
 *
 * Every flit has a number that its bits depend on.  What a user sees taken must
 * come out to the interface in that order, on the edge that the note allows,
 * and no packet may be mixed with another; a user must get its turn.  What the
 * interface gives must come to the user that the packet's first flit says.
 * After each phase what has been begun is finished: first what is not held up,
 * while the rest still is, then all.
 *
 * random    phases with other rates, lengths, pauses and patience
 * directed  streams of both users, pauses inside packets, each side held up
 */
#include "stim.h"

#include "blocks/junction.h"
#include "kit/packets.h"
#include "kit/toggle.h"

#include <inttypes.h>

enum { CHAIN, SHARE, USERS };
enum { CLASSES = 2, LONGEST = 5, MARK = 14 };
enum { REST = 200 }; /* edges in which what is not held up has come to rest */

/* What can be held up altogether: the way out of a class, a user's way in. */
enum { NOTHING = -1, OUT, TO_CHAIN, TO_SHARE, HOLDS };

/* What the surroundings are like for a while. */
struct tune {
    int rate[USERS];    /* percent of the edges with a flit, by user */
    int pause;          /* percent of the edges inside a packet without one */
    int come;           /* percent of the edges with a flit that comes */
    int longest;        /* flits of a packet */
    int high, low;      /* longest times that a flit is taken, and not */
    int held, in_class; /* what is held up, and of which class */
};

enum stage { RUNNING, ONE_DRAINS, ALL_DRAIN };

/* A packet that somebody sends: flits that are left, and its head. */
struct begun {
    int left, x, y, order, user;
};

/* A flit that stands there until it is taken. */
struct offer {
    bool there;
    struct sent flit;
    int order;
};

/* A class on its way out. */
struct way_out {
    struct begun begun[USERS];
    struct offer offer[USERS];
    struct sent_list list; /* of both users; vc: the order */
    int open;              /* user whose packet is not at its end, -1 */
    int passed[USERS];     /* packets of the other since a flit waits */
    int alone[USERS];      /* edges that it waits with nothing in the way */
    struct toggle ready;
};

/* And in. */
struct way_in {
    struct begun begun;
    struct offer offer;
    struct sent_list list; /* vc: the user */
    struct toggle ready[USERS];
};

struct junction_stim {
    struct stim base;
    struct junction_local size;
    struct tune tune;
    enum stage stage;
    int left; /* edges of this phase, then below zero: of the stage */
    uint64_t numbers, sent, came;
    struct way_out out[CLASSES];
    struct way_in in[CLASSES];
};

/* --- ports ---------------------------------------------------------------- */

/* The inputs of a channel that gives flits. */
struct giver {
    uint64_t *valid, *last, *order, *x, *y, *data;
};

#define GIVER(c)                                                               \
    (struct giver) {                                                           \
        &in->c##_valid, &in->c##_last, &in->c##_order, &in->c##_x, &in->c##_y, \
            in->c##_data                                                       \
    }

static struct giver user_gives(struct junction_in *in, int class, int user) {
    if (class == 0)
        return user == CHAIN ? GIVER(chain_ask) : GIVER(share_ask);
    return user == CHAIN ? GIVER(chain_reply) : GIVER(share_reply);
}

static uint64_t user_ready(const struct junction_out *o, int class, int user) {
    if (class == 0)
        return user == CHAIN ? o->chain_ask_ready : o->share_ask_ready;
    return user == CHAIN ? o->chain_reply_ready : o->share_reply_ready;
}

/* What a channel shows, and whether it is taken. */
struct shown {
    uint64_t valid, ready, last, order, x, y;
    const uint64_t *data;
};

#define SENT(c)                                                                \
    (struct shown) {                                                           \
        o->c##_valid, in->c##_ready, o->c##_last, o->c##_order, o->c##_x,      \
            o->c##_y, o->c##_data                                              \
    }
#define GIVEN(c)                                                               \
    (struct shown) {                                                           \
        o->c##_valid, in->c##_ready, o->c##_last, 0, 0, 0, o->c##_data         \
    }

static struct shown shown_out(const struct junction_in *in,
                              const struct junction_out *o, int class) {
    return class == 0 ? SENT(send_req) : SENT(send_ans);
}

static struct shown shown_to(const struct junction_in *in,
                             const struct junction_out *o, int class,
                             int user) {
    if (class == 0)
        return user == CHAIN ? GIVEN(chain_asked) : GIVEN(share_asked);
    return user == CHAIN ? GIVEN(chain_replied) : GIVEN(share_replied);
}

/* --- phases --------------------------------------------------------------- */

static bool draining(const struct junction_stim *s) {
    return s->stage != RUNNING;
}

static bool is_held(const struct junction_stim *s, int class, int what) {
    return s->stage != ALL_DRAIN && s->tune.held == what &&
           s->tune.in_class == class;
}

static bool out_quiet(const struct way_out *w) {
    for (int u = 0; u < USERS; u++)
        if (w->begun[u].left || w->offer[u].there)
            return false;
    return !sent_oldest(&w->list);
}

static bool in_quiet(const struct way_in *w) {
    return !w->begun.left && !w->offer.there && !sent_oldest(&w->list);
}

static bool is_quiet(const struct junction_stim *s) {
    for (int c = 0; c < CLASSES; c++) {
        bool in_held = is_held(s, c, TO_CHAIN) || is_held(s, c, TO_SHARE);
        if (!is_held(s, c, OUT) && !out_quiet(&s->out[c]))
            return false;
        if (!in_held && !in_quiet(&s->in[c]))
            return false;
    }
    return true;
}

static bool phase_over(struct junction_stim *s) {
    s->left--;
    if (s->stage == RUNNING ? s->left > 0 : !is_quiet(s))
        return false;
    s->left = s->stage == ALL_DRAIN ? 0 : -1;
    s->stage = s->stage == ALL_DRAIN ? RUNNING : s->stage + 1;
    return s->stage == RUNNING;
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {{100, 100}, 0, 100, LONGEST, 1, 0, NOTHING, 0}, /* both, */
        {{100, 100}, 0, 100, 1, 1, 0, NOTHING, 0},       /* by single flits */
        {{100, 0}, 0, 100, 3, 1, 0, NOTHING, 0},         /* one alone, */
        {{0, 100}, 0, 100, 3, 1, 0, NOTHING, 0},         /* the other */
        {{100, 100}, 60, 100, LONGEST, 1, 0, NOTHING, 0},
        {{5, 5}, 0, 5, 1, 1, 0, NOTHING, 0},
        {{100, 100}, 0, 100, 3, 1, 0, OUT, 0},
        {{100, 100}, 0, 100, 3, 1, 0, OUT, 1},
        {{100, 100}, 0, 100, 3, 1, 0, TO_CHAIN, 0},
        {{100, 100}, 0, 100, 3, 1, 0, TO_SHARE, 0},
        {{100, 100}, 0, 100, 3, 1, 0, TO_CHAIN, 1},
        {{100, 100}, 0, 100, 3, 1, 0, TO_SHARE, 1},
        {{80, 80}, 20, 80, 3, 3, 6, NOTHING, 0},
    };
    struct junction_stim *s = (struct junction_stim *)base;
    if (!phase_over(s))
        return;
    s->tune = script[base->now / 250 % (sizeof script / sizeof *script)];
    s->left = 200;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 80, 40, 5, 0};
    struct junction_stim *s = (struct junction_stim *)base;
    struct rng *r = &base->rng;
    if (!phase_over(s))
        return;
    for (int u = 0; u < USERS; u++)
        s->tune.rate[u] = rates[rng_below(r, 6)];
    s->tune.pause = rng_percent(r, 50) ? 0 : rng_range(r, 10, 80);
    s->tune.come = rates[rng_below(r, 5)];
    s->tune.longest = rng_range(r, 1, LONGEST);
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 9);
    s->tune.held = rng_percent(r, 60) ? NOTHING : rng_range(r, 0, HOLDS - 1);
    s->tune.in_class = rng_range(r, 0, CLASSES - 1);
    s->left = rng_range(r, 30, 300);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct junction_stim *)base)->size = junction_local(c);
    base->reset_every = 3000;
}

static void close(struct stim *base) {
    struct junction_stim *s = (struct junction_stim *)base;
    for (int c = 0; c < CLASSES; c++) {
        sent_free(&s->out[c].list);
        sent_free(&s->in[c].list);
    }
}

static void reset(struct stim *base) {
    struct junction_stim *s = (struct junction_stim *)base;
    for (int c = 0; c < CLASSES; c++) {
        struct way_out *o = &s->out[c];
        struct way_in *i = &s->in[c];
        for (int u = 0; u < USERS; u++) {
            o->begun[u].left = o->passed[u] = o->alone[u] = 0;
            o->offer[u].there = false;
        }
        o->open = -1;
        sent_clear(&o->list);
        i->begun.left = 0;
        i->offer.there = false;
        sent_clear(&i->list);
    }
    s->left = 0;
    s->stage = RUNNING;
}

/* Its bits: of the first flit of a packet that comes the lowest four say whose
 * it is. */
static void lay(const struct junction_stim *s, const struct sent *f, bool comes,
                uint64_t *data) {
    sent_data(f->number, 0, 1, s->size.FLIT_W, data);
    if (!comes || !f->first)
        return;
    if (f->vc == SHARE)
        data[0] = (data[0] & ~ones(4)) | MARK;
    else if ((data[0] & 15) == MARK)
        data[0] ^= f->number & 1 ? 1 : 8;
}

static void next_flit(struct junction_stim *s, struct begun *b, int user,
                      struct offer *o) {
    struct rng *r = &s->base.rng;
    o->flit = (struct sent){.number = s->numbers++, .first = b->left == 0};
    if (o->flit.first) {
        b->left = rng_range(r, 1, s->tune.longest);
        b->x = rng_range(r, 0, s->size.WIDTH - 1);
        b->y = rng_range(r, 0, s->size.HEIGHT - 1);
        b->order = rng_range(r, 0, 1);
        b->user = user;
    }
    o->flit.last = --b->left == 0;
    o->flit.x = b->x;
    o->flit.y = b->y;
    o->flit.vc = b->user;
    o->order = b->order;
    o->there = true;
}

/* Shall there be a flit of it on this edge? */
static bool goes_on(struct junction_stim *s, const struct begun *b, int rate) {
    struct rng *r = &s->base.rng;
    if (draining(s))
        return b->left > 0;
    return b->left > 0 ? !rng_percent(r, s->tune.pause) : rng_percent(r, rate);
}

static void show(const struct junction_stim *s, const struct offer *o,
                 bool comes, struct giver to) {
    memset(to.data, 0, FLIT_DATA * sizeof *to.data);
    *to.valid = o->there;
    *to.last = o->there && o->flit.last;
    if (to.order) {
        *to.order = o->there && o->order;
        *to.x = o->there ? (uint64_t)o->flit.x : 0;
        *to.y = o->there ? (uint64_t)o->flit.y : 0;
    }
    if (o->there)
        lay(s, &o->flit, comes, to.data);
}

static void drive_class(struct junction_stim *s, struct junction_in *in,
                        int c) {
    struct way_out *w = &s->out[c];
    struct way_in *i = &s->in[c];
    struct giver takes =
        c == 0 ? (struct giver){&in->take_req_valid,
                                &in->take_req_last,
                                NULL,
                                NULL,
                                NULL,
                                in->take_req_data}
               : (struct giver){
                     &in->take_ans_valid, &in->take_ans_last, NULL, NULL, NULL,
                     in->take_ans_data};
    for (int u = 0; u < USERS; u++) {
        if (!w->offer[u].there && goes_on(s, &w->begun[u], s->tune.rate[u]))
            next_flit(s, &w->begun[u], u, &w->offer[u]);
        show(s, &w->offer[u], false, user_gives(in, c, u));
    }
    if (!i->offer.there && goes_on(s, &i->begun, s->tune.come))
        next_flit(s, &i->begun, (int)rng_below(&s->base.rng, USERS), &i->offer);
    show(s, &i->offer, true, takes);
}

static bool drive_ready(struct junction_stim *s, struct toggle *t, int class,
                        int what) {
    bool ready =
        toggle_step(t, &s->base.rng, s->tune.high, s->tune.low) || draining(s);
    return ready && !is_held(s, class, what);
}

static void drive(struct stim *base, void *ports) {
    struct junction_stim *s = (struct junction_stim *)base;
    struct junction_in *in = ports;
    if (base->rst_left > 0) {
        memset(in, 0, sizeof *in);
        return;
    }
    for (int c = 0; c < CLASSES; c++)
        drive_class(s, in, c);
    in->send_req_ready = drive_ready(s, &s->out[0].ready, 0, OUT);
    in->send_ans_ready = drive_ready(s, &s->out[1].ready, 1, OUT);
    in->chain_asked_ready = drive_ready(s, &s->in[0].ready[0], 0, TO_CHAIN);
    in->share_asked_ready = drive_ready(s, &s->in[0].ready[1], 0, TO_SHARE);
    in->chain_replied_ready = drive_ready(s, &s->in[1].ready[0], 1, TO_CHAIN);
    in->share_replied_ready = drive_ready(s, &s->in[1].ready[1], 1, TO_SHARE);
}

/* --- what must come out --------------------------------------------------- */

static const char *const class_name[CLASSES] = {"requests", "answers"};
static const char *const user_name[USERS] = {"chains", "shared memory"};

/* The oldest flit of a list is at a channel, if it was not taken on this very
 * edge. */
static const char *check_shown(struct junction_stim *s, const struct sent *f,
                               const struct shown *at, bool comes, int c) {
    uint64_t data[FLIT_DATA] = {0};
    bool due = f && f->when < s->base.now;
    if (at->valid != due)
        return stim_complain(&s->base, "a flit of %s is %sthere", class_name[c],
                             due ? "not " : "");
    if (!due)
        return NULL;
    lay(s, f, comes, data);
    if (memcmp(data, at->data, sizeof data) != 0 || at->last != f->last)
        return stim_complain(&s->base, "a flit of %s is altered, or another",
                             class_name[c]);
    if (!comes &&
        ((int)at->x != f->x || (int)at->y != f->y || (int)at->order != f->vc))
        return stim_complain(&s->base, "%s goes to another place",
                             class_name[c]);
    return NULL;
}

/* Turns: user u has a flit, and sees it taken or not. */
static const char *check_turn(struct junction_stim *s, struct way_out *w, int u,
                              bool ready, bool room) {
    bool other = w->offer[!u].there;
    if (!w->offer[u].there || ready) {
        w->alone[u] = 0;
        return NULL;
    }
    w->alone[u] = !other && w->open < 0 && room ? w->alone[u] + 1 : 0;
    if (w->alone[u] > 1)
        return stim_complain(&s->base, "a flit of %s waits for nobody",
                             user_name[u]);
    if (w->passed[u] > 1)
        return stim_complain(&s->base,
                             "a flit of %s waits for a second packet of %s",
                             user_name[u], user_name[!u]);
    return NULL;
}

/* User u sees its flit taken. */
static const char *note_sent(struct junction_stim *s, struct way_out *w,
                             int u) {
    struct sent f = w->offer[u].flit;
    if (w->open >= 0 && w->open != u)
        return stim_complain(&s->base, "a flit of %s among those of %s",
                             user_name[u], user_name[!u]);
    f.when = s->base.now;
    f.vc = w->offer[u].order;
    sent_put(&w->list, f);
    w->open = f.last ? -1 : u;
    w->offer[u].there = false;
    w->passed[u] = 0;
    if (f.last && w->offer[!u].there)
        w->passed[!u]++;
    return NULL;
}

static const char *watch_out(struct junction_stim *s,
                             const struct junction_in *in,
                             const struct junction_out *before,
                             const struct junction_out *after, int c) {
    struct way_out *w = &s->out[c];
    struct shown was = shown_out(in, before, c), is = shown_out(in, after, c);
    bool ready[USERS] = {user_ready(before, c, CHAIN) & 1,
                         user_ready(before, c, SHARE) & 1};
    const char *wrong = NULL;
    int held = w->list.n - w->list.head - (int)was.valid;
    bool room = held < 2;

    if (s->base.age > 0 && ready[CHAIN] + ready[SHARE] != room)
        return stim_complain(&s->base, "%d users of %s may go, expected %d",
                             ready[CHAIN] + ready[SHARE], class_name[c], room);
    for (int u = 0; u < USERS && !wrong; u++)
        wrong = check_turn(s, w, u, ready[u], room);
    if (was.valid && was.ready) {
        sent_drop(&w->list);
        s->sent++;
    }
    for (int u = 0; u < USERS && !wrong; u++)
        if (w->offer[u].there && ready[u])
            wrong = note_sent(s, w, u);
    return wrong ? wrong : check_shown(s, sent_oldest(&w->list), &is, false, c);
}

static const char *watch_in(struct junction_stim *s,
                            const struct junction_in *in,
                            const struct junction_out *before,
                            const struct junction_out *after, int c) {
    struct way_in *w = &s->in[c];
    bool ready = (c == 0 ? before->take_req_ready : before->take_ans_ready) & 1;
    const char *wrong = NULL;
    bool valid = false;

    for (int u = 0; u < USERS; u++) {
        struct shown was = shown_to(in, before, c, u);
        valid |= was.valid & 1;
    }
    if (s->base.age > 0 && ready != (w->list.n - w->list.head - valid < 2))
        return stim_complain(&s->base, "a flit of %s is %s", class_name[c],
                             ready ? "taken too early" : "refused");
    for (int u = 0; u < USERS; u++) {
        struct shown was = shown_to(in, before, c, u);
        if (was.valid && was.ready) {
            sent_drop(&w->list);
            s->came++;
        }
    }
    if (w->offer.there && ready) {
        w->offer.flit.when = s->base.now;
        sent_put(&w->list, w->offer.flit);
        w->offer.there = false;
    }
    for (int u = 0; u < USERS && !wrong; u++) {
        struct shown is = shown_to(in, after, c, u);
        const struct sent *f = sent_oldest(&w->list);
        wrong = check_shown(s, f && f->vc == u ? f : NULL, &is, true, c);
    }
    return wrong;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct junction_stim *s = (struct junction_stim *)base;
    const struct junction_in *in = in_ports;
    const char *wrong = NULL;
    for (int c = 0; c < CLASSES; c++) {
        const char *out = watch_out(s, in, before_ports, after_ports, c);
        const char *come = watch_in(s, in, before_ports, after_ports, c);
        wrong = wrong ? wrong : out ? out : come;
    }
    if (!wrong && draining(s) && s->left < -REST)
        wrong = stim_complain(base, "flits do not come out");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct junction_stim *s = (const struct junction_stim *)base;
    text_printf(t, "sent\t%" PRIu64 "\n", s->sent);
    text_printf(t, "came\t%" PRIu64 "\n", s->came);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class junction_stim = {
    .size = sizeof(struct junction_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
