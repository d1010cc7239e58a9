/* random.c - launches that are made up: programs that terminate, of nested ifs
 * and loops around arithmetic, accesses, exchanges, barriers and exits, on any
 * grid that fits, some with a fault in them.
 *
 * Registers: r0 the thread as it began; r1 and r2 the warp's regions of global
 * and shared memory; r3 the lane; r4 and r5 counters of loops; r6 addresses; r7
 * what shfl wants; r8 and on data.  p0 to p3 data, p4 to p6 for branches.
 */
#include "env.h"

#include "base/diag.h"

#include <string.h>

enum {
    R_GLOBAL = 1,
    R_SHARED,
    R_LANE,
    R_LOOP,
    R_AT = 6,
    R_SHFL,
    R_DATA,
    P_BRANCH = 5,
    LOOPS = 2,
    MANY_OPS = 8, /* atomics that commute, two words each */
    SHARED_MANY = 8
};

struct gen {
    struct simt_stim *s;
    struct launch *l;
    struct rng *r;
    int most;   /* words */
    int data;   /* registers below this one are written */
    int levels; /* of the stack, in use */
    int loops;
    bool exits;   /* a lane may have ended */
    bool uniform; /* all lanes of all warps are here */
    bool inside;  /* a block, which a guest may execute */
    int region_w; /* log2 of the bytes of a region */
    int shared;   /* bytes of a warp's shared region, 0: none */
    int many_op;  /* of shared words of many */
};

static int below(struct gen *g, int n) {
    return (int)rng_below(g->r, (uint32_t)n);
}

static bool chance(struct gen *g, int percent) {
    return rng_percent(g->r, percent);
}

/* Tags of words of chains. */
enum { TAG_NONE, TAG_FIRST, TAG_INSIDE, TAG_LAST };

/* --- words ---------------------------------------------------------------- */

static void emit(struct gen *g, struct isa_word w) {
    simt_word(g->l, &w);
}

static int room(const struct gen *g) {
    return g->most - g->l->code.n;
}

static struct isa_word plain(int op) {
    return (struct isa_word){.op = (uint8_t)op, .guard = ISA_TRUE};
}

/* d := a op number */
static void number(struct gen *g, int op, int d, int a, int32_t value) {
    struct isa_word w = plain(op);
    w.d = (uint8_t)d;
    w.a = (uint8_t)a;
    w.imm = true;
    w.value = (uint32_t)value;
    emit(g, w);
}

/* d := a op b */
static void registers(struct gen *g, int op, int d, int a, int b) {
    struct isa_word w = plain(op);
    w.d = (uint8_t)d;
    w.a = (uint8_t)a;
    w.b = (uint8_t)b;
    emit(g, w);
}

static void constant(struct gen *g, int d, uint32_t value) {
    struct isa_word w = plain(ISA_movi);
    w.d = (uint8_t)d;
    w.value = value;
    emit(g, w);
}

static void special(struct gen *g, int d, int index) {
    struct isa_word w = plain(ISA_s2r);
    w.d = (uint8_t)d;
    w.imm = true;
    w.value = (uint32_t)index;
    emit(g, w);
}

/* With chains offered: now and then any word is of one; with blocks moved it is
 * marked. */
static void stray_tag(struct gen *g, struct isa_word *w) {
    if (!g->s->l.OFFERS || !chance(g, 4))
        return;
    w->chain = (uint8_t)rng_range(g->r, TAG_FIRST, TAG_LAST);
    w->mark |= g->s->l.MOVES;
}

static void nothing(struct gen *g, int op) {
    struct isa_word w = plain(op);
    stray_tag(g, &w);
    emit(g, w);
}

/* A branch whose places are filled in later. */
static int branch(struct gen *g, int guard, bool unless) {
    struct isa_word w = plain(ISA_bra);
    w.guard = (uint8_t)guard;
    w.unless = unless;
    w.join = ISA_NO_JOIN;
    stray_tag(g, &w);
    emit(g, w);
    return g->l->code.n - 1;
}

static void aim(struct gen *g, int at, int target, int join) {
    g->l->code.v[at] &= ones(32);
    g->l->code.v[at] |= (uint64_t)target << 32 | (uint64_t)join << 48;
}

static int here(const struct gen *g) {
    return g->l->code.n;
}

static uint32_t any_word(struct gen *g) {
    static const uint32_t some[] = {
        0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000,
        0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x007fffff,
        0x00800000, 0x7f7fffff, 0x4f000000, 0x4effffff, 0xcf000000, 0x3effffff,
        0x3f000001, 0x4b000000, 0x34000000, 31,         32,         33};
    uint64_t x = rng_next(g->r);
    if (x & 1)
        return some[(x >> 8) % (sizeof some / sizeof *some)];
    uint32_t word = (uint32_t)(x >> 32);
    if (x & 2) /* a number of 2^-15 to 2^48, which conversions round */
        word = (word & 0x807fffff) | (112 + (word >> 23 & 63)) << 23;
    return word;
}

static int any_register(struct gen *g) {
    return below(g, g->data);
}

static int data_register(struct gen *g) {
    return R_DATA + below(g, g->data - R_DATA);
}

static int any_predicate(struct gen *g) {
    return below(g, 16);
}

/* Now and then a guard, and hints, which change nothing. */
static void decorate(struct gen *g, struct isa_word *w, int guarded) {
    if (!isa_has(w->op, 'U') && chance(g, guarded)) {
        w->guard = (uint8_t)below(g, 8);
        w->unless = chance(g, 50);
    }
    if (chance(g, 10)) {
        w->place = (uint8_t)below(g, 4);
        w->chain = (uint8_t)below(g, 16);
        w->mark = chance(g, 50);
    }
    stray_tag(g, w);
}

