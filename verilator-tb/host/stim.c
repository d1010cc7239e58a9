/* stim.c - stimulus of the host port: software that gives commands, a core that
 * answers and counts, a memory that takes words and gives them.
 *
 * Own copies of all state behind the registers say what statuses must read,
 * what command must come out after which edge, and which word is asked for.
 *
 * random    phases with other rates of commands and another patience of memory
 * directed  the same commands in turn, with a memory that is quick, slow, and
 *           does not take anything
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/host.h"
#include "kit/toggle.h"

#include <inttypes.h>

enum { RUNNING = 1, OP_READ = 7 };

struct tune {
    int commands;     /* percent of edges with an idle bus: a command */
    int core;         /* percent: the core's wires change; it answers */
    int take, refuse; /* longest times that memory takes words and does not */
    int latency;      /* of a word, at most */
};

struct host_stim {
    struct stim base;
    struct host_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* commands given in directed */
    struct toggle memory;
    int reading; /* edges until a word comes, -1: none */

    /* what the block must hold before the edge */
    uint32_t index, high, next, word;
    bool answered, asks, writes, waits, lost;
    uint32_t at, data; /* of what it asks for */
    uint64_t given, words, fetched, lost_words;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 5, 1, 0, 1}, {100, 50, 1, 3, 4}, {100, 5, 1, 40, 30}};
    struct host_stim *s = (struct host_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 500 % 3];
    s->left = 499;
}

static void step_random(struct stim *base) {
    static const int rates[] = {0, 5, 40, 100, 100};
    struct host_stim *s = (struct host_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune =
        (struct tune){.commands = rates[rng_below(r, 5)],
                      .core = rates[rng_below(r, 5)],
                      .take = rng_range(r, 1, 4),
                      .refuse = rng_percent(r, 50) ? 0 : rng_range(r, 1, 9),
                      .latency = rng_range(r, 1, 20)};
    s->left = rng_range(r, 20, 300);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct host_stim *)base)->size = host_local(c);
    base->reset_every = 4000;
    base->wishbone = 400;
}

static void reset(struct stim *base) {
    struct host_stim *s = (struct host_stim *)base;
    s->index = s->high = s->next = s->word = s->at = s->data = 0;
    s->answered = s->asks = s->writes = s->waits = s->lost = false;
    s->reading = -1;
}

static void command(struct host_stim *s) {
    /* code and window more often than what is rare in life */
    static const int often[] = {
        HOST_COM_index, HOST_COM_high,    HOST_COM_set,   HOST_COM_code,
        HOST_COM_code,  HOST_COM_param,   HOST_COM_op,    HOST_COM_op,
        HOST_COM_read,  HOST_COM_address, HOST_COM_write, HOST_COM_write,
        HOST_COM_write, HOST_COM_fetch,   HOST_COM_fetch, HOST_COM_fetch};
    struct rng *r = &s->base.rng;
    int n = s->base.mode->resets ? (int)rng_below(r, 16) : s->turn++ % 16;
    uint32_t data = (uint32_t)(rng_next(r) >> 16);
    if (often[n] == HOST_COM_index && rng_percent(r, 30))
        data |= 0xfffe;
    if (often[n] == HOST_COM_address && rng_percent(r, 30))
        data |= 0xfffffff8;
    if (often[n] == HOST_COM_op && rng_percent(r, 50))
        data = 3;
    master_command(&s->base.master, often[n], data);
}

static void drive_core(struct host_stim *s, struct host_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t x = rng_next(r);
    in->debug_valid = rng_percent(r, s->tune.core / 4);
    if (in->debug_valid)
        in->debug_value = (uint32_t)rng_next(r);
    in->count_issued = x & 1;
    in->count_idle = x >> 1 & 1;
    in->count_blocked = x >> 2 & 1;
    in->count_diverged = x >> 3 & 1;
    in->count_request = x >> 4 & 1;
    in->count_conflict = x >> 5 & 1;
    in->count_returned = x >> 6 & 1;
    in->count_cta = x >> 7 & 1;
    in->count_barrier = x >> 8 & 1;
    if (!rng_percent(r, s->tune.core))
        return;
    in->core_state = x >> 10 & 3;
    in->core_halted = x >> 12 & 1;
    in->core_quiet = x >> 13 & 1;
    in->core_fault_cause = x >> 16 & 15;
    in->core_fault_warp = (x >> 20) % (uint64_t)s->size.WARPS;
    in->core_fault_pc = x >> 28 & ones(s->size.PC_W);
    in->core_fault_address = (uint32_t)rng_next(r);
}

