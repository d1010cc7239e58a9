/* test_together.c - the golden model of the pipeline of the base die with more
 * than one subcore, edge by edge beside so many models of one subcore, behind
 * whose ports stands here what "Subcores" of docs/blocks/far_pipe.md says of
 * those that they share.
 */
#include "unit.h"

#include "kit/rng.h"

enum { MOST = 8, QUEUE = 4, TAGS = 16, WARPS = 16, REGS = 16, EDGES = 120000 };

typedef struct far_pipe_in ins;
typedef struct far_pipe_out outs;

static const char *const words[TAGS] = {
    "movi r0, 5",
    "add3 r0, r1, r2, r3",
    "@p0 add r0, r1, r2",
    "setltu p0, r1, 13",
    "exit",
    "@!p0 bra 5",
    "s2r r1, %ctaid.y",
    "ldp r1, 5",
    "ldg.b32 r0, [r1+0]",
    "stg.b32 [r1-4], r2",
    "ldg.s16 r0, [r1-2]",
    "atg.cas r0, [r1], r2, r3",
    "lds.b32 r0, [r1+0]",
    "vote r2, !p0",
    "shfl.idx r2, r1, r3, r4",
    "@p0 ldg.b32 r0, [r1+4]",
};

/* --- what the note says of them ------------------------------------------- */

struct shown {
    uint64_t valid, cause, warp, tag, other; /* ticket, lanes, address */
};

struct list {
    struct shown of[QUEUE];
    int many;
};

struct together {
    struct golden *whole, *part[MOST];
    const outs *out, *one[MOST];
    ins queue[MOST][QUEUE];
    int queued[MOST];
    struct shown done, resolve, fault;
    struct list resolves[MOST], faults[MOST];
    int n, done_last, resolve_last, fault_last, access, ask;
    int most_faults, met; /* resolves or faults of several on an edge */
};

static uint64_t back(const struct together *t, int s, uint64_t warp) {
    return warp * (uint64_t)t->n + (uint64_t)s;
}

/* The next of the round of those that are marked; -1: none. */
static int next_of(const struct together *t, const bool *is, int *last) {
    for (int k = 1; k <= t->n; k++) {
        int s = (*last + k) % t->n;
        if (is[s])
            return *last = s;
    }
    return -1;
}

static void keep(struct list *l, struct shown what) {
    assert_true(l->many < QUEUE);
    l->of[l->many++] = what;
}

static struct shown show_next(struct together *t, struct list *l, int *last) {
    bool is[MOST];
    int s, several = 0;
    for (s = 0; s < t->n; s++) {
        is[s] = l[s].many > 0;
        several += is[s];
    }
    t->met += several > 1;
    s = next_of(t, is, last);
    if (s < 0)
        return (struct shown){0};
    struct shown first = l[s].of[0];
    memmove(l[s].of, l[s].of + 1, (size_t)--l[s].many * sizeof first);
    return first;
}

static void step_shown(struct together *t, int told) {
    const outs *o;
    for (int s = 0; s < t->n; s++) {
        o = t->one[s];
        if (o->resolve_valid)
            keep(&t->resolves[s],
                 (struct shown){1, 0, back(t, s, o->resolve_warp),
                                o->resolve_tag, o->resolve_lanes});
        if (o->fault_valid)
            keep(&t->faults[s],
                 (struct shown){1, o->fault_cause, back(t, s, o->fault_warp),
                                o->fault_tag, o->fault_address});
        if (t->faults[s].many > t->most_faults)
            t->most_faults = t->faults[s].many;
        assert_true(t->resolves[s].many <= 1);
        assert_true(t->faults[s].many <= 3);
    }
    t->resolve = show_next(t, t->resolves, &t->resolve_last);
    t->fault = show_next(t, t->faults, &t->fault_last);
    if (told < 0)
        return;
    o = t->one[told];
    t->done = (struct shown){1, 0, back(t, told, o->done_warp), o->done_tag,
                             o->done_ticket};
}

/* Whose completion is taken. */
static int step_done(struct together *t, const ins *in) {
    bool is[MOST];
    if (t->done.valid && !in->done_ready)
        return -1;
    t->done = (struct shown){0};
    for (int s = 0; s < t->n; s++)
        is[s] = t->one[s]->done_valid && !t->one[s]->resolve_valid &&
                !t->one[s]->fault_valid && t->faults[s].many == 0 &&
                t->resolves[s].many == 0;
    return next_of(t, is, &t->done_last);
}

