/* cores.c - a mix of applications on out-of-order cores, by their misses alone.
 *
 * A core retires instructions at the rate that it has without misses, until the
 * oldest read that it waits for; it may be a window of instructions ahead of
 * what it has retired, and has so many reads under way at once.  That is what
 * Ramulator's own cores do.  Sizes are those of Chopim's Table II.  How often
 * an application misses, how long its runs of neighbouring lines are, which
 * share of its misses needs the one before, and how often a line is written
 * back are round numbers after published measurements of the suites, not the
 * paper's: they order the mixes by intensity and no more.
 */
#include "host.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_CORES = 8,
    WINDOW = 224,      /* instructions: ROB */
    MISSES = 12,       /* reads of a core under way: MSHRs of its L2 */
    ALL_MISSES = 48,   /* of all cores: MSHRs of the last-level cache */
    WRITES = 16,       /* lines of a core that wait to be written back */
    LINE = 64,         /* bytes */
    PAGE = 2 << 20,    /* huge pages */
    PAGES = 128,       /* of a core's data */
    STREAMS = 8,       /* runs that a core follows in turn */
    EVICTED = 8 << 20, /* a line leaves the cache so many bytes later */
};

struct app {
    const char *name;
    double misses; /* of the last-level cache, reads, of 1000 instructions */
    double ipc;    /* without misses */
    double run;    /* neighbouring lines, on average */
    int dependent; /* percent of the misses that need the one before */
    int written;   /* percent of the lines that are written back */
};

enum {
    MCF,
    LBM,
    OMNETPP,
    GEMS,
    BWAVES,
    MILC,
    SOPLEX,
    LESLIE,
    ASTAR,
    CACTUS,
    LEELA,
    DEEPSJENG,
    XCHANGE
};

static const struct app apps[] = {
    [MCF] = {"mcf_r", 20, 1.0, 1.2, 50, 25},
    [LBM] = {"lbm_r", 30, 1.6, 64, 0, 45},
    [OMNETPP] = {"omnetpp_r", 10, 1.2, 1.5, 40, 35},
    [GEMS] = {"gemsFDTD", 22, 1.6, 32, 5, 30},
    [BWAVES] = {"bwaves", 18, 1.8, 64, 0, 15},
    [MILC] = {"milc", 17, 1.5, 16, 5, 30},
    [SOPLEX] = {"soplex", 20, 1.2, 8, 20, 20},
    [LESLIE] = {"leslie3d", 9, 1.8, 32, 0, 30},
    [ASTAR] = {"astar", 2.5, 1.0, 1.5, 50, 30},
    [CACTUS] = {"cactusBSSN_r", 4, 1.8, 16, 5, 30},
    [LEELA] = {"leela_r", 0.3, 1.4, 2, 30, 30},
    [DEEPSJENG] = {"deepsjeng_r", 0.5, 1.6, 1.2, 30, 30},
    [XCHANGE] = {"xchange2_r", 0.02, 2.2, 2, 0, 20},
};

struct mix {
    const char *names;
    int n, app[MOST_CORES];
};

static const struct mix mixes[HOST_MIXES] = {
    {"mcf_r lbm_r omnetpp_r gemsFDTD bwaves milc soplex leslie3d",
     8,
     {MCF, LBM, OMNETPP, GEMS, BWAVES, MILC, SOPLEX, LESLIE}},
    {"mcf_r lbm_r omnetpp_r gemsFDTD", 4, {MCF, LBM, OMNETPP, GEMS}},
    {"mcf_r lbm_r gemsFDTD soplex", 4, {MCF, LBM, GEMS, SOPLEX}},
    {"lbm_r omnetpp_r gemsFDTD soplex", 4, {LBM, OMNETPP, GEMS, SOPLEX}},
    {"omnetpp_r gemsFDTD soplex milc", 4, {OMNETPP, GEMS, SOPLEX, MILC}},
    {"gemsFDTD soplex milc bwaves_r", 4, {GEMS, SOPLEX, MILC, BWAVES}},
    {"soplex milc bwaves_r leslie3d", 4, {SOPLEX, MILC, BWAVES, LESLIE}},
    {"milc bwaves_r astar cactusBSSN_r", 4, {MILC, BWAVES, ASTAR, CACTUS}},
    {"leslie3d leela_r deepsjeng_r xchange2_r",
     4,
     {LESLIE, LEELA, DEEPSJENG, XCHANGE}},
};

struct miss {
    double at; /* number of its instruction */
    bool back;
};

struct core {
    const struct app *app;
    double rate;      /* instructions of a cycle without misses */
    double retired;   /* instructions */
    double next;      /* number of the next miss's instruction */
    bool needs;       /* the next miss needs the one before */
    uint64_t address; /* of the next miss */
    struct miss miss[MISSES];
    int first, n; /* under way, a ring in order */
    uint64_t writes[WRITES];
    int n_writes;
    uint64_t page[PAGES];
    uint64_t stream[STREAMS]; /* lines from the begin of the core's data */
    int turn;
    bool quiet; /* nothing to offer until an answer comes, or it retires */
    uint64_t random;
};

