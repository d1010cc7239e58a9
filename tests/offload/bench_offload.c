/* bench_offload.c - speed of the offload controller's golden model.
 *
 * Runs the model at the paper's sizes under a stimulus that keeps the lookup,
 * both packet engines and the monitors busy.  The stacks acknowledge a packet
 * as soon as they are asked to; their rows are made ahead of time, as what is
 * measured is the model.
 *
 *     bench_offload [cycles]
 *
 * With a number of requests, counts instead how many decisions a cycle the
 * block makes, and how many cycles each takes, if nothing outside holds it up:
 * answers are taken at once, values of condition registers come one edge after
 * they are asked for, and busy links refuse every block.
 *
 *     bench_offload decisions REQUESTS
 */
#include "tests/common/bench_speed.h"
#include "base/bits.h"
#include "blocks/offload.h"
#include "offload/offload.h"

#include <string.h>

enum { CANDIDATES = 40, RING = 64, WARPS = 64 };

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
    int index[WARPS]; /* of the block that a warp is at */
    uint64_t seed;
};

struct entry {
    uint64_t tags, pc, live_in, live_out;
    bool mem_first, cond;
};

static struct entry random_entry(struct run *r) {
    uint64_t x = speed_random(&r->seed);

    return (struct entry){.tags = x >> 61 & 3,
                          .pc = x & 0xffff,
                          .live_in = x & 7 ? x >> (x & 31) & 0xff0 : 0,
                          .live_out = x >> 40 & 0x1008,
                          .mem_first = (x >> 50 & 7) != 0,
                          .cond = (x >> 53 & 3) == 0};
}

static void load(struct run *r, int index, const struct entry *e) {
    uint64_t *w = r->in.load_entry;
    int at = 0;

    memset(w, 0, sizeof r->in.load_entry);
    bits_put(w, &at, 3, 1 | e->tags << 1); /* valid, tags */
    bits_put(w, &at, 1, e->mem_first);
    bits_put(w, &at, 1, e->cond);
    bits_put(w, &at, r->l.REG_W, 3);
    bits_put(w, &at, 3, 4);
    bits_put(w, &at, 1 + 32, 2 * 10);
    bits_put(w, &at, r->l.COUNT_W, (uint64_t)__builtin_popcountll(e->live_in));
    bits_put(w, &at, r->l.PC_W, e->pc);
    bits_put(w, &at, r->l.PC_W, e->pc + 64);
    bits_put(w, &at, r->l.REGS, e->live_in);
    bits_put(w, &at, r->l.REGS, e->live_out);
    r->rows[index] = __builtin_popcountll(e->live_out);
    r->in.load_valid = 1;
    r->in.load_index = (uint64_t)index;
    r->out = golden_cycle(r->g, false, &r->in);
    r->in.load_valid = 0;
}

static void open_run(struct run *r) {
    struct config c;

    config_defaults(&c);
    r->seed = 1;
    r->l = offload_local(&c);
    r->idle = r->l.WARPS < WARPS ? ((uint64_t)1 << r->l.WARPS) - 1 : UINT64_MAX;
    r->g = golden_create(&offload_golden, &c);
    r->out = golden_cycle(r->g, true, NULL);
    while (!r->out->load_ready)
        r->out = golden_cycle(r->g, false, &r->in);
    r->in.ans_ready = r->in.oper_ready = r->in.probe_ready = 1;
    r->in.flush_ready = r->in.reg_read_ready = r->in.tx_ready = 1;
    r->in.reg_write_ready = r->in.inval_ready = r->in.release_ready = 1;
    r->in.reg_data_valid = r->in.first_valid = 1;
}

static void open_busy(struct run *r) {
    open_run(r);
    for (int i = 0; i < CANDIDATES; i++) {
        struct entry e = random_entry(r);
        load(r, i, &e);
    }
    for (int i = 0; i < 16; i++)
        r->in.reg_data_row[i] = speed_random(&r->seed);
}