/* The one that is chosen, and shows nothing or is taken. */
static int step_choice(const struct together *t, int chosen, const bool *is,
                       bool ready) {
    if (is[chosen] && !ready)
        return chosen;
    for (int k = 1; k < t->n; k++)
        if (is[(chosen + k) % t->n])
            return (chosen + k) % t->n;
    return chosen;
}

static bool has(uint64_t is, uint64_t reg) {
    return is == operand((int)reg);
}

static bool is_queued(const struct together *t, int s, uint64_t warp,
                      uint64_t reg) {
    for (int k = 0; k < t->queued[s]; k++) {
        const ins *i = &t->queue[s][k];
        if (i->exec_warp == warp &&
            (has(i->exec_src0, reg) || has(i->exec_src1, reg) ||
             has(i->exec_src2, reg) || has(i->exec_guard, reg) ||
             has(i->exec_dst, reg)))
            return true;
    }
    return false;
}

/* Its own warps', with their numbers there. */
static uint64_t own(const struct together *t, int s, uint64_t *warp) {
    bool is = *warp % (uint64_t)t->n == (uint64_t)s;
    *warp /= (uint64_t)t->n;
    return is;
}

static ins for_one(const struct together *t, int s, const ins *in) {
    ins i = t->queued[s] > 0 ? t->queue[s][0] : (ins){0};
    ins o = *in;
    o.exec_valid = t->queued[s] > 0;
    o.exec_warp = i.exec_warp / (uint64_t)t->n;
    o.exec_tag = i.exec_tag;
    o.exec_op = i.exec_op;
    o.exec_mask = i.exec_mask;
    o.exec_dst = i.exec_dst;
    o.exec_src0 = i.exec_src0;
    o.exec_src1 = i.exec_src1;
    o.exec_src2 = i.exec_src2;
    o.exec_guard = i.exec_guard;
    o.exec_ticket = i.exec_ticket;
    if (is_queued(t, s, in->write_warp, in->write_reg))
        o.write_valid = 0;
    if (is_queued(t, s, in->init_warp, in->init_reg))
        o.init_valid = 0;
    o.value_valid &= own(t, s, &o.value_warp);
    o.read_valid &= own(t, s, &o.read_warp) & t->out->read_ready;
    o.write_valid &= own(t, s, &o.write_warp);
    o.init_valid &= own(t, s, &o.init_warp);
    o.ended_valid &= own(t, s, &o.ended_warp);
    o.carried_valid &= own(t, s, &o.carried_warp);
    o.window_valid = 0;
    o.access_ready &= t->access == s;
    o.ask_ready &= t->ask == s;
    return o;
}

static void step(struct together *t, bool rst, const ins *in) {
    bool accesses[MOST], asks[MOST];
    ins of[MOST];
    int told = step_done(t, in);
    for (int s = 0; s < t->n; s++) {
        accesses[s] = t->one[s]->access_valid;
        asks[s] = t->one[s]->ask_valid;
        of[s] = for_one(t, s, in);
        of[s].done_ready = told == s;
    }
    step_shown(t, told);
    t->access = step_choice(t, t->access, accesses, in->access_ready);
    t->ask = step_choice(t, t->ask, asks, in->ask_ready);
    for (int s = 0; s < t->n; s++) {
        if (t->queued[s] > 0 && t->one[s]->exec_ready)
            memmove(t->queue[s], t->queue[s] + 1,
                    (size_t)--t->queued[s] * sizeof of[s]);
        if (in->exec_valid && t->out->exec_ready &&
            in->exec_warp % (uint64_t)t->n == (uint64_t)s)
            t->queue[s][t->queued[s]++] = *in;
    }
    if (rst) {
        memset(t->queued, 0, sizeof t->queued);
        memset(t->resolves, 0, sizeof t->resolves);
        memset(t->faults, 0, sizeof t->faults);
        t->done = t->resolve = t->fault = (struct shown){0};
        t->done_last = t->resolve_last = t->fault_last = t->n - 1;
        t->access = t->ask = 0;
    }
    for (int s = 0; s < t->n; s++)
        t->one[s] = golden_cycle(t->part[s], rst, &of[s]);
    t->out = golden_cycle(t->whole, rst, in);
}

