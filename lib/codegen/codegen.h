/* codegen.h - the back end: kernels of a PTX module to words of the machines'
 * instruction set.
 *
 *     struct code_module *c = code_generate(arena, module, &options, &diag);
 *
 * Device addresses have 32 bits: of a 64-bit value that flows only into
 * addresses the low word alone is computed, and both words of the others
 * (narrow.c).  What the machines cannot do is refused, once for each place,
 * with the line of the PTX.  docs/isa.md says how the parts of a program lie in
 * memory.
 */
#ifndef NDP_CODEGEN_H
#define NDP_CODEGEN_H

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ir.h"

#include <stdbool.h>
#include <stdint.h>

/* Parameter words that come before a kernel's own. */
enum code_hidden {
    CODE_DATA,        /* address of the module's data */
    CODE_LOCAL,       /* address of local memory */
    CODE_LOCAL_BYTES, /* of it, a thread */
    CODE_RESERVED,
    CODE_HIDDEN
};

struct code_options {
    int registers; /* of the machine: 16, 32 or 64 */
    bool wide;     /* compute both words of every 64-bit value */
};

struct code_param {
    const char *name;
    int word, bytes; /* from word on, low word first */
    bool is_pointer_sized;
};

struct code_kernel {
    const char *name;
    int entry, n_words; /* words [entry, entry + n_words) of the module */
    int registers;      /* that it needs */
    int shared;         /* static bytes a CTA; dynamic ones follow */
    int local;          /* bytes a thread, a multiple of 4 */
    int spilled;        /* values that live there for want of registers */
    int n_params, param_words; /* words: with the hidden ones */
    struct code_param *params;
    const struct ptx_function *function;
};

/* A variable of the module in its data. */
struct code_symbol {
    const char *name;
    uint32_t at, bytes;
    bool is_const;
};

/* A word of the data that the loader adds the data's address to. */
struct code_fixup {
    uint32_t at;
};

struct code_module {
    int n_words;
    uint64_t *words;
    int *lines; /* of the PTX, by word */
    int n_kernels;
    struct code_kernel *kernels;
    uint32_t n_data; /* bytes */
    uint8_t *data;
    int n_symbols;
    struct code_symbol *symbols;
    int n_fixups;
    struct code_fixup *fixups;
};

/* All kernels of m, in the arena.  NULL after errors in d.  only: NULL, or the
 * name of the one kernel that is wanted. */
struct code_module *code_generate(struct arena *a, const struct ptx_module *m,
                                  const char *only,
                                  const struct code_options *options,
                                  struct diag *d);

#endif
