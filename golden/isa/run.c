/* run.c - the untimed machine of run.h. */
#include "run.h"

#include "alu.h"

#include "base/array.h"
#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, TURN = 1024 };

/* Lanes that are at pc until they reach join; -1: for good.  depth: entries
 * that a machine's stack has meanwhile. */
struct path {
    int pc, join;
    uint32_t mask;
    int depth;
};

struct warp {
    ARRAY(struct path) stack;
    uint32_t live; /* lanes that have not left */
    bool waits;    /* at a barrier */
    int index;
    bool away;           /* a copy that runs a block */
    struct away_state s; /* of predicates a bit for each lane */
};

struct machine {
    const struct isa_launch *l;
    const struct isa_memory *m;
    struct isa_run *run;
    struct isa_word *code;
    enum isa_fault *faults;
    uint8_t *shared;
    struct warp *warps;
    int n_warps, n_threads, lanes;
    uint32_t cta[3], n_cta;
};

const char *isa_end_text(enum isa_end e) {
    static const char *const texts[ISA_ENDS] = {
        [ISA_END_DONE] = "done",
        [ISA_END_LIMIT] = "limit",
        [ISA_END_ILLEGAL] = "illegal word",
        [ISA_END_PC] = "pc beyond the code",
        [ISA_END_TRAP] = "trap",
        [ISA_END_MISALIGNED] = "misaligned address",
        [ISA_END_UNMAPPED] = "unmapped address",
        [ISA_END_PARAM] = "no such parameter word",
        [ISA_END_NO_JOIN] = "lanes part at a branch without join",
        [ISA_END_BARRIER] = "barrier that part of a warp reaches",
    };
    return texts[e];
}

static bool stop(struct machine *m, const struct warp *w, enum isa_end end,
                 int lane, uint32_t address) {
    m->run->end = end;
    m->run->pc = w->stack.v[w->stack.n - 1].pc;
    memcpy(m->run->cta, m->cta, sizeof m->cta);
    m->run->thread = (uint32_t)(w->index * m->lanes + lane);
    m->run->address = address;
    return false;
}

/* One CTA at a time runs, but they take turns on the slots. */
static int slot(const struct machine *m) {
    return m->l->slots ? (int)(m->n_cta % (uint32_t)m->l->slots) : 0;
}

/* --- sources -------------------------------------------------------------- */

static uint32_t pred_mask(const struct warp *w, int field) {
    uint32_t mask = (field & 7) == ISA_TRUE ? UINT32_MAX : w->s.p[field & 7];
    return field & ISA_INVERT ? ~mask : mask;
}

static uint32_t guard_mask(const struct warp *w, const struct isa_word *i) {
    return pred_mask(w, i->guard | (i->unless ? ISA_INVERT : 0));
}

static uint32_t second(const struct warp *w, const struct isa_word *i,
                       int lane) {
    return i->imm ? i->value : w->s.r[i->b][lane];
}

static uint32_t special(const struct machine *m, const struct warp *w,
                        uint32_t index, int lane) {
    const struct isa_launch *l = m->l;
    if (w->away && index != ISA_SPECIAL_laneid)
        return away_poison(l->away);
    switch (index) {
    case ISA_SPECIAL_laneid:
        return (uint32_t)lane;
    case ISA_SPECIAL_warpid:
        return (uint32_t)w->index;
    case ISA_SPECIAL_ctaid_x:
    case ISA_SPECIAL_ctaid_y:
    case ISA_SPECIAL_ctaid_z:
        return m->cta[index - ISA_SPECIAL_ctaid_x];
    case ISA_SPECIAL_ntid_x:
    case ISA_SPECIAL_ntid_y:
    case ISA_SPECIAL_ntid_z:
        return l->block[index - ISA_SPECIAL_ntid_x];
    case ISA_SPECIAL_nctaid_x:
    case ISA_SPECIAL_nctaid_y:
    case ISA_SPECIAL_nctaid_z:
        return l->grid[index - ISA_SPECIAL_nctaid_x];
    case ISA_SPECIAL_slot:
        return (uint32_t)((slot(m) * m->n_warps + w->index) * m->lanes + lane);
    case ISA_SPECIAL_clock:
        return (uint32_t)m->run->warp_instructions;
    default:
        return l->shared;
    }
}

/* --- memory --------------------------------------------------------------- */

