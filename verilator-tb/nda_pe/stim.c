/* stim.c - stimulus of a processing element: somebody who launches operations,
 * and the memory that they work on.
 *
 * What must come out is computed when an operation is launched, by plain loops
 * over its elements in the order that the note gives (reference.c): the list of
 * its accesses up to the one that a bound forbids, with what is written, the
 * cause and the value.
 *
 * random    operations, lengths, bounds, numbers and a memory that change
 * directed  each operation with lengths about one and two batches, and with
 *           each operand's bound in the way, on a memory that keeps up
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_pe.h"
#include "fma/hard.h"
#include "nda_pe/reference.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LANDING = 64, PATIENCE = 60000 };

struct tune {
    int launch, ready, done; /* percent of the edges */
    int delay;               /* edges from a read to its word, at least */
    int answer;              /* percent of the edges */
};

/* A word on its way. */
struct due {
    uint64_t edge, data;
};

struct nda_pe_stim {
    struct stim base;
    struct nda_pe_local size;
    struct tune tune;
    int left;
    uint64_t number; /* of the directed operation */
    bool offers, runs;
    struct pe_operation op;
    struct pe_expected expected;
    size_t next; /* access */
    struct due due[MOST_LANDING];
    uint64_t asked, answered;
    uint64_t last_event;
    uint64_t operations, accesses, stopped;
    uint64_t memory[PE_WINDOW];
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 100, 60, 25, 10};
    struct nda_pe_stim *s = (struct nda_pe_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.launch = rates[rng_below(r, 6)],
                            .ready = rates[rng_below(r, 6)],
                            .done = rates[rng_below(r, 6)],
                            .delay = rng_range(r, 1, 30),
                            .answer = rates[rng_below(r, 5)]};
    s->left = rng_range(r, 100, 2000);
}

