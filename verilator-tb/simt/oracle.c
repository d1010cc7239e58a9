/* oracle.c - the launch without time, carried on by what retires.
 *
 * Each warp is executed in its own order: an instruction when its first pass
 * retires, and it must be the one that follows, with the lanes and the values
 * that follow.  Paths are kept as a list, the one that runs last in it, each
 * with the place at which it ends; the core has a stack of what is left to do
 * instead.  Memory is the oracle's own, and in the end the real one must be the
 * same.
 */
#include "env.h"

#include "isa/alu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_FIRST = 1, TAG_INSIDE };

#define each_lane(lane, set)                                                   \
    for (uint32_t rest_ = (set), lane;                                         \
         rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true);               \
         rest_ &= rest_ - 1)

static uint32_t all_lanes(const struct simt_stim *s) {
    return (uint32_t)ones(s->l.LANES);
}

void simt_oracle_open(struct simt_stim *s) {
    s->oracle.shared = xcalloc((size_t)s->l.SHARED, 4);
    simt_memory_open(&s->oracle.memory);
}

void simt_oracle_close(struct simt_stim *s) {
    struct oracle *o = &s->oracle;
    free(o->shared);
    if (o->memory.page)
        simt_memory_close(&o->memory);
    array_free(&o->code);
    array_free(&o->legal);
}

static bool is_legal(const struct simt_stim *s, const struct isa_word *w) {
    if (w->op == ISA_bra)
        return w->target < s->l.CODE &&
               (w->join == ISA_NO_JOIN || w->join < s->l.CODE);
    return w->op != ISA_ldp || w->value < (uint32_t)s->l.PARAMS;
}

bool simt_legal(const struct simt_stim *s, uint64_t code, struct isa_word *w) {
    return isa_decode(code, s->l.REGS, w) == ISA_LEGAL && is_legal(s, w);
}

void simt_oracle_prepare(struct simt_stim *s) {
    struct oracle *o = &s->oracle;
    const struct launch *l = &s->launch;
    o->code.n = o->legal.n = 0;
    for (int i = 0; i < l->code.n; i++) {
        struct isa_word w;
        *array_push(&o->legal) = simt_legal(s, l->code.v[i], &w);
        *array_push(&o->code) = w;
    }
    memset(o->warp, 0, sizeof o->warp);
    simt_memory_forget(&s->memory, l->seed);
    simt_memory_forget(&o->memory, l->seed);
}