/* Constants of a machine, others in each run. */
static void drive_shape(struct host_stim *s, struct host_in *in) {
    uint64_t x = rng_mix(s->base.options->seed + 1);
    in->shape_lanes = x & 63;
    in->shape_alus = x >> 6 & 63;
    in->shape_registers = x >> 12 & 127;
    in->shape_stack = x >> 19 & 127;
    in->shape_param_words = x >> 26 & 0x7ff;
    in->shape_shared_words = x >> 37 & 0x1ffff;
    in->shape_ctas = x >> 54 & 63;
    in->shape_memory_words = x * 3 >> 41;
}

static void drive_memory(struct host_stim *s, struct host_in *in) {
    struct rng *r = &s->base.rng;
    in->win_ready = toggle_step(&s->memory, r, s->tune.take, s->tune.refuse);
    in->read_valid = s->reading == 0 || rng_below(r, 500) == 0;
    in->read_data = in->read_valid ? (uint32_t)rng_next(r) : 0;
}

static void set_statuses(struct host_stim *s, const struct host_in *in) {
    uint32_t *status = s->base.master.status;
    status[HOST_STA_core] =
        (uint32_t)(in->core_state | in->core_halted << 2 | in->core_quiet << 3 |
                   (uint64_t)s->answered << 4);
    status[HOST_STA_fault] =
        (uint32_t)(in->core_fault_cause | in->core_fault_warp << 4);
    status[HOST_STA_fault_pc] = (uint32_t)in->core_fault_pc;
    status[HOST_STA_fault_address] = (uint32_t)in->core_fault_address;
    status[HOST_STA_value] = (uint32_t)in->debug_value;
    status[HOST_STA_window] = (uint32_t)(s->asks || s->waits) | s->lost * 2u;
    status[HOST_STA_word] = s->word;
    status[HOST_STA_warps] = (uint32_t)s->size.WARPS;
    status[HOST_STA_lanes] = (uint32_t)in->shape_lanes;
    status[HOST_STA_alus] = (uint32_t)in->shape_alus;
    status[HOST_STA_registers] = (uint32_t)in->shape_registers;
    status[HOST_STA_stack] = (uint32_t)in->shape_stack;
    status[HOST_STA_code_words] = (uint32_t)s->size.CODE;
    status[HOST_STA_param_words] = (uint32_t)in->shape_param_words;
    status[HOST_STA_shared_words] = (uint32_t)in->shape_shared_words;
    status[HOST_STA_ctas] = (uint32_t)in->shape_ctas;
    status[HOST_STA_memory_words] = (uint32_t)in->shape_memory_words;
}

static void drive(struct stim *base, void *ports) {
    struct host_stim *s = (struct host_stim *)base;
    struct host_in *in = ports;
    drive_core(s, in);
    drive_shape(s, in);
    drive_memory(s, in);
    set_statuses(s, in);
    if (master_idle(&base->master) && rng_percent(&base->rng, s->tune.commands))
        command(s);
    if (rng_below(&base->rng, 2000) == 0)
        master_clear(&base->master);
}

/* --- watching ------------------------------------------------------------- */

static void count(struct host_stim *s, const struct host_in *in) {
    uint64_t *n = s->base.master.count;
    n[HOST_CNT_cycles] += in->core_state == RUNNING;
    n[HOST_CNT_issued] += in->count_issued;
    n[HOST_CNT_idle] += in->count_idle;
    n[HOST_CNT_blocked] += in->count_blocked;
    n[HOST_CNT_diverged] += in->count_diverged;
    n[HOST_CNT_request] += in->count_request;
    n[HOST_CNT_conflict] += in->count_conflict;
    n[HOST_CNT_returned] += in->count_returned;
    n[HOST_CNT_cta] += in->count_cta;
    n[HOST_CNT_barrier] += in->count_barrier;
}

