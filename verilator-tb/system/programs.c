/* programs.c - see programs.h. */
#include "programs.h"

#include <stddef.h>

enum { ILLEGAL = 1, MISALIGNED, UNMAPPED, TRAP = 7, WATCHDOG = 9 };

/* r1 number of the thread, r2 n, r4 where its word is read, r5 written, r3 four
 * times its number; who has none ends. */
#define BEGIN                                                                  \
    "s2r r1, %ctaid.x\ns2r r2, %ntid.x\nand r3, r0, 1023\n"                    \
    "mad r1, r1, r2, r3\nldp r2, 7\nsetgeu p0, r1, r2\n@p0 exit\n"             \
    "shl r3, r1, 2\nldp r4, 4\nadd r4, r4, r3\nldp r5, 5\nadd r5, r5, r3\n"

/* With the registers that words of chains write: the core offers them as
 * operands of the words behind, and before a launch has written them nobody
 * knows them. */
#define BEGIN_FAR BEGIN "movi r6, 0\nmovi r7, 0\nmovi r8, 0\n"

/* Word and half of the pair, so that lanes meet in a word. */
static const char pairs[] =
    BEGIN "ldg.b32 r6, [r4]\nandn r7, r3, 4\nldp r8, 4\nadd r7, r7, r8\n"
          "ldg.s16 r8, [r7+2]\nmul r8, r8, 3\nadd r6, r6, r8\n"
          "stg.b32 [r5], r6\nexit\n";

/* Rounds that differ from thread to thread, with an if in them. */
static const char rounds[] =
    BEGIN "ldg.b32 r6, [r4]\nand r7, r6, 7\nadd r7, r7, 1\nmovi r8, 0\n"
          "loop:\nand r9, r7, 1\nsetne p1, r9, 0\n@p1 bra odd, both\n"
          "add r8, r8, r6\nbra both\nodd:\nxor r8, r8, r7\nshl r8, r8, 1\n"
          "both:\nsub r7, r7, 1\nsetgts p2, r7, 0\n@p2 bra loop, out\nout:\n"
          "stg.b32 [r5], r8\nexit\n";

/* Words change places within a CTA; a word of shared memory is everybody's.
 * r10 is the thread's place in its CTA, r11 that of the one opposite. */
static const char mirror[] =
    "s2r r1, %ctaid.x\ns2r r2, %ntid.x\nand r10, r0, 1023\n"
    "mad r1, r1, r2, r10\nshl r3, r1, 2\nldp r4, 4\nadd r4, r4, r3\n"
    "ldp r5, 5\nadd r5, r5, r3\nsub r11, r2, 1\nsub r11, r11, r10\n"
    "shl r10, r10, 2\nshl r11, r11, 2\nldg.b32 r6, [r4]\n"
    "sts.b32 [r10+4], r6\nmovi r7, 0\nseteq p1, r10, 0\n"
    "@p1 sts.b32 [r7], r7\nstg.b32 [r5], r6\nstg.b32 [r5], r10\nbar\nlds.b32 "
    "r8, [r11+4]\n"
    "movi r9, 1\nats.add r12, [r7], r9\nbar\nlds.b32 r12, [r7]\n"
    "add r8, r8, r12\nstg.b32 [r5], r8\nexit\n";

/* Atomics on four words that all have; the sum does not know who came first. */
static const char sums[] =
    BEGIN "ldg.b32 r6, [r4]\nand r7, r1, 1\nshl r7, r7, 2\nldp r8, 6\n"
          "add r7, r7, r8\natg.add r9, [r7], r6\nadd r8, r8, 8\n"
          "atg.maxu r9, [r8], r6\nadd r8, r8, 4\natg.xor r9, [r8], r6\n"
          "stg.b32 [r5], r6\nexit\n";

/* Every thread whose number times eight is still one: far apart. */
static const char apart[] =
    BEGIN "movi r6, 0\nshl r7, r1, 3\nsetltu p1, r7, r2\nshl r7, r7, 2\n"
          "ldp r8, 4\nadd r7, r7, r8\n@p1 ldg.b32 r6, [r7]\n"
          "stg.b32 [r5], r6\nexit\n";

/* Arithmetic of floats and bytes, then a fence. */
static const char floats[] =
    BEGIN "ldg.b32 r6, [r4]\nand r7, r6, 1023\ncvtfs r7, r7\n"
          "ffma r8, r7, r7, r7\nfadd r8, r8, r7\ncvtsf r9, r8\n"
          "stg.b32 [r5], r9\nmembar\nstg.b8 [r5+1], r6\nexit\n";

/* Chains: a sum stored where its second operand was, the distance to a number
 * kept in a register, a comparison, a product stored with a number of the
 * launch; what they left is read behind them. */
