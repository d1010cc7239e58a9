/* bench_core.c - what the parts of MPU's core do while it runs a kernel.
 *
 * A run description on the golden machine `mpu_core`, whose outputs are looked
 * at after each edge: commands of the banks, rows of the register files and the
 * collectors, accesses, beats between the dies.  Who makes energy, misses and
 * shares of it is docs/pages/mpu_core.
 *
 *     bench_core DESCRIPTION [--policy P] [--align BYTES] [--config FILE]
 *         [--set KEY=VALUE]... [--json]
 *
 * A kernel that ends with a fault is reported as stopped, and the exit status
 * is 0.
 */
#include "base/bits.h"
#include "base/options.h"
#include "blocks/far_pipe.h"
#include "blocks/frontend.h"
#include "blocks/lsu_ext.h"
#include "blocks/lsu_hybrid.h"
#include "blocks/lsu_link.h"
#include "blocks/lsu_rmw.h"
#include "blocks/mpu_core.h"
#include "blocks/near_pipe.h"
#include "blocks/vault.h"
#include "config/choice.h"
#include "iface/system.h"
#include "isa/isa.h"
#include "ref.h"
#include "runtime/golden_port.h"
#include "runtime/runtime.h"
#include "sim/run/machine.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "moves.h"

enum { RUNNING = 1, MOST_BANKS = 128, MOST_BUFFERS = 64 };
enum { MOST_WORDS = 65536 };
enum { LANES = 32, ALIGN = 2048 /* libndp's own, of these */ };

/* Events on edges on which the core runs, or has something under way. */
#define EVENTS                                                                 \
    EVENT(edges)                                                               \
    EVENT(act)  /* rows opened */                                              \
    EVENT(pre)  /* rows closed for another one */                              \
    EVENT(prea) /* rows closed for a refresh */                                \
    EVENT(rd)                                                                  \
    EVENT(wr)                                                                  \
    EVENT(ref)                                                                 \
    EVENT(rows_read)    /* of a register file: operands, moves, stores */      \
    EVENT(rows_written) /* results, moves, loads, threads of a new warp */     \
    EVENT(collected)    /* operands */                                         \
    EVENT(shared)       /* accesses of a warp to shared memory */              \
    EVENT(extension)    /* messages and sectors there */                       \
    EVENT(beats)        /* between the dies, all together */                   \
    EVENT(far_held)     /* edges: an instruction waits for the pipeline */     \
    EVENT(near_held)                                                           \
    EVENT(access_held) /* edges: an access waits for the unit */               \
    EVENT(under_way)   /* edges, times accesses that it has */                 \
    EVENT(loads)       /* accesses of a warp to global memory */               \
    EVENT(stores)                                                              \
    EVENT(parts)    /* ... of bytes, half words, or atomics */                 \
    EVENT(messages) /* of these; the others are strided ones, transactions */  \
    EVENT(strided)                                                             \
    EVENT(transactions)                                                        \
    EVENT(lack_mask) /* kept from being messages: what they lack first */      \
    EVENT(lack_row)                                                            \
    EVENT(lack_unit)

struct events {
#define EVENT(name) uint64_t name;
    EVENTS
#undef EVENT
};

struct core {
    struct config config;
    struct nbu_local l;
    struct lsu_hybrid_local lsu;
    struct vault_local banks;
    size_t at[MPU_CORE_N_INSTANCES];
    const char *outputs;
    int open[MOST_BANKS]; /* rows of each bank */
    struct events n;
    int accesses; /* that hybrid has */
    /* By a word's place: it accesses shared memory.  Its class tells that alone
     * where that is on the DRAM die. */
    bool to_shared[MOST_WORDS];
    /* By where shared memory is, and policy. */
    struct world world[SIDES][POLICIES];
    struct golden_port_looker looker;
};

static const void *part(const struct core *c, enum mpu_core_instance i) {
    return c->outputs + c->at[i];
}

/* --- banks ---------------------------------------------------------------- */

static void look_at_command(struct core *c, int bank, uint64_t kind) {
    switch (kind) {
    case VAULT_ACT:
        c->n.act++;
        c->open[bank]++;
        break;
    case VAULT_PRE:
        c->n.pre++;
        c->open[bank]--;
        break;
    case VAULT_PREA:
        c->n.prea += (uint64_t)c->open[bank];
        c->open[bank] = 0;
        break;
    case VAULT_RD:
        c->n.rd++;
        break;
    case VAULT_WR:
        c->n.wr++;
        break;
    case VAULT_REF:
        c->n.ref++;
        break;
    }
}

