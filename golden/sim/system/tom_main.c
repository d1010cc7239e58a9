/* tom_main.c - a main core: its CTAs, and where its warps stand with regard to
 * the controller.
 *
 * A warp runs up to the begin of its next candidate instance, waits until the
 * block's registers are there, and asks.  Refused, it goes on; offloaded, it
 * waits for its release.  Probed, it runs to the instance's first access and
 * waits there for the answer (TOM, section 4.2, footnote 4).
 *
 * Stores carry an epoch: when a block is about to leave, the epoch turns and
 * the flush is over once all stores of the old one are acknowledged.
 */
#include "tom_state.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum where {
    W_FREE,
    W_RUN,
    W_BARRIER,
    W_WANT,  /* at an instance, has not asked */
    W_ASKED, /* waits for the answer or to be probed */
    W_PROBE, /* runs to the first access */
    W_FIRST, /* stands there */
    W_AWAY,  /* offloaded */
    W_ENDED
};

struct warp {
    enum where where;
    struct tom_cta *cta;
    uint32_t index;    /* in the CTA */
    uint32_t instance; /* next or present one, index in cta->instances */
};

struct tom_main {
    struct tom_machine *m;
    uint32_t index;
    struct tom_core *core;
    struct tom_control *control;
    const struct tom_function *function;
    struct warp warps[TOM_MAX_WARPS];
    uint32_t n_used, n_ctas, shared; /* resident */
    uint32_t n_want, want_turn;
    uint64_t wakes;
    bool leaving;        /* some warp has ended: look for whole CTAs */
    uint32_t epoch;      /* 0 or 1 */
    uint64_t unacked[2]; /* stores by epoch */
    uint64_t ctas;
};

struct tom_core *tom_main_core(struct tom_main *c) {
    return c->core;
}

struct tom_control *tom_main_control(struct tom_main *c) {
    return c->control;
}

uint64_t tom_main_ctas(const struct tom_main *c) {
    return c->ctas;
}

void tom_cta_free(struct tom_cta *c) {
    if (!c)
        return;
    cta_free(c->cta);
    free(c->first);
    free(c->instances);
    free(c);
}

/* --------------------------------------------------------- towards memory */

/* Whether an access that the L1 lets through can go on: a hit in the L2 or a
 * line that it waits for already needs no link. */
static bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct tom_main *c = ctx;
    struct tom_machine *m = c->m;
    uint32_t stack = tom_map_stack(m->map, address);
    if (m->l2 && what == STREAM_LOAD) {
        if (cache_has(m->l2, address) || cache_in_flight(m->l2, address))
            return true;
        if (cache_outstanding(m->l2) >= 16 * m->settings->cores)
            return false;
    }
    return pipe_ready(m->tx[stack], m->cycle);
}

/* True: the L2 has taken the load, and no request leaves. */
static bool l2_takes(struct tom_main *c, uint64_t address, uint64_t token) {
    struct tom_machine *m = c->m;
    enum cache_result r =
        cache_access(m->l2, m->cycle, address, CACHE_LOAD, c->index);
    struct pipe_packet hit = {.kind = TOM_LOAD, .token = token};
    if (r == CACHE_BLOCKED)
        BUG("the L2 is full after it was asked");
    if (r == CACHE_HIT)
        pipe_send(m->l2_hits, m->cycle, &hit);
    return r != CACHE_MISS;
}

static void send(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number) {
    struct tom_main *c = ctx;
    struct tom_machine *m = c->m;
    struct tom_message msg = tom_access(what, sectors, number);
    msg.who = c->index;
    if (what == STREAM_STORE) {
        tom_core_stored(c->core, (uint32_t)number); /* epochs count instead */
        msg.number = c->epoch;
        c->unacked[c->epoch]++;
    }
    if (m->l2 && what == STREAM_LOAD && l2_takes(c, address, tom_token(&msg)))
        return;
    if (m->l2 && what != STREAM_LOAD)
        cache_access(m->l2, m->cycle, address,
                     what == STREAM_STORE ? CACHE_STORE : CACHE_ATOMIC, 0);
    struct pipe_packet p = tom_request(&msg);
    pipe_send(m->tx[tom_map_stack(m->map, address)], m->cycle, &p);
}

void tom_main_answer(struct tom_main *c, const struct tom_message *msg) {
    switch (msg->what) {
    case TOM_MSG_LINE:
        tom_core_line(c->core, c->m->cycle, msg->number);
        break;
    case TOM_MSG_ATOMIC:
        tom_core_atomic(c->core, c->m->cycle, msg->number);
        break;
    case TOM_MSG_STORE:
        c->unacked[msg->number]--;
        break;
    case TOM_MSG_ACK:
        tom_control_ack(c->control, (uint32_t)msg->number);
        break;
    case TOM_MSG_JOB:
        BUG("a request came back");
    }
    c->wakes = 0;
}

