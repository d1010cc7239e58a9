/* progress.c - one line on the terminal for a job that takes long. */
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* WIDTH: of a terminal, as a wrapped line could not be erased. */
enum { SILENT_MS = 2000, REDRAW_MS = 200, WIDTH = 80 };

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_begin(struct progress *p, const char *what, uint64_t total) {
    *p = (struct progress){.what = what,
                           .total = total,
                           .out = is_terminal() ? stderr : NULL,
                           .start = now_ms()};
}

void progress_format(const struct progress *p, uint64_t done, int64_t elapsed,
                     char *buf, size_t size) {
    if (p->total == 0) {
        snprintf(buf, size, "%s: %" PRIu64 ", %" PRId64 " s", p->what, done,
                 elapsed / 1000);
        return;
    }
    if (done > p->total)
        done = p->total;
    double share = (double)done / (double)p->total;
    int n = snprintf(buf, size, "%s: %3d %%, %" PRIu64 " of %" PRIu64, p->what,
                     (int)(100 * share), done, p->total);
    if (done > 0 && n >= 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, ", %.0f s left",
                 (double)elapsed / 1000 * (1 - share) / share);
}

bool progress_due(const struct progress *p) {
    int64_t now = p->out ? now_ms() : 0;
    return p->out && now - p->start >= SILENT_MS && now - p->shown >= REDRAW_MS;
}

static void draw(struct progress *p, const char *line) {
    fprintf(p->out, "\r%s\033[K", line);
    fflush(p->out);
    p->shown = now_ms();
}

void progress_step(struct progress *p, uint64_t done) {
    char line[WIDTH];
    if (!progress_due(p))
        return;
    progress_format(p, done, now_ms() - p->start, line, sizeof line);
    draw(p, line);
}

void progress_say(struct progress *p, const char *text) {
    char line[WIDTH];
    if (!progress_due(p))
        return;
    snprintf(line, sizeof line, "%s: %s, %" PRId64 " s", p->what, text,
             (now_ms() - p->start) / 1000);
    draw(p, line);
}

void progress_end(struct progress *p) {
    if (p->out && p->shown) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    p->out = NULL;
}