static void look_at_banks(struct core *c) {
    const struct vault_out *o = part(c, MPU_CORE_banks);
    for (int i = 0; i < c->banks.ALL; i++)
        if (bits_get(o->cmd_valid, i, 1))
            look_at_command(c, i, bits_get(o->cmd_kind, 3 * i, 3));
    c->n.extension += (uint64_t)__builtin_popcountll(o->rsp_valid);
}

/* --- accesses to global memory -------------------------------------------- */

/* Which condition the unit misses first (docs/blocks/lsu_hybrid.md). */
static void judge(struct core *c, const struct far_pipe_out *f) {
    uint64_t first = bits_get(f->access_address, 0, 30);
    bool row = true, unit = true;
    for (int i = 0; i < LANES; i++) {
        uint64_t word = bits_get(f->access_address, 30 * i, 30);
        row &= word == ((first + (uint64_t)i) & ones(30));
        unit &= (word >> c->lsu.UNIT_AT & ones(c->lsu.UNIT_W)) ==
                f->access_warp % bit(c->lsu.UNIT_W);
    }
    if (f->access_mask != ones(LANES))
        c->n.lack_mask++;
    else if (!row)
        c->n.lack_row++;
    else if (!unit)
        c->n.lack_unit++;
}

static void look_at_accesses(struct core *c) {
    const struct far_pipe_out *f = part(c, MPU_CORE_far);
    const struct lsu_hybrid_out *h = part(c, MPU_CORE_hybrid);
    const struct lsu_rmw_out *rmw = part(c, MPU_CORE_rmw);
    const struct lsu_link_out *link = part(c, MPU_CORE_link);
    c->n.access_held += f->access_valid && !rmw->access_ready;
    c->n.under_way += (uint64_t)c->accesses;
    c->accesses += rmw->hybrid_valid && h->access_ready;
    c->accesses -= h->done_valid != 0;
    c->n.parts += f->ask_valid && rmw->ask_ready;
    if (f->access_valid && rmw->access_ready) {
        *(f->access_store ? &c->n.stores : &c->n.loads) += 1;
        judge(c, f);
    }
    c->n.strided += h->strided_valid && link->strided_ready;
    if (rmw->down_valid && link->down_ready)
        *(rmw->down_near ? &c->n.messages : &c->n.transactions) += 1;
}

/* --- registers ------------------------------------------------------------ */

static bool is_row(const struct core *c, uint64_t operand) {
    struct operand o = operand_of(&c->l, operand);
    return o.valid && o.kind == ROW;
}

/* Of an access to global memory the address alone is collected: its data are
 * fetched and loaded near. */
static void executes(struct core *c, uint64_t op, uint64_t tag,
                     const uint64_t *sources, uint64_t dst) {
    bool global = is_global((int)op), shared = c->to_shared[tag];
    for (int k = 0; k < (global ? 1 : 3); k++) {
        c->n.rows_read += is_row(c, sources[k]);
        c->n.collected += is_row(c, sources[k]);
    }
    c->n.rows_written += !global && (op != OPC_atomic || shared) &&
                         is_row(c, dst); /* rmw brings its row */
    c->n.shared += shared;
}

static void look_at_pipelines(struct core *c) {
    const struct nbu_out *u = part(c, MPU_CORE_unit);
    const struct far_pipe_out *f = part(c, MPU_CORE_far);
    const struct near_pipe_out *n = part(c, MPU_CORE_pipes);
    uint64_t far[] = {u->far_exec_src0, u->far_exec_src1, u->far_exec_src2};
    uint64_t near[] = {u->near_exec_src0, u->near_exec_src1, u->near_exec_src2};
    if (u->far_exec_valid && f->exec_ready)
        executes(c, u->far_exec_op, u->far_exec_tag, far, u->far_exec_dst);
    if (u->near_exec_valid && n->exec_ready)
        executes(c, u->near_exec_op, u->near_exec_tag, near, u->near_exec_dst);
    c->n.far_held += u->far_exec_valid && !f->exec_ready;
    c->n.near_held += u->near_exec_valid && !n->exec_ready;
    c->n.beats += u->tsv_valid;
}

