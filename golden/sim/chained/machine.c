/* machine.c - see chained.h: nodes of golden queues on the golden mesh, cores
 * that do what a trace says, and memory nodes that have the memory.
 *
 * On each edge everybody looks at what stands on the wires before it, says what
 * stands on its own, and then nodes and mesh step.
 */
#include "state.h"

#include "base/bits.h"
#include "blocks/emn.h"
#include "blocks/gate.h"
#include "blocks/omni.h"
#include "blocks/oqueue.h"
#include "blocks/squeue.h"
#include "frame/golden.h"
#include "iface/system.h"
#include "isa/alu.h"
#include "mesh/net.h"
#include "sim/run/device.h"

#include <string.h>

enum { PATIENCE = 20000, MOST_ENTRIES = 64, MOST_WAVES = 64 };
enum { SETTLES = 8 }; /* edges that an access of a register may take */

enum wave_state { RUNS, BUILDS, WAITS, AT_BARRIER, ENDED };

struct wave {
    const struct warp_trace *trace;
    int at;   /* event */
    int here; /* events of a chain that the core does itself */
    enum wave_state state;
};

/* What comes for a chain that waits. */
struct entry {
    int wave; /* -1: none */
    uint32_t got[2][MAX_LANES];
    int beats[2];
};

struct core {
    int next_cta; /* -1: there is none */
    struct wave wave[MOST_WAVES];
    int n; /* waves that are there */
    int last;
    int builds; /* wave whose chain is given, -1 */
    int op;
    bool asked; /* it was given, and is not answered */
    struct entry entry[MOST_ENTRIES];
    int waiting;
    uint64_t due, loads; /* loads that go singly: to come, come */
};

struct beat {
    bool last;
    uint64_t data[4];
};

struct node {
    struct golden *g;
    void *in;
    const void *out;
    struct flit flit[NOC_CLASSES]; /* that is sent on this edge */
    ARRAY(struct beat) brought;
    int shown;         /* of these */
    int store_beat;    /* of a store that comes */
    struct core *core; /* NULL: a memory node */
};

struct machine {
    struct chained *c;
    const struct trace *t;
    struct bytes *memory;
    struct gate_local l;
    struct int_list memories;
    struct net *net;
    struct node *node;
    int cores, ctas;
    uint64_t random;
    uint64_t progress; /* the edge of the last */
    bool failed;
};