/* --- arithmetic ----------------------------------------------------------- */

static int any_op(struct gen *g) {
    for (;;) {
        int op = below(g, ISA_OPS);
        enum isa_class c = isa_info(op)->class;
        if (isa_info(op)->text &&
            (c == ISA_CLASS_int || c == ISA_CLASS_mul || c == ISA_CLASS_f32 ||
             c == ISA_CLASS_compare || c == ISA_CLASS_pred))
            return op;
    }
}

static void second(struct gen *g, struct isa_word *w) {
    bool f = isa_has(w->op, 'f');
    if (!(f || isa_has(w->op, 'i')) || chance(g, 60)) {
        w->b = (uint8_t)any_register(g);
        w->ftz = isa_has(w->op, 'Z') && chance(g, 30);
        w->sat = isa_has(w->op, 'S') && chance(g, 20);
        return;
    }
    w->imm = true;
    w->value =
        f ? any_word(g) & 0xffffff00 : (uint32_t)bits_signed(any_word(g), 24);
}

static void arithmetic(struct gen *g) {
    struct isa_word w = plain(any_op(g));
    int op = w.op;
    decorate(g, &w, 25);
    w.d = (uint8_t)(isa_has(op, 'd') ? data_register(g)
                    : chance(g, 3)   ? ISA_TRUE
                                     : below(g, 4));
    if (isa_has(op, 'a'))
        w.a = (uint8_t)any_register(g);
    if (isa_has(op, 'A')) {
        w.a = (uint8_t)any_predicate(g);
        w.b = (uint8_t)any_predicate(g);
    }
    if (isa_has(op, 'w'))
        w.value = any_word(g);
    if (isa_has(op, 'b') || isa_has(op, 'i') || isa_has(op, 'f'))
        second(g, &w);
    else if (isa_has(op, 'Z') || isa_has(op, 'S')) { /* of one source */
        w.ftz = isa_has(op, 'Z') && chance(g, 30);
        w.sat = isa_has(op, 'S') && chance(g, 20);
    }
    if (isa_has(op, 'c'))
        w.c = (uint8_t)any_register(g);
    if (isa_has(op, 'C'))
        w.c = (uint8_t)any_predicate(g);
    if (isa_has(op, 'R'))
        w.round = (uint8_t)below(g, 4);
    emit(g, w);
}

static bool of_a_cta(uint32_t special) {
    return special == ISA_SPECIAL_warpid || special == ISA_SPECIAL_ctaid_x ||
           special == ISA_SPECIAL_ctaid_y || special == ISA_SPECIAL_ctaid_z;
}

static void read_special(struct gen *g) {
    struct isa_word w = plain(chance(g, 50) ? ISA_s2r : ISA_ldp);
    int params = g->s->l.PARAMS < ENV_PARAMS ? g->s->l.PARAMS : ENV_PARAMS;
    decorate(g, &w, 25);
    w.d = (uint8_t)data_register(g);
    w.imm = true;
    w.value = (uint32_t)below(g, w.op == ISA_s2r ? (int)ISA_SPECIALS : params);
    if (g->inside && w.op == ISA_s2r && of_a_cta(w.value))
        w.value = ISA_SPECIAL_laneid;
    emit(g, w);
}

static void exchange(struct gen *g) {
    struct isa_word w = plain(ISA_shfl_idx + below(g, 5));
    decorate(g, &w, 20);
    w.d = (uint8_t)data_register(g);
    if (w.op == ISA_vote) {
        w.c = (uint8_t)any_predicate(g);
    } else {
        w.a = (uint8_t)any_register(g);
        w.imm = chance(g, 50);
        if (w.imm)
            w.value = (uint32_t)below(g, g->s->l.LANES + 2);
        else
            w.b = (uint8_t)any_register(g);
        w.c = (uint8_t)(chance(g, 70) ? R_SHFL : any_register(g));
    }
    emit(g, w);
}

/* --- accesses ------------------------------------------------------------- */

static const uint8_t global_ops[] = {
    ISA_ldg_b32, ISA_ldg_u8,  ISA_ldg_s8, ISA_ldg_u16, ISA_ldg_s16,
    ISA_ldg_b32, ISA_stg_b32, ISA_stg_b8, ISA_stg_b16, ISA_stg_b32};
static const uint8_t shared_ops[] = {
    ISA_lds_b32, ISA_lds_u8,  ISA_lds_s8, ISA_lds_u16, ISA_lds_s16,
    ISA_lds_b32, ISA_sts_b32, ISA_sts_b8, ISA_sts_b16, ISA_sts_b32};

static int bytes_of(int op) {
    const char *text = isa_info(op)->text;
    return strchr(text, '8') ? 1 : strstr(text, "16") ? 2 : 4;
}

/* R_AT := an address in a region of so many bytes, which each lane has for
 * itself, or shares with others. */
static void address(struct gen *g, int base, int size, int bytes) {
    switch (below(g, 4)) {
    case 0: /* one after the other */
        number(g, ISA_mul, R_AT, R_LANE, bytes);
        number(g, ISA_and, R_AT, R_AT, size - 1);
        break;
    case 1: /* far apart */
        number(g, ISA_shl, R_AT, R_LANE, g->s->l.SECTOR_W);
        number(g, ISA_and, R_AT, R_AT, (size - 1) & -bytes);
        break;
    case 2: /* all on one, or two */
        number(g, ISA_and, R_AT, any_register(g), bytes & (size - 1));
        break;
    default:
        number(g, ISA_and, R_AT, any_register(g), (size - 1) & -bytes);
        break;
    }
    registers(g, ISA_add, R_AT, R_AT, base);
}

