/* lanes.h - what a service queue computes on one lane (docs/blocks/squeue.md,
 * "What is computed"), by the host's arithmetic.
 *
 * Operands are words of 32 bits, f32 as its bits; op, compare and type are the
 * codes of lib/shared/omni.def.
 */
#ifndef NDP_GOLDEN_SQUEUE_LANES_H
#define NDP_GOLDEN_SQUEUE_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* An element in the low bits of raw, widened as its type says. */
uint32_t lanes_widen(uint64_t type, uint32_t raw);

/* op of x and y; of one operand it is x's. */
uint32_t lanes_value(uint64_t op, uint64_t type, uint32_t x, uint32_t y);

/* a * i + b, rounded once. */
uint32_t lanes_fused(uint64_t type, uint32_t a, uint32_t i, uint32_t b);

bool lanes_truth(uint64_t compare, uint64_t type, uint32_t x, uint32_t y);

/* Whether op has one operand; whether there is a lane for it at all. */
bool lanes_unary(uint64_t op);
bool lanes_has_op(uint64_t op);
bool lanes_has_compare(uint64_t compare);

#endif
