/* oracle.c - the launch without time.
 *
 * Each thread goes its own way by itself: a word may be issued for it only if
 * it is the next one of that way.  Which lanes go together is a list of paths
 * for each warp, the one that runs last in it, each with the place at which it
 * ends; the front end has a stack of what is left to do instead.
 */
#include "env.h"

#include "iface/opclass.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t all_lanes(const struct frontend_stim *s) {
    return (uint32_t)ones(s->l.LANES);
}

static int next_pc(const struct frontend_stim *s, int pc) {
    return (pc + 1) & (s->l.CODE - 1);
}

static const char *wrong(struct frontend_stim *s, int warp, const char *what) {
    return stim_complain(&s->base, "warp %d: %s", warp, what);
}

/* --- begin ---------------------------------------------------------------- */

void frontend_open(struct frontend_stim *s) {
    s->oracle.visits =
        xcalloc((size_t)(s->l.WARPS * s->l.LANES), (size_t)s->l.CODE);
}

void frontend_close(struct frontend_stim *s) {
    free(s->oracle.visits);
    array_free(&s->oracle.code);
    array_free(&s->oracle.wrong);
}

static bool is_legal(const struct frontend_stim *s, const struct isa_word *w) {
    int left = s->l.REGS - 8;
    for (const char *f = isa_info(w->op)->form; *f; f++) {
        int r = *f == 'd'                                            ? w->d
                : *f == 'a' || *f == 'm' || *f == 'n'                ? w->a
                : *f == 'b' || ((*f == 'i' || *f == 'f') && !w->imm) ? w->b
                : *f == 'c'                                          ? w->c
                                                                     : 0;
        if (r >= left)
            return false;
        if (*f == 'p' && w->value >= (uint32_t)s->l.PARAMS)
            return false;
        if (*f == 't' && (w->target >= s->l.CODE ||
                          (w->join != ISA_NO_JOIN && w->join >= s->l.CODE)))
            return false;
    }
    return true;
}

/* From a CTA of this core to its next one; who has set nothing has them all. */
static uint64_t step_of(const uint32_t *reg) {
    return reg[AT_CTA_STEP] ? reg[AT_CTA_STEP] : 1;
}

void frontend_start(struct frontend_stim *s) {
    struct oracle *o = &s->oracle;
    const uint32_t *reg = s->reg;
    uint64_t ctas =
        (uint64_t)reg[AT_GRID] * reg[AT_GRID + 1] * reg[AT_GRID + 2];
    o->code.n = o->wrong.n = 0;
    for (int i = 0; i < s->l.CODE; i++) {
        struct isa_word w = {.op = ISA_nop, .guard = ISA_TRUE};
        bool ok = true;
        if (i < s->l.CODE - 1) {
            uint64_t word = i < s->launch.code.n ? s->launch.code.v[i] : 0;
            ok = isa_decode(word, ISA_REGISTERS, &w) == ISA_LEGAL &&
                 is_legal(s, &w);
        }
        *array_push(&o->code) = w;
        *array_push(&o->wrong) = !ok;
    }
    o->ctas = 0;
    for (uint64_t i = reg[AT_FIRST_CTA]; i < ctas; i += step_of(reg))
        o->ctas++;
    o->begun = 0;
    o->released = 0;
    memset(o->warp, 0, sizeof o->warp);
}

static int warps_of(const struct frontend_stim *s) {
    return s->reg[AT_WARPS] ? (int)s->reg[AT_WARPS] : 1;
}

/* The CTA that is the n-th of this core. */
static void place_of(const struct frontend_stim *s, int n, uint32_t *at) {
    const uint32_t *grid = s->reg + AT_GRID;
    uint64_t i = s->reg[AT_FIRST_CTA] + (uint64_t)n * step_of(s->reg);
    at[0] = (uint32_t)(i % grid[0]);
    at[1] = (uint32_t)(i / grid[0] % grid[1]);
    at[2] = (uint32_t)(i / grid[0] / grid[1]);
}