/* All outputs, as they have to be. */
static void expect_outputs(const struct together *t) {
    outs o = {.exec_ready = 1, .read_ready = 1, .carried_ready = 1};
    const outs *a = t->one[t->access], *k = t->one[t->ask];
    for (int s = 0; s < t->n; s++) {
        o.exec_ready &= t->queued[s] < QUEUE;
        o.read_ready &= t->one[s]->read_ready;
        o.write_ready |= t->one[s]->write_ready;
        o.init_ready |= t->one[s]->init_ready;
        if (t->one[s]->data_valid) {
            o.data_valid = 1;
            memcpy(o.data_row, t->one[s]->data_row, sizeof o.data_row);
        }
    }
    o.done_valid = t->done.valid;
    o.done_warp = t->done.warp;
    o.done_tag = t->done.tag;
    o.done_ticket = t->done.other;
    o.resolve_valid = t->resolve.valid;
    o.resolve_warp = t->resolve.warp;
    o.resolve_tag = t->resolve.tag;
    o.resolve_lanes = t->resolve.other;
    o.fault_valid = t->fault.valid;
    o.fault_cause = t->fault.cause;
    o.fault_warp = t->fault.warp;
    o.fault_tag = t->fault.tag;
    o.fault_address = t->fault.other;
    o.access_valid = a->access_valid;
    o.access_store = a->access_store;
    o.access_warp = a->access_valid ? back(t, t->access, a->access_warp) : 0;
    o.access_reg = a->access_reg;
    o.access_mask = a->access_mask;
    memcpy(o.access_address, a->access_address, sizeof o.access_address);
    o.ask_valid = k->ask_valid;
    o.ask_op = k->ask_op;
    o.ask_size = k->ask_size;
    o.ask_signed = k->ask_signed;
    o.ask_warp = k->ask_valid ? back(t, t->ask, k->ask_warp) : 0;
    o.ask_reg = k->ask_reg;
    o.ask_result = k->ask_result;
    o.ask_mask = k->ask_mask;
    memcpy(o.ask_address, k->ask_address, sizeof o.ask_address);
    memcpy(o.ask_data, k->ask_data, sizeof o.ask_data);
    memcpy(o.ask_compare, k->ask_compare, sizeof o.ask_compare);
    assert_int_equal(t->out->exec_ready, o.exec_ready);
    assert_int_equal(t->out->done_valid, o.done_valid);
    assert_int_equal(t->out->done_warp, o.done_warp);
    assert_int_equal(t->out->resolve_valid, o.resolve_valid);
    assert_int_equal(t->out->resolve_warp, o.resolve_warp);
    assert_int_equal(t->out->fault_valid, o.fault_valid);
    assert_int_equal(t->out->fault_warp, o.fault_warp);
    assert_int_equal(t->out->access_warp, o.access_warp);
    assert_int_equal(t->out->ask_warp, o.ask_warp);
    assert_memory_equal(t->out, &o, sizeof o);
}

static void open_together(struct together *t, int warps, int n, int passes) {
    static const ins none;
    struct unit u;
    memset(t, 0, sizeof *t);
    t->n = n;
    open_split(&u, warps, n, passes, 0);
    t->whole = u.g;
    t->out = u.out;
    for (int s = 0; s < n; s++) {
        open_split(&u, warps / n, 1, passes, 0);
        t->part[s] = u.g;
        t->one[s] = u.out;
    }
    step(t, true, &none);
}

static void close_together(struct together *t) {
    golden_free(t->whole);
    for (int s = 0; s < t->n; s++)
        golden_free(t->part[s]);
}

/* --- who stands around ---------------------------------------------------- */

struct around {
    struct rng rng;
    ins in;
    int warps, passes, edge, fault; /* percent of ends with one */
    int rate, ready, waits;         /* percent, and edges until an end */
    int desk;                       /* only words of the desk, faults mostly */
    int under[WARPS][REGS];         /* instructions that have it as DST */
    int due[WARPS];                 /* until the access ends; 0: none */
    int dst_of[WARPS][256], count;  /* by ticket */
};

