/* template.h - Verilog with Lua lines in it, rendered to text.
 *
 * A line whose first non-blank characters are `//%` is Lua; `${expr}` in any
 * other line is replaced by its value; `$${` writes `${`; the rest is copied.
 * A value of several lines in a `${}` that only blanks precede is indented
 * like the `${}`.  Trailing blanks are stripped, of several blank lines one
 * is kept, and the text ends in one newline.  docs/templates.md is the guide
 * for authors.
 */
#ifndef NDP_GEN_TEMPLATE_H
#define NDP_GEN_TEMPLATE_H

#include "base/diag.h"
#include "base/text.h"

#include <lua.h>

#include <stdbool.h>

/* What a template can name, besides Lua's own. add sets fields of the table
 * of globals, which is on top of the stack, and leaves the stack as it was. */
struct template_names {
    void (*add)(lua_State *L, void *ctx);
    void *ctx;
};

/* Append the rendered text to out.  False after an error in d at the
 * template's line and column; src has to live as long as d. */
bool template_render(const struct source *src,
                     const struct template_names *names, struct text *out,
                     struct diag *d);

#endif
