/* desk.c - the desk of a subcore: control words, special values and parameters,
 * the exchange of lanes, and accesses to global memory.
 *
 * Written from docs/blocks/far_pipe.md, Desk.  It has the operands of all lanes
 * from its first pass on, and waits until they would be there.
 */
#include "base/bits.h"
#include "state.h"

#include <string.h>

enum { LOWEST = 256 /* first byte of the memory */ };

static uint64_t number_of(const struct subcore *n, const struct instr *i) {
    uint64_t all = i->word.op == ISA_ldp ? (uint64_t)n->l.PARAM_W
                                         : (uint64_t)n->l.SPECIAL_W;
    return i->word.value & ones((int)all);
}

static void begin_desk(struct subcore *n, const struct far_pipe_in *in) {
    struct desk *d = &n->desk;
    const struct isa_word *w = &n->dispatch.instr.word;
    uint64_t number = number_of(n, &n->dispatch.instr);

    *d = (struct desk){.busy = true, .instr = n->dispatch.instr};
    for (int l = 0; l < n->l.LANES; l++) {
        d->a[l] = value_of(n, SRC0, l);
        d->b[l] = has_number(w) ? w->value : value_of(n, SRC1, l);
        d->c[l] = value_of(n, SRC2, l);
        d->active |= (uint64_t)is_active(n, l) << l;
        d->holds |= (uint64_t)holds(n, SRC2, l, w->c & ISA_INVERT) << l;
    }
    if (w->op == ISA_ldp)
        d->value = n->params[number];
    else if (number == ISA_SPECIAL_clock)
        d->value = (uint32_t)in->launch_now;
    else if (number == ISA_SPECIAL_laneid)
        d->value = 0;
    else
        d->value = n->values[n->dispatch.instr.warp * (uint64_t)n->l.SPECIALS +
                             number];
}

static bool is_shuffle(int op) {
    return op == ISA_shfl_idx || op == ISA_shfl_up || op == ISA_shfl_down ||
           op == ISA_shfl_bfly;
}

static bool puts_words(int op) {
    return op == ISA_s2r || op == ISA_ldp || op == ISA_vote || is_shuffle(op);
}

bool desk_has_words(const struct subcore *n) {
    const struct desk *d = &n->desk;

    return d->busy && !d->ended && d->age >= n->l.PASSES + 2 &&
           puts_words(d->instr.word.op);
}

static uint32_t shuffled(struct subcore *n, int lane) {
    const struct desk *d = &n->desk;
    int bits = n->l.LANES - 1, op = d->instr.word.op;
    int b = (int)d->b[lane] & bits, clamp = (int)d->c[lane] & bits;
    int segment = (int)(d->c[lane] >> 8) & bits;
    int low = lane & segment, limit = low | (clamp & ~segment);
    int from = op == ISA_shfl_up     ? lane - b
               : op == ISA_shfl_down ? lane + b
               : op == ISA_shfl_bfly ? lane ^ b
                                     : low | (b & ~segment);
    bool within = op == ISA_shfl_up ? from >= limit : from <= limit;

    from = within ? from : lane;
    bool on = d->active >> from & 1;
    hit_if(n, !within, FAR_PIPE_COV_shuffle_own);
    hit_if(n, from != lane && on, FAR_PIPE_COV_shuffle);
    hit_if(n, !on, FAR_PIPE_COV_shuffle_off);
    return on ? d->a[from] : 0;
}

static uint32_t word_of(struct subcore *n, int lane) {
    const struct desk *d = &n->desk;
    uint64_t number = number_of(n, &d->instr);

    if (is_shuffle(d->instr.word.op))
        return shuffled(n, lane);
    if (d->instr.word.op == ISA_vote)
        return (uint32_t)(d->active & d->holds);
    if (d->instr.word.op == ISA_s2r &&
        (number == ISA_SPECIAL_laneid || number == ISA_SPECIAL_slot))
        return (d->value & ~(uint32_t)(n->l.LANES - 1)) | (uint32_t)lane;
    return d->value;
}

static void put_pass(struct subcore *n) {
    struct desk *d = &n->desk;
    struct row *row = row_of(n, d->instr.warp, d->instr.reg[DST]);
    int op = d->instr.word.op;
    uint64_t number = number_of(n, &d->instr);

    for (int k = 0; k < n->l.ALUS; k++) {
        int lane = d->pass * n->l.ALUS + k;
        if ((d->active >> lane & 1) && d->instr.has[DST])
            row->lane[lane] = word_of(n, lane);
    }
    hit_if(n, op == ISA_s2r, FAR_PIPE_COV_special);
    hit_if(n, op == ISA_s2r && number == ISA_SPECIAL_slot,
           FAR_PIPE_COV_special_lane);
    hit_if(n, op == ISA_s2r && number == ISA_SPECIAL_clock,
           FAR_PIPE_COV_special_clock);
    hit_if(n, op == ISA_ldp, FAR_PIPE_COV_param);
    hit_if(n, op == ISA_vote, FAR_PIPE_COV_vote);
    d->ended = ++d->pass == n->l.PASSES;
}

