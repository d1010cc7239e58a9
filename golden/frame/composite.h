/* composite.h - the golden model of a system: the models of its instances,
 * joined as iface/system.h says.
 *
 * Every output is a register or a function of registers, so instances step in
 * any order, each from the outputs as they stood before the edge.
 *
 * What it costs follows what moves: only outputs of parts that were stepped are
 * looked at for inputs of others, and a part that rests (model.h) is not
 * stepped until an input changes or its time is over.  NDP_SLEEP=off in the
 * environment steps every part on every edge; NDP_SLEEP=check does so, too, and
 * stops with a message when a part that rests does anything. */
#ifndef NDP_GOLDEN_COMPOSITE_H
#define NDP_GOLDEN_COMPOSITE_H

#include "model.h"

/* Words of a part's inputs, and where they come from. */
struct composite_run {
    uint64_t *to;
    const uint64_t *from;
    int words, part; /* whose inputs they are */
    bool strict;     /* as in struct system_run */
    bool unseen;     /* wakes nobody */
};

struct composite_part {
    struct golden *model;
    const void *in, *out;
    size_t bytes;       /* of out */
    void *shown;        /* its place in the system's outputs */
    int run, runs;      /* of its outputs to inputs */
    uint64_t wake;      /* edge up to which it sleeps */
    uint64_t last;      /* edge on which it was stepped */
    uint64_t calm;      /* edges without a change of inputs */
    uint64_t least;     /* such edges before a trial (model.h, still) */
    bool stirred;       /* an input has changed */
    bool moved, hidden; /* stepped on the last edge; not yet shown */
};

struct composite {
    struct golden base;
    struct composite_part *part; /* by instance */
    struct composite_run *run, *port_run;
    int n, n_port_runs;
    void *in, *out;  /* of the system: completed inputs, outputs */
    uint64_t now;    /* edges */
    int bus;         /* the part whose inputs have a bus cycle, -1: none */
    char *reference; /* the state of a part before a trial */
    enum { SLEEP_ON, SLEEP_OFF, SLEEP_CHECK } sleep;
};

void composite_open(struct golden *g, const struct config *c);
void composite_close(struct golden *g);
const void *composite_cycle(struct golden *g, bool rst, const void *in);
const void *composite_step(struct golden *g, bool rst, const void *in);
const uint64_t *composite_covers(const struct golden *g);

/* An instance's model, for tests and stimuli that look inside or change it
 * before the next edge; its outputs after the last one. */
struct golden *composite_part(struct golden *g, int instance);
const void *composite_part_out(const struct golden *g, int instance);

#define COMPOSITE_CLASS(decl)                                                  \
    {                                                                          \
        .iface = &(decl), .size = sizeof(struct composite),                    \
        .open = composite_open, .close = composite_close,                      \
        .cycle = composite_cycle, .step = composite_step,                      \
        .covers = composite_covers                                             \
    }

#endif
