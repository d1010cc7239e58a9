/* far_pipe.c - golden model of the pipeline of the base die.
 *
 * Written from docs/blocks/far_pipe.md, Subcores.  What a subcore does is
 * subcore.c; here stands what goes to which of them, and who of them shows what
 * when there are several.
 */
#include "far_pipe.h"

#include "base/bits.h"
#include "frame/model.h"
#include "subcore.h"

#include <string.h>

enum {
    MAX_SUBCORES = 8,
    QUEUE = 4,     /* instructions that wait for a subcore */
    MAX_FAULTS = 4 /* of a subcore, that have not been shown */
};

/* An instruction as it came, the warp as its subcore numbers it. */
struct waits {
    uint64_t warp, tag, op, mask, dst, src0, src1, src2, guard, ticket;
};

/* The oldest first. */
struct waiting {
    struct waits instr[QUEUE];
    int many;
};

/* The last one of a round that somebody had. */
struct turn {
    int last;
};

struct fault {
    uint64_t cause, warp, tag, address;
};

struct branch {
    uint64_t warp, tag, lanes;
};

/* What a subcore has shown and nobody has seen. */
struct kept {
    bool resolved;
    struct branch branch;
    struct fault fault[MAX_FAULTS]; /* the oldest first */
    int faults;
};

struct far_pipe {
    struct golden base;
    struct far_pipe_local l;
    struct subcore *core[MAX_SUBCORES];
    struct waiting waiting[MAX_SUBCORES];
    struct kept kept[MAX_SUBCORES];
    struct turn done, resolve, fault;
    int access, ask; /* whose stands at the port */
    struct nsm shared;
    struct turn shares; /* the subcore whose access began last */
    struct far_pipe_out out;
};

static const struct nsm_points points = {
    .load = FAR_PIPE_COV_shared_load,
    .store = FAR_PIPE_COV_shared_store,
    .atomic = FAR_PIPE_COV_shared_atomic,
    .kept = FAR_PIPE_COV_shared_kept,
    .part = FAR_PIPE_COV_shared_part,
    .conflict = FAR_PIPE_COV_shared_conflict,
    .same = FAR_PIPE_COV_shared_same,
    .empty = FAR_PIPE_COV_shared_empty,
    .still = FAR_PIPE_COV_shared_still,
    .odd = FAR_PIPE_COV_shared_odd,
    .off = FAR_PIPE_COV_shared_off,
};

static int many(const struct far_pipe *n) {
    return n->l.SUBCORES;
}

/* Who tells completions: shared memory, if it is here, behind the subcores. */
static int tellers(const struct far_pipe *n) {
    return many(n) + (n->l.SHARED > 0);
}

static void open(struct golden *g, const struct config *c) {
    struct far_pipe *n = (struct far_pipe *)g;

    n->l = far_pipe_local(c);
    for (int i = 0; i < many(n); i++)
        n->core[i] = subcore_open(&n->l, g->covers);
    nsm_open(&n->shared, (struct nsm_size){n->l.LANES, n->l.ALUS, n->l.SHARED},
             bit(n->l.CORE_WARP_W), &points, g->covers);
}

static void close(struct golden *g) {
    struct far_pipe *n = (struct far_pipe *)g;

    for (int i = 0; i < many(n); i++)
        subcore_close(n->core[i]);
    nsm_close(&n->shared);
}

static void reset(struct golden *g) {
    struct far_pipe *n = (struct far_pipe *)g;

    for (int i = 0; i < many(n); i++)
        subcore_reset(n->core[i]);
    memset(n->waiting, 0, sizeof n->waiting);
    memset(n->kept, 0, sizeof n->kept);
    n->done.last = tellers(n) - 1;
    n->resolve.last = n->fault.last = n->shares.last = many(n) - 1;
    nsm_reset(&n->shared);
    n->access = n->ask = 0;
    n->out.exec_ready = n->out.read_ready = n->out.carried_ready = 1;
}

