/* run.c - the instructions that a kernel really executes.
 *
 * A run description (kernels/README.md) is brought to life; the SIMT executor
 * gives one event for each instruction of a warp, over all launches, and each
 * becomes the packets of that instruction with the mask of its active lanes.
 * Values in the registers are made up, as everywhere in this stimulus.
 *
 * A core's part is played here: warps of a CTA get free hardware warps
 * ("slots") together, each keeps its slot from its first to its last
 * instruction, and a launch begins when the one before it has drained.  The
 * executor finishes one CTA before the next, so the instructions of the CTAs
 * that are resident wait in a queue for each slot.  It is only asked for more
 * when a slot has run dry or when another CTA fits, and not while BUFFERED
 * instructions wait: memory does not grow with the length of the run.
 *
 * A register has one kind between two resets (docs/blocks/nbu.md).  Where a
 * launch gives a register another kind than a kernel before it, the unit, idle
 * then, is reset; the cycles of its table initialisation are not counted.
 */
#include "code.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "kit/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERED = 1 << 22, MAX_CTA_WARPS = 1024 / STREAM_LANES };

/* An executed instruction that waits to be issued. */
struct step {
    uint32_t pc, mask;
};

struct queue {
    ARRAY(struct step) list;
    int head; /* entries from here on wait */
    int part; /* packets of the first that have been issued */
};

struct run_replay {
    const char *path;
    struct run_options options;
    char *size; /* as the description names it */
    struct run *run;
    struct diag *report_to; /* of the bench */
    struct diag own;        /* of the present run, which points into it */
    enum stim_state state;

    struct code code; /* of the kernel that is launched */
    const struct ptx_function *function;
    int function_index;     /* in the module */
    uint8_t kind[MAX_REGS]; /* since the last reset */

    struct stream_event event;
    bool held; /* the event could not be used yet */
    int warps; /* of a CTA of this launch */
    bool in_cta;
    uint32_t cta;
    int slot_of[MAX_CTA_WARPS]; /* warps of the CTA that executes */
    uint64_t coming;            /* their slots */

    struct queue queue[MAX_WARPS];
    uint64_t used, queued; /* slots: with a warp, with instructions */
    uint64_t buffered;
    int last; /* slot that was served last */

    bool settling; /* the unit initialises its tables */
    uint64_t cycles, launches, ctas, instructions, packets, skipped, passes;
};

/* ------------------------------------------------------------------ queues */

static void push(struct run_replay *r, int n, struct step what) {
    struct queue *q = &r->queue[n];
    if (q->list.n == q->list.cap && q->head > q->list.n / 2) {
        q->list.n -= q->head;
        memmove(q->list.v, q->list.v + q->head,
                (size_t)q->list.n * sizeof *q->list.v);
        q->head = 0;
    }
    *array_push(&q->list) = what;
    r->queued |= bit(n);
    r->buffered++;
}

static void pop(struct run_replay *r, int n) {
    struct queue *q = &r->queue[n];
    q->part = 0;
    r->buffered--;
    if (++q->head < q->list.n)
        return;
    q->head = q->list.n = 0;
    r->queued &= ~bit(n);
}

/* ---------------------------------------------------------------- failures */

static bool fail(struct run_replay *r) {
    stim_run_failed(r->report_to, &r->own, r->path);
    r->state = STIM_FAILED;
    return false;
}

static void close_run(struct run_replay *r) {
    run_close(r->run);
    r->run = NULL;
    r->function = NULL;
    diag_free(&r->own);
    r->own = (struct diag){0};
}

static bool open_run(struct run_replay *r) {
    close_run(r);
    r->run = run_open(r->path, &r->options, &r->own);
    return r->run || fail(r);
}

/* ---------------------------------------------------------------- launches */

static int find_kernel(const struct ptx_module *m, const char *name) {
    for (int n = 0; n < m->n_functions; n++)
        if (m->functions[n]->has_body &&
            strcmp(m->functions[n]->name, name) == 0)
            return n;
    BUG("launch of '%s', which the module does not have", name);
}

