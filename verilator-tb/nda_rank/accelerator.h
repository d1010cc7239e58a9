/* accelerator.h - a rank's accelerator from outside: somebody who gives it
 * packets, and its bank with the operands.  Of `nda_rank` alone and of
 * `concurrent`, which has one in each rank.
 *
 * The bank does what the commands say: a word that is read is on the bus tCL
 * and a burst after its command, one that is written tCWL after it.  What a
 * packet must leave there, its value and its cause are computed before by plain
 * loops over elements (nda_pe/reference.h).
 */
#ifndef NDP_STIM_NDA_RANK_ACCELERATOR_H
#define NDP_STIM_NDA_RANK_ACCELERATOR_H

#include "blocks/nda_buffer.h"
#include "blocks/nda_control.h"
#include "dram/check.h"
#include "kit/stim.h"
#include "nda_pe/reference.h"

enum {
    ACCELERATOR_BURSTS = 256, /* under way, at most */
    ACCELERATOR_LINE = 16     /* edges between the ends, and one */
};

struct burst_due {
    uint64_t edge, at;
};

struct accelerator {
    struct stim *base;
    struct nda_buffer_local size;
    struct nda_control_local machine;
    int own;       /* its number; -1: one that each packet draws */
    bool directed; /* lengths about one and two batches, no bounds */
    bool offers, runs;
    struct nda_control_out line[ACCELERATOR_LINE]; /* of the machine, by edge */
    struct pe_operation op;
    struct pe_expected expected;
    uint64_t number, tag, rank, final; /* of the packet */
    uint64_t last_event;               /* edge on which something went on */
    struct burst_due read[ACCELERATOR_BURSTS], write[ACCELERATOR_BURSTS];
    unsigned read_first, read_last, write_first, write_last;
    uint64_t memory[PE_WINDOW], after[PE_WINDOW];
    uint64_t packets, stopped, bursts, masked;
};

void accelerator_open(struct accelerator *k, struct stim *base,
                      const struct config *c, int own);
void accelerator_close(struct accelerator *k);
void accelerator_reset(struct accelerator *k);

/* The ports of the buffer; packet and end: percent of edges on which a packet
 * is given, an end is taken. */
void accelerator_drive(struct accelerator *k, struct nda_buffer_in *in,
                       int packet, int end);

/* After an edge. */
const char *accelerator_watch(struct accelerator *k,
                              const struct nda_buffer_in *in,
                              const struct nda_buffer_out *before,
                              const struct nda_buffer_out *after);

/* Whether after this edge the machine's end near memory shows what the other
 * one showed nda_control.delay edges ago. */
bool accelerator_ends_agree(struct accelerator *k,
                            const struct nda_control_out *out);

/* What the machine has decided on this edge, at the host's end. */
struct dram_command accelerator_decided(const struct accelerator *k,
                                        const struct nda_control_out *out);

#endif
