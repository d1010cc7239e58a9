/* ndppage.c - the program: renders a page of figures (page.h). */
#include "page.h"

#include "base/arena.h"
#include "base/options.h"
#include "base/outfile.h"

#include <stdlib.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2 };

struct settings {
    const char **words; /* template and data */
    int n;
    const char *output;
};

static const struct option_spec specs[] = {
    {"output", 'o', "FILE",
     "write to FILE instead of standard output, '-'; a regular file is "
     "written whole or not at all"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndppage page.md off=off.json on=on.json -o out.md",
     "a page out of two runs"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndppage",
    .usage = "TEMPLATE [NAME=FILE]... [-o FILE]",
    .summary =
        "Renders a page of figures: a template, in which lines that begin "
        "with //% are Lua and ${...} is replaced, and JSON that programs "
        "printed, which the template sees as data.NAME. See docs/templates.md.",
    .specs = specs,
    .positional = "the template, then the data: NAME=FILE, a file of JSON each",
    .examples = examples,
    .epilogue = "scripts/figures.sh makes the pages of docs/ so. Exit status: "
                "0 done, 2 bad input."};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (name)
        s->output = value;
    else
        s->words[s->n++] = value;
    return true;
}

static void write_page(const struct text *text, const char *path,
                       struct diag *d) {
    struct outfile f;
    if (!outfile_open(&f, path, d))
        return;
    fwrite(text_str(text), 1, text->len, f.out);
    outfile_close(&f, true);
}

static void run(const struct settings *s, struct diag *d) {
    struct text text = {0};
    if (s->n == 0)
        diag_error(d, (struct place){0},
                   "no template, expected one such as "
                   "'docs/pages/nbu/figures-nbu.md'");
    else if (page_render(s->words[0], s->words + 1, s->n - 1, &text, d))
        write_page(&text, s->output, d);
    text_free(&text);
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.output = "-"};
    s.words = xcalloc((size_t)argc, sizeof *s.words);
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        run(&s, &d);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    free(s.words);
    return status;
}
