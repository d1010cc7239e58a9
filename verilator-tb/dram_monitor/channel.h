/* channel.h - the commands that a scheduler sends: those of the model of
 * dram_channel under its own environment, edge by edge, known some edges ahead.
 */
#ifndef NDP_DRAM_MONITOR_CHANNEL_H
#define NDP_DRAM_MONITOR_CHANNEL_H

#include "dram/check.h"
#include "iface/design.h"

enum { SCHEDULED_RANKS = 4 };

/* What goes out on one edge: the host's command and those of accelerators. */
struct scheduled {
    int n;
    struct dram_command c[1 + SCHEDULED_RANKS];
};

struct schedule;

/* NULL after an error in d: there is no such channel. */
struct schedule *schedule_open(const struct config *c, uint64_t seed,
                               struct diag *d);
void schedule_close(struct schedule *s); /* NULL is allowed */

/* The next edge.  NULL, or what the channel's environment complains of. */
const char *schedule_next(struct schedule *s, struct scheduled *edge);

/* The edge after it, and that its i-th command does not come there. */
const struct scheduled *schedule_ahead(const struct schedule *s);
void schedule_take(struct schedule *s, int i);

/* If the next command to the bank of that column command closes the row, and is
 * known by now, the column command can do it by itself: take the PRE out; a
 * PREA closes other rows, too, and stays. */
bool schedule_take_close(struct schedule *s, const struct dram_command *c);

#endif
