/* options.c - the command line of a lock-step run.
 *
 * Verilator's main gets it from the shell, Icarus' VPI module from vvp's
 * extended arguments; scripts/cosim.sh writes it for both.
 */
#include "options.h"

#include "base/options.h"

#include <string.h>
#include <time.h>

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to check:"},
    {"target", 't', "BLOCK", "block to check"},
    {"preset", 'p', "NAME",
     "sizes: a paper's (its own is the default), 'small'"},
    {"config", 'c', "FILE", "configuration, such as the one beside the RTL"},
    {"set", 's', "KEY=VALUE", "one parameter; may be repeated"},
    {"", 0, NULL, "How:"},
    {"stim", 0, "MODE", "random (default), directed or replay"},
    {"kernel", 0, "FILE", "PTX file whose instructions 'replay' issues"},
    {"run", 0, "FILE", "run description whose execution 'replay' issues"},
    {"size", 0, "NAME", "which of the description's sizes (small)"},
    {"count", 0, "HOW",
     "how live registers of its candidates count: words or names (words)"},
    {"seed", 0, "N", "of stimulus and initial state, or 'random' (1)"},
    {"cycles", 0, "N", "clock edges (200000; with --run 0: to its end)"},
    {"require-cover", 0, NULL, "a cover point that was missed is a failure"},
    {"", 0, NULL, "What to print:"},
    {"json", 0, NULL, "the result as JSON"},
    {"quiet", 0, NULL, "only errors"},
    {"events", 0, "FILE", "one line for each event of the block"},
    {"values", 0, "FILE", "what stands at the ports on each cycle, as VCD"},
    {"wave", 0, "FILE", "waveform of a failure"},
    {"wave-from", 0, "N", "first cycle of either"},
    {"result", 0, "FILE", "'equal', or cycle and seed of a failure"},
    {"sim", 0, "NAME", "simulator, for the summary"},
    {"label", 0, "NAME", "what to call the configuration in the summary"},
    {"replay", 0, "COMMAND", "command that repeats the run"},
    {"ports", 0, NULL,
     "the ports and where they lie, for an adapter; runs nothing"},
    {NULL, 0, NULL, NULL},
};

static const struct options command_line = {
    .program = "cosim",
    .usage = "--target BLOCK [options]",
    .summary = "Lock-step of a golden block and its RTL.",
    .specs = specs,
    .epilogue = "Exit status: 0 equal, 1 different or a property broken, 2 bad "
                "input.",
};

static const struct place nowhere;

static const uint64_t not_given = UINT64_MAX;

struct reader {
    struct bench_options *o;
    struct diag *d;
};

/* Short enough to type again, different from run to run. */
static uint64_t draw_seed(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t x = (uint64_t)t.tv_sec * 1000000007u ^ (uint64_t)t.tv_nsec;
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return x >> 40;
}

/* Options that only store their word. */
static const struct {
    const char *name;
    size_t offset;
} words[] = {
    {"target", offsetof(struct bench_options, target)},
    {"stim", offsetof(struct bench_options, stim.mode)},
    {"kernel", offsetof(struct bench_options, stim.kernel)},
    {"run", offsetof(struct bench_options, stim.run)},
    {"size", offsetof(struct bench_options, stim.size)},
    {"events", offsetof(struct bench_options, events)},
    {"values", offsetof(struct bench_options, values)},
    {"wave", offsetof(struct bench_options, wave)},
    {"result", offsetof(struct bench_options, result)},
    {"sim", offsetof(struct bench_options, sim)},
    {"label", offsetof(struct bench_options, label)},
    {"replay", offsetof(struct bench_options, replay)},
};

static bool take_word(struct bench_options *o, const char *name,
                      const char *value) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].name, name) == 0) {
            memcpy((char *)o + words[i].offset, &value, sizeof value);
            return true;
        }
    return false;
}

static bool *flag_of(struct bench_options *o, const char *name) {
    if (strcmp(name, "json") == 0)
        return &o->json;
    if (strcmp(name, "quiet") == 0)
        return &o->quiet;
    if (strcmp(name, "ports") == 0)
        return &o->ports;
    return strcmp(name, "require-cover") == 0 ? &o->require_cover : NULL;
}