static void access_at(struct gen *g, int op, int base, int size) {
    struct isa_word w = plain(op);
    int bytes = bytes_of(op), far = 0;
    decorate(g, &w, 25);
    w.imm = true;
    if (chance(g, 30)) {
        w.a = (uint8_t)base;
        w.value = (uint32_t)(below(g, size / bytes) * bytes);
    } else {
        address(g, base, size, bytes);
        if (chance(g, 30)) {
            far = rng_range(g->r, -8000000, 8000000);
            number(g, ISA_sub, R_AT, R_AT, far);
        }
        w.a = R_AT;
        w.value = (uint32_t)far;
    }
    if (isa_has(op, 'd'))
        w.d = (uint8_t)data_register(g);
    else
        w.c = (uint8_t)any_register(g);
    emit(g, w);
}

static void global_access(struct gen *g) {
    access_at(g, global_ops[below(g, sizeof global_ops)], R_GLOBAL,
              1 << g->region_w);
}

/* Operation after operation, on operands that keep coming: what memory holds
 * is another word for each lane. */
static void sums(struct gen *g) {
    for (int n = rng_range(g->r, 20, 90); n > 0 && room(g) > 20; n--) {
        int what = below(g, 100);
        if (what < 10)
            access_at(g, ISA_ldg_b32, R_GLOBAL, 1 << g->region_w);
        else if (what < 25)
            constant(g, data_register(g), any_word(g));
        else
            arithmetic(g);
    }
}

static void shared_access(struct gen *g) {
    if (g->shared && !g->inside)
        access_at(g, shared_ops[below(g, sizeof shared_ops)], R_SHARED,
                  g->shared);
}

/* Loads one after the other: buffers, tickets and ids run out. */
static void burst(struct gen *g) {
    for (int n = rng_range(g->r, 2, 5); n > 0; n--) {
        struct isa_word w = plain(chance(g, 80) ? ISA_ldg_b32 : ISA_stg_b32);
        w.a = R_GLOBAL;
        w.imm = true;
        w.value = (uint32_t)below(g, 1 << (g->region_w - 2)) * 4;
        if (w.op == ISA_stg_b32)
            w.c = (uint8_t)any_register(g);
        else
            w.d = (uint8_t)data_register(g);
        emit(g, w);
    }
}

static void atomic(struct gen *g, int op, int at) {
    struct isa_word w = plain(op);
    decorate(g, &w, 20);
    w.d = (uint8_t)data_register(g);
    w.a = (uint8_t)at;
    w.c = (uint8_t)any_register(g);
    if (isa_has(op, 'b'))
        w.b = (uint8_t)any_register(g);
    emit(g, w);
}

/* Among the lanes of a warp: every one, in lane order. */
static void own_atomic(struct gen *g) {
    bool shared = g->shared && !g->inside && chance(g, 50);
    int base = shared ? R_SHARED : R_GLOBAL;
    address(g, base, shared ? g->shared : 1 << g->region_w, 4);
    atomic(g, (shared ? ISA_ats_add : ISA_atg_add) + below(g, 10), R_AT);
}

/* Among all threads: each word has one operation, which commutes. */
static void many_atomic(struct gen *g) {
    int which = below(g, MANY_OPS);
    number(g, ISA_and, R_AT, any_register(g), 4);
    if (g->shared && !g->inside && chance(g, 40)) {
        number(g, ISA_add, R_AT, R_AT, (int32_t)g->l->shared_many);
        atomic(g, ISA_ats_add + g->many_op, R_AT);
        return;
    }
    constant(g, R_SHFL, g->l->many[0] + 8 * (uint32_t)which);
    registers(g, ISA_add, R_AT, R_AT, R_SHFL);
    atomic(g, ISA_atg_add + which, R_AT);
    number(g, ISA_and, R_SHFL, R_SHFL, g->s->l.LANES - 1);
}

/* Between two barriers: what the next warp of the CTA has. */
static void read_others(struct gen *g) {
    bool shared = g->shared && chance(g, 50);
    int warps = (int)g->l->reg[AT_WARPS];
    int size = shared ? g->shared : 1 << g->region_w;
    struct isa_word w = plain(ISA_movi);
    nothing(g, ISA_bar);
    special(g, R_AT, ISA_SPECIAL_warpid);
    number(g, ISA_add, R_AT, R_AT, 1);
    number(g, ISA_setges, P_BRANCH, R_AT, warps);
    w.guard = P_BRANCH;
    w.d = R_AT;
    emit(g, w);
    if (shared) {
        number(g, ISA_mul, R_AT, R_AT, size);
    } else { /* region of warp 0, and on from there */
        special(g, R_SHFL, ISA_SPECIAL_warpid);
        registers(g, ISA_sub, R_AT, R_AT, R_SHFL);
        number(g, ISA_shl, R_AT, R_AT, g->region_w);
        registers(g, ISA_add, R_AT, R_AT, R_GLOBAL);
    }
    number(g, ISA_and, R_SHFL, any_register(g), (size - 1) & ~3);
    registers(g, ISA_add, R_AT, R_AT, R_SHFL);
    w = plain(shared ? ISA_lds_b32 : ISA_ldg_b32);
    w.a = R_AT;
    w.imm = true;
    w.d = (uint8_t)data_register(g);
    emit(g, w);
    nothing(g, ISA_bar);
}

/* --- chains --------------------------------------------------------------- */

