/* chained.h - launches whose offload chains are computed by golden queues on a
 * golden mesh.
 *
 * A node of the mesh is the golden model of the system `omni`, which is its RTL
 * cycle by cycle, behind the golden network (mesh/net.h).  Memory nodes have
 * the memory, line by line in turn; all others are cores.  Cores are not models
 * of hardware: a core gives what is no chain no time, an instruction of one
 * warp an edge, and hands each chain, by the tag in its words, to its offload
 * queue as docs/blocks/oqueue.md wants it.  So values are whole and the time of
 * queues and network is right; the time of cores is not.
 *
 * How a launch runs.  First it is executed as by isa_execute, which notes what
 * each warp did.  Then memory is as it was before, and everything is done again
 * by cores, queues and memory nodes: each load, of a core or at a queue, must
 * find, and each chain must leave, the bytes of the first time.  So every
 * instruction has the operands that it had, and the memory that is left at the
 * end is what the machine made.  Atomics are carried out again, too, but what
 * they bring back is not compared: that depends on their order.  CTA c runs on
 * core c modulo the cores; warps of one have any order between barriers, as on
 * a machine.
 */
#ifndef NDP_CHAINED_H
#define NDP_CHAINED_H

#include "base/text.h"
#include "config/config.h"
#include "isa/image.h"
#include "sim/run/run.h"

/* Setting mode of oqueue. */
enum chained_mode { CHAINED_OFF, CHAINED_LLC, CHAINED_OMNI, CHAINED_MODES };

struct chained_result {
    uint64_t edges;
    uint64_t chains; /* executions of a tagged chain by a warp */
    uint64_t unfit;  /* of these: no pattern in the words, or lanes that do not
                      * stand in order in one line of memory */
    uint64_t normal; /* the offload queue had no entry, or was off, or a load
                      * hit in the L1 */
    uint64_t single; /* no node could compute it */
    uint64_t packets, locals; /* locals: of these, loads came back */
    uint64_t acks, data, bitmaps;
    uint64_t hops, flit_hops, flits; /* on the mesh */
    uint64_t most;                   /* chains under way at once */
};

struct chained {
    struct config config; /* must satisfy the checks of omni and mesh */
    enum chained_mode mode;
    int hits;   /* percent of loads that the L1 is said to have */
    int places; /* of each service queue, -1: all */
    struct chained_result result; /* of all launches so far */
    struct text why; /* what went wrong, empty: nothing; the caller's */
    /* Told each edge of each node, with the structs of its ports; or NULL. */
    void (*watch)(void *ctx, int node, bool rst, const void *in,
                  const void *out);
    void *ctx;
};

/* Execute all launches of r, which must be fresh from run_open, with the words
 * that code_generate has made for 64 registers; then run_verdict tells.  False:
 * see why.  It is too if the machine does other than the first time, and then
 * memory is not to be relied on. */
bool chained_run(struct chained *c, struct run *r,
                 const struct isa_image *code);

#endif
