/* scan.h - a template's text, translated into one Lua chunk.
 *
 * Line n of the chunk is line n of the template, so that Lua's line numbers
 * need no mapping.  A `//%` line is copied; any other line becomes calls of
 * three functions which the chunk receives as arguments:
 *
 *     __text(i)         copy piece i of the template
 *     __at(k)           substitution k comes next (places its errors)
 *     __put((expr))     write a value
 */
#ifndef NDP_GEN_SCAN_H
#define NDP_GEN_SCAN_H

#include "base/diag.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct scan_piece {
    const char *text; /* in the template */
    size_t len;
};

struct scan_subst {
    struct place place; /* of the `${` */
    const char *expr;   /* in the template */
    size_t len;
};

struct scan {
    struct text lua;
    struct scan_piece *pieces;
    int n_pieces, cap_pieces;
    struct scan_subst *substs;
    int n_substs, cap_substs;
};

/* False after an error in d.  The result points into src, which has to live as
 * long; free it in either case. */
bool scan_template(const struct source *src, struct scan *s, struct diag *d);
void scan_free(struct scan *s);

#endif
