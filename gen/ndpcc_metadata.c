/* ndpcc_metadata.c - the metadata table of a kernel as the memory image that
 * the offload controller is loaded with: one entry a line in hexadecimal, as
 * $readmemh takes it (docs/blocks/offload.md; TOM, section 4.2).
 */
#include "ndpcc.h"

#include "ptx/candidate_entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct diag *d, const char *path, const char *what) {
    diag_error(d, (struct place){diag_source(d, path, NULL, 0), 0, 0, 0},
               "cannot write: %s", what);
    return false;
}

/* The one kernel that is meant. */
static int only_kernel(const struct ndpcc_file *f, struct diag *d) {
    int found = -1, n = 0;
    for (int i = 0; i < f->module->n_functions; i++)
        if (f->analyses[i] && f->module->functions[i]->is_entry) {
            found = i;
            n++;
        }
    if (n == 1)
        return found;
    diag_error(d, (struct place){&f->source, 0, 0, 0},
               "metadata of one kernel, found %d; choose with '--kernel'", n);
    return -1;
}

static void print_entry(const uint32_t *words, int bits, FILE *out) {
    int digits = (bits + 3) / 4;
    for (int i = digits - 1; i >= 0; i--)
        fprintf(out, "%x", (unsigned)(words[i / 8] >> i % 8 * 4 & 0xf));
}

static void print_head(const char *kernel, int n,
                       const struct ptx_entry_sizes *s, FILE *out) {
    fprintf(out,
            "// metadata of kernel %s: %d candidates\n"
            "// %d bits an entry (paper: %d), %d entries of %d bits in all "
            "(paper: %d of %d)\n"
            "// from the highest bit: live_out[%d] live_in[%d] end_pc[%d] "
            "begin_pc[%d] n_in[%d]\n"
            "// threshold[32] cond_signed cond_compare[3] cond_reg[%d] cond "
            "mem_first tag_rx\n// tag_tx valid\n",
            kernel, n, s->entry_bits, PTX_PAPER_ENTRY_BITS, s->candidates,
            s->candidates * s->entry_bits, PTX_PAPER_ENTRIES,
            PTX_PAPER_ENTRIES * PTX_PAPER_ENTRY_BITS, s->registers,
            s->registers, s->pc_bits, s->pc_bits, s->count_bits, s->reg_bits);
}

/* The image of candidates c of function i; what does not fit, or NULL. */
static const char *print_image(const struct ndpcc_file *f, int i,
                               const struct ptx_entry_sizes *s, FILE *out) {
    const struct ptx_candidates *c = &f->candidates[i];
    const struct ptx_analysis *a = f->analyses[i];
    size_t n_words = (size_t)(s->entry_bits + 31) / 32;
    uint32_t *words = xcalloc(n_words, sizeof *words);
    const char *why = NULL;
    print_head(a->function->name, c->n, s, out);
    for (int k = 0; k < s->entries && !why; k++) {
        if (k < c->n)
            why = ptx_entry_pack(&c->list[k], a->function, &a->allocation, s,
                                 words);
        else
            memset(words, 0, n_words * sizeof *words);
        print_entry(words, s->entry_bits, out);
        fputc('\n', out);
    }
    free(words);
    return why;
}

bool ndpcc_write_metadata(const struct ndpcc_file *f, const char *path,
                          const struct config *config, struct diag *d) {
    struct ptx_entry_sizes s;
    struct text part = {0};
    int i = only_kernel(f, d);
    if (i < 0)
        return false;
    ptx_entry_sizes(config, &s);
    struct place at = {&f->source, f->module->functions[i]->line, 0, 0};
    if (f->candidates[i].n > s.candidates) {
        diag_error(d, at,
                   "%d candidates, expected at most %d (offload.candidates)",
                   f->candidates[i].n, s.candidates);
        return false;
    }
    text_printf(&part, "%s.part", path);
    FILE *out = fopen(text_str(&part), "w");
    bool ok = out != NULL;
    const char *why = ok ? print_image(f, i, &s, out) : NULL;
    ok = ok && !ferror(out);
    ok = (!out || fclose(out) == 0) && ok;
    if (why)
        diag_error(d, at,
                   "a candidate needs more %s than the controller has: enlarge "
                   "offload.%s",
                   why, why[0] == 'r' ? "registers" : "pc_bits");
    else if (!ok || rename(text_str(&part), path) != 0)
        fail(d, path, strerror(errno));
    if (why || !ok)
        remove(text_str(&part));
    text_free(&part);
    return ok && !why && !d->errors;
}