/* Who of a set of so many comes after the one before; -1: it is empty. */
static int next_of(int size, uint64_t set, int before) {
    for (int k = 1; k <= size; k++)
        if (set >> (before + k) % size & 1)
            return (before + k) % size;
    return -1;
}

/* The same, and it was its turn. */
static int take_turn(int size, struct turn *t, uint64_t set) {
    int i = next_of(size, set, t->last);

    if (i >= 0)
        t->last = i;
    return i;
}

static uint64_t warp_of(const struct far_pipe *n, int subcore, uint64_t warp) {
    return warp * (uint64_t)many(n) + (uint64_t)subcore;
}

/* --- what a subcore is given ---------------------------------------------- */

/* Its share of what concerns a warp: valid only if the warp is its own. */
static void share(const struct far_pipe *n, int subcore, uint64_t *valid,
                  uint64_t *warp) {
    uint64_t w = *warp & ones(n->l.CORE_WARP_W);

    *valid = (*valid & 1) && w % (uint64_t)many(n) == (uint64_t)subcore;
    *warp = w / (uint64_t)many(n);
}

static bool is_register(const struct far_pipe *n, uint64_t operand,
                        uint64_t reg) {
    return (operand >> (n->l.OPERAND_W - 1) & 1) &&
           (operand & ones(n->l.REG_W)) == reg;
}

/* One that waits for the subcore has the register as source or destination. */
static bool is_wanted(const struct far_pipe *n, int subcore, uint64_t warp,
                      uint64_t reg) {
    const struct waiting *q = &n->waiting[subcore];
    bool is = false;

    reg &= ones(n->l.REG_W);
    for (int k = 0; k < q->many; k++) {
        const struct waits *w = &q->instr[k];
        is |= w->warp == warp &&
              (is_register(n, w->dst, reg) || is_register(n, w->src0, reg) ||
               is_register(n, w->src1, reg) || is_register(n, w->src2, reg) ||
               is_register(n, w->guard, reg));
    }
    return is;
}

/* The oldest one that waits is what the subcore sees at 'exec'. */
static void offer(const struct far_pipe *n, int subcore,
                  struct far_pipe_in *s) {
    const struct waiting *q = &n->waiting[subcore];
    const struct waits *w = &q->instr[0];

    s->exec_valid = q->many > 0;
    s->exec_warp = w->warp;
    s->exec_tag = w->tag;
    s->exec_op = w->op;
    s->exec_mask = w->mask;
    s->exec_dst = w->dst;
    s->exec_src0 = w->src0;
    s->exec_src1 = w->src1;
    s->exec_src2 = w->src2;
    s->exec_guard = w->guard;
    s->exec_ticket = w->ticket;
}

/* In s.  done: whose completion is taken. */
static void share_all(struct far_pipe *n, int i, const struct far_pipe_in *in,
                      int done, struct far_pipe_in *s) {
    *s = *in;
    s->read_valid &= n->out.read_ready;
    offer(n, i, s);
    share(n, i, &s->value_valid, &s->value_warp);
    share(n, i, &s->read_valid, &s->read_warp);
    share(n, i, &s->write_valid, &s->write_warp);
    share(n, i, &s->init_valid, &s->init_warp);
    if (is_wanted(n, i, s->write_warp, s->write_reg))
        s->write_valid = 0;
    if (is_wanted(n, i, s->init_warp, s->init_reg))
        s->init_valid = 0;
    share(n, i, &s->ended_valid, &s->ended_warp);
    share(n, i, &s->carried_valid, &s->carried_warp);
    s->done_ready = done == i;
    s->access_ready &= n->access == i;
    s->ask_ready &= n->ask == i;
}

/* Whether what concerns a warp is for the subcore. */
static bool is_for(const struct far_pipe *n, int subcore, uint64_t valid,
                   uint64_t warp) {
    share(n, subcore, &valid, &warp);
    return valid;
}

