/* wrap.c - greedy line filling, UTF-8 aware in counting columns only. */
#include "wrap.h"

#include <stdbool.h>
#include <string.h>

static int columns(const char *s, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

int text_columns(const char *s) {
    return columns(s, strlen(s));
}

static const char blanks[] = " \t\r\n";

/* End the line, without the blanks that a prefix may leave at its end. */
static void end_line(struct text *out) {
    while (out->len && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    text_addc(out, '\n');
}

/* A paragraph being filled. */
struct fill {
    struct text *out;
    const char *prefix;
    int hang;
    int column; /* 0: no line begun */
    bool first; /* no line ended yet */
};

static void add_word(struct fill *f, const char *word, size_t n) {
    int width = columns(word, n);
    if (f->column && f->column + 1 + width > WRAP_COLUMNS) {
        end_line(f->out);
        f->column = 0;
        f->first = false;
    }
    if (f->column) {
        text_addc(f->out, ' ');
        f->column++;
    } else {
        text_add(f->out, f->prefix);
        f->column = text_columns(f->prefix);
        for (int i = 0; !f->first && i < f->hang; i++, f->column++)
            text_addc(f->out, ' ');
    }
    text_addn(f->out, word, n);
    f->column += width;
}

static void add_words(struct fill *f, const char *s, size_t n) {
    const char *end = s + n;
    while (s < end) {
        while (s < end && strchr(blanks, *s))
            s++;
        const char *word = s;
        while (s < end && !strchr(blanks, *s))
            s++;
        if (s > word)
            add_word(f, word, (size_t)(s - word));
    }
}

static void end_paragraph(struct fill *f) {
    if (f->column)
        end_line(f->out);
    f->column = 0;
    f->first = true;
}

void wrap_words(struct text *out, const char *prefix, int hang, const char *s) {
    struct fill f = {out, prefix, hang, 0, true};
    add_words(&f, s, strlen(s));
    end_paragraph(&f);
}

static size_t line_length(const char *s) {
    return strcspn(s, "\n");
}

static bool is_blank(const char *s, size_t n) {
    while (n && strchr(blanks, *s))
        s++, n--;
    return n == 0;
}

/* The indentation that all lines but the first share: a long bracket's first
 * line begins where its code does. */
static size_t common_indent(const char *s) {
    size_t common = (size_t)-1;
    for (const char *p = s; *p;) {
        size_t n = line_length(p), indent = strspn(p, " ");
        if (p != s && !is_blank(p, n) && indent < common)
            common = indent;
        p += n + (p[n] == '\n');
    }
    return common == (size_t)-1 ? 0 : common;
}

static void verbatim(struct text *out, const char *prefix, const char *s,
                     size_t n) {
    text_add(out, prefix);
    text_addn(out, s, n);
    end_line(out);
}

void wrap_text(struct text *out, const char *prefix, const char *s) {
    struct fill f = {out, prefix, 0, 0, true};
    size_t drop = common_indent(s);
    bool any = false, gap = false;
    for (const char *p = s; *p;) {
        size_t n = line_length(p), indent = strspn(p, " ");
        const char *line = p;
        p += n + (p[n] == '\n');
        if (is_blank(line, n)) {
            end_paragraph(&f);
            gap = any;
            continue;
        }
        if (gap) {
            text_add(out, prefix);
            end_line(out);
        }
        gap = false;
        any = true;
        size_t cut = line == s || indent < drop ? indent : drop;
        if (line[cut] == ' ' || strchr("-*|", line[cut])) {
            end_paragraph(&f);
            verbatim(out, prefix, line + cut, n - cut);
        } else {
            add_words(&f, line, n);
        }
    }
    end_paragraph(&f);
}
