/* machine.c - stimulus of machines, of one core or of several: software that
 * loads programs over the register port, launches them, halts and steps now and
 * then, and reads memory back.
 *
 * What the machine does is what its host port is shown.  Of several cores the
 * relays (docs/blocks/relay.md) give each its launch registers.
 *
 * What memory must hold is computed by the untimed machine (golden/isa/run.h)
 * on a copy that has what went through the window; every word that memory gives
 * to the window is compared with it.
 *
 * random    programs, grids and data as they come, halts and resets
 * directed  the programs one after the other, each halted
 * replay    what libndp does while it runs the kernels of a run description
 */
#include "machine.h"

#include "base/arena.h"
#include "base/array.h"
#include "blocks/frontend.h"
#include "blocks/host.h"
#include "blocks/memory.h"
#include "blocks/loader.h"
#include "blocks/offload.h"
#include "blocks/oqueue.h"
#include "blocks/relay.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "blocks/vault.h"
#include "iface/system.h"
#include "isa/run.h"
#include "papers/tom/entry.h"
#include "programs.h"
#include "replay.h"
#include "simt/env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OP_HALT = 4, OP_RESUME, OP_STEP, OP_START = 3, OP_CLEAR = 8 };
enum {
    BASE = 256,
    MOST_WORDS = 96,
    SHARED_WORDS = 3,
    PATIENCE = 200000,
    AGAIN = 100,           /* edges after which an answer can no longer come */
    CLUSTER_RESET = 60000, /* edges between resets while software loads */
    RUN_RESET = 15000,     /* of one core */
    LOAD_RESET = 4000,
    FIRST_WARP = 64,
    PREDICATES = 8 /* registers of a warp on two dies that programs have not */
};

static const void *part(const void *ports, size_t at) {
    return (const char *)ports + at;
}

/* --- what software does --------------------------------------------------- */

static void put(struct machine *s, enum action_kind kind, int command,
                uint32_t data) {
    *array_push(&s->actions) = (struct action){kind, command, data};
}

static void give(struct machine *s, int command, uint32_t data) {
    put(s, COMMAND, command, data);
}

static void give_loader(struct machine *s, int command, uint32_t data) {
    put(s, LOADER, command, data);
}

/* The words of the launch, to the end of their sector: memory answers with
 * whole ones, and what nobody has written is anything in RTL. */
static void put_memory(struct machine *s) {
    struct rng *r = &s->base.rng;
    uint32_t n = (2 * s->n + 4 + s->sector - 1) / s->sector * s->sector;
    give(s, HOST_COM_address, BASE);
    for (uint32_t i = 0; i < n; i++)
        give(s, HOST_COM_write, (uint32_t)(rng_next(r) >> 20));
}

static void put_code(struct machine *s) {
    give(s, HOST_COM_index, 0);
    for (int i = 0; i < s->launch.code.n; i++) {
        give(s, HOST_COM_high, (uint32_t)(s->launch.code.v[i] >> 32));
        give(s, HOST_COM_code, (uint32_t)s->launch.code.v[i]);
    }
}

/* The program's blocks, and empty entries behind them. */
static void put_blocks(struct machine *s) {
    const struct program *p = s->program;
    struct design *d = design_make(&offload_iface, &s->base.design->config);
    struct offload_local size = offload_local(&d->config);
    give_loader(s, LOADER_COM_index, 0);
    for (int i = 0; i < size.ENTRIES; i++) {
        struct offload_entry_fields fields = {0};
        uint64_t entry[8] = {0};
        const struct design_record *r = &d->record[OFFLOAD_REC_entry];
        if (i < p->n_blocks)
            ptx_entry_of_block(&p->blocks[i], s->core_size.REGS, &size,
                               &fields);
        record_pack(r, &fields, entry);
        for (int at = 0; at < r->bits; at += 32)
            give_loader(s, LOADER_COM_word,
                        (uint32_t)(entry[at / 64] >> at % 64));
        give_loader(s, LOADER_COM_load, p->text == NULL || i < p->n_blocks);
    }
    design_free(d);
}