static void step_directed(struct stim *base) {
    ((struct nda_pe_stim *)base)->tune = (struct tune){100, 100, 100, 2, 100};
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- operations ----------------------------------------------------------- */

static uint32_t number(struct rng *r, int style) {
    if (style == 0)
        return fma_hard_any(r);
    if (style == 1) /* whole numbers, whose sums are exact */
        return fma_hard_bits((double)rng_range(r, -99, 99));
    return fma_hard_pack(r, rng_range(r, 120, 134));
}

/* Fresh numbers for each operand, so that what is not one dies out. */
static void fill(struct nda_pe_stim *s) {
    struct rng *r = &s->base.rng;
    int style = rng_range(r, 0, 3);
    for (int k = 0; k < 4; k++)
        for (uint64_t i = 0; i < s->op.words[k]; i++) {
            uint64_t low = number(r, style), high = number(r, style);
            s->memory[(s->op.base[k] + i) % PE_WINDOW] = high << 32 | low;
        }
    for (int i = 0; i < 3; i++)
        s->op.scalar[i] = number(r, style);
}

/* The operands one behind the other, with gaps, in a window that begins
 * anywhere; an output may be an input, too. */
static void place(struct nda_pe_stim *s) {
    struct rng *r = &s->base.rng;
    struct pe_operation *op = &s->op;
    uint64_t all = ones(s->size.ADDR_W),
             size = PE_WINDOW < all ? PE_WINDOW : all + 1;
    uint64_t page = rng_percent(r, 30) ? all & ~(size - 1)
                                       : rng_next(r) & all & ~(size - 1);
    uint64_t at = page;
    for (int k = 0; k < 4; k++) {
        at += rng_below(r, 8);
        op->base[k] = at & all;
        at += op->words[k];
        op->last[k] = op->words[k] ? (at - 1) & all : at & all;
    }
    if (op->op != NDA_PE_GEMV && rng_percent(r, 25)) {
        op->base[2] = op->base[rng_below(r, 2)];
        op->last[2] = op->base[2] + (op->words[2] ? op->words[2] - 1 : 0);
    }
}

/* One operand's bound is too low, or it goes beyond all addresses. */
static void forbid(struct nda_pe_stim *s, int k) {
    struct rng *r = &s->base.rng;
    struct pe_operation *op = &s->op;
    uint64_t all = ones(s->size.ADDR_W);
    if (op->words[k] == 0)
        return;
    uint64_t some = rng_below(r, (uint32_t)op->words[k]);
    if (rng_percent(r, 25)) {
        op->base[k] = all - some;
        op->last[k] = all;
    } else if (op->base[k] + some > 0) {
        op->last[k] = op->base[k] + some - 1;
    }
}

/* Sizes of an operation: words and rows. */
static void measure(struct nda_pe_stim *s, uint64_t length, uint64_t rows) {
    struct pe_operation *op = &s->op;
    uint64_t all = ones(s->size.ADDR_W);
    uint64_t share = (PE_WINDOW < all ? PE_WINDOW : all) / 8;
    bool gemv = op->op == NDA_PE_GEMV;
    op->length = length < share ? length : share;
    op->rows = rows;
    uint64_t most = 20 * (uint64_t)s->size.BATCH; /* words of a matrix */
    most = most < 2 * share ? most : 2 * share;
    if (gemv && op->rows * op->length > most)
        op->length = most / op->rows + (most < op->rows);
    for (int k = 0; k < 4; k++)
        op->words[k] = op->length;
    if (gemv) {
        op->words[1] = (op->rows + 1) / 2;
        op->words[2] = op->rows * op->length;
        op->words[3] = 0;
    }
}

static void any_operation(struct nda_pe_stim *s) {
    struct rng *r = &s->base.rng;
    uint32_t batch = (uint32_t)s->size.BATCH;
    uint64_t length = rng_percent(r, 5)    ? rng_below(r, PE_WINDOW / 8)
                      : rng_percent(r, 40) ? rng_below(r, batch)
                      : rng_percent(r, 50) ? batch * rng_below(r, 4)
                                           : rng_below(r, 3 * batch);
    uint64_t rows = rng_percent(r, 8)    ? 2 * batch + rng_below(r, 3)
                    : rng_percent(r, 80) ? rng_below(r, 9)
                                         : rng_below(r, 2 * batch);
    s->op.op = rng_percent(r, 8)    ? rng_range(r, 9, 15)
               : rng_percent(r, 20) ? NDA_PE_GEMV
                                    : rng_range(r, 0, 8);
    measure(s, length, rows);
    place(s);
    if (rng_percent(r, 25))
        forbid(s, rng_range(r, 0, 3));
}

static void directed_operation(struct nda_pe_stim *s) {
    uint64_t n = s->number++, batch = (uint64_t)s->size.BATCH;
    uint64_t lengths[] = {1, batch, batch + 1, 2 * batch + 3, 0};
    s->op.op = (int)(n % 9);
    measure(s, lengths[n / 9 % 5], 1 + n / 45 % 4);
    place(s);
    if (n / 45 % 6 < 4)
        forbid(s, (int)(n / 45 % 6));
    if (n % 91 == 0)
        s->op.op = 9 + (int)(n / 91 % 7);
    if (n % 91 == 1) {
        s->op.op = NDA_PE_GEMV;
        s->op.rows = 2 * batch + 1;
    }
}

static void new_operation(struct nda_pe_stim *s) {
    if (s->base.mode == &directed_mode)
        directed_operation(s);
    else
        any_operation(s);
    fill(s);
    pe_reference(&s->op, s->size.BATCH, s->memory, &s->expected);
    s->next = 0;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct nda_pe_stim *)base)->size = nda_pe_local(c);
    base->reset_every = 20000;
}

static void close(struct stim *base) {
    pe_expected_free(&((struct nda_pe_stim *)base)->expected);
}

static void reset(struct stim *base) {
    struct nda_pe_stim *s = (struct nda_pe_stim *)base;
    s->offers = s->runs = false;
    s->answered = s->asked;
    s->last_event = base->now;
}

