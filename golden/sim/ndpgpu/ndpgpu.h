/* ndpgpu.h - what the files of ndpgpu share. */
#ifndef NDP_NDPGPU_H
#define NDP_NDPGPU_H

#include "sim/run/gpu.h"

#include <jansson.h>

/* A buffer that the kernels of a description wrote. */
struct finding {
    char *buffer;
    const char *type;
    uint64_t count, differ, first, farthest;
    uint64_t gpu, executor; /* checksums */
    uint64_t bits[2];       /* of the first that differs: executor, GPU */
};

enum outcome_verdict {
    OUTCOME_EQUAL,     /* every byte */
    OUTCOME_CLOSE,     /* not, but both are right by the description's checks */
    OUTCOME_DIFFERENT, /* not, and nothing says that both are right */
    OUTCOME_STOPPED,   /* the driver refused it, or the GPU faulted */
    OUTCOME_STALE,     /* other bytes or code than when the GPU was asked */
    OUTCOME_NOT_HELD,  /* the GPU was never asked */
    OUTCOMES
};

struct outcome {
    char *name, *size;
    uint64_t ptx; /* hash */
    uint64_t launches;
    enum outcome_verdict verdict;
    int n;
    struct finding *found;
};

void outcome_free(struct outcome *o);
extern const char *const outcome_words[OUTCOMES];

/* --- reference.c: what a GPU left, kept as the JSON of an earlier report -- */

json_t *outcome_json(const struct outcome *o);

struct reference {
    json_t *all;
    const char *device; /* whose bytes they are */
    const char *driver;
    struct place at;
};

/* False after an error in d, which must live as long. */
bool reference_read(struct reference *ref, const char *path, struct diag *d);
void reference_free(struct reference *ref);

/* What the executor has left in r, whose verdict is v, against what it had left
 * when the GPU was asked; o as it was then. */
void reference_hold(const struct reference *ref, const struct run *r,
                    const struct run_verdict *v, struct outcome *o,
                    struct diag *d);

#endif
