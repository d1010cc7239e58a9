/* exec_flow.c - branches, calls, returns, exits. */
#include "handlers.h"

void exec_nop(struct warp *w, const struct op *op) {
    (void)w;
    (void)op;
}

void exec_bra(struct warp *w, const struct op *op) {
    struct path *p = current_path(w);
    uint32_t taken = w->mask, rest = p->mask & ~taken;
    if (!rest) {
        p->pc = op->target;
        return;
    }
    if (!taken) {
        p->pc++;
        return;
    }
    if (op->target == p->pc + 1) {
        p->pc++;
        return;
    }
    uint32_t masks[2] = {taken, rest};
    int pcs[2] = {op->target, p->pc + 1};
    path_diverge(w, op->join, 2, masks, pcs);
}

/* An index past the end of the table is undefined; it stops the kernel. */
void exec_brx(struct warp *w, const struct op *op) {
    struct path *p = current_path(w);
    const lane_u32 *index = source(w, op->src[0]);
    uint32_t masks[LANES + 1];
    int pcs[LANES + 1], n = 0;
    if (p->mask & ~w->mask) {
        masks[n] = p->mask & ~w->mask;
        pcs[n++] = p->pc + 1;
    }
    EACH_LANE(i, w->mask) {
        if (index[i] >= (uint32_t)op->more->n_targets) {
            fault(w, op, (int)i, "index %u of 'brx.idx', expected less than %d",
                  index[i], op->more->n_targets);
            return;
        }
        int pc = op->more->targets[index[i]], k = 0;
        while (k < n && pcs[k] != pc)
            k++;
        if (k == n) {
            masks[n] = 0;
            pcs[n++] = pc;
        }
        masks[k] |= 1u << i;
    }
    if (n == 1)
        p->pc = pcs[0];
    else
        path_diverge(w, op->join, n, masks, pcs);
}

/* ----------------------------------------------------------------- calls */

/* Bytes of a parameter area for one lane; NULL: outside it. */
static uint8_t *area(const struct frame *f, uint32_t lane, uint32_t at,
                     uint32_t size) {
    const struct func *func = f->func;
    uint32_t from = at - func->formal_size;
    if (at < func->formal_size || from > func->param_size ||
        size > func->param_size - from)
        return NULL;
    return f->regs + func->param_at + (size_t)lane * func->param_size + from;
}

static uint64_t read_slot(const struct warp *w, const struct frame *f,
                          const struct op_item *item, uint32_t lane) {
    const uint8_t *base = item->ref & 1 ? w->x->pool : f->regs;
    const void *at = base + (item->ref & ~1u);
    if (item->pred)
        return *(const lane_u32 *)at >> lane & 1;
    return item->wide ? ((const lane_u64 *)at)[lane]
                      : ((const lane_u32 *)at)[lane];
}

