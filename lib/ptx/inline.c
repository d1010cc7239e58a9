/* inline.c - see inline.h.
 *
 * Each function that is called has one copy of its registers and variables in
 * the kernel, whatever the number of its calls: a function without recursion is
 * in one of them at a time.  A parameter in .param space is another name for
 * the caller's variable; one that is a register is set before the body.
 */
#include "inline.h"

#include "base/array.h"
#include "base/text.h"
#include "inline_double.h"
#include "inline_make.h"

#include <string.h>

enum { DEEPEST = 64 };

struct copy {
    const struct ptx_function *f;
    int base; /* its first register in the kernel */
};

/* A call that is being expanded, inside of others. */
struct level {
    const struct level *outer;
    const struct ptx_function *f;
    int base;
    const struct ptx_operand *const *actuals; /* of parameters, then results */
    int *at; /* by pc of f, and behind its end: the place in the kernel */
    ARRAY(struct ptx_operand *) labels; /* operands that name a pc of f */
    struct ptx_operand *end;            /* behind the body */
    int depth;
};

struct inliner {
    struct inline_body body;
    ARRAY(struct copy) copies;
    const struct ptx_module *doubles; /* read when one is called */
};

/* --- what can be expanded ------------------------------------------------- */

/* The parts of 'call (results), function, (arguments)'. */
struct parts {
    const struct ptx_operand *results, *target, *arguments;
};

static struct parts parts_of(const struct ptx_instruction *in) {
    struct parts p = {0};
    int at = 0;
    if (in->n_dst)
        p.results = in->operands[at++];
    p.target = in->operands[at++];
    if (at < in->n_operands && in->operands[at]->kind == PTX_OPND_LIST)
        p.arguments = in->operands[at];
    return p;
}

static int items(const struct ptx_operand *list) {
    return list ? list->n_items : 0;
}

static const struct ptx_function *callee_of(const struct ptx_instruction *in) {
    if (in->form->op != PTX_OP_CALL)
        return NULL;
    struct parts p = parts_of(in);
    const struct ptx_function *f =
        p.target->kind == PTX_OPND_FUNCTION ? p.target->function : NULL;
    return f && f->has_body && !f->is_entry &&
                   items(p.results) == f->n_returns &&
                   items(p.arguments) == f->n_params
               ? f
               : NULL;
}

static bool is_open(const struct level *level, const struct ptx_function *f) {
    for (; level; level = level->outer)
        if (level->f == f)
            return true;
    return false;
}

/* --- operands ------------------------------------------------------------- */

/* The caller's name of a formal parameter or result in .param space. */
static const struct ptx_operand *actual_of(const struct level *l,
                                           const struct ptx_variable *v) {
    const struct ptx_function *f = l->f;
    if (!l->outer || v->space != PTX_SPACE_PARAM)
        return NULL;
    for (int i = 0; i < f->n_params + f->n_returns; i++) {
        const struct ptx_variable *p =
            i < f->n_params ? &f->params[i] : &f->returns[i - f->n_params];
        if (p->name && v->name && strcmp(p->name, v->name) == 0)
            return l->actuals[i];
    }
    return NULL;
}

static struct ptx_table *copy_table(struct inliner *n, struct level *l,
                                    const struct ptx_table *t);

static struct ptx_operand *copy_operand(struct inliner *n, struct level *l,
                                        const struct ptx_operand *from) {
    struct ptx_operand *o = inline_operand(&n->body, *from);
    if (o->reg)
        o->reg = n->body.registers.v[l->base + o->reg->index];
    if (o->second)
        o->second = n->body.registers.v[l->base + o->second->index];
    if (o->n_items)
        o->items = arena_array(n->body.arena, (size_t)o->n_items,
                               sizeof(struct ptx_operand *));
    for (int i = 0; i < o->n_items; i++)
        o->items[i] = copy_operand(n, l, from->items[i]);
    const struct ptx_operand *actual =
        o->variable ? actual_of(l, o->variable) : NULL;
    if (actual) {
        o->variable = actual->variable;
        o->offset += actual->offset;
    }
    if (o->kind == PTX_OPND_LABEL && o->table)
        o->table = copy_table(n, l, o->table);
    else if (o->kind == PTX_OPND_LABEL)
        *array_push(&l->labels) = o;
    return o;
}

static struct ptx_table *copy_table(struct inliner *n, struct level *l,
                                    const struct ptx_table *t) {
    struct ptx_table *copy = arena_copy(n->body.arena, t, 1, sizeof *t);
    copy->targets = arena_array(n->body.arena, (size_t)t->n_targets,
                                sizeof(struct ptx_operand *));
    for (int i = 0; i < t->n_targets; i++)
        copy->targets[i] = copy_operand(n, l, t->targets[i]);
    return copy;
}