static uint8_t *visits_of(struct frontend_stim *s, int warp, int lane, int pc) {
    return &s->oracle.visits[((size_t)(warp * s->l.LANES + lane)) *
                                 (size_t)s->l.CODE +
                             (size_t)pc];
}

/* A CTA comes to a slot: nothing of what was there may be left. */
static void comes(struct frontend_stim *s, int slot) {
    for (int k = 0; k < warps_of(s); k++) {
        int w = slot * warps_of(s) + k;
        struct shadow_warp *p = &s->oracle.warp[w % WARPS];
        if ((p->begun && !p->ended) || p->count)
            wrong(s, w, "a CTA comes to its slot, and it is not over");
        memset(p, 0, sizeof *p);
    }
    if ((uint32_t)slot >= s->reg[AT_RESIDENT])
        stim_complain(&s->base, "a CTA in slot %d", slot);
}

void frontend_told(struct frontend_stim *s, const struct frontend_out *o) {
    struct oracle *k = &s->oracle;
    struct shadow_warp *w;
    if (o->window_valid) {
        int warp = (int)o->window_warp;
        if (k->begun % warps_of(s) == 0)
            comes(s, warp / warps_of(s));
        w = &k->warp[warp];
        w->has_window = true;
        w->base = (uint32_t)o->window_base;
        w->rows = (uint32_t)o->window_rows;
    }
    if (!o->value_valid)
        return;
    w = &k->warp[o->value_warp];
    w->has_value[o->value_index] = true;
    w->value[o->value_index] = (uint32_t)o->value_word;
    if (w->begun)
        wrong(s, (int)o->value_warp, "a value of a warp that has begun");
}

static uint32_t special(const struct frontend_stim *s, int warp, int index) {
    const uint32_t *reg = s->reg;
    int n = warps_of(s);
    uint32_t at[3];
    place_of(s, s->oracle.begun / n, at);
    switch (index) {
    case ISA_SPECIAL_warpid:
        return (uint32_t)(s->oracle.begun % n);
    case ISA_SPECIAL_ctaid_x:
    case ISA_SPECIAL_ctaid_y:
    case ISA_SPECIAL_ctaid_z:
        return at[index - ISA_SPECIAL_ctaid_x];
    case ISA_SPECIAL_ntid_x:
    case ISA_SPECIAL_ntid_y:
    case ISA_SPECIAL_ntid_z:
        return reg[AT_BLOCK + index - ISA_SPECIAL_ntid_x];
    case ISA_SPECIAL_nctaid_x:
    case ISA_SPECIAL_nctaid_y:
    case ISA_SPECIAL_nctaid_z:
        return reg[AT_GRID + index - ISA_SPECIAL_nctaid_x];
    case ISA_SPECIAL_slot:
        return (uint32_t)(warp * s->l.LANES);
    default:
        return reg[AT_SHARED];
    }
}

void frontend_begins(struct frontend_stim *s, const struct frontend_out *o) {
    struct oracle *k = &s->oracle;
    int warp = (int)o->init_warp, n = warps_of(s), number = k->begun % n;
    int cta = k->begun / n, lanes = s->l.LANES, threads = 0;
    const uint32_t *block = s->reg + AT_BLOCK;
    struct shadow_warp *w = &k->warp[warp];
    uint32_t row = s->reg[AT_SHARED] / (4 * (uint32_t)s->l.ALUS);
    if (cta >= k->ctas)
        wrong(s, warp, "begins, and no CTA is left");
    if (w->begun || warp % n != number)
        wrong(s, warp, "begins, and it is not its turn");
    for (int i = 0; i < lanes; i++) {
        uint32_t t = (uint32_t)(number * lanes + i);
        bool is = t < s->reg[AT_THREADS];
        uint32_t packed = t % block[0] | t / block[0] % block[1] << 10 |
                          t / block[0] / block[1] << 20;
        threads += is;
        if ((o->init_mask >> i & 1) != is ||
            bits_lane(o->init_row, i) != (is ? packed : 0))
            wrong(s, warp, "a thread of it is another");
    }
    if (o->init_reg != 0)
        wrong(s, warp, "its threads come to another register than r0");
    for (int i = ISA_SPECIAL_warpid; i <= ISA_SPECIAL_shared; i++)
        if (i != ISA_SPECIAL_clock &&
            (!w->has_value[i] || w->value[i] != special(s, warp, i)))
            stim_complain(&s->base,
                          "warp %d: special value %d is %08" PRIx32
                          ", expected %08" PRIx32,
                          warp, i, w->value[i], special(s, warp, i));
    if (!w->has_window ||
        w->base != ((uint32_t)(warp / n) * row & ones(s->l.BANK_W)) ||
        w->rows != (row & ones(s->l.BANK_W + 1)))
        wrong(s, warp, "its window is another");
    w->begun = w->fresh = true;
    w->cta = cta;
    w->number = number;
    w->live = (uint32_t)ones(threads);
    w->n = 1;
    w->path[0] =
        (struct path){(int)s->reg[AT_ENTRY], -1, 0, (uint32_t)ones(threads)};
    for (int i = 0; i < lanes; i++)
        w->pc[i] = (int)s->reg[AT_ENTRY];
    memset(visits_of(s, warp, 0, 0), 0, (size_t)lanes * (size_t)s->l.CODE);
    k->begun++;
}

