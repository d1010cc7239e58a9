/* order.c - moving instructions within a block so that a chain's are
 * contiguous (section 4.2, Figure 6), and what may not pass what.
 *
 * Of the instructions between a chain's first and last, those that the chain
 * depends on must stay before it (address arithmetic is hoisted that way),
 * those that depend on it must stay behind it.  One that is both forbids the
 * chain; one that is neither goes behind it, the order of the text being kept
 * among those on one side.  A chain that was placed earlier moves as one.
 *
 * Two instructions depend on each other if one writes a register that the other
 * reads or writes (the condition code counts as one), or if both access memory
 * and one does not merely read.  Accesses are apart only if their state spaces
 * differ and neither is generic; if one reads memory that nobody writes during
 * the kernel (ld.const, ld.global.nc); or if they have the same base, a
 * register with the same value or the same variable, and their byte ranges do
 * not overlap.  Nothing accesses memory across a barrier, fence, atomic, call,
 * vote, exchange between lanes or anything volatile, and nothing at all passes
 * an instruction that is not known or reads a clock.
 */
#include "state.h"

#include <string.h>

enum memory_kind {
    MEMORY_NONE,
    MEMORY_CONSTANT,
    MEMORY_LOAD,
    MEMORY_STORE,
    MEMORY_FENCE, /* passes no other but CONSTANT */
    MEMORY_PINNED /* passes nothing */
};

const struct ptx_operand *chain_address(const struct ptx_instruction *in) {
    for (int i = 0; i < in->n_operands; i++)
        if (in->operands[i]->kind == PTX_OPND_ADDRESS)
            return in->operands[i]->n_items ? in->operands[i] : NULL;
    return NULL;
}

void chain_condition_code(const struct ptx_instruction *in, bool *def,
                          bool *use) {
    enum ptx_opcode op = in->form->op;
    *def = ptx_has(in->form, PTX_MOD_CC);
    *use = op == PTX_OP_ADDC || op == PTX_OP_SUBC || op == PTX_OP_MADC;
}

/* ------------------------------------------------------------------ memory */

static bool is_volatile(const struct ptx_form *f) {
    return ptx_modifier_of(f, PTX_GROUP_ORDER) != PTX_MOD_NONE &&
           !ptx_has(f, PTX_MOD_WEAK);
}

static bool reads_clock(const struct ptx_instruction *in) {
    for (int i = 0; i < in->n_operands; i++)
        switch (in->operands[i]->special) {
        case PTX_SREG_CLOCK:
        case PTX_SREG_CLOCK_HI:
        case PTX_SREG_CLOCK64:
        case PTX_SREG_PM:
        case PTX_SREG_PM_64:
        case PTX_SREG_GLOBALTIMER:
        case PTX_SREG_GLOBALTIMER_LO:
        case PTX_SREG_GLOBALTIMER_HI:
            return true;
        default:
            break;
        }
    return false;
}

static enum memory_kind load_kind(const struct ptx_form *f) {
    switch (f->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        if (is_volatile(f))
            return MEMORY_FENCE;
        return f->space == PTX_SPACE_CONST || ptx_has(f, PTX_MOD_NC)
                   ? MEMORY_CONSTANT
                   : MEMORY_LOAD;
    case PTX_OP_LDMATRIX:
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
        return MEMORY_LOAD;
    default:
        return MEMORY_FENCE;
    }
}

static enum memory_kind kind_of(const struct ptx_instruction *in) {
    const struct ptx_form *f = in->form;
    if (in->unsupported || f->unknown || f->op == PTX_OP_PMEVENT ||
        f->op == PTX_OP_NANOSLEEP || reads_clock(in))
        return MEMORY_PINNED;
    switch (f->opc) {
    case OPC_int:
    case OPC_fp:
    case OPC_sfu:
    case OPC_cvt:
    case OPC_mov:
    case OPC_setp:
        return MEMORY_NONE;
    case OPC_ld_global:
    case OPC_ld_shared:
    case OPC_ld_const:
        return load_kind(f);
    case OPC_st_global:
    case OPC_st_shared:
    case OPC_st_param:
        return f->op == PTX_OP_ST && !is_volatile(f) ? MEMORY_STORE
                                                     : MEMORY_FENCE;
    case OPC_texture: /* not coherent with stores of the same kernel */
        return f->op == PTX_OP_TEX || f->op == PTX_OP_TLD4 ||
                       f->op == PTX_OP_TXQ
                   ? MEMORY_CONSTANT
                   : MEMORY_FENCE;
    case OPC_branch:
        return MEMORY_PINNED;
    default:
        return MEMORY_FENCE;
    }
}

