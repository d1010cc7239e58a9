/* copy.c - asynchronous copies between global and shared memory.
 *
 * MPU has no such instruction.  One is a load and a store of shared memory in
 * one, or the other way round; so its operands go where those of the two would
 * (docs/annotation.md).
 */
#include "locate.h"

struct ptx_copy ptx_copy_of(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    struct ptx_copy c = {PTX_COPY_NONE, -1, -1};
    enum ptx_modifier to = PTX_MOD_NONE, from = PTX_MOD_NONE;
    if (f->op != PTX_OP_CP_ASYNC || ptx_has(f, PTX_MOD_PREFETCH))
        return c;
    for (int i = 0; i < f->n_modifiers; i++)
        if (f->modifiers[i] == PTX_MOD_GLOBAL ||
            f->modifiers[i] == PTX_MOD_SHARED ||
            f->modifiers[i] == PTX_MOD_SHARED_CTA ||
            f->modifiers[i] == PTX_MOD_SHARED_CLUSTER) {
            if (!to)
                to = f->modifiers[i];
            else if (!from)
                from = f->modifiers[i];
        }
    if ((to == PTX_MOD_GLOBAL) == (from == PTX_MOD_GLOBAL))
        return c; /* a commit, a wait, or to another core's shared memory */
    if (in->n_operands < 2 || in->operands[0]->kind != PTX_OPND_ADDRESS ||
        in->operands[1]->kind != PTX_OPND_ADDRESS)
        return c;
    c.to = to == PTX_MOD_GLOBAL ? PTX_COPY_TO_GLOBAL : PTX_COPY_TO_SHARED;
    c.global = c.to == PTX_COPY_TO_SHARED;
    for (int i = 2; i < in->n_operands; i++)
        if (in->operands[i]->kind == PTX_OPND_ADDRESS)
            c.barrier = i;
    return c;
}
