/* bench_simt.c - speed of the SIMT core's golden model.
 *
 * Eight warps of 32 lanes, all computed at once, go round a loop for ever: f32
 * and integer arithmetic, a load, a store, shared memory, an exchange of lanes
 * and a branch that splits the warp.  Memory takes every request and answers a
 * few edges later, with what it was given last.
 *
 *     bench_simt [cycles]
 */
#include "tests/common/bench_speed.h"

#include "base/bits.h"
#include "blocks/simt.h"
#include "isa/isa.h"
#include "simt/simt.h"

#include <string.h>

enum { DELAY = 16, SET = 0, CODE = 1, START = 3 };

static const char *const program[] = {
    "s2r r1, %slot",
    "shl r1, r1, 2",
    "add r1, r1, 1024",
    "and r2, r0, 1023",
    "shl r2, r2, 2",
    "and r3, r0, 1",
    "setne p0, r3, 0",
    "movi r11, 31",
    "cvtfs r4, r0",
    "sts.b32 [r2], r4",
    /* 10 */
    "ldg.b32 r5, [r1]",
    "ffma r6, r4, r4, r4",
    "fadd.rz r7, r6, r4",
    "mad r8, r0, r3, r2",
    "xor r9, r8, r0",
    "lds.b32 r10, [r2]",
    "@p0 bra 19, 19",
    "fmul r6, r6, r7",
    "add r9, r9, 1",
    /* 19 */
    "shfl.bfly r12, r9, 1, r11",
    "add r5, r5, 1",
    "fmax r7, r6, r10",
    "add r12, r12, r5",
    "stg.b32 [r1], r12",
    "bra 10",
};

struct bench {
    struct golden *g;
    struct simt_in in;
    const struct simt_out *out;
    struct {
        bool valid;
        uint64_t id;
    } due[DELAY];
    unsigned edge;
};

static void edge(struct bench *b) {
    unsigned at = b->edge++ % DELAY;
    b->in.rsp_valid = b->due[at].valid;
    b->in.rsp_id = b->due[at].id;
    b->due[at].valid = b->out->mem_valid;
    b->due[at].id = b->out->mem_id;
    if (b->out->mem_op == 1)
        memcpy(b->in.rsp_data, b->out->mem_data, sizeof b->in.rsp_data);
    b->out = golden_cycle(b->g, false, &b->in);
    b->in.ctl_valid = 0;
}

static void command(struct bench *b, int op, unsigned index, uint64_t data) {
    b->in.ctl_valid = 1;
    b->in.ctl_op = (uint64_t)op;
    b->in.ctl_index = index;
    b->in.ctl_data = data;
    edge(b);
}

static void load(struct bench *b) {
    static const uint32_t launch[] = {0, 1,   1, 1, 256,  1,
                                      1, 256, 8, 1, 1024, 0};
    for (unsigned i = 0; i < sizeof program / sizeof *program; i++) {
        struct isa_word w;
        struct isa_error e;
        uint64_t word = 0;
        if (!isa_parse(program[i], strlen(program[i]), NULL, NULL, &w, &e) ||
            isa_encode(&w, &word) != ISA_LEGAL) {
            fprintf(stderr, "bench_simt: '%s'\n", program[i]);
            exit(1);
        }
        command(b, CODE, i, word);
    }
    for (unsigned i = 0; i < sizeof launch / sizeof *launch; i++)
        command(b, SET, i, launch[i]);
    command(b, START, 0, 0);
}

int main(int argc, char **argv) {
    struct config c;
    struct diag d = {0};
    struct bench b = {.in = {.mem_ready = 1}};
    long cycles = argc > 1 ? speed_cycles(argc, argv) : 2000000;
    uint64_t issued = 0, requests = 0;
    if (!config_preset(&c, "mpu", &d) || !config_set(&c, "simt.warps=8", &d))
        return 2;
    b.g = golden_create(&simt_golden, &c);
    b.out = golden_cycle(b.g, true, NULL);
    load(&b);
    double from = speed_seconds();
    for (long i = 0; i < cycles; i++) {
        edge(&b);
        issued += b.out->count_issued;
        requests += b.out->count_request;
    }
    speed_report(cycles, speed_seconds() - from);
    printf("  state %d, %.3f instructions and %.3f requests a cycle\n",
           (int)b.out->state, (double)issued / (double)cycles,
           (double)requests / (double)cycles);
    golden_free(b.g);
    return 0;
}
