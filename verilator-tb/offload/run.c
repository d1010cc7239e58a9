/* run.c - the candidate blocks that a kernel really executes.
 *
 * The driver loads the run's candidates as metadata; then each instance that
 * the executor tells of becomes a request with its lanes and the address of its
 * first access (kit/cand.h).  What the executor does not tell is made up:
 * values in registers, and of a condition register a value on the side of the
 * threshold that the executed rounds of the loop call for.
 *
 * A core's part is played here: warps of a CTA get free hardware warps
 * ("slots") together, a slot issues its instructions between two instances one
 * an edge in turn with the others, at most IDLE_MOST of them, so that a run
 * stays short.  A refused block is issued by the core, one that goes takes the
 * stack as long.  A warp at a block that does not begin with an access waits,
 * most of the time, until no other warp looks for its first access, as it would
 * be refused.  A launch begins when the one before it has drained; from the
 * second one on all pages use the learned mapping.
 */
#include "env.h"

#include "kit/cand.h"

#include "base/array.h"
#include "papers/analysis.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_MOST = 64,
    WORK_MOST = 400,
    LINES_MOST = 255,
    AHEAD = 1 << 16,
    PATIENT = 90 /* percent of the instances that wait for another's probe */
};

struct lines {
    ARRAY(uint64_t) list;
};

struct instance {
    struct cand_instance is;
    struct lines lines; /* that it accesses; only if somebody wants to know */
};

/* Instances of a slot that wait to be asked for. */
struct queue {
    ARRAY(struct instance) list;
    int head;           /* entries from here on wait */
    struct lines lines; /* of the one that was asked for */
    uint32_t idle;      /* instructions to be issued before the next one */
    uint32_t asked;     /* instructions of the one that was asked for */
    bool ready;         /* idle belongs to the first of the list */
    bool patient;       /* it waits while another warp is probed */
};

struct run_replay {
    struct cand *cand;
    enum stim_state state;
    bool ended; /* the executor has */
    bool loaded;
    int entry; /* to be loaded next */

    bool keeps_lines;
    struct lines open[CAND_WARPS]; /* of instances that have not ended */
    struct queue fifo;             /* instances of which no slot knows yet */
    struct queue slot[OFF_WARPS];
    bool used[OFF_WARPS];
    uint32_t launch, cta;
    bool in_cta;
    int slot_of[CAND_WARPS];
    int turn[2]; /* slots that issued, and asked, last */
    uint64_t cycles, instances, issued, held, conditions, passes;
};

/* --- queues --------------------------------------------------------------- */

static void push(struct queue *q, const struct instance *i) {
    if (q->head == q->list.n)
        q->head = q->list.n = 0;
    *array_push(&q->list) = *i;
}

static bool empty(const struct queue *q) {
    return q->head == q->list.n;
}

static const struct cand_instance *first(const struct queue *q) {
    return &q->list.v[q->head].is;
}

static void queue_free(struct queue *q) {
    for (; !empty(q); q->head++)
        array_free(&q->list.v[q->head].lines.list);
    array_free(&q->list);
    array_free(&q->lines.list);
}

static void accessed(void *ctx, const struct cand_instance *i,
                     uint64_t address) {
    struct run_replay *r = ctx;
    if (r->keeps_lines)
        *array_push(&r->open[i->warp % CAND_WARPS].list) = address;
}

static void ended(void *ctx, const struct cand_instance *i) {
    struct run_replay *r = ctx;
    struct lines *open = &r->open[i->warp % CAND_WARPS];
    push(&r->fifo, &(struct instance){*i, *open});
    *open = (struct lines){0};
}

const uint64_t *off_run_lines(const struct off_stim *s, int warp, int *n) {
    const struct run_replay *r = s->base.script;
    *n = r->slot[warp].lines.list.n;
    return r->slot[warp].lines.list.v;
}

/* --- metadata ------------------------------------------------------------- */

/* Registers at the borders of a kernel's candidates, numbered as they appear;
 * one that holds 64 bits takes two numbers. */
