/* replay.c - the accesses that a kernel's warps really make, to one of the
 * banks of their core.
 *
 * A run description (docs/run.md) is brought to life; the SIMT executor gives
 * one event for each instruction of a warp, over all launches.  A core's part
 * is played here, one instruction an edge: warps of a CTA get free hardware
 * warps
 * ("slots") together and keep them to their last instruction; slots that may go
 * on take turns; one that accesses DRAM goes on when all its bursts are there,
 * or written.  So which warps' bursts meet in the bank is a matter of its time.
 *
 * Places: 128 bytes, what a warp of 32 lanes reads of one array, lie in one
 * bank; the next 128 in the bank of the next near-bank unit, and over all banks
 * of the core before they come back to the next columns of the row.  With an
 * odd seed / 16 it is whole rows that lie together instead.  The bank that is
 * looked at is seed mod 16; a burst in another one takes tRCD + tCL + tBL.
 *
 * What the executor has ahead waits in a queue for each slot, see nbu/run.c.
 */
#include "env.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/bits.h"
#include "kit/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 48,
    CORE_BANKS = 16, /* MPU, Table II: 4 near-bank units of 4 banks */
    BURST = 5,       /* log2 of the bytes of a burst: 256 bits */
    CHUNK = 2,       /* log2 of the bursts that lie together */
    BUFFERED = 1 << 22,
    MAX_CTA_WARPS = 1024 / STREAM_LANES
};

/* Some instructions without an access, then one with, or none. */
struct step {
    uint32_t before;
    enum stream_access access;
    uint16_t here; /* bursts in this bank */
    bool others;   /* and some elsewhere */
};

struct slot {
    ARRAY(struct step) steps;
    ARRAY(uint64_t) bursts; /* of the steps, in their order */
    int head, head_burst;
    int left;       /* bursts under way */
    uint64_t ready; /* edge from which on it may go on */
};

struct replay {
    struct stim_stream *stream;
    const struct stream_event *event; /* that could not be used yet */
    uint64_t bank;
    int chunk; /* log2 of the bursts that lie together */
    int warps; /* of a CTA of this launch */
    bool in_cta;
    uint32_t cta;
    int slot_of[MAX_CTA_WARPS]; /* warps of the CTA that executes */
    uint64_t coming, used;      /* slots */
    struct slot slot[SLOTS];
    uint64_t buffered;
    int last;                   /* slot that was served last */
    ARRAY(struct burst) bursts; /* that the bank has not been asked for */
    int next;
    bool over;
    int64_t data[2]; /* edges from a column command to its end: read, write */
    uint64_t launches, ctas, instructions, accesses, reads, writes;
};

/* --- queues --------------------------------------------------------------- */

static bool has_steps(const struct slot *q) {
    return q->head < q->steps.n;
}

static struct step *tail(struct replay *r, struct slot *q) {
    if (has_steps(q) && q->steps.v[q->steps.n - 1].access == STREAM_NO_ACCESS)
        return &q->steps.v[q->steps.n - 1];
    if (!has_steps(q))
        q->head = q->steps.n = q->head_burst = q->bursts.n = 0;
    struct step *t = array_push(&q->steps);
    memset(t, 0, sizeof *t);
    r->buffered++;
    return t;
}

/* The bursts that an access has here, each once. */
static void add_bursts(struct replay *r, struct slot *q, struct step *t,
                       const struct stream_event *e) {
    int first = q->bursts.n;
    for (uint32_t k = 0; k < stream_addresses(e); k++)
        for (int lane = 0; lane < STREAM_LANES; lane++) {
            uint64_t a = stream_row(e, k)[lane];
            uint64_t end = a + stream_width(e) - 1;
            if (!(e->mask >> lane & 1))
                continue;
            for (uint64_t b = a >> BURST; b <= end >> BURST; b++) {
                int i = first;
                if ((b >> r->chunk) % CORE_BANKS != r->bank) {
                    t->others = true;
                    continue;
                }
                while (i < q->bursts.n && q->bursts.v[i] != b)
                    i++;
                if (i == q->bursts.n)
                    *array_push(&q->bursts) = b;
            }
        }
    t->here = (uint16_t)(q->bursts.n - first);
}

