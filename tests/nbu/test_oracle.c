/* test_oracle.c - the near-bank unit's golden model: whole programs.
 *
 * A check that knows nothing of the model's insides.  Around the unit stand two
 * register files with data, two pipelines that compute, and a front end with
 * random programs.  Beside it runs the architecture: each instruction takes
 * effect at once when it is accepted, in program order.  Whatever the unit
 * moves, holds and reorders, an instruction must find at its delivery exactly
 * the operand values that program order gives it, on the side that the note
 * names; and when all is quiet, every copy that the track table calls valid
 * must equal the architecture's.
 */
#include "unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAX_LANES = 32, PIPE = 16, N_INPUTS = 4, PAIR_ROWS = 2 };

/* A register's value; a predicate holds its bits in lane 0. */
struct row {
    uint32_t lane[MAX_LANES];
};

struct value {
    struct row row[PAIR_ROWS];
};

/* An instruction between accept and the end of its execution. */
struct work {
    bool used;
    int warp;
    int wait; /* edges until it completes */
    uint64_t tag, op, mask, ticket;
    uint64_t input[N_INPUTS]; /* src0 to src2, guard */
    uint64_t dst;
    struct value expected[N_INPUTS]; /* in program order */
    struct value result;
};

struct world {
    struct unit u;
    uint64_t seed;
    int busy; /* the environment answers at once, one edge in so many */
    struct row *file[2]; /* register files, far and near */
    struct row *arch;
    struct work *held; /* one a warp: accepted, not yet delivered */
    struct work pipe[2][PIPE];
    bool completing[2]; /* pipe[side][done[side]] is presented */
    int done[2];
    bool asked[2]; /* a row is to be answered */
    uint64_t asked_warp[2], asked_reg[2];
    long accepted, delivered[2], committed;
    bool issuing;
    long lsu_wait[2], lsu_wait_max;
};

/* Fields of operands ----------------------------------------------------- */

static int reg_of(const struct world *w, uint64_t operand) {
    return (int)(operand & ((uint64_t)w->u.l.REGS - 1));
}

static bool valid_of(const struct world *w, uint64_t operand) {
    return operand >> (w->u.l.REG_W + 2) & 1;
}

/* A register index is used with one kind only. */
static enum nbu_kind kind_of(int reg) {
    switch (reg % 8) {
    case 0:
    case 1:
        return NBU_PAIR;
    case 3:
    case 6:
        return NBU_PRED;
    default:
        return NBU_ROW;
    }
}

static uint64_t random_operand(struct world *w, bool pred) {
    int reg;

    do
        reg = random_below(&w->seed, w->u.l.REGS);
    while (pred && kind_of(reg) != NBU_PRED);
    if (kind_of(reg) == NBU_PAIR)
        reg &= ~1;
    if (kind_of(reg) == NBU_ROW && one_in(&w->seed, 8)) /* kind 3: a row */
        return operand(&w->u, NBU_ROW, reg) | (uint64_t)3 << w->u.l.REG_W;
    return operand(&w->u, kind_of(reg), reg);
}

static uint64_t maybe(struct world *w, uint64_t operand) {
    return one_in(&w->seed, 3) ? operand & ((uint64_t)w->u.l.REGS - 1)
                               : operand;
}

/* What instructions compute ---------------------------------------------- */

static struct row *row_at(const struct world *w, struct row *file, int warp,
                          int reg) {
    return &file[warp * w->u.l.REGS + reg];
}

static struct value read_value(const struct world *w, struct row *file,
                               int warp, uint64_t operand) {
    struct value v;
    int reg = reg_of(w, operand);

    memset(&v, 0, sizeof v);
    if (!valid_of(w, operand))
        return v;
    v.row[0] = *row_at(w, file, warp, reg);
    if (kind_of(reg) == NBU_PAIR)
        v.row[1] = *row_at(w, file, warp, reg + 1);
    return v;
}

static uint32_t lane_of(const struct world *w, const struct value *v,
                        uint64_t operand, int row, int lane) {
    if (!valid_of(w, operand))
        return 0;
    if (kind_of(reg_of(w, operand)) == NBU_PRED)
        return v->row[0].lane[0] >> lane & 1;
    return v->row[row].lane[lane];
}

