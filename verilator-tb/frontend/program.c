/* program.c - launches that are made up: nested ifs and loops around words of
 * all operations, barriers and exits, on any grid that fits, some with a fault
 * in them; and those that have operation after operation. */
#include "env.h"

#include "base/diag.h"

#include <string.h>

struct gen {
    struct frontend_stim *s;
    struct launch *l;
    struct rng *r;
    int most;     /* words */
    int levels;   /* of the stack, in use */
    int loops;    /* ... around this place */
    bool uniform; /* all lanes of the warp are here */
};

static int below(struct gen *g, int n) {
    return (int)rng_below(g->r, (uint32_t)n);
}

static bool chance(struct gen *g, int percent) {
    return rng_percent(g->r, percent);
}

static int here(const struct gen *g) {
    return g->l->code.n;
}

static int room(const struct gen *g) {
    return g->most - here(g);
}

/* --- words ---------------------------------------------------------------- */

static void emit(struct gen *g, struct isa_word w) {
    uint64_t word;
    if (isa_encode(&w, &word) != ISA_LEGAL)
        BUG("a word of '%s' is not legal", isa_info(w.op)->text);
    *array_push(&g->l->code) = word;
}

static struct isa_word plain(int op) {
    return (struct isa_word){.op = (uint8_t)op, .guard = ISA_TRUE};
}

static void nothing(struct gen *g, int op) {
    emit(g, plain(op));
}

static uint8_t some_register(struct gen *g) {
    int n = g->s->l.REGS - 8 < ISA_REGISTERS ? g->s->l.REGS - 8 : ISA_REGISTERS;
    return (uint8_t)(chance(g, 10) ? n - 1 : below(g, n));
}

static void some_number(struct gen *g, struct isa_word *w) {
    w->imm = true;
    w->value = isa_has(w->op, 'f')
                   ? (uint32_t)rng_next(g->r) & 0xffffff00
                   : (uint32_t)bits_signed(rng_next(g->r) & ones(24), 24);
}

/* A legal word of an operation that is not of class control. */
static void word_of(struct gen *g, int op) {
    struct isa_word w = plain(op);
    if (!isa_has(op, 'U') && chance(g, 50)) {
        w.guard = (uint8_t)below(g, 8);
        w.unless = chance(g, 50);
    }
    for (const char *f = isa_info(op)->form; *f; f++)
        switch (*f) {
        case 'd':
            w.d = some_register(g);
            break;
        case 'D':
            w.d = (uint8_t)below(g, 8);
            break;
        case 'a':
        case 'n':
            w.a = some_register(g);
            break;
        case 'm':
            w.a = some_register(g);
            some_number(g, &w);
            break;
        case 'A':
            w.a = (uint8_t)below(g, 16);
            break;
        case 'b':
            w.b = some_register(g);
            break;
        case 'B':
            w.b = (uint8_t)below(g, 16);
            break;
        case 'i':
        case 'f':
            if (chance(g, 50))
                some_number(g, &w);
            else
                w.b = some_register(g);
            break;
        case 'c':
            w.c = some_register(g);
            break;
        case 'C':
            w.c = (uint8_t)below(g, 16);
            break;
        case 's':
            w.imm = true;
            w.value = (uint32_t)below(g, ISA_SPECIAL_shared + 1);
            break;
        case 'p':
            w.imm = true;
            w.value = (uint32_t)below(g, g->s->l.PARAMS);
            break;
        case 'w':
            w.value = (uint32_t)rng_next(g->r);
            break;
        case 'R':
            w.round = (uint8_t)below(g, 4);
            break;
        case 'Z':
            w.ftz = !w.imm && chance(g, 40);
            break;
        case 'S':
            w.sat = !w.imm && chance(g, 40);
            break;
        default:
            break;
        }
    if (chance(g, 60))
        w.place = (uint8_t)below(g, 4);
    if (chance(g, 10)) {
        w.chain = (uint8_t)below(g, 16);
        w.mark = chance(g, 50);
    }
    emit(g, w);
}

static bool is_plain(int op) {
    return isa_info(op)->text && isa_info(op)->class != ISA_CLASS_control;
}

static int some_op(struct gen *g) {
    int op;
    do
        op = below(g, ISA_OPS);
    while (!is_plain(op));
    return op;
}