/* --- one level ------------------------------------------------------------ */

/* The function's copy; made at its first call, with its variables. */
static int base_of(struct inliner *n, const struct ptx_function *f) {
    for (int i = 0; i < n->copies.n; i++)
        if (n->copies.v[i].f == f)
            return n->copies.v[i].base;
    int base = n->body.registers.n;
    *array_push(&n->copies) = (struct copy){f, base};
    for (int i = 0; i < f->n_registers; i++)
        inline_register(&n->body, *f->registers[i]);
    for (int i = 0; i < f->n_variables; i++)
        *array_push(&n->body.variables) = f->variables[i];
    return base;
}

static void expand(struct inliner *n, struct level *l);

static struct ptx_register *register_named(struct inliner *n,
                                           const struct ptx_function *f,
                                           int base, const char *name) {
    for (int i = 0; name && i < f->n_registers; i++)
        if (strcmp(f->registers[i]->name, name) == 0)
            return n->body.registers.v[base + i];
    return NULL;
}

/* How a formal parameter or result meets the caller's operand: by a move from
 * or to a register, or as another name of the caller's variable. */
static const struct ptx_operand *meet(struct inliner *n, struct level *inner,
                                      const struct ptx_variable *formal,
                                      struct ptx_operand *actual,
                                      bool is_result) {
    struct inline_body *b = &n->body;
    bool area = actual->kind == PTX_OPND_VARIABLE;
    if (formal->space != PTX_SPACE_REG && area)
        return actual;
    struct ptx_operand *inside;
    if (formal->space == PTX_SPACE_REG) {
        struct ptx_register *r =
            register_named(n, inner->f, inner->base, formal->name);
        inside = r ? inline_named(b, r) : NULL;
    } else {
        inside = inline_variable(b, formal);
    }
    if (!inside || actual->kind == PTX_OPND_SINK)
        return inside;
    if (is_result)
        inline_transfer(b, actual, inside, formal->type);
    else
        inline_transfer(b, inside, actual, formal->type);
    return inside;
}

/* The body of f in the place of a call; the operands are the kernel's. */
static void expand_body(struct inliner *n, struct level *l,
                        const struct ptx_function *f,
                        struct ptx_operand *const *arguments,
                        struct ptx_operand *const *results) {
    struct inline_body *b = &n->body;
    int line = b->line, column = b->column;
    struct level inner = {.outer = l, .f = f, .depth = l->depth + 1};
    inner.base = base_of(n, f);
    inner.end = inline_target(b, f->name);
    inner.at =
        arena_array(b->arena, (size_t)f->n_instructions + 1, sizeof *inner.at);
    const struct ptx_operand **actuals =
        arena_array(b->arena, (size_t)f->n_params + (size_t)f->n_returns + 1,
                    sizeof(struct ptx_operand *));
    inner.actuals = actuals;
    for (int i = 0; i < f->n_params; i++)
        actuals[i] = meet(n, &inner, &f->params[i], arguments[i], false);
    /* results in .param space are named before the body, registers read after
     * it */
    for (int i = 0; i < f->n_returns; i++)
        if (f->returns[i].space != PTX_SPACE_REG)
            actuals[f->n_params + i] = results[i]->kind == PTX_OPND_VARIABLE
                                           ? results[i]
                                           : inline_variable(b, &f->returns[i]);
    expand(n, &inner);
    b->line = line;
    b->column = column;
    inline_label(b, inner.end);
    for (int i = 0; i < f->n_returns; i++) {
        const struct ptx_operand *from = actuals[f->n_params + i];
        if (f->returns[i].space == PTX_SPACE_REG)
            meet(n, &inner, &f->returns[i], results[i], true);
        else if (results[i]->kind == PTX_OPND_REGISTER)
            inline_transfer(b, results[i], from, f->returns[i].type);
    }
    array_free(&inner.labels);
}

static struct ptx_operand **copy_items(struct inliner *n, struct level *l,
                                       const struct ptx_operand *list) {
    struct ptx_operand **v =
        arena_array(n->body.arena, (size_t)items(list) + 1, sizeof *v);
    for (int i = 0; i < items(list); i++)
        v[i] = copy_operand(n, l, list->items[i]);
    return v;
}

static const struct ptx_register *guard_of(const struct inliner *n,
                                           const struct level *l,
                                           const struct ptx_instruction *in) {
    return in->guard ? n->body.registers.v[l->base + in->guard->index] : NULL;
}