static uint32_t address_of(const struct desk *d, int lane) {
    return d->a[lane] + (is_atomic(d->instr.word.op) ? 0 : d->b[lane]);
}

/* Bytes that a lane accesses. */
static uint32_t size_of(int op) {
    switch (op) {
    case ISA_ldg_u8:
    case ISA_ldg_s8:
    case ISA_stg_b8:
        return 1;
    case ISA_ldg_u16:
    case ISA_ldg_s16:
    case ISA_stg_b16:
        return 2;
    default:
        return 4;
    }
}

static enum cause wrong(uint32_t at, uint32_t size, uint64_t bound) {
    if (at % size != 0)
        return MISALIGNED;
    if (at < LOWEST || (bound != 0 && at >= bound))
        return UNMAPPED;
    return FINE;
}

static void show_fault(struct subcore *n, const struct instr *i,
                       enum cause cause, uint32_t address) {
    n->out.fault_valid = 1;
    n->out.fault_cause = cause;
    n->out.fault_warp = i->warp;
    n->out.fault_tag = i->tag;
    n->out.fault_address = address;
}

static void show_access(struct subcore *n) {
    const struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    bool store = d->instr.word.op == ISA_stg_b32;

    o->access_valid = 1;
    o->access_store = store;
    o->access_warp = d->instr.warp;
    o->access_reg = d->instr.reg[store ? SRC1 : DST];
    o->access_mask = d->active;
    for (int l = 0; l < n->l.LANES; l++)
        bits_or(o->access_address, 30 * l, 30, address_of(d, l) / 4);
    hit_if(n, store, FAR_PIPE_COV_store);
    hit_if(n, !store, FAR_PIPE_COV_load);
    hit_if(n, d->active == 0, FAR_PIPE_COV_access_empty);
}

/* It is under way, and the desk is free. */
static void leaves_desk(struct subcore *n) {
    struct desk *d = &n->desk;
    uint64_t w = d->instr.warp;

    n->opens.open[w] = true;
    n->opens.instr[w] = d->instr;
    d->busy = false;
}

/* Of 'ask': what it shows is taken. */
static void hand_part(struct subcore *n, bool ready) {
    struct desk *d = &n->desk;
    int op = d->instr.word.op;
    bool shown = n->out.ask_valid;

    hit_if(n, shown && !ready, FAR_PIPE_COV_ask_held);
    hit_if(n, !shown, FAR_PIPE_COV_access_open);
    if (!shown || !ready)
        return;
    hit_if(n, isa_info(op)->class == ISA_CLASS_global && isa_has(op, 'd'),
           FAR_PIPE_COV_ask_load);
    hit_if(n, !isa_has(op, 'd'), FAR_PIPE_COV_ask_store);
    hit_if(n, is_atomic(op), FAR_PIPE_COV_ask_atomic);
    hit_if(n, is_atomic(op) && !d->instr.has[DST], FAR_PIPE_COV_ask_lost);
    hit_if(n, d->active == 0, FAR_PIPE_COV_access_empty);
    leaves_desk(n);
}

/* With all lanes right. */
static void hand_over(struct subcore *n, bool room) {
    struct desk *d = &n->desk;
    uint64_t w = d->instr.warp;

    hit_if(n, !room, FAR_PIPE_COV_access_held);
    hit_if(n, n->opens.open[w], FAR_PIPE_COV_access_open);
    if (!room || n->opens.open[w])
        return;
    show_access(n);
    leaves_desk(n);
}

static bool goes_wrong(const struct subcore *n, uint64_t bound) {
    const struct desk *d = &n->desk;

    for (int l = 0; l < n->l.LANES; l++)
        if ((d->active >> l & 1) &&
            wrong(address_of(d, l), size_of(d->instr.word.op), bound) != FINE)
            return true;
    return false;
}

