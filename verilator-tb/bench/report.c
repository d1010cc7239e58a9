/* report.c - how a run ended, as text.
 *
 * A good run is one line.  A failure is shown with every output that differs,
 * the events that led to it, the command that repeats it and the waveform.
 */
#include "report.h"

#include "base/outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SIGNALS_SHOWN = 12, COLUMNS = 79, EXIT_INTERRUPTED = 130 };

static void print_difference(const struct bench *b, struct text *t,
                             const struct difference *f) {
    text_add(t, "  ");
    report_name(b, f, t);
    text_add(t, "\n    expected ");
    report_hex(t, f->expected, NULL, f->width);
    text_add(t, "\n    got      ");
    report_hex(t, f->got, f->unknown, f->width);
    if (f->width > 1) {
        text_add(t, "\n    bits     ");
        report_bits(t, f->bits, f->width);
    }
    if (f->any_unknown) {
        text_add(t, "\n    x bits   ");
        report_bits(t, f->unknown, f->width);
    }
    text_addc(t, '\n');
}

/* All outputs that differ; the number that did not fit on the page is told. */
static void print_differences(struct bench *b, struct text *t) {
    struct difference f;
    int found = 0;
    for (int n = 0; n < b->design->n_ports; n++)
        if (report_differs(b, n, &f) && found++ < SIGNALS_SHOWN)
            print_difference(b, t, &f);
    if (found > SIGNALS_SHOWN)
        text_printf(t, "  and %d more outputs\n", found - SIGNALS_SHOWN);
}

/* What is told about every run. */
static void print_summary(const struct bench *b, struct text *t) {
    uint64_t spent = bench_clock() - b->started;
    text_printf(t,
                "%s %s %s %s %016" PRIx64 ": cycles %" PRIu64
                ", outputs %d, mismatches %d, covers %d/%d, seed %" PRIu64
                ", digest %016" PRIx64,
                b->block.iface->name, b->opt.sim, b->opt.stim.mode,
                b->opt.label, b->design->hash, b->cycle, report_outputs(b),
                report_failed(b), report_covers_hit(b),
                b->block.iface->n_covers, b->opt.stim.seed, bench_digest(b));
    if (spent > 0)
        text_printf(t, ", %" PRIu64 " cycles/s", b->cycle * 1000 / spent);
    text_add(t, b->end == BENCH_INTERRUPTED ? ", interrupted\n" : "\n");
}

/* By name, in lines that fit a terminal.  A kernel need not meet everything:
 * replaying one is silent about it unless asked. */
static void print_missing_covers(const struct bench *b, struct text *t) {
    const struct iface *i = b->block.iface;
    const uint64_t *count = golden_covers(b->golden);
    size_t column = 0;
    if ((b->opt.stim.kernel || b->opt.stim.run) && !b->opt.require_cover)
        return;
    for (int n = 0; n < i->n_covers; n++) {
        size_t len = strlen(i->covers[n].name) + 1;
        if (count[n])
            continue;
        if (column == 0 || column + len > COLUMNS) {
            text_add(t, column ? "\n  " : "not covered:");
            column = column ? 2 : 12;
        }
        text_printf(t, " %s", i->covers[n].name);
        column += len;
    }
    if (column)
        text_addc(t, '\n');
}

static void print_stranger(const struct bench *b, struct text *t) {
    const struct identity *id = &b->identity;
    text_printf(t,
                "error: this RTL is not '%s' in this configuration: "
                "expected id %08" PRIx32 " and hash %08" PRIx32 "%08" PRIx32
                ", read %08" PRIx32 " and %08" PRIx32 "%08" PRIx32 "\n",
                b->block.iface->name, id->expected[REG_ID],
                id->expected[REG_HASH_HI], id->expected[REG_HASH_LO],
                id->got[REG_ID], id->got[REG_HASH_HI], id->got[REG_HASH_LO]);
    if (!identity_answered(b))
        text_add(t, "note: its register port gave no acknowledge\n");
}

static void print_failure(struct bench *b, struct text *t) {
    if (b->differs) {
        text_printf(t, "mismatch at cycle %" PRIu64 "\n", b->bad_cycle);
        print_differences(b, t);
    }
    if (b->broken)
        text_printf(t, "property broken at cycle %" PRIu64 "\n  %s\n",
                    b->cycle - 1, b->broken);
    text_add(t, "last events\n");
    report_events(b, t);
    if (b->opt.replay) {
        text_add(t, "replay:   ");
        report_command(b, t);
        text_addc(t, '\n');
    }
    if (report_draws(b))
        text_printf(t, "waveform: %s\n", b->opt.wave);
}

static void print_result(struct bench *b, int status) {
    struct text t = {0};
    if (b->end == BENCH_STRANGER) {
        print_stranger(b, &t);
    } else {
        if (report_failed(b))
            print_failure(b, &t);
        stim_report(b->stim, false, &t);
        if (!report_failed(b))
            print_missing_covers(b, &t);
        print_summary(b, &t);
    }
    fputs(text_str(&t), status == 2 ? stderr : stdout);
    text_free(&t);
}

/* That the bench came to its end; after a failure cycle and seed for whoever
 * draws the waveform. */
static void write_result(const struct bench *b) {
    FILE *f = fopen(b->opt.result, "w");
    if (!f) {
        fprintf(stderr, "error: cannot write '%s': %s\n", b->opt.result,
                strerror(errno));
        return;
    }
    if (report_failed(b))
        fprintf(f, "%" PRIu64 " %" PRIu64 "\n", report_bad_cycle(b),
                b->opt.stim.seed);
    else
        fputs("equal\n", f);
    fclose(f);
}

static int exit_status(const struct bench *b) {
    if (b->end == BENCH_STRANGER || b->end == BENCH_FAILED)
        return 2;
    if (report_failed(b))
        return 1;
    if (b->end == BENCH_INTERRUPTED)
        return EXIT_INTERRUPTED;
    return b->opt.require_cover &&
           report_covers_hit(b) < b->block.iface->n_covers;
}

/* A run that is over before it is known what ran has shown nothing. */
static void demand_identity(struct bench *b) {
    if (b->end != BENCH_COMPLETE || b->identity.done)
        return;
    diag_error(&b->diag, (struct place){0},
               "%" PRIu64 " cycles are over before id and hash are read, "
               "expected more",
               b->cycle);
    b->end = BENCH_FAILED;
}

int bench_report(struct bench *b) {
    demand_identity(b);
    int status = exit_status(b);
    if (b->opt.result)
        write_result(b);
    diag_flush(&b->diag, stderr);
    if (b->opt.quiet || b->end == BENCH_FAILED)
        return status;
    if (b->opt.json && b->end != BENCH_STRANGER)
        report_json(b, status);
    else
        print_result(b, status);
    if (!outfile_flush_stdout(&b->diag)) {
        diag_flush(&b->diag, stderr);
        status = 2;
    }
    return status;
}
