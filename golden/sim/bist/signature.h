/* signature.h - what bist does to outputs and for free inputs
 * (docs/blocks/bist.md, Free bits and Signature), as plain functions. */
#ifndef NDP_BIST_SIGNATURE_H
#define NDP_BIST_SIGNATURE_H

#include "flat.h"

#define SIGNATURE_BEGIN UINT32_C(0xffffffff)

/* The signature after the outputs of one more edge. */
uint32_t signature_add(uint32_t signature, const struct flat_row *outputs,
                       int bits);

/* Outputs as 32 bits. */
uint32_t signature_fold(const struct flat_row *outputs, int bits);

/* The generator's next state. */
uint32_t random_next(uint32_t x);

/* Exclusive-or free bits of the generator's state into a stimulus. */
void random_mix(uint32_t x, const struct flat_row *mask, int bits,
                struct flat_row *stimulus);

#endif
