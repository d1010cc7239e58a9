/* lacking.c - what this machine does not have, in the words of who wrote the
 * kernel: an opcode says little to somebody who wrote mma_sync or grid.sync.
 */
#include "machine.h"

#include <string.h>

const char *exec_lacks(const struct ptx_form *f) {
    static const struct {
        const char *begins, *why; /* longer ones first */
    } families[] = {
        {"wmma.", "matrix units are not modelled"},
        {"wgmma.", "matrix units are not modelled"},
        {"tcgen05.", "matrix units and their memory are not modelled"},
        {"mma", "matrix units are not modelled"},
        {"movmatrix", "matrix units are not modelled"},
        {"ldmatrix", "the layouts of matrix units are not modelled"},
        {"stmatrix", "the layouts of matrix units are not modelled"},
        {"cp.async.mbarrier", "mbarrier objects are not modelled"},
        {"mbarrier.", "mbarrier objects are not modelled"},
        {"cp.async", "asynchronous copies are not modelled"},
        {"cp.reduce.async", "asynchronous copies are not modelled"},
        {"st.async", "clusters of blocks are not modelled"},
        {"red.async", "clusters of blocks are not modelled"},
        {"barrier.cluster", "clusters of blocks are not modelled"},
        {"mapa", "clusters of blocks are not modelled"},
        {"getctarank", "clusters of blocks are not modelled"},
        {"clusterlaunchcontrol.", "clusters of blocks are not modelled"},
        {"tex.", "textures are not modelled, read the array from a buffer"},
        {"tld4.", "textures are not modelled, read the array from a buffer"},
        {"txq.", "textures are not modelled, read the array from a buffer"},
        {"suld.", "surfaces are not modelled, use a buffer"},
        {"sust.", "surfaces are not modelled, use a buffer"},
        {"sured.", "surfaces are not modelled, use a buffer"},
        {"suq.", "surfaces are not modelled, use a buffer"},
        {"alloca", "stack memory of a size that changes is not modelled"},
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(f->text, families[i].begins,
                    strlen(families[i].begins)) == 0)
            return families[i].why;
    return f->unknown ? "the reader does not know it" : NULL;
}

const char *exec_lacks_function(const char *name) {
    static const char heap[] = "there is no device heap, give the kernel a "
                               "buffer",
                      grid[] = "grid.sync() is not modelled, split the kernel "
                               "there",
                      launch[] = "a kernel cannot launch another here";
    if (strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0)
        return heap;
    if (strncmp(name, "cudaCG", 6) == 0)
        return grid;
    if (strncmp(name, "cudaLaunchDevice", 16) == 0 ||
        strncmp(name, "cudaGetParameterBuffer", 22) == 0)
        return launch;
    return NULL;
}

static bool reads_workspace(const struct ptx_operand *o) {
    bool any = o->kind == PTX_OPND_SPECIAL && o->special == PTX_SREG_ENVREG &&
               (o->number == 1 || o->number == 2);
    for (int i = 0; i < o->n_items && !any; i++)
        any = reads_workspace(o->items[i]);
    return any;
}

/* %envreg1 and %envreg2 are the address of the workspace that a cooperative
 * launch has. */
const struct ptx_instruction *exec_asks_for_grid(const struct ptx_function *f) {
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_operands; i++)
            if (reads_workspace(f->instructions[pc].operands[i]))
                return &f->instructions[pc];
    return NULL;
}