void simt_oracle_start(struct simt_stim *s) {
    struct oracle *o = &s->oracle;
    const struct launch *l = &s->launch;
    for (int i = 0; i < 2; i++) {
        o->low[i] = s->l.AREAS ? l->reg[AT_AREA + i] : 0;
        o->size[i] =
            (s->l.AREAS ? l->reg[AT_AREA_END + i] : l->reg[AT_GRID + i]);
        o->size[i] -= o->size[i] ? o->low[i] : 0;
    }
    o->ctas = o->size[0] * o->size[1] * l->reg[AT_GRID + 2];
    o->first = s->l.STEPS ? l->reg[AT_FIRST_CTA] : 0;
    o->step = s->l.STEPS ? l->reg[AT_CTA_STEP] : 1;
    bool none = s->l.MOVES && !o->step;
    o->ctas = !none && o->ctas > o->first
                  ? (o->ctas - o->first - 1) / o->step + 1
                  : 0;
    o->begun = 0;
    o->initing = -1;
    o->next_warp = 0;
    o->issued = o->returned = o->diverged = 0;
    o->requests = o->conflicts = o->barriers = 0;
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

static bool ended(const struct shadow_warp *w) {
    return w->there && !w->n;
}

static int next_pc(const struct simt_stim *s, int pc) {
    return (pc + 1) & (s->l.CODE - 1);
}

/* Lanes go, not all of the path's. */
static int diverge(struct simt_stim *s, struct shadow_warp *w,
                   const struct isa_word *i, uint32_t go) {
    struct path *t = top(w);
    uint32_t stay = t->mask & ~go;
    int next = next_pc(s, t->pc), depth = t->depth + 1;
    bool goes_there = i->target == i->join, stays_there = next == i->join;
    if (i->join == ISA_NO_JOIN)
        return C_NO_JOIN;
    if (t->join == i->join && (goes_there || stays_there)) {
        t->mask = goes_there ? stay : go;
        t->pc = goes_there ? next : i->target;
        s->oracle.diverged++;
        return C_NONE;
    }
    if (t->depth == s->l.STACK)
        return C_STACK;
    s->oracle.diverged++;
    t->pc = i->join;
    if (!stays_there || goes_there)
        w->path[w->n++] = (struct path){next, i->join, depth, stay};
    if (!goes_there)
        w->path[w->n++] = (struct path){i->target, i->join, depth, go};
    return C_NONE;
}

/* Carry out control; the fault that it is. */
static int control(struct simt_stim *s, struct shadow_warp *w,
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
        w->bars++;
        w->fenced = true;
        break;
    case ISA_membar:
        w->fenced = true;
        w->at_membar = w->unshown = s->l.FENCES;
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

/* --- values --------------------------------------------------------------- */

static uint32_t predicate(const struct simt_stim *s,
                          const struct shadow_warp *w, int field) {
    uint32_t p = (field & 7) == ISA_TRUE ? all_lanes(s) : w->p[field & 7];
    return field & ISA_INVERT ? ~p & all_lanes(s) : p;
}

static uint32_t active_lanes(const struct simt_stim *s, struct shadow_warp *w,
                             const struct isa_word *i) {
    return top(w)->mask &
           predicate(s, w, i->guard | (i->unless ? ISA_INVERT : 0));
}

static uint32_t special(const struct simt_stim *s, int warp, uint32_t index,
                        uint32_t lane) {
    const struct shadow_warp *w = &s->oracle.warp[warp];
    const uint32_t *reg = s->launch.reg;
    switch (index) {
    case ISA_SPECIAL_laneid:
        return lane;
    case ISA_SPECIAL_warpid:
        return (uint32_t)w->number;
    case ISA_SPECIAL_ctaid_x:
    case ISA_SPECIAL_ctaid_y:
    case ISA_SPECIAL_ctaid_z:
        return s->oracle.at[w->slot][index - ISA_SPECIAL_ctaid_x];
    case ISA_SPECIAL_ntid_x:
    case ISA_SPECIAL_ntid_y:
    case ISA_SPECIAL_ntid_z:
        return reg[AT_BLOCK + index - ISA_SPECIAL_ntid_x];
    case ISA_SPECIAL_nctaid_x:
    case ISA_SPECIAL_nctaid_y:
    case ISA_SPECIAL_nctaid_z:
        return reg[AT_GRID + index - ISA_SPECIAL_nctaid_x];
    case ISA_SPECIAL_slot:
        return (uint32_t)(warp * s->l.LANES) + lane;
    default:
        return reg[AT_SHARED];
    }
}

static uint32_t lane_value(const struct simt_stim *s, int warp,
                           const struct isa_word *i, uint32_t lane) {
    const struct shadow_warp *w = &s->oracle.warp[warp];
    uint32_t b = i->imm || i->op == ISA_movi ? i->value : w->r[i->b][lane];
    enum isa_class class = isa_info(i->op)->class;
    if (class == ISA_CLASS_pred)
        return alu_test(i, predicate(s, w, i->a) >> lane & 1,
                        predicate(s, w, i->b) >> lane & 1);
    if (class == ISA_CLASS_compare)
        return alu_test(i, w->r[i->a][lane], b);
    if (i->op == ISA_ldp)
        return s->launch.params[i->value % ENV_PARAMS];
    if (i->op == ISA_s2r)
        return special(s, warp, i->value, lane);
    return alu_value(i, w->r[i->a][lane], b, w->r[i->c][lane],
                     predicate(s, w, i->c & 15) >> lane & 1);
}

/* --- accesses ------------------------------------------------------------- */

static bool is_access(int op) {
    enum isa_class c = isa_info(op)->class;
    return c == ISA_CLASS_global || c == ISA_CLASS_shared ||
           c == ISA_CLASS_atomic || c == ISA_CLASS_cross;
}

static bool is_shared(int op) {
    return isa_info(op)->timing == ISA_TIMING_shared;
}

static int access_bytes(int op) {
    const char *text = isa_info(op)->text;
    enum isa_class c = isa_info(op)->class;
    if (c == ISA_CLASS_atomic)
        return 4;
    return strchr(text, '8') ? 1 : strstr(text, "16") ? 2 : 4;
}

static uint32_t address_of(const struct shadow_warp *w,
                           const struct isa_word *i, uint32_t lane) {
    bool offset = isa_info(i->op)->class != ISA_CLASS_atomic;
    return w->r[i->a][lane] + (offset ? i->value : 0);
}

/* The fault of the lowest lane that has one. */
static struct omen access_fault(const struct simt_stim *s,
                                struct shadow_warp *w, const struct isa_word *i,
                                uint32_t active) {
    const uint32_t *reg = s->launch.reg;
    if (isa_info(i->op)->class == ISA_CLASS_cross)
        return (struct omen){0};
    each_lane(lane, active) {
        uint32_t at = address_of(w, i, lane);
        int cause = C_NONE;
        if (at % (uint32_t)access_bytes(i->op))
            cause = C_MISALIGNED;
        else if (is_shared(i->op)
                     ? at >= reg[AT_SHARED]
                     : at < 256 || (reg[AT_END] && at >= reg[AT_END]))
            cause = C_UNMAPPED;
        if (cause)
            return (struct omen){cause, top(w)->pc, at};
    }
    return (struct omen){0};
}

static uint32_t load(struct simt_stim *s, const struct shadow_warp *w, int op,
                     uint32_t at, int bytes) {
    if (!is_shared(op))
        return simt_memory_load(&s->oracle.memory, at, bytes);
    const uint8_t *p =
        s->oracle.shared + (uint32_t)w->slot * s->launch.reg[AT_SHARED] + at;
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << 8 * i;
    return v;
}

static void store(struct simt_stim *s, const struct shadow_warp *w, int op,
                  uint32_t at, int bytes, uint32_t value) {
    if (!is_shared(op)) {
        simt_memory_store(&s->oracle.memory, at, bytes, value);
        return;
    }
    uint8_t *p =
        s->oracle.shared + (uint32_t)w->slot * s->launch.reg[AT_SHARED] + at;
    for (int i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* A word that others change at the same time. */
static bool of_many(const struct simt_stim *s, int op, uint32_t at) {
    const struct launch *l = &s->launch;
    return is_shared(op) ? at >= l->shared_many
                         : at >= l->many[0] && at < l->many[1];
}

/* Shared edges that leave lanes to do in their pass. */
static uint64_t conflicts_of(const struct simt_stim *s,
                             const struct shadow_warp *w,
                             const struct isa_word *i, uint32_t active) {
    bool atomic = isa_info(i->op)->class == ISA_CLASS_atomic;
    bool joins = !atomic && isa_has(i->op, 'd');
    uint64_t edges = 0;
    for (int first = 0; first < s->l.LANES; first += s->l.ALUS) {
        uint32_t left = active & (uint32_t)ones(s->l.ALUS) << first;
        for (; left; edges += left != 0) {
            uint32_t banks = 0, words[ENV_LANES], served = 0;
            each_lane(lane, left) {
                uint32_t word = address_of(w, i, lane) / 4;
                uint32_t bank = word % (uint32_t)s->l.ALUS;
                bool first_of = !(banks >> bank & 1) && !(atomic && served);
                if (first_of)
                    words[bank] = word;
                if (first_of || (joins && words[bank] == word))
                    served |= 1u << lane;
                banks |= 1u << bank;
            }
            left &= ~served;
        }
    }
    return edges;
}

static uint64_t requests_of(const struct simt_stim *s,
                            const struct shadow_warp *w,
                            const struct isa_word *i, uint32_t active) {
    uint64_t n = 0;
    if (isa_info(i->op)->class == ISA_CLASS_atomic || !s->l.MERGE)
        return (uint64_t)__builtin_popcount(active);
    for (uint32_t left = active; left; n++) {
        uint32_t sector =
            address_of(w, i, (uint32_t)__builtin_ctz(left)) >> s->l.SECTOR_W;
        each_lane(lane, left) if (address_of(w, i, lane) >> s->l.SECTOR_W ==
                                  sector) left &= ~(1u << lane);
    }
    return n;
}

static void memory_access(struct simt_stim *s, struct shadow_warp *w,
                          const struct isa_word *i, uint32_t active,
                          struct owed *owed) {
    bool atomic = isa_info(i->op)->class == ISA_CLASS_atomic;
    bool sign = strstr(isa_info(i->op)->text, ".s") != NULL;
    int bytes = access_bytes(i->op);
    if (is_shared(i->op))
        s->oracle.conflicts += conflicts_of(s, w, i, active);
    else
        s->oracle.requests += requests_of(s, w, i, active);
    each_lane(lane, active) {
        uint32_t at = address_of(w, i, lane), c = w->r[i->c][lane], v;
        if (!isa_has(i->op, 'd')) {
            store(s, w, i->op, at, bytes, c);
            continue;
        }
        v = load(s, w, i->op, at, bytes);
        if (atomic)
            store(s, w, i->op, at, 4,
                  alu_atomic(i->op, v, w->r[i->b][lane], c));
        owed->any |= of_many(s, i->op, at);
        owed->value[lane] =
            sign && bytes < 4 ? (uint32_t)bits_signed(v, 8 * bytes) : v;
    }
}

/* PTX's shfl: the lane it takes from. */
static uint32_t source(const struct simt_stim *s, const struct isa_word *i,
                       uint32_t lane, uint32_t b, uint32_t c) {
    int mask = s->l.LANES - 1, at = (int)lane;
    int segment = (int)(c >> 8) & mask, delta = (int)b & mask;
    int low = at & segment, most = low | ((int)c & mask & ~segment);
    int from = i->op == ISA_shfl_idx    ? low | (delta & ~segment)
               : i->op == ISA_shfl_up   ? at - delta
               : i->op == ISA_shfl_down ? at + delta
                                        : at ^ delta;
    bool inside = i->op == ISA_shfl_up ? from >= most : from <= most;
    return (uint32_t)(inside ? from : at);
}

static void exchange(struct simt_stim *s, struct shadow_warp *w,
                     const struct isa_word *i, uint32_t active,
                     struct owed *owed) {
    uint32_t votes = active & predicate(s, w, i->c & 15);
    each_lane(lane, active) {
        uint32_t b = i->imm ? i->value : w->r[i->b][lane];
        uint32_t from = source(s, i, lane, b, w->r[i->c][lane]);
        owed->value[lane] = i->op == ISA_vote    ? votes
                            : active >> from & 1 ? w->r[i->a][from]
                                                 : 0;
    }
}

static void do_access(struct simt_stim *s, struct shadow_warp *w,
                      const struct isa_word *i, uint32_t active) {
    struct owed owed = {.used = true, .pc = top(w)->pc, .active = active};
    struct omen omen = access_fault(s, w, i, active);
    if (!w->omen.cause)
        w->omen = omen;
    if (!omen.cause) {
        if (isa_info(i->op)->class == ISA_CLASS_cross)
            exchange(s, w, i, active, &owed);
        else
            memory_access(s, w, i, active, &owed);
    }
    if (isa_has(i->op, 'd'))
        w->owed[i->d] = owed;
    top(w)->pc = next_pc(s, top(w)->pc);
}

/* --- retirement ----------------------------------------------------------- */

static const char *wrong(struct simt_stim *s, int warp, int pc,
                         const char *what) {
    return stim_complain(&s->base, "warp %d, pc %d: %s", warp, pc, what);
}

/* Registers that a word reads or writes must not be owed. */
static bool reads_owed(const struct shadow_warp *w, const struct isa_word *i) {
    int op = i->op;
    bool second = isa_has(op, 'b') || isa_has(op, 'i') || isa_has(op, 'f');
    bool first = isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n');
    return (isa_has(op, 'd') && w->owed[i->d].used) ||
           (first && w->owed[i->a].used) ||
           (second && !i->imm && w->owed[i->b].used) ||
           (isa_has(op, 'c') && w->owed[i->c].used);
}

/* All warps of the CTA have come to the barrier that this one has passed. */
static bool barrier_met(const struct simt_stim *s,
                        const struct shadow_warp *w) {
    int each = (int)s->launch.reg[AT_WARPS];
    for (int k = 0; k < each; k++) {
        const struct shadow_warp *other = &s->oracle.warp[w->slot * each + k];
        if (!other->there || (!ended(other) && other->bars < w->bars))
            return false;
    }
    return true;
}

/* What a warp has stored before a fence is in memory.  Programs keep the
 * address of their region in r1. */
static bool fence_holds(struct simt_stim *s, const struct shadow_warp *w) {
    uint32_t from = w->r[1][__builtin_ctz(w->live)];
    uint32_t to = from + s->launch.region;
    bool stores = isa_info(w->step.w.op)->timing == ISA_TIMING_global;
    if ((stores && !w->step.offered) || from == to)
        return true;
    return simt_memory_compare(&s->memory, &s->oracle.memory, from, to) == to;
}

static bool owes(const struct simt_stim *s, const struct shadow_warp *w) {
    for (int r = 0; r < s->l.REGS; r++)
        if (w->owed[r].used)
            return true;
    return w->owed_pred.used;
}

/* A guest that has nothing more to do. */
static bool at_end(const struct shadow_warp *w) {
    return w->guest && w->n == 1 && w->path[0].pc == w->end;
}

static bool is_offered(const struct simt_stim *s, const struct shadow_warp *w,
                       const struct isa_word *i);
static const char *expect_offer(struct simt_stim *s, int warp, int pc,
                                const struct isa_word *i, uint32_t active);

static const char *first_pass(struct simt_stim *s, int warp, int pc) {
    struct oracle *o = &s->oracle;
    struct shadow_warp *w = &o->warp[warp];
    struct step *step = &w->step;
    if (!w->there || !w->n)
        return wrong(s, warp, pc, "retires, and the warp has ended");
    if (pc != top(w)->pc)
        return stim_complain(&s->base, "warp %d: pc %d retires, expected %d",
                             warp, pc, top(w)->pc);
    if (at_end(w))
        return wrong(s, warp, pc, "retires, and the guest is at its end");
    if (pc >= o->code.n || !o->legal.v[pc])
        return wrong(s, warp, pc, "an illegal word retires");
    *step = (struct step){.w = o->code.v[pc]};
    if (reads_owed(w, &step->w))
        return wrong(s, warp, pc, "retires before a load that it needs");
    if (w->fenced && !barrier_met(s, w))
        return wrong(s, warp, pc, "passes a barrier before other warps");
    if (w->fenced && !fence_holds(s, w))
        return wrong(s, warp, pc, "passes a fence before its stores");
    if (w->unshown)
        return wrong(s, warp, pc, "passes a membar, and 'fenced' is low");
    w->fenced = w->at_membar = false;
    step->active = active_lanes(s, w, &step->w);
    if (w->chained)
        return wrong(s, warp, pc, "retires, and its warp must wait");
    step->offered = is_offered(s, w, &step->w);
    if (step->offered && s->l.MOVES) {
        step->active = top(w)->mask;
        if (owes(s, w) || !fence_holds(s, w))
            return wrong(s, warp, pc, "is offered, and its warp owes");
    }
    if (step->offered)
        return expect_offer(s, warp, pc, &step->w, step->active);
    if (s->l.MOVES ? step->w.mark
                   : step->w.chain != TAG_FIRST && step->w.chain != TAG_INSIDE)
        w->alone = false;
    simt_coverage_add(s, &step->w, step->active, w->r[step->w.a]);
    enum isa_class class = isa_info(step->w.op)->class;
    if (class == ISA_CLASS_control || is_access(step->w.op))
        return NULL;
    step->kind = class == ISA_CLASS_pred || class == ISA_CLASS_compare ? 2 : 1;
    step->any = step->w.op == ISA_s2r && step->w.value == ISA_SPECIAL_clock;
    if (!step->any)
        each_lane(lane, step->active) step->value[lane] =
            lane_value(s, warp, &step->w, lane);
    return NULL;
}

/* One pass of what is expected; any: values are taken. */
static const char *compare(struct simt_stim *s, const struct simt_out *o,
                           int kind, int d, uint32_t active, bool any,
                           uint32_t *value) {
    int warp = (int)o->ret_warp, pc = (int)o->ret_pc;
    int first = (int)o->ret_pass * s->l.ALUS;
    uint32_t mask = active >> first & (uint32_t)ones(s->l.ALUS);
    if ((int)o->ret_kind != kind || (int)o->ret_d != d)
        return wrong(s, warp, pc, "kind or destination of its result");
    if (o->ret_mask != mask)
        return wrong(s, warp, pc, "other lanes than expected");
    for (int i = 0; i < s->l.ALUS; i++) {
        uint32_t got = bits_lane(o->ret_value, i);
        uint32_t want = mask >> i & 1 ? value[first + i] : 0;
        if (any && mask >> i & 1)
            value[first + i] = got;
        else if (got != want)
            return stim_complain(&s->base,
                                 "warp %d, pc %d: lane %d gets %08" PRIx32
                                 ", expected %08" PRIx32,
                                 warp, pc, first + i, got, want);
    }
    return NULL;
}

static void write_register(struct shadow_warp *w, int d, uint32_t active,
                           const uint32_t *value) {
    each_lane(lane, active) w->r[d][lane] = value[lane];
    w->known[d] |= active;
}

static void write_predicate(struct shadow_warp *w, int d, uint32_t active,
                            const uint32_t *value) {
    each_lane(lane, d == ISA_TRUE ? 0 : active) w->p[d] =
        (w->p[d] & ~(1u << lane)) | value[lane] << lane;
    w->known_p[d] |= active;
}

/* --- chains --------------------------------------------------------------- */

static bool is_offered(const struct simt_stim *s, const struct shadow_warp *w,
                       const struct isa_word *i) {
    if (s->l.MOVES)
        return i->mark && !w->alone && !w->guest;
    return s->l.OFFERS && (w->builds || (i->chain == TAG_FIRST && !w->alone));
}

static bool holds(const struct shadow_warp *w, int r, uint32_t lanes) {
    return !(lanes & ~w->known[r]);
}

static const char *compare_offer(struct simt_stim *s, int warp,
                                 const struct offered *f,
                                 const struct shown *o) {
    const uint32_t end = s->launch.reg[AT_END];
    int pc = o->pc, l = f->active ? __builtin_ctz(f->active) : 0;
    bool row = true, same_a = true, same_b = true;
    if (pc != f->pc || o->code != s->launch.code.v[pc])
        return wrong(s, warp, pc, "offers another word");
    if (o->mask != f->active)
        return wrong(s, warp, pc, "is offered for other lanes");
    each_lane(lane, f->active) {
        uint32_t at = f->a[lane];
        row = row && at == f->a[l] + 4 * (lane - (uint32_t)l) && at % 4 == 0 &&
              at >= 256 && (!end || at < end);
        same_a = same_a && at == f->a[l];
        same_b = same_b && f->b[lane] == f->b[l];
    }
    if (!f->any_a &&
        (o->a != f->a[l] || o->in_row != row || o->same_a != same_a))
        return wrong(s, warp, pc, "is offered with another first operand");
    if (!f->any_b && (o->b != f->b[l] || o->same_b != same_b))
        return wrong(s, warp, pc, "is offered with another second operand");
    return NULL;
}

/* The words of a chain retire and are offered in the same order; the second of
 * the two events compares. */
static const char *meet(struct simt_stim *s, int warp, uint32_t n) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (n >= w->n_offered || n >= w->n_shown)
        return NULL;
    return compare_offer(s, warp, &w->offered[n % ENV_OFFERS],
                         &w->shown[n % ENV_OFFERS]);
}

/* What the offer of a word must show. */
static const char *expect_offer(struct simt_stim *s, int warp, int pc,
                                const struct isa_word *i, uint32_t active) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (w->n_offered == w->n_shown + ENV_OFFERS)
        return wrong(s, warp, pc, "retires, and words before are not offered");
    struct offered *f = &w->offered[w->n_offered % ENV_OFFERS];
    bool preds = isa_info(i->op)->class == ISA_CLASS_pred;
    int b_reg = (int)(s->launch.code.v[pc] >> 40) & (s->l.REGS - 1);
    *f = (struct offered){.pc = pc, .active = active};
    f->any_a = !preds && !holds(w, i->a, active);
    f->any_b = i->op == ISA_s2r ? i->value == ISA_SPECIAL_clock
               : preds || i->imm || isa_has(i->op, 'w')
                   ? false
                   : !holds(w, b_reg, active);
    each_lane(lane, active) {
        f->a[lane] =
            preds ? predicate(s, w, i->a) >> lane & 1
                  : w->r[i->a][lane] + (isa_has(i->op, 'm') ? i->value : 0);
        f->b[lane] = preds              ? predicate(s, w, i->b) >> lane & 1
                     : i->op == ISA_s2r ? special(s, warp, i->value, lane)
                     : i->op == ISA_ldp ? lane_value(s, warp, i, lane)
                     : i->imm || isa_has(i->op, 'w') ? i->value
                                                     : w->r[b_reg][lane];
    }
    return meet(s, warp, w->n_offered++);
}

const char *simt_oracle_offer(struct simt_stim *s, const struct simt_out *o) {
    int warp = (int)o->offer_warp;
    if (warp >= s->l.WARPS)
        return wrong(s, warp, (int)o->offer_pc, "offers a word, and is none");
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (w->n_shown == w->n_offered + ENV_OFFERS)
        return wrong(s, warp, (int)o->offer_pc, "offers what has not retired");
    w->shown[w->n_shown % ENV_OFFERS] = (struct shown){
        .pc = (int)o->offer_pc,
        .code = o->offer_code,
        .mask = (uint32_t)o->offer_mask,
        .a = (uint32_t)o->offer_a,
        .b = (uint32_t)o->offer_b,
        .in_row = o->offer_in_row,
        .same_a = o->offer_same_a,
        .same_b = o->offer_same_b,
    };
    return meet(s, warp, w->n_shown++);
}

const char *simt_oracle_goes(struct simt_stim *s, int warp, int pc,
                             bool alone) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (!w->chained || w->n_shown != w->n_offered)
        return wrong(s, warp, pc, "news of a warp whose chain was not offered");
    w->chained = w->builds = false;
    w->alone = alone;
    if (!s->l.MOVES || !alone)
        top(w)->pc = pc;
    settle(w);
    return NULL;
}

const char *simt_oracle_away(struct simt_stim *s, int warp, int pc, int words) {
    struct oracle *o = &s->oracle;
    struct shadow_warp *w = &o->warp[warp];
    memcpy(o->kept, w->r, sizeof o->kept);
    w->made_from = pc;
    for (int n = 0; n < words; n++) {
        const struct isa_word *i = &o->code.v[pc + n];
        uint32_t active = active_lanes(s, w, i);
        bool global = isa_info(i->op)->class == ISA_CLASS_global;
        if (global && access_fault(s, w, i, active).cause)
            return wrong(s, warp, pc + n, "goes elsewhere, and is a fault");
        each_lane(lane, active) {
            uint32_t at = global ? address_of(w, i, lane) : 0;
            uint32_t *made = &w->made[n][lane];
            if (!global)
                *made = lane_value(s, warp, i, lane);
            else if (isa_has(i->op, 'd'))
                *made = load(s, w, i->op, at, 4);
            else
                store(s, w, i->op, at, 4, w->r[i->c][lane]);
        }
        each_lane(lane, isa_has(i->op, 'd') ? active : 0) w->r[i->d][lane] =
            w->made[n][lane];
    }
    memcpy(w->r, o->kept, sizeof o->kept);
    return NULL;
}

void simt_oracle_puts(struct simt_stim *s, int warp, int pc) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    const struct isa_word *i = &s->oracle.code.v[pc];
    struct owed owed = {
        .used = true, .put = true, .pc = pc, .active = active_lanes(s, w, i)};
    memcpy(owed.value, w->made[pc - w->made_from], sizeof owed.value);
    if (isa_has(i->op, 'd')) {
        w->owed[i->d] = owed;
    } else {
        w->owed_pred = owed;
        w->owed_d = i->d;
    }
}

