/* desk.c - control words, special values, exchange of lanes and accesses to
 * global memory: what each has to show, and when a load-store unit ends it. */
#include "env.h"

#include <string.h>

enum { LOWEST = 256, ILLEGAL = 1, ODD = 2, OFF = 3, MEMORY = 8 };

/* Of words that the lanes do not compute; an access may yet go wrong. */
enum kind desk_kind(int op) {
    switch (isa_info(op)->class) {
    case ISA_CLASS_control:
        return CONTROL;
    case ISA_CLASS_special:
    case ISA_CLASS_cross:
        return WORDS;
    default:
        return isa_info(op)->timing == ISA_TIMING_global ? ACCESS : FAULT;
    }
}

int desk_bytes(int op) {
    const char *text = isa_info(op)->text;
    const char *dot = text + strlen(text);
    while (dot > text && dot[-1] != '.')
        dot--;
    return isa_info(op)->class == ISA_CLASS_atomic ? 4
           : strcmp(dot, "b32") == 0               ? 4
           : strchr(dot, '8')                      ? 1
                                                   : 2;
}

bool desk_part(int op) {
    return isa_info(op)->class == ISA_CLASS_atomic || desk_bytes(op) < 4;
}

bool desk_left(const struct instr *i) {
    return i->kind == ACCESS && (i->part ? i->taken : i->shown);
}

/* --- words ---------------------------------------------------------------- */

static bool is_clock(const struct instr *i) {
    return i->word.op == ISA_s2r && i->word.value == ISA_SPECIAL_clock;
}

static bool is_known(const struct far_pipe_stim *s, const struct instr *i) {
    if (i->word.op == ISA_ldp)
        return s->has_param[i->word.value];
    return i->word.op != ISA_s2r || is_clock(i) ||
           i->word.value == ISA_SPECIAL_laneid ||
           s->has_value[i->warp][i->word.value];
}

/* PTX's shfl.sync: the lane whose value this one gets. */
static int source_of(const struct instr *i, int lane, uint32_t b, uint32_t c,
                     int lanes) {
    int bval = (int)b % lanes, cval = (int)c % lanes;
    int mask = (int)(c >> 8) % lanes;
    int max = (lane & mask) | (cval & ~mask), min = lane & mask, j;
    bool p;
    if (bval < 0)
        bval += lanes;
    switch (i->word.op) {
    case ISA_shfl_up:
        j = lane - bval;
        p = j >= max;
        break;
    case ISA_shfl_down:
        j = lane + bval;
        p = j <= max;
        break;
    case ISA_shfl_bfly:
        j = lane ^ bval;
        p = j <= max;
        break;
    default:
        j = min | (bval & ~mask);
        p = j <= max;
        break;
    }
    return p ? j : lane;
}

uint32_t desk_word(struct far_pipe_stim *s, const struct instr *i, int lane) {
    const struct isa_word *w = &i->word;
    uint32_t set = 0;
    switch (w->op) {
    case ISA_ldp:
        return s->param[w->value];
    case ISA_s2r:
        if (w->value == ISA_SPECIAL_laneid)
            return (uint32_t)lane;
        if (is_clock(i))
            return (uint32_t)s->now;
        set = s->value[i->warp][w->value];
        if (w->value != ISA_SPECIAL_slot)
            return set;
        return set - set % (uint32_t)s->size.LANES + (uint32_t)lane;
    case ISA_vote:
        for (int l = 0; l < s->size.LANES; l++)
            if (i->active >> l & 1 &&
                holds(s, i, SRC2, l) != ((w->c & ISA_INVERT) != 0))
                set |= UINT32_C(1) << l;
        return set;
    default:
        break;
    }
    uint32_t b = w->imm ? w->value : value_of(s, i, SRC1, lane);
    uint32_t c = value_of(s, i, SRC2, lane);
    uint32_t lanes = (uint32_t)s->size.LANES;
    int from = source_of(i, lane, b % lanes, c % (lanes << 8), (int)lanes);
    return i->active >> from & 1 ? value_of(s, i, SRC0, from) : 0;
}

/* --- accesses ------------------------------------------------------------- */

static void look_at_lanes(struct far_pipe_stim *s, struct instr *i) {
    for (int l = 0; l < s->size.LANES; l++) {
        i->at[l] = value_of(s, i, SRC0, l) + i->word.value;
        i->put[l] = i->part ? value_of(s, i, SRC2, l) : 0;
        i->compare[l] = i->word.op == ISA_atg_cas ? value_of(s, i, SRC1, l) : 0;
        bool odd = i->at[l] % (uint32_t)desk_bytes(i->word.op) != 0;
        if (i->kind == FAULT || !(i->active >> l & 1) ||
            (!odd && i->at[l] >= LOWEST && (!s->bound || i->at[l] < s->bound)))
            continue;
        i->kind = FAULT;
        i->cause = odd ? ODD : OFF;
        i->address = i->at[l];
    }
}

