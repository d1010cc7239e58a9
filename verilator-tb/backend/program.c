/* program.c - the front end: words of the desk and of global memory beside
 * those of near_bank's environment, when an instruction may be issued, and what
 * program order makes of it. */
#include "env.h"

#include "base/array.h"
#include "base/bits.h"
#include "iface/opclass.h"
#include "isa/alu.h"

#include <string.h>

enum { ILLEGAL = 1, ODD, OFF, MEMORY = 8, LOWEST = 256, NOP_TAG = 0 };

/* Registers for addresses of global memory, mostly; and for those of shared. */
static bool is_address(uint64_t reg) {
    return reg % 4 == 0;
}

static bool is_shared_address(uint64_t reg) {
    return reg % 4 == 2;
}

/* --- words ---------------------------------------------------------------- */

static uint32_t rows_of(const struct backend_stim *s) {
    uint32_t n = (uint32_t)s->nb.size.REGS - PREDICATES;
    uint32_t hot = (uint32_t)s->nb.tune.hot;
    n = n < ISA_REGISTERS ? n : ISA_REGISTERS;
    return hot && hot < n ? hot : n;
}

static uint8_t some_row(struct backend_stim *s) {
    return (uint8_t)rng_below(&s->nb.base.rng, rows_of(s));
}

static uint8_t some_pred(struct backend_stim *s) {
    return (uint8_t)rng_below(&s->nb.base.rng, 16);
}

static uint64_t encode(const struct isa_word *w) {
    uint64_t word = 0;
    if (isa_encode(w, &word) != ISA_LEGAL)
        BUG("a word of operation 0x%02x is not legal", w->op);
    return word;
}

/* With shared memory, on either die, every word is carried out. */
static bool has_illegal(struct backend_stim *s) {
    return !shared_is(&s->nb, ISA_lds_b32);
}

static int some_op(struct backend_stim *s, bool access) {
    struct rng *r = &s->nb.base.rng;
    bool part = access && rng_percent(r, s->more.parts);
    bool illegal = has_illegal(s) && rng_percent(r, s->more.illegal);
    if (access && !part && !illegal)
        return rng_percent(r, 55) ? ISA_ldg_b32 : ISA_stg_b32;
    enum base_kind kind = part                 ? BASE_ACCESS
                          : illegal            ? BASE_FAULT
                          : rng_percent(r, 60) ? BASE_WORDS
                                               : BASE_CONTROL;
    int op = 0;
    while (op == 0 || !isa_info(op)->text || words_computed(op) ||
           shared_is(&s->nb, op) || base_kind(op) != kind ||
           (part && !base_part(op)))
        op = 1 + (int)rng_below(r, ISA_OPS - 1);
    return op;
}

/* Of the desk, or of global memory. */
static uint64_t other_word(struct backend_stim *s, bool access) {
    struct rng *r = &s->nb.base.rng;
    int op = some_op(s, access);
    struct isa_word w = {.op = (uint8_t)op, .guard = ISA_TRUE};
    if (!isa_has(op, 'U') && rng_percent(r, s->nb.tune.guards)) {
        w.guard = (uint8_t)rng_below(r, 8);
        w.unless = w.guard != ISA_TRUE && rng_percent(r, 50);
    }
    if (isa_has(op, 'd'))
        w.d = some_row(s);
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        w.a = some_row(s);
    if ((isa_has(op, 'm') || isa_has(op, 'n')) && rng_percent(r, 90))
        w.a = (uint8_t)(w.a - w.a % 4);
    if (isa_has(op, 'b'))
        w.b = some_row(s);
    if (isa_has(op, 'c'))
        w.c = some_row(s);
    if (isa_has(op, 'C'))
        w.c = some_pred(s);
    if (isa_has(op, 'i')) {
        w.imm = rng_percent(r, 40);
        if (w.imm)
            w.value = rng_below(r, 40);
        else
            w.b = some_row(s);
    }
    w.imm |= isa_has(op, 'm') || isa_has(op, 's') || isa_has(op, 'p');
    if (isa_has(op, 'p'))
        w.value = rng_below(
            r, (uint32_t)far_pipe_local(&s->nb.base.design->config).PARAMS);
    if (isa_has(op, 's'))
        w.value = rng_below(r, ISA_SPECIAL_shared + 1);
    if (isa_has(op, 'm') && rng_percent(r, base_part(op) ? 60 : 15))
        w.value = (uint32_t)(base_bytes(op) * rng_range(r, -2, 3));
    if (isa_has(op, 't'))
        w.target = w.join = (uint16_t)rng_below(r, 64);
    w.place = (uint8_t)rng_below(r, 4);
    return encode(&w);
}

