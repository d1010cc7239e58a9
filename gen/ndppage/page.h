/* page.h - a page of figures: a template (engine/template.h) and what programs
 * printed with --json, as Lua tables.
 *
 * Besides Lua's own names the template sees (docs/templates.md):
 *
 *     data.NAME           a file's value: objects are read-only tables whose
 *                         missing keys are errors, arrays are arrays, null is
 *                         false
 *     include "FILE"      run a file of Lua, once; its path begins where the
 *                         template lies
 *     readonly(t, what)   t as such a read-only table; `what` names its keys
 */
#ifndef NDP_GEN_PAGE_H
#define NDP_GEN_PAGE_H

#include "base/diag.h"
#include "base/text.h"

#include <stdbool.h>

/* Append the template in the file `path`, rendered with the n files that data
 * names as "NAME=FILE", to out.  After an error in d: nothing, and false. */
bool page_render(const char *path, const char *const *data, int n,
                 struct text *out, struct diag *d);

#endif
