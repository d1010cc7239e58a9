/* ndpcheck.c - the program: checks command traces of DRAM controllers, this
 * project's and others', against the timing rules of lib/dram/rules.def.
 */
#include "base/array.h"
#include "base/options.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "config/choice.h"
#include "dram/trace.h"
#include "report.h"
#include "shared/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_BROKEN = 1, EXIT_BAD = 2, STEP = 1 << 16 };

static const struct place nowhere;

struct settings {
    struct config_choice choice;
    const char **traces;
    int n_traces;
    bool rules, json, histogram, perfetto;
    uint64_t limit; /* of violations to show */
    const char *out;
    int convert;                    /* enum dram_format; -1: no */
    const struct dram_device *part; /* NULL: DDR4 */
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL,
     "Which part; the default is DDR4-2400, 2 ranks of 4 x 4 banks:"},
    {"preset", 'p', "NAME",
     "a part by name: ddr4_2400 (the default), ddr4_3200, ddr5_3200, "
     "ddr5_3200_fgr (fine granularity refresh), lpddr4_3200, lpddr5_6400, "
     "hbm2_2000, or what 'ndpgen --list-presets' names"},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file: timing.cl, dram.ranks, ...; "
     "repeatable"},
    {"", 0, NULL, "Output:"},
    {"limit", 'n', "N", "show at most N violations of a trace (20)"},
    {"histogram", 0, NULL, "show the distribution of the slack of each rule"},
    {"rules", 0, NULL,
     "print the rules with the numbers of the part, without a trace"},
    {"convert", 0, "FORMAT",
     "convert the trace to ndp, ramulator or dramsim3 instead of checking it"},
    {"perfetto", 0, NULL,
     "write Chrome trace events for Perfetto (ui.perfetto.dev) instead of "
     "checking: open rows and column commands of each bank, a cycle as a "
     "microsecond"},
    {"json", 0, NULL, "for programs; the schema is in docs/ndpcheck.md"},
    {"out", 'o', "FILE", "output file (standard output)"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpcheck dramsim3ch_0cmd.trace", "what a DRAMsim3 run did, checked"},
    {"ndpcheck trace.csv.ch0 --set dram.ranks=1 --histogram",
     "a Ramulator trace of one rank, with the slack of each rule"},
    {"ndpcheck --rules --preset ddr4_3200", "the rules of a part"},
    {"ndpcheck run.csv --perfetto -o run.json",
     "rows and commands in Perfetto"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpcheck",
    .usage = "TRACE... [options]",
    .summary =
        "Check the commands of a DRAM controller against the timing "
        "rules of the part: each broken rule with cycle, both commands, "
        "bank and slack. Reads traces of Ramulator, DRAMsim3 and ndpgen.",
    .specs = specs,
    .positional = "command traces, '-' for standard input; the kind is "
                  "recognized",
    .examples = examples,
    .epilogue = "Exit status: 0 every rule kept, 1 a rule is broken, 2 bad "
                "input."};

static bool take_once(struct settings *s, const char **where, const char *name,
                      const char *value) {
    if (*where)
        diag_error(s->d, nowhere, "option '--%s' is given twice", name);
    bool ok = !*where;
    *where = value;
    return ok;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name) {
        s->traces[s->n_traces++] = value;
        return true;
    }
    if (strcmp(name, "json") == 0)
        return s->json = true;
    if (strcmp(name, "rules") == 0)
        return s->rules = true;
    if (strcmp(name, "perfetto") == 0)
        return s->perfetto = true;
    if (strcmp(name, "histogram") == 0)
        return s->histogram = true;
    if (strcmp(name, "out") == 0)
        return take_once(s, &s->out, name, value);
    if (strcmp(name, "limit") == 0)
        return options_number(name, value, 0, INT32_MAX, &s->limit, s->d);
    if (strcmp(name, "convert") == 0) {
        s->convert = options_choice(name, value, DRAM_FORMAT_NAMES, s->d);
        return s->convert >= 0;
    }
    return choice_take(&s->choice, name, value, s->d);
}

/* --- a trace -------------------------------------------------------------- */

static void show(void *ctx, const struct dram_violation *v) {
    report_violation(ctx, v);
}

static const char not_of_part[] =
    "a refresh of single banks, which the part does not have: expected "
    "refreshes of all (DRAMsim3: refresh_policy = RANK_LEVEL_STAGGERED), or "
    "--preset ddr5_3200_fgr, lpddr4_3200, lpddr5_6400 or hbm2_2000";