/* A destination is no register for addresses, mostly. */
static uint64_t spare(struct backend_stim *s, uint64_t word) {
    struct isa_word w;
    if (isa_decode(word, ISA_REGISTERS, &w) != ISA_LEGAL)
        BUG("a word is not legal");
    bool has =
        isa_has(w.op, 'd') && (is_address(w.d) || is_shared_address(w.d));
    if (!has || rng_percent(&s->nb.base.rng, is_address(w.d) ? 8 : 25) ||
        w.d + 1u >= rows_of(s))
        return word;
    w.d++;
    return encode(&w);
}

/* Both copies of the code, that of each die. */
static void drive_code(struct backend_stim *s, struct far_pipe_in *far,
                       struct near_pipe_in *pipes) {
    struct rng *r = &s->nb.base.rng;
    core_drive_code(&s->nb, pipes);
    if (pipes->code_valid) {
        uint64_t word = pipes->code_word;
        int n = (int)rng_below(r, 100);
        if (pipes->code_tag == NOP_TAG)
            word = encode(&(struct isa_word){.op = ISA_nop, .guard = ISA_TRUE});
        else if (n < s->more.accesses)
            word = other_word(s, true);
        else if (n < s->more.accesses + s->more.desk)
            word = other_word(s, false);
        s->nb.code[pipes->code_tag] = pipes->code_word = spare(s, word);
    }
    far->code_valid = pipes->code_valid;
    far->code_tag = pipes->code_tag;
    far->code_word = pipes->code_word;
}

/* --- what may be issued --------------------------------------------------- */

static bool holds(const struct instr *i, const struct row *v, int lane) {
    return !i->has[GUARD] ||
           (v[GUARD].lane[0] >> lane & 1) != (uint32_t)i->word.unless;
}

static bool is_clock(const struct instr *i) {
    return i->word.op == ISA_s2r && i->word.value == ISA_SPECIAL_clock;
}

static bool has_op(const struct backend_stim *s, int warp, uint64_t op) {
    for (int n = 0; n < FLIGHTS; n++) {
        const struct flight *f = &s->nb.flight[warp][n];
        if ((f->state == ACCEPTED || f->state == EXECUTING) && f->i.op == op)
            return true;
    }
    return false;
}

/* The task of an instruction that is offered with operands v. */
static struct task task_for(const struct backend_stim *s, const struct instr *i,
                            const struct row *v, uint64_t lanes) {
    struct task t = {.kind = BASE_COMPUTED};
    if (words_computed(i->word.op) || shared_is(&s->nb, i->word.op))
        return t;
    t.kind = base_kind(i->word.op);
    t.cause = t.kind == BASE_FAULT ? ILLEGAL : 0;
    for (int l = 0; t.kind == BASE_ACCESS && l < s->nb.size.LANES; l++) {
        t.at[l] = (i->has[SRC0] ? v[SRC0].lane[l] : 0) + i->word.value;
        bool odd = t.at[l] % (uint32_t)base_bytes(i->word.op) != 0;
        bool off = t.at[l] < LOWEST || (s->bound && t.at[l] >= s->bound);
        if (t.cause || !(lanes >> l & 1) || (!odd && !off))
            continue;
        t.cause = odd ? ODD : OFF;
        t.address = t.at[l];
    }
    return t;
}

