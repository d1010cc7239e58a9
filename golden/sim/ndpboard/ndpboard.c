/* ndpboard.c - the program: a simulated board behind a pseudo-terminal, for
 * whoever would open a serial port; with a line that is as bad as one likes.
 */
#include "base/options.h"
#include "base/outfile.h"
#include "runtime/simulated.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    const char *sim, *dir;
    struct line_noise noise;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"sim", 's', "NAME",
     "Which simulation of the board: verilator or icarus. Default: verilator."},
    {"", 0, NULL, "A bad line, both ways:"},
    {"lost", 0, "N", "One byte in N is lost."},
    {"twice", 0, "N", "One byte in N comes twice."},
    {"flipped", 0, "N", "One byte in N has a bit flipped."},
    {"seed", 0, "SEED", "Which bytes. Default: 1."},
    {"unplug", 0, "N", "Hang up after N bytes."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpboard out/board/hx8k",
     "prints a device, 'serial:/dev/pts/5', for ndprun; Ctrl-C ends it"},
    {"ndpboard out/board/hx8k --flipped 5000 --seed 3", "over a bad line"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpboard",
    .usage = "DIR [options]",
    .summary = "Simulate a board behind a pseudo-terminal: what opens it as a "
               "serial port cannot tell it from a board, but for its speed.",
    .specs = specs,
    .positional = "folder that 'sh scripts/board_sim.sh' has built",
    .max_positional = 1,
    .examples = examples,
    .epilogue = "Exit status: 0 ended by Ctrl-C, a signal or --unplug, 1 the "
                "simulation has ended by itself, 2 bad input.",
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = {{"lost", &s->noise.lost},
                   {"twice", &s->noise.twice},
                   {"flipped", &s->noise.flipped},
                   {"seed", &s->noise.seed},
                   {"unplug", &s->noise.unplug}};
    if (!name)
        s->dir = value;
    else if (strcmp(name, "sim") == 0)
        s->sim = value;
    for (size_t i = 0; name && i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return options_number(name, value, 1, UINT64_MAX, numbers[i].to,
                                  s->diag);
    return true;
}

/* A pipe that can be read once a signal has come. */
static int stop[2];

static void on_signal(int number) {
    (void)number;
    ssize_t n = write(stop[1], "", 1);
    (void)n;
}

static int run(struct settings *s) {
    struct place at = {.source = diag_source(s->diag, "command line", NULL, 0)};
    struct text why = {0};
    int status = 2;
    if (!s->dir) {
        diag_error(s->diag, at,
                   "no folder given, expected one of a board such as "
                   "'out/board/hx8k'");
        return 2;
    }
    if (strcmp(s->sim, "verilator") != 0 && strcmp(s->sim, "icarus") != 0) {
        diag_error(s->diag, at,
                   "unknown simulator '%s', expected verilator or icarus",
                   s->sim);
        return 2;
    }
    if (pipe(stop) != 0)
        return 2;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    struct simulated *board = simulated_open(s->sim, s->dir, &s->noise, &why);
    if (board) {
        printf("serial:%s\n", simulated_name(board));
        fflush(stdout);
        status = simulated_serve(board, stop[0], &why) ? 0 : 1;
        fprintf(stderr, "%" PRIu64 " bytes altered\n", simulated_errors(board));
    }
    if (why.len)
        diag_error(s->diag, at, "%s", text_str(&why));
    if (board)
        simulated_close(board);
    text_free(&why);
    return status;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.diag = &diag, .sim = "verilator", .noise.seed = 1};
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN)
        status = run(&s);
    diag_flush(&diag, stderr);
    diag_free(&diag);
    return status;
}