/* --- paths ---------------------------------------------------------------- */

static struct path *top(struct shadow_warp *w) {
    return &w->path[w->n - 1];
}

/* Paths that have come to their join, or have lost their lanes, end. */
static void settle(struct shadow_warp *w) {
    while (w->n && (top(w)->pc == top(w)->join || !(top(w)->mask & w->live)))
        w->n--;
    if (w->n)
        top(w)->mask &= w->live;
}

/* Lanes go, not all of the path's. */
static int diverge(struct frontend_stim *s, struct shadow_warp *w,
                   const struct isa_word *i, uint32_t go) {
    struct path *t = top(w);
    uint32_t stay = t->mask & ~go;
    int next = next_pc(s, t->pc), depth = t->depth + 1;
    bool goes_there = i->target == i->join, stays_there = next == i->join;
    if (i->join == ISA_NO_JOIN)
        return C_NO_JOIN;
    s->x_diverged = true;
    if (t->join == i->join && (goes_there || stays_there)) {
        t->mask = goes_there ? stay : go;
        t->pc = goes_there ? next : i->target;
        return C_NONE;
    }
    if (t->depth == s->l.STACK) {
        s->x_diverged = false;
        return C_STACK;
    }
    t->pc = i->join;
    if (!stays_there || goes_there)
        w->path[w->n++] = (struct path){next, i->join, depth, stay};
    if (!goes_there)
        w->path[w->n++] = (struct path){i->target, i->join, depth, go};
    return C_NONE;
}

/* --- guards --------------------------------------------------------------- */

static bool holds(struct frontend_stim *s, const struct flight *f, int lane) {
    const struct shadow_warp *w = &s->oracle.warp[f->warp];
    int visits = *visits_of(s, f->warp, lane, f->pc);
    uint64_t who = (uint64_t)w->cta * 64 + (uint64_t)w->number;
    uint64_t what = s->launch.seed ^ (uint64_t)f->pc << 40;
    if (f->w.guard == ISA_TRUE)
        return true;
    if (f->w.guard == P_WARP)
        return visits == 0 && rng_mix(what ^ who << 8) & 1;
    if (f->w.guard == P_PEEL)
        return lane != f->pc / 2 % s->l.LANES;
    what = rng_mix(what ^ who << 14 ^ (uint64_t)lane << 8 ^ (uint64_t)visits);
    if (f->w.guard == P_LOOP)
        return visits < AGAIN && what % 4 != 0;
    return what & 1;
}

uint32_t frontend_lanes(struct frontend_stim *s, const struct flight *f) {
    uint32_t lanes = 0;
    for (int i = 0; i < s->l.LANES; i++)
        if ((f->mask >> i & 1) && holds(s, f, i) != f->w.unless)
            lanes |= UINT32_C(1) << i;
    return lanes;
}

/* --- a word of class control ---------------------------------------------- */

