/* stream.c - what a kernel executes, for a replay stimulus. */
#include "stream.h"

#include "base/arena.h"

#include <stdlib.h>

struct stim_stream {
    const char *path;
    struct run_options options;
    bool whole; /* once, to its end; else over and over */
    struct run *run;
    struct diag *report_to; /* of the bench */
    struct diag own;        /* of the present run, which points into it */
    enum stim_state state;
    struct stream_event event;
    uint64_t passes, events; /* events: of this pass */
};

static void no_reference(struct ref_run *run) {
    (void)run;
}

void (*stim_run_reference(const char *name))(struct ref_run *) {
    (void)name;
    return no_reference;
}

void stim_run_failed(struct diag *bench, const struct diag *run,
                     const char *path) {
    for (int n = 0; n < run->count; n++) {
        const struct diag_message *m = &run->messages[n];
        struct place at = m->place;
        if (at.source)
            at.source = diag_source(bench, at.source->name, at.source->text,
                                    at.source->len);
        diag_report(bench, m->severity, at, "%s", m->text);
    }
    if (!run->errors)
        diag_error(bench, (struct place){0}, "'%s' was stopped before its end",
                   path);
}

static void close_run(struct stim_stream *s) {
    run_close(s->run);
    s->run = NULL;
    diag_free(&s->own);
    s->own = (struct diag){0};
}

static void fail(struct stim_stream *s) {
    stim_run_failed(s->report_to, &s->own, s->path);
    s->state = STIM_FAILED;
}

static bool open_run(struct stim_stream *s) {
    close_run(s);
    s->events = 0;
    s->run = run_open(s->path, &s->options, &s->own);
    if (!s->run)
        fail(s);
    return s->run != NULL;
}

struct stim_stream *stim_stream_open(const struct stim_options *o,
                                     struct diag *d) {
    if (!o->run) {
        diag_error(d, (struct place){0},
                   "no kernel to replay, expected RUN=FILE.yml");
        return NULL;
    }
    struct stim_stream *s = xcalloc(1, sizeof *s);
    s->path = o->run;
    s->options.size = o->size;
    s->options.reference = stim_run_reference;
    s->whole = o->whole;
    s->report_to = d;
    if (open_run(s))
        return s;
    stim_stream_close(s);
    return NULL;
}

void stim_stream_close(struct stim_stream *s) {
    if (!s)
        return;
    close_run(s);
    free(s);
}

const struct stream_event *stim_stream_next(struct stim_stream *s) {
    while (s->state == STIM_GOING) {
        switch (stream_next(run_stream(s->run), &s->event)) {
        case STREAM_EVENT:
            s->events++;
            return &s->event;
        case STREAM_ERROR:
            fail(s);
            break;
        case STREAM_END:
            s->passes++;
            if (s->whole || s->events == 0)
                s->state = STIM_OVER;
            else
                open_run(s);
            break;
        }
    }
    return NULL;
}

enum stim_state stim_stream_state(const struct stim_stream *s) {
    return s->state;
}

const struct run *stim_stream_run(const struct stim_stream *s) {
    return s->run;
}

uint64_t stim_stream_passes(const struct stim_stream *s) {
    return s->passes;
}
