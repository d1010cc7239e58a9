/* ndpsweep.c - the program: plans a sweep, a job for each configuration and a
 * manifest of command lines.  scripts/sweep.sh runs and collects them. */
#include "sweep.h"

#include "base/options.h"
#include "base/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2 };

static const struct place nowhere;

struct settings {
    const char *file, *out, *command;
    bool list;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"out", 'o', "FOLDER",
     "where to plan: manifest (a command line for each configuration), "
     "columns, "
     "plots, and NAME/job for each; what was measured there stays"},
    {"command", 0, "WORDS",
     "what each line of the manifest begins with; default: sh "
     "scripts/sweep.sh --run"},
    {"list-measures", 0, NULL, "what can be measured, and its options"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpsweep docs/examples/sweep.yml -o out/sweep",
     "plan it; scripts/sweep.sh does this and the rest"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpsweep",
    .usage = "FILE.yml -o FOLDER",
    .summary = "Plan a sweep: which configurations of which targets are to be "
               "measured, and how. docs/sweep.md explains the file; 'make "
               "sweep SWEEP=FILE.yml' plans, measures, collects and plots.",
    .specs = specs,
    .positional = "the sweep, a file of YAML; - is standard input",
    .max_positional = 1,
    .examples = examples,
    .epilogue = "The same file gives the same plan. Exit status: 0 done, 2 bad "
                "input."};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    const char **where = &s->file;
    if (name && strcmp(name, "list-measures") == 0)
        return s->list = true;
    if (name)
        where = strcmp(name, "out") == 0 ? &s->out : &s->command;
    if (*where && name)
        diag_error(s->d, nowhere, "option '--%s' is given twice", name);
    bool ok = !*where;
    *where = value;
    return ok;
}

static void plan(const struct settings *s, struct diag *d) {
    struct arena a = {0};
    struct sweep_file f = {0};
    size_t len;
    const char *name = strcmp(s->file, "-") == 0 ? "standard input" : s->file;
    char *text = text_read_file(s->file, &len);
    if (!text)
        diag_error(d, nowhere, "cannot read '%s': %s", name, strerror(errno));
    else if (sweep_read(&a, diag_source(d, name, text, len), &f, d))
        sweep_write(&a, &f, s->out,
                    s->command ? s->command : "sh scripts/sweep.sh --run", d);
    free(text);
    arena_free(&a);
}

static void list(struct diag *d) {
    struct text t = {0};
    measure_help(&t);
    fputs(t.data, stdout);
    text_free(&t);
    outfile_flush_stdout(d);
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.d = &d};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        if (s.list)
            list(&d);
        else if (!s.file || !s.out)
            diag_error(&d, nowhere, "no %s, expected FILE.yml -o FOLDER",
                       s.file ? "folder" : "sweep");
        else
            plan(&s, &d);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
