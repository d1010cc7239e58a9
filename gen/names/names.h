/* names.h - what a template can name: the contract with template authors.
 *
 * docs/templates.md lists it.  Nothing here knows a particular block; what one
 * block computes for its templates stands in gen/<block>/ (tables.h).
 */
#ifndef NDP_GEN_NAMES_H
#define NDP_GEN_NAMES_H

#include "engine/template.h"
#include "output/job.h"
#include "output/templates.h"

#include <stdbool.h>

/* A fragment being rendered into the text of whoever asked for it. */
struct fragment {
    int template;     /* position in the set */
    lua_State *given; /* state in which names are given to it, or NULL */
    int table;        /* where they are: texts by texts */
    const struct fragment *outer; /* that it is a fragment of, or NULL */
};

/* One template being rendered, and what it says about itself meanwhile. */
struct unit {
    const struct gen_job *job;
    const struct design *design; /* whose names it sees */
    const struct template_set *set;
    const struct gen_files *files; /* that there are so far */
    struct diag *d;
    const struct fragment *fragment; /* of it, at work; or NULL */
    int *uses; /* templates it needs, in order; room for one of each */
    int n_uses;
    char output[128]; /* file it becomes, without prefix */
    bool is_named;    /* the header shows that name: too late to change it */
};

/* The names, for template_render; ctx is a struct unit. */
void names_add(lua_State *L, void *ctx);

/* Its parts: values of the design (values.c), of its declaration (iface.c), of
 * what it is made of (system.c); the instruction set (isa.c); functions that
 * return text (text.c). */
void names_add_values(lua_State *L, const struct unit *u);
void names_add_iface(lua_State *L, const struct unit *u);
void names_add_system(lua_State *L, const struct unit *u);
void names_add_isa(lua_State *L);
void names_add_text(lua_State *L, struct unit *u);

/* Settings, counters, memories, storage and figures of d, as fields of the
 * table on top. */
void names_set_facts(lua_State *L, const struct design *d);

/* The struct unit of a function that names_push made. */
struct unit *names_unit(lua_State *L);
void names_push(lua_State *L, struct unit *u, lua_CFunction f);

/* Set a field of the table on top. */
void names_set_string(lua_State *L, const char *key, const char *value);
void names_set_number(lua_State *L, const char *key, int64_t value);
void names_set_boolean(lua_State *L, const char *key, bool value);

/* Whether name may be that of an output file: letters, digits, '_', '-' and
 * '.', not hidden, at most one folder. */
bool names_is_output(const char *name);

/* "rtl/<prefix>ndp_queue.v" for output "ndp_queue.v". */
void names_path(const struct unit *u, struct text *out);

#endif
