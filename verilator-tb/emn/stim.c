/* stim.c - stimulus of the earliest-meet-node block.
 *
 * random    any numbers, those outside the mesh included, in bursts and gaps;
 *           one cycle in three belongs to a calm, in which each counter of 16
 *           bits is filled: no gap, no reset, nobody clears, and no meet node,
 *           then always one
 * directed  every core with every pair of memory nodes once, then numbers
 *           outside the mesh
 * replay    the pairs of loads of a kernel's offload chains
 * (lib/papers/omni/chain.h) as it executes them; CTAs go to the cores in turn,
 * lines to the memory nodes by their address
 *
 * Besides the comparison with the model, every answer is held against a search
 * over all nodes of the mesh: is there a node on a path of each load, and is
 * none nearer to both memories than the one that was answered?
 */
#include "base/bits.h"
#include "stim.h"

#include "base/arena.h"
#include "blocks/emn.h"
#include "kit/stream.h"
#include "kit/toggle.h"
#include "papers/omni/chain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CALM = 3 << 16, RESET_EVERY = 2000 }; /* cycles */
enum { MOST_STAGES = 3, WARPS = 1 << 12, CHAINS = 16, LINE_SHIFT = 7 };

struct request {
    bool valid;
    uint32_t id, core, mem0, mem1;
};

/* The load of a chain that a warp has executed while the other is to come; the
 * compiler may have them in either order, and several chains at once. */
struct first_load {
    int chain;   /* -1: none */
    bool second; /* it is the chain's second one */
    uint64_t address;
};

struct replay {
    struct stim_stream *stream;
    uint64_t pass; /* of the stream, from 1, that the chains belong to */
    struct arena arena;
    struct ptx_chains **chains; /* by function */
    struct first_load *first;   /* by warp of the launch and chain, modulo */
};

struct emn_stim;

struct emn_mode {
    struct stim_mode base;
    bool (*next)(struct emn_stim *s, struct request *r); /* false: a gap */
    bool in_reset; /* also while rst is high */
};

struct emn_stim {
    struct stim base;
    struct emn_local size;
    int memory[64];
    int cores[1024], n_cores;
    bool over;
    int percent; /* of edges with a request, in this phase */
    uint64_t phase_left, swept;
    struct request pipe[MOST_STAGES + 1];
    struct request answered; /* that the answer before the edge belongs to */
    struct replay replay;
    int16_t
        *best; /* by core and two memories: best_sum + 2, 0: not yet asked */
    uint64_t requests, met, none, same, streak, longest;
};

/* ------------------------------------------------------------- the oracle */

static bool between(int x, int a, int b) {
    return a <= b ? a <= x && x <= b : b <= x && x <= a;
}

/* Node n lies on the xy or on the yx path from core c to node m. */
static bool on_path(const struct emn_stim *s, int n, int c, int m) {
    int w = s->size.WIDTH;
    int nx = n % w, ny = n / w, cx = c % w, cy = c / w, mx = m % w, my = m / w;
    bool xy =
        (ny == cy && between(nx, cx, mx)) || (nx == mx && between(ny, cy, my));
    bool yx =
        (nx == cx && between(ny, cy, my)) || (ny == my && between(nx, cx, mx));
    return xy || yx;
}

static int hops(const struct emn_stim *s, int a, int b) {
    int w = s->size.WIDTH;
    return abs(a % w - b % w) + abs(a / w - b / w);
}

/* Smallest summed distance of a common node, -1 if there is none. */
static int best_sum(const struct emn_stim *s, int core, int a, int b) {
    int best = -1;
    for (int n = 0; n < s->size.NODES; n++) {
        if (n == core || !on_path(s, n, core, a) || !on_path(s, n, core, b))
            continue;
        int sum = hops(s, n, a) + hops(s, n, b);
        if (best < 0 || sum < best)
            best = sum;
    }
    return best;
}

/* The same, once for each core and memories. */
static int best_of(struct emn_stim *s, const struct request *r) {
    size_t mems = (size_t)s->size.MEMS;
    int16_t *known = &s->best[(r->core * mems + r->mem0) * mems + r->mem1];
    if (*known == 0)
        *known = (int16_t)(best_sum(s, (int)r->core, s->memory[r->mem0],
                                    s->memory[r->mem1]) +
                           2);
    return *known - 2;
}

static bool in_mesh(const struct emn_stim *s, const struct request *r) {
    return (int)r->core < s->size.NODES && (int)r->mem0 < s->size.MEMS &&
           (int)r->mem1 < s->size.MEMS &&
           (!s->size.ONE_CORE || (int)r->core == s->size.CORE);
}