static const char sums_far[] =
    BEGIN_FAR "ldg.b32 r6, [r4] {chain 1}\nldg.b32 r7, [r5] {chain 2}\n"
              "add r8, r6, r7 {chain 2}\nstg.b32 [r5], r8 {chain 3}\n"
              "ldg.b32 r6, [r5] {chain 1}\nldg.b32 r7, [r4] {chain 2}\n"
              "sub r8, r6, r7 {chain 3}\n"
              "ldg.b32 r6, [r4] {chain 1}\nsetltu p1, r6, 1000 {chain 3}\n"
              "sel r9, r8, r1, p1\nldp r10, 7\n"
              "ldg.b32 r6, [r5] {chain 1}\nmul r7, r6, r10 {chain 2}\n"
              "stg.b32 [r5], r7 {chain 3}\nldg.b32 r6, [r5]\nadd r9, r9, r6\n"
              "stg.b32 [r5], r9\nexit\n";

/* Some lanes have a chain and some a copy; and one whose lanes have no order,
 * so that the core carries it out. */
static const char some_far[] = BEGIN_FAR
    "and r7, r1, 2\nseteq p1, r7, 0\n"
    "@p1 ldg.b32 r6, [r4] {chain 1}\n@p1 xor r8, r6, 85 {chain 2}\n"
    "@p1 stg.b32 [r5], r8 {chain 3}\n"
    "@!p1 ldg.b32 r6, [r4] {chain 1}\n@!p1 stg.b32 [r5], r6 {chain 3}\n"
    "andn r7, r3, 4\nldp r9, 4\nadd r7, r7, r9\n"
    "ldg.b32 r6, [r7] {chain 1}\nldg.b32 r8, [r5] {chain 2}\n"
    "maxu r9, r6, r8 {chain 3}\nstg.b32 [r5], r9\nexit\n";

static const char misaligned[] = BEGIN "ldg.b32 r6, [r4+2]\nexit\n";
static const char unmapped[] = BEGIN "movi r6, 16\nldg.b32 r6, [r6]\nexit\n";
static const char traps[] = BEGIN "trap\nexit\n";

const struct program system_programs[] = {
    {pairs, 0, 0, false, NULL, 0},
    {rounds, 0, 0, false, NULL, 0},
    {mirror, 0, 0, false, NULL, 0},
    {unmapped, UNMAPPED, 0, false, NULL, 0},
    {sums, 0, 0, false, NULL, 0},
    {pairs, WATCHDOG, 1, false, NULL, 0},
    {sums_far, 0, 0, true, NULL, 0},
    {floats, 0, 0, false, NULL, 0},
    {traps, TRAP, 0, false, NULL, 0},
    {some_far, 0, 0, true, NULL, 0},
    {rounds, 0, 100000, false, NULL, 0},
    {misaligned, MISALIGNED, 0, false, NULL, 0},
    {apart, 0, 0, false, NULL, 0},
    {NULL, 0, 0, false, NULL, 0},
};

/* A block between a mark and its end, whose results are used behind it. */
static const char away[] =
    BEGIN "or r4, r4, 0 {mark}\nldg.b32 r6, [r4]\nldg.s16 r7, [r4+2]\n"
          "add r6, r6, r7\nstg.b32 [r5], r6\nsetgts p1, r6, 0\n"
          "@p1 add r6, r6, 1\nstg.b32 [r5], r6\nexit\n";
static const struct isa_block away_blocks[] = {{.begin = 13,
                                                .end = 18,
                                                .ask = 12,
                                                .in = 1 << 4 | 1 << 5,
                                                .out = 1 << 6,
                                                .pred_out = 1 << 1,
                                                .tx = true,
                                                .cond_reg = -1}};

/* A loop with an if, from three rounds of the lowest lane on; its paths meet at
 * its end. */
static const char rounds_away[] =
    BEGIN "ldg.b32 r6, [r4]\nand r7, r6, 7\nadd r7, r7, 1\nmovi r8, 0\n"
          "or r4, r4, 0 {mark}\n"
          "loop:\nldg.b32 r9, [r4]\nand r10, r7, 1\nsetne p1, r10, 0\n"
          "@p1 bra odd, both\nadd r8, r8, r9\nbra both\nodd:\n"
          "xor r8, r8, r7\nshl r8, r8, 1\nboth:\nsub r7, r7, 1\n"
          "setgts p2, r7, 0\n@p2 bra loop, out\nout:\n"
          "stg.b32 [r5], r8\nexit\n";
static const struct isa_block rounds_blocks[] = {
    {.begin = 17,
     .end = 28,
     .ask = 16,
     .in = 1 << 4 | 1 << 7 | 1 << 8,
     .out = 1 << 8,
     .rx = true,
     .cond_reg = 7,
     .compare = ISA_COMPARE_GE,
     .is_signed = true,
     .threshold = 3}};

/* Two blocks that begin with their first access, the second one for the lanes in
 * which a predicate holds that goes there. */
