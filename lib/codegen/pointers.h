/* pointers.h - which bytes of a kernel's parameters are addresses. */
#ifndef NDP_CODEGEN_POINTERS_H
#define NDP_CODEGEN_POINTERS_H

#include "base/arena.h"
#include "ptx/ir.h"

struct param_address {
    int param;
    int64_t offset; /* byte of 8 in the parameter */
};

/* Those that some load or store goes to, as far as the kernel's code shows; a
 * list in the arena of *n, some of them twice. */
struct param_address *
pointers_of_params(struct arena *a, const struct ptx_function *kernel, int *n);

#endif
