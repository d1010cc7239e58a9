/* table.c - the blocks that add something of their own to the generator. */
#include "blocks/blocks.h"

#include <string.h>

static const struct gen_block *const blocks[] = {&gen_nbu};

const struct gen_block *gen_block_find(const char *name) {
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (strcmp(blocks[i]->name, name) == 0)
            return blocks[i];
    return NULL;
}