/* Read all of a trace; false after an error in d. */
static bool check_trace(struct report *r, struct dram_trace *t,
                        const struct config *c, const struct dram_device *part,
                        struct diag *d) {
    int before = d->errors;
    struct dram_checker *checker[8];
    struct dram_command command;
    struct progress p;
    int64_t n = 0;
    for (int i = 0; i < c->dram_channels; i++)
        checker[i] = dram_checker_create_part(c, part, show, r);
    progress_begin(&p, "ndpcheck", 0);
    while (dram_trace_next(t, &command)) {
        if (command.kind == DRAM_REFB && !(part && part->rfc_bank)) {
            dram_trace_complain(t, &command, not_of_part);
            break;
        }
        dram_checker_take(checker[command.channel], &command);
        if (n++ == 0)
            r->first = command.cycle;
        r->last = command.cycle;
        if (n % STEP == 0)
            progress_step(&p, (uint64_t)n);
    }
    progress_end(&p);
    for (int i = 0; i < c->dram_channels; i++) {
        dram_checker_end(checker[i]);
        report_add(r, checker[i]);
        dram_checker_free(checker[i]);
    }
    return d->errors == before;
}

static bool convert_trace(struct dram_trace *t, enum dram_format f, FILE *out,
                          struct diag *d) {
    int before = d->errors;
    struct dram_command command;
    dram_trace_begin(out, f);
    while (dram_trace_next(t, &command)) {
        if (f == DRAM_DRAMSIM3 && command.nda) {
            dram_trace_complain(t, &command,
                                "an accelerator's command, which a trace of "
                                "DRAMsim3 cannot tell from the host's, "
                                "expected --convert ndp or ramulator");
            return false;
        }
        dram_trace_put(out, f, &command);
    }
    return d->errors == before;
}

/* --- main ----------------------------------------------------------------- */

static bool traces(const struct settings *s, const struct config *c, FILE *out,
                   bool *broken, struct diag *d) {
    struct report_list list = {.json = s->json,
                               .histogram = s->histogram,
                               .limit = s->limit,
                               .part = s->part,
                               .out = out};
    bool ok = true;
    report_begin(&list, c);
    for (int i = 0; i < s->n_traces && ok; i++) {
        struct dram_trace *t = dram_trace_open(s->traces[i], c, d);
        struct report r = {.list = &list, .name = s->traces[i]};
        ok = t != NULL;
        if (ok && s->perfetto) {
            int before = d->errors;
            perfetto_trace(t, c, out);
            ok = d->errors == before;
        } else if (ok && s->convert >= 0) {
            ok = convert_trace(t, (enum dram_format)s->convert, out, d);
        } else if (ok) {
            report_trace(&r, dram_trace_format(t));
            ok = check_trace(&r, t, c, list.part, d);
            *broken |= r.violations > 0;
            report_end(&r, ok);
        }
        dram_trace_close(t);
    }
    report_finish(&list, ok && s->convert < 0 && !s->perfetto);
    return ok;
}

static bool sensible(const struct settings *s, struct diag *d) {
    if (s->rules && s->n_traces)
        diag_error(d, nowhere, "--rules tells of no trace, got '%s'",
                   s->traces[0]);
    else if (!s->rules && !s->n_traces)
        diag_error(d, nowhere, "expected a trace, or --rules");
    else if (s->convert >= 0 && (s->json || s->histogram || s->rules))
        diag_error(d, nowhere,
                   "--convert goes without --json, --histogram and --rules");
    else if (s->perfetto && (s->json || s->histogram || s->rules ||
                             s->convert >= 0 || s->n_traces > 1))
        diag_error(d, nowhere,
                   "--perfetto takes one trace, and goes without --json, "
                   "--histogram, --rules and --convert");
    else if (s->convert >= 0 && s->n_traces > 1)
        diag_error(d, nowhere, "--convert takes one trace, got %d",
                   s->n_traces);
    return d->errors == 0;
}

static int run(const struct settings *s, struct diag *d) {
    struct config c;
    struct outfile file;
    bool ok, broken = false;
    struct config_choice choice = s->choice;
    if (s->part)
        choice.text = s->part->times;
    choice_resolve(&choice, &c, d);
    if (d->errors || !timing_check(&c, d) || !sensible(s, d) ||
        !outfile_open(&file, s->out ? s->out : "-", d))
        return EXIT_BAD;
    if (s->rules) {
        report_rules(&c, s->part, s->json, file.out);
        ok = true;
    } else {
        ok = traces(s, &c, file.out, &broken, d);
    }
    ok = outfile_close(&file, ok) && ok;
    return !ok ? EXIT_BAD : broken ? EXIT_BROKEN : EXIT_DONE;
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.convert = -1, .limit = 20, .d = &d};
    s.traces = xcalloc((size_t)argc, sizeof *s.traces);
    int status = options_parse(&options, argc, argv, take, &s, &d);
    s.part = dram_part_find(s.choice.preset);
    if (status == OPTIONS_RUN)
        status = run(&s, &d);
    diag_flush(&d, stderr);
    diag_free(&d);
    free(s.traces);
    return status;
}