/* Lines of 128 bytes and more stand at a stack. */
static void put_map(struct machine *s) {
    struct rng *r = &s->base.rng;
    uint32_t bytes = 4 * s->words / (uint32_t)s->stacks, bits = 0;
    while (bytes >> (bits + 1) > 0)
        bits++;
    put(s, MAP, 0,
        rng_percent(r, 40) ? 0 : (uint32_t)rng_range(r, 7, (int)bits));
}

static void make_params(const struct machine *s, uint32_t *words) {
    memset(words, 0, 8 * sizeof *words);
    words[4] = BASE;
    words[5] = BASE + 4 * s->n;
    words[6] = BASE + 8 * s->n;
    words[7] = s->n;
}

static void put_params(struct machine *s) {
    uint32_t words[8];
    make_params(s, words);
    give(s, HOST_COM_index, 0);
    for (int i = 0; i < 8; i++)
        give(s, HOST_COM_param, words[i]);
}

static uint32_t shared_bytes(const struct machine *s) {
    uint32_t unit = 4 * (uint32_t)s->core_size.ALUS;
    return (4 * (s->threads + 1) + unit - 1) / unit * unit;
}

/* Commands are on their way for an edge a core. */
static void put_takes(struct machine *s, int only) {
    put(s, PAUSE, 0, (uint32_t)s->cores + 2);
    for (int c = 0; c < s->cores; c++)
        put(s, TAKE, c, only < 0 || c == only);
}

/* Of a grid of one row. */
static void put_area(struct machine *s, uint32_t first, uint32_t end) {
    give(s, HOST_COM_set, first);
    give(s, HOST_COM_set, 0);
    give(s, HOST_COM_set, first < end ? end : 0);
    give(s, HOST_COM_set, 1);
    give(s, HOST_COM_set, rng_below(&s->base.rng, 2)); /* by column */
}

/* Each core takes so manieth CTA, or a piece of the grid. */
static void put_shares(struct machine *s) {
    uint32_t n = (uint32_t)(s->cores - s->stacks);
    bool pieces = s->core_size.AREAS && rng_below(&s->base.rng, 2);
    for (uint32_t c = 0; c < (uint32_t)s->cores; c++) {
        uint32_t each = (s->ctas + n - 1) / n, first = pieces ? c * each : 0;
        uint32_t end = pieces ? first + each : s->ctas;
        bool stack = c >= n; /* takes no CTAs */
        put_takes(s, (int)c);
        give(s, HOST_COM_index, AT_FIRST_CTA);
        give(s, HOST_COM_set, pieces || stack ? 0 : c);
        give(s, HOST_COM_set, stack ? 0 : pieces ? 1 : n);
        if (s->core_size.AREAS)
            put_area(s, first, end < s->ctas ? end : s->ctas);
        if (s->stacks) {
            give(s, HOST_COM_index, AT_PACE);
            give(s, HOST_COM_set, stack ? rng_below(&s->base.rng, 4) : 0);
        }
    }
    if (s->cores)
        put_takes(s, -1);
    if (s->queues)
        put(s, MODE, 0, rng_below(&s->base.rng, 3));
}

static void put_registers(struct machine *s) {
    uint32_t lanes = (uint32_t)s->core_size.LANES, shared = shared_bytes(s);
    uint32_t warps = (s->threads + lanes - 1) / lanes;
    uint32_t resident = (uint32_t)s->core_size.WARPS / warps;
    uint32_t fit = 4 * (uint32_t)s->core_size.SHARED / shared;
    if (resident > (uint32_t)s->core_size.CTAS)
        resident = (uint32_t)s->core_size.CTAS;
    if (resident > fit)
        resident = fit;
    const uint32_t reg[AT_FIRST_CTA] = {0,
                                        s->ctas,
                                        1,
                                        1,
                                        s->threads,
                                        1,
                                        1,
                                        s->threads,
                                        warps,
                                        resident,
                                        shared,
                                        4 * s->words,
                                        s->program->watchdog};
    give(s, HOST_COM_index, 0);
    for (int i = 0; i < AT_FIRST_CTA; i++)
        give(s, HOST_COM_set, reg[i]);
    put_shares(s);
}

