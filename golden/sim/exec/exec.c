/* exec.c - launches, CTAs, and the turn of the warps.
 *
 * exec_step executes one instruction of one warp.  A warp keeps its turn for
 * some instructions or until it waits; that is enough for warps that spin on
 * each other, and keeps a warp's registers in the cache.
 */
#include "handlers.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    TURN = 1024,             /* instructions before the next warp */
    PATH_TURN = 1 << 15,     /* the same for the paths of a warp */
    RELEASE_AFTER = 1 << 20, /* without progress */
    MAX_THREADS = 1024
};

static const uint64_t MEMORY = (uint64_t)1 << 34;
static const uint64_t PATIENCE = (uint64_t)1 << 28;

struct exec *exec_create(const struct ptx_module *m,
                         const struct exec_options *options, struct diag *d) {
    struct exec *x = xcalloc(1, sizeof *x);
    x->module = m;
    if (options)
        x->options = *options;
    if (!x->options.turn)
        x->options.turn = TURN;
    if (!x->options.memory)
        x->options.memory = MEMORY;
    if (!x->options.patience)
        x->options.patience = PATIENCE;
    x->programs = arena_array(&x->arena, (size_t)m->n_functions + 1,
                              sizeof(struct program *));
    texture_init(x);
    if (memory_init(x, d))
        return x;
    exec_free(x);
    return NULL;
}

static void free_frames(struct exec *x, struct program *p) {
    for (int i = 0; i < x->module->n_functions; i++)
        for (struct frame *f = p->funcs[i].free, *next; f; f = next) {
            next = f->next;
            free(f->block);
            free(f);
        }
}

void exec_free(struct exec *x) {
    if (!x)
        return;
    for (uint32_t i = 0; i < x->cap_warps; i++) {
        warp_stop(&x->warps[i]);
        free(x->warps[i].paths);
        free(x->warps[i].local);
    }
    for (int i = 0; i < x->module->n_functions; i++)
        if (x->programs[i])
            free_frames(x, x->programs[i]);
    for (int i = 0; i < x->n_regions; i++)
        if (!x->regions[i].mapped)
            free(x->regions[i].data);
    free(x->regions);
    array_free(&x->textures);
    free(x->warps);
    free(x->cta.shared);
    free(x->params);
    free(x->pool);
    free(x->pool_index);
    free(x->hints);
    arena_free(&x->arena);
    free(x);
}

/* ---------------------------------------------------------------- launch */

static uint64_t align_of(const struct ptx_variable *v) {
    uint64_t natural =
        ((uint64_t)ptx_type_bits(v->type) + 7) / 8 * (uint64_t)v->vector;
    uint64_t align = v->align > 0 ? (uint64_t)v->align : natural;
    return align && !(align & (align - 1)) && align <= 4096 ? align : 1;
}

uint64_t exec_param_offset(const struct ptx_function *f, int i) {
    uint64_t at = 0;
    for (int k = 0;; k++) {
        if (k < f->n_params) {
            uint64_t align = align_of(&f->params[k]);
            at = (at + align - 1) & ~(align - 1);
        }
        if (k == i || k == f->n_params)
            return at;
        at += (uint64_t)ptx_variable_size(&f->params[k]);
    }
}

static bool check_launch(const struct exec *x, const struct exec_launch *l,
                         struct diag *d) {
    const char *name = l->kernel->name;
    struct place at = {x->module->source, l->kernel->line, l->kernel->column,
                       1};
    uint64_t threads = 1, ctas = 1;
    for (int i = 0; i < 3; i++) {
        if (l->block[i] == 0 || l->block[i] > MAX_THREADS || l->grid[i] == 0 ||
            l->grid[i] > INT32_MAX) {
            diag_error(d, at,
                       "kernel '%s': grid %u x %u x %u of blocks of %u x %u x "
                       "%u, expected 1 to 2147483647 and 1 to %d",
                       name, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                       l->block[1], l->block[2], MAX_THREADS);
            return false;
        }
        threads *= l->block[i];
        ctas = ctas > UINT32_MAX ? ctas : ctas * l->grid[i];
    }
    if (threads <= MAX_THREADS && ctas <= UINT32_MAX - 1)
        return true;
    diag_error(d, at,
               "kernel '%s': %" PRIu64 " threads a block and %" PRIu64
               " blocks, expected at most %d and 2^32 - 2",
               name, threads, ctas, MAX_THREADS);
    return false;
}

