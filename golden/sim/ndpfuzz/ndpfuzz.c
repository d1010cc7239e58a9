/* ndpfuzz.c - the program: random kernels on machines that must agree. */
#include "base/options.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "sim/fuzz/fuzz.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct settings {
    uint64_t seed, count, size, threads, failures, branches, timeout, tries;
    const char *keep, *write;
    const char *urls[FUZZ_DEVICES];
    int n_urls;
    bool json, print, no_coverage, portable;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"seed", 's', "N",
     "Seed of the first program; each further program has the next one. "
     "Default: 1."},
    {"count", 'n', "N", "Number of programs. Default: 100."},
    {"device", 'd', "URL",
     "Run on this machine, too: golden:PRESET, untimed:PRESET, verilator:DIR "
     "or icarus:DIR. "
     "May stand several times; programs fit all of them. Default: "
     "golden:plain."},
    {"size", 0, "N", "Statements of a program, about. Default: 30."},
    {"threads", 0, "N", "Threads of a launch, at most. Default: 256."},
    {"branches", 0, "PERCENT",
     "How many of the statements are conditions and loops. Default: 25."},
    {"portable", 0, NULL,
     "Avoid what CUDA's own assembler is known to compile wrong, for ndpgpu."},
    {"keep", 'k', "DIR",
     "Folder for the reduced kernel of each failure, with its run description. "
     "Default: out/fuzz."},
    {"write", 0, "DIR",
     "Also write every kernel on which all agree to this folder, with a run "
     "description that contains the expected bytes: for ndpgpu, or your "
     "simulator."},
    {"failures", 0, "N", "Stop after N failures. Default: 3."},
    {"tries", 0, "N",
     "Attempts to reduce a failing program; 0: do not reduce it. Default: "
     "3000."},
    {"timeout", 0, "SECONDS",
     "Stop a launch that takes longer than this. Default: 60."},
    {"print", 'p', NULL, "Print the kernel of the first seed and run nothing."},
    {"no-coverage", 0, NULL, "Leave out the table of operations."},
    {"json", 0, NULL, "Print the report as JSON."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpfuzz --count 1000", "a thousand kernels on the golden machine"},
    {"ndpfuzz --device golden:tiny --device verilator:out/machine --seed 7",
     "what both of them can hold, from seed 7 on"},
    {"ndpfuzz --seed 7 --count 1 --print", "look at one"},
    {"ndpfuzz --portable --count 200 --write out/random",
     "two hundred, kept for a GPU"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpfuzz",
    .usage = "[options]",
    .summary = "Make random kernels that end, run them on the PTX executor, "
               "on the untimed machine and on devices, and compare all that "
               "they leave in memory. A failing kernel is made as small as it "
               "gets and written down.",
    .specs = specs,
    .examples = examples,
    .epilogue = "Ctrl-C ends it after the present program, with the report. "
                "Exit status: 0 all agree, 1 some do not, 2 bad input.",
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    static const struct {
        const char *name;
        size_t at;
        uint64_t min, max;
    } numbers[] = {{"seed", offsetof(struct settings, seed), 0, UINT64_MAX},
                   {"count", offsetof(struct settings, count), 1, 1000000000},
                   {"size", offsetof(struct settings, size), 1, 1000},
                   {"threads", offsetof(struct settings, threads), 1, 4096},
                   {"branches", offsetof(struct settings, branches), 0, 90},
                   {"failures", offsetof(struct settings, failures), 1, 1000},
                   {"tries", offsetof(struct settings, tries), 0, 1000000},
                   {"timeout", offsetof(struct settings, timeout), 1, 100000}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return options_number(
                name, value, numbers[i].min, numbers[i].max,
                (uint64_t *)(void *)((char *)s + numbers[i].at), s->diag);
    if (strcmp(name, "keep") == 0)
        s->keep = value;
    else if (strcmp(name, "write") == 0)
        s->write = value;
    else if (strcmp(name, "portable") == 0)
        s->portable = true;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "print") == 0)
        s->print = true;
    else if (strcmp(name, "no-coverage") == 0)
        s->no_coverage = true;
    else if (s->n_urls < FUZZ_DEVICES)
        s->urls[s->n_urls++] = value;
    else
        return false;
    return true;
}

/* --- a failure ------------------------------------------------------------ */

struct job {
    const struct settings *s;
    struct fuzz_bench *b;
    struct fuzz_failure first; /* as it was found */
    json_t *found;
};

static bool still(void *ctx, const struct fuzz_program *p) {
    struct job *j = ctx;
    struct fuzz_failure f;
    return !fuzz_check(j->b, p, &f) && fuzz_alike(&f, &j->first);
}

static bool write_file(const char *path, const struct text *text,
                       struct diag *d) {
    struct outfile f;
    if (!outfile_open(&f, path, d))
        return false;
    fputs(text_str(text), f.out);
    return outfile_close(&f, true);
}

