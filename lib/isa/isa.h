/* isa.h - the instruction set of the machines: words of 64 bits.
 *
 * ops.def declares it, docs/isa.md teaches it.  A word has exactly one meaning
 * and a meaning exactly one word: bits that an operation does not use are zero,
 * or the word is illegal.  Code addresses count words.
 *
 *     7:0 op   10:8 guard   11 not   17:12 d   23:18 a   24 imm   26:25 place
 *     30:27 chain   31 mark   37:32 c   39:38 round
 *     63:40 value: a number if imm, else b in 45:40, ftz 46, sat 47
 *
 * movi has its word in 63:32, bra its target in 47:32 and its join in 63:48;
 * imm is 0 in both.  Everything here is a pure function.
 */
#ifndef NDP_ISA_H
#define NDP_ISA_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum isa_op {
    ISA_ILLEGAL,
#define OP(code, id, text, form, class, timing, doc) ISA_##id = code,
#include "ops.def"
    ISA_OPS = 256
};

enum isa_class {
#define CLASS(name, doc) ISA_CLASS_##name,
#include "classes.def"
    ISA_CLASSES
};

enum isa_timing {
#define TIMING(name, doc) ISA_TIMING_##name,
#include "timings.def"
    ISA_TIMINGS
};

enum isa_special {
#define SPECIAL(index, id, text, doc) ISA_SPECIAL_##id = index,
#include "specials.def"
    ISA_SPECIALS
};

enum isa_round { ISA_RN, ISA_RZ, ISA_RM, ISA_RP };
enum isa_place { ISA_ANYWHERE, ISA_FAR, ISA_NEAR, ISA_BOTH };
/* Of an offload chain; what is above means nothing yet. */
enum isa_chain {
    ISA_CHAIN_NONE,
    ISA_CHAIN_FIRST,
    ISA_CHAIN_INSIDE,
    ISA_CHAIN_LAST
};

#define ISA_REGISTERS 64   /* that a word can name */
#define ISA_TRUE 7         /* predicate that is always true */
#define ISA_INVERT 8       /* in a predicate source: the bit that inverts it */
#define ISA_NO_JOIN 0xffff /* all lanes agree about the branch */
#define ISA_PARAMS 1024    /* parameter words that ldp can name */

/* What ops.def says of one operation. */
struct isa_info {
    const char *text; /* NULL: no such operation */
    const char *form;
    const char *doc;
    enum isa_class class;
    enum isa_timing timing;
};

/* Of op 0 to 255; never NULL. */
const struct isa_info *isa_info(int op);

/* Whether the form of op has a letter. */
bool isa_has(int op, char letter);

/* Whether its result comes from memory or from other lanes, after it: loads,
 * atomics, shfl, vote. */
bool isa_is_late(int op);

/* Name of a class, a timing class, a special register; its doc. */
const char *isa_class_name(enum isa_class c);
const char *isa_class_doc(enum isa_class c);
const char *isa_timing_name(enum isa_timing t);
const char *isa_timing_doc(enum isa_timing t);
const char *isa_special_text(int index); /* NULL: no such one */
const char *isa_special_doc(int index);

/* A word taken apart.  What its operation does not use is zero, and guard is
 * ISA_TRUE where nothing guards. */
struct isa_word {
    uint8_t op;
    uint8_t guard; /* 0 to 7 */
    bool unless;   /* the guard is inverted: field not */
    uint8_t d, a, b, c;
    bool imm;       /* value stands for b */
    uint32_t value; /* as the operation sees it: signs extended, f32 whole */
    uint16_t target, join;
    uint8_t place, chain; /* hints */
    bool mark;
    uint8_t round;
    bool ftz, sat;
};

enum isa_fault {
    ISA_LEGAL,
    ISA_NO_OP,        /* no such operation */
    ISA_NOT_ZERO,     /* a bit is set that it does not use */
    ISA_GUARDED,      /* a guard where none may be */
    ISA_NO_REGISTER,  /* a register beyond those that there are */
    ISA_NO_SPECIAL,   /* no such special register */
    ISA_NO_PARAM,     /* no such parameter word */
    ISA_NO_IMMEDIATE, /* a number that does not fit (encode, parse) */
    ISA_FAULTS
};

const char *isa_fault_text(enum isa_fault f);

/* The bits of a word of this operation that may be other than zero. */
uint64_t isa_bits(int op, bool imm);

/* Take a word apart, for a machine of so many registers.  *w is whole if the
 * word is legal. */
enum isa_fault isa_decode(uint64_t word, int registers, struct isa_word *w);

/* Put a word together; what is not legal is refused and *word is not touched.
 * Fields that the operation does not use must be zero. */
enum isa_fault isa_encode(const struct isa_word *w, uint64_t *word);

/* Registers, a bit each, and predicates but the one that is always true, that
 * a word reads and may write. */
struct isa_touch {
    uint64_t reads, writes;
    uint8_t pred_reads, pred_writes;
};
struct isa_touch isa_touches(const struct isa_word *w);

/* "@!p0 add r1, r2, 5 {near, chain 3, mark}", without newline.  A branch shows
 * its target and its join as numbers. */
void isa_print(const struct isa_word *w, struct text *out);
/* The same with label before each code address: "bra L12". */
void isa_print_labels(const struct isa_word *w, const char *label,
                      struct text *out);

/* What a word is written as that is no number: of a branch, the name of its
 * target or join.  False: not known. */
typedef bool isa_symbol(void *ctx, const char *name, size_t len,
                        uint32_t *value);

struct isa_error {
    const char *what; /* lower case, no full stop */
    int column;       /* from 1 */
    int width;
};

/* Read what isa_print writes.  symbol may be NULL.  False: *e is set. */
bool isa_parse(const char *line, size_t len, isa_symbol *symbol, void *ctx,
               struct isa_word *w, struct isa_error *e);

#endif