static void describe_launch(struct exec *x) {
    const struct exec_launch *l = &x->launch;
    x->info = (struct stream_launch){.id = x->n_launches++,
                                     .kernel = l->kernel->name};
    memcpy(x->info.grid, l->grid, sizeof l->grid);
    memcpy(x->info.block, l->block, sizeof l->block);
    x->info.shared = (uint32_t)x->cta.shared_size;
    x->info.registers = (uint32_t)l->kernel->n_registers;
}

static void make_warps(struct exec *x, uint32_t n) {
    for (uint32_t i = 0; i < x->cap_warps; i++)
        warp_stop(&x->warps[i]);
    if (n > x->cap_warps) {
        x->warps = xrealloc(x->warps, n * sizeof *x->warps);
        memset(x->warps + x->cap_warps, 0,
               (n - x->cap_warps) * sizeof *x->warps);
        x->cap_warps = n;
    }
    x->n_warps = n;
    for (uint32_t i = 0; i < n; i++) {
        x->warps[i].x = x;
        x->warps[i].index = i;
    }
}

static void start_cta(struct exec *x, uint32_t index) {
    const uint32_t *grid = x->launch.grid, *block = x->launch.block;
    struct cta *c = &x->cta;
    uint32_t threads = block[0] * block[1] * block[2];
    c->index = index;
    c->at[0] = index % grid[0];
    c->at[1] = index / grid[0] % grid[1];
    c->at[2] = index / grid[0] / grid[1];
    c->live_threads = threads;
    c->live_warps = x->n_warps;
    memset(c->barriers, 0, sizeof c->barriers);
    memset(c->shared, 0, c->shared_size);
    for (uint32_t i = 0; i < x->n_warps; i++) {
        uint32_t n = threads - i * LANES;
        if (x->warps[i].local)
            memset(x->warps[i].local, 0, LANES * x->warps[i].local_size);
        warp_start(&x->warps[i], x->entry,
                   n >= LANES ? ALL_LANES : (1u << n) - 1);
    }
    x->turn = 0;
    x->left = x->options.turn;
    x->progress_at = x->warp_count;
}

bool exec_begin(struct exec *x, const struct exec_launch *l, struct diag *d) {
    if (!l->kernel->is_entry || !l->kernel->has_body)
        BUG("'%s' is no entry", l->kernel->name);
    x->diag = d;
    x->state = EXEC_IDLE;
    x->fault = EXEC_FAULT_OTHER;
    x->fault_address = 0;
    if (!check_launch(x, l, d))
        return false;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    x->launch = *l;
    x->params_size = exec_param_offset(l->kernel, l->kernel->n_params);
    x->params = xrealloc(x->params, x->params_size + 1);
    if (x->params_size)
        memcpy(x->params, l->params, x->params_size);
    x->program = program_of(x, l->kernel);
    x->entry = x->program->entry;
    uint64_t shared = x->program->static_shared + l->shared;
    if (shared > WINDOW_SIZE) {
        diag_error(d, (struct place){x->module->source, l->kernel->line, 1, 1},
                   "kernel '%s' needs %" PRIu64
                   " bytes of shared memory, expected at most %" PRIu64,
                   l->kernel->name, shared, WINDOW_SIZE);
        return false;
    }
    x->cta.shared = xrealloc(x->cta.shared, shared + 16);
    x->cta.shared_size = shared;
    x->n_ctas = l->grid[0] * l->grid[1] * l->grid[2];
    x->next_cta = 1;
    x->launch_start = x->warp_count;
    describe_launch(x);
    make_warps(x, (threads + LANES - 1) / LANES);
    x->state = EXEC_RUNNING;
    start_cta(x, 0);
    return true;
}

/* -------------------------------------------------------------- turns */

/* Nobody can go on.  Lanes that wait for others of their warp may be let go;
 * otherwise the launch is stuck. */