bool desk_prepare(struct far_pipe_stim *s) {
    struct instr *i = &s->offer;
    i->active = 0;
    for (int l = 0; l < s->size.LANES; l++)
        if ((i->mask >> l & 1) &&
            (!i->has[GUARD] || holds(s, i, GUARD, l) != i->word.unless))
            i->active |= bit(l);
    if (i->kind == FAULT)
        i->cause = ILLEGAL;
    if (i->kind == ACCESS) {
        look_at_lanes(s, i);
        if (i->kind == FAULT)
            return rng_percent(&s->base.rng, s->tune.wrong);
    }
    i->loose = is_clock(i) && rng_percent(&s->base.rng, 40);
    return is_known(s, i);
}

/* Beside each other, of one word, far apart; some wrong. */
void desk_addresses(struct far_pipe_stim *s, struct row *r) {
    static const uint32_t steps[] = {4, 0, 128, 4, 4096, 8};
    struct rng *g = &s->base.rng;
    uint32_t first = LOWEST + 4 * rng_below(g, 0x4000);
    uint32_t step = steps[rng_below(g, 6)];
    if (rng_percent(g, 25))
        first = (uint32_t)rng_next(g) & ~3u;
    for (int i = 0; i < s->size.LANES; i++) {
        r->lane[i] = first + step * (uint32_t)i;
        if (rng_percent(g, 1))
            r->lane[i] = rng_below(g, 1024);
    }
}

static bool bound_matters(const struct far_pipe_stim *s) {
    bool is =
        s->offered && isa_info(s->offer.word.op)->timing == ISA_TIMING_global;
    for (int n = 0; n < s->flights; n++) {
        const struct instr *i = &s->flight[n];
        is |= isa_info(i->word.op)->timing == ISA_TIMING_global &&
              !(i->kind == ACCESS ? desk_left(i) : i->shown);
    }
    return is;
}

/* --- tables --------------------------------------------------------------- */

/* Whether the word of an instruction that is offered or under way reads it;
 * warp -1: of any. */
static bool is_read(const struct far_pipe_stim *s, int op, int warp,
                    uint64_t index) {
    for (int n = -1; n < s->flights; n++) {
        const struct instr *i = n < 0 ? &s->offer : &s->flight[n];
        if ((n >= 0 || s->offered) && i->word.op == op &&
            i->word.value == index && (warp < 0 || i->warp == (uint64_t)warp))
            return true;
    }
    return false;
}

static bool clock_stands(const struct far_pipe_stim *s) {
    bool is = s->offered && is_clock(&s->offer) && !s->offer.loose;
    for (int n = 0; n < s->flights; n++)
        is |= is_clock(&s->flight[n]) && !s->flight[n].loose;
    return is;
}

static void drive_tables(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t p = rng_below(r, (uint32_t)s->size.PARAMS);
    uint64_t w = rng_below(r, (uint32_t)s->size.CORE_WARPS);
    uint64_t k = rng_below(r, SPECIALS);
    in->param_index = p;
    in->param_word = rng_next(r) & ones(32);
    if (!is_read(s, ISA_ldp, -1, p) && rng_percent(r, 10)) {
        in->param_valid = 1;
        s->param[p] = (uint32_t)in->param_word;
        s->has_param[p] = true;
    }
    in->value_warp = w;
    in->value_index = k;
    in->value_word = rng_next(r) & ones(32);
    if (!is_read(s, ISA_s2r, (int)w, k) && rng_percent(r, 30)) {
        in->value_valid = 1;
        s->value[w][k] = (uint32_t)in->value_word;
        s->has_value[w][k] = true;
    }
}

static void drive_launch(struct far_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    if (!clock_stands(s))
        s->now = rng_percent(r, 1) ? rng_next(r) & ones(32)
                                   : (s->now + 1) & ones(32);
    if (bound_matters(s) || !rng_percent(r, 5))
        return;
    s->bound = rng_percent(r, 40)   ? 0
               : rng_percent(r, 80) ? LOWEST + rng_below(r, 0x14000)
                                    : rng_next(r) & ones(32);
}

/* An access whose time has come, but that at place 'not'; -1: none. */
static int some_end(struct far_pipe_stim *s, int not_this) {
    for (int n = 0; n < s->flights; n++)
        if (s->flight[n].taken && !s->flight[n].over && s->flight[n].due <= 0 &&
            n != not_this)
            return n;
    return -1;
}