/* Any function of the inputs will do that tells them apart. */
static struct value compute(const struct world *w, const struct work *i,
                            const struct value *input) {
    struct value v;

    memset(&v, 0, sizeof v);
    for (int row = 0; row < PAIR_ROWS; row++)
        for (int lane = 0; lane < w->u.l.LANES; lane++) {
            uint32_t x = (uint32_t)(i->op * 31 + i->tag * 1009) + 7;
            for (int k = 0; k < N_INPUTS; k++)
                for (int r = 0; r < PAIR_ROWS; r++)
                    x = (x ^ lane_of(w, &input[k], i->input[k], r, lane)) *
                            2654435761u +
                        (uint32_t)(row + lane);
            v.row[row].lane[lane] = x ^ x >> 15;
        }
    return v;
}

/* Write a result under mask and guard. */
static void write_value(const struct world *w, struct row *file,
                        const struct work *i, const struct value *result,
                        const struct value *guard) {
    int reg = reg_of(w, i->dst);
    struct row *to = row_at(w, file, i->warp, reg);
    uint64_t mask = i->mask;

    if (!valid_of(w, i->dst))
        return;
    if (valid_of(w, i->input[3]))
        mask &= guard->row[0].lane[0];
    for (int lane = 0; lane < w->u.l.LANES; lane++) {
        uint32_t x = result->row[0].lane[lane];
        if (!(mask >> lane & 1))
            continue;
        if (kind_of(reg) == NBU_PRED)
            to->lane[0] = (to->lane[0] & ~(1u << lane)) | (x & 1) << lane;
        else
            to->lane[lane] = x;
        if (kind_of(reg) == NBU_PAIR)
            to[1].lane[lane] = result->row[1].lane[lane];
    }
}

/* Front end -------------------------------------------------------------- */

static void choose_instruction(struct world *w) {
    static const int classes[] = {OPC_int,       OPC_fp,        OPC_setp,
                                  OPC_ld_global, OPC_st_global, OPC_ld_shared,
                                  OPC_st_shared, OPC_branch,    OPC_mov};
    struct nbu_in *in = &w->u.in;

    in->issue_valid = 1;
    in->issue_tag = random_bits(&w->seed) & ones(w->u.l.TAG_W);
    in->issue_op = (uint64_t)classes[random_below(&w->seed, 9)];
    in->issue_hint = (uint64_t)random_below(&w->seed, 4);
    in->issue_mask = all_lanes(&w->u);
    if (one_in(&w->seed, 3))
        in->issue_mask &= random_bits(&w->seed);
    in->issue_src0 = maybe(w, random_operand(w, false));
    in->issue_src1 = maybe(w, random_operand(w, false));
    in->issue_src2 = maybe(w, random_operand(w, false));
    in->issue_dst = maybe(w, random_operand(w, false));
    in->issue_guard = 0;
    if (one_in(&w->seed, 4))
        in->issue_guard = random_operand(w, true);
}

/* The architecture executes the instruction that is being accepted. */
static void accept(struct world *w) {
    const struct nbu_in *in = &w->u.in;
    struct work *i = &w->held[in->issue_warp];
    struct value result;

    assert_false(i->used);
    i->used = true;
    i->warp = (int)in->issue_warp;
    i->tag = in->issue_tag;
    i->op = in->issue_op;
    i->mask = in->issue_mask;
    i->dst = in->issue_dst;
    i->input[0] = in->issue_src0;
    i->input[1] = in->issue_src1;
    i->input[2] = in->issue_src2;
    i->input[3] = in->issue_guard;
    for (int k = 0; k < N_INPUTS; k++)
        i->expected[k] = read_value(w, w->arch, i->warp, i->input[k]);
    result = compute(w, i, i->expected);
    write_value(w, w->arch, i, &result, &i->expected[3]);
    w->accepted++;
}