/* ready: of 'ask'. */
static void act_memory(struct subcore *n, uint64_t bound, bool room, bool ready,
                       bool late) {
    struct desk *d = &n->desk;

    for (int l = 0; l < n->l.LANES; l++) {
        uint32_t at = address_of(d, l);
        enum cause cause = wrong(at, size_of(d->instr.word.op), bound);
        if (!(d->active >> l & 1) || cause == FINE)
            continue;
        hit_if(n, late, FAR_PIPE_COV_fault_meet);
        if (late)
            return;
        show_fault(n, &d->instr, cause, at);
        hit_if(n, cause == MISALIGNED, FAR_PIPE_COV_fault_odd);
        hit_if(n, cause == UNMAPPED && at < LOWEST, FAR_PIPE_COV_fault_low);
        hit_if(n, cause == UNMAPPED && at >= LOWEST, FAR_PIPE_COV_fault_off);
        d->ended = true;
        return;
    }
    if (is_part(d->instr.word.op))
        hand_part(n, ready);
    else
        hand_over(n, room);
}

void desk_show_ask(struct subcore *n, uint64_t bound) {
    const struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    const struct instr *i = &d->instr;
    int op = i->word.op;
    bool atomic = is_atomic(op), store = !isa_has(op, 'd');

    if (o->ask_valid) {
        o->ask_valid = o->ask_op = o->ask_size = o->ask_signed = 0;
        o->ask_warp = o->ask_reg = o->ask_result = o->ask_mask = 0;
        memset(o->ask_address, 0, sizeof o->ask_address);
        memset(o->ask_data, 0, sizeof o->ask_data);
        memset(o->ask_compare, 0, sizeof o->ask_compare);
    }
    if (!d->busy || d->ended || d->age < n->l.PASSES + 2 || !is_part(op) ||
        n->opens.open[i->warp] || goes_wrong(n, bound))
        return;
    o->ask_valid = 1;
    o->ask_op = atomic ? (uint64_t)(op - ISA_atg_add) + 2 : store;
    o->ask_size = size_of(op) / 2; /* 1, 2, 4: 0, 1, 2 */
    o->ask_signed = op == ISA_ldg_s8 || op == ISA_ldg_s16;
    o->ask_warp = i->warp;
    o->ask_reg = i->reg[DST];
    o->ask_result = i->has[DST] && !store;
    o->ask_mask = d->active;
    for (int l = 0; l < n->l.LANES; l++) {
        bits_set_lane(o->ask_address, l, address_of(d, l));
        bits_set_lane(o->ask_data, l, store || atomic ? d->c[l] : 0);
        bits_set_lane(o->ask_compare, l, op == ISA_atg_cas ? d->b[l] : 0);
    }
}

static void resolve(struct subcore *n) {
    struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;

    o->resolve_valid = 1;
    o->resolve_warp = d->instr.warp;
    o->resolve_tag = d->instr.tag;
    o->resolve_lanes = d->active;
    d->ended = true;
    hit_if(n, true, FAR_PIPE_COV_control);
    hit_if(n, d->active != 0 && d->active != d->instr.mask,
           FAR_PIPE_COV_taken_some);
}

bool desk_edge(struct subcore *n, const struct far_pipe_in *in, bool begins,
               bool file_taken, bool late) {
    struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    int op = d->instr.word.op;
    bool room = !o->access_valid || (in->access_ready & 1);

    o->resolve_valid = o->resolve_warp = o->resolve_tag = o->resolve_lanes = 0;
    o->fault_valid = o->fault_cause = o->fault_warp = o->fault_tag = 0;
    o->fault_address = 0;
    if (room && o->access_valid) {
        o->access_valid = o->access_store = o->access_warp = 0;
        o->access_reg = o->access_mask = 0;
        memset(o->access_address, 0, sizeof o->access_address);
    }
    if (late) {
        show_fault(n, &n->opens.end, MEMORY, 0);
        hit_if(n, true, FAR_PIPE_COV_fault_memory);
    }
    if (begins)
        begin_desk(n, in);
    if (!d->busy || d->ended || d->age++ < n->l.PASSES + 2)
        return false;
    if (isa_info(op)->text && isa_info(op)->class == ISA_CLASS_control) {
        resolve(n);
    } else if (puts_words(op)) {
        hit_if(n, file_taken, FAR_PIPE_COV_desk_behind);
        if (!file_taken)
            put_pass(n);
        return !file_taken && d->instr.has[DST];
    } else if (is_memory(op) || is_part(op)) {
        act_memory(n, in->launch_bound, room, in->ask_ready & 1, late);
    } else {
        hit_if(n, late, FAR_PIPE_COV_fault_meet);
        if (late)
            return false;
        show_fault(n, &d->instr, ILLEGAL, 0);
        hit_if(n, true, FAR_PIPE_COV_fault_illegal);
        d->ended = true;
    }
    return false;
}