static bool right(struct emn_stim *s, const struct request *r, bool found,
                  int node) {
    if (!in_mesh(s, r))
        return !found && node == 0;
    int core = (int)r->core, a = s->memory[r->mem0], b = s->memory[r->mem1];
    if (a == b)
        return found && node == a;
    int best = best_of(s, r);
    if (!found)
        return best < 0 && node == 0;
    return node != core && node < s->size.NODES && on_path(s, node, core, a) &&
           on_path(s, node, core, b) &&
           hops(s, node, a) + hops(s, node, b) == best;
}

static const char *check_answer(struct emn_stim *s, const struct emn_out *out) {
    const struct request *r = &s->pipe[s->size.STAGES - 1];
    if (out->ans_valid != r->valid) {
        return r->valid ? stim_complain(&s->base,
                                        "the answer to lookup %" PRIu32
                                        " is missing",
                                        r->id)
                        : "an answer to no lookup";
    }
    if (!r->valid)
        return NULL;
    s->met += out->ans_found;
    s->none += !out->ans_found;
    s->same += in_mesh(s, r) && r->mem0 == r->mem1;
    if (out->ans_id == r->id && right(s, r, out->ans_found, (int)out->ans_node))
        return NULL;
    return stim_complain(&s->base,
                         "wrong answer to id %" PRIu32 ", core %" PRIu32
                         ", memories %" PRIu32 " and %" PRIu32 ": id %" PRIu64
                         ", found %" PRIu64 ", node %" PRIu64,
                         r->id, r->core, r->mem0, r->mem1, out->ans_id,
                         out->ans_found, out->ans_node);
}

/* ---------------------------------------------------------------- requests */

static uint32_t any(struct emn_stim *s, int bits) {
    return (uint32_t)(rng_next(&s->base.rng) & ones(bits));
}

/* Mostly inside the mesh; sometimes any number that the wires can carry. */
static uint32_t draw(struct emn_stim *s, int n, int bits) {
    return rng_percent(&s->base.rng, 95) ? rng_below(&s->base.rng, (uint32_t)n)
                                         : any(s, bits);
}

static bool calm(const struct emn_stim *s) {
    return s->base.now % (3 * CALM) / CALM == 1;
}

/* The first half of a calm asks what has no answer, where there is such. */
static void draw_calm(struct emn_stim *s, struct request *r) {
    bool same = s->base.now % CALM >= CALM / 2;
    for (int tries = 0; tries < 50; tries++) {
        r->core = s->size.ONE_CORE
                      ? (uint32_t)s->size.CORE
                      : rng_below(&s->base.rng, (uint32_t)s->size.NODES);
        r->mem0 = rng_below(&s->base.rng, (uint32_t)s->size.MEMS);
        r->mem1 =
            same ? r->mem0 : rng_below(&s->base.rng, (uint32_t)s->size.MEMS);
        if (same || (r->mem0 != r->mem1 && best_of(s, r) < 0))
            return;
    }
}

static bool next_random(struct emn_stim *s, struct request *r) {
    if (s->phase_left-- == 0) {
        static const int percents[] = {100, 95, 60, 20, 3};
        s->percent = percents[rng_below(&s->base.rng, 5)];
        s->phase_left = 20 + rng_below(&s->base.rng, 200);
    }
    r->id = any(s, s->size.ID_W);
    if (calm(s)) {
        draw_calm(s, r);
        return true;
    }
    r->core = s->size.ONE_CORE && rng_percent(&s->base.rng, 90)
                  ? (uint32_t)s->size.CORE
                  : draw(s, s->size.NODES, s->size.NODE_W);
    r->mem0 = draw(s, s->size.MEMS, s->size.MEM_W);
    r->mem1 = rng_percent(&s->base.rng, 10)
                  ? r->mem0
                  : draw(s, s->size.MEMS, s->size.MEM_W);
    return rng_percent(&s->base.rng, s->percent);
}