/* Lower the kernel; reset the unit where the contract asks for it. */
static bool load_kernel(struct nbu_stim *s, struct run_replay *r,
                        const char *name) {
    int index = find_kernel(run_module(r->run), name);
    const struct ptx_function *f = run_module(r->run)->functions[index];
    if (f == r->function)
        return true;
    code_free(&r->code);
    r->function = f;
    r->function_index = index;
    if (!code_make(&r->code, f, s->size.REGS, &r->own))
        return fail(r);
    if (!code_kinds(&r->code, r->kind)) {
        stim_reset(&s->base, 1);
        r->settling = true;
    }
    code_kinds(&r->code, s->kind);
    return true;
}

static bool begin_launch(struct nbu_stim *s, struct run_replay *r) {
    const struct stream_launch *l = r->event.launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    r->warps = (int)((threads + STREAM_LANES - 1) / STREAM_LANES);
    r->launches++;
    if (r->warps > s->size.WARPS) {
        diag_error(&r->own, (struct place){0},
                   "kernel '%s' has %d warps a block, expected at most %d "
                   "('nbu.warps')",
                   l->kernel, r->warps, s->size.WARPS);
        return fail(r);
    }
    return load_kernel(s, r, l->kernel);
}

/* ----------------------------------------------------------- from executor */

static uint64_t free_slots(const struct nbu_stim *s,
                           const struct run_replay *r) {
    return all_warps(s) & ~r->used;
}

/* Nothing is left of the last launch. */
static bool drained(const struct nbu_stim *s, const struct run_replay *r) {
    return !r->used && exec_idle(s);
}

/* The executor has gone on: this CTA has no more instructions. */
static void end_cta(struct run_replay *r) {
    r->in_cta = false;
    r->coming = 0;
}

static bool begin_cta(struct nbu_stim *s, struct run_replay *r) {
    uint64_t left = free_slots(s, r);
    if (__builtin_popcountll(left) < r->warps)
        return false;
    for (int w = 0; w < r->warps; w++, left &= left - 1) {
        r->slot_of[w] = __builtin_ctzll(left);
        r->coming |= left & -left;
    }
    r->used |= r->coming;
    r->cta = r->event.cta;
    r->in_cta = true;
    r->ctas++;
    return true;
}

/* An instruction goes to its warp's queue.  False: its CTA has to wait. */
static bool take_instruction(struct nbu_stim *s, struct run_replay *r) {
    const struct stream_event *e = &r->event;
    if (r->in_cta && e->cta != r->cta)
        end_cta(r);
    if (!r->in_cta && !begin_cta(s, r))
        return false;
    if ((int)e->insn->function != r->function_index) {
        diag_error(&r->own, (struct place){0},
                   "kernel '%s' calls '%s', expected one without calls: "
                   "registers are placed for each function alone",
                   r->code.kernel,
                   run_module(r->run)->functions[e->insn->function]->name);
        return fail(r);
    }
    if (e->insn->pc >= (uint64_t)r->code.n_instructions)
        BUG("kernel '%s' has no instruction %" PRIu64, r->code.kernel,
            e->insn->pc);
    uint32_t mask = e->active & s->lane_mask;
    if (mask && r->code.first[e->insn->pc] < r->code.first[e->insn->pc + 1])
        push(r, r->slot_of[e->warp],
             (struct step){(uint32_t)e->insn->pc, mask});
    else
        r->skipped++;
    return true;
}

static bool take_end(struct nbu_stim *s, struct run_replay *r) {
    end_cta(r);
    if (!drained(s, r))
        return false;
    r->passes++;
    if (!s->base.options->whole)
        return open_run(r);
    r->state = STIM_OVER;
    return false;
}

/* One event of the executor.  False: none can be used now. */
static bool pull(struct nbu_stim *s, struct run_replay *r) {
    if (!r->held) {
        enum stream_result got = stream_next(run_stream(r->run), &r->event);
        if (got == STREAM_ERROR)
            return fail(r);
        if (got == STREAM_END)
            return take_end(s, r);
    }
    bool taken;
    if (r->event.kind == STREAM_LAUNCH) {
        end_cta(r);
        taken = drained(s, r) && begin_launch(s, r);
    } else {
        taken = take_instruction(s, r);
    }
    r->held = !taken;
    return taken;
}