/* The warps: what the last outputs mean for who may ask. */
static void warps(struct run *r, uint64_t x) {
    const struct offload_out *out = r->out;
    struct offload_in *in = &r->in;

    if (out->ans_valid && !out->ans_offload)
        r->idle |= bit(out->ans_warp);
    if (out->release_valid)
        r->idle |= bit(out->release_warp);
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

/* --- decisions ------------------------------------------------------------ */

enum { SLICE = 1000 };

/* How often each number was seen; larger ones count as the last. */
struct histogram {
    uint64_t seen[SLICE + 1], n;
};

struct decisions {
    struct run run;
    bool alone; /* one request at a time; else one a cycle */
    long cycle, asked, answered;
    long since[WARPS];
    struct histogram rate;       /* answers in SLICE cycles */
    struct histogram latency[2]; /* without, with a condition */
};

static void note(struct histogram *h, long value) {
    h->seen[value < SLICE ? value : SLICE]++;
    h->n++;
}

/* The smallest value that so many are not above. */
static int value_at(const struct histogram *h, uint64_t rank) {
    int value = 0;
    for (uint64_t n = h->seen[0]; n < rank && value < SLICE;)
        n += h->seen[++value];
    return value;
}

static void print(const char *name, const char *what, const struct histogram *h,
                  double unit, const char *of) {
    printf("%-30s %-40s %9.3g  (%.3g to %.3g)  %s\n", name, what,
           value_at(h, (h->n + 1) / 2) / unit, value_at(h, 1) / unit,
           value_at(h, h->n) / unit, of);
}

/* Every fourth candidate is conditional. */
static bool conditional(int index) {
    return index % 4 == 0;
}

static void ask(struct decisions *d, uint64_t x) {
    struct run *r = &d->run;
    int warp = (int)(d->asked % r->l.WARPS);

    r->in.ask_valid =
        (r->idle >> warp & 1) && !(d->alone && d->asked > d->answered);
    if (!r->in.ask_valid)
        return;
    if (!r->out->ask_ready)
        abort(); /* nothing holds an answer up, so there is always room */
    r->in.ask_warp = (uint64_t)warp;
    r->in.ask_key = (x >> 8 & 0xffff) % CANDIDATES;
    r->in.ask_mask = UINT32_MAX;
    r->in.ask_address = x >> 16;
    r->idle &= ~bit(warp);
    r->index[warp] = (int)r->in.ask_key;
    d->since[warp] = d->cycle;
    d->asked++;
}

/* An answer shows for one cycle, as it is taken at once. */
static void take_answer(struct decisions *d) {
    const struct offload_out *out = d->run.out;
    int warp = (int)out->ans_warp;

    if (!out->ans_valid)
        return;
    if (out->ans_offload)
        abort(); /* the links are busy */
    note(&d->latency[conditional(d->run.index[warp])],
         d->cycle - d->since[warp]);
    d->run.idle |= bit(warp);
    d->answered++;
}

static void decide(struct decisions *d, bool alone, long requests) {
    struct run *r = &d->run;
    long before = 0;

    open_run(r);
    d->alone = alone;
    for (int i = 0; i < CANDIDATES; i++) {
        struct entry e = random_entry(r);
        e.tags = 0;
        e.mem_first = true;
        e.cond = conditional(i);
        load(r, i, &e);
    }
    r->in.link_tx = UINT64_MAX;
    for (int i = 0; i < 2 * r->l.WINDOW; i++)
        r->out = golden_cycle(r->g, false, &r->in);
    while (d->answered < requests) {
        uint64_t x = speed_random(&r->seed);
        bool value = r->out->oper_valid;
        ask(d, x);
        r->out = golden_cycle(r->g, false, &r->in);
        r->in.value_valid = value;
        r->in.value_data = x >> 36 & 31;
        take_answer(d);
        if (++d->cycle % SLICE)
            continue;
        if (d->cycle > SLICE) /* the first answers come late */
            note(&d->rate, d->answered - before);
        before = d->answered;
    }
    golden_free(r->g);
}

static int print_decisions(long requests) {
    static struct decisions alone, every;
    char what[64];

    decide(&alone, true, requests);
    decide(&every, false, requests);
    snprintf(what, sizeof what, "tom, %d of %d candidates conditional",
             (CANDIDATES + 3) / 4, CANDIDATES);
    print("offload, sustained", what, &every.rate, SLICE, "decisions/cycle");
    for (int c = 0; c < 2; c++) {
        const char *name = c ? "offload, latency, condition"
                             : "offload, latency, no condition";
        print(name, "tom, one request at a time", &alone.latency[c], 1,
              "cycles");
        print(name, "tom, a request every cycle", &every.latency[c], 1,
              "cycles");
    }
    return 0;
}

int main(int argc, char **argv) {
    static struct run r;
    long cycles = speed_cycles(argc, argv);
    double start;
    bool value;

    if (argc == 3 && strcmp(argv[1], "decisions") == 0)
        return print_decisions(atol(argv[2]));
    open_busy(&r);
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
        r.out = golden_cycle(r.g, false, &r.in);
        r.in.value_valid = value;
        r.in.value_data = x >> 36 & 31;
    }
    speed_report(cycles, speed_seconds() - start);
    speed_counters(r.g);
    golden_free(r.g);
    return 0;
}
