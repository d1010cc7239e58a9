/* channel.c - the command line of a host and accelerators in its memory's ranks
 * at the same time, for long runs (Chopim).
 *
 * It runs no kernel: what comes in is a mix or a trace of requests, and an
 * operation by name.
 */
#include "channel.h"

#include "base/options.h"
#include "base/outfile.h"
#include "config/choice.h"
#include "iface/iface.h"
#include "report.h"
#include "svrg.h"

#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_BROKEN = 1, EXIT_BAD = 2, CYCLES = 1000000 };

static const struct place nowhere;

struct settings {
    struct config_choice choice;
    const char *requests, *mix, *op, *throttle, *trace, *out, *svrg, *size;
    bool json, wrap, async, shared;
    int format; /* enum dram_format */
    uint64_t bytes, blocks, unfinished, cycles, seed, window, mhz, rate;
    struct diag *d;
};

const struct option_spec channel_specs[] = {
    {"", 0, NULL, "The host's requests, of a trace or:"},
    {"mix", 'm', "NAME",
     "mix0 to mix8: applications of the paper's Table II by the intensity of "
     "their misses, the first ones the most; none: no host"},
    {"seed", 0, "N", "another run of the same mix (1)"},
    {"window", 0, "N", "with a trace of LD and ST: outstanding reads (32)"},
    {"wrap", 0, NULL,
     "with a trace: take addresses modulo the memory, instead of refusing "
     "those beyond it"},
    {"", 0, NULL, "The accelerators:"},
    {"op", 'x', "NAME",
     "axpby, axpbypcz, axpy, copy, xmy, dot, nrm2, scal, gemv (a matrix of 128 "
     "rows): again and again, in all ranks; none (the default)"},
    {"bytes", 'b', "N",
     "size of a vector in each rank, a multiple of 64 (131072; the paper: "
     "8192, 131072, 8388608)"},
    {"blocks", 0, "N",
     "bursts of a vector that one instruction covers (0: the whole vector)"},
    {"async", 0, NULL,
     "launch the next operation before all ranks have completed the previous "
     "one"},
    {"unfinished", 0, "N", "outstanding instructions per rank (2)"},
    {"throttle", 0, "NAME",
     "of their writes: none, 1/4, 1/16 (a sixteenth of the cycles), next-rank; "
     "default: what 'dram_channel.throttle' says, next-rank"},
    {"shared-banks", 0, NULL,
     "do not reserve a bank for shared data, as --set dram_map.reserved=0"},
    {"", 0, NULL, "Instead of both, with data:"},
    {"svrg", 0, "FILE",
     "a step of SVRG, kernels/svrg/svrg.yml, by the accelerators of a channel "
     "whose host goes on using it; each word of the result is checked"},
    {"size", 0, "NAME", "which of the description's sizes (small)"},
    {"rate", 0, "N", "percent of the cycles with a request of that host (10)"},
    {"", 0, NULL, "The memory:"},
    {"preset", 'p', "NAME", "a part by name, see 'ndpgen --list-presets'"},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file: dram.ranks, timing.refi, "
     "dram_channel.entries, ...; repeatable"},
    {"clock", 0, "MHZ", "command clock, for GB/s and mixes (1200)"},
    {"", 0, NULL, "Output:"},
    {"cycles", 'n', "N",
     "length of the run (1000000; with a trace: until its last request is "
     "answered)"},
    {"trace", 't', "FILE", "write all commands, as ndpcheck reads them"},
    {"format", 0, "NAME", "of --trace: ndp (the default), ramulator, dramsim3"},
    {"json", 0, NULL, "for programs; docs/ndpchannel.md has the schema"},
    {"out", 'o', "FILE", "output file (standard output)"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpchannel --mix mix1", "what a host alone gets out of two channels"},
    {"ndpchannel --mix mix1 --op copy --throttle 1/16",
     "the same with accelerators that copy, their writes held back"},
    {"ndpchannel --mix mix1 --op dot --shared-banks",
     "reading accelerators without the partition of banks"},
    {"ndpchannel --op nrm2 --mix mix1 --blocks 16 --async",
     "small instructions: launches take the channel"},
    {"ndpchannel --svrg kernels/svrg/svrg.yml --rate 20",
     "a kernel's data through the accelerators, and a host beside them"},
    {"ndpchannel requests.txt --op dot --trace run.csv && ndpcheck run.csv",
     "a trace of yours beside them; the commands, checked once more"},
    {NULL, NULL}};