/* Rows that come and go without an instruction's collector. */
static void look_at_rows(struct core *c) {
    const struct nbu_out *u = part(c, MPU_CORE_unit);
    const struct lsu_rmw_out *rmw = part(c, MPU_CORE_rmw);
    const struct far_pipe_out *f = part(c, MPU_CORE_far);
    const struct near_pipe_out *n = part(c, MPU_CORE_pipes);
    const struct lsu_link_out *link = part(c, MPU_CORE_link);
    const struct lsu_ext_out *ext = part(c, MPU_CORE_ext);
    uint64_t moved =
        (u->far_write_valid && f->write_ready && !u->far_write_pred) +
        (u->near_write_valid && n->write_ready && !u->near_write_pred);
    c->n.rows_read += moved + n->fetched_valid;
    c->n.rows_written += moved + (link->pipe_load_valid && n->load_ready) +
                         (rmw->row_valid && f->init_ready);
    c->n.extension +=
        link->ext_down_valid && link->ext_down_near && ext->down_ready;
}

static void look_at_issue(struct core *c) {
    const struct frontend_out *o = part(c, MPU_CORE_front);
    const struct nbu_out *u = part(c, MPU_CORE_unit);
    if (!o->issue_valid || !(u->issue_ready >> o->issue_warp & 1))
        return;
    struct sent s = {.warp = (int)o->issue_warp,
                     .op = (int)o->issue_op,
                     .hint = (int)o->issue_hint,
                     .whole = o->issue_mask == ones(LANES),
                     .o = {operand_of(&c->l, o->issue_src0),
                           operand_of(&c->l, o->issue_src1),
                           operand_of(&c->l, o->issue_src2),
                           operand_of(&c->l, o->issue_guard),
                           operand_of(&c->l, o->issue_dst)}};
    for (int side = 0; side < SIDES; side++)
        for (int p = 0; p < POLICIES; p++)
            world_sent(&c->world[side][p], &s, &c->l);
}

static void look_at_code(struct core *c, const struct frontend_out *o) {
    struct isa_word w;
    if (o->far_code_valid)
        c->to_shared[o->far_code_tag] =
            isa_decode(o->far_code_word, ISA_REGISTERS, &w) == ISA_LEGAL &&
            isa_info(w.op)->timing == ISA_TIMING_shared;
}

/* The host's pauses last as long as for ndprun: so refreshes come when they do
 * there, and the cycles are the same. */
static bool look(void *ctx, const void *inputs, const void *outputs) {
    (void)inputs;
    struct core *c = ctx;
    c->outputs = outputs;
    const struct frontend_out *front = part(c, MPU_CORE_front);
    look_at_code(c, front);
    if (front->state == RUNNING || !front->quiet) {
        c->n.edges++;
        look_at_banks(c);
        look_at_accesses(c);
        look_at_pipelines(c);
        look_at_rows(c);
        look_at_issue(c);
    }
    return true;
}

/* --- a run ---------------------------------------------------------------- */

struct settings {
    const char *path, *size;
    struct config_choice choice;
    int policy;
    uint64_t align;
    bool json;
    struct diag *diag;
};

static const char policy_names[] = "annotated|default|near|far";
static const char *const policies[] = {"annotated", "default", "near", "far"};

static const struct option_spec specs[] = {
    {"size", 's', "NAME", "Which of the description's sizes. Default: small."},
    {"policy", 0, policy_names, "Where instructions run. Default: annotated."},
    {"align", 0, "BYTES",
     "Where buffers begin: at multiples of this. Default: as libndp has it, "
     "2048."},
    {"config", 0, "FILE", "A configuration, over preset 'mpu_core'."},
    {"set", 0, "KEY=VALUE", "Change a parameter."},
    {"json", 0, NULL, "Print JSON."},
    {NULL, 0, NULL, NULL}};

