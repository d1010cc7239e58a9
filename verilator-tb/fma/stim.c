/* stim.c - stimulus of the fused multiply-add unit: somebody who sends
 * operations, and knows what comes out, and when.
 *
 * Results are computed once more in whole numbers (oracle.h), which is neither
 * the model's way nor the RTL's.
 *
 * random    hard operations (hard.h), at rates that change
 * directed  a list that has each class in it, under all rounding modes and
 *           modifiers; then every distance of the exponents
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/fma.h"
#include "fma/hard.h"
#include "fma/oracle.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 64 };

struct due {
    uint64_t edge, id;
    struct fma_op op;
};

struct fma_stim {
    struct stim base;
    struct fma_local size;
    int rate;        /* percent of the cycles with an operation */
    int left;        /* edges of this rate */
    uint64_t number; /* of the directed operation */
    bool asks;       /* an operation is offered */
    struct fma_op op;
    uint64_t id;
    uint64_t free; /* the edge from which on it is taken */
    struct due due[MOST];
    uint64_t sent, got;
};

/* --- operations ----------------------------------------------------------- */

struct listed {
    uint8_t kind;
    uint32_t a, b, c;
};

static const struct listed list[] = {
    /* 1 + half a unit, tie to even; 1 + 3 halves; just beside the first */
    {FMA_ADD, 0x3f800000, 0, 0x33800000},
    {FMA_ADD, 0x3f800001, 0, 0x33800000},
    {FMA_ADD, 0x3f800000, 0, 0x33800001},
    {FMA_ADD, 0x3f800000, 0, 0xb3000000},
    /* a product of 48 bits, against its upper half; near cancellation */
    {FMA_FMA, 0x3fffffff, 0x3fffffff, 0xc07ffffe},
    {FMA_FMA, 0x3f800001, 0x3f800001, 0xbf800002},
    {FMA_FMA, 0x3fffffff, 0x3f800001, 0x80000000},
    /* cancelled; by a zero of the other sign; zeros of one sign */
    {FMA_FMA, 0x40400000, 0x40000000, 0xc0c00000},
    {FMA_ADD, 0x3f800000, 0, 0xbf800000},
    {FMA_ADD, 0x00000000, 0, 0x80000000},
    {FMA_ADD, 0x80000000, 0, 0x80000000},
    {FMA_MUL, 0x80000000, 0x3f800000, 0x12345678},
    /* carries, of all ones */
    {FMA_ADD, 0x3fffffff, 0, 0x33c00000},
    {FMA_ADD, 0xbfffffff, 0, 0xb3c00000},
    /* overflow, of the product and by the addend */
    {FMA_MUL, 0x7f7fffff, 0x40000000, 0},
    {FMA_MUL, 0xff7fffff, 0x40000000, 0},
    {FMA_ADD, 0x7f7fffff, 0, 0x73000000},
    /* the least normal number of below it; subnormal; half of the least */
    {FMA_MUL, 0x3f7fffff, 0x00800000, 0},
    {FMA_MUL, 0x3f000001, 0x00ffffff, 0},
    {FMA_MUL, 0x00000001, 0x3f000000, 0},
    {FMA_MUL, 0x80000001, 0x3f000001, 0},
    {FMA_FMA, 0x00000003, 0x3f000000, 0x00000001},
    {FMA_FMA, 0x00000001, 0x7effffff, 0x00000001},
    {FMA_FMA, 0x00000001, 0x00000001, 0x3f800000},
    /* the product only sticky; the addend only sticky */
    {FMA_FMA, 0x3f800001, 0x2f800000, 0xbf800000},
    {FMA_FMA, 0x3fffffff, 0x3f812345, 0x00ffffff},
    {FMA_FMA, 0xbf800000, 0x3f800000, 0x00000001},
    /* NaN, quiet and not; invalid; infinities */
    {FMA_ADD, 0x7fc00000, 0, 0x3f800000},
    {FMA_FMA, 0x3f800000, 0x3f800000, 0xff800001},
    {FMA_FMA, 0x7f800000, 0x00000000, 0x3f800000},
    {FMA_FMA, 0x7f800000, 0x3f800000, 0xff800000},
    {FMA_ADD, 0xff800000, 0, 0xff7fffff},
    {FMA_FMA, 0x7f7fffff, 0x7f7fffff, 0xff800000},
    {FMA_MUL, 0x3f800000, 0xc0000000, 0x7f800000},
};

enum { LISTED = sizeof list / sizeof *list };

static struct fma_op of_list(uint64_t n) {
    const struct listed *l = &list[n % LISTED];
    return (struct fma_op){.kind = l->kind,
                           .a = l->a,
                           .b = l->b,
                           .c = l->c,
                           .rounding = n / LISTED & 3,
                           .ftz = n / LISTED >> 2 & 1,
                           .sat = n / LISTED >> 3 & 1};
}

