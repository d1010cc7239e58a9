/* perfetto.c - a trace as Chrome trace events, which Perfetto and
 * chrome://tracing open.
 *
 * A cycle is a microsecond.  Launches follow one another; each warp of the
 * machine has a track with its CTAs, the instructions in them and what it
 * stalls on between, and a track for each load that is outstanding at a time.
 */
#include "ndptrace.h"

#include <stdlib.h>
#include <string.h>

enum {
    PROCESS = 1,
    LAUNCHES = 2, /* the track of launches; 1 would be the main thread */
    FIRST_WARP = 3,
    TRACKS = 128, /* of a warp: its own, and its loads */
    BINS = 2000,  /* of the counter, at most */
    PAUSE = 10    /* cycles between launches */
};

struct track {
    uint64_t free_at; /* no slice is open from here on */
    bool named;
};

struct warp_state {
    bool lives, at_barrier;
    int cta;
    uint64_t begin, end;  /* of what it has done for its CTA */
    uint64_t outstanding; /* the last load's result is there */
    struct track tracks[TRACKS];
};

struct exporter {
    const struct retire_trace *t;
    const struct retire_launch *l;
    FILE *out;
    bool any;
    uint64_t base, from; /* cycle 0 of the launch; the latest cycle seen */
    struct warp_state warps[RETIRE_MAX_WARPS];
};

static void put(struct exporter *x, json_t *event) {
    fputs(x->any ? ",\n" : "", x->out);
    x->any = true;
    json_dumpf(event, x->out, JSON_COMPACT);
    json_decref(event);
}

static void put_name(struct exporter *x, const char *what, int track,
                     const char *name, int order) {
    put(x, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "ph", "M", "name", what,
                     "pid", PROCESS, "tid", track, "args", "name", name));
    if (order >= 0)
        put(x, json_pack("{s:s, s:s, s:i, s:i, s:{s:i}}", "ph", "M", "name",
                         "thread_sort_index", "pid", PROCESS, "tid", track,
                         "args", "sort_index", order));
}

/* args may be NULL; it is taken over. */
static void put_slice(struct exporter *x, int track, const char *name,
                      const char *category, uint64_t from, uint64_t to,
                      json_t *args) {
    json_t *e = json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I}", "ph", "X",
                          "name", name, "cat", category, "pid", PROCESS, "tid",
                          track, "ts", (json_int_t)(x->base + from), "dur",
                          (json_int_t)(to > from ? to - from : 1));
    if (args)
        json_object_set_new(e, "args", args);
    put(x, e);
    if (to > x->from)
        x->from = to;
}

/* The k-th track of a warp. */
static int track_of(struct exporter *x, int warp, int k) {
    struct track *track = &x->warps[warp].tracks[k];
    int id = FIRST_WARP + warp * TRACKS + k;
    if (!track->named) {
        struct text name = {0};
        text_printf(&name, k ? "warp %d: outstanding" : "warp %d", warp);
        put_name(x, "thread_name", id, text_str(&name), id);
        text_free(&name);
        track->named = true;
    }
    return id;
}

/* --- what a warp does ----------------------------------------------------- */

static json_t *args_of(const struct exporter *x, const struct retire_insn *i,
                       const struct source_lines *ptx) {
    char mask[16];
    struct text line = {0};
    snprintf(mask, sizeof mask, "%08x", (unsigned)i->mask);
    json_t *args =
        json_pack("{s:I, s:i, s:i, s:s, s:i}", "cycle", (json_int_t)i->cycle,
                  "cta", i->cta, "word", i->pc, "lanes", mask, "active lanes",
                  __builtin_popcount(i->mask));
    say_line(x->l->kernel, i->pc, ptx, &line);
    if (line.len)
        json_object_set_new(args, "PTX line", json_string(text_str(&line)));
    if (i->answer != i->cycle)
        json_object_set_new(args, "result at",
                            json_integer((json_int_t)i->answer));
    text_free(&line);
    return args;
}

static void end_cta(struct exporter *x, int warp) {
    struct warp_state *w = &x->warps[warp];
    if (w->lives) {
        struct text name = {0};
        text_printf(&name, "CTA %d", w->cta);
        put_slice(x, track_of(x, warp, 0), text_str(&name), "cta", w->begin,
                  w->end, NULL);
        text_free(&name);
    }
    w->lives = false;
}