bool tom_main_flushed(struct tom_main *c, bool begin) {
    if (begin)
        c->epoch ^= 1;
    return c->unacked[c->epoch ^ 1] == 0;
}

/* ------------------------------------------------------------------- warps */

const struct cta_warp *tom_main_code(const struct tom_main *c, uint32_t slot) {
    const struct warp *w = &c->warps[slot];
    return &w->cta->cta->warps[w->index];
}

/* The warp's instance, NULL behind the last. */
const struct tom_instance *tom_main_instance(const struct tom_main *c,
                                             uint32_t slot) {
    const struct warp *w = &c->warps[slot];
    return w->instance < w->cta->first[w->index + 1]
               ? &w->cta->instances[w->instance]
               : NULL;
}

const struct tom_candidate *tom_main_candidate(const struct tom_main *c,
                                               uint32_t slot) {
    const struct tom_instance *x = tom_main_instance(c, slot);
    return &c->warps[slot].cta->function->list[x->candidate];
}

/* On to the next instance, or the end. */
static void run(struct tom_main *c, uint32_t slot) {
    const struct tom_instance *x = tom_main_instance(c, slot);
    c->warps[slot].where = W_RUN;
    c->wakes = 0;
    tom_core_resume(c->core, slot, x ? x->begin : tom_main_code(c, slot)->n);
}

static void free_barrier(struct tom_main *c, const struct tom_cta *cta) {
    for (uint32_t i = 0; i < c->m->settings->warps; i++)
        if (c->warps[i].cta == cta && c->warps[i].where != W_ENDED &&
            c->warps[i].where != W_BARRIER)
            return;
    for (uint32_t i = 0; i < c->m->settings->warps; i++)
        if (c->warps[i].cta == cta && c->warps[i].where == W_BARRIER)
            run(c, i);
}

static void at_barrier(void *ctx, uint32_t slot) {
    struct tom_main *c = ctx;
    c->warps[slot].where = W_BARRIER;
    free_barrier(c, c->warps[slot].cta);
}

static void at_stop(void *ctx, uint32_t slot) {
    struct tom_main *c = ctx;
    struct warp *w = &c->warps[slot];
    if (w->where == W_PROBE) {
        w->where = W_FIRST;
    } else if (tom_main_instance(c, slot)) {
        w->where = W_WANT;
        c->n_want++;
    } else {
        w->where = W_ENDED;
        c->leaving = true;
        free_barrier(c, w->cta);
    }
}

/* -------------------------------------------------- with the controller */

bool tom_main_wants(struct tom_main *c, uint32_t *slot) {
    uint32_t n = c->m->settings->warps;
    if (!c->n_want)
        return false;
    for (uint32_t k = 0, at = c->want_turn; k < n; k++) {
        at = at + 1 < n ? at + 1 : 0;
        if (c->warps[at].where != W_WANT)
            continue;
        const struct tom_candidate *t = tom_main_candidate(c, at);
        if (tom_core_slot(c->core, at)->in_lsu) /* stores may be among them */
            continue;
        if (tom_core_registers(c->core, at, t->regs, t->n_regs) > c->m->cycle)
            continue;
        *slot = at;
        return true;
    }
    return false;
}

void tom_main_asked(struct tom_main *c, uint32_t slot) {
    c->warps[slot].where = W_ASKED;
    c->want_turn = slot;
    c->n_want--;
}

void tom_main_answered(struct tom_main *c, uint32_t slot, bool offload) {
    if (offload) {
        c->warps[slot].where = W_AWAY;
        return;
    }
    c->warps[slot].instance++;
    run(c, slot);
}

void tom_main_probe(struct tom_main *c, uint32_t slot) {
    c->warps[slot].where = W_PROBE;
    c->wakes = 0;
    tom_core_resume(c->core, slot, tom_main_instance(c, slot)->first);
}

/* The probed warp stands at its first access, whose address is known. */
bool tom_main_first(const struct tom_main *c, uint32_t slot) {
    const struct tom_instance *x = tom_main_instance(c, slot);
    const struct cta_warp *code = tom_main_code(c, slot);
    if (c->warps[slot].where != W_FIRST)
        return false;
    if (x->first == x->end)
        return true;
    const struct stream_insn *in =
        cta_insn(c->m->reader, code->ops[x->first].insn);
    return tom_core_registers(c->core, slot, in->regs + in->n_dst, in->n_src) <=
           c->m->cycle;
}