/* R_AT := addresses of words one behind the other, of the warp's region. */
static void row_address(struct gen *g) {
    number(g, ISA_mul, R_AT, R_LANE, 4);
    registers(g, ISA_add, R_AT, R_AT, R_GLOBAL);
}

struct tags {
    uint8_t guard;
    bool unless;
    int malformed; /* word whose tag is another, -1: none */
    int n;         /* words so far */
};

static void chain_word(struct gen *g, struct tags *t, struct isa_word w,
                       bool last) {
    w.guard = t->guard;
    w.unless = t->unless;
    w.chain = t->n == 0 ? TAG_FIRST : last ? TAG_LAST : TAG_INSIDE;
    if (t->n++ == t->malformed)
        w.chain = (uint8_t)below(g, 5);
    emit(g, w);
}

static struct isa_word row_access(struct gen *g, int op) {
    struct isa_word w = plain(op);
    int rows = 1 << (g->s->l.SECTOR_W - 2), bytes = 4 * g->s->l.LANES;
    w.a = chance(g, 96) ? R_AT : R_GLOBAL;
    w.imm = true;
    w.value = (uint32_t)(below(g, rows) * bytes);
    return w;
}

/* Sources: mostly what the chain has loaded. */
static int chain_source(struct gen *g, int from) {
    return chance(g, 85) ? from : any_register(g);
}

static struct isa_word chain_op(struct gen *g, const int *loaded, bool tests) {
    struct isa_word w;
    do
        w = plain(any_op(g));
    while ((isa_info(w.op)->class == ISA_CLASS_compare) != tests ||
           isa_has(w.op, 'C') || isa_has(w.op, 'A'));
    int op = w.op;
    w.d = (uint8_t)(tests ? below(g, 4) : data_register(g));
    if (isa_has(op, 'a'))
        w.a = (uint8_t)chain_source(g, loaded[0]);
    if (isa_has(op, 'w'))
        w.value = any_word(g);
    if (isa_has(op, 'i') || isa_has(op, 'f') || isa_has(op, 'b'))
        second(g, &w);
    if (!w.imm && !isa_has(op, 'w') && (isa_has(op, 'b') || chance(g, 70)) &&
        (isa_has(op, 'i') || isa_has(op, 'f') || isa_has(op, 'b')))
        w.b = (uint8_t)chain_source(g, loaded[1]);
    if (isa_has(op, 'c'))
        w.c = (uint8_t)chain_source(g, loaded[0]);
    return w;
}

/* Loads, operations on what they give, and a result that is kept or stored:
 * what ndpcc tags.  Nothing of a chain is left but the result, if it was
 * carried out elsewhere. */
static void chain(struct gen *g) {
    int loads = rng_range(g->r, 1, chance(g, 80) ? 2 : 3);
    int ops = below(g, 3), loaded[2];
    struct tags t = {.guard = ISA_TRUE, .malformed = -1};
    if (chance(g, 30)) {
        t.guard = (uint8_t)below(g, 8);
        t.unless = chance(g, 50);
    }
    if (chance(g, 12))
        t.malformed = below(g, loads + ops + 1);
    if (chance(g, 8))
        address(g, R_GLOBAL, 1 << (g->region_w - 3), 4);
    else
        row_address(g);
    for (int i = 0; i < loads; i++) {
        struct isa_word w =
            row_access(g, chance(g, 96) ? ISA_ldg_b32 : ISA_ldg_u16);
        w.d = (uint8_t)data_register(g);
        loaded[i % 2] = w.d;
        loaded[1] = i ? loaded[1] : w.d;
        chain_word(g, &t, w, false);
    }
    for (int i = 0; i < ops; i++) {
        struct isa_word w = chain_op(g, loaded, false);
        loaded[i % 2] = w.d;
        chain_word(g, &t, w, false);
    }
    if (chance(g, 40)) {
        struct isa_word w = row_access(g, ISA_stg_b32);
        w.c = (uint8_t)chain_source(g, loaded[0]);
        chain_word(g, &t, w, true);
    } else {
        chain_word(g, &t, chain_op(g, loaded, chance(g, 50)), true);
    }
}

/* Chains one behind the other, after stores that are under way. */
static void chains(struct gen *g) {
    if (chance(g, 50))
        burst(g);
    for (int n = rng_range(g->r, 1, 3); n > 0 && room(g) > 30; n--)
        chain(g);
}

/* Where paths meet, or come from elsewhere, no chain goes on. */
static void cut_chains(struct gen *g) {
    uint64_t *code = g->l->code.v;
    for (int i = 0; i < g->l->code.n; i++) {
        struct isa_word w;
        if (isa_decode(code[i], g->s->l.REGS, &w) != ISA_LEGAL ||
            w.op != ISA_bra)
            continue;
        const int places[] = {w.target, w.join};
        for (int k = 0; k < 2; k++)
            if (places[k] < g->l->code.n &&
                (code[places[k]] >> 27 & 15) != TAG_FIRST)
                code[places[k]] &= ~(ones(4) << 27);
    }
}

/* --- paths ---------------------------------------------------------------- */

static void statements(struct gen *g, int n);

/* P_BRANCH := something that lanes do not agree about, mostly. */
static void condition(struct gen *g) {
    if (chance(g, 50)) {
        number(g, ISA_and, R_AT, R_LANE, 1 << below(g, 3));
        number(g, chance(g, 50) ? ISA_setne : ISA_seteq, P_BRANCH, R_AT, 0);
    } else {
        registers(g, ISA_setltu, P_BRANCH, any_register(g), any_register(g));
    }
}