struct numbers {
    int *of; /* by register; -1: none yet */
    int n;
};

static void add_words(struct numbers *k, const struct ptx_function *f, int reg,
                      int most, struct off_set *set) {
    int size = ptx_kind_size(f->registers[reg]->kind);
    if (k->of[reg] < 0) {
        k->of[reg] = k->n;
        k->n += size;
    }
    for (int n = 0; set && n < size && k->of[reg] + n < most; n++)
        off_add(set, k->of[reg] + n);
}

static void number(struct numbers *k, const struct cand_block *blocks, int n,
                   const struct ptx_function *f) {
    k->of = xcalloc((size_t)f->n_registers + 1, sizeof *k->of);
    for (int r = 0; r < f->n_registers; r++)
        k->of[r] = -1;
    for (int b = 0; b < n; b++) {
        const struct ptx_candidate *c = blocks[b].c;
        for (int i = 0; blocks[b].function == f && i < c->n_in; i++)
            add_words(k, f, c->in[i], 0, NULL);
        for (int i = 0; blocks[b].function == f && i < c->n_out; i++)
            add_words(k, f, c->out[i], 0, NULL);
    }
}

/* False if the unit cannot name all registers. */
static bool make_entry(const struct off_stim *s, const struct run_replay *r,
                       int at, struct off_entry *e) {
    const struct cand_block *b = &cand_blocks(r->cand)[at];
    const struct ptx_candidate *c = b->c;
    struct numbers k = {0};
    number(&k, cand_blocks(r->cand), cand_n_blocks(r->cand), b->function);
    *e = (struct off_entry){.valid = true,
                            .tag_tx = c->tag & PTX_TAG_TX,
                            .tag_rx = c->tag & PTX_TAG_RX,
                            .mem_first = c->starts_with_memory,
                            .cond = c->condition.reg >= 0};
    for (int n = 0; n < c->n_in; n++)
        add_words(&k, b->function, c->in[n], s->size.REGS, &e->live_in);
    for (int n = 0; n < c->n_out; n++)
        add_words(&k, b->function, c->out[n], s->size.REGS, &e->live_out);
    if (e->cond) {
        e->cond_reg = k.of[c->condition.reg];
        e->compare = c->condition.compare == PTX_COMPARE_GE ? 5 : 3;
        e->is_signed = c->condition.is_signed;
        e->threshold = c->condition.threshold;
    }
    uint64_t pcs = ones(s->size.PC_W);
    e->begin_pc =
        (uint32_t)(((uint32_t)at << 16 | (uint32_t)c->begin_pc) & pcs);
    e->end_pc = (uint32_t)(((uint32_t)at << 16 | (uint32_t)c->end_pc) & pcs);
    free(k.of);
    return k.n <= s->size.REGS;
}

static bool check_blocks(const struct off_stim *s, const struct run_replay *r) {
    struct diag *d = s->base.diag;
    int n = cand_n_blocks(r->cand);
    struct off_entry e;
    if (n > s->size.ENTRIES)
        diag_error(d, (struct place){0},
                   "'%s' has %d candidates, expected at most %d "
                   "('offload.candidates')",
                   cand_name(r->cand), n, s->size.ENTRIES);
    for (int b = 0; b < n && n <= s->size.ENTRIES; b++)
        if (!make_entry(s, r, b, &e)) {
            diag_error(d, (struct place){0},
                       "kernel '%s' needs more than %d registers at its "
                       "candidates ('offload.registers')",
                       cand_blocks(r->cand)[b].function->name, s->size.REGS);
            break;
        }
    return !d->errors;
}

/* Each cycle an entry. */
static void load_step(struct off_stim *s, struct run_replay *r) {
    struct off_entry e;
    if (s->load_at >= 0 || (!s->still && !off_idle(s)))
        return;
    s->still = true;
    if (r->entry == cand_n_blocks(r->cand)) {
        s->still = false;
        r->loaded = true;
        return;
    }
    make_entry(s, r, r->entry, &e);
    off_load(s, r->entry++, &e);
}