/* Registers that something which went wrong has left are not read. */
static bool reads_vague(struct backend_stim *s, const struct instr *i) {
    bool whole = i->mask == ones(s->nb.size.LANES) && !i->has[GUARD];
    for (int o = 0; o < OPERANDS; o++)
        if (i->has[o] && *vague_at(s, i->warp, i->reg[o]) &&
            !(o == DST && whole))
            return true;
    return false;
}

static bool may_issue(struct backend_stim *s, struct instr *i) {
    struct rng *r = &s->nb.base.rng;
    struct row v[OPERANDS] = {{{0}}};
    uint64_t lanes = 0;
    int w = i->warp;
    if (s->begun[w] < s->nb.size.REGS || s->begins[w] >= 0 ||
        (s->init.offered && s->init.warp == w) || has_op(s, w, OPC_st_global) ||
        reads_vague(s, i))
        return false;
    for (int o = 0; o < OPERANDS; o++)
        if (i->has[o])
            v[o] = *values_at(&s->nb, s->nb.truth, w, i->reg[o]);
    for (int l = 0; l < s->nb.size.LANES; l++)
        if ((i->mask >> l & 1) && holds(i, v, l))
            lanes |= bit(l);
    struct task t = task_for(s, i, v, lanes);
    bool beyond;
    if (t.kind == BASE_FAULT || t.cause)
        return rng_percent(r, s->more.illegal + 10);
    if (t.kind == BASE_WORDS)
        return base_known(s->desk, &i->word, (uint64_t)w);
    if (t.kind != BASE_ACCESS)
        return true;
    if ((has_op(s, w, OPC_ld_global) || has_op(s, w, OPC_atomic)) &&
        rng_percent(r, 70))
        return false; /* it would wait in the desk */
    return memory_may(s, w, i->word.op, lanes, t.at, &beyond);
}

/* Classes that near_bank's programs do not tell apart. */
static void refine(struct instr *i) {
    if (isa_info(i->word.op)->class == ISA_CLASS_cross)
        i->op = i->word.op == ISA_vote ? OPC_vote : OPC_shfl;
    if (i->word.op == ISA_bra)
        i->op = OPC_branch;
    if (i->word.op == ISA_bar)
        i->op = OPC_barrier;
}

/* The register of a warp that begins: a nop writes it, for the unit. */
static void offer_nop(struct backend_stim *s) {
    for (int w = 0; w < s->nb.size.WARPS; w++) {
        if (s->begins[w] < 0 || s->nb.code[NOP_TAG] == 0 ||
            !(s->nb.ready >> w & 1))
            continue;
        struct instr *i = &s->nb.offer;
        *i = words_instr(&s->nb, w, NOP_TAG);
        i->mask = ones(s->nb.size.LANES);
        i->has[DST] = true;
        i->reg[DST] = (uint64_t)s->begins[w];
        i->kind[DST] = values_is_pred(&s->nb, i->reg[DST]) ? 2 : 0;
        s->nb.offering = true;
        return;
    }
}

static void drive_issue(struct backend_stim *s, struct dies_in *in) {
    bool was = s->nb.offering;
    if (!was)
        offer_nop(s);
    bool nop = s->nb.offering && !was;
    int issue = s->nb.tune.issue;
    if (s->stage != RUN)
        s->nb.tune.issue = 0;
    core_drive_issue(&s->nb, in);
    s->nb.tune.issue = issue;
    if (was || nop || !s->nb.offering)
        return;
    s->nb.offering = may_issue(s, &s->nb.offer);
    if (s->nb.offering)
        refine(&s->nb.offer);
    /* the front end's class of them where shared memory is on the base die */
    if (s->nb.offering && s->shared_far &&
        shared_is(&s->nb, s->nb.offer.word.op))
        s->nb.offer.op = OPC_atomic;
    in->issue_op = s->nb.offer.op;
    in->issue_valid = s->nb.offering;
}

