/* untimed_port.c - see untimed_port.h.
 *
 * Behind the register port of a machine (docs/blocks/host.md) stand memory,
 * code and parameters, and start carries the launch out on the spot, a CTA
 * after another, CTA n on slot n modulo those that may be resident.  A kernel
 * that comes to no end is stopped after so many instructions for each edge that
 * the watchdog would wait.  It retires a pass an edge, as the core does but for
 * the order of warps.
 */
#include "untimed_port.h"

#include "blocks/dies.h"
#include "blocks/host.h"
#include "blocks/simt.h"
#include "blocks/system.h"
#include "blocks/vault.h"
#include "golden_port.h"
#include "isa/run.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Of simt: commands, states, causes of faults. */
enum { OP_START = 3, OP_CLEAR = 8 };
enum { IDLE, DONE = 2, FAULTED, QUIET = 8 };
enum {
    ILLEGAL = 1,
    MISALIGNED,
    UNMAPPED,
    NO_JOIN = 5,
    BARRIER,
    TRAP,
    WATCHDOG = 9
};

enum {
    BASE = 256,    /* of the host port's registers, at which libndp looks */
    FIRST = 256,   /* byte that is mapped */
    PATIENCE = 128 /* warp instructions of a launch, by edges of the watchdog */
};

struct untimed {
    struct ndp_port base;
    struct config config;
    uint64_t hash;
    uint8_t *memory;
    uint64_t *code;
    uint32_t *params;
    bool banked; /* its memory is that of the banks */
    uint32_t launch[13];
    uint32_t index, high, address, word;
    uint32_t state, cause, fault_warp, fault_pc, fault_address;
    uint32_t issued, ctas;
    const struct ndp_watcher *watcher;
    uint64_t edges;
};

/* --- memory --------------------------------------------------------------- */

static uint32_t memory_bytes(const struct untimed *u) {
    if (u->banked) {
        const struct vault_local banks = vault_local(&u->config);
        return 4u * (uint32_t)(banks.UNITS * banks.SECTORS * banks.WORDS);
    }
    uint32_t parts =
        golden_port_shares(&u->config) ? (uint32_t)u->config.share_nodes : 1;
    return 4 * parts * (uint32_t)u->config.memory_words;
}

static bool is_mapped(const struct untimed *u, uint32_t at, int bytes) {
    uint32_t end = u->launch[11];
    return at >= FIRST && at < end && end - at >= (uint32_t)bytes &&
           end <= memory_bytes(u);
}

static bool load(void *ctx, uint32_t at, int bytes, uint32_t *value) {
    const struct untimed *u = ctx;
    *value = 0;
    if (!is_mapped(u, at, bytes))
        return false;
    memcpy(value, u->memory + at, (size_t)bytes);
    return true;
}

static bool store(void *ctx, uint32_t at, int bytes, uint32_t value) {
    struct untimed *u = ctx;
    if (!is_mapped(u, at, bytes))
        return false;
    memcpy(u->memory + at, &value, (size_t)bytes);
    return true;
}

/* The window; beyond memory there is nothing. */
static void write_word(struct untimed *u, uint32_t data) {
    if (u->address < memory_bytes(u))
        memcpy(u->memory + u->address, &data, 4);
    u->address += 4;
}

static void fetch_word(struct untimed *u) {
    u->word = 0;
    if (u->address < memory_bytes(u))
        memcpy(&u->word, u->memory + u->address, 4);
    u->address += 4;
}

/* --- a launch ------------------------------------------------------------- */

static void retire(struct untimed *u, const struct isa_step *s, int kind) {
    int alus = (int)u->config.simt_alus;
    int passes = (int)u->config.simt_lanes / alus;
    uint32_t all = (uint32_t)(((uint64_t)1 << alus) - 1), values[32];
    uint32_t warps = u->launch[8], slots = u->launch[9];
    for (int pass = 0; pass < passes; pass++) {
        uint32_t mask = s->mask >> pass * alus & all;
        for (int i = 0; i < alus; i++)
            values[i] = kind && mask >> i & 1 ? s->values[pass * alus + i] : 0;
        struct ndp_retired r = {.edge = ++u->edges,
                                .warp =
                                    s->cta % slots * warps + (uint32_t)s->warp,
                                .pc = (uint32_t)s->pc,
                                .pass = (uint32_t)pass,
                                .kind = kind,
                                .mask = mask,
                                .d = kind ? (uint32_t)s->d : 0,
                                .values = values};
        u->watcher->retired(u->watcher->ctx, &r);
    }
}