static bool in_dram(const struct stream_event *e) {
    return e->insn->access != STREAM_NO_ACCESS && e->mask &&
           e->insn->space != PTX_SPACE_LOCAL && stream_in_dram(e->insn->space);
}

static void push(struct replay *r, int n, const struct stream_event *e) {
    struct slot *q = &r->slot[n];
    struct step *t = tail(r, q);
    if (!in_dram(e)) {
        t->before++;
        return;
    }
    t->access = e->insn->access;
    add_bursts(r, q, t, e);
}

/* --- from the executor ---------------------------------------------------- */

static int free_slots(const struct replay *r) {
    return SLOTS - __builtin_popcountll(r->used);
}

static void end_cta(struct replay *r) {
    r->in_cta = false;
    r->coming = 0;
}

static bool begin_launch(struct replay *r, const struct stream_event *e) {
    const uint32_t *b = e->launch->block;
    end_cta(r);
    if (r->used)
        return false;
    r->warps = (int)((b[0] * b[1] * b[2] + STREAM_LANES - 1) / STREAM_LANES);
    r->launches++;
    return true;
}

static bool begin_cta(struct replay *r, const struct stream_event *e) {
    if (free_slots(r) < r->warps)
        return false;
    for (int n = 0, w = 0; w < r->warps; n++)
        if (!(r->used >> n & 1)) {
            r->used |= bit(n);
            r->coming |= bit(n);
            r->slot_of[w++] = n;
        }
    r->cta = e->cta;
    r->in_cta = true;
    r->ctas++;
    return true;
}

/* One event of the executor.  False: none can be used now. */
static bool pull(struct replay *r) {
    const struct stream_event *e =
        r->event ? r->event : stim_stream_next(r->stream);
    bool taken = true;
    if (!e) {
        end_cta(r);
        r->over = true;
        return false;
    }
    if (e->kind == STREAM_LAUNCH) {
        taken = begin_launch(r, e);
    } else {
        if (r->in_cta && e->cta != r->cta)
            end_cta(r);
        taken = r->in_cta || begin_cta(r, e);
        if (taken)
            push(r, r->slot_of[e->warp], e);
    }
    r->event = taken ? NULL : e;
    return taken;
}

static bool wants_more(const struct replay *r) {
    if (r->over || r->buffered >= BUFFERED)
        return false;
    for (int n = 0; n < SLOTS; n++)
        if (r->coming >> n & 1 && !has_steps(&r->slot[n]))
            return true;
    return !r->used || free_slots(r) >= r->warps;
}

/* Slots whose warp has executed its last instruction become free. */
static void retire(struct replay *r, uint64_t now) {
    for (int n = 0; n < SLOTS; n++) {
        const struct slot *q = &r->slot[n];
        if (r->used >> n & 1 && !(r->coming >> n & 1) && !has_steps(q) &&
            q->left == 0 && q->ready <= now)
            r->used &= ~bit(n);
    }
}

/* --- the core ------------------------------------------------------------- */

static void request(struct bank_stim *s, struct replay *r, int warp,
                    uint64_t number, bool write) {
    const struct bank_local *l = &s->size;
    uint64_t chunk = (number >> r->chunk) / CORE_BANKS;
    uint64_t at = chunk << r->chunk | (number & ones(r->chunk));
    if (r->next == r->bursts.n)
        r->next = r->bursts.n = 0;
    *array_push(&r->bursts) =
        (struct burst){.there = true,
                       .write = write,
                       .row = at >> l->COL_W & ones(l->ROW_W),
                       .column = at & ones(l->COL_W),
                       .warp = warp};
    r->slot[warp].left++;
    r->reads += !write;
    r->writes += write;
}

/* The access of the slot's first step. */
static void begin_access(struct bank_stim *s, struct replay *r, int n) {
    struct slot *q = &r->slot[n];
    struct step *t = &q->steps.v[q->head++];
    const struct config *c = &s->config;
    r->buffered--;
    r->accesses++;
    q->ready = s->base.now + 1;
    if (t->others)
        q->ready += (uint64_t)(c->timing_rcd + c->timing_cl + c->timing_bl);
    for (int i = 0; i < t->here; i++) {
        uint64_t number = q->bursts.v[q->head_burst++];
        if (t->access != STREAM_STORE)
            request(s, r, n, number, false);
        if (t->access != STREAM_LOAD)
            request(s, r, n, number, true);
    }
}

