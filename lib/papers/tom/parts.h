/* parts.h - what the files of the candidate selection share.
 *
 *     rules.c   what may stand in a candidate, what counts
 *     trip.c    smallest trip count as a condition on a register, or on a
 *               value made of several
 *     made.c    values that are made in front of a block
 *     nest.c    what a loop's trip count multiplies
 *     scan.c    all regions that begin at one pc
 *     balance.c what offloading one changes, and from when it pays
 *     candidate.c         choice of candidates
 *     miss.c    why the others are none
 *     place.c   instructions that make such values, put into the text
 */
#ifndef NDP_PTX_CANDIDATE_PARTS_H
#define NDP_PTX_CANDIDATE_PARTS_H

#include "candidate.h"
#include "papers/analysis.h"

/* Bandwidth in 1/scale of a word. */
struct ptx_weights {
    int64_t scale;
    int64_t reg; /* of one word a lane, each way */
    int64_t load_tx, load_rx, store_tx, store_rx;
};

struct ptx_weights ptx_candidate_weights(const struct ptx_candidate_options *o);

/* Sums and products that stay where they are rather than wrap round: far from
 * overflow, even after a sum of a few.  Millions of regions need them. */
#define PTX_CLAMP ((int64_t)1 << 56)

static inline int64_t ptx_clamped(int64_t v) {
    return v > PTX_CLAMP ? PTX_CLAMP : v < -PTX_CLAMP ? -PTX_CLAMP : v;
}

static inline int64_t ptx_add_clamped(int64_t a, int64_t b) {
    return ptx_clamped(ptx_clamped(a) + ptx_clamped(b));
}

static inline int64_t ptx_mul_clamped(int64_t a, int64_t b) {
    int64_t product;
    if (__builtin_mul_overflow(ptx_clamped(a), ptx_clamped(b), &product))
        return (a < 0) == (b < 0) ? PTX_CLAMP : -PTX_CLAMP;
    return ptx_clamped(product);
}

/* ------------------------------------------------------------ conditions */

/* The register that alone decides the trip count of an ENTRY loop: the bound,
 * if the counter starts from a constant; the counter, if the bound is one.
 * -1: there is none, and *why says so. */
int ptx_trip_register(const struct ptx_function *f, const struct ptx_trip *trip,
                      const char **why);

/* The condition for at least count iterations, of a trip that has such a
 * register; false if no threshold of 32 bits says that. */
bool ptx_trip_condition(const struct ptx_trip *trip, int reg, int64_t count,
                        struct ptx_condition *out);

/* Whether two or three registers of 32 bits, start, bound and step, decide the
 * count of an ENTRY loop. */
bool ptx_trip_several(const struct ptx_function *f,
                      const struct ptx_trip *trip);

/* Of such a trip: the condition for at least count iterations, on the sum that
 * is in out, or if that comes to a single register, on this one.  false: no sum
 * of 32 bits, or no threshold, says that. */
bool ptx_trip_sum(const struct ptx_trip *trip, int64_t count,
                  struct ptx_condition *out);

/* The count, at least this one, that the sum is for; -1: none. */
int64_t ptx_trip_of_sum(const struct ptx_trip *trip, const struct ptx_sum *sum,
                        int64_t count);

/* The sum that the instructions just in front of pc leave in *reg; false if
 * they make none. */
bool ptx_made_before(const struct ptx_analysis *a, int pc, int *reg,
                     struct ptx_sum *sum);

/* place.c: where the text has room for instructions that everybody runs who
 * enters the region [begin, end), and nobody else, just before it. */
enum ptx_place_way {
    PTX_PLACE_NOWHERE,
    PTX_PLACE_BEFORE, /* the first instruction, behind its labels */
    PTX_PLACE_BEHIND  /* the instruction before it, in front of the labels */
};
enum ptx_place_way ptx_place_way(const struct ptx_analysis *a, int begin,
                                 int end);

/* Marks, by pc, instructions that do nothing but make such a value: no block
 * that leaves the core may have them. */
void ptx_made_find(const struct ptx_analysis *a, const char **refused);

/* ----------------------------------------------------------------- nests */

/* Savings are compared as polynomials in the trip count of the loops whose
 * count is not a constant; see docs/candidates.md. */
enum { PTX_DEGREES = 5 };
struct ptx_polynomial {
    int64_t c[PTX_DEGREES]; /* of k^0 .. k^4; higher ones go to the last */
};

/* Global accesses, by the words they move. */
struct ptx_traffic {
    int64_t loads, stores;
};
struct ptx_traffic ptx_traffic_times(struct ptx_traffic t, int64_t by);
void ptx_traffic_add(struct ptx_traffic *to, struct ptx_traffic t);

/* What one execution of the loop's body does; loops inside are multiplied by
 * their count if it is a constant, else they count as one. */
struct ptx_nest_loop {
    int lo, hi; /* its instructions stand in [lo, hi), perhaps with others */
    int inner;  /* loops inside, those in one another as one */
    struct ptx_traffic once;
    struct ptx_polynomial poly; /* saving of one iteration, in k */
    int reg;                    /* that decides the count, or -1 */
    bool several;               /* registers decide it: start, bound, step */
    const char *why;            /* there is none */
};

