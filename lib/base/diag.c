/* diag.c - collecting messages and printing them with their source line.
 *
 * The source may be anything a user hands over: control bytes print as '?',
 * a long line is cut around the column, and the caret is placed by repeating
 * tabs and counting UTF-8 characters rather than bytes.
 */
#include "diag.h"

#include "array.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 20, SHOWN_MAX = 160 };

static int error_limit(const struct diag *d) {
    return d->error_limit > 0 ? d->error_limit : DEFAULT_LIMIT;
}

bool diag_full(const struct diag *d) {
    return d->errors >= error_limit(d);
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || (unsigned char)c == 0x7f;
}

/* UTF-8 continuation byte: takes no column of its own on the terminal. */
static bool is_continuation(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Count the message; false when the limit says not to keep it. */
static bool admit(struct diag *d, enum severity severity) {
    if (severity == DIAG_WARNING)
        d->warnings++;
    if (severity == DIAG_NOTE) /* belongs to the message before it */
        return d->hidden == 0;
    if (severity == DIAG_ERROR && ++d->errors > error_limit(d)) {
        d->hidden++;
        return false;
    }
    return true;
}

static char *format_message(const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        BUG("bad format '%s'", fmt);
    char *text = xmalloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, args);
    for (char *c = text; *c; c++)
        if (is_control(*c))
            *c = '?';
    return text;
}

static void report(struct diag *d, enum severity severity, struct place place,
                   const char *fmt, va_list args) {
    if (!admit(d, severity))
        return;
    d->messages =
        array_room(d->messages, d->count, &d->cap, sizeof *d->messages);
    d->messages[d->count++] =
        (struct diag_message){severity, place, format_message(fmt, args)};
}

void diag_report(struct diag *d, enum severity severity, struct place place,
                 const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(d, severity, place, fmt, args);
    va_end(args);
}

void diag_error(struct diag *d, struct place place, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(d, DIAG_ERROR, place, fmt, args);
    va_end(args);
}

void diag_warning(struct diag *d, struct place place, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    report(d, DIAG_WARNING, place, fmt, args);
    va_end(args);
}

/* Start of line number n (from 1) with its length, line end excluded; false
 * when the source has fewer lines. */
static bool find_line(const struct source *s, int n, const char **line,
                      size_t *len) {
    const char *p = s->text, *end = s->text + s->len, *nl;
    for (; n > 1; n--, p = nl + 1)
        if (!(nl = memchr(p, '\n', (size_t)(end - p))))
            return false;
    nl = memchr(p, '\n', (size_t)(end - p));
    *line = p;
    *len = (size_t)((nl ? nl : end) - p);
    if (*len && p[*len - 1] == '\r')
        --*len;
    return true;
}

/* Print the line's bytes [from, to), harmless for a terminal. */
static void print_line(FILE *out, const char *line, size_t from, size_t to,
                       size_t len) {
    fputs(from > 0 ? "    ..." : "    ", out);
    for (size_t i = from; i < to; i++)
        fputc(is_control(line[i]) && line[i] != '\t' ? '?' : line[i], out);
    fputs(to < len ? "...\n" : "\n", out);
}

/* Print the caret under byte column of the same cut, width bytes long. */
static void print_caret(FILE *out, const char *line, size_t from, size_t to,
                        size_t column, size_t width) {
    fputs(from > 0 ? "       " : "    ", out);
    for (size_t i = from; i < column; i++)
        if (!is_continuation(line[i]))
            fputc(line[i] == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    for (size_t i = column + 1; i < to && i - column < width; i++)
        if (!is_continuation(line[i]))
            fputc('~', out);
    fputc('\n', out);
}

static void print_source(FILE *out, const struct place *at) {
    const char *line;
    size_t len;
    if (!at->source->text || !find_line(at->source, at->line, &line, &len) ||
        len == 0)
        return;
    size_t column = at->column > 0 ? (size_t)at->column - 1 : 0;
    if (column > len) /* the place is the line end, or beyond it */
        column = len;
    size_t from = 0, to = len;
    if (len > SHOWN_MAX) {
        if (column > SHOWN_MAX / 2)
            from = column - SHOWN_MAX / 2;
        if (from > len - SHOWN_MAX)
            from = len - SHOWN_MAX;
        to = from + SHOWN_MAX;
        while (from < column && is_continuation(line[from]))
            from++;
        while (to < len && is_continuation(line[to]))
            to++;
    }
    print_line(out, line, from, to, len);
    print_caret(out, line, from, to, column,
                at->width > 0 ? (size_t)at->width : 1);
}

static void print_message(FILE *out, const struct diag_message *m) {
    static const char *const names[] = {"note", "warning", "error"};
    const struct place *at = &m->place;
    if (at->source && at->source->name) {
        fprintf(out, "%s:", at->source->name);
        if (at->line > 0)
            fprintf(out, "%d:%d:", at->line, at->column > 0 ? at->column : 1);
        fputc(' ', out);
    }
    fprintf(out, "%s: %s\n", names[m->severity], m->text);
    if (at->source && at->line > 0)
        print_source(out, at);
}

static void forget_messages(struct diag *d) {
    for (int i = 0; i < d->count; i++)
        free(d->messages[i].text);
    d->count = 0;
    d->hidden = 0;
}

void diag_flush(struct diag *d, FILE *out) {
    for (int i = 0; i < d->count; i++)
        print_message(out, &d->messages[i]);
    if (d->hidden)
        fprintf(out, "note: %d more error%s not shown\n", d->hidden,
                d->hidden == 1 ? "" : "s");
    forget_messages(d);
}

void diag_free(struct diag *d) {
    forget_messages(d);
    free(d->messages);
    arena_free(&d->arena);
    *d = (struct diag){.error_limit = d->error_limit};
}

const struct source *diag_source(struct diag *d, const char *name,
                                 const char *text, size_t len) {
    struct source *s = arena_alloc(&d->arena, sizeof *s);
    s->name = arena_strdup(&d->arena, name);
    if (text) {
        s->text = arena_strndup(&d->arena, text, len);
        s->len = len;
    }
    return s;
}

void diag_note_given(struct diag *d, const char *name, struct place place) {
    struct diag_given *g = arena_alloc(&d->arena, sizeof *g);
    g->before = d->given;
    g->name = name ? arena_strdup(&d->arena, name) : NULL;
    g->place = place;
    d->given = g;
}

struct place place_at(const struct source *s, size_t offset, int width) {
    struct place at = {s, 1, 1, width};
    if (!s || !s->text)
        return (struct place){s, 0, 0, 0};
    if (offset > s->len)
        offset = s->len;
    const char *line = s->text, *end = s->text + offset, *nl;
    while ((nl = memchr(line, '\n', (size_t)(end - line)))) {
        at.line++;
        line = nl + 1;
    }
    at.column = (int)(end - line) + 1;
    return at;
}

void bug_at(const char *file, int line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fflush(stdout);
    fprintf(stderr, "%s:%d: internal error: ", file, line);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}
