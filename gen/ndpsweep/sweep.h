/* sweep.h - many configurations of targets, read from YAML; private to
 * ndpsweep.
 *
 * A sweep is axes of choices, each with each.  docs/sweep.md explains the file.
 */
#ifndef NDP_GEN_SWEEP_H
#define NDP_GEN_SWEEP_H

#include "iface/iface.h"
#include "measures.h"

enum { SWEEP_MOST = 100000 }; /* configurations of a file */

/* A parameter, an option of a measure or, of key "preset", a preset, and its
 * value as --set takes it. */
struct sweep_pair {
    const char *key, *value;
};

struct sweep_choice {
    struct sweep_pair *pairs;
    int n;
};

struct sweep_axis {
    struct sweep_choice *choices;
    int n;
};

struct sweep_measure {
    const struct measure *kind;
    const char *values[MEASURE_OPTIONS]; /* lists: blanks between the words;
                                            NULL: none */
};

struct sweep_plot {
    const char *x, *y, *by; /* columns; by may be NULL */
    bool log_x, log_y;
    bool front; /* a line through those that none beats in both, not means */
    const char *where; /* COLUMN=VALUE of the rows shown, tabs between; "" */
};

struct sweep {
    const char *name;
    struct place at;
    const struct iface *target;
    struct sweep_choice fixed; /* preset, if there is one for all, and set */
    struct sweep_axis *axes;   /* the last one turns fastest */
    int n_axes;
    struct sweep_measure *measures;
    int n_measures;
    struct sweep_plot *plots;
    int n_plots;
};

struct sweep_file {
    struct sweep *sweeps;
    int n;
};

/* Read a file; false after errors in d.  All that it gives lives as long as the
 * arena. */
bool sweep_read(struct arena *a, const struct source *src,
                struct sweep_file *out, struct diag *d);

/* The keys of a sweep's axes and fixed pairs, each once, in order. */
int sweep_keys(struct arena *a, const struct sweep *s, const char ***keys);

/* How many configurations. */
long sweep_count(const struct sweep *s);

/* The folder: manifest, columns, plots, sweep.sbatch, and NAME/job of each
 * configuration.  command is what a manifest's line begins with.  False after
 * an error in d. */
bool sweep_write(struct arena *a, const struct sweep_file *f,
                 const char *folder, const char *command, struct diag *d);

#endif