/* What is wrong, before the kernel. */
static void print_head(const struct job *j, const struct fuzz_program *p,
                       const struct fuzz_failure *f, struct text *out) {
    const struct settings *s = j->s;
    text_printf(out, "// %s: %s\n", fuzz_where(j->b, f->where), f->text);
    text_printf(out,
                "// of: ndpfuzz --seed %" PRIu64 " --count 1 --size %" PRIu64
                " --branches %" PRIu64,
                p->seed, s->size, s->branches);
    for (int i = 0; i < j->b->n_devices; i++)
        text_printf(out, " --device %s", j->b->urls[i]);
    text_addc(out, '\n');
}

/* With those above it. */
static bool make_folder(const char *path) {
    char *part = xstrdup(path);
    for (char *c = strchr(part + 1, '/'); c; c = strchr(c + 1, '/')) {
        *c = '\0';
        mkdir(part, 0777);
        *c = '/';
    }
    free(part);
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* The kernel and its run description, each after what ptx and run begin with,
 * as files of the folder; the description's name into *path. */
static bool write_pair(struct job *j, const char *folder,
                       const struct fuzz_program *p, bool wanted,
                       struct text *ptx, struct text *run, struct text *path) {
    struct diag *d = j->s->diag;
    struct text ptx_path = {0}, name = {0};
    if (!make_folder(folder)) {
        struct place at = {.source = diag_source(d, folder, NULL, 0)};
        diag_error(d, at, "cannot make the folder: %s", strerror(errno));
        return false;
    }
    text_printf(&name, "seed%" PRIu64 ".ptx", p->seed);
    text_printf(&ptx_path, "%s/%s", folder, text_str(&name));
    text_printf(path, "%s/seed%" PRIu64 ".yml", folder, p->seed);
    fuzz_text(p, ptx);
    fuzz_description(p, text_str(&name), wanted ? j->b->wanted : NULL, run);
    bool ok = write_file(text_str(&ptx_path), ptx, d) &&
              write_file(text_str(path), run, d);
    text_free(&ptx_path);
    text_free(&name);
    return ok;
}

/* The two files; the command that runs them into *again. */
static bool write_down(struct job *j, const struct fuzz_program *p,
                       const struct fuzz_failure *f, struct text *again) {
    struct text ptx = {0}, run = {0}, path = {0};
    print_head(j, p, f, &ptx);
    text_printf(&run, "# %s: %s\n", fuzz_where(j->b, f->where), f->text);
    bool ok = write_pair(j, j->s->keep, p, f->where != FUZZ_ON_EXECUTOR, &ptx,
                         &run, &path);
    if (f->where >= FUZZ_ON_DEVICE)
        text_printf(again, "ndprun %s --device %s", text_str(&path),
                    fuzz_where(j->b, f->where));
    else
        text_printf(again, "ndpsim %s", text_str(&path));
    text_free(&ptx);
    text_free(&run);
    text_free(&path);
    return ok;
}

/* One that all agree on. */
static bool write_right(struct job *j, const struct fuzz_program *p) {
    struct text ptx = {0}, run = {0}, path = {0};
    bool ok = write_pair(j, j->s->write, p, true, &ptx, &run, &path);
    text_free(&ptx);
    text_free(&run);
    text_free(&path);
    return ok;
}

static bool report(struct job *j, struct fuzz_program *p,
                   const struct fuzz_failure *found) {
    struct fuzz_failure f = *found;
    int before = fuzz_statements(p);
    struct fuzz_shrunk done = {0};
    struct text again = {0};
    j->first = f;
    j->b->only = f.where;
    if (j->s->tries)
        done = fuzz_shrink(p, still, j, (int)j->s->tries);
    if (fuzz_check(j->b, p, &f)) /* gone: tell of it as it was */
        f = *found;
    j->b->only = -1;
    int after = fuzz_statements(p);
    bool ok = write_down(j, p, &f, &again);
    if (j->s->json)
        json_array_append_new(
            j->found,
            json_pack("{s:I, s:s, s:s, s:i, s:i, s:i, s:s}", "seed",
                      (json_int_t)p->seed, "where", fuzz_where(j->b, f.where),
                      "what", f.text, "statements", before, "shrunk", after,
                      "tries", done.tries, "again", text_str(&again)));
    else
        printf("seed %" PRIu64 ": %s: %s\n  %d statements, %d after %d "
               "tries; again with: %s\n",
               p->seed, fuzz_where(j->b, f.where), f.text, before, after,
               done.tries, text_str(&again));
    fflush(stdout);
    text_free(&again);
    return ok;
}

/* --- all of them ---------------------------------------------------------- */

static json_t *coverage_json(const struct fuzz_coverage *c) {
    json_t *all = json_object();
    for (int op = 0; op < ISA_OPS; op++) {
        const struct isa_info *info = isa_info(op);
        if (!info->text)
            continue;
        json_t *one = json_object();
        json_object_set_new(one, "class",
                            json_string(isa_class_name(info->class)));
        for (int k = 0; k < FUZZ_MASKS; k++)
            json_object_set_new(one, fuzz_mask_names[k],
                                json_integer((json_int_t)c->executed[op][k]));
        json_object_set_new(all, info->text, one);
    }
    return all;
}

/* Ctrl-C: the present program is the last. */
static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_end(const struct job *j, uint64_t failed, double seconds) {
    const struct fuzz_coverage *c = j->b->coverage;
    double rate = (double)c->programs / (seconds > 0 ? seconds : 1);
    if (j->s->json) {
        json_t *all = json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:O, s:o}", "schema",
            "ndpfuzz-1", "seed", (json_int_t)j->s->seed, "programs",
            (json_int_t)c->programs, "launches", (json_int_t)c->device_launches,
            "too_large", (json_int_t)c->too_large, "blocks_elsewhere",
            (json_int_t)c->blocks, "failed", (json_int_t)failed, "seconds",
            seconds, "programs_per_second", rate, "found", j->found, "coverage",
            coverage_json(c));
        json_dumpf(all, stdout, JSON_INDENT(2));
        printf("\n");
        json_decref(all);
        return;
    }
    if (!j->s->no_coverage) {
        struct text table = {0};
        fuzz_coverage_print(c, &table);
        printf("%s", text_str(&table));
        text_free(&table);
    }
    printf("%" PRIu64 " programs from seed %" PRIu64 ", %" PRIu64
           " launches on devices, %.1f programs a second, %" PRIu64
           " blocks elsewhere, %" PRIu64 " too large, %" PRIu64 " failed\n",
           c->programs, j->s->seed, c->device_launches, rate, c->blocks,
           c->too_large, failed);
}