/* Results of memory and of other lanes retire by themselves. */
static void watch_step(void *ctx, const struct isa_step *s) {
    struct untimed *u = ctx;
    bool late = s->word && isa_is_late(s->word->op);
    if (late)
        retire(u, s, 0);
    retire(u, s, s->kind);
}

static uint32_t cause_of(enum isa_end end) {
    switch (end) {
    case ISA_END_DONE:
        return 0;
    case ISA_END_MISALIGNED:
        return MISALIGNED;
    case ISA_END_UNMAPPED:
        return UNMAPPED;
    case ISA_END_NO_JOIN:
        return NO_JOIN;
    case ISA_END_BARRIER:
        return BARRIER;
    case ISA_END_TRAP:
        return TRAP;
    case ISA_END_LIMIT:
        return WATCHDOG;
    default:
        return ILLEGAL;
    }
}

static void note_fault(struct untimed *u, const struct isa_run *r) {
    const uint32_t *grid = u->launch + 1;
    uint32_t cta = r->cta[0] + grid[0] * (r->cta[1] + grid[1] * r->cta[2]);
    u->state = FAULTED;
    u->cause = cause_of(r->end);
    if (u->cause == WATCHDOG)
        return;
    u->fault_warp = cta % u->launch[9] * u->launch[8] +
                    r->thread / (uint32_t)u->config.simt_lanes;
    u->fault_pc = (uint32_t)r->pc;
    if (u->cause == MISALIGNED || u->cause == UNMAPPED)
        u->fault_address = r->address;
}

static void start(struct untimed *u) {
    struct isa_memory memory = {load, store, u};
    struct isa_run r;
    struct isa_launch l = {.code = u->code,
                           .n_code = (int)u->config.simt_code_words,
                           .entry = (int)u->launch[0],
                           .registers = (int)u->config.simt_registers,
                           .shared = u->launch[10],
                           .params = u->params,
                           .n_params = (int)u->config.simt_param_words,
                           .lanes = (int)u->config.simt_lanes,
                           .limit = (uint64_t)PATIENCE * u->launch[12],
                           .slots = (int)u->launch[9],
                           .watch = u->watcher ? watch_step : NULL,
                           .ctx = u};
    memcpy(l.grid, u->launch + 1, sizeof l.grid);
    memcpy(l.block, u->launch + 4, sizeof l.block);
    u->state = DONE;
    u->edges++; /* the core runs one edge after it was told */
    if (!isa_execute(&l, &memory, &r))
        note_fault(u, &r);
    u->issued += (uint32_t)r.warp_instructions;
    u->ctas += l.grid[0] * l.grid[1] * l.grid[2];
}

static void obey(struct untimed *u, uint32_t op) {
    if (op == OP_CLEAR) {
        u->state = IDLE;
        u->cause = u->fault_warp = u->fault_pc = u->fault_address = 0;
    } else if (op == OP_START && u->state != FAULTED && u->launch[8] &&
               u->launch[9]) {
        start(u);
    }
}

/* --- registers ------------------------------------------------------------ */

static void command(struct untimed *u, int n, uint32_t data) {
    uint32_t at = u->index;
    u->index += n == HOST_COM_set || n == HOST_COM_code || n == HOST_COM_param;
    switch (n) {
    case HOST_COM_index:
        u->index = data & 0xffff;
        break;
    case HOST_COM_high:
        u->high = data;
        break;
    case HOST_COM_set:
        if (at < sizeof u->launch / sizeof *u->launch)
            u->launch[at] = data;
        break;
    case HOST_COM_code:
        if (at < (uint32_t)u->config.simt_code_words)
            u->code[at] = (uint64_t)u->high << 32 | data;
        break;
    case HOST_COM_param:
        if (at < (uint32_t)u->config.simt_param_words)
            u->params[at] = data;
        break;
    case HOST_COM_op:
        obey(u, data & 15);
        break;
    case HOST_COM_address:
        u->address = data & ~UINT32_C(3);
        break;
    case HOST_COM_write:
        write_word(u, data);
        break;
    case HOST_COM_fetch:
        fetch_word(u);
        break;
    default:
        break;
    }
}