struct access {
    int bytes;
    bool is_signed;
};

static struct access access_of(int op) {
    switch (op) {
    case ISA_ldg_u8:
    case ISA_lds_u8:
    case ISA_stg_b8:
    case ISA_sts_b8:
        return (struct access){1, false};
    case ISA_ldg_s8:
    case ISA_lds_s8:
        return (struct access){1, true};
    case ISA_ldg_u16:
    case ISA_lds_u16:
    case ISA_stg_b16:
    case ISA_sts_b16:
        return (struct access){2, false};
    case ISA_ldg_s16:
    case ISA_lds_s16:
        return (struct access){2, true};
    default:
        return (struct access){4, false};
    }
}

static bool is_shared(int op) {
    return isa_info(op)->timing == ISA_TIMING_shared;
}

static bool load(const struct machine *m, bool shared, uint32_t at, int bytes,
                 uint32_t *value) {
    if (!shared)
        return m->m->load(m->m->ctx, at, bytes, value);
    if (at > m->l->shared || m->l->shared - at < (uint32_t)bytes)
        return false;
    *value = 0;
    for (int i = 0; i < bytes; i++)
        *value |= (uint32_t)m->shared[at + (uint32_t)i] << 8 * i;
    return true;
}

static bool store(const struct machine *m, bool shared, uint32_t at, int bytes,
                  uint32_t value) {
    if (!shared)
        return m->m->store(m->m->ctx, at, bytes, value);
    if (at > m->l->shared || m->l->shared - at < (uint32_t)bytes)
        return false;
    for (int i = 0; i < bytes; i++)
        m->shared[at + (uint32_t)i] = (uint8_t)(value >> 8 * i);
    return true;
}

/* One lane's load, store or atomic. */
static bool access_lane(struct machine *m, struct warp *w,
                        const struct isa_word *i, int lane) {
    struct access a = access_of(i->op);
    bool shared = is_shared(i->op), is_store = !isa_has(i->op, 'd');
    bool atomic = isa_info(i->op)->class == ISA_CLASS_atomic;
    uint32_t at = w->s.r[i->a][lane] + i->value, v;
    if (at % (uint32_t)a.bytes)
        return stop(m, w, ISA_END_MISALIGNED, lane, at);
    uint32_t c = w->s.r[i->c][lane];
    if (is_store ? !store(m, shared, at, a.bytes, c)
                 : !load(m, shared, at, a.bytes, &v))
        return stop(m, w, ISA_END_UNMAPPED, lane, at);
    if (atomic &&
        !store(m, shared, at, 4, alu_atomic(i->op, v, w->s.r[i->b][lane], c)))
        return stop(m, w, ISA_END_UNMAPPED, lane, at);
    if (!is_store)
        w->s.r[i->d][lane] =
            a.is_signed ? (uint32_t)bits_signed(v, 8 * a.bytes) : v;
    return true;
}

/* --- across lanes --------------------------------------------------------- */

/* The lane that shfl takes from: b and c have as many bits as lanes need. */
static int source_lane(int op, int lane, uint32_t b, uint32_t c, int lanes) {
    int bits = lanes - 1;
    int segment = (int)(c >> 8) & bits, delta = (int)b & bits;
    int low = lane & segment, last = low | ((int)c & bits & ~segment);
    int from;
    bool inside;
    if (op == ISA_shfl_up) {
        from = lane - delta;
        inside = from >= last;
    } else {
        from = op == ISA_shfl_down   ? lane + delta
               : op == ISA_shfl_bfly ? lane ^ delta
                                     : low | (delta & ~segment);
        inside = from <= last;
    }
    return inside ? from : lane;
}

static void shuffle(struct warp *w, const struct isa_word *i, uint32_t mask,
                    int lanes) {
    uint32_t d[LANES];
    for (int lane = 0; lane < lanes; lane++) {
        int from = source_lane(i->op, lane, second(w, i, lane),
                               w->s.r[i->c][lane], lanes);
        d[lane] = mask >> from & 1 ? w->s.r[i->a][from] : 0;
    }
    for (int lane = 0; lane < lanes; lane++)
        if (mask >> lane & 1)
            w->s.r[i->d][lane] = d[lane];
}

/* --- control -------------------------------------------------------------- */

static struct path *top(struct warp *w) {
    return &w->stack.v[w->stack.n - 1];
}