static void drive_ends(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    for (int n = 0; n < s->flights; n++)
        s->flight[n].due -= s->flight[n].taken;
    int first = some_end(s, -1);
    bool second = first >= 0 && some_end(s, first) >= 0;
    if (s->tune.pairs && !second && !rng_percent(r, 5))
        first = -1;
    in->ended_warp = rng_below(r, (uint32_t)s->size.CORE_WARPS);
    in->ended_fault = rng_percent(r, 50);
    in->carried_warp = rng_below(r, (uint32_t)s->size.CORE_WARPS);
    in->carried_fault = rng_percent(r, 50);
    if (first < 0 || (!second && rng_percent(r, 50))) { /* a message has left */
        in->ended_near = 1;
        in->ended_valid = rng_percent(r, 20);
    } else {
        in->ended_near = 0;
        in->ended_valid = 1;
        in->ended_warp = s->flight[first].warp;
        in->ended_fault = rng_percent(r, s->tune.bad);
        first = some_end(s, first);
    }
    if (first >= 0 && rng_percent(r, 60)) {
        in->carried_valid = 1;
        in->carried_warp = s->flight[first].warp;
        in->carried_fault = rng_percent(r, s->tune.bad);
    }
}

void desk_drive(struct far_pipe_stim *s, struct far_pipe_in *in) {
    drive_tables(s, in);
    drive_launch(s);
    drive_ends(s, in);
}

/* --- what must come out --------------------------------------------------- */

static void end_access(struct far_pipe_stim *s, uint64_t warp, bool fault) {
    for (int n = 0; n < s->flights; n++) {
        struct instr *i = &s->flight[n];
        if (!i->taken || i->over || i->warp != warp)
            continue;
        i->over = true;
        i->bad = fault;
        s->accesses++;
        return;
    }
    BUG("an end of no access");
}

void desk_took(struct far_pipe_stim *s, const struct far_pipe_in *in,
               const struct far_pipe_out *before) {
    if (in->ended_valid && !in->ended_near)
        end_access(s, in->ended_warp, in->ended_fault & 1);
    if (in->carried_valid)
        end_access(s, in->carried_warp, in->carried_fault & 1);
    for (int n = 0; n < s->flights; n++) {
        struct instr *i = &s->flight[n];
        bool goes = i->part ? before->ask_valid && in->ask_ready
                            : before->access_valid && in->access_ready;
        if (!goes || i->kind != ACCESS || !i->shown || i->taken)
            continue;
        i->taken = true;
        i->due = (int)rng_below(&s->base.rng, (uint32_t)s->tune.late);
    }
}

/* What the desk has: the oldest one of its subcore that it is not done with.
 * Where several share the ports, an access of it may stand before 'access', and
 * a completion before 'done'. */
static bool is_at_desk(const struct far_pipe_stim *s, int place, int at_done) {
    int subcore = subcore_of(s, s->flight[place].warp);
    int accesses = shares_ports(s), others = shares_ports(s);
    for (int n = 0; n < place; n++) {
        const struct instr *i = &s->flight[n];
        if (i->kind == COMPUTED || i->kind == SHARED || n == at_done ||
            desk_left(i) || subcore_of(s, i->warp) != subcore)
            continue;
        bool passed =
            i->kind == ACCESS ? !i->part && accesses-- > 0 : others-- > 0;
        if (!passed)
            return false;
    }
    return true;
}

/* The one of a warp that has to be shown next, of that kind; part: at 'ask',
 * where it goes on being shown.  NULL: the desk does not have one. */
static struct instr *at_desk(struct far_pipe_stim *s, enum kind kind, bool part,
                             uint64_t warp, int at_done) {
    for (int n = 0; n < s->flights; n++) {
        struct instr *i = &s->flight[n];
        bool done = part ? i->taken : i->shown;
        bool at = kind != ACCESS || i->part == part;
        if (i->warp == warp && i->kind == kind && at && !done)
            return n != at_done && is_at_desk(s, n, at_done) ? i : NULL;
    }
    return NULL;
}

static bool names(const struct instr *i, uint64_t warp, uint64_t tag) {
    return i->warp == warp && i->tag == tag;
}

static void check_resolve(struct far_pipe_stim *s, const struct far_pipe_out *o,
                          int at_done) {
    if (!o->resolve_valid)
        return;
    struct instr *i = at_desk(s, CONTROL, false, o->resolve_warp, at_done);
    if (!i || i->tag != o->resolve_tag) {
        stim_complain(&s->base, "no such control word is to be resolved");
        return;
    }
    if (i->active != o->resolve_lanes)
        stim_complain(&s->base, "a control word has other lanes");
    i->shown = true;
    s->resolved++;
}

static void check_late(struct far_pipe_stim *s, const struct far_pipe_out *o) {
    for (int n = 0; n < s->flights; n++) {
        struct instr *i = &s->flight[n];
        if (!i->over || !i->bad || i->faulted ||
            !names(i, o->fault_warp, o->fault_tag))
            continue;
        i->faulted = true;
        s->faults++;
        return;
    }
    stim_complain(&s->base, "a fault of memory that no access had");
}