/* --- blocks --------------------------------------------------------------- */

void simt_oracle_opens(struct simt_stim *s, int warp) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    memset(w, 0, offsetof(struct shadow_warp, p));
    w->there = w->guest = true;
}

void simt_oracle_spawns(struct simt_stim *s, int warp, int pc, int end,
                        uint32_t mask) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    w->live = mask;
    w->end = end;
    w->n = 1;
    w->path[0] = (struct path){pc, -1, 0, mask};
}

const char *simt_oracle_over(struct simt_stim *s, int warp) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    const struct launch *l = &s->launch;
    uint32_t from = l->guests + (uint32_t)warp * l->guest_region;
    uint32_t to = from + l->guest_region;
    if (!at_end(w))
        return wrong(s, warp, w->n ? top(w)->pc : 0,
                     "is over, and not at its end");
    if (owes(s, w))
        return wrong(s, warp, w->end, "is over, and waits for a result");
    if (simt_memory_compare(&s->memory, &s->oracle.memory, from, to) != to)
        return wrong(s, warp, w->end, "is over before its stores");
    return NULL;
}

void simt_oracle_delivers(struct simt_stim *s, const struct delivery *d) {
    struct shadow_warp *w = &s->oracle.warp[d->warp];
    struct owed owed = {
        .used = true, .put = true, .pc = d->pc, .active = d->mask};
    memcpy(owed.value, d->value, sizeof owed.value);
    if (d->pred) {
        w->owed_pred = owed;
        w->owed_d = d->d;
    } else {
        w->owed[d->d] = owed;
    }
}

