/* diag_capture.h - what a diag would print, for tests to look at. */
#ifndef NDP_TESTS_DIAG_CAPTURE_H
#define NDP_TESTS_DIAG_CAPTURE_H

#include "base/diag.h"

#include <stdlib.h>

/* Flush d into a string; the caller frees it.  Not inlined, because gcc 12 then
 * takes the string for the local that open_memstream fills in. */
__attribute__((noinline, unused)) static char *diag_captured(struct diag *d) {
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        abort();
    diag_flush(d, out);
    fclose(out);
    return text;
}

/* A source out of a string constant. */
static inline struct source source_of(const char *name, const char *text,
                                      size_t len) {
    return (struct source){name, text, len};
}

#define SOURCE(name, literal) source_of(name, literal, sizeof(literal) - 1)

#endif