/* --- slots ---------------------------------------------------------------- */

static bool slot_idle(const struct off_stim *s, const struct run_replay *r,
                      int n) {
    const struct queue *q = &r->slot[n];
    return empty(q) && q->idle == 0 && off_can_ask(s, n) &&
           !(s->offering && s->offer.warp == n);
}

static bool drained(const struct off_stim *s, const struct run_replay *r) {
    for (int n = 0; n < s->size.WARPS; n++)
        if (r->used[n])
            return false;
    return off_idle(s);
}

/* The CTA that executes keeps its slots, though they may be empty now. */
static bool is_coming(const struct run_replay *r, int slot) {
    for (int w = 0; r->in_cta && w < CAND_WARPS; w++)
        if (r->slot_of[w] == slot)
            return true;
    return false;
}

static void retire(const struct off_stim *s, struct run_replay *r) {
    for (int n = 0; n < s->size.WARPS; n++)
        if (r->used[n] && slot_idle(s, r, n) && !is_coming(r, n))
            r->used[n] = false;
}

static int free_slots(const struct off_stim *s, const struct run_replay *r) {
    int n = 0;
    for (int slot = 0; slot < s->size.WARPS; slot++)
        n += !r->used[slot];
    return n;
}

static bool fail_cta(struct off_stim *s, struct run_replay *r, int warps) {
    diag_error(s->base.diag, (struct place){0},
               "a kernel of '%s' has %d warps a block, expected at most %d "
               "('offload.warps')",
               cand_name(r->cand), warps, s->size.WARPS);
    r->state = STIM_FAILED;
    return false;
}

static bool begin_cta(struct off_stim *s, struct run_replay *r,
                      const struct cand_instance *i) {
    int warps = cand_cta_warps(r->cand), slot = 0;
    r->in_cta = false;
    if (i->launch != r->launch && !drained(s, r))
        return false;
    if (warps > s->size.WARPS)
        return fail_cta(s, r, warps);
    if (free_slots(s, r) < warps)
        return false;
    for (int w = 0; w < CAND_WARPS; w++)
        r->slot_of[w] = -1;
    for (int w = 0; w < warps; w++) {
        while (r->used[slot])
            slot++;
        r->used[slot] = true;
        r->slot_of[w] = slot;
    }
    r->launch = i->launch;
    r->cta = i->cta;
    return r->in_cta = true;
}

/* Instances that are known go to their slots.  False: a CTA has to wait. */
static bool place_known(struct off_stim *s, struct run_replay *r) {
    while (!empty(&r->fifo)) {
        const struct cand_instance *i = first(&r->fifo);
        bool same = r->in_cta && i->launch == r->launch && i->cta == r->cta;
        if (!same && !begin_cta(s, r, i))
            return false;
        push(&r->slot[r->slot_of[i->warp % CAND_WARPS]],
             &r->fifo.list.v[r->fifo.head]);
        r->fifo.head++;
    }
    return true;
}

static int waiting(const struct off_stim *s, const struct run_replay *r) {
    int n = 0;
    for (int slot = 0; slot < s->size.WARPS; slot++)
        n += r->slot[slot].list.n - r->slot[slot].head;
    return n;
}

/* A slot of the CTA has run dry, or another CTA would fit. */
static bool wants_more(const struct off_stim *s, const struct run_replay *r) {
    bool dry = !r->in_cta || free_slots(s, r) >= cand_cta_warps(r->cand);
    for (int w = 0; !dry && w < CAND_WARPS; w++)
        dry = r->slot_of[w] >= 0 && empty(&r->slot[r->slot_of[w]]);
    return dry && waiting(s, r) < AHEAD;
}

static void pull(struct off_stim *s, struct run_replay *r) {
    /* enough for some instances, but not the whole run at once */
    for (int n = 0; n < 4096 && empty(&r->fifo) && !r->ended; n++) {
        enum stream_result got = cand_pull(r->cand);
        if (got == STREAM_ERROR)
            r->state = STIM_FAILED;
        r->ended = got != STREAM_EVENT;
    }
    place_known(s, r);
}