/* Bytes from the address on. */
static int64_t bytes_of(const struct ptx_form *f) {
    return f->n_types ? (int64_t)f->vector * ptx_type_bits(f->types[0]) / 8 : 0;
}

/* Whether both addresses count from the same point; then *distance is how far
 * other's lies behind pc's. */
static bool same_base(const struct chain_finder *x, int pc, int other,
                      int64_t *distance) {
    const struct ptx_operand *a = chain_address(&x->f->instructions[pc]);
    const struct ptx_operand *b = chain_address(&x->f->instructions[other]);
    if (!a || !b || a->n_items != 1 || b->n_items != 1)
        return false;
    a = a->items[0];
    b = b->items[0];
    *distance = (int64_t)((uint64_t)b->offset - (uint64_t)a->offset);
    if (a->kind == PTX_OPND_VARIABLE && b->kind == PTX_OPND_VARIABLE)
        return a->variable == b->variable;
    return a->kind == PTX_OPND_REGISTER && b->kind == PTX_OPND_REGISTER &&
           a->reg == b->reg && !a->suffix && !b->suffix && !a->negated &&
           !b->negated &&
           chain_source(x, pc, a->reg->index) ==
               chain_source(x, other, b->reg->index);
}

bool chain_same_address(const struct chain_finder *x, int pc, int other) {
    int64_t distance;
    return same_base(x, pc, other, &distance) && distance == 0;
}

static bool may_overlap(const struct chain_finder *x, int pc, int other) {
    const struct ptx_form *a = x->f->instructions[pc].form;
    const struct ptx_form *b = x->f->instructions[other].form;
    int64_t distance, na = bytes_of(a), nb = bytes_of(b);
    if (a->space && b->space && a->space != b->space)
        return false;
    if (!same_base(x, pc, other, &distance) || na <= 0 || nb <= 0)
        return true;
    return distance < na && distance > -nb;
}

static bool memory_conflict(const struct chain_finder *x, int pc, int other) {
    enum memory_kind a = kind_of(&x->f->instructions[pc]);
    enum memory_kind b = kind_of(&x->f->instructions[other]);
    enum memory_kind strict = a > b ? a : b, loose = a > b ? b : a;
    if (loose <= MEMORY_CONSTANT)
        return false;
    if (strict >= MEMORY_FENCE)
        return true;
    return strict == MEMORY_STORE && may_overlap(x, pc, other);
}

/* --------------------------------------------------- a set of instructions */

static void clear_set(struct chain_finder *x) {
    x->stamp++;
    x->n_memory = 0;
}

static void add_to_set(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    bool def, use;
    int code = x->f->n_registers;
    for (int i = 0; i < in->n_defs; i++)
        x->written[in->defs[i]] = x->stamp;
    for (int i = 0; i < in->n_uses; i++)
        x->read[in->uses[i]] = x->stamp;
    chain_condition_code(in, &def, &use);
    if (def)
        x->written[code] = x->stamp;
    if (use)
        x->read[code] = x->stamp;
    if (kind_of(in) != MEMORY_NONE)
        x->memory[x->n_memory++] = pc;
}

/* FREE, or why pc may not pass the set. */
static enum ptx_chain_reason set_conflict(const struct chain_finder *x,
                                          int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    bool def, use;
    int code = x->f->n_registers, s = x->stamp;
    for (int i = 0; i < in->n_defs; i++)
        if (x->written[in->defs[i]] == s || x->read[in->defs[i]] == s)
            return PTX_CHAIN_REGISTERS;
    for (int i = 0; i < in->n_uses; i++)
        if (x->written[in->uses[i]] == s)
            return PTX_CHAIN_REGISTERS;
    chain_condition_code(in, &def, &use);
    if ((x->written[code] == s && (def || use)) || (x->read[code] == s && def))
        return PTX_CHAIN_REGISTERS;
    if (kind_of(in) == MEMORY_PINNED)
        return PTX_CHAIN_MEMORY; /* so no range with one in it is moved */
    for (int i = 0; i < x->n_memory; i++)
        if (memory_conflict(x, pc, x->memory[i]))
            return PTX_CHAIN_MEMORY;
    return PTX_CHAIN_FREE;
}

/* ---------------------------------------------------------------- the range */

enum { SIDE_FREE, SIDE_MEMBER, SIDE_BEFORE, SIDE_BEHIND, LONGEST_RANGE = 256 };

/* Places [from, to] hold the chain; groups are single instructions or chains
 * that were placed, and never cut. */