static const struct options common = {
    .usage = "[REQUESTS] [--mix NAME] [--op NAME] [options]",
    .summary = "Run a host and accelerators in the ranks of its memory at the "
               "same time, cycle by cycle: bandwidth of both, what each costs "
               "the other. Every command is checked.",
    .specs = channel_specs,
    .positional = "a trace of requests, '-' for standard input: lines 'LD|ST "
                  "ADDRESS' (Ramulator) or '0xADDRESS READ|WRITE CYCLE' "
                  "(DRAMsim3)",
    .max_positional = 1,
    .examples = examples,
    .epilogue = "Exit status: 0 done, 1 a command broke a rule or a result is "
                "wrong, 2 bad input."};

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
    const struct {
        const char *name, **where;
    } texts[] = {{"mix", &s->mix},     {"op", &s->op},
                 {"trace", &s->trace}, {"throttle", &s->throttle},
                 {"svrg", &s->svrg},   {"size", &s->size},
                 {"out", &s->out}};
    const struct {
        const char *name;
        bool *where;
    } flags[] = {{"json", &s->json},
                 {"wrap", &s->wrap},
                 {"async", &s->async},
                 {"shared-banks", &s->shared}};
    const struct {
        const char *name;
        uint64_t min, max, *where;
    } numbers[] = {{"seed", 0, UINT32_MAX, &s->seed},
                   {"window", 1, 256, &s->window},
                   {"bytes", 64, UINT64_C(1) << 34, &s->bytes},
                   {"blocks", 0, INT32_MAX, &s->blocks},
                   {"unfinished", 1, NEAR_QUEUE, &s->unfinished},
                   {"rate", 0, 100, &s->rate},
                   {"clock", 1, 10000, &s->mhz},
                   {"cycles", 1, UINT64_C(1) << 40, &s->cycles}};
    if (!name) {
        s->requests = value;
        return true;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(name, texts[i].name) == 0)
            return take_once(s, texts[i].where, name, value);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].where = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return options_number(name, value, numbers[i].min, numbers[i].max,
                                  numbers[i].where, s->d);
    if (strcmp(name, "format") == 0) {
        s->format = options_choice(name, value, DRAM_FORMAT_NAMES, s->d);
        return s->format >= 0;
    }
    return choice_take(&s->choice, name, value, s->d);
}

/* --- configuration -------------------------------------------------------- */

#define THROTTLES "none|1/4|1/16|next-rank"

/* Name of the throttle of a configuration. */
static const char *set_throttle(const struct settings *s, struct config *c) {
    static const int kind[] = {0, 1, 1, 2}, sixteenths[] = {4, 4, 1, 4};
    static const char *const names[] = {"none", "1/4", "1/16", "next-rank"};
    static const char *const given[] = {"none", "stochastic", "next-rank"};
    if (!s->throttle)
        return given[c->dram_channel_throttle];
    int i = options_choice("throttle", s->throttle, THROTTLES, s->d);
    if (i < 0)
        return s->throttle;
    c->dram_channel_throttle = kind[i];
    c->dram_channel_chance = sixteenths[i];
    return names[i];
}

static bool configure(const struct settings *s, struct config *c,
                      const char **throttle) {
    choice_resolve(&s->choice, c, s->d);
    c->dram_channel_id_bits = 8; /* as many as there can be */
    if (s->shared)
        c->dram_map_reserved = 0;
    *throttle = set_throttle(s, c);
    const char *const targets[] = {"dram_channel", "dram_map"};
    for (int i = 0; i < 2 && s->d->errors == 0; i++)
        iface_check(iface_find(targets[i]), c, s->d);
    return s->d->errors == 0;
}

/* --- what runs ------------------------------------------------------------ */

static int mix_of(const struct settings *s) {
    int i = options_choice("mix", s->mix,
                           "mix0|mix1|mix2|mix3|mix4|mix5|mix6|mix7|mix8|none",
                           s->d);
    return i == HOST_MIXES ? -1 : i;
}

/* The host's part of the memory: what is not shared; without a partition as if
 * one bank were, so that both have the same addresses. */
static uint64_t host_bytes(const struct dram_layout *l) {
    int reserved = l->map.reserved ? l->map.reserved : 1;
    uint64_t bank = l->rows / (uint64_t)l->map.slots;
    return (l->rows - bank * (uint64_t)reserved) << l->row_bits;
}

static struct host *make_host(const struct settings *s, const struct config *c,
                              struct report *r) {
    struct dram_layout l;
    struct host *h = NULL;
    int mix = s->mix ? mix_of(s) : -1;

    dram_layout_make(c, &l);
    uint64_t all = l.rows << l.row_bits, own = host_bytes(&l);
    dram_layout_free(&l);
    r->host = "none";
    if (s->requests) {
        r->host = s->requests;
        h = host_trace(s->requests, all, s->wrap, (int)s->window, s->d);
    } else if (mix >= 0 && s->d->errors == 0) {
        r->host = s->mix;
        r->apps = host_mix_names(mix);
        h = host_mix(mix, own, REPORT_CORE_MHZ / (double)s->mhz, s->seed);
    }
    return h;
}

