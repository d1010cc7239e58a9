/* omni_core.c - a core of the composition: its warps stop at their chains,
 * which leave as packets or are executed here (docs/blocks/oqueue.md).
 *
 * A chain is built op by op, one chain at a time; the warp then waits for its
 * answer. Where the warp's lines differ, each line is a packet of its own, with
 * an entry of its own; if a service queue has sent the loads of any back, the
 * core does the rest of that chain itself.
 */
#include "omni_state.h"

#include "base/arena.h"
#include "emn/emn.h"

#include <stdlib.h>

enum where {
    W_FREE,
    W_RUN,  /* up to the next chain, or the end */
    W_WANT, /* stands at a chain */
    W_AWAY  /* waits for its answers */
};

/* A CTA with the chains of its warps. */
struct group {
    struct cta *cta;
    uint32_t *first; /* chain of each warp, n_warps + 1 */
    struct omni_instances chains;
};

struct warp {
    enum where where;
    struct group *group;
    uint32_t index;    /* in the CTA */
    uint32_t instance; /* next or present one, in group->chains */
    uint32_t answers;  /* that have to come */
    bool returned;     /* the loads of one of them were */
    uint64_t wants_at; /* its registers are there */
};

struct omni_core {
    struct omni_machine *m;
    int node;
    struct core *core;
    struct warp warps[CORE_MAX_SLOTS];
    uint32_t n_ctas, shared; /* resident */
    uint32_t n_want, turn;
    uint32_t entries;  /* taken */
    double window;     /* packets in flight, of which one is always allowed */
    uint64_t cut_at;   /* it is reduced no earlier */
    uint64_t built_at; /* the chain that is being built is done */
};

static void group_free(struct group *g) {
    cta_free(g->cta);
    free(g->first);
    array_free(&g->chains.list);
    free(g);
}

static const struct cta_warp *code_of(const struct warp *w) {
    return &w->group->cta->warps[w->index];
}

/* The warp's next chain; NULL behind the last. */
static const struct omni_instance *chain_of(const struct warp *w) {
    return w->instance < w->group->first[w->index + 1]
               ? &w->group->chains.list.v[w->instance]
               : NULL;
}

/* --------------------------------------------------------- towards memory */

static bool ready(void *ctx, enum stream_access what, uint64_t address) {
    struct omni_core *c = ctx;
    if (what == STREAM_LOAD && core_holds(c->core, address))
        return true;
    return omni_waiting(c->m, c->node, NOC_REQUEST) < OMNI_BACKLOG;
}

static void send(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number) {
    static const enum omni_kind kinds[] = {[STREAM_LOAD] = OMNI_LOAD,
                                           [STREAM_STORE] = OMNI_STORE,
                                           [STREAM_ATOMIC] = OMNI_ATOMIC};
    struct omni_core *c = ctx;
    struct omni_message msg = {.kind = kinds[what],
                               .from = c->node,
                               .to = omni_home(c->m, address),
                               .back = c->node,
                               .address = address,
                               .sectors = sectors,
                               .number = number,
                               .since = c->m->cycle};
    omni_send(c->m, &msg);
}

/* -------------------------------------------------------------------- warps */

/* On to the next chain, or the end. */
static void run(struct omni_core *c, uint32_t slot) {
    struct warp *w = &c->warps[slot];
    const struct omni_instance *x = chain_of(w);

    w->where = W_RUN;
    core_resume(c->core, slot, x ? x->begin : code_of(w)->n);
}

static bool at_stop(void *ctx, uint32_t slot) {
    struct omni_core *c = ctx;
    struct warp *w = &c->warps[slot];

    if (!chain_of(w))
        return false;
    w->where = W_WANT;
    w->wants_at = 0;
    c->n_want++;
    return true;
}

/* The registers that the chain's instructions read are there; what one of
 * them has written before is, too, as answers bring it. */
