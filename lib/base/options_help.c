/* options_help.c - the --help text, laid out from the option table. */
#include "options.h"

#include "text.h"

#include <string.h>

/* Columns: where an option's doc may begin at most, and the right margin. */
enum { DOC_MAX = 30, RIGHT = 79 };

/* "  -o, --output DIR" */
static void add_option(struct text *t, const struct option_spec *s) {
    if (s->letter)
        text_printf(t, "  -%c, --%s", s->letter, s->name);
    else
        text_printf(t, "      --%s", s->name);
    if (s->arg)
        text_printf(t, " %s", s->arg);
}

/* Column in which the docs of all options begin. */
static int doc_column(const struct option_spec *specs) {
    struct text t = {0};
    int column = 0;
    for (const struct option_spec *s = specs; s && s->name; s++) {
        t.len = 0;
        add_option(&t, s);
        int end = (int)t.len + 2;
        if (*s->name && end <= DOC_MAX && end > column)
            column = end;
    }
    text_free(&t);
    return column;
}

/* Write words from column at on, breaking lines before the margin and
 * beginning them at column indent; a newline in the text breaks too. */
static void wrap(FILE *out, const char *words, int at, int indent) {
    while (*words) {
        int len = (int)strcspn(words, " \n");
        if (at > indent && at + 1 + len > RIGHT) {
            fputc('\n', out);
            at = 0;
        }
        if (at < indent)
            at += fprintf(out, "%*s", indent - at, "");
        else if (at > indent)
            at += fprintf(out, " ");
        at += fprintf(out, "%.*s", len, words);
        words += len;
        for (; *words == ' ' || *words == '\n'; words++)
            if (*words == '\n') {
                fputc('\n', out);
                at = 0;
            }
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct option_spec *s, int column) {
    struct text t = {0};
    if (!*s->name) {
        fprintf(out, "\n%s\n", s->doc);
        return;
    }
    add_option(&t, s);
    fputs(text_str(&t), out);
    int at = (int)t.len;
    text_free(&t);
    if (at + 2 > column) {
        fputc('\n', out);
        at = 0;
    }
    wrap(out, s->doc, at, column);
}

static void print_examples(FILE *out, const struct option_example *e) {
    fputs("\nExamples:\n", out);
    for (; e->command; e++) {
        fprintf(out, "  %s\n", e->command);
        wrap(out, e->doc, 0, 6);
    }
}

void options_help(const struct options *o, FILE *out) {
    int column = doc_column(o->specs), least = doc_column(options_common);
    if (column < least)
        column = least;
    fprintf(out, "usage: %s %s\n\n", o->program, o->usage);
    wrap(out, o->summary, 0, 0);
    if (!o->specs || !o->specs->name || *o->specs->name)
        fputs("\nOptions:\n", out);
    for (const struct option_spec *s = o->specs; s && s->name; s++)
        print_option(out, s, column);
    for (const struct option_spec *s = options_common; s->name; s++)
        print_option(out, s, column);
    if (o->examples)
        print_examples(out, o->examples);
    if (o->epilogue) {
        fputc('\n', out);
        wrap(out, o->epilogue, 0, 0);
    }
}
