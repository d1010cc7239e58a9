/* stim.c - the frame of all stimuli, see stim.h. */
#include "stim.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *stim_complain(struct stim *s, const char *fmt, ...) {
    va_list args;
    if (s->message[0])
        return s->message;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return s->message;
}

static const struct stim_mode *find_mode(const struct stim_class *k,
                                         const char *name) {
    for (int i = 0; k->modes[i]; i++)
        if (strcmp(k->modes[i]->name, name) == 0)
            return k->modes[i];
    return NULL;
}

static const char *mode_name(void *ctx, int n) {
    const struct stim_class *k = ctx;
    int i = 0;
    while (i < n && k->modes[i])
        i++;
    return k->modes[i] ? k->modes[i]->name : NULL;
}

/* The mode that the options ask for; NULL after an error in d. */
static const struct stim_mode *choose_mode(const struct stim_class *k,
                                           const struct stim_options *o,
                                           const struct iface *b,
                                           struct diag *d) {
    const struct stim_mode *m = NULL;
    bool only_kernel = o->kernel && strcmp(o->mode, "replay") == 0;
    if (only_kernel)
        m = find_mode(k, "kernel");
    if (!m)
        m = find_mode(k, o->mode);
    if (m)
        return m;
    if (strcmp(o->mode, "random") != 0 && strcmp(o->mode, "directed") != 0 &&
        strcmp(o->mode, "replay") != 0) {
        const char *near = suggest(o->mode, mode_name, (void *)k);
        diag_error(d, (struct place){0},
                   "unknown stimulus '%s', %s'random', 'directed' or 'replay'",
                   o->mode, near ? "did you mean one of " : "expected ");
        return NULL;
    }
    diag_error(d, (struct place){0}, "'%s' has no stimulus '%s'", b->name,
               o->mode);
    return NULL;
}

static void reset(struct stim *s) {
    s->age = 0;
    if (iface_has_registers(s->design->iface))
        master_reset(&s->master);
    if (s->class->reset)
        s->class->reset(s);
    if (s->mode->reset)
        s->mode->reset(s);
}

struct stim *stim_create(const struct stim_class *k, const struct iface *b,
                         const struct config *c, const struct stim_options *o,
                         struct diag *d) {
    const struct stim_mode *mode = choose_mode(k, o, b, d);
    if (!mode)
        return NULL;
    struct stim *s = xcalloc(1, k->size);
    s->class = k;
    s->mode = mode;
    s->options = o;
    s->design = design_make(b, c);
    s->diag = d;
    s->wishbone = 50;
    rng_seed(&s->rng, o->seed);
    channels_find(&s->channels, s->design);
    if (iface_has_registers(b))
        master_open(&s->master, s->design, &s->rng);
    if (k->open)
        k->open(s, c);
    if (mode->open && !mode->open(s)) {
        stim_free(s);
        return NULL;
    }
    reset(s);
    if (s->rst_left == 0)
        s->rst_left = k->first_reset;
    return s;
}

void stim_free(struct stim *s) {
    if (s->script && s->mode->close)
        s->mode->close(s);
    if (s->class->close)
        s->class->close(s);
    channels_free(&s->channels);
    design_free(s->design);
    free(s);
}

/* Half of the resets last for one edge, which is all that a block may need. */
static void draw_reset(struct stim *s) {
    if (s->rst_left > 0 || s->reset_every == 0 || !s->mode->resets ||
        rng_below(&s->rng, (uint32_t)s->reset_every) != 0)
        return;
    s->rst_left = rng_percent(&s->rng, 50) ? 1 : rng_range(&s->rng, 2, 4);
}

void stim_drive(struct stim *s, bool *rst, void *in) {
    draw_reset(s);
    if (s->mode->step)
        s->mode->step(s);
    s->class->drive(s, in);
    if (iface_has_registers(s->design->iface) && !s->mode->is_master)
        master_drive(&s->master, in, s->wishbone);
    *rst = s->rst_left > 0;
}

static const char *watch_channels(struct stim *s, const void *in,
                                  const void *before, const void *after) {
    const char *why;
    const char *port = channels_watch(&s->channels, in, before, after, &why);
    return port ? stim_complain(s, "'%s' %s", port, why) : NULL;
}

const char *stim_watch(struct stim *s, bool rst, const void *in,
                       const void *before, const void *after) {
    bool has_registers = iface_has_registers(s->design->iface);
    s->message[0] = '\0';
    s->now++;
    if (rst) {
        s->resets += s->rst_left == 1;
        s->rst_left -= s->rst_left > 0;
        reset(s);
        return NULL;
    }
    s->age++;
    const char *wrong = watch_channels(s, in, before, after);
    const char *answer =
        has_registers ? master_watch(&s->master, in, before, after) : NULL;
    const char *own =
        s->class->watch ? s->class->watch(s, in, before, after) : NULL;
    if (has_registers)
        master_settle(&s->master);
    return wrong ? wrong : answer ? answer : own;
}

enum stim_state stim_state(const struct stim *s) {
    return s->mode->state ? s->mode->state(s) : STIM_GOING;
}

void stim_report(struct stim *s, bool all, struct text *t) {
    if (!all && !s->mode->measures)
        return;
    if (s->class->report)
        s->class->report(s, t);
    if (iface_has_registers(s->design->iface))
        text_printf(t, "registers_checked\t%llu\n",
                    (unsigned long long)master_reads(&s->master));
    text_printf(t, "resets\t%llu\n", (unsigned long long)s->resets);
    if (s->mode->report)
        s->mode->report(s, t);
}
