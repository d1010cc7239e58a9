/* values.c - sizes, parameters and facts of the run, as templates see them.
 *
 * Tables that have a fixed set of keys are read-only views, so that a misspelt
 * name is an error with a suggestion and never nil.  Only parameters that the
 * design's hash covers are there: RTL cannot depend on another one.
 */
#include "names.h"

#include "base/embed.h"
#include "base/version.h"
#include "engine/sandbox.h"
#include "iface/derive.h"
#include "iface/opclass.h"

#include <inttypes.h>
#include <string.h>

static void add_sizes(lua_State *L, const struct design *d) {
    const struct iface *b = d->iface;
    lua_createtable(L, 0, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        names_set_number(L, b->locals[i].name, d->local[i]);
    sandbox_readonly(L, "derived size");
    lua_setfield(L, -2, "L");
    lua_createtable(L, 0, b->n_locals);
    for (int i = 0; i < b->n_locals; i++)
        names_set_string(L, b->locals[i].name, b->locals[i].doc);
    sandbox_readonly(L, "derived size");
    lua_setfield(L, -2, "L_doc");
}

/* --- parameters ----------------------------------------------------------- */

static void push_value_text(lua_State *L, const struct config *c,
                            const struct param *p) {
    struct text value = {0};
    config_value(c, p, &value);
    lua_pushstring(L, text_str(&value));
    text_free(&value);
}

static void push_masks(lua_State *L, const struct mask_list *masks) {
    lua_createtable(L, masks->n, 0);
    for (int i = 0; i < masks->n; i++) {
        lua_pushinteger(L, (lua_Integer)masks->v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Push a parameter as a number, a LIST or MASKS as an array of them. */
static void push_value(lua_State *L, const struct config *c,
                       const struct param *p) {
    if (p->type == PARAM_MASKS) {
        push_masks(L, config_masks(c, p));
        return;
    }
    if (p->type != PARAM_LIST) {
        lua_pushinteger(L, (lua_Integer)gen_param_number(c, p));
        return;
    }
    const struct int_list *list = config_list(c, p);
    lua_createtable(L, list->n, 0);
    for (int i = 0; i < list->n; i++) {
        lua_pushinteger(L, list->v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The names of an ENUM, "a|b|c", as an array. */
static void push_choices(lua_State *L, const char *names) {
    lua_createtable(L, 0, 0);
    for (int i = 1; *names; i++) {
        size_t n = strcspn(names, "|");
        lua_pushlstring(L, names, n);
        lua_rawseti(L, -2, i);
        names += n + (names[n] == '|');
    }
}

/* {key, name, own, type, value, text, unit, doc, choices, computed}; computed:
 * "computed from 'nbu.warps'", "" for what a user sets */
static void push_param(lua_State *L, const struct design *d,
                       const struct param *p) {
    static const char *const types[] = {"int", "pow2", "enum",
                                        "set", "list", "masks"};
    bool own = strcmp(p->group, d->iface->name) == 0;
    lua_createtable(L, 0, 10);
    names_set_string(L, "key", p->key);
    names_set_string(L, "name", own ? strchr(p->key, '.') + 1 : p->key);
    names_set_string(L, "type", types[p->type]);
    push_value(L, &d->config, p);
    lua_setfield(L, -2, "value");
    push_value_text(L, &d->config, p);
    lua_setfield(L, -2, "text");
    names_set_string(L, "unit", p->unit ? p->unit : "");
    names_set_string(L, "doc", p->doc);
    struct text computed = {0};
    if (iface_derives(d->iface, p))
        iface_describe_derived(d->iface, p, &computed);
    names_set_string(L, "computed", text_str(&computed));
    text_free(&computed);
    push_choices(L, p->type == PARAM_ENUM ? p->names : "");
    lua_setfield(L, -2, "choices");
}

static void add_params(lua_State *L, const struct design *d) {
    const struct param *p;
    int n = 0;
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    for (int i = 0; (p = config_param(i)); i++) {
        if (!iface_uses(d->iface, p))
            continue;
        push_value(L, &d->config, p);
        lua_setfield(L, -4, p->key);
        push_value_text(L, &d->config, p);
        lua_setfield(L, -3, p->key);
        push_param(L, d, p);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -4, "params");
    sandbox_readonly(L, "parameter of this target");
    lua_setfield(L, -3, "Pname");
    sandbox_readonly(L, "parameter of this target");
    lua_setfield(L, -2, "P");
}

/* --- the run -------------------------------------------------------------- */

static const char *find_note(const char *block) {
    for (const struct embedded *e = embedded_notes; e->name; e++)
        if (strcmp(e->folder, "blocks") == 0 && strcmp(e->stem, block) == 0)
            return e->text;
    return "";
}

static void add_scalars(lua_State *L, const struct unit *u) {
    struct text t = {0};
    char hash[17];
    names_set_string(L, "block", u->design->iface->name);
    names_set_string(L, "prefix", u->job->prefix);
    names_set_string(L, "version", NDP_VERSION);
    names_set_string(L, "command", u->job->command);
    names_set_string(L, "note", find_note(u->design->iface->name));
    gen_root_name(u->job, &t);
    names_set_string(L, "root", text_str(&t));
    text_free(&t);
    gen_made_by(u->job, &t);
    names_set_string(L, "made_by", text_str(&t));
    text_free(&t);
    snprintf(hash, sizeof hash, "%016" PRIx64, u->design->hash);
    names_set_string(L, "hash", hash);
    names_set_string(L, "hash_lo", hash + 8);
    hash[8] = '\0';
    names_set_string(L, "hash_hi", hash);
}

/* Files so far: an array of {path, kind}. */
static void add_files(lua_State *L, const struct gen_files *f) {
    lua_createtable(L, f->n, 0);
    for (int i = 0; i < f->n; i++) {
        lua_createtable(L, 0, 2);
        names_set_string(L, "path", f->files[i].path);
        names_set_string(L, "kind", gen_kind_name(f->files[i].kind));
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "files");
}

/* Instruction classes: an array of {name, doc}, code 0 first, and the code by
 * name. */
static void add_classes(lua_State *L) {
    lua_createtable(L, 0, 0);
    for (int i = 0; opclass_name(i); i++)
        names_set_number(L, opclass_name(i), i);
    sandbox_readonly(L, "instruction class");
    lua_setfield(L, -2, "class");
    lua_createtable(L, 0, 0);
    for (int i = 0; opclass_name(i); i++) {
        lua_createtable(L, 0, 2);
        names_set_string(L, "name", opclass_name(i));
        names_set_string(L, "doc", opclass_doc(i));
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "classes");
}

void names_add_values(lua_State *L, const struct unit *u) {
    add_scalars(L, u);
    add_sizes(L, u->design);
    add_params(L, u->design);
    add_files(L, u->files);
    add_classes(L);
}
