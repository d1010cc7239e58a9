/* templates.h - the templates at hand, and the files of a target out of them.
 *
 * A template belongs to a room of rtl-templates/: a block's, whose sizes and
 * parameters it sees, or `common`, which sees those of whoever uses it.  Names
 * of Verilog templates and of fragments (*.inc), texts that several templates
 * share, are unique over all rooms; other files are named with their room.
 */
#ifndef NDP_GEN_TEMPLATES_H
#define NDP_GEN_TEMPLATES_H

#include "base/arena.h"
#include "base/diag.h"
#include "job.h"

#include <stdbool.h>

struct template_file {
    const char *room; /* "nbu", "common", "outputs" */
    const char *name; /* "ndp_nbu.v" */
    struct source source;
};

struct template_set {
    struct template_file *files; /* sorted by name, then by room */
    int n;
    struct arena arena;
};

/* The built-in templates; those of folder dir, unless NULL, replace the ones of
 * the same name and add to the others.  Rooms are folders in dir, too; a file
 * that lies in dir itself belongs to the room of the one it replaces, else to
 * `common`.  False after an error in d.  Free the set in either case, after the
 * last message of d was printed. */
bool templates_load(struct template_set *s, const char *dir, struct diag *d);
void templates_free(struct template_set *s);

/* Position of a Verilog template or a fragment, or -1. */
int templates_find(const struct template_set *s, const char *name);
bool templates_is_fragment(const char *name);

/* Name of the n-th Verilog template, of the n-th fragment; NULL past the last.
 */
const char *templates_name(void *set, int n);
const char *templates_fragment_name(void *set, int n);

/* Position of any template of a room, or -1. */
int templates_find_part(const struct template_set *s, const char *room,
                        const char *name);

/* Render ndp_<target>.v, or for a system without one ndp_system.v, and what it
 * uses, each once, the used before the user, into f.  Goes on after an error so
 * as to report those of all templates; false if there was one. */
bool templates_render(const struct template_set *s, const struct gen_job *job,
                      struct gen_files *f, struct diag *d);

/* Render one template of room `outputs`, which may list the files so far. */
bool templates_render_output(const struct template_set *s,
                             const struct gen_job *job, const char *name,
                             struct gen_files *f, struct diag *d);

#endif