static void front_end(struct world *w) {
    struct nbu_in *in = &w->u.in;

    if (in->issue_valid && w->u.out->issue_ready >> in->issue_warp & 1) {
        accept(w); /* on the coming edge */
        return;
    }
    if (in->issue_valid) /* presented and refused: fields stay */
        return;
    if (!w->issuing || !one_in(&w->seed, w->busy))
        return;
    choose_instruction(w);
    in->issue_warp = (uint64_t)random_below(&w->seed, w->u.l.WARPS);
    if (w->u.out->issue_ready >> in->issue_warp & 1)
        accept(w);
}

/* Pipelines -------------------------------------------------------------- */

/* The side on which an input must be, as the note says. */
static enum side place_of(const struct work *i, int input, enum side runs) {
    bool global = i->op == OPC_ld_global || i->op == OPC_st_global;
    bool shared = i->op == OPC_ld_shared || i->op == OPC_st_shared;

    if (input == 3 || (!global && !shared))
        return runs;
    return global && input == 0 ? FAR_SIDE : NEAR_SIDE;
}

static enum side place_of_dst(const struct work *i, enum side runs) {
    return place_of(i, 1, runs);
}

static void assert_same_values(const struct value *a, const struct value *b,
                               const struct work *i, int input) {
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("warp %d tag %d class %d: input %d is not what program "
                 "order gives",
                 i->warp, (int)i->tag, (int)i->op, input);
}

/* The pipeline of a side takes an instruction and reads its operands. */
static void deliver(struct world *w, enum side side, uint64_t warp,
                    uint64_t tag, uint64_t ticket) {
    struct work *i = &w->held[warp];
    struct work *place = NULL;
    struct value input[N_INPUTS];

    assert_true(i->used);
    assert_int_equal(i->tag, tag);
    for (int k = 0; k < N_INPUTS; k++) {
        input[k] =
            read_value(w, w->file[place_of(i, k, side)], i->warp, i->input[k]);
        assert_same_values(&input[k], &i->expected[k], i, k);
    }
    i->result = compute(w, i, input);
    i->ticket = ticket;
    i->wait = random_below(&w->seed, 4 * w->busy);
    for (int k = 0; k < PIPE && !place; k++)
        if (!w->pipe[side][k].used)
            place = &w->pipe[side][k];
    assert_non_null(place);
    *place = *i;
    i->used = false;
    w->delivered[side]++;
}

static bool pipe_full(const struct world *w, enum side side) {
    for (int k = 0; k < PIPE; k++)
        if (!w->pipe[side][k].used)
            return false;
    return true;
}

/* The work, if any, that a pipeline presents as completed: it writes its result
 * first, and is presented until it is taken. */
static const struct work *completion(struct world *w, enum side side,
                                     bool ready) {
    struct work *i = &w->pipe[side][w->done[side]];

    if (w->completing[side] && ready) { /* taken on the edge that has passed */
        i->used = false;
        w->completing[side] = false;
    }
    for (int k = 0; k < PIPE; k++)
        w->pipe[side][k].wait -= w->pipe[side][k].wait > 0;
    if (w->completing[side])
        return i;
    w->done[side] = random_below(&w->seed, PIPE);
    i = &w->pipe[side][w->done[side]];
    if (!i->used || i->wait)
        return NULL;
    write_value(w, w->file[place_of_dst(i, side)], i, &i->result,
                &i->expected[3]);
    w->completing[side] = true;
    return i;
}

static void completions(struct world *w, bool far_taken, bool near_taken) {
    struct nbu_in *in = &w->u.in;
    const struct work *far = completion(w, FAR_SIDE, far_taken);
    const struct work *near = completion(w, NEAR_SIDE, near_taken);

    in->far_done_valid = far != NULL;
    in->far_done_warp = far ? (uint64_t)far->warp : 0;
    in->far_done_tag = far ? far->tag : 0;
    in->far_done_ticket = far ? far->ticket : 0;
    in->near_done_valid = near != NULL;
    in->near_done_warp = near ? (uint64_t)near->warp : 0;
    in->near_done_tag = near ? near->tag : 0;
    in->near_done_ticket = near ? near->ticket : 0;
}