static void check_fault(struct far_pipe_stim *s, const struct far_pipe_out *o,
                        int at_done) {
    if (!o->fault_valid)
        return;
    if (o->fault_cause == MEMORY) {
        check_late(s, o);
        return;
    }
    struct instr *i = at_desk(s, FAULT, false, o->fault_warp, at_done);
    if (!i || i->tag != o->fault_tag || i->cause != o->fault_cause ||
        i->address != o->fault_address) {
        stim_complain(&s->base, "a fault that no instruction has");
        return;
    }
    i->shown = true;
    s->faults++;
}

/* Of an access that is shown from now on: it is the only one of its warp. */
static void check_one(struct far_pipe_stim *s, const struct instr *i) {
    for (int n = 0; n < s->flights; n++)
        if (s->flight[n].shown && s->flight[n].kind == ACCESS &&
            !s->flight[n].over && s->flight[n].warp == i->warp)
            stim_complain(&s->base, "a warp has two accesses under way");
}

static void check_access(struct far_pipe_stim *s, const struct far_pipe_out *o,
                         int at_done) {
    struct instr *i = at_desk(s, ACCESS, false, o->access_warp, at_done);
    if (!i) {
        stim_complain(&s->base, "an access that no instruction makes");
        return;
    }
    bool store = i->word.op == ISA_stg_b32;
    if (store != (o->access_store & 1) || i->active != o->access_mask ||
        i->reg[store ? SRC1 : DST] != o->access_reg)
        stim_complain(&s->base, "an access is not that of its instruction");
    for (int l = 0; l < s->size.LANES; l++)
        if (bits_get(o->access_address, 30 * l, 30) != i->at[l] >> 2)
            stim_complain(&s->base, "an access has another address in lane %d",
                          l);
    check_one(s, i);
    i->shown = true;
}

/* 'memory' numbers operations of requests so. */
static uint64_t number_of(int op) {
    static const int atomics[] = {
        ISA_atg_add, ISA_atg_mins, ISA_atg_maxs, ISA_atg_minu, ISA_atg_maxu,
        ISA_atg_and, ISA_atg_or,   ISA_atg_xor,  ISA_atg_exch, ISA_atg_cas};
    for (int k = 0; k < 10; k++)
        if (atomics[k] == op)
            return (uint64_t)k + 2;
    return !isa_has(op, 'd');
}

/* What is shown at 'ask' stands until it is taken. */
static void check_ask(struct far_pipe_stim *s, const struct far_pipe_out *o,
                      int at_done) {
    struct instr *i = at_desk(s, ACCESS, true, o->ask_warp, at_done);
    if (!i) {
        stim_complain(&s->base,
                      "an access to a part that no instruction makes");
        return;
    }
    int op = i->word.op;
    bool sign = op == ISA_ldg_s8 || op == ISA_ldg_s16;
    bool load = number_of(op) == 0, store = number_of(op) == 1;
    if (o->ask_op != number_of(op) || o->ask_signed != sign ||
        bit((int)o->ask_size) != (uint64_t)desk_bytes(op) ||
        o->ask_mask != i->active || o->ask_reg != i->reg[DST] ||
        o->ask_result != (i->has[DST] && !store))
        stim_complain(&s->base, "an access to a part is not that of its "
                                "instruction");
    for (int l = 0; l < s->size.LANES; l++)
        if (bits_lane(o->ask_address, l) != i->at[l] ||
            bits_lane(o->ask_data, l) != (load ? 0 : i->put[l]) ||
            bits_lane(o->ask_compare, l) != i->compare[l])
            stim_complain(&s->base,
                          "an access to a part has other words in "
                          "lane %d",
                          l);
    if (!i->shown)
        check_one(s, i);
    i->shown = true;
}

void desk_check(struct far_pipe_stim *s, const struct far_pipe_in *in,
                const struct far_pipe_out *before,
                const struct far_pipe_out *after, int at_done) {
    check_resolve(s, after, at_done);
    check_fault(s, after, at_done);
    if (after->access_valid && !(before->access_valid && !in->access_ready))
        check_access(s, after, at_done);
    if (after->ask_valid)
        check_ask(s, after, at_done);
    else if (before->ask_valid && !in->ask_ready)
        stim_complain(&s->base, "an access to a part is gone untaken");
}

bool desk_waits(const struct far_pipe_stim *s, const struct far_pipe_in *in,
                const struct far_pipe_out *before) {
    bool is = (before->access_valid && !in->access_ready) ||
              (before->ask_valid && !in->ask_ready);
    for (int n = 0; n < s->flights; n++)
        is |= s->flight[n].taken && !s->flight[n].over;
    return is;
}