static void access_word(struct gen *g) {
    word_of(g, chance(g, 50) ? ISA_ldg_b32 : ISA_stg_b32);
}

/* A branch whose places are filled in later. */
static int branch(struct gen *g, int guard, bool unless) {
    struct isa_word w = plain(ISA_bra);
    w.guard = (uint8_t)guard;
    w.unless = unless;
    w.join = ISA_NO_JOIN;
    emit(g, w);
    return here(g) - 1;
}

static void aim(struct gen *g, int at, int target, int join) {
    g->l->code.v[at] &= ones(32);
    g->l->code.v[at] |= (uint64_t)target << 32 | (uint64_t)join << 48;
}

/* --- paths ---------------------------------------------------------------- */

static void statements(struct gen *g, int n);

static void if_statement(struct gen *g) {
    bool uniform = g->uniform, warp = chance(g, 25);
    int at = branch(g, warp ? P_WARP : below(g, 4), chance(g, 50));
    g->levels++;
    g->uniform = uniform && warp;
    statements(g, rng_range(g->r, 1, 3));
    bool closes = g->levels < g->s->l.STACK && room(g) > 24 && chance(g, 40);
    if (closes) /* both end at one place */
        if_statement(g);
    if (!closes && chance(g, 50)) {
        int over = branch(g, ISA_TRUE, false);
        int other = here(g);
        statements(g, rng_range(g->r, 1, 3));
        aim(g, over, here(g), ISA_NO_JOIN);
        aim(g, at, other, here(g));
    } else {
        aim(g, at, here(g), here(g));
    }
    g->levels--;
    g->uniform = uniform;
}

/* Every lane as often as it likes; some leave by a break. */
static void loop(struct gen *g) {
    int begin = here(g), leave = -1;
    bool uniform = g->uniform;
    g->loops++;
    g->levels++;
    g->uniform = false;
    statements(g, rng_range(g->r, 1, 3));
    if (chance(g, 30)) {
        leave = branch(g, below(g, 4), false);
        statements(g, 1);
    }
    int back = branch(g, P_LOOP, false);
    aim(g, back, begin, here(g));
    if (leave >= 0)
        aim(g, leave, here(g), here(g));
    g->levels--;
    g->loops--;
    g->uniform = uniform;
}

static void leave(struct gen *g) {
    struct isa_word w = plain(ISA_exit);
    w.guard = (uint8_t)(chance(g, 30) ? P_WARP : below(g, 4));
    w.unless = chance(g, 50);
    emit(g, w);
}

/* Lanes leave the others behind, one a level. */
static void deep(struct gen *g, int levels) {
    int at[64 + 1];
    if (room(g) < 4 * levels + 8)
        return;
    for (int k = 0; k < levels; k++) {
        at[k] = branch(g, P_PEEL, false);
        nothing(g, ISA_nop);
    }
    for (int k = levels - 1; k >= 0; k--) {
        aim(g, at[k], at[k] + 2, here(g));
        nothing(g, ISA_nop);
    }
}

/* By the last word, which is not ours, and from place 0 on once more. */
static void go_round(struct gen *g) {
    int at = branch(g, P_WARP, false);
    aim(g, at, g->s->l.CODE - 1, ISA_NO_JOIN);
}

/* Some lanes to place 0, which is their join; the rest of the program is no
 * longer one that all lanes of a warp come to together. */
static void go_back(struct gen *g) {
    int at = branch(g, P_LOOP, false);
    aim(g, at, 0, 0);
    g->uniform = false;
}

static void statement(struct gen *g) {
    int what = below(g, 100);
    bool deeper = g->levels < g->s->l.STACK && room(g) > 24;
    if (what < 40) {
        word_of(g, some_op(g));
    } else if (what < 55) {
        access_word(g);
        if (chance(g, 50))
            access_word(g);
    } else if (what < 72 && deeper) {
        if_statement(g);
    } else if (what < 80 && deeper && g->loops < 2) {
        loop(g);
    } else if (what < 86) {
        nothing(g, g->uniform ? ISA_bar : ISA_membar);
    } else if (what < 89) {
        nothing(g, ISA_membar);
    } else if (what < 92) {
        leave(g);
    } else if (what < 94 && g->uniform && g->levels == 0) {
        go_round(g);
    } else if (what < 96 && g->levels == 0) {
        deep(g, g->s->l.STACK);
    } else if (what < 97 && g->levels == 0) {
        go_back(g);
    } else if (what < 98) {
        nothing(g, ISA_nop);
    } else {
        struct isa_word w = plain(chance(g, 50) ? ISA_trap : ISA_exit);
        w.unless = true; /* for nobody */
        emit(g, w);
    }
}

