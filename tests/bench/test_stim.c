/* test_stim.c - what the stimulus of every target has to show.
 *
 * A missing reset shows only if a reset of one edge comes while something is
 * under way; a wrong byte select only if each select is written; a slave that
 * listens to half a request only if half of one stands there.  Each target's
 * random stimulus runs on its model until all of that was there; and no bit of
 * any input may stay as it is.
 *
 * Given I/N, every N-th target from the I-th on.
 *
 * parts: 1/5 2/5 3/5 4/5 5/5
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
#include <stdlib.h>
#include <string.h>

static int part = 1, parts = 1;

/* Whether the N-th target is of this part. */
static bool is_ours(int n) {
    return n % parts == part - 1;
}

/* Cycles of a run at most, and those that traffic is under way at least. */
enum { LONGEST = 2000000, UNDER_WAY = 16 };

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
    /* all that shows valid here is a monitor of the wires between two dies;
     * what comes and goes is software's */
    if (strncmp(w->d->iface->name, "mpu_", 4) == 0 &&
        peek(w, in, "wb_cyc") & peek(w, in, "wb_stb") & 1)
        return true;
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
    for (int n = 0; bench_blocks()[n].iface; n++)
        missing += is_ours(n) ? watch_target(&bench_blocks()[n]) : 0;
    assert_int_equal(missing, 0);
}

/* --- bits of the inputs --------------------------------------------------- */

/* A line of RTL that drops or mixes up such bits is caught by no comparison, as
 * long as the stimulus never changes them. */
enum { EDGES = 400000 }; /* as the runs of a check */

/* Bits that have to stay as they are, of a port, as its name begins. */
static const struct {
    const char *target, *port;
    int low, high;
    const char *why;
} fixed[] = {
    {"nda_rank", "buffer_packet_length", 10, 12, "operands have to fit"},
    {"nda_pe", "launch_length", 11, 15, "operands have to fit"},
    {"dies", "issue_guard", 4, 4, "a guard is a predicate"},
    {"nbu", "issue_guard", 4, 4, "a guard is a predicate"},
    {"near_bank", "unit_issue_dst", 4, 4, "a word has no pairs"},
    {"near_bank", "unit_issue_src", 4, 4, "a word has no pairs"},
    {"near_bank", "unit_issue_guard", 4, 4, "a guard is a predicate"},
    {"near_bank", "pipes_code_word", 15, 17, "d is below the predicates"},
    {"near_bank", "pipes_code_word", 22, 23, "a is below the predicates"},
    {"near_bank", "pipes_load_reg", 3, 3, "a load has no predicate"},
    {"near_bank", "pipes_window_base", 0, 1, "windows have four rows"},
    {"near_bank", "pipes_window_rows", 0, 1, "windows have four rows"},
    {"near_bank", "pipes_window_rows", 3, 5, "windows have four rows"},
    {"backend", "unit_issue_dst", 4, 4, "a word has no pairs"},
    {"backend", "unit_issue_src", 4, 4, "a word has no pairs"},
    {"backend", "unit_issue_guard", 4, 4, "a guard is a predicate"},
    {"backend", "far_code_word", 15, 17, "d is below the predicates"},
    {"backend", "far_code_word", 22, 23, "a is below the predicates"},
    {"backend", "pipes_code_word", 15, 17, "d is below the predicates"},
    {"backend", "pipes_code_word", 22, 23, "a is below the predicates"},
    {"backend", "pipes_window_base", 0, 1, "windows have four rows"},
    {"backend", "pipes_window_rows", 0, 1, "windows have four rows"},
    {"backend", "pipes_window_rows", 3, 5, "windows have four rows"},
    {"backend", "hybrid_at_core", 0, 63, "where it is"},
    {"backend", "rmw_at_core", 0, 63, "where it is"},
    {"far_pipe", "window_", 0, 63, "shared memory is not there"},
    {"backend", "far_window_", 0, 63, "shared memory is near"},
    {"dram_channel", "next2_", 0, 63, "a rank of four, where there are two"},
    {"dram_channel", "next3_", 0, 63, "a rank of four, where there are two"},
    {"gate", "at_node", 0, 63, "where it is"},
    {"lsu_remote", "req_address", 27, 63, "a sector at its core, zeros above"},
    {"omni", "offload_at_core", 0, 63, "where it is"},
    {"omni", "gate_at_node", 0, 63, "where it is"},
    {"host", "shape_", 0, 63, "what the machine is"},
    {"omni", "offload_op_address", 0, 4, "lanes begin with a line"},
    {"prefetch", "load_entry", 50, 50, "the base stride is positive"},
    {"prefetch", "load_entry", 108, 108, "x_lo is below the pitch"},
    {"prefetch", "load_entry", 150, 150, "x_turn is below the pitch"},
    {"prefetch", "load_entry", 171, 171, "last is below the pitch"},
    {"stride", "offer_warp", 1, 63, "a core of two warps"},
    {"stride", "offer_pc", 9, 63, "code of 512 words"},
    {"stride", "offer_code", 0, 63, "of chains, which it does not read"},
    {"stride", "offer_mask", 0, 63, "of chains, which it does not read"},
    {"stride", "offer_b", 0, 63, "of chains, which it does not read"},
    {"stride", "offer_in_row", 0, 0, "of chains, which it does not read"},
    {"stride", "offer_same_", 0, 0, "of chains, which it does not read"},
    {"nda_post", "packet2_", 0, 63, "a rank of four, where there are two"},
    {"nda_post", "packet3_", 0, 63, "a rank of four, where there are two"},
    {"nda_post", "ended2_", 0, 63, "a rank of four, where there are two"},
    {"nda_post", "ended3_", 0, 63, "a rank of four, where there are two"},
    {"broker", "take_ans_data", 0, 1, "the mark of packets with blocks"},
    {"jobs", "take_req_data", 0, 1, "the mark of packets with blocks"},
    {"jobs", "take_req_data", 135, 135, "above the number of a node"},
};

