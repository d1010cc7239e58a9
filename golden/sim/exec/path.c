/* path.c - divergence: which lanes of a warp are where.
 *
 * A warp is a tree of paths.  A leaf is a set of lanes at one pc; an inner
 * ("parked") path waits at a reconvergence point, the immediate post-dominator
 * of the branch that split it, or after a call, until all its children have
 * come there.  With one leaf at a time running to its end this is the stack of
 * Fung et al., "Dynamic Warp Formation", MICRO 2007; the tree lets another leaf
 * run while one waits at a barrier or spins.
 *
 * If a warp makes no progress although some of its lanes wait parked, these
 * may go on alone (path_release): what they do next may be what the others
 * are spinning for.
 */
#include "machine.h"

#include <stdlib.h>

enum { MAX_CALL_DEPTH = 1000 };

/* ------------------------------------------------------------- frames */

static struct frame *frame_alloc(const struct func *func) {
    struct frame *f = xcalloc(1, sizeof *f);
    size_t size = func->frame_size + (size_t)func->param_size * LANES;
    f->block = xmalloc(size + 64);
    f->regs = (uint8_t *)f->block + (-(uintptr_t)f->block & 63);
    return f;
}

/* Value of a special register that depends on the lane. */
static uint32_t lane_special(const struct warp *w, const struct hidden *h,
                             uint32_t lane) {
    uint32_t bit = 1u << lane;
    const uint32_t *block = w->x->launch.block;
    uint32_t thread = w->index * LANES + lane;
    switch (h->special) {
    case PTX_SREG_TID:
        return h->component == 0   ? thread % block[0]
               : h->component == 1 ? thread / block[0] % block[1]
                                   : thread / block[0] / block[1];
    case PTX_SREG_LANEID:
        return lane;
    case PTX_SREG_LANEMASK_EQ:
        return bit;
    case PTX_SREG_LANEMASK_LT:
        return bit - 1;
    case PTX_SREG_LANEMASK_LE:
        return bit | (bit - 1);
    case PTX_SREG_LANEMASK_GT:
        return ~(bit | (bit - 1));
    default: /* LANEMASK_GE */
        return ~(bit - 1);
    }
}

static uint64_t warp_special(const struct warp *w, const struct hidden *h) {
    const struct exec *x = w->x;
    switch (h->special) {
    case PTX_SREG_NTID:
        return x->launch.block[h->component];
    case PTX_SREG_CTAID:
    case PTX_SREG_CLUSTERID:
        return x->cta.at[h->component];
    case PTX_SREG_NCTAID:
    case PTX_SREG_NCLUSTERID:
        return x->launch.grid[h->component];
    case PTX_SREG_CLUSTER_NCTAID:
    case PTX_SREG_CLUSTER_NCTARANK:
    case PTX_SREG_NSMID:
        return 1;
    case PTX_SREG_WARPID:
        return w->index;
    case PTX_SREG_NWARPID:
        return x->n_warps;
    case PTX_SREG_GRIDID:
        return x->n_launches;
    case PTX_SREG_TOTAL_SMEM_SIZE:
    case PTX_SREG_AGGR_SMEM_SIZE:
        return x->cta.shared_size;
    case PTX_SREG_DYNAMIC_SMEM_SIZE:
        return x->launch.shared;
    default: /* SMID, CLUSTER_CTAID, ...: there is one of each */
        return 0;
    }
}

static bool is_lane_special(enum ptx_special s) {
    return s == PTX_SREG_TID || s == PTX_SREG_LANEID ||
           (s >= PTX_SREG_LANEMASK_EQ && s <= PTX_SREG_LANEMASK_GT);
}

static void fill_hidden(const struct warp *w, const struct frame *f,
                        const struct hidden *h) {
    bool by_lane = h->kind == HIDDEN_SPECIAL && is_lane_special(h->special);
    uint64_t value = h->kind == HIDDEN_LOCAL ? f->local_base + h->value
                     : by_lane               ? 0
                                             : warp_special(w, h);
    lane_u32 *narrow = (lane_u32 *)(void *)(f->regs + h->slot);
    lane_u64 *wide = (lane_u64 *)(void *)(f->regs + h->slot);
    for (uint32_t i = 0; i < LANES; i++) {
        uint64_t v = by_lane ? lane_special(w, h, i) : value;
        if (h->wide)
            wide[i] = v;
        else
            narrow[i] = (uint32_t)v;
    }
}

