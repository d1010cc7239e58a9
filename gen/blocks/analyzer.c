/* analyzer.c - what the memory map analyzer adds: its storage beside the
 * paper's, in the data sheet (TOM, section 6.6; docs/blocks/analyzer.md).
 */
#include "blocks/blocks.h"

#include "blocks/analyzer.h"

enum {
    PAPER_WARP_BITS = 40,
    PAPER_BITMAP_BITS = 1920,
    PAPER_RANGE_BITS = 9700
};

static void row(struct text *out, const char *what, int bits, int paper) {
    text_printf(out, "| %s | %d | %d |\n", what, bits, paper);
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct analyzer_local l = analyzer_local(&job->config);
    int range = 2 * l.ADDR_W + 1;
    text_add(out, "## Storage beside the paper's\n\n"
                  "Bits of information; the paper has 48 warps, 10 mappings "
                  "over 4 stacks and 100 ranges\nof two 48-bit numbers and a "
                  "bit. It counts no scores.\n\n"
                  "| what | bits | paper |\n| --- | ---: | ---: |\n");
    row(out, "bitmap of a warp", l.BITMAP_W, PAPER_WARP_BITS);
    row(out, "bitmaps", l.WARPS * l.BITMAP_W, PAPER_BITMAP_BITS);
    row(out, "ranges", l.RANGES * range, PAPER_RANGE_BITS);
    text_printf(out,
                "\nThe ranges lie in %d places (%d can be used), %d bits; the "
                "scores take %d.\n\n",
                l.SLOTS, l.SLOTS - 1, l.SLOTS * range,
                l.MAPS * (l.LEARN_W + l.SUM_W));
}

const struct gen_block gen_analyzer = {"analyzer", NULL, NULL, datasheet};
