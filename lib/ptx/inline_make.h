/* inline_make.h - the instructions of a kernel whose calls are expanded;
 * private to inline*.c. */
#ifndef NDP_PTX_INLINE_MAKE_H
#define NDP_PTX_INLINE_MAKE_H

#include "base/arena.h"
#include "base/array.h"
#include "ir.h"

/* A kernel being made; lists are in the arena after inline_finish. */
struct inline_body {
    struct arena *arena;
    const struct ptx_function *f; /* the kernel as it was read */
    ARRAY(struct ptx_register *) registers;
    ARRAY(const struct ptx_variable *) variables;
    ARRAY(struct ptx_instruction) instructions;
    ARRAY(struct ptx_label) places;
    ARRAY(struct ptx_operand *) labels; /* operands whose pc is a place */
    int line, column;                   /* of instructions made from here on */
};

struct ptx_operand *inline_operand(struct inline_body *b, struct ptx_operand o);
struct ptx_operand *inline_named(struct inline_body *b,
                                 const struct ptx_register *r);
/* A register as like, with the next index. */
struct ptx_register *inline_register(struct inline_body *b,
                                     struct ptx_register like);
/* A .param variable of the body like v, as an operand. */
struct ptx_operand *inline_variable(struct inline_body *b,
                                    const struct ptx_variable *v);

/* op, a word behind it ("" or ".param"), and types. */
struct ptx_form *inline_form(struct inline_body *b, enum ptx_opcode op,
                             enum opclass opc, int n_types,
                             const enum ptx_type *types, const char *word);
/* Add an instruction; its lists of registers are made here. */
void inline_add(struct inline_body *b, struct ptx_instruction in);
/* To o's label, where guard holds or does not; guard NULL: always. */
void inline_branch(struct inline_body *b, struct ptx_operand *o,
                   const struct ptx_register *guard, bool negated);
/* A label, not placed yet; and a branch to one where the guard does not hold,
 * NULL without a guard. */
struct ptx_operand *inline_target(struct inline_body *b, const char *name);
struct ptx_operand *inline_skip(struct inline_body *b,
                                const struct ptx_register *guard, bool negated,
                                const char *name);
/* The label stands here. */
void inline_label(struct inline_body *b, struct ptx_operand *o);
void inline_label_at(struct inline_body *b, const struct ptx_label *l, int pc);
/* to = from of a type; each a register, a number or a .param variable. */
void inline_transfer(struct inline_body *b, const struct ptx_operand *to,
                     const struct ptx_operand *from, enum ptx_type t);
/* ld.param, st.param as ld.local, st.local. */
const struct ptx_form *inline_local_form(struct inline_body *b,
                                         const struct ptx_form *f);

/* Settle the .param variables of the body (inline_slots.c): accesses to them
 * become moves, or accesses to .local variables.  Pcs change. */
void inline_slots(struct inline_body *b);

/* The kernel: flat has its header. */
void inline_finish(struct inline_body *b, struct ptx_function *flat);

#endif