uint32_t simt_oracle_lanes(const struct simt_stim *s, const struct look *l) {
    const struct shadow_warp *w = &s->oracle.warp[l->warp];
    return !l->pred           ? w->known[l->n]
           : l->n == ISA_TRUE ? all_lanes(s)
                              : w->known_p[l->n];
}

const char *simt_oracle_seen(struct simt_stim *s, const struct look *l,
                             uint32_t mask, int pass, const uint64_t *data) {
    const struct shadow_warp *w = &s->oracle.warp[l->warp];
    for (int i = 0; i < s->l.ALUS; i++) {
        int lane = pass * s->l.ALUS + i;
        uint32_t got = bits_lane(data, i);
        uint32_t want = !(mask >> lane & 1) ? 0
                        : !l->pred          ? w->r[l->n][lane]
                                            : predicate(s, w, l->n) >> lane & 1;
        if (got != want)
            return stim_complain(&s->base,
                                 "look at %c%d, warp %d, lane %d: %08" PRIx32
                                 ", expected %08" PRIx32,
                                 l->pred ? 'p' : 'r', l->n, l->warp, lane, got,
                                 want);
    }
    return NULL;
}

/* --- retirement, whole ---------------------------------------------------- */

/* The last pass has come: the instruction takes effect. */
static const char *carry_out(struct simt_stim *s, int warp, int pc,
                             const struct simt_out *after) {
    struct shadow_warp *w = &s->oracle.warp[warp];
    struct step *step = &w->step;
    s->oracle.issued++;
    s->oracle.instructions++;
    if (step->offered) {
        w->builds = step->w.chain == TAG_FIRST || step->w.chain == TAG_INSIDE;
        w->builds = w->builds && !s->l.MOVES;
        w->chained = !w->builds;
        if (!s->l.MOVES)
            top(w)->pc = next_pc(s, top(w)->pc);
        return NULL;
    }
    if (is_access(step->w.op)) {
        do_access(s, w, &step->w, step->active);
    } else if (isa_info(step->w.op)->class == ISA_CLASS_control) {
        int cause = control(s, w, &step->w, step->active);
        if (cause && after->state != FAULTED)
            return wrong(s, warp, pc, "retires, and it must be a fault");
    } else {
        if (step->kind == 1)
            write_register(w, step->w.d, step->active, step->value);
        else
            write_predicate(w, step->w.d, step->active, step->value);
        top(w)->pc = next_pc(s, top(w)->pc);
    }
    int bars = w->bars;
    settle(w);
    /* a barrier is passed once for all */
    bool first = bars > 0 && step->w.op == ISA_bar;
    int each = (int)s->launch.reg[AT_WARPS];
    for (int k = 0; k < each && first; k++) {
        const struct shadow_warp *other = &s->oracle.warp[w->slot * each + k];
        if (other != w && other->there && other->bars >= bars)
            first = false;
    }
    s->oracle.barriers += first;
    return NULL;
}