static void write_slot(const struct frame *f, const struct op_item *item,
                       uint32_t lane, uint64_t value) {
    void *at = f->regs + item->ref;
    if (item->pred) {
        lane_u32 *p = at;
        *p = (*p & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
    } else if (item->wide) {
        ((lane_u64 *)at)[lane] = value;
    } else {
        ((lane_u32 *)at)[lane] = (uint32_t)value;
    }
}

/* A value from one frame to the other. */
static void pass(const struct warp *w, const struct frame *from,
                 const struct op_item *a, const struct frame *to,
                 const struct op_item *b, uint32_t lane) {
    if (a->sink || b->sink)
        return;
    uint64_t value = 0;
    uint32_t size = a->size < b->size ? a->size : b->size;
    const uint8_t *in = a->area ? area(from, lane, a->at, size) : NULL;
    uint8_t *out = b->area ? area(to, lane, b->at, size) : NULL;
    if ((a->area && !in) || (b->area && !out))
        return;
    if (in && out) {
        memcpy(out, in, size);
        return;
    }
    if (in)
        memcpy(&value, in, size < 8 ? size : 8);
    else
        value = read_slot(w, from, a, lane);
    if (out)
        memcpy(out, &value, size < 8 ? size : 8);
    else
        write_slot(to, b, lane, value);
}

static void call_one(struct warp *w, const struct op *op, int parent,
                     uint32_t mask, struct func *callee) {
    struct frame *caller = w->paths[parent].frame;
    struct frame *f = frame_new(w, callee, caller);
    if (!f)
        return;
    f->call = op;
    for (int i = 0; i < op->more->n_args; i++)
        EACH_LANE(lane, mask)
    pass(w, caller, &op->more->args[i], f, &callee->formals[i], lane);
    path_child(w, parent, mask, f);
}

/* The function at an address; NULL after a fault. */
static struct func *callee_at(struct warp *w, const struct op *op, int lane,
                              uint64_t address) {
    uint64_t i = (address - WINDOW_BASE(WINDOW_FUNCTION)) / 16;
    const struct exec *x = w->x;
    struct func *f = NULL;
    if (address >= WINDOW_BASE(WINDOW_FUNCTION) &&
        i < (uint64_t)x->module->n_functions && address % 16 == 0)
        f = &x->program->funcs[i];
    if (f && f->decoded && f->f->n_params == op->more->n_args &&
        f->f->n_returns == op->more->n_returns)
        return f;
    fault(w, op, lane,
          ", address 0x%llx: call of what is no function of this kind",
          (unsigned long long)address);
    return NULL;
}

static void call_indirect(struct warp *w, const struct op *op) {
    const lane_u64 *address = source(w, op->src[0]);
    uint32_t left = w->mask;
    int parent = w->current;
    EACH_LANE(i, left)
    if (!callee_at(w, op, (int)i, address[i]))
        return;
    path_park(w);
    while (left) {
        uint64_t to = address[__builtin_ctz(left)];
        uint32_t mask = 0;
        EACH_LANE(i, left)
        if (address[i] == to)
            mask |= 1u << i;
        left &= ~mask;
        call_one(w, op, parent, mask, callee_at(w, op, 0, to));
    }
}

void exec_call(struct warp *w, const struct op *op) {
    current_path(w)->pc++;
    if (!w->mask)
        return;
    if (!op->more->callee) {
        call_indirect(w, op);
        return;
    }
    int parent = w->current;
    path_park(w);
    call_one(w, op, parent, w->mask, op->more->callee);
}

/* A function that the module only declares: what the CUDA runtime provides. */
void exec_extern(struct warp *w, const struct op *op) {
    const struct ptx_instruction *in = op->in;
    const char *name = in->operands[in->n_dst]->function->name;
    if (strcmp(name, "__assertfail") == 0)
        fault(w, op, -1, "assertion failed");
    else
        fault(w, op, -1, "call of '%s', which the file does not define", name);
}

/* One thread after another: format, arguments. */
static void print(struct warp *w, const struct op *op) {
    const struct frame *caller = current_path(w)->frame;
    struct exec *x = w->x;
    uint64_t values[2] = {0};
    x->print_warp = w;
    EACH_LANE(lane, w->mask) {
        for (int i = 0; i < 2 && i < op->more->n_args; i++) {
            const struct op_item *a = &op->more->args[i];
            const uint8_t *in = a->area ? area(caller, lane, a->at, 8) : NULL;
            if (in)
                memcpy(&values[i], in, 8);
            else if (!a->area)
                values[i] = read_slot(w, caller, a, lane);
        }
        x->print_lane = (int)lane;
        x->print(x->print_ctx, x, values[0], values[1]);
    }
}

void exec_on_print(struct exec *x, exec_print_fn *fn, void *ctx) {
    x->print = fn;
    x->print_ctx = ctx;
}

/* printf in a kernel: without a printer its output is dropped; it returns 0. */
void exec_printf(struct warp *w, const struct op *op) {
    if (w->x->print)
        print(w, op);
    const struct op_item zero = {.ref = 0, .size = 8, .wide = true};
    lane_u64 zeros[LANES] = {0};
    const struct frame nothing = {.regs = (uint8_t *)zeros};
    for (int i = 0; i < op->more->n_returns; i++)
        EACH_LANE(lane, w->mask)
    pass(w, &nothing, &zero, current_path(w)->frame, &op->more->returns[i],
         lane);
}

void exec_ret(struct warp *w, const struct op *op) {
    struct frame *f = current_path(w)->frame;
    (void)op;
    if (!w->mask) {
        current_path(w)->pc++;
        return;
    }
    if (f->call) {
        const struct op_more *m = f->call->more;
        for (int i = 0; i < m->n_returns; i++)
            EACH_LANE(lane, w->mask)
        pass(w, f, &f->func->results[i], f->caller, &m->returns[i], lane);
    }
    path_return(w, w->mask);
}

void exec_exit(struct warp *w, const struct op *op) {
    (void)op;
    if (w->mask)
        path_exit(w, w->mask);
    else
        current_path(w)->pc++;
}

/* --------------------------------------------------------------- fixups */

static void run_fixup(struct warp *w, const struct fixup *f) {
    const void *from = source(w, f->from);
    void *to = result(w, f->to);
    const lane_u32 *n = from;
    const lane_u64 *l = from;
    lane_u32 *nd = to;
    lane_u64 *ld = to;
    uint64_t clock = w->x->warp_count - w->x->launch_start;
    switch (f->kind) {
    case FIX_NARROW:
        EACH_LANE(i, w->mask) nd[i] = (uint32_t)l[i];
        break;
    case FIX_WIDEN:
        EACH_LANE(i, w->mask) ld[i] = n[i];
        break;
    case FIX_WIDEN_S32:
        EACH_LANE(i, w->mask) ld[i] = (uint64_t)(int64_t)(int32_t)n[i];
        break;
    case FIX_CLOCK:
        if (f->high)
            clock >>= 32;
        EACH_LANE(i, w->mask) {
            if (f->wide)
                ld[i] = clock;
            else
                nd[i] = (uint32_t)clock;
        }
        break;
    }
}

void exec_fixed(struct warp *w, const struct op *op) {
    const struct op_more *m = op->more;
    for (int i = 0; i < m->n_before; i++)
        run_fixup(w, &m->fix[i]);
    m->inner(w, op);
    for (int i = m->n_before; i < m->n_fix; i++)
        run_fixup(w, &m->fix[i]);
}
