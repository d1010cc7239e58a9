/* fault.c - messages of a kernel that cannot go on.
 *
 * A launch ends with its first fault; the place is the instruction's, the text
 * names kernel, block, thread and, for an access, address and nearest buffer.
 */
#include "machine.h"

#include "base/text.h"

#include <inttypes.h>

static struct place place_of(const struct exec *x, const struct op *op) {
    struct place at = {x->module->source, 0, 0, 1};
    if (op && op->in) {
        at.line = op->in->line;
        at.column = op->in->column;
    }
    return at;
}

static void thread_at(const struct exec *x, uint32_t thread, uint32_t at[3]) {
    at[0] = thread % x->launch.block[0];
    at[1] = thread / x->launch.block[0] % x->launch.block[1];
    at[2] = thread / x->launch.block[0] / x->launch.block[1];
}

static void who(struct text *t, const struct warp *w, int lane) {
    const struct exec *x = w->x;
    const uint32_t *b = x->cta.at;
    uint32_t at[3];
    thread_at(x, w->index * LANES + (uint32_t)lane, at);
    text_printf(t, "kernel '%s'", x->info.kernel);
    const struct func *f = w->paths[w->current].frame->func;
    if (f != x->entry)
        text_printf(t, " in function '%s'", f->f->name);
    text_printf(t, ", block (%u,%u,%u), thread (%u,%u,%u)", b[0], b[1], b[2],
                at[0], at[1], at[2]);
}

void fault(struct warp *w, const struct op *op, int lane, const char *fmt,
           ...) {
    struct exec *x = w->x;
    struct text t = {0};
    char message[400];
    va_list args;
    if (x->state != EXEC_RUNNING)
        return;
    x->state = EXEC_FAULT;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (lane < 0)
        lane = w->mask ? __builtin_ctz(w->mask) : 0;
    who(&t, w, lane);
    diag_error(x->diag, place_of(x, op), "%s%s%s", text_str(&t),
               message[0] == ',' ? "" : ": ", message);
    text_free(&t);
}

static const struct region *nearest(const struct exec *x, uint64_t address,
                                    uint64_t *distance, bool *after) {
    const struct region *best = NULL;
    *distance = UINT64_MAX;
    for (int i = 0; i < x->n_regions; i++) {
        const struct region *r = &x->regions[i];
        bool behind = address >= r->base;
        uint64_t d = !behind ? r->base - address
                     : address < r->base + r->size
                         ? 0
                         : address - r->base - r->size;
        if (d >= *distance)
            continue;
        *distance = d;
        *after = behind;
        best = r;
    }
    return best;
}

/* An access to global memory that hits no buffer. */
static void fault_global(struct warp *w, const struct op *op, int lane,
                         uint64_t address, const char *what) {
    uint64_t distance;
    bool after = false;
    const struct region *r = nearest(w->x, address, &distance, &after);
    if (!r)
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s outside any buffer, there is none",
              address, what);
    else if (distance == 0 && address - r->base < r->size)
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s runs over the end of '%s', which "
              "has %" PRIu64 " bytes from 0x%" PRIx64,
              address, what, r->name, r->size, r->base);
    else
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s outside any buffer, nearest is "
              "'%s', %" PRIu64 " bytes %s its %" PRIu64 " bytes from "
              "0x%" PRIx64,
              address, what, r->name, distance, after ? "past" : "before",
              r->size, r->base);
}

/* what: "4-byte load".  Why address is not good for op. */
void fault_access(struct warp *w, const struct op *op, int lane,
                  uint64_t address, const char *what) {
    uint64_t total = (uint64_t)op->width * op->count;
    if (w->x->state == EXEC_RUNNING) {
        w->x->fault = total && address % total ? EXEC_FAULT_ALIGNMENT
                                               : EXEC_FAULT_ADDRESS;
        w->x->fault_address = address;
    }
    if (total && address % total) {
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s is not aligned, expected a multiple "
              "of %" PRIu64,
              address, what, total);
        return;
    }
    switch (op->space) {
    case PTX_SPACE_SHARED:
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s outside the %" PRIu64
              " bytes of shared memory",
              address, what, w->x->cta.shared_size);
        return;
    case PTX_SPACE_LOCAL:
        fault(w, op, lane,
              ", address 0x%" PRIx64 ": %s outside the %" PRIu64
              " bytes of local memory",
              address, what, w->local_size);
        return;
    case PTX_SPACE_PARAM:
        fault(w, op, lane, ", address 0x%" PRIx64 ": %s outside the parameters",
              address, what);
        return;
    default:
        fault_global(w, op, lane, address, what);
    }
}

void exec_unsupported(struct warp *w, const struct op *op) {
    fault(w, op, -1, "instruction '%s' is not supported",
          op->in ? op->in->form->text : "?");
}

void exec_trap(struct warp *w, const struct op *op) {
    if (w->mask) {
        w->x->fault = EXEC_FAULT_TRAP;
        fault(w, op, -1, "'%s' reached", op->in->form->text);
    } else {
        current_path(w)->pc++;
    }
}

/* ---------------------------------------------------------- no progress */

static void describe_path(struct exec *x, const struct warp *w,
                          const struct path *p) {
    const struct func *f = p->frame->func;
    int pc = p->pc;
    const struct op *op = p->state == PATH_READY ? &f->ops[pc] : p->wait;
    struct text t = {0};
    text_printf(&t, "warp %u, lanes 0x%08x, ", w->index, p->mask);
    if (p->state == PATH_BARRIER) {
        const struct barrier *b = &x->cta.barriers[p->barrier];
        text_printf(&t, "waits at barrier %d: %u of %u threads have arrived",
                    p->barrier, b->expected ? b->rounded : b->threads,
                    b->expected ? b->expected : x->cta.live_threads);
    } else if (p->state == PATH_SYNC) {
        text_printf(&t, "waits for lanes 0x%08x at '%s'",
                    p->want & w->live & ~p->mask,
                    op->in ? op->in->form->text : "?");
    } else {
        text_printf(&t, "runs at pc %d", pc);
    }
    diag_report(x->diag, DIAG_NOTE, place_of(x, op), "%s", text_str(&t));
    text_free(&t);
}

/* The launch ends because no thread gets anywhere: say who waits on what. */
void report_stuck(struct exec *x, bool limit) {
    const uint32_t *b = x->cta.at;
    int shown = 0;
    struct place at = {x->module->source, x->entry->f->line,
                       x->entry->f->column, 1};
    x->state = limit ? EXEC_LIMIT : EXEC_STUCK;
    if (limit)
        diag_error(x->diag, at,
                   "kernel '%s', block (%u,%u,%u): limit of %" PRIu64
                   " warp instructions reached",
                   x->info.kernel, b[0], b[1], b[2], x->options.limit);
    else
        diag_error(x->diag, at, "kernel '%s', block (%u,%u,%u): no progress",
                   x->info.kernel, b[0], b[1], b[2]);
    for (uint32_t k = 0; k < x->n_warps; k++)
        for (int i = 0; i < x->warps[k].n_paths; i++) {
            const struct path *p = &x->warps[k].paths[i];
            if (p->state == PATH_FREE || p->state == PATH_PARKED)
                continue;
            if (shown++ < 8)
                describe_path(x, &x->warps[k], p);
        }
    if (shown > 8)
        diag_report(x->diag, DIAG_NOTE, at, "and %d more", shown - 8);
}
