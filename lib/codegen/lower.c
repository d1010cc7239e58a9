/* lower.c - a function, instruction by instruction. */
#include "lower.h"

#include "blocks.h"

#include <string.h>

void lower_refuse(struct lower *l, const char *what) {
    const struct ptx_instruction *in = l->in;
    struct place at = {l->module->source, in->line, in->column,
                       (int)strlen(in->form->text)};
    if (!l->refused)
        diag_error(l->d, at, "no instructions for '%s': %s", in->form->text,
                   what);
    l->refused = true;
}

static bool has_type(const struct ptx_form *f, const char *kinds) {
    for (int i = 0; i < f->n_types; i++)
        if (strchr(kinds, ptx_type_kind(f->types[i])))
            return true;
    return false;
}

/* Types that no instruction of the machine has. */
static const char *foreign_type(const struct ptx_form *f) {
    for (int i = 0; i < f->n_types; i++) {
        enum ptx_type t = f->types[i];
        if (t == PTX_F64)
            return "no sequence for this form of f64";
        if (ptx_type_kind(t) == 'f' && t != PTX_F32)
            return "the machines have no floating point but f32";
        if (t == PTX_U16X2 || t == PTX_S16X2 || ptx_type_bits(t) > 64 ||
            ptx_type_kind(t) == 'o')
            return "the machines have no such type";
    }
    return NULL;
}

/* The guard of the instruction holds for what it writes. */
static void set_guard(struct lower *l) {
    l->guard = MC_NONE;
    l->unless = l->in->guard_negated;
    if (!l->in->guard)
        return;
    struct wide *w = &l->regs[l->in->guard->index];
    if (w->lo == MC_NONE)
        w->lo = mc_new(l->m, MC_PREDICATE);
    l->guard = w->lo;
}

/* What is known of the instruction stands in all that came of it. */
static void give_hints(struct lower *l, const struct hint *h, int from) {
    for (int k = from; k < l->m->list.n; k++) {
        struct mc_insn *i = &l->m->list.v[k];
        if (i->op == MC_LABEL)
            continue;
        i->place = h->place;
        i->chain = h->chain;
        i->mark = h->mark && k == from;
    }
}

/* Membars of an ordered access to memory that other cores may write: one before it,
 * which also makes a cache forget what it holds of the place, and one behind. */
static bool fence_before(const struct ptx_form *f, enum ptx_modifier order) {
    if (f->op == PTX_OP_LD)
        return order != PTX_MOD_NONE && order != PTX_MOD_WEAK;
    return order == PTX_MOD_RELEASE || order == PTX_MOD_ACQ_REL ||
           order == PTX_MOD_SC;
}

static bool fence_behind(enum ptx_modifier order) {
    return order == PTX_MOD_ACQUIRE || order == PTX_MOD_ACQ_REL ||
           order == PTX_MOD_SC;
}

/* The order of such an access, else none. */
static enum ptx_modifier order_of(const struct ptx_form *f) {
    bool access = f->op == PTX_OP_LD || f->op == PTX_OP_ST ||
                  f->op == PTX_OP_ATOM || f->op == PTX_OP_RED;
    bool outside = f->space == PTX_SPACE_GLOBAL || f->space == PTX_SPACE_NONE;
    return access && outside ? ptx_modifier_of(f, PTX_GROUP_ORDER)
                             : PTX_MOD_NONE;
}

static void lower_one(struct lower *l, int pc) {
    int from = l->m->list.n;
    l->in = &l->f->instructions[pc];
    l->m->line = l->in->line;
    l->refused = false;
    set_guard(l);
    const char *type = foreign_type(l->in->form);
    if (l->in->unsupported || type) {
        lower_refuse(l, type ? type : "not known");
        return;
    }
    bool is_f32 = has_type(l->in->form, "f");
    enum ptx_modifier order = order_of(l->in->form);
    if (fence_before(l->in->form, order))
        lower_emit(l, ISA_membar);
    bool known = lower_call(l) || lower_param_address(l) || lower_carry(l) ||
                 lower_lanes(l) || lower_space(l) || lower_barrier(l) ||
                 lower_flow(l) || lower_atomic(l) || lower_memory(l) ||
                 lower_convert(l) || lower_compare(l) || lower_wide(l) ||
                 (is_f32 && lower_float(l)) || lower_bits(l) ||
                 lower_fields(l) || (!is_f32 && lower_integer(l));
    if (!known)
        lower_refuse(l, l->in->form->opc == OPC_texture
                            ? "the machines have no texture unit, ndpsim "
                              "executes fetches from textures"
                            : "the machines cannot do that");
    if (fence_behind(order))
        lower_emit(l, ISA_membar);
    give_hints(l, &l->hints[pc], from);
}

/* What stands before the first instruction: the thread's place in the CTA,
 * which r0 holds packed. */
static void prologue(struct lower *l) {
    mc_value tid = mc_new(l->m, MC_REGISTER);
    l->m->values.v[tid].is_tid = l->m->values.v[tid].keep = true;
    struct mc_insn *i = lower_emit(l, ISA_mov);
    i->d = i->b = tid;
    l->thread[0] = lower_opn(l, ISA_and, tid, 1023);
    l->thread[1] = lower_opn(l, ISA_and, lower_opn(l, ISA_shr, tid, 10), 1023);
    l->thread[2] = lower_opn(l, ISA_shr, tid, 20);
    lower_barrier_start(l);
}

/* Where the pointers of a function may lead: with a generic address of shared
 * memory about, a generic access could mean either. */
static void look_at_pointers(struct lower *l) {
    for (int pc = 0; pc < l->f->n_instructions; pc++) {
        const struct ptx_form *f = l->f->instructions[pc].form;
        if (f->op == PTX_OP_CVTA && f->space == PTX_SPACE_SHARED &&
            !ptx_has(f, PTX_MOD_TO))
            l->has_shared_generic = true;
        const struct ptx_operand *o =
            f->op == PTX_OP_MOV ? l->f->instructions[pc].operands[1] : NULL;
        if (o && o->kind == PTX_OPND_VARIABLE &&
            o->variable->space == PTX_SPACE_PARAM)
            l->has_param_address = true;
    }
}

void lower_function(struct lower *l) {
    int n = l->f->n_instructions, next = 0;
    int *labels = arena_array(l->m->arena, (size_t)n + 1, sizeof *labels);
    l->labels = labels;
    for (int pc = 0; pc <= n; pc++)
        labels[pc] = -1;
    for (int i = 0; i < l->f->n_labels; i++)
        if (labels[l->f->labels[i].pc] < 0)
            labels[l->f->labels[i].pc] = mc_label(l->m);
    blocks_label(l);
    l->m->line = l->f->line;
    look_at_pointers(l);
    prologue(l);
    for (next = 0; next < n; next++) {
        if (labels[next] >= 0)
            lower_label(l, labels[next]);
        blocks_hold(l, next);
        lower_one(l, next);
    }
    if (labels[n] >= 0)
        lower_label(l, labels[n]);
    l->m->line = l->f->end_line;
    lower_emit(l, ISA_exit);
}
