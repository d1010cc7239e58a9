/* locate.h - near or far: the location annotation of MPU, section V-B.
 *
 * Each register gets a place in the lattice U < F, N < B and is only ever moved
 * up it, so the result is the least fixed point and does not depend on the
 * order of the instructions.
 *
 * Seeds (merged by the same join):
 *   guard predicates                                            F
 *   operands of branches, calls, barriers, fences, atomics on
 *   global memory, textures and remote accesses, which run far
 *   with their operands                                         F
 *   ld/st of global, local, generic space: address registers    F
 *                                          value registers      N
 *   ld/st, atomics of shared space: address and value           N
 *   cp.async between global and shared space:
 *                  address in global memory, of a barrier       F
 *                  address in shared memory, all else           N
 * Propagation: a source takes the join of itself and the known locations of
 * the destinations.  So B as a destination makes its sources B: a value that is
 * wanted on both sides is computed where its inputs are.  Nothing passes
 * through the instructions named above, whose operands are placed by hardware,
 * nor through a guard.
 * An instruction has the join of its destinations; one without a destination
 * has N for shared stores, atomics and copies to shared space, F if its class
 * is in the far-bank set, else U. U and B mean no hint: the hardware's default
 * decides.
 */
#ifndef NDP_PTX_LOCATE_H
#define NDP_PTX_LOCATE_H

#include "flow/cfg.h"
#include "flow/reach.h"

/* The codes make join the bitwise or. */
enum ptx_location {
    PTX_LOC_U = 0,
    PTX_LOC_F = 1,
    PTX_LOC_N = 2,
    PTX_LOC_B = 3
};

struct ptx_locations {
    uint8_t *registers;    /* enum ptx_location of each register */
    uint8_t *instructions; /* ... of each instruction */
    int counts[4];         /* registers by location */
};

void ptx_locate(struct arena *a, const struct ptx_function *f,
                const struct ptx_defs *defs, struct ptx_locations *l);

/* U F N B */
char ptx_location_letter(int location);

/* The class by which the unit treats an instruction: an atomic on shared
 * memory, which is on the DRAM die, is one of its loads, or stores if it
 * returns nothing. */
enum opclass ptx_locate_class(const struct ptx_instruction *in);

/* Locations that instruction in gives its registers of itself: calls
 * seed(ctx, register, location). */
void ptx_locate_seeds(const struct ptx_instruction *in,
                      void (*seed)(void *ctx, int reg, int location),
                      void *ctx);

/* An asynchronous copy between global and shared memory. */
struct ptx_copy {
    enum { PTX_COPY_NONE, PTX_COPY_TO_SHARED, PTX_COPY_TO_GLOBAL } to;
    int global;  /* operand that is the address in global memory */
    int barrier; /* operand that is the address of its mbarrier, or -1 */
};

/* NONE: no such copy; then no operand is named. */
struct ptx_copy ptx_copy_of(const struct ptx_instruction *in);

/* Whether sources of in take the location of its destinations. */
bool ptx_locate_propagates(const struct ptx_instruction *in);

#endif
