/* nda_pe.c - golden model of the processing element.
 *
 * Written from docs/blocks/nda_pe.md: the sequence asks for words and hands
 * jobs to the work, which computes with what lands.  Each edge looks at all
 * registers first (struct view), then moves both.
 */
#include "nda_pe.h"

#include "base/bits.h"
#include "blocks/nda_pe.h"
#include "fma/arith.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum {
    MAX_BATCH = 512,
    MAX_LANDING = 64,
    OPS = 9,
    SLOTS = 2,
    X = 0,
    Y,
    Z,
    A = 2,
    W
};

/* A step of microcode; rows, last and final as in the note. */
struct step {
    int operand;
    bool store;
    int how, factor, target;
    bool rows, last, final;
};

#define MOVE(x, to)                                                            \
    { .operand = x, .target = NDA_PE_##to }
#define LOAD(x, to, ...)                                                       \
    { .operand = x, .target = NDA_PE_##to, __VA_ARGS__ }
#define STORE(x)                                                               \
    { .operand = x, .store = true, .last = true, .final = true }
#define TIMES(f) .how = NDA_PE_PRODUCT, .factor = NDA_PE_##f
#define ADD_TIMES(f) .how = NDA_PE_ADDED, .factor = NDA_PE_##f
#define ENDS .last = true, .final = true

static const struct step microcode[OPS][4] = {
    [NDA_PE_AXPBY] = {LOAD(X, BUFFER, TIMES(ALPHA)),
                      LOAD(Y, BUFFER, ADD_TIMES(BETA)), STORE(Z)},
    [NDA_PE_AXPBYPCZ] = {LOAD(X, BUFFER, TIMES(ALPHA)),
                         LOAD(Y, BUFFER, ADD_TIMES(BETA)),
                         LOAD(Z, BUFFER, ADD_TIMES(GAMMA)), STORE(W)},
    [NDA_PE_AXPY] = {MOVE(X, BUFFER), LOAD(Y, BUFFER, ADD_TIMES(ALPHA)),
                     STORE(Y)},
    [NDA_PE_COPY] = {MOVE(X, BUFFER), STORE(Y)},
    [NDA_PE_XMY] = {MOVE(X, BUFFER), LOAD(Y, BUFFER, TIMES(BUFFERED)),
                    STORE(Z)},
    [NDA_PE_DOT] = {MOVE(X, BUFFER), LOAD(Y, SUMS, ADD_TIMES(BUFFERED), ENDS)},
    [NDA_PE_NRM2] = {LOAD(X, SUMS, ADD_TIMES(SELF), ENDS)},
    [NDA_PE_SCAL] = {LOAD(X, BUFFER, TIMES(ALPHA)), STORE(X)},
    [NDA_PE_GEMV] = {MOVE(X, SCRATCH),
                     LOAD(A, SUMS, ADD_TIMES(SCRATCHED), .rows = true,
                          .last = true),
                     {.operand = Y, .store = true, .final = true}},
};

enum sequence { IDLE, BEGIN, ASK, END, STOP, DONE };
enum work { REST, INIT, RUN, DRAIN, FOLD, SUM };

struct job {
    const struct step *step;
    int n, row;
    bool first, folded;
};

struct word {
    uint32_t half[2];
};

/* An operation of both FMAs. */
struct fired {
    uint64_t at; /* the edge on which it was */
    struct word value;
};

struct nda_pe {
    struct golden base;
    struct nda_pe_local l;
    uint64_t now;

    /* the operation */
    struct nda_pe_in launch;
    enum sequence sequence;
    int step; /* of microcode[op] */
    uint64_t start, rest, address, row_address;
    int row, to_go, asked;
    int cause, bad_operand;
    bool bad_write;
    uint64_t bad_address;
    uint32_t value;
    bool second; /* a batch was begun that is not the first */

    /* jobs between both, the oldest first */
    int jobs;
    struct job job_slot[SLOTS];

    /* landing */
    struct queue queue;
    struct word landed[MAX_LANDING + 1];
    int room;

    /* the work */
    enum work work;
    struct job job;
    int popped, written;
    bool held;
    struct word word, from_buffer, from_scratch;
    int fires; /* under way, oldest first */
    struct fired fired[8];
    struct word sums;
    struct word buffer[MAX_BATCH], scratch[MAX_BATCH];
    struct nda_pe_out out;
};

/* What is true before the edge. */
struct view {
    bool at_rest, under_way, stands, all_stand;
};

static uint32_t scalar(const struct nda_pe *n, int i) {
    return bits_lane(n->launch.launch_scalars, i);
}

static const struct step *step_of(const struct nda_pe *n) {
    return &microcode[n->launch.launch_op][n->step];
}

static uint64_t of_operand(const struct nda_pe *n, const uint64_t *list,
                           int operand) {
    return bits_get(list, operand * n->l.ADDR_W, n->l.ADDR_W);
}

/* --- arithmetic ----------------------------------------------------------- */

static uint32_t arith(int kind, uint32_t a, uint32_t b, uint32_t c) {
    struct fma_op op = {.kind = (uint8_t)kind, .a = a, .b = b, .c = c};
    return fma_value(&op);
}

static uint32_t factor(const struct nda_pe *n, int lane) {
    switch (n->job.step->factor) {
    case NDA_PE_SELF:
        return n->word.half[lane];
    case NDA_PE_BUFFERED:
        return n->from_buffer.half[lane];
    case NDA_PE_SCRATCHED:
        return n->from_scratch.half[lane];
    default:
        return scalar(n, n->job.step->factor);
    }
}

/* What is held, through the FMAs. */
static struct word compute(const struct nda_pe *n) {
    const struct step *s = n->job.step;
    struct word r;
    for (int i = 0; i < 2; i++)
        r.half[i] = arith(s->how == NDA_PE_ADDED ? FMA_FMA : FMA_MUL,
                          n->word.half[i], factor(n, i),
                          s->target == NDA_PE_SUMS ? n->sums.half[i]
                                                   : n->from_buffer.half[i]);
    return r;
}

static void fire(struct nda_pe *n, struct word value) {
    n->fired[n->fires++] = (struct fired){.at = n->now, .value = value};
}

/* --- the sequence --------------------------------------------------------- */

static void take_launch(struct nda_pe *n, const struct nda_pe_in *in) {
    bool gemv;

    n->launch = *in;
    gemv = in->launch_op == NDA_PE_GEMV;
    n->start = 0;
    n->rest = in->launch_length;
    n->row = n->step = 0;
    n->value = 0;
    n->second = false;
    n->cause = in->launch_op >= OPS ? NDA_PE_OPERATION
               : gemv && in->launch_rows > (uint64_t)n->l.BATCH * 2
                   ? NDA_PE_ROWS
                   : NDA_PE_NONE;
    bool nothing = n->rest == 0 || (gemv && in->launch_rows == 0);
    n->sequence = n->cause || nothing ? DONE : BEGIN;
    hit_if(n, n->cause == NDA_PE_OPERATION, NDA_PE_COV_unknown);
    hit_if(n, n->cause == NDA_PE_ROWS, NDA_PE_COV_many_rows);
    hit_if(n, !n->cause && nothing, NDA_PE_COV_nothing);
}

static void begin(struct nda_pe *n, const struct view *v) {
    const struct step *s = step_of(n);
    bool sums = s->final && !s->last;
    int batch = n->rest < (uint64_t)n->l.BATCH ? (int)n->rest : n->l.BATCH;

    bool through = v->at_rest && n->jobs == 0;
    hit_if(n, !s->store && n->jobs == SLOTS, NDA_PE_COV_slots_full);
    hit_if(n, s->store && !through, NDA_PE_COV_store_waits);
    if (s->store ? !through : n->jobs == SLOTS)
        return;
    hit_if(n, !s->store && !v->at_rest, NDA_PE_COV_ahead);
    n->to_go = sums ? ((int)n->launch.launch_rows + 1) / 2 : batch;
    n->asked = 0;
    n->address = of_operand(n, n->launch.launch_base, s->operand);
    if (s->rows && n->row > 0)
        n->address = n->row_address + n->launch.launch_length;
    else if (!sums)
        n->address += n->start;
    if (s->rows)
        n->row_address = n->address;
    if (!s->store) {
        n->job_slot[n->jobs++] = (struct job){
            .step = s,
            .n = batch,
            .row = n->row,
            .first = n->start == 0,
            .folded = s->target == NDA_PE_SUMS &&
                      (s->rows || n->rest <= (uint64_t)n->l.BATCH)};
    }
    n->sequence = ASK;
}

static void step_ends(struct nda_pe *n) {
    const struct step *s = step_of(n);

    n->sequence = BEGIN;
    if (s->rows && n->row + 1 < (int)n->launch.launch_rows) {
        n->row++;
        return;
    }
    n->row = 0;
    if (s->last && n->rest > (uint64_t)n->l.BATCH) {
        n->start += (uint64_t)n->l.BATCH;
        n->rest -= (uint64_t)n->l.BATCH;
        n->step = 0;
        n->second = true;
        hit_if(n, s->rows, NDA_PE_COV_columns);
    } else if (s->final) {
        n->sequence = END;
    } else {
        n->step++;
    }
}

static void stop(struct nda_pe *n, const struct step *s) {
    n->cause = NDA_PE_BOUND;
    n->bad_operand = s->operand;
    n->bad_write = s->store;
    n->bad_address = n->address;
    n->sequence = STOP;
    hit_if(n, !s->store, NDA_PE_COV_bound_read);
    hit_if(n, s->store, NDA_PE_COV_bound_write);
    hit_if(n, s->rows && n->row > 0, NDA_PE_COV_bound_row);
    hit_if(n, n->address >> n->l.ADDR_W, NDA_PE_COV_carry);
}

/* True if an access is put on mem_*; a load takes room. */
static bool ask(struct nda_pe *n, const struct nda_pe_in *in,
                const struct nda_pe_out *before) {
    const struct step *s = step_of(n);

    if (n->address > of_operand(n, n->launch.launch_last, s->operand)) {
        stop(n, s);
        return false;
    }
    hit_if(n, !s->store && n->room == 0, NDA_PE_COV_no_room);
    if ((before->mem_valid && !in->mem_ready) || (!s->store && n->room == 0))
        return false;
    n->out.mem_valid = 1;
    n->out.mem_write = s->store;
    n->out.mem_address = n->address++;
    n->out.mem_data = 0;
    if (s->store) {
        const struct word *w = &n->buffer[n->asked++];
        n->out.mem_data = (uint64_t)w->half[1] << 32 | w->half[0];
    } else {
        n->room--;
    }
    if (--n->to_go == 0)
        step_ends(n);
    return true;
}

static void ended(struct nda_pe *n) {
    static const int done[OPS] = {
        NDA_PE_COV_axpby, NDA_PE_COV_axpbypcz, NDA_PE_COV_axpy,
        NDA_PE_COV_copy,  NDA_PE_COV_xmy,      NDA_PE_COV_dot,
        NDA_PE_COV_nrm2,  NDA_PE_COV_scal,     NDA_PE_COV_gemv};

    n->sequence = DONE;
    hit_if(n, true, done[n->launch.launch_op]);
    hit_if(n, n->second, NDA_PE_COV_batches);
    hit_if(n, n->rest == (uint64_t)n->l.BATCH, NDA_PE_COV_full_batch);
    hit_if(n, n->launch.launch_op == NDA_PE_GEMV && (n->launch.launch_rows & 1),
           NDA_PE_COV_odd_rows);
}

static void move_sequence(struct nda_pe *n, const struct nda_pe_in *in,
                          const struct nda_pe_out *before,
                          const struct view *v) {
    bool taken = before->mem_valid && in->mem_ready, asks = false;

    hit_if(n, before->mem_valid && !in->mem_ready, NDA_PE_COV_refused);
    switch (n->sequence) {
    case IDLE:
        if (in->launch_valid & 1)
            take_launch(n, in);
        break;
    case BEGIN:
        begin(n, v);
        break;
    case ASK:
        asks = ask(n, in, before);
        break;
    case END:
        if (n->jobs == 0 && v->at_rest && !before->mem_valid)
            ended(n);
        break;
    case STOP:
        if (n->room == n->l.LANDING && !v->under_way && !before->mem_valid)
            n->sequence = DONE;
        break;
    case DONE:
        hit_if(n, !(in->done_ready & 1), NDA_PE_COV_done_waits);
        if (in->done_ready & 1)
            n->sequence = IDLE;
        break;
    }
    if (taken && !asks)
        n->out.mem_valid = n->out.mem_write = n->out.mem_address =
            n->out.mem_data = 0;
}

/* --- the work ------------------------------------------------------------- */

/* The oldest operation's result stands: write it. */
static void write_result(struct nda_pe *n, struct word r) {
    if (n->work == SUM && n->job.step->rows) {
        struct word *w = &n->buffer[n->job.row / 2];
        w->half[n->job.row & 1] = r.half[0];
        if (n->job.first && !(n->job.row & 1))
            w->half[1] = 0;
    } else if (n->work == SUM) {
        n->value = r.half[0];
    } else if (n->job.step->target == NDA_PE_SUMS) {
        n->sums = r;
    } else {
        n->buffer[n->written++ % n->l.BATCH] = r;
    }
}

/* What is held fires, if it can. */
static bool try_fire(struct nda_pe *n, const struct view *v) {
    const struct step *s = n->job.step;
    bool sum = s->target == NDA_PE_SUMS;

    if (!n->held)
        return false;
    if (s->how == NDA_PE_MOVE) {
        struct word *to = s->target == NDA_PE_SCRATCH ? n->scratch : n->buffer;
        to[n->written++ % n->l.BATCH] = n->word;
        return true;
    }
    hit_if(n, sum && !v->all_stand, NDA_PE_COV_sums_wait);
    if ((sum || n->l.ITERATIVE) && !v->all_stand)
        return false;
    hit_if(n, sum && v->stands, NDA_PE_COV_forwarded);
    fire(n, compute(n));
    return true;
}

static void run(struct nda_pe *n, const struct view *v) {
    bool fires = try_fire(n, v);
    bool pops =
        n->queue.out_valid && n->popped < n->job.n && (!n->held || fires);

    if (fires && n->popped == n->job.n)
        n->work = DRAIN;
    if (fires)
        n->held = false;
    if (!pops)
        return;
    n->held = true;
    n->word = n->landed[n->queue.out];
    n->from_buffer = n->buffer[n->popped];
    n->from_scratch = n->scratch[n->popped];
    n->popped++;
    queue_pop(&n->queue);
    n->room++;
}

static void init(struct nda_pe *n) {
    const struct job *j = &n->job;

    if (j->step->target == NDA_PE_SUMS && (j->step->rows || j->first)) {
        n->sums = (struct word){{0, 0}};
        if (!j->first)
            n->sums.half[0] = n->buffer[j->row / 2].half[j->row & 1];
    }
    n->popped = n->written = 0;
    n->work = RUN;
}

static void move_work(struct nda_pe *n, const struct view *v, bool stopped,
                      bool slot) {
    if (v->stands) {
        write_result(n, n->fired[0].value);
        n->fires--;
        memmove(n->fired, n->fired + 1, (size_t)n->fires * sizeof n->fired[0]);
    }
    if (stopped) {
        n->work = REST;
        n->held = false;
        if (n->queue.out_valid) {
            queue_pop(&n->queue);
            n->room++;
            hit_if(n, true, NDA_PE_COV_dropped);
        }
        return;
    }
    switch (n->work) {
    case REST:
        if (slot) {
            n->job = n->job_slot[0];
            n->job_slot[0] = n->job_slot[1];
            n->jobs--;
            n->work = INIT;
        }
        break;
    case INIT:
        init(n);
        break;
    case RUN:
        run(n, v);
        break;
    case DRAIN:
        if (!v->under_way)
            n->work = n->job.folded ? FOLD : REST;
        break;
    case FOLD: {
        uint32_t sum = arith(FMA_ADD, n->sums.half[0], 0, n->sums.half[1]);
        fire(n, (struct word){{sum, sum}});
        n->work = SUM;
        break;
    }
    case SUM:
        if (!v->under_way)
            n->work = REST;
        break;
    }
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    ((struct nda_pe *)g)->l = nda_pe_local(c);
}

static void reset(struct golden *g) {
    struct nda_pe *n = (struct nda_pe *)g;

    n->sequence = IDLE;
    n->work = REST;
    n->jobs = 0;
    n->held = false;
    n->fires = 0;
    n->room = n->l.LANDING;
    queue_reset(&n->queue, n->l.LANDING);
    n->out.launch_ready = 1;
}

static void show_done(struct nda_pe *n) {
    bool done = n->sequence == DONE, bound = done && n->cause == NDA_PE_BOUND;

    n->out.launch_ready = n->sequence == IDLE;
    n->out.done_valid = done;
    n->out.done_cause = done ? (unsigned)n->cause : 0;
    n->out.done_operand = bound ? (unsigned)n->bad_operand : 0;
    n->out.done_write = bound && n->bad_write;
    n->out.done_address = bound ? n->bad_address : 0;
    n->out.done_value = done ? n->value : 0;
}

static void edge(struct golden *g, const void *ports) {
    struct nda_pe *n = (struct nda_pe *)g;
    const struct nda_pe_in *in = ports;
    struct nda_pe_out before = n->out;
    uint64_t latency = (uint64_t)n->l.LATENCY;
    bool slot = n->jobs > 0, stopped = n->sequence == STOP;
    struct view v = {.at_rest = n->work == REST, .under_way = n->fires > 0};

    v.stands = n->fires > 0 && n->now - n->fired[0].at == latency;
    v.all_stand = n->fires == 0 || (n->fires == 1 && v.stands);
    move_sequence(n, in, &before, &v);
    move_work(n, &v, stopped, slot);
    if (stopped)
        n->jobs = 0;
    if (in->rsp_valid & 1)
        n->landed[queue_push(&n->queue)] = (struct word){
            {(uint32_t)in->rsp_data, (uint32_t)(in->rsp_data >> 32)}};
    queue_edge(&n->queue);
    show_done(n);
    n->now++;
}

const struct golden_class nda_pe_golden = {
    .iface = &nda_pe_iface,
    MODEL_STRUCT(struct nda_pe),
    .open = open,
    .reset = reset,
    .edge = edge,
};
