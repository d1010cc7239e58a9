/* tom_control.c - the golden offload controller of a main core, its channels
 * driven edge by edge (docs/blocks/offload.md).
 *
 * The register file, the operand collector and the L1 answer at once; what
 * takes time is the flush, the links, the warp's run to its first access, and
 * the block itself.
 *
 * While one warp is probed, the block refuses any other that would have to be
 * ("no save").  By default such a warp waits with its question until the probe
 * is over; the setting `refuse` lets it ask and be refused.
 */
#include "tom_state.h"

#include "base/arena.h"
#include "blocks/offload.h"
#include "offload/offload.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, REASON_OFFLOAD = 0 };

/* Acknowledgements that have arrived, oldest first, by slot. */
struct acks {
    uint32_t slot[TOM_MAX_WARPS];
    uint32_t head, n;
    uint32_t flit; /* of the oldest: the next one */
};

struct tom_control {
    struct tom_machine *m;
    uint32_t index;
    struct golden *g;
    struct offload_local l;
    struct offload_in in;
    const struct offload_out *out;
    uint32_t n_entries;             /* loaded */
    int asking;                     /* slot whose request is offered */
    int probing;                    /* slot that has the probe engine */
    bool first_wanted;              /* it runs to its first access */
    bool flushing;                  /* a flush is under way */
    uint32_t sending;               /* slot whose packet leaves */
    uint32_t values[TOM_MAX_WARPS]; /* of condition registers, in order */
    uint32_t value_head, n_values;
    bool row_due;  /* a register row was asked for */
    uint32_t busy; /* requests without an answer, and warps away */
    struct acks acks;
};

/* --------------------------------------------------------------- life */

struct tom_control *tom_control_create(struct tom_machine *m, uint32_t index) {
    struct tom_control *k = xcalloc(1, sizeof *k);
    k->m = m;
    k->index = index;
    k->l = offload_local(&m->config);
    k->g = golden_create(&offload_golden, &m->config);
    k->asking = k->probing = NONE;
    k->out = golden_cycle(k->g, true, NULL);
    k->in.ans_ready = k->in.oper_ready = k->in.probe_ready = 1;
    k->in.reg_read_ready = k->in.reg_write_ready = 1;
    k->in.inval_ready = k->in.release_ready = 1;
    while (!k->out->load_ready)
        k->out = golden_cycle(k->g, false, &k->in);
    return k;
}

void tom_control_free(struct tom_control *k) {
    if (!k)
        return;
    golden_free(k->g);
    free(k);
}

static void load(struct tom_control *k, uint32_t i,
                 const struct offload_entry_fields *entry) {
    static const struct offload_entry_fields none;
    const struct design *d = golden_design(k->g);
    record_pack(&d->record[OFFLOAD_REC_entry], entry ? entry : &none,
                k->in.load_entry);
    k->in.load_valid = 1;
    k->in.load_index = i;
    k->out = golden_cycle(k->g, false, &k->in);
    k->in.load_valid = 0;
}

/* The driver's work between two kernels; it takes no time of the machine. */
void tom_control_load(struct tom_control *k, const struct tom_function *f) {
    uint32_t n = f ? (uint32_t)f->n : 0;
    k->in.link_tx = k->in.link_rx = 0;
    for (uint32_t i = 0; i < n || i < k->n_entries; i++)
        load(k, i, i < n ? &f->list[i].entry : NULL);
    k->n_entries = n;
}

bool tom_control_idle(const struct tom_control *k) {
    return k->busy == 0;
}

int tom_control_pending(const struct tom_control *k, int stack) {
    return offload_pending(k->g, stack);
}

void tom_control_busy(const struct tom_control *k, uint32_t *tx, uint32_t *rx) {
    *tx = (uint32_t)k->out->link_tx_busy;
    *rx = (uint32_t)k->out->link_rx_busy;
}

void tom_control_ack(struct tom_control *k, uint32_t slot) {
    struct acks *a = &k->acks;
    a->slot[(a->head + a->n++) % TOM_MAX_WARPS] = slot;
}

static struct tom_main *core_of(const struct tom_control *k) {
    return k->m->cores[k->index];
}

/* ------------------------------------------------------------ before an edge
 */

static bool needs_probe(const struct tom_control *k, uint32_t slot) {
    return !tom_main_candidate(core_of(k), slot)->c->starts_with_memory &&
           k->m->settings->mode != TOM_OFF;
}

