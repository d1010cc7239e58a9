/* image.h - an assembled module: code, data, and what a loader has to know.
 *
 * In a file it is ELF (32-bit, little-endian, of its own machine number), so
 * that readelf and its like work:
 *
 *     .text         words of 8 bytes; code addresses count them
 *     .data         constants and variables, as they are at the start
 *     .rel.data     words of it that the address of .data is added to
 *     .symtab       kernels as functions, variables as objects
 *     .ndp.kernels  the directives .kernel and .param, as strings
 *     .ndp.blocks   the directives .block, if there are any
 *     .ndp.lines    of the PTX, 4 bytes for each word
 *
 * As text it is what ndpcc --disassemble prints, and reads back.
 */
#ifndef NDP_ISA_IMAGE_H
#define NDP_ISA_IMAGE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Parameter words that come before a kernel's own. */
enum isa_hidden_word {
    ISA_WORD_DATA,        /* address of the module's data */
    ISA_WORD_LOCAL,       /* address of local memory */
    ISA_WORD_LOCAL_BYTES, /* of it, a thread */
    ISA_WORD_CORE, /* its number, that of all above it: where a kernel asks */
    ISA_WORDS_HIDDEN
};

/* From parameter word on, low word first. */
struct isa_param {
    const char *name;
    int word, bytes;
};

struct isa_kernel {
    const char *name;
    int entry, n_words; /* words [entry, entry + n_words) of the code */
    int registers;      /* that it needs */
    int shared;         /* static bytes a CTA; dynamic ones follow */
    int local;          /* bytes a thread, a multiple of 4 */
    int spilled;        /* values that live there for want of registers */
    int n_params, param_words; /* words: with the hidden ones */
    struct isa_param *params;
};

/* Comparison of a block's condition, with the code that an entry of the offload
 * controller has (docs/blocks/offload.md). */
enum isa_compare { ISA_COMPARE_LE = 3, ISA_COMPARE_GE = 5 };

/* Words [begin, end) that may run elsewhere, with the registers and predicates
 * that go there and come back.  The warp asks at the marked word ask, whose
 * field a, plus its number, is the address of the block's first access: begin
 * itself, or the word before it, which does nothing else. */
struct isa_block {
    int begin, end, ask;
    uint64_t in, out;          /* registers, a bit each */
    uint8_t pred_in, pred_out; /* predicates */
    bool tx, rx;               /* channels that it saves */
    int cond_reg;              /* to compare at ask; -1: always */
    enum isa_compare compare;
    bool is_signed;
    uint32_t threshold;
};

/* A variable of the module in its data. */
struct isa_symbol {
    const char *name;
    uint32_t at, bytes;
    bool is_const;
};

struct isa_image {
    int n_words;
    uint64_t *words;
    int *lines; /* of the PTX, by word; 0: not known */
    int n_kernels;
    struct isa_kernel *kernels;
    int n_blocks; /* ascending; none overlaps another */
    struct isa_block *blocks;
    uint32_t n_data; /* bytes */
    uint8_t *data;
    int n_symbols;
    struct isa_symbol *symbols;
    int n_fixups;
    uint32_t *fixups; /* bytes of data where an address of data stands */
};

/* ELF bytes to out.  False: out or a file for a moment could not be written,
 * and *why says what. */
bool isa_image_write(const struct isa_image *image, FILE *out,
                     const char **why);

/* Whether bytes begin as ELF. */
bool isa_image_is_elf(const void *bytes, size_t n);

/* From ELF bytes; everything is the arena's.  NULL after an error in d, at the
 * source's name. */
struct isa_image *isa_image_read(struct arena *a, const struct source *source,
                                 struct diag *d);

/* As text, and back.  NULL after errors in d. */
void isa_image_print(const struct isa_image *image, struct text *out);
struct isa_image *isa_image_parse(struct arena *a, const struct source *source,
                                  struct diag *d);

/* The block at whose word ask pc is, or NULL.  Blocks of a kernel: the first of
 * *n. */
const struct isa_block *isa_image_block(const struct isa_image *image, int pc);
const struct isa_block *isa_image_blocks(const struct isa_image *image,
                                         const struct isa_kernel *k, int *n);

/* The kernel of that name, or NULL. */
const struct isa_kernel *isa_image_kernel(const struct isa_image *image,
                                          const char *name);

#endif
