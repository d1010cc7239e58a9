/* directed.c - launches that are written, one for each thing that must happen.
 *
 * Every program begins with BEGIN: r1 32 bytes of global memory of the thread's
 * own, r2 the warp, r3 the lane, r5 a shared word of its own, r6 the first one
 * of its warp, r11 the last lane; p0 and p1 two bits of the lane.  Parameter 0
 * is the shared bytes of a warp, 1 the last lane.
 */
#include "env.h"

#include <string.h>

#define BEGIN                                                                  \
    "s2r r3, %laneid\ns2r r2, %warpid\ns2r r1, %slot\nshl r1, r1, 5\n"         \
    "add r1, r1, 1024\nldp r6, 0\nmul r6, r6, r2\nand r5, r0, 1023\n"          \
    "shl r5, r5, 2\nldp r11, 1\nand r4, r3, 1\nsetne p0, r4, 0\n"              \
    "and r4, r3, 2\nsetne p1, r4, 0\n"

/* Ifs in an if that end at one place, a loop of one to three rounds. */
static const char paths[] =
    BEGIN "@p0 bra other, end\n@p1 bra inner, end\nnop\nbra end\ninner:\n"
          "nop\nbra end\nother:\nmovi r7, 1\nend:\n@p1 bra only, only\n"
          "movi r7, 2\nonly:\nand r8, r0, 3\nloop:\nsub r8, r8, 1\n"
          "@p0 bra skip, skip\nadd r7, r3, 5\nskip:\nsetgts p2, r8, 0\n"
          "@p2 bra loop, out\nout:\n@p0 exit\nstg.b32 [r1], r8\nexit\n";

/* Loads until buffers, tickets and ids run out; all ways of coming together.
 */
static const char loads[] =
    BEGIN "stg.b32 [r1], r0\nstg.b32 [r1+4], r3\nldg.b32 r7, [r1]\n"
          "ldg.b32 r8, [r1+4]\nldg.s8 r9, [r1+1]\nldg.s16 r10, [r1+2]\n"
          "ldg.u8 r12, [r1+8]\nadd r7, r7, r8\n@!p7 ldg.b32 r13, [r1]\n"
          "sub r14, r1, 0\nshfl.idx r14, r14, 0, r11\nldg.b32 r13, [r14+32]\n"
          "stg.b16 [r14+32], r0\nshl r15, r3, 2\nand r15, r15, 31\n"
          "add r15, r15, r14\nldg.b32 r13, [r15]\natg.add r12, [r14], r3\n"
          "vote r9, p0\nshfl.bfly r8, r7, 1, r11\nldg.b32 r9, [r1+4]\n"
          "shfl.up r10, r7, 1, r3\nvote r8, !p1\nmembar\n"
          "stg.b32 [r1+4], r13\nmembar\nexit\n";

static const char exchanges[] =
    BEGIN "sts.b32 [r5], r0\nsts.b32 [r6], r3\nlds.b32 r7, [r6]\n"
          "ldg.b32 r12, [r1]\nlds.s8 r8, [r5+1]\nats.add r9, [r6], r3\n"
          "ldg.b32 r13, [r1+4]\nats.cas r10, [r6], r3, r0\n"
          "vote r14, p1\nstg.b32 [r1], r7\nbar\nlds.b32 r7, [r5]\n"
          "stg.b32 [r1+8], r7\nseteq p2, r2, 0\n@p2 exit\nbar\n"
          "stg.b32 [r1+4], r7\nexit\n";

/* Long enough to be halted. */
static const char rounds[] =
    BEGIN "movi r8, 12\nloop:\nadd r7, r8, r3\nldg.b32 r9, [r1]\n"
          "@p0 bra skip, skip\nffma r10, r7, r3, r7\nskip:\nadd r9, r9, r7\n"
          "stg.b32 [r1], r9\nsub r8, r8, 1\nsetgts p2, r8, 0\n"
          "@p2 bra loop\nexit\n";

/* CTAs that end with stores under way. */
static const char tails[] = BEGIN "stg.b32 [r1], r0\nldg.b32 r7, [r1+4]\n"
                                  "stg.b32 [r1+8], r3\nexit\n";

/* Lanes go back to word 0, which is their join, once: while a warp has no path
 * around it, the join that it holds is 0, too. */