static void if_statement(struct gen *g) {
    bool uniform = g->uniform;
    condition(g);
    int at = branch(g, P_BRANCH, chance(g, 50));
    g->levels++;
    g->uniform = false;
    statements(g, rng_range(g->r, 1, 4));
    bool closes = g->levels < g->s->l.STACK && room(g) > 60 && chance(g, 40);
    if (closes) /* both end at one place */
        if_statement(g);
    if (!closes && chance(g, 50)) {
        int over = branch(g, ISA_TRUE, false);
        int other = here(g);
        statements(g, rng_range(g->r, 1, 4));
        aim(g, over, here(g), ISA_NO_JOIN);
        aim(g, at, other, here(g));
    } else {
        aim(g, at, here(g), here(g));
    }
    g->levels--;
    g->uniform = uniform;
}

/* Every lane as often as its counter says; some leave by a break. */
static void loop(struct gen *g) {
    int counter = R_LOOP + g->loops, exit_at = -1;
    bool uniform = g->uniform, same = chance(g, 30);
    if (same)
        constant(g, counter, (uint32_t)rng_range(g->r, 1, 3));
    else
        number(g, ISA_and, counter, any_register(g), 3);
    g->loops++;
    g->levels++;
    g->uniform = uniform && same;
    int begin = here(g);
    statements(g, rng_range(g->r, 1, 3));
    if (chance(g, 30)) {
        g->uniform = false;
        condition(g);
        exit_at = branch(g, P_BRANCH, false);
        statements(g, 1);
    }
    number(g, ISA_sub, counter, counter, 1);
    number(g, ISA_setgts, P_BRANCH, counter, 0);
    int back = branch(g, P_BRANCH, false);
    aim(g, back, begin, here(g));
    if (exit_at >= 0)
        aim(g, exit_at, here(g), here(g));
    g->levels--;
    g->loops--;
    g->uniform = uniform;
}

/* A block: without what only a warp of a CTA may do. */
static void block(struct gen *g) {
    struct launch *l = g->l;
    bool uniform = g->uniform;
    int mark = here(g);
    if (l->pieces == ENV_PIECES)
        return;
    if (chance(g, 30))
        nothing(g, ISA_nop);
    int from = here(g);
    g->inside = true;
    g->uniform = false;
    statements(g, rng_range(g->r, 1, 3));
    g->inside = false;
    g->uniform = uniform;
    if (here(g) == from)
        return;
    l->code.v[mark] |= bit(31);
    l->piece[l->pieces++] = (struct piece){mark, from, here(g)};
}

static void leave(struct gen *g) {
    struct isa_word w = plain(ISA_exit);
    if (chance(g, 80)) {
        condition(g);
        w.guard = P_BRANCH;
    }
    emit(g, w);
    g->exits = true;
}

/* A warp ends, the others come to a barrier. */
static void leave_warp(struct gen *g) {
    struct isa_word w = plain(ISA_exit);
    special(g, R_AT, ISA_SPECIAL_warpid);
    number(g, ISA_seteq, P_BRANCH, R_AT, below(g, (int)g->l->reg[AT_WARPS]));
    w.guard = P_BRANCH;
    emit(g, w);
    nothing(g, ISA_bar);
    g->exits = true;
}

/* What writes rows while answers come. */
static void mixture(struct gen *g) {
    global_access(g);
    if (chance(g, 50))
        exchange(g);
    else
        shared_access(g);
    exchange(g);
}

/* Mostly with something to wait for. */
static void fence(struct gen *g) {
    if (chance(g, 50))
        burst(g);
    if (chance(g, 50))
        global_access(g);
    nothing(g, g->uniform && chance(g, 75) ? ISA_bar : ISA_membar);
}

static void statement(struct gen *g) {
    if (g->s->l.BUILDS && room(g) > 40 && chance(g, 15)) {
        chains(g);
        return;
    }
    if (g->s->l.MOVES && !g->inside && room(g) > 40 && chance(g, 25)) {
        block(g);
        return;
    }
    int what = below(g, 100);
    bool deeper = g->levels < g->s->l.STACK && room(g) > 60;
    if (what < 21)
        arithmetic(g);
    else if (what < 24)
        read_special(g);
    else if (what < 29)
        exchange(g);
    else if (what < 33)
        mixture(g);
    else if (what < 42)
        global_access(g);
    else if (what < 51)
        shared_access(g);
    else if (what < 55)
        burst(g);
    else if (what < 59)
        own_atomic(g);
    else if (what < 63)
        many_atomic(g);
    else if (what < 84 && deeper)
        if_statement(g);
    else if (what < 89 && deeper && g->loops < LOOPS)
        loop(g);
    else if (g->inside)
        nothing(g, ISA_nop);
    else if (what < 93)
        fence(g);
    else if (what < 95 && g->uniform && !g->exits && room(g) > 30)
        read_others(g);
    else if (what < 97 && g->uniform && g->levels == 0)
        leave_warp(g);
    else if (what < 98 && g->levels > 0)
        leave(g);
    else if (what < 99)
        nothing(g, chance(g, 50) ? ISA_nop : ISA_membar);
    else
        emit(g, (struct isa_word){
                    .op = ISA_trap, .guard = ISA_TRUE, .unless = true});
}

/* Room for the longest statement, and to close what is open. */
static void statements(struct gen *g, int n) {
    while (n-- > 0 && room(g) > 20 + 6 * g->levels)
        statement(g);
}

/* --- faults --------------------------------------------------------------- */

