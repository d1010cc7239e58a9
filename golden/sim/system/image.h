/* image.h - IP-NDP's SMs on a logic die: `ndpsim --preset image`.
 *
 * Streaming multiprocessors of 8 warps with loose round-robin scheduling, an
 * 8 KB L1 data cache with MSHRs, no L2, and a stack's memory of 256 GB/s;
 * beside the cache no prefetcher, per-warp strides (pws.h) or the pattern-aware
 * prefetcher (golden/prefetch/prefetch.h).  IP-NDP sections 3.3 and 4.
 */
#ifndef NDP_SYSTEM_IMAGE_H
#define NDP_SYSTEM_IMAGE_H

#include "system.h"

extern const struct system_preset image_preset;

#endif