static const char first_join[] =
    "top:\n" BEGIN "shr r9, r0, 10\nand r9, r9, 1\nor r0, r0, 1024\n"
    "and r8, r3, 1\nsetgtu p2, r8, r9\n@p2 bra top, top\n"
    "stg.b32 [r1], r8\nexit\n";

static const char nothing[] = BEGIN;
static const char misaligned[] = BEGIN "@p0 ldg.b32 r8, [r1+2]\nexit\n";
static const char unmapped[] = BEGIN "movi r8, 16\nldg.b32 r8, [r8]\nexit\n";
static const char no_join[] = BEGIN "@p0 bra out\nnop\nout:\nexit\n";
static const char in_path[] = BEGIN "@p0 bra out, out\nbar\nout:\nexit\n";
static const char traps[] = BEGIN "@p1 trap\nexit\n";
static const char waits[] = BEGIN "ldg.b32 r8, [r1]\nadd r8, r8, 1\nexit\n";

/* Chains: stored, kept, a predicate, at a join, of no use to anybody, broken
 * off.  r14 and r15 two rows of words, one a lane, of the warp's region. */
static const char chains[] =
    BEGIN "shfl.idx r14, r1, 0, r11\nshl r15, r3, 2\nadd r14, r14, r15\n"
          "ldp r15, 0\nadd r15, r15, r14\nmovi r12, 1\nmovi r8, 3\nloop:\n"
          "stg.b32 [r14], r0\nstg.b32 [r15], r3\n"
          "ldg.b32 r7, [r14] {chain 1}\nldg.b32 r9, [r15] {chain 2}\n"
          "add r9, r7, r9 {chain 2}\nstg.b32 [r14], r9 {chain 3}\n"
          "sts.b32 [r5], r0\nlds.b32 r13, [r5]\nldg.b32 r7, [r15] {chain 1}\n"
          "mul r10, r7, r7 {chain 3}\nadd r13, r10, r8\n"
          "ldg.b32 r7, [r14] {chain 1}\nsetgts p2, r7, 2 {chain 3}\n"
          "@p2 stg.b32 [r15], r10\n@p0 bra over, over\nldg.b32 r9, [r1+4]\n"
          "ldg.b32 r7, [r14] {chain 1}\nadd r12, r7, 5 {chain 3}\nover:\n"
          "stg.b32 [r15], r12\nldg.b32 r7, [r15] {chain 1}\n"
          "add r12, r7, r3 {chain 3}\n@p1 ldg.b32 r7, [r14] {chain 1}\n"
          "@p1 xor r12, r7, 9 {chain 3}\nldg.b32 r7, [r14] {chain 1}\n"
          "nop {chain 2}\nsub r8, r8, 1\nsetgts p2, r8, 0\n"
          "@p2 bra loop\nexit\n";

/* Blocks: of sums and stores, with an if, with a loop, at a join, behind requests;
 * a block ends at the next word with a tag of chains, which are ignored. */
static const char blocks[] =
    BEGIN "movi r8, 3\nmovi r10, 0\nloop:\nstg.b32 [r1], r8\n"
          "add r9, r3, r8 {mark}\nldg.b32 r7, [r1+4]\nadd r7, r7, r9\n"
          "stg.b32 [r1+4], r7\nnop {chain 3}\n"
          "ldg.b32 r12, [r1+8]\nnop {mark}\n@p0 bra other, both\n"
          "add r12, r12, r9\nbra both\nother:\nxor r12, r12, r7\n"
          "atg.add r13, [r1], r3\nboth:\nstg.b32 [r1+8], r12 {mark}\n"
          "movi r14, 2\nagain:\nsub r14, r14, 1\nadd r10, r10, r12\n"
          "setgts p3, r14, 0\n@p3 bra again, out\nout:\n"
          "stg.b32 [r1+12], r10 {chain 3}\n@p1 bra over, over\n"
          "@p0 mul r10, r10, r3 {mark}\nstg.b32 [r1+16], r10\nover:\n"
          "membar {mark, chain 3}\nstg.b32 [r1+20], r10\nmembar\n"
          "sub r8, r8, 1\n"
          "setgts p2, r8, 0\n@p2 bra loop\nexit\n";

