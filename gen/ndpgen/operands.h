/* operands.h - operands of an accelerator in DRAM, for --operands and
 * --allocate. */
#ifndef NDP_GEN_OPERANDS_H
#define NDP_GEN_OPERANDS_H

#include "config/config.h"

#include <stdbool.h>
#include <stdio.h>

/* list: "x=ADDRESS+BYTES,y=..." says whether one operation may have these
 * operands; with allocate "x=BYTES,y=...", of which each gets system rows, of
 * one colour, -1: any.  Prints the operands' system rows and what each rank has
 * of them, as lines for people or a JSON object.  False after errors in d,
 * which say why the operands do not fit. */
bool operands_print(const struct config *c, const char *list, bool allocate,
                    int colour, bool json, FILE *out, struct diag *d);

#endif