static bool next_directed(struct emn_stim *s, struct request *r) {
    uint64_t pairs = (uint64_t)s->size.MEMS * (uint64_t)s->size.MEMS;
    uint64_t all = pairs * (uint64_t)s->size.NODES, n = s->swept++;
    r->id = (uint32_t)(n & ones(s->size.ID_W));
    if (n < all) {
        r->core = (uint32_t)(n / pairs);
        r->mem0 = (uint32_t)(n % pairs) / (uint32_t)s->size.MEMS;
        r->mem1 = (uint32_t)(n % pairs) % (uint32_t)s->size.MEMS;
        return true;
    }
    if (n == all + 2)
        master_clear(&s->base.master);
    r->core = any(s, s->size.NODE_W);
    r->mem0 = any(s, s->size.MEM_W);
    r->mem1 = any(s, s->size.MEM_W);
    s->over = n >= all + 1000;
    return n % 3 != 0;
}

/* ------------------------------------------------------------------ replay */

/* Chains as the paper found them: an f32 fma may be split. */
static void find_chains(struct replay *p) {
    static const struct ptx_chain_options options = {.split_fma = true};
    if (p->pass == stim_stream_passes(p->stream) + 1)
        return;
    p->pass = stim_stream_passes(p->stream) + 1;
    arena_free(&p->arena);
    p->arena = (struct arena){0};
    const struct ptx_module *m = run_module(stim_stream_run(p->stream));
    p->chains =
        arena_array(&p->arena, (size_t)m->n_functions + 1, sizeof *p->chains);
    for (int i = 0; i < m->n_functions; i++) {
        if (!m->functions[i]->has_body)
            continue;
        p->chains[i] = arena_alloc(&p->arena, sizeof **p->chains);
        ptx_chains_find(&p->arena, NULL,
                        ptx_analyse(&p->arena, m->functions[i]), &options,
                        p->chains[i]);
    }
}

/* Lines go over the memory nodes in turn, folded with their upper bits so that
 * arrays at round addresses do not meet in one node. */
static uint32_t memory_of(const struct emn_stim *s, uint64_t address) {
    uint64_t line = address >> LINE_SHIFT;
    line ^= line >> 5 ^ line >> 10 ^ line >> 15 ^ line >> 20;
    return (uint32_t)(line % (uint64_t)s->size.MEMS);
}

/* A load of a chain: remember the one that comes first, ask with the other. */
static bool use_load(struct emn_stim *s, const struct stream_event *e,
                     struct request *r) {
    struct replay *p = &s->replay;
    const struct ptx_chains *c = p->chains[e->insn->function];
    int chain = c && e->insn->access == STREAM_LOAD && e->mask
                    ? c->chain_of[e->insn->pc]
                    : -1;
    if (chain < 0 || c->list[chain].n_loads < 2)
        return false;
    uint32_t warp = (e->cta * 32 + e->warp) % WARPS;
    struct first_load *f = &p->first[warp * CHAINS + (uint32_t)chain % CHAINS];
    uint64_t address = e->address[__builtin_ctz(e->mask)];
    bool second = (int)e->insn->pc == c->list[chain].pcs[1];
    if (f->chain != chain || f->second == second) {
        *f = (struct first_load){chain, second, address};
        return false;
    }
    f->chain = -1;
    r->id = (uint32_t)(e->warp & ones(s->size.ID_W));
    r->core = s->size.ONE_CORE
                  ? (uint32_t)s->size.CORE
                  : (uint32_t)s->cores[e->cta % (uint32_t)s->n_cores];
    r->mem0 = memory_of(s, second ? f->address : address);
    r->mem1 = memory_of(s, second ? address : f->address);
    return true;
}

static bool next_replay(struct emn_stim *s, struct request *r) {
    struct replay *p = &s->replay;
    const struct stream_event *e;
    for (int tries = 0; tries < 4096; tries++) {
        e = stim_stream_next(p->stream);
        if (!e) {
            s->over = true;
            return false;
        }
        find_chains(p);
        if (e->kind == STREAM_LAUNCH)
            for (int i = 0; i < WARPS * CHAINS; i++)
                p->first[i].chain = -1;
        else if (use_load(s, e, r))
            return true;
    }
    return false;
}

static bool open_replay(struct stim *base) {
    struct emn_stim *s = (struct emn_stim *)base;
    s->replay.stream = stim_stream_open(base->options, base->diag);
    s->replay.first = xcalloc(WARPS * CHAINS, sizeof *s->replay.first);
    return s->replay.stream != NULL;
}

/* ------------------------------------------------------------- the stimulus */

static enum stim_state sweep_state(const struct stim *base) {
    return ((const struct emn_stim *)base)->over ? STIM_OVER : STIM_GOING;
}

static enum stim_state replay_state(const struct stim *base) {
    const struct emn_stim *s = (const struct emn_stim *)base;
    if (stim_stream_state(s->replay.stream) == STIM_FAILED)
        return STIM_FAILED;
    return sweep_state(base);
}

