/* lower.h - from PTX instructions to those of the machine; private to lower*.c,
 * seq*.c and codegen.c.
 *
 * Every instruction of PTX becomes operations on fresh values, at whose end the
 * registers of PTX are written by moves that carry the guard; improve.c and
 * colour.c take away what that leaves too much.  Numbers are values made by
 * lower_number, too.
 */
#ifndef NDP_CODEGEN_LOWER_H
#define NDP_CODEGEN_LOWER_H

#include "codegen.h"
#include "mcode.h"

/* A source: its low and its high word.  hi is MC_NONE of what has 32 bits, and
 * of 64-bit values whose high word nobody wants. */
struct wide {
    mc_value lo, hi;
};

/* Where a variable of the function or the module lies. */
struct place_of {
    const struct ptx_variable *variable;
    uint32_t at; /* byte in its space; of a parameter, its first word */
};

/* For the words of one instruction. */
struct hint {
    uint8_t place;
    uint16_t chain; /* number of it, 0: none */
    bool mark;      /* the first of them */
};

struct lower {
    struct mc_code *m;
    const struct ptx_module *module;
    const struct ptx_function *f;
    const struct isa_image *out; /* for places of module variables */
    const struct ptx_instruction *in;
    struct diag *d;
    bool refused;             /* the present instruction */
    const struct hint *hints; /* by pc */
    bool *high;               /* by PTX register: its high word is wanted */
    struct wide *regs;
    mc_value guard; /* of the present instruction */
    bool unless;
    mc_value thread[3]; /* its place in the CTA */
    int *labels;        /* by pc; the last is behind the end */
    ARRAY(struct place_of) places;
    bool has_shared_generic; /* some pointer may be to shared memory */
    uint32_t barriers; /* shared memory of barriers, where there are any */
    uint32_t lock;     /* word of the module's data for 64-bit atomics */
    bool has_carry;
    mc_value carry;            /* of add.cc and its relatives */
    bool has_param_address;    /* a register has that of a parameter */
    struct code_block *blocks; /* offload candidates, ascending */
    int n_blocks;
};

/* What a function needs beside its own variables, in bytes: shared memory of
 * barriers that are not the hardware's; a word of the module's data. */
uint32_t lower_barrier_bytes(const struct ptx_function *f);
bool lower_needs_lock(const struct ptx_function *f);

/* lower.c */
void lower_function(struct lower *l);
void lower_refuse(struct lower *l, const char *what);

/* value.c: what instructions are made with.  Those that return a value make a
 * new one, of the kind that the operation writes. */
struct mc_insn *lower_emit(struct lower *l, int op);
mc_value lower_op(struct lower *l, int op, mc_value a, mc_value b, mc_value c);
mc_value lower_number(struct lower *l, uint32_t value);
mc_value lower_f32(struct lower *l, float x);
mc_value lower_sel(struct lower *l, mc_value a, mc_value b, mc_value p,
                   bool inverted);
mc_value lower_special(struct lower *l, int index);
mc_value lower_param(struct lower *l, int word);
/* a op b of predicates, with inverters. */
mc_value lower_pred(struct lower *l, int op, mc_value a, bool not_a, mc_value b,
                    bool not_b);
/* op with number as its second source. */
static inline mc_value lower_opn(struct lower *l, int op, mc_value a,
                                 uint32_t number) {
    return lower_op(l, op, a, lower_number(l, number), MC_NONE);
}
static inline mc_value lower_op2(struct lower *l, int op, mc_value a,
                                 mc_value b) {
    return lower_op(l, op, a, b, MC_NONE);
}

/* d = a op b where p holds, d a value that was made before. */
void lower_into(struct lower *l, mc_value d, int op, mc_value a, mc_value b,
                mc_value p);

/* Write d = s where p holds (or does not); p MC_NONE: always. */
void lower_move(struct lower *l, mc_value d, mc_value s, mc_value p,
                bool unless);
void lower_label(struct lower *l, int label);
void lower_branch(struct lower *l, int label, mc_value p, bool unless);

/* Operands of the present instruction. */
struct wide lower_source(struct lower *l, int operand, enum ptx_type t);
struct wide lower_operand(struct lower *l, const struct ptx_operand *o,
                          enum ptx_type t);
mc_value lower_pred_source(struct lower *l, const struct ptx_operand *o,
                           bool *inverted);
/* Write a result: hi may be MC_NONE where nobody wants it. */
void lower_result(struct lower *l, const struct ptx_operand *o, enum ptx_type t,
                  struct wide v);
void lower_pred_result(struct lower *l, const struct ptx_register *r,
                       mc_value p, bool inverted);
