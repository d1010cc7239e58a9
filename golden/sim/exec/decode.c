/* decode.c - a function's instructions as an array of ops, once for a kernel.
 *
 * Each opcode has a pattern that says what its operands are, in order:
 *   t u     of the first, second type of the instruction
 *   w       twice as wide as t
 *   i       32 bits;  a  an address
 *   p       predicate;  P  predicate with an optional second one, p|q
 *   b       lanes of a member mask: src[3]
 *   n       an immediate: op->imm
 * The first one is the destination.  Trailing ones may be missing.  Opcodes
 * without a pattern are taken apart by code of their own.
 */
#include "decode.h"

#include "flow/cfg.h"
#include "flow/dom.h"

struct pattern {
    enum ptx_opcode op;
    const char *text;
};

static const struct pattern patterns[] = {
    {PTX_OP_ABS, "tt"},      {PTX_OP_ADD, "ttt"},   {PTX_OP_ADDC, "ttt"},
    {PTX_OP_SUB, "ttt"},     {PTX_OP_SUBC, "ttt"},  {PTX_OP_MUL, "ttt"},
    {PTX_OP_MUL24, "ttt"},   {PTX_OP_MAD, "tttt"},  {PTX_OP_MAD24, "tttt"},
    {PTX_OP_MADC, "tttt"},   {PTX_OP_FMA, "tttt"},  {PTX_OP_SAD, "tttt"},
    {PTX_OP_DIV, "ttt"},     {PTX_OP_REM, "ttt"},   {PTX_OP_NEG, "tt"},
    {PTX_OP_MIN, "tttt"},    {PTX_OP_MAX, "tttt"},  {PTX_OP_COPYSIGN, "ttt"},
    {PTX_OP_RCP, "tt"},      {PTX_OP_SQRT, "tt"},   {PTX_OP_RSQRT, "tt"},
    {PTX_OP_SIN, "tt"},      {PTX_OP_COS, "tt"},    {PTX_OP_LG2, "tt"},
    {PTX_OP_EX2, "tt"},      {PTX_OP_TANH, "tt"},   {PTX_OP_TESTP, "pt"},
    {PTX_OP_AND, "ttt"},     {PTX_OP_OR, "ttt"},    {PTX_OP_XOR, "ttt"},
    {PTX_OP_NOT, "tt"},      {PTX_OP_CNOT, "tt"},   {PTX_OP_LOP3, "ttttn"},
    {PTX_OP_SHL, "tti"},     {PTX_OP_SHR, "tti"},   {PTX_OP_SHF, "ttti"},
    {PTX_OP_POPC, "it"},     {PTX_OP_CLZ, "it"},    {PTX_OP_BFIND, "it"},
    {PTX_OP_FNS, "tttt"},    {PTX_OP_BREV, "tt"},   {PTX_OP_BFE, "ttii"},
    {PTX_OP_BFI, "tttii"},   {PTX_OP_BMSK, "tii"},  {PTX_OP_SZEXT, "tti"},
    {PTX_OP_PRMT, "ttti"},   {PTX_OP_DP4A, "iiii"}, {PTX_OP_DP2A, "iiii"},
    {PTX_OP_SET, "tuup"},    {PTX_OP_SETP, "Pttp"}, {PTX_OP_SELP, "tttp"},
    {PTX_OP_SLCT, "tttu"},   {PTX_OP_CVT, "tu"},    {PTX_OP_CVTA, "tt"},
    {PTX_OP_ISSPACEP, "pa"}, {PTX_OP_MATCH, "Ptb"}, {PTX_OP_REDUX, "ttb"},
    {PTX_OP_SHFL, "Qtiib"},  {PTX_OP_VOTE, "vpb"},  {PTX_OP_ACTIVEMASK, "i"},
};

static select_fn *const selects[] = {
    select_int,  select_carry,   select_bits, select_float, select_special,
    select_half, select_compare, select_cvt,  select_move,  select_warp};

static const char *pattern_of(const struct ptx_form *f) {
    bool wide = ptx_has(f, PTX_MOD_WIDE);
    if (f->op == PTX_OP_MUL && wide)
        return "wtt";
    if (f->op == PTX_OP_MAD && wide)
        return "wttw";
    if (f->op == PTX_OP_SELP && f->n_types && f->types[0] == PTX_PRED)
        return NULL;
    if (f->op == PTX_OP_CVT && f->n_types == 2 &&
        (ptx_type_bits(f->types[0]) == 32 && f->types[0] != PTX_F32 &&
         ptx_type_kind(f->types[0]) == 'f' && f->types[1] == PTX_F32))
        return "tuu"; /* cvt.rn.f16x2.f32 d, a, b; tf32 has one source */
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (patterns[i].op == f->op)
            return patterns[i].text;
    return NULL;
}