static void offer_request(struct tom_control *k) {
    struct tom_main *core = core_of(k);
    struct offload_in *in = &k->in;
    uint32_t slot;
    if (k->asking != NONE)
        return; /* it stays until it is taken */
    in->ask_valid = 0;
    if (!tom_main_wants(core, &slot))
        return;
    if (needs_probe(k, slot) && k->probing != NONE && !k->m->settings->refuse)
        return;
    const struct tom_instance *x = tom_main_instance(core, slot);
    const struct cta_warp *code = tom_main_code(core, slot);
    uint32_t line = code->ops[x->begin].lines;
    bool access = line < code->ops[x->begin + 1].lines;
    k->asking = (int)slot;
    in->ask_valid = 1;
    in->ask_warp = slot;
    in->ask_key = x->candidate;
    in->ask_mask = UINT32_MAX;
    in->ask_address = access ? code->lines[line].address : 0;
    in->ask_learned = access && tom_map_learned(k->m->map, in->ask_address);
    if (needs_probe(k, slot) && k->probing == NONE)
        k->probing = (int)slot;
}

static void offer_value(struct tom_control *k) {
    k->in.value_valid = k->n_values > 0;
    if (!k->n_values)
        return;
    k->in.value_data = k->values[k->value_head];
    k->value_head = (k->value_head + 1) % TOM_MAX_WARPS;
    k->n_values--;
}

static void offer_first(struct tom_control *k) {
    struct tom_main *core = core_of(k);
    struct offload_in *in = &k->in;
    in->first_valid = 0;
    if (!k->first_wanted || !tom_main_first(core, (uint32_t)k->probing))
        return;
    const struct tom_instance *x =
        tom_main_instance(core, (uint32_t)k->probing);
    const struct cta_warp *code = tom_main_code(core, (uint32_t)k->probing);
    bool none = x->first == x->end;
    in->first_valid = 1;
    in->first_none = none;
    in->first_address =
        none ? 0 : code->lines[code->ops[x->first].lines].address;
    in->first_learned = !none && tom_map_learned(k->m->map, in->first_address);
}

static void put(uint64_t *w, int *at, int width, uint64_t value) {
    for (int i = 0; i < width; i++, ++*at)
        w[*at / 64] |= (value >> i & 1) << *at % 64;
}

/* Flits of the oldest acknowledgement: header, rows, lines.  Lines beyond what
 * the header can count have travelled too, and are thrown out below. */
static uint32_t counted_lines(const struct tom_control *k,
                              const struct tom_job *job) {
    uint32_t n = (uint32_t)job->lines.n, most = (1u << k->l.LINES_W) - 1;
    return n < most ? n : most;
}

static void offer_ack(struct tom_control *k) {
    struct acks *a = &k->acks;
    struct offload_in *in = &k->in;
    in->ack_valid = a->n > 0;
    if (!a->n)
        return;
    uint32_t slot = a->slot[a->head];
    const struct tom_job *job = &k->m->jobs[k->index][slot];
    uint32_t rows = job->candidate->rows_out * (uint32_t)k->l.ROW_FLITS;
    memset(in->ack_data, 0, sizeof in->ack_data);
    int at = 0;
    if (a->flit == 0) {
        put(in->ack_data, &at, k->l.WARP_W, slot);
        put(in->ack_data, &at, k->l.INDEX_W, job->instance->candidate);
        put(in->ack_data, &at, k->l.LANES, UINT32_MAX);
        put(in->ack_data, &at, k->l.LINES_W, counted_lines(k, job));
    } else if (a->flit > rows) {
        in->ack_data[0] = job->lines.v[a->flit - 1 - rows];
    }
}

/* ------------------------------------------------------------- at an edge */

static void throw_out(struct tom_control *k, uint64_t line) {
    cache_invalidate(core_cache(tom_main_core(core_of(k))), line * CACHE_LINE);
    if (k->m->l2)
        cache_invalidate(k->m->l2, line * CACHE_LINE);
    k->m->result->invalidated++;
}

static void taken_request(struct tom_control *k) {
    if (k->asking == NONE || !k->out->ask_ready)
        return;
    tom_main_asked(core_of(k), (uint32_t)k->asking);
    k->busy++;
    k->asking = NONE;
}

static void taken_answer(struct tom_control *k) {
    const struct offload_out *o = k->out;
    if (!o->ans_valid)
        return;
    uint32_t slot = (uint32_t)o->ans_warp;
    bool offload = o->ans_offload;
    k->m->result->reasons[o->ans_reason]++;
    if (!offload) {
        k->busy--;
        if (k->probing == (int)slot)
            k->probing = NONE;
    } else {
        struct tom_job *j = &k->m->jobs[k->index][slot];
        k->m->result->blocks[o->ans_stack]++;
        j->code = tom_main_code(core_of(k), slot);
        j->instance = tom_main_instance(core_of(k), slot);
        j->candidate = tom_main_candidate(core_of(k), slot);
        j->core = k->index;
        j->slot = slot;
        j->lines.n = 0;
    }
    tom_main_answered(core_of(k), slot, offload);
}

static void taken_operand(struct tom_control *k) {
    if (!k->out->oper_valid)
        return;
    uint32_t slot = (uint32_t)k->out->oper_warp;
    const struct tom_candidate *t = tom_main_candidate(core_of(k), slot);
    bool pays = tom_main_instance(core_of(k), slot)->pays;
    k->values[(k->value_head + k->n_values++) % TOM_MAX_WARPS] =
        pays ? t->held : t->refused;
}

