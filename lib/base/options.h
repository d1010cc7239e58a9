/* options.h - the command line of every program, out of one table.
 *
 * The table gives the parsing, the --help text and the suggestions:
 *
 *     static const struct option_spec specs[] = {
 *         {"", 0, NULL, "What to generate:"},
 *         {"target", 't', "BLOCK", "block to generate, see --list-targets"},
 *         {"json", 0, NULL, "print the summary as JSON"},
 *         {NULL, 0, NULL, NULL}};
 *
 *     status = options_parse(&opts, argc, argv, take, &settings, &diag);
 *     if (status != OPTIONS_RUN) {
 *         diag_flush(&diag, stderr);
 *         return status;
 *     }
 *
 * Accepted forms: --name, --name=value, --name value, -n, -nvalue, -n value;
 * options and other arguments in any order; "--" ends the options.  A long
 * option must be spelled in full: an abbreviation that works today is ambiguous
 * once a program grows.  --help (-h) and --version are added to every table.
 */
#ifndef NDP_OPTIONS_H
#define NDP_OPTIONS_H

#include "diag.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

struct option_spec {
    const char *name; /* without dashes; "": doc is a heading; NULL: the end */
    char letter;      /* 0: none */
    const char *arg;  /* what --help calls the value; NULL: a flag */
    const char *doc;  /* one or more sentences, wrapped by --help */
};

struct option_example {
    const char *command; /* NULL: the end */
    const char *doc;
};

struct options {
    const char *program; /* "ndpgen" */
    const char *usage;   /* "--target BLOCK [options]" */
    const char *summary; /* what the program is for */
    const struct option_spec *specs;
    const char *positional; /* what the other arguments are; NULL: none */
    int max_positional;     /* 0: no limit (when positional is not NULL) */
    const struct option_example *examples; /* NULL: none */
    const char *epilogue;                  /* NULL: none */
    /* Adds where an unknown option belongs ("goes with --preset tom"), or
     * nothing.  Asked before a suggestion is looked for; NULL: nowhere. */
    void (*elsewhere)(const char *name, struct text *where);
};

/* Receives each option by its long name, and each other argument with name
 * NULL, in the order of the command line.  value is NULL for a flag and
 * otherwise lives as long as argv.  False: not acceptable; unless take has
 * reported an error itself, a general one is. */
typedef bool options_take(void *ctx, const char *name, const char *value);

enum { OPTIONS_RUN = -1 };

/* Parse argv.  OPTIONS_RUN: go on.  Otherwise the exit status to leave with: 0
 * after --help or --version, 2 after errors, which are in d. */
int options_parse(const struct options *o, int argc, char **argv,
                  options_take *take, void *ctx, struct diag *d);

/* The options that every program has, as a table of their own. */
extern const struct option_spec options_common[];

/* The --help text, at most 79 columns wide where the words allow it. */
void options_help(const struct options *o, FILE *out);

/* A manual page (man 1), and what bash completes.  options_parse prints them
 * for a command line of the one word --print-man or --print-completion, which
 * no
 * --help mentions: `make install` asks. */
void options_man(const struct options *o, FILE *out);
void options_completion(const struct options *o, FILE *out);

/* A whole number from min to max, decimal or 0x..., that option name was given.
 * False after an error in d, and then *n is as before. */
bool options_number(const char *name, const char *value, uint64_t min,
                    uint64_t max, uint64_t *n, struct diag *d);

/* Position of value among the words of "a|b|c"; -1 after an error in d. */
int options_choice(const char *name, const char *value, const char *words,
                   struct diag *d);

#endif
