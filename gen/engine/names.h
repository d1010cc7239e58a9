/* names.h - what a template can name: the contract with template authors.
 *
 * docs/templates.md lists it.  Nothing here knows a particular block; what one
 * block computes for its templates is in gen/blocks/.
 */
#ifndef NDP_GEN_NAMES_H
#define NDP_GEN_NAMES_H

#include "output/job.h"
#include "template.h"
#include "templates.h"

#include <stdbool.h>

/* One template being rendered, and what it says about itself meanwhile. */
struct unit {
    const struct gen_job *job;
    const struct template_set *set;
    int *uses; /* templates it needs, in order; room for one of each */
    int n_uses;
    char output[128]; /* file it becomes, without prefix */
    bool is_named;    /* the header shows that name: too late to change it */
};

/* The names, for template_render; ctx is a struct unit. */
void names_add(lua_State *L, void *ctx);

/* Add functions that return Verilog text (names_text.c). */
void names_add_text(lua_State *L, struct unit *u);

/* The struct unit of a function that names_push made. */
struct unit *names_unit(lua_State *L);
void names_push(lua_State *L, struct unit *u, lua_CFunction f);

/* Whether name may be that of an output file: letters, digits, '_', '-' and
 * '.', not hidden, at most one folder. */
bool names_is_output(const char *name);

/* "rtl/<prefix>ndp_queue.v" for output "ndp_queue.v". */
void names_path(const struct unit *u, struct text *out);

#endif
