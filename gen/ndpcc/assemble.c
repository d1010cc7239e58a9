/* assemble.c - ndpcc --assemble and --disassemble: PTX or text to an image of
 * the machines' instruction set, and an image to text.
 */
#include "ndpcc.h"

#include "base/outfile.h"
#include "codegen/codegen.h"
#include "isa/image.h"
#include "papers/tom/place.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

static struct isa_image *from_ptx(struct arena *arena,
                                  const struct source *source,
                                  const struct ndpcc_assemble *s,
                                  struct diag *d) {
    struct code_options options = {
        .registers = s->registers, .wide = s->wide, .blocks = s->blocks};
    int errors = d->errors;
    const struct ptx_module *m = ptx_read(arena, source, d);
    if (m && d->errors == errors && s->place)
        m = ptx_place_module(arena, m, s->blocks, d);
    if (d->errors > errors)
        return NULL;
    struct isa_image *image = code_generate(arena, m, s->kernel, &options, d);
    if (image && image->n_kernels == 0) {
        diag_error(d, (struct place){source, 0, 0, 0}, "no kernel%s%s%s",
                   s->kernel ? " '" : "", s->kernel ? s->kernel : "",
                   s->kernel ? "'" : " in it");
        return NULL;
    }
    return image;
}

static struct isa_image *read_image(struct arena *arena,
                                    const struct source *source,
                                    const struct ndpcc_assemble *s,
                                    struct diag *d) {
    bool elf = isa_image_is_elf(source->text, source->len);
    if (s->disassemble && !elf) {
        diag_error(d, (struct place){source, 0, 0, 0},
                   "is no image, expected what ndpcc --assemble writes");
        return NULL;
    }
    if (elf && !s->disassemble) {
        diag_error(d, (struct place){source, 0, 0, 0},
                   "is an image already, expected PTX or text");
        return NULL;
    }
    if (elf)
        return isa_image_read(arena, source, d);
    return ends_in(source->name, ".s") ? isa_image_parse(arena, source, d)
                                       : from_ptx(arena, source, s, d);
}

static bool write_image(const struct isa_image *image, const char *path,
                        const struct ndpcc_assemble *s, struct diag *d) {
    struct outfile f;
    const char *why = NULL;
    bool ok = true;
    if (!outfile_open(&f, path, d))
        return false;
    if (s->json) {
        ndpcc_print_blocks(image, f.out);
    } else if (s->disassemble) {
        struct text t = {0};
        isa_image_print(image, &t);
        fputs(text_str(&t), f.out);
        text_free(&t);
    } else {
        ok = isa_image_write(image, f.out, &why);
    }
    if (!ok)
        diag_error(d, (struct place){diag_source(d, path, NULL, 0), 0, 0, 0},
                   "%s", why);
    return outfile_close(&f, ok) && ok;
}

bool ndpcc_assemble(const struct ndpcc_assemble *s, const char *path,
                    const char *output, struct diag *d) {
    struct arena arena = {0};
    size_t len;
    bool is_stdin = strcmp(path, "-") == 0;
    char *text = text_read_file(path, &len);
    struct source source = {is_stdin ? "<stdin>" : path, text, len};
    bool ok = false;
    if (!text) {
        diag_error(
            d, (struct place){diag_source(d, source.name, NULL, 0), 0, 0, 0},
            "cannot read: %s", strerror(errno));
        return false;
    }
    struct isa_image *image = read_image(&arena, &source, s, d);
    if (image)
        ok = write_image(image, output, s, d);
    diag_flush(d, stderr);
    arena_free(&arena);
    free(text);
    return ok;
}