/* A look at the running cores, and at a word that they do not change.  One that
 * gets no CTA may never have written an r0, and all are asked at once. */
static void put_look(struct machine *s) {
    struct rng *r = &s->base.rng;
    bool has_r0 =
        rng_below(r, 2) == 0 && s->ctas >= (uint32_t)s->cores && s->stacks == 0;
    uint32_t what = has_r0 ? 0 : 64u << 16; /* r0, or pc */
    put(s, PAUSE, 0, rng_below(r, 200));
    for (int i = rng_range(r, 1, 40); i > 0; i--) {
        give(s, HOST_COM_address, BASE + 4 * rng_below(r, s->n));
        give(s, HOST_COM_fetch, 0);
    }
    put(s, PAUSE, 0, FIRST_WARP); /* so that it has an r0 */
    give(s, HOST_COM_op, OP_HALT);
    put(s, WAIT_HALTED, 0, 0);
    if (!s->bare) {
        give(s, HOST_COM_read, what);
        put(s, WAIT_ANSWER, 0, what);
        give(s, HOST_COM_index, 0);
        give(s, HOST_COM_op, OP_STEP);
    }
    put(s, PAUSE, 0, 40);
    give(s, HOST_COM_op, OP_RESUME);
    s->halts++;
}

static void put_readback(struct machine *s) {
    give(s, HOST_COM_address, BASE);
    for (uint32_t i = 0; i < 2 * s->n + 4; i++)
        give(s, HOST_COM_fetch, 0);
}

static bool is_directed(const struct machine *s) {
    return strcmp(s->base.mode->name, "directed") == 0;
}

/* Chains leave a core from whole lines: warps whose words begin at one. */
static void choose_size(struct machine *s, uint32_t most) {
    struct rng *r = &s->base.rng;
    uint32_t lanes = (uint32_t)s->core_size.LANES;
    s->threads = 1 + rng_below(r, most);
    if (s->queues && !s->stacks && rng_percent(r, 80))
        s->threads = (s->threads + lanes - 1) / lanes * lanes;
    if (s->threads > most)
        s->threads = most;
    s->ctas = 1 + rng_below(r, MOST_WORDS / s->threads);
    s->n = s->threads * s->ctas;
}

static const struct program *choose_program(struct machine *s) {
    struct rng *r = &s->base.rng;
    const struct program *list = s->bare     ? bare_programs
                                 : s->stacks ? stacks_programs
                                             : system_programs;
    int n = 0, chosen;
    while (list[n].text)
        n++;
    if (is_directed(s))
        return &list[s->turn++ % n];
    bool chains = s->queues && !s->stacks && rng_percent(r, 60);
    do
        chosen = (int)rng_below(r, (uint32_t)n);
    while (chains && !list[chosen].chains);
    return &list[chosen];
}

static void choose_launch(struct machine *s) {
    uint32_t most = (uint32_t)(s->core_size.WARPS * s->core_size.LANES);
    uint32_t shared = (uint32_t)s->core_size.SHARED - SHARED_WORDS;
    s->launch.code.n = 0;
    if (s->bare && !s->zeroed) {
        static const struct program zeroes = {NULL, 0, 0, false, NULL, 0};
        s->program = &zeroes;
        s->threads = s->zeroes.threads;
        s->ctas = s->zeroes.ctas * (uint32_t)(s->cores ? s->cores : 1);
        s->n = 1;
        for (int i = 0; i < s->zeroes.launch.code.n; i++)
            *array_push(&s->launch.code) = s->zeroes.launch.code.v[i];
        return;
    }
    s->program = choose_program(s);
    most = most < shared ? most : shared;
    most = most < MOST_WORDS / 2 ? most : MOST_WORDS / 2;
    /* the others of a CTA come to a barrier, so all threads have a word */
    choose_size(s, most);
    simt_text(&s->launch, s->program->text);
}