/* The way of each thread. */
static void thread_goes(struct frontend_stim *s, struct shadow_warp *w,
                        const struct flight *f, int lane, bool active) {
    uint8_t *visits = visits_of(s, f->warp, lane, f->pc);
    if (*visits < 255)
        ++*visits;
    w->pc[lane] = next_pc(s, f->pc);
    if (active && f->w.op == ISA_bra)
        w->pc[lane] = f->w.target;
    if (active && f->w.op == ISA_exit)
        w->pc[lane] = -1;
}

static int carry_out(struct frontend_stim *s, struct shadow_warp *w,
                     const struct isa_word *i, uint32_t active) {
    struct path *t = top(w);
    switch (i->op) {
    case ISA_bra:
        if (active && active != t->mask)
            return diverge(s, w, i, active);
        t->pc = active ? i->target : next_pc(s, t->pc);
        return C_NONE;
    case ISA_exit:
        w->live &= ~active;
        break;
    case ISA_bar:
        if (t->mask != w->live)
            return C_BARRIER;
        w->arrived = true;
        break;
    case ISA_membar:
        w->fenced = true;
        break;
    case ISA_trap:
        if (active)
            return C_TRAP;
        break;
    default:
        break;
    }
    t->pc = next_pc(s, t->pc);
    return C_NONE;
}

void frontend_resolves(struct frontend_stim *s, const struct flight *f,
                       uint32_t lanes) {
    struct shadow_warp *w = &s->oracle.warp[f->warp];
    w->awaits = false;
    if (f->first) {
        w->fresh = false;
        return;
    }
    s->x_warp = f->warp;
    s->x_pc = f->pc;
    s->x_cause = carry_out(s, w, &f->w, lanes);
    w->faulty = s->x_cause != C_NONE;
    for (int i = 0; i < s->l.LANES; i++)
        if (f->mask >> i & 1)
            thread_goes(s, w, f, i, lanes >> i & 1);
    if (!w->faulty)
        settle(w);
    w->ended = w->n == 0;
}

/* --- issue ---------------------------------------------------------------- */

static uint64_t row(const struct frontend_stim *s, int r) {
    return UINT64_C(4) << s->l.REG_W | (uint64_t)r;
}

static uint64_t pred(const struct frontend_stim *s, int p) {
    return (p & 7) == 7 ? 0
                        : UINT64_C(6) << s->l.REG_W |
                              (uint64_t)(s->l.REGS - 8 + (p & 7));
}

static int class_of(const struct frontend_stim *s, const struct isa_word *w) {
    const char *text = isa_info(w->op)->text;
    bool result = isa_has(w->op, 'd');
    switch (isa_info(w->op)->class) {
    case ISA_CLASS_pred:
    case ISA_CLASS_compare:
        return OPC_setp;
    case ISA_CLASS_int:
    case ISA_CLASS_mul:
        return strncmp(text, "mov", 3) == 0 ? OPC_mov : OPC_int;
    case ISA_CLASS_f32:
        return strncmp(text, "cvt", 3) == 0 || strcmp(text, "frnd") == 0
                   ? OPC_cvt
                   : OPC_fp;
    case ISA_CLASS_global:
        return strcmp(text, "ldg.b32") == 0   ? OPC_ld_global
               : strcmp(text, "stg.b32") == 0 ? OPC_st_global
                                              : OPC_atomic;
    case ISA_CLASS_shared:
        return !s->l.NEAR_SHARED ? OPC_atomic
               : result          ? OPC_ld_shared
                                 : OPC_st_shared;
    case ISA_CLASS_atomic:
        return strncmp(text, "ats", 3) == 0 && s->l.NEAR_SHARED ? OPC_ld_shared
                                                                : OPC_atomic;
    case ISA_CLASS_special:
        return OPC_ld_const;
    case ISA_CLASS_cross:
        return text[0] == 'v' ? OPC_vote : OPC_shfl;
    default:
        return strcmp(text, "bar") == 0      ? OPC_barrier
               : strcmp(text, "membar") == 0 ? OPC_fence
                                             : OPC_branch;
    }
}

