/* stream.c - requests out of a trace, Ramulator's or DRAMsim3's.
 *
 * Lines are read as they are needed, so that length does not matter.
 */
#include "host.h"

#include "base/arena.h"
#include "base/infile.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    struct host host;
    FILE *in;
    int in_error; /* of infile_open */
    const struct source *source;
    struct diag *d;
    uint64_t bytes;
    bool wrap;
    int window, under_way;
    char *line;
    size_t cap;
    int number; /* of the line, from 1 */
    bool timed; /* DRAMsim3's */
    bool known; /* which of both it is */
    bool there; /* a request waits to be taken */
    bool ended;
    uint64_t address, at, last;
    bool write;
    uint64_t taken;
};

/* --- lines ---------------------------------------------------------------- */

static bool complain(struct stream *s, const char *at, const char *what) {
    int n = (int)strcspn(at, " \t\r\n");
    diag_error(s->d,
               (struct place){s->source, s->number, (int)(at - s->line) + 1, n},
               "%s, got '%.*s'", what, n, at);
    return false;
}

static const char *skip(const char *p) {
    return p + strspn(p, " \t\r\n");
}

static bool number(struct stream *s, const char **p, uint64_t *n,
                   const char *what) {
    char *end;
    errno = 0;
    *n = strtoull(*p, &end, 0);
    if (end == *p || **p == '-' || **p == '+' || errno ||
        (*end && !strchr(" \t\r\n", *end)))
        return complain(s, *p, what);
    *p = skip(end);
    return true;
}

static bool word(const char **p, const char *w) {
    size_t n = strlen(w);
    if (strncmp(*p, w, n) != 0 || ((*p)[n] && !strchr(" \t\r\n", (*p)[n])))
        return false;
    *p = skip(*p + n);
    return true;
}

/* LD|ST ADDRESS */
static bool read_plain(struct stream *s, const char **p) {
    bool load = word(p, "LD");
    s->write = !load;
    if (!load && !word(p, "ST"))
        return complain(s, *p, "expected LD or ST");
    return number(s, p, &s->address, "expected an address");
}

/* 0xADDRESS READ|WRITE CYCLE */
static bool read_timed(struct stream *s, const char **p) {
    if (!number(s, p, &s->address, "expected an address"))
        return false;
    s->write = word(p, "WRITE");
    if (!s->write && !word(p, "READ"))
        return complain(s, *p, "expected READ or WRITE");
    const char *at = *p;
    if (!number(s, p, &s->at, "expected a cycle"))
        return false;
    if (s->at < s->last)
        return complain(s, at,
                        "expected a cycle not before that of the line "
                        "above");
    s->last = s->at;
    return true;
}

/* What stands in the line; false after an error in d. */
static bool read_line(struct stream *s) {
    const char *p = skip(s->line), *begin = p;
    if (!s->known) {
        s->known = true;
        s->timed = *p >= '0' && *p <= '9';
    }
    if (!(s->timed ? read_timed(s, &p) : read_plain(s, &p)))
        return false;
    if (*p)
        return complain(s, p, "expected the line's end");
    if (s->address >= s->bytes && !s->wrap) {
        struct text t = {0};
        text_printf(&t,
                    "expected an address below 0x%" PRIx64
                    ", the memory's bytes (or --wrap)",
                    s->bytes);
        complain(s, s->timed ? begin : skip(begin + 2), text_str(&t));
        text_free(&t);
        return false;
    }
    s->address %= s->bytes;
    return true;
}

static void next(struct stream *s) {
    s->there = false;
    while (!s->ended) {
        errno = 0;
        if (getline(&s->line, &s->cap, s->in) < 0 || ferror(s->in)) {
            if (ferror(s->in))
                diag_error(s->d, (struct place){s->source, 0, 0, 0},
                           "cannot read: %s", infile_error(s->in_error));
            s->ended = true;
            return;
        }
        s->number++;
        const char *p = skip(s->line);
        if (!*p || *p == '#')
            continue;
        s->there = read_line(s);
        s->ended = !s->there;
        return;
    }
}

/* --- as a host ------------------------------------------------------------ */

static void cycle(struct host *h, uint64_t now, const struct host_port *port) {
    struct stream *s = (struct stream *)h;

    /* a request a cycle; more than the channels take */
    if (!s->there || (s->timed && now < s->at) ||
        (!s->timed && !s->write && s->under_way >= s->window) ||
        !port->offer(port->ctx, s->address, s->write, 0))
        return;
    s->under_way += !s->write;
    s->taken++;
    next(s);
}

static void answer(struct host *h, int tag) {
    (void)tag;
    ((struct stream *)h)->under_way--;
}

static bool finished(const struct host *h) {
    const struct stream *s = (const struct stream *)h;
    return s->ended && s->under_way == 0;
}

static void work(const struct host *h, struct host_work *w) {
    *w = (struct host_work){.requests = ((const struct stream *)h)->taken};
}

static void release(struct host *h) {
    struct stream *s = (struct stream *)h;
    if (s->in != stdin)
        fclose(s->in);
    free(s->line);
    free(s);
}

struct host *host_trace(const char *path, uint64_t bytes, bool wrap, int window,
                        struct diag *d) {
    const struct source *source = diag_source(d, path, NULL, 0);
    struct stream *s = xcalloc(1, sizeof *s);
    s->in = infile_open(path, &s->in_error);
    if (!s->in) {
        diag_error(d, (struct place){source, 0, 0, 0}, "cannot read: %s",
                   infile_error(s->in_error));
        free(s);
        return NULL;
    }
    s->host = (struct host){cycle, answer, finished, work, release};
    s->source = source;
    s->d = d;
    s->bytes = bytes;
    s->wrap = wrap;
    s->window = window;
    int before = d->errors;
    next(s);
    if (!s->there && d->errors == before)
        diag_error(d, (struct place){source, 0, 0, 0}, "no request in it");
    if (!s->there) {
        release(&s->host);
        return NULL;
    }
    return &s->host;
}