/* NULL after a fault: too deep. */
struct frame *frame_new(struct warp *w, struct func *func,
                        struct frame *caller) {
    struct frame *f = func->free;
    int depth = caller ? caller->depth + 1 : 0;
    if (depth > MAX_CALL_DEPTH) {
        fault(w, &w->ops[current_path(w)->pc], -1,
              "calls are nested deeper than %d", MAX_CALL_DEPTH);
        return NULL;
    }
    if (f)
        func->free = f->next;
    else
        f = frame_alloc(func);
    memset(f->regs, 0, func->frame_size + (size_t)func->param_size * LANES);
    f->func = func;
    f->caller = caller;
    f->call = NULL;
    f->depth = depth;
    f->users = 0;
    f->next = NULL;
    f->local_base = caller ? caller->local_base + caller->func->local_size : 0;
    if (func->local_size)
        local_reserve(w, f->local_base + func->local_size);
    for (int i = 0; i < func->n_hidden; i++)
        fill_hidden(w, f, &func->hidden[i]);
    return f;
}

static void frame_drop(struct frame *f) {
    if (--f->users > 0)
        return;
    struct func *func = f->func;
    f->next = func->free;
    func->free = f;
}

/* -------------------------------------------------------------- paths */

static int path_new(struct warp *w, int parent, struct frame *frame,
                    uint32_t mask, int pc, int join) {
    int i = 0;
    while (i < w->n_paths && w->paths[i].state != PATH_FREE)
        i++;
    w->paths = array_room(w->paths, i, &w->cap_paths, sizeof *w->paths);
    if (i == w->n_paths)
        w->n_paths++;
    w->paths[i] = (struct path){.pc = pc,
                                .join = join,
                                .mask = mask,
                                .parent = parent,
                                .state = PATH_READY,
                                .frame = frame};
    frame->users++;
    if (parent >= 0)
        w->paths[parent].children++;
    w->n_leaves++;
    return i;
}

void path_switch(struct warp *w, int path) {
    w->current = path;
    w->since_switch = 0;
    w->frame = w->paths[path].frame->regs;
    w->base[0] = w->frame;
    w->base[1] = w->x->pool;
    w->ops = w->paths[path].frame->func->ops;
}

/* The last made of the paths that are ready; current is -1 if there is none. */
void path_pick(struct warp *w) {
    for (int i = w->n_paths - 1; i >= 0; i--)
        if (w->paths[i].state == PATH_READY) {
            path_switch(w, i);
            return;
        }
    w->current = -1;
}

/* Leaf i has come to its end; its parent goes on if it was the last one. */
static void path_close(struct warp *w, int i) {
    w->n_leaves--;
    for (;;) {
        int parent = w->paths[i].parent;
        w->paths[i].state = PATH_FREE;
        frame_drop(w->paths[i].frame);
        while (w->n_paths > 0 && w->paths[w->n_paths - 1].state == PATH_FREE)
            w->n_paths--;
        if (parent < 0)
            break;
        struct path *q = &w->paths[parent];
        if (--q->children > 0)
            break;
        if (q->mask) {
            q->state = PATH_READY;
            w->n_leaves++;
            path_switch(w, parent);
            return;
        }
        i = parent;
    }
    path_pick(w);
}

void path_arrived(struct warp *w) {
    path_close(w, w->current);
}

int path_park(struct warp *w) {
    current_path(w)->state = PATH_PARKED;
    w->n_leaves--;
    return w->current;
}

void path_child(struct warp *w, int parent, uint32_t mask,
                struct frame *frame) {
    path_switch(w, path_new(w, parent, frame, mask, 0, -1));
}