static uint64_t some(struct around *a, int reg, int percent) {
    return rng_percent(&a->rng, percent) ? operand(reg) : 0;
}

static bool row_has(const struct around *a, uint64_t warp, uint64_t is) {
    return (a->in.write_valid && a->in.write_warp == warp &&
            has(is, a->in.write_reg)) ||
           (a->in.init_valid && a->in.init_warp == warp &&
            has(is, a->in.init_reg));
}

/* Registers 0 to 3 are sources, 4 to 7 destinations, 12 and 13 predicates. */
static void offer_one(struct around *a) {
    struct rng *r = &a->rng;
    ins *i = &a->in;
    int dst = rng_range(r, 4, 7);
    i->exec_tag = rng_below(r, TAGS);
    if (a->desk)
        i->exec_tag = (uint64_t)rng_range(r, a->desk == 1 ? 4 : 8, 12);
    i->exec_warp = rng_below(r, (uint32_t)a->warps);
    i->exec_ticket = (uint64_t)a->count++ & 127;
    i->exec_mask = rng_percent(r, 70) ? 0xff : rng_below(r, 256);
    i->exec_src0 = some(a, rng_range(r, 0, 3), 90);
    i->exec_src1 = some(a, rng_range(r, 0, 3), 60);
    i->exec_src2 = some(a, rng_range(r, 0, 3), 40);
    i->exec_guard = some(a, 12, 30);
    i->exec_dst = some(a, i->exec_tag == 3 ? 13 : dst, 90);
    i->exec_valid = !row_has(a, i->exec_warp, i->exec_src0) &&
                    !row_has(a, i->exec_warp, i->exec_src1) &&
                    !row_has(a, i->exec_warp, i->exec_src2) &&
                    !row_has(a, i->exec_warp, i->exec_guard) &&
                    !row_has(a, i->exec_warp, i->exec_dst) &&
                    a->under[i->exec_warp][i->exec_dst & 15] == 0;
}

static bool may_bring(const struct around *a, uint64_t warp, uint64_t reg) {
    const ins *i = &a->in;
    bool meets = i->exec_valid && i->exec_warp == warp &&
                 (has(i->exec_src0, reg) || has(i->exec_src1, reg) ||
                  has(i->exec_src2, reg) || has(i->exec_guard, reg) ||
                  has(i->exec_dst, reg));
    return !meets && a->under[warp][reg] == 0 &&
           !row_has(a, warp, operand((int)reg));
}

static void bring_one(struct around *a, bool init) {
    ins *i = &a->in;
    uint64_t warp = rng_below(&a->rng, (uint32_t)a->warps);
    uint64_t reg = rng_below(&a->rng, 14);
    uint32_t first = rng_percent(&a->rng, 92) ? 0x1000 : 0xf7;
    if (!may_bring(a, warp, reg))
        return;
    for (int l = 0; l < LANES; l++)
        bits_set_lane(init ? i->init_row : i->write_row, l,
                      reg >= 12 ? (l == 0) * rng_below(&a->rng, 256)
                                : first + 4 * rng_below(&a->rng, 64));
    i->init_mask = init ? rng_below(&a->rng, 256) : i->init_mask;
    *(init ? &i->init_valid : &i->write_valid) = 1;
    *(init ? &i->init_warp : &i->write_warp) = warp;
    *(init ? &i->init_reg : &i->write_reg) = reg;
}

/* An access whose time has come; -1: none. */
static int some_end(struct around *a) {
    for (int w = 0; w < a->warps; w++)
        if (a->due[w] == 1) {
            a->due[w] = 0;
            return w;
        }
    return -1;
}

static void end_some(struct around *a) {
    ins *i = &a->in;
    int w = some_end(a);
    i->ended_valid = w >= 0;
    i->ended_warp = w >= 0 ? (uint64_t)w : 0;
    i->ended_fault = rng_percent(&a->rng, a->fault);
    w = some_end(a);
    i->carried_valid = w >= 0;
    i->carried_warp = w >= 0 ? (uint64_t)w : 0;
    i->carried_fault = rng_percent(&a->rng, a->fault);
    for (w = 0; w < a->warps; w++)
        a->due[w] -= a->due[w] > 1;
}