static bool knows(struct omni_core *c, uint32_t slot) {
    struct warp *w = &c->warps[slot];
    const struct omni_instance *x = chain_of(w);
    uint64_t at = 0;

    if (core_in_lsu(c->core, slot)) /* stores may be among them */
        return false;
    if (w->wants_at > c->m->cycle)
        return false;
    for (uint32_t i = x->begin; i < x->end; i++) {
        const struct stream_insn *in =
            cta_insn(c->m->reader, code_of(w)->ops[i].insn);
        uint64_t there =
            core_registers(c->core, slot, in->regs + in->n_dst, in->n_src);
        at = there > at ? there : at;
    }
    if (at != CORE_NEVER)
        w->wants_at = at;
    return at <= c->m->cycle;
}

/* ------------------------------------------------------------------- chains */

static uint32_t lines_of(const struct warp *w, uint32_t op) {
    return cta_op_lines(&code_of(w)->ops[op]);
}

/* Packets that the chain would be: one for each line of the access that has
 * most. */
static uint32_t packets_of(const struct warp *w,
                           const struct omni_instance *x) {
    uint32_t n = x->store ? lines_of(w, x->store) : 0;
    for (int i = 0; i < x->chain->n_loads; i++) {
        uint32_t k = lines_of(w, x->begin + (uint32_t)i);
        n = k > n ? k : n;
    }
    return n;
}

/* The line of an access that goes with packet k of n.  Which lanes touch it is
 * not known here (cta.h); they are taken to walk through the lines of all
 * accesses alike. */
static const struct cta_line *line_of(const struct warp *w, uint32_t op,
                                      uint32_t k, uint32_t n) {
    const struct cta_warp *code = code_of(w);
    return &code->lines[code->ops[op].lines + k * lines_of(w, op) / n];
}

/* The node that computes packet k of n, -1: none. */
static int meet(const struct omni_core *c, const struct warp *w,
                const struct omni_instance *x, uint32_t k, uint32_t n) {
    const struct omni_machine *m = c->m;
    int a = omni_home(m, line_of(w, x->begin, k, n)->address), b = a;

    if (x->chain->n_loads > 1)
        b = omni_home(m, line_of(w, x->begin + 1, k, n)->address);
    if (m->settings->mode == OMNI_LLC)
        return a == b ? a : -1;
    struct emn_meet found = emn_find(m->width, c->node, a, b);
    return found.found ? found.node : -1;
}

static enum omni_why decide(const struct omni_core *c, const struct warp *w,
                            const struct omni_instance *x, uint32_t n) {
    for (int i = 0; i < x->chain->n_loads; i++)
        for (uint32_t k = 0; k < n; k++)
            if (core_holds(c->core,
                           line_of(w, x->begin + (uint32_t)i, k, n)->address))
                return OMNI_HIT;
    if (c->entries + n > c->m->settings->entries)
        return OMNI_FULL;
    if (c->m->settings->window && c->entries && c->entries + n > c->window)
        return OMNI_WINDOW;
    for (uint32_t k = 0; k < n; k++)
        if (meet(c, w, x, k, n) < 0)
            return OMNI_UNMET;
    return OMNI_WENT;
}

static uint32_t alu_ops(const struct ptx_chain *c) {
    uint32_t n = (c->f != PTX_CHAIN_NO_OP || c->compare != PTX_MOD_NONE) +
                 (c->g != PTX_CHAIN_NO_OP && !c->fused);
    return n ? n : 1; /* a copy goes through it, too */
}

static void send_packet(struct omni_core *c, uint32_t slot,
                        const struct omni_instance *x, uint32_t k, uint32_t n,
                        uint64_t ready_at) {
    struct warp *w = &c->warps[slot];
    struct omni_job *job = omni_new_job(c->m);
    struct omni_message msg = {.kind = OMNI_COMPUTE, .from = c->node};

    *job = (struct omni_job){
        .core = c->node,
        .meet = meet(c, w, x, k, n),
        .slot = slot,
        .ops = alu_ops(x->chain),
        .answer = (uint32_t)ptx_chain_answer_flits(x->chain->pattern),
        .n_loads = (uint32_t)x->chain->n_loads,
        .since = c->m->cycle};
    for (uint32_t i = 0; i < job->n_loads; i++)
        job->load[i] = *line_of(w, x->begin + i, k, n);
    job->has_store = x->store != 0;
    if (job->has_store) {
        job->store = *line_of(w, x->store, k, n);
        cache_invalidate(core_cache(c->core), job->store.address);
    }
    msg.to = job->meet;
    msg.job = job;
    msg.ready = ready_at;
    msg.left = code_of(w)->ops[x->begin].partial ? 2 : 1; /* a mask */
    omni_send(c->m, &msg);
    c->m->result->packets++;
    c->m->result->at_memory += c->m->node[job->meet].memory != NULL;
}

