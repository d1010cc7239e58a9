/* ndpbist.c - the program: windows of stimulus on a block under test. */
#include "ndpbist.h"

#include "base/bits.h"
#include "base/options.h"
#include "base/outfile.h"
#include "config/choice.h"
#include "frame/golden.h"
#include "runtime/simulated.h"
#include "sim/bist/rig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct place nowhere;

struct settings {
    const char *target, *device, *free_ports, *stream;
    uint64_t passes, edges, seed, runs, retries;
    bool sizes, has_free_option;
    struct config_choice choice;
    const char **files;
    int n_files;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "Which block:"},
    {"target", 't', "BLOCK", "Block under test, see ndpgen --list-targets."},
    {"preset", 'p', "NAME", "Its sizes."},
    {"config", 'c', "FILE",
     "Its configuration, such as the one beside its RTL."},
    {"set", 's', "KEY=VALUE", "One parameter; may be repeated."},
    {"", 0, NULL, "Where it is:"},
    {"device", 'd', "URL",
     "serial:TTY or serial:TTY@BAUD, a board or what behaves like one; "
     "verilator:DIR or icarus:DIR, a board that is simulated "
     "(scripts/board_sim.sh); "
     "golden:, golden models in this process, and golden:PORT[BIT]@N with bit "
     "BIT of output PORT turned over on the Nth edge after each reset, "
     "golden:PORT[BIT]#N on the Nth edge of all. Default: golden:."},
    {"retries", 0, "N",
     "How often to open the line again when it fails; what was under way "
     "is played again. Default: 20."},
    {"", 0, NULL, "What to play:"},
    {"passes", 'n', "N",
     "How often each window is played, without the host. Default: 1."},
    {"free", 'f', "PORTS",
     "In place of files: inputs, separated by commas, that may have any value "
     "on any edge; they get random ones, all others stay 0."},
    {"edges", 0, "N", "Edges of a run with --free. Default: 1000000."},
    {"runs", 0, "N", "Runs with --free. Default: 1."},
    {"seed", 0, "N", "Seed of the first, the next has the next. Default: 1."},
    {"", 0, NULL, "What to print:"},
    {"stream", 'o', "FILE",
     "Every edge of the first wrong window, as a table: stimulus, outputs of "
     "the golden model and of the device."},
    {"sizes", 0, NULL,
     "Print what ndpgen --target bist needs for this block, and end."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpbist --target emn --preset small --sizes",
     "the options for the RTL around it"},
    {"ndpbist --target emn --preset small emn.vcd --device serial:/dev/ttyUSB0 "
     "--passes 1000000",
     "what a lock-step run recorded (make cosim SIM=golden VALUES=emn.vcd)"},
    {"ndpbist --target emn --preset small --free "
     "req_valid,req_id,req_core,req_mem0,req_mem1 --edges 4000000000",
     "new stimulus on every edge"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpbist",
    .usage = "--target BLOCK [options] [RECORDING.vcd...]",
    .summary = "Play windows of stimulus to a block on a board at full clock, "
               "and compare a signature of all its outputs on all edges with "
               "the golden model's. The first window that is wrong is streamed "
               "back, edge by edge.",
    .specs = specs,
    .positional = "recordings, VCD with clk, rst and all inputs of the block; "
                  "a window begins with each reset",
    .examples = examples,
    .epilogue = "See docs/blocks/bist.md. Exit status: 0 all right, 1 a "
                "signature is wrong, 2 bad input or no device.",
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    static const struct {
        const char *name;
        size_t at;
        uint64_t min, max;
    } numbers[] = {
        {"passes", offsetof(struct settings, passes), 1, UINT64_C(1) << 32},
        {"edges", offsetof(struct settings, edges), 1, UINT64_C(1) << 32},
        {"runs", offsetof(struct settings, runs), 1, UINT32_MAX},
        {"seed", offsetof(struct settings, seed), 1, UINT32_MAX},
        {"retries", offsetof(struct settings, retries), 0, 1000}};
    if (!name) {
        s->files[s->n_files++] = value;
        return true;
    }
    if (strcmp(name, "edges") == 0 || strcmp(name, "runs") == 0 ||
        strcmp(name, "seed") == 0)
        s->has_free_option = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            return options_number(
                name, value, numbers[i].min, numbers[i].max,
                (uint64_t *)(void *)((char *)s + numbers[i].at), s->diag);
    if (strcmp(name, "sizes") == 0)
        return s->sizes = true;
    if (strcmp(name, "target") == 0)
        s->target = value;
    else if (strcmp(name, "device") == 0)
        s->device = value;
    else if (strcmp(name, "free") == 0)
        s->free_ports = value;
    else if (strcmp(name, "stream") == 0)
        s->stream = value;
    else
        return choice_take(&s->choice, name, value, s->diag);
    return true;
}

