/* stim.c - stimulus of the earliest-meet-node block.
 *
 * random    any numbers, those outside the mesh included, in bursts and gaps
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
#include "stim.h"

#include "base/arena.h"
#include "blocks/emn.h"
#include "papers/omni/chain.h"
#include "kit/kit.h"
#include "kit/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

struct emn_stim {
    struct emn_local size;
    int memory[64];
    int cores[1024], n_cores;
    struct rng rng;
    struct master master;
    struct channels channels;
    bool (*next)(struct emn_stim *s, struct request *r); /* false: a gap */
    bool in_reset, over;
    int reset_left, resets;
    int percent; /* of edges with a request, in this phase */
    uint64_t phase_left, swept;
    struct request pipe[MOST_STAGES + 1];
    struct request answered; /* that the answer before the edge belongs to */
    struct replay replay;
    uint64_t requests, met, none, same, streak, longest;
    char message[160];
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

static bool in_mesh(const struct emn_stim *s, const struct request *r) {
    return (int)r->core < s->size.NODES && (int)r->mem0 < s->size.MEMS &&
           (int)r->mem1 < s->size.MEMS &&
           (!s->size.ONE_CORE || (int)r->core == s->size.CORE);
}

static bool right(const struct emn_stim *s, const struct request *r, bool found,
                  int node) {
    if (!in_mesh(s, r))
        return !found && node == 0;
    int core = (int)r->core, a = s->memory[r->mem0], b = s->memory[r->mem1];
    if (a == b)
        return found && node == a;
    int best = best_sum(s, core, a, b);
    if (!found)
        return best < 0 && node == 0;
    return node != core && node < s->size.NODES && on_path(s, node, core, a) &&
           on_path(s, node, core, b) &&
           hops(s, node, a) + hops(s, node, b) == best;
}

static const char *check_answer(struct emn_stim *s, const struct emn_out *out) {
    const struct request *r = &s->pipe[s->size.STAGES - 1];
    if (out->ans_valid != r->valid) {
        snprintf(s->message, sizeof s->message,
                 r->valid ? "the answer to lookup %" PRIu32 " is missing"
                          : "an answer to no lookup",
                 r->id);
        return s->message;
    }
    if (!r->valid)
        return NULL;
    s->met += out->ans_found;
    s->none += !out->ans_found;
    s->same += in_mesh(s, r) && r->mem0 == r->mem1;
    if (out->ans_id == r->id && right(s, r, out->ans_found, (int)out->ans_node))
        return NULL;
    snprintf(s->message, sizeof s->message,
             "wrong answer to id %" PRIu32 ", core %" PRIu32
             ", memories %" PRIu32 " and %" PRIu32 ": id %" PRIu64
             ", found %" PRIu64 ", node %" PRIu64,
             r->id, r->core, r->mem0, r->mem1, out->ans_id, out->ans_found,
             out->ans_node);
    return s->message;
}

/* ---------------------------------------------------------------- requests */

static uint32_t any(struct emn_stim *s, int bits) {
    return (uint32_t)(rng_next(&s->rng) & (((uint64_t)1 << bits) - 1));
}

/* Mostly inside the mesh; sometimes any number that the wires can carry. */
static uint32_t draw(struct emn_stim *s, int n, int bits) {
    return rng_percent(&s->rng, 95) ? rng_below(&s->rng, (uint32_t)n)
                                    : any(s, bits);
}

static bool next_random(struct emn_stim *s, struct request *r) {
    if (s->phase_left-- == 0) {
        static const int percents[] = {100, 95, 60, 20, 3};
        s->percent = percents[rng_below(&s->rng, 5)];
        s->phase_left = 20 + rng_below(&s->rng, 200);
    }
    r->id = any(s, s->size.ID_W);
    r->core = s->size.ONE_CORE && rng_percent(&s->rng, 90)
                  ? (uint32_t)s->size.CORE
                  : draw(s, s->size.NODES, s->size.NODE_W);
    r->mem0 = draw(s, s->size.MEMS, s->size.MEM_W);
    r->mem1 = rng_percent(&s->rng, 10) ? r->mem0
                                       : draw(s, s->size.MEMS, s->size.MEM_W);
    return rng_percent(&s->rng, s->percent);
}