static const struct options options = {
    .program = "bench_core",
    .usage = "DESCRIPTION [options]",
    .summary = "Run a kernel on the golden core of MPU, and count what its "
               "parts do.",
    .specs = specs,
    .positional = "run description (.yml)",
    .max_positional = 1,
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        s->path = value;
    else if (strcmp(name, "size") == 0)
        s->size = value;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "policy") == 0)
        return (s->policy =
                    options_choice(name, value, policy_names, s->diag)) >= 0;
    else if (strcmp(name, "align") == 0)
        return options_number(name, value, ALIGN, 65536, &s->align, s->diag);
    else
        return choice_take(&s->choice, name, value, s->diag);
    return true;
}

static struct ndp_port *build(struct core *c, const struct settings *s) {
    choice_resolve(&s->choice, &c->config, s->diag);
    if (s->diag->errors || !iface_check(&mpu_core_iface, &c->config, s->diag))
        return NULL;
    c->l = nbu_local(&c->config);
    c->lsu = lsu_hybrid_local(&c->config);
    c->banks = vault_local(&c->config);
    for (int side = 0; side < SIDES; side++)
        for (int p = 0; p < POLICIES; p++)
            world_open(&c->world[side][p], p, side == FAR, &c->config);
    struct ndp_port *port = golden_port_make(&c->config);
    const struct design *d = golden_port_design(port);
    for (int i = 0; i < MPU_CORE_N_INSTANCES; i++)
        c->at[i] = system_instance(d, i)->out_offset;
    c->looker = (struct golden_port_looker){look, c};
    golden_port_look(port, &c->looker);
    return port;
}

/* Buffers of the run will begin at multiples of s->align.  The device gives
 * what fits first, so fillers are taken that leave each buffer's place free,
 * and nothing before it. */
static bool make_room(const struct run *r, const struct settings *s,
                      ndpDevice device) {
    uint32_t places[MOST_BUFFERS];
    struct run_place b;
    bool ok = true;
    int n = 0;
    for (; ok && n < MOST_BUFFERS && run_buffer_at(r, n, &b); n++) {
        ndpDevicePtr at;
        size_t bytes = b.bytes ? b.bytes : 1;
        ok = ndpMemAlloc(&at, device, bytes) == NDP_SUCCESS;
        while (ok && at % s->align != 0) {
            ndpDevicePtr filler;
            ok = ndpMemFree(device, at) == NDP_SUCCESS &&
                 ndpMemAlloc(&filler, device, 1) == NDP_SUCCESS &&
                 ndpMemAlloc(&at, device, bytes) == NDP_SUCCESS;
        }
        places[n] = at;
    }
    while (ok && n-- > 0)
        ok = ndpMemFree(device, places[n]) == NDP_SUCCESS;
    return ok;
}

/* What was counted, from here on; where registers stand is as it is. */
static void clear(struct core *c) {
    c->n = (struct events){0};
    for (int side = 0; side < SIDES; side++)
        for (int p = 0; p < POLICIES; p++)
            c->world[side][p].moved = (struct moves){0};
}

/* --- report --------------------------------------------------------------- */

static json_t *number(uint64_t v) {
    return json_integer((json_int_t)v);
}

static json_t *events_json(const struct events *n) {
    json_t *j = json_object();
#define EVENT(name) json_object_set_new(j, #name, number(n->name));
    EVENTS
#undef EVENT
    return j;
}

static json_t *moves_json(const struct moves *m) {
    json_t *j = json_object();
    json_object_set_new(j, "went_near", number(m->went[NEAR]));
    json_object_set_new(j, "went_far", number(m->went[FAR]));
    json_object_set_new(j, "beats_instr", number(m->instr));
    json_object_set_new(j, "beats_down", number(m->down));
    json_object_set_new(j, "beats_request", number(m->request));
    json_object_set_new(j, "beats_up", number(m->up));
    json_object_set_new(j, "beats_done", number(m->done));
    return j;
}

static json_t *worlds_json(const struct core *c, enum side side) {
    json_t *j = json_object();
    for (int p = 0; p < POLICIES; p++)
        json_object_set_new(j, policies[p],
                            moves_json(&c->world[side][p].moved));
    return j;
}

/* All counters that a function of libndp names. */
static json_t *counters_json(ndpDevice device, const char *(*name)(int),
                             ndpResult (*get)(uint64_t *, ndpDevice,
                                              const char *)) {
    json_t *j = json_object();
    uint64_t v;
    for (int n = 0; name(n); n++)
        if (get(&v, device, name(n)) == NDP_SUCCESS)
            json_object_set_new(j, name(n), number(v));
    return j;
}

