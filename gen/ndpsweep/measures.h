/* measures.h - what a sweep can measure: names, options and the columns that
 * each gives the table.  scripts/sweep.sh does the measuring. */
#ifndef NDP_GEN_MEASURES_H
#define NDP_GEN_MEASURES_H

#include "base/diag.h"
#include "base/text.h"

enum measure_type {
    MEASURE_NUMBER,  /* from min to max */
    MEASURE_CHOICE,  /* one of words */
    MEASURE_CHOICES, /* a list of some of words */
    MEASURE_FILE,    /* that can be read */
    MEASURE_WORD,
    MEASURE_WORDS /* a list */
};

struct measure_option {
    const char *name; /* NULL: past the last */
    enum measure_type type;
    const char *words; /* "a|b|c" */
    long min, max;
    const char *usual; /* NULL: there is none */
    const char *doc;
};

enum { MEASURE_OPTIONS = 8 };

struct measure {
    const char *name; /* NULL: past the last */
    const char *doc;
    bool more; /* words that are no options are for the program it runs */
    struct measure_option options[MEASURE_OPTIONS + 1];
};

extern const struct measure measures[];

const struct measure *measure_find(const char *name);
const struct measure_option *measure_option(const struct measure *m,
                                            const char *name);

/* Whether one word is a value of the option; of a list, of an element. */
bool measure_value(const struct measure *m, const struct measure_option *o,
                   const char *value, struct place at, struct diag *d);

/* The columns of m, one a line, appended to out; values in the order of its
 * options, lists with blanks between their words. */
void measure_columns(const struct measure *m, const char *const *values,
                     struct text *out);

/* The one that a picture shows if nobody asks for another. */
void measure_main_column(const struct measure *m, const char *const *values,
                         struct text *out);

/* Measures and options for --help. */
void measure_help(struct text *out);

#endif
