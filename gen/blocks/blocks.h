/* blocks.h - what one block adds to the generator, beyond its declaration.
 *
 * Only blocks that compute something have an entry: a file gen/blocks/<b>.c
 * and its line in table.c.  Everything else about a block comes from
 * lib/blocks/<b>.def, docs/blocks/<b>.md and its templates.
 */
#ifndef NDP_GEN_BLOCKS_H
#define NDP_GEN_BLOCKS_H

#include "output/job.h"

#include <lua.h>

/* Each function may be NULL. */
struct gen_block {
    const char *name;
    /* Set fields of the table of a template's globals, on top of the stack. */
    void (*names)(const struct gen_job *job, lua_State *L);
    /* Append #defines to the C header; macro is "NDP_NBU_" or the like. */
    void (*header)(const struct gen_job *job, const char *macro,
                   struct text *out);
    /* Append a section ("## ...") to the data sheet. */
    void (*datasheet)(const struct gen_job *job, struct text *out);
};

/* An option of ndpgen that asks about one configured block and makes no folder.
 * Its name stands in ndpgen's option table, too. */
struct gen_report {
    const char *option; /* without dashes; NULL: the end */
    /* What the configuration must satisfy; no RTL is made, so the block's own
     * limits need not hold, and job->sizes is not set.  False after an error in
     * d. */
    bool (*check)(const struct config *c, struct diag *d);
    /* Append the answer; arg is the option's value, NULL for a flag. False
     * after an error in d. */
    bool (*run)(const struct gen_job *job, const char *arg, struct text *out,
                struct diag *d);
};

/* NULL: the block has no such report. */
const struct gen_report *gen_report_find(const char *block, const char *option);

/* NULL: the block adds nothing. */
const struct gen_block *gen_block_find(const char *name);

extern const struct gen_block gen_nbu;
extern const struct gen_block gen_emn;
extern const struct gen_block gen_prefetch;
extern const struct gen_block gen_analyzer;
extern const struct gen_block gen_offload;

#endif