static void next_launch(struct machine *s) {
    struct rng *r = &s->base.rng;
    choose_launch(s);
    s->actions.n = s->done = s->waited = 0;
    s->launched = false;
    if (s->cores) {
        put_takes(s, -1);
        give(s, HOST_COM_op, OP_HALT); /* who is not at fault may still run */
        put(s, PAUSE, 0, FIRST_WARP);
    }
    put(s, WAIT_QUIET, 0, 0);
    give(s, HOST_COM_op, OP_CLEAR);
    put(s, WAIT_IDLE, 0, 0);
    put_code(s);
    put_params(s);
    if (s->stacks) {
        put_blocks(s);
        put_map(s);
    }
    put_memory(s);
    put_registers(s);
    give(s, HOST_COM_op, OP_START);
    if (s->program->text && s->program->cause == 0 &&
        (is_directed(s) || rng_percent(r, 50)))
        put_look(s);
    put(s, WAIT_END, 0, 0);
    if (s->program->text && s->program->cause == 0) {
        put(s, EXPECT_RESULT, 0, 0);
        put_readback(s);
    }
    s->launches++;
}

/* --- the untimed machine -------------------------------------------------- */

static bool load(void *ctx, uint32_t address, int bytes, uint32_t *value) {
    const struct machine *s = ctx;
    if (address / 4 >= s->words)
        return false;
    *value = s->memory[address / 4] >> address % 4 * 8;
    *value &= (uint32_t)ones(8 * bytes);
    return true;
}

static bool store(void *ctx, uint32_t address, int bytes, uint32_t value) {
    struct machine *s = ctx;
    if (address / 4 >= s->words)
        return false;
    uint32_t mask = (uint32_t)ones(8 * bytes) << address % 4 * 8;
    uint32_t *word = &s->memory[address / 4];
    *word = (*word & ~mask) | (value << address % 4 * 8 & mask);
    return true;
}

static const char *compute(struct machine *s) {
    uint32_t params[8];
    struct isa_memory memory = {load, store, s};
    struct isa_run run = {0};
    make_params(s, params);
    const struct isa_launch launch = {
        .code = s->launch.code.v,
        .n_code = s->launch.code.n,
        .registers = s->core_size.REGS,
        .grid = {s->ctas, 1, 1},
        .block = {s->threads, 1, 1},
        .shared = shared_bytes(s),
        .params = params,
        .n_params = 8,
        .lanes = s->core_size.LANES,
        .limit = 1000000,
    };
    if (isa_execute(&launch, &memory, &run))
        return NULL;
    return stim_complain(&s->base, "the untimed machine: %s at word %d",
                         isa_end_text(run.end), run.pc);
}

/* --- going on ------------------------------------------------------------- */

static bool is_over(const struct machine *s) {
    return s->core.core_state == DONE || s->core.core_state == FAULTED;
}

static const char *check_end(struct machine *s) {
    bool right = s->program->cause ? s->core.core_state == FAULTED &&
                                         s->core.core_fault_cause ==
                                             (uint64_t)s->program->cause
                                   : s->core.core_state == DONE;
    s->faults += s->core.core_state == FAULTED;
    /* a load at fault has left its register as it was, perhaps unwritten */
    s->zeroed = s->core.core_state == DONE && (s->zeroed || !s->program->text);
    return right ? NULL
                 : stim_complain(&s->base,
                                 "a launch ends in state %u with cause %u at "
                                 "word %u, expected cause %d",
                                 (unsigned)s->core.core_state,
                                 (unsigned)s->core.core_fault_cause,
                                 (unsigned)s->core.core_fault_pc,
                                 s->program->cause);
}