static void deliveries(struct world *w) {
    const struct nbu_out *out = w->u.out;
    struct nbu_in *in = &w->u.in;

    in->far_exec_ready = one_in(&w->seed, w->busy) && !pipe_full(w, FAR_SIDE);
    in->near_exec_ready = one_in(&w->seed, w->busy) && !pipe_full(w, NEAR_SIDE);
    if (out->far_exec_valid && in->far_exec_ready)
        deliver(w, FAR_SIDE, out->far_exec_warp, out->far_exec_tag,
                out->far_exec_ticket);
    if (out->near_exec_valid && in->near_exec_ready)
        deliver(w, NEAR_SIDE, out->near_exec_warp, out->near_exec_tag,
                out->near_exec_ticket);
}

/* Register files --------------------------------------------------------- */

/* Answer a request; *valid and words are the file's data port. */
static void answer(struct world *w, enum side side, uint64_t *valid,
                   uint64_t *words) {
    const struct row *row;

    *valid = w->asked[side] && one_in(&w->seed, w->busy);
    if (!*valid) { /* what stands there then must not matter */
        words[0] = random_bits(&w->seed);
        return;
    }
    w->asked[side] = false;
    row = row_at(w, w->file[side], (int)w->asked_warp[side],
                 (int)w->asked_reg[side]);
    for (int i = 0; i < w->u.l.LANES / 2; i++)
        words[i] = (uint64_t)row->lane[2 * i + 1] << 32 | row->lane[2 * i];
}

static void ask(struct world *w, enum side side, uint64_t warp, uint64_t reg) {
    assert_false(w->asked[side]);
    w->asked[side] = true;
    w->asked_warp[side] = warp;
    w->asked_reg[side] = reg;
}

static void take_row(struct world *w, enum side side, uint64_t warp,
                     uint64_t reg, uint64_t pred, const uint64_t *words) {
    struct row *row = row_at(w, w->file[side], (int)warp, (int)reg);

    assert_int_equal(pred, kind_of((int)reg) == NBU_PRED);
    for (int i = 0; i < w->u.l.LANES / 2; i++) {
        row->lane[2 * i] = (uint32_t)words[i];
        row->lane[2 * i + 1] = (uint32_t)(words[i] >> 32);
    }
}

static void register_files(struct world *w) {
    const struct nbu_out *out = w->u.out;
    struct nbu_in *in = &w->u.in;

    answer(w, FAR_SIDE, &in->far_data_valid, in->far_data_row);
    answer(w, NEAR_SIDE, &in->near_data_valid, in->near_data_row);
    in->far_read_ready = one_in(&w->seed, w->busy);
    in->near_read_ready = one_in(&w->seed, w->busy);
    in->far_write_ready = one_in(&w->seed, w->busy);
    in->near_write_ready = one_in(&w->seed, w->busy);
    if (out->far_read_valid && in->far_read_ready)
        ask(w, FAR_SIDE, out->far_read_warp, out->far_read_reg);
    if (out->near_read_valid && in->near_read_ready)
        ask(w, NEAR_SIDE, out->near_read_warp, out->near_read_reg);
    if (out->far_write_valid && in->far_write_ready)
        take_row(w, FAR_SIDE, out->far_write_warp, out->far_write_reg,
                 out->far_write_pred, out->far_write_row);
    if (out->near_write_valid && in->near_write_ready)
        take_row(w, NEAR_SIDE, out->near_write_warp, out->near_write_reg,
                 out->near_write_pred, out->near_write_row);
}

/* Load-store traffic ----------------------------------------------------- */

static void present_beat(struct world *w, uint64_t *valid, uint64_t *last,
                         uint64_t *data) {
    *valid = one_in(&w->seed, 6) || (*valid && one_in(&w->seed, 2));
    *last = one_in(&w->seed, 5);
    for (int i = 0; i < ceil_div(w->u.l.TSV_W, 64); i++)
        data[i] = random_bits(&w->seed);
}

/* How long an eligible source waits: six other grants and the rest of ours. */
static void count_wait(struct world *w, int way, bool valid, bool ready) {
    w->lsu_wait[way] = valid && !ready ? w->lsu_wait[way] + 1 : 0;
    if (w->lsu_wait[way] > w->lsu_wait_max)
        w->lsu_wait_max = w->lsu_wait[way];
}

