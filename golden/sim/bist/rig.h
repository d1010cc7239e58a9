/* rig.h - a bist and a block under test as golden models behind a port: what a
 * board is without a board, and with a fault if one is wanted. */
#ifndef NDP_BIST_RIG_H
#define NDP_BIST_RIG_H

#include "flat.h"
#include "runtime/port.h"

/* The bist has parameters bist.window and of registers as the design's
 * configuration, and the widths of the block.  fault: "" for none, PORT[BIT]@N
 * turns that bit of the outputs over on the Nth edge (from 0) after each reset
 * of the block, PORT[BIT]#N on the Nth edge of all that it plays, which comes
 * but once.  NULL: why says what is wrong. */
struct ndp_port *rig_open(const struct flat *f, const char *fault,
                          struct text *why);

#endif
