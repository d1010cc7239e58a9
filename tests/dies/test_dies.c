/* test_dies.c - the golden near-bank unit over the cut, and that it does what
 * the one without a cut does.
 *
 * Edges are worked out by hand from docs/blocks/dies.md, nbu.md and cut.md.
 */
#include "dies/dies.h"

#include "../nbu/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WARPS = 4, REGS = 8, EACH = 60, PATIENCE = 60000 };
enum policy { ANNOTATED, DEFAULT, ALL_NEAR, ALL_FAR, N_POLICIES };

static struct config over_wires(int wires) {
    struct config c;

    config_defaults(&c);
    c.nbu_warps = c.cut_warps = WARPS;
    c.nbu_registers = c.cut_registers = REGS;
    c.nbu_lanes = 4;
    c.nbu_tsv_width = c.cut_tsv_width = wires;
    return c;
}

static void open_over(struct unit *u, const struct golden_class *k, int wires) {
    struct config c = over_wires(wires);

    memset(u, 0, sizeof *u);
    u->config = c;
    u->l = nbu_local(&c);
    u->g = golden_create(k, &c);
    unit_reset(u);
    unit_start(u);
    rows_ready(u);
}

static void open_unit(struct unit *u, const struct golden_class *k) {
    open_over(u, k, 32);
}

/* --- one program, both units ---------------------------------------------- */

struct op {
    int op, hint, dst, src0, src1;
};

/* What each register of each side holds, in 64 bits; a row is that and its
 * complement. */
