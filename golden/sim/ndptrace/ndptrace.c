/* ndptrace.c - the program: what a machine retired, for a person.
 *
 * It reads what ndprun --trace writes, and lists it, draws it, or finds where
 * it parts from a reference.
 */
#include "base/infile.h"
#include "base/options.h"
#include "base/outfile.h"
#include "ndptrace.h"
#include "sim/retire/picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_DIFFERS = 1, EXIT_BAD = 2 };

static const struct place nowhere;

struct settings {
    const char *path, *reference, *svg, *perfetto, *konata, *ptx;
    uint64_t launch, warp, cta, lane; /* UINT64_MAX: all */
    struct filter filter;
    bool json, filtered, any_order;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to do instead of a list:"},
    {"compare", 'c', "REFERENCE",
     "Report the first instruction that differs from this trace. The reference "
     "needs the same number of lanes; it is usually of the golden or untimed "
     "machine."},
    {"any-order", 0, NULL,
     "With --compare: ignore the old values that atomics return, which depend "
     "on the timing of a machine."},
    {"svg", 0, "FILE",
     "Draw the warps of a launch (the first, or --launch) over time, as SVG; "
     "'-' is standard output."},
    {"perfetto", 0, "FILE",
     "Write Chrome trace events for Perfetto (ui.perfetto.dev): launches, "
     "CTAs, "
     "instructions, stalls and outstanding loads of each warp; a cycle is a "
     "microsecond. '-': standard output."},
    {"konata", 0, "FILE",
     "Write a launch (the first, or --launch) as a Kanata log for the pipeline "
     "viewer Konata. '-': standard output."},
    {"", 0, NULL, "What to list or write:"},
    {"launch", 'l', "N", "Only this launch; the first is 1."},
    {"warp", 'w', "N", "Only this warp of the machine."},
    {"cta", 0, "N", "Only this CTA; the first is 0."},
    {"lane", 0, "N",
     "Only what this lane executed, with its values; f32 values also in "
     "decimal."},
    {"pc", 0, "N[-M]", "Only these code addresses."},
    {"from", 0, "CYCLE", "From this cycle on."},
    {"to", 0, "CYCLE", "Up to this cycle."},
    {"", 0, NULL, "How:"},
    {"ptx", 'p', "FILE",
     "The PTX file that was assembled, to show its lines beside the "
     "instructions."},
    {"json", 0, NULL, "Print the list or the difference as JSON."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndptrace axpy.ret --ptx kernels/axpy/axpy.ptx --warp 0",
     "what warp 0 did, with the PTX beside"},
    {"ndptrace rtl.ret --compare golden.ret",
     "the first wrong instruction of the RTL"},
    {"ndptrace axpy.ret --svg axpy.svg", "a picture of all warps"},
    {"ndptrace axpy.ret --perfetto axpy.json", "tracks for Perfetto"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndptrace",
    .usage = "FILE [options]",
    .summary = "Show what a machine retired, instruction by instruction: as a "
               "list, as a picture, in a viewer, or against a reference.",
    .specs = specs,
    .positional = "a trace that ndprun --trace has written",
    .max_positional = 1,
    .examples = examples,
    .epilogue = "Exit status: 0 done, or equal; 1 it differs from the "
                "reference; 2 bad input.",
};

/* "N" or "N-M". */
static bool take_range(struct settings *s, const char *name,
                       const char *value) {
    char *end;
    errno = 0;
    s->filter.pc_from = s->filter.pc_to = strtoull(value, &end, 10);
    bool ok = end != value && isdigit((unsigned char)*value) && !errno;
    if (ok && *end == '-') {
        value = end + 1;
        s->filter.pc_to = strtoull(value, &end, 10);
        ok = end != value && isdigit((unsigned char)*value) && !errno;
    }
    if (!ok || *end || s->filter.pc_from > s->filter.pc_to) {
        diag_error(s->d, nowhere,
                   "option '--%s': expected a word such as 12, or words such "
                   "as 12-20",
                   name);
        return false;
    }
    return true;
}

static bool take_number(struct settings *s, const char *name,
                        const char *value) {
    const struct {
        const char *name;
        uint64_t min, max, *to;
    } numbers[] = {
        {"launch", 1, 1000000, &s->launch},
        {"warp", 0, RETIRE_MAX_WARPS - 1, &s->warp},
        {"cta", 0, INT32_MAX, &s->cta},
        {"lane", 0, RETIRE_MAX_LANES - 1, &s->lane},
        {"from", 0, UINT64_MAX, &s->filter.from},
        {"to", 0, UINT64_MAX, &s->filter.to},
    };
    s->filtered = s->filtered || strcmp(name, "launch") != 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return options_number(name, value, numbers[i].min, numbers[i].max,
                                  numbers[i].to, s->d);
    return take_range(s, name, value);
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        s->path = value;
    else if (strcmp(name, "compare") == 0)
        s->reference = value;
    else if (strcmp(name, "svg") == 0)
        s->svg = value;
    else if (strcmp(name, "perfetto") == 0)
        s->perfetto = value;
    else if (strcmp(name, "konata") == 0)
        s->konata = value;
    else if (strcmp(name, "ptx") == 0)
        s->ptx = value;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "any-order") == 0)
        s->any_order = true;
    else
        return take_number(s, name, value);
    return true;
}