/* Leave paths that have reached their join or have no lanes. */
static void settle(struct warp *w) {
    while (w->stack.n &&
           (top(w)->pc == top(w)->join || !(top(w)->mask & w->live)))
        w->stack.n--;
    if (w->stack.n)
        top(w)->mask &= w->live;
}

static bool branch(struct machine *m, struct warp *w, const struct isa_word *i,
                   uint32_t taken) {
    struct path *t = top(w);
    uint32_t others = t->mask & ~taken;
    int next = t->pc + 1;
    if (!taken || !others) {
        t->pc = taken ? i->target : next;
        return true;
    }
    if (i->join == ISA_NO_JOIN)
        return stop(m, w, ISA_END_NO_JOIN, __builtin_ctz(taken), 0);
    /* a side that is at the join of its path already needs no entry */
    bool apart = t->join != i->join || !t->depth ||
                 (i->target != i->join && next != i->join);
    int depth = t->depth + apart;
    if (t->join == i->join)
        w->stack.n--; /* they would only meet to leave */
    else
        t->pc = i->join;
    if (next != i->join) /* one that is there already just waits */
        *array_push(&w->stack) = (struct path){next, i->join, others, depth};
    if (i->target != i->join)
        *array_push(&w->stack) =
            (struct path){i->target, i->join, taken, depth};
    if (depth > m->run->deepest)
        m->run->deepest = depth;
    return true;
}

static bool control(struct machine *m, struct warp *w, const struct isa_word *i,
                    uint32_t mask) {
    switch (i->op) {
    case ISA_exit:
        w->live &= ~mask;
        top(w)->pc++;
        return true;
    case ISA_bra:
        return branch(m, w, i, mask);
    case ISA_trap:
        if (mask)
            return stop(m, w, ISA_END_TRAP, __builtin_ctz(mask), 0);
        break;
    case ISA_bar:
        if (top(w)->mask != w->live)
            return stop(m, w, ISA_END_BARRIER, __builtin_ctz(mask), 0);
        w->waits = true;
        break;
    default:
        break;
    }
    top(w)->pc++;
    return true;
}

/* --- one instruction ------------------------------------------------------ */

static bool data_lane(struct machine *m, struct warp *w,
                      const struct isa_word *i, int lane) {
    switch (isa_info(i->op)->class) {
    case ISA_CLASS_global:
    case ISA_CLASS_shared:
    case ISA_CLASS_atomic:
        return access_lane(m, w, i, lane);
    case ISA_CLASS_special:
        if (i->op == ISA_ldp && i->value >= (uint32_t)m->l->n_params)
            return stop(m, w, ISA_END_PARAM, lane, i->value);
        w->s.r[i->d][lane] = i->op == ISA_ldp ? m->l->params[i->value]
                                              : special(m, w, i->value, lane);
        return true;
    default:
        w->s.r[i->d][lane] =
            alu_value(i, w->s.r[i->a][lane], second(w, i, lane),
                      w->s.r[i->c][lane], pred_mask(w, i->c & 15) >> lane & 1);
        return true;
    }
}

static void test_lane(struct warp *w, const struct isa_word *i, int lane) {
    bool pred = isa_info(i->op)->class == ISA_CLASS_pred;
    uint32_t a = pred ? pred_mask(w, i->a) >> lane & 1 : w->s.r[i->a][lane];
    uint32_t b = pred ? pred_mask(w, i->b) >> lane & 1 : second(w, i, lane);
    bool d = alu_test(i, a, b);
    w->s.p[i->d] = (w->s.p[i->d] & ~(1u << lane)) | (uint32_t)d << lane;
}

static bool data(struct machine *m, struct warp *w, const struct isa_word *i,
                 uint32_t mask) {
    if (isa_info(i->op)->class == ISA_CLASS_cross && i->op != ISA_vote) {
        shuffle(w, i, mask, m->lanes);
    } else {
        uint32_t ballot = mask & pred_mask(w, i->c & 15);
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            if (i->op == ISA_vote)
                w->s.r[i->d][lane] = ballot;
            else if (alu_is_test(i->op))
                test_lane(w, i, lane);
            else if (!data_lane(m, w, i, lane))
                return false;
        }
    }
    top(w)->pc++;
    return true;
}