static void illegal_word(struct gen *g) {
    struct isa_word w;
    uint64_t word = rng_next(g->r);
    switch (below(g, 4)) {
    case 0:
        word = 0;
        break;
    case 1: /* a register too many, where there are fewer than 64 */
        word = ISA_mov | ISA_TRUE << 8 | 63ul << 40;
        break;
    case 2: /* beyond the code */
        word = ISA_bra | ISA_TRUE << 8 | 0xfffeul << 32 | 0xffff000000000000ul;
        break;
    default:
        break;
    }
    bool legal = isa_decode(word, g->s->l.REGS, &w) == ISA_LEGAL &&
                 (w.op != ISA_bra || w.target < g->s->l.CODE);
    *array_push(&g->l->code) = legal ? 0 : word;
}

static uint32_t align_up(uint32_t x, int bytes) {
    return (x + (uint32_t)bytes - 1) & -(uint32_t)bytes;
}

/* One that no access to shared memory, or to global memory, may have. */
static uint32_t unmapped(struct gen *g, bool shared, int bytes) {
    uint32_t end = g->l->reg[shared ? AT_SHARED : AT_END];
    uint32_t any = any_word(g) & -(uint32_t)bytes;
    if (!shared && (!end || chance(g, 50)))
        return (uint32_t)(below(g, 256 / bytes) * bytes);
    return any >= end && chance(g, 50) ? any : align_up(end, bytes);
}

/* Any operation that has an address. */
static void bad_address(struct gen *g, bool misaligned) {
    struct isa_word w;
    bool shared = chance(g, 50);
    enum isa_class c;
    int bytes;
    do {
        w = plain(below(g, ISA_OPS));
        c = isa_info(w.op)->text ? isa_info(w.op)->class : ISA_CLASS_int;
        bytes = isa_info(w.op)->text ? bytes_of(w.op) : 1;
    } while ((c != ISA_CLASS_global && c != ISA_CLASS_shared &&
              c != ISA_CLASS_atomic) ||
             (isa_info(w.op)->timing == ISA_TIMING_shared) != shared ||
             (misaligned && bytes == 1));
    if (!misaligned || chance(g, 30)) /* both: misaligned */
        constant(g, R_AT, unmapped(g, shared, bytes));
    else
        number(g, ISA_add, R_AT, shared && g->shared ? R_SHARED : R_GLOBAL, 0);
    if (misaligned)
        number(g, ISA_add, R_AT, R_AT, 1 + below(g, bytes - 1));
    decorate(g, &w, 60);
    if (g->s->l.OFFERS && chance(g, 40))
        w.chain = TAG_FIRST, w.mark |= g->s->l.MOVES;
    w.a = R_AT;
    w.imm = c != ISA_CLASS_atomic;
    if (isa_has(w.op, 'd'))
        w.d = (uint8_t)data_register(g);
    if (isa_has(w.op, 'b'))
        w.b = (uint8_t)any_register(g);
    if (isa_has(w.op, 'c'))
        w.c = (uint8_t)any_register(g);
    emit(g, w);
}

/* Lanes leave the others behind, one a level, until the stack is full. */
static void too_deep(struct gen *g) {
    int levels = g->s->l.STACK + 1, at[64 + 1];
    if (room(g) < 4 * levels + 8)
        return;
    for (int k = 0; k < levels; k++) {
        number(g, ISA_setne, P_BRANCH, R_LANE, k % g->s->l.LANES);
        at[k] = branch(g, P_BRANCH, false);
        nothing(g, ISA_nop);
    }
    for (int k = levels - 1; k >= 0; k--) {
        aim(g, at[k], at[k] + 2, here(g));
        nothing(g, ISA_nop);
    }
}

static void part_lanes(struct gen *g) {
    number(g, ISA_and, R_AT, R_LANE, 1);
    number(g, ISA_setne, P_BRANCH, R_AT, 0);
}

static void mistake(struct gen *g, int cause) {
    struct isa_word w = plain(ISA_trap);
    int at;
    switch (cause) {
    case C_ILLEGAL:
        illegal_word(g);
        break;
    case C_MISALIGNED:
    case C_UNMAPPED:
        bad_address(g, cause == C_MISALIGNED);
        break;
    case C_STACK:
        too_deep(g);
        break;
    case C_NO_JOIN:
        part_lanes(g);
        at = branch(g, P_BRANCH, false);
        nothing(g, ISA_nop);
        aim(g, at, here(g), ISA_NO_JOIN);
        break;
    case C_BARRIER:
        part_lanes(g);
        at = branch(g, P_BRANCH, false);
        nothing(g, ISA_bar);
        aim(g, at, here(g), here(g));
        nothing(g, ISA_nop);
        break;
    case C_TRAP:
        decorate(g, &w, 50);
        emit(g, w);
        break;
    case C_MEMORY:
        g->l->tune.refuse = 300;
        burst(g);
        break;
    default:
        g->l->tune.silent = true;
        g->l->tune.guests = 0; /* whose registers retire */
        g->l->reg[AT_WATCHDOG] = (uint32_t)rng_range(g->r, 60, 300);
        burst(g);
        break;
    }
}

/* --- a launch ------------------------------------------------------------- */

/* R_AT := number of the warp, by what is resident or by the grid. */
static void warp_number(struct gen *g) {
    int lanes = g->s->l.LANES;
    if (chance(g, g->s->l.AREAS ? 10 : 50)) {
        special(g, R_AT, ISA_SPECIAL_slot);
        number(g, ISA_shr, R_AT, R_AT, __builtin_ctz((unsigned)lanes));
        return;
    }
    struct isa_word mad = plain(ISA_mad);
    mad.d = mad.a = R_AT;
    mad.b = R_SHFL;
    mad.c = R_DATA;
    special(g, R_AT, ISA_SPECIAL_ctaid_z);
    special(g, R_SHFL, ISA_SPECIAL_nctaid_y);
    special(g, R_DATA, ISA_SPECIAL_ctaid_y);
    emit(g, mad);
    special(g, R_SHFL, ISA_SPECIAL_nctaid_x);
    special(g, R_DATA, ISA_SPECIAL_ctaid_x);
    emit(g, mad);
    number(g, ISA_mul, R_AT, R_AT, (int32_t)g->l->reg[AT_WARPS]);
    special(g, R_DATA, ISA_SPECIAL_warpid);
    registers(g, ISA_add, R_AT, R_AT, R_DATA);
}