static bool idle_warp(const struct nbu_stim *s, int n) {
    for (int f = 0; f < s->flights; f++)
        if (s->warp[n].flight[f].state != FREE)
            return false;
    return !(s->offering && s->offer.warp == n);
}

/* Slots whose warp has executed its last instruction become free. */
static void retire(struct nbu_stim *s, struct run_replay *r) {
    uint64_t left = r->used & ~r->coming & ~r->queued;
    for (; left; left &= left - 1)
        if (idle_warp(s, __builtin_ctzll(left)))
            r->used &= ~(left & -left);
}

static bool wants_more(const struct nbu_stim *s, const struct run_replay *r) {
    if (r->state != STIM_GOING || r->settling || r->buffered >= BUFFERED)
        return false;
    return (r->coming & ~r->queued) || drained(s, r) ||
           __builtin_popcountll(free_slots(s, r)) >= r->warps;
}

/* -------------------------------------------------------------------- mode */

static void step(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct run_replay *r = base->script;
    if (r->settling && s->ready)
        r->settling = false;
    if (!r->settling && r->state == STIM_GOING)
        r->cycles++;
}

/* Warps that are ready take turns. */
static bool next(struct nbu_stim *s, struct instr *i) {
    struct run_replay *r = s->base.script;
    retire(s, r);
    while (wants_more(s, r) && pull(s, r))
        ;
    uint64_t mask = s->room & s->ready & r->queued;
    if (!mask || r->settling || r->state != STIM_GOING)
        return false;
    int warp = r->last = next_in_turn(mask, r->last);
    struct queue *q = &r->queue[warp];
    struct step now = q->list.v[q->head];
    int at = r->code.first[now.pc] + q->part;
    r->packets++;
    r->instructions += q->part == 0;
    *i = code_instr(&r->code.packets[at], warp, now.mask);
    q->part++;
    if (at + 1 == r->code.first[now.pc + 1])
        pop(r, warp);
    return true;
}

/* The kernel, not chance, says what a register is. */
static void reset(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct run_replay *r = base->script;
    memset(r->kind, KIND_UNUSED, sizeof r->kind);
    code_kinds(&r->code, r->kind);
    code_kinds(&r->code, s->kind);
    r->settling = true;
}

static enum stim_state state(const struct stim *base) {
    const struct run_replay *r = base->script;
    return r->state;
}

static void report(struct stim *base, struct text *t) {
    const struct run_replay *r = base->script;
    const struct {
        const char *key;
        uint64_t value;
    } lines[] = {{"launches", r->launches},
                 {"ctas", r->ctas},
                 {"instructions", r->instructions},
                 {"packets", r->packets},
                 {"skipped", r->skipped},
                 {"cycles", r->cycles},
                 {"passes", r->passes}};
    text_printf(t, "kernel\t%s\n", r->run ? run_name(r->run) : r->path);
    text_printf(t, "size\t%s\n", r->size);
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        text_printf(t, "%s\t%" PRIu64 "\n", lines[n].key, lines[n].value);
    text_printf(t, "end\t%s\n", r->state == STIM_OVER ? "whole" : "cycles");
}

static void close(struct stim *base) {
    struct run_replay *r = base->script;
    for (int n = 0; n < MAX_WARPS; n++)
        array_free(&r->queue[n].list);
    code_free(&r->code);
    close_run(r);
    free(r->size);
    free(r);
}

/* The first launch is looked at here, so that what cannot work at all is told
 * before anything has run. */
static bool open(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct run_replay *r = base->script = xcalloc(1, sizeof *r);
    s->tune = light;
    r->path = base->options->run;
    r->report_to = base->diag;
    r->options.size = base->options->size;
    r->options.reference = stim_run_reference;
    memset(r->kind, KIND_UNUSED, sizeof r->kind);
    if (!open_run(r))
        return false;
    r->size = xstrdup(run_size(r->run));
    pull(s, r);
    return r->state == STIM_GOING;
}

const struct nbu_mode nbu_run = {
    .base = {.name = "replay",
             .measures = true,
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .state = state,
             .report = report},
    .next = next,
};
