/* table.c - the blocks that add something of their own to the generator. */
#include "blocks.h"

#include "ndpmesh/reports.h"

#include <string.h>

static const struct gen_block *const blocks[] = {
    &gen_nbu, &gen_emn, &gen_prefetch, &gen_analyzer, &gen_offload};

const struct gen_block *gen_block_find(const char *name) {
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (strcmp(blocks[i]->name, name) == 0)
            return blocks[i];
    return NULL;
}

const struct gen_report *gen_report_find(const char *block,
                                         const char *option) {
    static const struct {
        const char *block;
        const struct gen_report *reports;
    } all[] = {{"emn", emn_reports}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (const struct gen_report *r = all[i].reports; r->option; r++)
            if (strcmp(all[i].block, block) == 0 &&
                strcmp(r->option, option) == 0)
                return r;
    return NULL;
}