/* --- the block ------------------------------------------------------------ */

static const char *next_target(void *ctx, int n) {
    const struct golden_class *k = golden_at(n);
    (void)ctx;
    return k ? golden_iface(k)->name : NULL;
}

/* The block under test; NULL after an error. */
static struct design *find_block(const struct settings *s) {
    struct config c;
    const struct golden_class *k = s->target ? golden_find(s->target) : NULL;
    struct config_choice choice = s->choice;
    choice.target = s->target;
    choice_resolve(&choice, &c, s->diag);
    if (!s->target)
        diag_error(s->diag, nowhere, "no target, expected '--target BLOCK'");
    else if (!k) {
        const char *near = suggest(s->target, next_target, NULL);
        diag_error(s->diag, nowhere, "unknown target '%s'%s%s%s", s->target,
                   near ? ", did you mean '" : "", near ? near : "",
                   near ? "'" : ", see ndpgen --list-targets");
    }
    if (s->diag->errors || !iface_check(golden_iface(k), &c, s->diag))
        return NULL;
    return design_make(golden_iface(k), &c);
}

static bool fits(const struct flat *f, struct diag *d) {
    if (f->in_bits <= FLAT_BITS && f->out_bits <= FLAT_BITS)
        return true;
    diag_error(d, nowhere,
               "block '%s' of this configuration has %d bits of inputs and %d "
               "of outputs, a bist holds at most %d of each",
               f->design->iface->name, f->in_bits, f->out_bits, FLAT_BITS);
    return false;
}

/* --- the device ----------------------------------------------------------- */

struct session {
    const struct settings *s;
    struct flat flat;
    struct ndp_port *port; /* NULL: not open */
    struct board board;
    uint64_t failures; /* of the line */
    uint64_t windows, edges;
};

static struct ndp_port *open_port(const struct session *x, struct text *why) {
    const char *url = x->s->device, *what = strchr(url, ':');
    size_t n = what ? (size_t)(what++ - url) : 0;
    if (n == 6 && memcmp(url, "golden", n) == 0)
        return rig_open(&x->flat, what, why);
    if (n == 6 && memcmp(url, "serial", n) == 0)
        return ndp_serial_open(what, NULL, why);
    if ((n == 9 && memcmp(url, "verilator", n) == 0) ||
        (n == 6 && memcmp(url, "icarus", n) == 0))
        return ndp_simulated_open(n == 9 ? "verilator" : "icarus", what, why);
    text_printf(why,
                "unknown device '%s', expected serial:TTY, verilator:DIR, "
                "icarus:DIR or golden:",
                url);
    return NULL;
}

static void leave(struct session *x) {
    if (x->port)
        x->port->class->close(x->port);
    x->port = NULL;
}

/* A board's way to its port: the first time, or after the line has failed. */
static struct ndp_port *reach(void *ctx, struct text *why) {
    struct session *x = ctx;
    if (x->port) {
        leave(x);
        if (x->failures++ == x->s->retries)
            return NULL;
        fprintf(stderr, "ndpbist: %s; again\n", text_str(why));
        text_free(why);
    }
    x->port = open_port(x, why);
    return x->port;
}

/* --- windows -------------------------------------------------------------- */

static bool write_stream(const struct session *x, const struct examined *e) {
    struct outfile f;
    if (!x->s->stream || !e->again)
        return true;
    if (!outfile_open(&f, x->s->stream, x->s->diag))
        return false;
    report_edges(&x->flat, e, f.out);
    return outfile_close(&f, true);
}

/* Exit status of a window, -1: go on. */
static int play(struct session *x, const struct window *w,
                const struct origin *o) {
    struct examined e;
    if (!examine(&x->board, w, x->s->passes, &e)) {
        diag_error(x->s->diag, nowhere, "%s", text_str(&x->board.why));
        return 2;
    }
    x->windows++;
    x->edges += w->length * x->s->passes;
    if (e.right)
        return -1;
    report_wrong(&x->flat, w, o, &e, x->s->passes, stdout);
    bool ok = write_stream(x, &e);
    examined_free(&e);
    return ok ? 1 : 2;
}

