/* decode_call.c - calls, and how a function takes and returns values.
 *
 * Parameters of .param space lie in a parameter area of the frame: formals,
 * then returns, then the .param variables of the body, for each lane apart.
 * The formals of an entry are the same for all threads and lie outside.  Old
 * code passes registers instead; both may be mixed.
 */
#include "decode.h"

static uint64_t align_up(uint64_t at, const struct ptx_variable *v) {
    uint64_t align = v->align > 0 ? (uint64_t)v->align
                                  : ((uint64_t)ptx_type_bits(v->type) + 7) / 8 *
                                        (uint64_t)v->vector;
    if (!align || (align & (align - 1)) || align > 4096)
        align = 8;
    return (at + align - 1) & ~(align - 1);
}

/* Register of the function with that name, or NULL. */
static const struct ptx_register *find_register(const struct ptx_function *f,
                                                const char *name) {
    for (int i = 0; name && i < f->n_registers; i++)
        if (strcmp(f->registers[i]->name, name) == 0)
            return f->registers[i];
    return NULL;
}

static struct op_item formal_item(struct decoder *d,
                                  const struct ptx_variable *v, uint64_t at) {
    struct op_item item = {.size = (uint32_t)ptx_variable_size(v)};
    if (v->space != PTX_SPACE_REG) {
        item.area = true;
        item.at = (uint32_t)at;
        return item;
    }
    const struct ptx_register *r = find_register(d->func->f, v->name);
    item.pred = v->type == PTX_PRED;
    item.wide = is_wide(v->type);
    item.sink = !r;
    if (r)
        item.ref = d->func->reg_slot[r->index];
    return item;
}

static void add_place(struct decoder *d, const struct ptx_variable *v,
                      uint64_t at) {
    d->func->places[d->func->n_places++] = (struct var_place){v, at};
}

static uint64_t place_formals(struct decoder *d, struct ptx_variable *list,
                              int n, uint64_t at, struct op_item **items) {
    *items = arena_array(&d->x->arena, (size_t)n, sizeof **items);
    for (int i = 0; i < n; i++) {
        at = align_up(at, &list[i]);
        (*items)[i] = formal_item(d, &list[i], at);
        if (list[i].space != PTX_SPACE_REG) {
            add_place(d, &list[i], at);
            at += (uint64_t)ptx_variable_size(&list[i]);
        }
    }
    return at;
}

/* Where a .local variable of the module lies in each thread's local memory,
 * before all frames; with v NULL, where they end. */
uint64_t decode_module_local(struct decoder *d, const struct ptx_variable *v,
                             bool *found) {
    const struct ptx_module *m = d->x->module;
    uint64_t at = 0;
    for (int i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *one = m->variables[i];
        if (one->space != PTX_SPACE_LOCAL)
            continue;
        at = align_up(at, one);
        if (one == v) {
            *found = true;
            return at;
        }
        at += (uint64_t)ptx_variable_size(one);
    }
    return at;
}

/* Places of parameters and of the body's .param and .local variables. */
void decode_signature(struct decoder *d) {
    struct func *func = d->func;
    const struct ptx_function *f = func->f;
    size_t n =
        (size_t)f->n_params + (size_t)f->n_returns + (size_t)f->n_variables;
    func->places = arena_array(&d->x->arena, n, sizeof *func->places);
    uint64_t at = place_formals(d, f->params, f->n_params, 0, &func->formals);
    func->formal_size = f->is_entry ? (uint32_t)at : 0;
    at = place_formals(d, f->returns, f->n_returns, at, &func->results);
    uint64_t local = f->is_entry ? decode_module_local(d, NULL, NULL) : 0;
    for (int i = 0; i < f->n_variables; i++) {
        const struct ptx_variable *v = f->variables[i];
        uint64_t *next = v->space == PTX_SPACE_PARAM   ? &at
                         : v->space == PTX_SPACE_LOCAL ? &local
                                                       : NULL;
        if (!next)
            continue;
        *next = align_up(*next, v);
        add_place(d, v, *next);
        *next += (uint64_t)ptx_variable_size(v);
    }
    func->local_size = (local + 15) & ~(uint64_t)15;
    uint64_t size = (at - func->formal_size + 15) & ~(uint64_t)15;
    func->param_size = size > 1 << 20 ? 1 << 20 : (uint32_t)size;
}

