/* metadata.c - the metadata table of a kernel as the memory image that
 * the offload controller is loaded with: one entry a line in hexadecimal, as
 * $readmemh takes it (docs/blocks/offload.md; TOM, section 4.2).
 */
#include "ndpcc.h"

#include "base/outfile.h"
#include "iface/design.h"
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

static void print_entry(const uint64_t *words, int bits, FILE *out) {
    for (int i = (bits + 3) / 4 - 1; i >= 0; i--)
        fprintf(out, "%x", (unsigned)(words[i / 16] >> i % 16 * 4 & 0xf));
    fputc('\n', out);
}

static void print_head(const struct ndpcc_file *f, int i,
                       const struct design *d, FILE *out) {
    struct offload_local l = offload_local(&d->config);
    fprintf(out, "// metadata of kernel %s: %d candidates\n",
            f->analyses[i]->function->name, f->candidates[i].n);
    for (int k = 0; k < d->iface->n_figures; k++)
        fprintf(out, "// %s: %d %s (paper: %d)\n", d->iface->figures[k].what,
                d->figure[k], d->iface->figures[k].unit,
                d->iface->figures[k].paper);
    fprintf(out,
            "// rounded up to a power of two: %d entries, %d bits\n"
            "// from the highest bit: live_out[%d] live_in[%d] end_pc[%d] "
            "begin_pc[%d] n_in[%d]\n"
            "// threshold[32] cond_signed cond_compare[3] cond_reg[%d] cond "
            "mem_first tag_rx\n// tag_tx valid\n",
            l.ENTRIES, l.ENTRIES * l.ENTRY_W, l.REGS, l.REGS, l.PC_W, l.PC_W,
            l.COUNT_W, l.REG_W);
}

/* The entries, as many as the table has.  What does not fit, or NULL; with out
 * NULL nothing is printed. */
static const char *print_image(const struct ndpcc_file *f, int i,
                               const struct design *d, FILE *out) {
    const struct ptx_candidates *c = &f->candidates[i];
    const struct ptx_analysis *a = f->analyses[i];
    const struct design_record *record = &d->record[OFFLOAD_REC_entry];
    struct offload_local l = offload_local(&d->config);
    uint64_t *words = xcalloc((size_t)record->bits / 64 + 1, sizeof *words);
    const char *why = NULL;
    for (int k = 0; k < l.ENTRIES && !why; k++) {
        struct offload_entry_fields e = {0};
        if (k < c->n)
            why = ptx_entry_fill(&c->list[k], a->function, &a->allocation, &l,
                                 &e);
        record_pack(record, &e, words);
        if (out)
            print_entry(words, record->bits, out);
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
                      const struct design *design, struct diag *d) {
    struct place at = {&f->source, f->module->functions[i]->line, 0, 0};
    int most = design->config.offload_candidates;
    if (f->candidates[i].n > most) {
        diag_error(d, at,
                   "%d candidates, expected at most %d (offload.candidates)",
                   f->candidates[i].n, most);
        return false;
    }
    const char *why = print_image(f, i, design, NULL);
    if (why)
        diag_error(d, at,
                   "a candidate needs more %s than the controller has: enlarge "
                   "offload.%s",
                   why, why[0] == 'r' ? "registers" : "pc_bits");
    return !why;
}

bool ndpcc_write_metadata(const struct ndpcc_file *f, const char *path,
                          const struct config *config, struct diag *d) {
    struct outfile file;
    int i = only_kernel(f, d);
    if (i < 0)
        return false;
    struct design *design = design_make(&offload_iface, config);
    bool ok = check_fit(f, i, design, d);
    if (ok)
        warn_unsaved(f, i, config->offload_save_rows, d);
    ok = ok && outfile_open(&file, path, d);
    if (ok) {
        print_head(f, i, design, file.out);
        print_image(f, i, design, file.out);
        ok = outfile_close(&file, true);
    }
    design_free(design);
    return ok;
}
