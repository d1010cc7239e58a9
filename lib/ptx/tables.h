/* tables.h - looking words up in the .def tables; used by the reader alone. */
#ifndef NDP_PTX_TABLES_H
#define NDP_PTX_TABLES_H

#include "ir.h"

struct ptx_opcode_row {
    const char *text;
    enum opclass opc;
    int n_dst, min, max;
};

const struct ptx_opcode_row *ptx_opcode_row(enum ptx_opcode op);

/* Opcode whose text is the longest run of whole words at the start of text;
 * *used is its length.  PTX_OP_UNKNOWN with *used = the first word. */
enum ptx_opcode ptx_opcode_find(const char *text, size_t *used);

/* PTX_MOD_SHAPE or PTX_MOD_OTHER when the word stands in no table. */
enum ptx_modifier ptx_modifier_find(const char *word, size_t len);
enum ptx_space ptx_modifier_space(enum ptx_modifier m);

/* Special register of that name, its number in *number; or NONE. */
enum ptx_special ptx_special_find(const char *name, size_t len, int *number);

/* Candidates for suggest(). */
const char *ptx_opcode_candidate(void *ctx, int i);

#endif