static json_t *buffers_json(const struct run_verdict *v) {
    json_t *list = json_array();
    for (int i = 0; i < v->n_buffers; i++) {
        char checksum[32];
        snprintf(checksum, sizeof checksum, "%016" PRIx64,
                 v->buffers[i].checksum);
        json_array_append_new(list, json_pack("{s:s, s:s}", "name",
                                              v->buffers[i].name, "checksum",
                                              checksum));
    }
    return list;
}

static json_t *report(const struct core *c, const struct settings *s,
                      ndpDevice device, const struct run_verdict *v) {
    bool stopped = v->result == RUN_STOPPED;
    json_t *j = json_object();
    json_object_set_new(j, "file", json_string(s->path));
    json_object_set_new(j, "policy", json_string(policies[s->policy]));
    json_object_set_new(j, "align", number(s->align));
    json_object_set_new(j, "open_rows", json_integer(c->config.bank_open_rows));
    json_object_set_new(j, "subcores",
                        json_integer(c->config.far_pipe_subcores));
    json_object_set_new(j, "tsv_width", json_integer(c->config.nbu_tsv_width));
    json_object_set_new(j, "verdict",
                        json_string(stopped                  ? "stopped"
                                    : v->result == RUN_RIGHT ? "right"
                                                             : "wrong"));
    json_object_set_new(j, "why",
                        json_string(stopped ? ndpGetErrorString(device) : ""));
    json_object_set_new(j, "buffers", buffers_json(v));
    json_object_set_new(
        j, "counters",
        counters_json(device, ndpDeviceCounterName, ndpDeviceGetCounter));
    json_object_set_new(j, "unit",
                        counters_json(device, ndpDeviceUnitCounterName,
                                      ndpDeviceGetUnitCounter));
    json_object_set_new(j, "events", events_json(&c->n));
    json_object_set_new(j, "shared_near", worlds_json(c, NEAR));
    json_object_set_new(j, "shared_far", worlds_json(c, FAR));
    return j;
}

static void print(json_t *all) {
    const char *key;
    json_t *v;
    json_object_foreach(json_object_get(all, "events"), key, v) printf(
        "%-14s %10" JSON_INTEGER_FORMAT "\n", key, json_integer_value(v));
    printf("%s%s%s\n", json_string_value(json_object_get(all, "verdict")),
           *json_string_value(json_object_get(all, "why")) ? ": " : "",
           json_string_value(json_object_get(all, "why")));
}

/* Exit status. */
static int run(struct core *c, const struct settings *s) {
    struct run_options o = {.size = s->size, .reference = ref_find};
    struct run *r = run_open(s->path, &o, s->diag);
    struct ndp_port *port = r ? build(c, s) : NULL;
    ndpDevice device = xcalloc(1, sizeof *device);
    struct run_machine m = {.device = device, .timeout = 600000};
    bool ok = port && ndp_attach(device, port) == NDP_SUCCESS &&
              ndpDeviceSetPolicy(device, (ndpPolicy)s->policy) == NDP_SUCCESS &&
              run_load(r, &m) && make_room(r, s, device) &&
              ndpDeviceClearCounters(device) == NDP_SUCCESS;
    if (ok) {
        struct run_verdict v = {0};
        clear(c);
        bool done = run_on_machine(r, &m);
        ok = done || m.result == NDP_ERROR_LAUNCH_FAILED;
        run_verdict(r, &v);
        json_t *all = report(c, s, device, &v);
        if (s->json)
            json_dumpf(all, stdout, JSON_INDENT(2));
        else
            print(all);
        json_decref(all);
    }
    if (!ok)
        diag_flush(s->diag, stderr);
    ndpDeviceClose(device);
    if (r)
        run_close(r);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    static struct core c;
    struct diag d = {0};
    struct settings s = {.align = ALIGN, .choice.base = "mpu_core", .diag = &d};
    int status = options_parse(&options, argc, argv, take, &s, &d);
    if (status == OPTIONS_RUN && !s.path)
        status = options_parse(&options, 2, (char *[]){argv[0], "--help"}, take,
                               &s, &d);
    else if (status == OPTIONS_RUN)
        status = run(&c, &s);
    else
        diag_flush(&d, stderr);
    diag_free(&d);
    return status;
}
