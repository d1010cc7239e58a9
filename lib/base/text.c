/* text.c - a growing string, and reading a whole file. */
#include "text.h"

#include "arena.h"
#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file beyond this is a mistake (or a device that never ends). */
static const size_t MAX_FILE = (size_t)1 << 30;

/* Make room for extra bytes and the terminator. */
static void reserve(struct text *t, size_t extra) {
    if (t->cap - t->len > extra)
        return;
    if (extra > SIZE_MAX / 2 - t->len - 1)
        BUG("text of %zu bytes", extra);
    size_t cap = t->cap ? t->cap : 64;
    while (cap - t->len <= extra)
        cap *= 2;
    t->data = xrealloc(t->data, cap);
    t->cap = cap;
}

void text_addn(struct text *t, const char *s, size_t n) {
    reserve(t, n);
    if (n)
        memcpy(t->data + t->len, s, n);
    t->len += n;
    t->data[t->len] = '\0';
}

void text_add(struct text *t, const char *s) {
    text_addn(t, s, strlen(s));
}

void text_addc(struct text *t, char c) {
    text_addn(t, &c, 1);
}

void text_printf(struct text *t, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0)
        BUG("bad format '%s'", fmt);
    reserve(t, (size_t)n);
    vsnprintf(t->data + t->len, (size_t)n + 1, fmt, again);
    va_end(again);
    t->len += (size_t)n;
}

const char *text_str(const struct text *t) {
    return t->data ? t->data : "";
}

void text_free(struct text *t) {
    free(t->data);
    *t = (struct text){0};
}

/* Append all of f; 0 or an errno. */
static int read_all(FILE *f, struct text *t) {
    char block[16384];
    size_t n;
    errno = 0;
    while ((n = fread(block, 1, sizeof block, f)) > 0) {
        if (n > MAX_FILE - t->len)
            return EFBIG;
        text_addn(t, block, n);
    }
    return ferror(f) ? (errno ? errno : EIO) : 0;
}

char *text_read_file(const char *path, size_t *len) {
    struct text t = {0};
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!f)
        return NULL;
    int error = read_all(f, &t);
    if (f != stdin)
        fclose(f);
    if (error) {
        text_free(&t);
        errno = error;
        return NULL;
    }
    text_addn(&t, "", 0);
    *len = t.len;
    return t.data;
}
