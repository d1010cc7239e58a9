/* stats.h - what a stream consists of: mix, divergence, memory behaviour.
 *
 *     struct stats st = {0};
 *     while (stream_next(s, &e) == STREAM_EVENT)
 *         stats_add(&st, &e);
 *
 * A warp instruction counts once, a thread instruction once for each lane that
 * executes it.  A line is 128 bytes, aligned.  The footprint is of global
 * memory: accesses of global and of generic space.
 */
#ifndef NDP_TRACE_STATS_H
#define NDP_TRACE_STATS_H

#include "stream.h"

enum { STATS_SPACES = PTX_SPACE_TEX + 1, STATS_LINE = 128 };

struct stats_space {
    uint64_t loads, stores, atomics; /* warp instructions */
    uint64_t lanes;                  /* lane accesses */
    uint64_t bytes;                  /* that the lanes ask for */
    uint64_t lines;                  /* distinct lines of each access, summed */
    uint64_t useful; /* bytes of those lines that are asked for, at most */
};

struct stats_page;

struct stats {
    uint64_t launches;
    uint64_t warp_instructions, thread_instructions;
    uint64_t active_lanes; /* before guards, summed over warp instructions */
    uint64_t idle;         /* warp instructions that no lane executes */
    uint64_t branches, divergent_branches;
    uint64_t class_warps[OPC_COUNT], class_threads[OPC_COUNT];
    struct stats_space spaces[STATS_SPACES]; /* by enum ptx_space */
    uint64_t footprint_lines;
    /* pages of the footprint: a hash table */
    struct stats_page *pages;
    uint32_t n_pages, cap_pages;
    struct stats_page *last;
};

void stats_add(struct stats *s, const struct stream_event *e);
void stats_free(struct stats *s);

/* Lanes a warp instruction, before guards; 0 without instructions. */
double stats_mean_active(const struct stats *s);

/* Of the accesses that go to DRAM (global, generic and local space): lines an
 * access, and the share of the bytes of those lines that is asked for.  Lanes
 * that ask for the same bytes count each, up to the whole line. */
double stats_lines_per_access(const struct stats *s);
double stats_line_use(const struct stats *s);

#endif
