/* tom.h - TOM's GPU with four memory stacks: `ndpsim --preset tom`.
 *
 * Main cores with their L1 and a golden offload controller each
 * (golden/offload/offload.h), a shared L2, a TX and an RX link to each of four
 * stacks, links from each stack to each other, and on every stack a core of its
 * own and memory.  docs/system.md says what is modelled and what is not.
 *
 * Numbers of TOM's Table 1 (section 5.1), and what they are at the core clock
 * of 1.4 GHz.  The paper has 64 main cores; this is a slice of `cores` of them,
 * so everything that they share is cores / 64 of the table's (option --whole).
 *
 *     GPU to memory      80 GB/s a link and direction   57.1 B   3.57 flits
 *     memory to memory   40 GB/s a link and direction   28.6 B   1.79 flits
 *     internal          160 GB/s a stack               114.3 B a cycle
 *     main core         48 warps, 8 CTAs, 48 KB shared memory, L1 32 KB 4-way
 *     L2                  1 MB 16-way, shared
 *     stack             one core of 48 warps
 *
 * A flit is 16 bytes, as that of the controller's packets.  With 8 cores: 0.446
 * flits a cycle and link, an L2 of 128 KB, 6 warps a stack and one instruction
 * in 8 cycles.
 *
 * Packets, in flits there / back, and in bytes as the formulas of section 3.1.1
 * count them (an address 4, an acknowledgement 1, a header 16):
 *
 *     load     1 / 8                        4 / 128
 *     store    1 + 2 a 32-byte sector / 1   4 + 32 a sector / 1
 *     atomic   1 + 2 a sector / 2 a sector
 *     block    1 + 8 a live-in / 1 + 8 a live-out + 1 a line written
 *
 * The register rows that travel are dummies: the executor has computed all
 * values.  Of a condition's register only the truth is known, from what the
 * loop then does (tom_plan.h), and the controller gets a value on that side of
 * its threshold.
 */
#ifndef NDP_SYSTEM_TOM_H
#define NDP_SYSTEM_TOM_H

#include "system.h"

extern const struct system_preset tom_preset;

#endif
