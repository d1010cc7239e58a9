/* kernel.c - the entry that a description names, under its name in the PTX or
 * as it stands in the source.
 */
#include "state.h"

#include "base/demangle.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_ENTRIES = 16 };

/* The n-th entry with a body, NULL past the last. */
static const struct ptx_function *entry_at(const struct run *r, int n) {
    const struct ptx_module *m = r->module;
    for (int i = 0; i < m->n_functions; i++)
        if (m->functions[i]->is_entry && m->functions[i]->has_body && n-- == 0)
            return m->functions[i];
    return NULL;
}

static const char *entry_name(void *ctx, int n) {
    const struct ptx_function *f = entry_at(ctx, n);
    return f ? f->name : NULL;
}

/* A note for each entry that means it, or for all if text is NULL. */
static void list_entries(struct run *r, const char *text) {
    const struct ptx_function *f;
    int shown = 0;
    for (int n = 0; (f = entry_at(r, n)); n++) {
        struct place at = {r->module->source, f->line, f->column, 1};
        char *plain;
        if ((text && !demangle_means(text, f->name)) ||
            shown++ >= SHOWN_ENTRIES)
            continue;
        plain = demangle(f->name);
        diag_report(r->d, DIAG_NOTE, at, "it has '%s'%s%s%s", f->name,
                    plain ? ", which is '" : "", plain ? plain : "",
                    plain ? "'" : "");
        free(plain);
    }
    if (shown > SHOWN_ENTRIES)
        diag_report(r->d, DIAG_NOTE, (struct place){r->module->source, 0, 0, 0},
                    "and %d more", shown - SHOWN_ENTRIES);
}

const struct ptx_function *
run_find_kernel(struct run *r, const struct yaml_node *n, struct place at) {
    const struct ptx_function *f, *found = NULL;
    const char *text = n && n->kind == YAML_WORD ? n->text : NULL;
    int all = 0, matches = 0;
    for (; (f = entry_at(r, all)); all++) {
        if (text && strcmp(text, f->name) == 0)
            return f;
        if (!n || (text && demangle_means(text, f->name))) {
            found = f;
            matches++;
        }
    }
    if (matches == 1)
        return found;
    if (all == 0) {
        diag_error(r->d, n ? n->at : at, "'%s' has no entry with a body",
                   r->ptx_path);
        return NULL;
    }
    if (!text) {
        diag_error(r->d, n ? n->at : at,
                   "'kernel' is missing: '%s' has %d entries", r->ptx_path,
                   all);
    } else if (matches) {
        diag_error(r->d, n->at, "'%s' means %d kernels of '%s'", text, matches,
                   r->ptx_path);
        list_entries(r, text);
        return NULL;
    } else {
        const char *near = suggest(text, entry_name, r);
        diag_error(r->d, n->at, "no kernel '%s' in '%s'%s%s%s", text,
                   r->ptx_path, near ? ", did you mean '" : "",
                   near ? near : "", near ? "'" : "");
    }
    list_entries(r, NULL);
    return NULL;
}
