/* ndpcc.h - what the printers of ndpcc share. */
#ifndef NDP_NDPCC_H
#define NDP_NDPCC_H

#include "ptx/ptx.h"
#include "text.h"

#include <stdio.h>

/* A file that was read, with its functions' analyses in the same order;
 * NULL for a function without body or not asked for. */
struct ndpcc_file {
    struct source source;
    struct ptx_module *module;
    struct ptx_analysis **analyses;
};

/* The object of docs/ndpcc.md. */
void ndpcc_print_json(const struct ndpcc_file *f, FILE *out);

/* Readable listing; one pass's results. */
void ndpcc_print_listing(const struct ndpcc_file *f, FILE *out);
enum ndpcc_dump { DUMP_NONE, DUMP_CFG, DUMP_LOOPS, DUMP_LIVE, DUMP_STREAM };
void ndpcc_print_dump(const struct ndpcc_file *f, enum ndpcc_dump dump,
                      FILE *out);

/* Append the instruction as PTX, without its ';'. */
void ndpcc_instruction_text(const struct ptx_instruction *in, struct text *t);

#endif