/* Room for the longest statement, and to close what is open. */
static void statements(struct gen *g, int n) {
    while (n-- > 0 && room(g) > 6 + 3 * g->levels)
        statement(g);
}

/* --- faults --------------------------------------------------------------- */

static void illegal_word(struct gen *g) {
    const struct frontend_local *l = &g->s->l;
    uint64_t word = 0;
    int n = l->REGS - 8;
    switch (below(g, 5)) {
    case 0:
        break;
    case 1: /* a predicate's register: source, destination */
        if (n < ISA_REGISTERS)
            word = ISA_add | ISA_TRUE << 8 |
                   (uint64_t)n << (chance(g, 50) ? 12 : 18);
        break;
    case 2: /* the same: second source, or third */
        if (n < ISA_REGISTERS)
            word = ISA_mad | ISA_TRUE << 8 |
                   (uint64_t)rng_range(g->r, n, ISA_REGISTERS - 1)
                       << (chance(g, 50) ? 40 : 32);
        break;
    case 3: /* beyond the code */
        if (l->TAG_W < 16)
            word = ISA_bra | ISA_TRUE << 8 |
                   (chance(g, 50) ? UINT64_C(0xffff) << 48 |
                                        UINT64_C(1) << (32 + l->TAG_W)
                                  : UINT64_C(1) << (48 + l->TAG_W));
        break;
    default: /* no such parameter */
        word = ISA_ldp | ISA_TRUE << 8 | UINT64_C(1) << 24 |
               (uint64_t)l->PARAMS << 40;
        break;
    }
    *array_push(&g->l->code) = word;
}

static void mistake(struct gen *g, int cause) {
    int at;
    switch (cause) {
    case C_ILLEGAL:
        illegal_word(g);
        break;
    case C_STACK:
        deep(g, g->s->l.STACK + 1);
        break;
    case C_NO_JOIN:
        at = branch(g, P_PEEL, false);
        nothing(g, ISA_nop);
        aim(g, at, here(g), ISA_NO_JOIN);
        break;
    case C_BARRIER:
        at = branch(g, P_PEEL, chance(g, 50));
        nothing(g, ISA_bar);
        aim(g, at, here(g), here(g));
        nothing(g, ISA_nop);
        break;
    case C_TRAP:
        emit(g,
             (struct isa_word){.op = ISA_trap, .guard = (uint8_t)below(g, 8)});
        break;
    case C_UNMAPPED: /* the back end's */
    case C_MISALIGNED:
    case C_MEMORY:
        word_of(g, ISA_lds_b32);
        word_of(g, ISA_ldg_b32);
        g->l->tune.far = chance(g, 75) ? rng_range(g->r, 30, 200) : 0;
        if (!g->l->tune.far || chance(g, 60))
            g->l->tune.near = rng_range(g->r, 30, 200);
        break;
    default:
        g->l->tune.silent = true;
        g->l->reg[AT_WATCHDOG] = (uint32_t)rng_range(g->r, 60, 300);
        break;
    }
}

/* --- a launch ------------------------------------------------------------- */

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

