/* value.c - values within a basic block: who reads them, and which
 * registers hold one value for the whole CTA.
 *
 * The reuse rule (section 4.2) asks whether a loaded value is read more than
 * once in the thread.  Within a block one walk over the instructions tells;
 * what is read after it, in any order of blocks and rounds of loops, liveness
 * tells.
 */
#include "state.h"

enum { CONSTANT_DEPTH = 64 };

static void note_use(struct chain_finder *x, int def, int pc) {
    if (x->use[def] == CHAIN_USE_NONE)
        x->use[def] = pc;
    else if (x->use[def] != pc)
        x->use[def] = CHAIN_USE_MANY;
}

/* The value in reg ends here.  If this write has a guard, the value lives on in
 * some lanes, unless it was itself written under that guard: what those lanes
 * hold is an older value then. */
static void note_def(struct chain_finder *x, int reg, int pc, int *n_touched) {
    int old = x->last_def[reg];
    if (old < 0)
        x->touched[(*n_touched)++] = reg;
    else if (x->f->instructions[pc].guard && !chain_same_guard(x, pc, old))
        x->use[old] = CHAIN_USE_MANY;
    x->last_def[reg] = pc;
}

static void leave_block(struct chain_finder *x, int b, int n_touched) {
    for (int i = 0; i < n_touched; i++) {
        int reg = x->touched[i], def = x->last_def[reg];
        x->last_def[reg] = -1;
        if (!ptx_live_out(&x->a->live, &x->a->cfg, reg, b))
            continue;
        x->use[def] =
            x->use[def] == CHAIN_USE_NONE ? CHAIN_USE_OUTSIDE : CHAIN_USE_MANY;
    }
}

void chain_values(struct chain_finder *x, int b) {
    const struct ptx_block *block = &x->a->cfg.blocks[b];
    int n_touched = 0;
    x->sources.n = 0;
    for (int pc = block->begin; pc < block->end; pc++) {
        const struct ptx_instruction *in = &x->f->instructions[pc];
        x->use[pc] = CHAIN_USE_NONE;
        x->source_at[pc] = x->sources.n;
        for (int i = 0; i < in->n_uses; i++) {
            int def = x->last_def[in->uses[i]];
            if (def >= 0)
                note_use(x, def, pc);
            *array_push(&x->sources) = def;
        }
        for (int i = 0; i < in->n_defs; i++)
            note_def(x, in->defs[i], pc, &n_touched);
    }
    leave_block(x, b, n_touched);
}

int chain_source(const struct chain_finder *x, int pc, int reg) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    for (int i = 0; i < in->n_uses; i++)
        if (in->uses[i] == reg)
            return x->sources.v[x->source_at[pc] + i];
    return -1;
}

/* ------------------------------------------------------ constants of a CTA */

static bool constant_special(enum ptx_special s) {
    return s == PTX_SREG_NTID || s == PTX_SREG_CTAID || s == PTX_SREG_NCTAID ||
           s == PTX_SREG_GRIDID;
}

static bool constant_register(struct chain_finder *x, int reg, int depth);

static bool constant_operand(struct chain_finder *x,
                             const struct ptx_operand *o, int depth) {
    switch (o->kind) {
    case PTX_OPND_VALUE:
        return true;
    case PTX_OPND_SPECIAL:
        return constant_special(o->special);
    case PTX_OPND_REGISTER:
        return constant_register(x, o->reg->index, depth);
    case PTX_OPND_VARIABLE:
        return o->variable->space != PTX_SPACE_LOCAL;
    default:
        return false;
    }
}

/* Parameters of a kernel and constant memory, at an address that is itself
 * constant.  Parameters of a device function differ from thread to thread. */
static bool constant_load(struct chain_finder *x,
                          const struct ptx_instruction *in, int depth) {
    bool readable = in->form->space == PTX_SPACE_CONST ||
                    (in->form->space == PTX_SPACE_PARAM && x->f->is_entry);
    const struct ptx_operand *at = chain_address(in);
    if (!readable || !at || at->n_items != 1)
        return false;
    const struct ptx_operand *base = at->items[0];
    if (base->kind == PTX_OPND_VARIABLE &&
        base->variable->space == PTX_SPACE_PARAM) {
        for (int i = 0; i < x->f->n_variables; i++)
            if (base->variable == x->f->variables[i])
                return false; /* .param of a call */
        return true;
    }
    return constant_operand(x, base, depth);
}

/* Instructions whose result is a function of the operands alone. */
static bool pure(const struct ptx_instruction *in) {
    switch (in->form->opc) {
    case OPC_int:
    case OPC_fp:
    case OPC_sfu:
    case OPC_cvt:
    case OPC_mov:
    case OPC_setp:
        break;
    default:
        return false;
    }
    enum ptx_opcode op = in->form->op;
    bool def, use;
    chain_condition_code(in, &def, &use);
    return !use && in->n_dst == 1 && op != PTX_OP_ALLOCA &&
           op != PTX_OP_STACKSAVE && op != PTX_OP_CREATEPOLICY;
}

static bool constant_definition(struct chain_finder *x,
                                const struct ptx_instruction *in, int depth) {
    if (in->guard || in->unsupported || in->form->unknown || in->n_defs != 1)
        return false;
    if (in->form->op == PTX_OP_LD || in->form->op == PTX_OP_LDU)
        return constant_load(x, in, depth);
    if (!pure(in))
        return false;
    for (int i = in->n_dst; i < in->n_operands; i++)
        if (!constant_operand(x, in->operands[i], depth))
            return false;
    return true;
}

static bool constant_register(struct chain_finder *x, int reg, int depth) {
    const struct ptx_defs *d = &x->a->defs;
    if (x->constant[reg])
        return x->constant[reg] > 0;
    x->constant[reg] = -1; /* also ends a walk in a circle */
    if (depth < CONSTANT_DEPTH && d->at[reg + 1] - d->at[reg] == 1 &&
        constant_definition(x, &x->f->instructions[d->pcs[d->at[reg]]],
                            depth + 1))
        x->constant[reg] = 1;
    return x->constant[reg] > 0;
}

bool chain_constant(struct chain_finder *x, int reg) {
    return constant_register(x, reg, 0);
}
