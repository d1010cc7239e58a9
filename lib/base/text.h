/* text.h - a growing string, with a printf-checked append. */
#ifndef NDP_TEXT_H
#define NDP_TEXT_H

#include <stddef.h>

struct text {
    char *data; /* always terminated once anything was appended; else NULL */
    size_t len;
    size_t cap;
};

void text_printf(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void text_add(struct text *t, const char *s);
void text_addn(struct text *t, const char *s, size_t n);
void text_addc(struct text *t, char c);
const char *text_str(const struct text *t); /* never NULL */
void text_free(struct text *t);

/* Whole file into memory, terminated, size in *len; NULL with errno set.
 * path "-" reads standard input.  The caller frees. */
char *text_read_file(const char *path, size_t *len);

#endif