static bool has_come(const struct machine *s, const struct action *a) {
    switch (a->kind) {
    case WAIT_END:
        return is_over(s);
    case WAIT_QUIET:
        return s->core.core_quiet && !s->asks && !s->waits;
    case WAIT_IDLE:
        return s->core.core_state == IDLE;
    case WAIT_HALTED:
        return s->core.core_halted || is_over(s);
    case WAIT_ANSWER:
        return s->answered;
    case PAUSE:
        return s->waited >= (int)a->data;
    case TAKE:
    case MODE:
    case LOADER:
    case MAP:
    case COMMAND:
    case EXPECT_RESULT:
        break;
    }
    return true;
}

/* Of several cores what is written to a relay and what comes before or after it
 * must not change places on the bus, which asks its parts in their own order.
 */
static bool is_written(const struct machine *s) {
    bool idle = master_idle(&s->host);
    for (int c = 0; c < s->cores; c++)
        idle = idle && master_idle(&s->relay[c]);
    for (int c = 0; c < s->queues; c++)
        idle = idle && master_idle(s->queue[c]);
    return idle && (!s->loader || master_idle(s->loader));
}

/* A command goes when the bus is free, one of the window when that is, too. */
static bool may_go(const struct machine *s, const struct action *a) {
    bool window = a->command == HOST_COM_write || a->command == HOST_COM_fetch;
    return master_idle(&s->host) && !(window && (s->asks || s->waits));
}

/* A core that has halted takes results of loads into its pipe, and passes over
 * what is read meanwhile; of several, one may still have made a request when
 * the command to clear came. */
static void ask_again(struct machine *s, const struct action *a) {
    if (s->waited % AGAIN != 0 || !master_idle(&s->host))
        return;
    if (a->kind == WAIT_ANSWER)
        master_command(&s->host, HOST_COM_read, a->data);
    else if (a->kind == WAIT_IDLE)
        master_command(&s->host, HOST_COM_op, OP_CLEAR);
}

static void set_map(struct machine *s, uint32_t bit) {
    master_set(s->loader, LOADER_SET_learned, bit != 0);
    master_set(s->loader, LOADER_SET_map_bit, bit ? bit : 7);
    for (int c = 0; c < s->queues && bit; c++)
        master_set(s->queue[c], OFFLOAD_SET_map_bit, bit);
}

/* After an edge: what comes next.  NULL, or what is wrong. */
static const char *go_on(struct machine *s) {
    if (s->done == s->actions.n)
        next_launch(s);
    const struct action *a = &s->actions.v[s->done];
    if (s->cores && !is_written(s))
        return NULL;
    if (a->kind == COMMAND ? !may_go(s, a) : !has_come(s, a)) {
        if (++s->waited > PATIENCE)
            return stim_complain(&s->base, "software waits for ever (%d)",
                                 (int)a->kind);
        ask_again(s, a);
        return NULL;
    }
    s->done++;
    s->waited = 0;
    if (a->kind == COMMAND)
        master_command(&s->host, a->command, a->data);
    for (int c = 0; c < s->queues && a->kind == MODE; c++)
        master_set(s->queue[c], s->stacks ? OFFLOAD_SET_mode : OQUEUE_SET_mode,
                   a->data);
    if (a->kind == LOADER)
        master_command(s->loader, a->command, a->data);
    if (a->kind == MAP)
        set_map(s, a->data);
    if (a->kind == TAKE)
        master_set(&s->relay[a->command], RELAY_SET_takes, a->data);
    if (a->kind == WAIT_END)
        return check_end(s);
    return a->kind == EXPECT_RESULT ? compute(s) : NULL;
}

/* --- the edge ------------------------------------------------------------- */

