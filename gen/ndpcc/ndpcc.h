/* ndpcc.h - what the printers of ndpcc share. */
#ifndef NDP_NDPCC_H
#define NDP_NDPCC_H

#include "config/config.h"
#include "papers/tom/candidate.h"
#include "papers/omni/chain.h"
#include "papers/analysis.h"
#include "base/text.h"

#include <stdio.h>

/* A file that was read, with its functions' analyses in the same order;
 * NULL for a function without body or not asked for. */
struct ndpcc_file {
    struct source source;
    struct ptx_module *module;
    struct ptx_analysis **analyses;
    struct ptx_chains **chains;        /* likewise */
    struct ptx_candidates *candidates; /* of those that are analysed */
};

/* The object of docs/ndpcc.md. */
void ndpcc_print_json(const struct ndpcc_file *f, FILE *out);

/* Readable listing; one pass's results. */
void ndpcc_print_listing(const struct ndpcc_file *f, FILE *out);
enum ndpcc_dump {
    DUMP_NONE,
    DUMP_CFG,
    DUMP_LOOPS,
    DUMP_LIVE,
    DUMP_STREAM,
    DUMP_CANDIDATES
};
void ndpcc_print_dump(const struct ndpcc_file *f, enum ndpcc_dump dump,
                      FILE *out);

/* chains.c: offload chains; keys "chains" and "chains_refused"; the mark
 * on an instruction of the listing; one a line; the PTX with them contiguous.
 */
void ndpcc_find_chains(struct ndpcc_file *f, struct arena *arena,
                       bool split_fma);
void ndpcc_chains_json(const struct ptx_chains *c, FILE *out);
void ndpcc_chain_mark(const struct ptx_chains *c, int pc, FILE *out);
void ndpcc_chain_list(const struct ptx_chains *c, FILE *out);
void ndpcc_print_rewritten(const struct ndpcc_file *f, FILE *out);

/* TOM's candidates (candidates.c): the JSON keys "candidates" and
 * "refused" of a function; the listing.  A ratio as on the command line, 0.5 or
 * 1/3; false after an error in d. */
void ndpcc_json_candidates(const struct ptx_analysis *a,
                           const struct ptx_candidates *c, FILE *out);
void ndpcc_list_candidates(const struct ptx_analysis *a,
                           const struct ptx_candidates *c, FILE *out);
/* The PTX with what makes conditions of several registers (--place). */
void ndpcc_print_placed(const struct ndpcc_file *f,
                        const struct ptx_candidate_options *o, FILE *out);
/* The metadata table of the file's one kernel, for the offload controller of
 * the configuration (metadata.c); false after an error in d. */
bool ndpcc_write_metadata(const struct ndpcc_file *f, const char *path,
                          const struct config *config, struct diag *d);
/* --assemble, --disassemble: one file to output (assemble.c); false after
 * errors, which it has printed. */
struct ndpcc_assemble {
    bool disassemble;
    int registers;
    bool wide; /* both words of every 64-bit value */
    const char *kernel;
    const struct ptx_candidate_options *blocks; /* --blocks; NULL: without */
    bool place; /* with conditions of several registers */
    bool json;  /* print the blocks instead */
};
bool ndpcc_assemble(const struct ndpcc_assemble *s, const char *path,
                    const char *output, struct diag *d);

/* --blocks --json: those of the image (blocks.c). */
struct isa_image;
void ndpcc_print_blocks(const struct isa_image *image, FILE *out);

/* --instruction-set: the tables of docs/isa.md (isa_table.c). */
void ndpcc_print_isa(FILE *out);

bool ndpcc_parse_ratio(const char *name, const char *text, bool below_one,
                       struct ptx_ratio *out, struct diag *d);

/* Append an operand; the instruction as PTX, without its ';'. */
void ndpcc_operand_text(const struct ptx_operand *o, struct text *t);
void ndpcc_instruction_text(const struct ptx_instruction *in, struct text *t);

#endif