static int play_file(struct session *x, const char *path) {
    struct recording r;
    struct window w;
    int at = 0, status = -1;
    struct origin o = {.file = path};
    if (!recording_read(&r, path, &x->flat, x->s->diag))
        return 2;
    while (status < 0 &&
           recording_window(&r, &x->flat, x->board.words, &at, &w)) {
        o.number++;
        status = play(x, &w, &o);
    }
    if (o.number == 0) {
        diag_error(x->s->diag, nowhere,
                   "'%s' has no edge with reset, so no window begins", path);
        status = 2;
    }
    recording_free(&r);
    return status;
}

/* The mask of inputs that are named, separated by commas. */
static bool read_free(const struct session *x, struct flat_row *mask) {
    const char *list = x->s->free_ports;
    *mask = (struct flat_row){{0}};
    while (*list) {
        struct text name = {0};
        size_t n = strcspn(list, ",");
        text_addn(&name, list, n);
        const struct design_port *p =
            design_port(x->flat.design, text_str(&name));
        bool ok = p && flat_has(p) && p->dir == PORT_IN;
        if (!ok)
            diag_error(x->s->diag, nowhere, "block '%s' has no input '%s'",
                       x->flat.design->iface->name, text_str(&name));
        text_free(&name);
        if (!ok)
            return false;
        for (int b = 0; b < p->width; b++)
            bits_or(mask->w, flat_place(&x->flat, p) + b, 1, 1);
        list += n + (list[n] == ',');
    }
    return true;
}

/* Two words: reset, and rest; the second comes again and again. */
static int play_free(struct session *x) {
    struct flat_row words[2] = {{{0}}, {{0}}};
    struct window w = {
        .words = words, .n = 2, .again = 1, .length = x->s->edges};
    struct origin o = {0};
    int status = -1;
    bits_or(words[0].w, x->flat.in_bits, 1, 1);
    if (!read_free(x, &w.mask))
        return 2;
    for (uint64_t i = 0; i < x->s->runs && status < 0; i++) {
        w.seed = (uint32_t)(x->s->seed + i);
        if (w.seed != 0) /* behind the last there is none */
            status = play(x, &w, &o);
    }
    return status;
}

static int play_all(struct session *x) {
    int status = -1;
    const struct board_way way = {reach, x};
    if (!board_open(&x->board, &way, &x->flat)) {
        diag_error(x->s->diag, nowhere, "%s", text_str(&x->board.why));
        status = 2;
    }
    if (status < 0 && x->s->free_ports)
        status = play_free(x);
    for (int i = 0; i < x->s->n_files && status < 0; i++)
        status = play_file(x, x->s->files[i]);
    if (status < 0)
        printf("%s: %" PRIu64 " windows, %" PRIu64
               " edges, every signature as expected%s\n",
               x->flat.design->iface->name, x->windows, x->edges,
               x->failures ? "; the line failed and was opened again" : "");
    leave(x);
    board_close(&x->board);
    return status < 0 ? 0 : status;
}

/* --- program -------------------------------------------------------------- */

static int run(const struct settings *s) {
    struct design *d = find_block(s);
    if (!d)
        return 2;
    struct session x = {.s = s};
    int status = 2;
    flat_init(&x.flat, d);
    if (s->sizes) {
        printf("--set bist.in_bits=%d --set bist.out_bits=%d\n", x.flat.in_bits,
               x.flat.out_bits);
        status = 0;
    } else if (fits(&x.flat, s->diag)) {
        status = play_all(&x);
    }
    design_free(d);
    return status;
}

static void check(const struct settings *s) {
    if (s->sizes)
        return;
    if (!s->free_ports && s->n_files == 0)
        diag_error(s->diag, nowhere,
                   "nothing to play, expected recordings or '--free PORTS'");
    if (s->free_ports && s->n_files > 0)
        diag_error(s->diag, nowhere,
                   "expected recordings or '--free PORTS', found both");
    if (s->has_free_option && !s->free_ports)
        diag_error(s->diag, nowhere,
                   "'--edges', '--runs' and '--seed' go with '--free PORTS'");
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {.device = "golden:",
                         .passes = 1,
                         .edges = 1000000,
                         .seed = 1,
                         .runs = 1,
                         .retries = 20,
                         .files = xcalloc((size_t)argc, sizeof *s.files),
                         .diag = &d};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        check(&s);
        status = d.errors ? 2 : run(&s);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            diag_error(&d, nowhere, "cannot write to standard output");
            status = 2;
        }
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    free(s.files);
    return status;
}