struct machine {
    struct unit u;
    uint64_t value[2][WARPS][REGS];
    struct op program[WARPS][EACH];
    int next[WARPS], running[WARPS]; /* instruction; executing, or -1 */
    struct nbu_in done[2][WARPS];    /* completions that wait, by side */
    int n_done[2], commits;
    uint64_t random;
};

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t n) {
    uint64_t h = (a ^ (n + 1) * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

    h = (h ^ h >> 31 ^ b) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 29;
}

static void write_program(struct machine *m) {
    static const int ops[] = {OPC_int, OPC_fp, OPC_ld_global, OPC_fp};
    uint64_t seed = 12345;

    for (int w = 0; w < WARPS; w++)
        for (int i = 0; i < EACH; i++)
            m->program[w][i] = (struct op){
                ops[random_below(&seed, 4)], random_below(&seed, 3),
                random_below(&seed, REGS), random_below(&seed, REGS),
                random_below(&seed, REGS)};
    for (int w = 0; w < WARPS; w++)
        for (int r = 0; r < REGS; r++)
            m->value[FAR_SIDE][w][r] = random_bits(&seed);
}

/* An instruction reads its operands where it finds them, and has its result
 * there that the unit says. */
static void execute(struct machine *m, enum side side, uint64_t warp,
                    uint64_t tag, uint64_t ticket) {
    const struct op *o = &m->program[warp][tag];
    bool load = o->op == OPC_ld_global;
    enum side from = load ? FAR_SIDE : side;
    enum side to = load ? NEAR_SIDE : side;
    uint64_t b = load ? 0 : m->value[from][warp][o->src1];
    struct nbu_in *d = &m->done[side][m->n_done[side]++];

    assert_int_equal(tag, m->running[warp]);
    m->running[warp] = -1;
    m->value[to][warp][o->dst] = mixed(m->value[from][warp][o->src0], b, tag);
    d->near_done_warp = warp;
    d->near_done_tag = tag;
    d->near_done_ticket = ticket;
}

static void take_row(struct machine *m, enum side side, uint64_t warp,
                     uint64_t reg, const uint64_t *row) {
    assert_true(row[1] == ~row[0]);
    m->value[side][warp][reg] = row[0];
}

static void offer(struct machine *m) {
    struct nbu_in *in = &m->u.in;
    int w = random_below(&m->random, WARPS);
    const struct op *o = &m->program[w][m->next[w]];

    if (in->issue_valid || m->next[w] == EACH || m->running[w] >= 0)
        return;
    struct instruction i = {
        .op = o->op,
        .hint = o->hint,
        .dst = operand(&m->u, NBU_ROW, o->dst),
        .src0 = operand(&m->u, NBU_ROW, o->src0),
        .src1 = o->op == OPC_ld_global ? 0 : operand(&m->u, NBU_ROW, o->src1),
    };
    present(&m->u, w, m->next[w], &i);
}

/* Inputs that are the machine's; what it does is decided by what is out. */
static void drive(struct machine *m) {
    struct nbu_in *in = &m->u.in;

    offer(m);
    in->far_exec_ready = !one_in(&m->random, 4) && m->n_done[0] < WARPS;
    in->near_exec_ready = !one_in(&m->random, 4) && m->n_done[1] < WARPS;
    in->far_write_ready = !one_in(&m->random, 3);
    in->near_write_ready = !one_in(&m->random, 3);
    if (!in->far_done_valid && m->n_done[0] && one_in(&m->random, 3)) {
        in->far_done_valid = 1;
        in->far_done_warp = m->done[0][0].near_done_warp;
        in->far_done_tag = m->done[0][0].near_done_tag;
        in->far_done_ticket = m->done[0][0].near_done_ticket;
    }
    if (!in->near_done_valid && m->n_done[1] && one_in(&m->random, 3)) {
        in->near_done_valid = 1;
        in->near_done_warp = m->done[1][0].near_done_warp;
        in->near_done_tag = m->done[1][0].near_done_tag;
        in->near_done_ticket = m->done[1][0].near_done_ticket;
    }
}

static void done_taken(struct machine *m, enum side side, uint64_t *valid) {
    *valid = 0;
    m->n_done[side]--;
    memmove(m->done[side], m->done[side] + 1,
            (size_t)m->n_done[side] * sizeof m->done[side][0]);
}

static void show_row(const struct machine *m, enum side side, uint64_t warp,
                     uint64_t reg, uint64_t *row) {
    row[0] = m->value[side][warp][reg];
    row[1] = ~row[0];
}

static void edge(struct machine *m) {
    struct nbu_in *in = &m->u.in;
    const struct nbu_out o = *m->u.out;

    drive(m);
    unit_edge(&m->u);
    m->commits += (int)m->u.out->commit_valid;
    if (in->issue_valid && o.issue_ready >> in->issue_warp & 1) {
        m->running[in->issue_warp] = m->next[in->issue_warp]++;
        in->issue_valid = 0;
    }
    if (in->far_done_valid && o.far_done_ready)
        done_taken(m, FAR_SIDE, &in->far_done_valid);
    if (in->near_done_valid && o.near_done_ready)
        done_taken(m, NEAR_SIDE, &in->near_done_valid);
    if (o.far_exec_valid && in->far_exec_ready)
        execute(m, FAR_SIDE, o.far_exec_warp, o.far_exec_tag,
                o.far_exec_ticket);
    if (o.near_exec_valid && in->near_exec_ready)
        execute(m, NEAR_SIDE, o.near_exec_warp, o.near_exec_tag,
                o.near_exec_ticket);
    if (o.far_write_valid && in->far_write_ready)
        take_row(m, FAR_SIDE, o.far_write_warp, o.far_write_reg,
                 o.far_write_row);
    if (o.near_write_valid && in->near_write_ready)
        take_row(m, NEAR_SIDE, o.near_write_warp, o.near_write_reg,
                 o.near_write_row);
    in->far_data_valid = o.far_read_valid;
    in->near_data_valid = o.near_read_valid;
    show_row(m, FAR_SIDE, o.far_read_warp, o.far_read_reg, in->far_data_row);
    show_row(m, NEAR_SIDE, o.near_read_warp, o.near_read_reg,
             in->near_data_row);
}

/* The registers at the end, of a valid copy each, and the edges that it took.
 */
static long run(const struct golden_class *k, int wires, enum policy policy,
                uint64_t end[WARPS][REGS]) {
    struct machine *m = calloc(1, sizeof *m);
    long edges;

    assert_non_null(m);
    open_over(&m->u, k, wires);
    set_policy(&m->u, policy);
    write_program(m);
    m->random = 99;
    for (int w = 0; w < WARPS; w++)
        m->running[w] = -1;
    long from = m->u.edge;
    while (m->commits < WARPS * EACH) {
        assert_true(m->u.edge < PATIENCE);
        edge(m);
    }
    edges = m->u.edge - from;
    for (int w = 0; w < WARPS; w++)
        for (int r = 0; r < REGS; r++) {
            bool far, near;
            assert_true(nbu_track_valid(m->u.g, w, r, &far, &near));
            assert_true(far || near);
            end[w][r] = m->value[far ? FAR_SIDE : NEAR_SIDE][w][r];
            if (far && near)
                assert_true(m->value[NEAR_SIDE][w][r] == end[w][r]);
        }
    unit_close(&m->u);
    free(m);
    return edges;
}

/* What the program computes, by itself. */
static void compute(uint64_t end[WARPS][REGS]) {
    struct machine *m = calloc(1, sizeof *m);

    assert_non_null(m);
    write_program(m);
    memcpy(end, m->value[FAR_SIDE], sizeof m->value[FAR_SIDE]);
    for (int w = 0; w < WARPS; w++)
        for (int i = 0; i < EACH; i++) {
            const struct op *o = &m->program[w][i];
            bool load = o->op == OPC_ld_global;
            end[w][o->dst] =
                mixed(end[w][o->src0], load ? 0 : end[w][o->src1], (uint64_t)i);
        }
    free(m);
}

static void registers_are_those_over(int wires) {
    uint64_t want[WARPS][REGS], with[WARPS][REGS], without[WARPS][REGS];

    compute(want);
    for (int p = ANNOTATED; p < N_POLICIES; p++) {
        run(&nbu_golden, wires, (enum policy)p, without);
        long edges = run(&dies_golden, wires, (enum policy)p, with);
        assert_memory_equal(without, want, sizeof want);
        assert_memory_equal(with, want, sizeof want);
        assert_true(edges > WARPS * EACH);
    }
}

static void registers_are_those_without_a_cut(void **state) {
    (void)state;
    registers_are_those_over(32);
    registers_are_those_over(128); /* several completions in a beat */
}

/* --- completions that share a beat ---------------------------------------- */

/* Four that end while the base die has the wires come up in one beat, and commit
 * on the edges behind it in their order. */
static void completions_share_a_beat(void **state) {
    struct unit u;
    struct instruction i = {.op = OPC_int};
    uint64_t ticket[WARPS];

    (void)state;
    open_over(&u, &dies_golden, 128);
    set_policy(&u, ALL_NEAR);
    for (int w = 0; w < WARPS; w++) {
        i.dst = operand(&u, NBU_ROW, w + 1);
        issue(&u, w, w + 3, &i);
        while (!u.out->near_exec_valid)
            step(&u);
        ticket[w] = u.out->near_exec_ticket;
        u.in.near_exec_ready = 1;
        step(&u);
        u.in.near_exec_ready = 0;
    }
    u.in.lsu_down_valid = 1; /* a packet without an end */
    for (int w = 0; w < WARPS; w++) {
        u.in.near_done_valid = 1;
        u.in.near_done_warp = (uint64_t)w;
        u.in.near_done_tag = (uint64_t)w + 3;
        u.in.near_done_ticket = ticket[w];
        step(&u);
        u.in.near_done_valid = 0;
    }
    for (int n = 0; n < 10; n++) {
        step(&u);
        assert_int_equal(u.out->commit_valid, 0);
    }
    u.in.lsu_down_last = 1;
    while (!u.out->commit_valid) {
        if (u.out->lsu_down_ready)
            u.in.lsu_down_valid = 0;
        step(&u);
    }
    for (int w = 0; w < WARPS; w++) {
        assert_int_equal(u.out->commit_valid, 1);
        assert_int_equal(u.out->commit_warp, w);
        assert_int_equal(u.out->commit_tag, w + 3);
        step(&u);
    }
    assert_int_equal(u.out->commit_valid, 0);
    assert_int_equal(read_counter(&u, NBU_CNT_beats_done), 1);
    unit_close(&u);
}

/* --- latency -------------------------------------------------------------- */

/* Accept, pick, two stages, act, near send; then grant, three beats, the wires,
 * the near queue and its output.  A place that the pipeline frees is known to
 * the front end two edges later than on one die. */
static void instruction_goes_near(void **state) {
    struct unit u;
    struct instruction i = {.op = OPC_int};
    long accept;

    (void)state;
    open_unit(&u, &dies_golden);
    i.dst = operand(&u, NBU_ROW, 1);
    set_policy(&u, ALL_NEAR);
    u.in.far_write_ready = u.in.near_write_ready = 1;
    accept = u.edge;
    issue(&u, 2, 7, &i);
    while (!u.out->near_exec_valid)
        step(&u);
    assert_int_equal(u.edge - accept, 10 + u.l.INSTR_BEATS);
    assert_int_equal(u.out->near_exec_warp, 2);
    assert_int_equal(u.out->near_exec_tag, 7);
    u.in.near_exec_ready = 1;
    step(&u);
    assert_int_equal(u.out->near_exec_valid, 0);
    assert_int_equal(u.out->issue_ready >> 2 & 1, 0);
    step(&u);
    assert_int_equal(u.out->issue_ready >> 2 & 1, 0);
    step(&u);
    assert_int_equal(u.out->issue_ready >> 2 & 1, 1);
    unit_close(&u);
}

/* A completion: the near done queue, then request, seen, grant, turn, beat,
 * wires, far, and the update that commits. */
static void completion_comes_back(void **state) {
    struct unit u;
    struct instruction i = {.op = OPC_int};
    long edge;

    (void)state;
    open_unit(&u, &dies_golden);
    set_policy(&u, ALL_NEAR);
    i.dst = operand(&u, NBU_ROW, 1);
    issue(&u, 0, 3, &i);
    while (!u.out->near_exec_valid)
        step(&u);
    u.in.near_exec_ready = u.in.near_done_valid = 1;
    u.in.near_done_warp = 0;
    u.in.near_done_tag = 3;
    u.in.near_done_ticket = u.out->near_exec_ticket;
    edge = u.edge;
    step(&u);
    u.in.near_exec_ready = u.in.near_done_valid = 0;
    while (!u.out->commit_valid)
        step(&u);
    assert_int_equal(u.out->commit_tag, 3);
    assert_int_equal(u.edge - edge, 2 + 6 + u.l.DONE_BEATS - 1 + 2);
    unit_close(&u);
}

/* The load-store traffic crosses in both directions as it was sent. */
static void load_store_crosses(void **state) {
    struct unit u;
    int down = 0, up = 0;

    (void)state;
    open_unit(&u, &dies_golden);
    u.in.lsu_down_valid = u.in.lsu_down_last = 1;
    u.in.lsu_down_data[0] = 0x12345678;
    u.in.lsu_up_valid = u.in.lsu_up_last = 1;
    u.in.lsu_up_data[0] = 0x9abcdef0;
    for (int i = 0; i < 30; i++) {
        bool goes = u.out->lsu_down_ready, comes = u.out->lsu_up_ready;
        step(&u);
        if (goes)
            u.in.lsu_down_valid = 0;
        if (comes)
            u.in.lsu_up_valid = 0;
        down += (int)u.out->lsu_near_valid;
        up += (int)u.out->lsu_far_valid;
        assert_true(!u.out->lsu_near_valid ||
                    u.out->lsu_near_data[0] == 0x12345678);
        assert_true(!u.out->lsu_far_valid ||
                    u.out->lsu_far_data[0] == 0x9abcdef0);
    }
    assert_int_equal(down, 1);
    assert_int_equal(up, 1);
    assert_int_equal(read_counter(&u, NBU_CNT_beats_lsu), 2);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_those_without_a_cut),
        cmocka_unit_test(completions_share_a_beat),
        cmocka_unit_test(instruction_goes_near),
        cmocka_unit_test(completion_comes_back),
        cmocka_unit_test(load_store_crosses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