static uint32_t status(const struct untimed *u, int n) {
    const struct config *c = &u->config;
    switch (n) {
    case HOST_STA_core:
        return u->state | QUIET;
    case HOST_STA_fault:
        return u->cause | u->fault_warp << 4;
    case HOST_STA_fault_pc:
        return u->fault_pc;
    case HOST_STA_fault_address:
        return u->fault_address;
    case HOST_STA_word:
        return u->word;
    case HOST_STA_warps:
        return (uint32_t)c->simt_warps;
    case HOST_STA_lanes:
        return (uint32_t)c->simt_lanes;
    case HOST_STA_alus:
        return (uint32_t)c->simt_alus;
    case HOST_STA_registers:
        return (uint32_t)c->simt_registers;
    case HOST_STA_stack:
        return (uint32_t)c->simt_stack;
    case HOST_STA_code_words:
        return (uint32_t)c->simt_code_words;
    case HOST_STA_param_words:
        return (uint32_t)c->simt_param_words;
    case HOST_STA_shared_words:
        return (uint32_t)c->simt_shared_words;
    case HOST_STA_ctas:
        return (uint32_t)c->simt_ctas;
    case HOST_STA_memory_words:
        return memory_bytes(u) / 4;
    default:
        return 0;
    }
}

static uint32_t counter(const struct untimed *u, int n) {
    return n == HOST_CNT_issued ? u->issued : n == HOST_CNT_cta ? u->ctas : 0;
}

static uint32_t read_register(const struct untimed *u, uint32_t at) {
    int n = (int)at - BASE;
    if (at == REG_HASH_LO)
        return (uint32_t)u->hash;
    if (at == REG_HASH_HI)
        return (uint32_t)(u->hash >> 32);
    if (n == 0)
        return iface_id(&host_iface);
    if (n >= iface_first_status(&host_iface))
        return status(u, n - iface_first_status(&host_iface));
    return n >= iface_first_counter(&host_iface)
               ? counter(u, n - iface_first_counter(&host_iface))
               : 0;
}

static void write_register(struct untimed *u, uint32_t at, uint32_t data) {
    int n = (int)at - BASE;
    if (n == REG_CONTROL && data & 1)
        u->issued = u->ctas = 0;
    else if (n >= iface_first_command(&host_iface))
        command(u, n - iface_first_command(&host_iface), data);
}

/* --- the port ------------------------------------------------------------- */

static bool run(struct ndp_port *port, struct ndp_access *list, int n,
                struct text *why) {
    struct untimed *u = (struct untimed *)port;
    (void)why;
    for (int i = 0; i < n; i++) {
        u->edges++;
        if (list[i].kind == NDP_WRITE)
            write_register(u, list[i].address, list[i].data);
        else if (list[i].kind == NDP_READ)
            list[i].data = read_register(u, list[i].address);
    }
    return true;
}

static bool watch(struct ndp_port *port, const struct ndp_watcher *w,
                  struct text *why) {
    struct untimed *u = (struct untimed *)port;
    (void)why;
    u->watcher = w;
    u->edges = 0;
    return true;
}

static void close(struct ndp_port *port) {
    struct untimed *u = (struct untimed *)port;
    free(u->memory);
    free(u->code);
    free(u->params);
    free(u);
}

static const struct ndp_port_class untimed_class = {run, watch, close, NULL};

struct ndp_port *untimed_port_open(const char *what, struct text *why) {
    struct config c;
    if (!golden_port_config(what, &c, why))
        return NULL;
    const struct iface *machine = golden_port_iface(&c);
    if (iface_has(machine, &dies_iface)) {
        text_printf(why,
                    "the untimed machine is one of 'simt' cores, such as "
                    "'untimed:plain'; '%s' has none",
                    what);
        return NULL;
    }
    struct untimed *u = xcalloc(1, sizeof *u);
    u->base.class = &untimed_class;
    u->config = c;
    u->banked = iface_has(machine, &vault_iface);
    u->hash = iface_hash(machine, &c);
    u->memory = xcalloc(memory_bytes(u), 1);
    u->code = xcalloc((size_t)c.simt_code_words, sizeof *u->code);
    u->params = xcalloc((size_t)c.simt_param_words, sizeof *u->params);
    return &u->base;
}