static bool on_shared(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_shared ||
           (isa_info(w->op)->class == ISA_CLASS_atomic && w->op >= ISA_ats_add);
}

static bool on_global(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_global ||
           (isa_info(w->op)->class == ISA_CLASS_atomic && !on_shared(w));
}

static bool is_store(const struct isa_word *w) {
    return w->op == ISA_stg_b32;
}

/* What shows must be the word, letter by letter of its form. */
static void check_word(struct frontend_stim *s, const struct frontend_out *o,
                       const struct isa_word *w, uint32_t mask) {
    uint64_t dst = 0, src[3] = {0, 0, 0};
    int warp = (int)o->issue_warp;
    for (const char *f = isa_info(w->op)->form; *f; f++)
        switch (*f) {
        case 'd':
            dst = row(s, w->d);
            break;
        case 'D':
            dst = pred(s, w->d);
            break;
        case 'a':
        case 'm':
        case 'n':
            src[0] = row(s, w->a);
            break;
        case 'A':
            src[0] = pred(s, w->a);
            break;
        case 'b':
            src[1] = row(s, w->b);
            break;
        case 'i':
        case 'f':
            src[1] = w->imm ? 0 : row(s, w->b);
            break;
        case 'B':
            src[1] = pred(s, w->b);
            break;
        case 'c':
            src[is_store(w) ? 1 : 2] = row(s, w->c);
            break;
        case 'C':
            src[2] = pred(s, w->c);
            break;
        default:
            break;
        }
    bool never = w->guard == 7 && w->unless;
    bool near = on_shared(w) && s->l.NEAR_SHARED;
    if (o->issue_mask != (never ? 0 : mask))
        wrong(s, warp, "a word for other lanes");
    if (o->issue_op != (uint64_t)class_of(s, w))
        wrong(s, warp, "a word of another class");
    if (o->issue_hint != (near ? 2 : w->place))
        wrong(s, warp, "a word with another hint");
    if (o->issue_dst != dst || o->issue_src0 != src[0] ||
        o->issue_src1 != src[1] || o->issue_src2 != src[2] ||
        o->issue_guard != pred(s, w->guard))
        wrong(s, warp, "a word with another operand");
}

static void check_begin(struct frontend_stim *s, const struct frontend_out *o) {
    if (o->issue_tag != (uint64_t)s->l.CODE - 1 ||
        o->issue_mask != all_lanes(s) || o->issue_op != OPC_branch ||
        o->issue_dst != row(s, 0) ||
        o->issue_src0 | o->issue_src1 | o->issue_src2 | o->issue_guard |
            o->issue_hint)
        wrong(s, (int)o->issue_warp, "its first word is another");
}

void frontend_shows(struct frontend_stim *s, const struct frontend_out *o) {
    int warp = (int)o->issue_warp, pc;
    struct shadow_warp *w = &s->oracle.warp[warp];
    uint64_t code;
    if (isa_encode(&s->oracle.code.v[o->issue_tag % (uint64_t)s->l.CODE],
                   &code) != ISA_LEGAL ||
        s->far_code[o->issue_tag] != code || s->near_code[o->issue_tag] != code)
        wrong(s, warp, "a word that the dies have not");
    if (!w->begun || w->ended)
        wrong(s, warp, "a word, and it does not run");
    if (w->awaits)
        wrong(s, warp, "a word, and the one before was not resolved");
    if (w->arrived)
        wrong(s, warp, "a word, and it is at a barrier");
    if (w->faulty)
        wrong(s, warp, "a word behind its fault");
    if (w->fenced && w->count)
        wrong(s, warp, "a word, and not all before has committed");
    if (w->stores)
        wrong(s, warp, "a word behind a store that has not committed");
    if (w->count >= s->l.LIMIT)
        wrong(s, warp, "more words than may be under way");
    w->fenced = false;
    if (w->fresh) {
        check_begin(s, o);
        return;
    }
    if (!w->n)
        return;
    pc = top(w)->pc;
    if ((int)o->issue_tag != pc)
        stim_complain(&s->base, "warp %d: word %d, expected %d", warp,
                      (int)o->issue_tag, pc);
    for (int i = 0; i < s->l.LANES; i++)
        if ((top(w)->mask >> i & 1) && w->pc[i] != pc)
            wrong(s, warp, "a word for a thread that is elsewhere");
    if (s->oracle.wrong.v[pc])
        wrong(s, warp, "an illegal word");
    else if (on_global(&s->oracle.code.v[pc]) && w->accesses)
        wrong(s, warp, "an access beside another");
    else
        check_word(s, o, &s->oracle.code.v[pc], top(w)->mask);
}

