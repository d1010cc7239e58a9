/* choice.h - what a command line says of the configuration: --preset, --config
 * and --set, each over the one before. */
#ifndef NDP_CONFIG_CHOICE_H
#define NDP_CONFIG_CHOICE_H

#include "config.h"

enum { CHOICE_MOST_SETS = 256 };

/* Zero-initialise to start; the strings are the command line's. */
struct config_choice {
    const char *preset, *file;
    const char
        *text; /* YAML that is the preset of that name; NULL: a known one */
    const char *base; /* preset that stands for none; NULL: the defaults */
    const char *sets[CHOICE_MOST_SETS];
    int n_sets;
    const char *target; /* that the sizes are for; NULL: the preset's, if any */
    bool tell;          /* note the derived keys that follow --set */
};

/* Take one of the three options.  False after an error in d: given twice, or
 * too often. */
bool choice_take(struct config_choice *c, const char *name, const char *value,
                 struct diag *d);

/* Choose for a target, and of preset P the target's own form, if there is one: preset TARGET_P; and a
 * preset that is called TARGET for none.  Some systems need other sizes of
 * parts that they share, so that 'small' says for each target what is small.
 * NULL: no target. */
void choice_of_target(struct config_choice *c, const char *target);

/* The configuration; errors in d point at file, line and key.  What the target
 * computes (iface/derive.h) is computed after the preset, after the file and after
 * the --set options.  A file, or they together, may give such a key only the value
 * that it gets: so an echoed configuration can be read, and --set changed over it.
 * A key of --set without its section, 'warps', is the one of that name that the
 * target computes others from, or else the only one that it uses. */
void choice_resolve(const struct config_choice *c, struct config *out,
                    struct diag *d);

/* The option for it, as a shell would read it back: only the last part of a
 * path, and of the --set options those that are chosen.  Append to out. */
void choice_command(const struct config_choice *c, config_filter *chosen,
                    const void *ctx, struct text *out);

/* Tell of each --set whose parameter is not chosen that what does not use it.
 */
void choice_warn(const struct config_choice *c, config_filter *chosen,
                 const void *ctx, const char *what, struct diag *d);

/* A word as the shell would read it back, after a blank; bytes that do not
 * print as '?'.  Of a path only the last part, which does not tell where a
 * program ran. */
void choice_add_word(struct text *out, const char *word);
void choice_add_path(struct text *out, const char *path);

#endif