static const char *retire_instr(struct simt_stim *s, const struct simt_out *o) {
    int warp = (int)o->ret_warp, pc = (int)o->ret_pc, pass = (int)o->ret_pass;
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (pass != w->step.pass)
        return wrong(s, warp, pc, "a pass out of turn");
    const char *bad = pass == 0 ? first_pass(s, warp, pc) : NULL;
    if (bad)
        return bad;
    if (pc != top(w)->pc)
        return wrong(s, warp, pc, "changes between its passes");
    struct step *step = &w->step;
    bad = compare(s, o, step->kind, step->kind ? step->w.d : 0, step->active,
                  step->any, step->value);
    if (bad)
        return bad;
    step->pass = pass + 1 < s->l.PASSES ? pass + 1 : 0;
    return step->pass ? NULL : carry_out(s, warp, pc, o);
}

static const char *retire_return(struct simt_stim *s,
                                 const struct simt_out *o) {
    int warp = (int)o->ret_warp, pc = (int)o->ret_pc, pass = (int)o->ret_pass;
    struct shadow_warp *w = &s->oracle.warp[warp];
    int d = (int)o->ret_d;
    int kind = (int)o->ret_kind;
    struct owed *owed = kind == 2 ? &w->owed_pred : &w->owed[d % ISA_REGISTERS];
    if (!owed->used || owed->pc != pc || (kind == 2 && d != w->owed_d))
        return wrong(s, warp, pc, "a result that nobody waits for");
    if (pass != w->return_pass)
        return wrong(s, warp, pc, "a pass of a result out of turn");
    const char *bad =
        compare(s, o, kind, d, owed->active, owed->any, owed->value);
    if (bad)
        return bad;
    w->return_pass = pass + 1 < s->l.PASSES ? pass + 1 : 0;
    if (w->return_pass == 0) {
        if (kind == 2)
            write_predicate(w, d, owed->active, owed->value);
        else
            write_register(w, d, owed->active, owed->value);
        owed->used = false;
        s->oracle.returned++;
    }
    if ((o->count_returned != 0) != (w->return_pass == 0) &&
        o->state != FAULTED)
        return stim_complain(&s->base, "'count_returned' is wrong");
    return NULL;
}

