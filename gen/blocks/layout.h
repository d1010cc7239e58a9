/* layout.h - the fields of a table's entry, which software loads as one word.
 *
 * A block lists its fields once, from bit 0 up and without gaps; templates, C
 * header and data sheet get their positions from the list.
 */
#ifndef NDP_GEN_LAYOUT_H
#define NDP_GEN_LAYOUT_H

#include "base/text.h"

#include <lua.h>

enum { LAYOUT_MAX_FIELDS = 16 };

struct layout_field {
    const char *name; /* lower case */
    int lsb, width;   /* bits */
    const char *doc;
};

/* Zero-initialise to start. */
struct layout {
    struct layout_field field[LAYOUT_MAX_FIELDS];
    int n, bits;
};

/* Append a field above those there are. */
void layout_add(struct layout *l, const char *name, int width, const char *doc);

/* Set "field" in the table on top of the stack: {lsb, msb, width} of each field
 * by its name. */
void layout_names(const struct layout *l, lua_State *L);

/* Macros <macro>ENTRY_<FIELD>_LSB, _W and <macro>ENTRY_WORDS, in 32-bit words.
 */
void layout_header(const struct layout *l, const char *macro, struct text *out);

/* The fields as a Markdown table. */
void layout_table(const struct layout *l, struct text *out);

#endif
