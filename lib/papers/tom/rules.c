/* rules.c - what may stand in a candidate and what counts as a load
 * or a store (TOM, section 3.1.4; docs/candidates.md).
 *
 * The request carries registers and an active mask.  So a block may use what
 * the memory stack's core can know besides: global memory, parameters and
 * constants of the launch, its lanes' numbers.  It may not touch what only the
 * warp's own core has, nor order itself against other threads.
 */
#include "parts.h"

#include <stdlib.h>

struct ptx_candidate_options ptx_candidate_defaults(void) {
    return (struct ptx_candidate_options){
        .miss = {1, 2}, .coal_ld = {1, 1}, .coal_st = {1, 1}};
}

struct ptx_candidate_options ptx_candidate_of_machine(void) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    o.count = PTX_COUNT_NAMES;
    return o;
}

/* --------------------------------------------------------------- refusals */

/* Special registers that are the same for the launch, or for the lane. */
static bool special_travels(enum ptx_special s) {
    switch (s) {
    case PTX_SREG_NTID:
    case PTX_SREG_NCTAID:
    case PTX_SREG_GRIDID:
    case PTX_SREG_NCLUSTERID:
    case PTX_SREG_CLUSTER_NCTAID:
    case PTX_SREG_CLUSTER_NCTARANK:
    case PTX_SREG_IS_EXPLICIT_CLUSTER:
    case PTX_SREG_LANEID:
    case PTX_SREG_LANEMASK_EQ:
    case PTX_SREG_LANEMASK_LE:
    case PTX_SREG_LANEMASK_LT:
    case PTX_SREG_LANEMASK_GE:
    case PTX_SREG_LANEMASK_GT:
    case PTX_SREG_ENVREG:
        return true;
    default:
        return false;
    }
}

static const char *refuse_operand(const struct ptx_operand *o) {
    if (o->kind == PTX_OPND_SPECIAL && !special_travels(o->special))
        return "reads a special register that the request does not carry";
    for (int i = 0; i < o->n_items; i++) {
        const char *why = refuse_operand(o->items[i]);
        if (why)
            return why;
    }
    return NULL;
}

static const char *refuse_memory(const struct ptx_form *f) {
    enum ptx_modifier order = ptx_modifier_of(f, PTX_GROUP_ORDER);
    if (order && order != PTX_MOD_WEAK)
        return "ordered memory access";
    if (f->op != PTX_OP_LD && f->op != PTX_OP_LDU && f->op != PTX_OP_ST)
        return "memory instruction that is no plain load or store";
    switch (f->space) {
    case PTX_SPACE_GLOBAL:
    case PTX_SPACE_CONST:
        return NULL;
    case PTX_SPACE_PARAM: /* written only to call */
        return f->op == PTX_OP_ST ? "call" : NULL;
    case PTX_SPACE_LOCAL:
        return "local memory access";
    default:
        return "generic address, perhaps of shared memory";
    }
}

static const char *refuse_opcode(const struct ptx_form *f) {
    switch (f->op) {
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
        return "leaves the function";
    case PTX_OP_BRKPT:
        return "breakpoint";
    case PTX_OP_ALLOCA:
    case PTX_OP_STACKSAVE:
    case PTX_OP_STACKRESTORE:
        return "local memory access";
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
        return "shared memory access";
    default:
        return NULL;
    }
}

static const char *refuse_class(const struct ptx_form *f) {
    switch (f->opc) {
    case OPC_ld_shared:
    case OPC_st_shared:
        return "shared memory access";
    case OPC_barrier:
        return "barrier";
    case OPC_fence:
        return "memory fence";
    case OPC_atomic:
        return "atomic";
    case OPC_call:
        return "call";
    case OPC_texture:
        return "texture or surface access";
    case OPC_remote:
        return "access to another core's memory";
    case OPC_ld_global:
    case OPC_st_global:
    case OPC_ld_const:
    case OPC_st_param:
        return refuse_memory(f);
    default:
        return NULL;
    }
}

const char *ptx_never_offloaded(const struct ptx_instruction *in) {
    if (in->unsupported || !in->form->op)
        return "instruction that is not known";
    const char *why = refuse_opcode(in->form);
    if (!why)
        why = refuse_class(in->form);
    for (int i = 0; !why && i < in->n_operands; i++)
        why = refuse_operand(in->operands[i]);
    return why;
}

/* ----------------------------------------------------------------- counts */

static int access_words(const struct ptx_form *f) {
    int bits = f->n_types ? ptx_type_bits(f->types[f->n_types - 1]) : 32;
    int words = (bits * f->vector + 31) / 32;
    return words > 0 ? words : 1;
}

int ptx_load_words(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    bool load = f->op == PTX_OP_LD || f->op == PTX_OP_LDU;
    return load && f->space == PTX_SPACE_GLOBAL ? access_words(f) : 0;
}

int ptx_store_words(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    return f->op == PTX_OP_ST && f->space == PTX_SPACE_GLOBAL ? access_words(f)
                                                              : 0;
}

/* ---------------------------------------------------------------- weights */

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* v / gcd(v, w); w = 0 has all divisors. */
static int64_t without(int64_t v, int64_t w) {
    int64_t by = gcd(v, w);
    return by > 1 ? v / by : v;
}

static int64_t lcm(int64_t a, int64_t b) {
    return without(a, b) * b;
}

struct ptx_weights
ptx_candidate_weights(const struct ptx_candidate_options *o) {
    int64_t load_num = (int64_t)o->coal_ld.num * o->miss.num;
    int64_t load_den = (int64_t)o->coal_ld.den * o->miss.den;
    int64_t ack_den = 4 * (int64_t)o->coal_st.den;
    int64_t scale = lcm(lcm(4, without(load_den, load_num)),
                        without(ack_den, o->coal_st.num));
    int64_t load = scale * load_num / load_den;
    int64_t ack = scale * o->coal_st.num / ack_den;
    return (struct ptx_weights){.scale = scale,
                                .reg = PTX_WARP_SIZE * scale,
                                .load_tx = load,
                                .load_rx = PTX_LINE_WORDS * load,
                                .store_tx = PTX_WARP_SIZE * scale + 4 * ack,
                                .store_rx = ack};
}