static struct warp *unblock(struct exec *x) {
    for (uint32_t i = 0; i < x->n_warps; i++)
        if (x->warps[i].live && path_release(&x->warps[i])) {
            x->turn = i;
            return &x->warps[i];
        }
    report_stuck(x, false);
    return NULL;
}

/* The next warp that can go on; NULL: the CTA, or the launch, has ended. */
static struct warp *next_warp(struct exec *x) {
    x->left = x->options.turn;
    for (uint32_t k = 1; k <= x->n_warps; k++) {
        uint32_t i = (x->turn + k) % x->n_warps;
        if (x->warps[i].current >= 0) {
            x->turn = i;
            return &x->warps[i];
        }
    }
    if (x->cta.live_warps > 0)
        return unblock(x);
    if (x->next_cta < x->n_ctas)
        start_cta(x, x->next_cta++);
    else
        x->state = EXEC_FINISHED;
    return NULL;
}

/* At the end of a turn: give other paths of the warp a chance. */
static void end_turn(struct exec *x, struct warp *w) {
    uint64_t idle = x->warp_count - x->progress_at;
    if (idle > x->options.patience) {
        report_stuck(x, false);
        return;
    }
    if (w->current < 0)
        return;
    w->since_switch += x->options.turn;
    if (idle > RELEASE_AFTER && path_release(w))
        return;
    if (w->since_switch < PATH_TURN || w->n_leaves < 2)
        return;
    for (int k = 1; k < w->n_paths; k++) {
        int i = (w->current + k) % w->n_paths;
        if (w->paths[i].state == PATH_READY) {
            path_switch(w, i);
            return;
        }
    }
}

/* ----------------------------------------------------------------- steps */

/* One instruction of w.  False: nothing has executed, look again. */
static bool step(struct exec *x, struct warp *w, struct stream_event *e) {
    struct path *p = current_path(w);
    const struct op *op = &w->ops[p->pc];
    if ((op->flags & OP_JOIN) && p->pc == p->join) {
        path_arrived(w);
        return false;
    }
    uint32_t mask = p->mask;
    if (op->guard) {
        uint32_t g = *(const lane_u32 *)(const void *)(w->base[0] + op->guard);
        mask &= op->flags & OP_GUARD_NOT ? ~g : g;
    }
    e->insn = op->insn;
    e->warp = w->index;
    e->cta = x->cta.index;
    e->active = p->mask;
    w->mask = mask;
    x->event = e;
    if (op->flags & OP_CONTROL) {
        op->fn(w, op);
    } else if ((op->flags & OP_SYNC) && mask) {
        if (!sync_lanes(w, op))
            return false;
        op->fn(w, op);
    } else {
        if (mask)
            op->fn(w, op);
        p->pc++;
    }
    if (!op->in) /* the return behind the last instruction */
        return false;
    e->mask = w->mask;
    e->active |= w->mask;
    x->warp_count++;
    x->thread_count += stream_lanes(w->mask);
    return true;
}

enum exec_state exec_step(struct exec *x, struct stream_event *e) {
    e->kind = STREAM_INSTRUCTION;
    e->launch = &x->info;
    while (x->state == EXEC_RUNNING) {
        struct warp *w = &x->warps[x->turn];
        if (x->left-- == 0) {
            x->left = x->options.turn;
            end_turn(x, w);
            next_warp(x);
            continue;
        }
        if (w->current < 0) {
            next_warp(x);
            continue;
        }
        if (x->options.limit &&
            x->warp_count - x->launch_start >= x->options.limit) {
            report_stuck(x, true);
            break;
        }
        if (step(x, w, e) && x->state == EXEC_RUNNING)
            return EXEC_RUNNING;
    }
    return x->state;
}

enum exec_fault exec_fault_of(const struct exec *x, uint64_t *address) {
    *address = x->fault_address;
    return x->fault;
}

const struct stream_launch *exec_launched(const struct exec *x) {
    return &x->info;
}

uint64_t exec_warp_instructions(const struct exec *x) {
    return x->warp_count;
}

uint64_t exec_thread_instructions(const struct exec *x) {
    return x->thread_count;
}

uint64_t exec_ctas_done(const struct exec *x) {
    return x->state == EXEC_FINISHED ? x->next_cta : x->next_cta - 1;
}