struct cores {
    struct host host;
    struct core core[MOST_CORES];
    int n, under_way, turn;
};

/* --- what comes next ------------------------------------------------------ */

static uint64_t draw(struct core *c) {
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return c->random * 2685821657736338717u >> 11;
}

/* From 0 up to and without 1. */
static double fraction(struct core *c) {
    return (double)draw(c) * 0x1p-53;
}

static bool chance(struct core *c, int percent) {
    return draw(c) % 100 < (uint64_t)percent;
}

static uint64_t place_of(const struct core *c, uint64_t line) {
    uint64_t offset = line * LINE % ((uint64_t)PAGES * PAGE);
    return c->page[offset / PAGE] + offset % PAGE;
}

/* The next miss: when, whether it has to wait, where. */
static void plan(struct core *c) {
    c->next += 1 - log(1 - fraction(c)) * 1000 / c->app->misses;
    c->needs = chance(c, c->app->dependent);
    c->turn = (c->turn + 1) % STREAMS;
    uint64_t *line = &c->stream[c->turn];
    if (fraction(c) * c->app->run < 1)
        *line = draw(c) % ((uint64_t)PAGES * PAGE / LINE);
    else
        ++*line;
    c->address = place_of(c, *line);
}

/* The line that a miss drives out: one that came so much earlier. */
static uint64_t evicted(const struct core *c) {
    uint64_t all = (uint64_t)PAGES * PAGE / LINE;
    return place_of(c, c->stream[c->turn] + all - EVICTED / LINE);
}

/* --- a cycle -------------------------------------------------------------- */

/* Offer what the window lets out; one read and one write a cycle. */
static void offer(struct cores *s, int i, const struct host_port *port) {
    struct core *c = &s->core[i];

    if (c->n_writes &&
        port->offer(port->ctx, c->writes[c->n_writes - 1], true, 0))
        c->n_writes--;
    c->quiet = c->n_writes == 0;
    if (c->next > c->retired + WINDOW || c->n == MISSES || (c->needs && c->n))
        return;
    c->quiet = false;
    if (s->under_way == ALL_MISSES || c->n_writes == WRITES)
        return;
    int slot = (c->first + c->n) % MISSES;
    if (!port->offer(port->ctx, c->address, false, i * MISSES + slot))
        return;
    c->miss[slot] = (struct miss){.at = c->next};
    c->n++;
    s->under_way++;
    if (chance(c, c->app->written))
        c->writes[c->n_writes++] = evicted(c);
    plan(c);
}

static void retire(struct core *c) {
    double limit = c->n ? c->miss[c->first].at : c->next;
    double to = c->retired + c->rate;

    if (c->retired >= limit)
        return;
    c->retired = to < limit ? to : limit;
    c->quiet = c->quiet && c->next > c->retired + WINDOW;
}

static void cycle(struct host *h, uint64_t now, const struct host_port *port) {
    struct cores *s = (struct cores *)h;

    (void)now;
    for (int k = 0, i = s->turn; k < s->n; k++, i = i + 1 < s->n ? i + 1 : 0) {
        retire(&s->core[i]);
        if (!s->core[i].quiet)
            offer(s, i, port);
    }
    s->turn = s->turn + 1 < s->n ? s->turn + 1 : 0;
}

static void answer(struct host *h, int tag) {
    struct cores *s = (struct cores *)h;
    struct core *c = &s->core[tag / MISSES];

    c->miss[tag % MISSES].back = true;
    c->quiet = false;
    for (; c->n && c->miss[c->first].back; c->n--)
        c->first = (c->first + 1) % MISSES;
    s->under_way--;
}

static bool finished(const struct host *h) {
    (void)h;
    return false;
}

static void work(const struct host *h, struct host_work *w) {
    const struct cores *s = (const struct cores *)h;
    *w = (struct host_work){0};
    for (int i = 0; i < s->n; i++)
        w->instructions += s->core[i].retired;
}

static void release(struct host *h) {
    free(h);
}

struct host *host_mix(int mix, uint64_t bytes, double ratio, uint64_t seed) {
    struct cores *s = xcalloc(1, sizeof *s);
    s->host = (struct host){cycle, answer, finished, work, release};
    s->n = mixes[mix].n;
    for (int i = 0; i < s->n; i++) {
        struct core *c = &s->core[i];
        c->app = &apps[mixes[mix].app[i]];
        c->rate = c->app->ipc * ratio;
        c->random = (seed * 64 + (uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
        for (int k = 0; k < 8; k++)
            draw(c);
        for (int k = 0; k < PAGES; k++)
            c->page[k] = draw(c) % (bytes / PAGE) * PAGE;
        for (int k = 0; k < STREAMS; k++)
            c->stream[k] = draw(c) % ((uint64_t)PAGES * PAGE / LINE);
        plan(c);
    }
    return &s->host;
}

const char *host_mix_names(int mix) {
    return mixes[mix].names;
}