static void first_value(struct gen *g, int d) {
    struct isa_word w = plain(ISA_ldp);
    switch (below(g, 4)) {
    case 0:
        constant(g, d, any_word(g));
        break;
    case 1:
        number(g, ISA_mul, d, R_LANE, rng_range(g->r, -100000, 100000));
        break;
    case 2:
        number(g, ISA_add, d, 0, rng_range(g->r, -100000, 100000));
        break;
    default:
        w.d = (uint8_t)d;
        w.imm = true;
        w.value = (uint32_t)below(g, ENV_PARAMS);
        emit(g, w);
        break;
    }
}

static void first_predicates(struct gen *g) {
    bool brief = g->s->l.CODE < 128;
    for (int p = 0; p < ISA_TRUE; p++) {
        struct isa_word w = plain(ISA_pand);
        if (!brief && chance(g, 60)) {
            number(g, ISA_and, R_AT, R_LANE, 1 << below(g, 4));
            number(g, ISA_setne, p, R_AT, 0);
            continue;
        }
        w.d = (uint8_t)p;
        w.a = ISA_TRUE;
        w.b = (uint8_t)(ISA_TRUE | (chance(g, 50) ? ISA_INVERT : 0));
        emit(g, w);
    }
}

/* All lanes write the same words, the highest of a warp wins. */
static void first_shared(struct gen *g) {
    struct isa_word w = plain(ISA_sts_b32);
    w.imm = true;
    w.a = R_SHARED;
    for (int at = 0; at < g->shared; at += 4) {
        w.value = (uint32_t)at;
        w.c = (uint8_t)any_register(g);
        emit(g, w);
    }
    constant(g, R_AT, g->l->shared_many);
    constant(g, R_SHFL, 0);
    w.a = R_AT;
    w.c = R_SHFL;
    for (int at = 0; at < SHARED_MANY; at += 4) {
        w.value = (uint32_t)at;
        emit(g, w);
    }
    nothing(g, ISA_bar);
}

static void prologue(struct gen *g, uint32_t base) {
    warp_number(g);
    number(g, ISA_shl, R_GLOBAL, R_AT, g->region_w);
    constant(g, R_AT, base);
    registers(g, ISA_add, R_GLOBAL, R_GLOBAL, R_AT);
    special(g, R_SHARED, ISA_SPECIAL_warpid);
    number(g, ISA_mul, R_SHARED, R_SHARED, g->shared);
    special(g, R_LANE, ISA_SPECIAL_laneid);
    constant(g, R_LOOP, 0);
    constant(g, R_LOOP + 1, 0);
    constant(g, R_SHFL, (uint32_t)g->s->l.LANES - 1);
    for (int d = R_DATA; d < g->data; d++)
        first_value(g, d);
    first_predicates(g);
    if (g->shared)
        first_shared(g);
    constant(g, R_SHFL,
             chance(g, 50) ? (uint32_t)g->s->l.LANES - 1
                           : (uint32_t)rng_next(g->r) & 0x1f1f);
}

/* Sides of a block of so many threads at most. */
static void sides(struct gen *g, uint32_t *n, int most) {
    n[0] = (uint32_t)rng_range(g->r, 1, most);
    n[1] = n[2] = 1;
    for (int i = 1; i < 3; i++)
        if (chance(g, 50))
            n[i] =
                (uint32_t)rng_range(g->r, 1, most / (int)(n[0] * n[1] * n[2]));
    if (chance(g, 50)) {
        uint32_t x = n[0];
        int with = 1 + below(g, 2);
        n[0] = n[with];
        n[with] = x;
    }
}

/* With blocks moved: mostly some warps are left for guests, now and then all. */
static void blocks(struct gen *g, int most) {
    static const uint8_t paces[] = {0, 0, 0, 1, 2, 5, 9};
    uint32_t *reg = g->l->reg;
    if (most > 1 && reg[AT_RESIDENT] == (uint32_t)most && chance(g, 70))
        reg[AT_RESIDENT]--;
    if (g->s->l.STEPS && chance(g, 10))
        reg[AT_CTA_STEP] = 0;
    reg[AT_PACE] = paces[below(g, sizeof paces)];
}

/* A grid, and of it a rectangle, all or nothing. */
static void area(struct gen *g) {
    uint32_t *reg = g->l->reg;
    reg[AT_GRID + 2] = chance(g, 80) ? 1 : 2;
    for (int i = 0; i < 2; i++) {
        int n = rng_range(g->r, 1, 4), first = chance(g, 50) ? 0 : below(g, n);
        int left = n - first;
        reg[AT_GRID + i] = (uint32_t)n;
        reg[AT_AREA + i] = (uint32_t)first;
        reg[AT_AREA_END + i] =
            (uint32_t)(first + (chance(g, 50) ? left : 1 + below(g, left)));
    }
    if (chance(g, 5))
        reg[AT_AREA_END + below(g, 2)] = 0;
    reg[AT_BY_COLUMN] = (uint32_t)below(g, 2);
}

