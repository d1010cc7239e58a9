/* ndpcc.c - the PTX compiler driver: reads PTX and prints what the hardware
 * and the other tools want to know about it (docs/ndpcc.md).
 */
#include "ndpcc.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_DONE = 0, STATUS_BAD_INPUT = 2, SHOWN_UNSUPPORTED = 20 };

struct settings {
    const char **files;
    int n_files, files_cap;
    const char *output;
    const char *kernel;
    enum ndpcc_dump dump;
    bool json, rewrite, place, split_fma, blocks;
    struct ptx_candidate_options candidates;
    const char *metadata;
    bool metadata_only;   /* nothing else is printed */
    struct config config; /* sizes of the metadata table */
    bool assembles;       /* --assemble or --disassemble */
    bool instruction_set; /* print it, and nothing else */
    struct ndpcc_assemble assemble;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to print:"},
    {"json", 0, NULL,
     "print registers, instructions, blocks and loops as JSON, see "
     "docs/ndpcc.md"},
    {"dump", 0, "PASS",
     "print the result of one pass: cfg, loops, live, stream (packets of the "
     "near-bank unit), or candidates"},
    {"rewrite", 0, NULL,
     "print the PTX with the instructions of each offload chain contiguous "
     "and marked"},
    {"place", 0, NULL,
     "print the PTX with additional instructions that compute conditions of "
     "blocks in advance, where the trip count of a loop depends on two or "
     "three registers"},
    {"split-fma", 0, NULL,
     "let a chain compute the product of an f32 fma and the core its sum; this "
     "rounds twice"},
    {"miss", 0, "RATIO",
     "assumed miss rate of loads, for candidates; default 0.5"},
    {"coal", 0, "RATIO",
     "assumed number of lines per load or store of a warp; default 1"},
    {"count", 0, "words|names",
     "how live registers are counted for candidates: words (of 32 bits, the "
     "default) or names"},
    {"metadata", 0, "FILE",
     "write the offload controller's metadata table of the kernel to FILE, one "
     "entry a line in hexadecimal; '-' prints it in place of the listing"},
    {"preset", 'p', "NAME", "sizes of that table, as for ndpgen"},
    {"set", 's', "KEY=VALUE", "one of them, such as offload.registers=32"},
    {"assemble", 0, NULL,
     "write an image of the machines' instruction set (docs/isa.md), from PTX "
     "or from what --disassemble printed (FILE.s)"},
    {"disassemble", 0, NULL, "print such an image as text"},
    {"blocks", 0, NULL,
     "with --assemble: list the candidates as blocks of words with their "
     "registers, and mark where a warp asks whether to offload one; with "
     "--place, also those whose conditions are computed in advance; with "
     "--json, print that list instead of an image"},
    {"instruction-set", 0, NULL,
     "print the tables of that instruction set, as docs/isa.md has them"},
    {"registers", 0, "N",
     "registers of the machine to assemble for: 16, 32 or 64 (default); other "
     "values spill to local memory"},
    {"wide", 0, NULL,
     "assemble without narrowing addresses to 32 bits, to check the narrowing"},
    {"kernel", 'k', "NAME", "this kernel or device function only"},
    {"output", 'o', "FILE",
     "write to FILE instead of standard output, '-'; a regular file is written "
     "whole or not at all"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpcc saxpy.ptx", "code with the location of each instruction"},
    {"ndpcc saxpy.ptx --json -o saxpy.json", "the same for machines"},
    {"ndpcc saxpy.ptx --rewrite -o new.ptx", "PTX with offload chains"},
    {"ndpcc lib.ptx --place -o placed.ptx", "PTX with more candidates"},
    {"ndpcc saxpy.ptx --dump loops", "loops and their trip counts"},
    {"ndpcc --assemble saxpy.ptx -o saxpy.ndpx", "code for the machines"},
    {"ndpcc --disassemble saxpy.ndpx", "that code as text"},
    {"ndpcc --assemble lib.ptx --blocks --place -o lib.ndpx",
     "code with its blocks for other cores"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpcc",
    .usage = "FILE.ptx... [options]",
    .summary = "Reads PTX and prints its control flow, its loops and where "
               "each register and instruction belongs: near the memory bank "
               "(N), on the base logic die (F), on both (B) or wherever the "
               "hardware likes (U).",
    .specs = specs,
    .positional = "FILE.ptx: PTX text; '-' reads standard input",
    .examples = examples,
    .epilogue = "Instructions that are not known are listed as unsupported "
                "and cost nothing else. Exit status: 0 done, 2 bad input."};

static bool take_dump(struct settings *s, const char *value) {
    int n = options_choice("dump", value, "cfg|loops|live|stream|candidates",
                           s->diag);
    s->dump = (enum ndpcc_dump)(n + 1);
    return n >= 0;
}

static bool take_count(struct settings *s, const char *value) {
    int n = options_choice("count", value, "words|names", s->diag);
    s->candidates.count = n == 1 ? PTX_COUNT_NAMES : PTX_COUNT_WORDS;
    return n >= 0;
}

static bool take_coal(struct settings *s, const char *value) {
    struct ptx_candidate_options *o = &s->candidates;
    bool ok = ndpcc_parse_ratio("coal", value, false, &o->coal_ld, s->diag);
    o->coal_st = o->coal_ld;
    return ok;
}

static bool take_registers(struct settings *s, const char *value) {
    static const int counts[] = {16, 32, 64};
    int n = options_choice("registers", value, "16|32|64", s->diag);
    if (n >= 0)
        s->assemble.registers = counts[n];
    return n >= 0;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name) {
        if (s->n_files == s->files_cap) {
            s->files_cap = s->files_cap ? 2 * s->files_cap : 8;
            s->files =
                xrealloc(s->files, (size_t)s->files_cap * sizeof *s->files);
        }
        s->files[s->n_files++] = value;
    } else if (strcmp(name, "json") == 0) {
        s->json = true;
    } else if (strcmp(name, "rewrite") == 0) {
        s->rewrite = true;
    } else if (strcmp(name, "place") == 0) {
        s->place = true;
    } else if (strcmp(name, "blocks") == 0) {
        s->blocks = true;
    } else if (strcmp(name, "split-fma") == 0) {
        s->split_fma = true;
    } else if (strcmp(name, "dump") == 0) {
        return take_dump(s, value);
    } else if (strcmp(name, "miss") == 0) {
        return ndpcc_parse_ratio(name, value, true, &s->candidates.miss,
                                 s->diag);
    } else if (strcmp(name, "coal") == 0) {
        return take_coal(s, value);
    } else if (strcmp(name, "count") == 0) {
        return take_count(s, value);
    } else if (strcmp(name, "metadata") == 0) {
        s->metadata = value;
    } else if (strcmp(name, "preset") == 0) {
        return config_preset(&s->config, value, s->diag);
    } else if (strcmp(name, "set") == 0) {
        return config_set(&s->config, value, s->diag);
    } else if (strcmp(name, "assemble") == 0) {
        s->assembles = true;
    } else if (strcmp(name, "disassemble") == 0) {
        s->assembles = s->assemble.disassemble = true;
    } else if (strcmp(name, "registers") == 0) {
        return take_registers(s, value);
    } else if (strcmp(name, "instruction-set") == 0) {
        s->instruction_set = true;
    } else if (strcmp(name, "wide") == 0) {
        s->assemble.wide = true;
    } else if (strcmp(name, "kernel") == 0) {
        s->kernel = value;
    } else {
        s->output = value;
    }
    return true;
}

/* ----------------------------------------------------------------- reading */

static const char *function_name(void *ctx, int i) {
    const struct ptx_module *m = ctx;
    return i < m->n_functions ? m->functions[i]->name : NULL;
}

static bool wanted(const struct settings *s, const struct ptx_function *f) {
    return f->has_body && (!s->kernel || strcmp(f->name, s->kernel) == 0);
}

static void find_candidates(const struct settings *s, struct arena *arena,
                            struct ndpcc_file *f) {
    int n = f->module->n_functions;
    f->candidates = arena_array(arena, (size_t)n, sizeof *f->candidates);
    for (int i = 0; i < n; i++)
        if (f->analyses[i])
            ptx_candidates_find(arena, f->analyses[i], &s->candidates,
                                &f->candidates[i]);
}

/* Read and analyse one file; false after an error in the diag. */
static bool load(const struct settings *s, const char *path,
                 struct arena *arena, struct ndpcc_file *f) {
    size_t len;
    bool is_stdin = strcmp(path, "-") == 0;
    char *text = text_read_file(path, &len);
    f->source = (struct source){is_stdin ? "<stdin>" : path, text, len};
    if (!text) {
        diag_error(s->diag, (struct place){&f->source, 0, 0, 0},
                   "cannot read: %s", strerror(errno));
        return false;
    }
    int errors = s->diag->errors;
    f->module = ptx_read(arena, &f->source, s->diag);
    if (s->diag->errors > errors)
        return false;
    int n = f->module->n_functions;
    f->analyses = arena_array(arena, (size_t)n, sizeof(void *));
    for (int i = 0; i < n; i++)
        if (wanted(s, f->module->functions[i]))
            f->analyses[i] = ptx_analyse(arena, f->module->functions[i]);
    ndpcc_find_chains(f, arena, s->split_fma);
    find_candidates(s, arena, f);
    return true;
}

/* --kernel must name something that was read. */
static bool check_kernel(const struct settings *s,
                         const struct ndpcc_file *files) {
    const char *near = NULL;
    for (int i = 0; i < s->n_files; i++) {
        const struct ptx_module *m = files[i].module;
        for (int k = 0; k < m->n_functions; k++)
            if (files[i].analyses[k])
                return true;
        if (!near)
            near = suggest(s->kernel, function_name, files[i].module);
    }
    struct place at = {&files[0].source, 0, 0, 0};
    if (near)
        diag_error(s->diag, at, "no kernel '%s', did you mean '%s'", s->kernel,
                   near);
    else
        diag_error(s->diag, at, "no kernel '%s', expected one of the file's",
                   s->kernel);
    return false;
}

/* Warnings for what was not understood; JSON has its own list. */
static void warn_unsupported(const struct settings *s,
                             const struct ndpcc_file *f) {
    int n = 0;
    for (int i = 0; i < f->module->n_functions; i++) {
        const struct ptx_function *fn = f->module->functions[i];
        for (int k = 0; f->analyses[i] && k < fn->n_unsupported; k++) {
            const struct ptx_unsupported *u = &fn->unsupported[k];
            struct place at = {&f->source, u->line, u->column,
                               (int)strlen(u->opcode)};
            if (n++ < SHOWN_UNSUPPORTED)
                diag_warning(s->diag, at, "unsupported: %s", u->opcode);
        }
    }
    if (n > SHOWN_UNSUPPORTED)
        diag_warning(s->diag, (struct place){&f->source, 0, 0, 0},
                     "%d more unsupported instructions", n - SHOWN_UNSUPPORTED);
}

/* ----------------------------------------------------------------- writing */

static void print_all(const struct settings *s, const struct ndpcc_file *files,
                      FILE *out) {
    bool list = s->json && s->n_files > 1;
    fputs(list ? "[\n" : "", out);
    for (int i = 0; i < s->n_files; i++) {
        fputs(list && i ? ",\n" : "", out);
        if (s->rewrite)
            ndpcc_print_rewritten(&files[i], out);
        else if (s->place)
            ndpcc_print_placed(&files[i], &s->candidates, out);
        else if (s->json)
            ndpcc_print_json(&files[i], out);
        else if (s->dump)
            ndpcc_print_dump(&files[i], s->dump, out);
        else
            ndpcc_print_listing(&files[i], out);
    }
    fputs(list ? "]\n" : "", out);
}

static bool write_all(const struct settings *s,
                      const struct ndpcc_file *files) {
    struct outfile f;
    if (!outfile_open(&f, s->output ? s->output : "-", s->diag))
        return false;
    print_all(s, files, f.out);
    return outfile_close(&f, true);
}

static int run(const struct settings *s, struct arena *arena,
               struct ndpcc_file *files) {
    bool ok = true;
    for (int i = 0; i < s->n_files; i++)
        ok = load(s, s->files[i], arena, &files[i]) && ok;
    if (!ok || (s->kernel && !check_kernel(s, files)))
        return STATUS_BAD_INPUT;
    for (int i = 0; i < s->n_files && !s->json; i++)
        warn_unsupported(s, &files[i]);
    if (s->metadata &&
        !ndpcc_write_metadata(&files[0], s->metadata, &s->config, s->diag))
        return STATUS_BAD_INPUT;
    if (s->metadata_only)
        return STATUS_DONE;
    return write_all(s, files) ? STATUS_DONE : STATUS_BAD_INPUT;
}

/* --- the command line as a whole ------------------------------------------ */

/* The table and what is printed must not meet in one file.  Both on standard
 * output: the table in place of the listing. */
static void check_outputs(struct settings *s) {
    const char *output = s->output ? s->output : "-";
    const char *print = s->json      ? "json"
                        : s->rewrite ? "rewrite"
                        : s->place   ? "place"
                        : s->dump    ? "dump"
                        : s->output  ? "output"
                                     : NULL;
    if (!s->metadata)
        return;
    if (!outfile_is_stdout(s->metadata) || !outfile_is_stdout(output)) {
        if (outfile_same(s->metadata, output))
            diag_error(s->diag, (struct place){0},
                       "'--metadata' and '--output' both name '%s', expected "
                       "two files",
                       output);
    } else if (print) {
        diag_error(s->diag, (struct place){0},
                   "'--metadata' and '--%s' both write standard output, "
                   "expected a file for one of them",
                   print);
    } else {
        s->metadata_only = true;
    }
}

static void check_options(struct settings *s) {
    struct place at = {0};
    bool place = s->place && !s->blocks;
    const char *ptx = s->rewrite ? "rewrite" : place ? "place" : NULL;
    if (s->n_files == 0 && !s->instruction_set)
        diag_error(s->diag, at, "no input, expected the name of a PTX file");
    if ((ptx || s->metadata) && s->n_files > 1)
        diag_error(s->diag, at, "'--%s' works with one file, found %d",
                   ptx ? ptx : "metadata", s->n_files);
    if (ptx && (s->json || s->dump))
        diag_error(s->diag, at, "'--%s' prints PTX, expected it without '--%s'",
                   ptx, s->json ? "json" : "dump");
    if (place && (s->rewrite || s->metadata))
        diag_error(s->diag, at,
                   "'--place' changes the program counters, expected '--%s' "
                   "of what it prints",
                   s->rewrite ? "rewrite" : "metadata");
    if (place && s->kernel)
        diag_error(s->diag, at,
                   "'--place' prints the whole file, expected it without "
                   "'--kernel'");
    if (s->blocks && (!s->assembles || s->assemble.disassemble))
        diag_error(s->diag, at,
                   "'--blocks' lists blocks of an image, expected it with "
                   "'--assemble'");
    if (s->assembles && s->n_files > 1)
        diag_error(s->diag, at, "'--assemble' works with one file, found %d",
                   s->n_files);
    if (s->assembles &&
        ((s->json && !s->blocks) || s->dump || ptx || s->metadata))
        diag_error(s->diag, at,
                   "'--assemble' prints nothing, expected it without "
                   "'--json', '--dump', '--rewrite', '--place' and "
                   "'--metadata'");
    check_outputs(s);
}

static int run_tables(struct settings *s) {
    struct outfile f;
    if (!outfile_open(&f, s->output ? s->output : "-", s->diag))
        return STATUS_BAD_INPUT;
    ndpcc_print_isa(f.out);
    return outfile_close(&f, true) ? STATUS_DONE : STATUS_BAD_INPUT;
}

static int run_assemble(struct settings *s) {
    s->assemble.kernel = s->kernel;
    s->assemble.blocks = s->blocks ? &s->candidates : NULL;
    s->assemble.place = s->place;
    s->assemble.json = s->json;
    return ndpcc_assemble(&s->assemble, s->files[0],
                          s->output ? s->output : "-", s->diag)
               ? STATUS_DONE
               : STATUS_BAD_INPUT;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct arena arena = {0};
    struct settings s = {.diag = &diag,
                         .candidates = ptx_candidate_defaults(),
                         .assemble = {.registers = 64}};
    json_object_seed(1); /* else at random, and no two runs cost the same */
    config_defaults(&s.config);
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN) {
        check_options(&s);
        status = diag.errors ? STATUS_BAD_INPUT : OPTIONS_RUN;
    }
    struct ndpcc_file *files = xcalloc((size_t)s.n_files, sizeof *files);
    if (status == OPTIONS_RUN)
        status = s.instruction_set ? run_tables(&s)
                 : s.assembles     ? run_assemble(&s)
                                   : run(&s, &arena, files);
    diag_flush(&diag, stderr);
    for (int i = 0; i < s.n_files; i++)
        free((char *)files[i].source.text);
    free(files);
    free(s.files);
    diag_free(&diag);
    arena_free(&arena);
    return status;
}
