/* ask.c - golden offload controller: metadata table, lookup, weigh.
 *
 * From a request to the point where all that its decision needs is known (TOM,
 * section 4.1): the entry, the value of the condition register, the stack of
 * the address.  Written from docs/blocks/offload.md; state.h says how
 * an edge is evaluated.
 */
#include "state.h"

#include <string.h>

/* Metadata table --------------------------------------------------------- */

static void load(struct offload *n, const struct offload_in *in) {
    uint32_t i = (uint32_t)in->load_index & n->index_mask;
    struct verdict *v = &n->verdict[i];
    struct packet *p = &n->packet[i];
    struct offload_entry_fields e;

    record_unpack(&n->base.design->record[OFFLOAD_REC_entry], in->load_entry,
                  &e);
    *v = (struct verdict){
        .valid = e.valid,
        .tag_tx = e.tag_tx,
        .tag_rx = e.tag_rx,
        .mem_first = e.mem_first,
        .cond = e.cond,
        .cond_signed = e.cond_signed,
        .cond_reg = (uint8_t)e.cond_reg,
        .compare = (uint8_t)e.cond_compare,
        .n_in = (uint8_t)e.n_in,
        .threshold = (uint32_t)e.threshold,
    };
    *p = (struct packet){
        .begin_pc = (uint32_t)e.begin_pc,
        .end_pc = (uint32_t)e.end_pc,
        .n_in = (uint8_t)e.n_in,
        .live_in = {{e.live_in[0], e.live_in[1]}},
        .live_out = {{e.live_out[0], e.live_out[1]}},
    };
    n->begin[i] = (struct begin){.valid = v->valid, .pc = p->begin_pc};
}

static void initialise(struct offload *n) {
    int i = n->init_entry++;

    memset(&n->verdict[i], 0, sizeof n->verdict[i]);
    memset(&n->packet[i], 0, sizeof n->packet[i]);
    memset(&n->begin[i], 0, sizeof n->begin[i]);
    n->init_done = n->init_entry == n->l.ENTRIES;
}

void move_tables(struct offload *n, const struct edge *e) {
    if (!n->init_done)
        initialise(n);
    else if (e->in->load_valid & 1)
        load(n, e->in);
}

/* Lookup ----------------------------------------------------------------- */

static void accept(struct offload *n, const struct offload_in *in) {
    n->a.r.warp = (uint8_t)(in->ask_warp & n->warp_mask);
    n->a.r.key = (uint32_t)in->ask_key & n->key_mask;
    n->a.r.mask = (uint32_t)in->ask_mask & n->lane_mask;
    n->a.r.address = in->ask_address & n->address_mask;
    n->a.r.learned = in->ask_learned & 1;
}

/* A request and the index of its entry become M. */
static void read_verdict(struct offload *n, const struct stage *from,
                         bool found) {
    n->m.valid = from->valid;
    if (!from->valid)
        return;
    n->m.r = from->r;
    if (found) {
        n->m.r.entry = n->verdict[from->r.key];
        return;
    }
    n->m.r.key = 0;
    memset(&n->m.r.entry, 0, sizeof n->m.r.entry);
}

/* The lowest-numbered valid entry that begins at the key. */
static void match(struct offload *n) {
    n->c = n->a;
    if (!n->a.valid)
        return;
    n->matched = false;
    for (int i = 0; i < n->l.ENTRIES; i++)
        if (n->begin[i].valid && n->begin[i].pc == n->a.r.key) {
            n->c.r.key = (uint32_t)i;
            n->matched = true;
            return;
        }
}