static void offload(struct omni_core *c, uint32_t slot,
                    const struct omni_instance *x, uint32_t n) {
    struct warp *w = &c->warps[slot];

    c->built_at = c->m->cycle + (x->end - x->begin);
    for (uint32_t k = 0; k < n; k++)
        send_packet(c, slot, x, k, n, c->built_at + OMNI_BUILD);
    c->entries += n;
    w->answers = n;
    w->returned = false;
    w->where = W_AWAY;
    c->m->result->far += x->end - x->begin;
}

/* The chain of a warp that stands at it leaves, or is executed here. */
static void treat(struct omni_core *c, uint32_t slot) {
    struct warp *w = &c->warps[slot];
    const struct omni_instance *x = chain_of(w);
    uint32_t n = packets_of(w, x);
    enum omni_why why = decide(c, w, x, n);

    c->n_want--;
    c->m->result->why[why]++;
    if (why == OMNI_WENT) {
        offload(c, slot, x, n);
        return;
    }
    w->instance++;
    run(c, slot);
}

/* One chain, of the warps in turn. */
static void build(struct omni_core *c) {
    uint32_t n = c->m->settings->warps;

    if (!c->n_want || c->built_at > c->m->cycle)
        return;
    for (uint32_t k = 0, at = c->turn; k < n; k++) {
        at = at + 1 < n ? at + 1 : 0;
        if (c->warps[at].where != W_WANT || !knows(c, at))
            continue;
        c->turn = at;
        treat(c, at);
        return;
    }
}

/* Additive increase, multiplicative decrease: a packet that has been answered
 * widens the window, one that a full service queue has returned narrows it. */
static void adapt_window(struct omni_core *c, bool returned) {
    uint64_t cycle = c->m->cycle;

    if (!returned) {
        c->window += 4 / c->window;
        if (c->window > c->m->settings->entries)
            c->window = c->m->settings->entries;
    } else if (cycle >= c->cut_at) {
        c->window *= 0.8;
        if (c->window < 1)
            c->window = 1;
        c->cut_at = cycle + OMNI_CUT_EVERY;
    }
}

/* An answer, or the loads, of a packet have come. */
static void end_packet(struct omni_core *c, struct omni_job *job,
                       bool returned) {
    struct warp *w = &c->warps[job->slot];
    uint32_t slot = job->slot;

    c->entries--;
    if (c->m->settings->window)
        adapt_window(c, returned);
    c->m->result->chain_cycles += c->m->cycle - job->since;
    omni_drop_job(c->m, job);
    w->returned |= returned;
    if (--w->answers)
        return;
    const struct omni_instance *x = chain_of(w);
    core_jump(c->core, slot,
              w->returned ? x->begin + (uint32_t)x->chain->n_loads : x->end);
    w->instance++;
    run(c, slot);
}

void omni_core_take(struct omni_core *c, const struct omni_message *msg) {
    struct omni_result *r = c->m->result;

    if (msg->kind == OMNI_ANSWER || (msg->kind == OMNI_STORED && msg->job)) {
        end_packet(c, msg->job, false);
    } else if (msg->job) {
        if (++msg->job->come == msg->job->n_loads)
            end_packet(c, msg->job, true);
    } else if (msg->kind == OMNI_LINE) {
        r->loads++;
        r->load_cycles += c->m->cycle - msg->since;
        core_line(c->core, c->m->cycle, msg->number);
    } else if (msg->kind == OMNI_RESULT) {
        core_atomic(c->core, c->m->cycle, msg->number);
    } else {
        core_stored(c->core, (uint32_t)msg->number);
    }
}