/* --- files ---------------------------------------------------------------- */

static struct retire_trace *read_trace(struct arena *a, const char *path,
                                       struct diag *d) {
    size_t n;
    int error;
    char *text = infile_read(path, &n, &error);
    if (!text) {
        diag_error(d, nowhere, "cannot read '%s': %s", path,
                   infile_error(error));
        return NULL;
    }
    const struct source *s = diag_source(d, path, arena_strndup(a, text, n), n);
    free(text);
    return retire_read(a, s, d);
}

/* The largest line that the trace's words name. */
static int last_line(const struct retire_trace *t) {
    int last = 0;
    for (int i = 0; i < t->n_launches; i++)
        for (int n = 0; n < t->launches[i].kernel->n_words; n++)
            if (t->launches[i].kernel->lines[n] > last)
                last = t->launches[i].kernel->lines[n];
    return last;
}

static bool is_ptx_of(const struct settings *s, const struct retire_trace *t,
                      const struct source_lines *ptx, const char *text) {
    struct place at = {.source = diag_source(s->d, s->ptx, NULL, 0)};
    for (int i = 0; i < t->n_launches; i++)
        if (!strstr(text, t->launches[i].kernel->name)) {
            diag_error(s->d, at, "kernel '%s' of the trace is not in this file",
                       t->launches[i].kernel->name);
            return false;
        }
    if (last_line(t) > ptx->n) {
        diag_error(s->d, at,
                   "the trace names line %d, this file has %d: it is not what "
                   "was assembled",
                   last_line(t), ptx->n);
        return false;
    }
    return true;
}

static bool read_ptx(const struct settings *s, const struct retire_trace *t,
                     struct arena *a, struct source_lines *ptx) {
    size_t n;
    if (!s->ptx)
        return true;
    char *text = text_read_file(s->ptx, &n);
    if (!text) {
        diag_error(s->d, nowhere, "cannot read '%s': %s", s->ptx,
                   strerror(errno));
        return false;
    }
    for (size_t i = 0; i < n; i++)
        ptx->n += text[i] == '\n';
    ptx->n += n && text[n - 1] != '\n';
    ptx->lines = arena_array(a, (size_t)ptx->n + 1, sizeof *ptx->lines);
    char *at = text;
    for (int i = 1; i <= ptx->n; i++) {
        size_t length = strcspn(at, "\n");
        const char *from = at, *to = at + length;
        while (from < to && isspace((unsigned char)*from))
            from++;
        while (to > from && isspace((unsigned char)to[-1]))
            to--;
        ptx->lines[i] = arena_strndup(a, from, (size_t)(to - from));
        at += length + 1;
    }
    bool ok = is_ptx_of(s, t, ptx, text);
    free(text);
    return ok;
}

/* --- what is asked -------------------------------------------------------- */