struct script {
    const char *text;
    int warps;    /* of a CTA, if there are as many */
    int less;     /* threads fewer */
    int ctas;     /* of the grid */
    int resident; /* the same */
    int levels;   /* of nested paths behind the text: STACK and so many */
    bool nested;
    bool computes;
    bool illegal; /* behind the text */
    bool strays;  /* an access that faults, another one on each turn */
    int watchdog;
    int pace;
    struct tune tune;
};

#define QUICK                                                                  \
    { .high = 1, .low = 0, .answer = 100 }
#define SLOW                                                                   \
    { .high = 2, .low = 3, .answer = 40, .shuffle = 60 }

#define STRAY                                                                  \
    { .text = nothing, .warps = 1, .ctas = 1, .resident = 1, .strays = true }

static const struct script scripts[] = {
    {.text = nothing,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .computes = true,
     .tune = QUICK},
    {.text = paths, .warps = 2, .ctas = 2, .resident = 2, .tune = QUICK},
    {.text = paths, .warps = 4, .ctas = 2, .resident = 1, .tune = QUICK},
    {.text = loads, .warps = 16, .ctas = 1, .resident = 1, .tune = SLOW},
    {.text = loads,
     .warps = 1,
     .less = 1,
     .ctas = 2,
     .resident = 1,
     .tune = QUICK},
    {.text = first_join, .warps = 2, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = exchanges, .warps = 2, .ctas = 2, .resident = 1, .tune = SLOW},
    {.text = exchanges, .warps = 4, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = tails, .warps = 2, .ctas = 3, .resident = 1, .tune = SLOW},
    {.text = nothing,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .nested = true,
     .tune = QUICK},
    {.text = rounds,
     .warps = 2,
     .less = 3,
     .ctas = 1,
     .resident = 1,
     .tune = {.high = 1, .answer = 60, .shuffle = 30, .halt = 100}},
    {.text = nothing,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .illegal = true,
     .tune = QUICK},
    {.text = misaligned, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = unmapped, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = nothing,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .nested = true,
     .levels = 1,
     .tune = QUICK},
    {.text = no_join, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = in_path, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = traps, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = waits,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .tune = {.high = 1, .answer = 100, .refuse = 1000}},
    {.text = waits,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .watchdog = 80,
     .tune = {.high = 1, .answer = 100, .silent = true}},
    {.text = nothing,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .computes = true,
     .tune = QUICK},
    STRAY,
    /* with chains offered */
    {.text = chains, .warps = 1, .ctas = 1, .resident = 1, .tune = QUICK},
    {.text = chains,
     .warps = 4,
     .less = 1,
     .ctas = 2,
     .resident = 2,
     .tune = {.high = 2, .low = 3, .answer = 12, .shuffle = 60}},
    /* with blocks moved */
    {.text = blocks,
     .warps = 1,
     .ctas = 1,
     .resident = 1,
     .pace = 5,
     .tune = {.high = 1, .answer = 100, .guests = 30}},
    {.text = blocks,
     .warps = 2,
     .less = 1,
     .ctas = 2,
     .resident = 1,
     .tune = {.high = 2, .low = 3, .answer = 12, .shuffle = 60, .guests = 60}},
};

enum { OF_CHAINS = 2, OF_BLOCKS = 2 /* behind the others */ };

/* At each level one lane stays behind, and all meet at the end. */
static void nest(const struct simt_stim *s, struct launch *l, int levels) {
    struct isa_word w;
    int begin = l->code.n, most = (s->l.CODE - begin - 2) / 4;
    levels = levels < most ? levels : most;
    int join = begin + 3 * levels + levels - 1;
    for (int k = 0; k < levels; k++) {
        w = (struct isa_word){.op = ISA_setne,
                              .guard = ISA_TRUE,
                              .a = 3,
                              .imm = true,
                              .value = (uint32_t)(k % s->l.LANES)};
        simt_word(l, &w);
        w = (struct isa_word){.op = ISA_bra,
                              .guard = 0,
                              .target = (uint16_t)(begin + 3 * k + 3),
                              .join = (uint16_t)(join - k)};
        simt_word(l, &w);
        w = (struct isa_word){.op = ISA_nop, .guard = ISA_TRUE};
        simt_word(l, &w);
    }
    for (int k = 0; k < levels; k++) /* nothing, at each join */
        simt_word(l, &w);
}

