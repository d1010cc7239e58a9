/* report.c - at the program's end, which kernel ran where: with NDP_REPORT, or
 * when a kernel has run on the fallback. */
#include "cudart.h"

#include "base/demangle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool wanted(void) {
    const char *report = getenv("NDP_REPORT");
    if (report && *report)
        return true;
    for (int i = 0; i < cu.kernels.n; i++)
        if (cu.kernels.v[i].counts[CU_FALLBACK].launches)
            return true;
    return false;
}

static void row(const struct cu_kernel *k, int place) {
    const struct cu_counts *c = &k->counts[place];
    char *plain = demangle(k->name);
    if (c->launches)
        fprintf(stderr,
                "  %-36.36s %-20.20s %8" PRIu64 " %14" PRIu64 " %14" PRIu64
                "\n",
                plain ? plain : k->name,
                place == CU_FALLBACK ? "exec (fallback)" : cu.url, c->launches,
                c->cycles, c->instructions);
    free(plain);
}

void cu_report(void) {
    if (!wanted())
        return;
    fflush(stdout);
    fprintf(stderr, "  %-36s %-20s %8s %14s %14s\n", "kernel", "ran on",
            "launches", "cycles", "instructions");
    for (int i = 0; i < cu.kernels.n; i++)
        for (int place = 0; place < CU_PLACES; place++)
            row(&cu.kernels.v[i], place);
}
