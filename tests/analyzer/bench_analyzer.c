/* bench_analyzer.c - speed of the memory map analyzer's golden model.
 *
 * Random instances at the paper's sizes, an event on nearly every edge, in a
 * full allocation table; learning is started again and again.
 *
 *     bench_analyzer [cycles]
 */
#include "analyzer/analyzer.h"
#include "tests/common/bench_speed.h"
#include "blocks/analyzer.h"

struct run {
    struct golden *g;
    struct analyzer_local l;
    struct analyzer_in in;
    const struct analyzer_out *out;
};

static void edge(struct run *r) {
    r->out = golden_cycle(r->g, false, &r->in);
}

static void open_run(struct run *r) {
    struct config c;

    config_defaults(&c);
    r->l = analyzer_local(&c);
    r->g = golden_create(&analyzer_golden, &c);
    r->out = golden_cycle(r->g, true, NULL);
    while (!r->out->load_ready)
        edge(r);
    for (int i = 0; i < r->l.RANGES; i++) {
        r->in.load_valid = 1;
        r->in.load_index = (uint64_t)i;
        r->in.load_start = (uint64_t)i << 20;
        r->in.load_length = 0xc0000;
        edge(r);
    }
    r->in.load_valid = 0;
}

/* Write 'enable'; while it is not written, the port is idle. */
static void enable(struct run *r, long i) {
    long phase = i & 16383;

    r->in.wb_cyc = r->in.wb_stb = r->in.wb_we = phase == 0 || phase == 16000;
    r->in.wb_adr = REG_FIRST + ANALYZER_SET_enable;
    r->in.wb_dat_w = phase == 0;
    r->in.wb_sel = 1;
}

int main(int argc, char **argv) {
    static const uint8_t op[] = {0, 1, 1, 1, 1, 1, 1, 2};
    static struct run r;
    long cycles = speed_cycles(argc, argv);
    uint64_t seed = 1;
    double start;

    open_run(&r);
    start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        uint64_t x = speed_random(&seed);
        r.in.ev_valid = (x >> 8 & 15) != 0;
        r.in.ev_op = op[i / 48 % 8];
        r.in.ev_warp = (uint64_t)(i % 48);
        r.in.ev_address = x >> 37; /* a third above all ranges */
        r.in.query_valid = x & 1;
        r.in.query_index = x >> 1 & 127;
        enable(&r, i);
        edge(&r);
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(r.g);
    golden_free(r.g);
    return 0;
}