static void taken_probe(struct tom_control *k) {
    if (k->in.first_valid && k->out->first_ready)
        k->first_wanted = false;
    if (!k->out->probe_valid)
        return;
    k->m->result->probes++;
    k->first_wanted = true;
    /* with `refuse` not always the warp that was thought to be probed: one that
     * asked meanwhile is, if the engine is free again when its turn comes */
    k->probing = (int)k->out->probe_warp;
    tom_main_probe(core_of(k), (uint32_t)k->out->probe_warp);
}

static void flush(struct tom_control *k) {
    const struct offload_out *o = k->out;
    k->in.flush_ready = 0;
    if (!o->flush_valid)
        return;
    k->in.flush_ready = tom_coherent(k->m->settings) ||
                        tom_main_flushed(core_of(k), !k->flushing);
    k->flushing = !k->in.flush_ready;
    k->m->result->flush_cycles += k->flushing;
    k->sending = (uint32_t)o->flush_warp;
}

static void send_flit(struct tom_control *k) {
    const struct offload_out *o = k->out;
    struct tom_machine *m = k->m;
    struct pipe *link = m->tx[o->tx_stack];
    bool ideal = m->settings->ideal;
    k->in.tx_ready = o->tx_valid && (ideal || pipe_ready(link, m->cycle));
    if (!k->in.tx_ready)
        return;
    if (o->tx_last && k->probing == (int)k->sending)
        k->probing = NONE;
    if (ideal) {
        if (o->tx_last)
            tom_stack_arrive(m->stacks[o->tx_stack],
                             &m->jobs[k->index][k->sending]);
        return;
    }
    struct tom_message msg = {
        .what = TOM_MSG_JOB, .who = k->index, .number = k->sending};
    struct pipe_packet p = {.kind = TOM_BLOCK,
                            .amount = 1,
                            .payload = PIPE_FLIT,
                            .token =
                                o->tx_last ? tom_token(&msg) : PIPE_NOBODY};
    pipe_send(link, m->cycle, &p);
}

static void taken_ack(struct tom_control *k) {
    struct acks *a = &k->acks;
    if (!k->in.ack_valid || !k->out->ack_ready)
        return;
    const struct tom_job *job = &k->m->jobs[k->index][a->slot[a->head]];
    uint32_t lines = counted_lines(k, job);
    uint32_t flits = 1 + job->candidate->rows_out * (uint32_t)k->l.ROW_FLITS;
    if (++a->flit < flits + lines)
        return;
    for (uint32_t i = lines; i < (uint32_t)job->lines.n; i++)
        throw_out(k, job->lines.v[i]);
    k->m->result->lines_beyond += (uint32_t)job->lines.n - lines;
    a->head = (a->head + 1) % TOM_MAX_WARPS;
    a->n--;
    a->flit = 0;
}

static void taken_results(struct tom_control *k) {
    const struct offload_out *o = k->out;
    if (o->inval_valid)
        throw_out(k, o->inval_line);
    if (!o->release_valid)
        return;
    k->busy--;
    k->m->result->released++;
    tom_main_release(core_of(k), (uint32_t)o->release_warp);
}

static uint32_t full_stacks(const struct tom_machine *m) {
    uint32_t full = 0;
    for (uint32_t s = 0; s < TOM_STACKS; s++)
        full |= (uint32_t)(m->pending[s] >= m->limit) << s;
    return full;
}

/* The GPU-wide counts are brought up to date after each core's edge, so that
 * the next core's decision in the same cycle knows of this one's. */
static void count_pending(struct tom_control *k, const int *before) {
    for (int s = 0; s < TOM_STACKS; s++) {
        uint32_t *p = &k->m->pending[s];
        *p += (uint32_t)(offload_pending(k->g, s) - before[s]);
        if (*p > k->m->result->pending_peak[s])
            k->m->result->pending_peak[s] = *p;
    }
}

void tom_control_step(struct tom_control *k, uint32_t link_tx,
                      uint32_t link_rx) {
    struct offload_in *in = &k->in;
    int before[TOM_STACKS];
    for (int s = 0; s < TOM_STACKS; s++)
        before[s] = offload_pending(k->g, s);
    in->reg_data_valid = k->row_due;
    k->row_due = k->out->reg_read_valid;
    in->link_tx = link_tx;
    in->link_rx = link_rx;
    in->link_full = full_stacks(k->m);
    offer_request(k);
    offer_value(k);
    offer_first(k);
    offer_ack(k);
    flush(k);
    send_flit(k);
    /* What is taken on this edge: out still stands as before it. */
    taken_answer(k);
    taken_request(k);
    taken_operand(k);
    taken_probe(k);
    taken_ack(k);
    taken_results(k);
    k->out = golden_cycle(k->g, false, in);
    count_pending(k, before);
}