static const char twice_away[] =
    BEGIN "ldg.b32 r6, [r4] {mark}\nxor r6, r6, 85\nstg.b32 [r5], r6\n"
          "and r7, r6, 4\nsetne p3, r7, 0\n"
          "@p3 ldg.b32 r8, [r5] {mark}\n@p3 add r8, r8, 3\n"
          "@p3 stg.b32 [r5], r8\nexit\n";
static const struct isa_block twice_blocks[] = {{.begin = 12,
                                                 .end = 15,
                                                 .ask = 12,
                                                 .in = 1 << 4 | 1 << 5,
                                                 .out = 1 << 6,
                                                 .tx = true,
                                                 .rx = true,
                                                 .cond_reg = -1},
                                                {.begin = 17,
                                                 .end = 20,
                                                 .ask = 17,
                                                 .in = 1 << 5,
                                                 .pred_in = 1 << 3,
                                                 .tx = true,
                                                 .cond_reg = -1}};

/* The core has the line that its block stores to, and loads it again. */
static const char stale_here[] =
    BEGIN "ldg.b32 r7, [r5]\nor r4, r4, 0 {mark}\nldg.b32 r6, [r4]\n"
          "add r6, r6, r1\nstg.b32 [r5], r6\nldg.b32 r8, [r5]\n"
          "add r8, r8, 1\nstg.b32 [r5], r8\nexit\n";
static const struct isa_block stale_here_blocks[] = {
    {.begin = 14,
     .end = 17,
     .ask = 13,
     .in = 1 << 1 | 1 << 4 | 1 << 5,
     .tx = true,
     .rx = true,
     .cond_reg = -1}};

/* A stack's core has the line that the warp stores to between two blocks. */
static const char stale_there[] =
    BEGIN "ldg.b32 r6, [r5] {mark}\nadd r6, r6, 1\nstg.b32 [r5], r6\n"
          "ldg.b32 r7, [r5] {mark}\nadd r7, r7, r6\nstg.b32 [r5], r7\n"
          "exit\n";
static const struct isa_block stale_there_blocks[] = {{.begin = 12,
                                                       .end = 14,
                                                       .ask = 12,
                                                       .in = 1 << 5,
                                                       .out = 1 << 6,
                                                       .tx = true,
                                                       .rx = true,
                                                       .cond_reg = -1},
                                                      {.begin = 15,
                                                       .end = 17,
                                                       .ask = 15,
                                                       .in = 1 << 5 | 1 << 6,
                                                       .out = 1 << 7,
                                                       .tx = true,
                                                       .rx = true,
                                                       .cond_reg = -1}};

const struct program stacks_programs[] = {
    {away, 0, 0, false, away_blocks, 1},
    {stale_here, 0, 0, false, stale_here_blocks, 1},
    {stale_there, 0, 0, false, stale_there_blocks, 2},
    {rounds_away, 0, 0, false, rounds_blocks, 1},
    {mirror, 0, 0, false, NULL, 0},
    {twice_away, 0, 0, false, twice_blocks, 2},
    {unmapped, UNMAPPED, 0, false, NULL, 0},
    {sums, 0, 0, false, NULL, 0},
    {away, 0, 0, false, away_blocks, 1},
    {floats, 0, 0, false, NULL, 0},
    {pairs, WATCHDOG, 1, false, NULL, 0},
    {rounds_away, 0, 100000, false, rounds_blocks, 1},
    {traps, TRAP, 0, false, NULL, 0},
    {twice_away, 0, 0, false, twice_blocks, 2},
    {misaligned, MISALIGNED, 0, false, NULL, 0},
    {NULL, 0, 0, false, NULL, 0},
};

/* Each lane gets the word of the one beside it; pairs stay within a warp,
 * however many lanes that has.  The last of an odd number gets zero. */
static const char pass_on[] =
    BEGIN "ldg.b32 r6, [r4]\nmovi r8, 31\nshfl.bfly r9, r6, 1, r8\n"
          "mul r9, r9, 3\nadd r6, r6, r9\nstg.b32 [r5], r6\nexit\n";

/* A register that such a core has for its predicates. */
static const char upper[] = BEGIN "mov r60, r1\nexit\n";

const struct program bare_programs[] = {
    {pairs, 0, 0, false, NULL, 0},
    {rounds, 0, 0, false, NULL, 0},
    {mirror, 0, 0, false, NULL, 0},
    {unmapped, UNMAPPED, 0, false, NULL, 0},
    {sums, 0, 0, false, NULL, 0},
    {rounds, WATCHDOG, 1, false, NULL, 0},
    {floats, 0, 0, false, NULL, 0},
    {pass_on, 0, 0, false, NULL, 0},
    {upper, ILLEGAL, 0, false, NULL, 0},
    {traps, TRAP, 0, false, NULL, 0},
    {rounds, 0, 100000, false, NULL, 0},
    {misaligned, MISALIGNED, 0, false, NULL, 0},
    {apart, 0, 0, false, NULL, 0},
    {NULL, 0, 0, false, NULL, 0},
};
