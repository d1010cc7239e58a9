/* templates.h - the templates at hand, and the ones a block is made of. */
#ifndef NDP_GEN_TEMPLATES_H
#define NDP_GEN_TEMPLATES_H

#include "base/arena.h"
#include "base/diag.h"
#include "output/job.h"

#include <stdbool.h>

struct template_file {
    const char *name; /* "ndp_nbu.v" */
    struct source source;
};

struct template_set {
    struct template_file *files; /* sorted by name */
    int n;
    struct arena arena;
};

/* The built-in templates; those of folder dir, unless NULL, replace the ones of
 * the same name and add to the others.  False after an error in d.  Free the
 * set in either case, after the last message of d was printed. */
bool templates_load(struct template_set *s, const char *dir, struct diag *d);
void templates_free(struct template_set *s);

/* Position of a template, or -1; and its name, NULL past the last. */
int templates_find(const struct template_set *s, const char *name);
const char *templates_name(void *set, int i);

/* Render ndp_<block>.v and what it uses, each once, the used before the user,
 * into f.  Goes on after an error so as to report those of all templates;
 * false if there was one. */
bool templates_render(const struct template_set *s, const struct gen_job *job,
                      struct gen_files *f, struct diag *d);

#endif