/* One instruction of one slot. */
static void issue(struct bank_stim *s, struct replay *r) {
    for (int i = 1; i <= SLOTS; i++) {
        int n = (r->last + i) % SLOTS;
        struct slot *q = &r->slot[n];
        if (!has_steps(q) || q->left || q->ready > s->base.now)
            continue;
        struct step *t = &q->steps.v[q->head];
        r->last = n;
        r->instructions++;
        if (t->before > 0)
            t->before--;
        else
            begin_access(s, r, n);
        if (has_steps(q) && t == &q->steps.v[q->head] && t->before == 0 &&
            t->access == STREAM_NO_ACCESS) {
            q->head++;
            r->buffered--;
        }
        return;
    }
}

static void step(struct stim *base) {
    struct bank_stim *s = (struct bank_stim *)base;
    struct replay *r = base->script;
    retire(r, base->now);
    while (wants_more(r) && pull(r))
        ;
    issue(s, r);
}

bool bank_replay_next(struct bank_stim *s, struct burst *b) {
    struct replay *r = s->base.script;
    if (r->next == r->bursts.n || s->base.rst_left)
        return false;
    *b = r->bursts.v[r->next++];
    b->id = s->requests & ones(s->size.ID_W);
    return true;
}

void bank_replay_answered(struct bank_stim *s, const struct burst *b) {
    struct replay *r = s->base.script;
    struct slot *q = &r->slot[b->warp];
    uint64_t there = s->base.now + (uint64_t)r->data[b->write];
    q->left--;
    if (q->ready < there)
        q->ready = there;
}

/* --- the mode ------------------------------------------------------------- */

static enum stim_state state(const struct stim *base) {
    const struct replay *r = base->script;
    enum stim_state got = stim_stream_state(r->stream);
    return got == STIM_OVER && (r->used || !r->over) ? STIM_GOING : got;
}

static void report(struct stim *base, struct text *t) {
    const struct bank_stim *s = (const struct bank_stim *)base;
    const struct replay *r = base->script;
    const struct {
        const char *key;
        uint64_t value;
    } lines[] = {{"bank", r->bank},         {"launches", r->launches},
                 {"ctas", r->ctas},         {"instructions", r->instructions},
                 {"accesses", r->accesses}, {"reads", r->reads},
                 {"writes", r->writes},     {"cycles", base->now}};
    text_printf(t, "kernel\t%s\n", run_name(stim_stream_run(r->stream)));
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++)
        text_printf(t, "%s\t%" PRIu64 "\n", lines[n].key, lines[n].value);
    text_printf(t, "together\t%d\n", 1 << r->chunk << BURST);
    text_printf(t, "open_rows\t%d\n", s->size.OPEN);
    text_printf(t, "end\t%s\n", state(base) == STIM_OVER ? "whole" : "cycles");
}

static void close(struct stim *base) {
    struct replay *r = base->script;
    for (int n = 0; n < SLOTS; n++) {
        array_free(&r->slot[n].steps);
        array_free(&r->slot[n].bursts);
    }
    array_free(&r->bursts);
    stim_stream_close(r->stream);
    free(r);
}

static bool open(struct stim *base) {
    struct bank_stim *s = (struct bank_stim *)base;
    struct replay *r = base->script = xcalloc(1, sizeof *r);
    const struct config *c = &s->config;
    r->bank = base->options->seed % CORE_BANKS;
    r->chunk = base->options->seed / CORE_BANKS % 2 ? s->size.COL_W : CHUNK;
    r->data[0] = c->timing_cl + c->timing_bl;
    r->data[1] = c->timing_cwl + c->timing_bl;
    r->stream = stim_stream_open(base->options, base->diag);
    return r->stream != NULL;
}

const struct stim_mode bank_replay = {
    .name = "replay",
    .measures = true,
    .open = open,
    .close = close,
    .step = step,
    .state = state,
    .report = report,
};