static void take_sizes(struct machine *s, const struct config *c) {
    s->bare = strncmp(s->base.design->iface->name, "mpu_", 4) == 0;
    const struct vault_local banks = vault_local(c);
    s->words = (uint32_t)(banks.UNITS * banks.SECTORS * banks.WORDS);
    s->sector = (uint32_t)banks.WORDS;
    if (!s->bare) {
        s->core_size = simt_local(c);
        if (strcmp(s->base.design->iface->name, "banked") == 0)
            return;
        s->words = (uint32_t)c->memory_words;
        s->sector = (uint32_t)c->memory_sector / 4;
        return;
    }
    const struct frontend_local front = frontend_local(c);
    s->core_size = (struct simt_local){
        .WARPS = front.WARPS,
        .LANES = front.LANES,
        .ALUS = front.ALUS,
        .REGS = front.REGS - PREDICATES,
        .STACK = front.STACK,
        .CODE = front.CODE,
        .PARAMS = front.PARAMS,
        .SHARED = front.SHARED,
        .CTAS = front.CTAS,
    };
    s->again = c->nbu_policy == NDP_POLICY_NEAR;
    zeroes_open(&s->zeroes, &s->core_size);
}

void machine_open(struct stim *base, const struct config *c) {
    struct machine *s = (struct machine *)base;
    s->host_size = host_local(c);
    take_sizes(s, c);
    for (int i = 0; i < system_n(base->design); i++) {
        const struct system_part *at = system_instance(base->design, i);
        uint32_t region = (uint32_t)at->region
                          << system_offset_bits(base->design);
        if (strcmp(at->group, "host") == 0) {
            s->host_in = at->in_offset;
            s->host_out = at->out_offset;
            master_add(&base->master, &s->host, at->design, region);
        } else if (strcmp(at->group, "relay") == 0 && s->cores < MOST_CORES) {
            s->relay_in[s->cores] = at->in_offset;
            master_add(&base->master, &s->relay[s->cores++], at->design,
                       region);
        } else if (at->region && s->others < MOST_OTHERS) {
            struct master *m = &s->other[s->others++];
            master_add(&base->master, m, at->design, region);
            m->passes_over = true;
            bool decides = strcmp(at->group, "offload") == 0 ||
                           strcmp(at->group, "controller") == 0;
            if (decides && s->queues < MOST_CORES)
                s->queue[s->queues++] = m;
            if (strcmp(at->group, "loader") == 0)
                s->loader = m;
        }
    }
    if (s->loader)
        s->stacks = s->cores - s->queues;
    if (s->cores)
        s->words *= (uint32_t)c->share_nodes;
    s->memory = xcalloc((size_t)s->words, sizeof *s->memory);
    s->next_in = xcalloc(base->design->in_size, 1);
    base->reset_every = s->cores || s->again ? CLUSTER_RESET : RUN_RESET;
}

void machine_close(struct stim *base) {
    struct machine *s = (struct machine *)base;
    free(s->memory);
    free(s->next_in);
    array_free(&s->actions);
    array_free(&s->launch.code);
    zeroes_close(&s->zeroes);
}

static bool is_replay(const struct stim *base) {
    return base->mode->is_master;
}

void machine_reset(struct stim *base) {
    struct machine *s = (struct machine *)base;
    if (is_replay(base))
        return;
    s->seen = s->answered = s->asks = s->writes = s->waits = false;
    s->word = s->next_word = s->at = s->data = 0;
    s->core = (struct host_in){.core_quiet = 1};
    s->zeroed = s->zeroed && !s->again;
    next_launch(s);
}

/* Of each core behind a relay, whether it takes part or not. */
static void set_relay_statuses(struct machine *s) {
    for (int c = 0; c < s->cores; c++) {
        const struct relay_in *in = part(s->next_in, s->relay_in[c]);
        uint32_t *status = s->relay[c].status;
        status[RELAY_STA_core] =
            (uint32_t)(in->core_state | in->core_halted << 2 |
                       in->core_quiet << 3);
        status[RELAY_STA_fault] =
            (uint32_t)(in->core_fault_cause | in->core_fault_warp << 4);
        status[RELAY_STA_fault_pc] = (uint32_t)in->core_fault_pc;
        status[RELAY_STA_fault_address] = (uint32_t)in->core_fault_address;
    }
}