/* i NULL: the warp's start. */
static void tell(const struct machine *m, const struct warp *w, int pc,
                 const struct isa_word *i, uint32_t mask) {
    struct isa_step s = {m->n_cta, w->index, pc, i, mask, 0, 0, NULL};
    uint32_t values[LANES] = {0};
    if (!i || isa_has(i->op, 'd')) {
        s.kind = 1;
        s.d = i ? i->d : 0;
        s.values = w->s.r[s.d];
    } else if (isa_has(i->op, 'D')) {
        s.kind = 2;
        s.d = i->d;
        for (int lane = 0; lane < LANES; lane++)
            values[lane] = w->s.p[s.d] >> lane & 1;
        s.values = values;
    }
    m->l->watch(m->l->ctx, &s);
}

static bool step(struct machine *m, struct warp *w) {
    int pc = top(w)->pc;
    if (pc < 0 || pc >= m->l->n_code)
        return stop(m, w, ISA_END_PC, 0, 0);
    const struct isa_word *i = &m->code[pc];
    m->run->fault = m->faults[pc];
    if (m->run->fault)
        return stop(m, w, ISA_END_ILLEGAL, 0, 0);
    if (m->l->limit && m->run->warp_instructions >= m->l->limit)
        return stop(m, w, ISA_END_LIMIT, 0, 0);
    uint32_t mask = top(w)->mask & guard_mask(w, i);
    m->run->warp_instructions++;
    int n = __builtin_popcount(mask);
    m->run->thread_instructions += (uint64_t)n;
    m->run->executed[i->op][n == m->lanes ? ISA_MASK_FULL
                            : n > 1       ? ISA_MASK_SOME
                            : n           ? ISA_MASK_ONE
                                          : ISA_MASK_NONE]++;
    bool ok = isa_info(i->op)->class == ISA_CLASS_control
                  ? control(m, w, i, mask)
                  : data(m, w, i, mask);
    if (ok && m->l->watch)
        tell(m, w, pc, i, mask);
    return ok;
}

/* --- blocks that run elsewhere -------------------------------------------- */

static uint32_t address(const struct warp *w, const struct isa_word *i,
                        int lane) {
    return w->s.r[i->a][lane] + i->value;
}

/* Compare the address that came with the question with that of the first
 * access. */
static void check_address(struct isa_away *a, const struct warp *w,
                          const struct isa_word *i, int lane, uint32_t asked) {
    if (!((w->stack.v[w->stack.n - 1].mask & guard_mask(w, i)) >> lane & 1))
        a->none++;
    else if (address(w, i, lane) == asked)
        a->same++;
    else
        a->other++;
}

static bool run_block(struct machine *m, struct warp *there,
                      const struct isa_block *b, uint32_t asked) {
    struct isa_away *a = m->l->away;
    int lane = __builtin_ctz(there->live);
    bool first = true;
    for (;;) {
        settle(there);
        int pc = top(there)->pc;
        if (there->stack.n == 1 && pc == b->end)
            break;
        if (first && pc >= 0 && pc < m->l->n_code &&
            isa_info(m->code[pc].op)->class == ISA_CLASS_global) {
            check_address(a, there, &m->code[pc], lane, asked);
            first = false;
        }
        if (!step(m, there))
            return false;
        a->words++;
    }
    a->none += first;
    return true;
}

static struct isa_touch writes_of(const struct machine *m,
                                  const struct isa_block *b) {
    struct isa_touch all = {0};
    for (int pc = b->begin; pc < b->end; pc++) {
        struct isa_touch t = isa_touches(&m->code[pc]);
        all.writes |= t.writes;
        all.pred_writes |= t.pred_writes;
    }
    return all;
}

/* The warp's next words as a block elsewhere; false after a fault. */
static bool go_away(struct machine *m, struct warp *w,
                    const struct isa_block *b) {
    struct warp there = *w;
    struct isa_touch writes = writes_of(m, b);
    uint32_t mask = top(w)->mask;
    uint32_t asked = address(w, &m->code[b->ask], __builtin_ctz(mask));
    there.stack.v = NULL;
    there.stack.n = there.stack.cap = 0;
    there.live = mask;
    there.away = true;
    *array_push(&there.stack) = (struct path){b->begin, -1, mask, 0};
    away_leave(m->l->away, b, mask, &there.s);
    bool ok = run_block(m, &there, b, asked);
    if (ok)
        away_return(m->l->away, b, mask, &writes, &there.s, &w->s);
    top(w)->pc = b->end;
    array_free(&there.stack);
    return ok;
}