static void show(struct nda_pe_stim *s, struct nda_pe_in *in) {
    const struct pe_operation *op = &s->op;
    int width = s->size.ADDR_W;
    in->launch_op = (uint64_t)op->op & 15;
    in->launch_length = op->length;
    in->launch_rows = op->rows & ones(s->size.ROWS_W);
    memset(in->launch_base, 0, sizeof in->launch_base);
    memset(in->launch_last, 0, sizeof in->launch_last);
    memset(in->launch_scalars, 0, sizeof in->launch_scalars);
    for (int k = 0; k < 4; k++) {
        bits_or(in->launch_base, k * width, width, op->base[k] & ones(width));
        bits_or(in->launch_last, k * width, width, op->last[k] & ones(width));
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(in->launch_scalars, i, op->scalar[i]);
}

static void drive(struct stim *base, void *ports) {
    struct nda_pe_stim *s = (struct nda_pe_stim *)base;
    struct nda_pe_in *in = ports;
    struct rng *r = &base->rng;
    const struct due *d = &s->due[s->answered % MOST_LANDING];
    if (!s->offers && !s->runs && rng_percent(r, s->tune.launch)) {
        s->offers = true;
        new_operation(s);
    }
    in->launch_valid = s->offers;
    show(s, in);
    in->mem_ready = rng_percent(r, s->tune.ready);
    in->done_ready = rng_percent(r, s->tune.done);
    in->rsp_valid = s->answered != s->asked && d->edge <= base->now &&
                    rng_percent(r, s->tune.answer);
    in->rsp_data = in->rsp_valid ? d->data : rng_next(r);
}

static const char *check_access(struct nda_pe_stim *s,
                                const struct nda_pe_out *out) {
    const struct pe_access *a = &s->expected.list[s->next];
    uint64_t *word = &s->memory[out->mem_address % PE_WINDOW];
    if (s->next == s->expected.n)
        return stim_complain(&s->base, "an access that is none of its own");
    if (out->mem_write != a->write || out->mem_address != a->address)
        return stim_complain(&s->base,
                             "access %zu is a %s of %" PRIx64
                             ", expected a %s of %" PRIx64,
                             s->next, out->mem_write ? "write" : "read",
                             (uint64_t)out->mem_address,
                             a->write ? "write" : "read", a->address);
    if (a->write && out->mem_data != a->data)
        return stim_complain(
            &s->base, "write %zu is %016" PRIx64 ", expected %016" PRIx64,
            s->next, (uint64_t)out->mem_data, a->data);
    s->next++;
    s->accesses++;
    if (a->write) {
        *word = a->data;
        return NULL;
    }
    if (s->asked - s->answered >= (uint64_t)s->size.LANDING)
        return stim_complain(&s->base, "more reads than there is room for");
    s->due[s->asked++ % MOST_LANDING] = (struct due){
        .edge = s->base.now + (uint64_t)s->tune.delay, .data = *word};
    return NULL;
}

static const char *check_done(struct nda_pe_stim *s,
                              const struct nda_pe_out *out) {
    const struct pe_expected *e = &s->expected;
    if (s->next != e->n || s->asked != s->answered)
        return stim_complain(&s->base,
                             "it ends after %zu of %zu accesses, %" PRIu64
                             " words under way",
                             s->next, e->n, s->asked - s->answered);
    if ((int)out->done_cause != e->cause)
        return stim_complain(&s->base, "the cause is %d, expected %d",
                             (int)out->done_cause, e->cause);
    if ((int)out->done_operand != e->operand || out->done_write != e->write ||
        out->done_address != e->address)
        return stim_complain(&s->base,
                             "operand %d is out of bounds at %" PRIx64
                             ", expected %d at %" PRIx64,
                             (int)out->done_operand,
                             (uint64_t)out->done_address, e->operand,
                             e->address);
    if (out->done_value != e->value)
        return stim_complain(&s->base, "the value is %08x, expected %08x",
                             (unsigned)out->done_value, (unsigned)e->value);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_pe_stim *s = (struct nda_pe_stim *)base;
    const struct nda_pe_in *in = in_ports;
    const struct nda_pe_out *before = before_ports, *after = after_ports;
    const char *wrong = NULL;
    bool launched = in->launch_valid && before->launch_ready;
    bool access = before->mem_valid && in->mem_ready;
    bool done = before->done_valid && in->done_ready;
    s->answered += in->rsp_valid;
    if (launched) {
        s->offers = false;
        s->runs = true;
        s->operations++;
    }
    if (access || done || launched || in->rsp_valid)
        s->last_event = base->now;
    if ((access || after->done_valid) && !s->runs)
        wrong = stim_complain(base, "something is done without a launch");
    if (!wrong && access)
        wrong = check_access(s, before);
    if (!wrong && done) {
        wrong = check_done(s, before);
        s->runs = false;
        s->stopped += s->expected.cause != NDA_PE_NONE;
    }
    if (!wrong && after->launch_ready != !s->runs)
        wrong = stim_complain(base, "it is %sready for a launch",
                              s->runs ? "" : "not ");
    if (!wrong && s->runs && base->now - s->last_event > PATIENCE)
        wrong = stim_complain(base, "nothing goes on");
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_pe_stim *s = (const struct nda_pe_stim *)base;
    text_printf(t, "operations\t%" PRIu64 "\n", s->operations);
    text_printf(t, "stopped\t%" PRIu64 "\n", s->stopped);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
}

const struct stim_class nda_pe_stim = {
    .size = sizeof(struct nda_pe_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
