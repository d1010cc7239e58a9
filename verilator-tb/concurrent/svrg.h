/* svrg.h - the step of SVRG (concurrent/gradient.h) by the operations of a
 * host, a chip a rank: its data in the ranks' memories, the operations one
 * after the other, and what must be told and lie there at the end. */
#ifndef NDP_STIM_CONCURRENT_SVRG_H
#define NDP_STIM_CONCURRENT_SVRG_H

#include "operations.h"

struct svrg_step;

/* The run that the stimulus' options name; NULL after an error in s->diag. */
struct svrg_step *svrg_open(struct stim *s, struct operations *o);
void svrg_close(struct svrg_step *p);

/* The data, each rank's in its memory; from the begin. */
void svrg_restart(struct svrg_step *p, uint64_t *const *memory);

/* Before an edge: offer the next operation, if it may begin. */
void svrg_drive(struct svrg_step *p);

/* Behind operations_watch. */
const char *svrg_watch(struct svrg_step *p, const struct nda_launch_in *in,
                       const struct nda_launch_out *before);

/* All of it has been done, and was right. */
bool svrg_is_over(const struct svrg_step *p);

void svrg_report(const struct svrg_step *p, struct text *t);

#endif