/* It rests, and nothing is for it on this edge. */
static bool is_left_out(const struct far_pipe *n, int i,
                        const struct far_pipe_in *in) {
    bool all = (in->code_valid | in->param_valid) & 1;

    return !all && !n->waiting[i].many &&
           !is_for(n, i, in->exec_valid, in->exec_warp) &&
           !is_for(n, i, in->value_valid, in->value_warp) &&
           !is_for(n, i, in->read_valid, in->read_warp) &&
           !is_for(n, i, in->write_valid, in->write_warp) &&
           !is_for(n, i, in->init_valid, in->init_warp) &&
           !is_for(n, i, in->ended_valid, in->ended_warp) &&
           !is_for(n, i, in->carried_valid, in->carried_warp) &&
           subcore_rests(n->core[i]);
}

/* --- what they show ------------------------------------------------------- */

static const struct far_pipe_out *shown(const struct far_pipe *n, int i) {
    return subcore_out(n->core[i]);
}

/* Whose completion is taken, of those of which nothing waits to be shown. */
static int who_is_done(struct far_pipe *n, const struct far_pipe_in *in) {
    uint64_t set = 0;

    if (n->out.done_valid && !(in->done_ready & 1))
        return -1;
    for (int i = 0; i < many(n); i++) {
        const struct far_pipe_out *s = shown(n, i);
        if (s->done_valid && !s->resolve_valid && !s->fault_valid &&
            n->kept[i].faults == 0 && !n->kept[i].resolved)
            set |= bit(i);
    }
    if (n->shared.ended)
        set |= bit(many(n));
    return take_turn(tellers(n), &n->done, set);
}

/* done: who_is_done; end: of shared memory, before the edge. */
static void edge_done(struct far_pipe *n, const struct far_pipe_in *in,
                      int done, const struct nsm_access *end) {
    struct far_pipe_out *o = &n->out;

    if (o->done_valid && !(in->done_ready & 1))
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
    if (done < 0)
        return;
    o->done_valid = 1;
    if (done == many(n)) {
        o->done_warp = end->warp;
        o->done_tag = end->tag;
        o->done_ticket = end->ticket;
        return;
    }
    o->done_warp = warp_of(n, done, shown(n, done)->done_warp);
    o->done_tag = shown(n, done)->done_tag;
    o->done_ticket = shown(n, done)->done_ticket;
}

/* What they show before the edge is kept, and one of all that is kept shown. */
static void edge_resolve(struct far_pipe *n) {
    struct far_pipe_out *o = &n->out;
    uint64_t set = 0;

    for (int i = 0; i < many(n); i++) {
        const struct far_pipe_out *s = shown(n, i);
        if (s->resolve_valid) {
            n->kept[i].resolved = true;
            n->kept[i].branch =
                (struct branch){warp_of(n, i, s->resolve_warp), s->resolve_tag,
                                s->resolve_lanes};
        }
        set |= (uint64_t)n->kept[i].resolved << i;
    }
    int i = take_turn(many(n), &n->resolve, set);
    const struct branch *b = &n->kept[i < 0 ? 0 : i].branch;
    o->resolve_valid = i >= 0;
    o->resolve_warp = i < 0 ? 0 : b->warp;
    o->resolve_tag = i < 0 ? 0 : b->tag;
    o->resolve_lanes = i < 0 ? 0 : b->lanes;
    if (i >= 0)
        n->kept[i].resolved = false;
}

static void edge_fault(struct far_pipe *n) {
    struct far_pipe_out *o = &n->out;
    uint64_t set = 0;

    for (int i = 0; i < many(n); i++) {
        const struct far_pipe_out *s = shown(n, i);
        struct kept *k = &n->kept[i];
        if (s->fault_valid && k->faults < MAX_FAULTS)
            k->fault[k->faults++] =
                (struct fault){s->fault_cause, warp_of(n, i, s->fault_warp),
                               s->fault_tag, s->fault_address};
        set |= (uint64_t)(k->faults > 0) << i;
    }
    int i = take_turn(many(n), &n->fault, set);
    struct fault f = {0};
    if (i >= 0) {
        struct kept *k = &n->kept[i];
        f = k->fault[0];
        k->faults--;
        memmove(k->fault, k->fault + 1, (size_t)k->faults * sizeof f);
    }
    o->fault_valid = i >= 0;
    o->fault_cause = f.cause;
    o->fault_warp = f.warp;
    o->fault_tag = f.tag;
    o->fault_address = f.address;
}