static void load_store(struct world *w, bool down_taken, bool up_taken) {
    struct nbu_in *in = &w->u.in;

    if (!in->lsu_down_valid || down_taken)
        present_beat(w, &in->lsu_down_valid, &in->lsu_down_last,
                     in->lsu_down_data);
    if (!in->lsu_up_valid || up_taken)
        present_beat(w, &in->lsu_up_valid, &in->lsu_up_last, in->lsu_up_data);
    count_wait(w, 0, in->lsu_down_valid, w->u.out->lsu_down_ready);
    count_wait(w, 1, in->lsu_up_valid, w->u.out->lsu_up_ready);
}

/* A beat arrives right after the edge that moved it, unaltered. */
static void check_beat(const struct world *w, bool moved, uint64_t valid,
                       uint64_t last, uint64_t in_last, const uint64_t *out,
                       const uint64_t *in) {
    int width = w->u.l.TSV_W;
    uint64_t mask = ones(width);

    assert_int_equal(valid, moved);
    assert_int_equal(last, moved && in_last);
    for (int i = 0; i < ceil_div(width, 64); i++)
        assert_true(out[i] == (moved ? in[i] & mask : 0));
}

/* One edge --------------------------------------------------------------- */

static void check_invariant(struct world *w) {
    int warp = (int)(w->u.edge % w->u.l.WARPS);
    bool far, near;

    for (int reg = 0; reg < w->u.l.REGS; reg++) {
        assert_true(nbu_track_valid(w->u.g, warp, reg, &far, &near));
        assert_true(far || near);
    }
}

static void world_edge(struct world *w) {
    struct nbu_in *in = &w->u.in;
    const struct nbu_out *out = w->u.out;
    bool far_taken, near_taken, issued, down, up;

    /* w->u.out is what stands before this edge */
    front_end(w);
    register_files(w);
    deliveries(w);
    issued = in->issue_valid && out->issue_ready >> in->issue_warp & 1;
    far_taken = in->far_done_valid && out->far_done_ready;
    near_taken = in->near_done_valid && out->near_done_ready;
    down = in->lsu_down_valid && out->lsu_down_ready;
    up = in->lsu_up_valid && out->lsu_up_ready;
    unit_edge(&w->u);
    check_beat(w, down, out->lsu_near_valid, out->lsu_near_last,
               in->lsu_down_last, out->lsu_near_data, in->lsu_down_data);
    check_beat(w, up, out->lsu_far_valid, out->lsu_far_last, in->lsu_up_last,
               out->lsu_far_data, in->lsu_up_data);
    if (issued)
        in->issue_valid = 0;
    completions(w, far_taken, near_taken);
    load_store(w, down, up);
    w->committed += (long)out->commit_valid;
    check_invariant(w);
}

/* All runs --------------------------------------------------------------- */

static void world_open(struct world *w, const struct config *c, int busy) {
    size_t rows = (size_t)c->nbu_warps * (size_t)c->nbu_registers;

    memset(w, 0, sizeof *w);
    unit_open(&w->u, c);
    unit_start(&w->u);
    w->seed = 77;
    w->busy = busy;
    w->file[0] = calloc(rows, sizeof *w->file[0]);
    w->file[1] = calloc(rows, sizeof *w->file[1]);
    w->arch = calloc(rows, sizeof *w->arch);
    w->held = calloc((size_t)c->nbu_warps, sizeof *w->held);
    assert_true(w->file[0] && w->file[1] && w->arch && w->held);
    for (size_t i = 0; i < rows; i++) {
        bool pred = kind_of((int)(i % (size_t)c->nbu_registers)) == NBU_PRED;
        for (int lane = 0; lane < (pred ? 1 : c->nbu_lanes); lane++)
            w->arch[i].lane[lane] = (uint32_t)random_bits(&w->seed);
        if (pred)
            w->arch[i].lane[0] &= (uint32_t)all_lanes(&w->u);
        w->file[FAR_SIDE][i] = w->arch[i]; /* all far after reset */
    }
}

static void world_close(struct world *w) {
    unit_close(&w->u);
    free(w->file[0]);
    free(w->file[1]);
    free(w->arch);
    free(w->held);
}