/* --- what program order makes of it --------------------------------------- */

/* Lane by lane, the lowest first; what a lane cannot reach stays, and reads
 * zero. */
static void change_part(struct backend_stim *s, struct flight *f,
                        const struct task *t, int l) {
    int op = f->i.word.op, bytes = base_bytes(op), low = t->at[l] % 4 * 8;
    uint32_t data = f->i.has[SRC2] ? f->expected[SRC2].lane[l] : 0;
    uint32_t old = memory_load(s, t->at[l]), mask = (uint32_t)ones(8 * bytes);
    f->made.lane[l] = 0;
    if (!memory_has(s, t->at[l]))
        return;
    if (isa_info(op)->class == ISA_CLASS_atomic) {
        uint32_t b = f->i.has[SRC1] ? f->expected[SRC1].lane[l] : 0;
        f->made.lane[l] = old;
        memory_store(s, t->at[l], alu_atomic(op, old, b, data));
    } else if (memory_changes(op)) {
        memory_store(s, t->at[l],
                     (old & ~(mask << low)) | (data & mask) << low);
    } else {
        f->made.lane[l] = old >> low & mask;
        if (op == ISA_ldg_s8 || op == ISA_ldg_s16)
            f->made.lane[l] = (uint32_t)bits_signed(f->made.lane[l], 8 * bytes);
    }
}

static void load_or_store(struct backend_stim *s, struct flight *f,
                          struct task *t) {
    bool store = f->i.op == OPC_st_global, part = base_part(f->i.word.op);
    bool beyond;
    if (t->cause)
        return;
    memory_may(s, f->i.warp, f->i.word.op, f->lanes, t->at, &beyond);
    t->cause = beyond ? MEMORY : 0;
    for (int l = 0; l < s->nb.size.LANES; l++) {
        if (!(f->lanes >> l & 1))
            continue;
        if (part)
            change_part(s, f, t, l);
        else if (store)
            memory_store(s, t->at[l],
                         f->i.has[SRC1] ? f->expected[SRC1].lane[l] : 0);
        else
            f->made.lane[l] = memory_load(s, t->at[l]);
    }
}

static void desk(struct backend_stim *s, struct flight *f) {
    const uint32_t *row[3];
    for (int o = SRC0; o <= SRC2; o++)
        row[o] = f->i.has[o] ? f->expected[o].lane : NULL;
    base_words(s->desk, &f->i.word, (uint64_t)f->i.warp, f->lanes, row,
               f->made.lane);
}

void program_accepted(struct backend_stim *s, struct flight *f) {
    struct task *t = task_of(s, f);
    struct row *d =
        f->i.has[DST] ? values_at(&s->nb, s->nb.truth, f->i.warp, f->i.reg[DST])
                      : NULL;
    bool whole = f->lanes == ones(s->nb.size.LANES);
    *t = task_for(s, &f->i, f->expected, f->lanes);
    if (f->i.has[DST] && whole)
        *vague_at(s, f->i.warp, f->i.reg[DST]) = false;
    if (t->kind == BASE_COMPUTED)
        return;
    if (t->kind == BASE_WORDS)
        desk(s, f);
    if (t->kind == BASE_ACCESS)
        load_or_store(s, f, t);
    if (t->kind == BASE_CONTROL && d) { /* of a warp that begins */
        *d = s->fresh[f->i.warp];
        for (int l = 0; l < s->nb.size.LANES; l++)
            f->made.lane[l] =
                f->i.kind[DST] == 2 ? d->lane[0] >> l & 1 : d->lane[l];
        s->begins[f->i.warp] = -1;
        return;
    }
    for (int l = 0; d && l < s->nb.size.LANES; l++)
        if (f->lanes >> l & 1)
            d->lane[l] = f->made.lane[l];
    if (d && t->cause && f->lanes)
        *vague_at(s, f->i.warp, f->i.reg[DST]) = true;
}

