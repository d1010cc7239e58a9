/* make.c - a program out of a seed. */
#include "private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where a statement stands. */
struct around {
    bool uniform; /* all threads of the CTA come by, warps whole */
    bool in_loop; /* one that may be left early */
    int depth;    /* of conditions and loops */
    int loops;
};

struct maker {
    struct arena *arena;
    struct fuzz_random random;
    const struct fuzz_limits *l;
    struct fuzz_program *p;
    bool has_exit, has_bar, own_shared, exchange, shared_acc, has_local, bytes;
    int max_depth;
};

static bool chance(struct maker *m, int percent) {
    return fuzz_chance(&m->random, percent);
}

static int below(struct maker *m, int n) {
    return fuzz_below(&m->random, n);
}

/* --- statements ----------------------------------------------------------- */

static struct fuzz_statement *new_statement(struct maker *m,
                                            enum fuzz_shape shape) {
    struct fuzz_statement *s = arena_alloc(m->arena, sizeof *s);
    s->shape = shape;
    s->guard = -1;
    return s;
}

static void append(struct maker *m, struct fuzz_list *l,
                   struct fuzz_statement *s) {
    struct fuzz_statement **v =
        arena_array(m->arena, (size_t)l->n + 1, sizeof *v);
    if (l->n)
        memcpy(v, l->v, (size_t)l->n * sizeof *v);
    v[l->n++] = s;
    l->v = v;
}

/* An instruction writes a register once. */
static bool is_written(const struct fuzz_statement *s,
                       const struct fuzz_operand *o) {
    for (int i = 0; i < s->n_operands; i++)
        if (fuzz_is_result(o->kind) && s->operands[i].kind == o->kind &&
            s->operands[i].index == o->index)
            return true;
    return false;
}

static void operands(struct maker *m, struct fuzz_statement *s,
                     const char *kinds) {
    for (; *kinds; kinds++) {
        struct fuzz_operand o;
        do
            o = fuzz_random_operand(&m->random, *kinds);
        while (is_written(s, &o));
        s->operands[s->n_operands++] = o;
    }
}

