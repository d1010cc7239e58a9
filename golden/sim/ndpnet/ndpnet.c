/* ndpnet.c - the program: what a mesh bears: latency and throughput of the
 * golden network by the load that is offered (mesh/load.h).
 */
#include "base/options.h"
#include "base/outfile.h"
#include "base/version.h"
#include "config/choice.h"
#include "mesh/load.h"
#include "shared/mesh.h"
#include "shared/noc.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_BAD = 2, MOST_LOADS = 64 };

static const struct place nowhere;

struct settings {
    struct config_choice choice;
    struct load_setup setup;
    double loads[MOST_LOADS];
    int n_loads;
    bool json;
    const char *out;
    struct diag *d;
};

static const struct option_spec specs[] = {
    {"", 0, NULL, "Which mesh:"},
    {"preset", 'p', "NAME", "its sizes. Default: those of preset mesh, 8 x 8."},
    {"config", 'c', "FILE", "YAML file of parameters, over the preset"},
    {"set", 's', "KEY=VALUE",
     "one parameter, over preset and file, such as noc.depth=4; repeatable"},
    {"", 0, NULL, "Which traffic:"},
    {"pattern", 0, "uniform|transpose|complement|neighbour|memory",
     "where packets go: uniform (any other node), transpose, complement, "
     "neighbour, or memory (requests of one flit from cores to memory nodes, "
     "answered by packets). Default: uniform."},
    {"load", 0, "LIST",
     "offered load, flits per node and cycle, from 0.001 to 1, separated by "
     "commas. Default: 0.05 to 0.5 by 0.05."},
    {"flits", 0, "N",
     "flits per packet, 1 to 64. Default: 5, a line of 128 bytes."},
    {"warm", 0, "N", "warm-up cycles before the measurement. Default: 2000."},
    {"cycles", 0, "N", "measured cycles. Default: 10000."},
    {"seed", 0, "SEED", "seed of the traffic. Default: 1."},
    {"", 0, NULL, "Output:"},
    {"json", 0, NULL, "print JSON"},
    {"out", 'o', "FILE", "output file (standard output)"},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpnet", "the curve of the paper's mesh under uniform traffic"},
    {"ndpnet --pattern memory --load 0.1,0.2", "cores that ask memory nodes"},
    {"ndpnet --set mesh.width=4 --set mesh.height=4 --set "
     "'mesh.memory_nodes=[0,15]' --flits 1",
     "another mesh, short packets"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpnet",
    .usage = "[options]",
    .summary = "Measure latency and throughput of a mesh for a list of offered "
               "loads. The network is the golden one, equal to the RTL of "
               "target 'mesh' cycle by cycle.",
    .specs = specs,
    .examples = examples,
    .epilogue = "Latency is in cycles from when a packet is made to when its "
                "last flit is taken, of packets made while measured; past "
                "saturation it only grows and is not shown. Exit status: 0 "
                "done, 2 bad input."};

/* "0.1,0.2" */
static bool take_loads(struct settings *s, const char *value) {
    s->n_loads = 0;
    for (const char *at = value;; at++) {
        char *end;
        double load = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(load >= 0.001) ||
            load > 1 || s->n_loads == MOST_LOADS) {
            diag_error(s->d, nowhere,
                       "'--load' is '%s', expected at most %d numbers from "
                       "0.001 to 1 apart by commas",
                       value, MOST_LOADS);
            return false;
        }
        s->loads[s->n_loads++] = load;
        at = end;
        if (!*at)
            return true;
    }
}

