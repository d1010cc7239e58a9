/* bench_nbu.c - speed of the near-bank unit's golden model.
 *
 * Runs the model at the paper's sizes under a stimulus that keeps the bus, both
 * pipelines and both move engines busy, and prints clock cycles a second.  The
 * stimulus is made ahead of time as far as possible: what is measured is the
 * model, in processor time.
 *
 *     bench_nbu [cycles]
 */
#include "unit.h"

#include <stdio.h>
#include <time.h>

enum { PROGRAM = 4096, PIPE = 64 };

struct prepared {
    uint64_t op, hint, mask, operand[5];
};

/* Completions on their way back: a pipeline that takes one edge at least. */
struct pipe {
    uint64_t warp[PIPE], tag[PIPE], ticket[PIPE];
    unsigned head, tail;
};

static void make_program(struct unit *u, struct prepared *program) {
    static const int classes[] = {OPC_int,       OPC_fp,        OPC_fp,
                                  OPC_ld_global, OPC_st_global, OPC_ld_shared,
                                  OPC_sfu,       OPC_branch};
    uint64_t seed = 1;

    for (int i = 0; i < PROGRAM; i++) {
        struct prepared *p = &program[i];
        p->op = (uint64_t)classes[random_below(&seed, 8)];
        p->hint = (uint64_t)random_below(&seed, 3);
        p->mask = one_in(&seed, 8) ? random_bits(&seed) : all_lanes(u);
        for (int k = 0; k < 4; k++)
            p->operand[k] =
                one_in(&seed, 3)
                    ? 0
                    : operand(u, NBU_ROW, random_below(&seed, u->l.REGS - 8));
        p->operand[4] =
            one_in(&seed, 8)
                ? operand(u, NBU_PRED, u->l.REGS - 1 - random_below(&seed, 8))
                : 0;
    }
}

static void offer(struct unit *u, const struct prepared *p, int warp) {
    u->in.issue_valid = 1;
    u->in.issue_warp = (uint64_t)warp;
    u->in.issue_op = p->op;
    u->in.issue_hint = p->hint;
    u->in.issue_mask = p->mask;
    u->in.issue_dst = p->operand[0];
    u->in.issue_src0 = p->operand[1];
    u->in.issue_src1 = p->operand[2];
    u->in.issue_src2 = p->operand[3];
    u->in.issue_guard = p->operand[4];
}

static void enter(struct pipe *p, uint64_t warp, uint64_t tag,
                  uint64_t ticket) {
    unsigned at = p->tail++ % PIPE;

    p->warp[at] = warp;
    p->tag[at] = tag;
    p->ticket[at] = ticket;
}

/* What the register files and pipelines do about the last outputs. */
static void answer(struct unit *u, struct pipe *far, struct pipe *near) {
    struct nbu_in *in = &u->in;
    const struct nbu_out *out = u->out;
    unsigned at;

    in->far_exec_ready = far->tail - far->head < PIPE;
    in->near_exec_ready = near->tail - near->head < PIPE;
    if (out->far_exec_valid && in->far_exec_ready)
        enter(far, out->far_exec_warp, out->far_exec_tag, out->far_exec_ticket);
    if (out->near_exec_valid && in->near_exec_ready)
        enter(near, out->near_exec_warp, out->near_exec_tag,
              out->near_exec_ticket);
    at = far->head % PIPE;
    in->far_done_valid = far->head != far->tail;
    in->far_done_warp = far->warp[at];
    in->far_done_tag = far->tag[at];
    in->far_done_ticket = far->ticket[at];
    far->head += in->far_done_valid && out->far_done_ready;
    at = near->head % PIPE;
    in->near_done_valid = near->head != near->tail;
    in->near_done_warp = near->warp[at];
    in->near_done_tag = near->tag[at];
    in->near_done_ticket = near->ticket[at];
    near->head += in->near_done_valid && out->near_done_ready;
    /* A row is there on every edge; the unit looks only when it waits. */
    in->far_data_valid = in->near_data_valid = 1;
}

static void stimulate(struct unit *u, const struct prepared *program,
                      struct pipe *far, struct pipe *near, long cycle) {
    static const uint64_t burst = 0x0f003f0000ff0000;

    answer(u, far, near);
    u->in.issue_valid = 0;
    if (u->out->issue_ready)
        offer(u, &program[cycle % PROGRAM],
              __builtin_ctzll(u->out->issue_ready));
    u->in.lsu_down_valid = burst >> (cycle % 64) & 1;
    u->in.lsu_up_valid = burst >> ((cycle + 24) % 64) & 1;
}

/* Processor time, so that a shared machine does not blur the figure. */
static double seconds(void) {
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t read_value(struct unit *u, int adr) {
    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_we = 0;
    u->in.wb_adr = (uint64_t)adr;
    unit_edge(u);
    u->in.wb_cyc = u->in.wb_stb = 0;
    return (uint32_t)u->out->wb_dat_r;
}

static void report(struct unit *u, long cycles, double time) {
    printf("%ld cycles in %.2f s: %.2f million cycles a second\n", cycles, time,
           (double)cycles / time * 1e-6);
    for (int i = 0; i < NBU_N_COUNTERS; i++) {
        u->in.wb_cyc = 0;
        unit_edge(u);
        printf("  %-14s %10u\n", nbu_iface.counters[i].name,
               read_value(u, REG_FIRST + NBU_N_SETTINGS + i));
    }
}

int main(int argc, char **argv) {
    static struct prepared program[PROGRAM];
    static struct pipe far, near;
    long cycles = argc > 1 ? atol(argv[1]) : 20000000;
    struct config c;
    struct unit u;
    double start;

    config_defaults(&c);
    unit_open(&u, &c);
    unit_start(&u);
    make_program(&u, program);
    u.in.far_read_ready = u.in.near_read_ready = 1;
    u.in.far_write_ready = u.in.near_write_ready = 1;
    start = seconds();
    for (long i = 0; i < cycles; i++) {
        stimulate(&u, program, &far, &near, i);
        unit_edge(&u);
    }
    report(&u, cycles, seconds() - start);
    unit_close(&u);
    return 0;
}