static bool next_directed(struct emn_stim *s, struct request *r) {
    uint64_t pairs = (uint64_t)s->size.MEMS * (uint64_t)s->size.MEMS;
    uint64_t all = pairs * (uint64_t)s->size.NODES, n = s->swept++;
    r->id = (uint32_t)n & ((1u << s->size.ID_W) - 1);
    if (n < all) {
        r->core = (uint32_t)(n / pairs);
        r->mem0 = (uint32_t)(n % pairs) / (uint32_t)s->size.MEMS;
        r->mem1 = (uint32_t)(n % pairs) % (uint32_t)s->size.MEMS;
        return true;
    }
    if (n == all + 2)
        master_clear(&s->master);
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
    r->id = e->warp & ((1u << s->size.ID_W) - 1);
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

static bool open_replay(struct emn_stim *s, const struct stim_options *o,
                        struct diag *d) {
    s->replay.stream = stim_stream_open(o, d);
    s->replay.first = xcalloc(WARPS * CHAINS, sizeof *s->replay.first);
    return s->replay.stream != NULL;
}

/* ------------------------------------------------------------- the stimulus */

static bool open_mode(struct emn_stim *s, const struct stim_options *o,
                      struct diag *d) {
    if (strcmp(o->mode, "random") == 0)
        s->next = next_random;
    else if (strcmp(o->mode, "directed") == 0)
        s->next = next_directed;
    else if (strcmp(o->mode, "replay") == 0) {
        s->next = next_replay;
        return open_replay(s, o, d);
    } else {
        return stim_unknown(o->mode, d);
    }
    return true;
}

static void set_mesh(struct emn_stim *s, const struct config *c) {
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
}

static void destroy(void *stim) {
    struct emn_stim *s = stim;
    stim_stream_close(s->replay.stream);
    arena_free(&s->replay.arena);
    free(s->replay.first);
    free(s);
}

static void *create(const struct config *c, const struct stim_options *o,
                    struct diag *d) {
    struct emn_stim *s = xcalloc(1, sizeof *s);
    set_mesh(s, c);
    rng_seed(&s->rng, o->seed);
    master_open(&s->master, &emn_iface, c, &s->rng);
    channels_find(&s->channels, &emn_iface);
    if (!open_mode(s, o, d)) {
        destroy(s);
        return NULL;
    }
    return s;
}

static void drive(void *stim, bool *rst, void *ports) {
    struct emn_stim *s = stim;
    struct emn_in *in = ports;
    struct request r = {0};
    bool random = s->next == next_random;
    if (random && s->reset_left == 0 && rng_below(&s->rng, 20000) == 0)
        s->reset_left = 1 + (int)rng_below(&s->rng, 3);
    *rst = s->reset_left > 0;
    if (s->next != next_random && *rst)
        in->req_valid = 0;
    else
        in->req_valid = s->next(s, &r);
    in->req_id = r.id;
    in->req_core = r.core;
    in->req_mem0 = r.mem0;
    in->req_mem1 = r.mem1;
    if (random && rng_below(&s->rng, 2000) == 0)
        master_clear(&s->master);
    if (!*rst)
        master_drive(&s->master, in, 50);
}

static void note_streak(struct emn_stim *s, bool valid) {
    s->requests += valid;
    s->streak = valid ? s->streak + 1 : 0;
    if (s->streak > s->longest)
        s->longest = s->streak;
}

/* The counters move with the answer that stands before the edge. */
static void count_answer(struct emn_stim *s, const struct emn_out *before) {
    uint64_t *count = s->master.count;
    if (!before->ans_valid)
        return;
    count[EMN_CNT_lookups]++;
    count[before->ans_found ? EMN_CNT_met : EMN_CNT_none]++;
    count[EMN_CNT_same] +=
        before->ans_found && s->answered.mem0 == s->answered.mem1;
}

static const char *watch(void *stim, bool rst, const void *in_ports,
                         const void *before, const void *after) {
    struct emn_stim *s = stim;
    const struct emn_in *in = in_ports;
    const struct emn_out *out = after;
    const char *wrong, *why;
    if (rst) {
        s->resets += s->reset_left == 1;
        s->reset_left--;
        memset(s->pipe, 0, sizeof s->pipe);
        s->answered = s->pipe[0];
        master_reset(&s->master);
        return NULL;
    }
    s->answered = s->pipe[s->size.STAGES - 1];
    memmove(s->pipe + 1, s->pipe, MOST_STAGES * sizeof *s->pipe);
    s->pipe[0] = (struct request){
        in->req_valid, (uint32_t)in->req_id, (uint32_t)in->req_core,
        (uint32_t)in->req_mem0, (uint32_t)in->req_mem1};
    note_streak(s, in->req_valid);
    wrong = channels_watch(&s->channels, in, before, after, &why);
    if (wrong) {
        snprintf(s->message, sizeof s->message, "'%s' %s", wrong, why);
        return s->message;
    }
    wrong = master_watch(&s->master, in, before, after);
    count_answer(s, before);
    master_settle(&s->master);
    return wrong ? wrong : check_answer(s, out);
}

static enum stim_state state(const void *stim) {
    const struct emn_stim *s = stim;
    if (s->replay.stream && stim_stream_state(s->replay.stream) == STIM_FAILED)
        return STIM_FAILED;
    return s->over ? STIM_OVER : STIM_GOING;
}

static void report(void *stim, bool all, struct text *t) {
    struct emn_stim *s = stim;
    if (!all && !s->replay.stream)
        return;
    text_printf(t, "lookups\t%" PRIu64 "\n", s->requests);
    text_printf(t, "met\t%" PRIu64 "\n", s->met);
    text_printf(t, "same_memory\t%" PRIu64 "\n", s->same);
    text_printf(t, "none\t%" PRIu64 "\n", s->none);
    text_printf(t, "longest_streak\t%" PRIu64 "\n", s->longest);
    text_printf(t, "resets\t%d\n", s->resets);
}

const struct stim_class stim_emn = {.create = create,
                                    .destroy = destroy,
                                    .drive = drive,
                                    .watch = watch,
                                    .state = state,
                                    .report = report};