/* Every distance of the exponents, with fractions that leave something behind,
 * about a product of one and one that is barely normal. */
static struct fma_op of_walk(uint64_t n, struct rng *r) {
    static const uint32_t fraction[] = {0, 1, 0x7fffff, 0x400000, 0x555555};
    int distance = (int)(n % 161) - 80;
    int middle = n / 161 % 2 ? 127 : 40;
    uint32_t pick = (uint32_t)(n / 322);
    struct fma_op op = {.a = (uint32_t)middle << 23, .b = 0x3f800000};
    op.c = (uint32_t)(middle + distance > 0 ? middle + distance : 0) << 23;
    op.a |= fraction[pick % 5] | (pick & 1) << 31;
    op.b |= fraction[pick / 5 % 5];
    op.c |= fraction[pick / 25 % 5] | (pick >> 1 & 1) << 31;
    op.rounding = rng_next(r) & 3;
    return op;
}

/* --- modes ---------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 90, 50, 5};
    struct fma_stim *s = (struct fma_stim *)base;
    if (s->left-- > 0)
        return;
    s->rate = rates[rng_below(&base->rng, 5)];
    s->left = rng_range(&base->rng, 20, 600);
}

static void step_directed(struct stim *base) {
    ((struct fma_stim *)base)->rate = 100;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

static struct fma_op next(struct fma_stim *s) {
    struct rng *r = &s->base.rng;
    if (s->base.mode == &directed_mode) {
        uint64_t n = s->number++;
        return n < 16 * LISTED ? of_list(n) : of_walk(n - 16 * LISTED, r);
    }
    return rng_percent(r, 5) ? of_list(rng_below(r, 16 * LISTED)) : fma_hard(r);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct fma_stim *)base)->size = fma_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct fma_stim *s = (struct fma_stim *)base;
    s->asks = false;
    s->free = base->now;
    s->got = s->sent;
}

static void show(const struct fma_op *op, uint64_t id, struct fma_in *in) {
    in->op_id = id;
    in->op_kind = op->kind;
    in->op_rounding = op->rounding;
    in->op_ftz = op->ftz;
    in->op_sat = op->sat;
    in->op_a = op->a;
    in->op_b = op->b;
    in->op_c = op->c;
}

static void drive(struct stim *base, void *ports) {
    struct fma_stim *s = (struct fma_stim *)base;
    struct fma_in *in = ports;
    struct rng *r = &base->rng;
    if (!s->asks && base->rst_left == 0 && rng_percent(r, s->rate)) {
        s->asks = true;
        s->op = next(s);
        s->id = rng_next(r) & ones(s->size.ID_W);
    } else if (!s->asks && rng_percent(r, 20)) { /* noise */
        s->op = fma_hard(r);
    }
    in->op_valid = s->asks;
    show(&s->op, s->id, in);
}

/* An operation is taken. */
static void take(struct fma_stim *s) {
    uint64_t latency = (uint64_t)s->size.LATENCY;
    s->due[s->sent++ % MOST] = (struct due){
        .edge = s->base.now + latency - 1, .id = s->id, .op = s->op};
    s->free = s->base.now + (s->size.ITERATIVE ? latency : 1);
    s->asks = false;
}

static const char *check_result(struct fma_stim *s, const struct fma_out *out) {
    const struct due *d = &s->due[s->got++ % MOST];
    uint32_t expected = fma_oracle(&d->op);
    if (!out->res_valid)
        return stim_complain(&s->base, "no result, expected one");
    if (out->res_id != d->id)
        return stim_complain(
            &s->base, "id of the result is %" PRIx64 ", expected %" PRIx64,
            (uint64_t)out->res_id, d->id);
    if (out->res_value == expected)
        return NULL;
    return stim_complain(
        &s->base,
        "kind %d, rounding %d, ftz %d, sat %d of %08" PRIx32 ", %08" PRIx32
        ", %08" PRIx32 " is %08" PRIx32 ", expected %08" PRIx32,
        d->op.kind, d->op.rounding, d->op.ftz, d->op.sat, d->op.a, d->op.b,
        d->op.c, (uint32_t)out->res_value, expected);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct fma_stim *s = (struct fma_stim *)base;
    const struct fma_in *in = in_ports;
    const struct fma_out *before = before_ports, *after = after_ports;
    if (in->op_valid && before->op_ready)
        take(s);
    if (after->op_ready != (s->free <= base->now + 1))
        return stim_complain(base, "it is %sready",
                             after->op_ready ? "" : "not ");
    if (s->got != s->sent && s->due[s->got % MOST].edge == base->now)
        return check_result(s, after);
    return after->res_valid ? stim_complain(base, "a result of nothing") : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct fma_stim *s = (const struct fma_stim *)base;
    text_printf(t, "operations\t%" PRIu64 "\n", s->sent);
}

const struct stim_class fma_stim = {
    .size = sizeof(struct fma_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