/* The block that the warp's next word begins, if it goes. */
static const struct isa_block *leaving(const struct machine *m,
                                       struct warp *w) {
    const struct path *at = top(w);
    bool asks = m->l->away && at->pc >= 0 && at->pc < m->l->n_code &&
                m->code[at->pc].mark;
    return asks ? away_goes(m->l->away, at->pc, at->mask, &w->s) : NULL;
}

/* --- CTAs ----------------------------------------------------------------- */

static void start_warp(struct machine *m, struct warp *w, int index) {
    const uint32_t *n = m->l->block;
    w->index = index;
    w->live = 0;
    w->waits = false;
    memset(w->s.r, 0, sizeof w->s.r);
    memset(w->s.p, 0, sizeof w->s.p);
    for (int lane = 0; lane < m->lanes; lane++) {
        uint32_t t = (uint32_t)(index * m->lanes + lane);
        if (t >= (uint32_t)m->n_threads)
            break;
        w->live |= 1u << lane;
        w->s.r[0][lane] =
            t % n[0] | t / n[0] % n[1] << 10 | t / n[0] / n[1] << 20;
    }
    w->stack.n = 0;
    *array_push(&w->stack) = (struct path){m->l->entry, -1, w->live, 0};
    if (m->l->watch)
        tell(m, w, m->l->entry, NULL, w->live);
}

/* Run one warp for its turn; false after a fault. */
static bool turn(struct machine *m, struct warp *w) {
    for (int i = 0; i < TURN && !w->waits; i++) {
        settle(w);
        if (!w->stack.n)
            return true;
        const struct isa_block *b = leaving(m, w);
        if (b ? !go_away(m, w, b) : !step(m, w))
            return false;
    }
    return true;
}

/* Once every warp that is left waits, all go on. */
static int release(struct machine *m) {
    int left = 0, waiting = 0;
    for (int i = 0; i < m->n_warps; i++) {
        left += m->warps[i].live != 0;
        waiting += m->warps[i].live && m->warps[i].waits;
    }
    for (int i = 0; i < m->n_warps && waiting == left; i++)
        m->warps[i].waits = false;
    return left;
}

static bool run_cta(struct machine *m) {
    memset(m->shared, 0, m->l->shared);
    for (int i = 0; i < m->n_warps; i++)
        start_warp(m, &m->warps[i], i);
    do {
        for (int i = 0; i < m->n_warps; i++)
            if (m->warps[i].live && !turn(m, &m->warps[i]))
                return false;
    } while (release(m));
    m->n_cta++;
    return true;
}

static bool run_grid(struct machine *m) {
    const uint32_t *n = m->l->grid;
    for (m->cta[2] = 0; m->cta[2] < n[2]; m->cta[2]++)
        for (m->cta[1] = 0; m->cta[1] < n[1]; m->cta[1]++)
            for (m->cta[0] = 0; m->cta[0] < n[0]; m->cta[0]++)
                if (!run_cta(m))
                    return false;
    return true;
}

bool isa_execute(const struct isa_launch *l, const struct isa_memory *memory,
                 struct isa_run *r) {
    size_t n = (size_t)l->n_code;
    struct machine m = {.l = l, .m = memory, .run = r};
    *r = (struct isa_run){0};
    m.n_threads = (int)(l->block[0] * l->block[1] * l->block[2]);
    m.lanes = l->lanes ? l->lanes : LANES;
    m.n_warps = (m.n_threads + m.lanes - 1) / m.lanes;
    m.code = xcalloc(n, sizeof *m.code);
    m.faults = xcalloc(n, sizeof *m.faults);
    m.shared = xcalloc((size_t)l->shared + 1, 1);
    m.warps = xcalloc((size_t)m.n_warps, sizeof *m.warps);
    for (int i = 0; i < l->n_code; i++)
        m.faults[i] = isa_decode(l->code[i], l->registers, &m.code[i]);
    bool ok = run_grid(&m);
    for (int i = 0; i < m.n_warps; i++)
        array_free(&m.warps[i].stack);
    free(m.code);
    free(m.faults);
    free(m.shared);
    free(m.warps);
    return ok;
}