static bool take_number(struct settings *s, const char *name,
                        const char *value) {
    uint64_t flits = (uint64_t)s->setup.flits;
    const struct {
        const char *name;
        uint64_t least, most, *to;
    } numbers[] = {{"flits", 1, 64, &flits},
                   {"warm", 0, 100000000, &s->setup.warm},
                   {"cycles", 1, 100000000, &s->setup.cycles},
                   {"seed", 0, UINT64_MAX, &s->setup.seed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            bool ok = options_number(name, value, numbers[i].least,
                                     numbers[i].most, numbers[i].to, s->d);
            s->setup.flits = (int)flits;
            return ok;
        }
    return choice_take(&s->choice, name, value, s->d);
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        return false;
    if (strcmp(name, "json") == 0)
        return s->json = true;
    if (strcmp(name, "load") == 0)
        return take_loads(s, value);
    if (strcmp(name, "out") == 0) {
        s->out = value;
        return true;
    }
    if (strcmp(name, "pattern") == 0) {
        int n = options_choice(name, value, LOAD_PATTERN_NAMES, s->d);
        if (n >= 0)
            s->setup.pattern = (enum load_pattern)n;
        return n >= 0;
    }
    return take_number(s, name, value);
}

/* ------------------------------------------------------------------ report */

static const char *pattern_name(enum load_pattern p) {
    static const char *const names[] = {"uniform", "transpose", "complement",
                                        "neighbour", "memory"};
    return names[p];
}

static void print_head(const struct settings *s, const struct config *c,
                       FILE *out) {
    fprintf(out,
            "%d x %d nodes, %s traffic, packets of %d flits, %" PRIu64
            " cycles, seed %" PRIu64 "\n",
            c->mesh_width, c->mesh_height, pattern_name(s->setup.pattern),
            s->setup.flits, s->setup.cycles, s->setup.seed);
    fprintf(out, "%8s %8s %9s %9s %8s %8s %8s %6s\n", "load", "accepted",
            "packets", "latency", "median", "99 %", "most", "hops");
}

static void print_row(double load, const struct load_result *r, FILE *out) {
    fprintf(out, "%8.3f %8.3f %9" PRIu64, load, r->accepted, r->packets);
    if (r->saturated)
        fprintf(out, " saturated\n");
    else
        fprintf(out, " %9.1f %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6.2f\n",
                r->latency, r->median, r->p99, r->most, r->hops);
}

static json_t *row_json(double load, const struct load_result *r) {
    json_t *j = json_object();
    json_object_set_new(j, "load", json_real(load));
    json_object_set_new(j, "offered", json_real(r->offered));
    json_object_set_new(j, "accepted", json_real(r->accepted));
    json_object_set_new(j, "packets", json_integer((json_int_t)r->packets));
    json_object_set_new(j, "saturated", json_boolean(r->saturated));
    if (r->saturated)
        return j;
    json_object_set_new(j, "latency", json_real(r->latency));
    json_object_set_new(j, "median", json_integer((json_int_t)r->median));
    json_object_set_new(j, "p99", json_integer((json_int_t)r->p99));
    json_object_set_new(j, "most", json_integer((json_int_t)r->most));
    json_object_set_new(j, "hops", json_real(r->hops));
    return j;
}

static json_t *head_json(const struct settings *s, const struct config *c) {
    json_t *j = json_object();
    json_object_set_new(j, "schema", json_string("ndpnet-1"));
    json_object_set_new(j, "version", json_string(NDP_VERSION));
    json_object_set_new(j, "width", json_integer(c->mesh_width));
    json_object_set_new(j, "height", json_integer(c->mesh_height));
    json_object_set_new(j, "pattern",
                        json_string(pattern_name(s->setup.pattern)));
    json_object_set_new(j, "flits", json_integer(s->setup.flits));
    json_object_set_new(j, "cycles", json_integer((json_int_t)s->setup.cycles));
    json_object_set_new(j, "seed", json_integer((json_int_t)s->setup.seed));
    return j;
}

static void measure(struct settings *s, const struct config *c, FILE *out) {
    json_t *all = head_json(s, c), *rows = json_array();
    if (!s->json)
        print_head(s, c, out);
    for (int i = 0; i < s->n_loads; i++) {
        s->setup.load = s->loads[i];
        struct load_result r = load_run(c, &s->setup);
        if (s->json)
            json_array_append_new(rows, row_json(s->loads[i], &r));
        else
            print_row(s->loads[i], &r, out);
        fflush(out);
    }
    json_object_set_new(all, "loads", rows);
    if (s->json) {
        json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
        fputc('\n', out);
    }
    json_decref(all);
}

static void run(struct settings *s) {
    struct config c;
    struct outfile file;
    choice_resolve(&s->choice, &c, s->d);
    if (s->d->errors || !mesh_check(&c, s->d) || !noc_check(&c, s->d))
        return;
    const char *wants = load_refused(&c, s->setup.pattern);
    if (wants)
        diag_error(s->d, nowhere, "pattern '%s' wants %s",
                   pattern_name(s->setup.pattern), wants);
    else if (outfile_open(&file, s->out ? s->out : "-", s->d)) {
        measure(s, &c, file.out);
        outfile_close(&file, true);
    }
}

int main(int argc, char **argv) {
    struct diag d = {0};
    struct settings s = {
        .d = &d,
        .setup = {.flits = 5, .warm = 2000, .cycles = 10000, .seed = 1},
        .n_loads = 10};
    for (int i = 0; i < s.n_loads; i++)
        s.loads[i] = 0.05 * (i + 1);
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN) {
        run(&s);
        status = d.errors ? EXIT_BAD : EXIT_DONE;
    }
    diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
