/* relay.c - golden model of the relay of a host's commands to one of several
 * cores.
 *
 * Written from docs/blocks/relay.md.
 */
#include "relay.h"

#include "base/bits.h"
#include "blocks/relay.h"
#include "frame/model.h"

enum { IDLE, RUNNING, DONE, FAULTED };

struct relay {
    struct golden base;
    struct relay_local l;
    struct relay_out out;
};

/* What a core or several are doing. */
struct doing {
    uint64_t state, halted, quiet;
    uint64_t cause, warp, pc, address;
    uint64_t answers, value;
};

static void open(struct golden *g, const struct config *c) {
    ((struct relay *)g)->l = relay_local(c);
}

static void show(struct relay *n, const struct relay_in *in) {
    uint32_t *status = n->base.regs.status;

    status[RELAY_STA_core] =
        (uint32_t)((in->core_state & 3) | (in->core_halted & 1) << 2 |
                   (in->core_quiet & 1) << 3);
    status[RELAY_STA_fault] =
        (uint32_t)((in->core_fault_cause & 15) | in->core_fault_warp << 4);
    status[RELAY_STA_fault_pc] = (uint32_t)in->core_fault_pc;
    status[RELAY_STA_fault_address] = (uint32_t)in->core_fault_address;
}

static void count(struct relay *n, const struct relay_in *in) {
    struct golden *g = &n->base;

    event_if(g, (in->core_state & 3) == RUNNING, RELAY_CNT_cycles);
    event_if(g, in->count_issued & 1, RELAY_CNT_issued);
    event_if(g, in->count_idle & 1, RELAY_CNT_idle);
    event_if(g, in->count_blocked & 1, RELAY_CNT_blocked);
    event_if(g, in->count_diverged & 1, RELAY_CNT_diverged);
    event_if(g, in->count_request & 1, RELAY_CNT_request);
    event_if(g, in->count_conflict & 1, RELAY_CNT_conflict);
    event_if(g, in->count_returned & 1, RELAY_CNT_returned);
    event_if(g, in->count_cta & 1, RELAY_CNT_cta);
    event_if(g, in->count_barrier & 1, RELAY_CNT_barrier);
}

static void command(struct relay *n, const struct relay_in *in, bool takes) {
    bool next = in->ctl_valid & 1, core = next && takes;

    n->out.next_valid = next;
    n->out.next_op = next ? in->ctl_op : 0;
    n->out.next_index = next ? in->ctl_index : 0;
    n->out.next_data = next ? in->ctl_data : 0;
    n->out.core_ctl_valid = core;
    n->out.core_ctl_op = core ? in->ctl_op : 0;
    n->out.core_ctl_index = core ? in->ctl_index : 0;
    n->out.core_ctl_data = core ? in->ctl_data : 0;
    hit_if(n, core, RELAY_COV_given);
    hit_if(n, next && !core, RELAY_COV_withheld);
}

static struct doing own(const struct relay_in *in, bool takes) {
    if (!takes)
        return (struct doing){.state = DONE, .halted = 1, .quiet = 1};
    return (struct doing){.state = in->core_state,
                          .halted = in->core_halted,
                          .quiet = in->core_quiet,
                          .cause = in->core_fault_cause,
                          .warp = in->core_fault_warp,
                          .pc = in->core_fault_pc,
                          .address = in->core_fault_address,
                          .answers = in->core_debug_valid,
                          .value = in->core_debug_value};
}

static struct doing others(const struct relay_in *in) {
    return (struct doing){.state = in->rest_state,
                          .halted = in->rest_halted,
                          .quiet = in->rest_quiet,
                          .cause = in->rest_fault_cause,
                          .warp = in->rest_fault_warp,
                          .pc = in->rest_fault_pc,
                          .address = in->rest_fault_address,
                          .answers = in->rest_debug_valid,
                          .value = in->rest_debug_value};
}

/* Both as one. */
static void join(struct relay *n, const struct doing *a,
                 const struct doing *b) {
    static const uint8_t order[] = {FAULTED, RUNNING, IDLE, DONE};
    const struct doing none = {0};
    const struct doing *f = a->state == FAULTED   ? a
                            : b->state == FAULTED ? b
                                                  : &none;
    const struct doing *d = a->answers ? a : b->answers ? b : NULL;
    int i = 0;

    while (a->state != order[i] && b->state != order[i])
        i++;
    n->out.all_state = order[i];
    n->out.all_halted = a->halted && b->halted;
    n->out.all_quiet = a->quiet && b->quiet;
    n->out.all_fault_cause = f->cause;
    n->out.all_fault_warp = f->warp;
    n->out.all_fault_pc = f->pc;
    n->out.all_fault_address = f->address;
    n->out.all_debug_valid = d != NULL;
    if (d)
        n->out.all_debug_value = d->value;
    hit_if(n, a->answers, RELAY_COV_answered);
    hit_if(n, b->answers && !a->answers, RELAY_COV_rest_answered);
    hit_if(n, f == a && b->state != FAULTED, RELAY_COV_own_fault);
    hit_if(n, f == b, RELAY_COV_rest_fault);
    hit_if(n, f == a && b->state == FAULTED, RELAY_COV_both_fault);
    hit_if(n,
           (a->state == DONE && b->state == IDLE) ||
               (a->state == IDLE && b->state == DONE),
           RELAY_COV_waits_for_idle);
    hit_if(n, a->state == DONE && b->state == RUNNING,
           RELAY_COV_waits_for_running);
    hit_if(n, order[i] == DONE, RELAY_COV_all_done);
}

static void edge(struct golden *g, const void *ports) {
    struct relay *n = (struct relay *)g;
    const struct relay_in *in = ports;
    bool takes = n->base.regs.setting[RELAY_SET_takes] & 1;
    struct doing a = own(in, takes), b = others(in);

    show(n, in);
    count(n, in);
    hit_if(n, !takes && in->core_state == RUNNING, RELAY_COV_left_out);
    command(n, in, takes);
    join(n, &a, &b);
}

static void reset(struct golden *g) {
    (void)g; /* all outputs are zero */
}

/* Its outputs follow from its inputs; it is awake where there is something to
 * cover. */
static uint64_t rest(const struct golden *g, const void *ports) {
    const struct relay *n = (const struct relay *)g;
    const struct relay_in *in = ports;
    bool takes = n->base.regs.setting[RELAY_SET_takes] & 1;
    struct doing a = own(in, takes), b = others(in);
    bool idle = a.state == IDLE && b.state == IDLE;
    bool runs = (a.state == RUNNING && b.state != FAULTED) ||
                (a.state == IDLE && b.state == RUNNING);

    return (idle || runs) && !(in->ctl_valid & 1) && !a.answers && !b.answers
               ? UINT64_MAX
               : 0;
}

const struct golden_class relay_golden = {
    .iface = &relay_iface,
    MODEL_STRUCT(struct relay),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};