static void put_outstanding(struct exporter *x, const struct retire_insn *i,
                            const char *name, uint64_t issued) {
    struct warp_state *w = &x->warps[i->warp];
    for (int k = 1; k < TRACKS; k++) {
        if (w->tracks[k].free_at > issued)
            continue;
        w->tracks[k].free_at = i->answer;
        put_slice(x, track_of(x, i->warp, k), name, "outstanding", issued,
                  i->answer, NULL);
        break;
    }
    if (i->answer > w->outstanding)
        w->outstanding = i->answer;
}

static void put_insn(struct exporter *x, const struct retire_insn *i,
                     const struct source_lines *ptx) {
    struct warp_state *w = &x->warps[i->warp];
    const struct isa_word *word = retire_word(x->l->kernel, i->pc);
    uint64_t end = x->l->passes[i->next - 1].cycle + 1;
    struct text name = {0};
    if (i->what == RETIRE_START) {
        end_cta(x, i->warp);
        w->lives = true;
        w->cta = i->cta;
        w->begin = w->end = i->cycle;
        text_add(&name, "start");
    } else {
        say_word(x->l->kernel, i->pc, &name);
    }
    int track = track_of(x, i->warp, 0);
    if (i->cycle > w->end && (w->at_barrier || w->outstanding > w->end))
        put_slice(x, track, w->at_barrier ? "stall: barrier" : "stall: load",
                  "stall", w->end, i->cycle, NULL);
    put_slice(x, track, text_str(&name),
              word ? isa_class_name(isa_info(word->op)->class) : "none",
              i->cycle, end, args_of(x, i, ptx));
    w->end = end;
    w->at_barrier = word && word->op == ISA_bar;
    if (word && isa_is_late(word->op) && i->answer > end)
        put_outstanding(x, i, text_str(&name), end);
    text_free(&name);
}

/* --- a launch ------------------------------------------------------------- */

/* Percent of the lanes that compute at a time, over the launch. */
static void put_lanes(struct exporter *x) {
    const struct retire_launch *l = x->l;
    uint64_t cycles = l->n ? l->passes[l->n - 1].cycle + 1 : 1;
    uint64_t step = (cycles + BINS - 1) / BINS;
    uint64_t at = 0, lanes = 0;
    for (int n = 0; n <= l->n; n++) {
        while (n == l->n ? at < cycles : l->passes[n].cycle >= at + step) {
            put(x, json_pack("{s:s, s:s, s:i, s:I, s:{s:f}}", "ph", "C", "name",
                             "lanes busy, %", "pid", PROCESS, "ts",
                             (json_int_t)(x->base + at), "args", "busy",
                             100.0 * (double)lanes /
                                 (double)(step * (uint64_t)x->t->alus)));
            at += step;
            lanes = 0;
        }
        if (n < l->n)
            lanes += (uint64_t)__builtin_popcount(l->passes[n].mask);
    }
}

static void put_launch(struct exporter *x, int n, const struct filter *f,
                       const struct source_lines *ptx) {
    struct retire_insn i;
    struct text name = {0};
    x->from = 0;
    for (int w = 0; w < RETIRE_MAX_WARPS; w++) {
        x->warps[w].end = x->warps[w].outstanding = 0;
        for (int k = 0; k < TRACKS; k++)
            x->warps[w].tracks[k].free_at = 0;
    }
    for (int at = 0; retire_next(x->t, x->l, at, &i); at = i.next)
        if (filter_shows(f, &i))
            put_insn(x, &i, ptx);
    for (int w = 0; w < RETIRE_MAX_WARPS; w++)
        end_cta(x, w);
    put_lanes(x);
    text_printf(&name, "launch %d: %s", n + 1, x->l->kernel->name);
    put_slice(x, LAUNCHES, text_str(&name), "launch", 0, x->from, NULL);
    text_free(&name);
}

void perfetto_write(const struct retire_trace *t, const struct filter *f,
                    const struct source_lines *ptx, FILE *out) {
    struct exporter *x = xcalloc(1, sizeof *x);
    x->t = t;
    x->out = out;
    fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"a microsecond is\": "
          "\"a cycle\"}, \"traceEvents\": [\n",
          out);
    put_name(x, "process_name", 0, t->name, -1);
    put_name(x, "thread_name", LAUNCHES, "launches", LAUNCHES);
    for (int n = 0; n < t->n_launches; n++) {
        if (f->launch >= 0 && f->launch != n)
            continue;
        x->l = &t->launches[n];
        put_launch(x, n, f, ptx);
        x->base += x->from + PAUSE;
    }
    fputs("\n]}\n", out);
    free(x);
}