struct ptx_nest {
    struct ptx_nest_loop *loops; /* as ptx_analysis.loops.loops */
    int *end_at; /* loops with hi = pc: ends[end_at[pc] .. end_at[pc + 1]) */
    int *ends;   /* inner ones first */
};

void ptx_nest_find(struct arena *arena, const struct ptx_analysis *a,
                   const struct ptx_weights *w, struct ptx_nest *nest);

/* p times the trip count of loop l; p times one less; p times the counts of l
 * and of all loops around it. */
struct ptx_polynomial ptx_nest_times(const struct ptx_loop *l,
                                     struct ptx_polynomial p);
struct ptx_polynomial ptx_nest_more(const struct ptx_loop *l,
                                    struct ptx_polynomial p);
struct ptx_polynomial ptx_nest_out(const struct ptx_loops *loops, int l,
                                   struct ptx_polynomial p);
struct ptx_polynomial ptx_poly_add(struct ptx_polynomial a,
                                   struct ptx_polynomial b, int sign);
/* <0, 0, >0: a is less, equal, greater for all large k. */
int ptx_poly_compare(const struct ptx_polynomial *a,
                     const struct ptx_polynomial *b);

/* ------------------------------------------------------------------ scan */

/* A loop inside the region whose trip count registers decide. */
struct ptx_deciding {
    int loop;
    struct ptx_traffic each; /* of one iteration more, for the region */
    bool repeated;           /* it lies in another loop of the region */
};

struct ptx_scan {
    const struct ptx_analysis *a;
    struct ptx_weights w;
    struct ptx_nest nest;
    enum ptx_register_count count;
    bool to_place;
    int window; /* longest region, in instructions */
    char *taken;
    /* tables */
    int *toggle_at;       /* registers that begin or cease to be live at pc: */
    int *toggles;         /* toggles[toggle_at[pc] .. toggle_at[pc + 1]) */
    const char **refused; /* by pc */
    struct ptx_traffic *words; /* of the instruction at pc */
    int *def_at; /* where the instruction at pc has its destinations in ... */
    bool *outlives; /* whether the value is live behind the instruction */
    /* the region so far */
    int begin, end;
    int need_end; /* edges inside lead or come from up to here */
    int words_in, words_out;
    struct ptx_traffic traffic; /* counts of one where not constant */
    struct ptx_polynomial poly; /* of the accesses */
    int outermost;              /* loops inside that lie in no other inside */
    int top;                    /* the last of them to end, -1: none */
    int around;                 /* innermost loop around all of it, -1: none */
    struct ptx_deciding *deciding;
    int n_deciding;
    int *touched, *written; /* by register: stamp of the region */
    bool *is_out;
    int stamp;
    /* why advance stopped */
    const char *stop_reason;
    int stop_pc;
};

void ptx_scan_init(struct ptx_scan *s, struct arena *arena,
                   const struct ptx_analysis *a,
                   const struct ptx_candidate_options *o);
void ptx_scan_free(struct ptx_scan *s);

/* Begin at a pc; take in one more instruction, false if no region that begins
 * there can have it; whether [begin, end) is a region now. */
void ptx_scan_begin(struct ptx_scan *s, int pc);
bool ptx_scan_advance(struct ptx_scan *s);
bool ptx_scan_is_region(const struct ptx_scan *s);

/* --------------------------------------------------------------- balance */

/* What offloading the region as it stands does. */
struct ptx_balance {
    bool pays; /* with the condition */
    int64_t tx, rx;
    int64_t once_tx, once_rx; /* deciding loop counted as one */
    int64_t loads, stores;
    int loop;
    int64_t count;
    struct ptx_condition condition;
};
struct ptx_balance ptx_scan_balance(const struct ptx_scan *s);

/* .pays of that, and .tx + .rx, at less cost. */
bool ptx_scan_pays(const struct ptx_scan *s);
int64_t ptx_scan_change(const struct ptx_scan *s);

/* Its saving for comparison, in one execution of the function. */
struct ptx_polynomial ptx_scan_saving(const struct ptx_scan *s);

/* The candidate that the region is. */
struct ptx_candidate ptx_scan_candidate(const struct ptx_scan *s,
                                        struct arena *arena);

/* ---------------------------------------------------------------- misses */

/* Of the regions that begin at a pc and end in its block, with an access, the
 * one that comes nearest to paying; end 0: there is none. */
struct ptx_nearest {
    int end;
    int64_t change;
};

/* The region of s comes nearer than what is known, or as near and is longer. */
static inline bool ptx_comes_nearer(int64_t change, int length,
                                    int64_t best_change, int best_length) {
    return change < best_change ||
           (change == best_change && length > best_length);
}

/* nearest by pc, of the first scan over the function. */
void ptx_misses_find(struct ptx_scan *s, struct arena *arena,
                     const struct ptx_nearest *nearest,
                     struct ptx_candidates *out);

#endif
