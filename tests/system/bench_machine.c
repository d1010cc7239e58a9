/* bench_machine.c - speed of the golden machine while a core runs a kernel.
 *
 * libndp runs a run description.  Two things are timed: the edges on which it
 * waits for the launch, and what else it does with the machine, as loading code
 * and copying buffers.
 *
 *     bench_machine [cycles [preset [description]]]
 */
#include "tests/common/bench_speed.h"

#include "ref.h"
#include "runtime/golden_port.h"
#include "runtime/runtime.h"
#include "sim/run/machine.h"

#include <inttypes.h>

/* A machine whose idle edges are timed. */
struct timed {
    struct ndp_port base;
    struct ndp_port *machine;
    uint64_t edges;
    double seconds, host; /* of those edges, and of all else */
};

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct timed *t = (struct timed *)port;
    bool waits = n == 1 && list[0].kind == NDP_IDLE;
    double from = speed_seconds();
    bool ok = t->machine->class->run(t->machine, list, n, why);
    *(waits ? &t->seconds : &t->host) += speed_seconds() - from;
    t->edges += waits ? list[0].data : 0;
    t->base.edges = t->machine->edges;
    return ok;
}

static void copy(struct ndp_port *port, bool write, uint32_t at,
                 uint32_t *words, size_t n, bool *left) {
    struct timed *t = (struct timed *)port;
    double from = speed_seconds();
    t->machine->class->copy(t->machine, write, at, words, n, left);
    t->host += speed_seconds() - from;
}

static void close_machine(struct ndp_port *port) {
    struct timed *t = (struct timed *)port;
    t->machine->class->close(t->machine);
}

static const struct ndp_port_class timed_class = {
    .run = run, .close = close_machine, .copy = copy};

/* Edges, or 0 after an error. */
static uint64_t once(const char *preset, const char *path, double *seconds,
                     double *host) {
    struct timed t = {.base = {&timed_class}};
    struct text why = {0};
    struct diag d = {0};
    struct run_options o = {.reference = ref_find};
    struct run_verdict v = {0};
    ndpDevice device = xcalloc(1, sizeof *device);
    struct run_machine m = {.device = device, .timeout = 600000};
    struct run *r = run_open(path, &o, &d);
    t.machine = golden_port_open(preset, &why);
    if (t.machine)
        t.base.refresh = t.machine->refresh;
    bool ok = r && t.machine && ndp_attach(device, &t.base) == NDP_SUCCESS &&
              run_load(r, &m) && run_on_machine(r, &m);
    if (ok)
        run_verdict(r, &v);
    ok = ok && v.result == RUN_RIGHT;
    diag_flush(&d, stderr);
    if (!ok)
        fprintf(stderr, "bench_machine: '%s' on '%s': %s\n", path, preset,
                why.len ? text_str(&why) : "not right");
    ndpDeviceClose(device);
    if (r)
        run_close(r);
    diag_free(&d);
    text_free(&why);
    *seconds += t.seconds;
    *host += t.host;
    return ok ? t.edges : 0;
}

int main(int argc, char **argv) {
    long cycles = argc > 1 ? speed_cycles(argc, argv) : 3000000, done = 0;
    const char *preset = argc > 2 ? argv[2] : "plain";
    const char *path = argc > 3 ? argv[3] : "tests/system/busy.yml";
    double seconds = 0, host = 0;
    int runs = 0;
    for (; done < cycles; runs++) {
        uint64_t edges = once(preset, path, &seconds, &host);
        if (edges == 0)
            return 1;
        done += (long)edges;
    }
    speed_report(done, seconds);
    printf("  host: %.4f s a run\n", host / runs);
    return 0;
}
