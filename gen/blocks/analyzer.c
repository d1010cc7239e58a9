/* analyzer.c - what the memory map analyzer adds: where its storage goes,
 * in the data sheet (TOM, section 6.6; docs/blocks/analyzer.md).
 */
#include "blocks.h"

#include "blocks/analyzer.h"

static void datasheet(const struct gen_job *job, struct text *out) {
    struct analyzer_local l = analyzer_local(&job->config);
    text_printf(out,
                "## Ranges and scores\n\n"
                "The ranges lie in %d places (%d can be used), %d bits; the "
                "scores take %d.\n\n",
                l.SLOTS, l.SLOTS - 1, l.SLOTS * (2 * l.ADDR_W + 1),
                l.MAPS * (l.LEARN_W + l.SUM_W));
}

const struct gen_block gen_analyzer = {"analyzer", NULL, NULL, datasheet};
