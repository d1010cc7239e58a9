/* replay.h - what libndp does at the register port of a machine while it runs
 * the kernels of a run description.
 *
 * It runs them on the golden machine first, and every access is noted with what
 * it read and how many edges were idle before it; the verdict on the buffers
 * must be right.  In lock-step the same accesses come on the same edges, so
 * each must read the same.  Before all, the memory that they use becomes zero:
 * a request for a sector brings words that nobody has written, too.
 */
#ifndef NDP_STIM_SYSTEM_REPLAY_H
#define NDP_STIM_SYSTEM_REPLAY_H

#include "kit/stim.h"

struct replay;

/* NULL after an error in s->diag. */
struct replay *replay_open(struct stim *s);
void replay_close(struct replay *p);

/* Begin again: the machine is reset. */
void replay_reset(struct replay *p);

/* The next edge's register port. */
void replay_drive(const struct replay *p, void *in);
/* After that edge; NULL, or what was read wrong. */
const char *replay_watch(struct replay *p, struct stim *s, const void *after);

bool replay_is_over(const struct replay *p);
void replay_report(const struct replay *p, struct text *t);

#endif