/* --- first threads -------------------------------------------------------- */

static void begin_cta(struct simt_stim *s, int slot) {
    struct oracle *o = &s->oracle;
    int fast = s->l.AREAS ? (int)(s->launch.reg[AT_BY_COLUMN] & 1) : 0;
    int each = (int)s->launch.reg[AT_WARPS];
    o->slot = slot;
    uint32_t number = o->first + o->begun * o->step;
    for (int k = 0; k < 2; k++) {
        int i = k ? !fast : fast;
        o->at[slot][i] = o->low[i] + number % o->size[i];
        number /= o->size[i];
    }
    o->at[slot][2] = number;
    o->begun++;
    for (int k = 0; k < each; k++)
        o->warp[slot * each + k].there = false;
}

/* What was of the CTA before is over: its warps have ended and owe nothing. */
static bool slot_is_free(const struct simt_stim *s, int slot) {
    int each = (int)s->launch.reg[AT_WARPS];
    for (int k = 0; k < each; k++) {
        const struct shadow_warp *w = &s->oracle.warp[slot * each + k];
        if (w->there && !ended(w))
            return false;
        for (int r = 0; w->there && r < s->l.REGS; r++)
            if (w->owed[r].used)
                return false;
    }
    return true;
}

static const char *begin_warp(struct simt_stim *s, int warp, int pc) {
    struct oracle *o = &s->oracle;
    const uint32_t *reg = s->launch.reg, *n = reg + AT_BLOCK;
    int each = (int)reg[AT_WARPS], slot = warp / each, k = warp % each;
    if (o->next_warp == 0) {
        if (o->begun == o->ctas || slot >= (int)reg[AT_RESIDENT] ||
            !slot_is_free(s, slot))
            return stim_complain(
                &s->base, "warp %d: CTA %u of %u begins where it must not%s",
                warp, o->begun, o->ctas,
                slot_is_free(s, slot) ? "" : ", another one is there");
        begin_cta(s, slot);
    }
    if (slot != o->slot || k != o->next_warp)
        return wrong(s, warp, pc, "a warp begins out of turn");
    o->next_warp = (k + 1) % each;
    struct shadow_warp *w = &o->warp[warp];
    memset(w, 0, offsetof(struct shadow_warp, p));
    memset(w->known, 0, sizeof w->known);
    memset(w->known_p, 0, sizeof w->known_p);
    w->slot = slot;
    w->number = k;
    o->initing = warp;
    o->init_pass = 0;
    for (int lane = 0; lane < s->l.LANES; lane++) {
        uint32_t t = (uint32_t)(k * s->l.LANES + lane);
        if (t >= reg[AT_THREADS])
            break;
        w->live |= 1u << lane;
        w->step.value[lane] =
            t % n[0] | t / n[0] % n[1] << 10 | t / n[0] / n[1] << 20;
    }
    return NULL;
}