static void expand_call(struct inliner *n, struct level *l,
                        const struct ptx_instruction *in,
                        const struct ptx_function *f) {
    struct parts p = parts_of(in);
    struct ptx_operand *behind =
        inline_skip(&n->body, guard_of(n, l, in), in->guard_negated, f->name);
    expand_body(n, l, f, copy_items(n, l, p.arguments),
                copy_items(n, l, p.results));
    if (behind)
        inline_label(&n->body, behind);
}

/* A load of a parameter by its address: the kernel's parameters have none, so
 * it is one of the call's. */
static bool by_address(const struct ptx_instruction *in) {
    return in->form->op == PTX_OP_LD && in->form->space == PTX_SPACE_PARAM &&
           in->operands[1]->kind == PTX_OPND_ADDRESS &&
           in->operands[1]->items[0]->kind == PTX_OPND_REGISTER;
}

/* The instruction with the kernel's registers. */
static struct ptx_instruction mapped(struct inliner *n, struct level *l,
                                     const struct ptx_instruction *from) {
    struct ptx_instruction in = *from;
    in.guard = guard_of(n, l, from);
    if (from->n_operands)
        in.operands = arena_array(n->body.arena, (size_t)from->n_operands,
                                  sizeof(struct ptx_operand *));
    for (int i = 0; i < from->n_operands; i++)
        in.operands[i] = copy_operand(n, l, from->operands[i]);
    return in;
}

static void copy_instruction(struct inliner *n, struct level *l,
                             const struct ptx_instruction *from) {
    struct ptx_instruction in = mapped(n, l, from);
    if (l->outer && by_address(&in))
        in.form = inline_local_form(&n->body, in.form);
    in.form = inline_double_bits(&n->body, in.form);
    inline_add(&n->body, in);
}

/* --- f64 ------------------------------------------------------------------ */

struct caller {
    struct inliner *n;
    struct level *l;
};

static void call_double(void *ctx, const char *name,
                        struct ptx_operand *const *arguments,
                        struct ptx_operand *result) {
    struct caller *c = ctx;
    struct inliner *n = c->n;
    if (!n->doubles)
        n->doubles = inline_double_module(n->body.arena);
    for (int i = 0; i < n->doubles->n_functions; i++)
        if (strcmp(n->doubles->functions[i]->name, name) == 0) {
            expand_body(n, c->l, n->doubles->functions[i], arguments, &result);
            return;
        }
    BUG("no function '%s' in double.ptx", name);
}

static bool expand_double(struct inliner *n, struct level *l,
                          const struct ptx_instruction *in) {
    struct caller c = {n, l};
    if (!inline_is_double(in->form))
        return false;
    struct ptx_instruction with = mapped(n, l, in);
    return inline_double(&n->body, &with, call_double, &c);
}

static void expand(struct inliner *n, struct level *l) {
    const struct ptx_function *f = l->f;
    struct inline_body *b = &n->body;
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        const struct ptx_function *callee = callee_of(in);
        l->at[pc] = b->instructions.n;
        b->line = in->line;
        b->column = in->column;
        if (callee && !is_open(l, callee) && l->depth < DEEPEST &&
            b->instructions.n + callee->n_instructions < PTX_INLINE_LIMIT) {
            expand_call(n, l, in, callee);
        } else if (l->outer && in->form->op == PTX_OP_RET) {
            if (in->guard || pc + 1 < f->n_instructions)
                inline_branch(b, l->end, guard_of(n, l, in), in->guard_negated);
        } else if (!expand_double(n, l, in)) {
            copy_instruction(n, l, in);
        }
    }
    l->at[f->n_instructions] = b->instructions.n;
    for (int i = 0; i < l->labels.n; i++)
        l->labels.v[i]->pc = l->at[l->labels.v[i]->pc];
    for (int i = 0; i < l->labels.n; i++)
        *array_push(&b->labels) = l->labels.v[i];
    for (int i = 0; i < f->n_labels; i++)
        inline_label_at(b, &f->labels[i], l->at[f->labels[i].pc]);
}

const struct ptx_function *ptx_inline(struct arena *a,
                                      const struct ptx_function *f) {
    bool any = false;
    for (int pc = 0; pc < f->n_instructions && !any; pc++)
        any = callee_of(&f->instructions[pc]) ||
              inline_is_double(f->instructions[pc].form);
    if (!any)
        return f;
    struct inliner n = {.body = {.arena = a, .f = f}};
    struct level top = {.f = f};
    top.at = arena_array(a, (size_t)f->n_instructions + 1, sizeof *top.at);
    top.base = base_of(&n, f);
    expand(&n, &top);
    struct ptx_function *flat = arena_copy(a, f, 1, sizeof *f);
    inline_finish(&n.body, flat);
    array_free(&top.labels);
    array_free(&n.copies);
    return flat;
}
