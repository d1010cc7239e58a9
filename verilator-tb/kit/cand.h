/* cand.h - the candidate blocks that a kernel executes.
 *
 * A run description (kernels/README.md) is brought to life, its offload
 * candidates are found (lib/papers/tom/candidate.h), and the executor's stream
 * is cut into instances: a warp's lanes enter a candidate at its first
 * instruction and have left it when an instruction elsewhere follows, or when
 * other lanes enter.  Instances of a warp follow one another; those of the
 * warps of a CTA alternate, CTAs come one after the other.
 */
#ifndef NDP_STIM_CAND_H
#define NDP_STIM_CAND_H

#include "stim.h"

#include "papers/tom/candidate.h"
#include "sim/run/run.h"

enum { CAND_WARPS = 1024 / STREAM_LANES };

/* A candidate of some kernel of the run. */
struct cand_block {
    const struct ptx_candidate *c;
    const struct ptx_function *function;
    int header; /* pc at which the loop that decides begins, -1: none */
    bool tests_first;
};

/* One instance, known whole when it has ended. */
struct cand_instance {
    uint32_t launch, cta, warp;
    int block;              /* in cand.blocks */
    uint32_t mask;          /* lanes that entered */
    bool has_address;       /* it has made an access, */
    uint64_t address;       /* of which the lowest lane went here, */
    uint32_t before_access; /* after so many instructions */
    uint32_t idle;          /* warp instructions since the last instance */
    uint32_t instructions, lines, lines_written;
    int64_t rounds; /* of the loop that decides */
};

struct cand;

/* What is told while the stream is pulled; each may be NULL. */
struct cand_sink {
    void *ctx;
    void (*begin)(void *ctx, const struct cand_instance *i);
    /* Each line of an access in a block, once an instruction. */
    void (*access)(void *ctx, const struct cand_instance *i, uint64_t address);
    void (*end)(void *ctx, const struct cand_instance *i);
};

/* NULL after errors in d, which must outlive it; a run without candidates is
 * one.  turn: warp instructions before
 * the next warp executes, 0: the executor's choice. */
struct cand *cand_open(const struct stim_options *o,
                       const struct cand_sink *sink, uint32_t turn,
                       struct diag *d);
void cand_close(struct cand *r);

/* One event of the executor.  Errors go to d of cand_open. */
enum stream_result cand_pull(struct cand *r);
/* After STREAM_END: a run that has given the unit nothing to do has checked
 * nothing.  False after an error, with n 0 of what there had to be. */
bool cand_gave(struct cand *r, uint64_t n, const char *what);
/* From the start again, after STREAM_END.  False after an error. */
bool cand_again(struct cand *r);

int cand_n_blocks(const struct cand *r);
const struct cand_block *cand_blocks(const struct cand *r);
const struct ptx_module *cand_module(const struct cand *r);
/* Name and size of the run, warps of a CTA of the present launch. */
const char *cand_name(const struct cand *r);
const char *cand_size(const struct cand *r);
int cand_cta_warps(const struct cand *r);
/* The run itself, for its buffers; another one after cand_again. */
const struct run *cand_run(const struct cand *r);
uint64_t cand_instructions(const struct cand *r);

#endif