static void enqueue(struct offload *n) {
    struct request *r = &n->m.r;
    const struct verdict *v = &r->entry;

    r->mode = (uint8_t)n->base.regs.setting[OFFLOAD_SET_mode];
    r->needs_value =
        v->valid && v->cond &&
        (r->mode == MODE_CONTROLLED || r->mode == MODE_UNCONTROLLED);
    n->waiting_word[queue_push(&n->waiting)] = *r;
    if (r->needs_value)
        n->operands_word[queue_push(&n->operands)] = (struct operand){
            .warp = r->warp,
            .reg = v->cond_reg,
            .lane = (uint8_t)(r->mask ? __builtin_ctz(r->mask) : 0),
        };
}

void move_lookup(struct offload *n, struct edge *e) {
    const struct offload_in *in = e->in;
    bool asks = in->ask_valid & 1;

    e->accepts = asks && n->out.ask_ready;
    if (n->m.valid)
        enqueue(n);
    if (n->l.BY_PC) {
        read_verdict(n, &n->c, n->matched);
        match(n);
    } else {
        read_verdict(n, &n->a, true);
    }
    n->a.valid = e->accepts;
    if (e->accepts)
        accept(n, in);
    if (in->value_valid & 1)
        n->values_word[queue_push(&n->values)] = (uint32_t)in->value_data;
    event_if(e, e->accepts, OFFLOAD_CNT_asked);
    event_if(e, asks && !e->accepts, OFFLOAD_CNT_ask_blocked);
    hit_if(n, asks && !e->accepts, OFFLOAD_COV_ask_full);
    n->streak = e->accepts ? n->streak + 1 : 0;
    hit_if(n, n->streak == STREAK, OFFLOAD_COV_streak);
}

/* Weigh ------------------------------------------------------------------ */

static bool compare(int code, bool less, bool equal) {
    switch (code) {
    case 0:
        return equal;
    case 1:
        return !equal;
    case 2:
        return less;
    case 3:
        return less || equal;
    case 4:
        return !less && !equal;
    case 5:
        return !less;
    }
    return false;
}

static bool holds(struct offload *n, const struct verdict *v, uint32_t value) {
    bool equal = value == v->threshold;
    bool below = value < v->threshold;
    bool less = (value ^ v->threshold) >> 31 ? !below : below;
    bool held = compare(v->compare, v->cond_signed ? less : below, equal);

    hit_if(n, v->cond_signed && held != compare(v->compare, below, equal),
           OFFLOAD_COV_cond_signed);
    hit_if(n, held, OFFLOAD_COV_cond_true);
    return held;
}

/* All groups of STACK_W bits of a line address, XORed into the lowest. */
static uint64_t fold(uint64_t line, int stack_w) {
    int shift = stack_w;

    while (2 * shift < 64)
        shift *= 2;
    for (; shift >= stack_w; shift /= 2)
        line ^= line >> shift;
    return line;
}

static uint8_t stack_of_address(const struct offload *n, uint64_t address,
                                bool learned) {
    if (learned)
        address >>= n->base.regs.setting[OFFLOAD_SET_map_bit];
    else
        address = fold(address >> 7, n->l.STACK_W);
    return (uint8_t)(address & n->stack_mask);
}

static void weigh_probed(struct offload *n) {
    struct weighed *d = &n->d;

    d->valid = true;
    d->r = n->probe.r;
    d->held = true; /* it would not have been probed */
    d->back = true;
    d->none = n->probe.none;
    d->stack = stack_of_address(n, d->r.address, d->r.learned);
}

void move_weigh(struct offload *n) {
    struct weighed *d = &n->d;
    const struct request *r;

    d->valid = false;
    if (n->probe.state == P_BACK) {
        weigh_probed(n);
        return;
    }
    r = &n->waiting_word[n->waiting.out];
    if (!n->waiting.out_valid || (r->needs_value && !n->values.out_valid))
        return;
    queue_pop(&n->waiting);
    d->valid = true;
    d->r = *r;
    d->back = d->none = false;
    d->held = true;
    if (r->needs_value) {
        queue_pop(&n->values);
        d->held = holds(n, &r->entry, n->values_word[n->values.out]);
    }
    d->stack = stack_of_address(n, r->address, r->learned);
}