static void geometry(struct gen *g) {
    const struct frontend_local *l = &g->s->l;
    uint32_t *reg = g->l->reg, lanes = (uint32_t)l->LANES;
    int warps = rng_range(g->r, 1, l->WARPS < 4 ? l->WARPS : 4);
    if (chance(g, 5))
        warps = l->WARPS;
    int threads = warps * l->LANES;
    if (threads > 1024)
        threads = 1024;
    if (chance(g, 60)) {
        sides(g, reg + AT_BLOCK, threads);
    } else {
        reg[AT_BLOCK] = (uint32_t)threads;
        reg[AT_BLOCK + 1] = reg[AT_BLOCK + 2] = 1;
    }
    reg[AT_THREADS] = reg[AT_BLOCK] * reg[AT_BLOCK + 1] * reg[AT_BLOCK + 2];
    reg[AT_WARPS] = (reg[AT_THREADS] + lanes - 1) / lanes;
    sides(g, reg + AT_GRID, chance(g, 70) ? 3 : 8);
    if (chance(g, 3))
        reg[AT_GRID + below(g, 3)] = 0;
    int most = l->WARPS / (int)reg[AT_WARPS];
    most = most < l->CTAS ? most : l->CTAS;
    reg[AT_RESIDENT] = (uint32_t)rng_range(g->r, 1, most);
    uint32_t unit = 4 * (uint32_t)l->ALUS;
    uint32_t shared = 4 * (uint32_t)l->SHARED / reg[AT_RESIDENT];
    reg[AT_SHARED] = chance(g, 80) ? shared / unit * unit : 0;
    reg[AT_CTA_STEP] = chance(g, 50) ? 1 : (uint32_t)rng_range(g->r, 2, 5);
    reg[AT_FIRST_CTA] =
        chance(g, 50)
            ? 0
            : (uint32_t)below(g, chance(g, 80) ? (int)reg[AT_CTA_STEP] : 30);
    reg[AT_END] = chance(g, 30) ? 0 : (uint32_t)rng_next(g->r);
    /* of one core nobody may have said that it takes each */
    if (reg[AT_CTA_STEP] == 1 && reg[AT_END] % 2 == 0)
        reg[AT_CTA_STEP] = 0;
}

static void draw_tune(struct gen *g) {
    static const uint8_t rates[] = {100, 100, 100, 70, 40, 20};
    struct tune *t = &g->l->tune;
    *t = (struct tune){
        .high = rng_range(g->r, 1, 20),
        .low = chance(g, 50) ? 0 : rng_range(g->r, 1, 20),
        .deliver = chance(g, 30) ? 1 : rng_range(g->r, 2, 20),
        .fickle = chance(g, 40) ? 0 : rng_range(g->r, 1, 60),
        .late = chance(g, 40) ? 3 : rng_range(g->r, 4, 120),
        .resolve = chance(g, 40) ? 2 : rng_range(g->r, 3, 40),
        .commit = rates[below(g, sizeof rates)],
        .halt = chance(g, 70) ? 0 : rng_range(g->r, 5, 60),
        .noise = chance(g, 50) ? 0 : rng_range(g->r, 10, 300),
    };
}

static void made_up(struct gen *g) {
    struct launch *l = g->l;
    int cause =
        chance(g, 35) ? C_ILLEGAL + g->s->script++ % C_WATCHDOG : C_NONE;
    int n = rng_range(g->r, 1, chance(g, 70) ? 6 : 20);
    int bad = cause ? below(g, n) : -1;
    l->reg[AT_WATCHDOG] = chance(g, 50) ? 0 : 100000;
    l->reg[AT_ENTRY] = chance(g, 80) ? 0 : (uint32_t)below(g, 6);
    for (uint32_t i = 0; i < l->reg[AT_ENTRY]; i++)
        nothing(g, ISA_nop);
    for (int i = 0; i < n; i++) {
        if (i == bad)
            mistake(g, cause);
        statements(g, 1);
    }
    nothing(g, ISA_exit);
}

/* The operations in their order, as many as there is room for. */
static void each_operation(struct gen *g) {
    while (room(g) > 3) {
        int op = g->s->script = g->s->script % (ISA_OPS - 1) + 1;
        if (is_plain(op))
            word_of(g, op);
    }
    if (chance(g, 30))
        illegal_word(g);
    nothing(g, ISA_exit);
}

void frontend_launch(struct frontend_stim *s, bool directed) {
    struct gen gen = {.s = s, .l = &s->launch, .r = &s->base.rng}, *g = &gen;
    struct launch *l = &s->launch;
    int code = s->l.CODE - 1;
    l->code.n = 0;
    memset(l->reg, 0, sizeof l->reg);
    draw_tune(g);
    geometry(g);
    l->seed = rng_next(g->r);
    g->uniform = true;
    g->most = code < 255 ? code : rng_range(g->r, 100, 255);
    if (directed)
        each_operation(g);
    else
        made_up(g);
    if (l->code.n > code)
        BUG("a program of %d words", l->code.n);
}
