/* kernel_image.h - an image of kernels out of PTX that a test has as a string.
 */
#ifndef NDP_TESTS_KERNEL_IMAGE_H
#define NDP_TESTS_KERNEL_IMAGE_H

#include "codegen/codegen.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For cores of so many registers; the caller frees it. */
static inline char *kernel_image(const char *ptx, int registers,
                                 size_t *bytes) {
    struct arena a = {0};
    struct diag d = {0};
    struct source source = {"test.ptx", ptx, strlen(ptx)};
    struct code_options o = {.registers = registers};
    const struct ptx_module *m = ptx_read(&a, &source, &d);
    struct isa_image *image = m ? code_generate(&a, m, NULL, &o, &d) : NULL;
    const char *why = NULL;
    char *text = NULL;
    diag_flush(&d, stderr);
    assert_non_null(image);
    FILE *f = open_memstream(&text, bytes);
    assert_true(isa_image_write(image, f, &why));
    fclose(f);
    diag_free(&d);
    arena_free(&a);
    return text;
}

#endif