static struct fuzz_statement *leaf(struct maker *m, const char *kinds,
                                   const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static struct fuzz_statement *leaf(struct maker *m, const char *kinds,
                                   const char *fmt, ...) {
    char line[600];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    struct fuzz_statement *s = new_statement(m, FUZZ_LEAF);
    s->text = fuzz_choose(m->arena, &m->random, line);
    operands(m, s, kinds);
    return s;
}

static void guard(struct maker *m, struct fuzz_statement *s, int percent) {
    if (!chance(m, percent))
        return;
    s->guard = below(m, *fuzz_pool_size(&m->random, 'p'));
    s->unless = chance(m, 40);
}

/* Instructions of which CUDA's own assembler makes several, of which it forgets
 * the guard (docs/gpu.md). */
static bool loses_guard(const struct fuzz_form *f) {
    return strncmp(f->text, "testp.", 6) == 0 ||
           (strncmp(f->text, "set.", 4) == 0 && f->kinds[0] == 'F');
}

/* One of the forms, often with a guard before its last instruction. */
static struct fuzz_statement *form(struct maker *m, char only) {
    const struct fuzz_form *f;
    do
        f = &fuzz_forms[below(m, fuzz_n_forms)];
    while (only && f->kinds[0] != only);
    const char *last = strrchr(f->text, ';');
    while (last > f->text && last[-1] != ';')
        last--;
    struct fuzz_statement *s =
        leaf(m, f->kinds, "%.*s%s$G%s", (int)(last - f->text), f->text,
             last > f->text ? " " : "", last + (*last == ' '));
    guard(m, s, 15);
    if (m->l->portable && loses_guard(f))
        s->guard = -1;
    return s;
}

/* --- memory --------------------------------------------------------------- */

static int log2_of(int n) {
    return __builtin_ctz((unsigned)n);
}

/* %tq: an address in the area of bytes (a power of two) at base, chosen by
 * operand; *offset stands in the access. */
static const char *address(struct maker *m, const char *base, int bytes,
                           int width, int operand, int *offset) {
    char line[300];
    int n = bytes / width;
    static const char *const ways[] = {
        "and.b32 %%ta, $%d, %d; cvt.u64.u32 %%tq, %%ta; add.s64 %%tq, %s, "
        "%%tq; ",
        "and.b32 %%ta, $%d, %d; mul.wide.[u32|s32] %%tq, %%ta, %d; add.s64 "
        "%%tq, %%tq, %s; ",
        "and.b32 %%ta, $%d, %d; mad.wide.[u32|s32] %%tq, %%ta, %d, %s; ",
        "and.b32 %%ta, $%d, %d; cvt.[u64.u32|s64.s32] %%tq, %%ta; shl.b64 "
        "%%tq, %%tq, %d; add.s64 %%tq, %%tq, %s; ",
        "and.b32 %%ta, $%d, %d; shl.b32 %%ta, %%ta, %d; cvt.[u64.u32|s64.s32] "
        "%%tq, %%ta; add.s64 %%tq, %s, %%tq; "};
    int way = below(m, 5), by = way == 1 || way == 2 ? width : log2_of(width);
    *offset = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (way == 0)
        snprintf(line, sizeof line, ways[0], operand, bytes - width, base);
    else
        snprintf(line, sizeof line, ways[way], operand, n - 1, by, base);
#pragma GCC diagnostic pop
    if (chance(m, 30)) {
        *offset = 4 * (below(m, 33) - 16);
        size_t len = strlen(line);
        snprintf(line + len, sizeof line - len, "add.s64 %%tq, %%tq, %d; ",
                 -*offset);
    }
    return arena_strdup(m->arena, line);
}

struct type {
    const char *name, *kind;
    int width;
};

static const struct type load_types[] = {
    {"u32", "R", 4}, {"s32", "R", 4}, {"b32", "R", 4}, {"f32", "F", 4},
    {"u8", "R", 1},  {"s8", "R", 1},  {"u16", "R", 2}, {"s16", "R", 2},
    {"b8", "R", 1},  {"u16", "H", 2}, {"s16", "H", 2}, {"u8", "H", 1},
    {"s8", "H", 1},  {"u64", "Q", 8}, {"b64", "Q", 8}, {"f32", "F", 4}};
static const struct type store_types[] = {
    {"u32", "i", 4}, {"b32", "r", 4}, {"f32", "g", 4}, {"u8", "r", 1},
    {"b8", "r", 1},  {"u16", "r", 2}, {"b16", "h", 2}, {"u8", "h", 1},
    {"u64", "k", 8}, {"b64", "q", 8}};

static const struct type *load_type(struct maker *m) {
    return &load_types[below(m, sizeof load_types / sizeof *load_types)];
}

static const struct type *store_type(struct maker *m) {
    return &store_types[below(m, sizeof store_types / sizeof *store_types)];
}

/* Read-only: anywhere. */
static struct fuzz_statement *load_in(struct maker *m) {
    const struct type *t = load_type(m);
    int offset;
    struct fuzz_statement *s;
    if (chance(m, 25)) {
        int n = chance(m, 50) ? 2 : 4; /* elements */
        bool f = chance(m, 40) && *fuzz_pool_size(&m->random, 'f') >= n;
        const char *a = address(m, "%pin", FUZZ_IN_BYTES, 4 * n, n, &offset);
        if (n == 2)
            s = leaf(m, f ? "FFr" : "RRr",
                     "%s$Gld.global[|.nc].v2.%s {$0, $1}, [%%tq+%d];", a,
                     f ? "f32" : "u32", offset);
        else
            s = leaf(m, f ? "FFFFr" : "RRRRr",
                     "%s$Gld.global.v4.%s {$0, $1, $2, $3}, [%%tq+%d];", a,
                     f ? "f32" : "u32", offset);
    } else {
        char kinds[3] = {t->kind[0], 'r', 0};
        const char *a = address(m, "%pin", FUZZ_IN_BYTES, t->width, 1, &offset);
        s = leaf(m, kinds, "%s$Gld.global[||.nc].%s $0, [%%tq+%d];", a, t->name,
                 offset);
    }
    guard(m, s, 25);
    return s;
}

/* The thread's own scratch, or its local memory. */
static struct fuzz_statement *access_own(struct maker *m, bool local) {
    bool load = chance(m, 50);
    const struct type *t = load ? load_type(m) : store_type(m);
    char kinds[3] = {t->kind[0], 'r', 0};
    int offset = 0, bytes = local ? FUZZ_LOCAL : FUZZ_SCRATCH;
    const char *space = local ? ".local" : chance(m, 20) ? "" : ".global";
    const char *a = "";
    struct fuzz_statement *s;
    if (local && chance(m, 30)) { /* by its generic address */
        a = address(m, "%tw", bytes, t->width, 1, &offset);
        a = leaf(m, "", "mov.u64 %%tw, loc; cvta.local.u64 %%tw, %%tw; %s", a)
                ->text;
        space = "";
    } else if (chance(m, 50)) {
        a = address(m, local ? "%tw" : "%pown", bytes, t->width, 1, &offset);
        if (local)
            a = leaf(m, "", "mov.u64 %%tw, loc; %s", a)->text;
    } else {
        kinds[1] = 0;
        offset = t->width * below(m, bytes / t->width);
        if (load)
            s = leaf(m, kinds, "$Gld%s.%s $0, [%s+%d];", space, t->name,
                     local ? "loc" : "%pown", offset);
        else
            s = leaf(m, kinds, "$Gst%s.%s [%s+%d], $0;", space, t->name,
                     local ? "loc" : "%pown", offset);
        guard(m, s, 25);
        return s;
    }
    if (load)
        s = leaf(m, kinds, "%s$Gld%s.%s $0, [%%tq+%d];", a, space, t->name,
                 offset);
    else
        s = leaf(m, kinds, "%s$Gst%s.%s [%%tq+%d], $0;", a, space, t->name,
                 offset);
    guard(m, s, 25);
    return s;
}

static const struct type *narrow_type(struct maker *m, bool load) {
    const struct type *t;
    do
        t = load ? load_type(m) : store_type(m);
    while (t->width > FUZZ_SHARED_SLOT);
    return t;
}

/* A thread's own word of shared memory. */
static struct fuzz_statement *access_shared(struct maker *m) {
    bool load = chance(m, 50);
    const struct type *t = narrow_type(m, load);
    char kinds[3] = {t->kind[0], 0, 0};
    int offset = t->width * below(m, FUZZ_SHARED_SLOT / t->width);
    struct fuzz_statement *s;
    if (chance(m, 40)) {
        kinds[1] = 'r';
        const char *a = leaf(m, "",
                             "and.b32 %%ta, $1, %d; add.u32 %%ta, %%sown, "
                             "%%ta; ",
                             FUZZ_SHARED_SLOT - t->width)
                            ->text;
        if (load)
            s = leaf(m, kinds, "%s$Gld.shared.%s $0, [%%ta];", a, t->name);
        else
            s = leaf(m, kinds, "%s$Gst.shared.%s [%%ta], $0;", a, t->name);
    } else if (load) {
        s = leaf(m, kinds, "$Gld.shared.%s $0, [%%sown+%d];", t->name, offset);
    } else {
        s = leaf(m, kinds, "$Gst.shared.%s [%%sown+%d], $0;", t->name, offset);
    }
    guard(m, s, 25);
    return s;
}

/* Neighbours in memory belong to neighbours: a warp's access is few requests,
 * and words are shared by the lanes that own their bytes. */
static struct fuzz_statement *access_row(struct maker *m) {
    struct fuzz_statement *s;
    switch (below(m, m->bytes ? 8 : 6)) {
    case 0:
        s = leaf(m, "R",
                 "mad.wide.u32 %%tq, %%gid, 4, %%pall; $Gld.global.u32 "
                 "$0, [%%tq+$W];");
        break;
    case 1:
        s = leaf(m, "i",
                 "mad.wide.u32 %%tq, %%gid, 4, %%pall; $Gst.global.u32 "
                 "[%%tq+$W], $0;");
        break;
    case 2: /* the last thread has the first */
        s = leaf(m, "R",
                 "sub.u32 %%ta, $T, %%gid; mad.wide.u32 %%tq, %%ta, 2, "
                 "%%pall; $Gld.global.[u16|s16] $0, [%%tq+$H];");
        break;
    case 3:
        s = leaf(m, "r",
                 "sub.u32 %%ta, $T, %%gid; mad.wide.u32 %%tq, %%ta, 2, "
                 "%%pall; $Gst.global.u16 [%%tq+$H], $0;");
        break;
    case 4:
        s = leaf(m, "R",
                 "cvt.u64.u32 %%tq, %%gid; add.s64 %%tq, %%tq, %%pall; "
                 "$Gld.global.[u8|s8] $0, [%%tq+$Y];");
        break;
    case 5:
        s = leaf(m, "r",
                 "cvt.u64.u32 %%tq, %%gid; add.s64 %%tq, %%tq, %%pall; "
                 "$Gst.global.u8 [%%tq+$Y], $0;");
        break;
    case 6:
        s = leaf(m, "R", "$Gld.shared.[u8|s8] $0, [%%sb];");
        break;
    default:
        s = leaf(m, "r", "$Gst.shared.u8 [%%sb], $0;");
    }
    guard(m, s, 30);
    return s;
}

/* --- atomics -------------------------------------------------------------- */

struct atomic {
    const char *text; /* operation and type */
    enum fuzz_group group;
};

static const struct atomic atomics[] = {
    {"add.[u32|s32]", FUZZ_GROUP_add}, {"min.s32", FUZZ_GROUP_mins},
    {"max.s32", FUZZ_GROUP_maxs},      {"min.u32", FUZZ_GROUP_minu},
    {"max.u32", FUZZ_GROUP_maxu},      {"and.b32", FUZZ_GROUP_and},
    {"or.b32", FUZZ_GROUP_or},         {"xor.b32", FUZZ_GROUP_xor}};

/* On a word that all threads share; what was there is not looked at. */
static struct fuzz_statement *atomic_all(struct maker *m) {
    const struct atomic *a = &atomics[below(m, 8)];
    int which = below(m, 14), offset;
    struct fuzz_statement *s;
    bool red = chance(m, 60);
    const char *op = red ? "red" : "atom", *to = red ? "" : "%tc, ";
    if (m->shared_acc && chance(m, 50)) {
        s = leaf(m, "i", "mov.u32 %%tb, sacc; $G%s.shared.%s %s[%%tb+%d], $0;",
                 op, a->text, to, 4 * (int)a->group);
        guard(m, s, 30);
        return s;
    }
    const char *at = address(m, "%pacc", FUZZ_GROUP, 4, 1, &offset);
    if (which < 10)
        s = leaf(m, "ir", "%s$G%s.global.%s %s[%%tq+%d], $0;", at, op, a->text,
                 to, offset + FUZZ_GROUP * (int)a->group);
    else if (which == 10)
        s = leaf(m, "rr", "%s$Gatom.global.exch.b32 %%tc, [%%tq+%d], 77;", at,
                 offset + FUZZ_GROUP * FUZZ_GROUP_exch);
    else if (which < 13)
        s = leaf(m, "rr", "%s$G%s.global.%s.u32 %s[%%tq+%d], 100;", at, op,
                 which == 11 ? "inc" : "dec", to,
                 offset + FUZZ_GROUP *
                              (which == 11 ? FUZZ_GROUP_inc : FUZZ_GROUP_dec));
    else /* whole numbers, so that sums are exact */
        s = leaf(m, "rr",
                 "%sand.b32 %%tb, $0, 255; cvt.rn.f32.u32 %%tf, %%tb; "
                 "$G%s.global.add.f32 %s[%%tq+%d], %%tf;",
                 at, op, red ? "" : "%tf, ",
                 offset + FUZZ_GROUP * FUZZ_GROUP_fadd);
    guard(m, s, 30);
    return s;
}

/* On the thread's own word: the old value is known, too. */
static struct fuzz_statement *atomic_own(struct maker *m) {
    bool shared = m->own_shared && chance(m, 40);
    const char *space = shared ? ".shared" : chance(m, 20) ? "" : ".global";
    const char *at = shared ? "%sown" : "%pown";
    int offset = shared ? 0 : 4 * below(m, FUZZ_SCRATCH / 4);
    struct fuzz_statement *s;
    switch (below(m, 5)) {
    case 0:
        s = leaf(m, "Rir", "$Gatom%s.cas.b32 $0, [%s+%d], $1, $2;", space, at,
                 offset);
        break;
    case 1:
        s = leaf(m, "Ri", "$Gatom%s.exch.b32 $0, [%s+%d], $1;", space, at,
                 offset);
        break;
    case 2:
        s = chance(m, 50) ? leaf(m, "Ri",
                                 "$Gatom%s.[inc|dec].u32 $0, "
                                 "[%s+%d], $1;",
                                 space, at, offset)
                          : leaf(m, "Fg", "$Gatom%s.add.f32 $0, [%s+%d], $1;",
                                 space, at, offset);
        break;
    default:
        s = leaf(m, "Ri", "$Gatom%s.%s $0, [%s+%d], $1;", space,
                 atomics[below(m, 8)].text, at, offset);
    }
    guard(m, s, 25);
    return s;
}

/* --- where all threads come by -------------------------------------------- */

static struct fuzz_statement *shuffle(struct maker *m) {
    int width = 1 << (1 + below(m, log2_of(m->l->lanes)));
    int way = below(m, 4);
    static const char *const ways[] = {"idx", "up", "down", "bfly"};
    int c = (32 - width) << 8 | (way == 1 ? 0 : width - 1);
    bool p = chance(m, 40);
    struct fuzz_statement *s =
        p ? leaf(m, "RPrn",
                 "and.b32 %%ta, $3, %d; shfl.sync.%s.b32 $0|$1, $2, %%ta, %d, "
                 "0xffffffff;",
                 width - 1, ways[way], c)
          : leaf(m, "Rrn",
                 "and.b32 %%ta, $2, %d; shfl.sync.%s.b32 $0, $1, %%ta, %d, "
                 "0xffffffff;",
                 width - 1, ways[way], c);
    s->width = width;
    return s;
}

/* A thread looks for its own vote; or all have the same. */
static struct fuzz_statement *vote(struct maker *m) {
    if (m->l->same_lanes && !m->has_exit && chance(m, 60)) {
        struct fuzz_statement *s =
            chance(m, 50)
                ? leaf(m, "Rp", "vote.sync.ballot.b32 $0, $1, 0xffffffff;")
                : leaf(m, "Pp",
                       "vote.sync.[any|all|uni].pred $0, [|!]$1, 0xffffffff;");
        s->width = 32;
        return s;
    }
    if (chance(m, 50))
        return leaf(m, "Rp",
                    "vote.sync.ballot.b32 %%ta, $1, 0xffffffff; mov.u32 %%tb, "
                    "%%laneid; shr.u32 %%ta, %%ta, %%tb; and.b32 $0, %%ta, 1;");
    return leaf(m, "P",
                "ld.param.u32 %%ta, [[p0|p1]]; setp.lt.s32 %%tp, %%ta, 0; "
                "vote.sync.[any|all].pred $0, %%tp, 0xffffffff;");
}

/* --- parts and groups of a warp ------------------------------------------- */

/* %tb: the member lanes of each lane.  Warps are divided into tiles; a tile may
 * be divided further into the lanes that agree about predicates $2 and $3. */
static struct fuzz_statement *with_members(struct maker *m, const char *kinds,
                                           int tile, int splits,
                                           const char *use) {
    static const char split[] =
        "vote.sync.ballot.b32 %%tc, $%d, %%tb; not.b32 %%ta, %%tc; selp.b32 "
        "%%ta, %%tc, %%ta, $%d; and.b32 %%tb, %%tb, %%ta; ";
    char splitting[400] = "", all[12];
    snprintf(all, sizeof all, "%s%s", kinds, "pp");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (int i = 0; i < splits; i++)
        snprintf(splitting + strlen(splitting),
                 sizeof splitting - strlen(splitting), split, 2 + i, 2 + i);
#pragma GCC diagnostic pop
    struct fuzz_statement *s =
        leaf(m, all,
             "mov.u32 %%ta, %%laneid; and.b32 %%ta, %%ta, %d; mov.u32 %%tb, "
             "%d; shl.b32 %%tb, %%tb, %%ta; %s%s",
             -tile, (int)(UINT32_MAX >> (32 - tile)), splitting, use);
    /* lanes that a block lacks may be named, but not read */
    s->width =
        m->l->portable || strstr(use, "shfl") || chance(m, 50) ? tile : 0;
    return s;
}

/* Ballots are seen from the tile's first lane: warps may have fewer lanes. */
static struct fuzz_statement *group_vote(struct maker *m) {
    int tile = 1 << (1 + below(m, log2_of(m->l->lanes)));
    bool some = chance(m, 40); /* only the lanes for which $2 holds vote */
    const char *narrow = some ? "vote.sync.ballot.b32 %tb, $2, %tb; " : "";
    const char *g = some ? "@$2 " : "";
    char use[400];
    bool counted = chance(m, 50);
    if (counted)
        snprintf(use, sizeof use,
                 "%s%svote.sync.ballot.b32 $0, [|!]$1, %%tb; mov.u32 %%ta, "
                 "%%laneid; and.b32 %%ta, %%ta, %d; %sshr.u32 $0, $0, %%ta;",
                 narrow, g, -tile, g);
    else
        snprintf(use, sizeof use,
                 "%s%svote.sync.[any|all|uni].pred $0, [|!]$1, %%tb;", narrow,
                 g);
    return with_members(m, counted ? "Rp" : "Pp", tile, some ? 0 : below(m, 3),
                        use);
}

static struct fuzz_statement *group_exchange(struct maker *m) {
    int tile = 1 << (1 + below(m, log2_of(m->l->lanes)));
    char use[300];
    if (m->has_exit || chance(m, 20))
        return with_members(m, "rr", tile, 0, "bar.warp.sync %tb;");
    snprintf(use, sizeof use,
             "and.b32 %%ta, $1, %d; shfl.sync.[idx|down|bfly].b32 $0, $1, "
             "%%ta, %d, %%tb;",
             tile - 1, (32 - tile) << 8 | (tile - 1));
    return with_members(m, "Rr", tile, 0, use);
}

/* Where lanes may be anywhere: those that are here. */
static struct fuzz_statement *active_vote(struct maker *m) {
    return leaf(m, "Rp",
                "activemask.b32 %%tb; vote.sync.ballot.b32 %%ta, $1, %%tb; "
                "mov.u32 %%tb, %%laneid; shr.u32 %%ta, %%ta, %%tb; and.b32 $0, "
                "%%ta, 1;");
}

/* What other threads have in shared memory. */
static struct fuzz_statement *exchange(struct maker *m) {
    const char *load = "and.b32 %ta, %ta, $M; shl.b32 %ta, %ta, 2; mov.u32 "
                       "%tb, sx; add.u32 %ta, %ta, %tb; ";
    if (chance(m, 50)) /* one that a number leads to */
        return leaf(
            m, "Rin",
            "st.shared.u32 [%%sx], $1; bar.sync 0; add.u32 %%ta, %%lid, "
            "$2; %sld.shared.u32 $0, [%%ta]; bar.sync 0;",
            load);
    struct fuzz_statement *s = leaf(
        m, "Rirr",
        "st.shared.u32 [%%sx], $1; bar.sync 0; mov.u32 %%ta, $2; %s$Gld.shared."
        "[u8|s8|u16|s16|u32] $0, [%%ta]; bar.sync 0;",
        load);
    guard(m, s, 30);
    return s;
}

/* The same by global memory: words of the rows. */
static struct fuzz_statement *exchange_global(struct maker *m) {
    return leaf(m, "Rir",
                "mad.wide.u32 %%tq, %%gid, 4, %%pall; st.global.u32 [%%tq+$W], "
                "$1; bar.sync 0; sub.u32 %%ta, %%gid, %%lid; and.b32 %%tb, $2, "
                "$M; add.u32 %%ta, %%ta, %%tb; mad.wide.u32 %%tq, %%ta, 4, "
                "%%pall; ld.global.u32 $0, [%%tq+$W]; bar.sync 0;");
}

static struct fuzz_statement *read_shared_acc(struct maker *m) {
    return leaf(m, "Rr",
                "bar.sync 0; and.b32 %%ta, $1, 28; mov.u32 %%tb, sacc; add.u32 "
                "%%ta, %%ta, %%tb; ld.shared.u32 $0, [%%ta]; bar.sync 0;");
}

static struct fuzz_statement *together(struct maker *m) {
    for (;;) {
        switch (below(m, 10)) {
        case 7:
        case 8:
            if (!m->has_exit && m->l->lanes > 1)
                return group_vote(m);
            break;
        case 9:
            if (m->l->lanes > 1)
                return group_exchange(m);
            break;
        case 5:
            if (m->has_bar)
                return exchange_global(m);
            break;
        case 0:
            if (!m->has_exit && m->l->lanes > 1)
                return shuffle(m);
            break;
        case 1:
            return vote(m);
        case 2:
        case 3:
            if (m->exchange)
                return exchange(m);
            break;
        case 4:
            if (m->shared_acc)
                return read_shared_acc(m);
            break;
        default:
            return m->has_bar ? leaf(m, "", "bar.sync 0;")
                              : leaf(m, "", "membar.[cta|gl];");
        }
    }
}

/* --- lists ---------------------------------------------------------------- */

static void make_list(struct maker *m, struct fuzz_list *l, int budget,
                      struct around a);

static struct fuzz_statement *make_if(struct maker *m, int budget,
                                      struct around a) {
    struct fuzz_statement *s = new_statement(m, FUZZ_IF);
    bool both = chance(m, 50);
    guard(m, s, 100);
    a.uniform = false;
    a.depth++;
    make_list(m, &s->body, both ? budget / 2 : budget, a);
    if (both)
        make_list(m, &s->other, budget - budget / 2, a);
    return s;
}

/* All threads agree about it: barriers may stand inside. */
static void make_uniform(struct maker *m, struct fuzz_list *l, int budget,
                         struct around a) {
    struct fuzz_statement *s =
        leaf(m, "",
             "[ld.param.u32 %%ta, [[p0|p1|p2]]|mov.u32 %%ta, %%ctaid.x]; "
             "and.b32 %%ta, %%ta, [1|2|4]; setp.[eq|ne].u32 %%tp, %%ta, 0;");
    s->shape = FUZZ_IF;
    s->guard = 0;
    a.depth++;
    make_list(m, &s->body, budget, a);
    append(m, l, s);
}

static struct fuzz_statement *make_loop(struct maker *m, int budget,
                                        struct around a) {
    struct fuzz_statement *s = new_statement(m, FUZZ_LOOP);
    bool early = chance(m, 40);
    s->at_head = chance(m, 50);
    s->trips = (uint32_t)(below(m, 3) + !s->at_head);
    if (chance(m, 60))
        s->trip_by = chance(m, 50) ? 3 : 1;
    operands(m, s, "r");
    s->operands[0].is_number = false;
    if (s->trips == 0 && !s->trip_by)
        s->trips = 2;
    a.uniform = a.uniform && !s->trip_by && !early;
    a.in_loop = early;
    a.depth++;
    a.loops++;
    make_list(m, &s->body, budget, a);
    return s;
}

static struct fuzz_statement *leave(struct maker *m, const struct around *a) {
    struct fuzz_statement *s;
    if (m->has_exit && (!a->in_loop || chance(m, 30)))
        s = m->has_bar ? leaf(m, "", "$G[exit|ret];")
                       : leaf(m, "", "$G[exit|ret|bra DONE];");
    else
        s = leaf(m, "", "$Gbra [$B|$K];");
    guard(m, s, 100);
    return s;
}

static struct fuzz_statement *make_leaf(struct maker *m,
                                        const struct around *a) {
    int k = below(m, 100);
    if (a->uniform && k < 14)
        return together(m);
    if (k < 18)
        return load_in(m);
    if (k < 26)
        return access_own(m, m->has_local && chance(m, 50));
    if (k < 31 && m->own_shared)
        return access_shared(m);
    if (k < 34)
        return access_row(m);
    if (k < 37)
        return atomic_all(m);
    if (k < 41)
        return atomic_own(m);
    if (k < 44 && (a->in_loop || m->has_exit))
        return leave(m, a);
    if (k < 46)
        return active_vote(m);
    return form(m, k < 52 ? 'P' : 0);
}

static void make_list(struct maker *m, struct fuzz_list *l, int budget,
                      struct around a) {
    while (budget > 0) {
        int part = 1 + below(m, budget);
        if (part > 1 && a.depth < m->max_depth &&
            chance(m, m->l->percent_branch ? m->l->percent_branch : 25)) {
            if (a.uniform && chance(m, 25)) {
                make_uniform(m, l, part, a);
            } else if (a.loops < 2 && chance(m, 40)) {
                append(m, l, make_loop(m, part, a));
            } else {
                if (chance(m, 60))
                    append(m, l, form(m, 'P'));
                append(m, l, make_if(m, part, a));
            }
            budget -= part + 1;
        } else {
            append(m, l, make_leaf(m, &a));
            budget--;
        }
    }
}

/* --- first values and results --------------------------------------------- */

static void set_result(struct fuzz_statement *s, int index) {
    s->operands[0].index = index;
}

static struct fuzz_statement *first_value(struct maker *m, char pool) {
    static const char load[] =
        "mad.lo.u32 %%ta, %%gid, %d, %d; and.b32 %%ta, %%ta, %d; cvt.u64.u32 "
        "%%tq, "
        "%%ta; add.s64 %%tq, %%tq, %%pin; ld.global.%s $0, [%%tq];";
    int k = below(m, 4), by = 8 * below(m, 32);
    switch (pool) {
    case 'r':
        return k == 0   ? leaf(m, "R", "mad.lo.s32 $0, %%gid, %d, %d;",
                               below(m, 1000), below(m, 1000))
               : k == 1 ? leaf(m, "R", "ld.param.u32 $0, [[p0|p1|p2|p3]];")
               : k == 2 ? leaf(m, "R", "mov.u32 $0, %%[gid|lid];")
                        : leaf(m, "R", load, 4, by, FUZZ_IN_BYTES - 4, "u32");
    case 'f':
        return k == 0 ? leaf(m, "F", "cvt.rn.f32.s32 $0, %%gid;")
                      : leaf(m, "F", load, 4, by, FUZZ_IN_BYTES - 4, "f32");
    case 'h':
        return leaf(m, "H", load, 2, by, FUZZ_IN_BYTES - 2, "u16");
    case 'q':
        return k == 0 ? leaf(m, "Q", "mul.wide.s32 $0, %%gid, %d;",
                             (int)(fuzz_next(&m->random) & 0xffffff))
                      : leaf(m, "Q", load, 8, by, FUZZ_IN_BYTES - 8, "u64");
    default:
        return leaf(m, "P",
                    "and.b32 %%ta, %%gid, %d; setp.[eq|ne].u32 $0, %%ta, 0;",
                    1 << below(m, 5));
    }
}

static void first_values(struct maker *m) {
    for (int k = 0; k < FUZZ_POOLS; k++)
        for (int i = 0; i < m->random.pool[k]; i++) {
            struct fuzz_statement *s = first_value(m, fuzz_pools[k]);
            set_result(s, i);
            append(m, &m->p->list, s);
        }
}

static void result(struct maker *m, char kind, int index, const char *text,
                   int width) {
    uint32_t at = (m->p->slot + (uint32_t)width - 1) & ~((uint32_t)width - 1);
    struct fuzz_statement *s = leaf(m, "", text, at);
    s->n_operands = 1;
    s->operands[0] = (struct fuzz_operand){.kind = kind, .index = index};
    append(m, &m->p->list, s);
    m->p->slot = at + (uint32_t)width;
}

static void results(struct maker *m) {
    const int *n = m->random.pool;
    m->p->slot = FUZZ_SCRATCH;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    for (int i = 0; i < n[0]; i++)
        result(m, 'r', i, "st.global.u32 [%%pown+%u], $0;", 4);
    for (int i = 0; i < n[1]; i++)
        result(m, 'f', i, "st.global.f32 [%%pown+%u], $0;", 4);
    for (int i = 0; i < n[2]; i++)
        result(m, 'h', i, "st.global.u16 [%%pown+%u], $0;", 2);
    for (int i = 0; i < n[4]; i++)
        result(m, 'p', i,
               "selp.u32 %%ta, 1, 2, $0; st.global.u8 [%%pown+%u], %%ta;", 1);
    for (int i = 0; i < n[3]; i++)
        result(m, 'q', i, "st.global.u64 [%%pown+%u], $0;", 8);
    if (m->shared_acc) {
        uint32_t at = (m->p->slot + 3) & ~(uint32_t)3;
        append(m, &m->p->list,
               leaf(m, "",
                    "bar.sync 0; and.b32 %%ta, %%lid, 7; shl.b32 %%ta, %%ta, "
                    "2; mov.u32 %%tb, sacc; add.u32 %%ta, %%ta, %%tb; "
                    "ld.shared.u32 %%ta, [%%ta]; st.global.u32 [%%pown+%u], "
                    "%%ta;",
                    at));
        m->p->slot = at + 4;
    }
#pragma GCC diagnostic pop
    m->p->slot = (m->p->slot + 7) & ~(uint32_t)7;
}

/* --- launch and data ------------------------------------------------------ */

/* n as the product of three numbers. */
static void split(struct maker *m, uint32_t n, uint32_t out[3]) {
    out[0] = n;
    out[1] = out[2] = 1;
    for (int k = 1; k < 3; k++)
        for (uint32_t d = 4; d > 1; d--)
            if (out[0] % d == 0 && chance(m, 25) && out[k] == 1) {
                out[0] /= d;
                out[k] = d;
            }
    if (chance(m, 20)) {
        uint32_t t = out[0];
        out[0] = out[1];
        out[1] = t;
    }
}

static void make_launch(struct maker *m) {
    const struct fuzz_limits *l = m->l;
    int all = l->threads ? l->threads : 256, lanes = l->lanes;
    int most = l->max_threads < 128 ? l->max_threads : 128;
    most = most < all ? most : all;
    int n = chance(m, 60) && most >= lanes
                ? lanes * (1 + below(m, most / lanes))
                : 1 + below(m, most);
    split(m, (uint32_t)n, m->p->block);
    int most_ctas = all / n < 12 ? all / n : 12;
    int ctas = 1 + below(m, most_ctas ? most_ctas : 1);
    split(m, (uint32_t)ctas, m->p->grid);
    while (!fuzz_fits(m->p, l)) {
        uint32_t *d = m->p->grid[0] > 1    ? &m->p->grid[0]
                      : m->p->grid[1] > 1  ? &m->p->grid[1]
                      : m->p->grid[2] > 1  ? &m->p->grid[2]
                      : m->p->block[0] > 1 ? &m->p->block[0]
                      : m->p->block[1] > 1 ? &m->p->block[1]
                                           : &m->p->block[2];
        if (*d == 1)
            return; /* does not fit at all: the bench says so */
        *d /= 2;
    }
}

static void make_data(struct maker *m) {
    struct fuzz_program *p = m->p;
    p->bytes[FUZZ_IN] = FUZZ_IN_BYTES;
    p->bytes[FUZZ_OWN] = fuzz_bytes(p, FUZZ_OWN);
    p->bytes[FUZZ_ACC] = FUZZ_GROUPS * FUZZ_GROUP;
    for (int b = 0; b < FUZZ_BUFFERS; b++) {
        p->data[b] = arena_alloc(m->arena, p->bytes[b] + 8);
        for (uint32_t i = 0; i < p->bytes[b]; i += 4) {
            char kind = b == FUZZ_IN && chance(m, 60) ? 'g' : 'i';
            struct fuzz_operand o;
            do
                o = fuzz_random_operand(&m->random, kind);
            while (!o.is_number);
            uint32_t v = (uint32_t)o.number;
            if (b == FUZZ_ACC && i / FUZZ_GROUP == FUZZ_GROUP_fadd)
                v = 0x41000000; /* 8 */
            memcpy(p->data[b] + i, &v, 4);
        }
    }
    for (int i = 0; i < FUZZ_PARAMS; i++)
        p->params[i] = (uint32_t)(fuzz_next(&m->random) >> (32 + below(m, 32)));
}

struct fuzz_program *fuzz_make(struct arena *a, uint64_t seed,
                               const struct fuzz_limits *l) {
    struct fuzz_program *p = arena_alloc(a, sizeof *p);
    struct maker m = {.arena = a, .l = l, .p = p};
    int size = l->size ? l->size : 30;
    m.random.state = seed * UINT64_C(0xd1b54a32d192ed03) + (uint64_t)size;
    p->seed = seed;
    bool small = l->registers <= 16;
    *fuzz_pool_size(&m.random, 'r') = 4 + below(&m, small ? 2 : 5);
    *fuzz_pool_size(&m.random, 'f') = 2 + below(&m, small ? 2 : 5);
    *fuzz_pool_size(&m.random, 'h') = 2 + below(&m, small ? 1 : 2);
    *fuzz_pool_size(&m.random, 'q') = 1 + below(&m, small ? 1 : 3);
    *fuzz_pool_size(&m.random, 'p') = 2 + below(&m, 3);
    if (l->registers > 32 && chance(&m, 15)) { /* more than there are */
        *fuzz_pool_size(&m.random, 'r') = 28;
        *fuzz_pool_size(&m.random, 'f') = 20;
        *fuzz_pool_size(&m.random, 'q') = 10;
    }
    m.has_exit = chance(&m, 25);
    m.has_bar = chance(&m, 60);
    m.exchange = m.has_bar && chance(&m, 60);
    m.shared_acc = m.has_bar && chance(&m, 40);
    m.own_shared = chance(&m, 40);
    m.bytes = chance(&m, 30);
    m.has_local = chance(&m, 30);
    m.max_depth = l->stack < 4 ? l->stack : 4;
    first_values(&m);
    make_list(&m, &p->list, size, (struct around){.uniform = true});
    results(&m);
    make_launch(&m);
    make_data(&m);
    return p;
}