struct range {
    struct chain_finder *x;
    const struct ptx_chain *chain;
    int from, to;
};

static bool is_member(const struct ptx_chain *c, int pc) {
    for (int i = 0; i < c->n; i++)
        if (c->pcs[i] == pc)
            return true;
    return false;
}

/* End of the group that starts at a place, exclusive. */
static int group_end(const struct chain_finder *x, int place) {
    int chain = x->chain_of[x->order[place]], end = place + 1;
    if (chain >= 0)
        end = place + x->accepted.v[chain].n;
    return end;
}

static int group_start(const struct chain_finder *x, int end) {
    int chain = x->chain_of[x->order[end - 1]];
    return chain >= 0 ? end - x->accepted.v[chain].n : end - 1;
}

/* One group against the set: it joins if it is of the chain, or conflicts. */
static void visit_group(struct range *r, int from, int to, int side,
                        enum ptx_chain_reason *why) {
    struct chain_finder *x = r->x;
    bool member = is_member(r->chain, x->order[from]);
    enum ptx_chain_reason found = PTX_CHAIN_FREE;
    for (int at = from; at < to && !member && !found; at++)
        found = set_conflict(x, x->order[at]);
    if (!member && !found)
        return;
    for (int at = from; at < to; at++) {
        add_to_set(x, x->order[at]);
        if (member)
            x->side[at] = SIDE_MEMBER;
        else if (x->side[at] != SIDE_FREE)
            *why = *why ? *why : found;
        else
            x->side[at] = (uint8_t)side;
    }
}

/* Who must stay behind, then who must stay before; why one must do both. */
static enum ptx_chain_reason take_sides(struct range *r) {
    struct chain_finder *x = r->x;
    enum ptx_chain_reason why = PTX_CHAIN_FREE;
    memset(x->side + r->from, SIDE_FREE, (size_t)r->to - (size_t)r->from + 1);
    clear_set(x);
    for (int at = r->from, end; at <= r->to; at = end) {
        end = group_end(x, at);
        visit_group(r, at, end, SIDE_BEHIND, &why);
    }
    clear_set(x);
    for (int end = r->to + 1, at; end > r->from; end = at) {
        at = group_start(x, end);
        visit_group(r, at, end, SIDE_BEFORE, &why);
    }
    return why;
}

/* The order that the chain's own instructions are to run in. */
static enum ptx_chain_reason check_members(struct chain_finder *x,
                                           const struct ptx_chain *c) {
    for (int i = 0; i < c->n; i++)
        for (int k = i + 1; k < c->n; k++) {
            if (c->pcs[i] < c->pcs[k])
                continue;
            clear_set(x);
            add_to_set(x, c->pcs[i]);
            enum ptx_chain_reason why = set_conflict(x, c->pcs[k]);
            if (why)
                return why;
        }
    return PTX_CHAIN_FREE;
}

static void collect(struct range *r, int side, int *n) {
    for (int at = r->from; at <= r->to; at++)
        if (r->x->side[at] == side)
            r->x->scratch[(*n)++] = r->x->order[at];
}

static void rearrange(struct range *r) {
    struct chain_finder *x = r->x;
    int n = 0;
    collect(r, SIDE_BEFORE, &n);
    for (int i = 0; i < r->chain->n; i++)
        x->scratch[n++] = r->chain->pcs[i];
    /* free and behind in the order they had */
    for (int at = r->from; at <= r->to; at++)
        if (x->side[at] == SIDE_FREE || x->side[at] == SIDE_BEHIND)
            x->scratch[n++] = x->order[at];
    for (int i = 0; i < n; i++) {
        x->order[r->from + i] = x->scratch[i];
        x->place[x->scratch[i]] = r->from + i;
    }
}

enum ptx_chain_reason chain_place(struct chain_finder *x,
                                  const struct ptx_chain *c) {
    struct range r = {x, c, x->place[c->pcs[0]], x->place[c->pcs[0]]};
    for (int i = 1; i < c->n; i++) {
        int at = x->place[c->pcs[i]];
        r.from = at < r.from ? at : r.from;
        r.to = at > r.to ? at : r.to;
    }
    for (int at = r.from + 1; at <= r.to && x->walls; at++)
        if (x->walls[at])
            return PTX_CHAIN_SCOPE;
    if (r.to - r.from > LONGEST_RANGE)
        return PTX_CHAIN_FAR;
    enum ptx_chain_reason why = check_members(x, c);
    if (!why)
        why = take_sides(&r);
    if (!why)
        rearrange(&r);
    return why;
}