/* The lanes of the current path go on at n > 1 places and meet at join. */
void path_diverge(struct warp *w, int join, int n, const uint32_t *masks,
                  const int *pcs) {
    int self = w->current, parent = w->paths[self].parent, last = -1;
    struct frame *frame = w->paths[self].frame;
    bool same_join = w->paths[self].join == join;
    if (!same_join) {
        w->paths[self].pc = join;
        parent = path_park(w);
    }
    for (int k = 0; k < n; k++)
        if (join < 0 || pcs[k] != join)
            last = path_new(w, parent, frame, masks[k], pcs[k], join);
    if (same_join) { /* its lanes are with its siblings now */
        w->paths[self].state = PATH_FREE;
        w->n_leaves--;
        frame->users--;
        if (parent >= 0)
            w->paths[parent].children--;
    }
    path_switch(w, last);
}

/* Some lanes of the current path go on at pc, beside it.  The new path. */
int path_fork(struct warp *w, uint32_t mask, int pc) {
    struct path p = *current_path(w);
    current_path(w)->mask &= ~mask;
    return path_new(w, p.parent, p.frame, mask, pc, p.join);
}

/* Lanes that wait for others of their warp look again. */
static void wake_waiting(struct warp *w) {
    for (int i = 0; i < w->n_paths; i++)
        if (w->paths[i].state == PATH_SYNC)
            w->paths[i].state = PATH_READY;
}

static void leave(struct warp *w, uint32_t mask) {
    struct path *p = current_path(w);
    p->mask &= ~mask;
    if (p->mask)
        p->pc++;
    else
        path_close(w, w->current);
}

void path_return(struct warp *w, uint32_t mask) {
    const struct path *p = current_path(w);
    if (!p->frame->call) {
        path_exit(w, mask);
        return;
    }
    for (int a = p->parent; w->paths[a].frame == p->frame;
         a = w->paths[a].parent)
        w->paths[a].mask &= ~mask;
    leave(w, mask);
}

void path_exit(struct warp *w, uint32_t mask) {
    struct cta *cta = &w->x->cta;
    for (int a = current_path(w)->parent; a >= 0; a = w->paths[a].parent)
        w->paths[a].mask &= ~mask;
    w->live &= ~mask;
    cta->live_threads -= (uint32_t)__builtin_popcount(mask);
    cta->live_warps -= w->live == 0;
    wake_waiting(w);
    leave(w, mask);
    progress(w);
    barrier_check(w->x);
}

/* Let lanes that wait parked go on without those they wait for.  False: no
 * lane waits so. */
bool path_release(struct warp *w) {
    uint32_t busy = 0;
    for (int i = 0; i < w->n_paths; i++)
        if (w->paths[i].state != PATH_FREE && w->paths[i].state != PATH_PARKED)
            busy |= w->paths[i].mask;
    for (int i = w->n_paths - 1; i >= 0; i--) {
        struct path p = w->paths[i];
        uint32_t waiting = p.mask & ~busy;
        if (p.state != PATH_PARKED || !waiting)
            continue;
        /* Of its own lanes: those that wait in a deeper path are not. */
        for (int k = 0; k < w->n_paths; k++)
            if (k != i && w->paths[k].state == PATH_PARKED)
                for (int a = w->paths[k].parent; a >= 0; a = w->paths[a].parent)
                    if (a == i)
                        waiting &= ~w->paths[k].mask;
        if (!waiting)
            continue;
        w->paths[i].mask &= ~waiting;
        path_switch(w, path_new(w, p.parent, p.frame, waiting, p.pc, p.join));
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- warps */

void warp_start(struct warp *w, struct func *entry, uint32_t live) {
    w->live = live;
    w->n_paths = w->n_leaves = 0;
    w->current = -1;
    struct frame *frame = frame_new(w, entry, NULL);
    path_switch(w, path_new(w, -1, frame, live, 0, -1));
}

/* Drop what a warp that did not finish holds. */
void warp_stop(struct warp *w) {
    for (int i = 0; i < w->n_paths; i++)
        if (w->paths[i].state != PATH_FREE)
            frame_drop(w->paths[i].frame);
    w->n_paths = w->n_leaves = 0;
    w->current = -1;
}
