/* mcode.h - a kernel as instructions of the machine before registers are given
 * out: a list of instructions over any number of values.
 *
 * A value is a 32-bit register or a predicate of a thread; it may be written
 * several times.  Branches name labels, which stand in the list as instructions
 * of their own.  Lists are made in lower*.c, improved in improve.c, coloured in
 * colour.c and become words in emit.c.
 */
#ifndef NDP_CODEGEN_MCODE_H
#define NDP_CODEGEN_MCODE_H

#include "base/arena.h"
#include "base/array.h"
#include "isa/isa.h"

/* A value by its index; MC_TRUE is the predicate that is always true. */
typedef int mc_value;
enum { MC_NONE = -1, MC_TRUE = 0 };

enum { MC_LABEL = ISA_ILLEGAL }; /* op of a label, whose number is in value */

/* Op of what reads a and is no word: the condition of the offload candidate in
 * value, which must be in a register there (blocks.h). */
enum { MC_HOLD = 0xff };

struct mc_insn {
    uint8_t op;
    uint8_t round, place;
    uint16_t chain; /* number of the offload chain, 0: none */
    bool imm, ftz, sat, mark;
    bool unless;              /* the guard is inverted */
    bool not_a, not_b, not_c; /* inverters of predicate sources */
    bool whole;               /* guarded, yet nobody wants the old value of d */
    mc_value guard, d, a, b, c;
    uint32_t value;
    int target; /* label of bra */
    int line;   /* of the PTX */
};

enum mc_kind { MC_REGISTER, MC_PREDICATE };

struct mc_info {
    enum mc_kind kind;
    bool keep;   /* never spilled */
    bool is_tid; /* lies in r0 when the kernel starts */
};

struct mc_code {
    struct arena *arena;
    ARRAY(struct mc_insn) list;
    ARRAY(struct mc_info) values;
    int n_labels;
    int line;       /* given to what is added */
    int local;      /* bytes of local memory a thread, so far */
    mc_value frame; /* address of a thread's local memory, or MC_NONE */
    int spilled;    /* values that were */
};

/* What an instruction reads and writes, from the form of its op. */
enum { MC_MAX_USES = 5 };
int mc_uses(const struct mc_insn *i, mc_value uses[MC_MAX_USES]);
mc_value mc_def(const struct mc_insn *i); /* MC_NONE: nothing */

/* The fields that hold uses, for those who change them; the guard is last. */
int mc_use_fields(struct mc_insn *i, mc_value *fields[MC_MAX_USES]);

/* Whether all of d's old value is lost; whether i does nothing but write d. */
bool mc_kills(const struct mc_insn *i);
bool mc_is_pure(const struct mc_insn *i);

/* Whether i copies its only source to d: MC_NONE if not. */
mc_value mc_copied(const struct mc_insn *i);

/* Whether i names its register to the offload controller and leaves it as it is
 * (blocks.h). */
bool mc_only_asks(const struct mc_insn *i);

/* Whether i is the first of all: the thread's place, which r0 holds then, as a
 * copy of itself. */
bool mc_is_start(const struct mc_code *m, const struct mc_insn *i);

mc_value mc_new(struct mc_code *m, enum mc_kind kind);
int mc_label(struct mc_code *m);

/* Whether a number fits into the second source of op. */
bool mc_fits(int op, uint32_t value);

/* Every field that is read or written holds a value of the right kind, or it is
 * a bug. */
void mc_check(const struct mc_code *m);

/* One line for each instruction, for who debugs. */
void mc_print(const struct mc_code *m, struct text *out);

#endif