static void geometry(struct gen *g) {
    const struct simt_local *l = &g->s->l;
    uint32_t *reg = g->l->reg;
    int warps = rng_range(g->r, 1, l->WARPS < 4 ? l->WARPS : 4);
    int threads = warps * l->LANES;
    if (chance(g, 60)) {
        sides(g, reg + AT_BLOCK, threads);
    } else {
        reg[AT_BLOCK] = (uint32_t)threads;
        reg[AT_BLOCK + 1] = reg[AT_BLOCK + 2] = 1;
    }
    simt_geometry(g->s, g->l);
    sides(g, reg + AT_GRID, chance(g, 70) ? 2 : 6);
    int most = l->WARPS / (int)reg[AT_WARPS];
    most = most < l->CTAS ? most : l->CTAS;
    reg[AT_RESIDENT] = (uint32_t)rng_range(g->r, 1, most);
    uint32_t unit = 4 * (uint32_t)l->ALUS;
    uint32_t shared = 4 * (uint32_t)l->SHARED / reg[AT_RESIDENT];
    shared = shared > 1024 ? 1024 : shared;
    reg[AT_SHARED] = chance(g, 80) ? shared / unit * unit : 0;
    if (l->STEPS) {
        reg[AT_CTA_STEP] = chance(g, 40) ? 1 : (uint32_t)rng_range(g->r, 2, 5);
        reg[AT_FIRST_CTA] =
            (uint32_t)below(g, chance(g, 80) ? (int)reg[AT_CTA_STEP] : 30);
    }
    if (l->MOVES)
        blocks(g, most);
    if (l->AREAS)
        area(g);
}

static void draw_tune(struct gen *g) {
    static const uint8_t rates[] = {100, 100, 100, 60, 40, 25, 15, 10};
    struct tune *t = &g->l->tune;
    *t = (struct tune){
        .high = rng_range(g->r, 1, 20),
        .low = chance(g, 50) ? 0 : rng_range(g->r, 1, 10),
        .answer = rates[below(g, sizeof rates)],
        .shuffle = chance(g, 40) ? 0 : rng_range(g->r, 20, 100),
        .halt = chance(g, 70) ? 0 : rng_range(g->r, 5, 40),
        .noise = chance(g, 50) ? 0 : rng_range(g->r, 1, 30),
        .clear = chance(g, 90) ? 0 : rng_range(g->r, 1, 10),
    };
    if (g->s->l.MOVES)
        t->guests = chance(g, 40) ? 0 : rng_range(g->r, 2, 40);
}

/* Where regions lie: low, or at the very end of all addresses. */
static uint32_t place_regions(struct gen *g) {
    struct launch *l = g->l;
    uint32_t warps = l->reg[AT_GRID] * l->reg[AT_GRID + 1] *
                     l->reg[AT_GRID + 2] * l->reg[AT_WARPS];
    if (warps < (uint32_t)g->s->l.WARPS)
        warps = (uint32_t)g->s->l.WARPS;
    uint32_t guests = g->s->l.MOVES ? (uint32_t)g->s->l.WARPS : 0;
    uint32_t size = (warps + guests) << g->region_w, many = 8 * MANY_OPS;
    bool high = chance(g, 20);
    uint32_t base = high ? 0u - size - many : 256;
    l->guests = base + (warps << g->region_w);
    l->guest_region = 1u << g->region_w;
    l->guest_lane = 0;
    l->many[0] = base + size;
    l->many[1] = base + size + many - (high ? 1 : 0);
    l->reg[AT_END] = high ? 0 : chance(g, 20) ? 0 : base + size + many;
    return base;
}

void simt_random_launch(struct simt_stim *s) {
    struct gen gen = {.s = s, .l = &s->launch, .r = &s->base.rng}, *g = &gen;
    struct launch *l = &s->launch;
    int cause = chance(g, 35) ? C_ILLEGAL + s->script++ % C_WATCHDOG : C_NONE;
    memset(l->reg, 0, sizeof l->reg);
    l->pieces = 0;
    draw_tune(g);
    geometry(g);
    l->seed = rng_next(g->r);
    for (int i = 0; i < ENV_PARAMS; i++)
        l->params[i] = any_word(g);
    bool brief = s->l.CODE < 128;
    g->data = brief ? R_DATA + 4 : s->l.REGS < 24 ? s->l.REGS : 24;
    g->uniform = true;
    g->region_w = __builtin_ctz((unsigned)s->l.LANES) + s->l.SECTOR_W;
    l->region = 1u << g->region_w;
    g->many_op = below(g, MANY_OPS);
    int each = ((int)l->reg[AT_SHARED] - SHARED_MANY) / (int)l->reg[AT_WARPS];
    each = brief ? 0 : each;
    g->shared = each >= 32 ? 32 : each >= 16 ? 16 : each >= 8 ? 8 : 0;
    l->shared_many = g->shared ? l->reg[AT_SHARED] - SHARED_MANY : UINT32_MAX;
    l->reg[AT_WATCHDOG] = chance(g, 50) ? 0 : 100000;
    g->most = s->l.CODE < 256 ? s->l.CODE : rng_range(g->r, 150, 256);
    prologue(g, place_regions(g));
    int n = rng_range(g->r, 1, chance(g, 70) ? 6 : 25);
    int bad = cause ? below(g, n) : -1;
    if (chance(g, 30))
        sums(g);
    for (int i = 0; i < n; i++) {
        if (i == bad)
            mistake(g, cause);
        statements(g, 1);
    }
    nothing(g, ISA_exit);
    if (s->l.BUILDS)
        cut_chains(g);
    if (l->code.n > s->l.CODE)
        BUG("a program of %d words", l->code.n);
}
