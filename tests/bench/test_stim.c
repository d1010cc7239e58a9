/* test_stim.c - what the stimulus of every target has to show at reset and bus.
 *
 * A missing reset shows only if a reset of one edge comes while something is
 * under way; a wrong byte select only if each select is written; a slave that
 * listens to half a request only if half of one stands there.  Each target's
 * random stimulus runs on its model until all of that was there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/bench.h"
#include "frame/golden.h"
#include "iface/design.h"
#include "iface/iface.h"
#include "iface/system.h"
#include "kit/stim.h"

#include <stdio.h>
#include <string.h>

/* Cycles of a run at most, and those that traffic is under way at least. */
enum { LONGEST = 1000000, UNDER_WAY = 16 };

enum sight {
    ONE_EDGE,     /* resets of one edge with traffic on the edge before */
    LONGER,       /* resets of several edges, the same */
    IN_RESET,     /* an access to the bus on an edge with reset */
    CYC_ALONE,    /* a bus cycle without a strobe */
    STB_ALONE,    /* a strobe without a bus cycle */
    FIRST_SELECT, /* a setting written with that select, from none to all */
    N_SIGHTS = FIRST_SELECT + 16
};

/* How often each has to be seen. */
static int wanted(int sight) {
    return sight <= LONGER ? 3 : 1;
}

static const char *const names[] = {
    "reset of one edge under traffic", "longer reset under traffic",
    "access during reset", "cyc without stb", "stb without cyc"};

struct watch {
    const struct design *d;
    int seen[N_SIGHTS];
    int reset_edges;
    int idle; /* edges since something was valid, before the reset */
};

static uint64_t peek(const struct watch *w, const void *ports,
                     const char *name) {
    const struct design_port *p = design_port(w->d, name);
    return *(const uint64_t *)(const void *)((const char *)ports + p->offset);
}

static bool is_valid(const struct design_port *p) {
    size_t n = strlen(p->name);
    return p->dir != PORT_GROUP && !p->internal && p->width == 1 && n > 6 &&
           strcmp(p->name + n - 6, "_valid") == 0;
}

/* Without a port that says so, something always is. */
static bool has_traffic(const struct watch *w, const void *in,
                        const void *out) {
    bool says = false;
    for (int n = 0; n < w->d->n_ports; n++) {
        const struct design_port *p = &w->d->ports[n];
        const char *ports = p->dir == PORT_IN ? in : out;
        if (!is_valid(p))
            continue;
        says = true;
        if (*(const uint64_t *)(const void *)(ports + p->offset) & 1)
            return true;
    }
    return !says;
}

/* A write to a setting; any write where there is none, and of a system, whose
 * parts have theirs. */
static bool is_write(const struct watch *w, const void *in) {
    uint64_t adr = peek(w, in, "wb_adr");
    int n = w->d->iface->n_settings;
    return peek(w, in, "wb_we") & 1 &&
           (n == 0 || system_n(w->d) > 0 ||
            (adr >= REG_FIRST && adr < (uint64_t)(REG_FIRST + n)));
}

static void see_bus(struct watch *w, bool rst, const void *in) {
    bool cyc = peek(w, in, "wb_cyc") & 1, stb = peek(w, in, "wb_stb") & 1;
    w->seen[IN_RESET] += rst && cyc && stb;
    w->seen[CYC_ALONE] += !rst && cyc && !stb;
    w->seen[STB_ALONE] += !rst && !cyc && stb;
    if (!rst && cyc && stb && is_write(w, in))
        w->seen[FIRST_SELECT + (peek(w, in, "wb_sel") & 15)]++;
}

static void see_reset(struct watch *w, bool rst, const void *in,
                      const void *out) {
    if (rst) {
        w->reset_edges++;
        return;
    }
    if (w->reset_edges > 0 && w->idle < UNDER_WAY)
        w->seen[w->reset_edges == 1 ? ONE_EDGE : LONGER]++;
    w->reset_edges = 0;
    w->idle = has_traffic(w, in, out) ? 0 : w->idle + 1;
}

static bool all_seen(const struct watch *w, bool registers) {
    for (int n = 0; n < (registers ? N_SIGHTS : IN_RESET); n++)
        if (w->seen[n] < wanted(n))
            return false;
    return true;
}

static int complain(const struct watch *w, const char *target, bool registers) {
    int missing = 0;
    for (int n = 0; n < (registers ? N_SIGHTS : IN_RESET); n++) {
        if (w->seen[n] >= wanted(n))
            continue;
        missing++;
        if (n < FIRST_SELECT)
            print_error("%s: %s: %d times, expected %d\n", target, names[n],
                        w->seen[n], wanted(n));
        else
            print_error("%s: no write with select %d\n", target,
                        n - FIRST_SELECT);
    }
    return missing;
}

/* The first edges, reset and identity, are the bench's own. */
static int watch_target(const struct bench_block *block) {
    char target[32], cycles[16];
    snprintf(target, sizeof target, "%s", block->iface->name);
    snprintf(cycles, sizeof cycles, "%d", LONGEST);
    char *argv[] = {"cosim", "--target", target, "--preset",
                    "small", "--cycles", cycles, "--quiet"};
    int status;
    struct bench *b = bench_open(bench_blocks(), 8, argv, &status);
    assert_non_null(b);
    struct watch w = {.d = bench_design(b)};
    bool registers = iface_has_registers(block->iface), rst;
    struct golden *g = golden_create(bench_target(b)->golden, &w.d->config);
    for (int edge = 0;; edge++) {
        const void *in = bench_inputs(b, &rst);
        memcpy(bench_outputs(b), golden_cycle(g, rst, in), w.d->out_size);
        if (edge > 100) {
            see_reset(&w, rst, in, bench_outputs(b));
            if (registers)
                see_bus(&w, rst, in);
        }
        if (!bench_step(b) || all_seen(&w, registers)) {
            print_message("%-12s %d cycles\n", target, edge + 1);
            break;
        }
    }
    golden_free(g);
    assert_int_equal(bench_close(b), 0);
    return complain(&w, target, registers);
}

static void test_all_shown(void **state) {
    int missing = 0;
    (void)state;
    for (const struct bench_block *k = bench_blocks(); k->iface; k++)
        missing += watch_target(k);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