static void set_statuses(struct machine *s) {
    uint32_t *status = s->host.status;
    const struct host_in *c = &s->core;
    status[HOST_STA_core] =
        (uint32_t)(c->core_state | c->core_halted << 2 | c->core_quiet << 3 |
                   (uint64_t)s->answered << 4);
    status[HOST_STA_fault] =
        (uint32_t)(c->core_fault_cause | c->core_fault_warp << 4);
    status[HOST_STA_fault_pc] = (uint32_t)c->core_fault_pc;
    status[HOST_STA_fault_address] = (uint32_t)c->core_fault_address;
    status[HOST_STA_value] = (uint32_t)c->debug_value;
    status[HOST_STA_window] = s->asks || s->waits;
    status[HOST_STA_word] = s->word;
    status[HOST_STA_warps] = (uint32_t)s->core_size.WARPS;
    status[HOST_STA_lanes] = (uint32_t)s->core_size.LANES;
    status[HOST_STA_alus] = (uint32_t)s->core_size.ALUS;
    status[HOST_STA_registers] = (uint32_t)s->core_size.REGS;
    status[HOST_STA_stack] = (uint32_t)s->core_size.STACK;
    status[HOST_STA_code_words] = (uint32_t)s->core_size.CODE;
    status[HOST_STA_param_words] = (uint32_t)s->core_size.PARAMS;
    status[HOST_STA_shared_words] = (uint32_t)s->core_size.SHARED;
    status[HOST_STA_ctas] = (uint32_t)s->core_size.CTAS;
    status[HOST_STA_memory_words] = s->words;
}

/* On the first edge after a reset nobody knows what statuses show. */
void machine_drive(struct stim *base, void *in) {
    struct machine *s = (struct machine *)base;
    if (is_replay(base)) {
        replay_drive(base->script, in);
        return;
    }
    base->wishbone = s->seen ? 50 : 0;
    set_statuses(s);
    set_relay_statuses(s);
}

static void count(struct machine *s, const struct host_in *c) {
    uint64_t *n = s->host.count;
    n[HOST_CNT_cycles] += c->core_state == RUNNING;
    n[HOST_CNT_issued] += c->count_issued;
    n[HOST_CNT_idle] += c->count_idle;
    n[HOST_CNT_blocked] += c->count_blocked;
    n[HOST_CNT_diverged] += c->count_diverged;
    n[HOST_CNT_request] += c->count_request;
    n[HOST_CNT_conflict] += c->count_conflict;
    n[HOST_CNT_returned] += c->count_returned;
    n[HOST_CNT_cta] += c->count_cta;
    n[HOST_CNT_barrier] += c->count_barrier;
}

static void count_relay(struct machine *s, int core, const struct relay_in *c) {
    uint64_t *n = s->relay[core].count;
    n[RELAY_CNT_cycles] += c->core_state == RUNNING;
    n[RELAY_CNT_issued] += c->count_issued;
    n[RELAY_CNT_idle] += c->count_idle;
    n[RELAY_CNT_blocked] += c->count_blocked;
    n[RELAY_CNT_diverged] += c->count_diverged;
    n[RELAY_CNT_request] += c->count_request;
    n[RELAY_CNT_conflict] += c->count_conflict;
    n[RELAY_CNT_returned] += c->count_returned;
    n[RELAY_CNT_cta] += c->count_cta;
    n[RELAY_CNT_barrier] += c->count_barrier;
}

/* Memory takes what software asked for last, and gives what it must hold. */
static const char *watch_window(struct machine *s, const struct host_in *in,
                                const struct host_out *before) {
    if (in->read_valid) {
        s->waits = false;
        s->fetched++;
        s->word = (uint32_t)in->read_data;
        if (s->word != s->memory[s->at])
            return stim_complain(
                &s->base, "memory holds %x at word %x, expected %x",
                (unsigned)s->word, (unsigned)s->at, (unsigned)s->memory[s->at]);
    }
    if (!before->win_valid || !in->win_ready)
        return NULL;
    bool right = s->asks && before->win_write == s->writes &&
                 before->win_address == s->at && before->win_data == s->data;
    s->asks = false;
    if (!right)
        return stim_complain(&s->base, "word %x comes to memory unasked",
                             (unsigned)before->win_address);
    if (s->writes)
        s->memory[s->at] = s->data;
    s->written += s->writes;
    return NULL;
}

