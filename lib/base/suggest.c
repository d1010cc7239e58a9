/* suggest.c - "did you mean": the known word nearest to a mistyped one.
 *
 * Distance is Damerau-Levenshtein in its optimal string alignment form
 * (insertions, deletions, substitutions, neighbours swapped), ignoring case.
 * A third of the longer word may differ; beyond that a guess only misleads.
 * Failing that, a word cut short suggests what it begins.
 */
#include "diag.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAX_WORD = 64, MIN_PREFIX = 3 };

static int min(int a, int b) {
    return a < b ? a : b;
}

static bool same(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits between a and b, both of at most MAX_WORD bytes. */
static int distance(const char *a, int a_len, const char *b, int b_len) {
    int rows[3][MAX_WORD + 1];
    int *old = rows[0], *prev = rows[1], *row = rows[2];
    for (int j = 0; j <= b_len; j++)
        old[j] = prev[j] = j;
    for (int i = 1; i <= a_len; i++) {
        row[0] = i;
        for (int j = 1; j <= b_len; j++) {
            int change = prev[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = min(change, 1 + min(prev[j], row[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
                same(a[i - 2], b[j - 1]))
                row[j] = min(row[j], old[j - 2] + 1);
        }
        int *spare = old;
        old = prev;
        prev = row;
        row = spare;
    }
    return prev[b_len];
}

/* The only candidate that begins with word, or NULL. */
static const char *unique_prefix(const char *word, size_t len,
                                 const char *(*next)(void *ctx, int i),
                                 void *ctx) {
    const char *found = NULL, *candidate;
    if (len < MIN_PREFIX)
        return NULL;
    for (int i = 0; (candidate = next(ctx, i)); i++) {
        if (strncasecmp(candidate, word, len) != 0)
            continue;
        if (found)
            return NULL;
        found = candidate;
    }
    return found;
}

const char *suggest(const char *word, const char *(*next)(void *ctx, int i),
                    void *ctx) {
    const char *best = NULL, *candidate;
    size_t len = strlen(word);
    int best_distance = MAX_WORD;
    if (len == 0 || len > MAX_WORD)
        return NULL;
    for (int i = 0; (candidate = next(ctx, i)); i++) {
        size_t c_len = strlen(candidate);
        if (c_len > MAX_WORD)
            continue;
        int d = distance(word, (int)len, candidate, (int)c_len);
        int longer = (int)(len > c_len ? len : c_len);
        if (d < best_distance && d <= min(longer / 3, 4)) {
            best_distance = d;
            best = candidate;
        }
    }
    return best ? best : unique_prefix(word, len, next, ctx);
}
