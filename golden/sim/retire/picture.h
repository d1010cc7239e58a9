/* picture.h - what the warps of a launch did over time, as SVG.
 *
 * A row a warp, time from left to right.  A bar is what the warp retired, its
 * colour the class that weighs most there, its height the share of lanes that
 * were active; paler bands are a warp that waits for memory or at a barrier.
 * Above them how busy the pipe was.  1000 wide; colours follow the reader's
 * light or dark scheme.  The same trace gives the same bytes.
 */
#ifndef NDP_SIM_RETIRE_PICTURE_H
#define NDP_SIM_RETIRE_PICTURE_H

#include "retire.h"

/* Append a whole file. */
void retire_picture(const struct retire_trace *t, const struct retire_launch *l,
                    struct text *out);

#endif
