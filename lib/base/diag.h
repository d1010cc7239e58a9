/* diag.h - errors and warnings with their place in the source.
 *
 * Messages are collected as values and printed by diag_flush, in the order they
 * came, as
 *
 *     file:line:column: error: unknown opcode 'ldd.global', expected ...
 *         ldd.global.f32 %f1, [%rd4];
 *         ^~~
 *
 * lower case, the subject in single quotes, no full stop.  A command-line
 * value or a generated place has line 0 and prints without line and column.
 * Control bytes in a message or a source line print as '?'.
 */
#ifndef NDP_DIAG_H
#define NDP_DIAG_H

#include "arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* A text that messages can point into; text may be NULL (no caret then).
 * The caller keeps both strings alive as long as the diag. */
struct source {
    const char *name;
    const char *text;
    size_t len;
};

struct place {
    const struct source *source; /* NULL: no file */
    int line;                    /* from 1; 0: the file as a whole */
    int column;                  /* from 1, in bytes */
    int width;                   /* bytes to underline; 0 and 1 draw a caret */
};

enum severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag_message {
    enum severity severity;
    struct place place;
    char *text;
};

/* Where something was given that a later message may be about. */
struct diag_given {
    const struct diag_given *before;
    const char *name; /* NULL: what was given before no longer counts */
    struct place place;
};

struct diag {
    struct diag_message *messages;
    int count;
    int cap;
    int errors; /* errors reported, also those past the limit */
    int warnings;
    int error_limit; /* stop keeping errors here; 0 means 20 */
    int hidden;      /* errors past the limit that no flush has told of yet */
    const struct diag_given *given; /* the last one; NULL: none */
    struct arena arena;             /* of diag_source and of given */
};

void diag_report(struct diag *d, enum severity severity, struct place place,
                 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void diag_error(struct diag *d, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct diag *d, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* True once the error limit is reached: readers stop there. */
bool diag_full(const struct diag *d);

/* Print all messages in the order they came and forget them (counts stay). */
void diag_flush(struct diag *d, FILE *out);
void diag_free(struct diag *d);

/* A source that lives until diag_free, for places outside any file the caller
 * holds (an option, an embedded file); text may be NULL. */
const struct source *diag_source(struct diag *d, const char *name,
                                 const char *text, size_t len);

/* Note that name was given at a place, whose source must live as long as d; or,
 * with NULL, that nothing given so far counts any more. */
void diag_note_given(struct diag *d, const char *name, struct place place);

/* Place of a byte offset in a source. */
struct place place_at(const struct source *s, size_t offset, int width);

/* The candidate nearest to word, when near enough to be a slip, else NULL.
 * next(ctx, i) returns candidate i or NULL at the end; the strings must last
 * until suggest returns, the one returned as long as the caller needs it. */
const char *suggest(const char *word, const char *(*next)(void *ctx, int i),
                    void *ctx);

/* A broken promise inside the program, as opposed to a user's error. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