static const char *retire_init(struct simt_stim *s, const struct simt_out *o) {
    struct oracle * or = &s->oracle;
    int warp = (int)o->ret_warp, pc = (int)o->ret_pc;
    const char *bad = or->initing < 0 ? begin_warp(s, warp, pc) : NULL;
    if (bad)
        return bad;
    struct shadow_warp *w = & or->warp[warp];
    if (warp != or->initing || (int)o->ret_pass != or->init_pass ||
        pc != (int)s->launch.reg[AT_ENTRY])
        return wrong(s, warp, pc, "its first threads are out of turn");
    bad = compare(s, o, 1, 0, w->live, false, w->step.value);
    if (bad)
        return bad;
    if (++ or->init_pass < s->l.PASSES)
        return NULL;
    or->initing = -1;
    write_register(w, 0, w->live, w->step.value);
    w->step.pass = 0;
    w->there = true;
    w->n = 1;
    w->path[0] = (struct path){pc, -1, 0, w->live};
    return NULL;
}

const char *simt_oracle_retire(struct simt_stim *s, const struct simt_out *o) {
    int warp = (int)o->ret_warp, pc = (int)o->ret_pc;
    if (warp >= s->l.WARPS)
        return wrong(s, warp, pc, "no such warp");
    struct shadow_warp *w = &s->oracle.warp[warp];
    if (!w->there)
        return retire_init(s, o);
    bool access = pc < s->oracle.code.n && s->oracle.legal.v[pc] &&
                  is_access(s->oracle.code.v[pc].op);
    const struct owed *owed =
        o->ret_kind == 2 ? &w->owed_pred : &w->owed[o->ret_d % ISA_REGISTERS];
    bool put = owed->used && owed->put && owed->pc == pc;
    if ((o->ret_kind == 1 && access) || (o->ret_kind && put))
        return retire_return(s, o);
    if (ended(w) && o->ret_kind == 1 && o->ret_d == 0)
        return retire_init(s, o);
    return retire_instr(s, o);
}

/* Of several warps at a membar any may be the one that passed it. */
const char *simt_oracle_fenced(struct simt_stim *s) {
    bool any = false;
    for (int i = 0; i < s->l.WARPS; i++) {
        struct shadow_warp *w = &s->oracle.warp[i];
        any |= w->at_membar;
        w->unshown = false;
    }
    return any ? NULL
               : stim_complain(&s->base,
                               "'fenced' is high, and no warp is at a membar");
}

/* --- faults --------------------------------------------------------------- */