static void print_json(json_t *o) {
    json_dumpf(o, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(o);
}

static int compare(const struct settings *s, const struct retire_trace *t,
                   const struct source_lines *ptx, struct arena *a) {
    struct retire_trace *reference = read_trace(a, s->reference, s->d);
    struct retire_difference *x = arena_alloc(a, sizeof *x);
    if (!reference || !retire_compare(t, reference, s->any_order, x, s->d))
        return EXIT_BAD;
    if (s->json)
        print_json(report_json(t, reference, x, ptx));
    else
        report_text(t, reference, x, ptx, stdout);
    return x->kind == RETIRE_EQUAL ? EXIT_DONE : EXIT_DIFFERS;
}

/* What --svg, --perfetto and --konata write. */
static void write_to(const struct settings *s, const struct retire_trace *t,
                     const struct source_lines *ptx, FILE *out) {
    const struct retire_launch *l =
        &t->launches[s->filter.launch < 0 ? 0 : s->filter.launch];
    struct text svg = {0};
    if (s->perfetto) {
        perfetto_write(t, &s->filter, ptx, out);
    } else if (s->konata) {
        konata_write(t, l, &s->filter, ptx, out);
    } else {
        retire_picture(t, l, &svg);
        fwrite(text_str(&svg), 1, svg.len, out);
    }
    text_free(&svg);
}

static int draw(const struct settings *s, const struct retire_trace *t,
                const struct source_lines *ptx) {
    struct outfile f;
    const char *path = s->svg ? s->svg : s->perfetto ? s->perfetto : s->konata;
    if (t->n_launches == 0) {
        diag_error(s->d, nowhere, "there is no launch in '%s'", t->name);
        return EXIT_BAD;
    }
    if (!outfile_open(&f, path, s->d))
        return EXIT_BAD;
    write_to(s, t, ptx, f.out);
    return outfile_close(&f, true) ? EXIT_DONE : EXIT_BAD;
}

static int choice(uint64_t n) {
    return n == UINT64_MAX ? -1 : (int)n;
}

static bool check(struct settings *s, const struct retire_trace *t) {
    struct filter *f = &s->filter;
    f->launch = s->launch == UINT64_MAX ? -1 : (int)s->launch - 1;
    f->warp = choice(s->warp);
    f->cta = choice(s->cta);
    f->lane = choice(s->lane);
    if (f->launch >= t->n_launches)
        diag_error(s->d, nowhere, "there is no launch %d, the trace has %d",
                   f->launch + 1, t->n_launches);
    else if (f->warp >= t->warps)
        diag_error(s->d, nowhere, "there is no warp %d, the machine has %d",
                   f->warp, t->warps);
    else if (f->lane >= t->lanes)
        diag_error(s->d, nowhere, "there is no lane %d, a warp has %d", f->lane,
                   t->lanes);
    else
        return true;
    return false;
}

static bool can_do(const struct settings *s) {
    const struct {
        const char *name, *is;
    } ways[] = {{"--compare", s->reference},
                {"--svg", s->svg},
                {"--perfetto", s->perfetto},
                {"--konata", s->konata},
                {"--json", s->json && !s->reference ? "" : NULL}};
    const char *what = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].is && what) {
            diag_error(s->d, nowhere, "'%s' and '%s' do not go together", what,
                       ways[i].name);
            return false;
        }
        what = ways[i].is ? ways[i].name : what;
    }
    if (!s->path)
        diag_error(s->d, nowhere,
                   "no file given, expected a trace that ndprun --trace has "
                   "written");
    else if ((s->reference || s->svg) && s->filtered)
        diag_error(s->d, nowhere,
                   "'%s' looks at all warps and cycles, expected no filter",
                   what);
    else if (s->reference && s->launch != UINT64_MAX)
        diag_error(s->d, nowhere, "'--compare' looks at all launches");
    else if (s->any_order && !s->reference)
        diag_error(s->d, nowhere, "'--any-order' goes with '--compare'");
    else
        return true;
    return false;
}

static int run(struct settings *s) {
    struct arena a = {0};
    struct source_lines ptx = {0};
    int status = EXIT_BAD;
    struct retire_trace *t = can_do(s) ? read_trace(&a, s->path, s->d) : NULL;
    if (t && check(s, t) && read_ptx(s, t, &a, &ptx)) {
        status = EXIT_DONE;
        if (s->reference)
            status = compare(s, t, &ptx, &a);
        else if (s->svg || s->perfetto || s->konata)
            status = draw(s, t, &ptx);
        else if (s->json)
            print_json(list_json(t, &s->filter, &ptx));
        else
            list_text(t, &s->filter, &ptx, stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        diag_error(s->d, nowhere, "cannot write: %s", strerror(errno));
        status = EXIT_BAD;
    }
    diag_flush(s->d, stderr);
    arena_free(&a);
    return status;
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.d = &d,
                         .launch = UINT64_MAX,
                         .warp = UINT64_MAX,
                         .cta = UINT64_MAX,
                         .lane = UINT64_MAX,
                         .filter = {.pc_to = UINT64_MAX, .to = UINT64_MAX}};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN)
        status = run(&s);
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