/* --- registers of warps that begin, parameters, special values ------------ */

static struct row fresh_row(struct backend_stim *s, int warp, uint64_t reg) {
    struct rng *r = &s->nb.base.rng;
    struct row row = {{0}};
    if (values_is_pred(&s->nb, reg)) {
        row.lane[0] = (uint32_t)(rng_next(r) & ones(s->nb.size.LANES));
        return row;
    }
    for (int l = 0; l < s->nb.size.LANES; l++)
        row.lane[l] = (uint32_t)rng_next(r);
    if (is_address(reg) && !rng_percent(r, 10))
        memory_addresses(s, warp, &row);
    else if (is_shared_address(reg) && s->nb.shares && rng_percent(r, 60))
        shared_addresses(&s->nb, &row);
    return row;
}

/* Some lanes alone, where the others are what the far file has. */
static void mask_init(struct backend_stim *s) {
    int w = s->init.warp;
    uint64_t reg = (uint64_t)s->init.reg;
    const struct row *far = values_at(&s->nb, s->nb.far, w, reg);
    s->init.mask = ones(s->nb.size.LANES);
    s->init.shown = s->init.row;
    if (s->begun[w] < s->nb.size.REGS || values_is_pred(&s->nb, reg) ||
        *vague_at(s, w, reg) || !rng_percent(&s->nb.base.rng, 40) ||
        !values_same(&s->nb, reg, far, values_at(&s->nb, s->nb.truth, w, reg)))
        return;
    s->init.mask &= rng_next(&s->nb.base.rng);
    for (int l = 0; l < s->nb.size.LANES; l++)
        if (!(s->init.mask >> l & 1))
            s->init.row.lane[l] = far->lane[l];
}

static void offer_init(struct backend_stim *s) {
    struct rng *r = &s->nb.base.rng;
    for (int w = 0; w < s->warps; w++)
        if (s->stage == PREPARE && s->begun[w] < s->nb.size.REGS) {
            s->init.warp = w;
            s->init.reg = s->begun[w];
            s->init.row = fresh_row(s, w, (uint64_t)s->init.reg);
            s->init.offered = true;
            return;
        }
    int w = (int)rng_below(r, (uint32_t)s->warps);
    if (s->stage != RUN || !rng_percent(r, s->more.renew) ||
        !core_rests(&s->nb, w) || s->begins[w] >= 0)
        return;
    s->init.warp = w;
    s->init.reg = (int)rng_below(r, (uint32_t)s->nb.size.REGS);
    if (rng_percent(r, 70))
        s->init.reg = (int)rng_below(r, rows_of(s)) & ~3;
    s->init.row = fresh_row(s, w, (uint64_t)s->init.reg);
    s->init.offered = true;
}

static void drive_init(struct backend_stim *s, struct lsu_rmw_in *in) {
    if (!s->init.offered) {
        s->init.waits = 0;
        offer_init(s);
        if (s->init.offered)
            mask_init(s);
    }
    in->init_valid = s->init.offered;
    in->init_warp = (uint64_t)s->init.warp;
    in->init_reg = (uint64_t)s->init.reg;
    in->init_mask = s->init.mask;
    for (int l = 0; l < s->nb.size.LANES; l++)
        bits_set_lane(in->init_row, l, s->init.shown.lane[l]);
}

/* A word of this operation is offered or under way. */
static bool is_under_way(struct backend_stim *s,
                         bool (*is)(const struct instr *)) {
    bool way = s->nb.offering && is(&s->nb.offer);
    for (int n = 0; n < flights_of(s); n++)
        way |= flight_no(s, n)->state != FREE && is(&flight_no(s, n)->i);
    return way;
}

static bool is_param(const struct instr *i) {
    return i->word.op == ISA_ldp;
}

static bool is_special(const struct instr *i) {
    return i->word.op == ISA_s2r;
}

