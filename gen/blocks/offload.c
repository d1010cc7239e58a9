/* offload.c - what the offload controller adds: the layout of a metadata entry,
 * for the templates, the C header and the data sheet.
 *
 * Fields are those of docs/blocks/offload.md ("Metadata entry"); TOM, sections
 * 4.2 and 6.6.
 */
#include "blocks.h"

#include "layout.h"
#include "blocks/offload.h"

static struct layout layout_of(const struct offload_local *p) {
    struct layout l = {.n = 0};
    layout_add(&l, "valid", 1, "the entry exists");
    layout_add(&l, "tag_tx", 1, "saves traffic towards the stacks");
    layout_add(&l, "tag_rx", 1, "saves traffic from the stacks");
    layout_add(&l, "mem_first", 1, "begins with a memory access");
    layout_add(&l, "cond", 1, "conditional candidate");
    layout_add(&l, "cond_reg", p->REG_W, "register of the condition");
    layout_add(&l, "cond_compare", 3, "0 =, 1 !=, 2 <, 3 <=, 4 >, 5 >=");
    layout_add(&l, "cond_signed", 1, "signed comparison");
    layout_add(&l, "threshold", 32, "what the register is compared with");
    layout_add(&l, "n_in", p->COUNT_W, "number of live-in registers");
    layout_add(&l, "begin_pc", p->PC_W, "first instruction");
    layout_add(&l, "end_pc", p->PC_W, "instruction after the block");
    layout_add(&l, "live_in", p->REGS, "bit r: register r is an input");
    layout_add(&l, "live_out", p->REGS, "bit r: register r is a result");
    return l;
}

/* field: where each field of an entry lies. */
static void names(const struct gen_job *job, lua_State *L) {
    struct offload_local p = offload_local(&job->config);
    struct layout l = layout_of(&p);
    layout_names(&l, L);
}

static void header(const struct gen_job *job, const char *macro,
                   struct text *out) {
    struct offload_local p = offload_local(&job->config);
    struct layout l = layout_of(&p);
    text_add(out, "\n/* Metadata entry: lowest bit and bits of each field. "
                  "*/\n");
    layout_header(&l, macro, out);
}

static void datasheet(const struct gen_job *job, struct text *out) {
    struct offload_local p = offload_local(&job->config);
    struct layout l = layout_of(&p);
    text_add(out, "## Metadata entry layout\n\n");
    layout_table(&l, out);
    text_printf(out,
                "\n%d bits. The table is rounded up to a power of two: %d "
                "entries, %d bits; all can be\nloaded.\n\n",
                l.bits, p.ENTRIES, l.bits * p.ENTRIES);
}

const struct gen_block gen_offload = {"offload", names, header, datasheet};
