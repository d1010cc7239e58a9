/* metadata.c - the metadata table of a kernel as the memory image that
 * the offload controller is loaded with: one entry a line in hexadecimal, as
 * $readmemh takes it (docs/blocks/offload.md; TOM, section 4.2).
 */
#include "ndpcc.h"

#include "iface/iface.h"
#include "base/outfile.h"
#include "papers/tom/entry.h"

#include <stdlib.h>
#include <string.h>

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
    fputc('\n', out);
}

static void print_head(const struct ndpcc_file *f, int i,
                       const struct config *config,
                       const struct ptx_entry_sizes *s, FILE *out) {
    const struct iface *block = iface_find("offload");
    struct iface_sizes sizes;
    block->sizes(config, &sizes);
    fprintf(out, "// metadata of kernel %s: %d candidates\n",
            f->analyses[i]->function->name, f->candidates[i].n);
    for (int k = 0; k < block->n_figures; k++)
        fprintf(out, "// %s: %d %s (paper: %d)\n", block->figures[k].what,
                sizes.figure[k], block->figures[k].unit,
                block->figures[k].paper);
    fprintf(out,
            "// rounded up to a power of two: %d entries, %d bits\n"
            "// from the highest bit: live_out[%d] live_in[%d] end_pc[%d] "
            "begin_pc[%d] n_in[%d]\n"
            "// threshold[32] cond_signed cond_compare[3] cond_reg[%d] cond "
            "mem_first tag_rx\n// tag_tx valid\n",
            s->entries, s->entries * s->entry_bits, s->registers, s->registers,
            s->pc_bits, s->pc_bits, s->count_bits, s->reg_bits);
}

/* The entries, as many as the table has.  What does not fit, or NULL; with out
 * NULL nothing is printed. */
static const char *print_image(const struct ndpcc_file *f, int i,
                               const struct ptx_entry_sizes *s, FILE *out) {
    const struct ptx_candidates *c = &f->candidates[i];
    const struct ptx_analysis *a = f->analyses[i];
    size_t n_words = (size_t)(s->entry_bits + 31) / 32;
    uint32_t *words = xcalloc(n_words, sizeof *words);
    const char *why = NULL;
    for (int k = 0; k < s->entries && !why; k++) {
        if (k < c->n)
            why = ptx_entry_pack(&c->list[k], a->function, &a->allocation, s,
                                 words);
        else
            memset(words, 0, n_words * sizeof *words);
        if (out)
            print_entry(words, s->entry_bits, out);
    }
    free(words);
    return why;
}

/* A block that does not begin with an access is offloaded only if its live-ins
 * can be saved while the warp looks for one. */
static void warn_unsaved(const struct ndpcc_file *f, int i, int save_rows,
                         struct diag *d) {
    const struct ptx_function *function = f->analyses[i]->function;
    for (int k = 0; k < f->candidates[i].n; k++) {
        const struct ptx_candidate *c = &f->candidates[i].list[k];
        const struct ptx_instruction *in = &function->instructions[c->begin_pc];
        int n_in = ptx_entry_inputs(c, function);
        if (c->starts_with_memory || n_in <= save_rows)
            continue;
        diag_warning(d, (struct place){&f->source, in->line, in->column, 0},
                     "the candidate that begins here is never offloaded: it "
                     "does not begin with an access and has %d live-in "
                     "registers, 'offload.save_rows' is %d",
                     n_in, save_rows);
    }
}

/* Whether the table can hold the candidates of function i. */
static bool check_fit(const struct ndpcc_file *f, int i,
                      const struct ptx_entry_sizes *s, struct diag *d) {
    struct place at = {&f->source, f->module->functions[i]->line, 0, 0};
    if (f->candidates[i].n > s->candidates) {
        diag_error(d, at,
                   "%d candidates, expected at most %d (offload.candidates)",
                   f->candidates[i].n, s->candidates);
        return false;
    }
    const char *why = print_image(f, i, s, NULL);
    if (why)
        diag_error(d, at,
                   "a candidate needs more %s than the controller has: enlarge "
                   "offload.%s",
                   why, why[0] == 'r' ? "registers" : "pc_bits");
    return !why;
}

bool ndpcc_write_metadata(const struct ndpcc_file *f, const char *path,
                          const struct config *config, struct diag *d) {
    struct ptx_entry_sizes s;
    struct outfile file;
    int i = only_kernel(f, d);
    if (i < 0)
        return false;
    ptx_entry_sizes(config, &s);
    if (!check_fit(f, i, &s, d))
        return false;
    warn_unsaved(f, i, config->offload_save_rows, d);
    if (!outfile_open(&file, path, d))
        return false;
    print_head(f, i, config, &s, file.out);
    print_image(f, i, &s, file.out);
    return outfile_close(&file, true);
}