/* Whose access stands at a port after the edge: the next one that shows one, if
 * that of the last one is taken or there is none. */
static int next_shown(const struct far_pipe *n, int last, uint64_t set,
                      bool taken) {
    if (!taken && (set >> last & 1))
        return last;
    int i = next_of(many(n), set & ~bit(last), last);
    return i < 0 ? last : i;
}

static void show_access(struct far_pipe *n) {
    const struct far_pipe_out *s = shown(n, n->access);
    struct far_pipe_out *o = &n->out;

    if (!s->access_valid && !o->access_valid)
        return; /* all of it is zero */
    o->access_valid = s->access_valid;
    o->access_store = s->access_store;
    o->access_warp =
        s->access_valid ? warp_of(n, n->access, s->access_warp) : 0;
    o->access_reg = s->access_reg;
    o->access_mask = s->access_mask;
    memcpy(o->access_address, s->access_address, sizeof o->access_address);
}

static void show_ask(struct far_pipe *n) {
    const struct far_pipe_out *s = shown(n, n->ask);
    struct far_pipe_out *o = &n->out;

    if (!s->ask_valid && !o->ask_valid)
        return; /* all of it is zero */
    o->ask_valid = s->ask_valid;
    o->ask_op = s->ask_op;
    o->ask_size = s->ask_size;
    o->ask_signed = s->ask_signed;
    o->ask_warp = s->ask_valid ? warp_of(n, n->ask, s->ask_warp) : 0;
    o->ask_reg = s->ask_reg;
    o->ask_result = s->ask_result;
    o->ask_mask = s->ask_mask;
    memcpy(o->ask_address, s->ask_address, sizeof o->ask_address);
    memcpy(o->ask_data, s->ask_data, sizeof o->ask_data);
    memcpy(o->ask_compare, s->ask_compare, sizeof o->ask_compare);
}

/* What is true if it is true of all of them, or of one of them. */
static void show_all(struct far_pipe *n) {
    struct far_pipe_out *o = &n->out;

    o->exec_ready = o->read_ready = 1;
    if (o->data_valid)
        memset(o->data_row, 0, sizeof o->data_row);
    o->write_ready = o->init_ready = o->data_valid = 0;
    for (int i = 0; i < many(n); i++) {
        const struct far_pipe_out *s = shown(n, i);
        o->exec_ready &= n->waiting[i].many < QUEUE;
        o->read_ready &= s->read_ready;
        o->write_ready |= s->write_ready;
        o->init_ready |= s->init_ready;
        o->data_valid |= s->data_valid;
        if (s->data_valid)
            memcpy(o->data_row, s->data_row, sizeof o->data_row);
    }
}

/* The oldest ones that are taken leave, and one comes: after share_all. */
static void edge_waiting(struct far_pipe *n, int i,
                         const struct far_pipe_in *in, bool takes) {
    struct waiting *q = &n->waiting[i];
    uint64_t valid = in->exec_valid & n->out.exec_ready, warp = in->exec_warp;

    if (takes) {
        q->many--;
        memmove(q->instr, q->instr + 1, (size_t)q->many * sizeof q->instr[0]);
    }
    share(n, i, &valid, &warp);
    if (valid)
        q->instr[q->many++] = (struct waits){
            .warp = warp,
            .tag = in->exec_tag,
            .op = in->exec_op,
            .mask = in->exec_mask,
            .dst = in->exec_dst,
            .src0 = in->exec_src0,
            .src1 = in->exec_src1,
            .src2 = in->exec_src2,
            .guard = in->exec_guard,
            .ticket = in->exec_ticket,
        };
}

