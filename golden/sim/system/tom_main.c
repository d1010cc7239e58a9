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
    W_RUN,
    W_WANT,  /* at an instance, has not asked */
    W_ASKED, /* waits for the answer or to be probed */
    W_PROBE, /* runs to the first access */
    W_FIRST, /* stands there */
    W_AWAY   /* offloaded */
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
    struct core *core;
    struct tom_control *control;
    const struct tom_function *function;
    struct warp warps[TOM_MAX_WARPS];
    uint32_t n_ctas, shared; /* resident */
    uint32_t n_want, want_turn;
    uint32_t epoch;      /* 0 or 1 */
    uint64_t unacked[2]; /* stores by epoch */
};

struct core *tom_main_core(struct tom_main *c) {
    return c->core;
}

struct tom_control *tom_main_control(struct tom_main *c) {
    return c->control;
}

uint64_t tom_main_ctas(const struct tom_main *c) {
    return core_statistics(c->core)->groups;
}

void tom_cta_free(struct tom_cta *c) {
    if (!c)
        return;
    cta_free(c->cta);
    free(c->first);
    array_free(&c->instances.list);
    free(c);
}

/* --------------------------------------------------------- towards memory */

/* Whether an access can go on from the L1: a load that ends there needs
 * nothing, a hit in the L2 or a line that it waits for already needs no link.
 */
static bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct tom_main *c = ctx;
    struct tom_machine *m = c->m;
    if (what == STREAM_LOAD && core_holds(c->core, address))
        return true;
    if (m->l2 && what == STREAM_LOAD) {
        if (cache_has(m->l2, address) || cache_in_flight(m->l2, address))
            return true;
        if (cache_outstanding(m->l2) >= 16 * m->settings->cores)
            return false;
    }
    return pipe_ready(m->tx[tom_map_stack(m->map, address)], m->cycle);
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
        core_stored(c->core, (uint32_t)number); /* epochs count instead */
        msg.number = c->epoch;
        c->unacked[c->epoch]++;
    }
    if (m->l2 && what == STREAM_LOAD && l2_takes(c, address, tom_token(&msg)))
        return;
    if (m->l2 && what != STREAM_LOAD)
        cache_access(m->l2, m->cycle, address,
                     what == STREAM_STORE ? CACHE_STORE : CACHE_ATOMIC, 0);
    struct pipe_packet p = tom_request(&msg);
    uint32_t stack = tom_map_stack(m->map, address);
    tom_machine_touch(m, stack, address);
    pipe_send(m->tx[stack], m->cycle, &p);
}

void tom_main_answer(struct tom_main *c, const struct tom_message *msg) {
    switch (msg->what) {
    case TOM_MSG_LINE:
        core_line(c->core, c->m->cycle, msg->number);
        break;
    case TOM_MSG_ATOMIC:
        core_atomic(c->core, c->m->cycle, msg->number);
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
               ? &w->cta->instances.list.v[w->instance]
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
    core_resume(c->core, slot, x ? x->begin : tom_main_code(c, slot)->n);
}

/* At an instance, at the first access of the one that is probed, or at the
 * end. */
static bool at_stop(void *ctx, uint32_t slot) {
    struct tom_main *c = ctx;
    struct warp *w = &c->warps[slot];
    if (w->where == W_PROBE) {
        w->where = W_FIRST;
        return true;
    }
    if (!tom_main_instance(c, slot))
        return false;
    w->where = W_WANT;
    c->n_want++;
    return true;
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
        if (core_in_lsu(c->core, at)) /* stores may be among them */
            continue;
        if (core_registers(c->core, at, t->regs, t->n_regs) > c->m->cycle)
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
    core_resume(c->core, slot, tom_main_instance(c, slot)->first);
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
    return core_registers(c->core, slot, in->regs + in->n_dst, in->n_src) <=
           c->m->cycle;
}

/* After the block: its live-outs are there. */
void tom_main_release(struct tom_main *c, uint32_t slot) {
    core_jump(c->core, slot, tom_main_instance(c, slot)->end);
    c->warps[slot].instance++;
    run(c, slot);
}

/* -------------------------------------------------------------------- CTAs */

bool tom_main_fits(const struct tom_main *c, const struct cta *cta) {
    if (c->n_ctas == 0)
        return true;
    return cta->n_warps <= core_room(c->core) && c->n_ctas < TOM_CTAS &&
           c->shared + cta->launch.shared <= TOM_SHARED;
}

void tom_main_start(struct tom_main *c, struct tom_cta *cta) {
    uint64_t set =
        core_launch(c->core, cta, cta->cta->warps, cta->cta->n_warps);
    for (uint32_t i = 0; set; set &= set - 1, i++) {
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        c->warps[slot] = (struct warp){W_RUN, cta, i, cta->first[i]};
        run(c, slot);
    }
    c->shared += cta->cta->launch.shared;
    c->n_ctas++;
}

static void leave(struct tom_main *c) {
    struct tom_cta *cta;
    while ((cta = core_leave(c->core))) {
        c->shared -= cta->cta->launch.shared;
        c->n_ctas--;
        tom_cta_free(cta);
    }
}

/* -------------------------------------------------------------------- core */

struct tom_main *tom_main_create(struct tom_machine *m, uint32_t index) {
    const struct tom_settings *s = m->settings;
    struct tom_main *c = xcalloc(1, sizeof *c);
    struct core_config config = {.slots = s->warps,
                                 .interval = tom_interval(s),
                                 .latency = CORE_LATENCIES,
                                 .cache = tom_l1(s),
                                 .drain = true};
    struct core_hooks hooks = {
        .ctx = c, .ready = ready, .send = send, .stop = at_stop};
    c->m = m;
    c->index = index;
    c->core = core_create(&config, &hooks, m->reader);
    c->control = tom_control_create(m, index);
    return c;
}

void tom_main_free(struct tom_main *c) {
    struct tom_cta *cta;
    if (!c)
        return;
    while (c->core && (cta = core_evict(c->core)))
        tom_cta_free(cta);
    core_free(c->core);
    tom_control_free(c->control);
    free(c);
}

void tom_main_kernel(struct tom_main *c, const struct tom_function *f) {
    cache_invalidate_all(core_cache(c->core));
    tom_control_load(c->control, f);
}

bool tom_main_idle(const struct tom_main *c) {
    return c->n_ctas == 0 && !c->unacked[0] && !c->unacked[1] &&
           tom_control_idle(c->control);
}

void tom_main_step(struct tom_main *c) {
    if (core_wakes(c->core) > c->m->cycle)
        return;
    core_step(c->core, c->m->cycle);
    leave(c); /* what it waits for is an answer, which wakes the core */
}