bool lower_wants_high(const struct lower *l, const struct ptx_operand *o);
/* The low bits of v as a number of type t fill a word. */
mc_value lower_extend(struct lower *l, mc_value v, enum ptx_type t);
uint32_t lower_place(struct lower *l, const struct ptx_variable *v);
mc_value lower_frame(struct lower *l); /* address of local memory */

/* Whether a generic address is not of shared memory; its place there
 * (lower_space.c). */
mc_value lower_is_global(struct lower *l, mc_value generic);
mc_value lower_to_shared(struct lower *l, mc_value generic);

/* Old value of 64 bits at a, changed by v, and w of cas (lower_atom_long.c). */
struct wide lower_atom_long(struct lower *l, bool shared, mc_value a,
                            enum ptx_modifier m, bool sign, struct wide v,
                            struct wide w);

/* One instruction each; false: not theirs. */
bool lower_integer(struct lower *l);    /* lower_int.c */
bool lower_wide(struct lower *l);       /* lower_wide.c: with 64-bit operands */
bool lower_bits(struct lower *l);       /* lower_bits.c */
bool lower_fields(struct lower *l);     /* lower_fields.c: szext, bmsk, fns */
bool lower_compare(struct lower *l);    /* lower_compare.c */
bool lower_float(struct lower *l);      /* lower_float.c */
bool lower_convert(struct lower *l);    /* lower_cvt.c */
bool lower_memory(struct lower *l);     /* lower_mem.c */
bool lower_load_param(struct lower *l); /* lower_param.c */
bool lower_param_address(struct lower *l); /* there: arithmetic for loads */
bool lower_atomic(struct lower *l);        /* lower_atom.c */
bool lower_flow(struct lower *l);          /* lower_flow.c: control, lanes */
bool lower_call(struct lower *l);          /* lower_call.c: refuses */
bool lower_carry(struct lower *l);         /* lower_carry.c */
bool lower_lanes(struct lower *l);         /* lower_lanes.c: redux, match */
bool lower_space(struct lower *l);         /* lower_space.c: cvta, isspacep */
bool lower_barrier(struct lower *l);       /* lower_barrier.c */
void lower_barrier_start(struct lower *l); /* there: at the kernel's start */

/* The comparison of setp and set with 64-bit sources. */
bool lower_compare_wide(struct lower *l, mc_value *p, bool *inverted);

/* Sequences (seq_*.c). */
/* 1 / b of a normal f32 b; minus is -b (seq_int.c). */
mc_value seq_reciprocal(struct lower *l, mc_value b, mc_value minus, int steps);
mc_value seq_divide_unsigned(struct lower *l, mc_value n, mc_value d,
                             mc_value *rest);
mc_value seq_divide_signed(struct lower *l, mc_value n, mc_value d,
                           mc_value *rest);
mc_value seq_divide_f32(struct lower *l, mc_value a, mc_value b, bool ftz);
mc_value seq_sqrt(struct lower *l, mc_value a, bool ftz);
/* The same towards zero or to one side: ISA_RZ, ISA_RM, ISA_RP (seq_round.c). */
mc_value seq_divide_rounded(struct lower *l, mc_value a, mc_value b, bool ftz,
                            int round);
mc_value seq_sqrt_rounded(struct lower *l, mc_value a, bool ftz, int round);
mc_value seq_rsqrt(struct lower *l, mc_value a, bool ftz);
mc_value seq_ex2(struct lower *l, mc_value a, bool ftz);
mc_value seq_lg2(struct lower *l, mc_value a, bool ftz);
mc_value seq_tanh(struct lower *l, mc_value a);
mc_value seq_sin(struct lower *l, mc_value a, bool cosine);
/* a * b + c, all values; f32 with these modifiers. */
mc_value seq_f32(struct lower *l, int op, mc_value a, mc_value b, mc_value c,
                 bool ftz);

/* hints.c: found, unless NULL: candidates by options, not marked. */
struct ptx_candidates;
struct hint *hints_find(struct arena *a, const struct ptx_function *f,
                        const struct ptx_candidate_options *options,
                        struct ptx_candidates *found);

/* narrow.c: which 64-bit registers of f have a high word that matters. */
bool *narrow_find(struct arena *a, const struct ptx_function *f, bool all);

/* lower_param.c: the parameter, and the byte of it, that an operand with the
 * address of a parameter points to; false: it is no such address. */
bool lower_param_spot(const struct ptx_function *f, const struct ptx_operand *o,
                      const struct ptx_variable **v, int64_t *offset);

#endif
