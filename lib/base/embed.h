/* embed.h - files that scripts/embed.sh built into the program.
 *
 * A table ends with an entry whose name is NULL.  text is terminated; len does
 * not count the terminator.
 */
#ifndef NDP_EMBED_H
#define NDP_EMBED_H

#include <stddef.h>
#include <string.h>

struct embedded {
    const char *folder; /* that it lies in, "presets" */
    const char *name;   /* "small.yml" */
    const char *stem;   /* "small" */
    const char *text;
    size_t len;
};

extern const struct embedded embedded_presets[];   /* lib/config/presets/ */
extern const struct embedded embedded_templates[]; /* rtl-templates/ */
extern const struct embedded embedded_ptx[];       /* double.ptx, vprintf.ptx */
extern const struct embedded embedded_notes[]; /* docs/blocks/, some of docs/ */

/* The entry of that stem, which must be there. */
static inline const struct embedded *embedded_stem(const struct embedded *e,
                                                   const char *stem) {
    while (strcmp(e->stem, stem) != 0)
        e++;
    return e;
}

#endif