static bool is_fixed(const char *target, const char *port, int bit) {
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(fixed[i].target, target) == 0 &&
            strncmp(fixed[i].port, port, strlen(fixed[i].port)) == 0 &&
            bit >= fixed[i].low && bit <= fixed[i].high)
            return true;
    return false;
}

/* Which values each bit of the inputs had, in the places of the bits. */
struct values {
    const struct design *d;
    uint64_t *had[2]; /* as large as the inputs */
};

static const uint64_t *words_of(const struct design_port *p,
                                const void *ports) {
    return (const uint64_t *)(const void *)((const char *)ports + p->offset);
}

static bool is_input(const struct design_port *p) {
    return p->dir == PORT_IN && !p->internal;
}

static void see_values(struct values *v, const uint64_t *in) {
    for (size_t i = 0; i < v->d->in_size / sizeof *in; i++) {
        v->had[1][i] |= in[i];
        v->had[0][i] |= ~in[i];
    }
}

/* Bits of a port that never changed and could. */
static int constant_bits(const struct values *v, const char *target,
                         const struct design_port *p, char *list, size_t room) {
    int n = 0;
    *list = '\0';
    for (int k = 0; k < p->width; k++) {
        uint64_t both =
            words_of(p, v->had[0])[k / 64] & words_of(p, v->had[1])[k / 64];
        if (both >> k % 64 & 1 || is_fixed(target, p->name, k))
            continue;
        size_t at = strlen(list);
        snprintf(list + at, room - at, " %d", k);
        n++;
    }
    return n;
}

/* Whether nothing is left to see. */
static bool all_changed(const struct values *v, const char *target) {
    char list[400];
    for (int n = 0; n < v->d->n_ports; n++)
        if (is_input(&v->d->ports[n]) &&
            constant_bits(v, target, &v->d->ports[n], list, sizeof list))
            return false;
    return true;
}

static int values_of(const struct bench_block *block) {
    char target[32], cycles[16], list[400];
    snprintf(target, sizeof target, "%s", block->iface->name);
    snprintf(cycles, sizeof cycles, "%d", EDGES);
    char *argv[] = {"cosim", "--target", target, "--preset",
                    "small", "--cycles", cycles, "--quiet"};
    int status, constant = 0, edge = 0;
    struct bench *b = bench_open(bench_blocks(), 8, argv, &status);
    assert_non_null(b);
    struct values v = {.d = bench_design(b)};
    bool rst;
    struct golden *g = golden_create(bench_target(b)->golden, &v.d->config);
    for (int k = 0; k < 2; k++)
        v.had[k] = calloc(1, v.d->in_size + 8);
    do {
        const void *in = bench_inputs(b, &rst);
        see_values(&v, in);
        memcpy(bench_outputs(b), golden_cycle(g, rst, in), v.d->out_size);
    } while (bench_step(b) && (++edge % 4096 || !all_changed(&v, target)));
    for (int n = 0; n < v.d->n_ports; n++) {
        const struct design_port *p = &v.d->ports[n];
        if (!is_input(p) || !constant_bits(&v, target, p, list, sizeof list))
            continue;
        print_error("%s: %s: always the same:%s\n", target, p->name, list);
        constant++;
    }
    for (int k = 0; k < 2; k++)
        free(v.had[k]);
    golden_free(g);
    assert_int_equal(bench_close(b), 0);
    return constant;
}

static void test_all_bits(void **state) {
    int constant = 0;
    (void)state;
    for (int n = 0; bench_blocks()[n].iface; n++)
        constant += is_ours(n) ? values_of(&bench_blocks()[n]) : 0;
    assert_int_equal(constant, 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && (sscanf(argv[1], "%d/%d", &part, &parts) != 2 || part < 1 ||
                     part > parts)) {
        print_error("test_stim: '%s', expected I/N as in 1/5\n", argv[1]);
        return 2;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_shown),
                                       cmocka_unit_test(test_all_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