/* The fault that the next instruction of a warp is, without doing it. */
static struct omen next_fault(struct simt_stim *s, int warp) {
    struct oracle *o = &s->oracle;
    struct shadow_warp *w = &o->warp[warp];
    if (!w->there || !w->n)
        return (struct omen){0};
    int pc = top(w)->pc;
    if (pc >= o->code.n || !o->legal.v[pc])
        return (struct omen){C_ILLEGAL, pc, 0};
    const struct isa_word *i = &o->code.v[pc];
    uint32_t active = active_lanes(s, w, i);
    bool begun = w->step.pass > 0; /* its first pass has retired */
    if (w->chained || (begun ? w->step.offered : is_offered(s, w, i)))
        return (struct omen){0};
    if (is_access(i->op))
        return access_fault(s, w, i, active);
    if (isa_info(i->op)->class != ISA_CLASS_control)
        return (struct omen){0};
    struct shadow_warp copy = *w;
    uint64_t diverged = o->diverged;
    int cause = control(s, &copy, i, active);
    o->diverged = diverged;
    return (struct omen){cause, pc, 0};
}

static bool is_it(const struct omen *m, const struct simt_out *o) {
    return m->cause && m->cause == (int)o->fault_cause &&
           m->pc == (int)o->fault_pc && m->address == o->fault_address;
}

const char *simt_oracle_fault(struct simt_stim *s, const struct simt_out *o) {
    int warp = (int)o->fault_warp, cause = (int)o->fault_cause;
    if (cause == C_WATCHDOG) /* the host counts */
        return warp || o->fault_pc || o->fault_address
                   ? stim_complain(&s->base, "watchdog: of a warp")
                   : NULL;
    if (cause == C_MEMORY) {
        int pc = (int)o->fault_pc;
        bool global =
            pc < s->oracle.code.n && s->oracle.legal.v[pc] &&
            is_access(s->oracle.code.v[pc].op) &&
            isa_info(s->oracle.code.v[pc].op)->timing == ISA_TIMING_global;
        if (!s->refused || !global || o->fault_address != s->refused_at)
            return wrong(s, warp, pc, "a fault that memory did not answer");
        return NULL;
    }
    if (s->refused)
        return stim_complain(&s->base, "memory's fault is not the first");
    struct omen next = next_fault(s, warp);
    if (is_it(&next, o) || is_it(&s->oracle.warp[warp].omen, o))
        return NULL;
    return stim_complain(
        &s->base, "warp %d, pc %d, address %" PRIx64 ": fault %d, expected %d",
        warp, (int)o->fault_pc, o->fault_address, cause,
        next.cause ? next.cause : s->oracle.warp[warp].omen.cause);
}

/* --- the end -------------------------------------------------------------- */

static const char *warps_over(struct simt_stim *s) {
    for (int i = 0; i < s->l.WARPS; i++) {
        const struct shadow_warp *w = &s->oracle.warp[i];
        if (w->guest)
            continue;
        if (w->there && (!ended(w) || w->omen.cause))
            return stim_complain(&s->base, "done, and warp %d has not %s", i,
                                 ended(w) ? "faulted" : "ended");
        for (int r = 0; w->there && r < s->l.REGS; r++)
            if (w->owed[r].used)
                return stim_complain(&s->base,
                                     "done, and warp %d waits for r%d", i, r);
    }
    return NULL;
}

static const char *counters_right(struct simt_stim *s) {
    const struct oracle *o = &s->oracle;
    /* idle and blocked depend on time */
    const uint64_t want[] = {o->issued,   0,           0,
                             o->diverged, o->requests, o->conflicts,
                             o->returned, o->ctas,     o->barriers};
    static const char *const name[] = {"issued",   "idle",    "blocked",
                                       "diverged", "request", "conflict",
                                       "returned", "cta",     "barrier"};
    for (int i = 0; i < 9; i++)
        if (i != 1 && i != 2 && s->counted[i] != want[i])
            return stim_complain(&s->base,
                                 "'count_%s' was %" PRIu64
                                 " times high, expected %" PRIu64,
                                 name[i], s->counted[i], want[i]);
    return NULL;
}

const char *simt_oracle_done(struct simt_stim *s) {
    struct oracle *o = &s->oracle;
    if (o->begun != o->ctas || o->initing >= 0 || o->next_warp)
        return stim_complain(&s->base, "done after %u of %u CTAs", o->begun,
                             o->ctas);
    const char *bad = warps_over(s);
    if (bad)
        return bad;
    uint64_t at = simt_memory_differs(&s->memory, &o->memory);
    if (at >> 32 == 0)
        return stim_complain(
            &s->base, "memory at %08" PRIx64 " holds %02x, expected %02x", at,
            simt_memory_load(&s->memory, (uint32_t)at, 1),
            simt_memory_load(&o->memory, (uint32_t)at, 1));
    return s->host.mixed ? NULL : counters_right(s);
}

/* --- read ----------------------------------------------------------------- */

bool simt_oracle_knows(const struct simt_stim *s, int warp, int lane, int reg) {
    const struct shadow_warp *w = &s->oracle.warp[warp];
    return w->there && w->known[reg] >> lane & 1;
}

uint32_t simt_oracle_value(const struct simt_stim *s, int warp, int lane,
                           int what) {
    const struct shadow_warp *w = &s->oracle.warp[warp];
    if (what < 64)
        return w->r[what][lane];
    if (!w->there || !w->n)
        return 0;
    const struct path *p = &w->path[w->n - 1];
    return what == 64   ? (uint32_t)p->pc
           : what == 65 ? p->mask
                        : (uint32_t)p->depth << 4;
}

const char *simt_oracle_read(struct simt_stim *s, uint32_t value) {
    const struct host *h = &s->host;
    const struct shadow_warp *w = &s->oracle.warp[h->ask_warp];
    uint32_t want = simt_oracle_value(s, h->ask_warp, h->ask_lane, h->ask_what);
    uint32_t got = h->ask_what == 66 ? value & ~15u : value;
    if (h->ask_what >= 64 && (!w->there || !w->n))
        return NULL;
    /* what was under way when it was asked may have come, or not */
    if (got == want || got == h->ask_value)
        return NULL;
    return stim_complain(&s->base,
                         "read of %d, warp %d, lane %d: %" PRIx32
                         ", expected %" PRIx32,
                         h->ask_what, h->ask_warp, h->ask_lane, value, want);
}