/* The ports of a part of a node. */
#define PART_IN(p, part, type)                                                 \
    ((struct type *)part_of((p)->in, (p)->g, OMNI_##part, true))
#define PART_OUT(p, part, type)                                                \
    ((const struct type *)part_of((p)->out, (p)->g, OMNI_##part, false))

static void *part_of(const void *ports, const struct golden *g, int part,
                     bool in) {
    const struct system_part *s = system_instance(golden_design(g), part);
    size_t at = in ? s->in_offset : s->out_offset;
    return (char *)(uintptr_t)ports + at;
}

#define FAIL(m, ...)                                                           \
    do {                                                                       \
        if (!(m)->failed)                                                      \
            text_printf(&(m)->c->why, __VA_ARGS__);                            \
        (m)->failed = true;                                                    \
    } while (0)

/* The node's edge. */
static void step(struct machine *m, int n, bool rst) {
    struct node *p = &m->node[n];
    p->out = golden_cycle(p->g, rst, p->in);
    if (m->c->watch)
        m->c->watch(m->c->ctx, n, rst, p->in, p->out);
}

static bool happens(struct machine *m, int percent) {
    m->random = m->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int)((m->random >> 33) % 100) < percent;
}

static int distance(const struct machine *m, int a, int b) {
    int w = m->l.WIDTH;
    return abs(a % w - b % w) + abs(a / w - b / w);
}

static int memory_of(const struct machine *m, uint64_t address) {
    return (int)(address / (uint64_t)m->l.LINE % (uint64_t)m->memories.n);
}

/* --- chains --------------------------------------------------------------- */

/* The address of lane 0, if all lanes stand in order in its line. */
static bool in_line(const struct machine *m, const struct event *e,
                    uint32_t *base) {
    uint32_t line = ~(uint32_t)(m->l.LINE - 1);
    int first = __builtin_ctz(e->mask);
    *base = e->address[first] - 4 * (uint32_t)first;
    if ((uint64_t)*base > ones(m->l.ADDR_W))
        return false;
    for (int i = 0; i < m->t->lanes; i++)
        if (e->mask >> i & 1 && (e->address[i] != *base + 4 * (uint32_t)i ||
                                 (e->address[i] & line) != (*base & line)))
            return false;
    return true;
}

static bool is_uniform(const struct event *e) {
    uint32_t first = e->address[__builtin_ctz(e->mask)];
    for (int i = 0; i < MAX_LANES; i++)
        if (e->mask >> i & 1 && e->address[i] != first)
            return false;
    return true;
}

static bool may_leave(const struct machine *m, const struct event *e) {
    uint32_t base;
    for (int i = 0; i < e->form->n; i++) {
        const struct form_op *o = &e->form->op[i];
        bool access = o->kind == OQUEUE_LOAD || o->kind == OQUEUE_STORE;
        if (access ? !in_line(m, e + i, &base)
                   : o->imm_register >= 0 && !is_uniform(e + i))
            return false;
    }
    return true;
}

static void give_op(struct machine *m, struct node *p, struct oqueue_in *in) {
    struct core *c = p->core;
    const struct wave *w = &c->wave[c->builds];
    const struct event *e = &w->trace->event.v[w->at];
    const struct form *f = e->form;
    const struct form_op *o = &f->op[c->op];
    uint32_t base = 0;
    in->op_valid = 1;
    in->op_tag = c->op == 0 ? 1 : c->op + 1 == f->n ? 3 : 2;
    in->op_kind = o->kind;
    in->op_wave = (uint64_t)c->builds;
    in->op_mask = e->mask;
    in->op_code = o->code;
    in->op_type = o->type;
    in->op_reversed = o->reversed;
    in->op_fused = o->fused;
    in->op_has_imm = o->has_imm;
    e += c->op;
    if (o->kind == OQUEUE_LOAD || o->kind == OQUEUE_STORE) {
        (void)in_line(m, e, &base);
        in->op_address = base;
        in->op_mem = (uint64_t)memory_of(m, base);
        in->op_hit = o->kind == OQUEUE_LOAD && happens(m, m->c->hits);
    } else if (o->has_imm) {
        in->op_imm =
            o->imm_register < 0 ? o->imm : e->address[__builtin_ctz(e->mask)];
    }
    c->asked = true;
}

/* --- what a core does itself ---------------------------------------------- */

static uint32_t widened(const struct event *e, uint32_t v) {
    return e->sign ? (uint32_t)bits_signed(v, 8 * e->bytes) : v;
}

static void do_access(struct machine *m, const struct event *e) {
    for (uint32_t rest = e->mask; rest; rest &= rest - 1) {
        int i = __builtin_ctz(rest);
        uint32_t v = 0;
        if (e->deed == DID_STORE) {
            bytes_store(m->memory, e->address[i], e->bytes, e->value[i]);
        } else if (e->deed == DID_ATOMIC) {
            (void)bytes_load(m->memory, e->address[i], 4, &v);
            v = alu_atomic(e->op, v, e->second[i], e->value[i]);
            bytes_store(m->memory, e->address[i], 4, v);
        } else if (!bytes_load(m->memory, e->address[i], e->bytes, &v) ||
                   widened(e, v) != e->value[i]) {
            FAIL(m, "a core loads %x from %x, expected %x",
                 (unsigned)widened(e, v), (unsigned)e->address[i],
                 (unsigned)e->value[i]);
        }
    }
}

static bool at_end(const struct wave *w) {
    return w->at == w->trace->event.n;
}

/* One event of the wave; false: it cannot do anything now. */
static bool run_wave(struct machine *m, struct core *c, int n) {
    struct wave *w = &c->wave[n];
    struct chained_result *r = &m->c->result;
    if (w->state != RUNS)
        return false;
    if (at_end(w)) {
        w->state = ENDED;
        return true;
    }
    const struct event *e = &w->trace->event.v[w->at];
    if (e->begins && !w->here) {
        bool leaves = e->form && may_leave(m, e);
        if (leaves && c->builds >= 0)
            return false;
        r->chains++;
        r->unfit += !leaves;
        if (leaves) {
            w->state = BUILDS;
            c->builds = n;
            c->op = 0;
            return true;
        }
        w->here = e->form ? e->form->n : 1;
    }
    w->here -= w->here > 0;
    if (e->deed == DID_BARRIER)
        w->state = AT_BARRIER;
    else if (e->deed != DID_ALU)
        do_access(m, e);
    w->at++;
    return true;
}

/* The CTAs whose waves are all at a barrier go on; those that are over make
 * room for the next one. */
static void turn_ctas(struct machine *m, struct core *c) {
    for (int at = 0; at < c->n; at += m->t->warps) {
        int waits = 0, ended = 0;
        for (int i = 0; i < m->t->warps; i++) {
            waits += c->wave[at + i].state == AT_BARRIER;
            ended += c->wave[at + i].state == ENDED;
        }
        for (int i = 0; waits + ended == m->t->warps && i < m->t->warps; i++)
            if (c->wave[at + i].state == AT_BARRIER)
                c->wave[at + i].state = RUNS;
        if (ended < m->t->warps || c->next_cta >= m->ctas)
            continue;
        for (int i = 0; i < m->t->warps; i++)
            c->wave[at + i] = (struct wave){
                .trace = &m->t->warp[c->next_cta * m->t->warps + i]};
        c->next_cta += m->cores;
        m->progress = m->c->result.edges;
    }
}

static void run_core(struct machine *m, struct core *c) {
    turn_ctas(m, c);
    for (int i = 1; i <= c->n; i++) {
        int n = (c->last + i) % c->n;
        if (!run_wave(m, c, n))
            continue;
        c->last = n;
        m->progress = m->c->result.edges;
        return;
    }
}

static bool core_rests(const struct machine *m, const struct core *c) {
    for (int i = 0; i < c->n; i++)
        if (c->wave[i].state != ENDED)
            return false;
    return c->next_cta >= m->ctas && c->due == c->loads;
}

/* --- what the queues say -------------------------------------------------- */

static void take_said(struct machine *m, struct core *c,
                      const struct oqueue_out *o) {
    struct chained_result *r = &m->c->result;
    if (!c->asked || c->builds < 0) {
        FAIL(m, "an answer to no instruction");
        return;
    }
    struct wave *w = &c->wave[c->builds];
    const struct form *f = w->trace->event.v[w->at].form;
    c->asked = false;
    if (o->said_what == OQUEUE_TAKEN) {
        c->op++;
        return;
    }
    w->state = RUNS;
    if (o->said_what == OQUEUE_WAITS) {
        struct entry *e = &c->entry[o->said_entry];
        if (e->wave >= 0)
            FAIL(m, "an entry is taken twice");
        *e = (struct entry){.wave = c->builds};
        w->state = WAITS;
        c->waiting++;
        r->packets++;
    } else {
        bool single = o->said_what == OQUEUE_SINGLE;
        r->single += single;
        r->normal += !single;
        c->due += (uint64_t)(single ? f->loads : c->op);
        w->here = f->n;
    }
    c->builds = -1;
}

/* Lanes of what came, where they were computed by the kernel as it was. */
static void expect_lanes(struct machine *m, const struct event *e,
                         const uint32_t *got, const char *what) {
    for (int i = 0; i < m->t->lanes; i++)
        if (e->mask >> i & 1 && got[i] != e->value[i])
            FAIL(m, "%s brings %x to lane %d, expected %x", what,
                 (unsigned)got[i], i, (unsigned)e->value[i]);
}

static void take_bits(const struct oqueue_out *o, uint32_t *got) {
    for (int i = 0; i < MAX_LANES; i++)
        got[i] = (uint32_t)(o->done_bits >> i & 1);
}

static void take_done(struct machine *m, struct core *c,
                      const struct oqueue_out *o) {
    struct chained_result *r = &m->c->result;
    struct entry *e = &c->entry[o->done_entry];
    if (e->wave < 0 || e->wave != (int)o->done_wave) {
        FAIL(m, "the end of no chain that waits");
        return;
    }
    struct wave *w = &c->wave[e->wave];
    const struct event *first = &w->trace->event.v[w->at];
    const struct form *f = first->form;
    bool compares = f->op[f->n - 1].kind == OQUEUE_COMPARE;
    uint64_t how = compares ? OQUEUE_BITMAP : OQUEUE_DATA;
    if (f->stores)
        how = OQUEUE_ACK;
    if (o->done_how != OQUEUE_LOADED && o->done_how != how)
        FAIL(m, "a chain ends as another kind");
    r->acks += o->done_how == OQUEUE_ACK;
    r->data += o->done_how == OQUEUE_DATA;
    r->bitmaps += o->done_how == OQUEUE_BITMAP;
    r->locals += o->done_how == OQUEUE_LOADED;
    if (o->done_how == OQUEUE_BITMAP)
        take_bits(o, e->got[0]);
    if (o->done_how == OQUEUE_LOADED) {
        for (int i = 0; i < f->loads; i++)
            expect_lanes(m, first + i, e->got[i], "a load that came back");
        w->at += f->loads;
        w->here = f->n - f->loads;
    } else {
        if (!f->stores)
            expect_lanes(m, first + f->n - 1, e->got[0], "a chain");
        w->at += f->n;
    }
    w->state = RUNS;
    e->wave = -1;
    c->waiting--;
}

static void take_result(struct machine *m, struct core *c,
                        const struct gate_out *o) {
    struct entry *e = &c->entry[o->result_entry];
    uint64_t which = o->result_loaded ? o->result_second : 0;
    if (e->wave < 0 || (e->beats[which] + 1) * m->l.ALUS > MAX_LANES) {
        FAIL(m, "data of no chain that waits");
        return;
    }
    for (int k = 0; k < m->l.ALUS; k++)
        e->got[which][m->l.ALUS * e->beats[which] + k] =
            bits_lane(o->result_data, k);
    e->beats[which]++;
}

static void hear_core(struct machine *m, struct node *p) {
    const struct oqueue_out *o = PART_OUT(p, offload, oqueue_out);
    const struct gate_out *g = PART_OUT(p, gate, gate_out);
    struct core *c = p->core;
    if (o->said_valid | o->done_valid | g->result_valid)
        m->progress = m->c->result.edges;
    if (g->result_valid)
        take_result(m, c, g);
    if (o->said_valid)
        take_said(m, c, o);
    if (o->done_valid)
        take_done(m, c, o);
    c->loads += o->load_valid;
    run_core(m, c);
}

/* --- memory --------------------------------------------------------------- */

static void bring(struct machine *m, struct node *p, const struct gate_out *o) {
    for (int at = 0; at < m->t->lanes; at += m->l.ALUS) {
        struct beat *b = array_push(&p->brought);
        memset(b, 0, sizeof *b);
        b->last = at + m->l.ALUS == m->t->lanes;
        for (int k = 0; k < m->l.ALUS; k++) {
            uint32_t v = 0;
            uint32_t address =
                (uint32_t)o->want_address + 4u * (unsigned)(at + k);
            if (o->want_mask >> (at + k) & 1 &&
                !bytes_load(m->memory, address, 4, &v))
                FAIL(m, "a queue loads from %x, which is not mapped",
                     (unsigned)address);
            bits_set_lane(b->data, k, v);
        }
    }
}

static void serve(struct machine *m, int n, const struct gate_out *o) {
    struct node *p = &m->node[n];
    if (m->memories.v[memory_of(m, o->want_address)] != n)
        FAIL(m, "node %d is asked for %x", n, (unsigned)o->want_address);
    if (!o->want_store) {
        bring(m, p, o);
        return;
    }
    for (int k = 0; k < m->l.ALUS; k++) {
        int lane = p->store_beat * m->l.ALUS + k;
        if (o->want_mask >> lane & 1)
            bytes_store(m->memory,
                        (uint32_t)o->want_address + 4u * (unsigned)lane, 4,
                        bits_lane(o->want_data, k));
    }
    p->store_beat = o->want_last ? 0 : p->store_beat + 1;
    if (o->want_last)
        *array_push(&p->brought) = (struct beat){.last = true};
}

/* --- the mesh ------------------------------------------------------------- */

static void send(struct machine *m, int n, int class, const struct flit *f) {
    struct node *p = &m->node[n];
    struct chained_result *r = &m->c->result;
    int to = f->y * m->l.WIDTH + f->x;
    p->flit[class] = *f;
    net_send(m->net, n, class, &p->flit[class]);
    r->flits++;
    r->flit_hops += (uint64_t)distance(m, n, to);
    r->hops += f->last ? (uint64_t)distance(m, n, to) : 0;
}

static void drive_net(struct machine *m, int n) {
    struct node *p = &m->node[n];
    struct gate_in *in = PART_IN(p, gate, gate_in);
    const struct gate_out *o = PART_OUT(p, gate, gate_out);
    const struct flit *f = net_taken(m->net, n, NOC_REQUEST);
    in->ask_ready = net_can_send(m->net, n, NOC_REQUEST);
    in->reply_ready = net_can_send(m->net, n, NOC_ANSWER);
    if (o->ask_valid && in->ask_ready) {
        struct flit own = {.x = (uint16_t)o->ask_x,
                           .y = (uint16_t)o->ask_y,
                           .vc = (uint8_t)o->ask_order,
                           .last = o->ask_last};
        memcpy(own.data, o->ask_data, sizeof own.data);
        send(m, n, NOC_REQUEST, &own);
    }
    if (o->reply_valid && in->reply_ready) {
        struct flit own = {.x = (uint16_t)o->reply_x,
                           .y = (uint16_t)o->reply_y,
                           .vc = (uint8_t)o->reply_order,
                           .last = o->reply_last};
        memcpy(own.data, o->reply_data, sizeof own.data);
        send(m, n, NOC_ANSWER, &own);
    }
    in->asked_valid = in->replied_valid = 0;
    if (f) {
        in->asked_valid = 1;
        in->asked_last = f->last;
        memcpy(in->asked_data, f->data, sizeof in->asked_data);
        if (o->asked_ready)
            net_take(m->net, n, NOC_REQUEST);
    }
    f = net_taken(m->net, n, NOC_ANSWER);
    if (f) {
        in->replied_valid = 1;
        in->replied_last = f->last;
        memcpy(in->replied_data, f->data, sizeof in->replied_data);
        if (o->replied_ready)
            net_take(m->net, n, NOC_ANSWER);
    }
}

static void drive_memory(struct machine *m, int n) {
    struct node *p = &m->node[n];
    struct gate_in *in = PART_IN(p, gate, gate_in);
    const struct gate_out *o = PART_OUT(p, gate, gate_out);
    in->want_ready = 1;
    in->bring_valid = p->shown < p->brought.n;
    if (in->bring_valid) {
        const struct beat *b = &p->brought.v[p->shown];
        in->bring_last = b->last;
        memcpy(in->bring_data, b->data, sizeof in->bring_data);
        p->shown += (int)(o->bring_ready & 1);
    } else {
        p->shown = p->brought.n = 0;
    }
    if (o->want_valid)
        serve(m, n, o);
}

static void drive_core(struct machine *m, struct node *p) {
    struct oqueue_in *in = PART_IN(p, offload, oqueue_in);
    const struct oqueue_out *o = PART_OUT(p, offload, oqueue_out);
    uint64_t at = in->at_core;
    memset(in, 0, sizeof *in);
    in->at_core = at;
    in->load_ready = in->done_ready = 1;
    PART_IN(p, gate, gate_in)->result_ready = 1;
    if (p->core->builds >= 0 && !p->core->asked && o->op_ready)
        give_op(m, p, in);
}

static void edge(struct machine *m) {
    uint64_t waiting = 0;
    for (int n = 0; n < m->l.NODES; n++) {
        drive_net(m, n);
        drive_memory(m, n);
        if (m->node[n].core)
            drive_core(m, &m->node[n]);
    }
    for (int n = 0; n < m->l.NODES; n++)
        step(m, n, false);
    net_edge(m->net);
    m->c->result.edges++;
    for (int n = 0; n < m->l.NODES; n++) {
        if (!m->node[n].core)
            continue;
        hear_core(m, &m->node[n]);
        waiting += (uint64_t)m->node[n].core->waiting;
    }
    if (waiting > m->c->result.most)
        m->c->result.most = waiting;
}

/* --- begin and end -------------------------------------------------------- */

static void set(struct machine *m, int n, int part, int setting,
                uint64_t value) {
    struct node *p = &m->node[n];
    struct omni_in *in = p->in;
    const struct design *d = golden_design(p->g);
    in->wb_cyc = in->wb_stb = in->wb_we = 1;
    in->wb_adr = (uint64_t)system_instance(d, part)->region
                     << system_offset_bits(d) |
                 (uint64_t)(REG_FIRST + setting);
    in->wb_sel = 15;
    in->wb_dat_w = value;
    int edges = 0;
    do
        step(m, n, false);
    while (!((const struct omni_out *)p->out)->wb_ack && ++edges < SETTLES);
    if (edges == SETTLES)
        FAIL(m, "node %d does not answer at its registers", n);
    in->wb_cyc = in->wb_stb = in->wb_we = 0;
    step(m, n, false);
}

static void open_node(struct machine *m, int n, int core) {
    struct node *p = &m->node[n];
    p->g = golden_create(golden_find("omni"), &m->c->config);
    p->in = xcalloc(1, golden_design(p->g)->in_size);
    PART_IN(p, offload, oqueue_in)->at_core = (uint64_t)n;
    PART_IN(p, gate, gate_in)->at_node = (uint64_t)n;
    step(m, n, true);
    set(m, n, OMNI_offload, OQUEUE_SET_mode, (uint64_t)m->c->mode);
    if (m->c->places >= 0)
        set(m, n, OMNI_service, SQUEUE_SET_places, (uint64_t)m->c->places);
    if (core < 0)
        return;
    p->core = xcalloc(1, sizeof *p->core);
    p->core->builds = -1;
    p->core->next_cta = core;
    for (int i = 0; i < MOST_ENTRIES; i++)
        p->core->entry[i].wave = -1;
    p->core->n = m->l.WAVES / m->t->warps * m->t->warps;
    for (int i = 0; i < p->core->n; i++)
        p->core->wave[i].state = ENDED;
}

static bool is_memory(const struct machine *m, int n) {
    for (int i = 0; i < m->memories.n; i++)
        if (m->memories.v[i] == n)
            return true;
    return false;
}

static bool all_rest(const struct machine *m) {
    for (int n = 0; n < m->l.NODES; n++)
        if (m->node[n].core && !core_rests(m, m->node[n].core))
            return false;
    return true;
}

static bool machine_run(struct chained *c, const struct trace *t,
                        struct bytes *memory) {
    struct machine m = {.c = c,
                        .t = t,
                        .memory = memory,
                        .l = gate_local(&c->config),
                        .memories = c->config.mesh_memory_nodes,
                        .net = net_create(&c->config),
                        .ctas = t->n / t->warps,
                        .progress = c->result.edges};
    int core = 0;
    if (t->warps > m.l.WAVES)
        FAIL(&m, "a CTA of %d warps, a core has %d", t->warps, m.l.WAVES);
    m.cores = m.l.NODES - m.memories.n;
    m.node = xcalloc((size_t)m.l.NODES, sizeof *m.node);
    for (int n = 0; n < m.l.NODES && !m.failed; n++)
        open_node(&m, n, is_memory(&m, n) ? -1 : core++);
    while (!m.failed && !all_rest(&m)) {
        edge(&m);
        if (c->result.edges - m.progress > PATIENCE)
            FAIL(&m, "nothing has happened for %d edges", PATIENCE);
    }
    for (int n = 0; n < m.l.NODES; n++) {
        golden_free(m.node[n].g);
        array_free(&m.node[n].brought);
        free(m.node[n].core);
        free(m.node[n].in);
    }
    free(m.node);
    net_free(m.net);
    return !m.failed;
}

/* In place of isa_execute. */
static bool execute(void *ctx, const struct isa_launch *l,
                    const struct isa_memory *m, struct isa_run *r) {
    struct chained *c = ctx;
    struct bytes memory;
    struct trace t;
    uint32_t at = 0;
    bytes_open(&memory, m);
    bool ok = trace_run(&t, l, c->config.omni_lanes, m, &memory, r);
    ok = ok && machine_run(c, &t, &memory);
    if (ok && !bytes_settle(&memory, &at)) {
        text_printf(&c->why, "the byte at %x is other than without chains",
                    (unsigned)at);
        ok = false;
    }
    trace_close(&t);
    bytes_close(&memory);
    return ok;
}

bool chained_run(struct chained *c, struct run *r,
                 const struct isa_image *code) {
    struct run_device d = {
        .code = code, .registers = ISA_REGISTERS, .execute = execute, .ctx = c};
    bool ok = run_on_device(r, &d);
    if (!ok && !c->why.len)
        text_add(&c->why, isa_end_text(d.last.end));
    return ok;
}
