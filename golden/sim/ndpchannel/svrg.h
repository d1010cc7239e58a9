/* svrg.h - the summarisation step of SVRG, the average gradient of a logistic
 * regression, by accelerators beside a host that goes on using its memory
 * (Chopim, section VI; kernels/svrg).
 *
 * The accelerators of all ranks and their launch are the golden models
 * (nda_rank, nda_launch), eight chips a rank; the host's controller is told.h.
 * A vector's elements go over the chips 8 bytes each, then over the ranks.
 *
 *   margins   GEMV: a row of x times w; each chip tells its part of each row
 *   scales    the host: -label / (samples * (1 + exp(label * margin)))
 *   gradient  AXPBY a row of x: g = lambda w + scale x, g = scale x + g, ...
 */
#ifndef NDP_NDPCHANNEL_SVRG_H
#define NDP_NDPCHANNEL_SVRG_H

#include "base/diag.h"
#include "config/config.h"

#include <stdio.h>

struct svrg_setup {
    const struct config *config; /* checked: svrg_check */
    const char *path, *size;     /* of the run description; size: NULL */
    int rate; /* percent of the cycles with a request of the host */
    uint64_t seed;
    struct diag *d;
};

struct svrg_result {
    int samples, features, ranks, chips;
    uint64_t cycles, packets;
    uint64_t reads, writes, refreshes; /* of the host */
    double read_latency;
    uint64_t near_reads, near_writes; /* bursts */
    int words, equal; /* that a result has; those that are bit for bit those of
                         plain loops in the same order */
    double worst;     /* difference of a gradient's element from the kernel's
                         reference in double precision, over the largest element */
    uint64_t late;    /* accelerators that lost a word, or were late */
    uint64_t commands, violations;
};

bool svrg_check(const struct config *c, struct diag *d);

/* False after an error in d. */
bool svrg_run(const struct svrg_setup *s, struct svrg_result *r);

/* All words equal, no rule broken, nothing late. */
bool svrg_right(const struct svrg_result *r);

void svrg_text(const struct svrg_result *r, FILE *out);
void svrg_json(const struct svrg_result *r, FILE *out);

#endif
