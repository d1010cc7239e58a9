/* host.c - golden model of the host port of a machine.
 *
 * Written from docs/blocks/host.md.
 */
#include "host.h"

#include "blocks/host.h"
#include "frame/model.h"

enum { OP_SET, OP_CODE, OP_PARAM, OP_START, OP_READ = 7, RUNNING = 1 };

struct host {
    struct golden base;
    struct host_local l;
    uint16_t index;
    uint32_t high;
    bool answered;
    uint32_t address; /* of a word */
    uint32_t word;
    bool waiting, lost;
    bool follows; /* the last command went up the index */
    struct host_out out;
};

static void open(struct golden *g, const struct config *c) {
    ((struct host *)g)->l = host_local(c);
}

static void reset(struct golden *g) {
    struct host *n = (struct host *)g;

    n->index = 0;
    n->high = n->address = n->word = 0;
    n->answered = n->waiting = n->lost = n->follows = false;
}

static bool is_busy(const struct host *n) {
    return n->out.win_valid || n->waiting;
}

static void show(struct host *n, const struct host_in *in) {
    uint32_t *status = n->base.regs.status;

    status[HOST_STA_core] =
        (uint32_t)((in->core_state & 3) | (in->core_halted & 1) << 2 |
                   (in->core_quiet & 1) << 3 | (uint64_t)n->answered << 4);
    status[HOST_STA_fault] =
        (uint32_t)((in->core_fault_cause & 15) | in->core_fault_warp << 4);
    status[HOST_STA_fault_pc] = (uint32_t)in->core_fault_pc;
    status[HOST_STA_fault_address] = (uint32_t)in->core_fault_address;
    status[HOST_STA_value] = (uint32_t)in->debug_value;
    status[HOST_STA_window] = (uint32_t)is_busy(n) | (uint32_t)n->lost << 1;
    status[HOST_STA_word] = n->word;
    status[HOST_STA_warps] = (uint32_t)n->l.WARPS;
    status[HOST_STA_lanes] = (uint32_t)in->shape_lanes;
    status[HOST_STA_alus] = (uint32_t)in->shape_alus;
    status[HOST_STA_registers] = (uint32_t)in->shape_registers;
    status[HOST_STA_stack] = (uint32_t)in->shape_stack;
    status[HOST_STA_code_words] = (uint32_t)n->l.CODE;
    status[HOST_STA_param_words] = (uint32_t)in->shape_param_words;
    status[HOST_STA_shared_words] = (uint32_t)in->shape_shared_words;
    status[HOST_STA_ctas] = (uint32_t)in->shape_ctas;
    status[HOST_STA_memory_words] = (uint32_t)in->shape_memory_words;
}

static void count(struct host *n, const struct host_in *in) {
    struct golden *g = &n->base;

    event_if(g, (in->core_state & 3) == RUNNING, HOST_CNT_cycles);
    event_if(g, in->count_issued & 1, HOST_CNT_issued);
    event_if(g, in->count_idle & 1, HOST_CNT_idle);
    event_if(g, in->count_blocked & 1, HOST_CNT_blocked);
    event_if(g, in->count_diverged & 1, HOST_CNT_diverged);
    event_if(g, in->count_request & 1, HOST_CNT_request);
    event_if(g, in->count_conflict & 1, HOST_CNT_conflict);
    event_if(g, in->count_returned & 1, HOST_CNT_returned);
    event_if(g, in->count_cta & 1, HOST_CNT_cta);
    event_if(g, in->count_barrier & 1, HOST_CNT_barrier);
}

static void give(struct host *n, uint32_t op, uint64_t data) {
    n->out.ctl_valid = 1;
    n->out.ctl_op = op;
    n->out.ctl_index = n->index;
    n->out.ctl_data = data;
    hit_if(n, op == OP_START, HOST_COV_started);
}

/* A command that leads to the next index. */
static void give_next(struct host *n, uint32_t op, uint64_t data) {
    give(n, op, data);
    n->index++;
    hit_if(n, n->follows, HOST_COV_next_index);
    hit_if(n, n->index == 0, HOST_COV_index_around);
    n->follows = true;
}

static void ask(struct host *n, bool write, uint32_t data) {
    n->out.win_valid = 1;
    n->out.win_write = write;
    n->out.win_address = n->address;
    n->out.win_data = write ? data : 0;
    n->waiting = !write;
    n->address = (n->address + 1) & 0x3fffffff;
    hit_if(n, n->address == 0, HOST_COV_address_around);
}

/* Statements on one command; the window was busy before the edge or not. */
static void obey(struct host *n, uint32_t data, bool busy) {
    switch (n->base.regs.command) {
    case HOST_COM_index:
        n->index = (uint16_t)data;
        n->follows = false;
        break;
    case HOST_COM_high:
        n->high = data;
        break;
    case HOST_COM_set:
        give_next(n, OP_SET, data);
        break;
    case HOST_COM_code:
        give_next(n, OP_CODE, (uint64_t)n->high << 32 | data);
        hit_if(n, n->high, HOST_COV_code);
        break;
    case HOST_COM_param:
        give_next(n, OP_PARAM, data);
        break;
    case HOST_COM_op:
        give(n, data, 0);
        break;
    case HOST_COM_read:
        give(n, OP_READ, data);
        hit_if(n, !n->answered, HOST_COV_asked_again);
        n->answered = false;
        break;
    case HOST_COM_address:
        hit_if(n, n->lost, HOST_COV_found);
        n->address = data >> 2;
        n->lost = false;
        break;
    case HOST_COM_write:
    case HOST_COM_fetch:
        hit_if(n, busy, HOST_COV_lost);
        if (busy)
            n->lost = true;
        else
            ask(n, n->base.regs.command == HOST_COM_write, data);
        break;
    }
}

static void move_window(struct host *n, const struct host_in *in) {
    bool asks = n->out.win_valid;

    hit_if(n, asks && !(in->win_ready & 1), HOST_COV_refused);
    if (asks && in->win_ready & 1) {
        hit_if(n, n->out.win_write, HOST_COV_wrote);
        n->out.win_valid = n->out.win_write = 0;
        n->out.win_address = n->out.win_data = 0;
    }
    if (!(in->read_valid & 1))
        return;
    hit_if(n, n->waiting, HOST_COV_fetched);
    hit_if(n, !n->waiting, HOST_COV_unasked);
    if (n->waiting)
        n->word = (uint32_t)in->read_data;
    n->waiting = false;
}

static void edge(struct golden *g, const void *ports) {
    struct host *n = (struct host *)g;
    const struct host_in *in = ports;
    bool busy = is_busy(n);

    show(n, in);
    count(n, in);
    hit_if(n, (in->core_state & 3) == 3, HOST_COV_fault);
    hit_if(n, in->debug_valid & 1, HOST_COV_answered);
    n->out.ctl_valid = n->out.ctl_op = n->out.ctl_index = n->out.ctl_data = 0;
    if (in->debug_valid & 1)
        n->answered = true;
    move_window(n, in);
    if (n->base.regs.command >= 0)
        obey(n, n->base.regs.command_data, busy);
}

/* What it shows on its register port follows on the edge of the access. */
static uint64_t rest(const struct golden *g, const void *ports) {
    const struct host *n = (const struct host *)g;
    const struct host_in *in = ports;
    bool busy = n->out.ctl_valid | n->out.win_valid;

    return busy || in->read_valid & 1 || in->debug_valid & 1 ||
                   (in->core_state & 3) == 3
               ? 0
               : UINT64_MAX;
}

const struct golden_class host_golden = {
    .iface = &host_iface,
    MODEL_STRUCT(struct host),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};