static enum ptx_type widened(enum ptx_type t) {
    switch (t) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_S32:
        return PTX_S64;
    default:
        return PTX_U64;
    }
}

static enum ptx_type letter_type(const struct ptx_form *f, char c) {
    enum ptx_type t = f->n_types > 0 ? f->types[0] : PTX_B32;
    switch (c) {
    case 'u':
        return f->n_types > 1 ? f->types[1] : t;
    case 'w':
        return widened(t);
    case 'i':
    case 'b':
        return PTX_B32;
    case 'a':
        return PTX_B64;
    default:
        return t;
    }
}

/* The destination, by the first letter of the pattern. */
static void decode_destination(struct decoder *d, char c) {
    const struct ptx_operand *o = d->in->operands[0];
    const struct ptx_form *f = d->in->form;
    enum ptx_type t = letter_type(f, c);
    bool ballot = f->op == PTX_OP_VOTE && ptx_has(f, PTX_MOD_BALLOT);
    bool match_any = f->op == PTX_OP_MATCH;
    if (c == 'p' || c == 'P' || (c == 'v' && !ballot))
        t = PTX_PRED;
    if (ballot || match_any)
        t = PTX_B32;
    d->op->dst = decode_result(d, o, t, is_wide(t));
    if (o->second) {
        d->bad |= o->second->type != PTX_PRED || (c != 'P' && c != 'Q');
        decode_more(d)->dst2 = d->func->reg_slot[o->second->index];
        d->op->more = d->more; /* those who select handlers look for it */
    }
}

static void decode_pattern(struct decoder *d, const char *text) {
    const struct ptx_instruction *in = d->in;
    int n = in->n_operands, source = 0;
    decode_destination(d, text[0]);
    for (int i = 1; text[i] && i < n; i++) {
        const struct ptx_operand *o = in->operands[i];
        enum ptx_type t = letter_type(in->form, text[i]);
        if (text[i] == 'n') {
            d->bad |= o->kind != PTX_OPND_VALUE;
            d->op->imm = (int64_t)o->value.bits;
            continue;
        }
        int k = text[i] == 'b' ? 3 : source++;
        if (k >= OP_SOURCES)
            d->bad = true;
        else if (text[i] == 'p' || t == PTX_PRED)
            d->op->src[k] = decode_predicate(d, o, k);
        else
            d->op->src[k] = decode_source(d, o, t, is_wide(t));
    }
    d->bad |= n > (int)strlen(text);
    if (in->form->op == PTX_OP_BFI || in->form->op == PTX_OP_LOP3)
        d->bad |= n < (int)strlen(text);
    if (ptx_has(in->form, PTX_MOD_SYNC))
        d->op->flags |= OP_SYNC;
}

static exec_fn *select_handler(struct decoder *d) {
    for (size_t i = 0; i < sizeof selects / sizeof *selects; i++) {
        exec_fn *fn = selects[i](d->in->form, d->op);
        if (fn)
            return fn;
    }
    return NULL;
}

/* ------------------------------------------------------- control and such */

static int join_of(const struct ptx_cfg *cfg, const struct ptx_dom *pdom,
                   int pc) {
    int b = pdom->idom[cfg->block_of[pc]];
    return b < 0 ? -1 : cfg->blocks[b].begin;
}

static void decode_branch(struct decoder *d) {
    const struct ptx_operand *o = d->in->operands[0];
    d->op->flags |= OP_CONTROL;
    d->op->fn = exec_bra;
    d->op->target = o->pc;
    d->bad |= o->kind != PTX_OPND_LABEL || o->table;
}

static void decode_brx(struct decoder *d) {
    const struct ptx_operand *o = d->in->operands[1];
    d->op->flags |= OP_CONTROL;
    d->op->fn = exec_brx;
    d->op->src[0] = decode_source(d, d->in->operands[0], PTX_U32, false);
    if (o->kind != PTX_OPND_LABEL || !o->table) {
        d->bad = true;
        return;
    }
    struct op_more *m = decode_more(d);
    m->n_targets = o->table->n_targets;
    m->targets =
        arena_array(&d->x->arena, (size_t)m->n_targets, sizeof *m->targets);
    for (int i = 0; i < m->n_targets; i++) {
        m->targets[i] = o->table->targets[i]->pc;
        d->bad |= o->table->targets[i]->kind != PTX_OPND_LABEL;
    }
}