static void load_word(struct launch *l, int d, int at) {
    struct isa_word w = {.op = ISA_ldg_b32,
                         .guard = ISA_TRUE,
                         .d = (uint8_t)d,
                         .a = 1,
                         .imm = true,
                         .value = 4 * (uint32_t)at};
    simt_word(l, &w);
}

enum { OPERANDS = 4, RESULT = 12, RESULTS = 4, OPERAND = 7 };

/* Every operation that computes, on what memory holds, special values among
 * it: other operands, modes and registers on each turn. */
static void compute(const struct simt_stim *s, struct launch *l, int turn) {
    int n = turn;
    for (int i = 0; i < OPERANDS; i++)
        load_word(l, OPERAND + i, i);
    for (int op = 0; op < ISA_OPS && l->code.n + 4 < s->l.CODE; op++) {
        enum isa_class c = isa_info(op)->class;
        struct isa_word w = {.op = (uint8_t)op, .guard = ISA_TRUE};
        bool pred = c == ISA_CLASS_pred;
        if (!isa_info(op)->text ||
            (!pred && c != ISA_CLASS_int && c != ISA_CLASS_mul &&
             c != ISA_CLASS_f32 && c != ISA_CLASS_compare))
            continue;
        n++;
        if (isa_has(op, 'd'))
            w.d = (uint8_t)(RESULT + n % RESULTS);
        else
            w.d = (uint8_t)(n % 3);
        if (isa_has(op, 'a'))
            w.a = (uint8_t)(OPERAND + n % OPERANDS);
        if (isa_has(op, 'b') || isa_has(op, 'i') || isa_has(op, 'f'))
            w.b = (uint8_t)(OPERAND + (n + 1 + n / 4) % OPERANDS);
        if (isa_has(op, 'c'))
            w.c = (uint8_t)(OPERAND + (n + 2) % OPERANDS);
        if (isa_has(op, 'C'))
            w.c = (uint8_t)(n % 2 * ISA_INVERT);
        if (pred) {
            w.a = (uint8_t)(n % 2 * ISA_INVERT);
            w.b = 1;
        }
        if (isa_has(op, 'w'))
            w.value = 0x12345678;
        w.round = isa_has(op, 'R') ? (uint8_t)((n + turn) % 4) : 0;
        w.ftz = isa_has(op, 'Z') && (n + turn / 2) % 3 == 0;
        w.sat = isa_has(op, 'S') && n % 5 == 0;
        simt_word(l, &w);
    }
}

/* A place that the access may not have: so many bytes behind a word's, or the
 * nearest one that is not mapped. */
enum { LOWEST = 4, BEYOND, STRAYS };

static int bytes_of(int op) {
    const char *text = isa_info(op)->text;
    return strchr(text, '8') ? 1 : strstr(text, "16") ? 2 : 4;
}

static bool has_address(int op) {
    enum isa_class c = isa_info(op)->class;
    return isa_info(op)->text &&
           (c == ISA_CLASS_global || c == ISA_CLASS_shared ||
            c == ISA_CLASS_atomic);
}

static bool is_shared(int op) {
    return isa_info(op)->timing == ISA_TIMING_shared;
}

/* The nth pair of an operation and a stray that it has, over and over. */
static void nth_stray(int n, int *op, int *stray) {
    for (;;)
        for (*op = 0; *op < ISA_OPS; ++*op)
            for (*stray = 1; has_address(*op) && *stray < STRAYS; ++*stray)
                if ((*stray >= LOWEST || *stray < bytes_of(*op)) &&
                    (*stray != LOWEST || !is_shared(*op)) && n-- == 0)
                    return;
}

static void stray(struct launch *l, int n) {
    int op, stray;
    nth_stray(n, &op, &stray);
    struct isa_word at = {.op = ISA_add,
                          .guard = ISA_TRUE,
                          .d = 8,
                          .a = is_shared(op) ? 5 : 1,
                          .imm = true,
                          .value = (uint32_t)stray};
    struct isa_word w = {.op = (uint8_t)op,
                         .guard = ISA_TRUE,
                         .a = 8,
                         .imm = isa_info(op)->class != ISA_CLASS_atomic,
                         .d = isa_has(op, 'd') ? 9 : 0,
                         .c = isa_has(op, 'c') ? 3 : 0};
    if (stray >= LOWEST) {
        at = (struct isa_word){.op = ISA_movi, .guard = ISA_TRUE, .d = 8};
        at.value = stray == LOWEST ? 256 - (uint32_t)bytes_of(op)
                   : is_shared(op) ? l->reg[AT_SHARED]
                                   : l->reg[AT_END];
    }
    simt_word(l, &at);
    simt_word(l, &w);
}