void frontend_taken(struct frontend_stim *s, const struct frontend_out *o) {
    struct rng *r = &s->base.rng;
    int warp = (int)o->issue_warp, pc = (int)o->issue_tag;
    struct shadow_warp *w = &s->oracle.warp[warp];
    struct flight f = {.warp = warp,
                       .pc = pc,
                       .w = s->oracle.code.v[pc],
                       .first = w->fresh,
                       .mask = (uint32_t)o->issue_mask};
    f.control = isa_info(f.w.op)->class == ISA_CLASS_control;
    f.global = on_global(&f.w);
    f.store = is_store(&f.w);
    f.shared = on_shared(&f.w);
    f.due = rng_range(r, 1,
                      f.control ? s->launch.tune.resolve : s->launch.tune.late);
    if (f.control && !f.first && w->n) /* also one whose guard never holds */
        f.mask = top(w)->mask;
    w->count++;
    w->stores += f.store;
    w->accesses += f.global;
    w->awaits = f.control;
    s->words++;
    if (s->flights == FLIGHTS)
        BUG("too many words under way");
    s->flight[s->flights++] = f;
    if (f.control || !w->n)
        return;
    for (int i = 0; i < s->l.LANES; i++)
        if (top(w)->mask >> i & 1)
            w->pc[i] = next_pc(s, pc);
    top(w)->pc = next_pc(s, pc);
    settle(w);
}

void frontend_commits(struct frontend_stim *s, const struct flight *f) {
    struct shadow_warp *w = &s->oracle.warp[f->warp];
    w->count--;
    w->stores -= f->store;
    w->accesses -= f->global;
}

/* A barrier holds until all of the CTA that have not ended are there with
 * nothing under way. */
void frontend_barriers(struct frontend_stim *s) {
    int n = warps_of(s);
    for (int first = 0; first + n <= s->l.WARPS; first += n) {
        bool all = true, any = false;
        for (int k = first; k < first + n; k++) {
            const struct shadow_warp *w = &s->oracle.warp[k];
            bool over = w->ended && !w->count;
            all &= over || (w->arrived && !w->count);
            any |= w->arrived;
        }
        for (int k = first; all && any && k < first + n; k++)
            s->oracle.warp[k].arrived = false;
        s->oracle.released += all && any;
    }
}

bool frontend_is_wrong(const struct frontend_stim *s, int warp, int pc) {
    const struct shadow_warp *w = &s->oracle.warp[warp];
    return w->begun && !w->ended && !w->fresh && !w->awaits && !w->arrived &&
           w->n && w->path[w->n - 1].pc == pc && s->oracle.wrong.v[pc];
}

bool frontend_quiet(const struct frontend_stim *s) {
    return s->flights == 0;
}

void frontend_done(struct frontend_stim *s) {
    struct oracle *o = &s->oracle;
    if (o->begun != o->ctas * warps_of(s))
        stim_complain(&s->base, "done, and %d warps of %d have begun", o->begun,
                      o->ctas * warps_of(s));
    if (s->flights)
        stim_complain(&s->base, "done, and not all has committed");
    for (int w = 0; w < s->l.WARPS; w++) {
        const struct shadow_warp *p = &o->warp[w];
        if (p->begun && !p->ended)
            wrong(s, w, "done, and it has not ended");
        for (int i = 0; p->begun && i < s->l.LANES; i++) {
            int t = p->number * s->l.LANES + i;
            if ((uint32_t)t < s->reg[AT_THREADS] && p->pc[i] != -1)
                wrong(s, w, "done, and a thread has not ended");
        }
    }
}