/* What the command of the edge that has passed sends to the core. */
static const char *watch_ctl(struct host_stim *s,
                             const struct host_out *after) {
    const struct master *m = &s->base.master;
    uint64_t op = 0, data = m->value;
    bool wanted = true;
    switch (m->commanded) {
    case HOST_COM_set:
        break;
    case HOST_COM_code:
        op = 1;
        data |= (uint64_t)s->high << 32;
        break;
    case HOST_COM_param:
        op = 2;
        break;
    case HOST_COM_op:
        op = data;
        data = 0;
        break;
    case HOST_COM_read:
        op = OP_READ;
        break;
    default:
        wanted = false;
    }
    s->given += wanted;
    if (wanted != (after->ctl_valid & 1))
        return stim_complain(&s->base, wanted ? "a command does not go out"
                                              : "a command that nobody gave");
    if (wanted && (after->ctl_op != op || after->ctl_data != data ||
                   after->ctl_index != s->index))
        return stim_complain(
            &s->base,
            "expected op %u, index %u and data %llx, got %u, %u and %llx",
            (unsigned)op, (unsigned)s->index, (unsigned long long)data,
            (unsigned)after->ctl_op, (unsigned)after->ctl_index,
            (unsigned long long)after->ctl_data);
    return NULL;
}

static void note_access(struct host_stim *s, bool write, bool busy,
                        uint32_t data) {
    s->lost |= busy;
    s->lost_words += busy;
    if (busy)
        return;
    s->asks = true;
    s->writes = write;
    s->waits = !write;
    s->at = s->next;
    s->data = write ? data : 0;
    s->next = (s->next + 1) & 0x3fffffff;
}

static void note_command(struct host_stim *s, bool busy) {
    const struct master *m = &s->base.master;
    switch (m->commanded) {
    case HOST_COM_index:
        s->index = m->value;
        break;
    case HOST_COM_high:
        s->high = m->value;
        break;
    case HOST_COM_set:
    case HOST_COM_code:
    case HOST_COM_param:
        s->index = (s->index + 1) & 0xffff;
        break;
    case HOST_COM_read:
        s->answered = false;
        break;
    case HOST_COM_address:
        s->next = m->value >> 2;
        s->lost = false;
        break;
    case HOST_COM_write:
    case HOST_COM_fetch:
        note_access(s, m->commanded == HOST_COM_write, busy, m->value);
        break;
    }
}

/* What memory saw on the edge, and gave. */
static void note_memory(struct host_stim *s, const struct host_in *in) {
    if (s->reading >= 0)
        s->reading--;
    if (s->asks && in->win_ready) {
        s->asks = false;
        s->words += s->writes;
        if (!s->writes)
            s->reading =
                (int)rng_below(&s->base.rng, (uint32_t)s->tune.latency);
    }
    if (in->read_valid && s->waits) {
        s->waits = false;
        s->word = (uint32_t)in->read_data;
        s->fetched++;
    }
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct host_stim *s = (struct host_stim *)base;
    const struct host_in *in = in_ports;
    const struct host_out *after = after_ports;
    bool busy = s->asks || s->waits;
    (void)before_ports;
    const char *wrong = watch_ctl(s, after);
    count(s, in);
    if (in->debug_valid)
        s->answered = true;
    note_memory(s, in);
    note_command(s, busy);
    if (wrong)
        return wrong;
    if (s->asks != (after->win_valid & 1))
        return stim_complain(base, s->asks ? "memory is not asked"
                                           : "memory is asked for nothing");
    if (s->asks && (after->win_write != s->writes ||
                    after->win_address != s->at || after->win_data != s->data))
        return stim_complain(base, "memory is asked for another word than %x",
                             (unsigned)s->at);
    return NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct host_stim *s = (const struct host_stim *)base;
    text_printf(t, "commands\t%" PRIu64 "\n", s->given);
    text_printf(t, "written\t%" PRIu64 "\n", s->words);
    text_printf(t, "fetched\t%" PRIu64 "\n", s->fetched);
    text_printf(t, "lost\t%" PRIu64 "\n", s->lost_words);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class host_stim = {
    .size = sizeof(struct host_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};