static int at_most(int x, int most) {
    return x < most ? x : most;
}

/* All n of them in their order, once; from then on two strays before each, of
 * which there are many. */
static const struct script *nth_script(const struct simt_stim *s, int k) {
    static const struct script stray = STRAY;
    const int all = sizeof scripts / sizeof *scripts;
    const int any = all - OF_CHAINS - OF_BLOCKS;
    const int n = any + (s->l.BUILDS ? OF_CHAINS : s->l.MOVES ? OF_BLOCKS : 0);
    if (k >= n && (k - n) % 3 < 2)
        return &stray;
    k = k < n ? k : (k - n) / 3 % n;
    return &scripts[k >= any && s->l.MOVES ? k + OF_CHAINS : k];
}

/* From each mark to the next tag. */
static void find_pieces(const struct simt_stim *s, struct launch *l) {
    int mark = -1;
    l->pieces = 0;
    for (int i = 0; i < l->code.n && s->l.MOVES; i++) {
        struct isa_word w;
        if (!simt_legal(s, l->code.v[i], &w))
            continue;
        if (mark >= 0 && (w.mark || w.chain)) {
            l->piece[l->pieces++] = (struct piece){mark, mark, i};
            mark = -1;
        }
        if (w.mark && !w.chain)
            mark = i;
    }
}

void simt_directed_launch(struct simt_stim *s) {
    const struct script *p = nth_script(s, s->script++);
    struct launch *l = &s->launch;
    struct isa_word end = {.op = ISA_exit, .guard = ISA_TRUE};
    int warps = at_most(p->warps, s->l.WARPS);
    int resident = at_most(at_most(p->resident, s->l.CTAS), s->l.WARPS / warps);
    simt_text(l, p->text);
    if (p->nested)
        nest(s, l, s->l.STACK + p->levels);
    if (p->computes)
        compute(s, l, s->script);
    if (p->illegal)
        *array_push(&l->code) = 0;
    memset(l->reg, 0, sizeof l->reg);
    l->reg[AT_GRID] = (uint32_t)p->ctas;
    l->reg[AT_GRID + 1] = l->reg[AT_GRID + 2] = 1;
    l->reg[AT_BLOCK] = (uint32_t)(warps * s->l.LANES - p->less);
    l->reg[AT_BLOCK + 1] = l->reg[AT_BLOCK + 2] = 1;
    simt_geometry(s, l);
    l->reg[AT_RESIDENT] = (uint32_t)resident;
    int shared = 4 * warps * s->l.LANES;
    l->reg[AT_SHARED] =
        (uint32_t)(shared * resident <= 4 * s->l.SHARED ? shared : 0);
    if (p->strays) {
        l->reg[AT_END] = 1 << 16;
        stray(l, 5 * s->strays++); /* all of them, each once */
    }
    simt_word(l, &end);
    l->reg[AT_WATCHDOG] = (uint32_t)p->watchdog;
    l->reg[AT_CTA_STEP] = 1;
    l->reg[AT_PACE] = (uint32_t)p->pace;
    find_pieces(s, l);
    l->guests = 1024;
    l->guest_region = 32 * (uint32_t)s->l.LANES;
    l->guest_lane = 32;
    memcpy(l->reg + AT_AREA_END, l->reg + AT_GRID, 2 * sizeof *l->reg);
    l->params[0] = 4 * (uint32_t)s->l.LANES;
    l->params[1] = (uint32_t)s->l.LANES - 1;
    for (int i = 2; i < ENV_PARAMS; i++)
        l->params[i] = (uint32_t)i;
    l->shared_many = UINT32_MAX;
    l->many[0] = l->many[1] = l->region = 0;
    l->seed = (uint64_t)s->script;
    l->tune = p->tune;
}