/* After the block: its live-outs are there. */
void tom_main_release(struct tom_main *c, uint32_t slot) {
    tom_core_slot(c->core, slot)->next = tom_main_instance(c, slot)->end;
    tom_core_settle(c->core, slot);
    c->warps[slot].instance++;
    run(c, slot);
}

/* -------------------------------------------------------------------- CTAs */

bool tom_main_fits(const struct tom_main *c, const struct cta *cta) {
    if (c->n_ctas == 0)
        return true;
    return c->n_used + cta->n_warps <= c->m->settings->warps &&
           c->n_ctas < TOM_CTAS && c->shared + cta->launch.shared <= TOM_SHARED;
}

void tom_main_start(struct tom_main *c, struct tom_cta *cta) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < cta->cta->n_warps; i++, at++) {
        while (c->warps[at].where != W_FREE)
            at++;
        c->warps[at] = (struct warp){W_RUN, cta, i, cta->first[i]};
        tom_core_start(c->core, at, &cta->cta->warps[i], 0, 0);
        run(c, at);
    }
    c->n_used += cta->cta->n_warps;
    c->shared += cta->cta->launch.shared;
    c->n_ctas++;
}

enum over { OVER_NOT, OVER_ISSUED, OVER_QUIET };

static enum over is_over(struct tom_main *c, const struct tom_cta *cta) {
    enum over o = OVER_QUIET;
    for (uint32_t i = 0; i < c->m->settings->warps; i++) {
        if (c->warps[i].cta != cta)
            continue;
        if (c->warps[i].where != W_ENDED)
            return OVER_NOT;
        if (!tom_core_quiet(c->core, i))
            o = OVER_ISSUED;
    }
    return o;
}

static void remove_cta(struct tom_main *c, struct tom_cta *cta) {
    for (uint32_t k = 0; k < c->m->settings->warps; k++)
        if (c->warps[k].cta == cta)
            c->warps[k] = (struct warp){W_FREE, NULL, 0, 0};
    c->n_used -= cta->cta->n_warps;
    c->shared -= cta->cta->launch.shared;
    c->n_ctas--;
    c->ctas++;
    tom_cta_free(cta);
}

/* CTAs whose warps have all ended leave, once nothing of them is under way; a
 * CTA with a warp that runs is looked at again when one ends. */
static void leave(struct tom_main *c) {
    c->leaving = false;
    for (uint32_t i = 0; i < c->m->settings->warps; i++) {
        struct tom_cta *cta = c->warps[i].cta;
        if (!cta || c->warps[i].where != W_ENDED)
            continue;
        enum over o = is_over(c, cta);
        if (o == OVER_QUIET)
            remove_cta(c, cta);
        else if (o == OVER_ISSUED)
            c->leaving = true;
    }
}

/* -------------------------------------------------------------------- core */

struct tom_main *tom_main_create(struct tom_machine *m, uint32_t index) {
    const struct tom_settings *s = m->settings;
    struct tom_main *c = xcalloc(1, sizeof *c);
    struct tom_core_config config = {.slots = s->warps,
                                     .interval = TOM_UNIT,
                                     .cache = {.size = s->l1,
                                               .ways = s->ways,
                                               .mshrs = s->mshrs,
                                               .targets = 16,
                                               .hashed = true}};
    struct tom_port port = {c, ready, send, at_stop, at_barrier};
    c->m = m;
    c->index = index;
    c->core = tom_core_create(&config, &port, m->reader);
    c->control = tom_control_create(m, index);
    return c;
}

void tom_main_free(struct tom_main *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < TOM_MAX_WARPS; i++)
        if (c->warps[i].cta && c->warps[i].index == 0)
            tom_cta_free(c->warps[i].cta);
    tom_core_free(c->core);
    tom_control_free(c->control);
    free(c);
}

void tom_main_kernel(struct tom_main *c, const struct tom_function *f) {
    cache_invalidate_all(tom_core_cache(c->core));
    tom_control_load(c->control, f);
}

bool tom_main_idle(const struct tom_main *c) {
    return c->n_ctas == 0 && !c->unacked[0] && !c->unacked[1] &&
           tom_control_idle(c->control);
}

void tom_main_step(struct tom_main *c) {
    if (c->wakes > c->m->cycle)
        return;
    tom_core_step(c->core, c->m->cycle);
    c->wakes = tom_core_wakes(c->core);
    if (c->leaving)
        leave(c); /* what it waits for is an answer, which wakes the core */
}