static void drive_tables(struct backend_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->nb.base.rng;
    int params = far_pipe_local(&s->nb.base.design->config).PARAMS;
    int values = s->nb.size.WARPS * SPECIALS_N;
    bool again = rng_percent(r, 2);
    in->param_word = rng_next(r) & ones(32);
    in->param_index = (uint64_t)s->params % (uint64_t)params;
    in->param_valid =
        s->params < params || (again && !is_under_way(s, is_param));
    if (in->param_valid) {
        s->params++;
        base_param(s->desk, in->param_index, (uint32_t)in->param_word);
    }
    in->value_warp = (uint64_t)(s->values % values) / SPECIALS_N;
    in->value_index = (uint64_t)(s->values % values) % SPECIALS_N;
    in->value_word = rng_next(r) & ones(32);
    in->value_valid =
        s->values < values || (again && !is_under_way(s, is_special));
    if (in->value_valid) {
        s->values++;
        base_value(s->desk, in->value_warp, in->value_index,
                   (uint32_t)in->value_word);
    }
    if (!is_under_way(s, is_clock))
        s->clock = (rng_percent(r, 1) ? rng_next(r) : s->clock + 1) & ones(32);
    base_now(s->desk, s->clock);
    in->launch_now = s->clock;
    in->launch_bound = s->bound;
}

/* To the die that has shared memory. */
static void drive_window(struct backend_stim *s, struct far_pipe_in *far,
                         struct near_pipe_in *pipes) {
    uint64_t warp, base, rows;
    if (!shared_window(&s->nb, &warp, &base, &rows))
        return;
    if (s->shared_far) {
        far->window_valid = 1;
        far->window_warp = warp;
        far->window_base = base;
        far->window_rows = rows;
    } else {
        pipes->window_valid = 1;
        pipes->window_warp = warp;
        pipes->window_base = base;
        pipes->window_rows = rows;
    }
}

void program_drive(struct backend_stim *s, struct dies_in *unit,
                   struct far_pipe_in *far, struct lsu_rmw_in *rmw,
                   struct near_pipe_in *pipes) {
    drive_code(s, far, pipes);
    drive_init(s, rmw);
    drive_issue(s, unit);
    drive_tables(s, far);
    drive_window(s, far, pipes);
}

void program_reset(struct backend_stim *s) {
    size_t n = (size_t)(s->nb.size.WARPS * s->nb.size.REGS);
    memset(s->task, 0, sizeof s->task);
    memset(s->vague, 0, n * sizeof *s->vague);
    memset(s->begun, 0, sizeof s->begun);
    for (int w = 0; w < WARPS; w++)
        s->begins[w] = -1;
    s->init.offered = false;
    s->access = s->ask = NULL;
}

bool program_begins(const struct backend_stim *s) {
    bool begins = s->init.offered;
    for (int w = 0; w < s->warps; w++)
        begins |= s->begins[w] >= 0 || s->begun[w] < s->nb.size.REGS;
    return begins;
}

/* The row is in the far file.  What its nop tells is told when that is
 * accepted. */
void program_took(struct backend_stim *s, const struct edge *e) {
    int w = s->init.warp;
    uint64_t reg = (uint64_t)s->init.reg;
    if (!e->rmw_in->init_valid)
        return;
    if (!e->rmw_before->init_ready) {
        if (++s->init.waits > s->nb.patience)
            stim_complain(&s->nb.base, "a row of a warp that begins waits");
        return;
    }
    s->init.offered = false;
    *values_at(&s->nb, s->nb.far, w, reg) = s->init.row;
    *vague_at(s, w, reg) = false;
    if (s->begun[w] < s->nb.size.REGS) {
        s->begun[w]++;
        *values_at(&s->nb, s->nb.truth, w, reg) = s->init.row;
        return;
    }
    s->begins[w] = (int)reg;
    s->fresh[w] = s->init.row;
    s->renewed++;
}