static bool among(const struct ptx_variable *v, const struct ptx_variable *list,
                  int n) {
    return n > 0 && v >= list && v < list + n;
}

/* Offset of v in the function's parameter space. */
uint32_t decode_param_place(struct decoder *d, const struct ptx_variable *v,
                            bool *found) {
    const struct func *func = d->func;
    const struct ptx_function *f = func->f;
    for (int i = func->n_places - 1; i >= 0; i--) {
        const struct ptx_variable *p = func->places[i].var;
        bool formal = among(p, f->params, f->n_params) ||
                      among(p, f->returns, f->n_returns);
        if (p == v ||
            (formal && v->name && p->name && strcmp(p->name, v->name) == 0)) {
            *found = true;
            return (uint32_t)func->places[i].offset;
        }
    }
    *found = false;
    return 0;
}

/* An argument or the place of a result, on the caller's side. */
static struct op_item actual_item(struct decoder *d,
                                  const struct ptx_operand *o, bool result) {
    struct op_item item = {0};
    bool found = true;
    if (o->kind == PTX_OPND_SINK) {
        item.sink = true;
    } else if (o->kind == PTX_OPND_VARIABLE &&
               o->variable->space == PTX_SPACE_PARAM) {
        item.area = true;
        item.at =
            decode_param_place(d, o->variable, &found) + (uint32_t)o->offset;
        item.size = (uint32_t)ptx_variable_size(o->variable);
    } else if (o->kind == PTX_OPND_REGISTER) {
        item.pred = o->reg->type == PTX_PRED;
        item.wide = is_wide(o->reg->type);
        item.size = (uint32_t)(ptx_type_bits(o->reg->type) + 7) / 8;
        item.ref = d->func->reg_slot[o->reg->index];
        d->bad |= o->reg->kind == PTX_QUAD;
    } else {
        item.wide = true;
        item.size = 8;
        item.ref = decode_source(d, o, PTX_U64, true);
        d->bad |= result;
    }
    d->bad |= !found;
    return item;
}

static struct op_item *actual_items(struct decoder *d,
                                    const struct ptx_operand *list, bool result,
                                    int *n) {
    *n = list ? list->n_items : 0;
    struct op_item *items =
        arena_array(&d->x->arena, (size_t)*n, sizeof *items);
    for (int i = 0; i < *n; i++)
        items[i] = actual_item(d, list->items[i], result);
    return items;
}

/* call (results), function, (arguments), table; all but function optional */
bool decode_call(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    if (in->form->op != PTX_OP_CALL)
        return false;
    int at = 0;
    const struct ptx_operand *results = NULL, *args = NULL;
    if (in->n_dst)
        results = in->operands[at++];
    const struct ptx_operand *target = in->operands[at++];
    if (at < in->n_operands && in->operands[at]->kind == PTX_OPND_LIST)
        args = in->operands[at];
    struct op_more *m = decode_more(d);
    m->returns = actual_items(d, results, true, &m->n_returns);
    m->args = actual_items(d, args, false, &m->n_args);
    d->op->flags |= OP_CONTROL;
    d->op->fn = exec_call;
    if (target->kind != PTX_OPND_FUNCTION) {
        d->op->src[0] = decode_source(d, target, PTX_U64, true);
        return true;
    }
    if (!target->function->has_body) {
        d->op->flags &= OP_GUARD_NOT;
        d->op->fn = strcmp(target->function->name, "vprintf") == 0
                        ? exec_printf
                        : exec_extern;
        return true;
    }
    m->callee = &d->p->funcs[function_index(d->x, target->function)];
    d->bad |= m->n_args != target->function->n_params ||
              m->n_returns != target->function->n_returns;
    return true;
}