static void assert_valid_copies(struct world *w) {
    for (int i = 0; i < w->u.l.WARPS * w->u.l.REGS; i++) {
        int reg = i % w->u.l.REGS, tracked = reg;
        bool valid[2];
        if (kind_of(reg) == NBU_PAIR)
            tracked &= ~1;
        nbu_track_valid(w->u.g, i / w->u.l.REGS, tracked, &valid[FAR_SIDE],
                        &valid[NEAR_SIDE]);
        for (int side = 0; side < 2; side++)
            if (valid[side])
                assert_memory_equal(&w->file[side][i], &w->arch[i],
                                    sizeof w->arch[i]);
    }
}

static int max(int a, int b) {
    return a > b ? a : b;
}

static void run(const struct config *c, int busy, int policies) {
    static const int edges = 40000;
    struct world *w = malloc(sizeof *w);
    const struct nbu_local *l;
    int longest, patience = 0;

    assert_non_null(w);
    world_open(w, c, busy);
    l = &w->u.l;
    w->issuing = true;
    for (int i = 0; i < edges; i++) {
        /* software changes the policy while instructions are in flight */
        w->u.in.wb_cyc = w->u.in.wb_stb = policies > 1 && i % 500 == 250;
        w->u.in.wb_we = w->u.in.wb_sel = 1;
        w->u.in.wb_adr = REG_FIRST + NBU_SET_policy;
        w->u.in.wb_dat_w = (uint64_t)(i / 500 % 4);
        world_edge(w);
    }
    w->issuing = false;
    while (w->committed < w->accepted && patience++ < 200000)
        world_edge(w);
    assert_int_equal(w->committed, w->accepted);
    assert_int_equal(w->delivered[0] + w->delivered[1], w->accepted);
    assert_int_equal(read_counter(&w->u, NBU_CNT_committed), w->accepted);
    assert_int_equal(read_counter(&w->u, NBU_CNT_went_near), w->delivered[1]);
    assert_true(w->accepted > 200 && w->delivered[1] > 50);
    assert_valid_copies(w);
    longest = max(max(l->INSTR_BEATS, 1 + l->ROW_BEATS),
                  max(l->DONE_BEATS, l->LSU_BURST));
    /* six others and our own turn; a grant of ours that a gap ended first */
    assert_in_range(w->lsu_wait_max, 1, 6 * (longest + 1) + 2);
    world_close(w);
    free(w);
}

static struct config sized(int warps, int registers, int lanes, int width) {
    struct config c;

    config_defaults(&c);
    c.nbu_warps = warps;
    c.nbu_registers = registers;
    c.nbu_lanes = lanes;
    c.nbu_tsv_width = width;
    return c;
}

static void at_paper_size(void **state) {
    struct config c = sized(48, 64, 32, 64);

    (void)state;
    run(&c, 1, 4);
    run(&c, 3, 4);
}

static void few_registers_many_hazards(void **state) {
    struct config c = sized(3, 8, 4, 8);

    (void)state;
    c.nbu_near_queue = c.nbu_move_queue = 1;
    c.nbu_tag_bits = 1;
    run(&c, 1, 4);
    run(&c, 2, 4);
}

static void odd_sizes(void **state) {
    struct config narrow = sized(5, 16, 32, 16);
    struct config wide = sized(64, 32, 32, 1024);
    struct config middle = sized(7, 256, 8, 256);
    struct config two = sized(2, 4, 16, 32);

    (void)state;
    narrow.nbu_lsu_burst = 1;
    wide.nbu_near_queue = wide.nbu_move_queue = 16;
    wide.nbu_tag_bits = 16;
    run(&narrow, 1, 4);
    run(&wide, 1, 4);
    run(&middle, 2, 4);
    run(&two, 1, 4);
}

static void each_policy(void **state) {
    (void)state;
    for (int policy = 0; policy < 3; policy++) {
        struct config c = sized(8, 16, 8, 16);
        c.nbu_policy = policy;
        run(&c, 1, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_paper_size),
        cmocka_unit_test(few_registers_many_hazards),
        cmocka_unit_test(odd_sizes),
        cmocka_unit_test(each_policy),
    };

    return cmocka_run_group_tests_name("test_nbu_oracle", tests, NULL, NULL);
}
