/* bench_offload.c - speed of the offload controller's golden model.
 *
 * Runs the model at the paper's sizes under a stimulus that keeps the lookup,
 * both packet engines and the monitors busy.  The stacks acknowledge a packet
 * as soon as they are asked to; their rows are made ahead of time, as what is
 * measured is the model.
 *
 *     bench_offload [cycles]
 */
#include "bench_speed.h"
#include "blocks/offload.h"
#include "offload.h"

#include <string.h>

enum { CANDIDATES = 40, RING = 64 };

/* Warps whose packets have left, and the acknowledgement under way. */
struct stacks {
    int warp[RING], index[RING];
    unsigned head, tail;
    int flits;  /* left of this acknowledgement */
    bool taken; /* the flit that was offered last */
};

struct run {
    struct golden *g;
    struct offload_local l;
    struct offload_in in;
    const struct offload_out *out;
    struct stacks s;
    uint64_t idle; /* set of warps that may ask */
    int rows[CANDIDATES];
    int index[64]; /* of the block that a warp is at */
    uint64_t seed;
};

static void put(uint64_t *w, int *at, int width, uint64_t value) {
    for (int i = 0; i < width; i++, ++*at)
        w[*at / 64] |= (value >> i & 1) << *at % 64;
}

static void load(struct run *r, int index) {
    uint64_t *w = r->in.load_entry, x = speed_random(&r->seed);
    uint64_t live_in = x & 7 ? x >> (x & 31) & 0xff0 : 0;
    uint64_t live_out = x >> 40 & 0x1008;
    int at = 0;

    memset(w, 0, sizeof r->in.load_entry);
    put(w, &at, 3, 1 | (x >> 60 & 6)); /* valid, tags */
    put(w, &at, 1, (x >> 50 & 7) != 0);
    put(w, &at, 1, (x >> 53 & 3) == 0); /* conditional */
    put(w, &at, r->l.REG_W, 3);
    put(w, &at, 3, 4);
    put(w, &at, 1 + 32, 2 * 10);
    put(w, &at, r->l.COUNT_W, (uint64_t)__builtin_popcountll(live_in));
    put(w, &at, r->l.PC_W, x & 0xffff);
    put(w, &at, r->l.PC_W, (x & 0xffff) + 64);
    put(w, &at, r->l.REGS, live_in);
    put(w, &at, r->l.REGS, live_out);
    r->rows[index] = __builtin_popcountll(live_out);
    r->in.load_valid = 1;
    r->in.load_index = (uint64_t)index;
    r->out = offload_golden.cycle(r->g, false, &r->in);
    r->in.load_valid = 0;
}

static void open_run(struct run *r) {
    struct config c;

    config_defaults(&c);
    r->seed = 1;
    r->l = offload_local(&c);
    r->idle = ((uint64_t)1 << r->l.WARPS) - 1;
    r->g = offload_golden.create(&c);
    r->out = offload_golden.cycle(r->g, true, NULL);
    while (!r->out->load_ready)
        r->out = offload_golden.cycle(r->g, false, &r->in);
    for (int i = 0; i < CANDIDATES; i++)
        load(r, i);
    r->in.ans_ready = r->in.oper_ready = r->in.probe_ready = 1;
    r->in.flush_ready = r->in.reg_read_ready = r->in.tx_ready = 1;
    r->in.reg_write_ready = r->in.inval_ready = r->in.release_ready = 1;
    r->in.reg_data_valid = r->in.first_valid = 1;
    for (int i = 0; i < 16; i++)
        r->in.reg_data_row[i] = speed_random(&r->seed);
}

/* The warps: what the last outputs mean for who may ask. */
static void warps(struct run *r, uint64_t x) {
    const struct offload_out *out = r->out;
    struct offload_in *in = &r->in;

    if (out->ans_valid && !out->ans_offload)
        r->idle |= (uint64_t)1 << out->ans_warp;
    if (out->release_valid)
        r->idle |= (uint64_t)1 << out->release_warp;
    in->ask_valid = r->idle != 0 && (x & 3);
    if (!in->ask_valid)
        return;
    in->ask_warp = (uint64_t)__builtin_ctzll(r->idle);
    in->ask_key = (x >> 8 & 0xff) % CANDIDATES;
    in->ask_mask = UINT32_MAX;
    in->ask_address = in->first_address = x >> 16;
    in->ask_learned = x >> 4 & 1;
    if (out->ask_ready) {
        r->idle &= r->idle - 1;
        r->index[in->ask_warp] = (int)in->ask_key;
    }
}

/* What happens at the links on the next edge. */
static void watch(struct run *r) {
    struct stacks *s = &r->s;
    unsigned at;

    s->taken = r->in.ack_valid && r->out->ack_ready;
    s->flits -= s->taken;
    at = s->tail % RING;
    if (r->out->tx_head) {
        s->warp[at] = (int)(r->out->tx_data[0] & 63);
        s->index[at] = (int)(r->out->tx_data[0] >> 6 & 63);
    }
    s->tail += r->out->tx_last != 0;
}

/* A flit is kept until it is taken. */
static void acknowledge(struct run *r, uint64_t x) {
    struct stacks *s = &r->s;
    struct offload_in *in = &r->in;
    int w, i, lines = (int)(x & 3);

    if (in->ack_valid && !s->taken)
        return;
    in->ack_data[0] = x;
    in->ack_valid = s->flits > 0;
    if (s->flits > 0 || s->head == s->tail)
        return;
    w = s->warp[s->head % RING];
    i = s->index[s->head++ % RING];
    s->flits = 1 + lines + r->rows[i] * r->l.ROW_FLITS;
    in->ack_valid = 1;
    in->ack_data[0] = (uint64_t)w | (uint64_t)i << 6 |
                      (uint64_t)UINT32_MAX << 12 | (uint64_t)lines << 44;
}

int main(int argc, char **argv) {
    static struct run r;
    long cycles = speed_cycles(argc, argv);
    double start;
    bool value;

    open_run(&r);
    start = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        uint64_t x = speed_random(&r.seed);
        warps(&r, x);
        acknowledge(&r, x);
        value = r.out->oper_valid;
        /* in half of the time all links are busy, and requests refused */
        r.in.link_tx = i & 4096 ? 15 : x >> 20;
        r.in.link_rx = i & 4096 ? 15 : x >> 28;
        watch(&r);
        r.out = offload_golden.cycle(r.g, false, &r.in);
        r.in.value_valid = value;
        r.in.value_data = x >> 36 & 31;
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(&offload_golden, r.g, &r.in, struct offload_out);
    offload_golden.destroy(r.g);
    return 0;
}