static void note_command(struct machine *s) {
    const struct master *m = &s->host;
    switch (m->commanded) {
    case HOST_COM_read:
        s->answered = false;
        break;
    case HOST_COM_address:
        s->next_word = m->value / 4;
        break;
    case HOST_COM_write:
    case HOST_COM_fetch:
        s->asks = true;
        s->writes = m->commanded == HOST_COM_write;
        s->waits = !s->writes;
        s->at = s->next_word++;
        s->data = s->writes ? m->value : 0;
        break;
    }
}

/* To the end once, or again and again. */
static const char *watch_replay(struct stim *base, const void *after) {
    const char *wrong = replay_watch(base->script, base, after);
    if (replay_is_over(base->script) && !base->options->whole)
        stim_reset(base, 2);
    return wrong;
}

const char *machine_watch(struct stim *base, const void *in, const void *before,
                          const void *after) {
    struct machine *s = (struct machine *)base;
    if (is_replay(base))
        return watch_replay(base, after);
    const struct host_in *host = part(in, s->host_in);
    count(s, host);
    for (int c = 0; c < s->cores; c++)
        count_relay(s, c, part(in, s->relay_in[c]));
    if (host->debug_valid)
        s->answered = true;
    const char *wrong = watch_window(s, host, part(before, s->host_out));
    note_command(s);
    system_inputs(base->design, s->next_in, after);
    s->core = *(const struct host_in *)part(s->next_in, s->host_in);
    s->seen = true;
    if (s->cores) /* which load for long and run for a short while */
        base->reset_every =
            s->core.core_state == RUNNING ? CLUSTER_RESET / 10 : CLUSTER_RESET;
    else if (s->bare && !s->again) /* which runs for long */
        base->reset_every =
            s->core.core_state == RUNNING ? RUN_RESET : LOAD_RESET;
    const char *stuck = go_on(s);
    return wrong ? wrong : stuck;
}

void machine_report(struct stim *base, struct text *t) {
    const struct machine *s = (const struct machine *)base;
    if (is_replay(base)) {
        replay_report(base->script, t);
        return;
    }
    text_printf(t, "launches\t%" PRIu64 "\n", s->launches);
    text_printf(t, "faults\t%" PRIu64 "\n", s->faults);
    text_printf(t, "halts\t%" PRIu64 "\n", s->halts);
    text_printf(t, "written\t%" PRIu64 "\n", s->written);
    text_printf(t, "fetched\t%" PRIu64 "\n", s->fetched);
}

static const struct stim_mode random_mode = {.name = "random", .resets = true};
static const struct stim_mode directed_mode = {.name = "directed"};

static bool open_replay(struct stim *base) {
    if (!base->options->run) {
        diag_error(
            base->diag, (struct place){0},
            "a machine replays a run description, expected RUN=FILE.yml");
        return false;
    }
    base->script = replay_open(base);
    return base->script != NULL;
}

static void close_replay(struct stim *base) {
    replay_close(base->script);
}

static void reset_replay(struct stim *base) {
    replay_reset(base->script);
}

static enum stim_state replay_state(const struct stim *base) {
    return base->options->whole && replay_is_over(base->script) ? STIM_OVER
                                                                : STIM_GOING;
}

static const struct stim_mode replay_mode = {
    .name = "replay",
    .measures = true,
    .is_master = true,
    .open = open_replay,
    .close = close_replay,
    .reset = reset_replay,
    .state = replay_state,
};
const struct stim_mode *const machine_modes[] = {&random_mode, &directed_mode,
                                                 &replay_mode, NULL};