static int run_all(const struct settings *s, struct fuzz_bench *b) {
    struct job j = {.s = s, .b = b, .found = json_array()};
    struct place at = {.source = diag_source(s->diag, "command line", NULL, 0)};
    struct progress progress;
    uint64_t failed = 0;
    bool ok = true;
    double start = now();
    progress_begin(&progress, "ndpfuzz", s->count);
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    for (uint64_t i = 0; i < s->count && failed < s->failures && ok && !stopped;
         i++) {
        struct arena arena = {0};
        struct fuzz_failure f;
        struct fuzz_program *p = fuzz_make_fitting(&arena, b, s->seed + i);
        if (!p) {
            b->coverage->too_large++;
        } else if (b->coverage->programs++, !fuzz_check(b, p, &f)) {
            progress_end(&progress);
            if (stopped && f.what == FUZZ_LOST) { /* it was stopped, too */
                arena_free(&arena);
                break;
            }
            failed++;
            ok = report(&j, p, &f);
            progress_begin(&progress, "ndpfuzz", s->count);
        } else if (f.what == FUZZ_TOO_LARGE) {
            b->coverage->too_large++;
        } else if (s->write) {
            ok = write_right(&j, p);
        }
        arena_free(&arena);
        progress_step(&progress, i + 1);
    }
    progress_end(&progress);
    if (!b->coverage->programs && !stopped) {
        diag_error(s->diag, at,
                   "no program of these seeds fits the devices, "
                   "try a smaller --size");
        ok = false;
    } else {
        print_end(&j, failed, now() - start);
    }
    json_decref(j.found);
    return !ok ? 2 : failed > 0;
}

static int print_one(const struct settings *s, struct fuzz_bench *b) {
    struct arena arena = {0};
    struct text text = {0};
    struct fuzz_program *p = fuzz_make_fitting(&arena, b, s->seed);
    if (p) {
        fuzz_text(p, &text);
        printf("// grid %u %u %u, block %u %u %u\n%s", p->grid[0], p->grid[1],
               p->grid[2], p->block[0], p->block[1], p->block[2],
               text_str(&text));
    }
    text_free(&text);
    arena_free(&arena);
    return p ? 0 : 1;
}

static int run(struct settings *s) {
    struct fuzz_coverage *coverage = xcalloc(1, sizeof *coverage);
    struct fuzz_bench b = {.coverage = coverage,
                           .only = -1,
                           .timeout = (unsigned)s->timeout * 1000};
    bool ok = true;
    if (s->n_urls == 0)
        s->urls[s->n_urls++] = "golden:plain";
    for (int i = 0; i < s->n_urls && ok; i++)
        ok = fuzz_open(&b, s->urls[i], s->diag);
    b.all.size = (int)s->size;
    b.all.threads = (int)s->threads;
    b.all.percent_branch = (int)s->branches;
    b.all.portable = s->portable;
    int status = !ok ? 2 : s->print ? print_one(s, &b) : run_all(s, &b);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        diag_error(s->diag, (struct place){0},
                   "cannot write standard output: %s", strerror(errno));
        status = 2;
    }
    fuzz_close(&b);
    free(coverage);
    return status;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.seed = 1,
                         .count = 100,
                         .size = 30,
                         .threads = 256,
                         .branches = 25,
                         .failures = 3,
                         .tries = 3000,
                         .timeout = 60,
                         .keep = "out/fuzz",
                         .diag = &diag};
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN)
        status = run(&s);
    diag_flush(&diag, stderr);
    diag_free(&diag);
    return status;
}
