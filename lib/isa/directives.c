/* directives.c - what a loader has to know about a kernel, as lines of text. */
#include "directives.h"

#include "base/array.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>

void isa_directives_print(const struct isa_kernel *k, char end,
                          struct text *out) {
    text_printf(out,
                ".kernel %s entry %d words %d registers %d shared %d local %d "
                "spilled %d%c",
                k->name, k->entry, k->n_words, k->registers, k->shared,
                k->local, k->spilled, end);
    for (int i = 0; i < k->n_params; i++)
        text_printf(out, ".param %s word %d bytes %d%c", k->params[i].name,
                    k->params[i].word, k->params[i].bytes, end);
}

/* A number of at most 9 digits behind its key; -1: it is not there. */
static int number(const char *line, const char *key) {
    const char *at = strstr(line, key);
    int v = 0, n = 0;
    if (!at)
        return -1;
    for (at += strlen(key); *at >= '0' && *at <= '9' && n < 9; at++, n++)
        v = 10 * v + (*at - '0');
    return n && (*at == ' ' || *at == '\0') ? v : -1;
}

static const char *read_kernel(struct isa_reader *r, const char *name,
                               const char *rest) {
    struct isa_image *m = r->image;
    struct isa_kernel k = {.name = name,
                           .entry = number(rest, " entry "),
                           .n_words = number(rest, " words "),
                           .registers = number(rest, " registers "),
                           .shared = number(rest, " shared "),
                           .local = number(rest, " local "),
                           .spilled = number(rest, " spilled "),
                           .param_words = ISA_WORDS_HIDDEN};
    if (k.entry < 0 || k.n_words < 0 || k.registers < 1 ||
        k.registers > ISA_REGISTERS || k.shared < 0 || k.local < 0 ||
        k.local % 4 || k.spilled < 0)
        return "expected entry, words, registers, shared, local and spilled of "
               "a kernel";
    m->kernels =
        array_room(m->kernels, m->n_kernels, &r->cap_kernels, sizeof k);
    m->kernels[m->n_kernels++] = k;
    r->cap_params = 0;
    return NULL;
}

static const char *read_param(struct isa_reader *r, const char *name,
                              const char *rest) {
    struct isa_param p = {name, number(rest, " word "),
                          number(rest, " bytes ")};
    if (r->image->n_kernels == 0)
        return "a parameter before any kernel";
    struct isa_kernel *k = &r->image->kernels[r->image->n_kernels - 1];
    if (p.word < ISA_WORDS_HIDDEN || p.bytes < 1 ||
        p.bytes > (ISA_PARAMS - p.word) * 4)
        return "expected word and bytes of a parameter";
    int end = p.word + (p.bytes + 3) / 4;
    k->params = array_room(k->params, k->n_params, &r->cap_params, sizeof p);
    k->params[k->n_params++] = p;
    k->param_words = end > k->param_words ? end : k->param_words;
    return NULL;
}

const char *isa_directive_read(struct isa_reader *r, const char *line,
                               size_t n) {
    const char *text = arena_strndup(r->arena, line, n);
    bool kernel = strncmp(text, ".kernel ", 8) == 0;
    if (strncmp(text, ".block ", 7) == 0)
        return isa_block_read(r, text);
    if (!kernel && strncmp(text, ".param ", 7) != 0)
        return "expected .kernel, .param or .block";
    const char *from = text + (kernel ? 8 : 7);
    size_t len = strcspn(from, " ");
    if (len == 0)
        return "expected a name";
    const char *name = arena_strndup(r->arena, from, len);
    return kernel ? read_kernel(r, name, from + len)
                  : read_param(r, name, from + len);
}

void isa_directives_end(struct isa_reader *r) {
    struct isa_image *m = r->image;
    struct isa_kernel *kernels = m->kernels;
    for (int i = 0; i < m->n_kernels; i++) {
        struct isa_param *params = kernels[i].params;
        kernels[i].params = arena_copy(
            r->arena, params, (size_t)kernels[i].n_params, sizeof *params);
        free(params);
    }
    m->kernels =
        arena_copy(r->arena, kernels, (size_t)m->n_kernels, sizeof *kernels);
    free(kernels);
    struct isa_block *blocks = m->blocks;
    m->blocks =
        arena_copy(r->arena, blocks, (size_t)m->n_blocks, sizeof *blocks);
    free(blocks);
}

const struct isa_kernel *isa_directives_astray(const struct isa_image *m) {
    for (int i = 0; i < m->n_kernels; i++) {
        const struct isa_kernel *k = &m->kernels[i];
        if (k->entry > m->n_words || k->n_words > m->n_words - k->entry ||
            k->n_words == 0)
            return k;
    }
    return NULL;
}

const struct isa_kernel *isa_image_kernel(const struct isa_image *image,
                                          const char *name) {
    for (int i = 0; i < image->n_kernels; i++)
        if (strcmp(image->kernels[i].name, name) == 0)
            return &image->kernels[i];
    return NULL;
}