/* The subcore whose access to shared memory is taken on this edge, -1: none. */
static int begin_access(struct far_pipe *n) {
    uint64_t set = 0;

    for (int i = 0; i < many(n); i++)
        set |= (uint64_t)subcore_wants_shared(n->core[i]) << i;
    if (!nsm_free(&n->shared))
        return -1;
    int i = take_turn(many(n), &n->shares, set);
    if (i < 0)
        return -1;
    struct nsm_access a = subcore_access(n->core[i]);
    a.warp = warp_of(n, i, a.warp);
    a.unit = i;
    nsm_begin(&n->shared, &a);
    return i;
}

/* Returns begin_access.  told: its completion is taken. */
static int edge_shared(struct far_pipe *n, bool told) {
    struct far_pipe_out *o = &n->out;
    bool taken[MAX_SUBCORES];

    if (n->l.SHARED == 0)
        return -1;
    for (int i = 0; i < many(n); i++)
        taken[i] = subcore_writes(n->core[i]);
    struct nsm_fault f = nsm_edge(&n->shared, taken, told);
    o->shared_fault_valid = f.valid;
    o->shared_fault_warp = f.warp;
    o->shared_fault_tag = f.tag;
    o->shared_fault_odd = f.odd;
    o->shared_fault_address = f.address;
    return begin_access(n);
}

static void edge_of_many(struct far_pipe *n, const struct far_pipe_in *in) {
    bool access_taken = n->out.access_valid && (in->access_ready & 1);
    bool ask_taken = n->out.ask_valid && (in->ask_ready & 1);
    uint64_t accesses = 0, asks = 0;
    int done = who_is_done(n, in), access, ask;

    for (int i = 0; i < many(n); i++) {
        accesses |= shown(n, i)->access_valid << i;
        asks |= shown(n, i)->ask_valid << i;
    }
    access = next_shown(n, n->access, accesses, access_taken);
    ask = next_shown(n, n->ask, asks, ask_taken);
    edge_done(n, in, done, &n->shared.end);
    edge_resolve(n);
    edge_fault(n);
    bool puts = n->shared.puts != 0;
    int puts_for = n->shared.end.unit;
    int begins = edge_shared(n, done == many(n));
    for (int i = 0; i < many(n); i++) {
        struct far_pipe_in s;
        if (is_left_out(n, i, in))
            continue;
        share_all(n, i, in, done, &s);
        bool takes = s.exec_valid && shown(n, i)->exec_ready;
        subcore_edge(
            n->core[i], &s,
            (struct subcore_shared){begins == i, puts && puts_for == i});
        edge_waiting(n, i, in, takes);
    }
    n->access = access;
    n->ask = ask;
    show_access(n);
    show_ask(n);
    show_all(n);
    if (in->window_valid & 1)
        nsm_window(
            &n->shared, in->window_warp & ones(n->l.CORE_WARP_W),
            (struct nsm_window){in->window_base & ones(n->l.BANK_W),
                                in->window_rows & ones(n->l.BANK_W + 1)});
}

static void edge(struct golden *g, const void *in) {
    struct far_pipe *n = (struct far_pipe *)g;

    if (many(n) > 1) {
        edge_of_many(n, in);
    } else {
        subcore_edge(n->core[0], in, (struct subcore_shared){0});
        n->out = *shown(n, 0);
    }
}

static void *state(const struct golden *g, int i, size_t *size) {
    const struct far_pipe *n = (const struct far_pipe *)g;

    *size = subcore_size();
    return i < many(n) ? n->core[i] : NULL;
}

static void row(const struct golden *g, uint64_t warp, uint64_t reg,
                uint32_t *lanes) {
    const struct far_pipe *n = (const struct far_pipe *)g;
    uint64_t valid = 1;
    int i = (int)(warp % (uint64_t)many(n));

    share(n, i, &valid, &warp);
    memcpy(lanes, subcore_row(n->core[i], warp, reg),
           (size_t)n->l.LANES * sizeof *lanes);
}

const struct golden_class far_pipe_golden = {
    .iface = &far_pipe_iface,
    MODEL_STRUCT(struct far_pipe),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .still = true,
    .state = state,
    .unseen = "launch_now",
    .row = row,
};