/* What was taken on the edge, of what stood there before it. */
static void took(struct around *a, const outs *before) {
    ins *i = &a->in;
    if (i->exec_valid && before->exec_ready) {
        a->under[i->exec_warp][i->exec_dst & 15]++;
        a->dst_of[i->exec_warp][i->exec_ticket] = (int)(i->exec_dst & 15);
        i->exec_valid = 0;
    }
    if (before->done_valid && i->done_ready)
        a->under[before->done_warp]
                [a->dst_of[before->done_warp][before->done_ticket]]--;
    if (before->access_valid && i->access_ready)
        a->due[before->access_warp] = 1 + rng_range(&a->rng, 1, a->waits);
    if (before->ask_valid && i->ask_ready)
        a->due[before->ask_warp] = 1 + rng_range(&a->rng, 1, a->waits);
    i->write_valid &= !before->write_ready;
    i->init_valid &= !before->init_ready;
}

static void phase(struct around *a) {
    struct rng *r = &a->rng;
    a->rate = rng_percent(r, 60) ? 100 : rng_range(r, 5, 60);
    a->ready = rng_percent(r, 50) ? 100 : rng_range(r, 3, 60);
    a->waits = rng_range(r, 1, 30);
    a->fault = rng_percent(r, 50) ? 100 : 10;
    a->desk = (int)rng_below(r, 3);
}

static void drive(struct around *a, const outs *o) {
    struct rng *r = &a->rng;
    ins *i = &a->in;
    if (a->edge++ % 200 == 0)
        phase(a);
    i->done_ready = rng_percent(r, a->ready);
    i->access_ready = rng_percent(r, a->ready);
    i->ask_ready = rng_percent(r, a->ready);
    if (!i->exec_valid && rng_percent(r, a->rate))
        offer_one(a);
    if (!i->write_valid && rng_percent(r, 20))
        bring_one(a, false);
    if (!i->init_valid && rng_percent(r, 20))
        bring_one(a, true);
    i->read_valid = o->read_ready && rng_percent(r, 30);
    i->read_warp = rng_below(r, (uint32_t)a->warps);
    i->read_reg = rng_below(r, REGS);
    i->value_valid = rng_percent(r, 20);
    i->value_warp = rng_below(r, (uint32_t)a->warps);
    i->value_index = rng_below(r, 16);
    i->value_word = (uint32_t)rng_next(r);
    i->param_valid = rng_percent(r, 20);
    i->param_index = rng_below(r, 8);
    i->param_word = (uint32_t)rng_next(r);
    i->launch_now++;
    end_some(a);
}

static void put_words(struct together *t, ins *in) {
    for (int k = 0; k < TAGS; k++) {
        struct isa_word w;
        struct isa_error e;
        in->code_valid = 1;
        in->code_tag = (uint64_t)k;
        assert_true(isa_parse(words[k], strlen(words[k]), NULL, NULL, &w, &e));
        assert_int_equal(isa_encode(&w, &in->code_word), ISA_LEGAL);
        step(t, false, in);
    }
    in->code_valid = 0;
}

/* So much of what is rare that it was seen. */
static void expect_equal(int warps, int n, int passes, int faults) {
    static struct together t;
    static struct around a;
    memset(&a, 0, sizeof a);
    rng_seed(&a.rng, (uint64_t)(warps * 8 + n + 7 * passes));
    a.warps = warps;
    open_together(&t, warps, n, passes);
    put_words(&t, &a.in);
    for (int e = 0; e < EDGES; e++) {
        bool rst = e % 5000 == 4999;
        outs before = *t.out;
        drive(&a, t.out);
        step(&t, rst, &a.in);
        expect_outputs(&t);
        took(&a, &before);
        if (!rst)
            continue;
        memset(a.under, 0, sizeof a.under);
        memset(a.due, 0, sizeof a.due);
        a.in.exec_valid = a.in.write_valid = a.in.init_valid = 0;
    }
    assert_true(t.met > 100);
    assert_true(t.most_faults >= faults);
    close_together(&t);
}

static void test_together(void **state) {
    (void)state;
    expect_equal(8, 2, PASSES, 2);
    expect_equal(12, 4, PASSES, 2);
    expect_equal(16, 8, PASSES, 3);
    expect_equal(8, 4, 1, 3);
    expect_equal(16, 8, 8, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