/* --- time ----------------------------------------------------------------- */

static uint32_t at_most(uint64_t n, uint32_t most) {
    return n < most ? (uint32_t)n : most;
}

/* One instruction an edge; slots take turns. */
static void issue(struct off_stim *s, struct run_replay *r) {
    for (int tries = 0; tries < s->size.WARPS; tries++) {
        int n = r->turn[0] = (r->turn[0] + 1) % s->size.WARPS;
        struct queue *q = &r->slot[n];
        if (!q->ready && !empty(q)) {
            q->idle += at_most(first(q)->idle, IDLE_MOST);
            q->ready = true;
            q->patient = rng_percent(&s->base.rng, PATIENT);
        }
        if (q->idle > 0 && off_can_ask(s, n)) {
            q->idle--;
            r->issued++;
            return;
        }
    }
}

static void come_to_end(struct off_stim *s, struct run_replay *r) {
    if (!r->ended || !empty(&r->fifo))
        return;
    r->in_cta = false;
    retire(s, r);
    if (r->state != STIM_GOING || !drained(s, r))
        return;
    if (!cand_gave(r->cand, r->instances, "requests")) {
        r->state = STIM_FAILED;
        return;
    }
    r->passes++;
    if (s->base.options->whole) {
        r->state = STIM_OVER;
        return;
    }
    r->ended = false;
    r->launch = 0;
    if (!cand_again(r->cand))
        r->state = STIM_FAILED;
}

static void step(struct stim *base) {
    struct off_stim *s = (struct off_stim *)base;
    struct run_replay *r = base->script;
    if (r->state != STIM_GOING || base->rst_left > 0 || !s->ready)
        return;
    if (!r->loaded) {
        load_step(s, r);
        return;
    }
    r->cycles++;
    retire(s, r);
    if (place_known(s, r) && wants_more(s, r) && !r->ended)
        pull(s, r);
    issue(s, r);
    come_to_end(s, r);
}

/* --- requests ------------------------------------------------------------- */

/* The executor does not tell what the condition register holds; how often its
 * loop went round tells on which side of the threshold it lay. */
static void set_condition(const struct cand_block *b, struct run_replay *r,
                          const struct cand_instance *i, struct off_ask *a) {
    const struct ptx_condition *c = &b->c->condition;
    bool holds = i->rounds >= b->c->trip_count;
    uint32_t beside =
        c->compare == PTX_COMPARE_GE ? c->threshold - 1 : c->threshold + 1;
    a->has_value = c->reg >= 0;
    a->value = holds ? c->threshold : beside;
    r->conditions += a->has_value;
    r->held += a->has_value && holds;
}

static void make_ask(struct off_stim *s, struct run_replay *r, int slot,
                     const struct cand_instance *i, struct off_ask *a) {
    const struct cand_block *b = &cand_blocks(r->cand)[i->block];
    uint64_t address = i->address & ones(s->size.ADDR_W);
    bool learned = i->launch > 0;
    *a = (struct off_ask){.warp = slot, .all_lanes = true};
    a->mask = i->mask & off_lane_mask(s);
    if (!a->mask)
        a->mask = off_lane_mask(s);
    a->key = s->size.BY_PC ? s->entry[i->block].begin_pc : (uint32_t)i->block;
    if (b->c->starts_with_memory)
        a->address = i->has_address ? address : 0;
    a->first = address;
    a->learned = a->first_learned = learned;
    a->none = !i->has_address;
    a->run = (int)at_most(i->before_access, WORK_MOST);
    a->work = (int)at_most(i->instructions, WORK_MOST);
    a->lines = (int)at_most(i->lines_written, LINES_MOST);
    set_condition(b, r, i, a);
}