/* bar, barrier and their .red: id, count, predicate. */
static void decode_barrier(struct decoder *d, bool red) {
    const struct ptx_instruction *in = d->in;
    const struct ptx_form *f = in->form;
    int at = red ? 1 : 0, n = in->n_operands - at - red;
    d->op->fn = exec_barrier;
    d->op->flags |= OP_CONTROL;
    if (ptx_has(f, PTX_MOD_WARP)) {
        d->op->fn = exec_warp_barrier;
        d->op->flags = (uint8_t)((d->op->flags & ~OP_CONTROL) | OP_SYNC);
        d->op->src[3] = decode_source(d, in->operands[0], PTX_B32, false);
        return;
    }
    d->op->how = ptx_has(f, PTX_MOD_ARRIVE);
    d->op->src[0] = n > 0 ? decode_source(d, in->operands[at], PTX_U32, false)
                          : pool_word(d->x, 0, false);
    if (n > 1)
        d->op->src[1] = decode_source(d, in->operands[at + 1], PTX_U32, false);
    if (!red)
        return;
    d->op->what = (uint8_t)ptx_modifier_of(f, PTX_GROUP_OPERATION);
    bool popc = d->op->what == PTX_MOD_POPC;
    d->op->dst =
        decode_result(d, in->operands[0], popc ? PTX_U32 : PTX_PRED, false);
    d->op->src[2] = decode_predicate(d, in->operands[in->n_operands - 1], 2);
}

/* True: the opcode is done, with or without d->bad. */
static bool decode_control(struct decoder *d) {
    switch (d->in->form->op) {
    case PTX_OP_BRA:
        return decode_branch(d), true;
    case PTX_OP_BRX:
        return decode_brx(d), true;
    case PTX_OP_RET:
        d->op->fn = exec_ret;
        d->op->flags |= OP_CONTROL;
        return true;
    case PTX_OP_EXIT:
        d->op->fn = exec_exit;
        d->op->flags |= OP_CONTROL;
        return true;
    case PTX_OP_TRAP:
        d->op->fn = exec_trap;
        d->op->flags |= OP_CONTROL;
        return true;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
        return decode_barrier(d, ptx_has(d->in->form, PTX_MOD_RED)), true;
    case PTX_OP_BAR_RED:
    case PTX_OP_BAR_CTA_RED:
    case PTX_OP_BARRIER_RED:
    case PTX_OP_BARRIER_CTA_RED:
        return decode_barrier(d, true), true;
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
    case PTX_OP_PMEVENT:
    case PTX_OP_NANOSLEEP:
    case PTX_OP_BRKPT:
    case PTX_OP_DISCARD:
    case PTX_OP_APPLYPRIORITY:
        d->op->fn = exec_nop;
        return true;
    default:
        return false;
    }
}

static void decode_instruction(struct decoder *d) {
    const struct ptx_form *f = d->in->form;
    const char *text = pattern_of(f);
    if (d->in->unsupported || f->unknown) {
        d->bad = true;
        return;
    }
    if (decode_control(d) || decode_memory(d) || decode_texture(d) ||
        decode_move(d) || decode_call(d))
        return;
    if (!text) {
        d->bad = true;
        return;
    }
    decode_pattern(d, text);
    d->op->fn = select_handler(d);
    d->bad |= !d->op->fn;
}

/* ------------------------------------------------------------ finishing */

static void keep_fixups(struct decoder *d) {
    int n = d->n_before + d->n_after;
    if (!n)
        return;
    struct op_more *m = decode_more(d);
    m->fix = arena_array(&d->x->arena, (size_t)n, sizeof *m->fix);
    if (d->n_before)
        memcpy(m->fix, d->before, (size_t)d->n_before * sizeof *m->fix);
    if (d->n_after)
        memcpy(m->fix + d->n_before, d->after,
               (size_t)d->n_after * sizeof *m->fix);
    m->n_fix = n;
    m->n_before = d->n_before;
    m->inner = d->op->fn;
    d->op->fn = exec_fixed;
}

static enum stream_access access_of(const struct ptx_form *f) {
    switch (f->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        return STREAM_LOAD;
    case PTX_OP_ST:
        return STREAM_STORE;
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return STREAM_ATOMIC;
    default:
        return STREAM_NO_ACCESS;
    }
}