static bool take_count(struct bench_options *o, const char *value,
                       struct diag *d) {
    int n = options_choice("count", value, "words|names", d);
    o->counted = true;
    o->stim.by_names = n == 1;
    return n >= 0;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct reader *r = ctx;
    struct bench_options *o = r->o;
    if (!value)
        return *flag_of(o, name) = true;
    if (take_word(o, name, value))
        return true;
    if (strcmp(name, "preset") == 0 && !o->label)
        o->label = value;
    if (strcmp(name, "preset") == 0 || strcmp(name, "config") == 0 ||
        strcmp(name, "set") == 0)
        return choice_take(&o->choice, name, value, r->d);
    if (strcmp(name, "count") == 0)
        return take_count(o, value, r->d);
    if (strcmp(name, "cycles") == 0)
        return options_number(name, value, 0, UINT64_MAX, &o->cycles, r->d);
    if (strcmp(name, "wave-from") == 0)
        return options_number(name, value, 0, UINT64_MAX, &o->wave_from, r->d);
    if (strcmp(value, "random") != 0)
        return options_number(name, value, 0, UINT64_MAX, &o->stim.seed, r->d);
    o->stim.seed = draw_seed();
    return true;
}

static const char *next_target(void *ctx, int n) {
    const struct bench_block *const *blocks = ctx;
    const struct bench_block *b = *blocks + n;
    return b->iface ? b->iface->name : NULL;
}

static void find_target(struct bench_options *o,
                        const struct bench_block *blocks, struct diag *d) {
    if (!o->target) {
        diag_error(d, nowhere, "no target, expected '--target BLOCK'");
        return;
    }
    for (const struct bench_block *b = blocks; b->iface; b++)
        if (strcmp(b->iface->name, o->target) == 0)
            o->block = b;
    if (o->block)
        return;
    const char *near = suggest(o->target, next_target, &blocks);
    struct text all = {0};
    for (const struct bench_block *b = blocks; b->iface; b++)
        text_printf(&all, "%s'%s'", b == blocks ? "" : ", ", b->iface->name);
    if (near)
        diag_error(d, nowhere, "unknown target '%s', did you mean '%s'",
                   o->target, near);
    else
        diag_error(d, nowhere, "unknown target '%s', expected one of %s",
                   o->target, text_str(&all));
    text_free(&all);
}

/* What 'replay' replays, and for how long. */
static void check_replay(struct bench_options *o, struct diag *d) {
    const struct stim_options *s = &o->stim;
    bool replay = strcmp(s->mode, "replay") == 0;
    if (replay && !s->kernel && !s->run)
        diag_error(d, nowhere,
                   "'replay' needs a kernel, expected '--kernel FILE' or "
                   "'--run FILE'");
    if (s->kernel && s->run)
        diag_error(d, nowhere, "expected '--kernel' or '--run', found both");
    if (s->run && !replay)
        diag_error(d, nowhere, "'--run' goes with '--stim replay'");
    if (s->size && !s->run)
        diag_error(d, nowhere, "'--size' goes with '--run FILE'");
    if (o->counted && !s->run)
        diag_error(d, nowhere, "'--count' goes with '--run FILE'");
    if (o->cycles == not_given)
        o->cycles = s->run ? 0 : 200000;
    if (o->cycles == 0 && !s->run)
        diag_error(d, nowhere,
                   "'--cycles 0' runs to the end of '--run FILE', expected at "
                   "least 1 without it");
    o->stim.whole = o->cycles == 0;
}

static void check(struct bench_options *o, const struct bench_block *blocks,
                  struct diag *d) {
    find_target(o, blocks, d);
    choice_of_target(&o->choice, o->block ? o->block->iface->name : NULL);
    choice_resolve(&o->choice, &o->config, d);
    if (o->block && !d->errors)
        iface_check(o->block->iface, &o->config, d);
    check_replay(o, d);
    if (!o->label && o->block)
        o->label = o->block->iface->preset;
}

bool bench_options(struct bench_options *o, const struct bench_block *blocks,
                   int argc, char **argv, int *status) {
    struct diag d = {0};
    struct reader r = {o, &d};
    *o = (struct bench_options){.sim = "golden", .cycles = not_given};
    o->stim.mode = "random";
    o->stim.seed = 1;
    *status = options_parse(&command_line, argc, argv, take, &r, &d);
    if (*status == OPTIONS_RUN) {
        check(o, blocks, &d);
        *status = d.errors ? 2 : OPTIONS_RUN;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    return *status == OPTIONS_RUN;
}
