/* alu.h - what an arithmetic operation of the instruction set means on one
 * lane, by the host's arithmetic.
 *
 * Pure functions: the host's rounding mode is nearest before and after.  An
 * operation reads its sources as words; f32 as its bits.  A result that is not
 * a number is 0x7fffffff.
 */
#ifndef NDP_GOLDEN_ISA_ALU_H
#define NDP_GOLDEN_ISA_ALU_H

#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

#define ALU_NAN UINT32_C(0x7fffffff)

/* Whether alu_value (writes a register) or alu_test (writes a predicate)
 * knows op: the classes int, mul, f32, and compare, pred. */
bool alu_is_value(int op);
bool alu_is_test(int op);

/* The register result of w; b is the second source, number or register; c the
 * third; p the predicate of sel, inverter included. */
/* The values of n lanes, at most 32: 0 of those that are not active.  b NULL:
 * the word's number; holds: the predicates of lanes. */
void alu_values(const struct isa_word *w, int n, uint32_t active,
                const uint32_t *a, const uint32_t *b, const uint32_t *c,
                uint32_t holds, uint32_t *d);

uint32_t alu_value(const struct isa_word *w, uint32_t a, uint32_t b, uint32_t c,
                   bool p);

/* The predicate result of a comparison; of pand, por, pxor with a and b 0 or 1,
 * inverters included. */
bool alu_test(const struct isa_word *w, uint32_t a, uint32_t b);

/* What an atomic leaves in memory: op of ISA_atg_* or ISA_ats_*. */
uint32_t alu_atomic(int op, uint32_t old, uint32_t b, uint32_t c);

#endif