static void describe(struct decoder *d, struct stream_insn *s, int pc) {
    const struct ptx_instruction *in = d->in;
    *s = (struct stream_insn){.id = d->x->next_insn++,
                              .function = (uint32_t)d->func->index,
                              .pc = (uint64_t)pc,
                              .line = (uint32_t)in->line,
                              .opcode = in->form->text,
                              .opc = in->form->opc,
                              .space = in->form->space,
                              .access = access_of(in->form)};
    if (s->access && in->form->n_types)
        s->width = (uint8_t)((ptx_type_bits(in->form->types[0]) + 7) / 8 *
                             in->form->vector);
    for (int i = 0; i < in->n_defs && s->n_dst < STREAM_MAX_REGS / 2; i++)
        s->regs[s->n_dst++] = (uint32_t)in->defs[i];
    for (int i = 0; i < in->n_uses && s->n_dst + s->n_src < STREAM_MAX_REGS;
         i++)
        s->regs[s->n_dst + s->n_src++] = (uint32_t)in->uses[i];
}

static void decode_op(struct decoder *d, int pc) {
    d->op = &d->func->ops[pc];
    d->in = &d->func->f->instructions[pc];
    d->bad = false;
    d->n_before = d->n_after = d->scratch_used = 0;
    d->more = NULL;
    d->op->in = d->in;
    d->op->insn = &d->func->insns[pc];
    if (d->in->guard) {
        d->op->guard = d->func->reg_slot[d->in->guard->index];
        d->op->flags = d->in->guard_negated ? OP_GUARD_NOT : 0;
    }
    describe(d, d->op->insn, pc);
    decode_instruction(d);
    if (d->bad) {
        d->op->fn = exec_unsupported;
        d->op->flags &= OP_GUARD_NOT;
    } else {
        keep_fixups(d);
    }
    d->op->more = d->more;
}

/* Places of the registers: predicates first, a word each. */
static void place_registers(struct decoder *d) {
    const struct ptx_function *f = d->func->f;
    uint32_t at = FRAME_FIRST;
    d->func->reg_slot = arena_array(&d->x->arena, (size_t)f->n_registers,
                                    sizeof *d->func->reg_slot);
    for (int i = 0; i < f->n_registers; i++)
        if (f->registers[i]->type == PTX_PRED) {
            d->func->reg_slot[i] = at;
            at += 4;
        }
    at = (at + 63) & ~63u;
    for (int i = 0; i < f->n_registers; i++) {
        const struct ptx_register *r = f->registers[i];
        if (r->type == PTX_PRED)
            continue;
        d->func->reg_slot[i] = at;
        uint32_t lane = ptx_type_bits(r->type) > 64 ? 16
                        : is_wide(r->type)          ? 8
                                                    : 4;
        at += LANES * lane * (uint32_t)r->vector;
    }
    d->func->frame_size = at;
}

static void mark_joins(struct decoder *d) {
    struct func *func = d->func;
    struct ptx_cfg cfg;
    struct ptx_dom pdom;
    ptx_cfg_build(&d->x->arena, func->f, &cfg);
    ptx_post_dominators(&d->x->arena, &cfg, &pdom);
    for (int pc = 0; pc < func->n_ops - 1; pc++) {
        struct op *op = &func->ops[pc];
        op->join = -1;
        if (op->fn != exec_bra && op->fn != exec_brx &&
            !(op->more && op->more->inner == exec_brx))
            continue;
        op->join = join_of(&cfg, &pdom, pc);
        if (op->join >= 0)
            func->ops[op->join].flags |= OP_JOIN;
    }
}

void decode_function(struct exec *x, struct program *p, struct func *func) {
    struct decoder d = {.x = x, .p = p, .func = func};
    int n = func->f->n_instructions;
    func->n_ops = n + 1;
    func->ops = arena_array(&x->arena, (size_t)n + 1, sizeof *func->ops);
    func->insns = arena_array(&x->arena, (size_t)n + 1, sizeof *func->insns);
    place_registers(&d);
    decode_signature(&d);
    for (int pc = 0; pc < n; pc++)
        decode_op(&d, pc);
    func->ops[n].fn = exec_ret; /* running off the end */
    func->ops[n].flags = OP_CONTROL;
    func->ops[n].insn = &func->insns[n];
    mark_joins(&d);
    func->frame_size = (func->frame_size + 63) & ~63u;
    func->param_at = func->frame_size;
    func->n_hidden = d.hidden.n;
    func->hidden = array_keep(&d.hidden, &x->arena);
    array_free(&d.hidden);
    func->decoded = true;
}