static bool sensible(const struct settings *s) {
    struct diag *d = s->d;
    bool op = s->op && strcmp(s->op, "none") != 0;
    if (s->requests && s->mix)
        diag_error(d, nowhere, "expected a trace or --mix, got both");
    else if (!s->requests && !s->mix && !op)
        diag_error(d, nowhere,
                   "nothing to run, expected a trace of requests, --mix or "
                   "--op; see --help");
    else if (s->bytes % 64)
        diag_error(d, nowhere,
                   "'--bytes' is %llu, expected a multiple of 64, a burst",
                   (unsigned long long)s->bytes);
    else if (s->wrap && !s->requests)
        diag_error(d, nowhere, "'--wrap' goes with a trace of requests");
    else if (s->trace && s->out && outfile_same(s->trace, s->out))
        diag_error(d, nowhere, "'--trace' and '--out' are one file, '%s'",
                   s->out);
    return d->errors == 0;
}

static bool report(const struct settings *s, const struct report *r) {
    struct outfile file;
    if (!outfile_open(&file, s->out ? s->out : "-", s->d))
        return false;
    (s->json ? channel_json : channel_text)(r, file.out);
    return outfile_close(&file, true);
}

static bool execute(const struct settings *s, struct concurrent_setup *u,
                    struct report *r, struct concurrent_result *result) {
    struct outfile trace;
    if (!s->trace)
        return concurrent_run(u, result) && report(s, r);
    if (!outfile_open(&trace, s->trace, s->d))
        return false;
    u->trace = trace.out;
    bool ok = concurrent_run(u, result);
    return outfile_close(&trace, ok) && ok && report(s, r);
}

static int run_svrg(const struct settings *s) {
    struct config c;
    struct svrg_setup u = {.config = &c,
                           .path = s->svrg,
                           .size = s->size,
                           .rate = (int)s->rate,
                           .seed = s->seed,
                           .d = s->d};
    struct svrg_result r;
    struct outfile file;

    if (s->requests || s->mix || s->op || s->trace || s->throttle)
        diag_error(s->d, nowhere,
                   "'--svrg' goes without a trace of requests, --mix, --op, "
                   "--throttle and --trace");
    choice_resolve(&s->choice, &c, s->d);
    if (s->d->errors || !svrg_check(&c, s->d) || !svrg_run(&u, &r) ||
        !outfile_open(&file, s->out ? s->out : "-", s->d))
        return EXIT_BAD;
    (s->json ? svrg_json : svrg_text)(&r, file.out);
    if (!outfile_close(&file, true))
        return EXIT_BAD;
    return svrg_right(&r) ? EXIT_DONE : EXIT_BROKEN;
}

static int run(const struct settings *s) {
    struct config c;
    struct concurrent_setup u = {.config = &c,
                                 .bytes = s->bytes,
                                 .blocks = (int)s->blocks,
                                 .async = s->async,
                                 .unfinished = (int)s->unfinished,
                                 .cycles = s->cycles,
                                 .format = (enum dram_format)s->format,
                                 .d = s->d};
    struct concurrent_result result = {0};
    struct report r = {
        .config = &c, .setup = &u, .result = &result, .mhz = (double)s->mhz};
    if (s->svrg)
        return run_svrg(s);
    if (s->size)
        diag_error(s->d, nowhere, "'--size' goes with '--svrg'");
    if (!sensible(s) || !configure(s, &c, &r.throttle))
        return EXIT_BAD;
    int op = s->op ? options_choice("op", s->op, NEAR_OP_NAMES "|none", s->d)
                   : NEAR_OPS;
    u.near = op >= 0 && op < NEAR_OPS;
    u.op = (enum near_op)(u.near ? op : 0);
    if (!s->cycles && !s->requests)
        u.cycles = CYCLES;
    u.host = make_host(s, &c, &r);
    bool ok = s->d->errors == 0 && execute(s, &u, &r, &result);
    if (u.host)
        u.host->free(u.host);
    return !ok ? EXIT_BAD : result.violations ? EXIT_BROKEN : EXIT_DONE;
}

int channel_main(const char *program, int argc, char **argv) {
    struct diag d = {0};
    struct options options = common;
    struct settings s = {.bytes = 131072,
                         .unfinished = 2,
                         .seed = 1,
                         .window = 32,
                         .rate = 10,
                         .mhz = 1200,
                         .d = &d};
    options.program = program;
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN)
        status = run(&s);
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
