/* directives.h - lines about kernels and blocks, in text and in ELF; private to
 * lib/isa.
 */
#ifndef NDP_ISA_DIRECTIVES_H
#define NDP_ISA_DIRECTIVES_H

#include "image.h"

/* Kernels while they are read. */
struct isa_reader {
    struct arena *arena;
    struct isa_image *image;
    int cap_kernels, cap_params, cap_blocks;
};

/* ".kernel NAME ..." and its ".param" lines, each with end. */
void isa_directives_print(const struct isa_kernel *k, char end,
                          struct text *out);

/* ".block begin 13 end 40 ask 12 saves rx in r1,r5,p0 out - if r5 >= 4 signed"
 */
void isa_block_print(const struct isa_block *b, char end, struct text *out);

/* Take such a line.  NULL, or what is wrong with it. */
const char *isa_directive_read(struct isa_reader *r, const char *line,
                               size_t n);

/* Once all are read: everything becomes the arena's. */
void isa_directives_end(struct isa_reader *r);

/* The first kernel that does not lie within the code, or NULL. */
const struct isa_kernel *isa_directives_astray(const struct isa_image *m);

/* Whether each block lies within a kernel, behind the one before. */
bool isa_blocks_in_place(const struct isa_image *m);

/* blocks.c */
const char *isa_block_read(struct isa_reader *r, const char *line);

#endif