/* Some warp may hold the place for saved registers, for all a core knows. */
static bool probing(const struct off_stim *s) {
    for (int n = 0; n < s->size.WARPS; n++) {
        const struct off_warp *w = &s->warp[n];
        bool holds = w->state == WARP_ASKED ||
                     (w->state == WARP_AWAY && w->packet != PACKET_SENT);
        if (holds && w->entry && !w->entry->mem_first)
            return true;
    }
    return false;
}

/* The first instance of a slot may ask now. */
static bool may_ask(const struct run_replay *r, const struct queue *q,
                    bool busy) {
    if (empty(q) || !q->ready || q->idle > 0)
        return false;
    return cand_blocks(r->cand)[first(q)->block].c->starts_with_memory ||
           !q->patient || !busy;
}

static bool next(struct off_stim *s, struct off_ask *a) {
    struct run_replay *r = s->base.script;
    if (r->state != STIM_GOING || !r->loaded)
        return false;
    bool busy = probing(s);
    for (int tries = 0; tries < s->size.WARPS; tries++) {
        int n = r->turn[1] = (r->turn[1] + 1) % s->size.WARPS;
        struct queue *q = &r->slot[n];
        if (!may_ask(r, q, busy) || !off_can_ask(s, n))
            continue;
        make_ask(s, r, n, first(q), a);
        q->asked = first(q)->instructions;
        array_free(&q->lines.list);
        q->lines = q->list.v[q->head].lines;
        q->ready = false;
        q->head++;
        r->instances++;
        return true;
    }
    return false;
}

static void done(struct off_stim *s, int warp, bool offloaded) {
    struct run_replay *r = s->base.script;
    if (!offloaded)
        r->slot[warp].idle += at_most(r->slot[warp].asked, WORK_MOST);
}

/* --- the rest ------------------------------------------------------------- */

static void reset(struct stim *base) {
    struct run_replay *r = base->script;
    r->loaded = false;
    r->entry = 0;
}

static enum stim_state state(const struct stim *base) {
    return ((const struct run_replay *)base->script)->state;
}

static void report(struct stim *base, struct text *t) {
    const struct run_replay *r = base->script;
    const struct {
        const char *key;
        uint64_t value;
    } lines[] = {{"candidates", (uint64_t)cand_n_blocks(r->cand)},
                 {"instances", r->instances},
                 {"conditions", r->conditions},
                 {"conditions_held", r->held},
                 {"executed", cand_instructions(r->cand)},
                 {"issued", r->issued},
                 {"cycles", r->cycles},
                 {"passes", r->passes}};
    text_printf(t, "kernel\t%s\n", cand_name(r->cand));
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        text_printf(t, "%s\t%" PRIu64 "\n", lines[n].key, lines[n].value);
    text_printf(t, "end\t%s\n", r->state == STIM_OVER ? "whole" : "cycles");
}

static void close(struct stim *base) {
    struct run_replay *r = base->script;
    for (int n = 0; n < OFF_WARPS; n++)
        queue_free(&r->slot[n]);
    for (int n = 0; n < CAND_WARPS; n++)
        array_free(&r->open[n].list);
    queue_free(&r->fifo);
    cand_close(r->cand);
    free(r);
}

const struct cand *off_run_cand(const struct off_stim *s) {
    return ((const struct run_replay *)s->base.script)->cand;
}

static bool open(struct stim *base) {
    struct off_stim *s = (struct off_stim *)base;
    if (!base->options->run) {
        diag_error(base->diag, (struct place){0},
                   "'%s' replays what a kernel executes, expected "
                   "'--run FILE'",
                   base->design->iface->name);
        return false;
    }
    struct run_replay *r = base->script = xcalloc(1, sizeof *r);
    const struct cand_sink sink = {.ctx = r, .access = accessed, .end = ended};
    r->keeps_lines = s->wants_lines;
    s->tune = off_light;
    s->fixed_links = true;
    r->cand = cand_open(base->options, &sink, 0, base->diag);
    return r->cand && check_blocks(s, r);
}

const struct off_mode off_run = {
    .base = {.name = "replay",
             .measures = true,
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .state = state,
             .report = report},
    .next = next,
    .done = done,
};
