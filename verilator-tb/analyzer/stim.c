/* stim.c - stimulus of the memory map analyzer: puts its parts together.
 *
 * env.c      driver and software
 * oracle.c   what the unit must know and show (TOM, 3.2, 4.3)
 * random.c   instances and tables: constrained random
 * directed.c a script that aims at each cover point
 * run.c      instances of a kernel that is executed
 */
#include "stim.h"

#include "env.h"

static void open(struct stim *base, const struct config *c) {
    struct ana_stim *s = (struct ana_stim *)base;
    (void)c;
    ana_open(&s->env, base, base->design, &base->master);
    base->reset_every = 2000 + 20 * s->env.size.SLOTS;
    base->master.looks = true;
}

static void reset(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    s->offering = false;
    ana_reset(&s->env);
}

static void drive_event(struct ana_stim *s, struct analyzer_in *in) {
    const struct ana_mode *mode = (const struct ana_mode *)s->base.mode;
    if (!s->offering && !ana_loading(&s->env) &&
        rng_percent(&s->base.rng, s->tune.event) && mode->next(s, &s->offer)) {
        s->offering = true;
        in->ev_op = s->offer.op;
        in->ev_warp = (uint64_t)s->offer.warp;
        in->ev_address = s->offer.address;
    }
    in->ev_valid = s->offering;
}

static void drive(struct stim *base, void *in) {
    struct ana_stim *s = (struct ana_stim *)base;
    drive_event(s, in);
    ana_drive(&s->env, in, s->tune.query);
    base->wishbone = s->tune.wishbone;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after) {
    struct ana_stim *s = (struct ana_stim *)base;
    const struct analyzer_in *in = in_ports;
    const struct analyzer_out *before = before_ports;
    if (in->ev_valid && before->ev_ready)
        s->offering = false;
    return ana_watch(&s->env, in, before, after);
}

static void report(struct stim *base, struct text *t) {
    ana_report(&((const struct ana_stim *)base)->env, t);
}

static const struct stim_mode *const modes[] = {
    &ana_random.base, &ana_directed.base, &ana_run.base, NULL};

const struct stim_class analyzer_stim = {
    .size = sizeof(struct ana_stim),
    .modes = modes,
    .first_reset = 2,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
