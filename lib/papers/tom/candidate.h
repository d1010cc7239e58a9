/* candidate.h - code blocks worth offloading to a memory stack: TOM's static
 * candidate selection (TOM, sections 3.1 and 5.2; docs/candidates.md).
 *
 * A region is an interval of pcs, [begin_pc, end_pc), that is entered at
 * begin_pc only and left to end_pc only: control flow may diverge inside, all
 * of it meets at end_pc.  With REG_TX words of live-in and REG_RX words of
 * live-out registers, N_LD global loads and N_ST global stores, a warp of S_W
 * lanes and lines of S_C words, offloading it changes the traffic of the
 * transmit and the receive channel, in words of 32 bits a warp, by
 *
 *     BW_TX = REG_TX S_W - (N_LD Coal_LD Miss_LD + N_ST (S_W + Coal_ST))
 *     BW_RX = REG_RX S_W - (N_LD Coal_LD S_C Miss_LD + N_ST Coal_ST / 4)
 *
 * It is a candidate if the sum is negative.  All arithmetic is exact: numbers
 * stand in 1/scale of a word, quarters at the default parameters.
 */
#ifndef NDP_PTX_CANDIDATE_H
#define NDP_PTX_CANDIDATE_H

#include "base/arena.h"
#include "flow/loops.h"

struct ptx_analysis;

enum { PTX_WARP_SIZE = 32, PTX_LINE_WORDS = 32 }; /* S_W, S_C */

/* A fraction, num / den >= 0; both at most PTX_RATIO_MAX, den >= 1. */
enum { PTX_RATIO_MAX = 1000 };
struct ptx_ratio {
    int num, den;
};

/* How a live-in or live-out register counts: by the 32-bit registers that the
 * request carries (64 bits two, 128 bits four, a predicate one), or each name
 * once, as the paper counts operands of 32-bit code. */
enum ptx_register_count { PTX_COUNT_WORDS, PTX_COUNT_NAMES };

struct ptx_candidate_options {
    struct ptx_ratio miss, coal_ld, coal_st;
    enum ptx_register_count count;
    /* Take conditions on values that nothing computes yet: what place.h
     * needs. */
    bool to_place;
};

/* Miss rate 1/2, both coalescing ratios 1, words. */
struct ptx_candidate_options ptx_candidate_defaults(void);
/* The same for code of a machine, where an address has 32 bits: names. */
struct ptx_candidate_options ptx_candidate_of_machine(void);

/* A value of 32 bits made of registers before a block: plus - minus + times
 * step.  -1: no such register; plus is always one. */
struct ptx_sum {
    int plus, minus, step;
    int64_t times; /* 0 without step */
};

/* Offload if the register stands so to the threshold. */
enum ptx_compare { PTX_COMPARE_GE, PTX_COMPARE_LE };

/* ptx_condition.reg */
enum { PTX_ALWAYS = -1, PTX_TO_PLACE = -2 };

struct ptx_condition {
    /* Of 32 bits, among the live-ins, or made by the instruction in front of
     * the block.  PTX_ALWAYS: offload unconditionally.  PTX_TO_PLACE, with that
     * option only: the block would be one if a register held the sum. */
    int reg;
    struct ptx_sum sum; /* if made, or to be made; else plus is -1 */
    enum ptx_compare compare;
    uint32_t threshold; /* two's complement if is_signed */
    bool is_signed;
};

enum { PTX_TAG_RX = 1, PTX_TAG_TX = 2 }; /* channels that are saved */

struct ptx_candidate {
    int begin_pc, end_pc; /* end_pc: of the first instruction behind it */
    int n_in, n_out;
    const int *in, *out;      /* live-in and live-out registers, ascending */
    int words_in, words_out;  /* REG_TX, REG_RX */
    int64_t loads, stores;    /* N_LD, N_ST at trip_count; a load or store of
                               * 64 bits, or of a vector, counts its words */
    int64_t bw_tx, bw_rx;     /* at trip_count, in 1/scale */
    int64_t once_tx, once_rx; /* the same with a count of one for that loop */
    int64_t saving;           /* -(bw_tx + bw_rx) */
    int tag;                  /* PTX_TAG_TX | PTX_TAG_RX, at trip_count */
    /* The loop that decides: the one of the condition; else the outermost one
     * of the region; -1 if it has none. */
    int loop;
    enum ptx_trip_kind trip_kind; /* of that loop; UNKNOWN without one */
    int64_t trip_count;           /* STATIC: its count; with a condition: the
                                   * smallest that pays; else 1 */
    struct ptx_condition condition;
    bool starts_with_memory; /* begin_pc is a global load or store */
    int first_memory_pc;     /* first global load or store in the text */
};

/* A loop or basic block with global accesses of which no part became a
 * candidate, and why. */
struct ptx_miss {
    int begin_pc, end_pc;
    bool counted;         /* bw_tx, bw_rx hold: only its balance speaks against
                           * it */
    int64_t bw_tx, bw_rx; /* in 1/scale, unknown counts as one */
    int pc;               /* instruction that forbids it, -1: none does */
    const char *reason;
};

struct ptx_candidates {
    int64_t scale; /* 4 at the default parameters */
    int n;
    const struct ptx_candidate *list; /* ascending, none overlaps another */
    int n_misses;
    const struct ptx_miss *misses; /* nearest to paying first */
};

/* Candidates of an analysed function; all of it lives in the arena. */
void ptx_candidates_find(struct arena *arena, const struct ptx_analysis *a,
                         const struct ptx_candidate_options *options,
                         struct ptx_candidates *out);

/* ---- parts of it, for tests and for other printers */

/* Why the instruction may stand in no candidate, or NULL if it may; branches
 * are judged by where they lead, not here (ret and exit are refused). */
const char *ptx_never_offloaded(const struct ptx_instruction *in);

/* Words of 32 bits that a global load (store) moves for a lane; 0 if it is
 * none. */
int ptx_load_words(const struct ptx_instruction *in);
int ptx_store_words(const struct ptx_instruction *in);

#endif