static const struct emn_mode random_mode = {
    .base = {.name = "random", .resets = true},
    .next = next_random,
    .in_reset = true,
};

static const struct emn_mode directed_mode = {
    .base = {.name = "directed", .state = sweep_state},
    .next = next_directed,
};

static const struct emn_mode replay_mode = {
    .base = {.name = "replay",
             .measures = true,
             .open = open_replay,
             .state = replay_state},
    .next = next_replay,
};

static const struct stim_mode *const modes[] = {
    &random_mode.base, &directed_mode.base, &replay_mode.base, NULL};

static void open(struct stim *base, const struct config *c) {
    struct emn_stim *s = (struct emn_stim *)base;
    const struct int_list *list = &c->mesh_memory_nodes;
    s->size = emn_local(c);
    memcpy(s->memory, list->v, sizeof s->memory);
    for (int n = 0; n < s->size.NODES; n++) {
        bool memory = false;
        for (int i = 0; i < list->n; i++)
            memory |= list->v[i] == n;
        if (!memory)
            s->cores[s->n_cores++] = n;
    }
    if (s->n_cores == 0) /* a mesh of memory nodes only */
        s->cores[s->n_cores++] = 0;
    s->best = xcalloc((size_t)s->size.NODES * (size_t)s->size.MEMS *
                          (size_t)s->size.MEMS,
                      sizeof *s->best);
    base->reset_every = RESET_EVERY;
}

static void close(struct stim *base) {
    struct emn_stim *s = (struct emn_stim *)base;
    stim_stream_close(s->replay.stream);
    arena_free(&s->replay.arena);
    free(s->replay.first);
    free(s->best);
}

static void reset(struct stim *base) {
    struct emn_stim *s = (struct emn_stim *)base;
    memset(s->pipe, 0, sizeof s->pipe);
    s->answered = s->pipe[0];
}

static void drive(struct stim *base, void *ports) {
    struct emn_stim *s = (struct emn_stim *)base;
    const struct emn_mode *mode = (const struct emn_mode *)base->mode;
    struct emn_in *in = ports;
    struct request r = {0};
    in->req_valid =
        (base->rst_left == 0 || mode->in_reset) && mode->next(s, &r);
    in->req_id = r.id;
    in->req_core = r.core;
    in->req_mem0 = r.mem0;
    in->req_mem1 = r.mem1;
    base->reset_every = calm(s) ? 0 : RESET_EVERY;
    if (mode == &random_mode && base->reset_every &&
        rng_below(&base->rng, 2000) == 0)
        master_clear(&base->master);
}

static void note_streak(struct emn_stim *s, bool valid) {
    s->requests += valid;
    s->streak = valid ? s->streak + 1 : 0;
    if (s->streak > s->longest)
        s->longest = s->streak;
}

/* The counters move with the answer that stands before the edge. */
static void count_answer(struct emn_stim *s, const struct emn_out *before) {
    uint64_t *count = s->base.master.count;
    if (!before->ans_valid)
        return;
    count[EMN_CNT_lookups]++;
    count[before->ans_found ? EMN_CNT_met : EMN_CNT_none]++;
    count[EMN_CNT_same] +=
        before->ans_found && s->answered.mem0 == s->answered.mem1;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before, const void *after) {
    struct emn_stim *s = (struct emn_stim *)base;
    const struct emn_in *in = in_ports;
    s->answered = s->pipe[s->size.STAGES - 1];
    memmove(s->pipe + 1, s->pipe, MOST_STAGES * sizeof *s->pipe);
    s->pipe[0] = (struct request){
        in->req_valid, (uint32_t)in->req_id, (uint32_t)in->req_core,
        (uint32_t)in->req_mem0, (uint32_t)in->req_mem1};
    note_streak(s, in->req_valid);
    count_answer(s, before);
    return check_answer(s, after);
}

static void report(struct stim *base, struct text *t) {
    const struct emn_stim *s = (const struct emn_stim *)base;
    text_printf(t, "lookups\t%" PRIu64 "\n", s->requests);
    text_printf(t, "met\t%" PRIu64 "\n", s->met);
    text_printf(t, "same_memory\t%" PRIu64 "\n", s->same);
    text_printf(t, "none\t%" PRIu64 "\n", s->none);
    text_printf(t, "longest_streak\t%" PRIu64 "\n", s->longest);
}

const struct stim_class emn_stim = {
    .size = sizeof(struct emn_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