/* -------------------------------------------------------------------- CTAs */

bool omni_core_fits(const struct omni_core *c, const struct cta *cta) {
    if (cta->n_warps > core_room(c->core))
        return false;
    return c->n_ctas == 0 || (c->n_ctas < OMNI_CTAS &&
                              c->shared + cta->launch.shared <= OMNI_SHARED);
}

/* Its ops in the order of the rewritten text, and its chains, but for those
 * that no lane executes. */
static struct group *make_group(struct omni_core *c, struct cta *cta) {
    struct group *g = xcalloc(1, sizeof *g);

    g->cta = cta;
    g->first = xcalloc(cta->n_warps + 1, sizeof *g->first);
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        struct cta_warp *w = &cta->warps[i];
        int from = g->chains.list.n, to = from;
        g->first[i] = (uint32_t)from;
        omni_plan_arrange(c->m->plan, c->m->reader, w, &g->chains);
        for (int k = from; k < g->chains.list.n; k++)
            if (cta_op_lines(&w->ops[g->chains.list.v[k].begin]))
                g->chains.list.v[to++] = g->chains.list.v[k];
        c->m->result->chains += (uint64_t)(to - from);
        g->chains.list.n = c->m->settings->mode == OMNI_OFF ? from : to;
    }
    g->first[cta->n_warps] = (uint32_t)g->chains.list.n;
    return g;
}

void omni_core_start(struct omni_core *c, struct cta *cta) {
    struct group *g = make_group(c, cta);
    uint64_t set = core_launch(c->core, g, cta->warps, cta->n_warps);

    for (uint32_t i = 0; set; set &= set - 1, i++) {
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        c->warps[slot] = (struct warp){
            .where = W_RUN, .group = g, .index = i, .instance = g->first[i]};
        run(c, slot);
    }
    c->shared += cta->launch.shared;
    c->n_ctas++;
}

static void leave(struct omni_core *c) {
    struct group *g;
    while ((g = core_leave(c->core))) {
        c->shared -= g->cta->launch.shared;
        c->n_ctas--;
        group_free(g);
    }
}

/* --------------------------------------------------------------------- core */

struct omni_core *omni_core_create(struct omni_machine *m, int node) {
    const struct omni_settings *s = m->settings;
    struct omni_core *c = xcalloc(1, sizeof *c);
    struct core_config config = {.slots = s->warps,
                                 .interval = CORE_CYCLE,
                                 .latency = CORE_LATENCIES,
                                 .cache = {.size = s->l1,
                                           .ways = s->ways,
                                           .mshrs = s->mshrs,
                                           .targets = 8,
                                           .hashed = true},
                                 .greedy = s->scheduler,
                                 .drain = true};
    struct core_hooks hooks = {
        .ctx = c, .ready = ready, .send = send, .stop = at_stop};
    c->m = m;
    c->node = node;
    c->window = s->window;
    c->core = core_create(&config, &hooks, m->reader);
    return c;
}

void omni_core_free(struct omni_core *c) {
    struct group *g;
    if (!c)
        return;
    while ((g = core_evict(c->core)))
        group_free(g);
    core_free(c->core);
    free(c);
}

void omni_core_kernel(struct omni_core *c) {
    cache_invalidate_all(core_cache(c->core));
}

bool omni_core_idle(const struct omni_core *c) {
    return c->n_ctas == 0;
}

bool omni_core_step(struct omni_core *c) {
    uint64_t before = core_statistics(c->core)->instructions;

    build(c);
    if (core_wakes(c->core) <= c->m->cycle) {
        core_step(c->core, c->m->cycle);
        leave(c); /* what it waits for is an answer, which wakes the core */
    }
    return core_statistics(c->core)->instructions != before;
}

void omni_core_collect(struct omni_core *c) {
    struct omni_result *r = c->m->result;

    cache_stats_add(&r->l1, cache_statistics(core_cache(c->core)));
    r->instructions += core_statistics(c->core)->instructions;
    r->ctas += core_statistics(c->core)->groups;
}
