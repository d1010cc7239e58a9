/* replay.h - what every node of a mesh sees while a kernel has its chains
 * computed by them.
 *
 * The kernels of a run description are run first with golden nodes on the
 * golden mesh (omni/chained.h), with offloading off, LLC-Compute and
 * Omni-Compute; each must leave the right bytes.  What stood at the ports of
 * each node is noted.  Then the node under test is one after the other of them,
 * mode by mode, each from its reset on, and must answer as that one did.
 */
#ifndef NDP_STIM_OMNI_REPLAY_H
#define NDP_STIM_OMNI_REPLAY_H

#include "kit/stim.h"

struct omni_replay;

/* NULL after an error in s->diag. */
struct omni_replay *omni_replay_open(struct stim *s);
void omni_replay_close(struct omni_replay *p);

/* The node is reset: from its first edge on. */
void omni_replay_reset(struct omni_replay *p);

void omni_replay_drive(const struct omni_replay *p, void *in);
/* After an edge without reset; NULL, or what was other. */
const char *omni_replay_watch(struct omni_replay *p, struct stim *s,
                              const void *after);
bool omni_replay_is_over(const struct omni_replay *p);
void omni_replay_report(const struct omni_replay *p, struct text *t);

#endif
